//! How many more questions are to be expected: an estimate, never a promise.
//!
//! The session is played on: with the bug planted at one suspicious node after the other (all of them in a small area, an
//! even sample of a large one), the questions are counted that would come until the verdict, with what was set aside, with
//! constants that are used, and with nodes that nobody knew and that are asked once more. That is honest for every strategy,
//! tables included; equal equations may make the real session shorter.
//!
//! It costs no more than a question: the work is counted in steps ([`Area::steps`]), and a play is broken off when they are used
//! up. Its rest is worked out from how fast the area had shrunk by then, so that long plays count as well as short ones.

use crate::session::{Plan, Settings, plan, uses};
use crate::{Counted, Judgement, Measure, Scratch, State, Watch};
use gadfly_tree::{Behaviours, Node, Tree};

/// How many more questions are to be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// On average, in tenths of a question.
    pub mean_tenths: u64,
    /// At most, among the places that were tried; `None` if not all of them could be tried to the end.
    pub most: Option<u64>,
    /// Whether every suspicious node was tried as the bug.
    pub exact: bool,
    /// How many suspicious nodes there are, those that cannot be asked included.
    pub suspicious: u64,
}

/// The places tried in a large area. They are gone through from the middle on, by a number without a divisor in common with
/// theirs, so that the first few of them are spread over the area as well.
const SAMPLE: u64 = 24;
const STRIDE: u64 = 7;

/// Steps that an estimate may take: so many, or what some picks take here.
const STEPS: u64 = 1_000_000;
const PICKS: u64 = 4;

/// What is to be played on.
pub(crate) struct Game<'a> {
    pub(crate) state: State,
    pub(crate) settings: &'a Settings,
    pub(crate) behaviours: &'a dyn Behaviours,
    /// Nodes that nobody could answer for and that will be asked about once more.
    pub(crate) again: &'a [Node],
}

/// How a play ended.
enum Played {
    /// With a verdict, after so many questions.
    Out(u64),
    /// It was broken off: how many nodes were suspicious after each question.
    Cut(Vec<u64>),
}

/// Plays the session on; `None` where nothing can be said, or it is not wanted any more. With the steps that it took.
pub(crate) fn estimate(game: &mut Game<'_>, watch: &dyn Watch) -> (Option<Estimate>, u64) {
    let mut used = 0;
    (play_on(game, watch, &mut used), used)
}

fn play_on(game: &mut Game<'_>, watch: &dyn Watch, used: &mut u64) -> Option<Estimate> {
    let scratch = Scratch::default();
    game.state.scratch().take();
    let suspicious = game.state.suspicious_count();
    let (planted, exact) = places(&game.state);
    game.state.steps().set(0);
    let mut first = game.state.clone();
    plan(&mut first, game.settings, &|_| 0);
    let budget = STEPS.max(PICKS * first.steps().get());
    let (mut sum, mut most, mut tried) = (0, 0, 0);
    for (done, bug) in planted.iter().enumerate() {
        if watch.is_cancelled() {
            return None;
        }
        watch.progress(done as u64, Some(planted.len() as u64));
        let mut state = game.state.clone();
        state.scratch().swap(&scratch);
        let played = game.play(&mut state, *bug, budget.saturating_sub(*used));
        *used += state.steps().get();
        state.scratch().swap(&scratch);
        match played {
            Played::Out(questions) => {
                sum += questions;
                most = most.max(questions);
                tried += 1;
            }
            Played::Cut(areas) => {
                let rest = extrapolated(suspicious, &areas)?;
                let mean_tenths = (sum * 10 + rest) / (tried + 1);
                return Some(Estimate { mean_tenths, most: None, exact: false, suspicious });
            }
        }
    }
    let mean_tenths = (sum * 10).checked_div(tried)?;
    Some(Estimate { mean_tenths, most: Some(most), exact, suspicious })
}

/// Where the bug is planted, and whether that is everywhere it can be.
fn places(state: &State) -> (Vec<Node>, bool) {
    let (tree, area) = (state.tree(), state.area());
    let measure = Counted::new(area);
    let start = tree.subtree(area.focus);
    let askable = measure.weight(tree, area.focus);
    let few = askable <= SAMPLE * 2;
    let at = |index: u64| Node(measure.passes(index, start.start, start.end));
    let mut planted: Vec<Node> = match few {
        true => (0..askable).map(at).collect(),
        false => {
            (0..SAMPLE).map(|place| at(((SAMPLE / 2 + place * STRIDE) % SAMPLE) * askable / SAMPLE)).collect()
        }
    };
    planted.extend(area.focus_wrong.then_some(area.focus));
    planted.extend(state.unknown().take(SAMPLE as usize));
    (planted, few && state.unknown().count() as u64 <= SAMPLE)
}

impl Game<'_> {
    /// Counts the questions to the verdict, if the bug is in this node.
    fn play(&self, state: &mut State, bug: Node, budget: u64) -> Played {
        /// To see what a node uses, its values are looked at.
        const LOOK: u64 = 2_000;
        let tree = std::sync::Arc::clone(state.tree());
        let mut areas = Vec::new();
        loop {
            if state.steps().get() > budget {
                return Played::Cut(areas);
            }
            if let Some(plan) = plan(state, self.settings, &|_| 0) {
                answer(&tree, state, &plan, bug);
                areas.push(state.suspicious_count());
                continue;
            }
            state.take_steps(LOOK);
            if state.take_up() {
                state.take_steps(u64::from(tree.len()));
                continue;
            }
            let used = uses::look(&tree, self.behaviours, state);
            if let Some(node) = used.open {
                state.record(node, truth(&tree, bug, node));
                areas.push(state.suspicious_count());
            } else if !used.around.is_some_and(|around| state.look_around(around)) {
                let again = state.unknown().filter(|node| self.again.contains(node)).count();
                return Played::Out((areas.len() + again) as u64);
            }
        }
    }
}

fn truth(tree: &Tree, bug: Node, node: Node) -> Judgement {
    if tree.is_within(bug, node) { Judgement::Wrong } else { Judgement::Correct }
}

fn answer(tree: &Tree, state: &mut State, plan: &Plan, bug: Node) {
    for node in plan.nodes() {
        let judgement = truth(tree, bug, node);
        state.record(node, judgement);
        if judgement == Judgement::Wrong {
            break;
        }
    }
}

/// The questions to be expected if the area goes on shrinking as it did, in tenths: to the same share with each question where
/// questions divide it, by the same number where they go through it in pieces.
fn extrapolated(before: u64, areas: &[u64]) -> Option<u64> {
    let (first, last) = (*areas.first()?, *areas.last()?);
    let asked = areas.len() as u64;
    let gone = before.checked_sub(last).filter(|gone| *gone > 0)?;
    if last <= 1 {
        return Some(asked * 10);
    }
    // Whoever takes as much away with the last question as with the first does not divide.
    let previous = areas.iter().rev().nth(1).copied().unwrap_or(before);
    let divides = 2 * previous.saturating_sub(last) < before.saturating_sub(first) || last < before / 8;
    let rest = match divides {
        true => {
            let per_halving = u64::from((before / last).max(2).ilog2());
            asked * 10 * u64::from(last.ilog2() + 1) / per_halving
        }
        // On average the bug is half way.
        false => last * 10 * asked / gone / 2,
    };
    Some(asked * 10 + rest)
}
