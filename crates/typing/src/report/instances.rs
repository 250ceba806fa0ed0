//! Classes: an instance that is missing, that overlaps with another or needs itself, and a type that nothing determines.

use gadfly_source::{Diagnostic, Span};
use gadfly_syntax::tree::DeclId;

use crate::checker::Checker;
use crate::infer::{Cause, Wanted};
use crate::interface::{ClassId, InstanceId};
use crate::known::KnownType;
use crate::types::{Ty, TyId};

impl Checker<'_> {
    /// What needs a dictionary.
    fn explain_cause(&self, cause: Cause) -> String {
        match cause {
            Cause::Use(name) => format!("needed by the use of `{}`", self.text(name)),
            Cause::Number => "needed by this number".to_owned(),
            Cause::Text => "needed by this string".to_owned(),
            Cause::Negation => "needed by this negation".to_owned(),
            Cause::Sequence => "needed by this sequence".to_owned(),
            Cause::Block => "needed by this block".to_owned(),
            Cause::FailingPattern => "needed because this pattern can fail".to_owned(),
            Cause::NumberPattern => "needed by this number in a pattern".to_owned(),
            Cause::Superclass(class) => {
                let name = self.text(self.world.program.classes[class].name);
                format!("needed by this instance: a superclass of `{name}`")
            }
            Cause::Field(class) => {
                let name = self.text(self.world.program.classes[class].name);
                format!("needed by a field, to derive `{name}`")
            }
            Cause::Via(class) => {
                let name = self.text(self.world.program.classes[class].name);
                format!("needed to derive `{name}` by way of another type")
            }
            Cause::FreeVariable => "needed by this free variable".to_owned(),
            Cause::TwiceBound(name) => format!("needed because `{}` stands twice", self.text(name)),
            Cause::FunctionalPattern => "needed by this functional pattern".to_owned(),
            Cause::Signature => "needed by this signature".to_owned(),
        }
    }

    /// There is no dictionary for a constraint.
    pub(crate) fn no_instance(&mut self, wanted: &Wanted) {
        let shown = self.printer().constraint(wanted.constraint);
        let signature = self.signature_around(wanted);
        // The same cause is reported once in one binding.
        let key = match signature {
            Some((_, span)) => format!("{shown} in {}:{}", span.file.0, span.start),
            None => format!("{shown} in group {}", self.next_group),
        };
        if !self.missing.insert(key) {
            return;
        }
        let arguments = self.world.program.types.list(wanted.constraint.arguments).to_vec();
        let heads: Vec<Ty> = arguments.iter().map(|&ty| self.world.program.types.head(ty).0).collect();
        let rigid = heads.iter().any(|head| matches!(head, Ty::Skolem(_)));
        if rigid && self.is_broken(wanted) {
            return;
        }
        let message = match rigid {
            true => format!("`{shown}` is not known here"),
            false => format!("there is no instance `{shown}`"),
        };
        let label = self.explain_cause(wanted.origin.cause);
        let mut diagnostic = Diagnostic::error(message).at(wanted.origin.span, label);
        let instance = self.instance_of_variable(wanted, &heads);
        let hint = match (heads.first(), signature) {
            _ if instance.is_some() => {
                let span = instance.map(|instance| self.world.program.instances[instance].span);
                if let Some(span) = span.filter(|&span| span != wanted.origin.span) {
                    diagnostic = diagnostic.and(span, "the context of this instance does not say so");
                }
                Some(format!("Add `{shown}` to the context of the instance."))
            }
            (Some(Ty::Skolem(_)), Some((name, span))) => {
                let name = self.text(name);
                diagnostic = diagnostic.and(span, format!("the type of `{name}` does not say so"));
                Some(format!("Add `{shown}` to the context of the type of `{name}`."))
            }
            (Some(&Ty::Skolem(skolem)), None) => {
                if let Some(span) = self.types().skolem(skolem).span {
                    diagnostic = diagnostic.and(span, "the type variable comes from here");
                }
                None
            }
            (Some(Ty::Fun(..)), _) if matches!(wanted.origin.cause, Cause::Number | Cause::NumberPattern) => {
                Some(
                    "A number stands where a function is expected; perhaps there is an argument too many."
                        .to_owned(),
                )
            }
            (Some(Ty::Fun(..)), _) => {
                Some("A function is no such value; perhaps an argument is missing.".to_owned())
            }
            (Some(Ty::Con(constructor)), _) if heads.len() == 1 => {
                self.instance_hint(wanted, *constructor, &arguments)
            }
            _ => None,
        };
        if let Some((dependency, instance)) = self.dependency_of(wanted) {
            let head = self.show_instance(instance);
            diagnostic = diagnostic
                .and(self.world.program.instances[instance].span, format!("`{head}` is known"))
                .with_note(format!("The class has the dependency `{dependency}`, so there is no other."));
        }
        if let Some(hint) = hint {
            diagnostic = diagnostic.with_hint(hint);
        }
        self.diagnostics.push(diagnostic);
    }

    /// The instance that agrees with a constraint in what determines, and the dependency that says so.
    fn dependency_of(&mut self, wanted: &Wanted) -> Option<(String, InstanceId)> {
        let class = wanted.constraint.class;
        let dependencies = self.world.program.classes[class].dependencies.clone();
        let arguments = self.types().list(wanted.constraint.arguments).to_vec();
        for (from, to) in dependencies {
            for instance in self.world.facts.other_instances.get(&class).cloned().unwrap_or_default() {
                let info = &self.world.program.instances[instance];
                let (variables, list) = (info.variables.clone(), info.arguments);
                let patterns = self.types().list(list).to_vec();
                let mut found = vec![None; variables.len()];
                let types = self.types();
                if from.iter().all(|&at| {
                    types.matches(patterns[at as usize], arguments[at as usize], &variables, &mut found)
                }) {
                    return Some((self.show_dependency(class, &from, &to), instance));
                }
            }
        }
        None
    }

    /// `a b -> c`.
    pub(crate) fn show_dependency(&self, class: ClassId, from: &[u32], to: &[u32]) -> String {
        format!("{} -> {}", self.show_parameters(class, from), self.show_parameters(class, to))
    }

    pub(crate) fn show_parameters(&self, class: ClassId, numbers: &[u32]) -> String {
        let parameters = &self.world.program.classes[class].parameters;
        let names = numbers.iter().map(|&at| {
            let name = self.world.program.types.skolem(parameters[at as usize]).name;
            name.map_or("_", |name| self.text(name))
        });
        names.collect::<Vec<_>>().join(" ")
    }

    /// The instance around a wanted constraint, if the constraint is on one of its variables.
    fn instance_of_variable(&self, wanted: &Wanted, heads: &[Ty]) -> Option<InstanceId> {
        let mut scope = Some(wanted.given);
        while let Some(at) = scope {
            let givens = &self.givens[at];
            if let Some(instance) = givens.instance {
                let variables = &self.world.program.instances[instance].variables;
                let own = |head: &Ty| matches!(head, Ty::Skolem(skolem) if variables.contains(skolem));
                return heads.iter().any(own).then_some(instance);
            }
            scope = givens.parent;
        }
        None
    }

    fn instance_hint(
        &self,
        wanted: &Wanted,
        constructor: crate::interface::TypeConId,
        arguments: &[TyId],
    ) -> Option<String> {
        let class = self.text(self.world.program.classes[wanted.constraint.class].name);
        let info = &self.world.program.type_constructors[constructor];
        if matches!(wanted.origin.cause, Cause::Text) {
            let shown = self.show_type(*arguments.first()?);
            return Some(format!("A string stands where a `{shown}` is expected."));
        }
        if matches!(wanted.origin.cause, Cause::Number | Cause::NumberPattern) {
            let shown = self.show_type(*arguments.first()?);
            return Some(format!("A number stands where a `{shown}` is expected."));
        }
        let own = info.module == Some(self.module);
        if let Cause::Superclass(of) = wanted.origin.cause
            && let Some(hint) = self.superclass_hint(class, of, self.text(info.name))
        {
            return Some(hint);
        }
        let integral =
            matches!(self.world.program.known.which(constructor), Some(KnownType::Int | KnownType::Integer));
        if integral && matches!(class, "Fractional" | "Floating" | "RealFrac" | "RealFloat") {
            return Some("Convert whole numbers with `fromIntegral`.".to_owned());
        }
        if class == "Data" && self.options.curry {
            return Some(
                "Values of this type cannot be compared: there are functions or actions inside.".to_owned(),
            );
        }
        let derivable =
            matches!(class, "Eq" | "Ord" | "Show" | "Read" | "Enum" | "Bounded" | "Ix" | "Functor");
        let name = self.text(info.name);
        let numeric = matches!(class, "Num" | "Real" | "Integral" | "Fractional" | "Floating" | "RealFrac");
        if numeric && !own {
            let which = self.world.program.known.which(constructor);
            return match (which, name) {
                (Some(KnownType::Char), _) => {
                    Some("A character is no number; `ord` gives its code.".to_owned())
                }
                (_, "[]") => Some(
                    "A list is no number; `++` joins lists, `read` turns a string into a number.".to_owned(),
                ),
                (_, "Maybe" | "IO" | "Bool" | "()" | "Either") => Some(format!("A `{name}` is no number.")),
                _ => None,
            };
        }
        match (own, derivable) {
            (true, true) => Some(format!("Add `deriving {class}` to the declaration of `{name}`.")),
            (true, false) => Some(format!("Write an instance: `instance {class} {name} where ...`.")),
            (false, _) => None,
        }
    }

    /// What programs from before 2015 lack: every monad is an applicative functor, every monoid a semigroup.
    fn superclass_hint(&self, missing: &str, of: ClassId, name: &str) -> Option<String> {
        let of = self.text(self.world.program.classes[of].name);
        let members = match (missing, of) {
            ("Functor", "Applicative") => "fmap = liftA",
            ("Functor", _) => "fmap = liftM",
            ("Applicative", "Monad") => "pure = ...; (<*>) = ap",
            ("Semigroup", "Monoid") => "(<>) = ...",
            _ => return None,
        };
        let instance = format!("instance {missing} {name} where {{ {members} }}");
        Some(format!("`{missing}` is a superclass of `{of}`: add `{instance}`."))
    }

    /// Whether a context around it had an error: what is missing may be what it meant.
    fn is_broken(&self, wanted: &Wanted) -> bool {
        let mut scope = Some(wanted.given);
        while let Some(at) = scope {
            if self.givens[at].broken {
                return true;
            }
            scope = self.givens[at].parent;
        }
        false
    }

    fn signature_around(&self, wanted: &Wanted) -> Option<(gadfly_syntax::names::Symbol, Span)> {
        let mut scope = Some(wanted.given);
        while let Some(at) = scope {
            let givens = &self.givens[at];
            if givens.signature.is_some() {
                return givens.signature;
            }
            scope = givens.parent;
        }
        None
    }

    /// Several instances match, none of them best.
    pub(crate) fn overlapping(&mut self, wanted: &Wanted, instances: &[InstanceId]) {
        let shown = self.printer().constraint(wanted.constraint);
        let label = self.explain_cause(wanted.origin.cause);
        let mut diagnostic =
            Diagnostic::error(format!("several instances match `{shown}`")).at(wanted.origin.span, label);
        for &instance in instances {
            let head = self.show_instance(instance);
            diagnostic = diagnostic.and(self.world.program.instances[instance].span, format!("`{head}`"));
        }
        let hint = "If the more special one is meant, say so: `instance {-# OVERLAPPING #-} ...`.";
        self.diagnostics.push(diagnostic.with_hint(hint));
    }

    pub(crate) fn endless_instances(&mut self, wanted: &Wanted) {
        let shown = self.printer().constraint(wanted.constraint);
        let label = self.explain_cause(wanted.origin.cause);
        self.diagnostics.push(
            Diagnostic::error("instances lead to instances without end")
                .at(wanted.origin.span, label)
                .with_note(format!("It was not decided whether there is an instance `{shown}`."))
                .with_hint("The context of an instance should be smaller than its head."),
        );
    }

    /// Reports a class constraint on a type that nothing determines.
    pub(crate) fn ambiguous_type(&mut self, wanted: &Wanted, others: &[Wanted]) {
        let mut printer = self.printer();
        let shown = printer.constraint(wanted.constraint);
        let label = self.explain_cause(wanted.origin.cause);
        let mut diagnostic = Diagnostic::error(format!("it is not known which type is meant in `{shown}`"))
            .at(wanted.origin.span, label);
        let mut told = vec![shown];
        for other in others {
            let shown = printer.constraint(other.constraint);
            if told.len() < 4 && !told.contains(&shown) && other.origin.span != wanted.origin.span {
                let label = format!("`{shown}` is {}", self.explain_cause(other.origin.cause));
                diagnostic = diagnostic.and(other.origin.span, label);
                told.push(shown);
            }
        }
        let hint = "Say which type is meant, with a type signature or where it is used: `(... :: T)`.";
        self.diagnostics.push(diagnostic.with_hint(hint));
    }

    pub(crate) fn types_too_large(&mut self, decl: DeclId) {
        self.diagnostics.push(
            Diagnostic::error("the types in this definition are too large")
                .at(self.tree.span(decl), "")
                .with_note("Written out they would have millions of parts.")
                .with_hint("Add type signatures, or use data types instead of nested tuples and functions."),
        );
    }
}
