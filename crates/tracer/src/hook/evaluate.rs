//! Hearing of calls by evaluating their frames (PEP 523).
//!
//! Every frame is evaluated through [`evaluate`](crate::hook::evaluate), which hands it on to whoever did it before. That takes room on the native stack, so
//! that calls can be too deep for it ([`crate::hook::native_stack`]): they are evaluated as usual, and from 3.12 on the interpreter tells of them
//! ([`events`]).

use crate::codes::Resumes;
use crate::hook::events;
use crate::hook::fast_call;
use crate::hook::frames::{self, Evaluate, Frame};
use crate::hook::gate::{GATE, TABLES};
use crate::hook::greenlets;
use crate::hook::greenlets::Running;
use crate::hook::met::{self, Treatment};
use crate::hook::native_stack;
use crate::hook::{self, CHANGES, Event, Kept, first_call, is_closed, is_recording, let_go, reached};
use crate::object::{Look, Object};
use crate::recorder::{HowItEnded, Recorder};
use crate::threads::Thread;
use gadfly_trail::model::NodeId;
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
    // SAFETY: `begin` has stored who evaluated frames before, which is a function of this type; it is called as the interpreter called us.
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
    // SAFETY: the lock is held, as the caller says.
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
    // SAFETY: the lock is held, as the caller says; `begin` has stored a function of this type.
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
    // SAFETY: the interpreter calls this with its lock held and a frame that is alive until it is evaluated. `now` is a thread of the
    // recorder that is there, and `to` code of its; both stay where they are until the recording ends, which `CHANGES` tells.
    unsafe {
        if GATE.load(Ordering::Relaxed) != 0 {
            return match is_closed() {
                true => usual(state, frame, throws),
                false => evaluate_any(state, frame, throws),
            };
        }
        let Some(Event { recorder, look }) = hook::event() else { return usual(state, frame, throws) };
        let thread = recorder.now;
        let is_usual =
            !thread.is_null() && (*thread).state == state as usize && (*thread).depth > 0 && throws == 0;
        let known = met::recent(frame.code_at(&fast_call::FRAME));
        let (true, Some(to)) = (is_usual && !is_deep(&*thread), known) else {
            drop(look);
            return evaluate_any(state, frame, throws);
        };
        let is_next = recorder.calls + 1 == recorder.target;
        if !to.is_null() && (is_next || !(*to).is_quick) {
            drop(look);
            return evaluate_any(state, frame, throws);
        }
        (*thread).depth += 1;
        recorder.frames += 1;
        if !to.is_null() {
            recorder.calls += 1;
            recorder.enter_quickly(&look, thread, to, frame.open());
        }
        drop(look);
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
        if result.is_null() {
            raised((*thread).at, frame, Resumes::No);
            return result;
        }
        let Some(Event { recorder, look }) = hook::event() else { return result };
        recorder.returned_quickly(&look, thread, look.object(result));
        let is_clean = recorder.values.released.is_empty();
        drop(look);
        if !is_clean {
            let_go();
        }
        result
    }
}

/// The same of any frame.
#[inline(never)]
unsafe extern "C" fn evaluate_any(state: *mut PyThreadState, frame: Frame, throws: c_int) -> *mut PyObject {
    // SAFETY: as in `evaluate`. The frame is open from `begin_call` to `end_call`, in which it is evaluated.
    unsafe {
        let changes = CHANGES.load(Ordering::Relaxed);
        let running = Running::of(state);
        let Some(Event { recorder, look }) = hook::event() else { return usual(state, frame, throws) };
        recorder.frames += 1;
        let thread = recorder.thread(running);
        let code = frame.code(&recorder.layout);
        let known = met::treatment(code);
        let deep = is_deep(&recorder.threads[thread]);
        drop(look);
        let treatment = match known.or_else(|| first_call(code, frame)) {
            Some(_) if deep => return too_deep(state, frame, throws),
            Some(treatment) => treatment,
            None => return usual(state, frame, throws),
        };
        let number = match treatment {
            Treatment::Recorded(number) => number,
            Treatment::Transparent => {
                let Some(Event { recorder, look }) = hook::event() else {
                    return usual(state, frame, throws);
                };
                recorder.threads[thread].depth += 1;
                drop(look);
                let result = usual(state, frame, throws);
                if CHANGES.load(Ordering::Relaxed) == changes {
                    if let Some(Event { recorder, look: _look }) = hook::event() {
                        recorder.threads[thread].depth -= 1;
                    }
                    if known.is_none() {
                        // It may have been a module that was imported.
                        greenlets::notice();
                    }
                }
                return result;
            }
        };
        let Some(node) = begin_call(thread, number, frame, throws) else {
            return usual(state, frame, throws);
        };
        let result = usual(state, frame, throws);
        // The program may have ended the recording.
        if CHANGES.load(Ordering::Relaxed) != changes {
            return result;
        }
        end_call(thread, number, node, frame, result);
        if known.is_none() {
            greenlets::notice();
        }
        result
    }
}

/// A recorded call begins, or goes on, which had this node then; none if the recording is over.
#[inline]
unsafe fn begin_call(thread: usize, number: u32, frame: Frame, throws: c_int) -> Option<Option<NodeId>> {
    // SAFETY: the frame is about to be evaluated, and the lock is held, as the caller says.
    unsafe {
        let Event { recorder, look } = hook::event()?;
        recorder.threads[thread].depth += 1;
        let node = match recorder.codes[number as usize].resumes {
            Resumes::No => None,
            _ => met::generator(frame),
        };
        let mut is_target = false;
        recorder.begin_thread(thread);
        if node.is_none() {
            recorder.calls += 1;
            is_target = recorder.calls == recorder.target;
        }
        drop(look);
        // Looking must not touch an exception that is on its way.
        let kept = (throws != 0).then(|| Kept::new());
        if is_target {
            reached(number, frame);
        }
        if GATE.load(Ordering::Relaxed) & TABLES != 0 {
            hook::ask_about_tables(|recorder, look| recorder.see_arguments(look, number, frame.open()));
        }
        if let Some(Event { recorder, look }) = hook::event() {
            match node {
                Some(node) => go_on(&look, recorder, thread, number, node, frame, kept.as_ref()),
                None => recorder.enter(&look, thread, number, frame.open(), false),
            }
        }
        if let Some(kept) = kept {
            kept.restore();
        }
        is_recording().then_some(node)
    }
}

/// It ends, or waits.
#[inline]
unsafe fn end_call(thread: usize, number: u32, node: Option<NodeId>, frame: Frame, result: *mut PyObject) {
    // SAFETY: the frame was evaluated and is still there, and the result is alive: the interpreter waits for us to give it back.
    unsafe {
        let suspended = match result.is_null() {
            true => false,
            false => waits(number, node.is_some(), frame),
        };
        let Some(Event { recorder, look }) = hook::event() else { return };
        recorder.threads[thread].depth -= 1;
        let resumes = recorder.codes[number as usize].resumes;
        drop(look);
        if result.is_null() {
            return raised(thread, frame, resumes);
        }
        if GATE.load(Ordering::Relaxed) & TABLES != 0 {
            hook::ask_about_tables(|recorder, look| recorder.see_outcome(look, thread, look.object(result)));
        }
        let Some(Event { recorder, look }) = hook::event() else { return };
        match (look.object(result), resumes) {
            (Some(result), Resumes::Yields | Resumes::Awaits) => {
                let how = paused(recorder, thread, frame, node.is_some(), suspended, resumes, result);
                let value = given(result).unwrap_or(result);
                recorder.leave(&look, thread, Some(value), [None; 2], how);
            }
            (result, _) => recorder.returned(&look, thread, result),
        }
        drop(look);
        let_go();
    }
}

/// A generator or coroutine goes on. For a generator, the trail says what was sent or thrown into it; closing it does not count as
/// throwing.
#[inline(never)]
unsafe fn go_on(
    look: &Look,
    recorder: &mut Recorder,
    thread: usize,
    number: u32,
    node: NodeId,
    frame: Frame,
    thrown: Option<&Kept>,
) {
    if recorder.codes[number as usize].resumes == Resumes::Yields {
        match thrown {
            Some(kept) => {
                // SAFETY: it is a class, or nothing. No method of the program's is asked whether it is one of these.
                let is_closed = unsafe { is_exit(kept.0[0]) };
                if !is_closed {
                    recorder.thrown(number, node, kept.see(look));
                }
            }
            None => {
                // SAFETY: the frame waited and is about to go on.
                let value = unsafe { look.object(frame.sent(&recorder.layout)) };
                if let Some(value) = value.filter(|value| !value.is_none()) {
                    recorder.sent(number, node, value);
                }
            }
        }
    }
    // SAFETY: it is evaluated next, and the call is open until that is over.
    recorder.resume(thread, number, node, unsafe { frame.open() }, false);
}

/// Whether an exception that is thrown, by its class or itself, is that a generator is to be closed.
unsafe fn is_exit(thrown: *mut PyObject) -> bool {
    // SAFETY: it is alive or null: somebody throws it. A class is looked at as one only if it is one.
    unsafe {
        if thrown.is_null() {
            return false;
        }
        let class = match ffi::PyType_Check(thrown) != 0 {
            true => thrown.cast(),
            false => ffi::Py_TYPE(thrown),
        };
        ffi::PyType_IsSubtype(class, ffi::PyExc_GeneratorExit.cast()) != 0
    }
}

/// Whether a call would be too deep.
#[inline(always)]
fn is_deep(thread: &Thread) -> bool {
    native_stack::here() < thread.floor || thread.depth >= native_stack::DEEPEST
}

/// A call ends by an exception.
#[inline(never)]
unsafe fn raised(thread: usize, frame: Frame, resumes: Resumes) {
    // Looking at values must not touch an exception that is on its way.
    // SAFETY: the frame is still there, and the exception is ours until it is restored.
    unsafe {
        if resumes != Resumes::No {
            met::generator_ends(frame);
        }
        let kept = Kept::new();
        if GATE.load(Ordering::Relaxed) & TABLES != 0 {
            let [_, value, _] = kept.0;
            hook::ask_about_tables(|recorder, look| recorder.see_outcome(look, thread, look.object(value)));
        }
        if let Some(Event { recorder, look }) = hook::event() {
            recorder.leave(&look, thread, None, kept.see(&look), HowItEnded::Raised);
        }
        kept.restore();
        let_go();
    }
}

/// The frame and what it calls are evaluated as if nobody were looking; where the interpreter can, it tells of them.
#[cold]
unsafe fn too_deep(state: *mut PyThreadState, frame: Frame, throws: c_int) -> *mut PyObject {
    // SAFETY: as in `evaluate`, whose arguments these are.
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

/// Whether a generator waits whose frame was evaluated, which went on then. Nobody looks.
unsafe fn waits(number: u32, resumed: bool, frame: Frame) -> bool {
    // SAFETY: the frame was evaluated and is still there; where it is part of a generator that goes on, whoever resumed that has it.
    unsafe {
        let Some(Event { recorder, look }) = hook::event() else { return false };
        let (resumes, offset) = (recorder.codes[number as usize].resumes, recorder.generator);
        drop(look);
        match offset {
            _ if resumes == Resumes::No => false,
            // Frames stay where they are, from the first time on, and say themselves whether they wait.
            None => frame.is_suspended(),
            Some(offset) => resumed && is_suspended(frame.0.offset(-offset).cast::<PyObject>()),
        }
    }
}

/// What became of a generator's frame that gave something.
#[inline(never)]
unsafe fn paused(
    recorder: &mut Recorder,
    thread: usize,
    frame: Frame,
    resumed: bool,
    suspended: bool,
    resumes: Resumes,
    result: Object<'_>,
) -> HowItEnded {
    let Some(offset) = recorder.generator else {
        if suspended {
            let node = recorder.threads[thread].top();
            if !resumed {
                // SAFETY: the lock is held.
                unsafe { met::generator_waits(frame, node) };
                recorder.began(node);
            }
            return if resumes == Resumes::Yields { HowItEnded::Yielded } else { HowItEnded::Waits };
        }
        // SAFETY: the lock is held.
        unsafe { met::generator_ends(frame) };
        return match resumes {
            Resumes::Yields if resumed && result.is_none() => HowItEnded::Waits,
            _ => HowItEnded::Returned,
        };
    };
    if !resumed {
        // The call gives a generator, whose frame it is from now on.
        let node = recorder.threads[thread].top();
        // SAFETY: that is where a generator has its frame (`Layout::generator`).
        let frame = Frame(unsafe { result.pointer().cast::<u8>().offset(offset) });
        // SAFETY: the lock is held.
        unsafe { met::generator_waits(frame, node) };
        return if resumes == Resumes::Yields { HowItEnded::Made } else { HowItEnded::Waits };
    }
    if suspended {
        // An asynchronous generator waits for others as well.
        // SAFETY: the frame is part of a generator that went on, so that whoever resumed it has it.
        let generator = unsafe { frame.0.offset(-offset) }.cast::<PyObject>();
        let waits = resumes != Resumes::Yields
            // SAFETY: as above.
            || unsafe { ffi::Py_TYPE(generator) == &raw mut PyAsyncGen_Type } && given(result).is_none();
        return if waits { HowItEnded::Waits } else { HowItEnded::Yielded };
    }
    // SAFETY: the lock is held.
    unsafe { met::generator_ends(frame) };
    match resumes {
        Resumes::Yields if result.is_none() => HowItEnded::Waits,
        _ => HowItEnded::Returned,
    }
}

/// Whether a generator or coroutine waits at a `yield` or an `await`.
unsafe fn is_suspended(generator: *mut PyObject) -> bool {
    for name in [c"gi_suspended", c"cr_suspended", c"ag_suspended"] {
        // SAFETY: the generator is alive and of the interpreter's own type, as the caller says: its attributes are members or run nothing
        // of the program's. What is given is given back at once; here and below.
        let found = unsafe { ffi::PyObject_GetAttrString(generator, name.as_ptr()) };
        if found.is_null() {
            // SAFETY: the lock is held.
            unsafe { ffi::PyErr_Clear() };
            continue;
        }
        // SAFETY: it is there for ever.
        let suspended = found == unsafe { ffi::Py_True() };
        // SAFETY: it is ours.
        unsafe { ffi::Py_DECREF(found) };
        return suspended;
    }
    // In 3.11 an asynchronous one does not say so; but while it does not run, it has a frame only if it waits.
    // SAFETY: as above.
    let frame = unsafe { ffi::PyObject_GetAttrString(generator, c"ag_frame".as_ptr()) };
    if frame.is_null() {
        // SAFETY: the lock is held.
        unsafe { ffi::PyErr_Clear() };
        return false;
    }
    // SAFETY: it is ours.
    unsafe { ffi::Py_DECREF(frame) };
    // SAFETY: it is there for ever.
    frame != unsafe { ffi::Py_None() }
}

/// What an asynchronous generator gives, which is wrapped up; none if it is something else.
#[inline(never)]
pub(crate) fn given(value: Object<'_>) -> Option<Object<'_>> {
    // A class of the program's may have any name. What is wrapped comes behind the header.
    let is_wrapped =
        !value.class().is_heap() && value.class().full_name() == c"async_generator_wrapped_value";
    match is_wrapped {
        // SAFETY: so it is.
        true => unsafe { value.part(size_of::<PyObject>() as isize) },
        false => None,
    }
}

unsafe extern "C" {
    static mut PyAsyncGen_Type: ffi::PyTypeObject;
}
