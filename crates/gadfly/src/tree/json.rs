//! The tree as one JSON object with a flat list of nodes: no depth can break a reader.

use super::Part;
use serde_json::json;
use std::io::{self, Write};

pub(super) fn write(out: &mut impl Write, part: Part<'_>) -> io::Result<()> {
    let Part { subject, colouring, .. } = part;
    let recording = subject.recording;
    let head =
        json!({"language": recording.language(), "program": recording.program(), "view": recording.view()});
    let head = head.to_string();
    // The list is written node by node, because it may have millions.
    write!(out, "{}, \"nodes\": [", head.trim_end_matches('}'))?;
    let mut comma = "";
    for (node, level) in part.nodes() {
        let rule = subject.rule(node);
        let region = rule.region;
        let mut object = json!({
            "node": node.number(),
            "parent": part.parent(node).map(|parent| parent.number()),
            "level": level + 1,
            "size": part.tree.size(node),
            "kind": part.tree.kind(node).name(),
            "function": &*rule.function,
            "module": rule.module.as_deref(),
            "rule": rule.number,
            "equation": subject.line(node),
            "file": region.map(|region| recording.sources().file(region.file).name()),
            "line": region.map(|region| region.start.line),
        });
        if !colouring.is_plain() {
            object["state"] = json!(colouring.mark(node).word());
        }
        write!(out, "{comma}\n{object}")?;
        comma = ",";
    }
    writeln!(out, "\n]}}")
}
