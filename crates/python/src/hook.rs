//! The hook: every frame is evaluated through here while a program is recorded (PEP 523).

use crate::codes::{Described, DescribedDetail, DescribedFragment, Range, Resumes};
use crate::frames::{self, _PyEval_EvalFrameDefault, Frame};
use crate::inits;
use crate::recorder::{Left, Recorder, Treatment};
use gadfly_trail::run::model::RunEnd;
use pyo3::ffi::{self, PyObject, PyThreadState};
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// The recording, if there is one. Whoever holds the interpreter's lock may use it.
static RECORDER: AtomicPtr<Recorder> = AtomicPtr::new(std::ptr::null_mut());

/// Whether the helper runs, which is not recorded. Whatever may run code of Python's must not hold a reference to the
/// recording meanwhile: that code comes through here as well.
static BUSY: AtomicBool = AtomicBool::new(false);

/// Whether a program is being recorded.
pub(crate) fn is_recording() -> bool {
    !RECORDER.load(Ordering::Relaxed).is_null()
}

/// Begins.
///
/// # Safety
/// The interpreter's lock is held; here and below.
pub(crate) unsafe fn begin(recorder: Box<Recorder>) {
    RECORDER.store(Box::into_raw(recorder), Ordering::Relaxed);
    BUSY.store(false, Ordering::Relaxed);
    unsafe {
        inits::show_all();
        frames::set_evaluate(evaluate);
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
    if recorder.is_null() {
        return None;
    }
    unsafe {
        frames::set_evaluate(_PyEval_EvalFrameDefault);
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

/// An event inside of the call that is open; says whether there may be more of them.
pub(crate) unsafe fn at(event: usize) -> bool {
    unsafe {
        let Some(recorder) = RECORDER.load(Ordering::Relaxed).as_mut() else { return true };
        recorder.events = recorder.events.saturating_sub(1);
        let goes_on = recorder.events > 0 || event <= crate::detail::RAISED;
        let thread = recorder.thread(ffi::PyThreadState_Get());
        recorder.at(thread, event);
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

/// What is let go may have finalizers, which run now.
#[inline]
unsafe fn let_go() {
    let here = || unsafe { RECORDER.load(Ordering::Relaxed).as_mut() };
    while let Some(object) = here().and_then(|here| here.values.dropped.pop()) {
        unsafe { ffi::Py_DECREF(object) };
    }
}

/// How many calls deep the helper may be.
const ROOM: c_int = 200;

/// The call is there that somebody waits for: its function, code, globals, names and arguments by number.
#[cold]
unsafe fn reached(recorder: *mut Recorder, number: u32, frame: Frame) {
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
            std::ptr::null_mut::<PyObject>(),
        );
        ffi::Py_SetRecursionLimit(deepest);
        BUSY.store(false, Ordering::Relaxed);
        if answer.is_null() {
            ffi::PyErr_Print();
        }
        ffi::Py_XDECREF(answer);
        ffi::Py_XDECREF(arguments);
    }
}

unsafe extern "C" fn evaluate(state: *mut PyThreadState, frame: Frame, throws: c_int) -> *mut PyObject {
    unsafe {
        let recorder = RECORDER.load(Ordering::Relaxed);
        let Some(here) = recorder.as_mut() else { return _PyEval_EvalFrameDefault(state, frame, throws) };
        if BUSY.load(Ordering::Relaxed) {
            return _PyEval_EvalFrameDefault(state, frame, throws);
        }
        let thread = here.thread(state);
        let code = frame.code(&here.layout);
        let treatment = match here.treatment(code) {
            Some(known) => known,
            None => first_call(recorder, code, frame, throws),
        };
        let Some(here) = recorder.as_mut() else { return _PyEval_EvalFrameDefault(state, frame, throws) };
        let number = match treatment {
            Treatment::Recorded(number) if !here.is_deep(thread) => number,
            Treatment::Transparent if !here.is_deep(thread) => {
                here.threads[thread].depth += 1;
                let result = _PyEval_EvalFrameDefault(state, frame, throws);
                shallower(recorder, thread);
                return result;
            }
            _ => return too_deep(state, frame, throws),
        };
        here.threads[thread].depth += 1;
        let resumes = here.codes[number as usize].resumes;
        let node = match resumes {
            Resumes::No => None,
            _ => here.resumed.get(&frame).copied(),
        };
        if node.is_none() {
            here.calls += 1;
            if here.calls == here.target {
                reached(recorder, number, frame);
            }
        }
        let Some(here) = recorder.as_mut() else { return _PyEval_EvalFrameDefault(state, frame, throws) };
        match node {
            Some(node) => here.resume(thread, number, node, frame),
            None if throws != 0 => {
                let kept = Kept::new();
                here.enter(thread, number, frame);
                kept.restore();
            }
            None => here.enter(thread, number, frame),
        }
        let result = _PyEval_EvalFrameDefault(state, frame, throws);
        // The program may have ended the recording.
        let now = RECORDER.load(Ordering::Relaxed);
        if now != recorder {
            return result;
        }
        let Some(here) = now.as_mut() else { return result };
        here.threads[thread].depth -= 1;
        match (result.is_null(), resumes) {
            (false, Resumes::No) => here.returned(thread, result),
            (false, _) => {
                let how = paused(here, thread, frame, node.is_some(), resumes, result);
                here.leave(thread, result, [std::ptr::null_mut(); 2], how);
            }
            (true, _) => raised(here, thread, frame, resumes),
        }
        let_go();
        result
    }
}

/// A call ends by an exception.
#[inline(never)]
unsafe fn raised(here: &mut Recorder, thread: usize, frame: Frame, resumes: Resumes) {
    if resumes != Resumes::No {
        here.resumed.remove(&frame);
    }
    // Looking at values must not touch an exception that is on its way.
    unsafe {
        let kept = Kept::new();
        here.leave(thread, std::ptr::null_mut(), [kept.0[0], kept.0[1]], Left::Raised);
        kept.restore();
    }
}

unsafe fn shallower(recorder: *mut Recorder, thread: usize) {
    if RECORDER.load(Ordering::Relaxed) == recorder
        && let Some(here) = unsafe { recorder.as_mut() }
    {
        here.threads[thread].depth -= 1;
    }
}

/// The frame and what it calls are evaluated as if nobody were looking.
#[cold]
unsafe fn too_deep(state: *mut PyThreadState, frame: Frame, throws: c_int) -> *mut PyObject {
    unsafe {
        frames::set_evaluate(_PyEval_EvalFrameDefault);
        let result = _PyEval_EvalFrameDefault(state, frame, throws);
        if is_recording() {
            frames::set_evaluate(evaluate);
        }
        result
    }
}

/// What became of a generator's frame that gave something.
#[inline(never)]
unsafe fn paused(
    here: &mut Recorder,
    thread: usize,
    frame: Frame,
    resumed: bool,
    resumes: Resumes,
    result: *mut PyObject,
) -> Left {
    let Some(offset) = here.generator else {
        // Frames stay where they are, from the first time on, and say themselves whether they wait.
        if unsafe { frame.is_suspended() } {
            let node = here.threads[thread].top();
            if !resumed {
                here.resumed.insert(frame, node);
                here.began(node);
            }
            return if resumes == Resumes::Yields { Left::Yielded } else { Left::Waits };
        }
        here.resumed.remove(&frame);
        return match resumes {
            Resumes::Yields if resumed && result == unsafe { ffi::Py_None() } => Left::Waits,
            _ => Left::Returned,
        };
    };
    if !resumed {
        // The call gives a generator, whose frame it is from now on.
        let node = here.threads[thread].top();
        here.resumed.insert(Frame(unsafe { result.cast::<u8>().offset(offset) }), node);
        return if resumes == Resumes::Yields { Left::Made } else { Left::Waits };
    }
    let generator = unsafe { frame.0.offset(-offset) }.cast::<PyObject>();
    if unsafe { is_suspended(generator) } {
        return if resumes == Resumes::Yields { Left::Yielded } else { Left::Waits };
    }
    here.resumed.remove(&frame);
    match resumes {
        Resumes::Yields if result == unsafe { ffi::Py_None() } => Left::Waits,
        _ => Left::Returned,
    }
}

/// Whether a generator or coroutine waits at a `yield` or an `await`.
unsafe fn is_suspended(generator: *mut PyObject) -> bool {
    for name in [c"gi_suspended", c"cr_suspended", c"ag_suspended"] {
        let found = unsafe { ffi::PyObject_GetAttrString(generator, name.as_ptr()) };
        if found.is_null() {
            unsafe { ffi::PyErr_Clear() };
            continue;
        }
        let suspended = found == unsafe { ffi::Py_True() };
        unsafe { ffi::Py_DECREF(found) };
        return suspended;
    }
    false
}

#[cfg(Py_3_11)]
unsafe extern "C" {
    fn PyThreadState_EnterTracing(state: *mut PyThreadState);
    fn PyThreadState_LeaveTracing(state: *mut PyThreadState);
}

/// An exception that is on its way, put aside.
struct Kept([*mut PyObject; 3]);

impl Kept {
    unsafe fn new() -> Kept {
        let mut kept = [std::ptr::null_mut(); 3];
        let [class, exception, trace] = &mut kept;
        #[allow(deprecated)]
        unsafe {
            ffi::PyErr_Fetch(class, exception, trace)
        };
        Kept(kept)
    }

    unsafe fn restore(self) {
        #[allow(deprecated)]
        unsafe {
            ffi::PyErr_Restore(self.0[0], self.0[1], self.0[2])
        };
    }
}

/// Asks the helper what to do with code that is met for the first time.
#[cold]
unsafe fn first_call(
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
            Option<(Vec<(String, i64)>, Range, Vec<DescribedFragment>)>,
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
            detail: detail.map(|(variables, header, fragments)| DescribedDetail {
                variables,
                header,
                fragments,
            }),
        })
    })
}
