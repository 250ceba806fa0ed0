//! What a process of the package is to do: one file, whose path is in `GADFLY_JOB`.
//!
//! The other end is `python/gadfly/job.py`; `python/messages.jsonl` has examples. The process writes its version beside the job first, so
//! that it is known afterwards whether the package was there at all, and whether it fits.

use super::messages::{Failed, Reply, VERSION};
use gadfly_frontend::Failure;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

const VARIABLE: &str = "GADFLY_JOB";

/// One run of a program or of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "job")]
pub(crate) struct Job {
    pub(crate) version: u32,
    pub(crate) task: Task,
    pub(crate) trust: Vec<String>,
    pub(crate) suspect: Vec<String>,
    /// Modules that there is a reference of: they are suspected wherever they are.
    pub(crate) counterparts: Vec<String>,
    /// Files that have to be valid Python.
    pub(crate) references: Vec<String>,
    /// What is evaluated instead of the program.
    pub(crate) expression: Option<String>,
    /// How many bytes the recorder may take.
    pub(crate) memory: Option<u64>,
    /// How many bytes the trail may have.
    pub(crate) trail_limit: Option<u64>,
    /// Whether calls are heard of by `sys.monitoring` alone.
    pub(crate) monitoring: bool,
    /// Of the module `random`.
    pub(crate) seed: Option<u64>,
    /// Whether the seed of the hashes of strings in the environment is ours: the program is not to see it.
    pub(crate) own_hash_seed: bool,
    pub(crate) test: Option<TestToRun>,
    /// Where the package writes down errors of its own, and answers.
    pub(crate) notes: Option<PathBuf>,
}

/// What a run is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Task {
    /// Record it, perhaps with what happens inside of calls; without a place, only follow it.
    Record { trail: Option<PathBuf>, detail: bool },
    /// Answer requests about calls through a socket.
    Replay { socket: PathBuf },
    /// Keep the trails of what passes in a folder.
    Collect { folder: PathBuf },
}

/// The only test that is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TestToRun {
    pub(crate) nodeid: String,
    pub(crate) example: Option<ExampleToFind>,
    /// The file with the states of random numbers before it.
    pub(crate) random_state: String,
}

/// The example of a test of hypothesis's that is looked for: by its text, or by its number if texts do not tell examples apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExampleToFind {
    pub(crate) seed: u64,
    pub(crate) number: u64,
    pub(crate) text: Option<String>,
}

impl Job {
    /// A job with nothing chosen.
    pub(crate) fn new(task: Task) -> Job {
        Job {
            version: VERSION,
            task,
            trust: Vec::new(),
            suspect: Vec::new(),
            counterparts: Vec::new(),
            references: Vec::new(),
            expression: None,
            memory: None,
            trail_limit: None,
            monitoring: false,
            seed: None,
            own_hash_seed: false,
            test: None,
            notes: None,
        }
    }

    /// Writes it down for a command.
    pub(crate) fn give_to(&self, command: &mut Command) -> Result<Given, Failure> {
        let folder = tempfile::Builder::new().prefix("gadfly-").tempdir()?;
        let path = folder.path().join("job.json");
        let text = serde_json::to_vec(self).map_err(|error| {
            Failure::input(format!("the job cannot be written: {error}"))
                .with_hint("use paths that are valid UTF-8")
        })?;
        std::fs::write(&path, text)?;
        command.env(VARIABLE, &path);
        Ok(Given { path, _folder: folder })
    }
}

/// A folder that somebody wants notes of the package in: `GADFLY_JOB` names it.
pub(crate) fn notes() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os(VARIABLE)?);
    folder.is_dir().then(|| folder.join("notes"))
}

/// A job that a process was given.
pub(crate) struct Given {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Given {
    /// Complains if the process could not begin: the package is not there, does not fit, or a reference is not valid Python. To be
    /// asked after the process has ended.
    pub(crate) fn check(&self, python: &OsStr) -> Result<(), Failure> {
        let replies = std::fs::read_to_string(self.path.with_extension("json.reply")).unwrap_or_default();
        let mut replies = replies.lines().map(|line| serde_json::from_str::<Reply>(line).ok());
        match replies.next() {
            Some(Some(Reply::Hello { version: VERSION })) => {}
            Some(_) => return Err(does_not_fit(python)),
            None => return super::has_package(python),
        }
        match replies.next().flatten() {
            Some(Reply::Failed(Failed { detail, .. })) => {
                Err(Failure::input(detail).with_hint("the reference must be valid Python"))
            }
            _ => Ok(()),
        }
    }
}

fn does_not_fit(python: &OsStr) -> Failure {
    let python = python.to_string_lossy();
    Failure::input(format!("the package gadfly of {python} does not fit this version of gadfly"))
        .with_hint("install both from the same release")
}

/// What the pytest plugin wants to have debugged: a test that was recorded, and how it is run again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "debug-test")]
pub struct DebugTest {
    pub(crate) version: u32,
    /// The recorded test.
    pub trail: PathBuf,
    pub(crate) command: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) folder: PathBuf,
    pub(crate) job: Job,
    /// Who answers.
    pub oracles: Vec<String>,
    /// The strategy, if one is wanted.
    pub strategy: Option<String>,
    /// How the result is printed.
    pub format: String,
}

impl DebugTest {
    /// Reads what the plugin wrote.
    pub fn read(path: &Path) -> Result<DebugTest, Failure> {
        let failure = |error: String| Failure::input(format!("{}: {error}", path.display()));
        let text = std::fs::read(path).map_err(|error| failure(error.to_string()))?;
        serde_json::from_slice(&text).map_err(|error| failure(error.to_string()))
    }
}
