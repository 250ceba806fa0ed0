//! `gadfly check`: reads a file to its end and tells what is in it.

use crate::command::{CheckArgs, DebugFormat};
use crate::failure::Failure;
use crate::{input, output};
use gadfly_tree::Node;
use std::io::Write as _;

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let recording = input::open(&args.file)?;
    let tree = &recording.tree;
    let depth = depth(tree);
    let mut out = output::stdout();
    match args.format {
        DebugFormat::Text => writeln!(
            out,
            "{}: a sound interchange file: {} node{}, {} rule{}, {depth} level{}, language {}",
            args.file.display(),
            tree.len(),
            plural(tree.len() as usize),
            tree.rules().len(),
            plural(tree.rules().len()),
            plural(depth as usize),
            recording.header.language,
        )?,
        DebugFormat::Json => {
            let report = serde_json::json!({
                "file": args.file.display().to_string(),
                "format": "interchange",
                "nodes": tree.len(),
                "rules": tree.rules().len(),
                "levels": depth,
                "language": recording.header.language,
                "program": recording.header.program,
            });
            writeln!(out, "{report}")?;
        }
    }
    out.flush()?;
    Ok(())
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
