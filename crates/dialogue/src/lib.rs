//! A whole debugging session as plain data: what every interface is a thin client of.
//!
//! The engine chooses questions about one tree and concludes from the answers. A session is more: oracles are asked before a
//! person is and after, verdicts are reviewed, the inside of the call that was found is entered, answers are taken back, and
//! all of it is kept on disk. This room does that once, so that the prompt, a window or a script only shows events and says
//! what its user wants.
//!
//! Enter at [`Dialogue`]: `handle(Stimulus) -> Vec<Output>`. It has no thread, file, clock or terminal, so a whole session
//! with a slow oracle, a cancel and a resume runs in a unit test (`tests/sessions.rs`). Around it:
//!
//! ```text
//!   client ──Input──►┌──────────┐──Event──► client      words: a typed line to an Input
//!                    │ Dialogue │                       wording: an Event to lines of text
//!   worker ──Done───►└──────────┘──Start, Stop──► worker
//!                          └──Write──► journal
//! ```
//!
//! [`drive::Driver`] connects these with a thread for the worker; [`drive::inline`] does without one.
//!
//! What stays true (`tests/laws` tries it on random sessions):
//!
//! - How a session goes depends on its stimuli alone. What the driver logged, another dialogue does alike, whether work was
//!   done early, late or not at all.
//! - A line is in the journal before a client hears of what it says.
//! - A journal cut anywhere brings back where the session stood after its last whole line, and nothing is written twice.
//! - A node is asked about once, and once more at most if nobody knew; only the user, or a review, goes back.
//! - Looks change nothing, and neither does an input that is refused.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `protocol.rs` | the messages that clients and dialogue exchange; `docs/protocol.md` is about them |
//! | `protocol/verdict.rs`, `protocol/report.rs`, `protocol/taken.rs` | how a session is decided; a whole session as one object; what was undone |
//! | `dialogue.rs` | the state machine: its phases, and the way from a step of the engine to an answer |
//! | `dialogue/commands.rs` | what clients say, and what it does to the levels |
//! | `dialogue/looks.rs` | what clients look at |
//! | `dialogue/work.rs` | what comes of work, and the end |
//! | `dialogue/verdicts.rs` | verdicts: reviewed, looked into, shown |
//! | `level.rs` | a level: the program or the inside of a call, and what is said of its nodes |
//! | `job.rs` | work that takes long, and the worker that does it |
//! | `ask.rs` | the row of oracles |
//! | `drive.rs` | the driver: a thread for the worker, an inbox, the journal's file |
//! | `journal.rs`, `journal/lines.rs` | the journal on disk, and its lines |
//! | `saved.rs` | what a journal leaves in force, level by level |
//! | `resume.rs` | a journal's header, and sessions that are continued |
//! | `words.rs`, `wording.rs` | what a person types, and what a person reads |

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
