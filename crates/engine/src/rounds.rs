//! Runs without end: the same calls again and again, each inside of the one before.
//!
//! All calls of such a run are wrong, down to the one that happened to be running when it was cut off, and that one says
//! nothing. So one round is asked about, as if the next one, which is the same, were not there: what is wrong in it is
//! either something that it was computed from, or a rule that makes no progress.

use gadfly_tree::{Node, Tree};

/// One round of a run without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// The calls of the round that are asked about, from the top: the first of each rule.
    pub asked: Vec<Node>,
    /// Its other calls.
    pub passed: Vec<Node>,
    /// The call that begins the next round.
    pub again: Node,
}

impl Rounds {
    /// A round of these calls, each inside of the one before.
    pub fn new(tree: &Tree, round: &[Node], again: Node) -> Rounds {
        let mut rounds = Rounds { asked: Vec::new(), passed: Vec::new(), again };
        for node in round {
            let is_alike = |other: &Node| tree.rule_id(*other) == tree.rule_id(*node);
            match rounds.asked.iter().any(is_alike) {
                true => rounds.passed.push(*node),
                false => rounds.asked.push(*node),
            }
        }
        rounds
    }
}
