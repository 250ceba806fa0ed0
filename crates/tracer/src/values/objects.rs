//! Objects and exceptions: by the fields that their class says they have, without running any code of theirs.

use crate::object::{Class, Object};
use crate::values::attributes::Fields;
use crate::values::classes::{Description, Form};
use crate::values::constructors::Word;
use crate::values::library;
use crate::values::{Elements, FLAT, Limits, Value, Values, mix, seed};
use gadfly_trail::model::RawRef;
use pyo3::ffi;

impl Values {
    /// An object of any other class.
    pub(crate) fn object(&mut self, object: Object<'_>, depth: u32) -> Value {
        let class = object.class();
        if let Some(arguments) = object.exception() {
            let from = self.parts.len();
            if let Some(arguments) = arguments {
                self.elements(arguments.length(), depth, |at| arguments.try_get(at));
            }
            return self.record(from, class.name(), Vec::new());
        }
        if !class.is_heap() {
            return match library::known(class) {
                Some(library) => self.library(object, library, depth),
                None => self.opaque(class),
            };
        }
        let description = self.descriptions.of(class);
        match description.library {
            Some(library) => self.library(object, library, depth),
            None => self.by_fields(object, &description, depth),
        }
    }

    /// An object that has a few attributes, and nothing else, which are numbers, strings and the like: as quick as a short list, and it
    /// counts as one part as well. Nothing if it is otherwise.
    #[inline]
    pub(crate) fn flat_object(&mut self, object: Object<'_>, depth: u32) -> Option<Value> {
        let mut parts = [RawRef::UNKNOWN; FLAT];
        if self.left == 0 || depth > Limits::DEPTH {
            return None;
        }
        let (word, count, hash) = self.flat_fields(object, depth, &mut parts)?;
        self.left -= 1;
        Some(self.row(word, &parts[..count], hash, true))
    }

    /// The constructor of such an object, how many parts it has, its hash and the parts.
    pub(crate) fn flat_fields(
        &mut self,
        object: Object<'_>,
        depth: u32,
        parts: &mut [RawRef; FLAT],
    ) -> Option<(u32, usize, u64)> {
        let description = self.descriptions.of(object.class());
        if !description.is_plain {
            return None;
        }
        let fields = Fields::of(object);
        let count = fields.count();
        // Most of those that are not are seen not to be.
        if count >= FLAT
            || matches!(fields, Fields::Array(array) if !(0..count).all(|at| may_be_flat(array.value(at))))
        {
            return None;
        }
        let form = Form { attributes: count, ..Form::default() };
        let word = match description.known_form(form, fields) {
            Some(word) => word,
            None => self.new_form(&description, fields, form)?,
        };
        let first = seed(word, count);
        let hash = match fields {
            Fields::Array(array) => {
                self.flat_values((0..count).map(|at| array.value(at)), first, depth, parts)
            }
            _ => self.flat_values(fields.all().map(|(_, value)| value), first, depth, parts),
        };
        Some((word, count, hash?))
    }

    /// The parts of such an object, and its hash.
    #[inline(always)]
    fn flat_values<'l>(
        &mut self,
        values: impl Iterator<Item = Object<'l>>,
        first: u64,
        depth: u32,
        parts: &mut [RawRef; FLAT],
    ) -> Option<u64> {
        let (before, mut hash) = (self.left, first);
        for (part, value) in parts.iter_mut().zip(values) {
            let Some(value) = self.flat_element(Some(value), depth) else {
                self.left = before;
                return None;
            };
            hash = mix(hash, value.hash);
            *part = value.reference;
        }
        self.left = before;
        Some(hash)
    }

    /// The constructor of an object that is shown in a form which is not known yet.
    #[cold]
    fn new_form(&mut self, description: &Description, fields: Fields<'_>, form: Form) -> Option<u32> {
        let mut names = Vec::new();
        names.extend(form.inherits.then(String::new));
        let slots = description.slots.iter().enumerate().filter(|(at, _)| form.has_slot(*at));
        names.extend(slots.map(|(_, slot)| slot.name.clone()));
        names.extend(fields.all().take(form.attributes).map(|(name, _)| shown_name(name)));
        names.extend(form.cut.then(|| "…".to_owned()));
        let constructor = self.records.constructor(&mut self.stream, description.name.clone(), names)?;
        description.remember_form(form, fields, constructor);
        Some(constructor)
    }

    /// An object of a class that is only taken for one of the library's.
    pub(crate) fn plain_object(&mut self, object: Object<'_>, depth: u32) -> Value {
        if !object.class().is_heap() {
            return self.opaque(object.class());
        }
        let description = self.descriptions.of(object.class());
        self.by_fields(object, &description, depth)
    }

    /// An object by its fields: what its class inherits from, slots, and its attributes.
    fn by_fields(&mut self, object: Object<'_>, description: &Description, depth: u32) -> Value {
        let fields = match description.has_attributes {
            true => Fields::of(object),
            false => Fields::Nothing,
        };
        let from = self.parts.len();
        if description.is_enumeration
            && let Some(name) = fields.text("_name_")
        {
            return self.record(from, format!("{}.{}", description.name, name.whole()), Vec::new());
        }
        let inherits = if description.inherits { self.inherited(object, depth) } else { None };
        if let (Some(names), Some(_)) = (&description.fields, inherits)
            && names.len() == self.parts.len() - from
        {
            let mutable = !description.is_fixed || self.parts[from..].iter().any(|part| part.mutable);
            let value = match description.named.get() {
                Some(word) => self.gather(word, from, true),
                None => {
                    let name = description.name.clone();
                    description.named.set(self.records.constructor(&mut self.stream, name, names.clone()));
                    self.record(from, description.name.clone(), names.clone())
                }
            };
            return Value { mutable, ..value };
        }
        if let Some(word) = inherits {
            let inner = self.gather(word as u32, from, true);
            self.parts.push(inner);
        }
        let mut form = Form { inherits: inherits.is_some(), ..Form::default() };
        let mut left_out = Vec::new();
        for (at, slot) in description.slots.iter().enumerate() {
            let Some(value) = slot.member.value(object, &mut self.released) else { continue };
            if form.cut || self.left == 0 || at >= Form::SLOTS {
                form.cut = true;
                left_out.push(Some(value));
                continue;
            }
            self.left -= 1;
            let part = self.see(value, depth);
            self.parts.push(part);
            form.slots |= 1 << at;
        }
        let mut attributes = fields.all().map(|(_, value)| value);
        for value in attributes.by_ref() {
            if form.cut || self.left == 0 || self.parts.len() - from >= self.most_elements() {
                form.cut = true;
                left_out.push(Some(value));
                break;
            }
            self.left -= 1;
            let part = self.see(value, depth);
            self.parts.push(part);
            form.attributes += 1;
        }
        if form.cut {
            left_out.extend(attributes.map(Some));
            let rest = self.left_out(0, left_out.len(), left_out);
            self.parts.push(rest);
        }
        let mutable = !description.is_fixed || self.parts[from..].iter().any(|part| part.mutable);
        let word = match description.known_form(form, fields) {
            Some(word) => Some(word),
            None => self.new_form(description, fields, form),
        };
        let Some(word) = word else {
            self.parts.truncate(from);
            return self.opaque(object.class());
        };
        let value = self.gather(word, from, true);
        Value { mutable, ..value }
    }

    /// What an object holds as a list, tuple, dictionary or set that its class inherits from: put to the parts.
    fn inherited(&mut self, object: Object<'_>, depth: u32) -> Option<Word> {
        if let Some(elements) = Elements::of(object) {
            self.elements(elements.length(), depth, |at| elements.get(at));
            let is_list = matches!(elements, Elements::List(_));
            return Some(if is_list { Word::List } else { Word::Tuple });
        }
        if let Some(dictionary) = object.dict() {
            self.entries(dictionary, depth);
            return Some(Word::Dict);
        }
        let (set, frozen) = object.set()?;
        self.set_elements(set, depth);
        Some(if frozen { Word::FrozenSet } else { Word::Set })
    }

    /// A value of a class, of the last parts.
    pub(crate) fn record(&mut self, from: usize, name: String, fields: Vec<String>) -> Value {
        match self.records.constructor(&mut self.stream, name.clone(), fields) {
            Some(word) => self.gather(word, from, true),
            None => {
                self.parts.truncate(from);
                self.opaque_named(&name)
            }
        }
    }

    /// An exception that is not made yet: its class, and what it is to be made of.
    pub(crate) fn unmade_exception(
        &mut self,
        class: Option<Object<'_>>,
        argument: Option<Object<'_>>,
        limits: Limits,
    ) -> Value {
        let Some(exception) = class.and_then(Object::as_class) else { return self.value(class, limits) };
        let from = self.parts.len();
        match argument {
            None => {}
            Some(argument) if argument.is_none() => {}
            Some(argument) => match argument.tuple().filter(|_| argument.is_a(&raw mut ffi::PyTuple_Type)) {
                Some(arguments) => {
                    for argument in arguments.all() {
                        let part = self.value(Some(argument), limits);
                        self.parts.push(part);
                    }
                }
                None => {
                    let part = self.value(Some(argument), limits);
                    self.parts.push(part);
                }
            },
        }
        self.record(from, exception.name(), Vec::new())
    }

    pub(crate) fn opaque(&mut self, class: Class<'_>) -> Value {
        self.opaque_named(&class.name())
    }

    pub(crate) fn opaque_named(&mut self, name: &str) -> Value {
        let name = self.text(name);
        self.make(Word::Opaque as u32, &[name], false)
    }
}

#[inline(always)]
fn may_be_flat(object: Object<'_>) -> bool {
    crate::object::is_atom(object) || object.is_a(&raw mut ffi::PyTuple_Type)
}

/// The name of an attribute.
fn shown_name(name: Object<'_>) -> String {
    name.text().map_or_else(|| "?".to_owned(), |name| name.whole())
}
