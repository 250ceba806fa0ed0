//! Laws that hold for every term in every room, and values too big to look at.

use super::tests::{V, call};
use super::{Room, Style, equation, equation_line, term};
use crate::{Argument, Equation, Outcome, Path, Terms};
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,6}",
        "[A-Z][a-z]{0,40}",
        "[-+*/<>:|.!$]{1,4}",
        "\\PC{0,12}",
        proptest::collection::vec(any::<char>(), 0..50).prop_map(String::from_iter),
        Just("\u{202e}\u{1b}[2J\r\n\u{7}漢字e\u{301}👩\u{200d}👩🏽\u{fe0f}".to_string()),
    ]
}

fn value() -> impl Strategy<Value = V> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(|n| V::Number(n.to_string())),
        text().prop_map(V::Number),
        (text(), prop_oneof![Just(0), any::<u64>()]).prop_map(|(text, more)| V::Str(text, more)),
        text().prop_map(V::Char),
        text().prop_map(V::Opaque),
        text().prop_map(|name| V::Con(name, vec![])),
        Just(V::Unevaluated),
        prop_oneof![Just(0), any::<u64>()].prop_map(V::Omitted),
    ];
    leaf.prop_recursive(6, 120, 12, |inner| {
        let many = || proptest::collection::vec(inner.clone(), 0..12);
        let fields = || {
            let field = (text(), inner.clone()).prop_map(|(name, value)| V::Field(name, Box::new(value)));
            proptest::collection::vec(field, 0..5)
        };
        let entry = (many(), inner.clone()).prop_map(|(args, value)| V::Entry(args, Box::new(value)));
        prop_oneof![
            (text(), many()).prop_map(|(name, args)| V::Con(name, args)),
            (text(), many()).prop_map(|(name, args)| V::Function(name, args)),
            many().prop_map(V::Tuple),
            many().prop_map(V::List),
            // Not what an importer should make, but nothing forbids it.
            many().prop_map(V::Map),
            (text(), many()).prop_map(|(name, args)| V::Record(name, args)),
            (text(), fields()).prop_map(|(name, fields)| V::Record(name, fields)),
            (text(), fields()).prop_map(|(name, fields)| V::Object(name, fields)),
            proptest::collection::vec(entry, 0..5).prop_map(V::Map),
        ]
    })
}

fn style() -> impl Strategy<Value = Style> {
    prop_oneof![Just(Style::Juxtaposed), Just(Style::Called)]
}

fn room() -> impl Strategy<Value = Room> {
    let width = prop_oneof![0..30usize, 30..120usize, Just(usize::MAX)];
    let lines = prop_oneof![0..4usize, 4..30usize, Just(usize::MAX)];
    (width, lines).prop_map(|(width, lines)| Room { width, lines })
}

fn some_equation() -> impl Strategy<Value = Equation> {
    let bindings = || proptest::collection::vec((text(), value()), 0..3);
    let args = proptest::collection::vec(value(), 0..4);
    (text(), args, value(), 0..4, bindings(), bindings(), any::<bool>()).prop_map(
        |(function, args, result, outcome, before, after, named)| {
            let mut made = call(&function, &args);
            made = match outcome {
                0 => made.is(result),
                1 => made.raises(result),
                _ => made,
            };
            for (name, value) in before {
                made = made.before(&name, value.clone()).after(&name, value);
            }
            for (name, value) in after {
                made = made.after(&name, value);
            }
            let mut equation = made.equation;
            if outcome == 3 {
                equation.outcome = Outcome::Unfinished;
            }
            if named && let Some(argument) = equation.arguments.first_mut() {
                argument.name = Some(function.into());
            }
            equation
        },
    )
}

fn check_fits(text: &str, room: Room) -> Result<(), TestCaseError> {
    prop_assert!(text.lines().count() <= room.lines.max(1), "{} lines:\n{text}", text.lines().count());
    for line in text.lines() {
        prop_assert!(line.width() <= room.width.max(Room::LEAST_WIDTH), "{} columns:\n{text}", line.width());
    }
    prop_assert!(!text.contains(|c: char| c != '\n' && c.is_control() || c == '\u{202e}'), "{text:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_term_fits_its_room(value in value(), style in style(), room in room()) {
        let mut terms = Terms::new();
        let id = value.build(&mut terms);
        let shown = term(&terms, id, style, room);
        check_fits(&shown.text, room)?;
        prop_assert_eq!(&shown, &term(&terms, id, style, room));
        let all = term(&terms, id, style, Room::UNBOUNDED);
        prop_assert!(!all.elided && !all.text.contains('\n'));
        // What is said to be whole is whole.
        if !shown.elided && !shown.text.contains('\n') {
            prop_assert_eq!(shown.text, all.text);
        }
    }

    #[test]
    fn an_equation_fits_its_room(
        of in some_equation(),
        style in style(),
        room in room(),
        mark in prop_oneof!["@result(\\.[1-3]){0,3}", "@arg[12](\\.[1-3]){0,3}", Just("@function".to_string())],
    ) {
        let mark: Path = mark.parse().unwrap();
        check_fits(&equation(&of, style, room, None).text, room)?;
        let shown = equation(&of, style, room, Some(&mark));
        check_fits(&shown.text, room)?;
        let all = equation(&of, style, Room::UNBOUNDED, Some(&mark));
        prop_assert!(!all.elided && !all.text.contains('\n'));
        if of.has(&mark) {
            prop_assert!(all.text.contains('«') && all.text.contains('»'), "{}", all.text);
        }
        let line = equation_line(&of, style, room.width);
        prop_assert!(!line.text.contains('\n'));
    }

    #[test]
    fn a_marked_part_is_seen_on_any_usual_screen(
        of in some_equation(), style in style(), path in "(\\.[1-3]){0,4}", lines in 1..12usize,
    ) {
        let mark: Path = format!("@result{path}").parse().unwrap();
        if of.has(&mark) && of.arguments.len() <= 4 {
            let shown = equation(&of, style, Room { width: 80, lines }, Some(&mark));
            prop_assert!(shown.text.contains('«') && shown.text.contains('»'), "{}", shown.text);
        }
    }
}

/// An equation whose argument and result are the given ones.
fn big(make: impl Fn(&mut Terms) -> crate::TermId) -> Equation {
    let mut terms = Terms::new();
    let value = make(&mut terms);
    Equation {
        terms,
        function: "f".into(),
        instances: Vec::new(),
        instances: Vec::new(),
        inside: false,
        arguments: vec![Argument { name: None, value }],
        outcome: Outcome::Value(value),
        before: Vec::new(),
        after: Vec::new(),
    }
}

#[test]
fn a_list_of_a_million_elements() {
    let of = big(|terms| {
        let ids: Vec<_> = (1..=1_000_000).map(|n: u32| terms.number(&n.to_string())).collect();
        terms.list(&ids)
    });
    let line = equation_line(&of, Style::Called, 80).text;
    assert_eq!(line, "f([1, 2, … 999,997 more …, 1000000]) = [1, 2, … 999,997 more …, 1000000]");
    let all = equation_line(&of, Style::Called, usize::MAX);
    assert!(!all.elided && all.text.len() > 10_000_000);
}

#[test]
fn a_value_a_million_deep() {
    let of = big(|terms| (0..1_000_000).fold(terms.con("Z", &[]), |id, _| terms.con("S", &[id])));
    let line = equation_line(&of, Style::Juxtaposed, 60).text;
    assert_eq!(line, "f (S (S (S (S (S (S …)))))) = S (S (S (S (S (S (S …))))))");
    for lines in [3, 40] {
        assert!(equation(&of, Style::Called, Room { width: 80, lines }, None).elided);
    }
    let all = equation_line(&of, Style::Called, usize::MAX);
    assert!(!all.elided && all.text.len() > 4_000_000);
    let deep: Path = format!("@arg1{}", ".1".repeat(1_000_000)).parse().unwrap();
    let shown = equation(&of, Style::Called, Room { width: 80, lines: 10 }, Some(&deep));
    assert!(shown.text.contains("«Z»"), "{}", shown.text);
}

#[test]
fn a_value_that_shares_more_than_could_ever_be_written() {
    let of = big(|terms| (0..200).fold(terms.con("Leaf", &[]), |id, _| terms.con("Node", &[id, id])));
    let line = equation_line(&of, Style::Juxtaposed, 60);
    assert_eq!(line.text, "f (Node (Node … …) (Node … …)) = Node (Node … …) (Node … …)");
}

#[test]
fn a_text_of_many_megabytes() {
    let of = big(|terms| terms.str(&"añ".repeat(10_000_000), 0));
    let line = equation_line(&of, Style::Called, 80).text;
    assert_eq!(line, "f('añañaña'…(29,999,981 bytes)…'añañañ') = 'añañaña'…(29,999,981 bytes)…'añañañ'");
}

#[test]
fn a_text_without_width() {
    let of = big(|terms| terms.str(&"\u{301}".repeat(10_000_000), 0));
    assert!(equation_line(&of, Style::Called, 80).text.len() < 10_000);
}
