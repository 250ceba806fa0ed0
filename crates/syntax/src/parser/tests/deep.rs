//! Deep programs give an error message and long ones work: neither may overflow the stack.

use crate::check::parse_file;
use crate::{dump, resolve_fixities};

const MANY: usize = 100_000;

/// Parses, resolves and dumps; gives the messages.
fn messages(name: &str, text: &str) -> Vec<String> {
    let (sources, interner, mut parsed) = parse_file(name, text);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(resolve_fixities(&mut parsed.module, &interner, |_| None));
    dump(&parsed.module, &interner);
    diagnostics.iter().map(|diagnostic| diagnostic.plain_lines(&sources)).collect()
}

#[track_caller]
fn check_too_deep(opening: &str, inside: &str, closing: &str) {
    check_too_deep_after("f = ", opening, inside, closing);
}

#[track_caller]
fn check_too_deep_after(before: &str, opening: &str, inside: &str, closing: &str) {
    let text = format!("{before}{}{inside}{}\ng = 1", opening.repeat(MANY), closing.repeat(MANY));
    let found = messages("test.hs", &text);
    assert!(
        found.iter().any(|message| message.contains("nested more than 1000 levels deep")),
        "{opening}: {:?}",
        &found[..found.len().min(3)]
    );
    // Just inside the limit everything works.
    let some = 400;
    let text = format!("{before}{}{inside}{}\ng = 1", opening.repeat(some), closing.repeat(some));
    assert_eq!(messages("test.hs", &text), Vec::<String>::new(), "{opening}");
}

#[test]
fn brackets_nest_to_a_limit() {
    check_too_deep("(", "x", ")");
    check_too_deep("[", "x", "]");
    check_too_deep("(a, ", "x", ")");
    check_too_deep("(a + ", "x", ")");
    check_too_deep("(f x ", "x", ")");
    check_too_deep("(+ ", "x", ")");
    check_too_deep("[x | x <- ", "x", "]");
    check_too_deep("R { a = ", "x", " }");
}

#[test]
fn keywords_nest_to_a_limit() {
    check_too_deep("do ", "x", "");
    check_too_deep("do { ", "x", " }");
    check_too_deep("\\x -> ", "x", "");
    check_too_deep("let x = 1 in ", "x", "");
    check_too_deep("let x = ", "x", " in y");
    check_too_deep("if ", "x", " then x else x");
    check_too_deep("if x then ", "x", " else x");
    check_too_deep("case ", "x", " of y -> z");
    check_too_deep("case x of y -> ", "x", "");
    check_too_deep("\\case x -> ", "x", "");
    check_too_deep("if | a -> ", "x", "");
    check_too_deep("f $ \\x -> ", "x", "");
}

#[test]
fn types_nest_to_a_limit() {
    check_too_deep_after("f :: ", "(", "Int", ")");
    check_too_deep_after("f :: ", "[", "Int", "]");
    check_too_deep_after("f :: ", "Eq a => ", "Int", "");
    check_too_deep_after("f :: ", "forall a. ", "Int", "");
}

#[test]
fn patterns_without_brackets_nest_to_a_limit() {
    let found = messages("test.hs", &format!("f {}x = 1", "x@".repeat(MANY)));
    assert!(found[0].contains("nested more than"), "{found:?}");
    let found = messages("test.hs", &format!("f {}x = 1", "~ ".repeat(MANY)));
    assert!(found[0].contains("nested more than"), "{found:?}");
    let found = messages("test.hs", &format!("f = x {}", "{ a = 1 } ".repeat(MANY)));
    assert!(found[0].contains("nested more than"), "{found:?}");
    let found = messages("test.hs", &format!("f = x {}", "@Int ".repeat(MANY)));
    assert!(found[0].contains("nested more than"), "{found:?}");
}

#[test]
fn where_nests_to_a_limit() {
    let found = messages("test.hs", &"f = x where ".repeat(MANY));
    assert!(found.iter().any(|message| message.contains("nested more than")), "{found:?}");
}

#[track_caller]
fn check_long(text: &str) {
    assert_eq!(messages("test.hs", text), Vec::<String>::new());
}

#[test]
fn length_has_no_limit() {
    check_long(&format!("f = {}x", "x + ".repeat(MANY)));
    check_long(&format!("f = {}x", "x : ".repeat(MANY)));
    check_long(&format!("infixr 0 $\nf = {}x", "x $ ".repeat(MANY)));
    check_long(&format!("f = {}x", "if a then b else ".repeat(MANY)));
    check_long(&format!("f = g{}", " x".repeat(MANY)));
    check_long(&format!("f = [{}x]", "x, ".repeat(10 * MANY)));
    check_long(&format!("f = ({}x)", "x, ".repeat(MANY)));
    check_long(&format!("f :: {}a", "a -> ".repeat(MANY)));
    check_long(&format!("f ({}xs) = 1", "x : ".repeat(MANY)));
    check_long(&format!("f {} = 1", "x ".repeat(MANY)));
    check_long(&format!("f = do\n{}", "  x\n".repeat(MANY)));
    check_long(&format!("f = case x of\n{}", "  1 -> x\n".repeat(MANY)));
    check_long(&format!("f x\n{}", "  | a = b\n".repeat(MANY)));
    check_long(&"f 1 = 2\n".repeat(MANY));
    check_long(&format!("data T = A{}", " | B".repeat(MANY)));
    check_long(&format!("f = \"{}\"", "x".repeat(10 * MANY)));
    check_long(&format!("f = {}", "9".repeat(MANY)));
}

#[test]
fn what_is_said_about_too_deep_nesting() {
    let found = messages("test.hs", &format!("f = {}", "(".repeat(MANY)));
    assert_eq!(
        found,
        ["1:1004-1:1005: error: this is nested more than 1000 levels deep\n  \
          hint: Give the inner parts names of their own with `let` or `where`."]
    );
}

#[test]
fn minus_signs_do_not_nest() {
    let found = messages("test.hs", &format!("f = {}x", "- ".repeat(MANY)));
    assert_eq!(found.len(), 51);
    assert_eq!(
        found[50],
        "note: 99949 more errors in this file are not shown\n  hint: Mend the first ones; the others often follow from them."
    );
    let found = messages("test.hs", &format!("f = {}x", "- ".repeat(2)));
    assert_eq!(
        found,
        [
            "1:7-1:8: error: the negation `-` (infixl 6) and the negation `-` (infixl 6) cannot be mixed without \
          parentheses\n  1:5: \n  hint: Put parentheses around the part that is meant to be one operand."
        ]
    );
}

#[test]
fn patterns_in_brackets_nest_to_a_limit() {
    let some = 400;
    let text = |count: usize| format!("f {}x{} = 1\ng = 1", "(Just ".repeat(count), ")".repeat(count));
    assert_eq!(messages("test.hs", &text(some)), Vec::<String>::new());
    assert!(messages("test.hs", &text(MANY))[0].contains("nested more than"));
    let text = |count: usize| format!("f = \\{}x{} -> 1\ng = 1", "y@(".repeat(count), ")".repeat(count));
    assert_eq!(messages("test.hs", &text(some)), Vec::<String>::new());
    assert!(messages("test.hs", &text(MANY))[0].contains("nested more than"));
}
