//! Warnings about patterns.

use crate::lowered;

/// Checks the warnings of a program: the line, the message, and what is said at the place.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let tested = lowered("test.hs", text);
    let found: Vec<String> = tested
        .lowered
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let place = diagnostic.primary.as_ref().expect("a place");
            let line = tested.sources.region(place.span).start.line;
            format!("{line}: {}: {}", diagnostic.message, place.text)
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn missing_cases_have_an_example() {
    check(
        "
data T = A | B Int | C T T
f :: T -> Maybe Int -> Int
f A _ = 1
f (B n) (Just m) = n + m
f (C A _) Nothing = 2
g :: [Int] -> Int
g [] = 0
g (x:y:zs) | x > y = 2
g [_] = 3
k x = case x of { \"ab\" -> 1; 'c':_ -> 2; [] -> 3 }
l = \\(Just x) -> x
[] +++ ys = ys
n :: Int -> Int
n 0 = 1
n 1 = 2
",
        &[
            "4: the equations of `f` do not cover all arguments: for example `f (B _) Nothing`",
            "8: the equations of `g` do not cover all arguments: \
             for example `g (_ : (_ : _))`, if none of the guards holds",
            "11: these alternatives do not cover all values: for example `'b' : _`",
            "12: the patterns of this lambda do not fit all arguments: for example `Nothing`",
            "13: the equations of `+++` do not cover all arguments: for example `(_ : _) +++ _`",
            "15: the equations of `n` do not cover all arguments: for example `n 2`",
        ],
    );
}

#[test]
fn equations_that_are_never_reached_are_told() {
    check(
        "
h :: Bool -> Bool -> Int
h True _ = 1
h _ True = 2
h False False = 3
h _ _ = 4
k x = case x of { _ | x > 'a' -> 1; 'b' -> 2; _ -> 3; 'c' -> 4 }
",
        &[
            "6: this equation is never reached: those before it fit everything that this equation fits",
            "7: this alternative is never reached: those before it fit everything that this alternative fits",
        ],
    );
}

#[test]
fn complete_patterns_are_not_warned_about() {
    check(
        "
{-# LANGUAGE BangPatterns, ViewPatterns #-}
data P = P { px, py :: Int }
newtype N = N (Maybe P)
f (N (Just P { px = x })) = x
f (N Nothing) = 0
zip' (x:xs) (y:ys) = (x, y) : zip' xs ys
zip' _ _ = []
g ~(a, b) !c = if c then a else b
h x | x > 0 = 1 | otherwise = 2 :: Int
i (negate -> 3) = 1
i _ = 2 :: Int
j \"\" = 1
j ('a':_) = 2
j (_:_) = 3 :: Int
k x y = case (x, y) of { (True, _) -> 1; (_, True) -> 2; (False, False) -> 3 :: Int }
",
        &[],
    );
}
