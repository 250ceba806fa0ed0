//! How long the next question takes after an answer, by strategy, shape and size of the tree.
//!
//! `cargo bench -p gadfly-engine --bench questions [-- MOST] [SHAPE] [STRATEGY]`, with MOST nodes (10,000,000 unless told). Each session
//! has a planted bug and a truthful oracle; the first questions (at most 40) are timed, answer and all. Strategies that
//! weigh every node by the rules' history are told as a ratio too: their time, to the time of one sequential pass over
//! one f64 column of the suspicious area, measured in the same run.

#![allow(clippy::print_stdout, missing_docs, reason = "a bench prints what it measured")]

use gadfly_engine::strategy::{Addends, Bias, Context, StrategyName};
use gadfly_engine::{Counted, Judgement, Measure, State};
use gadfly_tree::{Entry, Kind, NO_PARENT, Node, Rule, Tree, TreeBuilder};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    let most: u64 = std::env::args().filter_map(|word| word.parse().ok()).next_back().unwrap_or(10_000_000);
    let sizes: Vec<u32> = (4..).map(|n| 10u64.pow(n)).take_while(|n| *n <= most).map(|n| n as u32).collect();
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted = |name: &str| {
        let mut names = words.iter().filter(|word| word.parse::<u64>().is_err()).peekable();
        names.peek().is_none() || names.any(|word| word.eq_ignore_ascii_case(name))
    };
    for shape in [Shape::Random, Shape::Deep, Shape::Wide] {
        if !wanted(&format!("{shape:?}"))
            && words.iter().any(|word| ["random", "deep", "wide"].contains(&word.as_str()))
        {
            continue;
        }
        println!("\n{shape:?}: time a question, in µs; ×: ratio to a pass over one f64 column of the area");
        print!("{:18}", "nodes");
        for size in &sizes {
            print!("{size:>22}");
        }
        println!();
        let trees: Vec<Arc<Tree>> = sizes.iter().map(|size| Arc::new(grow(shape, *size))).collect();
        for tree in trees.iter().rev().take(1) {
            println!("columns: {:.1} bytes a node", tree.bytes() as f64 / f64::from(tree.len()));
        }
        for strategy in StrategyName::ALL {
            if words.iter().any(|word| word.parse::<StrategyName>().is_ok()) && !wanted(strategy.name()) {
                continue;
            }
            print!("{:18}", strategy.name());
            for tree in &trees {
                let told = measure(tree, *strategy);
                print!("{told:>22}");
            }
            println!();
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    Random,
    Deep,
    Wide,
}

/// A small generator of its own (xorshift), so that figures can be made again.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % u64::from(end)) as u32
    }
}

fn grow(shape: Shape, size: u32) -> Tree {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut builder = TreeBuilder::new();
    let rules: Vec<_> = (0..200).map(|n| builder.rules().intern(Rule::named(&format!("f{n}")))).collect();
    let mut parents = vec![NO_PARENT];
    for node in 1..size {
        parents.push(match shape {
            Shape::Random => dice.below(node),
            Shape::Deep => node - 1 - dice.below(4).min(node - 1),
            Shape::Wide => {
                if dice.below(100) < 90 {
                    0
                } else {
                    node - 1
                }
            }
        });
    }
    for handle in 0..size {
        let rule = rules[dice.below(200) as usize];
        builder.push(Entry { rule, kind: Kind::Routine, raised: false, handle: u64::from(handle) });
    }
    builder.finish(parents).unwrap()
}

/// Nanoseconds a node of a pass over one f64 column.
fn pass(nodes: usize) -> f64 {
    let column: Vec<f64> = (0..nodes).map(|n| n as f64).collect();
    let best = (0..5)
        .map(|_| {
            let start = Instant::now();
            black_box(black_box(&column).iter().sum::<f64>());
            start.elapsed()
        })
        .min()
        .unwrap();
    best.as_nanos() as f64 / nodes as f64
}

fn measure(tree: &Arc<Tree>, strategy: StrategyName) -> String {
    const QUESTIONS: usize = 40;
    let mut dice = Dice(42);
    let (mut time, mut questions, mut nodes) = (Duration::ZERO, 0, 0);
    while questions < QUESTIONS {
        let bug = Node(dice.below(tree.len()));
        let mut state = State::new(Arc::clone(tree));
        let mut asked = 0;
        // A question *after an answer* is measured: the first one makes the memory it works in.
        black_box(pick(&mut state, strategy));
        // Top-down search on a star would ask millions of questions; a few tell how long one takes.
        while asked < 12 {
            let start = Instant::now();
            let Some(node) = pick(&mut state, strategy) else { break };
            time += start.elapsed();
            let area = state.area();
            nodes += Counted::new(area).weight(tree, area.focus);
            let wrong = tree.is_within(bug, node);
            let start = Instant::now();
            state.record(node, if wrong { Judgement::Wrong } else { Judgement::Correct });
            time += start.elapsed();
            asked += 1;
        }
        questions += asked;
        if asked == 0 || time > Duration::from_secs(20) {
            break;
        }
    }
    let each = time.as_secs_f64() * 1e6 / questions as f64;
    if !strategy.strategy().uses_history() {
        return format!("{each:.1}");
    }
    let passes = nodes as f64 * pass(tree.len() as usize) / 1e9;
    format!("{each:.0} ({:.1}×)", time.as_secs_f64() / passes)
}

fn pick(state: &mut State, strategy: StrategyName) -> Option<Node> {
    if strategy.strategy().uses_history() {
        state.history();
    }
    let history = state.history_so_far();
    let context = Context {
        area: state.area(),
        history,
        last: state.last(),
        bias: &Bias::default(),
        addends: &Addends::default(),
        effort: &|_| 40,
        scratch: state.scratch(),
    };
    strategy.strategy().pick(&context).map(|pick| pick.node)
}
