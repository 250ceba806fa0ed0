//! Constructors that nobody would see.
//!
//! From 3.13 on, a call of a simple class becomes an instruction that makes the object and enters `__init__` by itself, without asking
//! who evaluates frames. It is not used for classes that have an allocator of their own, so they get one, which does what
//! the usual one does. No program can see that.

use pyo3::ffi::{self, PyObject, PyTypeObject};

/// Whether that is so in this interpreter.
const HIDES: bool = cfg!(Py_3_13);

/// Has the constructors of a class seen from now on.
///
/// # Safety
/// The class is alive, and the interpreter's lock is held; here and below.
#[inline]
pub(crate) unsafe fn show(class: *mut PyTypeObject) {
    unsafe {
        if HIDES
            && ffi::PyType_HasFeature(class, ffi::Py_TPFLAGS_HEAPTYPE) != 0
            && is_usual((*class).tp_alloc)
        {
            (*class).tp_alloc = Some(allocate);
        }
    }
}

/// Has the constructors of all classes seen that there are, also where they are called already.
pub(crate) unsafe fn show_all() {
    if !HIDES {
        return;
    }
    unsafe {
        let mut waiting = vec![(&raw mut ffi::PyBaseObject_Type).cast::<PyObject>()];
        let mut known = std::collections::HashSet::new();
        while let Some(class) = waiting.pop() {
            let found = subclasses(class);
            for at in 0..if found.is_null() { 0 } else { ffi::PyList_GET_SIZE(found) } {
                let subclass = ffi::PyList_GET_ITEM(found, at);
                if known.insert(subclass) {
                    // They are held as long as somebody else has them: nothing runs in between.
                    waiting.push(subclass);
                }
            }
            ffi::Py_XDECREF(found);
            let class = class.cast::<PyTypeObject>();
            if is_usual((*class).tp_alloc) && ffi::PyType_HasFeature(class, ffi::Py_TPFLAGS_HEAPTYPE) != 0 {
                show(class);
                // Calls that were made to be quick find that it is another class now.
                ffi::PyType_Modified(class);
            }
        }
        ffi::PyErr_Clear();
    }
}

/// A list of the classes that inherit from one: by the method of `type`, whatever the class says.
unsafe fn subclasses(class: *mut PyObject) -> *mut PyObject {
    unsafe {
        let method =
            ffi::PyObject_GetAttrString((&raw mut ffi::PyType_Type).cast(), c"__subclasses__".as_ptr());
        if method.is_null() {
            return method;
        }
        let found = ffi::PyObject_CallFunctionObjArgs(method, class, std::ptr::null_mut::<PyObject>());
        ffi::Py_DECREF(method);
        found
    }
}

fn is_usual(allocator: Option<ffi::allocfunc>) -> bool {
    allocator
        .is_some_and(|allocator| std::ptr::fn_addr_eq(allocator, ffi::PyType_GenericAlloc as ffi::allocfunc))
}

unsafe extern "C" fn allocate(class: *mut PyTypeObject, count: isize) -> *mut PyObject {
    unsafe { ffi::PyType_GenericAlloc(class, count) }
}
