//! What the tests of this crate have in common: text in, tree or messages out.

use gadfly_source::{FileId, SourceFile, Sources};

use crate::names::Interner;
use crate::{Dialect, Parsed, dump, dump_expression, parse, parse_expression};

/// A Haskell module must give this tree, and the messages after it.
#[track_caller]
pub(crate) fn check(text: &str, expected: &str) {
    check_file("test.hs", text, expected);
}

/// The same for a Curry module.
#[track_caller]
pub(crate) fn check_curry(text: &str, expected: &str) {
    check_file("test.curry", text, expected);
}

/// The same for a literate Haskell module.
#[track_caller]
pub(crate) fn check_literate(text: &str, expected: &str) {
    check_file("test.lhs", text, expected);
}

/// A Haskell expression must give this tree, and the messages after it.
#[track_caller]
pub(crate) fn check_expr(text: &str, expected: &str) {
    let (sources, file) = source("test.hs", text);
    let mut interner = Interner::new();
    let parsed = parse_expression(&sources, file, Dialect::Haskell, &mut interner);
    let mut found = dump_expression(&parsed.module.tree, parsed.expression, &interner);
    for diagnostic in &parsed.diagnostics {
        found.push('\n');
        found.push_str(&diagnostic.plain_lines(&sources));
    }
    assert_eq!(found, expected, "{text}");
}

/// A Haskell module must give these messages.
#[track_caller]
pub(crate) fn check_errors(text: &str, expected: &str) {
    check_messages("test.hs", text, expected);
}

/// A Curry module must give these messages.
#[track_caller]
pub(crate) fn check_curry_errors(text: &str, expected: &str) {
    check_messages("test.curry", text, expected);
}

/// One file of this name.
pub(crate) fn source(name: &str, text: &str) -> (Sources, FileId) {
    let mut sources = Sources::new();
    let file = sources.add(SourceFile::new(name, Some(text.to_owned())));
    (sources, file)
}

pub(crate) fn parse_file(name: &str, text: &str) -> (Sources, Interner, Parsed) {
    let (sources, file) = source(name, text);
    let mut interner = Interner::new();
    let dialect = Dialect::of_file(name).expect("a name with a dialect");
    let parsed = parse(&sources, file, dialect, &mut interner);
    (sources, interner, parsed)
}

#[track_caller]
fn check_file(name: &str, text: &str, expected: &str) {
    let (sources, interner, parsed) = parse_file(name, text);
    let mut found = dump(&parsed.module, &interner);
    for diagnostic in &parsed.diagnostics {
        found.push_str(&diagnostic.plain_lines(&sources));
        found.push('\n');
    }
    assert_eq!(found.trim_end(), expected, "{text}");
}

#[track_caller]
fn check_messages(name: &str, text: &str, expected: &str) {
    let (sources, _, parsed) = parse_file(name, text);
    let found: Vec<String> =
        parsed.diagnostics.iter().map(|diagnostic| diagnostic.plain_lines(&sources)).collect();
    assert_eq!(found.join("\n"), expected, "{text}");
}
