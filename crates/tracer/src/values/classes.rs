//! What a class says of its objects: what they are called, and where their fields are.
//!
//! A description is kept by the address of the class, and is good as long as the class has the version and the name that it had: a version is
//! never given twice, so no other class can be taken for it. Names of attributes are [held](Held), so that their addresses tell them
//! apart. Nothing else is kept of a class or an object.

use crate::extension::Member;
use crate::object::{Class, Held, Object};
use crate::values::attributes::{self, Fields};
use crate::values::library::{self, Library};
use pyo3::ffi;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::ffi::CString;
use std::rc::Rc;

/// How objects of a class are read.
#[derive(Debug)]
pub(crate) struct Description {
    pub(crate) name: String,
    /// As the class has it.
    full_name: CString,
    version: Option<u32>,
    /// Members of `__slots__`, and others that are written in C.
    pub(crate) slots: Vec<Slot>,
    pub(crate) has_attributes: bool,
    /// Whether objects hold what a list, a tuple, a dictionary or a set does.
    pub(crate) inherits: bool,
    /// Whether attributes are all that is seen of an object.
    pub(crate) is_plain: bool,
    /// Whether no program can change what is seen of an object, but only what is in that.
    pub(crate) is_fixed: bool,
    /// The fields of a named tuple.
    pub(crate) fields: Option<Vec<String>>,
    pub(crate) is_enumeration: bool,
    pub(crate) library: Option<Library>,
    /// The constructor for a named tuple, once there was one.
    pub(crate) named: Cell<Option<u32>>,
    /// What objects of it looked like that were met not long ago, the last one first.
    forms: RefCell<Vec<KnownForm>>,
}

/// What of an object is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form {
    /// Whether it has something that its class inherits from.
    pub(crate) inherits: bool,
    /// Which slots, by the bits of a number.
    pub(crate) slots: u64,
    /// How many attributes.
    pub(crate) attributes: usize,
    /// Whether something is left out.
    pub(crate) cut: bool,
}

impl Form {
    /// No more slots are shown.
    pub(crate) const SLOTS: usize = 64;

    pub(crate) fn has_slot(self, at: usize) -> bool {
        at < Form::SLOTS && self.slots >> at & 1 == 1
    }
}

/// A form with the names of the attributes that are shown.
#[derive(Debug)]
struct KnownForm {
    form: Form,
    names: Vec<Held>,
    constructor: u32,
}

/// So many forms of a class are remembered.
const FORMS: usize = 4;

/// Where an object has a value that its class has a name for.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) name: String,
    pub(crate) member: Member,
}

impl Description {
    /// Whether this is still what the class says.
    #[inline(always)]
    fn is_of(&self, class: Class<'_>) -> bool {
        self.version.is_some()
            && self.version == class.version()
            // A class can be given another name without being another.
            && self.full_name.as_c_str() == class.full_name()
    }

    /// The constructor of an object that is shown in this form, if there was one not long ago.
    #[inline]
    pub(crate) fn known_form(&self, form: Form, fields: Fields<'_>) -> Option<u32> {
        let mut forms = self.forms.borrow_mut();
        let at = forms.iter().position(|known| known.form == form && known.has_names(fields))?;
        if at > 0 {
            forms.swap(0, at);
        }
        Some(forms[0].constructor)
    }

    /// Remembers it.
    pub(crate) fn remember_form(&self, form: Form, fields: Fields<'_>, constructor: u32) {
        let names = fields.all().take(form.attributes).map(|(name, _)| name.text().map(Held::text_of));
        // Keys that are no strings could be anything.
        let Some(names) = names.collect::<Option<Vec<Held>>>() else { return };
        let mut forms = self.forms.borrow_mut();
        forms.truncate(FORMS - 1);
        forms.insert(0, KnownForm { form, names, constructor });
    }
}

impl KnownForm {
    #[inline(always)]
    fn has_names(&self, fields: Fields<'_>) -> bool {
        match fields {
            Fields::Nothing => self.names.is_empty(),
            Fields::Array(array) => {
                array.count >= self.names.len()
                    && self.names.iter().enumerate().all(|(at, name)| name.is(array.name(at)))
            }
            Fields::Dictionary(dictionary) => {
                let mut entries = dictionary.entries();
                self.names.iter().all(|name| entries.next().is_some_and(|(key, _)| name.is(key)))
            }
        }
    }
}

/// Descriptions of classes that were met.
#[derive(Debug)]
pub(crate) struct Descriptions {
    all: FxHashMap<usize, Rc<Description>>,
    /// Those that were met not long ago, by where the class is.
    recent: Vec<Option<(usize, Rc<Description>)>>,
}

/// So many classes are remembered, and so many are found without hashing.
const CLASSES_KEPT: usize = 10_000;
const CLASSES_AT_HAND: usize = 1 << 6;

impl Descriptions {
    pub(crate) fn new() -> Descriptions {
        Descriptions { all: FxHashMap::default(), recent: vec![None; CLASSES_AT_HAND] }
    }

    /// How objects of a class are read.
    #[inline]
    pub(crate) fn of(&mut self, class: Class<'_>) -> Rc<Description> {
        let slot = (class.address() >> 5) % CLASSES_AT_HAND;
        match &self.recent[slot] {
            Some((address, known)) if *address == class.address() && known.is_of(class) => Rc::clone(known),
            _ => self.describe(class, slot),
        }
    }

    #[inline(never)]
    fn describe(&mut self, class: Class<'_>, slot: usize) -> Rc<Description> {
        let known = match self.all.get(&class.address()).filter(|known| known.is_of(class)) {
            Some(known) => Rc::clone(known),
            None => {
                let new = Rc::new(describe(class));
                if self.all.len() >= CLASSES_KEPT {
                    self.all.clear();
                }
                self.all.insert(class.address(), Rc::clone(&new));
                new
            }
        };
        self.recent[slot] = Some((class.address(), Rc::clone(&known)));
        known
    }
}

fn describe(class: Class<'_>) -> Description {
    let mut slots = Vec::new();
    let mut fields = None;
    // What the class itself says comes last.
    for base in class.bases().rev().filter(|base| base.is_heap()) {
        let Some(dictionary) = base.dictionary() else { continue };
        slots.extend(dictionary.entries().filter_map(|(name, value)| slot(class, name, value)));
        fields = fields.or_else(|| named_tuple(base));
    }
    let has_attributes = attributes::may_be_kept(class);
    let holds = ffi::Py_TPFLAGS_LIST_SUBCLASS | ffi::Py_TPFLAGS_DICT_SUBCLASS;
    let is_more = holds | ffi::Py_TPFLAGS_TUPLE_SUBCLASS | ffi::Py_TPFLAGS_BASE_EXC_SUBCLASS;
    let is_set = crate::object::is_set_class(class).is_some();
    let library = library::known(class);
    let meta = class.meta().name();
    let is_enumeration = meta == "EnumType" || meta == "EnumMeta";
    Description {
        is_plain: has_attributes
            && class.is_heap()
            && slots.is_empty()
            && !class.has(is_more)
            && !is_set
            && fields.is_none()
            && library.is_none()
            && !is_enumeration,
        is_fixed: !has_attributes
            && !class.has(holds)
            && !is_set
            && slots.iter().all(|slot: &Slot| slot.member.is_read_only),
        library,
        name: class.name(),
        full_name: class.full_name().to_owned(),
        version: class.version(),
        slots,
        has_attributes,
        inherits: is_set || class.has(holds | ffi::Py_TPFLAGS_TUPLE_SUBCLASS),
        fields,
        is_enumeration,
        named: Cell::new(None),
        forms: RefCell::default(),
    }
}

/// A member of a class that objects of this class have a value for.
fn slot(class: Class<'_>, name: Object<'_>, value: Object<'_>) -> Option<Slot> {
    let member = Member::of(value, class)?;
    let name = name.text()?.whole();
    // Some members only say where something is.
    (!name.ends_with("offset__")).then_some(Slot { name, member })
}

/// The fields of a named tuple.
fn named_tuple(class: Class<'_>) -> Option<Vec<String>> {
    let entries = class.dictionary()?.entries();
    let (_, fields) = { entries }.find(|(name, _)| name.text().is_some_and(|name| name.is("_fields")))?;
    if !fields.is_a(&raw mut ffi::PyTuple_Type) {
        return None;
    }
    fields.tuple()?.all().map(|name| Some(name.text()?.whole())).collect()
}
