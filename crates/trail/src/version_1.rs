//! What files of the first version do not say: when arguments are evaluated, how applications are written, what some functions come
//! from, and how the values of constructors are written.
//!
//! Readers inferred it then from the language, from names, and from the types of the libraries as they were. This is how; front-ends
//! write it into the files of today, and what is here stays as it is.

use super::coding::Input;
use super::model::{Branches, Constructor, Evaluation, Form, Origin, Style, Tables};

/// What there is in place of a form: whether the constructor is hidden.
pub(super) fn read_form(input: &mut Input<'_>) -> Option<Form> {
    Some(if input.truth()? { Form::Hidden } else { Form::Plain })
}

/// The languages of version 1 whose values were recorded when they were there; the others evaluate late.
const STRICT: &[&str] = &["python"];

/// Adds to tables what they do not say. Those behind the first ones of a file do not name the language either.
pub(super) fn complete(tables: &mut Tables, language: Option<&str>) {
    let language = language.unwrap_or(&tables.language);
    let is_strict = STRICT.contains(&language);
    tables.style = match language {
        "haskell" | "curry" => Style::Juxtaposed,
        _ => Style::Called,
    };
    tables.evaluation = if is_strict { Evaluation::Strict } else { Evaluation::Lazy };
    for function in &mut tables.functions {
        match function.origin {
            Origin::Other if !is_strict && is_constructor(&function.name) => {
                function.origin = Origin::Constructor;
            }
            Origin::TopLevel if is_strict && function.name == "<module>" => function.origin = Origin::Module,
            _ => {}
        }
    }
    for constructor in &mut tables.constructors {
        if constructor.form != Form::Hidden {
            constructor.form = if is_strict { strict(constructor) } else { lazy(constructor) };
        }
    }
}

fn is_constructor(name: &str) -> bool {
    name.starts_with(|first: char| first.is_uppercase() || "(:[".contains(first))
}

fn lazy(constructor: &Constructor) -> Form {
    let (of, name) = (constructor.of.as_str(), constructor.name.as_str());
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

fn strict(constructor: &Constructor) -> Form {
    let name = constructor.name.as_str();
    match constructor.of.as_str() {
        "python.constant" if name == "None" => Form::Nothing,
        "python.missing" => Form::Missing,
        "python.omitted" => Form::Omitted,
        "python.str" => Form::Text,
        "python.bytes" => Form::Bytes,
        "python.list" => Form::List,
        "python.tuple" => Form::Tuple,
        "python.dict" => Form::Map,
        "python.set" => Form::Set,
        "python.function" => Form::Function,
        "python.written" => Form::Written,
        "python.opaque" => Form::Opaque,
        "python.object" | "python.con" if name == "KeyboardInterrupt" => Form::Interruption,
        "python.object" if !constructor.fields.is_empty() => Form::Object,
        _ => Form::Plain,
    }
}

/// A form as it stands in the table.
enum Known {
    Tree((u32, u32), u32, u32),
    EmptyTree,
    Array,
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
            Known::Ratio => Form::Ratio,
            Known::Wrapper => Form::Wrapper,
            Known::Carrier => Form::Carrier,
            Known::Message(text) => Form::Message(text.to_owned()),
            Known::MessageBefore(text) => Form::MessageBefore(text.to_owned()),
            Known::SystemError => Form::SystemError,
        }
    }
}

/// Constructors of the libraries, with their types, that were not written as they are made.
const LIBRARY: &[((&str, &str), Known)] = &[
    (("Data.Map.Internal.Map", "Bin"), Known::Tree((1, 3), 3, 4)),
    (("Data.Map.Internal.Map", "Tip"), Known::EmptyTree),
    (("Data.Set.Internal.Set", "Bin"), Known::Tree((1, 2), 2, 3)),
    (("Data.Set.Internal.Set", "Tip"), Known::EmptyTree),
    (("Data.Sequence.Seq", "Bin"), Known::Tree((1, 2), 2, 3)),
    (("Data.Sequence.Seq", "Nil"), Known::EmptyTree),
    (("Data.Map.Map", "Bin"), Known::Tree((2, 4), 1, 4)),
    (("Data.Map.Map", "Tip"), Known::EmptyTree),
    (("Data.Array.Base.Array", "Array"), Known::Array),
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
