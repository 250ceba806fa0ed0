//! Lazy graph reduction (begun): words and the heap.

mod heap;
mod word;

pub use heap::{Exhausted, Heap, Kind, Roots};
pub use word::{Seen, Word};
