//! Single stepping (Shapiro 1982; S0 §3.1): a post-order traversal, so the first wrong node is the buggy one.

use super::{Context, Pick, Reason, Strategy};

pub(super) struct SingleStepping;

impl Strategy for SingleStepping {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        let mut node = match area.is_askable(area.focus) {
            true => Some(area.focus),
            false => None,
        };
        // The leftmost node with nothing askable below it comes first in post-order.
        while let Some(below) = area.frontier(node.unwrap_or(area.focus)).next() {
            node = Some(below);
        }
        Some(Pick { node: node?, reason: Reason::FromTheBottom })
    }

    fn may_ask_inner_siblings(&self) -> bool {
        false
    }
}
