//! Checks everything in a file, including what a reader would take for unknown.
//!
//! Opening verifies the checksums, the blocks' structure, the shapes and the tables ([`super::open`]); here every single
//! value is looked at too.

use super::block::{Block, Outcome, known};
use super::error::{OpenError, Problem, ProblemKind};
use super::model::{NodeId, RawRef, Ref, RunEnd, What};
use super::read::Trail;
use std::path::Path;

/// What is in a file, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The version of the format.
    pub version: u32,
    /// How long the file is.
    pub bytes: u64,
    /// Blocks of rows that are sound.
    pub blocks: u64,
    /// Nodes in these.
    pub nodes: u64,
    /// Calls, applications and constants of which something became: the redexes, and applications that became values.
    pub redexes: u64,
    /// Rows that tell something of nodes and do not stand beside them.
    pub tellings: u64,
    /// Shapes.
    pub shapes: u64,
    /// How the run ended; none if the recording is not complete.
    pub end: Option<RunEnd>,
    /// What is wrong, the first [`MOST`] things of it.
    pub problems: Vec<Problem>,
    /// How many more things are wrong.
    pub more: u64,
}

/// At most this many problems are listed one by one.
pub const MOST: usize = 100;

/// Checks a file. An error means that nothing in it can be read.
pub fn check(path: &Path) -> Result<Report, OpenError> {
    Ok(check_trail(&Trail::open(path)?))
}

/// Checks a trail that was opened.
pub fn check_trail(trail: &Trail) -> Report {
    let (bytes, blocks) = trail.blocks();
    let mut checker = Checker { trail, redexes: 0, problems: trail.problems().to_vec(), more: 0 };
    for block in blocks {
        checker.check(block, block.payload(bytes));
    }
    Report {
        version: trail.version(),
        bytes: bytes.len() as u64,
        blocks: blocks.len() as u64,
        nodes: trail.node_count(),
        redexes: checker.redexes,
        tellings: blocks.iter().map(|block| block.tellings() as u64).sum(),
        shapes: trail.shapes().len() as u64,
        end: trail.end().cloned(),
        problems: checker.problems,
        more: checker.more,
    }
}

struct Checker<'a> {
    trail: &'a Trail,
    redexes: u64,
    problems: Vec<Problem>,
    more: u64,
}

impl Checker<'_> {
    fn unsound(&mut self, block: &Block, message: String) {
        if self.problems.len() < MOST {
            self.problems.push(Problem::new(ProblemKind::Unsound, block.offset as u64, message));
        } else {
            self.more += 1;
        }
    }

    fn check(&mut self, block: &Block, payload: &[u8]) {
        if block.layout.slack(payload).iter().any(|byte| *byte != 0) {
            self.unsound(block, "something stands behind the columns of a block".into());
        }
        self.check_nodes(block, payload);
        let mut orphans = 0;
        block.for_each_tail(payload, |_, parent| orphans += u64::from(parent == NodeId::NONE));
        if orphans > 0 {
            self.unsound(block, "a node is what nothing became".into());
        }
        self.check_tellings(block, payload);
    }

    fn check_nodes(&mut self, block: &Block, payload: &[u8]) {
        let mut distances = Vec::new();
        block.layout.parents(payload).decode(&mut distances, |_, distance| distance);
        let codes = block.layout.codes(payload);
        let mut reading = block.layout.references(payload).from(0);
        let mut outcomes = block.layout.outcomes(payload).from(0);
        for (local, distance) in distances.into_iter().enumerate() {
            let id = NodeId(block.first() + local as u64);
            let entry = block.entries[codes.get(local)];
            if distance >= id.0 {
                self.unsound(block, format!("the parent of node {} does not come before it", id.0));
            }
            for _ in 0..entry.count {
                self.check_reference(block, id, reading.next(id.0));
            }
            if entry.told > 0 {
                let became = outcomes.next(id.0);
                self.check_reference(block, id, became);
                if entry.outcome == Outcome::Tail && !self.is_tail(became, id) {
                    self.unsound(block, format!("what node {} became is not made as that", id.0));
                }
            }
            let what = self.trail.shapes()[entry.shape.0 as usize].what;
            let reducible = matches!(what, What::Call(_) | What::Apply | What::Constant(_));
            self.redexes += u64::from(reducible && self.trail.has_become(id));
        }
    }

    /// Whether a node is one that its parent, this one, was reduced to.
    fn is_tail(&self, node: RawRef, parent: NodeId) -> bool {
        let Ref::Node(node) = node.see() else { return false };
        self.trail.shape(node).tail && self.trail.parent(node) == parent
    }

    fn check_tellings(&mut self, block: &Block, payload: &[u8]) {
        let base = block.layout.base();
        let mut distances = Vec::new();
        block.layout.told_of(payload).decode(&mut distances, |_, distance| distance);
        if distances.iter().any(|distance| *distance >= base) {
            self.unsound(block, "something is told of a node that is not there".into());
        }
        let mut found = Vec::new();
        block.for_each_telling(payload, |_, node, references| {
            found.extend(references.iter().map(|reference| (node, *reference)));
        });
        for (node, reference) in found {
            self.check_reference(block, node, reference);
        }
    }

    fn check_reference(&mut self, block: &Block, id: NodeId, word: RawRef) {
        let there = known(word, self.trail.node_count()) == word;
        // What is missing behind a cut is no fault of what is here.
        let complete = self.trail.end().is_some();
        if word != RawRef::UNKNOWN && self.trail.see(word) == Ref::Unknown && (there || complete) {
            self.unsound(
                block,
                format!("a reference in a row of node {} is to something that is not there", id.0),
            );
        }
    }
}
