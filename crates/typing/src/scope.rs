//! What a module's names mean: its own definitions and its imports (Haskell 2010 §5).
//!
//! Imports are not copied: a name is looked up among the exports of the imported modules when it is used, and
//! the result is cached.

use std::cell::RefCell;

use gadfly_syntax::names::{QName, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::interface::{ClassId, ConstructorId, Entity, ModuleId, Program, TypeConId, ValueId};
use gadfly_source::Table;

/// A type or a class: they share their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TypeEntity {
    Type(TypeConId),
    Class(ClassId),
}

/// What a module exports.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exports {
    pub(crate) values: FxHashMap<Symbol, Entity>,
    pub(crate) types: FxHashMap<Symbol, TypeEntity>,
    /// Whether exports are lacking because a module is missing.
    pub(crate) incomplete: bool,
}

/// Which of a module's exports an import brings.
#[derive(Clone, Debug)]
pub(crate) enum Filter {
    All,
    Only(Names),
    Hiding(Names),
}

/// Names of an import list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) values: FxHashSet<Symbol>,
    pub(crate) types: FxHashSet<Symbol>,
}

/// An import.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) module: ModuleId,
    /// The qualifier under which its names are known.
    pub(crate) alias: Symbol,
    pub(crate) qualified: bool,
    pub(crate) filter: Filter,
}

/// The names that are known at the top of a module.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) name: Symbol,
    pub(crate) own: Exports,
    pub(crate) imports: Vec<View>,
    /// In Curry, own definitions hide imported ones.
    pub(crate) own_first: bool,
    values: RefCell<FxHashMap<QName, Found<Entity>>>,
    types: RefCell<FxHashMap<QName, Found<TypeEntity>>>,
}

/// What was found for a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found<T> {
    None,
    One(T),
    /// Several different entities.
    Many(Vec<T>),
}

impl<T: Copy + PartialEq> Found<T> {
    fn add(&mut self, found: T) {
        match self {
            Found::None => *self = Found::One(found),
            Found::One(before) if *before != found => *self = Found::Many(vec![*before, found]),
            Found::Many(all) if !all.contains(&found) => all.push(found),
            _ => {}
        }
    }
}

impl Scope {
    pub(crate) fn new(name: Symbol) -> Scope {
        Scope {
            name,
            own: Exports::default(),
            imports: Vec::new(),
            own_first: false,
            values: RefCell::default(),
            types: RefCell::default(),
        }
    }

    /// What a name means as a value.
    pub(crate) fn value(&self, name: QName, exports: &Table<ModuleId, Exports>) -> Found<Entity> {
        if let Some(found) = self.values.borrow().get(&name) {
            return found.clone();
        }
        let mut found = Found::None;
        if name.qualifier.is_none_or(|qualifier| qualifier == self.name)
            && let Some(&own) = self.own.values.get(&name.name)
        {
            found.add(own);
        }
        if found == Found::None || !self.own_first {
            for view in self.views(name) {
                if let Some(&entity) = exports[view.module].values.get(&name.name)
                    && view.brings_value(name.name)
                {
                    found.add(entity);
                }
            }
        }
        self.values.borrow_mut().insert(name, found.clone());
        found
    }

    /// What a name means as a type or class.
    pub(crate) fn type_or_class(&self, name: QName, exports: &Table<ModuleId, Exports>) -> Found<TypeEntity> {
        if let Some(found) = self.types.borrow().get(&name) {
            return found.clone();
        }
        let mut found = Found::None;
        if name.qualifier.is_none_or(|qualifier| qualifier == self.name)
            && let Some(&own) = self.own.types.get(&name.name)
        {
            found.add(own);
        }
        if found == Found::None || !self.own_first {
            for view in self.views(name) {
                if let Some(&entity) = exports[view.module].types.get(&name.name)
                    && view.brings_type(name.name)
                {
                    found.add(entity);
                }
            }
        }
        self.types.borrow_mut().insert(name, found.clone());
        found
    }

    fn views(&self, name: QName) -> impl Iterator<Item = &View> {
        self.imports.iter().filter(move |view| match name.qualifier {
            Some(qualifier) => view.alias == qualifier,
            None => !view.qualified,
        })
    }

    /// Whether a qualifier is that of the module or of an import.
    pub(crate) fn knows_qualifier(&self, qualifier: Symbol) -> bool {
        qualifier == self.name || self.imports.iter().any(|view| view.alias == qualifier)
    }
}

impl View {
    pub(crate) fn brings_value(&self, name: Symbol) -> bool {
        match &self.filter {
            Filter::All => true,
            Filter::Only(names) => names.values.contains(&name),
            Filter::Hiding(names) => !names.values.contains(&name),
        }
    }

    pub(crate) fn brings_type(&self, name: Symbol) -> bool {
        match &self.filter {
            Filter::All => true,
            Filter::Only(names) => names.types.contains(&name),
            Filter::Hiding(names) => !names.types.contains(&name),
        }
    }
}

/// The constructors, fields and methods that belong to a type or class.
pub(crate) fn members(program: &Program, of: TypeEntity) -> Vec<(Symbol, Entity)> {
    let mut found: Vec<(Symbol, Entity)> = Vec::new();
    match of {
        TypeEntity::Type(constructor) => {
            for &constructor in program.type_constructors[constructor].constructors() {
                let constructor_info = &program.constructors[constructor];
                found.push((constructor_info.name, Entity::Constructor(constructor)));
                for field in &constructor_info.fields {
                    if let (Some(selector), Some(name)) = (field.selector, field.name)
                        && !found.contains(&(name, Entity::Value(selector)))
                    {
                        found.push((name, Entity::Value(selector)));
                    }
                }
            }
        }
        TypeEntity::Class(class) => {
            for method in &program.classes[class].methods {
                found.push((program.values[method.value].name, Entity::Value(method.value)));
            }
        }
    }
    found
}

/// The name of a value or constructor.
pub(crate) fn entity_name(program: &Program, entity: Entity) -> Option<(Symbol, Option<ModuleId>)> {
    match entity {
        Entity::Value(value) => {
            let value: ValueId = value;
            Some((program.values[value].name, Some(program.values[value].module)))
        }
        Entity::Constructor(constructor) => {
            let constructor: ConstructorId = constructor;
            Some((program.constructors[constructor].name, program.constructors[constructor].module))
        }
        Entity::Local(_) | Entity::Unknown => None,
    }
}
