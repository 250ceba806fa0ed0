//! Rows into blocks of columns.
//!
//! What became of a node is mostly told soon after it was made, while its block is still being filled. Then it is written
//! beside the node: the dictionary has an entry for "this shape, and then that was told", and the reference that was
//! told is in a column of its own. Only what is told later, or a second time, or is no outcome, is a *telling*, a row of
//! the block's second table. So a redex costs one code, one parent and its references, and a reader needs an index only for
//! the tellings.
//!
//! A tail node says by its shape that its parent became it; that is written beside the parent as well, so that a reader
//! who asks about the parent need not search. Where the parent is in an earlier block, the tail node is in a list of those that
//! tell something, and the reader's index has it.

use super::layout::{BLOCK_HEADER, BLOCK_REFERENCES, BLOCK_ROWS, Header, Kind, NOT_TOLD, SLACK, Sizes};
use super::layout::{SHAPES, TAIL, checksum, code_width};
use super::model::{Shape, What};
use super::number_column::{self, GROUP};
use super::reference_column;
use rustc_hash::FxHashMap;

/// Rows that contradict themselves: a defect of the recorder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) String);

/// References after which a block is full, however few its nodes are.
const FULL: usize = 1 << 19;

/// What is needed of a shape for every row.
#[derive(Clone, Copy, Debug)]
struct Kept {
    count: u32,
    role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Node,
    TailNode,
    /// What became of a node, with at most one reference.
    Outcome,
    Telling,
}

/// The block that is being filled.
///
/// What is known of a row when it comes is encoded at once: the parents and the references of nodes. What may be told of a
/// node later, and what is counted from the end of the block, waits for the end.
#[derive(Debug, Default)]
pub(super) struct Packer {
    /// After so many rows of a kind the block is full.
    rows: usize,
    shapes: Vec<Kept>,
    /// The first node of the block.
    first: u64,
    nodes: Vec<Node>,
    parents: number_column::Encoder,
    references: Referring,
    outcomes: Referring,
    /// The rows of tail nodes beside whose parents nothing could be written.
    tails: Vec<u16>,
    tellings: Tellings,
    told_of: number_column::Encoder,
    told: Referring,
    codes: Dictionary,
    telling_codes: Dictionary,
}

/// What is still to be encoded of a node.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The reference of what was told.
    became: u64,
    shape: u32,
    /// The shape of what was told, or [`NOT_TOLD`] or [`TAIL`].
    told: u32,
}

/// The tellings, before they are encoded.
#[derive(Debug, Default)]
struct Tellings {
    shapes: Vec<u32>,
    nodes: Vec<u64>,
    references: Vec<u64>,
}

/// A column of references with its directory: for every group of rows, how many references come before.
#[derive(Debug, Default)]
struct Referring {
    starts: Vec<u32>,
    words: reference_column::Encoder,
}

impl Referring {
    fn begin(&mut self) {
        self.starts.clear();
        self.words.begin();
        self.words.shrink(2 * FULL);
    }

    /// The next row begins, at this place in the table.
    #[inline]
    fn row(&mut self, index: usize) {
        if index.is_multiple_of(GROUP) {
            self.starts.push(self.words.count() as u32);
        }
    }

    /// Appends the directory and the column to `out`; gives the length of the data.
    fn write(&mut self, out: &mut Vec<u8>) -> u32 {
        out.extend(self.starts.iter().flat_map(|start| start.to_le_bytes()));
        self.words.end(out) as u32
    }
}

impl Packer {
    pub(super) fn new() -> Packer {
        let mut packer = Packer { rows: BLOCK_ROWS, first: 1, ..Packer::default() };
        packer.begin();
        packer
    }

    /// Begins a block.
    fn begin(&mut self) {
        self.nodes.clear();
        self.parents.begin(BLOCK_ROWS, self.first + BLOCK_ROWS as u64);
        self.references.begin();
        self.outcomes.begin();
        self.tails.clear();
        self.tellings.clear();
    }

    /// A new shape.
    pub(super) fn shape(&mut self, shape: &Shape) -> Result<(), Malformed> {
        if self.shapes.len() >= SHAPES as usize {
            return Err(Malformed("there are too many shapes".into()));
        }
        let role = match shape.what {
            what if what.is_node() => {
                if shape.tail {
                    Role::TailNode
                } else {
                    Role::Node
                }
            }
            What::Became | What::Raised | What::Unfinished if shape.count <= 1 => Role::Outcome,
            _ => Role::Telling,
        };
        self.shapes.push(Kept { count: shape.count, role });
        Ok(())
    }

    /// Takes rows from `chunk`, from `at` on, until they are all taken or the block is full; gives where it stopped.
    pub(super) fn take(&mut self, chunk: &[u64], mut at: usize) -> Result<usize, Malformed> {
        while at < chunk.len() && !self.is_full() {
            let shape = chunk[at] as u32;
            let count = (chunk[at] >> 32) as usize;
            let Some(row) = chunk.get(at + 1..at + 2 + count) else {
                return Err(Malformed("a row ends behind its chunk".into()));
            };
            let Some(kept) = self.shapes.get(shape as usize) else {
                return Err(Malformed(format!("a row has the shape {shape}, which was not defined")));
            };
            if kept.count as usize != count {
                let should = kept.count;
                return Err(Malformed(format!(
                    "a row of the shape {shape} has {count} references, not {should}"
                )));
            }
            let role = kept.role;
            let (node, references) = (row[0], &row[1..]);
            match role {
                Role::Node | Role::TailNode => {
                    let id = self.next();
                    if node >= id {
                        return Err(Malformed(format!("the parent of node {id} is {node}")));
                    }
                    if role == Role::TailNode && node != 0 && !self.beside(TAIL, node, &[id << 3]) {
                        self.tails.push(self.nodes.len() as u16);
                    }
                    self.references.row(self.nodes.len());
                    self.references.words.push(id, references);
                    self.parents.push(node, distance(id, node));
                    self.nodes.push(Node { became: 0, shape, told: NOT_TOLD });
                }
                Role::Outcome | Role::Telling => {
                    if node >= self.next() {
                        return Err(Malformed(format!(
                            "something is told of node {node}, which was not made"
                        )));
                    }
                    if role != Role::Outcome || !self.beside(shape, node, references) {
                        self.tellings.push(shape, node, references);
                    }
                }
            }
            at += 2 + count;
        }
        Ok(at)
    }

    /// Writes an outcome beside its node, if that is here and has none.
    #[inline]
    fn beside(&mut self, shape: u32, node: u64, references: &[u64]) -> bool {
        let local = node.wrapping_sub(self.first) as usize;
        let Some(node) = self.nodes.get_mut(local).filter(|node| node.told == NOT_TOLD) else { return false };
        node.told = shape;
        if let [reference] = references {
            node.became = *reference;
        }
        true
    }

    /// The number of the next node.
    pub(super) fn next(&self) -> u64 {
        self.first + self.nodes.len() as u64
    }

    /// Has blocks end after so many rows, if that is less than usual.
    pub(super) fn limit_rows(&mut self, rows: u64) {
        self.rows = usize::try_from(rows).unwrap_or(BLOCK_ROWS).min(BLOCK_ROWS);
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= self.rows
            || self.tellings.shapes.len() >= self.rows
            || self.references.words.count() >= FULL
            || self.tellings.references.len() >= FULL
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.tellings.shapes.is_empty()
    }

    /// How many tellings are in the block.
    pub(super) fn tellings(&self) -> usize {
        self.tellings.shapes.len()
    }

    /// Writes the block, header and payload, into `out`, and begins the next one.
    pub(super) fn seal(&mut self, serial: u64, out: &mut Vec<u8>) -> Result<(), Malformed> {
        let (references, told) = (self.references.words.count(), self.tellings.references.len());
        if references.max(told) as u64 > BLOCK_REFERENCES {
            return Err(Malformed(format!("a row has more than {BLOCK_REFERENCES} references")));
        }
        let base = self.next();
        self.encode_outcomes();
        self.encode_tellings(base);
        out.clear();
        out.resize(BLOCK_HEADER + Sizes::LENGTH, 0);
        for (shape, told) in &self.codes.entries {
            out.extend(shape.to_le_bytes());
            out.extend(told.to_le_bytes());
        }
        for (shape, _) in &self.telling_codes.entries {
            out.extend(shape.to_le_bytes());
        }
        // The columns in their order.
        self.codes.write(out);
        let parents = self.parents.end(out) as u32;
        let references_data = self.references.write(out);
        let outcomes_data = self.outcomes.write(out);
        out.extend(self.tails.iter().flat_map(|row| row.to_le_bytes()));
        self.telling_codes.write(out);
        let told_of = self.told_of.end(out) as u32;
        let told_data = self.told.write(out);
        out.resize((out.len() + SLACK).next_multiple_of(8), 0);
        let sizes = Sizes {
            entries: self.codes.entries.len() as u32,
            telling_entries: self.telling_codes.entries.len() as u32,
            parents,
            references: references_data,
            outcomes: self.outcomes.words.count() as u32,
            outcomes_data,
            tails: self.tails.len() as u32,
            told_of,
            told: told_data,
            parents_long: self.parents.long(),
            told_of_long: self.told_of.long(),
        };
        out[BLOCK_HEADER..BLOCK_HEADER + Sizes::LENGTH].copy_from_slice(&sizes.encode());
        let header = Header {
            kind: Kind::Rows,
            length: (out.len() - BLOCK_HEADER) as u64,
            first: self.first,
            count: self.nodes.len() as u32,
            tellings: self.tellings.shapes.len() as u32,
            references: references as u32,
            told: told as u32,
            serial,
            payload: checksum(&out[BLOCK_HEADER..]),
        };
        out[..BLOCK_HEADER].copy_from_slice(&header.encode());
        self.first = base;
        self.begin();
        Ok(())
    }

    /// The nodes' codes, and what they became.
    fn encode_outcomes(&mut self) {
        self.codes.begin();
        for (index, node) in self.nodes.iter().enumerate() {
            self.codes.push((node.shape, node.told));
            self.outcomes.row(index);
            if node.told != NOT_TOLD && (node.told == TAIL || self.shapes[node.told as usize].count == 1) {
                self.outcomes.words.push(self.first + index as u64, &[node.became]);
            }
        }
    }

    /// The tellings: their nodes and references are counted from the end of the block.
    fn encode_tellings(&mut self, base: u64) {
        let first = self.tellings.nodes.iter().copied().filter(|node| *node != 0).min();
        self.telling_codes.begin();
        self.told_of.begin(self.tellings.shapes.len(), first.map_or(0, |first| distance(base, first)));
        self.told.begin();
        let mut rest = self.tellings.references.as_slice();
        for (index, (shape, node)) in self.tellings.shapes.iter().zip(&self.tellings.nodes).enumerate() {
            self.telling_codes.push((*shape, NOT_TOLD));
            self.told_of.push(*node, distance(base, *node));
            self.told.row(index);
            let (references, others) = rest.split_at(self.shapes[*shape as usize].count as usize);
            rest = others;
            self.told.words.push(base, references);
        }
    }
}

/// How far a node is before another; 0 if it is none.
#[inline]
fn distance(from: u64, node: u64) -> u64 {
    if node == 0 { 0 } else { from.wrapping_sub(node) }
}

impl Tellings {
    fn push(&mut self, shape: u32, node: u64, references: &[u64]) {
        self.shapes.push(shape);
        self.nodes.push(node);
        self.references.extend_from_slice(references);
    }

    fn clear(&mut self) {
        self.shapes.clear();
        self.nodes.clear();
        self.references.clear();
        self.references.shrink_to(2 * FULL);
    }
}

/// What the codes of a block mean: pairs of a shape and what was told, in the order in which they first come.
#[derive(Debug, Default)]
struct Dictionary {
    entries: Vec<(u32, u32)>,
    codes: Vec<u16>,
    /// The code of every pair.
    numbers: FxHashMap<(u32, u32), u16>,
    /// The pair that was met last of those that share a place here, and its code: most rows find theirs.
    recent: Vec<((u32, u32), u16)>,
}

/// Places for recent pairs.
const RECENT: usize = 1 << 12;

impl Dictionary {
    fn begin(&mut self) {
        self.entries.clear();
        self.codes.clear();
        self.numbers.clear();
        self.recent.clear();
        // No shape has this number, so a search for it finds nothing.
        self.recent.resize(RECENT, ((u32::MAX, 0), 0));
    }

    #[inline]
    fn push(&mut self, pair: (u32, u32)) {
        let place = pair.0.wrapping_mul(0x9E37_79B1) ^ pair.1.wrapping_mul(0x85EB_CA77);
        let recent = &mut self.recent[(place >> 20) as usize];
        if recent.0 != pair {
            let entries = &mut self.entries;
            let code = *self.numbers.entry(pair).or_insert_with(|| {
                entries.push(pair);
                (entries.len() - 1) as u16
            });
            *recent = (pair, code);
        }
        self.codes.push(recent.1);
    }

    fn write(&self, out: &mut Vec<u8>) {
        if code_width(self.entries.len()) == 1 {
            out.extend(self.codes.iter().map(|code| *code as u8));
        } else {
            out.extend(self.codes.iter().flat_map(|code| code.to_le_bytes()));
        }
    }
}
