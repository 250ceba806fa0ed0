//! The door that every language comes through.
//!
//! A language is a [`FrontEnd`]: it knows its files by their names, and launches a [`Program`]. A program can be run and
//! recorded, and offers what it knows beyond a recording as far as its language can: oracles, a reviewer that doubts
//! verdicts, the inside of calls. Adding a language is a room that implements these two traits, and a line in the list of
//! front-ends in `gadfly`.
//!
//! What stays true: a front-end writes to people through its [`World`] only; it refuses nothing that [`Language::options`]
//! lists, and never sees an option that it does not list; no other room asks which language a program is in.

mod failure;
mod launch;
mod oracle_spec;
mod program;

pub use failure::Failure;
pub use launch::{Afterwards, Launch, Limits, Run, Stop, World};
pub use oracle_spec::{OracleSpec, OracleSpecError};
pub use program::{Beginning, Ended, Program, RecordRequest, Recorded, Subject};

use std::io::Write;
use std::path::{Path, PathBuf};

/// A language that programs can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// Its name, as trails and people know it: `haskell`.
    pub name: &'static str,
    /// The name in sentences: `Haskell programs`.
    pub programs: &'static str,
    /// How the names of its files end, with the dot.
    pub suffixes: &'static [&'static str],
    /// The options that say how a program is run and that it takes: `-e`, `--input`, …
    pub options: &'static [&'static str],
    /// The oracles that its programs offer: `reference`, …
    pub oracles: &'static [&'static str],
}

impl Language {
    /// Whether a file is a program of this language, by its name.
    pub fn is_program(&self, file: &Path) -> bool {
        // A name need not be Unicode.
        let name = file.file_name().map_or(&[][..], |name| name.as_encoded_bytes());
        self.suffixes.iter().any(|suffix| name.len() > suffix.len() && name.ends_with(suffix.as_bytes()))
    }

    /// Refuses the options that its programs do not take, of those that are given.
    pub fn takes(&self, given: &[&str]) -> Result<(), Failure> {
        match given.iter().find(|name| !self.options.contains(name)) {
            None => Ok(()),
            Some(name) => Err(Failure::usage(format!("`{name}` does not apply to {}", self.programs))
                .with_hint(format!("leave it out; they take {}", self.options.join(", ")))),
        }
    }

    /// Refuses the oracles that its programs do not offer.
    pub fn offers(&self, oracles: &[OracleSpec]) -> Result<(), Failure> {
        let refused =
            oracles.iter().find(|spec| !spec.is_of_every_language() && !self.oracles.contains(&spec.kind()));
        match refused.map(OracleSpec::kind) {
            None => Ok(()),
            Some(kind) => {
                Err(Failure::usage(format!("`{kind}` does not answer for {}", self.programs)).with_hint(
                    format!("oracles for them: {}, and those of every language", self.oracles.join(", ")),
                ))
            }
        }
    }
}

/// What is wanted of a program that is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckRequest {
    /// The types of its values.
    pub types: bool,
    /// Its kernel.
    pub core: bool,
    /// With the kernel, where each expression stands in the source.
    pub spans: bool,
}

/// A front-end.
pub trait FrontEnd: Sync {
    /// The language.
    fn language(&self) -> &'static Language;

    /// Reads and checks a program, so that it can be run. All that keeps it from being run is found here.
    fn launch(&self, launch: Launch) -> Result<Box<dyn Program>, Failure>;

    /// A program of which only a recording is there: it cannot be run, but may answer.
    fn attach(&self, launch: Launch) -> Result<Box<dyn Program>, Failure>;

    /// The file of a module that runs as a program; none if the language has no such modules.
    fn module_file(&self, _name: &str) -> Result<Option<PathBuf>, Failure> {
        Ok(None)
    }

    /// Checks a program without running it, and writes what is asked for.
    fn check(
        &self,
        file: &Path,
        _request: CheckRequest,
        _out: &mut dyn Write,
        _world: &dyn World,
    ) -> Result<(), Failure> {
        let programs = self.language().programs;
        Err(Failure::usage(format!("{}: {programs} are not checked", file.display()))
            .with_hint("name a trail or an interchange file, or a program in a language with types"))
    }

    /// The text of a source file, as the language reads it; none if it cannot be read.
    fn source_text(&self, bytes: Vec<u8>) -> Option<String> {
        String::from_utf8(bytes).ok()
    }
}
