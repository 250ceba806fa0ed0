//! Whole programs, evaluated by the reference interpreter.

use crate::reference::Outcome;
use crate::{check, lowered};

/// Checks what `main` writes. The expected output is that of GHC.
#[track_caller]
fn check_output(text: &str, expected: &str) {
    match lowered("test.hs", text).outcomes("main", 1).as_slice() {
        [Outcome::Value(_, output)] => {
            for (found, expected) in output.lines().zip(expected.lines()) {
                assert_eq!(found, expected);
            }
            assert_eq!(output, expected);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn patterns_guards_records_and_derived_classes() {
    check_output(include_str!("programs/matching.hs"), include_str!("programs/matching.out"));
}

#[test]
fn classes_dictionaries_and_local_functions() {
    check_output(include_str!("programs/classes.hs"), include_str!("programs/classes.out"));
}

#[test]
fn extensions_instances_and_local_definitions() {
    check_output(include_str!("programs/features.hs"), include_str!("programs/features.out"));
}

#[test]
fn curry_rules_are_alternatives() {
    check("test.curry", include_str!("programs/search.curry"));
    check("test.curry", include_str!("programs/features.curry"));
}

#[test]
fn only_what_is_needed_is_evaluated() {
    check(
        "test.hs",
        r#"
{-# LANGUAGE BangPatterns #-}
import Data.List (foldl')
data P = P Int Int
data S = S !Int Int
newtype N = N Int
f ~(P a b) = 1 :: Int
g (P _ _) = 1 :: Int
h (N _) = 1 :: Int
i !_ = 1 :: Int
j x | x > 3, let y = undefined :: Int = 2
    | otherwise = 3 :: Int
k ~(a, ~(b, c)) d = if d then a else b :: Int
and' False _ = False
and' _ b = b
diag _ False = 1 :: Int
diag False _ = 2
diag _ _ = 3
test1 = f undefined -- 1
test2 = g undefined -- error: SomeException "Prelude.undefined"
test3 = h undefined -- 1
test4 = i (undefined :: Int) -- error: SomeException "Prelude.undefined"
test5 = j 5 -- 2
test6 = k (1, undefined) True -- 1
test7 = and' False undefined -- False
test8 = diag undefined False -- 1
test9 = case S 1 undefined of S a _ -> a -- 1
test10 = case S undefined 1 of S _ b -> b -- error: SomeException "Prelude.undefined"
test11 = case undefined of N _ -> 'n' -- 'n'
test12 = let (a, b) = undefined :: (Int, Int) in 5 :: Int -- 5
test13 = let !(a, b) = undefined :: (Int, Int) in 5 :: Int -- error: SomeException "Prelude.undefined"
test14 = let !(Just x) = Just (undefined :: Int) in 5 :: Int -- 5
test15 = length [undefined, undefined :: Int] -- 2
test16 = fst (1 :: Int, undefined :: Int) -- 1
test17 = take 3 (let xs = 1 : map (* 2) xs in xs) :: [Int] -- [1,2,4]
test18 = let x = x + 1 :: Int in x -- loop
test19 = (undefined :: Int -> Int) `seq` 1 :: Int -- error: SomeException "Prelude.undefined"
test20 = (\_ -> undefined :: Int) `seq` 1 :: Int -- 1
test21 = foldl' (+) 0 [1 .. 100] :: Int -- 5050
test22 = let ones = 1 : ones in zip "ab" (ones :: [Int]) -- [('a',1),('b',1)]
test23 = [y | Just y <- [Just 1, Nothing, Just 2]] :: [Int] -- [1,2]
test24 = let (xs, n) = (show 7, length xs) in n -- 1
"#,
    );
}
