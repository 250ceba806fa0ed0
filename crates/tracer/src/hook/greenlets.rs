//! Greenlets: several stacks of calls in one thread, of which one runs at a time.
//!
//! The package `greenlet` says which one that is, by its interface for C. It is asked at every call as soon as the program has it; others pay
//! nothing. Each greenlet has open calls of its own ([`crate::threads`]).

use crate::hook::gate::{GATE, GREENLETS, TABLES};
use crate::hook::{self, Event};
use crate::object::{Held, Object};
use pyo3::ffi::{self, PyObject, PyThreadState};
use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};

/// What the package offers, in its order.
static OFFERS: AtomicPtr<*mut c_void> = AtomicPtr::new(std::ptr::null_mut());
const CLASS: usize = 0;
const GET_CURRENT: usize = 4;
/// What gives the parent of a greenlet, whatever classes of the program's say that inherit from its class; that is there as long as the package.
static PARENT: AtomicPtr<PyObject> = AtomicPtr::new(std::ptr::null_mut());

/// Looks which packages the program has by now that are treated in a way of their own.
///
/// # Safety
/// The interpreter's lock is held; here and below.
#[cold]
pub(crate) unsafe fn notice() {
    // SAFETY: the lock is held, as the caller says. A capsule of this name has these pointers in this order, and the package is never
    // unloaded.
    unsafe {
        let known = GATE.load(Ordering::Relaxed);
        if known & GREENLETS == 0
            && let Some(capsule) = offered()
            && ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) != 0
        {
            let offers = ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast::<*mut c_void>();
            let class = *offers.add(CLASS).cast::<*mut ffi::PyTypeObject>();
            let parent = ffi::PyDict_GetItemString((*class).tp_dict, c"parent".as_ptr());
            if parent.is_null() || (*ffi::Py_TYPE(parent)).tp_descr_get.is_none() {
                return;
            }
            PARENT.store(parent, Ordering::Relaxed);
            OFFERS.store(offers, Ordering::Relaxed);
            GATE.fetch_or_unshared(GREENLETS);
        }
        if known & TABLES == 0 && module("pandas") {
            GATE.fetch_or_unshared(TABLES);
        }
    }
}

const NAME: &std::ffi::CStr = c"greenlet._C_API";

/// What a module of the program has under a name.
unsafe fn of_module<T>(module: &str, tell: impl FnOnce(Object<'_>) -> Option<T>) -> Option<T> {
    // SAFETY: the lock is held, and nothing runs in the event; the interpreter has the dictionary of modules.
    unsafe {
        let (modules, name) = (ffi::PyImport_GetModuleDict(), Held::name(module)?);
        let Event { look, .. } = hook::event()?;
        tell(look.object(modules)?.dict()?.get(&name)?)
    }
}

unsafe fn module(name: &str) -> bool {
    // SAFETY: the lock is held.
    unsafe { of_module(name, |_| Some(())) }.is_some()
}

/// The capsule with what `greenlet` offers; the module has it as long as it is there.
unsafe fn offered() -> Option<*mut PyObject> {
    // SAFETY: as above; a module has its dictionary.
    unsafe {
        let name = Held::name("_C_API")?;
        of_module("greenlet", |module| {
            if !module.is_a(&raw mut ffi::PyModule_Type) {
                return None;
            }
            let dictionary = module.beside(ffi::PyModule_GetDict(module.pointer()))?.dict()?;
            dictionary.get(&name).map(Object::pointer)
        })
    }
}

/// The thread that runs, and the greenlet in it: for as long as nothing of Python's runs.
#[derive(Clone, Copy)]
pub(crate) struct Running {
    state: *mut PyThreadState,
    /// By its place; 0 for that of the thread itself.
    pub(crate) greenlet: usize,
}

impl Running {
    /// # Safety
    /// The interpreter's lock is held, and nobody looks. This is used before anything of Python's runs.
    #[inline(always)]
    pub(crate) unsafe fn now() -> Running {
        // SAFETY: the lock is held.
        unsafe { Running::of(ffi::PyThreadState_Get()) }
    }

    /// # Safety
    /// As above, and the thread is the one that runs.
    #[inline(always)]
    pub(crate) unsafe fn of(state: *mut PyThreadState) -> Running {
        // SAFETY: as the caller says.
        Running { state, greenlet: unsafe { current() } }
    }

    /// Where the interpreter keeps what it knows of the thread.
    #[inline(always)]
    pub(crate) fn place(self) -> usize {
        self.state as usize
    }

    /// The thread's number, which no other one ever has.
    pub(crate) fn number(self) -> i64 {
        // SAFETY: it runs.
        unsafe { ffi::PyThreadState_GetID(self.state) }
    }

    /// The greenlet that this one goes back to when it ends: the one that made it, as a rule.
    pub(crate) fn parent(self) -> usize {
        // SAFETY: it runs.
        unsafe { parent(self.greenlet) }
    }

    /// All threads that there are, by their places and numbers.
    pub(crate) fn threads(self) -> Vec<(usize, i64)> {
        let mut all = Vec::new();
        // SAFETY: somebody runs, so that the lock is held, and no thread comes or goes.
        unsafe {
            let mut state = ffi::PyInterpreterState_ThreadHead(ffi::PyInterpreterState_Get());
            while !state.is_null() {
                all.push((state as usize, ffi::PyThreadState_GetID(state)));
                state = ffi::PyThreadState_Next(state);
            }
        }
        all
    }
}

/// The greenlet that runs, by its place; 0 for that of the thread itself, and where there are none. Nobody looks.
#[inline(always)]
unsafe fn current() -> usize {
    match GATE.load(Ordering::Relaxed) & GREENLETS == 0 {
        true => 0,
        // SAFETY: the lock is held, as the caller says.
        false => unsafe { asked() },
    }
}

#[inline(never)]
unsafe fn asked() -> usize {
    // SAFETY: `notice` has stored what the package offers, which is a function of this type. What it gives runs, so that it does not die
    // of being let go.
    unsafe {
        let offers = OFFERS.load(Ordering::Relaxed);
        let get_current = std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> *mut PyObject>(
            *offers.add(GET_CURRENT),
        );
        let running = get_current();
        if running.is_null() {
            ffi::PyErr_Clear();
            return 0;
        }
        // It runs, so that it does not die by this.
        ffi::Py_DECREF(running);
        if parent_of(running).is_null() { 0 } else { running.addr() }
    }
}

/// The parent of a greenlet that is alive, which has it; null for that of a thread itself. This runs nothing and allocates nothing.
unsafe fn parent_of(greenlet: *mut PyObject) -> *mut PyObject {
    // SAFETY: `notice` has stored a descriptor that has this function. The greenlet is alive, as the caller says, and has its parent.
    unsafe {
        let parent = PARENT.load(Ordering::Relaxed);
        let Some(get) = (*ffi::Py_TYPE(parent)).tp_descr_get else { return std::ptr::null_mut() };
        let found = get(parent, greenlet, ffi::Py_TYPE(greenlet).cast());
        if found.is_null() {
            ffi::PyErr_Clear();
            return found;
        }
        ffi::Py_DECREF(found);
        if found == ffi::Py_None() { std::ptr::null_mut() } else { found }
    }
}

/// The greenlet that the one that runs goes back to when it ends: the one that made it, as a rule. By its place, as [`current`].
///
/// # Safety
/// The greenlet runs.
unsafe fn parent(running: usize) -> usize {
    // SAFETY: it runs, as the caller says, so that it is alive, and so is its parent.
    unsafe {
        let parent = parent_of(std::ptr::with_exposed_provenance_mut(running));
        if parent.is_null() || parent_of(parent).is_null() { 0 } else { parent.addr() }
    }
}
