//! Every message of the protocol, in one file that is read and written back unchanged, and on the protocol's page.
//!
//! A variant that is added here does not compile until it has its word below, and then the golden file and the page must have
//! it. A change of a line that clients may know is a change of [`PROTOCOL`].

use gadfly_dialogue::Stimulus;
use gadfly_dialogue::protocol::{
    Basis, Doing, Doubt, Ending, Event, Fault, Input, LONGEST, Look, Looked, Message, NoBug, Notice,
    PROTOCOL, Refusal, Verdict,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;

const GOLDEN: &str = include_str!("messages.jsonl");
const PAGE: &str = include_str!("../../../docs/protocol.md");

/// The words of a type in JSON: all of them, and the one of a value.
macro_rules! words {
    ($all:ident, $word:ident, $type:ident: $($variant:ident $word_of:literal,)*) => {
        const $all: &[&str] = &[$($word_of),*];

        fn $word(value: &$type) -> &'static str {
            match value {
                $($type::$variant { .. } => $word_of,)*
            }
        }
    };
}

words!(INPUTS, input, Input:
    Hello "hello", Answer "answer", OneByOne "one-by-one", Undo "undo", Revise "revise", Restart "restart", Switch "switch", Trust "trust",
    AskAbout "ask-about", Enter "enter", Leave "leave", Reject "reject", Look "look", Cancel "cancel", Quit "quit",
);
words!(LOOKS, look, Look:
    Why "why", Left "left", History "history", Whole "whole", Code "code", IfAnswered "if-answered",
);
words!(EVENTS, event, Event:
    Opened "opened", Question "question", Answered "answered", TakenBack "taken-back", Noticed "noticed", Entered "entered", Left "left",
    Working "working", Worked "worked", Doubted "doubted", Verdict "verdict", Looked "looked", Refused "refused",
    Ended "ended",
);
words!(NOTICES, notice, Notice:
    EqualJudgedDifferently "equal-judged-differently", WrongInside "wrong-inside",
    TrustedButWrong "trusted-but-wrong", OracleDisabled "oracle-disabled", NotLearned "not-learned",
    Unanswered "unanswered", UnusedAnswer "unused-answer", NothingToTrust "nothing-to-trust", NoInside "no-inside",
    Rerecorded "rerecorded", InsideChanged "inside-changed", JournalLost "journal-lost",
);
words!(FOUND, found, Looked:
    Why "why", Left "left", History "history", Whole "whole", Code "code", IfAnswered "if-answered",
);
words!(REFUSALS, refusal, Refusal:
    Stale "stale", OtherQuestion "other-question", NotNow "not-now", Nonsense "nonsense", Protocol "protocol",
);
words!(ENDINGS, ending, Ending: Verdict "verdict", Quit "quit", Failed "failed",);
words!(VERDICTS, verdict, Verdict: Bug "bug", None "none", Unsure "unsure",);
words!(DOING, doing, Doing:
    Asking "asking", Entering "entering", Reviewing "reviewing", Estimating "estimating", Learning "learning",
);
words!(DOUBTS, doubt, Doubt:
    SameInReference "same-in-reference", TestPasses "test-passes", RanAndDiffers "ran-and-differs",
    DiffersElsewhere "differs-elsewhere",
);
words!(BASES, basis, Basis:
    Answers "answers", Elimination "elimination", ReferenceText "reference-text", TestPasses "test-passes",
    OneRuleLeft "one-rule-left",
);
words!(NO_BUGS, no_bug, NoBug:
    Correct "correct", Inadmissible "inadmissible", Trusted "trusted", ReferenceAgrees "reference-agrees",
);
words!(FAULTS, fault, Fault:
    Ran "ran", MissingBefore "missing-before", MissingAfter "missing-after", Differs "differs",
);

/// Reads a line and writes it back; the line must not change.
fn round_trip<T: Serialize + DeserializeOwned>(line: &str) -> Option<T> {
    let message: Message<T> = serde_json::from_str(line).ok()?;
    assert_eq!(serde_json::to_string(&message).expect("JSON"), line);
    Some(message.body)
}

fn of_verdict(known: &mut BTreeSet<(&'static str, &'static str)>, shown: &Verdict) {
    known.insert(("verdict", verdict(shown)));
    match shown {
        Verdict::Bug(bug) => {
            known.insert(("basis", basis(&bug.basis)));
            known.extend(bug.place.code.iter().map(|code| ("fault", fault(&code.fault))));
            bug.call.iter().for_each(|call| of_verdict(known, call));
        }
        Verdict::None { reason } => {
            known.insert(("no bug", no_bug(reason)));
        }
        Verdict::Unsure { .. } => {}
    }
}

fn of_event(known: &mut BTreeSet<(&'static str, &'static str)>, body: &Event) {
    known.insert(("event", event(body)));
    match body {
        Event::Noticed { notice: one } => drop(known.insert(("notice", notice(one)))),
        Event::Looked { found: one } => drop(known.insert(("found", found(one)))),
        Event::Refused { why } => drop(known.insert(("refusal", refusal(why)))),
        Event::Ended { how } => drop(known.insert(("ending", ending(how)))),
        Event::Working { doing: one, .. } => drop(known.insert(("doing", doing(one)))),
        Event::Doubted { why } => drop(known.insert(("doubt", doubt(why)))),
        Event::Verdict(shown) => of_verdict(known, shown),
        _ => {}
    }
}

#[test]
fn every_message_is_read_and_written_back_unchanged() {
    let mut known = BTreeSet::new();
    for line in GOLDEN.lines() {
        if let Some(body) = round_trip::<Input>(line) {
            known.insert(("input", input(&body)));
            if let Input::Look { at } = &body {
                known.insert(("look", look(at)));
            }
        } else if let Some(body) = round_trip::<Event>(line) {
            of_event(&mut known, &body);
        } else {
            let why = serde_json::from_str::<Message<Event>>(line).map(drop).expect_err("no message");
            panic!("{line}: {why}");
        }
    }
    for (of, all) in [
        ("input", INPUTS),
        ("look", LOOKS),
        ("event", EVENTS),
        ("notice", NOTICES),
        ("found", FOUND),
        ("refusal", REFUSALS),
        ("ending", ENDINGS),
        ("verdict", VERDICTS),
        ("doing", DOING),
        ("doubt", DOUBTS),
        ("basis", BASES),
        ("no bug", NO_BUGS),
        ("fault", FAULTS),
    ] {
        for word in all {
            assert!(known.contains(&(of, *word)), "messages.jsonl has no {of} `{word}`");
            assert!(PAGE.contains(&format!("`{word}`")), "docs/protocol.md has no {of} `{word}`");
        }
    }
}

#[test]
fn the_page_is_about_this_version() {
    assert!(PAGE.contains(&format!("version {PROTOCOL}")));
    assert!(PAGE.contains(&format!("at most {LONGEST} bytes")));
}

#[test]
fn what_is_no_message_is_an_error() {
    for line in [
        "",
        "{}",
        "[]",
        "null",
        r#"{"type":"quit"}"#,
        r#"{"seen":0}"#,
        r#"{"seen":0,"type":"sing"}"#,
        r#"{"seen":-1,"type":"quit"}"#,
        r#"{"seen":0,"type":"undo"}"#,
        r#"{"seen":0,"type":"undo","steps":"two"}"#,
        r#"{"seen":0,"type":"look"}"#,
        r#"{"seen":0,"type":"look","at":"the sky"}"#,
        r#"{"seen":0,"type":"look","at":"whole","node":"three"}"#,
        r#"{"seen":0,"type":"answer","question":1,"rows":[{"answer":"maybe"}]}"#,
        r#"{"seen":0,"type":"switch","strategy":"fast"}"#,
    ] {
        assert!(matches!(Stimulus::line(line.as_bytes()), Stimulus::Garbled { request: None, .. }), "{line}");
    }
    let named = Stimulus::line(br#"{"request":7,"seen":0,"type":"sing"}"#);
    assert!(matches!(named, Stimulus::Garbled { request: Some(7), .. }));
    let long = Stimulus::line(&vec![b' '; LONGEST + 1]);
    assert!(matches!(long, Stimulus::Garbled { message, .. } if message.contains("longer")));
}
