//! The tree as a picture.
//!
//! Two pictures, by size. Up to [`MOST_BOXES`] nodes every node is a box with its equation, laid out like an outline
//! turned into a drawing: one row a node, so that long equations have room and nothing overlaps. A larger tree is an
//! icicle: a level is a band, a node is as wide as its subtree, and what would be narrower than a hair is drawn
//! together with its neighbours, so that the picture has a bounded size whatever the tree has.

use super::Part;
use super::colouring::Mark;
use crate::debug::subject::Subject;
use gadfly_source::shown_line;
use gadfly_tree::Node;
use std::io::{self, Write};

/// Trees up to this size are drawn with a box for every node.
const MOST_BOXES: usize = 120;

pub(super) fn write(out: &mut impl Write, part: Part<'_>) -> io::Result<()> {
    match part.nodes().take(MOST_BOXES + 1).count() > MOST_BOXES {
        true => icicle(out, part),
        false => boxes(out, part),
    }
}

fn head(out: &mut impl Write, width: f64, height: f64, title: &str) -> io::Result<()> {
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, monospace\" \
         font-size=\"13\">"
    )?;
    writeln!(out, "<title>{}</title>", escaped(title))?;
    writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fdfdfb\"/>")
}

fn title(subject: &Subject<'_>, part: Part<'_>) -> String {
    let name = subject.recording.program().unwrap_or("execution tree");
    let count = part.tree.size(part.top);
    format!("{name}: {count} node{}", if count == 1 { "" } else { "s" })
}

/// What the colours mean, as far as they occur; returns how high that is.
fn legend(out: &mut impl Write, part: Part<'_>) -> io::Result<()> {
    let Part { subject, colouring, .. } = part;
    let used = |mark: Mark| part.nodes().take(100_000).any(|(node, _)| colouring.mark(node) == mark);
    writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"30\" font-size=\"15\" font-weight=\"bold\" fill=\"#333\">{}</text>",
        escaped(&title(subject, part))
    )?;
    if colouring.is_plain() {
        return Ok(());
    }
    let mut x = MARGIN;
    for mark in Mark::ALL.into_iter().filter(|mark| used(*mark)) {
        let (fill, stroke) = mark.colours();
        writeln!(
            out,
            "<rect x=\"{x:.0}\" y=\"44\" width=\"13\" height=\"13\" rx=\"3\" fill=\"{fill}\" stroke=\"{stroke}\"/>\
             <text x=\"{:.0}\" y=\"55\" font-size=\"12\" fill=\"#555\">{}</text>",
            x + 19.0,
            mark.word()
        )?;
        x += 19.0 + 8.0 * mark.word().len() as f64 + 16.0;
    }
    Ok(())
}

const MARGIN: f64 = 24.0;
const TOP: f64 = 72.0;

/// One row a node, the boxes connected by elbows.
fn boxes(out: &mut impl Write, part: Part<'_>) -> io::Result<()> {
    let Part { subject, colouring, .. } = part;
    const ROW: f64 = 32.0;
    const BOX: f64 = 24.0;
    const STEP: f64 = 34.0;
    const COLUMN: f64 = 7.9;
    const LABEL: usize = 72;
    let nodes: Vec<(Node, u32, String)> = part
        .nodes()
        .map(|(node, level)| {
            (node, level, format!("{}  {}", node.number(), subject.line_within(node, LABEL)))
        })
        .collect();
    let right = |level: u32, label: &str| MARGIN + f64::from(level) * STEP + columns(label) * COLUMN + 22.0;
    let width = nodes.iter().map(|(_, level, label)| right(*level, label)).fold(420.0, f64::max) + MARGIN;
    let height = TOP + nodes.len() as f64 * ROW + MARGIN / 2.0;
    head(out, width, height, &title(subject, part))?;
    legend(out, part)?;
    // A connection runs down from the parent's box and turns into the child's.
    let mut above: Vec<f64> = Vec::new();
    for (row, (_, level, _)) in nodes.iter().enumerate() {
        let y = TOP + row as f64 * ROW;
        above.truncate(*level as usize);
        if let Some(parent) = above.last() {
            let x = MARGIN + f64::from(level - 1) * STEP + 14.0;
            writeln!(
                out,
                "<path d=\"M{x:.0} {:.0}V{:.0}q0 8 8 8H{:.0}\" fill=\"none\" stroke=\"#b9b6ac\" stroke-width=\"1.4\"/>",
                parent + BOX,
                y + BOX / 2.0 - 8.0,
                x + STEP - 14.0
            )?;
        }
        above.push(y);
    }
    for (row, (node, level, label)) in nodes.iter().enumerate() {
        let mark = colouring.mark(*node);
        let (fill, stroke) = mark.colours();
        let (x, y) = (MARGIN + f64::from(*level) * STEP, TOP + row as f64 * ROW);
        let ink = if mark.is_dark() { "#fff" } else { "#222" };
        writeln!(
            out,
            "<g><title>{}</title><rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{:.0}\" height=\"{BOX}\" rx=\"6\" \
             fill=\"{fill}\" stroke=\"{stroke}\"/><text x=\"{:.0}\" y=\"{:.0}\" fill=\"{ink}\" \
             xml:space=\"preserve\">{}</text></g>",
            escaped(&format!("{} ({})", subject.rule(*node).qualified(), mark.word())),
            columns(label) * COLUMN + 20.0,
            x + 10.0,
            y + 16.5,
            escaped(label)
        )?;
    }
    writeln!(out, "</svg>")
}

/// A band a level, a node as wide as its subtree.
fn icicle(out: &mut impl Write, part: Part<'_>) -> io::Result<()> {
    let Part { subject, colouring, .. } = part;
    const WIDTH: f64 = 1400.0;
    const HAIR: f64 = 0.6;
    let deepest = part.nodes().map(|(_, level)| level).max().unwrap_or(0) + 1;
    // Deep trees get thin bands; at some depth bands would vanish, and what is deeper is left out and told.
    let band = (2400.0 / f64::from(deepest)).clamp(3.0, 26.0);
    let levels = deepest.min((6000.0 / band) as u32);
    let height = TOP + f64::from(levels) * band + MARGIN;
    head(out, WIDTH + 2.0 * MARGIN, height, &title(subject, part))?;
    legend(out, part)?;
    let whole = f64::from(part.tree.size(part.top));
    let place = |index: u32| MARGIN + WIDTH * f64::from(index - part.top.0) / whole;
    // Per level, what was drawn last; narrow neighbours of one colour are drawn as one.
    let mut open: Vec<Option<(f64, f64, Mark)>> = vec![None; levels as usize];
    let flush = |out: &mut dyn Write, level: usize, strip: Option<(f64, f64, Mark)>| -> io::Result<()> {
        let Some((from, to, mark)) = strip else { return Ok(()) };
        let (fill, _) = mark.colours();
        let y = TOP + level as f64 * band;
        let width = (to - from).max(HAIR);
        writeln!(
            out,
            "<rect x=\"{from:.2}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{band:.1}\" fill=\"{fill}\"/>"
        )
    };
    for (node, level) in (Part { depth: part.depth.min(levels - 1), ..part }).nodes() {
        let range = part.tree.subtree(node);
        let (from, to) = (place(range.start), place(range.end));
        let mark = colouring.mark(node);
        let strip = &mut open[level as usize];
        if to - from >= 3.0 {
            flush(out, level as usize, strip.take())?;
            wide(out, subject, node, mark, (from, TOP + f64::from(level) * band, to - from, band))?;
            continue;
        }
        match strip {
            // Within a hair of the last one: the same strip, with the more telling colour.
            Some((_, end, last)) if from - *end < HAIR && (*last == mark || to - from < HAIR) => {
                *end = to;
                *last = telling(*last, mark);
            }
            _ => {
                flush(out, level as usize, strip.take())?;
                *strip = Some((from, to, mark));
            }
        }
    }
    for (level, strip) in open.into_iter().enumerate() {
        flush(out, level, strip)?;
    }
    if levels < deepest {
        writeln!(
            out,
            "<text x=\"{MARGIN}\" y=\"{:.0}\" font-size=\"12\" fill=\"#555\">{} more levels are not drawn</text>",
            height - 8.0,
            deepest - levels
        )?;
    }
    writeln!(out, "</svg>")
}

/// A node wide enough to be seen on its own, with as much of its equation as has room.
fn wide(
    out: &mut impl Write,
    subject: &Subject<'_>,
    node: Node,
    mark: Mark,
    (x, y, width, height): (f64, f64, f64, f64),
) -> io::Result<()> {
    let (fill, stroke) = mark.colours();
    let room = ((width - 8.0) / 6.8).max(0.0) as usize;
    let title = format!("{}: {}", node.number(), subject.line_within(node, 160));
    write!(
        out,
        "<g><title>{}</title><rect x=\"{x:.2}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{height:.1}\" \
         fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"0.5\"/>",
        escaped(&title)
    )?;
    let mut label = subject.line_within(node, room.max(8));
    if room < 14 {
        // So little of an equation says nothing: the function's name does.
        label = subject.rule(node).function.to_string();
    }
    if room >= 4 && columns(&label) <= room as f64 && height >= 12.0 {
        let ink = if mark.is_dark() { "#fff" } else { "#222" };
        write!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" fill=\"{ink}\" xml:space=\"preserve\">{}</text>",
            x + 4.0,
            y + height / 2.0 + 4.0,
            escaped(&label)
        )?;
    }
    writeln!(out, "</g>")
}

/// Of two colours in one strip, the one that must not be lost.
fn telling(a: Mark, b: Mark) -> Mark {
    let rank = |mark: Mark| match mark {
        Mark::Buggy => 7,
        Mark::Wrong => 6,
        Mark::Inadmissible => 5,
        Mark::Unknown => 4,
        Mark::Suspicious => 3,
        Mark::Correct => 2,
        Mark::Trusted => 1,
        Mark::Outside => 0,
    };
    if rank(b) > rank(a) { b } else { a }
}

fn columns(text: &str) -> f64 {
    text.chars().count() as f64
}

/// Text for XML; what is hidden, or what XML cannot say at all, is escaped.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in shown_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
