//! The session: a log of actions, and what follows from it.
//!
//! Everything the user does is an [`Action`]; the state is worked out from the log of them, so that undoing any number
//! of steps, revising an earlier answer and resuming from a journal are all the same thing: play the log again.

mod contradiction;
mod log;
mod memory;
mod uses;

pub use contradiction::Notice;
pub use log::{Action, ActionError, Asked, Given, Log};

use crate::strategy::{Addends, Bias, Context, Pick, Reason, StrategyName};
use crate::verdict::conclude;
use crate::{Estimate, Judgement, Rounds, State, Unwatched, Verdict, Watch, batch, estimate};
use contradiction::contradictions;
use gadfly_tree::{Behaviour, BehaviourError, Behaviours, Node, RuleId, Tree};
use log::Entry;
use memory::Memory;
use std::sync::Arc;
use thiserror::Error;

/// How a session goes about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The strategy to begin with.
    pub strategy: StrategyName,
    /// Whether an equal equation is never asked twice.
    pub memo: bool,
    /// How many rows a table may have; below 2 there are no tables.
    pub rows: usize,
    /// Weights by kind, for `biased`.
    pub bias: Bias,
    /// Addends, for `combined`.
    pub addends: Addends,
    /// Functions trusted from the start: `insert`, `Data.List.insert`, `Data.List.*`.
    pub trusted: Vec<String>,
    /// Rules that are asked about only inside the wrong one of the others: local functions, where top-level ones are
    /// wanted first.
    pub aside: Vec<RuleId>,
    /// Whether calls from a call of the same rule are asked about only inside the wrong one of the others (S3 §4.4, tree
    /// compression).
    pub compress: bool,
    /// Where the user has seen something go wrong: these are asked about first, one after the other.
    pub symptoms: Vec<Node>,
    /// One round of a run without end: it is asked about in place of all.
    pub rounds: Option<Rounds>,
    /// Whether what was seen says that the whole is wrong, so that it need not be asked about.
    pub whole_is_wrong: bool,
    /// Whether nodes that nobody could answer for are asked once more when nothing else is left: sensible with a
    /// person, pointless with a script.
    pub ask_again: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            strategy: StrategyName::Auto,
            memo: true,
            rows: 20,
            bias: Bias::default(),
            addends: Addends::default(),
            trusted: Vec::new(),
            aside: Vec::new(),
            compress: false,
            symptoms: Vec::new(),
            rounds: None,
            whole_is_wrong: false,
            ask_again: true,
        }
    }
}

/// One equation of a question.
#[derive(Clone, Debug)]
pub struct Row {
    /// The node.
    pub node: Node,
    /// What it says.
    pub behaviour: Behaviour,
}

/// What is to be asked: one equation, or a table of them.
#[derive(Clone, Debug)]
pub struct Question {
    /// Its number, from 1.
    pub number: usize,
    /// The equations; more than one for a table, in which the first wrong one is wanted.
    pub rows: Vec<Row>,
    /// Why this one.
    pub reason: Reason,
}

/// What a session does next.
#[derive(Clone, Debug)]
pub enum Step {
    /// It asks.
    Ask(Question),
    /// It is over.
    Done(Verdict),
}

/// A session that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SessionError {
    /// A behaviour could not be read.
    #[error(transparent)]
    Behaviour(#[from] BehaviourError),
}

/// A dialogue about a tree.
pub struct Session {
    tree: Arc<Tree>,
    behaviours: Arc<dyn Behaviours>,
    settings: Settings,
    log: Log,
    state: State,
    memory: Memory,
    /// Nodes answered from memory, each with the node whose answer it was.
    remembered: Vec<(Node, Node)>,
    pending: Option<Step>,
    /// How many picks in a row were answered from memory.
    streak: u32,
}

/// After so many picks that were answered from memory, siblings are looked at ahead; so many of them at a time.
const STREAK: u32 = 32;
const SIBLINGS: u32 = 1 << 16;

impl Session {
    /// A session without answers.
    pub fn new(tree: Arc<Tree>, behaviours: Arc<dyn Behaviours>, settings: Settings) -> Self {
        let mut session = Session {
            state: State::new(Arc::clone(&tree)),
            tree,
            behaviours,
            settings,
            log: Log::default(),
            memory: Memory::default(),
            remembered: Vec::new(),
            pending: None,
            streak: 0,
        };
        session.begin();
        session
    }

    /// The tree.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// What the answers say about the tree.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The answers in force.
    pub fn asked(&self) -> Vec<Asked> {
        self.log.asked()
    }

    /// How many steps can be undone.
    pub fn steps(&self) -> usize {
        self.log.len()
    }

    /// The strategy in use.
    pub fn strategy(&self) -> StrategyName {
        self.log.strategy().unwrap_or(self.settings.strategy)
    }

    /// Nodes that needed no question because an equal equation was answered before: each with the node that was.
    pub fn remembered(&self) -> &[(Node, Node)] {
        &self.remembered
    }

    /// The session as it stands, for work that is done beside it.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { state: self.state.clone(), settings: self.settings_now() }
    }

    /// How many more questions are to be expected; `None` where finding out would take too long.
    pub fn estimate(&self) -> Option<Estimate> {
        self.snapshot().estimate(&Unwatched)
    }

    /// What comes next: the same until an action is applied.
    pub fn step(&mut self) -> Result<&Step, SessionError> {
        if self.pending.is_none() {
            self.pending = Some(self.next()?);
        }
        // The line above made sure of it.
        Ok(self.pending.get_or_insert(Step::Done(Verdict::Unsure { candidates: Vec::new() })))
    }

    /// Does what the user said. The notices tell what the user should know of it, contradictions above all.
    pub fn apply(&mut self, action: Action) -> Result<Vec<Notice>, ActionError> {
        let mut notices = Vec::new();
        match action {
            Action::Answer(given) => {
                for one in &given {
                    self.check(one)?;
                }
                let used = self.pending.as_ref().is_some_and(
                    |step| matches!(step, Step::Ask(question) if question.reason == Reason::Used),
                );
                for one in &given {
                    notices.extend(self.take_in(one)?);
                }
                // That a constant is wrong says nothing against the one that happened to need it first.
                notices.retain(|notice| !(used && matches!(notice, Notice::WrongInside { .. })));
                self.log.push(Entry::Answered(given));
            }
            Action::Revise { number, row, answer, by } => {
                let node = self.log.node_of(number, row).ok_or(ActionError::NoSuchQuestion(number))?;
                let given = Given { node, answer, by };
                self.check(&given)?;
                self.log.push(Entry::Revised { number, row, given: given.clone() });
                self.play()?;
                notices.extend(contradictions(&self.tree, &self.state, &self.memory, &given));
            }
            Action::Undo(steps) => {
                self.log.undo(steps)?;
                self.play()?;
            }
            Action::Restart => {
                self.log.push(Entry::Restarted);
                self.play()?;
            }
            Action::Switch(strategy) => self.log.push(Entry::Switched(strategy)),
            Action::Trust(name) => {
                if self.state.trust_named(&name) == 0 {
                    return Err(ActionError::NothingNamed(name));
                }
                self.log.push(Entry::Trusted(name));
            }
            Action::AskAbout(node) => {
                if !self.tree.contains(node) {
                    return Err(ActionError::NoSuchNode(node));
                }
                if self.state.judgement(node).is_some_and(|judgement| judgement != Judgement::DontKnow) {
                    return Err(ActionError::AlreadyAnswered(node));
                }
                self.log.push(Entry::Requested(node));
            }
        }
        self.pending = None;
        Ok(notices)
    }

    fn settings_now(&self) -> Settings {
        Settings { strategy: self.strategy(), ..self.settings.clone() }
    }

    fn begin(&mut self) {
        self.state = State::new(Arc::clone(&self.tree));
        for name in &self.settings.trusted {
            self.state.trust_named(name);
        }
        self.state.set_aside(&self.settings.aside, self.settings.compress);
        if let Some(rounds) = &self.settings.rounds {
            self.state.set_rounds(rounds.clone());
        }
        if self.settings.whole_is_wrong {
            self.state.record(Node::ROOT, Judgement::Wrong);
        }
        self.memory = Memory::default();
        self.remembered.clear();
        self.pending = None;
    }

    /// Works everything out from the log.
    fn play(&mut self) -> Result<(), ActionError> {
        self.begin();
        for name in self.log.trusted() {
            self.state.trust_named(name);
        }
        for asked in self.log.asked() {
            for given in &asked.given {
                self.take_in(given)?;
            }
        }
        Ok(())
    }

    fn check(&self, given: &Given) -> Result<(), ActionError> {
        if !self.tree.contains(given.node) {
            return Err(ActionError::NoSuchNode(given.node));
        }
        let rule = self.tree.rules().get(self.tree.rule_id(given.node));
        if given.answer.judgement == Judgement::TrustModule && rule.module.is_none() {
            return Err(ActionError::NoModule(rule.function.to_string()));
        }
        if !given.answer.marks.is_empty() {
            let behaviour = self.behaviours.behaviour(&self.tree, given.node, true)?;
            if let Some(mark) = given.answer.marks.iter().find(|mark| !behaviour.equation.has(&mark.path)) {
                return Err(ActionError::NoSuchPart(mark.path.to_string()));
            }
        }
        Ok(())
    }

    fn take_in(&mut self, given: &Given) -> Result<Vec<Notice>, ActionError> {
        let behaviour = self.behaviours.behaviour(&self.tree, given.node, false)?;
        let notices = {
            self.memory.read(&self.tree, given.node, &behaviour);
            contradictions(&self.tree, &self.state, &self.memory, given)
        };
        self.memory.learn(given.node, given.answer.judgement);
        self.state.record(given.node, given.answer.judgement);
        Ok(notices)
    }

    fn next(&mut self) -> Result<Step, SessionError> {
        if let Some(node) = self.log.requested() {
            let behaviour = self.behaviours.behaviour(&self.tree, node, false)?;
            let number = self.log.questions() + 1;
            let rows = vec![Row { node, behaviour }];
            return Ok(Step::Ask(Question { number, rows, reason: Reason::Requested }));
        }
        let settings = self.settings_now();
        let (tree, behaviours) = (Arc::clone(&self.tree), Arc::clone(&self.behaviours));
        loop {
            let Some(plan) = plan(&mut self.state, &settings, &|node| behaviours.effort(&tree, node)) else {
                if settings.memo && self.recall_unknown() {
                    continue;
                }
                // Whatever is to be named must be looked into: at what was set aside, and at the constants it uses.
                if self.state.take_up() {
                    continue;
                }
                let used = uses::look(&self.tree, &*self.behaviours, &self.state);
                if used.open.is_none() && used.around.is_some_and(|around| self.state.look_around(around)) {
                    continue;
                }
                let plan = match used.open {
                    Some(node) => Plan { pick: Pick { node, reason: Reason::Used }, table: Vec::new() },
                    None => match self.next_unknown()? {
                        Some(question) => return Ok(Step::Ask(question)),
                        None => return Ok(Step::Done(conclude(&self.tree, &self.state, used.unknown))),
                    },
                };
                match self.question(plan)? {
                    Some(question) => return Ok(Step::Ask(question)),
                    None => continue,
                }
            };
            if let Some(question) = self.question(plan)? {
                return Ok(Step::Ask(question));
            }
        }
    }

    /// The question that a plan comes to; `None` if some of it was answered from memory, so that there is to be another
    /// plan.
    fn question(&mut self, plan: Plan) -> Result<Option<Question>, SessionError> {
        let mut rows = Vec::new();
        let mut answered_from_memory = false;
        for node in plan.nodes() {
            let behaviour = self.behaviours.behaviour(&self.tree, node, false)?;
            if self.settings.memo {
                self.memory.read(&self.tree, node, &behaviour);
                if let Some((judgement, from)) = self.memory.judgement(node) {
                    self.state.record(node, judgement);
                    self.remembered.push((node, from));
                    answered_from_memory = true;
                    continue;
                }
                if rows.iter().any(|row: &Row| self.memory.equal(row.node, node)) {
                    continue;
                }
            }
            rows.push(Row { node, behaviour });
        }
        if answered_from_memory {
            self.streak += 1;
            if self.streak >= STREAK {
                self.recall_siblings(plan.pick.node)?;
            }
            return Ok(None);
        }
        self.streak = 0;
        let number = self.log.questions() + 1;
        Ok(Some(Question { number, rows, reason: plan.pick.reason }))
    }

    /// Where one equal node after the other is picked, as in a loop that calls the same again and again, the next siblings are
    /// looked at without being picked: to pick one takes time that grows with their number.
    fn recall_siblings(&mut self, node: Node) -> Result<(), SessionError> {
        let parent = self.tree.parent(node);
        let mut at = node;
        for _ in 0..SIBLINGS {
            at = Node(at.0 + self.tree.size(at));
            if !self.tree.contains(at) || self.tree.parent(at) != parent {
                break;
            }
            if self.state.judgement(at).is_some() {
                continue;
            }
            let behaviour = self.behaviours.behaviour(&self.tree, at, false)?;
            self.memory.read(&self.tree, at, &behaviour);
            match self.memory.judgement(at) {
                Some((Judgement::Correct, from)) => {
                    self.state.record(at, Judgement::Correct);
                    self.remembered.push((at, from));
                }
                _ => break,
            }
        }
        Ok(())
    }

    /// A node that nobody could answer for, once more.
    fn next_unknown(&mut self) -> Result<Option<Question>, SessionError> {
        if !self.settings.ask_again {
            return Ok(None);
        }
        let unknown: Vec<Node> = self.state.unknown().collect();
        let times = |node: Node| match self.source_of(node) {
            source if source == node => self.log.times_unknown(node),
            // Whoever did not know the one does not know the other, whichever was asked.
            source => self.log.times_unknown(source) + self.log.times_unknown(node),
        };
        let Some(node) = unknown.into_iter().find(|node| times(*node) < 2) else { return Ok(None) };
        let behaviour = self.behaviours.behaviour(&self.tree, node, false)?;
        let number = self.log.questions() + 1;
        Ok(Some(Question { number, rows: vec![Row { node, behaviour }], reason: Reason::Again }))
    }

    /// Nodes that nobody could answer for, but whose equal was answered since, take that answer. Says whether there were
    /// any.
    fn recall_unknown(&mut self) -> bool {
        let unknown: Vec<Node> = self.state.unknown().collect();
        let mut recalled = false;
        for node in unknown {
            if let Some((judgement, from)) = self.memory.judgement(node)
                && judgement != Judgement::DontKnow
                && from != node
            {
                self.state.record(node, judgement);
                recalled = true;
            }
        }
        recalled
    }

    /// The node that was really asked, for one that was answered from memory.
    fn source_of(&self, node: Node) -> Node {
        self.remembered.iter().find(|(known, _)| *known == node).map_or(node, |(_, from)| *from)
    }
}

/// A session as it stood at a moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: State,
    settings: Settings,
}

impl Snapshot {
    /// How many more questions are to be expected; `None` where finding out would take too long, or is not wanted any more.
    pub fn estimate(&self, watch: &dyn Watch) -> Option<Estimate> {
        estimate::estimate(&self.state, &self.settings, watch)
    }
}

/// What to ask: a picked node, and perhaps its siblings in a table.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) pick: Pick,
    pub(crate) table: Vec<Node>,
}

impl Plan {
    /// The nodes to ask about, in order.
    pub(crate) fn nodes(&self) -> Vec<Node> {
        if self.table.is_empty() { vec![self.pick.node] } else { self.table.clone() }
    }
}

/// What to ask next; `None` if nothing is left that can be asked.
pub(crate) fn plan(state: &mut State, settings: &Settings, effort: &dyn Fn(Node) -> u32) -> Option<Plan> {
    let is_open = |node: &&Node| state.judgement(**node).is_none() && state.area().is_askable(**node);
    if let Some(node) = settings.symptoms.iter().find(is_open).copied() {
        let reason = if state.area().tree.raised(node) { Reason::Raised } else { Reason::Symptom };
        return Some(Plan { pick: Pick { node, reason }, table: Vec::new() });
    }
    let strategy = settings.strategy.strategy();
    if strategy.uses_history() {
        state.history();
    }
    let context = Context {
        area: state.area(),
        history: state.history_so_far(),
        last: state.last(),
        bias: &settings.bias,
        addends: &settings.addends,
        effort,
        scratch: state.scratch(),
    };
    let pick = strategy.pick(&context)?;
    let table = batch::rows(context.area, pick, settings.strategy, settings.rows);
    Some(Plan { pick, table })
}
