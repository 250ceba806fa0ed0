//! How a Python program is run, so that it can be run again and be the same run.

use super::job::{self, DebugTest, Given, Job, Task};
use gadfly_frontend::Failure;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// A command with its surroundings.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    command: Vec<OsString>,
    environment: Vec<(String, String)>,
    folder: Option<PathBuf>,
    /// What the program reads.
    input: Option<Input>,
    /// How long it may take.
    seconds: Option<f64>,
    /// What every run of it is told; each has a task of its own.
    job: Job,
}

/// A file that a program reads as its standard input, as often as it is run.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    path: PathBuf,
    /// It goes away with this.
    _kept: Option<Arc<tempfile::TempPath>>,
}

impl Input {
    pub(crate) fn file(path: PathBuf) -> Input {
        Input { path, _kept: None }
    }

    /// The standard input, if it can be read again: a file that nobody else reads, or what has come through a pipe by now, with what
    /// follows that.
    pub(crate) fn standard() -> Option<Input> {
        let stdin = std::io::stdin();
        let link = std::fs::read_link("/proc/self/fd/0").ok()?;
        if link.is_file() {
            return Some(Input::file(link));
        }
        let is_pipe = link.to_string_lossy().starts_with("pipe:");
        let mut waiting = [PollFd::new(&stdin, PollFlags::IN)];
        if !is_pipe || poll(&mut waiting, Some(&SOON)).ok()? == 0 {
            return None;
        }
        let mut kept = tempfile::NamedTempFile::with_prefix("gadfly-").ok()?;
        std::io::copy(&mut stdin.lock(), &mut kept).ok()?;
        let kept = kept.into_temp_path();
        Some(Input { path: kept.to_path_buf(), _kept: Some(Arc::new(kept)) })
    }
}

/// What does not come through a pipe so soon does not come.
const SOON: Timespec = Timespec { tv_sec: 0, tv_nsec: 300_000_000 };

impl Recipe {
    /// A command, of which the first word is the interpreter.
    pub(crate) fn new(
        command: Vec<OsString>,
        input: Option<Input>,
        seconds: Option<f64>,
        mut job: Job,
    ) -> Recipe {
        let chance = || RandomState::new().build_hasher().finish();
        // The order of sets and what `random` gives is to be the same in another run; the program does not see how that is done.
        job.seed = Some(chance());
        job.notes = job::notes();
        let mut environment = Vec::new();
        if std::env::var_os("PYTHONHASHSEED").is_none() {
            environment.push(("PYTHONHASHSEED".to_owned(), (chance() as u32).to_string()));
            job.own_hash_seed = true;
        }
        Recipe { command, environment, folder: None, input, seconds, job }
    }

    /// How the test is run again that the pytest plugin wants to have debugged.
    pub(crate) fn of_test(test: &DebugTest) -> Result<Recipe, Failure> {
        if test.command.is_empty() {
            return Err(Failure::input("the job of the pytest plugin has no command"));
        }
        let command = test.command.iter().map(Into::into).collect();
        let job = Job { notes: job::notes(), ..test.job.clone() };
        let (environment, folder) = (test.environment.clone(), Some(test.folder.clone()));
        Ok(Recipe { command, environment, folder, input: None, seconds: None, job })
    }

    /// With files that are references: they have to be valid Python, and modules of their names are suspected.
    pub(crate) fn with_references(mut self, files: &[&Path]) -> Recipe {
        let stem = |path: &&Path| Some(path.file_stem()?.to_str()?.to_owned());
        self.job.counterparts = files.iter().filter_map(stem).collect();
        let there = files.iter().filter(|path| path.is_file());
        self.job.references = there.map(|path| path.display().to_string()).collect();
        self
    }

    pub(crate) fn python(&self) -> &OsStr {
        self.command.first().map_or(OsStr::new("python3"), OsString::as_os_str)
    }

    pub(crate) fn seconds(&self) -> Option<f64> {
        self.seconds
    }

    /// The folder that the program is run in.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(|| PathBuf::from("."))
    }

    /// The command, to be run as the first time, and the job that it is given.
    pub(crate) fn command(&self, task: Task) -> Result<(Command, Given), Failure> {
        let mut command = Command::new(self.python());
        command.args(&self.command[1..]).envs(self.environment.iter().cloned());
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        if let Some(input) = &self.input {
            let input = File::open(&input.path).map_err(|error| {
                Failure::input(format!("{}: {error}", input.path.display()))
                    .with_hint("name a file that can be read")
            })?;
            command.stdin(input);
        }
        let given = Job { task, ..self.job.clone() }.give_to(&mut command)?;
        Ok((command, given))
    }

    /// The command, to be run again in the background.
    pub(crate) fn again(&self, task: Task) -> Result<(Command, Given), Failure> {
        let (mut command, given) = self.command(task)?;
        command.stdout(Stdio::null());
        if self.input.is_none() {
            command.stdin(Stdio::null());
        }
        if self.job.notes.is_none() {
            command.stderr(Stdio::null());
        }
        Ok((command, given))
    }
}
