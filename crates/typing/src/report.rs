//! Diagnostics for types that do not fit: both types in full, where each came from, what to do next.

use gadfly_source::{Diagnostic, Span};
use gadfly_syntax::tree::{DeclId, Expr, ExprId, NameId};

use crate::builtin;
use crate::checker::Checker;
use crate::convert::count;
use crate::infer::{Cause, Expect, Wanted, Why};
use crate::interface::{
    ClassId, ConstructorId, Entity, InstanceId, Note, TypeConId, Use, ValueId, ValueKind,
};
use crate::known::KnownType;
use crate::types::{SkolemId, Ty, TyId};
use crate::unify::Clash;

impl Checker<'_> {
    /// An expression has another type than is expected of it.
    pub(crate) fn mismatch(
        &mut self,
        span: Span,
        expr: Option<ExprId>,
        actual: TyId,
        expect: Expect,
        clash: Clash,
    ) {
        let (found, expected) = self.show_two(actual, expect.ty);
        let what = expr.map_or("this", |expr| self.what(expr));
        let message = match clash {
            Clash::Infinite(..) => format!("the type of {what} would contain itself"),
            Clash::Escape(skolem) if self.types().skolems_of(&[actual]).contains(&skolem) => {
                format!("{what} has type `{found}`, which means nothing outside")
            }
            _ => match expr.and_then(|expr| self.tuple_size(expr, expect.ty)) {
                Some(size) => format!("this tuple has {size} components, but `{expected}` is expected"),
                None => format!("{what} has type `{found}`, but `{expected}` is expected"),
            },
        };
        let label = match message.starts_with("this tuple has") && !message.contains(&found) {
            true => String::new(),
            false => format!("has type `{found}`"),
        };
        let diagnostic = Diagnostic::error(message).at(span, label);
        let diagnostic = self.tell_why(diagnostic, expect);
        let diagnostic = self.tell_refined(diagnostic, expect.ty);
        let diagnostic = self.tell_clash(diagnostic, actual, expect.ty, clash);
        let diagnostic = match self.hint(expr, actual, expect) {
            Some(hint) => diagnostic.with_hint(hint),
            None => diagnostic,
        };
        self.diagnostics.push(diagnostic);
    }

    /// Adds a note that the expected type is a type variable, and what it stands for here.
    fn tell_refined(&self, diagnostic: Diagnostic, expected: TyId) -> Diagnostic {
        let types = &self.world.program.types;
        let Ty::Skolem(skolem) = types.get(types.resolve_meta(expected)) else { return diagnostic };
        match types.skolem(skolem).name {
            Some(name) if types.view(expected) != Ty::Skolem(skolem) => {
                let (name, shown) = (self.text(name), self.show_type(expected));
                diagnostic.with_note(format!("The match on the constructor says that `{name}` is `{shown}`."))
            }
            _ => diagnostic,
        }
    }

    /// How many components a tuple has, if one of another size is expected.
    fn tuple_size(&self, expr: ExprId, expected: TyId) -> Option<usize> {
        let Expr::Tuple(parts) = *self.tree.get(expr) else { return None };
        match self.world.program.types.head(expected).0 {
            Ty::Con(constructor) => {
                builtin::tuple_arity(constructor).filter(|&arity| arity != parts.len()).map(|_| parts.len())
            }
            _ => None,
        }
    }

    /// Reports a pattern whose type differs from that of the matched value.
    pub(crate) fn pattern_mismatch(&mut self, span: Span, actual: TyId, expect: Expect, clash: Clash) {
        let (found, expected) = self.show_two(actual, expect.ty);
        let message = match clash {
            Clash::Infinite(..) => "the type of this pattern would contain itself".to_owned(),
            _ => format!("this pattern has type `{found}`, but a `{expected}` is matched"),
        };
        let diagnostic = Diagnostic::error(message).at(span, format!("has type `{found}`"));
        let diagnostic = self.tell_why(diagnostic, expect);
        let diagnostic = self.tell_clash(diagnostic, actual, expect.ty, clash);
        self.diagnostics.push(diagnostic);
    }

    /// Two types with the same names for the same variables; with modules, if they would look the same.
    fn show_two(&self, a: TyId, b: TyId) -> (String, String) {
        let mut printer = self.printer();
        printer.reserve(a);
        printer.reserve(b);
        let (first, second) = (printer.ty(a), printer.ty(b));
        if first == second {
            printer.qualified = true;
            return (printer.ty(a), printer.ty(b));
        }
        (first, second)
    }

    fn what(&self, expr: ExprId) -> &'static str {
        match self.tree.get(expr) {
            Expr::Literal(_) => "this literal",
            Expr::Lambda { .. } | Expr::LambdaCase(_) => "this function",
            Expr::Tuple(_) => "this tuple",
            Expr::List(_) | Expr::Comprehension { .. } | Expr::Sequence { .. } => "this list",
            Expr::Do(_) => "this block",
            _ => "this",
        }
    }

    /// Where the expected type comes from.
    fn tell_why(&self, diagnostic: Diagnostic, expect: Expect) -> Diagnostic {
        let shown = self.show_type(expect.ty);
        match expect.why {
            Why::Open => diagnostic,
            Why::Signature(span) => diagnostic.and(span, "the type is declared here"),
            Why::Argument(function, number) => {
                let label = format!("{} argument of {}", ordinal(number), self.name_of(function));
                diagnostic.and(self.tree.span(function), label)
            }
            Why::Operand(operator) => {
                diagnostic.and(self.tree.span(operator), format!("an operand of {}", self.name_of(operator)))
            }
            Why::Condition => diagnostic.with_note("The condition of `if` is a `Bool`."),
            Why::Guard => diagnostic.with_note("A guard is a `Bool`."),
            Why::Like(span) => {
                diagnostic.and(span, format!("this has type `{shown}`, and all must be alike"))
            }
            Why::Matched(span) => diagnostic.and(span, "it is matched with this pattern"),
            Why::Scrutinee(span) => diagnostic.and(span, "this is what is matched"),
            Why::Statement(span) => {
                let start = Span::new(span.file, span.start, (span.start + 2).min(span.end));
                diagnostic.and(start, "all statements of a block have the same monad")
            }
            Why::Field(name) => {
                let used = self.tree.name(name);
                let label = format!("the field `{}`", self.text(used.name.name));
                diagnostic.and(self.span_of(used.place), label)
            }
            Why::Method(name) => {
                let name = self.text(name);
                match self.method_type {
                    Some(ty) => {
                        let shown = self.show_type(ty);
                        diagnostic.with_note(format!("In this instance, `{name}` has the type `{shown}`."))
                    }
                    None => diagnostic.with_note(format!("The class declares the type of `{name}`.")),
                }
            }
            Why::Binding(span) => diagnostic.and(span, "an equation before this one"),
            Why::View => diagnostic.with_note("It is the function of a view pattern."),
            Why::Sequence => diagnostic.with_note("All parts of a sequence have the same type."),
        }
    }

    /// What a function in a message is called, with its type if it has one.
    fn name_of(&self, expr: ExprId) -> String {
        let mut at = expr;
        while let Expr::Paren(inside) = *self.tree.get(at) {
            at = inside;
        }
        match (self.tree.get(at), self.notes.expr(at)) {
            (Expr::Var(name) | Expr::Con(name), Note::Use(Use { entity, .. })) => {
                let text = name.text(self.interner);
                let scheme = match entity {
                    Entity::Value(value) if self.own_index(value).is_none() => {
                        Some(self.world.program.values[value].scheme)
                    }
                    Entity::Value(value) if self.world.program.values[value].declared => {
                        Some(self.world.program.values[value].scheme)
                    }
                    Entity::Constructor(constructor) => {
                        Some(self.world.program.constructors[constructor].scheme)
                    }
                    Entity::Local(local) => {
                        let entity = Entity::Local(local);
                        self.signatures.get(&entity).map(|signature| signature.scheme)
                    }
                    _ => None,
                };
                let mono = match entity {
                    Entity::Local(local) => match self.local_type(local) {
                        crate::infer::LocalType::Mono(ty) => Some(ty),
                        _ => None,
                    },
                    _ => None,
                };
                match (scheme, mono) {
                    (Some(scheme), _) => format!("`{text} :: {}`", self.show_scheme(scheme)),
                    (None, Some(ty)) => format!("`{text} :: {}`", self.show_type(ty)),
                    (None, None) => format!("`{text}`"),
                }
            }
            _ => "this function".to_owned(),
        }
    }

    /// Which parts do not fit, if they are not the whole types.
    fn tell_clash(
        &mut self,
        diagnostic: Diagnostic,
        actual: TyId,
        expected: TyId,
        clash: Clash,
    ) -> Diagnostic {
        match clash {
            Clash::Infinite(meta, ty) => {
                let mut printer = self.printer();
                let (a, b) = (printer.ty(meta), printer.ty(ty));
                let (found, wanted) = (printer.ty(actual), printer.ty(expected));
                diagnostic
                    .with_note(format!("found:    {found}\nexpected: {wanted}"))
                    .with_note(format!("`{a}` would have to be the same as `{b}`."))
            }
            Clash::Escape(skolem) => self.tell_escape(diagnostic, skolem, actual, expected),
            Clash::Different(a, b) => {
                let mut diagnostic = diagnostic;
                let types = self.types();
                let whole = types.resolve(a) == types.resolve(expected);
                // What is applied differs: that is seen in the whole types.
                let heads = matches!(types.view(a), Ty::Con(constructor) if types.head(expected).0 == Ty::Con(constructor))
                    && types.head(actual).0 == types.head(b).0;
                if !whole && !heads {
                    let mut printer = self.printer_between(actual, expected);
                    let (a, b) = (printer.ty(a), printer.ty(b));
                    diagnostic = diagnostic.with_note(format!("`{a}` and `{b}` are different."));
                }
                for ty in [a, b] {
                    if let Ty::Skolem(skolem) = self.types().view(ty) {
                        diagnostic = self.tell_rigid(diagnostic, skolem, actual, expected);
                    }
                }
                diagnostic
            }
        }
    }

    /// What a type variable is called in a message about two types.
    fn name_between(&mut self, skolem: SkolemId, actual: TyId, expected: TyId) -> String {
        let ty = self.types().skolem_type(skolem);
        self.printer_between(actual, expected).ty(ty)
    }

    /// A printer that calls variables as in a message about two types.
    fn printer_between(&self, actual: TyId, expected: TyId) -> crate::show::Printer<'_> {
        let mut printer = self.printer();
        printer.reserve(actual);
        printer.reserve(expected);
        printer.ty(actual);
        printer.ty(expected);
        printer
    }

    fn tell_rigid(
        &mut self,
        diagnostic: Diagnostic,
        skolem: SkolemId,
        actual: TyId,
        expected: TyId,
    ) -> Diagnostic {
        let info = *self.types().skolem(skolem);
        let name = self.name_between(skolem, actual, expected);
        match info.span {
            Some(span) => diagnostic.and(span, format!("`{name}` stands for any type")),
            None => diagnostic,
        }
    }

    fn tell_escape(
        &mut self,
        diagnostic: Diagnostic,
        skolem: SkolemId,
        actual: TyId,
        expected: TyId,
    ) -> Diagnostic {
        let info = *self.types().skolem(skolem);
        let name = self.name_between(skolem, actual, expected);
        let diagnostic = diagnostic.with_note(format!(
            "The type variable `{name}` would be used outside the place where it is known."
        ));
        match info.span {
            Some(span) => diagnostic.and(span, format!("`{name}` is known only inside this")),
            None => diagnostic,
        }
    }

    /// A hint about what the programmer may have meant where one type was found and another was expected.
    fn hint(&mut self, expr: Option<ExprId>, actual: TyId, expect: Expect) -> Option<String> {
        let types = &self.world.program.types;
        let expected = expect.ty;
        let arity = |mut ty: TyId| {
            let mut arity = 0;
            while let Ty::Fun(_, result) = types.view(ty) {
                arity += 1;
                ty = result;
            }
            (arity, types.resolve(ty))
        };
        let ((found, result), (wanted, wanted_result)) = (arity(actual), arity(expected));
        let fits = types.same(result, wanted_result)
            || matches!((types.head(result).0, types.head(wanted_result).0), (Ty::Con(a), Ty::Con(b)) if a == b);
        if found > wanted && fits && !matches!(types.get(wanted_result), Ty::Meta(_)) {
            let missing = plural(found - wanted, "argument is", "arguments are");
            return Some(format!("Perhaps {missing} missing."));
        }
        if let Why::Argument(function, _) = expect.why
            && let Note::Use(Use { entity: Entity::Local(local), .. }) = self.notes.expr(function)
            && matches!(self.local_type(local), crate::infer::LocalType::Mono(_))
            && !matches!(types.view(expected), Ty::Meta(_) | Ty::Skolem(_))
        {
            let name = self.text(self.notes.locals[local].name);
            return Some(format!("`{name}` is a parameter: it has the same type in all its uses."));
        }
        self.conversion(expr, actual, expect).map(str::to_owned)
    }

    /// How to come from one type to another, for types that are often confused.
    fn conversion(&self, expr: Option<ExprId>, actual: TyId, expect: Expect) -> Option<&'static str> {
        let types = &self.world.program.types;
        let known = |ty: TyId| match types.view(ty) {
            Ty::Con(constructor) => self.world.program.known.which(constructor),
            _ => None,
        };
        // `T a` as `T`, by its name, and `a`.
        let applied = |ty: TyId| match types.view(ty) {
            Ty::App(function, argument) => match types.view(function) {
                Ty::Con(constructor) => Some((constructor, argument)),
                _ => None,
            },
            _ => None,
        };
        let name = |constructor: TypeConId| match constructor == builtin::LIST {
            true => "[]",
            false => self.text(self.world.program.type_constructors[constructor].name),
        };
        let is_string = |ty: TyId| {
            applied(ty).is_some_and(|(list, element)| {
                list == builtin::LIST && known(element) == Some(KnownType::Char)
            })
        };
        let literal = expr.is_some_and(|expr| matches!(self.tree.get(expr), Expr::Literal(_)));
        use KnownType::{Char, Double, Float, Int, Integer};
        match (known(actual), known(expect.ty)) {
            (Some(Int | Integer), Some(Double | Float | Int | Integer)) => {
                return Some("Convert whole numbers with `fromIntegral`.");
            }
            (Some(Double | Float), Some(Int | Integer)) => {
                return Some("Make it whole with `round`, `floor`, `ceiling` or `truncate`.");
            }
            (Some(Double | Float), Some(Double | Float)) => return Some("Convert it with `realToFrac`."),
            (Some(Char), None) if is_string(expect.ty) && literal => {
                return Some("A string stands in double quotes.");
            }
            (Some(Char), None) if is_string(expect.ty) => return Some("A string of one character is `[c]`."),
            (None, Some(Char)) if is_string(actual) && literal => {
                return Some("One character stands in single quotes.");
            }
            (Some(_), None) if is_string(expect.ty) => return Some("Turn it into a string with `show`."),
            _ => {}
        }
        if let Some((constructor, inside)) = applied(actual)
            && types.same(inside, expect.ty)
        {
            return match name(constructor) {
                "IO" => Some("Bind the result of the action first: `x <- ...` in a `do` block."),
                "Maybe" => Some("It may be `Nothing`: match it with `case`, or say what to take then."),
                _ => None,
            };
        }
        if matches!(expect.why, Why::Statement(_))
            && applied(expect.ty).is_some()
            && applied(actual).is_none()
        {
            return Some("A value that is no action is named with `let x = ...`, or returned with `return`.");
        }
        if let Some((constructor, inside)) = applied(expect.ty)
            && types.same(inside, actual)
        {
            return match name(constructor) {
                "IO" => Some("Make it an action: `return (...)`."),
                "Maybe" => Some("Wrap it: `Just (...)`."),
                "[]" => Some("A list of one element is `[...]`."),
                _ => None,
            };
        }
        None
    }

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
        let diagnostic = self.tell_why(Diagnostic::error(message).at(span, ""), expect);
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

    /// Reports a name in braces that is not a field; `of` is the constructor before the braces, if there is
    /// one.
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

    /// What needs a dictionary.
    fn tell_cause(&self, cause: Cause) -> String {
        match cause {
            Cause::Use(name) => format!("needed by the use of `{}`", self.text(name)),
            Cause::Number => "needed by this number".to_owned(),
            Cause::Text => "needed by this string".to_owned(),
            Cause::Negation => "needed by this negation".to_owned(),
            Cause::Sequence => "needed by this sequence".to_owned(),
            Cause::Block => "needed by this block".to_owned(),
            Cause::FailingPattern => "needed because this pattern can fail".to_owned(),
            Cause::NumberPattern => "needed by this number in a pattern".to_owned(),
            Cause::Superclass(class) => {
                let name = self.text(self.world.program.classes[class].name);
                format!("needed by this instance: a superclass of `{name}`")
            }
            Cause::Field(class) => {
                let name = self.text(self.world.program.classes[class].name);
                format!("needed by a field, to derive `{name}`")
            }
            Cause::Via(class) => {
                let name = self.text(self.world.program.classes[class].name);
                format!("needed to derive `{name}` by way of another type")
            }
            Cause::FreeVariable => "needed by this free variable".to_owned(),
            Cause::TwiceBound(name) => format!("needed because `{}` stands twice", self.text(name)),
            Cause::FunctionalPattern => "needed by this functional pattern".to_owned(),
            Cause::Signature => "needed by this signature".to_owned(),
        }
    }

    /// There is no dictionary for a constraint.
    pub(crate) fn no_instance(&mut self, wanted: &Wanted) {
        let shown = self.printer().constraint(wanted.constraint);
        let signature = self.signature_around(wanted);
        // The same cause is reported once in one binding.
        let key = match signature {
            Some((_, span)) => format!("{shown} in {}:{}", span.file.0, span.start),
            None => format!("{shown} in group {}", self.next_group),
        };
        if !self.missing.insert(key) {
            return;
        }
        let arguments = self.world.program.types.list(wanted.constraint.arguments).to_vec();
        let heads: Vec<Ty> = arguments.iter().map(|&ty| self.world.program.types.head(ty).0).collect();
        let rigid = heads.iter().any(|head| matches!(head, Ty::Skolem(_)));
        if rigid && self.is_broken(wanted) {
            return;
        }
        let message = match rigid {
            true => format!("`{shown}` is not known here"),
            false => format!("there is no instance `{shown}`"),
        };
        let label = self.tell_cause(wanted.origin.cause);
        let mut diagnostic = Diagnostic::error(message).at(wanted.origin.span, label);
        let instance = self.instance_of_variable(wanted, &heads);
        let hint = match (heads.first(), signature) {
            _ if instance.is_some() => {
                let span = instance.map(|instance| self.world.program.instances[instance].span);
                if let Some(span) = span.filter(|&span| span != wanted.origin.span) {
                    diagnostic = diagnostic.and(span, "the context of this instance does not say so");
                }
                Some(format!("Add `{shown}` to the context of the instance."))
            }
            (Some(Ty::Skolem(_)), Some((name, span))) => {
                let name = self.text(name);
                diagnostic = diagnostic.and(span, format!("the type of `{name}` does not say so"));
                Some(format!("Add `{shown}` to the context of the type of `{name}`."))
            }
            (Some(&Ty::Skolem(skolem)), None) => {
                if let Some(span) = self.types().skolem(skolem).span {
                    diagnostic = diagnostic.and(span, "the type variable comes from here");
                }
                None
            }
            (Some(Ty::Fun(..)), _) if matches!(wanted.origin.cause, Cause::Number | Cause::NumberPattern) => {
                Some(
                    "A number stands where a function is expected; perhaps there is an argument too many."
                        .to_owned(),
                )
            }
            (Some(Ty::Fun(..)), _) => {
                Some("A function is no such value; perhaps an argument is missing.".to_owned())
            }
            (Some(Ty::Con(constructor)), _) if heads.len() == 1 => {
                self.instance_hint(wanted, *constructor, &arguments)
            }
            _ => None,
        };
        if let Some((dependency, instance)) = self.dependency_of(wanted) {
            let head = self.show_instance(instance);
            diagnostic = diagnostic
                .and(self.world.program.instances[instance].span, format!("`{head}` is known"))
                .with_note(format!("The class has the dependency `{dependency}`, so there is no other."));
        }
        if let Some(hint) = hint {
            diagnostic = diagnostic.with_hint(hint);
        }
        self.diagnostics.push(diagnostic);
    }

    /// The instance that agrees with a constraint in what determines, and the dependency that says so.
    fn dependency_of(&mut self, wanted: &Wanted) -> Option<(String, InstanceId)> {
        let class = wanted.constraint.class;
        let dependencies = self.world.program.classes[class].dependencies.clone();
        let arguments = self.types().list(wanted.constraint.arguments).to_vec();
        for (from, to) in dependencies {
            for instance in self.world.other_instances.get(&class).cloned().unwrap_or_default() {
                let info = &self.world.program.instances[instance];
                let (variables, list) = (info.variables.clone(), info.arguments);
                let patterns = self.types().list(list).to_vec();
                let mut found = vec![None; variables.len()];
                let types = self.types();
                if from.iter().all(|&at| {
                    types.matches(patterns[at as usize], arguments[at as usize], &variables, &mut found)
                }) {
                    return Some((self.show_dependency(class, &from, &to), instance));
                }
            }
        }
        None
    }

    /// `a b -> c`.
    pub(crate) fn show_dependency(&self, class: ClassId, from: &[u32], to: &[u32]) -> String {
        format!("{} -> {}", self.show_parameters(class, from), self.show_parameters(class, to))
    }

    pub(crate) fn show_parameters(&self, class: ClassId, numbers: &[u32]) -> String {
        let parameters = &self.world.program.classes[class].parameters;
        let names = numbers.iter().map(|&at| {
            let name = self.world.program.types.skolem(parameters[at as usize]).name;
            name.map_or("_", |name| self.text(name))
        });
        names.collect::<Vec<_>>().join(" ")
    }

    /// The instance around a wanted constraint, if the constraint is on one of its variables.
    fn instance_of_variable(&self, wanted: &Wanted, heads: &[Ty]) -> Option<InstanceId> {
        let mut scope = Some(wanted.given);
        while let Some(at) = scope {
            let givens = &self.givens[at];
            if let Some(instance) = givens.instance {
                let variables = &self.world.program.instances[instance].variables;
                let own = |head: &Ty| matches!(head, Ty::Skolem(skolem) if variables.contains(skolem));
                return heads.iter().any(own).then_some(instance);
            }
            scope = givens.parent;
        }
        None
    }

    fn instance_hint(
        &self,
        wanted: &Wanted,
        constructor: crate::interface::TypeConId,
        arguments: &[TyId],
    ) -> Option<String> {
        let class = self.text(self.world.program.classes[wanted.constraint.class].name);
        let info = &self.world.program.type_constructors[constructor];
        if matches!(wanted.origin.cause, Cause::Text) {
            let shown = self.show_type(*arguments.first()?);
            return Some(format!("A string stands where a `{shown}` is expected."));
        }
        if matches!(wanted.origin.cause, Cause::Number | Cause::NumberPattern) {
            let shown = self.show_type(*arguments.first()?);
            return Some(format!("A number stands where a `{shown}` is expected."));
        }
        let own = info.module == Some(self.module);
        if let Cause::Superclass(of) = wanted.origin.cause
            && let Some(hint) = self.superclass_hint(class, of, self.text(info.name))
        {
            return Some(hint);
        }
        let integral =
            matches!(self.world.program.known.which(constructor), Some(KnownType::Int | KnownType::Integer));
        if integral && matches!(class, "Fractional" | "Floating" | "RealFrac" | "RealFloat") {
            return Some("Convert whole numbers with `fromIntegral`.".to_owned());
        }
        if class == "Data" && self.options.curry {
            return Some(
                "Values of this type cannot be compared: there are functions or actions inside.".to_owned(),
            );
        }
        let derivable =
            matches!(class, "Eq" | "Ord" | "Show" | "Read" | "Enum" | "Bounded" | "Ix" | "Functor");
        let name = self.text(info.name);
        let numeric = matches!(class, "Num" | "Real" | "Integral" | "Fractional" | "Floating" | "RealFrac");
        if numeric && !own {
            let which = self.world.program.known.which(constructor);
            return match (which, name) {
                (Some(KnownType::Char), _) => {
                    Some("A character is no number; `ord` gives its code.".to_owned())
                }
                (_, "[]") => Some(
                    "A list is no number; `++` joins lists, `read` turns a string into a number.".to_owned(),
                ),
                (_, "Maybe" | "IO" | "Bool" | "()" | "Either") => Some(format!("A `{name}` is no number.")),
                _ => None,
            };
        }
        match (own, derivable) {
            (true, true) => Some(format!("Add `deriving {class}` to the declaration of `{name}`.")),
            (true, false) => Some(format!("Write an instance: `instance {class} {name} where ...`.")),
            (false, _) => None,
        }
    }

    /// What programs from before 2015 lack: every monad is an applicative functor, every monoid a semigroup.
    fn superclass_hint(&self, missing: &str, of: ClassId, name: &str) -> Option<String> {
        let of = self.text(self.world.program.classes[of].name);
        let members = match (missing, of) {
            ("Functor", "Applicative") => "fmap = liftA",
            ("Functor", _) => "fmap = liftM",
            ("Applicative", "Monad") => "pure = ...; (<*>) = ap",
            ("Semigroup", "Monoid") => "(<>) = ...",
            _ => return None,
        };
        let instance = format!("instance {missing} {name} where {{ {members} }}");
        Some(format!("`{missing}` is a superclass of `{of}`: add `{instance}`."))
    }

    /// Whether a context around it had an error: what is missing may be what it meant.
    fn is_broken(&self, wanted: &Wanted) -> bool {
        let mut scope = Some(wanted.given);
        while let Some(at) = scope {
            if self.givens[at].broken {
                return true;
            }
            scope = self.givens[at].parent;
        }
        false
    }

    fn signature_around(&self, wanted: &Wanted) -> Option<(gadfly_syntax::names::Symbol, Span)> {
        let mut scope = Some(wanted.given);
        while let Some(at) = scope {
            let givens = &self.givens[at];
            if givens.signature.is_some() {
                return givens.signature;
            }
            scope = givens.parent;
        }
        None
    }

    /// Several instances match, none of them best.
    pub(crate) fn overlapping(&mut self, wanted: &Wanted, instances: &[InstanceId]) {
        let shown = self.printer().constraint(wanted.constraint);
        let label = self.tell_cause(wanted.origin.cause);
        let mut diagnostic =
            Diagnostic::error(format!("several instances match `{shown}`")).at(wanted.origin.span, label);
        for &instance in instances {
            let head = self.show_instance(instance);
            diagnostic = diagnostic.and(self.world.program.instances[instance].span, format!("`{head}`"));
        }
        let hint = "If the more special one is meant, say so: `instance {-# OVERLAPPING #-} ...`.";
        self.diagnostics.push(diagnostic.with_hint(hint));
    }

    pub(crate) fn endless_instances(&mut self, wanted: &Wanted) {
        let shown = self.printer().constraint(wanted.constraint);
        let label = self.tell_cause(wanted.origin.cause);
        self.diagnostics.push(
            Diagnostic::error("instances lead to instances without end")
                .at(wanted.origin.span, label)
                .with_note(format!("It was not decided whether there is an instance `{shown}`."))
                .with_hint("The context of an instance should be smaller than its head."),
        );
    }

    /// Reports a class constraint on a type that nothing determines.
    pub(crate) fn ambiguous_type(&mut self, wanted: &Wanted, others: &[Wanted]) {
        let mut printer = self.printer();
        let shown = printer.constraint(wanted.constraint);
        let label = self.tell_cause(wanted.origin.cause);
        let mut diagnostic = Diagnostic::error(format!("it is not known which type is meant in `{shown}`"))
            .at(wanted.origin.span, label);
        let mut told = vec![shown];
        for other in others {
            let shown = printer.constraint(other.constraint);
            if told.len() < 4 && !told.contains(&shown) && other.origin.span != wanted.origin.span {
                let label = format!("`{shown}` is {}", self.tell_cause(other.origin.cause));
                diagnostic = diagnostic.and(other.origin.span, label);
                told.push(shown);
            }
        }
        let hint = "Say which type is meant, with a type signature or where it is used: `(... :: T)`.";
        self.diagnostics.push(diagnostic.with_hint(hint));
    }

    pub(crate) fn types_too_large(&mut self, decl: DeclId) {
        self.diagnostics.push(
            Diagnostic::error("the types in this definition are too large")
                .at(self.tree.span(decl), "")
                .with_note("Written out they would have millions of parts.")
                .with_hint("Add type signatures, or use data types instead of nested tuples and functions."),
        );
    }
}

fn ordinal(number: u32) -> String {
    match number {
        1 => "the first".to_owned(),
        2 => "the second".to_owned(),
        3 => "the third".to_owned(),
        _ => format!("the {number}th"),
    }
}

fn plural(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("an {one}"),
        _ => format!("{number} {many}"),
    }
}
