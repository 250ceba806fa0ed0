//! What has changed inside of a call: variables since pieces of code began, and what is in lists.

use crate::object::{Held, Object, is_atom};
use crate::values::{FLAT, Limits, Value};
use pyo3::ffi;

/// A variable that is not what it was when a piece of code began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) variable: u32,
    /// What it was.
    pub(crate) before: Value,
    /// Where a piece of code around has its own change of the same variable.
    outer: u32,
}

const NONE: u32 = u32::MAX;

/// The changes of the pieces of code that are open, those of the innermost last; each has one for a variable. So what is done for a piece
/// of code is as much as changes in it, however many variables there are.
#[derive(Debug)]
pub(crate) struct Changes {
    all: Vec<Change>,
    /// The last one of every variable.
    last: Vec<u32>,
}

impl Changes {
    /// None, of so many variables.
    pub(crate) fn new(variables: usize) -> Changes {
        Changes { all: Vec::new(), last: vec![NONE; variables] }
    }

    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// A variable changes in the piece of code whose changes begin at a place.
    #[inline]
    pub(crate) fn note(&mut self, variable: usize, before: Value, first: usize) {
        let last = &mut self.last[variable];
        if *last == NONE || (*last as usize) < first {
            self.all.push(Change { variable: variable as u32, before, outer: *last });
            *last = self.all.len() as u32 - 1;
        }
    }

    /// The changes from a place on, in the order of the variables.
    #[inline]
    pub(crate) fn since(&mut self, first: usize) -> &[Change] {
        let changes = &mut self.all[first..];
        if changes.len() > 1 {
            changes.sort_unstable_by_key(|change| change.variable);
        }
        changes
    }

    /// A piece of code is over whose changes begin at a place: they are changes of the one around it now, if there is one.
    #[inline]
    pub(crate) fn hand_on(&mut self, first: usize, outer: Option<usize>) {
        let mut kept = first;
        for at in first..self.all.len() {
            let change = self.all[at];
            let is_known = change.outer != NONE && outer.is_some_and(|outer| change.outer as usize >= outer);
            self.last[change.variable as usize] = match outer {
                None => NONE,
                Some(_) if is_known => change.outer,
                Some(_) => {
                    self.all[kept] = change;
                    kept += 1;
                    kept as u32 - 1
                }
            };
        }
        self.all.truncate(kept);
    }
}

/// What is in a list that was looked at as a whole, if that is numbers and strings, which can be held: then it is still what it was if
/// they are the same objects.
#[derive(Debug, Default)]
pub(crate) struct Elements {
    held: Vec<Held>,
    /// How many there are in the list; none if nothing is known.
    length: Option<usize>,
}

impl Elements {
    /// Whether a list has still the same elements; `false` also if that is not known.
    #[inline]
    pub(crate) fn are_still(&self, object: Object<'_>) -> bool {
        let Some(length) = self.length else { return false };
        object.list().is_some_and(|list| list.length() == length && list.begins_with(&self.held))
    }

    /// Holds what is looked at of an object with these limits, if it is a list of numbers and strings.
    pub(crate) fn hold(&mut self, object: Object<'_>, limits: Limits) {
        let Some(list) = object.list().filter(|_| object.is_a(&raw mut ffi::PyList_Type)) else { return };
        let length = list.length();
        let most = Limits::ELEMENTS.min((limits.cells as usize).max(FLAT));
        let is_plain = |at| list.get(at).is_some_and(is_atom);
        if length <= most && (0..length).all(is_plain) {
            let held = (0..length).filter_map(|at| Held::of(list.get(at)?));
            self.held.extend(held);
            self.length = (self.held.len() == length).then_some(length);
            if self.length.is_none() {
                self.held.clear();
            }
        }
    }

    pub(crate) fn let_go(&mut self) {
        self.held.clear();
        self.length = None;
    }
}
