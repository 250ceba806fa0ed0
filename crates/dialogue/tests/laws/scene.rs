//! Random sessions: a program, who answers about it, and what a client says.

use crate::stage::{OneInside, recording_of};
use gadfly_dialogue::ask::Oracles;
use gadfly_dialogue::drive::Driver;
use gadfly_dialogue::protocol::{Event, Input, JobId, Look, Message, PROTOCOL, Page};
use gadfly_dialogue::{Dialogue, SavedLevel, Setup, Stimulus, Worker};
use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{
    Answer, Case, Judgement, Oracle, OracleError, Query, Review, Reviewer, Settings, Stage, Verdict, Watch,
    Who,
};
use gadfly_tree::{Kind, Node, Recording};
use proptest::prelude::*;
use std::sync::{Arc, Condvar, Mutex};

/// What an oracle does when it is asked about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    At(Judgement),
    /// The same, once the gate is open.
    Late(Judgement),
    Nothing,
    Failure,
}

/// What a reviewer does with a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubts {
    /// Nobody reviews.
    None,
    /// The first verdicts are to be found again, so many of them.
    Strictly(u8),
    /// While an answer of an oracle says "correct", it is changed to "wrong".
    Lenient,
}

/// A program, and who answers.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) program: Vec<u32>,
    pub(crate) inside: Option<Vec<u32>>,
    /// Nodes with the same number have the same equation.
    pub(crate) equal: u32,
    pub(crate) rows: usize,
    pub(crate) before: Option<Vec<Says>>,
    pub(crate) person: bool,
    pub(crate) after: Option<Vec<Says>>,
    pub(crate) doubts: Doubts,
}

/// Which scenes are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Oracles may fail, be late, or a reviewer have a mind of its own: what they do next depends on what they did.
    pub(crate) moody: bool,
    /// There is a person in every scene.
    pub(crate) person: bool,
}

fn parents(most: usize) -> impl Strategy<Value = Vec<u32>> {
    let choices = prop::collection::vec(any::<prop::sample::Index>(), 1..most);
    choices.prop_map(|all| (1..).zip(all).map(|(here, parent)| parent.index(here) as u32).collect())
}

fn judgement() -> impl Strategy<Value = Judgement> {
    use Judgement::*;
    prop_oneof![
        5 => Just(Correct),
        5 => Just(Wrong),
        2 => Just(DontKnow),
        1 => Just(Inadmissible),
        1 => Just(TrustFunction),
    ]
}

fn says(moody: bool) -> impl Strategy<Value = Vec<Says>> {
    let moods = if moody { 2 } else { 0 };
    let one = prop_oneof![
        4 => judgement().prop_map(Says::At),
        4 => Just(Says::Nothing),
        moods => judgement().prop_map(Says::Late),
        moods => Just(Says::Failure),
    ];
    prop::collection::vec(one, 1..8)
}

fn doubts(moody: bool) -> impl Strategy<Value = Doubts> {
    let moods = if moody { 2 } else { 0 };
    prop_oneof![2 => Just(Doubts::None), 1 => Just(Doubts::Lenient), moods => (1..3u8).prop_map(Doubts::Strictly)]
}

/// A random scene.
pub(crate) fn scene(wanted: Wanted) -> impl Strategy<Value = Scene> {
    let Wanted { moody, person } = wanted;
    (
        (parents(14), prop::option::of(parents(6))),
        (prop_oneof![Just(100u32), 3..8u32], prop_oneof![Just(0usize), Just(4usize)]),
        prop::option::of(says(moody)),
        prop_oneof![4 => Just(true), 1 => Just(person)],
        prop::option::weighted(0.3, says(moody)),
        doubts(moody),
    )
        .prop_map(|((program, inside), (equal, rows), before, person, after, doubts)| Scene {
            program,
            inside,
            equal,
            rows,
            before,
            person,
            after: after.filter(|_| person),
            doubts,
        })
}

/// Holds late oracles back.
#[derive(Default)]
pub(crate) struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub(crate) fn set(&self, open: bool) {
        *self.open.lock().expect("a gate") = open;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let open = self.open.lock().expect("a gate");
        drop(self.opened.wait_while(open, |open| !*open).expect("a gate"));
    }
}

struct Scripted {
    says: Vec<Says>,
    gate: Arc<Gate>,
    who: Who,
}

impl Oracle for Scripted {
    fn who(&self) -> Who {
        self.who
    }

    fn judge(&mut self, query: &Query<'_>, watch: &dyn Watch) -> Result<Option<Answer>, OracleError> {
        let at = query.shown_number as usize % self.says.len();
        let judgement = match self.says[at] {
            Says::At(judgement) => judgement,
            Says::Late(judgement) => {
                self.gate.pass();
                watch.progress(1, Some(2));
                judgement
            }
            Says::Nothing => return Ok(None),
            Says::Failure => return Err(OracleError { message: "it is ill".to_owned(), hint: None }),
        };
        Ok(Some(Answer::plain(judgement)))
    }
}

struct Doubter(Doubts);

impl Reviewer for Doubter {
    fn review(&mut self, case: &Case, _stage: Stage, _watch: &dyn Watch) -> Review {
        match &mut self.0 {
            Doubts::Strictly(left) if *left > 0 => {
                *left -= 1;
                return Review::Strictly;
            }
            Doubts::Lenient if matches!(case.verdict, Verdict::Bug { .. }) => {
                for asked in &case.asked {
                    let lenient = |given: &gadfly_engine::Given| {
                        given.by == Who::Reference && given.answer.judgement == Judgement::Correct
                    };
                    if let Some(row) = asked.given.iter().position(lenient) {
                        let answer = Answer::plain(Judgement::Wrong);
                        return Review::Revise { number: asked.number, row, answer, by: Who::Elimination };
                    }
                }
            }
            _ => {}
        }
        Review::stands(&case.verdict)
    }
}

impl Scene {
    pub(crate) fn recording(&self) -> Arc<dyn Recording> {
        recording_of(1, &self.program, Kind::Routine, self.equal)
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings { rows: self.rows, ask_again: self.person, ..Settings::default() }
    }

    pub(crate) fn worker(&self, gate: &Arc<Gate>) -> Worker {
        let scripted =
            |says: &Vec<Says>, who| Box::new(Scripted { says: says.clone(), gate: Arc::clone(gate), who });
        let mut oracles = Oracles::default();
        if let Some(says) = &self.before {
            oracles.push(scripted(says, Who::Reference));
        }
        if self.person {
            oracles.push_person();
        }
        if let Some(says) = &self.after {
            oracles.push(scripted(says, Who::Knowledge));
        }
        let inside = self.inside.as_ref().map(|parents| recording_of(2, parents, Kind::Block, self.equal));
        Worker {
            oracles,
            reviewer: (self.doubts != Doubts::None)
                .then(|| Box::new(Doubter(self.doubts)) as Box<dyn Reviewer>),
            inside: inside.map(|inside| Box::new(OneInside(inside)) as _),
        }
    }

    pub(crate) fn dialogue(&self, worker: &Worker, saved: Vec<SavedLevel>, journal: u64) -> Dialogue {
        let setup = Setup {
            recording: self.recording(),
            settings: self.settings(),
            seats: worker.oracles.seats(),
            reviewed: worker.reviewer.is_some(),
            enters: worker.inside.is_some(),
            saved,
            journal,
            keeps: true,
            notices: Vec::new(),
            switch_to: None,
        };
        Dialogue::new(setup).unwrap_or_else(|(index, error)| panic!("action {index}: {error}"))
    }
}

/// Something that happens to a session.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    Answer(Vec<Judgement>),
    OneByOne,
    Undo(usize),
    Revise {
        question: usize,
        row: usize,
        judgement: Judgement,
    },
    Restart,
    Switch(StrategyName),
    Trust(usize),
    AskAbout(u64),
    Enter(u64),
    Leave,
    Reject,
    Look(Look),
    /// Somebody else resizes a window.
    Hello,
    /// An answer of somebody who has not seen everything.
    Stale,
    /// An answer to a question that is not open.
    Elsewhere,
    Garbled,
    Cancel(u64),
    /// The gate is opened until all work is done.
    Settle,
    Quit,
}

impl Deed {
    /// Whether it may take something back.
    pub(crate) fn goes_back(&self) -> bool {
        use Deed::*;
        matches!(self, Undo(_) | Revise { .. } | Restart | AskAbout(_) | Enter(_) | Leave | Reject)
    }

    /// What a client says for it where the dialogue stands.
    pub(crate) fn stimulus(&self, dialogue: &Dialogue, request: u64) -> Stimulus {
        let open = dialogue.open_question().unwrap_or(0);
        let wrong = vec![Answer::plain(Judgement::Wrong)];
        let mut seen = dialogue.seen();
        let body = match self.clone() {
            Deed::Answer(rows) => {
                Input::Answer { question: open, rows: rows.into_iter().map(Answer::plain).collect() }
            }
            Deed::OneByOne => Input::OneByOne { question: open },
            Deed::Undo(steps) => Input::Undo { steps },
            Deed::Revise { question, row, judgement } => Input::Revise {
                question,
                row: Some(row).filter(|row| *row < 2),
                answer: Answer::plain(judgement),
            },
            Deed::Restart => Input::Restart,
            Deed::Switch(strategy) => Input::Switch { strategy },
            Deed::Trust(number) => Input::Trust { names: format!("f{number}") },
            Deed::AskAbout(node) => Input::AskAbout { node },
            Deed::Enter(node) => Input::Enter { node },
            Deed::Leave => Input::Leave,
            Deed::Reject => Input::Reject { because: None },
            Deed::Look(at) => Input::Look { at },
            Deed::Hello | Deed::Settle => Input::Hello { protocol: PROTOCOL, page: Page::default() },
            Deed::Stale => {
                seen += 1;
                Input::Answer { question: open, rows: wrong }
            }
            Deed::Elsewhere => Input::Answer { question: open + 1, rows: wrong },
            Deed::Garbled => {
                return Stimulus::Garbled { request: Some(request), message: "what?".to_owned() };
            }
            Deed::Cancel(back) => Input::Cancel { job: JobId(request.saturating_sub(back)) },
            Deed::Quit => Input::Quit,
        };
        Stimulus::Input(Message { request: Some(request), seen, body })
    }
}

pub(crate) fn look() -> impl Strategy<Value = Look> {
    let node = || prop::option::of(0..25u64);
    prop_oneof![
        Just(Look::Why),
        Just(Look::Left),
        Just(Look::History),
        node().prop_map(|node| Look::Whole { node }),
        node().prop_map(|node| Look::Code { node }),
        judgement().prop_map(|answer| Look::IfAnswered { answer }),
    ]
}

/// What may happen while a client talks; mostly answers.
pub(crate) fn deed() -> impl Strategy<Value = Deed> {
    let strategy = (0..StrategyName::ALL.len()).prop_map(|at| StrategyName::ALL[at]);
    prop_oneof![
        14 => prop::collection::vec(judgement(), 1..3).prop_map(Deed::Answer),
        3 => Just(Deed::OneByOne),
        2 => (1..4usize).prop_map(Deed::Undo),
        2 => (0..6usize, 0..3usize, judgement())
            .prop_map(|(question, row, judgement)| Deed::Revise { question, row, judgement }),
        1 => Just(Deed::Restart),
        1 => strategy.prop_map(Deed::Switch),
        1 => (0..14usize).prop_map(Deed::Trust),
        2 => (0..25u64).prop_map(Deed::AskAbout),
        2 => (0..25u64).prop_map(Deed::Enter),
        2 => Just(Deed::Leave),
        1 => Just(Deed::Reject),
        3 => look().prop_map(Deed::Look),
        1 => Just(Deed::Hello),
        1 => Just(Deed::Stale),
        1 => Just(Deed::Elsewhere),
    ]
}

/// The events of some messages.
pub(crate) fn bodies(messages: Vec<Message<Event>>) -> Vec<Event> {
    messages.into_iter().map(|message| message.body).collect()
}

/// Waits until all work is done, with the gate open.
pub(crate) fn settle(driver: &mut Driver, gate: &Gate) -> Vec<Event> {
    let mut events = Vec::new();
    gate.set(true);
    while driver.is_working() {
        events.extend(bodies(driver.wait().expect("work")));
    }
    gate.set(false);
    events
}

/// Where a session stands: what a client would see that came along now.
#[derive(Debug, PartialEq)]
pub(crate) struct Standing {
    open: Vec<Event>,
    history: Vec<Event>,
    level: u16,
    report: gadfly_dialogue::protocol::Report,
}

/// Where a session stands. Looking at it changes nothing.
pub(crate) fn standing(driver: &mut Driver) -> Standing {
    Standing {
        open: bodies(driver.say(Input::Hello { protocol: PROTOCOL, page: Page::default() })),
        history: bodies(driver.say(Input::Look { at: Look::History })),
        level: driver.dialogue().level(),
        report: driver.dialogue().report(),
    }
}

/// The node of a level, for a map.
pub(crate) fn place(level: u16, node: Node) -> (u16, u32) {
    (level, node.0)
}
