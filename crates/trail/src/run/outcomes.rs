//! Where it is told what became of a node, when that is not told beside it: an index over the tellings.
//!
//! Every node has a place of four bytes in it, the number of a telling plus one. It is memory that the system gives
//! zeroed when it is touched, so it costs where such nodes are and nothing elsewhere; in most programs few nodes are
//! evaluated long after they were made.
//!
//! If several rows tell of one node, the last value counts, or if there is none, the last row.

use super::block::{Block, Sort, told_of};
use std::thread;

/// The tellings of nodes.
#[derive(Debug)]
pub(super) enum Outcomes {
    /// There are none.
    None,
    /// Their numbers fit into 32 bits.
    Narrow(Vec<u32>),
    /// They do not.
    Wide(Vec<u64>),
}

impl Outcomes {
    /// The number of the telling that counts for a node.
    #[inline]
    pub(super) fn get(&self, node: u64) -> Option<u64> {
        let place = (node as usize).wrapping_sub(1);
        let telling = match self {
            Outcomes::None => 0,
            Outcomes::Narrow(all) => u64::from(*all.get(place)?),
            Outcomes::Wide(all) => *all.get(place)?,
        };
        telling.checked_sub(1)
    }

    /// Adds which of the nodes from `first` on are told of.
    pub(super) fn add_to(&self, first: u64, has_become: &mut [bool]) {
        let from = (first as usize).saturating_sub(1);
        match self {
            Outcomes::None => {}
            Outcomes::Narrow(all) => {
                let places = all.iter().skip(from);
                has_become.iter_mut().zip(places).for_each(|(has, place)| *has |= *place != 0);
            }
            Outcomes::Wide(all) => {
                let places = all.iter().skip(from);
                has_become.iter_mut().zip(places).for_each(|(has, place)| *has |= *place != 0);
            }
        }
    }

    /// Goes through the tellings of all blocks, with several threads: each looks at all of them and takes those of its
    /// part of the nodes.
    pub(super) fn find(bytes: &[u8], blocks: &[Block], node_count: u64, threads: usize) -> Outcomes {
        let last = blocks.last().map_or(0, |block| block.tellings_before + block.tellings() as u64);
        let any = |block: &Block| block.telling_entries.iter().any(|entry| entry.sort != Sort::Other);
        if !blocks.iter().any(any) {
            Outcomes::None
        } else if last < u64::from(u32::MAX) {
            Outcomes::Narrow(fill(bytes, blocks, node_count, threads))
        } else {
            Outcomes::Wide(fill(bytes, blocks, node_count, threads))
        }
    }
}

/// The number of a telling, in as many bits as it needs.
trait Number: Copy + Default + PartialEq + Send + TryFrom<u64> + Into<u64> {}

impl Number for u32 {}
impl Number for u64 {}

fn fill<T: Number>(bytes: &[u8], blocks: &[Block], node_count: u64, threads: usize) -> Vec<T> {
    let mut places = vec![T::default(); node_count as usize];
    let part = places.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        for (index, places) in places.chunks_mut(part).enumerate() {
            scope.spawn(move || fill_part(bytes, blocks, 1 + (index * part) as u64, places));
        }
    });
    places
}

/// The places of the nodes from `from` on.
fn fill_part<T: Number>(bytes: &[u8], blocks: &[Block], from: u64, places: &mut [T]) {
    let mut nodes: Vec<u64> = Vec::new();
    for block in blocks.iter().filter(|block| block.tellings() > 0) {
        let payload = block.payload(bytes);
        let base = block.layout.base();
        block.layout.told_of(payload).decode(&mut nodes, |_, distance| told_of(base, distance).0);
        let codes = block.layout.telling_codes(payload);
        for (index, node) in nodes.iter().enumerate() {
            let Some(place) = places.get_mut(node.wrapping_sub(from) as usize) else { continue };
            let sort = block.telling_entries[codes.get(index)].sort;
            if sort == Sort::Other {
                continue;
            }
            // Rarely something is told twice.
            if sort == Sort::NoValue && *place != T::default() {
                let before = telling(bytes, blocks, (*place).into() - 1);
                if before.is_some_and(|before| before.sort == Sort::Value) {
                    continue;
                }
            }
            let number = block.tellings_before + index as u64 + 1;
            *place = T::try_from(number).unwrap_or_default();
        }
    }
}

/// A telling by its number.
pub(super) fn telling(bytes: &[u8], blocks: &[Block], number: u64) -> Option<super::block::Telling> {
    let after = blocks.partition_point(|block| block.tellings_before <= number);
    let block = blocks.get(after.checked_sub(1)?)?;
    let local = (number - block.tellings_before) as usize;
    (local < block.tellings()).then(|| block.telling(block.payload(bytes), local))
}
