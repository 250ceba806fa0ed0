//! Rows into blocks of columns.
//!
//! What became of a node is mostly told soon after it was made, while its block is still being filled. Then it is written
//! beside the node: the dictionary has an entry for "this shape, and then that was told", and the reference that was
//! told follows the node's own. Only what is told later, or a second time, or is no outcome, is a *telling*, a row of the
//! block's second table. So a redex costs one code, one parent and its references, and a reader needs an index only for
//! the tellings.
//!
//! A tail node says by its shape that its parent became it; so that a reader who asks for the parent need not search, that
//! is written beside the parent as well, or as a telling.

use super::layout::{BLOCK_HEADER, BLOCK_REFERENCES, BLOCK_ROWS, Header, Kind, NOT_TOLD, SLACK, Sizes, TAIL};
use super::layout::{checksum, code_width};
use super::model::{Shape, What};
use super::numbers::{self, GROUP};
use super::words::Words;
use rustc_hash::FxHashMap;

/// Rows that cannot be: a defect of whoever made them.
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
#[derive(Debug, Default)]
pub(super) struct Packer {
    shapes: Vec<Kept>,
    /// The first node of the block.
    first: u64,
    nodes: Nodes,
    tellings: Tellings,
    codes: Dictionary,
    telling_codes: Dictionary,
}

/// The columns of the nodes, before they are encoded.
#[derive(Debug, Default)]
struct Nodes {
    shapes: Vec<u32>,
    /// The distance from the parent, or 0.
    parents: Vec<u64>,
    references: Vec<u64>,
    /// The shape of what was told, or [`NOT_TOLD`] or [`TAIL`].
    told: Vec<u32>,
    /// Its reference.
    became: Vec<u64>,
    /// How many outcomes with a reference there are.
    outcomes: usize,
}

/// The columns of the tellings, before they are encoded.
#[derive(Debug, Default)]
struct Tellings {
    shapes: Vec<u32>,
    nodes: Vec<u64>,
    references: Vec<u64>,
}

impl Packer {
    pub(super) fn new() -> Packer {
        Packer { first: 1, ..Packer::default() }
    }

    /// A new shape.
    pub(super) fn shape(&mut self, shape: &Shape) {
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
                    self.nodes.shapes.push(shape);
                    self.nodes.parents.push(if node == 0 { 0 } else { id - node });
                    self.nodes.references.extend_from_slice(references);
                    self.nodes.told.push(NOT_TOLD);
                    self.nodes.became.push(0);
                    if role == Role::TailNode && node != 0 {
                        self.tell(TAIL, node, &[id << 3]);
                    }
                }
                Role::Outcome | Role::Telling => {
                    if node >= self.next() {
                        return Err(Malformed(format!(
                            "something is told of node {node}, which was not made"
                        )));
                    }
                    if role == Role::Outcome {
                        self.tell(shape, node, references);
                    } else {
                        self.tellings.push(shape, node, references);
                    }
                }
            }
            at += 2 + count;
        }
        Ok(at)
    }

    /// An outcome: beside its node, if that is here and has none.
    #[inline]
    fn tell(&mut self, shape: u32, node: u64, references: &[u64]) {
        if node >= self.first {
            let local = (node - self.first) as usize;
            if self.nodes.told[local] == NOT_TOLD {
                self.nodes.told[local] = shape;
                if let [reference] = references {
                    self.nodes.became[local] = *reference;
                    self.nodes.outcomes += 1;
                }
                return;
            }
        }
        self.tellings.push(shape, node, references);
    }

    /// The number of the next node.
    pub(super) fn next(&self) -> u64 {
        self.first + self.nodes.shapes.len() as u64
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.shapes.len() >= BLOCK_ROWS
            || self.tellings.shapes.len() >= BLOCK_ROWS
            || self.nodes.references.len() >= FULL
            || self.tellings.references.len() >= FULL
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.shapes.is_empty() && self.tellings.shapes.is_empty()
    }

    /// How many tellings are in the block.
    pub(super) fn tellings(&self) -> usize {
        self.tellings.shapes.len()
    }

    /// Writes the block, header and payload, into `out`, and begins the next one.
    pub(super) fn seal(&mut self, serial: u64, out: &mut Vec<u8>) -> Result<(), Malformed> {
        let references = self.nodes.references.len() + self.nodes.outcomes;
        if references.max(self.tellings.references.len()) as u64 > BLOCK_REFERENCES {
            return Err(Malformed(format!("a row has more than {BLOCK_REFERENCES} references")));
        }
        self.codes
            .assign(self.nodes.shapes.iter().zip(&self.nodes.told).map(|(shape, told)| (*shape, *told)));
        self.telling_codes.assign(self.tellings.shapes.iter().map(|shape| (*shape, NOT_TOLD)));
        out.clear();
        out.resize(BLOCK_HEADER + Sizes::LENGTH, 0);
        for (shape, told) in &self.codes.entries {
            out.extend(shape.to_le_bytes());
            out.extend(told.to_le_bytes());
        }
        for (shape, _) in &self.telling_codes.entries {
            out.extend(shape.to_le_bytes());
        }
        let mut sizes = Sizes {
            entries: self.codes.entries.len() as u32,
            telling_entries: self.telling_codes.entries.len() as u32,
            ..Sizes::default()
        };
        self.codes.write(out);
        sizes.parents = numbers::encode(&self.nodes.parents, out) as u32;
        sizes.references = self.seal_references(references, out) as u32;

        self.telling_codes.write(out);
        let base = self.next();
        self.tellings.nodes.iter_mut().for_each(|node| *node = base - *node);
        sizes.told_of = numbers::encode(&self.tellings.nodes, out) as u32;
        sizes.told = self.seal_told(base, out) as u32;

        out.resize((out.len() + SLACK).next_multiple_of(8), 0);
        out[BLOCK_HEADER..BLOCK_HEADER + Sizes::LENGTH].copy_from_slice(&sizes.encode());
        let header = Header {
            kind: Kind::Rows,
            length: (out.len() - BLOCK_HEADER) as u64,
            first: self.first,
            count: self.nodes.shapes.len() as u32,
            tellings: self.tellings.shapes.len() as u32,
            references: references as u32,
            told: self.tellings.references.len() as u32,
            serial,
            payload: checksum(&out[BLOCK_HEADER..]),
        };
        out[..BLOCK_HEADER].copy_from_slice(&header.encode());
        self.first = base;
        self.nodes.clear();
        self.tellings.clear();
        Ok(())
    }

    /// The directory of where the references of every group of nodes begin, and the references, each node's followed by
    /// what it became.
    fn seal_references(&mut self, count: usize, out: &mut Vec<u8>) -> usize {
        let starts = out.len();
        out.resize(starts + numbers::directory_bytes(self.nodes.shapes.len()), 0);
        let mut words = Words::begin(count, out);
        let mut rest = self.nodes.references.as_slice();
        let mut before = 0;
        for (index, shape) in self.nodes.shapes.iter().enumerate() {
            if index % GROUP == 0 {
                let at = starts + index / GROUP * 4;
                out[at..at + 4].copy_from_slice(&(before as u32).to_le_bytes());
            }
            let own = self.first + index as u64;
            let (references, others) = rest.split_at(self.shapes[*shape as usize].count as usize);
            rest = others;
            words.push(own, references, out);
            before += references.len();
            let told = self.nodes.told[index];
            if told != NOT_TOLD && (told == TAIL || self.shapes[told as usize].count == 1) {
                words.push(own, &[self.nodes.became[index]], out);
                before += 1;
            }
        }
        words.end(out)
    }

    /// The same for the tellings.
    fn seal_told(&mut self, base: u64, out: &mut Vec<u8>) -> usize {
        let starts = out.len();
        out.resize(starts + numbers::directory_bytes(self.tellings.shapes.len()), 0);
        let mut words = Words::begin(self.tellings.references.len(), out);
        let mut before = 0;
        for (index, shape) in self.tellings.shapes.iter().enumerate() {
            if index % GROUP == 0 {
                let at = starts + index / GROUP * 4;
                out[at..at + 4].copy_from_slice(&(before as u32).to_le_bytes());
            }
            before += if *shape == TAIL { 1 } else { self.shapes[*shape as usize].count as usize };
        }
        words.push(base, &self.tellings.references, out);
        words.end(out)
    }
}

impl Nodes {
    fn clear(&mut self) {
        self.shapes.clear();
        self.parents.clear();
        self.references.clear();
        self.references.shrink_to(2 * FULL);
        self.told.clear();
        self.became.clear();
        self.outcomes = 0;
    }
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
const RECENT: usize = 1 << 10;

impl Dictionary {
    fn assign(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.entries.clear();
        self.codes.clear();
        self.numbers.clear();
        self.recent.clear();
        // No shape has this number, so nobody finds what is not there.
        self.recent.resize(RECENT, ((u32::MAX, 0), 0));
        for pair in pairs {
            let place = pair.0.wrapping_mul(0x9E37_79B1) ^ pair.1.wrapping_mul(0x85EB_CA77);
            let recent = &mut self.recent[(place >> 22) as usize];
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
    }

    fn write(&self, out: &mut Vec<u8>) {
        if code_width(self.entries.len()) == 1 {
            out.extend(self.codes.iter().map(|code| *code as u8));
        } else {
            out.extend(self.codes.iter().flat_map(|code| code.to_le_bytes()));
        }
    }
}
