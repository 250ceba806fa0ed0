//! The arena of values.

use std::fmt::Write as _;

/// A value in an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub(crate) u32);

/// What a term is, seen from outside.
///
/// The children of `Record` and `Object` are [`Shape::Field`]s, those of `FiniteMap` are [`Shape::Entry`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape<'a> {
    /// A constructor applied to arguments: `Just 3`, `True`. `:` with two or more parts is the beginning of a list, as in
    /// `1 : 2 : _`: the last part is the rest.
    Con(&'a str, &'a [TermId]),
    /// `(1, 2)`.
    Tuple(&'a [TermId]),
    /// `[1, 2]`.
    List(&'a [TermId]),
    /// A string; the number counts the characters that were cut off at the end and are not shown.
    Str(&'a str, u64),
    /// A character.
    Char(&'a str),
    /// A number, as written.
    Number(&'a str),
    /// `P {x = 1}`.
    Record(&'a str, &'a [TermId]),
    /// A function or partial application: `map f`.
    Function(&'a str, &'a [TermId]),
    /// `{2 ↦ False, 7 ↦ True}`: a function as far as it was used, or a dictionary.
    FiniteMap(&'a [TermId]),
    /// An object with its class and fields.
    Object(&'a str, &'a [TermId]),
    /// A value of which only its text is known.
    Opaque(&'a str),
    /// A named field of a record or an object.
    Field(&'a str, TermId),
    /// An entry of a finite map: one or more arguments, and the result.
    Entry(&'a [TermId], TermId),
    /// `_`: never evaluated.
    Unevaluated,
    /// `…`: not shown; how many elements that stands for, where it is known (0 where not).
    Omitted(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Con,
    Tuple,
    List,
    Str,
    Char,
    Number,
    Record,
    Function,
    FiniteMap,
    Object,
    Opaque,
    Field,
    Entry,
    Unevaluated,
    Omitted,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    tag: Tag,
    text: (u32, u32),
    links: (u32, u32),
    /// For `Str` and `Omitted`: how much is not shown.
    more: u64,
}

/// An arena of values: the arguments and the result of one equation, with whatever they share.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    cells: Vec<Cell>,
    links: Vec<TermId>,
    text: String,
}

/// How much an arena holds at some time: see [`Terms::mark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    cells: usize,
    links: usize,
    text: usize,
}

impl Terms {
    /// An empty arena.
    pub fn new() -> Self {
        Terms::default()
    }

    /// What a term is.
    ///
    /// # Panics
    /// If the term is of another arena.
    pub fn shape(&self, id: TermId) -> Shape<'_> {
        let cell = self.cells[id.0 as usize];
        let text = &self.text[cell.text.0 as usize..cell.text.1 as usize];
        let links = &self.links[cell.links.0 as usize..cell.links.1 as usize];
        match cell.tag {
            Tag::Con => Shape::Con(text, links),
            Tag::Tuple => Shape::Tuple(links),
            Tag::List => Shape::List(links),
            Tag::Str => Shape::Str(text, cell.more),
            Tag::Char => Shape::Char(text),
            Tag::Number => Shape::Number(text),
            Tag::Record => Shape::Record(text, links),
            Tag::Function => Shape::Function(text, links),
            Tag::FiniteMap => Shape::FiniteMap(links),
            Tag::Object => Shape::Object(text, links),
            Tag::Opaque => Shape::Opaque(text),
            Tag::Field => Shape::Field(text, links[0]),
            Tag::Entry => Shape::Entry(&links[..links.len() - 1], links[links.len() - 1]),
            Tag::Unevaluated => Shape::Unevaluated,
            Tag::Omitted => Shape::Omitted(cell.more),
        }
    }

    /// The parts of a term, in order: arguments, elements, fields, entries.
    pub fn children(&self, id: TermId) -> &[TermId] {
        let cell = self.cells[id.0 as usize];
        &self.links[cell.links.0 as usize..cell.links.1 as usize]
    }

    /// How many terms the arena holds.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether the arena is empty.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether nothing is left out: no `…`, no cut string.
    pub fn is_complete(&self) -> bool {
        self.cells.iter().all(|cell| cell.tag != Tag::Omitted && cell.more == 0)
    }

    /// How much there is now.
    pub fn mark(&self) -> Mark {
        Mark { cells: self.cells.len(), links: self.links.len(), text: self.text.len() }
    }

    /// Forgets the terms that were made since then. Their ids must not be used any more.
    pub fn forget(&mut self, since: Mark) {
        self.cells.truncate(since.cells);
        self.links.truncate(since.links);
        self.text.truncate(since.text);
    }

    fn push(&mut self, tag: Tag, text: &str, links: &[TermId], more: u64) -> TermId {
        let text_start = self.text.len() as u32;
        self.text.push_str(text);
        let links_start = self.links.len() as u32;
        self.links.extend_from_slice(links);
        self.cells.push(Cell {
            tag,
            text: (text_start, self.text.len() as u32),
            links: (links_start, self.links.len() as u32),
            more,
        });
        TermId(self.cells.len() as u32 - 1)
    }

    /// A constructor applied to arguments.
    pub fn con(&mut self, name: &str, args: &[TermId]) -> TermId {
        self.push(Tag::Con, name, args, 0)
    }

    /// A tuple.
    pub fn tuple(&mut self, parts: &[TermId]) -> TermId {
        self.push(Tag::Tuple, "", parts, 0)
    }

    /// A list.
    pub fn list(&mut self, elements: &[TermId]) -> TermId {
        self.push(Tag::List, "", elements, 0)
    }

    /// A string of which `more` characters after `text` are not here.
    pub fn str(&mut self, text: &str, more: u64) -> TermId {
        self.push(Tag::Str, text, &[], more)
    }

    /// A character.
    pub fn char(&mut self, text: &str) -> TermId {
        self.push(Tag::Char, text, &[], 0)
    }

    /// A number, as written.
    pub fn number(&mut self, text: &str) -> TermId {
        self.push(Tag::Number, text, &[], 0)
    }

    /// A record; its fields are made with [`Terms::field`].
    pub fn record(&mut self, name: &str, fields: &[TermId]) -> TermId {
        self.push(Tag::Record, name, fields, 0)
    }

    /// A function or partial application.
    pub fn function(&mut self, name: &str, args: &[TermId]) -> TermId {
        self.push(Tag::Function, name, args, 0)
    }

    /// A finite map; its entries are made with [`Terms::entry`].
    pub fn finite_map(&mut self, entries: &[TermId]) -> TermId {
        self.push(Tag::FiniteMap, "", entries, 0)
    }

    /// An object; its fields are made with [`Terms::field`].
    pub fn object(&mut self, class: &str, fields: &[TermId]) -> TermId {
        self.push(Tag::Object, class, fields, 0)
    }

    /// A value of which only its text is known.
    pub fn opaque(&mut self, text: &str) -> TermId {
        self.push(Tag::Opaque, text, &[], 0)
    }

    /// A field of a record or an object.
    pub fn field(&mut self, name: &str, value: TermId) -> TermId {
        self.push(Tag::Field, name, &[value], 0)
    }

    /// An entry of a finite map.
    pub fn entry(&mut self, arguments: &[TermId], result: TermId) -> TermId {
        let start = self.links.len() as u32;
        self.links.extend_from_slice(arguments);
        self.links.push(result);
        self.cells.push(Cell {
            tag: Tag::Entry,
            text: (0, 0),
            links: (start, self.links.len() as u32),
            more: 0,
        });
        TermId(self.cells.len() as u32 - 1)
    }

    /// `_`.
    pub fn unevaluated(&mut self) -> TermId {
        self.push(Tag::Unevaluated, "", &[], 0)
    }

    /// `…`, standing for `count` elements (0: not known).
    pub fn omitted(&mut self, count: u64) -> TermId {
        self.push(Tag::Omitted, "", &[], count)
    }

    /// Appends a text that two terms share exactly when they are equal. Knowledge bases on disk are keyed by it: another
    /// form forgets what they know.
    pub fn canonical(&self, id: TermId, out: &mut String) {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            self.canonical_head(id, out);
            stack.extend(self.children(id).iter().rev());
        }
    }

    /// Appends the part of the canonical text that says what a term is apart from its parts. Two terms are equal exactly
    /// when they share this text and their parts are equal.
    pub(crate) fn canonical_head(&self, id: TermId, out: &mut String) {
        let cell = self.cells[id.0 as usize];
        let text = &self.text[cell.text.0 as usize..cell.text.1 as usize];
        let links = self.children(id).len();
        // Lengths make it prefix-free, so no text inside can be taken for structure.
        let _ = write!(out, "{}.{}.{}.{}:", cell.tag as u8, text.len(), links, cell.more);
        out.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_texts_tell_structure_from_text() {
        let mut terms = Terms::new();
        let three = terms.number("3");
        let just = terms.con("Just", &[three]);
        let opaque = terms.opaque("Just 3");
        let again = terms.number("3");
        let just_again = terms.con("Just", &[again]);
        let text = |id| {
            let mut out = String::new();
            terms.canonical(id, &mut out);
            out
        };
        assert_eq!(text(just), text(just_again));
        assert_ne!(text(just), text(opaque));
    }

    #[test]
    fn the_canonical_form_stays_what_it_is() {
        let mut terms = Terms::new();
        let one = terms.number("1");
        let hole = terms.unevaluated();
        let entry = terms.entry(&[one], hole);
        let map = terms.finite_map(&[entry]);
        let text = terms.str("a", 0);
        let all = terms.tuple(&[map, text]);
        let mut out = String::new();
        terms.canonical(all, &mut out);
        assert_eq!(out, "1.0.2.0:8.0.1.0:12.0.2.0:5.1.0.0:113.0.0.0:3.1.0.0:a");
    }

    #[test]
    fn what_is_forgotten_leaves_no_trace() {
        let mut terms = Terms::new();
        let one = terms.number("1");
        let mark = terms.mark();
        let two = terms.con("Two", &[one]);
        terms.tuple(&[one, two]);
        terms.forget(mark);
        assert_eq!(terms.mark(), mark);
        let again = terms.con("Again", &[one]);
        assert_eq!((again, terms.shape(again)), (two, Shape::Con("Again", &[one])));
    }

    #[test]
    fn a_term_a_million_deep_is_no_trouble() {
        let mut terms = Terms::new();
        let mut id = terms.con("Z", &[]);
        for _ in 0..1_000_000 {
            id = terms.con("S", &[id]);
        }
        let mut out = String::new();
        terms.canonical(id, &mut out);
        assert!(out.len() > 1_000_000);
    }
}
