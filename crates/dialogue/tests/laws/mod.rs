//! What is true of every session, tried on random ones.

mod questions;
mod replay;
mod resume;
mod scene;
