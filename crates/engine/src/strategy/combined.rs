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

use super::{Context, Pick, Reason, Strategy, divide::split_weighed, percent};
use crate::{Counted, Measure};
use gadfly_tree::Node;
use std::{fmt, str::FromStr};
use thiserror::Error;

pub(super) struct Combined;

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
    /// Whether only optimizations and subterms come before dividing by YES, and everything else after it: then few nodes
    /// can be the best, and the area need not be searched.
    fn divides_first(&self) -> bool {
        let [optimizations, subterms, divide, rest @ ..] = self.0;
        optimizations > divide && subterms > divide && rest.iter().all(|addend| *addend < divide)
    }

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
        let weights = context.history.yes_weights();
        let yes = weights.weigh(area, context.scratch);
        let count = Counted::new(area);
        let wholes = Wholes {
            yes: yes.weight(tree, area.focus),
            count: count.weight(tree, area.focus),
            ranks: context.addends.ranks(),
        };
        let mut best: Option<Best> = None;
        let mut compare = |node: Node, weight: u64| {
            let size = tree.size(node);
            // Leaves that weigh the same are equal in everything, and there may be millions of them.
            let twin = |best: &Best| size == 1 && best.size == 1 && weight == best.weight && node > best.node;
            if best.as_ref().is_some_and(twin) {
                return;
            }
            let key = wholes.key(node, weight, count.weight(tree, node));
            if best.as_ref().is_none_or(|best| key > best.key || key == best.key && node < best.node) {
                best = Some(Best { node, weight, size, key });
            }
        };
        if context.addends.divides_first() {
            let split = split_weighed(area, &yes, weights.most, &mut compare)?;
            split.above.into_iter().for_each(|(node, weight)| compare(node, weight));
        } else {
            for (start, end) in area.pieces_without_muted() {
                for node in (start..end).map(Node).filter(|node| !area.trust.holds(tree, *node)) {
                    compare(node, yes.weight(tree, node));
                }
            }
        }
        let best = best?;
        Some(Pick {
            node: best.node,
            reason: Reason::DividesWeight { percent: percent(best.weight, wholes.yes) },
        })
    }

    fn uses_history(&self) -> bool {
        true
    }
}

/// The best node so far.
struct Best {
    node: Node,
    weight: u64,
    size: u32,
    key: [u128; COMPONENTS],
}

impl Wholes {
    /// What is compared: sums of components with equal addends, the greatest addend first. Every component is a share of
    /// the bound C, which is the product of the two wholes, so that nothing is rounded.
    fn key(&self, node: Node, yes: u64, count: u64) -> [u128; COMPONENTS] {
        let (bound, by_yes, by_count) =
            (u128::from(self.yes) * u128::from(self.count), u128::from(self.count), u128::from(self.yes));
        let components = [
            if node == Node::ROOT { 0 } else { bound },
            0,
            nearness_to_half(yes, self.yes) * by_yes,
            u128::from(yes) * by_yes,
            nearness_to_half(count, self.count) * by_count,
            u128::from(count) * by_count,
        ];
        let mut key = [0; COMPONENTS];
        for (component, rank) in components.into_iter().zip(self.ranks) {
            key[rank] += component;
        }
        key
    }
}

/// The whole for a node that weighs exactly half of it, 0 for one that weighs nothing or everything.
fn nearness_to_half(weight: u64, whole: u64) -> u128 {
    u128::from(whole - (2 * weight).abs_diff(whole).min(whole))
}
