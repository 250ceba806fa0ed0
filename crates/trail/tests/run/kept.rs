//! Trails of earlier versions, which stay readable. The files in `tests/data` are never written again; beside each is what
//! is in it, as [`told`] tells it. What the tables say is told as they are today, so it grows when they do.
//!
//! `GADFLY_KEEP=1 cargo test -p gadfly-trail --test run kept` makes those that are missing. Read the difference.

use crate::given::{Step, play};
use gadfly_interchange::grow::Dice;
use gadfly_trail::check::check_trail;
use gadfly_trail::model::{NodeId, RunEnd};
use gadfly_trail::{Trail, VERSION};
use std::fmt::Write;
use std::path::Path;

/// Everything in a trail, as text.
fn told(trail: &Trail) -> String {
    let mut text = String::new();
    writeln!(text, "end {:?}", trail.end()).unwrap();
    writeln!(text, "tables {:#?}", trail.tables()).unwrap();
    let mut references = Vec::new();
    for node in (1..=trail.node_count()).map(NodeId) {
        references.clear();
        trail.references(node, &mut references);
        let (shape, parent, became) = (trail.shape(node), trail.parent(node).0, trail.became(node));
        writeln!(text, "{} of {parent}: {shape:?} {references:?} {became:?}", node.0).unwrap();
    }
    for told in trail.late_rows() {
        writeln!(text, "{told:?}").unwrap();
    }
    text
}

/// What is kept of this version: every kind of row, several blocks, references of every length.
fn bytes() -> Vec<u8> {
    let mut dice = Dice::new(1);
    let mut steps = Vec::new();
    for round in 0..400 {
        let words = (0..5).map(|_| dice.roll() >> dice.below(64)).collect();
        steps.push(Step::Row(dice.roll() as u32, dice.roll() as u32, words));
        if round % 90 == 89 {
            steps.push(Step::Seal);
        }
    }
    play(&steps, Some(&RunEnd::Uncaught("Main.hs: Prelude.head: empty list".into(), 1))).1.bytes()
}

#[test]
fn trails_of_all_versions_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let path = |version: u32, ending: &str| folder.join(format!("version-{version}.{ending}"));
    let keep = std::env::var_os("GADFLY_KEEP").is_some();
    if keep && !path(VERSION, "trail").exists() {
        std::fs::write(path(VERSION, "trail"), bytes()).unwrap();
    }
    for version in 1..=VERSION {
        let trail = Trail::open(&path(version, "trail")).unwrap();
        let report = check_trail(&trail);
        assert_eq!((report.version, report.problems), (version, vec![]));
        if keep && !path(version, "txt").exists() {
            std::fs::write(path(version, "txt"), told(&trail)).unwrap();
        }
        let expected = std::fs::read_to_string(path(version, "txt")).unwrap();
        assert!(told(&trail) == expected, "what is read from the trail of version {version} has changed");
    }
}
