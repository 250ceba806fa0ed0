//! Values that are known again when the same object is met: strings, tuples of numbers and strings, frozen sets of such.
//!
//! An entry is for an object that is [held](Held), so that no other one can be where it is; or, for a frozen set, for the elements that it
//! has, which are held. Whether there is an entry makes no difference to what is shown, nor to what it counts for: which objects share a
//! place depends on where they are, and that is not the same in another run.

use crate::object::{Held, LONGEST_HELD, Object, Text, is_atom};
use crate::values::eviction::EvictionCost;
use crate::values::{Limits, Value};
use gadfly_trail::model::RawRef;
use pyo3::ffi;

/// So many strings and short tuples are known, and so many larger things.
const STRINGS: usize = 1 << 10;
const CONSTANTS: usize = 1 << 9;

/// A string or a short tuple, with the reference of its value.
struct Known {
    object: Option<Held>,
    reference: RawRef,
    /// The hash of the whole of a long string, once somebody asked.
    content: Option<u64>,
}

/// Something larger that never changes.
enum Constant {
    Nothing,
    /// A tuple of numbers and strings.
    Tuple(Held),
    /// A frozen set of such: where it was, its table word for word, and the elements that were in it.
    Frozen {
        address: usize,
        table: Box<[u8]>,
        _elements: Vec<Held>,
    },
    /// A class of the interpreter's, which is there for ever.
    Class(usize),
}

struct KnownConstant {
    what: Constant,
    value: Value,
    cells: u32,
    cost: EvictionCost,
}

/// What is known.
pub(crate) struct KnownValues {
    strings: Box<[Known]>,
    /// The whole values of the strings, and what they are worth: apart, since they are seldom needed, and the others often.
    string_values: Box<[(Value, EvictionCost)]>,
    constants: Box<[KnownConstant]>,
    /// How many characters the long ones of the strings have.
    long: usize,
}

/// How many there may be: a text of a megabyte that a parser hands around is worth it, but memory is to be bounded.
const LONG: usize = 8 << 20;

impl KnownValues {
    pub(crate) fn new() -> KnownValues {
        let value = Value::plain(RawRef::UNKNOWN);
        let known = |_| Known { object: None, reference: value.reference, content: None };
        let constant =
            |_| KnownConstant { what: Constant::Nothing, value, cells: 0, cost: EvictionCost::default() };
        KnownValues {
            strings: (0..STRINGS).map(known).collect(),
            string_values: vec![(value, EvictionCost::default()); STRINGS].into_boxed_slice(),
            constants: (0..CONSTANTS).map(constant).collect(),
            long: 0,
        }
    }

    /// The reference of a string or a short tuple.
    #[inline(always)]
    pub(crate) fn reference(&self, object: Object<'_>) -> Option<RawRef> {
        let known = &self.strings[string_slot(object)];
        known.object.as_ref().is_some_and(|known| known.is(object)).then_some(known.reference)
    }

    /// Its whole value.
    #[inline]
    pub(crate) fn value(&self, object: Object<'_>) -> Option<Value> {
        self.reference(object).map(|_| self.string_values[string_slot(object)].0)
    }

    /// The hash of the whole of a long string, if it is known.
    pub(crate) fn content(&self, text: Text<'_>) -> Option<u64> {
        let known = &self.strings[string_slot(text.object())];
        known.content.filter(|_| known.object.as_ref().is_some_and(|held| held.is(text.object())))
    }

    /// Remembers that with the string, if that is known.
    pub(crate) fn set_content(&mut self, text: Text<'_>, hash: u64) {
        let known = &mut self.strings[string_slot(text.object())];
        if known.object.as_ref().is_some_and(|held| held.is(text.object())) {
            known.content = Some(hash);
        }
    }

    /// Remembers a string or a short tuple, which took so much to look at.
    pub(crate) fn hold(&mut self, object: Object<'_>, value: Value, cost: u32) {
        let slot = string_slot(object);
        if !self.string_values[slot].1.gives_way(cost) {
            return;
        }
        let before = self.strings[slot].object.as_ref().and_then(Held::text).map_or(0, long_characters);
        let now = object.text().map_or(0, long_characters);
        if self.long - before + now > LONG {
            return;
        }
        let held = match object.text() {
            Some(text) => Some(Held::text_of(text)),
            None => Held::of(object),
        };
        if held.is_some() {
            self.long = self.long - before + now;
            self.strings[slot] = Known { object: held, reference: value.reference, content: None };
            self.string_values[slot].0 = value;
        }
    }

    /// The value of something larger that never changes, and how many parts it has.
    #[inline]
    pub(crate) fn constant(&self, object: Object<'_>) -> Option<(Value, u32)> {
        let known = &self.constants[constant_slot(object)];
        let is_known = match &known.what {
            Constant::Nothing => false,
            Constant::Tuple(held) => held.is(object),
            Constant::Class(address) => *address == object.address() && is_class_of_interpreter(object),
            Constant::Frozen { address, table, .. } => {
                *address == object.address()
                    && object.is_a(&raw mut ffi::PyFrozenSet_Type)
                    && object.set().and_then(|(set, _)| set.table()) == Some(&**table)
            }
        };
        is_known.then_some((known.value, known.cells))
    }

    /// Remembers such a thing.
    pub(crate) fn hold_constant(&mut self, object: Object<'_>, value: Value, cells: u32) {
        let place = &mut self.constants[constant_slot(object)];
        if !place.cost.gives_way(cells) {
            return;
        }
        let what = match () {
            () if is_class_of_interpreter(object) => Constant::Class(object.address()),
            () if object.is_a(&raw mut ffi::PyFrozenSet_Type) => {
                let Some((set, _)) = object.set() else { return };
                let elements: Vec<Held> = set.elements().filter_map(Held::of).collect();
                match set.table().filter(|_| elements.len() == set.length()) {
                    Some(table) => Constant::Frozen {
                        address: object.address(),
                        table: table.into(),
                        _elements: elements,
                    },
                    None => return,
                }
            }
            () => match Held::of(object) {
                Some(held) => Constant::Tuple(held),
                None => return,
            },
        };
        *place = KnownConstant { what, value, cells, cost: place.cost };
    }
}

/// How many characters a string has, if they are many.
fn long_characters(text: Text<'_>) -> usize {
    if text.length() > LONGEST_HELD { text.length() } else { 0 }
}

fn is_class_of_interpreter(object: Object<'_>) -> bool {
    object.as_class().is_some_and(|class| !class.is_heap())
}

/// Whether something never changes and is seen as a whole, in which nothing has parts: a tuple or a frozen set of numbers and strings,
/// or a class of the interpreter's.
pub(crate) fn is_constant(object: Object<'_>) -> bool {
    if object.is_a(&raw mut ffi::PyTuple_Type) {
        let Some(tuple) = object.tuple() else { return false };
        return tuple.length() <= Limits::ELEMENTS && tuple.all().all(is_atom);
    }
    if object.is_a(&raw mut ffi::PyFrozenSet_Type) {
        let Some((set, _)) = object.set() else { return false };
        return set.length() <= Limits::ELEMENTS && set.elements().all(is_atom);
    }
    is_class_of_interpreter(object)
}

#[inline(always)]
fn string_slot(object: Object<'_>) -> usize {
    (object.address() >> 4) % STRINGS
}

#[inline(always)]
fn constant_slot(object: Object<'_>) -> usize {
    (object.address() >> 4) % CONSTANTS
}
