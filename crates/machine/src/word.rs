//! A value in one machine word.
//!
//! The three lowest bits say what it is. Small integers, characters, constructors without fields and functions without
//! arguments are values by themselves: they are never allocated, never forwarded, and a case on them looks at no memory.
//! Everything else is the index of an object in the heap.

use std::fmt;

/// A value: an immediate, or the index of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Word(u64);

const TAG_BITS: u32 = 3;
const POINTER: u64 = 0;
const INT: u64 = 1;
const CHAR: u64 = 2;
const CONSTANT: u64 = 3;
const FUNCTION: u64 = 4;
const CAF: u64 = 5;

/// What a [`Word`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// An object of the heap, by its index.
    Object(u32),
    /// A small integer.
    Int(i64),
    /// A character.
    Char(u32),
    /// A constructor without fields: its number, and its tag among its siblings.
    Constant(u32, u32),
    /// A function without arguments.
    Function(u32),
    /// A constant applicative form.
    Caf(u32),
}

impl Word {
    /// Integers from here to its negative fit into a word.
    pub const SMALL: i64 = 1 << (63 - TAG_BITS);

    /// An object of the heap.
    pub fn object(index: u32) -> Word {
        Word(u64::from(index) << TAG_BITS | POINTER)
    }

    /// A small integer; `None` if it needs more than 61 bits.
    pub fn int(value: i64) -> Option<Word> {
        let word = value << TAG_BITS;
        (word >> TAG_BITS == value).then_some(Word(word as u64 | INT))
    }

    /// A character.
    pub fn char(code: u32) -> Word {
        Word(u64::from(code) << TAG_BITS | CHAR)
    }

    /// A constructor without fields.
    pub fn constant(constructor: u32, tag: u32) -> Word {
        // A type has fewer than 2^29 constructors; the program as a whole fewer than 2^32.
        Word(u64::from(tag) << 35 | u64::from(constructor) << TAG_BITS | CONSTANT)
    }

    /// A function without arguments.
    pub fn function(function: u32) -> Word {
        Word(u64::from(function) << TAG_BITS | FUNCTION)
    }

    /// A constant applicative form.
    pub fn caf(caf: u32) -> Word {
        Word(u64::from(caf) << TAG_BITS | CAF)
    }

    /// What it is.
    pub fn see(self) -> Seen {
        let body = self.0 >> TAG_BITS;
        match self.0 & 7 {
            POINTER => Seen::Object(body as u32),
            INT => Seen::Int(self.0 as i64 >> TAG_BITS),
            CHAR => Seen::Char(body as u32),
            CONSTANT => Seen::Constant(body as u32, (self.0 >> 35) as u32),
            FUNCTION => Seen::Function(body as u32),
            _ => Seen::Caf(body as u32),
        }
    }

    /// The index of an object; `None` for immediates.
    pub fn index(self) -> Option<u32> {
        (self.0 & 7 == POINTER).then_some((self.0 >> TAG_BITS) as u32)
    }

    /// Whether it is an immediate that needs no evaluation (a CAF does).
    pub fn is_evaluated_immediate(self) -> bool {
        !matches!(self.0 & 7, POINTER | CAF)
    }

    pub(crate) fn raw(self) -> u64 {
        self.0
    }

    pub(crate) fn from_raw(raw: u64) -> Word {
        Word(raw)
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.see().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_they_are() {
        for value in [0, 1, -1, Word::SMALL - 1, -Word::SMALL] {
            assert_eq!(Word::int(value).unwrap().see(), Seen::Int(value));
        }
        for value in [Word::SMALL, -Word::SMALL - 1, i64::MAX, i64::MIN] {
            assert_eq!(Word::int(value), None);
        }
        assert_eq!(Word::char(0x10_ffff).see(), Seen::Char(0x10_ffff));
        assert_eq!(Word::constant(u32::MAX, 7).see(), Seen::Constant(u32::MAX, 7));
        assert_eq!(Word::function(9).see(), Seen::Function(9));
        assert_eq!(Word::caf(9).see(), Seen::Caf(9));
        assert_eq!(Word::object(u32::MAX).see(), Seen::Object(u32::MAX));
    }
}
