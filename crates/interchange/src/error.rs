//! What is wrong with a file, where, and what to do about it.

use std::{fmt, io};
use thiserror::Error;

/// The sort of problem a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The file could not be opened or read, or its copy could not be written.
    Io,
    /// The gzip data ends early.
    TruncatedGzip,
    /// The gzip data is damaged.
    CorruptGzip,
    /// More comes through a pipe, or out of compressed data, than may be taken.
    TooLarge,
    /// A line is not UTF-8.
    InvalidUtf8,
    /// A line is longer than 2 GiB.
    LineTooLong,
    /// A line is not a JSON object.
    BadJson,
    /// The first line is not a header, or there is none.
    MissingHeader,
    /// The header has a version that this program does not read.
    WrongVersion,
    /// A field is missing, given twice, or not what it should be.
    BadField,
    /// Two nodes have the same id.
    DuplicateId,
    /// A node's parent is nowhere in the file.
    UnknownParent,
    /// A node is its own ancestor.
    Cycle,
    /// Two nodes have no parent.
    TwoRoots,
    /// No node is without a parent, or there are no nodes.
    NoRoot,
    /// There are more nodes than a tree can hold.
    TooManyNodes,
}

/// A file that could not be opened: what is wrong, where, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct OpenError {
    /// The sort of problem.
    pub problem: Problem,
    /// The line, from 1; 0 when it is the file as a whole.
    pub line: u64,
    /// The column, from 1, in characters.
    pub column: Option<u64>,
    /// The field of the line's object.
    pub field: Option<&'static str>,
    /// One sentence: what is wrong.
    pub message: String,
    /// What to do next.
    pub hint: &'static str,
}

impl OpenError {
    /// An error of a whole line, or of the file (line 0).
    pub(crate) fn at_line(
        problem: Problem,
        line: u64,
        message: impl Into<String>,
        hint: &'static str,
    ) -> OpenError {
        OpenError { problem, line, column: None, field: None, message: message.into(), hint }
    }

    pub(crate) fn field(mut self, field: &'static str) -> OpenError {
        self.field = Some(field);
        self
    }

    /// Says the line, where reading stopped without knowing it.
    pub(crate) fn or_line(self, line: u64) -> OpenError {
        match self.problem {
            Problem::Io | Problem::TooLarge => self,
            _ if self.line > 0 => self,
            _ => OpenError { line, ..self },
        }
    }

    /// The file could not be opened.
    pub(crate) fn opening(error: &io::Error) -> OpenError {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => "check the path",
            io::ErrorKind::PermissionDenied => "check the file's permissions",
            _ => "check that it is a readable file",
        };
        OpenError::at_line(Problem::Io, 0, format!("cannot open the file: {error}"), hint)
    }

    /// A fault of a line, with the line it is in.
    pub(crate) fn in_line(fault: Fault, line: u64, text: &[u8]) -> OpenError {
        let before = &text[..fault.at.min(text.len())];
        // Every byte that does not continue a character begins one.
        let column = before.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64 + 1;
        OpenError {
            problem: fault.problem,
            line,
            column: Some(column),
            field: fault.field,
            message: fault.message,
            hint: fault.hint,
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}", self.line)?;
            if let Some(column) = self.column {
                write!(f, ", column {column}")?;
            }
            if let Some(field) = self.field {
                write!(f, ", field `{field}`")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

/// A problem inside one line. It is boxed on its way out, so that the way without faults stays narrow.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub problem: Problem,
    /// The byte of the line.
    pub at: usize,
    pub field: Option<&'static str>,
    pub message: String,
    pub hint: &'static str,
}

impl Fault {
    #[cold]
    pub(crate) fn json(at: usize, message: impl Into<String>, hint: &'static str) -> Box<Fault> {
        Box::new(Fault { problem: Problem::BadJson, at, field: None, message: message.into(), hint })
    }

    #[cold]
    pub(crate) fn field(at: usize, message: impl Into<String>, hint: &'static str) -> Box<Fault> {
        Box::new(Fault { problem: Problem::BadField, at, field: None, message: message.into(), hint })
    }

    /// Says in which field it is, unless that is known more precisely already.
    #[cold]
    pub(crate) fn within(mut self: Box<Self>, field: &'static str) -> Box<Fault> {
        self.field.get_or_insert(field);
        self
    }
}
