//! Where functions stand in their modules, by names that survive edits elsewhere ([`gadfly_tree::Rule::path`]).

use gadfly_trail::model::{Origin, Tables};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The ways to functions that do not stand at the top of a module.
#[derive(Debug)]
pub(super) struct Paths {
    /// What lambdas and sections are called: their numbers among those of the function around them.
    steps: FxHashMap<u32, Box<str>>,
}

impl Paths {
    /// `owners` says for every function which one people see it as a part of.
    pub(super) fn new(tables: &Tables, owners: &[u32]) -> Paths {
        let functions = &tables.functions;
        let nameless = |origin: &Origin| matches!(origin, Origin::Lambda | Origin::Section);
        let mut all: Vec<u32> =
            (0..).zip(functions).filter(|(_, one)| nameless(&one.origin)).map(|(at, _)| at).collect();
        all.sort_by_key(|&at| {
            let piece = functions[at as usize].piece;
            (piece.map(|piece| (piece.file, piece.start, Reverse(piece.end))), at)
        });
        let mut numbers: FxHashMap<(Option<u32>, bool), u32> = FxHashMap::default();
        let mut steps = FxHashMap::default();
        for at in all {
            let function = &functions[at as usize];
            let lambda = function.origin == Origin::Lambda;
            let number = numbers.entry((around(tables, owners, at), lambda)).or_insert(0);
            *number += 1;
            let step = if lambda { format!("\\{number}") } else { format!("({number})") };
            steps.insert(at, step.into());
        }
        Paths { steps }
    }

    /// The way to a function; empty if its name says it all.
    pub(super) fn of(&self, tables: &Tables, owners: &[u32], function: u32) -> Box<[Box<str>]> {
        let mut path: Vec<Box<str>> = Vec::new();
        let mut at = Some(function);
        // A file may say anything of who is local to whom.
        while let Some(function) = at
            && path.len() <= tables.functions.len()
        {
            let known = &tables.functions[function as usize];
            path.push(self.steps.get(&function).cloned().unwrap_or_else(|| known.name.as_str().into()));
            match &known.origin {
                Origin::Method(class, of) => path.push(format!("instance {class} {of}").into()),
                Origin::Default(class) => path.push(format!("class {class}").into()),
                _ => {}
            }
            at = around(tables, owners, function);
        }
        if path.len() < 2 {
            return Box::default();
        }
        path.reverse();
        path.into()
    }
}

/// The function around one, as people see it.
fn around(tables: &Tables, owners: &[u32], function: u32) -> Option<u32> {
    let parent = tables.functions[function as usize].parent?;
    owners.get(parent as usize).copied().filter(|around| *around != function)
}
