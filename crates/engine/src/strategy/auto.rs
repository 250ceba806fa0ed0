//! The default: optimal divide & query that minds what a question costs the person.
//!
//! Among the nodes that divide the area nearly as well as the best one (the difference between what remains on either
//! answer is larger by at most a tenth of the area) it takes the one that is easiest to answer: a short equation, and
//! one near to the last question, so that thoughts need not jump. Few nodes can divide that well, and all of them are
//! found beside the same short path that [`divide`](super::divide) walks.

use super::{Context, Pick, Reason, Strategy, divide::split, optimal::best_side, optimal::difference};
use crate::{Area, Counted, Measure};
use gadfly_tree::{Node, Tree};

pub(super) struct Auto;

/// How many nodes are compared at most; reading an equation's length costs a look into the file.
const CANDIDATES: usize = 24;

impl Strategy for Auto {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        let measure = Counted::new(area);
        let split = split(area, &measure)?;
        let best = best_side(&split)?;
        let tolerance = difference(best.1, split.whole) + split.whole / 10;
        let near = candidates(area, &measure, best.0, split.whole, tolerance);
        if near.len() < 2 {
            return Some(Pick { node: best.0, reason: Reason::Divides { inside: best.1, of: split.whole } });
        }
        let (node, inside) = near.into_iter().min_by_key(|(node, weight)| {
            let distance = context.last.map_or(0, |last| distance(area.tree, last, *node));
            (effort((context.effort)(*node), distance), difference(*weight, split.whole), *node)
        })?;
        let reason = match node == area.focus {
            true => Reason::Start,
            false => Reason::Easy { inside, of: split.whole },
        };
        Some(Pick { node, reason })
    }
}

/// What it costs a person to answer: what there is to read, and a bit for every step away from the last question.
/// Roughly logarithmic, because a line more or less matters on a screen and does not matter in a book.
fn effort(characters: u32, distance: u32) -> u32 {
    let lines = characters / 80;
    8 * (lines + 1).ilog2() + 2 * (distance + 1).ilog2()
}

/// The askable nodes that divide well enough: along the path through the best node, and beside it.
fn candidates(
    area: Area<'_>,
    measure: &Counted<'_>,
    best: Node,
    whole: u64,
    tolerance: u64,
) -> Vec<(Node, u64)> {
    let tree = area.tree;
    let mut found = Vec::new();
    let good = |node: Node| {
        let weight = measure.weight(tree, node);
        (difference(weight, whole) <= tolerance).then_some((node, weight))
    };
    // Up from the best node as long as the nodes are good, and down into the heaviest good node.
    let mut at = best;
    while let Some(candidate) = good(at) {
        if area.is_askable(at) && found.len() < CANDIDATES / 2 {
            found.push(candidate);
        }
        match tree.parent(at) {
            Some(parent) if at != area.focus && found.len() < CANDIDATES / 2 => at = parent,
            _ => break,
        }
    }
    let mut below = Some(best);
    while let Some(node) = below.take() {
        for child in area.frontier(node).take(CANDIDATES) {
            if let Some(candidate) = good(child)
                && found.len() < CANDIDATES
                && !found.contains(&candidate)
            {
                found.push(candidate);
                below = below.or(Some(child));
            }
        }
    }
    found
}

/// Steps from one node to the other in the tree, counted up to a bound beyond which far is far.
fn distance(tree: &Tree, from: Node, to: Node) -> u32 {
    const FAR: u32 = 64;
    let (mut a, mut b, mut steps) = (from, to, 0);
    while a != b && steps < FAR {
        // The later of the two in preorder cannot be an ancestor of the other.
        let later = if a > b { &mut a } else { &mut b };
        match tree.parent(*later) {
            Some(parent) => *later = parent,
            None => break,
        }
        steps += 1;
    }
    steps
}
