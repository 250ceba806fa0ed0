//! Which variables are needed later.
//!
//! The expressions of a function are numbered in the order of the text, so that everything inside an expression is an
//! interval, and the uses of a variable are an ordered list of numbers. A variable is needed later if it has
//! a use in one of the intervals that are still to run.

use gadfly_core::kernel::{Atom, Expr, ExprId, Program, VarId};
use rustc_hash::FxHashMap;

/// The numbers of a function's expressions, and the uses of its variables.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    intervals: FxHashMap<ExprId, Interval>,
    uses: FxHashMap<VarId, Vec<u32>>,
}

/// From a number to before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Numbering {
    /// Numbers the expressions of a function's body.
    pub(super) fn number(&mut self, program: &Program, body: ExprId) {
        self.intervals.clear();
        self.uses.clear();
        let mut next = 0;
        let mut stack = vec![(body, false)];
        while let Some((expr, done)) = stack.pop() {
            if done {
                if let Some(interval) = self.intervals.get_mut(&expr) {
                    interval.end = next;
                }
                continue;
            }
            self.intervals.insert(expr, Interval { start: next, end: next });
            let mut uses = |atom: Atom| {
                if let Atom::Variable(variable) = atom {
                    let list = self.uses.entry(variable).or_default();
                    if list.last() != Some(&next) {
                        list.push(next);
                    }
                }
            };
            program.arguments(expr).iter().for_each(|argument| uses(argument.atom));
            if let Expr::Atom(atom) | Expr::Apply(atom, _) = program.expr(expr) {
                uses(atom);
            }
            next += 1;
            stack.push((expr, true));
            let from = stack.len();
            program.parts(expr, |part| stack.push((part.expr, false)));
            stack[from..].reverse();
        }
    }

    pub(super) fn interval(&self, expr: ExprId) -> Interval {
        self.intervals.get(&expr).copied().unwrap_or(Interval { start: 0, end: u32::MAX })
    }

    /// Whether a variable has a use in an interval.
    pub(super) fn is_used(&self, variable: VarId, interval: Interval) -> bool {
        let Some(uses) = self.uses.get(&variable) else { return false };
        let at = uses.partition_point(|&number| number < interval.start);
        uses.get(at).is_some_and(|&number| number < interval.end)
    }

    /// The variables that an expression uses and does not bind, in the order of their first use.
    pub(super) fn free_variables(program: &Program, expr: ExprId) -> Vec<VarId> {
        let mut bound: rustc_hash::FxHashSet<VarId> = rustc_hash::FxHashSet::default();
        let mut free = Vec::new();
        let mut seen: rustc_hash::FxHashSet<VarId> = rustc_hash::FxHashSet::default();
        // Variables are bound at one place, so what is bound anywhere inside is not free.
        program.walk(expr, |inner| match program.expr(inner) {
            Expr::Let(bindings, _) => {
                bound.extend(program.list(bindings).iter().map(|binding| binding.variable));
            }
            Expr::Case(case) => {
                bound.insert(case.variable);
                for alternative in program.list(case.alternatives) {
                    if let gadfly_core::kernel::Pattern::Constructor(_, variables) = alternative.pattern {
                        bound.extend(program.list(variables));
                    }
                }
            }
            Expr::Free(variables, _) => bound.extend(program.list(variables)),
            _ => {}
        });
        program.walk(expr, |inner| {
            let mut visit = |atom: Atom| {
                if let Atom::Variable(variable) = atom
                    && !bound.contains(&variable)
                    && seen.insert(variable)
                {
                    free.push(variable);
                }
            };
            program.arguments(inner).iter().for_each(|argument| visit(argument.atom));
            if let Expr::Atom(atom) | Expr::Apply(atom, _) = program.expr(inner) {
                visit(atom);
            }
        });
        free
    }
}
