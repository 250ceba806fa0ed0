//! The term forms, as a grammar without a memory of what it read.
//!
//! [`term`] recognises one term and reports to a [`Sink`] what it meets. At load time nothing listens and the grammar only
//! checks; when a node is asked about, [`super::values`] listens and builds. One grammar for both is what makes a term
//! that passed the load readable later. The open forms are kept on a stack of one byte each, so depth costs next to
//! nothing.

use super::error::Fault;
use super::scan::{Scan, Scanner, decode};

/// A value without parts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leaf<'a> {
    Number(&'a [u8]),
    Str(&'a [u8], u64),
    Constant(Constant),
    Char(&'a [u8]),
    /// A number JSON cannot say.
    OddNumber(&'a [u8]),
    Opaque(&'a [u8]),
    Unevaluated,
    Omitted(u64),
}

/// JSON's three words; how they are called depends on the language.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Constant {
    True,
    False,
    Null,
}

/// A value with parts, or one of the two parts that have parts themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compound {
    List,
    Tuple,
    Con,
    Function,
    Record,
    Object,
    Map,
    Entry,
    Field,
}

/// What is notified of the parts of a term. Texts are raw: escapes stand as written.
pub(crate) trait Sink<'a> {
    /// A value without parts.
    fn leaf(&mut self, leaf: Leaf<'a>);
    /// Something with parts begins: a field or an entry, or else a value whose form is known at its end.
    fn open(&mut self, part: Option<Compound>);
    /// The name of what was opened last.
    fn head(&mut self, name: &'a [u8]);
    /// What was opened last ends.
    fn close(&mut self, compound: Compound);
}

/// No listener: the term is only checked.
pub(crate) struct Check;

impl<'a> Sink<'a> for Check {
    #[inline]
    fn leaf(&mut self, _: Leaf<'a>) {}
    #[inline]
    fn open(&mut self, _: Option<Compound>) {}
    #[inline]
    fn head(&mut self, _: &'a [u8]) {}
    #[inline]
    fn close(&mut self, _: Compound) {}
}

/// What is open around the place that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// `[…]`.
    List,
    /// The array of a form's parts: of `tuple` or `args`.
    Parts,
    /// The object of a form's `fields`.
    Fields,
    /// The array of `map`.
    Entries,
    /// An entry, with how many terms it has so far: none, one, more.
    Entry0,
    Entry1,
    Entry2,
    /// `{"tuple": …}`, which is complete with that.
    Tuple,
    /// `{"map": …}`, likewise.
    Map,
    /// Forms of a name and parts, by what of them was seen.
    Args,
    Con,
    ConArgs,
    Function,
    FunctionArgs,
    NamedFields,
    Record,
    RecordFields,
    Object,
    ObjectFields,
}

const FORMS: &str = "an object value has one of the forms con, tuple, char, str, num, record, fun, map, object, \
                     opaque, unevaluated, omitted: see docs/interchange.md";

/// What comes next.
enum Next {
    /// A term.
    Term,
    /// Whatever follows a term.
    Rest,
}

/// Recognises one term. `open` is scratch space and is empty before and after.
#[inline]
pub(crate) fn term<'a, S: Sink<'a>>(
    scanner: &mut Scanner<'a>,
    open: &mut Vec<Open>,
    sink: &mut S,
) -> Scan<()> {
    // Most values are numbers: no need to look further.
    if let b'-' | b'0'..=b'9' = scanner.peek() {
        sink.leaf(Leaf::Number(scanner.number()?));
        return Ok(());
    }
    open.clear();
    let mut next = Next::Term;
    loop {
        next = match next {
            Next::Term => begin(scanner, open, sink)?,
            Next::Rest => match open.last() {
                None => return Ok(()),
                Some(top) => follow(*top, scanner, open, sink)?,
            },
        }
    }
}

/// Reads a term up to its first part.
fn begin<'a, S: Sink<'a>>(scanner: &mut Scanner<'a>, open: &mut Vec<Open>, sink: &mut S) -> Scan<Next> {
    match scanner.peek() {
        b'-' | b'0'..=b'9' => sink.leaf(Leaf::Number(scanner.number()?)),
        b'"' => sink.leaf(Leaf::Str(scanner.string()?, 0)),
        b'[' => {
            scanner.take();
            sink.open(None);
            if !scanner.accept(b']') {
                open.push(Open::List);
                return Ok(Next::Term);
            }
            sink.close(Compound::List);
        }
        b'{' => {
            let at = scanner.at();
            scanner.take();
            if scanner.peek() == b'}' {
                return Err(Fault::field(at, "an empty object is not a value", FORMS));
            }
            return form(None, scanner, open, sink);
        }
        b't' => {
            scanner.word("true")?;
            sink.leaf(Leaf::Constant(Constant::True));
        }
        b'f' => {
            scanner.word("false")?;
            sink.leaf(Leaf::Constant(Constant::False));
        }
        b'n' => {
            scanner.word("null")?;
            sink.leaf(Leaf::Constant(Constant::Null));
        }
        _ => return Err(scanner.unexpected("a value")),
    }
    Ok(Next::Rest)
}

/// Goes on after a part of `top`.
fn follow<'a, S: Sink<'a>>(
    top: Open,
    scanner: &mut Scanner<'a>,
    open: &mut Vec<Open>,
    sink: &mut S,
) -> Scan<Next> {
    match top {
        Open::List | Open::Parts => {
            if scanner.more(b']')? {
                return Ok(Next::Term);
            }
            open.pop();
            if top == Open::List {
                sink.close(Compound::List);
            }
        }
        Open::Fields => {
            sink.close(Compound::Field);
            if scanner.more(b'}')? {
                sink.open(Some(Compound::Field));
                sink.head(scanner.key()?);
                return Ok(Next::Term);
            }
            open.pop();
        }
        Open::Entries => {
            if scanner.more(b']')? {
                return entry(scanner, open, sink);
            }
            open.pop();
        }
        Open::Entry0 | Open::Entry1 | Open::Entry2 => {
            let at = scanner.at();
            let more = scanner.more(b']')?;
            open.pop();
            if more {
                open.push(if top == Open::Entry0 { Open::Entry1 } else { Open::Entry2 });
                return Ok(Next::Term);
            }
            if top == Open::Entry0 {
                return Err(Fault::field(at, "an entry of a map has one term only", ENTRY));
            }
            sink.close(Compound::Entry);
        }
        _ => {
            if scanner.more(b'}')? {
                return form(Some(top), scanner, open, sink);
            }
            let compound = match top {
                Open::Tuple => Compound::Tuple,
                Open::Map => Compound::Map,
                Open::Con | Open::ConArgs => Compound::Con,
                Open::Function | Open::FunctionArgs => Compound::Function,
                Open::Record | Open::RecordFields => Compound::Record,
                Open::Object | Open::ObjectFields => Compound::Object,
                _ => {
                    let message = "this object has `args` or `fields`, but no name that they belong to";
                    return Err(Fault::field(scanner.at() - 1, message, FORMS));
                }
            };
            open.pop();
            sink.close(compound);
        }
    }
    Ok(Next::Rest)
}

const ENTRY: &str = "an entry is an array: the arguments (at least one), then the result";

fn entry<'a, S: Sink<'a>>(scanner: &mut Scanner<'a>, open: &mut Vec<Open>, sink: &mut S) -> Scan<Next> {
    let at = scanner.at();
    if !scanner.accept(b'[') {
        return Err(scanner.wanted("an entry, which is an array"));
    }
    if scanner.peek() == b']' {
        return Err(Fault::field(at, "an entry of a map is empty", ENTRY));
    }
    sink.open(Some(Compound::Entry));
    open.push(Open::Entry0);
    Ok(Next::Term)
}

/// Reads the next key of an object that is a value, and its value or the beginning of it.
fn form<'a, S: Sink<'a>>(
    so_far: Option<Open>,
    scanner: &mut Scanner<'a>,
    open: &mut Vec<Open>,
    sink: &mut S,
) -> Scan<Next> {
    scanner.peek();
    let at = scanner.at();
    let key = scanner.name()?;
    let key = &*key;
    let now = match (so_far, key) {
        (None, b"con") => Open::Con,
        (None, b"fun") => Open::Function,
        (None, b"record") => Open::Record,
        (None, b"object") => Open::Object,
        (None, b"args") => Open::Args,
        (None, b"fields") => Open::NamedFields,
        (None, b"tuple") => Open::Tuple,
        (None, b"map") => Open::Map,
        (None, _) => return small_form(at, key, scanner, sink),
        (Some(Open::Con), b"args") | (Some(Open::Args), b"con") => Open::ConArgs,
        (Some(Open::Function), b"args") | (Some(Open::Args), b"fun") => Open::FunctionArgs,
        (Some(Open::Record), b"fields") | (Some(Open::NamedFields), b"record") => Open::RecordFields,
        (Some(Open::Object), b"fields") | (Some(Open::NamedFields), b"object") => Open::ObjectFields,
        (Some(_), _) => {
            let message = format!("`{}` is not a field of this form, or occurs twice", decode(key));
            return Err(Fault::field(at, message, FORMS));
        }
    };
    if so_far.is_none() {
        sink.open(None);
    } else {
        open.pop();
    }
    open.push(now);
    match key {
        b"args" | b"tuple" | b"map" => {
            if !scanner.accept(b'[') {
                return Err(scanner.wanted("an array"));
            }
            if scanner.accept(b']') {
                return Ok(Next::Rest);
            }
            if key == b"map" {
                open.push(Open::Entries);
                return entry(scanner, open, sink);
            }
            open.push(Open::Parts);
            Ok(Next::Term)
        }
        b"fields" => {
            if !scanner.accept(b'{') {
                return Err(scanner.wanted("an object"));
            }
            if scanner.accept(b'}') {
                return Ok(Next::Rest);
            }
            open.push(Open::Fields);
            sink.open(Some(Compound::Field));
            sink.head(scanner.key()?);
            Ok(Next::Term)
        }
        _ => {
            sink.head(scanner.string()?);
            Ok(Next::Rest)
        }
    }
}

/// The forms without parts, up to the closing brace.
fn small_form<'a, S: Sink<'a>>(at: usize, key: &[u8], scanner: &mut Scanner<'a>, sink: &mut S) -> Scan<Next> {
    let value_at = scanner.at();
    let leaf = match key {
        b"str" => {
            let text = scanner.string()?;
            if !scanner.more(b'}')? {
                sink.leaf(Leaf::Str(text, 0));
                return Ok(Next::Rest);
            }
            let at = scanner.at();
            if *scanner.name()? != *b"more" {
                return Err(Fault::field(at, "`str` allows no other field than `more`", FORMS));
            }
            Leaf::Str(text, count(scanner)?)
        }
        b"more" => {
            let more = count(scanner)?;
            scanner.expect(b',')?;
            let at = scanner.at();
            if *scanner.name()? != *b"str" {
                return Err(Fault::field(at, "`more` belongs to `str`", FORMS));
            }
            Leaf::Str(scanner.string()?, more)
        }
        b"char" => {
            let text = scanner.string()?;
            if text.len() > 12 || decode(text).chars().count() != 1 {
                let message = "`char` holds exactly one character";
                return Err(Fault::field(value_at, message, "write several characters as a string"));
            }
            Leaf::Char(text)
        }
        b"num" => {
            let text = scanner.string()?;
            if text.is_empty() {
                return Err(Fault::field(
                    value_at,
                    "`num` is empty",
                    "write the number as the language does",
                ));
            }
            Leaf::OddNumber(text)
        }
        b"opaque" => Leaf::Opaque(scanner.string()?),
        b"unevaluated" => {
            if !scanner.boolean()? {
                return Err(Fault::field(value_at, "`unevaluated` can only be true", FORMS));
            }
            Leaf::Unevaluated
        }
        b"omitted" => match scanner.peek() {
            b't' => {
                scanner.word("true")?;
                Leaf::Omitted(0)
            }
            _ => Leaf::Omitted(count(scanner)?),
        },
        _ => {
            let name: String = decode(key).chars().take(40).collect();
            return Err(Fault::field(at, format!("`{name}` is not a form of a value"), FORMS));
        }
    };
    if scanner.more(b'}')? {
        return Err(Fault::field(scanner.at(), "this form has no further fields", FORMS));
    }
    sink.leaf(leaf);
    Ok(Next::Rest)
}

/// A whole number that is not negative.
pub(crate) fn count(scanner: &mut Scanner<'_>) -> Scan<u64> {
    scanner.peek();
    let at = scanner.at();
    let text = scanner.number()?;
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    number.ok_or_else(|| {
        let message = "this must be a whole number, 0 or more, below 2^64";
        Fault::field(at, message, "write it without a fraction, an exponent or a sign")
    })
}
