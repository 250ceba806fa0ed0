//! Optimal divide & query (Insa and Silva 2011): the node that minimises the difference between what remains if it is
//! wrong (the nodes below it) and what remains if it is correct (the nodes outside it).
//!
//! Shapiro's and Hirunkitti's count the node itself to the side that remains when it is wrong, although it is not
//! asked again then. With weights of 1 the difference is |2w − 1 − W|, which falls with w up to one half and rises
//! above it, so the two nodes nearest to one half are the only candidates. At equal difference the one at or below.

use super::{Context, Pick, Reason, Strategy, divide::Split, divide::split};
use crate::Counted;
use gadfly_tree::Node;

pub(super) struct Optimal;

impl Strategy for Optimal {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let split = split(context.area, &Counted::new(context.area))?;
        let (node, inside) = best_side(&split)?;
        Some(Pick { node, reason: Reason::Divides { inside, of: split.whole } })
    }
}

/// What remains on one answer less what remains on the other, for an askable node of this weight.
pub(super) fn difference(weight: u64, whole: u64) -> u64 {
    (2 * weight).abs_diff(whole + 1)
}

/// The side of a split with the smaller difference.
pub(super) fn best_side(split: &Split) -> Option<(Node, u64)> {
    match (split.above, split.below) {
        (Some(above), Some(below)) if difference(above.1, split.whole) < difference(below.1, split.whole) => {
            Some(above)
        }
        (above, below) => below.or(above),
    }
}
