//! What actions gave, and what was written on whose behalf.
//!
//! An equation of a function that gives an action reads `greet "Bob" = IO () printing "hi Bob\n"`: what the action gave
//! when it was performed (`_` if it was not), and what was written by the redex and the redexes below it.

use super::follow::End;
use super::values::Run;
use gadfly_trail::Trail;
use gadfly_trail::model::{Evaluation, NodeId, Ref, What};
use gadfly_trail::text::unpack;
use gadfly_tree::{Node, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What the rows say that are not about evaluation. They are read when the first of them is needed.
#[derive(Debug, Default)]
pub(super) struct Actions {
    rows: OnceLock<ActionRows>,
    /// Where in the tree something was written.
    writers: OnceLock<Vec<(Node, usize)>>,
}

#[derive(Debug, Default)]
struct ActionRows {
    /// What actions gave when they were performed for the first time, and how much was written when that was over.
    results: Mutex<FxHashMap<NodeId, (Ref, u64)>>,
    continued: FxHashMap<NodeId, Ref>,
    wrote: Vec<Wrote>,
}

/// A piece of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrote {
    pub(super) by: NodeId,
    pub(super) offset: u64,
    pub(super) length: u64,
    /// What was written, if that was kept.
    pub(super) text: Option<Vec<u8>>,
}

impl ActionRows {
    fn new(trail: &Trail) -> ActionRows {
        let mut rows = ActionRows::default();
        let mut results = FxHashMap::default();
        let mut written = 0;
        // What a generator of a strict program yielded is read with what calls changed.
        let strict = trail.tables().evaluation == Evaluation::Strict;
        let wanted = |what| match what {
            What::Performed | What::Continued => !strict,
            what => what == What::Wrote,
        };
        for block in 0..trail.block_count() {
            trail.for_each_late_row(block, wanted, |what, node, references| match (what, references) {
                (What::Performed, [result, ..]) => {
                    results.entry(node).or_insert((trail.see(*result), written));
                }
                (What::Continued, [action, ..]) => {
                    rows.continued.entry(node).or_insert(trail.see(*action));
                }
                (What::Wrote, [offset, length, bytes @ ..]) => {
                    let (Ref::Int(offset), Ref::Int(length)) = (trail.see(*offset), trail.see(*length))
                    else {
                        return;
                    };
                    let (offset, length) = (offset.unsigned_abs(), length.unsigned_abs());
                    let bytes: Vec<Ref> = bytes.iter().map(|word| trail.see(*word)).collect();
                    let text = usize::try_from(length).ok().and_then(|length| unpack(&bytes, length));
                    written = offset.saturating_add(length);
                    rows.wrote.push(Wrote { by: node, offset, length, text });
                }
                _ => {}
            });
        }
        rows.wrote.sort_by_key(|wrote| wrote.offset);
        rows.results = Mutex::new(results);
        rows
    }
}

impl Actions {
    fn rows(&self, trail: &Trail) -> &ActionRows {
        self.rows.get_or_init(|| ActionRows::new(trail))
    }

    /// What was written, in order.
    pub(super) fn wrote(&self, trail: &Trail) -> &[Wrote] {
        &self.rows(trail).wrote
    }

    /// What was written by a node of the tree and those below it before `until` bytes were written in all: at most so many bytes, and how many more there are. The
    /// bytes are missing if they were not kept.
    pub(super) fn printed(
        &self,
        trail: &Trail,
        tree: &Tree,
        node: Node,
        most: usize,
        until: u64,
    ) -> (Option<Vec<u8>>, u64) {
        let wrote = self.wrote(trail);
        let writers = self.writers.get_or_init(|| writers(trail, tree, wrote));
        let range = tree.subtree(node);
        let start = writers.partition_point(|(writer, _)| writer.0 < range.start);
        let end = writers.partition_point(|(writer, _)| writer.0 < range.end);
        let mut pieces: Vec<usize> = writers[start..end].iter().map(|(_, piece)| *piece).collect();
        pieces.retain(|piece| wrote[*piece].offset < until);
        pieces.sort_unstable();
        let all: u64 = pieces.iter().map(|piece| wrote[*piece].length).sum();
        let mut bytes = Some(Vec::new());
        for piece in pieces {
            let (Some(sofar), Some(text)) = (&mut bytes, &wrote[piece].text) else {
                return (None, all);
            };
            if sofar.len() >= most {
                break;
            }
            sofar.extend_from_slice(&text[..text.len().min(most - sofar.len())]);
        }
        let shown = bytes.as_ref().map_or(0, Vec::len) as u64;
        (bytes, all.saturating_sub(shown))
    }
}

/// The nodes of the tree that wrote something, in order, each with what it wrote.
fn writers(trail: &Trail, tree: &Tree, wrote: &[Wrote]) -> Vec<(Node, usize)> {
    let ids: FxHashSet<NodeId> = wrote.iter().map(|wrote| wrote.by).collect();
    let nodes = super::symptoms::nodes_of(tree, trail, &ids);
    let mut writers: Vec<(Node, usize)> = wrote
        .iter()
        .enumerate()
        .filter_map(|(piece, wrote)| nodes.get(&wrote.by).map(|node| (*node, piece)))
        .collect();
    writers.sort_unstable();
    writers
}

impl Run<'_> {
    /// What an action gave when it was performed for the first time, and how much was written when that was over.
    pub(super) fn result(&self, action: NodeId) -> Option<(Ref, u64)> {
        let rows = self.actions.rows(self.trail);
        let mut results = rows.results.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut at, mut way) = (action, Vec::new());
        while !results.contains_key(&at) {
            way.push(at);
            let End::Node(next, _) = self.end(*rows.continued.get(&at)?) else { return None };
            // A chain is no longer than there are links.
            if way.len() > rows.continued.len() {
                return None;
            }
            at = next;
        }
        let result = *results.get(&at)?;
        results.extend(way.into_iter().map(|action| (action, result)));
        Some(result)
    }
}
