//! What the reference has: its functions by name and by place, its constructors, and the types of both.

use super::sameness;
use super::types::{Plan, Scope, Type, Types, View, Wanted};
use super::uses::{self, Uses};
use crate::Checked;
use crate::start::EXPRESSION;
use crate::tables::functions::name;
use gadfly_core::kernel::{Atom, ConId, Expr, FunId, Hidden, Origin, Pattern, Role, VarId};
use gadfly_core::{Dict, Local, Lowered};
use gadfly_source::Position;
use gadfly_term::{Equation, Shape, TermId, Terms};
use gadfly_tree::Rule;
use gadfly_typing::interface::{
    ClassId, ConstructorId, DictVar, InstanceId, LocalId, ModuleId, TypeConId, ValueId,
};
use rustc_hash::FxHashMap;

/// The reference, and tables to find things in it.
pub(crate) struct Good<'a> {
    pub(crate) checked: &'a Checked,
    pub(crate) lowered: &'a Lowered,
    /// The user's functions, by name.
    own: FxHashMap<String, Vec<FunId>>,
    /// Those of the library, and those that were derived.
    library: FxHashMap<&'a str, Vec<FunId>>,
    /// Constructors as functions.
    constructor_functions: FxHashMap<&'a str, Vec<FunId>>,
    /// The user's lambdas and sections.
    nameless: Vec<FunId>,
    paths: FxHashMap<FunId, Vec<Box<str>>>,
    values: FxHashMap<FunId, ValueId>,
    methods: FxHashMap<FunId, (InstanceId, u32)>,
    defaults: FxHashMap<FunId, (ClassId, u32)>,
    variables: FxHashMap<VarId, (ModuleId, LocalId)>,
    locals: FxHashMap<FunId, (ModuleId, LocalId)>,
    dictionaries: FxHashMap<VarId, (ModuleId, DictVar)>,
    constructors: FxHashMap<ConId, ConstructorId>,
    constructor_names: FxHashMap<&'a str, Vec<ConstructorId>>,
    /// Values that were lowered, by name: for functions inside of terms.
    value_names: FxHashMap<&'a str, Vec<ValueId>>,
    containers: FxHashMap<TypeConId, Container>,
    /// Instances by module and name, as equations call them; `None` where two have the same.
    instances: FxHashMap<String, Option<InstanceId>>,
    /// At which instances functions are used.
    pub(crate) uses: Uses,
}

/// A type of the library whose values are shown as what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// `Bin size key value left right`.
    Map,
    /// `Bin size element left right`.
    Set,
    /// The same.
    Sequence,
    /// `Array low high size elements`.
    Array,
    /// The machine's arrays.
    Elements,
    /// `numerator :% denominator`.
    Ratio,
}

const CONTAINERS: &[(&str, &str, Container)] = &[
    ("Data.Map.Internal", "Map", Container::Map),
    ("Data.Set.Internal", "Set", Container::Set),
    ("Data.Sequence", "Seq", Container::Sequence),
    ("Data.Array.Base", "Array", Container::Array),
    ("Gadfly.Primitives", "PrimArray", Container::Elements),
    ("Gadfly.Ground", "Ratio", Container::Ratio),
];

/// What a function's parameter is.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    /// A dictionary; which, if that is known.
    Dictionary(Option<Wanted>),
    /// A variable of the surroundings.
    Captured(Option<String>, Type),
    /// What the user wrote.
    Ordinary(Type),
}

/// A function's parameters and its result.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) slots: Vec<Slot>,
    pub(crate) result: Type,
}

impl<'a> Good<'a> {
    pub(crate) fn new(checked: &'a Checked, lowered: &'a Lowered) -> Good<'a> {
        let typed = &checked.program;
        let mut good = Good {
            checked,
            lowered,
            own: FxHashMap::default(),
            library: FxHashMap::default(),
            constructor_functions: FxHashMap::default(),
            nameless: Vec::new(),
            paths: FxHashMap::default(),
            values: lowered.functions.iter().map(|(&value, &function)| (function, value)).collect(),
            methods: lowered.methods.iter().map(|(&method, &function)| (function, method)).collect(),
            defaults: lowered.defaults.iter().map(|(&method, &function)| (function, method)).collect(),
            variables: FxHashMap::default(),
            locals: FxHashMap::default(),
            dictionaries: FxHashMap::default(),
            constructors: lowered.constructors.iter().map(|(&id, &con)| (con, id)).collect(),
            constructor_names: FxHashMap::default(),
            value_names: FxHashMap::default(),
            containers: FxHashMap::default(),
            instances: FxHashMap::default(),
            uses: Uses::default(),
        };
        good.find_functions();
        good.find_instances();
        good.find_locals();
        for id in typed.constructors.ids() {
            let name = checked.interner.text(typed.constructors[id].name);
            good.constructor_names.entry(name).or_default().push(id);
        }
        for id in typed.values.ids().filter(|id| lowered.functions.contains_key(id)) {
            let name = checked.interner.text(typed.values[id].name);
            good.value_names.entry(name).or_default().push(id);
        }
        for (id, info) in typed.type_constructors.iter() {
            let Some(module) = info.module else { continue };
            let module = checked.interner.text(typed.modules[module].name);
            let name = checked.interner.text(info.name);
            let found = CONTAINERS.iter().find(|(of, text, _)| *of == module && *text == name);
            if let Some((.., container)) = found {
                good.containers.insert(id, *container);
            }
        }
        good
    }

    /// With the instances that functions are used at.
    pub(crate) fn with_uses(mut self) -> Good<'a> {
        self.uses = uses::uses(&self.checked.program, self.lowered);
        self
    }

    fn find_functions(&mut self) {
        let program = &self.lowered.program;
        for (id, function) in program.functions() {
            let library = program.module(function.module).library;
            match function.origin {
                Origin::Derived { .. } => {
                    self.library.entry(program.text(function.name)).or_default().push(id);
                }
                Origin::TopLevel | Origin::Local | Origin::Method { .. } | Origin::Default { .. }
                    if library =>
                {
                    self.library.entry(program.text(function.name)).or_default().push(id);
                }
                Origin::TopLevel
                | Origin::Local
                | Origin::Method { .. }
                | Origin::Default { .. }
                | Origin::Hidden(Hidden::Pattern)
                    if !library =>
                {
                    self.own.entry(name(self.checked, program, id)).or_default().push(id);
                }
                Origin::Lambda | Origin::Section if !library => self.nameless.push(id),
                Origin::Constructor(_) | Origin::Newtype => {
                    self.constructor_functions.entry(program.text(function.name)).or_default().push(id);
                }
                _ => {}
            }
        }
        let around = |id: FunId| {
            let mut at = program.function(id).parent;
            while let Some(parent) = at
                && program.function(parent).origin.is_hidden()
            {
                at = program.function(parent).parent;
            }
            at
        };
        self.nameless.sort_by_key(|&id| {
            let span = program.function(id).span;
            (span.file, span.start, std::cmp::Reverse(span.end))
        });
        let mut numbers: FxHashMap<(Option<FunId>, bool), u32> = FxHashMap::default();
        let mut steps: FxHashMap<FunId, Box<str>> = FxHashMap::default();
        for &id in &self.nameless {
            let lambda = program.function(id).origin == Origin::Lambda;
            let number = numbers.entry((around(id), lambda)).or_insert(0);
            *number += 1;
            steps.insert(id, if lambda { format!("\\{number}") } else { format!("({number})") }.into());
        }
        let all: Vec<FunId> = self.own.values().flatten().chain(&self.nameless).copied().collect();
        for id in all {
            let mut path: Vec<Box<str>> = Vec::new();
            let mut at = Some(id);
            while let Some(function) = at {
                let info = program.function(function);
                let named = || name(self.checked, program, function).into();
                path.push(steps.get(&function).cloned().unwrap_or_else(named));
                match info.origin {
                    Origin::Method { class, at } => {
                        path.push(format!("instance {} {}", program.text(class), program.text(at)).into());
                    }
                    Origin::Default { class } => path.push(format!("class {}", program.text(class)).into()),
                    _ => {}
                }
                at = around(function);
            }
            path.reverse();
            self.paths.insert(id, path);
        }
    }

    fn find_locals(&mut self) {
        for (row, locals) in self.lowered.locals.iter().enumerate() {
            let module = ModuleId::from_index(row);
            for (local, meaning) in locals.variables.iter().enumerate() {
                let local = (module, LocalId::from_index(local));
                match meaning {
                    Local::Unbound => {}
                    Local::Variable(variable) => drop(self.variables.insert(*variable, local)),
                    Local::Function(function) => drop(self.locals.insert(*function, local)),
                }
            }
            for (dictionary, meaning) in locals.dictionaries.iter().enumerate() {
                if let Dict::Variable(variable) = meaning {
                    self.dictionaries.insert(*variable, (module, DictVar::from_index(dictionary)));
                }
            }
        }
    }

    fn find_instances(&mut self) {
        let functions = self.lowered.instances.iter().enumerate();
        for (row, function) in functions.filter_map(|(row, function)| Some((row, (*function)?))) {
            let name = sameness::instance_name(&self.lowered.program, function);
            let instance = InstanceId::from_index(row);
            self.instances.entry(name).and_modify(|one| *one = None).or_insert(Some(instance));
        }
    }

    /// The user's functions by module and path. Those that share these with others are left out.
    pub(crate) fn paths(&self) -> FxHashMap<(String, Vec<Box<str>>), FunId> {
        let program = &self.lowered.program;
        let mut found: FxHashMap<(String, Vec<Box<str>>), Option<FunId>> = FxHashMap::default();
        for (&id, path) in &self.paths {
            let module = program.text(program.module(program.function(id).module).name);
            // An expression from the command line is in no module that people know.
            let module = if module == EXPRESSION { "" } else { module };
            let key = (module.to_owned(), path.clone());
            found.entry(key).and_modify(|one| *one = None).or_insert(Some(id));
        }
        found.into_iter().filter_map(|(key, id)| Some((key, id?))).collect()
    }

    /// The dictionaries that an equation tells, in the order of the function's parameters, as far as the reference has them.
    pub(crate) fn told(&self, equation: &Equation) -> Vec<Option<Plan>> {
        equation.instances.iter().map(|&instance| self.plan_of(&equation.terms, instance, 0)).collect()
    }

    fn plan_of(&self, terms: &Terms, instance: TermId, depth: u32) -> Option<Plan> {
        const NESTED: u32 = 20;
        let Shape::Con(name, needs) = terms.shape(instance) else { return None };
        let instance = self.instances.get(name).copied().flatten()?;
        let needs = needs.iter().map(|&need| self.plan_of(terms, need, depth + 1));
        (depth < NESTED).then_some(())?;
        Some(Plan { instance, needs: needs.collect::<Option<_>>()? })
    }

    /// Whether a function is where the run began.
    pub(crate) fn is_root(&self, id: FunId) -> bool {
        let program = &self.lowered.program;
        let module = program.text(program.module(program.function(id).module).name);
        Some(id) == self.lowered.main || module == EXPRESSION
    }

    /// The functions that a rule of the other program may be one of, the likeliest first.
    pub(crate) fn candidates(&self, rule: &Rule, text: Option<&str>) -> Vec<FunId> {
        let program = &self.lowered.program;
        let in_module = |id: &FunId| {
            let module = program.text(program.module(program.function(*id).module).name);
            rule.module.as_deref().is_none_or(|name| name == module)
        };
        let name: &str = &rule.function;
        // `Main.f` is `f` of `Main`; an operator may have a dot in it.
        let plain = name.rsplit_once('.').map(|(_, last)| last).filter(|last| !last.is_empty());
        let named = self.own.get(name).or_else(|| self.own.get(plain?)).or_else(|| self.library.get(name));
        let mut found: Vec<FunId> = named.into_iter().flatten().copied().collect();
        if !rule.path.is_empty() {
            let all = found.iter().chain(&self.nameless).copied();
            let by_path = |id: &FunId| self.paths.get(id).is_some_and(|path| path[..] == rule.path[..]);
            let exact: Vec<FunId> = all.filter(by_path).collect();
            let here: Vec<FunId> = exact.iter().copied().filter(in_module).collect();
            if !exact.is_empty() {
                return if here.is_empty() { exact } else { here };
            }
        }
        if found.is_empty() {
            found = self.by_text(text.unwrap_or(name));
        }
        if found.iter().any(in_module) {
            found.retain(in_module);
        }
        // What stands at the top is meant by its name alone.
        let top = |id: &FunId| program.function(*id).origin == Origin::TopLevel;
        if found.iter().any(top) {
            found.retain(top);
        }
        found.sort_by_key(|&id| (!self.stands_at(id, rule), id));
        found
    }

    /// The lambdas and sections with a text.
    fn by_text(&self, text: &str) -> Vec<FunId> {
        let words = |text: &str| -> String {
            let text: String = text.split_whitespace().collect();
            text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&text).to_owned()
        };
        let wanted = words(text);
        let is_it = |id: &FunId| {
            let span = self.lowered.program.function(*id).span;
            self.checked.sources.text(span).is_some_and(|text| words(text) == wanted)
        };
        self.nameless.iter().copied().filter(is_it).collect()
    }

    /// Whether a function, or the rule of this number, begins where the rule does.
    pub(crate) fn stands_at(&self, id: FunId, rule: &Rule) -> bool {
        let Some(region) = rule.region else { return false };
        let function = self.lowered.program.function(id);
        let begins = |span: gadfly_source::Span| -> Position {
            self.checked.sources.file(span.file).position(span.start)
        };
        let spans = function
            .rules
            .iter()
            .flat_map(|rule| [rule.span].into_iter().chain(rule.alternatives.iter().copied()));
        spans.chain([function.span]).any(|span| begins(span) == region.start)
    }

    /// The constructors of a name; those of the user first.
    pub(crate) fn constructors_named(&self, name: &str) -> Vec<ConstructorId> {
        let typed = &self.checked.program;
        let mut found = self.constructor_names.get(name).cloned().unwrap_or_default();
        let library = |id: &ConstructorId| {
            let module = typed.constructors[*id].module;
            module.is_none_or(|module| self.is_library(module))
        };
        found.sort_by_key(library);
        found
    }

    fn is_library(&self, module: ModuleId) -> bool {
        let module = gadfly_core::kernel::ModuleId::from_index(module.index());
        self.lowered.program.module(module).library
    }

    /// The functions that a name inside of a term may mean.
    pub(crate) fn functions_named(&self, name: &str) -> Vec<FunId> {
        let bare = name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(name);
        let mut found = self.own.get(bare).cloned().unwrap_or_default();
        let top = |id: &FunId| self.lowered.program.function(*id).origin != Origin::TopLevel;
        found.sort_by_key(top);
        if found.is_empty() {
            found = self.by_text(name);
        }
        if found.is_empty() {
            let qualified = bare.rsplit_once('.').filter(|(_, last)| !last.is_empty());
            let values = self.value_names.get(bare).or_else(|| self.value_names.get(qualified?.1));
            let values = values.into_iter().flatten();
            found = values.filter_map(|value| self.lowered.functions.get(value)).copied().collect();
            found.extend(self.constructor_functions.get(bare).into_iter().flatten());
            // A method of a known instance is a function of its own.
            found.extend(self.library.get(bare).into_iter().flatten());
        }
        found
    }

    /// Whether a constructor's term lacks some of its fields: it is a function.
    pub(crate) fn is_partial(&self, name: &str, count: usize) -> bool {
        let arity = |id: &ConstructorId| self.checked.program.constructors[*id].arity();
        // Lists may be written with more parts, and containers by other names.
        let Some(found) = self.constructor_names.get(name) else { return false };
        count < found.iter().map(arity).min().unwrap_or(0)
    }

    pub(crate) fn container(&self, constructor: TypeConId) -> Option<Container> {
        self.containers.get(&constructor).copied()
    }

    /// The type that is a container, if the program has it.
    pub(crate) fn container_type(&self, wanted: Container) -> Option<TypeConId> {
        let found = self.containers.iter().find(|(_, container)| **container == wanted);
        found.map(|(constructor, _)| *constructor)
    }

    /// How many arguments a container's type has.
    pub(crate) fn type_arity(&self, constructor: TypeConId) -> usize {
        self.checked.program.type_constructors[constructor].parameters.len()
    }

    /// The checker's number of a kernel constructor.
    pub(crate) fn constructor(&self, con: ConId) -> Option<ConstructorId> {
        self.constructors.get(&con).copied()
    }

    pub(crate) fn constructor_name(&self, constructor: ConstructorId) -> &'a str {
        self.checked.interner.text(self.checked.program.constructors[constructor].name)
    }

    /// What a function takes and gives; `scope` is that of the function and what surrounds it.
    pub(crate) fn signature(&self, types: &mut Types<'a>, id: FunId, scope: &mut Scope) -> Signature {
        let function = self.lowered.program.function(id);
        let mut own = self.own_type(types, id, scope);
        let mut given =
            own.as_mut().map(|(context, _)| std::mem::take(context)).unwrap_or_default().into_iter();
        let mut rest = own.map(|(_, ty)| ty);
        let mut slots = Vec::with_capacity(function.parameters.len());
        for parameter in &function.parameters {
            slots.push(match parameter.role {
                Role::Dictionary => {
                    let by_order = given.next();
                    Slot::Dictionary(by_order.or_else(|| self.dictionary(types, parameter.variable, scope)))
                }
                Role::Captured => {
                    let name = self.lowered.program.variable(parameter.variable).name;
                    let name = name.map(|name| self.lowered.program.text(name).to_owned());
                    Slot::Captured(name, self.variable(types, id, parameter.variable, scope, 0))
                }
                Role::Ordinary => {
                    let parts = rest.and_then(|ty| types.function_parts(ty, 1));
                    match parts {
                        Some((parameters, result)) => {
                            rest = Some(result);
                            Slot::Ordinary(parameters[0])
                        }
                        None => Slot::Ordinary(self.variable(types, id, parameter.variable, scope, 0)),
                    }
                }
            });
        }
        Signature { slots, result: rest.unwrap_or_else(|| types.open()) }
    }

    /// The dictionaries that a function takes besides those of its surroundings, in order, and its type.
    fn own_type(&self, types: &mut Types<'a>, id: FunId, scope: &mut Scope) -> Option<(Vec<Wanted>, Type)> {
        let typed = &self.checked.program;
        if let Some(&value) = self.values.get(&id) {
            return Some(types.take_scheme(typed.values[value].scheme, scope));
        }
        if let Some(&(module, local)) = self.locals.get(&id) {
            let scheme = typed.modules[module].notes.locals[local].scheme;
            let (_, ty) = types.take_scheme(scheme, scope);
            return Some((Vec::new(), ty));
        }
        if let Some(&(instance, index)) = self.methods.get(&id) {
            let info = &typed.instances[instance];
            let value = typed.classes[info.class].methods.get(index as usize)?.value;
            let (mut context, ty) = types.take_scheme(typed.values[value].scheme, &mut Scope::default());
            let class = (!context.is_empty()).then(|| context.remove(0))?;
            for (&head, &at) in typed.types.list(info.arguments).iter().zip(&class.at) {
                let head = types.take(head, scope);
                types.unify(head, at);
            }
            let mut all: Vec<Wanted> =
                info.context.iter().map(|constraint| types.take_constraint(constraint, scope)).collect();
            all.append(&mut context);
            return Some((all, ty));
        }
        if let Some(&(class, index)) = self.defaults.get(&id) {
            let value = typed.classes[class].methods.get(index as usize)?.value;
            return Some(types.take_scheme(typed.values[value].scheme, &mut Scope::default()));
        }
        if let Origin::Constructor(con) = self.lowered.program.function(id).origin {
            let scheme = typed.constructors[self.constructor(con)?].scheme;
            return Some(types.take_scheme(scheme, &mut Scope::default()));
        }
        None
    }

    /// What a dictionary variable of the surroundings is a dictionary of.
    fn dictionary(&self, types: &mut Types<'a>, variable: VarId, scope: &mut Scope) -> Option<Wanted> {
        let &(module, dictionary) = self.dictionaries.get(&variable)?;
        let notes = &self.checked.program.modules[module].notes;
        Some(types.take_constraint(&notes.dictionary_variables[dictionary].constraint, scope))
    }

    /// The type of a variable: that of the source's, or what the cases on it in a function say.
    fn variable(
        &self,
        types: &mut Types<'a>,
        function: FunId,
        variable: VarId,
        scope: &mut Scope,
        depth: u32,
    ) -> Type {
        let typed = &self.checked.program;
        if let Some(&(module, local)) = self.variables.get(&variable) {
            let scheme = typed.modules[module].notes.locals[local].scheme;
            return types.take_scheme(scheme, scope).1;
        }
        let of = types.open();
        const NESTED: u32 = 4;
        if depth > NESTED {
            return of;
        }
        let program = &self.lowered.program;
        let mut found = None;
        program.walk(program.function(function).body, |expr| {
            if let Expr::Case(case) = program.expr(expr)
                && let Expr::Atom(Atom::Variable(scrutinee)) = program.expr(case.scrutinee)
                && scrutinee == variable
                && found.is_none()
            {
                let patterns = program.list(case.alternatives).iter().map(|one| one.pattern);
                found = patterns
                    .filter_map(|pattern| match pattern {
                        Pattern::Constructor(con, variables) => Some((con, variables)),
                        Pattern::Literal(_) => None,
                    })
                    .next();
            }
        });
        if let Some((con, variables)) = found
            && let Some(constructor) = self.constructor(con)
            && let Some(fields) = types.fields(constructor, of)
        {
            let stored = program.constructor(con).dictionaries as usize;
            for (&variable, &field) in program.list(variables).iter().skip(stored).zip(&fields.types) {
                let known = self.variable(types, function, variable, scope, depth + 1);
                types.unify(known, field);
            }
        }
        of
    }

    /// Whether values of a type are actions of input and output.
    pub(crate) fn is_action(&self, types: &mut Types<'a>, ty: Type) -> Option<Type> {
        let ty = types.strip(ty);
        match types.view(ty) {
            View::Data(constructor, arguments)
                if self.checked.program.known.type_constructor(gadfly_typing::KnownType::Io)
                    == Some(constructor) =>
            {
                arguments.first().copied()
            }
            _ => None,
        }
    }
}
