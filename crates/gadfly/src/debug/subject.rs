//! A recording with the texts that pictures and notes are made of.

use crate::recording::Recording;
use gadfly_term::render::{self, Room};
use gadfly_term::{Equation, TermId};
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

    /// Calls that lead from one to the next, on one line.
    pub(crate) fn calls(&self, nodes: &[Node]) -> String {
        const SHOWN: usize = 8;
        const WIDTH: usize = 60;
        let (first, last) = match nodes.len() > SHOWN {
            true => (&nodes[..SHOWN / 2], &nodes[nodes.len() - SHOWN / 2..]),
            false => (nodes, &[][..]),
        };
        let call = |node: &Node| match self.behaviour(*node, false) {
            Ok(behaviour) => {
                let Equation { mut terms, function, arguments, .. } = behaviour.equation;
                let values: Vec<TermId> = arguments.iter().map(|argument| argument.value).collect();
                let call = terms.function(&function, &values);
                let room = Room { width: WIDTH, lines: 1 };
                render::term(&terms, call, self.recording.style(), room).text
            }
            Err(error) => format!("({error})"),
        };
        let mut texts: Vec<String> = first.iter().map(call).collect();
        if !last.is_empty() {
            texts.push("…".to_owned());
        }
        texts.extend(last.iter().map(call));
        texts.join(" → ")
    }

    /// The equation on one line of at most `width` columns.
    pub(crate) fn line_within(&self, node: Node, width: usize) -> String {
        match self.behaviour(node, false) {
            Ok(behaviour) => render::equation_line(&behaviour.equation, self.recording.style(), width).text,
            Err(error) => format!("({error})"),
        }
    }
}
