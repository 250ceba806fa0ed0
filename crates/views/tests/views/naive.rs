//! The trees by their definitions, as plainly as possible, compared with those of the views on programs made by chance.

use super::stage::Program;
use super::{line, look};
use gadfly_trail::model::*;
use gadfly_trail::{Became, Trail};
use gadfly_tree::{Behaviours as _, Node};
use gadfly_views::{Options, Order, View, ViewError, view};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The end of a chain of reductions (S2 Def. 4); none if that is no node, or what needs itself.
fn last(trail: &Trail, node: NodeId) -> Option<NodeId> {
    let mut at = node;
    for _ in 0..=trail.node_count() {
        match trail.became(at) {
            Became::Value(Ref::Node(next), _) => at = next,
            Became::Value(..) => return None,
            _ => return Some(at),
        }
    }
    None
}

/// The function that a node applies or is, how many arguments it has, and its symbol's node (S2 Def. 11).
fn function(trail: &Trail, node: NodeId, depth: usize) -> Option<(u32, usize, Option<NodeId>)> {
    let shape = trail.shape(node);
    if depth > 100 {
        return None;
    }
    match shape.what {
        What::Partial(function) => Some((function, shape.count as usize, Some(node))),
        What::Apply => {
            let (found, given, symbol) = match trail.reference(node, 0) {
                Ref::Node(applied) => {
                    // Only an application that was not reduced is a function.
                    let applied = last(trail, applied)?;
                    (trail.became(applied) == Became::Nothing)
                        .then(|| function(trail, applied, depth + 1))??
                }
                Ref::Function(found) => (found, 0, None),
                _ => return None,
            };
            Some((found, given + shape.count as usize - 1, symbol))
        }
        _ => None,
    }
}

/// The function of a redex, and its symbol's node.
fn redex(trail: &Trail, node: NodeId) -> Option<(u32, Option<NodeId>)> {
    if trail.became(node) == Became::Nothing {
        return None;
    }
    let (found, symbol) = match trail.shape(node).what {
        What::Call(found) | What::Constant(found) => (found, None),
        What::Apply => {
            let (found, given, symbol) = function(trail, node, 0)?;
            (trail.tables().functions[found as usize].parameters.len() == given).then_some((found, symbol))?
        }
        _ => return None,
    };
    trail.tables().functions[found as usize].recorded.then_some((found, symbol))
}

/// The tree: nodes in preorder, with their parents.
fn tree(trail: &Trail, shown: View, order: Order) -> Vec<(NodeId, Option<NodeId>)> {
    let redexes: BTreeMap<NodeId, (u32, Option<NodeId>)> =
        (1..=trail.node_count()).map(NodeId).filter_map(|node| Some((node, redex(trail, node)?))).collect();
    let parentless = || redexes.keys().filter(|node| trail.parent(**node) == NodeId::NONE);
    let is_main = |node: &&NodeId| trail.tables().functions[redexes[node].0 as usize].name == "main";
    let Some(root) = parentless().find(is_main).or_else(|| parentless().next()).copied() else {
        return Vec::new();
    };
    let made = |node: NodeId| match redexes[&node].1 {
        Some(symbol) if shown == View::Fdt => symbol,
        _ => node,
    };
    let parent = |node: NodeId| {
        let mut above = trail.parent(made(node));
        while above != NodeId::NONE && !redexes.contains_key(&above) {
            above = trail.parent(above);
        }
        if above == NodeId::NONE { root } else { above }
    };
    let key = |node: &NodeId| {
        let made = made(*node);
        let symbol = made != *node;
        let expression = trail.expression(trail.shape(made).position);
        let rank = expression.map_or([u64::MAX, 0, 0], |expression| {
            let piece = expression.piece.unwrap();
            match order {
                Order::Outermost => [expression.rank.into(), symbol.into(), 0],
                Order::Innermost => [piece.end.into(), u64::MAX - u64::from(piece.start), (!symbol).into()],
            }
        });
        (rank, made.max(*node), *node)
    };
    let mut children: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for node in redexes.keys().filter(|node| **node != root) {
        children.entry(parent(*node)).or_default().push(*node);
    }
    let mut preorder = Vec::new();
    let mut left = vec![(root, None)];
    while let Some((node, above)) = left.pop() {
        preorder.push((node, above));
        let mut below = children.get(&node).cloned().unwrap_or_default();
        below.sort_by_key(key);
        left.extend(below.into_iter().rev().map(|child| (child, Some(node))));
    }
    assert_eq!(preorder.len(), redexes.len(), "everything is under the root");
    preorder
}

/// A program made by chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % count
    }

    fn program(&mut self, first_order: bool) -> String {
        let arities: Vec<usize> = (0..4).map(|_| self.below(4) as usize).collect();
        let mut text = format!("main = {}\n", self.term(&[], &arities, 4, first_order));
        for (function, arity) in arities.iter().enumerate() {
            let names: Vec<String> = (0..*arity).map(|at| format!("x{at}")).collect();
            if *arity > 0 && self.below(2) == 0 {
                let pattern = ["0", "A", "(B y)", "(y:z)"][self.below(4) as usize];
                let mut known: Vec<String> = names[1..].to_vec();
                known.extend(pattern.contains('y').then(|| "y".to_owned()));
                known.extend(pattern.contains('z').then(|| "z".to_owned()));
                let body = self.term(&known, &arities, 3, first_order);
                let rest = names[1..].join(" ");
                text += &format!("f{function} {pattern} {rest} = {body}\n");
            }
            let body = self.term(&names, &arities, 3, first_order);
            text += &format!("f{function} {} = {body}\n", names.join(" "));
        }
        text += "t_twice g x = g (g x)\nt_values x = [A, True, False]\n";
        text
    }

    fn term(&mut self, names: &[String], arities: &[usize], depth: usize, first_order: bool) -> String {
        let simple = depth == 0;
        let parts = |chance: &mut Self, count: usize| -> String {
            let parts: Vec<String> = (0..count)
                .map(|_| chance.term(names, arities, depth.saturating_sub(1), first_order))
                .collect();
            parts.join(" ")
        };
        match self.below(if simple { 4 } else { 14 }) {
            0 | 1 if !names.is_empty() => names[self.below(names.len() as u64) as usize].clone(),
            0..=2 => self.below(3).to_string(),
            3 => "A".into(),
            4 => format!("(B {})", parts(self, 1)),
            5 => format!("[{}]", parts(self, 1)),
            6 => format!("({} + {})", parts(self, 1), parts(self, 1)),
            7 if !first_order && !names.is_empty() => {
                let count = 1 + self.below(2) as usize;
                format!("({} {})", names[self.below(names.len() as u64) as usize], parts(self, count))
            }
            8 if !first_order => {
                let mut inner: Vec<String> = names.to_vec();
                inner.push(format!("y{depth}"));
                let body = self.term(&inner, arities, depth - 1, first_order);
                format!("(\\y{depth} -> {body})")
            }
            9 if !first_order => format!("(map {})", parts(self, 2)),
            10 if !first_order => format!("(t_twice {})", parts(self, 2)),
            _ => {
                let function = self.below(arities.len() as u64) as usize;
                let most = arities[function] + usize::from(!first_order);
                let count = if first_order {
                    most
                } else {
                    self.below(most as u64 + 1).max(self.below(most as u64 + 1)) as usize
                };
                format!("(f{function} {})", parts(self, count))
            }
        }
    }
}

fn compare(text: &str, fuel: usize) {
    let trail = Arc::new(Program::new(text).run(fuel));
    let mut sets = Vec::new();
    let mut trees = Vec::new();
    for shown in [View::Edt, View::Fdt] {
        for order in [Order::Outermost, Order::Innermost] {
            let expected = tree(&trail, shown, order);
            let viewed = match view(trail.clone(), &Options { view: shown, order, start: None }) {
                Ok(viewed) => viewed,
                Err(ViewError::Empty) => {
                    assert!(expected.is_empty(), "{text}");
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            let id = |node: Node| NodeId(viewed.tree.handle(node));
            let nodes = || (0..viewed.tree.len()).map(Node);
            let found: Vec<_> = nodes().map(|node| (id(node), viewed.tree.parent(node).map(id))).collect();
            assert_eq!(found, expected, "{shown:?} {order:?}\n{text}");
            for node in nodes() {
                line(&viewed, node);
                // As a whole, maps of functions that are applied to themselves are huge.
                if shown == View::Edt {
                    viewed.behaviours.behaviour(&viewed.tree, node, true).expect("it is in the trail");
                }
                viewed.behaviours.effort(&viewed.tree, node);
                assert_eq!(viewed.node_of(id(node)), Some(node));
            }
            viewed.raiser();
            sets.push(nodes().map(id).collect::<BTreeSet<NodeId>>());
            trees.push(found);
        }
    }
    assert!(sets.windows(2).all(|pair| pair[0] == pair[1]), "the same nodes in all trees\n{text}");
    let functional = |what: What| matches!(what, What::Apply | What::Partial(_));
    if !(1..=trail.node_count()).any(|node| functional(trail.shape(NodeId(node)).what)) && trees.len() == 4 {
        assert_eq!(trees[0], trees[2], "first-order\n{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn views_are_what_the_definitions_say(seed in any::<u64>(), fuel in 0usize..120) {
        compare(&Chance(seed).program(false), fuel);
    }

    #[test]
    fn first_order_programs_have_one_tree(seed in any::<u64>(), fuel in 0usize..120) {
        compare(&Chance(seed).program(true), fuel);
    }
}

#[test]
fn an_application_that_is_older_than_its_function_hangs_under_who_made_that() {
    let text = "\
main = use (make 3)
use g = g 4 + 1
make x = inner x
inner x = \\y -> x + y
";
    let fdt = look(Program::new(text).run(100), View::Fdt, Order::Outermost);
    super::check(
        &fdt,
        "
        main = 8
          use {4 ↦ 7} = 8
          make 3 = {4 ↦ 7}
            inner 3 = {4 ↦ 7}
              (\\y -> x + y) 4 = 7  where x = 3
        ",
    );
    compare(text, 100);
}
