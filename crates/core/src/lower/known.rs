//! The functions of the library and the primitives of the machine that lowering needs by name.
//!
//! This is the only place that knows them. Types and classes come from [`gadfly_typing::Known`].

use gadfly_source::Span;
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;
use gadfly_typing::ids::Id;
use gadfly_typing::interface::{ConstructorId, DictId, ModuleId, Program as Typed, ValueId};
use gadfly_typing::{KnownClass, KnownType};

use super::Lowering;
use super::apply::{Operand, Pending};
use crate::kernel::{ConId, ExprId, FunId};

/// The module where the library defines what the language needs.
fn home(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Haskell => "Gadfly.Base",
        Dialect::Curry => "Prelude",
    }
}

macro_rules! known_values {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A function of the library that lowering needs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum KnownValue { $($(#[$doc])* $name,)* }
        const ALL: &[(KnownValue, &str)] = &[$((KnownValue::$name, $text),)*];
    };
}

known_values! {
    /// Always true: a guard that needs no test.
    Otherwise = "otherwise",
    /// `f $ x` is `f x`.
    Dollar = "$",
    /// For derived `Show` and `Read`.
    Append = "++",
    /// For derived `Read`.
    ReadParen = "readParen",
    /// For derived `Read`.
    Lex = "lex",
}

/// Primitives that lowering uses itself; all are of the machine.
pub(super) mod primitive {
    /// `seq a b`, which becomes a `force`.
    pub(crate) const SEQ: &str = "seq";
    /// Unification of two values (Curry's `=:=`).
    pub(crate) const UNIFY: &str = "unify";
    /// Unification of a functional pattern, on the left, with a value (Curry's `=:<=`).
    pub(crate) const UNIFY_PATTERN: &str = "unifyPattern";
    /// The values of a function of the unit, as a list (Curry's set functions).
    pub(crate) const SET_VALUES: &str = "setValues";
}

/// Where the known functions are.
#[derive(Clone, Debug)]
pub(super) struct KnownValues {
    values: Vec<Option<ValueId>>,
}

impl KnownValues {
    pub(super) fn find(typed: &Typed, interner: &Interner) -> KnownValues {
        let mut values = vec![None; ALL.len()];
        let is_home = |module: ModuleId| {
            let module = &typed.modules[module];
            interner.text(module.name) == home(module.syntax.dialect)
        };
        let homes: Vec<bool> = typed.modules.ids().map(is_home).collect();
        let symbols: Vec<_> = ALL.iter().map(|(_, text)| interner.get(text)).collect();
        for (id, value) in typed.values.iter() {
            if homes[value.module.index()]
                && let Some(row) = symbols.iter().position(|&symbol| symbol == Some(value.name))
            {
                values[row] = Some(id);
            }
        }
        KnownValues { values }
    }

    pub(super) fn get(&self, known: KnownValue) -> Option<ValueId> {
        self.values[known as usize]
    }

    pub(super) fn is(&self, value: ValueId, known: KnownValue) -> bool {
        self.get(known) == Some(value)
    }
}

impl Lowering<'_> {
    /// A known function, if the library has it.
    pub(super) fn known_function(&mut self, known: KnownValue) -> Option<FunId> {
        let value = self.known.get(known)?;
        Some(self.value_function(value))
    }

    /// `False` or `True`; none if the library has no `Bool`.
    pub(super) fn bool_constructor(&mut self, value: bool) -> Option<ConId> {
        let constructor = self.constructor_of(KnownType::Bool, usize::from(value))?;
        Some(self.kernel_constructor(constructor))
    }

    pub(super) fn constructor_of(&self, known: KnownType, tag: usize) -> Option<ConstructorId> {
        let constructor = self.typed.known.type_constructor(known)?;
        self.typed.type_constructors[constructor].constructors().get(tag).copied()
    }

    /// The number of a known class's method, by its name.
    pub(super) fn method_index(&self, class: KnownClass, name: &str) -> Option<u32> {
        let class = &self.typed.classes[self.typed.known.class(class)?];
        let symbol = self.interner.get(name)?;
        let methods = class.methods.iter();
        methods
            .zip(0..)
            .find(|(method, _)| self.typed.values[method.value].name == symbol)
            .map(|(_, index)| index)
    }

    /// Applies a known method of a known class.
    pub(super) fn known_call(
        &mut self,
        class: KnownClass,
        method: &str,
        dictionary: DictId,
        operands: &[Operand],
        span: Span,
    ) -> ExprId {
        let mut pending = Pending::default();
        match (self.typed.known.class(class), self.method_index(class, method)) {
            (Some(class), Some(index)) => {
                let head = self.method_head(class, index, dictionary, Vec::new(), span, &mut pending);
                self.apply(head, operands, span, pending)
            }
            _ => self.unknown(method, span),
        }
    }
}
