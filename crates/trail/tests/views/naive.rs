//! The trees by their definitions.
