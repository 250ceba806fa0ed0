//! Patterns.

use gadfly_source::Span;
use gadfly_syntax::tree::{Associativity, FieldPattern, List, Literal, NameId, Pat, PatId, PatItem, TypeId};

use super::{Cause, Expect, LocalType, Origin, Site, Why};
use crate::builtin;
use crate::checker::Checker;
use crate::convert::TypeVariable;
use crate::interface::{ConstructorId, Entity, LocalId, NameNote, Overloading, PatNote, Use, ValueKind};
use crate::known::{KnownClass, KnownType};
use crate::types::{Constraint, MetaId, Scheme, SkolemId, Ty, TyId, Types};

impl Checker<'_> {
    /// Checks a pattern against the type of what it is matched with, and types its variables.
    pub(crate) fn pattern(&mut self, pattern: PatId, expect: Expect) {
        let tree = self.tree;
        match *tree.get(pattern) {
            Pat::Missing | Pat::Wildcard | Pat::Infix(_) => {}
            Pat::Var(_) => self.variable_pattern(pattern, expect),
            Pat::As(_, inside) => {
                self.variable_pattern(pattern, expect);
                self.pattern(inside, expect);
            }
            Pat::Literal { literal, .. } => self.literal_pattern(pattern, literal, expect),
            Pat::Paren(inside) | Pat::Lazy(inside) | Pat::Bang(inside) => self.pattern(inside, expect),
            Pat::Tuple(parts) => self.tuple_pattern(pattern, parts, expect),
            Pat::List(parts) => {
                let element = self.fresh();
                let list = self.list_of(element);
                self.meet_pattern(pattern, list, expect);
                for &part in tree.list(parts) {
                    self.pattern(part, Expect::new(element, expect.why));
                }
            }
            Pat::Apply { head, arguments } => {
                let arguments = tree.list(arguments);
                self.constructor_pattern(pattern, head, arguments, expect);
            }
            Pat::Operators(associativity, items) => {
                self.operator_pattern(pattern, associativity, items, expect)
            }
            Pat::Record { head, fields, .. } => self.record_pattern(pattern, head, fields, expect),
            Pat::Typed(inside, declared) => self.typed_pattern(pattern, inside, declared, expect),
            Pat::View(function, inside) => {
                let result = self.fresh();
                let ty = self.types().fun(expect.ty, result);
                self.expr(function, Expect::new(ty, Why::View));
                self.pattern(inside, Expect::new(result, Why::Scrutinee(tree.span(function))));
            }
        }
    }

    fn variable_pattern(&mut self, pattern: PatId, expect: Expect) {
        match self.notes.pat(pattern) {
            PatNote::Local(local) => self.bind_local(pattern, local, expect),
            PatNote::Value(value) => {
                if let Some(row) = self.own_index(value)
                    && let Some(&(LocalType::Group(ty) | LocalType::Mono(ty))) = self.value_types.get(row)
                {
                    self.meet_pattern(pattern, ty, expect);
                }
            }
            PatNote::Constructor(constructor) => {
                let scheme = self.world.program.constructors[constructor].scheme;
                let name = self.world.program.constructors[constructor].name;
                let origin = Origin { span: self.tree.span(pattern), cause: Cause::Use(name) };
                let (ty, _) = self.instantiate(scheme, origin);
                self.meet_pattern(pattern, ty, expect);
            }
            PatNote::None | PatNote::Literal { .. } => {}
        }
    }

    fn bind_local(&mut self, pattern: PatId, local: LocalId, expect: Expect) {
        match self.local_type(local) {
            LocalType::Group(ty) => {
                self.meet_pattern(pattern, ty, expect);
            }
            // The variable's second occurrence on the left side demands equal values, which only data can be.
            LocalType::Mono(ty) => {
                if self.meet_pattern(pattern, ty, expect) && self.options.curry {
                    let cause = Cause::TwiceBound(self.notes.locals[local].name);
                    self.want_data(ty, Origin { span: self.tree.span(pattern), cause });
                }
            }
            _ => self.set_local(local, LocalType::Mono(expect.ty)),
        }
    }

    pub(crate) fn local_type(&self, local: LocalId) -> LocalType {
        self.local_types.get(local.index()).copied().unwrap_or(LocalType::Unset)
    }

    pub(crate) fn set_local(&mut self, local: LocalId, ty: LocalType) {
        if self.local_types.len() <= local.index() {
            self.local_types.resize(self.notes.locals.len(), LocalType::Unset);
        }
        self.local_types[local.index()] = ty;
    }

    #[inline(never)]
    fn literal_pattern(&mut self, pattern: PatId, literal: Literal, expect: Expect) {
        let span = self.tree.span(pattern);
        let (class, whole) = match literal {
            Literal::Char(_) => {
                let char = self.known_type(KnownType::Char, span);
                self.meet_pattern(pattern, char, expect);
                return;
            }
            Literal::String(_) if self.overloads_string(expect.ty) => (KnownClass::IsString, KnownType::Char),
            Literal::String(_) => {
                let char = self.known_type(KnownType::Char, span);
                let string = self.list_of(char);
                self.meet_pattern(pattern, string, expect);
                return;
            }
            Literal::Integer(_) | Literal::LargeInteger(_) => (KnownClass::Num, KnownType::Int),
            Literal::Fractional(_) => (KnownClass::Fractional, KnownType::Float),
        };
        let origin = Origin { span, cause: Cause::NumberPattern };
        // In Curry, numbers in patterns are constructors of one type; in functional patterns they are expressions.
        let at = match self.options.curry && !self.in_functional_pattern {
            true => self.known_type(whole, span),
            false => self.fresh(),
        };
        let equality = (!self.options.curry).then(|| self.want_known(KnownClass::Eq, at, origin));
        let dictionary = self.want_known(class, at, origin);
        let number = Overloading { dictionary, at, constructor: None };
        self.notes.pats[pattern.index()] = PatNote::Literal { equality, number };
        self.meet_pattern(pattern, at, expect);
    }

    #[inline(never)]
    fn tuple_pattern(&mut self, pattern: PatId, parts: List<PatId>, expect: Expect) {
        let parts = self.tree.list(parts);
        if parts.len() > builtin::TUPLE_LIMIT {
            self.tuple_too_large(self.tree.span(pattern), parts.len());
            return;
        }
        let types: Vec<TyId> = parts.iter().map(|_| self.fresh()).collect();
        let tuple = self.types().con(builtin::tuple_type(parts.len()));
        let tuple = self.types().apply(tuple, &types);
        self.meet_pattern(pattern, tuple, expect);
        for (&part, ty) in parts.iter().zip(types) {
            self.pattern(part, Expect::new(ty, expect.why));
        }
    }

    #[inline(never)]
    fn constructor_pattern(&mut self, pattern: PatId, head: NameId, arguments: &[PatId], expect: Expect) {
        let span = self.tree.span(pattern);
        let types = match self.notes.name(head) {
            NameNote::Constructor(constructor, _) => {
                let (fields, result) = self.open_constructor(constructor, head, span);
                self.meet_constructor(constructor, pattern, result, expect);
                if fields.len() != arguments.len() {
                    self.constructor_arity(span, constructor, arguments.len());
                }
                fields
            }
            NameNote::Function(used) => {
                let ty = self.function_pattern(head, used);
                self.functional_pattern(pattern, expect);
                self.split_pattern(pattern, ty, arguments.len(), expect)
            }
            _ => Vec::new(),
        };
        let inside = matches!(self.notes.name(head), NameNote::Function(_)) || self.in_functional_pattern;
        let outside = std::mem::replace(&mut self.in_functional_pattern, inside);
        let types = types.into_iter().map(Some).chain(std::iter::repeat(None));
        for (&argument, ty) in arguments.iter().zip(types) {
            let ty = ty.unwrap_or(Types::ERROR);
            self.pattern(argument, Expect::new(ty, Why::Open));
        }
        self.in_functional_pattern = outside;
    }

    /// The value that a functional pattern matches is unified with the function's result, so it must be data.
    /// For a nested functional pattern that follows from the outer one.
    fn functional_pattern(&mut self, pattern: PatId, expect: Expect) {
        if !self.in_functional_pattern {
            let origin = Origin { span: self.tree.span(pattern), cause: Cause::FunctionalPattern };
            self.want_data(expect.ty, origin);
        }
    }

    /// The type of a function in a functional pattern.
    fn function_pattern(&mut self, head: NameId, used: Use) -> TyId {
        let span = self.span_of(self.tree.name(head).place);
        self.use_entity(used.entity, Site::Head(head), span)
    }

    fn split_pattern(&mut self, pattern: PatId, ty: TyId, count: usize, expect: Expect) -> Vec<TyId> {
        let mut types = Vec::new();
        let mut rest = ty;
        while types.len() < count {
            let Some((parameter, result)) = self.split_function(rest) else {
                self.too_many_parameters(
                    self.tree.span(pattern),
                    count,
                    types.len(),
                    Expect::new(ty, Why::Open),
                );
                return types;
            };
            types.push(parameter);
            rest = result;
        }
        self.meet_pattern(pattern, rest, expect);
        types
    }

    /// The fields and the result of a constructor in a pattern. Its existential variables become new type variables,
    /// and the dictionaries it stores are known from here on.
    pub(crate) fn open_constructor(
        &mut self,
        constructor: ConstructorId,
        head: NameId,
        span: Span,
    ) -> (Vec<TyId>, TyId) {
        let info = &self.world.program.constructors[constructor];
        let (scheme, exists, arity) = (info.scheme, info.exists.clone(), info.fields.len());
        let Scheme { variables, context, body } = self.types().scheme(scheme).clone();
        // Metas first: they must not belong to the level of the new variables.
        let metas: Vec<(SkolemId, TyId)> = variables
            .iter()
            .filter(|variable| !exists.contains(variable))
            .map(|&variable| (variable, self.fresh()))
            .collect();
        if !exists.is_empty() {
            self.level += 1;
        }
        let level = self.level;
        let mut with = metas;
        for &variable in &exists {
            let name = self.types().skolem(variable).name;
            let skolem = self.types().new_skolem(name, Some(span), level);
            let ty = self.types().skolem_type(skolem);
            with.push((variable, ty));
        }
        let name = self.world.program.constructors[constructor].name;
        self.want_demands(constructor, &with, Origin { span, cause: Cause::Use(name) });
        self.types().replacing(with);
        let body = self.types().replace(body);
        if !context.is_empty() {
            let context: Vec<Constraint> =
                context.iter().map(|&constraint| self.types().replace_constraint(constraint)).collect();
            let dictionaries = self.bind_dictionaries(&context);
            self.give(&context, dictionaries, None);
            self.notes.names.insert(head, NameNote::Constructor(constructor, dictionaries));
        }
        let mut fields = Vec::with_capacity(arity);
        let mut rest = body;
        while fields.len() < arity
            && let Ty::Fun(field, result) = self.types().view(rest)
        {
            fields.push(field);
            rest = result;
        }
        (fields, rest)
    }

    /// `p : q : r`, however long.
    #[inline(never)]
    fn operator_pattern(
        &mut self,
        pattern: PatId,
        associativity: Associativity,
        items: List<PatItem>,
        expect: Expect,
    ) {
        let items = self.tree.list(items);
        let operand = |item: &PatItem| match *item {
            PatItem::Operand(operand) => Some(operand),
            PatItem::Operator(_) => None,
        };
        let operators: Vec<NameId> = items
            .iter()
            .filter_map(|item| match *item {
                PatItem::Operator(operator) => Some(operator),
                PatItem::Operand(_) => None,
            })
            .collect();
        let operands: Vec<PatId> = items.iter().filter_map(operand).collect();
        let functional =
            operators.iter().any(|&operator| matches!(self.notes.name(operator), NameNote::Function(_)));
        if functional {
            self.functional_pattern(pattern, expect);
        }
        let right = associativity == Associativity::Right;
        let mut types = vec![Types::ERROR; operands.len()];
        let mut expected = expect;
        let order: Vec<usize> = match right {
            true => (0..operators.len()).collect(),
            false => (0..operators.len()).rev().collect(),
        };
        for at in order {
            let (left, other) = self.pattern_operator(pattern, operators[at], expected);
            let (own, next) = if right { (left, other) } else { (other, left) };
            types[if right { at } else { at + 1 }] = own;
            expected = Expect::new(next, expect.why);
        }
        if let Some(last) = if right { types.last_mut() } else { types.first_mut() } {
            *last = expected.ty;
        }
        let inside = functional || self.in_functional_pattern;
        let outside = std::mem::replace(&mut self.in_functional_pattern, inside);
        for (operand, ty) in operands.into_iter().zip(types) {
            self.pattern(operand, Expect::new(ty, expect.why));
        }
        self.in_functional_pattern = outside;
    }

    /// The types of the two operands.
    fn pattern_operator(&mut self, pattern: PatId, operator: NameId, expect: Expect) -> (TyId, TyId) {
        let span = self.tree.span(pattern);
        let types = match self.notes.name(operator) {
            NameNote::Constructor(constructor, _) => {
                let (fields, result) = self.open_constructor(constructor, operator, span);
                self.meet_constructor(constructor, pattern, result, expect);
                if fields.len() != 2 {
                    self.constructor_arity(span, constructor, 2);
                }
                fields
            }
            NameNote::Function(used) => {
                let ty = self.function_pattern(operator, used);
                self.split_pattern(pattern, ty, 2, expect)
            }
            _ => Vec::new(),
        };
        match types[..] {
            [left, right] => (left, right),
            _ => (Types::ERROR, Types::ERROR),
        }
    }

    #[inline(never)]
    fn record_pattern(&mut self, pattern: PatId, head: NameId, fields: List<FieldPattern>, expect: Expect) {
        let NameNote::Constructor(constructor, _) = self.notes.name(head) else { return };
        let span = self.tree.span(pattern);
        let (types, result) = self.open_constructor(constructor, head, span);
        self.meet_constructor(constructor, pattern, result, expect);
        for field in self.tree.list(fields) {
            let NameNote::Field { selector, pun } = self.notes.name(field.field) else { continue };
            let ty = match self.field_number(constructor, selector) {
                Some(number) => types.get(number).copied().unwrap_or(Types::ERROR),
                None => {
                    self.no_such_field(field.field, constructor);
                    Types::ERROR
                }
            };
            match (field.pattern, pun) {
                (Some(inside), _) => self.pattern(inside, Expect::new(ty, Why::Field(field.field))),
                (None, Some(Use { entity: Entity::Local(local), .. })) => {
                    self.bind_local(pattern, local, Expect::new(ty, Why::Field(field.field)));
                }
                _ => {}
            }
        }
        for (number, local) in self.notes.pat_rest(pattern).to_vec() {
            let ty = types.get(number as usize).copied().unwrap_or(Types::ERROR);
            self.bind_local(pattern, local, Expect::new(ty, expect.why));
        }
    }

    /// Where a constructor has a field.
    pub(crate) fn field_number(
        &self,
        constructor: ConstructorId,
        selector: crate::interface::ValueId,
    ) -> Option<usize> {
        let ValueKind::Field { positions, .. } = &self.world.program.values[selector].kind else {
            return None;
        };
        positions.iter().find(|(of, _)| *of == constructor).map(|(_, number)| *number as usize)
    }

    /// `p :: t`. Type variables that are not known yet stand for what they turn out to be.
    #[inline(never)]
    fn typed_pattern(&mut self, pattern: PatId, inside: PatId, declared: TypeId, expect: Expect) {
        let mut free = Vec::new();
        self.free_variables(declared, &mut free);
        for (symbol, _) in free {
            let (ty, kind) = (self.fresh(), self.fresh());
            self.type_variables.push(TypeVariable { symbol, ty, kind });
        }
        let ty = self.convert_type(declared);
        self.meet_pattern(pattern, ty, expect);
        self.pattern(inside, Expect::new(ty, Why::Signature(self.tree.span(declared))));
    }

    /// The same as [`Checker::meet_pattern`] for a constructor. If its result type is special, the match says what type
    /// variables stand for, as far as the scope goes; metas that are still open there become new type
    /// variables.
    fn meet_constructor(&mut self, constructor: ConstructorId, pattern: PatId, result: TyId, expect: Expect) {
        if !self.world.program.constructors[constructor].refines {
            self.meet_pattern(pattern, result, expect);
            return;
        }
        let expect = Expect::new(self.open(expect.ty), expect.why);
        let mut refined = std::mem::take(&mut self.refined);
        let before = refined.len();
        let outcome = self.types().refine(expect.ty, result, &mut refined);
        let new: Vec<TyId> =
            refined[before..].iter().map(|&skolem| self.types().skolem_type(skolem)).collect();
        self.refined = refined;
        if let Err(clash) = outcome {
            self.pattern_mismatch(self.tree.span(pattern), result, expect, clash);
            return;
        }
        let own = self.types().metas_of(&[result]);
        let open: Vec<MetaId> =
            self.types().metas_of(&new).into_iter().filter(|meta| own.contains(meta)).collect();
        if open.is_empty() {
            return;
        }
        self.level += 1;
        let (level, span) = (self.level, self.tree.span(pattern));
        for meta in open {
            let skolem = self.types().new_skolem(None, Some(span), level);
            let ty = self.types().skolem_type(skolem);
            self.types().link(meta, ty);
        }
    }

    fn meet_pattern(&mut self, pattern: PatId, actual: TyId, expect: Expect) -> bool {
        let polymorphic = matches!(self.types().view(actual), Ty::Forall(_));
        let expect = if polymorphic { expect } else { Expect::new(self.open(expect.ty), expect.why) };
        match self.types().unify(expect.ty, actual) {
            Ok(()) => true,
            Err(clash) => {
                self.pattern_mismatch(self.tree.span(pattern), actual, expect, clash);
                false
            }
        }
    }
}
