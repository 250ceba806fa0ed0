//! What the answers so far say about each rule.
//!
//! S0 §3.2 and §3.4: when a node is found correct, its rule and the rules of all its descendants were executed
//! correctly; when it is found wrong, its rule was executed wrongly. (S0's text counts the descendants of a wrong node
//! as wrong too; its worked Example 5 does not: there `insert`'s rules have no "wrong" although `sort`, which called
//! them, has four. The example decides.) A node is counted once, however many of its ancestors are found correct.
//!
//! Counting takes time by the size of the subtree that was answered for, so it is done only when a strategy asks.

use crate::intervals::Intervals;
use crate::measure::Scratch;
use crate::state::Fact;
use crate::{Area, Judgement, Weighed};
use gadfly_tree::{RuleId, Tree};

/// How often each rule was executed in correct computations, and in wrong ones.
#[derive(Clone, Debug, Default)]
pub struct History {
    right: Vec<u32>,
    wrong: Vec<u32>,
    counted: Intervals,
    facts_seen: usize,
}

impl History {
    /// How often the rule was executed correctly.
    pub fn right(&self, rule: RuleId) -> u32 {
        self.right.get(rule.0 as usize).copied().unwrap_or(0)
    }

    /// How often the rule was executed wrongly.
    pub fn wrong(&self, rule: RuleId) -> u32 {
        self.wrong.get(rule.0 as usize).copied().unwrap_or(0)
    }

    /// Takes in the facts that came since the last time; gives how many nodes it looked at.
    pub(crate) fn catch_up(&mut self, tree: &Tree, facts: &[Fact]) -> u64 {
        let mut steps = 0;
        self.right.resize(tree.rules().len(), 0);
        self.wrong.resize(tree.rules().len(), 0);
        for fact in &facts[self.facts_seen..] {
            match fact.judgement {
                Judgement::Correct => {
                    let range = tree.subtree(fact.node);
                    for (start, end) in self.counted.gaps(range.start, range.end) {
                        steps += u64::from(end - start);
                        for rule in &tree.rule_column()[start as usize..end as usize] {
                            self.right[*rule as usize] += 1;
                        }
                    }
                    self.counted.insert(range.start, range.end);
                }
                Judgement::Wrong => self.wrong[tree.rule_id(fact.node).0 as usize] += 1,
                _ => {}
            }
        }
        self.facts_seen = facts.len();
        steps
    }

    /// For every rule, 1/r as [`Weighed::UNIT`] parts, where r is one more than how often the rule was executed correctly
    /// ("initially all the rules have been answered YES once").
    pub(crate) fn yes_weights(&self) -> YesWeights {
        let by_rule: Vec<u64> =
            self.right.iter().map(|right| Weighed::UNIT / (u64::from(*right) + 1)).collect();
        let most = by_rule.iter().copied().max().unwrap_or(0);
        YesWeights { by_rule, most }
    }
}

/// The weights of less YES first and divide by YES & query.
pub(crate) struct YesWeights {
    pub(crate) by_rule: Vec<u64>,
    /// No node weighs more.
    pub(crate) most: u64,
}

impl YesWeights {
    /// Weighs an area.
    pub(crate) fn weigh<'a>(&self, area: Area<'_>, scratch: &'a Scratch) -> Weighed<'a> {
        Weighed::by_rule(area, scratch, self.by_rule.clone())
    }
}
