//! Opening what the user names: a program, which is run and recorded first; a recorded run; or somebody else's tree.

use crate::command::{OrderName, ProgramArgs, Transformation, ViewArgs, ViewName};
use crate::failure::Failure;
use crate::output;
use crate::program::{self, Heard, Outside};
use crate::python::{self, Recipe};
use crate::record::{self, How};
use crate::recording::Recording;
use gadfly_interchange as interchange;
use gadfly_trail::model::RunEnd;
use gadfly_trail::{Problem, ProblemKind, Trail};
use gadfly_views::{self as views, Options, Order, View, Viewed};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is to be opened, and how.
pub(crate) struct Wanted<'a> {
    pub(crate) file: &'a Path,
    pub(crate) program: &'a ProgramArgs,
    pub(crate) view: &'a ViewArgs,
    /// What the user trusts.
    pub(crate) trust: &'a [String],
    /// Whether a person answers questions afterwards.
    pub(crate) person: bool,
    /// Whether another program does, which must be told what this one was called with and read.
    pub(crate) reference: bool,
    /// Modules that a correct version is there of, by their names: they are suspected wherever they are.
    pub(crate) counterparts: Vec<String>,
    /// How the program of a recorded run can be run again, if somebody wrote it down.
    pub(crate) replay: Option<&'a Path>,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Program,
    /// A Python program.
    Python,
    Trail,
    Interchange,
}

impl Kind {
    /// What a file is: by its name, or by how it begins.
    pub(crate) fn of(path: &Path) -> Kind {
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if gadfly_lazy::is_program(path) => Kind::Program,
            _ if python::is_program(path) => Kind::Python,
            Some("trail") => Kind::Trail,
            _ if Kind::is_trail(path) => Kind::Trail,
            _ => Kind::Interchange,
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
    /// What the program read.
    pub(crate) heard: Heard,
    /// How it can be run again, of a Python program.
    pub(crate) recipe: Option<Recipe>,
}

/// Opens what the user named.
pub(crate) fn open(wanted: &Wanted<'_>) -> Result<Opened, Failure> {
    if wanted.view.transform.contains(&Transformation::None) && wanted.view.transform.len() > 1 {
        return Err(Failure::usage("`--transform none` leaves the tree as it is, and others do not")
            .with_hint("name one of them"));
    }
    match Kind::of(wanted.file) {
        Kind::Interchange => {
            refuse_program(wanted, "an interchange file")?;
            refuse_view(wanted)?;
            let recording = Recording::interchange(interchange(wanted.file)?);
            Ok(Opened { recording, heard: given(wanted)?, recipe: None })
        }
        Kind::Trail => {
            refuse_program(wanted, "a recorded run")?;
            let trail = trail(wanted.file)?;
            warn_of_problems(&trail, wanted.file, false);
            warn_of_changes(&trail, wanted.file);
            let recording = Recording::of_run(view(trail, wanted)?);
            Ok(Opened {
                recording,
                heard: given(wanted)?,
                recipe: wanted.replay.map(Recipe::read).transpose()?,
            })
        }
        Kind::Program => fresh(wanted),
        Kind::Python => python_run(wanted),
    }
}

/// Has a Python program run, and opens what was recorded.
fn python_run(wanted: &Wanted<'_>) -> Result<Opened, Failure> {
    let (_folder, path) = trail_file(wanted)?;
    let heard = given(wanted)?;
    let recipe = python::recipe(wanted.file, wanted.program, wanted.trust, wanted.person)?
        .with("GADFLY_COUNTERPARTS", wanted.counterparts.join(":"));
    let status = python::record(&recipe, &path, false, true)?;
    let file = wanted.file.display();
    let killed = python::killed(status);
    // Whoever is killed early may not have come to write anything.
    let opened = python::has_begun(&path).then(|| trail(&path)).transpose()?;
    let trail = match (opened, &killed) {
        (Some(trail), None) => trail,
        (Some(trail), Some(killed)) if trail.node_count() > 0 => {
            output::error_line(&format!("warning: {file}: {killed}"));
            trail
        }
        (_, Some(killed)) => {
            return Err(Failure::input(format!("{file}: {killed} before anything of it was written"))
                .with_hint("`python3 -X faulthandler` tells where a program was that crashed"));
        }
        (None, None) => {
            return Err(Failure::input(format!("{file}: the program could not be run ({status})"))
                .with_hint("what Python says about it is above"));
        }
    };
    warn_of_problems(&trail, wanted.file, killed.is_some());
    Ok(Opened { recording: Recording::of_run(view(trail, wanted)?), heard, recipe: Some(recipe) })
}

/// Where the trail of a program goes, and a folder that goes away with it if nobody wants it.
fn trail_file(wanted: &Wanted<'_>) -> Result<(Option<tempfile::TempDir>, PathBuf), Failure> {
    match &wanted.view.keep_trail {
        Some(path) => {
            record::spare(path)?;
            Ok((None, path.clone()))
        }
        None => record::temporary().map(|(folder, path)| (Some(folder), path)),
    }
}

/// Reads an interchange file.
pub(crate) fn interchange(path: &Path) -> Result<interchange::Recording, Failure> {
    interchange::open(path).map_err(|error| {
        let failure = Failure::input(format!("{}: {error}", path.display()));
        // It may be a program, which is known by its name only.
        match path.file_name().is_some_and(|name| name.to_string_lossy().contains(".json")) {
            true => failure.with_hint(error.hint),
            false => failure
                .with_hint(format!("{}; the name of a program ends in .hs, .lhs, .curry or .py", error.hint)),
        }
    })
}

/// Reads a trail, as far as it is sound.
pub(crate) fn trail(path: &Path) -> Result<Trail, Failure> {
    Trail::open(path)
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())).with_hint(error.hint))
}

/// Runs a program and opens what was recorded.
fn fresh(wanted: &Wanted<'_>) -> Result<Opened, Failure> {
    let program = program::read(wanted.file, wanted.program.expression.as_deref())?;
    let outside = Outside::new(&program.name, wanted.program, wanted.person, true)?;
    let heard = outside.heard();
    let how = How { args: wanted.program, trust: wanted.trust, file: wanted.file, outside };
    // The folder goes away at the end of this function; the trail that is open stays.
    let (_folder, path) = trail_file(wanted)?;
    let recorded = record::record(&program, how, &path)?;
    // How it ended is told as by `run`, but it is no failure of ours: what ran can be debugged.
    match program::report(&recorded.ran, &program, wanted.file, &wanted.program.limits) {
        Ok(_) | Err(Failure::ClosedPipe) => {}
        Err(Failure::Interrupted) if wanted.person => {
            output::error_line(
                "The program was interrupted; the questions are about what it did until then.",
            );
        }
        Err(Failure::Interrupted) => return Err(Failure::Interrupted),
        Err(Failure::Input { message, .. } | Failure::Usage { message, .. }) => {
            output::error_line(&format!("{message}; what ran until then is looked at"));
        }
    }
    record::tell_incomplete(&recorded.written, &path);
    Ok(Opened { recording: Recording::of_run(view(trail(&path)?, wanted)?), heard, recipe: None })
}

/// What the program read that somebody else has run, as far as the user tells.
fn given(wanted: &Wanted<'_>) -> Result<Heard, Failure> {
    match &wanted.program.input {
        Some(path) => Ok(Heard::of(program::input(path)?)),
        None => Ok(Heard::default()),
    }
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
    views::view(Arc::new(trail), &options).map_err(|error| {
        Failure::input(format!("{}: {error}", wanted.file.display())).with_hint(error.hint())
    })
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
        Some(RunEnd::Exit(_)) | None => return,
    };
    output::error_line(&format!("note: the run {how}"));
}

/// Warns if the sources are not what they were.
fn warn_of_changes(trail: &Trail, path: &Path) {
    let beside = path.parent().unwrap_or(Path::new(""));
    let is_python = trail.tables().language == "python";
    let read = |file: &str| {
        let bytes = fs::read(file).or_else(|_| fs::read(beside.join(file))).ok()?;
        match is_python {
            // As Python reads it; in another encoding, nobody looks.
            true => String::from_utf8(bytes)
                .ok()
                .map(|text| text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n")),
            false => Some(gadfly_lazy::decode(bytes)),
        }
    };
    for file in trail.changed_sources(read) {
        output::error_line(&format!(
            "warning: {file} has changed since the run was recorded; what is shown is as it was then"
        ));
    }
}

/// What says how a program is run makes no sense where there is none.
fn refuse_program(wanted: &Wanted<'_>, what: &str) -> Result<(), Failure> {
    let ProgramArgs { expression, input, suspect, limits, memory, monitoring, arguments } = wanted.program;
    let given = [
        ("-e", expression.is_some()),
        ("--input", input.is_some() && !wanted.reference),
        ("--suspect", !suspect.is_empty()),
        ("--steps", limits.steps.is_some()),
        ("--heap", limits.heap.is_some()),
        ("--stack", limits.stack.is_some()),
        ("--time", limits.time.is_some()),
        ("--memory", memory.is_some()),
        ("--monitoring", *monitoring),
        ("--", !arguments.is_empty() && !wanted.reference),
        ("--keep-trail", wanted.view.keep_trail.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::usage(format!(
            "`{name}` says how a program is run, but {} is {what}",
            wanted.file.display()
        ))
        .with_hint("name the program instead, or leave that out")),
    }
}

/// Somebody else's tree is as it is.
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
