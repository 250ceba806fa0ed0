//! The heaviest node by one pass over the area, for strategies that have weighed every node anyway.
//!
//! Hopping from sibling to sibling waits for every subtree's size before it knows where the next sibling is; going
//! straight through the column of sizes does not, and most nodes are passed over because so small a subtree cannot be
//! the heaviest. Below a node that was weighed nothing is heavier than it, so its subtree is skipped.

use crate::{Area, Measure, Weighed};
use gadfly_tree::Node;
use std::ops::Range;

/// What is looked for.
pub(super) struct Wanted {
    /// Only nodes with these indices.
    pub(super) among: Range<u32>,
    /// No node weighs more than this by itself.
    pub(super) unit: u64,
    /// Only subtrees that weigh at most this.
    pub(super) at_most: u64,
}

/// Makes `best` the heaviest askable node, the leftmost of equals. Every one that is as heavy as the heaviest before it
/// is shown.
pub(super) fn heaviest(
    area: Area<'_>,
    measure: &Weighed<'_>,
    wanted: &Wanted,
    best: &mut Option<(Node, u64)>,
    see: &mut impl FnMut(Node, u64),
) {
    let sizes = area.tree.size_column();
    // The size from which on a subtree can be as heavy as the best.
    let enough_for = |best: &Option<(Node, u64)>| match best {
        Some((_, weight)) => u32::try_from(weight.div_ceil(wanted.unit.max(1))).unwrap_or(u32::MAX).max(1),
        None => 1,
    };
    let mut enough = enough_for(best);
    for (start, end) in area.gone.gaps(wanted.among.start, wanted.among.end) {
        area.take_steps(end - start);
        let mut at = start;
        while at < end {
            let Some(skip) = sizes[at as usize..end as usize].iter().position(|size| *size >= enough) else {
                break;
            };
            let node = Node(at + skip as u32);
            at = node.0 + 1;
            let weight = measure.weight(area.tree, node);
            if weight > wanted.at_most {
                continue;
            }
            let as_heavy = best.is_none_or(|(_, most)| weight >= most);
            if as_heavy && !area.is_askable(node) {
                continue;
            }
            at = node.0 + sizes[node.index()];
            if as_heavy {
                see(node, weight);
                if best.is_none_or(|(found, most)| weight > most || node < found) {
                    *best = Some((node, weight));
                    enough = enough_for(best);
                }
            }
        }
    }
}
