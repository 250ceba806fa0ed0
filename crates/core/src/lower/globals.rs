//! Top-level entities: functions and constructors get their numbers here when they are first used.

use gadfly_source::Span;
use gadfly_syntax::names::Symbol;
use gadfly_syntax::tree::{Body, Decl, DeclId, Expr as Syntax, ExprId as SyntaxId, Pat, PatId, Rule};
use gadfly_typing::interface::{
    ConstructorId, DictVars, Entity, ModuleId, Note, PatNote, ValueId, ValueKind,
};
use gadfly_typing::types::{SchemeId, Ty};

use super::binding::Equations;
use super::known::KnownValue;
use super::{Dict, Job, Lowering};
use crate::kernel::{
    Alternative, Argument, Atom, Case, ErrorKind, Expr, ExprId, FunId, Hidden, List, Name, Origin, Pattern,
    PrimId, SourceRule, VarId,
};

impl<'a> Lowering<'a> {
    /// Does `work` as part of another module.
    pub(super) fn in_module<T>(&mut self, module: ModuleId, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.module, module);
        let result = work(self);
        self.module = before;
        result
    }

    /// The function of a value; its body comes later.
    pub(super) fn value_function(&mut self, value: ValueId) -> FunId {
        if let Some(function) = self.values[value.index()] {
            return function;
        }
        let module = self.typed.values[value].module;
        let function = self.in_module(module, |lowering| lowering.declare_value(value));
        self.values[value.index()] = Some(function);
        function
    }

    fn declare_value(&mut self, value: ValueId) -> FunId {
        let info = &self.typed.values[value];
        let name = self.symbol_name(info.name);
        let function = match &info.kind {
            ValueKind::Function { decl, default } => {
                let function = self.declare_equations(name, Origin::TopLevel, *decl, 0, 0);
                if let Some(default) = default {
                    self.add_rules(function, *default, true);
                    let span = self.out.function(function).span.to(self.tree().span(*default));
                    self.out.function_mut(function).span = span;
                }
                function
            }
            ValueKind::Pattern { decl, .. } => {
                let dictionaries =
                    self.notes().binding(*decl).map_or(0, |binding| binding.dictionaries.len());
                let span = self.tree().span(*decl);
                let function = self.declare(name, Origin::TopLevel, span, dictionaries, &[]);
                self.add_pattern_rule(function, span);
                function
            }
            ValueKind::Method { class, index } => {
                let superclasses = self.typed.classes[*class].superclasses.len() as u32;
                return self.selector(*class, superclasses + index);
            }
            ValueKind::Field { positions, .. } => {
                let dictionaries = self.field_dictionaries(positions);
                let parameter = self.out.name("record");
                self.declare(name, Origin::Field, info.span, dictionaries, &[Some(parameter)])
            }
            ValueKind::Primitive(_) | ValueKind::External => {
                let parameters = vec![None; self.arity_of_scheme(info.scheme)];
                self.declare(name, Origin::Primitive, info.span, 0, &parameters)
            }
        };
        self.jobs.push_back((Job::Value(value), function));
        function
    }

    fn field_dictionaries(&self, positions: &[(ConstructorId, u32)]) -> usize {
        positions.first().map_or(0, |&(constructor, position)| {
            let field = self.typed.constructors[constructor].fields.get(position as usize);
            field.map_or(0, |field| field.dictionaries as usize)
        })
    }

    /// How many arguments a primitive of this type has: one for each constraint, and one for each `->`.
    fn arity_of_scheme(&self, scheme: SchemeId) -> usize {
        let scheme = self.typed.types.scheme(scheme);
        let mut arity = scheme.context.len();
        let mut ty = scheme.body;
        while let Ty::Fun(_, result) = self.typed.types.view(ty) {
            arity += 1;
            ty = result;
        }
        arity
    }

    /// Declares the function of a `Function` declaration, with `outer` dictionaries before its own and `after` hidden
    /// parameters after them.
    pub(super) fn declare_equations(
        &mut self,
        name: Name,
        origin: Origin,
        decl: DeclId,
        outer: usize,
        after: usize,
    ) -> FunId {
        let tree = self.tree();
        let own = self.notes().binding(decl).map_or(0, |binding| binding.dictionaries.len());
        let rules = match tree.get(decl) {
            Decl::Function { rules, .. } => tree.list(*rules),
            _ => &[],
        };
        let mut parameters = self.parameter_names(rules);
        if parameters.is_empty() && origin != Origin::Local {
            parameters = vec![None; self.expansion(rules)];
        }
        let function = self.declare(name, origin, tree.span(decl), outer + own + after, &parameters);
        self.add_rules(function, decl, false);
        function
    }

    /// Notes that a pattern binding is the only equation of the function of one of its variables.
    pub(super) fn add_pattern_rule(&mut self, function: FunId, span: Span) {
        let rule = SourceRule { span, alternatives: Vec::new(), default: false };
        self.out.function_mut(function).rules.push(rule);
    }

    /// Notes the equations of a declaration in its function.
    pub(super) fn add_rules(&mut self, function: FunId, decl: DeclId, default: bool) {
        let tree = self.tree();
        let Decl::Function { rules, .. } = tree.get(decl) else { return };
        for rule in tree.list(*rules) {
            let alternatives = match rule.rhs.body {
                Body::Plain(_) => Vec::new(),
                Body::Guarded(list) => tree.list(list).iter().map(|one| tree.span_of(one.place)).collect(),
            };
            let span = tree.span_of(rule.place);
            let rules = &mut self.out.function_mut(function).rules;
            rules.push(SourceRule { span, alternatives, default });
        }
    }

    /// A name for each parameter: the variable that stands there in the first equation that has one.
    fn parameter_names(&mut self, rules: &[Rule]) -> Vec<Option<Name>> {
        let tree = self.tree();
        let columns = rules.first().map_or(0, |rule| rule.patterns.len());
        (0..columns)
            .map(|column| {
                let patterns = rules.iter().filter_map(|rule| tree.list(rule.patterns).get(column));
                let symbol = patterns.into_iter().find_map(|&pattern| self.pattern_name(pattern))?;
                Some(self.symbol_name(symbol))
            })
            .collect()
    }

    /// The variable that a pattern binds to the whole value.
    pub(super) fn pattern_name(&self, mut pattern: PatId) -> Option<Symbol> {
        let tree = self.tree();
        loop {
            match *tree.get(pattern) {
                Pat::Var(symbol) => {
                    let constructor = matches!(self.notes().pat(pattern), PatNote::Constructor(_));
                    return (!constructor).then_some(symbol);
                }
                Pat::As(name, _) => return Some(tree.name(name).name.name),
                Pat::Paren(inner) | Pat::Bang(inner) | Pat::Lazy(inner) | Pat::Typed(inner, _) => {
                    pattern = inner;
                }
                _ => return None,
            }
        }
    }

    /// How many parameters a library's definition like `(+) = primIntAdd` gets, so that a call of it becomes
    /// a call of the function it equals. The user's definitions keep the parameters that the user wrote.
    fn expansion(&mut self, rules: &[Rule]) -> usize {
        if !self.library[self.module.index()] {
            return 0;
        }
        let [rule] = rules else { return 0 };
        let (Body::Plain(body), true) = (rule.rhs.body, rule.rhs.wheres.is_empty()) else { return 0 };
        let Some((entity, dictionaries)) = self.plain_use(body) else { return 0 };
        let arity = match entity {
            Entity::Value(value) => match self.typed.values[value].kind {
                // Only entities that are declared already or need no other definition: so there are no
                // cycles.
                ValueKind::Primitive(_) | ValueKind::External => {
                    self.arity_of_scheme(self.typed.values[value].scheme)
                }
                ValueKind::Function { decl, .. } => {
                    let module = self.typed.values[value].module;
                    self.in_module(module, |lowering| lowering.written_arity(decl))
                }
                _ => 0,
            },
            Entity::Constructor(constructor) => {
                let info = &self.typed.constructors[constructor];
                info.arity() + info.dictionaries as usize
            }
            Entity::Local(_) | Entity::Unknown => 0,
        };
        arity.saturating_sub(dictionaries)
    }

    /// How many parameters, dictionaries counted, the equations of a declaration have.
    fn written_arity(&self, decl: DeclId) -> usize {
        let tree = self.tree();
        let Decl::Function { rules, .. } = tree.get(decl) else { return 0 };
        let written = tree.list(*rules).first().map_or(0, |rule| rule.patterns.len());
        match written {
            0 => 0,
            _ => written + self.notes().binding(decl).map_or(0, |binding| binding.dictionaries.len()),
        }
    }

    /// What a name, with or without parentheses, means, and how many dictionaries it is applied to.
    fn plain_use(&self, mut expr: SyntaxId) -> Option<(Entity, usize)> {
        loop {
            match *self.tree().get(expr) {
                Syntax::Paren(inner) => expr = inner,
                Syntax::Var(_) | Syntax::Con(_) => break,
                _ => return None,
            }
        }
        match self.notes().expr(expr) {
            Note::Use(named) if self.notes().abstraction(expr).is_empty() => {
                Some((named.entity, named.dictionaries.len()))
            }
            _ => None,
        }
    }

    /// Lowers the body of a value.
    pub(super) fn value_body(&mut self, value: ValueId, function: FunId) {
        let info = &self.typed.values[value];
        match &info.kind {
            ValueKind::Function { decl, default } => {
                let dictionaries = self.binding_dictionaries(*decl);
                self.bind_dictionaries(function, 0, dictionaries);
                self.equations(function, Equations { decl: *decl, default: *default });
            }
            ValueKind::Pattern { decl, .. } => self.pattern_value(value, *decl, function),
            ValueKind::Field { positions, .. } => self.field_body(value, positions, function),
            ValueKind::Primitive(entity) => self.primitive_body(function, entity),
            ValueKind::External => {
                let name = external_name(self.text(info.name));
                self.primitive_body(function, name);
            }
            ValueKind::Method { .. } => {}
        }
    }

    pub(super) fn binding_dictionaries(&self, decl: DeclId) -> DictVars {
        self.notes().binding(decl).map_or(DictVars::EMPTY, |binding| binding.dictionaries)
    }

    /// Says which parameters of a function, from `from` on, the dictionary variables of a binding are.
    pub(super) fn bind_dictionaries(&mut self, function: FunId, from: usize, dictionaries: DictVars) {
        for (variable, parameter) in dictionaries.iter().zip(from..) {
            let parameter = self.parameter(function, parameter);
            self.set_dictionary(variable, Dict::Variable(parameter));
        }
    }

    fn primitive_body(&mut self, function: FunId, entity: &str) {
        let span = self.out.function(function).span;
        let arguments = self.parameters_as_arguments(function);
        let body = self.out.function(function).body;
        let expr = self.primitive_call(entity, &arguments, span);
        self.fill(body, expr);
    }

    /// A primitive with all its arguments.
    pub(super) fn primitive_call(&mut self, entity: &str, arguments: &[Argument], span: Span) -> ExprId {
        if let (super::known::primitive::SEQ, [first, second]) = (entity, arguments) {
            let scrutinee = self.made(Expr::Atom(first.atom), first.span);
            let then = self.atom_expr(*second, true);
            return self.force(scrutinee, None, then, span);
        }
        let primitive: PrimId = self.out.add_primitive(entity);
        let arguments = self.out.add_list(arguments);
        self.written(Expr::Primitive(primitive, arguments), span)
    }

    pub(super) fn parameters_as_arguments(&self, function: FunId) -> Vec<Argument> {
        let function = self.out.function(function);
        let argument = |variable| Argument { atom: Atom::Variable(variable), span: function.span };
        function.parameters.iter().map(|parameter| argument(parameter.variable)).collect()
    }

    /// The primitive that a value is.
    pub(super) fn primitive_of(&self, value: ValueId) -> Option<(&'a str, usize)> {
        let info = &self.typed.values[value];
        match &info.kind {
            ValueKind::Primitive(entity) => Some((entity, self.arity_of_scheme(info.scheme))),
            ValueKind::External => {
                Some((external_name(self.text(info.name)), self.arity_of_scheme(info.scheme)))
            }
            _ => None,
        }
    }

    fn field_body(&mut self, value: ValueId, positions: &[(ConstructorId, u32)], function: FunId) {
        let span = self.out.function(function).span;
        let body = self.out.function(function).body;
        let parameters = self.parameters_as_arguments(function);
        let Some((record, dictionaries)) = parameters.split_last() else { return };
        if let Some(&(constructor, _)) = positions.first()
            && self.is_newtype(constructor)
        {
            let field = self.select_field(record.atom, dictionaries, span);
            self.fill(body, field);
            return;
        }
        let mut alternatives = Vec::new();
        for &(constructor, position) in positions {
            let fields = self.field_variables(constructor);
            let con = self.kernel_constructor(constructor);
            let stored = self.typed.constructors[constructor].dictionaries as usize;
            let selected = Atom::Variable(fields[stored + position as usize]);
            let selected = self.select_field(selected, dictionaries, span);
            let variables = self.out.add_list(&fields);
            alternatives.push(Alternative { pattern: Pattern::Constructor(con, variables), body: selected });
        }
        let of = positions.first().map(|&(constructor, _)| self.typed.constructors[constructor].of);
        let all = of.map_or(0, |of| self.typed.type_constructors[of].constructors().len());
        let name = self.symbol_name(self.typed.values[value].name);
        let default = (positions.len() < all).then(|| self.made(Expr::Error(ErrorKind::NoField, name), span));
        let scrutinee = self.made(Expr::Atom(record.atom), span);
        let case = self.case(scrutinee, alternatives, default, span);
        self.fill(body, case);
    }

    fn select_field(&mut self, field: Atom, dictionaries: &[Argument], span: Span) -> ExprId {
        match dictionaries {
            [] => self.made(Expr::Atom(field), span),
            _ => {
                let arguments = self.out.add_list(dictionaries);
                self.made(Expr::Apply(field, arguments), span)
            }
        }
    }

    /// A rigid case with a variable that nothing uses.
    pub(super) fn case(
        &mut self,
        scrutinee: ExprId,
        alternatives: Vec<Alternative>,
        default: Option<ExprId>,
        span: Span,
    ) -> ExprId {
        let variable = self.fresh();
        let alternatives = self.out.add_list(&alternatives);
        let case = Case { scrutinee, variable, alternatives, default, flexible: false };
        self.made(Expr::Case(case), span)
    }

    /// Evaluates an expression first.
    pub(super) fn force(
        &mut self,
        scrutinee: ExprId,
        variable: Option<VarId>,
        then: ExprId,
        span: Span,
    ) -> ExprId {
        let variable = variable.unwrap_or_else(|| self.fresh());
        let alternatives = List::EMPTY;
        let case = Case { scrutinee, variable, alternatives, default: Some(then), flexible: false };
        self.made(Expr::Case(case), span)
    }

    /// The function of a pattern binding at the top: from dictionaries to the group of its variables.
    pub(super) fn pattern_function(&mut self, decl: DeclId) -> FunId {
        let module = self.module;
        if let Some(&function) = self.patterns.get(&(module, decl)) {
            return function;
        }
        let name = self.out.name("pattern");
        let span = self.tree().span(decl);
        let dictionaries = self.binding_dictionaries(decl).len();
        let function = self.declare(name, Origin::Hidden(Hidden::Pattern), span, dictionaries, &[]);
        self.patterns.insert((module, decl), function);
        self.jobs.push_back((Job::Pattern(decl), function));
        function
    }

    /// Whether a name is `otherwise` or `True`.
    pub(super) fn is_always(&self, expr: SyntaxId) -> bool {
        match self.plain_use(expr) {
            Some((Entity::Value(value), _)) => self.known.is(value, KnownValue::Otherwise),
            Some((Entity::Constructor(constructor), _)) => {
                self.constructor_of(gadfly_typing::KnownType::Bool, 1) == Some(constructor)
            }
            _ => false,
        }
    }
}

/// What the machine calls Curry's `prim_charOrd external`.
fn external_name(name: &str) -> &str {
    name.strip_prefix("prim_").unwrap_or(name)
}
