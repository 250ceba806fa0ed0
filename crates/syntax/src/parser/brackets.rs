//! Expressions in brackets: parentheses, tuples, sections, lists, and the fields of records (Haskell 2010 §3.5 to
//! §3.15).

use super::layout::Items;
use super::{Kind, Parse, Parser, is_var_operator};
use crate::Dialect;
use crate::names::{QName, known};
use crate::tree::{Decl, Expr, ExprId, FieldValue, Name, NameId, Pat, PatId, Place, Stmt, StmtKind};

impl Parser<'_> {
    /// Whatever begins with `(`.
    pub(super) fn paren(&mut self) -> Parse<ExprId> {
        let open = self.here();
        let after = self.after();
        self.bump();
        match self.now {
            Kind::CloseParen => {
                self.bump();
                Ok(self.add(Expr::Con(QName::plain(known::UNIT)), open.start))
            }
            Kind::Comma => self.tuple(None, open),
            Kind::Minus | Kind::Tilde if self.after() != Kind::CloseParen => self.paren_expr(open),
            Kind::Tilde => Err(self.expected("an expression")),
            _ if is_operator(after) => self.paren_operator(open),
            _ => self.paren_expr(open),
        }
    }

    /// `(+)`, `(+ e)`, and `(!p, q)`.
    fn paren_operator(&mut self, open: Place) -> Parse<ExprId> {
        let bang = self.now == Kind::Bang;
        let symbol = self.now != Kind::Backquote;
        let Some(operator) = self.operator()? else { return self.paren_expr(open) };
        if symbol && self.now == Kind::CloseParen {
            self.bump();
            let content = *self.tree.get(operator);
            return Ok(self.add(content, open.start));
        }
        let operand = self.infix()?;
        if self.now == Kind::CloseParen {
            self.bump();
            return Ok(self.add(Expr::RightSection { operator, operand }, open.start));
        }
        if bang && self.dialect == Dialect::Haskell {
            let start = self.tree.place(operator).start;
            let strict = self.pattern_only(Expr::Bang(operand), start);
            let first = self.annotated(strict)?;
            return self.paren_rest(first, open);
        }
        self.expect_close(Kind::CloseParen, open).map(|()| operand)
    }

    /// `(e)`, `(e +)`, `(e, …)`.
    fn paren_expr(&mut self, open: Place) -> Parse<ExprId> {
        let (first, section) = self.chain()?;
        if let Some(operator) = section {
            self.bump();
            return Ok(self.add(Expr::LeftSection { operand: first, operator }, open.start));
        }
        let first = self.annotated(first)?;
        self.paren_rest(first, open)
    }

    fn paren_rest(&mut self, first: ExprId, open: Place) -> Parse<ExprId> {
        let first = self.view(first)?;
        if self.now == Kind::Comma {
            return self.tuple(Some(first), open);
        }
        self.expect_close(Kind::CloseParen, open)?;
        Ok(self.add(Expr::Paren(first), open.start))
    }

    /// A part of a tuple, or of a list that may be a pattern.
    fn element(&mut self) -> Parse<ExprId> {
        let expr = self.expr()?;
        self.view(expr)
    }

    /// `e -> p` after `e`.
    fn view(&mut self, expr: ExprId) -> Parse<ExprId> {
        if self.now != Kind::RightArrow {
            return Ok(expr);
        }
        self.bump();
        let pattern = self.expr()?;
        let start = self.tree.place(expr).start;
        Ok(self.pattern_only(Expr::View(expr, pattern), start))
    }

    /// A tuple, a tuple with gaps, or a tuple constructor, from its first comma on.
    fn tuple(&mut self, first: Option<ExprId>, open: Place) -> Parse<ExprId> {
        let mut parts = vec![first];
        while self.eat(Kind::Comma) {
            let part = match self.now {
                Kind::Comma | Kind::CloseParen => None,
                _ => Some(self.element()?),
            };
            parts.push(part);
        }
        self.expect_close(Kind::CloseParen, open)?;
        let expr = if parts.iter().all(Option::is_some) {
            let parts: Vec<ExprId> = parts.into_iter().flatten().collect();
            Expr::Tuple(self.list(&parts))
        } else if parts.iter().all(Option::is_none) {
            Expr::Con(QName::plain(self.interner.tuple(parts.len())))
        } else {
            Expr::TupleSection(self.list(&parts))
        };
        Ok(self.add(expr, open.start))
    }

    /// Whatever begins with `[`.
    pub(super) fn bracket(&mut self) -> Parse<ExprId> {
        let open = self.here();
        self.bump();
        if self.eat(Kind::CloseBracket) {
            return Ok(self.add(Expr::Con(QName::plain(known::LIST)), open.start));
        }
        if self.now == Kind::Bar {
            return Err(self.unsupported("quotations (Template Haskell)", "Write the program that is meant."));
        }
        let first = self.element()?;
        let expr = match self.now {
            Kind::DotDot => self.sequence(first, None)?,
            Kind::Bar => self.comprehension(first, open)?,
            _ => {
                let mut elements = vec![first];
                while self.eat(Kind::Comma) {
                    elements.push(self.element()?);
                    if elements.len() == 2 && self.now == Kind::DotDot {
                        break;
                    }
                }
                match self.now {
                    Kind::DotDot => self.sequence(first, Some(elements[1]))?,
                    _ => Expr::List(self.list(&elements)),
                }
            }
        };
        self.expect_close(Kind::CloseBracket, open)?;
        Ok(self.add(expr, open.start))
    }

    fn sequence(&mut self, from: ExprId, then: Option<ExprId>) -> Parse<Expr> {
        self.bump();
        let to = if self.now == Kind::CloseBracket { None } else { Some(self.expr()?) };
        Ok(Expr::Sequence { from, then, to })
    }

    fn comprehension(&mut self, body: ExprId, open: Place) -> Parse<Expr> {
        self.bump();
        let scope = self.scopes.begin();
        let mut branches = vec![self.qualifiers(Self::statement)?];
        while self.eat(Kind::Bar) {
            branches.push(self.qualifiers(Self::statement)?);
        }
        self.scopes.end_whole(scope, self.since(open.start));
        let qualifiers = match &branches[..] {
            [only] => self.list(only),
            _ => {
                let generator = self.in_parallel(&branches);
                self.list(&[generator])
            }
        };
        Ok(Expr::Comprehension { body, qualifiers })
    }

    /// The branches of a parallel comprehension as one generator: `((x, y), z) <- zip [(x, y) | …] [z | …]`.
    fn in_parallel(&mut self, branches: &[Vec<Stmt>]) -> Stmt {
        let mut parts = branches.iter().rev();
        let first = parts.next().map_or(&[][..], Vec::as_slice);
        let (mut pattern, mut list) = self.branch(first);
        for branch in parts {
            let (other, elements) = self.branch(branch);
            let place = self.tree.place(elements).to(self.tree.place(list));
            let both = self.list(&[other, pattern]);
            pattern = self.tree.add(Pat::Tuple(both), place);
            let zip = QName { qualifier: Some(known::LIBRARY), name: known::ZIP };
            let function = self.tree.add(Expr::Var(zip), place);
            let arguments = self.list(&[elements, list]);
            list = self.tree.add(Expr::Apply { function, arguments }, place);
        }
        Stmt { place: self.tree.place(list), kind: StmtKind::Bind(pattern, list) }
    }

    /// One branch of a parallel comprehension: a pattern of its variables, and the list of their values.
    fn branch(&mut self, qualifiers: &[Stmt]) -> (PatId, ExprId) {
        let mut names: Vec<Name> = Vec::new();
        for qualifier in qualifiers {
            match qualifier.kind {
                StmtKind::Bind(pattern, _) => self.variables_of(pattern, &mut names),
                StmtKind::Let(decls) => {
                    for &decl in self.tree.list(decls) {
                        match *self.tree.get(decl) {
                            Decl::Function { name, .. } => names.push(name),
                            Decl::Pattern { pattern, .. } => self.variables_of(pattern, &mut names),
                            _ => {}
                        }
                    }
                }
                StmtKind::Expr(_) => {}
            }
        }
        // Of two variables of one name, the later one is known behind them.
        let mut known: Vec<Name> = Vec::new();
        for name in names {
            known.retain(|other| other.symbol != name.symbol);
            known.push(name);
        }
        let place = match qualifiers {
            [first, .., last] => first.place.to(last.place),
            [only] => only.place,
            [] => self.here(),
        };
        let (mut patterns, mut values) = (Vec::new(), Vec::new());
        for name in known {
            patterns.push(self.tree.add(Pat::Var(name.symbol), name.place));
            values.push(self.tree.add(Expr::Var(QName::plain(name.symbol)), name.place));
        }
        let (pattern, body) = match (&patterns[..], &values[..]) {
            (&[pattern], &[value]) => (pattern, value),
            ([], _) | (_, []) => (
                self.tree.add(Pat::Wildcard, place),
                self.tree.add(Expr::Con(QName::plain(known::UNIT)), place),
            ),
            (patterns, values) => {
                let (patterns, values) = (self.list(patterns), self.list(values));
                (self.tree.add(Pat::Tuple(patterns), place), self.tree.add(Expr::Tuple(values), place))
            }
        };
        let qualifiers = self.list(qualifiers);
        (pattern, self.tree.add(Expr::Comprehension { body, qualifiers }, place))
    }

    /// The variables of a pattern, from left to right.
    fn variables_of(&self, pattern: PatId, found: &mut Vec<Name>) {
        let tree = &self.tree;
        let mut stack = vec![pattern];
        while let Some(id) = stack.pop() {
            match *tree.get(id) {
                Pat::Var(symbol) => found.push(Name { symbol, place: tree.place(id) }),
                Pat::As(name, _) => {
                    let used = tree.name(name);
                    found.push(Name { symbol: used.name.name, place: used.place });
                }
                Pat::Record { fields, .. } => {
                    for field in tree.list(fields).iter().filter(|field| field.pattern.is_none()) {
                        let used = tree.name(field.field);
                        found.push(Name { symbol: used.name.name, place: used.place });
                    }
                }
                _ => {}
            }
            tree.push_parts(id, &mut stack);
        }
    }

    /// `x`, `M.x`, `(<+>)`: the field that a record's entry is about.
    fn field_name(&mut self) -> Parse<NameId> {
        let start = self.start();
        let operator =
            self.now == Kind::OpenParen && (is_var_operator(self.after()) || self.after() == Kind::QVarSym);
        if operator {
            self.bump();
        } else if !matches!(self.now, Kind::VarId | Kind::QVarId) {
            return Err(self.expected("the name of a field"));
        }
        let name = self.name_of_token();
        self.bump();
        if operator {
            self.expect(Kind::CloseParen, "`)`")?;
        }
        let place = self.since(start);
        Ok(self.tree.add_name(name, place))
    }

    /// `{ x = 1, y, .. }` after an expression.
    pub(super) fn record(&mut self, subject: ExprId, start: u32) -> Parse<ExprId> {
        let open = self.here();
        self.open_brace(Items::Fields);
        let mut fields = Vec::new();
        let mut rest = false;
        while self.now != Kind::CloseBrace {
            if self.eat(Kind::DotDot) {
                rest = true;
                break;
            }
            let field = self.field_name()?;
            let value = if self.eat(Kind::Equals) { Some(self.expr()?) } else { None };
            fields.push(FieldValue { field, value });
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        if self.now != Kind::CloseBrace {
            return self.expect_close(Kind::CloseBrace, open).map(|()| subject);
        }
        self.close_brace();
        let place = self.since(start);
        let constructs = matches!(self.tree.get(subject), Expr::Con(_));
        if !constructs && (rest || fields.is_empty()) {
            return Err(self.reject(
                place,
                "an update names the fields that change",
                "Write `value { field = expression }`; only constructors take `{}` and `{..}`.",
            ));
        }
        let fields = self.list(&fields);
        let expr = match constructs {
            true => Expr::Construct { constructor: subject, fields, rest },
            false => Expr::Update { subject, fields },
        };
        Ok(self.tree.add(expr, place))
    }
}

fn is_operator(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::VarSym
            | Kind::QVarSym
            | Kind::ConSym
            | Kind::QConSym
            | Kind::Colon
            | Kind::Minus
            | Kind::Bang
            | Kind::Dot
            | Kind::Star
            | Kind::Backquote
    )
}
