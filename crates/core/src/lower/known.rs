//! The functions of the library and the primitives of the machine that lowering needs by name.
//!
//! This is the only place that knows them. Types and classes come from [`gadfly_typing::Known`].

use gadfly_source::Span;
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;
use gadfly_typing::interface::{ConstructorId, DictId, Program as Typed, ValueId};
use gadfly_typing::{KnownClass, KnownType, builtin};

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
    /// For the machine: see [`Support`].
    MachineFailure = "machineFailure",
    /// For the machine: see [`Support`].
    Uncaught = "uncaught",
    /// For the machine: see [`Support`].
    PatternMatchFail = "patternMatchFail",
    /// For the machine: see [`Support`].
    RecSelError = "recSelError",
    /// For the machine: see [`Support`].
    RecConError = "recConError",
    /// For the machine: see [`Support`].
    RecUpdError = "recUpdError",
    /// For the machine: see [`Support`].
    NoMethodError = "noMethodError",
}

/// The constructors and functions of the library that the machine itself uses; `None` where the library lacks
/// one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Support {
    /// `()`.
    pub unit: Option<ConId>,
    /// `False` and `True`.
    pub bools: [Option<ConId>; 2],
    /// `LT`, `EQ` and `GT`.
    pub orderings: [Option<ConId>; 3],
    /// `[]` and `(:)`.
    pub list: [Option<ConId>; 2],
    /// `(,)`.
    pub pair: Option<ConId>,
    /// Makes an exception of a failure of the machine: its kind, where, why, and a file.
    pub machine_failure: Option<FunId>,
    /// Gives the message for an uncaught exception, and the exit status.
    pub uncaught: Option<FunId>,
    /// Raises what a pattern that does not fit raises, with a message.
    pub pattern_match_fail: Option<FunId>,
    /// Likewise for a field that a record has not.
    pub no_field: Option<FunId>,
    /// Likewise for a record made without a field.
    pub missing_field: Option<FunId>,
    /// Likewise for a record that cannot be updated so.
    pub no_update: Option<FunId>,
    /// Likewise for a method that an instance does not define.
    pub missing_method: Option<FunId>,
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
    /// What the library's home exports under these names, wherever it is defined.
    pub(super) fn find(typed: &Typed, interner: &Interner) -> KnownValues {
        let mut values = vec![None; ALL.len()];
        for (id, module) in typed.modules.iter() {
            if interner.text(module.name) != home(module.syntax.dialect) {
                continue;
            }
            for (row, (_, text)) in ALL.iter().enumerate() {
                // What is only for the machine need not be exported.
                let find = |name| {
                    let own =
                        || module.values.iter().copied().find(|&value| typed.values[value].name == name);
                    typed.exported_value(id, name).or_else(own)
                };
                values[row] = values[row].or(interner.get(text).and_then(find));
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

    /// What the machine needs; the functions are lowered with the rest.
    pub(super) fn support(&mut self) -> Support {
        let ordering = |lowering: &mut Self, tag| {
            let constructor = lowering.constructor_of(KnownType::Ordering, tag)?;
            Some(lowering.kernel_constructor(constructor))
        };
        Support {
            unit: Some(self.kernel_constructor(builtin::UNIT_VALUE)),
            bools: [self.bool_constructor(false), self.bool_constructor(true)],
            orderings: [ordering(self, 0), ordering(self, 1), ordering(self, 2)],
            list: [Some(self.kernel_constructor(builtin::NIL)), Some(self.kernel_constructor(builtin::CONS))],
            pair: Some(self.kernel_constructor(builtin::tuple_constructor(2))),
            machine_failure: self.known_function(KnownValue::MachineFailure),
            uncaught: self.known_function(KnownValue::Uncaught),
            pattern_match_fail: self.known_function(KnownValue::PatternMatchFail),
            no_field: self.known_function(KnownValue::RecSelError),
            missing_field: self.known_function(KnownValue::RecConError),
            no_update: self.known_function(KnownValue::RecUpdError),
            missing_method: self.known_function(KnownValue::NoMethodError),
        }
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
                self.apply(head, operands, span, span, pending)
            }
            _ => self.unknown(method, span),
        }
    }
}
