//! Recorded runs: the augmented redex trail (ART) in a file.
//!
//! [`model`] says what a run is made of, [`stream`] is where a recorder puts it, [`write`](mod@write) makes a file of it while the
//! program runs, and [`Trail`] reads the file. `docs/trail-format.md` has the file byte by byte.
//!
//! | file | what it does |
//! | --- | --- |
//! | `progress` | the chunk of rows that is being filled, seen from the thread that writes |
//! | `bounds` | how large a file may become |
//! | `urgent` | writing everything at once when the program dies |
//! | `private_file` | the file, in a process that is shared with a program |
//! | `pack` | rows into blocks of columns |
//! | `number_column`, `reference_column` | how a column of numbers, and one of references, is encoded |
//! | `layout` | what stands where: headers, the parts of a block, the footer |
//! | `tables`, `coding` | the program's tables, shapes and the run's end as bytes |
//! | `version_1` | what old files do not say |
//! | `map`, `open` | a file's bytes, its blocks, and how much of it is sound |
//! | `block`, `rows` | one block: single rows of it, and all of them |
//! | `bulk` | the columns of a block, for views |
//! | `outcomes` | an index of the outcomes that do not stand beside their nodes |
//! | `read` | the trail, as readers see it |
//! | `check` | everything in a file, also what a reader would take for unknown |
//!
//! What stays true: a file is only ever appended to; every byte is covered by a checksum; a reader believes nothing that
//! it has not verified, so that any bytes at all give a trail or an error; what the file says of its own size allocates
//! nothing.

mod block;
mod bounds;
mod bulk;
pub mod check;
mod coding;
mod error;
mod layout;
mod map;
pub mod model;
mod number_column;
mod open;
mod outcomes;
mod pack;
pub mod pending;
mod private_file;
mod progress;
mod read;
mod reference_column;
mod rows;
pub mod stream;
mod tables;
pub mod text;
mod types;
mod urgent;
mod version_1;
pub mod write;

pub use bounds::{Bounds, Full};
pub use bulk::{Row, RowOutcome, RowRole, Wanted};
pub use error::{OpenError, OpenErrorKind, Problem, ProblemKind};
pub use layout::{MAGIC, VERSION};
pub use progress::Progress;
pub use read::{Became, LateRow, Trail};
pub use rows::Rows;
pub use urgent::Urgent;
