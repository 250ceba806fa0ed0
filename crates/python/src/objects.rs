//! Objects and exceptions: by the fields that their class says they have, without running any code of theirs.

use crate::classes::{Class, class_key, describe, has_member, shown_name, type_name};
use crate::library;
use crate::memo::{self, Guard};
use crate::values::{FLAT, Limits, Value, Values, mix, utf8};
use crate::words::{Word, constructor};
use gadfly_trail::run::model::Tables;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use std::ffi::CStr;
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
            // A class may go away, and another one be where it was, or it may be changed: then its version is another.
            let version = (*class).tp_version_tag;
            let known =
                match self.classes.get(&class).filter(|known| known.version == version && version != 0) {
                    Some(known) => Rc::clone(known),
                    None => {
                        let known = Rc::new(describe(class));
                        self.classes.insert(class, Rc::clone(&known));
                        known
                    }
                };
            if let Some(library) = known.library {
                return self.library(object, library, depth);
            }
            self.by_fields(object, class, &known, depth)
        }
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
            let dictionary = match known.has_dictionary {
                true => dictionary_of(object),
                false => std::ptr::null_mut(),
            };
            match dictionary.is_null() || !known.slots.is_empty() {
                true => self.unguarded |= !known.is_fixed,
                false if self.remembers => {
                    let version = memo::version_of(dictionary);
                    self.guards.push(Guard::Object { object, class, dictionary, version });
                }
                false => {}
            }
            self.fields(object, known, dictionary, depth)
        }
    }

    /// An object by its fields: what its class inherits from, slots, and its dictionary.
    pub(crate) unsafe fn fields(
        &mut self,
        object: *mut PyObject,
        known: &Class,
        dictionary: *mut PyObject,
        depth: u32,
    ) -> Value {
        let from = self.parts.len();
        let mut key = known.key;
        unsafe {
            if known.is_enumeration
                && !dictionary.is_null()
                && let Some(name) = text_at(dictionary, c"_name_")
            {
                let key = name.bytes().fold(key, |key, byte| mix(key, u64::from(byte)));
                return self.record(key, from, || (format!("{}.{name}", known.name), Vec::new()));
            }
            let inherits = self.inherited(object, depth);
            if let (Some(fields), Some(_)) = (&known.fields, inherits)
                && fields.len() == self.parts.len() - from
            {
                let mutable = !known.is_fixed || self.parts[from..].iter().any(|part| part.mutable);
                let value = self.record(mix(key, 1), from, || (known.name.clone(), fields.clone()));
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
            let (mut position, mut name, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
            let mut cut = false;
            while !dictionary.is_null()
                && ffi::PyDict_Next(dictionary, &mut position, &mut name, &mut value) != 0
            {
                if self.left == 0 || self.parts.len() - from >= Limits::ELEMENTS {
                    self.short = true;
                    let rest = self.omitted(0);
                    self.parts.push(rest);
                    cut = true;
                    break;
                }
                self.left -= 1;
                let part = self.see(value, depth);
                self.parts.push(part);
                // Names of attributes are interned: one object for each.
                key = mix(key, name as u64);
            }
            let names = || {
                let mut names: Vec<String> = Vec::new();
                names.extend(inherits.map(|_| String::new()));
                let filled = known.slots.iter().filter(|(_, member)| has_member(object, *member));
                names.extend(filled.map(|(name, _)| name.clone()).take(slots - names.len()));
                let (mut position, mut name, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
                while !dictionary.is_null()
                    && ffi::PyDict_Next(dictionary, &mut position, &mut name, &mut value) != 0
                {
                    names.push(shown_name(name));
                }
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
                    self.unguarded |= self.guards.get(first).is_none_or(|guard| guard.of() != element);
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
        let key = mix(key, (self.parts.len() - from) as u64);
        let word = match self.objects.get(&key) {
            Some(word) => *word,
            None => {
                let (name, fields) = told();
                let of = if fields.is_empty() { "python.con" } else { "python.object" };
                let new = constructor(&name, of, fields);
                self.stream.more(Tables { constructors: vec![new], ..Tables::default() });
                self.objects.insert(key, self.constructors);
                self.constructors += 1;
                self.constructors - 1
            }
        };
        self.gather(word, from, true)
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

/// The string that a dictionary has for a name.
unsafe fn text_at(dictionary: *mut PyObject, name: &CStr) -> Option<String> {
    let found = unsafe { ffi::PyDict_GetItemString(dictionary, name.as_ptr()) };
    if found.is_null() || unsafe { ffi::PyUnicode_CheckExact(found) } == 0 {
        return None;
    }
    unsafe { utf8(found) }.map(|text| String::from_utf8_lossy(text).into_owned())
}
