//! Expressions.

use gadfly_source::{Diagnostic, Span};
use gadfly_syntax::tree::{Alternative, Branch, Expr, ExprId, Guarded, List, Literal, PatId, TypeId};

use super::{Cause, Expect, Origin, Site, Why};
use crate::builtin;
use crate::checker::Checker;
use crate::interface::{DictId, Note, Overloading, Use};
use crate::known::{KnownClass, KnownType};
use crate::types::{SchemeId, Ty, TyId, Types};

impl Checker<'_> {
    /// Checks an expression against the type that is expected of it.
    pub(crate) fn expr(&mut self, expr: ExprId, expect: Expect) {
        if let Ty::Forall(scheme) = self.types().view(expect.ty) {
            return self.polymorphic(expr, scheme, expect.why);
        }
        let tree = self.tree;
        match *tree.get(expr) {
            Expr::Var(_) | Expr::Con(_) | Expr::ApplyType { .. } => {
                let ty = self.head(expr);
                self.meet(expr, ty, expect);
            }
            Expr::Literal(literal) => self.literal(expr, literal, expect),
            Expr::Apply { function, arguments } => self.apply(expr, function, arguments, expect),
            Expr::Operators(associativity, items) => self.operators(expr, associativity, items, expect),
            Expr::Negate(inside) => self.negate(expr, inside, expect),
            Expr::Lambda { parameters, body } => self.lambda(expr, parameters, body, expect),
            Expr::Let { decls, body } => {
                self.local_bindings(decls);
                self.expr(body, expect);
            }
            Expr::If { branches, otherwise } => self.conditional(branches, otherwise, expect),
            Expr::MultiIf(guarded) => self.multi_if(guarded, expect),
            Expr::Case { scrutinee, alternatives, .. } => self.case(scrutinee, alternatives, expect),
            Expr::LambdaCase(alternatives) => self.lambda_case(expr, alternatives, expect),
            Expr::Do(statements) => self.block(expr, statements, expect),
            Expr::Tuple(parts) => {
                let parts: Vec<Option<ExprId>> = tree.list(parts).iter().copied().map(Some).collect();
                self.tuple_expr(expr, &parts, expect);
            }
            Expr::TupleSection(parts) => self.tuple_expr(expr, tree.list(parts), expect),
            Expr::Paren(inside) => self.expr(inside, expect),
            Expr::List(elements) => self.list(expr, elements, expect),
            Expr::Sequence { from, then, to } => self.sequence(expr, [Some(from), then, to], expect),
            Expr::Comprehension { body, qualifiers } => self.comprehension(expr, body, qualifiers, expect),
            Expr::LeftSection { operand, operator } => self.section(expr, operator, operand, true, expect),
            Expr::RightSection { operator, operand } => self.section(expr, operator, operand, false, expect),
            Expr::Construct { constructor, fields, .. } => {
                self.construct(expr, constructor, fields, expect);
            }
            Expr::Update { subject, fields } => self.update(expr, subject, fields, expect),
            Expr::Typed(inside, declared) => self.typed(expr, inside, declared, expect),
            Expr::Wildcard => self.wildcard(expr, expect),
            Expr::Missing
            | Expr::Infix(_)
            | Expr::As(..)
            | Expr::Lazy(_)
            | Expr::Bang(_)
            | Expr::View(..) => {}
        }
    }

    /// The type of an expression without an expected type.
    pub(crate) fn infer(&mut self, expr: ExprId) -> TyId {
        let mut inside = expr;
        while let Expr::Paren(inner) = *self.tree.get(inside) {
            inside = inner;
        }
        if matches!(self.tree.get(inside), Expr::Var(_) | Expr::Con(_) | Expr::ApplyType { .. }) {
            return self.head(inside);
        }
        let ty = self.fresh();
        self.expr(expr, Expect::new(ty, Why::Open));
        ty
    }

    /// An expression that must be polymorphic: it is checked with fresh type variables, and becomes a
    /// function of the dictionaries for them.
    #[inline(never)]
    fn polymorphic(&mut self, expr: ExprId, scheme: SchemeId, why: Why) {
        let given = self.given;
        self.level += 1;
        let scheme = self.types().scheme(scheme).clone();
        let (_, context, body) = self.fresh_skolems(&scheme);
        let variables = self.bind_dictionaries(&context);
        if !context.is_empty() {
            self.give(&context, variables, None);
            self.notes.abstractions.insert(expr, variables);
        }
        self.expr(expr, Expect::new(body, why));
        self.given = given;
        self.level -= 1;
    }

    /// The type of a name, perhaps applied to types.
    #[inline(never)]
    pub(crate) fn head(&mut self, expr: ExprId) -> TyId {
        let mut types = Vec::new();
        let mut at = expr;
        loop {
            match *self.tree.get(at) {
                Expr::ApplyType { function, argument } => {
                    types.push(argument);
                    at = function;
                }
                Expr::Paren(inside) => at = inside,
                _ => break,
            }
        }
        let span = self.tree.span(at);
        match self.notes.expr(at) {
            Note::Use(Use { entity, .. }) if types.is_empty() => {
                self.use_entity(entity, Site::Expr(at), span)
            }
            Note::Use(Use { entity, .. }) => {
                types.reverse();
                self.apply_types(entity, at, &types)
            }
            _ => {
                let ty = self.fresh();
                self.expr(at, Expect::new(ty, Why::Open));
                ty
            }
        }
    }

    fn apply_types(&mut self, entity: crate::interface::Entity, at: ExprId, written: &[TypeId]) -> TyId {
        let span = self.tree.span(at);
        let Some((scheme, name)) = self.scheme_of(entity) else {
            return self.use_entity(entity, Site::Expr(at), span);
        };
        let count = self.types().scheme(scheme).variables.len();
        let mut with: Vec<TyId> = Vec::new();
        for &argument in written.iter().take(count) {
            self.open_wildcards = true;
            let converted = self.convert(argument).0;
            self.open_wildcards = false;
            with.push(converted);
        }
        if written.len() > count {
            let message = format!("`{}` cannot be applied to {} types", self.text(name), written.len());
            let shown = self.show_scheme(scheme);
            let label = format!("its type is `{shown}`");
            self.diagnostics.push(Diagnostic::error(message).at(span, label));
        }
        let origin = Origin { span, cause: Cause::Use(name) };
        let (ty, dictionaries) = self.instantiate_entity(entity, scheme, &with, origin);
        self.note_dictionaries(Site::Expr(at), dictionaries);
        ty
    }

    #[inline(never)]
    fn literal(&mut self, expr: ExprId, literal: Literal, expect: Expect) {
        let span = self.tree.span(expr);
        let (class, known) = match literal {
            Literal::Integer(_) | Literal::LargeInteger(_) => (KnownClass::Num, None),
            Literal::Fractional(_) => (KnownClass::Fractional, None),
            Literal::Char(_) => (KnownClass::Num, Some(self.known_type(KnownType::Char, span))),
            Literal::String(_) if self.overloads_string(expect.ty) => {
                let ty = self.number(expr, KnownClass::IsString, Cause::Text);
                self.meet(expr, ty, expect);
                return;
            }
            Literal::String(_) => {
                let char = self.known_type(KnownType::Char, span);
                (KnownClass::Num, Some(self.list_of(char)))
            }
        };
        if let Some(known) = known {
            self.meet(expr, known, expect);
            return;
        }
        let ty = self.number(expr, class, Cause::Number);
        self.meet(expr, ty, expect);
    }

    /// The type of an expression with an implicit use of a class of numbers.
    fn number(&mut self, expr: ExprId, class: KnownClass, cause: Cause) -> TyId {
        let span = self.tree.span(expr);
        let at = self.fresh();
        let dictionary = self.want_known(class, at, Origin { span, cause });
        self.notes.exprs[expr.index()] = Note::Overloaded(Overloading { dictionary, at, constructor: None });
        at
    }

    #[inline(never)]
    fn negate(&mut self, expr: ExprId, inside: ExprId, expect: Expect) {
        let ty = self.number(expr, KnownClass::Num, Cause::Negation);
        self.meet(expr, ty, expect);
        self.expr(inside, Expect::new(ty, expect.why));
    }

    #[inline(never)]
    fn lambda(&mut self, expr: ExprId, parameters: List<PatId>, body: ExprId, expect: Expect) {
        let patterns = self.tree.list(parameters);
        let (types, result) = self.split_parameters(expr, patterns.len(), expect);
        self.scoped(|this| {
            for (&pattern, &ty) in patterns.iter().zip(&types) {
                this.pattern(pattern, Expect::new(ty, expect.why));
            }
            this.expr(body, Expect::new(result, expect.why));
        });
    }

    /// Splits the expected type of an expression with `count` parameters.
    fn split_parameters(&mut self, expr: ExprId, count: usize, expect: Expect) -> (Vec<TyId>, TyId) {
        let mut types = Vec::with_capacity(count);
        let mut rest = expect.ty;
        while types.len() < count {
            if let Some((parameter, result)) = self.split_function(rest) {
                types.push(parameter);
                rest = result;
                continue;
            }
            if types.is_empty() {
                let function = self.any_function(count);
                self.meet(expr, function, expect);
            } else {
                self.too_many_parameters(self.tree.span(expr), count, types.len(), expect);
            }
            types.resize(count, Types::ERROR);
            return (types, Types::ERROR);
        }
        (types, rest)
    }

    fn any_function(&mut self, count: usize) -> TyId {
        let parameters: Vec<TyId> = (0..count).map(|_| self.fresh()).collect();
        let result = self.fresh();
        self.types().funs(&parameters, result)
    }

    #[inline(never)]
    fn conditional(&mut self, branches: List<Branch>, otherwise: ExprId, expect: Expect) {
        let mut expect = expect;
        for branch in self.tree.list(branches) {
            let bool = self.known_type(KnownType::Bool, self.tree.span(branch.condition));
            self.expr(branch.condition, Expect::new(bool, Why::Condition));
            self.expr(branch.then, expect);
            expect = self.like(expect, branch.then);
        }
        self.expr(otherwise, expect);
    }

    /// What is expected of further branches, once one is checked.
    pub(crate) fn like(&self, expect: Expect, first: ExprId) -> Expect {
        match expect.why {
            Why::Open => Expect::new(expect.ty, Why::Like(self.tree.span(first))),
            _ => expect,
        }
    }

    #[inline(never)]
    fn multi_if(&mut self, guarded: List<Guarded>, expect: Expect) {
        self.guarded(guarded, expect);
    }

    #[inline(never)]
    fn case(&mut self, scrutinee: ExprId, alternatives: List<Alternative>, expect: Expect) {
        let ty = self.infer(scrutinee);
        let span = self.tree.span(scrutinee);
        self.alternatives(ty, Why::Scrutinee(span), alternatives, expect);
    }

    #[inline(never)]
    fn lambda_case(&mut self, expr: ExprId, alternatives: List<Alternative>, expect: Expect) {
        let (types, result) = self.split_parameters(expr, 1, expect);
        self.alternatives(types[0], expect.why, alternatives, Expect::new(result, expect.why));
    }

    fn alternatives(&mut self, ty: TyId, why: Why, alternatives: List<Alternative>, expect: Expect) {
        let mut expect = expect;
        for alternative in self.tree.list(alternatives) {
            let errors = self.error_count();
            self.scoped(|this| {
                this.pattern(alternative.pattern, Expect::new(ty, why));
                let expect = this.after_patterns(errors, expect);
                this.rhs(&alternative.rhs, expect);
            });
            if expect.why == Why::Open {
                expect.why = Why::Like(self.span_of(alternative.place));
            }
        }
    }

    /// The expected type after patterns; after an error in them it is open, so that no further error follows.
    pub(crate) fn after_patterns(&self, errors: usize, expect: Expect) -> Expect {
        match self.error_count() > errors {
            true => Expect::new(Types::ERROR, Why::Open),
            false => expect,
        }
    }

    #[inline(never)]
    fn tuple_expr(&mut self, expr: ExprId, parts: &[Option<ExprId>], expect: Expect) {
        if parts.len() > builtin::TUPLE_LIMIT {
            self.tuple_too_large(self.tree.span(expr), parts.len());
            return;
        }
        let types: Vec<TyId> = parts.iter().map(|_| self.fresh()).collect();
        let tuple = self.types().con(builtin::tuple_type(parts.len()));
        let tuple = self.types().apply(tuple, &types);
        let absent: Vec<TyId> =
            parts.iter().zip(&types).filter(|(part, _)| part.is_none()).map(|(_, ty)| *ty).collect();
        let whole = self.types().funs(&absent, tuple);
        let met = self.meet(expr, whole, expect);
        for (part, ty) in parts.iter().zip(types) {
            let Some(part) = *part else { continue };
            let why = if met { expect.why } else { Why::Open };
            self.expr(part, Expect::new(ty, why));
        }
    }

    #[inline(never)]
    fn list(&mut self, expr: ExprId, elements: List<ExprId>, expect: Expect) {
        let element = self.fresh();
        let list = self.list_of(element);
        let met = self.meet(expr, list, expect);
        let mut expected = Expect::new(element, if met { expect.why } else { Why::Open });
        for &element in self.tree.list(elements) {
            self.expr(element, expected);
            expected = self.like(expected, element);
        }
    }

    #[inline(never)]
    fn sequence(&mut self, expr: ExprId, parts: [Option<ExprId>; 3], expect: Expect) {
        let ty = self.number(expr, KnownClass::Enum, Cause::Sequence);
        let list = self.list_of(ty);
        self.meet(expr, list, expect);
        for part in parts.into_iter().flatten() {
            self.expr(part, Expect::new(ty, Why::Sequence));
        }
    }

    #[inline(never)]
    fn comprehension(
        &mut self,
        expr: ExprId,
        body: ExprId,
        qualifiers: List<gadfly_syntax::tree::Stmt>,
        expect: Expect,
    ) {
        let element = self.fresh();
        let list = self.list_of(element);
        self.meet(expr, list, expect);
        self.scoped(|this| {
            this.qualifiers(qualifiers);
            this.expr(body, Expect::new(element, expect.why));
        });
    }

    #[inline(never)]
    fn typed(&mut self, expr: ExprId, inside: ExprId, declared: TypeId, expect: Expect) {
        let scheme = self.signature(declared);
        let span = self.tree.span(declared);
        let why = Why::Signature(span);
        let parts = self.types().scheme(scheme).clone();
        if parts.variables.is_empty() && parts.context.is_empty() {
            self.expr(inside, Expect::new(parts.body, why));
            self.meet(expr, parts.body, expect);
            return;
        }
        let start = self.wanted.len();
        let given = self.given;
        self.level += 1;
        for &variable in &parts.variables {
            let level = self.level;
            self.types().set_skolem_level(variable, level);
        }
        let parameters = self.bind_dictionaries(&parts.context);
        self.give(&parts.context, parameters, None);
        self.expr(inside, Expect::new(parts.body, why));
        self.level -= 1;
        self.given = given;
        self.solve(start);
        let origin = Origin { span, cause: Cause::Signature };
        let (ty, arguments) = self.instantiate(scheme, origin);
        self.notes.exprs[expr.index()] = Note::Typed { parameters, arguments };
        self.meet(expr, ty, expect);
    }

    #[inline(never)]
    fn wildcard(&mut self, expr: ExprId, expect: Expect) {
        let span = self.tree.span(expr);
        if !self.options.curry {
            let shown = self.show_type(expect.ty);
            self.diagnostics.push(
                Diagnostic::error("`_` is a hole, and nothing is known to fill it")
                    .at(span, format!("something of type `{shown}` is needed")),
            );
            return;
        }
        let dictionary = self.free_variable(expect.ty, span);
        self.notes.exprs[expr.index()] = Note::Free(dictionary);
    }

    /// Curry's free variables range over data, if the library has that class.
    pub(crate) fn free_variable(&mut self, ty: TyId, span: Span) -> Option<DictId> {
        self.want_data(ty, Origin { span, cause: Cause::FreeVariable })
    }

    /// Asks for Curry's `Data`, if the library has that class.
    pub(crate) fn want_data(&mut self, ty: TyId, origin: Origin) -> Option<DictId> {
        let class = self.world.program.known.class(KnownClass::Data)?;
        let constraint = self.types().constraint(class, &[ty]);
        Some(self.want(constraint, origin))
    }

    /// Checks code whose patterns may bring types, dictionaries and type variables that are unknown outside.
    pub(crate) fn scoped(&mut self, inside: impl FnOnce(&mut Self)) {
        let (level, given, variables) = (self.level, self.given, self.type_variables.len());
        let (refined, wanted) = (self.refined.len(), self.wanted.len());
        inside(self);
        if self.refined.len() > refined {
            // Constraints that arise here may follow from givens that only exist here.
            self.solve(wanted);
            for skolem in self.refined.split_off(refined) {
                self.types().link_skolem(skolem, None);
            }
        }
        self.level = level;
        self.given = given;
        self.type_variables.truncate(variables);
    }

    /// Makes what an expression is and what is expected of it the same; whether that was possible.
    pub(crate) fn meet(&mut self, expr: ExprId, actual: TyId, expect: Expect) -> bool {
        match self.types().unify(expect.ty, actual) {
            Ok(()) => true,
            Err(clash) => {
                self.mismatch(self.tree.span(expr), Some(expr), actual, expect, clash);
                false
            }
        }
    }

    /// The scheme of a name, if it is not a variable of one type.
    fn scheme_of(
        &mut self,
        entity: crate::interface::Entity,
    ) -> Option<(SchemeId, gadfly_syntax::names::Symbol)> {
        use crate::interface::Entity;
        match entity {
            Entity::Value(value) => {
                let info = &self.world.program.values[value];
                info.declared
                    .then_some((info.scheme, info.name))
                    .or_else(|| self.own_index(value).is_none().then_some((info.scheme, info.name)))
            }
            Entity::Constructor(constructor) => {
                let info = &self.world.program.constructors[constructor];
                Some((info.scheme, info.name))
            }
            Entity::Local(local) => match self.local_types.get(local.index()) {
                Some(&super::LocalType::Poly(scheme)) => Some((scheme, self.notes.locals[local].name)),
                _ => None,
            },
            Entity::Unknown => None,
        }
    }
}
