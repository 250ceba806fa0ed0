//! A whole debugging session as plain data: what every interface is a thin client of.
pub mod ask;
mod dialogue;
pub mod drive;
mod job;
pub mod journal;
mod level;
pub mod protocol;
pub mod resume;
mod saved;
pub mod wording;
pub mod words;

pub use dialogue::{Dialogue, JournalLine, Output, Setup, Stimulus, fingerprint};
pub use job::{Ask, Done, Job, Worker};
pub use saved::{SavedLevel, levels};
