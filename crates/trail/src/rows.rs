//! A block of nodes in columns, for those who look at everything.

use super::block::Entry;
use super::model::{NodeId, RawRef, ShapeId};
use super::read::{Became, Trail};

/// A block of nodes, in columns. It can be filled again and again, so that nothing is allocated for a block.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub(super) first: u64,
    pub(super) entries: Vec<Entry>,
    pub(super) codes: Vec<u16>,
    pub(super) shapes: Vec<ShapeId>,
    pub(super) parents: Vec<NodeId>,
    /// Whether something is told of a node in a later row.
    pub(super) later: Vec<bool>,
    /// Where the references of a node begin; one more than there are nodes.
    pub(super) starts: Vec<u32>,
    pub(super) references: Vec<RawRef>,
    /// What each node became, if that was told beside it; empty if the block was read without references.
    pub(super) outcomes: Vec<RawRef>,
}

impl Rows {
    /// The first node.
    pub fn first(&self) -> NodeId {
        NodeId(self.first)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// The shapes of all its nodes.
    pub fn shapes(&self) -> &[ShapeId] {
        &self.shapes
    }

    /// The parents of all its nodes.
    pub fn parents(&self) -> &[NodeId] {
        &self.parents
    }

    /// Whether something became of its `index`-th node.
    pub fn has_become(&self, index: usize) -> bool {
        self.later[index] || self.entries[usize::from(self.codes[index])].has_become()
    }

    /// What became of its `index`-th node, as [`Trail::became`] says it of this trail, but faster.
    pub fn became(&self, index: usize, trail: &Trail) -> Became {
        let node = NodeId(self.first + index as u64);
        let entry = &self.entries[usize::from(self.codes[index])];
        if self.later[index]
            && let Some(later) = trail.became_later(node, entry)
        {
            return later;
        }
        let Some(reference) = self.outcomes.get(index) else { return trail.became(node) };
        entry.became(trail.see(*reference), |tail| {
            let shape = self.shapes.get(tail.0.wrapping_sub(self.first) as usize);
            shape.map_or_else(|| trail.shape(tail), |shape| trail.shapes()[shape.0 as usize]).position
        })
    }

    /// The references of its `index`-th node; none if the block was read without. A node that is not in the trail is
    /// unknown here; [`super::Trail::see`] tells what other words mean.
    pub fn references(&self, index: usize) -> &[RawRef] {
        let start = self.starts[index] as usize;
        let count = self.entries[usize::from(self.codes[index])].count as usize;
        self.references.get(start..start + count).unwrap_or_default()
    }

    pub(super) fn clear(&mut self) {
        self.codes.clear();
        self.shapes.clear();
        self.parents.clear();
        self.later.clear();
        self.starts.clear();
        self.references.clear();
        self.outcomes.clear();
    }
}
