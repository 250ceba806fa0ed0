//! The lines of a file that its labels are about, made safe and short enough to print.

use crate::{Label, Position, SourceFile, is_hidden};
use annotate_snippets::{Annotation, AnnotationKind, Snippet};
use std::collections::BTreeMap;
use std::ops::Range;

/// Characters of a line that are shown; more is clipped.
const LINE: usize = 120;

/// Characters before a label that are shown when its line is clipped.
const BEFORE: usize = 40;

/// Characters of a message that are shown.
const SENTENCE: usize = 2000;

/// Lines around a label that may be shown.
const AROUND: u32 = 2;

/// An excerpt of a file with its labels.
#[derive(Debug)]
pub(super) struct Excerpt {
    text: String,
    first_line: u32,
    labels: Vec<(Range<usize>, bool, String)>,
    /// Where the most important label begins in the file.
    pub(super) at: Position,
}

impl Excerpt {
    /// The excerpt for these labels (and whether each is the primary one); `None` if the file's text is not known.
    pub(super) fn new(source: &SourceFile, labels: &[(bool, &Label)]) -> Option<Excerpt> {
        let length = source.text()?.len() as u32;
        let places: Vec<_> = labels.iter().map(|(_, label)| place(source, label, length)).collect();
        let first = places.iter().map(|(start, _)| start.line).min()?;
        let last = places.iter().map(|(_, end)| end.line).max()?;
        // The columns each line must show; lines that are only near a label show their beginning.
        let mut wanted: BTreeMap<u32, Option<u32>> = BTreeMap::new();
        for at in places.iter().flat_map(|(start, end)| [start, end]) {
            for line in at.line.saturating_sub(AROUND)..=at.line.saturating_add(AROUND) {
                wanted.entry(line).or_default();
            }
            wanted
                .entry(at.line)
                .and_modify(|column| *column = Some(at.column.min(column.unwrap_or(u32::MAX))));
        }
        let mut text = String::new();
        let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
        for number in first..=last {
            if number > first {
                text.push('\n');
            }
            // Lines far from every label are folded away, so their text does not matter.
            if let Some(column) = wanted.get(&number) {
                lines.insert(number, Line::push(source.line(number).unwrap_or(""), *column, &mut text));
            }
        }
        let offset = |at: Position| lines.get(&at.line).map_or(0, |line| line.offset(at.column, &text));
        let spans = places.iter().map(|(start, end)| offset(*start)..offset(*end).max(offset(*start)));
        let primary = labels.iter().position(|(primary, _)| *primary).unwrap_or(0);
        let at = places[primary].0;
        let labels =
            spans.zip(labels).map(|(span, (primary, label))| (span, *primary, sentence(&label.text)));
        let labels = labels.collect();
        Some(Excerpt { text, first_line: first, labels, at })
    }

    /// The excerpt as it is drawn.
    pub(super) fn into_snippet(self) -> Snippet<'static, Annotation<'static>> {
        let annotations = self.labels.into_iter().map(|(span, primary, text)| {
            let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            kind.span(span).label((!text.is_empty()).then_some(text))
        });
        let annotations: Vec<_> = annotations.collect();
        Snippet::source(self.text).line_start(self.first_line as usize).annotations(annotations)
    }
}

/// A text from anywhere, made safe to print: no control characters but line breaks, and not too long.
pub(super) fn sentence(text: &str) -> String {
    let mut out: String = text.chars().take(SENTENCE).map(|c| if c == '\n' { c } else { safe(c) }).collect();
    if out.len() < text.len() && text.chars().nth(SENTENCE).is_some() {
        out.push('…');
    }
    out
}

/// Where a label begins and ends, moved to where there is text.
fn place(source: &SourceFile, label: &Label, length: u32) -> (Position, Position) {
    let start = source.position(label.span.start.min(length));
    let mut end = source.position(label.span.end.clamp(label.span.start.min(length), length));
    // A span that ends with a line break ends with its line.
    if end.line > start.line && end.column == 1 {
        end = Position { line: end.line - 1, column: u32::MAX };
    }
    (start, end)
}

/// A character that a terminal does not obey in the place of one that it might.
fn safe(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{0}'..='\u{1F}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{FFFD}'),
        '\u{7F}' => '\u{2421}',
        c if is_hidden(c) => '\u{FFFD}',
        _ => c,
    }
}

/// A line in the excerpt.
#[derive(Debug)]
struct Line {
    /// Its bytes in the excerpt, without the dots that stand for what was clipped.
    bytes: Range<usize>,
    /// How many characters were clipped before it.
    skipped: usize,
}

impl Line {
    /// Appends a line, clipped around the column of a label if it is long.
    fn push(line: &str, label: Option<u32>, text: &mut String) -> Line {
        let column = label.map_or(0, |column| (column as usize).saturating_sub(1));
        let long = line.chars().nth(LINE).is_some();
        let skipped = if long { column.saturating_sub(BEFORE) } else { 0 };
        let mut rest = line.chars().skip(skipped);
        if skipped > 0 {
            text.push('…');
        }
        let start = text.len();
        text.extend(rest.by_ref().take(LINE).map(|c| if c == '\t' { c } else { safe(c) }));
        if line.is_empty() && label.is_some() {
            // There must be something to point at.
            text.push(' ');
        }
        let bytes = start..text.len();
        if rest.next().is_some() {
            text.push('…');
        }
        Line { bytes, skipped }
    }

    /// Where a column of the file is in the excerpt.
    fn offset(&self, column: u32, text: &str) -> usize {
        let inside = (column as usize).saturating_sub(1).saturating_sub(self.skipped);
        let shown = &text[self.bytes.clone()];
        self.bytes.start + shown.char_indices().nth(inside).map_or(shown.len(), |(at, _)| at)
    }
}
