//! Exception zooming (MacLarty 2005; S0 §3.2): as top-down, but what ended in an exception comes first.

use super::{Context, Pick, Reason, Strategy, descend::first, top_down::TopDown, unasked_root};

pub(super) struct ExceptionZooming;

impl Strategy for ExceptionZooming {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        unasked_root(area)
            .or_else(|| {
                first(area, |node| area.tree.raised(node)).map(|node| Pick { node, reason: Reason::Raised })
            })
            .or_else(|| TopDown.pick(context))
    }
}
