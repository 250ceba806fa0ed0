//! A column of references, in as few bytes as they need.
//!
//! A node is written as its distance from the row that refers to it, because most references are to something near;
//! other values as they are. Four bits (a [`Class`]) say what sort of value follows and how long it is; the bits of all
//! references come first (two to a byte, the first one lowest), then the directory of where every [`GROUP`] of them
//! begin, then the bytes. What no class fits is written as its whole word ([`RawRef`]).

use super::model::RawRef;
use super::number_column::{GROUP, entry, word};

/// How a class is turned into a word: the bytes are a number, perhaps with a sign; added to or taken from the own node,
/// if the class says so; shifted, and given a tag. One way for all, so that reading has no branches.
#[derive(Clone, Copy)]
struct Class {
    /// How many bytes there are.
    length: u8,
    /// How far the number goes to the left.
    shift: u8,
    /// The tag that is put behind it.
    tag: u8,
    /// All ones if the own node is counted from.
    own: u64,
    /// All ones if the number is taken away.
    back: u64,
    /// The bits of the number.
    mask: u64,
    /// The highest of them, if it is a sign.
    sign: u64,
}

const UNKNOWN: u8 = 0;
const BACK: u8 = 1;
const AHEAD: u8 = 5;
const INT: u8 = 8;
const CHAR: u8 = 12;
const WHOLE: u8 = 13;

const CLASSES: [Class; 16] = {
    const fn mask(length: u8) -> u64 {
        if length == 8 { u64::MAX } else { (1 << (8 * length)) - 1 }
    }
    const fn node(length: u8, back: u64) -> Class {
        Class { length, shift: 3, tag: 0, own: u64::MAX, back, mask: mask(length), sign: 0 }
    }
    const fn int(length: u8) -> Class {
        let sign = 1 << (8 * length - 1);
        Class { length, shift: 3, tag: 1, own: 0, back: 0, mask: mask(length), sign }
    }
    const fn plain(length: u8, shift: u8, tag: u8) -> Class {
        Class { length, shift, tag, own: 0, back: 0, mask: mask(length), sign: 0 }
    }
    [
        plain(0, 0, 7),
        node(1, u64::MAX),
        node(2, u64::MAX),
        node(3, u64::MAX),
        node(4, u64::MAX),
        node(1, 0),
        node(2, 0),
        node(4, 0),
        int(1),
        int(2),
        int(3),
        int(4),
        plain(1, 3, 2),
        plain(2, 0, 0),
        plain(6, 0, 0),
        plain(8, 0, 0),
    ]
};

/// How long the references of a class are.
const LENGTHS: [u8; 16] = {
    let mut lengths = [0; 16];
    let mut class = 0;
    while class < 16 {
        lengths[class] = CLASSES[class].length;
        class += 1;
    }
    lengths
};

/// How long the two references are that a control byte tells of.
const PAIRS: [u8; 256] = {
    let mut pairs = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = CLASSES[byte & 15].length + CLASSES[byte >> 4].length;
        byte += 1;
    }
    pairs
};

/// Bytes of the control bits of `count` references.
pub(super) fn control_bytes(count: usize) -> usize {
    count.div_ceil(2)
}

/// What is written of a word: the lines of [`FITTING`].
#[derive(Clone, Copy)]
enum Sort {
    /// How far the node is before the row.
    Back,
    /// How far it is behind.
    Ahead,
    /// A number with a sign.
    Int,
    /// A number.
    Char,
    /// The word.
    Whole,
}

/// How a word is written: its class, and how many bytes that has.
#[derive(Clone, Copy)]
struct Form {
    class: u8,
    length: u8,
}

/// For every sort: the form of a number of so many bits, from none to 64.
const FITTING: [[Form; 65]; 5] = {
    const fn fit(bits: usize, classes: &[u8]) -> Form {
        let mut at = 0;
        while at < classes.len() {
            let length = CLASSES[classes[at] as usize].length;
            if bits <= 8 * length as usize {
                return Form { class: classes[at], length };
            }
            at += 1;
        }
        Form { class: TOO_LONG, length: 0 }
    }
    let mut fitting = [[Form { class: 0, length: 0 }; 65]; 5];
    let mut bits = 0;
    while bits <= 64 {
        fitting[Sort::Back as usize][bits] = fit(bits, &[BACK, BACK + 1, BACK + 2, BACK + 3]);
        fitting[Sort::Ahead as usize][bits] = fit(bits, &[AHEAD, AHEAD + 1, AHEAD + 2]);
        // There must be room for the sign.
        fitting[Sort::Int as usize][bits] = fit(bits + 1, &[INT, INT + 1, INT + 2, INT + 3]);
        fitting[Sort::Char as usize][bits] = fit(bits, &[CHAR]);
        fitting[Sort::Whole as usize][bits] = fit(bits, &[WHOLE, WHOLE + 1, WHOLE + 2]);
        bits += 1;
    }
    fitting
};

/// No class of its sort has room for a word: it is written whole.
const TOO_LONG: u8 = 16;

#[inline]
fn fitting(sort: Sort, number: u64) -> Form {
    FITTING[sort as usize][64 - number.leading_zeros() as usize]
}

/// The form of a word in a row of the node `own`, and the number that is written for it.
#[inline]
fn form(word: u64, own: u64) -> (Form, u64) {
    let target = word >> 3;
    let (form, number) = if word & 7 == 0 {
        let sort = if target > own { Sort::Ahead } else { Sort::Back };
        let distance = own.abs_diff(target);
        (fitting(sort, distance), distance)
    } else if word & 7 == 1 {
        let value = word as i64 >> 3;
        // Of a negative one the bits that are not like the sign count.
        (fitting(Sort::Int, (value ^ value >> 63) as u64), value as u64)
    } else {
        return other_form(word);
    };
    if form.class < TOO_LONG { (form, number) } else { (fitting(Sort::Whole, word), word) }
}

/// The same for what is neither a node nor an integer.
fn other_form(word: u64) -> (Form, u64) {
    if word == RawRef::UNKNOWN.0 {
        return (Form { class: UNKNOWN, length: 0 }, 0);
    }
    if word & 7 == 2 && word >> 3 <= 0xFF {
        return (fitting(Sort::Char, word >> 3), word >> 3);
    }
    (fitting(Sort::Whole, word), word)
}

/// Writes a column. It is used again for every block.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    /// These are long enough for what comes, and what they hold behind the end means nothing.
    controls: Vec<u8>,
    data: Vec<u8>,
    directory: Vec<u32>,
    count: usize,
    end: usize,
}

impl Encoder {
    /// Begins a column.
    pub(super) fn begin(&mut self) {
        self.directory.clear();
        (self.count, self.end) = (0, 0);
    }

    /// The next references, of a row of the node `own`.
    #[inline(always)]
    pub(super) fn push(&mut self, own: u64, words: &[u64]) {
        // A reference is written with eight bytes, of which the next one covers what is too much.
        if self.data.len() < self.end + 8 * words.len() + 8
            || self.controls.len() <= (self.count + words.len()) / 2
        {
            self.grow(words.len());
        }
        let (mut count, mut end) = (self.count, self.end);
        for &word in words {
            if count.is_multiple_of(GROUP) {
                self.directory.push(end as u32);
            }
            let (form, number) = form(word, own);
            let control = &mut self.controls[count / 2];
            *control = if count.is_multiple_of(2) { form.class } else { *control | form.class << 4 };
            self.data[end..end + 8].copy_from_slice(&number.to_le_bytes());
            end += usize::from(form.length);
            count += 1;
        }
        (self.count, self.end) = (count, end);
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let room = (self.count + more).next_power_of_two().max(1 << 12);
        self.controls.resize(room / 2 + 1, 0);
        self.data.resize(8 * room + 8, 0);
    }

    /// How many references there are by now.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Appends the column to `out`; gives the length of its data.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) -> usize {
        out.extend_from_slice(&self.controls[..control_bytes(self.count)]);
        out.extend(self.directory.iter().flat_map(|place| place.to_le_bytes()));
        out.extend_from_slice(&self.data[..self.end]);
        self.end
    }

    /// Gives back the memory of a column that was longer than `most` references.
    pub(super) fn shrink(&mut self, most: usize) {
        if self.data.len() > 16 * most {
            *self = Encoder::default();
        }
    }
}

/// A column in a block. `data` goes on behind the column: eight bytes can be read from where any reference begins.
#[derive(Clone, Copy)]
pub(super) struct References<'a> {
    pub(super) count: usize,
    pub(super) controls: &'a [u8],
    pub(super) directory: &'a [u8],
    pub(super) data: &'a [u8],
}

impl<'a> References<'a> {
    /// Reads from a reference on, which may be the one behind the last.
    pub(super) fn from(&self, index: usize) -> Reading<'a> {
        let mut at = 0;
        if index < self.count {
            let group = index / GROUP;
            at = entry(self.directory, group);
            for &control in &self.controls[group * (GROUP / 2)..index / 2] {
                at += usize::from(PAIRS[usize::from(control)]);
            }
            if index % 2 == 1 {
                at += usize::from(CLASSES[usize::from(self.controls[index / 2] & 15)].length);
            }
        }
        Reading { controls: self.controls, data: self.data, index, at }
    }

    /// Whether the directory is what the control bits say, the bits behind the last reference are zero, and the data are
    /// exactly `length` bytes. Everything else can rely on it.
    pub(super) fn verify(&self, length: usize) -> bool {
        let mut at = 0;
        for (group, controls) in self.controls.chunks(GROUP / 2).enumerate() {
            if entry(self.directory, group) != at {
                return false;
            }
            at += controls.iter().map(|&control| usize::from(PAIRS[usize::from(control)])).sum::<usize>();
        }
        let last = self.controls.last().copied().unwrap_or(0);
        at == length && (self.count.is_multiple_of(2) || last >> 4 == 0)
    }
}

/// Reads references one after the other. There must be one when it is asked for.
pub(super) struct Reading<'a> {
    controls: &'a [u8],
    data: &'a [u8],
    index: usize,
    at: usize,
}

impl Reading<'_> {
    /// The next reference, of a row of the node `own`.
    #[inline]
    pub(super) fn next(&mut self, own: u64) -> RawRef {
        let control = self.controls[self.index / 2] >> (4 * (self.index & 1));
        let class = &CLASSES[usize::from(control & 15)];
        let number = word(self.data, self.at) & class.mask;
        let number = (number ^ class.sign).wrapping_sub(class.sign);
        let number = (own & class.own).wrapping_add((number ^ class.back).wrapping_sub(class.back));
        self.index += 1;
        self.at += usize::from(class.length);
        RawRef(number << class.shift | u64::from(class.tag))
    }

    /// Passes over some references.
    #[inline]
    pub(super) fn skip(&mut self, count: usize) {
        for index in self.index..self.index + count {
            let control = self.controls[index / 2] >> (4 * (index & 1));
            self.at += usize::from(LENGTHS[usize::from(control & 15)]);
        }
        self.index += count;
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::{NodeId, Ref};
    use super::*;
    use proptest::prelude::*;

    fn check(rows: &[(u64, u64)]) {
        let mut bytes = vec![1, 2, 3];
        let mut words = Encoder::default();
        words.begin();
        for &(own, word) in rows {
            words.push(own, &[word]);
        }
        let length = words.end(&mut bytes);
        let controls = 3 + control_bytes(rows.len());
        let directory = controls + super::super::number_column::directory_bytes(rows.len());
        assert_eq!(bytes.len(), directory + length);
        bytes.extend([0xAA; 8]);
        let column = References {
            count: rows.len(),
            controls: &bytes[3..controls],
            directory: &bytes[controls..directory],
            data: &bytes[directory..],
        };
        assert!(column.verify(length));
        let mut reading = column.from(0);
        for &(own, word) in rows {
            assert_eq!(reading.next(own).0, word, "{own}");
        }
        for (index, &(own, word)) in rows.iter().enumerate() {
            assert_eq!(column.from(index).next(own).0, word, "{own}");
        }
        column.from(rows.len());
    }

    #[test]
    fn values_at_the_edges() {
        let mut rows = vec![(5, 7), (5, 15), (0, 0), (9, u64::MAX), (u64::MAX >> 3, 0), (0, u64::MAX << 3)];
        for bits in 0..64 {
            for near in [(1u64 << bits) - 1, 1 << bits, (1 << bits) + 1] {
                rows.push((near, near << 3));
                rows.push((1 << 40, (1u64 << 40).wrapping_sub(near) << 3));
                rows.push((1 << 40, (1u64 << 40).wrapping_add(near) << 3));
                rows.extend((0..8).map(|tag| (77, near << 3 | tag)));
                rows.extend((0..8).map(|tag| (77, near.wrapping_neg() << 3 | tag)));
            }
        }
        check(&rows);
        check(&[]);
    }

    #[test]
    fn common_values_are_short() {
        let length = |reference: Ref| {
            let mut bytes = Vec::new();
            let mut words = Encoder::default();
            words.begin();
            words.push(1000, &[RawRef::of(reference).0]);
            words.end(&mut bytes)
        };
        assert_eq!(length(Ref::Unknown), 0);
        assert_eq!(length(Ref::Node(NodeId(745))), 1);
        assert_eq!(length(Ref::Node(NodeId(1255))), 1);
        assert_eq!(length(Ref::Node(NodeId(1))), 2);
        assert_eq!(length(Ref::Int(-128)), 1);
        assert_eq!(length(Ref::Int(128)), 2);
        assert_eq!(length(Ref::Int(-0x80_0000)), 3);
        assert_eq!(length(Ref::Int(i64::from(i32::MIN))), 4);
        assert_eq!(length(Ref::Char(0xFF)), 1);
        assert_eq!(length(Ref::Constructor(8191)), 2);
        assert_eq!(length(Ref::Text { string: 8191, from: 9 }), 6);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(rows in prop::collection::vec((any::<u64>(), any::<u64>(), 0u32..64, 0u32..61), 0..400)) {
            let rows: Vec<(u64, u64)> = rows.into_iter().map(|(own, word, by, more)| (own >> 3 >> more, word >> by)).collect();
            check(&rows);
        }
    }
}
