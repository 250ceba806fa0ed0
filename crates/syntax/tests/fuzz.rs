//! Any text gives a tree and diagnostics: no panic, no hang, no place outside the text.

use gadfly_source::{Diagnostic, SourceFile, Sources};
use gadfly_syntax::names::Interner;
use gadfly_syntax::tree::{DeclId, ExprId, Node, PatId, Tree, TypeId};
use gadfly_syntax::{Dialect, dump, parse, parse_expression, resolve_fixities};
use proptest::prelude::*;

/// Parses in every way there is and looks at all places.
fn survive(text: &str) {
    for name in ["test.hs", "test.lhs", "test.curry"] {
        let mut sources = Sources::new();
        let file = sources.add(SourceFile::new(name, Some(text.to_owned())));
        let mut interner = Interner::new();
        let dialect = Dialect::of_file(name).expect("a name with a dialect");
        let mut parsed = parse(&sources, file, dialect, &mut interner);
        places::<ExprId>(&sources, &parsed.module.tree, ExprId::from_index);
        places::<PatId>(&sources, &parsed.module.tree, PatId::from_index);
        places::<TypeId>(&sources, &parsed.module.tree, TypeId::from_index);
        places::<DeclId>(&sources, &parsed.module.tree, DeclId::from_index);
        let conflicts = resolve_fixities(&mut parsed.module, &interner, |_| None);
        dump(&parsed.module, &interner);
        labels(&sources, &parsed.diagnostics);
        labels(&sources, &conflicts);
        let expression = parse_expression(&sources, file, dialect, &mut interner);
        labels(&sources, &expression.diagnostics);
    }
}

fn places<N: Node>(sources: &Sources, tree: &Tree, id: fn(usize) -> N) {
    for row in 0..tree.count::<N>() {
        let span = tree.span(id(row));
        assert!(sources.text(span).is_some(), "{span:?}");
    }
}

fn labels(sources: &Sources, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        for label in diagnostic.primary.iter().chain(&diagnostic.secondary) {
            assert!(sources.text(label.span).is_some(), "{diagnostic:?}");
        }
    }
}

/// A program that uses a little of every feature; its mutants are almost programs.
const SEED: &str = r#"{-# LANGUAGE LambdaCase #-}
module Main (main, T(..), (+++)) where
import qualified Data.Map as M hiding (map, (!))
infixr 5 +++, `op`
data Eq a => T a = A Int !a | B { x, y :: Int } | a :*: [a] | forall b. Show b => E b deriving (Eq, Show)
newtype N = N { unN :: Int }
class (Eq a) => C a where { m :: a -> a; m = id }
instance C a => C [a] where
  m (x:xs) | Just y <- f x, y > 1 = z
           | otherwise = -3
    where q = 1
f, g :: forall a. (Eq a) => a -> (a -> b) -> [a]
f !x ~(y, _) z@(Just _) = \p q -> if p then q else - c * 2 ^ 3
x +++ y = x : y : [1,3..] ++ [a | a <- b, let { c = d }, even a] ++ "s\n\x41\&"
(p, q) = (subtract 1, (`div` 2), (+ 3), (4 -), (,1), 'c', 0xff, 1.5e3)
main = do
  x <- getLine
  let y = 1
      z = 2 :: Int
  case x of
    "a" -> print y
    _ -> if | y > 2 -> return () | z -> r { a = 1 }
  mapM_ (\case A -> 1; _ -> 2) xs where { w = let v = 1 in v {- c -} } -- end
h x y | x =:= y & z =:= 1 = z where z, v free
"#;

/// Pieces that matter to the lexer and the layout.
const PIECES: &[&str] = &[
    "case ",
    "of",
    "where",
    "let ",
    "in ",
    "do",
    "if ",
    "then ",
    "else ",
    "data ",
    "class ",
    "instance ",
    "module ",
    "import ",
    "type ",
    "newtype ",
    "deriving ",
    "infixl ",
    "free",
    "external",
    "fcase ",
    "_",
    "=",
    "|",
    "->",
    "<-",
    "=>",
    "::",
    "\\",
    "@",
    "~",
    "!",
    "-",
    "..",
    ":",
    "`",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    "\n",
    "\n  ",
    "\n    ",
    "\n\t",
    " ",
    "x",
    "f",
    "A",
    "M.x",
    "M.",
    "+",
    ":+",
    "1",
    "0x",
    "1.5",
    "'a'",
    "'",
    "\"s\"",
    "\"",
    "\\\"",
    "{-",
    "-}",
    "--",
    "{-#",
    "#-}",
    "#if 1\n",
    "é",
    "∷",
    "\u{0}",
    "forall ",
    ">",
    "\\begin{code}\n",
    "\\end{code}\n",
    "\u{feff}",
];

fn soup() -> impl Strategy<Value = String> {
    proptest::collection::vec(0..PIECES.len(), 0..60)
        .prop_map(|pieces| pieces.into_iter().map(|piece| PIECES[piece]).collect())
}

/// The seed with some parts deleted, doubled, swapped or replaced by pieces.
fn mutant() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0..30_usize, 0..3_u8, 0..PIECES.len());
    proptest::collection::vec(edit, 1..6).prop_map(|edits| {
        let mut chars: Vec<char> = SEED.chars().collect();
        for (at, length, kind, piece) in edits {
            let start = at.index(chars.len());
            let end = (start + length).min(chars.len());
            match kind {
                0 => drop(chars.drain(start..end)),
                1 => drop(chars.splice(start..start, chars[start..end].to_vec())),
                _ => drop(chars.splice(start..end.min(start + 2), PIECES[piece].chars())),
            }
            if chars.is_empty() {
                chars.push('x');
            }
        }
        chars.into_iter().collect()
    })
}

#[test]
fn the_seed_survives() {
    survive(SEED);
}

#[test]
fn every_prefix_survives() {
    for (end, _) in SEED.char_indices() {
        survive(&SEED[..end]);
    }
}

#[test]
fn every_suffix_survives() {
    for (start, _) in SEED.char_indices().step_by(3) {
        survive(&SEED[start..]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_survives(text in any::<String>()) {
        survive(&text);
    }

    #[test]
    fn any_bytes_survive(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn token_soup_survives(text in soup()) {
        survive(&text);
    }

    #[test]
    fn mutants_survive(text in mutant()) {
        survive(&text);
    }
}
