//! Values as they are at one moment, as rows of a trail.
//!
//! A value is looked at from below: lists, dictionaries and objects are read by their structure, and no method of theirs is
//! called, so that nothing of the program runs that would not have run anyway. What is long or deep is cut off, visibly
//! ([`Word::Omitted`]). Values that are equal share their rows as far as they are met soon one after the other: a table of the last
//! ones by their content, and one of strings by identity. Equality is by a hash of the content, which also tells whether a
//! value has changed while a function ran.

use crate::atoms::{TINIES, Tiny};
use crate::attributes;
use crate::classes::{Class, type_name};
use crate::frames;
use crate::memo::{self, Guard, Memo};
use crate::objects::CLASSES;
use crate::times::Zone;
use crate::words::Word;
use gadfly_trail::run::model::{NodeId, Position, RawRef, Ref, Shape, ShapeId, What};
use gadfly_trail::run::stream::Stream;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How much of a value is kept: so many parts in all. The other limits are the same for all values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) cells: u32,
}

impl Limits {
    pub(crate) const FULL: Limits = Limits { cells: 2000 };
    pub(crate) const DEPTH: u32 = 10;
    /// Elements of one list, entries of one dictionary.
    pub(crate) const ELEMENTS: usize = 200;
    /// Characters of one string.
    pub(crate) const CHARACTERS: usize = 2000;

    /// No more than so many parts.
    #[inline]
    pub(crate) fn of(cells: u32) -> Limits {
        Limits { cells: cells.min(Limits::FULL.cells) }
    }
}

/// A value: a reference to its rows, and a hash of its content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) reference: RawRef,
    pub(crate) hash: u64,
    /// Whether it may change, or something in it may.
    pub(crate) mutable: bool,
    /// Whether there is more to it than its content: it must not be kept alive.
    pub(crate) is_object: bool,
}

impl Value {
    #[inline]
    pub(crate) fn plain(reference: RawRef) -> Value {
        // Whoever makes a hash of it mixes it.
        Value { reference, hash: reference.0 ^ 0x5151_7a3c_96e1_d40b, mutable: false, is_object: false }
    }
}

/// Values that were met not long ago, by content.
pub(crate) const RECENT: usize = 1 << 12;
/// Strings that were met not long ago, by identity.
const STRINGS: usize = 1 << 10;
/// Constants that were met not long ago, by identity.
const CONSTANTS: usize = 1 << 9;
/// Strings that are no longer are looked at anew unless they are shared.
pub(crate) const SHORT: isize = 40;
/// Lists and tuples of no more elements may be [flat](Values::flat).
pub(crate) const FLAT: usize = 8;
/// Shapes of values with fewer parts of so many words are found without hashing.
const SMALL: usize = 8;
const WORDS: usize = 64;
/// Tuples of so many parts are not to give way to strings, and frozen sets are not at all.
const LARGE: u32 = 8;

#[inline]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let product =
        u128::from(hash ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15)) * u128::from(0xd6e8_feb8_6659_fd93_u64);
    (product >> 64) as u64 ^ product as u64
}

/// What the hash of a value with parts begins with.
#[inline]
pub(crate) fn seed(word: u32, parts: usize) -> u64 {
    mix(u64::from(word) << 32 | parts as u64, 0x77)
}

/// A string that is held, or something else that lasts, with the reference of its value.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) object: *mut PyObject,
    reference: RawRef,
}

/// What it took to look at something that is remembered, less what it took to look at others, since, that are not remembered because
/// it is in their place. Where two that share a place are met in turn, the dear one stays, and one that is not met again
/// gives way at last.
#[derive(Clone, Copy, Default)]
pub(crate) struct Worth(u32);

impl Worth {
    /// Whether something gives way to another that took so much.
    #[inline]
    pub(crate) fn gives_way(&mut self, cost: u32) -> bool {
        let gives_way = self.0 <= cost;
        self.0 = if gives_way { cost } else { self.0 - cost };
        gives_way
    }
}

/// A tuple or set of a few values without parts, or a class that no program can change: held, with its value, which is
/// the same whenever there is room for its parts.
#[derive(Clone, Copy)]
pub(crate) struct Constant {
    object: *mut PyObject,
    value: Value,
    cells: u32,
    worth: Worth,
}

/// Writes values.
pub(crate) struct Values {
    pub(crate) stream: Stream,
    pub(crate) shapes: FxHashMap<(u32, u32), ShapeId>,
    /// The same for few parts of the first words.
    small_shapes: [Option<ShapeId>; SMALL * WORDS],
    pub(crate) classes: FxHashMap<*mut PyTypeObject, Rc<Class>>,
    pub(crate) recent_classes: Vec<(*mut PyTypeObject, Option<Rc<Class>>)>,
    /// Whether attributes are where [`Attributes`](crate::attributes::Attributes) looks for them.
    pub(crate) reads_attributes: bool,
    /// Constructors for objects: by class and names of fields.
    pub(crate) objects: FxHashMap<u64, u32>,
    pub(crate) constructors: u32,
    pub(crate) recent: Box<[(u64, u64); RECENT]>,
    pub(crate) strings: Box<[Known; STRINGS]>,
    /// The whole values of the strings, and what they are worth: apart, since they are seldom needed, and the others often.
    pub(crate) string_values: Box<[Value; STRINGS]>,
    string_worths: Box<[Worth; STRINGS]>,
    pub(crate) tinies: Box<[Tiny; TINIES]>,
    pub(crate) constants: Box<[Constant; CONSTANTS]>,
    pub(crate) memos: Vec<Memo>,
    /// Whether dictionaries have versions, so that they can be remembered.
    pub(crate) remembers: bool,
    /// What tells whether the value that is being read is still the same.
    pub(crate) guards: Vec<Guard>,
    /// Whether there is something that nothing could tell of.
    pub(crate) unguarded: bool,
    /// Whether there were too few parts left for all.
    pub(crate) short: bool,
    /// How many parts were not looked at, since they were known.
    pub(crate) free: u32,
    /// Whether small integers are where [`frames::small_integer`] looks for them.
    pub(crate) reads_integers: bool,
    /// The class of matches of `re`, once it was tried out how they are; null if they are otherwise.
    pub(crate) matches: Option<*mut PyTypeObject>,
    /// The time zone that was met last.
    pub(crate) zone: Box<Zone>,
    /// What stands for a value that nothing is kept of, once there was one.
    pub(crate) omitted: Option<Value>,
    /// What is being read, to notice what contains itself.
    pub(crate) inside: Vec<*mut PyObject>,
    /// The parts of what is being read, the innermost last.
    pub(crate) parts: Vec<Value>,
    /// On whose behalf.
    pub(crate) parent: NodeId,
    pub(crate) left: u32,
    /// What is to be let go when nobody looks at anything: it may have finalizers.
    pub(crate) dropped: Vec<*mut PyObject>,
    /// How many parts were looked at since somebody asked.
    pub(crate) spent: u32,
}

impl Values {
    pub(crate) fn new(stream: Stream, constructors: u32) -> Values {
        let (value, object) = (Value::plain(RawRef::UNKNOWN), std::ptr::null_mut());
        Values {
            stream,
            shapes: FxHashMap::default(),
            small_shapes: [None; SMALL * WORDS],
            classes: FxHashMap::default(),
            recent_classes: vec![(std::ptr::null_mut(), None); CLASSES],
            // SAFETY: the lock is held while anything is recorded.
            reads_attributes: unsafe { attributes::are_there() },
            objects: FxHashMap::default(),
            constructors,
            recent: Box::new([(0, 0); RECENT]),
            strings: Box::new([Known { object, reference: value.reference }; STRINGS]),
            string_values: Box::new([value; STRINGS]),
            string_worths: Box::new([Worth::default(); STRINGS]),
            tinies: Box::new([Tiny::none(value); TINIES]),
            constants: Box::new([Constant { object, value, cells: 0, worth: Worth::default() }; CONSTANTS]),
            memos: (0..memo::MEMOS).map(|_| Memo::none(value)).collect(),
            // SAFETY: as above.
            remembers: unsafe { memo::has_versions() },
            guards: Vec::new(),
            unguarded: false,
            short: false,
            free: 0,
            reads_integers: frames::has_small_integers(),
            matches: None,
            zone: Box::new(Zone::NONE),
            omitted: None,
            inside: Vec::new(),
            parts: Vec::new(),
            parent: NodeId::NONE,
            left: 0,
            spent: 0,
            dropped: Vec::new(),
        }
    }

    /// A value as it is now.
    ///
    /// # Safety
    /// The object is alive, and the interpreter's lock is held; here and below.
    pub(crate) unsafe fn value(&mut self, object: *mut PyObject, limits: Limits) -> Value {
        match unsafe { self.simple(object) } {
            Some(reference) => Value::plain(reference),
            None => unsafe { self.value_of_parts(object, limits) },
        }
    }

    /// The same of something that is not [seen at once](Values::simple).
    #[inline]
    pub(crate) unsafe fn value_of_parts(&mut self, object: *mut PyObject, limits: Limits) -> Value {
        self.left = limits.cells;
        (self.free, self.unguarded, self.short) = (0, false, false);
        self.guards.clear();
        let value = unsafe { self.see_parts(object, 0) };
        self.spent += (limits.cells - self.left).saturating_sub(self.free);
        value
    }

    #[inline]
    pub(crate) fn word(&self, word: Word) -> Value {
        Value::plain(RawRef::of(Ref::Constructor(word as u32)))
    }

    pub(crate) unsafe fn see(&mut self, object: *mut PyObject, depth: u32) -> Value {
        match unsafe { self.simple(object) } {
            Some(reference) => Value::plain(reference),
            None => unsafe { self.see_parts(object, depth) },
        }
    }

    /// What is seen of most values at once: a small integer, a string that is known, one of the constants. Whether
    /// integers are where they are looked for may be known already.
    #[inline(always)]
    pub(crate) unsafe fn quick<const READS: bool>(&self, object: *mut PyObject) -> Option<RawRef> {
        if let Some(reference) = unsafe { self.simple_if(object, READS || self.reads_integers) } {
            return Some(reference);
        }
        let known = &self.strings[slot(object)];
        if known.object == object {
            return Some(known.reference);
        }
        let constant = &self.constants[constant_slot(object)];
        if constant.object == object {
            return Some(constant.value.reference);
        }
        match unsafe { ffi::Py_TYPE(object) } == &raw mut ffi::PyUnicode_Type {
            true => unsafe { self.known_tiny(object) },
            false => None,
        }
    }

    /// The same, and a string or a short tuple, which are about as quick; they are made by a node.
    #[inline(always)]
    pub(crate) unsafe fn quick_or_flat(&mut self, object: *mut PyObject, node: NodeId) -> Option<RawRef> {
        if let Some(reference) = unsafe { self.quick::<false>(object) } {
            return Some(reference);
        }
        let class = unsafe { ffi::Py_TYPE(object) };
        if class == &raw mut ffi::PyTuple_Type {
            (self.parent, self.left) = (node, FLAT as u32);
            return unsafe { self.flat(object, false, 1) }.map(|value| value.reference);
        }
        if class == &raw mut ffi::PyUnicode_Type {
            self.parent = node;
            return Some(unsafe { self.string(object) }.reference);
        }
        None
    }

    /// A value whose reference says everything, the commonest first.
    #[inline(always)]
    pub(crate) unsafe fn simple(&self, object: *mut PyObject) -> Option<RawRef> {
        unsafe { self.simple_if(object, self.reads_integers) }
    }

    #[inline(always)]
    unsafe fn simple_if(&self, object: *mut PyObject, reads_integers: bool) -> Option<RawRef> {
        if object.is_null() {
            return Some(self.word(Word::Missing).reference);
        }
        let class = unsafe { ffi::Py_TYPE(object) };
        if class == &raw mut ffi::PyLong_Type && reads_integers {
            // SAFETY: it is an integer, and they were found to be where they are looked for.
            return unsafe { frames::small_integer(object) }.map(RawRef::int);
        }
        if object == unsafe { ffi::Py_None() } {
            return Some(self.word(Word::None).reference);
        }
        if class == &raw mut ffi::PyBool_Type {
            let is_true = object == unsafe { ffi::Py_True() };
            return Some(self.word(if is_true { Word::True } else { Word::False }).reference);
        }
        None
    }

    /// Any other value.
    pub(crate) unsafe fn see_parts(&mut self, object: *mut PyObject, depth: u32) -> Value {
        let class = unsafe { ffi::Py_TYPE(object) };
        if class == &raw mut ffi::PyUnicode_Type {
            return unsafe { self.string(object) };
        }
        if class == &raw mut ffi::PyLong_Type {
            return unsafe { self.integer(object) };
        }
        if class == &raw mut ffi::PyFloat_Type {
            let value = unsafe { ffi::PyFloat_AS_DOUBLE(object) };
            return self.float(value);
        }
        if (class == &raw mut ffi::PyList_Type || class == &raw mut ffi::PyTuple_Type)
            && depth < Limits::DEPTH
            && let Some(value) = unsafe { self.flat(object, class == &raw mut ffi::PyList_Type, depth + 1) }
        {
            if depth == 0 && class == &raw mut ffi::PyTuple_Type && unsafe { is_shared(object) } {
                unsafe { self.hold(object, value, FLAT as u32) };
            }
            return value;
        }
        // What does not change may be known.
        let lasts = class == &raw mut ffi::PyTuple_Type || class == &raw mut ffi::PyFrozenSet_Type;
        if lasts && self.strings[slot(object)].object == object {
            return self.string_values[slot(object)];
        }
        if self.left == 0 || depth >= Limits::DEPTH {
            self.short |= self.left == 0;
            return self.omitted(0);
        }
        let Constant { object: constant, value, cells, .. } = self.constants[constant_slot(object)];
        if constant == object && cells <= self.left {
            self.left -= cells;
            self.free += cells;
            return value;
        }
        if self.inside.contains(&object) {
            self.unguarded = true;
            return self.omitted(0);
        }
        let may_last = self.remembers && !lasts && class != &raw mut ffi::PyList_Type;
        if may_last && let Some(value) = unsafe { self.remembered(object, depth) } {
            return value;
        }
        if unsafe { ffi::PyType_HasFeature(class, ffi::Py_TPFLAGS_HEAPTYPE) } != 0
            && let Some(value) = unsafe { self.flat_object(object, class, depth + 1) }
        {
            return value;
        }
        let (before, first) = (self.left, self.guards.len());
        let outer = (self.unguarded, self.short);
        (self.unguarded, self.short) = (false, false);
        self.left -= 1;
        self.inside.push(object);
        let value = unsafe { self.structure(object, class, depth + 1) };
        self.inside.pop();
        let cells = before - self.left;
        if may_last && value.mutable {
            self.remember(object, value, depth, before, first);
        }
        self.unguarded |= outer.0;
        self.short |= outer.1;
        let is_large = class == &raw mut ffi::PyType_Type
            || lasts && (cells >= LARGE || class == &raw mut ffi::PyFrozenSet_Type);
        if is_large && unsafe { is_constant(object, class, cells) } {
            unsafe { self.hold_constant(object, value, cells) };
        } else if lasts && !value.is_object && self.left > 0 && unsafe { is_shared(object) } {
            unsafe { self.hold(object, value, cells) };
        }
        value
    }

    /// A short list or tuple of numbers, strings and such tuples, if it is one: most are, and need not go the whole way. However
    /// many elements it has, it counts as one part, so that there is room for it even where there is little.
    pub(crate) unsafe fn flat(&mut self, object: *mut PyObject, is_list: bool, depth: u32) -> Option<Value> {
        // SAFETY: lists and tuples have their length at the same place, and are of these types.
        let length = unsafe { ffi::Py_SIZE(object) } as usize;
        if length > FLAT || self.left == 0 || depth > Limits::DEPTH {
            return None;
        }
        let word = if is_list { Word::List } else { Word::Tuple } as u32;
        let mut hash = seed(word, length);
        let mut parts = [RawRef::UNKNOWN; FLAT];
        let before = self.left;
        self.left -= 1;
        for (at, part) in parts[..length].iter_mut().enumerate() {
            let element = match is_list {
                true => unsafe { ffi::PyList_GET_ITEM(object, at as isize) },
                false => unsafe { ffi::PyTuple_GET_ITEM(object, at as isize) },
            };
            let Some(value) = (unsafe { self.flat_element(element, depth) }) else {
                self.left = before;
                return None;
            };
            hash = mix(hash, value.hash);
            *part = value.reference;
        }
        let value = self.row(word, &parts[..length], hash, is_list);
        if is_list && self.remembers && !self.inside.is_empty() {
            self.guards.push(Guard::Looking { object, hash, depth });
        }
        Some(value)
    }

    #[inline]
    pub(crate) unsafe fn flat_element(&mut self, element: *mut PyObject, depth: u32) -> Option<Value> {
        if let Some(reference) = unsafe { self.simple(element) } {
            return Some(Value::plain(reference));
        }
        let class = unsafe { ffi::Py_TYPE(element) };
        if class == &raw mut ffi::PyUnicode_Type {
            return Some(unsafe { self.string(element) });
        }
        if class == &raw mut ffi::PyFloat_Type {
            return Some(self.float(unsafe { ffi::PyFloat_AS_DOUBLE(element) }));
        }
        match class == &raw mut ffi::PyTuple_Type {
            true => unsafe { self.flat(element, false, depth + 1) },
            false => None,
        }
    }

    /// Remembers a constant. It is held, so that nothing else can be where it is.
    pub(crate) unsafe fn hold_constant(&mut self, object: *mut PyObject, value: Value, cells: u32) {
        let place = &mut self.constants[constant_slot(object)];
        if !place.worth.gives_way(cells) {
            return;
        }
        unsafe { ffi::Py_INCREF(object) };
        let constant = Constant { object, value, cells, worth: place.worth };
        let before = std::mem::replace(place, constant);
        if !before.object.is_null() {
            self.dropped.push(before.object);
        }
    }

    pub(crate) unsafe fn structure(
        &mut self,
        object: *mut PyObject,
        class: *mut PyTypeObject,
        depth: u32,
    ) -> Value {
        unsafe {
            if class == &raw mut ffi::PyList_Type {
                return self.list(object, depth);
            }
            if class == &raw mut ffi::PyTuple_Type {
                return self.tuple(object, depth);
            }
            if class == &raw mut ffi::PyDict_Type {
                return self.dictionary(object, depth);
            }
            if class == &raw mut ffi::PySet_Type || class == &raw mut ffi::PyFrozenSet_Type {
                return self.set(object, class == &raw mut ffi::PyFrozenSet_Type, depth);
            }
            if class == &raw mut ffi::PyFunction_Type {
                let name = (*object.cast::<ffi::PyFunctionObject>()).func_qualname;
                let name = match name.is_null() || ffi::PyUnicode_CheckExact(name) == 0 {
                    true => self.text("?"),
                    false => self.string(name),
                };
                return self.make(Word::Function as u32, &[name], false);
            }
            if ffi::PyType_Check(object) != 0 {
                let name = type_name(object.cast());
                let name = self.text(&name);
                return self.make(Word::Class as u32, &[name], false);
            }
            if class == &raw mut ffi::PyBytes_Type {
                let length = ffi::PyBytes_Size(object) as usize;
                let bytes = std::slice::from_raw_parts(ffi::PyBytes_AS_STRING(object).cast::<u8>(), length);
                let kept = bytes.len().min(Limits::CHARACTERS);
                return self.packed(Word::Bytes, length, &bytes[..kept]);
            }
            if class == &raw mut PyMethod_Type {
                let of = self.see(PyMethod_Self(object), depth);
                let function = self.see(PyMethod_Function(object), depth);
                return self.make(Word::Method as u32, &[of, function], of.mutable);
            }
            if class == &raw mut ffi::PyComplex_Type {
                let value = ffi::PyComplex_AsCComplex(object);
                let parts = [self.float(value.real), self.float(value.imag)];
                return self.make(Word::Complex as u32, &parts, false);
            }
            if object == ffi::Py_Ellipsis() {
                return self.word(Word::Ellipsis);
            }
            if object == ffi::Py_NotImplemented() {
                return self.word(Word::NotImplemented);
            }
            self.object(object, class, depth)
        }
    }

    /// A value whose parts are the last ones, from a place on.
    pub(crate) fn gather(&mut self, word: u32, from: usize, mutable: bool) -> Value {
        let parts = std::mem::take(&mut self.parts);
        let value = self.make(word, &parts[from..], mutable);
        self.parts = parts;
        self.parts.truncate(from);
        value
    }

    /// A value with parts.
    pub(crate) fn make(&mut self, word: u32, parts: &[Value], mutable: bool) -> Value {
        let mut hash = seed(word, parts.len());
        let mut is_object = mutable || word >= Word::Function as u32;
        for part in parts {
            hash = mix(hash, part.hash);
            is_object |= part.is_object;
        }
        let references = parts.iter().map(|part| part.reference);
        let value = self.row_of(word, references, parts.len(), hash, mutable);
        Value { is_object, ..value }
    }

    /// A value whose parts have these references, and whose hash is known.
    #[inline]
    pub(crate) fn row(&mut self, word: u32, parts: &[RawRef], hash: u64, mutable: bool) -> Value {
        self.row_of(word, parts.iter().copied(), parts.len(), hash, mutable)
    }

    #[inline]
    pub(crate) fn row_of(
        &mut self,
        word: u32,
        parts: impl Iterator<Item = RawRef>,
        count: usize,
        hash: u64,
        mutable: bool,
    ) -> Value {
        let slot = hash as usize % RECENT;
        let (known, node) = self.recent[slot];
        if known == hash && node != 0 {
            return Value { reference: RawRef(node), hash, mutable, is_object: mutable };
        }
        let shape = self.shape(word, count as u32);
        self.stream.tell_all(shape, self.parent, count, parts);
        let reference = RawRef::node(self.stream.number());
        self.recent[slot] = (hash, reference.0);
        Value { reference, hash, mutable, is_object: mutable }
    }

    #[inline]
    pub(crate) fn shape(&mut self, word: u32, count: u32) -> ShapeId {
        let small = ((count as usize) < SMALL).then(|| word as usize * SMALL + count as usize);
        if let Some(Some(shape)) = small.and_then(|at| self.small_shapes.get(at)) {
            return *shape;
        }
        let shape = self.any_shape(word, count);
        if let Some(known) = small.and_then(|at| self.small_shapes.get_mut(at)) {
            *known = Some(shape);
        }
        shape
    }

    fn any_shape(&mut self, word: u32, count: u32) -> ShapeId {
        if let Some(shape) = self.shapes.get(&(word, count)) {
            return *shape;
        }
        let shape = Shape { what: What::Construct(word), position: Position::NONE, count, tail: false };
        let id = self.stream.define(shape);
        self.shapes.insert((word, count), id);
        id
    }

    pub(crate) fn omitted(&mut self, count: usize) -> Value {
        if let (0, Some(omitted)) = (count, self.omitted) {
            return omitted;
        }
        let value = self.make(Word::Omitted as u32, &[Value::plain(RawRef::int(count as i64))], false);
        if count == 0 {
            self.omitted = Some(value);
        }
        value
    }

    /// How a piece of code was left that gave a value.
    pub(crate) fn returned(&mut self, value: Value) -> Value {
        self.make(Word::Return as u32, &[value], false)
    }

    /// Remembers a value that lasts, which took so many steps to be made. It is held, so that nothing else can be where it is.
    pub(crate) unsafe fn hold(&mut self, object: *mut PyObject, value: Value, cost: u32) {
        if !self.string_worths[slot(object)].gives_way(cost) {
            return;
        }
        unsafe { ffi::Py_INCREF(object) };
        let known = Known { object, reference: value.reference };
        let before = std::mem::replace(&mut self.strings[slot(object)], known);
        self.string_values[slot(object)] = value;
        if !before.object.is_null() {
            self.dropped.push(before.object);
        }
    }

    pub(crate) unsafe fn list(&mut self, object: *mut PyObject, depth: u32) -> Value {
        let (length, from) = (unsafe { ffi::PyList_GET_SIZE(object) } as usize, self.parts.len());
        let (first, short) = (self.guards.len(), std::mem::replace(&mut self.short, false));
        unsafe { self.elements(length, depth, |at| ffi::PyList_GET_ITEM(object, at)) };
        let value = self.gather(Word::List as u32, from, true);
        self.guard_looking(object, value, depth, first);
        self.short |= short;
        value
    }

    pub(crate) unsafe fn tuple(&mut self, object: *mut PyObject, depth: u32) -> Value {
        let (length, from) = (unsafe { ffi::PyTuple_GET_SIZE(object) } as usize, self.parts.len());
        unsafe { self.elements(length, depth, |at| ffi::PyTuple_GET_ITEM(object, at)) };
        let mutable = self.parts[from..].iter().any(|part| part.mutable);
        self.gather(Word::Tuple as u32, from, mutable)
    }

    /// Puts elements to the parts.
    pub(crate) unsafe fn elements(&mut self, length: usize, depth: u32, at: impl Fn(isize) -> *mut PyObject) {
        for number in 0..length {
            if number >= Limits::ELEMENTS || self.left == 0 {
                self.short |= number < Limits::ELEMENTS;
                let rest = self.omitted(length - number);
                self.parts.push(rest);
                return;
            }
            self.left -= 1;
            let part = unsafe { self.see(at(number as isize), depth) };
            self.parts.push(part);
        }
    }

    /// Something with elements, of which the first are given.
    pub(crate) unsafe fn sequence(&mut self, length: usize, first: &[*mut PyObject], depth: u32) -> Value {
        let from = self.parts.len();
        self.unguarded = true;
        unsafe { self.elements(first.len(), depth, |at| first[at as usize]) };
        if first.len() < length {
            let rest = self.omitted(length - first.len());
            self.parts.push(rest);
        }
        self.gather(Word::List as u32, from, true)
    }

    /// What something writes of itself; null if it could not.
    pub(crate) unsafe fn written(&mut self, text: *mut PyObject) -> Value {
        let text = unsafe { utf8_or_clear(text) };
        let text = self.text(&text);
        self.make(Word::Written as u32, &[text], false)
    }

    /// An array, by what is shown of it and what tells whether it has changed.
    pub(crate) fn array_of(&mut self, text: &str, content: u64) -> Value {
        let text = self.text(text);
        self.unguarded = true;
        let value = self.make(Word::Written as u32, &[text], true);
        Value { hash: mix(value.hash, content), ..value }
    }

    /// Puts the keys and values of a dictionary to the parts.
    pub(crate) unsafe fn entries(&mut self, object: *mut PyObject, depth: u32) {
        let (mut position, mut key, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
        let length = unsafe { ffi::PyDict_Size(object) } as usize;
        let mut seen = 0;
        while unsafe { ffi::PyDict_Next(object, &mut position, &mut key, &mut value) } != 0 {
            if seen >= Limits::ELEMENTS || self.left < 2 {
                self.short |= seen < Limits::ELEMENTS;
                let rest = self.omitted(length - seen);
                self.parts.push(rest);
                return;
            }
            seen += 1;
            self.left -= 2;
            for part in [key, value] {
                let part = unsafe { self.see(part, depth) };
                self.parts.push(part);
            }
        }
    }

    pub(crate) unsafe fn dictionary(&mut self, object: *mut PyObject, depth: u32) -> Value {
        let from = self.parts.len();
        unsafe {
            self.guard(object);
            self.entries(object, depth);
        }
        self.gather(Word::Dict as u32, from, true)
    }

    pub(crate) unsafe fn set(&mut self, object: *mut PyObject, frozen: bool, depth: u32) -> Value {
        let (mut position, mut key, mut hash) = (0, std::ptr::null_mut(), 0);
        let (length, from) = (unsafe { ffi::PySet_Size(object) } as usize, self.parts.len());
        let (first, outer) = (self.guards.len(), std::mem::replace(&mut self.short, false));
        while unsafe { _PySet_NextEntry(object, &mut position, &mut key, &mut hash) } != 0 {
            if self.parts.len() - from >= Limits::ELEMENTS || self.left == 0 {
                self.short = true;
                break;
            }
            self.left -= 1;
            let part = unsafe { self.see(key, depth) };
            self.parts.push(part);
        }
        // The order of a set is nobody's business, and not the same in the next run; nor is the node that an equal value has.
        self.parts[from..].sort_by_key(|part| match part.reference.see() {
            Ref::Node(_) => (true, 0, part.hash),
            _ => (false, part.reference.0 as i64, part.hash),
        });
        let seen = self.parts.len() - from;
        if seen < length {
            let rest = self.omitted(length - seen);
            self.parts.push(rest);
        }
        let value = self.gather(if frozen { Word::FrozenSet } else { Word::Set } as u32, from, !frozen);
        if !frozen {
            self.guard_looking(object, value, depth, first);
        }
        self.short |= outer;
        value
    }
}

/// The text of a string; of none, that there is none.
pub(crate) unsafe fn utf8_or_clear(text: *mut PyObject) -> String {
    if text.is_null() {
        unsafe { ffi::PyErr_Clear() };
        return "?".to_owned();
    }
    unsafe { utf8(text) }.map_or_else(|| "?".to_owned(), |text| String::from_utf8_lossy(text).into_owned())
}

/// Whether a value is the same whenever it is looked at, after so many parts were looked at: a class that no program can change,
/// and what does not change and was seen as a whole, in which nothing else has parts.
unsafe fn is_constant(object: *mut PyObject, class: *mut PyTypeObject, cells: u32) -> bool {
    unsafe {
        if class == &raw mut ffi::PyType_Type {
            return ffi::PyType_HasFeature(object.cast(), ffi::Py_TPFLAGS_HEAPTYPE) == 0;
        }
        let length = match class {
            _ if class == &raw mut ffi::PyTuple_Type => ffi::PyTuple_GET_SIZE(object),
            _ if class == &raw mut ffi::PyFrozenSet_Type => ffi::PySet_Size(object),
            _ => return false,
        };
        if length as usize > Limits::ELEMENTS || cells as usize != 1 + length as usize {
            return false;
        }
        if class == &raw mut ffi::PyTuple_Type {
            return (0..length).all(|at| has_no_parts(ffi::PyTuple_GET_ITEM(object, at)));
        }
        let (mut position, mut key, mut hash) = (0, std::ptr::null_mut(), 0);
        while _PySet_NextEntry(object, &mut position, &mut key, &mut hash) != 0 {
            if !has_no_parts(key) {
                return false;
            }
        }
        true
    }
}

unsafe fn has_no_parts(object: *mut PyObject) -> bool {
    let classes = [
        &raw mut ffi::PyLong_Type,
        &raw mut ffi::PyUnicode_Type,
        &raw mut ffi::PyBool_Type,
        &raw mut ffi::PyFloat_Type,
    ];
    object == unsafe { ffi::Py_None() } || classes.contains(&unsafe { ffi::Py_TYPE(object) })
}

/// Whether several have an object, so that it will be met again; holding what nobody else has would only keep memory from being
/// used again.
pub(crate) unsafe fn is_shared(object: *mut PyObject) -> bool {
    unsafe { ffi::Py_REFCNT(object) > 2 }
}

fn constant_slot(object: *mut PyObject) -> usize {
    (object as usize >> 4) % CONSTANTS
}

/// Where a value that lasts is remembered.
#[inline]
pub(crate) fn slot(object: *mut PyObject) -> usize {
    (object as usize >> 4) % STRINGS
}

/// The text of a string that is valid UTF-8; it lives as long as the string.
pub(crate) unsafe fn utf8<'a>(object: *mut PyObject) -> Option<&'a [u8]> {
    let mut size = 0;
    let text = unsafe { ffi::PyUnicode_AsUTF8AndSize(object, &mut size) };
    if text.is_null() {
        unsafe { ffi::PyErr_Clear() };
        return None;
    }
    Some(unsafe { std::slice::from_raw_parts(text.cast::<u8>(), size as usize) })
}

/// The text of a string whose characters have one byte each in UTF-8.
#[inline]
pub(crate) unsafe fn ascii<'a>(object: *mut PyObject) -> Option<&'a [u8]> {
    let length = unsafe { ffi::PyUnicode_GET_LENGTH(object) } as usize;
    // SAFETY: the characters lie behind each other.
    #[cfg(not(Py_3_14))]
    unsafe {
        (ffi::PyUnicode_IS_COMPACT_ASCII(object) != 0)
            .then(|| std::slice::from_raw_parts(ffi::PyUnicode_DATA(object).cast::<u8>(), length))
    }
    #[cfg(Py_3_14)]
    unsafe {
        utf8(object).filter(|text| text.len() == length)
    }
}

unsafe extern "C" {
    static mut PyMethod_Type: PyTypeObject;
    pub(crate) fn PyMethod_Self(method: *mut PyObject) -> *mut PyObject;
    pub(crate) fn PyMethod_Function(method: *mut PyObject) -> *mut PyObject;
    pub(crate) fn _PySet_NextEntry(
        set: *mut PyObject,
        position: *mut isize,
        key: *mut *mut PyObject,
        hash: *mut isize,
    ) -> std::ffi::c_int;
}
