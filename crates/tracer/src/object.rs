//! Objects of the program, for as long as somebody looks at them.
//!
//! A [`Look`] lasts from the moment the interpreter tells of an event until everything about it is written down. While it lasts, nothing
//! of Python's runs, so whatever is alive stays alive and stays as it is. An [`Object`] is a borrowed reference that carries the
//! lifetime of its look: the compiler does not let it be kept until the next one, and so no pointer is ever read whose object
//! may have died. What is wanted for longer has to be one of two things:
//!
//! - [`Held`]: an owned reference to something that nobody can see alive or dead: an exact number or string, a tuple of such, or a
//!   class of the interpreter's. It may be kept for as long as we like, and its address is proof of its identity. (Not a frozen set: it can
//!   have weak references.)
//! - [`Owned`]: an owned reference to anything else, kept only while a call is open that has the object anyway. Its death may run
//!   code of the program, so it is not dropped but [released](crate::hook::let_go) when no look is going on.
//!
//! Everything here reads fields of the interpreter's structures, or calls functions of its that run no code of the program, allocate nothing
//! that the collector tracks, and bring no count to zero.

use crate::hook::frames::{self, SmallIntegers};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::ffi::{CStr, c_ulong};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// The time in which an event is written down.
pub(crate) struct Look {
    _stays_in_its_thread: PhantomData<*mut ()>,
}

impl Look {
    /// Begins to look.
    ///
    /// # Safety
    /// The interpreter's lock is held until the look is over, and nothing of Python's runs.
    #[inline(always)]
    pub(crate) unsafe fn begin() -> Look {
        crate::hook::gate::GATE.fetch_or_unshared(crate::hook::gate::LOOKING);
        Look { _stays_in_its_thread: PhantomData }
    }

    /// Keeps the collector away while something is written down.
    #[inline(always)]
    pub(crate) fn uncollected(&self) -> Uncollected {
        Uncollected::begin(PhantomData)
    }

    /// The exception that is being handled: its class, itself and where it was.
    pub(crate) fn handled(&self) -> [Option<Owned>; 3] {
        let (mut class, mut handled, mut trace) = Default::default();
        // SAFETY: whoever looks holds the lock; what we are given is ours.
        #[allow(deprecated, reason = "what is newer is not in all interpreters")]
        unsafe {
            ffi::PyErr_GetExcInfo(&mut class, &mut handled, &mut trace);
            [class, handled, trace].map(|object| Owned::given(object))
        }
    }

    /// Something that the interpreter gave; nothing if it is null.
    ///
    /// # Safety
    /// The object is alive, and somebody else has it as long as the look lasts.
    #[inline(always)]
    pub(crate) unsafe fn object(&self, object: *mut PyObject) -> Option<Object<'_>> {
        NonNull::new(object).map(|object| Object(object, PhantomData))
    }
}

impl Drop for Look {
    #[inline(always)]
    fn drop(&mut self) {
        crate::hook::gate::GATE.fetch_and_unshared(!crate::hook::gate::LOOKING);
    }
}

/// The collector does not run while this is there. Up to 3.11 it runs wherever something that it tracks is allocated, and with it
/// finalizers of the program's; later only between instructions. The program cannot ask meanwhile whether it is enabled.
pub(crate) struct Uncollected {
    #[cfg(not(Py_3_12))]
    was_enabled: bool,
}

impl Uncollected {
    #[inline(always)]
    fn begin(_looks: PhantomData<&Look>) -> Uncollected {
        Uncollected {
            #[cfg(not(Py_3_12))]
            // SAFETY: whoever looks holds the interpreter's lock.
            was_enabled: unsafe { ffi::PyGC_Disable() } != 0,
        }
    }
}

#[cfg(not(Py_3_12))]
impl Drop for Uncollected {
    #[inline(always)]
    fn drop(&mut self) {
        if self.was_enabled {
            // SAFETY: the lock is held as long as this is there.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

/// An object that is being looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'l>(NonNull<PyObject>, PhantomData<&'l Look>);

/// A class, of an object that is being looked at or as one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Class<'l>(NonNull<PyTypeObject>, PhantomData<&'l Look>);

impl<'l> Object<'l> {
    /// Something that was read from an object that is being looked at.
    ///
    /// # Safety
    /// The object is alive as long as the look lasts.
    #[inline(always)]
    unsafe fn inner(object: *mut PyObject) -> Option<Object<'l>> {
        NonNull::new(object).map(|object| Object(object, PhantomData))
    }

    /// For functions of the interpreter's.
    #[inline(always)]
    pub(crate) fn pointer(self) -> *mut PyObject {
        self.0.as_ptr()
    }

    /// Keeps the collector away while the object is written down.
    #[inline(always)]
    pub(crate) fn uncollected(self) -> Uncollected {
        Uncollected::begin(self.1)
    }

    /// Where it is: the same for no two objects of one look, and no proof of anything beyond that.
    #[inline(always)]
    pub(crate) fn address(self) -> usize {
        self.0.as_ptr().addr()
    }

    #[inline(always)]
    pub(crate) fn class(self) -> Class<'l> {
        // SAFETY: it is alive, so it has a class.
        Class(unsafe { NonNull::new_unchecked(ffi::Py_TYPE(self.pointer())) }, PhantomData)
    }

    /// Whether its class is exactly this one.
    #[inline(always)]
    pub(crate) fn is_a(self, class: *mut PyTypeObject) -> bool {
        self.class().pointer() == class
    }

    #[inline(always)]
    pub(crate) fn is_none(self) -> bool {
        // SAFETY: it is there for ever; here and below.
        self.pointer() == unsafe { ffi::Py_None() }
    }

    #[inline(always)]
    pub(crate) fn is_true(self) -> bool {
        // SAFETY: as above.
        self.pointer() == unsafe { ffi::Py_True() }
    }

    pub(crate) fn is_ellipsis(self) -> bool {
        // SAFETY: as above.
        self.pointer() == unsafe { ffi::Py_Ellipsis() }
    }

    /// The class of what is thrown into a generator that is closed.
    pub(crate) fn is_generator_exit(self) -> bool {
        // SAFETY: as above.
        self.pointer() == unsafe { ffi::PyExc_GeneratorExit }
    }

    pub(crate) fn is_not_implemented(self) -> bool {
        // SAFETY: as above.
        self.pointer() == unsafe { ffi::Py_NotImplemented() }
    }

    /// A class as an object.
    pub(crate) fn as_class(self) -> Option<Class<'l>> {
        let is_class = self.class().has(ffi::Py_TPFLAGS_TYPE_SUBCLASS);
        is_class.then(|| Class(self.0.cast(), PhantomData))
    }

    /// Whether several have it, so that it will be met again; holding what nobody else has would only keep memory from being used again.
    #[inline]
    pub(crate) fn is_shared(self) -> bool {
        // SAFETY: it is alive.
        unsafe { ffi::Py_REFCNT(self.pointer()) > 2 }
    }

    /// An exact integer.
    #[inline(always)]
    pub(crate) fn integer(self) -> Option<Integer<'l>> {
        self.is_a(&raw mut ffi::PyLong_Type).then_some(Integer(self))
    }

    /// A float, if it is exactly one.
    #[inline(always)]
    pub(crate) fn float(self) -> Option<f64> {
        self.is_a(&raw mut ffi::PyFloat_Type).then(|| {
            // SAFETY: it is one.
            unsafe { ffi::PyFloat_AS_DOUBLE(self.pointer()) }
        })
    }

    /// The parts of a complex number, if it is exactly one.
    pub(crate) fn complex(self) -> Option<[f64; 2]> {
        self.is_a(&raw mut ffi::PyComplex_Type).then(|| {
            // SAFETY: it is one, so nothing is asked for a number.
            let value = unsafe { ffi::PyComplex_AsCComplex(self.pointer()) };
            [value.real, value.imag]
        })
    }

    /// A list, or an object of a class that inherits from it.
    #[inline(always)]
    pub(crate) fn list(self) -> Option<List<'l>> {
        self.class().has(ffi::Py_TPFLAGS_LIST_SUBCLASS).then_some(List(self))
    }

    /// A tuple, or an object of a class that inherits from it.
    #[inline(always)]
    pub(crate) fn tuple(self) -> Option<Tuple<'l>> {
        self.class().has(ffi::Py_TPFLAGS_TUPLE_SUBCLASS).then_some(Tuple(self))
    }

    /// A dictionary, or an object of a class that inherits from it.
    #[inline(always)]
    pub(crate) fn dict(self) -> Option<Dict<'l>> {
        self.class().has(ffi::Py_TPFLAGS_DICT_SUBCLASS).then_some(Dict(self))
    }

    /// A set or a frozen set, or an object of a class that inherits from one, and whether it is frozen.
    #[inline]
    pub(crate) fn set(self) -> Option<(Set<'l>, bool)> {
        is_set_class(self.class()).map(|frozen| (Set(self), frozen))
    }

    /// A string, if it is exactly one.
    #[inline(always)]
    pub(crate) fn text(self) -> Option<Text<'l>> {
        self.is_a(&raw mut ffi::PyUnicode_Type).then_some(Text(self))
    }

    /// Bytes, if it is exactly such.
    pub(crate) fn bytes(self) -> Option<&'l [u8]> {
        self.is_a(&raw mut ffi::PyBytes_Type).then(|| {
            // SAFETY: so many lie behind each other, and they stay as they are.
            unsafe {
                let length = ffi::PyBytes_Size(self.pointer()) as usize;
                std::slice::from_raw_parts(ffi::PyBytes_AS_STRING(self.pointer()).cast(), length)
            }
        })
    }

    /// The full name of a function, if it is one.
    pub(crate) fn function_name(self) -> Option<Option<Text<'l>>> {
        self.is_a(&raw mut ffi::PyFunction_Type).then(|| {
            // SAFETY: it is one, and has its name.
            let name = unsafe { (*self.pointer().cast::<ffi::PyFunctionObject>()).func_qualname };
            // SAFETY: the function has its name as long as it lives.
            unsafe { Object::inner(name) }.and_then(Object::text)
        })
    }

    /// The object and the function of a bound method, if it is one.
    pub(crate) fn method(self) -> Option<(Object<'l>, Object<'l>)> {
        if !self.is_a(&raw mut PyMethod_Type) {
            return None;
        }
        // SAFETY: it is one, and has both as long as it lives.
        unsafe {
            let of = Object::inner(PyMethod_Self(self.pointer()))?;
            Some((of, Object::inner(PyMethod_Function(self.pointer()))?))
        }
    }

    /// What an exception was made of, if it is one.
    pub(crate) fn exception(self) -> Option<Option<Tuple<'l>>> {
        self.class().has(ffi::Py_TPFLAGS_BASE_EXC_SUBCLASS).then(|| {
            // SAFETY: it is one.
            let arguments = unsafe { (*self.pointer().cast::<ffi::PyBaseExceptionObject>()).args };
            // SAFETY: the exception has its arguments as long as nothing runs.
            let arguments = unsafe { Object::inner(arguments) };
            arguments.filter(|arguments| arguments.is_a(&raw mut ffi::PyTuple_Type)).and_then(Object::tuple)
        })
    }

    /// What stands at a place of it.
    ///
    /// # Safety
    /// A reference to an object, or null, stands there as long as the look lasts.
    #[inline]
    pub(crate) unsafe fn part(self, offset: isize) -> Option<Object<'l>> {
        // SAFETY: as the caller says.
        unsafe { Object::inner(*self.pointer().cast::<u8>().offset(offset).cast::<*mut PyObject>()) }
    }

    /// Something else that lives at least as long, by its place.
    ///
    /// # Safety
    /// This object has it, or what has this object, as long as the look lasts.
    #[inline(always)]
    pub(crate) unsafe fn beside(self, object: *mut PyObject) -> Option<Object<'l>> {
        // SAFETY: as the caller says.
        unsafe { Object::inner(object) }
    }

    /// What is in it, if it is a cell, which keeps that as long as nothing runs.
    pub(crate) fn in_cell(self) -> Option<Object<'l>> {
        if !self.is_a(&raw mut ffi::PyCell_Type) {
            return None;
        }
        // SAFETY: it is a cell. The count that we are given is not the last one.
        unsafe {
            let content = ffi::PyCell_Get(self.pointer());
            ffi::Py_XDECREF(content);
            Object::inner(content)
        }
    }

    /// The cells of a function, if it is one and has any.
    pub(crate) fn closure(self) -> Option<Tuple<'l>> {
        if !self.is_a(&raw mut ffi::PyFunction_Type) {
            return None;
        }
        // SAFETY: it is one, and has them as long as it lives.
        unsafe { Object::inner(ffi::PyFunction_GetClosure(self.pointer())) }?.tuple()
    }
}

impl<'l> Class<'l> {
    #[inline(always)]
    pub(crate) fn pointer(self) -> *mut PyTypeObject {
        self.0.as_ptr()
    }

    #[inline(always)]
    pub(crate) fn address(self) -> usize {
        self.0.as_ptr().addr()
    }

    #[inline(always)]
    pub(crate) fn flags(self) -> c_ulong {
        // SAFETY: it is alive; here and below.
        unsafe { (*self.pointer()).tp_flags }
    }

    #[inline(always)]
    pub(crate) fn has(self, flag: c_ulong) -> bool {
        self.flags() & flag != 0
    }

    /// Whether a program can have made it; else it is part of the interpreter or of an extension.
    #[inline(always)]
    pub(crate) fn is_heap(self) -> bool {
        self.has(ffi::Py_TPFLAGS_HEAPTYPE)
    }

    /// Whether no program can change it, and none can have made it: `class` statements and `type` never do this.
    #[inline]
    pub(crate) fn is_immutable(self) -> bool {
        const IMMUTABLE: c_ulong = 1 << 8;
        !self.is_heap() || self.has(IMMUTABLE)
    }

    /// The name that its definition in C has, or a program's class by its own words.
    pub(crate) fn full_name(self) -> &'l CStr {
        // SAFETY: a class has a name as long as it lives.
        unsafe { CStr::from_ptr((*self.pointer()).tp_name) }
    }

    /// Its own name, without its module.
    pub(crate) fn name(self) -> String {
        let name = self.full_name().to_string_lossy();
        name.rsplit('.').next().unwrap_or_default().to_owned()
    }

    /// A number that no other class ever has, nor this one after it was changed; none if it has none now.
    #[inline(always)]
    pub(crate) fn version(self) -> Option<u32> {
        const VALID: c_ulong = 1 << 19;
        // SAFETY: as above.
        let version = unsafe { (*self.pointer()).tp_version_tag };
        let is_valid = cfg!(Py_3_13) || self.has(VALID);
        (version != 0 && is_valid).then_some(version)
    }

    /// It and what it inherits from, in the order in which attributes are looked for.
    pub(crate) fn bases(self) -> impl DoubleEndedIterator<Item = Class<'l>> {
        // SAFETY: a tuple of classes, or null.
        let bases = unsafe { Object::inner((*self.pointer()).tp_mro) }.and_then(Object::tuple);
        let count = bases.map_or(0, Tuple::length);
        (0..count).filter_map(move |at| bases?.get(at).as_class())
    }

    /// What its body defined.
    pub(crate) fn dictionary(self) -> Option<Dict<'l>> {
        // SAFETY: a dictionary, or null.
        unsafe { Object::inner((*self.pointer()).tp_dict) }.and_then(Object::dict)
    }

    /// The class of it.
    pub(crate) fn meta(self) -> Class<'l> {
        Object(self.0.cast(), PhantomData).class()
    }

    /// Gives a program's class an allocator of its own, which does what the usual one does.
    #[inline]
    pub(crate) fn give_own_allocator(self) {
        if self.is_heap() {
            // SAFETY: it is alive, and whoever looks holds the lock.
            unsafe { own_allocator(self.pointer()) };
        }
    }

    pub(crate) fn inherits_from(self, base: Class<'_>) -> bool {
        // SAFETY: both are classes that are alive.
        unsafe { ffi::PyType_IsSubtype(self.pointer(), base.pointer()) != 0 }
    }
}

/// Gives a program's class an allocator of its own. Calls that were made to be quick find that it is another class now.
pub(crate) fn give_own_allocator(class: &Bound<'_, PyType>) {
    let class = class.as_type_ptr();
    // SAFETY: it is a class that is alive, and the lock is held.
    unsafe {
        if ffi::PyType_HasFeature(class, ffi::Py_TPFLAGS_HEAPTYPE) != 0 && own_allocator(class) {
            ffi::PyType_Modified(class);
        }
    }
}

/// The same without a word; says whether it had the usual one.
///
/// # Safety
/// The class is alive, one of the heap's, and the lock is held.
unsafe fn own_allocator(class: *mut PyTypeObject) -> bool {
    unsafe extern "C" fn allocate(class: *mut PyTypeObject, count: isize) -> *mut PyObject {
        // SAFETY: whoever calls an allocator calls the usual one so, too.
        unsafe { ffi::PyType_GenericAlloc(class, count) }
    }
    // SAFETY: as the caller says; a class of the heap may be written.
    unsafe {
        let is_usual = (*class).tp_alloc.is_some_and(|allocator| {
            std::ptr::fn_addr_eq(allocator, ffi::PyType_GenericAlloc as ffi::allocfunc)
        });
        if is_usual {
            (*class).tp_alloc = Some(allocate);
        }
        is_usual
    }
}

/// An exact integer.
#[derive(Clone, Copy)]
pub(crate) struct Integer<'l>(Object<'l>);

impl Integer<'_> {
    /// If it has at most one digit.
    #[inline(always)]
    pub(crate) fn small(self, known: SmallIntegers) -> Option<i64> {
        // SAFETY: it is one.
        unsafe { frames::small_integer(self.0.pointer(), known) }
    }

    /// If it fits.
    pub(crate) fn value(self) -> Option<i64> {
        let mut overflow = 0;
        // SAFETY: it is one, so nothing is asked for a number.
        let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(self.0.pointer(), &mut overflow) };
        (overflow == 0).then_some(value)
    }

    /// How many digits of thirty bits it has; none where that is not known.
    pub(crate) fn digits(self) -> usize {
        // SAFETY: it is one.
        unsafe { frames::digits(self.0.pointer()) }
    }

    /// It in base 16, as `hex` writes it.
    pub(crate) fn hexadecimal(self) -> Option<Owned> {
        // SAFETY: it is one, which is written by the interpreter itself, into a string that is ours.
        unsafe { Owned::made(ffi::PyNumber_ToBase(self.0.pointer(), 16)) }
    }
}

/// Whether objects of a class are sets, and whether frozen ones.
pub(crate) fn is_set_class(class: Class<'_>) -> Option<bool> {
    let (set, frozen) = (&raw mut ffi::PySet_Type, &raw mut ffi::PyFrozenSet_Type);
    // SAFETY: they are classes; the interpreter walks up their bases.
    let inherits =
        |base| class.pointer() == base || unsafe { ffi::PyType_IsSubtype(class.pointer(), base) } != 0;
    match () {
        () if inherits(set) => Some(false),
        () if inherits(frozen) => Some(true),
        () => None,
    }
}

/// A list, or what inherits from it.
#[derive(Clone, Copy)]
pub(crate) struct List<'l>(Object<'l>);

impl<'l> List<'l> {
    #[inline(always)]
    pub(crate) fn length(self) -> usize {
        // SAFETY: it is a list.
        unsafe { ffi::PyList_GET_SIZE(self.0.pointer()) as usize }
    }

    /// An element.
    #[inline(always)]
    pub(crate) fn get(self, at: usize) -> Option<Object<'l>> {
        debug_assert!(at < self.length());
        // SAFETY: the list is as long as that; an element that a function in C has not set yet is null.
        unsafe { Object::inner(ffi::PyList_GET_ITEM(self.0.pointer(), at as isize)) }
    }
}

impl List<'_> {
    /// Whether it begins with these objects, one after the other.
    #[inline]
    pub(crate) fn begins_with(self, held: &[Held]) -> bool {
        if held.is_empty() || self.length() < held.len() {
            return held.is_empty();
        }
        // SAFETY: it has at least so many elements, and each of both is a pointer.
        unsafe {
            let elements = (*self.0.pointer().cast::<ffi::PyListObject>()).ob_item.cast::<usize>();
            let held = std::slice::from_raw_parts(held.as_ptr().cast::<usize>(), held.len());
            std::slice::from_raw_parts(elements, held.len()) == held
        }
    }
}

/// A tuple, or what inherits from it.
#[derive(Clone, Copy)]
pub(crate) struct Tuple<'l>(Object<'l>);

impl<'l> Tuple<'l> {
    #[inline(always)]
    pub(crate) fn length(self) -> usize {
        // SAFETY: it is a tuple.
        unsafe { ffi::PyTuple_GET_SIZE(self.0.pointer()) as usize }
    }

    /// An element; `None` stands for one that a function in C has not set yet.
    #[inline(always)]
    pub(crate) fn get(self, at: usize) -> Object<'l> {
        self.try_get(at).unwrap_or_else(none)
    }

    #[inline(always)]
    pub(crate) fn try_get(self, at: usize) -> Option<Object<'l>> {
        debug_assert!(at < self.length());
        // SAFETY: the tuple is as long as that.
        unsafe { Object::inner(ffi::PyTuple_GET_ITEM(self.0.pointer(), at as isize)) }
    }

    pub(crate) fn all(self) -> impl Iterator<Item = Object<'l>> {
        (0..self.length()).map(move |at| self.get(at))
    }
}

/// Python's `None`.
#[inline]
pub(crate) fn none<'l>() -> Object<'l> {
    // SAFETY: it is there for ever.
    Object(unsafe { NonNull::new_unchecked(ffi::Py_None()) }, PhantomData)
}

/// A dictionary, or what inherits from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dict<'l>(Object<'l>);

impl<'l> Dict<'l> {
    #[inline]
    pub(crate) fn length(self) -> usize {
        // SAFETY: it is a dictionary.
        unsafe { ffi::PyDict_Size(self.0.pointer()) as usize }
    }

    /// Keys and values in their order: no method of the dictionary's is called.
    #[inline]
    pub(crate) fn entries(self) -> impl Iterator<Item = (Object<'l>, Object<'l>)> {
        let mut position = 0;
        std::iter::from_fn(move || {
            let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
            // SAFETY: it is a dictionary, and stays as it is.
            unsafe {
                match ffi::PyDict_Next(self.0.pointer(), &mut position, &mut key, &mut value) {
                    0 => None,
                    _ => Some((Object::inner(key)?, Object::inner(value)?)),
                }
            }
        })
    }

    /// What it has for an exact string. A key of the program's own class that has the same hash would be asked whether it is equal, so
    /// dictionaries that may have such keys are gone through one by one.
    #[inline]
    pub(crate) fn get(self, name: &Held) -> Option<Object<'l>> {
        if crate::values::attributes::has_only_text_keys(self.0.pointer()) {
            // SAFETY: it is a dictionary whose keys are exact strings, and so is the name.
            return unsafe { Object::inner(ffi::PyDict_GetItem(self.0.pointer(), name.pointer())) };
        }
        let wanted = name.text()?;
        self.entries()
            .find(|(key, _)| key.text().is_some_and(|key| key.is_equal(wanted)))
            .map(|(_, value)| value)
    }
}

/// A set or a frozen set, or what inherits from one.
#[derive(Clone, Copy)]
pub(crate) struct Set<'l>(Object<'l>);

impl<'l> Set<'l> {
    #[inline]
    pub(crate) fn length(self) -> usize {
        // SAFETY: it is a set.
        unsafe { ffi::PySet_Size(self.0.pointer()) as usize }
    }

    /// The table that it is made of: places for elements, each with its hash. Two tables that are the same word for word have the same elements
    /// as long as these live. Nothing where it was not found to be where it is looked for ([`try_out_sets`]).
    #[inline]
    pub(crate) fn table(self) -> Option<&'l [u8]> {
        SETS.get().copied().unwrap_or(false).then(|| {
            // SAFETY: so it was tried out, and it is a set; words are bytes.
            unsafe {
                let table = self.read_table();
                std::slice::from_raw_parts(table.as_ptr().cast(), size_of_val(table))
            }
        })
    }

    /// # Safety
    /// It is a set, as 3.10 to 3.14 have them.
    unsafe fn read_table(self) -> &'l [[usize; 2]] {
        // Behind the header come how many places are in use, how many elements there are, a mask, and where the table is.
        const MASK: usize = size_of::<PyObject>() + 2 * size_of::<usize>();
        const TABLE: usize = MASK + size_of::<usize>();
        // SAFETY: it is a set, as the caller says, and has so many places.
        unsafe {
            let start = self.0.pointer().cast::<u8>();
            let places = *start.add(MASK).cast::<usize>() + 1;
            std::slice::from_raw_parts(*start.add(TABLE).cast::<*const [usize; 2]>(), places)
        }
    }

    /// The elements, in any order.
    pub(crate) fn elements(self) -> impl Iterator<Item = Object<'l>> {
        let mut position = 0;
        std::iter::from_fn(move || {
            let (mut key, mut hash) = (std::ptr::null_mut(), 0);
            // SAFETY: it is a set, and stays as it is.
            unsafe {
                match _PySet_NextEntry(self.0.pointer(), &mut position, &mut key, &mut hash) {
                    0 => None,
                    _ => Object::inner(key),
                }
            }
        })
    }
}

/// Whether sets have their tables where they are looked for.
static SETS: OnceLock<bool> = OnceLock::new();

/// Finds that out. Nobody looks.
pub(crate) fn try_out_sets(_python: Python<'_>) {
    if SETS.get().is_some() {
        return;
    }
    // SAFETY: the lock is held, and nothing runs until the look is over.
    let is_there = unsafe {
        let made = ffi::PyRun_String(
            c"frozenset(range(100)), frozenset('abc')".as_ptr(),
            ffi::Py_eval_input,
            ffi::PyEval_GetBuiltins(),
            ffi::PyEval_GetBuiltins(),
        );
        let look = Look::begin();
        let is_there = look.object(made).and_then(Object::tuple).is_some_and(|sets| {
            sets.all().all(|set| {
                let (Some((set, _)), size) = (set.set(), (*set.class().pointer()).tp_basicsize) else {
                    return false;
                };
                // Three words, a pointer, a hash, a finger, eight places, weak references.
                let words = 2 + 3 + 1 + 2 + 16 + 1;
                size as usize == words * size_of::<usize>() && set.read_table().len() >= set.length() && {
                    let keys: Vec<usize> =
                        set.read_table().iter().map(|place| place[0]).filter(|key| *key != 0).collect();
                    set.elements().map(Object::address).eq(keys)
                }
            })
        });
        drop(look);
        ffi::Py_XDECREF(made);
        ffi::PyErr_Clear();
        is_there
    };
    // Somebody else may have done it meanwhile, with the same result.
    let _ = SETS.set(is_there);
}

/// An exact string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'l>(Object<'l>);

impl<'l> Text<'l> {
    #[inline(always)]
    pub(crate) fn object(self) -> Object<'l> {
        self.0
    }

    /// How many characters it has.
    #[inline(always)]
    pub(crate) fn length(self) -> usize {
        // SAFETY: it is a string.
        unsafe { ffi::PyUnicode_GET_LENGTH(self.0.pointer()) as usize }
    }

    /// Its characters, if each has one byte in UTF-8.
    #[inline(always)]
    pub(crate) fn ascii(self) -> Option<&'l [u8]> {
        // SAFETY: the characters lie behind each other, and stay as they are. One with a byte each that is not a compact one of
        // ASCII has one that takes two bytes.
        unsafe {
            #[cfg(not(Py_3_14))]
            let is_ascii = ffi::PyUnicode_IS_COMPACT_ASCII(self.0.pointer()) != 0;
            #[cfg(Py_3_14)]
            let is_ascii = ffi::PyUnicode_KIND(self.0.pointer()) == 1;
            if !is_ascii {
                return None;
            }
            let data = ffi::PyUnicode_DATA(self.0.pointer()).cast::<u8>();
            let text = std::slice::from_raw_parts(data, self.length());
            (cfg!(not(Py_3_14)) || text.is_ascii()).then_some(text)
        }
    }

    /// One of its characters by number, where it has them.
    #[inline]
    fn characters(self, first: usize, most: usize) -> impl Iterator<Item = u32> {
        #[cfg(not(Py_3_12))]
        // SAFETY: it is a string. One that was made by an old way in C may have no characters yet.
        let is_ready = unsafe { ffi::PyUnicode_IS_READY(self.0.pointer()) } != 0;
        #[cfg(Py_3_12)]
        let is_ready = true;
        let length = if is_ready { self.length() } else { 0 };
        let (kind, data) = match is_ready {
            // SAFETY: as above.
            true => unsafe { (ffi::PyUnicode_KIND(self.0.pointer()), ffi::PyUnicode_DATA(self.0.pointer())) },
            false => (1, std::ptr::null_mut()),
        };
        (first..length.min(first.saturating_add(most))).map(move |at| {
            // SAFETY: so many there are, of this kind.
            unsafe {
                match kind {
                    1 => u32::from(*data.cast::<u8>().add(at)),
                    2 => u32::from(*data.cast::<u16>().add(at)),
                    _ => *data.cast::<u32>().add(at),
                }
            }
        })
    }

    /// Writes so many characters from one on in UTF-8; half surrogates are written out. The string does not get to know its UTF-8,
    /// as it would if the interpreter were asked for it: that takes memory that `sys.getsizeof` tells.
    pub(crate) fn write(self, first: usize, most: usize, out: &mut Vec<u8>) {
        out.clear();
        for character in self.characters(first, most) {
            match char::from_u32(character) {
                Some(character) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                None => out.extend_from_slice(format!("\\u{character:04x}").as_bytes()),
            }
        }
    }

    /// The bytes in which the interpreter has its characters, or so many of them; and whether that is all.
    pub(crate) fn raw(self, most: usize) -> (&'l [u8], bool) {
        #[cfg(not(Py_3_12))]
        // SAFETY: as above.
        if unsafe { ffi::PyUnicode_IS_READY(self.0.pointer()) } == 0 {
            return (&[], false);
        }
        // SAFETY: it is a string, which has so many characters of this size behind each other, and they stay as they are.
        unsafe {
            let size = ffi::PyUnicode_KIND(self.0.pointer()) as usize * self.length();
            let data = ffi::PyUnicode_DATA(self.0.pointer()).cast::<u8>();
            (std::slice::from_raw_parts(data, size.min(most)), size <= most)
        }
    }

    /// The whole of it.
    pub(crate) fn whole(self) -> String {
        if let Some(text) = self.ascii() {
            return String::from_utf8_lossy(text).into_owned();
        }
        let mut out = Vec::new();
        self.write(0, usize::MAX, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    pub(crate) fn is_equal(self, other: Text<'_>) -> bool {
        self.0.pointer() == other.0.pointer()
            || self.length() == other.length()
                && self.characters(0, usize::MAX).eq(other.characters(0, usize::MAX))
    }

    pub(crate) fn is(self, text: &str) -> bool {
        self.ascii() == Some(text.as_bytes())
    }
}

/// Something of our own to be kept: see the rules above.
#[derive(Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Held(NonNull<PyObject>);

impl Held {
    /// Holds an object, if nobody can see whether it lives.
    #[inline]
    pub(crate) fn of(object: Object<'_>) -> Option<Held> {
        // SAFETY: it is inert.
        is_inert(object, NESTED).then(|| unsafe { Held::inert(object) })
    }

    /// Holds a string.
    #[inline]
    pub(crate) fn text_of(text: Text<'_>) -> Held {
        // SAFETY: an exact string is inert.
        unsafe { Held::inert(text.0) }
    }

    /// Holds an object.
    ///
    /// # Safety
    /// It is inert: nobody can see whether it lives, and it never changes.
    pub(crate) unsafe fn inert(object: Object<'_>) -> Held {
        // It is alive.
        // SAFETY: it is alive.
        unsafe { ffi::Py_INCREF(object.pointer()) };
        Held(object.0)
    }

    /// A name as a string, which is kept as long as this.
    pub(crate) fn name(name: &str) -> Option<Held> {
        // SAFETY: the lock is held while anything is recorded; strings are not tracked.
        unsafe {
            let mut object = ffi::PyUnicode_FromStringAndSize(name.as_ptr().cast(), name.len() as isize);
            if object.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            ffi::PyUnicode_InternInPlace(&mut object);
            NonNull::new(object).map(Held)
        }
    }

    #[inline(always)]
    pub(crate) fn is(&self, object: Object<'_>) -> bool {
        self.0 == object.0
    }

    #[inline(always)]
    pub(crate) fn pointer(&self) -> *mut PyObject {
        self.0.as_ptr()
    }

    pub(crate) fn text(&self) -> Option<Text<'_>> {
        Object(self.0, PhantomData).text()
    }
}

impl Drop for Held {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: it is ours, and its death runs nothing.
        unsafe { ffi::Py_DECREF(self.0.as_ptr()) };
    }
}

/// How deep tuples in tuples may be that are held.
const NESTED: u32 = 3;
/// How many characters a string may have that is held in any number, and elements a tuple.
pub(crate) const LONGEST_HELD: usize = 4 << 10;
const MOST_HELD: usize = 200;

/// Whether something is a number, a string or the like, exactly.
#[inline]
pub(crate) fn is_atom(object: Object<'_>) -> bool {
    let class = object.class().pointer();
    class == &raw mut ffi::PyLong_Type
        || class == &raw mut ffi::PyUnicode_Type
        || class == &raw mut ffi::PyFloat_Type
        || class == &raw mut ffi::PyBool_Type
        || object.is_none()
}

/// Whether nobody can see whether something lives: no finalizer, no weak reference, and nothing in it that has any.
fn is_inert(object: Object<'_>, nested: u32) -> bool {
    if let Some(text) = object.text() {
        return text.length() <= LONGEST_HELD;
    }
    if is_atom(object) {
        return true;
    }
    if object.is_a(&raw mut ffi::PyTuple_Type) {
        let Some(tuple) = object.tuple() else { return false };
        return nested > 0
            && tuple.length() <= MOST_HELD
            && tuple.all().all(|element| is_inert(element, nested - 1));
    }
    object.as_class().is_some_and(|class| !class.is_heap())
}

/// An object that is kept while a call is open that has it, too.
#[derive(Debug)]
#[must_use = "what is owned has to be released when nobody looks"]
pub(crate) struct Owned(NonNull<PyObject>);

impl Owned {
    pub(crate) fn of(object: Object<'_>) -> Owned {
        // SAFETY: it is alive.
        unsafe { ffi::Py_INCREF(object.pointer()) };
        Owned(object.0)
    }

    /// A count that somebody gave us.
    ///
    /// # Safety
    /// It is ours.
    pub(crate) unsafe fn given(object: *mut PyObject) -> Option<Owned> {
        NonNull::new(object).map(Owned)
    }

    /// What a function of the interpreter's made for us; if it failed, nothing is left of that.
    ///
    /// # Safety
    /// It is ours, or null with an exception set, and the lock is held.
    pub(crate) unsafe fn made(object: *mut PyObject) -> Option<Owned> {
        if object.is_null() {
            // SAFETY: the lock is held.
            unsafe { ffi::PyErr_Clear() };
        }
        NonNull::new(object).map(Owned)
    }

    /// It, in the look in which something else is seen.
    #[inline(always)]
    pub(crate) fn see_with<'l>(&self, other: Object<'l>) -> Object<'l> {
        Object(self.0, other.1)
    }

    #[inline(always)]
    pub(crate) fn see<'l>(&self, _look: &'l Look) -> Object<'l> {
        // It is alive as long as it is owned, and released after the look at the earliest.
        Object(self.0, PhantomData)
    }

    #[inline(always)]
    pub(crate) fn pointer(&self) -> *mut PyObject {
        self.0.as_ptr()
    }

    /// Lets it go at once.
    ///
    /// # Safety
    /// Somebody else has it, or its death runs nothing.
    pub(crate) unsafe fn discard(self) {
        // SAFETY: it is ours, and as the caller says.
        unsafe { ffi::Py_DECREF(self.0.as_ptr()) };
    }

    /// Lets it go, which may run code of the program.
    ///
    /// # Safety
    /// Nobody looks, nor has a reference to the recorder.
    pub(crate) unsafe fn release(self) {
        debug_assert!(crate::hook::gate::GATE.load(Ordering::Relaxed) & crate::hook::gate::LOOKING == 0);
        // SAFETY: it is ours. Nobody looks, as the caller says, so that its death may run what it likes.
        unsafe { ffi::Py_DECREF(self.0.as_ptr()) };
    }
}

unsafe extern "C" {
    static mut PyMethod_Type: PyTypeObject;
    fn PyMethod_Self(method: *mut PyObject) -> *mut PyObject;
    fn PyMethod_Function(method: *mut PyObject) -> *mut PyObject;
    fn _PySet_NextEntry(
        set: *mut PyObject,
        position: *mut isize,
        key: *mut *mut PyObject,
        hash: *mut isize,
    ) -> std::ffi::c_int;
}
