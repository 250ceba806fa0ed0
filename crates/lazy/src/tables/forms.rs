//! How the values of constructors are written.
//!
//! | type | as |
//! | --- | --- |
//! | lists, tuples, records | `[1,2]`, `1 : 2 : _`, `(1,2)`, `P {x = 1}` |
//! | strings | `"abc"`; of which not all is evaluated, `'a' : 'b' : _` |
//! | `Data.Map`, `Data.IntMap`, `Data.Set`, `Data.IntSet`, `Data.Sequence` | `fromList [(1,'a')]`, `fromList [1,2]` |
//! | arrays | `array (0,1) [(0,'a'),(1,'b')]` |
//! | references, mutable arrays | by a name: what they hold changes |
//! | `Ratio` | `3 % 4` |
//! | `SomeException` | the exception inside |
//! | exceptions that were raised | what `show` gives for them |
//!
//! A `newtype` is nothing when a program runs: its values read as what they hold.

use gadfly_trail::model::{Branches, Form};

/// How the values of a constructor of a type are written, unless it is hidden.
pub(super) fn form(of: &str, name: &str) -> Form {
    match name {
        ":" => Form::Cons,
        "[]" => Form::Nil,
        _ if name.starts_with("(,") => Form::Tuple,
        _ => {
            let known = LIBRARY.iter().find(|(known, ..)| *known == (of, name));
            known.map_or(Form::Plain, |(_, known)| known.form())
        }
    }
}

/// A form as it stands in the table.
enum Known {
    Tree((u32, u32), u32, u32),
    EmptyTree,
    Array,
    MutableArray,
    Ratio,
    Wrapper,
    Carrier,
    Message(&'static str),
    MessageBefore(&'static str),
    SystemError,
}

impl Known {
    fn form(&self) -> Form {
        match *self {
            Known::Tree(element, left, right) => Form::Tree(Branches { element, left, right }),
            Known::EmptyTree => Form::EmptyTree,
            Known::Array => Form::Array,
            Known::MutableArray => Form::MutableArray,
            Known::Ratio => Form::Ratio,
            Known::Wrapper => Form::Wrapper,
            Known::Carrier => Form::Carrier,
            Known::Message(text) => Form::Message(text.to_owned()),
            Known::MessageBefore(text) => Form::MessageBefore(text.to_owned()),
            Known::SystemError => Form::SystemError,
        }
    }
}

/// Constructors of the library, with their types, that are not written as they are made.
const LIBRARY: &[((&str, &str), Known)] = &[
    (("Data.Map.Internal.Map", "Bin"), Known::Tree((1, 3), 3, 4)),
    (("Data.Map.Internal.Map", "Tip"), Known::EmptyTree),
    (("Data.Set.Internal.Set", "Bin"), Known::Tree((1, 2), 2, 3)),
    (("Data.Set.Internal.Set", "Tip"), Known::EmptyTree),
    (("Data.Sequence.Seq", "Bin"), Known::Tree((1, 2), 2, 3)),
    (("Data.Sequence.Seq", "Nil"), Known::EmptyTree),
    // Curry's.
    (("Data.Map.Map", "Bin"), Known::Tree((2, 4), 1, 4)),
    (("Data.Map.Map", "Tip"), Known::EmptyTree),
    (("Data.Array.Base.Array", "Array"), Known::Array),
    (("Data.Array.Base.MutableArray", "MutableArray"), Known::MutableArray),
    (("Gadfly.Ground.Ratio", ":%"), Known::Ratio),
    (("Gadfly.Failing.SomeException", "SomeException"), Known::Wrapper),
    (("Control.Exception.SomeAsyncException", "SomeAsyncException"), Known::Wrapper),
    (("Prelude.Exception", "Raised"), Known::Carrier),
    (("Gadfly.Failing.ArithException", "Overflow"), Known::Message("arithmetic overflow")),
    (("Gadfly.Failing.ArithException", "Underflow"), Known::Message("arithmetic underflow")),
    (("Gadfly.Failing.ArithException", "LossOfPrecision"), Known::Message("loss of precision")),
    (("Gadfly.Failing.ArithException", "DivideByZero"), Known::Message("divide by zero")),
    (("Gadfly.Failing.ArithException", "Denormal"), Known::Message("denormal")),
    (("Gadfly.Failing.ArithException", "RatioZeroDenominator"), Known::Message("Ratio has zero denominator")),
    (("Gadfly.Failures.NonTermination", "NonTermination"), Known::Message("<<loop>>")),
    (
        ("Gadfly.Failures.BlockedIndefinitelyOnMVar", "BlockedIndefinitelyOnMVar"),
        Known::Message("thread blocked indefinitely in an MVar operation"),
    ),
    (("Gadfly.Failures.AsyncException", "StackOverflow"), Known::Message("stack overflow")),
    (("Gadfly.Failures.AsyncException", "HeapOverflow"), Known::Message("heap overflow")),
    (("Gadfly.Failures.AsyncException", "ThreadKilled"), Known::Message("thread killed")),
    (("Gadfly.Failures.AsyncException", "UserInterrupt"), Known::Message("user interrupt")),
    (("Control.Exception.Deadlock", "Deadlock"), Known::Message("<<deadlock>>")),
    (
        ("Control.Exception.NestedAtomically", "NestedAtomically"),
        Known::Message("Control.Concurrent.STM.atomically was nested"),
    ),
    (
        ("Control.Exception.AllocationLimitExceeded", "AllocationLimitExceeded"),
        Known::Message("allocation limit exceeded"),
    ),
    (
        ("Control.Exception.BlockedIndefinitelyOnSTM", "BlockedIndefinitelyOnSTM"),
        Known::Message("thread blocked indefinitely in an STM transaction"),
    ),
    (
        ("Gadfly.Failures.ArrayException", "IndexOutOfBounds"),
        Known::MessageBefore("array index out of range: "),
    ),
    (
        ("Gadfly.Failures.ArrayException", "UndefinedElement"),
        Known::MessageBefore("undefined array element: "),
    ),
    (("Prelude.Exception", "ErrorCall"), Known::MessageBefore("")),
    (("Prelude.IOError", "IOError"), Known::MessageBefore("i/o error: ")),
    (("Prelude.IOError", "UserError"), Known::MessageBefore("user error: ")),
    (("Prelude.IOError", "FailError"), Known::MessageBefore("fail error: ")),
    (("Prelude.IOError", "NondetError"), Known::MessageBefore("nondet error: ")),
    (("Gadfly.Failures.IOException", "IOError"), Known::SystemError),
    (("Gadfly.Failures.IOErrorType", "AlreadyExists"), Known::Message("already exists")),
    (("Gadfly.Failures.IOErrorType", "NoSuchThing"), Known::Message("does not exist")),
    (("Gadfly.Failures.IOErrorType", "ResourceBusy"), Known::Message("resource busy")),
    (("Gadfly.Failures.IOErrorType", "ResourceExhausted"), Known::Message("resource exhausted")),
    (("Gadfly.Failures.IOErrorType", "EOF"), Known::Message("end of file")),
    (("Gadfly.Failures.IOErrorType", "IllegalOperation"), Known::Message("illegal operation")),
    (("Gadfly.Failures.IOErrorType", "PermissionDenied"), Known::Message("permission denied")),
    (("Gadfly.Failures.IOErrorType", "UserError"), Known::Message("user error")),
    (("Gadfly.Failures.IOErrorType", "InvalidArgument"), Known::Message("invalid argument")),
    (("Gadfly.Failures.IOErrorType", "OtherError"), Known::Message("failed")),
    (("Gadfly.Failures.IOErrorType", "ResourceVanished"), Known::Message("resource vanished")),
];

#[cfg(test)]
mod tests {
    use super::super::functions::type_name;
    use super::LIBRARY;
    use crate::check;
    use gadfly_typing::interface::ConstructorId;
    use std::fs;

    /// A type that is renamed or moved would be written as it is made, and nothing else would notice.
    #[test]
    fn the_library_has_these_constructors() {
        let haskell = "import Control.Exception\nimport Data.Array\nimport Data.Map\nimport Data.Ratio\n\
            import Data.Sequence\nimport Data.Set\nmain = print 1\n";
        let curry = "import Data.Map\nmain = print 1\n";
        let folder = tempfile::tempdir().unwrap();
        let mut there = Vec::new();
        for (name, text) in [("Main.hs", haskell), ("main.curry", curry)] {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            let checked = check(&path).unwrap();
            assert!(!checked.has_errors(), "{:?}", checked.diagnostics());
            let constructors = &checked.program.constructors;
            for id in (0..constructors.len()).map(ConstructorId::from_index) {
                let name = checked.interner.text(constructors[id].name).to_owned();
                there.push((type_name(&checked, id), name));
            }
        }
        for ((of, name), _) in LIBRARY {
            assert!(there.iter().any(|known| known.0 == *of && known.1 == *name), "{of}: {name}");
        }
    }
}
