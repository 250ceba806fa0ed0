//! Types, constructors, classes and signatures: from declarations to their types.
//!
//! All type and class declarations of a module are one group for kind inference; a kind that nothing
//! determines is `*`.

use gadfly_source::Diagnostic;
use gadfly_syntax::tree::{self, Decl, DeclId, List, Type, TypeId};
use rustc_hash::FxHashMap;

use crate::checker::Checker;
use crate::components;
use crate::interface::{ClassId, ConstructorId, Entity, TypeConId, TypeKind, ValueId};
use crate::scope::{Found, TypeEntity};
use crate::types::{Constraint, OUTERMOST, Scheme, SkolemId, Ty, TyId, Types};

impl Checker<'_> {
    /// Types, classes and their members.
    pub(crate) fn declare_types(&mut self) {
        let decls = self.type_decls.clone();
        for &(decl, entity) in &decls {
            self.declare_head(decl, entity);
        }
        self.declare_synonyms(&decls);
        for &(decl, entity) in &decls {
            match (self.tree.get(decl), entity) {
                (Decl::Data(data), TypeEntity::Type(id)) => self.declare_data(data, id),
                (Decl::Class(class), TypeEntity::Class(id)) => self.declare_class(class, id),
                _ => {}
            }
        }
        self.default_kinds(&decls);
        self.cut_superclass_cycles(&decls);
    }

    fn declare_head(&mut self, decl: DeclId, entity: TypeEntity) {
        let (parameters, kind) = match self.tree.get(decl) {
            Decl::Synonym { parameters, .. } => (*parameters, None),
            Decl::Data(data) => (data.parameters, Some(data.kind)),
            Decl::Class(class) => (class.parameters, None),
            _ => return,
        };
        let mark = self.type_variables.len();
        self.check_distinct(parameters);
        let skolems = self.bind_type_variables(parameters);
        let kinds: Vec<TyId> = skolems.iter().map(|skolem| self.skolem_kinds[skolem]).collect();
        let result = match kind {
            Some(Some(kind)) => self.kind(kind),
            Some(None) => self.star(),
            None => self.types().meta(OUTERMOST),
        };
        self.type_variables.truncate(mark);
        match entity {
            TypeEntity::Type(id) => {
                let kind = self.types().funs(&kinds, result);
                let info = &mut self.world.program.type_constructors[id];
                info.parameters = skolems;
                info.kind = kind;
            }
            TypeEntity::Class(id) => {
                let info = &mut self.world.program.classes[id];
                info.parameters = skolems;
                info.kinds = kinds;
            }
        }
    }

    fn check_distinct(&mut self, parameters: List<tree::TypeVar>) {
        let list = self.tree.list(parameters);
        for (index, variable) in list.iter().enumerate() {
            if let Some(before) = list[..index].iter().find(|before| before.symbol == variable.symbol) {
                let before = self.span_of(before.place);
                let name = tree::Name { symbol: variable.symbol, place: variable.place };
                self.duplicate("a parameter", name, Some(before));
            }
        }
    }

    /// Makes the parameters of a declaration known.
    fn know_parameters(&mut self, parameters: &[SkolemId]) {
        for &parameter in parameters {
            if let Some(symbol) = self.types().skolem(parameter).name {
                let kind = self.skolem_kinds[&parameter];
                self.know_type_variable(symbol, parameter, kind);
            }
        }
    }

    /// Synonyms in the order of their dependencies; a cycle is an error.
    fn declare_synonyms(&mut self, decls: &[(DeclId, TypeEntity)]) {
        let mut synonyms = Vec::new();
        let mut numbers: FxHashMap<TypeConId, usize> = FxHashMap::default();
        for &(decl, entity) in decls {
            if let (Decl::Synonym { name, meaning, .. }, TypeEntity::Type(id)) = (self.tree.get(decl), entity)
            {
                numbers.insert(id, synonyms.len());
                synonyms.push((id, *meaning, *name));
            }
        }
        let mut edges: Vec<Vec<usize>> = Vec::new();
        for &(_, meaning, _) in &synonyms {
            let mut found = Vec::new();
            self.named_types(meaning, &mut |id| found.extend(numbers.get(&id)));
            edges.push(found);
        }
        for group in components::sort(&edges) {
            let cyclic = group.len() > 1 || edges[group[0]].contains(&group[0]);
            if cyclic {
                let (_, _, name) = synonyms[group[0]];
                let message = format!("the type synonym `{}` stands for itself", self.text(name.symbol));
                let mut diagnostic = Diagnostic::error(message).at(self.span_of(name.place), "");
                for &other in &group[1..] {
                    diagnostic = diagnostic.and(self.span_of(synonyms[other].2.place), "by way of this one");
                }
                let hint = "Use `newtype` or `data` for a type that contains itself.";
                self.diagnostics.push(diagnostic.with_hint(hint));
            }
            for at in group {
                let (id, meaning, _) = synonyms[at];
                self.declare_synonym(id, meaning, cyclic);
            }
        }
    }

    fn declare_synonym(&mut self, id: TypeConId, meaning: TypeId, cyclic: bool) {
        let info = &self.world.program.type_constructors[id];
        let (parameters, mut result) = (info.parameters.clone(), info.kind);
        for _ in &parameters {
            if let Ty::Fun(_, rest) = self.types().view(result) {
                result = rest;
            }
        }
        let ty = match cyclic {
            true => Types::ERROR,
            false if self.is_constraint(meaning) => {
                let mark = self.type_variables.len();
                self.know_parameters(&parameters);
                let mut constraints = Vec::new();
                self.constraint(meaning, &mut constraints);
                self.type_variables.truncate(mark);
                self.world.facts.constraint_synonyms.insert(id, constraints);
                Types::ERROR
            }
            false => {
                let mark = self.type_variables.len();
                self.know_parameters(&parameters);
                let ty = self.convert_as(meaning, result);
                self.type_variables.truncate(mark);
                ty
            }
        };
        self.world.program.type_constructors[id].meaning = TypeKind::Synonym(ty);
    }

    /// Calls `found` with every type constructor that a written type names.
    fn named_types(&self, written: TypeId, found: &mut dyn FnMut(TypeConId)) {
        let tree = self.tree;
        match *tree.get(written) {
            Type::Con(name) => {
                let entity = self.scope.type_or_class(name, &self.world.exports);
                if let Found::One(TypeEntity::Type(id)) = entity {
                    found(id);
                }
            }
            Type::Apply { function, arguments } => {
                self.named_types(function, found);
                for &argument in tree.list(arguments) {
                    self.named_types(argument, found);
                }
            }
            Type::Function(list) | Type::Tuple(list) => {
                for &part in tree.list(list) {
                    self.named_types(part, found);
                }
            }
            Type::List(inside)
            | Type::Paren(inside)
            | Type::Strict(inside)
            | Type::Lazy(inside)
            | Type::Kinded(inside, _)
            | Type::Forall(_, inside)
            | Type::Qualified { body: inside, .. } => self.named_types(inside, found),
            Type::Infix(items) | Type::Operators(_, items) => {
                for item in tree.list(items) {
                    match *item {
                        tree::TypeItem::Operand(operand) => self.named_types(operand, found),
                        tree::TypeItem::Operator(operator) => {
                            let name = tree.name(operator).name;
                            let entity = self.scope.type_or_class(name, &self.world.exports);
                            if let Found::One(TypeEntity::Type(id)) = entity {
                                found(id);
                            }
                        }
                    }
                }
            }
            Type::Missing | Type::Var(_) | Type::Wildcard => {}
        }
    }

    fn declare_data(&mut self, data: &tree::Data, id: TypeConId) {
        let parameters = self.world.program.type_constructors[id].parameters.clone();
        let arguments: Vec<TyId> =
            parameters.iter().map(|&parameter| self.types().skolem_type(parameter)).collect();
        let head = self.types().con(id);
        let result = self.types().apply(head, &arguments);
        let mark = self.type_variables.len();
        self.know_parameters(&parameters);
        let demands = self.context(data.context);
        let constructors = self.world.program.type_constructors[id].constructors().to_vec();
        let tree = self.tree;
        let written = tree.list(data.constructors);
        for (constructor, &id) in written.iter().zip(&constructors) {
            match constructor.signature {
                Some(signature) => {
                    self.type_variables.truncate(mark);
                    self.declare_by_signature(constructor, id, signature, &parameters);
                    self.know_parameters(&parameters);
                }
                None => self.declare_constructor(constructor, id, &parameters, result),
            }
            self.demand_of(id, &demands);
        }
        self.type_variables.truncate(mark);
        if data.newtype {
            self.check_newtype(data, written);
        }
        self.declare_selectors(&constructors, &parameters, result);
    }

    /// A context before the type's name applies to a constructor as far as its fields mention the variables
    /// (Haskell 2010 §4.2.1): code that builds or matches it needs that dictionary.
    fn demand_of(&mut self, constructor: ConstructorId, demands: &[Constraint]) {
        if demands.is_empty() {
            return;
        }
        let fields = &self.world.program.constructors[constructor].fields;
        let fields: Vec<TyId> = fields.iter().map(|field| field.declared).collect();
        let used = self.types().skolems_of(&fields);
        let mut own = demands.to_vec();
        own.retain(|demand| {
            let arguments = self.types().list(demand.arguments).to_vec();
            self.types().skolems_of(&arguments).iter().all(|variable| used.contains(variable))
        });
        self.world.program.constructors[constructor].demands = own;
    }

    fn check_newtype(&mut self, data: &tree::Data, written: &[tree::Constructor]) {
        let wrong = match written {
            [constructor] => {
                let id = match self.scope.own.values.get(&constructor.name.symbol) {
                    Some(&Entity::Constructor(id)) => id,
                    _ => return,
                };
                let arity = self.world.program.constructors[id].arity();
                (arity != 1).then(|| format!("its constructor has {arity} fields"))
            }
            _ => Some(format!("it has {} constructors", written.len())),
        };
        if let Some(wrong) = wrong {
            let span = self.span_of(data.name.place);
            self.diagnostics.push(
                Diagnostic::error("a newtype has one constructor with one field")
                    .at(span, wrong)
                    .with_hint("Use `data` instead of `newtype`."),
            );
        }
    }

    fn declare_constructor(
        &mut self,
        constructor: &tree::Constructor,
        id: ConstructorId,
        parameters: &[SkolemId],
        result: TyId,
    ) {
        let mark = self.type_variables.len();
        let exists = self.bind_type_variables(constructor.exists);
        let context = self.context(constructor.context);
        let mut fields = Vec::new();
        let tree = self.tree;
        for &field in tree.list(constructor.fields) {
            let ty = self.convert_type(field);
            fields.push((ty, self.is_strict(field)));
        }
        self.type_variables.truncate(mark);
        let variables = parameters.iter().chain(&exists).copied().collect();
        self.finish_constructor(id, variables, exists, context, &fields, result);
    }

    fn finish_constructor(
        &mut self,
        id: ConstructorId,
        variables: Box<[SkolemId]>,
        exists: Vec<SkolemId>,
        context: Vec<Constraint>,
        fields: &[(TyId, bool)],
        result: TyId,
    ) {
        let types: Vec<TyId> = fields.iter().map(|(ty, _)| *ty).collect();
        let body = self.types().funs(&types, result);
        let dictionaries = context.len() as u32;
        let scheme = self.types().add_scheme(Scheme { variables, context: context.into(), body });
        let mut own = std::mem::take(&mut self.world.program.constructors[id].fields);
        own.resize_with(fields.len(), || crate::interface::Field {
            selector: None,
            name: None,
            declared: Types::ERROR,
            strict: false,
            dictionaries: 0,
        });
        for (field, &(ty, strict)) in own.iter_mut().zip(fields) {
            field.declared = ty;
            field.strict = strict;
            if let Ty::Forall(scheme) = self.types().view(ty) {
                field.dictionaries = self.types().scheme(scheme).context.len() as u32;
            }
        }
        let info = &mut self.world.program.constructors[id];
        info.fields = own;
        info.scheme = scheme;
        info.dictionaries = dictionaries;
        info.exists = exists;
    }

    /// `C :: context => fields -> T a b`.
    fn declare_by_signature(
        &mut self,
        constructor: &tree::Constructor,
        id: ConstructorId,
        signature: TypeId,
        parameters: &[SkolemId],
    ) {
        let strict = self.strict_fields(signature);
        let scheme = self.signature(signature);
        let Scheme { variables, context, body } = self.types().scheme(scheme).clone();
        let mut fields = Vec::new();
        let mut result = body;
        while let Ty::Fun(field, rest) = self.types().view(result) {
            fields.push(field);
            result = rest;
        }
        let of = self.world.program.constructors[id].of;
        let (head, arguments) = self.types().unapply(result);
        if self.types().view(head) != Ty::Con(of) {
            if self.types().view(head) != Ty::Error {
                let message = format!(
                    "the constructor `{}` must give a value of its type",
                    self.text(constructor.name.symbol)
                );
                let span = self.tree.span(signature);
                let shown = self.show_type(result);
                self.diagnostics.push(Diagnostic::error(message).at(span, format!("it gives `{shown}`")));
            }
            return;
        }
        // With the type's own parameters in the result, where it has variables.
        let mut renamed: Vec<(SkolemId, TyId)> = Vec::new();
        for (argument, &parameter) in arguments.iter().zip(parameters) {
            if let Ty::Skolem(variable) = self.types().view(*argument)
                && renamed.iter().all(|(other, _)| *other != variable)
            {
                let parameter = self.types().skolem_type(parameter);
                renamed.push((variable, parameter));
            }
        }
        let plain = renamed.len() == parameters.len();
        self.types().replacing(renamed.iter().copied());
        let fields: Vec<(TyId, bool)> = fields
            .into_iter()
            .enumerate()
            .map(|(at, field)| (self.types().replace(field), strict.get(at).copied().unwrap_or(false)))
            .collect();
        let context: Vec<Constraint> =
            context.iter().map(|&constraint| self.types().replace_constraint(constraint)).collect();
        let result = self.types().replace(result);
        let exists: Vec<SkolemId> = variables
            .iter()
            .copied()
            .filter(|variable| renamed.iter().all(|(other, _)| other != variable))
            .collect();
        let all: Vec<SkolemId> = match plain {
            true => parameters.iter().chain(&exists).copied().collect(),
            false => {
                let kept = renamed.iter().filter_map(|&(_, ty)| match self.types().view(ty) {
                    Ty::Skolem(parameter) => Some(parameter),
                    _ => None,
                });
                kept.collect::<Vec<_>>().into_iter().chain(exists.iter().copied()).collect()
            }
        };
        let hidden = self.types().skolems_of(&[result]);
        let exists = exists.into_iter().filter(|variable| !hidden.contains(variable)).collect();
        self.finish_constructor(id, all.into(), exists, context, &fields, result);
        self.world.program.constructors[id].refines = !self.are_distinct_variables(&arguments);
    }

    fn are_distinct_variables(&mut self, arguments: &[TyId]) -> bool {
        let mut seen = Vec::with_capacity(arguments.len());
        arguments.iter().all(|&argument| match self.types().view(argument) {
            Ty::Skolem(variable) if !seen.contains(&variable) => {
                seen.push(variable);
                true
            }
            _ => false,
        })
    }

    /// Whether a field is evaluated with its constructor.
    fn is_strict(&self, written: TypeId) -> bool {
        match self.tree.get(written) {
            Type::Strict(_) => true,
            Type::Lazy(_) => false,
            _ => self.options.strict_data,
        }
    }

    fn strict_fields(&self, signature: TypeId) -> Vec<bool> {
        match *self.tree.get(signature) {
            Type::Paren(inside) | Type::Forall(_, inside) | Type::Qualified { body: inside, .. } => {
                self.strict_fields(inside)
            }
            Type::Function(list) => self.tree.list(list).iter().map(|&part| self.is_strict(part)).collect(),
            _ => Vec::new(),
        }
    }

    fn declare_selectors(&mut self, constructors: &[ConstructorId], parameters: &[SkolemId], result: TyId) {
        let mut done: Vec<(ValueId, TyId)> = Vec::new();
        for &constructor in constructors {
            let info = &self.world.program.constructors[constructor];
            let (exists, demands) = (info.exists.clone(), info.demands.clone());
            let fields = info.fields.clone();
            for field in fields {
                let Some(selector) = field.selector else { continue };
                if let Some((_, before)) = done.iter().find(|(other, _)| *other == selector) {
                    let before = *before;
                    if !self.types().same(before, field.declared) {
                        self.field_types_differ(selector, before, field.declared);
                    }
                    continue;
                }
                done.push((selector, field.declared));
                let hidden = self.types().skolems_of(&[field.declared]);
                if exists.iter().any(|variable| hidden.contains(variable)) {
                    continue;
                }
                let (mut variables, mut context, mut ty) =
                    (parameters.to_vec(), demands.clone(), field.declared);
                if let Ty::Forall(inner) = self.types().view(ty) {
                    let inner = self.types().scheme(inner).clone();
                    let (more, inner_context, body) = self.fresh_skolems(&inner);
                    variables.extend(more);
                    context.extend(inner_context);
                    ty = body;
                }
                let body = self.types().fun(result, ty);
                let scheme = self.types().add_scheme(Scheme {
                    variables: variables.into(),
                    context: context.into(),
                    body,
                });
                self.world.program.values[selector].scheme = scheme;
                self.world.program.values[selector].declared = true;
            }
        }
    }

    fn field_types_differ(&mut self, selector: ValueId, first: TyId, second: TyId) {
        let value = &self.world.program.values[selector];
        let (name, span) = (self.text(value.name).to_owned(), value.span);
        let (first, second) = (self.show_type(first), self.show_type(second));
        self.diagnostics.push(
            Diagnostic::error(format!("the field `{name}` has different types in two constructors"))
                .at(span, format!("`{first}` here, `{second}` in another constructor"))
                .with_hint("Give one of the fields another name."),
        );
    }

    fn declare_class(&mut self, class: &tree::Class, id: ClassId) {
        let parameters = self.world.program.classes[id].parameters.clone();
        let mark = self.type_variables.len();
        self.know_parameters(&parameters);
        let superclasses = self.context(class.context);
        self.world.program.classes[id].superclasses = superclasses;
        let arguments: Vec<TyId> =
            parameters.iter().map(|&parameter| self.types().skolem_type(parameter)).collect();
        let this = self.types().constraint(id, &arguments);
        let tree = self.tree;
        for dependency in tree.list(class.dependencies) {
            let from = self.parameter_numbers(&parameters, dependency.from);
            let to = self.parameter_numbers(&parameters, dependency.to);
            self.world.program.classes[id].dependencies.push((from, to));
        }
        let mut index = 0;
        for &member in tree.list(class.decls) {
            let Decl::Signature { names, declared } = *tree.get(member) else { continue };
            let scheme = self.signature(declared);
            for _ in tree.list(names) {
                self.declare_method(id, index, scheme, this, &parameters);
                index += 1;
            }
        }
        self.type_variables.truncate(mark);
        self.find_defaults(class, id);
    }

    fn declare_method(
        &mut self,
        class: ClassId,
        index: usize,
        scheme: crate::types::SchemeId,
        this: Constraint,
        parameters: &[SkolemId],
    ) {
        let Scheme { variables, context, body } = self.types().scheme(scheme).clone();
        let whole = Scheme {
            variables: parameters.iter().chain(&variables).copied().collect(),
            context: std::iter::once(this).chain(context.iter().copied()).collect(),
            body,
        };
        let whole = self.types().add_scheme(whole);
        let Some(method) = self.world.program.classes[class].methods.get_mut(index) else { return };
        method.variables = variables.into();
        method.context = context.into();
        method.body = body;
        let value = method.value;
        let span = self.world.program.values[value].span;
        self.check_ambiguity(whole, span);
        self.world.program.values[value].scheme = whole;
        self.world.program.values[value].declared = true;
    }

    fn parameter_numbers(&mut self, parameters: &[SkolemId], names: List<tree::Name>) -> Vec<u32> {
        let mut numbers = Vec::new();
        for name in self.tree.list(names) {
            let found = parameters
                .iter()
                .position(|&parameter| self.types().skolem(parameter).name == Some(name.symbol));
            match found {
                Some(number) => numbers.push(number as u32),
                None => {
                    let message = format!("`{}` is not a parameter of this class", self.text(name.symbol));
                    let span = self.span_of(name.place);
                    self.diagnostics.push(Diagnostic::error(message).at(span, ""));
                }
            }
        }
        numbers
    }

    fn find_defaults(&mut self, class: &tree::Class, id: ClassId) {
        let tree = self.tree;
        for &member in tree.list(class.decls) {
            let Decl::Function { name, .. } = tree.get(member) else { continue };
            let methods = &self.world.program.classes[id].methods;
            let found =
                methods.iter().position(|method| self.world.program.values[method.value].name == name.symbol);
            match found {
                None => self.not_a_method(id, *name),
                Some(index) => {
                    let method = &mut self.world.program.classes[id].methods[index];
                    let before = method.default.replace(member);
                    if let Some(before) = before {
                        let before = self.tree.span(before);
                        self.duplicate("defined", *name, Some(before));
                    }
                }
            }
        }
    }

    pub(crate) fn not_a_method(&mut self, class: ClassId, name: tree::Name) {
        let info = &self.world.program.classes[class];
        let (text, class_name) = (self.text(name.symbol).to_owned(), self.text(info.name).to_owned());
        let methods = info.methods.iter().map(|method| self.world.program.values[method.value].name);
        let near = self.nearest(&text, methods);
        let message = format!("`{text}` is not a method of the class `{class_name}`");
        let mut diagnostic = Diagnostic::error(message).at(self.span_of(name.place), "");
        let names: Vec<String> = info
            .methods
            .iter()
            .map(|method| format!("`{}`", self.text(self.world.program.values[method.value].name)))
            .collect();
        let hint = match (near, text.as_str(), class_name.as_str()) {
            (Some(near), _, _) => format!("Perhaps `{near}` is meant."),
            (None, "fail", "Monad") => "It is a method of `MonadFail`: `instance MonadFail ...`.".to_owned(),
            (None, _, _) if names.is_empty() => "The class has no methods.".to_owned(),
            (None, _, _) => format!("Its methods are {}.", names.join(", ")),
        };
        diagnostic = diagnostic.with_hint(hint);
        self.diagnostics.push(diagnostic);
    }

    fn default_kinds(&mut self, decls: &[(DeclId, TypeEntity)]) {
        let star = self.star();
        for &(_, entity) in decls {
            let kinds = match entity {
                TypeEntity::Type(id) => vec![self.world.program.type_constructors[id].kind],
                TypeEntity::Class(id) => self.world.program.classes[id].kinds.clone(),
            };
            for meta in self.types().metas_of(&kinds) {
                self.types().link(meta, star);
            }
        }
    }

    /// A class must not be its own superclass.
    fn cut_superclass_cycles(&mut self, decls: &[(DeclId, TypeEntity)]) {
        let classes: Vec<ClassId> = decls
            .iter()
            .filter_map(|(_, entity)| match entity {
                TypeEntity::Class(class) => Some(*class),
                TypeEntity::Type(_) => None,
            })
            .collect();
        let number = |class: ClassId| classes.iter().position(|&other| other == class);
        let edges: Vec<Vec<usize>> = classes
            .iter()
            .map(|&class| {
                let superclasses = &self.world.program.classes[class].superclasses;
                superclasses.iter().filter_map(|superclass| number(superclass.class)).collect()
            })
            .collect();
        for group in components::sort(&edges) {
            if group.len() == 1 && !edges[group[0]].contains(&group[0]) {
                continue;
            }
            let info = &self.world.program.classes[classes[group[0]]];
            let message = format!("the class `{}` is its own superclass", self.text(info.name));
            let mut diagnostic = Diagnostic::error(message).at(info.span, "");
            for &other in &group[1..] {
                let other = self.world.program.classes[classes[other]].span;
                diagnostic = diagnostic.and(other, "by way of this one");
            }
            self.diagnostics.push(diagnostic);
            for &at in &group {
                self.world.program.classes[classes[at]].superclasses.clear();
            }
        }
    }
}
