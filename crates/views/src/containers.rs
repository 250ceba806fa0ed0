//! Arrays, and trees that are written as their elements.

use super::follow::End;
use super::lists::character;
use super::values::{Builder, Close, Run, Task};
use gadfly_term::TermId;
use gadfly_trail::model::{Branches, Form, Ref, Shape, What};

impl Builder<'_, '_> {
    /// A map, a set or a sequence: `fromList […]`.
    pub(super) fn tree(&mut self, tree: Branches, fields: &[Ref]) {
        let mut groups = Vec::new();
        let mut more = false;
        // Subtrees and elements, the next last; subtrees are opened when they are reached.
        let mut left = Vec::new();
        open(tree, fields, &mut left);
        while let Some(part) = left.pop() {
            if groups.len() >= self.room() {
                more = true;
                break;
            }
            match part {
                Part::Element(fields) => groups.push(match fields[..] {
                    [element] => vec![Task::See(element)],
                    _ => {
                        let mut group = vec![Task::Open];
                        group.extend(fields.into_iter().map(Task::See));
                        group.push(Task::Close(Close::Tuple));
                        group
                    }
                }),
                Part::Subtree(subtree) => {
                    let known = self.run.construct(self.run.end(subtree));
                    match known.map(|(constructor, fields)| (self.run.form(constructor), fields)) {
                        Some((Form::Tree(tree), fields)) => open(*tree, &fields, &mut left),
                        Some((Form::EmptyTree, _)) => {}
                        _ => groups.push(vec![Task::See(subtree)]),
                    }
                }
            }
        }
        if more {
            self.short = true;
            groups.push(vec![Task::See(Ref::Unknown)]);
        }
        self.compound_of(vec![Close::Con("fromList".into()), Close::List], groups);
    }

    /// An array: `array (0,1) [(0,'a'),(1,'b')]`; where the indices are not known to be counted, only the elements.
    pub(super) fn array(&mut self, fields: &[Ref], moment: u64) {
        let (low, high) = (fields[0], fields[1]);
        let mut elements = match self.run.end(fields[3]) {
            End::Node(node, Shape { what: What::Array, .. }) => self.run.held(node, moment),
            _ => return self.compound(Close::Con("Array".into()), fields),
        };
        let indices = self.run.indices(low, high).filter(|indices| indices.count() == Some(elements.len()));
        let room = self.room();
        let more = elements.len() > room;
        elements.truncate(room);
        let mut groups = Vec::new();
        for (place, element) in elements.into_iter().enumerate() {
            let see = Task::See(element);
            groups.push(match &indices {
                Some(indices) => {
                    let index = self.index(indices, place);
                    vec![Task::Open, Task::Put(index), see, Task::Close(Close::Tuple)]
                }
                None => vec![see],
            });
        }
        if more {
            self.short = true;
            groups.push(vec![Task::See(Ref::Unknown)]);
        }
        let name = if indices.is_some() { "array" } else { "listArray" };
        // The elements are a part like the bounds; they are done as one group.
        let mut list = vec![Task::Open];
        list.extend(groups.into_iter().flatten());
        list.push(Task::Close(Close::List));
        let bounds = vec![Task::Open, Task::See(low), Task::See(high), Task::Close(Close::Tuple)];
        self.compound_of(vec![Close::Con(name.into())], vec![bounds, list]);
    }

    pub(super) fn index(&mut self, indices: &Indices, place: usize) -> TermId {
        let mut parts = Vec::new();
        let mut rest = place;
        for range in indices.ranges.iter().rev() {
            let offset = (rest % range.size) as i64;
            rest /= range.size;
            parts.push(match range.characters {
                true => {
                    let code = u32::try_from(range.low + offset).unwrap_or(0);
                    self.terms.char(character(code).encode_utf8(&mut [0; 4]))
                }
                false => self.terms.number(&(range.low + offset).to_string()),
            });
        }
        parts.reverse();
        if indices.tuple { self.terms.tuple(&parts) } else { parts[0] }
    }
}

enum Part {
    Element(Vec<Ref>),
    Subtree(Ref),
}

/// Puts the parts of a tree's node before what is left.
fn open(tree: Branches, fields: &[Ref], left: &mut Vec<Part>) {
    let subtree = |index: u32| Part::Subtree(fields.get(index as usize).copied().unwrap_or(Ref::Unknown));
    let (first, end) = tree.element;
    let element = fields.get(first as usize..end as usize).unwrap_or(&[Ref::Unknown]);
    left.extend([subtree(tree.right), Part::Element(element.to_vec()), subtree(tree.left)]);
}

/// The indices of an array: numbers or characters, or tuples of them.
pub(super) struct Indices {
    ranges: Vec<Range>,
    tuple: bool,
}

struct Range {
    low: i64,
    size: usize,
    characters: bool,
}

impl Indices {
    /// Whether they are the numbers from 0 on.
    pub(super) fn counts_from_zero(&self) -> bool {
        !self.tuple && self.ranges.iter().all(|range| range.low == 0 && !range.characters)
    }

    pub(super) fn count(&self) -> Option<usize> {
        self.ranges.iter().try_fold(1usize, |count, range| count.checked_mul(range.size))
    }
}

impl Run<'_> {
    pub(super) fn indices(&self, low: Ref, high: Ref) -> Option<Indices> {
        let (low, high) = (self.end(low), self.end(high));
        if let Some(range) = range(low, high) {
            return Some(Indices { ranges: vec![range], tuple: false });
        }
        let ((tuple, lows), (same, highs)) = (self.construct(low)?, self.construct(high)?);
        if tuple != same || *self.form(tuple) != Form::Tuple || lows.len() != highs.len() || lows.is_empty() {
            return None;
        }
        let ranges = lows.iter().zip(&highs).map(|(low, high)| range(self.end(*low), self.end(*high)));
        Some(Indices { ranges: ranges.collect::<Option<_>>()?, tuple: true })
    }
}

fn range(low: End, high: End) -> Option<Range> {
    let (low, high, characters) = match (low, high) {
        (End::Value(Ref::Int(low)), End::Value(Ref::Int(high))) => (low, high, false),
        (End::Value(Ref::Char(low)), End::Value(Ref::Char(high))) => (low.into(), high.into(), true),
        _ => return None,
    };
    let size = high.checked_sub(low)?.checked_add(1).unwrap_or(0).max(0);
    Some(Range { low, size: usize::try_from(size).ok()?, characters })
}
