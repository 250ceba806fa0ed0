//! Terms from their text, within limits.
//!
//! A question shows a screenful, so a value of a gigabyte is read up to a limit and the rest is counted: strings are
//! cut, and the parts of a compound beyond the limit become one `…` that says how many they are. Every value takes at
//! most half of what is left, so that a huge first argument leaves room for the second.

use super::grammar::{Compound, Constant, Leaf, Sink};
use super::scan::{decode, measure};
use gadfly_term::{TermId, Terms};
use std::borrow::Cow;

/// How a language names JSON's `true`, `false` and `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub yes: &'static str,
    pub no: &'static str,
    pub nothing: &'static str,
}

/// How much may still be built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    cells: u64,
    characters: u64,
    /// What one string may take.
    string: u64,
}

impl Limits {
    /// No limits.
    pub(crate) const WHOLE: Limits = Limits { cells: u64::MAX, characters: u64::MAX, string: u64::MAX };

    /// What a group of values may take together.
    pub(crate) fn group(cells: u64) -> Limits {
        Limits { cells, characters: 1 << 20, string: 1 << 16 }
    }

    /// What the next value may take.
    fn share(&self) -> Limits {
        if self.cells == u64::MAX {
            return *self;
        }
        Limits { cells: self.cells.div_ceil(2), characters: self.characters.div_ceil(2), string: self.string }
    }
}

/// Something opened and not yet closed.
struct Frame<'a> {
    part: Option<Compound>,
    name: &'a [u8],
    /// Where its parts begin in the stack of values.
    start: usize,
    /// How many of its parts were left out.
    omitted: u64,
}

/// Builds terms into an arena.
pub(crate) struct Builder<'a, 't> {
    terms: &'t mut Terms,
    words: Words,
    /// For the group of values; `left` is the current value's share.
    limits: Limits,
    left: Limits,
    values: Vec<TermId>,
    frames: Vec<Frame<'a>>,
    /// How deep inside something left out.
    outside: u64,
}

impl<'a, 't> Builder<'a, 't> {
    pub(crate) fn new(terms: &'t mut Terms, words: Words, limits: Limits) -> Self {
        let frames = Vec::new();
        Builder { terms, words, limits, left: limits.share(), values: Vec::new(), frames, outside: 0 }
    }

    /// Whether another value of the group can be begun.
    pub(crate) fn has_room(&self) -> bool {
        self.limits.cells > 0
    }

    /// The term that was read last.
    pub(crate) fn finish(&mut self) -> TermId {
        // The first value is never left out, however little room there is.
        let term = self.values.pop().unwrap_or_else(|| self.terms.omitted(0));
        let share = self.limits.share();
        self.limits.cells -= share.cells - self.left.cells;
        self.limits.characters -= share.characters - self.left.characters;
        self.left = self.limits.share();
        term
    }

    /// `…` for values that were not begun.
    pub(crate) fn omit(&mut self, count: u64) -> TermId {
        self.terms.omitted(count)
    }

    /// Whether the next cell is left out; if not, it is paid for.
    fn leave_out(&mut self) -> bool {
        if self.left.cells > 0 {
            self.left.cells -= u64::from(self.left.cells != u64::MAX);
            return false;
        }
        // A field without its value would not be a field, and a value without anything not a value.
        match self.frames.last_mut() {
            Some(Frame { part: Some(Compound::Field), .. }) | None => false,
            Some(frame) => {
                frame.omitted += 1;
                true
            }
        }
    }

    /// The text of a string, cut where the limit is, and how many characters were cut off.
    fn cut(&mut self, raw: &'a [u8]) -> (&'a [u8], u64) {
        let limit = self.left.string.min(self.left.characters);
        if raw.len() as u64 <= limit {
            self.pay(raw.len() as u64);
            return (raw, 0);
        }
        let (count, end) = measure(raw, limit);
        self.pay(count.min(limit));
        (&raw[..end], count.saturating_sub(limit))
    }

    fn pay(&mut self, characters: u64) {
        if self.left.characters != u64::MAX {
            self.left.characters = self.left.characters.saturating_sub(characters);
        }
    }

    /// A text that cannot say how much of it is missing: a cut shows as `…`.
    fn name(&mut self, raw: &'a [u8]) -> Cow<'a, str> {
        // A short name is worth more than the limit.
        let limit = self.left.string.min(self.left.characters).max(64);
        if raw.len() as u64 <= limit {
            self.pay(raw.len() as u64);
            return decode(raw);
        }
        let (count, end) = measure(raw, limit);
        self.pay(count.min(limit));
        if count > limit { format!("{}…", decode(&raw[..end])).into() } else { decode(raw) }
    }

    /// The parts of a frame, with `…` for those left out.
    fn complete(&mut self, frame: &Frame<'_>, compound: Compound) {
        if frame.omitted == 0 {
            return;
        }
        match compound {
            Compound::Entry => {
                if frame.omitted > 1 {
                    let arguments = self.terms.omitted(frame.omitted - 1);
                    self.values.push(arguments);
                }
                let result = self.terms.omitted(0);
                self.values.push(result);
            }
            Compound::Map => {
                let rest = self.terms.omitted(frame.omitted);
                let result = self.terms.omitted(0);
                let entry = self.terms.entry(&[rest], result);
                self.values.push(entry);
            }
            Compound::Record | Compound::Object => {
                let rest = self.terms.omitted(frame.omitted);
                let field = self.terms.field("…", rest);
                self.values.push(field);
            }
            _ => {
                let rest = self.terms.omitted(frame.omitted);
                self.values.push(rest);
            }
        }
    }
}

impl<'a> Sink<'a> for Builder<'a, '_> {
    fn leaf(&mut self, leaf: Leaf<'a>) {
        if self.outside > 0 || self.leave_out() {
            return;
        }
        let term = match leaf {
            Leaf::Number(raw) | Leaf::OddNumber(raw) => {
                let text = self.name(raw);
                // A number without its last digits would be another number.
                if text.ends_with('…') { self.terms.opaque(&text) } else { self.terms.number(&text) }
            }
            Leaf::Str(raw, more) => {
                let (text, cut) = self.cut(raw);
                self.terms.str(&decode(text), more.saturating_add(cut))
            }
            Leaf::Constant(Constant::True) => self.terms.con(self.words.yes, &[]),
            Leaf::Constant(Constant::False) => self.terms.con(self.words.no, &[]),
            Leaf::Constant(Constant::Null) => self.terms.con(self.words.nothing, &[]),
            Leaf::Char(raw) => self.terms.char(&decode(raw)),
            Leaf::Opaque(raw) => {
                let text = self.name(raw);
                self.terms.opaque(&text)
            }
            Leaf::Unevaluated => self.terms.unevaluated(),
            Leaf::Omitted(count) => self.terms.omitted(count),
        };
        self.values.push(term);
    }

    fn open(&mut self, part: Option<Compound>) {
        if self.outside > 0 || self.leave_out() {
            self.outside += 1;
            return;
        }
        self.frames.push(Frame { part, name: &[], start: self.values.len(), omitted: 0 });
    }

    fn head(&mut self, name: &'a [u8]) {
        if self.outside == 0
            && let Some(frame) = self.frames.last_mut()
        {
            frame.name = name;
        }
    }

    fn close(&mut self, compound: Compound) {
        if self.outside > 0 {
            self.outside -= 1;
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        self.complete(&frame, compound);
        let name = self.name(frame.name);
        let parts = &self.values[frame.start..];
        let term = match compound {
            Compound::List => self.terms.list(parts),
            Compound::Tuple => self.terms.tuple(parts),
            Compound::Con => self.terms.con(&name, parts),
            Compound::Function => self.terms.function(&name, parts),
            Compound::Record => self.terms.record(&name, parts),
            Compound::Object => self.terms.object(&name, parts),
            Compound::Map => self.terms.finite_map(parts),
            Compound::Entry => match parts.split_last() {
                Some((result, arguments)) => self.terms.entry(arguments, *result),
                None => self.terms.unevaluated(),
            },
            Compound::Field => match parts.first() {
                Some(value) => self.terms.field(&name, *value),
                None => self.terms.unevaluated(),
            },
        };
        self.values.truncate(frame.start);
        self.values.push(term);
    }
}
