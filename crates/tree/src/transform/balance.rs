//! Tree balancing: where a node has many children, new nodes make them few (S3 §4.4, Appendix A.4).
//!
//! A hundred calls in a row under one node take a question each, whatever the strategy. A projection node stands over
//! some consecutive siblings, from the environment before the first to the one after the last: one question about all of
//! them. Here a row is halved by weight, and its halves again, so the bug is found by bisection; the whole row gets no
//! projection, since its parent is that already. A collapse node replaces siblings of the same code by one node with the
//! children of all of them, so that an equal question is asked once.
//!
//! A projection takes no node away. A collapse node may be right where one of the collapsed nodes was wrong, and
//! then it hides the bug (S3 Table 1, Bug Existence), so collapsing is off unless asked for.

use super::maps::{Growing, Source, Transformed};
use crate::{Kind, Node, Tree};

/// What is known about siblings; both questions are about neighbours with the same parent.
pub trait Siblings {
    /// Whether one node may stand over both: nothing that matters happened between them.
    fn join(&self, left: Node, right: Node) -> bool;

    /// Whether both ran exactly the same code. Asked only about nodes with the same rule and kind.
    fn same_code(&self, left: Node, right: Node) -> bool;
}

/// For trees of which nothing more is known: any neighbours may have a projection, and none are collapsed.
///
/// What the parent did between two such siblings is then in the projection's code.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyNeighbours;

impl Siblings for AnyNeighbours {
    fn join(&self, _left: Node, _right: Node) -> bool {
        true
    }

    fn same_code(&self, _left: Node, _right: Node) -> bool {
        false
    }
}

/// What is to be done.
#[derive(Clone, Copy, Debug)]
pub struct Balance {
    /// The fewest siblings that a projection stands over, at least 2.
    pub least: u32,
    /// Whether siblings of the same code become one node.
    pub collapse: bool,
}

impl Default for Balance {
    fn default() -> Self {
        Balance { least: 2, collapse: false }
    }
}

/// Puts projection nodes over rows of siblings and, if asked, collapses those of the same code.
///
/// A projection has its parent's rule, a collapse node the rule of those it replaces; both have the behaviour handle of the
/// first node that they stand for. No more nodes are made than there are already.
pub fn balance(tree: &Tree, siblings: &impl Siblings, settings: Balance) -> Transformed {
    let mut plan = Plan {
        least: settings.least.max(2) as usize,
        room: (u32::MAX - 1).saturating_sub(tree.len()) as usize,
        projections: Vec::new(),
        collapses: Vec::new(),
        row: Vec::new(),
        halves: Vec::new(),
    };
    for parent in (0..tree.len()).map(Node) {
        plan.row.clear();
        let mut before: Option<Node> = None;
        for child in tree.children(parent) {
            let joined = before.is_some_and(|before| siblings.join(before, child));
            match (plan.row.last_mut(), before) {
                (Some(unit), Some(before))
                    if settings.collapse && joined && same(tree, siblings, before, child) =>
                {
                    unit.end = child.0 + tree.size(child);
                    unit.several = true;
                }
                _ => plan.row.push(Unit::new(tree, child, joined)),
            }
            before = Some(child);
        }
        plan.halve_rows();
    }
    plan.projections.sort_unstable();
    plan.collapses.sort_unstable();
    plan.grow(tree)
}

fn same(tree: &Tree, siblings: &impl Siblings, left: Node, right: Node) -> bool {
    tree.rule_id(left) == tree.rule_id(right)
        && tree.kind(left) == tree.kind(right)
        && siblings.same_code(left, right)
}

/// A child, or several that are collapsed.
#[derive(Clone, Copy)]
struct Unit {
    begin: u32,
    end: u32,
    /// Whether it joins the unit in front of it.
    joined: bool,
    several: bool,
}

impl Unit {
    fn new(tree: &Tree, child: Node, joined: bool) -> Unit {
        Unit { begin: child.0, end: child.0 + tree.size(child), joined, several: false }
    }
}

/// The nodes to be made, as ranges of the old tree.
struct Plan {
    least: usize,
    /// How many projections a tree can hold besides its nodes.
    room: usize,
    /// Ranges, packed so that they sort in preorder: by their begin, and then the longer one first.
    projections: Vec<u64>,
    collapses: Vec<(u32, u32)>,
    /// The children of the node that is looked at; and, of its rows, what is still to be halved.
    row: Vec<Unit>,
    halves: Vec<(usize, usize)>,
}

impl Plan {
    /// Plans the projections over the children in `row`.
    fn halve_rows(&mut self) {
        let count = self.row.len();
        self.collapses.extend(self.row.iter().filter(|unit| unit.several).map(|unit| (unit.begin, unit.end)));
        if count <= self.least {
            return;
        }
        let mut begin = 0;
        while begin < count {
            let joined = self.row[begin + 1..].iter().take_while(|unit| unit.joined).count();
            self.halves.push((begin, begin + 1 + joined));
            begin += 1 + joined;
        }
        while let Some((begin, end)) = self.halves.pop() {
            if end - begin < self.least {
                continue;
            }
            if end - begin < count && self.projections.len() < self.room {
                let (first, last) = (self.row[begin].begin, self.row[end - 1].end);
                self.projections.push(u64::from(first) << 32 | u64::from(!last));
            }
            let middle = self.middle(begin, end);
            self.halves.push((begin, middle));
            self.halves.push((middle, end));
        }
    }

    /// Where a row is cut so that both sides weigh about the same. Where a node begins is how much is in front of it.
    fn middle(&self, begin: usize, end: usize) -> usize {
        let (first, last) = (self.row[begin].begin, self.row[end - 1].end);
        let half = first + (last - first) / 2;
        let above = begin + self.row[begin..end].partition_point(|unit| unit.begin < half);
        let above = above.clamp(begin + 1, end - 1);
        let below = (above - 1).max(begin + 1);
        if half.abs_diff(self.row[below].begin) < half.abs_diff(self.row[above].begin) {
            below
        } else {
            above
        }
    }

    /// Makes the tree: the old nodes in their order, each new one in front of the first that it stands over.
    fn grow(self, tree: &Tree) -> Transformed {
        let mut growing = Growing::new(tree, tree.len() as usize + self.projections.len());
        let mut projections =
            self.projections.into_iter().map(|range| ((range >> 32) as u32, !(range as u32)));
        let mut projection = projections.next();
        let mut collapses = self.collapses.into_iter();
        let mut collapse = collapses.next();
        // Until which index collapsed siblings stand, by depth of collapsing, with the parent that they had.
        let mut gone: Vec<(u32, u32)> = Vec::new();
        // The nodes that are open: where they are, and where in the old tree they end.
        let mut open: Vec<(u32, u32)> = Vec::new();
        for node in 0..tree.len() {
            while open.last().is_some_and(|(_, end)| *end <= node) {
                open.pop();
            }
            while gone.last().is_some_and(|(_, end)| *end <= node) {
                gone.pop();
            }
            let parent = tree.parent[node as usize];
            while let Some((first, end)) = projection.filter(|(first, _)| *first == node) {
                let above = open.last().map_or(0, |(place, _)| *place);
                open.push((growing.len(), end));
                let rule = tree.rule[parent as usize];
                let handle = tree.handle[node as usize];
                growing.make(above, rule, Kind::Projection, handle, Source::Siblings(first, end));
                projection = projections.next();
            }
            let above = open.last().map_or(0, |(place, _)| *place);
            if let Some((first, end)) = collapse.filter(|(first, _)| *first == node) {
                open.push((growing.len(), end));
                gone.push((parent, end));
                let rule = tree.rule[node as usize];
                let handle = tree.handle[node as usize];
                growing.make(above, rule, Kind::Collapse, handle, Source::Siblings(first, end));
                collapse = collapses.next();
            } else if gone.last().is_none_or(|(siblings_of, _)| *siblings_of != parent) {
                open.push((growing.len(), node + tree.size[node as usize]));
                growing.keep(Node(node), above);
            }
        }
        growing.finish()
    }
}
