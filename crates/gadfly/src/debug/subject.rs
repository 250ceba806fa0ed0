//! A recording with the texts that pictures and notes are made of.

use crate::recording::Recording;
use gadfly_term::render;
use gadfly_tree::{Behaviour, BehaviourError, Node, Rule};

/// An opened recording, and how its equations are written.
pub(crate) struct Subject<'a> {
    pub(crate) recording: &'a Recording,
}

/// An equation in a picture is cut to this many columns.
const LINE: usize = 2_000;

impl<'a> Subject<'a> {
    pub(crate) fn new(recording: &'a Recording) -> Subject<'a> {
        Subject { recording }
    }

    pub(crate) fn rule(&self, node: Node) -> &'a Rule {
        let tree = self.recording.tree();
        tree.rules().get(tree.rule_id(node))
    }

    /// What a node says.
    pub(crate) fn behaviour(&self, node: Node, whole: bool) -> Result<Behaviour, BehaviourError> {
        self.recording.behaviours().behaviour(self.recording.tree(), node, whole)
    }

    /// The equation on one line of bounded length.
    pub(crate) fn line(&self, node: Node) -> String {
        self.line_within(node, LINE)
    }

    /// The equation on one line of at most `width` columns.
    pub(crate) fn line_within(&self, node: Node, width: usize) -> String {
        match self.behaviour(node, false) {
            Ok(behaviour) => render::equation_line(&behaviour.equation, self.recording.style(), width).text,
            Err(error) => format!("({error})"),
        }
    }
}
