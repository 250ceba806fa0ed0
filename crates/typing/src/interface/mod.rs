//! The results of checking, as data for the lowering.
//!
//! A [`Program`] has tables of everything that modules define (values, constructors, types, classes, instances),
//! numbered through all modules, and for each module its syntax tree with [`Notes`]: columns and maps by the tree's
//! own numbers that say what each name means and which dictionaries go where.
//!
//! Dictionary passing, in one paragraph. A class is a record: its superclasses' dictionaries first, then its methods,
//! both in the order of [`Class`]. A binding with a class context is a function of [`Binding::dictionaries`]; every
//! use of an overloaded name says in [`Use::dictionaries`] what to apply it to, before its other arguments. A
//! [`Dictionary`] is a variable (bound by a binding, an instance, a pattern or an expression, each named where it is
//! bound), an instance applied to dictionaries, or a superclass of a dictionary. A method is used like a function
//! whose first dictionary is that of its class; the rest are for its own context.

mod entities;
mod notes;

use gadfly_source::Diagnostic;
use gadfly_syntax::names::Symbol;

use crate::checker::Facts;
use crate::known::{Known, KnownType};
use crate::scope::Exports;
use crate::types::{Ty, Types};
use gadfly_source::Table;

pub use entities::{
    Class, ClassId, Constructor, ConstructorId, Derived, Field, Instance, InstanceId, Method, MethodBody,
    Shape, TypeConId, TypeConstructor, TypeKind, Value, ValueId, ValueKind,
};
pub use notes::{
    Binding, DictId, DictVar, DictVars, Dictionary, DictionaryVariable, Dicts, Entity, Local, LocalId,
    NameNote, Note, Notes, Overloading, PatNote, Use,
};

gadfly_source::ids! {
    /// A module of a [`Program`].
    ModuleId,
}

/// A checked program: its main module and everything that it imports.
#[derive(Debug)]
pub struct Program {
    /// The modules, each after those that it imports; the main module is the last.
    pub modules: Table<ModuleId, Module>,
    /// What modules define as values: functions, variables, methods, field selectors, primitives.
    pub values: Table<ValueId, Value>,
    /// Constructors; the built-in ones first.
    pub constructors: Table<ConstructorId, Constructor>,
    /// Type constructors; the built-in ones first. Synonyms are among them, but never inside a type.
    pub type_constructors: Table<TypeConId, TypeConstructor>,
    /// Classes.
    pub classes: Table<ClassId, Class>,
    /// Instances.
    pub instances: Table<InstanceId, Instance>,
    /// All types and type schemes.
    pub types: Types,
    /// The names of the library that have a meaning in the language.
    pub known: Known,
    /// `main` of the main module, if it has one.
    pub main: Option<ValueId>,
    /// Module by module, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    pub(crate) exports: Table<ModuleId, Exports>,
    pub(crate) facts: Facts,
}

impl Program {
    /// Whether a value is an action of input and output.
    pub fn is_action(&self, value: ValueId) -> bool {
        let mut ty = self.types.scheme(self.values[value].scheme).body;
        loop {
            match self.types.get(self.types.resolve(ty)) {
                Ty::App(head, _) => ty = head,
                Ty::Con(constructor) => {
                    return self.known.type_constructor(KnownType::Io) == Some(constructor);
                }
                _ => return false,
            }
        }
    }

    /// The value that a module exports under a name, whichever module defines it.
    pub fn exported_value(&self, module: ModuleId, name: Symbol) -> Option<ValueId> {
        match self.exports[module].values.get(&name) {
            Some(&Entity::Value(value)) => Some(value),
            _ => None,
        }
    }
}

/// A module with what is known about it.
#[derive(Debug)]
pub struct Module {
    /// Its name.
    pub name: Symbol,
    /// Its tree, operator chains resolved.
    pub syntax: gadfly_syntax::Module,
    /// What checking found out about the tree.
    pub notes: Notes,
    /// Its own top-level values, in the order of the text.
    pub values: Vec<ValueId>,
}
