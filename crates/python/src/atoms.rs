//! Numbers and strings.

use crate::values::{Limits, RECENT, SHORT, Value, Values, ascii, is_shared, mix, slot, utf8};
use crate::words::Word;
use gadfly_trail::run::model::{Position, RawRef, Ref, Shape, ShapeId, What};
use gadfly_trail::run::text;
use pyo3::ffi::{self, PyObject};

/// Strings of no more bytes are known by what is in them, and so many of them.
pub(crate) const TINY: usize = 16;
pub(crate) const TINIES: usize = 1 << 8;

/// What is in a string of a few bytes, and its value.
#[derive(Clone, Copy)]
pub(crate) struct Tiny {
    key: [u64; 2],
    length: usize,
    value: Value,
}

impl Tiny {
    /// No string has that.
    pub(crate) fn none(value: Value) -> Tiny {
        Tiny { key: [0; 2], length: usize::MAX, value }
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
        let shape = self.other_shape(What::Double, 2);
        let parts = [bits as u32, (bits >> 32) as u32].map(|half| RawRef::int(i64::from(half)));
        let reference = RawRef::node(self.stream.node(shape, self.parent, &parts));
        Value { reference, hash: mix(0xd0, bits), mutable: false, is_object: false }
    }

    pub(crate) fn other_shape(&mut self, what: What, count: u32) -> ShapeId {
        let key = (if what == What::Double { u32::MAX } else { u32::MAX - 1 }, count);
        if let Some(shape) = self.shapes.get(&key) {
            return *shape;
        }
        let id = self.stream.define(Shape { what, position: Position::NONE, count, tail: false });
        self.shapes.insert(key, id);
        id
    }

    pub(crate) unsafe fn integer(&mut self, object: *mut PyObject) -> Value {
        let mut overflow = 0;
        let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object, &mut overflow) };
        if overflow == 0 && (-(1 << 60)..1 << 60).contains(&value) {
            return Value::plain(RawRef::int(value));
        }
        unsafe { self.long(object) }
    }

    /// An integer of many digits.
    pub(crate) unsafe fn long(&mut self, object: *mut PyObject) -> Value {
        let text = unsafe { ffi::PyNumber_ToBase(object, 16) };
        if text.is_null() {
            unsafe { ffi::PyErr_Clear() };
            return self.omitted(0);
        }
        let digits = unsafe { utf8(text) }.unwrap_or_default().to_vec();
        unsafe { ffi::Py_DECREF(text) };
        let negative = digits.first() == Some(&b'-');
        let digits = &digits[if negative { 3 } else { 2 }.min(digits.len())..];
        let mut parts = vec![RawRef::int(if negative { -1 } else { 1 })];
        let mut hash = mix(0x10, u64::from(negative));
        for group in digits.rchunks(15) {
            let value = std::str::from_utf8(group).ok().and_then(|text| i64::from_str_radix(text, 16).ok());
            hash = mix(hash, value.unwrap_or(0) as u64);
            parts.push(RawRef::int(value.unwrap_or(0)));
        }
        let slot = hash as usize % RECENT;
        if self.recent[slot].0 == hash && self.recent[slot].1 != 0 {
            return Value { reference: RawRef(self.recent[slot].1), hash, mutable: false, is_object: false };
        }
        let shape = self.other_shape(What::Integer, parts.len() as u32);
        let reference = RawRef::node(self.stream.node(shape, self.parent, &parts));
        self.recent[slot] = (hash, reference.0);
        Value { reference, hash, mutable: false, is_object: false }
    }

    pub(crate) unsafe fn string(&mut self, object: *mut PyObject) -> Value {
        if self.strings[slot(object)].object == object {
            return self.string_values[slot(object)];
        }
        let value = unsafe { self.new_string(object) };
        let length = unsafe { ffi::PyUnicode_GET_LENGTH(object) };
        if length > TINY as isize && (length > SHORT || unsafe { is_shared(object) }) {
            // Words of it, of which it takes about as long to look at two as at one part of something.
            let cost = length.min(Limits::CHARACTERS as isize) as u32 / 16;
            unsafe { self.hold(object, value, cost) };
        }
        value
    }

    pub(crate) unsafe fn new_string(&mut self, object: *mut PyObject) -> Value {
        let length = unsafe { ffi::PyUnicode_GET_LENGTH(object) } as usize;
        let limit = Limits::CHARACTERS;
        if length <= TINY
            && let Some(text) = unsafe { ascii(object) }
        {
            return self.tiny(text);
        }
        if length <= limit
            && let Some(text) = unsafe { utf8(object) }
        {
            return self.packed(Word::Str, length, text);
        }
        // A part of it, and half surrogates written out.
        let part = unsafe { ffi::PyUnicode_Substring(object, 0, length.min(limit) as isize) };
        let bytes = match part.is_null() {
            true => std::ptr::null_mut(),
            false => unsafe {
                ffi::PyUnicode_AsEncodedString(part, c"utf-8".as_ptr(), c"backslashreplace".as_ptr())
            },
        };
        let value = match bytes.is_null() {
            true => {
                unsafe { ffi::PyErr_Clear() };
                self.omitted(length)
            }
            false => {
                let size = unsafe { ffi::PyBytes_Size(bytes) } as usize;
                let text =
                    unsafe { std::slice::from_raw_parts(ffi::PyBytes_AS_STRING(bytes).cast::<u8>(), size) };
                self.packed(Word::Str, length, text)
            }
        };
        unsafe {
            ffi::Py_XDECREF(bytes);
            ffi::Py_XDECREF(part);
        }
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

    /// One that was met not long ago.
    pub(crate) unsafe fn known_tiny(&self, object: *mut PyObject) -> Option<RawRef> {
        let text = unsafe { ascii(object) }.filter(|text| text.len() <= TINY)?;
        let (key, at) = tiny_key(text);
        let known = &self.tinies[at];
        (known.key == key && known.length == text.len()).then_some(known.value.reference)
    }

    /// A string of a few characters, each of one byte: most strings are, and the same ones are made again and again.
    #[inline]
    pub(crate) fn tiny(&mut self, text: &[u8]) -> Value {
        let (key, at) = tiny_key(text);
        let known = &self.tinies[at];
        if known.key == key && known.length == text.len() {
            return known.value;
        }
        let value = self.packed(Word::Str, text.len(), text);
        self.tinies[at] = Tiny { key, length: text.len(), value };
        value
    }

    pub(crate) fn text(&mut self, text: &str) -> Value {
        self.packed(Word::Str, text.chars().count(), text.as_bytes())
    }
}
