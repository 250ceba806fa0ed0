//! What holds of every trail, whatever the program does.

use crate::graph::{End, Graph, Outcome};
use crate::recording::{How, Recorded, record};
use gadfly_trail::check::check_trail;
use gadfly_trail::model::{NodeId, Position, Ref, RunEnd, What};
use gadfly_trail::text::unpack;
use std::collections::BTreeMap;

/// The laws that a trail breaks, in words.
pub(crate) fn broken(recorded: Recorded) -> Vec<String> {
    let Recorded { trail, output, plain } = recorded;
    let mut broken = Vec::new();
    let report = check_trail(&trail);
    broken.extend(report.problems.iter().map(|problem| format!("the file: {problem:?}")));
    if let Some(plain) = &plain
        && plain.output != output
    {
        broken.push(format!("the recorded run wrote {output:?}, a plain one {:?}", plain.output));
    }
    let written = written(&trail);
    if written != output[0].as_bytes() {
        broken.push(format!(
            "the trail says that {:?} was written, not {:?}",
            String::from_utf8_lossy(&written),
            output[0]
        ));
    }
    let graph = Graph::new(trail);
    for id in graph.ids() {
        let mut say = |text: String| {
            let node = graph.node(id);
            broken.push(format!(
                "#{}, {:?} of #{} at `{}`, {:?}: {text}",
                id.0,
                node.shape,
                node.parent.0,
                graph.source(node.shape.position),
                node.outcomes
            ));
        };
        node_laws(&graph, id, &mut say);
        outcome_laws(&graph, id, &mut say);
    }
    if let Some(plain) = &plain {
        counting_law(&graph, &plain.counts, &mut broken);
    }
    broken
}

/// What a node is made of, and where.
fn node_laws(graph: &Graph, id: NodeId, say: &mut impl FnMut(String)) {
    let node = graph.node(id);
    let count = node.references.len();
    if node.parent >= id {
        say("its parent does not come before it".into());
    }
    if count != node.shape.count as usize {
        say(format!("it has {count} references"));
    }
    match node.shape.what {
        What::Call(function) | What::Constant(function) => {
            let info = graph.function(function);
            let dictionaries = |what| matches!(what, What::Constant(_));
            if count != info.parameters.len() && !dictionaries(node.shape.what) {
                say(format!("`{}` has {} parameters", info.name, info.parameters.len()));
            }
            if !info.recorded {
                say(format!("`{}` is not recorded", info.name));
            }
        }
        What::Partial(function) => {
            let info = graph.function(function);
            if count >= info.parameters.len() {
                say(format!("`{}` has {} parameters", info.name, info.parameters.len()));
            }
        }
        What::Construct(constructor) => {
            let info = &graph.tables().constructors[constructor as usize];
            if count != info.arity as usize {
                say(format!("`{}` has {} fields", info.name, info.arity));
            }
        }
        What::Apply if count < 2 => say("nothing is applied".into()),
        _ => {}
    }
    for reference in &node.references {
        if let Ref::Node(other) = reference
            && (other.0 == 0 || other.0 > graph.trail.node_count())
        {
            say(format!("it refers to {other:?}"));
        }
    }
    if node.parent == NodeId::NONE {
        if node.shape.tail {
            say("nobody was reduced to it".into());
        }
        return;
    }
    let maker = graph.maker(id);
    if maker == NodeId::NONE {
        return;
    }
    let Some(function) = graph.function_of(maker) else { return };
    if !matches!(
        graph.node(node.parent).shape.what,
        What::Call(_) | What::Constant(_) | What::Apply | What::Suspended | What::Action
    ) {
        say("its parent is a value".into());
    }
    if node.shape.position != Position::NONE && place(graph, node.shape.position) != Some(function) {
        say(format!("its position is not in `{}`", graph.function(function).name));
    }
    if node.shape.tail && node.shape.position == Position::NONE {
        say("it is a reduct from nowhere".into());
    }
}

/// What became of a node.
fn outcome_laws(graph: &Graph, id: NodeId, say: &mut impl FnMut(String)) {
    let node = graph.node(id);
    if node.outcomes.len() > 1 {
        say("it has several outcomes".into());
    }
    let tails = graph.children(id).iter().filter(|child| graph.node(**child).shape.tail).count();
    let told = node.outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Tail(_))).count();
    if tails > 1 || tails != told {
        say(format!("{tails} nodes say that it was reduced to them, and it knows of {told}"));
    }
    let reducible = matches!(
        node.shape.what,
        What::Call(_) | What::Apply | What::Suspended | What::Constant(_) | What::Action
    );
    if !reducible && !node.outcomes.is_empty() {
        say("a value became something".into());
    }
    for outcome in &node.outcomes {
        let (Outcome::Became(_, position) | Outcome::Raised(_, position) | Outcome::Unfinished(position)) =
            outcome
        else {
            continue;
        };
        if let Some(function) = graph.function_of(id)
            && *position != Position::NONE
            && place(graph, *position) != Some(function)
        {
            say(format!("what became of it is not in `{}`", graph.function(function).name));
        }
        let exact = matches!(node.shape.what, What::Call(_) | What::Constant(_));
        if exact && matches!(outcome, Outcome::Became(..)) && *position == Position::NONE {
            say("it became something, nowhere".into());
        }
    }
    match graph.end(Ref::Node(id)) {
        End::Value(Ref::Node(value)) if !reducible || value != id => {}
        End::Value(Ref::Unknown) if node.shape.what != What::Suspended => {
            say("it became something unknown".into())
        }
        End::Raised(exception) if !matches!(graph.end(exception), End::Value(value) if value != Ref::Unknown) =>
        {
            say("the exception is not known".into());
        }
        End::Unfinished if matches!(graph.trail.end(), Some(RunEnd::Exit(_) | RunEnd::Uncaught(..))) => {
            say("it is unfinished, but the run is not".into());
        }
        _ => {}
    }
}

/// As many redexes of each recorded function as unfoldings in a plain run.
fn counting_law(graph: &Graph, counts: &[(String, u64)], broken: &mut Vec<String>) {
    let mut names: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    let mut unrecorded: Vec<&str> = Vec::new();
    for function in &graph.tables().functions {
        match function.recorded {
            true => drop(names.entry(&function.name).or_default()),
            false => unrecorded.push(&function.name),
        }
    }
    for (name, count) in counts {
        if let Some(both) = names.get_mut(name.as_str()).filter(|_| !unrecorded.contains(&name.as_str())) {
            both.1 += count;
        }
    }
    for id in graph.ids().filter(|id| graph.is_redex(*id)) {
        let function = graph.function_of(id).map(|function| graph.function(function));
        if let Some(function) = function.filter(|function| !unrecorded.contains(&function.name.as_str())) {
            names.entry(&function.name).or_default().0 += 1;
        }
    }
    for (name, (redexes, unfoldings)) in names {
        // Desugaring made the group of variables that a pattern binds: nobody counts it. And what was typed has a name of
        // its own in the counts.
        if redexes != unfoldings && !name.starts_with('(') && !name.contains(' ') {
            broken.push(format!("`{name}` was unfolded {unfoldings} times, and has {redexes} redexes"));
        }
    }
}

/// The function that the user wrote a place in.
fn place(graph: &Graph, position: Position) -> Option<u32> {
    graph.trail.expression(position).map(|expression| graph.owner(expression.function))
}

/// What the trail says was written to standard output.
fn written(trail: &gadfly_trail::Trail) -> Vec<u8> {
    let mut all = Vec::new();
    for told in trail.late_rows().filter(|told| told.shape.what == What::Wrote) {
        let [Ref::Int(from), Ref::Int(length), bytes @ ..] = &told.references[..] else { panic!("{told:?}") };
        assert_eq!(*from as usize, all.len());
        all.extend(unpack(bytes, *length as usize).unwrap_or_else(|| panic!("{told:?}")));
        assert_eq!(all.len() as i64, from + length);
    }
    all
}

fn holds(text: &str, how: How<'_>) {
    for cramped in [false, true] {
        let broken = broken(record(text, How { cramped, ..how }));
        assert!(broken.is_empty(), "{}", broken.join("\n"));
    }
}

const SORTING: &str = "\
main = print (sort [3, 1, 2 :: Int]) >> putStr (unlines (map show (take 3 primes)))
sort [] = []
sort (x:xs) = insert x (sort xs)
insert x [] = [x]
insert x (y:ys) | x < y = x : y : ys
                | otherwise = y : insert x ys
primes = sieve [2 :: Int ..]
sieve (p:ns) = p : sieve [n | n <- ns, n `mod` p /= 0]
";

#[test]
fn laziness_and_output() {
    holds(SORTING, How::default());
    holds(SORTING, How { trusted: &["insert"], ..How::default() });
    holds(SORTING, How { trusted: &["sort", "sieve"], ..How::default() });
    holds(SORTING, How { expression: Some("sort \"hello\""), ..How::default() });
}

#[test]
fn functions_as_values() {
    holds(
        "\
import Data.List (foldl')
main = print (compose [(+ 1), (* 2), \\x -> x - k] 5, pick True 1 2, foldl' step 0 [1 .. 10], twice twice inc 0)
  where k = 3
compose fs = foldr (.) id fs
pick b = if b then first else second
first x y = x
second x y = y
step a x = a + weight x
weight x | even x = x
         | otherwise = negate x
twice f = f . f
inc x = x + 1
",
        How::default(),
    );
}

#[test]
fn chains_of_selectors() {
    // What is selected of a triple was selected of the triple before, and so on; nobody looks before the end.
    holds(
        "\
main = print (step 3000 (1, 2))
step :: Int -> (Int, Int) -> (Int, Int)
step 0 p = p
step k (x, y) = let (a, b, c) = (y, x, k) in seq c (step (c - 1) (a, b))
",
        How::default(),
    );
}

#[test]
fn classes_and_records() {
    holds(
        "\
import qualified Data.Map as M
main = mapM_ print (areas shapes) >> print (M.toList (count \"abca\")) >> print (total (Box 1 2) (Box { width = 3, height = 4 }))
class Shape a where
  area :: a -> Double
  name :: a -> String
  name _ = \"shape\"
data Box = Box { width, height :: Double } deriving (Show, Eq)
data Any = forall s. Shape s => Any s
newtype Round = Round Double
instance Shape Box where
  area b = width b * height b
  name b = \"box\"
instance Shape Round where area (Round r) = 3 * r * r
shapes = [Any (Box 1 2), Any (Round 1)]
areas xs = [(name s, area s) | Any s <- xs]
count = foldr (\\c -> M.insertWith (+) c (1 :: Int)) M.empty
total a b = (a { width = width a + width b }) == b
",
        How::default(),
    );
}

#[test]
fn exceptions_and_state() {
    holds(
        "\
import Control.Exception
import Data.IORef
main = do
  r <- newIORef (0 :: Int)
  mapM_ (\\x -> modifyIORef r (+ x)) [1 .. 5]
  readIORef r >>= print
  caught <- try (evaluate (partial [1, 2] + risky 0)) :: IO (Either ErrorCall Int)
  print (either (const 0) id caught)
  line <- getLine
  print (risky (length line))
partial (x:_) = x
risky 0 = error \"nothing\"
risky n = partial (drop n [1, 2, 3])
",
        How { input: "four\n", ..How::default() },
    );
}

#[test]
fn runs_that_are_cut_off() {
    for nodes in [1, 2, 7, 50, 1000] {
        holds(
            "main = print (loop 0)\nloop n = if n < 0 then n else loop (n + 1)\n",
            How { nodes: Some(nodes), ..How::default() },
        );
        holds(SORTING, How { nodes: Some(nodes), ..How::default() });
    }
}
