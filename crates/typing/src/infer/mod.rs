//! Type inference: Hindley–Milner with classes, in checking mode.
//!
//! Every expression is checked against the type that its surroundings expect (at first perhaps a fresh meta), so that
//! annotations reach lambdas and polymorphic arguments, and an error can say where both types came from. Class
//! constraints become [`Wanted`]s, each with a dictionary that `solve` fills in; a wanted remembers which [`Givens`]
//! surround it, so it can wait until its types are known. Bindings are generalised by levels (`binding.rs`).

mod apply;
mod binding;
mod body;
mod expr;
mod generalise;
mod pattern;
mod record;

use gadfly_source::Span;
use gadfly_syntax::names::Symbol;
use gadfly_syntax::tree::{ExprId, NameId};

use crate::checker::Checker;
use crate::interface::{
    ClassId, ConstructorId, DictId, DictVars, Dictionary, DictionaryVariable, Dicts, Entity, NameNote, Note,
    TypeConId, ValueId, ValueKind,
};
use crate::known::{KnownClass, KnownType};
use crate::types::{Constraint, Scheme, SchemeId, SkolemId, Ty, TyId, Types};

gadfly_source::ids! {
    /// A row of the table of [`Givens`].
    GivenId,
}

/// The type of a variable while its scope is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LocalType {
    /// Not typed yet, or a value with a scheme.
    Unset,
    /// Bound by a pattern.
    Mono(TyId),
    /// Bound in the group that is being inferred.
    Group(TyId),
    /// Bound and generalised, or declared.
    Poly(SchemeId),
}

/// A dictionary that must be found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) constraint: Constraint,
    pub(crate) dictionary: DictId,
    /// The givens where it is wanted.
    pub(crate) given: GivenId,
    pub(crate) origin: Origin,
    /// How many instances led to it.
    pub(crate) depth: u32,
}

/// Why a dictionary is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) span: Span,
    pub(crate) cause: Cause,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause {
    Use(Symbol),
    Number,
    Text,
    Negation,
    Sequence,
    Block,
    FailingPattern,
    NumberPattern,
    Superclass(ClassId),
    Field(ClassId),
    /// The type after `via`, or inside a newtype.
    Via(ClassId),
    FreeVariable,
    /// A variable that stands twice on the left side of a Curry rule.
    TwiceBound(Symbol),
    FunctionalPattern,
    Signature,
}

/// The dictionaries that are known inside a binding, an instance or a pattern's scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Givens {
    pub(crate) parent: Option<GivenId>,
    /// With all superclasses.
    pub(crate) known: Vec<(Constraint, DictId)>,
    /// The signature they come from, with the name of what it declares.
    pub(crate) signature: Option<(Symbol, Span)>,
    /// The instance whose context they are.
    pub(crate) instance: Option<crate::interface::InstanceId>,
    /// Whether some are lacking because of an error.
    pub(crate) broken: bool,
}

/// What is expected of an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expect {
    pub(crate) ty: TyId,
    pub(crate) why: Why,
}

/// Where an expected type comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// From nowhere yet.
    Open,
    /// From a signature or annotation.
    Signature(Span),
    /// It is an argument of this function, from 1.
    Argument(ExprId, u32),
    /// It is an operand of this operator.
    Operand(ExprId),
    Condition,
    Guard,
    /// Other branches, alternatives or elements have this type; this is the first.
    Like(Span),
    /// It is matched by the patterns there.
    Matched(Span),
    /// The scrutinee of a match, which is there.
    Scrutinee(Span),
    /// It is a statement of this block.
    Statement(Span),
    /// It is the value of a field.
    Field(NameId),
    /// The method of an instance.
    Method(Symbol),
    /// The other equations, or the uses, of the same binding.
    Binding(Span),
    /// It is the function of a view pattern.
    View,
    Sequence,
}

/// Where the use of a name is noted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Site {
    Expr(ExprId),
    Head(NameId),
    Pun(NameId),
    Rest(ExprId, u32),
}

impl Expect {
    pub(crate) fn new(ty: TyId, why: Why) -> Expect {
        Expect { ty, why }
    }
}

impl Checker<'_> {
    pub(crate) fn fresh(&mut self) -> TyId {
        let level = self.level;
        self.types().meta(level)
    }

    /// A scheme with fresh metas in place of its variables; its context becomes wanted.
    pub(crate) fn instantiate(&mut self, scheme: SchemeId, origin: Origin) -> (TyId, Dicts) {
        let level = self.level;
        let types = &mut self.world.program.types;
        let count = types.scheme(scheme).variables.len();
        if count == 0 && types.scheme(scheme).context.is_empty() {
            return (types.scheme(scheme).body, Dicts::EMPTY);
        }
        let metas: Vec<TyId> = (0..count).map(|_| types.meta(level)).collect();
        self.instantiate_with(scheme, &metas, origin)
    }

    pub(crate) fn instantiate_with(
        &mut self,
        scheme: SchemeId,
        with: &[TyId],
        origin: Origin,
    ) -> (TyId, Dicts) {
        let types = &mut self.world.program.types;
        let Scheme { variables, context, body } = types.scheme(scheme);
        let (body, contexts) = (*body, context.len());
        let pairs: Vec<(SkolemId, TyId)> = variables.iter().copied().zip(with.iter().copied()).collect();
        types.replacing(pairs);
        let body = types.replace(body);
        if contexts == 0 {
            return (body, Dicts::EMPTY);
        }
        let constraints: Vec<Constraint> = (0..contexts)
            .map(|index| {
                let constraint = types.scheme(scheme).context[index];
                types.replace_constraint(constraint)
            })
            .collect();
        let dictionaries: Vec<DictId> =
            constraints.into_iter().map(|constraint| self.want(constraint, origin)).collect();
        (body, self.dicts(&dictionaries))
    }

    /// A scheme's parts with fresh type variables of the current level.
    pub(crate) fn fresh_skolems(&mut self, scheme: &Scheme) -> (Vec<SkolemId>, Vec<Constraint>, TyId) {
        let level = self.level;
        let types = self.types();
        let fresh: Vec<SkolemId> = scheme
            .variables
            .iter()
            .map(|&variable| {
                let old = *types.skolem(variable);
                types.new_skolem(old.name, old.span, level)
            })
            .collect();
        let with: Vec<(SkolemId, TyId)> = scheme
            .variables
            .iter()
            .copied()
            .zip(fresh.iter().map(|&skolem| types.skolem_type(skolem)))
            .collect();
        types.replacing(with);
        let body = types.replace(scheme.body);
        let context = scheme.context.iter().map(|&constraint| types.replace_constraint(constraint)).collect();
        (fresh, context, body)
    }

    /// Asks for a dictionary.
    pub(crate) fn want(&mut self, constraint: Constraint, origin: Origin) -> DictId {
        let dictionary = self.notes.dictionaries.push(Dictionary::Missing);
        self.wanted.push(Wanted { constraint, dictionary, given: self.given, origin, depth: 0 });
        dictionary
    }

    /// Asks for the dictionary of a class that the language needs. Reports a library that lacks the class.
    pub(crate) fn want_known(&mut self, class: KnownClass, ty: TyId, origin: Origin) -> DictId {
        match self.world.program.known.class(class) {
            Some(class) => {
                let constraint = self.types().constraint(class, &[ty]);
                self.want(constraint, origin)
            }
            None => {
                self.missing_library(class.name(), origin.span);
                self.notes.dictionaries.push(Dictionary::Missing)
            }
        }
    }

    pub(crate) fn known_type(&mut self, known: KnownType, span: Span) -> TyId {
        match self.world.program.known.type_constructor(known) {
            Some(constructor) => self.types().con(constructor),
            None => {
                self.missing_library(known.name(), span);
                Types::ERROR
            }
        }
    }

    pub(crate) fn dicts(&mut self, list: &[DictId]) -> Dicts {
        let start = self.notes.dict_lists.len() as u32;
        self.notes.dict_lists.extend_from_slice(list);
        Dicts { start, length: list.len() as u32 }
    }

    /// New dictionary variables for a context, and what is known by them.
    pub(crate) fn bind_dictionaries(&mut self, context: &[Constraint]) -> DictVars {
        let start = self.notes.dictionary_variables.len() as u32;
        for &constraint in context {
            self.notes.dictionary_variables.push(DictionaryVariable { constraint });
        }
        DictVars { start, length: context.len() as u32 }
    }

    /// Makes dictionaries known from here on, until [`Checker::given`] is put back.
    pub(crate) fn give(
        &mut self,
        context: &[Constraint],
        variables: DictVars,
        signature: Option<(Symbol, Span)>,
    ) {
        let parent = Some(self.given);
        let mut known = Vec::new();
        for (&constraint, variable) in context.iter().zip(variables.iter()) {
            let dictionary = self.notes.dictionaries.push(Dictionary::Variable(variable));
            self.with_superclasses(constraint, dictionary, &mut known);
        }
        self.given = self.givens.push(Givens { parent, known, signature, ..Givens::default() });
    }

    /// A constraint and everything that follows from it by superclasses.
    pub(crate) fn with_superclasses(
        &mut self,
        constraint: Constraint,
        dictionary: DictId,
        known: &mut Vec<(Constraint, DictId)>,
    ) {
        let mut next = known.len();
        known.push((constraint, dictionary));
        while next < known.len() && known.len() < 10_000 {
            let (constraint, dictionary) = known[next];
            next += 1;
            let class = &self.world.program.classes[constraint.class];
            if class.superclasses.is_empty() {
                continue;
            }
            let (parameters, superclasses) = (class.parameters.clone(), class.superclasses.clone());
            let types = &mut self.world.program.types;
            let arguments = types.list(constraint.arguments).to_vec();
            for (index, superclass) in superclasses.into_iter().enumerate() {
                types.replacing(parameters.iter().copied().zip(arguments.iter().copied()));
                let superclass = types.replace_constraint(superclass);
                let dictionary =
                    self.notes.dictionaries.push(Dictionary::Superclass(dictionary, index as u32));
                known.push((superclass, dictionary));
            }
        }
    }

    /// The type of a use of a name, and its dictionaries in the notes.
    pub(crate) fn use_entity(&mut self, entity: Entity, site: Site, span: Span) -> TyId {
        let (scheme, name) = match entity {
            Entity::Unknown => {
                self.unknown_uses += 1;
                return Types::ERROR;
            }
            Entity::Local(local) => {
                let name = self.notes.locals[local].name;
                let known = self.local_types.get(local.index());
                match known.copied().unwrap_or(LocalType::Unset) {
                    LocalType::Unset => return Types::ERROR,
                    LocalType::Mono(ty) => match self.types().view(ty) {
                        Ty::Forall(scheme) => (scheme, name),
                        _ => return ty,
                    },
                    LocalType::Group(ty) => {
                        self.group_uses.push((site, entity));
                        return ty;
                    }
                    LocalType::Poly(scheme) => (scheme, name),
                }
            }
            Entity::Value(value) => {
                let info = &self.world.program.values[value];
                let (scheme, name) = (info.scheme, info.name);
                if !info.has_type() {
                    self.existential_field(value, span);
                    return Types::ERROR;
                }
                let own = self.own_index(value).and_then(|row| self.value_types.get(row).copied());
                match own.unwrap_or(LocalType::Unset) {
                    LocalType::Group(ty) => {
                        self.group_uses.push((site, entity));
                        return ty;
                    }
                    LocalType::Mono(ty) => return ty,
                    LocalType::Unset | LocalType::Poly(_) => (scheme, name),
                }
            }
            Entity::Constructor(constructor) => {
                let info = &self.world.program.constructors[constructor];
                (info.scheme, info.name)
            }
        };
        let types = &self.world.program.types;
        if types.has_error(types.scheme(scheme).body) {
            self.unknown_uses += 1;
        }
        let origin = Origin { span, cause: Cause::Use(name) };
        let (ty, dictionaries) = self.instantiate_entity(entity, scheme, &[], origin);
        if !dictionaries.is_empty() {
            self.note_dictionaries(site, dictionaries);
        }
        ty
    }

    /// The type of a use of an entity, whose first variables stand for the types of `with`. What a `data` context
    /// demands is wanted, but not passed on.
    pub(crate) fn instantiate_entity(
        &mut self,
        entity: Entity,
        scheme: SchemeId,
        with: &[TyId],
        origin: Origin,
    ) -> (TyId, Dicts) {
        let Scheme { variables, context, body } = self.world.program.types.scheme(scheme);
        let demanding = match entity {
            Entity::Constructor(constructor) => {
                !self.world.program.constructors[constructor].demands.is_empty()
            }
            _ => false,
        };
        if variables.is_empty() && context.is_empty() {
            return (*body, Dicts::EMPTY);
        }
        let variables = if demanding { variables.clone() } else { Box::default() };
        let count = self.world.program.types.scheme(scheme).variables.len();
        let mut with = with.to_vec();
        while with.len() < count {
            let meta = self.fresh();
            with.push(meta);
        }
        if let Entity::Constructor(constructor) = entity
            && demanding
        {
            let pairs: Vec<(SkolemId, TyId)> = variables.into_iter().zip(with.iter().copied()).collect();
            self.want_demands(constructor, &pairs, origin);
        }
        let (ty, Dicts { start, length }) = self.instantiate_with(scheme, &with, origin);
        let demands = match entity {
            Entity::Value(value) => self.field_demands(value).min(length),
            _ => 0,
        };
        (ty, Dicts { start: start + demands, length: length - demands })
    }

    /// How many constraints of a selector's context are demands of its type, which come first.
    fn field_demands(&self, value: ValueId) -> u32 {
        match &self.world.program.values[value].kind {
            ValueKind::Field { positions, .. } => positions.first().map_or(0, |&(constructor, _)| {
                self.world.program.constructors[constructor].demands.len() as u32
            }),
            _ => 0,
        }
    }

    /// Asks for what a constructor's type demands, where its variables stand for these types.
    pub(crate) fn want_demands(
        &mut self,
        constructor: ConstructorId,
        pairs: &[(SkolemId, TyId)],
        origin: Origin,
    ) {
        for demand in self.world.program.constructors[constructor].demands.clone() {
            let types = self.types();
            types.replacing(pairs.iter().copied());
            let demand = types.replace_constraint(demand);
            self.want(demand, origin);
        }
    }

    /// Notes what a use of a name is applied to.
    pub(crate) fn note_dictionaries(&mut self, site: Site, dictionaries: Dicts) {
        match site {
            Site::Expr(expr) => {
                if let Note::Use(used) = &mut self.notes.exprs[expr.index()] {
                    used.dictionaries = dictionaries;
                }
            }
            Site::Head(name) => {
                if let Some(NameNote::Function(used)) = self.notes.names.get_mut(&name) {
                    used.dictionaries = dictionaries;
                }
            }
            Site::Pun(name) => {
                if let Some(NameNote::Field { pun: Some(used), .. }) = self.notes.names.get_mut(&name) {
                    used.dictionaries = dictionaries;
                }
            }
            Site::Rest(expr, at) => {
                if let Some((_, used)) =
                    self.notes.expr_rests.get_mut(&expr).and_then(|rest| rest.get_mut(at as usize))
                {
                    used.dictionaries = dictionaries;
                }
            }
        }
    }

    /// Whether a string literal is converted to the expected type: not if that is `String` already.
    pub(crate) fn overloads_string(&mut self, expected: TyId) -> bool {
        self.options.overloaded_strings
            && self.world.program.known.class(KnownClass::IsString).is_some()
            && !self.is_string(expected)
    }

    /// Whether a type is known to be `[Char]`.
    pub(crate) fn is_string(&self, ty: TyId) -> bool {
        let types = &self.world.program.types;
        match types.view(ty) {
            Ty::App(list, element) => {
                types.view(list) == Ty::Con(crate::builtin::LIST)
                    && matches!(types.view(element), Ty::Con(constructor)
                        if self.world.program.known.type_constructor(KnownType::Char) == Some(constructor))
            }
            _ => false,
        }
    }

    /// `[t]`.
    pub(crate) fn list_of(&mut self, element: TyId) -> TyId {
        let list = self.types().con(crate::builtin::LIST);
        self.types().app(list, element)
    }

    /// Splits a function type; `None` if the type is not one.
    pub(crate) fn split_function(&mut self, ty: TyId) -> Option<(TyId, TyId)> {
        let level = self.level;
        let types = self.types();
        match types.view(ty) {
            Ty::Fun(parameter, result) => Some((parameter, result)),
            Ty::Error => Some((Types::ERROR, Types::ERROR)),
            Ty::Con(_) | Ty::Skolem(_) | Ty::Forall(_) => None,
            Ty::Meta(_) | Ty::App(..) => {
                let (parameter, result) = (types.meta(level), types.meta(level));
                let function = types.fun(parameter, result);
                types.unify(ty, function).ok()?;
                Some((parameter, result))
            }
        }
    }

    /// The built-in type constructor that a type is, if it has no parameters.
    pub(crate) fn plain_constructor(&mut self, ty: TyId) -> Option<TypeConId> {
        match self.types().view(ty) {
            Ty::Con(constructor) => Some(constructor),
            _ => None,
        }
    }
}
