//! What every call asks first: whether it may be recorded, and whether in the quick way.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What keeps calls from taking the quick way: nothing if it is 0.
pub(crate) struct Gate(AtomicUsize);

pub(crate) static GATE: Gate = Gate(AtomicUsize::new(0));

/// Somebody looks.
pub(crate) const LOOKING: usize = 1;
/// The program has greenlets.
pub(crate) const GREENLETS: usize = 2;
/// The program has tables of pandas.
pub(crate) const TABLES: usize = 4;
/// A thread runs something of ours, which is not recorded: each counts for so much.
const HELPS: usize = 8;

impl Gate {
    /// Opens it to everybody.
    pub(crate) fn open(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// A thread begins to run something of ours.
    pub(crate) fn begin_help(&self) {
        self.0.fetch_add(HELPS, Ordering::Relaxed);
    }

    /// It has done so.
    pub(crate) fn end_help(&self) {
        self.0.fetch_sub(HELPS, Ordering::Relaxed);
    }

    /// Whether any thread does.
    pub(crate) fn is_helped(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= HELPS
    }

    #[inline(always)]
    pub(crate) fn load(&self, order: Ordering) -> usize {
        self.0.load(order)
    }

    /// Sets bits. Only who holds the interpreter's lock does, so that nobody else does meanwhile; here and below.
    #[inline(always)]
    pub(crate) fn fetch_or_unshared(&self, bits: usize) {
        self.0.store(self.0.load(Ordering::Relaxed) | bits, Ordering::Relaxed);
    }

    #[inline(always)]
    pub(crate) fn fetch_and_unshared(&self, bits: usize) {
        self.0.store(self.0.load(Ordering::Relaxed) & bits, Ordering::Relaxed);
    }

    pub(crate) fn has(&self, bit: usize) -> bool {
        self.0.load(Ordering::Relaxed) & bit != 0
    }
}

/// Whether the program has pandas.
pub(crate) fn has_tables() -> bool {
    GATE.has(TABLES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_and_bits_do_not_touch_each_other() {
        let gate = Gate(AtomicUsize::new(0));
        gate.fetch_or_unshared(GREENLETS);
        gate.begin_help();
        gate.begin_help();
        gate.fetch_or_unshared(LOOKING);
        assert!(gate.is_helped() && gate.has(GREENLETS) && gate.has(LOOKING) && !gate.has(TABLES));
        gate.end_help();
        gate.fetch_and_unshared(!LOOKING);
        assert!(gate.is_helped() && gate.has(GREENLETS) && !gate.has(LOOKING));
        gate.end_help();
        assert!(!gate.is_helped());
        gate.open();
        assert_eq!(gate.load(Ordering::Relaxed), 0);
    }
}
