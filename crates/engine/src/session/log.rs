//! The log of actions.

use crate::strategy::StrategyName;
use crate::{Answer, Judgement, Who};
use gadfly_tree::{BehaviourError, Node};
use std::collections::HashMap;
use thiserror::Error;

/// An answer about a node, and who gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The node.
    pub node: Node,
    /// What was said.
    pub answer: Answer,
    /// Who said it.
    pub by: Who,
}

/// What the user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Answers a question: one node, or the rows of a table up to the first wrong one.
    Answer(Vec<Given>),
    /// Changes an earlier answer: of question `number`, and of that row of it (from 0).
    Revise {
        /// The question's number, from 1.
        number: usize,
        /// The row, from 0.
        row: usize,
        /// The new answer.
        answer: Answer,
        /// Who said it.
        by: Who,
    },
    /// Takes back that many steps (answers, revisions, switches, restarts).
    Undo(usize),
    /// Forgets all answers.
    Restart,
    /// Goes on with another strategy.
    Switch(StrategyName),
    /// Trusts the functions that a name means.
    Trust(String),
    /// Asks about this node next.
    AskAbout(Node),
    /// Asks about these nodes one after the other, each in a question of its own: the rows of a table.
    OneByOne(Vec<Node>),
}

/// An action that makes no sense; nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ActionError {
    /// There are not that many steps.
    #[error("there {} to undo", match .0 { 0 => "is nothing".to_owned(), 1 => "is only 1 step".to_owned(), n => format!("are only {n} steps") })]
    NothingToUndo(usize),
    /// No question has that number.
    #[error("there is no question {0}; see the earlier answers with `history`")]
    NoSuchQuestion(usize),
    /// No node has that number.
    #[error("there is no node {}", .0.number())]
    NoSuchNode(Node),
    /// The question has fewer rows.
    #[error("question {0} has {1} answered row{s}, and none is number {2}", s = if *.1 == 1 { "" } else { "s" })]
    NoSuchRow(usize, usize, usize),
    /// The mark leads nowhere.
    #[error("the equation has no part `{0}`")]
    NoSuchPart(String),
    /// Nothing has that name.
    #[error("no recorded function is named `{0}`{near}", near = match .1 {
        Some(near) => format!("; perhaps `{near}` is meant"),
        None => String::new(),
    })]
    NothingNamed(String, Option<String>),
    /// The node needs no question.
    #[error("node {} is answered already; `revise` changes an answer", .0.number())]
    AlreadyAnswered(Node),
    /// There is no module to trust.
    #[error("`{0}` is in no module; trust the function instead")]
    NoModule(String),
    /// A behaviour could not be read.
    #[error(transparent)]
    Behaviour(#[from] BehaviourError),
}

/// A question that was answered, as it stands after all revisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its number, from 1.
    pub number: usize,
    /// The answers, in the order of the rows.
    pub given: Vec<Given>,
}

#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Answered(Vec<Given>),
    Revised { number: usize, row: usize, given: Given },
    Restarted,
    Switched(StrategyName),
    Trusted(String),
    Requested(Node),
    OneByOne(Vec<Node>),
}

/// What was done so far, without what was undone.
#[derive(Clone, Debug, Default)]
pub struct Log {
    entries: Vec<Entry>,
    /// How many questions are in force, and how often nobody could answer for a node: derived, kept at hand.
    questions: usize,
    unknown: HashMap<Node, usize>,
}

impl Log {
    pub(crate) fn push(&mut self, entry: Entry) {
        match &entry {
            Entry::Answered(given) => {
                self.questions += 1;
                for one in given.iter().filter(|one| one.answer.judgement == Judgement::DontKnow) {
                    *self.unknown.entry(one.node).or_default() += 1;
                }
                self.entries.push(entry);
            }
            Entry::Switched(_) | Entry::Trusted(_) | Entry::Requested(_) | Entry::OneByOne(_) => {
                self.entries.push(entry);
            }
            Entry::Restarted | Entry::Revised { .. } => {
                self.entries.push(entry);
                self.derive();
            }
        }
    }

    /// The last steps, the latest first, as what was done.
    pub(crate) fn last(&self, steps: usize) -> Vec<Action> {
        let action = |entry: &Entry| match entry.clone() {
            Entry::Answered(given) => Action::Answer(given),
            Entry::Revised { number, row, given: Given { answer, by, .. } } => {
                Action::Revise { number, row, answer, by }
            }
            Entry::Restarted => Action::Restart,
            Entry::Switched(strategy) => Action::Switch(strategy),
            Entry::Trusted(name) => Action::Trust(name),
            Entry::Requested(node) => Action::AskAbout(node),
            Entry::OneByOne(nodes) => Action::OneByOne(nodes),
        };
        self.entries.iter().rev().take(steps).map(action).collect()
    }

    pub(crate) fn undo(&mut self, steps: usize) -> Result<(), ActionError> {
        let Some(left) = self.entries.len().checked_sub(steps) else {
            return Err(ActionError::NothingToUndo(self.entries.len()));
        };
        self.entries.truncate(left);
        self.derive();
        Ok(())
    }

    fn derive(&mut self) {
        let asked = self.asked();
        self.questions = asked.len();
        self.unknown.clear();
        for given in asked.iter().flat_map(|asked| &asked.given) {
            if given.answer.judgement == Judgement::DontKnow {
                *self.unknown.entry(given.node).or_default() += 1;
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn questions(&self) -> usize {
        self.questions
    }

    pub(crate) fn times_unknown(&self, node: Node) -> usize {
        self.unknown.get(&node).copied().unwrap_or(0)
    }

    pub(crate) fn strategy(&self) -> Option<StrategyName> {
        self.entries.iter().rev().find_map(|entry| match entry {
            Entry::Switched(strategy) => Some(*strategy),
            _ => None,
        })
    }

    /// The names that were trusted since the session began, or began again.
    pub(crate) fn trusted(&self) -> impl Iterator<Item = &str> {
        let begun = self.entries.iter().rposition(|entry| matches!(entry, Entry::Restarted));
        self.entries[begun.map_or(0, |at| at + 1)..].iter().filter_map(|entry| match entry {
            Entry::Trusted(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The node that is to be asked about next, if the user wants one.
    pub(crate) fn requested(&self) -> Option<Node> {
        match self.entries.last() {
            Some(Entry::Requested(node)) => Some(*node),
            _ => None,
        }
    }

    /// The node of a row of a question, from 0.
    pub(crate) fn node_of(&self, number: usize, row: usize) -> Result<Node, ActionError> {
        let asked = self.asked();
        let question = number.checked_sub(1).and_then(|index| asked.get(index));
        let given = &question.ok_or(ActionError::NoSuchQuestion(number))?.given;
        let found = given.get(row).ok_or(ActionError::NoSuchRow(number, given.len(), row + 1));
        found.map(|given| given.node)
    }

    /// The answers in force.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        let mut asked: Vec<Asked> = Vec::new();
        for entry in &self.entries {
            match entry {
                Entry::Answered(given) => asked.push(Asked { number: asked.len() + 1, given: given.clone() }),
                Entry::Restarted => asked.clear(),
                Entry::Revised { number, row, given } => {
                    let place = asked.get_mut(number - 1).and_then(|asked| asked.given.get_mut(*row));
                    if let Some(place) = place {
                        *place = given.clone();
                    }
                }
                Entry::Switched(_) | Entry::Trusted(_) | Entry::Requested(_) | Entry::OneByOne(_) => {}
            }
        }
        asked
    }

    /// The rows of tables that are to be asked about one by one, those of the latest table first.
    pub(crate) fn one_by_one(&self) -> Vec<Node> {
        let begun = self.entries.iter().rposition(|entry| matches!(entry, Entry::Restarted));
        let tables =
            self.entries[begun.map_or(0, |at| at + 1)..].iter().rev().filter_map(|entry| match entry {
                Entry::OneByOne(nodes) => Some(nodes),
                _ => None,
            });
        tables.flatten().copied().collect()
    }
}
