//! Weights over the suspicious area.
//!
//! A measure answers one question, "how much do the suspicious nodes before this index weigh?", and because nodes are
//! in preorder that gives the weight of any subtree as a difference. [`Counted`] counts nodes: it follows from the few
//! ranges that answers have cut out, so it costs nothing by the size of the tree. [`Weighed`] has its own weight for
//! every node and takes one pass over the area.
//!
//! Weights are whole numbers. A weight of 1 is [`Weighed::UNIT`], which every number to 22 divides, so that the thirds
//! and fifths that history-weighted strategies make add up exactly, and ties are ties on every machine.

use crate::Area;
use gadfly_tree::{Node, Tree};
use std::cell::RefCell;

/// How much the suspicious nodes weigh.
pub trait Measure {
    /// The weight of the suspicious nodes in the focus's subtree whose index is below `index`.
    fn before(&self, index: u32) -> u64;

    /// The smallest index (below `end`) up to and with which the nodes weigh more than `weight`.
    fn passes(&self, weight: u64, start: u32, end: u32) -> u32 {
        let (mut low, mut high) = (start, end);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.before(middle + 1) > weight {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// The weight of a node's subtree.
    fn weight(&self, tree: &Tree, node: Node) -> u64 {
        let range = tree.subtree(node);
        self.before(range.end) - self.before(range.start)
    }

    /// The weight of a node alone.
    fn own(&self, node: Node) -> u64 {
        self.before(node.0 + 1) - self.before(node.0)
    }
}

#[derive(Clone, Copy, Debug)]
struct Cut {
    start: u32,
    end: u32,
    /// What the cuts before this one took away.
    removed: u64,
}

/// Every askable node weighs 1.
#[derive(Clone, Debug)]
pub struct Counted<'a> {
    area: Area<'a>,
    start: u64,
    cuts: Vec<Cut>,
}

impl<'a> Counted<'a> {
    /// Counts the nodes of an area.
    pub fn new(area: Area<'a>) -> Self {
        let range = area.tree.subtree(area.focus);
        let mut counted = Counted { area, start: area.trust.suspect_before(range.start), cuts: Vec::new() };
        let mut gone = area.gone.as_slice().iter().copied().peekable();
        let mut muted = area.muted.iter().map(|node| (*node, node + 1)).peekable();
        let mut removed = 0;
        loop {
            let next = match (gone.peek(), muted.peek()) {
                (Some(a), Some(b)) if b.0 < a.0 => muted.next(),
                (Some(_), _) => gone.next(),
                (None, _) => muted.next(),
            };
            let Some((start, end)) = next else { break };
            let start = start.max(counted.cuts.last().map_or(0, |cut| cut.end));
            if start < end {
                counted.cuts.push(Cut { start, end, removed });
                removed += area.trust.suspect_before(end) - area.trust.suspect_before(start);
            }
        }
        counted
    }
}

impl Measure for Counted<'_> {
    fn before(&self, index: u32) -> u64 {
        let base = self.area.trust.suspect_before(index) - self.start;
        let after = self.cuts.partition_point(|cut| cut.start < index);
        let Some(cut) = after.checked_sub(1).map(|last| self.cuts[last]) else { return base };
        let trust = self.area.trust;
        base - cut.removed - (trust.suspect_before(index.min(cut.end)) - trust.suspect_before(cut.start))
    }
}

/// The memory that running sums are written to, kept from question to question: touching fresh memory costs ten times
/// what writing to it does.
pub type Scratch = RefCell<Vec<u64>>;

/// Every askable node has a weight of its own.
#[derive(Debug)]
pub struct Weighed<'a> {
    /// The ranges of nodes that have a weight, in order.
    pieces: Vec<Piece>,
    /// Running sums over the nodes of the pieces, which stand here without gaps, and one more for the whole.
    sums: Vec<u64>,
    scratch: &'a Scratch,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    start: u32,
    end: u32,
    /// Where its nodes begin in the column of sums.
    at: usize,
}

impl<'a> Weighed<'a> {
    /// The weight that stands for 1.
    pub const UNIT: u64 = 232_792_560;

    /// Weighs the area by rule: `table` has every rule's weight.
    pub fn by_rule(area: Area<'_>, scratch: &'a Scratch, mut table: Vec<u64>) -> Weighed<'a> {
        for (rule, weight) in table.iter_mut().enumerate() {
            if area.trust.holds_rule(rule) {
                *weight = 0;
            }
        }
        let rules = area.tree.rule_column();
        if area.trust.differs_within_rules() {
            return Weighed::sum_up(area, scratch, |start, end, sums, sum| {
                for node in (start as u32..end as u32).map(Node) {
                    sums.push(*sum);
                    if !area.trust.holds(area.tree, node) {
                        *sum += table[rules[node.index()] as usize];
                    }
                }
            });
        }
        Weighed::sum_up(area, scratch, |start, end, sums, sum| {
            // A local sum stays in a register; the one behind the reference would be written for every node.
            let mut running = *sum;
            sums.extend(rules[start..end].iter().map(|rule| {
                let before = running;
                running += table[*rule as usize];
                before
            }));
            *sum = running;
        })
    }

    /// Weighs the area by kind of node: `table` has every kind's weight.
    pub fn by_kind(area: Area<'_>, scratch: &'a Scratch, table: &[u16]) -> Weighed<'a> {
        Weighed::sum_up(area, scratch, |start, end, sums, sum| {
            for node in (start as u32..end as u32).map(Node) {
                sums.push(*sum);
                if !area.trust.holds(area.tree, node) {
                    *sum += u64::from(table[area.tree.kind(node) as usize]);
                }
            }
        })
    }

    /// Makes the column of running sums; `piece` appends those of a range of askable nodes.
    fn sum_up(
        area: Area<'_>,
        scratch: &'a Scratch,
        mut piece: impl FnMut(usize, usize, &mut Vec<u64>, &mut u64),
    ) -> Weighed<'a> {
        let mut sums = scratch.take();
        sums.clear();
        let mut pieces = Vec::new();
        let mut sum = 0;
        for (start, end) in area.pieces_without_muted() {
            pieces.push(Piece { start, end, at: sums.len() });
            piece(start as usize, end as usize, &mut sums, &mut sum);
        }
        sums.push(sum);
        Weighed { pieces, sums, scratch }
    }
}

impl Measure for Weighed<'_> {
    fn before(&self, index: u32) -> u64 {
        let after = self.pieces.partition_point(|piece| piece.start < index);
        match after.checked_sub(1).map(|last| self.pieces[last]) {
            Some(piece) => self.sums[piece.at + (index.min(piece.end) - piece.start) as usize],
            None => 0,
        }
    }
}

impl Drop for Weighed<'_> {
    fn drop(&mut self) {
        self.scratch.replace(std::mem::take(&mut self.sums));
    }
}
