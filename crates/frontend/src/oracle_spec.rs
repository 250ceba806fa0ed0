//! What `--oracle` names: read once, when the command line is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use thiserror::Error;

/// An oracle as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OracleSpec {
    /// Whoever sits at the prompt.
    Person,
    /// A script of answers.
    Answers(PathBuf),
    /// An external program.
    Command(String),
    /// What earlier sessions know, in this file or the usual one.
    Knowledge(Option<PathBuf>),
    /// A reference program: a file, a folder or a module.
    Reference(String),
    /// The program at another revision.
    Revision(String),
    /// Another release of the program.
    Release(String),
    /// Calls in tests that pass, of this path or all.
    Tests(Option<String>),
    /// Properties, in this path or all.
    Properties(Option<String>),
    /// Examples in the documentation.
    Doctests,
    /// Hints of types.
    Types,
    /// Contracts of functions.
    Contracts,
}

impl OracleSpec {
    /// Whether it answers whatever the language is: no front-end is asked for it.
    pub fn is_of_every_language(&self) -> bool {
        use OracleSpec::{Answers, Command, Knowledge, Person};
        matches!(self, Person | Answers(_) | Command(_) | Knowledge(_))
    }

    /// The word before the colon.
    pub fn kind(&self) -> &'static str {
        match self {
            OracleSpec::Person => "person",
            OracleSpec::Answers(_) => "answers",
            OracleSpec::Command(_) => "command",
            OracleSpec::Knowledge(_) => "knowledge",
            OracleSpec::Reference(_) => "reference",
            OracleSpec::Revision(_) => "revision",
            OracleSpec::Release(_) => "release",
            OracleSpec::Tests(_) => "tests",
            OracleSpec::Properties(_) => "properties",
            OracleSpec::Doctests => "doctests",
            OracleSpec::Types => "types",
            OracleSpec::Contracts => "contracts",
        }
    }
}

/// A text that names no oracle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not an oracle")]
pub struct OracleSpecError(String);

impl OracleSpecError {
    /// What to do next.
    pub const HINT: &'static str = "oracles are: person, reference:PROGRAM, answers:FILE, command:PROGRAM, knowledge, knowledge:FILE; \
         for Python programs also revision:REV, release:PACKAGE==VERSION, tests, tests:PATH, properties, \
         properties:PATH, doctests, types, contracts";
}

impl FromStr for OracleSpec {
    type Err = OracleSpecError;

    fn from_str(text: &str) -> Result<OracleSpec, OracleSpecError> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let some = || Some(rest.to_owned()).filter(|rest| !rest.is_empty());
        let required = || some().ok_or_else(|| OracleSpecError(text.to_owned()));
        let alone = |spec| if rest.is_empty() { Ok(spec) } else { Err(OracleSpecError(text.to_owned())) };
        match kind {
            "person" => alone(OracleSpec::Person),
            "answers" => Ok(OracleSpec::Answers(required()?.into())),
            "command" => Ok(OracleSpec::Command(rest.to_owned())),
            "knowledge" => Ok(OracleSpec::Knowledge(some().map(PathBuf::from))),
            "reference" => Ok(OracleSpec::Reference(required()?)),
            "revision" => Ok(OracleSpec::Revision(required()?)),
            "release" => Ok(OracleSpec::Release(required()?)),
            "tests" => Ok(OracleSpec::Tests(some())),
            "properties" => Ok(OracleSpec::Properties(some())),
            "doctests" => alone(OracleSpec::Doctests),
            "types" => alone(OracleSpec::Types),
            "contracts" => alone(OracleSpec::Contracts),
            _ => Err(OracleSpecError(text.to_owned())),
        }
    }
}

impl fmt::Display for OracleSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())?;
        let rest = match self {
            OracleSpec::Answers(path) | OracleSpec::Knowledge(Some(path)) => path.display().to_string(),
            OracleSpec::Command(text)
            | OracleSpec::Reference(text)
            | OracleSpec::Revision(text)
            | OracleSpec::Release(text)
            | OracleSpec::Tests(Some(text))
            | OracleSpec::Properties(Some(text)) => text.clone(),
            _ => return Ok(()),
        };
        write!(f, ":{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oracles_are_read_and_written() {
        for text in [
            "person",
            "answers:a b",
            "command:prog --x",
            "knowledge",
            "knowledge:k.redb",
            "reference:good.hs",
            "revision:v1",
            "release:p==1",
            "tests",
            "tests:t.py",
            "properties",
            "doctests",
            "types",
            "contracts",
        ] {
            assert_eq!(text.parse::<OracleSpec>().unwrap().to_string(), text);
        }
        for wrong in ["", "nobody", "answers", "answers:", "person:me", "types:x", "reference:"] {
            assert!(wrong.parse::<OracleSpec>().is_err(), "{wrong}");
        }
    }
}
