//! Messages about types, by what went wrong. Each shows the types in full, where they come from, and what to do next.

mod arguments;
mod instances;
mod mismatch;
