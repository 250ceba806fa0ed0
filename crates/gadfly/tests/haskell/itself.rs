//! A program against itself: nothing is wrong, whatever is asked.
//!
//! Every equation of a recorded run is put to the same program as its reference, which knows nothing of the recorded one but
//! the equation. What it calls wrong is a defect of the reference. Since a session's verdict follows from the answers, no
//! strategy and no view finds a bug where none of them is "wrong".
//!
//! The programs are those of the suite's pages, a sample of them by default; `GADFLY_ITSELF=all` takes all, and
//! `GADFLY_ITSELF=FOLDER` the programs in a folder instead. Others are made up.

use super::{record, viewed};
use gadfly_engine::{Judgement, Oracle as _, Query, Unwatched};
use gadfly_lazy::{Reference, ReferenceSettings};
use gadfly_term::render::{self, Style};
use gadfly_trail::model::RunEnd;
use gadfly_tree::{Behaviours as _, Node};
use gadfly_views::View;
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// No more equations of a run are asked about.
const MOST: u32 = 400;
/// The same for a run that was cut off.
const FEW: u32 = 4;
/// Of the suite's programs, one in so many is tried by default.
const SAMPLE: usize = 6;

/// The equations that the program calls wrong about itself; none if it cannot be run.
fn wrong(file: &Path) -> Option<Vec<String>> {
    let recorded = record(file)?;
    let mut found = Vec::new();
    for of in [View::Edt, View::Fdt] {
        let Some(viewed) = viewed(&recorded, of) else { continue };
        let settings = ReferenceSettings {
            ended: recorded.trail.end().cloned(),
            input: Some(Vec::new()),
            time: Duration::from_secs(2),
            ..ReferenceSettings::default()
        };
        let mut reference = Reference::open(file, settings, None).ok()?;
        let tree = &viewed.tree;
        // From the top, and where there are many, some of all. To find that something never ends takes all the time there is.
        let ends = matches!(recorded.trail.end(), Some(RunEnd::Exit(_) | RunEnd::Uncaught(..)));
        let step = (tree.len() / if ends { MOST } else { FEW }).max(1) as usize;
        for node in (0..tree.len()).step_by(step).map(Node) {
            let behaviour = viewed.behaviours.behaviour(tree, node, true).ok()?;
            let text = render::equation_line(&behaviour.equation, Style::Juxtaposed, 200).text;
            let query = Query {
                number: 1,
                level: 0,
                node,
                shown_number: node.number(),
                handle: tree.handle(node),
                file: None,
                rule: tree.rules().get(tree.rule_id(node)),
                rule_text: None,
                equation: &behaviour.equation,
                text: &text,
                size: tree.size(node),
            };
            let answer = reference.judge(&query, &Unwatched).ok()?;
            if answer.is_some_and(|answer| answer.judgement == Judgement::Wrong) {
                found.push(format!("{of:?} {}: {text}", node.number()));
            }
        }
    }
    Some(found)
}

/// Programs on the suite's pages: a page's files stand in a folder of its own.
fn on_pages(folder: &Path) -> Vec<PathBuf> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite");
    let (mut programs, mut work) = (Vec::new(), vec![suite]);
    while let Some(at) = work.pop() {
        if at.is_dir() {
            let mut inside: Vec<PathBuf> =
                fs::read_dir(&at).unwrap().map(|entry| entry.unwrap().path()).collect();
            inside.sort();
            work.extend(inside);
            continue;
        }
        if at.extension().is_none_or(|suffix| suffix != "md") {
            continue;
        }
        let page = fs::read_to_string(&at).unwrap();
        let own = folder.join(programs.len().to_string());
        let mut lines = page.lines();
        while let Some(line) = lines.next() {
            let Some(name) = line.strip_prefix("```").and_then(|rest| rest.split_once("file=")) else {
                continue;
            };
            let name = name.1.split_whitespace().next().unwrap_or_default();
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let file = own.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text.join("\n") + "\n").unwrap();
            if name.ends_with(".hs") && text.iter().any(|line| line.starts_with("main ")) {
                programs.push(file);
            }
        }
    }
    programs
}

#[test]
fn a_program_agrees_with_itself() {
    let folder = tempfile::tempdir().unwrap();
    let chosen = std::env::var("GADFLY_ITSELF").unwrap_or_default();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut programs: Vec<PathBuf> = match chosen.as_str() {
        "" => on_pages(folder.path()).into_iter().step_by(SAMPLE).collect(),
        "all" => on_pages(folder.path()),
        other => vec![PathBuf::from(other)],
    };
    if chosen.is_empty() || chosen == "all" {
        programs.push(examples);
    }
    let (mut tried, mut disagree) = (0, Vec::new());
    while let Some(file) = programs.pop() {
        if file.is_dir() {
            programs.extend(fs::read_dir(&file).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        if !file.extension().is_some_and(|suffix| suffix == "hs" || suffix == "lhs") {
            continue;
        }
        if let Some(wrong) = wrong(&file) {
            tried += 1;
            let text = if wrong.is_empty() { String::new() } else { fs::read_to_string(&file).unwrap() };
            disagree.extend(wrong.first().map(|one| format!("{}\n{one}\n{text}", file.display())));
        }
    }
    assert!(disagree.is_empty(), "{} of {tried}:\n{}", disagree.len(), disagree.join("\n"));
    assert!(tried > 0);
}

/// A program with a class, a superclass, default methods, instances that take some of these, and uses of them.
fn program() -> impl Strategy<Value = String> {
    let types = || prop::sample::subsequence(vec!["Int", "Integer", "Bool", "Char", "Double"], 2..=5);
    let given = prop::collection::vec(any::<[bool; 2]>(), 5);
    (types(), given, 0..9i64, any::<[bool; 4]>()).prop_map(|(types, given, number, uses)| {
        let mut text = String::from(CLASSES);
        for (ty, [size, from]) in types.iter().zip(&given) {
            text += &format!("instance Shape {ty} where\n  name _ = \"{ty}\"\n");
            text += &format!("instance Sized {ty} where\n");
            if *size {
                text += &format!("  size x = {number} + length (name x)\n");
            }
            if *from {
                text += &format!("  tell x = name x ++ \"{number}\"\n");
            }
            text += &format!("  make n = {}\n", made(ty));
        }
        text += "main :: IO ()\nmain = do\n";
        for ty in &types {
            text += &format!("  print (size (make {number} :: {ty}), tell (make {number} :: {ty}))\n");
            text += &format!(
                "  print (total [make 1, make {number} :: {ty}], nested {number} (make 2 :: {ty}))\n"
            );
            if uses[0] {
                text += &format!("  putStrLn (tell [make {number} :: {ty}, make 0])\n");
            }
            if uses[1] {
                text += &format!("  print (run [Step size, Step (const {number})] (make 1 :: {ty}))\n");
            }
            if uses[2] {
                text += &format!("  print (shown (Hidden (make {number} :: {ty})))\n");
            }
            if uses[3] {
                text += &format!("  print (size (made {number} :: ({ty}, [{ty}])))\n");
            }
        }
        text
    })
}

fn made(ty: &str) -> &'static str {
    match ty {
        "Bool" => "even n",
        "Char" => "toEnum (n + 65)",
        "Double" => "fromIntegral n / 4",
        _ => "fromIntegral n",
    }
}

const CLASSES: &str = "{-# LANGUAGE ExistentialQuantification #-}
module Main where

class Shape a where
  name :: a -> String

class Shape a => Sized a where
  size :: a -> Int
  size x = length (tell x)
  tell :: a -> String
  tell x = '<' : name x ++ \">\"
  make :: Int -> a

instance Shape a => Shape [a] where
  name xs = concatMap name xs
instance Sized a => Sized [a] where
  make n = map make [1 .. n]

instance (Shape a, Shape b) => Shape (a, b) where
  name (a, b) = name a ++ name b
instance (Sized a, Sized b) => Sized (a, b) where
  make n = (make n, make (n + 1))
  size (a, b) = size a + size b

total :: Sized a => [a] -> Int
total = go 0
  where
    go n [] = n
    go n (x : xs) = go (n + size x) xs

nested :: Sized a => Int -> a -> Int
nested 0 x = size x
nested n x = nested (n - 1) [x]

made :: Sized a => Int -> a
made n = make (n + 1)

data Step a = Step (a -> Int)

run :: [Step a] -> a -> [Int]
run steps x = [f x | Step f <- steps]

data Hidden = forall a. Sized a => Hidden a

shown :: Hidden -> String
shown (Hidden x) = tell x ++ show (size x)
";

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn programs_with_classes_agree_with_themselves(text in program()) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Main.hs");
        fs::write(&file, &text).unwrap();
        let wrong = wrong(&file);
        prop_assert!(wrong.is_some(), "it does not run:\n{}", text);
        prop_assert_eq!(wrong.unwrap_or_default(), Vec::<String>::new(), "{}", text);
    }
}
