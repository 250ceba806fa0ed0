//! Lazy graph reduction with search, generic over a recorder.
//!
//! The machine runs a program of the kernel language (S4 §2.4): its results are those of the natural semantics of S4
//! Fig. 2.5, and the steps that it reports to a [`Recorder`] are those of the instrumented semantics (S4 Fig.
//! 4.1 and 5.9). Enter at [`Machine`]: [`Machine::execute`] runs an action.
//!
//! # How it is made fast
//!
//! - **Code.** Functions become code for a register machine when they are first called ([`compile`], [`code`]): the kernel
//!   names every intermediate result, so these become slots of a frame. The alternatives were graph reduction
//!   by combinators (simple; Hugs and MicroHs do it, and are slower) and machine code (fastest, but not
//!   portable, and the most expensive way to build a recorder and a debugger).
//! - **Words.** Small integers, characters, most doubles, constants and functions are values by themselves, and a word says
//!   whether the object it points to is evaluated and has which constructor ([`word`]): a case on an
//!   evaluated list reads only the slot.
//! - **Calls.** Dictionaries that are known are compiled away, one instance of a function for each combination
//!   ([`compile`]); a call with all its arguments is direct; a strict callee gets evaluated arguments; thunks
//!   are made only for expressions that may not be needed and are not cheap operations on evaluated values.
//! - **Stack and heap** are the machine's own: a recursion a million deep is normal, tail calls take no room,
//!   and the collector scans an old frame once ([`stack`], [`heap`]).
//! - **No leaks of our own making.** A frame keeps only the slots that are needed later; a thunk releases its
//!   variables when it is entered; a selector whose tuple is evaluated is replaced by its field; constants
//!   that no code can need are dropped ([`reach`]).
//!
//! # The place of choices
//!
//! The machine does not run free variables, choices and narrowing yet; [`search`] has the design and
//! `tests/search_prototype.rs` proves it: an update of an object older than the newest choice is logged and
//! undone with it, and the choice keeps frames that are popped below it. The loop is ready for that: updates
//! happen in one place, frames are popped in one place, and there are kinds of objects for updates that may
//! be undone.
//!
//! # What stays true
//!
//! - Nothing recurses natively over the user's data, and no input makes the machine panic.
//! - The collector runs at three places only ([`run`]), where the live slots are known.
//! - `unsafe` is in [`run`], [`heap`] and [`code`] and checked in debug builds; the code they trust is written by
//!   [`compile`] alone.

mod ask;
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
mod trace;
mod word;
mod world;

pub use ask::{Answered, Asking, Found, make_askable};
pub use heap::{Exhausted, Heap, Kind, Roots};
pub use machine::{CallSite, End, Limits, Machine, Resource, Stopper, Uncaught};
pub use recorder::{Counting, Plain, Recorder, Trailing};
pub use search::{Search, Stack};
pub use word::{Seen, Word};
pub use world::{Settings, World};
