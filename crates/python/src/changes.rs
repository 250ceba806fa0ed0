//! What has changed inside of a call: variables since pieces of code began, and what is in lists.

use crate::values::{FLAT, Limits, Value, Values};
use pyo3::ffi::{self, PyObject};

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

/// What is in a list, as far as it was looked at, if that is numbers and strings, which can be held: then it is still what it was if
/// they are the same objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elements {
    /// Where they are.
    held: Vec<usize>,
    /// How many there are in the list; none if nothing is known.
    length: Option<isize>,
}

impl Elements {
    /// Whether a list has still the same elements; `false` also if that is not known.
    ///
    /// # Safety
    /// The object is the one that they were held of, and the interpreter's lock is held; here and below.
    #[inline]
    pub(crate) unsafe fn are_still(&self, list: *mut PyObject) -> bool {
        let Some(length) = self.length else { return false };
        // SAFETY: it is a list, and has as many elements as it had; a place for them only if there are any.
        unsafe {
            ffi::PyList_GET_SIZE(list) == length
                && (self.held.is_empty()
                    || std::slice::from_raw_parts(
                        (*list.cast::<ffi::PyListObject>()).ob_item.cast::<usize>(),
                        self.held.len(),
                    ) == self.held.as_slice())
        }
    }

    /// Holds what is looked at of an object with these limits, if it is a list of numbers and strings.
    pub(crate) unsafe fn hold(&mut self, object: *mut PyObject, limits: Limits) {
        unsafe {
            if object.is_null() || ffi::Py_TYPE(object) != &raw mut ffi::PyList_Type {
                return;
            }
            let length = ffi::PyList_GET_SIZE(object);
            let seen = (length as usize).min(Limits::ELEMENTS).min((limits.cells as usize).max(FLAT));
            for at in 0..seen {
                let element = ffi::PyList_GET_ITEM(object, at as isize);
                if !is_lasting(element) {
                    return;
                }
            }
            for at in 0..seen {
                let element = ffi::PyList_GET_ITEM(object, at as isize);
                ffi::Py_INCREF(element);
                self.held.push(element as usize);
            }
            self.length = Some(length);
        }
    }

    pub(crate) fn let_go(&mut self, values: &mut Values) {
        values.dropped.extend(self.held.drain(..).map(|held| held as *mut PyObject));
        self.length = None;
    }
}

/// Whether something never changes, and nobody notices how long it lives.
unsafe fn is_lasting(object: *mut PyObject) -> bool {
    let class = unsafe { ffi::Py_TYPE(object) };
    let lasting = [
        &raw mut ffi::PyLong_Type,
        &raw mut ffi::PyBool_Type,
        &raw mut ffi::PyUnicode_Type,
        &raw mut ffi::PyFloat_Type,
    ];
    lasting.contains(&class) || object == unsafe { ffi::Py_None() }
}
