//! What a program is launched with, and the world around it.

use crate::OracleSpec;
use gadfly_source::{Diagnostic, Sources};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What a program is launched with.
#[derive(Clone)]
pub struct Launch {
    /// The program's file, or the file of its recording.
    pub file: PathBuf,
    /// How it is run.
    pub run: Run,
    /// Functions and modules that are not recorded.
    pub trust: Vec<String>,
    /// Who answers afterwards: a front-end may have to prepare for it.
    pub oracles: Vec<OracleSpec>,
    /// How long an answer may take, if the user says so.
    pub oracle_timeout: Option<Duration>,
    /// Whether a person answers afterwards, on the standard input.
    pub person: bool,
    /// Whether many rounds or statements inside a call are asked about in halves.
    pub balanced: bool,
    /// The world around it.
    pub world: Arc<dyn World>,
}

/// How a program is run.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// What is evaluated instead of the program's main function.
    pub expression: Option<String>,
    /// What the program is called with.
    pub arguments: Vec<String>,
    /// What it reads as its standard input.
    pub input: Option<PathBuf>,
    /// Functions and modules of libraries that are recorded too.
    pub suspect: Vec<String>,
    /// How much it may take.
    pub limits: Limits,
    /// How many bytes the recorder may take.
    pub memory: Option<u64>,
    /// How many bytes the trail may have.
    pub trail_limit: Option<u64>,
    /// Whether the recorder uses `sys.monitoring`.
    pub monitoring: bool,
}

/// How much a program may take; the front-end's default where nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Calls.
    pub steps: Option<u64>,
    /// Bytes of heap.
    pub heap: Option<u64>,
    /// Bytes of stack.
    pub stack: Option<u64>,
    /// Seconds.
    pub time: Option<f64>,
}

/// Stops a program that is running.
pub type Stop = Box<dyn Fn() + Send>;

/// What happens after a program was stopped by Ctrl-C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Afterwards {
    /// Gadfly ends as soon as what the program wrote is out.
    End,
    /// Gadfly goes on with what ran so far.
    GoOn,
}

/// The world around a program, as far as it is not the program's own.
pub trait World: Send + Sync {
    /// Says something to the person, beside the program's output.
    fn tell(&self, line: &str);

    /// Shows what is to be said about source code.
    fn diagnose(&self, diagnostics: &[Diagnostic], sources: &Sources);

    /// The program has begun to run. Ctrl-C stops it by `stop`; a process of its own gets its own Ctrl-C.
    fn begun(&self, stop: Option<Stop>, afterwards: Afterwards);

    /// The program has ended.
    fn ended(&self);
}
