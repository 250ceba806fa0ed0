//! Two types that do not fit: both in full, where each comes from, and what to do next.

use gadfly_source::{Diagnostic, Span};
use gadfly_syntax::tree::{Expr, ExprId};

use crate::builtin;
use crate::checker::Checker;
use crate::infer::{Expect, Why};
use crate::interface::{Entity, Note, TypeConId, Use};
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
        let has_type = format!("has type `{found}`");
        let (message, label) = match clash {
            Clash::Infinite(..) => (format!("the type of {what} would contain itself"), has_type),
            Clash::Escape(skolem) if self.types().skolems_of(&[actual]).contains(&skolem) => {
                (format!("{what} has type `{found}`, which means nothing outside"), has_type)
            }
            _ => match expr.and_then(|expr| self.tuple_size(expr, expect.ty)) {
                Some(size) => {
                    (format!("this tuple has {size} components, but `{expected}` is expected"), String::new())
                }
                None => (format!("{what} has type `{found}`, but `{expected}` is expected"), has_type),
            },
        };
        let diagnostic = Diagnostic::error(message).at(span, label);
        let diagnostic = self.explain_why(diagnostic, expect);
        let diagnostic = self.explain_refined(diagnostic, expect.ty);
        let diagnostic = self.explain_clash(diagnostic, actual, expect.ty, clash);
        let diagnostic = match self.hint(expr, actual, expect) {
            Some(hint) => diagnostic.with_hint(hint),
            None => diagnostic,
        };
        self.diagnostics.push(diagnostic);
    }

    /// Adds a note that the expected type is a type variable, and what it stands for here.
    fn explain_refined(&self, diagnostic: Diagnostic, expected: TyId) -> Diagnostic {
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
        let diagnostic = self.explain_why(diagnostic, expect);
        let diagnostic = self.explain_clash(diagnostic, actual, expect.ty, clash);
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
    pub(super) fn explain_why(&self, diagnostic: Diagnostic, expect: Expect) -> Diagnostic {
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
    fn explain_clash(
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
            Clash::Escape(skolem) => self.explain_escape(diagnostic, skolem, actual, expected),
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
                        diagnostic = self.explain_rigid(diagnostic, skolem, actual, expected);
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

    fn explain_rigid(
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

    fn explain_escape(
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
