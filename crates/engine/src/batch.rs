//! Questions in tables.
//!
//! A node with many small children (the rounds of a loop, the calls of a `map`) costs every strategy a question a
//! child, because no single child divides the area well. A person reads a table of twenty such equations about as fast
//! as three single ones: so they are asked together, "all right?" or "which is the first wrong one?".

use crate::strategy::{Pick, StrategyName};
use crate::{Area, Counted, Measure};
use gadfly_tree::Node;
use std::collections::VecDeque;

/// A table is made where there are at least this many siblings; fewer are asked one by one, as the papers do.
const FEWEST_SIBLINGS: usize = 8;

/// A row holds at most this share (one part in so many) of the suspicious nodes: what holds more divides well alone.
const ROW_SHARE: u64 = 4;

/// So many siblings are compared by how easy they are, evenly spread over all of them: each comparison reads the recording.
const COMPARED: usize = 1 << 12;

/// The siblings to ask together with the picked node, at most `most`, in order; empty if it is better asked alone.
/// The table begins at the picked node, and reaches back where too few come after it; where there are many more, the default
/// strategy asks about the easiest ones instead.
pub(crate) fn rows(
    area: Area<'_>,
    pick: Pick,
    strategy: StrategyName,
    most: usize,
    effort: &dyn Fn(Node) -> u32,
) -> Vec<Node> {
    if most < 2 || pick.node == area.focus {
        return Vec::new();
    }
    let tree = area.tree;
    let measure = Counted::new(area);
    let whole = measure.weight(tree, area.focus);
    let inner = strategy.strategy().may_ask_inner_siblings();
    let fits =
        |node: Node| (inner || tree.size(node) == 1) && measure.weight(tree, node) * ROW_SHARE <= whole;
    if !fits(pick.node) {
        return Vec::new();
    }
    let mut parent = tree.parent(pick.node).unwrap_or(area.focus);
    while parent != area.focus && !area.is_askable(parent) {
        parent = tree.parent(parent).unwrap_or(area.focus);
    }
    let window = most.max(FEWEST_SIBLINGS);
    if strategy == StrategyName::Auto {
        let all: Vec<Node> = area.frontier(parent).filter(|node| fits(*node)).collect();
        if all.len() > 2 * window {
            return easiest(&all, most, effort);
        }
    }
    let mut rows = VecDeque::with_capacity(window + 1);
    for node in area.frontier(parent).filter(|node| fits(*node)) {
        rows.push_back(node);
        if rows.len() > window {
            rows.pop_front();
        }
        if rows.len() == window && rows.front() == Some(&pick.node) {
            break;
        }
    }
    if rows.len() < FEWEST_SIBLINGS {
        return Vec::new();
    }
    // Of a window wider than the table, the part that begins at the picked node or ends the window is shown.
    let picked = rows.iter().position(|node| *node == pick.node).unwrap_or(0);
    let start = picked.min(rows.len().saturating_sub(most));
    rows.into_iter().skip(start).take(most).collect()
}

/// The easiest of many siblings, in order.
fn easiest(all: &[Node], most: usize, effort: &dyn Fn(Node) -> u32) -> Vec<Node> {
    let step = all.len().div_ceil(COMPARED);
    let mut compared: Vec<(u32, Node)> =
        all.iter().step_by(step).map(|node| (effort(*node), *node)).collect();
    compared.sort_unstable();
    let mut rows: Vec<Node> = compared.into_iter().take(most).map(|(_, node)| node).collect();
    rows.sort_unstable();
    rows
}
