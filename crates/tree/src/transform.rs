//! Transformations of the execution tree (S3 §4.4): another tree of the same run, which takes fewer or finer questions.
//!
//! [`compress`], [`balance`] and [`chain_rounds`] need the tree alone. [`expand_loops`] and [`simplify`] make nodes for pieces of a run
//! that had none, or move work from one node to another, so they need to know what ran when: an [`Execution`], which is
//! S3's generalised execution tree. [`Execution::get_code`] is what a verdict shows: the code that ran for a node and
//! that none of its children answers for (S3 Lemma 1).
//!
//! Every transformation gives the new tree with its [`Maps`]: which node is still the same one (S3's M_I), and which
//! nodes a new one was made from (M_S), so that what is said about the new tree can be said about the old one.
//!
//! What stays true: a node that is the same keeps its rule, kind and behaviour handle; nodes stand in the order in which
//! they ran; time and memory are linear, or n log n where something is sorted; nothing recurses natively. S3's Table 1
//! says what a transformation may do to a bug (hide it, reveal it, show less code for it); the tests check every cell.

mod balance;
mod compress;
mod execution;
mod loops;
mod maps;
mod simplify;

pub use balance::{AnyNeighbours, Balance, Siblings, balance};
pub use compress::{compress, repeats_its_parent};
pub use execution::{Execution, ExecutionError, Expression, Rewritten, Span};
pub use loops::{LoopError, LoopRun, LoopShape, Loops, Round, chain_rounds, expand_loops};
pub use maps::{Maps, Transformed};
pub use simplify::{Move, SimplifyError, simplify};
