//! Which variables are needed later.
//!
//! The expressions of a function and the uses of variables in them are numbered in the order of the text, so that everything
//! inside an expression is an interval, and the uses of a variable are an ordered list of numbers. A variable is needed later if it
//! has a use in one of the intervals that are still to run, and it is free in an expression if it has a use in its interval and is bound
//! outside of that. So what is free in each of many nested expressions is found without a walk through all of them.

use gadfly_core::kernel::{Atom, Expr, ExprId, Pattern, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The numbers of a function's expressions, and the uses of its variables.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    intervals: FxHashMap<ExprId, Interval>,
    uses: FxHashMap<VarId, Vec<u32>>,
    /// The number of the expression that binds a variable.
    bound: FxHashMap<VarId, u32>,
    /// By number, the variable that is used, if it is the number of a use.
    order: Vec<Option<VarId>>,
}

/// From a number to before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Interval {
    fn contains(self, number: u32) -> bool {
        self.start <= number && number < self.end
    }
}

impl Numbering {
    /// Numbers the expressions of a function's body.
    pub(super) fn number(&mut self, program: &Program, body: ExprId) {
        self.intervals.clear();
        self.uses.clear();
        self.bound.clear();
        self.order.clear();
        let mut stack = vec![(body, false)];
        while let Some((expr, done)) = stack.pop() {
            let here = self.order.len() as u32;
            if done {
                if let Some(interval) = self.intervals.get_mut(&expr) {
                    interval.end = here;
                }
                continue;
            }
            self.intervals.insert(expr, Interval { start: here, end: here });
            self.order.push(None);
            self.bind(program, expr, here);
            program.arguments(expr).iter().for_each(|argument| self.used(argument.atom));
            if let Expr::Atom(atom) | Expr::Apply(atom, _) = program.expr(expr) {
                self.used(atom);
            }
            stack.push((expr, true));
            let from = stack.len();
            program.parts(expr, |part| stack.push((part.expr, false)));
            stack[from..].reverse();
        }
    }

    fn used(&mut self, atom: Atom) {
        if let Atom::Variable(variable) = atom {
            self.uses.entry(variable).or_default().push(self.order.len() as u32);
            self.order.push(Some(variable));
        }
    }

    /// Variables are bound at one place.
    fn bind(&mut self, program: &Program, expr: ExprId, number: u32) {
        let mut bind = |variable: VarId| {
            self.bound.insert(variable, number);
        };
        match program.expr(expr) {
            Expr::Let(bindings, _) => {
                program.list(bindings).iter().for_each(|binding| bind(binding.variable));
            }
            Expr::Case(case) => {
                bind(case.variable);
                for alternative in program.list(case.alternatives) {
                    if let Pattern::Constructor(_, variables) = alternative.pattern {
                        program.list(variables).iter().for_each(|variable| bind(*variable));
                    }
                }
            }
            Expr::Free(variables, _) => program.list(variables).iter().for_each(|variable| bind(*variable)),
            _ => {}
        }
    }

    pub(super) fn interval(&self, expr: ExprId) -> Interval {
        self.intervals.get(&expr).copied().unwrap_or(Interval { start: 0, end: u32::MAX })
    }

    /// Whether a variable has a use in an interval.
    pub(super) fn is_used(&self, variable: VarId, interval: Interval) -> bool {
        self.first_use(variable, interval).is_some()
    }

    /// Whether a variable has a use from a number on.
    pub(super) fn is_used_from(&self, variable: VarId, number: u32) -> bool {
        self.uses.get(&variable).and_then(|uses| uses.last()).is_some_and(|last| *last >= number)
    }

    fn first_use(&self, variable: VarId, interval: Interval) -> Option<u32> {
        let uses = self.uses.get(&variable)?;
        let at = uses.partition_point(|&number| number < interval.start);
        uses.get(at).copied().filter(|&number| number < interval.end)
    }

    /// How many expressions and uses there are in an expression.
    pub(super) fn length(&self, expr: ExprId) -> usize {
        let interval = self.interval(expr);
        (interval.end as usize).min(self.order.len()).saturating_sub(interval.start as usize)
    }

    /// The variables that an expression uses and does not bind, in the order of their first use; only those in scope are looked
    /// for, if they are given because they are fewer than what is in the expression.
    pub(super) fn free(&self, expr: ExprId, in_scope: Option<Vec<VarId>>) -> Vec<VarId> {
        let interval = self.interval(expr);
        let is_bound =
            |variable: VarId| self.bound.get(&variable).is_some_and(|number| interval.contains(*number));
        let Some(in_scope) = in_scope else {
            let mut seen = FxHashSet::default();
            let inside = self.order.iter().skip(interval.start as usize).take(self.length(expr));
            let used = inside.copied().flatten();
            return used.filter(|variable| !is_bound(*variable) && seen.insert(*variable)).collect();
        };
        let used = in_scope.into_iter().filter(|variable| !is_bound(*variable));
        let mut free: Vec<(u32, VarId)> =
            used.filter_map(|variable| Some((self.first_use(variable, interval)?, variable))).collect();
        free.sort_unstable();
        free.dedup();
        free.into_iter().map(|(_, variable)| variable).collect()
    }
}
