//! The dialogue: a state machine that takes stimuli and gives outputs, and never waits.
//!
//! [`Dialogue::handle`] is the one door. A stimulus is what a client says, or how a piece of work goes on or ends. Outputs are
//! events for the client, lines for the journal, and work to be done; they are in order, so that an answer is on disk before
//! the client hears of what follows from it.
//!
//! The way of a session: a question goes to the oracles before the person, then to the person, then to those after. A verdict
//! of the engine is reviewed; if it stands and the call that was found has an inside, the session goes on there, on a level of
//! its own; before it is shown it is reviewed once more.

use crate::ask::{Part, Seats, is_enough};
use crate::job::{Ask, Done, Job};
use crate::journal::Entry;
use crate::level::{Entrance, Level, REPORT_WIDTH};
use crate::protocol::{
    self, AskedReport, Doubt, Ending, Estimate, Event, Input, JobId, Look, Looked, Message, NodeRef, Notice,
    PROTOCOL, Page, Refusal, Report, RowReport,
};
use crate::saved::SavedLevel;
use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{
    Action, ActionError, Answer, Case, Given, Instead, Judgement, LeftOver, NoInside, Opened, OracleError,
    Question, Review, Session, Settings, Stage, Step, Verdict, Who,
};
use gadfly_source::Sources;
use gadfly_tree::{Node, Recording};
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
    /// The journal could not be written; what happened.
    JournalLost(String),
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
    /// Oracles are asked; `said` is what the person said.
    Asking { question: Question, part: Part, said: Vec<Given>, job: JobId },
    /// The person is asked; `given` is what oracles said before.
    Waiting { question: Question, given: Vec<Given> },
    /// A verdict is reviewed.
    Reviewing { verdict: Verdict, stage: Stage, job: JobId },
    /// The inside of a call is opened.
    Entering { verdict: Verdict, entrance: Entrance, job: JobId, back: Option<Box<Phase>> },
    /// A verdict was shown; the person may take something back.
    Decided { verdict: Box<protocol::Verdict>, node: Option<Node> },
    /// The oracles learn before the end.
    Learning { ending: Ending, job: JobId },
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
            nodes_before: 0,
            questions_before: 0,
            blame: Default::default(),
            basis: None,
        };
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

    // Outputs.

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
        self.refuse(Refusal::NotNow { why: why.to_owned() });
    }

    fn start(&mut self, job: Job) -> JobId {
        let id = JobId(self.next_job);
        self.next_job += 1;
        self.outputs.push(Output::Start(id, job));
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
        self.journal += 1;
        self.outputs.push(Output::Write(line));
    }

    // Inputs.

    fn input(&mut self, Message { seen, body, .. }: Message<Input>) {
        if body.is_command() && seen != self.journal {
            return self.refuse(Refusal::Stale { journal: self.journal });
        }
        if matches!(self.phase, Phase::Ended) {
            return self.not_now("the session is over");
        }
        if matches!(self.phase, Phase::Silent) && !matches!(body, Input::Hello { .. }) {
            return self.not_now("say hello first");
        }
        match body {
            Input::Hello { protocol, page } => self.hello(protocol, page),
            Input::Look { at } => self.look(&at),
            Input::Cancel { job } => self.outputs.push(Output::Stop(job)),
            Input::Quit => self.quit(),
            Input::Answer { question, rows } => self.answer(question, rows),
            command => self.command(command),
        }
    }

    fn hello(&mut self, protocol: u16, page: Page) {
        if protocol != PROTOCOL {
            return self.refuse(Refusal::Protocol { protocol: PROTOCOL });
        }
        self.page = page;
        if !matches!(self.phase, Phase::Silent) {
            return self.show_again();
        }
        let (recording, resumed) = (Arc::clone(&self.levels[0].recording), self.resumed);
        let about = recording.about();
        self.event(Event::Opened {
            protocol: PROTOCOL,
            program: about.program.clone(),
            language: about.language.clone(),
            view: recording.view().to_owned(),
            nodes: recording.tree().len(),
            resumed,
        });
        for notice in std::mem::take(&mut self.notices) {
            self.notice(notice);
        }
        let switch_to = self.switch_to.take().filter(|strategy| self.session().strategy() != *strategy);
        if let Some(strategy) = switch_to {
            // Another strategy is always possible.
            let _ = self.act(Action::Switch(strategy));
        }
        self.phase = Phase::Stepping;
    }

    /// Shows what is open once more.
    fn show_again(&mut self) {
        match &self.phase {
            Phase::Waiting { question, given } => {
                let shown = self.shown_question(question, given);
                self.event(Event::Question(shown));
            }
            Phase::Decided { verdict, .. } => {
                let verdict = (**verdict).clone();
                self.event(Event::Verdict(verdict));
            }
            _ => {}
        }
    }

    fn answer(&mut self, number: usize, rows: Vec<Answer>) {
        let open = self.open_question();
        let Phase::Waiting { question, given } = &self.phase else {
            return self.refuse(Refusal::OtherQuestion { open });
        };
        if open != Some(number) {
            return self.refuse(Refusal::OtherQuestion { open });
        }
        let (question, given) = (question.clone(), given.clone());
        let nodes: Vec<Node> = question.rows.iter().map(|row| row.node).collect();
        let unanswered = nodes.iter().filter(|node| !given.iter().any(|given| given.node == **node));
        let said: Vec<Given> = unanswered
            .zip(rows.iter().cloned())
            .map(|(node, answer)| Given { node: *node, answer, by: Who::Person })
            .collect();
        if rows.is_empty() || rows.len() > said.len() {
            let why = format!("question {number} has {} open rows", nodes.len() - given.len());
            return self.refuse(Refusal::Nonsense { why });
        }
        // What the person does not know, those behind in the row may.
        let known = |one: &Given| one.answer.judgement != Judgement::DontKnow;
        let mut all = given.clone();
        all.extend(said.iter().filter(|one| known(one)).cloned());
        if self.seats.after && !is_enough(&nodes, &all) {
            return self.ask(question, Part::AfterPerson, all, said);
        }
        let mut all = given;
        all.extend(said);
        if let Err(error) = self.take_in(&question, all) {
            self.refuse(Refusal::Nonsense { why: error.to_string() });
        }
    }

    fn command(&mut self, command: Input) {
        if !matches!(self.phase, Phase::Waiting { .. } | Phase::Decided { .. }) {
            return self.not_now("work is going on; cancel it first");
        }
        let done = match command {
            Input::Undo { steps } => self.undo(steps),
            Input::Revise { question, row, answer } => {
                self.revise(question, row.saturating_sub(1), answer, Who::Person)
            }
            Input::Restart => self.restart(),
            Input::Switch { strategy } => self.act(Action::Switch(strategy)),
            Input::Trust { names } => self.act(Action::Trust(names)),
            Input::AskAbout { node } => self.at_top(node).and_then(|node| self.act(Action::AskAbout(node))),
            Input::Enter { node } => return self.enter_by_hand(node),
            Input::Leave => self.leave_by_hand(),
            Input::Reject { because } => self.reject(because),
            Input::Hello { .. }
            | Input::Answer { .. }
            | Input::Look { .. }
            | Input::Cancel { .. }
            | Input::Quit => Ok(()),
        };
        match done {
            Ok(()) => self.phase = Phase::Stepping,
            Err(Refused::Action(error)) => self.refuse(Refusal::Nonsense { why: error.to_string() }),
            Err(Refused::Why(why)) => self.refuse(why),
        }
    }

    /// Does something in the session where it stands.
    fn act(&mut self, action: Action) -> Result<(), Refused> {
        let notices = self.top_mut().session.apply(action.clone()).map_err(Refused::Action)?;
        self.write(Entry::Action(action));
        self.tell(notices);
        Ok(())
    }

    fn at_top(&self, node: NodeRef) -> Result<Node, Refused> {
        match usize::from(node.level) + 1 == self.levels.len() {
            true => Ok(node.node),
            false => Err(Refused::Why(Refusal::NotNow {
                why: format!("the session is at level {}", self.levels.len() - 1),
            })),
        }
    }

    fn undo(&mut self, steps: usize) -> Result<(), Refused> {
        let available: usize = self.levels.iter().map(|level| level.session.steps()).sum();
        if steps == 0 || steps > available {
            return Err(Refused::Action(ActionError::NothingToUndo(available)));
        }
        let (mut left, mut target) = (steps, self.levels.len() - 1);
        while left > self.levels[target].session.steps() {
            left -= self.levels[target].session.steps();
            target -= 1;
        }
        self.levels[target].session.apply(Action::Undo(left)).map_err(Refused::Action)?;
        self.write(Entry::Action(Action::Undo(steps)));
        self.drop_levels(target + 1, false);
        Ok(())
    }

    fn revise(&mut self, number: usize, row: usize, answer: Answer, by: Who) -> Result<(), Refused> {
        let target = self.levels.iter().rposition(|level| level.questions_before < number).unwrap_or(0);
        let local = number - self.levels[target].questions_before.min(number);
        let action = Action::Revise { number: local, row, answer: answer.clone(), by };
        let notices = self.levels[target].session.apply(action).map_err(|error| {
            Refused::Action(match error {
                ActionError::NoSuchQuestion(_) => ActionError::NoSuchQuestion(number),
                error => error,
            })
        })?;
        self.write(Entry::Action(Action::Revise { number, row, answer, by }));
        self.drop_levels(target + 1, false);
        self.tell(notices);
        Ok(())
    }

    fn restart(&mut self) -> Result<(), Refused> {
        self.levels[0].session.apply(Action::Restart).map_err(Refused::Action)?;
        self.write(Entry::Action(Action::Restart));
        self.drop_levels(1, false);
        Ok(())
    }

    /// Leaves the levels from this one on; the journal knows by what was done.
    fn drop_levels(&mut self, from: usize, empty_handed: bool) {
        while self.levels.len() > from {
            self.levels.pop();
            let level = self.levels.len() as u16;
            self.event(Event::Left { level, empty_handed });
        }
        self.journal_depth = self.journal_depth.min(from - 1);
        self.saved.retain(|level, _| *level < from);
        let top = self.top_mut();
        top.blame.clear();
        top.basis = None;
    }

    fn reject(&mut self, because: Option<String>) -> Result<(), Refused> {
        let not_now = |why: &str| Err(Refused::Why(Refusal::NotNow { why: why.to_owned() }));
        let Phase::Decided { node: Some(node), .. } = self.phase else {
            return not_now("there is no verdict to reject");
        };
        let level = self.top();
        let is_it = |given: &Given| given.node == node && given.answer.judgement == Judgement::Wrong;
        let found = level.session.asked().into_iter().find_map(|asked| {
            Some((asked.number + level.questions_before, asked.given.iter().position(is_it)?))
        });
        let Some((number, row)) = found else {
            return not_now("no answer called it wrong: what was seen to go wrong did");
        };
        let answer = Answer { because, ..Answer::plain(Judgement::Correct) };
        self.revise(number, row, answer, Who::Person)
    }

    fn enter_by_hand(&mut self, node: NodeRef) {
        let here = match self.at_top(node) {
            Ok(here) => here,
            Err(Refused::Why(why)) => return self.refuse(why),
            Err(Refused::Action(error)) => return self.refuse(Refusal::Nonsense { why: error.to_string() }),
        };
        if !self.enters || !self.top().recording.tree().contains(here) {
            return self.not_now("there is no inside to enter");
        }
        let outside = Verdict::Bug { node: here, inadmissible: Vec::new() };
        let entrance = Entrance { of: node, certain: true, by_hand: true, outside: outside.clone() };
        let back = std::mem::replace(&mut self.phase, Phase::Stepping);
        self.open_inside(outside, entrance, Some(Box::new(back)));
    }

    fn leave_by_hand(&mut self) -> Result<(), Refused> {
        if self.levels.len() == 1 {
            return Err(Refused::Why(Refusal::NotNow { why: "the session is not inside a call".to_owned() }));
        }
        let level = self.levels.len() - 1;
        self.levels.pop();
        self.event(Event::Left { level: level as u16, empty_handed: false });
        self.leave_in_journal();
        // The call that was left is not entered again by itself.
        self.top_mut().blame.clear();
        Ok(())
    }

    /// Writes that the session has left the levels that it is not in.
    fn leave_in_journal(&mut self) {
        while self.journal_depth + 1 > self.levels.len() {
            self.journal_depth -= 1;
            self.write_line(JournalLine::Entry(Entry::Leave, Vec::new()));
        }
        let depth = self.levels.len();
        self.saved.retain(|level, _| *level < depth);
    }

    fn quit(&mut self) {
        let ending = match self.phase {
            Phase::Decided { .. } => Ending::Verdict,
            _ => Ending::Quit {
                answers: self.levels.iter().map(|level| level.session.asked().len()).sum(),
                suspicious: self.top().suspicious().count() as u64,
                kept: self.keeps,
            },
        };
        let running = match &self.phase {
            Phase::Asking { job, .. } | Phase::Reviewing { job, .. } | Phase::Entering { job, .. } => {
                Some(*job)
            }
            _ => None,
        };
        self.outputs.extend(running.map(Output::Stop));
        self.end(ending);
    }

    // Looks.

    fn look(&mut self, at: &Look) {
        let found = match at {
            Look::Left => {
                let snapshot = Box::new(self.top().session.snapshot());
                let job = self.start(Job::Estimate(snapshot));
                self.looks.insert(job, self.request);
                return;
            }
            Look::History => Ok(Looked::History { answers: self.history() }),
            Look::Why => self.open().map(|question| Looked::Why {
                reason: question.reason.to_string(),
                rows: question.rows.len(),
            }),
            Look::Whole { node } => self.looked_at(*node).and_then(|nodes| {
                let whole = |node: &NodeRef| {
                    let level = &self.levels[usize::from(node.level)];
                    let lines = level.whole(node.node, self.page.width);
                    lines.map_err(|why| Refusal::NotNow { why })
                };
                let equations = nodes.iter().map(whole).collect::<Result<_, _>>()?;
                Ok(Looked::Whole { equations })
            }),
            Look::Code { node } => self.looked_at(*node).map(|nodes| {
                let node = nodes[0];
                let level = &self.levels[usize::from(node.level)];
                Looked::Code { place: Box::new(level.place(node.node, self.page.width)) }
            }),
            Look::IfAnswered { answer } => self.open().map(|question| {
                let mut state = self.top().session.state().clone();
                let count = |state: &gadfly_engine::State| {
                    let area = state.area();
                    let focus = u64::from(area.focus_wrong);
                    (0..state.tree().len()).filter(|node| area.is_askable(Node(*node))).count() as u64 + focus
                };
                let now = count(&state);
                state.record(question.rows[0].node, *answer);
                Looked::IfAnswered { now, then: count(&state) }
            }),
        };
        match found {
            Ok(found) => self.event(Event::Looked { found }),
            Err(why) => self.refuse(why),
        }
    }

    fn open(&self) -> Result<&Question, Refusal> {
        match &self.phase {
            Phase::Waiting { question, .. } => Ok(question),
            _ => Err(Refusal::NotNow { why: "there is no open question".to_owned() }),
        }
    }

    /// The node that is named, or those of the open question.
    fn looked_at(&self, node: Option<NodeRef>) -> Result<Vec<NodeRef>, Refusal> {
        let Some(node) = node else {
            let question = self.open()?;
            return Ok(question.rows.iter().map(|row| self.top().at(row.node)).collect());
        };
        let known = self.levels.get(usize::from(node.level));
        match known.is_some_and(|level| level.recording.tree().contains(node.node)) {
            true => Ok(vec![node]),
            false => Err(Refusal::Nonsense { why: format!("there is no node {}", node.node.number()) }),
        }
    }

    fn history(&self) -> Vec<(usize, Vec<protocol::Given>)> {
        let width = answered_width(self.page);
        let of_level = |level: &Level| -> Vec<(usize, Vec<protocol::Given>)> {
            let asked = level.session.asked().into_iter();
            asked
                .map(|asked| {
                    let given = asked.given.iter().map(|given| level.given(given, width)).collect();
                    (asked.number + level.questions_before, given)
                })
                .collect()
        };
        self.levels.iter().flat_map(of_level).collect()
    }

    // Steps.

    fn step(&mut self) {
        let step = self.top_mut().session.step().cloned();
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

    fn ask(&mut self, question: Question, part: Part, given: Vec<Given>, said: Vec<Given>) {
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
        self.phase = Phase::Asking { question, part, said, job };
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
        let notices = self.top_mut().session.apply(Action::Answer(given.clone()))?;
        self.write(Entry::Action(Action::Answer(given.clone())));
        let (level, width) = (self.top(), answered_width(self.page));
        let rows = given.iter().map(|given| level.given(given, width)).collect();
        let question = level.questions_before + question.number;
        self.event(Event::Answered { question, rows });
        self.tell(notices);
        self.phase = Phase::Stepping;
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

    // Verdicts.

    fn review(&mut self, verdict: Verdict, stage: Stage) {
        if !self.reviewed {
            let stands = Review::stands(&verdict);
            return self.take_review(stage, stands);
        }
        let level = self.top();
        let area = level.session.state().area();
        let case = Case {
            level: level.number,
            recording: Arc::clone(&level.recording),
            verdict: verdict.clone(),
            asked: level.session.asked(),
            focus: area.focus_wrong.then_some(area.focus),
            has_person: self.seats.person,
        };
        let job = self.start(Job::Review { case: Box::new(case), stage });
        self.phase = Phase::Reviewing { verdict, stage, job };
    }

    fn take_review(&mut self, stage: Stage, review: Review) {
        match review {
            Review::Strictly => {
                self.event(Event::Doubted { why: Doubt::SameInReference });
                match self.restart() {
                    Ok(()) => self.phase = Phase::Stepping,
                    Err(Refused::Action(error)) => self.fail(error.to_string(), None),
                    Err(Refused::Why(_)) => self.fail("the session cannot begin again".to_owned(), None),
                }
            }
            Review::Revise { number, row, answer, by } => {
                let level = self.top();
                let question = level.questions_before + number;
                let node = level
                    .session
                    .asked()
                    .get(number.saturating_sub(1))
                    .and_then(|asked| asked.given.get(row).map(|given| given.node));
                let given = node.map(|node| Given { node, answer: answer.clone(), by });
                let width = answered_width(self.page);
                let rows = given.iter().map(|given| self.top().given(given, width)).collect();
                self.event(Event::Answered { question, rows });
                match self.revise(question, row, answer, by) {
                    Ok(()) => self.phase = Phase::Stepping,
                    Err(Refused::Action(error)) => self.fail(error.to_string(), None),
                    Err(Refused::Why(_)) => self.fail("the answer cannot be changed".to_owned(), None),
                }
            }
            Review::Replaced { verdict, blame, why } => {
                let doubt = match why {
                    Instead::TestPasses => Some(Doubt::TestPasses),
                    Instead::RanAndDiffers => Some(Doubt::RanAndDiffers),
                    Instead::DiffersElsewhere => Some(Doubt::DiffersElsewhere),
                    Instead::NothingDiffers => None,
                };
                if let Some(why) = doubt {
                    self.event(Event::Doubted { why });
                }
                let level = self.top_mut();
                level.blame = blame.into_iter().collect();
                level.basis = Some(match why {
                    Instead::TestPasses => gadfly_engine::Basis::TestPasses,
                    _ => gadfly_engine::Basis::ReferenceText,
                });
                self.show(verdict);
            }
            Review::Stands { verdict, blame, basis, enter } => {
                let level = self.top_mut();
                level.blame.extend(blame);
                level.basis = basis.or(level.basis);
                match stage {
                    Stage::Found => self.enter_or_conclude(verdict, enter),
                    Stage::Final { .. } => self.conclude(verdict),
                }
            }
        }
    }

    /// Goes on inside the call that was found, if there is anything to be seen.
    fn enter_or_conclude(&mut self, verdict: Verdict, enter: bool) {
        let level = self.top();
        let area = level.session.state().area();
        let found = match &verdict {
            Verdict::Bug { node, .. } => Some((*node, true)),
            // A call that is wrong may be to blame although nobody knows about some that it made.
            Verdict::Unsure { .. } if area.focus_wrong => Some((area.focus, false)),
            _ => None,
        };
        let Some((node, certain)) = found.filter(|_| enter && self.enters) else {
            return self.review(verdict, Stage::Final { unreachable: false });
        };
        let entrance = Entrance { of: level.at(node), certain, by_hand: false, outside: verdict.clone() };
        self.open_inside(verdict, entrance, None);
    }

    fn open_inside(&mut self, verdict: Verdict, entrance: Entrance, back: Option<Box<Phase>>) {
        let (recording, node) = (Arc::clone(&self.top().recording), entrance.of.node);
        let level = self.levels.len() as u16;
        let job = self.start(Job::Inside { recording, node, level });
        self.phase = Phase::Entering { verdict, entrance, job, back };
    }

    fn entered(
        &mut self,
        verdict: Verdict,
        entrance: Entrance,
        back: Option<Box<Phase>>,
        opened: Result<Opened, NoInside>,
    ) {
        let Opened { recording, rerecorded } = match opened {
            Ok(opened) => opened,
            Err(reason) => {
                let unreachable = matches!(reason, NoInside::Unreachable(_));
                if let NoInside::Unreachable(reason) = reason {
                    self.notice(Notice::NoInside { reason });
                } else if back.is_some() {
                    self.not_now("there is no inside to enter");
                }
                match back {
                    Some(phase) => self.phase = *phase,
                    None => self.review(verdict, Stage::Final { unreachable }),
                }
                return;
            }
        };
        if rerecorded {
            self.notice(Notice::Rerecorded);
        }
        let outer = self.top();
        let of = outer.said(entrance.of.node, self.page.width);
        let (number, certain) = (self.levels.len() as u16, entrance.certain);
        let session = self.inner_session(&*recording);
        let level = Level {
            number,
            nodes_before: outer.nodes_before + u64::from(outer.recording.tree().len()),
            questions_before: outer.questions_before + outer.session.asked().len(),
            recording,
            session,
            entrance: Some(entrance),
            blame: Default::default(),
            basis: None,
        };
        self.event(Event::Entered { level: number, of, certain });
        self.push_level(level);
        self.phase = Phase::Stepping;
    }

    /// A session about the inside of a call, which is known to be wrong.
    fn inner_session(&self, recording: &dyn Recording) -> Session {
        let settings = Settings {
            strategy: self.top().session.strategy(),
            whole_is_wrong: true,
            ask_again: self.seats.person,
            ..Settings::default()
        };
        Session::new(Arc::clone(recording.tree()), recording.behaviours(), settings)
    }

    /// Enters a level, with what an earlier session did there.
    fn push_level(&mut self, mut level: Level) {
        let node = level.entrance.as_ref().map_or(Node::ROOT, |entrance| entrance.of.node);
        let tree = fingerprint(&*level.recording);
        let at = self.levels.len();
        let saved = self.saved.remove(&at);
        let known = match saved {
            Some(saved) if saved.entered == Some((node, tree.clone())) || saved.elsewhere => {
                let same = saved.entered.as_ref().is_some_and(|(_, known)| *known == tree);
                let mut played = same.then_some(saved);
                if let Some(saved) = &played
                    && saved.actions.iter().any(|action| level.session.apply(action.clone()).is_err())
                {
                    level.session = self.inner_session(&*level.recording);
                    played = None;
                }
                if played.is_none() {
                    self.notice(Notice::InsideChanged);
                }
                played
            }
            Some(_) => {
                self.notice(Notice::InsideChanged);
                None
            }
            None => None,
        };
        let in_journal = known.as_ref().is_some_and(|saved| !saved.elsewhere);
        if !in_journal {
            // What the journal has of this level is about something else.
            self.leave_in_journal();
        }
        self.levels.push(level);
        if !in_journal {
            self.journal_depth += 1;
            self.write_line(JournalLine::Entry(Entry::Enter { node, tree }, Vec::new()));
            for action in known.into_iter().flat_map(|saved| saved.actions) {
                self.write(Entry::Action(action));
            }
        }
    }

    /// Shows a verdict, unless it is about a call that was entered in vain.
    fn conclude(&mut self, verdict: Verdict) {
        let found = matches!(&verdict, Verdict::Bug { node, .. } if *node != Node::ROOT);
        let entrance = self.top().entrance.clone().filter(|entrance| !entrance.by_hand);
        let Some(entrance) = entrance.filter(|_| !found) else { return self.show(verdict) };
        // Where nothing more is found, a call that should never have been made says the most.
        let made = matches!(&entrance.outside, Verdict::Bug { inadmissible, .. } if !inadmissible.is_empty());
        if entrance.certain && !made {
            return self.show(verdict);
        }
        let level = self.levels.len() as u16 - 1;
        self.levels.pop();
        self.event(Event::Left { level, empty_handed: !entrance.certain });
        self.leave_in_journal();
        self.review(entrance.outside, Stage::Final { unreachable: false });
    }

    fn show(&mut self, verdict: Verdict) {
        let verdict = match verdict {
            Verdict::Unsure { candidates } if candidates.is_empty() && self.top().basis.is_some() => {
                Verdict::None(gadfly_engine::NoBug::ReferenceAgrees)
            }
            verdict => verdict,
        };
        let node = match &verdict {
            Verdict::Bug { node, .. } => Some(*node),
            _ => None,
        };
        let shown = self.whole_verdict(&verdict, self.page.width);
        self.shown = Some(self.whole_verdict(&verdict, REPORT_WIDTH));
        self.write_line(JournalLine::End(shown.status()));
        self.event(Event::Verdict(shown.clone()));
        match self.seats.person {
            true => self.phase = Phase::Decided { verdict: Box::new(shown), node },
            false => self.end(Ending::Verdict),
        }
    }

    /// A verdict with the calls that were entered to find it.
    fn whole_verdict(&self, verdict: &Verdict, width: usize) -> protocol::Verdict {
        let mut whole = self.top().verdict(verdict, width);
        if let (protocol::Verdict::Bug(bug), Some(entrance)) = (&mut whole, &self.top().entrance)
            && !entrance.by_hand
        {
            let outer = &self.levels[usize::from(entrance.of.level)];
            bug.call = Some(Box::new(outer.verdict(&entrance.outside, width)));
        }
        whole
    }

    /// The verdict on a session that was left: any of so many nodes.
    fn undecided(&self) -> protocol::Verdict {
        const LISTED: usize = 1_000;
        let program = &self.levels[0];
        let candidates =
            program.suspicious().take(LISTED).map(|node| program.place(node, REPORT_WIDTH)).collect();
        protocol::Verdict::Unsure { candidates, of: None }
    }

    // Work.

    fn progress(&mut self, job: JobId, done: u64, of: Option<u64>) {
        let doing = match &self.phase {
            Phase::Asking { job: here, .. } if *here == job => protocol::Doing::Asking,
            Phase::Reviewing { job: here, .. } if *here == job => protocol::Doing::Reviewing,
            Phase::Entering { job: here, .. } if *here == job => protocol::Doing::Entering,
            Phase::Learning { job: here, .. } if *here == job => protocol::Doing::Learning,
            _ if self.looks.contains_key(&job) => protocol::Doing::Estimating,
            _ => return,
        };
        self.event(Event::Working { job, doing, done, of });
    }

    fn done(&mut self, job: JobId, result: Done) {
        let cancelled = matches!(result, Done::Cancelled);
        if let Some(request) = self.looks.remove(&job) {
            self.request = request;
            let estimate = match result {
                Done::Estimate(estimate) => estimate.map(|one| Estimate {
                    mean_tenths: one.mean_tenths,
                    most: one.most,
                    exact: one.exact,
                    suspicious: one.suspicious,
                }),
                _ => None,
            };
            match cancelled {
                true => self.event(Event::Worked { job, cancelled }),
                false => self.event(Event::Looked { found: Looked::Left { estimate } }),
            }
            return;
        }
        let is_ours = match &self.phase {
            Phase::Asking { job: here, .. }
            | Phase::Reviewing { job: here, .. }
            | Phase::Entering { job: here, .. }
            | Phase::Learning { job: here, .. } => *here == job,
            _ => false,
        };
        if !is_ours {
            return;
        }
        if cancelled {
            self.event(Event::Worked { job, cancelled });
        }
        match (std::mem::replace(&mut self.phase, Phase::Stepping), result) {
            (Phase::Asking { question, part, said, .. }, result) => self.asked(question, part, said, result),
            (Phase::Reviewing { stage, .. }, Done::Review(review)) => self.take_review(stage, review),
            (Phase::Reviewing { verdict, stage, .. }, _) => {
                let stands = Review::stands(&verdict);
                self.take_review(stage, stands);
            }
            (Phase::Entering { verdict, entrance, back, .. }, Done::Inside(opened)) => {
                self.entered(verdict, entrance, back, opened);
            }
            (Phase::Entering { verdict, entrance, back, .. }, _) => {
                self.entered(verdict, entrance, back, Err(NoInside::Cancelled));
            }
            (Phase::Learning { ending, .. }, result) => self.learned(ending, result),
            (phase, _) => self.phase = phase,
        }
    }

    /// The oracles have spoken.
    fn asked(&mut self, question: Question, part: Part, said: Vec<Given>, result: Done) {
        let mut given = match result {
            Done::Answers { given, disabled, stopped } => {
                for (who, OracleError { message, hint }) in disabled {
                    self.notice(Notice::OracleDisabled { who, message, hint });
                }
                if let Some((who, OracleError { message, hint })) = stopped {
                    let kept =
                        self.keeps.then_some("the answers so far are kept: `--resume` continues with them");
                    let hint = [hint.as_deref(), kept].into_iter().flatten().collect::<Vec<_>>().join("; ");
                    let message = format!("the oracle `{who}` cannot go on: {message}");
                    return self.fail(message, Some(hint).filter(|hint| !hint.is_empty()));
                }
                given
            }
            // What was asked in vain is for the person, or not known.
            _ => Vec::new(),
        };
        let nodes: Vec<Node> = question.rows.iter().map(|row| row.node).collect();
        if part == Part::BeforePerson && self.seats.person && !is_enough(&nodes, &given) {
            return self.wait(question, given);
        }
        if part == Part::AfterPerson {
            for one in said {
                if !given.iter().any(|given| given.node == one.node) {
                    given.push(one);
                }
            }
        }
        if let Err(error) = self.take_in(&question, given) {
            let number = self.top().questions_before + question.number;
            self.fail(format!("question {number}: {error}"), None);
        }
    }

    fn fail(&mut self, message: String, hint: Option<String>) {
        self.end(Ending::Failed { message, hint });
    }

    /// Lets the oracles learn, and ends.
    fn end(&mut self, ending: Ending) {
        let missing = matches!(&self.shown, Some(protocol::Verdict::Unsure { .. }))
            || matches!(&self.shown, Some(protocol::Verdict::Bug(bug)) if bug.call.is_some());
        let answers = match self.seats.learns {
            true => self.levels.iter().flat_map(answers_of).collect(),
            false => Vec::new(),
        };
        let job = self.start(Job::Learn { answers, missing: missing && ending == Ending::Verdict });
        self.phase = Phase::Learning { ending, job };
    }

    fn learned(&mut self, ending: Ending, result: Done) {
        if let Done::Learned { failed, left_over } = result {
            for error in failed {
                self.notice(Notice::NotLearned { message: error.message });
            }
            for (who, left) in left_over {
                self.notice(match left {
                    LeftOver::Unanswered { reason, count } => Notice::Unanswered { who, reason, count },
                    LeftOver::Unused { line, text } => Notice::UnusedAnswer { line, text },
                });
            }
        }
        self.phase = Phase::Ended;
        self.event(Event::Ended { how: ending });
    }
}

/// The width of an answered equation in a transcript.
fn answered_width(page: Page) -> usize {
    page.width.max(40) * 2
}

/// What nobody knows is "don't know"; the answers stand in the order of the rows.
pub(crate) fn fill(question: &Question, given: &mut Vec<Given>) {
    if !given.iter().any(|given| given.answer.judgement == Judgement::Wrong) {
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
