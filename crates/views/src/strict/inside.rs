//! The inside of one call, as a tree of its own: loops, their rounds, statements (S3 §4, the ET of any code).
//!
//! Where a loop has many rounds, or a block many statements, new nodes stand over some of them, so that they can be asked about
//! together (S3 §4.4, tree balancing); what such a node says begins where its first part begins, and ends where its last one ends.
//!
//! The calls that were made meanwhile are not in it: they have been answered for when the call itself was found to be wrong,
//! and what they did is what the statements say. The root is the call; the code that answers for a node is what stands before
//! other statements in it, so that it is never code that did not run (S3 Lemma 1). Where nothing stands there that could be wrong,
//! because each part is right and yet the whole is not, it is all that ran.

use crate::behaviours::RunBehaviours;
use crate::maps::Maps;
use crate::rules::region;
use crate::{Options, View, ViewError, Viewed, about, fingerprint};
use gadfly_source::{Region, SourceFile, Sources};
use gadfly_trail::model::{Function, NodeId, Origin, What};
use gadfly_trail::{Became, Trail};
use gadfly_tree::transform::{Balance, Siblings, balance};
use gadfly_tree::{Entry, Kind, NO_PARENT, Node, Rule, Tree, TreeBuilder};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The inside of a call; by default, of the first one in the trail. An error if nothing is known of it.
/// Balanced, it has nodes that stand over many rounds or statements.
pub fn zoom(trail: Arc<Trail>, call: Option<NodeId>, balanced: bool) -> Result<Viewed, ViewError> {
    let tables = trail.tables();
    let mut sources = Sources::new();
    for file in &tables.files {
        sources.add(SourceFile::new(file.path.as_str(), Some(file.text.clone())));
    }
    let function = |node| match trail.shape(node).what {
        What::Call(function) => tables.functions.get(function as usize),
        _ => None,
    };
    let nodes = || (1..=trail.node_count()).map(NodeId);
    let is_call = |node: &NodeId| function(*node).is_some_and(|function| !function.origin.is_inside());
    let call = call.or_else(|| nodes().find(is_call)).ok_or(ViewError::Empty)?;
    let whole = function(call).ok_or(ViewError::Empty)?;
    let mut builder = TreeBuilder::new();
    let mut parents = vec![NO_PARENT];
    let mut numbers = FxHashMap::from_iter([(call, 0u32)]);
    push(&mut builder, &trail, &sources, whole, whole, call);
    for node in nodes().skip_while(|node| *node <= call) {
        let Some(inside) = function(node).filter(|function| function.origin.is_inside()) else { continue };
        let Some(parent) = numbers.get(&trail.parent(node)).copied() else { continue };
        numbers.insert(node, builder.len() as u32);
        parents.push(parent);
        push(&mut builder, &trail, &sources, whole, inside, node);
    }
    if parents.len() < 2 {
        return Err(ViewError::Empty);
    }
    let tree = builder.finish(parents).map_err(|_| ViewError::Empty)?;
    let tree = match balanced {
        true => balance(&tree, &Alike(&tree), Balance { least: FEWEST, collapse: false }).tree,
        false => tree,
    };
    let about = about(tables);
    let fingerprint = fingerprint(&trail, &Options::default(), View::Edt) ^ u128::from(call.0);
    let behaviours =
        RunBehaviours::new(trail, View::Edt, sources.clone(), FxHashMap::default(), Maps::default());
    let (tree, behaviours) = (Arc::new(tree), Arc::new(behaviours));
    let (view, unreadable, local) = (View::Edt, None, Vec::new());
    Ok(Viewed { tree, about, sources, behaviours, fingerprint, view, unreadable, local })
}

/// No node stands over fewer than this.
const FEWEST: u32 = 4;

/// Rounds are asked about together, and so are statements.
struct Alike<'t>(&'t Tree);

impl Siblings for Alike<'_> {
    fn join(&self, left: Node, right: Node) -> bool {
        (self.0.kind(left) == Kind::Iteration) == (self.0.kind(right) == Kind::Iteration)
    }

    fn same_code(&self, _left: Node, _right: Node) -> bool {
        false
    }
}

/// The nodes that a node stands over: itself, unless it is there to stand over others.
pub(crate) fn members(tree: &Tree, node: Node) -> Vec<Node> {
    let mut found = Vec::new();
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        match tree.kind(node) {
            Kind::Projection => {
                let children: Vec<Node> = tree.children(node).collect();
                waiting.extend(children.into_iter().rev());
            }
            _ => found.push(node),
        }
    }
    found
}

/// A node for a call, or for a piece of its inside.
fn push(
    builder: &mut TreeBuilder,
    trail: &Trail,
    sources: &Sources,
    whole: &Function,
    piece: &Function,
    node: NodeId,
) {
    let module = trail.tables().modules.get(piece.module as usize);
    let rule = builder.rules().intern(Rule {
        function: whole.name.as_str().into(),
        number: None,
        module: module.map(|module| module.name.as_str()).filter(|name| !name.is_empty()).map(Into::into),
        path: if piece.origin.is_inside() { [piece.name.as_str().into()].into() } else { Box::default() },
        region: piece.piece.and_then(|piece| region(sources, piece)),
    });
    let kind = match piece.origin {
        Origin::Loop => Kind::Loop,
        Origin::Round => Kind::Iteration,
        Origin::Statement | Origin::Header => Kind::Block,
        _ => Kind::Routine,
    };
    let raised = matches!(trail.became(node), Became::Raised(..));
    builder.push(Entry { rule, kind, raised, handle: node.0 });
}

/// Which round of its loop a node is.
pub(crate) fn round(tree: &Tree, node: Node) -> Option<usize> {
    if tree.kind(node) != Kind::Iteration {
        return None;
    }
    let mut above = tree.parent(node)?;
    while tree.kind(above) == Kind::Projection {
        above = tree.parent(above)?;
    }
    let rounds = (above.0 + 1..node.0).map(Node).filter(|one| tree.kind(*one) == Kind::Iteration);
    // Rounds of loops inside are further down.
    Some(1 + rounds.filter(|one| !inner(tree, above, *one)).count())
}

/// Whether a round belongs to another loop than one that it is under.
fn inner(tree: &Tree, outer: Node, round: Node) -> bool {
    let mut above = tree.parent(round);
    while let Some(node) = above.filter(|node| tree.kind(*node) == Kind::Projection) {
        above = tree.parent(node);
    }
    above != Some(outer)
}

/// The code that answers for a node of such a tree; nothing if the tree is one of calls.
pub(crate) fn code(trail: &Trail, sources: &Sources, tree: &Tree, node: Node) -> Vec<Region> {
    let functions = &trail.tables().functions;
    let number = |node: Node| match trail.shape(NodeId(tree.handle(node))).what {
        What::Call(function) => Some(function),
        _ => None,
    };
    // What handles exceptions ran only if there was one.
    let own = |node: Node| {
        let function = number(node).and_then(|function| functions.get(function as usize));
        let rules =
            function.filter(|function| function.origin.is_inside()).map_or(&[][..], |known| &known.rules);
        let raised = rules.len() > 1 && tree.children(node).any(|child| tree.raised(child));
        let ran = if raised { rules.len() } else { 1 };
        rules.iter().take(ran).filter_map(|rule| region(sources, rule.piece)).collect::<Vec<Region>>()
    };
    let mut code: Vec<Region> = match tree.kind(node) {
        // Between rounds, it is the loop that goes on.
        Kind::Projection => {
            let rounds = members(tree, node);
            match rounds.first() {
                Some(first) if tree.kind(*first) == Kind::Iteration => own(*first),
                _ => rounds.into_iter().flat_map(own).collect(),
            }
        }
        Kind::Routine | Kind::Iteration => {
            let inside = tree.subtree(node).map(Node).skip(1);
            if inside.clone().any(|node| tree.kind(node) == Kind::Routine) {
                return Vec::new();
            }
            inside.flat_map(own).collect()
        }
        _ => own(node),
    };
    if let (Kind::Routine, false, Some(function)) = (tree.kind(node), code.is_empty(), number(node)) {
        let header = functions
            .iter()
            .find(|one| one.origin == Origin::Header && one.parent == Some(function))
            .and_then(|header| region(sources, header.piece?));
        code.extend(header);
    }
    code.sort_unstable_by_key(|region| (region.start, region.end));
    code.dedup();
    code
}
