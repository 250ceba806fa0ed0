//! Lazy graph reduction (begun): words, the heap, and how choices are taken back.

mod heap;
mod search;
mod word;

pub use heap::{Exhausted, Heap, Kind, Roots};
pub use search::{Search, Stack};
pub use word::{Seen, Word};
