//! Bindings: dependency groups, signatures, equations (Haskell 2010 §4.5).

use gadfly_source::Diagnostic;
use gadfly_syntax::tree::{Decl, DeclId, List, Pat, PatId, Rule};
use rustc_hash::FxHashMap;

use super::{Expect, LocalType, Why};
use crate::checker::{Checker, Signature};
use crate::components;
use crate::interface::{Binding, Entity, NameNote, PatNote, Use};
use crate::types::{SkolemId, TyId, Types};

/// A declaration of a group and what it binds.
pub(super) struct Member {
    pub(super) decl: DeclId,
    pub(super) entities: Vec<Entity>,
}

impl Checker<'_> {
    /// `let`, `where` and the `let` of statements.
    pub(crate) fn local_bindings(&mut self, decls: List<DeclId>) {
        if decls.is_empty() {
            return;
        }
        let tree = self.tree;
        let mut names: FxHashMap<gadfly_syntax::names::Symbol, Entity> = FxHashMap::default();
        let mut members = Vec::new();
        for &decl in tree.list(decls) {
            if let Decl::Free(free) = tree.get(decl) {
                self.free_variables_declared(*free);
            }
            if let Some(member) = self.member(decl) {
                for &entity in &member.entities {
                    if let Entity::Local(local) = entity {
                        names.insert(self.notes.locals[local].name, entity);
                    }
                }
                members.push(member);
            }
        }
        for &decl in tree.list(decls) {
            let Decl::Signature { names: declared_names, declared } = *tree.get(decl) else { continue };
            for &name in tree.list(declared_names) {
                let Some(&entity) = names.get(&name.symbol) else { continue };
                if let Some(before) = self.signatures.get(&entity) {
                    let before = before.span;
                    self.duplicate("declared", name, Some(before));
                    continue;
                }
                let signature = self.new_signature(declared);
                self.signatures.insert(entity, signature);
                if let Entity::Local(local) = entity {
                    self.set_local(local, LocalType::Poly(signature.scheme));
                }
            }
        }
        self.groups(members);
    }

    fn free_variables_declared(&mut self, names: List<gadfly_syntax::tree::Name>) {
        for name in self.tree.list(names) {
            let span = self.span_of(name.place);
            let Some(&local) = self.free_locals.get(&name.place) else { continue };
            let ty = self.fresh();
            self.set_local(local, LocalType::Mono(ty));
            let free = self.free_variable(ty, span);
            self.notes.locals[local].free = free;
        }
    }

    /// All bindings at the top of the module.
    pub(crate) fn top_bindings(&mut self) {
        self.value_types = vec![LocalType::Unset; self.own_values.len()];
        let tree = self.tree;
        let mut members = Vec::new();
        for &decl in tree.list(self.syntax.decls) {
            if let Decl::Function { name, default_for: None, .. } = tree.get(decl)
                && let Some(&entity) = self.scope.own.values.get(&name.symbol)
            {
                let first = match entity {
                    Entity::Value(value) => self.world.program.values[value].span == self.span_of(name.place),
                    _ => false,
                };
                if !first {
                    continue;
                }
                let binding = self.new_binding(entity);
                self.notes.bindings.insert(decl, binding);
            }
            members.extend(self.member(decl));
        }
        self.groups(members);
    }

    fn member(&mut self, decl: DeclId) -> Option<Member> {
        match self.tree.get(decl) {
            Decl::Function { default_for, .. } => {
                let entity = self.notes.binding(decl)?.entity;
                // The default rule of a Curry function goes with its other rules.
                let entities = if default_for.is_some() { Vec::new() } else { vec![entity] };
                Some(Member { decl, entities })
            }
            Decl::Pattern { pattern, .. } => {
                let binding = self.new_binding(Entity::Unknown);
                self.notes.bindings.insert(decl, binding);
                let mut entities = Vec::new();
                self.bound_by(*pattern, &mut entities);
                Some(Member { decl, entities })
            }
            _ => None,
        }
    }

    /// What the variables of a renamed pattern are.
    fn bound_by(&self, pattern: PatId, found: &mut Vec<Entity>) {
        let tree = self.tree;
        let mut stack = vec![pattern];
        while let Some(id) = stack.pop() {
            match self.notes.pat(id) {
                PatNote::Local(local) => found.push(Entity::Local(local)),
                PatNote::Value(value) => found.push(Entity::Value(value)),
                _ => {}
            }
            found.extend(self.notes.pat_rest(id).iter().map(|(_, local)| Entity::Local(*local)));
            if let Pat::Record { fields, .. } = *tree.get(id) {
                for field in tree.list(fields).iter().rev() {
                    if let NameNote::Field { pun: Some(Use { entity, .. }), .. } =
                        self.notes.name(field.field)
                    {
                        found.push(entity);
                    }
                }
            }
            tree.push_parts(id, &mut stack);
        }
    }

    /// Infers declarations, each group after those that it uses. A use of a name with a signature does not
    /// count: its type is known.
    fn groups(&mut self, members: Vec<Member>) {
        let mut owner: FxHashMap<Entity, usize> = FxHashMap::default();
        for (at, member) in members.iter().enumerate() {
            for entity in &member.entities {
                if !self.signatures.contains_key(entity) {
                    owner.insert(*entity, at);
                }
            }
        }
        let mut edges: Vec<Vec<usize>> = Vec::with_capacity(members.len());
        for member in &members {
            let mut found: Vec<usize> = match self.references_of.get(&member.decl) {
                Some(&(start, end)) => self.references[start as usize..end as usize]
                    .iter()
                    .filter_map(|entity| owner.get(entity).copied())
                    .collect(),
                None => Vec::new(),
            };
            if let Decl::Function { default_for: Some(_), .. } = self.tree.get(member.decl)
                && let Some(binding) = self.notes.binding(member.decl)
            {
                found.extend(owner.get(&binding.entity));
            }
            found.sort_unstable();
            found.dedup();
            edges.push(found);
        }
        let mut members: Vec<Option<Member>> = members.into_iter().map(Some).collect();
        for group in components::sort(&edges) {
            let group: Vec<Member> = group.into_iter().filter_map(|at| members[at].take()).collect();
            self.group(&group);
        }
    }

    fn group(&mut self, group: &[Member]) {
        if self.level == 0 {
            self.types().allow();
        }
        let number = self.next_group;
        self.next_group += 1;
        for member in group {
            if let Some(binding) = self.notes.bindings.get_mut(&member.decl) {
                binding.group = number;
            }
        }
        match group {
            [Member { decl, .. }] if self.default_rule(*decl) => {}
            [Member { decl, entities }]
                if matches!(self.tree.get(*decl), Decl::Function { .. })
                    && self.signatures.contains_key(&entities[0]) =>
            {
                let signature = self.signatures[&entities[0]];
                self.declared_function(*decl, entities[0], signature);
            }
            _ => self.inferred_group(group),
        }
        if self.types().overflowed() && self.level == 0 {
            self.types_too_large(group[0].decl);
            self.types().allow();
        }
    }

    /// The default rule of a Curry function: checked against the type of the other rules, which come before it.
    fn default_rule(&mut self, decl: DeclId) -> bool {
        let Decl::Function { rules, default_for: Some(_), name } = *self.tree.get(decl) else { return false };
        let Some(&Binding { entity, .. }) = self.notes.binding(decl) else { return true };
        let Entity::Value(value) = entity else { return true };
        let scheme = self.world.program.values[value].scheme;
        let span = self.span_of(name.place);
        self.against_scheme(decl, scheme, self.tree.list(rules), Why::Binding(span), Some(span));
        true
    }

    /// A function with a signature: its own type variables are the rigid ones.
    fn declared_function(&mut self, decl: DeclId, entity: Entity, signature: Signature) {
        let Decl::Function { rules, .. } = *self.tree.get(decl) else { return };
        let rules = self.tree.list(rules);
        if let Entity::Local(local) = entity {
            self.set_local(local, LocalType::Poly(signature.scheme));
        }
        let mark = self.type_variables.len();
        if signature.scoped {
            self.know_scheme_variables(signature.scheme);
        }
        let why = Why::Signature(signature.span);
        self.against_scheme(decl, signature.scheme, rules, why, Some(signature.span));
        self.type_variables.truncate(mark);
    }

    fn know_scheme_variables(&mut self, scheme: crate::types::SchemeId) {
        for variable in self.types().scheme(scheme).variables.clone() {
            if let Some(symbol) = self.types().skolem(variable).name {
                let kind = match self.skolem_kinds.get(&variable) {
                    Some(&kind) => kind,
                    None => self.fresh(),
                };
                self.know_type_variable(symbol, variable, kind);
            }
        }
    }

    fn against_scheme(
        &mut self,
        decl: DeclId,
        scheme: crate::types::SchemeId,
        rules: &[Rule],
        why: Why,
        signature: Option<gadfly_source::Span>,
    ) {
        let start = self.wanted.len();
        let given = self.given;
        let parts = self.types().scheme(scheme).clone();
        self.level += 1;
        let level = self.level;
        for &variable in &parts.variables {
            self.types().set_skolem_level(variable, level);
        }
        let dictionaries = self.bind_dictionaries(&parts.context);
        let name = match self.tree.get(decl) {
            Decl::Function { name, .. } => Some(name.symbol),
            _ => None,
        };
        self.give(&parts.context, dictionaries, name.zip(signature));
        self.givens[self.given].broken = self.broken_schemes.contains(&scheme);
        let trouble = self.trouble();
        if self.types().has_error(parts.body) {
            self.unknown_uses += 1;
        }
        self.rules(rules, Expect::new(parts.body, why));
        self.level -= 1;
        self.given = given;
        self.solve(start);
        if self.trouble() > trouble {
            // What is still open may be so because of the error.
            self.wanted.truncate(start);
        }
        if let Some(binding) = self.notes.bindings.get_mut(&decl) {
            binding.dictionaries = dictionaries;
        }
    }

    /// Complains about a definition without parameters that has several equations.
    pub(crate) fn only_one(&mut self, rules: &[Rule]) {
        if let [first, other, ..] = rules
            && first.patterns.is_empty()
            && other.patterns.is_empty()
        {
            let error = Diagnostic::error("a definition without parameters has several equations")
                .at(self.span_of(other.place), "here again")
                .and(self.span_of(first.place), "here first")
                .with_hint("Rename one of them, or remove one.");
            self.diagnostics.push(error);
        }
    }

    /// The equations of a function.
    pub(crate) fn rules(&mut self, rules: &[Rule], expect: Expect) {
        let Some(first) = rules.first() else { return };
        let count = first.patterns.len();
        if let Some(other) = rules.iter().find(|rule| rule.patterns.len() != count) {
            let first = (self.span_of(first.place), count);
            self.different_arity(first, (self.span_of(other.place), other.patterns.len()));
        }
        // In Curry they are alternatives.
        if !self.options.curry {
            self.only_one(rules);
        }
        let mut parameters = Vec::with_capacity(count);
        let mut result = expect.ty;
        while parameters.len() < count {
            match self.split_function(result) {
                Some((parameter, rest)) => {
                    parameters.push(parameter);
                    result = rest;
                }
                None => {
                    self.too_many_parameters(self.span_of(first.place), count, parameters.len(), expect);
                    parameters.resize(count, Types::ERROR);
                    result = Types::ERROR;
                }
            }
        }
        let mut expect = Expect::new(result, expect.why);
        for rule in rules {
            if rule.patterns.len() != count {
                continue;
            }
            let errors = self.error_count();
            self.scoped(|this| {
                let patterns = this.tree.list(rule.patterns);
                for (&pattern, &parameter) in patterns.iter().zip(&parameters) {
                    this.pattern(pattern, Expect::new(parameter, expect.why));
                }
                let expect = this.after_patterns(errors, expect);
                this.rhs(&rule.rhs, expect);
            });
            if expect.why == Why::Open {
                expect.why = Why::Binding(self.span_of(rule.place));
            }
        }
    }

    /// Declarations without signatures, which are inferred together and then generalised.
    fn inferred_group(&mut self, group: &[Member]) {
        let (errors, trouble) = (self.error_count(), self.trouble());
        let start = self.wanted.len();
        let uses = self.group_uses.len();
        self.level += 1;
        let entities: Vec<Entity> = group.iter().flat_map(|member| member.entities.iter().copied()).collect();
        let mut types = Vec::with_capacity(entities.len());
        let mut rigid = Vec::new();
        for &entity in &entities {
            let ty = match self.signatures.get(&entity).copied() {
                Some(signature) => self.declared_variable(entity, signature, &mut rigid),
                None => self.fresh(),
            };
            types.push(ty);
            self.set_entity(entity, LocalType::Group(ty));
        }
        let mut at = 0;
        for member in group {
            match *self.tree.get(member.decl) {
                Decl::Function { rules, .. } => {
                    let rules = self.tree.list(rules);
                    self.rules(rules, Expect::new(types[at], Why::Open));
                }
                Decl::Pattern { pattern, rhs } => {
                    let ty = self.fresh();
                    self.scoped(|this| {
                        this.pattern(pattern, Expect::new(ty, Why::Open));
                    });
                    let span = self.tree.span(pattern);
                    self.scoped(|this| this.rhs(&rhs, Expect::new(ty, Why::Matched(span))));
                }
                _ => {}
            }
            at += member.entities.len();
        }
        self.level -= 1;
        self.solve(start);
        if self.error_count() > errors {
            self.give_up(&entities, start, uses);
            return;
        }
        self.generalise(group, &entities, &types, start, uses, rigid);
        if self.trouble() > trouble {
            self.wanted.truncate(start);
        }
    }

    /// A variable of a pattern that has a signature.
    fn declared_variable(&mut self, entity: Entity, signature: Signature, rigid: &mut Vec<SkolemId>) -> TyId {
        let parts = self.types().scheme(signature.scheme).clone();
        let level = self.level;
        for &variable in &parts.variables {
            self.types().set_skolem_level(variable, level);
        }
        rigid.extend(&parts.variables);
        if !parts.context.is_empty() {
            let name = match entity {
                Entity::Local(local) => self.notes.locals[local].name,
                Entity::Value(value) => self.world.program.values[value].name,
                _ => return parts.body,
            };
            let message =
                format!("`{}` is bound by a pattern; its type cannot have a class context", self.text(name));
            self.diagnostics.push(
                Diagnostic::error(message)
                    .at(signature.span, "")
                    .with_hint("Bind the pattern to a variable first, and define this one by an equation."),
            );
        }
        parts.body
    }

    fn set_entity(&mut self, entity: Entity, ty: LocalType) {
        match entity {
            Entity::Local(local) => self.set_local(local, ty),
            Entity::Value(value) => {
                if let Some(row) = self.own_index(value)
                    && let Some(place) = self.value_types.get_mut(row)
                {
                    *place = ty;
                }
            }
            _ => {}
        }
    }

    /// After an error in a group: its variables may have any type, and it gets no further diagnostics.
    fn give_up(&mut self, entities: &[Entity], start: usize, uses: usize) {
        self.wanted.truncate(start);
        self.group_uses.truncate(uses);
        for &entity in entities {
            let scheme = match self.signatures.get(&entity) {
                Some(signature) => signature.scheme,
                None => crate::collect::ANY,
            };
            self.set_scheme(entity, scheme);
        }
    }

    pub(super) fn set_scheme(&mut self, entity: Entity, scheme: crate::types::SchemeId) {
        self.set_entity(entity, LocalType::Poly(scheme));
        if let Entity::Value(value) = entity {
            self.world.program.values[value].scheme = scheme;
        }
    }

    /// Grows with every error, and with every use of an entity that had one.
    pub(crate) fn trouble(&self) -> usize {
        self.error_count() + self.unknown_uses
    }

    /// How many errors have been reported.
    pub(crate) fn error_count(&self) -> usize {
        self.diagnostics.len()
    }
}
