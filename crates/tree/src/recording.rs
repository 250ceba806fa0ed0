//! What a session, a picture or a server is about, wherever it comes from.

use crate::{Behaviours, Tree};
use gadfly_source::Sources;
use gadfly_term::render::Style;
use std::sync::Arc;

/// An execution tree with what its nodes say and the sources they stand for: a view of a recorded run, the inside of one
/// call, or a tree that another tool wrote.
pub trait Recording: Send + Sync {
    /// What was recorded.
    fn about(&self) -> &About;

    /// The execution tree.
    fn tree(&self) -> &Arc<Tree>;

    /// What the nodes say.
    fn behaviours(&self) -> Arc<dyn Behaviours>;

    /// The source files, as they were when the program ran.
    fn sources(&self) -> &Sources;
}

/// What was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The language of the program, to be shown.
    pub language: String,
    /// What was run, as a person would name it.
    pub program: Option<String>,
    /// How equations are written.
    pub style: Style,
    /// Which tree it is: `edt` and `fdt` of a recorded run, `inside` of one call, `tree` where there is only one.
    pub view: &'static str,
    /// The same for the same nodes: sessions with the same one are about the same tree.
    pub fingerprint: u128,
}
