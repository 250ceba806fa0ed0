//! S3's Table 1, cell by cell: what it says holds for every tree is tried on random ones, and for what it says may happen a
//! case in which it does is looked for.
//!
//! For the first six properties a check mark is a law and a cross wants a counterexample; for the four that begin with
//! "there is a transformed tree" it is the other way round. The cells came through legibly, and the text of §4.4 and the
//! proofs of Appendix A agree with them; the arrows of the last column are read as "bigger" and "smaller".
//!
//! Loop expansion lacks Buggy Code Reduction only because S3 writes loops as functions and counts the calls of them: of
//! the program's own code it shows no more than before (Semi-reduction), and a verdict shows no other.

use crate::properties::*;
use crate::recording::{Case, Transformation, cases};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A property's name, and how many cases in one change break it (the first six) or show it (the other four).
type Property = (&'static str, fn(&Change) -> usize);

/// All but the size.
const PROPERTIES: [Property; 10] = [
    ("Buggy Node Completeness", |change| buggy_node_completeness(change).len()),
    ("Buggy Code Completeness", |change| buggy_code_completeness(change).len()),
    ("Buggy Code Reduction", |change| buggy_code_reduction(change).len()),
    ("Buggy Code Semi-reduction", |change| buggy_code_semi_reduction(change).len()),
    ("Bug Existence", |change| bug_existence(change).len()),
    ("Keep Traceability", |change| keep_traceability(change).len()),
    ("Zoom in Nodes", |change| zoom_in_nodes(change).len()),
    ("Zoom out Nodes", |change| zoom_out_nodes(change).len()),
    ("May Hide Bugs", |change| may_hide_bugs(change).len()),
    ("May Reveal Bugs", |change| may_reveal_bugs(change).len()),
];

/// How many of them are laws about every buggy node.
const LAWS: usize = 6;

/// Table 1.
const TABLE: [(Transformation, &str, &[Ordering]); 4] = [
    (Transformation::LoopExpansion, "×××✓✓×✓×✓✓", &[Ordering::Equal, Ordering::Greater]),
    (Transformation::NodeSimplification, "××××✓×✓✓✓✓", &[Ordering::Equal]),
    (Transformation::TreeBalancing, "×××××××✓✓✓", &[Ordering::Less, Ordering::Equal, Ordering::Greater]),
    (Transformation::TreeCompression, "××××××××✓✓", &[Ordering::Less]),
];

fn row(transformation: Transformation) -> (Vec<bool>, &'static [Ordering]) {
    let (_, marks, sizes) = TABLE.into_iter().find(|(name, ..)| *name == transformation).unwrap();
    assert_eq!(marks.chars().count(), PROPERTIES.len());
    (marks.chars().map(|mark| mark == '✓').collect(), sizes)
}

/// Whether a cell says "never": a law that holds, or something that may not happen.
fn never(property: usize, mark: bool) -> bool {
    (property < LAWS) == mark
}

/// Applies the transformation and judges both trees; gives the counts of all properties and, if the tree was changed at all,
/// its size.
fn observe(transformation: Transformation, case: &Case) -> ([usize; 10], Option<Ordering>) {
    let rewritten = transformation.apply(case);
    let old_len = case.execution.tree().len() as usize;
    let wrong = case.wrong[..old_len].to_vec();
    let free = |node: gadfly_tree::Node| case.wrong[(old_len + node.index()) % case.wrong.len()];
    let change = Change::judge(transformation, &case.execution, wrong, &rewritten, free);
    let same = rewritten.maps.made().next().is_none() && et_size(&change).is_eq();
    (PROPERTIES.map(|(_, count)| count(&change)), (!same).then(|| et_size(&change)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn what_the_table_rules_out_never_happens(case in cases()) {
        for transformation in Transformation::ALL {
            let (marks, sizes) = row(transformation);
            let (counts, size) = observe(transformation, &case);
            for (property, (name, _)) in PROPERTIES.iter().enumerate() {
                if never(property, marks[property]) {
                    prop_assert_eq!(counts[property], 0, "{:?}: {}", transformation, name);
                }
            }
            if let Some(size) = size {
                prop_assert!(sizes.contains(&size), "{:?}: ET size {:?}", transformation, size);
            }
        }
    }

    /// S3 Lemmas 2 to 5: as many buggy nodes or more have Property k + 1 as have Property k.
    #[test]
    fn each_of_the_first_five_properties_implies_the_next(case in cases()) {
        for transformation in Transformation::ALL {
            let (counts, _) = observe(transformation, &case);
            prop_assert!(counts[..5].is_sorted_by(|weaker, stronger| weaker >= stronger), "{:?}", counts);
        }
    }
}

#[test]
fn what_the_table_allows_does_happen() {
    let mut runner = TestRunner::deterministic();
    let mut missing: BTreeSet<(String, String)> = BTreeSet::new();
    for transformation in Transformation::ALL {
        let (marks, sizes) = row(transformation);
        for (property, (name, _)) in PROPERTIES.iter().enumerate() {
            if !never(property, marks[property]) {
                missing.insert((format!("{transformation:?}"), (*name).to_owned()));
            }
        }
        for size in sizes {
            missing.insert((format!("{transformation:?}"), format!("ET size {size:?}")));
        }
    }
    // Of the 40 cells besides the sizes 7 say that something never happens; the sizes have 7 arrows.
    assert_eq!(missing.len(), 40 - 7 + 7);
    for _ in 0..20_000 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        for transformation in Transformation::ALL {
            let (counts, size) = observe(transformation, &case);
            let name = format!("{transformation:?}");
            for ((property, _), _) in PROPERTIES.iter().zip(counts).filter(|(_, count)| *count > 0) {
                missing.remove(&(name.clone(), (*property).to_owned()));
            }
            if let Some(size) = size {
                missing.remove(&(name, format!("ET size {size:?}")));
            }
        }
        if missing.is_empty() {
            return;
        }
    }
    panic!("not seen: {missing:?}");
}
