//! How a Python program is run, so that it can be run again and be the same run.

use crate::failure::Failure;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;
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
    pub(crate) fn new(command: Vec<OsString>, input: Option<Input>, seconds: Option<f64>) -> Recipe {
        let chance = || RandomState::new().build_hasher().finish();
        // The order of sets and what `random` gives is to be the same in another run; the program does not see how that is done.
        let mut environment = vec![("GADFLY_CHANCE".to_owned(), chance().to_string())];
        if std::env::var_os("PYTHONHASHSEED").is_none() {
            environment.push(("PYTHONHASHSEED".to_owned(), (chance() as u32).to_string()));
            environment.push(("GADFLY_SEEDED".to_owned(), "1".to_owned()));
        }
        Recipe { command, environment, folder: None, input, seconds }
    }

    /// One that the pytest plugin wrote down.
    pub(crate) fn read(path: &Path) -> Result<Recipe, Failure> {
        let failure = |error: String| {
            Failure::input(format!("{}: {error}", path.display())).with_hint("leave `--replay` out")
        };
        let text = std::fs::read(path).map_err(|error| failure(error.to_string()))?;
        let written: Value = serde_json::from_slice(&text).map_err(|error| failure(error.to_string()))?;
        let texts = |name: &str| -> Vec<String> {
            let list = written[name].as_array().into_iter().flatten();
            list.filter_map(|text| text.as_str().map(str::to_owned)).collect()
        };
        let command: Vec<OsString> = texts("command").into_iter().map(Into::into).collect();
        if command.is_empty() {
            return Err(failure("there is no command".to_owned()));
        }
        let environment = written["environment"].as_object().into_iter().flatten();
        let environment = environment
            .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
            .collect();
        let folder = written["folder"].as_str().map(PathBuf::from);
        Ok(Recipe { command, environment, folder, input: None, seconds: None })
    }

    /// A variable of the environment more.
    pub(crate) fn with(mut self, name: &str, value: String) -> Recipe {
        self.environment.push((name.to_owned(), value));
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

    /// The command, to be run as the first time.
    pub(crate) fn command(&self) -> Result<Command, Failure> {
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
        Ok(command)
    }

    /// The command, to be run again while nobody looks.
    pub(crate) fn again(&self) -> Result<Command, Failure> {
        let mut command = self.command()?;
        command.stdout(Stdio::null());
        if self.input.is_none() {
            command.stdin(Stdio::null());
        }
        if std::env::var_os("GADFLY_PLAYER_TRACE").is_none() {
            command.stderr(Stdio::null());
        }
        Ok(command)
    }
}
