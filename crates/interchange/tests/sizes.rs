//! Sizes beyond what is written on purpose: a million deep, a million wide, texts of many megabytes.

use gadfly_interchange::{self as interchange, Recording};
use gadfly_term::{Equation, Outcome, Shape, TermId};
use gadfly_tree::{Behaviours, Node};
use std::io::Cursor;

const HEADER: &str = "{\"gadfly\": 1, \"language\": \"python\"}\n";

fn load(text: String) -> Recording {
    interchange::read(Cursor::new(text.into_bytes()), None).unwrap()
}

fn load_node(fields: &str) -> Recording {
    load(format!("{HEADER}{{\"id\": 1, \"function\": \"f\", {fields}}}"))
}

fn equation(recording: &Recording, whole: bool) -> Equation {
    recording.behaviours.behaviour(&recording.tree, Node::ROOT, whole).unwrap().equation
}

fn result(equation: &Equation) -> TermId {
    match equation.outcome {
        Outcome::Value(id) => id,
        _ => panic!("no result"),
    }
}

#[test]
fn a_tree_a_million_deep_in_both_orders() {
    let line = |id: u32| match id {
        1 => "{\"id\": 1, \"function\": \"f\"}\n".to_owned(),
        _ => format!("{{\"id\": {id}, \"parent\": {}, \"function\": \"f\"}}\n", id - 1),
    };
    let down: String = (1..=1_000_000).map(line).collect();
    let up: String = (1..=1_000_000).rev().map(line).collect();
    for text in [down, up] {
        let recording = load(HEADER.to_owned() + &text);
        assert_eq!(recording.tree.size_column()[..2], [1_000_000, 999_999]);
        let deepest = Node(999_999);
        assert_eq!(recording.tree.parent(deepest), Some(Node(999_998)));
        recording.behaviours.behaviour(&recording.tree, deepest, false).unwrap();
    }
}

#[test]
fn terms_a_million_deep() {
    let deep = |open: &str, close: &str| open.repeat(1_000_000) + "1" + &close.repeat(1_000_000);
    for (open, close) in [
        ("[", "]"),
        ("{\"con\":\"S\",\"args\":[", "]}"),
        ("{\"fields\":{\"x\":", "},\"object\":\"O\"}"),
        ("{\"map\":[[0,", "]]}"),
    ] {
        let recording = load_node(&format!("\"result\": {}", deep(open, close)));
        let whole = equation(&recording, true);
        assert!(whole.terms.len() > 1_000_000);
        let some = equation(&recording, false);
        assert!(some.terms.len() < 100_000);
        assert!(some.canonical().len() < whole.canonical().len());
    }
    // In an unknown field, too.
    load_node(&format!("\"x\": {}", deep("[{\"a\":", "}]")));
}

#[test]
fn a_list_a_million_long_is_counted() {
    let recording = load_node(&format!("\"result\": [{}1]", "1,".repeat(999_999)));
    let some = equation(&recording, false);
    let Shape::List(elements) = some.terms.shape(result(&some)) else { panic!("no list") };
    let Shape::Omitted(rest) = some.terms.shape(elements[elements.len() - 1]) else { panic!("no rest") };
    assert_eq!(elements.len() as u64 - 1 + rest, 1_000_000);
    let whole = equation(&recording, true);
    assert_eq!(whole.terms.children(result(&whole)).len(), 1_000_000);
}

#[test]
fn a_huge_argument_leaves_room_for_the_others() {
    let list = format!("[{}1]", "1,".repeat(999_999));
    let recording = load_node(&format!("\"args\": [{list}, 7, {list}, \"x\"], \"result\": [[[8]]]"));
    let some = equation(&recording, false);
    assert_eq!(some.terms.shape(some.arguments[1].value), Shape::Number("7"));
    assert_eq!(some.terms.shape(some.arguments[3].value), Shape::Str("x", 0));
    let path = "@result.1.1.1".parse().unwrap();
    assert_eq!(some.part(&path).map(|part| some.terms.shape(part)), Some(Shape::Number("8")));
    assert!(some.terms.len() < 100_000);
}

#[test]
fn a_million_arguments_are_counted() {
    let recording = load_node(&format!("\"args\": [{}1]", "1,".repeat(999_999)));
    let some = equation(&recording, false);
    let last = some.arguments[some.arguments.len() - 1].value;
    let Shape::Omitted(rest) = some.terms.shape(last) else { panic!("no rest") };
    assert_eq!(some.arguments.len() as u64 - 1 + rest, 1_000_000);
    assert_eq!(equation(&recording, true).arguments.len(), 1_000_000);
}

#[test]
fn what_is_left_out_keeps_fields_fields_and_entries_entries() {
    let fields: Vec<String> = (0..50_000).map(|n| format!("\"f{n}\":{n}")).collect();
    let entries: Vec<String> = (0..50_000).map(|n| format!("[{n},{n},[{n}]]")).collect();
    for result_text in [
        format!("{{\"record\":\"R\",\"fields\":{{{}}}}}", fields.join(",")),
        format!("{{\"object\":\"R\",\"fields\":{{{}}}}}", fields.join(",")),
        format!("{{\"map\":[{}]}}", entries.join(",")),
        format!("{{\"map\":[[{}1]]}}", "1,".repeat(50_000)),
    ] {
        let recording = load_node(&format!("\"result\": {result_text}"));
        let some = equation(&recording, false);
        let parts = some.terms.children(result(&some));
        match some.terms.shape(result(&some)) {
            Shape::FiniteMap(_) => {
                assert!(parts.iter().all(|part| matches!(some.terms.shape(*part), Shape::Entry(..))));
            }
            _ => assert!(parts.iter().all(|part| matches!(some.terms.shape(*part), Shape::Field(..)))),
        }
        assert!(some.terms.len() < 100_000);
    }
}

#[test]
fn long_texts_are_cut_and_counted() {
    let long = "é\\n".repeat(5_000_000);
    let recording = load_node(&format!(
        "\"args\": [{{\"opaque\": \"{long}\"}}, 1{}], \"result\": {{\"str\": \"{long}\", \"more\": 5}}",
        "0".repeat(1_000_000)
    ));
    let some = equation(&recording, false);
    let Shape::Str(text, more) = some.terms.shape(result(&some)) else { panic!("no string") };
    assert_eq!((text.chars().count(), more), (1 << 16, 10_000_005 - (1 << 16)));
    assert!(text.starts_with("é\né\n"));
    let Shape::Opaque(text) = some.terms.shape(some.arguments[0].value) else { panic!("not opaque") };
    assert!(text.ends_with('…') && text.len() < 200_000);
    // A number that is cut is not shown as a number.
    let Shape::Opaque(text) = some.terms.shape(some.arguments[1].value) else { panic!("not cut") };
    assert!(text.starts_with("1000") && text.ends_with('…'));
    let whole = equation(&recording, true);
    let Shape::Str(text, more) = whole.terms.shape(result(&whole)) else { panic!("no string") };
    assert_eq!((text.chars().count(), more), (10_000_000, 5));
    assert!(
        matches!(whole.terms.shape(whole.arguments[1].value), Shape::Number(digits) if digits.len() == 1_000_001)
    );
}

#[test]
fn many_long_texts_stay_within_the_limit_together() {
    let long = format!("\"{}\"", "x".repeat(70_000));
    let recording = load_node(&format!("\"result\": [{}1]", format!("{long},").repeat(200)));
    let some = equation(&recording, false);
    assert!(some.canonical().len() < 2 << 20);
    let parts = some.terms.children(result(&some));
    let characters = |id: &TermId| match some.terms.shape(*id) {
        Shape::Str(text, more) => text.len() as u64 + more,
        _ => 0,
    };
    assert!(parts[..200].iter().all(|part| characters(part) == 70_000));
}

#[test]
fn effort_is_the_length_up_to_a_limit() {
    let effort = |recording: &Recording| recording.behaviours.effort(&recording.tree, Node::ROOT);
    assert_eq!(effort(&load_node("\"args\": [1, 2], \"result\": 3")), 7);
    assert_eq!(effort(&load_node("\"unfinished\": true")), 0);
    assert_eq!(effort(&load_node(&format!("\"result\": \"{}\"", "x".repeat(10_000)))), 4096);
}
