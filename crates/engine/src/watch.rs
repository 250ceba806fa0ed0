//! How long work is watched: its progress, and whether it is still wanted.

use std::sync::atomic::{AtomicBool, Ordering};

/// Watches over work that may take long. The worker reports progress, and asks from time to time whether it is
/// still wanted.
pub trait Watch: Sync {
    /// Whether the work is not wanted any more: then it ends soon, with any result.
    fn is_cancelled(&self) -> bool;

    /// So much is done, of so much if that is known.
    fn progress(&self, done: u64, of: Option<u64>);
}

/// Watches nothing: the work is done to its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn is_cancelled(&self) -> bool {
        false
    }

    fn progress(&self, _done: u64, _of: Option<u64>) {}
}

/// A flag that cancels work.
impl Watch for AtomicBool {
    fn is_cancelled(&self) -> bool {
        self.load(Ordering::Relaxed)
    }

    fn progress(&self, _done: u64, _of: Option<u64>) {}
}
