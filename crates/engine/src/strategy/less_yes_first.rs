//! Less YES first (Silva 2006; S0 §3.2): as heaviest first, but a node weighs 1/r, where r is how often its rule was
//! executed correctly so far (once, to begin with): what worked before will likely work again.

use super::{Context, Pick, Reason, Strategy, percent, sweep, sweep::Wanted, unasked_root};
use crate::Measure as _;

pub(super) struct LessYesFirst;

impl Strategy for LessYesFirst {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        unasked_root(area).or_else(|| {
            let weights = context.history.yes_weights();
            let measure = weights.weigh(area, context.scratch);
            let below = area.focus.0 + 1..area.tree.subtree(area.focus).end;
            let wanted = Wanted { among: below, unit: weights.most, at_most: u64::MAX };
            let mut best = None;
            sweep::heaviest(area, &measure, &wanted, &mut best, &mut |_, _| {});
            let (node, weight) = best?;
            let whole = measure.weight(area.tree, area.focus);
            Some(Pick { node, reason: Reason::LikelyBranch { percent: percent(weight, whole) } })
        })
    }

    fn uses_history(&self) -> bool {
        true
    }
}
