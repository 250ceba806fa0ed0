//! Hirunkitti's divide & query (Hirunkitti and Hogger 1993; S0 §3.3): the node whose weight is nearest to half of the
//! suspicious area, from either side; at equal distance the one at or below it.

use super::{Context, Pick, Reason, Strategy, divide::Split, divide::split};
use crate::Counted;
use gadfly_tree::Node;

pub(super) struct Hirunkitti;

impl Strategy for Hirunkitti {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let split = split(context.area, &Counted::new(context.area))?;
        let (node, inside) = nearest_to_half(&split)?;
        Some(Pick { node, reason: Reason::Divides { inside, of: split.whole } })
    }
}

/// The side of a split that is nearer to one half.
pub(super) fn nearest_to_half(split: &Split) -> Option<(Node, u64)> {
    match (split.above, split.below) {
        (Some(above), Some(below)) if 2 * above.1 - split.whole < split.whole - 2 * below.1 => Some(above),
        (above, below) => below.or(above),
    }
}
