//! Removes detours from a function's body once it is complete.
//!
//! Matching writes `try` and `fall` wherever rows follow each other. Often no path falls, or only one does:
//! then the code that follows moves there. And a value that is evaluated just before it is examined is
//! examined at once.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Lowering;
use crate::kernel::{Atom, Case, Expr, ExprId, Program, VarId};

impl Lowering<'_> {
    pub(super) fn tidy(&mut self, body: ExprId) {
        tidy(&mut self.out, body);
    }
}

fn tidy(program: &mut Program, body: ExprId) {
    let mut order = Vec::new();
    let mut used: FxHashSet<VarId> = FxHashSet::default();
    program.walk(body, |expr| {
        order.push(expr);
        used.extend(program.arguments(expr).iter().filter_map(|argument| variable(argument.atom)));
        if let Expr::Atom(atom) | Expr::Apply(atom, _) = program.expr(expr) {
            used.extend(variable(atom));
        }
    });
    // The places where an expression falls, for those that do; parts before wholes.
    let mut falls: FxHashMap<ExprId, Vec<ExprId>> = FxHashMap::default();
    for &expr in order.iter().rev() {
        let found = match program.expr(expr) {
            Expr::Fall => vec![expr],
            Expr::Try { first, otherwise } => tidy_try(program, expr, first, otherwise, &mut falls),
            Expr::Case(case) => {
                let mut found = Vec::new();
                let bodies = program.list(case.alternatives).iter().map(|alternative| alternative.body);
                for body in bodies.chain(case.default) {
                    join(&mut found, falls.remove(&body));
                }
                tidy_case(program, expr, case, &used);
                found
            }
            Expr::Let(_, body) | Expr::Free(_, body) | Expr::Rule { body, .. } => {
                falls.remove(&body).unwrap_or_default()
            }
            Expr::Or(alternatives) => {
                let mut found = Vec::new();
                for alternative in program.list(alternatives) {
                    join(&mut found, falls.remove(alternative));
                }
                found
            }
            _ => Vec::new(),
        };
        if !found.is_empty() {
            falls.insert(expr, found);
        }
    }
}

fn variable(atom: Atom) -> Option<VarId> {
    match atom {
        Atom::Variable(variable) => Some(variable),
        _ => None,
    }
}

fn join(found: &mut Vec<ExprId>, more: Option<Vec<ExprId>>) {
    let Some(mut more) = more else { return };
    if more.len() > found.len() {
        std::mem::swap(found, &mut more);
    }
    found.append(&mut more);
}

/// Simplifies a `try`; returns where it falls itself.
fn tidy_try(
    program: &mut Program,
    expr: ExprId,
    first: ExprId,
    otherwise: ExprId,
    falls: &mut FxHashMap<ExprId, Vec<ExprId>>,
) -> Vec<ExprId> {
    let places = falls.remove(&first).unwrap_or_default();
    let outer = falls.remove(&otherwise).unwrap_or_default();
    let leaf = matches!(program.expr(otherwise), Expr::Fall | Expr::Failure | Expr::Error(..));
    if places.len() > 1 && !leaf {
        return outer;
    }
    for &place in &places {
        turn_into(program, place, otherwise);
    }
    let rename = |old: ExprId| if old == first { expr } else { old };
    let found = match (places.as_slice(), leaf) {
        ([], _) => Vec::new(),
        (_, true) if outer.is_empty() => Vec::new(),
        (_, true) => places.iter().copied().map(rename).collect(),
        (_, false) => outer,
    };
    turn_into(program, expr, first);
    found
}

/// Puts another expression into the place of one. What the user wrote there is still what the user wrote.
pub(super) fn turn_into(program: &mut Program, expr: ExprId, other: ExprId) {
    program.set(expr, program.expr(other));
    if program.is_made_up(expr) || !program.is_made_up(other) {
        program.set_span(expr, program.span(other), program.is_made_up(other));
    }
}

/// `force e as x in case x of …` is `case e as x of …`.
fn tidy_case(program: &mut Program, expr: ExprId, case: Case, used: &FxHashSet<VarId>) {
    let (Some(then), true) = (case.default, case.alternatives.is_empty()) else { return };
    let Expr::Case(inner) = program.expr(then) else { return };
    let Expr::Atom(Atom::Variable(scrutinee)) = program.expr(inner.scrutinee) else { return };
    if scrutinee != case.variable || used.contains(&inner.variable) {
        return;
    }
    let merged = Case { scrutinee: case.scrutinee, variable: case.variable, ..inner };
    program.set(expr, Expr::Case(merged));
    if program.is_made_up(expr) && !program.is_made_up(then) {
        program.set_span(expr, program.span(then), false);
    }
}
