//! What a wrong node was computed from besides its children.
//!
//! A constant of the program is computed once, on behalf of the node that needs it first, and is a child of that node
//! alone; but all that use it depend on it. That its first user is right says nothing about it. So before a node is named
//! buggy, the constants that it uses must have been judged themselves; if one is wrong, that is where the search goes on.
//!
//! A constant that is still being computed when it is used (`primes` by `isPrime`, which tests what `primes` becomes) has
//! the node among its descendants. It is wrong because of them, not the other way round, as far as answers can tell: such
//! constants are not asked about.

use crate::{Judgement, State};
use gadfly_tree::{Behaviours, Node, Tree};
use std::collections::{BTreeSet, VecDeque};

/// What the nodes that may be named use.
#[derive(Debug)]
pub(super) struct Used {
    /// The first that nothing is known of.
    pub(super) open: Option<Node>,
    /// Those that nobody could answer for.
    pub(super) unknown: Vec<Node>,
}

/// Looks at what the candidates for a verdict use. A node that is trusted or that nobody could answer for is seen
/// through, to its children and to what it uses itself.
pub(super) fn look(tree: &Tree, behaviours: &dyn Behaviours, state: &State<'_>) -> Used {
    let area = state.area();
    let candidates: Vec<Node> =
        area.focus_wrong.then_some(area.focus).into_iter().chain(state.unknown()).collect();
    let mut seen: BTreeSet<Node> = candidates.iter().copied().collect();
    let mut waiting: VecDeque<Node> = VecDeque::new();
    let mut unknown = Vec::new();
    for node in candidates {
        waiting.extend(behaviours.uses(tree, node));
    }
    while let Some(node) = waiting.pop_front() {
        if !tree.contains(node) || tree.is_within(area.focus, node) || !seen.insert(node) {
            continue;
        }
        match state.judgement(node) {
            Some(Judgement::DontKnow) => unknown.push(node),
            None if state.is_trusted(node) => {}
            None => return Used { open: Some(node), unknown },
            Some(_) => continue,
        }
        waiting.extend(tree.children(node));
        waiting.extend(behaviours.uses(tree, node));
    }
    Used { open: None, unknown }
}
