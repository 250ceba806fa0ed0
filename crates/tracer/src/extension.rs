//! What is read of objects whose classes are written in C: members, elements, buffers, moments and matches.
//!
//! Everything here is safe to call in a look. Whatever asks a class of the library's to do something is for objects that
//! [`crate::values::library`] knows: a class that no program can have made, and that runs nothing of the program's for this.

use crate::object::{Class, Held, Object, Owned, Tuple};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use std::ffi::CStr;
use std::sync::OnceLock;

/// Where objects of a class have a value that the class has a name for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    /// The class, by its place and its version.
    class: (usize, Option<u32>),
    place: Place,
    pub(crate) is_read_only: bool,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// A reference stands there.
    Object(isize),
    /// A number or the like, of which an object is made.
    Other(*mut ffi::PyMemberDef),
}

impl Member {
    /// What a descriptor says, if it is one of a member that objects of this class have: not one that was taken from some other class.
    pub(crate) fn of(descriptor: Object<'_>, class: Class<'_>) -> Option<Member> {
        const OBJECT: i32 = 6;
        const OBJECT_EX: i32 = 16;
        if !descriptor.is_a(&raw mut ffi::PyMemberDescr_Type) {
            return None;
        }
        // SAFETY: it is such a descriptor; the class that it was made for keeps the member.
        unsafe {
            let read = descriptor.pointer().cast::<ffi::PyMemberDescrObject>();
            let owner = descriptor.beside((*read).d_common.d_type.cast())?.as_class()?;
            if !class.inherits_from(owner) {
                return None;
            }
            let member = (*read).d_member.cast::<ffi::PyMemberDef>();
            let place = match (*member).type_code {
                OBJECT | OBJECT_EX => Place::Object((*member).offset),
                _ => Place::Other(member),
            };
            let class = (class.address(), class.version());
            Some(Member { class, place, is_read_only: (*member).flags & ffi::Py_READONLY != 0 })
        }
    }

    /// What an object has there, and what is to be let go after the look; nothing if it has no value.
    pub(crate) fn value<'l>(&self, object: Object<'l>, released: &mut Vec<Owned>) -> Option<Object<'l>> {
        let class = object.class();
        if self.class != (class.address(), class.version()) {
            return None;
        }
        match self.place {
            // SAFETY: the class is the one that the member was found for, as it was then: no other one ever has its version. (A class
            // without a version is described anew for each object.) So its objects have a reference there, or null.
            Place::Object(offset) => unsafe { object.part(offset) },
            Place::Other(member) => {
                // SAFETY: as above, and the class keeps what describes its member. What is made of a number is ours.
                let made = unsafe { Owned::made(ffi::PyMember_GetOne(object.pointer().cast(), member)) }?;
                let value = made.see_with(object);
                released.push(made);
                Some(value)
            }
        }
    }
}

/// How many elements a sequence of the library's has.
pub(crate) fn length(object: Object<'_>) -> usize {
    // SAFETY: it is alive. Its type runs nothing for this.
    unsafe { ffi::PySequence_Size(object.pointer()) }.max(0) as usize
}

/// One of them.
pub(crate) fn element(object: Object<'_>, at: usize) -> Option<Owned> {
    // SAFETY: it is alive, and what it gives is ours. Its type runs nothing for this.
    unsafe { Owned::made(ffi::PySequence_GetItem(object.pointer(), at as isize)) }
}

/// What a value of a type of the library's writes of itself, which runs nothing of the program's.
pub(crate) fn said(object: Object<'_>) -> String {
    // SAFETY: it is alive, and the text is ours. A string's death runs nothing.
    unsafe {
        let Some(text) = Owned::made(ffi::PyObject_Repr(object.pointer())) else { return "?".to_owned() };
        let said = text.see_with(object).text().map_or_else(|| "?".to_owned(), |text| text.whole());
        text.discard();
        said
    }
}

/// What is to be known of an attribute that a type of the library's keeps.
pub(crate) fn attribute<T>(object: Object<'_>, name: &CStr, tell: impl FnOnce(Object<'_>) -> T) -> Option<T> {
    // SAFETY: it is alive, and what it gives is ours. The object has that, too, so that it does not die of being let go.
    unsafe {
        let found = Owned::made(ffi::PyObject_GetAttrString(object.pointer(), name.as_ptr()))?;
        let told = tell(found.see_with(object));
        found.discard();
        Some(told)
    }
}

/// What is to be known of what a time zone of a fixed offset is made of.
pub(crate) fn zone_parts<T>(zone: Object<'_>, tell: impl FnOnce(Tuple<'_>) -> T) -> Option<T> {
    let none = std::ptr::null_mut::<PyObject>();
    let name = Held::name("__getinitargs__")?;
    // SAFETY: the type has the method itself, which gives a tuple of what the zone has: neither dies of being let go.
    unsafe {
        let parts = Owned::made(ffi::PyObject_CallMethodObjArgs(zone.pointer(), name.pointer(), none))?;
        let told = parts.see_with(zone).tuple().map(tell);
        parts.discard();
        told
    }
}

/// Holds a time zone of a fixed offset, or `None`; nothing if it is something else.
pub(crate) fn held_zone(zone: Object<'_>) -> Option<Held> {
    let class = zone.class();
    let is_fixed = class.is_immutable() && class.full_name() == c"datetime.timezone";
    // SAFETY: such a zone has nothing but an offset and a string.
    (is_fixed || zone.is_none()).then(|| unsafe { Held::inert(zone) })
}

/// What a moment of the library's `datetime` is made of.
pub(crate) struct Moment<'l> {
    /// Year, month and day.
    pub(crate) date: [i32; 3],
    /// Hour, minute, second and microsecond.
    pub(crate) time: [i32; 4],
    pub(crate) fold: i32,
    pub(crate) zone: Object<'l>,
}

impl<'l> Moment<'l> {
    /// A moment of exactly the library's class.
    pub(crate) fn of(object: Object<'l>) -> Option<Moment<'l>> {
        let class = object.class();
        if !class.is_immutable() || class.full_name() != c"datetime.datetime" {
            return None;
        }
        let moment = object.pointer();
        use ffi::{
            PyDateTime_DATE_GET_FOLD, PyDateTime_DATE_GET_HOUR, PyDateTime_DATE_GET_MICROSECOND,
            PyDateTime_DATE_GET_MINUTE, PyDateTime_DATE_GET_SECOND, PyDateTime_DATE_GET_TZINFO,
            PyDateTime_GET_DAY, PyDateTime_GET_MONTH, PyDateTime_GET_YEAR,
        };
        // SAFETY: it is one, and has its zone as long as it lives.
        unsafe {
            Some(Moment {
                date: [PyDateTime_GET_YEAR(moment), PyDateTime_GET_MONTH(moment), PyDateTime_GET_DAY(moment)],
                time: [
                    PyDateTime_DATE_GET_HOUR(moment),
                    PyDateTime_DATE_GET_MINUTE(moment),
                    PyDateTime_DATE_GET_SECOND(moment),
                    PyDateTime_DATE_GET_MICROSECOND(moment),
                ],
                fold: PyDateTime_DATE_GET_FOLD(moment).into(),
                zone: object.beside(PyDateTime_DATE_GET_TZINFO(moment))?,
            })
        }
    }
}

/// What an array of numpy's has in its memory, as long as this is there.
pub(crate) struct Buffer(ffi::Py_buffer);

impl Buffer {
    pub(crate) fn of(object: Object<'_>) -> Option<Buffer> {
        // SAFETY: it is plain data, which is filled by the interpreter.
        let mut view: ffi::Py_buffer = unsafe { std::mem::zeroed() };
        // SAFETY: the object is alive. numpy's own type runs nothing for this.
        unsafe {
            if ffi::PyObject_GetBuffer(object.pointer(), &mut view, ffi::PyBUF_FULL_RO) != 0 {
                ffi::PyErr_Clear();
                return None;
            }
        }
        Some(Buffer(view))
    }

    /// What its elements are, as `struct` writes it.
    pub(crate) fn format(&self) -> String {
        match self.0.format.is_null() {
            true => "B".to_owned(),
            // SAFETY: the format is a text as long as the buffer is there.
            false => unsafe { CStr::from_ptr(self.0.format) }.to_string_lossy().into_owned(),
        }
    }

    /// How many elements it has in each dimension.
    pub(crate) fn shape(&self) -> &[isize] {
        match self.0.shape.is_null() {
            true => &[],
            // SAFETY: there is a number for each dimension, as long as the buffer is there.
            false => unsafe { std::slice::from_raw_parts(self.0.shape, self.0.ndim as usize) },
        }
    }

    /// How many bytes an element has.
    pub(crate) fn element_size(&self) -> usize {
        self.0.itemsize.max(1) as usize
    }

    /// All its elements, if they lie one behind the other.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        // SAFETY: it is a buffer that is there.
        let whole = unsafe { ffi::PyBuffer_IsContiguous(&self.0, b'C' as std::ffi::c_char) } != 0;
        match whole && !self.0.buf.is_null() {
            // SAFETY: so many bytes are there, and nothing runs that could change them as long as somebody looks.
            true => {
                // SAFETY: the lock is held as long as somebody looks.
                Some(unsafe { std::slice::from_raw_parts(self.0.buf.cast(), self.0.len.max(0) as usize) })
            }
            false => whole.then_some(&[]),
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: it is ours. The array has its memory, too, so that nothing dies of this.
        unsafe { ffi::PyBuffer_Release(&mut self.0) };
    }
}

/// What a match begins with, as `re` has it.
#[repr(C)]
struct MatchFields {
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

/// What `re` found.
pub(crate) struct Match<'l> {
    pub(crate) string: Object<'l>,
    /// Where the whole and each of its groups begin and end, or -1.
    marks: &'l [isize],
}

/// Where the class of matches is, which is there for ever, if they are as [`MatchFields`] has them.
static MATCHES: OnceLock<usize> = OnceLock::new();

impl<'l> Match<'l> {
    /// A match, if they are known to be where they are looked for.
    pub(crate) fn of(object: Object<'l>) -> Option<Match<'l>> {
        if MATCHES.get() != Some(&object.class().address()) {
            return None;
        }
        // SAFETY: so they were found to be. The match has its string, and two numbers for each group, as long as it lives.
        unsafe {
            let found = object.pointer().cast::<MatchFields>();
            let count = 2 * (*found).groups.max(0) as usize;
            let marks = std::slice::from_raw_parts((&raw const (*found).marks).cast::<isize>(), count);
            Some(Match { string: object.beside((*found).string)?, marks })
        }
    }

    /// How many groups there are, with the whole.
    pub(crate) fn groups(&self) -> usize {
        self.marks.len() / 2
    }

    pub(crate) fn span(&self, group: usize) -> (isize, isize) {
        (self.marks[2 * group], self.marks[2 * group + 1])
    }
}

/// Finds out whether matches are where they are looked for. Nobody looks.
pub(crate) fn try_out_matches(python: pyo3::Python<'_>) {
    if MATCHES.get().is_none() {
        let class = tried_match(python).unwrap_or(std::ptr::null_mut());
        // Somebody else may have done it meanwhile, with the same result.
        let _ = MATCHES.set(class.addr());
    }
}

fn tried_match(python: pyo3::Python<'_>) -> pyo3::PyResult<*mut PyTypeObject> {
    use pyo3::prelude::*;
    let nothing = Ok(std::ptr::null_mut());
    crate::hook::unheard(|| {
        let pattern = python.import("re")?.call_method1("compile", ("(z)?(b)(c)",))?;
        let string = pyo3::types::PyString::new(python, "aabcd");
        let object = pattern.call_method1("search", (&string, 1, 4))?;
        // SAFETY: an object has a class.
        let size = unsafe { ffi::Py_TYPE(object.as_ptr()).as_ref() }.map_or(0, |class| class.tp_basicsize);
        if (size as usize) < size_of::<MatchFields>() - size_of::<[isize; 2]>() {
            return nothing;
        }
        // SAFETY: it is as large as that.
        let found = unsafe { &*object.as_ptr().cast::<MatchFields>() };
        let numbers = [found.pos, found.endpos, found.lastindex, found.groups];
        if (found.string, found.pattern) != (string.as_ptr(), pattern.as_ptr()) || numbers != [1, 4, 3, 4] {
            return nothing;
        }
        // SAFETY: there are four groups.
        let marks = unsafe { std::slice::from_raw_parts((&raw const found.marks).cast::<isize>(), 8) };
        let is_known = marks == [2, 4, -1, -1, 2, 3, 3, 4];
        if is_known { Ok(object.get_type().into_ptr().cast()) } else { nothing }
    })
}
