//! What became of the nodes: S3's identity mapping M_I and source mapping M_S.
//!
//! Both go from the new tree to the old one. M_I is a column. M_S is kept only for the nodes that a transformation made,
//! and as a description instead of a list: over a row of siblings projections stand upon projections, and the sets of all
//! of them written out would take n log n.

use crate::{Kind, Node, RuleTable, Tree};

/// What [`Maps::same`] holds for a node that is not in M_I.
const NONE: u32 = u32::MAX;

/// A new tree, and how it follows from the old one.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// The new tree.
    pub tree: Tree,
    /// From its nodes to those of the old tree.
    pub maps: Maps,
}

impl Transformed {
    /// M_S of a node: the old nodes that it was made from, in preorder; none for a node that is the same as before.
    ///
    /// `old` is the tree that was transformed.
    pub fn sources(&self, old: &Tree, node: Node) -> Vec<Node> {
        self.maps.sources(old, &self.tree, node)
    }
}

/// M_I and M_S.
#[derive(Clone, Debug, Default)]
pub struct Maps {
    same: Vec<u32>,
    /// The nodes that were made, by their number.
    made: Vec<(u32, Source)>,
}

/// The set Z of a pair (n', Z) of M_S.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// This node alone; the new node is a part of it.
    Part(u32),
    /// The same, and the new node is the one that stands for the whole of it.
    Whole(u32),
    /// The siblings from this node to that index.
    Siblings(u32, u32),
    /// This node, and all that was moved into it or out of it.
    Moved(u32),
}

impl Maps {
    /// M_I: the old node that this one is, if the transformation left it alone.
    pub fn same(&self, node: Node) -> Option<Node> {
        self.same.get(node.index()).filter(|old| **old != NONE).map(|old| Node(*old))
    }

    /// M_I the other way: where each node of the old tree is now.
    pub fn images(&self, old: &Tree) -> Vec<Option<Node>> {
        let mut images = vec![None; old.len() as usize];
        for (new, same) in (0u32..).zip(&self.same) {
            if let Some(image) = images.get_mut(*same as usize) {
                *image = Some(Node(new));
            }
        }
        images
    }

    /// The old node that an answer about this one is an answer about: the same node or, if that is gone, the one that
    /// this stands for in its stead (S3's main source). `None` for nodes that stand for a part or for several.
    pub fn main_source(&self, node: Node) -> Option<Node> {
        match self.source(node) {
            Some(Source::Whole(main) | Source::Moved(main)) => Some(Node(main)),
            Some(Source::Part(_) | Source::Siblings(..)) => None,
            None => self.same(node),
        }
    }

    /// The nodes that are not of the old tree.
    pub fn made(&self) -> impl Iterator<Item = Node> {
        self.made.iter().map(|(node, _)| Node(*node))
    }

    /// M_S of a node, as [`Transformed::sources`] gives it; `new` is the new tree.
    pub fn sources(&self, old: &Tree, new: &Tree, node: Node) -> Vec<Node> {
        match self.source(node) {
            None => Vec::new(),
            Some(Source::Part(one) | Source::Whole(one)) => vec![Node(one)],
            Some(Source::Siblings(first, end)) => siblings(old, first, end).collect(),
            Some(Source::Moved(main)) => self.moved(old, new, node, Node(main)),
        }
    }

    /// `main`, and the nodes that are only in its old subtree or only in its new one.
    fn moved(&self, old: &Tree, new: &Tree, node: Node, main: Node) -> Vec<Node> {
        if !old.contains(main) || !new.contains(node) {
            return vec![main];
        }
        let mut now: Vec<Node> = new.subtree(node).filter_map(|node| self.main_source(Node(node))).collect();
        now.sort_unstable();
        let before = old.subtree(main);
        let gained = now.iter().filter(|node| !before.contains(&node.0));
        let lost = before.clone().map(Node).filter(|node| now.binary_search(node).is_err());
        let mut sources: Vec<Node> = gained.copied().chain(lost).chain([main]).collect();
        sources.sort_unstable();
        sources
    }

    pub(crate) fn source(&self, node: Node) -> Option<Source> {
        self.made.binary_search_by_key(&node.0, |(made, _)| *made).ok().map(|at| self.made[at].1)
    }
}

/// The children of one parent from `first` up to the index `end`.
pub(crate) fn siblings(tree: &Tree, first: u32, end: u32) -> impl Iterator<Item = Node> {
    let next = move |node: u32| (node < end && tree.contains(Node(node))).then_some(node);
    std::iter::successors(next(first), move |node| next(node + tree.size(Node(*node)))).map(Node)
}

/// Takes the nodes of a new tree in preorder, each with its new parent.
pub(crate) struct Growing<'a> {
    old: &'a Tree,
    parent: Vec<u32>,
    rule: Vec<u32>,
    kind: Vec<u8>,
    handle: Vec<u64>,
    maps: Maps,
}

impl<'a> Growing<'a> {
    /// Makes room for about `count` nodes.
    pub(crate) fn new(old: &'a Tree, count: usize) -> Self {
        Growing {
            old,
            parent: Vec::with_capacity(count),
            rule: Vec::with_capacity(count),
            kind: Vec::with_capacity(count),
            handle: Vec::with_capacity(count),
            maps: Maps { same: Vec::with_capacity(count), made: Vec::new() },
        }
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> u32 {
        self.parent.len() as u32
    }

    /// Adds a node of the old tree. The parent of the root is 0.
    pub(crate) fn keep(&mut self, old: Node, parent: u32) {
        let at = old.index();
        self.push(parent, self.old.rule[at], self.old.kind[at], self.old.handle[at]);
        self.maps.same.push(old.0);
    }

    /// Adds a node that has the rule, kind and handle of an old one and is not the same.
    pub(crate) fn change(&mut self, old: Node, parent: u32, source: Source) {
        let at = old.index();
        self.maps.made.push((self.len(), source));
        self.push(parent, self.old.rule[at], self.old.kind[at], self.old.handle[at]);
        self.maps.same.push(NONE);
    }

    /// Adds a new node.
    pub(crate) fn make(&mut self, parent: u32, rule: u32, kind: Kind, handle: u64, source: Source) {
        self.maps.made.push((self.len(), source));
        self.push(parent, rule, kind.byte(false), handle);
        self.maps.same.push(NONE);
    }

    fn push(&mut self, parent: u32, rule: u32, kind: u8, handle: u64) {
        self.parent.push(parent);
        self.rule.push(rule);
        self.kind.push(kind);
        self.handle.push(handle);
    }

    /// The tree; its rules are the old tree's.
    pub(crate) fn finish(self) -> Transformed {
        let Growing { old, mut parent, mut rule, mut kind, mut handle, maps } = self;
        let rules: RuleTable = old.rules.clone();
        let mut size = vec![1u32; parent.len()];
        for node in (1..parent.len()).rev() {
            size[parent[node] as usize] += size[node];
        }
        parent.shrink_to_fit();
        rule.shrink_to_fit();
        kind.shrink_to_fit();
        handle.shrink_to_fit();
        Transformed { tree: Tree { parent, size, rule, kind, handle, rules }, maps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, NO_PARENT, Rule, TreeBuilder};

    fn star(leaves: usize) -> Tree {
        let mut builder = TreeBuilder::new();
        let rule = builder.rules().intern(Rule::named("f"));
        let mut parents = vec![NO_PARENT];
        parents.resize(leaves + 1, 0);
        for handle in 0..parents.len() as u64 {
            builder.push(Entry { rule, kind: Kind::Routine, raised: false, handle });
        }
        builder.finish(parents).unwrap()
    }

    #[test]
    fn siblings_are_those_of_the_range_and_the_tree() {
        let tree = star(3);
        assert_eq!(siblings(&tree, 1, 3).collect::<Vec<_>>(), [Node(1), Node(2)]);
        assert_eq!(siblings(&tree, 3, 9).collect::<Vec<_>>(), [Node(3)]);
        assert_eq!(siblings(&tree, 7, 9).count(), 0);
    }

    #[test]
    fn a_node_of_no_tree_has_no_maps() {
        let tree = star(2);
        let mut growing = Growing::new(&tree, 3);
        growing.keep(Node(0), 0);
        growing.make(0, 0, Kind::Projection, 1, Source::Siblings(1, 3));
        growing.keep(Node(1), 1);
        growing.keep(Node(2), 1);
        let new = growing.finish();
        assert_eq!(new.tree.size_column(), [4, 3, 1, 1]);
        assert_eq!(new.maps.same(Node(1)), None);
        assert_eq!(new.maps.same(Node(9)), None);
        assert_eq!(new.maps.main_source(Node(3)), Some(Node(2)));
        assert_eq!(new.sources(&tree, Node(1)), [Node(1), Node(2)]);
        assert_eq!(new.sources(&tree, Node(2)), []);
        assert_eq!(new.sources(&tree, Node(9)), []);
        assert_eq!(new.maps.images(&tree), [Some(Node(0)), Some(Node(2)), Some(Node(3))]);
    }
}
