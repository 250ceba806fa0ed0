//! Work that takes long: what it is, what comes of it, and who does it.
//!
//! The dialogue never waits. It hands out a [`Job`] and goes on when [`Done`] comes back. A [`Worker`] does one job at a time;
//! it owns the oracles, the reviewer and what opens the inside of calls.

use crate::ask::{Oracles, Part};
use crate::protocol::Doing;
use gadfly_engine::{
    Case, Estimate, Given, Inside, LeftOver, NoInside, Opened, OracleError, Review, Reviewer, Snapshot,
    Stage, Watch, Who,
};
use gadfly_tree::{Node, Recording};
use std::fmt;
use std::sync::Arc;

/// A piece of work.
#[derive(Clone)]
pub enum Job {
    /// Ask oracles about the rows of a question.
    Ask(Ask),
    /// Open the inside of a call.
    Inside {
        /// What the call is a node of.
        recording: Arc<dyn Recording>,
        /// The call.
        node: Node,
        /// The level that the inside will be.
        level: u16,
    },
    /// Review a verdict.
    Review {
        /// The verdict.
        case: Box<Case>,
        /// When.
        stage: Stage,
    },
    /// Count the questions that are left.
    Estimate(Box<Snapshot>),
    /// Let the oracles learn what was answered.
    Learn {
        /// The answers in force, with what they are about.
        answers: Vec<Ask>,
        /// Whether answers were missing, so that what oracles have left over is of interest.
        missing: bool,
    },
}

/// Rows of a question, for oracles.
#[derive(Clone)]
pub struct Ask {
    /// The level of the question.
    pub level: u16,
    /// What it is about.
    pub recording: Arc<dyn Recording>,
    /// How many nodes the levels before have.
    pub nodes_before: u64,
    /// The question's number.
    pub number: usize,
    /// The nodes, in order.
    pub rows: Vec<Node>,
    /// Which of the oracles.
    pub part: Part,
    /// What is answered already.
    pub given: Vec<Given>,
}

impl Job {
    /// What it is, for people.
    pub fn doing(&self) -> Doing {
        match self {
            Job::Ask(_) => Doing::Asking,
            Job::Inside { .. } => Doing::Entering,
            Job::Review { .. } => Doing::Reviewing,
            Job::Estimate(_) => Doing::Estimating,
            Job::Learn { .. } => Doing::Learning,
        }
    }

    /// How many things there are to do, if that is known.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Job::Ask(ask) => Some(ask.rows.len() as u64),
            _ => None,
        }
    }
}

/// A recording is known by its fingerprint; else all there is to an [`Ask`], so that two that print alike are alike.
impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ask { level, recording, nodes_before, number, rows, part, given } = self;
        f.debug_struct("Ask")
            .field("level", level)
            .field("recording", &recording.fingerprint())
            .field("nodes_before", nodes_before)
            .field("number", number)
            .field("rows", rows)
            .field("part", part)
            .field("given", given)
            .finish()
    }
}

/// As for an [`Ask`], but that what is estimated is not printed.
impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Job::Ask(ask) => ask.fmt(f),
            Job::Inside { recording, node, level } => {
                write!(f, "Inside({:x}, {node:?}, as level {level})", recording.fingerprint())
            }
            Job::Review { case, stage } => {
                let Case { level, recording, verdict, asked, focus, has_person } = &**case;
                let print = recording.fingerprint();
                let about = (level, print, verdict, asked, focus, has_person, stage);
                write!(f, "Review{about:?}")
            }
            Job::Estimate(_) => write!(f, "Estimate"),
            Job::Learn { answers, missing } => write!(f, "Learn({answers:?}, {missing})"),
        }
    }
}

/// What came of a piece of work.
#[derive(Clone)]
pub enum Done {
    /// The answers of oracles.
    Answers {
        /// Those that were there and the new ones.
        given: Vec<Given>,
        /// Oracles that failed and are not asked any more.
        disabled: Vec<(Who, OracleError)>,
        /// The only oracle failed.
        stopped: Option<(Who, OracleError)>,
    },
    /// The inside of a call.
    Inside(Result<Opened, NoInside>),
    /// What the reviewer says.
    Review(Review),
    /// How many questions are left.
    Estimate(Option<Estimate>),
    /// The oracles have learned.
    Learned {
        /// What they could not keep.
        failed: Vec<OracleError>,
        /// What they have left over.
        left_over: Vec<(Who, LeftOver)>,
    },
    /// It was given up.
    Cancelled,
}

impl fmt::Debug for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Done::Answers { given, .. } => write!(f, "Answers({given:?})"),
            Done::Inside(Ok(_)) => write!(f, "Inside"),
            Done::Inside(Err(why)) => write!(f, "Inside({why:?})"),
            Done::Review(review) => write!(f, "Review({review:?})"),
            Done::Estimate(estimate) => write!(f, "Estimate({estimate:?})"),
            Done::Learned { .. } => write!(f, "Learned"),
            Done::Cancelled => write!(f, "Cancelled"),
        }
    }
}

/// Who does the work.
#[derive(Default)]
pub struct Worker {
    /// Who answers.
    pub oracles: Oracles,
    /// Who doubts verdicts.
    pub reviewer: Option<Box<dyn Reviewer>>,
    /// Who opens the inside of calls.
    pub inside: Option<Box<dyn Inside>>,
}

impl Worker {
    /// Does a piece of work to its end, or until it is cancelled.
    pub fn work(&mut self, job: Job, watch: &dyn Watch) -> Done {
        if watch.is_cancelled() {
            return Done::Cancelled;
        }
        let done = match job {
            Job::Ask(ask) => self.oracles.ask(ask, watch),
            Job::Inside { recording, node, level } => Done::Inside(match &mut self.inside {
                Some(inside) => inside.open(&recording, node, level, watch),
                None => Err(NoInside::Nothing),
            }),
            Job::Review { case, stage } => Done::Review(match &mut self.reviewer {
                Some(reviewer) => reviewer.review(&case, stage, watch),
                None => Review::stands(&case.verdict),
            }),
            Job::Estimate(snapshot) => Done::Estimate(snapshot.estimate(watch)),
            Job::Learn { answers, missing } => self.oracles.learn(&answers, missing),
        };
        // Whatever came of work that nobody wants any more is not to be relied upon.
        if watch.is_cancelled() { Done::Cancelled } else { done }
    }
}
