//! Types, kinds and contexts (Haskell 2010 §4.1; Curry report §2.2).

use super::{Kind, Parse, Parser};
use crate::names::{QName, known};
use crate::tree::{List, Type, TypeId, TypeItem, TypeVar};

impl Parser<'_> {
    /// `forall a. context => t -> t`.
    pub(super) fn type_(&mut self) -> Parse<TypeId> {
        self.nested(Self::type_here)
    }

    fn type_here(&mut self) -> Parse<TypeId> {
        let start = self.start();
        if self.is_word(known::FORALL) {
            let binders = self.forall()?;
            let body = self.type_()?;
            return Ok(self.add(Type::Forall(binders, body), start));
        }
        let first = self.btype()?;
        match self.now {
            Kind::DoubleArrow => self.qualified_type(first, start),
            Kind::RightArrow => {
                let mut parts = vec![first];
                while self.eat(Kind::RightArrow) {
                    if self.is_word(known::FORALL) {
                        parts.push(self.type_()?);
                        break;
                    }
                    let from = self.start();
                    let part = self.btype()?;
                    if self.now == Kind::DoubleArrow {
                        parts.push(self.qualified_type(part, from)?);
                        break;
                    }
                    parts.push(part);
                }
                let parts = self.list(&parts);
                Ok(self.add(Type::Function(parts), start))
            }
            _ => Ok(first),
        }
    }

    fn qualified_type(&mut self, context: TypeId, start: u32) -> Parse<TypeId> {
        self.bump();
        let context = self.context(context);
        let body = self.type_()?;
        Ok(self.add(Type::Qualified { context, body }, start))
    }

    /// `forall a (b :: k).`, up to the dot.
    pub(super) fn forall(&mut self) -> Parse<List<TypeVar>> {
        self.bump();
        let mut binders = Vec::new();
        while self.now != Kind::Dot {
            binders.push(self.type_var("a type variable or `.`")?);
        }
        self.bump();
        Ok(self.list(&binders))
    }

    /// `a` or `(a :: k)`.
    pub(super) fn type_var(&mut self, what: &str) -> Parse<TypeVar> {
        let open = self.here();
        if self.now == Kind::VarId {
            let name = self.take_name();
            return Ok(TypeVar { symbol: name.symbol, place: name.place, kind: None });
        }
        if self.now != Kind::OpenParen || self.after() != Kind::VarId {
            return Err(self.expected(what));
        }
        self.bump();
        let name = self.take_name();
        self.expect(Kind::DoubleColon, "`::` and a kind")?;
        let kind = Some(self.type_()?);
        self.expect_close(Kind::CloseParen, open)?;
        Ok(TypeVar { symbol: name.symbol, place: self.since(open.start), kind })
    }

    /// The constraints of what stands before `=>`.
    pub(super) fn context(&mut self, context: TypeId) -> List<TypeId> {
        match *self.tree.get(context) {
            Type::Tuple(constraints) => constraints,
            Type::Con(QName { qualifier: None, name: known::UNIT }) => List::EMPTY,
            Type::Paren(constraint) => self.list(&[constraint]),
            _ => self.list(&[context]),
        }
    }

    /// Applications, with type operators between them.
    pub(super) fn btype(&mut self) -> Parse<TypeId> {
        let start = self.start();
        let first = self.type_application()?;
        if !self.at_type_operator() {
            return Ok(first);
        }
        let mut items = vec![TypeItem::Operand(first)];
        while self.at_type_operator() {
            let from = self.start();
            let name = match self.now {
                Kind::Backquote => self.backquoted()?,
                _ => {
                    let name = self.name_of_token();
                    self.bump();
                    name
                }
            };
            let place = self.since(from);
            items.push(TypeItem::Operator(self.tree.add_name(name, place)));
            items.push(TypeItem::Operand(self.type_application()?));
        }
        let items = self.list(&items);
        Ok(self.add(Type::Infix(items), start))
    }

    fn at_type_operator(&self) -> bool {
        matches!(
            self.now,
            Kind::ConSym
                | Kind::QConSym
                | Kind::VarSym
                | Kind::QVarSym
                | Kind::Colon
                | Kind::Backquote
                | Kind::Tilde
        )
    }

    /// `!t` or `~t`.
    pub(super) fn marked_type(&mut self) -> Parse<TypeId> {
        let start = self.start();
        let lazy = self.now == Kind::Tilde;
        self.bump();
        let field = self.atype()?;
        let marked = if lazy { Type::Lazy(field) } else { Type::Strict(field) };
        Ok(self.add(marked, start))
    }

    fn type_application(&mut self) -> Parse<TypeId> {
        let start = self.start();
        if matches!(self.now, Kind::Bang | Kind::Tilde) {
            return self.marked_type();
        }
        let function = self.atype()?;
        if !begins_atype(self.now) {
            return Ok(function);
        }
        let mut arguments = Vec::new();
        while begins_atype(self.now) {
            arguments.push(self.atype()?);
        }
        let arguments = self.list(&arguments);
        Ok(self.add(Type::Apply { function, arguments }, start))
    }

    /// A type that needs no parentheses as an argument.
    pub(super) fn atype(&mut self) -> Parse<TypeId> {
        let start = self.start();
        let atom = match self.now {
            Kind::ConId | Kind::QConId | Kind::Star => {
                let name = self.name_of_token();
                self.bump();
                Type::Con(name)
            }
            Kind::VarId => Type::Var(self.take_name().symbol),
            Kind::Underscore => {
                self.bump();
                Type::Wildcard
            }
            Kind::OpenParen => return self.paren_type(),
            Kind::OpenBracket => {
                let open = self.here();
                self.bump();
                if self.eat(Kind::CloseBracket) {
                    Type::Con(QName::plain(known::LIST))
                } else {
                    let element = self.type_()?;
                    self.expect_close(Kind::CloseBracket, open)?;
                    Type::List(element)
                }
            }
            Kind::Bad => {
                self.bump();
                Type::Missing
            }
            _ => return Err(self.expected("a type")),
        };
        Ok(self.add(atom, start))
    }

    fn paren_type(&mut self) -> Parse<TypeId> {
        let open = self.here();
        self.bump();
        let named = match self.now {
            Kind::CloseParen => Some(known::UNIT),
            Kind::RightArrow => {
                self.bump();
                Some(known::ARROW)
            }
            Kind::Comma => {
                let mut arity = 1;
                while self.eat(Kind::Comma) {
                    arity += 1;
                }
                Some(self.interner.tuple(arity))
            }
            _ => None,
        };
        let operator = match self.now {
            Kind::ConSym
            | Kind::QConSym
            | Kind::VarSym
            | Kind::QVarSym
            | Kind::Colon
            | Kind::Tilde
            | Kind::Minus
            | Kind::Dot
            | Kind::Bang
                if self.after() == Kind::CloseParen =>
            {
                let name = self.name_of_token();
                self.bump();
                Some(name)
            }
            _ => None,
        };
        if let Some(name) = named.map(QName::plain).or(operator) {
            self.expect_close(Kind::CloseParen, open)?;
            return Ok(self.add(Type::Con(name), open.start));
        }
        let first = self.type_()?;
        let inside = match self.now {
            Kind::DoubleColon => {
                self.bump();
                let kind = self.type_()?;
                Type::Kinded(first, kind)
            }
            Kind::Comma => {
                let mut parts = vec![first];
                while self.eat(Kind::Comma) {
                    parts.push(self.type_()?);
                }
                Type::Tuple(self.list(&parts))
            }
            _ => Type::Paren(first),
        };
        self.expect_close(Kind::CloseParen, open)?;
        Ok(self.add(inside, open.start))
    }
}

/// Whether a type argument may begin with this token.
pub(super) fn begins_atype(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ConId
            | Kind::QConId
            | Kind::VarId
            | Kind::Underscore
            | Kind::OpenParen
            | Kind::OpenBracket
            | Kind::Star
            | Kind::Bad
    )
}
