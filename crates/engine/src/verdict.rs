//! How a session ends.

use crate::{Judgement, State};
use gadfly_tree::{Node, Tree};

/// How a session ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The bug is in this node's code.
    Bug {
        /// Wrong, and everything it was computed from is right.
        node: Node,
        /// Calls it should never have made with these arguments. If there are any, that is the bug (Naish 1997, S0
        /// §3.5).
        inadmissible: Vec<Node>,
    },
    /// Nothing is wrong.
    None(NoBug),
    /// It cannot be decided with the answers there are: the bug is in one of these.
    Unsure {
        /// The nodes that can still be buggy, in order.
        candidates: Vec<Node>,
    },
}

impl Verdict {
    /// The word for it in JSON.
    pub fn status(&self) -> &'static str {
        match self {
            Verdict::Bug { .. } => "bug",
            Verdict::None(_) => "none",
            Verdict::Unsure { .. } => "unsure",
        }
    }
}

/// Why nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBug {
    /// The result of the whole is correct.
    Correct,
    /// The whole should not have been run with this input.
    Inadmissible,
    /// All that is not trusted is correct.
    Trusted,
    /// The reference agrees with every recorded call.
    ReferenceAgrees,
}

/// The verdict once nothing is left to ask; `unknown` are nodes outside of the suspicious area that it depends on and
/// that no oracle knew.
pub(crate) fn conclude(tree: &Tree, state: &State, unknown: Vec<Node>) -> Verdict {
    let area = state.area();
    let mut candidates: Vec<Node> = state.unknown().chain(unknown).collect();
    if !area.focus_wrong {
        return match state.judgement(Node::ROOT) {
            Some(Judgement::Correct) => Verdict::None(NoBug::Correct),
            Some(Judgement::Inadmissible) => Verdict::None(NoBug::Inadmissible),
            _ if candidates.is_empty() => Verdict::None(NoBug::Trusted),
            _ => {
                candidates.sort_unstable();
                Verdict::Unsure { candidates }
            }
        };
    }
    let suspects = state.suspects();
    let suspect = suspects.first().copied().unwrap_or(area.focus);
    let one_rule = suspects.iter().all(|node| tree.rule_id(*node) == tree.rule_id(suspect));
    // All calls of a round that goes on for ever are wrong: any of their rules may be the one that makes no progress.
    let round = state.wrong_round(suspect);
    let one_rule = one_rule && round.iter().all(|node| tree.rule_id(*node) == tree.rule_id(suspect));
    if candidates.is_empty() && one_rule {
        let inadmissible = state.inadmissible().filter(|node| caller(tree, state, *node) == Some(suspect));
        let mut inadmissible: Vec<Node> = inadmissible.collect();
        inadmissible.sort_unstable();
        return Verdict::Bug { node: suspect, inadmissible };
    }
    candidates.extend(suspects);
    candidates.extend(round);
    candidates.sort_unstable();
    candidates.dedup();
    Verdict::Unsure { candidates }
}

/// The nearest node above that is not trusted.
fn caller(tree: &Tree, state: &State, node: Node) -> Option<Node> {
    let mut above = tree.parent(node)?;
    while state.is_trusted(above) && !state.suspects().contains(&above) {
        above = tree.parent(above)?;
    }
    Some(above)
}
