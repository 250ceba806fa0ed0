//! `gadfly record`: runs a program and keeps the trail of the run.
//!
//! The exit status is the program's own, as with `gadfly run`; what was written is told on stderr.

use crate::command::{ProgramArgs, RecordArgs};
use crate::failure::Failure;
use crate::input::Kind;
use crate::interrupt::{self, Afterwards};
use crate::program::{self, Outside, Program};
use crate::{output, places, python};
use gadfly_lazy::{Outcome, RecordError, Recorded, Run, Suspects};
use gadfly_source::NamePattern;
use gadfly_trail::Trail;
use gadfly_trail::write::Written;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &RecordArgs) -> Result<u8, Failure> {
    if python::is_program(&args.file) {
        return run_python(args);
    }
    let program = program::read(&args.file, args.program.expression.as_deref())?;
    let path = match &args.output {
        Some(path) => path.clone(),
        None => PathBuf::from(format!("{}.trail", program.name)),
    };
    spare(&path)?;
    let outside = Outside::new(&program.name, &args.program, false, false)?;
    let how = How { args: &args.program, trust: &args.trust, file: &args.file, outside };
    let recorded = record(&program, how, &path)?;
    let status = program::report(&recorded.ran, &program, &args.file, &args.program.limits);
    let written = &recorded.written;
    output::error_line(&format!(
        "{}: {} node{} in {}{}",
        path.display(),
        written.nodes,
        if written.nodes == 1 { "" } else { "s" },
        size(written.bytes),
        cut_short(&recorded.ran.outcome),
    ));
    tell_incomplete(written, &path);
    status
}

/// Has a Python program recorded.
fn run_python(args: &RecordArgs) -> Result<u8, Failure> {
    let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{stem}.trail")));
    spare(&path)?;
    let recipe = python::recipe(&args.file, &args.program, &args.trust, false)?;
    let status = python::record(&recipe, &path, args.detail, false)?;
    let killed = python::killed(status);
    if let Some(killed) = &killed {
        output::error_line(&format!("error: {}: {killed}", args.file.display()));
    }
    // A complete trail may be larger than memory, and need not be read to say so.
    let counted = match Trail::count_nodes(&path) {
        Some(nodes) => Ok(nodes),
        None => Trail::open(&path).map(|trail| trail.node_count()),
    };
    match counted {
        Ok(nodes) => {
            let bytes = std::fs::metadata(&path).map_or(0, |data| data.len());
            let s = if nodes == 1 { "" } else { "s" };
            output::error_line(&format!("{}: {nodes} node{s} in {}", path.display(), size(bytes)));
        }
        Err(error) if python::has_begun(&path) => {
            output::error_line(&format!("error: {}: {error}", path.display()));
        }
        Err(_) if killed.is_some() => {
            output::error_line(&format!("error: {}: no trail was written before that", path.display()));
        }
        Err(_) => output::error_line(&format!(
            "error: {}: no trail was written: {} could not be run ({status})",
            path.display(),
            args.file.display(),
        )),
    }
    Ok(python::exit_code(status))
}

/// How a program is recorded.
pub(crate) struct How<'a> {
    pub(crate) args: &'a ProgramArgs,
    pub(crate) trust: &'a [String],
    /// The program's file.
    pub(crate) file: &'a Path,
    pub(crate) outside: Outside,
}

/// Runs a program and writes its trail.
pub(crate) fn record(program: &Program, how: How<'_>, path: &Path) -> Result<Recorded, Failure> {
    if !program.checked.has_main(&program.lowered) {
        return Err(program::no_main(how.file)
            .with_hint("define `main`, and export it; or evaluate something else: `-e EXPRESSION`"));
    }
    let patterns = |names: &[String]| names.iter().map(|name| NamePattern::new(name)).collect();
    let suspects = Suspects { trusted: patterns(how.trust), suspected: patterns(&how.args.suspect) };
    let described = program.checked.describe(&program.lowered, &suspects, &command(&how));
    for name in &described.unused {
        output::error_line(&format!("warning: nothing in this program is named `{name}`"));
    }
    let (world, tell_unfed) = how.outside.split();
    let limits = program::limits(&how.args.limits);
    let run = Run { world, limits, steps: how.args.limits.steps };
    let watch = program::watch(how.args.limits.time, Afterwards::GoOn);
    let recorded = program.checked.record(&program.lowered, described, run, path, watch);
    interrupt::end();
    tell_unfed();
    recorded.map_err(|error| match error {
        RecordError::Create(error) => Failure::input(format!("{}: {error}", path.display()))
            .with_hint("name a file that can be written, with -o or --keep-trail"),
        RecordError::Run(error) => Failure::from(error),
    })
}

/// What was run, for people.
fn command(how: &How<'_>) -> String {
    let mut text = how.file.display().to_string();
    if let Some(expression) = &how.args.expression {
        text = format!("{text} -e {}", quoted(expression));
    }
    for argument in &how.args.arguments {
        text.push(' ');
        text.push_str(&quoted(argument));
    }
    text
}

/// An argument as a shell would read it.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// What is no trail is not written over.
pub(crate) fn spare(path: &Path) -> Result<(), Failure> {
    let Ok(data) = std::fs::metadata(path) else { return Ok(()) };
    let (what, hint) = match () {
        () if data.is_dir() => ("this is a folder", "name a file in it"),
        () if data.is_file() && data.len() > 0 && !Kind::is_trail(path) => {
            ("this file is there and is no trail", "name another file, or remove this one first")
        }
        () => return Ok(()),
    };
    Err(Failure::usage(format!("{}: {what}", path.display())).with_hint(hint))
}

/// Whether the run was cut short, and by what.
fn cut_short(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Interrupted => "; the run was interrupted",
        Outcome::TimeLimit | Outcome::StepLimit => "; the run was stopped by a limit",
        _ => "",
    }
}

/// Tells that a trail is not complete, though the run was not disturbed.
pub fn tell_incomplete(written: &Written, path: &Path) {
    let Some(failure) = &written.failure else { return };
    output::error_line(&format!(
        "warning: {}: {failure}; the trail is incomplete: it holds the first {} nodes",
        path.display(),
        written.nodes,
    ));
    output::error_line("hint: make room, record elsewhere with -o, or trust more functions with --trust");
}

/// Tells that calls are missing in a Python program's trail: of so many functions for which there was no memory, and so many for no good
/// reason.
pub fn tell_missing(path: &Path, functions: usize, calls: usize) {
    if functions > 0 {
        let s = if functions == 1 { "" } else { "s" };
        output::error_line(&format!(
            "warning: {}: the calls of {functions} function{s} were not recorded, to stay within the memory that the recorder may take",
            path.display(),
        ));
        output::error_line(
            "hint: allow more with --memory, as in `--memory 1G`, or trust more functions with --trust",
        );
    }
    if calls > 0 {
        let s = if calls == 1 { "" } else { "s" };
        output::error_line(&format!(
            "warning: {}: {calls} call{s} could not be recorded; this is a defect of Gadfly's",
            path.display(),
        ));
    }
}

/// A number of bytes, for people.
fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1_000),
        10_000_000..10_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", bytes / 1_000_000_000),
    }
}

/// Where a trail goes that nobody wants to keep: a folder that goes away with it.
pub(crate) fn temporary() -> Result<(tempfile::TempDir, PathBuf), Failure> {
    let folder = places::temporary().map_err(|error| {
        Failure::input(format!("there is no room for a temporary trail: {error}"))
            .with_hint("name a place for it: `--keep-trail FILE`, or a folder in TMPDIR")
    })?;
    let path = folder.path().join("run.trail");
    Ok((folder, path))
}
