//! The recording that is going on, and what is done at its calls whoever tells of them.
//!
//! There are two ways to hear of calls: to evaluate their frames ([`evaluate`]), which is the quick one, and to be told by the
//! interpreter ([`events`]), which needs nothing but what it documents.
//!
//! The recorder is entered through one door, [`event`], and whoever has come in has it to himself until he is out again: the [`GATE`] is
//! closed meanwhile. Should anything come to the gate while it is closed, which the rules of this room exclude, it runs as if nobody were
//! recording, nothing of the recorder is touched, and it is counted ([`MISSED`]).

use crate::codes::{Described, DescribedDetail, DescribedFragment, Range, Told};
use crate::frames::{Frame, Layout};
use crate::library;
use crate::met::{self, Treatment};
use crate::object::{Look, Object, Owned};
use crate::recorder::Recorder;
use crate::{evaluate, events, greenlets, inits};
use gadfly_trail::model::{NodeId, RunEnd};
use pyo3::ffi::{self, PyObject};
use std::cell::Cell;
use std::ffi::c_int;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The recording, if there is one. Whoever holds the interpreter's lock and finds the gate open may use it.
static RECORDER: AtomicPtr<Recorder> = AtomicPtr::new(std::ptr::null_mut());

/// How often a recording has begun or ended: one that was there before a call may be over after it, and another one be where it was.
pub(crate) static CHANGES: AtomicUsize = AtomicUsize::new(0);

/// What keeps calls from taking the quick way: nothing if it is 0.
pub(crate) struct Gate(AtomicUsize);

pub(crate) static GATE: Gate = Gate(AtomicUsize::new(0));

/// Somebody looks.
pub(crate) const LOOKING: usize = 1;
/// The program has greenlets.
pub(crate) const GREENLETS: usize = 2;
/// The program has tables of pandas.
pub(crate) const TABLES: usize = 4;
/// A thread runs something of ours, which is not recorded: each counts for so much.
const HELPS: usize = 8;

impl Gate {
    #[inline(always)]
    pub(crate) fn load(&self, order: Ordering) -> usize {
        self.0.load(order)
    }

    /// Sets bits. Only who holds the interpreter's lock does, so that nobody else does meanwhile; here and below.
    #[inline(always)]
    pub(crate) fn fetch_or_unshared(&self, bits: usize) {
        self.0.store(self.0.load(Ordering::Relaxed) | bits, Ordering::Relaxed);
    }

    #[inline(always)]
    pub(crate) fn fetch_and_unshared(&self, bits: usize) {
        self.0.store(self.0.load(Ordering::Relaxed) & bits, Ordering::Relaxed);
    }

    fn has(&self, bit: usize) -> bool {
        self.0.load(Ordering::Relaxed) & bit != 0
    }
}

/// Whether the program has pandas.
pub(crate) fn has_tables() -> bool {
    GATE.has(TABLES)
}

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
    GATE.load(Ordering::Relaxed) >= HELPS && HELPING.get() > 0
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
        .map(|recorder| Event { recorder, look: unsafe { Look::begin() } })
}

/// Whether the recording that is going on keeps no arguments.
pub(crate) unsafe fn monitors() -> bool {
    unsafe { event() }.is_some_and(|Event { recorder, .. }| !recorder.keeps_arguments)
}

/// Whether a program is being recorded.
pub(crate) fn is_recording() -> bool {
    !RECORDER.load(Ordering::Relaxed).is_null()
}

/// Begins; says whether anything is heard.
pub(crate) unsafe fn begin(recorder: Box<Recorder>) -> bool {
    unsafe {
        met::clear();
        met::hear_of_generators(recorder.generator);
        go_on(recorder)
    }
}

/// Begins with a recorder that knows code already.
pub(crate) unsafe fn go_on(recorder: Box<Recorder>) -> bool {
    let layout = recorder.layout;
    RECORDER.store(Box::into_raw(recorder), Ordering::Relaxed);
    CHANGES.fetch_add(1, Ordering::Relaxed);
    MISSED.store(0, Ordering::Relaxed);
    // In a process that was forked off, nobody else is there any more.
    GATE.0.store(0, Ordering::Relaxed);
    HELPING.set(0);
    unsafe {
        greenlets::notice();
        match layout {
            Layout::Places(_) => {
                inits::show_all();
                evaluate::begin();
                true
            }
            Layout::Objects => events::begin(),
        }
    }
}

/// Ends: what is recorded is complete. Says how many functions were left out to save memory, and how many calls were missed.
pub(crate) unsafe fn end(how: &RunEnd) -> (usize, usize) {
    unsafe {
        if let Some(Event { recorder, look }) = event() {
            recorder.end(&look, how);
        }
        let Some(mut recorder) = abandon() else { return (0, 0) };
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
pub(crate) unsafe fn abandon() -> Option<Box<Recorder>> {
    unsafe {
        let recorder = silence()?;
        met::clear();
        Some(recorder)
    }
}

/// Ends a run that nobody wants; the recorder may [go on](go_on).
pub(crate) unsafe fn pause() -> Option<Box<Recorder>> {
    unsafe {
        if let Some(Event { recorder, look }) = event() {
            recorder.end_calls(&look);
        }
        let mut recorder = silence()?;
        met::forget_generators();
        for owned in std::mem::take(&mut recorder.values.released) {
            owned.release();
        }
        Some(recorder)
    }
}

/// Nothing that was met is known any more: the recorder that knew it is gone.
pub(crate) unsafe fn forget_all() {
    unsafe { met::clear() };
}

/// Nobody hears any more.
unsafe fn silence() -> Option<Box<Recorder>> {
    let recorder = RECORDER.swap(std::ptr::null_mut(), Ordering::Relaxed);
    CHANGES.fetch_add(1, Ordering::Relaxed);
    if recorder.is_null() {
        return None;
    }
    unsafe {
        evaluate::end();
        events::end();
        Some(Box::from_raw(recorder))
    }
}

/// Something was printed.
pub(crate) unsafe fn wrote(text: &str) {
    unsafe {
        let (state, greenlet) = (ffi::PyThreadState_Get(), greenlets::current());
        if let Some(Event { recorder, look: _look }) = event() {
            let thread = recorder.thread(state, greenlet);
            recorder.wrote(thread, text);
        }
    }
}

/// A file that the program has.
pub(crate) unsafe fn add_file(file: &str, text: String) {
    if let Some(Event { recorder, look: _look }) = unsafe { event() } {
        recorder.add_file(file, text);
    }
}

/// An event inside of the call that is open; says whether there may be more of them.
pub(crate) unsafe fn at(event_number: usize) -> bool {
    unsafe {
        if GATE.load(Ordering::Relaxed) != 0 && is_closed() {
            return true;
        }
        let (state, greenlet) = (ffi::PyThreadState_Get(), greenlets::current());
        let Some(Event { recorder, look }) = event() else { return true };
        let thread = recorder.thread(state, greenlet);
        recorder.at(&look, thread, event_number);
        let goes_on = recorder.events > 0 || event_number <= crate::detail::RAISED;
        drop(look);
        let_go();
        goes_on
    }
}

/// The call that is open is about to give a value.
pub(crate) unsafe fn give(value: *mut PyObject) {
    unsafe {
        if GATE.load(Ordering::Relaxed) != 0 && is_closed() {
            return;
        }
        let (state, greenlet) = (ffi::PyThreadState_Get(), greenlets::current());
        let Some(Event { recorder, look }) = event() else { return };
        let thread = recorder.thread(state, greenlet);
        if let Some(value) = look.object(value) {
            recorder.give(&look, thread, value);
        }
        drop(look);
        let_go();
    }
}

/// Sets the call at which somebody is asked.
pub(crate) unsafe fn set_target(target: u64, reached: *mut PyObject) {
    if let Some(Event { recorder, look: _look }) = unsafe { event() } {
        recorder.target = target;
        recorder.reached = reached;
    }
}

/// A generator that waited is no more.
pub(crate) unsafe fn generator_dies(node: NodeId) {
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
        GATE.0.fetch_add(HELPS, Ordering::Relaxed);
        HELPING.set(HELPING.get() + 1);
        Helping { changes: CHANGES.load(Ordering::Relaxed) }
    }
}

impl Drop for Helping {
    fn drop(&mut self) {
        // Whoever began another recording meanwhile began to count anew.
        if CHANGES.load(Ordering::Relaxed) == self.changes {
            GATE.0.fetch_sub(HELPS, Ordering::Relaxed);
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
        let next = match unsafe { event() } {
            Some(Event { recorder, look: _look }) => recorder.values.released.pop(),
            None => None,
        };
        match next {
            Some(owned) => unsafe { owned.release() },
            None => return,
        }
    }
}

/// How many calls deep the helper may be.
const ROOM: c_int = 200;

/// The call is there that somebody waits for: its function, code, globals, names, arguments by number, and, where the function is not
/// known, the cells of the variables around it or what is in them.
#[cold]
pub(crate) unsafe fn reached(number: u32, frame: Frame) {
    unsafe {
        let Some(Event { recorder, look }) = event() else { return };
        let (layout, callback) = (recorder.layout, recorder.reached);
        recorder.target = 0;
        // The frame has them as long as the call is open.
        let code = &recorder.codes[number as usize];
        let arguments: Vec<*mut PyObject> = (0..recorder.arguments(number))
            .map(|at| code.argument(&look, &layout, at, frame).map_or(std::ptr::null_mut(), Object::pointer))
            .collect();
        let around = match frame.function(&layout).is_null() {
            true => recorder.around(number, frame),
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
        ffi::Py_SetRecursionLimit(deepest + ROOM);
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
        #[allow(deprecated)]
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
        #[allow(deprecated)]
        unsafe {
            ffi::PyErr_Restore(self.0[0], self.0[1], self.0[2])
        };
    }
}

/// Does something of ours that runs code of Python's, which is not recorded; an exception that is on its way stays so.
unsafe fn aside<T>(does: impl FnOnce() -> T) -> T {
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
            let told = aside(|| library::shown(table.pointer()));
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
            if answer.is_null() {
                return None;
            }
            let told = read(answer);
            ffi::Py_DECREF(answer);
            told
        });
        let Event { recorder, look: _look } = event()?;
        let number = told.and_then(|told| recorder.register(told));
        let to = number.map_or(std::ptr::null_mut(), |number| &raw mut *recorder.codes[number as usize]);
        met::meet(code, to);
        Some(number.map_or(Treatment::Transparent, Treatment::Recorded))
    }
}

/// What the helper answered: nothing for trusted code.
unsafe fn read(answer: *mut PyObject) -> Option<Described> {
    use pyo3::prelude::*;
    Python::attach(|python| {
        let answer = unsafe { Bound::from_borrowed_ptr(python, answer) };
        if answer.is_none() {
            return None;
        }
        type Answer = (
            String,
            String,
            String,
            Option<String>,
            u32,
            u32,
            Vec<String>,
            Vec<(String, bool)>,
            Vec<(String, bool)>,
            (u32, Vec<i64>, usize, Vec<bool>),
            Option<(Vec<(String, i64)>, usize, Range, Vec<DescribedFragment>)>,
        );
        let answer: Answer = answer.extract().ok()?;
        let (name, module, file, text, first_line, last_line, parameters, captured, globals, rest, detail) =
            answer;
        let (kind, cells, first_free, replaced) = rest;
        Some(Described {
            told: Told {
                name,
                module,
                file,
                first_line,
                last_line,
                parameters,
                captured,
                globals,
                kind,
                cells,
                first_free,
                replaced,
            },
            text,
            detail: detail.map(|(variables, plain, header, fragments)| DescribedDetail {
                variables,
                plain,
                header,
                fragments,
            }),
        })
    })
}
