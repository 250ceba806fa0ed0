//! The header of a module, its exports and imports (Haskell 2010 chapter 5; Curry report §6).

use super::layout::Items;
use super::{Kind, Parse, Parser};
use crate::Dialect;
use crate::names::{QName, known};
use crate::tree::{DeclId, Export, Import, ImportItem, List, Members, Name, Place};

/// What a file is, besides its nodes.
pub(super) struct Header {
    pub(super) present: bool,
    pub(super) name: Name,
    pub(super) exports: Option<List<Export>>,
    pub(super) decls: List<DeclId>,
}

impl Header {
    /// Of a file without a header.
    pub(super) fn none() -> Header {
        let name = Name { symbol: known::MAIN_MODULE, place: Place { start: 0, end: 0 } };
        Header { present: false, name, exports: None, decls: List::EMPTY }
    }
}

impl Parser<'_> {
    /// A whole file.
    pub(super) fn module(&mut self) -> Header {
        let mut header = Header::none();
        if self.now == Kind::Module {
            header.present = true;
            if self.header(&mut header).is_err() {
                // The rest of the header is lost; the declarations are not.
                while !matches!(self.now, Kind::Where | Kind::End) {
                    self.bump();
                }
                self.eat(Kind::Where);
            }
        }
        let mut decls = Vec::new();
        loop {
            if let Ok(more) = self.block(Items::TopDeclarations, Self::top_decl) {
                decls.extend(more);
            }
            if self.now == Kind::End {
                break;
            }
            self.complain(
                format!("{} does not belong to the declarations before it", self.found()),
                |_, diagnostic| {
                    diagnostic.with_hint("All declarations of a module begin in the same column.")
                },
            );
            self.settled = false;
            if self.now == Kind::CloseBrace {
                self.bump();
            }
        }
        header.decls = self.group(decls);
        header
    }

    /// `module M (exports) where`.
    fn header(&mut self, header: &mut Header) -> Parse<()> {
        self.bump();
        header.name = self.module_name()?;
        if self.now == Kind::OpenParen {
            header.exports = Some(self.exports()?);
        }
        self.expect(Kind::Where, "`where` after the module's name and exports")
    }

    fn module_name(&mut self) -> Parse<Name> {
        let place = self.here();
        let symbol = match self.now {
            Kind::ConId => self.token().symbol(),
            Kind::VarId if self.dialect == Dialect::Curry => self.token().symbol(),
            Kind::QConId => {
                let text = &self.text[place.start as usize..place.end as usize];
                self.interner.intern(text)
            }
            Kind::VarId => {
                let message = format!("expected the name of a module, found {}", self.found());
                return Err(self.complain(message, |_, diagnostic| {
                    diagnostic.with_hint("The name of a module begins with a capital letter.")
                }));
            }
            _ => return Err(self.expected("the name of a module")),
        };
        self.bump();
        Ok(Name { symbol, place })
    }

    fn exports(&mut self) -> Parse<List<Export>> {
        let mut exports = Vec::new();
        self.entries(|this| {
            let export = this.export()?;
            exports.push(export);
            Ok(())
        })?;
        Ok(self.list(&exports))
    }

    /// Entries between parentheses, with commas between them and perhaps one at the end.
    fn entries(&mut self, mut entry: impl FnMut(&mut Self) -> Parse<()>) -> Parse<()> {
        let open = self.here();
        self.bump();
        while self.now != Kind::CloseParen {
            entry(self)?;
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect_close(Kind::CloseParen, open)
    }

    fn export(&mut self) -> Parse<Export> {
        self.namespace();
        match self.now {
            Kind::Module => {
                self.bump();
                Ok(Export::Module(self.module_name()?))
            }
            Kind::ConId | Kind::QConId => {
                let (name, place) = (self.name_of_token(), self.here());
                let name = self.tree.add_name(name, place);
                self.bump();
                Ok(Export::Type(name, self.member_list()?))
            }
            Kind::QVarId => {
                let (name, place) = (self.name_of_token(), self.here());
                self.bump();
                Ok(Export::Value(self.tree.add_name(name, place)))
            }
            Kind::OpenParen if self.after() == Kind::QVarSym => {
                let start = self.start();
                self.bump();
                let name = self.name_of_token();
                self.bump();
                self.expect(Kind::CloseParen, "`)`")?;
                let place = self.since(start);
                Ok(Export::Value(self.tree.add_name(name, place)))
            }
            Kind::OpenParen if self.after() == Kind::ConSym => {
                let name = self.con("a name")?;
                let name = self.tree.add_name(QName::plain(name.symbol), name.place);
                Ok(Export::Type(name, self.member_list()?))
            }
            _ => {
                let name = self.var("a name to export")?;
                Ok(Export::Value(self.tree.add_name(QName::plain(name.symbol), name.place)))
            }
        }
    }

    /// `type` or `pattern` before an entry.
    fn namespace(&mut self) {
        if self.now == Kind::Type || (self.is_word(known::PATTERN) && self.after() == Kind::ConId) {
            self.bump();
        }
    }

    /// `(..)` or `(A, b)` after a type or class.
    fn member_list(&mut self) -> Parse<Members> {
        if self.now != Kind::OpenParen {
            return Ok(Members::None);
        }
        if self.after() == Kind::DotDot {
            let open = self.here();
            self.bump();
            self.bump();
            self.expect_close(Kind::CloseParen, open)?;
            return Ok(Members::All);
        }
        let mut names = Vec::new();
        self.entries(|this| {
            let constructor = this.now == Kind::ConId || matches!(this.after(), Kind::ConSym | Kind::Colon);
            let name =
                if constructor { this.con("a name") } else { this.var("a constructor, field or method") };
            names.push(name?);
            Ok(())
        })?;
        Ok(Members::Some(self.list(&names)))
    }

    /// An import, which comes next.
    pub(super) fn import(&mut self) -> Parse<()> {
        let start = self.start();
        self.bump();
        self.eat_word(known::SAFE);
        let mut qualified = self.eat_word(known::QUALIFIED);
        if self.now == Kind::String {
            self.bump();
        }
        let module = self.module_name()?;
        qualified |= self.eat_word(known::QUALIFIED);
        let alias = if self.eat_word(known::AS) { Some(self.module_name()?) } else { None };
        let hiding = self.eat_word(known::HIDING);
        let items = if self.now == Kind::OpenParen { Some(self.import_items()?) } else { None };
        if hiding && items.is_none() {
            return Err(self.expected("`(` and the names to hide"));
        }
        let place = self.since(start);
        self.imports.push(Import { place, module, qualified, alias, hiding, items });
        Ok(())
    }

    fn import_items(&mut self) -> Parse<List<ImportItem>> {
        let mut items = Vec::new();
        self.entries(|this| {
            this.namespace();
            let item =
                if this.now == Kind::ConId || (this.now == Kind::OpenParen && this.after() == Kind::ConSym) {
                    let name = this.con("a name")?;
                    ImportItem::Type(name, this.member_list()?)
                } else {
                    ImportItem::Value(this.var("a name to import")?)
                };
            items.push(item);
            Ok(())
        })?;
        Ok(self.list(&items))
    }
}
