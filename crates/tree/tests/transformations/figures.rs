//! The trees of S3's Appendix A (Figures A.6 to A.10), and the counterexamples that its proofs make of them.
//!
//! The figures themselves did not come through; the trees are put together from what the text says of them: which nodes
//! there are, which were made from which, and which method each runs.

use crate::properties::*;
use crate::recording::{Recorder, Transformation, nodes};
use gadfly_tree::Node;
use gadfly_tree::transform::{
    Balance, Execution, Expression, LoopShape, Loops, Move, Rewritten, expand_loops, simplify,
};

fn numbers(numbers: &[u32]) -> Vec<Node> {
    numbers.iter().copied().map(Node).collect()
}

/// M_I, as the old nodes that are still there.
fn identity(new: &Rewritten) -> Vec<Node> {
    let mut same: Vec<Node> = nodes(&new.execution).filter_map(|node| new.maps.same(node)).collect();
    same.sort();
    same
}

/// Both trees with these wrong nodes: of the old tree, and of the nodes that are new.
fn judge<'a>(
    transformation: Transformation,
    old: &'a Execution,
    new: &'a Rewritten,
    wrong: &[u32],
    wrong_new: &[u32],
) -> Change<'a> {
    let states = nodes(old).map(|node| wrong.contains(&node.0)).collect();
    Change::judge(transformation, old, states, new, |node| wrong_new.contains(&node.0))
}

/// A run in which every node runs its method's code once and then its calls: `0(1 2(3))`. The code of method m is 10 m.
fn calls(text: &str) -> Execution {
    let mut recorder: Option<Recorder> = None;
    for word in text.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
        match (word, &mut recorder) {
            ("(", _) => {}
            (")", Some(recorder)) => recorder.end(),
            (method, Some(recorder)) => {
                let method = method.parse().unwrap();
                recorder.call(method);
                recorder.step(10 * method);
            }
            (method, None) => {
                let method = method.parse().unwrap();
                let mut first = Recorder::new(method);
                first.step(10 * method);
                recorder = Some(first);
            }
        }
    }
    recorder.unwrap().finish().0
}

/// Figure A.6: method 0 calls method 1, and has a loop of two rounds with a loop of three in it, which calls method 2.
fn figure_a6() -> (Execution, Loops) {
    let mut recorder = Recorder::new(0);
    recorder.step(0);
    recorder.call(1);
    recorder.step(10);
    recorder.end();
    recorder.begin_loop(8);
    for _ in 0..2 {
        recorder.step(1);
        recorder.begin_loop(9);
        for _ in 0..3 {
            recorder.step(2);
            recorder.call(2);
            recorder.step(20);
            recorder.end();
            recorder.next_round();
        }
        recorder.end();
        recorder.next_round();
    }
    recorder.end();
    recorder.finish()
}

#[test]
fn figure_a6_loop_expansion() {
    let (old, loops) = figure_a6();
    let new = expand_loops(&old, &loops, LoopShape::Chain).unwrap();
    assert_eq!(identity(&new), numbers(&[1, 2, 3, 4, 5, 6, 7]));
    // n0', then m0 (the outer loop) with m1 to m3, and m4 (its second round) with m5 to m7.
    let made: Vec<Node> = new.maps.made().collect();
    assert_eq!(made.len(), 9);
    assert!(made.iter().all(|node| new.sources(&old, *node) == [Node(0)]));
    assert_eq!(made.iter().filter(|node| new.maps.main_source(**node).is_some()).count(), 1);
    let parent = |made: &Node| new.execution.tree().parent(*made);
    let (m0, m1, m3, m4, m5) = (made[1], made[2], made[4], made[5], made[6]);
    assert_eq!([m0, m1, m4, m5].map(|node| parent(&node)), [Some(Node(0)), Some(m0), Some(m0), Some(m4)]);
    assert_eq!(parent(&m3), Some(made[3]));
    let tree = new.execution.tree();
    assert!(
        made[2..5].iter().chain(&made[6..]).all(|inner| {
            tree.children(*inner).filter(|child| new.maps.same(*child).is_some()).count() == 1
        })
    );

    let judge =
        |wrong: &[u32], new_wrong: &[u32]| judge(Transformation::LoopExpansion, &old, &new, wrong, new_wrong);
    // n0 alone is wrong; no node of the new tree has its code or less.
    assert_eq!(buggy_code_reduction(&judge(&[0], &[])), [Node(0)]);
    assert_eq!(buggy_code_semi_reduction(&judge(&[0], &[])), []);
    // n0 and n2 are wrong, n0' is and no other made node.
    let change = judge(&[0, 2], &[]);
    assert_eq!(keep_traceability(&change), [Node(2)]);
    assert_eq!(may_reveal_bugs(&change), [(Node(0), Expression(0))]);
    // n0' and m0 are wrong: the bug outside of the loop is hidden, the bug in it is not.
    let change = judge(&[0], &[m0.0]);
    assert_eq!(may_hide_bugs(&change), [(Node(0), Expression(0))]);
    assert!(zoom_in_nodes(&change).contains(&(m0, Node(0))));
    assert_eq!(zoom_out_nodes(&change), []);
}

/// Figure A.7: `third (f 1)` for the stream f n = n : f (n + 1), with the methods main, f, third, second and first. n1 is
/// f 1, n3 is f 2, which n1 made and n2 (third) looked at; n5 is f 3, which n3 made and n4 (second) looked at.
#[test]
fn figure_a7_node_simplification() {
    let old = calls("0(1() 2(1() 3(1() 4())))");
    let moves = [(3, 1), (5, 3)].map(|(node, creator)| Move { node: Node(node), creator: Node(creator) });
    let new = simplify(&old, &moves).unwrap();
    assert_eq!(identity(&new), numbers(&[0, 5, 6]));
    let place =
        |old: u32| nodes(&new.execution).find(|node| new.maps.main_source(*node) == Some(Node(old))).unwrap();
    let sources = |old_node: u32| new.sources(&old, place(old_node));
    assert_eq!(sources(1), numbers(&[1, 3, 5]));
    assert_eq!(sources(2), numbers(&[2, 3, 5]));
    assert_eq!(sources(3), numbers(&[3, 5]));
    assert_eq!(sources(4), numbers(&[4, 5]));
    let parent = |node: u32| new.execution.tree().parent(place(node));
    assert_eq!([1, 2, 3, 4, 5, 6].map(parent), [0, 0, 1, 2, 3, 4].map(|above| Some(place(above))));
    assert!(et_size(&judge(Transformation::NodeSimplification, &old, &new, &[], &[])).is_eq());
}

/// The same figure; each call of f is taken for other code, so that what the proofs say of p and p' can be seen.
#[test]
fn figure_a7_the_proofs() {
    let old = calls("0(1() 2(11() 3(21() 4())))");
    let moves = [(3, 1), (5, 3)].map(|(node, creator)| Move { node: Node(node), creator: Node(creator) });
    let new = simplify(&old, &moves).unwrap();
    let place =
        |old: u32| nodes(&new.execution).find(|node| new.maps.main_source(*node) == Some(Node(old))).unwrap();
    let judge = |wrong: &[u32], new_wrong: &[u32]| {
        judge(Transformation::NodeSimplification, &old, &new, wrong, new_wrong)
    };
    let change = judge(&[1], &[place(1).0]);
    assert_eq!(buggy_code_semi_reduction(&change), [Node(1)]);
    assert_eq!(bug_existence(&change), []);
    assert_eq!(keep_traceability(&judge(&[0, 1], &[place(1).0])), [Node(1)]);
    assert!(zoom_in_nodes(&change).contains(&(place(2), Node(2))));
    assert!(zoom_out_nodes(&change).contains(&(place(1), Node(1))));
    // n3 and n5 are wrong: n5 is the only buggy node on the right, and does not have n3's code.
    assert_eq!(may_hide_bugs(&judge(&[3, 5], &[place(3).0])), [(Node(3), Expression(110))]);
    // n4 and n5 are wrong: n5 is the only buggy node on the left, and on the right n4' is one too.
    assert_eq!(may_reveal_bugs(&judge(&[4, 5], &[place(4).0])), [(place(4), Expression(30))]);
}

/// Figure A.8: a projection over n1, n2 and n4.
#[test]
fn figure_a8_projection() {
    let old = calls("0(1() 2(3()) 4() 5(6() 7() 8()))");
    let new = old.balance(Balance { least: 3, collapse: false });
    assert_eq!(identity(&new), numbers(&[0, 1, 2, 3, 4, 5, 6, 7, 8]));
    let made: Vec<Node> = new.maps.made().collect();
    assert_eq!(made.len(), 1);
    assert_eq!(new.sources(&old, made[0]), numbers(&[1, 2, 4]));
    let change = judge(Transformation::TreeBalancing, &old, &new, &[0, 1], &[]);
    assert!(zoom_out_nodes(&change).contains(&(made[0], Node(1))));
    assert_eq!(zoom_in_nodes(&change), []);
    assert_eq!(may_reveal_bugs(&change), [(Node(0), Expression(0))]);
}

/// Figure A.9: n1, n2 and n3 of one method are collapsed; their children stay. The figure counts by level: its n4 to n7 are
/// 2, 4, 6 and 7 here.
#[test]
fn figure_a9_collapse() {
    let old = calls("0(1(2()) 1(2()) 1(2(2())))");
    let new = old.balance(Balance { least: 3, collapse: true });
    assert_eq!(identity(&new), numbers(&[0, 2, 4, 6, 7]));
    let made: Vec<Node> = new.maps.made().collect();
    assert_eq!(made, [Node(1)]);
    assert_eq!(new.sources(&old, made[0]), numbers(&[1, 3, 5]));
    assert_eq!(new.execution.tree().size(made[0]), 5);
    // n1 is wrong, and what it did wrong does not show after n3.
    let change = judge(Transformation::TreeBalancing, &old, &new, &[1], &[]);
    assert_eq!(bug_existence(&change), [Node(1)]);
    assert_eq!(may_hide_bugs(&change), [(Node(1), Expression(10))]);
    let change = judge(Transformation::TreeBalancing, &old, &new, &[0, 1], &[]);
    assert_eq!(keep_traceability(&change), [Node(1)]);
}

/// Figure A.10: recursions of methods 1 and 4, and one of method 6 that calls itself twice, which S3's figure keeps.
#[test]
fn figure_a10_tree_compression() {
    let old = calls("1(1(1(2() 3()) 5()) 7() 6(6() 6()) 4(4(4(2()) 3())))");
    let mut new = old.compress(|_| true);
    assert_eq!(identity(&new), numbers(&[0, 3, 4, 5, 6, 7, 10, 13, 14]));
    new = old.compress(|node| old.tree().rules().get(old.tree().rule_id(node)).function.as_ref() != "m6");
    assert_eq!(identity(&new), numbers(&[0, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14]));
    assert_eq!(new.maps.made().count(), 0);
    let judge = |wrong: &[u32]| judge(Transformation::TreeCompression, &old, &new, wrong, &[]);
    assert_eq!(bug_existence(&judge(&[2])), [Node(2)]);
    assert_eq!(may_hide_bugs(&judge(&[2])), [(Node(2), Expression(10))]);
    assert_eq!(keep_traceability(&judge(&[0, 1, 2])), [Node(2)]);
    // n0 and n1 are wrong: on the right n0 is buggy, with code that is not in n1.
    let change = judge(&[0, 1]);
    assert_eq!((change.old.buggy(), change.new.buggy()), (numbers(&[1]), numbers(&[0])));
}
