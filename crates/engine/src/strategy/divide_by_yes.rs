//! Divide by YES & query (Silva 2006; S0 §3.3): as Hirunkitti's, but a node weighs 1/r, where r is how often its rule
//! was executed correctly so far (once, to begin with).

use super::{Context, Pick, Reason, Strategy, divide::split_weighed, hirunkitti::nearest_to_half, percent};

pub(super) struct DivideByYes;

impl Strategy for DivideByYes {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        let weights = context.history.yes_weights();
        let measure = weights.weigh(area, context.scratch);
        let split = split_weighed(area, &measure, weights.most, |_, _| {})?;
        let (node, weight) = nearest_to_half(&split)?;
        Some(Pick { node, reason: Reason::DividesWeight { percent: percent(weight, split.whole) } })
    }

    fn uses_history(&self) -> bool {
        true
    }
}
