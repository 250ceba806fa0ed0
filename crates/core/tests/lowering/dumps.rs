//! The kernel code of programs, as `--dump-core` shows it.

use gadfly_core::kernel::{Expr, Origin, Role};
use gadfly_core::{Show, print};

use crate::lowered;

#[track_caller]
fn check(file: &str, text: &str, expected: &str) {
    let tested = lowered(file, text);
    let found = print(&tested.lowered.program, Show::default());
    if let Ok(folder) = std::env::var("UPDATE_DUMPS") {
        std::fs::write(format!("{folder}/{file}.core"), &found).expect("the folder is there");
        return;
    }
    for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "line {} of {file}.core", number + 1);
    }
    assert_eq!(found, expected);
}

#[test]
fn haskell() {
    check("kernel.hs", include_str!("programs/kernel.hs"), include_str!("programs/kernel.hs.core"));
}

#[test]
fn curry() {
    check("kernel.curry", include_str!("programs/kernel.curry"), include_str!("programs/kernel.curry.core"));
}

#[test]
fn every_expression_maps_to_the_source() {
    let text =
        "f :: Int -> [Int] -> Int\nf n (x:xs) | x > n = g (x * n)\n  where g y = y + f n xs\nf _ [] = 0\n";
    let tested = lowered("test.hs", text);
    let shown = print(&tested.lowered.program, Show { spans: Some(&tested.sources), ..Show::default() });
    let expected = "
f n _1 =
  {~2:5-11} case {~2:5-11} _1 of
    x : xs ->
      {~2:14-19} case {2:14-19} x >@Int n of
        True ->
          {~2:12-31} rule 1.1:
          {~2:22-31} let _2 = {2:25-30} x *@Int n in
          {2:22-31} f.g n xs _2
        False -> {~2:1-4:11} error no equation fits: f
    [] -> {~4:1-11} rule 2: {4:10-11} 0

f.g {n} {xs} y =
  {~3:9-25} rule 1:
  {~3:15-25} let _1 = {3:19-25} f n xs in
  {3:15-25} y +@Int _1
";
    assert_eq!(shown.trim(), expected.trim(), "\n{shown}");
}

#[test]
fn positions_are_those_of_the_definition() {
    let tested =
        lowered("test.hs", "f :: Int -> Int\nf x = case x + 1 of { 0 -> 1; n -> let y = n * x in y + 2 }\n");
    let program = &tested.lowered.program;
    let function = tested.function("f");
    let mut paths = Vec::new();
    program.walk(program.function(function).body, |expr| {
        let path = program.path(function, expr).expect("it is in the function");
        let what = match program.expr(expr) {
            Expr::Rule { .. } => "rule",
            Expr::Case(_) => "case",
            Expr::Let(..) => "let",
            Expr::Call(..) => "call",
            _ => "atom",
        };
        paths.push(format!("{path:?} {what}"));
    });
    let expected = [
        "[] rule",
        "[1] case",
        "[1, 1] call",
        "[1, 2, 1] atom",
        "[1, 2, 2] let",
        "[1, 2, 2, 1] call",
        "[1, 2, 2, 2] call",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn functions_know_what_the_user_calls_them() {
    let text = "
class Shape a where { area :: a -> Int; area _ = 0; name :: a -> String; name x = show (area x) }
data Square = Square Int deriving Eq
instance Shape Square where area (Square n) = n * n
f :: Shape a => a -> [Int] -> [Int]
f s xs = map (\\x -> x + area s) (go xs)
  where go [] = []
        go (y:ys) | y > k = y : go ys
                  | otherwise = go ys
        k = area s
";
    let tested = lowered("test.hs", text);
    let program = &tested.lowered.program;
    let mut lines: Vec<String> = program
        .functions()
        .filter(|(_, function)| !program.module(function.module).library && !function.origin.is_hidden())
        .filter(|(_, function)| !matches!(function.origin, Origin::Constructor(_)))
        .map(|(id, function)| {
            let enclosing: Vec<&str> =
                program.enclosing(id).iter().map(|&id| program.text(program.function(id).name)).collect();
            let roles: String = function
                .parameters
                .iter()
                .map(|parameter| match parameter.role {
                    Role::Dictionary => 'd',
                    Role::Captured => 'c',
                    Role::Ordinary => 'o',
                })
                .collect();
            let origin = match function.origin {
                Origin::Method { class, at } | Origin::Derived { class, at } => {
                    format!("{} {}", program.text(class), program.text(at))
                }
                Origin::Default { class } => format!("default of {}", program.text(class)),
                other => format!("{other:?}"),
            };
            let rules: Vec<usize> = function.rules.iter().map(|rule| rule.alternatives.len()).collect();
            format!("{}{} ({origin}) {roles} {rules:?}", enclosing.join("."), program.text(function.name))
        })
        .collect();
    lines.sort();
    let expected = [
        "== (Eq Square) oo []",
        "area (Shape Square) o [0]",
        "area (default of Shape) do [0]",
        "f (TopLevel) doo [0]",
        "f\\ (Lambda) dco [0]",
        "fgo (Local) co [0, 2]",
        "name (default of Shape) do [0]",
    ];
    assert_eq!(lines, expected);
}
