//! Hat-delta (Davie and Chitil 2005; S0 §3.4): the suspicious node whose rule is most likely to be wrong, by one of
//! three readings of the answers so far. Among equals the first from the top, so it begins as top-down search.

use super::{Context, Pick, Reason, Strategy};
use crate::History;
use gadfly_tree::{Node, RuleId};

/// The three heuristics.
pub(super) enum HatDelta {
    /// The rule executed correctly least often.
    Right,
    /// The rule executed wrongly most often.
    Wrong,
    /// The rule with the largest share of wrong executions; one half for a rule nothing is known of.
    Ratio,
}

impl HatDelta {
    /// The larger, the likelier to be wrong.
    fn suspicion(&self, history: &History, rule: RuleId) -> u64 {
        let (right, wrong) = (u64::from(history.right(rule)), u64::from(history.wrong(rule)));
        match self {
            HatDelta::Right => u64::MAX - right,
            HatDelta::Wrong => wrong,
            HatDelta::Ratio if right + wrong == 0 => 1 << 31,
            // Two different ratios of 32-bit numbers may differ by less than this can tell; they are equals then.
            HatDelta::Ratio => (wrong << 32) / (right + wrong),
        }
    }
}

impl Strategy for HatDelta {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        let by_rule: Vec<u64> =
            area.tree.rules().iter().map(|(rule, _)| self.suspicion(context.history, rule)).collect();
        let most = by_rule.iter().copied().max()?;
        let rules = area.tree.rule_column();
        let mut best: Option<(Node, u64)> = None;
        'area: for (start, end) in area.pieces_without_muted() {
            for (index, rule) in (start..end).zip(&rules[start as usize..end as usize]) {
                let suspicion = by_rule[*rule as usize];
                let better = best.is_none_or(|(_, found)| suspicion > found);
                if better && !area.trust.holds(area.tree, Node(index)) {
                    best = Some((Node(index), suspicion));
                    if suspicion == most {
                        break 'area;
                    }
                }
            }
        }
        let (node, _) = best?;
        let rule = area.tree.rule_id(node);
        let (right, wrong) = (context.history.right(rule), context.history.wrong(rule));
        Some(Pick { node, reason: Reason::LikelyRule { right, wrong } })
    }

    fn uses_history(&self) -> bool {
        true
    }
}
