//! What an undo takes back.

use super::Answered;
use gadfly_engine::Answer;
use gadfly_engine::strategy::StrategyName;
use serde::{Deserialize, Serialize};

/// A step that was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum Taken {
    /// An answer.
    Answered(Answered),
    /// A change of an earlier answer.
    Revised {
        /// The question's number.
        question: usize,
        /// The row, from 1.
        row: usize,
        /// What the answer had been changed to.
        #[serde(flatten)]
        answer: Answer,
    },
    /// That all answers were forgotten.
    Restarted,
    /// Another strategy.
    Switched {
        /// Which.
        strategy: StrategyName,
    },
    /// Trust in functions.
    Trusted {
        /// Which.
        names: String,
    },
    /// A wish to be asked about a node.
    AskedAbout {
        /// Its number.
        node: u64,
    },
    /// A table's rows are not asked about one by one any more.
    OneByOne {
        /// How many rows it had.
        rows: usize,
    },
}
