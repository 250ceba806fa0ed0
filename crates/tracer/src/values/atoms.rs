//! Numbers and strings.

use crate::object::{Integer, Object, Text};
use crate::values::constructors::Word;
use crate::values::unseen::LeftOut;
use crate::values::{Limits, Value, Values, mix};
use gadfly_trail::model::{Position, RawRef, Ref, Shape, ShapeId, What};
use gadfly_trail::text;

/// Strings of no more bytes are known by what is in them, and so many of them.
pub(crate) const TINY: usize = 16;
const TINIES: usize = 1 << 8;
/// Strings that are no longer are looked at anew unless they are shared.
const SHORT: usize = 40;
/// Integers of more binary digits are left out.
const BITS: usize = 30_000;

/// Strings of a few bytes that were met not long ago.
pub(crate) struct Tinies(Box<[Tiny; TINIES]>);

/// What is in a string of a few bytes, and its value.
#[derive(Clone, Copy)]
struct Tiny {
    key: [u64; 2],
    length: usize,
    value: Value,
}

impl Tinies {
    pub(crate) fn new() -> Tinies {
        // No string is so long.
        let none = Tiny { key: [0; 2], length: usize::MAX, value: Value::plain(RawRef::UNKNOWN) };
        Tinies(Box::new([none; TINIES]))
    }

    /// One that was met not long ago.
    #[inline]
    pub(crate) fn known(&self, text: Text<'_>) -> Option<RawRef> {
        let text = text.ascii().filter(|text| text.len() <= TINY)?;
        let (key, at) = tiny_key(text);
        let known = &self.0[at];
        (known.key == key && known.length == text.len()).then_some(known.value.reference)
    }
}

/// What two strings of the same length have in common only if they are equal, and where such a string is kept. The halves that it
/// is made of may overlap.
#[inline]
fn tiny_key(text: &[u8]) -> ([u64; 2], usize) {
    let length = text.len();
    let key = if let (Some(first), Some(last)) = (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        [u64::from_le_bytes(*first), u64::from_le_bytes(*last)]
    } else if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        [u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into()]
    } else {
        match text.first() {
            Some(first) => {
                [u64::from(*first), u64::from(text[length / 2]) << 8 | u64::from(text[length - 1])]
            }
            None => [0; 2],
        }
    };
    (key, mix(key[0] ^ length as u64, key[1]) as usize % TINIES)
}

impl Values {
    pub(crate) fn float(&mut self, value: f64) -> Value {
        let reference = RawRef::of(Ref::Double(value));
        if matches!(reference.see(), Ref::Double(seen) if seen.to_bits() == value.to_bits()) {
            return Value::plain(reference);
        }
        // Numbers of unusual size have a row of their own.
        let bits = value.to_bits();
        let hash = mix(0xd0, bits);
        if self.unkept {
            return Value { hash, ..Value::plain(RawRef::UNKNOWN) };
        }
        let shape = self.other_shape(What::Double, 2);
        let parts = [bits as u32, (bits >> 32) as u32].map(|half| RawRef::int(i64::from(half)));
        let reference = RawRef::node(self.stream.node(shape, self.parent, &parts));
        Value { reference, hash, mutable: false, unseen: false }
    }

    fn other_shape(&mut self, what: What, count: u32) -> ShapeId {
        let key = (if what == What::Double { u32::MAX } else { u32::MAX - 1 }, count);
        if let Some(shape) = self.shapes.get(&key) {
            return *shape;
        }
        let id = self.stream.define(Shape { what, position: Position::NONE, count, tail: false });
        self.shapes.insert(key, id);
        id
    }

    /// An exact integer.
    pub(crate) fn integer(&mut self, object: Object<'_>) -> Value {
        let Some(integer) = object.integer() else { return self.omitted(0, LeftOut::SETTLED) };
        match integer.value() {
            Some(value) if (-(1 << 60)..1 << 60).contains(&value) => Value::plain(RawRef::int(value)),
            _ => self.long(object, integer),
        }
    }

    /// An integer of many digits.
    fn long(&mut self, object: Object<'_>, integer: Integer<'_>) -> Value {
        // A digit of the interpreter's has thirty bits.
        let is_too_long = integer.digits() > BITS / 30;
        let Some(written) = integer.hexadecimal() else { return self.omitted(0, LeftOut::SETTLED) };
        let digits = written.see_with(object).text().and_then(Text::ascii).unwrap_or_default();
        let negative = digits.first() == Some(&b'-');
        let digits = &digits[if negative { 3 } else { 2 }.min(digits.len())..];
        let mut parts = vec![RawRef::int(if negative { -1 } else { 1 })];
        let mut hash = mix(0x10, u64::from(negative));
        for group in digits.rchunks(15) {
            let value = std::str::from_utf8(group).ok().and_then(|text| i64::from_str_radix(text, 16).ok());
            hash = mix(hash, value.unwrap_or(0) as u64);
            parts.push(RawRef::int(value.unwrap_or(0)));
        }
        self.released.push(written);
        if is_too_long {
            return self.omitted(0, LeftOut { hash, ..LeftOut::SETTLED });
        }
        if let Some(reference) = self.recent(hash) {
            return Value { reference, hash, mutable: false, unseen: false };
        }
        if self.unkept {
            return Value { hash, ..Value::plain(RawRef::UNKNOWN) };
        }
        let shape = self.other_shape(What::Integer, parts.len() as u32);
        let reference = RawRef::node(self.stream.node(shape, self.parent, &parts));
        self.is_recent(hash, reference);
        Value { reference, hash, mutable: false, unseen: false }
    }

    pub(crate) fn string(&mut self, text: Text<'_>) -> Value {
        if let Some(value) = self.known.value(text.object()) {
            return value;
        }
        let value = self.new_string(text);
        let length = text.length();
        if !self.unkept && length > TINY && (length > SHORT || text.object().is_shared()) {
            // Words of it, of which it takes about as long to look at two as at one part of something.
            let cost = length.min(Limits::CHARACTERS) as u32 / 16;
            self.known.hold(text.object(), value, cost);
        }
        value
    }

    fn new_string(&mut self, text: Text<'_>) -> Value {
        self.piece_of(text, 0, text.length())
    }

    /// So many characters of a string, from one on.
    pub(crate) fn piece_of(&mut self, text: Text<'_>, first: usize, length: usize) -> Value {
        let kept = length.min(Limits::CHARACTERS);
        if let Some(characters) = text.ascii() {
            let characters = &characters[first..][..kept];
            return match length <= TINY {
                true => self.tiny(characters),
                false => self.packed(Word::Str, length, characters),
            };
        }
        let mut written = std::mem::take(&mut self.scratch);
        text.write(first, kept, &mut written);
        let value = self.packed(Word::Str, length, &written);
        self.scratch = written;
        value
    }

    /// Bytes that a string or something like it begins with, after its whole length and theirs.
    pub(crate) fn packed(&mut self, word: Word, length: usize, bytes: &[u8]) -> Value {
        const SHORT: usize = 10;
        let lengths = [length, bytes.len()].map(|length| RawRef::int(length as i64));
        let count = lengths.len() + text::packed(bytes.len());
        let words = || lengths.into_iter().chain(text::pack(bytes));
        if count > SHORT {
            let hash = words().fold(word as u64, |hash, part| mix(hash, part.0));
            return self.row_of(word as u32, words(), count, hash, false);
        }
        let mut short = [RawRef::UNKNOWN; SHORT];
        let (first, rest) = short[..count].split_at_mut(lengths.len());
        first.copy_from_slice(&lengths);
        let mut hash = lengths.iter().fold(word as u64, |hash, part| mix(hash, part.0));
        for (place, part) in rest.iter_mut().zip(text::pack(bytes)) {
            *place = part;
            hash = mix(hash, part.0);
        }
        self.row(word as u32, &short[..count], hash, false)
    }

    /// A string of a few characters, each of one byte: most strings are, and the same ones are made again and again.
    #[inline]
    fn tiny(&mut self, text: &[u8]) -> Value {
        let (key, at) = tiny_key(text);
        let known = &self.tinies.0[at];
        if known.key == key && known.length == text.len() {
            return known.value;
        }
        let value = self.packed(Word::Str, text.len(), text);
        if self.unkept {
            return value;
        }
        self.tinies.0[at] = Tiny { key, length: text.len(), value };
        value
    }

    pub(crate) fn text(&mut self, text: &str) -> Value {
        self.packed(Word::Str, text.chars().count(), text.as_bytes())
    }
}
