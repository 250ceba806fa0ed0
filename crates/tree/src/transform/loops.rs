//! Loop expansion: a loop inside a node becomes nodes of its own (S3 §4.4, Appendix A.2).
//!
//! A loop is as good as a function that runs one round and calls itself for the rest. In [`LoopShape::Chain`], which is
//! S3's, the first node is the whole loop and each further one all rounds from its own on, inside the node before it; a
//! strategy can cut such a chain in the middle ("was everything right until round 500?"). In [`LoopShape::Star`] the
//! loop has one child a round, which are simpler questions. What was called in a round hangs under that round. A loop
//! without a round makes no node.
//!
//! The node that the loop ran in is transformed too: S3 writes the loop as a function, so a call of it stands there now
//! ([`Execution::has_inserted_code`]). Its environments are what they were and so is the answer about it: it is not in M_I,
//! but it has its [`main source`](super::Maps::main_source).

use super::execution::{Execution, Rewritten, Span};
use super::maps::{Growing, Source, Transformed};
use crate::{Kind, Node, RuleId, Tree};
use thiserror::Error;

/// How the rounds of a loop stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopShape {
    /// Each round holds all later ones: a recursion.
    Chain,
    /// The rounds are children of the loop.
    Star,
}

/// A loop that ran.
#[derive(Clone, Copy, Debug)]
pub struct LoopRun {
    /// The node that it ran in.
    pub owner: Node,
    /// The rule of the loop's node and of its rounds.
    pub rule: RuleId,
    /// From before its first test to after its last.
    pub span: Span,
    /// The handle of its behaviour.
    pub handle: u64,
}

/// One round of a loop.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its piece of the computation; never empty.
    pub span: Span,
    /// The handle of its behaviour: in a chain, of everything from this round on.
    pub handle: u64,
}

/// All loops that ran, in any order, except that a loop inside another one's round comes after that one.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    runs: Vec<LoopRun>,
    rounds: Vec<Round>,
    /// Where the rounds of each loop end.
    ends: Vec<usize>,
}

impl Loops {
    /// Adds a loop with its rounds.
    pub fn push(&mut self, run: LoopRun, rounds: impl IntoIterator<Item = Round>) {
        self.runs.push(run);
        self.rounds.extend(rounds);
        self.ends.push(self.rounds.len());
    }

    fn iter(&self) -> impl Iterator<Item = (&LoopRun, &[Round])> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        self.runs
            .iter()
            .zip(begins.zip(&self.ends))
            .map(|(run, (begin, end))| (run, &self.rounds[begin..*end]))
    }
}

/// Loops that do not fit the execution. The number is that of the loop, in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LoopError {
    /// Its owner or its rule is not the tree's.
    #[error("loop {0} belongs to no node of the tree")]
    Unknown(usize),
    /// It has an empty round, or rounds that are not one after the other within it.
    #[error("the rounds of loop {0} do not lie one after the other within it")]
    Rounds(usize),
    /// It does not lie within its owner, or overlaps a child of it or another loop without containing it.
    #[error("loop {0} begins or ends in the middle of something else")]
    Crosses(usize),
    /// There would be more nodes than can be numbered.
    #[error("there are too many rounds")]
    TooMany,
}

/// Makes nodes of the loops and their rounds.
pub fn expand_loops(old: &Execution, loops: &Loops, shape: LoopShape) -> Result<Rewritten, LoopError> {
    let mut planned = plan(old, loops, shape)?;
    // By owner, then in preorder: the earlier first, and of those that begin together the longer. The sort is stable, so
    // what lies in an equal piece stays inside of it.
    planned.sort_by_key(|made| (made.owner, made.span.begin, !made.span.end));
    let mut changed: Vec<u32> = loops.runs.iter().map(|run| run.owner.0).collect();
    changed.sort_unstable();
    changed.dedup();
    let count = old.tree().len() as usize + planned.len();
    let mut expansion = Expansion {
        old,
        growing: Growing::new(old.tree(), count),
        spans: Vec::with_capacity(count),
        inserted: Vec::new(),
        owners: Vec::new(),
        pieces: Vec::new(),
    };
    let (mut next, mut changes) = (0, changed.iter().copied().peekable());
    for node in 0..old.tree().len() {
        expansion.close(node, &planned)?;
        let first = next;
        next += planned[next..].iter().take_while(|made| made.owner == node).count();
        let transformed = changes.next_if_eq(&node).is_some();
        expansion.open(Node(node), transformed, first..next, &planned)?;
    }
    expansion.close(old.tree().len(), &planned)?;
    let Expansion { growing, spans, inserted, .. } = expansion;
    let Transformed { tree, maps } = growing.finish();
    Ok(Rewritten { execution: Execution::made(tree, old.shared_steps(), spans, inserted), maps })
}

/// Makes chains of stars: for trees that were recorded with loops and their rounds as nodes.
///
/// In every loop the second round comes into the loop itself, the third into the second, and so on, with all that ran after
/// them; the first is left out, since the loop is all rounds from the first on. A round then is made from all siblings from
/// its own on, but has the behaviour handle of its own: the environment after it is the one after the last.
pub fn chain_rounds(tree: &Tree) -> Transformed {
    let mut growing = Growing::new(tree, tree.len() as usize);
    // Where the next child of each node goes, and in which loops a round has begun.
    let mut below = vec![0u32; tree.len() as usize];
    let mut begun = vec![false; tree.len() as usize];
    for node in (0..tree.len()).map(Node) {
        let around = tree.parent(node).filter(|parent| tree.kind(*parent) == Kind::Loop);
        let above = tree.parent(node).map_or(0, |parent| below[parent.index()]);
        match around.filter(|_| tree.kind(node) == Kind::Iteration) {
            Some(around) if begun[around.index()] => {
                below[node.index()] = growing.len();
                below[around.index()] = growing.len();
                growing.change(node, above, Source::Siblings(node.0, tree.subtree(around).end));
            }
            Some(around) => {
                begun[around.index()] = true;
                below[node.index()] = above;
            }
            None => {
                below[node.index()] = growing.len();
                growing.keep(node, above);
            }
        }
    }
    growing.finish()
}

/// A node to be made.
struct Planned {
    owner: u32,
    rule: u32,
    kind: Kind,
    handle: u64,
    span: Span,
    /// The loop that it belongs to.
    number: usize,
}

fn plan(old: &Execution, loops: &Loops, shape: LoopShape) -> Result<Vec<Planned>, LoopError> {
    let tree = old.tree();
    let most = loops.rounds.len() + loops.runs.len();
    if most >= (u32::MAX - tree.len()) as usize {
        return Err(LoopError::TooMany);
    }
    let mut planned = Vec::with_capacity(most);
    for (number, (run, rounds)) in loops.iter().enumerate() {
        if !tree.contains(run.owner) || run.rule.0 as usize >= tree.rules().len() {
            return Err(LoopError::Unknown(number));
        }
        let within = old.span(run.owner);
        if run.span.begin > run.span.end || run.span.begin < within.begin || run.span.end > within.end {
            return Err(LoopError::Crosses(number));
        }
        let mut reached = run.span.begin;
        for round in rounds {
            if round.span.begin < reached || round.span.begin >= round.span.end {
                return Err(LoopError::Rounds(number));
            }
            reached = round.span.end;
        }
        if reached > run.span.end {
            return Err(LoopError::Rounds(number));
        }
        let node =
            |kind, handle, span| Planned { owner: run.owner.0, rule: run.rule.0, kind, handle, span, number };
        if !rounds.is_empty() {
            planned.push(node(Kind::Loop, run.handle, run.span));
        }
        match shape {
            LoopShape::Chain => planned.extend(rounds.iter().skip(1).map(|round| {
                let rest = Span { begin: round.span.begin, end: run.span.end };
                node(Kind::Iteration, round.handle, rest)
            })),
            LoopShape::Star => {
                planned.extend(rounds.iter().map(|round| node(Kind::Iteration, round.handle, round.span)));
            }
        }
    }
    Ok(planned)
}

/// The new tree while it is made, with what is open: nodes of the old tree, and above the innermost of them (in its
/// loops) pieces of it.
struct Expansion<'a> {
    old: &'a Execution,
    growing: Growing<'a>,
    spans: Vec<Span>,
    inserted: Vec<u32>,
    owners: Vec<Owner>,
    pieces: Vec<Piece>,
}

/// An old node that is open.
struct Owner {
    node: u32,
    place: u32,
    /// The nodes that are still to be made inside of it.
    planned: std::ops::Range<usize>,
    /// Where what is already inside of it has ended.
    reached: u32,
    /// How many pieces are open that belong to nodes around it.
    outside: usize,
}

/// A made node that is open.
struct Piece {
    place: u32,
    end: u32,
    number: usize,
}

impl Expansion<'_> {
    /// Closes the old nodes that end before the index `node`, and makes what is still to be made at their ends.
    fn close(&mut self, node: u32, planned: &[Planned]) -> Result<(), LoopError> {
        while let Some(owner) = self.owners.last() {
            if owner.node + self.old.tree().size(Node(owner.node)) > node {
                break;
            }
            self.make_until(u32::MAX, planned)?;
            if let Some(owner) = self.owners.pop() {
                self.pieces.truncate(owner.outside);
            }
        }
        Ok(())
    }

    /// Adds an old node, in the piece of its parent in which it ran.
    fn open(
        &mut self,
        node: Node,
        transformed: bool,
        inside: std::ops::Range<usize>,
        planned: &[Planned],
    ) -> Result<(), LoopError> {
        let span = self.old.span(node);
        self.make_until(span.begin, planned)?;
        let above = self.innermost(span)?;
        if let Some(owner) = self.owners.last_mut() {
            owner.reached = span.end;
        }
        let place = self.growing.len();
        if transformed {
            self.growing.change(node, above, Source::Whole(node.0));
        } else {
            self.growing.keep(node, above);
        }
        if transformed || self.old.has_inserted_code(node) {
            self.inserted.push(place);
        }
        self.spans.push(span);
        let outside = self.pieces.len();
        self.owners.push(Owner { node: node.0, place, planned: inside, reached: span.begin, outside });
        Ok(())
    }

    /// Makes the nodes of the innermost old node that begin at `point` or before.
    fn make_until(&mut self, point: u32, planned: &[Planned]) -> Result<(), LoopError> {
        while let Some(owner) = self.owners.last_mut() {
            let Some(made) = planned[owner.planned.clone()].first().filter(|made| made.span.begin <= point)
            else {
                break;
            };
            owner.planned.start += 1;
            if made.span.begin < owner.reached {
                return Err(LoopError::Crosses(made.number));
            }
            let node = owner.node;
            let above = self.innermost(made.span)?;
            let place = self.growing.len();
            self.growing.make(above, made.rule, made.kind, made.handle, Source::Part(node));
            self.spans.push(made.span);
            self.inserted.push(place);
            self.pieces.push(Piece { place, end: made.span.end, number: made.number });
        }
        Ok(())
    }

    /// The innermost open node around a piece of the computation.
    fn innermost(&mut self, span: Span) -> Result<u32, LoopError> {
        let Some(owner) = self.owners.last() else { return Ok(0) };
        while self.pieces.len() > owner.outside {
            match self.pieces.last() {
                Some(piece) if piece.end <= span.begin => self.pieces.pop(),
                _ => break,
            };
        }
        match self.pieces[owner.outside..].last() {
            Some(piece) if span.end > piece.end => Err(LoopError::Crosses(piece.number)),
            Some(piece) => Ok(piece.place),
            None => Ok(owner.place),
        }
    }
}
