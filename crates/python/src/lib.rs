//! The Python front-end: a native tracer, which the package `gadfly` (in `python/`) starts.
//!
//! While a program is recorded, [`hook`] hears of every call, from [`evaluate`] or from [`events`]; [`detail`] is for calls that are looked into;
//! [`recorder`] knows the program's code and the calls that are open, [`values`] writes arguments and results as they are at that moment
//! ([`library`] those of types in C), and [`frames`] knows where the interpreter keeps them. What is recorded goes into a trail, of which
//! the words are in [`words`]; [`crash`] sees to it that it is kept when the program is killed.

// Everything here talks to the interpreter, which is a library in C.
#![allow(unsafe_code)]

mod atoms;
mod attributes;
mod changes;
mod classes;
mod codes;
mod crash;
mod detail;
mod evaluate;
mod events;
mod frames;
mod hook;
mod inits;
mod library;
mod matches;
mod memo;
mod objects;
mod quick;
mod recorder;
mod room;
mod rounds;
mod times;
mod values;
mod words;

use frames::{Layout, Places};
use gadfly_trail::run::model::Shape;
use gadfly_trail::run::model::{RunEnd, Tables};
use gadfly_trail::run::stream::{Sink, Stream};
use gadfly_trail::run::write::{Outcome, Writer};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCFunction, PyDict, PyString, PyTuple};
use recorder::Recorder;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use values::Values;

/// Where the recording goes, and what has come of it. Held only by whoever has the interpreter's lock, and never while others may run.
static WRITTEN: Mutex<Option<(PathBuf, Outcome)>> = Mutex::new(None);

fn set_written(written: Option<(PathBuf, Outcome)>) -> Option<(PathBuf, Outcome)> {
    std::mem::replace(&mut *WRITTEN.lock().unwrap_or_else(PoisonError::into_inner), written)
}

/// Takes what nobody wants to keep: a run that is only followed up to a call.
struct Nowhere;

impl Sink for Nowhere {
    fn more(&mut self, _tables: Tables) {}

    fn shape(&mut self, _shape: Shape) {}

    fn take(&mut self, chunk: Vec<u64>) -> Vec<u64> {
        chunk
    }

    fn end(&mut self, _last: Vec<u64>, _end: &RunEnd) {}
}

/// How frames are read in this interpreter.
fn layout(python: Python<'_>) -> PyResult<Layout> {
    let minor = python.version_info().minor;
    // Whoever wants to can do without what is not documented.
    let documented = std::env::var_os("GADFLY_EVENTS").is_some_and(|wish| wish == "documented");
    // SAFETY: the lock is held, as `python` says.
    let are_there =
        |places: &Places| minor == frames::MINOR && !documented && unsafe { frames::are_there(*places) };
    match frames::PLACES.filter(are_there) {
        Some(places) => Ok(Layout::Places(places)),
        None if events::CAN => Ok(Layout::Objects),
        None => {
            let message =
                format!("programs cannot be recorded with this Python 3.{minor}: take 3.12 or later");
            Err(PyRuntimeError::new_err(message))
        }
    }
}

/// Begins to record into a file, or to follow a run that is recorded nowhere. `describe` is asked about every code object
/// once. After so many events the program is interrupted.
#[pyfunction]
#[pyo3(signature = (path, command, describe, events=u64::MAX))]
fn start(
    python: Python<'_>,
    path: Option<PathBuf>,
    command: String,
    describe: Py<PyAny>,
    events: u64,
) -> PyResult<()> {
    if hook::is_recording() {
        return Err(PyRuntimeError::new_err("a program is being recorded already"));
    }
    let layout = layout(python)?;
    let constructors = words::constructors();
    let count = constructors.len() as u32;
    let tables = Tables { language: "python".to_owned(), command, constructors, ..Tables::default() };
    let mut urgent = None;
    let sink: Box<dyn Sink + Send> = match path {
        None => Box::new(Nowhere),
        Some(path) => {
            let created = crash::undisturbed(|| Writer::create(&path, &tables));
            let (writer, outcome) = created.map_err(|error| PyOSError::new_err(error.to_string()))?;
            set_written(Some((path, outcome)));
            urgent = writer.urgent();
            Box::new(writer)
        }
    };
    let values = Values::new(Stream::new(sink), count);
    let recorder = Recorder::new(layout, values, describe.into_ptr(), events);
    // SAFETY: as above.
    unsafe {
        if !hook::begin(Box::new(recorder)) {
            drop(hook::abandon());
            return Err(PyRuntimeError::new_err(
                "too many other tools want to be told of calls (sys.monitoring)",
            ));
        }
        if let Some(urgent) = urgent {
            crash::begin(urgent);
        }
    }
    Ok(())
}

/// Tells that the program has printed something. Halves of surrogate pairs, which are in names of files that are not UTF-8, are told
/// by their numbers.
#[pyfunction]
fn wrote(text: &Bound<'_, PyString>) -> PyResult<()> {
    if let Ok(text) = text.to_str() {
        // SAFETY: the lock is held.
        unsafe { hook::wrote(text) };
        return Ok(());
    }
    // SAFETY: the lock is held, and the text is alive. A method `encode` of the program's own is not called.
    let bytes = unsafe {
        let bytes =
            ffi::PyUnicode_AsEncodedString(text.as_ptr(), c"utf-8".as_ptr(), c"backslashreplace".as_ptr());
        Bound::from_owned_ptr_or_err(text.py(), bytes)?
    };
    // SAFETY: the lock is held.
    unsafe { hook::wrote(&String::from_utf8_lossy(bytes.cast::<PyBytes>()?.as_bytes())) };
    Ok(())
}

/// A `write` that tells `hear` what went through it. It has no frame that a traceback would show.
#[pyfunction]
fn heard(python: Python<'_>, write: Py<PyAny>, hear: Py<PyAny>) -> PyResult<Bound<'_, PyCFunction>> {
    let both = move |given: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>| {
        let python = given.py();
        let written = write.call(python, given, named)?;
        hear.call1(python, given)?;
        PyResult::Ok(written)
    };
    PyCFunction::new_closure(python, Some(c"write"), None, both)
}

/// Tells of a file of the program's that something in it may be pointed at, although none of its functions was called.
#[pyfunction]
fn file(_python: Python<'_>, name: &str, text: String) {
    // SAFETY: the lock is held.
    unsafe { hook::add_file(name, text) };
}

/// An event inside of a call whose code has them. Written for the interpreter itself: it is called at every statement.
unsafe extern "C" fn at(_module: *mut PyObject, event: *mut PyObject) -> *mut PyObject {
    // SAFETY: the interpreter calls this with its lock held and an argument that is alive.
    unsafe {
        let number = ffi::PyLong_AsSize_t(event);
        if number == usize::MAX && !ffi::PyErr_Occurred().is_null() {
            return std::ptr::null_mut();
        }
        if !hook::at(number) {
            ffi::PyErr_SetNone(ffi::PyExc_KeyboardInterrupt);
            return std::ptr::null_mut();
        }
        let none = ffi::Py_None();
        ffi::Py_INCREF(none);
        none
    }
}

/// As a method of a module.
struct Method(ffi::PyMethodDef);

// SAFETY: it is never changed.
unsafe impl Sync for Method {}

static AT: Method = Method(ffi::PyMethodDef {
    ml_name: c"at".as_ptr(),
    ml_meth: ffi::PyMethodDefPointer { PyCFunction: at },
    ml_flags: ffi::METH_O,
    ml_doc: c"An event inside of a call.".as_ptr(),
});

/// A call with events in it gives this value.
#[pyfunction]
fn give<'p>(_python: Python<'p>, value: Bound<'p, PyAny>) -> Bound<'p, PyAny> {
    unsafe { hook::give(value.as_ptr()) };
    value
}

/// Has `reached` called when a call begins, by its number among all calls of the run.
#[pyfunction]
fn wait_for(_python: Python<'_>, call: u64, reached: Py<PyAny>) {
    unsafe { hook::set_target(call, reached.into_ptr()) };
}

/// Ends the recording: `status` is the program's exit status, `message` what it said of an exception.
#[pyfunction]
#[pyo3(signature = (status, message=None, interrupted=false))]
fn stop(_python: Python<'_>, status: i32, message: Option<String>, interrupted: bool) {
    let end = match message {
        _ if interrupted => RunEnd::Interrupted,
        Some(message) => RunEnd::Uncaught(message, status),
        None => RunEnd::Exit(status),
    };
    // SAFETY: the lock is held.
    unsafe {
        drop(hook::end(&end));
        crash::end();
    }
    if let Some((path, outcome)) = set_written(None) {
        gadfly::tell_incomplete(&outcome.written(), &path);
    }
}

/// Forgets the recording in a process that was forked off: the file is the parent's.
#[pyfunction]
fn abandon(_python: Python<'_>) {
    set_written(None);
    // SAFETY: the lock is held. The writer's thread is in the other process: nothing must wait for it.
    unsafe {
        crash::end();
        if let Some(recorder) = hook::abandon() {
            Box::leak(recorder);
        }
    }
}

/// The whole command line; gives the exit status.
#[pyfunction]
fn main(python: Python<'_>, arguments: Vec<String>) -> u8 {
    // Others may run meanwhile: threads of a test run, for instance.
    python.detach(|| gadfly::main(arguments.into_iter().map(Into::into)))
}

/// The native part of the package.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(start, module)?)?;
    module.add_function(wrap_pyfunction!(stop, module)?)?;
    module.add_function(wrap_pyfunction!(wrote, module)?)?;
    module.add_function(wrap_pyfunction!(heard, module)?)?;
    module.add_function(wrap_pyfunction!(file, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(abandon, module)?)?;
    // SAFETY: the interpreter's lock is held, and what describes the function is there for ever.
    let at = unsafe {
        let function =
            ffi::PyCFunction_NewEx((&raw const AT.0).cast_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        Bound::from_owned_ptr_or_err(module.py(), function)?
    };
    module.add("at", at)?;
    module.add_function(wrap_pyfunction!(give, module)?)?;
    module.add_function(wrap_pyfunction!(rounds::rounds, module)?)?;
    module.add_function(wrap_pyfunction!(wait_for, module)?)?;
    Ok(())
}
