//! Which recorded constants a function's text uses.
//!
//! A constant is used where the text names it, where something that desugaring made from the text does (a dictionary with
//! a constant among its methods, the rest of a `do` block), and where a trusted function does that the text calls: trusted
//! code runs on behalf of the recorded function that called it.

use gadfly_core::kernel::{Atom, Expr, FunId, Program, Role};
use std::collections::HashSet;

/// For every recorded function the recorded constants that it uses, in the order of its text; for others nothing.
pub(super) fn constants(program: &Program, recorded: &[bool]) -> Vec<Vec<u32>> {
    let mentions: Vec<Vec<FunId>> = program.functions().map(|(id, _)| mentions(program, id)).collect();
    let is_constant: Vec<bool> = program
        .functions()
        .map(|(id, function)| {
            let given = function.parameters.iter().any(|parameter| parameter.role != Role::Dictionary);
            recorded[id.index()] && function.shared && !given
        })
        .collect();
    let leads = leads_to_constants(&mentions, &is_constant, recorded);
    let mut seen = vec![u32::MAX; mentions.len()];
    let mut all = Vec::with_capacity(mentions.len());
    for index in 0..mentions.len() {
        let mut found = Vec::new();
        if recorded[index] {
            // Functions that are recorded answer for themselves; others are looked into.
            let mut waiting: Vec<FunId> = mentions[index].iter().rev().copied().collect();
            while let Some(function) = waiting.pop() {
                let at = function.index();
                if seen[at] == index as u32 || at == index {
                    continue;
                }
                seen[at] = index as u32;
                if is_constant[at] {
                    found.push(at as u32);
                } else if !recorded[at] && leads[at] {
                    waiting.extend(mentions[at].iter().rev());
                }
            }
        }
        all.push(found);
    }
    all
}

/// The functions that a body mentions, in the order of the text, each once.
fn mentions(program: &Program, id: FunId) -> Vec<FunId> {
    let mut found = Vec::new();
    program.walk(program.function(id).body, |expr| {
        let start = program.span(expr).start;
        match program.expr(expr) {
            Expr::Call(function, _)
            | Expr::Partial(function, _)
            | Expr::Atom(Atom::Function(function))
            | Expr::Apply(Atom::Function(function), _) => found.push((start, function)),
            _ => {}
        }
        for argument in program.arguments(expr) {
            if let Atom::Function(function) = argument.atom {
                found.push((argument.span.start, function));
            }
        }
    });
    found.sort_by_key(|(start, _)| *start);
    let mut seen = HashSet::new();
    found.into_iter().map(|(_, function)| function).filter(|function| seen.insert(*function)).collect()
}

/// Which functions lead to a constant by way of functions that are not recorded.
fn leads_to_constants(mentions: &[Vec<FunId>], is_constant: &[bool], recorded: &[bool]) -> Vec<bool> {
    let mut by: Vec<Vec<usize>> = vec![Vec::new(); mentions.len()];
    for (index, mentioned) in mentions.iter().enumerate() {
        for function in mentioned {
            by[function.index()].push(index);
        }
    }
    let mut leads = is_constant.to_vec();
    let mut waiting: Vec<usize> = (0..mentions.len()).filter(|index| is_constant[*index]).collect();
    while let Some(at) = waiting.pop() {
        for &user in &by[at] {
            if !leads[user] && !recorded[user] {
                leads[user] = true;
                waiting.push(user);
            }
        }
    }
    leads
}
