//! A column of numbers, most of them small, any of which can be read by itself.
//!
//! Each number takes 1, 2, 4 or 8 bytes; two bits say which. The bits of all numbers come first (four to a byte, the
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
            at += 1 << (byte >> (2 * number) & 3);
            number += 1;
        }
        quads[byte].length = at;
        byte += 1;
    }
    quads
};

const MASKS: [u64; 4] = [0xFF, 0xFFFF, 0xFFFF_FFFF, u64::MAX];

/// Bytes of the control bits of `count` numbers.
pub(super) fn control_bytes(count: usize) -> usize {
    count.div_ceil(4)
}

/// Bytes of the directory of `count` numbers or references.
pub(super) fn directory_bytes(count: usize) -> usize {
    count.div_ceil(GROUP) * 4
}

/// Appends a column; gives the length of its data.
pub(super) fn encode(numbers: &[u64], out: &mut Vec<u8>) -> usize {
    let controls = out.len();
    let directory = controls + control_bytes(numbers.len());
    let data = directory + directory_bytes(numbers.len());
    out.resize(data, 0);
    let mut end = data;
    for (group, numbers) in numbers.chunks(GROUP).enumerate() {
        let begin = directory + 4 * group;
        out[begin..begin + 4].copy_from_slice(&((end - data) as u32).to_le_bytes());
        // Room for the longest group: a number is written with eight bytes, of which the next one covers what is too much.
        out.resize(end + 8 * GROUP + 8, 0);
        let (head, tail) = out.split_at_mut(data);
        let controls = &mut head[controls + group * (GROUP / 4)..];
        let mut at = end - data;
        for (numbers, control) in numbers.chunks(4).zip(controls) {
            let mut bits = 0;
            for (index, &number) in numbers.iter().enumerate() {
                let class = u8::from(number > 0xFF) + u8::from(number > 0xFFFF) + u8::from(number >> 32 != 0);
                bits |= class << (2 * index);
                tail[at..at + 8].copy_from_slice(&number.to_le_bytes());
                at += 1 << class;
            }
            *control = bits;
        }
        end = data + at;
        out.truncate(end);
    }
    end - data
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
        let length = encode(numbers, &mut bytes);
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
        check(&[0, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFFFF_FFFF, 0x1_0000_0000, u64::MAX]);
        for count in [1, 3, 4, 63, 64, 65, 129] {
            check(&vec![u64::MAX; count]);
            check(&vec![7; count]);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(numbers in prop::collection::vec((any::<u64>(), 0u32..64).prop_map(|(n, s)| n >> s), 0..400)) {
            check(&numbers);
        }
    }
}
