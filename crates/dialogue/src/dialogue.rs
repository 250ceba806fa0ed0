//! The dialogue: a state machine that takes stimuli and gives outputs, and never waits.
//!
//! [`Dialogue::handle`] is the one door. A stimulus is what a client says, or how a piece of work goes on or ends. Outputs are
//! events for the client, lines for the journal, and work to be done; they are in order, so that an answer is on disk before
//! the client hears of what follows from it.
//!
//! The way of a session: a question goes to the oracles before the person, then to the person, then to those after. A verdict
//! of the engine is reviewed; if it stands and the call that was found has an inside, the session goes on there, on a level of
//! its own; before it is shown it is reviewed once more.

mod commands;
mod looks;
mod verdicts;
mod work;

use crate::ask::{Part, Seats};
use crate::job::{Ask, Done, Job};
use crate::journal::Entry;
use crate::level::{Entrance, Level, REPORT_WIDTH};
use crate::protocol::{
    self, Answered, AskedReport, Doing, Ending, Event, Input, JobId, LONGEST, Message, Notice, Page, Refusal,
    Report, RowReport,
};
use crate::saved::SavedLevel;
use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{
    Action, ActionError, Answer, Given, Judgement, Question, Session, Settings, Stage, Step, Verdict, Who,
};
use gadfly_source::Sources;
use gadfly_tree::{Node, Recording};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Something that a dialogue hears.
#[derive(Clone, Debug)]
pub enum Stimulus {
    /// A client says something.
    Input(Message<Input>),
    /// A piece of work goes on.
    Progress {
        /// Which.
        job: JobId,
        /// How much is done.
        done: u64,
        /// Of how much, if that is known.
        of: Option<u64>,
    },
    /// A piece of work has ended.
    Done {
        /// Which.
        job: JobId,
        /// What came of it.
        result: Done,
    },
    /// A client said something that is no message.
    Garbled {
        /// The number of its request, if that could be read.
        request: Option<u64>,
        /// What is wrong with it.
        message: String,
    },
    /// The journal could not be written; what happened.
    JournalLost(String),
}

impl Stimulus {
    /// What a client said with a line of JSON.
    pub fn line(line: &[u8]) -> Stimulus {
        /// As much of a message as its refusal repeats.
        #[derive(Deserialize)]
        struct Request {
            request: Option<u64>,
        }
        if line.len() > LONGEST {
            let message = format!("the line is longer than {LONGEST} bytes");
            return Stimulus::Garbled { request: None, message };
        }
        match serde_json::from_slice(line) {
            Ok(message) => Stimulus::Input(message),
            Err(error) => Stimulus::Garbled {
                request: serde_json::from_slice(line).ok().and_then(|Request { request }| request),
                message: format!("this is not a message: {error}"),
            },
        }
    }
}

/// Something that a dialogue wants done, in order.
#[derive(Clone, Debug)]
pub enum Output {
    /// The client is to hear this.
    Event(Message<Event>),
    /// This work is to be done.
    Start(JobId, Job),
    /// This work is not wanted any more.
    Stop(JobId),
    /// This is to be on disk before anything that follows is shown.
    Write(JournalLine),
}

/// A line for the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalLine {
    /// Something that happened, with the texts of the answered equations.
    Entry(Entry, Vec<String>),
    /// A verdict was reached: its status.
    End(&'static str),
}

/// What a dialogue begins with.
pub struct Setup {
    /// What it is about.
    pub recording: Arc<dyn Recording>,
    /// How questions are chosen.
    pub settings: Settings,
    /// Who answers.
    pub seats: Seats,
    /// Whether somebody reviews verdicts.
    pub reviewed: bool,
    /// Whether the inside of calls can be opened.
    pub enters: bool,
    /// What an earlier session left, level by level; empty if there was none.
    pub saved: Vec<SavedLevel>,
    /// How many lines the journal has.
    pub journal: u64,
    /// Whether there is a journal.
    pub keeps: bool,
    /// What the user should know first.
    pub notices: Vec<Notice>,
    /// The strategy that the user wants, if the saved session has another.
    pub switch_to: Option<StrategyName>,
}

/// What the dialogue does now.
enum Phase {
    /// Nobody has said hello.
    Silent,
    /// The next step of the session is due.
    Stepping,
    /// Oracles are asked; `known` is what those before the person said, `said` what the person said.
    Asking { question: Question, part: Part, known: Vec<Given>, said: Vec<Given>, job: JobId },
    /// The person is asked; `given` is what oracles said before.
    Waiting { question: Question, given: Vec<Given> },
    /// A verdict is reviewed.
    Reviewing { verdict: Verdict, stage: Stage, job: JobId },
    /// The inside of a call is opened.
    Entering { verdict: Verdict, entrance: Entrance, job: JobId, back: Option<Box<Phase>> },
    /// A verdict was shown; the person may take something back.
    Decided { verdict: Box<protocol::Verdict>, node: Option<Node> },
    /// The oracles learn before the end; `request` is what it ends for.
    Learning { ending: Ending, job: JobId, request: Option<u64> },
    /// It is over.
    Ended,
}

/// Why an action cannot be done.
enum Refused {
    Action(ActionError),
    Why(Refusal),
}

/// A whole debugging session.
pub struct Dialogue {
    levels: Vec<Level>,
    seats: Seats,
    reviewed: bool,
    enters: bool,
    /// What an earlier session left of levels that are not entered yet, by their number.
    saved: BTreeMap<usize, SavedLevel>,
    page: Page,
    phase: Phase,
    /// Estimates that clients wait for, with the numbers of their requests.
    looks: BTreeMap<JobId, Option<u64>>,
    next_job: u64,
    /// How many lines the journal has.
    journal: u64,
    keeps: bool,
    /// How many levels the journal is in.
    journal_depth: usize,
    /// Whether the journal's last line says that a verdict was shown.
    decided: bool,
    notices: Vec<Notice>,
    switch_to: Option<StrategyName>,
    resumed: usize,
    /// The verdict that was shown last.
    shown: Option<protocol::Verdict>,
    /// The request that is being answered.
    request: Option<u64>,
    outputs: Vec<Output>,
}

impl Dialogue {
    /// A dialogue that waits for a client to say hello. The error is an action of the saved session that makes no sense.
    pub fn new(setup: Setup) -> Result<Dialogue, (usize, ActionError)> {
        let Setup {
            recording,
            settings,
            seats,
            reviewed,
            enters,
            mut saved,
            journal,
            keeps,
            notices,
            switch_to,
        } = setup;
        let session = Session::new(Arc::clone(recording.tree()), recording.behaviours(), settings);
        let mut program = Level {
            number: 0,
            recording,
            session,
            entrance: None,
            left: saved.first().map(|level| level.left.clone()).unwrap_or_default(),
            nodes_before: 0,
            questions_before: 0,
            blame: Default::default(),
            basis: None,
        };
        let decided = saved.last().is_some_and(|level| level.decided);
        let inner = if saved.len() > 1 { saved.split_off(1) } else { Vec::new() };
        for (index, action) in saved.into_iter().flat_map(|level| level.actions).enumerate() {
            program.session.apply(action).map_err(|error| (index + 1, error))?;
        }
        let journal_depth = inner.iter().filter(|level| !level.elsewhere).count();
        let resumed = program.session.asked().len();
        Ok(Dialogue {
            levels: vec![program],
            seats,
            reviewed,
            enters,
            saved: inner.into_iter().enumerate().map(|(at, level)| (at + 1, level)).collect(),
            page: Page::default(),
            phase: Phase::Silent,
            looks: BTreeMap::new(),
            next_job: 1,
            journal,
            keeps,
            journal_depth,
            decided,
            notices,
            switch_to,
            resumed,
            shown: None,
            request: None,
            outputs: Vec::new(),
        })
    }

    /// Takes a stimulus, and says what is to be done.
    pub fn handle(&mut self, stimulus: Stimulus) -> Vec<Output> {
        match stimulus {
            Stimulus::Input(message) => {
                self.request = message.request;
                self.input(message);
            }
            Stimulus::Progress { job, done, of } => self.progress(job, done, of),
            Stimulus::Done { job, result } => self.done(job, result),
            Stimulus::Garbled { request, message } => {
                self.request = request;
                self.refuse(Refusal::Nonsense { message });
            }
            Stimulus::JournalLost(message) => {
                self.keeps = false;
                self.notice(Notice::JournalLost { message });
            }
        }
        while matches!(self.phase, Phase::Stepping) {
            self.step();
        }
        self.request = None;
        std::mem::take(&mut self.outputs)
    }

    /// Whether the client is awaited: a question is open, or a verdict that may be doubted.
    pub fn is_waiting(&self) -> bool {
        matches!(self.phase, Phase::Silent | Phase::Waiting { .. } | Phase::Decided { .. })
    }

    /// Whether it is over.
    pub fn is_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended)
    }

    /// The length of the journal, which commands must have seen.
    pub fn seen(&self) -> u64 {
        self.journal
    }

    /// The level where the session stands: 0 for the program, more for the inside of a call.
    pub fn level(&self) -> u16 {
        self.top().number
    }

    /// The number of the open question.
    pub fn open_question(&self) -> Option<usize> {
        match &self.phase {
            Phase::Waiting { question, .. } => Some(self.top().questions_before + question.number),
            _ => None,
        }
    }

    /// The sources of the level where the session stands.
    pub fn sources(&self) -> &Sources {
        self.top().recording.sources()
    }

    /// The session of the program itself.
    pub fn session(&self) -> &Session {
        &self.levels[0].session
    }

    /// The session of the program itself.
    pub fn into_session(self) -> Session {
        let first = self.levels.into_iter().next();
        // There is always the program.
        first.map(|level| level.session).unwrap_or_else(|| unreachable!("a dialogue has a level"))
    }

    /// How many questions are answered.
    pub fn questions(&self) -> usize {
        self.levels.iter().map(|level| level.session.asked().len()).sum()
    }

    /// How many nodes needed no question because an equal equation was answered before.
    pub fn remembered(&self) -> usize {
        self.levels.iter().map(|level| level.session.remembered().len()).sum()
    }

    /// The whole session, with the verdict that was shown or what can still be buggy.
    pub fn report(&self) -> Report {
        let verdict = match (&self.shown, &self.phase) {
            (Some(shown), Phase::Decided { .. } | Phase::Ended | Phase::Learning { .. }) => {
                Some(shown.clone())
            }
            _ => None,
        };
        let program = &self.levels[0];
        Report {
            strategy: program.session.strategy(),
            view: program.recording.view().to_owned(),
            questions: self.levels.iter().flat_map(asked_reports).collect(),
            verdict: verdict.unwrap_or_else(|| self.undecided()),
        }
    }

    fn top(&self) -> &Level {
        // There is always the program.
        &self.levels[self.levels.len() - 1]
    }

    fn top_mut(&mut self) -> &mut Level {
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn event(&mut self, body: Event) {
        let message = Message { request: self.request, seen: self.journal, body };
        self.outputs.push(Output::Event(message));
    }

    fn notice(&mut self, notice: Notice) {
        self.event(Event::Noticed { notice });
    }

    fn refuse(&mut self, why: Refusal) {
        self.event(Event::Refused { why });
    }

    fn not_now(&mut self, why: &str) {
        self.refuse(Refusal::NotNow { message: why.to_owned() });
    }

    fn start(&mut self, job: Job) -> JobId {
        let id = JobId(self.next_job);
        self.next_job += 1;
        let (doing, of) = (job.doing(), job.size());
        self.outputs.push(Output::Start(id, job));
        if doing != Doing::Learning {
            // Whoever hears of it can cancel it.
            self.event(Event::Working { job: id, doing, done: 0, of });
        }
        id
    }

    /// Writes an entry, after the journal has left the levels that the session is not in.
    fn write(&mut self, entry: Entry) {
        while self.journal_depth + 1 > self.levels.len() {
            self.journal_depth -= 1;
            self.write_line(JournalLine::Entry(Entry::Leave, Vec::new()));
        }
        let equations = match &entry {
            Entry::Action(Action::Answer(given)) => {
                given.iter().map(|given| self.top().line(given.node, REPORT_WIDTH)).collect()
            }
            _ => Vec::new(),
        };
        self.write_line(JournalLine::Entry(entry, equations));
    }

    fn write_line(&mut self, line: JournalLine) {
        self.decided = matches!(line, JournalLine::End(_));
        self.journal += 1;
        self.outputs.push(Output::Write(line));
    }

    fn step(&mut self) {
        let step = self.top_mut().session.step().cloned();
        if let Some(node) = self.entered_by_hand() {
            return self.open_by_hand(node, Phase::Stepping);
        }
        match step {
            Err(error) => self.fail(error.to_string(), None),
            Ok(Step::Ask(question)) => match self.seats {
                Seats { before: true, .. } => self.ask(question, Part::BeforePerson, Vec::new(), Vec::new()),
                Seats { person: true, .. } => self.wait(question, Vec::new()),
                _ => {
                    if let Err(error) = self.take_in(&question, Vec::new()) {
                        self.fail(error.to_string(), None);
                    }
                }
            },
            Ok(Step::Done(verdict)) => self.review(verdict, Stage::Found),
        }
    }

    fn ask(&mut self, question: Question, part: Part, known: Vec<Given>, said: Vec<Given>) {
        // What the person does not know, those behind in the row may.
        let is_known = |one: &&Given| one.answer.judgement != Judgement::DontKnow;
        let given = known.iter().chain(said.iter().filter(is_known)).cloned().collect();
        let level = self.top();
        let job = Job::Ask(Ask {
            level: level.number,
            recording: Arc::clone(&level.recording),
            nodes_before: level.nodes_before,
            number: level.questions_before + question.number,
            rows: question.rows.iter().map(|row| row.node).collect(),
            part,
            given,
        });
        let job = self.start(job);
        self.phase = Phase::Asking { question, part, known, said, job };
    }

    fn wait(&mut self, question: Question, given: Vec<Given>) {
        let shown = self.shown_question(&question, &given);
        self.phase = Phase::Waiting { question, given };
        self.event(Event::Question(shown));
    }

    fn shown_question(&self, question: &Question, given: &[Given]) -> protocol::Question {
        let level = self.top();
        let is_open = |row: &&gadfly_engine::Row| !given.iter().any(|given| given.node == row.node);
        let open: Vec<&gadfly_engine::Row> = question.rows.iter().filter(is_open).collect();
        protocol::Question {
            number: level.questions_before + question.number,
            rows: open.iter().map(|row| level.row(row, self.page, open.len())).collect(),
            reason: question.reason.to_string(),
            known: given.iter().map(|given| level.given(given, self.page.width)).collect(),
        }
    }

    /// Applies the answers to a question; what nobody knows is "don't know".
    fn take_in(&mut self, question: &Question, mut given: Vec<Given>) -> Result<(), ActionError> {
        fill(question, &mut given);
        self.give(self.top().questions_before + question.number, given)?;
        self.phase = Phase::Stepping;
        Ok(())
    }

    /// Applies some answers, writes them down and says so.
    fn give(&mut self, question: usize, given: Vec<Given>) -> Result<(), ActionError> {
        let notices = self.top_mut().apply(Action::Answer(given.clone()))?;
        self.write(Entry::Action(Action::Answer(given.clone())));
        let (level, width) = (self.top(), answered_width(self.page));
        let rows = given.iter().map(|given| level.given(given, width)).collect();
        self.event(Event::Answered(Answered { question, rows }));
        self.tell(notices);
        Ok(())
    }

    fn tell(&mut self, notices: Vec<gadfly_engine::Notice>) {
        use gadfly_engine::Notice as Told;
        for notice in notices {
            let level = self.top();
            let said = |node| level.said(node, self.page.width);
            let notice = match notice {
                Told::EqualJudgedOtherwise { node, judgement, other, earlier } => {
                    Notice::EqualJudgedDifferently {
                        node: said(node),
                        judgement,
                        other: said(other),
                        earlier,
                    }
                }
                Told::WrongInside { node, above, judgement } => {
                    Notice::WrongInside { node: said(node), above: said(above), judgement }
                }
                Told::TrustedButWrong { node } => Notice::TrustedButWrong { node: said(node) },
            };
            self.notice(notice);
        }
    }
}

/// The width of an answered equation in a transcript.
fn answered_width(page: Page) -> usize {
    page.width.max(40) * 2
}

/// What nobody knows is "don't know"; the answers stand in the order of the rows. Behind a wrong row nothing is said of the
/// others, and trust in the function of one says nothing of them either: they are asked about again if they are not trusted.
pub(crate) fn fill(question: &Question, given: &mut Vec<Given>) {
    use Judgement::{TrustFunction, TrustModule, Wrong};
    if !given.iter().any(|given| matches!(given.answer.judgement, Wrong | TrustFunction | TrustModule)) {
        for row in &question.rows {
            if !given.iter().any(|given| given.node == row.node) {
                let answer = Answer::plain(Judgement::DontKnow);
                given.push(Given { node: row.node, answer, by: Who::Nobody });
            }
        }
    }
    given.sort_by_key(|given| given.node);
}

/// What a journal knows a tree by.
pub fn fingerprint(recording: &dyn Recording) -> String {
    format!("{:032x}", recording.fingerprint())
}

/// The answers of a level, for oracles to learn from.
fn answers_of(level: &Level) -> Vec<Ask> {
    let asked = level.session.asked().into_iter();
    asked
        .map(|asked| Ask {
            level: level.number,
            recording: Arc::clone(&level.recording),
            nodes_before: level.nodes_before,
            number: level.questions_before + asked.number,
            rows: asked.given.iter().map(|given| given.node).collect(),
            part: Part::BeforePerson,
            given: asked.given,
        })
        .collect()
}

fn asked_reports(level: &Level) -> Vec<AskedReport> {
    let report = |given: &Given| RowReport {
        node: level.shown_number(given.node),
        equation: level.line(given.node, REPORT_WIDTH),
        answer: given.answer.judgement,
        by: given.by,
        marks: given.answer.marks.clone(),
        expected: given.answer.expected.clone(),
        because: given.answer.because.clone(),
    };
    let asked = level.session.asked().into_iter();
    asked
        .filter_map(|asked| {
            let rows: Vec<RowReport> = asked.given.iter().map(report).collect();
            Some(AskedReport {
                number: asked.number + level.questions_before,
                last: rows.last()?.clone(),
                rows: if rows.len() > 1 { rows } else { Vec::new() },
                inside: level.number > 0,
            })
        })
        .collect()
}
