//! Laws of every strategy: a planted bug is always found, within the strategy's bound, and what a strategy claims to
//! minimise it does minimise.

use gadfly_engine::strategy::{Addends, Bias, Context, StrategyName};
use gadfly_engine::{
    Action, Answer, Area, Counted, Given, History, Judgement, Measure, Scratch, Session, Settings, State,
    Step, Verdict, Who,
};
use gadfly_term::{Argument, Equation, Outcome, Terms};
use gadfly_tree::transform::repeats_its_parent;
use gadfly_tree::{Entry, Equations, Kind, NO_PARENT, Node, Rule, Tree, TreeBuilder};
use proptest::prelude::*;
use std::sync::Arc;

/// A random tree: for each node its parent, and a rule and a kind out of a few; equations all different unless asked.
#[derive(Clone, Debug)]
struct Plan {
    nodes: Vec<(prop::sample::Index, u8, u8)>,
    bug: prop::sample::Index,
    deep: bool,
}

fn plans(most: usize) -> impl Strategy<Value = Plan> {
    let node = (any::<prop::sample::Index>(), 0u8..5, 0u8..6);
    (prop::collection::vec(node, 0..most), any::<prop::sample::Index>(), any::<bool>())
        .prop_map(|(nodes, bug, deep)| Plan { nodes, bug, deep })
}

fn grow(plan: &Plan) -> (Tree, Equations, Node) {
    let mut builder = TreeBuilder::new();
    let mut parents = vec![NO_PARENT];
    for (index, (parent, _, _)) in plan.nodes.iter().enumerate() {
        let low = if plan.deep { index.saturating_sub(2) } else { 0 };
        parents.push((low + parent.index(index + 1 - low)) as u32);
    }
    let mut equations = Vec::new();
    for handle in 0..parents.len() {
        let (_, rule, kind) = if handle == 0 {
            (None, 0, 0)
        } else {
            let (parent, rule, kind) = plan.nodes[handle - 1];
            (Some(parent), rule, kind)
        };
        let rule = builder.rules().intern(Rule {
            function: format!("f{}", rule / 2).into(),
            number: Some(u32::from(rule % 2) + 1),
            module: Some("M".into()),
            path: Box::default(),
            region: None,
        });
        let kind = Kind::ALL[usize::from(kind)];
        builder.push(Entry { rule, kind, raised: handle % 7 == 3, handle: handle as u64 });
        let mut terms = Terms::new();
        let value = terms.number(&handle.to_string());
        equations.push(Equation {
            function: "f".into(),
            instances: Vec::new(),
            inside: false,
            arguments: vec![Argument { name: None, value }],
            outcome: Outcome::Value(value),
            before: vec![],
            after: vec![],
            terms,
        });
    }
    let tree = builder.finish(parents).unwrap();
    let bug = Node(plan.bug.index(tree.len() as usize) as u32);
    (tree, Equations { equations, uses: Vec::new() }, bug)
}

fn truth(tree: &Tree, bug: Node, node: Node) -> Judgement {
    if tree.is_within(bug, node) { Judgement::Wrong } else { Judgement::Correct }
}

/// Drives a session; returns how many questions it took and how it ended.
fn drive(
    tree: &Tree,
    equations: &Equations,
    settings: Settings,
    mut oracle: impl FnMut(Node) -> Judgement,
) -> (usize, Verdict) {
    let mut session = Session::new(Arc::new(tree.clone()), Arc::new(equations.clone()), settings);
    for questions in 0.. {
        let rows: Vec<Node> = match session.step().unwrap() {
            Step::Done(verdict) => return (questions, verdict.clone()),
            Step::Ask(question) => question.rows.iter().map(|row| row.node).collect(),
        };
        let mut given = Vec::new();
        for node in rows {
            let judgement = oracle(node);
            given.push(Given { node, answer: Answer::plain(judgement), by: Who::Person });
            if judgement == Judgement::Wrong {
                break;
            }
        }
        session.apply(Action::Answer(given)).unwrap();
        assert!(questions <= 2 * tree.len() as usize + 2, "it goes on for ever");
    }
    unreachable!()
}

fn branching_and_depth(tree: &Tree) -> (usize, usize) {
    let branching = (0..tree.len()).map(|node| tree.children(Node(node)).count()).max().unwrap_or(0);
    let mut depth = vec![0; tree.len() as usize];
    for node in 1..tree.len() {
        depth[node as usize] = depth[tree.parent(Node(node)).unwrap().index()] + 1;
    }
    (branching, depth.into_iter().max().unwrap_or(0))
}

/// S0 Fig. 5, with the constant terms that its orders leave out.
fn bound(name: StrategyName, tree: &Tree) -> usize {
    use StrategyName as S;
    let nodes = tree.len() as usize;
    let (branching, depth) = branching_and_depth(tree);
    let from_the_top = 1 + branching * depth;
    let dividing = (branching + 1) * (nodes.ilog2() as usize + 2) + 1;
    match name {
        S::TopDown | S::TopDownZooming | S::ExceptionZooming | S::HeaviestFirst | S::LessYesFirst => {
            from_the_top
        }
        S::DivideAndQuery | S::Hirunkitti | S::Optimal | S::Auto => dividing,
        S::Dynamic => from_the_top.max(dividing),
        S::SingleStepping
        | S::HatDeltaYes
        | S::HatDeltaNo
        | S::HatDeltaRatio
        | S::Biased
        | S::DivideByYes
        | S::Combined => nodes,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_planted_bug_is_found_within_the_bound(plan in plans(60)) {
        let (tree, equations, bug) = grow(&plan);
        for strategy in StrategyName::ALL {
            for rows in [0, 3, 20] {
                let settings = Settings { strategy: *strategy, rows, ..Settings::default() };
                let (questions, verdict) = drive(&tree, &equations, settings, |node| truth(&tree, bug, node));
                prop_assert_eq!(verdict, Verdict::Bug { node: bug, inadmissible: vec![] }, "{}", strategy);
                let bound = bound(*strategy, &tree);
                prop_assert!(questions <= bound, "{strategy}: {questions} questions, bound {bound}");
            }
        }
    }

    #[test]
    fn with_unknown_nodes_the_bug_is_among_the_candidates(
        plan in plans(40),
        unknown in prop::collection::vec(any::<bool>(), 41),
        ask_again in any::<bool>(),
    ) {
        let (tree, equations, bug) = grow(&plan);
        for strategy in StrategyName::ALL {
            let settings = Settings { strategy: *strategy, ask_again, ..Settings::default() };
            let (_, verdict) = drive(&tree, &equations, settings, |node| {
                if unknown[node.index()] { Judgement::DontKnow } else { truth(&tree, bug, node) }
            });
            match verdict {
                Verdict::Bug { node, .. } => prop_assert_eq!(node, bug, "{}", strategy),
                Verdict::Unsure { candidates } => prop_assert!(candidates.contains(&bug), "{strategy}"),
                Verdict::None(_) => prop_assert!(false, "{strategy} lost the bug"),
            }
        }
    }

    #[test]
    fn trusting_all_but_the_buggy_function_still_finds_it(plan in plans(40)) {
        let (tree, equations, bug) = grow(&plan);
        let function = tree.rules().get(tree.rule_id(bug)).function.to_string();
        let trusted = (0..3).map(|n| format!("f{n}")).filter(|name| *name != function).collect();
        for strategy in StrategyName::ALL {
            let trusted: Vec<String> = Clone::clone(&trusted);
            let settings = Settings { strategy: *strategy, trusted: trusted.clone(), ..Settings::default() };
            let (_, verdict) = drive(&tree, &equations, settings, |node| {
                let asked = &*tree.rules().get(tree.rule_id(node)).function;
                assert!(!trusted.iter().any(|name| name == asked), "asked about trusted {asked}");
                truth(&tree, bug, node)
            });
            prop_assert_eq!(verdict, Verdict::Bug { node: bug, inadmissible: vec![] }, "{}", strategy);
        }
    }

    /// Whatever is wrong, and however mistakes cancel: what is named is wrong, and all it was computed from is right,
    /// constants that were computed on behalf of others among it.
    #[test]
    fn what_is_named_uses_only_what_is_right(
        plan in plans(40),
        wrong in prop::collection::vec(any::<bool>(), 41),
        uses in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..20),
        memo in any::<bool>(),
    ) {
        let (tree, mut equations, _) = grow(&plan);
        for (by, used) in uses {
            let by = by.index(tree.len() as usize);
            let used = used.index(by + 1) as u32;
            // Only what was computed before: nothing depends on itself.
            if tree.subtree(Node(used)).end <= by as u32 {
                equations.uses.push((Node(by as u32), Node(used)));
            }
        }
        let is_wrong = |node: Node| node == Node::ROOT || wrong[node.index()];
        for strategy in StrategyName::ALL {
            let settings = Settings { strategy: *strategy, memo, ..Settings::default() };
            let (_, verdict) = drive(&tree, &equations, settings, |node| {
                if is_wrong(node) { Judgement::Wrong } else { Judgement::Correct }
            });
            let Verdict::Bug { node, .. } = verdict else { panic!("{strategy}: {verdict:?}") };
            prop_assert!(is_wrong(node), "{strategy}");
            prop_assert!(!tree.children(node).any(is_wrong), "{strategy}");
            prop_assert!(!equations.uses.iter().any(|(by, used)| *by == node && is_wrong(*used)), "{strategy}");
        }
    }

    /// Constants that are used while they are computed: nothing that another rule computed below them is wrong, unless it is
    /// so because of what is named.
    #[test]
    fn what_uses_a_constant_that_it_is_part_of_is_named_last(
        plan in plans(40),
        wrong in prop::collection::vec(any::<bool>(), 41),
        around in any::<prop::sample::Index>(),
        users in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let (tree, mut equations, _) = grow(&plan);
        let above = |node: Node| std::iter::successors(tree.parent(node), |node| tree.parent(*node));
        let around = Node(around.index(tree.len() as usize) as u32);
        let below = (tree.size(around) > 1).then(|| users.into_iter().map(|by| by.index(tree.size(around) as usize - 1)));
        let below = below.into_iter().flatten().map(|by| Node(around.0 + 1 + by as u32));
        equations.uses.extend(below.map(|by| (by, around)));
        // What is computed from something wrong is wrong.
        let mut is_wrong = wrong[..tree.len() as usize].to_vec();
        for node in (1..tree.len()).rev().map(Node) {
            if is_wrong[node.index()] {
                is_wrong[tree.parent(node).unwrap().index()] = true;
            }
        }
        is_wrong[0] = true;
        for strategy in StrategyName::ALL {
            let settings = Settings { strategy: *strategy, ..Settings::default() };
            let (_, verdict) = drive(&tree, &equations, settings, |node| {
                if is_wrong[node.index()] { Judgement::Wrong } else { Judgement::Correct }
            });
            let named = match verdict {
                Verdict::Bug { node, .. } => vec![node],
                Verdict::Unsure { candidates } => candidates,
                Verdict::None(_) => panic!("{strategy} lost the bug"),
            };
            let rules: Vec<_> = named.iter().map(|node| tree.rule_id(*node)).collect();
            for node in &named {
                prop_assert!(is_wrong[node.index()], "{strategy}");
                prop_assert!(!tree.children(*node).any(|child| is_wrong[child.index()]), "{strategy}");
            }
            let alone = named.len() == 1;
            for (by, around) in equations.uses.iter().filter(|(by, _)| alone && named.contains(by)) {
                let below = tree.subtree(*around).map(Node).filter(|other| other != around);
                // What has a wrong call by the same rule below it is wrong because of that.
                let because = |node: Node| {
                    let mut below = tree.subtree(node).map(Node);
                    below.any(|below| is_wrong[below.index()] && rules.contains(&tree.rule_id(below)))
                };
                let other = |node: &Node| !because(*node);
                for other in below.filter(other) {
                    let inside = above(other).take_while(|node| node != around);
                    let passed_over = inside.into_iter().any(|node| rules.contains(&tree.rule_id(node)));
                    prop_assert!(passed_over || !is_wrong[other.index()], "{strategy}: {other:?} beside {by:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_set_aside_is_asked_about_only_inside_the_wrong_one(plan in plans(40)) {
        let (tree, equations, bug) = grow(&plan);
        let aside: Vec<_> =
            tree.rules().iter().filter(|(_, rule)| *rule.function == *"f1").map(|(id, _)| id).collect();
        let is_aside = |node: Node| aside.contains(&tree.rule_id(node));
        for strategy in StrategyName::ALL {
            let settings = Settings { strategy: *strategy, aside: aside.clone(), ..Settings::default() };
            let mut inside = false;
            let (_, verdict) = drive(&tree, &equations, settings, |node| {
                inside |= is_aside(node);
                assert!(is_aside(node) || !inside, "{strategy} goes back to what it asked about before");
                truth(&tree, bug, node)
            });
            prop_assert_eq!(verdict, Verdict::Bug { node: bug, inadmissible: vec![] }, "{}", strategy);
        }
    }

    #[test]
    fn a_recursion_is_asked_about_once_and_then_only_inside_the_wrong_one(plan in plans(40)) {
        let (tree, equations, bug) = grow(&plan);
        for strategy in StrategyName::ALL {
            let settings = Settings { strategy: *strategy, compress: true, ..Settings::default() };
            let mut inside = false;
            let (_, verdict) = drive(&tree, &equations, settings, |node| {
                let repeats = repeats_its_parent(&tree, node);
                inside |= repeats;
                assert!(repeats || !inside, "{strategy} goes back to what it asked about before");
                truth(&tree, bug, node)
            });
            prop_assert_eq!(verdict, Verdict::Bug { node: bug, inadmissible: vec![] }, "{}", strategy);
        }
    }

    #[test]
    fn a_symptom_comes_first(plan in plans(40), symptom in any::<prop::sample::Index>()) {
        let (tree, equations, bug) = grow(&plan);
        let symptom = Node(symptom.index(tree.len() as usize) as u32);
        for strategy in StrategyName::ALL {
            let settings = Settings { strategy: *strategy, symptoms: vec![symptom], whole_is_wrong: true, ..Settings::default() };
            let mut first = None;
            let (_, verdict) = drive(&tree, &equations, settings, |node| {
                first = first.or(Some(node));
                assert!(node != Node::ROOT, "the whole is known to be wrong");
                truth(&tree, bug, node)
            });
            prop_assert_eq!(first.is_none_or(|first| first == symptom || symptom == Node::ROOT), true);
            prop_assert_eq!(verdict, Verdict::Bug { node: bug, inadmissible: vec![] }, "{}", strategy);
        }
    }

    #[test]
    fn the_divide_strategies_choose_what_brute_force_chooses(
        plan in plans(50),
        answers in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4), 0..6),
    ) {
        let (tree, _, _) = grow(&plan);
        let mut state = State::new(Arc::new(tree.clone()));
        for (node, judgement) in answers {
            let judgement =
                [Judgement::Correct, Judgement::Wrong, Judgement::DontKnow, Judgement::Inadmissible][judgement as usize];
            state.record(Node(node.index(tree.len() as usize) as u32), judgement);
        }
        let area = state.area();
        let askable: Vec<Node> = (0..tree.len()).map(Node).filter(|node| area.is_askable(*node)).collect();
        let weight = |node: Node| askable.iter().filter(|other| tree.is_within(**other, node)).count() as u64;
        let whole = askable.len() as u64;
        let measure = Counted::new(area);
        for node in tree.subtree(area.focus).map(Node) {
            prop_assert_eq!(measure.weight(&tree, node), weight(node));
        }
        let pick = |strategy: StrategyName| pick(area, strategy).map(|node| (node, weight(node)));
        let below = askable.iter().filter(|node| 2 * weight(**node) <= whole).copied();
        // The heaviest at or below one half, then the leftmost.
        let below = below.max_by_key(|node| (weight(*node), std::cmp::Reverse(*node)));
        let nearest = askable.iter().copied().min_by_key(|node| {
            ((2 * weight(*node)).abs_diff(whole), 2 * weight(*node) > whole, *node)
        });
        let optimal = askable.iter().map(|node| (2 * weight(*node)).abs_diff(whole + 1)).min();
        let shapiro = pick(StrategyName::DivideAndQuery);
        if below.is_some() {
            prop_assert_eq!(shapiro.map(|pick| pick.0), below);
        } else {
            prop_assert_eq!(shapiro.is_some(), !askable.is_empty());
        }
        prop_assert_eq!(pick(StrategyName::Hirunkitti).map(|pick| pick.0), nearest);
        prop_assert_eq!(pick(StrategyName::Optimal).map(|pick| (2 * pick.1).abs_diff(whole + 1)), optimal);
        if let Some((node, weight)) = pick(StrategyName::Auto) {
            prop_assert!(area.is_askable(node));
            prop_assert!((2 * weight).abs_diff(whole + 1) <= optimal.unwrap() + whole / 10);
        }
        for strategy in StrategyName::ALL {
            let picked = pick(*strategy);
            prop_assert_eq!(picked.is_some(), !askable.is_empty(), "{}", strategy);
            prop_assert!(picked.is_none_or(|pick| area.is_askable(pick.0)), "{strategy}");
        }
    }
}

fn pick(area: Area<'_>, strategy: StrategyName) -> Option<Node> {
    let tree = area.tree;
    let mut fresh = State::new(Arc::new(tree.clone()));
    let history: &History = fresh.history();
    let context = Context {
        area,
        history,
        last: None,
        bias: &Bias::default(),
        addends: &Addends::default(),
        effort: &|node| node.0 % 5,
        scratch: &Scratch::default(),
    };
    strategy.strategy().pick(&context).map(|pick| pick.node)
}

/// What ended the program is asked about first, where exceptions are what matters.
#[test]
fn exception_zooming_begins_at_what_raised_it() {
    let mut builder = TreeBuilder::new();
    let rule = builder.rules().intern(Rule::named("f"));
    // The first child raised something that was caught; the third raised what ended the program.
    let raised = [true, true, false, true, true, false];
    for (handle, raised) in (0..).zip(raised) {
        builder.push(Entry { rule, kind: Kind::Routine, raised, handle });
    }
    let tree = builder.finish(vec![NO_PARENT, 0, 0, 0, 3, 4]).unwrap();
    assert_eq!(
        pick(State::new(Arc::new(tree.clone())).area(), StrategyName::ExceptionZooming),
        Some(Node(4))
    );
}

/// Two calls with equal equations, both unknown at first: when one is answered after all, the other needs no question.
#[test]
fn an_answer_given_after_all_is_remembered_too() {
    let mut builder = TreeBuilder::new();
    let rule = builder.rules().intern(Rule::named("f"));
    let equation = |number: &str| {
        let mut terms = Terms::new();
        let value = terms.number(number);
        let arguments = vec![Argument { name: None, value }];
        Equation {
            terms,
            function: "f".into(),
            instances: Vec::new(),
            inside: false,
            arguments,
            outcome: Outcome::Value(value),
            before: vec![],
            after: vec![],
        }
    };
    for handle in 0..3 {
        builder.push(Entry { rule, kind: Kind::Routine, raised: false, handle });
    }
    let tree = builder.finish(vec![NO_PARENT, 0, 0]).unwrap();
    let equations =
        Equations { equations: vec![equation("0"), equation("7"), equation("7")], uses: Vec::new() };
    let settings = Settings { strategy: StrategyName::TopDown, ..Settings::default() };
    let mut asked = Vec::new();
    let (questions, verdict) = drive(&tree, &equations, settings, |node| {
        asked.push(node);
        match asked.len() {
            1 => Judgement::Wrong,
            2 => Judgement::DontKnow,
            _ => Judgement::Correct,
        }
    });
    assert_eq!(asked, [Node(0), Node(1), Node(1)]);
    assert_eq!(questions, 3);
    assert_eq!(verdict, Verdict::Bug { node: Node(0), inadmissible: vec![] });
}

#[test]
fn a_star_of_150_children_costs_about_ten_questions() {
    let mut builder = TreeBuilder::new();
    let rule = builder.rules().intern(Rule::named("f"));
    let mut equations = Vec::new();
    for handle in 0..151u64 {
        builder.push(Entry { rule, kind: Kind::Routine, raised: false, handle });
        let mut terms = Terms::new();
        let value = terms.number(&handle.to_string());
        let arguments = vec![Argument { name: None, value }];
        let outcome = Outcome::Value(value);
        equations.push(Equation {
            terms,
            function: "f".into(),
            instances: Vec::new(),
            inside: false,
            arguments,
            outcome,
            before: vec![],
            after: vec![],
        });
    }
    let mut parents = vec![0; 151];
    parents[0] = NO_PARENT;
    let tree = builder.finish(parents).unwrap();
    let equations = Equations { equations, uses: Vec::new() };
    for strategy in StrategyName::ALL {
        let mut sum = 0;
        for bug in 0..151 {
            let settings = Settings { strategy: *strategy, ..Settings::default() };
            let (questions, verdict) =
                drive(&tree, &equations, settings, |node| truth(&tree, Node(bug), node));
            assert_eq!(verdict, Verdict::Bug { node: Node(bug), inadmissible: vec![] });
            assert!(questions <= 11, "{strategy}: {questions} questions for a bug at {bug}");
            sum += questions;
        }
        assert!(sum <= 8 * 151, "{strategy}: {sum} questions for 151 bugs");
    }
}
