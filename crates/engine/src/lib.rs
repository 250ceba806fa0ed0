//! The session: which node to ask about, what an answer means, and when the bug is found.
//!
//! Enter at [`Session`]. It does no I/O: [`Session::step`] gives a question or a verdict, [`Session::apply`] takes an
//! [`Action`] (an answer, an undo, another strategy), and its driver (the terminal, the browser, a script, a
//! test) does the talking. [`Oracle`] is what gives answers without a person.
//!
//! Inside, from the outside in: [`Session`] keeps the log of actions and the memory of equal equations; [`State`] is
//! what the answers say about the tree; [`Area`] is the suspicious area that follows from them; a [`Measure`] weighs
//! it; a [`Strategy`](strategy::Strategy) picks a node from it. Definitions: S0 (strategies), S2 §6 (trusting), S3 §4
//! (execution trees).
//!
//! What stays true: the same tree and the same actions give the same questions on every machine (no clock, no hash
//! order, no floating point in a decision); an answer costs time by depth and branching, not by the size of the tree,
//! except where a strategy's own definition weighs every node; nothing recurses natively over the tree.

mod answer;
mod area;
mod batch;
mod estimate;
mod history;
mod inside;
mod intervals;
mod measure;
mod oracle;
mod review;
mod rounds;
mod session;
mod state;
pub mod strategy;
mod text;
mod trust;
mod verdict;
mod watch;
mod who;

pub use answer::{Answer, AnswerError, Judgement, Mark, MarkKind};
pub use area::{Area, Frontier};
pub use estimate::Estimate;
pub use history::History;
pub use inside::{Inside, NoInside, Opened};
pub use measure::{Counted, Measure, Scratch, Weighed};
pub use oracle::{LeftOver, Oracle, OracleError, Query};
pub use review::{Basis, Blame, Case, Fault, Instead, Review, Reviewer, Stage};
pub use rounds::Rounds;
pub use session::{
    Action, ActionError, Asked, Given, Log, Notice, Question, Row, Session, SessionError, Settings, Snapshot,
    Step,
};
pub use state::State;
pub use trust::Trust;
pub use verdict::{NoBug, Verdict};
pub use watch::{Unwatched, Watch};
pub use who::{UnknownWho, Who};
