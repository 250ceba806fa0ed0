//! Node simplification: work goes from the node that waited for it to the node that ordered it (S3 §4.4, Appendix A.3).
//!
//! Under lazy evaluation an argument is computed deep inside of the call that first looks at it, and the question about
//! that call shows an unevaluated term: `third (1 : f 2) = 3`. Simplification gives the tree that eager evaluation would
//! have made, in which every term is shown in its final form: `third (1 : 2 : 3 : f 4) = 3`. For a term made by a node
//! that was still running when it was looked at, the work moves in front of the call that looked; if that node had
//! returned already, to its end. A node that loses work begins in a more evaluated environment with less code; one that
//! gains work ends in a more evaluated environment with more code. Nodes are never made or lost, so each has a main
//! source, and its M_S is that node with everything that was moved into it or out of it.
//!
//! S3 allows a node only one of the two changes; a node that both gains and loses is two simplifications in one.

use super::execution::{Execution, Expression, Rewritten, Span};
use super::maps::{Growing, Source, Transformed};
use crate::Node;
use thiserror::Error;

/// What is to be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The node of some work.
    pub node: Node,
    /// The node that made the term for which the work was done.
    pub creator: Node,
}

/// Moves that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SimplifyError {
    /// A node that the tree does not have.
    #[error("the tree has no node {}", .0.number())]
    Unknown(Node),
    /// The creator began after the work did, so it cannot have ordered it.
    #[error("node {} cannot have been ordered by node {}, which began later", .0.node.number(), .0.creator.number())]
    CreatedLater(Move),
}

/// Moves every node of `moves` to its creator; if a node is named twice, the last one counts.
pub fn simplify(old: &Execution, moves: &[Move]) -> Result<Rewritten, SimplifyError> {
    let tree = old.tree();
    // A creator has the smaller number, so whatever is moved, no node comes below itself.
    let mut parent: Vec<u32> = tree.parent.clone();
    for step in moves {
        if let Some(unknown) = [step.node, step.creator].into_iter().find(|node| !tree.contains(*node)) {
            return Err(SimplifyError::Unknown(unknown));
        }
        if step.creator >= step.node {
            return Err(SimplifyError::CreatedLater(*step));
        }
        parent[step.node.index()] = step.creator.0;
    }
    let children = new_children(old, &parent);
    let eager = Eager::run(old, &children);
    Ok(eager.finish(old))
}

/// A child of a node in the new tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Child {
    parent: u32,
    /// The old child of the parent in front of which this one is; itself, if it was the parent's child before.
    anchor: u32,
    stays: bool,
    node: u32,
}

/// What a child has for an anchor that comes after everything else.
const LAST: u32 = u32::MAX;

/// The children of all nodes, by parent and in order.
fn new_children(old: &Execution, parent: &[u32]) -> Vec<Child> {
    let tree = old.tree();
    let mut children = Vec::with_capacity(parent.len());
    // The old nodes around the current one, and how deep each node is.
    let mut path: Vec<u32> = Vec::new();
    let mut depth = vec![0u32; parent.len()];
    for node in 0..tree.len() {
        let before = tree.parent[node as usize];
        depth[node as usize] = if node == 0 { 0 } else { depth[before as usize] + 1 };
        path.truncate(depth[node as usize] as usize);
        path.push(node);
        if node == 0 {
            continue;
        }
        let now = parent[node as usize];
        let anchor = if tree.is_within(Node(node), Node(now)) {
            path.get(depth[now as usize] as usize + 1).copied().unwrap_or(LAST)
        } else {
            LAST
        };
        children.push(Child { parent: now, anchor, stays: now == before, node });
    }
    children.sort_unstable();
    children
}

/// The computation as eager evaluation would have it, with the nodes in the order in which they begin.
struct Eager {
    steps: Vec<Expression>,
    order: Vec<u32>,
    parent: Vec<u32>,
    spans: Vec<Span>,
}

/// A node that is running.
struct Running {
    place: u32,
    /// How far it has run, in the old computation, and where it ends there.
    point: u32,
    end: u32,
    /// Its next old child, and where its old subtree ends.
    next: u32,
    next_end: u32,
    /// Its new children.
    child: usize,
    children_end: usize,
}

impl Eager {
    fn run(old: &Execution, children: &[Child]) -> Eager {
        let tree = old.tree();
        let count = tree.len() as usize;
        // Where the children of each node are among all.
        let mut firsts = vec![0usize; count + 1];
        for child in children {
            firsts[child.parent as usize + 1] += 1;
        }
        for node in 0..count {
            firsts[node + 1] += firsts[node];
        }
        let mut eager = Eager {
            steps: Vec::with_capacity(old.steps().len()),
            order: Vec::with_capacity(count),
            parent: Vec::with_capacity(count),
            spans: Vec::with_capacity(count),
        };
        let mut running = vec![eager.begin(old, &firsts, 0, 0)];
        while let Some(top) = running.last_mut() {
            let begun = eager.advance(old, top, children);
            let place = top.place;
            match begun {
                Some(node) => running.push(eager.begin(old, &firsts, node, place)),
                None => {
                    eager.spans[place as usize].end = eager.steps.len() as u32;
                    running.pop();
                }
            }
        }
        eager
    }

    fn begin(&mut self, old: &Execution, firsts: &[usize], node: u32, parent: u32) -> Running {
        let place = self.order.len() as u32;
        self.order.push(node);
        self.parent.push(parent);
        let begin = self.steps.len() as u32;
        self.spans.push(Span { begin, end: begin });
        let Span { begin, end } = old.span(Node(node));
        Running {
            place,
            point: begin,
            end,
            next: node + 1,
            next_end: node + old.tree().size(Node(node)),
            child: firsts[node as usize],
            children_end: firsts[node as usize + 1],
        }
    }

    /// Runs a node until its next child begins; `None` if it ends.
    fn advance(&mut self, old: &Execution, top: &mut Running, children: &[Child]) -> Option<u32> {
        loop {
            let child = (top.child < top.children_end).then(|| children[top.child]);
            if top.next >= top.next_end {
                self.copy(old, &mut top.point, top.end);
                top.child += 1;
                return child.map(|child| child.node);
            }
            let here = old.span(Node(top.next));
            self.copy(old, &mut top.point, here.begin);
            let begins = child.filter(|child| child.anchor == top.next);
            if begins.is_some_and(|child| !child.stays) {
                top.child += 1;
                return begins.map(|child| child.node);
            }
            // The old child begins here, or it ran here before and has gone elsewhere.
            top.point = here.end;
            top.next += old.tree().size(Node(top.next));
            if let Some(child) = begins {
                top.child += 1;
                return Some(child.node);
            }
        }
    }

    /// What the node itself ran up to `end`.
    fn copy(&mut self, old: &Execution, point: &mut u32, end: u32) {
        self.steps.extend_from_slice(old.steps().get(*point as usize..end as usize).unwrap_or_default());
        *point = end;
    }

    fn finish(self, old: &Execution) -> Rewritten {
        let unchanged = self.unchanged(old);
        let mut growing = Growing::new(old.tree(), self.order.len());
        let mut inserted = Vec::new();
        for (place, (node, parent)) in self.order.iter().zip(&self.parent).enumerate() {
            if unchanged[place] {
                growing.keep(Node(*node), *parent);
            } else {
                growing.change(Node(*node), *parent, Source::Moved(*node));
            }
            if old.has_inserted_code(Node(*node)) {
                inserted.push(place as u32);
            }
        }
        let Transformed { tree, maps } = growing.finish();
        Rewritten { execution: Execution::made(tree, self.steps.into(), self.spans, inserted), maps }
    }

    /// Which nodes have the same nodes below them as before. As many numbers as the old subtree has, all of them out of its
    /// range, are its numbers: the smallest, the greatest and how many there are is all one has to know.
    fn unchanged(&self, old: &Execution) -> Vec<bool> {
        let mut least = self.order.clone();
        let mut most = self.order.clone();
        let mut count = vec![1u32; self.order.len()];
        for place in (1..self.order.len()).rev() {
            let above = self.parent[place] as usize;
            least[above] = least[above].min(least[place]);
            most[above] = most[above].max(most[place]);
            count[above] += count[place];
        }
        let same = |place: usize| {
            let before = old.tree().subtree(Node(self.order[place]));
            least[place] == before.start
                && most[place] < before.end
                && count[place] == before.end - before.start
        };
        (0..self.order.len()).map(same).collect()
    }
}
