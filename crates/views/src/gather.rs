//! What a tree may be made of, out of the trail and into columns.
//!
//! Only nodes that can be reduced or applied are kept (calls, applications, constants; where the run has functional
//! values or exceptions also whatever these may come from), in the order of their creation, at 12 to 16 bytes each. They
//! are numbered from 1, and 0 is none; [`Ids`] maps ids to numbers.
//!
//! Several threads do it, each a part of the trail's blocks: first they find out who is kept, and then, as numbers are
//! known, they fill their parts of the columns. What a block says of nodes in other blocks comes last.

use super::ViewError;
use super::columns::column;
use super::order::Ranks;
use gadfly_trail::model::{Evaluation, NodeId, Origin, RawRef, Ref, Shape, Tables, What};
use gadfly_trail::{Row, RowOutcome, RowRole, Trail, Wanted};
use std::ops::Range;
use std::thread;

/// The number of no node.
pub(super) const NONE: u32 = 0;
/// No function.
const NO_FUNCTION: u32 = u32::MAX;
/// A tree has at most this many nodes: 0 is none, and the greatest number means "nowhere".
const MOST: usize = u32::MAX as usize - 2;

/// What a node is, as far as a tree is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing that is kept.
    Value,
    Call,
    Constant,
    Apply,
    Partial,
    Suspended,
    Action,
}

/// What the nodes of a shape have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub(super) kind: Kind,
    /// Its parent was reduced to it.
    pub(super) tail: bool,
    /// The function of a call, a constant, a partial application.
    pub(super) function: u32,
    /// How many references there are.
    pub(super) count: u32,
    /// Its place among the children of its parent.
    pub(super) rank: u32,
    /// Where it makes a function's symbol, the place of that symbol.
    pub(super) symbol_rank: u32,
    /// The equation that it was made in, from 1; 0 if that is not known.
    pub(super) equation: u32,
}

/// What became of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome(pub(super) u32);

impl Outcome {
    pub(super) const NOTHING: Outcome = Outcome(0);
    const VALUE: u32 = 1 << 30;
    const RAISED: u32 = 2 << 30;
    const UNFINISHED: u32 = 3 << 30;

    fn of(fate: RowOutcome, ranks: &Ranks) -> Outcome {
        match fate {
            // A tail node says it itself.
            RowOutcome::Nothing | RowOutcome::Tail => Outcome::NOTHING,
            RowOutcome::Value(position) => Outcome::new(Outcome::VALUE, ranks.equation(position)),
            RowOutcome::Raised(position) => Outcome::new(Outcome::RAISED, ranks.equation(position)),
            RowOutcome::Unfinished(position) => Outcome::new(Outcome::UNFINISHED, ranks.equation(position)),
        }
    }

    /// Whether the node was reduced or began to be.
    pub(super) fn is_something(self) -> bool {
        self != Outcome::NOTHING
    }

    fn new(what: u32, equation: u32) -> Outcome {
        Outcome(what | if equation < Outcome::VALUE { equation } else { 0 })
    }

    pub(super) fn is_value(self) -> bool {
        self.0 >> 30 == Outcome::VALUE >> 30
    }

    pub(super) fn is_raised(self) -> bool {
        self.0 >> 30 == Outcome::RAISED >> 30
    }

    /// The equation it was reduced with, from 1; 0 if that is not known.
    pub(super) fn equation(self) -> u32 {
        self.0 & (Outcome::VALUE - 1)
    }
}

/// What was gathered. Columns are indexed by the number of a node; index 0 is not used.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) ids: Ids,
    pub(super) forms: Vec<Form>,
    /// The shape.
    pub(super) shape: Vec<u32>,
    /// Who made it, if that is kept; else [`NONE`].
    pub(super) parent: Vec<u32>,
    /// What became of it.
    pub(super) outcome: Vec<Outcome>,
    /// What it was reduced to; of an application that was not reduced, the function. [`NONE`] if that is not kept. Empty if
    /// there are neither functional values nor exceptions.
    pub(super) to: Vec<u32>,
    /// The function that is applied, for every application in order.
    pub(super) applied: Vec<u32>,
    /// Applications of functions for which there is no node: the application and the function, in order.
    pub(super) methods: Vec<(u32, u32)>,
    /// How many were reduced and may be redexes.
    pub(super) reduced: usize,
    /// Whether there is a functional value.
    pub(super) functions: bool,
    /// Whether there is an exception.
    pub(super) raised: bool,
}

impl Gathered {
    pub(super) fn form(&self, number: u32) -> &Form {
        &self.forms[self.shape[number as usize] as usize]
    }

    /// The function that an application applies, if there is no node for it.
    pub(super) fn method(&self, application: u32) -> Option<u32> {
        let at = self.methods.binary_search_by_key(&application, |(application, _)| *application).ok()?;
        Some(self.methods[at].1)
    }
}

/// Goes over the trail.
pub(super) fn gather(trail: &Trail, ranks: &Ranks) -> Result<Gathered, ViewError> {
    let shapes = trail.shapes();
    let mut used = vec![false; shapes.len()];
    for block in 0..trail.block_count() {
        trail.meanings(block).iter().for_each(|meaning| used[meaning.shape.0 as usize] = true);
    }
    let is_used = |wanted: fn(What) -> bool| {
        let mut shapes = shapes.iter().zip(&used);
        shapes.any(|(shape, used)| wanted(shape.what) && (*used || !shape.what.is_node()))
    };
    let functions = is_used(|what| matches!(what, What::Partial(_)));
    let linked = functions || is_used(|what| matches!(what, What::Apply | What::Raised));
    let forms: Vec<Form> = shapes.iter().map(|shape| form(shape, trail.tables(), ranks, linked)).collect();
    let parts = parts(trail);
    let found = in_parts(parts.clone(), |blocks| Found::new(trail, &forms, blocks));
    let (ids, counts) = Ids::of(trail, found);
    let count: usize = counts.iter().map(|(kept, _)| kept).sum();
    if count > MOST {
        return Err(ViewError::TooMany { most: MOST as u64 });
    }
    let mut gathered = Gathered {
        ids,
        forms,
        shape: column(count + 1),
        parent: column(count + 1),
        outcome: column(count + 1),
        to: if linked { column(count + 1) } else { Vec::new() },
        applied: column(counts.iter().map(|(_, applied)| applied).sum()),
        methods: Vec::new(),
        reduced: 0,
        functions,
        raised: false,
    };
    gathered.fill(trail, ranks, parts, &counts);
    gathered.add_late(trail, ranks);
    if trail.end().is_none() {
        gathered.cut_off(trail.tables().evaluation == Evaluation::Strict);
    }
    Ok(gathered)
}

/// The blocks, in parts for threads.
fn parts(trail: &Trail) -> Vec<Range<usize>> {
    let threads = thread::available_parallelism().map_or(1, |count| count.get().min(8));
    let blocks = trail.block_count();
    (0..threads).map(|part| blocks * part / threads..blocks * (part + 1) / threads).collect()
}

/// Does something for every part, at the same time.
pub(super) fn in_parts<P: Send, T: Send>(parts: Vec<P>, work: impl Fn(P) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || work(part))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// Whether a function was made by desugaring.
fn is_hidden(tables: &Tables, function: u32) -> bool {
    tables.functions.get(function as usize).is_some_and(|function| function.origin == Origin::Hidden)
}

fn form(shape: &Shape, tables: &Tables, ranks: &Ranks, linked: bool) -> Form {
    let (kind, function) = match shape.what {
        // The dictionary of an instance is no redex.
        What::Call(function) if is_hidden(tables, function) => (Kind::Value, NO_FUNCTION),
        What::Call(function) => (Kind::Call, function),
        What::Constant(function) => (Kind::Constant, function),
        What::Apply => (Kind::Apply, NO_FUNCTION),
        What::Partial(function) if linked => (Kind::Partial, function),
        What::Suspended if linked => (Kind::Suspended, NO_FUNCTION),
        What::Action if linked => (Kind::Action, NO_FUNCTION),
        _ => (Kind::Value, NO_FUNCTION),
    };
    // A function that is in no table could not be shown.
    let kind = match function == NO_FUNCTION || (function as usize) < tables.functions.len() {
        true => kind,
        false => Kind::Value,
    };
    Form {
        kind,
        tail: shape.tail,
        function,
        count: shape.count,
        rank: ranks.of(shape.position, false),
        symbol_rank: ranks.of(shape.position, true),
        equation: ranks.equation(shape.position),
    }
}

/// Who is kept, of a part of the blocks.
struct Found {
    /// The nodes of the first block's first word on, a bit each.
    words: Vec<u64>,
    first: usize,
    kept: usize,
    applied: usize,
}

impl Found {
    fn new(trail: &Trail, forms: &[Form], blocks: Range<usize>) -> Found {
        let from = trail.block_nodes(blocks.start).start;
        let to = blocks.end.checked_sub(1).map_or(0, |last| trail.block_nodes(last).end);
        let first = (from >> 6) as usize;
        let words = if blocks.is_empty() { 0 } else { (to >> 6) as usize + 1 - first };
        let mut found = Found { words: vec![0; words], first, kept: 0, applied: 0 };
        for block in blocks {
            let kinds: Vec<Kind> =
                trail.meanings(block).iter().map(|meaning| forms[meaning.shape.0 as usize].kind).collect();
            let mut at = trail.block_nodes(block).start - ((first as u64) << 6);
            trail.for_each_code(block, |code| {
                let kept = kinds[code] != Kind::Value;
                found.words[(at >> 6) as usize] |= u64::from(kept) << (at & 63);
                found.kept += usize::from(kept);
                found.applied += usize::from(kinds[code] == Kind::Apply);
                at += 1;
            });
        }
        found
    }
}

/// What the rows with a code are to be.
#[derive(Clone, Copy)]
struct Plan {
    kind: Kind,
    tail: bool,
    shape: u32,
    outcome: Outcome,
    /// What its parent became by it, if it is a tail node.
    given: Outcome,
}

/// The columns of a part.
struct Part<'g> {
    blocks: Range<usize>,
    /// The number of its first node.
    first: u32,
    shape: &'g mut [u32],
    parent: &'g mut [u32],
    outcome: &'g mut [Outcome],
    to: &'g mut [u32],
    applied: &'g mut [u32],
}

impl Gathered {
    /// Fills the columns.
    fn fill(&mut self, trail: &Trail, ranks: &Ranks, parts: Vec<Range<usize>>, counts: &[(usize, usize)]) {
        let Gathered { ids, forms, shape, parent, outcome, to, applied, .. } = self;
        let (mut shape, mut parent, mut outcome) = (&mut shape[1..], &mut parent[1..], &mut outcome[1..]);
        let (mut to, mut applied) = (to.get_mut(1..).unwrap_or_default(), &mut applied[..]);
        let mut first = 1;
        let mut work = Vec::new();
        for (blocks, (kept, apply)) in parts.into_iter().zip(counts) {
            work.push(Part {
                blocks,
                first,
                shape: cut(&mut shape, *kept),
                parent: cut(&mut parent, *kept),
                outcome: cut(&mut outcome, *kept),
                to: cut(&mut to, *kept),
                applied: cut(&mut applied, *apply),
            });
            first += *kept as u32;
        }
        let (ids, forms) = (&*ids, &*forms);
        let done = in_parts(work, |part| part.fill(trail, ranks, ids, forms));
        for (methods, reduced, raised) in done {
            self.methods.extend(methods);
            self.reduced += reduced;
            self.raised |= raised;
        }
    }

    /// Adds what later blocks say.
    fn add_late(&mut self, trail: &Trail, ranks: &Ranks) {
        let Gathered { ids, outcome, to, reduced, raised, .. } = self;
        for block in 0..trail.block_count() {
            trail.for_each_late(block, |node, fate, reference| {
                let number = ids.number(node);
                let Some(known) = outcome.get_mut(number as usize).filter(|_| number != NONE) else { return };
                let later = Outcome::of(fate, ranks);
                if !later.is_value() && known.is_value() {
                    return;
                }
                *reduced += usize::from(!known.is_something());
                *known = later;
                *raised |= later.is_raised();
                if let Some(to) = to.get_mut(number as usize) {
                    *to = ids.of_reference(reference);
                }
            });
        }
    }

    /// Completes a run whose end is missing: what was being evaluated then did not end. A node that made something was being evaluated,
    /// and so is every call of a strict program (`eager`).
    fn cut_off(&mut self, eager: bool) {
        let begun = (1..self.shape.len())
            .filter(|at| eager && self.forms[self.shape[*at] as usize].kind == Kind::Call);
        for at in begun.chain(self.parent.iter().map(|above| *above as usize)) {
            let outcome = &mut self.outcome[at];
            if !outcome.is_something() {
                *outcome = Outcome::new(Outcome::UNFINISHED, 0);
                self.reduced += 1;
            }
        }
        self.outcome[NONE as usize] = Outcome::NOTHING;
    }
}

/// The first so many of a slice, which is shorter then; a column that is not there stays so.
fn cut<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let count = count.min(slice.len());
    let (head, tail) = std::mem::take(slice).split_at_mut(count);
    *slice = tail;
    head
}

impl Part<'_> {
    /// Fills the columns; gives the applications of functions without nodes, how many nodes were reduced, and whether there
    /// is an exception.
    fn fill(self, trail: &Trail, ranks: &Ranks, ids: &Ids, forms: &[Form]) -> (Vec<(u32, u32)>, usize, bool) {
        let Part { blocks, first, shape, parent, outcome, to, applied } = self;
        let linked = !to.is_empty();
        let (mut at, mut apply) = (0, 0);
        let (mut methods, mut reduced, mut raised) = (Vec::new(), 0, false);
        // Many rows in a row have one parent.
        let mut last = (NodeId::NONE, NONE);
        for block in blocks {
            let meanings = trail.meanings(block);
            let plans: Vec<Plan> = meanings.iter().map(|meaning| Plan::new(meaning, forms, ranks)).collect();
            let wanted: Vec<Wanted> = plans.iter().map(Plan::wanted).collect();
            raised |= plans.iter().any(|plan| plan.outcome.is_raised());
            let start = trail.block_nodes(block).start;
            trail.for_each_row(block, if linked { &wanted } else { &[] }, |row: &Row| {
                let plan = &plans[row.code];
                if plan.kind == Kind::Value && !plan.tail {
                    return;
                }
                if row.parent != last.0 {
                    last = (row.parent, ids.number(row.parent));
                }
                let above = last.1;
                let mut number = NONE;
                if plan.kind != Kind::Value {
                    number = first + at as u32;
                    shape[at] = plan.shape;
                    parent[at] = above;
                    reduced += usize::from(plan.outcome.is_something());
                    outcome[at] = plan.outcome;
                    if linked {
                        to[at] =
                            if plan.outcome.is_something() { ids.of_reference(row.outcome) } else { NONE };
                        if plan.kind == Kind::Apply {
                            applied[apply] = ids.of_reference(row.first);
                            if let Ref::Function(function) = row.first.see() {
                                methods.push((number, function));
                            }
                            if !plan.outcome.is_something() {
                                to[at] = applied[apply];
                            }
                            apply += 1;
                        }
                    }
                    at += 1;
                }
                // What it says of nodes in other blocks comes later.
                if plan.tail && row.parent.0 >= start && above != NONE {
                    reduced += 1;
                    outcome[(above - first) as usize] = plan.given;
                    if linked {
                        to[(above - first) as usize] = number;
                    }
                }
            });
        }
        (methods, reduced, raised)
    }
}

impl Plan {
    fn new(meaning: &RowRole, forms: &[Form], ranks: &Ranks) -> Plan {
        let form = &forms[meaning.shape.0 as usize];
        Plan {
            kind: form.kind,
            tail: form.tail,
            shape: meaning.shape.0,
            outcome: Outcome::of(meaning.told, ranks),
            given: Outcome::new(Outcome::VALUE, form.equation),
        }
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            first: self.kind == Kind::Apply,
            outcome: self.kind != Kind::Value && self.outcome.is_value(),
        }
    }
}

/// Which nodes of the trail are kept, and their numbers: a bit a node, and a running count every 64.
#[derive(Debug, Default)]
pub(super) struct Ids {
    words: Vec<u64>,
    before: Vec<u32>,
}

impl Ids {
    /// Those who were found, and for every part how many there are, and how many applications among them.
    fn of(trail: &Trail, found: Vec<Found>) -> (Ids, Vec<(usize, usize)>) {
        let mut words = vec![0; (trail.node_count() >> 6) as usize + 1];
        for part in &found {
            for (word, bits) in words[part.first..].iter_mut().zip(&part.words) {
                *word |= bits;
            }
        }
        let mut count = 1u32;
        let mut before = Vec::with_capacity(words.len());
        for word in &words {
            before.push(count);
            count = count.saturating_add(u64::count_ones(*word));
        }
        (Ids { words, before }, found.iter().map(|part| (part.kept, part.applied)).collect())
    }

    /// The number of the node that a reference is to; [`NONE`] if it is to none that is kept.
    #[inline]
    fn of_reference(&self, reference: RawRef) -> u32 {
        if reference.0 & 7 == 0 { self.number(NodeId(reference.0 >> 3)) } else { NONE }
    }

    /// The number of a node; [`NONE`] if it is not kept.
    #[inline]
    pub(super) fn number(&self, id: NodeId) -> u32 {
        let word = (id.0 >> 6) as usize;
        let Some(&bits) = self.words.get(word) else { return NONE };
        let bit = 1 << (id.0 & 63);
        if bits & bit == 0 {
            return NONE;
        }
        self.before[word] + (bits & (bit - 1)).count_ones()
    }

    /// The id of a number.
    pub(super) fn id(&self, number: u32) -> NodeId {
        let word = self.before.partition_point(|before| *before <= number).saturating_sub(1);
        let Some(&bits) = self.words.get(word) else { return NodeId::NONE };
        let mut left = bits;
        for _ in self.before[word]..number {
            left &= left.wrapping_sub(1);
        }
        NodeId((word as u64) << 6 | u64::from(left.trailing_zeros() & 63))
    }

    /// All ids, by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0u64..).zip(&self.words).flat_map(|(word, bits)| {
            let mut left = *bits;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(NodeId(word << 6 | u64::from(bit)))
            })
        })
    }
}
