//! What is written is what is read.

use crate::given::{Step, compare, play, tables};
use gadfly_trail::run::model::RunEnd;
use gadfly_trail::run::write::Memory;
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
        let (run, memory) = play(&steps, Some(&end));
        let trail = memory.trail();
        prop_assert_eq!(trail.problems(), &[]);
        prop_assert_eq!(trail.end(), Some(&end));
        prop_assert_eq!(trail.tables(), &tables());
        compare(&trail, &run, true);
    }

    #[test]
    fn a_run_that_was_killed(steps in prop::collection::vec(step(), 0..600)) {
        let (run, memory) = play(&steps, None);
        let trail = memory.trail();
        prop_assert_eq!(trail.problems().len(), 1);
        prop_assert_eq!(trail.end(), None);
        compare(&trail, &run, false);
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
