//! Rows into blocks of columns.
//!
//! What became of a node is mostly told soon after it was made, while its block is still being filled. Then it is written
//! beside the node: the dictionary has an entry for "this shape, and then that was told", and the reference that was
//! told follows the node's own. Only what is told later, or a second time, or is no outcome, is a *telling*, a row of the
//! block's second table. So a redex costs one code, one parent and its references, and a reader needs an index only for
//! the tellings.
//!
//! A tail node says by its shape that its parent became it; so that a reader who asks for the parent need not search, that
//! is written beside the parent as well. Where the parent is in an earlier block, the dictionary's entry of the tail node
//! says so ([`TELLS`]), and the reader's index has it.

use super::layout::{BLOCK_HEADER, BLOCK_REFERENCES, BLOCK_ROWS, Header, Kind, NOT_TOLD, SLACK, Sizes};
use super::layout::{SHAPES, TAIL, TELLS, checksum, code_width};
use super::model::{Shape, What};
use super::numbers::{self, GROUP};
use super::words;
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
    nodes: Vec<Node>,
    /// The bits that distances of parents have.
    farthest: u64,
    /// The references of the nodes.
    references: Vec<u64>,
    /// How many outcomes with a reference are beside nodes.
    outcomes: usize,
    tellings: Tellings,
    columns: Columns,
}

/// A node, before it is encoded.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u64,
    /// The reference of what was told.
    became: u64,
    /// The shape, perhaps with [`TELLS`].
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

/// The columns of a table while they are encoded.
#[derive(Debug, Default)]
struct Columns {
    codes: Dictionary,
    nodes: numbers::Encoder,
    /// For every group of rows: how many references come before.
    starts: Vec<u32>,
    references: words::Encoder,
}

impl Packer {
    pub(super) fn new() -> Packer {
        Packer { first: 1, ..Packer::default() }
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
                    self.farthest |= distance(id, node);
                    if node >= id {
                        return Err(Malformed(format!("the parent of node {id} is {node}")));
                    }
                    let untold = role == Role::TailNode && node != 0 && !self.beside(TAIL, node, &[id << 3]);
                    self.nodes.push(Node {
                        parent: node,
                        became: 0,
                        shape: if untold { shape | TELLS } else { shape },
                        told: NOT_TOLD,
                    });
                    self.references.extend_from_slice(references);
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
            self.outcomes += 1;
        }
        true
    }

    /// The number of the next node.
    pub(super) fn next(&self) -> u64 {
        self.first + self.nodes.len() as u64
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= BLOCK_ROWS
            || self.tellings.shapes.len() >= BLOCK_ROWS
            || self.references.len() >= FULL
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
        let references = self.references.len() + self.outcomes;
        if references.max(self.tellings.references.len()) as u64 > BLOCK_REFERENCES {
            return Err(Malformed(format!("a row has more than {BLOCK_REFERENCES} references")));
        }
        let base = self.next();
        out.clear();
        out.resize(BLOCK_HEADER + Sizes::LENGTH, 0);
        let mut sizes = Sizes::default();
        // The tellings' dictionary stands before the nodes' columns, and is known only afterwards.
        let mut rest = Vec::new();
        self.encode_tellings(base, &mut sizes, &mut rest);
        let tellings = std::mem::take(&mut self.columns.codes.entries);
        self.encode_nodes(references);
        sizes.entries = self.columns.codes.entries.len() as u32;
        for (shape, told) in &self.columns.codes.entries {
            out.extend(shape.to_le_bytes());
            out.extend(told.to_le_bytes());
        }
        for (shape, _) in &tellings {
            out.extend(shape.to_le_bytes());
        }
        sizes.parents_long = numbers::long(self.farthest) as u8;
        (sizes.parents, sizes.references) = self.columns.write(out);
        out.extend_from_slice(&rest);
        out.resize((out.len() + SLACK).next_multiple_of(8), 0);
        out[BLOCK_HEADER..BLOCK_HEADER + Sizes::LENGTH].copy_from_slice(&sizes.encode());
        let header = Header {
            kind: Kind::Rows,
            length: (out.len() - BLOCK_HEADER) as u64,
            first: self.first,
            count: self.nodes.len() as u32,
            tellings: self.tellings.shapes.len() as u32,
            references: references as u32,
            told: self.tellings.references.len() as u32,
            serial,
            payload: checksum(&out[BLOCK_HEADER..]),
        };
        out[..BLOCK_HEADER].copy_from_slice(&header.encode());
        self.first = base;
        self.nodes.clear();
        self.farthest = 0;
        self.references.clear();
        self.references.shrink_to(2 * FULL);
        self.outcomes = 0;
        self.tellings.clear();
        self.columns.references.shrink(2 * FULL);
        Ok(())
    }

    /// The nodes' columns: each node's references are followed by that of what it became.
    fn encode_nodes(&mut self, count: usize) {
        self.columns.begin(self.nodes.len(), numbers::long(self.farthest), count);
        let mut rest = self.references.as_slice();
        for (index, node) in self.nodes.iter().enumerate() {
            let own = self.first + index as u64;
            self.columns.row(index, node.shape, node.told);
            self.columns.nodes.push(node.parent, distance(own, node.parent));
            let (references, others) =
                rest.split_at(self.shapes[(node.shape & !TELLS) as usize].count as usize);
            rest = others;
            for word in references {
                self.columns.references.push(own, *word);
            }
            if node.told != NOT_TOLD && (node.told == TAIL || self.shapes[node.told as usize].count == 1) {
                self.columns.references.push(own, node.became);
            }
        }
    }

    /// The tellings' columns: their nodes and references are counted from the end of the block.
    fn encode_tellings(&mut self, base: u64, sizes: &mut Sizes, out: &mut Vec<u8>) {
        let first = self.tellings.nodes.iter().copied().filter(|node| *node != 0).min();
        let long = numbers::long(first.map_or(0, |first| distance(base, first)));
        self.columns.begin(self.tellings.shapes.len(), long, self.tellings.references.len());
        let mut rest = self.tellings.references.as_slice();
        for (index, (shape, node)) in self.tellings.shapes.iter().zip(&self.tellings.nodes).enumerate() {
            self.columns.row(index, *shape, NOT_TOLD);
            self.columns.nodes.push(*node, distance(base, *node));
            let (references, others) = rest.split_at(self.shapes[*shape as usize].count as usize);
            rest = others;
            for word in references {
                self.columns.references.push(base, *word);
            }
        }
        sizes.telling_entries = self.columns.codes.entries.len() as u32;
        sizes.told_of_long = long as u8;
        (sizes.told_of, sizes.told) = self.columns.write(out);
    }
}

/// How far a node is before another; 0 if it is none.
#[inline]
fn distance(from: u64, node: u64) -> u64 {
    if node == 0 { 0 } else { from.wrapping_sub(node) }
}

impl Columns {
    fn begin(&mut self, rows: usize, long: usize, references: usize) {
        self.codes.begin();
        self.nodes.begin(rows, long);
        self.starts.clear();
        self.references.begin(references);
    }

    /// A row, before its node and references.
    #[inline]
    fn row(&mut self, index: usize, shape: u32, told: u32) {
        if index.is_multiple_of(GROUP) {
            self.starts.push(self.references.count() as u32);
        }
        self.codes.push((shape, told));
    }

    /// Appends all but the dictionary to `out`; gives the lengths of the nodes' and the references' data.
    fn write(&mut self, out: &mut Vec<u8>) -> (u32, u32) {
        self.codes.write(out);
        let nodes = self.nodes.end(out);
        out.extend(self.starts.iter().flat_map(|start| start.to_le_bytes()));
        (nodes as u32, self.references.end(out) as u32)
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
const RECENT: usize = 1 << 12;

impl Dictionary {
    fn begin(&mut self) {
        self.entries.clear();
        self.codes.clear();
        self.numbers.clear();
        self.recent.clear();
        // No shape has this number, so nobody finds what is not there.
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
