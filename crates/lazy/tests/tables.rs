//! What a trail says of its program.

use gadfly_lazy::{Checked, Described, Suspects};
use gadfly_source::NamePattern;
use gadfly_trail::model::{ExpressionKind, Function, Origin, Tables};
use std::fs;
use std::path::Path;

fn describe_file(path: &Path, suspects: &Suspects) -> Described {
    let checked = gadfly_lazy::check(path).unwrap();
    describe(&checked, suspects)
}

fn describe(checked: &Checked, suspects: &Suspects) -> Described {
    let (told, sources) = checked.told();
    let told: Vec<String> =
        told.iter().map(|told| gadfly_source::render(told, &sources, gadfly_source::Colour::Never)).collect();
    assert!(!checked.has_errors(), "{}", told.join("\n"));
    checked.describe(&checked.lower().unwrap(), suspects, "test")
}

fn program(text: &str, suspects: &Suspects) -> Described {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Main.hs");
    fs::write(&path, text).unwrap();
    describe_file(&path, suspects)
}

fn suspects(trusted: &[&str], suspected: &[&str]) -> Suspects {
    let patterns = |names: &[&str]| names.iter().map(|name| NamePattern::new(name)).collect();
    Suspects { trusted: patterns(trusted), suspected: patterns(suspected) }
}

fn recorded(described: &Described) -> Vec<&str> {
    let functions = described.tables.functions.iter().zip(&described.recorded);
    functions.filter(|(_, recorded)| **recorded).map(|(function, _)| function.name.as_str()).collect()
}

fn function<'t>(tables: &'t Tables, name: &str) -> (u32, &'t Function) {
    let found = (0..).zip(&tables.functions).find(|(_, function)| function.recorded && function.name == name);
    found.unwrap_or_else(|| panic!("there is no `{name}`"))
}

/// The calls of recorded functions in a function's text, in the order of ranks.
fn calls<'t>(tables: &'t Tables, name: &str) -> Vec<&'t str> {
    let (number, _) = function(tables, name);
    let owner = |mut at: u32| loop {
        match tables.functions[at as usize].origin {
            Origin::Hidden => at = tables.functions[at as usize].parent?,
            _ => return Some(at),
        }
    };
    let mut found: Vec<(u32, &str)> = Vec::new();
    for expression in &tables.expressions {
        if owner(expression.function) == Some(number)
            && let ExpressionKind::Call(called, _) | ExpressionKind::Partial(called, _) = &expression.kind
            && tables.functions[*called as usize].recorded
        {
            found.push((expression.rank, &tables.functions[*called as usize].name));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, name)| name).collect()
}

/// S0 Fig. 1: children stand in the order of Fig. 2.
#[test]
fn calls_are_ranked_in_the_order_of_the_source_outermost_first() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/sqrtest.hs");
    let Described { tables, .. } = describe_file(&example, &Suspects::default());
    assert_eq!(calls(&tables, "sqrtest"), ["test", "computs", "listsum"]);
    assert_eq!(calls(&tables, "computs"), ["comput1", "comput2", "comput3"]);
    assert_eq!(calls(&tables, "comput2"), ["listsum", "list"]);
    assert_eq!(calls(&tables, "partialsums"), ["sum1", "sum2"]);
    assert_eq!(calls(&tables, "sum2"), ["decr"]);
    assert_eq!(calls(&tables, "main"), ["sqrtest"]);
}

#[test]
fn operators_come_before_their_operands_and_what_is_hidden_belongs_to_its_function() {
    let text = "\
infixl 6 <+>
a <+> b = a ++ b
f x = [x]
g x = [x, x]
h = do
  print (f 1 <+> g 2 <+> f 3)
  line <- return (g 4)
  print (line <+> f 5)
k n = [p <+> f n | p <- [g n], not (null p)]
main = h >> print (k 1)
";
    let Described { tables, .. } = program(text, &Suspects::default());
    assert_eq!(calls(&tables, "h"), ["<+>", "<+>", "f", "g", "f", "g", "<+>", "f"]);
    assert_eq!(calls(&tables, "k"), ["<+>", "f", "g"]);
    assert_eq!(function(&tables, "<+>").1.infix, Some((6, 1)));
    assert_eq!(function(&tables, "f").1.infix, None);
}

#[test]
fn expressions_know_their_rule_and_their_place() {
    let text = "\
f 0 = 1
f n | n > 5 = f (n - 1)
    | otherwise = do { x <- [n]; g x }
g x = [x] !! 0
main = print (f 7)
";
    let text = text.replace("do { x <- [n]; g x }", "head (do { x <- [n]; [g x] })");
    let Described { tables, .. } = program(&text, &Suspects::default());
    let call = |name: &str, from: &str| {
        let (called, _) = function(&tables, name);
        let is_call =
            |kind: &ExpressionKind| matches!(kind, ExpressionKind::Call(other, _) if *other == called);
        let mut found = tables.expressions.iter().filter(|expression| is_call(&expression.kind));
        found.find(|expression| {
            let piece = expression.piece.unwrap();
            tables.files[piece.file as usize].text[piece.start as usize..piece.end as usize] == *from
        })
    };
    assert_eq!(call("f", "f (n - 1)").unwrap().rule, (2, 1));
    assert_eq!(call("g", "g x").unwrap().rule, (2, 2));
    let of: Vec<usize> = function(&tables, "f").1.rules.iter().map(|rule| rule.alternatives.len()).collect();
    assert_eq!(of, [0, 2]);
    for expression in &tables.expressions {
        assert_eq!(expression.within.is_none(), expression.place.is_empty());
        let within = expression.within.map(|within| {
            let at = tables.expressions.binary_search_by_key(&within, |expression| expression.position);
            tables.expressions[at.unwrap()].function
        });
        assert!(within.is_none_or(|function| function == expression.function));
    }
}

#[test]
fn what_is_trusted_is_not_recorded_and_what_is_suspected_is() {
    let text = "\
import Data.List (insertBy)
data T = A | B deriving (Eq, Show)
isort = go [] where
  go done [] = done
  go done (x : xs) = go (put x done) xs
put x xs = insertBy (\\a b -> compare a b) x xs
main = print (isort [3, 1, 2 :: Int], A == B)
";
    let of = |trusted: &[&str], suspected: &[&str]| {
        let described = program(text, &suspects(trusted, suspected));
        let mut names: Vec<String> = recorded(&described).into_iter().map(str::to_owned).collect();
        names.sort();
        (names, described.unused)
    };
    assert_eq!(of(&[], &[]).0, ["\\", "go", "isort", "main", "put"]);
    assert_eq!(of(&["isort"], &[]).0, ["\\", "main", "put"]);
    assert_eq!(of(&["isort"], &["go"]).0, ["\\", "go", "main", "put"]);
    assert_eq!(of(&["isort.go", "Main.put"], &[]).0, ["isort", "main"]);
    assert_eq!(of(&["Main"], &["put"]).0, ["\\", "put"]);
    assert_eq!(of(&["p*"], &["insertBy"]).0, ["go", "insertBy", "isort", "main"]);
    assert!(of(&[], &["Data.List"]).0.contains(&"insertBy".to_owned()));
    assert!(of(&[], &["Prelude.*"]).0.contains(&"print".to_owned()));
    assert_eq!(of(&["nothing"], &["put"]).1, ["nothing"]);
}

#[test]
fn arithmetic_can_be_suspected() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/sqrtest.hs");
    let described = describe_file(&example, &suspects(&[], &["+", "-", "div"]));
    let names = recorded(&described);
    for name in ["+", "-", "div"] {
        assert!(names.contains(&name), "{name}");
    }
    assert!(!names.contains(&"*"));
    assert_eq!(function(&described.tables, "+").1.infix, Some((6, 1)));
    assert_eq!(function(&described.tables, "div").1.infix, Some((7, 1)));
}

#[test]
fn constants_are_told_also_those_behind_dictionaries_and_trusted_code() {
    let text = "\
limit = 10
table = [1 .. limit]
(low, high) = (head table, last table)
newtype V = V Int deriving Show
instance Semigroup V where V a <> V b = V (a + b)
instance Monoid V where mempty = V limit
through n = table !! n
total = mconcat [V 1, V 2]
f n = through n + high
g = do { print low; print total }
main = g >> print (f 2)
";
    let of = |trusted: &[&str], name: &str| {
        let Described { tables, .. } = program(text, &suspects(trusted, &[]));
        let (_, function) = function(&tables, name);
        let names =
            function.constants.iter().map(|constant| tables.functions[*constant as usize].name.clone());
        names.collect::<Vec<String>>()
    };
    assert_eq!(of(&[], "table"), ["limit"]);
    assert_eq!(of(&[], "through"), ["table"]);
    assert_eq!(of(&[], "f"), ["high"]);
    assert_eq!(of(&["through"], "f"), ["table", "high"]);
    assert_eq!(of(&[], "high"), ["(low, high)"]);
    assert_eq!(of(&[], "(low, high)"), ["table"]);
    assert_eq!(of(&[], "total"), ["mempty"]);
    assert_eq!(of(&[], "g"), ["low", "total"]);
}

#[test]
fn an_expression_stands_inside_the_module() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Sorting.hs");
    let text = "\
module Sorting (isort) where
import Prelude hiding (id)
import qualified Data.Char as C
isort :: [Int] -> [Int]
isort = foldr hidden []
hidden x [] = [x]
hidden x (y : ys) = if x < y then x : y : ys else y : hidden x ys
id, main :: Int
id = 7
main = 3
";
    fs::write(&path, text).unwrap();
    let typed = "isort [3, id,\n main]";
    let checked = gadfly_lazy::check(&path).unwrap().evaluating(typed);
    let Described { tables, recorded, .. } = describe(&checked, &Suspects::default());
    let (number, root) = function(&tables, "isort [3, id, main]");
    let piece = root.piece.unwrap();
    assert_eq!(tables.files[piece.file as usize].path, "-e");
    assert_eq!(tables.files[piece.file as usize].text, "isort [3, id,\n   main]");
    assert!(recorded[number as usize]);
    assert!(!tables.files.iter().any(|file| file.path.starts_with("start")));
    assert!(!tables.functions.iter().any(|function| function.recorded && function.name == "main'"));
    for typed in ["hidden 3 (map C.ord \"ab\")", "Sorting.hidden 2 [id]", "let y = 2 in y + id"] {
        let checked = gadfly_lazy::check(&path).unwrap().evaluating(typed);
        assert!(!checked.has_errors(), "{typed}: {:?}", checked.diagnostics());
    }
    let checked = gadfly_lazy::check(&path).unwrap().evaluating("isort 'a' +");
    let (told, sources) = checked.told();
    let text = gadfly_source::render(&told[0], &sources, gadfly_source::Colour::Never);
    assert!(text.contains("-e:1:1"), "{text}");
}

/// What runs a program is added to it: no module is read or checked a second time.
#[test]
fn a_program_is_checked_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Once.hs");
    fs::write(&path, "module Main where\nimport Data.List\nmain = sort [2, hidden]\nhidden = 1 :: Int\n")
        .unwrap();
    let names = |checked: &Checked| {
        checked.sources.iter().map(|(_, file)| file.name().to_owned()).collect::<Vec<_>>()
    };
    let checked = gadfly_lazy::check(&path).unwrap();
    let (files, modules) = (names(&checked), checked.program.modules.iter().count());
    let shown = checked.started(true);
    assert!(!shown.has_errors(), "{:?}", shown.diagnostics());
    assert_eq!(names(&shown), [&files[..], &["start.hs".to_owned()]].concat());
    assert_eq!(shown.program.modules.iter().count(), modules + 1);
    let evaluating = gadfly_lazy::check(&path).unwrap().evaluating("hidden + length main");
    assert!(!evaluating.has_errors(), "{:?}", evaluating.diagnostics());
    assert_eq!(names(&evaluating), [&files[..], &["-e".to_owned(), "start.hs".to_owned()]].concat());
    assert_eq!(evaluating.program.modules.iter().count(), modules + 2);
    // What the module does not export is known to the expression alone.
    fs::write(&path, "module Main (main) where\nmain = print hidden\nhidden = 1 :: Int\n").unwrap();
    assert!(!gadfly_lazy::check(&path).unwrap().evaluating("hidden").has_errors());
}
