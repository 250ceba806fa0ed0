//! Programs that are long or deep where real ones may be.

use gadfly_core::{Show, print};

use crate::lowered;

/// Lowers, verifies and prints a program, and drops it.
fn check(text: &str) -> usize {
    let tested = lowered("test.hs", text);
    let printed = print(&tested.lowered.program, Show { spans: Some(&tested.sources), ..Show::default() });
    assert!(!printed.contains("unknown"));
    tested.lowered.program.expr_count()
}

#[test]
fn lists_chains_and_blocks_of_any_length() {
    let numbers: Vec<String> = (0..50_000).map(|number| number.to_string()).collect();
    check(&format!("xs :: [Int]\nxs = [{}]\n", numbers.join(", ")));
    check(&format!("x :: Int\nx = {}\n", numbers.join(" + ")));
    check(&format!("xs :: [Int]\nxs = {} : []\n", numbers.join(" : ")));
    let tests: Vec<String> = numbers.iter().map(|number| format!("if n == {number} then 1 else")).collect();
    check(&format!("f :: Int -> Int\nf n = {} 0\n", tests.join(" ")));
    let rules: Vec<String> = numbers.iter().map(|number| format!("f {number} = {number}")).collect();
    check(&format!("f :: Int -> Int\n{}\nf _ = 0\n", rules.join("\n")));
    let statements: Vec<String> = (0..2_000).map(|number| format!("  x{number} <- getLine")).collect();
    check(&format!("main :: IO ()\nmain = do\n{}\n  print 1\n", statements.join("\n")));
    let actions: Vec<String> = (0..20_000).map(|number| format!("  print {number}")).collect();
    check(&format!("main :: IO ()\nmain = do\n{}\n", actions.join("\n")));
    let parts: Vec<String> = (0..20_000).map(|number| format!("x{number}")).collect();
    check(&format!("f :: [Int] -> Int\nf [{}] = x7\nf _ = 0\n", parts.join(", ")));
    check(&format!("f :: String -> Int\nf \"{}\" = 1\nf _ = 0\n", "a".repeat(20_000)));
}

#[test]
fn expressions_nested_as_deep_as_the_parser_allows() {
    let deep = 300;
    check(&format!("f :: Int -> Int\nf n = {}n{}\n", "(1 + ".repeat(deep), ")".repeat(deep)));
    check(&format!("f n = {}n{}\n", "(\\x -> ".repeat(deep), ")".repeat(deep)));
    check(&format!("f n = {}n{}\n", "let { y = ".repeat(deep), " } in y".repeat(deep)));
    check(&format!("f n = {}n{}\n", "case n of { _ -> ".repeat(deep), " }".repeat(deep)));
    check(&format!("f {}n{} = n\n", "(Just ".repeat(deep), ")".repeat(deep)));
}

#[test]
fn size_grows_with_the_program() {
    let rules = |count: usize| {
        let rule = |number: usize| {
            format!(
                "f{number} (x:xs) (Just y) | x > y = x + f{number} xs Nothing\nf{number} _ _ = 0 :: Int\n"
            )
        };
        check(&(0..count).map(rule).collect::<String>())
    };
    let (small, large) = (rules(100), rules(1_000));
    assert!(large < 12 * small, "{small} and {large} expressions");
}
