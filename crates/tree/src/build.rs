//! From nodes in any order to columns in preorder.
//!
//! A recorder that writes a node when its call ends gives children before parents; one that writes it when the call
//! begins gives preorder. The builder takes both: it keeps the columns in the order given and moves them only if that
//! is not preorder already.

use crate::{Kind, RuleId, RuleTable, Tree};
use thiserror::Error;

/// A node as it is given; nodes are named by their index in the order given.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The rule.
    pub rule: RuleId,
    /// The kind.
    pub kind: Kind,
    /// Whether it ended in an exception.
    pub raised: bool,
    /// The handle of its behaviour.
    pub handle: u64,
}

/// Nodes that do not make a tree. Numbers are indices in the order given.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// There is nothing.
    #[error("there are no nodes")]
    Empty,
    /// Two nodes have no parent.
    #[error("two nodes have no parent")]
    TwoRoots(u32, u32),
    /// This node is its own ancestor.
    #[error("a node is its own ancestor")]
    Cycle(u32),
}

/// What the column of parents holds for a node without a parent.
pub const NO_PARENT: u32 = u32::MAX;

/// Collects nodes; [`TreeBuilder::finish`] makes the tree.
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    rules: RuleTable,
    rule: Vec<u32>,
    kind: Vec<u8>,
    handle: Vec<u64>,
}

impl TreeBuilder {
    /// Nothing yet.
    pub fn new() -> Self {
        TreeBuilder::default()
    }

    /// The rules so far.
    pub fn rules(&mut self) -> &mut RuleTable {
        &mut self.rules
    }

    /// Adds a node; its index is how many were added before.
    pub fn push(&mut self, entry: Entry) {
        self.rule.push(entry.rule.0);
        self.kind.push(entry.kind.byte(entry.raised));
        self.handle.push(entry.handle);
    }

    /// How many nodes were added.
    pub fn len(&self) -> usize {
        self.rule.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.rule.is_empty()
    }

    /// Makes the tree. `parents` holds, for every node in the order given, its parent's index, or [`NO_PARENT`].
    ///
    /// # Panics
    /// If `parents` has another length than the nodes, or names a node that was not given.
    pub fn finish(self, parents: Vec<u32>) -> Result<Tree, BuildError> {
        assert_eq!(parents.len(), self.rule.len());
        if parents.is_empty() {
            return Err(BuildError::Empty);
        }
        let mut roots = (0..).zip(&parents).filter(|(_, parent)| **parent == NO_PARENT).map(|(node, _)| node);
        let root: u32 = roots.next().ok_or(BuildError::Cycle(0))?;
        if let Some(second) = roots.next() {
            return Err(BuildError::TwoRoots(root, second));
        }
        let TreeBuilder { mut rule, mut kind, mut handle, rules } = self;
        let (mut parent, size) = match preorder_sizes(&parents) {
            Some(size) => (parents, size),
            None => {
                let (place, size) = places(&parents, root)?;
                let parent = parents.iter().map(|parent| match *parent {
                    NO_PARENT => NO_PARENT,
                    parent => place[parent as usize],
                });
                let parent = permute(parent, &place);
                rule = permute(rule.into_iter(), &place);
                kind = permute(kind.into_iter(), &place);
                handle = permute(handle.into_iter(), &place);
                (parent, permute(size.into_iter(), &place))
            }
        };
        parent[0] = 0;
        for column in [&mut parent, &mut rule] {
            column.shrink_to_fit();
        }
        kind.shrink_to_fit();
        handle.shrink_to_fit();
        Ok(Tree { parent, size, rule, kind, handle, rules })
    }
}

/// Subtree sizes, if the parents are those of a preorder.
fn preorder_sizes(parents: &[u32]) -> Option<Vec<u32>> {
    if parents[0] != NO_PARENT {
        return None;
    }
    // In preorder the parent of the next node is the node before it or one of that node's ancestors; the ancestors
    // that are passed over end there, which gives their sizes.
    let mut size = vec![1u32; parents.len()];
    for node in 1..parents.len() {
        let parent = parents[node];
        let mut open = node as u32 - 1;
        while open != parent {
            let above = parents[open as usize];
            if above == NO_PARENT {
                return None;
            }
            size[above as usize] += size[open as usize];
            open = above;
        }
    }
    let mut open = parents.len() as u32 - 1;
    while parents[open as usize] != NO_PARENT {
        let above = parents[open as usize];
        size[above as usize] += size[open as usize];
        open = above;
    }
    Some(size)
}

/// Every node's place in preorder, and the size of its subtree.
///
/// Recorders write parents first (when a call begins) or children first (when it ends). Both can be placed in two
/// passes over the columns; only a mixture has to be walked.
fn places(parents: &[u32], root: u32) -> Result<(Vec<u32>, Vec<u32>), BuildError> {
    let count = parents.len();
    let mut size = vec![1u32; count];
    let mut place = vec![0u32; count];
    let others = || (0u32..).zip(parents).filter(|(_, parent)| **parent != NO_PARENT);
    if others().all(|(node, parent)| *parent < node) {
        for node in (1..count).rev() {
            size[parents[node] as usize] += size[node];
        }
        // Where the next child of a node goes.
        let mut next = vec![1u32; count];
        for node in 1..count {
            let parent = parents[node] as usize;
            place[node] = next[parent];
            next[parent] += size[node];
            next[node] = place[node] + 1;
        }
    } else if others().all(|(node, parent)| *parent > node) {
        for node in 0..count - 1 {
            size[parents[node] as usize] += size[node];
        }
        // Where the child before those already placed ends.
        let mut end = vec![count as u32; count];
        for node in (0..count - 1).rev() {
            let parent = parents[node] as usize;
            end[node] = end[parent];
            place[node] = end[parent] - size[node];
            end[parent] = place[node];
        }
    } else {
        let order = preorder(parents, root)?;
        for (at, node) in (0u32..).zip(&order) {
            place[*node as usize] = at;
        }
        for node in order.iter().skip(1).rev() {
            size[parents[*node as usize] as usize] += size[*node as usize];
        }
    }
    Ok((place, size))
}

/// The nodes in preorder, children in the order given.
fn preorder(parents: &[u32], root: u32) -> Result<Vec<u32>, BuildError> {
    let count = parents.len();
    // Children as linked lists: filled from the back, so that each list is in the order given.
    let mut first = vec![NO_PARENT; count];
    let mut next = vec![NO_PARENT; count];
    for node in (0..count).rev() {
        let parent = parents[node];
        if parent != NO_PARENT {
            next[node] = first[parent as usize];
            first[parent as usize] = node as u32;
        }
    }
    let mut order = Vec::with_capacity(count);
    let mut node = root;
    loop {
        order.push(node);
        if first[node as usize] != NO_PARENT {
            node = first[node as usize];
            continue;
        }
        while next[node as usize] == NO_PARENT && node != root {
            node = parents[node as usize];
        }
        if node == root {
            break;
        }
        node = next[node as usize];
    }
    if order.len() == count {
        return Ok(order);
    }
    // Whatever the root does not reach hangs under a cycle: follow parents from such a node until one comes twice.
    let mut reached = vec![false; count];
    for node in &order {
        reached[*node as usize] = true;
    }
    let mut node = reached.iter().position(|reached| !reached).unwrap_or(0);
    while !reached[node] {
        reached[node] = true;
        node = parents[node] as usize;
    }
    Err(BuildError::Cycle(node as u32))
}

/// Puts every value at its place.
fn permute<T: Copy + Default>(values: impl Iterator<Item = T>, place: &[u32]) -> Vec<T> {
    let mut column = vec![T::default(); place.len()];
    for (value, place) in values.zip(place) {
        column[*place as usize] = value;
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Node, Rule};

    fn build(parents: &[i64]) -> Result<Tree, BuildError> {
        let mut builder = TreeBuilder::new();
        let rule = builder.rules().intern(Rule::named("f"));
        for handle in 0..parents.len() as u64 {
            builder.push(Entry { rule, kind: Kind::Routine, raised: false, handle });
        }
        builder.finish(parents.iter().map(|p| u32::try_from(*p).unwrap_or(NO_PARENT)).collect())
    }

    fn handles(tree: &Tree) -> Vec<u64> {
        (0..tree.len()).map(|node| tree.handle(Node(node))).collect()
    }

    #[test]
    fn preorder_stays_as_it_is() {
        let tree = build(&[-1, 0, 1, 1, 0]).unwrap();
        assert_eq!(handles(&tree), [0, 1, 2, 3, 4]);
        assert_eq!(tree.size_column(), [5, 3, 1, 1, 1]);
    }

    #[test]
    fn any_order_becomes_preorder_with_children_as_given() {
        // 4 is the root; its children in the order given: 2 (with 3, then 0 ... given first) and 1.
        let tree = build(&[2, 4, 4, 2, -1]).unwrap();
        assert_eq!(handles(&tree), [4, 1, 2, 0, 3]);
        assert_eq!(tree.size_column(), [5, 1, 3, 1, 1]);
        assert_eq!(tree.parent(Node(4)), Some(Node(2)));
        assert_eq!(tree.children(Node(0)).collect::<Vec<_>>(), [Node(1), Node(2)]);
    }

    #[test]
    fn what_is_not_a_tree_is_told() {
        assert_eq!(build(&[]).unwrap_err(), BuildError::Empty);
        assert_eq!(build(&[-1, -1]).unwrap_err(), BuildError::TwoRoots(0, 1));
        assert_eq!(build(&[0]).unwrap_err(), BuildError::Cycle(0));
        assert!(matches!(build(&[-1, 2, 3, 1]).unwrap_err(), BuildError::Cycle(1..=3)));
    }

    #[test]
    fn breadth_first_order_is_moved() {
        let tree = build(&[-1, 0, 0, 1, 2]).unwrap();
        assert_eq!(handles(&tree), [0, 1, 3, 2, 4]);
    }

    #[test]
    fn children_first_is_moved() {
        // Postorder: 4 is the root, with 2 (over 0 and 1) and 3.
        let tree = build(&[2, 2, 4, 4, -1]).unwrap();
        assert_eq!(handles(&tree), [4, 2, 0, 1, 3]);
        assert_eq!(tree.size_column(), [5, 3, 1, 1, 1]);
        // Children before parents, but not in postorder.
        let tree = build(&[3, 2, 4, 4, -1]).unwrap();
        assert_eq!(handles(&tree), [4, 2, 1, 3, 0]);
    }

    #[test]
    fn a_path_of_a_million_nodes_in_reverse() {
        let count = 1_000_000i64;
        let parents: Vec<i64> =
            (0..count).map(|node| if node + 1 == count { -1 } else { node + 1 }).collect();
        let tree = build(&parents).unwrap();
        assert_eq!(tree.handle(Node(0)), count as u64 - 1);
        assert_eq!(tree.size(Node(1)), count as u32 - 1);
    }
}
