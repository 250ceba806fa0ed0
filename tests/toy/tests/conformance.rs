//! The laws that every front-end keeps, each a test of each: `toy::finds_the_bug`, `haskell::finds_the_bug`, …
//!
//!     cargo test -p gadfly-toy --test conformance            # all
//!     cargo test -p gadfly-toy --test conformance toy::      # one language
//!     cargo test -p gadfly-toy --test conformance refuses    # one law
//!
//! A language that is new is a [`Case`]: the same small program in it, with one bug. One without a case is an error.

#[path = "../../../crates/gadfly/tests/python_package/mod.rs"]
mod python_package;

use gadfly_frontend::{FrontEnd, Language};
use gadfly_toy::Toy;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;

/// What a language is tried with.
struct Case {
    language: &'static str,
    /// The name of a program's file.
    file: &'static str,
    /// The name of a reference's file.
    reference: &'static str,
    /// A program with a bug in a function.
    buggy: &'static str,
    /// What is wrong in it, and what is right.
    repair: (&'static str, &'static str),
    function: &'static str,
    line: u64,
    /// Whether the inside of calls is looked at; then the line is that of a statement.
    enters: bool,
    /// Something that is no program.
    broken: &'static str,
    /// A program that never ends.
    endless: &'static str,
    /// The exit status when it is stopped: that of the limit, or of a program that is interrupted.
    stopped: i32,
    /// A program that is killed, if its process is not Gadfly's own.
    killed: Option<&'static str>,
}

const CASES: [Case; 4] = [
    Case {
        language: "toy",
        file: "prog.toy",
        reference: "prog.toy",
        buggy: "fn sum(n) {\n  total = 0\n  i = 1\n  while i < n {\n    total = total + i\n    i = i + 1\n  }\n  \
                return total\n}\nfn double(n) { return 2 * n }\nfn main() { print double(sum(4)) }\n",
        repair: ("i < n", "i <= n"),
        function: "sum",
        line: 4,
        enters: true,
        broken: "fn main() { print }\n",
        endless: "fn main() { x = 1 while x { x = 1 } }\n",
        stopped: 1,
        killed: None,
    },
    Case {
        language: "haskell",
        file: "Prog.hs",
        reference: "Prog.hs",
        buggy: HASKELL,
        repair: ("+ total (n - 2)", "+ total (n - 1)"),
        function: "total",
        line: 5,
        enters: false,
        broken: "main = print (\n",
        endless: "main :: IO ()\nmain = print (forever 0)\n\nforever :: Int -> Int\nforever n = forever (n + 1)\n",
        stopped: 1,
        killed: None,
    },
    Case {
        language: "curry",
        file: "Prog.curry",
        // References are programs without choices.
        reference: "Prog.hs",
        buggy: HASKELL,
        repair: ("+ total (n - 2)", "+ total (n - 1)"),
        function: "total",
        line: 5,
        enters: false,
        broken: "main = print (\n",
        endless: "main :: IO ()\nmain = print (forever 0)\n\nforever :: Int -> Int\nforever n = forever (n + 1)\n",
        stopped: 1,
        killed: None,
    },
    Case {
        language: "python",
        file: "prog.py",
        reference: "prog.py",
        buggy: "def total(n):\n    result = 0\n    for i in range(n):\n        result += i\n    return result\n\n\n\
                def double(n):\n    return 2 * n\n\n\nprint(double(total(4)))\n",
        repair: ("range(n)", "range(n + 1)"),
        function: "total",
        line: 3,
        enters: true,
        broken: "print(\n",
        endless: "def forever():\n    while True:\n        pass\n\n\nforever()\n",
        stopped: 130,
        killed: Some("import os\n\n\ndef end():\n    os.abort()\n\n\ndef begin():\n    end()\n\n\nbegin()\n"),
    },
];

const HASKELL: &str = "main :: IO ()\nmain = print (double (total 4))\n\ntotal :: Int -> Int\ntotal n | n <= 0 = 0\n        \
                       | otherwise = n + total (n - 2)\n\ndouble :: Int -> Int\ndouble n = 2 * n\n";

/// The options that say how a program is run, with something to follow them.
const OPTIONS: [(&str, &[&str]); 11] = [
    ("-e", &["1"]),
    ("--input", &["/dev/null"]),
    ("--suspect", &["f"]),
    ("--steps", &["10"]),
    ("--heap", &["1G"]),
    ("--stack", &["1G"]),
    ("--time", &["60"]),
    ("--memory", &["1G"]),
    ("--trail-limit", &["1G"]),
    ("--monitoring", &[]),
    ("--", &["argument"]),
];

/// The oracles that languages offer.
const ORACLES: [(&str, &str); 8] = [
    ("reference", "reference:x"),
    ("revision", "revision:x"),
    ("release", "release:x==1"),
    ("tests", "tests"),
    ("properties", "properties"),
    ("doctests", "doctests"),
    ("types", "types"),
    ("contracts", "contracts"),
];

type Law = fn(&Stage) -> Result<(), Failed>;

const LAWS: [(&str, Law); 10] = [
    ("records_a_sound_trail", records),
    ("finds_the_bug", finds),
    ("finds_the_bug_in_a_trail_or_says_what_to_do", finds_in_trail),
    ("finds_nothing_where_nothing_is_wrong", finds_nothing),
    ("looks_inside_as_far_as_there_is_one", looks_inside),
    ("refuses_options_that_it_does_not_take", refuses_options),
    ("refuses_oracles_that_it_does_not_offer", refuses_oracles),
    ("says_what_to_do_about_a_file_that_is_not_there", missing),
    ("shows_where_a_syntax_error_is", broken),
    ("keeps_what_ran_of_a_program_that_does_not_end", endless),
];

fn main() -> ExitCode {
    let front_ends = gadfly::FRONT_ENDS.iter().copied().chain([&Toy as &dyn FrontEnd]);
    let mut trials = Vec::new();
    for language in front_ends.map(FrontEnd::language) {
        let case = CASES.iter().find(|case| case.language == language.name);
        let case = case.unwrap_or_else(|| panic!("`{}` has no case in this suite", language.name));
        for (name, law) in
            LAWS.into_iter().chain(case.killed.map(|_| ("keeps_what_ran_when_killed", killed as Law)))
        {
            let test = move || law(&Stage::new(language, case));
            trials.push(Trial::test(format!("{}::{name}", language.name), test));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A folder with the programs of a case.
struct Stage {
    language: &'static Language,
    case: &'static Case,
    folder: tempfile::TempDir,
    reference: String,
}

/// What a command printed, and its exit status.
struct Output {
    status: i32,
    out: String,
    err: String,
}

impl Stage {
    fn new(language: &'static Language, case: &'static Case) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let fixed = case.buggy.replace(case.repair.0, case.repair.1);
        assert_ne!(fixed, case.buggy);
        fs::write(folder.path().join(case.file), case.buggy).unwrap();
        for (place, text) in [("fixed", &*fixed), ("same", case.buggy)] {
            fs::create_dir(folder.path().join(place)).unwrap();
            fs::write(folder.path().join(place).join(case.reference), text).unwrap();
        }
        let reference = format!("reference:fixed/{}", case.reference);
        Stage { language, case, folder, reference }
    }

    /// Writes another program under the same name.
    fn write(&self, text: &str) {
        fs::write(self.folder.path().join(self.case.file), text).unwrap();
    }

    fn gadfly(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gadfly-toy"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("NO_COLOR", "1").env("GADFLY_STATE", self.folder.path().join("state"));
        if self.language.name == "python" {
            command.env("PYTHONPATH", package()).env("PYTHONDONTWRITEBYTECODE", "1");
        }
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        Output { status: output.status.code().unwrap_or(-1), out, err }
    }

    /// Runs a command that must end with a status, and say these things.
    fn expect(&self, arguments: &[&str], status: i32, says: &[&str]) -> Result<Output, Failed> {
        let done = self.gadfly(arguments);
        let unsaid = says.iter().find(|text| !done.out.contains(**text) && !done.err.contains(**text));
        match (done.status == status, unsaid) {
            (true, None) => Ok(done),
            (true, Some(text)) => Err(done.failed(arguments, &format!("`{text}` is not said"))),
            (false, _) => Err(done.failed(arguments, &format!("not status {status}"))),
        }
    }

    /// The report of a session about the program, or about what these arguments name.
    fn debug(&self, file: &str, reference: &str, more: &[&str]) -> Result<Value, Failed> {
        let mut arguments = vec!["debug", file, "--oracle", reference, "--format", "json"];
        arguments.extend(more);
        let done = self.expect(&arguments, 0, &[])?;
        Ok(serde_json::from_str(&done.out)?)
    }
}

impl Output {
    fn failed(&self, arguments: &[&str], why: &str) -> Failed {
        let command = arguments.join(" ");
        format!("gadfly {command}\n{why}, but {}:\n{}{}", self.status, self.out, self.err).into()
    }
}

fn package() -> &'static Path {
    static PACKAGE: OnceLock<PathBuf> = OnceLock::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    PACKAGE.get_or_init(|| python_package::build(&root, env!("CARGO_BIN_EXE_gadfly-toy")))
}

/// What is written is a trail that is sound, in its language, and has a tree.
fn records(stage: &Stage) -> Result<(), Failed> {
    stage.expect(&["record", stage.case.file, "-o", "run.trail"], 0, &["run.trail: ", " nodes in "])?;
    stage.expect(
        &["check", "run.trail"],
        0,
        &["a sound trail", &format!("language {}", stage.language.name)],
    )?;
    for what in ["run.trail", stage.case.file] {
        stage.expect(&["tree", what], 0, &[stage.case.function])?;
    }
    Ok(())
}

fn is_found(stage: &Stage, report: &Value) -> Result<(), Failed> {
    let verdict = &report["verdict"];
    let wanted = ("bug", stage.case.function, stage.case.line);
    let found = (verdict["status"].as_str(), verdict["function"].as_str(), verdict["line"].as_u64());
    match found == (Some(wanted.0), Some(wanted.1), Some(wanted.2)) {
        true => Ok(()),
        false => Err(format!("{wanted:?} was to be found, but: {report:#}").into()),
    }
}

fn finds(stage: &Stage) -> Result<(), Failed> {
    for strategy in ["auto", "top-down", "divide-and-query"] {
        let report = stage.debug(stage.case.file, &stage.reference, &["--strategy", strategy])?;
        is_found(stage, &report)?;
    }
    Ok(())
}

/// A program whose language cannot answer from a trail alone says that it takes the program.
fn finds_in_trail(stage: &Stage) -> Result<(), Failed> {
    stage.expect(&["record", stage.case.file, "-o", "run.trail"], 0, &[])?;
    let arguments = ["debug", "run.trail", "--oracle", &stage.reference, "--format", "json"];
    let done = stage.gadfly(&arguments);
    match done.status {
        0 => is_found(stage, &serde_json::from_str(&done.out)?),
        2 if done.err.contains("hint: name the program instead of its trail") => Ok(()),
        _ => Err(done.failed(&arguments, "neither found nor refused")),
    }
}

fn finds_nothing(stage: &Stage) -> Result<(), Failed> {
    let itself = format!("reference:same/{}", stage.case.reference);
    for strategy in ["auto", "top-down", "divide-and-query", "heaviest-first", "single-stepping"] {
        let report = stage.debug(stage.case.file, &itself, &["--strategy", strategy])?;
        if report["verdict"]["status"] != "none" {
            return Err(format!("{strategy}: nothing is wrong, but: {report:#}").into());
        }
    }
    Ok(())
}

fn looks_inside(stage: &Stage) -> Result<(), Failed> {
    let inside = |report: &Value| {
        let questions = report["questions"].as_array().cloned().unwrap_or_default();
        questions.iter().filter(|question| question["inside"] == true).count()
    };
    let report = stage.debug(stage.case.file, &stage.reference, &[])?;
    if (inside(&report) > 0) != stage.case.enters {
        return Err(format!("questions about the inside of a call: {report:#}").into());
    }
    // Whoever does not want it is asked about functions only, and finds the same function.
    let report = stage.debug(stage.case.file, &stage.reference, &["--granularity", "top-level"])?;
    match inside(&report) == 0 && report["verdict"]["function"] == stage.case.function {
        true => Ok(()),
        false => Err(format!("without the insides of calls: {report:#}").into()),
    }
}

/// What a language does not list is refused before the program runs, and the others are named.
fn refuses_options(stage: &Stage) -> Result<(), Failed> {
    for (option, value) in OPTIONS {
        let run = ["--steps", "--heap", "--stack", "--time", "--"].contains(&option).then_some("run");
        for command in ["record", "debug", "tree"].into_iter().chain(run) {
            let mut arguments = vec![command, stage.case.file, option];
            arguments.extend(value);
            if !stage.language.options.contains(&option) {
                let taken = stage.language.options.join(", ");
                let done = stage.expect(&arguments, 2, &[&format!("`{option}` does not apply"), &taken])?;
                has_not_run(&arguments, &done)?;
            } else if command == "tree" {
                let done = stage.gadfly(&arguments);
                if done.err.contains("does not apply") {
                    return Err(done.failed(&arguments, "the language takes it"));
                }
            }
        }
    }
    Ok(())
}

fn refuses_oracles(stage: &Stage) -> Result<(), Failed> {
    let offered: Vec<&str> = stage.language.oracles.to_vec();
    for (kind, spec) in ORACLES.into_iter().filter(|(kind, _)| !offered.contains(kind)) {
        let arguments = ["debug", stage.case.file, "--oracle", spec];
        let says =
            [&format!("`{kind}` does not answer for"), &format!("oracles for them: {}", offered.join(", "))];
        let done = stage.expect(&arguments, 2, &says.map(String::as_str))?;
        has_not_run(&arguments, &done)?;
    }
    let arguments = ["debug", stage.case.file, "--oracle", "nobody"];
    let done = stage.expect(&arguments, 2, &["`nobody` is not an oracle", "oracles are"])?;
    has_not_run(&arguments, &done)
}

/// A command that is refused has run nothing: the programs print a number.
fn has_not_run(arguments: &[&str], done: &Output) -> Result<(), Failed> {
    let is_number = |line: &str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    match done.out.lines().chain(done.err.lines()).any(is_number) {
        true => Err(done.failed(arguments, "the program ran")),
        false => Ok(()),
    }
}

fn missing(stage: &Stage) -> Result<(), Failed> {
    let missing = format!("missing-{}", stage.case.file);
    for command in ["record", "debug", "tree"] {
        stage.expect(&[command, &missing], 1, &[&missing, "hint: "])?;
    }
    let missing = format!("missing-{}", stage.case.reference);
    let reference = format!("reference:{missing}");
    stage.expect(&["debug", stage.case.file, "--oracle", &reference], 1, &[&missing, "hint: "])?;
    Ok(())
}

fn broken(stage: &Stage) -> Result<(), Failed> {
    stage.write(stage.case.broken);
    for command in ["record", "debug", "tree"] {
        let done = stage.expect(&[command, stage.case.file], 1, &[stage.case.file, "error: "])?;
        let file = stage.case.file;
        let places = [format!("{file}:1:"), format!("{file}:2:"), format!("{file}\", line 1")];
        let is_place = |line: &str| places.iter().any(|place| line.contains(place));
        if !done.err.lines().any(is_place) {
            return Err(done.failed(&[command, file], "the line is not named"));
        }
    }
    Ok(())
}

/// A time limit ends it, and the calls that had not ended are in the tree.
fn endless(stage: &Stage) -> Result<(), Failed> {
    stage.write(stage.case.endless);
    let arguments = ["record", stage.case.file, "--time", "1", "-o", "run.trail"];
    stage.expect(&arguments, stage.case.stopped, &["run.trail: "])?;
    stage.expect(&["check", "run.trail"], 0, &["a sound trail"])?;
    stage.expect(&["tree", "run.trail"], 0, &["never ended"])?;
    Ok(())
}

fn killed(stage: &Stage) -> Result<(), Failed> {
    stage.write(stage.case.killed.unwrap_or_default());
    stage.expect(&["record", stage.case.file, "-o", "run.trail"], 134, &["killed", "run.trail: "])?;
    stage.expect(&["tree", "run.trail"], 0, &["never ended"])?;
    Ok(())
}
