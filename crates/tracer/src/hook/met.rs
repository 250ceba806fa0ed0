//! Code that was met: what is to be done with its calls, found by where the code is.
//!
//! A program may make code without end (`eval`, `exec`), so code that dies is forgotten, and is not kept alive. Its address is good for as long
//! as it lives, and we hear of its death: the interpreter lets tools keep a word with a code object, and calls them when the code goes
//! away (PEP 523). The same is done for generators that wait, whose frames are found by where they are: their finalizers say when they are no more.
//!
//! Nothing here runs anything or keeps a reference to a table, so that a death may be told at any moment.

use crate::codes::Code;
use crate::hook::frames::Frame;
use gadfly_trail::model::NodeId;
use pyo3::ffi::{self, PyCodeObject, PyObject, PyTypeObject};
use pyo3::prelude::*;
use rustc_hash::FxHashMap;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};

/// What is to be done with the calls of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// Its calls are nodes of the tree; the number is an index into [`Recorder::codes`](crate::recorder::Recorder::codes).
    Recorded(u32),
    /// It runs on behalf of whoever called it: trusted code, and comprehensions.
    Transparent,
}

/// How many pieces of code are looked for without hashing.
const RECENT: usize = 1 << 9;

struct Tables {
    /// Where the code of a recording is; nowhere if it is [transparent](Treatment::Transparent).
    codes: Option<FxHashMap<usize, *mut Code>>,
    /// The same of code of which a call began not long ago.
    recent: [(usize, *mut Code); RECENT],
    /// Generators that have been called, by their frames.
    generators: Option<FxHashMap<Frame, NodeId>>,
}

struct Shared(UnsafeCell<Tables>);

// SAFETY: whoever uses it holds the interpreter's lock, and no reference to it outlives a function of this file.
unsafe impl Sync for Shared {}

static TABLES: Shared = Shared(UnsafeCell::new(Tables {
    codes: None,
    recent: [(0, std::ptr::null_mut()); RECENT],
    generators: None,
}));

/// # Safety
/// The interpreter's lock is held; here and below.
#[inline(always)]
unsafe fn tables<'t>() -> &'t mut Tables {
    // SAFETY: the lock is held, as the caller says, and no reference outlives a function of this file, none of which calls another that
    // takes one meanwhile.
    unsafe { &mut *TABLES.0.get() }
}

/// Where code is kept that was met not long ago.
#[inline(always)]
fn recent_slot(code: usize) -> usize {
    code / 64 % RECENT
}

/// Code of which a call began not long ago: nowhere if its calls are not recorded.
#[inline(always)]
pub(crate) unsafe fn recent(code: *mut PyCodeObject) -> Option<*mut Code> {
    // SAFETY: the lock is held, as the caller says; here and below.
    let (known, to) = unsafe { tables() }.recent[recent_slot(code.addr())];
    (known == code.addr()).then_some(to)
}

/// What is to be done with the calls of a piece of code, if it was met before.
#[inline]
pub(crate) unsafe fn treatment(code: *mut PyCodeObject) -> Option<Treatment> {
    // SAFETY: as above.
    let known = match unsafe { recent(code) } {
        Some(known) => known,
        None => {
            // SAFETY: as above.
            let tables = unsafe { tables() };
            let known = *tables.codes.as_ref()?.get(&code.addr())?;
            tables.recent[recent_slot(code.addr())] = (code.addr(), known);
            known
        }
    };
    // SAFETY: it is the recorder's, which stays where it is until the tables are cleared.
    Some(match unsafe { known.as_ref() } {
        Some(known) => Treatment::Recorded(known.number),
        None => Treatment::Transparent,
    })
}

/// It is met now.
pub(crate) unsafe fn meet(code: *mut PyCodeObject, to: *mut Code) {
    // SAFETY: the code is alive, as the caller says, and of the interpreter's own type.
    unsafe {
        let is_told = extra().is_some_and(|extra| {
            // The word is the code's own address, so that we know which one dies.
            ffi::PyUnstable_Code_SetExtra(code.cast(), extra, code.cast::<c_void>()) == 0
        });
        if !is_told {
            ffi::PyErr_Clear();
            // Nobody will tell of its death: it must not die.
            ffi::Py_INCREF(code.cast());
        }
        let tables = tables();
        tables.codes.get_or_insert_default().insert(code.addr(), to);
        tables.recent[recent_slot(code.addr())] = (code.addr(), to);
    }
}

/// A recording begins or ends: nothing was met.
pub(crate) unsafe fn clear() {
    // SAFETY: as above.
    let tables = unsafe { tables() };
    tables.codes = None;
    tables.recent = [(0, std::ptr::null_mut()); RECENT];
    tables.generators = None;
}

/// A piece of code is to be met anew.
pub(crate) fn forget(code: &Bound<'_, PyAny>) {
    // SAFETY: the lock is held. It is only looked for by where it is.
    unsafe { code_dies(code.as_ptr().cast()) };
}

/// A run ends: no generator waits any more.
pub(crate) unsafe fn forget_generators() {
    // SAFETY: as above.
    unsafe { tables() }.generators = None;
}

/// The number of the word that we may keep with code.
fn extra() -> Option<isize> {
    static EXTRA: AtomicIsize = AtomicIsize::new(-2);
    const NOT_ASKED: isize = -2;
    if EXTRA.load(Ordering::Relaxed) == NOT_ASKED {
        // SAFETY: the lock is held.
        EXTRA.store(unsafe { ffi::PyUnstable_Eval_RequestCodeExtraIndex(code_dies) }, Ordering::Relaxed);
    }
    Some(EXTRA.load(Ordering::Relaxed)).filter(|extra| *extra >= 0)
}

unsafe extern "C" fn code_dies(code: *mut c_void) {
    if code.is_null() {
        return;
    }
    // SAFETY: the interpreter calls this with its lock held.
    let tables = unsafe { tables() };
    if let Some(codes) = &mut tables.codes {
        codes.remove(&code.addr());
    }
    let slot = recent_slot(code.addr());
    if tables.recent[slot].0 == code.addr() {
        tables.recent[slot] = (0, std::ptr::null_mut());
    }
}

/// The call whose generator has a frame, if it was recorded.
#[inline]
pub(crate) unsafe fn generator(frame: Frame) -> Option<NodeId> {
    // SAFETY: as above.
    unsafe { tables() }.generators.as_ref()?.get(&frame).copied()
}

/// A generator waits that has this frame.
pub(crate) unsafe fn generator_waits(frame: Frame, node: NodeId) {
    // SAFETY: as above.
    unsafe { tables() }.generators.get_or_insert_default().insert(frame, node);
}

/// It has come to its end; gives its call.
pub(crate) unsafe fn generator_ends(frame: Frame) -> Option<NodeId> {
    // SAFETY: as above.
    unsafe { tables() }.generators.as_mut()?.remove(&frame)
}

/// Where generators have their frames, in bytes; a number that none has if they are objects of their own, and 0 while nothing is recorded.
static FRAME_IN_GENERATOR: AtomicUsize = AtomicUsize::new(0);
const OBJECTS: usize = usize::MAX;

/// Has the death of generators told from now on.
pub(crate) unsafe fn hear_of_generators(frame: Option<isize>) {
    FRAME_IN_GENERATOR.store(frame.map_or(OBJECTS, |offset| offset as usize), Ordering::Relaxed);
    static FINALIZERS: OnceLock<()> = OnceLock::new();
    // SAFETY: the lock is held, and these classes are there as long as the interpreter. What they did before is kept, and done by
    // `finalize`.
    FINALIZERS.get_or_init(|| unsafe {
        for (class, usual, ours) in [
            (&raw mut ffi::PyGen_Type, &USUAL[0], finalize::<0> as ffi::destructor),
            (&raw mut PyCoro_Type, &USUAL[1], finalize::<1>),
            (&raw mut PyAsyncGen_Type, &USUAL[2], finalize::<2>),
        ] {
            if let Some(finalizer) = (*class).tp_finalize {
                usual.store(finalizer as usize, Ordering::Relaxed);
                (*class).tp_finalize = Some(ours);
            }
        }
    });
}

/// What generators, coroutines and asynchronous generators did when they died.
static USUAL: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

/// A generator dies, or is about to: what it still has to do runs first, and is recorded as what it does.
unsafe extern "C" fn finalize<const KIND: usize>(generator: *mut PyObject) {
    // SAFETY: the interpreter calls this with its lock held and a generator that is still there. `USUAL` has what its class did before,
    // since it is ours that is called.
    unsafe {
        let frame = match FRAME_IN_GENERATOR.load(Ordering::Relaxed) {
            0 => None,
            OBJECTS => frame_object(generator),
            offset => Some(Frame(generator.cast::<u8>().add(offset))),
        };
        let usual = USUAL[KIND].load(Ordering::Relaxed);
        std::mem::transmute::<usize, ffi::destructor>(usual)(generator);
        if let Some(node) = frame.and_then(|frame| generator_ends(frame)) {
            crate::hook::generator_dies(node);
        }
    }
}

/// The frame of a generator, where that is an object of its own.
unsafe fn frame_object(generator: *mut PyObject) -> Option<Frame> {
    // SAFETY: the lock is held, as the caller says; here and below.
    if unsafe { tables() }.generators.as_ref().is_none_or(FxHashMap::is_empty) {
        return None;
    }
    #[cfg(not(Py_3_11))]
    // SAFETY: 3.10 has the frame behind the header, or null.
    unsafe {
        // Behind the header.
        let frame = *generator.add(1).cast::<*mut u8>();
        (!frame.is_null()).then_some(Frame(frame))
    }
    #[cfg(Py_3_11)]
    // SAFETY: the generator is alive and gives its frame without running anything; it has that, so that it does not die of being let go.
    unsafe {
        let kept = crate::hook::Kept::new();
        let names = [c"gi_frame", c"cr_frame", c"ag_frame"];
        let found = names.iter().find_map(|name| {
            let frame = ffi::PyObject_GetAttrString(generator, name.as_ptr());
            ffi::PyErr_Clear();
            (!frame.is_null()).then_some(frame)
        });
        kept.restore();
        let frame = found?;
        // The generator has it.
        ffi::Py_DECREF(frame);
        (frame != ffi::Py_None()).then_some(Frame(frame.cast()))
    }
}

unsafe extern "C" {
    static mut PyCoro_Type: PyTypeObject;
    static mut PyAsyncGen_Type: PyTypeObject;
}
