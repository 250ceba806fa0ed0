//! Values of the library's own types that are written in C: what is in them is read by the library's own functions, never by ones
//! of the program.

use crate::values::{Value, Values, utf8};
use crate::words::Word;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use std::ffi::CStr;

/// What is known of such a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    /// What it writes of itself needs nothing of the program's: `range(0, 3)`.
    Written,
    /// The same, if these attributes of it are the library's too.
    WrittenWith(&'static [&'static CStr]),
    /// A moment: the same with its time zone.
    Moment,
    /// What never changes and is met again and again: a pattern of `re`.
    Constant,
    /// What `re` found.
    Match,
    /// A dictionary.
    Dictionary,
    /// What has elements by number.
    Sequence,
    /// An array of numpy's.
    Array,
    /// A table of pandas, or what is in one: the package knows how to show them.
    Table,
}

/// What a type is, by the name that its definition in C has; classes of the program have no such names.
///
/// # Safety
/// The class is alive, and the interpreter's lock is held; here and below.
pub(crate) unsafe fn known(class: *mut PyTypeObject) -> Option<Library> {
    let name = unsafe { CStr::from_ptr((*class).tp_name) }.to_bytes();
    if unsafe { is_of_pandas(class) } {
        return Some(Library::Table);
    }
    Some(match name {
        b"range" | b"datetime.date" | b"datetime.timedelta" | b"decimal.Decimal" => Library::Written,
        b"slice" => Library::WrittenWith(&[c"start", c"stop", c"step"]),
        b"datetime.datetime" => Library::Moment,
        b"datetime.time" => Library::WrittenWith(&[c"tzinfo"]),
        b"collections.OrderedDict" | b"collections.defaultdict" => Library::Dictionary,
        b"collections.deque" | b"array.array" => Library::Sequence,
        b"re.Pattern" => Library::Constant,
        b"re.Match" => Library::Match,
        b"numpy.ndarray" => Library::Array,
        _ => return None,
    })
}

/// Whether a class says that it is one of pandas.
unsafe fn is_of_pandas(class: *mut PyTypeObject) -> bool {
    unsafe {
        let dictionary = (*class).tp_dict;
        if ffi::PyType_HasFeature(class, ffi::Py_TPFLAGS_HEAPTYPE) == 0 || dictionary.is_null() {
            return false;
        }
        let module = ffi::PyDict_GetItemString(dictionary, c"__module__".as_ptr());
        let is_text = !module.is_null() && ffi::PyUnicode_CheckExact(module) != 0;
        is_text && utf8(module).is_some_and(|name| name == b"pandas" || name.starts_with(b"pandas."))
    }
}

/// How many parts a table counts for.
const TABLE: u32 = 40;

impl Values {
    /// A table, as the package shows it: its text, and a number for what is in it.
    unsafe fn table(&mut self, object: *mut PyObject, depth: u32) -> Value {
        let class = unsafe { ffi::Py_TYPE(object) };
        self.unguarded = true;
        if self.left < TABLE {
            self.short = true;
            return unsafe { self.opaque(class) };
        }
        self.left -= TABLE;
        match unsafe { crate::hook::aside(|| shown(object)) } {
            Some((text, content)) => self.array_of(&text, content),
            None => unsafe { self.plain_object(object, class, depth) },
        }
    }

    /// A value of such a type.
    pub(crate) unsafe fn library(&mut self, object: *mut PyObject, library: Library, depth: u32) -> Value {
        unsafe {
            match library {
                Library::Moment if is_of_interpreter(object) => match self.moment(object) {
                    Some(value) => value,
                    None => self.opaque(ffi::Py_TYPE(object)),
                },
                Library::Moment if !is_harmless(object, c"tzinfo") => self.opaque(ffi::Py_TYPE(object)),
                Library::WrittenWith(names) if !names.iter().all(|name| is_harmless(object, name)) => {
                    self.opaque(ffi::Py_TYPE(object))
                }
                Library::Written | Library::WrittenWith(_) | Library::Moment => {
                    let text = ffi::PyObject_Repr(object);
                    let value = self.written(text);
                    ffi::Py_XDECREF(text);
                    value
                }
                Library::Dictionary => self.dictionary(object, depth),
                Library::Sequence => {
                    let length = ffi::PySequence_Size(object).max(0) as usize;
                    let mut held = Vec::new();
                    for at in 0..length.min(MOST) {
                        let element = ffi::PySequence_GetItem(object, at as isize);
                        if element.is_null() {
                            ffi::PyErr_Clear();
                            break;
                        }
                        held.push(element);
                    }
                    let value = self.sequence(length, &held, depth);
                    self.dropped.append(&mut held);
                    value
                }
                Library::Constant => {
                    let (class, before) = (ffi::Py_TYPE(object), self.left);
                    let value = self.plain_object(object, class, depth);
                    if !value.mutable && self.left > 0 && before > self.left {
                        self.hold_constant(object, value, 1 + before - self.left);
                    }
                    value
                }
                Library::Match => {
                    let class = ffi::Py_TYPE(object);
                    match self.found(object, class as u64) {
                        Some(value) => value,
                        None => self.plain_object(object, class, depth),
                    }
                }
                Library::Array => self.array(object),
                Library::Table => self.table(object, depth),
            }
        }
    }

    /// An array by its shape, the format of its elements, and the first of them.
    unsafe fn array(&mut self, object: *mut PyObject) -> Value {
        let mut view: ffi::Py_buffer = unsafe { std::mem::zeroed() };
        if unsafe { ffi::PyObject_GetBuffer(object, &mut view, ffi::PyBUF_FULL_RO) } != 0 {
            unsafe { ffi::PyErr_Clear() };
            return self.named("ndarray");
        }
        let format = match view.format.is_null() {
            true => "B".to_owned(),
            false => unsafe { CStr::from_ptr(view.format) }.to_string_lossy().into_owned(),
        };
        let shape: Vec<String> = match view.shape.is_null() {
            true => Vec::new(),
            false => (0..view.ndim as usize).map(|at| unsafe { *view.shape.add(at) }.to_string()).collect(),
        };
        let size = view.itemsize.max(1) as usize;
        let whole = unsafe { ffi::PyBuffer_IsContiguous(&view, b'C' as std::ffi::c_char) } != 0;
        let bytes: &[u8] = match whole && !view.buf.is_null() {
            true => unsafe { std::slice::from_raw_parts(view.buf.cast(), view.len.max(0) as usize) },
            false => &[],
        };
        let count = bytes.len() / size;
        let mut shown: Vec<String> =
            bytes.chunks_exact(size).take(FEW).map_while(|chunk| number(&format, chunk)).collect();
        if shown.len() < count || !whole {
            shown.push("…".to_owned());
        }
        let text = format!("array({}, [{}], shape=({}))", kind(&format), shown.join(", "), shape.join(", "));
        let mut hash = 0u64;
        for chunk in bytes[..bytes.len().min(LOOKED_AT)].chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        }
        unsafe { ffi::PyBuffer_Release(&mut view) };
        self.array_of(&text, hash)
    }

    fn named(&mut self, text: &str) -> Value {
        let text = self.text(text);
        self.make(Word::Opaque as u32, &[text], false)
    }
}

/// Whether an object's class is part of the interpreter, rather than made while it runs.
unsafe fn is_of_interpreter(object: *mut PyObject) -> bool {
    unsafe { ffi::PyType_HasFeature(ffi::Py_TYPE(object), ffi::Py_TPFLAGS_HEAPTYPE) == 0 }
}

/// What the package shows of a table.
unsafe fn shown(object: *mut PyObject) -> Option<(String, u64)> {
    use pyo3::prelude::*;
    Python::attach(|python| {
        let object = unsafe { Bound::from_borrowed_ptr(python, object) };
        let seen = python.import("gadfly._frames").and_then(|frames| frames.call_method1("seen", (object,)));
        seen.ok()?.extract().ok()
    })
}

/// Whether an attribute that the library keeps is a number, nothing, or a time zone of the library's.
unsafe fn is_harmless(object: *mut PyObject, name: &CStr) -> bool {
    unsafe {
        let found = ffi::PyObject_GetAttrString(object, name.as_ptr());
        if found.is_null() {
            ffi::PyErr_Clear();
            return false;
        }
        let is_number = ffi::Py_TYPE(found) == &raw mut ffi::PyLong_Type;
        let harmless = found == ffi::Py_None() || is_number || is_zone(found);
        ffi::Py_DECREF(found);
        harmless
    }
}

/// Whether something is a time zone of the library's.
pub(crate) unsafe fn is_zone(object: *mut PyObject) -> bool {
    let name = unsafe { CStr::from_ptr((*ffi::Py_TYPE(object)).tp_name) }.to_bytes();
    matches!(name, b"datetime.timezone" | b"zoneinfo.ZoneInfo")
}

/// So many elements are looked at; so many of an array are shown, and so many bytes tell whether it has changed.
const MOST: usize = 200;
const FEW: usize = 20;
const LOOKED_AT: usize = 1 << 16;

/// What people call a format.
fn kind(format: &str) -> &str {
    match format {
        "d" => "float64",
        "f" => "float32",
        "l" | "q" => "int64",
        "i" => "int32",
        "h" => "int16",
        "b" => "int8",
        "B" => "uint8",
        "H" => "uint16",
        "I" => "uint32",
        "L" | "Q" => "uint64",
        "?" => "bool",
        other => other,
    }
}

/// An element in a format, if that is a number.
fn number(format: &str, bytes: &[u8]) -> Option<String> {
    Some(match format {
        "d" => format!("{:?}", f64::from_ne_bytes(bytes.try_into().ok()?)),
        "f" => format!("{:?}", f32::from_ne_bytes(bytes.try_into().ok()?)),
        "l" | "q" => i64::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "i" => i32::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "h" => i16::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "b" => i8::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "B" => bytes.first()?.to_string(),
        "H" => u16::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "I" => u32::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "L" | "Q" => u64::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "?" => if *bytes.first()? == 0 { "False" } else { "True" }.to_owned(),
        _ => return None,
    })
}
