//! Where a recorder puts its rows: into chunks of memory, which a [`Sink`] takes.
//!
//! The machine must not wait for the disk or for compression: it writes words into a chunk that is in the cache, and a
//! full chunk goes to the [`Sink`] (in practice [`super::write`]'s thread), which gives an empty one back, and may look at the one that is
//! being filled meanwhile. A row is one header word (shape and count), one word for its node, and a word for each reference.

use super::model::{NodeId, RawRef, RunEnd, Shape, ShapeId, Tables};
use super::progress::Progress;
use std::sync::Arc;

/// Words of a chunk.
pub const CHUNK: usize = 1 << 17;

/// Takes full chunks. Tables and shapes come before the first chunk that uses them.
pub trait Sink {
    /// Lets the sink see how far the current chunk is filled.
    fn watch(&mut self, _progress: Arc<Progress>) {}

    /// More of the program, found while it runs: what these tables list comes behind what was listed before, and their
    /// indices are those of all tables together.
    fn more(&mut self, tables: Tables);

    /// A new shape; its number is how many there were before.
    fn shape(&mut self, shape: Shape);

    /// Takes a full chunk and gives an empty one.
    fn take(&mut self, chunk: Vec<u64>) -> Vec<u64>;

    /// Drops the rows that were taken so far; tables and shapes stay valid.
    fn rewind(&mut self) {}

    /// The run is over. Everything taken so far is to be made to last.
    fn end(&mut self, last: Vec<u64>, end: &RunEnd);
}

/// Rows on their way out.
pub struct Stream {
    chunk: Vec<u64>,
    next: u64,
    shapes: u32,
    progress: Arc<Progress>,
    sink: Box<dyn Sink + Send>,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("next", &self.next).field("shapes", &self.shapes).finish()
    }
}

impl Stream {
    /// Rows for a sink.
    pub fn new(mut sink: Box<dyn Sink + Send>) -> Stream {
        let progress = Arc::new(Progress::default());
        sink.watch(Arc::clone(&progress));
        let mut chunk = Vec::with_capacity(CHUNK);
        progress.show(&mut chunk);
        Stream { chunk, next: 1, shapes: 0, progress, sink }
    }

    /// Adds to the program's tables: lists grow at their ends.
    pub fn more(&mut self, tables: Tables) {
        self.sink.more(tables);
    }

    /// Defines a shape.
    pub fn define(&mut self, shape: Shape) -> ShapeId {
        self.sink.shape(shape);
        self.shapes += 1;
        ShapeId(self.shapes - 1)
    }

    /// The number of the node whose row is being written; the next one is another.
    #[inline]
    pub fn number(&mut self) -> NodeId {
        self.next += 1;
        NodeId(self.next - 1)
    }

    /// A row that is no node.
    #[inline]
    pub fn tell(&mut self, shape: ShapeId, node: NodeId, references: &[RawRef]) {
        self.tell_all(shape, node, references.len(), references.iter().copied());
    }

    /// The same, of `count` references; what comes beyond them is left out.
    #[inline]
    #[allow(unsafe_code, reason = "rows are written at every reduction")]
    pub fn tell_all(
        &mut self,
        shape: ShapeId,
        node: NodeId,
        count: usize,
        references: impl Iterator<Item = RawRef>,
    ) {
        self.make_room(2 + count);
        let length = self.chunk.len();
        let row = &mut self.chunk.spare_capacity_mut()[..2 + count];
        row[0].write(u64::from(shape.0) | (count as u64) << 32);
        row[1].write(node.0);
        let mut written = 2;
        for (place, reference) in row[2..].iter_mut().zip(references) {
            place.write(reference.0);
            written += 1;
        }
        debug_assert_eq!(written, 2 + count);
        // SAFETY: there is room for them, and they were just written.
        unsafe { self.chunk.set_len(length + written) };
        self.progress.reach(length + written);
    }

    /// Room for so many words of a row, which the caller writes and then [keeps](Stream::keep).
    #[inline(always)]
    pub fn room(&mut self, words: usize) -> *mut u64 {
        self.make_room(words);
        self.chunk.spare_capacity_mut().as_mut_ptr().cast()
    }

    /// Keeps the first words of a row.
    ///
    /// # Safety
    /// There was [room](Stream::room) for them, they were written there, and nothing else was written since.
    #[inline(always)]
    #[allow(unsafe_code, reason = "rows are written at every reduction")]
    pub unsafe fn keep(&mut self, words: usize) {
        let length = self.chunk.len() + words;
        // SAFETY: as the caller says.
        unsafe { self.chunk.set_len(length) };
        self.progress.reach(length);
    }

    /// A row that is a node, of the first `count` of a few references.
    #[inline]
    #[allow(unsafe_code, reason = "rows are written at every reduction")]
    pub fn small_node<const FEW: usize>(
        &mut self,
        shape: ShapeId,
        parent: NodeId,
        references: &[RawRef; FEW],
        count: usize,
    ) -> NodeId {
        assert!(count <= FEW);
        self.make_room(2 + FEW);
        let length = self.chunk.len();
        let row = &mut self.chunk.spare_capacity_mut()[..2 + FEW];
        row[0].write(u64::from(shape.0) | (count as u64) << 32);
        row[1].write(parent.0);
        // All of them: that takes no longer than finding out how many there are.
        for (place, reference) in row[2..].iter_mut().zip(references) {
            place.write(reference.0);
        }
        // SAFETY: there is room for them, and they were just written.
        unsafe { self.chunk.set_len(length + 2 + count) };
        self.progress.reach(length + 2 + count);
        self.number()
    }

    /// A row that is a node.
    #[inline]
    pub fn node(&mut self, shape: ShapeId, parent: NodeId, references: &[RawRef]) -> NodeId {
        self.tell(shape, parent, references);
        self.number()
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> u64 {
        self.next - 1
    }

    /// Hands over what there is, although the chunk is not full.
    pub fn flush(&mut self) {
        if !self.chunk.is_empty() {
            self.full(0);
        }
    }

    #[inline(always)]
    fn make_room(&mut self, words: usize) {
        if self.chunk.len() + words > self.chunk.capacity() {
            self.full(words);
        }
        ahead(&self.chunk);
    }

    #[cold]
    fn full(&mut self, room: usize) {
        self.progress.hide();
        let chunk = std::mem::take(&mut self.chunk);
        self.chunk = self.sink.take(chunk);
        self.chunk.clear();
        self.chunk.reserve(room.max(CHUNK));
        self.progress.show(&mut self.chunk);
    }

    /// Begins anew, with the tables and shapes that there are, for a sink that can.
    pub fn rewind(&mut self) {
        self.progress.hide();
        self.next = 1;
        self.sink.rewind();
        self.progress.show(&mut self.chunk);
    }

    /// The run is over.
    pub fn end(&mut self, end: &RunEnd) {
        self.progress.hide();
        let chunk = std::mem::take(&mut self.chunk);
        self.sink.end(chunk, end);
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.progress.hide();
    }
}

/// Prefetches the memory that will be written soon: another thread used the chunk last, and waiting for it would take longer
/// than everything else that is done for a row.
#[inline(always)]
#[allow(unsafe_code, reason = "rows are written at every reduction")]
fn ahead(chunk: &[u64]) {
    const WORDS: usize = 32;
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        // SAFETY: this reads and writes nothing, wherever it points.
        unsafe { _mm_prefetch::<_MM_HINT_ET0>(chunk.as_ptr().wrapping_add(chunk.len() + WORDS).cast()) };
    }
}
