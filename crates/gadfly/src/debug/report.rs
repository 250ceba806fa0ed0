//! A session as one JSON object.

use super::subject::Subject;
use crate::python::player::Missing;
use gadfly_engine::{Asked, NoBug, Session, Verdict};
use gadfly_source::Region;
use gadfly_tree::Node;
use serde_json::{Value, json};

/// The object that `--format json` prints.
pub(crate) fn report(subject: &Subject<'_>, session: &Session, verdict: &Verdict) -> Value {
    let questions: Vec<Value> = session.asked().iter().map(|asked| question(subject, asked)).collect();
    json!({
        "strategy": session.strategy().name(),
        "view": subject.recording.view(),
        "questions": questions,
        "verdict": verdict_json(subject, verdict),
    })
}

/// A session and what came after it inside of a call: all questions, and the verdict of the latter.
pub(crate) fn joined(mut whole: Value, mut inside: Value) -> Value {
    let before = whole["questions"].as_array().map_or(0, Vec::len);
    if let (Some(all), Some(more)) = (whole["questions"].as_array_mut(), inside["questions"].as_array_mut()) {
        for (number, question) in more.iter_mut().enumerate() {
            question["number"] = json!(before + number + 1);
            question["inside"] = json!(true);
        }
        all.append(more);
    }
    let call = whole["verdict"].take();
    whole["verdict"] = inside["verdict"].take();
    whole["verdict"]["call"] = call;
    whole
}

fn question(subject: &Subject<'_>, asked: &Asked) -> Value {
    let rows: Vec<Value> = asked
        .given
        .iter()
        .map(|given| {
            json!({
                "node": subject.number(given.node),
                "equation": subject.line(given.node),
                "answer": given.answer.judgement.word(),
                "by": given.by.word(),
                "marks": given.answer.marks,
                "expected": given.answer.expected,
            })
        })
        .collect();
    // A table is told by its last row, which is the first wrong one if any is, and holds all of them.
    let mut question = json!({"number": asked.number});
    if let (Some(question), Some(Value::Object(last))) = (question.as_object_mut(), rows.last()) {
        question.extend(last.clone());
    }
    if rows.len() > 1 {
        question["rows"] = Value::Array(rows);
    }
    question
}

fn verdict_json(subject: &Subject<'_>, verdict: &Verdict) -> Value {
    let mut object = json!({"status": verdict.status()});
    let details = match verdict {
        Verdict::Bug { node, inadmissible } => {
            let mut object = place(subject, *node);
            let calls = inadmissible
                .iter()
                .map(|node| json!({"node": subject.number(*node), "equation": subject.line(*node)}));
            object["inadmissible"] = calls.collect();
            if let Some(missing) = subject.missing(*node) {
                object["missing"] = json!(if missing == Missing::After { "after" } else { "before" });
            }
            object
        }
        Verdict::None(reason) => {
            let reason = match reason {
                NoBug::Correct => "correct",
                NoBug::Inadmissible => "inadmissible",
                NoBug::Trusted => "trusted",
                NoBug::ReferenceAgrees => "reference agrees",
            };
            json!({"reason": reason})
        }
        // A call that was found is wrong for certain, whichever line of it is.
        Verdict::Unsure { candidates } if subject.is_inside() => {
            object["status"] = json!("bug");
            let parts = super::zoom::parts(subject, candidates);
            let mut object = place(subject, parts[0]);
            object["code"] =
                super::zoom::code(subject, &parts).iter().map(|region| span(subject, region, None)).collect();
            object["candidates"] = parts.iter().map(|node| place(subject, *node)).collect();
            object
        }
        Verdict::Unsure { candidates } => {
            json!({"candidates": candidates.iter().map(|node| place(subject, *node)).collect::<Vec<_>>()})
        }
    };
    if let (Some(object), Value::Object(details)) = (object.as_object_mut(), details) {
        object.extend(details);
    }
    object
}

/// A node with its rule and its code.
fn place(subject: &Subject<'_>, node: Node) -> Value {
    let rule = subject.rule(node);
    let code = subject.code(node);
    let first = code.first();
    let elsewhere = first.is_some_and(|code| rule.region.is_some_and(|own| own.file != code.file));
    json!({
        "node": subject.number(node),
        "function": if elsewhere { "<module>" } else { &rule.function },
        "module": rule.module.as_deref(),
        "rule": rule.number,
        "kind": subject.recording.tree().kind(node).name(),
        "equation": subject.line(node),
        "file": first.map(|region| file_name(subject, region)),
        "line": first.map(|region| region.start.line),
        "code": code.iter().map(|region| span(subject, region, first)).collect::<Vec<_>>(),
    })
}

fn file_name<'a>(subject: &Subject<'a>, region: &Region) -> &'a str {
    subject.recording.sources().file(region.file).name()
}

/// A piece of code; its file is told only if it is not the one that `file` tells.
fn span(subject: &Subject<'_>, region: &Region, first: Option<&Region>) -> Value {
    let mut span = json!({
        "start": [region.start.line, region.start.column],
        "end": [region.end.line, region.end.column],
    });
    if first.is_some_and(|first| first.file != region.file) {
        span["file"] = json!(file_name(subject, region));
    }
    span
}
