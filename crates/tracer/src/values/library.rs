//! Values of the library's own types that are written in C: what is in them is read by the library's own functions, never by ones
//! of the program. A type is known by its name in C, if it is one that no program can have made.

use crate::extension::{self, Buffer, attribute, said};
use crate::object::{Class, Object, Owned, Text, Tuple};
use crate::values::array_text::{kind, number};
use crate::values::constructors::Word;
use crate::values::{Value, Values};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::CStr;

/// What is known of such a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    /// What it writes of itself needs nothing of the program's: `range(0, 3)`.
    Written,
    /// The same, if these attributes of it are numbers, nothing, or time zones.
    WrittenWith(&'static [&'static CStr]),
    /// A moment: the same with its time zone.
    Moment,
    /// What `re` found.
    Match,
    /// A dictionary.
    Dictionary,
    /// What has elements by number.
    Sequence,
    /// An array of numpy's.
    Array,
    /// A table of pandas, or what is in one: the package knows how to show them.
    Table,
}

/// What a type is.
pub(crate) fn known(class: Class<'_>) -> Option<Library> {
    if !class.is_immutable() {
        return is_of_pandas(class).then_some(Library::Table);
    }
    Some(match class.full_name().to_bytes() {
        b"range" | b"datetime.date" | b"datetime.timedelta" | b"decimal.Decimal" => Library::Written,
        b"slice" => Library::WrittenWith(&[c"start", c"stop", c"step"]),
        b"datetime.datetime" => Library::Moment,
        b"datetime.time" => Library::WrittenWith(&[c"tzinfo"]),
        b"collections.OrderedDict" | b"collections.defaultdict" => Library::Dictionary,
        b"collections.deque" | b"array.array" => Library::Sequence,
        b"re.Match" => Library::Match,
        b"numpy.ndarray" => Library::Array,
        _ => return None,
    })
}

/// Whether a class says that it is one of pandas; the package finds out whether that is so.
fn is_of_pandas(class: Class<'_>) -> bool {
    let mut entries = class.dictionary().into_iter().flat_map(|dictionary| dictionary.entries());
    let module = entries.find(|(name, _)| name.text().is_some_and(|name| name.is("__module__")));
    let module = module.and_then(|(_, module)| module.text()).and_then(Text::ascii);
    module.is_some_and(|name| name == b"pandas" || name.starts_with(b"pandas."))
}

/// Tables that code of Python's has to be asked about. That cannot be done while somebody looks, so it is done before
/// ([`crate::hook::ask_about_tables`]): what is about to be looked at is gone through once for the tables in it, they are asked about, and
/// then the look is made, with the answers.
#[derive(Default)]
pub(crate) struct Tables {
    /// What was found, if that is what somebody looks for.
    pub(crate) wanted: Option<Vec<Owned>>,
    pub(crate) answers: Vec<(Owned, Option<(String, u64)>)>,
}

/// How many parts a table counts for.
const PARTS_OF_TABLE: u32 = 40;

impl Values {
    /// A table, as the package shows it: its text, and a number for what is in it.
    fn table(&mut self, object: Object<'_>, depth: u32) -> Value {
        if !crate::hook::gate::has_tables() {
            // It only says that it is one.
            return self.plain_object(object, depth);
        }
        if self.left < PARTS_OF_TABLE {
            return self.opaque(object.class());
        }
        self.left -= PARTS_OF_TABLE;
        let answer = self.tables.answers.iter().find(|(of, _)| of.pointer() == object.pointer());
        match answer.map(|(_, told)| told.clone()) {
            Some(Some((text, content))) => self.array_of(&text, content),
            Some(None) => self.plain_object(object, depth),
            None => {
                if let Some(wanted) = &mut self.tables.wanted {
                    wanted.push(Owned::of(object));
                }
                self.opaque(object.class())
            }
        }
    }

    /// A value of such a type.
    pub(crate) fn library(&mut self, object: Object<'_>, library: Library, depth: u32) -> Value {
        match library {
            Library::Moment => match self.moment(object) {
                Some(value) => value,
                None => self.opaque(object.class()),
            },
            Library::WrittenWith(names) if !names.iter().all(|name| is_harmless(object, name)) => {
                self.opaque(object.class())
            }
            Library::Written | Library::WrittenWith(_) => {
                let text = said(object);
                self.written(&text)
            }
            Library::Dictionary => self.dictionary(object, depth),
            Library::Sequence => self.sequence(object, depth),
            Library::Match => match self.found(object) {
                Some(value) => value,
                None => self.plain_object(object, depth),
            },
            Library::Array => self.array(object),
            Library::Table => self.table(object, depth),
        }
    }

    /// Something with elements, of which the first are looked at.
    fn sequence(&mut self, object: Object<'_>, depth: u32) -> Value {
        let length = extension::length(object);
        let mut held = Vec::new();
        // If there are more, the rest will not be gone through.
        let most = self.left + if self.unkept { 0 } else { self.compared };
        for at in 0..length.min(most as usize + 1) {
            let Some(element) = extension::element(object, at) else { break };
            held.push(element);
        }
        let from = self.parts.len();
        self.elements(length, depth, |at| held.get(at).map(|element| element.see_with(object)));
        self.released.append(&mut held);
        self.gather(Word::List as u32, from, true)
    }

    /// An array by its shape, the format of its elements, and the first of them.
    fn array(&mut self, object: Object<'_>) -> Value {
        let Some(buffer) = Buffer::of(object) else { return self.opaque_named("ndarray") };
        let format = buffer.format();
        let shape: Vec<String> = buffer.shape().iter().map(isize::to_string).collect();
        let size = buffer.element_size();
        let whole = buffer.bytes();
        let bytes = whole.unwrap_or_default();
        let count = bytes.len() / size;
        let mut shown: Vec<String> =
            bytes.chunks_exact(size).take(ELEMENTS_SHOWN).map_while(|chunk| number(&format, chunk)).collect();
        if shown.len() < count || whole.is_none() {
            shown.push("…".to_owned());
        }
        let text = format!("array({}, [{}], shape=({}))", kind(&format), shown.join(", "), shape.join(", "));
        let mut hash = 0u64;
        for chunk in bytes[..bytes.len().min(BYTES_COMPARED)].chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        }
        let unseen = whole.is_none() || bytes.len() > BYTES_COMPARED;
        drop(buffer);
        Value { unseen, ..self.array_of(&text, hash) }
    }
}

/// What the package shows of a table. Nobody looks.
pub(crate) fn shown(table: &Bound<'_, PyAny>) -> Option<(String, u64)> {
    let package = table.py().import("gadfly.recording.pandas_tables");
    package.and_then(|package| package.call_method1("seen", (table,))).ok()?.extract().ok()
}

/// Whether an attribute that the library keeps is a number, nothing, or a time zone of the library's.
fn is_harmless(object: Object<'_>, name: &CStr) -> bool {
    attribute(object, name, |found| {
        found.is_none() || found.is_a(&raw mut ffi::PyLong_Type) || is_zone(found)
    })
    .unwrap_or(false)
}

/// Whether something is a time zone of the library's that has nothing of the program's in it, so that it may be asked what it is.
pub(crate) fn is_zone(object: Object<'_>) -> bool {
    let class = object.class();
    if !class.is_immutable() {
        return false;
    }
    match class.full_name().to_bytes() {
        // Whatever was given for a key is kept.
        b"zoneinfo.ZoneInfo" => {
            attribute(object, c"key", |key| key.is_none() || key.text().is_some()).unwrap_or(false)
        }
        b"datetime.timezone" => is_plain_zone(object),
        _ => false,
    }
}

/// Whether a zone of a fixed offset has an offset and a name that are none of the program's.
fn is_plain_zone(object: Object<'_>) -> bool {
    let is_plain = |parts: Tuple<'_>| {
        parts.all().all(|part| part.text().is_some() || part.class().full_name() == c"datetime.timedelta")
            && parts.all().all(|part| part.class().is_immutable())
    };
    extension::zone_parts(object, is_plain).unwrap_or(false)
}

/// So many elements of an array are shown, and so many bytes tell whether it has changed.
const ELEMENTS_SHOWN: usize = 20;
const BYTES_COMPARED: usize = 1 << 16;
