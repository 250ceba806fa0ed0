//! What the divide strategies share: the two nodes nearest to one half of the suspicious weight.
//!
//! A subtree that weighs more than half of the area holds the node at which the running weight passes one half, so all
//! of them lie on one path: from there up. The walk goes up that path to the lightest subtree above one half; every
//! subtree at or below one half that could be heaviest hangs beside the path. Going on upwards is cut off as soon as
//! what remains outside is lighter than what was found. So a question costs the length of that short walk and the
//! siblings along it, not the size of the tree (measured in docs/numbers.md).

use crate::{Area, Measure};
use gadfly_tree::Node;

/// The nodes nearest to one half of the weight, from above and from below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    /// The weight of the area.
    pub(super) whole: u64,
    /// The lightest askable node that weighs more than half, with its weight.
    pub(super) above: Option<(Node, u64)>,
    /// The heaviest askable node that weighs at most half, the leftmost of equals, with its weight.
    pub(super) below: Option<(Node, u64)>,
}

/// Divides the area; `None` if nothing in it weighs anything. `unit` is the most that a single node weighs.
pub(super) fn split(area: Area<'_>, measure: &impl Measure, unit: u64) -> Option<Split> {
    let tree = area.tree;
    let range = tree.subtree(area.focus);
    let whole = measure.weight(tree, area.focus);
    if whole == 0 {
        return None;
    }
    let mut upper = Node(measure.passes(whole / 2, range.start, range.end));
    let mut upper_weight = measure.weight(tree, upper);
    while 2 * upper_weight <= whole {
        upper = parent_within(area, upper);
        upper_weight = measure.weight(tree, upper);
    }
    let mut below: Option<(Node, u64)> = None;
    let mut above = None;
    // The child of `at` through which the path came; its subtree was seen.
    let (mut at, mut at_weight, mut came_from) = (upper, upper_weight, None);
    loop {
        if above.is_none() && area.is_askable(at) {
            above = Some((at, at_weight));
        }
        heaviest_beside(area, measure, unit, at, came_from, whole, &mut below);
        let outside = whole - at_weight;
        let enough = below.is_some_and(|(_, weight)| outside < weight) || outside == 0 && below.is_some();
        if at == area.focus || enough && above.is_some() {
            return Some(Split { whole, above, below });
        }
        came_from = Some(at);
        at = parent_within(area, at);
        at_weight = measure.weight(tree, at);
    }
}

fn parent_within(area: Area<'_>, node: Node) -> Node {
    area.tree.parent(node).filter(|_| node != area.focus).unwrap_or(area.focus)
}

/// Keeps the heaviest node just below `at`, beside the path, that weighs at most half.
fn heaviest_beside(
    area: Area<'_>,
    measure: &impl Measure,
    unit: u64,
    at: Node,
    came_from: Option<Node>,
    whole: u64,
    best: &mut Option<(Node, u64)>,
) {
    let mut frontier = area.frontier(at);
    loop {
        if let Some(path) = came_from {
            frontier.skip_subtree(path);
        }
        let Some(node) = frontier.next() else { return };
        // The path's own child is not below one half; an unaskable one was skipped by now or is passed through.
        if came_from.is_some_and(|path| area.tree.is_within(node, path)) {
            continue;
        }
        let at_most = u64::from(area.tree.size(node)) * unit;
        if best.is_some_and(|(found, weight)| at_most < weight || at_most == weight && node > found) {
            continue;
        }
        let weight = measure.weight(area.tree, node);
        if 2 * weight > whole {
            continue;
        }
        if best.is_none_or(|(found, most)| weight > most || weight == most && node < found) {
            *best = Some((node, weight));
        }
    }
}
