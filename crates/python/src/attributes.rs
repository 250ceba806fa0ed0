//! Attributes of objects, where the interpreter keeps them.
//!
//! From 3.11 on an object keeps its attributes in an array, and its class has their names; a dictionary is made when somebody asks
//! for one. To ask would change how the program runs: up to 3.12, code that uses the object's attributes takes the longer way from then on.
//! So they are read from the array. That things are where they are looked for is tried out before it is relied on ([`are_there`]).

use crate::values::mix;
use pyo3::ffi::{self, PyObject, PyTypeObject};

/// What objects of a class have that keep attributes so: up to 3.12 a word before the object, later an array behind it.
pub(crate) const KEEPS: std::ffi::c_ulong = if cfg!(Py_3_13) { 1 << 2 } else { 1 << 4 };

/// Whether interpreters of this version do that.
const CAN: bool = cfg!(Py_3_11);

/// The attributes of an object, in the order in which they were set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes {
    values: *const *mut PyObject,
    /// Names, each before something else.
    names: *const [*mut PyObject; 2],
    /// The place of the first of them in the array; the others come behind it, up to 3.12 before it.
    order: *const u8,
    pub(crate) count: usize,
}

impl Attributes {
    /// The attributes of an object, unless it has a dictionary instead.
    ///
    /// # Safety
    /// The object is alive and of this class, which is a program's and says that it [keeps](KEEPS) them so, [`are_there`],
    /// and the interpreter's lock is held; here and below.
    #[inline(always)]
    pub(crate) unsafe fn of(object: *mut PyObject, class: *mut PyTypeObject) -> Option<Attributes> {
        unsafe {
            let keys = (*class.cast::<ffi::PyHeapTypeObject>()).ht_cached_keys.cast::<u8>().cast_const();
            let (values, order, count) = if cfg!(Py_3_13) {
                // How many there may be, how many there are, a flag, and whether they are still kept here.
                let array = object.cast::<u8>().offset((*class).tp_basicsize);
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
                        let word = *object.cast::<*const u8>().sub(3);
                        if word.addr() & 1 == 1 { word.add(1) } else { std::ptr::null() }
                    }
                    false => *object.cast::<*const u8>().sub(4),
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
            Some(Attributes { values, names, order, count: usize::from(count) })
        }
    }

    #[inline(always)]
    unsafe fn place(&self, at: usize) -> usize {
        let place = if cfg!(Py_3_13) { self.order.wrapping_add(at) } else { self.order.wrapping_sub(at) };
        usize::from(unsafe { *place })
    }

    /// The value of one of them; null if there is none, which cannot be.
    #[inline(always)]
    pub(crate) unsafe fn value(&self, at: usize) -> *mut PyObject {
        unsafe { *self.values.add(self.place(at)) }
    }

    /// Whether none of them is a list, a dictionary, an object or anything else of that kind, as far as their classes tell.
    #[inline(always)]
    pub(crate) unsafe fn is_flat(&self) -> bool {
        (0..self.count).all(|at| unsafe { may_be_flat(self.value(at)) })
    }

    /// Its name.
    #[inline]
    pub(crate) unsafe fn name(&self, at: usize) -> *mut PyObject {
        unsafe { (*self.names.add(self.place(at)))[0] }
    }

    /// What two objects of a class have in common if they have the same names in the same order, as long as these are few.
    #[inline(always)]
    pub(crate) unsafe fn arrangement(&self) -> u64 {
        (0..self.count).fold(self.count as u64, |all, at| all << 8 | unsafe { self.place(at) } as u64)
    }
}

#[inline(always)]
unsafe fn may_be_flat(object: *mut PyObject) -> bool {
    let class = unsafe { ffi::Py_TYPE(object) };
    class == &raw mut ffi::PyLong_Type
        || class == &raw mut ffi::PyUnicode_Type
        || class == &raw mut ffi::PyFloat_Type
        || class == &raw mut ffi::PyBool_Type
        || class == &raw mut ffi::PyTuple_Type
        || object == unsafe { ffi::Py_None() }
}

/// What an object says of itself: the attributes where they are, or its dictionary.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fields {
    Nothing,
    Array(Attributes),
    Dictionary(*mut PyObject),
}

impl Fields {
    /// How many there are.
    #[inline(always)]
    pub(crate) unsafe fn count(self) -> usize {
        match self {
            Fields::Nothing => 0,
            Fields::Array(attributes) => attributes.count,
            Fields::Dictionary(dictionary) => unsafe { ffi::PyDict_Size(dictionary) as usize },
        }
    }

    /// What two objects of a class have in common only if they have the same names in the same order, as long as these are few.
    #[inline(always)]
    pub(crate) unsafe fn arrangement(self) -> u64 {
        match self {
            Fields::Array(attributes) => unsafe { attributes.arrangement() },
            _ => unsafe { self.all() }.fold(0x0a, |all, (name, _)| mix(all, name as u64)),
        }
    }

    /// Names and values in their order.
    pub(crate) unsafe fn all(self) -> impl Iterator<Item = (*mut PyObject, *mut PyObject)> {
        let (mut at, mut position) = (0, 0);
        std::iter::from_fn(move || match self {
            Fields::Nothing => None,
            Fields::Array(attributes) => (at < attributes.count).then(|| {
                at += 1;
                unsafe { (attributes.name(at - 1), attributes.value(at - 1)) }
            }),
            Fields::Dictionary(dictionary) => {
                let (mut name, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
                let more = unsafe { ffi::PyDict_Next(dictionary, &mut position, &mut name, &mut value) };
                (more != 0).then_some((name, value))
            }
        })
    }
}

/// Whether attributes are where they are looked for: tried out.
///
/// # Safety
/// The interpreter's lock is held.
pub(crate) unsafe fn are_there() -> bool {
    const PROGRAM: &std::ffi::CStr = c"
class Tried:
    pass
one, two = Tried(), Tried()
one.b, one.a, one.c = 1, 2, 3
del one.a
one.d = 4
two.c, two.b = 5, 6
";
    if !CAN {
        return false;
    }
    unsafe {
        let globals = ffi::PyDict_New();
        if globals.is_null() {
            ffi::PyErr_Clear();
            return false;
        }
        ffi::PyDict_SetItemString(globals, c"__builtins__".as_ptr(), ffi::PyEval_GetBuiltins());
        let done = ffi::PyRun_String(PROGRAM.as_ptr(), ffi::Py_file_input, globals, globals);
        let has = |name: &std::ffi::CStr, expected: &[(&[u8], i64)]| {
            let object = ffi::PyDict_GetItemString(globals, name.as_ptr());
            if object.is_null() || ffi::PyType_HasFeature(ffi::Py_TYPE(object), KEEPS) == 0 {
                return false;
            }
            let Some(attributes) = Attributes::of(object, ffi::Py_TYPE(object)) else { return false };
            attributes.count == expected.len()
                && expected.iter().enumerate().all(|(at, (name, value))| {
                    crate::values::utf8(attributes.name(at)) == Some(*name)
                        && ffi::PyLong_AsLongLong(attributes.value(at)) == *value
                })
        };
        let found = !done.is_null()
            && has(c"one", &[(b"b", 1), (b"c", 3), (b"d", 4)])
            && has(c"two", &[(b"c", 5), (b"b", 6)]);
        ffi::PyErr_Clear();
        ffi::Py_XDECREF(done);
        ffi::Py_DECREF(globals);
        found
    }
}
