//! Runs of programs that evaluate arguments before they call: values are what they were at one moment, and rows beside a call say
//! what it changed.
//!
//! - `call`: what a call says
//! - `globals`: what calls changed in the variables of modules, also through others
//! - `inside`: the inside of one call, as a tree of its own
//! - `unseen`: changes in what a recorder left out

pub(crate) mod call;
pub(crate) mod change_rows;
mod globals;
pub(crate) mod inside;
mod unseen;
