//! What calls changed in the variables of modules, directly or through the calls that they made.
//!
//! The rows of a call list the variables that its own code uses. A change must also be shown with the caller: it is part of what the
//! caller did. The changes of one variable are kept in the order of the calls that made them, so those inside of a call are
//! neighbours: the first of them says what the variable was, and the one that ended last what it became.

use gadfly_trail::Trail;
use gadfly_trail::model::{NodeId, RawRef, Ref, Role, What};
use rustc_hash::FxHashMap;

/// A variable: its module, and its name as a row of changes has it.
type Variable = (u32, i64);

/// Changes of the variables of modules.
#[derive(Debug, Default)]
pub(super) struct Globals {
    variables: Vec<(Variable, Changes)>,
}

/// The changes of one variable.
#[derive(Debug, Default)]
struct Changes {
    /// By call; `when` counts the ends of calls.
    rows: Vec<Change>,
    /// The latest of the rows, of every two neighbours, of every four, and so on: a tree in an array, the leaves behind.
    latest: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Change {
    node: NodeId,
    when: u32,
    before: Ref,
    after: Ref,
}

/// A row that is about a variable of a module.
#[derive(Clone, Copy, Debug)]
pub(super) struct GlobalChange {
    variable: Variable,
    call: NodeId,
    before: Ref,
    after: Ref,
}

impl GlobalChange {
    /// None if the variable is one of the call, or of a function around it.
    pub(super) fn new(
        trail: &Trail,
        call: NodeId,
        which: i64,
        before: RawRef,
        after: RawRef,
    ) -> Option<GlobalChange> {
        let What::Call(function) = trail.shape(call).what else { return None };
        let function = trail.tables().functions.get(function as usize)?;
        let is_captured = function.parameters.iter().any(|(name, role)| {
            *role == Role::Captured && name.is_some_and(|name| -1 - i64::from(name) == which)
        });
        let variable = (function.module, which);
        let (before, after) = (trail.see(before), trail.see(after));
        (which < 0 && !is_captured && !function.origin.is_inside()).then_some(GlobalChange {
            variable,
            call,
            before,
            after,
        })
    }
}

impl Globals {
    /// From what was recorded of calls, in the order of the run.
    pub(super) fn new(changes: Vec<GlobalChange>) -> Globals {
        let mut found: FxHashMap<Variable, Vec<Change>> = FxHashMap::default();
        for (when, GlobalChange { variable, call, before, after }) in changes.into_iter().enumerate() {
            let change = Change { node: call, when: when as u32, before, after };
            found.entry(variable).or_default().push(change);
        }
        let mut variables: Vec<(Variable, Changes)> =
            found.into_iter().map(|(variable, rows)| (variable, Changes::new(rows))).collect();
        variables.sort_unstable_by_key(|((module, which), _)| (*module, -which));
        Globals { variables }
    }

    /// What changed between two calls, the later one included: module, name, what it was, and what it became.
    pub(super) fn within(
        &self,
        first: NodeId,
        last: NodeId,
    ) -> impl Iterator<Item = (u32, i64, Ref, Ref)> + '_ {
        self.variables.iter().filter_map(move |((module, which), changes)| {
            let (before, after) = changes.within(first, last)?;
            Some((*module, *which, before, after))
        })
    }
}

impl Changes {
    fn new(mut rows: Vec<Change>) -> Changes {
        rows.sort_unstable_by_key(|row| (row.node, row.when));
        let count = rows.len();
        let mut latest = vec![0; 2 * count];
        for (at, slot) in latest[count..].iter_mut().enumerate() {
            *slot = at as u32;
        }
        let mut changes = Changes { rows, latest };
        for at in (1..count).rev() {
            changes.latest[at] = changes.later(changes.latest[2 * at], changes.latest[2 * at + 1]);
        }
        changes
    }

    fn later(&self, one: u32, other: u32) -> u32 {
        let when = |at: u32| self.rows[at as usize].when;
        if when(other) > when(one) { other } else { one }
    }

    fn within(&self, first: NodeId, last: NodeId) -> Option<(Ref, Ref)> {
        let start = self.rows.partition_point(|row| row.node < first);
        let end = self.rows.partition_point(|row| row.node <= last);
        if start >= end {
            return None;
        }
        let count = self.rows.len();
        let (mut low, mut high, mut found) = (start + count, end + count, start as u32);
        while low < high {
            if low % 2 == 1 {
                found = self.later(found, self.latest[low]);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                found = self.later(found, self.latest[high]);
            }
            (low, high) = (low / 2, high / 2);
        }
        Some((self.rows[start].before, self.rows[found as usize].after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(node: u64, when: u32, before: i64, after: i64) -> Change {
        Change { node: NodeId(node), when, before: Ref::Int(before), after: Ref::Int(after) }
    }

    #[test]
    fn the_first_says_what_was_and_the_last_to_end_what_became() {
        // 2 calls 3 and 4; 5 calls 6, which calls 7.
        let rows = vec![
            change(3, 0, 0, 1),
            change(4, 1, 1, 2),
            change(7, 2, 2, 3),
            change(6, 3, 2, 4),
            change(8, 4, 4, 0),
        ];
        let changes = Changes::new(rows);
        let within = |first, last| changes.within(NodeId(first), NodeId(last));
        assert_eq!(within(2, 4), Some((Ref::Int(0), Ref::Int(2))));
        assert_eq!(within(5, 7), Some((Ref::Int(2), Ref::Int(4))));
        assert_eq!(within(1, 8), Some((Ref::Int(0), Ref::Int(0))));
        assert_eq!(within(9, 9), None);
        assert_eq!(within(4, 4), Some((Ref::Int(1), Ref::Int(2))));
    }
}
