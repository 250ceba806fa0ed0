//! Whole blocks, for views and others that go over all of them: no row is assembled, and only the references that are wanted
//! are decoded. Every row of a block has a code; what the codes mean is given once for a block.

use super::block::{Outcome, Sort, TellingEntry, known, parent};
use super::model::{NodeId, Position, RawRef, ShapeId, What};
use super::read::Trail;
use std::ops::Range;

/// What became of a node, but for the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOutcome {
    /// Nothing.
    Nothing,
    /// A value, or a node that goes on; the expression that gave it.
    Value(Position),
    /// A node that is newer and says so itself: its shape has [`super::model::Shape::tail`].
    Tail,
    /// An exception; where.
    Raised(Position),
    /// The run ended; where it waited.
    Unfinished(Position),
}

/// What a code means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowRole {
    /// The node's shape.
    pub shape: ShapeId,
    /// What became of it. If that is nothing, something may be told in a later block ([`Trail::for_each_late`]).
    pub told: RowOutcome,
}

/// Which references of the rows with a code are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The first one.
    pub first: bool,
    /// What it became.
    pub outcome: bool,
}

/// A row, with the references that were wanted and are there; others are unknown.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The node.
    pub node: NodeId,
    /// The row's code.
    pub code: usize,
    /// The node's parent.
    pub parent: NodeId,
    /// The first reference.
    pub first: RawRef,
    /// What the node became.
    pub outcome: RawRef,
}

impl Trail {
    /// The nodes of a block, from the first to before the last; none if there is no such block.
    pub fn block_nodes(&self, block: usize) -> Range<u64> {
        let found = self.blocks().1.get(block);
        found.map_or(0..0, |block| block.first()..block.first() + block.nodes() as u64)
    }

    /// What the codes of a block mean.
    pub fn meanings(&self, block: usize) -> Vec<RowRole> {
        let entries = self.blocks().1.get(block).map(|block| &block.entries[..]).unwrap_or_default();
        let meaning = |entry: &super::block::Entry| RowRole {
            shape: entry.shape,
            told: match entry.outcome {
                Outcome::Nothing => RowOutcome::Nothing,
                Outcome::Tail => RowOutcome::Tail,
                Outcome::Value => RowOutcome::Value(entry.position),
                Outcome::Raised => RowOutcome::Raised(entry.position),
                Outcome::Unfinished => RowOutcome::Unfinished(entry.position),
            },
        };
        entries.iter().map(meaning).collect()
    }

    /// The codes of the rows of a block, in order.
    pub fn for_each_code(&self, block: usize, see: impl FnMut(usize)) {
        let (bytes, blocks) = self.blocks();
        if let Some(block) = blocks.get(block) {
            block.layout.codes(block.payload(bytes)).for_each(see);
        }
    }

    /// The rows of a block, in order; `wanted` says by code which references are wanted, or is empty if none are.
    pub fn for_each_row(&self, block: usize, wanted: &[Wanted], mut see: impl FnMut(&Row)) {
        let (bytes, blocks) = self.blocks();
        let Some(block) = blocks.get(block) else { return };
        let payload = block.payload(bytes);
        let first = block.first();
        let mut parents = Vec::new();
        block
            .layout
            .parents(payload)
            .decode(&mut parents, |index, distance| parent(first + index as u64, distance));
        let mut references = block.layout.references(payload).from(0);
        let mut outcomes = block.layout.outcomes(payload).from(0);
        let mut row = Row {
            node: NodeId(first),
            code: 0,
            parent: NodeId::NONE,
            first: RawRef::UNKNOWN,
            outcome: RawRef::UNKNOWN,
        };
        let with_references = wanted.iter().any(|wanted| wanted.first);
        let mut parents = parents.into_iter();
        block.layout.codes(payload).for_each(|code| {
            row.code = code;
            row.parent = parents.next().unwrap_or_default();
            if let Some(wanted) = wanted.get(code) {
                let entry = &block.entries[code];
                let own = row.node.0;
                if with_references {
                    let mut left = entry.count as usize;
                    if wanted.first && left > 0 {
                        row.first = known(references.next(own), self.node_count());
                        left -= 1;
                    }
                    references.skip(left);
                }
                if entry.told > 0 {
                    if wanted.outcome {
                        row.outcome = known(outcomes.next(own), self.node_count());
                    } else {
                        outcomes.skip(1);
                    }
                }
            }
            see(&row);
            row.node.0 += 1;
        });
    }

    /// What a block says of nodes in blocks before it, in order: the last value counts, or if there is none, the last
    /// row. A tail node is told as a value with its own position.
    pub fn for_each_late(&self, block: usize, mut see: impl FnMut(NodeId, RowOutcome, RawRef)) {
        let (bytes, blocks) = self.blocks();
        let Some(block) = blocks.get(block) else { return };
        if !block.tells() {
            return;
        }
        let payload = block.payload(bytes);
        block.for_each_tail(payload, |local, parent| {
            let told =
                RowOutcome::Value(self.shapes()[block.entry(payload, local).shape.0 as usize].position);
            see(parent, told, RawRef::node(NodeId(block.first() + local as u64)));
        });
        block.for_each_telling(payload, |entry, node, references| {
            if entry.sort != Sort::Other {
                let reference =
                    references.first().map_or(RawRef::UNKNOWN, |word| known(*word, self.node_count()));
                let shape = self.shapes()[entry.shape.0 as usize];
                let told = match shape.what {
                    What::Became => RowOutcome::Value(shape.position),
                    What::Raised => RowOutcome::Raised(shape.position),
                    _ => RowOutcome::Unfinished(shape.position),
                };
                see(node, told, reference);
            }
        });
    }

    /// The rows of a block that are about nodes but do not tell their outcomes, in order, if what they are is wanted: what
    /// [`Trail::late_rows`] gives, without making anything of it. A block without such rows is not looked at.
    pub fn for_each_late_row(
        &self,
        block: usize,
        wanted: impl Fn(What) -> bool,
        mut see: impl FnMut(What, NodeId, &[RawRef]),
    ) {
        let (bytes, blocks) = self.blocks();
        let Some(block) = blocks.get(block) else { return };
        let what = |entry: &TellingEntry| {
            let what = self.shapes()[entry.shape.0 as usize].what;
            (entry.sort == Sort::Other && wanted(what)).then_some(what)
        };
        if !block.telling_entries.iter().any(|entry| what(entry).is_some()) {
            return;
        }
        block.for_each_telling(block.payload(bytes), |entry, node, references| {
            if let Some(what) = what(entry) {
                see(what, node, references);
            }
        });
    }
}
