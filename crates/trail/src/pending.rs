//! A run that is kept in memory until it is known whether it is wanted: most tests of a suite pass, and their runs are not.
//!
//! What the rows need (tables and shapes) is kept from one run to the next, so that a run of code that was met before costs nothing but its
//! rows. A run that grows beyond a few chunks goes into its file meanwhile.

use super::model::{RunEnd, Shape, Tables};
use super::stream::{CHUNK, Sink};
use super::write::{CreateError, Outcome, Writer};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// So many chunks are kept in memory.
const KEPT: usize = 24;

/// The rows of a run that may or may not be wanted.
#[derive(Debug)]
pub struct Pending {
    first: Tables,
    tables: Vec<Tables>,
    shapes: Vec<Shape>,
    chunks: Vec<Vec<u64>>,
    /// Chunks that may be filled again.
    empty: Vec<Vec<u64>>,
    file: Option<Writer>,
    wanted: Wanted,
}

/// Where the run goes if it is wanted, which is set when it ends, and how writing it went.
#[derive(Clone, Debug, Default)]
pub struct Wanted(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// Where it goes when it is too large for memory.
    path: PathBuf,
    is_wanted: bool,
    outcome: Option<Result<Outcome, String>>,
}

impl Wanted {
    /// It is wanted.
    pub fn want(&self) {
        self.state(|state| state.is_wanted = true);
    }

    /// What came of it; nothing if it was not written.
    pub fn outcome(&self) -> Option<Result<Outcome, String>> {
        self.state(|state| state.outcome.take())
    }

    fn state<T>(&self, does: impl FnOnce(&mut State) -> T) -> T {
        does(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Pending {
    /// A run of a program with these tables, for a file.
    pub fn new(path: &Path, first: Tables) -> (Pending, Wanted) {
        let wanted = Wanted::default();
        wanted.state(|state| state.path = path.to_owned());
        let pending = Pending {
            first,
            tables: Vec::new(),
            shapes: Vec::new(),
            chunks: Vec::new(),
            empty: Vec::new(),
            file: None,
            wanted: wanted.clone(),
        };
        (pending, wanted)
    }

    /// Has what there is go into the file.
    fn write(&mut self) {
        let path = self.wanted.state(|state| state.path.clone());
        let created: Result<(Writer, Outcome), CreateError> = Writer::create(&path, &self.first);
        let outcome = match created {
            Ok((mut writer, outcome)) => {
                self.tables.iter().for_each(|tables| writer.more(tables.clone()));
                self.shapes.iter().for_each(|shape| writer.shape(*shape));
                for chunk in self.chunks.drain(..) {
                    let empty = writer.take(chunk);
                    self.empty.push(empty);
                }
                self.file = Some(writer);
                Ok(outcome)
            }
            Err(error) => Err(error.to_string()),
        };
        self.empty.truncate(1);
        self.wanted.state(|state| state.outcome = Some(outcome));
    }
}

impl Sink for Pending {
    fn more(&mut self, tables: Tables) {
        if let Some(file) = &mut self.file {
            file.more(tables.clone());
        }
        self.tables.push(tables);
    }

    fn shape(&mut self, shape: Shape) {
        if let Some(file) = &mut self.file {
            file.shape(shape);
        }
        self.shapes.push(shape);
    }

    fn take(&mut self, chunk: Vec<u64>) -> Vec<u64> {
        if self.file.is_none() && self.chunks.len() >= KEPT {
            self.write();
        }
        match &mut self.file {
            Some(file) => file.take(chunk),
            None => {
                self.chunks.push(chunk);
                self.empty.pop().unwrap_or_else(|| Vec::with_capacity(CHUNK))
            }
        }
    }

    fn rewind(&mut self) {
        self.empty.append(&mut self.chunks);
        self.empty.truncate(2);
        if self.file.take().is_some() {
            self.wanted.state(|state| {
                state.outcome = None;
                // It was made here, and is not wanted.
                let _ = std::fs::remove_file(&state.path);
            });
        }
    }

    fn end(&mut self, last: Vec<u64>, end: &RunEnd) {
        if !self.wanted.state(|state| state.is_wanted) {
            return self.rewind();
        }
        if self.file.is_none() {
            self.write();
        }
        if let Some(file) = &mut self.file {
            file.end(last, end);
        }
    }
}
