//! Terms: structured values as a person reads them in an equation.
//!
//! Enter at [`Terms`], an arena that holds the values of one equation, and [`Equation`], the call they belong to.
//! [`digits`] has those of floating-point numbers. A [`Path`] addresses a part (`@result.3`, `@arg1.2.1`); [`render`] shows a term or an equation in a given width.
//!
//! What stays true: nothing here recurses natively, because values are a million long and a million deep; a number is
//! kept as it was written, because integers grow; `_` is "never evaluated" and `…` is "not shown", and the two are
//! never confused.

mod classes;
pub mod digits;
mod equation;
mod path;
mod path_text;
pub mod render;
mod terms;

pub use classes::Classes;
pub use equation::{Argument, Binding, Equation, Outcome};
pub use path::{Part, Path, PathError, Root};
pub use terms::{Mark, Shape, TermId, Terms};
