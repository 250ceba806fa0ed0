//! Why a command or a front-end cannot go on.

use std::fmt;
use std::io;

/// Why something ends early.
#[derive(Debug)]
pub enum Failure {
    /// The user's program or trail has an error: what, and what to do next.
    Input {
        /// What is wrong.
        message: String,
        /// What to do next.
        hint: Option<String>,
    },
    /// The command line is wrong.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do next.
        hint: Option<String>,
    },
    /// The reader of the output has gone away: that is no error.
    ClosedPipe,
    /// Interrupted by the user.
    Interrupted,
}

impl Failure {
    /// An error in the user's program or trail.
    pub fn input(message: impl fmt::Display) -> Failure {
        Failure::Input { message: message.to_string(), hint: None }
    }

    /// A mistake on the command line.
    pub fn usage(message: impl fmt::Display) -> Failure {
        Failure::Usage { message: message.to_string(), hint: None }
    }

    /// The same with what to do next.
    pub fn with_hint(self, text: impl fmt::Display) -> Failure {
        let text = Some(text.to_string());
        match self {
            Failure::Input { message, .. } => Failure::Input { message, hint: text },
            Failure::Usage { message, .. } => Failure::Usage { message, hint: text },
            other => other,
        }
    }
}

impl From<io::Error> for Failure {
    /// Errors of the terminal and of stdout; files are named where they are opened.
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            io::ErrorKind::Interrupted => Failure::Interrupted,
            _ => Failure::input(format!("cannot write the output: {error}")),
        }
    }
}
