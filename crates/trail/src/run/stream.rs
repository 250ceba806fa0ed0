//! Where the machine puts what it records: rows in chunks of memory, which somebody else takes away.
//!
//! The machine must not wait for the disk or for compression: it writes words into a chunk that is in the cache, and a
//! full chunk goes to the [`Sink`] (in practice [`super::write`]'s thread), which gives an empty one back. A row is one
//! header word (shape and count), one word for its node, and a word for each reference.

use super::model::{NodeId, RawRef, RunEnd, Shape, ShapeId};

/// Words of a chunk.
pub const CHUNK: usize = 1 << 17;

/// Takes full chunks. Shapes are told before the first chunk that uses them.
pub trait Sink {
    /// A new shape; its number is how many there were before.
    fn shape(&mut self, shape: Shape);

    /// Takes a full chunk and gives an empty one.
    fn take(&mut self, chunk: Vec<u64>) -> Vec<u64>;

    /// The run is over. Everything taken so far is to be made to last.
    fn end(&mut self, last: Vec<u64>, end: &RunEnd);
}

/// Rows on their way out.
pub struct Stream {
    /// Words, of which those before `at` are written.
    chunk: Vec<u64>,
    at: usize,
    next: u64,
    shapes: u32,
    sink: Box<dyn Sink + Send>,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("next", &self.next).field("shapes", &self.shapes).finish()
    }
}

impl Stream {
    /// Rows for a sink.
    pub fn new(sink: Box<dyn Sink + Send>) -> Stream {
        Stream { chunk: vec![0; CHUNK], at: 0, next: 1, shapes: 0, sink }
    }

    /// Defines a shape.
    pub fn define(&mut self, shape: Shape) -> ShapeId {
        self.sink.shape(shape);
        self.shapes += 1;
        ShapeId(self.shapes - 1)
    }

    /// A row that is no node: it tells something of one.
    #[inline]
    pub fn tell(&mut self, shape: ShapeId, node: NodeId, references: &[RawRef]) {
        let end = self.at + 2 + references.len();
        if end > self.chunk.len() {
            self.full(2 + references.len());
        }
        let row = &mut self.chunk[self.at..][..2 + references.len()];
        row[0] = u64::from(shape.0) | (references.len() as u64) << 32;
        row[1] = node.0;
        for (word, reference) in row[2..].iter_mut().zip(references) {
            *word = reference.0;
        }
        self.at += 2 + references.len();
    }

    /// A row that is a node; its number.
    #[inline]
    pub fn node(&mut self, shape: ShapeId, parent: NodeId, references: &[RawRef]) -> NodeId {
        self.tell(shape, parent, references);
        self.next += 1;
        NodeId(self.next - 1)
    }

    /// How many nodes there are.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.next - 1
    }

    /// Hands over what there is, although the chunk is not full: about once a second, and before the program waits for
    /// something, so that a recording that is killed holds it.
    pub fn flush(&mut self) {
        if self.at > 0 {
            self.full(0);
        }
    }

    #[cold]
    fn full(&mut self, room: usize) {
        self.chunk.truncate(self.at);
        let chunk = std::mem::take(&mut self.chunk);
        self.chunk = self.sink.take(chunk);
        self.chunk.resize(CHUNK.max(room), 0);
        self.at = 0;
    }

    /// The run is over.
    pub fn end(&mut self, end: &RunEnd) {
        self.chunk.truncate(self.at);
        self.at = 0;
        let chunk = std::mem::take(&mut self.chunk);
        self.sink.end(chunk, end);
    }
}
