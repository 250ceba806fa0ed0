//! What the machine reports during a run.
//!
//! A [`Recorder`] is a type parameter of the machine: events that [`Plain`] ignores cost nothing, and its
//! code has no instructions that only report. [`Counting`] counts every function that is unfolded, in the
//! order of the lazy semantics. [`Trailing`] writes the augmented redex trail (S1 §3, S2 §3) as rows of
//! [`gadfly_trail`]; [`crate::trace`] explains how code is compiled for it.

use crate::machine::Stopper;
use gadfly_core::kernel::FunId;
use gadfly_trail::model::{NodeId, RawRef, RunEnd, Shape, ShapeId};
use gadfly_trail::stream::Stream;

/// Receives the events of a run. `TAG` words of every object belong to the recorder.
pub trait Recorder<const TAG: usize> {
    /// Whether functions are compiled so that [`Recorder::unfold`] is called.
    const UNFOLDS: bool = false;

    /// Whether code is compiled so that it writes a trail.
    const TRAILS: bool = false;

    /// The run begins; this is how it can be ended.
    fn begin(&mut self, _: Stopper) {}

    /// A function is unfolded; returns whether the run continues.
    #[inline(always)]
    fn unfold(&mut self, _: FunId) -> bool {
        true
    }

    /// Whether a function's redexes are recorded.
    fn is_recorded(&self, _: FunId) -> bool {
        false
    }

    /// A shape of rows; its number is how many there were before.
    fn define(&mut self, _: Shape) -> ShapeId {
        ShapeId(0)
    }

    /// A row that says something about a node.
    #[inline(always)]
    fn tell(&mut self, _: ShapeId, _: NodeId, _: &[RawRef]) {}

    /// A row that is a node; its number.
    #[inline(always)]
    fn node(&mut self, _: ShapeId, _: NodeId, _: &[RawRef]) -> NodeId {
        NodeId::NONE
    }

    /// The number of the next node.
    #[inline(always)]
    fn next(&self) -> u64 {
        0
    }
}

/// Nothing is recorded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Recorder<0> for Plain {}

/// Unfoldings are counted, by function, up to a limit.
#[derive(Clone, Debug)]
pub struct Counting {
    counts: Vec<u64>,
    total: u64,
    limit: u64,
}

impl Counting {
    /// Counts; the run ends after `limit` unfoldings.
    pub fn new(limit: u64) -> Counting {
        Counting { counts: Vec::new(), total: 0, limit }
    }

    /// How many functions were unfolded.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How often a function was unfolded.
    pub fn of(&self, function: FunId) -> u64 {
        self.counts.get(function.index()).copied().unwrap_or(0)
    }
}

impl Recorder<0> for Counting {
    const UNFOLDS: bool = true;

    fn unfold(&mut self, function: FunId) -> bool {
        if self.counts.len() <= function.index() {
            self.counts.resize(function.index() + 1, 0);
        }
        self.counts[function.index()] += 1;
        self.total += 1;
        self.total <= self.limit
    }
}

/// A trail is written.
#[derive(Debug)]
pub struct Trailing {
    stream: Stream,
    recorded: Vec<bool>,
    /// The run ends after this many nodes.
    limit: u64,
    stopper: Option<Stopper>,
}

impl Trailing {
    /// A trail of the functions that `recorded` says, by their numbers.
    pub fn new(stream: Stream, recorded: Vec<bool>) -> Trailing {
        Trailing { stream, recorded, limit: u64::MAX, stopper: None }
    }

    /// The same, but the run ends after `nodes` nodes.
    pub fn limited(self, nodes: u64) -> Trailing {
        Trailing { limit: nodes, ..self }
    }

    #[cold]
    fn is_enough(&mut self) {
        if let Some(stopper) = &self.stopper {
            stopper.steps_are_up();
        }
    }

    /// The run is over.
    pub fn finish(&mut self, end: &RunEnd) {
        self.stream.end(end);
    }

    /// How many nodes were recorded.
    pub fn nodes(&self) -> u64 {
        self.stream.nodes()
    }
}

impl Recorder<1> for Trailing {
    const TRAILS: bool = true;

    fn is_recorded(&self, function: FunId) -> bool {
        self.recorded.get(function.index()).copied().unwrap_or(false)
    }

    fn define(&mut self, shape: Shape) -> ShapeId {
        self.stream.define(shape)
    }

    #[inline]
    fn tell(&mut self, shape: ShapeId, node: NodeId, references: &[RawRef]) {
        self.stream.tell(shape, node, references);
    }

    #[inline]
    fn node(&mut self, shape: ShapeId, parent: NodeId, references: &[RawRef]) -> NodeId {
        if self.stream.nodes() >= self.limit {
            self.is_enough();
        }
        self.stream.node(shape, parent, references)
    }

    fn begin(&mut self, stopper: Stopper) {
        self.stopper = Some(stopper);
    }

    #[inline]
    fn next(&self) -> u64 {
        self.stream.nodes() + 1
    }
}
