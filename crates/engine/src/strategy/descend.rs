//! What the strategies from the top share: choosing among the nodes just below the wrong one.

use crate::{Area, Counted, Measure};
use gadfly_tree::Node;

/// The first node below the focus that is wanted; those behind a node that nobody could answer for come last.
pub(super) fn first(area: Area<'_>, mut wanted: impl FnMut(Node) -> bool) -> Option<Node> {
    let mut behind_unknown = None;
    let mut frontier = area.frontier(area.focus);
    while let Some(node) = frontier.next() {
        if !wanted(node) {
            continue;
        }
        if !frontier.is_through_unknown() {
            return Some(node);
        }
        behind_unknown = behind_unknown.or(Some(node));
    }
    behind_unknown
}

/// The heaviest node just below the focus, the leftmost of equals.
pub(super) fn heaviest(area: Area<'_>, measure: &Counted<'_>) -> Option<(Node, u64)> {
    let mut best: Option<(Node, u64)> = None;
    for node in area.frontier(area.focus) {
        // No subtree weighs more than it has nodes: most siblings need no further look.
        let at_most = u64::from(area.tree.size(node));
        if best.is_some_and(|(_, weight)| at_most <= weight) {
            continue;
        }
        let weight = measure.weight(area.tree, node);
        if best.is_none_or(|(_, most)| weight > most) {
            best = Some((node, weight));
        }
    }
    best
}
