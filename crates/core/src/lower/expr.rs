//! Expressions.

use gadfly_source::Span;
use gadfly_syntax::tree::{Associativity, Expr as Syntax, ExprId as SyntaxId, List};
use gadfly_typing::KnownClass;
use gadfly_typing::builtin;
use gadfly_typing::interface::Note;

use super::apply::{Operand, Pending};
use super::matching::Fallback;
use super::{Dict, Lowering};
use crate::kernel::{
    Alternative, Argument, Atom, ErrorKind, Expr, ExprId, Literal, Origin, Pattern, SourceRule,
};

/// How many elements of a list are made at once; the rest when it is needed.
const CHUNK: usize = 64;

impl Lowering<'_> {
    /// An expression.
    pub(super) fn expr(&mut self, expr: SyntaxId) -> ExprId {
        let dictionaries = self.notes().abstraction(expr);
        match dictionaries.is_empty() {
            true => self.plain_expr(expr),
            false => self.overloaded(dictionaries, expr, self.tree().span(expr)),
        }
    }

    /// An expression, without the dictionaries that it may be a function of.
    pub(super) fn plain_expr(&mut self, expr: SyntaxId) -> ExprId {
        let tree = self.tree();
        let span = tree.span(expr);
        match *tree.get(expr) {
            Syntax::Var(_) | Syntax::Con(_) => match self.notes().expr(expr) {
                Note::Use(named) => self.use_applied(named, &[], span, span),
                _ => self.unknown("a name", span),
            },
            Syntax::Literal(literal) => self.literal(expr, literal, false, span),
            Syntax::Apply { function, arguments } => {
                let operands: Vec<Operand> =
                    tree.list(arguments).iter().map(|&argument| Operand::Syntax(argument)).collect();
                self.application(function, &operands, span)
            }
            Syntax::ApplyType { function, .. } => self.expr(function),
            Syntax::Paren(inner) => self.expr(inner),
            Syntax::Operators(associativity, items) => self.operators(associativity, items),
            Syntax::Negate(operand) => self.negate(expr, operand, span),
            Syntax::Lambda { parameters, body } => self.lambda(parameters, body, span),
            Syntax::Let { decls, body } => {
                let hole = self.hole(span);
                let then = self.decls(decls, hole);
                let body = self.expr(body);
                self.fill(then, body);
                // Without variables no `let` remains, only the body.
                if then != hole {
                    self.out.set_span(hole, span, false);
                }
                hole
            }
            Syntax::If { branches, otherwise } => {
                let hole = self.hole(span);
                let mut next = hole;
                for branch in tree.list(branches) {
                    let whole = tree.span_of(gadfly_syntax::tree::Place {
                        start: branch.start,
                        end: tree.place(expr).end,
                    });
                    let condition = self.expr(branch.condition);
                    let then = self.expr(branch.then);
                    next = self.if_then(next, condition, then, whole);
                }
                let otherwise = self.expr(otherwise);
                self.fill(next, otherwise);
                hole
            }
            Syntax::MultiIf(guarded) => {
                let hole = self.hole(span);
                let nothing = self.out.name("");
                let fallback = match self.is_curry() {
                    true => Fallback::Failure,
                    false => Fallback::Error(ErrorKind::NoGuard, nothing, span),
                };
                self.guarded(guarded, None, hole, fallback);
                if self.out.is_made_up(hole) {
                    self.out.set_span(hole, span, false);
                }
                hole
            }
            Syntax::Case { scrutinee, alternatives, flexible } => {
                let scrutinee = self.expr(scrutinee);
                self.case_of(scrutinee, tree.list(alternatives), flexible, span)
            }
            Syntax::LambdaCase(alternatives) => self.lambda_case(tree.list(alternatives), span),
            Syntax::Do(statements) => self.do_block(expr, tree.list(statements), span),
            Syntax::Tuple(parts) => {
                let operands: Vec<Operand> =
                    tree.list(parts).iter().map(|&part| Operand::Syntax(part)).collect();
                match (2..=builtin::TUPLE_LIMIT).contains(&operands.len()) {
                    true => {
                        let constructor = builtin::tuple_constructor(operands.len());
                        self.construct(constructor, Vec::new(), &operands, span, Pending::default())
                    }
                    false => self.unknown("a tuple", span),
                }
            }
            Syntax::TupleSection(parts) => self.tuple_section(parts, span),
            Syntax::List(elements) => self.list_literal(tree.list(elements), span),
            Syntax::Sequence { from, then, to } => self.sequence(expr, from, then, to, span),
            Syntax::Comprehension { body, qualifiers } => {
                self.comprehension(body, tree.list(qualifiers), span)
            }
            Syntax::LeftSection { operand, operator } => {
                self.application(operator, &[Operand::Syntax(operand)], span)
            }
            Syntax::RightSection { operator, operand } => self.right_section(operator, operand, span),
            Syntax::Construct { constructor, fields, .. } => {
                self.record(expr, constructor, tree.list(fields), span)
            }
            Syntax::Update { subject, fields } => self.update(subject, tree.list(fields), span),
            Syntax::Typed(inner, _) => self.typed(expr, inner, span),
            Syntax::Wildcard => {
                let variable = self.fresh();
                let body = self.made(Expr::Atom(Atom::Variable(variable)), span);
                let variables = self.out.add_list(&[variable]);
                self.written(Expr::Free(variables, body), span)
            }
            Syntax::Missing
            | Syntax::Infix(_)
            | Syntax::As(..)
            | Syntax::Lazy(_)
            | Syntax::Bang(_)
            | Syntax::View(..) => self.unknown("an expression", span),
        }
    }

    /// Makes a hole `if condition then ...`; returns the hole of `else`.
    fn if_then(&mut self, hole: ExprId, condition: ExprId, then: ExprId, span: Span) -> ExprId {
        let otherwise = self.hole(span);
        let (Some(yes), Some(no)) = (self.bool_constructor(true), self.bool_constructor(false)) else {
            let unknown = self.unknown("Bool", span);
            self.fill(hole, unknown);
            return otherwise;
        };
        let none = crate::kernel::List::EMPTY;
        let alternatives = vec![
            Alternative { pattern: Pattern::Constructor(yes, none), body: then },
            Alternative { pattern: Pattern::Constructor(no, none), body: otherwise },
        ];
        let case = self.case(condition, alternatives, None, span);
        self.fill(hole, case);
        self.out.set_span(hole, span, false);
        otherwise
    }

    /// Operators of one precedence, from the side where they group.
    fn operators(&mut self, associativity: Associativity, items: List<SyntaxId>) -> ExprId {
        let tree = self.tree();
        let items = tree.list(items);
        let whole = |from: usize, to: usize| tree.span_of(tree.place(items[from]).to(tree.place(items[to])));
        let count = items.len() / 2;
        let Some(last) = items.len().checked_sub(1) else {
            return self.unknown("an operator", Span::new(tree.file(), 0, 0));
        };
        match associativity {
            Associativity::Right => {
                let mut right = Operand::Syntax(items[last]);
                let mut done: Option<ExprId> = None;
                for step in (0..count).rev() {
                    let mut pending = Pending::default();
                    if let Some(expr) = done {
                        let atom = self.atom_of(expr, &mut pending);
                        right = Operand::Atom(Argument { atom, span: whole(2 * step + 2, last) });
                    }
                    let operands = [Operand::Syntax(items[2 * step]), right];
                    let expr = self.application(items[2 * step + 1], &operands, whole(2 * step, last));
                    done = Some(self.close(pending, expr));
                }
                done.unwrap_or_else(|| self.unknown("an operator", whole(0, last)))
            }
            Associativity::Left | Associativity::None => {
                let mut left = Operand::Syntax(items[0]);
                let mut done: Option<ExprId> = None;
                for step in 0..count {
                    let mut pending = Pending::default();
                    if let Some(expr) = done {
                        let atom = self.atom_of(expr, &mut pending);
                        left = Operand::Atom(Argument { atom, span: whole(0, 2 * step) });
                    }
                    let operands = [left, Operand::Syntax(items[2 * step + 2])];
                    let expr = self.application(items[2 * step + 1], &operands, whole(0, 2 * step + 2));
                    done = Some(self.close(pending, expr));
                }
                done.unwrap_or_else(|| self.unknown("an operator", whole(0, last)))
            }
        }
    }

    fn negate(&mut self, expr: SyntaxId, operand: SyntaxId, span: Span) -> ExprId {
        let Note::Overloaded(number) = self.notes().expr(expr) else {
            return self.unknown("negate", span);
        };
        if let Syntax::Literal(literal) = *self.tree().get(operand)
            && let Note::Overloaded(_) = self.notes().expr(operand)
            && let Some(literal) = self.known_number(literal, true, number.constructor)
        {
            return self.literal_expr(literal, span);
        }
        self.known_call(KnownClass::Num, "negate", number.dictionary, &[Operand::Syntax(operand)], span)
    }

    fn sequence(
        &mut self,
        expr: SyntaxId,
        from: SyntaxId,
        then: Option<SyntaxId>,
        to: Option<SyntaxId>,
        span: Span,
    ) -> ExprId {
        let Note::Overloaded(number) = self.notes().expr(expr) else {
            return self.unknown("a sequence", span);
        };
        let method = match (then, to) {
            (None, None) => "enumFrom",
            (Some(_), None) => "enumFromThen",
            (None, Some(_)) => "enumFromTo",
            (Some(_), Some(_)) => "enumFromThenTo",
        };
        let operands: Vec<Operand> =
            [Some(from), then, to].into_iter().flatten().map(Operand::Syntax).collect();
        self.known_call(KnownClass::Enum, method, number.dictionary, &operands, span)
    }

    fn typed(&mut self, expr: SyntaxId, inner: SyntaxId, span: Span) -> ExprId {
        let Note::Typed { parameters, arguments } = self.notes().expr(expr) else {
            return self.expr(inner);
        };
        let arguments = self.notes().dicts(arguments);
        // The function is used here only: its parameters are its arguments.
        for (parameter, &argument) in parameters.iter().zip(arguments) {
            self.set_dictionary(parameter, Dict::Same(argument));
        }
        let _ = span;
        self.expr(inner)
    }

    /// `[a, b, c]`, in chunks: each is made when it is needed.
    fn list_literal(&mut self, elements: &[SyntaxId], span: Span) -> ExprId {
        let cons = self.kernel_constructor(builtin::CONS);
        let nil = self.kernel_constructor(builtin::NIL);
        let mut rest: Option<ExprId> = None;
        for chunk in elements.chunks(CHUNK).rev() {
            let mut pending = Pending::default();
            let mut tail = match rest {
                Some(expr) => self.atom_of(expr, &mut pending),
                None => Atom::Constructor(nil),
            };
            for (number, &element) in chunk.iter().enumerate().rev() {
                let head = self.argument(Operand::Syntax(element), &mut pending);
                let arguments = self.out.add_list(&[head, Argument { atom: tail, span }]);
                let cell = self.out.add(Expr::Construct(cons, arguments), span, number > 0);
                if number > 0 {
                    tail = self.atom_of(cell, &mut pending);
                } else {
                    rest = Some(self.close(std::mem::take(&mut pending), cell));
                }
            }
        }
        match rest {
            Some(expr) => expr,
            None => self.atom_expr(Argument { atom: Atom::Constructor(nil), span }, false),
        }
    }

    /// `(op e)`: a function that shares `e` without evaluating it.
    fn right_section(&mut self, operator: SyntaxId, operand: SyntaxId, span: Span) -> ExprId {
        let mut pending = Pending::default();
        let right = self.argument(Operand::Syntax(operand), &mut pending);
        let function = self.section(span, &[None]);
        self.inside(function, |lowering| {
            let left = Atom::Variable(lowering.parameter(function, 0));
            let left = Operand::Atom(Argument { atom: left, span });
            let body = lowering.out.function(function).body;
            let hole = lowering.mark(body, Some(1), 0);
            let expr = lowering.application(operator, &[left, Operand::Atom(right)], span);
            lowering.fill(hole, expr);
            lowering.tidy(body);
        });
        let expr = self.written(Expr::Atom(Atom::Function(function)), span);
        self.close(pending, expr)
    }

    fn tuple_section(&mut self, parts: List<Option<SyntaxId>>, span: Span) -> ExprId {
        let parts = self.tree().list(parts);
        if !(2..=builtin::TUPLE_LIMIT).contains(&parts.len()) {
            return self.unknown("a tuple", span);
        }
        let mut pending = Pending::default();
        let given: Vec<Option<Argument>> = parts
            .iter()
            .map(|part| part.map(|part| self.argument(Operand::Syntax(part), &mut pending)))
            .collect();
        let absent = given.iter().filter(|part| part.is_none()).count();
        let function = self.section(span, &vec![None; absent]);
        let mut parameters = self.parameters_as_arguments(function).into_iter();
        let arguments: Vec<Argument> =
            given.into_iter().filter_map(|part| part.or_else(|| parameters.next())).collect();
        let tuple = self.construct_atoms(builtin::tuple_constructor(arguments.len()), &arguments, span);
        self.inside(function, |lowering| {
            let body = lowering.out.function(function).body;
            let hole = lowering.mark(body, Some(1), 0);
            lowering.fill(hole, tuple);
        });
        let expr = self.written(Expr::Atom(Atom::Function(function)), span);
        self.close(pending, expr)
    }

    fn section(&mut self, span: Span, parameters: &[Option<crate::kernel::Name>]) -> crate::kernel::FunId {
        let name = self.out.name("section");
        let function = self.declare_local(name, Origin::Section, span, 0, parameters);
        let rule = SourceRule { span, alternatives: Vec::new(), default: false };
        self.out.function_mut(function).rules.push(rule);
        function
    }

    /// A literal as an expression.
    pub(super) fn literal_expr(&mut self, literal: Literal, span: Span) -> ExprId {
        let literal = self.out.add_literal(literal);
        self.written(Expr::Atom(Atom::Literal(literal)), span)
    }
}
