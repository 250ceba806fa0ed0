//! What functions are compiled to: that it is as direct as it can be is what makes the machine fast, so it is held here.

use gadfly_machine::{Limits, Machine, Plain, Settings, World};
use std::fs;

/// The instructions of a function of a program that was run, without their operands.
fn instructions(program: &str, function: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Main.hs");
    fs::write(&path, program).unwrap();
    let checked = gadfly_lazy::check(&path).unwrap();
    assert!(!checked.has_errors());
    let lowered = checked.lower().unwrap();
    let world = World::new(Settings::empty());
    let mut machine: Machine<'_, Plain, 0> =
        Machine::new(&lowered, world, Plain, Limits::default(), |_| String::new());
    machine.execute(lowered.main.unwrap());
    let listing = machine.listing();
    let start = format!("{function} (");
    let lines = listing.lines().skip_while(|line| !line.starts_with(&start)).skip(1);
    let lines = lines.take_while(|line| line.starts_with(' '));
    let found: Vec<String> =
        lines.filter_map(|line| line.split_whitespace().nth(1)).map(str::to_owned).collect();
    assert!(!found.is_empty(), "`{function}` was not compiled:\n{listing}");
    found
}

#[test]
fn arithmetic_on_known_types_makes_no_thunks() {
    let program = "\
nfib :: Int -> Int
nfib n = if n < 2 then 1 else nfib (n - 1) + nfib (n - 2) + 1
main = print (nfib 5)
";
    let code = instructions(program, "nfib");
    assert_eq!(
        code,
        ["Eval", "IfLess", "Return", "Subtract", "CallFast", "Subtract", "CallFast", "Add", "Add", "Return"]
    );
}

#[test]
fn an_overloaded_function_is_compiled_for_the_types_it_is_used_at() {
    let program = "\
total :: Num a => a -> [a] -> a
total sum [] = sum
total sum (x : rest) = total (sum + x) rest
main = print (total 0 [1, 2, 3 :: Int])
";
    let code = instructions(program, "total");
    assert!(code.contains(&"Add".to_owned()), "{code:?}");
    assert!(!code.iter().any(|op| op == "Thunk" || op.contains("Apply")), "{code:?}");
}

#[test]
fn what_may_not_be_needed_is_a_thunk() {
    let program = "\
pick :: Bool -> Int -> Int
pick choice n = case lookup choice [(True, n), (False, n * n)] of
  Just found -> found
  Nothing -> 0
main = print (pick True 3)
";
    assert!(instructions(program, "pick").contains(&"Thunk".to_owned()));
}
