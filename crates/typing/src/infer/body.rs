//! Right-hand sides, guards, statements and blocks.

use gadfly_syntax::tree::{Body, ExprId, Guarded, List, Pat, PatId, PatItem, Rhs, Stmt, StmtKind};

use super::{Cause, Expect, Origin, Why};
use crate::checker::Checker;
use crate::interface::{ConstructorId, NameNote, Note, PatNote};
use crate::known::{KnownClass, KnownType};
use crate::types::TyId;

impl Checker<'_> {
    pub(crate) fn rhs(&mut self, rhs: &Rhs, expect: Expect) {
        self.local_bindings(rhs.wheres);
        match rhs.body {
            Body::Plain(body) => self.expr(body, expect),
            Body::Guarded(guarded) => self.guarded(guarded, expect),
        }
    }

    pub(crate) fn guarded(&mut self, guarded: List<Guarded>, expect: Expect) {
        let mut expect = expect;
        for guarded in self.tree.list(guarded) {
            self.scoped(|this| {
                this.guards(guarded.guards);
                this.expr(guarded.body, expect);
            });
            expect = self.like(expect, guarded.body);
        }
    }

    fn guards(&mut self, guards: List<Stmt>) {
        for guard in self.tree.list(guards) {
            match guard.kind {
                StmtKind::Expr(expr) => {
                    let bool = self.known_type(KnownType::Bool, self.tree.span(expr));
                    self.expr(expr, Expect::new(bool, Why::Guard));
                }
                StmtKind::Let(decls) => self.local_bindings(decls),
                StmtKind::Bind(pattern, expr) => {
                    let ty = self.infer(expr);
                    let span = self.tree.span(expr);
                    self.pattern(pattern, Expect::new(ty, Why::Scrutinee(span)));
                }
            }
        }
    }

    /// The qualifiers of a comprehension.
    pub(crate) fn qualifiers(&mut self, qualifiers: List<Stmt>) {
        for qualifier in self.tree.list(qualifiers) {
            match qualifier.kind {
                StmtKind::Expr(expr) => {
                    let bool = self.known_type(KnownType::Bool, self.tree.span(expr));
                    self.expr(expr, Expect::new(bool, Why::Guard));
                }
                StmtKind::Let(decls) => self.local_bindings(decls),
                StmtKind::Bind(pattern, expr) => {
                    let element = self.fresh();
                    let list = self.list_of(element);
                    self.expr(expr, Expect::new(list, Why::Statement(self.span_of(qualifier.place))));
                    let span = self.tree.span(expr);
                    self.pattern(pattern, Expect::new(element, Why::Scrutinee(span)));
                }
            }
        }
    }

    /// A `do` block. The dictionary of its monad is found once for all statements.
    #[inline(never)]
    pub(crate) fn block(&mut self, expr: ExprId, statements: List<Stmt>, expect: Expect) {
        let statements = self.tree.list(statements);
        if let Some((Stmt { kind: StmtKind::Expr(last), .. }, before)) = statements.split_last()
            && before.iter().all(|statement| matches!(statement.kind, StmtKind::Let(_)))
        {
            // Nothing is bound: the last expression in the scope of the others.
            self.notes.exprs[expr.index()] = Note::Do { monad: None, fail: None };
            for statement in before {
                if let StmtKind::Let(decls) = statement.kind {
                    self.local_bindings(decls);
                }
            }
            self.expr(*last, expect);
            return;
        }
        let span = self.tree.span(expr);
        let (monad, result) = (self.fresh(), self.fresh());
        let whole = self.types().app(monad, result);
        let met = self.meet(expr, whole, expect);
        let dictionary = self.want_known(KnownClass::Monad, monad, Origin { span, cause: Cause::Block });
        self.notes.exprs[expr.index()] = Note::Do { monad: Some(dictionary), fail: None };
        let last_why = match (met, expect.why) {
            (true, Why::Open) | (false, _) => Why::Statement(span),
            (true, why) => why,
        };
        let last_ty = if met { expect.ty } else { whole };
        self.scoped(|this| {
            for (index, statement) in statements.iter().enumerate() {
                let last = index + 1 == statements.len();
                match statement.kind {
                    StmtKind::Expr(inside) if last => this.expr(inside, Expect::new(last_ty, last_why)),
                    _ => this.statement(expr, statement, monad),
                }
            }
        });
    }

    fn statement(&mut self, block: ExprId, statement: &Stmt, monad: TyId) {
        let why = Why::Statement(self.tree.span(block));
        match statement.kind {
            StmtKind::Let(decls) => self.local_bindings(decls),
            StmtKind::Expr(expr) => {
                let result = self.fresh();
                let ty = self.types().app(monad, result);
                self.expr(expr, Expect::new(ty, why));
            }
            StmtKind::Bind(pattern, expr) => {
                let result = self.fresh();
                let ty = self.types().app(monad, result);
                self.expr(expr, Expect::new(ty, why));
                let span = self.tree.span(expr);
                self.pattern(pattern, Expect::new(result, Why::Scrutinee(span)));
                if self.can_fail(pattern) {
                    self.want_fail(block, pattern, monad);
                }
            }
        }
    }

    fn want_fail(&mut self, block: ExprId, pattern: PatId, monad: TyId) {
        let Note::Do { monad: dictionary, fail: None } = self.notes.expr(block) else { return };
        let fail = match self.world.program.known.class(KnownClass::MonadFail) {
            // A library without that class has `fail` in `Monad`.
            None => dictionary,
            Some(class) => {
                let constraint = self.types().constraint(class, &[monad]);
                let origin = Origin { span: self.tree.span(pattern), cause: Cause::FailingPattern };
                Some(self.want(constraint, origin))
            }
        };
        self.notes.exprs[block.index()] = Note::Do { monad: dictionary, fail };
    }

    /// Whether there are values that a pattern does not match.
    fn can_fail(&self, pattern: PatId) -> bool {
        let tree = self.tree;
        match *tree.get(pattern) {
            Pat::Var(_) => match self.notes.pat(pattern) {
                PatNote::Constructor(constructor) => !self.only_constructor(constructor),
                _ => false,
            },
            Pat::Missing | Pat::Wildcard | Pat::Lazy(_) => false,
            Pat::Paren(inside) | Pat::Bang(inside) | Pat::Typed(inside, _) | Pat::As(_, inside) => {
                self.can_fail(inside)
            }
            Pat::View(_, inside) => self.can_fail(inside),
            Pat::Tuple(parts) => tree.list(parts).iter().any(|&part| self.can_fail(part)),
            Pat::Apply { head, arguments } => {
                self.head_can_fail(head) || tree.list(arguments).iter().any(|&part| self.can_fail(part))
            }
            Pat::Record { head, fields, .. } => {
                let parts = tree.list(fields).iter().filter_map(|field| field.pattern);
                self.head_can_fail(head) || parts.into_iter().any(|part| self.can_fail(part))
            }
            Pat::Operators(_, items) => tree.list(items).iter().any(|item| match *item {
                PatItem::Operand(operand) => self.can_fail(operand),
                PatItem::Operator(operator) => self.head_can_fail(operator),
            }),
            Pat::Literal { .. } | Pat::List(_) | Pat::Infix(_) => true,
        }
    }

    fn head_can_fail(&self, head: gadfly_syntax::tree::NameId) -> bool {
        match self.notes.name(head) {
            NameNote::Constructor(constructor, _) => !self.only_constructor(constructor),
            NameNote::Unknown => false,
            _ => true,
        }
    }

    fn only_constructor(&self, constructor: ConstructorId) -> bool {
        let of = self.world.program.constructors[constructor].of;
        self.world.program.type_constructors[of].constructors().len() == 1
    }
}
