//! The examples in `docs/interchange.md` are files that load, and its table of forms is true.

use gadfly_interchange as interchange;
use gadfly_tree::{Behaviours, Node};
use std::io::Cursor;

fn document() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/interchange.md");
    std::fs::read_to_string(path).unwrap()
}

fn load(text: String) {
    let recording =
        interchange::read(Cursor::new(text.clone()), None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for node in (0..recording.tree.len()).map(Node) {
        let rule = recording.tree.rules().get(recording.tree.rule_id(node));
        recording.behaviours.behaviour(&recording.tree, node, false).unwrap();
        // Places are where the sources have something.
        if let Some(region) = rule.region {
            let span = recording.sources.span(region).unwrap();
            assert!(!recording.sources.text(span).unwrap().is_empty());
        }
    }
}

#[test]
fn every_example_loads() {
    let document = document();
    let examples: Vec<&str> =
        document.split("```jsonl\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        load(example.to_owned());
    }
}

#[test]
fn every_form_in_the_table_is_a_value() {
    let document = document();
    let table = document.split("| in the file |").nth(1).unwrap().split("\n\n").next().unwrap();
    let mut forms = 0;
    for row in table.lines().skip(2) {
        let cell = row.split(" | ").next().unwrap();
        for form in cell.split('`').skip(1).step_by(2) {
            let header = "{\"gadfly\": 1, \"language\": \"c\"}";
            load(format!("{header}\n{{\"id\": 1, \"function\": \"f\", \"result\": {form}}}"));
            forms += 1;
        }
    }
    assert!(forms >= 16);
}
