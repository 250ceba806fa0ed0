//! What the nodes of a view say.

use super::View;
use super::actions::Actions;
use super::equation::equation;
use super::follow::{End, Ends};
use super::maps::Maps;
use super::mentions::Mentions;
use super::names;
use super::rules::region;
use super::strict::change_rows::ChangeRows;
use super::strict::{call, inside};
use super::values::{Limits, Run};
use gadfly_source::{Region, Sources};
use gadfly_trail::model::{Evaluation, NodeId, Origin, Piece, Position, Ref, Shape, What};
use gadfly_trail::{Became, Trail};
use gadfly_tree::{Behaviour, BehaviourError, Behaviours, Kind, Node, Tree};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// Reads what the nodes of a [`super::Viewed`] say; a node's handle is its number in the trail.
#[derive(Debug)]
pub struct RunBehaviours {
    trail: Arc<Trail>,
    sources: Sources,
    view: View,
    /// The constants of the program that are in the tree, by function.
    constants: FxHashMap<u32, Node>,
    mentions: OnceLock<Mentions>,
    /// Of a run with strict evaluation: what its calls changed, yielded and were sent.
    changes: OnceLock<ChangeRows>,
    ends: Ends,
    maps: Maps,
    actions: Actions,
    /// The nodes of the constants, and which of these are references and arrays.
    globals: OnceLock<Globals>,
}

/// The program's constants: their nodes by function, and the names of those that are references and arrays.
#[derive(Debug, Default)]
struct Globals {
    nodes: FxHashMap<u32, NodeId>,
    names: FxHashMap<NodeId, String>,
}

impl Behaviours for RunBehaviours {
    fn behaviour(&self, tree: &Tree, node: Node, whole: bool) -> Result<Behaviour, BehaviourError> {
        let id = NodeId(tree.handle(node));
        let limits = if whole { Limits::WHOLE } else { Limits::QUESTION };
        let missing = || BehaviourError {
            message: format!("the trail does not have what node {} says", node.number()),
        };
        let printed = |until| self.actions.printed(&self.trail, tree, node, limits.characters, until);
        if self.trail.tables().evaluation == Evaluation::Strict {
            let changes = self.changes.get_or_init(|| ChangeRows::new(&self.trail));
            let equation = match tree.kind(node) {
                Kind::Projection => {
                    let members = inside::members(tree, node);
                    let ids: Vec<NodeId> = members.iter().map(|node| NodeId(tree.handle(*node))).collect();
                    let rounds = members.first().and_then(|first| inside::round(tree, *first));
                    call::together(&self.trail, changes, &ids, rounds, limits, || printed(u64::MAX))
                }
                _ => {
                    let round = inside::round(tree, node);
                    let below = Node(node.0 + tree.size(node) - 1);
                    let below = NodeId(tree.handle(below));
                    call::equation(&self.trail, changes, id, round, below, limits, || printed(u64::MAX))
                }
            };
            let code = inside::code(&self.trail, &self.sources, tree, node);
            return Ok(Behaviour { equation: equation.ok_or_else(missing)?, code });
        }
        self.globals.get_or_init(|| self.find_globals(tree));
        let equation = equation(self.run(), id, limits, printed).ok_or_else(missing)?;
        Ok(Behaviour { equation, code: self.code(id) })
    }

    fn effort(&self, tree: &Tree, node: Node) -> u32 {
        self.measure(NodeId(tree.handle(node)))
    }

    fn uses(&self, tree: &Tree, node: Node) -> Vec<Node> {
        let Some((function, _)) = self.run().redex(NodeId(tree.handle(node))) else { return Vec::new() };
        let tables = self.trail.tables();
        let rule = tree.rules().get(tree.rule_id(node)).number;
        let mentions = self.mentions.get_or_init(|| Mentions::new(tables));
        let used = tables.functions[function as usize].constants.iter();
        let used = used
            .filter(|constant| mentions.may_use(function, rule, **constant))
            .filter_map(|constant| self.constants.get(constant).copied());
        let mut found: Vec<Node> = used.collect();
        // The text of a function does not say which instance's method it uses.
        let is_method = |constant: u32| {
            let origin = &tables.functions[constant as usize].origin;
            matches!(origin, Origin::Method { .. } | Origin::Default { .. })
        };
        let methods = self.constants.iter().filter(|(constant, _)| is_method(**constant));
        let mut through: Vec<Node> = methods.map(|(_, node)| *node).chain(found.iter().copied()).collect();
        through.sort_unstable();
        through.dedup();
        found.retain(|constant| *constant != node && tree.parent(*constant) != Some(node));
        for constant in through {
            self.called_through(tree, constant, node, &mut found);
        }
        found
    }
}

/// No equation counts as harder to read than this.
const EFFORT_LIMIT: u32 = 1 << 12;
/// At most this many parts of an equation are looked at to measure it.
const PARTS_MEASURED: usize = 64;

impl RunBehaviours {
    pub(super) fn new(
        trail: Arc<Trail>,
        view: View,
        sources: Sources,
        constants: FxHashMap<u32, Node>,
        maps: Maps,
    ) -> RunBehaviours {
        let (ends, actions) = (Ends::default(), Actions::default());
        let (mentions, changes) = (OnceLock::new(), OnceLock::new());
        let globals = OnceLock::new();
        RunBehaviours { trail, sources, view, constants, mentions, changes, ends, maps, actions, globals }
    }

    pub(super) fn trail(&self) -> &Arc<Trail> {
        &self.trail
    }

    /// The calls that a node made of a constant that is a function. Such a call is a child of the constant, which made the
    /// function's symbol (S2 §4); but it is the call that says what the constant is for this node.
    fn called_through(&self, tree: &Tree, constant: Node, node: Node, found: &mut Vec<Node>) {
        let caller = NodeId(tree.handle(node));
        let calls = tree.children(constant).filter(|child| *child != node);
        let calls = calls.filter(|child| {
            let call = NodeId(tree.handle(*child));
            self.trail.shape(call).what == What::Apply && self.caller(call, caller) == caller
        });
        found.extend(calls);
    }

    /// The recorded redex that made a call; at least as new as a given one, or none.
    fn caller(&self, call: NodeId, first: NodeId) -> NodeId {
        let run = self.run();
        let recorded = |node| {
            run.redex(node).is_some_and(|(function, _)| {
                self.trail.tables().functions.get(function as usize).is_some_and(|function| function.recorded)
            })
        };
        let mut at = self.trail.parent(call);
        while at >= first && at != NodeId::NONE && !recorded(at) {
            at = self.trail.parent(at);
        }
        at
    }

    fn find_globals(&self, tree: &Tree) -> Globals {
        let known = self.constants.iter().filter(|(_, node)| node.0 < tree.len());
        let nodes: FxHashMap<u32, NodeId> =
            known.map(|(function, node)| (*function, NodeId(tree.handle(*node)))).collect();
        let run = self.run();
        let name = |function: u32| names::function(run.tables(), function);
        let places = nodes
            .iter()
            .filter_map(|(function, node)| Some((run.place(Ref::Node(*node))?.node, name(*function))));
        let mut names: FxHashMap<NodeId, String> = FxHashMap::default();
        for (node, name) in places {
            // Of two names of one thing always the same.
            match names.get_mut(&node) {
                Some(known) if *known <= name => {}
                _ => drop(names.insert(node, name)),
            }
        }
        Globals { nodes, names }
    }

    fn run(&self) -> Run<'_> {
        static NONE: std::sync::LazyLock<Globals> = std::sync::LazyLock::new(Globals::default);
        let globals = self.globals.get().unwrap_or(&NONE);
        Run {
            globals: &globals.names,
            globals_of: &globals.nodes,
            trail: &self.trail,
            ends: &self.ends,
            maps: &self.maps,
            actions: &self.actions,
            view: self.view,
        }
    }

    /// The redex that wrote a byte.
    pub(super) fn writer(&self, offset: u64) -> Option<NodeId> {
        let wrote = self.actions.wrote(&self.trail);
        let after = wrote.partition_point(|wrote| wrote.offset <= offset);
        let wrote = wrote[..after].iter().rev().find(|wrote| wrote.length > 0)?;
        (offset - wrote.offset < wrote.length).then_some(wrote.by)
    }

    /// The pieces of the output that were kept.
    pub(super) fn output(&self) -> Vec<(u64, Vec<u8>)> {
        let wrote = self.actions.wrote(&self.trail).iter();
        wrote.filter_map(|wrote| Some((wrote.offset, wrote.text.clone()?))).collect()
    }

    /// The code that ran for a redex, where that is less than its equation: of several guarded alternatives, those after
    /// the one that was taken did not.
    fn code(&self, id: NodeId) -> Vec<Region> {
        let position = match self.trail.became(id) {
            Became::Value(_, position) | Became::Raised(_, position) | Became::Unfinished(position) => {
                position
            }
            Became::Nothing => Position::NONE,
        };
        self.ran(id, position).unwrap_or_default()
    }

    fn ran(&self, id: NodeId, position: Position) -> Option<Vec<Region>> {
        let (function, _) = self.run().redex(id)?;
        let expression = self.trail.expression(position).filter(|known| known.function == function)?;
        let (equation, alternative) = expression.rule;
        let function = &self.trail.tables().functions[function as usize];
        let rule = function.rules.get((equation as usize).checked_sub(1)?)?;
        let taken = rule.alternatives.get((alternative as usize).checked_sub(1)?)?;
        let last = rule.alternatives.last().filter(|last| last.end > taken.end)?;
        let whole = rule.piece;
        let pieces = [Piece { end: taken.end, ..whole }, Piece { start: last.end, ..whole }];
        let text = self.trail.tables().files.get(whole.file as usize)?.text.as_str();
        let says_something = |piece: &Piece| {
            text.get(piece.start as usize..piece.end as usize).is_some_and(|text| !text.trim().is_empty())
        };
        Some(
            pieces
                .into_iter()
                .filter(says_something)
                .filter_map(|piece| region(&self.sources, piece))
                .collect(),
        )
    }

    /// About how many characters an equation has, by looking at some of its parts.
    fn measure(&self, id: NodeId) -> u32 {
        let run = self.run();
        let Some((function, arguments)) = run.redex(id) else { return EFFORT_LIMIT };
        let mut characters = names::function(run.tables(), function).len() as u32 + 3;
        let mut parts = std::collections::VecDeque::from(arguments);
        parts.push_back(Ref::Node(id));
        let mut looks = 0;
        while let Some(part) = parts.pop_front() {
            looks += 1;
            if looks > PARTS_MEASURED {
                return EFFORT_LIMIT.min(characters + 4 * (1 + parts.len() as u32));
            }
            characters += 1 + match run.end(part) {
                End::Value(Ref::Int(value)) => value.checked_ilog10().unwrap_or(0) + 1,
                End::Value(Ref::Text { string, from }) => run
                    .tables()
                    .strings
                    .get(string as usize)
                    .map_or(0, |text| text.len() as u32)
                    .saturating_sub(from),
                End::Value(Ref::Constructor(constructor))
                | End::Node(_, Shape { what: What::Construct(constructor), .. }) => {
                    let fields = run.construct(run.end(part)).map(|(_, fields)| fields).unwrap_or_default();
                    parts.extend(fields);
                    let known = run.tables().constructors.get(constructor as usize);
                    known.map_or(1, |known| known.name.len() as u32)
                }
                // A function is harder to read than anything else.
                End::Node(_, Shape { what: What::Partial(_), .. }) => 16,
                End::Node(_, Shape { what: What::Array, count, .. }) => count,
                End::Node(_, Shape { what: What::Integer, count, .. }) => 18 * count,
                _ => 3,
            };
        }
        characters.min(EFFORT_LIMIT)
    }
}
