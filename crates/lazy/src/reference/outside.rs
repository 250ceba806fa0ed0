//! The world that actions of the reference see: nothing is written anywhere, and what they print is kept.
//!
//! `main` is given what the original was given, if that is known. Any other action stands somewhere in the middle of a run: what it would have
//! read from standard input nobody knows, and what it does to files is not done twice.

use gadfly_machine::{Settings, World};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// What actions are given, and what they did.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside {
    program: String,
    arguments: Vec<String>,
    /// What `main` reads, if that is known.
    input: Option<Arc<Vec<u8>>>,
    output: Arc<Mutex<Vec<u8>>>,
    /// Something was read that is not known.
    read: Arc<AtomicBool>,
}

/// No more than so much output is kept; what is longer is compared as far as that.
const KEPT: usize = 1 << 28;

impl Outside {
    pub(super) fn new(program: String, arguments: Vec<String>, input: Option<Vec<u8>>) -> Outside {
        Outside { program, arguments, input: input.map(Arc::new), ..Outside::default() }
    }

    /// A new world. What was printed is forgotten.
    pub(super) fn world(&self, main: bool) -> World {
        self.read.store(false, Ordering::Relaxed);
        if let Ok(mut output) = self.output.lock() {
            output.clear();
        }
        let input: Box<dyn Read + Send> = match &self.input {
            Some(input) if main => Box::new(Given { input: input.clone(), at: 0 }),
            _ => Box::new(Unknown(self.read.clone())),
        };
        World::new(Settings {
            program: self.program.clone(),
            arguments: self.arguments.clone(),
            environment: std::env::vars_os()
                .map(|(name, value)| {
                    (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
                })
                .collect(),
            input,
            output: Box::new(Kept(self.output.clone())),
            errors: Box::new(io::sink()),
            input_is_terminal: false,
            output_is_terminal: false,
            read_only: true,
        })
    }

    /// Why nothing can be said of an action, if it did what it may not; `refused` if it wanted to write to a file.
    pub(super) fn doubt(&self, refused: bool) -> Option<String> {
        if refused {
            return Some("it writes to a file".to_owned());
        }
        let read = self.read.load(Ordering::Relaxed);
        read.then(|| "it reads from standard input".to_owned())
    }

    /// Whether a text, and so many bytes or characters after it, is what was printed. An action is executed once here, but
    /// may have been several times: then it is printed again and again.
    pub(super) fn printed(&self, text: &str, more: u64) -> bool {
        let Ok(output) = self.output.lock() else { return false };
        let printed = String::from_utf8_lossy(&output);
        if more == 0 && !printed.is_empty() && text.len() > printed.len() {
            let again = text.as_bytes().chunks(printed.len());
            return again.into_iter().all(|chunk| chunk == printed.as_bytes());
        }
        match printed.strip_prefix(text) {
            Some(rest) if output.len() < KEPT => {
                rest.len() as u64 == more || rest.chars().count() as u64 == more
            }
            Some(_) => true,
            // A text that was cut may end in the middle of a character.
            None => more > 0 && text.strip_suffix('\u{fffd}').is_some_and(|text| printed.starts_with(text)),
        }
    }

    /// Whether what was printed begins with a text.
    pub(super) fn begins(&self, text: &str) -> bool {
        self.output.lock().is_ok_and(|output| String::from_utf8_lossy(&output).starts_with(text))
    }

    /// How many bytes were printed.
    pub(super) fn count(&self) -> u64 {
        self.output.lock().map_or(0, |output| output.len() as u64)
    }
}

struct Given {
    input: Arc<Vec<u8>>,
    at: usize,
}

impl Read for Given {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = (&self.input[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

struct Unknown(Arc<AtomicBool>);

impl Read for Unknown {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.store(true, Ordering::Relaxed);
        Ok(0)
    }
}

struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Ok(mut output) = self.0.lock() {
            let room = KEPT.saturating_sub(output.len());
            output.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
