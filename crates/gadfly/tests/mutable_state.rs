//! Programs with references and mutable arrays: no question about a program is wrong by the program itself.
//!
//! Every node of both trees of every program in `tests/mutable_state` is asked, not only those that a session would come to: an answer
//! "wrong" would mean that a question shows a false value or that the reference rebuilt another state. Most nodes must be
//! answered, or the law would hold of an oracle that never knows.

use gadfly_engine::{Judgement, Oracle, Query, Unwatched};
use gadfly_lazy::{Reference, ReferenceSettings};
use gadfly_term::render::{Style, equation_line};
use gadfly_trail::Trail;
use gadfly_tree::{Behaviours, Node};
use gadfly_views::{Options, View, Viewed, view};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutable_state");
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|suffix| suffix == "hs"));
    found.sort();
    assert!(found.len() >= 10, "programs are missing");
    found
}

/// The recorded run of a program.
fn record(program: &Path, folder: &Path) -> Arc<Trail> {
    let trail = folder.join(program.file_stem().unwrap()).with_extension("trail");
    let recorded = Command::new(env!("CARGO_BIN_EXE_gadfly"))
        .arg("record")
        .arg(program)
        .arg("-o")
        .arg(&trail)
        .current_dir(folder)
        .env("GADFLY_STATE", folder.join("state"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(recorded.status.success(), "{program:?}: {recorded:?}");
    Arc::new(Trail::open(&trail).unwrap())
}

/// What the answers to all nodes are: how many are right, the texts of those that are wrong, and why others are not known.
#[derive(Debug, Default)]
struct Answers {
    asked: usize,
    right: usize,
    wrong: Vec<String>,
    unknown: Vec<String>,
}

fn ask_all(viewed: &Viewed, reference: &mut Reference) -> Answers {
    let mut answers = Answers::default();
    let tree = &viewed.tree;
    for node in (0..tree.len()).map(Node) {
        let said = viewed.behaviours.behaviour(tree, node, true).unwrap();
        let rule = tree.rules().get(tree.rule_id(node));
        let span = rule.region.and_then(|region| viewed.sources.span(region));
        let text = equation_line(&said.equation, Style::Juxtaposed, 400).text;
        let query = Query {
            number: node.0 as usize + 1,
            level: 0,
            node,
            shown_number: node.number(),
            handle: tree.handle(node),
            rule,
            rule_text: span.and_then(|span| viewed.sources.text(span)),
            file: None,
            equation: &said.equation,
            text: &text,
            size: tree.size(node),
        };
        answers.asked += 1;
        match reference.judge(&query, &Unwatched).unwrap() {
            Some(answer) if answer.judgement == Judgement::Correct => answers.right += 1,
            Some(_) => answers.wrong.push(format!("{}: {text}", node.number())),
            None => answers.unknown.push(format!("{}: {text}", node.number())),
        }
    }
    answers
}

#[test]
fn a_program_is_right_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (mut failures, mut unknown) = (Vec::new(), Vec::new());
    let (mut asked, mut right) = (0, 0);
    for program in programs() {
        let trail = record(&program, folder.path());
        for kind in [View::Edt, View::Fdt] {
            let mut reference = Reference::open(&program, ReferenceSettings::default()).unwrap();
            let options = Options { view: kind, ..Options::default() };
            let viewed = view(Arc::clone(&trail), &options).unwrap();
            let answers = ask_all(&viewed, &mut reference);
            let name = program.file_name().unwrap().to_string_lossy();
            let wrong = answers.wrong.iter();
            failures.extend(wrong.map(|wrong| format!("{name} ({kind:?}), node {wrong}")));
            (asked, right) = (asked + answers.asked, right + answers.right);
            unknown.extend(
                answers.unknown.into_iter().map(|unknown| format!("{name} ({kind:?}), node {unknown}")),
            );
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let unknown = unknown.join("\n");
    assert!(
        right * 4 > asked * 3,
        "only {right} of {asked} nodes are known to be right; not known:\n{unknown}"
    );
}
