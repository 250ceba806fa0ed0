//! Instances and the methods of classes: heads first, bodies when all heads are known.

use gadfly_source::{Diagnostic, Span};
use gadfly_syntax::tree::{self, Decl, DeclId, TypeId};

use crate::builtin::ARROW;
use crate::checker::Checker;
use crate::infer::{Cause, Expect, Origin, Why};
use crate::interface::{Binding, ClassId, DictVars, Entity, Instance, InstanceId, MethodBody, TypeConId};
use crate::types::{Constraint, Scheme, SkolemId, Ty, TyId};

impl Checker<'_> {
    /// The heads of all instances that the module writes out.
    pub(crate) fn declare_instances(&mut self) {
        let tree = self.tree;
        for &decl in tree.list(self.syntax.decls) {
            if let Decl::Instance(instance) = tree.get(decl) {
                self.declare_instance(decl, instance);
            }
        }
    }

    fn declare_instance(&mut self, decl: DeclId, written: &tree::Instance) {
        let head = self.tree.name(written.class);
        let Some(class) = self.lookup_class(head.name, head.place) else { return };
        let types = self.tree.list(written.types);
        let mark = self.type_variables.len();
        let mut all: Vec<TypeId> = types.to_vec();
        all.extend(self.tree.list(written.context));
        let variables = self.quantify_free(&all);
        let context = self.context(written.context);
        let arguments = self.instance_arguments(class, head.place, types);
        self.type_variables.truncate(mark);
        let Some(arguments) = arguments else { return };
        if arguments.iter().any(|&ty| self.types().view(ty) == Ty::Error) {
            return;
        }
        let span = types.iter().fold(self.span_of(head.place), |span, &ty| span.to(self.tree.span(ty)));
        if let Some(instance) = self.add_instance(class, decl, span, variables, context, &arguments) {
            let all = self.options.overlap;
            let own = written.overlap;
            self.world.program.instances[instance].overlap = tree::Overlap {
                overlapping: own.overlapping || all.overlapping,
                overlappable: own.overlappable || all.overlappable,
                incoherent: own.incoherent || all.incoherent,
            };
        }
    }

    fn instance_arguments(
        &mut self,
        class: ClassId,
        place: tree::Place,
        types: &[TypeId],
    ) -> Option<Vec<TyId>> {
        let kinds = self.world.program.classes[class].kinds.clone();
        if kinds.len() != types.len() {
            let name = self.text(self.world.program.classes[class].name);
            let takes = crate::convert::count(kinds.len(), "argument");
            let message = format!("the class `{name}` takes {takes}, not {}", types.len());
            let span = self.span_of(place);
            self.diagnostics.push(Diagnostic::error(message).at(span, ""));
            return None;
        }
        Some(types.iter().zip(kinds).map(|(&ty, kind)| self.convert_as(ty, kind)).collect())
    }

    /// A new instance, unless there is one for the same types.
    pub(crate) fn add_instance(
        &mut self,
        class: ClassId,
        decl: DeclId,
        span: Span,
        variables: Vec<SkolemId>,
        context: Vec<Constraint>,
        arguments: &[TyId],
    ) -> Option<InstanceId> {
        let constructor = match (arguments, arguments.first().map(|&ty| self.types().head(ty).0)) {
            ([_], Some(Ty::Con(constructor))) => Some(constructor),
            ([_], Some(Ty::Fun(..))) => Some(ARROW),
            _ => None,
        };
        let list = self.types().add_list(arguments);
        let instance = self.world.program.instances.push(Instance {
            class,
            module: self.module,
            span,
            decl,
            overlap: tree::Overlap::default(),
            variables,
            context,
            arguments: list,
            dictionaries: DictVars::EMPTY,
            superclasses: Vec::new(),
            methods: Vec::new(),
            derived: None,
        });
        if self.is_duplicate(instance, class, constructor) || self.breaks_dependency(instance, class) {
            return None;
        }
        match constructor {
            Some(constructor) => {
                self.world.facts.by_head.entry((class, constructor)).or_default().push(instance);
            }
            None => self.world.facts.other_instances.entry(class).or_default().push(instance),
        }
        self.own_instances.push(instance);
        Some(instance)
    }

    fn is_duplicate(&mut self, instance: InstanceId, class: ClassId, head: Option<TypeConId>) -> bool {
        let others = match head {
            Some(head) => self.world.facts.by_head.get(&(class, head)),
            None => self.world.facts.other_instances.get(&class),
        };
        for other in others.cloned().unwrap_or_default() {
            if self.is_more_special(instance, other) && self.is_more_special(other, instance) {
                let (span, before) =
                    (self.world.program.instances[instance].span, self.world.program.instances[other].span);
                let shown = self.show_instance(instance);
                self.diagnostics.push(
                    Diagnostic::error(format!("there are two instances `{shown}`"))
                        .at(span, "the second")
                        .and(before, "the first")
                        .with_hint("Remove one of them; a `newtype` can have an instance of its own."),
                );
                return true;
            }
        }
        false
    }

    /// Whether another instance agrees with this one in what determines, but not in what is determined.
    fn breaks_dependency(&mut self, instance: InstanceId, class: ClassId) -> bool {
        let dependencies = self.world.program.classes[class].dependencies.clone();
        if dependencies.is_empty() {
            return false;
        }
        for other in self.world.facts.other_instances.get(&class).cloned().unwrap_or_default() {
            for (from, to) in &dependencies {
                let (ours, theirs) = (self.fresh_head(instance), self.fresh_head(other));
                let pick = |numbers: &[u32]| -> Vec<(TyId, TyId)> {
                    numbers.iter().map(|&at| (ours[at as usize], theirs[at as usize])).collect()
                };
                let types = self.types();
                let alike = pick(from).into_iter().all(|(a, b)| types.unify(a, b).is_ok());
                if alike && pick(to).into_iter().any(|(a, b)| types.unify(a, b).is_err()) {
                    self.dependency_broken(instance, other, from, to);
                    return true;
                }
            }
        }
        false
    }

    /// The types of an instance's head, with metas in place of its variables.
    fn fresh_head(&mut self, instance: InstanceId) -> Vec<TyId> {
        let info = &self.world.program.instances[instance];
        let (variables, list) = (info.variables.clone(), info.arguments);
        let metas: Vec<TyId> = variables.iter().map(|_| self.fresh()).collect();
        let arguments = self.types().list(list).to_vec();
        arguments.into_iter().map(|ty| self.types().substitute(ty, &variables, &metas)).collect()
    }

    fn dependency_broken(&mut self, instance: InstanceId, other: InstanceId, from: &[u32], to: &[u32]) {
        let class = self.world.program.instances[instance].class;
        let dependency = self.show_dependency(class, from, to);
        let (determines, determined) = (self.show_parameters(class, from), self.show_parameters(class, to));
        let class = self.text(self.world.program.classes[class].name);
        let (one, two) = (self.show_instance(other), self.show_instance(instance));
        let (before, span) =
            (self.world.program.instances[other].span, self.world.program.instances[instance].span);
        let message = format!("the instances `{one}` and `{two}` break the dependency `{dependency}`");
        self.diagnostics.push(
            Diagnostic::error(message)
                .at(span, format!("another `{determined}` here"))
                .and(before, format!("than here, for the same `{determines}`"))
                .with_hint(format!("Remove one of them, or the dependency from the class `{class}`.")),
        );
    }

    /// The default methods of the module's classes.
    pub(crate) fn check_classes(&mut self) {
        let tree = self.tree;
        for &decl in tree.list(self.syntax.decls) {
            let Decl::Class(written) = tree.get(decl) else { continue };
            let Some(&crate::scope::TypeEntity::Class(class)) =
                self.scope.own.types.get(&written.name.symbol)
            else {
                continue;
            };
            if self.world.program.classes[class].decl != decl {
                continue;
            }
            for index in 0..self.world.program.classes[class].methods.len() {
                self.check_default(class, index);
            }
        }
    }

    fn check_default(&mut self, class: ClassId, index: usize) {
        let info = &self.world.program.classes[class];
        let parameters = info.parameters.clone();
        let method = info.methods[index].clone();
        let Some(decl) = method.default else { return };
        self.types().allow();
        let arguments: Vec<TyId> =
            parameters.iter().map(|&parameter| self.types().skolem_type(parameter)).collect();
        let this = self.types().constraint(class, &arguments);
        let mut context = vec![this];
        context.extend(&method.context);
        let variables: Vec<SkolemId> = parameters.iter().chain(&method.variables).copied().collect();
        let value = &self.world.program.values[method.value];
        let (name, span) = (value.name, value.span);
        let mark = self.type_variables.len();
        if self.options.scoped_type_variables {
            self.know_variables(&parameters);
        }
        self.check_method(decl, Entity::Value(method.value), &variables, &context, method.body, (name, span));
        self.type_variables.truncate(mark);
    }

    fn know_variables(&mut self, variables: &[SkolemId]) {
        for &variable in variables {
            if let Some(symbol) = self.types().skolem(variable).name {
                let kind = match self.skolem_kinds.get(&variable) {
                    Some(&kind) => kind,
                    None => self.fresh(),
                };
                self.know_type_variable(symbol, variable, kind);
            }
        }
    }

    /// Checks the equations of a method against its type.
    fn check_method(
        &mut self,
        decl: DeclId,
        entity: Entity,
        variables: &[SkolemId],
        context: &[Constraint],
        body: TyId,
        signature: (gadfly_syntax::names::Symbol, Span),
    ) {
        let Decl::Function { rules, .. } = *self.tree.get(decl) else { return };
        let rules = self.tree.list(rules);
        let (start, given, trouble) = (self.wanted.len(), self.given, self.trouble());
        if self.types().has_error(body) {
            self.unknown_uses += 1;
        }
        self.level += 1;
        let level = self.level;
        for &variable in variables {
            self.types().set_skolem_level(variable, level);
        }
        let dictionaries = self.bind_dictionaries(context);
        self.give(context, dictionaries, Some(signature));
        self.rules(rules, Expect::new(body, Why::Method(signature.0)));
        self.level -= 1;
        self.given = given;
        self.solve(start);
        if self.trouble() > trouble {
            self.wanted.truncate(start);
        }
        let group = self.next_group;
        self.next_group += 1;
        self.notes.bindings.insert(decl, Binding { entity, dictionaries, group });
        if self.types().overflowed() {
            self.types_too_large(decl);
        }
    }

    /// The methods and superclasses of the module's instances.
    pub(crate) fn check_instances(&mut self) {
        for index in 0..self.own_instances.len() {
            self.check_instance(self.own_instances[index]);
        }
    }

    fn check_instance(&mut self, instance: InstanceId) {
        self.types().allow();
        let info = self.world.program.instances[instance].clone();
        let given = self.given;
        self.level += 1;
        let level = self.level;
        for &variable in &info.variables {
            self.types().set_skolem_level(variable, level);
        }
        let dictionaries = self.bind_dictionaries(&info.context);
        self.give(&info.context, dictionaries, None);
        self.givens[self.given].instance = Some(instance);
        self.world.program.instances[instance].dictionaries = dictionaries;
        let superclasses = self.instance_superclasses(&info);
        self.world.program.instances[instance].superclasses = superclasses;
        match self.tree.get(info.decl) {
            Decl::Instance(written) if info.derived.is_none() => {
                let mark = self.type_variables.len();
                if self.options.scoped_type_variables {
                    self.know_variables(&info.variables);
                }
                self.instance_methods(instance, &info, written);
                self.type_variables.truncate(mark);
            }
            _ => self.derive_fields(instance),
        }
        self.level -= 1;
        self.given = given;
    }

    fn instance_superclasses(&mut self, info: &Instance) -> Vec<crate::interface::DictId> {
        let class = &self.world.program.classes[info.class];
        let (parameters, superclasses) = (class.parameters.clone(), class.superclasses.clone());
        let start = self.wanted.len();
        let arguments = self.types().list(info.arguments).to_vec();
        let mut found = Vec::new();
        for superclass in superclasses {
            let types = self.types();
            types.replacing(parameters.iter().copied().zip(arguments.iter().copied()));
            let superclass = types.replace_constraint(superclass);
            let origin = Origin { span: info.span, cause: Cause::Superclass(info.class) };
            found.push(self.want(superclass, origin));
        }
        self.solve(start);
        found
    }

    fn instance_methods(&mut self, instance: InstanceId, info: &Instance, written: &tree::Instance) {
        let methods = self.world.program.classes[info.class].methods.clone();
        let mut bodies: Vec<Option<DeclId>> = vec![None; methods.len()];
        let mut signatures: Vec<Option<TypeId>> = vec![None; methods.len()];
        let tree = self.tree;
        for &decl in tree.list(written.decls) {
            match *tree.get(decl) {
                Decl::Function { name, .. } => match self.method_number(&methods, name.symbol) {
                    None => self.not_a_method(info.class, name),
                    Some(number) => {
                        if let Some(before) = bodies[number].replace(decl) {
                            let before = tree.span(before);
                            self.duplicate("defined", name, Some(before));
                        }
                    }
                },
                Decl::Signature { names, declared } => {
                    for &name in tree.list(names) {
                        match self.method_number(&methods, name.symbol) {
                            None => self.not_a_method(info.class, name),
                            Some(number) => signatures[number] = Some(declared),
                        }
                    }
                }
                _ => {}
            }
        }
        let mut result = Vec::with_capacity(methods.len());
        let mut missing = Vec::new();
        for (number, method) in methods.iter().enumerate() {
            result.push(match bodies[number] {
                Some(decl) => {
                    self.instance_method(info, method, decl, signatures[number]);
                    MethodBody::Defined(decl)
                }
                None if method.default.is_some() => MethodBody::Default,
                None => {
                    missing.push(self.world.program.values[method.value].name);
                    MethodBody::Missing
                }
            });
        }
        self.world.program.instances[instance].methods = result;
        if !missing.is_empty() {
            let names: Vec<String> = missing.iter().map(|&name| format!("`{}`", self.text(name))).collect();
            let what = if names.len() == 1 { "method" } else { "methods" };
            let shown = self.show_instance(instance);
            let message = format!("the instance `{shown}` does not define the {what} {}", names.join(", "));
            let note = "There is no default; using it would be an error.";
            self.warnings.push(Diagnostic::warning(message).at(info.span, "").with_note(note));
        }
    }

    fn method_number(
        &self,
        methods: &[crate::interface::Method],
        name: gadfly_syntax::names::Symbol,
    ) -> Option<usize> {
        methods.iter().position(|method| self.world.program.values[method.value].name == name)
    }

    fn instance_method(
        &mut self,
        info: &Instance,
        method: &crate::interface::Method,
        decl: DeclId,
        signature: Option<TypeId>,
    ) {
        let parameters = self.world.program.classes[info.class].parameters.clone();
        let arguments = self.types().list(info.arguments).to_vec();
        // The method's type at the instance's types, with variables of its own.
        self.level += 1;
        let scheme = Scheme {
            variables: method.variables.clone().into(),
            context: method.context.clone().into(),
            body: method.body,
        };
        let (variables, context, body) = self.fresh_skolems(&scheme);
        self.level -= 1;
        let pairs: Vec<(SkolemId, TyId)> =
            parameters.iter().copied().zip(arguments.iter().copied()).collect();
        self.types().replacing(pairs);
        let body = self.types().replace(body);
        let context: Vec<Constraint> =
            context.iter().map(|&constraint| self.types().replace_constraint(constraint)).collect();
        let value = &self.world.program.values[method.value];
        let (name, span) = (value.name, value.span);
        let mark = self.type_variables.len();
        let (mut variables, mut body) = (variables, body);
        if let Some(signature) = signature {
            self.level += 1;
            let general = self.instance_signature(signature, body, name);
            self.level -= 1;
            if let Some(general) = general {
                variables.extend(&general.variables);
                body = general.body;
            }
        }
        self.method_type = Some(body);
        self.check_method(decl, Entity::Value(method.value), &variables, &context, body, (name, span));
        self.method_type = None;
        self.type_variables.truncate(mark);
    }

    /// A signature in an instance must fit the method's type; its variables name parts of it. The signature
    /// is returned if it is more general than the class requires; the equations are then checked against it.
    fn instance_signature(
        &mut self,
        written: TypeId,
        body: TyId,
        name: gadfly_syntax::names::Symbol,
    ) -> Option<Scheme> {
        let mark = self.type_variables.len();
        let scheme = self.signature(written);
        let parts = self.types().scheme(scheme).clone();
        let metas: Vec<TyId> = parts.variables.iter().map(|_| self.fresh()).collect();
        let ty = self.types().substitute(parts.body, &parts.variables, &metas);
        if let Err(clash) = self.types().unify(body, ty) {
            let span = self.tree.span(written);
            self.mismatch(span, None, ty, Expect::new(body, Why::Method(name)), clash);
        }
        self.type_variables.truncate(mark);
        let mut stand_for: Vec<Ty> = metas.iter().map(|&meta| self.types().view(meta)).collect();
        let plain = stand_for.iter().all(|ty| matches!(ty, Ty::Skolem(_) | Ty::Error));
        stand_for.sort_by_key(|ty| format!("{ty:?}"));
        let general = !plain || stand_for.windows(2).any(|two| two[0] == two[1]);
        let general = general && parts.context.is_empty() && !self.types().has_error(parts.body);
        if self.options.scoped_type_variables {
            for (&variable, meta) in parts.variables.iter().zip(metas) {
                let ty = if general { self.types().skolem_type(variable) } else { meta };
                if let Some(symbol) = self.types().skolem(variable).name {
                    let kind = self.fresh();
                    self.type_variables.push(crate::convert::TypeVariable { symbol, ty, kind });
                }
            }
        }
        general.then_some(parts)
    }
}
