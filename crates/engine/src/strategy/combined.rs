//! The weighted combination (Silva 2006; S0 §4).
//!
//! Each strategy gives every suspicious node a weight between 0 and a bound C, and has an addend that says how much it
//! counts. S0's formula adds the addend to every node's weight, which orders nothing; its examples say what is meant:
//! with the addends 47, 23, 11, 5, 2, 0 a strategy only breaks the ties that the ones before it leave, and with equal
//! addends "all the strategies would be applied at the same time". So strategies with equal addends are added up, and
//! such sums are compared in the order of their addends, the greatest first.
//!
//! Of *optimizations* this has the first that S0 names, that the root is not asked while anything else is (its answer is
//! always NO); equal equations are the session's memory. *Subterms* give every node the same weight until a trail says
//! where a marked part came from.

use super::{Context, Pick, Reason, Strategy, percent};
use crate::{Counted, Measure, Weighed};
use gadfly_tree::Node;
use std::{fmt, str::FromStr};
use thiserror::Error;

pub(super) struct Combined;

/// The bound C.
const BOUND: u64 = 1 << 32;

/// The addends of S0 §4, in its order: optimizations, subterms, divide by YES, less YES first, Hirunkitti, heaviest
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addends([u32; COMPONENTS]);

const COMPONENTS: usize = 6;

impl Default for Addends {
    /// S0's example: each strategy breaks the ties of the ones before it.
    fn default() -> Self {
        Addends([47, 23, 11, 5, 2, 0])
    }
}

impl fmt::Display for Addends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&parts.join(","))
    }
}

/// A text that gives no addends.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a list of six whole numbers (optimizations, subterms, divide by YES, less YES first, Hirunkitti, \
     heaviest first), as in `47,23,11,5,2,0`"
)]
pub struct AddendsError(String);

impl FromStr for Addends {
    type Err = AddendsError;

    fn from_str(text: &str) -> Result<Addends, AddendsError> {
        let error = || AddendsError(text.chars().take(80).collect());
        let parts: Vec<u32> =
            text.split(',').map(|part| part.trim().parse().map_err(|_| error())).collect::<Result<_, _>>()?;
        Ok(Addends(parts.try_into().map_err(|_| error())?))
    }
}

impl Addends {
    /// For each component, the place of its sum in the order of comparison.
    fn ranks(&self) -> [usize; COMPONENTS] {
        let mut distinct = self.0;
        distinct.sort_unstable_by(|a, b| b.cmp(a));
        let mut order = distinct.to_vec();
        order.dedup();
        self.0.map(|addend| order.iter().position(|other| *other == addend).unwrap_or(0))
    }
}

/// The whole weights that the components are shares of.
struct Wholes {
    yes: u64,
    count: u64,
    ranks: [usize; COMPONENTS],
}

impl Strategy for Combined {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        let tree = area.tree;
        let by_rule = context.history.yes_weights();
        let rules = tree.rule_column();
        let yes = Weighed::new(area, |node| by_rule[rules[node.index()] as usize]);
        let count = Counted::new(area);
        let wholes = Wholes {
            yes: yes.weight(tree, area.focus),
            count: count.weight(tree, area.focus),
            ranks: context.addends.ranks(),
        };
        let mut best: Option<(Node, [u64; COMPONENTS])> = None;
        for (start, end) in area.pieces_without_muted() {
            for node in (start..end).map(Node).filter(|node| !area.trust.holds(tree, *node)) {
                let key = wholes.key(node, yes.weight(tree, node), count.weight(tree, node));
                if best.is_none_or(|(_, most)| key > most) {
                    best = Some((node, key));
                }
            }
        }
        let (node, _) = best?;
        let share = percent(yes.weight(tree, node), wholes.yes);
        Some(Pick { node, reason: Reason::DividesWeight { percent: share } })
    }

    fn uses_history(&self) -> bool {
        true
    }
}

impl Wholes {
    /// What is compared: sums of components with equal addends, the greatest addend first.
    fn key(&self, node: Node, yes: u64, count: u64) -> [u64; COMPONENTS] {
        let components = [
            if node == Node::ROOT { 0 } else { BOUND },
            0,
            nearness_to_half(yes, self.yes),
            share(yes, self.yes),
            nearness_to_half(count, self.count),
            share(count, self.count),
        ];
        let mut key = [0; COMPONENTS];
        for (component, rank) in components.into_iter().zip(self.ranks) {
            key[rank] += component;
        }
        key
    }
}

fn share(weight: u64, whole: u64) -> u64 {
    (u128::from(weight) * u128::from(BOUND) / u128::from(whole.max(1))) as u64
}

/// C for a node that weighs exactly half, 0 for one that weighs nothing or everything.
fn nearness_to_half(weight: u64, whole: u64) -> u64 {
    BOUND - share((2 * weight).abs_diff(whole), whole).min(BOUND)
}
