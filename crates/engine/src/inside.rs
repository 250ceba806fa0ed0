//! The inside of a call that was found: its loops, their rounds, its statements (S3 §4).

use crate::Watch;
use gadfly_tree::{Node, Recording};
use std::sync::Arc;

/// Opens the inside of calls. A front-end offers it as far as its language can.
pub trait Inside: Send {
    /// Whether there is anything to be seen inside a node, as far as that is known without looking.
    fn can_open(&self, _recording: &dyn Recording, _node: Node) -> bool {
        true
    }

    /// The inside of `node`, which is a node of `recording`, as a recording of its own: it is level `level` of the session.
    fn open(
        &mut self,
        recording: &Arc<dyn Recording>,
        node: Node,
        level: u16,
        watch: &dyn Watch,
    ) -> Result<Opened, NoInside>;
}

/// The inside of a call.
#[derive(Clone)]
pub struct Opened {
    /// What happened inside.
    pub recording: Arc<dyn Recording>,
    /// Whether the program took another path when it was run again, so that all of it was recorded anew.
    pub rerecorded: bool,
}

/// Why the inside of a call cannot be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoInside {
    /// There is none: nothing that the user needs to hear of.
    Nothing,
    /// There is one, but it cannot be reached; the reason as half a sentence.
    Unreachable(String),
    /// It is not wanted any more.
    Cancelled,
}
