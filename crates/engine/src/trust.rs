//! Trusted rules (S2 §6).
//!
//! A trusted node disappears and its children move up to its parent; its callees are not trusted with it. The tree is
//! not rebuilt for that: a trusted node weighs nothing and cannot be asked, and a walk over children passes through
//! it. Node numbers therefore stay what they were, and an undo is cheap.
//!
//! What is *set aside* is treated in the same way for a while: a session that asks about top-level functions first sees
//! through the local ones until it has found the top-level function that is wrong (S2 §9); one that asks about a recursion once sees
//! through calls from a call of the same rule (S3 §4.4, tree compression).

use gadfly_tree::transform::repeats_its_parent;
use gadfly_tree::{Node, RuleId, Tree};

/// Which rules are trusted or set aside, and where their nodes are.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// By rule id, whether its nodes are seen through; empty while none are.
    rules: Vec<bool>,
    /// By rule id, those that are only set aside and not trusted.
    aside: Vec<bool>,
    /// Whether nodes that repeat their parent are set aside.
    repeats: bool,
    rank: Option<Rank>,
}

impl Trust {
    /// Whether the node is seen through: it is trusted or set aside.
    pub fn holds(&self, tree: &Tree, node: Node) -> bool {
        !self.rules.is_empty() && self.rules[tree.rule_id(node).0 as usize]
            || self.repeats && repeats_its_parent(tree, node)
    }

    /// Whether some nodes are seen through and others of the same rule are not.
    pub(crate) fn differs_within_rules(&self) -> bool {
        self.repeats
    }

    /// Whether all nodes of the rule with this index are seen through.
    pub(crate) fn holds_rule(&self, rule: usize) -> bool {
        self.rules.get(rule).copied().unwrap_or(false)
    }

    /// Whether any node may be seen through.
    pub fn any(&self) -> bool {
        !self.rules.is_empty() || self.repeats
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
        self.count(tree);
    }

    /// Sets rules aside that are not trusted, and maybe nodes that repeat their parent.
    pub(crate) fn set_aside(&mut self, tree: &Tree, rules: &[RuleId], repeats: bool) {
        self.repeats = repeats;
        if rules.is_empty() {
            return self.count(tree);
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
        self.count(tree);
    }

    /// Takes up what was set aside; says whether there was anything.
    pub(crate) fn take_up(&mut self, tree: &Tree) -> bool {
        let aside = std::mem::take(&mut self.aside);
        let repeats = std::mem::take(&mut self.repeats);
        if !aside.contains(&true) && !repeats {
            return false;
        }
        for (seen_through, aside) in self.rules.iter_mut().zip(aside) {
            *seen_through &= !aside;
        }
        if !self.rules.contains(&true) {
            self.rules.clear();
        }
        self.count(tree);
        true
    }

    /// Counts again what is not seen through.
    fn count(&mut self, tree: &Tree) {
        self.rank = self.any().then(|| Rank::new(tree, self));
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
    fn new(tree: &Tree, trust: &Trust) -> Rank {
        let mut words = Vec::with_capacity(tree.len() as usize / 64 + 1);
        let mut before = Vec::with_capacity(words.capacity());
        let mut count = 0;
        for start in (0..tree.len()).step_by(64) {
            let nodes = (start..tree.len().min(start.saturating_add(64))).enumerate();
            let word =
                nodes.fold(0, |word, (bit, node)| word | u64::from(!trust.holds(tree, Node(node))) << bit);
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
