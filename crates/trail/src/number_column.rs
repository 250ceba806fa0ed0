//! A column of nodes: the parents of a block's nodes, or the nodes that are told of.
//!
//! A node is written as its distance before the row, which is mostly small; and what one redex makes comes one after the
//! other, so many rows have the node of the row before. Two bits say how a row's node is written:
//!
//! - 0: not at all, it is the node of the row before;
//! - 1, 2: its distance, in one or two bytes;
//! - 3: its distance, in as many bytes as the greatest in the column needs, three to eight.
//!
//! The bits of all rows come first (four to a byte, the first one lowest), then for every [`GROUP`] rows where the first of
//! them begins, then the bytes themselves, little-endian. So one row out of many costs two or three cache lines and a few
//! additions, one far node does not make its neighbours longer, and the whole column is read without a branch that depends
//! on the data. The first row of a group never is like the one before.

/// How many rows (or references) share a place in the directory of where they begin.
pub(super) const GROUP: usize = 64;

/// The shortest and the longest a distance of the last class can be.
pub(super) const LONG: std::ops::RangeInclusive<usize> = 3..=8;

const SAME: u8 = 0;

/// What a byte of control bits says of its four rows: where each begins, and how long they are together.
#[derive(Clone, Copy)]
struct Quad {
    at: [u8; 4],
    length: u8,
}

/// For every length of the last class from 3 on.
const QUADS: [[Quad; 256]; 6] = {
    let mut all = [[Quad { at: [0; 4], length: 0 }; 256]; 6];
    let mut long = 0;
    while long < 6 {
        let mut byte = 0;
        while byte < 256 {
            let mut row = 0;
            let mut at = 0;
            while row < 4 {
                all[long][byte].at[row] = at;
                at += [0, 1, 2, long as u8 + 3][byte >> (2 * row) & 3];
                row += 1;
            }
            all[long][byte].length = at;
            byte += 1;
        }
        long += 1;
    }
    all
};

/// Bytes of the control bits of `count` rows.
pub(super) fn control_bytes(count: usize) -> usize {
    count.div_ceil(4)
}

/// Bytes of the directory of `count` rows or references.
pub(super) fn directory_bytes(count: usize) -> usize {
    count.div_ceil(GROUP) * 4
}

/// How long the last class must be for this distance.
fn long(greatest: u64) -> usize {
    (8 - greatest.leading_zeros() as usize / 8).max(*LONG.start())
}

/// Writes a column. It is used again for every block.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    controls: Vec<u8>,
    data: Vec<u8>,
    directory: Vec<u32>,
    lengths: [u8; 4],
    before: u64,
    count: usize,
    end: usize,
}

impl Encoder {
    /// Begins a column of at most `most` rows, with distances up to `greatest`.
    pub(super) fn begin(&mut self, most: usize, greatest: u64) {
        let long = long(greatest);
        self.lengths = [0, 1, 2, long as u8];
        self.controls.resize(control_bytes(most), 0);
        // A distance is written with eight bytes, of which the next one covers what is too much.
        self.data.resize(long * most + 8, 0);
        self.directory.clear();
        (self.count, self.end) = (0, 0);
    }

    /// The length of the last class.
    pub(super) fn long(&self) -> u8 {
        self.lengths[3]
    }

    /// The next row: its node and the distance of that.
    #[inline]
    pub(super) fn push(&mut self, node: u64, distance: u64) {
        let mut same = node == self.before;
        self.before = node;
        if self.count.is_multiple_of(GROUP) {
            self.directory.push(self.end as u32);
            same = false;
        }
        let class = if same { SAME } else { 1 + u8::from(distance > 0xFF) + u8::from(distance > 0xFFFF) };
        let control = &mut self.controls[self.count / 4];
        let before = if self.count.is_multiple_of(4) { 0 } else { *control };
        *control = before | class << (2 * (self.count % 4));
        self.data[self.end..self.end + 8].copy_from_slice(&distance.to_le_bytes());
        self.end += usize::from(self.lengths[usize::from(class)]);
        self.count += 1;
    }

    /// Appends the column to `out`; gives the length of its data.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) -> usize {
        out.extend_from_slice(&self.controls[..control_bytes(self.count)]);
        out.extend(self.directory.iter().flat_map(|place| place.to_le_bytes()));
        out.extend_from_slice(&self.data[..self.end]);
        self.end
    }
}

/// A column in a block. `data` goes on behind the column: eight bytes can be read from where any row begins.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub(super) count: usize,
    pub(super) controls: &'a [u8],
    pub(super) directory: &'a [u8],
    pub(super) data: &'a [u8],
    /// The length of the last class, one of [`LONG`].
    pub(super) long: usize,
}

impl Numbers<'_> {
    fn quads(&self) -> &'static [Quad; 256] {
        &QUADS[self.long - LONG.start()]
    }

    fn masks(&self) -> [u64; 4] {
        [0, 0xFF, 0xFFFF, u64::MAX >> (64 - 8 * self.long)]
    }

    /// Of the row at an index that is less than the count: which row has its distance, itself or one before, and the
    /// distance.
    pub(super) fn get(&self, mut index: usize) -> (usize, u64) {
        let class = |index: usize| self.controls[index / 4] >> (2 * (index % 4)) & 3;
        while class(index) == SAME && !index.is_multiple_of(GROUP) {
            index -= 1;
        }
        let quads = self.quads();
        let group = index / GROUP;
        let mut at = entry(self.directory, group);
        for &control in &self.controls[group * (GROUP / 4)..index / 4] {
            at += usize::from(quads[usize::from(control)].length);
        }
        at += usize::from(quads[usize::from(self.controls[index / 4])].at[index % 4]);
        (index, word(self.data, at) & self.masks()[usize::from(class(index))])
    }

    /// All rows: `map` makes something of a row's index and distance.
    pub(super) fn decode<T: Copy + Default>(&self, into: &mut Vec<T>, mut map: impl FnMut(usize, u64) -> T) {
        into.clear();
        into.reserve(self.count);
        let (quads, masks) = (self.quads(), self.masks());
        let mut at = 0;
        let mut before = T::default();
        for (index, &control) in self.controls.iter().enumerate() {
            let quad = &quads[usize::from(control)];
            let mut next = |row: usize| {
                let class = control >> (2 * row) & 3;
                let distance = word(self.data, at + usize::from(quad.at[row])) & masks[usize::from(class)];
                let made = map(4 * index + row, distance);
                before = if class == SAME { before } else { made };
                before
            };
            into.extend([next(0), next(1), next(2), next(3)]);
            at += usize::from(quad.length);
        }
        into.truncate(self.count);
    }

    /// Whether the directory is what the control bits say, the bits behind the last row are zero, and the data are
    /// exactly `length` bytes. Everything else can rely on it.
    pub(super) fn verify(&self, length: usize) -> bool {
        if !LONG.contains(&self.long) {
            return false;
        }
        let quads = self.quads();
        let mut at = 0;
        for (group, controls) in self.controls.chunks(GROUP / 4).enumerate() {
            if entry(self.directory, group) != at || controls[0] & 3 == SAME {
                return false;
            }
            at += controls
                .iter()
                .map(|&control| usize::from(quads[usize::from(control)].length))
                .sum::<usize>();
        }
        let missing = self.controls.len() * 4 - self.count;
        let last = self.controls.last().copied().unwrap_or(0);
        at == length && (missing == 0 || last >> (2 * (4 - missing)) == 0)
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

    /// The distances are from `u64::MAX`, so that equal distances are equal nodes.
    fn check(distances: &[u64]) -> usize {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::default();
        encoder.begin(distances.len(), distances.iter().copied().max().unwrap_or(0));
        let long = usize::from(encoder.long());
        distances.iter().for_each(|distance| encoder.push(u64::MAX - distance, *distance));
        let length = encoder.end(&mut bytes);
        let controls = control_bytes(distances.len());
        let directory = controls + directory_bytes(distances.len());
        assert_eq!(bytes.len(), directory + length);
        bytes.extend([0xAA; 8]);
        let column = Numbers {
            count: distances.len(),
            controls: &bytes[..controls],
            directory: &bytes[controls..directory],
            data: &bytes[directory..],
            long,
        };
        assert!(column.verify(length));
        let mut all = Vec::new();
        column.decode(&mut all, |_, distance| distance);
        assert_eq!(all, distances);
        for (index, distance) in distances.iter().enumerate() {
            let (at, found) = column.get(index);
            assert_eq!(found, *distance);
            assert!(distances[at..=index].iter().all(|same| same == distance));
        }
        length
    }

    #[test]
    fn columns_at_the_edges() {
        assert_eq!(check(&[]), 0);
        assert_eq!(check(&[0, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFF_FFFF]), 12);
        for bytes in LONG {
            let greatest = u64::MAX >> (64 - 8 * bytes);
            assert_eq!(check(&[greatest, 1, 1, 2, greatest]), 2 * bytes + 2);
        }
        for count in [1, 3, 4, 63, 64, 65, 129] {
            assert_eq!(check(&vec![u64::MAX; count]), 8 * count.div_ceil(GROUP));
            check(&vec![7; count]);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            distances in prop::collection::vec(((any::<u64>(), 0u32..64), 1usize..4), 0..200),
            most in 0u32..41,
        ) {
            let repeated = distances.into_iter().flat_map(|((distance, by), times)| vec![distance >> by >> most; times]);
            check(&repeated.collect::<Vec<_>>());
        }
    }
}
