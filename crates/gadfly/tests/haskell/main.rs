//! Laws of Haskell programs: a program agrees with itself, what differs is blamed, and values are shown as they are printed.

mod blame;
mod itself;
mod printing;

use gadfly_lazy::{Limits, Run, Settings, Suspects, Target};
use gadfly_trail::{Bounds, Trail};
use gadfly_views::{Options, View, Viewed, view};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A run that was recorded, and what it printed.
struct Recorded {
    trail: Arc<Trail>,
    printed: String,
}

/// Records a program; none if it cannot be run.
fn record(file: &Path) -> Option<Recorded> {
    let checked = gadfly_lazy::check(file).ok()?;
    if checked.has_errors() || checked.shows_main() {
        return None;
    }
    let lowered = checked.lower().ok()?;
    if !checked.has_main(&lowered) {
        return None;
    }
    let described = checked.describe(&lowered, &Suspects::default(), "test");
    let output = Kept::default();
    let world =
        Settings { program: "test".to_owned(), output: Box::new(output.clone()), ..Settings::empty() };
    let run = Run { world, limits: Limits::default(), steps: Some(200_000) };
    let folder = tempfile::tempdir().ok()?;
    let trail = folder.path().join("run.trail");
    let target = Target { path: &trail, bounds: Bounds::none(), on_full: Box::new(|_| ()) };
    checked.record(&lowered, described, run, target, |_| ()).ok()?;
    let trail = Arc::new(Trail::open(&trail).ok()?);
    let printed =
        String::from_utf8_lossy(&output.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned();
    Some(Recorded { trail, printed })
}

fn viewed(recorded: &Recorded, of: View) -> Option<Viewed> {
    view(Arc::clone(&recorded.trail), &Options { view: of, ..Options::default() }).ok()
}

#[derive(Clone, Debug, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
