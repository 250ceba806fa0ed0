//! Objects and exceptions: by the fields that their class says they have, without running any code of theirs.

use crate::attributes::{Attributes, Fields};
use crate::classes::{Class, class_key, describe, has_member, shown_name, type_name};
use crate::library;
use crate::memo::{self, Guard};
use crate::values::{FLAT, Limits, Value, Values, mix, seed, utf8};
use crate::words::{Word, constructor};
use gadfly_trail::run::model::{RawRef, Tables};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use std::rc::Rc;

impl Values {
    /// An object of any other class.
    pub(crate) unsafe fn object(
        &mut self,
        object: *mut PyObject,
        class: *mut PyTypeObject,
        depth: u32,
    ) -> Value {
        unsafe {
            if ffi::PyExceptionInstance_Check(object) != 0 {
                return self.exception(object, depth);
            }
            if ffi::PyType_HasFeature(class, ffi::Py_TPFLAGS_HEAPTYPE) == 0 {
                return match library::known(class) {
                    Some(library) => self.library(object, library, depth),
                    None => self.opaque(class),
                };
            }
            let known = self.class(class);
            if let Some(library) = known.library {
                return self.library(object, library, depth);
            }
            self.by_fields(object, class, &known, depth)
        }
    }

    /// How objects of a class are read.
    unsafe fn class(&mut self, class: *mut PyTypeObject) -> Rc<Class> {
        // A class may go away, and another one be where it was, or it may be changed: then its version is another.
        let version = unsafe { (*class).tp_version_tag };
        let known = match self.classes.get(&class).filter(|known| known.version == version && version != 0) {
            Some(known) => Rc::clone(known),
            None => {
                let known = Rc::new(unsafe { describe(class) });
                self.classes.insert(class, Rc::clone(&known));
                known
            }
        };
        let recent = &mut self.recent_classes[recent_slot(class)];
        if recent.1.as_ref().is_none_or(|recent| !Rc::ptr_eq(recent, &known)) {
            *recent = (class, Some(Rc::clone(&known)));
        }
        known
    }

    /// An object that has a few attributes, and nothing else, which are numbers, strings and the like: as quick as a short list, and it
    /// counts as one part as well. Nothing if it is otherwise.
    #[inline]
    pub(crate) unsafe fn flat_object(
        &mut self,
        object: *mut PyObject,
        class: *mut PyTypeObject,
        depth: u32,
    ) -> Option<Value> {
        let mut parts = [RawRef::UNKNOWN; FLAT];
        if self.left == 0 || depth > Limits::DEPTH {
            return None;
        }
        let (word, count, hash) = unsafe { self.flat_fields(object, class, depth, &mut parts) }?;
        self.left -= 1;
        let value = self.row(word, &parts[..count], hash, true);
        if self.remembers && !self.inside.is_empty() {
            self.guards.push(Guard::Looking { object, hash, depth });
        }
        Some(value)
    }

    /// The constructor of such an object, how many parts it has, its hash and the parts.
    pub(crate) unsafe fn flat_fields(
        &mut self,
        object: *mut PyObject,
        class: *mut PyTypeObject,
        depth: u32,
        parts: &mut [RawRef; FLAT],
    ) -> Option<(u32, usize, u64)> {
        unsafe {
            let (of, known) = &self.recent_classes[recent_slot(class)];
            let version = (*class).tp_version_tag;
            let is_recent = |known: &&Rc<Class>| *of == class && known.version == version && version != 0;
            let described;
            let known = match known.as_ref().filter(is_recent) {
                Some(known) => known,
                None => {
                    // Whether an object is such a one must not depend on what was met before.
                    described = self.class(class);
                    &described
                }
            };
            if !known.is_plain {
                return None;
            }
            let fields = self.fields_of(object, class, known);
            let count = fields.count();
            // Most of those that are not are seen not to be.
            if count >= FLAT || matches!(fields, Fields::Array(array) if !array.is_flat()) {
                return None;
            }
            let arrangement = fields.arrangement();
            let (last, mut word) = known.last.get();
            if last != arrangement {
                let known = Rc::clone(known);
                word = self.constructor_of(&known, fields);
                known.last.set((arrangement, word));
            }
            let first = seed(word, count);
            let hash = match fields {
                Fields::Array(array) => {
                    self.flat_values((0..count).map(|at| array.value(at)), first, depth, parts)
                }
                _ => self.flat_values(fields.all().map(|(_, value)| value), first, depth, parts),
            };
            Some((word, count, hash?))
        }
    }

    /// The parts of such an object, and its hash.
    #[inline(always)]
    unsafe fn flat_values(
        &mut self,
        values: impl Iterator<Item = *mut PyObject>,
        first: u64,
        depth: u32,
        parts: &mut [RawRef; FLAT],
    ) -> Option<u64> {
        let (before, mut hash) = (self.left, first);
        for (part, value) in parts.iter_mut().zip(values) {
            let Some(value) = (unsafe { self.flat_element(value, depth) }) else {
                self.left = before;
                return None;
            };
            hash = mix(hash, value.hash);
            *part = value.reference;
        }
        self.left = before;
        Some(hash)
    }

    /// What an object says of itself. An array is not made into a dictionary for that.
    #[inline(always)]
    unsafe fn fields_of(&self, object: *mut PyObject, class: *mut PyTypeObject, known: &Class) -> Fields {
        unsafe {
            if known.keeps_attributes
                && self.reads_attributes
                && let Some(attributes) = Attributes::of(object, class)
            {
                return Fields::Array(attributes);
            }
            let dictionary = if known.has_dictionary { dictionary_of(object) } else { std::ptr::null_mut() };
            if dictionary.is_null() { Fields::Nothing } else { Fields::Dictionary(dictionary) }
        }
    }

    /// The constructor of objects that have these attributes, and all of them.
    #[cold]
    unsafe fn constructor_of(&mut self, known: &Class, fields: Fields) -> u32 {
        let named = || unsafe { fields.all() }.map(|(name, _)| name);
        let key = named().fold(known.key, |key, name| mix(key, name as u64));
        self.constructor(mix(key, 0), named().count(), || {
            (known.name.clone(), named().map(|name| unsafe { shown_name(name) }).collect())
        })
    }

    /// An object of a class that is only taken for one of the library's.
    pub(crate) unsafe fn plain_object(
        &mut self,
        object: *mut PyObject,
        class: *mut PyTypeObject,
        depth: u32,
    ) -> Value {
        match self.classes.get(&class).map(Rc::clone) {
            Some(known) => unsafe { self.by_fields(object, class, &known, depth) },
            None => unsafe { self.opaque(class) },
        }
    }

    unsafe fn by_fields(
        &mut self,
        object: *mut PyObject,
        class: *mut PyTypeObject,
        known: &Class,
        depth: u32,
    ) -> Value {
        unsafe {
            let fields = self.fields_of(object, class, known);
            match fields {
                _ if !known.slots.is_empty() => self.unguarded |= !known.is_fixed,
                Fields::Nothing => self.unguarded |= !known.is_fixed,
                Fields::Array(attributes) if self.remembers => {
                    let content = self.content(attributes);
                    self.guards.push(Guard::Array { object, class, content });
                }
                Fields::Dictionary(dictionary) if self.remembers => {
                    let version = memo::version_of(dictionary);
                    self.guards.push(Guard::Object { object, class, dictionary, version });
                }
                Fields::Array(_) | Fields::Dictionary(_) => {}
            }
            self.fields(object, known, fields, depth)
        }
    }

    /// An object by its fields: what its class inherits from, slots, and its attributes.
    unsafe fn fields(&mut self, object: *mut PyObject, known: &Class, fields: Fields, depth: u32) -> Value {
        let from = self.parts.len();
        let mut key = known.key;
        unsafe {
            if known.is_enumeration
                && let Some(name) = text_of(fields, b"_name_")
            {
                let key = name.bytes().fold(key, |key, byte| mix(key, u64::from(byte)));
                return self.record(key, from, || (format!("{}.{name}", known.name), Vec::new()));
            }
            let inherits = self.inherited(object, depth);
            if let (Some(names), Some(_)) = (&known.fields, inherits)
                && names.len() == self.parts.len() - from
            {
                let mutable = !known.is_fixed || self.parts[from..].iter().any(|part| part.mutable);
                let value = self.record(mix(key, 1), from, || (known.name.clone(), names.clone()));
                return Value { mutable, ..value };
            }
            if let Some(word) = inherits {
                let inner = self.gather(word as u32, from, true);
                self.parts.push(inner);
                key = mix(key, 2);
            }
            for (row, (_, member)) in known.slots.iter().enumerate() {
                let value = ffi::PyMember_GetOne(object.cast(), *member);
                if value.is_null() {
                    ffi::PyErr_Clear();
                    continue;
                }
                self.short |= self.left == 0;
                if self.left > 0 {
                    self.left -= 1;
                    let part = self.see(value, depth);
                    self.parts.push(part);
                    key = mix(key, 3 + row as u64);
                }
                // Whoever has the object has what is in it.
                ffi::Py_DECREF(value);
            }
            let slots = self.parts.len() - from;
            let mut cut = false;
            let is_guarded = self.remembers && matches!(fields, Fields::Array(_));
            let mut is_told = true;
            for (name, value) in fields.all() {
                if self.left == 0 || self.parts.len() - from >= Limits::ELEMENTS {
                    self.short = true;
                    let rest = self.omitted(0);
                    self.parts.push(rest);
                    cut = true;
                    break;
                }
                self.left -= 1;
                let first = self.guards.len();
                let part = self.see(value, depth);
                self.parts.push(part);
                // Names of attributes are interned: one object for each.
                key = mix(key, name as u64);
                // Where something was, another may be: it must tell itself, or be known by its content.
                is_told &= !is_guarded
                    || self.content_of(value).is_some()
                    || self.guards.get(first).is_some_and(|guard| guard.of() == value);
            }
            if !is_told {
                // A dictionary would tell.
                self.unguarded = true;
                if !self.short && self.parts.len() - from >= memo::LEAST as usize {
                    dictionary_of(object);
                }
            }
            let names = || {
                let mut names: Vec<String> = Vec::new();
                names.extend(inherits.map(|_| String::new()));
                let filled = known.slots.iter().filter(|(_, member)| has_member(object, *member));
                names.extend(filled.map(|(name, _)| name.clone()).take(slots - names.len()));
                names.extend(fields.all().map(|(name, _)| shown_name(name)));
                names
            };
            let count = self.parts.len() - from;
            let mutable = !known.is_fixed || self.parts[from..].iter().any(|part| part.mutable);
            let value = self.record(mix(key, u64::from(cut)), from, || {
                let mut names = names();
                names.truncate(count);
                if cut && let Some(last) = names.last_mut() {
                    *last = "…".to_owned();
                }
                (known.name.clone(), names)
            });
            Value { mutable, ..value }
        }
    }

    /// What an object holds as a list, tuple or dictionary that its class inherits from: put to the parts.
    pub(crate) unsafe fn inherited(&mut self, object: *mut PyObject, depth: u32) -> Option<Word> {
        unsafe {
            if ffi::PyTuple_Check(object) != 0 {
                self.guarded_tuple(object, depth);
                return Some(Word::Tuple);
            }
            if ffi::PyList_Check(object) != 0 {
                self.unguarded = true;
                let length = ffi::PyList_GET_SIZE(object) as usize;
                self.elements(length, depth, |at| ffi::PyList_GET_ITEM(object, at));
                return Some(Word::List);
            }
            if ffi::PyDict_Check(object) != 0 {
                self.guard(object);
                self.entries(object, depth);
                return Some(Word::Dict);
            }
            None
        }
    }

    /// The elements of a tuple of some class, put to the parts.
    unsafe fn guarded_tuple(&mut self, object: *mut PyObject, depth: u32) {
        let length = unsafe { ffi::PyTuple_GET_SIZE(object) } as usize;
        if !self.remembers || length > FLAT {
            self.unguarded = true;
            return unsafe { self.elements(length, depth, |at| ffi::PyTuple_GET_ITEM(object, at)) };
        }
        let content = unsafe { self.identities(object) };
        self.guards.push(Guard::Tuple { object, content });
        for at in 0..length {
            if self.left == 0 {
                self.short = true;
                let rest = self.omitted(length - at);
                return self.parts.push(rest);
            }
            self.left -= 1;
            let element = unsafe { ffi::PyTuple_GET_ITEM(object, at as isize) };
            let part = match unsafe { self.simple(element) } {
                Some(reference) => Value::plain(reference),
                None => {
                    let first = self.guards.len();
                    let part = unsafe { self.see_parts(element, depth) };
                    // It must tell itself whether it is another one at the same place.
                    self.unguarded |= unsafe { self.content_of(element) }.is_none()
                        && self.guards.get(first).is_none_or(|guard| guard.of() != element);
                    part
                }
            };
            self.parts.push(part);
        }
    }

    /// A value of a class, of the last parts; `key` stands for the class and the names of its fields, which are asked for once.
    pub(crate) fn record(
        &mut self,
        key: u64,
        from: usize,
        told: impl FnOnce() -> (String, Vec<String>),
    ) -> Value {
        let word = self.constructor(key, self.parts.len() - from, told);
        self.gather(word, from, true)
    }

    /// The constructor of such a value with so many parts.
    fn constructor(&mut self, key: u64, count: usize, told: impl FnOnce() -> (String, Vec<String>)) -> u32 {
        let key = mix(key, count as u64);
        if let Some(word) = self.objects.get(&key) {
            return *word;
        }
        let (name, fields) = told();
        let of = if fields.is_empty() { "python.con" } else { "python.object" };
        let new = constructor(&name, of, fields);
        self.stream.more(Tables { constructors: vec![new], ..Tables::default() });
        self.objects.insert(key, self.constructors);
        self.constructors += 1;
        self.constructors - 1
    }

    /// An exception that is not made yet: its class, and what it is to be made of.
    pub(crate) unsafe fn unmade_exception(
        &mut self,
        class: *mut PyObject,
        argument: *mut PyObject,
        limits: Limits,
    ) -> Value {
        if class.is_null() || unsafe { ffi::PyType_Check(class) } == 0 {
            return unsafe { self.value(class, limits) };
        }
        let (name, from) = (type_name(class.cast()), self.parts.len());
        match argument {
            argument if argument.is_null() || argument == unsafe { ffi::Py_None() } => {}
            argument if unsafe { ffi::PyTuple_CheckExact(argument) } != 0 => {
                for at in 0..unsafe { ffi::PyTuple_GET_SIZE(argument) } {
                    let part = unsafe { self.value(ffi::PyTuple_GET_ITEM(argument, at), limits) };
                    self.parts.push(part);
                }
            }
            argument => {
                let part = unsafe { self.value(argument, limits) };
                self.parts.push(part);
            }
        }
        self.record(mix(class_key(class.cast()), 0xe), from, || (name, Vec::new()))
    }

    pub(crate) unsafe fn exception(&mut self, object: *mut PyObject, depth: u32) -> Value {
        let (class, from) = (unsafe { ffi::Py_TYPE(object) }, self.parts.len());
        self.unguarded = true;
        let arguments = unsafe { (*object.cast::<ffi::PyBaseExceptionObject>()).args };
        if !arguments.is_null() && unsafe { ffi::PyTuple_CheckExact(arguments) } != 0 {
            let length = unsafe { ffi::PyTuple_GET_SIZE(arguments) } as usize;
            unsafe { self.elements(length, depth, |at| ffi::PyTuple_GET_ITEM(arguments, at)) };
        }
        self.record(mix(class_key(class), 0xe), from, || (type_name(class), Vec::new()))
    }

    pub(crate) unsafe fn opaque(&mut self, class: *mut PyTypeObject) -> Value {
        let name = type_name(class);
        let name = self.text(&name);
        self.make(Word::Opaque as u32, &[name], false)
    }
}

/// Classes of objects that were met not long ago, by where they are.
pub(crate) const CLASSES: usize = 1 << 6;

#[inline]
fn recent_slot(class: *mut PyTypeObject) -> usize {
    (class as usize >> 5) % CLASSES
}

/// The dictionary of an object that has one; whoever has the object has it. Null if it could not be made.
pub(crate) unsafe fn dictionary_of(object: *mut PyObject) -> *mut PyObject {
    unsafe {
        let dictionary = ffi::PyObject_GenericGetDict(object, std::ptr::null_mut());
        match dictionary.is_null() {
            true => ffi::PyErr_Clear(),
            false => ffi::Py_DECREF(dictionary),
        }
        dictionary
    }
}

/// The string that an object has for a name.
unsafe fn text_of(fields: Fields, name: &[u8]) -> Option<String> {
    unsafe {
        let is_text = |object| ffi::PyUnicode_CheckExact(object) != 0;
        let (_, value) = fields.all().find(|(found, _)| is_text(*found) && utf8(*found) == Some(name))?;
        let text = if is_text(value) { utf8(value) } else { None };
        text.map(|text| String::from_utf8_lossy(text).into_owned())
    }
}
