//! Recorded runs.
//!
//! Today this room holds one way in: [`interchange`], the file that any tool in any language can write. Enter at
//! [`interchange::open`], which reads such a file into an execution tree, and [`interchange::Writer`], which writes one.
//!
//! What stays true: a file is read once, front to back, and checked completely while it is read, so that a session
//! never meets a bad value later; what a node says stays in the file and is read when it is asked about; nothing here
//! recurses natively over what a file contains, and nothing is allocated because a file *says* it is big.

pub mod interchange;
pub mod run;
pub mod views;
