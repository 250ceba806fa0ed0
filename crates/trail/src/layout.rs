//! What stands where in the file: the file's header, the header of a block, the parts of a block of rows, and the footer.
//! `docs/trail-format.md` has it in full.
//!
//! Everything is little-endian. Every byte of the file is covered by one of the checksums (xxh3, 64 bits): of the file's
//! header, of a block's header, of a block's payload, of the footer.

use super::number_column::{self, GROUP, Numbers};
use super::reference_column::{self, References};
use xxhash_rust::xxh3::xxh3_64;

/// The format's version; older ones are read, too.
pub const VERSION: u32 = 3;

/// How every trail begins. The first byte is no text, the last one is what a transfer as text would change.
pub const MAGIC: [u8; 8] = *b"\x89GADFLY\n";
/// Bytes of the file's header.
pub(super) const FILE_HEADER: usize = 32;
/// How a block begins.
pub(super) const BLOCK_MAGIC: [u8; 4] = *b"GBLK";
/// Bytes of a block's header.
pub(super) const BLOCK_HEADER: usize = 64;
/// How the footer begins.
pub(super) const FOOTER_MAGIC: [u8; 8] = *b"GADFLYIX";
/// Bytes of the footer.
pub(super) const FOOTER: usize = 32;
/// Nodes in a block at most, and also tellings.
pub(super) const BLOCK_ROWS: usize = 1 << 16;
/// References in a block at most.
pub(super) const BLOCK_REFERENCES: u64 = 1 << 28;
/// In a dictionary: nothing is told of the node here.
pub(super) const NOT_TOLD: u32 = u32::MAX;
/// In a dictionary: a tail node of this block is what was told, which the reference is.
pub(super) const TAIL: u32 = u32::MAX - 1;
/// Shapes are fewer than this.
pub(super) const SHAPES: u32 = 1 << 31;
/// Zero bytes behind the last column, so that eight bytes can be read from where any value begins.
pub(super) const SLACK: usize = 8;

/// The checksum of everything.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// The `N` bytes at a place, which must be there.
pub(super) fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}

/// The number of 32 bits at a place.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes_at(bytes, at))
}

/// The number of 64 bits at a place.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes_at(bytes, at))
}

/// The file's header.
pub(super) fn file_header() -> [u8; FILE_HEADER] {
    let mut header = [0; FILE_HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    let sum = checksum(&header[..24]);
    header[24..].copy_from_slice(&sum.to_le_bytes());
    header
}

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Tables = 1,
    Shapes = 2,
    Rows = 3,
    End = 4,
    Index = 5,
}

/// The header of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) kind: Kind,
    /// Bytes of the payload.
    pub(super) length: u64,
    /// Rows: the first node. Shapes: the first shape.
    pub(super) first: u64,
    /// Rows: the nodes. Shapes: the shapes. Index: the blocks.
    pub(super) count: u32,
    /// Rows: the tellings.
    pub(super) tellings: u32,
    /// Rows: the references of the nodes.
    pub(super) references: u32,
    /// Rows: the references of the tellings.
    pub(super) told: u32,
    /// How many blocks come before.
    pub(super) serial: u64,
    /// The checksum of the payload.
    pub(super) payload: u64,
}

impl Header {
    pub(super) fn new(kind: Kind, serial: u64, payload: &[u8]) -> Header {
        Header {
            kind,
            length: payload.len() as u64,
            first: 0,
            count: 0,
            tellings: 0,
            references: 0,
            told: 0,
            serial,
            payload: checksum(payload),
        }
    }

    pub(super) fn encode(&self) -> [u8; BLOCK_HEADER] {
        let mut bytes = [0; BLOCK_HEADER];
        bytes[..4].copy_from_slice(&BLOCK_MAGIC);
        bytes[4] = self.kind as u8;
        bytes[8..16].copy_from_slice(&self.length.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.first.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.count.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.tellings.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.references.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.told.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.serial.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.payload.to_le_bytes());
        let sum = checksum(&bytes[..56]);
        bytes[56..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a header; none if it is damaged.
    pub(super) fn decode(bytes: &[u8; BLOCK_HEADER]) -> Option<Header> {
        if bytes[..4] != BLOCK_MAGIC || checksum(&bytes[..56]) != u64_at(bytes, 56) || bytes[5..8] != [0; 3] {
            return None;
        }
        let kind = match bytes[4] {
            1 => Kind::Tables,
            2 => Kind::Shapes,
            3 => Kind::Rows,
            4 => Kind::End,
            5 => Kind::Index,
            _ => return None,
        };
        Some(Header {
            kind,
            length: u64_at(bytes, 8),
            first: u64_at(bytes, 16),
            count: u32_at(bytes, 24),
            tellings: u32_at(bytes, 28),
            references: u32_at(bytes, 32),
            told: u32_at(bytes, 36),
            serial: u64_at(bytes, 40),
            payload: u64_at(bytes, 48),
        })
    }
}

/// The footer: where the index is.
pub(super) fn footer(index: u64) -> [u8; FOOTER] {
    let mut bytes = [0; FOOTER];
    bytes[..8].copy_from_slice(&FOOTER_MAGIC);
    bytes[8..16].copy_from_slice(&index.to_le_bytes());
    let sum = checksum(&bytes[..24]);
    bytes[24..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Where the index is, if these bytes are a footer.
pub(super) fn read_footer(bytes: &[u8; FOOTER]) -> Option<u64> {
    let good = bytes[..8] == FOOTER_MAGIC && checksum(&bytes[..24]) == u64_at(bytes, 24);
    (good && bytes[16..24] == [0; 8]).then(|| u64_at(bytes, 8))
}

/// What a block of rows says at the beginning of its payload, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Entries of the dictionary of nodes.
    pub(super) entries: u32,
    /// Entries of the dictionary of tellings.
    pub(super) telling_entries: u32,
    /// Bytes of the parents' data.
    pub(super) parents: u32,
    /// Bytes of the references' data.
    pub(super) references: u32,
    /// How many references to what nodes became there are.
    pub(super) outcomes: u32,
    /// Bytes of their data.
    pub(super) outcomes_data: u32,
    /// How many tail nodes tell what their parents became.
    pub(super) tails: u32,
    /// Bytes of the data of the nodes that are told of.
    pub(super) told_of: u32,
    /// Bytes of the data of the tellings' references.
    pub(super) told: u32,
    /// The length of the last class of the parents.
    pub(super) parents_long: u8,
    /// The length of the last class of the nodes that are told of.
    pub(super) told_of_long: u8,
}

impl Sizes {
    /// Its bytes. The last two are zero.
    pub(super) const LENGTH: usize = 40;

    pub(super) fn encode(&self) -> [u8; Sizes::LENGTH] {
        let all = [
            self.entries,
            self.telling_entries,
            self.parents,
            self.references,
            self.outcomes,
            self.outcomes_data,
            self.tails,
            self.told_of,
            self.told,
        ];
        let mut bytes = [0; Sizes::LENGTH];
        for (bytes, number) in bytes.chunks_mut(4).zip(all) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        bytes[36] = self.parents_long;
        bytes[37] = self.told_of_long;
        bytes
    }

    /// What the first bytes of a payload say; none if they cannot be.
    fn decode(bytes: &[u8]) -> Option<Sizes> {
        let sizes = Sizes {
            entries: u32_at(bytes, 0),
            telling_entries: u32_at(bytes, 4),
            parents: u32_at(bytes, 8),
            references: u32_at(bytes, 12),
            outcomes: u32_at(bytes, 16),
            outcomes_data: u32_at(bytes, 20),
            tails: u32_at(bytes, 24),
            told_of: u32_at(bytes, 28),
            told: u32_at(bytes, 32),
            parents_long: bytes[36],
            told_of_long: bytes[37],
        };
        (bytes[38..40] == [0; 2]).then_some(sizes)
    }
}

/// Bytes of a code in a column, for a dictionary of so many entries.
pub(super) fn code_width(entries: usize) -> usize {
    if entries <= 256 { 1 } else { 2 }
}

/// Where the parts of a block of rows begin, in its payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) header: Header,
    pub(super) sizes: Sizes,
    /// Entries: shape, what was told.
    dictionary: usize,
    telling_dictionary: usize,
    codes: usize,
    parents: [usize; 3],
    /// For every group of nodes: how many references come before.
    starts: usize,
    references: [usize; 3],
    outcome_starts: usize,
    outcomes: [usize; 3],
    tails: usize,
    telling_codes: usize,
    told_of: [usize; 3],
    telling_starts: usize,
    told: [usize; 3],
    /// Behind the last column.
    end: usize,
}

impl Layout {
    /// Where the parts of a payload are; none if it cannot be, because the numbers are not those of this payload.
    pub(super) fn of(header: Header, payload: &[u8]) -> Option<Layout> {
        let (nodes, tellings) = (header.count as usize, header.tellings as usize);
        let (references, told) = (header.references as usize, header.told as usize);
        if payload.len() < Sizes::LENGTH || nodes > BLOCK_ROWS || tellings > BLOCK_ROWS {
            return None;
        }
        let sizes = Sizes::decode(payload)?;
        let mut at = Sizes::LENGTH as u64;
        // In 64 bits nothing here overflows: every part is less than 2³⁶.
        let mut part = |length: usize| {
            let begin = at;
            at += length as u64;
            begin as usize
        };
        let outcomes = sizes.outcomes as usize;
        let dictionary = part(8 * sizes.entries as usize);
        let telling_dictionary = part(4 * sizes.telling_entries as usize);
        let codes = part(nodes * code_width(sizes.entries as usize));
        let parents = column(&mut part, number_column::control_bytes(nodes), nodes, sizes.parents);
        let starts = part(number_column::directory_bytes(nodes));
        let references =
            column(&mut part, reference_column::control_bytes(references), references, sizes.references);
        let outcome_starts = part(number_column::directory_bytes(nodes));
        let outcomes =
            column(&mut part, reference_column::control_bytes(outcomes), outcomes, sizes.outcomes_data);
        let tails = part(2 * sizes.tails as usize);
        let telling_codes = part(tellings * code_width(sizes.telling_entries as usize));
        let told_of = column(&mut part, number_column::control_bytes(tellings), tellings, sizes.told_of);
        let telling_starts = part(number_column::directory_bytes(tellings));
        let told = column(&mut part, reference_column::control_bytes(told), told, sizes.told);
        let end = at;
        let whole = (end + SLACK as u64).next_multiple_of(8);
        (whole == payload.len() as u64).then_some(Layout {
            header,
            sizes,
            dictionary,
            telling_dictionary,
            codes,
            parents,
            starts,
            references,
            outcome_starts,
            outcomes,
            tails,
            telling_codes,
            told_of,
            telling_starts,
            told,
            end: end as usize,
        })
    }

    /// The entries of the dictionary of nodes: shape, what was told.
    pub(super) fn dictionary<'a>(&self, payload: &'a [u8]) -> impl Iterator<Item = (u32, u32)> + use<'a> {
        let entries = &payload[self.dictionary..self.telling_dictionary];
        entries.chunks_exact(8).map(|entry| (u32_at(entry, 0), u32_at(entry, 4)))
    }

    /// The entries of the dictionary of tellings.
    pub(super) fn telling_dictionary<'a>(&self, payload: &'a [u8]) -> impl Iterator<Item = u32> + use<'a> {
        let entries = &payload[self.telling_dictionary..self.codes];
        entries.chunks_exact(4).map(|entry| u32_at(entry, 0))
    }

    /// The codes of the nodes, one or two bytes each.
    pub(super) fn codes<'a>(&self, payload: &'a [u8]) -> Codes<'a> {
        let bytes = &payload[self.codes..self.parents[0]];
        Codes { bytes, wide: code_width(self.sizes.entries as usize) == 2 }
    }

    /// How far the nodes are from their parents; 0 for none.
    pub(super) fn parents<'a>(&self, payload: &'a [u8]) -> Numbers<'a> {
        numbers_at(payload, self.parents, self.header.count as usize, self.sizes.parents_long)
    }

    /// The directory of the nodes' references.
    pub(super) fn starts<'a>(&self, payload: &'a [u8]) -> &'a [u8] {
        &payload[self.starts..self.references[0]]
    }

    /// The references of the nodes.
    pub(super) fn references<'a>(&self, payload: &'a [u8]) -> References<'a> {
        references_at(payload, self.references, self.header.references as usize)
    }

    /// The directory of what the nodes became.
    pub(super) fn outcome_starts<'a>(&self, payload: &'a [u8]) -> &'a [u8] {
        &payload[self.outcome_starts..self.outcomes[0]]
    }

    /// What the nodes became.
    pub(super) fn outcomes<'a>(&self, payload: &'a [u8]) -> References<'a> {
        references_at(payload, self.outcomes, self.sizes.outcomes as usize)
    }

    /// The rows of tail nodes that tell what their parents became, in order.
    pub(super) fn tails<'a>(&self, payload: &'a [u8]) -> impl Iterator<Item = usize> + use<'a> {
        let rows = payload[self.tails..self.telling_codes].chunks_exact(2);
        rows.map(|row| usize::from(u16::from_le_bytes([row[0], row[1]])))
    }

    /// The codes of the tellings.
    pub(super) fn telling_codes<'a>(&self, payload: &'a [u8]) -> Codes<'a> {
        let bytes = &payload[self.telling_codes..self.told_of[0]];
        Codes { bytes, wide: code_width(self.sizes.telling_entries as usize) == 2 }
    }

    /// How far the nodes that are told of are from the end of the block.
    pub(super) fn told_of<'a>(&self, payload: &'a [u8]) -> Numbers<'a> {
        numbers_at(payload, self.told_of, self.header.tellings as usize, self.sizes.told_of_long)
    }

    /// The directory of the tellings' references.
    pub(super) fn telling_starts<'a>(&self, payload: &'a [u8]) -> &'a [u8] {
        &payload[self.telling_starts..self.told[0]]
    }

    /// The references of the tellings.
    pub(super) fn told<'a>(&self, payload: &'a [u8]) -> References<'a> {
        references_at(payload, self.told, self.header.told as usize)
    }

    /// What is behind the last column.
    pub(super) fn slack<'a>(&self, payload: &'a [u8]) -> &'a [u8] {
        &payload[self.end..]
    }

    /// The node that the next block begins with, from which tellings are counted.
    pub(super) fn base(&self) -> u64 {
        self.header.first.wrapping_add(u64::from(self.header.count))
    }
}

/// The three parts of a column: controls, directory, data.
fn column(part: &mut impl FnMut(usize) -> usize, controls: usize, count: usize, data: u32) -> [usize; 3] {
    [part(controls), part(number_column::directory_bytes(count)), part(data as usize)]
}

fn numbers_at(
    payload: &[u8],
    [controls, directory, data]: [usize; 3],
    count: usize,
    long: u8,
) -> Numbers<'_> {
    Numbers {
        count,
        controls: &payload[controls..directory],
        directory: &payload[directory..data],
        data: &payload[data..],
        long: usize::from(long),
    }
}

fn references_at(payload: &[u8], [controls, directory, data]: [usize; 3], count: usize) -> References<'_> {
    References {
        count,
        controls: &payload[controls..directory],
        directory: &payload[directory..data],
        data: &payload[data..],
    }
}

/// A column of codes.
#[derive(Clone, Copy)]
pub(super) struct Codes<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) wide: bool,
}

impl<'a> Codes<'a> {
    /// One code.
    #[inline]
    pub(super) fn get(&self, index: usize) -> usize {
        if self.wide {
            usize::from(u16::from_le_bytes([self.bytes[2 * index], self.bytes[2 * index + 1]]))
        } else {
            usize::from(self.bytes[index])
        }
    }

    /// The codes from an index to before another.
    pub(super) fn part(&self, from: usize, to: usize) -> Codes<'a> {
        let width = if self.wide { 2 } else { 1 };
        Codes { bytes: &self.bytes[from * width..to * width], wide: self.wide }
    }

    /// All codes, one after the other.
    #[inline]
    pub(super) fn for_each(&self, mut see: impl FnMut(usize)) {
        if self.wide {
            self.bytes
                .chunks_exact(2)
                .for_each(|bytes| see(usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))));
        } else {
            self.bytes.iter().for_each(|&byte| see(usize::from(byte)));
        }
    }

    /// The greatest code.
    pub(super) fn greatest(&self) -> Option<usize> {
        if self.wide {
            let codes = self.bytes.chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
            codes.max().map(usize::from)
        } else {
            self.bytes.iter().copied().max().map(usize::from)
        }
    }

    /// The codes in groups, as directories have them.
    pub(super) fn groups(&self, mut see: impl FnMut(Codes<'a>)) {
        let width = if self.wide { 2 } else { 1 };
        self.bytes.chunks(GROUP * width).for_each(|bytes| see(Codes { bytes, wide: self.wide }));
    }
}
