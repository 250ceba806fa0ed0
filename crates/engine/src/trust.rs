//! Trusted rules (S2 §6).
//!
//! A trusted node disappears and its children move up to its parent; its callees are not trusted with it. The tree is
//! not rebuilt for that: a trusted node weighs nothing and cannot be asked, and whoever walks children passes through
//! it. Node numbers therefore stay what they were, and an undo is cheap.

use gadfly_tree::{Node, RuleId, Tree};

/// Which rules are trusted, and where their nodes are.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// By rule id; empty while nothing is trusted.
    rules: Vec<bool>,
    rank: Option<Rank>,
}

impl Trust {
    /// Whether the node's rule is trusted.
    pub fn holds(&self, tree: &Tree, node: Node) -> bool {
        !self.rules.is_empty() && self.rules[tree.rule_id(node).0 as usize]
    }

    /// Whether the rule with this index is trusted.
    pub(crate) fn holds_rule(&self, rule: usize) -> bool {
        self.rules.get(rule).copied().unwrap_or(false)
    }

    /// Whether anything is trusted.
    pub fn any(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Trusts every rule for which `chosen` holds.
    pub fn add(&mut self, tree: &Tree, mut chosen: impl FnMut(RuleId) -> bool) {
        self.rules.resize(tree.rules().len(), false);
        for (id, _) in tree.rules().iter() {
            self.rules[id.0 as usize] |= chosen(id);
        }
        self.rank = Some(Rank::new(tree, &self.rules));
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
