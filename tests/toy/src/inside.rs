//! The inside of a call: the call is made once more, and recorded in detail.

use crate::interpret::{Interpreter, Limits};
use crate::record::{Recorder, tables};
use crate::syntax::Code;
use gadfly_engine::{Inside, NoInside, Opened, Watch};
use gadfly_trail::Trail;
use gadfly_trail::model::{NodeId, Ref, RunEnd, What};
use gadfly_trail::write::Memory;
use gadfly_tree::{Node, Recording, Tree};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The tree of the inside that was opened last: an oracle that is asked about it needs to know what its nodes stand over.
pub(crate) type Entered = Arc<Mutex<Option<Arc<Tree>>>>;

/// Opens the inside of calls.
pub(crate) struct ToyInside {
    pub(crate) code: Code,
    /// The recorded run.
    pub(crate) trail: Arc<Trail>,
    /// How long a call may take to be made again.
    pub(crate) time: Duration,
    pub(crate) balanced: bool,
    pub(crate) entered: Entered,
}

impl Inside for ToyInside {
    fn open(
        &mut self,
        recording: &Arc<dyn Recording>,
        node: Node,
        level: u16,
        watch: &dyn Watch,
    ) -> Result<Opened, NoInside> {
        if level > 1 {
            // A statement has no inside of its own: it is in the tree already.
            return Err(NoInside::Nothing);
        }
        // It may have been recorded with `--detail`.
        let call = NodeId(recording.tree().handle(node));
        let viewed = match gadfly_views::zoom(Arc::clone(&self.trail), Some(call), self.balanced) {
            Ok(viewed) => viewed,
            Err(_) => {
                let trail = self.again(call, watch).ok_or(NoInside::Nothing)?;
                gadfly_views::zoom(Arc::new(trail), None, self.balanced).map_err(|_| NoInside::Nothing)?
            }
        };
        if watch.is_cancelled() {
            return Err(NoInside::Cancelled);
        }
        *self.entered.lock().unwrap_or_else(|poison| poison.into_inner()) = Some(Arc::clone(&viewed.tree));
        Ok(Opened { recording: Arc::new(viewed), rerecorded: false })
    }
}

impl ToyInside {
    /// Makes a call again, and records it in detail into memory.
    fn again(&self, call: NodeId, watch: &dyn Watch) -> Option<Trail> {
        let What::Call(function) = self.trail.shape(call).what else { return None };
        let function = self.code.function(&self.trail.tables().functions[function as usize].name)?;
        let mut references = Vec::new();
        self.trail.references(call, &mut references);
        let value = |reference: &Ref| if let Ref::Int(value) = reference { Some(*value) } else { None };
        let arguments: Option<Vec<i64>> = references.iter().map(value).collect();
        let arguments = arguments.filter(|found| found.len() == self.code.functions[function].arity)?;
        let told = self.trail.tables();
        let tables = tables(&self.code, &told.language, &told.command, &[]);
        let (stream, memory) = Memory::stream(tables.clone());
        let mut recorder = Recorder::new(&self.code, &tables, stream, 1, Box::new(io::sink()));
        let stop = || watch.is_cancelled();
        let limits = Limits { until: Instant::now().checked_add(self.time), stop: &stop };
        // However it ends: what it did until then is what is looked at.
        let _ = Interpreter::new(&self.code, &mut recorder, limits).call(function, &arguments);
        recorder.finish(&RunEnd::Exit(0));
        Trail::from_bytes(memory.bytes()).ok()
    }
}
