//! Declarations at the top of a module, besides values and `data` (Haskell 2010 chapter 4).

use super::bindings::Raw;
use super::layout::Items;
use super::{Kind, Parse, Parser, Reported};
use crate::names::{QName, known};
use crate::tree::{
    Class, Decl, DeclId, Dependency, Instance, List, Literal, Name, NameId, Overlap, Strategy, Type, TypeId,
    TypeItem,
};

impl Parser<'_> {
    /// A declaration or an import at the top of a module.
    pub(super) fn top_decl(&mut self) -> Parse<Raw> {
        let start = self.start();
        self.declared |= self.now != Kind::Import;
        let decl = match self.now {
            Kind::Import => {
                if self.declared {
                    self.complain("imports stand before all declarations".to_owned(), |_, diagnostic| {
                        diagnostic.with_hint("Move it to the top of the module.")
                    });
                }
                self.import()?;
                return Ok(Raw::Nothing);
            }
            Kind::Type => return self.synonym(),
            Kind::Data | Kind::Newtype => self.data(start, false)?,
            Kind::External if self.after() == Kind::Data => {
                self.bump();
                self.data(start, true)?
            }
            Kind::Class => self.class()?,
            Kind::Instance => {
                self.bump();
                let instance = self.instance(true)?;
                self.add(Decl::Instance(Box::new(instance)), start)
            }
            Kind::Deriving => {
                self.bump();
                let strategy = match self.eat_word(known::VIA) {
                    true => Strategy::Via(self.btype()?),
                    false => self.strategy(),
                };
                self.expect(Kind::Instance, "`instance`")?;
                let instance = self.instance(false)?;
                self.add(Decl::StandaloneDeriving(strategy, Box::new(instance)), start)
            }
            Kind::Default => self.default()?,
            Kind::Foreign => self.primitive()?,
            Kind::Where => {
                return Err(self.complain("this `where` belongs to nothing".to_owned(), |_, diagnostic| {
                    diagnostic.with_hint("Indent it further than the definition it belongs to.")
                }));
            }
            Kind::VarId if self.is_word(known::PATTERN) && self.has_extension("PatternSynonyms") => {
                return Err(self.unsupported(
                    "pattern synonyms",
                    "Write the pattern that is meant, or a function and a view pattern.",
                ));
            }
            _ => return self.decl(),
        };
        Ok(Raw::Decl(decl))
    }

    pub(super) fn has_extension(&self, name: &str) -> bool {
        self.extensions.iter().any(|(extension, _)| self.interner.text(*extension) == name)
    }

    /// `foreign import prim "entity" f :: t`; what other languages define cannot be called.
    fn primitive(&mut self) -> Parse<DeclId> {
        let start = self.start();
        let is_import = self.after() == Kind::Import;
        if is_import {
            self.bump();
            self.bump();
        }
        if !is_import || !self.eat_word(known::PRIM) {
            return Err(self.unsupported("foreign declarations", "Define the function in this language."));
        }
        let entity = match (self.now == Kind::String).then(|| self.literals[self.token().value as usize]) {
            Some(Literal::String(codes)) => codes,
            _ => return Err(self.expected("the name of a primitive, in quotes")),
        };
        self.bump();
        let name = self.var("a name")?;
        self.expect(Kind::DoubleColon, "`::`")?;
        let declared = self.type_()?;
        Ok(self.add(Decl::Primitive { entity, name, declared }, start))
    }

    /// Reports syntax that Gadfly does not support.
    #[cold]
    pub(super) fn unsupported(&mut self, what: &str, hint: &str) -> Reported {
        let message = format!("{what} are not supported");
        let message = if what.starts_with('`') { format!("{what} is not supported") } else { message };
        self.complain(message, |_, diagnostic| diagnostic.with_hint(hint))
    }

    /// `type T a = t`. A kind signature (`type T :: k`) or role says nothing that is not inferred, and is not kept.
    fn synonym(&mut self) -> Parse<Raw> {
        let start = self.start();
        self.bump();
        if self.is_word(known::FAMILY) || self.now == Kind::Instance {
            return Err(self.unsupported("type families", "Use a class with a functional dependency."));
        }
        if self.is_word(known::ROLE) && self.after() == Kind::ConId {
            while matches!(self.now, Kind::VarId | Kind::ConId | Kind::Underscore) {
                self.bump();
            }
            return Ok(Raw::Nothing);
        }
        let (_, name, parameters) = self.head()?;
        if self.eat(Kind::DoubleColon) {
            self.type_()?;
            return Ok(Raw::Nothing);
        }
        self.expect(Kind::Equals, "`=` and the type that is meant")?;
        let meaning = self.type_()?;
        Ok(Raw::Decl(self.add(Decl::Synonym { name, parameters, meaning }, start)))
    }

    fn class(&mut self) -> Parse<DeclId> {
        let start = self.start();
        self.bump();
        let (context, name, parameters) = self.head()?;
        let mut dependencies = Vec::new();
        if self.eat(Kind::Bar) {
            dependencies.push(self.dependency()?);
            while self.eat(Kind::Comma) {
                dependencies.push(self.dependency()?);
            }
        }
        let dependencies = self.list(&dependencies);
        let decls = self.members(true)?;
        let class = Class { context, name, parameters, dependencies, decls };
        Ok(self.add(Decl::Class(Box::new(class)), start))
    }

    /// `a b -> c`.
    fn dependency(&mut self) -> Parse<Dependency> {
        let from = self.type_variables();
        self.expect(Kind::RightArrow, "`->` of a functional dependency")?;
        let to = self.type_variables();
        Ok(Dependency { from, to })
    }

    fn type_variables(&mut self) -> List<Name> {
        let mut names = Vec::new();
        while self.now == Kind::VarId {
            names.push(self.take_name());
        }
        self.list(&names)
    }

    /// `where` and the members of a class or instance, if they follow.
    fn members(&mut self, present: bool) -> Parse<List<DeclId>> {
        if !present || !self.eat(Kind::Where) {
            return Ok(List::EMPTY);
        }
        let raw = self.block(Items::Declarations, |this| match this.now {
            Kind::Type | Kind::Data | Kind::Newtype => {
                Err(this.unsupported("associated types", "Make the type a parameter of the class."))
            }
            Kind::Default => {
                Err(this.unsupported("default signatures", "Give the method a default without one."))
            }
            _ => this.decl(),
        })?;
        Ok(self.group(raw))
    }

    /// What follows `instance`.
    fn instance(&mut self, body: bool) -> Parse<Instance> {
        let pragma = self.overlaps.binary_search_by_key(&self.at, |(token, _)| *token);
        let overlap = pragma.map_or(Overlap::default(), |row| self.overlaps[row].1);
        let mut head = self.type_()?;
        let mut context = List::EMPTY;
        loop {
            match *self.tree.get(head) {
                Type::Forall(_, inner) => head = inner,
                Type::Qualified { context: constraints, body } => {
                    context = constraints;
                    head = body;
                }
                Type::Paren(inner) => head = inner,
                _ => break,
            }
        }
        let (class, types) = self.instance_head(head)?;
        let decls = self.members(body)?;
        Ok(Instance { overlap, context, class, types, decls })
    }

    fn instance_head(&mut self, head: TypeId) -> Parse<(NameId, List<TypeId>)> {
        let place = self.tree.place(head);
        match *self.tree.get(head) {
            Type::Con(name) => Ok((self.tree.add_name(name, place), List::EMPTY)),
            Type::Apply { function, arguments } => match *self.tree.get(function) {
                Type::Con(name) => {
                    let place = self.tree.place(function);
                    Ok((self.tree.add_name(name, place), arguments))
                }
                _ => Err(self.bad_instance(head)),
            },
            Type::Infix(items) => match *self.tree.list(items) {
                [TypeItem::Operand(left), TypeItem::Operator(class), TypeItem::Operand(right)] => {
                    Ok((class, self.list(&[left, right])))
                }
                _ => Err(self.bad_instance(head)),
            },
            Type::Missing => Err(Reported),
            _ => Err(self.bad_instance(head)),
        }
    }

    #[cold]
    fn bad_instance(&mut self, head: TypeId) -> Reported {
        let place = self.tree.place(head);
        self.reject(
            place,
            "expected a class and the types of the instance",
            "For example: `instance Show Tree where`.",
        )
    }

    /// `default (t, t)`.
    fn default(&mut self) -> Parse<DeclId> {
        let start = self.start();
        self.bump();
        if self.now != Kind::OpenParen {
            return Err(self.expected("`(` and the default types"));
        }
        let types = self.atype()?;
        let types = match *self.tree.get(types) {
            Type::Tuple(types) => types,
            Type::Paren(only) => self.list(&[only]),
            Type::Con(QName { qualifier: None, name: known::UNIT }) => List::EMPTY,
            _ => self.list(&[types]),
        };
        Ok(self.add(Decl::Default(types), start))
    }
}
