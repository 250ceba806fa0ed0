//! Where a frame keeps what a call is made of.
//!
//! The hook (PEP 523) gets the interpreter's own frames, whose layout is that of one minor version and no public interface.
//! What is needed of them is five words: the code, the globals, the names, the function, and the variables. That they are where
//! the table says is tried out before it is relied on ([`are_there`]); for any other version a frame is an object that is asked by
//! the names of its variables, which takes longer.

use crate::object::{Held, Look, Object, Owned};
use pyo3::Python;
use pyo3::ffi::{self, PyCodeObject, PyObject};
use std::ffi::c_int;

/// How what is in a frame is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    /// A frame is the interpreter's own, and things have their places in it.
    Places(Places),
    /// A frame is an object.
    Objects,
}

/// Where things are in a frame, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    code: usize,
    globals: usize,
    /// The variables by name, of code that is no function.
    names: usize,
    /// The function; none if frames do not have it.
    function: Option<usize>,
    variables: usize,
}

impl Places {
    /// Nobody looks there.
    pub(crate) const NOWHERE: Places = Places { code: 0, globals: 0, names: 0, function: None, variables: 0 };
}

/// The version of the interpreter that this is made for, or the last one whose frames are known.
pub(crate) const MINOR: u8 =
    10 + cfg!(Py_3_11) as u8 + cfg!(Py_3_12) as u8 + cfg!(Py_3_13) as u8 + cfg!(Py_3_14) as u8;

/// The places of its frames, if they are known.
pub(crate) const PLACES: Option<Places> = places(MINOR);

const fn places(minor: u8) -> Option<Places> {
    match minor {
        10 => Some(Places { code: 32, globals: 48, names: 56, function: None, variables: 352 }),
        11 => Some(Places { code: 32, globals: 8, names: 24, function: Some(0), variables: 72 }),
        12 | 13 => Some(Places { code: 0, globals: 24, names: 40, function: Some(16), variables: 72 }),
        14 => Some(Places { code: 0, globals: 24, names: 40, function: Some(16), variables: 80 }),
        _ => None,
    }
}

impl Layout {
    /// Where a generator keeps its frame: what comes behind that in a generator are the frame's variables.
    pub(crate) fn generator(&self) -> Option<isize> {
        let Layout::Places(places) = self else { return None };
        // SAFETY: the class is there as long as the interpreter.
        let size = unsafe { ffi::PyGen_Type.tp_basicsize };
        (!self.has_cells()).then_some(size - places.variables as isize)
    }

    /// Whether frames have cells that nobody needs to look for in the function: up to 3.10, when they were objects.
    pub(crate) fn has_cells(&self) -> bool {
        matches!(self, Layout::Places(Places { function: None, .. }))
    }
}

/// A frame of the interpreter.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame(pub(crate) *mut u8);

/// What says in a word of a frame whose the object is, from 3.14 on.
const TAG: usize = if cfg!(Py_3_14) { 3 } else { 0 };

impl Frame {
    /// # Safety
    /// The frame is alive and has this layout; here and below.
    #[inline(always)]
    unsafe fn word(self, at: usize) -> *mut PyObject {
        // SAFETY: the frame is alive and has a word there, as the caller says.
        let word = unsafe { *self.0.add(at).cast::<*mut PyObject>() };
        word.map_addr(|address| address & !TAG)
    }

    pub(crate) unsafe fn code(self, layout: &Layout) -> *mut PyCodeObject {
        match layout {
            // SAFETY: the frame is alive and has this layout, as the caller says; here and below.
            Layout::Places(places) => unsafe { self.word(places.code).cast() },
            // SAFETY: as above; a frame that is an object has its code.
            Layout::Objects => unsafe { self.had(ffi::PyFrame_GetCode(self.0.cast()).cast()).cast() },
        }
    }

    /// The same, where things have their places.
    #[inline(always)]
    pub(crate) unsafe fn code_at(self, places: &Places) -> *mut PyCodeObject {
        // SAFETY: as above.
        unsafe { self.word(places.code).cast() }
    }

    pub(crate) unsafe fn globals(self, layout: &Layout) -> *mut PyObject {
        match layout {
            // SAFETY: as above.
            Layout::Places(places) => unsafe { self.word(places.globals) },
            #[cfg(Py_3_12)]
            // SAFETY: as above; the frame has its globals.
            Layout::Objects => unsafe { self.had(ffi::PyFrame_GetGlobals(self.0.cast())) },
            #[cfg(not(Py_3_12))]
            Layout::Objects => std::ptr::null_mut(),
        }
    }

    /// The variables by name: of a module or the body of a class; null of a function.
    pub(crate) unsafe fn names(self, layout: &Layout) -> *mut PyObject {
        match layout {
            // SAFETY: as above.
            Layout::Places(places) => unsafe { self.word(places.names) },
            #[cfg(Py_3_12)]
            // SAFETY: as above; a frame of a module or a class has its variables.
            Layout::Objects => unsafe {
                match is_function(self.code(layout).cast()) {
                    true => std::ptr::null_mut(),
                    false => self.had(ffi::PyFrame_GetLocals(self.0.cast())),
                }
            },
            #[cfg(not(Py_3_12))]
            Layout::Objects => std::ptr::null_mut(),
        }
    }

    /// The function, if frames have it.
    pub(crate) unsafe fn function(self, layout: &Layout) -> *mut PyObject {
        match layout {
            // SAFETY: as above.
            Layout::Places(Places { function: Some(at), .. }) => unsafe { self.word(*at) },
            _ => std::ptr::null_mut(),
        }
    }

    /// Whether a generator's frame waits at a `yield`: only up to 3.10, when frames were objects.
    ///
    /// # Safety
    /// The frame is alive and one of 3.10.
    pub(crate) unsafe fn is_suspended(self) -> bool {
        const STATE: usize = 108;
        const SUSPENDED: i8 = -1;
        // SAFETY: as above; that is where 3.10 has the state of a frame.
        unsafe { *self.0.add(STATE).cast::<i8>() == SUSPENDED }
    }

    /// As the frame of a call that the recorder has open.
    ///
    /// # Safety
    /// What is made here is dropped, or not read any more, when the call ends: the frame is alive until then. It has the layout of the
    /// recording, and the numbers of variables that the recorder knows of its code are those of this frame.
    #[inline(always)]
    pub(crate) unsafe fn open(self) -> OpenFrame {
        OpenFrame(self)
    }

    /// What a generator that is about to go on was sent: it is on top of what its frame computes with.
    ///
    /// # Safety
    /// The frame is a generator's that has waited, and is about to be evaluated.
    pub(crate) unsafe fn sent(self, layout: &Layout) -> *mut PyObject {
        let Layout::Places(places) = layout else { return std::ptr::null_mut() };
        // Up to 3.10 there is a pointer to the values and how many they are, then how many there are behind the first variable, from
        // 3.14 on a pointer behind the last.
        const POINTER: usize = 64;
        const COUNT: usize = if cfg!(Py_3_11) { 64 } else { 80 };
        const MOST: i32 = 1 << 16;
        // SAFETY: the frame has waited, so that what it was sent is the last of its values, which are where this version has them.
        unsafe {
            if cfg!(Py_3_14) {
                let behind = *self.0.add(POINTER).cast::<*mut *mut PyObject>();
                let word = if behind.is_null() { std::ptr::null_mut() } else { *behind.sub(1) };
                return word.map_addr(|address| address & !TAG);
            }
            let count = *self.0.add(COUNT).cast::<i32>();
            if !(1..MOST).contains(&count) {
                return std::ptr::null_mut();
            }
            let values = match cfg!(Py_3_11) {
                true => self.0.add(places.variables).cast::<*mut PyObject>(),
                false => *self.0.add(POINTER).cast::<*mut *mut PyObject>(),
            };
            if values.is_null() { std::ptr::null_mut() } else { *values.add(count as usize - 1) }
        }
    }

    /// A variable, by its number and its name; null if it has no value.
    ///
    /// # Safety
    /// It has so many variables, too.
    #[inline(always)]
    pub(crate) unsafe fn variable(
        self,
        layout: &Layout,
        number: usize,
        name: *mut PyObject,
    ) -> *mut PyObject {
        match layout {
            // SAFETY: as above.
            Layout::Places(places) => unsafe { self.at(places, number) },
            // SAFETY: as above.
            Layout::Objects => unsafe { self.named(name) },
        }
    }

    /// The same, where things have their places.
    #[inline(always)]
    pub(crate) unsafe fn at(self, places: &Places, number: usize) -> *mut PyObject {
        // SAFETY: as above, and it has so many variables.
        unsafe { self.word(places.variables + number * size_of::<usize>()) }
    }

    /// A variable of an object, by its name, or what is in its cell.
    #[cfg(Py_3_12)]
    #[cold]
    unsafe fn named(self, name: *mut PyObject) -> *mut PyObject {
        // SAFETY: the frame is alive, and the name is a string.
        unsafe {
            let found = ffi::PyFrame_GetVar(self.0.cast(), name);
            if found.is_null() {
                ffi::PyErr_Clear();
            }
            self.had(found)
        }
    }

    #[cfg(not(Py_3_12))]
    unsafe fn named(self, _name: *mut PyObject) -> *mut PyObject {
        std::ptr::null_mut()
    }

    /// What the frame has anyway need not be held.
    unsafe fn had(self, object: *mut PyObject) -> *mut PyObject {
        // SAFETY: as above.
        unsafe { ffi::Py_XDECREF(object) };
        object
    }

    /// The frame that is being evaluated.
    #[cfg(Py_3_12)]
    pub(crate) unsafe fn running(layout: &Layout) -> Frame {
        // SAFETY: a count that we were given, which is not the last one: the frame has the object.
        unsafe {
            let object = ffi::PyEval_GetFrame().cast::<u8>();
            match layout {
                // Behind the header and the frame that it was called from.
                Layout::Places(_) if !object.is_null() => {
                    Frame(*object.add(size_of::<PyObject>() + size_of::<usize>()).cast::<*mut u8>())
                }
                _ => Frame(object),
            }
        }
    }
}

/// The frame of a call that the recorder has open: it is alive until the call ends ([`Frame::open`]), and so is what is in it as long as
/// somebody looks.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenFrame(Frame);

impl OpenFrame {
    /// Which frame it is.
    #[cfg(Py_3_12)]
    pub(crate) fn frame(self) -> Frame {
        self.0
    }

    /// A variable, by its number and its name.
    #[inline(always)]
    pub(crate) fn variable<'l>(
        self,
        look: &'l Look,
        layout: &Layout,
        number: usize,
        name: Option<&Held>,
    ) -> Option<Object<'l>> {
        let name = name.map_or(std::ptr::null_mut(), Held::pointer);
        // SAFETY: the frame is alive and has the variable, as `open` demands; here and below.
        unsafe { look.object(self.0.variable(layout, number, name)) }
    }

    /// The same, where things have their places.
    #[inline(always)]
    pub(crate) fn at<'l>(self, look: &'l Look, places: &Places, number: usize) -> Option<Object<'l>> {
        // SAFETY: as above.
        unsafe { look.object(self.0.at(places, number)) }
    }

    /// The next of the first variables that is another than this, from one on.
    #[inline(always)]
    pub(crate) fn other(self, places: &Places, before: &[Option<Owned>], from: usize) -> Option<usize> {
        let rest = before.get(from..)?.iter();
        rest.enumerate()
            .find(|(at, before)| {
                let before = before.as_ref().map_or(std::ptr::null_mut(), Owned::pointer);
                // SAFETY: as above.
                let now = unsafe { self.0.at(places, from + at) };
                now != before
            })
            .map(|(at, _)| from + at)
    }

    /// The function, if frames have it.
    pub(crate) fn function<'l>(self, look: &'l Look, layout: &Layout) -> Option<Object<'l>> {
        // SAFETY: as above.
        unsafe { look.object(self.0.function(layout)) }
    }

    /// The variables of its module.
    pub(crate) fn globals<'l>(self, look: &'l Look, layout: &Layout) -> Option<Object<'l>> {
        // SAFETY: as above.
        unsafe { look.object(self.0.globals(layout)) }
    }

    /// The variables by name, of a module or the body of a class.
    pub(crate) fn names<'l>(self, look: &'l Look, layout: &Layout) -> Option<Object<'l>> {
        // SAFETY: as above.
        unsafe { look.object(self.0.names(layout)) }
    }
}

/// Whether code is that of a function, rather than a module's or a class's.
#[cfg(Py_3_12)]
unsafe fn is_function(code: *mut PyObject) -> bool {
    // SAFETY: the code is alive, and says its flags without running anything of the program's.
    unsafe {
        let flags = ffi::PyObject_GetAttrString(code, c"co_flags".as_ptr());
        let number = if flags.is_null() { 0 } else { ffi::PyLong_AsLong(flags) };
        ffi::Py_XDECREF(flags);
        ffi::PyErr_Clear();
        number & std::ffi::c_long::from(ffi::CO_OPTIMIZED) != 0
    }
}

/// Says that integers of one digit are where [`small_integer`] looks for them: a digit has four bytes and comes behind the object's header
/// and one word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallIntegers(());

impl SmallIntegers {
    /// If they are.
    pub(crate) fn found() -> Option<SmallIntegers> {
        // SAFETY: the class is there as long as the interpreter.
        let (basic, item) = unsafe { (ffi::PyLong_Type.tp_basicsize, ffi::PyLong_Type.tp_itemsize) };
        let is_there =
            basic as usize == size_of::<PyObject>() + size_of::<usize>() && item as usize == size_of::<u32>();
        is_there.then_some(SmallIntegers(()))
    }

    /// # Safety
    /// They were found before.
    #[inline(always)]
    pub(crate) unsafe fn known() -> SmallIntegers {
        SmallIntegers(())
    }
}

/// An integer of at most one digit.
///
/// # Safety
/// The object is an exact integer.
#[inline(always)]
pub(crate) unsafe fn small_integer(object: *mut PyObject, _where: SmallIntegers) -> Option<i64> {
    // SAFETY: behind the header comes a word, and the digit if there is one.
    unsafe {
        let word = object.add(1).cast::<usize>();
        let digit = word.add(1).cast::<u32>();
        // The sign and how many digits there are: up to 3.11 their product, then the sign in the lowest two bits (0, 1 for
        // zero, 2) and the digits above the third. Zero has a digit as well, of whatever value.
        let (is_small, sign) = match cfg!(Py_3_12) {
            true => (*word < 2 << 3, 1 - (*word & 3) as i64),
            false => (word.read().wrapping_add(1) < 3, *word as i64),
        };
        is_small.then(|| sign * i64::from(*digit))
    }
}

/// How many digits of thirty bits an exact integer has, if integers are as [`SmallIntegers`] says; else none.
///
/// # Safety
/// The object is an exact integer.
pub(crate) unsafe fn digits(integer: *mut PyObject) -> usize {
    if SmallIntegers::found().is_none() {
        return 0;
    }
    // SAFETY: behind the header comes a word, as above.
    let word = unsafe { *integer.add(1).cast::<isize>() };
    if cfg!(Py_3_12) { word as usize >> 3 } else { word.unsigned_abs() }
}

/// What evaluates a frame.
pub(crate) type Evaluate = unsafe extern "C" fn(*mut ffi::PyThreadState, Frame, c_int) -> *mut PyObject;

unsafe extern "C" {
    /// The interpreter's own.
    pub(crate) fn _PyEval_EvalFrameDefault(
        state: *mut ffi::PyThreadState,
        frame: Frame,
        throws: c_int,
    ) -> *mut PyObject;
    fn _PyInterpreterState_SetEvalFrameFunc(state: *mut ffi::PyInterpreterState, evaluate: Evaluate);
    fn _PyInterpreterState_GetEvalFrameFunc(state: *mut ffi::PyInterpreterState) -> Evaluate;
}

/// Sets who evaluates frames.
///
/// # Safety
/// The interpreter's lock is held; here and below.
pub(crate) unsafe fn set_evaluate(evaluate: Evaluate) {
    // SAFETY: the lock is held, as the caller says.
    unsafe { _PyInterpreterState_SetEvalFrameFunc(ffi::PyInterpreterState_Get(), evaluate) }
}

/// Who evaluates frames.
pub(crate) unsafe fn evaluates() -> Evaluate {
    // SAFETY: the lock is held, as the caller says.
    unsafe { _PyInterpreterState_GetEvalFrameFunc(ffi::PyInterpreterState_Get()) }
}

/// What is to be found in the frame of a call that is made to try that out.
struct Tried {
    layout: Layout,
    code: *mut PyObject,
    function: *mut PyObject,
    globals: *mut PyObject,
    arguments: [*mut PyObject; 2],
    found: bool,
}

static TRIED: std::sync::atomic::AtomicPtr<Tried> = std::sync::atomic::AtomicPtr::new(std::ptr::null_mut());

unsafe extern "C" fn try_frame(state: *mut ffi::PyThreadState, frame: Frame, throws: c_int) -> *mut PyObject {
    use std::sync::atomic::Ordering::Relaxed;
    // SAFETY: the interpreter calls this with its lock held and a frame that is alive. `are_there` has `TRIED` stored for as long as that
    // is there. The words are only compared.
    unsafe {
        if let Some(tried) = TRIED.load(Relaxed).as_mut() {
            let Tried { layout, code, function, globals, arguments, .. } = &*tried;
            let variables = [0, 1].map(|at| frame.variable(layout, at, std::ptr::null_mut()));
            tried.found |= frame.code(layout).cast() == *code
                && [*function, std::ptr::null_mut()].contains(&frame.function(layout))
                && frame.globals(layout) == *globals
                && variables == *arguments;
        }
        _PyEval_EvalFrameDefault(state, frame, throws)
    }
}

/// Whether things are in these places of a frame: tried out with a call.
pub(crate) fn are_there(_python: Python<'_>, places: Places) -> bool {
    use std::sync::atomic::Ordering::Relaxed;
    // SAFETY: the lock is held. What is made is let go below, and who evaluates frames is the same as before.
    unsafe {
        let globals = ffi::PyDict_New();
        let source = c"lambda one, two: one";
        ffi::PyDict_SetItemString(globals, c"__builtins__".as_ptr(), ffi::PyEval_GetBuiltins());
        let function = ffi::PyRun_String(source.as_ptr(), ffi::Py_eval_input, globals, globals);
        let mut tried = Tried {
            layout: Layout::Places(places),
            code: std::ptr::null_mut(),
            function,
            globals,
            arguments: [ffi::PyList_New(0), ffi::PyList_New(0)],
            found: false,
        };
        if !function.is_null() {
            tried.code = ffi::PyFunction_GetCode(function);
            let before = evaluates();
            TRIED.store(&raw mut tried, Relaxed);
            set_evaluate(try_frame);
            let [one, two] = tried.arguments;
            let result =
                ffi::PyObject_CallFunctionObjArgs(function, one, two, std::ptr::null_mut::<PyObject>());
            set_evaluate(before);
            TRIED.store(std::ptr::null_mut(), Relaxed);
            ffi::Py_XDECREF(result);
        }
        ffi::PyErr_Clear();
        for object in [tried.function, tried.globals, tried.arguments[0], tried.arguments[1]] {
            ffi::Py_XDECREF(object);
        }
        tried.found
    }
}
