//! Attributes of objects, where the interpreter keeps them.
//!
//! From 3.11 on an object keeps its attributes in an array, and its class has their names; a dictionary is made when somebody asks
//! for one. To ask would change how the program runs (up to 3.12, code that uses the object's attributes takes the longer way from then
//! on) and may start the collector. So attributes are read from the array, or from the dictionary if there is one. That things are where
//! they are looked for is tried out before it is relied on ([`known`](crate::values::known)).

use crate::object::{Class, Dict, Look, Object};
use pyo3::ffi::{self, PyObject};
use std::sync::OnceLock;

/// What objects of a class have that keep attributes so: up to 3.12 a word before the object, later an array behind it.
const INLINE_VALUES: std::ffi::c_ulong = if cfg!(Py_3_13) { 1 << 2 } else { 1 << 4 };
/// The flag of classes whose objects have the place of their dictionary before them.
const MANAGED: std::ffi::c_ulong = 1 << 4;

/// Whether interpreters of this version do that.
const HAS_INLINE_VALUES: bool = cfg!(Py_3_11);

/// The attributes of an object, in the order in which they were set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'l> {
    object: Object<'l>,
    values: *const *mut PyObject,
    /// Names, each before something else.
    names: *const [*mut PyObject; 2],
    /// The place of the first of them in the array; the others come behind it, up to 3.12 before it.
    order: *const u8,
    pub(crate) count: usize,
}

impl<'l> Attributes<'l> {
    /// The attributes of an object, unless it has a dictionary instead.
    ///
    /// # Safety
    /// Its class is a program's and says that it [keeps](INLINE_VALUES) them so, and they [are where they are looked for](known).
    #[inline(always)]
    unsafe fn of(object: Object<'l>) -> Option<Attributes<'l>> {
        // SAFETY: the class keeps its objects' attributes so, and they were found to be where they are read here, as the caller says.
        unsafe {
            let (class, start) = (object.class().pointer(), object.pointer());
            let keys = (*class.cast::<ffi::PyHeapTypeObject>()).ht_cached_keys.cast::<u8>().cast_const();
            let (values, order, count) = if cfg!(Py_3_13) {
                // How many there may be, how many there are, a flag, and whether they are still kept here.
                let array = start.cast::<u8>().offset((*class).tp_basicsize);
                if *array.add(3) == 0 {
                    return None;
                }
                let values = array.cast::<*mut PyObject>().add(1).cast_const();
                let order = values.add(usize::from(*array)).cast::<u8>();
                (values, order, *array.add(1))
            } else {
                let values = match cfg!(Py_3_12) {
                    // A dictionary has an even address.
                    true => {
                        let word = *start.cast::<*const u8>().sub(3);
                        if word.addr() & 1 == 1 { word.add(1) } else { std::ptr::null() }
                    }
                    false => *start.cast::<*const u8>().sub(4),
                };
                if values.is_null() {
                    return None;
                }
                (values.cast(), values.sub(3), *values.sub(2))
            };
            // Of the names that objects share, and not otherwise.
            const SHARED: u8 = 2;
            const HEADER: usize = 32;
            if keys.is_null() || *keys.add(10) != SHARED {
                return None;
            }
            let names = keys.add(HEADER + (1 << *keys.add(9))).cast();
            Some(Attributes { object, values, names, order, count: usize::from(count) })
        }
    }

    #[inline(always)]
    fn place(&self, at: usize) -> usize {
        debug_assert!(at < self.count);
        let place = if cfg!(Py_3_13) { self.order.wrapping_add(at) } else { self.order.wrapping_sub(at) };
        // SAFETY: there are so many places, and the object has them as long as the look lasts; here and below.
        usize::from(unsafe { *place })
    }

    /// The value of one of them.
    #[inline(always)]
    pub(crate) fn value(&self, at: usize) -> Object<'l> {
        // SAFETY: as above; the object has its values.
        self.alive(unsafe { *self.values.add(self.place(at)) })
    }

    /// Its name.
    #[inline(always)]
    pub(crate) fn name(&self, at: usize) -> Object<'l> {
        // SAFETY: as above; the class has its names.
        self.alive(unsafe { (*self.names.add(self.place(at)))[0] })
    }

    #[inline(always)]
    fn alive(&self, found: *mut PyObject) -> Object<'l> {
        // SAFETY: the object has its values, its class its names, as long as the look lasts.
        unsafe { self.object.beside(found) }.unwrap_or_else(crate::object::none)
    }
}

/// What an object says of itself: the attributes where they are, or its dictionary.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fields<'l> {
    Nothing,
    Array(Attributes<'l>),
    Dictionary(Dict<'l>),
}

impl<'l> Fields<'l> {
    /// What an object has, of a class that [may have something](may_be_kept).
    #[inline(always)]
    pub(crate) fn of(object: Object<'l>) -> Fields<'l> {
        let class = object.class();
        if class.has(INLINE_VALUES) && class.is_heap() && known().attributes {
            // SAFETY: so it was tried out.
            if let Some(attributes) = unsafe { Attributes::of(object) } {
                return Fields::Array(attributes);
            }
        }
        match dictionary(object, class) {
            Some(dictionary) => Fields::Dictionary(dictionary),
            None => Fields::Nothing,
        }
    }

    /// How many there are.
    #[inline(always)]
    pub(crate) fn count(self) -> usize {
        match self {
            Fields::Nothing => 0,
            Fields::Array(attributes) => attributes.count,
            Fields::Dictionary(dictionary) => dictionary.length(),
        }
    }

    /// Names and values in their order.
    pub(crate) fn all(self) -> impl Iterator<Item = (Object<'l>, Object<'l>)> {
        let (array, dictionary) = match self {
            Fields::Nothing => (None, None),
            Fields::Array(attributes) => (Some(attributes), None),
            Fields::Dictionary(dictionary) => (None, Some(dictionary)),
        };
        let of_array = array
            .into_iter()
            .flat_map(|array| (0..array.count).map(move |at| (array.name(at), array.value(at))));
        of_array.chain(dictionary.into_iter().flat_map(Dict::entries))
    }

    /// The string that it has for a name.
    pub(crate) fn text(self, name: &str) -> Option<crate::object::Text<'l>> {
        let (_, value) = self.all().find(|(found, _)| found.text().is_some_and(|found| found.is(name)))?;
        value.text()
    }
}

/// Whether objects of a class may have attributes of their own.
pub(crate) fn may_be_kept(class: Class<'_>) -> bool {
    // SAFETY: it is alive.
    class.has(MANAGED) || unsafe { (*class.pointer()).tp_dictoffset } != 0
}

/// The dictionary of an object, if it has one already.
#[inline]
fn dictionary<'l>(object: Object<'l>, class: Class<'l>) -> Option<Dict<'l>> {
    const BEFORE: isize = -3 * size_of::<usize>() as isize;
    if cfg!(Py_3_11) && class.has(MANAGED) {
        if !known().dictionaries {
            return made_dictionary(object);
        }
        // SAFETY: so it was tried out. In 3.12 the same place may have the array, by an odd address.
        unsafe {
            let word = *object.pointer().cast::<u8>().offset(BEFORE).cast::<*mut PyObject>();
            return match cfg!(Py_3_12) && word.addr() & 1 == 1 {
                true => None,
                false => object.beside(word)?.dict(),
            };
        }
    }
    // SAFETY: this only computes where the place is, from what the class says.
    let place = unsafe { _PyObject_GetDictPtr(object.pointer()) };
    match place.is_null() {
        true => None,
        // SAFETY: a dictionary is there, or nothing.
        false => unsafe { object.beside(*place) }?.dict(),
    }
}

/// The dictionary of an object where it is not known how to look for it: then one is made, if there is none. Only interpreters that are
/// newer than all that are known come here; in them, the collector does not run for that.
#[cold]
fn made_dictionary(object: Object<'_>) -> Option<Dict<'_>> {
    // SAFETY: it is alive, and has it as long as it lives.
    unsafe {
        let dictionary = ffi::PyObject_GenericGetDict(object.pointer(), std::ptr::null_mut());
        match dictionary.is_null() {
            true => ffi::PyErr_Clear(),
            false => ffi::Py_DECREF(dictionary),
        }
        object.beside(dictionary)?.dict()
    }
}

/// Whether all keys of a dictionary are exact strings, as far as can be seen at once.
#[inline]
pub(crate) fn has_only_text_keys(dictionary: *mut PyObject) -> bool {
    let tried = known();
    // SAFETY: it is a dictionary, and its keys are where they were found to be.
    unsafe {
        if cfg!(Py_3_11) {
            tried.keys && *keys_of(dictionary).add(KIND) != 0
        } else {
            let lookup = *keys_of(dictionary).add(LOOKUP).cast::<usize>();
            tried.keys && tried.lookups.contains(&lookup)
        }
    }
}

/// Where a dictionary's keys are (behind how many there are, and up to 3.13 the version), and in these the kind, from 3.11 on, or before that
/// the function that looks for a key.
const KEYS: usize = 2 * size_of::<usize>() + 16;
const KIND: usize = 10;
const LOOKUP: usize = 16;

unsafe fn keys_of(dictionary: *mut PyObject) -> *const u8 {
    // SAFETY: a dictionary has a pointer to its keys there, as the caller says: in all versions that are known.
    unsafe { *dictionary.cast::<u8>().add(KEYS).cast::<*const u8>() }
}

/// What was tried out, once in a process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tried {
    attributes: bool,
    dictionaries: bool,
    keys: bool,
    /// Functions that look for a key in dictionaries that have nothing but strings for keys.
    lookups: [usize; 2],
}

static TRIED: OnceLock<Tried> = OnceLock::new();

#[inline(always)]
fn known() -> Tried {
    TRIED.get().copied().unwrap_or_default()
}

/// Finds out whether things are where they are looked for. Nobody looks.
pub(crate) fn try_out(_python: pyo3::Python<'_>) {
    if TRIED.get().is_none() {
        // SAFETY: the lock is held, and nobody looks, since this runs.
        let tried = unsafe { try_all() };
        // Somebody else may have done it meanwhile, with the same result.
        let _ = TRIED.set(tried);
    }
}

unsafe fn try_all() -> Tried {
    const PROGRAM: &std::ffi::CStr = c"
class Tried:
    pass
class Own:
    pass
one, two, three = Tried(), Tried(), Own()
one.b, one.a, one.c = 1, 2, 3
del one.a
one.d = 4
two.c, two.b = 5, 6
three.__dict__ = {'x': 7}
four = Own()
strings, gaps, mixed = {'a': 1}, {'a': 1, 'b': 2}, {'a': 1, 2: 3}
del gaps['b']
class Text(str):
    pass
texts = {Text('a'): 1}
";
    let mut tried = Tried::default();
    // SAFETY: the lock is held and nobody looks, as the caller says. What is made here is let go below; `get` gives what the globals have.
    unsafe {
        let globals = ffi::PyDict_New();
        if globals.is_null() {
            ffi::PyErr_Clear();
            return tried;
        }
        ffi::PyDict_SetItemString(globals, c"__builtins__".as_ptr(), ffi::PyEval_GetBuiltins());
        let done = ffi::PyRun_String(PROGRAM.as_ptr(), ffi::Py_file_input, globals, globals);
        if !done.is_null() {
            let get = |name: &std::ffi::CStr| ffi::PyDict_GetItemString(globals, name.as_ptr());
            let own = ffi::PyObject_GenericGetDict(get(c"three"), std::ptr::null_mut());
            ffi::Py_XDECREF(own);
            let look = Look::begin();
            let see = |name| look.object(get(name));
            tried.attributes = HAS_INLINE_VALUES
                && has(see(c"one"), &[("b", 1), ("c", 3), ("d", 4)])
                && has(see(c"two"), &[("c", 5), ("b", 6)]);
            tried.dictionaries = cfg!(not(Py_3_11))
                || tried.attributes
                    && {
                        let word = |name| *get(name).cast::<*mut PyObject>().sub(3);
                        see(c"three").is_some_and(|object| Attributes::of(object).is_none())
                        && word(c"three") == own
                        // Nothing was set: there is no dictionary, but there may be an array.
                        && (word(c"four").is_null() || cfg!(Py_3_12) && !cfg!(Py_3_13) && word(c"four").addr() & 1 == 1)
                    };
            let keys = |name| keys_of(get(name));
            if cfg!(Py_3_11) {
                let kind = |name| *keys(name).add(KIND);
                tried.keys =
                    (kind(c"strings"), kind(c"gaps"), kind(c"mixed"), kind(c"texts")) == (1, 1, 0, 0);
            } else {
                let lookup = |name| *keys(name).add(LOOKUP).cast::<usize>();
                tried.lookups = [lookup(c"strings"), lookup(c"gaps")];
                let general = [lookup(c"mixed"), lookup(c"texts")];
                tried.keys = !general.iter().any(|lookup| tried.lookups.contains(lookup))
                    && tried.lookups.iter().all(|lookup| *lookup != 0);
            }
        }
        ffi::PyErr_Clear();
        ffi::Py_XDECREF(done);
        ffi::Py_DECREF(globals);
    }
    tried
}

/// Whether an object has just these attributes.
unsafe fn has(object: Option<Object<'_>>, expected: &[(&str, i64)]) -> bool {
    let Some(object) = object.filter(|object| object.class().has(INLINE_VALUES)) else { return false };
    // SAFETY: its class says that it keeps them so; whether it does is what is tried out, with objects of known content.
    let Some(attributes) = (unsafe { Attributes::of(object) }) else { return false };
    attributes.count == expected.len()
        && expected.iter().enumerate().all(|(at, (name, value))| {
            attributes.name(at).text().is_some_and(|found| found.is(name))
                // SAFETY: it is an integer.
                && unsafe { ffi::PyLong_AsLongLong(attributes.value(at).pointer()) } == *value
        })
}

unsafe extern "C" {
    fn _PyObject_GetDictPtr(object: *mut PyObject) -> *mut *mut PyObject;
}
