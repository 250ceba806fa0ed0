//! The columns.

use crate::{RuleId, RuleTable};
use std::ops::Range;

/// A node, by its place in preorder: the root is 0. People count from 1: see [`Node::number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

impl Node {
    /// The root of every tree.
    pub const ROOT: Node = Node(0);

    /// The number that is shown: the root is 1, as in the papers' figures.
    pub fn number(self) -> u64 {
        u64::from(self.0) + 1
    }

    /// The node with a shown number; whether a tree has it is another question.
    pub fn from_number(number: u64) -> Option<Node> {
        u32::try_from(number.checked_sub(1)?).ok().map(Node)
    }

    /// The index into a column.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What kind of code a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A call of a function, a method, a procedure.
    Routine = 0,
    /// A whole loop.
    Loop = 1,
    /// One round of a loop.
    Iteration = 2,
    /// Some statements.
    Block = 3,
    /// Stands over consecutive siblings, from the state before the first to the state after the last.
    Projection = 4,
    /// Replaces consecutive siblings.
    Collapse = 5,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Kind; 6] =
        [Kind::Routine, Kind::Loop, Kind::Iteration, Kind::Block, Kind::Projection, Kind::Collapse];

    /// The kind in a byte, with whether the node ended in an exception: what [`Columns::kind`] holds.
    pub fn byte(self, raised: bool) -> u8 {
        self as u8 | if raised { RAISED } else { 0 }
    }

    /// The kind's name in files and on screen.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Routine => "routine",
            Kind::Loop => "loop",
            Kind::Iteration => "iteration",
            Kind::Block => "block",
            Kind::Projection => "projection",
            Kind::Collapse => "collapse",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// In the kind column, this bit says that the node ended in an exception.
pub(crate) const RAISED: u8 = 0x80;

/// An execution tree.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) parent: Vec<u32>,
    pub(crate) size: Vec<u32>,
    pub(crate) rule: Vec<u32>,
    pub(crate) kind: Vec<u8>,
    pub(crate) handle: Vec<u64>,
    pub(crate) rules: RuleTable,
}

impl Tree {
    /// How many nodes there are; never 0.
    #[allow(clippy::len_without_is_empty, reason = "a tree has a root")]
    pub fn len(&self) -> u32 {
        self.size.len() as u32
    }

    /// Whether the tree has this node.
    pub fn contains(&self, node: Node) -> bool {
        node.index() < self.size.len()
    }

    /// The parent; `None` for the root.
    pub fn parent(&self, node: Node) -> Option<Node> {
        (node != Node::ROOT).then(|| Node(self.parent[node.index()]))
    }

    /// How many nodes the subtree has, the node itself included.
    pub fn size(&self, node: Node) -> u32 {
        self.size[node.index()]
    }

    /// The subtree as a range of node indices.
    pub fn subtree(&self, node: Node) -> Range<u32> {
        node.0..node.0 + self.size(node)
    }

    /// Whether `node` is in the subtree of `ancestor` (every node is in its own).
    pub fn is_within(&self, node: Node, ancestor: Node) -> bool {
        self.subtree(ancestor).contains(&node.0)
    }

    /// The rule the node stands for.
    pub fn rule_id(&self, node: Node) -> RuleId {
        RuleId(self.rule[node.index()])
    }

    /// The rule column: rule ids by node index.
    pub fn rule_column(&self) -> &[u32] {
        &self.rule
    }

    /// The size column: subtree sizes by node index.
    pub fn size_column(&self) -> &[u32] {
        &self.size
    }

    /// The rules.
    pub fn rules(&self) -> &RuleTable {
        &self.rules
    }

    /// The node's kind.
    pub fn kind(&self, node: Node) -> Kind {
        Kind::ALL[usize::from(self.kind[node.index()] & !RAISED)]
    }

    /// Whether the node ended in an exception.
    pub fn raised(&self, node: Node) -> bool {
        self.kind[node.index()] & RAISED != 0
    }

    /// The handle by which the node's behaviour is read.
    pub fn handle(&self, node: Node) -> u64 {
        self.handle[node.index()]
    }

    /// The children, in order.
    pub fn children(&self, node: Node) -> Children<'_> {
        Children { size: &self.size, next: node.0 + 1, end: node.0 + self.size(node) }
    }

    /// How many bytes the columns take in memory.
    pub fn bytes(&self) -> usize {
        self.parent.capacity() * 4
            + self.size.capacity() * 4
            + self.rule.capacity() * 4
            + self.kind.capacity()
            + self.handle.capacity() * 8
    }
}

/// A tree's columns, by node: for those who have them in preorder already.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// The parent's index; of the root, 0.
    pub parent: Vec<u32>,
    /// How many nodes the subtree has.
    pub size: Vec<u32>,
    /// The rule's id.
    pub rule: Vec<u32>,
    /// What [`Kind::byte`] gives.
    pub kind: Vec<u8>,
    /// The handle of the behaviour.
    pub handle: Vec<u64>,
}

impl Columns {
    /// Makes the tree. That the columns are those of a tree is the caller's promise; it is checked in debug builds only.
    ///
    /// # Panics
    /// If there are no nodes, or the columns have different lengths.
    pub fn into_tree(self, rules: RuleTable) -> Tree {
        let Columns { parent, size, rule, kind, handle } = self;
        let count = size.len();
        assert!(count > 0 && [parent.len(), rule.len(), kind.len(), handle.len()] == [count; 4]);
        debug_assert!(Columns::are_a_tree(&parent, &size), "the columns are no tree");
        debug_assert!(rule.iter().all(|id| (*id as usize) < rules.len()));
        debug_assert!(kind.iter().all(|kind| usize::from(kind & !RAISED) < Kind::ALL.len()));
        Tree { parent, size, rule, kind, handle, rules }
    }

    /// Whether parents come first, and subtrees are the ranges that the sizes say.
    fn are_a_tree(parent: &[u32], size: &[u32]) -> bool {
        let mut counted = vec![1u32; size.len()];
        for node in (1..size.len()).rev() {
            let (above, end) = (parent[node] as usize, node + counted[node] as usize);
            if above >= node || end > above + size[above] as usize {
                return false;
            }
            counted[above] += counted[node];
        }
        counted == size
    }
}

/// The children of a node.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    size: &'a [u32],
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        if self.next >= self.end {
            return None;
        }
        let child = self.next;
        self.next += self.size[child as usize];
        Some(Node(child))
    }
}
