//! What is written is what is read.

use crate::given::{Recorder, Step, compare, play, tables};
use gadfly_interchange::grow::Dice;
use gadfly_trail::Became;
use gadfly_trail::check::check_trail;
use gadfly_trail::model::{NodeId, Position, RawRef, RunEnd, Shape, What};
use gadfly_trail::write::Memory;
use proptest::prelude::*;

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let word = (any::<u64>(), 0u32..64).prop_map(|(word, by)| word >> by);
    let row = (any::<u32>(), any::<u32>(), prop::collection::vec(word, 0..6));
    prop_oneof![
        60 => row.prop_map(|(shape, node, words)| Step::Row(shape, node, words)),
        2 => Just(Step::Flush),
        1 => Just(Step::Seal),
    ]
}

pub(crate) fn end() -> impl Strategy<Value = RunEnd> {
    prop_oneof![
        any::<i32>().prop_map(RunEnd::Exit),
        (".*", any::<i32>()).prop_map(|(said, status)| RunEnd::Uncaught(said, status)),
        Just(RunEnd::Interrupted),
        ".*".prop_map(RunEnd::Limit),
    ]
}

proptest! {
    #[test]
    fn any_run(steps in prop::collection::vec(step(), 0..600), end in end()) {
        let (runs, memory) = play(&steps, Some(&end));
        let trail = memory.trail();
        let run = &runs[trail.block_count()];
        prop_assert_eq!(trail.problems(), &[]);
        prop_assert_eq!(trail.end(), Some(&end));
        prop_assert_eq!(trail.tables(), &tables());
        compare(&trail, run);
        let report = check_trail(&trail);
        prop_assert_eq!(&report.problems, &[]);
        prop_assert_eq!((report.nodes, report.end), (run.nodes.len() as u64, Some(end)));
    }

    #[test]
    fn a_run_that_was_killed(steps in prop::collection::vec(step(), 0..600)) {
        let (runs, memory) = play(&steps, None);
        let trail = memory.trail();
        prop_assert_eq!(trail.problems().len(), 1);
        prop_assert_eq!(trail.end(), None);
        compare(&trail, &runs[trail.block_count()]);
        prop_assert_eq!(check_trail(&trail).problems, trail.problems());
    }
}

#[test]
fn a_run_of_nothing() {
    let (mut stream, memory) = Memory::stream(tables());
    stream.end(&RunEnd::Exit(0));
    let trail = memory.trail();
    assert_eq!((trail.node_count(), trail.problems()), (0, &[][..]));
    assert_eq!(trail.tables(), &tables());
}

/// Many blocks, which become full by themselves for different reasons; and codes of two bytes.
#[test]
fn a_run_of_many_rows() {
    let (stream, memory) = Memory::stream(tables());
    let mut recorder = Recorder::new(stream);
    let mut dice = Dice::new(11);
    let mut shapes = Vec::new();
    for position in 0..40 {
        for (what, count) in [(What::Call(1), 2), (What::Construct(1), 2), (What::Suspended, 0)] {
            for tail in [false, true] {
                shapes.push(recorder.define(Shape { what, position: Position(position), count, tail }));
            }
        }
    }
    let define = |recorder: &mut Recorder, what, count| {
        recorder.define(Shape { what, position: Position(3), count, tail: false })
    };
    let became = define(&mut recorder, What::Became, 1);
    let wrote = define(&mut recorder, What::Wrote, 2);
    let array = define(&mut recorder, What::Array, 70_000);
    let elements: Vec<u64> = (0..70_000).map(|element| RawRef::int(element * element).0).collect();
    let mut tail_of = vec![false; 1];
    for round in 0..500_000u64 {
        let last = recorder.run.nodes.len() as u64;
        let near = last.saturating_sub(dice.below(50));
        let node = if round % 7 == 0 { dice.below(last + 1) } else { near };
        match round / 50_000 {
            // Only tellings: a block that is full without a node.
            3 | 4 => {
                recorder.row(wrote, node, &[RawRef::int(round as i64).0, RawRef::int(1).0]);
            }
            // Long rows: a block that is full of references.
            5 if round % 5_000 == 0 => {
                recorder.row(array, node, &elements);
                tail_of.push(false);
            }
            _ if round % 3 == 0 && node > 0 && !tail_of[node as usize] => {
                recorder.row(became, node, &[RawRef::node(NodeId(near.max(1))).0]);
            }
            _ => {
                let mut shape = shapes[dice.below(shapes.len() as u64) as usize];
                if recorder.run.shapes[shape as usize].tail {
                    let untold = node > 0 && recorder.run.became[node as usize - 1] == Became::Nothing;
                    shape -= u32::from(!untold);
                    tail_of[node as usize] |= untold;
                }
                let count = recorder.run.shapes[shape as usize].count as usize;
                let words = [
                    RawRef::node(NodeId(dice.below(last + 1).max(1))).0,
                    RawRef::int(dice.below(99) as i64).0,
                ];
                recorder.row(shape, node, &words[..count]);
                tail_of.push(false);
            }
        }
    }
    recorder.stream.end(&RunEnd::Exit(3));
    let trail = memory.trail();
    assert!(trail.block_count() > 5, "{}", trail.block_count());
    compare(&trail, &recorder.run);
    assert_eq!(check_trail(&trail).problems, []);
}
