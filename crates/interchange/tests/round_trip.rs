//! What is written and read again is what was written: shape, rules, equations; plain and compressed, in any order.

use flate2::{Compression, write::GzEncoder};
use gadfly_interchange::{self as interchange, Id, NodeLine, Recording, Writer};
use gadfly_source::{FileId, Position, Region, SourceFile, Sources};
use gadfly_term::render::Style;
use gadfly_term::{Argument, Binding, Equation, Outcome, TermId, Terms};
use gadfly_tree::{About, Behaviours, Kind, Node, Rule};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::io::{Cursor, Write};

/// A term as a plain tree.
#[derive(Clone, Debug)]
enum Plain {
    Number(String),
    Str(String, u64),
    Char(char),
    Opaque(String),
    Unevaluated,
    Omitted(u64),
    Con(String, Vec<Plain>),
    Function(String, Vec<Plain>),
    Tuple(Vec<Plain>),
    List(Vec<Plain>),
    Record(String, Vec<(String, Plain)>),
    Object(String, Vec<(String, Plain)>),
    Map(Vec<(Vec<Plain>, Plain)>),
}

fn plain() -> impl Strategy<Value = Plain> {
    let leaf = prop_oneof![
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,3})?".prop_map(Plain::Number),
        "(NaN|Infinity|1/3|0x1F|007|\\+1|1\\.)".prop_map(Plain::Number),
        (any::<String>(), option::of(any::<u64>())).prop_map(|(s, more)| Plain::Str(s, more.unwrap_or(0))),
        any::<char>().prop_map(Plain::Char),
        any::<String>().prop_map(Plain::Opaque),
        Just(Plain::Unevaluated),
        any::<u64>().prop_map(Plain::Omitted),
    ];
    leaf.prop_recursive(4, 24, 4, |part| {
        let fields = vec((any::<String>(), part.clone()), 0..4);
        prop_oneof![
            (any::<String>(), vec(part.clone(), 0..4)).prop_map(|(name, args)| Plain::Con(name, args)),
            (any::<String>(), vec(part.clone(), 0..4)).prop_map(|(name, args)| Plain::Function(name, args)),
            vec(part.clone(), 0..4).prop_map(Plain::Tuple),
            vec(part.clone(), 0..4).prop_map(Plain::List),
            (any::<String>(), fields.clone()).prop_map(|(name, fields)| Plain::Record(name, fields)),
            (any::<String>(), fields).prop_map(|(name, fields)| Plain::Object(name, fields)),
            vec((vec(part.clone(), 1..3), part), 0..3).prop_map(Plain::Map),
        ]
    })
}

/// These trees are shallow, so the test may recurse.
fn build(terms: &mut Terms, plain: &Plain) -> TermId {
    let all = |terms: &mut Terms, parts: &[Plain]| -> Vec<TermId> {
        parts.iter().map(|part| build(terms, part)).collect()
    };
    let fields = |terms: &mut Terms, fields: &[(String, Plain)]| -> Vec<TermId> {
        fields
            .iter()
            .map(|(name, value)| {
                let value = build(terms, value);
                terms.field(name, value)
            })
            .collect()
    };
    match plain {
        Plain::Number(text) => terms.number(text),
        Plain::Str(text, more) => terms.str(text, *more),
        Plain::Char(character) => terms.char(&character.to_string()),
        Plain::Opaque(text) => terms.opaque(text),
        Plain::Unevaluated => terms.unevaluated(),
        Plain::Omitted(count) => terms.omitted(*count),
        Plain::Con(name, args) => {
            let args = all(terms, args);
            terms.con(name, &args)
        }
        Plain::Function(name, args) => {
            let args = all(terms, args);
            terms.function(name, &args)
        }
        Plain::Tuple(parts) => {
            let parts = all(terms, parts);
            terms.tuple(&parts)
        }
        Plain::List(parts) => {
            let parts = all(terms, parts);
            terms.list(&parts)
        }
        Plain::Record(name, parts) => {
            let parts = fields(terms, parts);
            terms.record(name, &parts)
        }
        Plain::Object(name, parts) => {
            let parts = fields(terms, parts);
            terms.object(name, &parts)
        }
        Plain::Map(entries) => {
            let entries: Vec<TermId> = entries
                .iter()
                .map(|(arguments, result)| {
                    let arguments = all(terms, arguments);
                    let result = build(terms, result);
                    terms.entry(&arguments, result)
                })
                .collect();
            terms.finite_map(&entries)
        }
    }
}

/// A node before it is written.
#[derive(Clone, Debug)]
struct Written {
    id: Result<i64, String>,
    parent: Option<usize>,
    kind: Kind,
    rule: Rule,
    equation: Equation,
    code: Vec<Region>,
}

fn region() -> impl Strategy<Value = Region> {
    let position = || (1..100u32, 1..100u32).prop_map(|(line, column)| Position { line, column });
    (0..2u32, position(), position()).prop_map(|(file, a, b)| Region {
        file: FileId(file),
        start: a.min(b),
        end: a.max(b),
    })
}

fn rule() -> impl Strategy<Value = Rule> {
    ("[a-c\"\\\\é]{1,3}", option::of(1..4u32), option::of("[MN]"), option::of(region())).prop_map(
        |(function, number, module, region)| Rule {
            function: function.into(),
            number,
            module: module.map(Into::into),
            path: Box::default(),
            region,
        },
    )
}

fn equation() -> impl Strategy<Value = (Equation, Vec<Region>)> {
    let bindings = || vec((any::<String>(), plain()), 0..2);
    (
        any::<bool>(),
        vec((any::<String>(), plain()), 0..3),
        0..4,
        plain(),
        bindings(),
        bindings(),
        vec(region(), 0..3),
    )
        .prop_map(|(named, arguments, outcome, value, before, after, code)| {
            let mut terms = Terms::new();
            let arguments = arguments
                .iter()
                .map(|(name, value)| Argument {
                    name: named.then(|| name.as_str().into()),
                    value: build(&mut terms, value),
                })
                .collect();
            let outcome = match outcome {
                0 => Outcome::Nothing,
                1 => Outcome::Unfinished,
                2 => Outcome::Exception(build(&mut terms, &value)),
                _ => Outcome::Value(build(&mut terms, &value)),
            };
            let mut bind = |bindings: &[(String, Plain)]| {
                let bind = |(name, value): &(String, Plain)| Binding {
                    name: name.as_str().into(),
                    value: build(&mut terms, value),
                };
                bindings.iter().map(bind).collect::<Vec<_>>()
            };
            let (before, after) = (bind(&before), bind(&after));
            (
                Equation {
                    terms,
                    function: "".into(),
                    instances: Vec::new(),
                    inside: false,
                    arguments,
                    outcome,
                    before,
                    after,
                },
                code,
            )
        })
}

/// A tree of up to 12 nodes with dense, sparse or textual ids.
fn written() -> impl Strategy<Value = Vec<Written>> {
    let node = (any::<prop::sample::Index>(), 0..6usize, rule(), equation(), any::<i64>());
    (vec(node, 1..12), 0..3).prop_map(|(nodes, ids)| {
        let written =
            nodes.into_iter().enumerate().map(|(at, (parent, kind, rule, (equation, code), number))| {
                let id = match ids {
                    0 => Ok(at as i64 + 1),
                    // Distinct in their low bits whatever the rest is.
                    1 => Ok(number & !0xF | at as i64),
                    _ if at % 3 == 0 => Ok(at as i64),
                    _ => Err(format!("\"{at}\\ñ")),
                };
                let equation = Equation { function: rule.function.clone(), ..equation };
                let parent = (at > 0).then(|| parent.index(at));
                Written { id, parent, kind: Kind::ALL[kind], rule, equation, code }
            });
        written.collect()
    })
}

fn about_and_sources() -> (About, Sources) {
    let mut sources = Sources::new();
    sources.add(SourceFile::new("a.hs", Some("main = 1\n\t\"x\"\n".into())));
    sources.add(SourceFile::new("no such file.hs", None));
    let about = About { language: "haskell".into(), program: Some("a".into()), style: Style::Juxtaposed };
    (about, sources)
}

fn write(nodes: &[Written], order: &[usize]) -> Vec<u8> {
    let (about, sources) = about_and_sources();
    let mut writer = Writer::new(Vec::new(), &about, &sources).unwrap();
    let id = |node: usize| match &nodes[node].id {
        Ok(number) => Id::Number(*number),
        Err(text) => Id::Text(text),
    };
    for node in order {
        let Written { parent, kind, rule, equation, code, .. } = &nodes[*node];
        let (id, parent) = (id(*node), parent.map(id));
        writer.node(&NodeLine { id, parent, kind: *kind, rule, equation, code }).unwrap();
    }
    writer.finish().unwrap()
}

/// The nodes in the preorder that a file with this order of lines means.
fn preorder(nodes: &[Written], order: &[usize]) -> Vec<usize> {
    let mut open = vec![0];
    let mut preorder = Vec::new();
    while let Some(node) = open.pop() {
        preorder.push(node);
        open.extend(order.iter().rev().copied().filter(|child| nodes[*child].parent == Some(node)));
    }
    preorder
}

fn check(recording: &Recording, nodes: &[Written], preorder: &[usize]) {
    assert_eq!(recording.about, about_and_sources().0);
    let texts = |sources: &Sources| -> Vec<_> {
        sources.iter().map(|(_, file)| (file.name().to_owned(), file.text().map(str::to_owned))).collect()
    };
    assert_eq!(texts(&recording.sources), texts(&about_and_sources().1));
    let tree = &recording.tree;
    assert_eq!(tree.len() as usize, nodes.len());
    for (at, node) in preorder.iter().enumerate() {
        let expected = &nodes[*node];
        let here = Node(at as u32);
        assert_eq!(tree.parent(here).map(|parent| preorder[parent.index()]), expected.parent);
        assert_eq!(tree.rules().get(tree.rule_id(here)), &expected.rule);
        assert_eq!(tree.kind(here), expected.kind);
        assert_eq!(tree.raised(here), matches!(expected.equation.outcome, Outcome::Exception(_)));
        for whole in [false, true] {
            let behaviour = recording.behaviours.behaviour(tree, here, whole).unwrap();
            assert_eq!(behaviour.code, expected.code);
            assert_eq!(behaviour.equation.canonical(), expected.equation.canonical());
            let names = |equation: &Equation| -> Vec<_> {
                equation.arguments.iter().map(|argument| argument.name.clone()).collect()
            };
            assert_eq!(names(&behaviour.equation), names(&expected.equation));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_read_back_is_what_was_written(
        nodes in written(),
        shuffle in any::<[u8; 12]>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        for order_matters in [false, true] {
            if order_matters {
                order.sort_by_key(|node| shuffle[*node]);
            }
            let bytes = write(&nodes, &order);
            let preorder = preorder(&nodes, &order);
            let plain = interchange::read(Cursor::new(bytes.clone()), None).unwrap();
            check(&plain, &nodes, &preorder);

            // Two members, cut anywhere.
            let mut packed = Vec::new();
            let (one, two) = bytes.split_at(cut.index(bytes.len() + 1));
            for part in [one, two] {
                let mut encoder = GzEncoder::new(packed, Compression::fast());
                encoder.write_all(part).unwrap();
                packed = encoder.finish().unwrap();
            }
            let unpacked = interchange::read(Cursor::new(packed), None).unwrap();
            check(&unpacked, &nodes, &preorder);
            prop_assert_eq!(plain.fingerprint, unpacked.fingerprint);
        }
    }
}
