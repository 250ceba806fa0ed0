//! How a session is decided: the code to blame, and on what basis.

use super::Said;
use serde::{Deserialize, Serialize};

/// A piece of code to blame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// First line and column.
    pub start: [u32; 2],
    /// Last line, and the column after the last.
    pub end: [u32; 2],
    /// The file, where it is not the one that the place names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What is wrong with it, if it is not that it ran.
    #[serde(default, skip_serializing_if = "Fault::is_ran")]
    pub fault: Fault,
}

/// What is wrong with a piece of code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// It ran, and gave a wrong result.
    #[default]
    Ran,
    /// The reference has more before it.
    MissingBefore,
    /// The reference has more after it.
    MissingAfter,
    /// It differs from the reference.
    Differs,
}

impl Fault {
    fn is_ran(&self) -> bool {
        *self == Fault::Ran
    }
}

/// A node with its rule and its code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The node's number as people know it.
    pub node: u64,
    /// The function whose code it is.
    pub function: String,
    /// Its module.
    pub module: Option<String>,
    /// Which of the function's equations.
    pub rule: Option<u32>,
    /// What kind of code: `routine`, `loop`, …
    pub kind: String,
    /// The equation.
    pub equation: String,
    /// The file of the code.
    pub file: Option<String>,
    /// The first line of the code.
    pub line: Option<u32>,
    /// The code.
    pub code: Vec<Code>,
}

impl Place {
    /// `Main.sum2 (rule 1)`: the function as a person names it.
    pub fn name(&self) -> String {
        let name = match &self.module {
            Some(module) if self.function != OUTSIDE => format!("{module}.{}", self.function),
            _ => self.function.clone(),
        };
        match self.rule {
            Some(number) if self.function != OUTSIDE => format!("{name} (rule {number})"),
            _ => name,
        }
    }
}

/// What code outside of functions is called.
pub(crate) const OUTSIDE: &str = "<module>";

/// How a session is decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Verdict {
    /// The bug is in this code.
    Bug(Box<Bug>),
    /// There is none.
    None {
        /// Why.
        reason: NoBug,
    },
    /// It cannot be decided with the answers there are: the bug is in one of these.
    Unsure {
        /// The nodes that can still be buggy.
        candidates: Vec<Place>,
        /// How many there are, where not all are listed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<u64>,
    },
}

impl Verdict {
    /// The word for it in JSON.
    pub fn status(&self) -> &'static str {
        match self {
            Verdict::Bug(_) => "bug",
            Verdict::None { .. } => "none",
            Verdict::Unsure { .. } => "unsure",
        }
    }
}

/// A bug that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bug {
    /// Where it is.
    #[serde(flatten)]
    pub place: Place,
    /// Calls that it should never have made. If there are any, that is the bug.
    #[serde(default)]
    pub inadmissible: Vec<Said>,
    /// What it was computed from, all of it right.
    #[serde(default)]
    pub right: Vec<Said>,
    /// What the verdict rests on.
    pub basis: Basis,
    /// Parts of the call of which any may be at fault, where none could be singled out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Place>,
    /// On which side of the code something is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Side>,
    /// The call that was entered to find it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Box<Verdict>>,
}

/// A side of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Before it.
    Before,
    /// After it.
    After,
}

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The answers.
    Answers,
    /// The code of all other candidates is known to be right.
    Elimination,
    /// The code differs from the reference.
    ReferenceText,
    /// A test passes with the reference's code.
    TestPasses,
    /// Several nodes are wrong, all by the same rule.
    OneRuleLeft,
}

/// Why nothing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoBug {
    /// The result of the whole is correct.
    Correct,
    /// The whole should not have been run with this input.
    Inadmissible,
    /// All that is not trusted is correct.
    Trusted,
    /// The reference agrees with every recorded call.
    ReferenceAgrees,
}
