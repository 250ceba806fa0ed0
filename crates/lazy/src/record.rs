//! Recording a run: the program runs as it always does, and a trail of it is written beside.
//!
//! What goes wrong with the trail (a full disk) does not touch the program, and what goes wrong with the program (an
//! exception, a limit, Ctrl-C) is told in the trail.

use crate::run::{Outcome, Ran, Run};
use crate::tables::tables;
use crate::{Checked, Stopper, Suspects};
use gadfly_core::Lowered;
use gadfly_machine::Resource;
use gadfly_trail::Bounds;
use gadfly_trail::model::{RunEnd, Tables};
use gadfly_trail::stream::Stream;
use gadfly_trail::write::{self, CreateError, OnFull, Writer, Written};
use std::io;
use std::path::Path;
use thiserror::Error;

/// What is to be recorded of a program.
#[derive(Clone, Debug)]
pub struct Described {
    /// What the trail says of the program.
    pub tables: Tables,
    /// Which functions are recorded, by their numbers.
    pub recorded: Vec<bool>,
    /// Names on the command line that mean nothing in this program.
    pub unused: Vec<String>,
}

/// Where a trail goes.
pub struct Target<'a> {
    /// The file.
    pub path: &'a Path,
    /// How large it may become.
    pub bounds: Bounds,
    /// Hears that it has become that large.
    pub on_full: OnFull,
}

/// A run that was recorded.
#[derive(Debug)]
pub struct Recorded {
    /// What the run did.
    pub ran: Ran,
    /// What came of the trail.
    pub written: Written,
}

/// A recording that could not begin.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file could not be made.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// The program could not be run.
    #[error(transparent)]
    Run(#[from] io::Error),
}

impl Checked {
    /// What is to be recorded of a program; `command` says for people what is run.
    pub fn describe(&self, lowered: &Lowered, suspects: &Suspects, command: &str) -> Described {
        let chosen = suspects.choose(self, lowered);
        let tables = tables(self, lowered, &chosen.recorded, command);
        Described { tables, recorded: chosen.recorded, unused: chosen.unused }
    }

    /// Runs the program and writes its trail to a file. `watch` is given a way to stop it.
    pub fn record(
        &self,
        lowered: &Lowered,
        described: Described,
        how: Run,
        target: Target<'_>,
        watch: impl FnOnce(Stopper) + Send,
    ) -> Result<Recorded, RecordError> {
        let Target { path, bounds, on_full } = target;
        let (writer, outcome) = Writer::create_within(path, &described.tables, bounds, on_full)?;
        let ran = self.trail(lowered, how, Stream::new(Box::new(writer)), described.recorded, watch)?;
        Ok(Recorded { ran, written: outcome.written() })
    }
}

/// Why a recording is not complete.
pub use write::Failure as WriteFailure;

/// How a run ended, for the trail.
pub(crate) fn end_of(ran: &Ran) -> RunEnd {
    match &ran.outcome {
        Outcome::Exit(status) => RunEnd::Exit(*status),
        Outcome::NoMain => RunEnd::Exit(1),
        Outcome::Uncaught { message, status, exhausted, .. } => match exhausted {
            Some(Resource::Heap) => RunEnd::Limit("heap".to_owned()),
            Some(Resource::Stack) => RunEnd::Limit("stack".to_owned()),
            None if message.is_empty() => RunEnd::Exit(*status),
            None => RunEnd::Uncaught(message.trim_end().to_owned(), *status),
        },
        Outcome::ClosedPipe => RunEnd::Exit(0),
        Outcome::Interrupted => RunEnd::Interrupted,
        Outcome::TimeLimit => RunEnd::Limit("time".to_owned()),
        Outcome::StepLimit => RunEnd::Limit("steps".to_owned()),
    }
}
