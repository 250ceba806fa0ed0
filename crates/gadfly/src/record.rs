//! `gadfly record`: runs a program and keeps the trail of the run.
//!
//! The exit status is the program's own, as with `gadfly run`; what was written is reported on stderr.

use crate::command::RecordArgs;
use crate::input::Kind;
use crate::interrupt::Terminal;
use crate::{front_ends, output, places};
use gadfly_frontend::{Ended, Failure, Launch, RecordRequest};
use gadfly_trail::Trail;
use gadfly_trail::write::{OnFull, Written};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn run(args: &RecordArgs) -> Result<u8, Failure> {
    let front_end = front_ends::of_file(&args.file).ok_or_else(|| not_a_program(&args.file))?;
    front_end.language().takes(&args.program.given())?;
    let launch = Launch {
        file: args.file.clone(),
        run: args.program.run(),
        trust: args.trust.clone(),
        oracles: Vec::new(),
        oracle_timeout: None,
        person: false,
        balanced: false,
        world: Arc::new(Terminal),
    };
    let mut program = front_end.launch(launch)?;
    let path = match &args.output {
        Some(path) => path.clone(),
        None => PathBuf::from(format!("{}.trail", program.name())),
    };
    refuse_to_overwrite(&path)?;
    let request = RecordRequest { trail: &path, detail: args.detail, output_to_stderr: false };
    let recorded = program.record(request)?;
    if let Ended::Killed(killed, _) = &recorded.ended {
        output::error_line(&format!("error: {}: {killed}", args.file.display()));
    }
    // A complete trail may be larger than memory, and need not be read to say so.
    let counted = match recorded.nodes.or_else(|| Trail::count_nodes(&path)) {
        Some(nodes) => Ok(nodes),
        None => Trail::open(&path).map(|trail| trail.node_count()),
    };
    let trail = path.display();
    match (counted, &recorded.ended) {
        (Ok(nodes), ended) => {
            let bytes = std::fs::metadata(&path).map_or(0, |data| data.len());
            let s = if nodes == 1 { "" } else { "s" };
            output::error_line(&format!("{trail}: {nodes} node{s} in {}{}", size(bytes), cut_short(ended)));
        }
        (Err(error), _) if has_begun(&path) => output::error_line(&format!("error: {trail}: {error}")),
        (Err(_), Ended::Killed(..)) => {
            output::error_line(&format!("error: {trail}: no trail was written before that"));
        }
        (Err(_), _) => output::error_line(&format!(
            "error: {trail}: no trail was written: {} could not be run",
            args.file.display(),
        )),
    }
    recorded.ended.status()
}

/// A file that no front-end knows.
pub(crate) fn not_a_program(file: &Path) -> Failure {
    Failure::usage(format!("{}: not a program that can be run", file.display()))
        .with_hint(format!("name a file that ends in {}", front_ends::suffixes()))
}

/// Whether anything of a run was written.
pub(crate) fn has_begun(trail: &Path) -> bool {
    // A link that was there leads to an empty file.
    std::fs::metadata(trail).is_ok_and(|data| data.len() > 0)
}

/// Refuses to write over a file that is not a trail.
pub(crate) fn refuse_to_overwrite(path: &Path) -> Result<(), Failure> {
    let Ok(data) = std::fs::metadata(path) else { return Ok(()) };
    let (what, hint) = match () {
        () if data.is_dir() => ("this is a folder", "name a file in it"),
        () if data.is_file() && data.len() > 0 && !Kind::is_trail(path) => {
            ("exists and is not a trail file", "name another file, or remove this one first")
        }
        () => return Ok(()),
    };
    Err(Failure::usage(format!("{}: {what}", path.display())).with_hint(hint))
}

/// Whether the run was cut short, and by what.
fn cut_short(ended: &Ended) -> &'static str {
    match ended {
        Ended::Interrupted => "; the run was interrupted",
        Ended::Limit(_) => "; the run was stopped by a limit",
        Ended::Exit(_) | Ended::Killed(..) | Ended::ClosedPipe => "",
    }
}

/// Reports that a trail is not complete, though the run was not disturbed.
pub fn tell_incomplete(written: &Written, path: &Path) {
    let Some(failure) = &written.failure else { return };
    output::error_line(&format!(
        "warning: {}: {failure}; the trail is incomplete: it holds the first {} nodes",
        path.display(),
        written.nodes,
    ));
    output::error_line("hint: make room, record elsewhere with -o, or trust more functions with --trust");
}

/// Reports that a trail has become too large, when it has.
pub fn when_full(path: &Path) -> OnFull {
    let trail = path.display().to_string();
    Box::new(move |full| {
        output::error_line(&format!(
            "warning: {trail}: {full}; what the program does from here on is not recorded"
        ));
        output::error_line("hint: `--trail-limit SIZE` allows more; or trust more functions with --trust");
    })
}

/// Reports that calls are missing in a Python program's trail: of so many functions for which there was no memory, and so many
/// by a defect.
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

/// Where a trail goes that is not kept: a folder that goes away with it.
pub(crate) fn temporary() -> Result<(tempfile::TempDir, PathBuf), Failure> {
    let folder = places::temporary().map_err(|error| {
        Failure::input(format!("there is no room for a temporary trail: {error}"))
            .with_hint("name a place for it: `--keep-trail FILE`, or a folder in TMPDIR")
    })?;
    let path = folder.path().join("run.trail");
    Ok((folder, path))
}
