//! Source files and places in them.

use super::error::Fault;
use super::grammar::count;
use super::header::Listed;
use super::scan::{Scan, Scanner, decode};
use gadfly_source::{FileId, NoText, Position, Refusal, Region, Shelf, SourceFile, Sources};
use std::collections::HashMap;

/// The files that a recording names, by name.
#[derive(Debug, Default)]
pub(crate) struct Files {
    ids: HashMap<Box<str>, FileId>,
    /// The only file of the header, which a place may leave out.
    only: Option<FileId>,
    /// The files that were not opened, and why.
    pub(crate) refused: Vec<(Box<str>, Refusal)>,
}

/// A place as a line says it.
pub(crate) struct Place<'a> {
    file: Option<&'a [u8]>,
    at: usize,
    start: Position,
    end: Position,
}

impl Files {
    /// The files of the header.
    pub(crate) fn new(listed: Vec<Listed>, shelf: &Shelf, sources: &mut Sources) -> Files {
        let mut files = Files::default();
        let only = listed.len() == 1;
        for Listed { file, text } in listed {
            let id = files.add(&file, text, shelf, sources);
            files.only = only.then_some(id);
        }
        files
    }

    /// The file with this name, which is added if it is new.
    fn add(&mut self, name: &str, text: Option<String>, shelf: &Shelf, sources: &mut Sources) -> FileId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let text = text.or_else(|| self.text(name, shelf));
        let id = sources.add(SourceFile::new(name, text));
        self.ids.insert(name.into(), id);
        id
    }

    fn text(&mut self, name: &str, shelf: &Shelf) -> Option<String> {
        match shelf.read(name) {
            Ok(bytes) => String::from_utf8(bytes).ok(),
            Err(NoText::Missing) => None,
            Err(NoText::Refused(why)) => {
                self.refused.push((name.into(), why));
                None
            }
        }
    }

    /// The region of a place; its file is added if it is new.
    pub(crate) fn settle(&mut self, place: &Place<'_>, shelf: &Shelf, sources: &mut Sources) -> Scan<Region> {
        let file = match place.file {
            Some(name) => self.add(&decode(name), None, shelf, sources),
            None => self.only.ok_or_else(|| {
                let message = "the place has no `file`, and the header does not list exactly one source";
                Fault::field(place.at, message, "add \"file\": \"…\"")
            })?,
        };
        Ok(Region { file, start: place.start, end: place.end })
    }

    /// The region of a place in a file that was named before.
    pub(crate) fn find(&self, place: &Place<'_>) -> Option<Region> {
        let file = match place.file {
            Some(name) => *self.ids.get(&*decode(name))?,
            None => self.only?,
        };
        Some(Region { file, start: place.start, end: place.end })
    }
}

/// Keeps the value of a field whose key is at this place, unless it has one.
pub(crate) fn once<T>(field: &mut Option<T>, value: T, at: usize) -> Scan<()> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err(Fault::field(at, "this field occurs twice", "write every field once")),
    }
}

/// Reads `{"file": …, "start": [line, column], "end": [line, column]}`.
pub(crate) fn place<'a>(scanner: &mut Scanner<'a>) -> Scan<Place<'a>> {
    const SHAPE: &str = "a place is {\"file\": \"a.py\", \"start\": [line, column], \"end\": [line, column]}";
    if !scanner.accept(b'{') {
        return Err(scanner.wanted("an object with `start` and `end`"));
    }
    let at = scanner.at() - 1;
    let (mut file, mut start, mut end) = (None, None, None);
    let mut more = !scanner.accept(b'}');
    while more {
        scanner.peek();
        let at = scanner.at();
        match &*scanner.name()? {
            b"file" if scanner.null()? => {}
            b"file" => once(&mut file, scanner.string()?, at)?,
            b"start" => once(&mut start, position(scanner)?, at)?,
            b"end" => once(&mut end, position(scanner)?, at)?,
            _ => scanner.skip()?,
        }
        more = scanner.more(b'}')?;
    }
    let (Some(start), Some(end)) = (start, end) else {
        return Err(Fault::field(at, "the place has no `start` or no `end`", SHAPE));
    };
    if end < start {
        return Err(Fault::field(at, "the place ends before it starts", SHAPE));
    }
    Ok(Place { file, at, start, end })
}

/// Reads the array of places of `code`, giving each to `found`.
pub(crate) fn places<'a>(
    scanner: &mut Scanner<'a>,
    mut found: impl FnMut(Place<'a>) -> Scan<()>,
) -> Scan<()> {
    if !scanner.accept(b'[') {
        return Err(scanner.wanted("an array of places"));
    }
    let mut more = !scanner.accept(b']');
    while more {
        found(place(scanner)?)?;
        more = scanner.more(b']')?;
    }
    Ok(())
}

fn position(scanner: &mut Scanner<'_>) -> Scan<Position> {
    if !scanner.accept(b'[') {
        return Err(scanner.wanted("an array of line and column"));
    }
    let line = from_one(scanner)?;
    scanner.expect(b',')?;
    let column = from_one(scanner)?;
    scanner.expect(b']')?;
    Ok(Position { line, column })
}

/// A whole number from 1 on.
pub(crate) fn from_one(scanner: &mut Scanner<'_>) -> Scan<u32> {
    scanner.peek();
    let at = scanner.at();
    match u32::try_from(count(scanner)?) {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(Fault::field(
            at,
            "this must be a whole number from 1 to 2^32-1",
            "lines, columns and rules count from 1",
        )),
    }
}
