//! Less YES first (Silva 2006; S0 §3.2): as heaviest first, but a node weighs 1/r, where r is how often its rule was
//! executed correctly so far (once, to begin with): what worked before will likely work again.

use super::{Context, Pick, Reason, Strategy, percent, unasked_root};
use crate::Area;
use gadfly_tree::Node;

pub(super) struct LessYesFirst;

impl Strategy for LessYesFirst {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        unasked_root(area).or_else(|| {
            let by_rule = context.history.yes_weights();
            let (mut best, mut whole): (Option<(Node, u64)>, u64) = (None, 0);
            for node in area.frontier(area.focus) {
                let weight = subtree_weight(area, node, &by_rule);
                whole += weight;
                if best.is_none_or(|(_, most)| weight > most) {
                    best = Some((node, weight));
                }
            }
            let (node, weight) = best?;
            Some(Pick { node, reason: Reason::LikelyBranch { percent: percent(weight, whole) } })
        })
    }

    fn uses_history(&self) -> bool {
        true
    }
}

/// The weight of a subtree. Every node of the area is visited once for all branches together, so running sums, which
/// would be a column to write and read again, are not worth their memory here.
fn subtree_weight(area: Area<'_>, node: Node, by_rule: &[u64]) -> u64 {
    let range = area.tree.subtree(node);
    let rules = area.tree.rule_column();
    let trusting = area.trust.any();
    let mut weight = 0;
    for (start, end) in area.gone.gaps(range.start, range.end) {
        let piece = &rules[start as usize..end as usize];
        weight += match trusting {
            false => piece.iter().map(|rule| by_rule[*rule as usize]).sum::<u64>(),
            true => (start..end)
                .filter(|index| !area.trust.holds(area.tree, Node(*index)))
                .map(|index| by_rule[rules[index as usize] as usize])
                .sum(),
        };
        let first = area.muted.partition_point(|muted| *muted < start);
        for muted in area.muted[first..].iter().take_while(|muted| **muted < end) {
            if !area.trust.holds(area.tree, Node(*muted)) {
                weight -= by_rule[rules[*muted as usize] as usize];
            }
        }
    }
    weight
}
