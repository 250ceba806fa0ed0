//! Derived instances (Haskell 2010 §4.3.3 and chapter 11): heads, contexts, and what each field needs.
//!
//! The contexts of all derived instances of a module are the least ones that satisfy each other: they begin empty and
//! grow until the constraints of every field follow from them. The code is made later, from [`Derived`].

use gadfly_source::{Diagnostic, Span};
use gadfly_syntax::tree::{self, Decl, DeclId, Strategy, Type, TypeId};

use crate::builtin;
use crate::checker::Checker;
use crate::infer::{Cause, Origin};
use crate::interface::{ClassId, ConstructorId, Derived, InstanceId, Shape, TypeConId};
use crate::known::KnownClass;
use crate::types::{Constraint, SkolemId, Ty, TyId};

/// How an instance is to be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Field by field.
    Stock,
    /// Only for types whose constructors have no fields.
    Enumeration,
    /// Along the last parameter.
    Mapping,
    /// By the type inside a `newtype`.
    Newtype,
    /// All methods are defaults.
    Defaults,
}

/// A derived instance.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    instance: InstanceId,
    class: ClassId,
    of: TypeConId,
    way: Way,
    /// The class's arguments before the type.
    before: Vec<TyId>,
    /// What the type's parameters are in this instance.
    arguments: Vec<TyId>,
    /// The type whose instance is taken over, if one was said.
    via: Option<TyId>,
    span: Span,
    /// Whether the context was written.
    fixed: bool,
    /// Whether the program did not ask for it: it is left out where it cannot be derived.
    silent: bool,
}

/// Where we are in a field's type.
#[derive(Clone, Copy)]
struct Walk {
    /// The parameter that is looked for.
    last: SkolemId,
    origin: Origin,
    /// Whether a value here is given, not taken: left of an arrow it is the other way round.
    positive: bool,
    depth: u32,
}

/// How deep a field's type may be for an instance along the last parameter.
const SHAPE_LIMIT: u32 = 100;

impl Checker<'_> {
    /// Adds all derived instances with their contexts.
    pub(crate) fn declare_derivings(&mut self) {
        let tree = self.tree;
        let mut requests = Vec::new();
        for (decl, entity) in self.type_decls.clone() {
            let (Decl::Data(data), crate::scope::TypeEntity::Type(of)) = (tree.get(decl), entity) else {
                continue;
            };
            for deriving in tree.list(data.derivings) {
                requests.extend(self.derive(decl, of, deriving.class, deriving.strategy));
            }
        }
        for &decl in tree.list(self.syntax.decls) {
            if let Decl::StandaloneDeriving(strategy, written) = tree.get(decl) {
                requests.extend(self.derive_standalone(decl, *strategy, written));
            }
        }
        self.derive_data(&mut requests);
        self.find_contexts(&mut requests);
        for request in requests {
            self.world.program.instances[request.instance].derived =
                Some(Derived::Defaults { of: request.of });
            self.derivings.insert(request.instance, request);
        }
    }

    /// The class and its arguments in a `deriving`.
    fn derived_class(&mut self, written: TypeId) -> Option<(ClassId, Vec<TypeId>, Span)> {
        let mut at = written;
        while let Type::Paren(inside) = *self.tree.get(at) {
            at = inside;
        }
        let (name, head, arguments) = match *self.tree.get(at) {
            Type::Con(name) => (name, at, Vec::new()),
            Type::Apply { function, arguments } => match *self.tree.get(function) {
                Type::Con(name) => (name, function, self.tree.list(arguments).to_vec()),
                _ => return None,
            },
            _ => return None,
        };
        let class = self.lookup_class(name, self.tree.place(head))?;
        Some((class, arguments, self.tree.span(written)))
    }

    fn derive(
        &mut self,
        decl: DeclId,
        of: TypeConId,
        written: TypeId,
        strategy: Strategy,
    ) -> Option<Request> {
        let (class, arguments, span) = self.derived_class(written)?;
        let kinds = self.world.program.classes[class].kinds.clone();
        if arguments.len() + 1 != kinds.len() {
            self.cannot_derive(class, of, span, "the class has other parameters");
            return None;
        }
        let parameters = self.world.program.type_constructors[of].parameters.clone();
        let mark = self.type_variables.len();
        for &parameter in &parameters {
            if let Some(symbol) = self.types().skolem(parameter).name {
                let kind = self.skolem_kinds[&parameter];
                self.know_type_variable(symbol, parameter, kind);
            }
        }
        let mut before = Vec::new();
        for (&argument, &kind) in arguments.iter().zip(&kinds) {
            before.push(self.convert_as(argument, kind));
        }
        let via = self.via(strategy, &kinds, &parameters);
        self.type_variables.truncate(mark);
        let dropped = self.kind_arity(*kinds.last()?);
        if dropped > parameters.len() {
            self.cannot_derive(class, of, span, "the type has too few parameters");
            return None;
        }
        let way = self.way(class, of, strategy, span)?;
        let types: Vec<TyId> =
            parameters.iter().map(|&parameter| self.types().skolem_type(parameter)).collect();
        let head = self.types().con(of);
        let head = self.types().apply(head, &types[..types.len() - dropped]);
        let mut all = before.clone();
        all.push(head);
        let variables = parameters[..parameters.len() - dropped].to_vec();
        let instance = self.add_instance(class, decl, span, variables, Vec::new(), &all)?;
        Some(Request {
            instance,
            class,
            of,
            way,
            before,
            arguments: types,
            via,
            span,
            fixed: false,
            silent: false,
        })
    }

    fn derive_standalone(
        &mut self,
        decl: DeclId,
        strategy: Strategy,
        written: &tree::Instance,
    ) -> Option<Request> {
        let name = self.tree.name(written.class);
        let class = self.lookup_class(name.name, name.place)?;
        let types = self.tree.list(written.types);
        let kinds = self.world.program.classes[class].kinds.clone();
        if kinds.len() != types.len() {
            return None;
        }
        let mark = self.type_variables.len();
        let mut all: Vec<TypeId> = types.to_vec();
        all.extend(self.tree.list(written.context));
        if let Strategy::Via(via) = strategy {
            all.push(via);
        }
        let variables = self.quantify_free(&all);
        let context = self.context(written.context);
        let via = self.via(strategy, &kinds, &[]);
        let mut converted = Vec::new();
        for (&ty, &kind) in types.iter().zip(&kinds) {
            converted.push(self.convert_as(ty, kind));
        }
        self.type_variables.truncate(mark);
        let span = types.iter().fold(self.span_of(name.place), |span, &ty| span.to(self.tree.span(ty)));
        let (&last, before) = converted.split_last()?;
        let (head, mut arguments) = self.types().unapply(last);
        let Ty::Con(of) = self.types().view(head) else {
            self.diagnostics.push(
                Diagnostic::error("only instances of data types can be derived").at(span, "").with_hint(
                    "The last argument of the class must be a type that `data` or `newtype` declares.",
                ),
            );
            return None;
        };
        let way = self.way(class, of, strategy, span)?;
        let parameters = self.world.program.type_constructors[of].parameters.clone();
        for &parameter in parameters.iter().skip(arguments.len()) {
            let ty = self.types().skolem_type(parameter);
            arguments.push(ty);
        }
        let before = before.to_vec();
        let instance = self.add_instance(class, decl, span, variables, context, &converted)?;
        Some(Request { instance, class, of, way, before, arguments, via, span, fixed: true, silent: false })
    }

    /// The type after `via`. Its own variables are those of the type that the instance is for.
    fn via(&mut self, strategy: Strategy, kinds: &[TyId], parameters: &[SkolemId]) -> Option<TyId> {
        let Strategy::Via(written) = strategy else { return None };
        for &parameter in parameters {
            if let Some(symbol) = self.types().skolem(parameter).name {
                let kind = self.skolem_kinds[&parameter];
                self.know_type_variable(symbol, parameter, kind);
            }
        }
        Some(self.convert_as(written, *kinds.last()?))
    }

    /// How many arguments types of a kind take.
    fn kind_arity(&mut self, kind: TyId) -> usize {
        let mut arity = 0;
        let mut kind = kind;
        while let Ty::Fun(_, rest) = self.types().view(kind) {
            arity += 1;
            kind = rest;
        }
        arity
    }

    fn way(&mut self, class: ClassId, of: TypeConId, strategy: Strategy, span: Span) -> Option<Way> {
        let newtype = self.world.program.type_constructors[of].is_newtype();
        let name = self.text(self.world.program.classes[class].name);
        let stock = match name {
            "Eq" | "Ord" | "Show" | "Read" | "Bounded" | "Ix" => Some(Way::Stock),
            "Data" if self.options.curry => Some(Way::Stock),
            "Enum" => Some(Way::Enumeration),
            "Functor" | "Foldable" | "Traversable" => Some(Way::Mapping),
            _ => None,
        };
        let marker = self.world.program.classes[class].methods.is_empty();
        let way = match strategy {
            Strategy::Newtype => newtype.then_some(Way::Newtype),
            Strategy::Via(_) => Some(Way::Newtype),
            Strategy::AnyClass => Some(Way::Defaults),
            Strategy::Stock => stock,
            Strategy::Default => match stock {
                // An enumeration it is not, but the type inside may be one.
                Some(Way::Enumeration) if newtype => Some(Way::Newtype),
                Some(way) => Some(way),
                None if newtype && !marker && self.by_newtype() => Some(Way::Newtype),
                // A class without methods, such as `Typeable`, needs no code.
                None if self.options.any_class_deriving || marker => Some(Way::Defaults),
                None => None,
            },
        };
        let Some(way) = way else {
            self.cannot_derive(class, of, span, "this class cannot be derived");
            return None;
        };
        let wrong = self.wrong_for(way, name, of);
        if let Some(wrong) = wrong {
            self.cannot_derive(class, of, span, wrong);
            return None;
        }
        Some(way)
    }

    /// Whether a newtype without a `deriving` strategy takes the instances of the type inside.
    fn by_newtype(&self) -> bool {
        self.options.newtype_deriving || !self.options.any_class_deriving
    }

    /// Why a type cannot have a class derived in this way.
    fn wrong_for(&self, way: Way, class: &str, of: TypeConId) -> Option<&'static str> {
        let constructors = self.world.program.type_constructors[of].constructors();
        let info = |constructor: &ConstructorId| &self.world.program.constructors[*constructor];
        let enumeration = !constructors.is_empty()
            && constructors.iter().all(|constructor| info(constructor).fields.is_empty());
        if way == Way::Enumeration && !enumeration {
            return Some("its constructors must have no fields");
        }
        if way == Way::Stock && matches!(class, "Bounded" | "Ix") && !enumeration && constructors.len() != 1 {
            return Some("it must have one constructor, or constructors without fields");
        }
        if way == Way::Stock && constructors.iter().any(|constructor| !info(constructor).exists.is_empty()) {
            return Some("a constructor has a type variable of its own");
        }
        None
    }

    fn cannot_derive(&mut self, class: ClassId, of: TypeConId, span: Span, why: &str) {
        let class = self.text(self.world.program.classes[class].name);
        let of = self.text(self.world.program.type_constructors[of].name);
        // Contexts are found by trying again and again.
        if !self.missing.insert(format!("derive {class} {of}")) {
            return;
        }
        self.diagnostics.push(
            Diagnostic::error(format!("`{class}` cannot be derived for `{of}`"))
                .at(span, why)
                .with_hint(format!("Write an instance: `instance {class} ...`.")),
        );
    }

    /// In Curry, every data type is an instance of `Data`, if the library has that class and its fields allow it.
    fn derive_data(&mut self, requests: &mut Vec<Request>) {
        let Some(class) = self.world.program.known.class(KnownClass::Data) else { return };
        for (decl, entity) in self.type_decls.clone() {
            let (Decl::Data(data), crate::scope::TypeEntity::Type(of)) = (self.tree.get(decl), entity) else {
                continue;
            };
            if data.external || self.world.facts.by_head.contains_key(&(class, of)) {
                continue;
            }
            if self.wrong_for(Way::Stock, "Data", of).is_some() {
                continue;
            }
            let parameters = self.world.program.type_constructors[of].parameters.clone();
            let types: Vec<TyId> =
                parameters.iter().map(|&parameter| self.types().skolem_type(parameter)).collect();
            let head = self.types().con(of);
            let head = self.types().apply(head, &types);
            let span = self.span_of(data.name.place);
            let Some(instance) = self.add_instance(class, decl, span, parameters, Vec::new(), &[head]) else {
                continue;
            };
            requests.push(Request {
                instance,
                class,
                of,
                way: Way::Stock,
                before: Vec::new(),
                arguments: types,
                via: None,
                span,
                fixed: false,
                silent: true,
            });
        }
    }

    /// Lets contexts grow until they are enough.
    fn find_contexts(&mut self, requests: &mut Vec<Request>) {
        for _ in 0..64 {
            let mut changed = false;
            let mut impossible = Vec::new();
            for (at, request) in requests.iter().enumerate() {
                if request.fixed {
                    continue;
                }
                match self.needed_context(request) {
                    Some(context) => {
                        let old = self.world.program.instances[request.instance].context.len();
                        changed |= context.len() != old;
                        self.world.program.instances[request.instance].context = context;
                    }
                    None if request.silent => impossible.push(at),
                    None => {}
                }
            }
            for at in impossible.into_iter().rev() {
                changed = true;
                let request = requests.remove(at);
                self.remove_instance(request.instance, request.class, request.of);
            }
            if !changed {
                return;
            }
        }
    }

    fn remove_instance(&mut self, instance: InstanceId, class: ClassId, of: TypeConId) {
        if let Some(instances) = self.world.facts.by_head.get_mut(&(class, of)) {
            instances.retain(|&other| other != instance);
        }
        self.own_instances.retain(|&other| other != instance);
    }

    /// The constraints on type variables that follow from those of the fields; `None` if one cannot be
    /// satisfied.
    fn needed_context(&mut self, request: &Request) -> Option<Vec<Constraint>> {
        let start = self.wanted.len();
        self.want_fields(request);
        let mut context: Vec<Constraint> = Vec::new();
        let mut possible = true;
        let mut next = start;
        while next < self.wanted.len() && next < start + 100_000 {
            let wanted = self.wanted[next];
            next += 1;
            if self.find_quietly(&wanted) {
                continue;
            }
            let first = self.types().list(wanted.constraint.arguments).last().copied();
            let head = first.map(|ty| self.types().head(ty).0);
            match head {
                Some(Ty::Skolem(_)) => {
                    let known = context.iter().any(|other| self.same_constraint(*other, wanted.constraint));
                    if !known {
                        context.push(wanted.constraint);
                    }
                }
                Some(Ty::Error) => {}
                _ => possible = false,
            }
        }
        self.wanted.truncate(start);
        let parameters = self.world.program.instances[request.instance].variables.clone();
        let position = |this: &mut Self, constraint: &Constraint| {
            let arguments = this.types().list(constraint.arguments).to_vec();
            let skolems = this.types().skolems_of(&arguments);
            skolems.iter().filter_map(|skolem| parameters.iter().position(|other| other == skolem)).min()
        };
        let mut keyed: Vec<(Option<usize>, Constraint)> = Vec::new();
        for constraint in context {
            let at = position(self, &constraint);
            keyed.push((at, constraint));
        }
        keyed.sort_by_key(|(at, constraint)| (*at, constraint.class));
        possible.then(|| keyed.into_iter().map(|(_, constraint)| constraint).collect())
    }

    fn same_constraint(&self, a: Constraint, b: Constraint) -> bool {
        let types = &self.world.program.types;
        a.class == b.class
            && types.list(a.arguments).iter().zip(types.list(b.arguments)).all(|(&a, &b)| types.same(a, b))
    }

    /// Asks for what a derived instance needs.
    fn want_fields(&mut self, request: &Request) -> Derived {
        let origin = Origin { span: request.span, cause: Cause::Field(request.class) };
        let of = request.of;
        let parameters = self.world.program.type_constructors[of].parameters.clone();
        let constructors = self.world.program.type_constructors[of].constructors().to_vec();
        let pairs: Vec<(SkolemId, TyId)> =
            parameters.iter().copied().zip(request.arguments.iter().copied()).collect();
        for &constructor in &constructors {
            self.want_demands(constructor, &pairs, origin);
        }
        match request.way {
            Way::Defaults => Derived::Defaults { of },
            Way::Enumeration => {
                Derived::Stock { of, fields: constructors.iter().map(|_| Vec::new()).collect() }
            }
            Way::Stock => {
                let mut fields = Vec::new();
                for constructor in constructors {
                    let mut found = Vec::new();
                    for field in self.world.program.constructors[constructor].fields.clone() {
                        let ty = self.types().substitute(field.declared, &parameters, &request.arguments);
                        let mut all = request.before.clone();
                        all.push(ty);
                        let constraint = self.types().constraint(request.class, &all);
                        found.push(self.want(constraint, origin));
                    }
                    fields.push(found);
                }
                Derived::Stock { of, fields }
            }
            Way::Newtype => {
                let inside = match request.via {
                    Some(via) => self.types().substitute(via, &parameters, &request.arguments),
                    None => self.newtype_inside(request, &parameters, &constructors),
                };
                let mut all = request.before.clone();
                all.push(inside);
                let constraint = self.types().constraint(request.class, &all);
                let cause = if request.via.is_some() { Cause::Via(request.class) } else { origin.cause };
                Derived::Newtype { of, inside: self.want(constraint, Origin { cause, ..origin }) }
            }
            Way::Mapping => {
                let Some(&last) = parameters.last() else { return Derived::Defaults { of } };
                let mut fields = Vec::new();
                for constructor in constructors {
                    let mut found = Vec::new();
                    for field in self.world.program.constructors[constructor].fields.clone() {
                        let kept = parameters.len() - 1;
                        let ty = self.types().substitute(
                            field.declared,
                            &parameters[..kept],
                            &request.arguments[..kept],
                        );
                        let walk = Walk { last, origin, positive: true, depth: 0 };
                        found.push(self.shape(request, ty, walk));
                    }
                    fields.push(found);
                }
                Derived::Mapping { of, fields }
            }
        }
    }

    /// The type inside a newtype, without the parameters that the class takes.
    fn newtype_inside(
        &mut self,
        request: &Request,
        parameters: &[SkolemId],
        constructors: &[ConstructorId],
    ) -> TyId {
        let declared = constructors
            .first()
            .and_then(|&constructor| self.world.program.constructors[constructor].fields.first())
            .map_or(crate::types::Types::ERROR, |field| field.declared);
        let kind = self.world.program.classes[request.class].kinds.last().copied();
        let dropped = kind.map_or(0, |kind| self.kind_arity(kind));
        let mut inside = declared;
        for &parameter in parameters.iter().rev().take(dropped) {
            let types = &mut self.world.program.types;
            let (function, argument) = match types.view(inside) {
                Ty::App(function, argument) => (function, argument),
                Ty::Fun(from, to) => {
                    let arrow = types.con(builtin::ARROW);
                    (types.app(arrow, from), to)
                }
                _ => break,
            };
            if types.view(argument) == Ty::Skolem(parameter) {
                inside = function;
                continue;
            }
            self.cannot_derive(
                request.class,
                request.of,
                request.span,
                "the type inside does not end with the last parameter",
            );
            return crate::types::Types::ERROR;
        }
        self.types().substitute(inside, parameters, &request.arguments)
    }

    /// How a field's type has the last parameter inside.
    fn shape(&mut self, request: &Request, ty: TyId, walk: Walk) -> Shape {
        if !self.types().skolems_of(&[ty]).contains(&walk.last) {
            return Shape::Constant;
        }
        if walk.depth > SHAPE_LIMIT {
            self.cannot_derive(request.class, request.of, request.span, "a field's type is nested too deep");
            return Shape::Constant;
        }
        let inner = Walk { depth: walk.depth + 1, ..walk };
        match self.types().view(ty) {
            Ty::Skolem(_) if walk.positive => Shape::Parameter,
            Ty::Skolem(_) => {
                let why = "the last parameter is an argument of a function";
                self.cannot_derive(request.class, request.of, request.span, why);
                Shape::Constant
            }
            Ty::Fun(from, to) => {
                if self.text(self.world.program.classes[request.class].name) != "Functor" {
                    let why = "the last parameter stands inside a function";
                    self.cannot_derive(request.class, request.of, request.span, why);
                    return Shape::Constant;
                }
                // An argument of an argument is given, not taken: `(a -> r) -> r` has an `a`.
                let from = self.shape(request, from, Walk { positive: !walk.positive, ..inner });
                let to = self.shape(request, to, inner);
                Shape::Function(Box::new(from), Box::new(to))
            }
            Ty::App(function, argument) => {
                let (head, arguments) = self.types().unapply(ty);
                if let Ty::Con(constructor) = self.types().view(head)
                    && builtin::tuple_arity(constructor) == Some(arguments.len())
                {
                    let parts = arguments.into_iter();
                    return Shape::Tuple(parts.map(|part| self.shape(request, part, inner)).collect());
                }
                if self.types().skolems_of(&[function]).contains(&walk.last) {
                    let why = "the last parameter stands inside another argument of a field's type";
                    self.cannot_derive(request.class, request.of, request.span, why);
                    return Shape::Constant;
                }
                let constraint = self.types().constraint(request.class, &[function]);
                let dictionary = self.want(constraint, walk.origin);
                let inside = self.shape(request, argument, inner);
                Shape::Inside(dictionary, Box::new(inside))
            }
            _ => Shape::Constant,
        }
    }

    /// Finds the dictionaries of a derived instance, when its context is known.
    pub(crate) fn derive_fields(&mut self, instance: InstanceId) {
        let Some(request) = self.derivings.get(&instance).cloned() else { return };
        let start = self.wanted.len();
        let derived = self.want_fields(&request);
        self.solve(start);
        self.world.program.instances[instance].derived = Some(derived);
    }
}
