//! Statements, guards and alternatives: the items of blocks in expressions.

use super::layout::Items;
use super::{Kind, Parse, Parser};
use crate::tree::{Alternative, Body, Expr, ExprId, Guarded, List, Place, Rhs, Stmt, StmtKind};

impl Parser<'_> {
    /// `do` and its statements.
    pub(super) fn do_(&mut self) -> Parse<ExprId> {
        let open = self.here();
        self.bump();
        let scope = self.scopes.begin();
        let statements = self.block(Items::Statements, Self::statement)?;
        self.scopes.end(scope, self.since(open.start));
        match statements.last() {
            None if self.complained_at != self.at => {
                self.reject(
                    open,
                    "this `do` block is empty",
                    "Indent its statements further than the block around it.",
                );
            }
            Some(Stmt { place, kind: StmtKind::Bind(..) | StmtKind::Let(_) }) => {
                let place = *place;
                self.report.error(
                    place,
                    "the last statement of a `do` block must be an expression",
                    "",
                    "Add what the block results in, such as `return ()`.",
                );
            }
            _ => {}
        }
        let statements = self.list(&statements);
        Ok(self.add(Expr::Do(statements), open.start))
    }

    /// A statement of a `do` block, or a qualifier: `p <- e`, `let decls`, `e`.
    pub(super) fn statement(&mut self) -> Parse<Stmt> {
        self.statement_of(Self::expr)
    }

    /// A guard. Its expressions end before `::`, so that `->` is not taken for a type's.
    fn guard(&mut self) -> Parse<Stmt> {
        self.statement_of(Self::infix)
    }

    fn statement_of(&mut self, expression: fn(&mut Self) -> Parse<ExprId>) -> Parse<Stmt> {
        let open = self.here();
        if self.now == Kind::Let {
            self.bump();
            let decls = self.decls()?;
            if self.now == Kind::In {
                let body = self.let_body(open, decls)?;
                return Ok(self.stmt(open.start, StmtKind::Expr(body)));
            }
            self.scopes.statement_block(decls, open.start);
            return Ok(self.stmt(open.start, StmtKind::Let(decls)));
        }
        let mark = self.pattern_mark();
        let expr = expression(self)?;
        if self.now != Kind::LeftArrow {
            return Ok(self.stmt(open.start, StmtKind::Expr(expr)));
        }
        let pattern = self.turn_into_pattern(expr, mark)?;
        self.scopes.statement_pattern(self.tree.place(pattern), open.start);
        self.bump();
        let from = expression(self)?;
        Ok(self.stmt(open.start, StmtKind::Bind(pattern, from)))
    }

    fn stmt(&self, start: u32, kind: StmtKind) -> Stmt {
        Stmt { place: self.since(start), kind }
    }

    /// Statements between commas.
    pub(super) fn qualifiers(&mut self, one: fn(&mut Self) -> Parse<Stmt>) -> Parse<Vec<Stmt>> {
        let mut qualifiers = vec![one(self)?];
        while self.eat(Kind::Comma) {
            qualifiers.push(one(self)?);
        }
        Ok(qualifiers)
    }

    /// The block after `of`.
    pub(super) fn alternatives(&mut self) -> Parse<List<Alternative>> {
        let alternatives = self.block(Items::Alternatives, Self::alternative)?;
        Ok(self.list(&alternatives))
    }

    fn alternative(&mut self) -> Parse<Alternative> {
        let start = self.start();
        let scope = self.scopes.begin();
        let mark = self.pattern_mark();
        let pattern = self.infix()?;
        let pattern = self.turn_into_pattern(pattern, mark)?;
        self.scopes.parameter(self.tree.place(pattern));
        if self.now == Kind::Equals {
            let message = "expected `->`, found `=`".to_owned();
            return Err(self.complain(message, |_, diagnostic| {
                diagnostic.with_hint("The alternatives of a `case` use `->`; `=` is for definitions.")
            }));
        }
        let rhs = self.rhs(Kind::RightArrow, start)?;
        let place = self.since(start);
        self.scopes.end(scope, place);
        Ok(Alternative { place, pattern, rhs })
    }

    /// What stands right of the pattern or left-hand side that began at `start`: `= e` or guards, then `where`.
    pub(super) fn rhs(&mut self, separator: Kind, start: u32) -> Parse<Rhs> {
        let body = if self.now == Kind::Bar {
            let guarded = self.guarded(separator)?;
            Body::Guarded(self.list(&guarded))
        } else {
            let what = if separator == Kind::Equals { "`=` or `|`" } else { "`->` or `|`" };
            self.expect(separator, what)?;
            Body::Plain(self.expr()?)
        };
        let mut wheres = List::EMPTY;
        if self.eat(Kind::Where) {
            wheres = self.decls()?;
            self.scopes.block(wheres, self.since(start));
        }
        Ok(Rhs { body, wheres })
    }

    /// `| guards = e` as often as it stands there; at least once.
    pub(super) fn guarded(&mut self, separator: Kind) -> Parse<Vec<Guarded>> {
        let mut guarded = Vec::new();
        while self.now == Kind::Bar {
            let start = self.start();
            self.bump();
            let scope = self.scopes.begin();
            let guards = self.qualifiers(Self::guard)?;
            let what = match separator {
                Kind::Equals => "`=` after the guard",
                _ => "`->` after the guard",
            };
            self.expect(separator, what)?;
            let body = self.expr()?;
            let place: Place = self.since(start);
            self.scopes.end(scope, place);
            let guards = self.list(&guards);
            guarded.push(Guarded { place, guards, body });
        }
        Ok(guarded)
    }
}
