//! What ends a command early, and the exit status that goes with it.

use std::fmt;
use std::io;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
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
    /// Nobody reads the output any more: that is no error.
    ClosedPipe,
    /// Interrupted by the user.
    Interrupted,
}

impl Failure {
    /// An error in the user's program or trail.
    pub(crate) fn input(message: impl fmt::Display) -> Failure {
        Failure::Input { message: message.to_string(), hint: None }
    }

    /// A mistake on the command line.
    pub(crate) fn usage(message: impl fmt::Display) -> Failure {
        Failure::Usage { message: message.to_string(), hint: None }
    }

    /// A dialogue that could not go on.
    pub(crate) fn ended(message: String, hint: Option<String>) -> Failure {
        Failure::Input { message, hint }
    }

    /// Says what to do next.
    pub(crate) fn with_hint(self, text: impl fmt::Display) -> Failure {
        let text = Some(text.to_string());
        match self {
            Failure::Input { message, .. } => Failure::Input { message, hint: text },
            Failure::Usage { message, .. } => Failure::Usage { message, hint: text },
            other => other,
        }
    }

    /// Tells the user, and gives the exit status.
    pub(crate) fn tell(self) -> u8 {
        let (message, hint, status) = match self {
            Failure::Input { message, hint } => (message, hint, 1),
            Failure::Usage { message, hint } => (message, hint, 2),
            Failure::ClosedPipe => return 0,
            Failure::Interrupted => return 130,
        };
        crate::output::error_line(&format!("error: {message}"));
        if let Some(hint) = hint {
            crate::output::error_line(&format!("hint: {hint}"));
        }
        status
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
