//! A thousand calls from one loop: the default strategy asks about those with the simplest arguments first.

use gadfly_engine::{Action, Answer, Given, Judgement, Session, Settings, Step, Verdict, Who};
use gadfly_term::{Argument, Equation, Outcome, Terms};
use gadfly_tree::{Entry, Equations, Kind, NO_PARENT, Node, Rule, Tree, TreeBuilder};
use std::sync::Arc;

/// How long the list is that a call is given: every length stands somewhere, in no order.
fn length(call: u32) -> u32 {
    call * 389 % 1000
}

/// `main` calls `f` a thousand times, each time with a list of another length.
fn loop_of_calls() -> (Tree, Equations) {
    let mut builder = TreeBuilder::new();
    let main = builder.rules().intern(Rule::named("main"));
    let f = builder.rules().intern(Rule::named("f"));
    let mut parents = vec![NO_PARENT];
    parents.resize(1001, 0);
    let mut equations = Vec::new();
    for handle in 0..=1000 {
        let rule = if handle == 0 { main } else { f };
        builder.push(Entry { rule, kind: Kind::Routine, raised: false, handle });
        let mut terms = Terms::new();
        let elements: Vec<_> =
            (0..length(handle as u32)).map(|number| terms.number(&number.to_string())).collect();
        let value = terms.list(&elements);
        let arguments = vec![Argument { name: None, value }];
        let outcome = Outcome::Value(value);
        let (before, after) = (Vec::new(), Vec::new());
        equations.push(Equation {
            terms,
            function: "f".into(),
            inside: false,
            arguments,
            outcome,
            before,
            after,
        });
    }
    (builder.finish(parents).unwrap(), Equations { equations, uses: Vec::new() })
}

fn is_wrong(node: Node) -> bool {
    node == Node::ROOT || length(node.0) == 3
}

#[test]
fn the_simplest_of_many_calls_are_asked_about_first() {
    let (tree, equations) = loop_of_calls();
    let mut session = Session::new(Arc::new(tree), Arc::new(equations), Settings::default());
    let mut tables = Vec::new();
    let verdict = loop {
        let rows: Vec<Node> = match session.step().unwrap() {
            Step::Done(verdict) => break verdict.clone(),
            Step::Ask(question) => question.rows.iter().map(|row| row.node).collect(),
        };
        let first_wrong = rows.iter().position(|node| is_wrong(*node)).unwrap_or(rows.len());
        let given = rows.iter().take(first_wrong + 1).map(|node| {
            let judgement = if is_wrong(*node) { Judgement::Wrong } else { Judgement::Correct };
            Given { node: *node, answer: Answer::plain(judgement), by: Who::Person }
        });
        session.apply(Action::Answer(given.collect())).unwrap();
        if rows.len() > 1 {
            tables.push(rows);
        }
    };
    let bug = (1..=1000).map(Node).find(|node| length(node.0) == 3).unwrap();
    assert_eq!(verdict, Verdict::Bug { node: bug, inadmissible: Vec::new() });
    assert_eq!(tables.len(), 1, "one table has the twenty simplest calls");
    let mut simplest: Vec<Node> = (1..=1000).map(Node).filter(|node| length(node.0) < 20).collect();
    simplest.sort_unstable();
    assert_eq!(tables[0], simplest);
}
