//! Exception zooming (MacLarty 2005; S0 §3.2): as top-down, but what ended in an exception comes first.
//!
//! Where the whole ended in an exception, the first question is about the node that raised it.

use super::{Context, Pick, Reason, Strategy, descend::first, top_down::TopDown, unasked_root};
use crate::Area;
use gadfly_tree::Node;

pub(super) struct ExceptionZooming;

impl Strategy for ExceptionZooming {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        let raised = |node: Node| Pick { node, reason: Reason::Raised };
        origin(area)
            .filter(|_| context.last.is_none())
            .map(raised)
            .or_else(|| unasked_root(area))
            .or_else(|| first(area, |node| area.tree.raised(node)).map(raised))
            .or_else(|| TopDown.pick(context))
    }
}

/// The node that raised what ended the whole: from the root down, always into the last one that raised it too.
fn origin(area: Area<'_>) -> Option<Node> {
    let tree = area.tree;
    let mut node = area.focus;
    let mut found = None;
    while tree.raised(node) {
        found = Some(node).filter(|node| area.is_askable(*node)).or(found);
        let Some(child) = tree.children(node).filter(|child| tree.raised(*child)).last() else { break };
        node = child;
    }
    found
}
