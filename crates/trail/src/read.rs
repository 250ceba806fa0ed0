//! Reading a recorded run.
//!
//! [`Trail`] answers about single nodes ([`Trail::shape`], [`Trail::references`], [`Trail::became`]) and gives whole
//! blocks of columns to those who look at everything ([`Trail::read_block`], [`Trail::for_each_node`]).
//!
//! Whatever is in the file, an answer is right or is "unknown": a parent is a node that comes before, a reference to a
//! node is one to a node of this trail, and what else it refers to is in the tables.

use super::block::{Block, Entry, Sort};
use super::error::{OpenError, Problem};
use super::layout::BLOCK_ROWS;
use super::map::Bytes;
use super::model::{Expression, NodeId, Position, RawRef, Ref, RunEnd, Shape, ShapeId, Tables, What};
use super::open::{self, Opened};
use super::outcomes::{self, Outcomes, Place};
use super::rows::Rows;
use std::path::Path;

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Became {
    /// Nothing was told: it was never evaluated, or is a value already.
    Nothing,
    /// A value, or another node that goes on; the expression that gave it (of a tail node: its own).
    Value(Ref, Position),
    /// An exception; the expression that raised it or waited.
    Raised(Ref, Position),
    /// The run ended while it was being evaluated; where it waited.
    Unfinished(Position),
}

/// A row about a node that was made before it, other than its outcome: [`What::Performed`], [`What::Continued`], [`What::Wrote`],
/// [`What::Omitted`], [`What::Changed`].
#[derive(Clone, Debug, PartialEq)]
pub struct LateRow {
    /// The row's shape.
    pub shape: Shape,
    /// The node it is about; none if it was on behalf of no node.
    pub node: NodeId,
    /// Its references.
    pub references: Vec<Ref>,
}

/// A recorded run.
#[derive(Debug)]
pub struct Trail {
    bytes: Bytes,
    version: u32,
    tables: Tables,
    shapes: Vec<Shape>,
    end: Option<RunEnd>,
    problems: Vec<Problem>,
    blocks: Vec<Block>,
    /// For every [`BLOCK_ROWS`] nodes: the block that the first of them is in. One more at the end.
    places: Vec<u32>,
    node_count: u64,
    outcomes: Outcomes,
}

impl Trail {
    /// Opens a file, as far as it is sound; [`Trail::problems`] says what is not. The file must not be changed while it is open.
    pub fn open(path: &Path) -> Result<Trail, OpenError> {
        Trail::of(Bytes::open(path).map_err(|error| OpenError::io(&error))?)
    }

    /// How many nodes a file says that it has, if it is complete. Nothing else of it is read, or verified.
    pub fn count_nodes(path: &Path) -> Option<u64> {
        open::count(&Bytes::open(path).ok()?)
    }

    /// Reads a trail that is in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Trail, OpenError> {
        Trail::of(Bytes::Held(bytes))
    }

    fn of(bytes: Bytes) -> Result<Trail, OpenError> {
        let Opened { version, tables, shapes, blocks, node_count, end, problems } = open::open(&bytes)?;
        let outcomes = Outcomes::find(&bytes, &blocks, node_count, open::threads());
        let places = places(&blocks, node_count);
        Ok(Trail { bytes, version, tables, shapes, end, problems, blocks, places, node_count, outcomes })
    }

    /// The version of the format that the file has.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The program's tables. Their indices can be followed without a look at the length.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// How the run ended; none if the recording is not complete.
    pub fn end(&self) -> Option<&RunEnd> {
        self.end.as_ref()
    }

    /// What is wrong with the file.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// How many bytes the file has.
    pub fn byte_count(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// How many nodes there are: they are 1 to this.
    pub fn node_count(&self) -> u64 {
        self.node_count
    }

    /// All shapes. What they are of is in the tables.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The shape of a node, as an index into [`Trail::shapes`]; none if there is no such node.
    pub fn shape_id(&self, node: NodeId) -> Option<ShapeId> {
        let (block, local) = self.find(node)?;
        Some(block.entry(block.payload(&self.bytes), local).shape)
    }

    /// The shape of a node. What is not in the trail is [`What::Suspended`], nowhere.
    pub fn shape(&self, node: NodeId) -> Shape {
        let nothing = Shape { what: What::Suspended, position: Position::NONE, count: 0, tail: false };
        self.shape_id(node).map_or(nothing, |id| self.shapes[id.0 as usize])
    }

    /// The parent of a node; none also if there is no such node.
    pub fn parent(&self, node: NodeId) -> NodeId {
        let Some((block, local)) = self.find(node) else { return NodeId::NONE };
        block.parent(block.payload(&self.bytes), local)
    }

    /// Appends the references of a node to `into`.
    pub fn references(&self, node: NodeId, into: &mut Vec<Ref>) {
        let Some((block, local)) = self.find(node) else { return };
        let payload = block.payload(&self.bytes);
        let count = block.entry(payload, local).count as usize;
        block.references(payload, local, 0, count, |reference| into.push(self.see(reference)));
    }

    /// One reference of a node, from 0; unknown if there is none.
    pub fn reference(&self, node: NodeId, index: usize) -> Ref {
        let mut found = Ref::Unknown;
        if let Some((block, local)) = self.find(node) {
            let payload = block.payload(&self.bytes);
            if index < block.entry(payload, local).count as usize {
                block.references(payload, local, index, 1, |reference| found = self.see(reference));
            }
        }
        found
    }

    /// What a word means: a reference that is sound, or unknown.
    pub fn see(&self, word: RawRef) -> Ref {
        let seen = word.see();
        let sound = match seen {
            Ref::Node(node) => node.0.wrapping_sub(1) < self.node_count,
            Ref::Char(code) => word.0 >> 3 <= 0x10_FFFF && code <= 0x10_FFFF,
            Ref::Constructor(index) => word.0 >> 35 == 0 && (index as usize) < self.tables.constructors.len(),
            Ref::Function(index) => word.0 >> 35 == 0 && (index as usize) < self.tables.functions.len(),
            Ref::Text { string, from } => {
                let string = self.tables.strings.get(string as usize);
                string.is_some_and(|string| from as usize <= string.len())
            }
            Ref::Int(_) | Ref::Double(_) | Ref::Unknown => true,
        };
        if sound { seen } else { Ref::Unknown }
    }

    /// What became of a node. If several rows say it, the last value counts, or if there is none, the last row.
    /// Who asks for all nodes asks [`Rows::became`].
    pub fn became(&self, node: NodeId) -> Became {
        let Some((block, local)) = self.find(node) else { return Became::Nothing };
        let payload = block.payload(&self.bytes);
        let entry = block.entry(payload, local);
        if let Some(later) = self.became_later(node, entry) {
            return later;
        }
        let reference = if entry.told > 0 { block.outcome(payload, local) } else { RawRef::UNKNOWN };
        entry.became(self.see(reference), |tail| self.shape(tail).position)
    }

    /// What a later row says of a node, if that counts more than what `entry` says.
    pub(super) fn became_later(&self, node: NodeId, entry: &Entry) -> Option<Became> {
        let number = self.outcomes.get(node)?;
        match outcomes::row(&self.bytes, &self.blocks, number)? {
            Place::Tail(tail) => Some(Became::Value(Ref::Node(tail), self.shape(tail).position)),
            Place::Telling(telling) if telling.sort == Sort::NoValue && entry.has_value() => None,
            Place::Telling(telling) => {
                let shape = self.shapes[telling.shape.0 as usize];
                let reference = self.see(telling.reference);
                Some(match shape.what {
                    What::Raised => Became::Raised(reference, shape.position),
                    What::Unfinished => Became::Unfinished(shape.position),
                    _ => Became::Value(reference, shape.position),
                })
            }
        }
    }

    /// Whether anything became of a node: as [`Trail::became`], but faster.
    pub fn has_become(&self, node: NodeId) -> bool {
        let Some((block, local)) = self.find(node) else { return false };
        let entry = block.entry(block.payload(&self.bytes), local);
        entry.has_become() || self.outcomes.get(node).is_some()
    }

    /// The rows about nodes other than their outcomes, in the order of the run.
    pub fn late_rows(&self) -> impl Iterator<Item = LateRow> + '_ {
        let some = |block: &&Block| block.telling_entries.iter().any(|entry| entry.sort == Sort::Other);
        self.blocks.iter().filter(some).flat_map(|block| {
            let mut all = Vec::new();
            block.for_each_telling(block.payload(&self.bytes), |entry, node, references| {
                if entry.sort == Sort::Other {
                    let shape = self.shapes[entry.shape.0 as usize];
                    let references = references.iter().map(|reference| self.see(*reference)).collect();
                    all.push(LateRow { shape, node, references });
                }
            });
            all
        })
    }

    /// How many blocks of nodes there are. They can be read in any order, by several threads.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Reads a block; an empty one if there is none with this number.
    pub fn read_block(&self, block: usize, rows: &mut Rows) {
        self.fill(block, true, rows);
    }

    /// Reads a block without its references, which is several times as fast.
    pub fn read_block_without_references(&self, block: usize, rows: &mut Rows) {
        self.fill(block, false, rows);
    }

    fn fill(&self, block: usize, with_references: bool, rows: &mut Rows) {
        rows.clear();
        if let Some(block) = self.blocks.get(block) {
            block.read(block.payload(&self.bytes), self.node_count, with_references, rows);
            rows.later.resize(rows.codes.len(), false);
            self.outcomes.mark(rows.first, &mut rows.later);
        }
    }

    /// All nodes in order: number, shape, parent, references.
    pub fn for_each_node(&self, mut see: impl FnMut(NodeId, ShapeId, NodeId, &[RawRef])) {
        let mut rows = Rows::default();
        for block in 0..self.block_count() {
            self.read_block(block, &mut rows);
            for (index, (shape, parent)) in rows.shapes.iter().zip(&rows.parents).enumerate() {
                see(NodeId(rows.first + index as u64), *shape, *parent, rows.references(index));
            }
        }
    }

    /// The expression at a position, if its code was recorded.
    pub fn expression(&self, position: Position) -> Option<&Expression> {
        let all = &self.tables.expressions;
        let at = all.binary_search_by_key(&position, |expression| expression.position).ok()?;
        all.get(at)
    }

    /// The source files that are not now what they were when the run was recorded. `read` gives the text that a path has
    /// now, or nothing if there is no such file: then there is nothing to compare, as on another machine.
    pub fn changed_sources(&self, read: impl Fn(&str) -> Option<String>) -> Vec<&str> {
        let changed =
            self.tables.files.iter().filter(|file| read(&file.path).is_some_and(|now| now != file.text));
        changed.map(|file| file.path.as_str()).collect()
    }

    pub(super) fn blocks(&self) -> (&[u8], &[Block]) {
        (&self.bytes, &self.blocks)
    }

    /// The block that a node is in, and its place there.
    #[inline]
    fn find(&self, node: NodeId) -> Option<(&Block, usize)> {
        if node.0 == 0 || node.0 > self.node_count {
            return None;
        }
        let place = (node.0 - 1) as usize / BLOCK_ROWS;
        let (from, to) = (self.places[place] as usize, self.places[place + 1] as usize);
        // Mostly there are one or two; a run that recorded little in a second has more.
        let after = from + self.blocks[from..=to].partition_point(|block| block.first() <= node.0);
        let block = &self.blocks[after.checked_sub(1)?];
        Some((block, (node.0 - block.first()) as usize))
    }
}

/// For every [`BLOCK_ROWS`] nodes: the block that the first of them is in; then the last block.
fn places(blocks: &[Block], node_count: u64) -> Vec<u32> {
    let firsts = (0..node_count.div_ceil(BLOCK_ROWS as u64)).map(|place| place * BLOCK_ROWS as u64 + 1);
    let place = |first: u64| blocks.partition_point(|block| block.first() <= first).saturating_sub(1) as u32;
    firsts.map(place).chain([blocks.len().saturating_sub(1) as u32]).collect()
}
