//! What the answers say about the tree.

use crate::intervals::Intervals;
use crate::measure::Scratch;
use crate::{Area, History, Judgement, Rounds, Trust};
use gadfly_source::NamePattern;
use gadfly_tree::{Node, RuleId, Tree};
use std::collections::HashMap;
use std::sync::Arc;

/// Something known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    pub(crate) node: Node,
    pub(crate) judgement: Judgement,
}

/// The facts, and the suspicious area that follows from them.
///
/// The area is a function of the facts, whatever order they came in: a wrong node always holds a bug (S0 §3), so the
/// latest wrong node without a wrong node below it is the focus, even if something above it was called correct.
#[derive(Clone, Debug)]
pub struct State {
    tree: Arc<Tree>,
    facts: Vec<Fact>,
    known: HashMap<u32, Judgement>,
    focus: Node,
    focus_wrong: bool,
    /// The nodes that are named if nothing else is found wrong, if it is not the focus; see [`State::look_around`].
    suspects: Vec<Node>,
    gone: Intervals,
    muted: Vec<u32>,
    rounds: Option<Rounds>,
    trust: Trust,
    history: History,
    last: Option<Node>,
    scratch: Scratch,
}

impl State {
    /// Nothing is known.
    pub fn new(tree: Arc<Tree>) -> Self {
        State {
            tree,
            facts: Vec::new(),
            known: HashMap::new(),
            focus: Node::ROOT,
            focus_wrong: false,
            suspects: Vec::new(),
            gone: Intervals::default(),
            muted: Vec::new(),
            rounds: None,
            trust: Trust::default(),
            history: History::default(),
            last: None,
            scratch: Scratch::default(),
        }
    }

    /// The tree.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// The suspicious area.
    pub fn area(&self) -> Area<'_> {
        Area {
            tree: &self.tree,
            focus: self.focus,
            focus_wrong: self.focus_wrong,
            gone: &self.gone,
            muted: &self.muted,
            trust: &self.trust,
        }
    }

    /// What is known of a node itself.
    pub fn judgement(&self, node: Node) -> Option<Judgement> {
        self.known.get(&node.0).copied()
    }

    /// The wrong nodes that may be named if nothing else is found wrong: the focus, or those that the search has left again
    /// by [`State::look_around`].
    pub fn suspects(&self) -> Vec<Node> {
        match self.suspects.is_empty() {
            true => self.focus_wrong.then_some(self.focus).into_iter().collect(),
            false => self.suspects.clone(),
        }
    }

    /// Goes back to what else is below `around`, something that was being computed when a suspect used it: the suspect may
    /// be wrong because of what `around` was by then. Calls by the suspect's own rule are passed over: that they are wrong
    /// too would say nothing new. Says whether there is anything to look at that was not looked at.
    pub(crate) fn look_around(&mut self, around: Node) -> bool {
        let mut suspects: Vec<Node> =
            self.lowest_wrong().into_iter().filter(|node| self.tree.is_within(*node, around)).collect();
        suspects.sort_unstable();
        let known = suspects == self.suspects && self.tree.is_within(around, self.focus);
        if suspects.is_empty() || suspects.contains(&around) || known {
            return false;
        }
        // What nobody could answer for below a suspect may be the reason itself: looking elsewhere would forget it.
        let is_below = |node: Node| suspects.iter().any(|suspect| self.tree.is_within(node, *suspect));
        if self.unknown().any(is_below) {
            return false;
        }
        let mut rules: Vec<RuleId> = suspects.iter().map(|node| self.tree.rule_id(*node)).collect();
        rules.sort_unstable();
        rules.dedup();
        self.narrow_to(around);
        let mut node = Node(around.0 + 1);
        let end = self.tree.subtree(around).end;
        while node.0 < end {
            if rules.binary_search(&self.tree.rule_id(node)).is_ok() {
                self.remove(node);
                node = Node(self.tree.subtree(node).end);
            } else {
                node = Node(node.0 + 1);
            }
        }
        for suspect in &suspects {
            // Those around a suspect are wrong because of it.
            let mut above = *suspect;
            while let Some(parent) = self.tree.parent(above).filter(|_| above != around) {
                if !self.gone.contains(parent.0) {
                    self.mute(parent);
                }
                above = parent;
            }
        }
        self.suspects = suspects;
        true
    }

    /// The wrong nodes that have no wrong node below them, in the order of the answers.
    fn lowest_wrong(&self) -> Vec<Node> {
        let wrong: Vec<Node> = self.wrong().collect();
        let below =
            |node: Node| wrong.iter().any(|other| *other != node && self.tree.is_within(*other, node));
        wrong.iter().copied().filter(|node| !below(*node)).collect()
    }

    /// Has one round of a run without end asked about in place of all.
    pub(crate) fn set_rounds(&mut self, rounds: Rounds) {
        self.rounds = Some(rounds);
        self.work_out();
    }

    /// Whether a node is a call of the round that is asked about, or the one that begins the next: such a call is not what
    /// another one was computed from.
    pub fn goes_round(&self, node: Node) -> bool {
        self.rounds.as_ref().is_some_and(|rounds| {
            rounds.again == node || rounds.asked.contains(&node) || rounds.passed.contains(&node)
        })
    }

    /// The calls of the round that are known to be wrong, if a node is one of those that are asked about.
    pub(crate) fn wrong_round(&self, node: Node) -> Vec<Node> {
        let round = self.rounds.as_ref().map_or(&[][..], |rounds| &rounds.asked);
        let is_wrong = |node: &Node| self.judgement(*node) == Some(Judgement::Wrong);
        match round.contains(&node) {
            true => round.iter().copied().filter(is_wrong).collect(),
            false => Vec::new(),
        }
    }

    /// Leaves out all rounds but the one that is asked about.
    fn leave_out_rounds(&mut self) {
        let Some(rounds) = self.rounds.clone() else { return };
        let is_below = |state: &State, node: Node| {
            node != state.focus && state.tree.is_within(node, state.focus) && !state.gone.contains(node.0)
        };
        if is_below(self, rounds.again) {
            self.remove(rounds.again);
            for passed in rounds.passed {
                if is_below(self, passed) {
                    self.mute(passed);
                }
            }
        }
    }

    /// Whether the node was excluded because it, or something it is part of, is correct or inadmissible.
    pub fn is_gone(&self, node: Node) -> bool {
        !self.tree.is_within(node, self.focus) || self.gone.contains(node.0)
    }

    /// Whether the node is trusted.
    pub fn is_trusted(&self, node: Node) -> bool {
        self.trust.holds(&self.tree, node)
    }

    /// The node asked about last.
    pub fn last(&self) -> Option<Node> {
        self.last
    }

    /// The rules' history so far.
    pub fn history(&mut self) -> &History {
        self.history.catch_up(&self.tree, &self.facts);
        &self.history
    }

    /// The rules' history as far as it was counted when it was last asked for.
    pub fn history_so_far(&self) -> &History {
        &self.history
    }

    /// Memory for weighing, kept from question to question.
    pub fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// The nodes of the area that nobody could answer for, in order; not those that are trusted since.
    pub fn unknown(&self) -> impl Iterator<Item = Node> + '_ {
        self.muted
            .iter()
            .map(|node| Node(*node))
            .filter(|node| self.judgement(*node) == Some(Judgement::DontKnow) && !self.is_trusted(*node))
    }

    /// The nodes answered "inadmissible", in the order of the answers.
    pub fn inadmissible(&self) -> impl Iterator<Item = Node> + '_ {
        self.facts.iter().filter(|fact| fact.judgement == Judgement::Inadmissible).map(|fact| fact.node)
    }

    /// The nodes answered "wrong", in the order of the answers.
    pub fn wrong(&self) -> impl Iterator<Item = Node> + '_ {
        self.facts.iter().filter(|fact| fact.judgement == Judgement::Wrong).map(|fact| fact.node)
    }

    /// Takes in a judgement of a node; a "trust" is about the node's function or module.
    pub fn record(&mut self, node: Node, judgement: Judgement) {
        self.last = Some(node);
        match judgement {
            Judgement::TrustFunction | Judgement::TrustModule => {
                self.trust(node, judgement);
                return;
            }
            _ => {}
        }
        let before = self.known.insert(node.0, judgement);
        if before.is_some() {
            self.facts.retain(|fact| fact.node != node);
            self.history = History::default();
        }
        self.facts.push(Fact { node, judgement });
        // An answer about the area as it stands only narrows it; anything else is worked out anew.
        let narrows = before.is_none_or(|before| before == Judgement::DontKnow)
            && self.tree.is_within(node, self.focus)
            && !self.gone.contains(node.0)
            && !(self.focus_wrong && node == self.focus)
            // Below something else that is wrong, what was passed over is to be looked at again.
            && (self.suspects.is_empty() || judgement != Judgement::Wrong);
        if !narrows {
            self.work_out();
            return;
        }
        if before.is_some() {
            self.muted.retain(|muted| *muted != node.0);
        }
        match judgement {
            Judgement::Wrong => self.set_focus(node),
            Judgement::DontKnow => self.mute(node),
            _ => self.remove(node),
        }
    }

    /// Trusts the functions that a name means, as from the command line (see [`NamePattern`]). Says how many rules that
    /// concerns.
    pub fn trust_named(&mut self, name: &str) -> usize {
        let tree = &self.tree;
        let pattern = NamePattern::new(name);
        let mut count = 0;
        self.trust.add(tree, |id| {
            let rule = tree.rules().get(id);
            let chosen = pattern.matches(rule.module.as_deref(), &rule.function);
            count += usize::from(chosen);
            chosen
        });
        count
    }

    /// Sets rules aside, and maybe nodes that repeat their parent: they are seen through, as if they were trusted, until
    /// [`State::take_up`].
    pub fn set_aside(&mut self, rules: &[RuleId], repeats: bool) {
        self.trust.set_aside(&self.tree, rules, repeats);
    }

    /// Takes up again what was set aside. Says whether there was anything.
    pub fn take_up(&mut self) -> bool {
        self.trust.take_up(&self.tree)
    }

    fn trust(&mut self, node: Node, judgement: Judgement) {
        let tree = &self.tree;
        let chosen = tree.rules().get(tree.rule_id(node)).clone();
        self.trust.add(tree, |id| {
            let rule = tree.rules().get(id);
            match judgement {
                Judgement::TrustModule => rule.module == chosen.module,
                _ => rule.same_function(&chosen),
            }
        });
    }

    fn set_focus(&mut self, node: Node) {
        self.focus = node;
        self.focus_wrong = true;
        self.suspects.clear();
        let range = self.tree.subtree(node);
        self.gone.clip(range.start, range.end);
        self.muted.retain(|muted| range.contains(muted));
        self.mute(node);
    }

    fn mute(&mut self, node: Node) {
        if let Err(place) = self.muted.binary_search(&node.0) {
            self.muted.insert(place, node.0);
        }
    }

    fn remove(&mut self, node: Node) {
        let range = self.tree.subtree(node);
        let first = self.muted.partition_point(|muted| *muted < range.start);
        let last = self.muted.partition_point(|muted| *muted < range.end);
        self.muted.drain(first..last);
        self.gone.insert(range.start, range.end);
    }

    fn work_out(&mut self) {
        match self.lowest_wrong().last() {
            Some(focus) => self.narrow_to(*focus),
            None => {
                self.focus_wrong = false;
                self.cut_out(Node::ROOT);
            }
        }
    }

    /// Makes a wrong node the focus.
    fn narrow_to(&mut self, focus: Node) {
        self.focus_wrong = true;
        self.cut_out(focus);
        self.mute(focus);
    }

    /// Works out the area below a node from the facts.
    fn cut_out(&mut self, focus: Node) {
        self.focus = focus;
        self.suspects.clear();
        self.gone.clear();
        self.muted.clear();
        for index in 0..self.facts.len() {
            let Fact { node, judgement } = self.facts[index];
            let above_focus = self.focus_wrong && self.tree.is_within(self.focus, node);
            if above_focus || !self.tree.is_within(node, self.focus) {
                continue;
            }
            match judgement {
                Judgement::Correct | Judgement::Inadmissible => self.remove(node),
                Judgement::DontKnow if !self.gone.contains(node.0) => self.mute(node),
                _ => {}
            }
        }
        self.leave_out_rounds();
    }
}
