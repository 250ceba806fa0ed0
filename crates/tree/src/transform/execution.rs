//! S3's generalised execution tree: a computation, and nodes that are pieces of it (S3 §4.1).
//!
//! A computation is a sequence of environments e₁, e₂, …; from one to the next a single expression ran (a statement, a
//! line: whatever the recorder's unit is). So it is written down here as the sequence of those expressions, and an
//! environment is a place between them. A node is a piece of the computation from one such place to another. Its code is
//! what ran there and nothing else (S3 Def. 4.5, the projection of the code); what the environments held is the
//! recorder's business.
//!
//! With that, S3's getCode needs no reasoning about code at all: it is the expressions that ran in the node at a time
//! when none of its children was running. A line that ran both in a child and beside it is rightly in it: the child has
//! answered for one of its runs only (S3 Example 4.14).

use super::maps::{Maps, Source, Transformed, siblings};
use super::{Balance, Siblings, balance, chain_rounds, compress};
use crate::{Kind, Node, Tree};
use std::sync::Arc;
use thiserror::Error;

/// A unit of code, as the recorder counts them: a statement, a line, an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expression(pub u32);

/// A piece of a computation: the environment before it and the one after it, counted from 0.
///
/// S3 counts environments from 1: its e₃…e₁₅ is `Span { begin: 2, end: 14 }`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// How many expressions had run before.
    pub begin: u32,
    /// How many had run after it.
    pub end: u32,
}

/// Pieces that do not make an execution.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExecutionError {
    /// Not every node has a piece, or there are pieces without a node.
    #[error("there are {nodes} nodes and {spans} pieces of the computation")]
    Count {
        /// The nodes of the tree.
        nodes: u32,
        /// The pieces given.
        spans: usize,
    },
    /// A piece ends before it begins, or goes beyond its parent's piece or the computation.
    #[error("node {} does not lie within its parent", .0.number())]
    Outside(Node),
    /// A piece begins before its elder sibling's ended.
    #[error("node {} begins before the sibling in front of it has ended", .0.number())]
    Overlap(Node),
}

/// A tree whose nodes are pieces of a computation.
#[derive(Clone, Debug)]
pub struct Execution {
    tree: Tree,
    steps: Arc<[Expression]>,
    spans: Vec<Span>,
    /// The nodes with inserted code, in order.
    inserted: Vec<u32>,
}

/// An execution that was transformed, with the maps to the old one.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The new execution.
    pub execution: Execution,
    /// From its nodes to those of the old one.
    pub maps: Maps,
}

impl Rewritten {
    /// M_S of a node: see [`Transformed::sources`].
    pub fn sources(&self, old: &Execution, node: Node) -> Vec<Node> {
        self.maps.sources(&old.tree, &self.execution.tree, node)
    }
}

impl Execution {
    /// An execution: which expressions ran, in order, and which of them in which node.
    pub fn new(tree: Tree, steps: Vec<Expression>, spans: Vec<Span>) -> Result<Self, ExecutionError> {
        if spans.len() != tree.len() as usize {
            return Err(ExecutionError::Count { nodes: tree.len(), spans: spans.len() });
        }
        // Where the children seen so far have ended.
        let mut reached: Vec<u32> = spans.iter().map(|span| span.begin).collect();
        let all = Span { begin: 0, end: u32::try_from(steps.len()).unwrap_or(u32::MAX) };
        for node in (0..tree.len()).map(Node) {
            let span = spans[node.index()];
            let within = tree.parent(node).map_or(all, |parent| spans[parent.index()]);
            if span.begin > span.end || span.begin < within.begin || span.end > within.end {
                return Err(ExecutionError::Outside(node));
            }
            if let Some(parent) = tree.parent(node) {
                if span.begin < reached[parent.index()] {
                    return Err(ExecutionError::Overlap(node));
                }
                reached[parent.index()] = span.end;
            }
        }
        Ok(Execution { tree, steps: steps.into(), spans, inserted: Vec::new() })
    }

    /// For transformations, which keep to the rules that [`Execution::new`] checks.
    pub(crate) fn made(
        tree: Tree,
        steps: Arc<[Expression]>,
        spans: Vec<Span>,
        inserted: Vec<u32>,
    ) -> Execution {
        Execution { tree, steps, spans, inserted }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The whole computation.
    pub fn steps(&self) -> &[Expression] {
        &self.steps
    }

    pub(crate) fn shared_steps(&self) -> Arc<[Expression]> {
        Arc::clone(&self.steps)
    }

    /// The piece of the computation that a node is.
    pub fn span(&self, node: Node) -> Span {
        self.spans.get(node.index()).copied().unwrap_or_default()
    }

    /// The code of a node's behaviour: what ran in it, its children included (S3 Def. 4.6). Sorted, each once.
    pub fn code(&self, node: Node) -> Vec<Expression> {
        set(self.ran(self.span(node)).to_vec())
    }

    /// Whether a transformation put code into this node that the program does not have: where a loop stood, there is now a
    /// call of the loop. It is right by construction, and never shown.
    pub fn has_inserted_code(&self, node: Node) -> bool {
        self.inserted.binary_search(&node.0).is_ok()
    }

    /// S3's Z: the pieces of a node's computation in which no child was running, in order.
    pub fn own_spans(&self, node: Node) -> Vec<Span> {
        let span = self.span(node);
        let mut own = Vec::new();
        let mut begin = span.begin;
        if self.tree.contains(node) {
            for child in self.tree.children(node).map(|child| self.span(child)) {
                own.push(Span { begin, end: child.begin });
                begin = child.end;
            }
        }
        own.push(Span { begin, end: span.end });
        own.retain(|span| span.begin < span.end);
        own
    }

    /// The code that ran for a node and that its children do not answer for: if the node is wrong and they are right, the
    /// bug is in it (S3 Lemma 1, and getCode of Algorithm 1). Sorted, each once.
    pub fn get_code(&self, node: Node) -> Vec<Expression> {
        set(self.own_spans(node).into_iter().flat_map(|span| self.ran(span)).copied().collect())
    }

    /// [`compress`](compress()), of an execution.
    pub fn compress(&self, may_go: impl FnMut(Node) -> bool) -> Rewritten {
        self.apply(compress(&self.tree, may_go))
    }

    /// [`balance`](balance()), of an execution: projections stand over siblings between which nothing else ran, collapse
    /// nodes replace those of the same code. Collapsing compares what ran, which takes the lengths of all pieces together.
    pub fn balance(&self, settings: Balance) -> Rewritten {
        self.apply(balance(&self.tree, self, settings))
    }

    /// [`chain_rounds`](chain_rounds()), of an execution.
    pub fn chain_rounds(&self) -> Rewritten {
        self.apply(chain_rounds(&self.tree))
    }

    /// The execution of a tree that was made from this one by leaving nodes out or by putting nodes over siblings.
    fn apply(&self, transformed: Transformed) -> Rewritten {
        let Transformed { tree, maps } = transformed;
        let mut spans = vec![Span::default(); tree.len() as usize];
        // From the back, so that the pieces of a projection's children are known.
        for node in (0..tree.len()).rev().map(Node) {
            spans[node.index()] = match maps.source(node) {
                Some(Source::Siblings(..)) if tree.kind(node) == Kind::Projection => {
                    around(tree.children(node).map(|child| spans[child.index()]))
                }
                Some(Source::Siblings(first, end)) => {
                    around(siblings(&self.tree, first, end).map(|old| self.span(old)))
                }
                Some(Source::Part(old) | Source::Whole(old) | Source::Moved(old)) => self.span(Node(old)),
                None => maps.same(node).map_or(Span::default(), |old| self.span(old)),
            };
        }
        let inserted = (0..tree.len())
            .filter(|node| maps.same(Node(*node)).is_some_and(|old| self.has_inserted_code(old)))
            .collect();
        Rewritten { execution: Execution::made(tree, self.shared_steps(), spans, inserted), maps }
    }

    fn ran(&self, span: Span) -> &[Expression] {
        self.steps.get(span.begin as usize..span.end as usize).unwrap_or_default()
    }
}

/// Siblings join if nothing ran between them: S3's code of a projection is that of its sources and no more.
impl Siblings for Execution {
    fn join(&self, left: Node, right: Node) -> bool {
        self.span(left).end == self.span(right).begin
    }

    fn same_code(&self, left: Node, right: Node) -> bool {
        self.code(left) == self.code(right)
    }
}

/// From before the first piece to after the last.
fn around(mut pieces: impl Iterator<Item = Span>) -> Span {
    let first = pieces.next().unwrap_or_default();
    Span { begin: first.begin, end: pieces.last().unwrap_or(first).end }
}

fn set(mut code: Vec<Expression>) -> Vec<Expression> {
    code.sort_unstable();
    code.dedup();
    code
}
