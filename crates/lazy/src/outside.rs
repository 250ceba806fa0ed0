//! What a program that is recorded sees of the world, and what it read of it.

use gadfly_frontend::{Failure, Launch};
use gadfly_machine::Settings;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// What a program that is recorded sees of the world.
pub(crate) struct Outside {
    settings: Settings,
    unfed: Unfed,
    heard: Heard,
}

/// Where a program was given nothing to read: whether it wanted something.
#[derive(Default)]
pub(crate) struct Unfed(Option<Arc<AtomicBool>>);

impl Unfed {
    pub(crate) fn wanted_input(&self) -> bool {
        self.0.as_ref().is_some_and(|asked| asked.load(Ordering::Relaxed))
    }
}

/// What a program was given to read, for a reference to read as well: none where that is not known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard(Option<Arc<Mutex<Vec<u8>>>>);

impl Heard {
    /// What `--input` names.
    pub(crate) fn of(bytes: Vec<u8>) -> Heard {
        Heard(Some(Arc::new(Mutex::new(bytes))))
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        let bytes = self.0.as_ref()?.lock().unwrap_or_else(|poison| poison.into_inner());
        Some(bytes.clone())
    }
}

/// Reads what a file given by `--input` holds.
pub(crate) fn input(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| {
        Failure::input(format!("--input {}: {error}", path.display()))
            .with_hint("name a file that can be read")
    })
}

impl Outside {
    /// The world of a program that is recorded. Where a person's answers come through a pipe, the program cannot read
    /// that too: it has only what `--input` names. With `output_to_stderr`, what it reads is remembered as well.
    pub(crate) fn new(name: &str, launch: &Launch, output_to_stderr: bool) -> Result<Outside, Failure> {
        let mut settings = Settings::of_process(name.to_owned(), launch.run.arguments.clone());
        let mut unfed = Unfed::default();
        let mut heard = Heard::default();
        if let Some(path) = &launch.run.input {
            let bytes = input(path)?;
            settings.input = Box::new(io::Cursor::new(bytes.clone()));
            settings.input_is_terminal = false;
            heard = Heard::of(bytes);
        } else if launch.person && !io::stdin().is_terminal() {
            let asked = Arc::new(AtomicBool::new(false));
            settings.input = Box::new(Nothing { asked: Arc::clone(&asked) });
            settings.input_is_terminal = false;
            unfed = Unfed(Some(asked));
            heard = Heard::of(Vec::new());
        } else if output_to_stderr {
            heard = Heard::of(Vec::new());
            settings.input = Box::new(Listened { input: settings.input, heard: heard.clone() });
        }
        if output_to_stderr {
            settings.output = Box::new(io::stderr());
            settings.output_is_terminal = io::stderr().is_terminal();
        }
        Ok(Outside { settings, unfed, heard })
    }

    /// What the program has read, once it has run.
    pub(crate) fn heard(&self) -> Heard {
        self.heard.clone()
    }

    /// What the program is given, and what shows afterwards whether it missed something.
    pub(crate) fn split(self) -> (Settings, Unfed) {
        (self.settings, self.unfed)
    }
}

/// An input that is empty, and remembers that it was wanted.
struct Nothing {
    asked: Arc<AtomicBool>,
}

impl Read for Nothing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.asked.store(true, Ordering::Relaxed);
        Ok(0)
    }
}

/// An input of which what was read is remembered.
struct Listened {
    input: Box<dyn Read + Send>,
    heard: Heard,
}

impl Read for Listened {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(into)?;
        if let Some(heard) = &self.heard.0 {
            heard.lock().unwrap_or_else(|poison| poison.into_inner()).extend_from_slice(&into[..count]);
        }
        Ok(count)
    }
}
