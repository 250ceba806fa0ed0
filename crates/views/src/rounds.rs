//! Where a run without end goes round: calls that never ended, each inside of the one before, by the same rules again and
//! again.
//!
//! If a call has the arguments of one around it, the run goes in a circle, and the calls between the two are a round. If
//! arguments only grow, the rules still repeat; then a round is the last one that was complete.

use super::Viewed;
use super::follow::{End, Ends};
use gadfly_term::{Equation, Shape as TermShape};
use gadfly_trail::model::{Evaluation, NodeId, Ref, RunEnd, Shape, What};
use gadfly_trail::{Became, Trail};
use gadfly_tree::{Behaviours as _, Node, Tree};
use rustc_hash::FxHashMap;

/// A run without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endless {
    /// The calls of one round, each inside of the one before.
    pub round: Vec<Node>,
    /// The call that begins the next round.
    pub again: Node,
    /// The first call that is like those of the round.
    pub first: Node,
    /// Whether it has the arguments of the round's first call.
    pub is_circle: bool,
}

/// No more rules than this make a round.
const RULES: usize = 64;
/// The arguments of no more calls are compared.
const COMPARED: usize = 512;
/// A run that was cut off, and one that came to an exception, must have gone round so often.
const CUT_OFF: usize = 8;
const RAISED: usize = 200;
/// A circle must have been gone round so often: to call a function again with the same arguments may be an accident.
const CIRCLES: usize = 3;

impl Viewed {
    /// Where the run goes round, if it was cut off or came to an exception in calls that repeat.
    pub fn endless(&self) -> Option<Endless> {
        let trail = self.trail();
        let least = match trail.end() {
            None | Some(RunEnd::Interrupted | RunEnd::Limit(_)) => CUT_OFF,
            Some(RunEnd::Uncaught(..)) if trail.tables().evaluation == Evaluation::Strict => RAISED,
            Some(RunEnd::Uncaught(..) | RunEnd::Exit(_) | RunEnd::Unrecorded) => return None,
        };
        let whole = path(&self.tree, trail);
        let mut path = &whole[..];
        let (from, period) = (0..=RULES.min(whole.len())).find_map(|left| {
            path = &whole[..whole.len() - left];
            repeated(&self.tree, path)
        })?;
        if !self.are_on_the_way(path, period, &whole[path.len()..]) {
            return None;
        }
        let often = (path.len() - from) / period;
        if let Some((first, again)) = self.circle(&path[from..])
            && (path.len() - from - first) / (again - first) >= CIRCLES
        {
            let (first, again) = (from + first, from + again);
            let round = path[first..again].to_vec();
            return Some(Endless { first: round[0], round, again: path[again], is_circle: true });
        }
        if often < least {
            return None;
        }
        // What was being evaluated when the run was cut off is not known well.
        let last = path.len() - period * 2;
        let start = last - (last - from) % period;
        let round = path[start..start + period].to_vec();
        Some(Endless { round, again: path[start + period], first: path[from], is_circle: false })
    }

    /// Whether the last calls of a path are such as the rounds before them made: then they had hardly begun, or were on their
    /// way to the next round. If not, the run may have been busy with something else.
    fn are_on_the_way(&self, path: &[Node], period: usize, last: &[Node]) -> bool {
        let tree = &self.tree;
        let rule = |node: Node| tree.rules().get(tree.rule_id(node));
        let Some(&[start, ..]) = path.get(path.len().saturating_sub(2 * period)..) else { return false };
        let Some(&[end, ..]) = path.get(path.len().saturating_sub(period)..) else { return false };
        let round: Vec<Node> = tree
            .subtree(start)
            .map(Node)
            .filter(|node| *node == end || !tree.is_within(*node, end))
            .collect();
        last.iter().all(|node| round.iter().any(|known| rule(*known).same_function(rule(*node))))
    }

    /// The first call whose arguments are those of one before it, with that: both by their places on the path.
    fn circle(&self, path: &[Node]) -> Option<(usize, usize)> {
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        for (at, node) in path.iter().take(COMPARED).enumerate() {
            let behaviour = self.behaviours.behaviour(&self.tree, *node, false).ok()?;
            let Some(key) = arguments(&behaviour.equation) else { continue };
            let rule = self.tree.rule_id(*node).0;
            if let Some(before) = known.insert(format!("{rule} {key}"), at) {
                return Some((before, at));
            }
        }
        None
    }
}

/// A text that equations share exactly if their arguments are the same; none if not all of these are known.
fn arguments(equation: &Equation) -> Option<String> {
    let terms = &equation.terms;
    let mut text = String::new();
    let values = equation.arguments.iter().map(|argument| argument.value);
    for value in values.chain(equation.before.iter().map(|binding| binding.value)) {
        let mut work = vec![value];
        while let Some(term) = work.pop() {
            match terms.shape(term) {
                TermShape::Unevaluated | TermShape::Omitted(_) | TermShape::Opaque(_) => return None,
                TermShape::FiniteMap(_) => return None,
                TermShape::Str(_, more) if more > 0 => return None,
                _ => work.extend(terms.children(term)),
            }
        }
        terms.canonical(value, &mut text);
    }
    Some(text)
}

/// The calls that had not ended, or ended in the run's exception, from the root down.
fn path(tree: &Tree, trail: &Trail) -> Vec<Node> {
    let ends = Ends::default();
    let waits = |node: Node| {
        tree.raised(node)
            || match ends.of(trail, Ref::Node(NodeId(tree.handle(node)))) {
                End::Unfinished => true,
                End::Node(action, Shape { what: What::Action, .. }) => {
                    matches!(trail.became(action), Became::Nothing | Became::Unfinished(_))
                }
                _ => false,
            }
    };
    let mut path = vec![Node::ROOT];
    let mut at = Node::ROOT;
    while let Some(child) = tree.children(at).filter(|child| waits(*child)).last() {
        path.push(child);
        at = child;
    }
    path
}

/// From where on the rules of a path repeat, and after how many.
fn repeated(tree: &Tree, path: &[Node]) -> Option<(usize, usize)> {
    let rule = |at: usize| tree.rule_id(path[at]);
    let mut best: Option<(usize, usize)> = None;
    for period in 1..=RULES.min(path.len() / CIRCLES) {
        let mut from = path.len() - period;
        while from > 0 && rule(from - 1) == rule(from - 1 + period) {
            from -= 1;
        }
        let is_often = (path.len() - from) / period >= CIRCLES;
        if is_often && best.is_none_or(|(known, _)| from + period < known) {
            best = Some((from, period));
        }
    }
    best
}
