//! Opening what the user names: a program, which is run and recorded first; a recorded run; or another tool's tree.

use crate::command::{OpenArgs, OrderName, ProgramArgs, Transformation, ViewArgs, ViewName};
use crate::interrupt::Terminal;
use crate::recording::Recording;
use crate::{front_ends, output, record};
use gadfly_frontend::{Ended, Failure, FrontEnd, Launch, OracleSpec, Program, RecordRequest};
use gadfly_interchange as interchange;
use gadfly_source::{Refusal, Shelf};
use gadfly_trail::model::RunEnd;
use gadfly_trail::{Problem, ProblemKind, Trail};
use gadfly_views::{self as views, Options, Order, View, ViewError, Viewed};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What is to be opened, and how.
pub(crate) struct Wanted<'a> {
    pub(crate) file: &'a Path,
    pub(crate) program: &'a ProgramArgs,
    pub(crate) view: &'a ViewArgs,
    pub(crate) opening: &'a OpenArgs,
    /// What the user trusts.
    pub(crate) trust: &'a [String],
    /// Who answers questions afterwards; nobody if there are none.
    pub(crate) oracles: &'a [OracleSpec],
    /// How long an answer may take.
    pub(crate) oracle_timeout: Option<Duration>,
    /// Whether a person answers questions afterwards.
    pub(crate) person: bool,
    /// Whether an earlier session goes on.
    pub(crate) resumes: bool,
}

impl Wanted<'_> {
    /// What a program is launched with.
    pub(crate) fn launch(&self) -> Launch {
        Launch {
            file: self.file.to_owned(),
            run: self.program.run(),
            trust: self.trust.to_vec(),
            oracles: self.oracles.to_vec(),
            oracle_timeout: self.oracle_timeout,
            person: self.person,
            balanced: self.view.balances(),
            world: Arc::new(Terminal),
        }
    }
}

/// What a file is.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Program(&'static dyn FrontEnd),
    Trail,
    Interchange,
}

impl Kind {
    /// What a file is: by its name, or by how it begins.
    pub(crate) fn of(path: &Path) -> Kind {
        match front_ends::of_file(path) {
            Some(front_end) => Kind::Program(front_end),
            None if path.extension().is_some_and(|extension| extension == "trail") => Kind::Trail,
            None if Kind::is_trail(path) => Kind::Trail,
            None => Kind::Interchange,
        }
    }

    /// Whether a file begins like a trail.
    pub(crate) fn is_trail(path: &Path) -> bool {
        // A pipe must not be read from here: what is taken is gone.
        if !path.is_file() {
            return false;
        }
        let mut first = [0; 8];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
        read.is_ok() && first == gadfly_trail::MAGIC
    }
}

/// What was opened.
pub(crate) struct Opened {
    pub(crate) recording: Recording,
    /// The program, or as much of it as its recording tells; none of a language without a front-end.
    pub(crate) program: Option<Box<dyn Program>>,
}

/// Opens what the user named.
pub(crate) fn open(wanted: &Wanted<'_>) -> Result<Opened, Failure> {
    if wanted.view.transform.contains(&Transformation::None) && wanted.view.transform.len() > 1 {
        return Err(Failure::usage("`--transform none` cannot be combined with other transformations")
            .with_hint("name one of them"));
    }
    match Kind::of(wanted.file) {
        Kind::Interchange => {
            refuse_program(wanted, "an interchange file")?;
            refuse_view(wanted)?;
            let recording = Recording::interchange(interchange(wanted.file, wanted.opening)?);
            let program = front_ends::attach(recording.language(), wanted.launch());
            Ok(Opened { recording, program })
        }
        Kind::Trail => {
            refuse_program(wanted, "a recorded run")?;
            let trail = trail(wanted.file)?;
            warn_of_problems(&trail, wanted.file, false);
            warn_of_changes(&trail, wanted);
            let recording = Recording::of_run(view(trail, wanted)?);
            let program = front_ends::attach(recording.language(), wanted.launch());
            Ok(Opened { recording, program })
        }
        Kind::Program(front_end) => fresh(front_end, wanted),
    }
}

/// Runs a program and opens what was recorded.
fn fresh(front_end: &dyn FrontEnd, wanted: &Wanted<'_>) -> Result<Opened, Failure> {
    front_end.language().takes(&wanted.program.given())?;
    front_end.language().offers(wanted.oracles)?;
    let mut program = front_end.launch(wanted.launch())?;
    if wanted.resumes {
        match wanted.view.keep_trail.as_deref().filter(|path| Kind::is_trail(path)) {
            Some(path) => return kept(path, wanted, program),
            None => warn_of_another_run(program.name()),
        }
    }
    // The folder goes away at the end of this function; the trail that is open stays.
    let (_folder, path) = trail_file(wanted)?;
    let request = RecordRequest { trail: &path, detail: false, output_to_stderr: true };
    let recorded = program.record(request)?;
    let file = wanted.file.display();
    let trail = if record::has_begun(&path) { Some(trail(&path)?) } else { None };
    let trail = match (trail, &recorded.ended) {
        (Some(trail), Ended::Killed(killed, _)) if trail.node_count() > 0 => {
            output::error_line(&format!("warning: {file}: {killed}"));
            trail
        }
        (_, Ended::Killed(killed, _)) => {
            return Err(Failure::input(format!("{file}: {killed} before anything of it was written"))
                .with_hint("run the program alone to see where it crashes"));
        }
        (Some(trail), _) => trail,
        (None, _) => {
            return Err(Failure::input(format!("{file}: the program could not be run"))
                .with_hint("the reason is printed above"));
        }
    };
    // How it ended is reported, but it is no failure of ours: what ran can be debugged.
    match &recorded.ended {
        Ended::Exit(_) | Ended::ClosedPipe | Ended::Killed(..) => {}
        Ended::Interrupted if wanted.person => {
            output::error_line(
                "The program was interrupted; the questions are about what it did until then.",
            );
        }
        Ended::Interrupted => return Err(Failure::Interrupted),
        Ended::Limit(message) => output::error_line(&format!("{message}; debugging what ran so far")),
    }
    let is_killed = matches!(recorded.ended, Ended::Killed(..));
    if !recorded.is_reported {
        warn_of_problems(&trail, wanted.file, is_killed);
    }
    let recording = Recording::of_run(view(trail, wanted)?);
    Ok(Opened { recording, program: Some(program) })
}

/// Opens the trail that an earlier session kept, instead of running the program again.
fn kept(path: &Path, wanted: &Wanted<'_>, program: Box<dyn Program>) -> Result<Opened, Failure> {
    output::error_line(&format!(
        "note: resuming with the trail {}; {} is not run again",
        path.display(),
        wanted.file.display()
    ));
    let trail = trail(path)?;
    warn_of_problems(&trail, path, false);
    warn_of_changes(&trail, wanted);
    let recording = Recording::of_run(view(trail, wanted)?);
    Ok(Opened { recording, program: Some(program) })
}

/// Says that a program is run again, which may have effects that its first run had already.
fn warn_of_another_run(name: &str) {
    output::error_line(&format!(
        "note: to resume, {name} is run again, with all that it does to files, to the network and so on"
    ));
    output::error_line("hint: begin and resume with `--keep-trail FILE`: then the first run is used");
}

/// Where the trail of a program goes, and a folder that goes away with it if it is not kept.
fn trail_file(wanted: &Wanted<'_>) -> Result<(Option<tempfile::TempDir>, PathBuf), Failure> {
    match &wanted.view.keep_trail {
        Some(path) => {
            record::refuse_to_overwrite(path)?;
            Ok((None, path.clone()))
        }
        None => record::temporary().map(|(folder, path)| (Some(folder), path)),
    }
}

/// Reads an interchange file.
pub(crate) fn interchange(path: &Path, opening: &OpenArgs) -> Result<interchange::Recording, Failure> {
    let opened = interchange::open_within(path, &opening.bounds()).map_err(|error| {
        let failure = Failure::input(format!("{}: {error}", path.display()));
        // It may be a program, which is known by its name only.
        match path.file_name().is_some_and(|name| name.to_string_lossy().contains(".json")) {
            true => failure.with_hint(error.hint),
            false => failure.with_hint(format!(
                "{}; the name of a program ends in {}",
                error.hint,
                front_ends::suffixes()
            )),
        }
    })?;
    warn_of_refusals(path, &opened.refused);
    Ok(opened)
}

/// Says which source files were not opened, and what opens them.
fn warn_of_refusals(path: &Path, refused: &[(Box<str>, Refusal)]) {
    const NAMED: usize = 3;
    let path = path.display();
    for (name, why) in refused.iter().take(NAMED) {
        output::error_line(&format!(
            "warning: {path}: the source file {name} {}; it is not read",
            why.reason()
        ));
    }
    if refused.len() > NAMED {
        output::error_line(&format!(
            "warning: {path}: {} more source files are not read",
            refused.len() - NAMED
        ));
    }
    if refused.iter().any(|(_, why)| *why == Refusal::Outside) {
        output::error_line(
            "hint: if these files belong to the program, allow their folder: `--sources FOLDER`",
        );
    }
}

/// Reads a trail, as far as it is sound.
pub(crate) fn trail(path: &Path) -> Result<Trail, Failure> {
    let bytes = path.metadata().map_or(0, |found| found.len());
    let doing = output::Doing::with(bytes);
    doing.say(&format!("Reading the recording ({} MB)", bytes >> 20));
    Trail::open(path)
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())).with_hint(error.hint))
}

/// The tree of a run that the user wants to see.
fn view(trail: Trail, wanted: &Wanted<'_>) -> Result<Viewed, Failure> {
    let options = Options {
        view: match wanted.view.view {
            Some(ViewName::Edt) => View::Edt,
            Some(ViewName::Fdt) => View::Fdt,
            Some(ViewName::Auto) | None => View::Auto,
        },
        order: match wanted.view.order {
            Some(OrderName::Innermost) => Order::Innermost,
            Some(OrderName::Outermost) | None => Order::Outermost,
        },
        start: None,
    };
    let is_cut = trail.end().is_none();
    let doing = output::Doing::with(trail.byte_count());
    doing.say(&format!("Making the tree of {} million nodes", trail.node_count() / 1_000_000));
    let viewed = views::view(Arc::new(trail), &options).map_err(|error| {
        let hint = match error {
            ViewError::Empty if is_cut => {
                "the recording was cut off before anything was kept: record it again"
            }
            _ => error.hint(),
        };
        Failure::input(format!("{}: {error}", wanted.file.display())).with_hint(hint)
    })?;
    drop(doing);
    if let Some(reason) = viewed.unreadable {
        output::note(&format!(
            "{reason}; functions are shown as partial applications (`--view fdt` shows the maps)"
        ));
    }
    Ok(viewed)
}

/// Says what is wrong with a trail that opened nevertheless, and how its run ended if that was early.
fn warn_of_problems(trail: &Trail, path: &Path, is_killed: bool) {
    // Of a program that was killed it is known why the end is missing.
    let known = |problem: &Problem| is_killed && problem.kind == ProblemKind::NoEnd;
    for problem in trail.problems().iter().filter(|problem| !known(problem)) {
        let left_out = match problem.kind {
            ProblemKind::Index => "",
            _ => "; what is there can be looked at",
        };
        output::error_line(&format!("warning: {}: {}{left_out}", path.display(), problem.message));
    }
    let how = match trail.end() {
        Some(RunEnd::Uncaught(message, _)) => format!("ended with an exception: {message}"),
        Some(RunEnd::Interrupted) => "was interrupted".to_owned(),
        Some(RunEnd::Limit(limit)) => format!("was stopped by its limit of {limit}"),
        Some(RunEnd::Unrecorded) => {
            "went on after its trail had become too large; what it did then is not recorded".to_owned()
        }
        Some(RunEnd::Exit(_)) | None => return,
    };
    output::error_line(&format!("note: the run {how}"));
}

/// Warns if the sources are not what they were.
fn warn_of_changes(trail: &Trail, wanted: &Wanted<'_>) {
    let Some(front_end) = front_ends::of_language(&trail.tables().language) else { return };
    let beside = wanted.file.parent().unwrap_or(Path::new(""));
    let folders = [PathBuf::from("."), beside.to_owned()];
    // The trail has the texts itself, so what cannot be compared is no loss.
    let shelf = Shelf::new(folders.into_iter().chain(wanted.opening.sources.iter().cloned()));
    let read = |file: &str| front_end.source_text(shelf.read(file).ok()?);
    for file in trail.changed_sources(read) {
        output::error_line(&format!(
            "warning: {file} has changed since the run was recorded; what is shown is as it was then"
        ));
    }
}

/// What says how a program is run makes no sense where there is none.
fn refuse_program(wanted: &Wanted<'_>, what: &str) -> Result<(), Failure> {
    // A reference is run with the same input and arguments.
    let reference = wanted.oracles.iter().any(|spec| matches!(spec, OracleSpec::Reference(_)));
    let is_spare = |name: &&str| !(reference && matches!(*name, "--input" | "--"));
    let keep = wanted.view.keep_trail.is_some().then_some("--keep-trail");
    match wanted.program.given().into_iter().filter(is_spare).chain(keep).next() {
        None => Ok(()),
        Some(name) => {
            Err(Failure::usage(format!("`{name}` applies to programs; {} is {what}", wanted.file.display()))
                .with_hint("name the program instead, or leave that out"))
        }
    }
}

/// Another tool's tree is as it is.
fn refuse_view(wanted: &Wanted<'_>) -> Result<(), Failure> {
    let ViewArgs { view, order, granularity, keep_trail: _, transform: _ } = wanted.view;
    let given =
        [("--view", view.is_some()), ("--order", order.is_some()), ("--granularity", granularity.is_some())];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::usage(format!(
            "`{name}` needs a recorded run, but {} is an interchange file, which holds one tree",
            wanted.file.display()
        ))
        .with_hint("leave that out")),
    }
}
