//! Import and export lists (Haskell 2010 §5.2 and §5.3).

use gadfly_source::Diagnostic;
use gadfly_syntax::names::{QName, Symbol};
use gadfly_syntax::tree::{Export, Import, ImportItem, Members, Name, NameId};

use crate::checker::{Absent, Checker};
use crate::interface::{Entity, ModuleId};
use crate::scope::{Exports, Filter, Found, Names, TypeEntity, View, members};

impl Checker<'_> {
    /// Opens the modules that are imported; `found` says which they are.
    pub(crate) fn open_imports(&mut self, found: &[Option<ModuleId>]) {
        for (import, &module) in self.syntax.imports.iter().zip(found) {
            let alias = import.alias.map_or(import.module.symbol, |alias| alias.symbol);
            let Some(module) = module else {
                let absent = Absent { alias, qualified: import.qualified, names: self.listed_names(import) };
                self.absent.push(absent);
                continue;
            };
            if self.world.exports[module].incomplete {
                let absent = Absent { alias, qualified: import.qualified, names: self.listed_names(import) };
                self.absent.push(absent);
            }
            let filter = match import.items {
                None => Filter::All,
                Some(_) if import.hiding => Filter::Hiding(self.import_names(import, module)),
                Some(_) => Filter::Only(self.import_names(import, module)),
            };
            self.scope.imports.push(View { module, alias, qualified: import.qualified, filter });
        }
    }

    /// The names that an import list brings, as far as it says; none if it brings more.
    fn listed_names(&self, import: &Import) -> Option<Vec<Symbol>> {
        let items = import.items.filter(|_| !import.hiding)?;
        let mut names = Vec::new();
        for item in self.tree.list(items) {
            match *item {
                ImportItem::Value(name) | ImportItem::Type(name, Members::None) => names.push(name.symbol),
                ImportItem::Type(name, Members::Some(listed)) => {
                    names.push(name.symbol);
                    names.extend(self.tree.list(listed).iter().map(|name| name.symbol));
                }
                ImportItem::Type(_, Members::All) => return None,
            }
        }
        Some(names)
    }

    fn import_names(&mut self, import: &Import, module: ModuleId) -> Names {
        let mut names = Names::default();
        let tree = self.tree;
        for item in import.items.map_or(&[][..], |items| tree.list(items)) {
            match *item {
                ImportItem::Value(name) => {
                    match self.world.exports[module].values.contains_key(&name.symbol) {
                        true => {
                            names.values.insert(name.symbol);
                        }
                        false if !import.hiding => self.not_exported(name, module),
                        false => {}
                    }
                }
                ImportItem::Type(name, which) => {
                    self.import_type(&mut names, name, which, module, import.hiding);
                }
            }
        }
        names
    }

    fn import_type(&mut self, names: &mut Names, name: Name, which: Members, module: ModuleId, hiding: bool) {
        let exports = &self.world.exports[module];
        let found = exports.types.get(&name.symbol).copied();
        // A hidden name without a namespace is hidden in both namespaces.
        if hiding && matches!(which, Members::None) {
            names.values.insert(name.symbol);
            names.types.insert(name.symbol);
            return;
        }
        let Some(found) = found else {
            if !hiding {
                self.not_exported(name, module);
            }
            return;
        };
        names.types.insert(name.symbol);
        let all: Vec<Symbol> = members(&self.world.program, found)
            .into_iter()
            .filter(|(member, entity)| exports.values.get(member) == Some(entity))
            .map(|(member, _)| member)
            .collect();
        match which {
            Members::None => {}
            Members::All => names.values.extend(all),
            Members::Some(listed) => {
                for &member in self.tree.list(listed) {
                    match all.contains(&member.symbol) {
                        true => {
                            names.values.insert(member.symbol);
                        }
                        false if !hiding => self.no_member(member, name.symbol),
                        false => {}
                    }
                }
            }
        }
    }

    fn not_exported(&mut self, name: Name, module: ModuleId) {
        if self.world.exports[module].incomplete {
            return;
        }
        let text = self.text(name.symbol).to_owned();
        let from = self.text(self.world.program.modules[module].name).to_owned();
        let exports = &self.world.exports[module];
        let near = self.nearest(&text, exports.values.keys().chain(exports.types.keys()).copied());
        let mut diagnostic = Diagnostic::error(format!("the module `{from}` does not export `{text}`"))
            .at(self.span_of(name.place), "imported here");
        if let Some(near) = near {
            diagnostic = diagnostic.with_hint(format!("Perhaps `{near}` is meant."));
        }
        self.diagnostics.push(diagnostic);
    }

    fn no_member(&mut self, member: Name, of: Symbol) {
        let message = format!("`{}` has no member `{}`", self.text(of), self.text(member.symbol));
        let span = self.span_of(member.place);
        let hint = "A type's members are its constructors and fields, a class's are its methods.";
        self.diagnostics.push(Diagnostic::error(message).at(span, "").with_hint(hint));
    }

    /// The module's exports.
    pub(crate) fn exports(&mut self) -> Exports {
        let Some(list) = self.syntax.exports.filter(|_| self.syntax.has_header) else {
            return self.scope.own.clone();
        };
        let mut exports = Exports::default();
        for export in self.tree.list(list) {
            match *export {
                Export::Value(name) => self.export_value(&mut exports, name),
                Export::Type(name, which) => self.export_type(&mut exports, name, which),
                Export::Module(name) => self.export_module(&mut exports, name),
            }
        }
        exports
    }

    fn export_value(&mut self, exports: &mut Exports, name: NameId) {
        let used = self.tree.name(name);
        let entity = self.lookup_value(used.name, used.place);
        if entity != Entity::Unknown {
            self.add_export(exports, used.name.name, entity, used.place);
        }
        exports.incomplete |= entity == Entity::Unknown && self.may_be_absent(used.name);
    }

    fn add_export(
        &mut self,
        exports: &mut Exports,
        name: Symbol,
        entity: Entity,
        place: gadfly_syntax::tree::Place,
    ) {
        let before = exports.values.insert(name, entity);
        if let Some(before) = before.filter(|before| *before != entity) {
            let message = format!("two different things are exported as `{}`", self.text(name));
            let mut diagnostic = Diagnostic::error(message).at(self.span_of(place), "exported here again");
            for (entity, which) in [(before, "one of them"), (entity, "the other")] {
                if let Some(span) = self.entity_span(entity) {
                    diagnostic = diagnostic.and(span, which);
                }
            }
            let hint = "Hide one of them in its import, or list what is to be exported.";
            self.diagnostics.push(diagnostic.with_hint(hint));
        }
    }

    fn export_type(&mut self, exports: &mut Exports, name: NameId, which: Members) {
        let used = self.tree.name(name);
        let Some(entity) = self.lookup_type(used.name, used.place) else {
            exports.incomplete |= self.may_be_absent(used.name);
            return;
        };
        exports.types.insert(used.name.name, entity);
        let all = members(&self.world.program, entity);
        match which {
            Members::None => {}
            Members::All => {
                for (member, entity) in all {
                    if self.in_scope(member, used.name.qualifier, entity) {
                        self.add_export(exports, member, entity, used.place);
                    }
                }
            }
            Members::Some(listed) => {
                for &member in self.tree.list(listed) {
                    match all.iter().find(|(symbol, _)| *symbol == member.symbol) {
                        Some(&(symbol, entity)) => self.add_export(exports, symbol, entity, member.place),
                        None => self.no_member(member, used.name.name),
                    }
                }
            }
        }
    }

    fn in_scope(&self, name: Symbol, qualifier: Option<Symbol>, entity: Entity) -> bool {
        let knows = |name: QName| match self.scope.value(name, &self.world.exports) {
            Found::None => false,
            Found::One(found) => found == entity,
            Found::Many(found) => found.contains(&entity),
        };
        knows(QName::plain(name))
            || qualifier.is_some_and(|qualifier| knows(QName { qualifier: Some(qualifier), name }))
            || self.scope.imports.iter().any(|view| {
                self.world.exports[view.module].values.get(&name) == Some(&entity) && view.brings_value(name)
            })
    }

    /// `module M`: what is known both as `x` and as `M.x`.
    fn export_module(&mut self, exports: &mut Exports, name: Name) {
        exports.incomplete |= self.absent.iter().any(|absent| absent.alias == name.symbol);
        if !self.scope.knows_qualifier(name.symbol) {
            if self.absent.iter().any(|absent| absent.alias == name.symbol) {
                return;
            }
            let text = self.text(name.symbol);
            let span = self.span_of(name.place);
            self.diagnostics.push(
                Diagnostic::error(format!("`module {text}` is exported, but not imported"))
                    .at(span, "")
                    .with_hint(format!("Add `import {text}`; it exports what that import brings.")),
            );
            return;
        }
        let mut values: Vec<(Symbol, Entity)> = Vec::new();
        let mut types: Vec<(Symbol, TypeEntity)> = Vec::new();
        if name.symbol == self.scope.name {
            values.extend(self.scope.own.values.iter().map(|(name, entity)| (*name, *entity)));
            types.extend(self.scope.own.types.iter().map(|(name, entity)| (*name, *entity)));
        }
        for view in &self.scope.imports {
            if view.alias != name.symbol || view.qualified {
                continue;
            }
            let from = &self.world.exports[view.module];
            let brought = from.values.iter().filter(|(name, _)| view.brings_value(**name));
            values.extend(brought.map(|(name, entity)| (*name, *entity)));
            let brought = from.types.iter().filter(|(name, _)| view.brings_type(**name));
            types.extend(brought.map(|(name, entity)| (*name, *entity)));
        }
        values.sort_by_key(|(name, _)| *name);
        for (value, entity) in values {
            self.add_export(exports, value, entity, name.place);
        }
        exports.types.extend(types);
    }
}
