//! Types and texts of any size: an answer or a message, never an overflow.

use std::fmt::Write;

use gadfly_source::Severity;
use proptest::prelude::*;

use super::run;

fn errors(text: &str) -> Vec<String> {
    let (_, _, program) = run(&[("Main.hs", text)]);
    let errors = program.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|diagnostic| diagnostic.message.clone()).collect()
}

/// What the types of the last binding look like, cut short.
fn last_type(text: &str) -> String {
    let (_, interner, program) = run(&[("Main.hs", text)]);
    let (_, module) = program.modules.iter().last().expect("a module");
    let value = &program.values[*module.values.last().expect("a value")];
    program.show_scheme(value.scheme, &interner).chars().take(60).collect()
}

#[test]
fn a_type_nested_a_hundred_thousand_deep() {
    let mut text = String::from("x0 = True\n");
    for n in 1..100_000 {
        let _ = writeln!(text, "x{n} = Just x{}", n - 1);
    }
    text.push_str("y = x99999 == x99999\n");
    assert_eq!(errors(&text), ["instances lead to instances without end"]);
}

#[test]
fn deep_types_that_differ_at_the_bottom() {
    let mut text = String::from("x0 = True\ny0 = 'c'\n");
    for n in 1..20_000 {
        let _ = writeln!(text, "x{n} = Just x{}\ny{n} = Just y{0}", n - 1);
    }
    text.push_str("z = [x19999, y19999]\n");
    assert_eq!(errors(&text).len(), 1);
}

#[test]
fn a_function_of_ten_thousand_arguments() {
    let parameters: Vec<String> = (0..10_000).map(|n| format!("x{n}")).collect();
    let text = format!("f {} = x0\ng = f\n", parameters.join(" "));
    assert_eq!(errors(&text), Vec::<String>::new());
}

#[test]
fn exponential_types_are_shared() {
    let mut text = String::from("p0 x = (x, x)\nv0 = True\n");
    for n in 1..200 {
        let _ = writeln!(text, "v{n} = (v{}, v{0})", n - 1);
    }
    text.push_str("w = [v199, v199]\n");
    assert_eq!(errors(&text), Vec::<String>::new());
    assert_eq!(last_type(&text).chars().count(), 60);
}

#[test]
fn doubly_exponential_types_are_an_error() {
    let mut text = String::from("d0 x = (x, x)\n");
    for n in 1..40 {
        let _ = writeln!(text, "d{n} x = d{0} (d{0} x)", n - 1);
    }
    let errors = errors(&text);
    assert!(errors.iter().all(|error| error == "the types in this definition are too large"), "{errors:?}");
    assert!(!errors.is_empty());
}

#[test]
fn a_thousand_constraints() {
    let mut text = String::new();
    for n in 0..1000 {
        let _ = writeln!(text, "class C{n} a where c{n} :: a -> a");
    }
    let calls: Vec<String> = (0..1000).map(|n| format!("c{n}")).collect();
    let _ = writeln!(text, "f x = ({}) x", calls.join(" . "));
    assert_eq!(errors(&text), Vec::<String>::new());
}

#[test]
fn nesting_at_the_limit() {
    let deep = |open: &str, inside: &str, close: &str| {
        let count = 900;
        format!("x = {}{inside}{}\n", open.repeat(count), close.repeat(count))
    };
    for text in [
        deep("(", "1", ")"),
        deep("[", "1", "]"),
        deep("(\\x -> ", "x", ")"),
        deep("(1 + 2 * ", "3", ")"),
        deep("(let y = 1 in ", "y", ")"),
        deep("(case 1 of { _ -> ", "2", "})"),
        deep("(if True then 1 else ", "2", ")"),
        deep("(do { z <- ", "Just 1", "; return z })"),
    ] {
        // The result does not matter: an overflow would abort the test.
        let _ = errors(&text);
    }
}

#[test]
fn a_long_chain_of_synonyms() {
    let mut text = String::from("type T0 a = [a]\n");
    for n in 1..5_000 {
        let _ = writeln!(text, "type T{n} a = T{} (Maybe a)", n - 1);
    }
    text.push_str("f :: T4999 Int -> Int\nf _ = 1\n");
    assert_eq!(errors(&text), Vec::<String>::new());
}

/// Correct programs that use every feature, as seeds for mutation.
const SEEDS: [&str; 3] = [
    r#"{-# LANGUAGE RankNTypes, ExistentialQuantification, MultiParamTypeClasses, FunctionalDependencies #-}
module Main (main, T(..), module Main) where
import qualified Prelude as P
import Prelude hiding (map)
data T a = A | B { x :: a, y :: T a } | forall b. Show b => C b deriving (Eq, Show)
type S f = f Int
class (Eq a) => K a b | a -> b where { k :: a -> b; k _ = undefined }
instance K Int Bool where k n = n == 0
newtype N = N (forall a. a -> a)
f :: forall a. Ord a => a -> [a] -> Bool
f z zs = let { g w | w < z = True | otherwise = k (1 :: Int); h = (g, z) } in fst h z && P.not (g z)
main = do { let { v = 1 }; m <- return v; print (m + 2); case B { x = 1, y = A } of { B q _ -> print q; _ -> print () } }
op a b = [a, b ..] ++ (if a == b then [] else [c | c <- [a .. b], c > a])
infixl 5 `op`
t@(u, ~[w]) = ((\x -> x) 1, "s")
"#,
    r#"class Functor f => C f where { c :: f a -> f a; d :: Show a => f a -> String; d _ = "" }
data R = R { r1, r2 :: Int, r3 :: Maybe R } | Q deriving (Eq, Ord, Show)
instance C Maybe where { c = fmap id; d (Just a) = show a }
upd r = r { r1 = 1, r3 = Just r }
rec1 n = if n == 0 then [] else rec2 (n - 1)
rec2 n = n : rec1 n
type P a = (a, a)
p :: P Int -> Int
p (a, b) = a + b where { a' = b; b' = a' }
"#,
    r#"default (Int)
e = show 1
mm f [] = return []
mm f (x : xs) = do { y <- f x; ys <- mm f xs; return (y : ys) }
newtype St s a = St { runSt :: s -> (a, s) }
instance Functor (St s) where fmap f (St g) = St (\s -> let (a, s1) = g s in (f a, s1))
instance Applicative (St s) where { pure a = St (\s -> (a, s)); _ <*> _ = undefined }
instance Monad (St s) where { St g >>= f = St (\s -> let (a, s1) = g s in runSt (f a) s1); return = pure }
get = St (\s -> (s, s))
count = do { n <- get; return (n + 1) }
"#,
];

#[test]
fn the_seeds_are_read() {
    for seed in &SEEDS[1..] {
        assert_eq!(errors(seed), Vec::<String>::new(), "{seed}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Tokens of correct programs, left out, doubled and exchanged.
    #[test]
    fn mutated_programs_give_messages(
        seed in 0..SEEDS.len(),
        edits in prop::collection::vec((0usize..400, 0usize..400, 0u8..4), 1..6),
        curry: bool,
    ) {
        let mut tokens: Vec<&str> = SEEDS[seed].split_inclusive([' ', '\n', '(', ')', ',']).collect();
        for (at, other, how) in edits {
            let (at, other) = (at % tokens.len(), other % tokens.len());
            match how {
                0 => { tokens.remove(at); }
                1 => { let token = tokens[other]; tokens.insert(at, token); }
                2 => tokens.swap(at, other),
                _ => tokens[at] = tokens[other],
            }
            if tokens.is_empty() { break; }
        }
        let name = if curry { "Main.curry" } else { "Main.hs" };
        let text = tokens.concat();
        let first = run(&[(name, &text)]);
        let second = run(&[(name, &text)]);
        prop_assert_eq!(first.2.diagnostics, second.2.diagnostics);
    }
}
