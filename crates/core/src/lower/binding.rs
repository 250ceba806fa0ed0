//! Definitions: equations of functions, lambdas, `let` and `where`, pattern bindings, right-hand sides.

use gadfly_source::Span;
use gadfly_syntax::tree::{
    Alternative as SyntaxAlternative, Body, Decl, DeclId, ExprId as SyntaxId, Guarded, List, Pat, PatId, Rhs,
    StmtKind,
};
use gadfly_typing::interface::{DictVars, Entity, LocalId};
use rustc_hash::FxHashMap;

use super::apply::Operand;
use super::class::is_function;
use super::depend::{self, Declaration};
use super::matching::{Fallback, Leaf};
use super::pattern::{Bound, Layer, PatRef};
use super::{Local, Lowering};
use crate::kernel::{
    Argument, Atom, Binding, ErrorKind, Expr, ExprId, FunId, Hidden, Name, Origin, Role, SourceRule, VarId,
};

/// The equations of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equations {
    pub(super) decl: DeclId,
    /// Those of its default rule (Curry).
    pub(super) default: Option<DeclId>,
}

/// A declaration of a block that binds variables of the kernel.
struct Declared {
    decl: DeclId,
    kind: DeclaredKind,
}

enum DeclaredKind {
    Function(FunId, DictVars),
    Value(VarId),
    /// The value that is matched, and the variables of the pattern.
    Pattern(VarId, Vec<(Bound, VarId)>),
}

impl Lowering<'_> {
    /// The variables of a function for the parameters that the user wrote.
    fn ordinary(&self, function: FunId) -> Vec<VarId> {
        let parameters = self.out.function(function).parameters.iter();
        parameters.filter(|one| one.role == Role::Ordinary).map(|one| one.variable).collect()
    }

    /// Lowers the body of a function from its equations.
    pub(super) fn equations(&mut self, function: FunId, equations: Equations) {
        self.inside(function, |lowering| lowering.equations_inside(function, equations));
    }

    fn equations_inside(&mut self, function: FunId, equations: Equations) {
        let tree = self.tree();
        let Decl::Function { rules, .. } = tree.get(equations.decl) else { return };
        let rules = tree.list(*rules);
        let parameters = self.ordinary(function);
        let (body, span, name) = {
            let function = self.out.function(function);
            (function.body, function.span, function.name)
        };
        let written = rules.first().map_or(0, |rule| rule.patterns.len());
        if let (0, false, [rule]) = (written, parameters.is_empty(), rules)
            && let Body::Plain(same) = rule.rhs.body
        {
            let operand = |&variable: &VarId| {
                Operand::Atom(Argument { atom: Atom::Variable(variable), span: tree.span(same) })
            };
            let operands: Vec<Operand> = parameters.iter().map(operand).collect();
            let hole = self.mark(body, Some(1), 0);
            let expr = self.application(same, &operands, tree.span(same));
            self.fill(hole, expr);
            return self.tidy(body);
        }
        if self.is_curry() {
            self.curry_rules(function, equations, &parameters);
            return self.tidy(body);
        }
        let mut rows = Vec::with_capacity(rules.len());
        for (rule, number) in rules.iter().zip(1..) {
            let patterns = tree.list(rule.patterns).iter().map(|&pattern| PatRef::Pat(pattern));
            let tests: Vec<_> = parameters.iter().copied().zip(patterns).collect();
            rows.push(self.row(tests, Leaf::Rhs { rhs: rule.rhs, rule: Some(number) }));
        }
        self.match_rows(body, rows, Fallback::Error(ErrorKind::NoEquation, name, span), span);
        self.tidy(body);
        self.warn_equations(name, rules, span);
    }

    /// Fills a hole with the mark of an equation; returns the hole after it.
    pub(super) fn mark(&mut self, hole: ExprId, rule: Option<u32>, alternative: u32) -> ExprId {
        let Some(rule) = rule else { return hole };
        let span = match self.out.function(self.function).rules.get(rule as usize - 1) {
            Some(known) => match (alternative as usize).checked_sub(1) {
                Some(at) => known.alternatives.get(at).copied().unwrap_or(known.span),
                None => known.span,
            },
            None => self.out.span(hole),
        };
        let body = self.hole(span);
        self.out.set(hole, Expr::Rule { rule, alternative, body });
        self.out.set_span(hole, span, true);
        body
    }

    /// A right-hand side with its `where`.
    pub(super) fn rhs(&mut self, rhs: Rhs, rule: Option<u32>, hole: ExprId, fallback: Fallback) {
        let hole = self.decls(rhs.wheres, hole);
        match rhs.body {
            Body::Plain(expr) => {
                let hole = self.mark(hole, rule, 0);
                let expr = self.expr(expr);
                self.fill(hole, expr);
            }
            Body::Guarded(list) => self.guarded(list, rule, hole, fallback),
        }
    }

    /// Guarded alternatives: the first whose guards hold is taken.
    pub(super) fn guarded(
        &mut self,
        list: List<Guarded>,
        rule: Option<u32>,
        hole: ExprId,
        fallback: Fallback,
    ) {
        let tree = self.tree();
        let mut hole = hole;
        let list = tree.list(list);
        for (guarded, number) in list.iter().zip(1u32..) {
            let span = tree.span_of(guarded.place);
            let (first, fallback, next) = match number as usize == list.len() {
                true => (hole, fallback, None),
                false => {
                    let first = self.hole(span);
                    let otherwise = self.hole(span);
                    self.out.set(hole, Expr::Try { first, otherwise });
                    (first, Fallback::Fall, Some(otherwise))
                }
            };
            // In Curry, a single condition is solved; several are tried in order.
            let flexible = self.is_curry() && list.len() == 1;
            if let Some(then) = self.guards(guarded, first, fallback, flexible) {
                let then = self.mark(then, rule, number);
                let body = self.expr(guarded.body);
                self.fill(then, body);
            }
            match next {
                Some(next) => hole = next,
                None => return,
            }
        }
    }

    /// The conditions of an alternative; returns the hole for the code after them, `None` if they cannot
    /// hold.
    pub(super) fn guards(
        &mut self,
        guarded: &Guarded,
        hole: ExprId,
        fallback: Fallback,
        flexible: bool,
    ) -> Option<ExprId> {
        let tree = self.tree();
        let mut hole = hole;
        for guard in tree.list(guarded.guards) {
            let span = tree.span_of(guard.place);
            match guard.kind {
                StmtKind::Expr(condition) if self.is_always(condition) => {}
                StmtKind::Expr(condition) => {
                    let condition = self.expr(condition);
                    hole = self.test(hole, condition, fallback, flexible, span);
                }
                StmtKind::Let(decls) => hole = self.decls(decls, hole),
                StmtKind::Bind(pattern, value) => {
                    let value = self.expr(value);
                    hole = self.match_one(hole, value, PatRef::Pat(pattern), fallback, span)?;
                }
            }
        }
        Some(hole)
    }

    /// Matches the value of an expression against one pattern; returns the hole for the code after it, if it
    /// can match.
    pub(super) fn match_one(
        &mut self,
        hole: ExprId,
        value: ExprId,
        pattern: PatRef,
        fallback: Fallback,
        span: Span,
    ) -> Option<ExprId> {
        let name = match pattern {
            PatRef::Pat(pattern) => self.pattern_name(pattern),
            _ => None,
        };
        let at = self.out.span(value);
        let (hole, variable) = self.scrutinee(hole, value, name, self.is_irrefutable(pattern), span);
        let row = self.row([(variable, pattern)], Leaf::Later);
        let later = self.match_rows(hole, vec![row], fallback, span).later;
        self.examined(hole, variable, at);
        later
    }

    /// Says where the user wrote the variable that is examined first.
    fn examined(&mut self, hole: ExprId, variable: VarId, at: Span) {
        let mut expr = hole;
        while let Expr::Try { first, .. } = self.out.expr(expr) {
            expr = first;
        }
        if let Expr::Case(case) = self.out.expr(expr)
            && let Expr::Atom(Atom::Variable(examined)) = self.out.expr(case.scrutinee)
            && examined == variable
        {
            self.out.set_span(case.scrutinee, at, self.unwritten);
        }
    }

    /// Gives the value of an expression a variable: evaluated, unless `lazy`. Returns the hole for the code
    /// after it.
    pub(super) fn scrutinee(
        &mut self,
        hole: ExprId,
        value: ExprId,
        name: Option<gadfly_syntax::names::Symbol>,
        lazy: bool,
        span: Span,
    ) -> (ExprId, VarId) {
        if let Expr::Atom(Atom::Variable(variable)) = self.out.expr(value) {
            return (hole, variable);
        }
        let name = name.map(|name| self.symbol_name(name));
        let variable = self.out.add_variable(crate::kernel::Variable { name, dictionary: false });
        let then = self.hole(span);
        match lazy {
            true => {
                let bindings = self.out.add_list(&[Binding { variable, value }]);
                self.out.set(hole, Expr::Let(bindings, then));
            }
            false => {
                let force = self.force(value, Some(variable), then, span);
                self.fill(hole, force);
            }
        }
        (then, variable)
    }

    /// `case e of alternatives` and Curry's `fcase`.
    pub(super) fn case_of(
        &mut self,
        scrutinee: ExprId,
        alternatives: &[SyntaxAlternative],
        flexible: bool,
        span: Span,
    ) -> ExprId {
        let hole = self.hole(span);
        let at = self.out.span(scrutinee);
        let name = alternatives.iter().find_map(|one| self.pattern_name(one.pattern));
        let lazy = alternatives.first().is_none_or(|one| self.is_irrefutable(PatRef::Pat(one.pattern)));
        let (then, variable) = match alternatives.is_empty() {
            // A case without alternatives evaluates what it examines.
            true => self.scrutinee(hole, scrutinee, name, false, span),
            false => self.scrutinee(hole, scrutinee, name, lazy, span),
        };
        self.alternatives(then, variable, alternatives, flexible, span);
        self.examined(then, variable, at);
        // If nothing is examined, the first alternative needs no `case`.
        if self.out.is_made_up(hole) {
            self.out.set_span(hole, span, false);
        }
        hole
    }

    fn alternatives(
        &mut self,
        hole: ExprId,
        variable: VarId,
        alternatives: &[SyntaxAlternative],
        flexible: bool,
        span: Span,
    ) {
        let mut rows = Vec::with_capacity(alternatives.len());
        for one in alternatives {
            let leaf = Leaf::Rhs { rhs: one.rhs, rule: None };
            rows.push(self.row([(variable, PatRef::Pat(one.pattern))], leaf));
        }
        if flexible {
            return self.match_all(hole, rows, span);
        }
        let nothing = self.out.name("");
        let fallback = match self.is_curry() {
            true => Fallback::Failure,
            false => Fallback::Error(ErrorKind::NoAlternative, nothing, span),
        };
        self.match_rows(hole, rows, fallback, span);
        self.warn_alternatives(alternatives, span);
    }

    /// A lambda expression: a function, and its use as a value.
    pub(super) fn lambda(&mut self, parameters: List<PatId>, body: SyntaxId, span: Span) -> ExprId {
        let patterns = self.tree().list(parameters);
        let names: Vec<Option<Name>> = patterns
            .iter()
            .map(|&pattern| self.pattern_name(pattern).map(|symbol| self.symbol_name(symbol)))
            .collect();
        let name = self.out.name("\\");
        let function = self.declare_local(name, Origin::Lambda, span, 0, &names);
        let rule = SourceRule { span, alternatives: Vec::new(), default: false };
        self.out.function_mut(function).rules.push(rule);
        self.inside(function, |lowering| {
            let variables = lowering.ordinary(function);
            let refs = patterns.iter().map(|&pattern| PatRef::Pat(pattern));
            let tests: Vec<_> = variables.into_iter().zip(refs).collect();
            let row = lowering.row(tests, Leaf::Expr { expr: body, rule: Some(1) });
            let hole = lowering.out.function(function).body;
            match lowering.is_curry() {
                true => lowering.match_all(hole, vec![row], span),
                false => {
                    let nothing = lowering.out.name("");
                    let fallback = Fallback::Error(ErrorKind::NoLambda, nothing, span);
                    lowering.match_rows(hole, vec![row], fallback, span);
                    lowering.warn_lambda(patterns, span);
                }
            }
            lowering.tidy(hole);
        });
        self.written(Expr::Atom(Atom::Function(function)), span)
    }

    /// `\case alternatives`.
    pub(super) fn lambda_case(&mut self, alternatives: &[SyntaxAlternative], span: Span) -> ExprId {
        let name = self.out.name("\\");
        let parameter = alternatives.iter().find_map(|one| self.pattern_name(one.pattern));
        let parameter = parameter.map(|symbol| self.symbol_name(symbol));
        let function = self.declare_local(name, Origin::Lambda, span, 0, &[parameter]);
        let rule = SourceRule { span, alternatives: Vec::new(), default: false };
        self.out.function_mut(function).rules.push(rule);
        self.inside(function, |lowering| {
            let body = lowering.out.function(function).body;
            let hole = lowering.mark(body, Some(1), 0);
            let variable = lowering.parameter(function, 0);
            lowering.alternatives(hole, variable, alternatives, false, span);
            lowering.tidy(body);
        });
        self.written(Expr::Atom(Atom::Function(function)), span)
    }

    /// An expression that is a function of dictionaries.
    pub(super) fn overloaded(&mut self, dictionaries: DictVars, expr: SyntaxId, span: Span) -> ExprId {
        let name = self.out.name("overloaded");
        let origin = Origin::Hidden(Hidden::Overloaded);
        let function = self.declare_local(name, origin, span, dictionaries.len(), &[]);
        self.bind_dictionaries(function, 0, dictionaries);
        self.inside(function, |lowering| {
            let value = lowering.plain_expr(expr);
            let body = lowering.out.function(function).body;
            lowering.fill(body, value);
            lowering.tidy(body);
        });
        self.made(Expr::Atom(Atom::Function(function)), span)
    }

    /// Puts local declarations into a hole; returns the hole for their body.
    pub(super) fn decls(&mut self, decls: List<DeclId>, hole: ExprId) -> ExprId {
        let tree = self.tree();
        let mut hole = hole;
        let mut declared = Vec::new();
        let first = FunId::from_index(self.out.functions().len());
        for &decl in tree.list(decls) {
            let span = tree.span(decl);
            match tree.get(decl) {
                Decl::Free(names) => {
                    let locals: Vec<LocalId> =
                        tree.list(*names).iter().filter_map(|name| self.local_at(name.place.start)).collect();
                    hole = self.free_variables(&locals, hole, span);
                }
                Decl::Function { name, .. } => {
                    let name = self.symbol_name(name.symbol);
                    declared.extend(self.declare_local_function(decl, name));
                }
                Decl::Pattern { pattern, .. } => {
                    declared.extend(self.declare_local_pattern(decl, *pattern, span))
                }
                _ => {}
            }
        }
        self.declared(&declared, first, hole)
    }

    fn declare_local_function(&mut self, decl: DeclId, name: Name) -> Option<Declared> {
        let binding = *self.notes().binding(decl)?;
        let Entity::Local(local) = binding.entity else { return None };
        let kind = match is_function(self, decl, binding.dictionaries) {
            true => {
                let function = self.declare_equations(name, Origin::Local, decl, 0, 0);
                self.out.function_mut(function).parent = Some(self.function);
                self.set_local(local, Local::Function(function));
                DeclaredKind::Function(function, binding.dictionaries)
            }
            false => {
                let variable = self.local_variable(local);
                self.set_local(local, Local::Variable(variable));
                DeclaredKind::Value(variable)
            }
        };
        Some(Declared { decl, kind })
    }

    fn declare_local_pattern(&mut self, decl: DeclId, pattern: PatId, span: Span) -> Option<Declared> {
        let binding = *self.notes().binding(decl)?;
        let bound = self.bound_variables(PatRef::Pat(pattern));
        if !binding.dictionaries.is_empty() {
            self.overloaded_pattern(decl, binding.dictionaries, &bound, span);
            return None;
        }
        let plain = match self.layer(unbang(self, PatRef::Pat(pattern)).0) {
            Layer::Local(local) => Some(local),
            _ => None,
        };
        let mut targets = Vec::new();
        for bound in bound {
            if let Bound::Local(local) = bound {
                let variable = self.local_variable(local);
                self.set_local(local, Local::Variable(variable));
                targets.push((bound, variable));
            }
        }
        let kind = match (plain, targets.first()) {
            (Some(_), Some(&(_, variable))) => DeclaredKind::Pattern(variable, Vec::new()),
            _ => DeclaredKind::Pattern(self.fresh(), targets),
        };
        Some(Declared { decl, kind })
    }

    /// Binds declarations, each after those it needs; returns the hole for their body.
    fn declared(&mut self, declared: &[Declared], first: FunId, hole: ExprId) -> ExprId {
        let mut bindings = Vec::with_capacity(declared.len());
        let mut needs = Vec::with_capacity(declared.len());
        for one in declared {
            let own = self.declared_bindings(one);
            let function = match one.kind {
                DeclaredKind::Function(function, _) => Some(function),
                _ => None,
            };
            let exprs = own.iter().map(|binding| binding.value);
            let exprs = exprs.chain(function.map(|function| self.out.function(function).body)).collect();
            let variables = own.iter().map(|binding| binding.variable).collect();
            needs.push(Declaration { variables, function, exprs });
            bindings.push(own);
        }
        let mut hole = hole;
        for group in depend::groups(&self.out, &needs, first) {
            let own: Vec<Binding> =
                group.iter().flat_map(|&row| std::mem::take(&mut bindings[row])).collect();
            if !own.is_empty() {
                let then = self.hole(self.out.span(hole));
                let own = self.out.add_list(&own);
                self.out.set(hole, Expr::Let(own, then));
                if let Some(&first) = group.first() {
                    self.out.set_span(hole, self.tree().span(declared[first].decl), true);
                }
                hole = then;
            }
            for row in group {
                hole = self.strict(&declared[row], hole);
            }
        }
        hole
    }

    /// What a declaration binds; a function's body is lowered.
    fn declared_bindings(&mut self, one: &Declared) -> Vec<Binding> {
        let tree = self.tree();
        let span = tree.span(one.decl);
        match (&one.kind, tree.get(one.decl)) {
            (DeclaredKind::Function(function, dictionaries), _) => {
                self.bind_dictionaries(*function, 0, *dictionaries);
                self.equations(*function, Equations { decl: one.decl, default: None });
                Vec::new()
            }
            (DeclaredKind::Value(variable), Decl::Function { rules, name, .. }) => {
                let [rule] = tree.list(*rules) else { return Vec::new() };
                let name = self.symbol_name(name.symbol);
                let value = self.hole(span);
                self.rhs(rule.rhs, None, value, self.no_equation(name, span));
                vec![Binding { variable: *variable, value }]
            }
            (DeclaredKind::Pattern(variable, targets), Decl::Pattern { pattern, rhs }) => {
                let nothing = self.out.name("");
                let value = self.hole(span);
                self.rhs(*rhs, None, value, self.no_equation(nothing, span));
                let mut bindings = vec![Binding { variable: *variable, value }];
                let (inner, _) = unbang(self, PatRef::Pat(*pattern));
                let at = tree.span(*pattern);
                bindings.extend(self.pattern_bindings(*variable, inner, targets, at, span));
                bindings
            }
            _ => Vec::new(),
        }
    }

    /// Evaluates a declaration with `!`; returns the hole for the code after it.
    fn strict(&mut self, one: &Declared, hole: ExprId) -> ExprId {
        let (DeclaredKind::Pattern(variable, _), Decl::Pattern { pattern, .. }) =
            (&one.kind, self.tree().get(one.decl))
        else {
            return hole;
        };
        match unbang(self, PatRef::Pat(*pattern)) {
            (inner, true) => self.match_now(*variable, inner, hole, self.tree().span(one.decl)),
            (_, false) => hole,
        }
    }

    /// Evaluates a value and matches it; what follows sees the variables of this match.
    fn match_now(&mut self, variable: VarId, pattern: PatRef, hole: ExprId, span: Span) -> ExprId {
        let forced = self.hole(span);
        let scrutinee = self.made(Expr::Atom(Atom::Variable(variable)), span);
        let force = self.force(scrutinee, None, forced, span);
        self.fill(hole, force);
        let nothing = self.out.name("");
        let row = self.row([(variable, pattern)], Leaf::Later);
        let fallback = Fallback::Error(ErrorKind::Irrefutable, nothing, span);
        self.match_rows(forced, vec![row], fallback, span).later.unwrap_or(forced)
    }

    pub(super) fn no_equation(&self, name: Name, span: Span) -> Fallback {
        match self.is_curry() {
            true => Fallback::Failure,
            false => Fallback::Error(ErrorKind::NoEquation, name, span),
        }
    }

    /// The local variable that is bound at a place.
    fn local_at(&mut self, start: u32) -> Option<LocalId> {
        let module = self.module;
        if !self.places.contains_key(&module) {
            let locals = self.notes().locals.iter();
            let places: FxHashMap<u32, LocalId> = locals.map(|(id, local)| (local.place.start, id)).collect();
            self.places.insert(module, places);
        }
        self.places[&module].get(&start).copied()
    }

    /// Binds free variables (Curry); returns the hole for their body.
    pub(super) fn free_variables(&mut self, locals: &[LocalId], hole: ExprId, span: Span) -> ExprId {
        let mut variables = Vec::new();
        for &local in locals {
            let variable = self.local_variable(local);
            self.set_local(local, Local::Variable(variable));
            variables.push(variable);
        }
        self.free(&variables, hole, span)
    }

    /// The same for variables of the kernel.
    pub(super) fn free(&mut self, variables: &[VarId], hole: ExprId, span: Span) -> ExprId {
        if variables.is_empty() {
            return hole;
        }
        let then = self.hole(span);
        let variables = self.out.add_list(variables);
        self.out.set(hole, Expr::Free(variables, then));
        self.out.set_span(hole, span, true);
        then
    }
}

/// The pattern behind `!`, and whether there was one.
fn unbang(lowering: &Lowering, pattern: PatRef) -> (PatRef, bool) {
    let (mut pattern, mut bang) = (pattern, false);
    while let PatRef::Pat(inside) = pattern {
        match *lowering.tree().get(inside) {
            Pat::Bang(inner) => (pattern, bang) = (PatRef::Pat(inner), true),
            Pat::Paren(inner) => pattern = PatRef::Pat(inner),
            _ => break,
        }
    }
    (pattern, bang)
}
