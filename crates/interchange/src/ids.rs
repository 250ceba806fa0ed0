//! Who is whose parent.
//!
//! Ids are collected while the file is read and matched at its end, because a parent may come after its children.
//! Whole numbers are kept as they are, 8 bytes each; other ids are numbered as they come. The table that finds a node
//! by its id is an array where the ids lie close together, in whatever order and from wherever they count, and a hash
//! table where they do not.

use super::node::IdText;
use super::scan::decode;
use gadfly_tree::NO_PARENT;
use std::collections::HashMap;

/// Ids below this are numbers given to texts; no whole number in a file is taken for one.
const TEXTS_END: i64 = i64::MIN + (1 << 34);
const ABSENT: i64 = i64::MAX;

/// The ids of all nodes and of their parents.
#[derive(Default)]
pub(crate) struct Ids {
    own: Vec<i64>,
    parent: Vec<i64>,
    texts: HashMap<Box<[u8]>, i64>,
}

/// Ids that do not match. Numbers are nodes, in the order of the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    Duplicate { first: u32, second: u32 },
    UnknownParent { child: u32 },
}

impl Ids {
    /// Adds a node.
    #[inline]
    pub(crate) fn push(&mut self, line: &[u8], own: &IdText, parent: Option<&IdText>) {
        let own = self.number(line, own);
        let parent = parent.map_or(ABSENT, |parent| self.number(line, parent));
        self.own.push(own);
        self.parent.push(parent);
    }

    #[inline]
    fn number(&mut self, line: &[u8], id: &IdText) -> i64 {
        match id {
            IdText::Whole(number) if (TEXTS_END..ABSENT).contains(number) => *number,
            IdText::Whole(number) => self.text(number.to_string().into_bytes()),
            IdText::Big(part) => self.text(line[part.clone()].into()),
            // The quote keeps texts and numbers apart.
            IdText::Text(part) => self.text([b"\"", decode(&line[part.clone()]).as_bytes()].concat()),
        }
    }

    #[cold]
    fn text(&mut self, text: Vec<u8>) -> i64 {
        let next = i64::MIN + self.texts.len() as i64;
        *self.texts.entry(text.into()).or_insert(next)
    }

    /// Every node's parent as a node, or [`NO_PARENT`].
    pub(crate) fn resolve(self) -> Result<Vec<u32>, Mismatch> {
        let Ids { own, parent, texts } = self;
        let mut whole = Table::new(own.iter().copied().filter(|id| *id >= TEXTS_END));
        let mut text = Table::Array { base: i64::MIN, nodes: vec![NO_PARENT; texts.len()] };
        drop(texts);
        for (node, id) in (0u32..).zip(&own) {
            let table = if *id >= TEXTS_END { &mut whole } else { &mut text };
            if let Some(first) = table.put(*id, node) {
                return Err(Mismatch::Duplicate { first, second: node });
            }
        }
        drop(own);
        let nodes = (0u32..).zip(parent).map(|(child, id)| match id {
            ABSENT => Ok(NO_PARENT),
            _ => {
                let table = if id >= TEXTS_END { &whole } else { &text };
                table.get(id).ok_or(Mismatch::UnknownParent { child })
            }
        });
        nodes.collect()
    }
}

enum Table {
    Array { base: i64, nodes: Vec<u32> },
    Hash(HashMap<i64, u32>),
}

impl Table {
    /// A table for these ids.
    fn new(ids: impl Iterator<Item = i64>) -> Table {
        let (mut count, mut low, mut high) = (0u64, i64::MAX, i64::MIN);
        for id in ids {
            count += 1;
            low = low.min(id);
            high = high.max(id);
        }
        // A hash table takes some 20 bytes an id: as long as four in five places are empty, the array is smaller.
        match high.abs_diff(low) {
            _ if count == 0 => Table::Array { base: 0, nodes: Vec::new() },
            width if width / 5 < count => {
                Table::Array { base: low, nodes: vec![NO_PARENT; width as usize + 1] }
            }
            _ => Table::Hash(HashMap::with_capacity(count as usize)),
        }
    }

    /// Puts a node in; if there is one with this id already, that one comes back.
    fn put(&mut self, id: i64, node: u32) -> Option<u32> {
        match self {
            Table::Array { base, nodes } => {
                let place = &mut nodes[id.wrapping_sub(*base) as usize];
                let before = std::mem::replace(place, node);
                (before != NO_PARENT).then_some(before)
            }
            Table::Hash(nodes) => nodes.insert(id, node),
        }
    }

    fn get(&self, id: i64) -> Option<u32> {
        match self {
            Table::Array { base, nodes } => {
                let place = usize::try_from(id.checked_sub(*base)?).ok()?;
                nodes.get(place).copied().filter(|node| *node != NO_PARENT)
            }
            Table::Hash(nodes) => nodes.get(&id).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(pairs: &[(i64, i64)]) -> Result<Vec<u32>, Mismatch> {
        let mut ids = Ids::default();
        for (own, parent) in pairs {
            let parent = IdText::Whole(*parent);
            ids.push(b"", &IdText::Whole(*own), (parent != IdText::Whole(-1)).then_some(&parent));
        }
        ids.resolve()
    }

    #[test]
    fn close_ids_and_far_ids_come_to_the_same() {
        let expected = [2, 0, NO_PARENT];
        assert_eq!(resolve(&[(7, 9), (8, 7), (9, -1)]).unwrap(), expected);
        let far = [(i64::MIN, i64::MAX), (0, i64::MIN), (i64::MAX, -1)];
        assert_eq!(resolve(&far).unwrap(), expected);
    }

    #[test]
    fn what_does_not_match_is_told() {
        assert_eq!(resolve(&[(1, -1), (1, 1)]), Err(Mismatch::Duplicate { first: 0, second: 1 }));
        assert_eq!(resolve(&[(1, -1), (2, 3)]), Err(Mismatch::UnknownParent { child: 1 }));
    }

    #[test]
    fn a_text_is_not_a_number() {
        let mut ids = Ids::default();
        ids.push(b"1", &IdText::Whole(1), None);
        ids.push(b"1", &IdText::Text(0..1), Some(&IdText::Whole(1)));
        ids.push(b"2", &IdText::Text(0..1), Some(&IdText::Big(0..1)));
        assert_eq!(ids.resolve(), Err(Mismatch::UnknownParent { child: 2 }));
    }
}
