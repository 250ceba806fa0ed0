//! Too many or too few: arguments, parameters, and the fields of constructors.

use gadfly_source::{Diagnostic, Span};
use gadfly_syntax::tree::{Expr, ExprId, NameId};

use crate::checker::Checker;
use crate::convert::count;
use crate::infer::Expect;
use crate::interface::{ConstructorId, ValueId, ValueKind};
use crate::types::TyId;

impl Checker<'_> {
    /// A function is applied to more arguments than it takes.
    pub(crate) fn too_many_arguments(&mut self, function: ExprId, whole: TyId, takes: usize, given: usize) {
        let shown = self.show_type(whole);
        let name = match self.tree.get(function) {
            Expr::Var(name) | Expr::Con(name) => format!("`{}`", name.text(self.interner)),
            _ => "this".to_owned(),
        };
        let message = match takes {
            0 => format!("{name} is not a function, but it is applied to {}", count(given, "argument")),
            _ => format!("{name} is applied to {}, but it takes {takes}", count(given, "argument")),
        };
        self.diagnostics.push(
            Diagnostic::error(message)
                .at(self.tree.span(function), format!("has type `{shown}`"))
                .with_hint("Remove an argument, or put parentheses around what belongs together."),
        );
    }

    pub(crate) fn not_an_operator(&mut self, operator: ExprId, ty: TyId) {
        let name = match self.tree.get(operator) {
            Expr::Var(name) | Expr::Con(name) => format!("`{}`", name.text(self.interner)),
            _ => "this".to_owned(),
        };
        let shown = self.show_type(ty);
        self.diagnostics.push(
            Diagnostic::error(format!("{name} is used as an operator, but takes no two operands"))
                .at(self.tree.span(operator), format!("has type `{shown}`")),
        );
    }

    /// More parameters than the expected type has.
    pub(crate) fn too_many_parameters(&mut self, span: Span, has: usize, takes: usize, expect: Expect) {
        let shown = self.show_type(expect.ty);
        let takes = match takes {
            0 => "none".to_owned(),
            _ => format!("only {takes}"),
        };
        let message = format!("this has {}, but its type `{shown}` has {takes}", count(has, "parameter"));
        let diagnostic = self.explain_why(Diagnostic::error(message).at(span, ""), expect);
        let hint = "Remove a parameter, or add one to the type.";
        self.diagnostics.push(diagnostic.with_hint(hint));
    }

    /// Two equations of one function have different numbers of parameters.
    pub(crate) fn different_arity(&mut self, first: (Span, usize), other: (Span, usize)) {
        self.diagnostics.push(
            Diagnostic::error("the equations of one function have different numbers of parameters")
                .at(other.0, format!("{} here", count(other.1, "parameter")))
                .and(first.0, format!("{} here", count(first.1, "parameter")))
                .with_hint("Add the missing parameters; `_` matches anything."),
        );
    }

    pub(crate) fn constructor_arity(&mut self, span: Span, constructor: ConstructorId, given: usize) {
        let info = &self.world.program.constructors[constructor];
        let (name, arity, scheme, declared) =
            (self.text(info.name), info.fields.len(), info.scheme, info.span);
        let message = format!("the constructor `{name}` has {}, but {given} here", count(arity, "field"));
        let shown = self.show_scheme(scheme);
        let diagnostic = Diagnostic::error(message).at(span, format!("`{name} :: {shown}`"));
        let diagnostic = match declared {
            Some(declared) => diagnostic.and(declared, "declared here"),
            None => diagnostic,
        };
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn no_such_field(&mut self, field: NameId, constructor: ConstructorId) {
        let used = self.tree.name(field);
        let info = &self.world.program.constructors[constructor];
        let message = format!(
            "the constructor `{}` has no field `{}`",
            self.text(info.name),
            self.text(used.name.name)
        );
        let fields: Vec<String> = info
            .fields
            .iter()
            .filter_map(|field| field.name)
            .map(|name| format!("`{}`", self.text(name)))
            .collect();
        let diagnostic = Diagnostic::error(message).at(self.span_of(used.place), "");
        let diagnostic = match fields.is_empty() {
            true => diagnostic,
            false => diagnostic.with_hint(format!("Its fields are {}.", fields.join(", "))),
        };
        self.diagnostics.push(diagnostic);
    }

    /// Reports a name in braces that is not a field; `of` is the constructor before the braces, if there is one.
    pub(crate) fn unknown_field(&mut self, field: NameId, of: Option<ConstructorId>) {
        if let Some(constructor) = of {
            return self.no_such_field(field, constructor);
        }
        let used = self.tree.name(field);
        let text = self.text(used.name.name);
        let fields = self.own_values.iter().filter_map(|&value| {
            let info = &self.world.program.values[value];
            matches!(info.kind, ValueKind::Field { .. }).then_some(info.name)
        });
        let hint = match self.nearest(text, fields) {
            Some(near) => format!("Perhaps `{near}` is meant."),
            None => "An update names fields of the record's type.".to_owned(),
        };
        self.diagnostics.push(
            Diagnostic::error(format!("there is no field `{text}`"))
                .at(self.span_of(used.place), "")
                .with_hint(hint),
        );
    }

    /// A field whose type is known only inside a match is used as a function.
    pub(crate) fn existential_field(&mut self, selector: ValueId, span: Span) {
        let value = &self.world.program.values[selector];
        let (name, declared) = (self.text(value.name), value.span);
        let ValueKind::Field { positions, .. } = &value.kind else { return };
        let constructor = positions
            .first()
            .map_or("C", |&(constructor, _)| self.text(self.world.program.constructors[constructor].name));
        self.diagnostics.push(
            Diagnostic::error(format!("the field `{name}` cannot be used as a function"))
                .at(span, "its type would be known only inside")
                .and(declared, "the field has a type variable of the constructor's own")
                .with_hint(format!("Match it: `case e of {constructor} {{ {name} = x }} -> ...`.")),
        );
    }

    /// Reports that the library lacks an entity that the language needs.
    pub(crate) fn missing_library(&mut self, name: &str, span: Span) {
        if !self.missing.insert(format!("library {name}")) {
            return;
        }
        let home = crate::known::home(self.syntax.dialect);
        self.diagnostics.push(
            Diagnostic::error(format!("the library does not define `{name}`"))
                .at(span, "needed here")
                .with_hint(format!("The module `{home}` of the library must be found, and define it.")),
        );
    }
}
