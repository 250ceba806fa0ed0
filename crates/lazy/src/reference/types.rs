//! The types of one question, and the instances that belong to them.
//!
//! The reference's types are in the checker's store, which is closed. Here they are taken out, a function's type
//! variables become open, and what the terms of the equation are says what they stand for: plain unification. Where a
//! class is asked for, its instance is looked for by its head.
//!
//! Values of a `newtype` are those of the type inside, and a recorded value does not tell which it is: a number may be of
//! any type that is a number behind its newtypes.

use gadfly_typing::interface::{ClassId, ConstructorId, InstanceId, Program, TypeConId, TypeKind};
use gadfly_typing::types::{Constraint, MetaId, SchemeId, SkolemId, Ty, TyId};
use gadfly_typing::{KnownType, builtin};
use rustc_hash::{FxHashMap, FxHashSet};

/// A type of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Type(u32);

/// What is known of an open type: the numbers that are of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Numbers {
    None,
    Whole,
    Fractions,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    Open(Numbers),
    Same(Type),
    Constructor(TypeConId),
    Apply(Type, Type),
    Function(Type, Type),
    /// A type with variables of its own: nothing is known of such values.
    Polymorphic,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum View {
    Open(Numbers),
    /// A type constructor with its arguments.
    Data(TypeConId, Vec<Type>),
    Function(Type, Type),
    /// An open type with arguments, or one with variables of its own.
    Other,
}

/// What the type variables of a part of the program stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    skolems: FxHashMap<SkolemId, Type>,
    metas: FxHashMap<MetaId, Type>,
    /// What was taken already: a type may be written out very long, but has few parts.
    taken: FxHashMap<TyId, Type>,
}

/// A class at types.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) class: ClassId,
    pub(crate) at: Vec<Type>,
}

/// The dictionary of an instance, with those that it needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Plan {
    pub(crate) instance: InstanceId,
    pub(crate) needs: Vec<Plan>,
}

impl Plan {
    /// How deep instances are inside of instances: a few levels.
    pub(crate) fn depth(&self) -> u32 {
        self.needs.iter().map(|need| need.depth() + 1).max().unwrap_or(0)
    }
}

/// The fields of a constructor at a type, and the dictionaries that it stores.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    pub(crate) types: Vec<Type>,
    pub(crate) stored: Vec<Wanted>,
}

/// Types nest no deeper here; what is deeper is open.
const DEPTH: u32 = 200;
/// Two types that take longer to compare are different.
const STEPS: usize = 1_000_000;
/// Instances nest no deeper, and newtypes are taken off no oftener.
const INSTANCES: u32 = 40;

/// All types of a question.
#[derive(Clone)]
pub(crate) struct Types<'a> {
    pub(crate) typed: &'a Program,
    nodes: Vec<Node>,
    /// Equal types have equal numbers, as far as what is open in them was known when they were made.
    made: FxHashMap<(bool, u32, u32), Type>,
    constructors: FxHashMap<TypeConId, Type>,
    fields: FxHashMap<(ConstructorId, Type), Option<Fields>>,
}

impl<'a> Types<'a> {
    pub(crate) fn new(typed: &'a Program) -> Types<'a> {
        Types {
            typed,
            nodes: Vec::new(),
            made: FxHashMap::default(),
            constructors: FxHashMap::default(),
            fields: FxHashMap::default(),
        }
    }

    fn push(&mut self, node: Node) -> Type {
        self.nodes.push(node);
        Type(self.nodes.len() as u32 - 1)
    }

    /// A type of which nothing is known yet.
    pub(crate) fn open(&mut self) -> Type {
        self.push(Node::Open(Numbers::None))
    }

    pub(crate) fn constructor(&mut self, constructor: TypeConId) -> Type {
        if let Some(&known) = self.constructors.get(&constructor) {
            return known;
        }
        let new = self.push(Node::Constructor(constructor));
        self.constructors.insert(constructor, new);
        new
    }

    pub(crate) fn apply(&mut self, function: Type, argument: Type) -> Type {
        let (function, argument) = (self.resolve(function), self.resolve(argument));
        self.once((false, function.0, argument.0), Node::Apply(function, argument))
    }

    pub(crate) fn function(&mut self, parameter: Type, result: Type) -> Type {
        let (parameter, result) = (self.resolve(parameter), self.resolve(result));
        self.once((true, parameter.0, result.0), Node::Function(parameter, result))
    }

    fn once(&mut self, key: (bool, u32, u32), node: Node) -> Type {
        if let Some(&known) = self.made.get(&key) {
            return known;
        }
        let new = self.push(node);
        self.made.insert(key, new);
        new
    }

    /// The same type, made anew of what is known by now.
    fn renew(&mut self, ty: Type) -> Type {
        let mut new: FxHashMap<Type, Type> = FxHashMap::default();
        let root = self.resolve(ty);
        let mut stack = vec![root];
        while let Some(&ty) = stack.last() {
            let (Node::Apply(a, b) | Node::Function(a, b)) = self.nodes[ty.0 as usize] else {
                new.insert(ty, ty);
                stack.pop();
                continue;
            };
            let (a, b) = (self.resolve(a), self.resolve(b));
            match (new.get(&a).copied(), new.get(&b).copied()) {
                (Some(a), Some(b)) => {
                    let made = match self.nodes[ty.0 as usize] {
                        Node::Apply(..) => self.apply(a, b),
                        _ => self.function(a, b),
                    };
                    new.insert(ty, made);
                    stack.pop();
                }
                (None, _) => stack.push(a),
                (_, None) => stack.push(b),
            }
        }
        new.get(&root).copied().unwrap_or(root)
    }

    pub(crate) fn list(&mut self, element: Type) -> Type {
        let list = self.constructor(builtin::LIST);
        self.apply(list, element)
    }

    pub(crate) fn tuple(&mut self, parts: &[Type]) -> Type {
        let constructor = match parts.len() {
            0 | 1 => builtin::UNIT,
            arity => builtin::tuple_type(arity.min(builtin::TUPLE_LIMIT)),
        };
        let tuple = self.constructor(constructor);
        parts.iter().fold(tuple, |tuple, &part| self.apply(tuple, part))
    }

    /// A type of the library.
    pub(crate) fn known(&mut self, known: KnownType) -> Option<Type> {
        let constructor = self.typed.known.type_constructor(known)?;
        Some(self.constructor(constructor))
    }

    /// A type of the program, its variables those of the scope.
    pub(crate) fn take(&mut self, ty: TyId, scope: &mut Scope) -> Type {
        self.take_within(ty, scope, 0)
    }

    fn take_within(&mut self, ty: TyId, scope: &mut Scope, depth: u32) -> Type {
        if depth > DEPTH {
            return self.open();
        }
        let ty = self.typed.types.resolve(ty);
        if let Some(&known) = scope.taken.get(&ty) {
            return known;
        }
        let taken = self.take_new(ty, scope, depth);
        scope.taken.insert(ty, taken);
        taken
    }

    fn take_new(&mut self, ty: TyId, scope: &mut Scope, depth: u32) -> Type {
        match self.typed.types.get(ty) {
            Ty::Con(constructor) => self.constructor(constructor),
            Ty::App(function, argument) => {
                let function = self.take_within(function, scope, depth + 1);
                let argument = self.take_within(argument, scope, depth + 1);
                self.apply(function, argument)
            }
            Ty::Fun(parameter, result) => {
                let parameter = self.take_within(parameter, scope, depth + 1);
                let result = self.take_within(result, scope, depth + 1);
                self.function(parameter, result)
            }
            Ty::Skolem(skolem) => match scope.skolems.get(&skolem) {
                Some(&known) => known,
                None => {
                    let open = self.open();
                    scope.skolems.insert(skolem, open);
                    open
                }
            },
            Ty::Meta(meta) => match scope.metas.get(&meta) {
                Some(&known) => known,
                None => {
                    let open = self.open();
                    scope.metas.insert(meta, open);
                    open
                }
            },
            Ty::Forall(_) => self.push(Node::Polymorphic),
            Ty::Error => self.open(),
        }
    }

    /// A scheme's context and type.
    pub(crate) fn take_scheme(&mut self, scheme: SchemeId, scope: &mut Scope) -> (Vec<Wanted>, Type) {
        let typed = self.typed;
        let scheme = typed.types.scheme(scheme);
        let context = scheme.context.iter().map(|constraint| self.take_constraint(constraint, scope));
        (context.collect(), self.take(scheme.body, scope))
    }

    pub(crate) fn take_constraint(&mut self, constraint: &Constraint, scope: &mut Scope) -> Wanted {
        let typed = self.typed;
        let at = typed.types.list(constraint.arguments).iter().map(|&ty| self.take(ty, scope)).collect();
        Wanted { class: constraint.class, at }
    }

    /// The type itself, behind what is only another name for it.
    fn resolve(&self, mut ty: Type) -> Type {
        while let Node::Same(other) = self.nodes[ty.0 as usize] {
            ty = other;
        }
        ty
    }

    /// What a type is.
    pub(crate) fn view(&self, ty: Type) -> View {
        let mut ty = self.resolve(ty);
        let mut arguments = Vec::new();
        loop {
            match self.nodes[ty.0 as usize] {
                Node::Apply(function, argument) => {
                    arguments.push(argument);
                    ty = self.resolve(function);
                }
                Node::Constructor(constructor) => {
                    arguments.reverse();
                    return match (constructor, &arguments[..]) {
                        (builtin::ARROW, &[parameter, result]) => View::Function(parameter, result),
                        _ => View::Data(constructor, arguments),
                    };
                }
                Node::Open(numbers) if arguments.is_empty() => return View::Open(numbers),
                Node::Function(parameter, result) if arguments.is_empty() => {
                    return View::Function(parameter, result);
                }
                _ => return View::Other,
            }
        }
    }

    pub(crate) fn is_open(&self, ty: Type) -> bool {
        matches!(self.view(ty), View::Open(_))
    }

    /// Says that numbers are of a type; whether that can be.
    pub(crate) fn add_numbers(&mut self, ty: Type, numbers: Numbers) -> bool {
        let ty = self.strip(ty);
        match self.view(ty) {
            View::Open(known) => {
                let at = self.resolve(ty);
                self.nodes[at.0 as usize] = Node::Open(known.max(numbers));
                true
            }
            View::Data(constructor, _) => match self.typed.known.which(constructor) {
                Some(KnownType::Int | KnownType::Integer | KnownType::Word) => numbers == Numbers::Whole,
                Some(KnownType::Float | KnownType::Double) => true,
                _ => false,
            },
            View::Function(..) | View::Other => false,
        }
    }

    /// Makes two types one; whether that can be.
    pub(crate) fn unify(&mut self, a: Type, b: Type) -> bool {
        let mut work = vec![(a, b)];
        let mut steps = 0;
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.resolve(a), self.resolve(b));
            if a == b {
                continue;
            }
            steps += 1;
            if steps > STEPS {
                return false;
            }
            match (self.nodes[a.0 as usize], self.nodes[b.0 as usize]) {
                (Node::Open(x), Node::Open(y)) => {
                    self.nodes[a.0 as usize] = Node::Same(b);
                    self.nodes[b.0 as usize] = Node::Open(x.max(y));
                }
                (Node::Open(numbers), _) => {
                    if !self.bind(a, numbers, b) {
                        return false;
                    }
                }
                (_, Node::Open(numbers)) => {
                    if !self.bind(b, numbers, a) {
                        return false;
                    }
                }
                (Node::Constructor(x), Node::Constructor(y)) if x == y => {}
                (Node::Apply(f, x), Node::Apply(g, y)) | (Node::Function(f, x), Node::Function(g, y)) => {
                    work.extend([(x, y), (f, g)]);
                }
                (Node::Function(parameter, result), Node::Apply(f, x))
                | (Node::Apply(f, x), Node::Function(parameter, result)) => {
                    let arrow = self.constructor(builtin::ARROW);
                    let applied = self.apply(arrow, parameter);
                    work.extend([(x, result), (f, applied)]);
                }
                _ => return false,
            }
        }
        true
    }

    fn bind(&mut self, open: Type, numbers: Numbers, to: Type) -> bool {
        if self.occurs(open, to) {
            return false;
        }
        self.nodes[open.0 as usize] = Node::Same(to);
        numbers == Numbers::None || self.add_numbers(to, numbers)
    }

    fn occurs(&self, open: Type, inside: Type) -> bool {
        let mut work = vec![inside];
        let mut seen = FxHashSet::default();
        while let Some(ty) = work.pop() {
            let ty = self.resolve(ty);
            if ty == open {
                return true;
            }
            if seen.insert(ty)
                && let Node::Apply(a, b) | Node::Function(a, b) = self.nodes[ty.0 as usize]
            {
                work.extend([a, b]);
            }
        }
        false
    }

    /// The type of the values: without newtypes.
    pub(crate) fn strip(&mut self, mut ty: Type) -> Type {
        for _ in 0..INSTANCES {
            let View::Data(constructor, _) = self.view(ty) else { return ty };
            let TypeKind::Newtype(inside) = self.typed.type_constructors[constructor].meaning else {
                return ty;
            };
            match self.fields(inside, ty) {
                Some(Fields { types, .. }) if types.len() == 1 => ty = types[0],
                _ => return ty,
            }
        }
        ty
    }

    /// The fields of a constructor if it makes values of a type.
    pub(crate) fn fields(&mut self, constructor: ConstructorId, of: Type) -> Option<Fields> {
        let key = (constructor, self.resolve(of));
        if let Some(known) = self.fields.get(&key) {
            return known.clone();
        }
        let info = &self.typed.constructors[constructor];
        let (stored, mut ty) = self.take_scheme(info.scheme, &mut Scope::default());
        let mut types = Vec::with_capacity(info.arity());
        for _ in 0..info.arity() {
            let View::Function(parameter, result) = self.view(ty) else { return None };
            types.push(parameter);
            ty = result;
        }
        let fits = self.unify(ty, of);
        let types = types.into_iter().map(|ty| self.renew(ty)).collect();
        let fields = fits.then_some(Fields { types, stored });
        // An open type has become another one. What exists only inside of a value is another type in each.
        if info.dictionaries == 0 && !info.has_existentials() {
            let key = (constructor, self.resolve(key.1));
            self.fields.insert(key, fields.clone());
        }
        fields
    }

    /// The parameters and the result of a function type, as many as are asked for, as far as it is one.
    pub(crate) fn function_parts(&mut self, ty: Type, count: usize) -> Option<(Vec<Type>, Type)> {
        let (mut parameters, mut ty) = (Vec::with_capacity(count), ty);
        for _ in 0..count {
            ty = self.strip(ty);
            match self.view(ty) {
                View::Function(parameter, result) => {
                    parameters.push(parameter);
                    ty = result;
                }
                View::Open(Numbers::None) => {
                    let (parameter, result) = (self.open(), self.open());
                    let function = self.function(parameter, result);
                    if !self.unify(ty, function) {
                        return None;
                    }
                    parameters.push(parameter);
                    ty = result;
                }
                _ => return None,
            }
        }
        Some((parameters, ty))
    }

    /// The open types in a type.
    pub(crate) fn opens(&self, ty: Type) -> Vec<Type> {
        let (mut work, mut found) = (vec![ty], Vec::new());
        let mut seen = FxHashSet::default();
        while let Some(ty) = work.pop() {
            let ty = self.resolve(ty);
            if !seen.insert(ty) {
                continue;
            }
            match self.nodes[ty.0 as usize] {
                Node::Open(_) => found.push(ty),
                Node::Apply(a, b) | Node::Function(a, b) => work.extend([b, a]),
                _ => {}
            }
        }
        found
    }

    /// Says that a dictionary is an instance's, made of others as far as these are told; whether that can be.
    pub(crate) fn use_instance(&mut self, plan: &Plan, wanted: &Wanted) -> bool {
        let typed = self.typed;
        let info = &typed.instances[plan.instance];
        let mut scope = Scope::default();
        let heads = typed.types.list(info.arguments);
        let fits = info.class == wanted.class
            && heads.iter().zip(&wanted.at).all(|(&head, &at)| {
                let head = self.take(head, &mut scope);
                self.unify(head, at)
            });
        fits && info.context.iter().zip(&plan.needs).all(|(constraint, need)| {
            let wanted = self.take_constraint(constraint, &mut scope);
            self.use_instance(need, &wanted)
        })
    }

    /// The dictionary of a class at types, of the instances that the program has.
    pub(crate) fn plan(
        &mut self,
        wanted: &Wanted,
        has: &[Option<gadfly_core::kernel::FunId>],
    ) -> Option<Plan> {
        self.plan_within(wanted, has, 0)
    }

    fn plan_within(
        &mut self,
        wanted: &Wanted,
        has: &[Option<gadfly_core::kernel::FunId>],
        depth: u32,
    ) -> Option<Plan> {
        if depth > INSTANCES {
            return None;
        }
        let (instance, mut scope) = self.instance(wanted, has)?;
        let typed = self.typed;
        let mut needs = Vec::new();
        for constraint in &typed.instances[instance].context {
            let wanted = self.take_constraint(constraint, &mut scope);
            needs.push(self.plan_within(&wanted, has, depth + 1)?);
        }
        Some(Plan { instance, needs })
    }

    /// The instance whose head fits best, and what its variables stand for.
    fn instance(
        &mut self,
        wanted: &Wanted,
        has: &[Option<gadfly_core::kernel::FunId>],
    ) -> Option<(InstanceId, Scope)> {
        let typed = self.typed;
        let mut best: Option<(usize, InstanceId, Scope)> = None;
        for (row, (id, instance)) in typed.instances.iter().enumerate() {
            if instance.class != wanted.class || !has.get(row).is_some_and(Option::is_some) {
                continue;
            }
            let head = typed.types.list(instance.arguments);
            let mut scope = Scope::default();
            let mut weight = 0;
            let fits = head.len() == wanted.at.len()
                && head
                    .iter()
                    .zip(&wanted.at)
                    .all(|(&head, &at)| self.fits(head, at, &mut scope, &mut weight));
            if fits && best.as_ref().is_none_or(|(known, ..)| weight > *known) {
                best = Some((weight, id, scope));
            }
        }
        best.map(|(_, id, scope)| (id, scope))
    }

    /// Whether a type is one that an instance's head stands for; `weight` counts what the head says of it.
    fn fits(&mut self, head: TyId, at: Type, scope: &mut Scope, weight: &mut usize) -> bool {
        let mut work = vec![(head, at)];
        while let Some((head, at)) = work.pop() {
            let at = self.resolve(at);
            match (self.typed.types.view(head), self.nodes[at.0 as usize]) {
                (Ty::Skolem(skolem), _) => match scope.skolems.get(&skolem) {
                    Some(&known) if !self.is_equal(known, at) => return false,
                    Some(_) => {}
                    None => {
                        scope.skolems.insert(skolem, at);
                    }
                },
                (Ty::Con(x), Node::Constructor(y)) if x == y => *weight += 1,
                (Ty::App(f, x), Node::Apply(g, y)) | (Ty::Fun(f, x), Node::Function(g, y)) => {
                    *weight += 1;
                    work.extend([(x, y), (f, g)]);
                }
                (Ty::App(f, x), Node::Function(parameter, result)) => {
                    let arrow = self.constructor(builtin::ARROW);
                    let applied = self.apply(arrow, parameter);
                    work.extend([(x, result), (f, applied)]);
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether two types are one, and not only equal.
    pub(crate) fn is_same(&self, a: Type, b: Type) -> bool {
        self.resolve(a) == self.resolve(b)
    }

    fn is_equal(&self, a: Type, b: Type) -> bool {
        let mut work = vec![(a, b)];
        let mut steps = 0;
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.resolve(a), self.resolve(b));
            steps += 1;
            match (self.nodes[a.0 as usize], self.nodes[b.0 as usize]) {
                _ if steps > STEPS => return false,
                _ if a == b => {}
                (Node::Constructor(x), Node::Constructor(y)) if x == y => {}
                (Node::Apply(f, x), Node::Apply(g, y)) | (Node::Function(f, x), Node::Function(g, y)) => {
                    work.extend([(x, y), (f, g)]);
                }
                _ => return false,
            }
        }
        true
    }
}
