//! The execution tree: what was computed by what.
//!
//! Enter at [`Tree`], a handful of columns indexed by [`Node`], and [`TreeBuilder`], which takes nodes in any order
//! ([`Columns`] are for those who have them in preorder). [`transform`] makes other trees of the same run.
//! Definitions: S3 §4.1 (execution nodes are behaviours of any piece of code), S0 §1.
//!
//! What stays true: nodes are numbered in preorder, so a subtree is a contiguous range and a node's parent has a
//! smaller number; children stand in the order in which they were given. The tree knows no language and no file: what
//! a node says is behind an opaque handle that [`Behaviours`] reads. A node takes 21 bytes, so ten million nodes are
//! cheap; nothing walks the tree by native recursion.

mod about;
mod behaviour;
mod build;
mod columns;
mod recording;
mod rules;
pub mod transform;

pub use about::About;
pub use behaviour::{Behaviour, BehaviourError, Behaviours, Equations};
pub use build::{BuildError, Entry, NO_PARENT, TreeBuilder};
pub use columns::{Children, Columns, Kind, Node, Tree};
pub use recording::Recording;
pub use rules::{Rule, RuleId, RuleTable};
