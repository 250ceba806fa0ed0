//! Doubt about verdicts: code that the reference has too is not the bug.
//!
//! An answer may be wrong where functions come in from elsewhere: a call is wrong, what it was given is to blame, and
//! no recorded call shows that. So a rule that is the same in the reference, with everything that it calls, is never named;
//! in its place stands the code that ran and differs.

use super::sameness::Sameness;
use gadfly_engine::{Basis, Case, Instead, Review, Reviewer, Stage, Verdict, Watch};
use gadfly_tree::Node;
use std::sync::Arc;

/// More places than this are no help.
const MOST: usize = 8;

/// Knows what is the same in a program and in its reference.
pub(crate) struct LazyReviewer {
    sameness: Arc<Sameness>,
}

impl LazyReviewer {
    pub(crate) fn new(sameness: Arc<Sameness>) -> LazyReviewer {
        LazyReviewer { sameness }
    }

    fn is_same(&self, case: &Case, node: Node) -> bool {
        let tree = case.recording.tree();
        self.sameness.of_rule(tree.rules().get(tree.rule_id(node))) == Some(true)
    }

    /// The code that ran and differs, below a node: the first call of each rule.
    fn differing(&self, case: &Case, below: Node) -> Vec<Node> {
        let tree = case.recording.tree();
        let rules = tree.rules();
        let mut differs: Vec<bool> =
            rules.iter().map(|(_, rule)| self.sameness.differs_itself(rule)).collect();
        let mut found = Vec::new();
        for node in tree.subtree(below).map(Node) {
            if std::mem::take(&mut differs[tree.rule_id(node).0 as usize]) {
                found.push(node);
            }
        }
        found
    }

    /// What differs in place of code that does not.
    fn instead(&self, case: &Case) -> Review {
        let mut found = self.differing(case, case.focus.unwrap_or(Node::ROOT));
        if found.is_empty() {
            found = self.differing(case, Node::ROOT);
        }
        let why = if found.is_empty() { Instead::NothingDiffers } else { Instead::RanAndDiffers };
        let verdict = match found[..] {
            [node] => Verdict::Bug { node, inadmissible: Vec::new() },
            _ => Verdict::Unsure { candidates: found.into_iter().take(MOST).collect() },
        };
        Review::Replaced { verdict, blame: Vec::new(), why }
    }
}

impl Reviewer for LazyReviewer {
    fn review(&mut self, case: &Case, _stage: Stage, _watch: &dyn Watch) -> Review {
        // What a person says is not overruled.
        if case.has_person {
            return Review::stands(&case.verdict);
        }
        match &case.verdict {
            Verdict::Bug { node, .. } if self.is_same(case, *node) => self.instead(case),
            Verdict::Unsure { candidates } if candidates.iter().any(|node| self.is_same(case, *node)) => {
                let left: Vec<Node> =
                    candidates.iter().copied().filter(|node| !self.is_same(case, *node)).collect();
                let verdict = match left[..] {
                    [] => return self.instead(case),
                    [node] if case.focus == Some(node) => Verdict::Bug { node, inadmissible: Vec::new() },
                    _ => Verdict::Unsure { candidates: left },
                };
                let basis = Some(Basis::Elimination);
                Review::Stands { verdict, blame: Vec::new(), basis, enter: true }
            }
            _ => Review::stands(&case.verdict),
        }
    }
}
