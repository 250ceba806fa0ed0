//! Hearing of calls by evaluating their frames (PEP 523).
//!
//! Every frame is evaluated through [`evaluate`], which hands it on to whoever did it before. That takes room on the native stack, so
//! that calls can be too deep for it ([`crate::room`]): they are evaluated as usual, and from 3.12 on the interpreter tells of them
//! ([`events`]).

use crate::codes::Resumes;
use crate::events;
use crate::frames::{self, Evaluate, Frame};
use crate::hook::{BUSY, CHANGES, Kept, RECORDER, first_call, is_recording, let_go, reached};
use crate::recorder::{Left, Recorder, Thread, Treatment, recent_slot};
use crate::{quick, room};
use gadfly_trail::run::model::NodeId;
use pyo3::ffi::{self, PyObject, PyThreadState};
use std::ffi::c_int;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Who evaluated frames before.
static BEFORE: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
/// In how many threads calls are too deep now. Until there is none, nobody's frames are evaluated here.
static DEEP: AtomicUsize = AtomicUsize::new(0);

/// Evaluates a frame as if nobody were looking.
#[inline(always)]
unsafe fn usual(state: *mut PyThreadState, frame: Frame, throws: c_int) -> *mut PyObject {
    unsafe {
        let before = std::mem::transmute::<*mut (), Evaluate>(BEFORE.load(Ordering::Relaxed));
        before(state, frame, throws)
    }
}

/// Begins to hear of calls.
///
/// # Safety
/// The interpreter's lock is held, and there is a recording; here and below.
pub(crate) unsafe fn begin() {
    unsafe {
        let before = frames::evaluates();
        if !is_ours(before) {
            BEFORE.store(before as *mut (), Ordering::Relaxed);
        }
        DEEP.store(0, Ordering::Relaxed);
        frames::set_evaluate(evaluate);
    }
}

/// Hears no longer of them. Somebody who hands frames on to us goes on to do so, and they are handed on.
pub(crate) unsafe fn end() {
    unsafe {
        if is_ours(frames::evaluates()) {
            frames::set_evaluate(std::mem::transmute::<*mut (), Evaluate>(BEFORE.load(Ordering::Relaxed)));
        }
    }
}

fn is_ours(evaluates: Evaluate) -> bool {
    std::ptr::fn_addr_eq(evaluates, evaluate as Evaluate)
}

unsafe extern "C" fn evaluate(state: *mut PyThreadState, frame: Frame, throws: c_int) -> *mut PyObject {
    unsafe {
        if BUSY.load(Ordering::Relaxed) {
            return usual(state, frame, throws);
        }
        let Some(here) = RECORDER.load(Ordering::Relaxed).as_mut() else {
            return usual(state, frame, throws);
        };
        let thread = here.now;
        let is_usual =
            !thread.is_null() && (*thread).state == state as usize && (*thread).depth > 0 && throws == 0;
        if !is_usual || is_deep(&*thread) {
            return evaluate_any(state, frame, throws);
        }
        let code = frame.code_at(&quick::FRAME);
        let (known, to) = here.recent[recent_slot(code)];
        let is_next = here.calls + 1 == here.target;
        if known != code || !to.is_null() && (is_next || !(*to).is_quick) {
            return evaluate_any(state, frame, throws);
        }
        (*thread).depth += 1;
        if !to.is_null() {
            here.calls += 1;
            here.enter_quickly(thread, to, frame);
        }
        let changes = CHANGES.load(Ordering::Relaxed);
        let result = usual(state, frame, throws);
        // The program may have ended the recording.
        if CHANGES.load(Ordering::Relaxed) != changes {
            return result;
        }
        (*thread).depth -= 1;
        if to.is_null() {
            return result;
        }
        let here = &mut *RECORDER.load(Ordering::Relaxed);
        match result.is_null() {
            false => here.returned_quickly(thread, result),
            true => raised(here, (*thread).at, frame, Resumes::No),
        }
        if !here.values.dropped.is_empty() {
            let_go();
        }
        result
    }
}

/// The same of any frame.
#[inline(never)]
unsafe extern "C" fn evaluate_any(state: *mut PyThreadState, frame: Frame, throws: c_int) -> *mut PyObject {
    unsafe {
        let changes = CHANGES.load(Ordering::Relaxed);
        let recorder = RECORDER.load(Ordering::Relaxed);
        let Some(here) = recorder.as_mut() else { return usual(state, frame, throws) };
        let thread = here.thread(state);
        let code = frame.code(&here.layout);
        let treatment = match here.treatment(code) {
            Some(known) => known,
            None => first_call(recorder, code, frame, throws),
        };
        let Some(here) = recorder.as_mut() else { return usual(state, frame, throws) };
        let number = match treatment {
            _ if is_deep(&here.threads[thread]) => return too_deep(state, frame, throws),
            Treatment::Recorded(number) => number,
            Treatment::Transparent => {
                here.threads[thread].depth += 1;
                let result = usual(state, frame, throws);
                if CHANGES.load(Ordering::Relaxed) == changes {
                    (&mut *recorder).threads[thread].depth -= 1;
                }
                return result;
            }
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
        let Some(here) = recorder.as_mut() else { return usual(state, frame, throws) };
        match node {
            Some(node) => go_on(here, thread, number, node, frame, throws),
            None if throws != 0 => {
                let kept = Kept::new();
                here.enter(thread, number, frame, false);
                kept.restore();
            }
            None => here.enter(thread, number, frame, false),
        }
        let result = usual(state, frame, throws);
        // The program may have ended the recording.
        if CHANGES.load(Ordering::Relaxed) != changes {
            return result;
        }
        let here = &mut *recorder;
        here.threads[thread].depth -= 1;
        match (result.is_null(), resumes) {
            (false, Resumes::No) => here.returned(thread, result),
            (false, _) => pause(here, thread, frame, node.is_some(), resumes, result),
            (true, _) => raised(here, thread, frame, resumes),
        }
        let_go();
        result
    }
}

/// A generator or coroutine goes on; of a generator it is told what was sent or thrown into it. That it is to be closed is nothing that
/// was thrown.
#[inline(never)]
unsafe fn go_on(here: &mut Recorder, thread: usize, number: u32, node: NodeId, frame: Frame, throws: c_int) {
    if here.codes[number as usize].resumes == Resumes::Yields {
        unsafe { sent(here, number, node, frame, throws) };
    }
    here.resume(thread, number, node, frame, false);
}

/// It gives something, or waits, or has come to its end.
#[inline(never)]
unsafe fn pause(
    here: &mut Recorder,
    thread: usize,
    frame: Frame,
    resumed: bool,
    resumes: Resumes,
    result: *mut PyObject,
) {
    unsafe {
        let how = paused(here, thread, frame, resumed, resumes, result);
        let value = given(result).unwrap_or(result);
        here.leave(thread, value, [std::ptr::null_mut(); 2], how);
    }
}

unsafe fn sent(here: &mut Recorder, number: u32, node: NodeId, frame: Frame, throws: c_int) {
    unsafe {
        if throws != 0 {
            let kept = Kept::new();
            if ffi::PyErr_GivenExceptionMatches(kept.0[0], ffi::PyExc_GeneratorExit) == 0 {
                here.thrown(number, node, [kept.0[0], kept.0[1]]);
            }
            return kept.restore();
        }
        let value = frame.sent(&here.layout);
        if !value.is_null() && value != ffi::Py_None() {
            here.sent(number, node, value);
        }
    }
}

/// Whether a call would be too deep.
#[inline(always)]
fn is_deep(thread: &Thread) -> bool {
    room::here() < thread.floor || thread.depth >= room::DEEPEST
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

/// The frame and what it calls are evaluated as if nobody were looking; where the interpreter can, it tells of them.
#[cold]
unsafe fn too_deep(state: *mut PyThreadState, frame: Frame, throws: c_int) -> *mut PyObject {
    unsafe {
        let kept = (throws != 0).then(|| Kept::new());
        DEEP.fetch_add(1, Ordering::Relaxed);
        end();
        events::begin();
        if let Some(kept) = kept {
            kept.restore();
        }
        let result = usual(state, frame, throws);
        // It may be another recording by now.
        let others = DEEP.load(Ordering::Relaxed).saturating_sub(1);
        DEEP.store(others, Ordering::Relaxed);
        if is_recording() && others == 0 {
            events::pause();
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
        // An asynchronous generator waits for others as well.
        let waits = resumes != Resumes::Yields
            || unsafe { ffi::Py_TYPE(generator) == &raw mut PyAsyncGen_Type && given(result).is_none() };
        return if waits { Left::Waits } else { Left::Yielded };
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
    // In 3.11 an asynchronous one does not say so; but while it does not run, it has a frame only if it waits.
    let frame = unsafe { ffi::PyObject_GetAttrString(generator, c"ag_frame".as_ptr()) };
    if frame.is_null() {
        unsafe { ffi::PyErr_Clear() };
        return false;
    }
    unsafe { ffi::Py_DECREF(frame) };
    frame != unsafe { ffi::Py_None() }
}

/// What an asynchronous generator gives, which is wrapped up; none if it is something else.
#[inline(never)]
pub(crate) unsafe fn given(value: *mut PyObject) -> Option<*mut PyObject> {
    unsafe {
        let class = ffi::Py_TYPE(value);
        // A class of the program's may have any name. What is wrapped comes behind the header.
        let is_own = ffi::PyType_HasFeature(class, ffi::Py_TPFLAGS_HEAPTYPE) == 0;
        let name = std::ffi::CStr::from_ptr((*class).tp_name);
        (is_own && name == c"async_generator_wrapped_value").then(|| *value.add(1).cast::<*mut PyObject>())
    }
}

unsafe extern "C" {
    static mut PyAsyncGen_Type: ffi::PyTypeObject;
}
