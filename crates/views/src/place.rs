//! From parents and ranks to columns in preorder, in passes over columns.
//!
//! Parents come before their children, so sizes of subtrees are summed up from the back. Then all nodes are sorted by
//! their rank, which is a counting sort, and taken in that order: each begins where the siblings before it end. That is
//! its distance from its parent; summed up from the front, it is the place.

use super::columns::ready;
use super::select::{RAISED, Selected};
use gadfly_tree::{Columns, Kind, Node, Tree};
use rustc_hash::FxHashMap;
use std::thread;

/// Memory for columns, which another thread touches before it is needed.
#[derive(Debug)]
pub(super) struct Buffers {
    order: Vec<u32>,
    distance: Vec<u32>,
    kind: Vec<u8>,
    handle: Vec<u64>,
}

impl Buffers {
    /// Columns for at most so many nodes.
    pub(super) fn new(count: usize) -> Buffers {
        Buffers { order: ready(count), distance: ready(count), kind: ready(count), handle: ready(count) }
    }
}

/// Lays the tree out, and gives the places of constants in it; `ranks` is how many different ranks there may be.
pub(super) fn place(selected: Selected<'_>, buffers: Buffers, ranks: usize) -> (Tree, FxHashMap<u32, Node>) {
    let Selected { ids, chosen, root, places, parent, mut rank, rule, constants, rules, spare, .. } =
        selected;
    let count = parent.len();
    let [order, mut place] = [buffers.order, buffers.distance].map(|column| fitted(column, count));
    let (size, order) = thread::scope(|scope| {
        let sizes = scope.spawn(|| sizes(&parent, fitted(spare, count)));
        let order = sorted(&rank, ranks, order);
        (joined(sizes), order)
    });
    // Where the next child of a node begins, and then how far a node is from its parent.
    rank.fill(1);
    let mut next = rank;
    for node in &order[1..] {
        let above = parent[*node as usize] as usize;
        place[*node as usize] = next[above];
        next[above] += size[*node as usize];
    }
    place[0] = 0;
    for node in 1..count {
        place[node] += place[parent[node] as usize];
    }
    let place = &place[..];
    let (parent, size, rule, kind, handle) = thread::scope(|scope| {
        let other = scope.spawn(|| {
            let kinds = rule.iter().map(|rule| Kind::Routine.byte(rule.0 & RAISED != 0));
            let kind = permuted(kinds, place, fitted(buffers.kind, count));
            let mut handle = fitted(buffers.handle, count);
            let mut next = 1;
            for (number, id) in (1..).zip(ids.iter()).filter(|(number, _)| chosen.has(*number)) {
                let at = match &places {
                    Some(places) => places[number as usize],
                    None if number == root => 0,
                    None => {
                        next += 1;
                        next - 1
                    }
                };
                handle[place[at as usize] as usize] = id.0;
            }
            (kind, handle)
        });
        let parents = parent.iter().map(|parent| place[*parent as usize]);
        let moved = permuted(parents, place, order);
        let size = permuted(size.into_iter(), place, next);
        let rule = permuted(rule.iter().map(|rule| rule.0 & !RAISED), place, parent);
        let (kind, handle) = joined(other);
        (moved, size, rule, kind, handle)
    });
    let mut columns = Columns { parent, size, rule, kind, handle };
    for column in [&mut columns.parent, &mut columns.size, &mut columns.rule] {
        column.shrink_to_fit();
    }
    columns.kind.shrink_to_fit();
    columns.handle.shrink_to_fit();
    let constants =
        constants.into_iter().map(|(function, at)| (function, Node(place[at as usize]))).collect();
    (columns.into_tree(rules.into_table()), constants)
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// A column of so many values, whatever they are.
fn fitted<T: Copy + Default>(mut column: Vec<T>, count: usize) -> Vec<T> {
    column.resize(count, T::default());
    column
}

/// How many nodes every subtree has.
fn sizes(parent: &[u32], mut size: Vec<u32>) -> Vec<u32> {
    size.fill(1);
    for node in (1..parent.len()).rev() {
        size[parent[node] as usize] += size[node];
    }
    size
}

/// The root, and all other nodes by rank; those of the same rank in the order given.
fn sorted(rank: &[u32], ranks: usize, mut order: Vec<u32>) -> Vec<u32> {
    let mut starts = vec![0u32; ranks + 1];
    starts[0] = 1;
    for rank in &rank[1..] {
        starts[*rank as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    for (node, rank) in (1..).zip(&rank[1..]) {
        let start = &mut starts[*rank as usize];
        order[*start as usize] = node;
        *start += 1;
    }
    order
}

/// Puts every value at its place in a column.
fn permuted<T: Copy>(values: impl Iterator<Item = T>, place: &[u32], mut column: Vec<T>) -> Vec<T> {
    for (value, place) in values.zip(place) {
        column[*place as usize] = value;
    }
    column
}
