//! An estimate is compared with what came: over many random sessions it is right on average, and it costs no more than a
//! question.

use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{Action, Answer, Given, Judgement, Session, Settings, Step, Who};
use gadfly_term::{Argument, Equation, Outcome, Terms};
use gadfly_tree::{Entry, Equations, Kind, NO_PARENT, Node, Rule, TreeBuilder};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::sync::Arc;

/// The parents of nodes, and where the bug is, and how many questions are answered before the estimate.
type Plan = (Vec<prop::sample::Index>, usize, prop::sample::Index, usize, Vec<bool>);

fn plans() -> impl Strategy<Value = Plan> {
    let parents = prop_oneof![Just(1usize), Just(4), Just(1_000)];
    let nodes = prop::collection::vec(any::<prop::sample::Index>(), 1..120);
    let unknown = prop::collection::vec(prop::bool::weighted(0.1), 121);
    (nodes, parents, any::<prop::sample::Index>(), 0..4usize, unknown)
}

fn session(plan: &Plan, settings: Settings) -> (Session, Node) {
    let (nodes, parents_most, bug, ..) = plan;
    let parents = (1..).zip(nodes).map(|(here, parent)| parent.index(here.min(*parents_most)) as u32);
    let parents: Vec<u32> = std::iter::once(NO_PARENT).chain(parents).collect();
    let mut builder = TreeBuilder::new();
    let mut equations = Vec::new();
    for handle in 0..parents.len() {
        let rule = Rule { module: Some("M".into()), ..Rule::named(&format!("f{}", handle % 5)) };
        let rule = builder.rules().intern(rule);
        builder.push(Entry { rule, kind: Kind::Routine, raised: false, handle: handle as u64 });
        let mut terms = Terms::new();
        let value = terms.number(&handle.to_string());
        equations.push(Equation {
            function: "f".into(),
            inside: false,
            arguments: vec![Argument { name: None, value }],
            outcome: Outcome::Value(value),
            before: vec![],
            after: vec![],
            terms,
        });
    }
    let tree = Arc::new(builder.finish(parents).unwrap());
    let bug = Node(bug.index(tree.len() as usize) as u32);
    (Session::new(tree, Arc::new(Equations { equations, uses: Vec::new() }), settings), bug)
}

/// Answers the open question; says whether there was one.
fn answer(session: &mut Session, bug: Node, unknown: &[bool]) -> bool {
    let Step::Ask(question) = session.step().unwrap().clone() else { return false };
    let mut given = Vec::new();
    for row in question.rows {
        let judgement = match session.tree().is_within(bug, row.node) {
            _ if unknown[row.node.index()] => Judgement::DontKnow,
            true => Judgement::Wrong,
            false => Judgement::Correct,
        };
        given.push(Given { node: row.node, answer: Answer::plain(judgement), by: Who::Person });
        if judgement == Judgement::Wrong {
            break;
        }
    }
    session.apply(Action::Answer(given)).unwrap();
    true
}

/// Over many sessions: the sum of what was estimated, and of what came.
fn compare(strategy: StrategyName, rows: usize, unknown: bool, rounds: usize) -> (u64, u64) {
    let mut runner = TestRunner::deterministic();
    let (mut estimated, mut came) = (0, 0);
    for _ in 0..rounds {
        let mut plan = plans().new_tree(&mut runner).unwrap().current();
        if !unknown {
            plan.4.fill(false);
        }
        let settings = Settings { strategy, rows, ..Settings::default() };
        let (mut session, bug) = session(&plan, settings);
        for _ in 0..plan.3 {
            answer(&mut session, bug, &plan.4);
        }
        let estimate = session.estimate().expect("an estimate");
        assert_eq!(estimate.suspicious, session.state().suspicious().count() as u64);
        let mut questions = 0;
        while answer(&mut session, bug, &plan.4) {
            questions += 1;
        }
        if estimate.exact && !unknown {
            assert!(questions <= estimate.most.unwrap(), "{strategy}: {questions} came, {estimate:?}");
        }
        estimated += estimate.mean_tenths;
        came += questions * 10;
    }
    (estimated, came)
}

#[test]
fn an_estimate_is_right_on_average() {
    for strategy in StrategyName::ALL {
        for rows in [0, 20] {
            let (estimated, came) = compare(*strategy, rows, false, 150);
            let within =
                |low: u64, high: u64| estimated * 100 >= came * low && estimated * 100 <= came * high;
            assert!(
                within(85, 115),
                "{strategy}, tables of {rows}: {estimated} tenths estimated, {came} came"
            );
        }
    }
}

/// "0 more questions" is never said where questions come: what nobody knows is asked once more.
#[test]
fn questions_that_are_asked_once_more_are_counted() {
    for strategy in [StrategyName::Auto, StrategyName::TopDown] {
        let (estimated, came) = compare(strategy, 0, true, 150);
        assert!(
            estimated * 100 >= came * 60 && estimated * 100 <= came * 140,
            "{strategy}: {estimated} {came}"
        );
    }
}

#[test]
fn when_only_what_nobody_knew_is_left_the_estimate_is_exact() {
    let plan: Plan = (Vec::new(), 1, prop_index(), 0, vec![true; 4]);
    let (mut session, bug) = session(&plan, Settings::default());
    answer(&mut session, bug, &plan.4);
    let estimate = session.estimate().expect("an estimate");
    assert_eq!((estimate.mean_tenths, estimate.most, estimate.suspicious), (10, Some(1), 1));
    assert!(answer(&mut session, bug, &plan.4) && !answer(&mut session, bug, &plan.4));
}

fn prop_index() -> prop::sample::Index {
    any::<prop::sample::Index>().new_tree(&mut TestRunner::deterministic()).unwrap().current()
}

/// Where a play is too long for an estimate, those that are short do not speak for it.
#[test]
fn an_estimate_of_a_wide_tree_is_not_far_from_what_comes() {
    let children = 6_000;
    for strategy in [StrategyName::Auto, StrategyName::TopDown, StrategyName::DivideByYes] {
        let (mut estimated, mut came) = (0, 0);
        for quarter in 1..4 {
            let plan: Plan = (vec![prop_index(); children], 1, prop_index(), 0, vec![false; children + 1]);
            let (mut session, _) = session(&plan, Settings { strategy, ..Settings::default() });
            let bug = Node((children * quarter / 4) as u32);
            answer(&mut session, bug, &plan.4);
            estimated += session.estimate().expect("an estimate").mean_tenths;
            while answer(&mut session, bug, &plan.4) {
                came += 10;
            }
        }
        assert!(
            2 * estimated >= came && estimated <= 2 * came,
            "{strategy}: {estimated} tenths, {came} came"
        );
    }
}

/// In a huge tree, wide or not, an estimate takes as many steps as some picks, whatever the strategy.
#[test]
fn an_estimate_of_a_huge_tree_is_bounded() {
    let node = prop_index();
    for parents in [1, 100_000] {
        let nodes = vec![node; 100_000];
        let plan: Plan = (nodes, parents, prop_index(), 0, Vec::new());
        for strategy in StrategyName::ALL {
            let settings = Settings { strategy: *strategy, ..Settings::default() };
            let (session, _) = session(&plan, settings);
            let estimate = session.snapshot();
            let steps = estimate.steps_of_estimate();
            let pick = estimate.steps_of_pick();
            // The budget, and what the question takes at which it is used up.
            let most = 1_000_000.max(4 * pick) + 3 * 100_000;
            assert!(steps <= most, "{strategy}: {steps} steps, a pick takes {pick}");
        }
    }
}
