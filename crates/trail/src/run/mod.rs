//! Recorded runs of the lazy language: the augmented redex trail (ART) in a file.
//!
//! [`model`] says what a run is made of; [`stream`] is where the machine puts it.

pub mod model;
pub mod stream;
