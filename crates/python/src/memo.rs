//! Dictionaries and objects that have not changed since they were looked at, which are not looked at again.
//!
//! Up to 3.12 every dictionary has a version, and no two states of dictionaries ever have the same one (PEP 509). So what was made of a
//! dictionary, or of an object that keeps its attributes in one, is still right if it and all dictionaries in it have the
//! versions that they had; lists in it have none, and are looked at. What else may change is not remembered. Nothing
//! is held: where an object was, another one may be, but not with the same version.

use crate::values::Value;
use pyo3::ffi::{self, PyObject, PyTypeObject};

/// So many are remembered, by where they are.
pub(crate) const MEMOS: usize = 1 << 8;
/// With more inside that may change, looking at it is as good.
pub(crate) const GUARDS: usize = 64;
/// Smaller ones are looked at.
pub(crate) const LEAST: u32 = 3;

/// Something that would be otherwise if a value had changed. What comes first in a list keeps alive what comes behind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Guard {
    Dictionary {
        dictionary: *mut PyObject,
        version: u64,
    },
    Object {
        object: *mut PyObject,
        class: *mut PyTypeObject,
        dictionary: *mut PyObject,
        version: u64,
    },
    /// A list or a set, which has to be looked at.
    Looking {
        object: *mut PyObject,
        hash: u64,
        depth: u32,
    },
}

/// What was made of an object.
pub(crate) struct Memo {
    pub(crate) object: *mut PyObject,
    pub(crate) value: Value,
    pub(crate) depth: u32,
    /// How many parts were looked at.
    pub(crate) cells: u32,
    /// How many there might have been, if there were too few of them for all.
    pub(crate) short: Option<u32>,
    pub(crate) guards: Vec<Guard>,
}

impl Memo {
    pub(crate) fn none(value: Value) -> Memo {
        Memo { object: std::ptr::null_mut(), value, depth: 0, cells: 0, short: None, guards: Vec::new() }
    }

    /// Whether the same would be made with so many parts left.
    #[inline]
    pub(crate) fn fits(&self, object: *mut PyObject, depth: u32, left: u32) -> bool {
        self.object == object
            && self.depth == depth
            && self.short.map_or(left >= self.cells, |short| short == left)
    }
}

pub(crate) fn slot(object: *mut PyObject) -> usize {
    (object as usize >> 4) % MEMOS
}

/// The version of a dictionary.
///
/// # Safety
/// The dictionary is alive, and [`has_versions`].
#[inline]
pub(crate) unsafe fn version(dictionary: *mut PyObject) -> u64 {
    // Behind the header come how many entries there are, and the version.
    unsafe { *dictionary.add(1).cast::<u64>().add(1) }
}

/// Whether dictionaries have versions where they are looked for: tried out.
///
/// # Safety
/// The interpreter's lock is held.
pub(crate) unsafe fn has_versions() -> bool {
    if cfg!(Py_3_13) {
        return false;
    }
    unsafe {
        let (one, two) = (ffi::PyDict_New(), ffi::PyDict_New());
        let mut seen = vec![];
        if !one.is_null() && !two.is_null() {
            for change in 0..4 {
                seen.extend([version(one), version(two)]);
                let key = ffi::PyLong_FromLong(change % 2);
                ffi::PyDict_SetItem(one, key, if change < 2 { ffi::Py_None() } else { key });
                ffi::Py_XDECREF(key);
            }
            seen.push(version(one));
        }
        ffi::Py_XDECREF(one);
        ffi::Py_XDECREF(two);
        ffi::PyErr_Clear();
        // One has had five versions, the other one only one.
        let mut ones: Vec<u64> = seen.iter().step_by(2).copied().collect();
        let twos: Vec<u64> = seen.iter().skip(1).step_by(2).copied().collect();
        let is_steady = twos.windows(2).all(|pair| pair[0] == pair[1]);
        let grows = ones.windows(2).all(|pair| pair[0] < pair[1]);
        ones.extend(twos.first());
        ones.sort_unstable();
        ones.dedup();
        is_steady && grows && ones.len() == 6
    }
}
