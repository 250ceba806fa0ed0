//! The rounds of a `for` loop with events in it: what happens between two of them is part of neither.
//!
//! The next element may come from code of the program (a generator, `__next__`), whose calls are the loop's and no round's. So where a
//! loop goes over anything but what the interpreter goes over by itself, it goes over a [`Rounds`], which says that a round is over
//! before it asks for more. Over a list or a string it goes as it did, and the next round ends the one before.

use crate::hook;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyIterator;

/// Goes over something, and tells before every element.
#[pyclass(frozen)]
pub(crate) struct Rounds {
    iterator: Py<PyIterator>,
    /// The event.
    number: usize,
    /// Who is told; the recorder if nobody else.
    at: Option<Py<PyAny>>,
}

#[pymethods]
impl Rounds {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, python: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match &self.at {
            Some(at) => drop(at.call1(python, (self.number,))?),
            None if !hook::at(python, self.number) => return Err(PyKeyboardInterrupt::new_err(())),
            None => {}
        }
        let next = self.iterator.bind(python).clone().next();
        next.map(|next| next.map(Bound::unbind)).transpose()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.iterator)?;
        self.at.as_ref().map_or(Ok(()), |at| visit.call(at))
    }
}

/// What a loop goes over that is to go over something: that itself if no code of the program runs between two rounds, unless somebody
/// else than the recorder wants to be told.
#[pyfunction]
#[pyo3(signature = (iterable, number, at=None))]
pub(crate) fn rounds<'p>(
    iterable: Bound<'p, PyAny>,
    number: usize,
    at: Option<Py<PyAny>>,
) -> PyResult<Bound<'p, PyAny>> {
    if at.is_none() && is_quiet(&iterable) {
        return Ok(iterable);
    }
    let iterator = iterable.try_iter()?.unbind();
    Ok(Bound::new(iterable.py(), Rounds { iterator, number, at })?.into_any())
}

/// Whether the interpreter goes over something by itself.
fn is_quiet(object: &Bound<'_, PyAny>) -> bool {
    let quiet = [
        &raw mut ffi::PyList_Type,
        &raw mut ffi::PyRange_Type,
        &raw mut ffi::PyUnicode_Type,
        &raw mut ffi::PyTuple_Type,
        &raw mut ffi::PyDict_Type,
        &raw mut ffi::PySet_Type,
        &raw mut ffi::PyFrozenSet_Type,
        &raw mut ffi::PyBytes_Type,
        &raw mut ffi::PyDictItems_Type,
        &raw mut ffi::PyDictKeys_Type,
        &raw mut ffi::PyDictValues_Type,
    ];
    quiet.contains(&object.get_type_ptr())
}
