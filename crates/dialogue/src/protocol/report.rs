//! A whole session as one object.

use super::Verdict;
use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{Judgement, Mark, Who};
use serde::{Deserialize, Serialize};

/// A whole session: what `--format json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The strategy in use.
    pub strategy: StrategyName,
    /// Which tree.
    pub view: String,
    /// The questions with their answers.
    pub questions: Vec<AskedReport>,
    /// The verdict.
    pub verdict: Verdict,
}

/// A question with its answers; a table is told by its last row, and holds all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedReport {
    /// Its number.
    pub number: usize,
    /// The last row.
    #[serde(flatten)]
    pub last: RowReport,
    /// All rows, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<RowReport>,
    /// Whether it was asked inside a call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inside: bool,
}

/// A row of a question with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowReport {
    /// The node's number as people know it.
    pub node: u64,
    /// The equation.
    pub equation: String,
    /// The judgement.
    pub answer: Judgement,
    /// Who gave it.
    pub by: Who,
    /// The parts that it is about.
    pub marks: Vec<Mark>,
    /// The result that was expected.
    pub expected: Option<String>,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}
