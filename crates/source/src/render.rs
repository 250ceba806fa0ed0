//! Diagnostics as text.
//!
//! The drawing is left to `annotate-snippets`; what it gets is always an excerpt made here: the labelled lines and
//! their neighbours, long lines clipped around their labels, nothing in them that a terminal would obey. So a span
//! past the end, a file without text or a line of a megabyte is shown as well as it can be, and never a reason to fail.

mod excerpt;

use crate::{Diagnostic, FileId, Label, Position, Severity, Sources, Span};
use annotate_snippets::{Group, Level, Origin, Renderer};
use excerpt::{Excerpt, sentence};

/// No line is wider than this.
const WIDEST: usize = 1 << 20;

/// Whether the text is coloured for a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// With ANSI colours.
    Always,
    /// Plain text.
    Never,
}

/// Shows a diagnostic with the source it is about.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: Colour) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = sentence(&diagnostic.message);
    let mut group = Group::with_title(level.primary_title(title.clone()));
    let mut notes = Vec::new();
    let mut origins = Vec::new();
    for (file, labels) in by_file(diagnostic) {
        let source = sources.iter().find(|(id, _)| *id == file).map(|(_, source)| source);
        let texts = labels.iter().map(|(_, label)| label.text.as_str()).filter(|text| !text.is_empty());
        match (source, source.and_then(|source| Excerpt::new(source, &labels))) {
            (Some(source), Some(excerpt)) => {
                let name = sentence(source.name());
                origins.push((name.clone(), excerpt.at));
                group = group.element(excerpt.into_snippet().path(name));
            }
            (Some(source), None) => {
                group = group.element(Origin::path(sentence(source.name())));
                notes.extend(texts.map(|text| format!("in {}: {text}", source.name())));
            }
            (None, _) => notes.extend(texts.map(str::to_string)),
        }
    }
    for note in notes.iter().chain(&diagnostic.notes) {
        group = group.element(Level::NOTE.message(sentence(note)));
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.with_name("hint").message(sentence(hint)));
    }
    draw(group, title.len(), origins, colour)
}

/// Shows pieces of source in full, whatever their length: lines are left out between them, never inside. Pieces stand in
/// order, those near to each other together.
pub fn render_code(title: &str, spans: &[Span], sources: &Sources, colour: Colour) -> String {
    let title = sentence(title);
    let mut group = Group::with_title(Level::NOTE.primary_title(title.clone()));
    let mut origins = Vec::new();
    let labels: Vec<Label> = spans.iter().map(|span| Label { span: *span, text: String::new() }).collect();
    let mut files: Vec<FileId> = Vec::new();
    for span in spans {
        files.extend((!files.contains(&span.file)).then_some(span.file));
    }
    for file in files {
        let Some((_, source)) = sources.iter().find(|(id, _)| *id == file) else { continue };
        let mut labels: Vec<&Label> = labels.iter().filter(|label| label.span.file == file).collect();
        labels.sort_by_key(|label| (label.span.start, label.span.end));
        for cluster in excerpt::clusters(source, &labels) {
            let labels: Vec<(bool, &Label)> = cluster.iter().map(|label| (true, *label)).collect();
            let Some(excerpt) = Excerpt::whole(source, &labels) else {
                group = group.element(Origin::path(sentence(source.name())));
                break;
            };
            let name = sentence(source.name());
            origins.push((name.clone(), excerpt.at));
            group = group.element(excerpt.into_snippet().path(name));
        }
    }
    draw(group, title.len(), origins, colour)
}

fn draw(group: Group<'_>, title: usize, origins: Vec<(String, Position)>, colour: Colour) -> String {
    let renderer = match colour {
        Colour::Always => Renderer::styled(),
        Colour::Never => Renderer::plain(),
    };
    // Lines are clipped already; a second clipping would hide what the first one kept.
    let mut text = renderer.term_width(WIDEST).render(&[group]);
    let mut from = title;
    for (name, at) in origins {
        from = correct_origin(&mut text, from, &name, at);
    }
    text
}

/// The drawn origin (`--> file:line:column`) counts columns in the excerpt, where a long line may have lost its
/// beginning. Puts the true position there; returns where the search for the next origin goes on.
fn correct_origin(text: &mut String, from: usize, name: &str, at: Position) -> usize {
    let wanted = format!("{name}:");
    let mut search = from;
    while let Some(found) = text.get(search..).and_then(|rest| rest.find(&wanted)) {
        let start = search + found + wanted.len();
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        let drawn = &text[start..end];
        let position = drawn.split_once(':').filter(|(line, column)| {
            [line, column].iter().all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        });
        if position.is_some() {
            text.replace_range(start..end, &at.to_string());
            return start;
        }
        search = start;
    }
    from
}

/// The labels of each file, the primary label's file first.
fn by_file(diagnostic: &Diagnostic) -> Vec<(FileId, Vec<(bool, &Label)>)> {
    let mut files: Vec<(FileId, Vec<(bool, &Label)>)> = Vec::new();
    let primary = diagnostic.primary.iter().map(|label| (true, label));
    for (primary, label) in primary.chain(diagnostic.secondary.iter().map(|label| (false, label))) {
        match files.iter_mut().find(|(file, _)| *file == label.span.file) {
            Some((_, labels)) => labels.push((primary, label)),
            None => files.push((label.span.file, vec![(primary, label)])),
        }
    }
    files
}

#[cfg(test)]
mod tests;
