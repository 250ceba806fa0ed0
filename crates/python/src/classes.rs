//! What a class says of its objects: what they are called, and where their fields are.

use crate::attributes::KEEPS;
use crate::library::{self, Library};
use crate::values::{mix, utf8};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use std::cell::Cell;
use std::ffi::CStr;

/// How objects of a class are read.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) name: String,
    /// Stands for the class and its name.
    pub(crate) key: u64,
    pub(crate) version: u32,
    /// Members of `__slots__`.
    pub(crate) slots: Vec<(String, *mut ffi::PyMemberDef)>,
    pub(crate) has_dictionary: bool,
    /// Whether attributes are [kept in an array](crate::attributes).
    pub(crate) keeps_attributes: bool,
    /// Whether attributes are all that is seen of an object.
    pub(crate) is_plain: bool,
    /// The arrangement of the attributes that was met last, and the constructor for it.
    pub(crate) last: Cell<(u64, u32)>,
    /// Whether no program can change what is seen of an object, but only what is in that.
    pub(crate) is_fixed: bool,
    /// The fields of a named tuple.
    pub(crate) fields: Option<Vec<String>>,
    pub(crate) is_enumeration: bool,
    pub(crate) library: Option<Library>,
}

/// How objects of a class are read.
pub(crate) unsafe fn describe(class: *mut PyTypeObject) -> Class {
    const MANAGED: std::ffi::c_ulong = 1 << 4;
    let mut slots = Vec::new();
    let mut fields = None;
    let bases = unsafe { (*class).tp_mro };
    let count = if bases.is_null() { 0 } else { unsafe { ffi::PyTuple_GET_SIZE(bases) } };
    for row in (0..count).rev() {
        let base = unsafe { ffi::PyTuple_GET_ITEM(bases, row) }.cast::<PyTypeObject>();
        if unsafe { ffi::PyType_HasFeature(base, ffi::Py_TPFLAGS_HEAPTYPE) } == 0 {
            continue;
        }
        let dictionary = unsafe { (*base).tp_dict };
        if dictionary.is_null() {
            continue;
        }
        let (mut position, mut key, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
        while unsafe { ffi::PyDict_Next(dictionary, &mut position, &mut key, &mut value) } != 0 {
            let is_member = unsafe { ffi::Py_TYPE(value) } == &raw mut ffi::PyMemberDescr_Type;
            // Some members only tell the interpreter where something is.
            if is_member
                && let Some(name) = unsafe { utf8(key) }
                && !name.ends_with(b"offset__")
            {
                // The member of a descriptor comes behind what all descriptors have.
                let member = unsafe { *value.cast::<u8>().add(40).cast::<*mut ffi::PyMemberDef>() };
                slots.push((String::from_utf8_lossy(name).into_owned(), member));
            }
        }
        fields = fields.or_else(|| unsafe { named_tuple(dictionary) });
    }
    let flags = unsafe { ffi::PyType_GetFlags(class) };
    let meta = type_name(unsafe { ffi::Py_TYPE(class.cast()) });
    let has_dictionary = flags & MANAGED != 0 || unsafe { (*class).tp_dictoffset } != 0;
    let holds = ffi::Py_TPFLAGS_LIST_SUBCLASS | ffi::Py_TPFLAGS_DICT_SUBCLASS;
    let is_more = holds | ffi::Py_TPFLAGS_TUPLE_SUBCLASS | ffi::Py_TPFLAGS_BASE_EXC_SUBCLASS;
    let library = unsafe { library::known(class) };
    let is_enumeration = meta == "EnumType" || meta == "EnumMeta";
    let keeps_attributes = flags & KEEPS != 0 && flags & ffi::Py_TPFLAGS_HEAPTYPE != 0;
    Class {
        is_plain: has_dictionary
            && flags & ffi::Py_TPFLAGS_HEAPTYPE != 0
            && slots.is_empty()
            && flags & is_more == 0
            && fields.is_none()
            && library.is_none()
            && !is_enumeration,
        keeps_attributes,
        last: Cell::new((u64::MAX, 0)),
        is_fixed: !has_dictionary
            && flags & holds == 0
            && slots.iter().all(|(_, member)| is_read_only(*member)),
        library,
        key: class_key(class),
        name: type_name(class),
        version: unsafe { (*class).tp_version_tag },
        slots,
        has_dictionary,
        fields,
        is_enumeration,
    }
}

/// The fields of a named tuple.
pub(crate) unsafe fn named_tuple(dictionary: *mut PyObject) -> Option<Vec<String>> {
    let fields = unsafe { ffi::PyDict_GetItemString(dictionary, c"_fields".as_ptr()) };
    if fields.is_null() || unsafe { ffi::PyTuple_CheckExact(fields) } == 0 {
        return None;
    }
    (0..unsafe { ffi::PyTuple_GET_SIZE(fields) })
        .map(|at| {
            let name = unsafe { ffi::PyTuple_GET_ITEM(fields, at) };
            let text = (unsafe { ffi::PyUnicode_CheckExact(name) } != 0).then(|| unsafe { utf8(name) })??;
            Some(String::from_utf8_lossy(text).into_owned())
        })
        .collect()
}

/// A class's own name, without its module.
pub(crate) fn type_name(class: *mut PyTypeObject) -> String {
    // SAFETY: a class has a name as long as it lives, and its objects keep it alive.
    let name = unsafe { CStr::from_ptr((*class).tp_name) }.to_string_lossy();
    name.rsplit('.').next().unwrap_or_default().to_owned()
}

/// What stands for a class: where it is, and its name, in case another one is there later.
pub(crate) fn class_key(class: *mut PyTypeObject) -> u64 {
    type_name(class).bytes().fold(class as u64, |key, byte| mix(key, u64::from(byte)))
}

fn is_read_only(member: *mut ffi::PyMemberDef) -> bool {
    // SAFETY: a class keeps its members as long as it lives.
    unsafe { (*member).flags & ffi::Py_READONLY != 0 }
}

/// Whether a slot of an object has a value.
pub(crate) unsafe fn has_member(object: *mut PyObject, member: *mut ffi::PyMemberDef) -> bool {
    let value = unsafe { ffi::PyMember_GetOne(object.cast(), member) };
    if value.is_null() {
        unsafe { ffi::PyErr_Clear() };
        return false;
    }
    unsafe { ffi::Py_DECREF(value) };
    true
}

/// The name of an attribute.
pub(crate) unsafe fn shown_name(name: *mut PyObject) -> String {
    let is_text = unsafe { ffi::PyUnicode_CheckExact(name) } != 0;
    let text = if is_text { unsafe { utf8(name) } } else { None };
    text.map_or_else(|| "?".to_owned(), |text| String::from_utf8_lossy(text).into_owned())
}
