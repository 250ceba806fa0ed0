//! Hearing of calls by being told by the interpreter: `sys.monitoring`, from 3.12 on.
//!
//! This takes longer than evaluating frames, but no room on the native stack, and nothing but what is documented: it is for
//! interpreters whose frames are not known, and for calls that are too deep. In the latter case it begins with the first
//! deep call, and goes on without doing anything when there is none, since beginning takes long.

#[cfg(Py_3_12)]
pub(crate) use told::{begin, end, pause};

/// Whether the interpreter can tell of calls.
pub(crate) const CAN: bool = cfg!(Py_3_12);

/// Nobody tells of calls.
#[cfg(not(Py_3_12))]
pub(crate) unsafe fn begin() -> bool {
    false
}

#[cfg(not(Py_3_12))]
pub(crate) unsafe fn pause() {}

#[cfg(not(Py_3_12))]
pub(crate) unsafe fn end() {}

#[cfg(Py_3_12)]
mod told {
    use crate::codes::Resumes;
    use crate::evaluate;
    use crate::frames::Frame;
    use crate::hook::{
        BUSY, PyThreadState_EnterTracing, PyThreadState_LeaveTracing, RECORDER, first_call, let_go, reached,
    };
    use crate::recorder::{Left, Recorder, Treatment};
    use pyo3::ffi::{self, PyObject};
    use pyo3::prelude::*;
    use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering};

    /// Our number among those who are told, while we are.
    static TOOL: AtomicI32 = AtomicI32::new(-1);
    /// Whether calls that begin are of interest.
    static AWAKE: AtomicBool = AtomicBool::new(false);
    /// What says that we do not want to be told again of something.
    static DISABLE: AtomicPtr<PyObject> = AtomicPtr::new(std::ptr::null_mut());

    type Callback = unsafe extern "C" fn(*mut PyObject, *mut *mut PyObject, isize) -> *mut PyObject;

    struct Method(ffi::PyMethodDef);

    // SAFETY: it is never changed.
    unsafe impl Sync for Method {}

    const fn method(callback: Callback) -> Method {
        Method(ffi::PyMethodDef {
            ml_name: c"event".as_ptr(),
            ml_meth: ffi::PyMethodDefPointer { PyCFunctionFast: callback },
            ml_flags: ffi::METH_FASTCALL,
            ml_doc: c"Tells of a call.".as_ptr(),
        })
    }

    /// What we are told of.
    static EVENTS: [(&str, Method); 6] = [
        ("PY_START", method(started)),
        ("PY_RESUME", method(resumed)),
        ("PY_THROW", method(resumed)),
        ("PY_RETURN", method(returned)),
        ("PY_YIELD", method(yielded)),
        ("PY_UNWIND", method(unwound)),
    ];

    /// Has the interpreter tell of calls; says whether it does, since only so many can be told.
    ///
    /// # Safety
    /// The lock is held, and there is a recording; here and below.
    pub(crate) unsafe fn begin() -> bool {
        AWAKE.store(true, Ordering::Relaxed);
        if TOOL.load(Ordering::Relaxed) >= 0 {
            return true;
        }
        let begun = quietly(|python| {
            let monitoring = python.import("sys")?.getattr("monitoring")?;
            // The others are for tools of the usual kinds.
            let free = [4, 3, 1, 2, 0, 5].into_iter().find(|tool| {
                monitoring.call_method1("get_tool", (*tool,)).is_ok_and(|taken| taken.is_none())
            });
            let Some(tool) = free else { return Ok(-1) };
            monitoring.call_method1("use_tool_id", (tool, "gadfly"))?;
            let disable = monitoring.getattr("DISABLE")?;
            DISABLE.store(disable.into_ptr(), Ordering::Relaxed);
            let names = monitoring.getattr("events")?;
            let mut all = 0;
            for (name, method) in &EVENTS {
                let event: i32 = names.getattr(*name)?.extract()?;
                // SAFETY: what describes the function is there for ever.
                let callback = unsafe {
                    let function = ffi::PyCFunction_NewEx(
                        (&raw const method.0).cast_mut(),
                        std::ptr::null_mut(),
                        std::ptr::null_mut(),
                    );
                    Bound::from_owned_ptr_or_err(python, function)?
                };
                monitoring.call_method1("register_callback", (tool, event, callback))?;
                all |= event;
            }
            monitoring.call_method1("set_events", (tool, all))?;
            // What we did not want to be told of in another recording.
            monitoring.call_method0("restart_events")?;
            Ok(tool)
        });
        TOOL.store(begun.unwrap_or(-1), Ordering::Relaxed);
        begun.is_some_and(|tool| tool >= 0)
    }

    /// Calls that begin are of no interest until there is a deep one again.
    pub(crate) unsafe fn pause() {
        AWAKE.store(false, Ordering::Relaxed);
    }

    /// Has the interpreter tell nothing more.
    pub(crate) unsafe fn end() {
        AWAKE.store(false, Ordering::Relaxed);
        let tool = TOOL.swap(-1, Ordering::Relaxed);
        if tool < 0 {
            return;
        }
        quietly(|python| {
            let monitoring = python.import("sys")?.getattr("monitoring")?;
            monitoring.call_method1("set_events", (tool, 0))?;
            monitoring.call_method1("free_tool_id", (tool,))?;
            Ok(())
        });
    }

    /// Does something that is none of the program's business.
    fn quietly<T>(what: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        let was = BUSY.swap(true, Ordering::Relaxed);
        let done = Python::attach(|python| what(python).ok());
        BUSY.store(was, Ordering::Relaxed);
        done
    }

    unsafe fn nothing() -> *mut PyObject {
        let none = unsafe { ffi::Py_None() };
        unsafe { ffi::Py_INCREF(none) };
        none
    }

    /// An event that we need not be told of again, where it was.
    unsafe fn never_again() -> *mut PyObject {
        let disable = DISABLE.load(Ordering::Relaxed);
        unsafe { ffi::Py_INCREF(disable) };
        disable
    }

    /// Who hears, which thread runs, and how its calls of this code are treated if that is known.
    unsafe fn hearing<'h>(code: *mut PyObject) -> Option<(&'h mut Recorder, usize, Option<Treatment>)> {
        if BUSY.load(Ordering::Relaxed) {
            return None;
        }
        unsafe {
            let here = RECORDER.load(Ordering::Relaxed).as_mut()?;
            let thread = here.thread(ffi::PyThreadState_Get());
            let treatment = here.treatment(code.cast());
            Some((here, thread, treatment))
        }
    }

    unsafe extern "C" fn started(
        _module: *mut PyObject,
        arguments: *mut *mut PyObject,
        _count: isize,
    ) -> *mut PyObject {
        unsafe {
            let code = *arguments;
            if !AWAKE.load(Ordering::Relaxed) {
                return nothing();
            }
            let Some((here, thread, treatment)) = hearing(code) else { return nothing() };
            let recorder: *mut Recorder = here;
            let number = match treatment {
                Some(Treatment::Transparent) => return never_again(),
                Some(Treatment::Recorded(number)) => number,
                None => match first_call(recorder, code.cast(), Frame::running(&here.layout), 0) {
                    Treatment::Transparent => return never_again(),
                    Treatment::Recorded(number) => number,
                },
            };
            let Some(here) = RECORDER.load(Ordering::Relaxed).as_mut() else { return nothing() };
            let frame = Frame::running(&here.layout);
            // A generator may have been called where frames were evaluated.
            let made = match (here.generator, here.codes[number as usize].resumes) {
                (None, _) | (_, Resumes::No) => None,
                _ => here.resumed.get(&frame).copied(),
            };
            if let Some(node) = made {
                here.resume(thread, number, node, frame, true);
                return nothing();
            }
            here.calls += 1;
            if here.calls == here.target {
                // What is called there may be told of as well.
                let state = ffi::PyThreadState_Get();
                PyThreadState_LeaveTracing(state);
                reached(here, number, frame);
                PyThreadState_EnterTracing(state);
            }
            let Some(here) = RECORDER.load(Ordering::Relaxed).as_mut() else { return nothing() };
            here.enter(thread, number, frame, true);
            let_go();
            nothing()
        }
    }

    unsafe extern "C" fn resumed(
        _module: *mut PyObject,
        arguments: *mut *mut PyObject,
        _count: isize,
    ) -> *mut PyObject {
        unsafe {
            if AWAKE.load(Ordering::Relaxed)
                && let Some((here, thread, Some(Treatment::Recorded(number)))) = hearing(*arguments)
            {
                let frame = Frame::running(&here.layout);
                if let Some(node) = here.resumed.get(&frame).copied() {
                    here.resume(thread, number, node, frame, true);
                }
            }
            nothing()
        }
    }

    unsafe extern "C" fn returned(
        _module: *mut PyObject,
        arguments: *mut *mut PyObject,
        count: isize,
    ) -> *mut PyObject {
        unsafe { left(arguments, count, |_, _, _| Left::Returned) }
    }

    unsafe extern "C" fn yielded(
        _module: *mut PyObject,
        arguments: *mut *mut PyObject,
        count: isize,
    ) -> *mut PyObject {
        let how = |here: &mut Recorder, thread: usize, frame: Frame| {
            let node = here.threads[thread].whole();
            if !here.resumed.contains_key(&frame) {
                here.resumed.insert(frame, node);
                here.began(node);
            }
            Left::Yielded
        };
        unsafe { left(arguments, count, how) }
    }

    unsafe extern "C" fn unwound(
        _module: *mut PyObject,
        arguments: *mut *mut PyObject,
        count: isize,
    ) -> *mut PyObject {
        unsafe {
            left(arguments, count, |_, _, _| Left::Raised);
            // We cannot ask not to be told of these.
            nothing()
        }
    }

    /// A frame is left: the arguments are its code, where it is left, and with what.
    unsafe fn left(
        arguments: *mut *mut PyObject,
        count: isize,
        how: impl FnOnce(&mut Recorder, usize, Frame) -> Left,
    ) -> *mut PyObject {
        unsafe {
            let Some((here, thread, Some(treatment))) = hearing(*arguments) else { return nothing() };
            let Treatment::Recorded(number) = treatment else { return never_again() };
            let frame = Frame::running(&here.layout);
            if count < 3 || !here.is_told(thread, frame) {
                return nothing();
            }
            let value = *arguments.add(2);
            let value = evaluate::given(value).unwrap_or(value);
            let resumes = here.codes[number as usize].resumes;
            let how = match (how(here, thread, frame), resumes) {
                (Left::Yielded, Resumes::Awaits) => Left::Waits,
                (Left::Returned, Resumes::Yields)
                    if here.resumed.contains_key(&frame) && value == ffi::Py_None() =>
                {
                    Left::Waits
                }
                (how, _) => how,
            };
            let ends = !matches!(how, Left::Yielded) && !(how == Left::Waits && resumes == Resumes::Awaits);
            if resumes != Resumes::No && ends {
                here.resumed.remove(&frame);
            }
            match how {
                Left::Raised => {
                    let class = ffi::Py_TYPE(value).cast();
                    here.leave(thread, std::ptr::null_mut(), [class, value], how);
                }
                Left::Returned if resumes == Resumes::No => here.returned(thread, value),
                _ => here.leave(thread, value, [std::ptr::null_mut(); 2], how),
            }
            let_go();
            nothing()
        }
    }
}
