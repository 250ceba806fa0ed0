use super::*;
use crate::check::source;

/// The tokens of a text, with their columns, then the messages.
fn lexed(name: &str, text: &str) -> String {
    let (sources, file) = source(name, text);
    let mut interner = Interner::new();
    let mut tree = Tree::new(file);
    let mut report = Report::new(file);
    let dialect = Dialect::of_file(name).expect("a name with a dialect");
    let tokens = lex(text, dialect, &mut interner, &mut tree, &mut report);
    let mut found: Vec<String> = tokens
        .tokens
        .iter()
        .map(|token| {
            let text = &text[token.start as usize..token.end as usize];
            let line = if token.has(FIRST_ON_LINE) { "|" } else { "" };
            format!("{line}{}:{:?} {text}", token.column, token.kind).trim_end().to_owned()
        })
        .collect();
    found.pop();
    found.extend(report.finish().iter().map(|diagnostic| diagnostic.plain_lines(&sources)));
    found.join(", ")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(lexed("test.hs", text), expected, "{text}");
}

/// The kinds and texts alone.
#[track_caller]
fn check_kinds(text: &str, expected: &str) {
    let found = lexed("test.hs", text);
    let kinds: Vec<&str> =
        found.split(", ").map(|token| token.split_once(':').map_or(token, |(_, kind)| kind)).collect();
    assert_eq!(kinds.join(", "), expected, "{text}");
}

#[test]
fn names() {
    check_kinds("x x' _x x1 X X' Ab", "VarId x, VarId x', VarId _x, VarId x1, ConId X, ConId X', ConId Ab");
    check_kinds(
        "A.x A.B.x A.B.C A.+ A..",
        "QVarId A.x, QVarId A.B.x, QConId A.B.C, QVarSym A.+, QVarSym A..",
    );
    check_kinds(
        "A.where A.:+ A.b.c",
        "ConId A, Dot ., Where where, QConSym A.:+, QVarId A.b, Dot ., VarId c",
    );
    check_kinds(
        "élan Émile λ αβ' x₁ 変数",
        "VarId élan, ConId Émile, VarId λ, VarId αβ', VarId x₁, VarId 変数",
    );
    check_kinds("f.g F . g", "VarId f, Dot ., VarId g, ConId F, Dot ., VarId g");
}

#[test]
fn reserved_words_and_operators() {
    check_kinds("case of_ where _ as", "Case case, VarId of_, Where where, Underscore _, VarId as");
    check_kinds(
        ".. : :: = \\ | <- -> @ ~ =>",
        "DotDot .., Colon :, DoubleColon ::, Equals =, Backslash \\, Bar |, LeftArrow <-, RightArrow ->, At @, Tilde ~, DoubleArrow =>",
    );
    check_kinds(
        "- ! . * + ... ::: <-- → ∘",
        "Minus -, Bang !, Dot ., Star *, VarSym +, VarSym ..., ConSym :::, VarSym <--, VarSym →, VarSym ∘",
    );
    check_kinds("a-- b\nc --> d |-- e", "VarId a, VarId c, VarSym -->, VarId d, VarSym |--, VarId e");
    assert_eq!(
        lexed("test.curry", "free external fcase foreign"),
        "|1:Free free, 6:External external, 15:Fcase fcase, 21:VarId foreign"
    );
}

#[test]
fn numbers() {
    check_kinds(
        "0 12 0x1F 0XaB 0o17 0b10 1_000 0x_ff",
        "Integer 0, Integer 12, Integer 0x1F, Integer 0XaB, Integer 0o17, Integer 0b10, Integer 1_000, Integer 0x_ff",
    );
    check_kinds(
        "1.5 1e3 1.5E-3 2e+4 1_0.0_1",
        "Fractional 1.5, Fractional 1e3, Fractional 1.5E-3, Fractional 2e+4, Fractional 1_0.0_1",
    );
    check_kinds(
        "1.x 1..2 1e 0x 0xg 1_",
        "Integer 1, Dot ., VarId x, Integer 1, DotDot .., Integer 2, Integer 1, VarId e, Integer 0, VarId x, Integer 0, VarId xg, Integer 1, Underscore _",
    );
}

#[track_caller]
fn check_string(text: &str, expected: &[u32]) {
    let (_, file) = source("test.hs", text);
    let mut tree = Tree::new(file);
    let mut report = Report::new(file);
    let tokens = lex(text, Dialect::Haskell, &mut Interner::new(), &mut tree, &mut report);
    assert!(report.finish().is_empty(), "{text}");
    match tokens.literals[0] {
        crate::tree::Literal::String(codes) => assert_eq!(tree.list(codes), expected, "{text}"),
        crate::tree::Literal::Char(code) => assert_eq!([code], expected, "{text}"),
        _ => panic!("{text}"),
    }
}

#[test]
fn characters_and_strings() {
    check_string(r#""""#, &[]);
    check_string(r#""aé𝄞""#, &[97, 233, 0x1d11e]);
    check_string(r#""\a\b\f\n\r\t\v\\\"\'""#, &[7, 8, 12, 10, 13, 9, 11, 92, 34, 39]);
    check_string(r#""\NUL\SOH\SO\&H\DEL\SP\^A\^@\^_""#, &[0, 1, 14, 72, 127, 32, 1, 0, 31]);
    check_string(r#""\65\x41\o101\1234\&5""#, &[65, 65, 65, 1234, 53]);
    check_string("\"a\\   \n  \t\\b\"", &[97, 98]);
    check_string(r#""\xD800\1114111""#, &[0xd800, 0x10ffff]);
    check_string("'a'", &[97]);
    check_string(r"'\''", &[39]);
    check_string("'\"'", &[34]);
    check_string(r"'\x1F'", &[31]);
    check_kinds("f' 'a' g''b", "VarId f', Char 'a', VarId g''b");
}

#[test]
fn comments_nest_and_pragmas_are_comments() {
    check("a {- b {- c -} d -} e", "|1:VarId a, 21:VarId e");
    check("{-# INLINE f #-} a -- b", "|18:VarId a");
    check("a {--} b {---} c", "|1:VarId a, 8:VarId b, 16:VarId c");
    check("-- a\n--b\n---- c\n  d", "|3:VarId d");
    check("{- a\n-} b", "|4:VarId b");
}

#[test]
fn columns_count_characters_and_tabs() {
    check("\ta\n  \tb\n        c", "|9:VarId a, |9:VarId b, |9:VarId c");
    check("é\tx ä y", "|1:VarId é, 9:VarId x, 11:VarId ä, 13:VarId y");
    check("\"a\\\n   \\b\" c\nd", "|1:String \"a\\\n   \\b\", 8:VarId c, |1:VarId d");
    check("\u{feff}a\r\nb", "|1:VarId a, |1:VarId b");
    check("a\u{a0}b", "|1:VarId a, 3:VarId b");
}

#[test]
fn a_first_line_for_the_shell_is_skipped() {
    check("#!/usr/bin/env runghc\na", "|1:VarId a");
}
