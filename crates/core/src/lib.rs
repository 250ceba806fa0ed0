//! The kernel language, and the lowering of Haskell 2010 and Curry into it.
//!
//! A [`kernel::Program`] is a *normalised flat program* (S4 §2.4, Fig. 2.4): functions at the top level only, one
//! body each; pattern matching as case distinctions with flat patterns, rigid or flexible; arguments that are atoms,
//! so that sharing is explicit in `let`. Enter at [`kernel`] for the language, at [`print()`] and [`verify`]
//! to print or check a program, at [`kernel::Program::path`] for positions (S4 §5.3.2), and at [`lower()`]
//! to make one from a checked program.
//!
//! What stays true:
//! - Every expression has the source span a person would point at; expressions that desugaring made are
//!   marked.
//! - Every function knows its name in the source, where it is written and, in [`kernel::Expr::Rule`], which
//!   of its equations a path of its body belongs to.
//! - Expressions are numbers into columns: nothing is dropped recursively, and nothing here walks a kernel expression
//!   by native recursion.
//! - The same program gives the same kernel: no hash order, no clock, no input or output.

pub mod kernel;
mod lower;
mod print;
mod verify;

pub use lower::{Dict, Local, Locals, Lowered, STACK, Support, lower, lower_also};
pub use print::{Show, print};
pub use verify::verify;
