//! What became of a node in the end (S2 Def. 4).
//!
//! A loop of a million rounds is a chain of a million reductions, and each of its nodes may be asked about. So one node in
//! 64 is a milestone, by a hash of its id: while a chain is followed, its milestones are marked with its end, so that
//! following a part of it later soon comes to one of them.

use gadfly_trail::model::{NodeId, Ref, Shape, What};
use gadfly_trail::{Became, Trail};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// The end of a chain of reductions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// A value for which there is no node.
    Value(Ref),
    /// A value.
    Node(NodeId, Shape),
    /// Something that was not evaluated; an application of a function to too few arguments is among these.
    Unevaluated(NodeId, Shape),
    /// An exception.
    Raised(Ref),
    /// The run ended first.
    Unfinished,
}

/// Follows chains of one trail.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// For milestones that were passed: the last node of their chain.
    known: Mutex<FxHashMap<NodeId, NodeId>>,
}

fn is_milestone(node: NodeId) -> bool {
    node.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58 == 0
}

impl Ends {
    /// The end of the chain that begins with a reference.
    pub(super) fn of(&self, trail: &Trail, start: Ref) -> End {
        let Ref::Node(mut node) = start else { return End::Value(start) };
        let mut passed = Vec::new();
        let (mut steps, mut slow) = (0u64, node);
        let end = loop {
            let shape = trail.shape(node);
            if !matches!(shape.what, What::Call(_) | What::Apply | What::Suspended | What::Constant(_)) {
                break End::Node(node, shape);
            }
            let next = match trail.became(node) {
                Became::Value(Ref::Node(next), _) => next,
                Became::Value(value, _) => break End::Value(value),
                Became::Nothing => break End::Unevaluated(node, shape),
                Became::Raised(exception, _) => break End::Raised(exception),
                Became::Unfinished(_) => break End::Unfinished,
            };
            // Damage may make a circle: the slow one waits where the number of steps was a power of two.
            steps += 1;
            if next == slow {
                return End::Unfinished;
            }
            if steps.is_power_of_two() {
                slow = next;
            }
            if is_milestone(node) {
                let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(last) = known.get(&node).filter(|last| **last != node) {
                    node = *last;
                    continue;
                }
                passed.push(node);
            }
            node = next;
        };
        if !passed.is_empty() {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.extend(passed.into_iter().map(|milestone| (milestone, node)));
        }
        end
    }
}
