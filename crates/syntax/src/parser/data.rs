//! `data` and `newtype` with their constructors (Haskell 2010 §4.2; Curry report §2.1).

use super::layout::Items;
use super::types::begins_atype;
use super::{Kind, Parse, Parser, Reported, is_var_operator};
use crate::Dialect;
use crate::names::{QName, known};
use crate::tree::{
    Constructor, Data, Decl, DeclId, Deriving, Fields, List, Name, Place, Strategy, Type, TypeId, TypeItem,
    TypeVar,
};

impl Parser<'_> {
    /// `data` or `newtype`, which comes next; `start` is where the declaration begins.
    pub(super) fn data(&mut self, start: u32, external: bool) -> Parse<DeclId> {
        let newtype = self.now == Kind::Newtype;
        self.bump();
        if self.is_word(known::FAMILY) || self.now == Kind::Instance {
            return Err(self.unsupported("data families", "Declare one `data` type for every case."));
        }
        let (context, name, parameters) = self.head()?;
        let kind = if self.eat(Kind::DoubleColon) { Some(self.type_()?) } else { None };
        let constructors = match self.now {
            Kind::Equals => {
                self.bump();
                let mut constructors = vec![self.constructor()?];
                while self.eat(Kind::Bar) {
                    constructors.push(self.constructor()?);
                }
                constructors
            }
            Kind::Where => {
                self.bump();
                self.block(Items::Constructors, Self::signed_constructors)?.concat()
            }
            _ => Vec::new(),
        };
        let constructors = self.list(&constructors);
        let derivings = self.derivings()?;
        let data = Data { newtype, external, context, name, parameters, kind, constructors, derivings };
        Ok(self.add(Decl::Data(Box::new(data)), start))
    }

    /// `context => T a b`, before the `=` or `where` of a declaration.
    pub(super) fn head(&mut self) -> Parse<(List<TypeId>, Name, List<TypeVar>)> {
        let mut head = self.btype()?;
        let mut context = List::EMPTY;
        if self.eat(Kind::DoubleArrow) {
            context = self.context(head);
            head = self.btype()?;
        }
        let mut parameters = Vec::new();
        let name = self.head_of(head, &mut parameters)?;
        Ok((context, name, self.list(&parameters)))
    }

    /// What a head names, and its parameters.
    fn head_of(&mut self, head: TypeId, parameters: &mut Vec<TypeVar>) -> Parse<Name> {
        let place = self.tree.place(head);
        match *self.tree.get(head) {
            Type::Con(QName { qualifier: None, name }) => Ok(Name { symbol: name, place }),
            Type::Apply { function, arguments } => {
                let name = self.head_of(function, parameters)?;
                for argument in self.tree.list(arguments).to_vec() {
                    parameters.push(self.parameter(argument)?);
                }
                Ok(name)
            }
            Type::Infix(items) => match self.tree.list(items) {
                &[TypeItem::Operand(left), TypeItem::Operator(operator), TypeItem::Operand(right)] => {
                    let operator = self.tree.name(operator);
                    parameters.push(self.parameter(left)?);
                    parameters.push(self.parameter(right)?);
                    Ok(Name { symbol: operator.name.name, place: operator.place })
                }
                _ => Err(self.bad_head(place)),
            },
            Type::Paren(inner) => self.head_of(inner, parameters),
            Type::Missing => Err(Reported),
            _ => Err(self.bad_head(place)),
        }
    }

    #[cold]
    fn bad_head(&mut self, place: Place) -> Reported {
        self.reject(
            place,
            "expected the name that is declared here",
            "It begins with a capital letter and is followed by type variables: `data Tree a = …`.",
        )
    }

    fn parameter(&mut self, of: TypeId) -> Parse<TypeVar> {
        let place = self.tree.place(of);
        match *self.tree.get(of) {
            Type::Var(symbol) => Ok(TypeVar { symbol, place, kind: None }),
            Type::Wildcard if self.dialect == Dialect::Curry => {
                Ok(TypeVar { symbol: known::UNDERSCORE, place, kind: None })
            }
            Type::Kinded(inner, kind) => match *self.tree.get(inner) {
                Type::Var(symbol) => Ok(TypeVar { symbol, place, kind: Some(kind) }),
                _ => Err(self.bad_parameter(place)),
            },
            _ => Err(self.bad_parameter(place)),
        }
    }

    #[cold]
    fn bad_parameter(&mut self, place: Place) -> Reported {
        self.reject(
            place,
            "a parameter here must be a type variable",
            "Type variables begin with a small letter.",
        )
    }

    /// `forall a. context => C t t`, `t :+ t` or `C { x :: t }`.
    fn constructor(&mut self) -> Parse<Constructor> {
        let start = self.start();
        let exists = if self.is_word(known::FORALL) { self.forall()? } else { List::EMPTY };
        let mut context = List::EMPTY;
        let mut parts = self.constructor_parts()?;
        if self.now == Kind::DoubleArrow {
            let from = self.tree.place(parts[0]).start;
            let constraint = self.applied(&parts, from);
            context = self.context(constraint);
            self.bump();
            parts = self.constructor_parts()?;
        }
        if self.at_infix_constructor() {
            let from = self.tree.place(parts[0]).start;
            let left = self.applied(&parts, from);
            let (name, right) = self.infix_constructor()?;
            let fields = self.list(&[left, right]);
            let place = self.since(start);
            return Ok(Constructor {
                place,
                name,
                exists,
                context,
                fields,
                labels: List::EMPTY,
                signature: None,
            });
        }
        let place = self.tree.place(parts[0]);
        let name = match *self.tree.get(parts[0]) {
            Type::Con(QName { qualifier: None, name }) => Name { symbol: name, place },
            Type::Var(name) if self.dialect == Dialect::Curry => Name { symbol: name, place },
            Type::Missing => return Err(Reported),
            _ => {
                return Err(self.reject(
                    place,
                    "expected a constructor",
                    "The name of a constructor begins with a capital letter; an operator with `:`.",
                ));
            }
        };
        let (fields, labels) = match self.now {
            Kind::OpenBrace if parts.len() == 1 => self.labelled_fields()?,
            _ => (self.list(&parts[1..]), List::EMPTY),
        };
        let place = self.since(start);
        Ok(Constructor { place, name, exists, context, fields, labels, signature: None })
    }

    /// In Curry, case and colons are a habit, not a rule: `data Nat = o | s Nat`, `[a] # [a]`.
    fn at_infix_constructor(&self) -> bool {
        match self.now {
            Kind::ConSym | Kind::Backquote => true,
            _ => self.dialect == Dialect::Curry && is_var_operator(self.now),
        }
    }

    /// The operator of a constructor and its right field.
    fn infix_constructor(&mut self) -> Parse<(Name, TypeId)> {
        let from = self.start();
        let symbol = match self.now {
            Kind::Backquote => self.backquoted()?.name,
            _ => self.take_name().symbol,
        };
        let name = Name { symbol, place: self.since(from) };
        let from = self.start();
        let parts = self.constructor_parts()?;
        Ok((name, self.applied(&parts, from)))
    }

    /// Types that follow each other, each perhaps with `!`; at least one.
    fn constructor_parts(&mut self) -> Parse<Vec<TypeId>> {
        let mut parts = Vec::new();
        loop {
            if matches!(self.now, Kind::Bang | Kind::Tilde) {
                parts.push(self.marked_type()?);
            } else if begins_atype(self.now) {
                parts.push(self.atype()?);
            } else if parts.is_empty() {
                return Err(self.expected("a constructor"));
            } else {
                return Ok(parts);
            }
        }
    }

    /// One type, or the application of the first to the others.
    fn applied(&mut self, parts: &[TypeId], start: u32) -> TypeId {
        match parts {
            [only] => *only,
            _ => {
                let arguments = self.list(&parts[1..]);
                self.add(Type::Apply { function: parts[0], arguments }, start)
            }
        }
    }

    /// `{ x, y :: t, z :: t }`: the type of every field, and the names.
    fn labelled_fields(&mut self) -> Parse<(List<TypeId>, List<Fields>)> {
        let open = self.here();
        self.open_brace(Items::Fields);
        let mut types = Vec::new();
        let mut labels = Vec::new();
        while self.now != Kind::CloseBrace {
            let mut names = vec![self.var("the name of a field")?];
            while self.eat(Kind::Comma) {
                names.push(self.var("the name of a field")?);
            }
            self.expect(Kind::DoubleColon, "`::` and the type of the field")?;
            let declared = self.type_()?;
            types.extend(names.iter().map(|_| declared));
            let names = self.list(&names);
            labels.push(Fields { names, declared });
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        if self.now != Kind::CloseBrace {
            self.expect_close(Kind::CloseBrace, open)?;
        }
        self.close_brace();
        Ok((self.list(&types), self.list(&labels)))
    }

    /// `C, D :: a -> T a`, in a `data … where`.
    fn signed_constructors(&mut self) -> Parse<Vec<Constructor>> {
        let start = self.start();
        let mut names = vec![self.con("a constructor")?];
        while self.eat(Kind::Comma) {
            names.push(self.con("a constructor")?);
        }
        self.expect(Kind::DoubleColon, "`::` and the type of the constructor")?;
        let mut labels = List::EMPTY;
        let signature = match self.now {
            Kind::OpenBrace => {
                let from = self.start();
                let (types, names) = self.labelled_fields()?;
                labels = names;
                self.expect(Kind::RightArrow, "`->` and the type of the record")?;
                let mut parts = self.tree.list(types).to_vec();
                parts.push(self.btype()?);
                let parts = self.list(&parts);
                Some(self.add(Type::Function(parts), from))
            }
            _ => Some(self.type_()?),
        };
        let place = self.since(start);
        let constructor = |name| Constructor {
            place,
            name,
            exists: List::EMPTY,
            context: List::EMPTY,
            fields: List::EMPTY,
            labels,
            signature,
        };
        Ok(names.into_iter().map(constructor).collect())
    }

    /// Every `deriving` that follows.
    fn derivings(&mut self) -> Parse<List<Deriving>> {
        let mut derivings = Vec::new();
        while self.eat(Kind::Deriving) {
            let strategy = self.strategy();
            let first = derivings.len();
            if self.now == Kind::OpenParen {
                let open = self.here();
                self.bump();
                while self.now != Kind::CloseParen {
                    let class = self.type_()?;
                    derivings.push(Deriving { strategy, class });
                    if !self.eat(Kind::Comma) {
                        break;
                    }
                }
                self.expect_close(Kind::CloseParen, open)?;
            } else {
                let class = self.atype()?;
                derivings.push(Deriving { strategy, class });
            }
            if self.eat_word(known::VIA) {
                let via = self.type_()?;
                for deriving in &mut derivings[first..] {
                    deriving.strategy = Strategy::Via(via);
                }
            }
        }
        Ok(self.list(&derivings))
    }

    /// `stock`, `newtype`, `anyclass`, or nothing.
    pub(super) fn strategy(&mut self) -> Strategy {
        if self.eat_word(known::STOCK) {
            Strategy::Stock
        } else if self.eat_word(known::ANYCLASS) {
            Strategy::AnyClass
        } else if self.eat(Kind::Newtype) {
            Strategy::Newtype
        } else {
            Strategy::Default
        }
    }
}
