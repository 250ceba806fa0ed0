//! What a session, a picture or a server is about, wherever it comes from.

use crate::{About, Behaviours, Tree};
use gadfly_source::Sources;
use std::sync::Arc;

/// An execution tree with what its nodes say and the sources they stand for: a view of a recorded run, the inside of one
/// call, or a tree that another tool wrote.
pub trait Recording: Send + Sync {
    /// What was recorded.
    fn about(&self) -> &About;

    /// Which tree it is: `edt` and `fdt` of a recorded run, `inside` of one call, `tree` where there is only one.
    fn view(&self) -> &'static str;

    /// The same for the same nodes: sessions with the same one are about the same tree.
    fn fingerprint(&self) -> u128;

    /// The execution tree.
    fn tree(&self) -> &Arc<Tree>;

    /// What the nodes say.
    fn behaviours(&self) -> Arc<dyn Behaviours>;

    /// The source files, as they were when the program ran.
    fn sources(&self) -> &Sources;
}
