//! Generalisation: which types and constraints of a group become its parameters.
//!
//! Metas of a deeper level than what surrounds the group are generalised: each is linked to a new type variable. The
//! constraints on them become dictionary parameters; those on others wait. The monomorphism restriction and Curry's
//! shared variables keep metas outside.

use gadfly_syntax::tree::{Body, Decl, Expr, ExprId, Rhs};
use rustc_hash::{FxHashMap, FxHashSet};

use super::LocalType;
use super::binding::Member;
use crate::checker::Checker;
use crate::interface::{DictId, DictVars, Dictionary, Entity, Note, Use, ValueKind};
use crate::types::{Constraint, MetaId, Scheme, SkolemId, Ty, TyId};

impl Checker<'_> {
    /// Whether the monomorphism restriction holds for a group.
    fn restricted(&self, group: &[Member]) -> bool {
        self.options.monomorphism_restriction
            && group.iter().any(|member| match self.tree.get(member.decl) {
                Decl::Pattern { .. } => true,
                Decl::Function { rules, .. } => {
                    self.tree.list(*rules).first().is_some_and(|rule| rule.patterns.is_empty())
                }
                _ => false,
            })
    }

    pub(super) fn generalise(
        &mut self,
        group: &[Member],
        entities: &[Entity],
        types: &[TyId],
        start: usize,
        uses: usize,
        rigid: Vec<SkolemId>,
    ) {
        let outer = self.level;
        if self.restricted(group) {
            self.keep_outside(start, &[]);
        } else if self.is_shared(group) {
            self.keep_outside(start, types);
        }
        let mut metas: Vec<MetaId> = self.types().metas_of(types);
        metas.retain(|&meta| self.world.program.types.level(meta) > outer);
        let retained = self.retain_constraints(start, outer, &mut metas);
        let mut variables = rigid;
        for meta in metas {
            let skolem = self.types().new_skolem(None, None, outer + 1);
            let ty = self.types().skolem_type(skolem);
            self.types().link(meta, ty);
            variables.push(skolem);
        }
        let (context, dictionaries) = self.abstract_over(retained);
        for member in group {
            if let Some(binding) = self.notes.bindings.get_mut(&member.decl) {
                binding.dictionaries = dictionaries;
            }
        }
        for (&entity, &ty) in entities.iter().zip(types) {
            if let Some(signature) = self.signatures.get(&entity) {
                let scheme = signature.scheme;
                self.set_scheme(entity, scheme);
                continue;
            }
            let body = self.types().zonk(ty);
            let scheme =
                Scheme { variables: variables.clone().into(), context: context.clone().into(), body };
            let scheme = self.types().add_scheme(scheme);
            self.set_scheme(entity, scheme);
        }
        self.finish_uses(entities, uses, dictionaries);
    }

    /// In Curry, a local variable stands for one value, perhaps a free variable or one of several, unless its
    /// definition is a value already.
    fn is_shared(&self, group: &[Member]) -> bool {
        self.options.curry
            && self.level > 0
            && group.iter().any(|member| match *self.tree.get(member.decl) {
                Decl::Pattern { rhs, .. } => !self.is_value_rhs(&rhs),
                Decl::Function { rules, .. } => match self.tree.list(rules) {
                    [rule] if rule.patterns.is_empty() => !self.is_value_rhs(&rule.rhs),
                    _ => false,
                },
                _ => false,
            })
    }

    fn is_value_rhs(&self, rhs: &Rhs) -> bool {
        match rhs.body {
            Body::Plain(body) => rhs.wheres.is_empty() && self.is_value(body),
            Body::Guarded(_) => false,
        }
    }

    /// Whether an expression needs no evaluation.
    fn is_value(&self, expr: ExprId) -> bool {
        let tree = self.tree;
        match *tree.get(expr) {
            Expr::Literal(_) | Expr::Lambda { .. } | Expr::LambdaCase(_) => true,
            Expr::Var(_) | Expr::Con(_) => self.takes_more_than(expr, 0),
            Expr::Paren(inside) | Expr::Typed(inside, _) => self.is_value(inside),
            Expr::Tuple(parts) | Expr::List(parts) => {
                tree.list(parts).iter().all(|&part| self.is_value(part))
            }
            Expr::LeftSection { operand, operator } | Expr::RightSection { operator, operand } => {
                self.takes_more_than(operator, 1) && self.is_value(operand)
            }
            Expr::Apply { function, arguments } => {
                self.takes_more_than(function, arguments.len())
                    && tree.list(arguments).iter().all(|&argument| self.is_value(argument))
            }
            _ => false,
        }
    }

    /// Whether a function takes more arguments than it is applied to; a constructor is never evaluated.
    fn takes_more_than(&self, expr: ExprId, arguments: usize) -> bool {
        let Note::Use(Use { entity, .. }) = self.notes.expr(expr) else { return false };
        let Entity::Value(value) = entity else {
            return match entity {
                Entity::Local(local) => {
                    arguments == 0 && matches!(self.local_type(local), LocalType::Mono(_))
                }
                _ => true,
            };
        };
        let info = &self.world.program.values[value];
        let decl = match info.kind {
            ValueKind::Function { decl, .. } => decl,
            _ => {
                let types = &self.world.program.types;
                let (mut ty, mut arity) = (types.scheme(info.scheme).body, 0);
                while let Ty::Fun(_, result) = types.view(ty) {
                    arity += 1;
                    ty = result;
                }
                return arity > arguments;
            }
        };
        let tree = match self.own_index(value) {
            Some(_) => self.tree,
            None => &self.world.program.modules[info.module].syntax.tree,
        };
        match *tree.get(decl) {
            Decl::Function { rules, .. } => {
                tree.list(rules).first().is_some_and(|rule| rule.patterns.len() > arguments)
            }
            _ => false,
        }
    }

    /// The metas of constraints that must not be generalised belong outside, and those of `types` too.
    fn keep_outside(&mut self, start: usize, types: &[TyId]) {
        let outer = self.level;
        let mut arguments = types.to_vec();
        for wanted in &self.wanted[start..] {
            arguments.extend_from_slice(self.world.program.types.list(wanted.constraint.arguments));
        }
        for meta in self.types().metas_of(&arguments) {
            if self.types().level(meta) > outer {
                self.types().set_level(meta, outer);
            }
        }
    }

    /// Takes the wanted constraints that have a variable that is generalised; the variables that they lead to are
    /// generalised too. The others wait for what is outside.
    fn retain_constraints(
        &mut self,
        start: usize,
        outer: u32,
        metas: &mut Vec<MetaId>,
    ) -> Vec<super::Wanted> {
        let batch = self.wanted.split_off(start);
        let mut reached: FxHashSet<MetaId> = metas.iter().copied().collect();
        let mut of: Vec<(super::Wanted, Vec<MetaId>, bool)> = Vec::with_capacity(batch.len());
        for wanted in batch {
            let arguments = self.world.program.types.list(wanted.constraint.arguments).to_vec();
            let mut inside = self.types().metas_of(&arguments);
            inside.retain(|&meta| self.world.program.types.level(meta) > outer);
            of.push((wanted, inside, false));
        }
        loop {
            let mut grown = false;
            for (_, inside, taken) in &mut of {
                if !*taken && inside.iter().any(|meta| reached.contains(meta)) {
                    *taken = true;
                    for &meta in inside.iter() {
                        if reached.insert(meta) {
                            metas.push(meta);
                            grown = true;
                        }
                    }
                }
            }
            if !grown {
                break;
            }
        }
        let mut retained = Vec::new();
        for (wanted, _, taken) in of {
            match taken {
                true => retained.push(wanted),
                false => self.wanted.push(wanted),
            }
        }
        retained
    }

    /// Makes constraints parameters, each once, without those that follow from others by superclasses.
    fn abstract_over(&mut self, retained: Vec<super::Wanted>) -> (Vec<Constraint>, DictVars) {
        if retained.is_empty() {
            return (Vec::new(), DictVars::EMPTY);
        }
        let mut distinct: Vec<(Constraint, DictId)> = Vec::new();
        let mut by_head: FxHashMap<(crate::interface::ClassId, Option<TyId>), Vec<usize>> =
            FxHashMap::default();
        for wanted in retained {
            let constraint = self.types().zonk_constraint(wanted.constraint);
            let key = self.constraint_key(constraint);
            let same = by_head.entry(key).or_default();
            let found = same.iter().find(|&&at| {
                let (a, b) = (distinct[at].0.arguments, constraint.arguments);
                let types = &self.world.program.types;
                types.list(a).iter().zip(types.list(b)).all(|(&a, &b)| types.same(a, b))
            });
            match found {
                Some(&at) => {
                    self.notes.dictionaries[wanted.dictionary] = Dictionary::Same(distinct[at].1);
                }
                None => {
                    same.push(distinct.len());
                    distinct.push((constraint, wanted.dictionary));
                }
            }
        }
        let mut implied: Vec<Option<DictId>> = vec![None; distinct.len()];
        for at in 0..distinct.len() {
            let mut known = Vec::new();
            self.with_superclasses(distinct[at].0, distinct[at].1, &mut known);
            for &(superclass, dictionary) in &known[1..] {
                let key = self.constraint_key(superclass);
                for &other in by_head.get(&key).map_or(&[][..], Vec::as_slice) {
                    let (a, b) = (distinct[other].0.arguments, superclass.arguments);
                    let types = &self.world.program.types;
                    let equal = types.list(a).iter().zip(types.list(b)).all(|(&a, &b)| types.same(a, b));
                    if other != at && equal && implied[other].is_none() {
                        implied[other] = Some(dictionary);
                    }
                }
            }
        }
        let context: Vec<Constraint> = distinct
            .iter()
            .zip(&implied)
            .filter(|(_, implied)| implied.is_none())
            .map(|((constraint, _), _)| *constraint)
            .collect();
        let variables = self.bind_dictionaries(&context);
        let mut next = variables.iter();
        for ((_, dictionary), implied) in distinct.iter().zip(&implied) {
            self.notes.dictionaries[*dictionary] = match implied {
                Some(implied) => Dictionary::Same(*implied),
                None => match next.next() {
                    Some(variable) => Dictionary::Variable(variable),
                    None => Dictionary::Missing,
                },
            };
        }
        (context, variables)
    }

    /// Constraints with different keys are different.
    fn constraint_key(&self, constraint: Constraint) -> (crate::interface::ClassId, Option<TyId>) {
        let types = &self.world.program.types;
        let first = types.list(constraint.arguments).first().map(|&first| types.resolve(first));
        let simple = first.filter(|&first| matches!(types.get(first), Ty::Skolem(_) | Ty::Meta(_)));
        (constraint.class, simple)
    }

    /// Inside the group its members were used without dictionaries: they get those of the group itself.
    fn finish_uses(&mut self, entities: &[Entity], uses: usize, dictionaries: DictVars) {
        let recorded = self.group_uses.split_off(uses);
        let list: Vec<DictId> = dictionaries
            .iter()
            .map(|variable| self.notes.dictionaries.push(Dictionary::Variable(variable)))
            .collect();
        let list = self.dicts(&list);
        let own: FxHashSet<Entity> = entities.iter().copied().collect();
        for (site, entity) in recorded {
            match own.contains(&entity) {
                true if dictionaries.is_empty() => {}
                true => self.note_dictionaries(site, list),
                false => self.group_uses.push((site, entity)),
            }
        }
    }
}
