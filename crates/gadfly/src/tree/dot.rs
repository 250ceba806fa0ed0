//! The tree for Graphviz.

use super::Part;
use super::colouring::Colouring;
use crate::debug::subject::Subject;
use std::io::{self, Write};

pub(super) fn write(
    out: &mut impl Write,
    subject: &Subject<'_>,
    part: Part<'_>,
    colouring: &Colouring,
) -> io::Result<()> {
    writeln!(out, "digraph tree {{")?;
    writeln!(out, "  graph [ordering=out];")?;
    writeln!(out, "  node [shape=box, style=\"rounded,filled\", fontname=\"monospace\", fontsize=11];")?;
    for (node, _) in part.nodes() {
        let (fill, stroke) = colouring.mark(node).colours();
        let font = if colouring.mark(node).is_dark() { "white" } else { "black" };
        let label = quoted(&format!("{}: {}", node.number(), subject.line_within(node, 80)));
        writeln!(
            out,
            "  n{} [label={label}, fillcolor=\"{fill}\", color=\"{stroke}\", fontcolor={font}];",
            node.number()
        )?;
        if let Some(parent) = part.tree.parent(node).filter(|_| node != part.top) {
            writeln!(out, "  n{} -> n{};", parent.number(), node.number())?;
        }
    }
    writeln!(out, "}}")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
