//! From written types to types: names, kinds (Haskell 2010 §4.6), synonyms, quantification.
//!
//! Kinds are types over `*` and are found by the same unification. A written type is checked and built in one walk.

use gadfly_source::Diagnostic;
use gadfly_syntax::names::{QName, Symbol, known};
use gadfly_syntax::tree::{Associativity, List, NameId, Place, Type, TypeId, TypeItem, TypeVar};
use rustc_hash::FxHashSet;

use crate::builtin::{self, LIST, STAR};
use crate::checker::Checker;
use crate::interface::{ClassId, Entity, TypeConId, TypeConstructor, TypeKind};
use crate::scope::{Found, TypeEntity};
use crate::types::{Constraint, OUTERMOST, Scheme, SchemeId, SkolemId, TyId, Types};

/// A type variable that is known where a type is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypeVariable {
    pub(crate) symbol: Symbol,
    pub(crate) ty: TyId,
    pub(crate) kind: TyId,
}

/// A signature while it is taken apart: `forall` and contexts right of arrows count as if they stood in front.
#[derive(Default)]
struct Parts {
    variables: Vec<SkolemId>,
    context: Vec<Constraint>,
    parameters: Vec<TyId>,
}

impl Checker<'_> {
    pub(crate) fn star(&mut self) -> TyId {
        self.types().con(STAR)
    }

    /// The scheme of a written signature. Variables that are not known yet are quantified.
    pub(crate) fn signature(&mut self, written: TypeId) -> SchemeId {
        let mark = self.type_variables.len();
        let variables = self.quantify_free(&[written]);
        let scheme = self.signature_with(written, variables);
        self.type_variables.truncate(mark);
        scheme
    }

    /// The same; its explicit variables stay known. They are truncated by the caller.
    pub(crate) fn signature_with(&mut self, written: TypeId, variables: Vec<SkolemId>) -> SchemeId {
        let mut parts = Parts { variables, ..Parts::default() };
        let before = std::mem::take(&mut self.broken_context);
        let outside = std::mem::take(&mut self.anonymous);
        let body = self.signature_body(written, &mut parts);
        let body = self.types().funs(&parts.parameters, body);
        parts.variables.append(&mut std::mem::replace(&mut self.anonymous, outside));
        let scheme = self.types().add_scheme(Scheme {
            variables: parts.variables.into(),
            context: parts.context.into(),
            body,
        });
        if std::mem::replace(&mut self.broken_context, before) {
            self.broken_schemes.insert(scheme);
        }
        scheme
    }

    fn signature_body(&mut self, written: TypeId, parts: &mut Parts) -> TyId {
        let mut written = written;
        loop {
            match *self.tree.get(written) {
                Type::Paren(inside) => written = inside,
                Type::Forall(variables, body) => {
                    let variables = self.bind_type_variables(variables);
                    parts.variables.extend(variables);
                    written = body;
                }
                Type::Qualified { context, body } => {
                    let context = self.context(context);
                    parts.context.extend(context);
                    written = body;
                }
                Type::Function(list) => {
                    let Some((&last, parameters)) = self.tree.list(list).split_last() else {
                        return Types::ERROR;
                    };
                    for &parameter in parameters {
                        let parameter = self.convert_type(parameter);
                        parts.parameters.push(parameter);
                    }
                    written = last;
                }
                _ => {
                    let ty = self.convert_type(written);
                    return self.hoist(ty, parts);
                }
            }
        }
    }

    /// Takes apart a type that a synonym stood for, if there is a `forall` right of its arrows.
    fn hoist(&mut self, ty: TyId, parts: &mut Parts) -> TyId {
        let mut parameters = Vec::new();
        let mut end = ty;
        while let crate::types::Ty::Fun(parameter, result) = self.types().view(end) {
            parameters.push(parameter);
            end = result;
        }
        let crate::types::Ty::Forall(scheme) = self.types().view(end) else { return ty };
        parts.parameters.extend(parameters);
        let scheme = self.types().scheme(scheme).clone();
        let (variables, context, body) = self.fresh_skolems(&scheme);
        parts.variables.extend(variables);
        parts.context.extend(context);
        self.hoist(body, parts)
    }

    /// Quantifies the variables of written types that are not known yet, in the order in which they occur.
    pub(crate) fn quantify_free(&mut self, written: &[TypeId]) -> Vec<SkolemId> {
        let mut found = Vec::new();
        for &written in written {
            self.free_variables(written, &mut found);
        }
        found.into_iter().map(|(symbol, place)| self.bind_type_variable(symbol, place, None)).collect()
    }

    /// The variables of a written type that are not known, each once, in the order in which they occur.
    pub(crate) fn free_variables(&self, written: TypeId, found: &mut Vec<(Symbol, Place)>) {
        let mut seen: FxHashSet<Symbol> = found.iter().map(|(symbol, _)| *symbol).collect();
        let mut bound = Vec::new();
        self.free_variables_in(written, &mut bound, &mut seen, found);
    }

    fn free_variables_in(
        &self,
        written: TypeId,
        bound: &mut Vec<Symbol>,
        seen: &mut FxHashSet<Symbol>,
        found: &mut Vec<(Symbol, Place)>,
    ) {
        let tree = self.tree;
        match *tree.get(written) {
            Type::Var(symbol) => {
                let known = bound.contains(&symbol)
                    || self.type_variables.iter().any(|variable| variable.symbol == symbol);
                if !known && seen.insert(symbol) {
                    found.push((symbol, tree.place(written)));
                }
            }
            Type::Apply { function, arguments } => {
                self.free_variables_in(function, bound, seen, found);
                for &argument in tree.list(arguments) {
                    self.free_variables_in(argument, bound, seen, found);
                }
            }
            Type::Function(list) | Type::Tuple(list) => {
                for &part in tree.list(list) {
                    self.free_variables_in(part, bound, seen, found);
                }
            }
            Type::List(inside)
            | Type::Paren(inside)
            | Type::Strict(inside)
            | Type::Lazy(inside)
            | Type::Kinded(inside, _) => {
                self.free_variables_in(inside, bound, seen, found);
            }
            Type::Forall(variables, body) => {
                let mark = bound.len();
                bound.extend(tree.list(variables).iter().map(|variable| variable.symbol));
                self.free_variables_in(body, bound, seen, found);
                bound.truncate(mark);
            }
            Type::Qualified { context, body } => {
                for &constraint in tree.list(context) {
                    self.free_variables_in(constraint, bound, seen, found);
                }
                self.free_variables_in(body, bound, seen, found);
            }
            Type::Infix(items) | Type::Operators(_, items) => {
                for item in tree.list(items) {
                    if let TypeItem::Operand(operand) = *item {
                        self.free_variables_in(operand, bound, seen, found);
                    }
                }
            }
            Type::Missing | Type::Con(_) | Type::Wildcard => {}
        }
    }

    pub(crate) fn bind_type_variables(&mut self, variables: List<TypeVar>) -> Vec<SkolemId> {
        let tree = self.tree;
        let list = tree.list(variables);
        list.iter()
            .map(|variable| self.bind_type_variable(variable.symbol, variable.place, variable.kind))
            .collect()
    }

    /// A new type variable, known until [`Checker::type_variables`] is truncated.
    pub(crate) fn bind_type_variable(
        &mut self,
        symbol: Symbol,
        place: Place,
        kind: Option<TypeId>,
    ) -> SkolemId {
        let kind = match kind {
            Some(kind) => self.kind(kind),
            None => self.types().meta(OUTERMOST),
        };
        let span = self.span_of(place);
        let skolem = self.types().new_skolem(Some(symbol), Some(span), OUTERMOST);
        self.know_type_variable(symbol, skolem, kind);
        skolem
    }

    /// Makes a type variable known under a name.
    pub(crate) fn know_type_variable(&mut self, symbol: Symbol, skolem: SkolemId, kind: TyId) {
        let ty = self.types().skolem_type(skolem);
        self.skolem_kinds.insert(skolem, kind);
        self.type_variables.push(TypeVariable { symbol, ty, kind });
    }

    /// A written kind.
    pub(crate) fn kind(&mut self, written: TypeId) -> TyId {
        match *self.tree.get(written) {
            Type::Paren(inside) => self.kind(inside),
            Type::Function(list) => {
                let Some((&last, parameters)) = self.tree.list(list).split_last() else {
                    return self.star();
                };
                let parameters: Vec<TyId> =
                    parameters.iter().map(|&parameter| self.kind(parameter)).collect();
                let result = self.kind(last);
                self.types().funs(&parameters, result)
            }
            _ => self.star(),
        }
    }

    /// A type of kind `*`.
    pub(crate) fn convert_type(&mut self, written: TypeId) -> TyId {
        let star = self.star();
        self.convert_as(written, star)
    }

    /// A type of a certain kind.
    pub(crate) fn convert_as(&mut self, written: TypeId, kind: TyId) -> TyId {
        let (ty, found) = self.convert(written);
        if self.types().unify(kind, found).is_err() {
            self.kind_mismatch(written, found, kind);
            return Types::ERROR;
        }
        ty
    }

    /// A type and its kind.
    pub(crate) fn convert(&mut self, written: TypeId) -> (TyId, TyId) {
        let star = self.star();
        match *self.tree.get(written) {
            Type::Missing => self.anything(),
            Type::Wildcard if self.open_wildcards => (self.fresh(), self.types().meta(OUTERMOST)),
            Type::Wildcard if self.options.curry => {
                let span = Some(self.tree.span(written));
                let skolem = self.types().new_skolem(None, span, OUTERMOST);
                self.anonymous.push(skolem);
                (self.types().skolem_type(skolem), self.types().meta(OUTERMOST))
            }
            Type::Wildcard => {
                let span = self.tree.span(written);
                self.diagnostics.push(
                    Diagnostic::error("a signature cannot leave parts of a type open")
                        .at(span, "`_` stands for no type")
                        .with_hint("Write the type, or leave the whole signature out."),
                );
                self.anything()
            }
            Type::Paren(inside) | Type::Strict(inside) | Type::Lazy(inside) => self.convert(inside),
            Type::Var(symbol) => self.type_variable(symbol, written),
            Type::Con(name) => self.apply_named(name, written, &[]),
            Type::Kinded(inside, kind) => {
                let kind = self.kind(kind);
                (self.convert_as(inside, kind), kind)
            }
            Type::List(element) => {
                let element = self.convert_type(element);
                let list = self.types().con(LIST);
                (self.types().app(list, element), star)
            }
            Type::Tuple(parts) => (self.tuple(parts, written), star),
            Type::Function(list) => {
                let Some((&last, parameters)) = self.tree.list(list).split_last() else {
                    return self.anything();
                };
                let parameters: Vec<TyId> =
                    parameters.iter().map(|&parameter| self.convert_type(parameter)).collect();
                let result = self.convert_type(last);
                (self.types().funs(&parameters, result), star)
            }
            Type::Apply { function, arguments } => self.application(function, arguments),
            Type::Forall(..) | Type::Qualified { .. } => {
                let mark = self.type_variables.len();
                let scheme = self.signature_with(written, Vec::new());
                self.type_variables.truncate(mark);
                (self.types().forall(scheme), star)
            }
            Type::Operators(associativity, items) => self.type_operators(associativity, items),
            Type::Infix(_) => self.anything(),
        }
    }

    fn anything(&mut self) -> (TyId, TyId) {
        (Types::ERROR, self.types().meta(OUTERMOST))
    }

    fn type_variable(&mut self, symbol: Symbol, written: TypeId) -> (TyId, TyId) {
        if let Some(variable) = self.type_variables.iter().rev().find(|variable| variable.symbol == symbol) {
            return (variable.ty, variable.kind);
        }
        let message = format!("the type variable `{}` is not known here", self.text(symbol));
        let span = self.tree.span(written);
        let hint = "Declare it on the left side, or quantify it with `forall`.";
        self.diagnostics.push(Diagnostic::error(message).at(span, "").with_hint(hint));
        self.anything()
    }

    fn tuple(&mut self, parts: List<TypeId>, written: TypeId) -> TyId {
        let parts: Vec<TyId> = self.tree.list(parts).iter().map(|&part| self.convert_type(part)).collect();
        if parts.len() > builtin::TUPLE_LIMIT {
            let span = self.tree.span(written);
            self.tuple_too_large(span, parts.len());
            return Types::ERROR;
        }
        let tuple = self.types().con(builtin::tuple_type(parts.len()));
        self.types().apply(tuple, &parts)
    }

    fn application(&mut self, function: TypeId, arguments: List<TypeId>) -> (TyId, TyId) {
        let arguments = self.tree.list(arguments);
        let mut head = function;
        while let Type::Paren(inside) = *self.tree.get(head) {
            head = inside;
        }
        if let Type::Con(name) = *self.tree.get(head) {
            return self.apply_named(name, head, arguments);
        }
        let (ty, kind) = self.convert(function);
        self.apply_kinded(ty, kind, function, arguments)
    }

    fn apply_named(&mut self, name: QName, at: TypeId, arguments: &[TypeId]) -> (TyId, TyId) {
        let place = self.tree.place(at);
        let known = builtin::type_named(name, self.interner).or_else(|| self.promoted(name));
        let constructor = match known {
            Some(constructor) => constructor,
            None => match self.lookup_type(name, place) {
                Some(TypeEntity::Type(constructor)) => constructor,
                Some(TypeEntity::Class(_)) => {
                    let message = format!("`{}` is a class, not a type", self.text(name.name));
                    let span = self.span_of(place);
                    let hint = "A class stands left of `=>`: `C a => ...`.";
                    self.diagnostics.push(Diagnostic::error(message).at(span, "").with_hint(hint));
                    return self.anything();
                }
                None => {
                    for &argument in arguments {
                        self.convert(argument);
                    }
                    return self.anything();
                }
            },
        };
        self.apply_constructor(constructor, at, arguments)
    }

    /// A constructor as a type: `'Zero`, or `Zero` if no type is called so. All kinds of such types are `*` here.
    fn promoted(&mut self, name: QName) -> Option<TypeConId> {
        if !self.options.data_kinds {
            return None;
        }
        let text = self.text(name.name);
        let plain = match text.strip_prefix('\'') {
            Some(plain) => self.interner.get(plain)?,
            None if self.scope.type_or_class(name, &self.world.exports) == Found::None => name.name,
            None => return None,
        };
        let name = QName { name: plain, ..name };
        let found = builtin::constructor_named(name, self.interner).map(Found::One);
        let found = found.unwrap_or_else(|| self.scope.value(name, &self.world.exports));
        let Found::One(Entity::Constructor(constructor)) = found else { return None };
        if let Some(&promoted) = self.world.facts.promoted.get(&constructor) {
            return Some(promoted);
        }
        let info = &self.world.program.constructors[constructor];
        let (module, span, arity) = (info.module, info.span, info.fields.len());
        let star = self.star();
        let kind = self.types().funs(&vec![star; arity], star);
        let promoted = self.world.program.type_constructors.push(TypeConstructor {
            name: plain,
            module,
            span,
            parameters: Vec::new(),
            kind,
            meaning: TypeKind::Abstract,
        });
        self.world.facts.promoted.insert(constructor, promoted);
        Some(promoted)
    }

    fn apply_constructor(
        &mut self,
        constructor: TypeConId,
        at: TypeId,
        arguments: &[TypeId],
    ) -> (TyId, TyId) {
        let info = &self.world.program.type_constructors[constructor];
        let kind = info.kind;
        if self.world.facts.constraint_synonyms.contains_key(&constructor) {
            let message = format!("`{}` stands for class constraints, not for a type", self.text(info.name));
            let span = self.tree.span(at);
            let hint = "Constraints stand left of `=>`: `C a => ...`.";
            self.diagnostics.push(Diagnostic::error(message).at(span, "").with_hint(hint));
            return self.anything();
        }
        let TypeKind::Synonym(meaning) = info.meaning else {
            let ty = self.types().con(constructor);
            return self.apply_kinded(ty, kind, at, arguments);
        };
        let parameters = info.parameters.clone();
        if arguments.len() < parameters.len() {
            let message = format!(
                "the type synonym `{}` needs {} here, but has {}",
                self.text(info.name),
                count(parameters.len(), "argument"),
                arguments.len(),
            );
            let span = self.tree.span(at);
            let hint = "A synonym stands for a type only with all its arguments.";
            self.diagnostics.push(Diagnostic::error(message).at(span, "").with_hint(hint));
            return self.anything();
        }
        let (given, rest) = arguments.split_at(parameters.len());
        let mut kind = kind;
        let mut types = Vec::with_capacity(given.len());
        for &argument in given {
            let (parameter, result) = self.split_kind(kind);
            types.push(self.convert_as(argument, parameter));
            kind = result;
        }
        let ty = self.types().substitute(meaning, &parameters, &types);
        self.apply_kinded(ty, kind, at, rest)
    }

    /// A kind as that of a function.
    pub(crate) fn split_kind(&mut self, kind: TyId) -> (TyId, TyId) {
        let types = self.types();
        if let crate::types::Ty::Fun(parameter, result) = types.view(kind) {
            return (parameter, result);
        }
        let (parameter, result) = (types.meta(OUTERMOST), types.meta(OUTERMOST));
        let function = types.fun(parameter, result);
        let _ = types.unify(kind, function);
        (parameter, result)
    }

    fn apply_kinded(&mut self, ty: TyId, kind: TyId, at: TypeId, arguments: &[TypeId]) -> (TyId, TyId) {
        let (mut ty, mut kind) = (ty, kind);
        for (number, &argument) in arguments.iter().enumerate() {
            let (parameter, result) = {
                let types = self.types();
                match types.view(kind) {
                    crate::types::Ty::Fun(parameter, result) => (parameter, result),
                    crate::types::Ty::Meta(_) => {
                        let (parameter, result) = (types.meta(OUTERMOST), types.meta(OUTERMOST));
                        let function = types.fun(parameter, result);
                        let _ = types.unify(kind, function);
                        (parameter, result)
                    }
                    crate::types::Ty::Error => return self.anything(),
                    _ => {
                        self.too_many_type_arguments(at, number, arguments.len());
                        return self.anything();
                    }
                }
            };
            let argument = self.convert_as(argument, parameter);
            ty = self.types().app(ty, argument);
            kind = result;
        }
        (ty, kind)
    }

    fn type_operators(&mut self, associativity: Associativity, items: List<TypeItem>) -> (TyId, TyId) {
        let items = self.tree.list(items);
        let mut operands = Vec::new();
        let mut operators: Vec<NameId> = Vec::new();
        for item in items {
            match *item {
                TypeItem::Operand(operand) => operands.push(self.convert(operand)),
                TypeItem::Operator(operator) => operators.push(operator),
            }
        }
        let right = associativity == Associativity::Right;
        if right {
            operands.reverse();
            operators.reverse();
        }
        let mut operands = operands.into_iter();
        let Some(mut result) = operands.next() else { return self.anything() };
        for (operand, operator) in operands.zip(operators) {
            let (left, other) = if right { (operand, result) } else { (result, operand) };
            result = self.type_operator(operator, left, other);
        }
        result
    }

    fn type_operator(&mut self, operator: NameId, left: (TyId, TyId), right: (TyId, TyId)) -> (TyId, TyId) {
        let used = self.tree.name(operator);
        let builtin = builtin::type_named(used.name, self.interner);
        let found = builtin.map(TypeEntity::Type).or_else(|| {
            if used.name.name == known::TILDE {
                self.unsupported_equality(used.place);
                return None;
            }
            self.lookup_type(used.name, used.place)
        });
        let Some(TypeEntity::Type(constructor)) = found else { return self.anything() };
        let info = &self.world.program.type_constructors[constructor];
        let (mut kind, meaning, parameters) = (info.kind, info.meaning.clone(), info.parameters.clone());
        for (_, argument_kind) in [left, right] {
            let (parameter, result) = self.split_kind(kind);
            if self.types().unify(parameter, argument_kind).is_err() {
                let message = format!("an operand of `{}` has the wrong kind", self.text(used.name.name));
                let note = format!(
                    "expected kind: {}\n   found kind: {}",
                    self.show_type(parameter),
                    self.show_type(argument_kind)
                );
                let span = self.span_of(used.place);
                self.diagnostics.push(Diagnostic::error(message).at(span, "").with_note(note));
                return self.anything();
            }
            kind = result;
        }
        let ty = match meaning {
            TypeKind::Synonym(meaning) if parameters.len() == 2 => {
                self.types().substitute(meaning, &parameters, &[left.0, right.0])
            }
            _ => {
                let head = self.types().con(constructor);
                self.types().apply(head, &[left.0, right.0])
            }
        };
        (ty, kind)
    }

    pub(crate) fn unsupported_equality(&mut self, place: Place) {
        let span = self.span_of(place);
        self.diagnostics.push(
            Diagnostic::error("equality constraints between types are not supported")
                .at(span, "")
                .with_hint("Write the same type in both places."),
        );
    }

    fn kind_mismatch(&mut self, written: TypeId, found: TyId, expected: TyId) {
        let span = self.tree.span(written);
        let (missing, expected_text, found_text) =
            (self.missing_arguments(found, expected), self.show_type(expected), self.show_type(found));
        let diagnostic = match missing {
            Some(missing) => {
                Diagnostic::error(format!("this type needs {} more", count(missing, "argument")))
                    .at(span, format!("of kind `{found_text}`, where `{expected_text}` is needed"))
            }
            None => Diagnostic::error("this type has the wrong kind")
                .at(span, format!("of kind `{found_text}`, where `{expected_text}` is needed")),
        };
        self.diagnostics.push(diagnostic);
    }

    /// How many arguments a type of one kind needs to be of another.
    fn missing_arguments(&mut self, found: TyId, expected: TyId) -> Option<usize> {
        let types = self.types();
        let mut found = found;
        let mut missing = 0;
        loop {
            if missing > 0 && types.same(found, expected) {
                return Some(missing);
            }
            match types.view(found) {
                crate::types::Ty::Fun(_, result) => {
                    missing += 1;
                    found = result;
                }
                _ => return None,
            }
        }
    }

    fn too_many_type_arguments(&mut self, at: TypeId, takes: usize, given: usize) {
        let span = self.tree.span(at);
        let message = match takes {
            0 => format!("this type takes no arguments, but is applied to {given}"),
            _ => format!("this type takes {}, not {given}", count(takes, "argument")),
        };
        self.diagnostics.push(Diagnostic::error(message).at(span, ""));
    }

    pub(crate) fn tuple_too_large(&mut self, span: gadfly_source::Span, size: usize) {
        let limit = builtin::TUPLE_LIMIT;
        self.diagnostics.push(
            Diagnostic::error(format!("a tuple of {size} components; the largest has {limit}"))
                .at(span, "")
                .with_hint("Nest tuples, or declare a data type."),
        );
    }

    pub(crate) fn class_arity(
        &mut self,
        class: ClassId,
        span: gadfly_source::Span,
        takes: usize,
        given: usize,
    ) {
        let name = self.text(self.world.program.classes[class].name).to_owned();
        let message = format!("the class `{name}` takes {}, not {given}", count(takes, "argument"));
        self.diagnostics.push(Diagnostic::error(message).at(span, ""));
    }
}

/// `1 argument`, `2 arguments`.
pub(crate) fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
