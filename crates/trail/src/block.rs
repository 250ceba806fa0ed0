//! A block of rows in the file: one row of it, and all of them.
//!
//! A block is verified before anything is read ([`Block::verify`]): its columns have the lengths that the header says, its
//! codes are in its dictionary, the dictionary's shapes are known, and the directories fit. So reading needs no
//! errors. What single values say (a parent, a reference) is checked when they are read, because that is cheaper than
//! checking all of them.

use super::layout::{Header, Layout, NOT_TOLD, TAIL};
use super::model::{NodeId, Position, RawRef, Ref, Shape, ShapeId, What};
use super::number_column::{GROUP, entry};
use super::read::Became;
use super::rows::Rows;

/// What a code of a node means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) shape: ShapeId,
    /// How many references the node has.
    pub(super) count: u32,
    /// Whether there is one to what it became: 0 or 1.
    pub(super) told: u32,
    /// What sort of outcome that is, and where it was given; of a tail node its own position counts.
    pub(super) outcome: Outcome,
    pub(super) position: Position,
}

/// What was told beside a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Nothing,
    Tail,
    Value,
    Raised,
    Unfinished,
}

const OUTCOME: u64 = 1 << 48;

impl Entry {
    /// What a code means, given its shape and the outcome beside it, or why there cannot be such a code.
    fn new(shape: u32, told: u32, shapes: &[Shape]) -> Result<Entry, &'static str> {
        let found = shapes.get(shape as usize).filter(|shape| shape.what.is_node());
        let count = found.ok_or("its dictionary has a shape that is no node's")?.count;
        let (outcome, position, told) = match told {
            NOT_TOLD => (Outcome::Nothing, Position::NONE, 0),
            TAIL => (Outcome::Tail, Position::NONE, 1),
            told => {
                let found = shapes.get(told as usize).filter(|shape| shape.count <= 1);
                let found = found.ok_or("its dictionary tells something that is not there")?;
                let outcome = match found.what {
                    What::Became => Outcome::Value,
                    What::Raised => Outcome::Raised,
                    What::Unfinished => Outcome::Unfinished,
                    _ => return Err("its dictionary tells something that is no outcome"),
                };
                (outcome, found.position, found.count)
            }
        };
        Ok(Entry { shape: ShapeId(shape), count, told, outcome, position })
    }

    /// How many references the node has, and whether one to what it became, in units of [`OUTCOME`].
    fn counts(&self) -> u64 {
        u64::from(self.count) + OUTCOME * u64::from(self.told)
    }

    /// Whether something is told beside the node.
    pub(super) fn has_become(&self) -> bool {
        self.outcome != Outcome::Nothing
    }

    /// Whether that is a value.
    pub(super) fn has_value(&self) -> bool {
        matches!(self.outcome, Outcome::Value | Outcome::Tail)
    }

    /// What became of the node: `reference`, unless it is a tail node, which `tail` tells.
    pub(super) fn became(&self, reference: Ref, tail: impl FnOnce(NodeId) -> Position) -> Became {
        match (self.outcome, reference) {
            (Outcome::Nothing, _) => Became::Nothing,
            (Outcome::Tail, Ref::Node(node)) => Became::Value(reference, tail(node)),
            (Outcome::Tail | Outcome::Value, _) => Became::Value(reference, self.position),
            (Outcome::Raised, _) => Became::Raised(reference, self.position),
            (Outcome::Unfinished, _) => Became::Unfinished(self.position),
        }
    }
}

/// What a code of a telling means.
#[derive(Clone, Copy, Debug)]
pub(super) struct TellingEntry {
    pub(super) shape: ShapeId,
    pub(super) count: u32,
    pub(super) sort: Sort,
}

/// What a telling is to the node it tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// What it became.
    Value,
    /// Why it became nothing.
    NoValue,
    /// Something else.
    Other,
}

impl Sort {
    pub(super) fn of(what: What) -> Sort {
        match what {
            What::Became => Sort::Value,
            What::Raised | What::Unfinished => Sort::NoValue,
            _ => Sort::Other,
        }
    }
}

/// A row that tells something of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Telling {
    pub(super) shape: ShapeId,
    pub(super) sort: Sort,
    /// The first reference.
    pub(super) reference: RawRef,
}

/// A verified block.
#[derive(Debug)]
pub(super) struct Block {
    /// Where its payload begins in the file.
    pub(super) offset: usize,
    pub(super) layout: Layout,
    pub(super) entries: Box<[Entry]>,
    pub(super) telling_entries: Box<[TellingEntry]>,
    /// How many tellings the blocks before have.
    pub(super) tellings_before: u64,
}

impl Block {
    /// Looks at everything that reading relies on.
    pub(super) fn verify(
        header: Header,
        offset: usize,
        payload: &[u8],
        shapes: &[Shape],
    ) -> Result<Block, &'static str> {
        let layout = Layout::of(header, payload).ok_or("its parts are not as long as it says")?;
        let mut entries = Vec::with_capacity(layout.sizes.entries as usize);
        for (shape, told) in layout.dictionary(payload) {
            entries.push(Entry::new(shape, told, shapes)?);
        }
        let mut telling_entries = Vec::with_capacity(layout.sizes.telling_entries as usize);
        for shape in layout.telling_dictionary(payload) {
            let found = shapes.get(shape as usize).filter(|shape| !shape.what.is_node());
            let found = found.ok_or("its dictionary has a shape that tells nothing")?;
            telling_entries.push(TellingEntry {
                shape: ShapeId(shape),
                count: found.count,
                sort: Sort::of(found.what),
            });
        }
        let block = Block {
            offset,
            layout,
            entries: entries.into(),
            telling_entries: telling_entries.into(),
            tellings_before: 0,
        };
        block.verify_columns(payload)?;
        block.verify_tails(payload, shapes)?;
        Ok(block)
    }

    fn verify_columns(&self, payload: &[u8]) -> Result<(), &'static str> {
        let layout = &self.layout;
        let sizes = layout.sizes;
        let (nodes, tellings) = (layout.codes(payload), layout.telling_codes(payload));
        if nodes.greatest().is_some_and(|code| code >= self.entries.len())
            || tellings.greatest().is_some_and(|code| code >= self.telling_entries.len())
        {
            return Err("a row of it has a shape that is not in the dictionary");
        }
        // Both counts in one number: a group has at most 64 · 2³² references.
        let counts: Vec<u64> = self.entries.iter().map(Entry::counts).collect();
        let mut references = Starts::new(layout.starts(payload));
        let mut outcomes = Starts::new(layout.outcome_starts(payload));
        nodes.groups(|codes| {
            let mut sum = 0;
            codes.for_each(|code| sum += counts[code]);
            references.group(sum & (OUTCOME - 1));
            outcomes.group(sum / OUTCOME);
        });
        let mut told = Starts::new(layout.telling_starts(payload));
        tellings.groups(|codes| {
            let mut sum = 0;
            codes.for_each(|code| sum += u64::from(self.telling_entries[code].count));
            told.group(sum);
        });
        let sound = references.ends_with(layout.header.references)
            && outcomes.ends_with(sizes.outcomes)
            && told.ends_with(layout.header.told)
            && layout.parents(payload).verify(sizes.parents as usize)
            && layout.told_of(payload).verify(sizes.told_of as usize)
            && layout.references(payload).verify(sizes.references as usize)
            && layout.outcomes(payload).verify(sizes.outcomes_data as usize)
            && layout.told(payload).verify(sizes.told as usize);
        if sound { Ok(()) } else { Err("its columns contradict each other") }
    }

    /// The tails are nodes of this block whose shapes say that they are tails, in order.
    fn verify_tails(&self, payload: &[u8], shapes: &[Shape]) -> Result<(), &'static str> {
        let mut next = 0;
        for local in self.layout.tails(payload) {
            if local < next || local >= self.nodes() {
                return Err("its tails are not in order");
            }
            if !shapes[self.entry(payload, local).shape.0 as usize].tail {
                return Err("a tail of it is none");
            }
            next = local + 1;
        }
        Ok(())
    }

    /// The payload, out of the bytes of the file.
    pub(super) fn payload<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.offset..self.offset + self.layout.header.length as usize]
    }

    /// How many rows the blocks before have. Rows are numbered from 0, in a block first the nodes and then the tellings.
    pub(super) fn rows_before(&self) -> u64 {
        self.first() - 1 + self.tellings_before
    }

    /// The first node.
    pub(super) fn first(&self) -> u64 {
        self.layout.header.first
    }

    /// How many nodes there are.
    pub(super) fn nodes(&self) -> usize {
        self.layout.header.count as usize
    }

    /// How many tellings there are.
    pub(super) fn tellings(&self) -> usize {
        self.layout.header.tellings as usize
    }

    /// Whether it tells what became of nodes, not beside them.
    pub(super) fn tells(&self) -> bool {
        self.layout.sizes.tails > 0 || self.telling_entries.iter().any(|entry| entry.sort != Sort::Other)
    }

    /// What the code of a node means.
    pub(super) fn entry(&self, payload: &[u8], local: usize) -> &Entry {
        &self.entries[self.layout.codes(payload).get(local)]
    }

    /// The parent of a node.
    pub(super) fn parent(&self, payload: &[u8], local: usize) -> NodeId {
        let (from, distance) = self.layout.parents(payload).get(local);
        parent(self.first() + from as u64, distance)
    }

    /// Reads some references of a node, from the `skip`-th on, `count` of them. They must be there.
    pub(super) fn references(
        &self,
        payload: &[u8],
        local: usize,
        skip: usize,
        count: usize,
        mut see: impl FnMut(RawRef),
    ) {
        let group = local / GROUP;
        let mut start = entry(self.layout.starts(payload), group) + skip;
        let codes = self.layout.codes(payload).part(group * GROUP, local);
        codes.for_each(|code| start += self.entries[code].count as usize);
        let mut reading = self.layout.references(payload).from(start);
        let own = self.first() + local as u64;
        for _ in 0..count {
            see(reading.next(own));
        }
    }

    /// What a node became, if its entry says that this is here.
    pub(super) fn outcome(&self, payload: &[u8], local: usize) -> RawRef {
        let group = local / GROUP;
        let mut start = entry(self.layout.outcome_starts(payload), group);
        let codes = self.layout.codes(payload).part(group * GROUP, local);
        codes.for_each(|code| start += self.entries[code].told as usize);
        self.layout.outcomes(payload).from(start).next(self.first() + local as u64)
    }

    /// A telling; its first reference is unknown if it has none.
    pub(super) fn telling(&self, payload: &[u8], local: usize) -> Telling {
        let codes = self.layout.telling_codes(payload);
        let found = &self.telling_entries[codes.get(local)];
        let mut reference = RawRef::UNKNOWN;
        if found.count > 0 {
            let group = local / GROUP;
            let mut start = entry(self.layout.telling_starts(payload), group);
            codes
                .part(group * GROUP, local)
                .for_each(|code| start += self.telling_entries[code].count as usize);
            reference = self.layout.told(payload).from(start).next(self.layout.base());
        }
        Telling { shape: found.shape, sort: found.sort, reference }
    }

    /// The nodes that tell what their parents became, and the parents.
    pub(super) fn for_each_tail(&self, payload: &[u8], mut see: impl FnMut(usize, NodeId)) {
        let parents = self.layout.parents(payload);
        let first = self.first();
        if self.layout.sizes.tails as usize > self.nodes() / 8 {
            let mut all = Vec::new();
            parents.decode(&mut all, |index, distance| parent(first + index as u64, distance));
            self.layout.tails(payload).for_each(|local| see(local, all[local]));
        } else {
            self.layout.tails(payload).for_each(|local| see(local, self.parent(payload, local)));
        }
    }

    /// All tellings: what they are, of which node, with which references.
    pub(super) fn for_each_telling(
        &self,
        payload: &[u8],
        mut see: impl FnMut(&TellingEntry, NodeId, &[RawRef]),
    ) {
        let base = self.layout.base();
        let mut nodes = Vec::new();
        self.layout.told_of(payload).decode(&mut nodes, |_, distance| told_of(base, distance));
        let codes = self.layout.telling_codes(payload);
        let mut reading = self.layout.told(payload).from(0);
        let mut references = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let found = &self.telling_entries[codes.get(index)];
            references.clear();
            references.extend((0..found.count).map(|_| reading.next(base)));
            see(found, *node, &references);
        }
    }

    /// All nodes, into columns.
    pub(super) fn read(&self, payload: &[u8], node_count: u64, with_references: bool, rows: &mut Rows) {
        let first = self.first();
        rows.first = first;
        rows.entries.clear();
        rows.entries.extend_from_slice(&self.entries);
        let codes = self.layout.codes(payload);
        rows.codes.clear();
        rows.shapes.clear();
        rows.codes.reserve(self.nodes());
        codes.for_each(|code| rows.codes.push(code as u16));
        rows.shapes.extend(rows.codes.iter().map(|code| self.entries[usize::from(*code)].shape));
        self.layout
            .parents(payload)
            .decode(&mut rows.parents, |index, distance| parent(first + index as u64, distance));
        rows.starts.clear();
        rows.references.clear();
        rows.outcomes.clear();
        if !with_references {
            rows.starts.resize(self.nodes() + 1, 0);
            return;
        }
        let column = self.layout.references(payload);
        rows.references.resize(column.count, RawRef::UNKNOWN);
        rows.starts.reserve(self.nodes() + 1);
        rows.outcomes.reserve(self.nodes());
        let mut reading = column.from(0);
        let mut outcomes = self.layout.outcomes(payload).from(0);
        let mut at = 0;
        for (index, code) in rows.codes.iter().enumerate() {
            rows.starts.push(at as u32);
            let entry = &self.entries[usize::from(*code)];
            let own = first + index as u64;
            let next = at + entry.count as usize;
            for reference in &mut rows.references[at..next] {
                *reference = known(reading.next(own), node_count);
            }
            at = next;
            let told = entry.told > 0;
            rows.outcomes.push(if told { known(outcomes.next(own), node_count) } else { RawRef::UNKNOWN });
        }
        rows.starts.push(at as u32);
    }
}

/// A reference, unless it is to a node that is not in the trail.
#[inline]
pub(super) fn known(reference: RawRef, node_count: u64) -> RawRef {
    let missing = reference.0 & 7 == 0 && (reference.0 >> 3).wrapping_sub(1) >= node_count;
    if missing { RawRef::UNKNOWN } else { reference }
}

/// A parent comes before its node; 0 and everything else is none.
#[inline]
pub(super) fn parent(node: u64, distance: u64) -> NodeId {
    if distance == 0 { NodeId::NONE } else { NodeId(node.saturating_sub(distance)) }
}

/// The node that is told of, counted from the end of the block; what would be none there is none.
#[inline]
pub(super) fn told_of(base: u64, distance: u64) -> NodeId {
    if distance == 0 { NodeId::NONE } else { NodeId(base.saturating_sub(distance)) }
}

/// A directory of where the references of every group of rows begin, while it is compared with the rows.
struct Starts<'a> {
    directory: &'a [u8],
    group: usize,
    next: u64,
    wrong: bool,
}

impl Starts<'_> {
    fn new(directory: &[u8]) -> Starts<'_> {
        Starts { directory, group: 0, next: 0, wrong: false }
    }

    /// A group, with so many references.
    fn group(&mut self, count: u64) {
        self.wrong |= entry(self.directory, self.group) as u64 != self.next;
        self.group += 1;
        self.next += count;
    }

    fn ends_with(&self, count: u32) -> bool {
        !self.wrong && self.next == u64::from(count)
    }
}
