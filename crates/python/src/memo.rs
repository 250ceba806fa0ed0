//! Dictionaries and objects that have not changed since they were looked at, which are not looked at again.
//!
//! Up to 3.12 every dictionary has a version, and no two states of dictionaries ever have the same one (PEP 509). So what was made of a
//! dictionary, or of an object that keeps its attributes in one, is still right if it and all dictionaries in it have the
//! versions that they had; lists in it have none, and are looked at; a tuple of some class is the same if its elements are. What else may change is not remembered. Nothing
//! is held: where an object was, another one may be, but not with the same version.

use crate::attributes::Attributes;
use crate::objects::dictionary_of;
use crate::values::{FLAT, Limits, Value, Values, mix, seed};
use crate::words::Word;
use gadfly_trail::run::model::RawRef;
use pyo3::ffi::{self, PyObject, PyTypeObject};

/// So many are remembered, by where they are.
pub(crate) const MEMOS: usize = 1 << 8;
/// With more inside that may change, looking at it is as good.
pub(crate) const GUARDS: usize = 64;
/// Smaller ones are looked at.
pub(crate) const LEAST: u32 = 3;

/// Something that would be otherwise if a value had changed. What comes first in a list keeps alive what comes behind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Guard {
    Dictionary {
        dictionary: *mut PyObject,
        version: u64,
    },
    Object {
        object: *mut PyObject,
        class: *mut PyTypeObject,
        dictionary: *mut PyObject,
        version: u64,
    },
    /// An object that keeps its attributes in an array, by what is in that.
    Array {
        object: *mut PyObject,
        class: *mut PyTypeObject,
        content: u64,
    },
    /// A tuple of some class, by what is in it: numbers and strings by what they are, others by where.
    Tuple {
        object: *mut PyObject,
        content: u64,
    },
    /// A list, a set or a small object, which has to be looked at.
    Looking {
        object: *mut PyObject,
        hash: u64,
        depth: u32,
    },
}

impl Guard {
    /// What would have changed.
    pub(crate) fn of(&self) -> *mut PyObject {
        match *self {
            Guard::Dictionary { dictionary: object, .. }
            | Guard::Object { object, .. }
            | Guard::Array { object, .. }
            | Guard::Tuple { object, .. }
            | Guard::Looking { object, .. } => object,
        }
    }
}

/// What was made of an object.
pub(crate) struct Memo {
    pub(crate) object: *mut PyObject,
    pub(crate) class: *mut PyTypeObject,
    pub(crate) value: Value,
    pub(crate) depth: u32,
    /// How many parts were looked at.
    pub(crate) cells: u32,
    /// How many there might have been, if there were too few of them for all.
    pub(crate) short: Option<u32>,
    pub(crate) guards: Vec<Guard>,
}

impl Memo {
    pub(crate) fn none(value: Value) -> Memo {
        Memo {
            object: std::ptr::null_mut(),
            class: std::ptr::null_mut(),
            value,
            depth: 0,
            cells: 0,
            short: None,
            guards: Vec::new(),
        }
    }

    /// Whether the same would be made with so many parts left.
    ///
    /// # Safety
    /// The object is alive.
    #[inline]
    pub(crate) unsafe fn fits(&self, object: *mut PyObject, depth: u32, left: u32) -> bool {
        // Where it was, there may be something that is no dictionary, and has no version to be read.
        self.object == object
            && self.class == unsafe { ffi::Py_TYPE(object) }
            && self.depth == depth
            && self.short.map_or(left >= self.cells, |short| short == left)
    }
}

impl Values {
    /// Whether a list of values without parts, or a small object, would be the same value with these limits; `false` also if that is not seen at once.
    #[inline]
    pub(crate) unsafe fn is_still(&mut self, object: *mut PyObject, before: &Value, limits: Limits) -> bool {
        unsafe {
            if object.is_null() || limits.cells == 0 {
                return false;
            }
            let class = ffi::Py_TYPE(object);
            if class != &raw mut ffi::PyList_Type {
                let hash = self.glance_at_object(object, class, 1);
                self.spent += u32::from(hash.is_some());
                return hash == Some(before.hash);
            }
            let length = ffi::PyList_GET_SIZE(object) as usize;
            let seen = match length <= FLAT {
                true => length,
                false => length.min(Limits::ELEMENTS).min(limits.cells as usize - 1),
            };
            // It is quicker than making the value, but not for nothing.
            self.spent += seen as u32 / 2;
            let mut hash = seed(Word::List as u32, seen + usize::from(seen < length));
            for at in 0..seen {
                let element = ffi::PyList_GET_ITEM(object, at as isize);
                let Some(reference) = self.simple(element) else { return false };
                hash = mix(hash, Value::plain(reference).hash);
            }
            if seen < length {
                let rest = Value::plain(RawRef::int((length - seen) as i64)).hash;
                hash = mix(hash, mix(seed(Word::Omitted as u32, 1), rest));
            }
            hash == before.hash
        }
    }

    /// Whether something is remembered, has not changed since, and would be the same value with these limits.
    #[inline]
    pub(crate) unsafe fn is_known_as(
        &mut self,
        object: *mut PyObject,
        before: &Value,
        limits: Limits,
    ) -> bool {
        let memo = &self.memos[slot(object)];
        if memo.object != object || memo.value.hash != before.hash {
            return false;
        }
        (self.left, self.free) = (limits.cells, 0);
        self.guards.clear();
        let is_same = unsafe { self.remembered(object, 0) }.is_some();
        self.spent += (limits.cells - self.left).saturating_sub(self.free);
        is_same
    }

    /// A value that has not changed since it was looked at, which costs nothing, and the limits that it was looked at with.
    pub(crate) unsafe fn known(&mut self, object: *mut PyObject) -> Option<(Value, Limits)> {
        let class = unsafe { ffi::Py_TYPE(object) };
        let may_last = class == &raw mut ffi::PyDict_Type
            || unsafe { ffi::PyType_HasFeature(class, ffi::Py_TPFLAGS_HEAPTYPE) } != 0;
        if !self.remembers || !may_last {
            return None;
        }
        let memo = &self.memos[slot(object)];
        if memo.object != object || memo.depth != 0 {
            return None;
        }
        self.left = memo.short.unwrap_or(Limits::FULL.cells);
        let limits = Limits { cells: self.left };
        self.free = 0;
        self.guards.clear();
        let value = unsafe { self.remembered(object, 0) }?;
        self.spent += (limits.cells - self.left).saturating_sub(self.free);
        Some((value, limits))
    }

    /// What was made of a dictionary or an object, if that has not changed.
    pub(crate) unsafe fn remembered(&mut self, object: *mut PyObject, depth: u32) -> Option<Value> {
        let slot = slot(object);
        if !unsafe { self.memos[slot].fits(object, depth, self.left) } {
            return None;
        }
        let memo = &self.memos[slot];
        let (all, value, is_short) = (memo.cells, memo.value, memo.short.is_some());
        let mut cells = all;
        let mut at = 0;
        // Whatever has to be looked at may be remembered here as well, and then this is forgotten.
        while let Some(guard) = self.memos[slot].guards.get(at).copied() {
            if !unsafe { self.holds(&guard, &mut cells) } || self.memos[slot].object != object {
                // What has changed is never as it was again.
                self.memos[slot].object = std::ptr::null_mut();
                return None;
            }
            at += 1;
        }
        self.left -= all;
        // To find out that it is the same was not for nothing.
        self.free += cells.saturating_sub(at as u32 / 2);
        self.short |= is_short;
        // They are for what this is a part of.
        if !self.inside.is_empty() {
            self.guards.extend_from_slice(&self.memos[slot].guards);
        }
        Some(value)
    }

    /// Whether something is as it was; takes from `cells` what has to be looked at for that.
    pub(crate) unsafe fn holds(&mut self, guard: &Guard, cells: &mut u32) -> bool {
        unsafe {
            match *guard {
                Guard::Dictionary { dictionary, version } => {
                    ffi::PyDict_Check(dictionary) != 0 && version_of(dictionary) == version
                }
                Guard::Object { object, class, dictionary, version } => {
                    ffi::Py_TYPE(object) == class
                        && dictionary_of(object) == dictionary
                        && version_of(dictionary) == version
                }
                Guard::Array { object, class, content } => {
                    ffi::Py_TYPE(object) == class
                        && Attributes::of(object, class).is_some_and(|now| self.content(now) == content)
                }
                Guard::Tuple { object, content } => {
                    ffi::PyTuple_Check(object) != 0 && self.identities(object) == content
                }
                Guard::Looking { object, hash, depth } => {
                    if let Some(hash_now) = self.glance(object, depth) {
                        *cells = cells.saturating_sub(1);
                        return hash_now == hash;
                    }
                    let kept = (self.left, self.unguarded, self.short, self.guards.len());
                    self.left = Limits::FULL.cells;
                    let class = ffi::Py_TYPE(object);
                    let hash_now = if class == &raw mut ffi::PyList_Type {
                        Some(self.list(object, depth).hash)
                    } else if class == &raw mut ffi::PySet_Type {
                        Some(self.set(object, false, depth).hash)
                    } else {
                        None
                    };
                    *cells = cells.saturating_sub(Limits::FULL.cells - self.left);
                    (self.left, self.unguarded, self.short) = (kept.0, kept.1, kept.2);
                    self.guards.truncate(kept.3);
                    hash_now == Some(hash)
                }
            }
        }
    }

    /// The hash of a list or set that is seen at once: it is empty, or a short list of values without parts; or of a small object.
    #[inline]
    unsafe fn glance(&mut self, object: *mut PyObject, depth: u32) -> Option<u64> {
        unsafe {
            let class = ffi::Py_TYPE(object);
            if class == &raw mut ffi::PySet_Type {
                return (ffi::PySet_Size(object) == 0).then(|| seed(Word::Set as u32, 0));
            }
            if class != &raw mut ffi::PyList_Type {
                return self.glance_at_object(object, class, depth);
            }
            let length = ffi::PyList_GET_SIZE(object) as usize;
            if length > FLAT {
                return None;
            }
            (0..length).try_fold(seed(Word::List as u32, length), |hash, at| {
                let reference = self.simple(ffi::PyList_GET_ITEM(object, at as isize))?;
                Some(mix(hash, Value::plain(reference).hash))
            })
        }
    }

    /// The hash of a [flat object](Values::flat_object), if it is one.
    #[inline]
    unsafe fn glance_at_object(
        &mut self,
        object: *mut PyObject,
        class: *mut PyTypeObject,
        depth: u32,
    ) -> Option<u64> {
        unsafe {
            let may_be = ffi::PyType_HasFeature(class, ffi::Py_TPFLAGS_HEAPTYPE) != 0;
            let left = std::mem::replace(&mut self.left, Limits::FULL.cells);
            let fields = match may_be {
                true => self.flat_fields(object, class, depth, &mut [RawRef::UNKNOWN; FLAT]),
                false => None,
            };
            self.left = left;
            fields.map(|(_, _, hash)| hash)
        }
    }

    /// What is in a tuple: numbers and strings by what they are, others by where.
    pub(crate) unsafe fn identities(&self, object: *mut PyObject) -> u64 {
        let length = unsafe { ffi::PyTuple_GET_SIZE(object) };
        (0..length).fold(length as u64, |content, at| unsafe {
            mix(content, self.identity(ffi::PyTuple_GET_ITEM(object, at)))
        })
    }

    /// The same of attributes.
    pub(crate) unsafe fn content(&self, attributes: Attributes) -> u64 {
        (0..attributes.count).fold(unsafe { attributes.arrangement() }, |content, at| unsafe {
            mix(content, self.identity(attributes.value(at)))
        })
    }

    #[inline]
    unsafe fn identity(&self, object: *mut PyObject) -> u64 {
        unsafe { self.content_of(object) }.unwrap_or(object as u64)
    }

    /// What a value has in common with equal ones only, wherever it is: a number, a string, a function by its name.
    #[inline]
    pub(crate) unsafe fn content_of(&self, object: *mut PyObject) -> Option<u64> {
        unsafe {
            if let Some(reference) = self.simple(object) {
                return Some(reference.0);
            }
            let class = ffi::Py_TYPE(object);
            if class == &raw mut ffi::PyUnicode_Type {
                // Strings remember it; to ask for it runs nothing of the program's.
                return Some(ffi::PyObject_Hash(object) as u64);
            }
            if class == &raw mut ffi::PyFloat_Type {
                return Some(ffi::PyFloat_AS_DOUBLE(object).to_bits());
            }
            if class == &raw mut ffi::PyFunction_Type {
                let name = (*object.cast::<ffi::PyFunctionObject>()).func_qualname;
                return (!name.is_null() && ffi::PyUnicode_CheckExact(name) != 0)
                    .then(|| mix(0xf, ffi::PyObject_Hash(name) as u64));
            }
            None
        }
    }

    /// Remembers what was made of an object, if something tells whether it has changed.
    pub(crate) fn remember(
        &mut self,
        object: *mut PyObject,
        value: Value,
        depth: u32,
        before: u32,
        first: usize,
    ) {
        let (cells, guards) = (before - self.left, &self.guards[first..]);
        self.unguarded |= guards.is_empty() || guards.len() > GUARDS;
        if self.unguarded || cells < LEAST {
            return;
        }
        let memo = &mut self.memos[slot(object)];
        // SAFETY: it was just looked at.
        memo.class = unsafe { ffi::Py_TYPE(object) };
        (memo.object, memo.value, memo.depth, memo.cells) = (object, value, depth, cells);
        memo.short = self.short.then_some(before);
        memo.guards.clear();
        memo.guards.extend_from_slice(guards);
    }

    /// What is being read would be otherwise if this list or set had changed, whose parts are guarded from a place on.
    pub(crate) fn guard_looking(&mut self, object: *mut PyObject, value: Value, depth: u32, first: usize) {
        // Alone, it is not remembered.
        if self.remembers && self.inside.len() > 1 {
            self.guards.truncate(first);
            self.guards.push(Guard::Looking { object, hash: value.hash, depth });
            self.unguarded |= self.short;
        }
    }

    /// What is being read would be otherwise if this dictionary had changed.
    pub(crate) unsafe fn guard(&mut self, dictionary: *mut PyObject) {
        if self.remembers {
            let version = unsafe { version_of(dictionary) };
            self.guards.push(Guard::Dictionary { dictionary, version });
        }
    }
}

pub(crate) fn slot(object: *mut PyObject) -> usize {
    (object as usize >> 4) % MEMOS
}

/// The version of a dictionary.
///
/// # Safety
/// The dictionary is alive, and [`has_versions`].
#[inline]
pub(crate) unsafe fn version_of(dictionary: *mut PyObject) -> u64 {
    // Behind the header come how many entries there are, and the version.
    unsafe { *dictionary.add(1).cast::<u64>().add(1) }
}

/// Whether dictionaries have versions where they are looked for: tried out.
///
/// # Safety
/// The interpreter's lock is held.
pub(crate) unsafe fn has_versions() -> bool {
    if cfg!(Py_3_13) {
        return false;
    }
    unsafe {
        let (one, two) = (ffi::PyDict_New(), ffi::PyDict_New());
        let mut seen = vec![];
        if !one.is_null() && !two.is_null() {
            for change in 0..4 {
                seen.extend([version_of(one), version_of(two)]);
                let key = ffi::PyLong_FromLong(change % 2);
                ffi::PyDict_SetItem(one, key, if change < 2 { ffi::Py_None() } else { key });
                ffi::Py_XDECREF(key);
            }
            seen.push(version_of(one));
        }
        ffi::Py_XDECREF(one);
        ffi::Py_XDECREF(two);
        ffi::PyErr_Clear();
        // One has had five versions, the other one only one.
        let mut ones: Vec<u64> = seen.iter().step_by(2).copied().collect();
        let twos: Vec<u64> = seen.iter().skip(1).step_by(2).copied().collect();
        let is_steady = twos.windows(2).all(|pair| pair[0] == pair[1]);
        let grows = ones.windows(2).all(|pair| pair[0] < pair[1]);
        ones.extend(twos.first());
        ones.sort_unstable();
        ones.dedup();
        is_steady && grows && ones.len() == 6
    }
}
