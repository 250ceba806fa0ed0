//! Expressions (Haskell 2010 chapter 3; Curry report §2.5).

use super::layout::Items;
use super::{Kind, NESTING_LIMIT, Parse, Parser, Reported};
use crate::names::QName;
use crate::tree::{Branch, DeclId, Expr, ExprId, Item, List, Place};

impl Parser<'_> {
    /// `infixexp [:: type]`.
    pub(super) fn expr(&mut self) -> Parse<ExprId> {
        let expr = self.infix()?;
        self.annotated(expr)
    }

    pub(super) fn annotated(&mut self, expr: ExprId) -> Parse<ExprId> {
        if self.now != Kind::DoubleColon {
            return Ok(expr);
        }
        self.bump();
        let annotation = self.type_()?;
        let start = self.tree.place(expr).start;
        Ok(self.add(Expr::Typed(expr, annotation), start))
    }

    /// An operator chain, flat: the fixities are not known yet.
    pub(super) fn infix(&mut self) -> Parse<ExprId> {
        let (expr, section) = self.chain()?;
        match section {
            None => Ok(expr),
            Some(operator) => {
                let place = self.tree.place(operator);
                let text = &self.text[place.start as usize..place.end as usize];
                let what = format!("an expression after the operator {}", in_backquotes(text));
                Err(self.expected(&what))
            }
        }
    }

    /// An operator chain; an operator before `)` that has no right operand is returned apart.
    pub(super) fn chain(&mut self) -> Parse<(ExprId, Option<ExprId>)> {
        self.nested(|this| {
            if this.now != Kind::Minus {
                let first = this.operand()?;
                match this.operator()? {
                    None => Ok((first, None)),
                    Some(operator) if this.now == Kind::CloseParen => Ok((first, Some(operator))),
                    Some(operator) => {
                        let start = this.tree.place(first).start;
                        this.chain_from(vec![Item::Operand(first), Item::Operator(operator)], start)
                    }
                }
            } else {
                let start = this.start();
                this.chain_from(Vec::new(), start)
            }
        })
    }

    /// Continues a chain where an operand must follow.
    fn chain_from(&mut self, mut items: Vec<Item>, start: u32) -> Parse<(ExprId, Option<ExprId>)> {
        loop {
            while self.now == Kind::Minus {
                items.push(Item::Negate(self.start()));
                self.bump();
            }
            items.push(Item::Operand(self.operand()?));
            let end = self.since(start);
            match self.operator()? {
                None => {
                    let items = self.list(&items);
                    return Ok((self.tree.add(Expr::Infix(items), end), None));
                }
                Some(operator) if self.now == Kind::CloseParen => {
                    let operand = match items[..] {
                        [Item::Operand(operand)] => operand,
                        _ => {
                            let items = self.list(&items);
                            self.tree.add(Expr::Infix(items), end)
                        }
                    };
                    return Ok((operand, Some(operator)));
                }
                Some(operator) => items.push(Item::Operator(operator)),
            }
        }
    }

    /// An operator between operands, if one comes next.
    pub(super) fn operator(&mut self) -> Parse<Option<ExprId>> {
        let start = self.start();
        let expr = match self.now {
            Kind::VarSym | Kind::QVarSym | Kind::Minus | Kind::Bang | Kind::Dot | Kind::Star => {
                let name = self.name_of_token();
                self.bump();
                Expr::Var(name)
            }
            Kind::ConSym | Kind::QConSym | Kind::Colon => {
                let name = self.name_of_token();
                self.bump();
                Expr::Con(name)
            }
            Kind::Backquote => {
                let constructor = matches!(self.after(), Kind::ConId | Kind::QConId);
                let name = self.backquoted()?;
                if constructor { Expr::Con(name) } else { Expr::Var(name) }
            }
            _ => return Ok(None),
        };
        Ok(Some(self.add(expr, start)))
    }

    /// An operand of a chain: `lexp`.
    fn operand(&mut self) -> Parse<ExprId> {
        match self.now {
            Kind::Backslash => self.lambda(),
            Kind::Let => self.let_in(),
            Kind::If => self.if_(),
            Kind::Case | Kind::Fcase => self.case(),
            Kind::Do => self.do_(),
            _ => self.application(),
        }
    }

    /// `f x y`, `f @t x`.
    fn application(&mut self) -> Parse<ExprId> {
        let start = self.start();
        let mut function = self.argument()?;
        let mut arguments = Vec::new();
        let mut type_arguments = 0;
        loop {
            if begins_argument(self.now) {
                let argument = self.argument()?;
                arguments.push(self.spaced_as_pattern(argument)?);
            } else if matches!(
                self.now,
                Kind::Do | Kind::Backslash | Kind::Case | Kind::Let | Kind::If | Kind::Fcase
            ) {
                arguments.push(self.operand()?);
            } else if self.now == Kind::At && self.token().is_prefix() {
                type_arguments += 1;
                if type_arguments > NESTING_LIMIT {
                    return Err(self.too_deep());
                }
                function = self.apply(function, &arguments, start);
                arguments.clear();
                self.bump();
                let argument = self.atype()?;
                function = self.add(Expr::ApplyType { function, argument }, start);
            } else {
                return Ok(self.apply(function, &arguments, start));
            }
        }
    }

    /// `x @p` after `f`: with that space, `@` begins a type argument only directly after a function.
    fn spaced_as_pattern(&mut self, argument: ExprId) -> Parse<ExprId> {
        match *self.tree.get(argument) {
            Expr::Var(name) if self.now == Kind::At && name.qualifier.is_none() => {
                self.as_pattern(name, self.tree.place(argument).start)
            }
            _ => Ok(argument),
        }
    }

    fn apply(&mut self, function: ExprId, arguments: &[ExprId], start: u32) -> ExprId {
        if arguments.is_empty() {
            return function;
        }
        let arguments = self.list(arguments);
        self.add(Expr::Apply { function, arguments }, start)
    }

    /// An atom with what may follow it in braces.
    pub(super) fn argument(&mut self) -> Parse<ExprId> {
        let start = self.start();
        let mut expr = self.atom()?;
        let mut updates = 0;
        while self.now == Kind::OpenBrace {
            updates += 1;
            if updates > NESTING_LIMIT {
                return Err(self.too_deep());
            }
            expr = self.record(expr, start)?;
        }
        Ok(expr)
    }

    fn atom(&mut self) -> Parse<ExprId> {
        let start = self.start();
        match self.now {
            Kind::VarId if self.is_arrow_notation() => {
                Err(self.unsupported("arrow expressions (`proc`)", "Use the functions of `Control.Arrow`."))
            }
            Kind::VarId => {
                let name = self.name_of_token();
                self.bump();
                if self.now == Kind::At && !self.token().is_prefix() {
                    return self.as_pattern(name, start);
                }
                Ok(self.add(Expr::Var(name), start))
            }
            Kind::ConId | Kind::QConId => {
                let name = self.name_of_token();
                self.bump();
                Ok(self.add(Expr::Con(name), start))
            }
            Kind::QVarId => {
                let name = self.name_of_token();
                self.bump();
                Ok(self.add(Expr::Var(name), start))
            }
            Kind::Integer | Kind::Fractional | Kind::Char | Kind::String => {
                let literal = self.literals[self.token().value as usize];
                self.bump();
                Ok(self.add(Expr::Literal(literal), start))
            }
            Kind::OpenParen => self.paren(),
            Kind::OpenBracket => self.bracket(),
            Kind::Underscore => {
                self.bump();
                Ok(self.pattern_only(Expr::Wildcard, start))
            }
            Kind::Tilde | Kind::Bang => {
                let lazy = self.now == Kind::Tilde;
                self.bump();
                let inner = self.nested(Self::argument)?;
                Ok(self.pattern_only(if lazy { Expr::Lazy(inner) } else { Expr::Bang(inner) }, start))
            }
            Kind::Bad => {
                self.bump();
                Ok(self.add(Expr::Missing, start))
            }
            _ => Err(self.no_expression()),
        }
    }

    /// `proc x -> …` with that extension; else `proc` is a name.
    fn is_arrow_notation(&self) -> bool {
        self.interner.text(self.token().symbol()) == "proc" && self.has_extension("Arrows")
    }

    #[cold]
    fn no_expression(&mut self) -> Reported {
        match self.now {
            Kind::VarSym
            | Kind::ConSym
            | Kind::QVarSym
            | Kind::QConSym
            | Kind::Colon
            | Kind::Dot
            | Kind::Star => {
                let message = format!("expected an expression, found the operator {}", self.found());
                self.complain(message, |_, diagnostic| {
                    diagnostic
                        .with_hint("An operator that stands for itself is written in parentheses: `(+)`.")
                })
            }
            _ => self.expected("an expression"),
        }
    }

    fn as_pattern(&mut self, name: QName, start: u32) -> Parse<ExprId> {
        let name = self.tree.add_name(name, Place { start, end: self.since(start).end });
        self.bump();
        let inner = self.nested(Self::argument)?;
        Ok(self.pattern_only(Expr::As(name, inner), start))
    }

    /// Adds an expression that must turn out to be a pattern.
    pub(super) fn pattern_only(&mut self, expr: Expr, start: u32) -> ExprId {
        let id = self.add(expr, start);
        self.pattern_only.push(id);
        id
    }

    /// `\p q -> e` and `\case alternatives`.
    fn lambda(&mut self) -> Parse<ExprId> {
        let start = self.start();
        self.bump();
        if self.now == Kind::Case {
            self.bump();
            let alternatives = self.alternatives()?;
            return Ok(self.add(Expr::LambdaCase(alternatives), start));
        }
        let scope = self.scopes.begin();
        let mut parameters = Vec::new();
        while self.now != Kind::RightArrow {
            if !begins_argument(self.now) && self.now != Kind::Bang {
                let what = if parameters.is_empty() { "a parameter after `\\`" } else { "`->`" };
                return Err(self.expected(what));
            }
            parameters.push(self.pattern_argument()?);
        }
        if parameters.is_empty() {
            return Err(self.expected("a parameter after `\\`"));
        }
        self.bump();
        let parameters = self.list(&parameters);
        let body = self.expr()?;
        self.scopes.end(scope, self.since(start));
        Ok(self.add(Expr::Lambda { parameters, body }, start))
    }

    fn let_in(&mut self) -> Parse<ExprId> {
        let open = self.here();
        self.bump();
        let decls = self.decls()?;
        self.let_body(open, decls)
    }

    /// `in e` after the declarations of a `let` that began at `open`.
    pub(super) fn let_body(&mut self, open: Place, decls: List<DeclId>) -> Parse<ExprId> {
        if self.now != Kind::In {
            let message = format!("expected `in`, found {}", self.found());
            return Err(self.complain(message, |this, diagnostic| {
                diagnostic.and(this.report.span(open), "this `let` needs an `in`").with_hint(
                    "Only in a `do` block, a guard or a comprehension may a `let` stand without `in`.",
                )
            }));
        }
        self.bump();
        let body = self.expr()?;
        let place = self.since(open.start);
        self.scopes.block(decls, place);
        Ok(self.tree.add(Expr::Let { decls, body }, place))
    }

    /// `if a then b else if …`, or `if | …`.
    fn if_(&mut self) -> Parse<ExprId> {
        let start = self.start();
        let mut branches = Vec::new();
        let mut open = self.here();
        loop {
            self.bump();
            if self.now == Kind::Bar || (self.now == Kind::OpenBrace && self.after() == Kind::Bar) {
                let last = self.multi_if(open.start)?;
                return Ok(self.if_chain(&branches, last, start));
            }
            let condition = self.expr()?;
            self.if_word(Kind::Then, "then", open)?;
            let then = self.expr()?;
            self.if_word(Kind::Else, "else", open)?;
            branches.push(Branch { start: open.start, condition, then });
            if self.now != Kind::If {
                break;
            }
            open = self.here();
        }
        let otherwise = self.expr()?;
        Ok(self.if_chain(&branches, otherwise, start))
    }

    fn if_chain(&mut self, branches: &[Branch], otherwise: ExprId, start: u32) -> ExprId {
        if branches.is_empty() {
            return otherwise;
        }
        let branches = self.list(branches);
        self.add(Expr::If { branches, otherwise }, start)
    }

    /// `then` or `else`, before which a `;` may stand (so that both can be aligned with an `if` in a `do` block).
    fn if_word(&mut self, kind: Kind, word: &str, open: Place) -> Parse<()> {
        let next = match self.now {
            Kind::Semicolon => self.after(),
            _ => self.token().kind,
        };
        if matches!(self.now, Kind::VirtualSemicolon | Kind::Semicolon) && next == kind {
            self.bump();
        }
        if self.eat(kind) {
            return Ok(());
        }
        let message = format!("expected `{word}`, found {}", self.found());
        let hint = match (kind, self.now) {
            (_, Kind::Equals) => "To compare, write `==`; `=` defines.",
            (Kind::Else, _) => "An `if` is an expression: it needs both `then` and `else`.",
            _ => "",
        };
        Err(self.complain(message, |this, diagnostic| {
            let diagnostic = diagnostic.and(this.report.span(open), "of this `if`");
            if hint.is_empty() { diagnostic } else { diagnostic.with_hint(hint) }
        }))
    }

    /// The guards of `if |`, up to the end of their layout.
    fn multi_if(&mut self, start: u32) -> Parse<ExprId> {
        self.nested(|this| {
            let open = this.here();
            let explicit = this.now == Kind::OpenBrace;
            let implicit = !explicit && this.open_implicit(Items::Guards);
            if explicit {
                this.open_brace(Items::Guards);
            }
            let level = this.layout.len();
            let guarded = this.guarded(Kind::RightArrow)?;
            if implicit {
                this.close_implicit(level);
            } else if explicit && this.now == Kind::CloseBrace {
                this.close_brace();
            } else if explicit {
                this.expect_close(Kind::CloseBrace, open)?;
            }
            let guarded = this.list(&guarded);
            Ok(this.add(Expr::MultiIf(guarded), start))
        })
    }

    fn case(&mut self) -> Parse<ExprId> {
        let open = self.here();
        let flexible = self.now == Kind::Fcase;
        self.bump();
        let scrutinee = self.expr()?;
        if self.now != Kind::Of {
            let message = format!("expected `of`, found {}", self.found());
            return Err(self.complain(message, |this, diagnostic| {
                diagnostic.and(this.report.span(open), "of this `case`")
            }));
        }
        self.bump();
        let alternatives = self.alternatives()?;
        Ok(self.add(Expr::Case { scrutinee, alternatives, flexible }, open.start))
    }
}

/// Whether an argument may begin with this token.
pub(super) fn begins_argument(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::VarId
            | Kind::ConId
            | Kind::QVarId
            | Kind::QConId
            | Kind::Integer
            | Kind::Fractional
            | Kind::Char
            | Kind::String
            | Kind::OpenParen
            | Kind::OpenBracket
            | Kind::Underscore
            | Kind::Tilde
            | Kind::Bad
    )
}

fn in_backquotes(operator: &str) -> String {
    if operator.starts_with('`') { operator.to_owned() } else { format!("`{operator}`") }
}
