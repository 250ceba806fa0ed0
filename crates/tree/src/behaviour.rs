//! What a node says, read when it is needed.

use crate::{Node, Tree};
use gadfly_source::Region;
use gadfly_term::Equation;
use std::fmt;

/// What a node says: its equation, and the code that ran (S3 Def. 4.6, the projection of the code).
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// The call with its values.
    pub equation: Equation,
    /// The pieces of code that ran for it, where the recorder knows better than "the whole rule".
    pub code: Vec<Region>,
}

/// A behaviour that could not be read: the file changed or went away under the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BehaviourError {
    /// What happened, as a sentence for the user.
    pub message: String,
}

impl fmt::Display for BehaviourError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BehaviourError {}

/// Reads behaviours by the handles that the tree's nodes hold.
pub trait Behaviours: Send + Sync {
    /// What `node` says. Values beyond the reader's limits come with `…` in them unless `whole` is asked for.
    fn behaviour(&self, tree: &Tree, node: Node, whole: bool) -> Result<Behaviour, BehaviourError>;

    /// How hard the equation is to read, in characters, roughly; cheap, and never an error.
    fn effort(&self, tree: &Tree, node: Node) -> u32;

    /// The nodes besides its children that `node` was computed from: constants of the program, which are computed once,
    /// on behalf of the first call that needs them, and used by all. In the order in which they are to be asked about.
    fn uses(&self, _tree: &Tree, _node: Node) -> Vec<Node> {
        Vec::new()
    }
}

/// Behaviours kept in memory, for small trees and for tests: a node's handle is an index.
#[derive(Clone, Debug, Default)]
pub struct Equations {
    /// The equations, in the order of their handles.
    pub equations: Vec<Equation>,
    /// What nodes were computed from besides their children.
    pub uses: Vec<(Node, Node)>,
}

impl Behaviours for Equations {
    fn behaviour(&self, tree: &Tree, node: Node, _whole: bool) -> Result<Behaviour, BehaviourError> {
        let index = usize::try_from(tree.handle(node)).unwrap_or(usize::MAX);
        match self.equations.get(index) {
            Some(equation) => Ok(Behaviour { equation: equation.clone(), code: Vec::new() }),
            None => Err(BehaviourError { message: format!("node {} has no equation", node.number()) }),
        }
    }

    fn effort(&self, tree: &Tree, node: Node) -> u32 {
        let index = usize::try_from(tree.handle(node)).unwrap_or(usize::MAX);
        self.equations.get(index).map_or(0, |equation| equation.terms.len() as u32)
    }

    fn uses(&self, _tree: &Tree, node: Node) -> Vec<Node> {
        self.uses.iter().filter(|(by, _)| *by == node).map(|(_, used)| *used).collect()
    }
}
