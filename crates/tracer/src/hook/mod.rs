//! The recording that is going on, and what is done at its calls whoever tells of them.
//!
//! There are two ways to hear of calls: to evaluate their frames ([`evaluate`]), which is the quick one, and to be told by the
//! interpreter ([`events`]), which needs nothing but what it documents.
//!
//! The recorder is entered through one door, [`event`], and whoever has come in has it to himself until he is out again: the [`GATE`] is
//! closed meanwhile. Should anything come to the gate while it is closed, which the rules of this room exclude, it runs as if nobody were
//! recording, nothing of the recorder is touched, and it is counted ([`MISSED`]).

pub(crate) mod evaluate;
pub(crate) mod events;
pub(crate) mod fast_call;
pub(crate) mod frames;
pub(crate) mod gate;
pub(crate) mod greenlets;
pub(crate) mod inits;
pub(crate) mod met;
pub(crate) mod native_stack;

use crate::codes::Described;
use crate::hook::frames::{Frame, Layout};
use crate::hook::gate::{GATE, LOOKING};
use crate::hook::greenlets::Running;
use crate::hook::met::Treatment;
use crate::object::{Look, Object, Owned};
use crate::recorder::Recorder;
use crate::values::library;
use gadfly_trail::model::{NodeId, RunEnd};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use std::cell::Cell;
use std::ffi::c_int;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The recording, if there is one. Whoever holds the interpreter's lock and finds the gate open may use it.
static RECORDER: AtomicPtr<Recorder> = AtomicPtr::new(std::ptr::null_mut());

/// How often a recording has begun or ended: one that was there before a call may be over after it, and another one be where it was.
pub(crate) static CHANGES: AtomicUsize = AtomicUsize::new(0);

/// How many calls came while somebody looked: there must be none.
pub(crate) static MISSED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// How many things of ours this thread runs, one inside of the other.
    static HELPING: Cell<usize> = const { Cell::new(0) };
}

/// Whether what this thread does now is none of the program's business.
#[cold]
pub(crate) fn is_closed() -> bool {
    if GATE.has(LOOKING) {
        MISSED.fetch_add(1, Ordering::Relaxed);
        debug_assert!(false, "code of Python's runs while somebody looks");
        return true;
    }
    GATE.is_helped() && HELPING.get() > 0
}

/// One event of the program, with the recorder for as long as it is written down.
pub(crate) struct Event {
    pub(crate) recorder: &'static mut Recorder,
    pub(crate) look: Look,
}

/// The door to the recorder, if there is one and nobody is in.
///
/// # Safety
/// The interpreter's lock is held; here and below. Nothing of Python's runs until the event is dropped.
#[inline(always)]
pub(crate) unsafe fn event() -> Option<Event> {
    if GATE.has(LOOKING) {
        return None;
    }
    // SAFETY: nobody else is in, and the gate is closed behind us.
    unsafe { RECORDER.load(Ordering::Relaxed).as_mut() }
        // SAFETY: the lock is held, as the caller says, and nothing of Python's runs until the event is dropped.
        .map(|recorder| Event { recorder, look: unsafe { Look::begin() } })
}

// The functions that the package calls have the interpreter's lock, as their `Python` says, and nobody looks: while somebody does, nothing
// of Python's runs (rule 3).

/// Whether the recording that is going on keeps no arguments.
pub(crate) fn monitors(_python: Python<'_>) -> bool {
    // SAFETY: the lock is held.
    unsafe { event() }.is_some_and(|Event { recorder, .. }| !recorder.keeps_arguments)
}

/// Whether a program is being recorded.
pub(crate) fn is_recording() -> bool {
    !RECORDER.load(Ordering::Relaxed).is_null()
}

/// Begins; says whether anything is heard.
pub(crate) fn begin(python: Python<'_>, recorder: Box<Recorder>) -> bool {
    // SAFETY: the lock is held.
    unsafe {
        met::clear();
        met::hear_of_generators(recorder.generator);
    }
    go_on(python, Idle(recorder))
}

/// A recorder that nobody uses.
pub(crate) struct Idle(Box<Recorder>);

// SAFETY: a recorder has pointers to objects and to what it owns itself; whoever uses it holds the interpreter's lock, whatever thread that is.
unsafe impl Send for Idle {}

impl Idle {
    /// Has it begin anew with the code that it knows; `describe` is asked about other code from now on.
    pub(crate) fn renew(&mut self, _python: Python<'_>, describe: Py<PyAny>) {
        let before = self.0.rewind(describe.into_ptr());
        // SAFETY: the lock is held, and the recorder had a reference of its own.
        unsafe { ffi::Py_XDECREF(before) };
    }

    /// Leaves it where it is for ever.
    pub(crate) fn leak(self) {
        Box::leak(self.0);
    }
}

/// Begins with a recorder that knows code already.
pub(crate) fn go_on(python: Python<'_>, Idle(recorder): Idle) -> bool {
    let layout = recorder.layout;
    RECORDER.store(Box::into_raw(recorder), Ordering::Relaxed);
    CHANGES.fetch_add(1, Ordering::Relaxed);
    MISSED.store(0, Ordering::Relaxed);
    // In a process that was forked off, nobody else is there any more.
    GATE.open();
    HELPING.set(0);
    // SAFETY: the lock is held, and there is a recording.
    unsafe {
        greenlets::notice();
        match layout {
            Layout::Places(_) => {
                inits::show_all(python);
                evaluate::begin();
                true
            }
            Layout::Objects => events::begin(),
        }
    }
}

/// Ends: what is recorded is complete. Says how many functions were left out to save memory, and how many calls were missed.
pub(crate) fn end(python: Python<'_>, how: &RunEnd) -> (usize, usize) {
    // SAFETY: the lock is held. What is released is so after the look, and the recorder is gone then.
    unsafe {
        if let Some(Event { recorder, look }) = event() {
            recorder.end(&look, how);
        }
        let Some(Idle(mut recorder)) = abandon(python) else { return (0, 0) };
        let missing = (recorder.tables.unrecorded, MISSED.load(Ordering::Relaxed));
        let released = std::mem::take(&mut recorder.values.released);
        drop(recorder);
        // Their finalizers are no part of the recording.
        for owned in released {
            owned.release();
        }
        missing
    }
}

/// Ends without a word: another process has the file.
pub(crate) fn abandon(_python: Python<'_>) -> Option<Idle> {
    // SAFETY: the lock is held.
    unsafe {
        let recorder = silence()?;
        met::clear();
        Some(Idle(recorder))
    }
}

/// Ends a run that nobody wants; the recorder may [go on](go_on).
pub(crate) fn pause(_python: Python<'_>) -> Option<Idle> {
    // SAFETY: the lock is held. What is released is so after the look, and nobody else has the recorder then.
    unsafe {
        if let Some(Event { recorder, look }) = event() {
            recorder.end_calls(&look);
        }
        let mut recorder = silence()?;
        met::forget_generators();
        for owned in std::mem::take(&mut recorder.values.released) {
            owned.release();
        }
        Some(Idle(recorder))
    }
}

/// Nothing that was met is known any more: the recorder that knew it is gone.
pub(crate) fn forget_all(_python: Python<'_>) {
    // SAFETY: the lock is held.
    unsafe { met::clear() };
}

/// Nobody hears any more.
unsafe fn silence() -> Option<Box<Recorder>> {
    let recorder = RECORDER.swap(std::ptr::null_mut(), Ordering::Relaxed);
    CHANGES.fetch_add(1, Ordering::Relaxed);
    if recorder.is_null() {
        return None;
    }
    // SAFETY: there was a recorder that nobody is in, and it is not to be found any more: it is ours.
    unsafe {
        evaluate::end();
        events::end();
        Some(Box::from_raw(recorder))
    }
}

/// Something was printed.
pub(crate) fn wrote(_python: Python<'_>, text: &str) {
    // SAFETY: the lock is held.
    unsafe {
        let running = Running::now();
        if let Some(Event { recorder, look: _look }) = event() {
            let thread = recorder.thread(running);
            recorder.wrote(thread, text);
        }
    }
}

/// A file that the program has.
pub(crate) fn add_file(_python: Python<'_>, file: &str, text: String) {
    // SAFETY: the lock is held.
    if let Some(Event { recorder, look: _look }) = unsafe { event() } {
        recorder.add_file(file, text);
    }
}

/// An event inside of the call that is open; says whether there may be more of them.
pub(crate) fn at(_python: Python<'_>, event_number: usize) -> bool {
    // SAFETY: the lock is held, and the call's frame is being evaluated.
    unsafe { at_event(event_number) }
}

/// The same.
///
/// # Safety
/// The interpreter's lock is held, and the frame of the call is being evaluated.
unsafe fn at_event(event_number: usize) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        if GATE.load(Ordering::Relaxed) != 0 && is_closed() {
            return true;
        }
        let running = Running::now();
        let Some(Event { recorder, look }) = event() else { return true };
        let thread = recorder.thread(running);
        recorder.at(&look, thread, event_number);
        let goes_on = recorder.events > 0 || event_number <= crate::inside::RAISED;
        drop(look);
        let_go();
        goes_on
    }
}

/// The call that is open is about to give a value.
pub(crate) fn give(value: &Bound<'_, PyAny>) {
    // SAFETY: the lock is held, and the value is alive.
    unsafe {
        if GATE.load(Ordering::Relaxed) != 0 && is_closed() {
            return;
        }
        let running = Running::now();
        let Some(Event { recorder, look }) = event() else { return };
        let thread = recorder.thread(running);
        if let Some(value) = look.object(value.as_ptr()) {
            recorder.give(&look, thread, value);
        }
        drop(look);
        let_go();
    }
}

/// An event inside of a call whose code has them. Written for the interpreter itself: it is called at every statement.
unsafe extern "C" fn call_at(_module: *mut PyObject, event: *mut PyObject) -> *mut PyObject {
    // SAFETY: the interpreter calls this with its lock held and an argument that is alive.
    unsafe {
        let number = ffi::PyLong_AsSize_t(event);
        if number == usize::MAX && !ffi::PyErr_Occurred().is_null() {
            return std::ptr::null_mut();
        }
        if !at_event(number) {
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
    ml_meth: ffi::PyMethodDefPointer { PyCFunction: call_at },
    ml_flags: ffi::METH_O,
    ml_doc: c"An event inside of a call.".as_ptr(),
});

/// The function that code with events in it calls at each of them.
pub(crate) fn at_function(python: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let none = std::ptr::null_mut();
    // SAFETY: the lock is held, and what describes the function is there for ever.
    unsafe {
        Bound::from_owned_ptr_or_err(python, ffi::PyCFunction_NewEx((&raw const AT.0).cast_mut(), none, none))
    }
}

/// Sets the call at which somebody is asked.
pub(crate) fn set_target(_python: Python<'_>, target: u64, reached: Py<PyAny>) {
    // SAFETY: the lock is held.
    if let Some(Event { recorder, look: _look }) = unsafe { event() } {
        recorder.target = target;
        recorder.reached = reached.into_ptr();
    }
}

/// A generator that waited is no more.
pub(crate) unsafe fn generator_dies(node: NodeId) {
    // SAFETY: the lock is held, as the caller says.
    unsafe {
        if let Some(Event { recorder, look }) = event() {
            recorder.forget_generator(node);
            drop(look);
            let_go();
        }
    }
}

/// Somebody of ours runs code of Python's, which is not recorded, as long as this is there.
struct Helping {
    /// When it began.
    changes: usize,
}

impl Helping {
    fn begin() -> Helping {
        GATE.begin_help();
        HELPING.set(HELPING.get() + 1);
        Helping { changes: CHANGES.load(Ordering::Relaxed) }
    }
}

impl Drop for Helping {
    fn drop(&mut self) {
        // Whoever began another recording meanwhile began to count anew.
        if CHANGES.load(Ordering::Relaxed) == self.changes {
            GATE.end_help();
            HELPING.set(HELPING.get().saturating_sub(1));
        }
    }
}

/// Does something of ours that runs code of Python's, which is none of the program's business.
pub(crate) fn unheard<T>(does: impl FnOnce() -> T) -> T {
    let _helping = Helping::begin();
    does()
}

/// Keeps the collector from running finalizers of the program's where they would not be recorded.
struct CollectorOff(bool);

impl CollectorOff {
    unsafe fn begin() -> CollectorOff {
        // SAFETY: the lock is held, as the caller says.
        CollectorOff(unsafe { ffi::PyGC_Disable() } != 0)
    }
}

impl Drop for CollectorOff {
    fn drop(&mut self) {
        if self.0 {
            // SAFETY: the lock is held.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

/// What is let go may have finalizers, which run now.
#[inline]
pub(crate) unsafe fn let_go() {
    loop {
        // SAFETY: the lock is held, as the caller says.
        let next = match unsafe { event() } {
            Some(Event { recorder, look: _look }) => recorder.values.released.pop(),
            None => None,
        };
        match next {
            // SAFETY: as the caller says: nobody looks, and the event is over.
            Some(owned) => unsafe { owned.release() },
            None => return,
        }
    }
}

/// How many calls deep the helper may be.
const HELPER_DEPTH: c_int = 200;

/// The call is there that somebody waits for: its function, code, globals, names, arguments by number, and, where the function is not
/// known, the cells of the variables around it or what is in them.
#[cold]
pub(crate) unsafe fn reached(number: u32, frame: Frame) {
    // SAFETY: the lock is held, and the frame is that of a call that begins, which has everything that is read of it until it ends.
    // Nothing is looked at while Python's code runs.
    unsafe {
        let Some(Event { recorder, look }) = event() else { return };
        let (layout, callback) = (recorder.layout, recorder.reached);
        recorder.target = 0;
        // The frame has them as long as the call is open.
        let pointer = |object: Option<Object<'_>>| object.map_or(std::ptr::null_mut(), Object::pointer);
        let code = &recorder.codes[number as usize];
        let arguments: Vec<*mut PyObject> = (0..recorder.arguments(number))
            .map(|at| pointer(code.argument(&look, &layout, at, frame.open())))
            .collect();
        let around = match frame.function(&layout).is_null() {
            true => recorder.around(&look, number, frame.open()).into_iter().map(pointer).collect(),
            false => Vec::new(),
        };
        drop(look);
        let all = ffi::PyDict_New();
        for (at, object) in arguments.into_iter().enumerate() {
            if !object.is_null() && !all.is_null() {
                let key = ffi::PyLong_FromSize_t(at);
                ffi::PyDict_SetItem(all, key, object);
                ffi::Py_XDECREF(key);
            }
        }
        let cells = ffi::PyTuple_New(around.len() as isize);
        for (at, cell) in around.into_iter().enumerate() {
            let cell = if cell.is_null() { ffi::Py_None() } else { cell };
            ffi::Py_INCREF(cell);
            if !cells.is_null() {
                ffi::PyTuple_SetItem(cells, at as isize, cell);
            }
        }
        let or_none = |object: *mut PyObject| if object.is_null() { ffi::Py_None() } else { object };
        let helping = Helping::begin();
        // The call may be as deep as calls can be.
        let deepest = ffi::Py_GetRecursionLimit();
        ffi::Py_SetRecursionLimit(deepest + HELPER_DEPTH);
        let answer = ffi::PyObject_CallFunctionObjArgs(
            callback,
            or_none(frame.function(&layout)),
            frame.code(&layout).cast::<PyObject>(),
            frame.globals(&layout),
            or_none(frame.names(&layout)),
            or_none(all),
            or_none(cells),
            std::ptr::null_mut::<PyObject>(),
        );
        ffi::Py_SetRecursionLimit(deepest);
        drop(helping);
        if answer.is_null() {
            ffi::PyErr_Print();
        }
        ffi::Py_XDECREF(answer);
        ffi::Py_XDECREF(all);
        ffi::Py_XDECREF(cells);
    }
}

#[cfg(Py_3_11)]
unsafe extern "C" {
    pub(crate) fn PyThreadState_EnterTracing(state: *mut ffi::PyThreadState);
    pub(crate) fn PyThreadState_LeaveTracing(state: *mut ffi::PyThreadState);
}

/// An exception that is on its way, put aside.
pub(crate) struct Kept(pub(crate) [*mut PyObject; 3]);

impl Kept {
    pub(crate) unsafe fn new() -> Kept {
        let mut kept = [std::ptr::null_mut(); 3];
        let [class, exception, trace] = &mut kept;
        #[allow(deprecated, reason = "what is newer is not in all interpreters")]
        // SAFETY: the lock is held, as the caller says; what is fetched is ours.
        unsafe {
            ffi::PyErr_Fetch(class, exception, trace)
        };
        Kept(kept)
    }

    /// Its class and value.
    pub(crate) fn see<'l>(&self, look: &'l Look) -> [Option<Object<'l>>; 2] {
        // SAFETY: they are alive until they are restored.
        [self.0[0], self.0[1]].map(|object| unsafe { look.object(object) })
    }

    pub(crate) unsafe fn restore(self) {
        #[allow(deprecated, reason = "what is newer is not in all interpreters")]
        // SAFETY: the lock is held; what was fetched is given back.
        unsafe {
            ffi::PyErr_Restore(self.0[0], self.0[1], self.0[2])
        };
    }
}

/// Does something of ours that runs code of Python's, which is not recorded; an exception that is on its way stays so.
unsafe fn aside<T>(does: impl FnOnce() -> T) -> T {
    // SAFETY: the lock is held, as the caller says.
    unsafe {
        let kept = Kept::new();
        let collector_off = CollectorOff::begin();
        // A trace function of the program's own is not to see it.
        #[cfg(Py_3_11)]
        let state = ffi::PyThreadState_Get();
        #[cfg(Py_3_11)]
        PyThreadState_EnterTracing(state);
        let done = unheard(does);
        #[cfg(Py_3_11)]
        PyThreadState_LeaveTracing(state);
        ffi::PyErr_Clear();
        drop(collector_off);
        kept.restore();
        done
    }
}

/// Asks about tables in what is about to be looked at, if there may be any: the recorder shows what the answers say.
///
/// # Safety
/// What `seen` gives is alive, and stays so until the next event is over; nobody looks.
#[cold]
pub(crate) unsafe fn ask_about_tables(seen: impl Fn(&mut Recorder, &Look)) {
    // SAFETY: the lock is held and nobody looks, as the caller says. Tables are owned until they were asked about and let go.
    unsafe {
        let Some(Event { recorder, look }) = event() else { return };
        recorder.values.tables.wanted = Some(Vec::new());
        let spent = recorder.values.spent;
        seen(recorder, &look);
        recorder.values.spent = spent;
        let wanted = recorder.values.tables.wanted.take().unwrap_or_default();
        let before = std::mem::take(&mut recorder.values.tables.answers);
        recorder.values.released.extend(before.into_iter().map(|(table, _)| table));
        drop(look);
        let asked = |table: Owned| {
            let told = aside(|| {
                Python::attach(|python| library::shown(&Bound::from_borrowed_ptr(python, table.pointer())))
            });
            (table, told)
        };
        let answers: Vec<_> = wanted.into_iter().map(asked).collect();
        if let Some(Event { recorder, look: _look }) = event() {
            recorder.values.tables.answers = answers;
        }
        let_go();
    }
}

/// Asks the helper what to do with code that is met for the first time; nothing if the recording is over then.
#[cold]
pub(crate) unsafe fn first_call(code: *mut ffi::PyCodeObject, frame: Frame) -> Option<Treatment> {
    // SAFETY: the lock is held and the frame is about to be evaluated, as the caller says: the code and its globals are alive. The
    // recorder has `describe`.
    unsafe {
        let (globals, describe) = {
            let Event { recorder, look: _look } = event()?;
            (frame.globals(&recorder.layout), recorder.describe)
        };
        let told = aside(|| {
            let answer = ffi::PyObject_CallFunctionObjArgs(
                describe,
                code.cast::<PyObject>(),
                globals,
                std::ptr::null_mut::<PyObject>(),
            );
            Python::attach(|python| Described::read(&Bound::from_owned_ptr_or_opt(python, answer)?))
        });
        let Event { recorder, look: _look } = event()?;
        let number = told.and_then(|told| recorder.register(told));
        let to = number.map_or(std::ptr::null_mut(), |number| &raw mut *recorder.codes[number as usize]);
        met::meet(code, to);
        Some(number.map_or(Treatment::Transparent, Treatment::Recorded))
    }
}
