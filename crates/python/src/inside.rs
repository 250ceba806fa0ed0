//! The inside of a Python call: its loops, their rounds, its statements (S3 §4).
//!
//! What happens inside calls is not recorded but for the one that matters: the program is run again up to that call, which is
//! then made in detail. If that is not the run that was recorded (the clock, chance, input), the whole program is recorded in
//! detail once more, and the call is looked for in that.

use super::oracle::{call_shape, is_other};
use super::replayer::{self, ReplayError, SharedReplayer};
use super::{Recipe, record};
use gadfly_engine::{Inside, NoInside, Opened, Watch};
use gadfly_frontend::{RecordRequest, World};
use gadfly_trail::Trail;
use gadfly_trail::model::NodeId;
use gadfly_tree::{Behaviours as _, Node, Recording};
use gadfly_views::{self as views, Options, Viewed};
use std::sync::Arc;

/// Opens the inside of calls.
pub(crate) struct PythonInside {
    /// The recorded run.
    pub(crate) trail: Arc<Trail>,
    /// What runs the program again, if that can be done.
    pub(crate) replayer: Option<SharedReplayer>,
    /// Whether new nodes stand over many rounds or statements.
    pub(crate) balanced: bool,
    /// The node of a test, which is not entered, nor is what is above it.
    pub(crate) test: Option<Node>,
    pub(crate) world: Arc<dyn World>,
}

impl Inside for PythonInside {
    fn open(
        &mut self,
        recording: &Arc<dyn Recording>,
        node: Node,
        level: u16,
        _watch: &dyn Watch,
    ) -> Result<Opened, NoInside> {
        let is_test = self.test.is_some_and(|test| node == test || node == Node::ROOT);
        if level > 1 || is_test {
            return Err(NoInside::Nothing);
        }
        let id = NodeId(recording.tree().handle(node));
        if let Ok(known) = views::zoom(Arc::clone(&self.trail), Some(id), self.balanced) {
            return Ok(self.enter(known, 0, true, recording, node));
        }
        let Some(replayer) = self.replayer.clone() else { return Err(NoInside::Nothing) };
        let equation = recording.behaviours().behaviour(recording.tree(), node, true);
        let equation = equation.map_err(|error| unreachable(&error))?.equation;
        let call = replayer.borrow().number(id).ok_or_else(|| unreachable(&ReplayError::AnotherRun))?;
        let detail = replayer.borrow().detail(call, call_shape(&equation));
        let detail = detail.and_then(|trail| {
            let trail = Arc::new(trail);
            if is_other(&equation, Arc::clone(&trail)) { Err(ReplayError::AnotherRun) } else { Ok(trail) }
        });
        match detail {
            Ok(trail) => {
                let inside = views::zoom(trail, None, self.balanced).map_err(|_| NoInside::Nothing)?;
                Ok(self.enter(inside, call, false, recording, node))
            }
            Err(ReplayError::AnotherRun) => {
                let recipe = replayer.borrow().recipe().clone();
                let trail = record_in_detail(&recipe, &*self.world).map_err(|error| unreachable(&error))?;
                let found = find(&equation.canonical(), &trail)
                    .ok_or_else(|| unreachable(&ReplayError::AnotherRun))?;
                let inside = views::zoom(trail, Some(found), self.balanced).map_err(|_| NoInside::Nothing)?;
                Ok(Opened { rerecorded: true, ..self.enter(inside, call, true, recording, node) })
            }
            Err(lost) => Err(unreachable(&lost)),
        }
    }
}

impl PythonInside {
    /// Tells the replayer which call is looked into; `another` if what is looked into cannot be done again.
    fn enter(
        &self,
        inside: Viewed,
        call: u64,
        another: bool,
        recording: &Arc<dyn Recording>,
        node: Node,
    ) -> Opened {
        if let Some(replayer) = &self.replayer {
            let behaviour = recording.behaviours().behaviour(recording.tree(), node, true);
            let shape = behaviour.map(|behaviour| call_shape(&behaviour.equation)).unwrap_or_default();
            let mut replayer = replayer.borrow();
            replayer.inside = Some(replayer::Inside::new((call, another), shape, &inside.tree));
            replayer.missing.clear();
        }
        Opened { recording: Arc::new(inside), rerecorded: false }
    }
}

fn unreachable(reason: &dyn std::fmt::Display) -> NoInside {
    NoInside::Unreachable(reason.to_string())
}

/// Records all of a program in detail.
fn record_in_detail(recipe: &Recipe, world: &dyn World) -> Result<Arc<Trail>, String> {
    let folder = tempfile::Builder::new().prefix("gadfly-").tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("detail.trail");
    let request = RecordRequest { trail: &path, detail: true, output_to_stderr: true };
    record(recipe, request, world).map_err(|_| "the program could not be run again".to_owned())?;
    Trail::open(&path).map(Arc::new).map_err(|error| error.to_string())
}

/// A call that says the same in another run.
fn find(canonical: &str, trail: &Arc<Trail>) -> Option<NodeId> {
    let viewed = views::view(Arc::clone(trail), &Options::default()).ok()?;
    let tree = &viewed.tree;
    let same = |node: &Node| {
        let behaviour = viewed.behaviours.behaviour(tree, *node, true);
        behaviour.is_ok_and(|behaviour| behaviour.equation.canonical() == canonical)
    };
    (0..tree.len()).map(Node).find(same).map(|node| NodeId(tree.handle(node)))
}
