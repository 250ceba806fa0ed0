//! Hearing of calls by being told by the interpreter: `sys.monitoring`, from 3.12 on.
//!
//! This takes longer than evaluating frames, but no room on the native stack, and nothing but what is documented: it is for
//! interpreters whose frames are not known, and for calls that are too deep. In the latter case it begins with the first
//! deep call, and goes on without doing anything when there is none, since beginning takes long.

#[cfg(Py_3_12)]
pub(crate) use told::{begin, end, pause};

/// Whether the interpreter can tell of calls.
pub(crate) const HAS_MONITORING: bool = cfg!(Py_3_12);

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
    use crate::hook::evaluate;
    use crate::hook::frames::Frame;
    use crate::hook::gate::{GATE, TABLES};
    use crate::hook::greenlets;
    use crate::hook::greenlets::Running;
    use crate::hook::met::{self, Treatment};
    use crate::hook::{
        self, Event, PyThreadState_EnterTracing, PyThreadState_LeaveTracing, first_call, is_closed, let_go,
        reached,
    };
    use crate::recorder::{HowItEnded, Recorder};
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
        hook::unheard(|| Python::attach(|python| what(python).ok()))
    }

    unsafe fn nothing() -> *mut PyObject {
        // SAFETY: it is there for ever; here and below.
        let none = unsafe { ffi::Py_None() };
        // SAFETY: as above.
        unsafe { ffi::Py_INCREF(none) };
        none
    }

    /// An event that we need not be told of again, where it was.
    unsafe fn never_again() -> *mut PyObject {
        let disable = DISABLE.load(Ordering::Relaxed);
        // SAFETY: `begin` has stored it with a count of ours, before anything was told.
        unsafe { ffi::Py_INCREF(disable) };
        disable
    }

    /// The thread that runs, if anybody hears.
    unsafe fn hearing() -> Option<usize> {
        if GATE.load(Ordering::Relaxed) != 0 && is_closed() {
            return None;
        }
        // SAFETY: the lock is held, as the caller says.
        unsafe {
            let running = Running::now();
            let Event { recorder, look: _look } = hook::event()?;
            Some(recorder.thread(running))
        }
    }

    /// The frame that is being evaluated.
    unsafe fn running() -> Option<Frame> {
        // SAFETY: the lock is held, and a frame is being evaluated, since we are told of it.
        unsafe {
            let layout = {
                let Event { recorder, look: _look } = hook::event()?;
                recorder.layout
            };
            Some(Frame::running(&layout))
        }
    }

    unsafe extern "C" fn started(
        _module: *mut PyObject,
        arguments: *mut *mut PyObject,
        _count: isize,
    ) -> *mut PyObject {
        // SAFETY: the interpreter calls this with its lock held; the first argument is the code.
        unsafe { if AWAKE.load(Ordering::Relaxed) { starts(*arguments) } else { None } }
            // SAFETY: the lock is held.
            .unwrap_or_else(|| unsafe { nothing() })
    }

    unsafe fn starts(code: *mut PyObject) -> Option<*mut PyObject> {
        // SAFETY: the lock is held, as the caller says. The frame that runs is that of the call that begins, and is open until we are told
        // that it was left.
        unsafe {
            let thread = hearing()?;
            let frame = running()?;
            let known = met::treatment(code.cast());
            if known.is_none() {
                greenlets::notice();
            }
            let number = match known.or_else(|| first_call(code.cast(), frame))? {
                Treatment::Transparent => return Some(never_again()),
                Treatment::Recorded(number) => number,
            };
            let Event { recorder, look } = hook::event()?;
            // A generator may have been called where frames were evaluated.
            let made = match (recorder.generator, recorder.codes[number as usize].resumes) {
                (None, _) | (_, Resumes::No) => None,
                _ => met::generator(frame),
            };
            recorder.begin_thread(thread);
            if let Some(node) = made {
                recorder.resume(thread, number, node, frame.open(), true);
                return None;
            }
            recorder.calls += 1;
            let is_target = recorder.calls == recorder.target;
            drop(look);
            if is_target {
                // What is called there may be told of as well.
                let state = ffi::PyThreadState_Get();
                PyThreadState_LeaveTracing(state);
                reached(number, frame);
                PyThreadState_EnterTracing(state);
            }
            if GATE.load(Ordering::Relaxed) & TABLES != 0 {
                hook::ask_about_tables(|recorder, look| recorder.see_arguments(look, number, frame.open()));
            }
            let Event { recorder, look } = hook::event()?;
            recorder.enter(&look, thread, number, frame.open(), true);
            drop(look);
            let_go();
            None
        }
    }

    unsafe extern "C" fn resumed(
        _module: *mut PyObject,
        arguments: *mut *mut PyObject,
        _count: isize,
    ) -> *mut PyObject {
        // SAFETY: the interpreter calls this with its lock held; the first argument is the code.
        unsafe {
            if AWAKE.load(Ordering::Relaxed) {
                goes_on(*arguments);
            }
            nothing()
        }
    }

    unsafe fn goes_on(code: *mut PyObject) -> Option<()> {
        // SAFETY: as in `starts`.
        unsafe {
            let thread = hearing()?;
            let Treatment::Recorded(number) = met::treatment(code.cast())? else { return None };
            let frame = running()?;
            let node = met::generator(frame)?;
            let Event { recorder, look: _look } = hook::event()?;
            recorder.resume(thread, number, node, frame.open(), true);
            Some(())
        }
    }

    unsafe extern "C" fn returned(
        _module: *mut PyObject,
        arguments: *mut *mut PyObject,
        count: isize,
    ) -> *mut PyObject {
        // SAFETY: the interpreter calls this with its lock held and so many arguments that are alive.
        unsafe { left(arguments, count, HowItEnded::Returned) }.unwrap_or_else(|| unsafe { nothing() })
    }

    unsafe extern "C" fn yielded(
        _module: *mut PyObject,
        arguments: *mut *mut PyObject,
        count: isize,
    ) -> *mut PyObject {
        // SAFETY: as above.
        unsafe { left(arguments, count, HowItEnded::Yielded) }.unwrap_or_else(|| unsafe { nothing() })
    }

    unsafe extern "C" fn unwound(
        _module: *mut PyObject,
        arguments: *mut *mut PyObject,
        count: isize,
    ) -> *mut PyObject {
        // SAFETY: as above.
        unsafe {
            left(arguments, count, HowItEnded::Raised);
            // We cannot ask not to be told of these.
            nothing()
        }
    }

    /// A frame is left: the arguments are its code, where it is left, and with what.
    unsafe fn left(arguments: *mut *mut PyObject, count: isize, how: HowItEnded) -> Option<*mut PyObject> {
        // SAFETY: the arguments are so many and alive, as the caller says; the frame that runs is the one that is left.
        unsafe {
            let thread = hearing()?;
            let Treatment::Recorded(number) = met::treatment((*arguments).cast())? else {
                return Some(never_again());
            };
            let frame = running()?;
            let Event { recorder, look } = hook::event()?;
            if count < 3 || !recorder.is_told(thread, frame) {
                drop(look);
                let_go();
                return None;
            }
            drop(look);
            let result = *arguments.add(2);
            if GATE.load(Ordering::Relaxed) & TABLES != 0 {
                hook::ask_about_tables(|recorder, look| {
                    recorder.see_outcome(look, thread, look.object(result))
                });
            }
            let Event { recorder, look } = hook::event()?;
            let value = look.object(result)?;
            let value = evaluate::given(value).unwrap_or(value);
            let resumes = recorder.codes[number as usize].resumes;
            let how = match (how, resumes) {
                (HowItEnded::Yielded, Resumes::Awaits) => {
                    waits(recorder, thread, frame);
                    HowItEnded::Waits
                }
                (HowItEnded::Yielded, _) => {
                    waits(recorder, thread, frame);
                    HowItEnded::Yielded
                }
                (HowItEnded::Returned, Resumes::Yields)
                    if met::generator(frame).is_some() && value.is_none() =>
                {
                    met::generator_ends(frame);
                    HowItEnded::Waits
                }
                (how, Resumes::No) => how,
                (how, _) => {
                    met::generator_ends(frame);
                    how
                }
            };
            match how {
                HowItEnded::Raised => {
                    let class = value.beside(value.class().pointer().cast());
                    recorder.leave(&look, thread, None, [class, Some(value)], how);
                }
                HowItEnded::Returned if resumes == Resumes::No => {
                    recorder.returned(&look, thread, Some(value))
                }
                _ => recorder.leave(&look, thread, Some(value), [None; 2], how),
            }
            drop(look);
            let_go();
            None
        }
    }

    /// A generator waits.
    unsafe fn waits(recorder: &mut Recorder, thread: usize, frame: Frame) {
        // SAFETY: the lock is held.
        if unsafe { met::generator(frame) }.is_none() {
            let node = recorder.threads[thread].whole();
            // SAFETY: the lock is held.
            unsafe { met::generator_waits(frame, node) };
            recorder.began(node);
        }
    }
}
