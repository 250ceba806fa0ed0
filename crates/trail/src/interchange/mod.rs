//! The interchange file: a header line, then one JSON object a line for every node. `docs/interchange.md` has it in
//! full.
//!
//! Reading goes through these hands, one file each:
//!
//! | file | what it does |
//! | --- | --- |
//! | `input` | bytes of a file, a pipe or gzip, as blocks of whole lines |
//! | `scan` | JSON, byte by byte |
//! | `node`, `header` | the fields of a line |
//! | `grammar` | the term forms, for whoever listens: nobody (checking) or `values` (building) |
//! | `rules`, `places`, `ids` | what lines share: rules, source files, who is whose parent |
//! | `load` | all of it, from the first line to the tree |
//! | `behaviours` | one line again, when its node is asked about |
//!
//! [`Writer`] goes the other way, and [`grow`] writes trees of any size for benches.

mod behaviours;
mod error;
mod grammar;
pub mod grow;
mod header;
mod ids;
mod input;
mod load;
mod node;
mod places;
mod rules;
mod scan;
mod values;
mod write;

pub use behaviours::FileBehaviours;
pub use error::{OpenError, Problem};
pub use load::{Recording, open, read};
pub use write::{Id, NodeLine, Writer};

/// The format's version: what a header's `gadfly` field must say.
pub const VERSION: u32 = 1;
