//! The literate suite: Markdown pages in `tests/suite` with commands and what they print; each page is a test.
//!
//! On a page, a fence ```` ```text file=NAME ```` is written to NAME; in a fence ```` ```console ```` every line after
//! `$ ` is run by `sh` in a fresh folder (one a page, the examples in `examples/`), and what follows is what it prints,
//! stdout and stderr together; a status other than 0 is shown as `[exit N]`.
//!
//!     cargo test -p gadfly --test suite                    # all pages, in parallel
//!     cargo test -p gadfly --test suite python/            # those with `python/` in their path
//!     GADFLY_UPDATE=1 cargo test -p gadfly --test suite    # writes what was printed into the pages
//!
//! Read the difference before you commit an update.

mod python_package;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let folder = root().join("tests/suite");
    let mut pages = Vec::new();
    collect(&folder, &mut pages);
    assert!(!pages.is_empty(), "there is no suite in {}", folder.display());
    let mut trials: Vec<Trial> = pages
        .into_iter()
        .map(|page| {
            let name = page.strip_prefix(&folder).unwrap().display().to_string();
            Trial::test(name, move || check(&page))
        })
        .collect();
    trials.sort_by(|one, other| one.name().cmp(other.name()));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A page must print what it says; with `GADFLY_UPDATE` it is made to say what it prints.
fn check(page: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(page)?;
    let now = play(&text);
    if now == text {
        Ok(())
    } else if std::env::var_os("GADFLY_UPDATE").is_some() {
        Ok(fs::write(page, now)?)
    } else {
        let shown = difference(&text, &now);
        Err(format!("{shown}GADFLY_UPDATE=1 writes what was printed into the page.").into())
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

/// Plays a page and gives its text with what was printed.
fn play(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(
        root().join("examples").canonicalize().unwrap(),
        folder.path().join("examples"),
    )
    .unwrap();
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let _ = writeln!(out, "{line}");
        let Some(fence) = line.strip_prefix("```") else { continue };
        let mut body = Vec::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            body.push(line);
        }
        if let Some(name) = fence.split_whitespace().find_map(|word| word.strip_prefix("file=")) {
            let mut content = body.join("\n");
            content.push('\n');
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        if fence == "console" {
            let commands = body.iter().filter(|line| line.starts_with("$ ") || line.starts_with("> "));
            for command in join_continued(commands.copied()) {
                for line in command.lines() {
                    let _ = writeln!(out, "{line}");
                }
                out.push_str(&run(
                    &command.lines().map(|line| &line[2..]).collect::<Vec<_>>().join("\n"),
                    folder.path(),
                ));
            }
        } else {
            for line in body {
                let _ = writeln!(out, "{line}");
            }
        }
        out.push_str("```\n");
    }
    out
}

/// A command goes on over the lines that begin with `> `.
fn join_continued<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    for line in lines {
        match commands.last_mut() {
            Some(last) if line.starts_with("> ") => {
                last.push('\n');
                last.push_str(line);
            }
            _ => commands.push(line.to_owned()),
        }
    }
    commands
}

/// The folder with the Python package.
fn package() -> &'static Path {
    static PACKAGE: OnceLock<PathBuf> = OnceLock::new();
    PACKAGE.get_or_init(|| python_package::build(&root(), env!("CARGO_BIN_EXE_gadfly")))
}

fn run(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_gadfly"));
    // `terminal` is in the folder of the tests.
    let [first, last] = [binary.parent().unwrap().to_owned(), root().join("tests")];
    let path = format!("{}:{}:{}", first.display(), std::env::var("PATH").unwrap(), last.display());
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{{ {command}\n}} 2>&1"))
        .current_dir(folder)
        .env("PATH", path)
        .env("PYTHONPATH", package())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("GADFLY_STATE", folder.join("state"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).replace(&*folder.to_string_lossy(), "FOLDER");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => text.push_str(&format!("[exit {code}]\n")),
        None => text.push_str("[killed]\n"),
    }
    text
}

/// The first lines that differ.
fn difference(expected: &str, printed: &str) -> String {
    let mut out = String::new();
    let (mut expected, mut printed) = (expected.lines(), printed.lines());
    for number in 1.. {
        match (expected.next(), printed.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let _ = writeln!(
                    out,
                    "  line {number}:\n    expected: {}\n    printed:  {}",
                    a.unwrap_or("(end)"),
                    b.unwrap_or("(end)")
                );
                if out.lines().count() > 12 {
                    break;
                }
            }
        }
    }
    out
}
