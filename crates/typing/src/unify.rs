//! Unification: makes two types equal by choosing the unknown types.
//!
//! It uses a work list instead of recursion. A unification that fails changes nothing, so that an error in
//! one place does not spread to others. Levels are kept as Rémy has it: when a meta becomes a type, the metas
//! of that type move out to its level, and a type variable of a deeper level would escape.

use rustc_hash::FxHashSet;

use crate::types::{MetaId, Scheme, SkolemId, Ty, TyId, Types};

/// Why two types cannot be made equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clash {
    /// These parts of them are different.
    Different(TyId, TyId),
    /// The first type would contain itself.
    Infinite(TyId, TyId),
    /// A type variable would escape its scope.
    Escape(SkolemId),
}

/// After how many pairs the unifier begins to remember pairs it has seen: only types with shared parts need
/// so many.
const REMEMBER_AFTER: u32 = 4096;

impl Types {
    /// Makes two types equal.
    pub(crate) fn unify(&mut self, a: TyId, b: TyId) -> Result<(), Clash> {
        self.unify_or_refine(a, b, None)
    }

    /// Makes two types equal, if need be by saying what type variables stand for: a match on a constructor with a
    /// special result type has found that out. The variables are added to `refined`; at the end of the
    /// match's scope the checker unlinks them ([`Types::link_skolem`]).
    pub(crate) fn refine(&mut self, a: TyId, b: TyId, refined: &mut Vec<SkolemId>) -> Result<(), Clash> {
        self.unify_or_refine(a, b, Some(refined))
    }

    fn unify_or_refine(
        &mut self,
        a: TyId,
        b: TyId,
        mut refined: Option<&mut Vec<SkolemId>>,
    ) -> Result<(), Clash> {
        let mut bound = Vec::new();
        let before = refined.as_ref().map_or(0, |refined| refined.len());
        let result = self.unify_parts(a, b, &mut bound, &mut refined);
        if result.is_err() {
            for meta in bound {
                self.unlink(meta);
            }
            for skolem in refined.into_iter().flat_map(|refined| refined.drain(before..)) {
                self.link_skolem(skolem, None);
            }
        }
        result
    }

    fn unify_parts(
        &mut self,
        a: TyId,
        b: TyId,
        bound: &mut Vec<MetaId>,
        refined: &mut Option<&mut Vec<SkolemId>>,
    ) -> Result<(), Clash> {
        let mut work = vec![(a, b)];
        let mut steps = 0u32;
        let mut seen: FxHashSet<(TyId, TyId)> = FxHashSet::default();
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.resolve(a), self.resolve(b));
            if a == b {
                continue;
            }
            steps = steps.saturating_add(1);
            if steps > REMEMBER_AFTER && !seen.insert((a, b)) {
                continue;
            }
            match (self.get(a), self.get(b)) {
                (Ty::Meta(x), Ty::Meta(y)) => bound.push(self.join((x, a), (y, b))),
                (Ty::Meta(meta), _) => self.bind(meta, a, b, bound)?,
                (_, Ty::Meta(meta)) => self.bind(meta, b, a, bound)?,
                (Ty::Error, _) | (_, Ty::Error) => {}
                (Ty::App(f, x), Ty::App(g, y)) | (Ty::Fun(f, x), Ty::Fun(g, y)) => {
                    work.extend([(x, y), (f, g)]);
                }
                (Ty::Fun(parameter, result), Ty::App(f, x)) => {
                    let function = self.partial_fun(parameter);
                    work.extend([(result, x), (function, f)]);
                }
                (Ty::App(f, x), Ty::Fun(parameter, result)) => {
                    let function = self.partial_fun(parameter);
                    work.extend([(x, result), (f, function)]);
                }
                (Ty::Forall(x), Ty::Forall(y)) => {
                    let (x, y) = (self.scheme(x).clone(), self.scheme(y).clone());
                    if x.variables.len() != y.variables.len() || x.context.len() != y.context.len() {
                        return Err(Clash::Different(a, b));
                    }
                    self.pair_up(&x, &y, &mut work);
                }
                (x, y) if x == y => {}
                _ => match refined {
                    Some(refined) => self.stand_for(a, b, refined)?,
                    None => return Err(Clash::Different(a, b)),
                },
            }
        }
        Ok(())
    }

    /// Says that one of two types, a type variable, stands for the other; of two variables, the inner one does.
    fn stand_for(&mut self, a: TyId, b: TyId, refined: &mut Vec<SkolemId>) -> Result<(), Clash> {
        let (skolem, ty) = match (self.get(a), self.get(b)) {
            (Ty::Skolem(x), Ty::Skolem(y)) if self.skolem(y).level > self.skolem(x).level => (y, a),
            (Ty::Skolem(x), _) => (x, b),
            (_, Ty::Skolem(y)) => (y, a),
            _ => return Err(Clash::Different(a, b)),
        };
        if self.skolems_of(&[ty]).contains(&skolem) {
            return Err(Clash::Infinite(self.skolem_type(skolem), ty));
        }
        self.link_skolem(skolem, Some(ty));
        refined.push(skolem);
        Ok(())
    }

    fn partial_fun(&mut self, parameter: TyId) -> TyId {
        let arrow = self.con(crate::builtin::ARROW);
        self.app(arrow, parameter)
    }

    /// Two polymorphic types are equal if they are so with the same variables.
    fn pair_up(&mut self, x: &Scheme, y: &Scheme, work: &mut Vec<(TyId, TyId)>) {
        let variables: Vec<TyId> = x.variables.iter().map(|&variable| self.skolem_type(variable)).collect();
        let body = self.substitute(y.body, &y.variables, &variables);
        work.push((x.body, body));
        for (a, b) in x.context.iter().zip(&y.context) {
            if a.class != b.class {
                continue;
            }
            let pairs: Vec<(TyId, TyId)> =
                self.list(a.arguments).iter().copied().zip(self.list(b.arguments).iter().copied()).collect();
            for (a, b) in pairs {
                let b = self.substitute(b, &y.variables, &variables);
                work.push((a, b));
            }
        }
    }

    /// Says what a meta is, unless it would contain itself or something that is not known at its level.
    fn bind(&mut self, meta: MetaId, node: TyId, ty: TyId, bound: &mut Vec<MetaId>) -> Result<(), Clash> {
        if !self.is_ground(ty) {
            self.lower(meta, node, ty)?;
        }
        self.link(meta, ty);
        bound.push(meta);
        Ok(())
    }

    fn lower(&mut self, meta: MetaId, node: TyId, root: TyId) -> Result<(), Clash> {
        let level = self.level(meta);
        self.start_walk();
        let mut stack = vec![root];
        let mut inner: Vec<SkolemId> = Vec::new();
        while let Some(ty) = stack.pop() {
            let ty = self.resolve(ty);
            if self.is_ground(ty) || !self.visit(ty) {
                continue;
            }
            match self.get(ty) {
                Ty::App(a, b) | Ty::Fun(a, b) => stack.extend([a, b]),
                Ty::Meta(other) if other == meta => return Err(Clash::Infinite(node, root)),
                Ty::Meta(other) => {
                    if self.level(other) > level {
                        self.set_level(other, level);
                    }
                }
                Ty::Skolem(skolem) if self.skolem(skolem).level > level && !inner.contains(&skolem) => {
                    return Err(Clash::Escape(skolem));
                }
                Ty::Forall(scheme) => {
                    let scheme = self.scheme(scheme);
                    inner.extend(&scheme.variables);
                    stack.push(scheme.body);
                    for constraint in &scheme.context {
                        stack.extend(self.list(constraint.arguments));
                    }
                }
                Ty::Skolem(_) | Ty::Con(_) | Ty::Error => {}
            }
        }
        Ok(())
    }

    /// Whether the metas of `pattern` can be chosen so that it is `ty`, without touching those of `ty`.
    ///
    /// `pattern` has skolems of an instance head; `found` says what they stand for.
    pub(crate) fn matches(
        &mut self,
        pattern: TyId,
        ty: TyId,
        variables: &[SkolemId],
        found: &mut [Option<TyId>],
    ) -> bool {
        let mut work = vec![(pattern, ty)];
        let mut steps = 0u32;
        while let Some((pattern, ty)) = work.pop() {
            let (pattern, ty) = (self.resolve_meta(pattern), self.resolve(ty));
            steps = steps.saturating_add(1);
            if steps > 1_000_000 {
                return false;
            }
            match (self.get(pattern), self.get(ty)) {
                (_, Ty::Error) => {}
                (Ty::Skolem(variable), _) if variables.contains(&variable) => {
                    let at = variables.iter().position(|&other| other == variable).unwrap_or(0);
                    match found[at] {
                        None => found[at] = Some(ty),
                        Some(before) if self.same(before, ty) => {}
                        Some(_) => return false,
                    }
                }
                (Ty::App(f, x), Ty::App(g, y)) | (Ty::Fun(f, x), Ty::Fun(g, y)) => {
                    work.extend([(x, y), (f, g)]);
                }
                (Ty::App(f, x), Ty::Fun(parameter, result)) => {
                    let function = self.partial_fun(parameter);
                    work.extend([(x, result), (f, function)]);
                }
                (Ty::Fun(parameter, result), Ty::App(f, x)) => {
                    let function = self.partial_fun(parameter);
                    work.extend([(result, x), (function, f)]);
                }
                (x, y) if x == y => {}
                _ => return false,
            }
        }
        true
    }

    /// Whether an instance head could match a type once its metas are known.
    pub(crate) fn could_match(&self, pattern: TyId, ty: TyId, variables: &[SkolemId]) -> bool {
        let mut work = vec![(pattern, ty)];
        let mut steps = 0u32;
        while let Some((pattern, ty)) = work.pop() {
            let (pattern, ty) = (self.resolve_meta(pattern), self.resolve(ty));
            steps = steps.saturating_add(1);
            if steps > 100_000 {
                return true;
            }
            match (self.get(pattern), self.get(ty)) {
                (_, Ty::Error | Ty::Meta(_)) => {}
                (Ty::Skolem(variable), _) if variables.contains(&variable) => {}
                (Ty::App(f, x), Ty::App(g, y)) | (Ty::Fun(f, x), Ty::Fun(g, y)) => {
                    work.extend([(x, y), (f, g)]);
                }
                // `f x` may be a function; looking closer is not worth it.
                (Ty::App(..), Ty::Fun(..)) | (Ty::Fun(..), Ty::App(..)) => {}
                (x, y) if x == y => {}
                _ => return false,
            }
        }
        true
    }
}
