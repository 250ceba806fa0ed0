//! Lazy graph reduction with search, generic over a recorder.
//!
//! The machine runs a program of the kernel language (S4 §2.4): its results are those of the natural semantics of S4
//! Fig. 2.5, and the steps that a [`Recorder`] hears of are those of the instrumented semantics (S4 Fig. 4.1 and 5.9).
//! Enter at [`Machine`]: [`Machine::execute`] runs an action.
//!
//! # How it is made fast
//!
//! - **Code.** Functions become code for a register machine when they are first called ([`compile`], [`code`]): the kernel
//!   names every intermediate result, so slots of a frame are what it says already. The alternatives were graph reduction by
//!   combinators (simple; Hugs and MicroHs do it, and are what is to be beaten) and machine code (fastest, but not portable,
//!   and a recorder and a debugger in it cost most to build).
//! - **Words.** Small integers, characters, most doubles, constants and functions are values by themselves, and a word says
//!   whether what it points to is evaluated and with which constructor ([`word`]): a case on an evaluated list looks at no
//!   memory but the slot.
//! - **Calls.** Dictionaries that are known are compiled away, one instance of a function for each combination
//!   ([`compile`]); what is called with all its arguments is called directly; a callee that is strict is given evaluated
//!   arguments; thunks are made only for what may not be needed and is not a cheap operation on what is there.
//! - **Stack and heap** are the machine's own: a recursion a million deep is normal, tail calls take no room, and an old
//!   frame is looked at once by the collector ([`stack`], [`heap`]).
//! - **No leaks of our own making.** A frame keeps the slots that are needed later and no others; a thunk that is entered
//!   lets go of its variables; a selector whose tuple is there is replaced by its field; constants that no code can need
//!   are forgotten ([`reach`]).
//!
//! # Where choices have their place
//!
//! Free variables, choices and narrowing are not run yet; how they will be is decided in [`search`] and proved by
//! `tests/search_prototype.rs`: an update of what is older than the newest choice is written down and taken back with it,
//! and frames that are popped below a choice are kept by it. Nothing in the loop stands against that: updates happen in
//! one place, frames are popped in one place, and objects have the kinds for what may be taken back.
//!
//! # What stays true
//!
//! - Nothing recurses natively over the user's data, and no input makes the machine panic.
//! - The collector runs at three places only ([`run`]), where it is known what is alive.
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
