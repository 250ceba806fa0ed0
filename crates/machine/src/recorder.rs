//! What may be told of a run while it happens.
//!
//! A [`Recorder`] is told of the steps of the instrumented semantics (S4 Fig. 4.1 and 5.9), and may write `TAG` words on
//! every object. It is a type parameter of the machine: what [`Plain`] does not want to know costs nothing, and code is
//! compiled without the instructions that only tell something.

use crate::heap::Kind;
use gadfly_core::kernel::FunId;

/// What is told of a run.
pub trait Recorder<const TAG: usize> {
    /// Whether functions are compiled so that [`Recorder::unfold`] is called.
    const UNFOLDS: bool;

    /// An object is made by the instruction at `at`; what is written on it.
    fn allocate(&mut self, kind: Kind, at: u32) -> [u64; TAG];

    /// A function is unfolded; whether the run goes on.
    fn unfold(&mut self, function: FunId) -> bool;

    /// A case goes on with a value.
    fn case(&mut self, at: u32);

    /// A thunk becomes its value.
    fn update(&mut self, tag: &[u64]);

    /// The instruction at `at` finds a variable evaluated already.
    fn look_up(&mut self, at: u32);
}

/// Nothing is recorded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Recorder<0> for Plain {
    const UNFOLDS: bool = false;

    #[inline(always)]
    fn allocate(&mut self, _: Kind, _: u32) -> [u64; 0] {
        []
    }

    #[inline(always)]
    fn unfold(&mut self, _: FunId) -> bool {
        true
    }

    #[inline(always)]
    fn case(&mut self, _: u32) {}

    #[inline(always)]
    fn update(&mut self, _: &[u64]) {}

    #[inline(always)]
    fn look_up(&mut self, _: u32) {}
}

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

    fn allocate(&mut self, _: Kind, _: u32) -> [u64; 0] {
        []
    }

    fn unfold(&mut self, function: FunId) -> bool {
        if self.counts.len() <= function.index() {
            self.counts.resize(function.index() + 1, 0);
        }
        self.counts[function.index()] += 1;
        self.total += 1;
        self.total <= self.limit
    }

    fn case(&mut self, _: u32) {}

    fn update(&mut self, _: &[u64]) {}

    fn look_up(&mut self, _: u32) {}
}
