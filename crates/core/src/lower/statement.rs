//! `do` blocks and list comprehensions, in loops: a block may have a hundred thousand statements.

use gadfly_source::Span;
use gadfly_syntax::tree::{ExprId as SyntaxId, Stmt, StmtKind};
use gadfly_typing::KnownClass;
use gadfly_typing::builtin;
use gadfly_typing::interface::{DictId, Note};

use super::Lowering;
use super::apply::{Operand, Pending};
use super::matching::Fallback;
use super::pattern::PatRef;
use crate::kernel::{
    Alternative, Argument, Atom, Binding, Expr, ExprId, FunId, Hidden, List, Literal, Origin, Pattern, VarId,
};

/// What follows the elements that a comprehension has found so far.
#[derive(Clone, Copy)]
pub(super) enum Tail {
    Nothing,
    /// The loop continues with the rest of its list; the span is its generator's.
    Loop(FunId, VarId, Span),
}

impl Lowering<'_> {
    pub(super) fn do_block(&mut self, block: SyntaxId, statements: &[Stmt], span: Span) -> ExprId {
        let tree = self.tree();
        let (monad, fail) = match self.notes().expr(block) {
            Note::Do { monad, fail } => (monad, fail),
            _ => (None, None),
        };
        let outside = self.function;
        let whole = self.hole(span);
        let mut hole = whole;
        let mut continuations = Vec::new();
        for (number, statement) in statements.iter().enumerate() {
            let last = number + 1 == statements.len();
            let at = tree.span_of(statement.place);
            let from_here = Span { start: at.start, ..span };
            let after = match statements.get(number + 1) {
                Some(next) => Span { start: next.place.start, ..span },
                None => at,
            };
            match (statement.kind, monad) {
                (StmtKind::Let(decls), _) => hole = self.decls(decls, hole),
                (StmtKind::Expr(expr), _) if last => {
                    let expr = self.expr(expr);
                    self.fill(hole, expr);
                }
                (StmtKind::Expr(expr), Some(monad)) => {
                    let variable = self.fresh();
                    let rest = self.hole(at);
                    let operands = [Operand::Syntax(expr), variable_operand(variable, after)];
                    let then = self.known_call(KnownClass::Monad, ">>", monad, &operands, at);
                    let bindings = self.out.add_list(&[Binding { variable, value: rest }]);
                    self.out.set(hole, Expr::Let(bindings, then));
                    self.out.set_span(hole, from_here, true);
                    hole = rest;
                }
                (StmtKind::Bind(pattern, expr), Some(monad)) if !last => {
                    let name = self.pattern_name(pattern).map(|symbol| self.symbol_name(symbol));
                    let text = self.out.name("do");
                    let origin = Origin::Hidden(Hidden::Continuation);
                    let function = self.declare_local(text, origin, from_here, 0, &[name]);
                    let function_operand =
                        Operand::Atom(Argument { atom: Atom::Function(function), span: after });
                    let operands = [Operand::Syntax(expr), function_operand];
                    let bind = self.known_call(KnownClass::Monad, ">>=", monad, &operands, at);
                    self.fill(hole, bind);
                    continuations.push(function);
                    self.function = function;
                    match self.bind_statement(function, PatRef::Pat(pattern), fail, at) {
                        Some(then) => hole = then,
                        None => break,
                    }
                }
                (StmtKind::Bind(..) | StmtKind::Expr(_), _) => {
                    let unknown = self.unknown("a statement", at);
                    self.fill(hole, unknown);
                    break;
                }
            }
        }
        self.function = outside;
        for function in continuations {
            self.tidy(self.out.function(function).body);
        }
        whole
    }

    /// Matches what a statement binds; returns where the rest of the block goes.
    fn bind_statement(
        &mut self,
        function: FunId,
        pattern: PatRef,
        fail: Option<DictId>,
        span: Span,
    ) -> Option<ExprId> {
        let variable = self.parameter(function, 0);
        let mut hole = self.out.function(function).body;
        let mut fallback = match self.is_curry() {
            true => Fallback::Failure,
            false => {
                let nothing = self.out.name("");
                Fallback::Error(crate::kernel::ErrorKind::NoLambda, nothing, span)
            }
        };
        if let (Some(fail), false) = (fail, self.is_failure_free(pattern)) {
            let first = self.hole(span);
            let otherwise = self.fail(fail, self.pattern_span(pattern).unwrap_or(span));
            self.out.set(hole, Expr::Try { first, otherwise });
            hole = first;
            fallback = Fallback::Fall;
        }
        let row = self.row([(variable, pattern)], super::matching::Leaf::Later);
        self.match_rows(hole, vec![row], fallback, span).later
    }

    /// `fail "Pattern match failure ..."`.
    fn fail(&mut self, dictionary: DictId, span: Span) -> ExprId {
        let region = self.sources.region(span);
        let file = self.sources.file(span.file).name();
        let place = match region.start.line == region.end.line {
            true => {
                format!("{}-{}", region.start, region.end.column.saturating_sub(1).max(region.start.column))
            }
            false => format!(
                "({},{})-({},{})",
                region.start.line,
                region.start.column,
                region.end.line,
                region.end.column.saturating_sub(1)
            ),
        };
        let message = format!("Pattern match failure in do expression at {file}:{place}");
        let codes: Box<[u32]> = message.chars().map(u32::from).collect();
        let literal = self.out.add_literal(Literal::String(codes));
        let operand = Operand::Atom(Argument { atom: Atom::Literal(literal), span });
        let class = match self.method_index(KnownClass::MonadFail, "fail") {
            Some(_) => KnownClass::MonadFail,
            None => KnownClass::Monad,
        };
        let expr = self.known_call(class, "fail", dictionary, &[operand], span);
        self.out.set_span(expr, span, true);
        expr
    }

    /// `[body | qualifiers]`: a loop for each generator, and no intermediate lists (Wadler 1987).
    pub(super) fn comprehension(&mut self, body: SyntaxId, qualifiers: &[Stmt], span: Span) -> ExprId {
        let tree = self.tree();
        let outside = self.function;
        let whole = self.hole(span);
        let mut hole = whole;
        let mut tail = Tail::Nothing;
        let mut loops = Vec::new();
        let mut reached = true;
        for qualifier in qualifiers {
            let at = tree.span_of(qualifier.place);
            match qualifier.kind {
                StmtKind::Let(decls) => hole = self.decls(decls, hole),
                StmtKind::Expr(condition) if self.is_always(condition) => {}
                StmtKind::Expr(condition) => {
                    let condition = self.expr(condition);
                    let otherwise = self.tail(tail, at);
                    hole = self.filter(hole, condition, otherwise, at);
                }
                StmtKind::Bind(pattern, list) => {
                    let mut pending = Pending::default();
                    let list = self.argument(Operand::Syntax(list), &mut pending);
                    let name = self.out.name("list");
                    let text = self.out.name("each");
                    let origin = Origin::Hidden(Hidden::Comprehension);
                    let function = self.declare_local(text, origin, span, 0, &[Some(name)]);
                    let call = self.call_atoms(function, &[list], at);
                    self.out.set_span(call, at, true);
                    let call = self.close(pending, call);
                    self.fill(hole, call);
                    loops.push(function);
                    self.function = function;
                    let (element, rest) = self.each(function, tail, at);
                    tail = Tail::Loop(function, rest.1, at);
                    match self.generator(function, PatRef::Pat(pattern), element, rest, at) {
                        Some(then) => hole = then,
                        None => {
                            reached = false;
                            break;
                        }
                    }
                }
            }
        }
        if reached {
            let mut pending = Pending::default();
            let head = self.argument(Operand::Syntax(body), &mut pending);
            let rest = self.tail(tail, span);
            let rest = Argument { atom: self.atom_of(rest, &mut pending), span };
            let cons = self.kernel_constructor(builtin::CONS);
            let arguments = self.out.add_list(&[head, rest]);
            let cell = self.made(Expr::Construct(cons, arguments), span);
            let cell = self.close(pending, cell);
            self.fill(hole, cell);
        }
        self.function = outside;
        for function in loops {
            self.tidy(self.out.function(function).body);
        }
        whole
    }

    pub(super) fn tail(&mut self, tail: Tail, span: Span) -> ExprId {
        match tail {
            Tail::Nothing => {
                let nil = self.kernel_constructor(builtin::NIL);
                self.made(Expr::Construct(nil, List::EMPTY), span)
            }
            Tail::Loop(function, rest, at) => {
                let arguments = self.out.add_list(&[Argument { atom: Atom::Variable(rest), span: at }]);
                self.made(Expr::Call(function, arguments), at)
            }
        }
    }

    fn filter(&mut self, hole: ExprId, condition: ExprId, otherwise: ExprId, span: Span) -> ExprId {
        let then = self.hole(span);
        let (Some(yes), Some(no)) = (self.bool_constructor(true), self.bool_constructor(false)) else {
            return then;
        };
        let alternatives = vec![
            Alternative { pattern: Pattern::Constructor(yes, List::EMPTY), body: then },
            Alternative { pattern: Pattern::Constructor(no, List::EMPTY), body: otherwise },
        ];
        let case = self.case(condition, alternatives, None, span);
        self.fill(hole, case);
        then
    }

    /// The body of a generator's loop: returns the variable of the element, and the hole and variable of the rest.
    pub(super) fn each(&mut self, function: FunId, tail: Tail, span: Span) -> (VarId, (ExprId, VarId)) {
        let (element, rest) = (self.fresh(), self.fresh());
        let cons = self.kernel_constructor(builtin::CONS);
        let nil = self.kernel_constructor(builtin::NIL);
        let variables = self.out.add_list(&[element, rest]);
        let found = self.hole(span);
        let end = self.tail(tail, span);
        let alternatives = vec![
            Alternative { pattern: Pattern::Constructor(nil, List::EMPTY), body: end },
            Alternative { pattern: Pattern::Constructor(cons, variables), body: found },
        ];
        let list = self.parameter(function, 0);
        let scrutinee = self.made(Expr::Atom(Atom::Variable(list)), span);
        let case = self.case(scrutinee, alternatives, None, span);
        let body = self.out.function(function).body;
        self.fill(body, case);
        (element, (found, rest))
    }

    /// Matches an element of a generator's list; if it does not fit, the loop continues.
    fn generator(
        &mut self,
        function: FunId,
        pattern: PatRef,
        element: VarId,
        (hole, rest): (ExprId, VarId),
        span: Span,
    ) -> Option<ExprId> {
        let first = self.hole(span);
        let otherwise = self.tail(Tail::Loop(function, rest, span), span);
        self.out.set(hole, Expr::Try { first, otherwise });
        let row = self.row([(element, pattern)], super::matching::Leaf::Later);
        self.match_rows(first, vec![row], Fallback::Fall, span).later
    }
}

fn variable_operand(variable: VarId, span: Span) -> Operand {
    Operand::Atom(Argument { atom: Atom::Variable(variable), span })
}
