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
    /// Whether lines without labels may be left out.
    folds: bool,
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
        let mut wanted: BTreeMap<u32, Option<Columns>> = BTreeMap::new();
        for at in places.iter().flat_map(|(start, end)| [start, end]) {
            for line in at.line.saturating_sub(AROUND)..=at.line.saturating_add(AROUND) {
                wanted.entry(line).or_default();
            }
            wanted.entry(at.line).and_modify(|columns| {
                let first = columns.map_or(at.column, |(first, _)| first.min(at.column));
                *columns = Some((first, first));
            });
        }
        Some(Excerpt::of(source, labels, &places, first..last + 1, &wanted, true))
    }

    /// The excerpt of these labels without a gap: all lines from the first to the last, and of long lines all that is
    /// labelled.
    pub(super) fn whole(source: &SourceFile, labels: &[(bool, &Label)]) -> Option<Excerpt> {
        let length = source.text()?.len() as u32;
        let places: Vec<_> = labels.iter().map(|(_, label)| place(source, label, length)).collect();
        let first = places.iter().map(|(start, _)| start.line).min()?;
        let last = places.iter().map(|(_, end)| end.line).max()?;
        let mut wanted: BTreeMap<u32, Option<Columns>> = (first..=last).map(|line| (line, None)).collect();
        for (start, end) in &places {
            for line in start.line..=end.line {
                let from = if line == start.line { start.column } else { 1 };
                let to = if line == end.line { end.column } else { u32::MAX };
                let columns = wanted.entry(line).or_default();
                *columns = Some(columns.map_or((from, to), |(first, last)| (first.min(from), last.max(to))));
            }
        }
        Some(Excerpt::of(source, labels, &places, first..last + 1, &wanted, false))
    }

    fn of(
        source: &SourceFile,
        labels: &[(bool, &Label)],
        places: &[(Position, Position)],
        numbers: Range<u32>,
        wanted: &BTreeMap<u32, Option<Columns>>,
        folds: bool,
    ) -> Excerpt {
        let first = numbers.start;
        let mut text = String::new();
        let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
        for number in numbers {
            if number > first {
                text.push('\n');
            }
            // Lines far from every label are folded away, so their text does not matter.
            if let Some(columns) = wanted.get(&number) {
                lines.insert(number, Line::push(source.line(number).unwrap_or(""), *columns, &mut text));
            }
        }
        let offset = |at: Position| lines.get(&at.line).map_or(0, |line| line.offset(at.column, &text));
        let spans = places.iter().map(|(start, end)| offset(*start)..offset(*end).max(offset(*start)));
        let primary = labels.iter().position(|(primary, _)| *primary).unwrap_or(0);
        let at = places[primary].0;
        let labels =
            spans.zip(labels).map(|(span, (primary, label))| (span, *primary, sentence(&label.text)));
        let labels = labels.collect();
        Excerpt { text, first_line: first, labels, folds, at }
    }

    /// The excerpt as it is drawn.
    pub(super) fn into_snippet(self) -> Snippet<'static, Annotation<'static>> {
        let annotations = self.labels.into_iter().map(|(span, primary, text)| {
            let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            kind.span(span).label((!text.is_empty()).then_some(text))
        });
        let annotations: Vec<_> = annotations.collect();
        Snippet::source(self.text)
            .line_start(self.first_line as usize)
            .fold(self.folds)
            .annotations(annotations)
    }
}

/// The columns of a line that are to be seen: from one to before another, if the line is not short anyway.
type Columns = (u32, u32);

/// Labels in their order, those together between which there is not much.
pub(super) fn clusters<'l>(source: &SourceFile, labels: &[&'l Label]) -> Vec<Vec<&'l Label>> {
    let mut clusters: Vec<Vec<&Label>> = Vec::new();
    let mut end = 0;
    for label in labels {
        let length = source.text().map_or(0, |text| text.len() as u32);
        let (from, to) = place(source, label, length);
        match clusters.last_mut() {
            Some(cluster) if from.line <= end + AROUND => cluster.push(label),
            _ => clusters.push(vec![label]),
        }
        end = to.line.max(end);
    }
    clusters
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
    /// Appends a line, clipped around the columns of a label if it is long.
    fn push(line: &str, label: Option<Columns>, text: &mut String) -> Line {
        let (column, end) = label.unwrap_or((1, 1));
        let (column, end) = ((column as usize).saturating_sub(1), end as usize);
        let long = line.chars().nth(LINE).is_some();
        let skipped = if long { column.saturating_sub(BEFORE) } else { 0 };
        let mut rest = line.chars().skip(skipped);
        if skipped > 0 {
            text.push('…');
        }
        let start = text.len();
        let shown = LINE.max(end.saturating_sub(skipped).saturating_add(BEFORE));
        text.extend(rest.by_ref().take(shown).map(|c| if c == '\t' { c } else { safe(c) }));
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
