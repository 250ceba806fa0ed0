//! What every transformation keeps, whatever the tree: the new tree is one, the maps tell the truth, and a planted bug is
//! found. And: what is not an execution, a loop or a move is refused, and deep trees are no trouble.

use crate::recording::{Case, Recorder, Transformation, cases, nodes};
use gadfly_tree::transform::{
    AnyNeighbours, Balance, Execution, ExecutionError, Expression, LoopError, LoopRun, LoopShape, Loops,
    Move, Round, SimplifyError, Span, balance, compress, expand_loops, repeats_its_parent, simplify,
};
use gadfly_tree::{Columns, Entry, Kind, NO_PARENT, Node, Rule, RuleId, Tree, TreeBuilder};
use proptest::prelude::*;
use std::collections::BTreeSet;

proptest! {
    #[test]
    fn a_transformed_execution_is_an_execution(case in cases()) {
        for transformation in Transformation::ALL {
            let new = transformation.apply(&case).execution;
            let spans = nodes(&new).map(|node| new.span(node)).collect();
            prop_assert!(Execution::new(new.tree().clone(), new.steps().to_vec(), spans).is_ok());
            check_columns(new.tree());
        }
    }

    #[test]
    fn the_maps_tell_the_truth(case in cases()) {
        let old = &case.execution;
        for transformation in Transformation::ALL {
            let rewritten = transformation.apply(&case);
            let (new, maps) = (&rewritten.execution, &rewritten.maps);
            let made: Vec<Node> = maps.made().collect();
            let images = maps.images(old.tree());
            for node in nodes(new) {
                let sources = rewritten.sources(old, node);
                prop_assert_eq!(maps.same(node).is_none(), made.contains(&node));
                prop_assert_eq!(maps.same(node).is_none(), !sources.is_empty());
                prop_assert!(sources.is_sorted());
                if let Some(same) = maps.same(node) {
                    prop_assert_eq!(images[same.index()], Some(node));
                    prop_assert_eq!(new.code(node), old.code(same));
                    let (now, before) = (new.tree(), old.tree());
                    prop_assert_eq!(now.rule_id(node), before.rule_id(same));
                    prop_assert_eq!(now.kind(node), before.kind(same));
                    prop_assert_eq!(now.handle(node), before.handle(same));
                }
            }
        }
    }

    /// S3 Lemma 1 divides a node's code among the node and its children, and nobody else has a part of it.
    #[test]
    fn a_node_and_its_children_answer_for_all_of_its_code(case in cases()) {
        let run = &case.execution;
        for node in nodes(run) {
            let of_children = run.tree().children(node).flat_map(|child| run.code(child));
            let all: BTreeSet<Expression> = of_children.chain(run.get_code(node)).collect();
            prop_assert_eq!(all.into_iter().collect::<Vec<_>>(), run.code(node));
        }
    }

    /// One step of the run is the bug, and a node is wrong if it ran it. Then there is one buggy node before and after
    /// every transformation, and the code that it shows is where the bug is.
    #[test]
    fn a_planted_bug_is_shown(case in cases(), bug in any::<prop::sample::Index>()) {
        let run = &case.execution;
        let bug = Expression(bug.index(run.steps().len()) as u32);
        let steps = (0..run.steps().len() as u32).map(Expression).collect();
        let spans = nodes(run).map(|node| run.span(node)).collect();
        let execution = Execution::new(run.tree().clone(), steps, spans).unwrap();
        let case = Case { execution, ..case };
        let news = Transformation::ALL.map(|transformation| transformation.apply(&case).execution);
        for run in news.iter().chain([&case.execution]) {
            let wrong = |node: Node| run.code(node).contains(&bug);
            let buggy: Vec<Node> = nodes(run)
                .filter(|node| wrong(*node) && !run.tree().children(*node).any(wrong))
                .collect();
            prop_assert_eq!(buggy.len(), 1);
            prop_assert!(run.get_code(buggy[0]).contains(&bug));
        }
    }

    #[test]
    fn a_projection_has_the_code_of_its_sources_and_a_collapse_node_of_each(case in cases()) {
        let old = &case.execution;
        let rewritten = old.balance(Balance { least: 2, collapse: true });
        let new = &rewritten.execution;
        for node in rewritten.maps.made() {
            let sources = rewritten.sources(old, node);
            prop_assert!(sources.len() > 1);
            let codes: Vec<Vec<Expression>> = sources.iter().map(|source| old.code(*source)).collect();
            if new.tree().kind(node) == Kind::Collapse {
                prop_assert!(codes.iter().all(|code| *code == new.code(node)));
            } else {
                prop_assert_eq!(new.tree().kind(node), Kind::Projection);
                let all: BTreeSet<Expression> = codes.into_iter().flatten().collect();
                prop_assert_eq!(all.into_iter().collect::<Vec<_>>(), new.code(node));
                prop_assert_eq!(new.get_code(node), []);
            }
        }
    }

    /// A star made into a chain is the chain that the loops make at once, and the rounds know what they are made from.
    #[test]
    fn a_chain_can_be_made_of_a_star(case in cases()) {
        let star = expand_loops(&case.execution, &case.loops, LoopShape::Star).unwrap().execution;
        let chain = expand_loops(&case.execution, &case.loops, LoopShape::Chain).unwrap().execution;
        let made = star.chain_rounds();
        let shape = |run: &Execution| -> Vec<_> {
            let tree = run.tree();
            nodes(run).map(|node| (tree.parent(node), tree.kind(node), tree.handle(node), run.span(node))).collect()
        };
        prop_assert_eq!(shape(&made.execution), shape(&chain));
        for node in made.maps.made() {
            let code: BTreeSet<Expression> =
                made.sources(&star, node).into_iter().flat_map(|round| star.code(round)).collect();
            prop_assert_eq!(code.into_iter().collect::<Vec<_>>(), made.execution.code(node));
        }
    }

    #[test]
    fn compression_leaves_no_repetition_and_asks_about_each(case in cases()) {
        let old = case.execution.tree();
        let repeating: Vec<Node> =
            nodes(&case.execution).filter(|node| repeats_its_parent(old, *node)).collect();
        let mut asked = Vec::new();
        let new = compress(old, |node| { asked.push(node); true });
        prop_assert_eq!(&asked, &repeating);
        prop_assert_eq!(new.tree.len() as usize, old.len() as usize - repeating.len());
        let kept = compress(old, |_| false);
        prop_assert_eq!(kept.tree.size_column(), old.size_column());
    }

    #[test]
    fn balancing_leaves_no_node_with_many_children(parents in prop::collection::vec(any::<prop::sample::Index>(), 0..200)) {
        let mut above = vec![NO_PARENT];
        above.extend(parents.iter().enumerate().map(|(node, parent)| parent.index(node + 1) as u32));
        let old = tree(&above, 1);
        let new = balance(&old, &AnyNeighbours, Balance::default());
        check_columns(&new.tree);
        for node in (0..new.tree.len()).map(Node) {
            prop_assert!(new.tree.children(node).count() <= 2);
        }
        let images = new.maps.images(&old);
        prop_assert!(images.iter().all(Option::is_some) && images.is_sorted());
    }
}

fn check_columns(tree: &Tree) {
    let all = || (0..tree.len()).map(Node);
    // Debug builds check that these are the columns of a tree.
    let columns = Columns {
        parent: all().map(|node| tree.parent(node).map_or(0, |parent| parent.0)).collect(),
        size: tree.size_column().to_vec(),
        rule: tree.rule_column().to_vec(),
        kind: all().map(|node| tree.kind(node).byte(tree.raised(node))).collect(),
        handle: all().map(|node| tree.handle(node)).collect(),
    };
    assert_eq!(columns.into_tree(tree.rules().clone()).len(), tree.len());
}

/// A tree with the rules of its nodes taken in turn.
fn tree(parents: &[u32], rules: u32) -> Tree {
    let mut builder = TreeBuilder::new();
    for handle in 0..parents.len() as u64 {
        let rule = builder.rules().intern(Rule::named(&format!("f{}", handle % u64::from(rules))));
        builder.push(Entry { rule, kind: Kind::Routine, raised: false, handle });
    }
    builder.finish(parents.to_vec()).unwrap()
}

#[test]
fn a_row_is_halved_by_weight() {
    // Under the root: 1 (with 2 to 5 below it), 6, 7, 8, 9.
    let old = tree(&[NO_PARENT, 0, 1, 1, 1, 1, 0, 0, 0, 0], 1);
    let new = balance(&old, &AnyNeighbours, Balance { least: 3, collapse: false });
    let projections: Vec<Vec<Node>> = new.maps.made().map(|node| new.sources(&old, node)).collect();
    assert_eq!(projections, [vec![Node(6), Node(7), Node(8), Node(9)]]);
    // The root keeps 1 and has the projection; 1 had four children of the same weight: too few for two halves of three.
    let children: Vec<Kind> = new.tree.children(Node::ROOT).map(|node| new.tree.kind(node)).collect();
    assert_eq!(children, [Kind::Routine, Kind::Projection]);
}

/// Node 0 calls node 1, which runs a step, calls node 2 and runs another; the recorder is back in node 0.
fn nested() -> Recorder {
    let mut recorder = Recorder::new(0);
    recorder.call(1);
    recorder.step(1);
    recorder.call(2);
    recorder.step(2);
    recorder.end();
    recorder.step(3);
    recorder.end();
    recorder.step(4);
    recorder
}

#[test]
fn work_moves_in_front_of_the_call_that_looked_or_behind_its_creator() {
    let (run, _) = nested().finish();
    let steps = |run: &Execution| run.steps().iter().map(|step| step.0).collect::<Vec<_>>();
    let order = |run: &Execution| nodes(run).map(|node| run.tree().handle(node)).collect::<Vec<_>>();
    let new = simplify(&run, &[Move { node: Node(2), creator: Node(0) }]).unwrap().execution;
    assert_eq!((steps(&new), order(&new)), (vec![2, 1, 3, 4], vec![0, 2, 1]));

    let mut recorder = nested();
    recorder.call(3);
    recorder.step(5);
    let (run, _) = recorder.finish();
    let new = simplify(&run, &[Move { node: Node(3), creator: Node(1) }]).unwrap().execution;
    assert_eq!((steps(&new), order(&new)), (vec![1, 2, 3, 5, 4], vec![0, 1, 2, 3]));
}

#[test]
fn a_node_that_loses_as_much_as_it_gains_is_not_the_same() {
    let mut recorder = nested();
    recorder.call(3);
    let (run, _) = recorder.finish();
    let step = |node, creator| Move { node: Node(node), creator: Node(creator) };
    let new = simplify(&run, &[step(2, 0), step(3, 1)]).unwrap();
    let made: Vec<Node> = new.maps.made().collect();
    assert_eq!(made.iter().map(|node| new.maps.main_source(*node)).collect::<Vec<_>>(), [Some(Node(1))]);
    assert_eq!(new.sources(&run, made[0]), [Node(1), Node(2), Node(3)]);
}

#[test]
fn a_million_siblings_and_a_million_deep() {
    let count = 1_000_000u32;
    let wide: Vec<u32> = (0..count).map(|node| if node == 0 { NO_PARENT } else { 0 }).collect();
    let new = balance(&tree(&wide, 1), &AnyNeighbours, Balance::default());
    let mut depth = vec![0u32; new.tree.len() as usize];
    for node in (1..new.tree.len()).map(Node) {
        depth[node.index()] = 1 + new.tree.parent(node).map_or(0, |parent| depth[parent.index()]);
    }
    assert!(depth.iter().max() <= Some(&22));

    let deep: Vec<u32> = (0..count).map(|node| node.checked_sub(1).unwrap_or(NO_PARENT)).collect();
    assert_eq!(compress(&tree(&deep, 1), |_| true).tree.len(), 1);
    assert_eq!(compress(&tree(&deep, 2), |_| true).tree.len(), count);
    let spans = (0..count).map(|node| Span { begin: node, end: count }).collect();
    let steps = (0..count).map(Expression).collect();
    let run = Execution::new(tree(&deep, 2), steps, spans).unwrap();
    let top = |node| Move { node: Node(node), creator: Node::ROOT };
    let moves: Vec<Move> = (1..count).map(top).collect();
    let flat = simplify(&run, &moves).unwrap();
    assert_eq!(flat.execution.tree().children(Node::ROOT).count(), count as usize - 1);
    // The one that was deepest down comes first.
    assert_eq!(flat.execution.get_code(Node::ROOT), [Expression(0)]);
    assert_eq!(run.balance(Balance { least: 2, collapse: false }).execution.tree().len(), count);
}

#[test]
fn a_loop_of_a_million_rounds() {
    let count = 1_000_000;
    let mut recorder = Recorder::new(0);
    recorder.begin_loop(1);
    for _ in 0..count {
        recorder.step(7);
        recorder.next_round();
    }
    recorder.end();
    let (run, loops) = recorder.finish();
    let chain = expand_loops(&run, &loops, LoopShape::Chain).unwrap().execution;
    assert_eq!(chain.tree().len(), count + 1);
    assert_eq!(chain.tree().size(Node(count)), 1);
    let star = expand_loops(&run, &loops, LoopShape::Star).unwrap().execution;
    assert_eq!(star.tree().len(), count + 2);
    assert_eq!(star.tree().children(Node(1)).count(), count as usize);
}

#[test]
fn what_is_no_execution_is_told() {
    let new = |spans: &[(u32, u32)]| {
        let spans = spans.iter().map(|(begin, end)| Span { begin: *begin, end: *end }).collect();
        Execution::new(tree(&[NO_PARENT, 0, 0], 1), vec![Expression(1); 4], spans)
    };
    assert!(new(&[(0, 4), (0, 2), (2, 4)]).is_ok());
    assert_eq!(new(&[(0, 4)]).unwrap_err(), ExecutionError::Count { nodes: 3, spans: 1 });
    assert_eq!(new(&[(0, 5), (0, 2), (2, 4)]).unwrap_err(), ExecutionError::Outside(Node(0)));
    assert_eq!(new(&[(1, 3), (0, 2), (2, 3)]).unwrap_err(), ExecutionError::Outside(Node(1)));
    assert_eq!(new(&[(0, 4), (2, 1), (2, 3)]).unwrap_err(), ExecutionError::Outside(Node(1)));
    assert_eq!(new(&[(0, 4), (0, 3), (2, 4)]).unwrap_err(), ExecutionError::Overlap(Node(2)));
    let run = new(&[(0, 4), (0, 2), (2, 4)]).unwrap();
    assert_eq!((run.code(Node(9)), run.get_code(Node(9))), (vec![], vec![]));
}

#[test]
fn loops_that_do_not_fit_are_told() {
    let mut recorder = Recorder::new(0);
    recorder.step(1);
    recorder.call(0);
    recorder.step(2);
    recorder.step(3);
    recorder.end();
    recorder.step(4);
    let (run, _) = recorder.finish();
    let expand = |owner: u32, rule: u32, whole: (u32, u32), rounds: &[(u32, u32)]| {
        let span = |(begin, end)| Span { begin, end };
        let mut loops = Loops::default();
        let run_of = LoopRun { owner: Node(owner), rule: RuleId(rule), span: span(whole), handle: 0 };
        loops.push(run_of, rounds.iter().map(|round| Round { span: span(*round), handle: 0 }));
        expand_loops(&run, &loops, LoopShape::Star).map(|new| new.execution.tree().len())
    };
    assert_eq!(expand(0, 0, (0, 4), &[(0, 3), (3, 4)]), Ok(5));
    assert_eq!(expand(0, 0, (1, 1), &[]), Ok(2));
    assert_eq!(expand(7, 0, (0, 4), &[]), Err(LoopError::Unknown(0)));
    assert_eq!(expand(0, 7, (0, 4), &[]), Err(LoopError::Unknown(0)));
    assert_eq!(expand(1, 0, (0, 3), &[]), Err(LoopError::Crosses(0)));
    assert_eq!(expand(0, 0, (0, 5), &[]), Err(LoopError::Crosses(0)));
    assert_eq!(expand(0, 0, (3, 1), &[]), Err(LoopError::Crosses(0)));
    // The call runs from 1 to 3: a round may not end, begin, or do both in it.
    assert_eq!(expand(0, 0, (0, 4), &[(0, 2), (3, 4)]), Err(LoopError::Crosses(0)));
    assert_eq!(expand(0, 0, (0, 4), &[(0, 1), (2, 4)]), Err(LoopError::Crosses(0)));
    assert_eq!(expand(0, 0, (1, 3), &[(1, 2), (2, 3)]), Err(LoopError::Crosses(0)));
    assert_eq!(expand(0, 0, (0, 3), &[(0, 4)]), Err(LoopError::Rounds(0)));
    assert_eq!(expand(0, 0, (0, 4), &[(0, 0)]), Err(LoopError::Rounds(0)));
    assert_eq!(expand(0, 0, (0, 4), &[(0, 3), (1, 4)]), Err(LoopError::Rounds(0)));
}

#[test]
fn moves_that_cannot_be_made_are_told() {
    let mut recorder = Recorder::new(0);
    recorder.call(1);
    recorder.call(2);
    let (run, _) = recorder.finish();
    let step = |node, creator| Move { node: Node(node), creator: Node(creator) };
    let result = |step| simplify(&run, &[step]).map(|new| new.execution.tree().size_column().to_vec());
    assert_eq!(result(step(2, 0)), Ok(vec![3, 1, 1]));
    assert_eq!(result(step(3, 0)), Err(SimplifyError::Unknown(Node(3))));
    assert_eq!(result(step(1, 1)), Err(SimplifyError::CreatedLater(step(1, 1))));
    assert_eq!(result(step(0, 1)), Err(SimplifyError::CreatedLater(step(0, 1))));
}
