//! What is left out of a value: it is not kept, but gone through, so that a change of it is noticed.
//!
//! A row [`Word::Omitted`] says how much was left out and, by a hash, what that was; two values that are shown alike are different ones if
//! these hashes differ. Going through parts costs less than keeping them, but is limited as well ([`Limits::compared`]): what is not gone
//! through is [unseen](Value::unseen), its row has no hash, and nobody may say that it has not changed. How much is gone through depends only
//! on what is there, so that the same value has the same hash before and after.

use crate::object::{Object, Text};
use crate::values::constructors::Word;
use crate::values::{Limits, Value, Values, mix, seed};
use gadfly_trail::model::RawRef;
use gadfly_trail::text;

/// So many bytes of a string or of bytes are gone through.
const BYTES_COMPARED: usize = 1 << 20;
/// How many bytes of bytes count as one part.
const BYTES_PER_PART: usize = 64;
/// Hashes in a trail are numbers of so many bits.
const BITS: u32 = 59;

/// What is known of parts that were left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeftOut {
    pub(crate) hash: u64,
    pub(crate) mutable: bool,
    /// Whether all of it was gone through.
    pub(crate) whole: bool,
}

impl LeftOut {
    /// What never changes, or is shown elsewhere.
    pub(crate) const SETTLED: LeftOut = LeftOut { hash: 0, mutable: false, whole: true };
    const UNSEEN: LeftOut = LeftOut { hash: 0, mutable: true, whole: false };
}

/// A hash of values in their order, with one more.
pub(crate) fn in_order(hash: u64, value: u64) -> u64 {
    mix(hash, value)
}

/// The same where their order says nothing.
pub(crate) fn in_any_order(hash: u64, value: u64) -> u64 {
    hash.wrapping_add(mix(0x5e7, value))
}

impl Values {
    /// How many elements of one value are looked at: what is not kept has no other limit than the one for all of it.
    #[inline]
    pub(crate) fn most_elements(&self) -> usize {
        if self.unkept { usize::MAX } else { Limits::ELEMENTS }
    }

    /// Goes through parts that are left out, of which there are so many.
    pub(crate) fn go_through<'l>(
        &mut self,
        size: usize,
        parts: impl IntoIterator<Item = Option<Object<'l>>>,
        combine: fn(u64, u64) -> u64,
    ) -> LeftOut {
        // What is left out of what is not kept was too much.
        if self.unkept || size > self.compared as usize {
            return LeftOut::UNSEEN;
        }
        let left = std::mem::replace(&mut self.left, self.compared);
        self.unkept = true;
        let mut found = LeftOut::SETTLED;
        for part in parts {
            if self.left == 0 {
                found.whole = false;
                break;
            }
            self.left -= 1;
            let value = match self.simple(part) {
                Some(reference) => Value::plain(reference),
                None => part.map_or(Value::plain(RawRef::UNKNOWN), |part| self.see_parts(part, 1)),
            };
            found.hash = combine(found.hash, value.hash);
            found.mutable |= value.mutable;
            found.whole &= !value.unseen;
        }
        self.unkept = false;
        self.compared = std::mem::replace(&mut self.left, left);
        found
    }

    /// What stands for so many elements that are left out, or for 0 as a whole: they have so many parts.
    pub(crate) fn left_out<'l>(
        &mut self,
        count: usize,
        size: usize,
        parts: impl IntoIterator<Item = Option<Object<'l>>>,
    ) -> Value {
        let left_out = self.go_through(size, parts, in_order);
        self.omitted(count, left_out)
    }

    /// The same, if it is known what can be known of them.
    pub(crate) fn omitted(&mut self, count: usize, left_out: LeftOut) -> Value {
        let LeftOut { hash, mutable, whole } = left_out;
        let parts = [RawRef::int(count as i64), RawRef::int((hash >> (u64::BITS - BITS)) as i64)];
        let parts = if whole { &parts[..] } else { &parts[..1] };
        let value = self.row(Word::Omitted as u32, parts, omitted_hash(count, left_out), mutable);
        Value { unseen: !whole, ..value }
    }

    /// A string in something else. What is beyond the characters that are kept is gone through.
    #[inline]
    pub(crate) fn string_in(&mut self, text: Text<'_>) -> Value {
        match text.length() <= Limits::CHARACTERS {
            true => self.string(text),
            false => self.long_string(text),
        }
    }

    #[inline(never)]
    fn long_string(&mut self, text: Text<'_>) -> Value {
        let (bytes, whole) = text.raw(BYTES_COMPARED);
        let hash = match self.known.content(text) {
            Some(hash) => hash,
            None => {
                let hash = hash_of_bytes(bytes);
                self.known.set_content(text, hash);
                hash
            }
        };
        let mut written = std::mem::take(&mut self.scratch);
        text.write(0, Limits::CHARACTERS, &mut written);
        let value = self.cut(Word::Str, text.length(), &written, hash, whole);
        self.scratch = written;
        value
    }

    /// Bytes, which may be in something else.
    pub(crate) fn bytes(&mut self, bytes: &[u8], is_inside: bool) -> Value {
        let kept = &bytes[..bytes.len().min(Limits::CHARACTERS)];
        if kept.len() == bytes.len() || !is_inside {
            return self.packed(Word::Bytes, bytes.len(), kept);
        }
        let parts = (bytes.len() / BYTES_PER_PART) as u32;
        let allowance = if self.unkept { &mut self.left } else { &mut self.compared };
        let whole = bytes.len() <= BYTES_COMPARED && parts <= *allowance;
        let hash = match whole {
            true => {
                *allowance -= parts;
                hash_of_bytes(bytes)
            }
            false => 0,
        };
        self.cut(Word::Bytes, bytes.len(), kept, hash, whole)
    }

    /// What is kept of something long, with a hash of the whole.
    fn cut(&mut self, word: Word, length: usize, kept: &[u8], hash: u64, whole: bool) -> Value {
        let lengths = [length, kept.len()].map(|length| RawRef::int(length as i64));
        let content = whole.then(|| RawRef::int((hash >> (u64::BITS - BITS)) as i64));
        let count = lengths.len() + text::packed(kept.len()) + usize::from(whole);
        let words = || lengths.into_iter().chain(text::pack(kept)).chain(content);
        let all = words().fold(mix(word as u64, hash), |hash, part| mix(hash, part.0));
        let value = self.row_of(word as u32, words(), count, all, false);
        Value { unseen: !whole, ..value }
    }
}

/// The hash of what stands for elements that are left out.
pub(crate) fn omitted_hash(count: usize, left_out: LeftOut) -> u64 {
    let count = Value::plain(RawRef::int(count as i64)).hash;
    mix(mix(seed(Word::Omitted as u32, 1 + usize::from(left_out.whole)), count), left_out.hash)
}

/// A hash of bytes, four words at a time.
fn hash_of_bytes(bytes: &[u8]) -> u64 {
    const LANES: usize = 4;
    let mut lanes = [1u64, 2, 3, 4];
    let chunks = bytes.chunks_exact(8 * LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, word) in lanes.iter_mut().zip(chunk.as_chunks::<8>().0) {
            *lane = mix(*lane, u64::from_le_bytes(*word));
        }
    }
    for word in rest.chunks(8) {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        lanes[0] = mix(lanes[0], u64::from_le_bytes(padded));
    }
    lanes.into_iter().fold(bytes.len() as u64, mix)
}
