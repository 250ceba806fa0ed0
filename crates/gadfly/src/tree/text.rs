//! The tree as indented lines.

use super::Part;
use super::colouring::Mark;
use crate::output::{Palette, Screen};
use std::io::{self, IsTerminal as _, Write};

/// Deeper nodes are not indented further; their level is written instead. A path a million deep would otherwise take a
/// line a million columns wide.
const DEEPEST_INDENT: u32 = 40;

pub(super) fn write(out: &mut Screen, part: Part<'_>) -> io::Result<()> {
    let Part { subject, colouring, .. } = part;
    let palette = Palette::for_terminal(io::stdout().is_terminal());
    let width = match io::stdout().is_terminal() {
        true => crate::output::width(),
        false => 200,
    };
    for (node, level) in part.nodes() {
        let indent = 2 * level.min(DEEPEST_INDENT) as usize;
        write!(out, "{:indent$}", "")?;
        if level > DEEPEST_INDENT {
            write!(out, "[level {}] ", level + 1)?;
        }
        let (dim, off) = (palette.dim, palette.off);
        let line = subject.line_within(node, width.saturating_sub(indent).max(40));
        out.colour(dim)?;
        write!(out, "{}", node.number())?;
        out.colour(off)?;
        write!(out, " {line}")?;
        if !colouring.is_plain() {
            let mark = colouring.mark(node);
            let colour = match mark {
                Mark::Correct => palette.right,
                Mark::Wrong | Mark::Buggy => palette.wrong,
                Mark::Outside => palette.dim,
                _ => palette.notice,
            };
            write!(out, "  ")?;
            out.colour(colour)?;
            write!(out, "[{}]", mark.word())?;
            out.colour(off)?;
        }
        let hidden = part.tree.size(node) - 1;
        if level >= part.depth && hidden > 0 {
            write!(out, "  ")?;
            out.colour(dim)?;
            write!(out, "(+{hidden} below)")?;
            out.colour(off)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
