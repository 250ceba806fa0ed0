//! Type signatures of values.

use gadfly_source::{Diagnostic, Span};
use gadfly_syntax::tree::{self, Decl, Type, TypeId};

use crate::checker::{Checker, Signature};
use crate::interface::{Entity, ValueId};
use crate::types::{Scheme, SchemeId, TyId};

impl Checker<'_> {
    /// The signatures of the module's own values.
    pub(crate) fn declare_signatures(&mut self) {
        let tree = self.tree;
        for &decl in tree.list(self.syntax.decls) {
            match *tree.get(decl) {
                Decl::Signature { names, declared } => {
                    for &name in tree.list(names) {
                        match self.scope.own.values.get(&name.symbol) {
                            Some(&Entity::Value(value)) => self.declare_value(value, name, declared),
                            _ => self.signature_without_binding(name),
                        }
                    }
                }
                Decl::Primitive { name, declared, .. } => {
                    if let Some(&Entity::Value(value)) = self.scope.own.values.get(&name.symbol) {
                        self.declare_value(value, name, declared);
                    }
                }
                _ => {}
            }
        }
        self.external_without_signature();
    }

    fn external_without_signature(&mut self) {
        for index in 0..self.own_values.len() {
            let value = &self.world.program.values[self.own_values[index]];
            if value.declared || !matches!(value.kind, crate::interface::ValueKind::External) {
                continue;
            }
            let message = format!("`{}` is external, but its type is not declared", self.text(value.name));
            let diagnostic = Diagnostic::error(message).at(value.span, "").with_hint("Add a type signature.");
            self.diagnostics.push(diagnostic);
        }
    }

    fn declare_value(&mut self, value: ValueId, name: tree::Name, declared: TypeId) {
        let entity = Entity::Value(value);
        let module = self.world.program.values[value].module;
        if module != self.module || self.world.program.values[value].declared {
            let before = self.signatures.get(&entity).map(|signature| signature.span);
            self.duplicate("declared", name, before);
            return;
        }
        let signature = self.new_signature(declared);
        self.world.program.values[value].scheme = signature.scheme;
        self.world.program.values[value].declared = true;
        self.signatures.insert(entity, signature);
    }

    pub(crate) fn new_signature(&mut self, declared: TypeId) -> Signature {
        let scheme = self.signature(declared);
        let mut inside = declared;
        while let Type::Paren(inner) = *self.tree.get(inside) {
            inside = inner;
        }
        let scoped = matches!(self.tree.get(inside), Type::Forall(..)) && self.options.scoped_type_variables;
        self.check_ambiguity(scheme, self.tree.span(declared));
        Signature { scheme, span: self.tree.span(declared), scoped }
    }

    /// Every type variable of a context must follow from the type, or no use could say what it is.
    pub(crate) fn check_ambiguity(&mut self, scheme: SchemeId, span: Span) {
        let Scheme { variables, context, body } = self.types().scheme(scheme).clone();
        if context.is_empty() || self.options.ambiguous_types || self.types().has_error(body) {
            return;
        }
        let mut known = self.types().skolems_of(&[body]);
        loop {
            let before = known.len();
            for constraint in &context {
                let arguments = self.types().list(constraint.arguments).to_vec();
                for (from, to) in self.world.program.classes[constraint.class].dependencies.clone() {
                    let from: Vec<TyId> = from.iter().map(|&at| arguments[at as usize]).collect();
                    let to: Vec<TyId> = to.iter().map(|&at| arguments[at as usize]).collect();
                    if self.types().skolems_of(&from).iter().all(|variable| known.contains(variable)) {
                        let more = self.types().skolems_of(&to);
                        known.extend(
                            more.into_iter().filter(|variable| !known.contains(variable)).collect::<Vec<_>>(),
                        );
                    }
                }
            }
            if known.len() == before {
                break;
            }
        }
        for constraint in &context {
            let arguments = self.types().list(constraint.arguments).to_vec();
            let inside = self.types().skolems_of(&arguments);
            let Some(&open) =
                inside.iter().find(|&variable| variables.contains(variable) && !known.contains(variable))
            else {
                continue;
            };
            let ty = self.types().skolem_type(open);
            let mut printer = self.printer();
            printer.reserve(body);
            let (constraint, variable) = (printer.constraint(*constraint), printer.ty(ty));
            let message = format!("no use could say which type `{variable}` is in `{constraint}`");
            self.diagnostics.push(
                Diagnostic::error(message)
                    .at(span, format!("`{variable}` stands only in the context"))
                    .with_hint("Use the variable in the type, or leave the constraint out."),
            );
            return;
        }
    }

    /// The fixities at the top of the module are those of what it defines there, types and methods included.
    pub(crate) fn check_fixities(&mut self) {
        let tree = self.tree;
        for &decl in tree.list(self.syntax.decls) {
            let Decl::Fixity { operators, .. } = *tree.get(decl) else { continue };
            for &name in tree.list(operators) {
                let own = &self.scope.own;
                if !own.values.contains_key(&name.symbol) && !own.types.contains_key(&name.symbol) {
                    self.fixity_without_binding(name);
                }
            }
        }
    }

    pub(crate) fn fixity_without_binding(&mut self, name: tree::Name) {
        let text = self.text(name.symbol);
        self.diagnostics.push(
            Diagnostic::error(format!("`{text}` has a fixity declaration, but no definition"))
                .at(self.span_of(name.place), "")
                .with_hint("Define it in the same block, or remove the declaration."),
        );
    }

    pub(crate) fn signature_without_binding(&mut self, name: tree::Name) {
        let text = self.text(name.symbol).to_owned();
        let near = self.nearest(&text, self.scope.own.values.keys().copied());
        let mut diagnostic = Diagnostic::error(format!("`{text}` has a type signature, but no definition"))
            .at(self.span_of(name.place), "");
        diagnostic = match near {
            Some(near) => diagnostic.with_hint(format!("Perhaps `{near}` is meant.")),
            None => diagnostic.with_hint("Define it in the same block, or remove the signature."),
        };
        self.diagnostics.push(diagnostic);
    }
}
