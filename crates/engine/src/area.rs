//! The suspicious area: the nodes that can still be buggy.
//!
//! It is the subtree of the *focus* (the wrong node that has no wrong node below it; before any "wrong", the root),
//! without the subtrees that were found correct or inadmissible. Inside it some nodes cannot be asked: the focus
//! itself once it is known to be wrong, nodes nobody could answer for, and trusted ones. Such nodes weigh nothing and
//! their children are seen through them.

use crate::Trust;
use crate::intervals::Intervals;
use gadfly_tree::{Node, Tree};
use std::cell::Cell;

/// The suspicious area.
#[derive(Clone, Copy, Debug)]
pub struct Area<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// The node whose subtree is under suspicion.
    pub focus: Node,
    /// Whether the focus was answered "wrong" (if not, it is the root, and nothing was found wrong yet).
    pub focus_wrong: bool,
    pub(crate) gone: &'a Intervals,
    /// Sorted nodes of the area that cannot be asked now.
    pub(crate) muted: &'a [u32],
    pub(crate) trust: &'a Trust,
    /// How many nodes were looked at, here and in the areas of the same state before: what work costs, without a clock.
    pub(crate) steps: &'a Cell<u64>,
}

impl<'a> Area<'a> {
    /// Whether the node is suspicious and may be asked now.
    pub fn is_askable(&self, node: Node) -> bool {
        self.tree.is_within(node, self.focus)
            && !self.gone.contains(node.0)
            && self.muted.binary_search(&node.0).is_err()
            && !self.trust.holds(self.tree, node)
    }

    /// The nearest nodes below `node` that may be asked, in order: its children, seen through nodes that cannot be.
    pub fn frontier(&self, node: Node) -> Frontier<'a> {
        let at = node.0 + 1;
        let gone = self.gone.as_slice();
        let mut frontier = Frontier {
            area: *self,
            at,
            clear: at,
            end: node.0 + self.tree.size(node),
            gone: &gone[gone.partition_point(|range| range.1 <= at)..],
            muted: &self.muted[self.muted.partition_point(|muted| *muted < at)..],
            through: 0,
        };
        frontier.look_ahead();
        frontier
    }

    /// The parts of the area as ranges of indices: the focus's subtree without what is gone.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let range = self.tree.subtree(self.focus);
        self.gone.gaps(range.start, range.end)
    }

    pub(crate) fn take_steps(&self, steps: u32) {
        self.steps.set(self.steps.get() + u64::from(steps));
    }

    /// The area's askable nodes as ranges of indices, trusted nodes still among them; whoever goes through them looks at all.
    pub(crate) fn pieces_without_muted(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut muted = self.muted.iter().copied().peekable();
        self.pieces().flat_map(move |(start, end)| {
            let mut parts = Vec::new();
            let mut at = start;
            while let Some(cut) = muted.next_if(|cut| *cut < end) {
                if cut >= at {
                    parts.push((at, cut));
                    at = cut + 1;
                }
            }
            parts.push((at, end));
            self.steps.set(self.steps.get() + u64::from(end - start));
            parts.into_iter().filter(|(start, end)| start < end)
        })
    }
}

/// The askable nodes nearest below a node; see [`Area::frontier`].
#[derive(Clone, Debug)]
pub struct Frontier<'a> {
    area: Area<'a>,
    at: u32,
    /// Below this index there is nothing to pass over or to see through: the next child is just a subtree further.
    clear: u32,
    end: u32,
    gone: &'a [(u32, u32)],
    muted: &'a [u32],
    /// Nodes below this index are seen through a node that nobody could answer for.
    through: u32,
}

impl Frontier<'_> {
    /// Whether the node returned last hangs below a node that nobody could answer for.
    pub fn is_through_unknown(&self) -> bool {
        // `at` has moved past the node's subtree, which ends inside the unknown node's.
        self.at <= self.through
    }

    /// The index that comes next.
    pub(crate) fn position(&self) -> u32 {
        self.at
    }

    /// Passes over a child's subtree if the child comes next.
    pub(crate) fn skip_subtree(&mut self, node: Node) {
        if self.at == node.0 {
            self.at += self.area.tree.size(node);
        }
    }

    /// Drops the obstacles that lie behind and finds how far the way is clear.
    fn look_ahead(&mut self) {
        while self.gone.first().is_some_and(|range| range.1 <= self.at) {
            self.gone = &self.gone[1..];
        }
        while self.muted.first().is_some_and(|muted| *muted < self.at) {
            self.muted = &self.muted[1..];
        }
        let gone = self.gone.first().map_or(self.end, |range| range.0);
        let muted = self.muted.first().copied().unwrap_or(self.end);
        // With trusted rules, every node has to be looked at.
        self.clear = if self.area.trust.any() { self.at } else { gone.min(muted).min(self.end) };
    }

    fn next_past_obstacles(&mut self) -> Option<Node> {
        while self.at < self.end {
            self.area.take_steps(1);
            self.look_ahead();
            let node = Node(self.at);
            if let Some(range) = self.gone.first().filter(|range| range.0 <= self.at) {
                // A gone range ends where a subtree ends, so what follows is a child again.
                self.at = range.1;
            } else if self.muted.first() == Some(&self.at) {
                self.through = self.through.max(self.at + self.area.tree.size(node));
                self.at += 1;
            } else if self.area.trust.holds(self.area.tree, node) {
                self.at += 1;
            } else {
                self.at += self.area.tree.size(node);
                return Some(node);
            }
        }
        None
    }
}

impl Iterator for Frontier<'_> {
    type Item = Node;

    #[inline]
    fn next(&mut self) -> Option<Node> {
        if self.at < self.clear {
            self.area.take_steps(1);
            let node = Node(self.at);
            self.at += self.area.tree.size(node);
            return Some(node);
        }
        self.next_past_obstacles()
    }
}
