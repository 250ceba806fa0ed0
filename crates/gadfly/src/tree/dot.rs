//! The tree for Graphviz.

use super::Part;
use gadfly_source::shown_line;
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

/// A string of the graph; what is hidden is escaped before its backslashes are.
fn quoted(text: &str) -> String {
    let text = shown_line(text);
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
