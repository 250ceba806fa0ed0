//! Records a program and opens the file that came of it, with nothing else left.

use gadfly_lazy::{Checked, Limits, Lowered, Run, Settings, Suspects, Target};
use gadfly_source::NamePattern;
use gadfly_trail::{Bounds, Trail};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs, mem};

/// How a program is recorded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct How<'a> {
    /// Functions of the program that are trusted.
    pub(crate) trusted: &'a [&'a str],
    /// Functions of the library that are not.
    pub(crate) suspected: &'a [&'a str],
    /// What is evaluated and shown instead of `main`.
    pub(crate) expression: Option<&'a str>,
    /// What stands in the standard input.
    pub(crate) input: &'a str,
    /// How many nodes may be recorded.
    pub(crate) nodes: Option<u64>,
    /// Whether memory is so small that values move all the time.
    pub(crate) cramped: bool,
}

impl How<'_> {
    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        if self.cramped {
            limits.nursery = 1 << 12;
        }
        limits
    }
}

/// A run that was recorded, and its twin that was not.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// What is in the file.
    pub(crate) trail: Trail,
    /// What the recorded run wrote to standard output and standard error.
    pub(crate) output: [String; 2],
    /// The plain run; none if the recorded one was limited.
    pub(crate) plain: Option<Plain>,
}

/// A run that was not recorded.
#[derive(Debug)]
pub(crate) struct Plain {
    /// What it wrote to standard output and standard error.
    pub(crate) output: [String; 2],
    /// How often each of the program's functions was unfolded.
    pub(crate) counts: Vec<(String, u64)>,
}

/// Records a program. When this returns, the program, its source and the machine are gone: the trail is read from what was
/// the file.
pub(crate) fn record(text: &str, how: How<'_>) -> Recorded {
    let folder = tempfile::tempdir().unwrap();
    let (source, trail) = (folder.path().join("Main.hs"), folder.path().join("run.trail"));
    fs::write(&source, text).unwrap();
    let (output, plain) = run(&source, &trail, how);
    let bytes = fs::read(&trail).unwrap();
    drop(folder);
    let trail = Trail::from_bytes(bytes).unwrap();
    assert!(trail.problems().is_empty(), "{:?}", trail.problems());
    Recorded { trail, output, plain }
}

fn run(source: &Path, trail: &Path, how: How<'_>) -> ([String; 2], Option<Plain>) {
    let checked = checked(source, how);
    let lowered = checked.lower().unwrap();
    let patterns = |names: &[&str]| names.iter().map(|name| NamePattern::new(name)).collect();
    let suspects = Suspects { trusted: patterns(how.trusted), suspected: patterns(how.suspected) };
    let described = checked.describe(&lowered, &suspects, "test");
    if std::env::var("SUS").is_err() && std::env::var("TRUST").is_err() {
        assert!(described.unused.is_empty(), "{:?}", described.unused);
    }
    let (streams, settings) = streams(how);
    let run = Run { world: settings, limits: how.limits(), steps: how.nodes };
    let target = Target { path: trail, bounds: Bounds::none(), on_full: Box::new(drop) };
    let recorded = checked.record(&lowered, described, run, target, |_| ()).unwrap();
    assert!(recorded.written.failure.is_none(), "{:?}", recorded.written.failure);
    let plain = (!matches!(recorded.ran.outcome, gadfly_lazy::Outcome::StepLimit))
        .then(|| plain(&checked, &lowered, how));
    (streams.map(|stream| stream.text()), plain)
}

fn plain(checked: &Checked, lowered: &Lowered, how: How<'_>) -> Plain {
    let (counted, world) = streams(how);
    let ran = checked
        .run(lowered, Run { world, limits: Limits::default(), steps: Some(u64::MAX) }, |_| ())
        .unwrap();
    let counted = counted.map(|stream| stream.text());
    let (streams, world) = streams(how);
    checked.run(lowered, Run { world, limits: Limits::default(), steps: None }, |_| ()).unwrap();
    let output = streams.map(|stream| stream.text());
    assert_eq!(output, counted);
    Plain { output, counts: ran.counts }
}

fn checked(source: &Path, how: How<'_>) -> Checked {
    let checked = gadfly_lazy::check(source).unwrap();
    let checked = match how.expression {
        Some(text) => checked.evaluating(text),
        None if checked.shows_main() => checked.started(true),
        None => checked,
    };
    let (told, sources) = checked.told();
    let told: Vec<String> =
        told.iter().map(|told| gadfly_source::render(told, &sources, gadfly_source::Colour::Never)).collect();
    assert!(!checked.has_errors(), "{}", told.join("\n"));
    checked
}

/// A world whose standard output and standard error are kept.
fn streams(how: How<'_>) -> ([Kept; 2], Settings) {
    let kept = [Kept::default(), Kept::default()];
    let world = Settings {
        program: "test".to_owned(),
        input: Box::new(io::Cursor::new(how.input.as_bytes().to_vec())),
        output: Box::new(kept[0].clone()),
        errors: Box::new(kept[1].clone()),
        ..Settings::empty()
    };
    (kept, world)
}

#[derive(Clone, Debug, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    fn text(&self) -> String {
        let bytes = mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        String::from_utf8(bytes).unwrap()
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
