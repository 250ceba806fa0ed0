//! What is wrong with a trail: so that nothing can be read, or so that something is left out.

use std::io;
use thiserror::Error;

/// A file that could not be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct OpenError {
    /// The sort of error.
    pub kind: OpenErrorKind,
    /// One sentence: what is wrong.
    pub message: String,
    /// What to do next.
    pub hint: &'static str,
}

/// The sort of an [`OpenError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenErrorKind {
    /// The file could not be opened or read.
    Io,
    /// There are no bytes in it.
    Empty,
    /// It is something else.
    NotATrail,
    /// It was written by a version of Gadfly that this one does not know.
    NewerVersion,
    /// It ends, or is damaged, before anything can be understood: in the header or in the program's tables.
    Damaged,
}

impl OpenError {
    pub(super) fn new(kind: OpenErrorKind, message: impl Into<String>, hint: &'static str) -> OpenError {
        OpenError { kind, message: message.into(), hint }
    }

    pub(super) fn io(error: &io::Error) -> OpenError {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => "check the path",
            io::ErrorKind::PermissionDenied => "check the file's permissions",
            _ => "check that it is a readable file",
        };
        OpenError::new(OpenErrorKind::Io, format!("it cannot be opened: {error}"), hint)
    }

    pub(super) fn damaged(message: impl Into<String>) -> OpenError {
        OpenError::new(OpenErrorKind::Damaged, message, "record the run again")
    }
}

/// Something that is wrong with a trail that opened nevertheless. What can be read is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The sort of problem.
    pub kind: ProblemKind,
    /// Where in the file.
    pub offset: u64,
    /// One sentence: what is wrong, and what is left out therefore.
    pub message: String,
}

/// The sort of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The file ends inside a block: the recording was killed, or the file was not copied as a whole. The last rows are
    /// missing.
    Cut,
    /// A block is not as it was written. It and all that come after it are left out.
    Damaged,
    /// All blocks are good, but the run's end is not among them: the recording was killed, or the disk was full.
    NoEnd,
    /// The run is complete; only the index behind it is missing or damaged, or something stands behind that.
    Index,
    /// A value is not sound. Found only by [`super::check`]: a reader takes it for unknown.
    Unsound,
}

impl Problem {
    pub(super) fn new(kind: ProblemKind, offset: u64, message: impl Into<String>) -> Problem {
        Problem { kind, offset, message: message.into() }
    }
}
