//! S3's eleven properties of a transformation (§4.4), by their names there, as functions of the old tree, the new tree
//! and the maps.
//!
//! The first six say something about every buggy node; each function gives the nodes for which it does not hold. The next
//! four say that something may happen; each gives the cases in which it did.
//!
//! What was derived where S3 is garbled or says two things:
//! - A node's code p is everything that ran in it, its children included: Def. 4.6 and the table of Example 4.11 have
//!   it so. For the root of an expanded loop's nodes that makes "p ⊃ p'" of Appendix A.2 a "p ⊇ p'", since it is the same
//!   computation; Property 4 asks for no more.
//! - The code p'' that loop expansion inserts belongs to the nodes that it makes and not to the nodes around them, which
//!   are in M_I and therefore unchanged.
//! - Def. 4.13 calls E* symmetric and transitive; meant are the ancestors (its reflexive and transitive closure).
//! - "A buggy node with a bug b ∈ p": by Lemma 1 the bug is in the part of p that the children do not answer for.
//! - Property 11 has its arrows swapped: Table 1 and the text around it call it bigger when the new tree is bigger.

use crate::recording::{Transformation, nodes};
use gadfly_tree::Node;
use gadfly_tree::transform::{Execution, Expression, Rewritten};
use std::cmp::Ordering;

/// An execution with the state of every node (S3 Def. 4.9).
pub(crate) struct Judged<'a> {
    pub(crate) execution: &'a Execution,
    pub(crate) wrong: Vec<bool>,
}

impl Judged<'_> {
    pub(crate) fn is_wrong(&self, node: Node) -> bool {
        self.wrong[node.index()]
    }

    /// S3 Def. 4.13.
    pub(crate) fn is_buggy(&self, node: Node) -> bool {
        self.is_wrong(node) && !self.execution.tree().children(node).any(|child| self.is_wrong(child))
    }

    pub(crate) fn is_traceable(&self, node: Node) -> bool {
        let tree = self.execution.tree();
        let mut above = std::iter::successors(Some(node), |node| tree.parent(*node));
        self.is_buggy(node) && above.all(|node| self.is_wrong(node))
    }

    pub(crate) fn buggy(&self) -> Vec<Node> {
        nodes(self.execution).filter(|node| self.is_buggy(*node)).collect()
    }

    fn code(&self, node: Node) -> Code {
        Code { program: self.execution.code(node), inserted: self.execution.has_inserted_code(node) }
    }
}

/// The old tree, the new tree, and the maps.
pub(crate) struct Change<'a> {
    pub(crate) old: Judged<'a>,
    pub(crate) new: Judged<'a>,
    pub(crate) rewritten: &'a Rewritten,
}

impl<'a> Change<'a> {
    /// Judges the new tree as S3's Appendix A says of each transformation: a node in M_I has the state that it had, and a
    /// new node any state (`free`), with these exceptions. The root of an expanded loop's nodes has the state of the node
    /// that was expanded. A simplified node may be right where its main source was wrong only if some of the work that
    /// was moved is wrong where it is now.
    pub(crate) fn judge(
        transformation: Transformation,
        old: &'a Execution,
        wrong: Vec<bool>,
        rewritten: &'a Rewritten,
        free: impl Fn(Node) -> bool,
    ) -> Change<'a> {
        let (new, maps) = (&rewritten.execution, &rewritten.maps);
        let state = |node: Node| match (maps.same(node), transformation, maps.main_source(node)) {
            (Some(same), _, _) => wrong[same.index()],
            (None, Transformation::LoopExpansion, Some(main)) => wrong[main.index()],
            _ => free(node),
        };
        let mut now: Vec<bool> = nodes(new).map(state).collect();
        if transformation == Transformation::NodeSimplification {
            let place: Vec<(Node, Node)> =
                nodes(new).filter_map(|node| Some((maps.main_source(node)?, node))).collect();
            for (main, node) in &place {
                let sources = rewritten.sources(old, *node);
                let moved_wrong = place
                    .iter()
                    .any(|(source, place)| source != main && sources.contains(source) && now[place.index()]);
                if maps.same(*node).is_none() && wrong[main.index()] && !moved_wrong {
                    now[node.index()] = true;
                }
            }
        }
        Change {
            old: Judged { execution: old, wrong },
            new: Judged { execution: new, wrong: now },
            rewritten,
        }
    }

    /// M_S, as pairs of a new node and one of its sources.
    fn sources(&self) -> Vec<(Node, Node)> {
        let of = |node| self.rewritten.sources(self.old.execution, node).into_iter();
        nodes(self.new.execution).flat_map(|node| of(node).map(move |source| (node, source))).collect()
    }

    fn is_source(&self, new: Node, old: Node) -> bool {
        self.rewritten.sources(self.old.execution, new).contains(&old)
    }

    /// The buggy nodes of the old tree for which no buggy node of the new one will do.
    fn buggy_without(&self, will_do: impl Fn(Node, Node) -> bool) -> Vec<Node> {
        let buggy = self.new.buggy();
        self.old.buggy().into_iter().filter(|old| !buggy.iter().any(|new| will_do(*old, *new))).collect()
    }
}

/// p ∪ p'': code of the program, and whether some was inserted, which is correct by construction.
#[derive(PartialEq, Eq)]
struct Code {
    program: Vec<Expression>,
    inserted: bool,
}

impl Code {
    /// ⊃: contains the other, and more.
    fn is_more_than(&self, other: &Code) -> bool {
        self != other && self.inserted >= other.inserted && contains(&self.program, &other.program)
    }
}

fn contains(all: &[Expression], some: &[Expression]) -> bool {
    some.iter().all(|expression| all.contains(expression))
}

/// Property 1.
pub(crate) fn buggy_node_completeness(change: &Change) -> Vec<Node> {
    change.buggy_without(|old, new| change.rewritten.maps.same(new) == Some(old))
}

/// Property 2.
pub(crate) fn buggy_code_completeness(change: &Change) -> Vec<Node> {
    change.buggy_without(|old, new| change.old.code(old) == change.new.code(new))
}

/// Property 3.
pub(crate) fn buggy_code_reduction(change: &Change) -> Vec<Node> {
    change.buggy_without(|old, new| {
        let (p, reduced) = (change.old.code(old), change.new.code(new));
        p == reduced || p.is_more_than(&reduced) && change.is_source(new, old)
    })
}

/// Property 4.
pub(crate) fn buggy_code_semi_reduction(change: &Change) -> Vec<Node> {
    change.buggy_without(|old, new| {
        let (p, reduced) = (change.old.code(old).program, change.new.code(new).program);
        p == reduced || contains(&p, &reduced) && change.is_source(new, old)
    })
}

/// Property 5.
pub(crate) fn bug_existence(change: &Change) -> Vec<Node> {
    change.buggy_without(|_, _| true)
}

/// Property 6.
pub(crate) fn keep_traceability(change: &Change) -> Vec<Node> {
    let traceable = |node: &Node| change.old.is_traceable(*node);
    let kept = |old: Node| {
        nodes(change.new.execution)
            .any(|new| change.rewritten.maps.same(new) == Some(old) && change.new.is_traceable(new))
    };
    nodes(change.old.execution).filter(traceable).filter(|old| !kept(*old)).collect()
}

/// Property 7: a new node, and a source of it with more code.
pub(crate) fn zoom_in_nodes(change: &Change) -> Vec<(Node, Node)> {
    let mut pairs = change.sources();
    pairs.retain(|(new, old)| {
        let (p, zoomed) = (change.old.code(*old).program, change.new.code(*new).program);
        p != zoomed && contains(&p, &zoomed)
    });
    pairs
}

/// Property 8: a new node, and a source of it with less code.
pub(crate) fn zoom_out_nodes(change: &Change) -> Vec<(Node, Node)> {
    let mut pairs = change.sources();
    pairs.retain(|(new, old)| {
        let (p, zoomed) = (change.old.code(*old).program, change.new.code(*new).program);
        p != zoomed && contains(&zoomed, &p)
    });
    pairs
}

/// Property 9: code that a buggy node of the old tree shows, and that is in no buggy node of the new one.
pub(crate) fn may_hide_bugs(change: &Change) -> Vec<(Node, Expression)> {
    only_in_the_first(&change.old, &change.new)
}

/// Property 10: the same with the trees exchanged.
pub(crate) fn may_reveal_bugs(change: &Change) -> Vec<(Node, Expression)> {
    only_in_the_first(&change.new, &change.old)
}

fn only_in_the_first(first: &Judged, second: &Judged) -> Vec<(Node, Expression)> {
    let known: Vec<Expression> =
        second.buggy().into_iter().flat_map(|node| second.execution.code(node)).collect();
    let shown = |node| first.execution.get_code(node).into_iter().map(move |bug| (node, bug));
    first.buggy().into_iter().flat_map(shown).filter(|(_, bug)| !known.contains(bug)).collect()
}

/// Property 11: how big the new tree is, compared with the old one.
pub(crate) fn et_size(change: &Change) -> Ordering {
    change.new.execution.tree().len().cmp(&change.old.execution.tree().len())
}
