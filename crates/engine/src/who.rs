//! Who gave an answer.

use std::fmt;
use thiserror::Error;

/// Who gave an answer, in journals, in JSON and on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// The person at the prompt, or a program that uses the interface in a person's place.
    Person,
    /// A script of answers.
    Script,
    /// An external program.
    Command,
    /// What earlier sessions know.
    Knowledge,
    /// A correct version of the program.
    Reference,
    /// The program as it was at another revision.
    Revision,
    /// Another release of the program.
    Release,
    /// Calls in tests that pass.
    Tests,
    /// Properties of the program.
    Properties,
    /// Examples in the documentation.
    Doctests,
    /// Hints of types.
    Types,
    /// Contracts of functions.
    Contracts,
    /// No oracle knew, but the code of all other candidates is known to be right.
    Elimination,
    /// A test that passes or fails with other code.
    Trial,
    /// No oracle knew.
    Nobody,
}

impl Who {
    const ALL: [Who; 15] = [
        Who::Person,
        Who::Script,
        Who::Command,
        Who::Knowledge,
        Who::Reference,
        Who::Revision,
        Who::Release,
        Who::Tests,
        Who::Properties,
        Who::Doctests,
        Who::Types,
        Who::Contracts,
        Who::Elimination,
        Who::Trial,
        Who::Nobody,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Who::Person => "person",
            Who::Script => "answers",
            Who::Command => "command",
            Who::Knowledge => "knowledge",
            Who::Reference => "reference",
            Who::Revision => "revision",
            Who::Release => "release",
            Who::Tests => "tests",
            Who::Properties => "properties",
            Who::Doctests => "doctests",
            Who::Types => "types",
            Who::Contracts => "contracts",
            Who::Elimination => "elimination",
            Who::Trial => "trial",
            Who::Nobody => "nobody",
        }
    }

    /// Who a word means.
    pub fn from_word(word: &str) -> Result<Who, UnknownWho> {
        let known = Who::ALL.into_iter().find(|who| who.word() == word);
        // Journals of version 1 name the trial by what it found.
        let known = known.or((word == "it is no matter for the test").then_some(Who::Trial));
        known.ok_or_else(|| UnknownWho(word.chars().take(60).collect()))
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A word that does not name a source of answers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not an oracle")]
pub struct UnknownWho(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip() {
        for who in Who::ALL {
            assert_eq!(Who::from_word(who.word()), Ok(who));
        }
        assert_eq!(Who::from_word("it is no matter for the test"), Ok(Who::Trial));
        assert!(Who::from_word("somebody").is_err());
    }
}
