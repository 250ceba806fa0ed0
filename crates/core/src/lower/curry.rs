//! Curry's rules: every rule that fits is an alternative.
//!
//! A position where every rule has a constructor becomes a flexible case; where some rules have a variable, the rules
//! are alternatives (the definitional trees of S4 §2.4, after Hanus and Prehofer 1999). Without such a position a
//! function is a choice between its rules. A repeated variable and a function in a pattern become conditions.

use gadfly_source::Span;
use gadfly_syntax::tree::{Body, Decl, Rhs, Rule};
use gadfly_typing::builtin;
use gadfly_typing::interface::{ConstructorId, LocalId};

use super::apply::Pending;
use super::binding::Equations;
use super::known::primitive;
use super::matching::{Condition, Fallback, Leaf, Matched, Row, Test};
use super::pattern::{FunctionalPattern, Layer, PatRef};
use super::{Local, Lowering};
use crate::kernel::{
    Alternative, Argument, Atom, Case, Expr, ExprId, FunId, Hidden, List, LiteralId, Origin, Pattern, Role,
    VarId,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Constructor(ConstructorId),
    Literal(LiteralId),
}

impl Lowering<'_> {
    /// The body of a function from its rules.
    pub(super) fn curry_rules(&mut self, function: FunId, equations: Equations, parameters: &[VarId]) {
        let (body, span) = (self.out.function(function).body, self.out.function(function).span);
        let Decl::Function { rules, .. } = self.tree().get(equations.decl) else { return };
        let rules = self.tree().list(*rules);
        let Some(default) = equations.default else {
            let rows = self.curry_rows(rules, parameters, 1);
            return self.match_all(body, rows, span);
        };
        let Decl::Function { rules: defaults, .. } = self.tree().get(default) else { return };
        let defaults = self.tree().list(*defaults);
        let applicable = self.applicable_function(function, rules, span);
        let arguments = self.parameters_as_arguments(function);
        let values = self.call_atoms(applicable, &arguments, span);
        self.out.set_span(values, span, true);
        let mut pending = Pending::default();
        let values = self.atom_of(values, &mut pending);
        let test = self.primitive_call(primitive::SET_VALUES, &[Argument { atom: values, span }], span);
        self.out.set_span(test, span, true);
        let test = self.close(pending, test);
        let nil = self.kernel_constructor(builtin::NIL);
        let (holds, fails) = (self.hole(span), self.hole(span));
        let alternatives = vec![Alternative { pattern: Pattern::Constructor(nil, List::EMPTY), body: fails }];
        let case = self.case(test, alternatives, Some(holds), span);
        self.fill(body, case);
        let rows = self.curry_rows(rules, parameters, 1);
        self.match_all(holds, rows, span);
        let rows = self.curry_rows(defaults, parameters, rules.len() as u32 + 1);
        self.match_all(fails, rows, span);
    }

    fn curry_rows(&mut self, rules: &[Rule], parameters: &[VarId], first: u32) -> Vec<Row> {
        let tree = self.tree();
        let mut rows = Vec::with_capacity(rules.len());
        for (rule, number) in rules.iter().zip(first..) {
            let patterns = tree.list(rule.patterns).iter().map(|&pattern| PatRef::Pat(pattern));
            let tests: Vec<_> = parameters.iter().copied().zip(patterns).collect();
            rows.push(self.row(tests, Leaf::Rhs { rhs: rule.rhs, rule: Some(number) }));
        }
        rows
    }

    /// A function that is true where one of the rules applies, and has no value elsewhere.
    fn applicable_function(&mut self, function: FunId, rules: &[Rule], span: Span) -> FunId {
        let tree = self.tree();
        let name = self.out.function(function).name;
        let parameters = self.out.function(function).parameters.clone();
        let dictionaries = parameters.iter().filter(|one| one.role == Role::Dictionary).count();
        let mut names: Vec<_> = parameters[dictionaries..]
            .iter()
            .map(|parameter| self.out.variable(parameter.variable).name)
            .collect();
        // The unit argument: the other arguments are fixed outside of the set function, the rules' choices
        // are inside.
        names.push(None);
        let origin = Origin::Hidden(Hidden::Applicable);
        let applicable = self.declare_local(name, origin, span, dictionaries, &names);
        // What the guards use of the function's dictionaries are, in here, its own.
        let outer = self.rename_dictionaries(&parameters[..dictionaries], applicable);
        self.inside(applicable, |lowering| {
            let own: Vec<VarId> =
                (dictionaries..parameters.len()).map(|at| lowering.parameter(applicable, at)).collect();
            let mut rows = Vec::with_capacity(rules.len());
            for rule in rules {
                let patterns = tree.list(rule.patterns).iter().map(|&pattern| PatRef::Pat(pattern));
                let tests: Vec<_> = own.iter().copied().zip(patterns).collect();
                rows.push(lowering.row(tests, Leaf::Applicable(rule.rhs)));
            }
            let body = lowering.out.function(applicable).body;
            lowering.match_all(body, rows, span);
            lowering.tidy(body);
        });
        self.restore_dictionaries(outer);
        applicable
    }

    /// Identifies the dictionary parameters of one function with those of another.
    fn rename_dictionaries(
        &mut self,
        parameters: &[crate::kernel::Parameter],
        to: FunId,
    ) -> Vec<(usize, super::Dict)> {
        let new: Vec<VarId> = (0..parameters.len()).map(|at| self.parameter(to, at)).collect();
        let mut before = Vec::new();
        for (row, meaning) in self.locals[self.module.index()].dictionaries.iter_mut().enumerate() {
            if let super::Dict::Variable(variable) = *meaning
                && let Some(at) = parameters.iter().position(|parameter| parameter.variable == variable)
            {
                before.push((row, *meaning));
                *meaning = super::Dict::Variable(new[at]);
            }
        }
        before
    }

    fn restore_dictionaries(&mut self, before: Vec<(usize, super::Dict)>) {
        for (row, meaning) in before {
            self.locals[self.module.index()].dictionaries[row] = meaning;
        }
    }

    /// Matches rows, each of which applies if it fits.
    pub(super) fn match_all(&mut self, hole: ExprId, rows: Vec<Row>, span: Span) {
        let mut tasks = vec![(hole, rows)];
        while let Some((hole, rows)) = tasks.pop() {
            self.match_all_task(hole, rows, span, &mut tasks);
        }
    }

    fn match_all_task(
        &mut self,
        hole: ExprId,
        rows: Vec<Row>,
        span: Span,
        tasks: &mut Vec<(ExprId, Vec<Row>)>,
    ) {
        let tested = rows.iter().find(|row| !row.tests.is_empty());
        let Some(tested) = tested else {
            return self.choose_leaves(hole, rows, span);
        };
        let inductive =
            tested.tests.iter().map(|(variable, _)| *variable).find(|&variable| {
                rows.iter().all(|row| row.tests.iter().any(|(other, _)| *other == variable))
            });
        if let Some(variable) = inductive {
            return self.flexible_case(hole, variable, rows, span, tasks);
        }
        let variable = tested.tests[0].0;
        let has = |row: &Row| row.tests.iter().any(|(other, _)| *other == variable);
        let with_first = rows.first().is_some_and(has);
        let (with, without): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(has);
        let (first, second) = (self.hole(span), self.hole(span));
        let alternatives = self.out.add_list(&[first, second]);
        self.out.set(hole, Expr::Or(alternatives));
        let (one, other) = if with_first { (with, without) } else { (without, with) };
        tasks.push((second, other));
        tasks.push((first, one));
    }

    fn choose_leaves(&mut self, hole: ExprId, rows: Vec<Row>, span: Span) {
        let mut matched = Matched::default();
        let count = rows.len();
        let mut holes = Vec::with_capacity(count);
        for row in rows {
            let hole = if count == 1 { hole } else { self.hole(span) };
            holes.push(hole);
            self.leaf(row, hole, Fallback::Failure, span, &mut matched);
        }
        if count > 1 {
            let alternatives = self.out.add_list(&holes);
            self.out.set(hole, Expr::Or(alternatives));
        }
    }

    fn flexible_case(
        &mut self,
        hole: ExprId,
        variable: VarId,
        rows: Vec<Row>,
        span: Span,
        tasks: &mut Vec<(ExprId, Vec<Row>)>,
    ) {
        let at = rows.first().and_then(|row| row.tested(variable)).unwrap_or(span);
        let mut branches: Vec<(Key, Vec<Row>)> = Vec::new();
        for row in rows {
            let test = row.tests.iter().find(|(other, _)| *other == variable).map(|(_, test)| test);
            let key = match test {
                Some(Test::Constructor(constructor, ..)) => Key::Constructor(*constructor),
                Some(Test::Literal(literal)) => Key::Literal(*literal),
                _ => continue,
            };
            match branches.iter_mut().find(|(other, _)| *other == key) {
                Some((_, rows)) => rows.push(row),
                None => branches.push((key, vec![row])),
            }
        }
        let mut alternatives = Vec::new();
        let mut new = Vec::new();
        for (key, mut rows) in branches {
            let body = self.hole(span);
            let pattern = match key {
                Key::Constructor(constructor) => self.open_constructor(variable, constructor, &mut rows),
                Key::Literal(literal) => {
                    for row in &mut rows {
                        row.tests.retain(|(other, _)| *other != variable);
                    }
                    Pattern::Literal(literal)
                }
            };
            alternatives.push(Alternative { pattern, body });
            new.push((body, rows));
        }
        tasks.extend(new.into_iter().rev());
        if alternatives.is_empty() {
            return;
        }
        let scrutinee = self.made(Expr::Atom(Atom::Variable(variable)), at);
        let alternatives = self.out.add_list(&alternatives);
        let bound = self.fresh();
        let case = Case { scrutinee, variable: bound, alternatives, default: None, flexible: true };
        self.out.set(hole, Expr::Case(case));
        self.out.set_span(hole, at, true);
    }

    /// Whether the guards of a right-hand side hold: true, or what the fallback says.
    pub(super) fn applicable(&mut self, rhs: Rhs, hole: ExprId, fallback: Fallback, span: Span) {
        let tree = self.tree();
        let mut hole = self.decls(rhs.wheres, hole);
        let Some(yes) = self.bool_constructor(true) else { return };
        let Body::Guarded(list) = rhs.body else {
            return self.out.set(hole, Expr::Construct(yes, List::EMPTY));
        };
        let list = tree.list(list);
        for (number, guarded) in list.iter().enumerate() {
            let last = number + 1 == list.len();
            let (first, otherwise) = match last {
                true => (hole, None),
                false => {
                    let (first, otherwise) = (self.hole(span), self.hole(span));
                    self.out.set(hole, Expr::Try { first, otherwise });
                    (first, Some(otherwise))
                }
            };
            let fallback = if last { fallback } else { Fallback::Fall };
            if let Some(then) = self.guards(guarded, first, fallback, list.len() == 1) {
                self.out.set(then, Expr::Construct(yes, List::EMPTY));
            }
            match otherwise {
                Some(otherwise) => hole = otherwise,
                None => return,
            }
        }
    }

    /// A condition that a pattern implies; returns the hole for the code after it.
    pub(super) fn curry_condition(
        &mut self,
        condition: Condition,
        hole: ExprId,
        fallback: Fallback,
        span: Span,
    ) -> ExprId {
        let span = match condition {
            Condition::Equal(_, _, at) | Condition::Function(_, _, _, at) => at.unwrap_or(span),
            Condition::Literal(_, pattern) => self.tree().span(pattern),
        };
        let argument = |atom: Atom| Argument { atom, span };
        match condition {
            Condition::Equal(first, second, _) => {
                let arguments = [Atom::Variable(first), Atom::Variable(second)].map(argument);
                let test = self.primitive_call(primitive::UNIFY, &arguments, span);
                self.out.set_span(test, span, true);
                self.condition(hole, test, fallback, span)
            }
            Condition::Literal(variable, pattern) => {
                let mut pending = Pending::default();
                let literal = self.pattern_number(pattern, span, &mut pending);
                let arguments = [Atom::Variable(variable), literal].map(argument);
                let test = self.primitive_call(primitive::UNIFY, &arguments, span);
                self.out.set_span(test, span, true);
                let test = self.close(pending, test);
                self.condition(hole, test, fallback, span)
            }
            Condition::Function(variable, functional, new, _) => {
                let hole = self.functional_variables(&new, hole, span);
                let mut pending = Pending::default();
                let pattern = self.functional_expr(functional, span, &mut pending);
                let pattern = self.atom_of(pattern, &mut pending);
                let arguments = [pattern, Atom::Variable(variable)].map(argument);
                let test = self.primitive_call(primitive::UNIFY_PATTERN, &arguments, span);
                self.out.set_span(test, span, true);
                let test = self.close(pending, test);
                self.condition(hole, test, fallback, span)
            }
        }
    }

    /// The variables of a functional pattern are free.
    fn functional_variables(&mut self, new: &[LocalId], hole: ExprId, span: Span) -> ExprId {
        let variables: Vec<VarId> = new
            .iter()
            .filter_map(|&local| match self.local(local) {
                Local::Variable(variable) => Some(variable),
                _ => None,
            })
            .collect();
        self.free(&variables, hole, span)
    }

    fn functional_expr(
        &mut self,
        functional: FunctionalPattern,
        span: Span,
        pending: &mut Pending,
    ) -> ExprId {
        let arguments: Vec<super::apply::Operand> = functional
            .arguments
            .iter()
            .map(|&argument| {
                let at = self.pattern_span(argument).unwrap_or(span);
                let expr = self.pattern_expr(argument, at);
                let atom = self.atom_of(expr, pending);
                super::apply::Operand::Atom(Argument { atom, span: at })
            })
            .collect();
        self.use_applied(functional.function, &arguments, span, span)
    }

    /// A pattern as the expression that it stands for, inside a functional pattern.
    fn pattern_expr(&mut self, pattern: PatRef, span: Span) -> ExprId {
        match self.layer(pattern) {
            Layer::Local(local) => match self.local(local) {
                Local::Variable(variable) => self.made(Expr::Atom(Atom::Variable(variable)), span),
                _ => self.unknown("a variable", span),
            },
            Layer::Constructor(constructor, _, arguments) => {
                let mut pending = Pending::default();
                let arguments: Vec<Argument> = arguments
                    .into_iter()
                    .map(|argument| {
                        let at = self.pattern_span(argument).unwrap_or(span);
                        let expr = self.pattern_expr(argument, at);
                        Argument { atom: self.atom_of(expr, &mut pending), span: at }
                    })
                    .collect();
                let expr = self.construct_atoms(constructor, &arguments, span);
                self.close(pending, expr)
            }
            Layer::Functional(functional) => {
                let mut pending = Pending::default();
                let expr = self.functional_expr(functional, span, &mut pending);
                self.close(pending, expr)
            }
            Layer::Literal(literal) => self.literal_expr(literal, span),
            // `x@p` is `p`, and `x` is bound to the same.
            Layer::As(Some(local), _, inner) => {
                let inner = self.pattern_expr(inner, span);
                let Local::Variable(variable) = self.local(local) else { return inner };
                let mut pending = Pending::default();
                let atom = self.atom_of(inner, &mut pending);
                let arguments = [Atom::Variable(variable), atom].map(|atom| Argument { atom, span });
                let test = self.primitive_call(primitive::UNIFY, &arguments, span);
                let hole = self.hole(span);
                let then = self.condition(hole, test, Fallback::Failure, span);
                let value = self.atom_expr(Argument { atom, span }, true);
                self.fill(then, value);
                self.close(pending, hole)
            }
            Layer::As(None, _, inner) | Layer::Lazy(inner) | Layer::Bang(inner) => {
                self.pattern_expr(inner, span)
            }
            Layer::Wildcard
            | Layer::Value(_)
            | Layer::Overloaded { .. }
            | Layer::View(..)
            | Layer::Missing => {
                let variable = self.fresh();
                let body = self.made(Expr::Atom(Atom::Variable(variable)), span);
                let variables = self.out.add_list(&[variable]);
                self.made(Expr::Free(variables, body), span)
            }
        }
    }
}
