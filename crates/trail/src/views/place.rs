//! From parents and ranks to columns in preorder, in passes over columns.
//!
//! Parents come before their children, so sizes of subtrees are summed up from the back. Then all nodes are sorted by
//! their rank, which is a counting sort, and taken in that order: each begins where the siblings before it end. That is
//! its distance from its parent; summed up from the front, it is the place.

use super::columns::column;
use super::select::{RAISED, Selected};
use gadfly_tree::{Columns, Kind, Node, Tree};
use rustc_hash::FxHashMap;

/// Lays the tree out, and tells where constants are in it; `ranks` is how many different ranks there may be.
pub(super) fn place(selected: Selected<'_>, ranks: usize) -> (Tree, FxHashMap<u32, Node>) {
    let Selected { ids, place: numbers, chosen, parent, rank, rule, constants, rules, .. } = selected;
    let count = parent.len();
    let tell=|w:&str|super::tell(w);tell("");
    let mut size = column::<u32>(count);
    size.fill(1);
    for node in (1..count).rev() {
        size[parent[node] as usize] += size[node];
    }
    tell("sizes");
    let order = sorted(&rank, ranks);
    drop(rank);tell("sorted");
    // Where the next child of a node begins, and then how far a node is from its parent.
    let mut next = column::<u32>(count);
    next.fill(1);
    let mut place = column::<u32>(count);
    for node in order {
        let above = parent[node as usize] as usize;
        place[node as usize] = next[above];
        next[above] += size[node as usize];
    }
    drop(next);tell("offsets");
    place[0] = 0;
    for node in 1..count {
        place[node] += place[parent[node] as usize];
    }
    tell("places");
    let parent = permuted(parent.iter().map(|parent| place[*parent as usize]), &place);
    let size = permuted(size.into_iter(), &place);
    let kind = permuted(rule.iter().map(|rule| Kind::Routine.byte(rule & RAISED != 0)), &place);
    let rule = permuted(rule.into_iter().map(|rule| rule & !RAISED), &place);
    tell("permuted");
    let mut handle = column::<u64>(count);
    for (number, id) in (0..).zip(ids.iter()) {
        if chosen.has(number) {
            handle[place[numbers[number as usize] as usize] as usize] = id.0;
        }
    }
    tell("handles");
    let constants = constants.into_iter().map(|(function, at)| (function, Node(place[at as usize]))).collect();
    (Columns { parent, size, rule, kind, handle }.into_tree(rules.into_table()), constants)
}

/// All nodes but the root, by rank; those of the same rank in the order given.
fn sorted(rank: &[u32], ranks: usize) -> Vec<u32> {
    let mut starts = vec![0u32; ranks + 1];
    for rank in &rank[1..] {
        starts[*rank as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut order = column::<u32>(rank.len() - 1);
    for (node, rank) in (1..).zip(&rank[1..]) {
        let start = &mut starts[*rank as usize];
        order[*start as usize] = node;
        *start += 1;
    }
    order
}

/// Puts every value at its place.
fn permuted<T: Copy + Default>(values: impl Iterator<Item = T>, place: &[u32]) -> Vec<T> {
    let mut values_at = column(place.len());
    for (value, place) in values.zip(place) {
        values_at[*place as usize] = value;
    }
    values_at
}
