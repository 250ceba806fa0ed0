//! Top-down zooming (Maeji and Kanamori 1987; S0 §3.2): as top-down, but calls of the function that is known to go
//! wrong come first, so that the person need not switch from one definition to another.

use super::{Context, Pick, Reason, Strategy, descend::first, top_down::TopDown, unasked_root};

pub(super) struct TopDownZooming;

impl Strategy for TopDownZooming {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        let rules = area.tree.rules();
        let function = rules.get(area.tree.rule_id(area.focus));
        unasked_root(area)
            .or_else(|| {
                first(area, |node| rules.get(area.tree.rule_id(node)).same_function(function))
                    .map(|node| Pick { node, reason: Reason::SameFunction })
            })
            .or_else(|| TopDown.pick(context))
    }
}
