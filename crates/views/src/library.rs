//! How values of the library's types are written.
//!
//! | type | as |
//! | --- | --- |
//! | lists, tuples, records | `[1,2]`, `1 : 2 : _`, `(1,2)`, `P {x = 1}` |
//! | strings | `"abc"`; of which not all is evaluated, `'a' : 'b' : _` |
//! | `Data.Map`, `Data.IntMap`, `Data.Set`, `Data.IntSet`, `Data.Sequence` | `fromList [(1,'a')]`, `fromList [1,2]` |
//! | arrays | `array (0,1) [(0,'a'),(1,'b')]` |
//! | `Ratio` | `3 % 4` |
//! | `SomeException` | the exception inside |
//!
//! A `newtype` is nothing when a program runs: its values read as what they hold.

use gadfly_trail::model::Constructor;

/// How a constructor's values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// As a constructor or record.
    Plain,
    Cons,
    Tuple,
    /// Made up by desugaring: not shown.
    Hidden,
    Ratio,
    Array,
    /// An exception of any kind: as its last field.
    Wrapper,
    /// A part of a tree that is written as its elements: which fields are an element, and the subtrees.
    Tree(Tree),
    /// An empty one of these.
    EmptyTree,
}

/// A constructor of a balanced tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    /// Where the element's fields are: from one to before another.
    pub(super) element: (usize, usize),
    pub(super) left: usize,
    pub(super) right: usize,
}

const fn tree(element: (usize, usize), left: usize, right: usize) -> Class {
    Class::Tree(Tree { element, left, right })
}

/// Library types that do not read as they are made: type, constructor, how it is written.
const KNOWN: &[(&str, &str, Class)] = &[
    ("Data.Map.Internal.Map", "Bin", tree((1, 3), 3, 4)),
    ("Data.Map.Internal.Map", "Tip", Class::EmptyTree),
    ("Data.Set.Internal.Set", "Bin", tree((1, 2), 2, 3)),
    ("Data.Set.Internal.Set", "Tip", Class::EmptyTree),
    ("Data.Sequence.Seq", "Bin", tree((1, 2), 2, 3)),
    ("Data.Sequence.Seq", "Nil", Class::EmptyTree),
    // Curry's.
    ("Data.Map.Map", "Bin", tree((2, 4), 1, 4)),
    ("Data.Map.Map", "Tip", Class::EmptyTree),
    ("Data.Array.Base.Array", "Array", Class::Array),
    ("Gadfly.Ground.Ratio", ":%", Class::Ratio),
    ("Gadfly.Failing.SomeException", "SomeException", Class::Wrapper),
    ("Control.Exception.SomeAsyncException", "SomeAsyncException", Class::Wrapper),
];

/// How a constructor's values are written.
pub(super) fn class(constructor: &Constructor) -> Class {
    let name = constructor.name.as_str();
    if constructor.hidden {
        return Class::Hidden;
    }
    if name == ":" {
        return Class::Cons;
    }
    if name.starts_with("(,") {
        return Class::Tuple;
    }
    let known = KNOWN.iter().find(|(of, known, _)| *known == name && *of == constructor.of);
    known.map_or(Class::Plain, |(.., class)| *class)
}
