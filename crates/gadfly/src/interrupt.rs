//! Ctrl-C while a program is running.
//!
//! A program that is only run is stopped, and Gadfly ends. One that is recorded is stopped too, but its trail is kept: who
//! records wants it finished, and who debugs goes on with what ran so far, which is how a program that never ends is
//! debugged. A second Ctrl-C ends Gadfly.

use crate::output;
use gadfly_lazy::Stopper;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// What happens after the program was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Afterwards {
    /// Gadfly ends as soon as what the program wrote is out.
    End,
    /// Whoever runs the program goes on.
    GoOn,
}

struct Running {
    /// What stops it; none if it is a process of its own, which gets its own Ctrl-C.
    stopper: Option<Stopper>,
    afterwards: Afterwards,
}

static RUNNING: Mutex<Option<Running>> = Mutex::new(None);
static DONE: Condvar = Condvar::new();

/// How long a program that was stopped may take to notice.
const PATIENCE: Duration = Duration::from_millis(500);

fn running() -> MutexGuard<'static, Option<Running>> {
    RUNNING.lock().unwrap_or_else(|poison| poison.into_inner())
}

/// A program has begun to run.
pub(crate) fn begin(stopper: Stopper, afterwards: Afterwards) {
    *running() = Some(Running { stopper: Some(stopper), afterwards });
}

/// Another process has begun to run a program that is recorded.
pub(crate) fn begin_child() {
    *running() = Some(Running { stopper: None, afterwards: Afterwards::GoOn });
}

/// The program has ended, and what was recorded of it is kept.
pub(crate) fn end() {
    *running() = None;
    DONE.notify_all();
}

/// Ctrl-C. Says whether Gadfly is to end now.
pub(crate) fn interrupt() -> bool {
    let mut running = running();
    let Some(program) = running.as_ref() else { return true };
    if let Some(stopper) = &program.stopper {
        stopper.interrupt();
    }
    let afterwards = program.afterwards;
    if afterwards == Afterwards::GoOn {
        // The next Ctrl-C finds nothing to stop: a program that waits for input does not notice the first.
        *running = None;
        output::error_line("\nStopping the program; Ctrl-C again ends Gadfly.");
        return false;
    }
    let waited = DONE.wait_timeout_while(running, PATIENCE, |running| running.is_some());
    // Whoever ran the program tells how it ended; if it did not notice in time, nobody does.
    waited.is_ok_and(|(_, timeout)| timeout.timed_out())
}
