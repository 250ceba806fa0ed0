//! How long the transformations take, by shape of the tree.
//!
//! `cargo bench -p gadfly-tree --bench transformations [-- NODES]`, with 10,000,000 nodes unless told. Every node of the
//! executions runs one expression of its own; `simplify` moves every eighth node to the root. One run each.

#![allow(clippy::print_stdout, missing_docs, reason = "a bench prints what it measured")]

use gadfly_tree::transform::{
    AnyNeighbours, Balance, Execution, Expression, LoopRun, LoopShape, Loops, Move, Round, Span, balance,
    compress, expand_loops, simplify,
};
use gadfly_tree::{Entry, Kind, NO_PARENT, Node, Rule, Tree, TreeBuilder};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let count: u32 = std::env::args().filter_map(|word| word.parse().ok()).next_back().unwrap_or(10_000_000);
    println!("{count} nodes, in seconds");
    println!("{:10}{:>12}{:>12}{:>12}{:>12}", "shape", "balance", "compress", "simplify", "execution");
    for shape in ["wide", "deep", "comb", "hundreds", "random"] {
        let tree = grow(shape, count);
        let balanced = time(|| balance(&tree, &AnyNeighbours, Balance::default()).tree.len());
        let compressed = time(|| compress(&tree, |_| true).tree.len());
        let spans = (0..count).map(|node| Span { begin: node, end: node + tree.size(Node(node)) }).collect();
        let steps = (0..count).map(Expression).collect();
        let Ok(run) = Execution::new(tree, steps, spans) else { continue };
        let moves: Vec<Move> =
            (1..count / 8).map(|node| Move { node: Node(8 * node), creator: Node::ROOT }).collect();
        let simplified = time(|| simplify(&run, &moves).map_or(0, |new| new.execution.tree().len()));
        let execution = time(|| run.balance(Balance::default()).execution.tree().len());
        println!("{shape:10}{balanced:12.2}{compressed:12.2}{simplified:12.2}{execution:12.2}");
    }
    for shape in [LoopShape::Chain, LoopShape::Star] {
        println!("a loop of {count} rounds, {shape:?}: {:.2}", rounds(shape, count));
    }
}

fn time(run: impl FnOnce() -> u32) -> f64 {
    let start = Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64()
}

fn grow(shape: &str, count: u32) -> Tree {
    let mut builder = TreeBuilder::new();
    let rules = ["f", "g", "h"].map(|function| builder.rules().intern(Rule::named(function)));
    let mut state = 1u64;
    let mut parents = vec![NO_PARENT];
    builder.push(Entry { rule: rules[0], kind: Kind::Routine, raised: false, handle: 0 });
    for node in 1..count {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        parents.push(match shape {
            "wide" => 0,
            "deep" => node - 1,
            // Every fourth node goes on; the others are leaves.
            "comb" => (node - 1) / 4 * 4,
            "hundreds" => (node - 1) / 100,
            _ => ((state >> 33) % u64::from(node)) as u32,
        });
        let rule = rules[(state >> 40) as usize % rules.len()];
        builder.push(Entry { rule, kind: Kind::Routine, raised: false, handle: u64::from(node) });
    }
    builder.finish(parents).unwrap_or_else(|error| panic!("{error}"))
}

fn rounds(shape: LoopShape, count: u32) -> f64 {
    let tree = grow("wide", 1);
    let rule = tree.rule_id(Node::ROOT);
    let whole = Span { begin: 0, end: count };
    let Ok(run) = Execution::new(tree, vec![Expression(1); count as usize], vec![whole]) else { return 0.0 };
    let mut loops = Loops::default();
    let round = |begin| Round { span: Span { begin, end: begin + 1 }, handle: 0 };
    loops.push(LoopRun { owner: Node::ROOT, rule, span: whole, handle: 0 }, (0..count).map(round));
    time(|| expand_loops(&run, &loops, shape).map_or(0, |new| new.execution.tree().len()))
}
