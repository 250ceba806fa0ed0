//! Recorded runs of the lazy language: the augmented redex trail (ART) in a file.
//!
//! [`model`] says what a run is made of, [`stream`] is where the machine puts it, [`write`](mod@write) makes a file of it while the
//! program runs, and [`Trail`] reads the file. `docs/trail-format.md` has the file byte by byte.
//!
//! | file | what it does |
//! | --- | --- |
//! | `progress` | the chunk of rows that is being filled, seen from the thread that writes |
//! | `urgent` | having all written at once, when the program dies |
//! | `own_file` | the file, in a process that is shared with a program |
//! | `pack` | rows into blocks of columns |
//! | `numbers`, `words` | how a column of numbers, and one of references, is encoded |
//! | `layout` | what stands where: headers, the parts of a block, the footer |
//! | `tables`, `coding` | the program's tables, shapes and the run's end as bytes |
//! | `map`, `open` | a file's bytes, its blocks, and how much of it is sound |
//! | `block`, `rows` | one block: single rows of it, and all of them |
//! | `bulk` | the columns of a block, for views |
//! | `outcomes` | where it is told what became of a node, when that was told late |
//! | `read` | the trail, as others see it |
//! | `check` | everything in a file, also what a reader would take for unknown |
//!
//! What stays true: a file is only ever appended to; every byte is covered by a checksum; a reader believes nothing that
//! it has not verified, so that any bytes at all give a trail or an error; what the file says of its own size allocates
//! nothing.

mod block;
mod bulk;
pub mod check;
mod coding;
mod error;
mod layout;
mod map;
pub mod model;
mod numbers;
mod open;
mod outcomes;
mod own_file;
mod pack;
pub mod pending;
mod progress;
mod read;
mod rows;
pub mod stream;
mod tables;
pub mod text;
mod urgent;
mod words;
pub mod write;

pub use bulk::{Fate, Meaning, Row, Wanted};
pub use error::{OpenError, OpenErrorKind, Problem, ProblemKind};
pub use layout::{MAGIC, VERSION};
pub use progress::Progress;
pub use read::{Became, Told, Trail};
pub use rows::Rows;
pub use urgent::Urgent;
