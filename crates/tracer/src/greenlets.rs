//! Greenlets: several stacks of calls in one thread, of which one runs at a time.
//!
//! The package `greenlet` says which one that is, by its interface for C. It is asked at every call as soon as the program has it; others pay
//! nothing. Each greenlet has open calls of its own ([`crate::threads`]).

use crate::hook::{self, Event, GATE, GREENLETS, TABLES};
use crate::object::{Held, Object};
use pyo3::ffi::{self, PyObject};
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
    unsafe {
        let (modules, name) = (ffi::PyImport_GetModuleDict(), Held::name(module)?);
        let Event { look, .. } = hook::event()?;
        tell(look.object(modules)?.dict()?.get(&name)?)
    }
}

unsafe fn module(name: &str) -> bool {
    unsafe { of_module(name, |_| Some(())) }.is_some()
}

/// The capsule with what `greenlet` offers; the module has it as long as it is there.
unsafe fn offered() -> Option<*mut PyObject> {
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

/// The greenlet that runs, by its place; 0 for that of the thread itself, and where there are none. Nobody looks.
#[inline(always)]
pub(crate) unsafe fn current() -> usize {
    match GATE.load(Ordering::Relaxed) & GREENLETS == 0 {
        true => 0,
        false => unsafe { asked() },
    }
}

#[inline(never)]
unsafe fn asked() -> usize {
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
pub(crate) unsafe fn parent(running: usize) -> usize {
    unsafe {
        let parent = parent_of(std::ptr::with_exposed_provenance_mut(running));
        if parent.is_null() || parent_of(parent).is_null() { 0 } else { parent.addr() }
    }
}
