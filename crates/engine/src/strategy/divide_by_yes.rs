//! Divide by YES & query (Silva 2006; S0 §3.3): as Hirunkitti's, but a node weighs 1/r, where r is how often its rule
//! was executed correctly so far (once, to begin with).

use super::{Context, Pick, Reason, Strategy, divide::split, hirunkitti::nearest_to_half, percent};
use crate::Weighed;

pub(super) struct DivideByYes;

impl Strategy for DivideByYes {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        let by_rule = context.history.yes_weights();
        let rules = area.tree.rule_column();
        let measure = Weighed::new(area, |node| by_rule[rules[node.index()] as usize]);
        let split = split(area, &measure, Weighed::UNIT)?;
        let (node, weight) = nearest_to_half(&split)?;
        Some(Pick { node, reason: Reason::DividesWeight { percent: percent(weight, split.whole) } })
    }

    fn uses_history(&self) -> bool {
        true
    }
}
