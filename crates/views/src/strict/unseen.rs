//! Changes in what a recorder left out: it is known that something changed, or that nobody knows, but not to what.
//!
//! What is left out of a value has a hash in the row that stands for it ([`Form::Omitted`]), or behind the kept part of a text. Two values
//! that are shown alike differ there if the hashes do. A row without a hash stands for what was not compared at all.

use gadfly_trail::model::{Form, NodeId, Ref, What};
use gadfly_trail::{Trail, text};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is to be said of a part that is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// It is another than before.
    Changed,
    /// It may be another.
    NotCompared,
}

impl Note {
    pub(super) fn text(self) -> &'static str {
        match self {
            Note::Changed => "changed",
            Note::NotCompared => "not compared",
        }
    }
}

/// What is to be said of parts of a value, by the row that stands for them.
pub(super) type Notes = FxHashMap<NodeId, Note>;

/// What two values, before and after, do not show of their difference.
pub(super) fn differences(trail: &Trail, before: Ref, after: Ref) -> Notes {
    let mut notes = Notes::default();
    let mut seen = FxHashSet::default();
    let mut waiting = vec![(before, after)];
    while let Some((before, after)) = waiting.pop() {
        let Ref::Node(node) = after else { continue };
        let before = if let Ref::Node(before) = before { before } else { node };
        if !seen.insert((before, node)) {
            continue;
        }
        let (old, new) = (parts(trail, before), parts(trail, node));
        let was_alike = form(trail, before) == form(trail, node);
        match form(trail, node) {
            Some(Form::Omitted) => match (was_alike, &old[..], &new[..]) {
                (true, [before, old], [count, new]) if before == count && old != new => {
                    notes.insert(node, Note::Changed);
                }
                (_, _, [_]) => {
                    notes.insert(node, Note::NotCompared);
                }
                _ => {}
            },
            Some(Form::Text | Form::Bytes) => {
                let (old, new) = (content(&old), content(&new));
                match (old, new) {
                    (Content::Of(old_shown, old), Content::Of(shown, new))
                        if was_alike && old_shown == shown && old != new =>
                    {
                        notes.insert(node, Note::Changed);
                    }
                    (_, Content::Unknown) => {
                        notes.insert(node, Note::NotCompared);
                    }
                    _ => {}
                }
            }
            _ => {
                let old = if was_alike { &old[..] } else { &[] };
                let same =
                    new.iter().enumerate().map(|(at, part)| (old.get(at).copied().unwrap_or(*part), *part));
                waiting.extend(same);
            }
        }
    }
    notes
}

/// What is known of a text that is not all there.
#[derive(PartialEq)]
enum Content<'r> {
    /// It is all there.
    Shown,
    Unknown,
    /// What is kept, and the hash of all.
    Of(&'r [Ref], Ref),
}

fn content(references: &[Ref]) -> Content<'_> {
    let [Ref::Int(length), Ref::Int(kept), words @ ..] = references else { return Content::Shown };
    let count = usize::try_from(*kept).map_or(0, text::packed);
    match words.get(count) {
        Some(hash) => Content::Of(&references[..2 + count], *hash),
        // Characters take a byte or more, so no text with so few bytes is whole.
        None if kept < length => Content::Unknown,
        None => Content::Shown,
    }
}

fn parts(trail: &Trail, node: NodeId) -> Vec<Ref> {
    let mut references = Vec::new();
    trail.references(node, &mut references);
    references
}

fn form(trail: &Trail, node: NodeId) -> Option<&Form> {
    let What::Construct(constructor) = trail.shape(node).what else { return None };
    trail.tables().constructors.get(constructor as usize).map(|known| &known.form)
}
