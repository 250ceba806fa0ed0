//! The chunk that is being filled, as the thread that writes the file sees it.
//!
//! A row never changes once it is in a chunk, so a thread that knows how far the rows go may read them while more are added behind them.
//! So nothing is lost when a program computes for minutes without filling a chunk, waits, or crashes: no chunk has to be handed over,
//! and all that the program does for it is to store a number for each row.

#![allow(
    unsafe_code,
    reason = "two threads share memory here, and the number that is stored says whose it is"
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// How far a chunk is filled.
#[derive(Debug, Default)]
pub struct Progress {
    /// Words of complete rows.
    length: AtomicUsize,
    /// Where the chunk is, while it may be looked at.
    chunk: Mutex<Option<Place>>,
}

#[derive(Clone, Copy, Debug)]
struct Place(*const u64);

// SAFETY: it is only read from, and only as `Progress::look` says.
unsafe impl Send for Place {}

impl Progress {
    /// A chunk that is to be filled from its beginning may be looked at until it is hidden. It is not moved meanwhile.
    pub(super) fn show(&self, chunk: &mut Vec<u64>) {
        let mut place = self.chunk.lock().unwrap_or_else(PoisonError::into_inner);
        chunk.clear();
        self.length.store(0, Ordering::Relaxed);
        *place = Some(Place(chunk.as_ptr()));
    }

    /// From now on the chunk must not be looked at.
    pub(super) fn hide(&self) {
        *self.chunk.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// So many words are complete rows.
    #[inline(always)]
    pub(super) fn reach(&self, length: usize) {
        self.length.store(length, Ordering::Release);
    }

    /// Looks at the chunk: it cannot be hidden meanwhile. None if there is none, or if it is just being hidden or shown, which is not
    /// waited for: a program that crashed will not go on with it.
    pub(super) fn look(&self) -> Option<Look<'_>> {
        let place = match self.chunk.try_lock() {
            Ok(place) => place,
            Err(TryLockError::Poisoned(poison)) => poison.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let chunk = (*place)?;
        Some(Look { progress: self, chunk, _place: place })
    }
}

/// A look at a chunk.
pub(super) struct Look<'a> {
    progress: &'a Progress,
    chunk: Place,
    _place: MutexGuard<'a, Option<Place>>,
}

impl Look<'_> {
    /// The rows that are complete by now.
    pub(super) fn rows(&self) -> &[u64] {
        let length = self.progress.length.load(Ordering::Acquire);
        // SAFETY: the chunk is neither moved nor freed before it is hidden, which waits for us; so many words of it were written before
        // the number was stored, and they are not written again.
        unsafe { std::slice::from_raw_parts(self.chunk.0, length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_seen_as_far_as_it_is_filled() {
        let progress = Progress::default();
        assert!(progress.look().is_none());
        let mut chunk = Vec::with_capacity(8);
        progress.show(&mut chunk);
        chunk.extend([1, 2, 3]);
        assert_eq!(progress.look().unwrap().rows(), []);
        progress.reach(2);
        assert_eq!(progress.look().unwrap().rows(), [1, 2]);
        progress.hide();
        assert!(progress.look().is_none());
        progress.show(&mut chunk);
        assert_eq!(progress.look().unwrap().rows(), []);
        progress.hide();
    }
}
