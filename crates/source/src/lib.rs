//! Source text: files, where things stand in them, and what is to be said about them.
//!
//! Enter at [`Sources`] (the files of a program), [`Span`] (bytes of a file), [`Region`] (lines and columns, as a
//! person and an interchange file say it) and [`Diagnostic`] (something said about source text, as plain data).
//! [`render`] turns diagnostics into text; nothing else in the workspace formats them. [`NamePattern`] is how people name
//! functions, and [`nearest`] finds the name that was meant; [`ids!`] makes types of numbers, and a [`Table`] has
//! rows that are named by them.
//!
//! What stays true: lines and columns count from 1, columns count Unicode scalar values, and the end of a region is
//! the first column after it. A span's offsets are bytes. Nothing here reads a file but a [`Shelf`], which opens what a recording
//! names; and what people see of any text is decided here ([`is_hidden`], [`Escaper`]).

mod diagnostic;
mod files;
mod ids;
mod name_pattern;
mod nearest;
mod render;
mod shelf;
mod shown;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use files::{FileId, Position, Region, SourceFile, Sources, Span};
pub use ids::{Id, Table};
pub use name_pattern::NamePattern;
pub use nearest::{distance, nearest};
pub use render::{Colour, render, render_code};
pub use shelf::{NoText, Refusal, Shelf};
pub use shown::{Escaper, Notation, is_hidden, shown, shown_line};
