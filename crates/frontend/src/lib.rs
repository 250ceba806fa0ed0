//! The door that every language comes through.

mod oracle_spec;

pub use oracle_spec::{OracleSpec, OracleSpecError};
