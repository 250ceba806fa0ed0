//! S3's running example: the square root of 9 (Example 4.1), its computation (4.4), its nodes (4.11) and which code is buggy
//! (4.14).
//!
//! The end environment of node 1 is e₁₆ in Example 4.14 and lacks `r` in the table of Example 4.11; it is e₁₆ here. The
//! table's relation between the nodes is garbled; by Def. 4.10 it can only be the one below, which is what Example 4.14
//! uses.

use gadfly_tree::transform::{Execution, Expression, LoopRun, LoopShape, Loops, Round, Span, expand_loops};
use gadfly_tree::{Entry, Kind, NO_PARENT, Node, Rule, Tree, TreeBuilder};

/// What the environments e₁ to e₁₆ hold.
const ENVIRONMENTS: [&str; 16] = [
    "(x=9)",
    "(x=9)",
    "(x=9, b=9)",
    "(x=9, b=9)",
    "(x=9, b=5)",
    "(x=9, b=5)",
    "(x=9, b=3.4)",
    "(x=9, b=3.4)",
    "(x=9, b=3.0235)",
    "(x=9, b=3.0235)",
    "(x=9, b=3.0001)",
    "(x=9, b=3.0001)",
    "(x=9, b=3.000000001)",
    "(x=9, b=3.0000000001)",
    "(x=9, b=3)",
    "(x=9, b=3, r=3)",
];

/// Which line made which environment out of the one before.
const LINES: [u32; 15] = [1, 3, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 6];

/// The nodes 1 to 7: parent, kind, and the S3 numbers of their environments.
const NODES: [(u32, Kind, u32, u32); 7] = [
    (NO_PARENT, Kind::Routine, 1, 16),
    (0, Kind::Block, 1, 2),
    (0, Kind::Loop, 3, 15),
    (2, Kind::Iteration, 3, 5),
    (3, Kind::Block, 4, 5),
    (2, Kind::Iteration, 7, 9),
    (0, Kind::Block, 15, 16),
];

fn grow(nodes: &[(u32, Kind, u32, u32)]) -> (Tree, Vec<Span>) {
    let mut builder = TreeBuilder::new();
    let rule = builder.rules().intern(Rule::named("sqrt"));
    for (_, kind, ..) in nodes {
        builder.push(Entry { rule, kind: *kind, raised: false, handle: 0 });
    }
    let spans = nodes.iter().map(|(_, _, from, to)| Span { begin: from - 1, end: to - 1 }).collect();
    (builder.finish(nodes.iter().map(|(parent, ..)| *parent).collect()).unwrap(), spans)
}

fn run(nodes: &[(u32, Kind, u32, u32)]) -> Execution {
    let (tree, spans) = grow(nodes);
    Execution::new(tree, LINES.map(Expression).to_vec(), spans).unwrap()
}

/// Lines as S3 writes them: (1)(3-6).
fn lines(code: &[Expression]) -> String {
    let runs = code.chunk_by(|line, next| line.0 + 1 == next.0);
    let run = |run: &[Expression]| match run {
        [first, .., last] => format!("({}-{})", first.0, last.0),
        [line] => format!("({})", line.0),
        [] => String::new(),
    };
    runs.map(run).collect()
}

/// Pieces of the computation as S3 writes them, e₉…e₁₅ as 9-15.
fn pieces(run: &Execution, node: u64) -> String {
    let own = run.own_spans(Node::from_number(node).unwrap());
    own.iter().map(|span| format!("e{}-e{} ", span.begin + 1, span.end + 1)).collect::<String>().trim().into()
}

fn code(run: &Execution, node: u64) -> String {
    lines(&run.get_code(Node::from_number(node).unwrap()))
}

#[test]
fn example_4_7_only_what_ran_is_in_the_code() {
    let first_three = run(&[(NO_PARENT, Kind::Block, 1, 3)]);
    assert_eq!(lines(&first_three.code(Node::ROOT)), "(1)(3)");
}

#[test]
fn example_4_11_the_nodes() {
    let run = run(&NODES);
    let row = |node: Node| {
        let span = run.span(node);
        let (before, after) = (ENVIRONMENTS[span.begin as usize], ENVIRONMENTS[span.end as usize]);
        format!("node {}: {before} {} {after}\n", node.number(), lines(&run.code(node)))
    };
    let table: String = (0..run.tree().len()).map(Node).map(row).collect();
    assert_eq!(
        table,
        "node 1: (x=9) (1)(3-6) (x=9, b=3, r=3)\n\
         node 2: (x=9) (1) (x=9)\n\
         node 3: (x=9, b=9) (4-5) (x=9, b=3)\n\
         node 4: (x=9, b=9) (4-5) (x=9, b=5)\n\
         node 5: (x=9, b=9) (5) (x=9, b=5)\n\
         node 6: (x=9, b=3.4) (4-5) (x=9, b=3.0235)\n\
         node 7: (x=9, b=3) (6) (x=9, b=3, r=3)\n"
    );
    let children = |node: u64| {
        let node = Node::from_number(node).unwrap();
        run.tree().children(node).map(Node::number).collect::<Vec<_>>()
    };
    assert_eq!((children(1), children(3), children(4)), (vec![2, 3, 7], vec![4, 6], vec![5]));
}

#[test]
fn example_4_14_the_buggy_code() {
    let run = run(&NODES);
    // Line (3) is wrong: node 1 is, and its children are right.
    assert_eq!(pieces(&run, 1), "e2-e3");
    assert_eq!(code(&run, 1), "(3)");
    // The fourth round is wrong: node 3 is, and the two rounds that have nodes are right.
    assert_eq!(pieces(&run, 3), "e5-e7 e9-e15");
    assert_eq!(code(&run, 3), "(4-5)");
    // A round whose body has a node of its own answers for its test alone.
    assert_eq!(code(&run, 4), "(4)");
    assert_eq!(code(&run, 5), "(5)");
}

/// All nodes have one rule here, but only a round repeats the loop that it is in.
#[test]
fn compressed_only_the_rounds_go() {
    let run = run(&NODES);
    let new = run.compress(|_| true);
    let left: Vec<u64> = (0..new.execution.tree().len())
        .filter_map(|node| new.maps.same(Node(node)))
        .map(Node::number)
        .collect();
    assert_eq!(left, [1, 2, 3, 5, 7]);
    assert_eq!(pieces(&new.execution, 3), "e3-e4 e5-e15");
}

/// The same run from a tree without its loop: a wrong fourth round is then shown as that round.
#[test]
fn the_loop_expanded() {
    let run = run(&[NODES[0], NODES[1], NODES[6]]);
    assert_eq!(code(&run, 1), "(3-5)");
    let rounds = (0..6).map(|round| Round {
        span: Span { begin: 2 + 2 * round, end: 4 + 2 * round },
        handle: u64::from(round),
    });
    let rule = run.tree().rule_id(Node::ROOT);
    let mut loops = Loops::default();
    loops.push(LoopRun { owner: Node::ROOT, rule, span: Span { begin: 2, end: 14 }, handle: 9 }, rounds);

    let star = expand_loops(&run, &loops, LoopShape::Star).unwrap().execution;
    assert_eq!(star.tree().size_column(), [10, 1, 7, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(code(&star, 1), "(3)");
    assert_eq!(code(&star, 3), "");
    assert_eq!((star.span(Node(6)), code(&star, 7)), (Span { begin: 8, end: 10 }, "(4-5)".into()));

    let chain = expand_loops(&run, &loops, LoopShape::Chain).unwrap();
    let chain_tree = chain.execution.tree();
    assert_eq!(chain_tree.size_column(), [9, 1, 6, 5, 4, 3, 2, 1, 1]);
    assert_eq!(chain_tree.kind(Node(2)), Kind::Loop);
    assert_eq!(chain_tree.kind(Node(5)), Kind::Iteration);
    // The fourth round on is wrong, the fifth on is right: what is left is the fourth.
    assert_eq!(chain.execution.span(Node(5)), Span { begin: 8, end: 14 });
    assert_eq!(pieces(&chain.execution, 6), "e9-e11");
    assert_eq!(chain.maps.main_source(Node::ROOT), Some(Node::ROOT));
    assert_eq!(chain.sources(&run, Node(5)), [Node::ROOT]);
}
