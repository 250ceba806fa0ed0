//! `gadfly check`: checks a program's types, or reads a recorded file to its end and reports what it contains.

use crate::command::{CheckArgs, CheckFormat};
use crate::input::{self, Kind};
use crate::interrupt::Terminal;
use crate::output;
use gadfly_frontend::{CheckRequest, Failure};
use gadfly_source::Notation;
use gadfly_trail::check::check_trail;
use gadfly_trail::model::RunEnd;
use gadfly_tree::Node;
use std::io::Write as _;

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    match Kind::of(&args.file) {
        Kind::Program(front_end) => {
            let request = CheckRequest { types: args.types, core: args.dump_core, spans: args.spans };
            let mut out = output::stdout(Notation::Text);
            front_end.check(&args.file, request, &mut out, &Terminal)?;
            Ok(out.flush()?)
        }
        Kind::Trail => trail(args),
        Kind::Interchange => recording(args),
    }
}

/// Reads a recorded run, every byte of it.
fn trail(args: &CheckArgs) -> Result<(), Failure> {
    let trail = input::trail(&args.file)?;
    let file = args.file.display();
    let tables = trail.tables();
    let recorded = tables.functions.iter().filter(|function| function.recorded).count();
    let report = check_trail(&trail);
    for problem in &report.problems {
        output::error_line(&format!("{file}: at byte {}: {}", problem.offset, problem.message));
    }
    let problems = report.problems.len() + report.more as usize;
    let (ended, status) = match trail.end() {
        Some(RunEnd::Exit(status)) => (format!("ended with status {status}"), Some(*status)),
        Some(RunEnd::Uncaught(message, status)) => {
            (format!("ended with an exception: {message}"), Some(*status))
        }
        Some(RunEnd::Interrupted) => ("was interrupted".to_owned(), None),
        Some(RunEnd::Limit(limit)) => (format!("was stopped by its limit of {limit}"), None),
        Some(RunEnd::Unrecorded) => ("went on after its trail had become too large".to_owned(), None),
        None => ("has no end: the recording is incomplete".to_owned(), None),
    };
    let mut out = output::stdout(notation(args.format));
    match args.format {
        CheckFormat::Text => writeln!(
            out,
            "{file}: a {} trail: {} node{}, {} of them reduced, {recorded} recorded function{}, {} bytes, language {}; \
             the run {ended}",
            if problems == 0 { "sound" } else { "damaged" },
            report.nodes,
            plural(report.nodes as usize),
            report.redexes,
            plural(recorded),
            report.bytes,
            tables.language,
        )?,
        CheckFormat::Json => {
            let told = report
                .problems
                .iter()
                .map(|problem| serde_json::json!({"offset": problem.offset, "message": problem.message}));
            let report = serde_json::json!({
                "file": args.file.display().to_string(),
                "format": "trail",
                "version": report.version,
                "bytes": report.bytes,
                "nodes": report.nodes,
                "redexes": report.redexes,
                "functions": recorded,
                "language": tables.language,
                "program": tables.command,
                "end": ended,
                "status": status,
                "problems": told.collect::<Vec<_>>(),
            });
            writeln!(out, "{report}")?;
        }
    }
    out.flush()?;
    match problems {
        0 => Ok(()),
        count => Err(Failure::input(format!("{file}: {count} problem{}", plural(count)))
            .with_hint("the sound part can be debugged; to get the rest, record the run again")),
    }
}

/// Reads an interchange file.
fn recording(args: &CheckArgs) -> Result<(), Failure> {
    let recording = input::interchange(&args.file, &args.opening)?;
    let tree = &recording.tree;
    let depth = depth(tree);
    let mut out = output::stdout(notation(args.format));
    match args.format {
        CheckFormat::Text => writeln!(
            out,
            "{}: a sound interchange file: {} node{}, {} rule{}, {depth} level{}, language {}",
            args.file.display(),
            tree.len(),
            plural(tree.len() as usize),
            tree.rules().len(),
            plural(tree.rules().len()),
            plural(depth as usize),
            recording.about.language,
        )?,
        CheckFormat::Json => {
            let report = serde_json::json!({
                "file": args.file.display().to_string(),
                "format": "interchange",
                "nodes": tree.len(),
                "rules": tree.rules().len(),
                "levels": depth,
                "language": recording.about.language,
                "program": recording.about.program,
            });
            writeln!(out, "{report}")?;
        }
    }
    out.flush()?;
    Ok(())
}

fn notation(format: CheckFormat) -> Notation {
    match format {
        CheckFormat::Text => Notation::Text,
        CheckFormat::Json => Notation::Json,
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// How many levels a tree has.
fn depth(tree: &gadfly_tree::Tree) -> u32 {
    let mut ends = Vec::new();
    let mut deepest = 0;
    for node in (0..tree.len()).map(Node) {
        while ends.last().is_some_and(|end| *end <= node.0) {
            ends.pop();
        }
        ends.push(tree.subtree(node).end);
        deepest = deepest.max(ends.len() as u32);
    }
    deepest
}
