//! The examples in `examples/interchange` load and say what they should.

use gadfly_interchange::{self as interchange, Recording};
use gadfly_source::Position;
use gadfly_term::{Equation, Shape};
use gadfly_tree::{Behaviours, Node};
use std::path::{Path, PathBuf};
use std::process::Command;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/interchange").join(name)
}

fn numbers(recording: &Recording, node: u32) -> Vec<u64> {
    recording.tree.children(Node(node - 1)).map(Node::number).collect()
}

fn shape<'a>(equation: &'a Equation, path: &str) -> Shape<'a> {
    equation.terms.shape(equation.part(&path.parse().unwrap()).unwrap())
}

#[test]
fn the_tree_of_the_paper() {
    let recording = interchange::open(&example("sqrtest.jsonl")).unwrap();
    assert_eq!(recording.tree.len(), 27);
    assert_eq!(numbers(&recording, 2), [3, 4, 25]);
    assert_eq!(numbers(&recording, 4), [5, 7, 16]);
    assert_eq!(numbers(&recording, 20), [21, 23]);
    let sum2 = Node::from_number(23).unwrap();
    let rule = recording.tree.rules().get(recording.tree.rule_id(sum2));
    assert_eq!((&*rule.function, rule.number, rule.module.as_deref()), ("sum2", Some(1), Some("Main")));
    let region = rule.region.unwrap();
    assert_eq!(
        (region.start, region.end),
        (Position { line: 24, column: 1 }, Position { line: 24, column: 30 })
    );
    let span = recording.sources.span(region).unwrap();
    assert_eq!(recording.sources.text(span), Some("sum2 x = div (x + (decr x)) 2"));
    let test = recording.behaviours.behaviour(&recording.tree, Node(2), false).unwrap().equation;
    assert_eq!(shape(&test, "@arg1.3"), Shape::Number("8"));
    assert_eq!(shape(&test, "@result"), Shape::Con("False", &[]));
}

#[test]
fn the_source_of_the_paper_is_the_one_in_the_header() {
    let recording = interchange::open(&example("sqrtest.jsonl")).unwrap();
    let (_, file) = recording.sources.iter().next().unwrap();
    assert_eq!(file.text(), std::fs::read_to_string(example("../sqrtest.hs")).ok().as_deref());
}

#[test]
fn the_python_recorder_records_a_real_program() {
    let emitter = std::fs::read_to_string(example("emit.py")).unwrap();
    assert!(emitter.lines().count() <= 60);
    let run = Command::new("python3")
        .args(["emit.py", "shopping.py"])
        .current_dir(example("."))
        .output()
        .expect("python3 is needed for this test");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(run.stderr, b"315\n", "what the program itself prints");
    let recording = interchange::read(std::io::Cursor::new(run.stdout), None).unwrap();
    let functions: Vec<&str> = (0..recording.tree.len())
        .map(|node| &*recording.tree.rules().get(recording.tree.rule_id(Node(node))).function)
        .collect();
    let parse = ["parse", "price"];
    let line = ["line_total", "price", "percent_off"];
    let expected =
        [&["<module>", "total", "basket"][..], &parse, &parse, &parse, &parse, &line, &line].concat();
    assert_eq!(functions, expected);

    let melon = recording.tree.children(Node(2)).nth(1).unwrap();
    assert!(recording.tree.raised(melon));
    // The bug: percent_off(5) = 0.
    let wrong = Node(recording.tree.len() - 1);
    let behaviour = recording.behaviours.behaviour(&recording.tree, wrong, false).unwrap();
    assert_eq!(shape(&behaviour.equation, "@arg1"), Shape::Number("5"));
    assert_eq!(shape(&behaviour.equation, "@result"), Shape::Number("0"));
    assert_eq!(behaviour.equation.arguments[0].name.as_deref(), Some("count"));
    let ran: Vec<u32> = behaviour.code.iter().map(|region| region.start.line).collect();
    let span = recording.sources.span(behaviour.code[0]).unwrap();
    assert!(recording.sources.text(span).unwrap().contains("count > 5"));
    assert_eq!(ran.len(), 2, "the line that takes ten percent off did not run");
}
