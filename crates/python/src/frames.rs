//! Where a frame keeps what a call is made of.
//!
//! The hook (PEP 523) gets the interpreter's own frames, whose layout is that of one minor version and no public interface.
//! What is needed of them is five words: the code, the globals, the names, the function, and the variables. For a version that is not
//! in this table the tracer is not used.

use pyo3::ffi::{PyCodeObject, PyObject};
use std::ffi::c_int;

/// Where things are in a frame, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    code: usize,
    globals: usize,
    /// The variables by name, of code that is no function.
    names: usize,
    /// The function; none if frames do not have it.
    function: Option<usize>,
    variables: usize,
}

/// The layout of an interpreter's frames, if it is known.
pub(crate) fn layout(minor: u8) -> Option<Layout> {
    match minor {
        10 => Some(Layout { code: 32, globals: 48, names: 56, function: None, variables: 352 }),
        11 => Some(Layout { code: 32, globals: 8, names: 24, function: Some(0), variables: 72 }),
        12 | 13 => Some(Layout { code: 0, globals: 24, names: 40, function: Some(16), variables: 72 }),
        _ => None,
    }
}

impl Layout {
    /// Where a generator keeps its frame: what comes behind that in a generator are the frame's variables.
    pub(crate) fn generator(&self) -> Option<isize> {
        // SAFETY: the class is there as long as the interpreter.
        let size = unsafe { pyo3::ffi::PyGen_Type.tp_basicsize };
        (!self.has_cells()).then_some(size - self.variables as isize)
    }

    /// Whether frames have cells that nobody needs to look for in the function: up to 3.10, when they were objects.
    pub(crate) fn has_cells(&self) -> bool {
        self.function.is_none()
    }
}

/// A frame of the interpreter.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame(pub(crate) *mut u8);

impl Frame {
    /// # Safety
    /// The frame is alive and has this layout.
    unsafe fn word(self, at: usize) -> *mut PyObject {
        unsafe { *self.0.add(at).cast::<*mut PyObject>() }
    }

    /// # Safety
    /// The frame is alive and has this layout.
    pub(crate) unsafe fn code(self, layout: &Layout) -> *mut PyCodeObject {
        unsafe { self.word(layout.code).cast() }
    }

    /// # Safety
    /// The frame is alive and has this layout.
    pub(crate) unsafe fn globals(self, layout: &Layout) -> *mut PyObject {
        unsafe { self.word(layout.globals) }
    }

    /// The variables by name: of a module or the body of a class; null of a function.
    ///
    /// # Safety
    /// The frame is alive and has this layout.
    pub(crate) unsafe fn names(self, layout: &Layout) -> *mut PyObject {
        unsafe { self.word(layout.names) }
    }

    /// The function, if frames have it.
    ///
    /// # Safety
    /// The frame is alive and has this layout.
    pub(crate) unsafe fn function(self, layout: &Layout) -> *mut PyObject {
        match layout.function {
            Some(at) => unsafe { self.word(at) },
            None => std::ptr::null_mut(),
        }
    }

    /// Whether a generator's frame waits at a `yield`: only up to 3.10, when frames were objects.
    ///
    /// # Safety
    /// The frame is alive and one of 3.10.
    pub(crate) unsafe fn is_suspended(self) -> bool {
        const STATE: usize = 108;
        const SUSPENDED: i8 = -1;
        unsafe { *self.0.add(STATE).cast::<i8>() == SUSPENDED }
    }

    /// A variable, by its number; null if it has no value.
    ///
    /// # Safety
    /// The frame is alive, has this layout, and has so many variables.
    pub(crate) unsafe fn variable(self, layout: &Layout, number: usize) -> *mut PyObject {
        unsafe { self.word(layout.variables + number * size_of::<usize>()) }
    }
}

/// Whether integers of one digit are where [`small_integer`] looks for them: a digit has four bytes and comes behind the
/// object's header and one word.
pub(crate) fn has_small_integers() -> bool {
    // SAFETY: the class is there as long as the interpreter.
    let (basic, item) = unsafe { (pyo3::ffi::PyLong_Type.tp_basicsize, pyo3::ffi::PyLong_Type.tp_itemsize) };
    basic as usize == size_of::<PyObject>() + size_of::<usize>() && item as usize == size_of::<u32>()
}

/// An integer of at most one digit.
///
/// # Safety
/// The object is an integer, and [`has_small_integers`].
#[inline(always)]
pub(crate) unsafe fn small_integer(object: *mut PyObject) -> Option<i64> {
    // SAFETY: behind the header comes a word, and the digit if there is one.
    unsafe {
        let word = object.add(1).cast::<usize>();
        let digit = word.add(1).cast::<u32>();
        // The sign and how many digits there are: up to 3.11 their product, then the sign in the lowest bits.
        const ONE: usize = if cfg!(Py_3_12) { 1 << 3 } else { 1 };
        const MINUS_ONE: usize = if cfg!(Py_3_12) { 1 << 3 | 2 } else { usize::MAX };
        const ZERO: usize = if cfg!(Py_3_12) { 1 } else { 0 };
        match *word {
            ONE => Some(i64::from(*digit)),
            ZERO => Some(0),
            MINUS_ONE => Some(-i64::from(*digit)),
            _ => None,
        }
    }
}

/// What evaluates a frame.
pub(crate) type Evaluate = unsafe extern "C" fn(*mut pyo3::ffi::PyThreadState, Frame, c_int) -> *mut PyObject;

unsafe extern "C" {
    /// The interpreter's own.
    pub(crate) fn _PyEval_EvalFrameDefault(
        state: *mut pyo3::ffi::PyThreadState,
        frame: Frame,
        throws: c_int,
    ) -> *mut PyObject;
    fn _PyInterpreterState_SetEvalFrameFunc(state: *mut pyo3::ffi::PyInterpreterState, evaluate: Evaluate);
    fn _PyInterpreterState_GetEvalFrameFunc(state: *mut pyo3::ffi::PyInterpreterState) -> Evaluate;
}

/// Sets who evaluates frames.
///
/// # Safety
/// The interpreter's lock is held.
pub(crate) unsafe fn set_evaluate(evaluate: Evaluate) {
    unsafe { _PyInterpreterState_SetEvalFrameFunc(pyo3::ffi::PyInterpreterState_Get(), evaluate) }
}

/// Whether nobody else evaluates frames.
///
/// # Safety
/// The interpreter's lock is held.
pub(crate) unsafe fn is_free() -> bool {
    let now = unsafe { _PyInterpreterState_GetEvalFrameFunc(pyo3::ffi::PyInterpreterState_Get()) };
    std::ptr::fn_addr_eq(now, _PyEval_EvalFrameDefault as Evaluate)
}
