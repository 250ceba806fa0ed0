//! The rows about calls other than their outcomes: what they changed, yielded and were sent.
//!
//! A program whose every call changes an object has as many of these rows as calls. So they are columns, sorted by call: one
//! for each part of the file, which threads read at the same time. What a call has is looked up in each of them.

use super::globals::{GlobalChange, Globals};
use crate::gather::{in_parts, parts};
use gadfly_trail::Trail;
use gadfly_trail::model::{NodeId, RawRef, Ref, What};
use std::ops::Range;

/// The first number of a row about a generator, if the row does not say what was sent into it: what was thrown into it, what it raised.
const THROWN: i64 = 1;
const FAILED: i64 = 2;

/// The rows of a run.
#[derive(Debug, Default)]
pub(crate) struct ChangeRows {
    /// By parts of the file; each in the order of the calls, and for one call in the order of the run.
    parts: Vec<Vec<Row>>,
    pub(super) globals: Globals,
}

/// A row.
#[derive(Clone, Copy, Debug)]
struct Row {
    call: NodeId,
    /// What a [`Sort::Changed`] row says of which variable; of the others, the number that they begin with.
    which: i32,
    sort: Sort,
    first: RawRef,
    second: RawRef,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Changed,
    Yielded,
    Sent,
}

/// What the rows say of a call.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Which variable was what, and became what.
    pub(super) changed: Vec<(i64, Ref, Ref)>,
    /// None if nothing was.
    pub(super) yielded: Option<Vec<Ref>>,
    /// What was sent into a generator or thrown, and how many values it had given by then.
    pub(super) sent: Vec<(usize, bool, Ref)>,
    /// What a generator raised in the end.
    pub(super) failed: Option<Ref>,
}

impl ChangeRows {
    pub(crate) fn new(trail: &Trail) -> ChangeRows {
        let found = in_parts(parts(trail), |blocks| read(trail, blocks));
        let mut parts = Vec::new();
        let mut global = Vec::new();
        for (rows, changes) in found {
            parts.push(rows);
            global.extend(changes);
        }
        ChangeRows { parts, globals: Globals::new(global) }
    }

    /// What is said of a call.
    pub(super) fn of(&self, trail: &Trail, call: NodeId) -> Told {
        let mut told = Told::default();
        for rows in &self.parts {
            let start = rows.partition_point(|row| row.call < call);
            for row in rows[start..].iter().take_while(|row| row.call == call) {
                told.add(row, trail);
            }
        }
        told
    }
}

impl Told {
    fn add(&mut self, row: &Row, trail: &Trail) {
        let first = trail.see(row.first);
        match (row.sort, i64::from(row.which)) {
            (Sort::Changed, which) => self.changed.push((which, first, trail.see(row.second))),
            (Sort::Yielded, _) => self.yielded.get_or_insert_default().push(first),
            (Sort::Sent, FAILED) => self.failed = Some(first),
            (Sort::Sent, sort) => {
                let given = self.yielded.as_ref().map_or(0, Vec::len);
                self.sent.push((given, sort == THROWN, first));
            }
        }
    }
}

/// The rows of some blocks, and those of them that are about variables of modules, in the order of the run.
fn read(trail: &Trail, blocks: Range<usize>) -> (Vec<Row>, Vec<GlobalChange>) {
    let (mut rows, mut global) = (Vec::new(), Vec::new());
    let wanted = |what| matches!(what, What::Changed | What::Performed);
    let number = |word: RawRef| match trail.see(word) {
        Ref::Int(number) => i32::try_from(number).ok(),
        _ => None,
    };
    for block in blocks {
        trail.for_each_late_row(block, wanted, |what, call, references| {
            let row = match (what, references) {
                (What::Changed, &[which, first, second]) => {
                    number(which).map(|which| Row { call, which, sort: Sort::Changed, first, second })
                }
                (What::Performed, &[first]) => {
                    Some(Row { call, which: 0, sort: Sort::Yielded, first, second: RawRef::UNKNOWN })
                }
                (What::Performed, &[sort, first]) => number(sort).map(|which| Row {
                    call,
                    which,
                    sort: Sort::Sent,
                    first,
                    second: RawRef::UNKNOWN,
                }),
                _ => None,
            };
            let Some(row) = row else { return };
            if row.sort == Sort::Changed && row.which < 0 {
                let (which, before, after) = (i64::from(row.which), row.first, row.second);
                global.extend(GlobalChange::new(trail, call, which, before, after));
            }
            rows.push(row);
        });
    }
    // Calls end in another order than they begin.
    rows.sort_by_key(|row| row.call);
    (rows, global)
}
