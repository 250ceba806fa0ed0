//! Building and updating records (Haskell 2010 §3.15).

use gadfly_source::Diagnostic;
use gadfly_syntax::tree::{ExprId, FieldValue, List};

use super::{Cause, Expect, Origin, Site, Why};
use crate::checker::Checker;
use crate::interface::{ConstructorId, Entity, NameNote, Note, TypeConId, Use, ValueId, ValueKind};
use crate::types::{SkolemId, Ty, TyId, Types};

impl Checker<'_> {
    /// `C { x = 1, .. }`.
    #[inline(never)]
    pub(crate) fn construct(&mut self, expr: ExprId, head: ExprId, fields: List<FieldValue>, expect: Expect) {
        let whole = self.head(head);
        let Note::Use(Use { entity: Entity::Constructor(constructor), .. }) = self.notes.expr(head) else {
            for field in self.tree.list(fields) {
                if let Some(value) = field.value {
                    self.infer(value);
                }
            }
            return;
        };
        let arity = self.world.program.constructors[constructor].fields.len();
        let mut types = Vec::with_capacity(arity);
        let mut result = whole;
        while types.len() < arity
            && let Ty::Fun(field, rest) = self.types().view(result)
        {
            types.push(field);
            result = rest;
        }
        self.meet(expr, result, expect);
        let mut set = vec![false; arity];
        for field in self.tree.list(fields) {
            let NameNote::Field { selector, .. } = self.notes.name(field.field) else {
                self.field_value(field, Types::ERROR);
                continue;
            };
            let ty = match self.field_number(constructor, selector) {
                None => {
                    self.no_such_field(field.field, constructor);
                    Types::ERROR
                }
                Some(number) => {
                    if std::mem::replace(&mut set[number], true) {
                        self.field_twice(field);
                    }
                    types.get(number).copied().unwrap_or(Types::ERROR)
                }
            };
            self.field_value(field, ty);
        }
        for (at, (number, used)) in self.notes.expr_rest(expr).to_vec().into_iter().enumerate() {
            set[number as usize] = true;
            let ty = self.use_entity(used.entity, Site::Rest(expr, at as u32), self.tree.span(expr));
            let expected = types.get(number as usize).copied().unwrap_or(Types::ERROR);
            self.meet(expr, ty, Expect::new(expected, Why::Open));
        }
        self.missing_fields(expr, constructor, &set);
    }

    fn field_value(&mut self, field: &FieldValue, ty: TyId) {
        if let Some(value) = field.value {
            self.expr(value, Expect::new(ty, Why::Field(field.field)));
            return;
        }
        let NameNote::Field { pun: Some(used), .. } = self.notes.name(field.field) else { return };
        let span = self.span_of(self.tree.name(field.field).place);
        let found = self.use_entity(used.entity, Site::Pun(field.field), span);
        let expect = Expect::new(ty, Why::Field(field.field));
        if let Err(clash) = self.types().unify(ty, found) {
            self.mismatch(span, None, found, expect, clash);
        }
    }

    fn field_twice(&mut self, field: &FieldValue) {
        let used = self.tree.name(field.field);
        let message = format!("the field `{}` is set twice", self.text(used.name.name));
        let span = self.span_of(used.place);
        self.diagnostics.push(
            Diagnostic::error(message).at(span, "here again").with_hint("Keep the value that is meant."),
        );
    }

    /// Fields that are not set: an error where they are strict, else a warning.
    fn missing_fields(&mut self, expr: ExprId, constructor: ConstructorId, set: &[bool]) {
        let info = &self.world.program.constructors[constructor];
        let mut strict = false;
        let mut missing = Vec::new();
        for (field, set) in info.fields.iter().zip(set) {
            if *set {
                continue;
            }
            strict |= field.strict;
            match field.name {
                Some(name) => missing.push(format!("`{}`", self.text(name))),
                // `C {}` of a constructor without field names leaves everything open.
                None => missing.push(String::new()),
            }
        }
        if missing.is_empty() {
            return;
        }
        let name = self.text(info.name);
        let message = match missing.len() {
            number if missing[0].is_empty() => {
                format!("`{name}` is built without its {}", crate::convert::count(number, "field"))
            }
            1 => format!("`{name}` is built without its field {}", missing[0]),
            _ => format!("`{name}` is built without its fields {}", missing.join(", ")),
        };
        let span = self.tree.span(expr);
        match strict {
            true => {
                let diagnostic = Diagnostic::error(message).at(span, "a strict field must have a value");
                self.diagnostics.push(diagnostic.with_hint("Set it too: `field = ...`."));
            }
            false => {
                let diagnostic = Diagnostic::warning(message).at(span, "");
                self.warnings.push(diagnostic.with_note("Using it would be an error."));
            }
        }
    }

    /// `e { x = 1 }`. Type parameters that occur in no other field may change.
    #[inline(never)]
    pub(crate) fn update(&mut self, expr: ExprId, subject: ExprId, fields: List<FieldValue>, expect: Expect) {
        let fields = self.tree.list(fields);
        let selectors: Vec<Option<ValueId>> = fields
            .iter()
            .map(|field| match self.notes.name(field.field) {
                NameNote::Field { selector, .. } => Some(selector),
                _ => None,
            })
            .collect();
        let of =
            selectors.iter().flatten().find_map(|&selector| match self.world.program.values[selector].kind {
                ValueKind::Field { of, .. } => Some(of),
                _ => None,
            });
        let Some(of) = of.filter(|_| selectors.iter().all(Option::is_some)) else {
            self.infer(subject);
            for field in fields {
                self.field_value(field, Types::ERROR);
            }
            return;
        };
        let selectors: Vec<ValueId> = selectors.into_iter().flatten().collect();
        let with_all = self.constructors_with(of, &selectors);
        if with_all.is_empty() {
            self.no_constructor_with(expr, of, fields);
        }
        let (before, after) = self.update_types(of, &with_all, &selectors);
        let name = self.world.program.type_constructors[of].name;
        let origin = Origin { span: self.tree.span(expr), cause: Cause::Use(name) };
        let pairs: Vec<(SkolemId, TyId)> = after.1.iter().copied().zip(after.2.iter().copied()).collect();
        for &constructor in &with_all {
            self.want_demands(constructor, &pairs, origin);
        }
        self.meet(expr, after.0, expect);
        self.expr(subject, Expect::new(before, Why::Open));
        for (field, selector) in fields.iter().zip(selectors) {
            let declared = with_all
                .first()
                .and_then(|&constructor| Some((constructor, self.field_number(constructor, selector)?)))
                .map(|(constructor, at)| self.world.program.constructors[constructor].fields[at].declared);
            let ty = match declared {
                Some(declared) => self.types().substitute(declared, &after.1, &after.2),
                None => Types::ERROR,
            };
            self.field_value(field, ty);
        }
    }

    /// The constructors of a type that have all of these fields.
    fn constructors_with(&self, of: TypeConId, selectors: &[ValueId]) -> Vec<ConstructorId> {
        let constructors = self.world.program.type_constructors[of].constructors();
        let has_all = |constructor: &ConstructorId| {
            selectors.iter().all(|&selector| self.field_number(*constructor, selector).is_some())
        };
        constructors.iter().copied().filter(has_all).collect()
    }

    /// The types of a record before and after an update; of the one after, with its parameters and arguments.
    #[allow(clippy::type_complexity, reason = "a name for it would be used once")]
    fn update_types(
        &mut self,
        of: TypeConId,
        constructors: &[ConstructorId],
        selectors: &[ValueId],
    ) -> (TyId, (TyId, Vec<SkolemId>, Vec<TyId>)) {
        let mut kept = Vec::new();
        for &constructor in constructors {
            for field in &self.world.program.constructors[constructor].fields {
                if !field.selector.is_some_and(|selector| selectors.contains(&selector)) {
                    kept.push(field.declared);
                }
            }
        }
        let fixed = self.types().skolems_of(&kept);
        let mut used = Vec::new();
        for &selector in selectors {
            for &constructor in constructors {
                if let Some(at) = self.field_number(constructor, selector) {
                    used.push(self.world.program.constructors[constructor].fields[at].declared);
                }
            }
        }
        let changed = self.types().skolems_of(&used);
        let parameters = self.world.program.type_constructors[of].parameters.clone();
        let before: Vec<TyId> = parameters.iter().map(|_| self.fresh()).collect();
        let after: Vec<TyId> = parameters
            .iter()
            .zip(&before)
            .map(|(parameter, &before)| match changed.contains(parameter) && !fixed.contains(parameter) {
                true => self.fresh(),
                false => before,
            })
            .collect();
        let head = self.types().con(of);
        let old = self.types().apply(head, &before);
        let new = self.types().apply(head, &after);
        (old, (new, parameters, after))
    }

    fn no_constructor_with(&mut self, expr: ExprId, of: TypeConId, fields: &[FieldValue]) {
        let names: Vec<String> = fields
            .iter()
            .map(|field| format!("`{}`", self.text(self.tree.name(field.field).name.name)))
            .collect();
        let of = self.text(self.world.program.type_constructors[of].name);
        let message = format!("no constructor of `{of}` has the fields {}", names.join(" and "));
        let hint = "Update fields of one constructor only; match the others apart.";
        self.diagnostics.push(Diagnostic::error(message).at(self.tree.span(expr), "").with_hint(hint));
    }
}
