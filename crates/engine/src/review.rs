//! Doubt: a verdict is looked at once more before it is shown.
//!
//! Answers can be too lenient, and a front-end may know better than they do which code is to blame: where the reference has
//! the same code, that code is not the bug; where a test passes with a function of the reference, that function is. What a
//! front-end knows of that kind it offers as a [`Reviewer`].

use crate::{Answer, Asked, Verdict, Watch, Who};
use gadfly_source::Region;
use gadfly_tree::{Node, Recording};
use std::sync::Arc;

/// Looks at verdicts before they are shown.
pub trait Reviewer: Send {
    /// What it says of a verdict.
    fn review(&mut self, case: &Case, stage: Stage, watch: &dyn Watch) -> Review;
}

/// When a verdict is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Before the inside of the call that was found is entered.
    Found,
    /// Before it is shown, once there is nothing more to enter.
    Final {
        /// Whether the inside of the call could not be reached.
        unreachable: bool,
    },
}

/// A verdict, and what it rests on.
#[derive(Clone)]
pub struct Case {
    /// How deep inside the program: 0 for the program, more for the inside of a call.
    pub level: u16,
    /// What it is about.
    pub recording: Arc<dyn Recording>,
    /// The verdict.
    pub verdict: Verdict,
    /// The answers in force.
    pub asked: Vec<Asked>,
    /// The lowest node that is known to be wrong.
    pub focus: Option<Node>,
    /// Whether a person answers, who is not to be overruled.
    pub has_person: bool,
}

/// What a reviewer says of a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Review {
    /// It stands.
    Stands {
        /// The verdict, which may be more definite than it was.
        verdict: Verdict,
        /// The code to blame for nodes of it, where the reviewer knows better than the recording.
        blame: Vec<(Node, Vec<Blame>)>,
        /// What it rests on, if that is not the answers.
        basis: Option<Basis>,
        /// Whether the inside of the call is worth a look.
        enter: bool,
    },
    /// Some answer was too lenient: all are to be given again, strictly.
    Strictly,
    /// An answer is to be changed.
    Revise {
        /// The question's number, from 1.
        number: usize,
        /// The row, from 0.
        row: usize,
        /// The new answer.
        answer: Answer,
        /// Who says so.
        by: Who,
    },
    /// Another verdict is shown in its place, and nothing more is asked.
    Replaced {
        /// The other verdict.
        verdict: Verdict,
        /// The code to blame.
        blame: Vec<(Node, Vec<Blame>)>,
        /// Why.
        why: Instead,
    },
}

impl Review {
    /// The verdict as it is.
    pub fn stands(verdict: &Verdict) -> Review {
        Review::Stands { verdict: verdict.clone(), blame: Vec::new(), basis: None, enter: true }
    }
}

/// Why another verdict is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// The answers did not decide, and a test passes with this code of the reference.
    TestPasses,
    /// The reference has the code that was found; this code ran and differs from the reference.
    RanAndDiffers,
    /// The reference has the code that was found; this code was not seen to run and differs from the reference.
    DiffersElsewhere,
    /// The reference has all the code that ran.
    NothingDiffers,
}

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A piece of code to blame, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Blame {
    /// The code.
    pub region: Region,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// It ran, and gave a wrong result.
    Ran,
    /// The reference has more before it.
    MissingBefore,
    /// The reference has more after it.
    MissingAfter,
    /// It differs from the reference.
    Differs,
}
