//! What gives answers without a person.

use crate::{Answer, Given, Watch, Who};
use gadfly_term::Equation;
use gadfly_tree::{Node, Rule};
use std::fmt;

/// A question as an oracle sees it.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The question's number in the session, from 1.
    pub number: usize,
    /// How deep inside the program it is: 0 for the program, more for the inside of a call that was entered.
    pub level: u16,
    /// The node, in the tree of its level.
    pub node: Node,
    /// The node's number as people and scripts know it: the nodes of a level are numbered after those of the levels before.
    pub shown_number: u64,
    /// The node's handle, for oracles that know where the tree comes from.
    pub handle: u64,
    /// The rule it stands for.
    pub rule: &'a Rule,
    /// The source text of that rule, where it is known.
    pub rule_text: Option<&'a str>,
    /// The file that the rule is in, where that is known.
    pub file: Option<&'a str>,
    /// The equation.
    pub equation: &'a Equation,
    /// The equation on one line, in full.
    pub text: &'a str,
    /// How many nodes the part of the tree has that it is the root of.
    pub size: u32,
}

/// An oracle that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleError {
    /// What happened, as a sentence.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl fmt::Display for OracleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for OracleError {}

/// Gives answers. Several stand in a row, and the first that knows wins.
pub trait Oracle: Send {
    /// Who answers.
    fn who(&self) -> Who;

    /// Whether it is given equations in full, however long: a part that is not shown to it is not covered by its answer.
    fn wants_whole(&self) -> bool {
        false
    }

    /// What it says of an equation; `None` if it does not know, and the next in the row is asked.
    fn judge(&mut self, query: &Query<'_>, watch: &dyn Watch) -> Result<Option<Answer>, OracleError>;

    /// Hears every answer that is in force at the end of a session, from any source.
    fn learn(&mut self, _query: &Query<'_>, _given: &Given) -> Result<(), OracleError> {
        Ok(())
    }

    /// Whether it wants to hear the answers at the end: reading them anew takes time.
    fn learns(&self) -> bool {
        false
    }

    /// Writes down what it learned.
    fn flush(&mut self) -> Result<(), OracleError> {
        Ok(())
    }

    /// Why it gave no answers, and what it was not asked: what a user should see when answers were missing.
    fn left_over(&self) -> Vec<LeftOver> {
        Vec::new()
    }
}

/// What a user should see of an oracle when answers were missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOver {
    /// It gave no answer so often, for this reason.
    Unanswered {
        /// The reason, as half a sentence.
        reason: String,
        /// How many questions.
        count: usize,
    },
    /// A line of a script that matched no question; it may be misspelt.
    Unused {
        /// The line, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
}
