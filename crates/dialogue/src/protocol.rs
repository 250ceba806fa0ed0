//! The messages of a dialogue: what a client says, and what it hears.
//!
//! `docs/protocol.md` documents them, with an exchange that a test plays; `tests/messages.jsonl` has one of each. A message is
//! one flat JSON object. Its `type` says what it is; where there are several kinds of one type, the field of that name says
//! which: `{"type":"refused","why":"stale"}`.
//!
//! Every message carries `seen`, the length of the journal that its sender knew. A command whose sender knew an older journal
//! is refused, so two clients of one dialogue cannot answer the same question twice.
//!
//! Inputs are *commands*, which are written to the journal and change the session, or *looks*, which change nothing.

mod report;
mod taken;
mod verdict;

pub use report::{AskedReport, Report, RowReport};
pub use taken::Taken;
pub(crate) use verdict::OUTSIDE;
pub use verdict::{Basis, Bug, Code, Fault, NoBug, Place, Side, Verdict};

use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{Answer, Judgement, Who};
use gadfly_tree::Node;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The version of the protocol: a client names it in its first message.
pub const PROTOCOL: u16 = 1;

/// The longest line that a client may send, in bytes.
pub const LONGEST: usize = 1 << 20;

/// A message in either direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message<T> {
    /// The number that a client gave its input; events that answer it repeat it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<u64>,
    /// The length of the journal as the sender knows it.
    pub seen: u64,
    /// What is said.
    #[serde(flatten)]
    pub body: T,
}

/// A node of a level of the session: level 0 is the program, each further level the inside of a call.
///
/// People, scripts and commands name a node by one number, which goes on from level to level; this is for clients that show
/// the tree of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeRef {
    /// The level.
    pub level: u16,
    /// The node, in the tree of its level; counted from 1 in JSON.
    #[serde(rename = "index", serialize_with = "write_index", deserialize_with = "read_index")]
    pub node: Node,
}

fn write_index<S: Serializer>(node: &Node, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(node.number())
}

fn read_index<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
    let number = u64::deserialize(deserializer)?;
    Node::from_number(number).ok_or_else(|| serde::de::Error::custom(format!("there is no node {number}")))
}

/// How much room a client has for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// Columns.
    pub width: usize,
    /// Lines of one equation.
    pub lines: usize,
}

impl Default for Page {
    fn default() -> Page {
        Page { width: 100, lines: 24 }
    }
}

/// A piece of work that takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(pub u64);

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Input {
    /// The first message, and again when the client's room changes: the open question is shown anew.
    Hello {
        /// [`PROTOCOL`].
        protocol: u16,
        /// How much room there is.
        #[serde(default)]
        page: Page,
    },
    /// Answers the open question.
    Answer {
        /// Its number.
        question: usize,
        /// An answer for each row, in order; rows after a wrong one may be missing.
        rows: Vec<Answer>,
    },
    /// Asks about the rows of the open question one by one, each in a question of its own.
    OneByOne {
        /// The number of the open question.
        question: usize,
    },
    /// Takes back the last steps: answers, revisions, switches, restarts.
    Undo {
        /// How many.
        steps: usize,
    },
    /// Changes an earlier answer.
    Revise {
        /// The question's number.
        question: usize,
        /// The row of a table, from 1; missing where there is one only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<usize>,
        /// The new answer.
        #[serde(flatten)]
        answer: Answer,
    },
    /// Forgets all answers.
    Restart,
    /// Goes on with another strategy.
    Switch {
        /// Which.
        strategy: StrategyName,
    },
    /// Trusts functions by name.
    Trust {
        /// A name or a pattern: `insert`, `Data.List.*`.
        names: String,
    },
    /// Wants a question about this node.
    AskAbout {
        /// Its number.
        node: u64,
    },
    /// Goes on inside a call.
    Enter {
        /// The number of its node.
        node: u64,
    },
    /// Goes on outside the call again.
    Leave,
    /// Rejects the verdict: its code is right, so the answer that called it wrong was mistaken.
    Reject {
        /// Why, if the client says so.
        #[serde(default)]
        because: Option<String>,
    },
    /// Looks at something.
    Look {
        /// What.
        #[serde(flatten)]
        at: Look,
    },
    /// Gives up on a piece of work.
    Cancel {
        /// Which.
        job: JobId,
    },
    /// Ends the session; the answers are kept.
    Quit,
}

impl Input {
    /// Whether it changes the session, so that it is refused from somebody who has not seen all of it.
    pub fn is_command(&self) -> bool {
        !matches!(self, Input::Hello { .. } | Input::Look { .. } | Input::Cancel { .. } | Input::Quit)
    }
}

/// Something to look at; looking changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "kebab-case")]
pub enum Look {
    /// Why this question is asked.
    Why,
    /// How many questions are left.
    Left,
    /// The answers so far.
    History,
    /// An equation in full; of all rows of the open question if no node is named.
    Whole {
        /// Its number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<u64>,
    },
    /// The code of a node; of the open question if none is named.
    Code {
        /// Its number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<u64>,
    },
    /// What an answer to the open question would leave to suspect.
    IfAnswered {
        /// The answer.
        answer: Judgement,
    },
}

/// What a client hears.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Event {
    /// The session is open.
    Opened {
        /// [`PROTOCOL`].
        protocol: u16,
        /// What was run, if that is known.
        program: Option<String>,
        /// The language, to be shown.
        language: String,
        /// Which tree: `edt`, `fdt`, `tree`.
        view: String,
        /// How many nodes it has.
        nodes: u32,
        /// How many answers were there already.
        resumed: usize,
    },
    /// A question.
    Question(Question),
    /// A question was answered, or a review has changed an answer.
    Answered(Answered),
    /// Steps were taken back, the latest first.
    TakenBack {
        /// What they were.
        steps: Vec<Taken>,
    },
    /// Something the user should know.
    Noticed {
        /// What.
        #[serde(flatten)]
        notice: Notice,
    },
    /// The session goes on inside a call.
    Entered {
        /// The level of the inside.
        level: u16,
        /// The call.
        call: Said,
        /// Whether the bug is certainly in it.
        certain: bool,
    },
    /// The session goes on outside again.
    Left {
        /// The level that was left.
        level: u16,
        /// Whether nothing was found there.
        empty_handed: bool,
    },
    /// A piece of work goes on.
    Working {
        /// Which.
        job: JobId,
        /// What it is.
        doing: Doing,
        /// How much is done.
        done: u64,
        /// Of how much, if that is known.
        of: Option<u64>,
    },
    /// A piece of work has ended.
    Worked {
        /// Which.
        job: JobId,
        /// Whether it was given up.
        cancelled: bool,
    },
    /// A verdict was doubted and is not shown.
    Doubted {
        /// Why.
        why: Doubt,
    },
    /// The session is decided.
    Verdict(Verdict),
    /// What a look found.
    Looked {
        /// What.
        #[serde(flatten)]
        found: Looked,
    },
    /// An input was refused; nothing changed.
    Refused {
        /// Why.
        #[serde(flatten)]
        why: Refusal,
    },
    /// The dialogue is over.
    Ended {
        /// How.
        #[serde(flatten)]
        how: Ending,
    },
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its number, from 1.
    pub number: usize,
    /// The equations; more than one for a table, in which the first wrong one is wanted.
    pub rows: Vec<Row>,
    /// Why this one, as half a sentence.
    pub reason: String,
    /// Rows that oracles have answered already; they are not among `rows`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Given>,
}

/// An equation of a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Where it is.
    #[serde(flatten)]
    pub at: NodeRef,
    /// The node's number.
    pub node: u64,
    /// The function, with its module.
    pub function: String,
    /// Where it stands: `sqrtest.hs:24`.
    pub place: Option<String>,
    /// The equation, laid out within the client's page.
    pub lines: Vec<String>,
    /// Whether parts of it are not shown.
    pub shortened: bool,
}

/// A node in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Where it is.
    #[serde(flatten)]
    pub at: NodeRef,
    /// The node's number.
    pub node: u64,
    /// The function, with its module.
    pub function: String,
    /// The equation on one line.
    pub equation: String,
}

/// A question with its answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// Its number.
    pub question: usize,
    /// The answers, in the order of its rows.
    pub rows: Vec<Given>,
}

/// An answer that was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// What it is about.
    #[serde(flatten)]
    pub said: Said,
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
    /// Who gave it.
    pub by: Who,
}

/// What a piece of work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doing {
    /// Oracles are asked.
    Asking,
    /// The inside of a call is recorded.
    Entering,
    /// A verdict is reviewed.
    Reviewing,
    /// Questions are counted.
    Estimating,
    /// Oracles take down what they learned.
    Learning,
}

/// Why a verdict was doubted, and what happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// The reference has the same code: the session begins again, with strict comparison.
    SameInReference,
    /// The answers did not decide; what follows makes the test pass.
    TestPasses,
    /// The reference has the same code; what follows ran and differs.
    RanAndDiffers,
    /// The reference has the same code; what follows was not seen to run and differs.
    DiffersElsewhere,
}

/// Something the user should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "kebab-case")]
pub enum Notice {
    /// An equal equation was judged differently.
    EqualJudgedDifferently {
        /// The node answered for now.
        node: Said,
        /// What was said of it.
        judgement: Judgement,
        /// The node with an equal equation.
        other: Said,
        /// What was said of that one.
        earlier: Judgement,
    },
    /// A node is wrong, though something computed from it was called right.
    WrongInside {
        /// The wrong node.
        node: Said,
        /// The node above it.
        above: Said,
        /// What was said of that one.
        judgement: Judgement,
    },
    /// A function is trusted now, though a call of it was called wrong.
    TrustedButWrong {
        /// The call.
        node: Said,
    },
    /// An oracle failed and is not asked any more.
    OracleDisabled {
        /// Which.
        who: Who,
        /// What happened.
        message: String,
        /// What to do next.
        hint: Option<String>,
    },
    /// An oracle could not keep what it learned.
    NotLearned {
        /// What happened.
        message: String,
    },
    /// An oracle gave no answer to some questions.
    Unanswered {
        /// Which.
        who: Who,
        /// Why.
        reason: String,
        /// How many questions.
        count: usize,
    },
    /// A line of a script matched no question.
    UnusedAnswer {
        /// The line, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// No recorded function has a name that is to be trusted.
    NothingToTrust {
        /// The name.
        name: String,
        /// The name that was probably meant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        near: Option<String>,
    },
    /// The inside of a call cannot be reached.
    NoInside {
        /// Why.
        reason: String,
    },
    /// The program took another path when it was run again; all of it was recorded in detail.
    Rerecorded,
    /// Earlier answers inside this call are about another run.
    InsideChanged,
    /// The journal cannot be written any more.
    JournalLost {
        /// What happened.
        message: String,
    },
}

/// What a look found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "kebab-case")]
pub enum Looked {
    /// Why the question is asked.
    Why {
        /// As half a sentence.
        reason: String,
        /// How many rows its table has.
        rows: usize,
    },
    /// How many questions are left; missing where finding out takes too long.
    Left {
        /// The estimate.
        estimate: Option<Estimate>,
    },
    /// The answers so far.
    History {
        /// In order.
        answers: Vec<Answered>,
    },
    /// Equations in full.
    Whole {
        /// The lines of each.
        equations: Vec<Vec<String>>,
    },
    /// The code of a node.
    Code {
        /// Where; missing where it is not known.
        place: Box<Place>,
    },
    /// What an answer would leave to suspect.
    IfAnswered {
        /// Suspicious nodes now.
        now: u64,
        /// And then.
        then: u64,
    },
}

/// How many questions are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Estimate {
    /// On average, in tenths of a question.
    pub mean_tenths: u64,
    /// At most, among the places that were tried; `null` if not all could be tried to the end.
    pub most: Option<u64>,
    /// Whether every suspicious node was tried as the bug.
    pub exact: bool,
    /// How many suspicious nodes there are.
    pub suspicious: u64,
    /// Whether the call that is found may be entered: what is asked inside is not counted.
    pub inside: bool,
}

/// Why an input was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Refusal {
    /// The sender has not seen all of the session.
    Stale {
        /// The length of the journal.
        journal: u64,
    },
    /// It is an answer to another question.
    OtherQuestion {
        /// The open one, if one is open.
        open: Option<usize>,
    },
    /// It makes no sense now.
    NotNow {
        /// Why, for people.
        message: String,
    },
    /// It makes no sense at all.
    Nonsense {
        /// Why, for people.
        message: String,
    },
    /// The client speaks another version of the protocol.
    Protocol {
        /// The version spoken here.
        protocol: u16,
    },
}

/// How a dialogue ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "kebab-case")]
pub enum Ending {
    /// With a verdict.
    Verdict,
    /// The client left before there was one.
    Quit {
        /// How many answers there are.
        answers: usize,
        /// How many suspicious nodes remain.
        suspicious: u64,
        /// Whether the answers are kept.
        kept: bool,
    },
    /// It cannot go on.
    Failed {
        /// What happened.
        message: String,
        /// What to do next.
        hint: Option<String>,
    },
}
