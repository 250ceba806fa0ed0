//! Exceptions as the program would tell them.
//!
//! A `newtype` leaves no trace, so an exception that holds a string (`ErrorCall` and others) is that string, which is what
//! `show` gives for all of them in the library.

use super::library::Class;
use super::values::{Builder, Run};
use gadfly_term::TermId;
use gadfly_trail::model::Ref;

/// What `show` says of exceptions without fields: type, constructor, text.
const TOLD: &[(&str, &str, &str)] = &[
    ("Gadfly.Failing.ArithException", "Overflow", "arithmetic overflow"),
    ("Gadfly.Failing.ArithException", "Underflow", "arithmetic underflow"),
    ("Gadfly.Failing.ArithException", "LossOfPrecision", "loss of precision"),
    ("Gadfly.Failing.ArithException", "DivideByZero", "divide by zero"),
    ("Gadfly.Failing.ArithException", "Denormal", "denormal"),
    ("Gadfly.Failing.ArithException", "RatioZeroDenominator", "Ratio has zero denominator"),
    ("Gadfly.Failures.NonTermination", "NonTermination", "<<loop>>"),
    (
        "Gadfly.Failures.BlockedIndefinitelyOnMVar",
        "BlockedIndefinitelyOnMVar",
        "thread blocked indefinitely in an MVar operation",
    ),
    ("Gadfly.Failures.AsyncException", "StackOverflow", "stack overflow"),
    ("Gadfly.Failures.AsyncException", "HeapOverflow", "heap overflow"),
    ("Gadfly.Failures.AsyncException", "ThreadKilled", "thread killed"),
    ("Gadfly.Failures.AsyncException", "UserInterrupt", "user interrupt"),
    ("Control.Exception.Deadlock", "Deadlock", "<<deadlock>>"),
    (
        "Control.Exception.NestedAtomically",
        "NestedAtomically",
        "Control.Concurrent.STM.atomically was nested",
    ),
    ("Control.Exception.AllocationLimitExceeded", "AllocationLimitExceeded", "allocation limit exceeded"),
    (
        "Control.Exception.BlockedIndefinitelyOnSTM",
        "BlockedIndefinitelyOnSTM",
        "thread blocked indefinitely in an STM transaction",
    ),
];

/// Exceptions whose only field is a string: type, constructor, what is said before it.
const SAID: &[(&str, &str, &str)] = &[
    ("Gadfly.Failures.ArrayException", "IndexOutOfBounds", "array index out of range: "),
    ("Gadfly.Failures.ArrayException", "UndefinedElement", "undefined array element: "),
    ("Prelude.Exception", "ErrorCall", ""),
    ("Prelude.IOError", "IOError", "i/o error: "),
    ("Prelude.IOError", "UserError", "user error: "),
    ("Prelude.IOError", "FailError", "fail error: "),
    ("Prelude.IOError", "NondetError", "nondet error: "),
];

/// What `show` says of kinds of input and output errors.
const KINDS: &[(&str, &str)] = &[
    ("AlreadyExists", "already exists"),
    ("NoSuchThing", "does not exist"),
    ("ResourceBusy", "resource busy"),
    ("ResourceExhausted", "resource exhausted"),
    ("EOF", "end of file"),
    ("IllegalOperation", "illegal operation"),
    ("PermissionDenied", "permission denied"),
    ("UserError", "user error"),
    ("InvalidArgument", "invalid argument"),
    ("OtherError", "failed"),
    ("ResourceVanished", "resource vanished"),
];

/// A message has at most this many characters.
const MESSAGE: usize = 1 << 12;

impl Builder<'_, '_> {
    /// An exception: its message, or if it has none, its value.
    pub(super) fn exception(&mut self, exception: Ref) -> TermId {
        let inside = self.run.inside(exception);
        match self.run.message(inside) {
            Some(message) => self.terms.str(&message, 0),
            None => self.one(inside),
        }
    }
}

impl Run<'_> {
    /// The exception inside of those that hold one of any kind.
    fn inside(&self, exception: Ref) -> Ref {
        let mut at = exception;
        for _ in 0..16 {
            let Some((constructor, fields)) = self.construct(self.end(at)) else { return at };
            let name = self.type_and_name(constructor);
            match fields.last() {
                Some(inner)
                    if self.class(constructor) == Class::Wrapper
                        || name == ("Prelude.Exception", "Raised") =>
                {
                    at = *inner;
                }
                _ => return at,
            }
        }
        at
    }

    fn type_and_name(&self, constructor: u32) -> (&str, &str) {
        let known = self.tables().constructors.get(constructor as usize);
        known.map_or(("", ""), |known| (&known.of, &known.name))
    }

    /// The message of an exception, if it is one of the library's or a string.
    fn message(&self, exception: Ref) -> Option<String> {
        if let Some((text, whole)) = self.text(exception, MESSAGE) {
            return Some(text + if whole { "" } else { "…" });
        }
        let (constructor, fields) = self.construct(self.end(exception))?;
        let (of, name) = self.type_and_name(constructor);
        let is = |known: &&(&str, &str, &str)| (known.0, known.1) == (of, name);
        if let Some((.., told)) = TOLD.iter().find(is) {
            return Some((*told).to_owned());
        }
        if let (Some((.., before)), [said]) = (SAID.iter().find(is), &fields[..]) {
            let said = self.text(*said, MESSAGE)?.0;
            return Some(match said.is_empty() {
                true => before.trim_end_matches(": ").to_owned(),
                false => format!("{before}{said}"),
            });
        }
        match ((of, name), &fields[..]) {
            (("Gadfly.Failures.IOException", "IOError"), [_, kind, place, why, file]) => {
                self.input_output(*kind, *place, *why, *file)
            }
            _ => None,
        }
    }

    /// `file: place: kind (why)`.
    fn input_output(&self, kind: Ref, place: Ref, why: Ref, file: Ref) -> Option<String> {
        let (kind, _) = self.construct(self.end(kind))?;
        let kind = self.type_and_name(kind).1;
        let kind = KINDS.iter().find(|known| known.0 == kind)?.1;
        let said = |text: Ref| self.text(text, MESSAGE).map_or(String::new(), |(text, _)| text);
        let file = self.construct(self.end(file)).and_then(|(_, name)| name.first().map(|name| said(*name)));
        let mut message = String::new();
        for before in [file.unwrap_or_default(), said(place)] {
            if !before.is_empty() {
                message += &before;
                message += ": ";
            }
        }
        message += kind;
        let why = said(why);
        if !why.is_empty() {
            message += &format!(" ({why})");
        }
        Some(message)
    }
}
