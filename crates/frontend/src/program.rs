//! A program that can be run, recorded and asked.

use crate::{Failure, OracleSpec};
use gadfly_engine::{Inside, Oracle, Reviewer};
use gadfly_tree::{Node, Recording};
use gadfly_views::Viewed;
use std::path::Path;
use std::sync::Arc;

/// A program that is here.
pub trait Program: Send {
    /// Its name, without folder and suffix: messages begin with it, and its trail is named after it.
    fn name(&self) -> &str;

    /// Runs it, and gives its exit status. `count` says afterwards how often each of its functions was called.
    fn run(&mut self, count: bool) -> Result<u8, Failure>;

    /// Runs it and writes its trail.
    fn record(&mut self, request: RecordRequest<'_>) -> Result<Recorded, Failure>;

    /// Where a session about its recording begins, if the front-end knows better than at the whole.
    fn beginning(&self, _subject: &Subject) -> Option<Beginning> {
        None
    }

    /// An oracle that it offers; it is only asked for those that [`crate::Language::oracles`] lists.
    fn oracle(&mut self, spec: &OracleSpec, subject: &Subject) -> Result<Box<dyn Oracle>, Failure>;

    /// Who doubts verdicts, once all oracles are there.
    fn reviewer(&mut self, _subject: &Subject) -> Option<Box<dyn Reviewer>> {
        None
    }

    /// What opens the inside of calls.
    fn inside(&mut self, _subject: &Subject) -> Option<Box<dyn Inside>> {
        None
    }
}

/// What a session is about.
#[derive(Clone)]
pub struct Subject {
    /// The recording.
    pub recording: Arc<dyn Recording>,
    /// The same as a view of a trail, if it is one.
    pub viewed: Option<Arc<Viewed>>,
}

/// Where a session begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// These are asked about first, one after the other.
    pub symptoms: Vec<Node>,
    /// Whether the whole is known to be wrong.
    pub whole_is_wrong: bool,
}

/// How a program is recorded.
#[derive(Clone, Copy, Debug)]
pub struct RecordRequest<'a> {
    /// Where the trail goes.
    pub trail: &'a Path,
    /// Whether what happens inside calls is recorded too, where the language can.
    pub detail: bool,
    /// Whether its standard output goes to the standard error, since the standard output is Gadfly's.
    pub output_to_stderr: bool,
}

/// A run that was recorded.
#[derive(Debug)]
pub struct Recorded {
    /// How it ended.
    pub ended: Ended,
    /// How many nodes the trail has, if that is known without reading it.
    pub nodes: Option<u64>,
    /// Whether the user has been told how it ended.
    pub is_reported: bool,
}

/// How a recorded run ended, for whoever asked for it.
#[derive(Debug)]
pub enum Ended {
    /// By itself, with this exit status.
    Exit(u8),
    /// It was killed: by what, as half a sentence, and the status that a shell would give.
    Killed(String, u8),
    /// It was interrupted.
    Interrupted,
    /// A limit stopped it: which, as a sentence.
    Limit(String),
    /// The reader of its output has gone away.
    ClosedPipe,
}

impl Ended {
    /// The exit status of a command that did no more than run the program.
    pub fn status(self) -> Result<u8, Failure> {
        match self {
            Ended::Exit(status) | Ended::Killed(_, status) => Ok(status),
            Ended::Interrupted => Err(Failure::Interrupted),
            Ended::ClosedPipe => Err(Failure::ClosedPipe),
            Ended::Limit(message) => Err(Failure::input(message)),
        }
    }
}
