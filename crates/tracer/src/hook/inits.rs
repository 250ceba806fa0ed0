//! Constructors that nobody would see.
//!
//! From 3.13 on, a call of a simple class becomes an instruction that makes the object and enters `__init__` by itself, without asking
//! who evaluates frames. It is not used for classes that have an allocator of their own, so they get one, which does what
//! the usual one does. No program can see that.

use crate::object::{Class, give_own_allocator};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyType};

/// Whether that is so in this interpreter.
const INLINES_INIT: bool = cfg!(Py_3_13);

/// Has the constructors of a class seen from now on.
#[inline]
pub(crate) fn show(class: Class<'_>) {
    if INLINES_INIT {
        class.give_own_allocator();
    }
}

/// Has the constructors of all classes seen that there are, also where they are called already. Nobody looks.
pub(crate) fn show_all(python: Python<'_>) {
    if !INLINES_INIT {
        return;
    }
    let mut waiting = vec![python.get_type::<PyAny>()];
    let mut known = std::collections::HashSet::new();
    while let Some(class) = waiting.pop() {
        for subclass in subclasses(&class).into_iter().flatten() {
            if let Ok(subclass) = subclass.cast_into::<PyType>()
                && known.insert(subclass.as_ptr())
            {
                waiting.push(subclass);
            }
        }
        give_own_allocator(&class);
    }
}

/// A list of the classes that inherit from one: by the method of `type`, whatever the class says.
fn subclasses<'p>(class: &Bound<'p, PyType>) -> Option<Bound<'p, PyList>> {
    let of = class.py().get_type::<PyType>();
    of.call_method1("__subclasses__", (class,)).ok()?.cast_into().ok()
}
