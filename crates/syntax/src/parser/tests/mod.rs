//! Tests of the parser, one file an area.

mod curry;
mod decl;
mod deep;
mod errors;
mod expr;
mod layout;
