//! What `re` found: where, and what stands there, of the whole and of its groups.
//!
//! A match says neither by its members, which are the string that was searched and the pattern. It keeps two numbers for each group
//! behind them; that they are where this looks for them is tried out once ([`class`]).

use crate::atoms::TINY;
use crate::values::{Limits, Value, Values, ascii, mix};
use crate::words::Word;
use gadfly_trail::run::model::RawRef;
use pyo3::ffi::{self, PyObject, PyTypeObject};

/// What a match begins with, as `re` has it.
#[repr(C)]
struct Match {
    head: ffi::PyVarObject,
    string: *mut PyObject,
    regs: *mut PyObject,
    pattern: *mut PyObject,
    pos: isize,
    endpos: isize,
    lastindex: isize,
    /// With the whole.
    groups: isize,
    /// Where each of them begins and ends, or -1.
    marks: [isize; 2],
}

impl Values {
    /// A match: `Match(start=3, end=5, match='12', groups=('1', '2'))`; none if it cannot be read.
    ///
    /// # Safety
    /// The object is of the library's class, and the interpreter's lock is held; here and below.
    pub(crate) unsafe fn found(&mut self, object: *mut PyObject, key: u64) -> Option<Value> {
        // A class of the program's may have any name.
        let class = *self.matches.get_or_insert_with(|| unsafe { class() });
        if class != unsafe { ffi::Py_TYPE(object) } {
            return None;
        }
        let found = unsafe { &*object.cast::<Match>() };
        let string = found.string;
        let is_text = !string.is_null() && unsafe { ffi::PyUnicode_CheckExact(string) } != 0;
        if !is_text && (string.is_null() || unsafe { ffi::PyBytes_CheckExact(string) } == 0) {
            return None;
        }
        let marks = |group: isize| unsafe {
            let marks = (&raw const found.marks).cast::<isize>();
            (*marks.offset(2 * group), *marks.offset(2 * group + 1))
        };
        let (start, end) = marks(0);
        let from = self.parts.len();
        let span = [start, end].map(|place| Value::plain(RawRef::int(place as i64)));
        let whole = unsafe { self.piece(string, is_text, start, end) };
        self.parts.extend([span[0], span[1], whole]);
        let has_groups = found.groups > 1;
        if has_groups {
            let first = self.parts.len();
            for group in 1..found.groups {
                if self.left == 0 || group as usize > Limits::ELEMENTS {
                    self.short |= self.left == 0;
                    let rest = self.omitted((found.groups - group) as usize);
                    self.parts.push(rest);
                    break;
                }
                self.left -= 1;
                let (start, end) = marks(group);
                let part = unsafe { self.piece(string, is_text, start, end) };
                self.parts.push(part);
            }
            let groups = self.gather(Word::Tuple as u32, first, false);
            self.parts.push(groups);
        }
        let names = || {
            let names = ["start", "end", "match", "groups"];
            (
                "Match".to_owned(),
                names[..3 + usize::from(has_groups)].iter().map(|name| (*name).to_owned()).collect(),
            )
        };
        let value = self.record(mix(key, 0x3a7c), from, names);
        Some(Value { mutable: false, ..value })
    }

    /// What stands between two places; nothing if they are nowhere.
    unsafe fn piece(&mut self, string: *mut PyObject, is_text: bool, start: isize, end: isize) -> Value {
        let length =
            unsafe { if is_text { ffi::PyUnicode_GET_LENGTH(string) } else { ffi::PyBytes_Size(string) } };
        if start < 0 || end < start || end > length {
            return self.word(Word::None);
        }
        let size = (end - start) as usize;
        let characters = match is_text {
            true => unsafe { ascii(string) },
            // SAFETY: so long it is.
            false => Some(unsafe {
                std::slice::from_raw_parts(ffi::PyBytes_AS_STRING(string).cast::<u8>(), length as usize)
            }),
        };
        let Some(characters) = characters else {
            let piece = unsafe { ffi::PyUnicode_Substring(string, start, end) };
            if piece.is_null() {
                unsafe { ffi::PyErr_Clear() };
                return self.omitted(size);
            }
            let value = unsafe { self.new_string(piece) };
            unsafe { ffi::Py_DECREF(piece) };
            return value;
        };
        let bytes = &characters[start as usize..][..size.min(Limits::CHARACTERS)];
        if is_text && size <= TINY {
            return self.tiny(bytes);
        }
        self.packed(if is_text { Word::Str } else { Word::Bytes }, size, bytes)
    }
}

/// The class of matches, which is held, if they are as [`Match`] has them; else null.
unsafe fn class() -> *mut PyTypeObject {
    use pyo3::prelude::*;
    let tried = || {
        Python::attach(|python| -> PyResult<*mut PyTypeObject> {
            let pattern = python.import("re")?.call_method1("compile", ("(z)?(b)(c)",))?;
            let string = pyo3::types::PyString::new(python, "aabcd");
            let object = pattern.call_method1("search", (&string, 1, 4))?;
            let size =
                unsafe { ffi::Py_TYPE(object.as_ptr()).as_ref() }.map_or(0, |class| class.tp_basicsize);
            if (size as usize) < size_of::<Match>() - size_of::<[isize; 2]>() {
                return Ok(std::ptr::null_mut());
            }
            let found = unsafe { &*object.as_ptr().cast::<Match>() };
            let numbers = [found.pos, found.endpos, found.lastindex, found.groups];
            if (found.string, found.pattern) != (string.as_ptr(), pattern.as_ptr()) || numbers != [1, 4, 3, 4]
            {
                return Ok(std::ptr::null_mut());
            }
            let marks = unsafe { std::slice::from_raw_parts((&raw const found.marks).cast::<isize>(), 8) };
            let is_known = marks == [2, 4, -1, -1, 2, 3, 3, 4];
            Ok(if is_known { object.get_type().into_ptr().cast() } else { std::ptr::null_mut() })
        })
    };
    unsafe { crate::hook::aside(|| tried().unwrap_or(std::ptr::null_mut())) }
}
