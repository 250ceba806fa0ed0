//! Answers that do not go together.
//!
//! None of them is refused: people change their minds, and two mistakes can cancel. But none is swallowed either.

use super::Given;
use super::memory::Memory;
use crate::{Judgement, State};
use gadfly_tree::{Node, Tree};

/// Something the user should know of an answer just given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// An equal equation was judged differently.
    EqualJudgedOtherwise {
        /// The node answered for now.
        node: Node,
        /// What was said of it.
        judgement: Judgement,
        /// The node with an equal equation.
        other: Node,
        /// What was said of that one.
        earlier: Judgement,
    },
    /// It is wrong, though something computed from it was called right (or should not have been computed at all).
    WrongInside {
        /// The wrong node.
        node: Node,
        /// The node above it.
        above: Node,
        /// What was said of that one.
        judgement: Judgement,
    },
    /// It is trusted now, though it was called wrong.
    TrustedButWrong {
        /// The node that was called wrong.
        node: Node,
    },
}

/// What the new answer contradicts; asked before it is taken in (or after, for a revision).
pub(crate) fn contradictions(tree: &Tree, state: &State, memory: &Memory, given: &Given) -> Vec<Notice> {
    let mut notices = Vec::new();
    let Given { node, answer, .. } = given;
    let (node, judgement) = (*node, answer.judgement);
    if let Some((earlier, other)) = memory.judgement(node) {
        let decided = |judgement| judgement != Judgement::DontKnow;
        if other != node && earlier != judgement && decided(earlier) && is_judgement(judgement) {
            notices.push(Notice::EqualJudgedOtherwise { node, judgement, other, earlier });
        }
    }
    match judgement {
        Judgement::Wrong => {
            let mut above = tree.parent(node);
            while let Some(ancestor) = above {
                match state.judgement(ancestor) {
                    Some(judgement @ (Judgement::Correct | Judgement::Inadmissible)) => {
                        notices.push(Notice::WrongInside { node, above: ancestor, judgement });
                        break;
                    }
                    // What is wrong with that one was reported then.
                    Some(Judgement::Wrong) => break,
                    _ => above = tree.parent(ancestor),
                }
            }
        }
        Judgement::Correct | Judgement::Inadmissible => {
            let inside = state.wrong().find(|wrong| *wrong != node && tree.is_within(*wrong, node));
            notices.extend(inside.map(|wrong| Notice::WrongInside { node: wrong, above: node, judgement }));
        }
        Judgement::TrustFunction | Judgement::TrustModule => {
            let rule = tree.rules().get(tree.rule_id(node));
            let trusted = |wrong: &Node| {
                let other = tree.rules().get(tree.rule_id(*wrong));
                match judgement {
                    Judgement::TrustModule => other.module == rule.module,
                    _ => other.same_function(rule) || other.is_local_to(rule),
                }
            };
            notices.extend(state.wrong().find(trusted).map(|node| Notice::TrustedButWrong { node }));
        }
        Judgement::DontKnow => {}
    }
    notices
}

fn is_judgement(judgement: Judgement) -> bool {
    matches!(judgement, Judgement::Correct | Judgement::Wrong | Judgement::Inadmissible)
}
