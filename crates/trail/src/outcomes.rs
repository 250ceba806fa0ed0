//! An index of the rows that say what became of a node, where that does not stand beside the node.
//!
//! Every node has a place of four bytes in it, the number of a row plus one ([`Block::rows_before`]). It is memory that the
//! system gives zeroed when it is touched, so it costs where such nodes are and nothing elsewhere: in most programs few
//! nodes are evaluated long after they were made.
//!
//! If several rows tell of one node, the last value counts, or if there is none, the last row.

use super::block::{Block, Sort, Telling, told_of};
use super::model::NodeId;
use std::ops::Range;
use std::thread;

/// The rows that tell of nodes.
#[derive(Debug)]
pub(super) enum Outcomes {
    /// There are none.
    None,
    /// Their numbers fit into 32 bits.
    Narrow(Vec<u32>),
    /// They do not.
    Wide(Vec<u64>),
}

/// A row that tells what became of a node.
pub(super) enum Place {
    /// It became this tail node.
    Tail(NodeId),
    /// It is told by itself.
    Telling(Telling),
}

impl Outcomes {
    /// The number of the row that counts for a node.
    #[inline]
    pub(super) fn get(&self, node: NodeId) -> Option<u64> {
        let place = (node.0 as usize).wrapping_sub(1);
        let row = match self {
            Outcomes::None => 0,
            Outcomes::Narrow(all) => u64::from(*all.get(place)?),
            Outcomes::Wide(all) => *all.get(place)?,
        };
        row.checked_sub(1)
    }

    /// Says which of the nodes from `first` on are told of.
    pub(super) fn mark(&self, first: u64, told: &mut [bool]) {
        let from = (first as usize).saturating_sub(1);
        match self {
            Outcomes::None => told.fill(false),
            Outcomes::Narrow(all) => mark(&all[from.min(all.len())..], told),
            Outcomes::Wide(all) => mark(&all[from.min(all.len())..], told),
        }
    }

    /// Goes through all blocks, with several threads.
    pub(super) fn find(bytes: &[u8], blocks: &[Block], node_count: u64, threads: usize) -> Outcomes {
        let rows =
            blocks.last().map_or(0, |block| block.rows_before() + (block.nodes() + block.tellings()) as u64);
        if !blocks.iter().any(Block::tells) {
            Outcomes::None
        } else if rows < u64::from(u32::MAX) {
            Outcomes::Narrow(fill(bytes, blocks, node_count, threads))
        } else {
            Outcomes::Wide(fill(bytes, blocks, node_count, threads))
        }
    }
}

fn mark<T: Number>(places: &[T], told: &mut [bool]) {
    told.iter_mut().zip(places).for_each(|(told, place)| *told = *place != T::default());
}

/// The number of a row, in as many bits as it needs.
trait Number: Copy + Default + PartialEq + Send + TryFrom<u64> + Into<u64> {}

impl Number for u32 {}
impl Number for u64 {}

/// Every thread has a range of blocks and the places of their nodes. Nearly all rows tell of nodes of the same range; the
/// others are left for the end.
fn fill<T: Number>(bytes: &[u8], blocks: &[Block], node_count: u64, threads: usize) -> Vec<T> {
    let mut places = vec![T::default(); node_count as usize];
    let part = blocks.len().div_ceil(threads.max(1)).max(1);
    let late: Vec<Vec<usize>> = thread::scope(|scope| {
        let mut rest = places.as_mut_slice();
        let mut handles = Vec::new();
        for (index, range) in blocks.chunks(part).enumerate() {
            let nodes = range.iter().map(Block::nodes).sum();
            let (places, others) = rest.split_at_mut(nodes);
            rest = others;
            let work = move || {
                let filling = Filling { bytes, blocks, from: range[0].first(), places };
                filling.fill(index * part..index * part + range.len())
            };
            handles.push(scope.spawn(work));
        }
        handles.into_iter().map(|handle| handle.join().unwrap_or_default()).collect()
    });
    let mut filling = Filling { bytes, blocks, from: 1, places: &mut places };
    let mut nodes = Vec::new();
    for (index, late) in late.iter().enumerate() {
        let range_first = blocks[index * part].first();
        for block in late {
            filling.take(*block, 1..range_first, &mut nodes);
        }
    }
    places
}

/// The places of some nodes, being filled.
struct Filling<'a, T> {
    bytes: &'a [u8],
    blocks: &'a [Block],
    /// The first of the nodes.
    from: u64,
    places: &'a mut [T],
}

impl<T: Number> Filling<'_, T> {
    /// Takes some blocks; gives those of them that tell of nodes whose places are not here.
    fn fill(mut self, blocks: Range<usize>) -> Vec<usize> {
        let own = self.from..self.from + self.places.len() as u64;
        let mut nodes = Vec::new();
        blocks.filter(|block| self.take(*block, own.clone(), &mut nodes)).collect()
    }

    /// Takes what a block tells of the nodes of a range; says whether it tells of earlier ones.
    fn take(&mut self, block: usize, range: Range<u64>, nodes: &mut Vec<u64>) -> bool {
        let block = &self.blocks[block];
        let payload = block.payload(self.bytes);
        let mut earlier = false;
        block.for_each_tail(payload, |local, parent| {
            earlier |= parent.0 < range.start;
            if range.contains(&parent.0) {
                self.put(parent.0, Sort::Value, block.rows_before() + 1 + local as u64);
            }
        });
        if block.telling_entries.iter().any(|entry| entry.sort != Sort::Other) {
            let base = block.layout.base();
            block.layout.told_of(payload).decode(nodes, |_, distance| told_of(base, distance).0);
            let codes = block.layout.telling_codes(payload);
            let number = block.rows_before() + block.nodes() as u64 + 1;
            for (index, node) in nodes.iter().enumerate() {
                let sort = block.telling_entries[codes.get(index)].sort;
                if sort != Sort::Other {
                    earlier |= *node < range.start;
                    if range.contains(node) {
                        self.put(*node, sort, number + index as u64);
                    }
                }
            }
        }
        earlier
    }

    #[inline]
    fn put(&mut self, node: u64, sort: Sort, number: u64) {
        let Some(place) = self.places.get_mut(node.wrapping_sub(self.from) as usize) else { return };
        // Rarely something is told twice.
        if sort == Sort::NoValue && *place != T::default() {
            let before = row(self.bytes, self.blocks, (*place).into() - 1);
            if !matches!(before, Some(Place::Telling(telling)) if telling.sort == Sort::NoValue) {
                return;
            }
        }
        *place = T::try_from(number).unwrap_or_default();
    }
}

/// A row by its number.
pub(super) fn row(bytes: &[u8], blocks: &[Block], number: u64) -> Option<Place> {
    let after = blocks.partition_point(|block| block.rows_before() <= number);
    let block = blocks.get(after.checked_sub(1)?)?;
    let local = (number - block.rows_before()) as usize;
    match local.checked_sub(block.nodes()) {
        None => Some(Place::Tail(NodeId(block.first() + local as u64))),
        Some(telling) => {
            (telling < block.tellings()).then(|| Place::Telling(block.telling(block.payload(bytes), telling)))
        }
    }
}
