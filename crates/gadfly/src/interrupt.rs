//! Ctrl-C while a program is running, and the rest of the world that a front-end sees.
//!
//! A program that is only run is stopped, and Gadfly ends. One that is recorded is stopped too, but its trail is kept: who
//! records wants it finished, and who debugs goes on with what ran so far, which is how a program that never ends is
//! debugged. A second Ctrl-C ends Gadfly.

use crate::output;
use gadfly_frontend::{Afterwards, Stop, World};
use gadfly_source::{Colour, Diagnostic, Sources};
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

struct Running {
    /// What stops it; none if it is a process of its own, which gets its own Ctrl-C.
    stop: Option<Stop>,
    afterwards: Afterwards,
}

/// Whether a pager has the terminal: Ctrl-C is its own then.
static PAGING: AtomicBool = AtomicBool::new(false);

/// Whether answers are on disk, which is good to know for one who interrupts the session.
static KEEPS: AtomicBool = AtomicBool::new(false);

/// From now on the answers of a session are kept.
pub(crate) fn answers_are_kept() {
    KEEPS.store(true, Ordering::Relaxed);
}

/// What is said before Gadfly ends in the middle of something.
pub(crate) fn say_farewell() {
    if KEEPS.load(Ordering::Relaxed) {
        output::error_line("\nThe answers are kept: `--resume` continues with them.");
    }
}

/// A pager is shown as long as this is alive.
pub(crate) struct Paging(());

impl Paging {
    pub(crate) fn begin() -> Paging {
        PAGING.store(true, Ordering::Relaxed);
        Paging(())
    }
}

impl Drop for Paging {
    fn drop(&mut self) {
        PAGING.store(false, Ordering::Relaxed);
    }
}

static RUNNING: Mutex<Option<Running>> = Mutex::new(None);
static DONE: Condvar = Condvar::new();

/// How long a program that was stopped may take to notice.
const STOP_GRACE: Duration = Duration::from_millis(500);

fn running() -> MutexGuard<'static, Option<Running>> {
    RUNNING.lock().unwrap_or_else(|poison| poison.into_inner())
}

/// The world around programs that are run from a terminal.
pub(crate) struct Terminal;

impl World for Terminal {
    fn tell(&self, line: &str) {
        output::error_line(line);
    }

    fn diagnose(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        let palette = output::Palette::for_terminal(std::io::stderr().is_terminal());
        let colour = if palette.is_coloured() { Colour::Always } else { Colour::Never };
        for diagnostic in diagnostics {
            output::error_drawn(&gadfly_source::render(diagnostic, sources, colour));
        }
    }

    fn begun(&self, stop: Option<Stop>, afterwards: Afterwards) {
        *running() = Some(Running { stop, afterwards });
    }

    fn ended(&self) {
        *running() = None;
        DONE.notify_all();
    }
}

/// Ctrl-C. Says whether Gadfly is to end now.
pub(crate) fn interrupt() -> bool {
    if PAGING.load(Ordering::Relaxed) {
        return false;
    }
    let mut running = running();
    let Some(program) = running.as_ref() else { return true };
    if let Some(stop) = &program.stop {
        stop();
    }
    let afterwards = program.afterwards;
    if afterwards == Afterwards::GoOn {
        // The next Ctrl-C finds nothing to stop: a program that waits for input does not notice the first.
        *running = None;
        output::error_line("\nStopping the program; Ctrl-C again ends Gadfly.");
        return false;
    }
    let waited = DONE.wait_timeout_while(running, STOP_GRACE, |running| running.is_some());
    // The one who ran the program reports how it ended; if it did not notice in time, nobody does.
    waited.is_ok_and(|(_, timeout)| timeout.timed_out())
}
