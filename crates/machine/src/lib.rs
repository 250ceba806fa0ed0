//! Lazy graph reduction with search; to be described.

mod code;
mod compile;
mod heap;
mod listing;
mod machine;
mod primitives;
mod reach;
mod recorder;
mod run;
mod search;
mod stack;
mod word;
mod world;

pub use heap::{Exhausted, Heap, Kind, Roots};
pub use machine::{CallSite, End, Limits, Machine, Stopper, Uncaught};
pub use recorder::{Counting, Plain, Recorder};
pub use search::{Search, Stack};
pub use word::{Seen, Word};
pub use world::{Settings, World};
