//! With a reference, a rule is never the verdict if it is the same there, with everything that it calls.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The functions that a session with a reference names, for a view.
fn named(folder: &Path, view: &str, strategy: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_gadfly"))
        .current_dir(folder)
        .env("GADFLY_STATE", folder.join("state"))
        .args(["debug", "Main.hs", "--oracle", "reference:Good.hs", "--format", "json"])
        .args(["--view", view, "--strategy", strategy])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdict = &report["verdict"];
    let name = |one: &serde_json::Value| one["function"].as_str().map(str::to_owned);
    let candidates = verdict["candidates"].as_array().into_iter().flatten();
    candidates.filter_map(name).chain(name(verdict)).collect()
}

fn check(good: &str, changes: &[(&str, &str, &str)]) {
    for (from, to, function) in changes {
        let folder = tempfile::tempdir().unwrap();
        let bad = good.replace(from, to);
        assert_ne!(bad, good, "{from}");
        fs::write(folder.path().join("Good.hs"), good).unwrap();
        fs::write(folder.path().join("Main.hs"), bad).unwrap();
        for view in ["edt", "fdt"] {
            for strategy in ["auto", "top-down", "single-stepping"] {
                let named = named(folder.path(), view, strategy);
                assert_eq!(named, [*function], "{to} in {view} by {strategy}");
            }
        }
    }
}

#[test]
fn code_that_the_reference_has_too_is_not_blamed() {
    check(
        STACK,
        &[
            ("andThen f g = compose g f", "andThen f g = compose f g", "andThen"),
            ("[] -> Left \"underflow\"", "[] -> Right s", "pop"),
            ("a + b : xs", "a - b : xs", "add"),
            ("foldr (.) id (hooks s)", "foldr (.) id (take 1 (hooks s))", "apply"),
        ],
    );
}

const STACK: &str = "module Main where
data S = S { stack :: [Int], hooks :: [Int -> Int] }
type Op = S -> Either String S
push :: Int -> Op
push n s = Right s { stack = n : stack s }
pop :: Op
pop s = case stack s of
  [] -> Left \"underflow\"
  (_:xs) -> Right s { stack = xs }
add :: Op
add s = case stack s of
  (a:b:xs) -> Right s { stack = a + b : xs }
  _ -> Left \"underflow\"
apply :: Op
apply s = Right s { stack = map (foldr (.) id (hooks s)) (stack s) }
andThen :: Op -> Op -> Op
andThen f g = compose g f where compose f' g' = (=<<) f' . g'
run :: [Op] -> Op
run = foldr andThen Right
shown :: Either String S -> String
shown (Left e) = e
shown (Right s) = show (stack s)
main :: IO ()
main = do
  putStrLn (shown (run [push 1, push 2, add, apply] (S [] [(+1), (*2)])))
  putStrLn (shown (run [push 1, pop, pop] (S [] [])))
";
