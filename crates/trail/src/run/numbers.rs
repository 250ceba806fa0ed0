//! A column of numbers, most of them small, any of which can be read by itself.
//!
//! Each number takes 1, 2, 3 or 5 bytes; two bits say which. The bits of all numbers come first (four to a byte, the
//! first one lowest), then for every [`GROUP`] numbers where the first of them begins, then the bytes themselves,
//! little-endian. So one number out of many costs two or three cache lines and at most fifteen additions, one far number
//! does not make its neighbours longer, and the whole column is read without a branch that depends on the data.

/// How many numbers (or references) share a place in the directory of where they begin.
pub(super) const GROUP: usize = 64;

/// What a byte of control bits says of its four numbers: where each begins, and how long they are together.
#[derive(Clone, Copy)]
struct Quad {
    at: [u8; 4],
    length: u8,
}

const QUADS: [Quad; 256] = {
    let mut quads = [Quad { at: [0; 4], length: 0 }; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut number = 0;
        let mut at = 0;
        while number < 4 {
            quads[byte].at[number] = at;
            at += LENGTHS[byte >> (2 * number) & 3];
            number += 1;
        }
        quads[byte].length = at;
        byte += 1;
    }
    quads
};

/// How long the numbers of a class are.
const LENGTHS: [u8; 4] = [1, 2, 3, 5];
const MASKS: [u64; 4] = [0xFF, 0xFFFF, 0xFF_FFFF, MOST];
/// The greatest number.
pub(super) const MOST: u64 = (1 << 40) - 1;

/// Bytes of the control bits of `count` numbers.
pub(super) fn control_bytes(count: usize) -> usize {
    count.div_ceil(4)
}

/// Bytes of the directory of `count` numbers or references.
pub(super) fn directory_bytes(count: usize) -> usize {
    count.div_ceil(GROUP) * 4
}

/// Writes a column. It is used again for every block.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    controls: Vec<u8>,
    directory: Vec<u32>,
    data: Vec<u8>,
    count: usize,
    end: usize,
}

impl Encoder {
    /// Begins a column of `count` numbers.
    pub(super) fn begin(&mut self, count: usize) {
        self.controls.clear();
        self.controls.resize(control_bytes(count), 0);
        self.directory.clear();
        self.directory.resize(count.div_ceil(GROUP), 0);
        // A number is written with eight bytes, of which the next one covers what is too much.
        self.data.resize(5 * count + 8, 0);
        (self.count, self.end) = (0, 0);
    }

    /// The next number, which is not greater than [`MOST`].
    #[inline]
    pub(super) fn push(&mut self, number: u64) {
        if self.count.is_multiple_of(GROUP) {
            self.directory[self.count / GROUP] = self.end as u32;
        }
        let class = u8::from(number > 0xFF) + u8::from(number > 0xFFFF) + u8::from(number > 0xFF_FFFF);
        self.controls[self.count / 4] |= class << (2 * (self.count % 4));
        self.data[self.end..self.end + 8].copy_from_slice(&number.to_le_bytes());
        self.end += usize::from(LENGTHS[usize::from(class)]);
        self.count += 1;
    }

    /// Appends the column to `out`; gives the length of its data.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) -> usize {
        out.extend_from_slice(&self.controls);
        out.extend(self.directory.iter().flat_map(|place| place.to_le_bytes()));
        out.extend_from_slice(&self.data[..self.end]);
        self.end
    }
}

/// A column in a block. `data` goes on behind the column: eight bytes can be read from where any number begins.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub(super) count: usize,
    pub(super) controls: &'a [u8],
    pub(super) directory: &'a [u8],
    pub(super) data: &'a [u8],
}

impl Numbers<'_> {
    /// The number at an index that is less than the count.
    pub(super) fn get(&self, index: usize) -> u64 {
        let group = index / GROUP;
        let mut at = entry(self.directory, group);
        let last = index / 4;
        for &control in &self.controls[group * (GROUP / 4)..last] {
            at += usize::from(QUADS[usize::from(control)].length);
        }
        let control = self.controls[last];
        at += usize::from(QUADS[usize::from(control)].at[index % 4]);
        word(self.data, at) & MASKS[usize::from(control >> (2 * (index % 4)) & 3)]
    }

    /// All numbers, through `map`, which is also told their index.
    pub(super) fn decode<T>(&self, into: &mut Vec<T>, mut map: impl FnMut(usize, u64) -> T) {
        into.clear();
        into.reserve(self.count);
        let mut at = 0;
        let whole = self.count / 4;
        for (index, &control) in self.controls[..whole].iter().enumerate() {
            let quad = &QUADS[usize::from(control)];
            let number = |number: usize| {
                let place = at + usize::from(quad.at[number]);
                word(self.data, place) & MASKS[usize::from(control >> (2 * number) & 3)]
            };
            let index = index * 4;
            into.extend([
                map(index, number(0)),
                map(index + 1, number(1)),
                map(index + 2, number(2)),
                map(index + 3, number(3)),
            ]);
            at += usize::from(quad.length);
        }
        for index in whole * 4..self.count {
            into.push(map(index, self.get(index)));
        }
    }

    /// Whether the directory is what the control bits say, the bits behind the last number are zero, and the data are
    /// exactly `length` bytes. Everything else can rely on it.
    pub(super) fn verify(&self, length: usize) -> bool {
        let mut at = 0;
        for (group, controls) in self.controls.chunks(GROUP / 4).enumerate() {
            if entry(self.directory, group) != at {
                return false;
            }
            at += controls
                .iter()
                .map(|&control| usize::from(QUADS[usize::from(control)].length))
                .sum::<usize>();
        }
        // Where no number is, the bits say one byte.
        let missing = self.controls.len() * 4 - self.count;
        let last = self.controls.last().copied().unwrap_or(0);
        at - missing == length && (missing == 0 || last >> (2 * (4 - missing)) == 0)
    }
}

/// An entry of a directory.
pub(super) fn entry(directory: &[u8], group: usize) -> usize {
    let bytes = &directory[4 * group..4 * group + 4];
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
}

/// The eight bytes from a place on.
#[inline]
pub(super) fn word(data: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&data[at..at + 8]);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(numbers: &[u64]) {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::default();
        encoder.begin(numbers.len());
        numbers.iter().for_each(|number| encoder.push(*number));
        let length = encoder.end(&mut bytes);
        let controls = control_bytes(numbers.len());
        let directory = controls + directory_bytes(numbers.len());
        assert_eq!(bytes.len(), directory + length);
        bytes.extend([0xAA; 8]);
        let column = Numbers {
            count: numbers.len(),
            controls: &bytes[..controls],
            directory: &bytes[controls..directory],
            data: &bytes[directory..],
        };
        assert!(column.verify(length));
        let mut all = Vec::new();
        column.decode(&mut all, |_, number| number);
        assert_eq!(all, numbers);
        for (index, number) in numbers.iter().enumerate() {
            assert_eq!(column.get(index), *number);
        }
    }

    #[test]
    fn columns_at_the_edges() {
        check(&[]);
        check(&[0, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFF_FFFF, 0x100_0000, MOST]);
        for count in [1, 3, 4, 63, 64, 65, 129] {
            check(&vec![MOST; count]);
            check(&vec![7; count]);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(numbers in prop::collection::vec((any::<u64>(), 24u32..64).prop_map(|(n, s)| n >> s), 0..400)) {
            check(&numbers);
        }
    }
}
