//! The heap: objects in one column of words, and a collector with two generations.
//!
//! New objects go to the *nursery*, the first words of the column. When it is full, a minor collection moves
//! the live objects to the end of the column, the *old* part, and the nursery is empty again; so allocation
//! only moves an index, and dead objects cost nothing. When the old part has grown enough, a major collection
//! marks the live objects and slides them together in place: the new place of a word is its rank among the
//! living, read off the marks. Copying between two spaces would be simpler, but would need twice the memory.
//!
//! The collector also keeps lazy programs from leaking: it skips indirections, and it replaces a selector
//! whose tuple has been evaluated by the field (Wadler 1987).
//!
//! What stays true: an old object points into the nursery only if it is in the list of remembered ones ([`Heap::set`]
//! adds it); nothing here recurses; an index is valid until the next collection, and [`Roots`] shows the
//! collector every index that must survive one.

#![allow(unsafe_code, reason = "the heap is read and written at every step")]

use crate::word::Word;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// A constructor with its fields; `info` is the constructor.
    Constructor = 0,
    /// Code with the variables it needs, not evaluated yet; `info` is the code.
    Thunk = 1,
    /// A thunk under evaluation that will not be evaluated again: its variables are not kept. `info` is its code.
    BlackHole = 2,
    /// What a thunk became: its first word is the value.
    Indirection = 3,
    /// A field of something not evaluated yet: its first word; `info` is the field.
    Selector = 4,
    /// A function with fewer arguments than it takes; `info` is the function.
    Partial = 5,
    /// Words that are not values: large integers, floating-point numbers. `info` is how many.
    Raw = 6,
    /// A variable that can be written to: a reference, or an array. `info` is how many.
    Mutable = 7,
    /// A thunk under evaluation that may have to be evaluated again, when a choice before it is taken back: its
    /// variables are kept. `info` is its code.
    Entered = 8,
    /// A logical variable that has no value yet; its first word is for computations that wait for one.
    Free = 9,
    /// What a thunk or a logical variable became, as long as no earlier choice is taken back: its first word
    /// is the value. An alternative that holds the object may see it without a value again, so the collector
    /// does not skip it, and the thunk's other variables are kept.
    Bound = 10,
    /// An action of input and output that is not executed yet: a primitive with its arguments; `info` is the primitive.
    Action = 11,
}

impl Kind {
    const ALL: [Kind; 16] = [
        Kind::Constructor,
        Kind::Thunk,
        Kind::BlackHole,
        Kind::Indirection,
        Kind::Selector,
        Kind::Partial,
        Kind::Raw,
        Kind::Mutable,
        Kind::Entered,
        Kind::Free,
        Kind::Bound,
        Kind::Action,
        Kind::Raw,
        Kind::Raw,
        Kind::Raw,
        Kind::Raw,
    ];
}

/// An object's first word: what it is, how many words follow, and a number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Header(u64);

/// In a header's first byte: the object has moved, the rest is its new index.
const MOVED: u64 = 0xff;
/// In a header's first byte, of an old object: it is in the list of remembered ones.
const REMEMBERED: u64 = 0x80;

impl Header {
    fn new(kind: Kind, length: usize, info: u32) -> Header {
        Header(kind as u64 | (length as u64 & 0xff_ffff) << 8 | u64::from(info) << 32)
    }

    /// The same for another kind; the length is where it was.
    #[inline]
    fn with(self, kind: Kind) -> Header {
        Header(self.0 & !0x7f | kind as u64)
    }

    fn moved(to: u32) -> Header {
        Header(MOVED | u64::from(to) << 8)
    }

    fn moved_to(self) -> Option<u32> {
        (self.0 & 0xff == MOVED).then_some((self.0 >> 8) as u32)
    }

    fn kind(self) -> Kind {
        Kind::ALL[(self.0 & 15) as usize]
    }

    fn info(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// How many words follow.
    fn length(self) -> usize {
        match self.kind() {
            // These may be longer than 24 bits say.
            Kind::Raw | Kind::Mutable => self.info() as usize,
            _ => (self.0 >> 8 & 0xff_ffff) as usize,
        }
    }

    /// How many of the words that follow are values.
    fn values(self) -> usize {
        match self.kind() {
            Kind::Raw | Kind::BlackHole => 0,
            Kind::Indirection | Kind::Selector => 1,
            _ => self.length(),
        }
    }
}

/// All references from outside of the heap into it.
pub trait Roots {
    /// Shows every word. In a minor collection (`young` only), words that were shown before and have not changed since
    /// may be left out.
    fn each(&mut self, young: bool, see: &mut dyn FnMut(&mut Word));

    /// In a major collection: a thunk with this code is alive.
    fn thunk(&mut self, _code: u32) {}

    /// In a major collection: a function is alive.
    fn function(&mut self, _function: u32) {}

    /// In a major collection, after all other objects: shows the words that live code needs; returns whether
    /// there were any.
    fn more(&mut self, _see: &mut dyn FnMut(&mut Word)) -> bool {
        false
    }
}

/// The heap is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

/// The heap. `TAG` words of every object belong to the recorder.
#[derive(Debug)]
pub struct Heap<const TAG: usize> {
    words: Vec<u64>,
    /// The nursery's size.
    nursery: usize,
    /// Where the next object goes.
    top: usize,
    /// Old objects that may point into the nursery.
    remembered: Vec<u32>,
    /// The size of the old part at which it is collected.
    next_major: usize,
    /// No more than this many words in all.
    limit: usize,
    /// Collections so far: minor, major.
    collections: (u64, u64),
    /// Selectors with a tag that were passed over in the last collection: the tag, and the field.
    selected: Vec<(u64, Word)>,
}

/// A nursery of 1 MiB, which fits the second-level cache of a core. Measured from 128 KiB to 8 MiB.
pub(crate) const NURSERY: usize = 1 << 17;
/// No nursery is smaller, and no heap smaller than some of them.
const LEAST_NURSERY: usize = 1 << 14;
pub(crate) const LEAST: usize = LEAST_NURSERY * 4;
/// On a tag: the object is not evaluated, and the recorder waits for its outcome.
pub(crate) const WAITS: u64 = 1 << 63;
/// The old part is not collected before it has this size.
const FIRST_MAJOR: usize = 1 << 21;
/// How deep a selector of a selector is followed at once; the rest is for the next collection.
const SELECTORS: usize = 64;

impl<const TAG: usize> Heap<TAG> {
    /// An empty heap of at most `limit` words.
    pub fn new(limit: usize) -> Self {
        Heap::with_nursery(NURSERY, limit)
    }

    /// The nursery takes a small part of the limit.
    pub(crate) fn with_nursery(nursery: usize, limit: usize) -> Self {
        let nursery = nursery.min((limit / 8).max(LEAST_NURSERY));
        Heap {
            words: vec![0; nursery],
            nursery,
            top: 0,
            remembered: Vec::new(),
            next_major: FIRST_MAJOR.min(nursery * 16),
            limit: limit.max(nursery * 4).min(u32::MAX as usize),
            collections: (0, 0),
            selected: Vec::new(),
        }
    }

    /// The selectors that the last collection passed over: what the recorder wrote on them, and the field they are.
    pub(crate) fn take_selected(&mut self) -> Vec<(u64, Word)> {
        let mut selected = std::mem::take(&mut self.selected);
        selected.sort_unstable_by_key(|one| one.0);
        selected.dedup_by_key(|one| one.0);
        selected
    }

    /// A selector is not needed: all references to it become the field. The recorder is notified once,
    /// however often the collector reaches the selector: it reaches a chain of selectors from each of its
    /// ends, and a chain may be a cycle.
    fn pass_over(&mut self, selector: u32, field: Word) {
        let place = selector as usize + 1;
        if TAG > 0 && self.at(place) & WAITS != 0 {
            let tag = self.at(place);
            self.selected.push((tag, field));
            self.put(place, tag & !WAITS);
        }
    }

    /// How many words the heap has taken.
    pub fn size(&self) -> usize {
        self.words.len()
    }

    /// How often it was collected: minor and major collections.
    pub fn collections(&self) -> (u64, u64) {
        self.collections
    }

    /// Whether an object of `length` words fits; if not, collect first.
    pub fn has_room(&self, length: usize) -> bool {
        self.top + 1 + TAG + length.max(1) <= self.nursery
    }

    /// A new object; its words are not written yet, and must be before the next collection.
    ///
    /// # Panics
    /// If there is no room.
    pub fn allocate(&mut self, kind: Kind, info: u32, length: usize, tag: [u64; TAG]) -> u32 {
        // A thunk without variables has room for what it becomes.
        let length = length.max(1);
        let at = self.top;
        self.top = at + 1 + TAG + length;
        assert!(self.top <= self.nursery, "there is no room");
        self.words[at] = Header::new(kind, length, info).0;
        self.words[at + 1..at + 1 + TAG].copy_from_slice(&tag);
        at as u32
    }

    /// A new object whose words are written at once, by [`Heap::init`]: in the nursery if it has room there.
    #[inline]
    pub(crate) fn new_object(&mut self, kind: Kind, info: u32, length: usize, tag: [u64; TAG]) -> u32 {
        let at = self.top;
        let end = at + 1 + TAG + length;
        if end > self.nursery {
            return self.new_old_object(kind, info, length, tag);
        }
        self.top = end;
        self.put(at, Header::new(kind, length, info).0);
        for (row, word) in tag.into_iter().enumerate() {
            self.put(at + 1 + row, word);
        }
        at as u32
    }

    #[cold]
    fn new_old_object(&mut self, kind: Kind, info: u32, length: usize, tag: [u64; TAG]) -> u32 {
        let at = self.words.len() as u32;
        self.words.push(Header::new(kind, length, info).0);
        self.words.extend_from_slice(&tag);
        self.words.resize(at as usize + 1 + TAG + length, Word::char(0).raw());
        self.remembered.push(at);
        at
    }

    /// The function of a partial application, and how many arguments it has.
    #[inline]
    pub(crate) fn partial(&self, object: u32) -> Option<(u32, usize)> {
        let header = Header(self.at(object as usize));
        (header.0 & 0x7f == Kind::Partial as u64)
            .then_some((header.info(), (header.0 >> 8 & 0xff_ffff) as usize))
    }

    /// The code and the number of variables of a thunk.
    #[inline]
    pub(crate) fn thunk(&self, object: u32) -> (u32, usize) {
        let header = Header(self.at(object as usize));
        (header.info(), (header.0 >> 8 & 0xff_ffff) as usize)
    }

    #[inline]
    fn at(&self, index: usize) -> u64 {
        debug_assert!(index < self.words.len());
        // SAFETY: an index comes from an object that was allocated, and a field from its length.
        unsafe { *self.words.get_unchecked(index) }
    }

    #[inline]
    fn put(&mut self, index: usize, word: u64) {
        debug_assert!(index < self.words.len());
        // SAFETY: as above.
        unsafe { *self.words.get_unchecked_mut(index) = word }
    }

    /// A copy of the object in the old part; any other word stays unchanged.
    pub(crate) fn aged(&mut self, word: Word) -> Word {
        let Some(object) = word.index().filter(|&object| (object as usize) < self.nursery) else {
            return word;
        };
        let at = self.words.len() as u32;
        let size = 1 + TAG + Header(self.at(object as usize)).length();
        self.words.extend_from_within(object as usize..object as usize + size);
        word.moved_to(at)
    }

    /// The nursery's size.
    pub(crate) fn nursery(&self) -> usize {
        self.nursery
    }

    /// Where the next object of the nursery goes.
    #[inline]
    pub(crate) fn top(&self) -> usize {
        self.top
    }

    /// Makes a thunk (or one under evaluation) another thunk, of one variable.
    pub(crate) fn become_thunk(&mut self, object: u32, code: u32, variable: Word) {
        let header = Header(self.words[object as usize]);
        self.words[object as usize] = Header::new(Kind::Thunk, header.length(), code).0;
        self.set(object, 0, variable);
        // What was behind the first variable is not needed.
        for field in 1..header.length() {
            self.words[object as usize + 1 + TAG + field] = Word::char(0).raw();
        }
    }

    /// A new object of the old part, filled with one value.
    pub(crate) fn allocate_old(
        &mut self,
        kind: Kind,
        info: u32,
        length: usize,
        fill: Word,
        tag: [u64; TAG],
    ) -> Result<u32, Exhausted> {
        let object = self.allocate_large(kind, length, fill, tag)?;
        self.words[object as usize] = Header::new(kind, length, info).0;
        Ok(object)
    }

    /// A new object in the nursery if it fits there, else in the old part; its words are not written yet.
    /// [`Heap::set`] may write them in any order.
    pub fn allocate_anywhere(
        &mut self,
        kind: Kind,
        info: u32,
        length: usize,
        tag: [u64; TAG],
    ) -> Result<u32, Exhausted> {
        if self.has_room(length) {
            return Ok(self.allocate(kind, info, length, tag));
        }
        // A thunk without variables has room for what it becomes.
        let length = if matches!(kind, Kind::Raw | Kind::Mutable) { length } else { length.max(1) };
        let object = self.allocate_large(kind, length, Word::char(0), tag)?;
        self.words[object as usize] = Header::new(kind, length, info).0;
        Ok(object)
    }

    /// A new object that is too large for the nursery, filled with one value.
    pub fn allocate_large(
        &mut self,
        kind: Kind,
        length: usize,
        fill: Word,
        tag: [u64; TAG],
    ) -> Result<u32, Exhausted> {
        let at = self.words.len();
        let end = at + 1 + TAG + length;
        if end > self.limit {
            return Err(Exhausted);
        }
        self.words.push(Header::new(kind, length, length as u32).0);
        self.words.extend_from_slice(&tag);
        self.words.resize(end, fill.raw());
        if fill.index().is_some_and(|index| (index as usize) < self.nursery) {
            self.remembered.push(at as u32);
        }
        Ok(at as u32)
    }

    /// What an object is.
    #[inline]
    pub fn kind(&self, object: u32) -> Kind {
        Header(self.at(object as usize)).kind()
    }

    /// An object's number: its constructor, code or function.
    #[inline]
    pub fn info(&self, object: u32) -> u32 {
        Header(self.at(object as usize)).info()
    }

    /// How many words an object has.
    #[inline]
    pub fn length(&self, object: u32) -> usize {
        Header(self.at(object as usize)).length()
    }

    /// What the recorder wrote on an object.
    pub fn tag(&self, object: u32) -> &[u64] {
        &self.words[object as usize + 1..object as usize + 1 + TAG]
    }

    /// The first word that the recorder wrote on an object; 0 if it writes none.
    #[inline]
    pub(crate) fn first_tag(&self, object: u32) -> u64 {
        match TAG {
            0 => 0,
            _ => self.at(object as usize + 1),
        }
    }

    /// Writes it.
    pub(crate) fn set_first_tag(&mut self, object: u32, tag: u64) {
        if TAG > 0 {
            self.put(object as usize + 1, tag);
        }
    }

    /// A word of an object.
    #[inline]
    pub fn get(&self, object: u32, field: usize) -> Word {
        Word::from_raw(self.at(object as usize + 1 + TAG + field))
    }

    /// The value that a word stands for, without the indirections before it.
    pub fn follow(&self, mut word: Word) -> Word {
        while let crate::word::Seen::Object(object) = word.see()
            && matches!(self.kind(object), Kind::Indirection | Kind::Bound)
        {
            word = self.get(object, 0);
        }
        word
    }

    /// Writes a word of the newest object: nothing has been allocated after it.
    #[inline]
    pub fn init(&mut self, object: u32, field: usize, value: Word) {
        self.put(object as usize + 1 + TAG + field, value.raw());
    }

    /// Writes a word of any object.
    #[inline]
    pub fn set(&mut self, object: u32, field: usize, value: Word) {
        self.put(object as usize + 1 + TAG + field, value.raw());
        self.remember(object, value);
    }

    /// A word of a `Raw` object, as it is.
    pub fn raw(&self, object: u32, field: usize) -> u64 {
        self.words[object as usize + 1 + TAG + field]
    }

    /// Writes a word of a `Raw` object.
    pub fn set_raw(&mut self, object: u32, field: usize, value: u64) {
        self.words[object as usize + 1 + TAG + field] = value;
    }

    /// Marks a thunk as being evaluated; it no longer keeps its variables alive.
    #[inline]
    pub fn enter(&mut self, thunk: u32) {
        let header = Header(self.at(thunk as usize));
        self.put(thunk as usize, header.with(Kind::BlackHole).0);
    }

    /// Makes a thunk (or one under evaluation) an indirection to its value.
    #[inline]
    pub fn update(&mut self, thunk: u32, value: Word) {
        let header = Header(self.at(thunk as usize));
        self.put(thunk as usize, header.with(Kind::Indirection).0);
        self.set(thunk, 0, value);
    }

    /// Marks a thunk as being evaluated, but keeps what it needs to be evaluated again.
    pub fn enter_again(&mut self, thunk: u32) {
        let header = Header(self.words[thunk as usize]);
        self.words[thunk as usize] = Header::new(Kind::Entered, header.length(), header.info()).0;
    }

    /// Binds a thunk or a logical variable to a value until the binding is taken back.
    pub fn bind(&mut self, object: u32, value: Word) {
        let header = Header(self.words[object as usize]);
        self.words[object as usize] = Header::new(Kind::Bound, header.length(), header.info()).0;
        self.set(object, 0, value);
    }

    /// The words that [`Heap::put_back`] needs to undo the next change of an object.
    pub fn copy_of(&self, object: u32) -> (Kind, Word) {
        (self.kind(object), self.get(object, 0))
    }

    /// Undoes changes of an object: it is again what it was when the copy was taken.
    pub fn put_back(&mut self, object: u32, (kind, first): (Kind, Word)) {
        let header = Header(self.words[object as usize]);
        self.words[object as usize] = Header::new(kind, header.length(), header.info()).0;
        self.set(object, 0, first);
    }

    /// Whether an object is older than `mark`, as far as the heap knows: an object that has survived a
    /// collection counts as old.
    pub fn is_older(&self, object: u32, mark: u32) -> bool {
        object < mark || object as usize >= self.nursery
    }

    /// Where the next object goes: a mark for [`Heap::is_older`], good until the next collection.
    pub fn mark(&self) -> u32 {
        self.top as u32
    }

    #[inline]
    fn remember(&mut self, object: u32, value: Word) {
        if object as usize >= self.nursery && value.is_object() && value.place() < self.nursery {
            let header = self.at(object as usize);
            if header & REMEMBERED == 0 {
                self.put(object as usize, header | REMEMBERED);
                self.remembered.push(object);
            }
        }
    }

    /// Collects: the nursery, and the old part if it has grown enough.
    pub fn collect(&mut self, roots: &mut dyn Roots) -> Result<(), Exhausted> {
        self.minor(roots);
        if self.words.len() > self.next_major || self.words.len() + self.nursery > self.limit {
            self.major(roots);
            let live = self.words.len() - self.nursery;
            self.next_major = self.nursery + (live + live * 3 / 4).max(FIRST_MAJOR.min(self.nursery * 16));
            self.next_major =
                self.next_major.min(self.limit.saturating_sub(self.nursery)).max(self.words.len());
        }
        match self.words.len() + self.nursery <= self.limit {
            true => Ok(()),
            false => Err(Exhausted),
        }
    }

    fn minor(&mut self, roots: &mut dyn Roots) {
        self.collections.0 += 1;
        let mut scanned = self.words.len();
        self.words.reserve(self.top);
        roots.each(true, &mut |word| *word = self.moved(*word));
        for object in std::mem::take(&mut self.remembered) {
            self.words[object as usize] &= !REMEMBERED;
            self.move_values(object as usize);
        }
        let mut told = 0;
        loop {
            while scanned < self.words.len() {
                let length = Header(self.words[scanned]).length();
                self.move_values(scanned);
                scanned += 1 + TAG + length;
            }
            // The fields that are reported to the recorder, which may move meanwhile.
            let Some(field) = self.selected.get(told).map(|one| one.1) else { break };
            let field = self.moved(field);
            self.selected[told].1 = field;
            told += 1;
        }
        self.top = 0;
    }

    fn move_values(&mut self, object: usize) {
        let first = object + 1 + TAG;
        for at in first..first + Header(self.at(object)).values() {
            let value = Word::from_raw(self.at(at));
            if value.is_object() && value.place() < self.nursery {
                let value = self.moved(value);
                self.put(at, value.raw());
            }
        }
    }

    /// Where a value is after a minor collection; its object is moved if it was not yet. What is old stays where it is,
    /// and is not even looked at.
    #[inline]
    fn moved(&mut self, mut word: Word) -> Word {
        for _ in 0..SELECTORS {
            if !word.is_object() || word.place() >= self.nursery {
                return word;
            }
            let object = word.place() as u32;
            let header = Header(self.at(object as usize));
            if let Some(new) = header.moved_to() {
                return word.moved_to(new);
            }
            word = match header.kind() {
                Kind::Indirection => self.get(object, 0),
                Kind::Selector => match self.selected(self.get(object, 0), header.info() as usize) {
                    Some(field) => {
                        self.pass_over(object, field);
                        field
                    }
                    None => break,
                },
                _ => break,
            };
        }
        if !word.is_object() || word.place() >= self.nursery {
            return word;
        }
        let index = word.place();
        let header = Header(self.at(index));
        if let Some(new) = header.moved_to() {
            return word.moved_to(new);
        }
        let new = self.words.len();
        let size = 1 + TAG + header.length();
        debug_assert!(self.words.capacity() >= new + size);
        // SAFETY: a minor collection has reserved room for everything in the nursery; the object is there, and what is
        // behind the last word is not.
        unsafe {
            let words = self.words.as_mut_ptr();
            for at in 0..size {
                *words.add(new + at) = *words.add(index + at);
            }
            self.words.set_len(new + size);
        }
        self.put(index, Header::moved(new as u32).0);
        word.moved_to(new as u32)
    }

    /// The value itself, without the indirections and evaluated selectors before it.
    fn shortest(&mut self, mut word: Word) -> Word {
        for _ in 0..SELECTORS {
            let Some(index) = word.index() else { return word };
            let header = Header(self.words[index as usize]);
            if header.moved_to().is_some() {
                return word;
            }
            word = match header.kind() {
                Kind::Indirection => self.get(index, 0),
                Kind::Selector => match self.selected(self.get(index, 0), header.info() as usize) {
                    Some(field) => {
                        self.pass_over(index, field);
                        field
                    }
                    None => return word,
                },
                _ => return word,
            };
        }
        word
    }

    /// The field of an evaluated constructor.
    fn selected(&self, mut of: Word, field: usize) -> Option<Word> {
        for _ in 0..SELECTORS {
            let mut index = of.index()?;
            let mut header = Header(self.words[index as usize]);
            if let Some(new) = header.moved_to() {
                index = new;
                header = Header(self.words[new as usize]);
            }
            match header.kind() {
                Kind::Indirection => of = self.get(index, 0),
                Kind::Constructor => return Some(self.get(index, field)),
                _ => return None,
            }
        }
        None
    }

    /// Marks and slides the old part; the nursery is empty.
    fn major(&mut self, roots: &mut dyn Roots) {
        self.collections.1 += 1;
        let mut marks = Marks::new(self.nursery, self.words.len());
        let mut pending = Vec::new();
        let mut functions = Vec::new();
        let mut seen = 0;
        roots.each(false, &mut |word| {
            *word = self.shortest(*word);
            pending.extend(word.index());
            functions.extend(word.as_function());
        });
        functions.into_iter().for_each(|function| roots.function(function));
        loop {
            while let Some(object) = pending.pop() {
                let object = object as usize;
                let header = Header(self.words[object]);
                if !marks.mark(object, 1 + TAG + header.length()) {
                    continue;
                }
                match header.kind() {
                    Kind::Thunk | Kind::Entered => roots.thunk(header.info()),
                    Kind::Partial => roots.function(header.info()),
                    _ => {}
                }
                let first = object + 1 + TAG;
                for at in first..first + header.values() {
                    let value = self.shortest(Word::from_raw(self.words[at]));
                    self.words[at] = value.raw();
                    pending.extend(value.index());
                    if let Some(function) = value.as_function() {
                        roots.function(function);
                    }
                }
            }
            let mut functions = Vec::new();
            let more = roots.more(&mut |word| {
                *word = self.shortest(*word);
                pending.extend(word.index());
                functions.extend(word.as_function());
            });
            functions.into_iter().for_each(|function| roots.function(function));
            let told = &self.selected;
            pending.extend(told[seen..].iter().filter_map(|one| one.1.index()));
            seen = told.len();
            if !more && pending.is_empty() {
                break;
            }
        }
        marks.count();
        let new = |word: Word| match word.index() {
            Some(index) => word.moved_to(marks.place(index as usize) as u32),
            None => word,
        };
        roots.each(false, &mut |word| *word = new(*word));
        self.selected.iter_mut().for_each(|one| one.1 = new(one.1));
        let mut to = self.nursery;
        let mut from = self.nursery;
        while from < self.words.len() {
            let header = Header(self.words[from]);
            let size = 1 + TAG + header.length();
            if marks.is_marked(from) {
                let first = from + 1 + TAG;
                for at in first..first + header.values() {
                    self.words[at] = new(Word::from_raw(self.words[at])).raw();
                }
                self.words.copy_within(from..from + size, to);
                to += size;
            }
            from += size;
        }
        self.words.truncate(to);
        // Memory that is returned is needed again soon, so only a large surplus is returned.
        if self.words.capacity() > 4 * to.max(FIRST_MAJOR) {
            self.words.shrink_to(2 * to.max(FIRST_MAJOR));
        }
    }
}

/// Which words of the old part live, and how many do before each.
struct Marks {
    start: usize,
    bits: Vec<u64>,
    before: Vec<u32>,
}

impl Marks {
    fn new(start: usize, end: usize) -> Marks {
        Marks { start, bits: vec![0; (end - start) / 64 + 2], before: Vec::new() }
    }

    /// Marks an object's words; says whether it was not marked before.
    fn mark(&mut self, object: usize, size: usize) -> bool {
        if self.is_marked(object) {
            return false;
        }
        let (mut at, end) = (object - self.start, object - self.start + size);
        while at < end {
            let bits = (end - at).min(64 - at % 64);
            let ones = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            self.bits[at / 64] |= ones << (at % 64);
            at += bits;
        }
        true
    }

    fn is_marked(&self, object: usize) -> bool {
        let at = object - self.start;
        self.bits[at / 64] >> (at % 64) & 1 == 1
    }

    fn count(&mut self) {
        let mut sum = 0;
        self.before = self
            .bits
            .iter()
            .map(|bits| {
                let before = sum;
                sum += bits.count_ones();
                before
            })
            .collect();
    }

    /// Where a living word goes.
    fn place(&self, word: usize) -> usize {
        let at = word - self.start;
        let below = self.bits[at / 64] & ((1 << (at % 64)) - 1);
        self.start + self.before[at / 64] as usize + below.count_ones() as usize
    }
}

#[cfg(test)]
mod tests;
