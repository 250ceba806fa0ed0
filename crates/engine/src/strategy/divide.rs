//! What the divide strategies share: the two nodes nearest to one half of the suspicious weight.
//!
//! A subtree that weighs more than half of the area holds the node at which the running weight passes one half, so all
//! of them lie on one path: from there up. The walk goes up that path to the lightest subtree above one half; every
//! subtree at or below one half that could be heaviest hangs beside the path. Going on upwards is cut off as soon as
//! what remains outside is lighter than what was found. So a question costs the length of that short walk and the
//! siblings along it, not the size of the tree (measured in docs/numbers.md).

use super::sweep::{self, Wanted};
use crate::{Area, Counted, Measure, Weighed};
use gadfly_tree::Node;
use std::ops::Range;

/// The nodes nearest to one half of the weight, from above and from below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    /// The weight of the area.
    pub(super) whole: u64,
    /// The lightest askable node that weighs more than half, with its weight.
    pub(super) above: Option<(Node, u64)>,
    /// The heaviest askable node that weighs at most half, the leftmost of equals, with its weight.
    pub(super) below: Option<(Node, u64)>,
}

/// Divides the area, counting nodes; `None` if there is none to ask.
pub(super) fn split(area: Area<'_>, measure: &Counted<'_>) -> Option<Split> {
    walk(area, measure, |whole, at, came_from, best| {
        let mut beside = Beside { area, measure, unit: 1, whole, at, came_from, best };
        beside.hop(u32::MAX, &mut |_, _| {});
    })
}

/// Divides the area where every node was weighed; `unit` is the most that a single node weighs. Every askable node that
/// weighs at most half, and as much as the heaviest such node before it, is shown.
pub(super) fn split_weighed(
    area: Area<'_>,
    measure: &Weighed<'_>,
    unit: u64,
    mut see: impl FnMut(Node, u64),
) -> Option<Split> {
    // So many siblings are looked at one by one; more are swept over.
    const FEW: u32 = 64;
    walk(area, measure, |whole, at, came_from, best| {
        let mut beside = Beside { area, measure, unit, whole, at, came_from, best };
        let rest = beside.hop(FEW, &mut see);
        let (before, after) = match came_from.map(|path| area.tree.subtree(path)) {
            Some(path) => (rest.start..path.start.min(rest.end), path.end.max(rest.start)..rest.end),
            None => (rest, 0..0),
        };
        for among in [before, after] {
            let wanted = Wanted { among, unit, at_most: whole / 2 };
            sweep::heaviest(area, measure, &wanted, best, &mut see);
        }
    })
}

/// Goes up the path of the subtrees above one half; `look` sees to the nodes beside it.
fn walk(
    area: Area<'_>,
    measure: &impl Measure,
    mut look: impl FnMut(u64, Node, Option<Node>, &mut Option<(Node, u64)>),
) -> Option<Split> {
    let whole = measure.weight(area.tree, area.focus);
    let (mut at, mut weight) = lightest_above_half(area, measure, whole)?;
    let mut split = Split { whole, above: None, below: None };
    // The child of `at` through which the path came; its subtree was seen.
    let mut came_from = None;
    loop {
        if split.above.is_none() && area.is_askable(at) {
            split.above = Some((at, weight));
        }
        look(whole, at, came_from, &mut split.below);
        let outside = whole - weight;
        let enough = split.above.is_some() && split.below.is_some_and(|(_, weight)| outside < weight);
        if at == area.focus || enough {
            return Some(split);
        }
        came_from = Some(at);
        at = parent_within(area, at);
        weight = measure.weight(area.tree, at);
    }
}

/// The lowest node whose subtree weighs more than half, askable or not; `None` if nothing weighs anything.
fn lightest_above_half(area: Area<'_>, measure: &impl Measure, whole: u64) -> Option<(Node, u64)> {
    if whole == 0 {
        return None;
    }
    let range = area.tree.subtree(area.focus);
    let mut node = Node(measure.passes(whole / 2, range.start, range.end));
    let mut weight = measure.weight(area.tree, node);
    while 2 * weight <= whole {
        node = parent_within(area, node);
        weight = measure.weight(area.tree, node);
    }
    Some((node, weight))
}

fn parent_within(area: Area<'_>, node: Node) -> Node {
    area.tree.parent(node).filter(|_| node != area.focus).unwrap_or(area.focus)
}

/// The search for the heaviest node that weighs at most half among those just below a node of the path, the leftmost of
/// equals; the subtree that the path came through is passed over.
struct Beside<'a, M> {
    area: Area<'a>,
    measure: &'a M,
    unit: u64,
    whole: u64,
    at: Node,
    came_from: Option<Node>,
    best: &'a mut Option<(Node, u64)>,
}

impl<M: Measure> Beside<'_, M> {
    /// Looks at so many siblings, one after the other, and says which nodes are left.
    fn hop(&mut self, most: u32, see: &mut impl FnMut(Node, u64)) -> Range<u32> {
        let tree = self.area.tree;
        let end = tree.subtree(self.at).end;
        let mut frontier = self.area.frontier(self.at);
        for _ in 0..most {
            if let Some(path) = self.came_from {
                frontier.skip_subtree(path);
            }
            let Some(node) = frontier.next() else { return end..end };
            // No subtree weighs more than `unit` a node: most siblings need no further look.
            let at_most = u64::from(tree.size(node)) * self.unit;
            if self.best.is_some_and(|(found, weight)| at_most < weight || at_most == weight && node > found)
            {
                continue;
            }
            // Seen through a node that cannot be asked, the path's own subtree comes again.
            if self.came_from.is_some_and(|path| tree.is_within(node, path)) {
                continue;
            }
            let weight = self.measure.weight(tree, node);
            if 2 * weight > self.whole || self.best.is_some_and(|(_, most)| weight < most) {
                continue;
            }
            see(node, weight);
            if self.best.is_none_or(|(found, most)| weight > most || node < found) {
                *self.best = Some((node, weight));
            }
        }
        frontier.position()..end
    }
}
