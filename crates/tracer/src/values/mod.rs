//! Values as they are at one moment, as rows of a trail.
//!
//! A value is looked at from below: lists, dictionaries and objects are read by their structure, and no method of theirs is
//! called, so that nothing of the program runs that would not have run anyway. What is long or deep is cut off, visibly
//! ([`Word::Omitted`]). Every value is read anew whenever it is met: nothing is kept of what can change. Rows are shared by content: a
//! table has the last ones by a hash of 64 bits of all that is in them, which also tells whether a value has changed while a function
//! ran. (Two values of a run with ten thousand million of them are taken for the same by chance once in a thousand million runs.)
//!
//! How much is looked at is a function of the program's values and of what its functions have shown before ([`Limits`]): never of where
//! objects are, so that another run of the program shows the same.

pub(crate) mod array_text;
pub(crate) mod atoms;
pub(crate) mod attributes;
pub(crate) mod classes;
pub(crate) mod constructors;
pub(crate) mod eviction;
pub(crate) mod known;
pub(crate) mod library;
pub(crate) mod matches;
pub(crate) mod objects;
pub(crate) mod records;
pub(crate) mod still;
pub(crate) mod times;
pub(crate) mod unseen;

use crate::hook::frames::SmallIntegers;
use crate::object::{Dict, List, Look, Object, Owned, Set, Tuple};
use crate::values::atoms::Tinies;
use crate::values::classes::Descriptions;
use crate::values::constructors::Word;
use crate::values::known::{KnownValues, is_constant};
use crate::values::library::Tables;
use crate::values::records::Records;
use crate::values::times::Zone;
use crate::values::unseen::{LeftOut, in_any_order};
use gadfly_trail::model::{NodeId, Position, RawRef, Ref, Shape, ShapeId, What};
use gadfly_trail::stream::Stream;
use pyo3::ffi;
use rustc_hash::FxHashMap;

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
    /// For each part that may be kept, so many more may be gone through to notice that they change ([`unseen`]).
    const COMPARED: u32 = 8;

    /// No more than so many parts.
    #[inline]
    pub(crate) fn of(cells: u32) -> Limits {
        Limits { cells: cells.min(Limits::FULL.cells) }
    }

    /// How many parts may be gone through that are not kept.
    #[inline]
    pub(crate) fn compared(self) -> u32 {
        self.cells * Limits::COMPARED
    }
}

/// A value: a reference to its rows, and a hash of its content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) reference: RawRef,
    pub(crate) hash: u64,
    /// Whether it may change, or something in it may.
    pub(crate) mutable: bool,
    /// Whether something in it was not looked at at all: then another value may have the same hash.
    pub(crate) unseen: bool,
}

impl Value {
    #[inline]
    pub(crate) fn plain(reference: RawRef) -> Value {
        // Whoever makes a hash of it mixes it.
        Value { reference, hash: reference.0 ^ 0x5151_7a3c_96e1_d40b, mutable: false, unseen: false }
    }
}

/// Values that were met not long ago, by content.
const RECENT: usize = 1 << 12;
/// Lists and tuples of no more elements may be [flat](Values::flat), and a tuple that is a value of its own may have so many parts then.
pub(crate) const FLAT: usize = 8;
const FLAT_PARTS: u32 = 64;
/// Shapes of values with fewer parts of so many words are found without hashing.
const SMALL: usize = 8;
const WORDS: usize = 64;

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

/// Writes values.
pub(crate) struct Values {
    pub(crate) stream: Stream,
    pub(crate) shapes: FxHashMap<(u32, u32), ShapeId>,
    /// The same for few parts of the first words.
    small_shapes: [Option<ShapeId>; SMALL * WORDS],
    pub(crate) descriptions: Descriptions,
    pub(crate) records: Records,
    recent: Box<[(u64, u64); RECENT]>,
    pub(crate) known: KnownValues,
    pub(crate) tinies: Tinies,
    /// Whether small integers can be read where they are.
    pub(crate) reads_integers: Option<SmallIntegers>,
    /// The time zone that was met last.
    pub(crate) zone: Box<Zone>,
    pub(crate) tables: Tables,
    /// Where what is being read is, to notice what contains itself.
    inside: Vec<usize>,
    /// The parts of what is being read, the innermost last.
    pub(crate) parts: Vec<Value>,
    /// A text that is being written.
    pub(crate) scratch: Vec<u8>,
    /// On whose behalf.
    pub(crate) parent: NodeId,
    /// How many parts may still be looked at.
    pub(crate) left: u32,
    /// How many parts may still be gone through that are not kept.
    pub(crate) compared: u32,
    /// Whether that is being done: no rows are written.
    pub(crate) unkept: bool,
    /// How many parts were looked at since somebody asked.
    pub(crate) spent: u32,
    /// What is to be let go when nobody looks at anything: it may have finalizers.
    pub(crate) released: Vec<Owned>,
}

impl Values {
    pub(crate) fn new(stream: Stream, records: Records) -> Values {
        Values {
            stream,
            shapes: FxHashMap::default(),
            small_shapes: [None; SMALL * WORDS],
            descriptions: Descriptions::new(),
            records,
            recent: Box::new([(0, 0); RECENT]),
            known: KnownValues::new(),
            tinies: Tinies::new(),
            reads_integers: SmallIntegers::found(),
            zone: Box::new(Zone::none()),
            tables: Tables::default(),
            inside: Vec::new(),
            parts: Vec::new(),
            scratch: Vec::new(),
            parent: NodeId::NONE,
            left: 0,
            compared: 0,
            unkept: false,
            spent: 0,
            released: Vec::new(),
        }
    }

    /// Begins anew: there are no rows that could be shared.
    pub(crate) fn rewind(&mut self) {
        self.stream.rewind();
        self.recent.fill((0, 0));
        (self.known, self.tinies) = (KnownValues::new(), Tinies::new());
        *self.zone = Zone::none();
        self.parent = NodeId::NONE;
        (self.left, self.spent) = (0, 0);
    }

    /// A value as it is now.
    pub(crate) fn value(&mut self, object: Option<Object<'_>>, limits: Limits) -> Value {
        match (self.simple(object), object) {
            (None, Some(object)) => self.value_of_parts(object, limits),
            (reference, _) => Value::plain(reference.unwrap_or(self.word(Word::Missing).reference)),
        }
    }

    /// The same of something that is not [seen at once](Values::simple).
    #[inline]
    pub(crate) fn value_of_parts(&mut self, object: Object<'_>, limits: Limits) -> Value {
        let _uncollected = object.uncollected();
        if let Some(value) = self.whole(object) {
            return value;
        }
        self.begin(limits);
        let value = self.see_parts(object, 0);
        self.spend(limits);
        value
    }

    /// A value may be looked at within these limits.
    #[inline]
    fn begin(&mut self, limits: Limits) {
        (self.left, self.compared) = (limits.cells, limits.compared());
    }

    /// It has been.
    #[inline]
    fn spend(&mut self, limits: Limits) {
        let compared = limits.compared() - self.compared;
        self.spent += limits.cells - self.left + compared.div_ceil(Limits::COMPARED);
    }

    #[inline]
    pub(crate) fn word(&self, word: Word) -> Value {
        Value::plain(RawRef::of(Ref::Constructor(word as u32)))
    }

    pub(crate) fn see(&mut self, object: Object<'_>, depth: u32) -> Value {
        match self.simple(Some(object)) {
            Some(reference) => Value::plain(reference),
            None => self.see_parts(object, depth),
        }
    }

    /// What is seen of most values at once: a small integer, a string that is known, one of the constants. Whether
    /// integers are where they are looked for may be known already.
    #[inline(always)]
    pub(crate) fn quick(
        &self,
        object: Option<Object<'_>>,
        integers: Option<SmallIntegers>,
    ) -> Option<RawRef> {
        if let Some(reference) = self.simple_if(object, integers) {
            return Some(reference);
        }
        let object = object?;
        if let Some(reference) = self.known.reference(object) {
            return Some(reference);
        }
        match object.text() {
            Some(text) => self.tinies.known(text),
            None => self.known.constant(object).map(|(value, _)| value.reference),
        }
    }

    /// The same, and a string or a short tuple, which are about as quick; they are made by a node.
    #[inline(always)]
    pub(crate) fn quick_or_flat(&mut self, object: Option<Object<'_>>, node: NodeId) -> Option<RawRef> {
        if let Some(reference) = self.quick(object, self.reads_integers) {
            return Some(reference);
        }
        let object = object?;
        if object.is_a(&raw mut ffi::PyTuple_Type) {
            self.parent = node;
            return self.whole(object).map(|value| value.reference);
        }
        let text = object.text()?;
        self.parent = node;
        Some(self.string(text).reference)
    }

    /// A value whose reference says everything, the commonest first.
    #[inline(always)]
    pub(crate) fn simple(&self, object: Option<Object<'_>>) -> Option<RawRef> {
        self.simple_if(object, self.reads_integers)
    }

    #[inline(always)]
    fn simple_if(&self, object: Option<Object<'_>>, integers: Option<SmallIntegers>) -> Option<RawRef> {
        let Some(object) = object else { return Some(self.word(Word::Missing).reference) };
        if let (Some(integer), Some(integers)) = (object.integer(), integers) {
            return integer.small(integers).map(RawRef::int);
        }
        if object.is_none() {
            return Some(self.word(Word::None).reference);
        }
        if object.is_a(&raw mut ffi::PyBool_Type) {
            return Some(self.word(if object.is_true() { Word::True } else { Word::False }).reference);
        }
        None
    }

    /// A value that is seen as a whole, however little may be looked at, and counts for nothing: a tuple or a frozen set of numbers and
    /// strings, a short tuple of such, a class of the interpreter's.
    #[inline]
    fn whole(&mut self, object: Object<'_>) -> Option<Value> {
        if let Some((value, _)) = self.known.constant(object) {
            return Some(value);
        }
        if object.is_a(&raw mut ffi::PyTuple_Type) {
            let tuple = object.tuple()?;
            if tuple.length() <= FLAT {
                self.left = FLAT_PARTS;
                let value = self.flat(Elements::Tuple(tuple), 1)?;
                if object.is_shared() {
                    self.known.hold(object, value, FLAT as u32);
                }
                return Some(value);
            }
        }
        is_constant(object).then(|| {
            self.left = u32::MAX;
            self.constant(object, 1).0
        })
    }

    /// A value that never changes, and in which nothing has parts; and how many parts it has.
    fn constant(&mut self, object: Object<'_>, depth: u32) -> (Value, u32) {
        let before = self.left;
        self.left -= 1;
        let value = self.structure(object, depth);
        let cells = before - self.left;
        if !self.unkept {
            self.known.hold_constant(object, value, cells);
        }
        (value, cells)
    }

    /// Any other value.
    pub(crate) fn see_parts(&mut self, object: Object<'_>, depth: u32) -> Value {
        let class = object.class().pointer();
        if let Some(text) = object.text() {
            return self.string_in(text);
        }
        if class == &raw mut ffi::PyLong_Type {
            return self.integer(object);
        }
        if let Some(value) = object.float() {
            return self.float(value);
        }
        let is_list = class == &raw mut ffi::PyList_Type;
        let is_tuple = class == &raw mut ffi::PyTuple_Type;
        // A tuple that is a value of its own was tried before.
        if depth < Limits::DEPTH
            && (is_list || is_tuple && depth > 0)
            && let Some(elements) = Elements::of(object)
            && let Some(value) = self.flat(elements, depth + 1)
        {
            return value;
        }
        if self.left == 0 || depth >= Limits::DEPTH {
            return self.left_out(0, 1, [Some(object)]);
        }
        if let Some((value, cells)) = self.known.constant(object)
            && cells <= self.left
        {
            self.left -= cells;
            return value;
        }
        if self.inside.contains(&object.address()) {
            return self.omitted(0, LeftOut::SETTLED);
        }
        if !is_list
            && object.class().is_heap()
            && let Some(value) = self.flat_object(object, depth + 1)
        {
            return value;
        }
        let may_last =
            is_tuple || class == &raw mut ffi::PyFrozenSet_Type || class == &raw mut ffi::PyType_Type;
        if may_last && self.left > Limits::ELEMENTS as u32 && is_constant(object) {
            return self.constant(object, depth + 1).0;
        }
        self.left -= 1;
        self.inside.push(object.address());
        let value = self.structure(object, depth + 1);
        self.inside.pop();
        value
    }

    /// A short list or tuple of numbers, strings and such tuples, if it is one: most are, and need not go the whole way. However
    /// many elements it has, it counts as one part, so that there is room for it even where there is little.
    pub(crate) fn flat(&mut self, elements: Elements<'_>, depth: u32) -> Option<Value> {
        let length = elements.length();
        if length > FLAT || self.left == 0 || depth > Limits::DEPTH {
            return None;
        }
        let is_list = matches!(elements, Elements::List(_));
        let word = if is_list { Word::List } else { Word::Tuple } as u32;
        let mut hash = seed(word, length);
        let mut parts = [RawRef::UNKNOWN; FLAT];
        let before = self.left;
        self.left -= 1;
        for (at, part) in parts[..length].iter_mut().enumerate() {
            let Some(value) = self.flat_element(elements.get(at), depth) else {
                self.left = before;
                return None;
            };
            hash = mix(hash, value.hash);
            *part = value.reference;
        }
        Some(self.row(word, &parts[..length], hash, is_list))
    }

    #[inline]
    pub(crate) fn flat_element(&mut self, element: Option<Object<'_>>, depth: u32) -> Option<Value> {
        if let Some(reference) = self.simple(element) {
            return Some(Value::plain(reference));
        }
        let element = element?;
        if let Some(text) = element.text() {
            return (text.length() <= Limits::CHARACTERS).then(|| self.string(text));
        }
        if let Some(value) = element.float() {
            return Some(self.float(value));
        }
        match element.is_a(&raw mut ffi::PyTuple_Type) {
            true => self.flat(Elements::of(element)?, depth + 1),
            false => None,
        }
    }

    fn structure(&mut self, object: Object<'_>, depth: u32) -> Value {
        let class = object.class().pointer();
        if class == &raw mut ffi::PyList_Type
            && let Some(list) = object.list()
        {
            return self.elements_of(Elements::List(list), depth);
        }
        if class == &raw mut ffi::PyTuple_Type
            && let Some(tuple) = object.tuple()
        {
            return self.elements_of(Elements::Tuple(tuple), depth);
        }
        if class == &raw mut ffi::PyDict_Type {
            return self.dictionary(object, depth);
        }
        if (class == &raw mut ffi::PySet_Type || class == &raw mut ffi::PyFrozenSet_Type)
            && let Some((set, frozen)) = object.set()
        {
            return self.set(set, frozen, depth);
        }
        if let Some(name) = object.function_name() {
            let name = match name {
                Some(name) => self.string(name),
                None => self.text("?"),
            };
            return self.make(Word::Function as u32, &[name], false);
        }
        if let Some(class) = object.as_class() {
            let name = self.text(&class.name());
            return self.make(Word::Class as u32, &[name], false);
        }
        if let Some(bytes) = object.bytes() {
            return self.bytes(bytes, depth > 1);
        }
        if let Some((of, function)) = object.method() {
            let parts = [self.see(of, depth), self.see(function, depth)];
            return self.make(Word::Method as u32, &parts, parts[0].mutable);
        }
        if let Some(parts) = object.complex() {
            let parts = parts.map(|part| self.float(part));
            return self.make(Word::Complex as u32, &parts, false);
        }
        if object.is_ellipsis() {
            return self.word(Word::Ellipsis);
        }
        if object.is_not_implemented() {
            return self.word(Word::NotImplemented);
        }
        self.object(object, depth)
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
        let hash = parts.iter().fold(seed(word, parts.len()), |hash, part| mix(hash, part.hash));
        let references = parts.iter().map(|part| part.reference);
        let value = self.row_of(word, references, parts.len(), hash, mutable);
        Value { unseen: parts.iter().any(|part| part.unseen), ..value }
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
        if let Some(reference) = self.recent(hash) {
            return Value { reference, hash, mutable, unseen: false };
        }
        if self.unkept {
            return Value { reference: RawRef::UNKNOWN, hash, mutable, unseen: false };
        }
        let shape = self.shape(word, count as u32);
        self.stream.tell_all(shape, self.parent, count, parts);
        let reference = RawRef::node(self.stream.number());
        self.is_recent(hash, reference);
        Value { reference, hash, mutable, unseen: false }
    }

    /// The rows of an equal value that was met not long ago.
    #[inline(always)]
    pub(crate) fn recent(&self, hash: u64) -> Option<RawRef> {
        let (known, node) = self.recent[hash as usize % RECENT];
        (known == hash && node != 0).then_some(RawRef(node))
    }

    #[inline(always)]
    pub(crate) fn is_recent(&mut self, hash: u64, reference: RawRef) {
        self.recent[hash as usize % RECENT] = (hash, reference.0);
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

    /// How a piece of code was left that gave a value.
    pub(crate) fn returned(&mut self, value: Value) -> Value {
        self.make(Word::Return as u32, &[value], false)
    }

    /// A list or a tuple.
    fn elements_of(&mut self, elements: Elements<'_>, depth: u32) -> Value {
        let from = self.parts.len();
        self.elements(elements.length(), depth, |at| elements.get(at));
        match elements {
            Elements::List(_) => self.gather(Word::List as u32, from, true),
            Elements::Tuple(_) => {
                let mutable = self.parts[from..].iter().any(|part| part.mutable);
                self.gather(Word::Tuple as u32, from, mutable)
            }
        }
    }

    /// Puts elements to the parts.
    pub(crate) fn elements<'l>(
        &mut self,
        length: usize,
        depth: u32,
        at: impl Fn(usize) -> Option<Object<'l>>,
    ) {
        for number in 0..length {
            if number >= self.most_elements() || self.left == 0 {
                let rest = self.left_out(length - number, length - number, (number..length).map(&at));
                self.parts.push(rest);
                return;
            }
            self.left -= 1;
            let part = match at(number) {
                Some(element) => self.see(element, depth),
                None => self.word(Word::Missing),
            };
            self.parts.push(part);
        }
    }

    /// What something writes of itself.
    pub(crate) fn written(&mut self, text: &str) -> Value {
        let text = self.text(text);
        self.make(Word::Written as u32, &[text], false)
    }

    /// An array, by what is shown of it and what tells whether it has changed.
    pub(crate) fn array_of(&mut self, text: &str, content: u64) -> Value {
        let text = self.text(text);
        let value = self.make(Word::Written as u32, &[text], true);
        Value { hash: mix(value.hash, content), ..value }
    }

    /// A dictionary that is a value of its own, by what is in it.
    pub(crate) fn dictionary_of<'l>(
        &mut self,
        look: &'l Look,
        entries: impl Iterator<Item = (Object<'l>, Object<'l>)>,
        limits: Limits,
    ) -> Value {
        let _uncollected = look.uncollected();
        self.begin(limits);
        self.left -= 1;
        let from = self.parts.len();
        let entries: Vec<_> = entries.collect();
        self.entries_of(entries.len(), entries.into_iter(), 1);
        self.spend(limits);
        self.gather(Word::Dict as u32, from, true)
    }

    /// Puts the keys and values of a dictionary to the parts.
    pub(crate) fn entries(&mut self, dictionary: Dict<'_>, depth: u32) {
        self.entries_of(dictionary.length(), dictionary.entries(), depth);
    }

    fn entries_of<'l>(
        &mut self,
        length: usize,
        entries: impl Iterator<Item = (Object<'l>, Object<'l>)>,
        depth: u32,
    ) {
        let mut seen = 0;
        let mut entries = entries;
        while seen < self.most_elements()
            && self.left >= 2
            && let Some(entry) = entries.next()
        {
            seen += 1;
            self.left -= 2;
            for part in [entry.0, entry.1] {
                let part = self.see(part, depth);
                self.parts.push(part);
            }
        }
        if seen < length {
            let parts = entries.flat_map(|(key, value)| [Some(key), Some(value)]);
            let rest = self.left_out(length - seen, 2 * (length - seen), parts);
            self.parts.push(rest);
        }
    }

    /// A dictionary, or what inherits from it.
    pub(crate) fn dictionary(&mut self, object: Object<'_>, depth: u32) -> Value {
        let from = self.parts.len();
        if let Some(dictionary) = object.dict() {
            self.entries(dictionary, depth);
        }
        self.gather(Word::Dict as u32, from, true)
    }

    /// Puts the elements of a set to the parts; gives the hash of all if not all of them are kept.
    pub(crate) fn set_elements(&mut self, set: Set<'_>, depth: u32) -> Option<u64> {
        let (length, from) = (set.length(), self.parts.len());
        let mut elements = set.elements();
        while self.parts.len() - from < self.most_elements()
            && self.left > 0
            && let Some(element) = elements.next()
        {
            self.left -= 1;
            let part = self.see(element, depth);
            self.parts.push(part);
        }
        // The order of a set is nobody's business, and not the same in the next run; nor is the node that an equal value has.
        self.parts[from..].sort_by_key(|part| match part.reference.see() {
            Ref::Node(_) => (true, 0, part.hash),
            _ => (false, part.reference.0 as i64, part.hash),
        });
        let seen = self.parts.len() - from;
        if seen == length {
            return None;
        }
        // Which of them are kept may change although the set does not: its elements have other places in it.
        let shown = self.parts[from..].iter().fold(0, |hash, part| in_any_order(hash, part.hash));
        let mut rest = self.go_through(length - seen, elements.map(Some), in_any_order);
        rest.hash = rest.hash.wrapping_add(shown);
        let all = rest.whole.then_some(rest.hash);
        let rest = self.omitted(length - seen, rest);
        self.parts.push(rest);
        all
    }

    fn set(&mut self, set: Set<'_>, frozen: bool, depth: u32) -> Value {
        let from = self.parts.len();
        let all = self.set_elements(set, depth);
        let mutable = !frozen || self.parts[from..].iter().any(|part| part.mutable);
        let word = if frozen { Word::FrozenSet } else { Word::Set } as u32;
        let Some(all) = all else { return self.gather(word, from, mutable) };
        let hash = mix(seed(word, set.length()), all);
        let references: Vec<RawRef> = self.parts.drain(from..).map(|part| part.reference).collect();
        self.row(word, &references, hash, mutable)
    }
}

/// The elements of an exact list or tuple.
#[derive(Clone, Copy)]
pub(crate) enum Elements<'l> {
    List(List<'l>),
    Tuple(Tuple<'l>),
}

impl<'l> Elements<'l> {
    #[inline(always)]
    pub(crate) fn of(object: Object<'l>) -> Option<Elements<'l>> {
        match object.tuple() {
            Some(tuple) => Some(Elements::Tuple(tuple)),
            None => object.list().map(Elements::List),
        }
    }

    #[inline(always)]
    pub(crate) fn length(self) -> usize {
        match self {
            Elements::List(list) => list.length(),
            Elements::Tuple(tuple) => tuple.length(),
        }
    }

    #[inline(always)]
    pub(crate) fn get(self, at: usize) -> Option<Object<'l>> {
        match self {
            Elements::List(list) => list.get(at),
            Elements::Tuple(tuple) => tuple.try_get(at),
        }
    }
}
