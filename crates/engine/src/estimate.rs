//! How many more questions are to be expected.
//!
//! The estimate plays the session on: with the bug planted at one suspicious node after the other (all of them in a
//! small area, an even sample of a large one), it counts the questions that the strategy in use would ask. That is
//! honest for every strategy, tables included; equal equations may make the real session shorter.

use crate::session::{Plan, Settings, plan};
use crate::{Counted, Judgement, Measure, State, Watch};
use gadfly_tree::{Node, Tree};

/// How many more questions are to be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// On average, in tenths of a question.
    pub mean_tenths: u64,
    /// At most, among the places that were tried.
    pub most: u64,
    /// Whether every suspicious node was tried as the bug.
    pub exact: bool,
    /// How many suspicious nodes there are, those that cannot be asked included.
    pub suspicious: u64,
}

/// The places tried in a large area.
const SAMPLE: u64 = 24;
/// Work that an estimate may take, in nodes looked at or questions played.
const BUDGET: u64 = 2_000_000;

/// Plays the session on; `None` where that would take too long.
pub(crate) fn estimate(state: &State, settings: &Settings, watch: &dyn Watch) -> Option<Estimate> {
    let tree = state.tree();
    let area = state.area();
    let measure = Counted::new(area);
    let start = tree.subtree(area.focus);
    let askable = measure.weight(tree, area.focus);
    let suspicious = askable + u64::from(area.focus_wrong) + state.unknown().count() as u64;
    let exact = askable <= SAMPLE * 2;
    let places = if exact { askable } else { SAMPLE };
    let mut planted: Vec<Node> = (0..places)
        .map(|place| Node(measure.passes(place * askable / places, start.start, start.end)))
        .collect();
    if area.focus_wrong {
        planted.push(area.focus);
    }
    let a_question = if settings.strategy.strategy().uses_history() { askable.max(1) } else { 16 };
    let (mut sum, mut most, mut work): (u64, u64, u64) = (0, 0, 0);
    for (done, bug) in planted.iter().enumerate() {
        watch.progress(done as u64, Some(planted.len() as u64));
        let mut played = state.clone();
        let mut questions = 0;
        while let Some(plan) = plan(&mut played, settings, &|_| 0) {
            questions += 1;
            work += a_question;
            if work > BUDGET || watch.is_cancelled() {
                return None;
            }
            play(tree, &mut played, plan, *bug);
        }
        sum += questions;
        most = most.max(questions);
    }
    let mean_tenths = (sum * 10).checked_div(planted.len() as u64).unwrap_or(0);
    Some(Estimate { mean_tenths, most, exact, suspicious })
}

fn play(tree: &Tree, state: &mut State, plan: Plan, bug: Node) {
    for node in plan.nodes() {
        let wrong = tree.is_within(bug, node);
        state.record(node, if wrong { Judgement::Wrong } else { Judgement::Correct });
        if wrong {
            break;
        }
    }
}
