//! Equal equations, so that none is asked twice (S0 §4, "propagating answers to duplicate questions").
//!
//! Two nodes are equal if they stand for the same rule and their equations are equal to the last part. An equation of
//! which something is not shown is equal to nothing: what is hidden may differ. Nor is one that never ended: how far it came
//! may differ. An equation is looked at only when its node is about to be asked, so memory costs nothing by the size of the
//! tree.

use crate::Judgement;
use gadfly_term::Outcome;
use gadfly_tree::{Behaviour, Node, RuleId, Tree};
use std::collections::HashMap;

#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    keys: HashMap<Node, u32>,
    ids: HashMap<(RuleId, String), u32>,
    answers: HashMap<u32, (Judgement, Node)>,
    /// How often nobody knew, whichever node was asked about.
    unknown: HashMap<u32, usize>,
}

impl Memory {
    /// Takes a node's equation in.
    pub(crate) fn read(&mut self, tree: &Tree, node: Node, behaviour: &Behaviour) {
        let equation = &behaviour.equation;
        let comparable = equation.terms.is_complete() && equation.outcome != Outcome::Unfinished;
        if self.keys.contains_key(&node) || !comparable {
            return;
        }
        let next = self.ids.len() as u32;
        let id = *self.ids.entry((tree.rule_id(node), equation.canonical())).or_insert(next);
        self.keys.insert(node, id);
    }

    /// Remembers a judgement; trust is about a function, not about an equation.
    pub(crate) fn learn(&mut self, node: Node, judgement: Judgement) {
        if matches!(judgement, Judgement::TrustFunction | Judgement::TrustModule) {
            return;
        }
        if let Some(key) = self.keys.get(&node) {
            if judgement == Judgement::DontKnow {
                *self.unknown.entry(*key).or_default() += 1;
                // That somebody did not know takes nothing back.
                self.answers.entry(*key).or_insert((judgement, node));
            } else {
                self.answers.insert(*key, (judgement, node));
            }
        }
    }

    /// How often nobody could answer for a node or one that is equal to it; `None` if its equation cannot be compared.
    pub(crate) fn times_unknown(&self, node: Node) -> Option<usize> {
        let key = self.keys.get(&node)?;
        Some(self.unknown.get(key).copied().unwrap_or(0))
    }

    /// What was said of an equal equation, and about which node.
    pub(crate) fn judgement(&self, node: Node) -> Option<(Judgement, Node)> {
        self.answers.get(self.keys.get(&node)?).copied()
    }

    /// Whether both are known to be equal.
    pub(crate) fn equal(&self, a: Node, b: Node) -> bool {
        self.keys.get(&a).is_some_and(|key| self.keys.get(&b) == Some(key))
    }
}
