//! Lets a program that is about to die have everything written at once.

use std::os::unix::thread::{JoinHandleExt as _, RawPthread};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{JoinHandle, Thread};
use std::time::Duration;

/// Asks the thread that writes a file to write all that there is, also what is in a chunk that is not full.
///
/// [`Urgent::save`] may be called where a signal is handled: it takes no lock and no memory.
#[derive(Debug)]
pub struct Urgent {
    requests: Arc<Requests>,
    thread: Thread,
    pthread: RawPthread,
}

/// How many requests were made, and how many were fulfilled.
#[derive(Debug, Default)]
pub(super) struct Requests {
    asked: AtomicU32,
    done: AtomicU32,
}

/// The number of fulfilled requests once the thread has ended.
const GONE: u32 = u32::MAX;

impl Urgent {
    pub(super) fn new(requests: Arc<Requests>, thread: &JoinHandle<()>) -> Urgent {
        Urgent { requests, thread: thread.thread().clone(), pthread: thread.as_pthread_t() }
    }

    /// The thread that writes, which must not wait for itself.
    pub fn thread(&self) -> RawPthread {
        self.pthread
    }

    /// Requests that everything be written, and waits for it, but not for ever: the crashed code may have damaged what the thread needs,
    /// or hold a lock that it waits for.
    pub fn save(&self, patience: Duration) {
        const PAUSE: Duration = Duration::from_micros(200);
        let number = self.requests.asked.fetch_add(1, Ordering::AcqRel) + 1;
        self.thread.unpark();
        let mut waited = Duration::ZERO;
        while self.requests.done.load(Ordering::Acquire) < number && waited < patience {
            std::thread::sleep(PAUSE);
            waited += PAUSE;
        }
    }
}

impl Requests {
    /// The number of the last request, if it is not done.
    pub(super) fn pending(&self) -> Option<u32> {
        let asked = self.asked.load(Ordering::Acquire);
        (asked > self.done.load(Ordering::Relaxed)).then_some(asked)
    }

    /// That one is done, and those before it.
    pub(super) fn done(&self, number: u32) {
        self.done.store(number, Ordering::Release);
    }

    /// Nobody is to wait any more.
    pub(super) fn gone(&self) {
        self.done(GONE);
    }
}
