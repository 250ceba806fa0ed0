//! Exceptions as the program would report them.
//!
//! A `newtype` leaves no trace, so an exception that holds a string (`ErrorCall` and others) is that string, which is what
//! `show` gives for all of them in the library.

use super::values::{Builder, Run};
use gadfly_term::TermId;
use gadfly_trail::model::{Form, Ref};

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
            match (self.form(constructor), fields.last()) {
                (Form::Wrapper | Form::Carrier, Some(inner)) => at = *inner,
                _ => return at,
            }
        }
        at
    }

    /// The message of an exception, if it is one of the library's or a string.
    fn message(&self, exception: Ref) -> Option<String> {
        if let Some((text, whole)) = self.text(exception, MESSAGE) {
            return Some(text + if whole { "" } else { "…" });
        }
        let (constructor, fields) = self.construct(self.end(exception))?;
        match (self.form(constructor), &fields[..]) {
            (Form::Message(message), _) => Some(message.clone()),
            (Form::MessageBefore(before), [said]) => {
                let said = self.text(*said, MESSAGE)?.0;
                Some(match said.is_empty() {
                    true => before.trim_end_matches(": ").to_owned(),
                    false => format!("{before}{said}"),
                })
            }
            (Form::SystemError, [_, kind, place, why, file]) => self.system_error(*kind, *place, *why, *file),
            _ => None,
        }
    }

    /// `file: place: kind (why)`.
    fn system_error(&self, kind: Ref, place: Ref, why: Ref, file: Ref) -> Option<String> {
        let (kind, _) = self.construct(self.end(kind))?;
        let Form::Message(kind) = self.form(kind) else { return None };
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
