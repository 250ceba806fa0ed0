//! Whether the finite maps of a run's functions can be read (S2 §4.1 shows them; it says nothing of their size).
//!
//! A map has an entry for every application of its function. Where functions are composed, or kept in the program's state,
//! the maps hold maps that hold maps: a question would fill many screens, and making it would take long. So some nodes, evenly spread
//! over the run, are looked at before the tree is made. What that may cost is a number of steps, not a time: the same run gives
//! the same view on every machine.

use super::View;
use super::actions::Actions;
use super::equation::map_steps;
use super::follow::Ends;
use super::gather::{Gathered, Kind};
use super::maps::Maps;
use super::values::Run;
use gadfly_trail::Trail;
use gadfly_trail::model::NodeId;
use rustc_hash::FxHashMap;
use std::fmt;

/// Why the finite maps of a run are not shown by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// They are too long, and hold too many maps.
    Maps,
    /// The run is so long that finding what belongs to a map would take too long.
    Run,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unreadable::Maps => "the finite maps of its functions are too long to read",
            Unreadable::Run => "the run is too long to make finite maps of its functions",
        })
    }
}

/// How many nodes are looked at.
const NODES: usize = 1 << 10;
/// How many steps all of their maps may take: applications that are looked at, and cells in entries.
const STEPS: u64 = 1 << 16;
/// How many nodes a trail may have whose applications are sorted by what they apply.
const MOST_NODES: u64 = 1 << 24;

/// Why the maps of a run that has functional values should not be shown; none if they can be.
pub(super) fn unreadable(trail: &Trail, gathered: &Gathered, maps: &Maps) -> Option<Unreadable> {
    if !gathered.functions {
        return None;
    }
    if trail.node_count() > MOST_NODES {
        return Some(Unreadable::Run);
    }
    let (ends, actions) = (Ends::default(), Actions::default());
    // How much a map holds does not depend on what references are called.
    let (globals, globals_of) = (FxHashMap::default(), FxHashMap::default());
    let actions = &actions;
    let run = Run {
        trail,
        ends: &ends,
        maps,
        actions,
        view: View::Fdt,
        globals: &globals,
        globals_of: &globals_of,
    };
    let mut left = STEPS;
    for node in some(gathered) {
        left = left.saturating_sub(map_steps(run, node, left));
        if left == 0 {
            return Some(Unreadable::Maps);
        }
    }
    None
}

/// Nodes that were reduced, evenly spread over the run.
fn some(gathered: &Gathered) -> impl Iterator<Item = NodeId> + '_ {
    let reduced = (1..gathered.shape.len() as u32).filter(|number| {
        let is_redex = matches!(gathered.form(*number).kind, Kind::Call | Kind::Constant | Kind::Apply);
        is_redex && gathered.outcome[*number as usize].is_something()
    });
    let step = reduced.clone().count().div_ceil(NODES).max(1);
    reduced.step_by(step).map(|number| gathered.ids.id(number))
}
