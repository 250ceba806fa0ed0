//! What the names in expressions and patterns mean.
//!
//! Every use of a name gets its [`Entity`], every local variable its number. Along the way it is noted which bindings
//! a declaration uses; `infer` sorts declarations by that.

use gadfly_source::Diagnostic;
use gadfly_syntax::names::{QName, Symbol};
use gadfly_syntax::tree::{
    Body, Decl, DeclId, Expr, ExprId, FieldPattern, FieldValue, Guarded, List, Name, NameId, Pat, PatId,
    PatItem, Place, Rhs, Stmt, StmtKind,
};
use rustc_hash::FxHashMap;

use crate::builtin;
use crate::checker::Checker;
use crate::collect::ANY;
use crate::interface::{
    ConstructorId, DictVars, Dicts, Entity, Local, LocalId, NameNote, Note, PatNote, Use, ValueKind,
};
use crate::scope::Found;

/// The variables that one pattern, or several beside each other, have bound so far.
#[derive(Default)]
struct Bound {
    names: FxHashMap<Symbol, LocalId>,
    /// Whether a declaration binds them; those are numbered already.
    declared: bool,
    /// The function whose rule they are the left side of. Only there may a Curry program use a variable twice, or a
    /// function in a pattern.
    rule: Option<Entity>,
}

impl Checker<'_> {
    /// Renames all bindings of the module, its classes and its instances.
    pub(crate) fn rename(&mut self) {
        let tree = self.tree;
        self.notes.exprs = vec![Note::None; tree.count::<ExprId>()];
        self.notes.pats = vec![PatNote::None; tree.count::<PatId>()];
        for &decl in tree.list(self.syntax.decls) {
            match tree.get(decl) {
                Decl::Class(class) => self.rename_members(class.decls),
                Decl::Instance(instance) => self.rename_members(instance.decls),
                Decl::Pattern { pattern, rhs } => {
                    let start = self.references.len();
                    let mut bound = Bound { declared: true, ..Bound::default() };
                    self.rename_pattern(*pattern, &mut bound);
                    self.rename_rhs(rhs);
                    self.end_references(decl, start);
                }
                _ => self.rename_binding(decl),
            }
        }
        self.check_functional_patterns();
    }

    fn rename_members(&mut self, decls: List<DeclId>) {
        for &decl in self.tree.list(decls) {
            self.rename_binding(decl);
        }
    }

    fn rename_binding(&mut self, decl: DeclId) {
        let start = self.references.len();
        let tree = self.tree;
        match tree.get(decl) {
            Decl::Function { rules, .. } => {
                let entity = self.entity_of(decl);
                for rule in tree.list(*rules) {
                    let mark = self.hidden.len();
                    let mut bound = Bound { rule: Some(entity), ..Bound::default() };
                    for &pattern in tree.list(rule.patterns) {
                        self.rename_pattern(pattern, &mut bound);
                    }
                    self.rename_rhs(&rule.rhs);
                    self.forget(mark);
                }
            }
            Decl::Pattern { rhs, .. } => self.rename_rhs(rhs),
            _ => {}
        }
        self.end_references(decl, start);
    }

    /// What a `Function` declaration defines.
    fn entity_of(&self, decl: DeclId) -> Entity {
        match (self.notes.binding(decl), self.tree.get(decl)) {
            (Some(binding), _) => binding.entity,
            (None, Decl::Function { name, .. }) => {
                self.scope.own.values.get(&name.symbol).copied().unwrap_or(Entity::Unknown)
            }
            _ => Entity::Unknown,
        }
    }

    fn end_references(&mut self, decl: DeclId, start: usize) {
        self.references_of.insert(decl, (start as u32, self.references.len() as u32));
    }

    fn rename_rhs(&mut self, rhs: &Rhs) {
        let mark = self.hidden.len();
        self.rename_decls(rhs.wheres);
        match rhs.body {
            Body::Plain(body) => self.rename_expr(body),
            Body::Guarded(guarded) => self.rename_guarded(guarded),
        }
        self.forget(mark);
    }

    fn rename_guarded(&mut self, guarded: List<Guarded>) {
        let tree = self.tree;
        for guarded in tree.list(guarded) {
            let mark = self.hidden.len();
            self.rename_statements(guarded.guards);
            self.rename_expr(guarded.body);
            self.forget(mark);
        }
    }

    fn rename_statements(&mut self, statements: List<Stmt>) {
        let tree = self.tree;
        for statement in tree.list(statements) {
            match statement.kind {
                StmtKind::Expr(expr) => self.rename_expr(expr),
                StmtKind::Let(decls) => self.rename_decls(decls),
                StmtKind::Bind(pattern, expr) => {
                    self.rename_expr(expr);
                    self.rename_patterns(&[pattern]);
                }
            }
        }
    }

    /// Local declarations: all their names are known in all of them.
    fn rename_decls(&mut self, decls: List<DeclId>) {
        let tree = self.tree;
        let mut bound: FxHashMap<Symbol, LocalId> = FxHashMap::default();
        for &decl in tree.list(decls) {
            self.number_binding(decl, &mut bound);
        }
        for &decl in tree.list(decls) {
            if let Decl::Pattern { pattern, .. } = tree.get(decl) {
                let mut bound = Bound { declared: true, ..Bound::default() };
                self.rename_pattern(*pattern, &mut bound);
            }
        }
        for &decl in tree.list(decls) {
            match tree.get(decl) {
                Decl::Signature { names, .. } => {
                    for &name in tree.list(*names) {
                        if !bound.contains_key(&name.symbol) {
                            self.signature_without_binding(name);
                        }
                    }
                }
                Decl::Fixity { operators, .. } => {
                    for &name in tree.list(*operators) {
                        if !bound.contains_key(&name.symbol) {
                            self.fixity_without_binding(name);
                        }
                    }
                }
                _ => self.rename_binding(decl),
            }
        }
    }

    fn number_binding(&mut self, decl: DeclId, bound: &mut FxHashMap<Symbol, LocalId>) {
        let tree = self.tree;
        let mut names: Vec<Name> = Vec::new();
        match tree.get(decl) {
            Decl::Function { name, rules, .. } => {
                names.push(*name);
                // A local variable of Curry has one value too.
                if self.options.curry {
                    self.only_one(tree.list(*rules));
                }
            }
            Decl::Free(free) | Decl::External(free) => names.extend(tree.list(*free)),
            Decl::Pattern { pattern, .. } => {
                let mut found = Vec::new();
                self.pattern_variables(*pattern, &mut found);
                let constructors =
                    found.iter().filter(|(name, _)| self.curry_constructor(name.symbol).is_none());
                names.extend(constructors.map(|(name, _)| *name));
            }
            _ => return,
        }
        for name in names {
            if let Some(&before) = bound.get(&name.symbol) {
                let before = self.span_of(self.notes.locals[before].place);
                self.duplicate("defined", name, Some(before));
                continue;
            }
            let local = self.new_local(name);
            bound.insert(name.symbol, local);
            self.know(name.symbol, local);
            if let Decl::Free(_) = tree.get(decl) {
                self.free_locals.insert(name.place, local);
            }
            if let Decl::Function { .. } = tree.get(decl) {
                let binding = self.new_binding(Entity::Local(local));
                self.notes.bindings.insert(decl, binding);
            }
        }
    }

    fn new_local(&mut self, name: Name) -> LocalId {
        self.notes.locals.push(Local { name: name.symbol, place: name.place, scheme: ANY, free: None })
    }

    fn know(&mut self, name: Symbol, local: LocalId) {
        let before = self.locals.insert(name, local);
        self.hidden.push((name, before));
    }

    /// Leaves a scope.
    fn forget(&mut self, mark: usize) {
        while self.hidden.len() > mark {
            if let Some((name, before)) = self.hidden.pop() {
                match before {
                    Some(before) => self.locals.insert(name, before),
                    None => self.locals.remove(&name),
                };
            }
        }
    }

    fn rename_exprs(&mut self, exprs: List<ExprId>) {
        let tree = self.tree;
        for &expr in tree.list(exprs) {
            self.rename_expr(expr);
        }
    }

    fn rename_expr(&mut self, expr: ExprId) {
        let tree = self.tree;
        match *tree.get(expr) {
            Expr::Var(name) | Expr::Con(name) => {
                let entity = self.resolve(name, tree.place(expr));
                self.notes.exprs[expr.index()] = Note::Use(Use { entity, dictionaries: Dicts::EMPTY });
            }
            Expr::Apply { function, arguments } => {
                self.rename_expr(function);
                self.rename_exprs(arguments);
            }
            Expr::Operators(_, items) | Expr::Tuple(items) | Expr::List(items) => self.rename_exprs(items),
            Expr::TupleSection(parts) => {
                for &part in tree.list(parts).iter().flatten() {
                    self.rename_expr(part);
                }
            }
            Expr::Negate(inside)
            | Expr::Paren(inside)
            | Expr::Typed(inside, _)
            | Expr::ApplyType { function: inside, .. } => self.rename_expr(inside),
            Expr::Lambda { parameters, body } => {
                let mark = self.hidden.len();
                self.rename_patterns(tree.list(parameters));
                self.rename_expr(body);
                self.forget(mark);
            }
            Expr::Let { decls, body } => {
                let mark = self.hidden.len();
                self.rename_decls(decls);
                self.rename_expr(body);
                self.forget(mark);
            }
            Expr::If { branches, otherwise } => {
                for branch in tree.list(branches) {
                    self.rename_expr(branch.condition);
                    self.rename_expr(branch.then);
                }
                self.rename_expr(otherwise);
            }
            Expr::MultiIf(guarded) => self.rename_guarded(guarded),
            Expr::Case { scrutinee, alternatives, .. } => {
                self.rename_expr(scrutinee);
                self.rename_alternatives(alternatives);
            }
            Expr::LambdaCase(alternatives) => self.rename_alternatives(alternatives),
            Expr::Do(statements) => {
                let mark = self.hidden.len();
                self.rename_statements(statements);
                self.forget(mark);
            }
            Expr::Comprehension { body, qualifiers } => {
                let mark = self.hidden.len();
                self.rename_statements(qualifiers);
                self.rename_expr(body);
                self.forget(mark);
            }
            Expr::Sequence { from, then, to } => {
                for part in [Some(from), then, to].into_iter().flatten() {
                    self.rename_expr(part);
                }
            }
            Expr::LeftSection { operand, operator } | Expr::RightSection { operator, operand } => {
                self.rename_expr(operator);
                self.rename_expr(operand);
            }
            Expr::Construct { constructor, fields, rest } => {
                self.rename_expr(constructor);
                match self.notes.expr(constructor) {
                    Note::Use(Use { entity: Entity::Constructor(id), .. }) => {
                        self.rename_fields(fields, Some(id));
                    }
                    // The fields of an unknown constructor are unknown.
                    _ => {
                        for value in tree.list(fields).iter().filter_map(|field| field.value) {
                            self.rename_expr(value);
                        }
                    }
                }
                if rest {
                    self.rename_expr_rest(expr, constructor, fields);
                }
            }
            Expr::Update { subject, fields } => {
                self.rename_expr(subject);
                self.rename_fields(fields, None);
            }
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Wildcard
            | Expr::Infix(_)
            | Expr::As(..)
            | Expr::Lazy(_)
            | Expr::Bang(_)
            | Expr::View(..) => {}
        }
    }

    fn rename_alternatives(&mut self, alternatives: List<gadfly_syntax::tree::Alternative>) {
        let tree = self.tree;
        for alternative in tree.list(alternatives) {
            let mark = self.hidden.len();
            self.rename_patterns(&[alternative.pattern]);
            self.rename_rhs(&alternative.rhs);
            self.forget(mark);
        }
    }

    /// What a name in an expression means.
    fn resolve(&mut self, name: QName, place: Place) -> Entity {
        if name.qualifier.is_none()
            && let Some(&local) = self.locals.get(&name.name)
        {
            let entity = Entity::Local(local);
            self.references.push(entity);
            return entity;
        }
        let entity = self.lookup_value(name, place);
        if let Entity::Value(value) = entity
            && self.own_index(value).is_some()
        {
            self.references.push(entity);
        }
        entity
    }

    fn rename_fields(&mut self, fields: List<FieldValue>, of: Option<ConstructorId>) {
        let tree = self.tree;
        for field in tree.list(fields) {
            let used = tree.name(field.field);
            let pun = match field.value {
                Some(value) => {
                    self.rename_expr(value);
                    None
                }
                None => {
                    let entity = self.resolve(QName::plain(used.name.name), used.place);
                    Some(Use { entity, dictionaries: Dicts::EMPTY })
                }
            };
            self.note_field(field.field, pun, of);
        }
    }

    /// Finds the selector of a field that is named, perhaps as one of a constructor.
    fn note_field(&mut self, name: NameId, pun: Option<Use>, of: Option<ConstructorId>) {
        let used = self.tree.name(name);
        let unknown = self.scope.value(used.name, &self.world.exports) == Found::None;
        if unknown && !self.may_be_absent(used.name) {
            self.notes.names.insert(name, NameNote::Unknown);
            return self.unknown_field(name, of);
        }
        let note = match self.lookup_value(used.name, used.place) {
            Entity::Value(selector)
                if matches!(self.world.program.values[selector].kind, ValueKind::Field { .. }) =>
            {
                NameNote::Field { selector, pun }
            }
            Entity::Unknown => NameNote::Unknown,
            _ => {
                let message = format!("`{}` is not a field", self.text(used.name.name));
                let span = self.span_of(used.place);
                self.diagnostics.push(Diagnostic::error(message).at(span, ""));
                NameNote::Unknown
            }
        };
        self.notes.names.insert(name, note);
    }

    /// `C { .. }` in an expression: the fields for which a variable of that name is known, other than their selector.
    fn rename_expr_rest(&mut self, expr: ExprId, constructor: ExprId, fields: List<FieldValue>) {
        let Note::Use(Use { entity: Entity::Constructor(id), .. }) = self.notes.expr(constructor) else {
            return;
        };
        if !self.has_labels(id, self.tree.place(constructor)) {
            // Fields that are not set need no further diagnostic.
            self.notes.exprs[constructor.index()] =
                Note::Use(Use { entity: Entity::Unknown, dictionaries: Dicts::EMPTY });
            return;
        }
        let tree = self.tree;
        let named: Vec<Symbol> =
            tree.list(fields).iter().map(|field| tree.name(field.field).name.name).collect();
        let mut found = Vec::new();
        for (index, field) in self.world.program.constructors[id].fields.clone().iter().enumerate() {
            let Some(name) = field.name.filter(|name| !named.contains(name)) else { continue };
            let entity = match self.locals.get(&name) {
                Some(&local) => Entity::Local(local),
                None => match self.scope.value(QName::plain(name), &self.world.exports) {
                    Found::One(entity @ Entity::Value(value)) if field.selector != Some(value) => entity,
                    _ => continue,
                },
            };
            self.references.push(entity);
            found.push((index as u32, Use { entity, dictionaries: Dicts::EMPTY }));
        }
        self.notes.expr_rests.insert(expr, found);
    }

    /// `..` stands for named fields, so a constructor without any is an error.
    fn has_labels(&mut self, constructor: ConstructorId, place: Place) -> bool {
        let info = &self.world.program.constructors[constructor];
        if info.fields.is_empty() || info.fields.iter().any(|field| field.name.is_some()) {
            return true;
        }
        let name = self.text(info.name);
        let mut diagnostic =
            Diagnostic::error(format!("`..` stands for named fields, but those of `{name}` have no names"))
                .at(self.span_of(place), "");
        if let Some(span) = info.span.filter(|_| info.module == Some(self.module)) {
            diagnostic = diagnostic.and(span, "declared without names");
        }
        let holes = " _".repeat(info.fields.len());
        self.diagnostics.push(diagnostic.with_hint(format!("Write its fields in order: `{name}{holes}`.")));
        false
    }

    /// Patterns whose variables are known together.
    fn rename_patterns(&mut self, patterns: &[PatId]) {
        let mut bound = Bound::default();
        for &pattern in patterns {
            self.rename_pattern(pattern, &mut bound);
        }
    }

    fn rename_pattern(&mut self, pattern: PatId, bound: &mut Bound) {
        let tree = self.tree;
        match *tree.get(pattern) {
            Pat::Var(symbol) => {
                let name = Name { symbol, place: tree.place(pattern) };
                self.notes.pats[pattern.index()] = match self.curry_constructor(symbol) {
                    Some(constructor) => PatNote::Constructor(constructor),
                    None => self.bind(name, bound),
                };
            }
            Pat::As(name, inside) => {
                let used = tree.name(name);
                let bound_name = Name { symbol: used.name.name, place: used.place };
                self.notes.pats[pattern.index()] = self.bind(bound_name, bound);
                self.notes.names.insert(name, NameNote::Variable);
                self.rename_pattern(inside, bound);
            }
            Pat::Apply { head, arguments } => {
                self.rename_head(head, bound);
                for &argument in tree.list(arguments) {
                    self.rename_pattern(argument, bound);
                }
            }
            Pat::Record { head, fields, rest } => {
                self.rename_head(head, bound);
                self.rename_field_patterns(head, fields, bound);
                if rest {
                    self.rename_pat_rest(pattern, head, fields, bound);
                }
            }
            Pat::Operators(_, items) => {
                for item in tree.list(items) {
                    match *item {
                        PatItem::Operand(operand) => self.rename_pattern(operand, bound),
                        PatItem::Operator(operator) => self.rename_head(operator, bound),
                    }
                }
            }
            Pat::Tuple(parts) | Pat::List(parts) => {
                for &part in tree.list(parts) {
                    self.rename_pattern(part, bound);
                }
            }
            Pat::Paren(inside) | Pat::Lazy(inside) | Pat::Bang(inside) | Pat::Typed(inside, _) => {
                self.rename_pattern(inside, bound);
            }
            Pat::View(expr, inside) => {
                self.rename_expr(expr);
                self.rename_pattern(inside, bound);
            }
            Pat::Missing | Pat::Wildcard | Pat::Literal { .. } | Pat::Infix(_) => {}
        }
    }

    /// In Curry, where case is a habit: a constructor that is spelled like a variable.
    fn curry_constructor(&self, name: Symbol) -> Option<ConstructorId> {
        if !self.options.curry {
            return None;
        }
        match self.scope.value(QName::plain(name), &self.world.exports) {
            Found::One(Entity::Constructor(constructor)) => Some(constructor),
            _ => None,
        }
    }

    fn bind(&mut self, name: Name, bound: &mut Bound) -> PatNote {
        if bound.declared {
            // Numbered before: at the top of the module, or as a local declaration.
            if let Some(&local) = self.locals.get(&name.symbol)
                && self.notes.locals[local].place == name.place
            {
                return PatNote::Local(local);
            }
            return match self.scope.own.values.get(&name.symbol) {
                Some(&Entity::Value(value)) => PatNote::Value(value),
                _ => self.locals.get(&name.symbol).map_or(PatNote::None, |&local| PatNote::Local(local)),
            };
        }
        if let Some(&before) = bound.names.get(&name.symbol) {
            if !self.options.curry || bound.rule.is_none() {
                let before = self.span_of(self.notes.locals[before].place);
                let message =
                    format!("the variable `{}` stands twice in one pattern", self.text(name.symbol));
                let hint = match self.options.curry {
                    false => "Rename one of them and compare the two with `==` in a guard.",
                    true => {
                        "Only in the rules of functions that means equal values; here rename one of them."
                    }
                };
                self.diagnostics.push(
                    Diagnostic::error(message)
                        .at(self.span_of(name.place), "here again")
                        .and(before, "here first")
                        .with_hint(hint),
                );
            }
            return PatNote::Local(before);
        }
        let local = self.new_local(name);
        bound.names.insert(name.symbol, local);
        self.know(name.symbol, local);
        PatNote::Local(local)
    }

    /// The constructor of a pattern or, in Curry, perhaps a function.
    fn rename_head(&mut self, head: NameId, bound: &Bound) {
        let used = self.tree.name(head);
        let entity = match builtin::constructor_named(used.name, self.interner) {
            Some(entity) => entity,
            None if self.options.curry => self.resolve(used.name, used.place),
            None => self.lookup_value(used.name, used.place),
        };
        let note = match entity {
            Entity::Constructor(constructor) => NameNote::Constructor(constructor, DictVars::EMPTY),
            Entity::Unknown => NameNote::Unknown,
            entity if self.options.curry => {
                match bound.rule {
                    Some(rule) => self.functional_heads.push((rule, entity, head)),
                    None if bound.declared => {}
                    None => self.functional_outside(head),
                }
                NameNote::Function(Use { entity, dictionaries: Dicts::EMPTY })
            }
            _ => {
                let message = format!("`{}` is not a constructor", self.text(used.name.name));
                let span = self.span_of(used.place);
                self.diagnostics.push(
                    Diagnostic::error(message)
                        .at(span, "in a pattern")
                        .with_hint("Only constructors can be matched; compare other values in a guard."),
                );
                NameNote::Unknown
            }
        };
        self.notes.names.insert(head, note);
    }

    /// A function in the pattern of a `case`, a lambda, a statement.
    fn functional_outside(&mut self, head: NameId) {
        let used = self.tree.name(head);
        let text = used.name.text(self.interner);
        self.diagnostics.push(
            Diagnostic::error("a functional pattern stands only on the left side of a rule")
                .at(self.span_of(used.place), format!("`{text}` is a function, not a constructor"))
                .with_hint(
                    "Define a function with this pattern, or solve an equation with `=:=` in a guard.",
                ),
        );
    }

    /// What a function matches must not depend on the function itself: no value of the pattern would be known before
    /// the function is.
    fn check_functional_patterns(&mut self) {
        let heads = std::mem::take(&mut self.functional_heads);
        if heads.is_empty() {
            return;
        }
        let mut uses: FxHashMap<Entity, Vec<Entity>> = FxHashMap::default();
        for (&decl, &(start, end)) in &self.references_of {
            let of = self.entity_of(decl);
            uses.entry(of).or_default().extend(&self.references[start as usize..end as usize]);
        }
        for (rule, function, head) in heads {
            let mut seen = rustc_hash::FxHashSet::default();
            let mut stack = vec![function];
            while let Some(entity) = stack.pop() {
                if entity != Entity::Unknown && seen.insert(entity) {
                    stack.extend(uses.get(&entity).into_iter().flatten());
                }
            }
            if seen.contains(&rule) {
                self.cyclic_pattern(rule, function, head);
            }
        }
    }

    fn cyclic_pattern(&mut self, rule: Entity, function: Entity, head: NameId) {
        let used = self.tree.name(head);
        let text = used.name.text(self.interner);
        let defined = match rule {
            Entity::Local(local) => self.notes.locals[local].name,
            Entity::Value(value) => self.world.program.values[value].name,
            _ => return,
        };
        let defined = self.text(defined);
        let label = match rule == function {
            true => format!("`{defined}` is being defined here"),
            false => format!("`{text}` uses `{defined}`, which is being defined here"),
        };
        self.diagnostics.push(
            Diagnostic::error("this functional pattern depends on the function it belongs to")
                .at(self.span_of(used.place), label)
                .with_hint("What a pattern matches must be known first: use another function in it."),
        );
    }

    fn rename_field_patterns(&mut self, head: NameId, fields: List<FieldPattern>, bound: &mut Bound) {
        let tree = self.tree;
        let of = match self.notes.name(head) {
            NameNote::Constructor(constructor, _) => Some(constructor),
            _ => None,
        };
        for field in tree.list(fields) {
            let pun = match field.pattern {
                Some(pattern) => {
                    self.rename_pattern(pattern, bound);
                    None
                }
                None => {
                    let used = tree.name(field.field);
                    let name = Name { symbol: used.name.name, place: used.place };
                    // A field alone in a declaration was not numbered before.
                    let mut alone = Bound::default();
                    let bound = if bound.declared { &mut alone } else { &mut *bound };
                    let entity = match self.bind(name, bound) {
                        PatNote::Local(local) => Entity::Local(local),
                        PatNote::Value(value) => Entity::Value(value),
                        _ => Entity::Unknown,
                    };
                    Some(Use { entity, dictionaries: Dicts::EMPTY })
                }
            };
            if of.is_some() {
                self.note_field(field.field, pun, of);
            }
        }
    }

    /// `C { .. }` in a pattern binds the fields that are not named.
    fn rename_pat_rest(
        &mut self,
        pattern: PatId,
        head: NameId,
        fields: List<FieldPattern>,
        bound: &mut Bound,
    ) {
        let NameNote::Constructor(constructor, _) = self.notes.name(head) else { return };
        self.has_labels(constructor, self.tree.name(head).place);
        let tree = self.tree;
        let named: Vec<Symbol> =
            tree.list(fields).iter().map(|field| tree.name(field.field).name.name).collect();
        let place = tree.place(pattern);
        // Two dots before the closing brace.
        let place = Place { start: place.end.saturating_sub(3), end: place.end.saturating_sub(1) };
        let mut found = Vec::new();
        for (index, field) in self.world.program.constructors[constructor].fields.clone().iter().enumerate() {
            let Some(symbol) = field.name.filter(|name| !named.contains(name)) else { continue };
            let local = self.new_local(Name { symbol, place });
            bound.names.insert(symbol, local);
            self.know(symbol, local);
            found.push((index as u32, local));
        }
        self.notes.pat_rests.insert(pattern, found);
    }
}
