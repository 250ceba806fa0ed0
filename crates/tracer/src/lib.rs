//! Records Python programs: an extension module, which the package `gadfly` (in `python/`) starts.
//!
//! While a program is recorded, [`hook`] hears of every call: it evaluates their frames, or has the interpreter's events, and knows where frames
//! keep things. [`recorder`] has the calls that are open ([`threads`]) and makes rows of them ([`codes`] knows what code they are of,
//! [`watched`] what a call may change); [`values`] writes arguments and results as they are at that moment. [`inside`] is for calls that are
//! looked into. What is recorded goes into a trail, of which the words are in [`constructors`]; [`crash`] sees to it that it is kept when the
//! program is killed. [`object`] and [`extension`] are the ways to read an object; unsafe code is there, in [`hook`] and in [`crash`].
//!
//! # What may be kept of an object, and why it is still true then
//!
//! A recorder must not change the program, and must not show what is not there. Both follow from six rules, which the types of
//! [`object`] and the door in [`hook`] keep:
//!
//! 1. A pointer is read through only if the interpreter gave it in this event, or it was read in this event from such a thing, or we
//!    own it. (An [`Object`](object::Object) has the lifetime of its [`Look`](object::Look), so the compiler sees to it.)
//! 2. Between two events we keep numbers, rows of the trail, and references that we own: to exact numbers, strings and tuples of such for as
//!    long as we like, since nobody can see whether they live ([`Held`](object::Held)); to arguments, cells and module dictionaries
//!    while their call is open, which has them anyway ([`Owned`](object::Owned)). No address is kept, not even as a key, unless the
//!    interpreter tells us when what is there dies (code and generators: [`met`]), or it carries a number that is never given twice (the version of a class,
//!    the number of a thread), or it is alive as long as something is open that is ours to close (a greenlet with open calls).
//! 3. In a look nothing of Python's runs, nothing that the collector tracks is allocated while it is on, and no count of an
//!    object of the program's reaches zero. What has to be let go waits until the look is over, and is released with no reference to the
//!    recorder alive. What has to be asked of code in Python (what a function is, what a table of pandas holds) is asked before.
//! 4. Whoever enters while somebody looks is not recorded, nothing of the recorder is changed, and it is counted.
//! 5. What is shown is a function of the program's state and of what its functions have shown before: not of addresses.
//! 6. An outcome is recorded only for the call whose frame ends.
//!
//! What is left is what evaluating frames (PEP 523) itself does, with nothing recorded: from 3.11 on, arguments live until a call returns and
//! have a count more. On 3.12 and later [`events`] do without.

#![allow(unsafe_code, reason = "everything here talks to the interpreter, which is a library in C")]

mod codes;
mod crash;
mod extension;
mod hook;
mod inside;
mod object;
mod recorder;
mod threads;
mod values;
mod watched;

use gadfly_trail::Bounds;
use gadfly_trail::model::Shape;
use gadfly_trail::model::{RunEnd, Tables};
use gadfly_trail::pending::{Pending, Wanted};
use gadfly_trail::stream::{Sink, Stream};
use gadfly_trail::write::{Outcome, Writer};
use hook::frames::{self, Layout, Places};
use hook::{events, met};
use inside::rounds;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCFunction, PyDict, PyString, PyTuple};
use recorder::{Budgets, Recorder};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use values::records::Records;
use values::{Values, attributes, constructors};

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

/// Which part of the memory names of fields may take.
const RECORDS: usize = 8;

/// How much memory the recorder may keep for what grows with the program, and whether only `sys.monitoring` is used.
static MEMORY: AtomicUsize = AtomicUsize::new(256 << 20);
static MONITORING: AtomicBool = AtomicBool::new(false);
/// How many bytes a trail may have.
static TRAIL_LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);

/// Sets that for recordings that begin later.
#[pyfunction]
#[pyo3(signature = (memory=None, monitoring=false, trail_limit=None))]
fn configure(_python: Python<'_>, memory: Option<usize>, monitoring: bool, trail_limit: Option<u64>) {
    TRAIL_LIMIT.store(trail_limit.unwrap_or(u64::MAX), Ordering::Relaxed);
    if let Some(memory) = memory {
        MEMORY.store(memory, Ordering::Relaxed);
    }
    MONITORING.store(monitoring, Ordering::Relaxed);
}

/// Whether a recording that is going on knows of calls by `sys.monitoring` alone.
#[pyfunction]
fn monitors(python: Python<'_>) -> bool {
    hook::monitors(python)
}

/// How frames are read in this interpreter.
fn layout(python: Python<'_>) -> PyResult<Layout> {
    let minor = python.version_info().minor;
    // Whoever wants to can do without what is not documented.
    let documented = MONITORING.load(Ordering::Relaxed)
        || std::env::var_os("GADFLY_EVENTS").is_some_and(|wish| wish == "documented");
    if MONITORING.load(Ordering::Relaxed) && !events::HAS_MONITORING {
        let message = format!("Python 3.{minor} has no sys.monitoring: use 3.12 or later for --monitoring");
        return Err(PyRuntimeError::new_err(message));
    }
    let are_there =
        |places: &Places| minor == frames::MINOR && !documented && frames::are_there(python, *places);
    match frames::PLACES.filter(are_there) {
        Some(places) => Ok(Layout::Places(places)),
        None if events::HAS_MONITORING => Ok(Layout::Objects),
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
    *WAITING.lock().unwrap_or_else(PoisonError::into_inner) = None;
    let layout = layout(python)?;
    let memory = MEMORY.load(Ordering::Relaxed);
    let tables = constructors::tables(command);
    let count = tables.constructors.len() as u32;
    let mut urgent = None;
    let sink: Box<dyn Sink + Send> = match path {
        None => Box::new(Nowhere),
        Some(path) => {
            let limit = Some(TRAIL_LIMIT.load(Ordering::Relaxed));
            let bounds = Bounds::of(&path, limit.filter(|limit| *limit < u64::MAX));
            let on_full = gadfly::when_full(&path);
            let created = crash::undisturbed(|| Writer::create_within(&path, &tables, bounds, on_full));
            let (writer, outcome) = created.map_err(|error| PyOSError::new_err(error.to_string()))?;
            set_written(Some((path, outcome)));
            urgent = writer.urgent();
            Box::new(writer)
        }
    };
    let values = new_values(python, sink, count, memory);
    let recorder = Recorder::new(layout, values, describe.into_ptr(), events, memory / 2);
    if !hook::begin(python, Box::new(recorder)) {
        drop(hook::abandon(python));
        return Err(too_many_tools());
    }
    if let Some(urgent) = urgent {
        crash::begin(python, urgent);
    }
    Ok(())
}

/// A recorder that waits for the next run of the same code, with what it knows of that.
static WAITING: Mutex<Option<Waiting>> = Mutex::new(None);

/// It, and how to say whether its run is wanted.
struct Waiting {
    recorder: Option<hook::Idle>,
    wanted: Wanted,
    path: PathBuf,
}

/// Begins to record a run that is kept in memory until it is known whether anybody wants it ([`unwatch`]), to be written to a file then.
/// `describe` is asked about every code object once, in all such runs.
#[pyfunction]
fn watch(python: Python<'_>, path: PathBuf, command: String, describe: Py<PyAny>) -> PyResult<()> {
    if hook::is_recording() {
        return Err(PyRuntimeError::new_err("a program is being recorded already"));
    }
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(waiting) = waiting.as_mut().filter(|waiting| waiting.path == path)
        && let Some(mut recorder) = waiting.recorder.take()
    {
        recorder.renew(python, describe);
        return hook::go_on(python, recorder).then_some(()).ok_or_else(too_many_tools);
    }
    hook::forget_all(python);
    let layout = layout(python)?;
    let memory = MEMORY.load(Ordering::Relaxed);
    let tables = constructors::tables(command);
    let count = tables.constructors.len() as u32;
    let (pending, wanted) = Pending::new(&path, tables);
    let values = new_values(python, Box::new(pending), count, memory);
    let mut recorder = Recorder::new(layout, values, describe.into_ptr(), u64::MAX, memory / 2);
    recorder.budgets = Budgets::LEAN;
    *waiting = Some(Waiting { recorder: None, wanted, path });
    drop(waiting);
    match hook::begin(python, Box::new(recorder)) {
        true => Ok(()),
        false => {
            drop(hook::abandon(python));
            Err(too_many_tools())
        }
    }
}

/// Ends such a run; if it is wanted, its trail is written. `status` and `message` are as in [`stop`].
#[pyfunction]
#[pyo3(signature = (wanted, status=0, message=None))]
fn unwatch(python: Python<'_>, wanted: bool, status: i32, message: Option<String>) -> PyResult<()> {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(known) = waiting.as_mut() else { return Ok(()) };
    if !wanted {
        known.recorder = hook::pause(python);
        return Ok(());
    }
    known.wanted.want();
    let end = message.map_or(RunEnd::Exit(status), |message| RunEnd::Uncaught(message, status));
    let (functions, calls) = hook::end(python, &end);
    let outcome = known.wanted.outcome();
    let path = std::mem::take(&mut known.path);
    *waiting = None;
    match outcome {
        Some(Ok(outcome)) => {
            gadfly::tell_incomplete(&outcome.written(), &path);
            gadfly::tell_missing(&path, functions, calls);
            Ok(())
        }
        Some(Err(error)) => Err(PyOSError::new_err(error)),
        None => Ok(()),
    }
}

/// A text as people may see it: what a terminal would obey is escaped.
#[pyfunction]
fn shown(text: &Bound<'_, PyString>) -> String {
    gadfly::shown(&text.to_string_lossy()).into_owned()
}

/// Has a piece of code asked about anew when it is called next.
#[pyfunction]
fn forget(code: &Bound<'_, PyAny>) {
    met::forget(code);
}

fn too_many_tools() -> PyErr {
    PyRuntimeError::new_err("too many other tools want to be told of calls (sys.monitoring)")
}

/// What writes values to a sink, after so many words.
fn new_values(python: Python<'_>, sink: Box<dyn Sink + Send>, words: u32, memory: usize) -> Values {
    attributes::try_out(python);
    extension::try_out_matches(python);
    object::try_out_sets(python);
    Values::new(Stream::new(sink), Records::new(words, memory / RECORDS))
}

/// Tells that the program has printed something. Halves of surrogate pairs, which are in names of files that are not UTF-8, are told
/// by their numbers.
#[pyfunction]
fn wrote(text: &Bound<'_, PyString>) -> PyResult<()> {
    let python = text.py();
    if let Ok(text) = text.to_str() {
        hook::wrote(python, text);
        return Ok(());
    }
    // A method `encode` of the program's own is not called.
    let encode = python.get_type::<PyString>().getattr("encode")?;
    let bytes = encode.call1((text, "utf-8", "backslashreplace"))?;
    hook::wrote(python, &String::from_utf8_lossy(bytes.cast::<PyBytes>()?.as_bytes()));
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
fn file(python: Python<'_>, name: &str, text: String) {
    hook::add_file(python, name, text);
}

/// A call with events in it gives this value.
#[pyfunction]
fn give(value: Bound<'_, PyAny>) -> Bound<'_, PyAny> {
    hook::give(&value);
    value
}

/// Has `reached` called when a call begins, by its number among all calls of the run.
#[pyfunction]
fn wait_for(python: Python<'_>, call: u64, reached: Py<PyAny>) {
    hook::set_target(python, call, reached);
}

/// Ends the recording: `status` is the program's exit status, `message` what it said of an exception.
#[pyfunction]
#[pyo3(signature = (status, message=None, interrupted=false))]
fn stop(python: Python<'_>, status: i32, message: Option<String>, interrupted: bool) {
    let end = match message {
        _ if interrupted => RunEnd::Interrupted,
        Some(message) => RunEnd::Uncaught(message, status),
        None => RunEnd::Exit(status),
    };
    let (functions, calls) = hook::end(python, &end);
    crash::end(python);
    if let Some((path, outcome)) = set_written(None) {
        gadfly::tell_incomplete(&outcome.written(), &path);
        gadfly::tell_missing(&path, functions, calls);
    }
}

/// Forgets the recording in a process that was forked off: the file is the parent's.
#[pyfunction]
fn abandon(python: Python<'_>) {
    set_written(None);
    crash::end(python);
    // The writer's thread is in the other process: nothing must wait for it.
    if let Some(recorder) = hook::abandon(python) {
        recorder.leak();
    }
}

/// Has this process asked to end when the one ends that waits for it: nobody would stop the program any more, nor want its trail.
#[pyfunction]
fn end_with_parent(_python: Python<'_>) {
    crash::end_with_parent();
}

/// How many other programs this process has started, and how many copies of itself it has made.
static STARTED: AtomicUsize = AtomicUsize::new(0);
static FORKED: AtomicUsize = AtomicUsize::new(0);

/// The process was copied.
#[pyfunction]
fn forked(_python: Python<'_>) {
    FORKED.fetch_add(1, Ordering::Relaxed);
}

/// What the interpreter tells of itself (`sys.addaudithook`). It runs no code in Python.
#[pyfunction]
fn audit(event: &Bound<'_, PyAny>, _arguments: &Bound<'_, PyAny>) {
    const STARTS: [&str; 5] = ["subprocess.Popen", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn"];
    let name = event.cast::<PyString>().ok().and_then(|event| event.to_str().ok());
    if name.is_some_and(|name| STARTS.contains(&name)) {
        STARTED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Says which processes were not recorded, if there were any: copies of the program's own process, or as many as the library has made, and
/// other programs.
#[pyfunction]
fn tell_processes(_python: Python<'_>, made: usize) {
    let copies = FORKED.load(Ordering::Relaxed).max(made);
    gadfly::tell_processes(copies, STARTED.load(Ordering::Relaxed));
}

/// The whole command line; gives the exit status.
#[pyfunction]
fn main(python: Python<'_>, arguments: Vec<String>) -> u8 {
    // Others may run meanwhile: threads of a test run, for instance.
    python.detach(|| gadfly::main(arguments.into_iter().map(Into::into)))
}

/// What is wrong with the oracles and the strategy that the pytest plugin was given, if anything is.
#[pyfunction]
#[pyo3(signature = (oracles, strategy=None))]
fn refused(oracles: Vec<String>, strategy: Option<String>) -> Option<String> {
    gadfly::refused(&oracles, strategy.as_deref())
}

/// Debugs a test that the pytest plugin has recorded, as the job in a file says; gives the exit status, and the report as JSON if there is one.
#[pyfunction]
fn debug_test(python: Python<'_>, job: PathBuf) -> (u8, Option<String>) {
    python.detach(|| gadfly::debug_test(&job))
}

/// The native part of the package.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    gadfly::report_panics();
    module.add_function(wrap_pyfunction!(configure, module)?)?;
    module.add_function(wrap_pyfunction!(debug_test, module)?)?;
    module.add_function(wrap_pyfunction!(refused, module)?)?;
    module.add_function(wrap_pyfunction!(monitors, module)?)?;
    module.add_function(wrap_pyfunction!(start, module)?)?;
    module.add_function(wrap_pyfunction!(watch, module)?)?;
    module.add_function(wrap_pyfunction!(unwatch, module)?)?;
    module.add_function(wrap_pyfunction!(forget, module)?)?;
    module.add_function(wrap_pyfunction!(stop, module)?)?;
    module.add_function(wrap_pyfunction!(shown, module)?)?;
    module.add_function(wrap_pyfunction!(wrote, module)?)?;
    module.add_function(wrap_pyfunction!(heard, module)?)?;
    module.add_function(wrap_pyfunction!(file, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(abandon, module)?)?;
    module.add_function(wrap_pyfunction!(audit, module)?)?;
    module.add_function(wrap_pyfunction!(forked, module)?)?;
    module.add_function(wrap_pyfunction!(tell_processes, module)?)?;
    module.add_function(wrap_pyfunction!(end_with_parent, module)?)?;
    module.add("at", hook::at_function(module.py())?)?;
    module.add("WRITER_THREAD", gadfly_trail::write::THREAD)?;
    module.add_function(wrap_pyfunction!(give, module)?)?;
    module.add_function(wrap_pyfunction!(rounds::rounds, module)?)?;
    module.add_function(wrap_pyfunction!(wait_for, module)?)?;
    Ok(())
}
