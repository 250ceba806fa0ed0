//! The dynamic choice (Silva 2006; S0 §5): where the suspicious area is shallow, d < log₂ n, heaviest first asks less
//! in the worst case; if not, Hirunkitti's divide & query does.
//!
//! The depth of the area is only compared with log₂ n, which is small: the search for a node that deep stops at the
//! first one, and subtrees too small to reach it are passed over whole.

use super::{Context, Pick, Strategy, heaviest_first::HeaviestFirst, hirunkitti::Hirunkitti};
use crate::{Area, Counted, Measure};

pub(super) struct Dynamic;

impl Strategy for Dynamic {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        let nodes = Counted::new(area).weight(area.tree, area.focus);
        // d < log₂ n exactly when 2^d < n: the smallest depth for which that fails is ⌈log₂ n⌉.
        let limit = nodes.max(1).next_power_of_two().trailing_zeros();
        match reaches_depth(area, limit) {
            true => Hirunkitti.pick(context),
            false => HeaviestFirst.pick(context),
        }
    }
}

/// Whether the area has an askable node this many levels below its focus.
fn reaches_depth(area: Area<'_>, depth: u32) -> bool {
    if depth == 0 {
        return true;
    }
    let mut path = vec![area.frontier(area.focus)];
    while let Some(level) = path.last_mut() {
        let Some(node) = level.next() else {
            path.pop();
            continue;
        };
        let here = path.len() as u32;
        if here == depth {
            return true;
        }
        if area.tree.size(node) > depth - here {
            path.push(area.frontier(node));
        }
    }
    false
}
