//! Types as numbers of nodes in one store.
//!
//! Nodes are shared and never change; what inference learns is in the table of [`Meta`]s, the unknown types, which
//! are linked to what they turn out to be (union-find with levels, after Rémy: a meta that belongs to an outer level
//! is not generalised). Quantified variables are [`Skolem`]s: a [`Scheme`] lists those it quantifies, and using it
//! puts fresh metas in their places. So a binding is checked with the very variables of its signature, and there are
//! no indices to shift.
//!
//! Nothing here recurses natively, and shared parts are visited once: a type may be a hundred thousand levels deep,
//! or exponentially large when written out. What must not grow without end is the store itself: [`Types::allow`] sets
//! how many nodes a declaration may make, and beyond that every type is [`Ty::Error`].

use gadfly_source::Span;
use gadfly_syntax::names::Symbol;

use crate::interface::{ClassId, TypeConId};
use gadfly_source::Table;

gadfly_source::ids! {
    /// A type: a node of [`Types`].
    TyId,
    /// An unknown type.
    MetaId,
    /// A type variable that stands for itself.
    SkolemId,
    /// A type with its quantified variables and its context.
    SchemeId,
}

/// A node of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// A type constructor.
    Con(TypeConId),
    /// An application.
    App(TyId, TyId),
    /// A function: the same as two applications of `->`.
    Fun(TyId, TyId),
    /// An unknown type.
    Meta(MetaId),
    /// A type variable.
    Skolem(SkolemId),
    /// A polymorphic type inside another.
    Forall(SchemeId),
    /// The type of code with a reported error; equal to every type.
    Error,
}

/// A class applied to types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The class.
    pub class: ClassId,
    /// Its arguments.
    pub arguments: TyList,
}

/// A list of types: read it with [`Types::list`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TyList {
    start: u32,
    length: u32,
}

impl TyList {
    /// No types.
    pub const EMPTY: TyList = TyList { start: 0, length: 0 };
}

/// A type with its quantified variables and its context.
#[derive(Clone, Debug)]
pub struct Scheme {
    /// The quantified variables.
    pub variables: Box<[SkolemId]>,
    /// The constraints on them.
    pub context: Box<[Constraint]>,
    /// The type.
    pub body: TyId,
}

/// A type variable.
#[derive(Clone, Copy, Debug)]
pub struct Skolem {
    /// Its name, if a programmer gave it one.
    pub name: Option<Symbol>,
    /// Where it was named.
    pub span: Option<Span>,
    /// The level at which it is known; a type of an outer level must not contain it.
    pub(crate) level: u32,
    /// What it stands for where a match has said so ([`Types::refine`]).
    link: Option<TyId>,
}

#[derive(Clone, Copy, Debug)]
struct Meta {
    link: Option<TyId>,
    level: u32,
    /// How deep the tree of metas linked to it may be: the shallower one is linked to the deeper.
    rank: u8,
}

/// The level of types that never go out of scope.
pub(crate) const OUTERMOST: u32 = 0;

const HAS_META: u8 = 1;
const HAS_SKOLEM: u8 = 2;
const HAS_ERROR: u8 = 4;

/// All types of a program.
#[derive(Debug)]
pub struct Types {
    nodes: Vec<Ty>,
    flags: Vec<u8>,
    /// Of equal types without variables the same.
    hashes: Vec<u32>,
    lists: Vec<TyId>,
    metas: Table<MetaId, Meta>,
    skolems: Table<SkolemId, Skolem>,
    skolem_types: Vec<TyId>,
    schemes: Table<SchemeId, Scheme>,
    constructors: Vec<Option<TyId>>,
    /// What [`Types::rewrite`] made of a node, valid if the stamp is the current one.
    memo: Vec<(u32, TyId)>,
    /// What a skolem is replaced with, likewise.
    replacement: Vec<(u32, TyId)>,
    stamp: u32,
    /// How many nodes there may be.
    limit: usize,
    overflowed: bool,
}

impl Types {
    /// The type that is equal to every type.
    pub const ERROR: TyId = TyId(0);
    /// How many nodes one declaration may make.
    const ALLOWANCE: usize = 4_000_000;

    pub(crate) fn new() -> Types {
        let mut types = Types {
            nodes: Vec::new(),
            flags: Vec::new(),
            hashes: Vec::new(),
            lists: Vec::new(),
            metas: Table::new(),
            skolems: Table::new(),
            skolem_types: Vec::new(),
            schemes: Table::new(),
            constructors: Vec::new(),
            memo: Vec::new(),
            replacement: Vec::new(),
            stamp: 0,
            limit: usize::MAX,
            overflowed: false,
        };
        types.push(Ty::Error, HAS_ERROR);
        types.schemes.push(Scheme { variables: Box::default(), context: Box::default(), body: Types::ERROR });
        types
    }

    /// What a node is.
    pub fn get(&self, ty: TyId) -> Ty {
        self.nodes[ty.index()]
    }

    /// The node that a type is, where metas are what they turned out to be, and type variables what a match says.
    pub fn resolve(&self, mut ty: TyId) -> TyId {
        loop {
            let link = match self.nodes[ty.index()] {
                Ty::Meta(meta) => self.metas[meta].link,
                Ty::Skolem(skolem) => self.skolems[skolem].link,
                _ => None,
            };
            match link {
                Some(link) => ty = link,
                None => return ty,
            }
        }
    }

    /// The same, where type variables stand for themselves.
    pub(crate) fn resolve_meta(&self, mut ty: TyId) -> TyId {
        while let Ty::Meta(meta) = self.nodes[ty.index()]
            && let Some(link) = self.metas[meta].link
        {
            ty = link;
        }
        ty
    }

    /// What a type is, where metas are what they turned out to be.
    pub fn view(&self, ty: TyId) -> Ty {
        self.get(self.resolve(ty))
    }

    /// The types of a list.
    pub fn list(&self, list: TyList) -> &[TyId] {
        &self.lists[list.start as usize..(list.start + list.length) as usize]
    }

    /// A scheme.
    pub fn scheme(&self, scheme: SchemeId) -> &Scheme {
        &self.schemes[scheme]
    }

    /// A type variable.
    pub fn skolem(&self, skolem: SkolemId) -> &Skolem {
        &self.skolems[skolem]
    }

    /// The type constructor of an applied or plain type, and how many arguments it has.
    pub fn head(&self, ty: TyId) -> (Ty, usize) {
        let mut ty = self.resolve(ty);
        let mut arguments = 0;
        loop {
            match self.get(ty) {
                Ty::App(function, _) => {
                    arguments += 1;
                    ty = self.resolve(function);
                }
                other => return (other, arguments),
            }
        }
    }

    /// Splits an application into its head and its arguments; a function type is not split.
    pub fn unapply(&self, ty: TyId) -> (TyId, Vec<TyId>) {
        let mut ty = self.resolve(ty);
        let mut arguments = Vec::new();
        while let Ty::App(function, argument) = self.get(ty) {
            arguments.push(argument);
            ty = self.resolve(function);
        }
        arguments.reverse();
        (ty, arguments)
    }

    /// Begins a declaration: how many nodes there may be from now on.
    pub(crate) fn allow(&mut self) {
        self.limit = self.nodes.len() + Types::ALLOWANCE;
        self.overflowed = false;
    }

    /// Whether the declaration tried to make more nodes than it may.
    pub(crate) fn overflowed(&self) -> bool {
        self.overflowed
    }

    fn push(&mut self, node: Ty, flags: u8) -> TyId {
        if self.nodes.len() >= self.limit {
            self.overflowed = true;
            return Types::ERROR;
        }
        let hash = match node {
            Ty::Con(constructor) => mix(1, constructor.index() as u32),
            Ty::App(a, b) => mix(self.hashes[a.index()].rotate_left(5), self.hashes[b.index()]),
            Ty::Fun(a, b) => mix(self.hashes[a.index()].rotate_left(11), self.hashes[b.index()]),
            _ => 0,
        };
        self.nodes.push(node);
        self.flags.push(flags);
        self.hashes.push(hash);
        TyId::from_index(self.nodes.len() - 1)
    }

    pub(crate) fn con(&mut self, constructor: TypeConId) -> TyId {
        let index = constructor.index();
        if self.constructors.len() <= index {
            self.constructors.resize(index + 1, None);
        }
        match self.constructors[index] {
            Some(ty) => ty,
            None => {
                let ty = self.push(Ty::Con(constructor), 0);
                self.constructors[index] = Some(ty);
                ty
            }
        }
    }

    pub(crate) fn app(&mut self, function: TyId, argument: TyId) -> TyId {
        // `(->) a b` is a function: equal types have equal nodes.
        if let Ty::App(arrow, parameter) = self.get(function)
            && self.get(arrow) == Ty::Con(crate::builtin::ARROW)
        {
            return self.fun(parameter, argument);
        }
        let flags = self.flags[function.index()] | self.flags[argument.index()];
        self.push(Ty::App(function, argument), flags)
    }

    pub(crate) fn apply(&mut self, function: TyId, arguments: &[TyId]) -> TyId {
        arguments.iter().fold(function, |function, &argument| self.app(function, argument))
    }

    pub(crate) fn fun(&mut self, parameter: TyId, result: TyId) -> TyId {
        let flags = self.flags[parameter.index()] | self.flags[result.index()];
        self.push(Ty::Fun(parameter, result), flags)
    }

    /// `p1 -> p2 -> ... -> result`.
    pub(crate) fn funs(&mut self, parameters: &[TyId], result: TyId) -> TyId {
        parameters.iter().rev().fold(result, |result, &parameter| self.fun(parameter, result))
    }

    pub(crate) fn meta(&mut self, level: u32) -> TyId {
        let meta = self.metas.push(Meta { link: None, level, rank: 0 });
        self.push(Ty::Meta(meta), HAS_META)
    }

    pub(crate) fn new_skolem(&mut self, name: Option<Symbol>, span: Option<Span>, level: u32) -> SkolemId {
        let skolem = self.skolems.push(Skolem { name, span, level, link: None });
        let ty = self.push(Ty::Skolem(skolem), HAS_SKOLEM);
        self.skolem_types.push(ty);
        skolem
    }

    pub(crate) fn skolem_type(&self, skolem: SkolemId) -> TyId {
        self.skolem_types[skolem.index()]
    }

    pub(crate) fn set_skolem_level(&mut self, skolem: SkolemId, level: u32) {
        self.skolems[skolem].level = level;
    }

    pub(crate) fn add_list(&mut self, elements: &[TyId]) -> TyList {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(elements);
        TyList { start, length: elements.len() as u32 }
    }

    pub(crate) fn constraint(&mut self, class: ClassId, arguments: &[TyId]) -> Constraint {
        Constraint { class, arguments: self.add_list(arguments) }
    }

    pub(crate) fn add_scheme(&mut self, scheme: Scheme) -> SchemeId {
        self.schemes.push(scheme)
    }

    /// A type without quantified variables.
    pub(crate) fn mono(&mut self, body: TyId) -> SchemeId {
        self.schemes.push(Scheme { variables: Box::default(), context: Box::default(), body })
    }

    pub(crate) fn forall(&mut self, scheme: SchemeId) -> TyId {
        self.push(Ty::Forall(scheme), HAS_META | HAS_SKOLEM)
    }

    pub(crate) fn level(&self, meta: MetaId) -> u32 {
        self.metas[meta].level
    }

    pub(crate) fn set_level(&mut self, meta: MetaId, level: u32) {
        self.metas[meta].level = level;
    }

    pub(crate) fn link(&mut self, meta: MetaId, ty: TyId) {
        self.metas[meta].link = Some(ty);
    }

    /// Links two metas, given as their types; which of them is now the other.
    pub(crate) fn join(&mut self, x: (MetaId, TyId), y: (MetaId, TyId)) -> MetaId {
        let (a, b) = (self.metas[x.0], self.metas[y.0]);
        let ((child, _), (root, target)) = if a.rank > b.rank { (y, x) } else { (x, y) };
        self.metas[child].link = Some(target);
        let root = &mut self.metas[root];
        root.level = a.level.min(b.level);
        root.rank = root.rank.max(a.rank.min(b.rank) + 1);
        child
    }

    /// Says what a type variable stands for, until that is taken back with `None`.
    pub(crate) fn link_skolem(&mut self, skolem: SkolemId, to: Option<TyId>) {
        self.skolems[skolem].link = to;
    }

    pub(crate) fn unlink(&mut self, meta: MetaId) {
        self.metas[meta].link = None;
    }

    /// Whether a type may contain metas or type variables.
    pub(crate) fn is_ground(&self, ty: TyId) -> bool {
        self.flags[ty.index()] & (HAS_META | HAS_SKOLEM) == 0
    }

    /// The same for equal types without variables.
    pub(crate) fn hash(&self, ty: TyId) -> u32 {
        self.hashes[ty.index()]
    }

    /// Whether a part of a type is not known because of an error, as far as its nodes say.
    pub(crate) fn has_error(&self, ty: TyId) -> bool {
        self.flags[ty.index()] & HAS_ERROR != 0
    }

    /// Starts a walk in which [`Types::visit`] says whether it sees a node for the first time.
    pub(crate) fn start_walk(&mut self) {
        self.next_stamp();
    }

    pub(crate) fn visit(&mut self, ty: TyId) -> bool {
        let entry = &mut self.memo[ty.index()];
        let new = entry.0 != self.stamp;
        entry.0 = self.stamp;
        new
    }

    fn next_stamp(&mut self) {
        if self.stamp == u32::MAX {
            self.memo.clear();
            self.replacement.clear();
            self.stamp = 0;
        }
        self.stamp += 1;
        self.memo.resize(self.nodes.len(), (0, Types::ERROR));
    }

    /// The unresolved metas of types, each once, in the order in which they occur.
    pub(crate) fn metas_of(&mut self, roots: &[TyId]) -> Vec<MetaId> {
        let mut found = Vec::new();
        self.leaves(roots, HAS_META, |_, leaf| {
            if let Ty::Meta(meta) = leaf {
                found.push(meta);
            }
        });
        found
    }

    /// The type variables of types, each once, in the order in which they occur.
    pub(crate) fn skolems_of(&mut self, roots: &[TyId]) -> Vec<SkolemId> {
        let mut found = Vec::new();
        self.leaves(roots, HAS_META | HAS_SKOLEM, |_, leaf| {
            if let Ty::Skolem(skolem) = leaf {
                found.push(skolem);
            }
        });
        found
    }

    /// Visits metas and skolems from left to right, each node once.
    fn leaves(&mut self, roots: &[TyId], mask: u8, mut found: impl FnMut(&mut Types, Ty)) {
        self.next_stamp();
        let mut stack: Vec<TyId> = roots.iter().rev().copied().collect();
        while let Some(ty) = stack.pop() {
            let ty = self.resolve(ty);
            if self.flags[ty.index()] & mask == 0 || !self.visit(ty) {
                continue;
            }
            match self.get(ty) {
                Ty::App(a, b) | Ty::Fun(a, b) => stack.extend([b, a]),
                Ty::Forall(scheme) => {
                    let scheme = &self.schemes[scheme];
                    stack.push(scheme.body);
                    for constraint in &scheme.context {
                        stack.extend(self.list(constraint.arguments));
                    }
                }
                leaf @ (Ty::Meta(_) | Ty::Skolem(_)) => found(self, leaf),
                Ty::Con(_) | Ty::Error => {}
            }
        }
    }

    /// The type with metas replaced by what they turned out to be.
    pub(crate) fn zonk(&mut self, ty: TyId) -> TyId {
        self.next_stamp();
        self.rewrite(ty, HAS_META)
    }

    pub(crate) fn zonk_constraint(&mut self, constraint: Constraint) -> Constraint {
        self.next_stamp();
        self.rewrite_constraint(constraint, HAS_META)
    }

    /// Brings a scheme up to date.
    pub(crate) fn zonk_scheme(&mut self, id: SchemeId) {
        let body = self.zonk(self.schemes[id].body);
        self.schemes[id].body = body;
        for index in 0..self.schemes[id].context.len() {
            let constraint = self.zonk_constraint(self.schemes[id].context[index]);
            self.schemes[id].context[index] = constraint;
        }
    }

    /// Prepares that skolems are replaced by [`Types::replace`].
    pub(crate) fn replacing(&mut self, pairs: impl IntoIterator<Item = (SkolemId, TyId)>) {
        self.next_stamp();
        self.replacement.resize(self.skolems.len(), (0, Types::ERROR));
        for (skolem, ty) in pairs {
            self.replacement[skolem.index()] = (self.stamp, ty);
        }
    }

    /// The type with the replacements that were prepared, as often as needed until the next walk.
    pub(crate) fn replace(&mut self, ty: TyId) -> TyId {
        self.memo.resize(self.nodes.len(), (0, Types::ERROR));
        self.rewrite(ty, HAS_META | HAS_SKOLEM)
    }

    pub(crate) fn replace_constraint(&mut self, constraint: Constraint) -> Constraint {
        self.memo.resize(self.nodes.len(), (0, Types::ERROR));
        self.rewrite_constraint(constraint, HAS_META | HAS_SKOLEM)
    }

    /// A type with skolems replaced.
    pub(crate) fn substitute(&mut self, ty: TyId, variables: &[SkolemId], with: &[TyId]) -> TyId {
        if variables.is_empty() || self.flags[ty.index()] & (HAS_META | HAS_SKOLEM) == 0 {
            return ty;
        }
        self.replacing(variables.iter().copied().zip(with.iter().copied()));
        self.replace(ty)
    }

    fn rewrite_constraint(&mut self, constraint: Constraint, mask: u8) -> Constraint {
        let old: Vec<TyId> = self.list(constraint.arguments).to_vec();
        let new: Vec<TyId> = old.iter().map(|&ty| self.rewrite(ty, mask)).collect();
        match new == old {
            true => constraint,
            false => self.constraint(constraint.class, &new),
        }
    }

    /// What a node was rewritten to, if that is known.
    fn rewritten(&self, ty: TyId, mask: u8) -> Option<TyId> {
        if self.flags[ty.index()] & mask == 0 {
            return Some(ty);
        }
        match self.memo.get(ty.index()) {
            Some(&(stamp, new)) if stamp == self.stamp => Some(new),
            _ => None,
        }
    }

    fn rewrite(&mut self, root: TyId, mask: u8) -> TyId {
        let mut stack = vec![root];
        while let Some(&ty) = stack.last() {
            if self.rewritten(ty, mask).is_some() {
                stack.pop();
                continue;
            }
            let new = match self.get(ty) {
                Ty::Meta(meta) => match self.metas[meta].link {
                    None => Some(ty),
                    Some(link) => self.rewritten(link, mask).or_else(|| {
                        stack.push(link);
                        None
                    }),
                },
                Ty::Skolem(skolem) => match self.replacement.get(skolem.index()) {
                    Some(&(stamp, with)) if stamp == self.stamp && mask & HAS_SKOLEM != 0 => Some(with),
                    _ => Some(ty),
                },
                node @ (Ty::App(a, b) | Ty::Fun(a, b)) => {
                    match (self.rewritten(a, mask), self.rewritten(b, mask)) {
                        (Some(x), Some(y)) if x == a && y == b => Some(ty),
                        (Some(x), Some(y)) => Some(match node {
                            Ty::App(..) => self.app(x, y),
                            _ => self.fun(x, y),
                        }),
                        (x, y) => {
                            if y.is_none() {
                                stack.push(b);
                            }
                            if x.is_none() {
                                stack.push(a);
                            }
                            None
                        }
                    }
                }
                Ty::Forall(scheme) => self.rewrite_forall(ty, scheme, mask, &mut stack),
                Ty::Con(_) | Ty::Error => Some(ty),
            };
            if let Some(new) = new {
                if self.memo.len() <= ty.index() {
                    self.memo.resize(self.nodes.len(), (0, Types::ERROR));
                }
                self.memo[ty.index()] = (self.stamp, new);
                stack.pop();
            }
        }
        self.rewritten(root, mask).unwrap_or(root)
    }

    fn rewrite_forall(&mut self, ty: TyId, id: SchemeId, mask: u8, stack: &mut Vec<TyId>) -> Option<TyId> {
        let scheme = &self.schemes[id];
        let mut parts = vec![scheme.body];
        for constraint in &scheme.context {
            parts.extend(self.list(constraint.arguments));
        }
        let missing: Vec<TyId> =
            parts.iter().copied().filter(|&part| self.rewritten(part, mask).is_none()).collect();
        if !missing.is_empty() {
            stack.extend(missing);
            return None;
        }
        if parts.iter().all(|&part| self.rewritten(part, mask) == Some(part)) {
            return Some(ty);
        }
        let Scheme { variables, context, body } = self.schemes[id].clone();
        let body = self.rewritten(body, mask).unwrap_or(body);
        let mut new_context = Vec::with_capacity(context.len());
        for constraint in &context {
            let arguments: Vec<TyId> = self
                .list(constraint.arguments)
                .iter()
                .map(|&ty| self.rewritten(ty, mask).unwrap_or(ty))
                .collect();
            new_context.push(self.constraint(constraint.class, &arguments));
        }
        let scheme = self.add_scheme(Scheme { variables, context: new_context.into(), body });
        Some(self.forall(scheme))
    }

    /// Whether two types are the same; metas only if they are the same metas.
    pub(crate) fn same(&self, a: TyId, b: TyId) -> bool {
        let mut work = vec![(a, b)];
        let mut steps = 0u32;
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.resolve(a), self.resolve(b));
            if a == b {
                continue;
            }
            if self.is_ground(a) && self.is_ground(b) && self.hash(a) != self.hash(b) {
                return false;
            }
            steps += 1;
            if steps > 1_000_000 {
                return false;
            }
            match (self.get(a), self.get(b)) {
                (Ty::App(f, x), Ty::App(g, y)) => work.extend([(x, y), (f, g)]),
                (Ty::Fun(f, x), Ty::Fun(g, y)) => work.extend([(x, y), (f, g)]),
                (Ty::App(f, x), Ty::Fun(parameter, result)) | (Ty::Fun(parameter, result), Ty::App(f, x)) => {
                    match self.view(f) {
                        Ty::App(arrow, other) if self.view(arrow) == Ty::Con(crate::builtin::ARROW) => {
                            work.extend([(x, result), (other, parameter)]);
                        }
                        _ => return false,
                    }
                }
                (x, y) if x == y => {}
                _ => return false,
            }
        }
        true
    }
}

fn mix(a: u32, b: u32) -> u32 {
    (a ^ b.wrapping_mul(0x9e37_79b1)).wrapping_mul(0x85eb_ca6b).rotate_left(13)
}
