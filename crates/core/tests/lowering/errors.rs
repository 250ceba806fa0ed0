//! Errors that end a program, and their places in the source.

use gadfly_core::kernel::Expr;

use crate::{check, library, lowered, try_lower};

#[test]
fn what_is_missing_is_an_error_when_it_is_needed() {
    check(
        "test.hs",
        r#"
{-# LANGUAGE MultiWayIf, LambdaCase #-}
data R = R { a :: Int, b :: Int } | Q { a :: Int, c :: Char }
data V = V { s :: !Int, t :: Int }
data C = X | Y deriving (Eq, Enum, Bounded, Show)
class K x where { m :: x -> Int; n :: x -> Int; n _ = 3 }
instance K Bool
f :: Int -> Int
f 0 = 1
f n | n > 5 = 2
g (Just x) = x
test1 = f 0 + f 6 -- 3
test2 = f 3 -- error: NoEquation f
test3 = case Nothing of Just x -> x :: Int -- error: NoAlternative
test4 = (\(Just x) -> x) (Nothing :: Maybe Int) -- error: NoLambda
test5 = let Just x = Nothing :: Maybe Int in x -- error: Irrefutable
test6 = if | False -> 'a' -- error: NoGuard
test7 = b (Q 1 'c') -- error: NoField b
test8 = a (Q 1 'c') -- 1
test9 = b (R { a = 1 }) -- error: MissingField b
test10 = a (R { a = 1 }) -- 1
test11 = a ((Q 1 'c') { b = 2 }) -- error: NoUpdate
test12 = a ((Q 1 'c') { a = 2 }) -- 2
test13 = m True -- error: MissingMethod m
test14 = n True -- 3
test15 = succ Y -- error: Derived Prelude.Enum.C.succ: bad argument
test16 = toEnum 7 :: C -- error: Derived Prelude.Enum.C.toEnum: bad argument
test17 = (\case { 'a' -> 1 :: Int }) 'b' -- error: NoAlternative
test18 = let y | False = 'x' in y -- error: NoEquation y
test19 = (do { Just x <- Just Nothing; return x }) :: Maybe Int -- Nothing
"#,
    );
}

#[test]
fn an_error_stands_where_the_patterns_are() {
    let text = "f :: Maybe Int -> Int\nf (Just 3) = 4\ng x = case x of\n  'a' -> 1\n  'b' -> 2\n";
    let tested = lowered("test.hs", text);
    let program = &tested.lowered.program;
    let mut found = Vec::new();
    for name in ["f", "g"] {
        program.walk(program.function(tested.function(name)).body, |expr| {
            if let Expr::Error(..) = program.expr(expr) {
                found.push(tested.sources.text(program.span(expr)).unwrap_or("").to_owned());
            }
        });
    }
    let case = "case x of\n  'a' -> 1\n  'b' -> 2";
    assert_eq!(found, ["f (Just 3) = 4", "f (Just 3) = 4", case]);
}

/// Found by `mutants`: a functional dependency learns nothing from a type with an error.
#[test]
fn an_error_in_a_state_does_not_keep_the_checker_busy() {
    let text = "
import qualified Control.Monad.State as S
f edges = S.evalState go (edges, nowhere)
  where
    go = do
      (seen, q) <- S.get
      S.put (nowhere seen : seen, nowhere q)
      go
";
    assert!(try_lower("test.hs", text, &mut library).is_err());
}
