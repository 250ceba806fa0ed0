//! What a client says: commands, and what they do to the levels.
//!
//! A command is tried on the session of its level first, then written, then told; if the session refuses it, nothing was
//! written and nothing changed.

use super::{Dialogue, JournalLine, Output, Phase, Refused, answered_width};
use crate::ask::{Part, is_enough};
use crate::journal::Entry;
use crate::level::{Entrance, Level};
use crate::protocol::{Ending, Event, Input, JobId, Message, NodeRef, PROTOCOL, Page, Refusal, Taken};
use gadfly_engine::{Action, ActionError, Answer, Given, Judgement, Verdict, Who};
use gadfly_tree::Node;
use std::sync::Arc;

impl Dialogue {
    pub(super) fn input(&mut self, Message { seen, body, .. }: Message<Input>) {
        if body.is_command() && seen != self.journal {
            return self.refuse(Refusal::Stale { journal: self.journal });
        }
        if matches!(self.phase, Phase::Ended) {
            return self.not_now("the session is over");
        }
        if matches!(self.phase, Phase::Silent) && !matches!(body, Input::Hello { .. } | Input::Quit) {
            return self.not_now("say hello first");
        }
        match body {
            Input::Hello { protocol, page } => self.hello(protocol, page),
            Input::Look { at } => self.look(&at),
            Input::Cancel { job } => self.cancel(job),
            Input::Quit => self.quit(),
            Input::Answer { question, rows } => self.answer(question, rows),
            command => self.command(command),
        }
    }

    pub(super) fn hello(&mut self, protocol: u16, page: Page) {
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
    pub(super) fn show_again(&mut self) {
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

    pub(super) fn answer(&mut self, number: usize, rows: Vec<Answer>) {
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
            let message = format!("question {number} has {} open rows", nodes.len() - given.len());
            return self.refuse(Refusal::Nonsense { message });
        }
        let is_known = |one: &&Given| one.answer.judgement != Judgement::DontKnow;
        let known: Vec<Given> = given.iter().chain(said.iter().filter(is_known)).cloned().collect();
        if self.seats.after && !is_enough(&nodes, &known) {
            return self.ask(question, Part::AfterPerson, given, said);
        }
        let mut all = given;
        all.extend(said);
        if let Err(error) = self.take_in(&question, all) {
            self.refuse(Refusal::Nonsense { message: error.to_string() });
        }
    }

    pub(super) fn command(&mut self, command: Input) {
        if !matches!(self.phase, Phase::Waiting { .. } | Phase::Decided { .. }) {
            return self.not_now("work is going on; cancel it first");
        }
        let done = match command {
            Input::Undo { steps } => self.undo(steps),
            Input::OneByOne { question } => self.one_by_one(question),
            Input::Revise { question, row, answer } => match self.row_of(question, row) {
                Ok(row) => self.revise(question, row, answer, Who::Person, None),
                Err(message) => Err(Refused::Why(Refusal::Nonsense { message })),
            },
            Input::Restart => self.restart(None),
            Input::Switch { strategy } => self.act(Action::Switch(strategy)),
            Input::Trust { names } => self.act(Action::Trust(names)),
            Input::AskAbout { node } => match self.at_top(node) {
                Ok(here) => self.act(Action::AskAbout(here)).map_err(|refused| match refused {
                    Refused::Action(ActionError::AlreadyAnswered(_)) => Refused::Why(Refusal::NotNow {
                        message: format!("node {node} is answered already; `revise` changes an answer"),
                    }),
                    other => other,
                }),
                Err(why) => Err(Refused::Why(why)),
            },
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
            Err(Refused::Action(error)) => self.refuse(Refusal::Nonsense { message: error.to_string() }),
            Err(Refused::Why(why)) => self.refuse(why),
        }
    }

    /// Does something in the session where it stands.
    pub(super) fn act(&mut self, action: Action) -> Result<(), Refused> {
        let notices = self.top_mut().apply(action.clone()).map_err(Refused::Action)?;
        self.write(Entry::Action(action));
        self.tell(notices);
        Ok(())
    }

    /// The node with this number, where the session stands.
    pub(super) fn at_top(&self, number: u64) -> Result<Node, Refusal> {
        let NodeRef { level, node } = self.node(number)?;
        let here = self.top().number;
        match level == here {
            true => Ok(node),
            false => Err(Refusal::NotNow {
                message: format!("node {number} is on level {level}, and the session on level {here}"),
            }),
        }
    }

    /// Asks about the rows of the open question one by one. What oracles know of it already is an answer of its own.
    fn one_by_one(&mut self, number: usize) -> Result<(), Refused> {
        let open = self.open_question();
        let Phase::Waiting { question, given } = &self.phase else {
            return Err(Refused::Why(Refusal::OtherQuestion { open }));
        };
        if open != Some(number) {
            return Err(Refused::Why(Refusal::OtherQuestion { open }));
        }
        let is_open = |node: &Node| !given.iter().any(|given| given.node == *node);
        let rows: Vec<Node> = question.rows.iter().map(|row| row.node).filter(is_open).collect();
        if rows.len() < 2 {
            let message = format!("question {number} has one row only");
            return Err(Refused::Why(Refusal::NotNow { message }));
        }
        let given = given.clone();
        if !given.is_empty() {
            self.give(number, given).map_err(Refused::Action)?;
        }
        self.act(Action::OneByOne(rows))
    }

    /// The row that is to be revised, from 0.
    fn row_of(&self, number: usize, row: Option<usize>) -> Result<usize, String> {
        let asked = |level: &Level| level.session.asked().into_iter().map(|asked| asked.given.len());
        let rows = number.checked_sub(1).and_then(|index| self.levels.iter().flat_map(asked).nth(index));
        match (row, rows) {
            (Some(row), _) => row.checked_sub(1).ok_or_else(|| "rows are counted from 1".to_owned()),
            (None, Some(rows)) if rows > 1 => Err(format!(
                "question {number} has {rows} rows; name one, as in `revise {number}.{rows} correct`, and see them with `history`"
            )),
            (None, _) => Ok(0),
        }
    }

    pub(super) fn undo(&mut self, steps: usize) -> Result<(), Refused> {
        let available: usize = self.levels.iter().map(|level| level.session.steps()).sum();
        if steps == 0 || steps > available {
            return Err(Refused::Action(ActionError::NothingToUndo(available)));
        }
        let (mut left, mut target) = (steps, self.levels.len() - 1);
        while left > self.levels[target].session.steps() {
            left -= self.levels[target].session.steps();
            target -= 1;
        }
        let taken = self.last_steps(steps);
        self.levels[target].apply(Action::Undo(left)).map_err(Refused::Action)?;
        self.write(Entry::Action(Action::Undo(steps)));
        self.event(Event::TakenBack { steps: taken });
        self.drop_levels(target + 1, false);
        Ok(())
    }

    /// The last steps, the latest first.
    fn last_steps(&self, mut steps: usize) -> Vec<Taken> {
        let mut taken = Vec::new();
        for level in self.levels.iter().rev() {
            let mut question = level.questions_before + level.session.asked().len();
            for action in level.session.last_steps(steps) {
                steps -= 1;
                taken.extend(level.taken(action, &mut question, answered_width(self.page)));
            }
        }
        taken
    }

    /// Changes an earlier answer. `event` is what is heard of it before all that follows from it.
    pub(super) fn revise(
        &mut self,
        number: usize,
        row: usize,
        answer: Answer,
        by: Who,
        event: Option<Event>,
    ) -> Result<(), Refused> {
        let target = self.levels.iter().rposition(|level| level.questions_before < number).unwrap_or(0);
        let local = number - self.levels[target].questions_before.min(number);
        let action = Action::Revise { number: local, row, answer: answer.clone(), by };
        let notices = self.levels[target].apply(action).map_err(|error| {
            Refused::Action(match error {
                ActionError::NoSuchQuestion(_) => ActionError::NoSuchQuestion(number),
                ActionError::NoSuchRow(_, rows, row) => ActionError::NoSuchRow(number, rows, row),
                error => error,
            })
        })?;
        self.write(Entry::Action(Action::Revise { number, row, answer, by }));
        event.into_iter().for_each(|event| self.event(event));
        self.drop_levels(target + 1, false);
        self.tell(notices);
        Ok(())
    }

    /// Forgets all answers. `event` is what is heard of it before all that follows from it.
    pub(super) fn restart(&mut self, event: Option<Event>) -> Result<(), Refused> {
        self.levels[0].apply(Action::Restart).map_err(Refused::Action)?;
        self.write(Entry::Action(Action::Restart));
        event.into_iter().for_each(|event| self.event(event));
        self.drop_levels(1, false);
        Ok(())
    }

    /// Leaves the levels from this one on; the journal knows by what was done.
    pub(super) fn drop_levels(&mut self, from: usize, empty_handed: bool) {
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

    pub(super) fn reject(&mut self, because: Option<String>) -> Result<(), Refused> {
        let not_now = |why: &str| Err(Refused::Why(Refusal::NotNow { message: why.to_owned() }));
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
        self.revise(number, row, answer, Who::Person, None)
    }

    pub(super) fn enter_by_hand(&mut self, number: u64) {
        let node = match self.at_top(number) {
            Ok(node) => node,
            Err(why) => return self.refuse(why),
        };
        if !self.enters {
            return self.not_now("there is no inside to enter");
        }
        let back = std::mem::replace(&mut self.phase, Phase::Stepping);
        self.open_by_hand(node, back);
    }

    /// Opens the inside of a call that the user wants to enter; `back` is where the session stands if there is none.
    pub(super) fn open_by_hand(&mut self, node: Node, back: Phase) {
        let outside = Verdict::Bug { node, inadmissible: Vec::new() };
        let of = self.top().at(node);
        let entrance = Entrance { of, certain: false, by_hand: true, outside: outside.clone() };
        self.open_inside(outside, entrance, Some(Box::new(back)));
    }

    /// The call that an earlier session has entered from here by hand.
    pub(super) fn entered_by_hand(&self) -> Option<Node> {
        let saved = self.saved.get(&self.levels.len()).filter(|saved| saved.by_hand && self.enters)?;
        let (node, _) = saved.entered.as_ref()?;
        self.top().recording.tree().contains(*node).then_some(*node)
    }

    pub(super) fn leave_by_hand(&mut self) -> Result<(), Refused> {
        if self.levels.len() == 1 {
            return Err(Refused::Why(Refusal::NotNow {
                message: "the session is not inside a call".to_owned(),
            }));
        }
        self.leave(false);
        self.top_mut().blame.clear();
        Ok(())
    }

    /// Leaves the innermost level, and says so.
    pub(super) fn leave(&mut self, empty_handed: bool) {
        let Some(inner) = self.levels.pop() else { return };
        self.leave_in_journal();
        // The call that was left is not entered again by itself.
        self.top_mut().left.extend(inner.entrance.map(|entrance| entrance.of.node));
        self.event(Event::Left { level: inner.number, empty_handed });
    }

    /// Writes that the session has left the levels that it is not in.
    pub(super) fn leave_in_journal(&mut self) {
        while self.journal_depth + 1 > self.levels.len() {
            self.journal_depth -= 1;
            self.write_line(JournalLine::Entry(Entry::Leave, Vec::new()));
        }
        let depth = self.levels.len();
        self.saved.retain(|level, _| *level < depth);
    }

    /// Gives up on a piece of work, if it goes on.
    pub(super) fn cancel(&mut self, job: JobId) {
        match self.running() == Some(job) || self.looks.contains_key(&job) {
            true => self.outputs.push(Output::Stop(job)),
            false => self.not_now(&format!("there is no job {} going on", job.0)),
        }
    }

    pub(super) fn quit(&mut self) {
        if matches!(self.phase, Phase::Learning { .. }) {
            // It is ending already, and knows how.
            return;
        }
        let ending = match self.phase {
            Phase::Decided { .. } => Ending::Verdict,
            _ => Ending::Quit {
                answers: self.levels.iter().map(|level| level.session.asked().len()).sum(),
                suspicious: self.top().session.state().suspicious_count(),
                kept: self.keeps,
            },
        };
        let running: Vec<JobId> = self.running().into_iter().chain(self.looks.keys().copied()).collect();
        self.outputs.extend(running.into_iter().map(Output::Stop));
        self.end(ending);
    }
}
