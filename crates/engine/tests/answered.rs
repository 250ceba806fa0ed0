//! The law of answers: a node that was answered is not asked about again, and one that nobody could answer for is asked about
//! once more at most. Neither is a node with an equal equation.

use gadfly_engine::strategy::{Reason, StrategyName};
use gadfly_engine::{Action, Answer, Given, Judgement, Question, Session, Settings, Step, Who};
use gadfly_term::{Argument, Equation, Outcome, Terms};
use gadfly_tree::{Entry, Equations, Kind, NO_PARENT, Node, Rule, Tree, TreeBuilder};
use proptest::prelude::*;
use std::sync::Arc;

/// A random tree: for each node its parent, its rule, and which equation it has.
#[derive(Clone, Debug)]
struct Plan {
    nodes: Vec<(prop::sample::Index, u8, u32)>,
    /// So many nodes at the beginning can be parents: the fewer, the wider the tree.
    parents: usize,
    uses: Vec<(prop::sample::Index, prop::sample::Index)>,
}

fn plans(most: usize) -> impl Strategy<Value = Plan> {
    let equations = prop_oneof![2u32..5, Just(1_000)];
    (equations, prop_oneof![Just(1usize), Just(3), Just(100)]).prop_flat_map(move |(equations, parents)| {
        let node = (any::<prop::sample::Index>(), 0u8..4, 0..equations);
        let uses = prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..4);
        (prop::collection::vec(node, 0..most), uses).prop_map(move |(nodes, uses)| Plan {
            nodes,
            parents,
            uses,
        })
    })
}

fn grow(plan: &Plan) -> (Tree, Equations) {
    let mut builder = TreeBuilder::new();
    let mut parents = vec![NO_PARENT];
    for (index, (parent, _, _)) in plan.nodes.iter().enumerate() {
        parents.push(parent.index((index + 1).min(plan.parents)) as u32);
    }
    let mut equations = Vec::new();
    for handle in 0..parents.len() {
        let (rule, equation) = match handle {
            0 => (9, 2_000),
            _ => (plan.nodes[handle - 1].1, plan.nodes[handle - 1].2),
        };
        let rule = Rule { module: Some("M".into()), ..Rule::named(&format!("f{rule}")) };
        let rule = builder.rules().intern(rule);
        builder.push(Entry { rule, kind: Kind::Routine, raised: false, handle: handle as u64 });
        let mut terms = Terms::new();
        let value = terms.number(&equation.to_string());
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
    let tree = builder.finish(parents).unwrap();
    let any = |index: &prop::sample::Index| Node(index.index(tree.len() as usize) as u32);
    let uses = plan.uses.iter().map(|(by, used)| (any(by), any(used)));
    let uses = uses.filter(|(by, used)| !tree.is_within(*used, *by)).collect();
    (tree, Equations { equations, uses })
}

/// What a person does.
#[derive(Clone, Debug)]
enum Deed {
    Answer(Vec<Judgement>),
    OneByOne,
    Undo(usize),
    Revise(usize, usize, Judgement),
    Switch(StrategyName),
    Trust(u8),
    AskAbout(prop::sample::Index),
    Restart,
}

fn judgement() -> impl Strategy<Value = Judgement> {
    use Judgement::*;
    prop_oneof![
        6 => Just(Correct),
        3 => Just(Wrong),
        8 => Just(DontKnow),
        1 => Just(Inadmissible),
        1 => Just(TrustFunction),
    ]
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        30 => prop::collection::vec(judgement(), 1..4).prop_map(Deed::Answer),
        6 => Just(Deed::OneByOne),
        3 => (1..3usize).prop_map(Deed::Undo),
        3 => (1..8usize, 0..3usize, judgement())
            .prop_map(|(number, row, judgement)| Deed::Revise(number, row, judgement)),
        1 => (0..StrategyName::ALL.len()).prop_map(|at| Deed::Switch(StrategyName::ALL[at])),
        1 => (0..4u8).prop_map(Deed::Trust),
        2 => any::<prop::sample::Index>().prop_map(Deed::AskAbout),
        1 => Just(Deed::Restart),
    ]
}

fn answers(question: &Question, judgements: &[Judgement]) -> Action {
    let mut given = Vec::new();
    for (at, row) in question.rows.iter().enumerate() {
        let judgement = judgements[at % judgements.len()];
        given.push(Given { node: row.node, answer: Answer::plain(judgement), by: Who::Person });
        if judgement == Judgement::Wrong {
            break;
        }
    }
    Action::Answer(given)
}

/// What was said of a node, as the answers stand.
fn said(session: &Session, same: impl Fn(Node) -> bool) -> Vec<Judgement> {
    let given = session.asked().into_iter().flat_map(|asked| asked.given);
    given.filter(|given| same(given.node)).map(|given| given.answer.judgement).collect()
}

/// The question that is open, after the law was checked; none at the end.
fn checked(
    session: &mut Session,
    equations: &Equations,
    memo: bool,
) -> Result<Option<Question>, TestCaseError> {
    let Step::Ask(question) = session.step().unwrap().clone() else { return Ok(None) };
    // What the person wants to be asked about is asked.
    if question.reason == Reason::Requested {
        return Ok(Some(question));
    }
    for row in &question.rows {
        let before = said(session, |node| node == row.node);
        let once_more = matches!(before[..], [] | [Judgement::DontKnow]);
        prop_assert!(once_more, "{:?} was answered {:?} and is asked again", row.node, before);
        let text = |node: Node| equations.equations[session.tree().handle(node) as usize].canonical();
        let equal = |node: Node| {
            session.tree().rule_id(node) == session.tree().rule_id(row.node) && text(node) == text(row.node)
        };
        let before = said(session, equal);
        let once_more = matches!(before[..], [] | [Judgement::DontKnow]);
        prop_assert!(!memo || once_more, "an equal of {:?} was answered {:?}", row.node, before);
    }
    Ok(Some(question))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_answered_node_is_never_asked_again(
        plan in plans(40),
        deeds in prop::collection::vec(deed(), 0..25),
        last in judgement(),
        strategy in 0..StrategyName::ALL.len(),
        rows in prop_oneof![Just(0usize), Just(3), Just(20)],
        memo in prop::bool::weighted(0.8),
        compress in any::<bool>(),
        ask_again in prop::bool::weighted(0.8),
        whole_is_wrong in any::<bool>(),
    ) {
        let (tree, equations) = grow(&plan);
        let strategy = StrategyName::ALL[strategy];
        let settings = Settings { strategy, rows, memo, compress, ask_again, whole_is_wrong, ..Settings::default() };
        let mut session = Session::new(Arc::new(tree.clone()), Arc::new(equations.clone()), settings);
        for deed in deeds {
            let open = checked(&mut session, &equations, memo)?;
            let action = match deed {
                Deed::Answer(judgements) => open.map(|question| answers(&question, &judgements)),
                Deed::OneByOne => open.map(|question| {
                    Action::OneByOne(question.rows.iter().map(|row| row.node).collect())
                }),
                Deed::Undo(steps) => Some(Action::Undo(steps)),
                Deed::Revise(number, row, judgement) => {
                    let answer = Answer::plain(judgement);
                    Some(Action::Revise { number, row, answer, by: Who::Person })
                }
                Deed::Switch(strategy) => Some(Action::Switch(strategy)),
                Deed::Trust(function) => Some(Action::Trust(format!("f{function}"))),
                Deed::AskAbout(node) => {
                    Some(Action::AskAbout(Node(node.index(tree.len() as usize) as u32)))
                }
                Deed::Restart => Some(Action::Restart),
            };
            // What makes no sense is refused.
            let _ = action.map(|action| session.apply(action));
        }
        let mut questions = 0;
        while let Some(question) = checked(&mut session, &equations, memo)? {
            session.apply(answers(&question, &[last])).unwrap();
            questions += 1;
            prop_assert!(questions <= 2 * tree.len(), "it goes on for ever");
        }
    }
}
