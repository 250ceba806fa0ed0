//! Trusted rules (S2 §6).
//!
//! A trusted node disappears and its children move up to its parent; its callees are not trusted with it. The tree is
//! not rebuilt for that: a trusted node weighs nothing and cannot be asked, and whoever walks children passes through
//! it. Node numbers therefore stay what they were, and an undo is cheap.
//!
//! What is *set aside* is treated in the same way for a while: a session that asks about top-level functions first sees
//! through the local ones until it has found the top-level function that is wrong (S2 §9).

use gadfly_tree::{Node, RuleId, Tree};

/// Which rules are trusted or set aside, and where their nodes are.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// By rule id, whether its nodes are seen through; empty while none are.
    rules: Vec<bool>,
    /// By rule id, those that are only set aside and not trusted.
    aside: Vec<bool>,
    rank: Option<Rank>,
}

impl Trust {
    /// Whether the node is seen through: its rule is trusted or set aside.
    pub fn holds(&self, tree: &Tree, node: Node) -> bool {
        !self.rules.is_empty() && self.rules[tree.rule_id(node).0 as usize]
    }

    /// Whether the nodes of the rule with this index are seen through.
    pub(crate) fn holds_rule(&self, rule: usize) -> bool {
        self.rules.get(rule).copied().unwrap_or(false)
    }

    /// Whether any node may be seen through.
    pub fn any(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Trusts every rule for which `chosen` holds.
    pub fn add(&mut self, tree: &Tree, mut chosen: impl FnMut(RuleId) -> bool) {
        self.rules.resize(tree.rules().len(), false);
        for (id, _) in tree.rules().iter() {
            if chosen(id) {
                self.rules[id.0 as usize] = true;
                if let Some(aside) = self.aside.get_mut(id.0 as usize) {
                    *aside = false;
                }
            }
        }
        self.rank = Some(Rank::new(tree, &self.rules));
    }

    /// Sets rules aside that are not trusted.
    pub(crate) fn set_aside(&mut self, tree: &Tree, rules: &[RuleId]) {
        if rules.is_empty() {
            return;
        }
        self.rules.resize(tree.rules().len(), false);
        self.aside.resize(tree.rules().len(), false);
        for id in rules {
            if let Some(seen_through) = self.rules.get_mut(id.0 as usize)
                && !std::mem::replace(seen_through, true)
            {
                self.aside[id.0 as usize] = true;
            }
        }
        self.rank = Some(Rank::new(tree, &self.rules));
    }

    /// Takes up what was set aside; says whether there was anything.
    pub(crate) fn take_up(&mut self, tree: &Tree) -> bool {
        let aside = std::mem::take(&mut self.aside);
        if !aside.contains(&true) {
            return false;
        }
        for (seen_through, aside) in self.rules.iter_mut().zip(aside) {
            *seen_through &= !aside;
        }
        match self.rules.contains(&true) {
            true => self.rank = Some(Rank::new(tree, &self.rules)),
            false => *self = Trust::default(),
        }
        true
    }

    /// How many nodes with an index below `index` are not trusted.
    pub(crate) fn suspect_before(&self, index: u32) -> u64 {
        match &self.rank {
            Some(rank) => rank.before(index),
            None => u64::from(index),
        }
    }
}

/// Counts the suspect nodes before any index in constant time: a bit a node, and a running count every 64.
#[derive(Clone, Debug)]
struct Rank {
    words: Vec<u64>,
    before: Vec<u32>,
}

impl Rank {
    fn new(tree: &Tree, trusted: &[bool]) -> Rank {
        let mut words = Vec::with_capacity(tree.len() as usize / 64 + 1);
        let mut before = Vec::with_capacity(words.capacity());
        let mut count = 0;
        for rules in tree.rule_column().chunks(64) {
            let word = rules
                .iter()
                .enumerate()
                .fold(0, |word, (bit, rule)| word | u64::from(!trusted[*rule as usize]) << bit);
            before.push(count);
            words.push(word);
            count += word.count_ones();
        }
        before.push(count);
        words.push(0);
        Rank { words, before }
    }

    fn before(&self, index: u32) -> u64 {
        let (word, bit) = (index as usize / 64, index % 64);
        // An index past the last full word asks for the count before it: the sentinel word is empty.
        let word = word.min(self.words.len() - 1);
        u64::from(self.before[word]) + u64::from((self.words[word] & ((1 << bit) - 1)).count_ones())
    }
}
