//! Where a session can begin: at an exception, at a piece of output, at any node of the trail.

use super::follow::{End, Ends};
use gadfly_trail::model::{Evaluation, NodeId, Ref, Shape, What};
use gadfly_trail::{Became, Trail};
use gadfly_tree::{Node, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many steps up are looked at before the tree is gone through.
const STEPS: usize = 256;

/// The tree's nodes for nodes of the trail: each itself, or the first redex above it that is in the tree.
pub(super) fn nodes_of(tree: &Tree, trail: &Trail, ids: &FxHashSet<NodeId>) -> FxHashMap<NodeId, Node> {
    let mut found = FxHashMap::default();
    // Those that are not found yet, with the ancestor that is looked for next.
    let mut missing: Vec<(NodeId, NodeId)> = ids.iter().map(|id| (*id, *id)).collect();
    missing.sort_unstable();
    while !missing.is_empty() {
        let mut ways: Vec<Vec<NodeId>> = Vec::with_capacity(missing.len());
        // A long way up is rare, and then for few of them.
        let steps = if missing.len() > 1 << 16 { 4 } else { STEPS };
        for (_, start) in &missing {
            let mut way = vec![*start];
            let mut at = *start;
            while way.len() < steps {
                let parent = trail.parent(at);
                if parent == NodeId::NONE || parent >= at {
                    break;
                }
                way.push(parent);
                at = parent;
            }
            ways.push(way);
        }
        let wanted: FxHashSet<u64> = ways.iter().flatten().map(|id| id.0).collect();
        let nodes = (0..tree.len()).map(Node).filter(|node| wanted.contains(&tree.handle(*node)));
        let nodes: FxHashMap<u64, Node> = nodes.map(|node| (tree.handle(node), node)).collect();
        let mut left = Vec::new();
        for ((id, _), way) in missing.into_iter().zip(ways) {
            match way.iter().find_map(|id| nodes.get(&id.0)) {
                Some(node) => {
                    found.insert(id, *node);
                }
                None if way.len() == steps => left.extend(way.last().map(|next| (id, *next))),
                None => {}
            }
        }
        missing = left;
    }
    found
}

/// The tree's node for a node of the trail.
pub(super) fn node_of(tree: &Tree, trail: &Trail, id: NodeId) -> Option<Node> {
    nodes_of(tree, trail, &FxHashSet::from_iter([id])).get(&id).copied()
}

/// The redex that raised the exception of the root.
///
/// Where arguments are evaluated before a call, that is the deepest call that ended in it. Where they are not, an
/// exception goes up through those that needed the value, which need not be those that made the call: but the exception
/// itself belongs to the redex that raised it.
pub(super) fn raiser(tree: &Tree, trail: &Trail) -> Option<Node> {
    let ends = Ends::default();
    let exception = |node: Node| match ends.of(trail, Ref::Node(NodeId(tree.handle(node)))) {
        End::Raised(exception) => Some(exception),
        // An action that was made, and ended in it when it was performed.
        End::Node(action, Shape { what: What::Action, .. }) => match trail.became(action) {
            Became::Raised(exception, _) => Some(exception),
            _ => None,
        },
        _ => None,
    };
    let mut at = match tree.raised(Node::ROOT) {
        true => Node::ROOT,
        // The root only made an action; the newest of those that nothing above ended with is what ended the run.
        false => (0..tree.len())
            .map(Node)
            .filter(|node| {
                tree.raised(*node) && !tree.parent(*node).is_some_and(|parent| tree.raised(parent))
            })
            .max_by_key(|node| tree.handle(*node))?,
    };
    let raised = exception(at);
    if trail.tables().evaluation == Evaluation::Lazy
        && let Some(Ref::Node(id)) = raised
        && let Some(node) = node_of(tree, trail, id)
        && exception(node) == raised
    {
        return Some(node);
    }
    while let Some(child) =
        tree.children(at).filter(|child| tree.raised(*child) && exception(*child) == raised).last()
    {
        at = child;
    }
    Some(at)
}
