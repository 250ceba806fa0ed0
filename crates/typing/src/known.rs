//! The names of the library that have a meaning in the language, and where they are.
//!
//! `if` needs `Bool`, a number needs `Num`, a `do` block needs `Monad`, whatever a program imports. This file is the
//! only place that says which names and which modules these are.

use gadfly_syntax::Dialect;

use crate::interface::{ClassId, TypeConId};

/// The module where the library defines what the language needs.
pub(crate) fn home(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Haskell => "Gadfly.Base",
        Dialect::Curry => "Prelude",
    }
}

/// The module that is imported without saying so.
pub(crate) const PRELUDE: &str = "Prelude";

macro_rules! known {
    ($($(#[$doc:meta])* $kind:ident: $id:ty { $($(#[$variant_doc:meta])* $name:ident = $text:literal,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum $kind {
                $(#[doc = concat!("`", $text, "`.")] $name,)*
            }

            impl $kind {
                pub(crate) const ALL: &[$kind] = &[$($kind::$name,)*];

                /// Its name in the library.
                pub fn name(self) -> &'static str {
                    match self {
                        $($kind::$name => $text,)*
                    }
                }
            }
        )*
    };
}

known! {
    /// A type that the language needs.
    KnownType: TypeConId {
        Bool = "Bool",
        Ordering = "Ordering",
        Char = "Char",
        Int = "Int",
        Integer = "Integer",
        Float = "Float",
        Double = "Double",
        Word = "Word",
        Ratio = "Ratio",
        Io = "IO",
    }
    /// A class that the language needs.
    KnownClass: ClassId {
        Eq = "Eq",
        Ord = "Ord",
        Show = "Show",
        Read = "Read",
        Enum = "Enum",
        Bounded = "Bounded",
        Num = "Num",
        Real = "Real",
        Integral = "Integral",
        Fractional = "Fractional",
        Functor = "Functor",
        Applicative = "Applicative",
        Monad = "Monad",
        MonadFail = "MonadFail",
        Foldable = "Foldable",
        Traversable = "Traversable",
        Data = "Data",
        IsString = "IsString",
        StringElement = "StringElement",
    }
}

/// What was found of [`KnownType`] and [`KnownClass`].
#[derive(Clone, Debug, Default)]
pub struct Known {
    pub(crate) types: [Option<TypeConId>; KnownType::ALL.len()],
    pub(crate) classes: [Option<ClassId>; KnownClass::ALL.len()],
}

impl Known {
    /// A type, if the library has it.
    pub fn type_constructor(&self, known: KnownType) -> Option<TypeConId> {
        self.types[known as usize]
    }

    /// A class, if the library has it.
    pub fn class(&self, known: KnownClass) -> Option<ClassId> {
        self.classes[known as usize]
    }

    /// Which known type a type constructor is.
    pub fn which(&self, constructor: TypeConId) -> Option<KnownType> {
        KnownType::ALL.iter().copied().find(|&known| self.type_constructor(known) == Some(constructor))
    }
}
