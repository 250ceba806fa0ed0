//! Tree compression: of nodes that repeat their parent's rule only the topmost stays (S3 §4.4, Appendix A.5).
//!
//! A function that calls itself a thousand times makes a thousand questions that are all about one piece of code. A child
//! with its parent's rule is left out and its own children move up, in its place; what it ran becomes part of what its
//! parent answers for. M_S is empty: no node is made.
//!
//! That hides what only a removed node could show (S3 Table 1: not even the existence of a bug is kept), and a verdict
//! then names the topmost call. So the caller has the last word about every node.

use super::maps::{Growing, Transformed};
use crate::{Kind, Node, Tree};

/// Leaves out the nodes that repeat their parent and that `may_go` agrees to; `|_| true` for all of them.
///
/// `may_go` is asked about such nodes only, in preorder.
pub fn compress(tree: &Tree, mut may_go: impl FnMut(Node) -> bool) -> Transformed {
    let mut growing = Growing::new(tree, tree.len() as usize);
    // Where each node is now or, if it is gone, where what stands in its place is.
    let mut place = vec![0u32; tree.len() as usize];
    for node in (0..tree.len()).map(Node) {
        let above = tree.parent(node).map_or(0, |parent| place[parent.index()]);
        if repeats_its_parent(tree, node) && may_go(node) {
            place[node.index()] = above;
        } else {
            place[node.index()] = growing.len();
            growing.keep(node, above);
        }
    }
    growing.finish()
}

/// Whether a node is a direct recursion: a call from a call of the same rule, or a loop's next round inside the loop.
///
/// It is the rule that counts and not the function: another equation of the function is other code.
pub fn repeats_its_parent(tree: &Tree, node: Node) -> bool {
    let Some(parent) = tree.parent(node) else { return false };
    let kinds = match (tree.kind(parent), tree.kind(node)) {
        (Kind::Routine, Kind::Routine) => true,
        (Kind::Loop | Kind::Iteration, Kind::Iteration) => true,
        (Kind::Routine | Kind::Loop | Kind::Iteration | Kind::Block, _) => false,
        (Kind::Projection | Kind::Collapse, _) => false,
    };
    kinds && tree.rule_id(parent) == tree.rule_id(node)
}
