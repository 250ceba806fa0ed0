//! The recording that is going on, and what is done at its calls whoever tells of them.
//!
//! There are two ways to hear of calls: to evaluate their frames ([`evaluate`]), which is the quick one, and to be told by the
//! interpreter ([`events`]), which needs nothing but what it documents.

use crate::codes::{Described, DescribedDetail, DescribedFragment, Range};
use crate::frames::{Frame, Layout};
use crate::recorder::{Recorder, Treatment};
use crate::{evaluate, events, inits};
use gadfly_trail::run::model::RunEnd;
use pyo3::ffi::{self, PyObject};
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// The recording, if there is one. Whoever holds the interpreter's lock may use it.
pub(crate) static RECORDER: AtomicPtr<Recorder> = AtomicPtr::new(std::ptr::null_mut());

/// Whether the helper runs, which is not recorded. Whatever may run code of Python's must not hold a reference to the
/// recording meanwhile: that code comes through here as well.
pub(crate) static BUSY: AtomicBool = AtomicBool::new(false);

/// How often a recording has begun or ended: one that was there before a call may be over after it, and another one be where it was.
pub(crate) static CHANGES: AtomicUsize = AtomicUsize::new(0);

/// Whether a program is being recorded.
pub(crate) fn is_recording() -> bool {
    !RECORDER.load(Ordering::Relaxed).is_null()
}

/// Begins; says whether anything is heard.
///
/// # Safety
/// The interpreter's lock is held; here and below.
pub(crate) unsafe fn begin(recorder: Box<Recorder>) -> bool {
    let layout = recorder.layout;
    RECORDER.store(Box::into_raw(recorder), Ordering::Relaxed);
    CHANGES.fetch_add(1, Ordering::Relaxed);
    BUSY.store(false, Ordering::Relaxed);
    unsafe {
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

/// Ends, and gives the recording back.
pub(crate) unsafe fn end(how: &RunEnd) -> Option<Box<Recorder>> {
    let mut recorder = unsafe { abandon() }?;
    recorder.end(how);
    Some(recorder)
}

/// Ends without a word: another process has the file.
pub(crate) unsafe fn abandon() -> Option<Box<Recorder>> {
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
    if let Some(recorder) = unsafe { RECORDER.load(Ordering::Relaxed).as_mut() } {
        let thread = recorder.thread(unsafe { ffi::PyThreadState_Get() });
        recorder.wrote(thread, text);
    }
}

/// A file that the program has.
pub(crate) unsafe fn add_file(file: &str, text: String) {
    if let Some(recorder) = unsafe { RECORDER.load(Ordering::Relaxed).as_mut() } {
        recorder.add_file(file, text);
    }
}

/// An event inside of the call that is open; says whether there may be more of them.
pub(crate) unsafe fn at(event: usize) -> bool {
    unsafe {
        let Some(recorder) = RECORDER.load(Ordering::Relaxed).as_mut() else { return true };
        let thread = recorder.thread(ffi::PyThreadState_Get());
        recorder.at(thread, event);
        let goes_on = recorder.events > 0 || event <= crate::detail::RAISED;
        let_go();
        goes_on
    }
}

/// The call that is open is about to give a value.
pub(crate) unsafe fn give(value: *mut PyObject) {
    unsafe {
        let Some(recorder) = RECORDER.load(Ordering::Relaxed).as_mut() else { return };
        let thread = recorder.thread(ffi::PyThreadState_Get());
        recorder.give(thread, value);
        let_go();
    }
}

/// Sets the call at which somebody is asked.
pub(crate) unsafe fn set_target(target: u64, reached: *mut PyObject) {
    if let Some(recorder) = unsafe { RECORDER.load(Ordering::Relaxed).as_mut() } {
        recorder.target = target;
        recorder.reached = reached;
    }
}

/// Does something of ours that runs code of Python's, which is not recorded; an exception that is on its way stays so.
pub(crate) unsafe fn aside<T>(does: impl FnOnce() -> T) -> T {
    unsafe {
        let kept = Kept::new();
        let was = BUSY.swap(true, Ordering::Relaxed);
        #[cfg(Py_3_11)]
        let state = ffi::PyThreadState_Get();
        #[cfg(Py_3_11)]
        PyThreadState_EnterTracing(state);
        let done = does();
        #[cfg(Py_3_11)]
        PyThreadState_LeaveTracing(state);
        BUSY.store(was, Ordering::Relaxed);
        ffi::PyErr_Clear();
        kept.restore();
        done
    }
}

/// What is let go may have finalizers, which run now.
#[inline]
pub(crate) unsafe fn let_go() {
    let here = || unsafe { RECORDER.load(Ordering::Relaxed).as_mut() };
    while let Some(object) = here().and_then(|here| here.values.dropped.pop()) {
        unsafe { ffi::Py_DECREF(object) };
    }
}

/// How many calls deep the helper may be.
const ROOM: c_int = 200;

/// The call is there that somebody waits for: its function, code, globals, names, arguments by number, and, where the function is not
/// known, the cells of the variables around it or what is in them.
#[cold]
pub(crate) unsafe fn reached(recorder: *mut Recorder, number: u32, frame: Frame) {
    unsafe {
        let here = &mut *recorder;
        let (layout, callback, count) = (here.layout, here.reached, here.arguments(number));
        here.target = 0;
        let arguments = ffi::PyDict_New();
        for at in 0..count {
            let object = here.argument(number, at, frame);
            if !object.is_null() && !arguments.is_null() {
                let key = ffi::PyLong_FromSize_t(at);
                ffi::PyDict_SetItem(arguments, key, object);
                ffi::Py_XDECREF(key);
            }
        }
        let around = match frame.function(&layout).is_null() {
            true => here.around(number, frame),
            false => Vec::new(),
        };
        let cells = ffi::PyTuple_New(around.len() as isize);
        for (at, cell) in around.into_iter().enumerate() {
            let cell = if cell.is_null() { ffi::Py_None() } else { cell };
            ffi::Py_INCREF(cell);
            if !cells.is_null() {
                ffi::PyTuple_SetItem(cells, at as isize, cell);
            }
        }
        let or_none = |object: *mut PyObject| if object.is_null() { ffi::Py_None() } else { object };
        BUSY.store(true, Ordering::Relaxed);
        // The call may be as deep as calls can be.
        let deepest = ffi::Py_GetRecursionLimit();
        ffi::Py_SetRecursionLimit(deepest + ROOM);
        let answer = ffi::PyObject_CallFunctionObjArgs(
            callback,
            or_none(frame.function(&layout)),
            frame.code(&layout).cast::<PyObject>(),
            frame.globals(&layout),
            or_none(frame.names(&layout)),
            or_none(arguments),
            or_none(cells),
            std::ptr::null_mut::<PyObject>(),
        );
        ffi::Py_SetRecursionLimit(deepest);
        BUSY.store(false, Ordering::Relaxed);
        if answer.is_null() {
            ffi::PyErr_Print();
        }
        ffi::Py_XDECREF(answer);
        ffi::Py_XDECREF(arguments);
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

    pub(crate) unsafe fn restore(self) {
        #[allow(deprecated)]
        unsafe {
            ffi::PyErr_Restore(self.0[0], self.0[1], self.0[2])
        };
    }
}

/// Asks the helper what to do with code that is met for the first time.
#[cold]
pub(crate) unsafe fn first_call(
    recorder: *mut Recorder,
    code: *mut ffi::PyCodeObject,
    frame: Frame,
    throws: c_int,
) -> Treatment {
    unsafe {
        let kept = (throws != 0).then(|| Kept::new());
        let globals = frame.globals(&(*recorder).layout);
        let describe = (*recorder).describe;
        BUSY.store(true, Ordering::Relaxed);
        // A trace function of the program's own is not to see the helper.
        #[cfg(Py_3_11)]
        let state = ffi::PyThreadState_Get();
        #[cfg(Py_3_11)]
        PyThreadState_EnterTracing(state);
        let answer = ffi::PyObject_CallFunctionObjArgs(
            describe,
            code.cast::<PyObject>(),
            globals,
            std::ptr::null_mut::<PyObject>(),
        );
        #[cfg(Py_3_11)]
        PyThreadState_LeaveTracing(state);
        BUSY.store(false, Ordering::Relaxed);
        let told = match answer.is_null() {
            true => {
                ffi::PyErr_Clear();
                None
            }
            false => {
                let told = read(answer);
                ffi::Py_DECREF(answer);
                told
            }
        };
        if let Some(kept) = kept {
            kept.restore();
        }
        let here = &mut *recorder;
        let treatment = told.map_or(Treatment::Transparent, |told| here.register(told));
        // Held, so that nothing else can be where it is.
        ffi::Py_INCREF(code.cast());
        here.meet(code, treatment);
        treatment
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
        type Told = (
            String,
            String,
            String,
            Option<String>,
            u32,
            u32,
            Vec<String>,
            Vec<(String, bool)>,
            Vec<(String, bool)>,
            (u32, Vec<i64>, usize),
            Option<(Vec<(String, i64)>, usize, Range, Vec<DescribedFragment>)>,
        );
        let told: Told = answer.extract().ok()?;
        let (name, module, file, text, first_line, last_line, parameters, captured, globals, rest, detail) =
            told;
        let (kind, cells, first_free) = rest;
        Some(Described {
            name,
            module,
            file,
            text,
            first_line,
            last_line,
            parameters,
            captured,
            globals,
            kind,
            cells,
            first_free,
            detail: detail.map(|(variables, plain, header, fragments)| DescribedDetail {
                variables,
                plain,
                header,
                fragments,
            }),
        })
    })
}
