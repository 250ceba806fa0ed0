//! A value in one machine word.
//!
//! The three lowest bits say what it is. Small integers, most floating-point numbers, characters, constructors without
//! fields and functions without arguments are values by themselves: they are never allocated, never moved, and a case
//! on them reads no memory. Everything else is the index of an object in the heap, and the bits say whether
//! that object is known to be evaluated: the machine decides without reading the object, and a case on a
//! constructor finds its tag in the word.

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
const DOUBLE: u64 = 5;
const DATA: u64 = 6;
const VALUE: u64 = 7;

/// Where a constructor's tag begins, in words for constants and for data.
const CONSTRUCTOR: u32 = 35;

/// What a [`Word`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// An object of the heap, by its index; it may be evaluated or not.
    Object(u32),
    /// A small integer.
    Int(i64),
    /// A character.
    Char(u32),
    /// A constructor without fields: its number, and its tag among its siblings.
    Constant(u32, u32),
    /// A function without arguments.
    Function(u32),
    /// A floating-point number, by its bits.
    Double(u64),
    /// A constructor with fields: its object, and its tag among its siblings.
    Data(u32, u32),
    /// An object that is evaluated and no constructor.
    Value(u32),
}

impl Word {
    /// Integers from here to its negative fit into a word.
    pub const SMALL: i64 = 1 << (63 - TAG_BITS);

    /// An object of the heap that may or may not be evaluated.
    #[inline]
    pub fn object(index: u32) -> Word {
        Word(u64::from(index) << TAG_BITS | POINTER)
    }

    /// A constructor with fields.
    #[inline]
    pub fn data(index: u32, tag: u32) -> Word {
        Word(u64::from(tag) << CONSTRUCTOR | u64::from(index) << TAG_BITS | DATA)
    }

    /// An object that is evaluated and no constructor.
    #[inline]
    pub fn value(index: u32) -> Word {
        Word(u64::from(index) << TAG_BITS | VALUE)
    }

    /// A small integer; `None` if it needs more than 61 bits.
    #[inline]
    pub fn int(value: i64) -> Option<Word> {
        let word = value << TAG_BITS;
        (word >> TAG_BITS == value).then_some(Word(word as u64 | INT))
    }

    /// A character.
    #[inline]
    pub const fn char(code: u32) -> Word {
        Word((code as u64) << TAG_BITS | CHAR)
    }

    /// A constructor without fields.
    #[inline]
    pub fn constant(constructor: u32, tag: u32) -> Word {
        // A type has fewer than 2^29 constructors; the program as a whole fewer than 2^32.
        Word(u64::from(tag) << CONSTRUCTOR | u64::from(constructor) << TAG_BITS | CONSTANT)
    }

    /// A function without arguments.
    #[inline]
    pub fn function(function: u32) -> Word {
        Word(u64::from(function) << TAG_BITS | FUNCTION)
    }

    /// A floating-point number; `None` if its exponent is so large or small that it needs all 64 bits. About 10^-38 to
    /// 10^38 and zero fit.
    #[inline]
    pub fn double(value: f64) -> Option<Word> {
        let bits = value.to_bits();
        let magnitude = bits & !(1 << 63);
        // The exponents that begin with 0111 and 1000 become 0 and 1: three bits less. The least of them is zero's.
        let rest = magnitude.wrapping_sub(LEAST);
        if rest.wrapping_sub(1) < (1 << 60) - 1 {
            Some(Word((rest << 1 | bits >> 63) << TAG_BITS | DOUBLE))
        } else if magnitude == 0 {
            Some(Word((bits >> 63) << TAG_BITS | DOUBLE))
        } else {
            None
        }
    }

    /// The floating-point number in a word that holds one.
    #[inline]
    pub fn as_double(self) -> Option<f64> {
        (self.0 & 7 == DOUBLE).then(|| {
            let rest = self.0 >> (TAG_BITS + 1);
            let magnitude = if rest == 0 { 0 } else { rest + LEAST };
            f64::from_bits(magnitude | (self.0 >> TAG_BITS) << 63)
        })
    }

    /// The integer in a word that holds a small one.
    #[inline]
    pub fn as_int(self) -> Option<i64> {
        (self.0 & 7 == INT).then_some(self.0 as i64 >> TAG_BITS)
    }

    /// The character in a word that holds one.
    #[inline]
    pub fn as_char(self) -> Option<u32> {
        (self.0 & 7 == CHAR).then_some((self.0 >> TAG_BITS) as u32)
    }

    /// The function in a word that is one without arguments.
    #[inline]
    pub fn as_function(self) -> Option<u32> {
        (self.0 & 7 == FUNCTION).then_some((self.0 >> TAG_BITS) as u32)
    }

    /// The sum of two small integers, if it is one and they are.
    #[inline]
    pub(crate) fn add_small(self, other: Word) -> Option<Word> {
        let sum = (self.0 as i64).checked_add(other.0 as i64 - INT as i64)?;
        (self.0 & 7 == INT && other.0 & 7 == INT).then_some(Word(sum as u64))
    }

    /// The difference of two small integers, if it is one and they are.
    #[inline]
    pub(crate) fn subtract_small(self, other: Word) -> Option<Word> {
        let difference = (self.0 as i64).checked_sub((other.0 & !7) as i64)?;
        (self.0 & 7 == INT && other.0 & 7 == INT).then_some(Word(difference as u64))
    }

    /// The product of two small integers, if it is one and they are.
    #[inline]
    pub(crate) fn multiply_small(self, other: Word) -> Option<Word> {
        let product = ((self.0 & !7) as i64).checked_mul(other.0 as i64 >> TAG_BITS)?;
        (self.0 & 7 == INT && other.0 & 7 == INT).then_some(Word(product as u64 | INT))
    }

    /// The object of a word that is an evaluated one and no constructor.
    #[inline]
    pub(crate) fn as_value(self) -> Option<u32> {
        (self.0 & 7 == VALUE).then_some((self.0 >> TAG_BITS) as u32)
    }

    /// The quotient and the remainder towards zero of two small integers; `None` for a divisor of 0 or -1.
    #[inline]
    pub(crate) fn divide_small(self, other: Word) -> Option<(i64, i64)> {
        let (a, b) = (self.as_int()?, other.as_int()?);
        if (b.wrapping_add(1) as u64) < 2 {
            return None;
        }
        Some((a / b, a % b))
    }

    /// A small integer that is known to be one.
    #[inline]
    pub(crate) fn small(value: i64) -> Word {
        debug_assert!(Word::int(value).is_some());
        Word((value << TAG_BITS) as u64 | INT)
    }

    /// Whether both are small integers, or both characters: then the words have the order of the values.
    #[inline]
    pub(crate) fn are_small(self, other: Word) -> bool {
        (self.0 ^ other.0) & 7 == 0 && matches!(self.0 & 7, INT | CHAR)
    }

    /// What it is.
    pub fn see(self) -> Seen {
        let body = (self.0 >> TAG_BITS) as u32;
        match self.0 & 7 {
            POINTER => Seen::Object(body),
            INT => Seen::Int(self.0 as i64 >> TAG_BITS),
            CHAR => Seen::Char(body),
            CONSTANT => Seen::Constant(body, self.tag()),
            FUNCTION => Seen::Function(body),
            DOUBLE => Seen::Double(self.as_double().unwrap_or_default().to_bits()),
            DATA => Seen::Data(body, self.tag()),
            _ => Seen::Value(body),
        }
    }

    /// The index of an object; `None` for immediates.
    #[inline]
    pub fn index(self) -> Option<u32> {
        self.is_object().then_some((self.0 >> TAG_BITS) as u32)
    }

    /// Whether it is the index of an object.
    #[inline]
    pub(crate) fn is_object(self) -> bool {
        // Pointers, data and values are 0, 6 and 7.
        self.0.wrapping_add(2) & 7 < 3
    }

    /// Whether it needs no evaluation, as far as that is known.
    #[inline]
    pub fn is_evaluated(self) -> bool {
        self.0 & 7 != POINTER
    }

    /// Of a word that [`Word::is_object`]: the index.
    #[inline]
    pub(crate) fn place(self) -> usize {
        (self.0 >> TAG_BITS) as u32 as usize
    }

    /// The same word for an object that has moved.
    #[inline]
    pub(crate) fn moved_to(self, index: u32) -> Word {
        Word(self.0 & !(u64::from(u32::MAX) << TAG_BITS) | u64::from(index) << TAG_BITS)
    }

    /// Of a constant or of data: the constructor's tag.
    #[inline]
    pub(crate) fn tag(self) -> u32 {
        (self.0 >> CONSTRUCTOR) as u32
    }

    #[inline]
    pub(crate) fn raw(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) fn from_raw(raw: u64) -> Word {
        Word(raw)
    }
}

/// The bits of 2^-127.
const LEAST: u64 = 0x7 << 59;

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.see().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        assert_eq!(Word::object(u32::MAX).see(), Seen::Object(u32::MAX));
        assert_eq!(Word::data(u32::MAX, 5).see(), Seen::Data(u32::MAX, 5));
        assert_eq!(Word::data(3, 5).moved_to(u32::MAX - 1).see(), Seen::Data(u32::MAX - 1, 5));
        assert_eq!(Word::value(3).see(), Seen::Value(3));
    }

    #[test]
    fn most_doubles_fit() {
        for value in [0.0, -0.0, 1.0, -1.5, 1e38, 1e-37, 3.4e38] {
            assert_eq!(
                Word::double(value).unwrap().as_double().unwrap().to_bits(),
                value.to_bits(),
                "{value}"
            );
        }
        for value in [f64::INFINITY, f64::NAN, 1e300, 1e-300, f64::MIN_POSITIVE, 2f64.powi(-127)] {
            assert_eq!(Word::double(value), None);
        }
    }

    proptest! {
        #[test]
        fn a_double_comes_back_or_does_not_fit(bits: u64) {
            if let Some(word) = Word::double(f64::from_bits(bits)) {
                prop_assert_eq!(word.as_double().map(f64::to_bits), Some(bits));
            }
        }
    }
}
