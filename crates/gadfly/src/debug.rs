//! `gadfly debug`: asks questions until the bug is found.
//!
//! The dialogue decides what is said; this opens what it is about, finds who answers, and lets a client talk: the prompt
//! ([`client`]), or whoever speaks the protocol ([`json_lines`]).

pub(crate) mod begin;
mod client;
mod json_lines;
pub(crate) mod oracles;
mod prompt;
pub(crate) mod subject;

use crate::command::{Command, DebugArgs, DebugFormat, Granularity, Line};
use crate::input::{self, Opened, Wanted};
use crate::recording::Recording;
use crate::{output, places};
use clap::Parser as _;
use client::Client;
use gadfly_dialogue::drive::Driver;
use gadfly_dialogue::journal::{About, Journal};
use gadfly_dialogue::protocol::Notice;
use gadfly_dialogue::{Dialogue, SavedLevel, Setup, Worker, fingerprint, resume};
use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{ActionError, Settings, State};
use gadfly_frontend::Failure;
use gadfly_frontend::OracleSpec;
use gadfly_python::DebugTest;
use gadfly_source::Notation;
use oracles::Asked;
use output::{Palette, Screen};
use prompt::Prompt;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use subject::Subject;

/// Debugs; gives the report of it.
pub(crate) fn run(args: &DebugArgs) -> Result<Option<serde_json::Value>, Failure> {
    if args.list_strategies {
        let mut out = output::stdout(Notation::Text);
        for name in StrategyName::ALL {
            writeln!(out, "{:18} {}", name.name(), name.describe())?;
        }
        out.flush()?;
        return Ok(None);
    }
    debug(args, None)
}

/// Debugs a program, or the test that was recorded.
fn debug(args: &DebugArgs, test: Option<&DebugTest>) -> Result<Option<serde_json::Value>, Failure> {
    // Clap asks for the file unless the list of strategies is wanted.
    let file = args.file.as_deref().ok_or_else(|| Failure::usage("name the tree to debug"))?;
    let person = oracles::asks_person(&args.oracle);
    if args.oracle.iter().filter(|spec| **spec == OracleSpec::Person).count() > 1 {
        return Err(Failure::usage("`--oracle person` is given twice").with_hint("name it once"));
    }
    if file.as_os_str() == "-" && person {
        return Err(Failure::usage("the tree and the answers cannot both come from stdin")
            .with_hint("save the tree to a file, or let an oracle answer: `--oracle answers:FILE`"));
    }
    let wanted = Wanted {
        file,
        program: &args.program,
        view: &args.view,
        opening: &args.opening,
        trust: &args.strategy.trust,
        oracles: &args.oracle,
        oracle_timeout: args.oracle_timeout.map(Duration::from_secs),
        person,
        resumes: args.resume,
    };
    let Opened { recording, mut program } = input::open(&wanted)?;
    if let Some(test) = test {
        program = Some(gadfly_python::of_test(wanted.launch(), test)?);
    }
    let subject = Subject::new(&recording);
    let mut settings = begin::settings(&args.strategy, &args.view, file, &subject);
    let mut seen = None;
    if let Some(text) = &args.at_output {
        let (node, told) = begin::symptom(text, file, &subject)?;
        settings.symptoms = vec![node];
        settings.whole_is_wrong = true;
        seen = Some(told);
    }
    if let Some(beginning) = program.as_ref().and_then(|program| program.beginning(&recording.subject())) {
        settings.whole_is_wrong |= beginning.whole_is_wrong;
        if settings.symptoms.is_empty() {
            settings.symptoms = beginning.symptoms;
        }
    }
    begin::at_end(&mut settings, &subject);
    let asked = Asked {
        program: program.as_deref_mut(),
        launch: wanted.launch(),
        project: args.project.as_deref(),
        enters: matches!(args.view.granularity, None | Some(Granularity::Line)),
    };
    let worker = oracles::worker(&args.oracle, &recording, Some(asked))?;
    settings.ask_again = worker.oracles.seats().person;
    let mut driver = driver(args, file, &recording, settings, worker)?;
    match args.format {
        DebugFormat::JsonLines => json_lines::talk(&mut driver)?,
        DebugFormat::Text | DebugFormat::Json => talk(args, &mut driver, seen.as_deref())?,
    }
    Ok(Some(serde_json::to_value(driver.dialogue().report()).map_err(io::Error::from)?))
}

/// Debugs a test that the pytest plugin has recorded.
pub(crate) fn run_test(job: &Path) -> Result<Option<serde_json::Value>, Failure> {
    let test = DebugTest::read(job)?;
    let mut words = vec!["gadfly".into(), "debug".into(), test.trail.clone().into_os_string()];
    words.extend(["--format".into(), test.format.clone().into()]);
    words.extend(test.oracles.iter().flat_map(|oracle| ["--oracle".into(), oracle.into()]));
    words.extend(test.strategy.iter().flat_map(|name| ["--strategy".into(), name.into()]));
    let line = Line::try_parse_from(words).map_err(|error| Failure::usage(error.to_string()))?;
    let Command::Debug(args) = line.command else {
        return Err(Failure::usage("the job of the pytest plugin is not about debugging"));
    };
    debug(&args, Some(&test))
}

/// The dialogue with its worker and its journal.
fn driver(
    args: &DebugArgs,
    file: &Path,
    recording: &Recording,
    mut settings: Settings,
    worker: Worker,
) -> Result<Driver, Failure> {
    let mut notices = Vec::new();
    for name in &settings.trusted {
        if State::new(Arc::clone(recording.tree())).trust_named(name) == 0 {
            notices.push(Notice::NothingToTrust { name: name.clone() });
        }
    }
    let kept = Kept::open(args, file, recording, &mut settings, &worker)?;
    let length = kept.length;
    let setup = Setup {
        recording: Arc::clone(recording.any()),
        settings,
        seats: worker.oracles.seats(),
        reviewed: worker.reviewer.is_some(),
        enters: worker.inside.is_some(),
        saved: kept.saved,
        journal: length,
        keeps: kept.journal.is_some(),
        notices,
        switch_to: args.strategy.strategy,
    };
    let dialogue = Dialogue::new(setup).map_err(no_sense)?;
    Ok(Driver::new(dialogue, worker, kept.journal))
}

pub(crate) fn no_sense((index, error): (usize, ActionError)) -> Failure {
    Failure::input(format!("action {index} of the journal makes no sense here: {error}"))
}

/// Lets the prompt talk, and prints the report if it is wanted.
fn talk(args: &DebugArgs, driver: &mut Driver, seen: Option<&str>) -> Result<(), Failure> {
    let person = oracles::asks_person(&args.oracle);
    // With JSON on stdout, the talking goes to stderr, if there is anybody to talk to.
    let (out, terminal): (Box<dyn Write>, bool) = match args.format {
        DebugFormat::Json if person => (Box::new(io::stderr()), io::stderr().is_terminal()),
        DebugFormat::Json => (Box::new(io::sink()), false),
        _ => (Box::new(io::stdout()), io::stdout().is_terminal()),
    };
    let mut out = Screen::new(out, Notation::Text);
    if let Some(seen) = seen {
        writeln!(out, "{seen}")?;
    }
    let palette = Palette::for_terminal(terminal);
    let mut client = Client { driver, prompt: Prompt::new(), out, palette, width: output::width() };
    let talked = client.talk();
    if args.format == DebugFormat::Json && !matches!(talked, Err(Failure::Interrupted)) {
        let mut out = output::stdout(Notation::Json);
        serde_json::to_writer(&mut out, &driver.dialogue().report()).map_err(io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
    }
    talked
}

/// What is kept of the session on disk.
#[derive(Default)]
struct Kept {
    journal: Option<Journal>,
    saved: Vec<SavedLevel>,
    /// How many lines the journal has.
    length: u64,
}

impl Kept {
    fn open(
        args: &DebugArgs,
        file: &Path,
        recording: &Recording,
        settings: &mut Settings,
        worker: &Worker,
    ) -> Result<Kept, Failure> {
        let wanted = args.resume || args.journal.is_some() || worker.oracles.are_worth_keeping();
        match journal_path(file, args.journal.as_deref(), recording) {
            _ if !wanted => Ok(Kept::default()),
            Some(path) if args.resume && path.exists() => Kept::resume(&path, recording, settings),
            Some(path) => {
                if args.resume {
                    output::error_line("note: no saved session for this program; starting a new one");
                }
                Ok(Kept::begin(&path, recording, settings))
            }
            None => {
                output::error_line(
                    "warning: no folder to keep the answers in; name a file with `--journal FILE`",
                );
                Ok(Kept::default())
            }
        }
    }

    fn resume(path: &Path, recording: &Recording, settings: &mut Settings) -> Result<Kept, Failure> {
        let continued = resume::resume(path);
        let continued = continued.map_err(|error| Failure::input(&error).with_hint(error.hint()))?;
        let resumed = continued.resumed;
        for notice in &resumed.notices {
            output::error_line(&format!("warning: {}: {notice}", path.display()));
        }
        is_about_this_tree(path, &resumed.about, recording)?;
        *settings = settings_of(&resumed.about, settings, recording);
        let length = resumed.entries.len() as u64;
        Ok(Kept { journal: Some(resumed.journal), saved: continued.saved, length })
    }

    fn begin(path: &Path, recording: &Recording, settings: &Settings) -> Kept {
        match Journal::create(path, &resume::header(&**recording.any(), settings)) {
            Ok(created) => {
                if let Some(kept) = created.kept.filter(|kept| !kept.ended) {
                    output::error_line(&format!(
                        "note: an unfinished session was kept; continue it with `--resume --journal {}`",
                        kept.path.display()
                    ));
                }
                Kept { journal: Some(created.journal), ..Kept::default() }
            }
            Err(error) => {
                output::error_line(&format!("warning: {error}; the answers are not kept"));
                output::error_line(&format!("hint: {}", error.hint()));
                Kept::default()
            }
        }
    }
}

/// The journal that the user means: the one named, or the usual one for this tree.
pub(crate) fn journal_path(file: &Path, named: Option<&Path>, recording: &Recording) -> Option<PathBuf> {
    match named {
        Some(path) => Some(path.to_owned()),
        None => places::journal(file, &fingerprint(&**recording.any())),
    }
}

pub(crate) fn settings_of(about: &About, settings: &Settings, recording: &Recording) -> Settings {
    let local = begin::local_rules(&Subject::new(recording));
    resume::settings(about, settings, &**recording.any(), &local)
}

pub(crate) fn is_about_this_tree(path: &Path, about: &About, recording: &Recording) -> Result<(), Failure> {
    match resume::is_about(about, &**recording.any()) {
        true => Ok(()),
        false => Err(Failure::input(format!("{}: this session is about another tree", path.display()))
            .with_hint("the tree was recorded again or changed; start without --resume")),
    }
}
