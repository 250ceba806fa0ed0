//! What `re` found: where, and what stands there, of the whole and of its groups.
//!
//! A match says neither by its members, which are the string that was searched and the pattern. It keeps two numbers for each group
//! behind them; that they are where this looks for them is tried out once ([`try_out`]).

use crate::object::Object;
use crate::values::{Limits, Value, Values};
use crate::words::Word;
use gadfly_trail::model::RawRef;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use std::sync::OnceLock;

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
    pub(crate) fn found(&mut self, object: Object<'_>) -> Option<Value> {
        if CLASS.get() != Some(&object.class().address()) {
            return None;
        }
        // SAFETY: so they were found to be.
        let found = unsafe { &*object.pointer().cast::<Match>() };
        // SAFETY: the match has it.
        let string = unsafe { object.beside(found.string) }?;
        string.text().map(|_| ()).or_else(|| string.bytes().map(|_| ()))?;
        let marks = |group: isize| unsafe {
            let marks = (&raw const found.marks).cast::<isize>();
            (*marks.offset(2 * group), *marks.offset(2 * group + 1))
        };
        let (start, end) = marks(0);
        let from = self.parts.len();
        let span = [start, end].map(|place| Value::plain(RawRef::int(place as i64)));
        let whole = self.piece(string, start, end);
        self.parts.extend([span[0], span[1], whole]);
        let has_groups = found.groups > 1;
        if has_groups {
            let first = self.parts.len();
            for group in 1..found.groups {
                if self.left == 0 || group as usize > Limits::ELEMENTS {
                    let rest = self.omitted((found.groups - group) as usize);
                    self.parts.push(rest);
                    break;
                }
                self.left -= 1;
                let (start, end) = marks(group);
                let part = self.piece(string, start, end);
                self.parts.push(part);
            }
            let groups = self.gather(Word::Tuple as u32, first, false);
            self.parts.push(groups);
        }
        let names = &["start", "end", "match", "groups"][..3 + usize::from(has_groups)];
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let value = self.record(from, "Match".to_owned(), names);
        Some(Value { mutable: false, ..value })
    }

    /// What stands between two places; nothing if they are nowhere.
    fn piece(&mut self, string: Object<'_>, start: isize, end: isize) -> Value {
        let (text, bytes) = (string.text(), string.bytes());
        let length = text.map(|text| text.length()).or(bytes.map(<[u8]>::len)).unwrap_or_default();
        if start < 0 || end < start || end as usize > length {
            return self.word(Word::None);
        }
        let (start, size) = (start as usize, (end - start) as usize);
        match (text, bytes) {
            (Some(text), _) => self.piece_of(text, start, size),
            (None, bytes) => {
                let bytes = &bytes.unwrap_or_default()[start..][..size.min(Limits::CHARACTERS)];
                self.packed(Word::Bytes, size, bytes)
            }
        }
    }
}

/// Where the class of matches is, which is there for ever, if they are as [`Match`] has them.
static CLASS: OnceLock<usize> = OnceLock::new();

/// Finds out whether they are.
///
/// # Safety
/// The interpreter's lock is held, and nobody looks.
pub(crate) unsafe fn try_out() {
    if CLASS.get().is_none() {
        let class = tried().unwrap_or(std::ptr::null_mut());
        // Somebody else may have done it meanwhile, with the same result.
        let _ = CLASS.set(class.addr());
    }
}

fn tried() -> pyo3::PyResult<*mut PyTypeObject> {
    use pyo3::prelude::*;
    Python::attach(|python| {
        let pattern = python.import("re")?.call_method1("compile", ("(z)?(b)(c)",))?;
        let string = pyo3::types::PyString::new(python, "aabcd");
        let object = pattern.call_method1("search", (&string, 1, 4))?;
        // SAFETY: an object has a class.
        let size = unsafe { ffi::Py_TYPE(object.as_ptr()).as_ref() }.map_or(0, |class| class.tp_basicsize);
        if (size as usize) < size_of::<Match>() - size_of::<[isize; 2]>() {
            return Ok(std::ptr::null_mut());
        }
        // SAFETY: it is as large as that.
        let found = unsafe { &*object.as_ptr().cast::<Match>() };
        let numbers = [found.pos, found.endpos, found.lastindex, found.groups];
        if (found.string, found.pattern) != (string.as_ptr(), pattern.as_ptr()) || numbers != [1, 4, 3, 4] {
            return Ok(std::ptr::null_mut());
        }
        // SAFETY: there are four groups.
        let marks = unsafe { std::slice::from_raw_parts((&raw const found.marks).cast::<isize>(), 8) };
        let is_known = marks == [2, 4, -1, -1, 2, 3, 3, 4];
        Ok(if is_known { object.get_type().into_ptr().cast() } else { std::ptr::null_mut() })
    })
}
