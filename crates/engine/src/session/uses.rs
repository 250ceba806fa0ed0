//! What a wrong node was computed from besides its children.
//!
//! A constant of the program is computed once, on behalf of the node that needs it first, and is a child of that node
//! alone; but all that use it depend on it. That its first user is right says nothing about it. So before a node is named
//! buggy, the constants that it uses must have been judged themselves; if one is wrong, that is where the search goes on.
//!
//! A constant may be used while it is being computed: `primes` by `isPrime`, which tests what `primes` becomes, or a table
//! by the function that computes its entries. Then the node is below the constant, and each may be wrong because of the
//! other. So the search goes back to what else is below the constant: a wrong entry that was computed by another rule and
//! uses the constant no more is the reason (the first entries of a table); if nothing is, the node is named. That goes for
//! constants that are data; of a function (a parser that calls itself) or an action nothing is seen but what it does when
//! it is used, and that has nodes of its own.

use crate::{Judgement, State};
use gadfly_term::{Outcome, Shape};
use gadfly_tree::{Behaviours, Node, Tree};
use std::collections::{BTreeSet, VecDeque};

/// What the nodes that may be named use.
#[derive(Debug, Default)]
pub(crate) struct Used {
    /// The first that nothing is known of.
    pub(crate) open: Option<Node>,
    /// Those that nobody could answer for.
    pub(crate) unknown: Vec<Node>,
    /// The outermost one that a suspect is below, if it is wrong.
    pub(crate) around: Option<Node>,
}

/// Looks at what the candidates for a verdict use. A node that is trusted or that nobody could answer for is seen
/// through, to its children and to what it uses itself.
pub(crate) fn look(tree: &Tree, behaviours: &dyn Behaviours, state: &State) -> Used {
    let mut used = Used::default();
    let suspects = state.suspects();
    let candidates: Vec<Node> = suspects.iter().copied().chain(state.unknown()).collect();
    let mut seen: BTreeSet<Node> = candidates.iter().copied().collect();
    let mut waiting: VecDeque<Node> = VecDeque::new();
    for node in candidates {
        waiting.extend(behaviours.uses(tree, node));
    }
    while let Some(node) = waiting.pop_front() {
        if !tree.contains(node) || !seen.insert(node) {
            continue;
        }
        let judgement = state.judgement(node);
        if suspects.iter().any(|suspect| tree.is_within(*suspect, node)) {
            let outermost = used.around.is_none_or(|around| tree.is_within(around, node));
            match judgement {
                Some(Judgement::Correct | Judgement::Inadmissible) => {}
                _ if !outermost || !is_data(tree, behaviours, node) => {}
                None if !state.is_trusted(node) => used.open = used.open.or(Some(node)),
                _ => used.around = Some(node),
            }
            continue;
        }
        match judgement {
            Some(Judgement::DontKnow) => used.unknown.push(node),
            None if state.is_trusted(node) => {}
            None => {
                used.open = Some(node);
                return used;
            }
            Some(_) => continue,
        }
        waiting.extend(tree.children(node));
        waiting.extend(behaviours.uses(tree, node));
    }
    used
}

/// Whether what a node gave can be looked at.
fn is_data(tree: &Tree, behaviours: &dyn Behaviours, node: Node) -> bool {
    let Ok(behaviour) = behaviours.behaviour(tree, node, false) else { return false };
    let Outcome::Value(value) = behaviour.equation.outcome else { return false };
    !matches!(
        behaviour.equation.terms.shape(value),
        Shape::Function(..) | Shape::FiniteMap(_) | Shape::Opaque(_) | Shape::Con("IO" | "ST", _)
    )
}
