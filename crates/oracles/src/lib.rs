//! What answers besides a person and needs no language.
//!
//! Enter at [`Answers`] (a script), [`CommandOracle`] (any program that speaks JSON lines) and [`Knowledge`] (answers of
//! earlier sessions), which implement the engine's [`Oracle`](gadfly_engine::Oracle).
//!
//! What stays true: nothing here panics or hangs on what a file or a program says; an error names the file or the
//! program, the place, and what to do next; nothing that somebody answered is overwritten or thrown away without a word.

mod answers;
mod command;
mod knowledge;
mod quoted;
#[cfg(test)]
mod sample;

pub use answers::{Answers, AnswersError, AnswersProblem, OpenAnswersError, Unused};
pub use command::{CommandLineError, CommandOracle, end_commands};
pub use knowledge::{Knowledge, Project};
