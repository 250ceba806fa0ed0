//! Patterns on the left of `=`: they are matched when one of their variables is needed.
//!
//! The value is bound to a variable, and each variable of the pattern to its part of the match. If the
//! pattern is a constructor of variables only, each variable is a selection; any other pattern is matched
//! once, and yields the group of its variables.

use gadfly_source::Span;
use gadfly_syntax::tree::{Decl, DeclId};
use gadfly_typing::interface::{ConstructorId, DictVars, ValueId};

use super::matching::{Fallback, Leaf};
use super::pattern::{Bound, Layer, PatRef};
use super::{Local, Lowering};
use crate::kernel::{
    Alternative, Argument, Atom, Binding, ErrorKind, Expr, ExprId, FunId, Hidden, Origin, Pattern, VarId,
};

impl Lowering<'_> {
    /// A pattern binding that is a function of dictionaries: so is each of its variables.
    pub(super) fn overloaded_pattern(
        &mut self,
        decl: DeclId,
        dictionaries: DictVars,
        bound: &[Bound],
        span: Span,
    ) {
        let name = self.out.name("pattern");
        let origin = Origin::Hidden(Hidden::Pattern);
        let whole = self.declare_local(name, origin, span, dictionaries.len(), &[]);
        let mut functions = Vec::new();
        for &bound in bound {
            if let Bound::Local(local) = bound {
                let name = self.symbol_name(self.notes().locals[local].name);
                let function = self.declare_local(name, Origin::Local, span, dictionaries.len(), &[]);
                self.add_pattern_rule(function, span);
                self.set_local(local, Local::Function(function));
                functions.push((local, function));
            }
        }
        self.bind_dictionaries(whole, 0, dictionaries);
        self.inside(whole, |lowering| {
            let body = lowering.out.function(whole).body;
            lowering.whole_pattern(decl, bound, body, span);
            lowering.tidy(body);
        });
        for (place, &(local, function)) in functions.iter().enumerate() {
            self.set_local(local, Local::Function(function));
            let dictionaries = self.parameters_as_arguments(function);
            let call = self.call_atoms(whole, &dictionaries, span);
            self.out.set_span(call, span, true);
            let selected = self.select(call, place, functions.len(), span);
            let body = self.out.function(function).body;
            let hole = self.inside(function, |lowering| lowering.mark(body, Some(1), 0));
            self.fill(hole, selected);
        }
    }

    /// Matches the right-hand side of a pattern binding: yields its variable, or the group of its variables.
    fn whole_pattern(&mut self, decl: DeclId, bound: &[Bound], hole: ExprId, span: Span) {
        let Decl::Pattern { pattern, rhs } = *self.tree().get(decl) else { return };
        let nothing = self.out.name("");
        let value = self.hole(span);
        self.rhs(rhs, None, value, self.no_equation(nothing, span));
        let whole = PatRef::Pat(pattern);
        let (then, variable) = self.scrutinee(hole, value, None, self.is_irrefutable(whole), span);
        self.bound_groups.push(bound.to_vec());
        let row = self.row([(variable, whole)], Leaf::Variables);
        self.match_rows(then, vec![row], Fallback::Error(ErrorKind::Irrefutable, nothing, span), span);
        self.bound_groups.pop();
    }

    /// One of a group of variables; a group of one is the variable itself.
    fn select(&mut self, group: ExprId, place: usize, size: usize, span: Span) -> ExprId {
        if size == 1 {
            return group;
        }
        let con = self.group_constructor(size);
        let fields: Vec<VarId> = (0..size).map(|_| self.fresh()).collect();
        let Some(&field) = fields.get(place) else { return self.unknown("a variable", span) };
        let selected = self.made(Expr::Atom(Atom::Variable(field)), span);
        let variables = self.out.add_list(&fields);
        let alternative = Alternative { pattern: Pattern::Constructor(con, variables), body: selected };
        self.case(group, vec![alternative], None, span)
    }

    /// The variables of the innermost pattern binding that is being matched, as a group.
    pub(super) fn bound_group(&mut self, hole: ExprId, span: Span) {
        let bound = self.bound_groups.last().cloned().unwrap_or_default();
        let mut arguments = Vec::with_capacity(bound.len());
        for bound in bound {
            let variable = match bound {
                Bound::Local(local) => match self.local(local) {
                    Local::Variable(variable) => Some(variable),
                    _ => None,
                },
                Bound::Value(value) => self.pattern_values.get(&value).copied(),
            };
            arguments.extend(variable.map(|variable| Argument { atom: Atom::Variable(variable), span }));
        }
        let expr = match arguments.as_slice() {
            [one] => self.made(Expr::Atom(one.atom), span),
            all => {
                let con = self.group_constructor(all.len());
                let list = self.out.add_list(all);
                self.made(Expr::Construct(con, list), span)
            }
        };
        self.fill(hole, expr);
    }

    /// Whether a pattern is a constructor with nothing but variables.
    fn is_simple(&self, pattern: PatRef) -> bool {
        match self.layer(pattern) {
            Layer::Constructor(constructor, dictionaries, arguments) => {
                let of = self.typed.constructors[constructor].of;
                !self.is_newtype(constructor)
                    && dictionaries.is_empty()
                    && self.typed.type_constructors[of].constructors().len() == 1
                    && arguments.iter().all(|&argument| {
                        matches!(self.layer(argument), Layer::Wildcard | Layer::Local(_) | Layer::Value(_))
                    })
            }
            _ => false,
        }
    }

    /// Bindings for the variables of a pattern, each of which matches a value when it is needed. The pattern
    /// is at `at`; the code that fails if it does not fit is at `span`.
    pub(super) fn pattern_bindings(
        &mut self,
        value: VarId,
        pattern: PatRef,
        targets: &[(Bound, VarId)],
        at: Span,
        span: Span,
    ) -> Vec<Binding> {
        if targets.is_empty() {
            return Vec::new();
        }
        if self.is_simple(pattern)
            && let Layer::Constructor(constructor, _, arguments) = self.layer(pattern)
        {
            return self.simple_bindings(value, constructor, &arguments, targets, at);
        }
        let bound: Vec<Bound> = targets.iter().map(|&(bound, _)| bound).collect();
        let matched = self.hole(at);
        self.bound_groups.push(bound);
        let row = self.row([(value, pattern)], Leaf::Variables);
        let nothing = self.out.name("");
        self.match_rows(matched, vec![row], Fallback::Error(ErrorKind::Irrefutable, nothing, span), at);
        self.bound_groups.pop();
        for &(bound, variable) in targets {
            if let Bound::Local(local) = bound {
                self.set_local(local, Local::Variable(variable));
            }
        }
        if let [(_, variable)] = targets {
            return vec![Binding { variable: *variable, value: matched }];
        }
        let group = self.fresh();
        let mut bindings = vec![Binding { variable: group, value: matched }];
        for (place, &(_, variable)) in targets.iter().enumerate() {
            let scrutinee = self.made(Expr::Atom(Atom::Variable(group)), at);
            let value = self.select(scrutinee, place, targets.len(), at);
            bindings.push(Binding { variable, value });
        }
        bindings
    }

    fn simple_bindings(
        &mut self,
        value: VarId,
        constructor: ConstructorId,
        arguments: &[PatRef],
        targets: &[(Bound, VarId)],
        span: Span,
    ) -> Vec<Binding> {
        let con = self.kernel_constructor(constructor);
        let mut bindings = Vec::new();
        for &(bound, variable) in targets {
            let place = arguments.iter().position(|&argument| match (self.layer(argument), bound) {
                (Layer::Local(local), Bound::Local(other)) => local == other,
                (Layer::Value(value), Bound::Value(other)) => value == other,
                _ => false,
            });
            let Some(place) = place else { continue };
            let fields = self.field_variables(constructor);
            let selected = self.made(Expr::Atom(Atom::Variable(fields[place])), span);
            let variables = self.out.add_list(&fields);
            let alternative = Alternative { pattern: Pattern::Constructor(con, variables), body: selected };
            let scrutinee = self.made(Expr::Atom(Atom::Variable(value)), span);
            let value = self.case(scrutinee, vec![alternative], None, span);
            bindings.push(Binding { variable, value });
        }
        bindings
    }

    /// Lowers a variable of a pattern binding at the top of a module.
    pub(super) fn pattern_value(&mut self, value: ValueId, decl: DeclId, function: FunId) {
        let Decl::Pattern { pattern, .. } = *self.tree().get(decl) else { return };
        let bound = self.bound_variables(PatRef::Pat(pattern));
        let body = self.out.function(function).body;
        let span = self.tree().span(decl);
        let hole = self.mark(body, Some(1), 0);
        if bound.len() == 1 {
            self.bind_dictionaries(function, 0, self.binding_dictionaries(decl));
            self.whole_pattern(decl, &bound, hole, span);
            return self.tidy(body);
        }
        let whole = self.pattern_function(decl);
        let dictionaries = self.parameters_as_arguments(function);
        let call = self.call_atoms(whole, &dictionaries, span);
        let place = bound.iter().position(|&bound| bound == Bound::Value(value)).unwrap_or(0);
        let selected = self.select(call, place, bound.len(), span);
        self.out.set_span(call, span, true);
        self.fill(hole, selected);
    }

    /// Lowers a pattern binding at the top of a module: the group of its variables.
    pub(super) fn top_pattern_body(&mut self, decl: DeclId, function: FunId) {
        let Decl::Pattern { pattern, .. } = *self.tree().get(decl) else { return };
        let bound = self.bound_variables(PatRef::Pat(pattern));
        self.bind_dictionaries(function, 0, self.binding_dictionaries(decl));
        let body = self.out.function(function).body;
        let span = self.tree().span(decl);
        self.whole_pattern(decl, &bound, body, span);
        self.tidy(body);
    }
}
