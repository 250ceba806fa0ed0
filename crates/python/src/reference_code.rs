//! The code of a reference beside the program's own: what is the same, what differs, and what makes a test pass.
//!
//! The oracle that asks the reference about calls and the reviewer that doubts verdicts share it.

use super::messages::{Ask, Differing, DifferingPlaces, Elsewhere, ReferencePlace, Reply, Sameness};
use super::replayer::SharedReplayer;
use super::versions::ReferenceVersion;
use gadfly_trail::model::NodeId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A test or a script that is run many times may take so many times as long as one answer.
const MOST_RUNS: u64 = 10;

/// A reference, and the program that can be run with its code.
#[derive(Clone)]
pub(crate) struct ReferenceCode {
    pub(crate) replayer: SharedReplayer,
    version: Arc<ReferenceVersion>,
    /// Whether everything counts that could differ, and code that is not the reference's gives no answers.
    strict: Arc<AtomicBool>,
}

impl ReferenceCode {
    pub(crate) fn new(replayer: SharedReplayer, version: ReferenceVersion) -> ReferenceCode {
        ReferenceCode { replayer, version: Arc::new(version), strict: Arc::new(AtomicBool::new(false)) }
    }

    pub(crate) fn place(&self) -> ReferencePlace {
        self.version.place().clone()
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.strict.load(Ordering::Relaxed)
    }

    /// Compares strictly from now on; says whether it did not before.
    pub(crate) fn become_strict(&self) -> bool {
        !self.strict.swap(true, Ordering::Relaxed)
    }

    fn ask(&self, handle: u64, ask: Ask) -> Option<Reply> {
        let mut replayer = self.replayer.borrow();
        let call = replayer.number(NodeId(handle))?;
        replayer.ask(call, ask).ok()
    }

    /// The same of what runs a test or a script many times.
    fn ask_patiently(&self, handle: u64, ask: Ask) -> Option<Reply> {
        let mut replayer = self.replayer.borrow();
        let call = replayer.number(NodeId(handle))?;
        let seconds = MOST_RUNS * replayer.seconds();
        replayer.ask_within(call, ask, seconds).ok()
    }

    /// Whether the reference has the function of a call, by its text or by its meaning.
    pub(crate) fn has_same(&self, handle: u64, how: Sameness) -> bool {
        let reply = self.ask(handle, Ask::SameCode { reference: self.place(), how });
        reply == Some(Reply::Same { same: true })
    }

    /// What differs from the reference outside of functions; if there is a test, what makes it pass. Or, if these are asked for,
    /// what differs in functions, whether they ran or not.
    pub(crate) fn elsewhere(&self, test: Option<u64>, of: Elsewhere) -> Option<DifferingPlaces> {
        let ask = Ask::DifferencesElsewhere { reference: self.place(), of, test_passes: test.is_some() };
        let reply = match test {
            Some(handle) => self.ask_patiently(handle, ask)?,
            None => self.replayer.borrow().ask(1, ask).ok()?,
        };
        match reply {
            Reply::DifferingPlaces(found) => Some(found),
            _ => None,
        }
    }

    /// Whether a test passes without the reference's version of a function, by file and name.
    pub(crate) fn test_passes_without(&self, test: u64, (file, name): (&str, &str)) -> bool {
        let function = (file.to_owned(), name.to_owned());
        let reply = self.ask_patiently(test, Ask::TestPassesWithout { reference: self.place(), function });
        reply == Some(Reply::PassesWithout { passes: true })
    }

    /// Of functions, by file and name: those that make a test pass if they are the reference's.
    pub(crate) fn test_passes_with(&self, test: u64, functions: &[(&str, &str)]) -> Option<Vec<usize>> {
        let functions =
            functions.iter().map(|(file, name)| ((*file).to_owned(), (*name).to_owned())).collect();
        match self.ask_patiently(test, Ask::TestPassesWith { reference: self.place(), functions })? {
            Reply::Passing { functions } => Some(functions),
            _ => None,
        }
    }

    /// What differs from the reference in a call, or in the one that was entered.
    pub(crate) fn differing(&self, handle: Option<u64>) -> Option<Differing> {
        let ask = Ask::DifferingCode { reference: self.place() };
        let reply = match handle {
            Some(handle) => self.ask(handle, ask)?,
            None => {
                let mut replayer = self.replayer.borrow();
                let call = replayer.inside.as_ref()?.call;
                replayer.ask(call, ask).ok()?
            }
        };
        match reply {
            Reply::Differing(differing) => Some(differing),
            _ => None,
        }
    }
}
