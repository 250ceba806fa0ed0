//! What actions gave, what they stored, and what was written on whose behalf.
//!
//! An action is a value: evaluating it does nothing, and it does what it does each time it is performed. So an equation of a function
//! that gives an action is about its [`Performance`]s: `greet "Bob" = IO () printing "hi Bob\n"`, or `IO _` if there is none.
//! What references and arrays held then is in [`super::cells`].

use super::follow::End;
use super::values::Run;
use gadfly_trail::Became;
use gadfly_trail::Trail;
use gadfly_trail::model::{Evaluation, NodeId, Ref, What};
use gadfly_trail::text::unpack;
use gadfly_tree::{Node, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What the rows say that are not about evaluation. They are read when the first of them is needed.
#[derive(Debug, Default)]
pub(super) struct Actions {
    rows: OnceLock<ActionRows>,
    /// Where in the tree something was written.
    writers: OnceLock<Vec<(Node, usize)>>,
}

#[derive(Debug, Default)]
pub(super) struct ActionRows {
    /// What actions gave when they were performed for the first time.
    results: Mutex<FxHashMap<NodeId, Given>>,
    /// What actions went on with when they were performed for the first time.
    continued: FxHashMap<NodeId, Ref>,
    /// When actions were performed, if something was stored by then, in order.
    begun: FxHashMap<NodeId, Vec<u64>>,
    /// How a performance ended that began at a moment.
    ended: FxHashMap<u64, Ended>,
    /// For some of those that went on: the moment when the last one began.
    last: Mutex<FxHashMap<u64, u64>>,
    pub(super) stored: Stored,
    wrote: Vec<Wrote>,
}

/// What an action gave, how much was written by then, and when that was (0 if nothing had been stored).
#[derive(Clone, Copy, Debug)]
struct Given {
    value: Ref,
    written: u64,
    ended: u64,
}

/// How a performance ended.
#[derive(Clone, Copy, Debug)]
enum Ended {
    Gave(Given),
    Left(Ref, u64),
    Continued(u64),
}

/// One time that an action was performed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Performance {
    /// The moments when it began and ended.
    pub(super) began: u64,
    pub(super) ended: u64,
    /// How much was written by its end.
    pub(super) written: u64,
    pub(super) came_to: Came,
}

/// What a performance came to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Came {
    Value(Ref),
    Exception(Ref),
    /// The run ended first.
    Nothing,
}

/// What was stored, in which references and arrays, and when.
#[derive(Debug, Default)]
pub(super) struct Stored {
    /// By where it was stored, in order.
    pub(super) of: FxHashMap<NodeId, Vec<Store>>,
    /// All moments in order, and where it was stored.
    pub(super) order: Vec<(u64, NodeId)>,
    /// When references and arrays were made, if that was long before they were seen.
    pub(super) made: FxHashMap<NodeId, u64>,
}

/// Something that was stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Store {
    pub(super) moment: u64,
    pub(super) slot: usize,
    pub(super) value: Ref,
}

/// A piece of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrote {
    pub(super) by: NodeId,
    pub(super) offset: u64,
    pub(super) length: u64,
    /// What was written, if that was kept.
    pub(super) text: Option<Vec<u8>>,
}

/// An equation looks at no more performances than this.
pub(super) const PERFORMANCES: usize = 64;
/// One in so many steps of a chain is remembered.
const MILESTONE: usize = 64;

impl ActionRows {
    fn new(trail: &Trail) -> ActionRows {
        let mut rows = ActionRows::default();
        let mut results = FxHashMap::default();
        let mut written = 0;
        // What a generator of a strict program yielded is read with what calls changed.
        let strict = trail.tables().evaluation == Evaluation::Strict;
        let wanted = |what| if strict { what == What::Wrote } else { what != What::Changed };
        let mut known = Vec::new();
        for block in 0..trail.block_count() {
            trail.for_each_late_row(block, wanted, |what, node, references| {
                known.clear();
                known.extend(references.iter().map(|word| trail.see(*word)));
                rows.add(what, node, &known, &mut results, &mut written);
            });
        }
        rows.wrote.sort_by_key(|wrote| wrote.offset);
        rows.begun.values_mut().for_each(|begun| begun.sort_unstable());
        rows.results = Mutex::new(results);
        rows
    }

    fn add(
        &mut self,
        what: What,
        node: NodeId,
        references: &[Ref],
        results: &mut FxHashMap<NodeId, Given>,
        written: &mut u64,
    ) {
        match (what, references) {
            (What::Performed, &[value, Ref::Int(began), Ref::Int(ended)]) => {
                let given = Given { value, written: *written, ended: ended.unsigned_abs() };
                results.entry(node).or_insert(given);
                self.perform(node, began, Ended::Gave(given));
            }
            (What::Performed, &[value, ..]) => {
                results.entry(node).or_insert(Given { value, written: *written, ended: 0 });
            }
            (What::Continued, &[action, ref moments @ ..]) => {
                self.continued.entry(node).or_insert(action);
                if let [Ref::Int(began), Ref::Int(next)] = *moments {
                    self.perform(node, began, Ended::Continued(next.unsigned_abs()));
                }
            }
            (What::Left, &[exception, Ref::Int(began), Ref::Int(ended)]) => {
                self.perform(node, began, Ended::Left(exception, ended.unsigned_abs()));
            }
            (What::Made, &[Ref::Int(moment)]) => {
                self.stored.made.insert(node, moment.unsigned_abs());
            }
            (What::Stored, &[Ref::Int(slot), value, Ref::Int(moment)]) => {
                let (moment, slot) = (moment.unsigned_abs(), usize::try_from(slot).unwrap_or(usize::MAX));
                self.stored.of.entry(node).or_default().push(Store { moment, slot, value });
                self.stored.order.push((moment, node));
            }
            (What::Wrote, [Ref::Int(offset), Ref::Int(length), bytes @ ..]) => {
                let (offset, length) = (offset.unsigned_abs(), length.unsigned_abs());
                let text = usize::try_from(length).ok().and_then(|length| unpack(bytes, length));
                *written = offset.saturating_add(length);
                self.wrote.push(Wrote { by: node, offset, length, text });
            }
            _ => {}
        }
    }

    fn perform(&mut self, action: NodeId, began: i64, ended: Ended) {
        let began = began.unsigned_abs();
        self.begun.entry(action).or_default().push(began);
        self.ended.insert(began, ended);
    }

    /// The performance that began at a moment, to its end.
    fn performance(&self, began: u64) -> Performance {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut at, mut way) = (began, Vec::new());
        // A chain is no longer than there are links.
        while let Some(Ended::Continued(next)) = self.ended.get(&at)
            && way.len() <= self.ended.len()
        {
            way.push(at);
            at = last.get(&at).copied().unwrap_or(*next);
        }
        last.extend(way.into_iter().step_by(MILESTONE).map(|passed| (passed, at)));
        let (came_to, ended, written) = match self.ended.get(&at) {
            Some(Ended::Gave(given)) => (Came::Value(given.value), given.ended, given.written),
            Some(Ended::Left(Ref::Unknown, ended)) => (Came::Nothing, *ended, u64::MAX),
            Some(Ended::Left(exception, ended)) => (Came::Exception(*exception), *ended, u64::MAX),
            Some(Ended::Continued(_)) | None => (Came::Nothing, u64::MAX, u64::MAX),
        };
        Performance { began, ended, written, came_to }
    }
}

impl Actions {
    pub(super) fn rows(&self, trail: &Trail) -> &ActionRows {
        self.rows.get_or_init(|| ActionRows::new(trail))
    }

    /// What was written, in order.
    pub(super) fn wrote(&self, trail: &Trail) -> &[Wrote] {
        &self.rows(trail).wrote
    }

    /// What was written by a node of the tree and those below it before `until` bytes were written in all: at most so many bytes, and how many more there are. The
    /// bytes are missing if they were not kept.
    pub(super) fn printed(
        &self,
        trail: &Trail,
        tree: &Tree,
        node: Node,
        most: usize,
        until: u64,
    ) -> (Option<Vec<u8>>, u64) {
        let wrote = self.wrote(trail);
        let writers = self.writers.get_or_init(|| writers(trail, tree, wrote));
        let range = tree.subtree(node);
        let start = writers.partition_point(|(writer, _)| writer.0 < range.start);
        let end = writers.partition_point(|(writer, _)| writer.0 < range.end);
        let mut pieces: Vec<usize> = writers[start..end].iter().map(|(_, piece)| *piece).collect();
        pieces.retain(|piece| wrote[*piece].offset < until);
        pieces.sort_unstable();
        let all: u64 = pieces.iter().map(|piece| wrote[*piece].length).sum();
        let mut bytes = Some(Vec::new());
        for piece in pieces {
            let (Some(sofar), Some(text)) = (&mut bytes, &wrote[piece].text) else {
                return (None, all);
            };
            if sofar.len() >= most {
                break;
            }
            sofar.extend_from_slice(&text[..text.len().min(most - sofar.len())]);
        }
        let shown = bytes.as_ref().map_or(0, Vec::len) as u64;
        (bytes, all.saturating_sub(shown))
    }
}

/// The nodes of the tree that wrote something, in order, each with what it wrote.
fn writers(trail: &Trail, tree: &Tree, wrote: &[Wrote]) -> Vec<(Node, usize)> {
    let ids: FxHashSet<NodeId> = wrote.iter().map(|wrote| wrote.by).collect();
    let nodes = super::symptoms::nodes_of(tree, trail, &ids);
    let mut writers: Vec<(Node, usize)> = wrote
        .iter()
        .enumerate()
        .filter_map(|(piece, wrote)| nodes.get(&wrote.by).map(|node| (*node, piece)))
        .collect();
    writers.sort_unstable();
    writers
}

impl Run<'_> {
    /// The times that an action was performed, in order; no more than an equation looks at.
    pub(super) fn performances(&self, action: NodeId) -> Vec<Performance> {
        let rows = self.actions.rows(self.trail);
        let mut found = Vec::new();
        if let Some((came_to, ended, written)) = self.first(rows, action) {
            found.push(Performance { began: 0, ended, written, came_to });
        }
        let begun = rows.begun.get(&action).into_iter().flatten();
        found.extend(begun.take(PERFORMANCES).map(|began| rows.performance(*began)));
        let raises = |one: &Performance| matches!(one.came_to, Came::Exception(_));
        if let Became::Raised(exception, _) = self.trail.became(action)
            && !found.iter().any(raises)
        {
            // It raised before anything was stored.
            let came_to = Came::Exception(exception);
            found.insert(0, Performance { began: 0, ended: 0, written: u64::MAX, came_to });
        }
        found
    }

    /// What an action came to that was performed, or at least went on with another, before anything was stored; and when, and how much
    /// was written by then.
    fn first(&self, rows: &ActionRows, action: NodeId) -> Option<(Came, u64, u64)> {
        let mut results = rows.results.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut at, mut way) = (action, Vec::new());
        loop {
            // Rows with moments say it themselves.
            if let Some(began) = rows.begun.get(&at).and_then(|begun| begun.first())
                && results.get(&at).is_none_or(|given| given.ended > 0)
            {
                if at == action {
                    return None;
                }
                let performance = rows.performance(*began);
                return Some((performance.came_to, performance.ended, performance.written));
            }
            if results.contains_key(&at) {
                break;
            }
            way.push(at);
            let End::Node(next, _) = self.end(*rows.continued.get(&at)?) else { return None };
            // A chain is no longer than there are links.
            if way.len() > rows.continued.len() {
                return None;
            }
            at = next;
        }
        let given = *results.get(&at)?;
        results.extend(way.into_iter().map(|action| (action, given)));
        Some((Came::Value(given.value), given.ended, given.written))
    }

    /// What actions are called that were made on behalf of a redex, as far as the trail knows.
    pub(super) fn action_name(&self, function: Option<u32>, action: NodeId) -> &str {
        const STEPS: usize = 64;
        let tables = self.tables();
        let of = |function: u32| {
            let at = tables.actions.binary_search_by_key(&function, |(function, _)| *function).ok()?;
            tables.names.get(tables.actions[at].1 as usize).map(String::as_str)
        };
        let known = function.and_then(of);
        let (mut at, mut steps) = (action, 0);
        let maker = || {
            while steps < STEPS && at != NodeId::NONE {
                let expression = self.trail.expression(self.trail.shape(at).position);
                let made_in = expression.map(|expression| expression.function);
                let called = match self.trail.shape(at).what {
                    What::Call(function) | What::Constant(function) => Some(function),
                    _ => None,
                };
                if let Some(name) = called.and_then(of).or_else(|| made_in.and_then(of)) {
                    return Some(name);
                }
                at = self.trail.parent(at);
                steps += 1;
            }
            None
        };
        known.or_else(maker).unwrap_or("IO")
    }
}
