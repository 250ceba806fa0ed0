//! Class constraints, as they are written.

use gadfly_source::Diagnostic;
use gadfly_syntax::names::{QName, known};
use gadfly_syntax::tree::{List, Place, Type, TypeId, TypeItem};

use crate::checker::Checker;
use crate::convert::count;
use crate::interface::{ClassId, TypeConId};
use crate::scope::{Found, TypeEntity};
use crate::types::{Constraint, TyId};

impl Checker<'_> {
    /// A written context.
    pub(crate) fn context(&mut self, written: List<TypeId>) -> Vec<Constraint> {
        let mut found = Vec::new();
        for &constraint in self.tree.list(written) {
            self.constraint(constraint, &mut found);
        }
        found
    }

    /// A written constraint; several, if it is a tuple of them.
    pub(crate) fn constraint(&mut self, written: TypeId, found: &mut Vec<Constraint>) {
        match *self.tree.get(written) {
            Type::Paren(inside) => self.constraint(inside, found),
            Type::Tuple(parts) => {
                for &part in self.tree.list(parts) {
                    self.constraint(part, found);
                }
            }
            Type::Con(name) if name.name == known::UNIT => {}
            Type::Con(name) => self.class_constraint(name, written, &[], found),
            Type::Apply { function, arguments } => {
                let mut head = function;
                while let Type::Paren(inside) = *self.tree.get(head) {
                    head = inside;
                }
                match *self.tree.get(head) {
                    Type::Con(name) => {
                        self.class_constraint(name, head, self.tree.list(arguments), found);
                    }
                    _ => self.not_a_constraint(written),
                }
            }
            Type::Operators(_, items) => {
                let &[TypeItem::Operand(left), TypeItem::Operator(operator), TypeItem::Operand(right)] =
                    self.tree.list(items)
                else {
                    return self.not_a_constraint(written);
                };
                let used = self.tree.name(operator);
                match used.name.name {
                    known::TILDE => self.unsupported_equality(self.tree.place(written)),
                    // A class that is an operator: `f :<: g`.
                    _ => self.class_constraint(used.name, written, &[left, right], found),
                }
            }
            Type::Missing => {}
            _ => self.not_a_constraint(written),
        }
    }

    /// Whether a written type is a class constraint, or several.
    pub(crate) fn is_constraint(&self, written: TypeId) -> bool {
        match *self.tree.get(written) {
            Type::Paren(inside) => self.is_constraint(inside),
            Type::Tuple(parts) => self.tree.list(parts).iter().any(|&part| self.is_constraint(part)),
            Type::Apply { function, .. } => self.is_constraint(function),
            Type::Con(name) => self.names_constraint(name),
            Type::Operators(_, items) => match self.tree.list(items) {
                &[_, TypeItem::Operator(operator), _] => self.names_constraint(self.tree.name(operator).name),
                _ => false,
            },
            _ => false,
        }
    }

    fn names_constraint(&self, name: QName) -> bool {
        match self.scope.type_or_class(name, &self.world.exports) {
            Found::One(TypeEntity::Class(_)) => true,
            Found::One(TypeEntity::Type(id)) => self.world.facts.constraint_synonyms.contains_key(&id),
            _ => false,
        }
    }

    /// A synonym for constraints, applied to types.
    fn constraint_synonym(
        &mut self,
        synonym: TypeConId,
        at: TypeId,
        arguments: &[TypeId],
        found: &mut Vec<Constraint>,
    ) {
        let info = &self.world.program.type_constructors[synonym];
        let (name, mut kind, parameters) = (info.name, info.kind, info.parameters.clone());
        if parameters.len() != arguments.len() {
            let message = format!(
                "the synonym `{}` takes {}, not {}",
                self.text(name),
                count(parameters.len(), "argument"),
                arguments.len()
            );
            self.diagnostics.push(Diagnostic::error(message).at(self.tree.span(at), ""));
            self.broken_context = true;
            return;
        }
        let mut types = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let (parameter, result) = self.split_kind(kind);
            types.push(self.convert_as(argument, parameter));
            kind = result;
        }
        for constraint in self.world.facts.constraint_synonyms.get(&synonym).cloned().unwrap_or_default() {
            let store = self.types();
            store.replacing(parameters.iter().copied().zip(types.iter().copied()));
            found.push(store.replace_constraint(constraint));
        }
    }

    fn not_a_constraint(&mut self, written: TypeId) {
        let span = self.tree.span(written);
        self.diagnostics.push(
            Diagnostic::error("this is not a class constraint")
                .at(span, "")
                .with_hint("Left of `=>` stand classes applied to types: `(Eq a, Show a) => ...`."),
        );
    }

    fn class_constraint(
        &mut self,
        name: QName,
        at: TypeId,
        arguments: &[TypeId],
        found: &mut Vec<Constraint>,
    ) {
        if let Found::One(TypeEntity::Type(id)) = self.scope.type_or_class(name, &self.world.exports)
            && self.world.facts.constraint_synonyms.contains_key(&id)
        {
            return self.constraint_synonym(id, at, arguments, found);
        }
        let types = match self.lookup_class(name, self.tree.place(at)) {
            Some(class) => self.class_arguments(class, at, arguments).map(|types| (class, types)),
            None => None,
        };
        let Some((class, types)) = types else {
            self.broken_context = true;
            return;
        };
        let constraint = self.types().constraint(class, &types);
        found.push(constraint);
    }

    /// A name that must be a class.
    pub(crate) fn lookup_class(&mut self, name: QName, place: Place) -> Option<ClassId> {
        match self.lookup_type(name, place)? {
            TypeEntity::Class(class) => Some(class),
            TypeEntity::Type(_) => {
                let message = format!("`{}` is a type, not a class", self.text(name.name));
                let span = self.span_of(place);
                self.diagnostics.push(Diagnostic::error(message).at(span, ""));
                None
            }
        }
    }

    /// The arguments of a class, checked against the kinds of its parameters.
    pub(crate) fn class_arguments(
        &mut self,
        class: ClassId,
        at: TypeId,
        arguments: &[TypeId],
    ) -> Option<Vec<TyId>> {
        let kinds = self.world.program.classes[class].kinds.clone();
        if kinds.len() != arguments.len() {
            let span = self.tree.span(at);
            self.class_arity(class, span, kinds.len(), arguments.len());
            return None;
        }
        Some(arguments.iter().zip(kinds).map(|(&argument, kind)| self.convert_as(argument, kind)).collect())
    }
}
