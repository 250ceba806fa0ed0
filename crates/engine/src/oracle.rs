//! What gives answers without a person.

use crate::Answer;
use gadfly_term::Equation;
use gadfly_tree::{Node, Rule};
use std::fmt;

/// A question as an oracle sees it.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The question's number in the session, from 1.
    pub number: usize,
    /// The node.
    pub node: Node,
    /// The node's handle, for oracles that know where the tree comes from.
    pub handle: u64,
    /// The rule it stands for.
    pub rule: &'a Rule,
    /// The source text of that rule, where it is known.
    pub rule_text: Option<&'a str>,
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
pub trait Oracle {
    /// Who says so, in journals and on screen: `answers`, `command`, `reference`.
    fn name(&self) -> &str;

    /// Whether it is to be given equations in full, however long: what is left out is left out of its answer, too.
    fn wants_whole(&self) -> bool {
        false
    }

    /// What it says of an equation; `None` if it does not know, and the next in the row is asked.
    fn judge(&mut self, query: &Query<'_>) -> Result<Option<Answer>, OracleError>;

    /// Told of every answer that was given, by whomever, so that it can learn.
    fn learn(&mut self, _query: &Query<'_>, _answer: &Answer, _by: &str) -> Result<(), OracleError> {
        Ok(())
    }
}
