//! The interchange file, which any tool in any language can write: a header line, then one JSON object a line for every
//! node. `docs/interchange.md` has it in full.
//!
//! Enter at [`open`], which reads such a file into an execution tree, and [`Writer`], which writes one.
//!
//! What stays true: a file is read once, front to back, and checked completely while it is read, so that a session
//! never meets a bad value later; what a node says stays in the file and is read when it is asked about; nothing here
//! recurses natively over what a file contains, and nothing is allocated because a file *says* it is big.
//!
//! Reading goes through these hands, one file each:
//!
//! | file | what it does |
//! | --- | --- |
//! | `input` | bytes of a file, a pipe or gzip, as blocks of whole lines |
//! | `scan` | JSON, byte by byte |
//! | `node`, `header` | the fields of a line |
//! | `language` | what follows from the name of the language |
//! | `grammar` | the term forms, for a listener: none (checking) or `values` (building) |
//! | `rules`, `places`, `ids` | what lines share: rules, source files, who is whose parent |
//! | `load` | all of it, from the first line to the tree |
//! | `behaviours` | one line again, when its node is asked about |
//!
//! [`grow`] writes trees of any size for benches.

mod behaviours;
mod error;
mod grammar;
pub mod grow;
mod header;
mod ids;
mod input;
mod language;
mod load;
mod node;
mod places;
mod rules;
mod scan;
mod values;
mod write;

pub use behaviours::FileBehaviours;
pub use error::{OpenError, Problem};
pub use load::{Bounds, Recording, open, open_within, read};
pub use write::{Id, NodeLine, Writer};

/// The format's version: what a header's `gadfly` field must say.
pub const VERSION: u32 = 1;
