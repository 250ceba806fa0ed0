//! The tree for Graphviz.

use super::Part;
use std::io::{self, Write};

pub(super) fn write(out: &mut impl Write, part: Part<'_>) -> io::Result<()> {
    let Part { subject, colouring, .. } = part;
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
        if let Some(parent) = part.parent(node).filter(|_| node != part.top) {
            writeln!(out, "  n{} -> n{};", parent.number(), node.number())?;
        }
    }
    writeln!(out, "}}")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
