//! What happens inside of a call: its loops, their rounds, its statements, each with the variables before and after.
//!
//! The code of such a call has been compiled anew with events in it (`_detail.py` in the package): `at(fragment)` before every
//! statement, and `give(value)` around what is returned. A fragment is open until an event of a fragment comes that is not
//! inside of it, so that events are needed only where something begins. Variables are looked at where an event is; one that
//! is another object than before has changed, and what can change in place is read again behind statements that may do it.

use crate::changes::{Change, Changes, Elements};
use crate::frames::{Frame, Layout};
use crate::recorder::{Outcomes, Recorder, in_cell};
use crate::values::{Limits, Value, Values};
use crate::words::Word;
use gadfly_trail::run::model::{NodeId, RawRef, ShapeId};
use pyo3::ffi::{self, PyObject};
use std::rc::Rc;

/// Events that are no fragments: the code ends, or is left by an exception.
pub(crate) const END: usize = 0;
pub(crate) const RAISED: usize = 1;
/// The number of the first fragment.
pub(crate) const FIRST: usize = 2;

/// The kind of a round whose first statement begins with it.
pub(crate) const JOINED: u32 = 7;

/// What the fragments of a piece of code are.
#[derive(Debug)]
pub(crate) struct Details {
    pub(crate) variables: Vec<Variable>,
    /// So many of them are the first ones in the frame, and in no cells.
    pub(crate) plain: usize,
    pub(crate) fragments: Vec<Fragment>,
    /// How many parts of values may be looked at: see [`Recorder`]'s purses.
    pub(crate) purse: std::cell::Cell<u32>,
}

/// A variable that is looked at.
#[derive(Debug)]
pub(crate) struct Variable {
    /// As in a row of what was changed.
    pub(crate) name: i64,
    pub(crate) place: Place,
}

/// Where a variable is.
#[derive(Debug)]
pub(crate) enum Place {
    /// In the frame, by its number and name.
    Slot(usize, *mut PyObject),
    /// In the frame's names, or in the module's.
    Named(*mut PyObject),
}

/// A piece of code that is a node of its own, or an event that only ends others.
#[derive(Debug)]
pub(crate) struct Fragment {
    pub(crate) kind: FragmentKind,
    /// Whether the next one begins with it, so that one event tells of both.
    pub(crate) joined: bool,
    /// Variables that are set just before it, and no longer by what came before: numbers in [`Details::variables`].
    pub(crate) set: Vec<usize>,
    /// The shape of its nodes; none of what only ends others.
    pub(crate) shape: Option<ShapeId>,
    /// The fragment that it stands in; none of what stands in the code itself.
    pub(crate) parent: Option<usize>,
    /// Variables that are shown: numbers in [`Details::variables`].
    pub(crate) uses: Vec<u32>,
    /// What it may change in place: nothing, what it uses, or anything.
    pub(crate) mutates: Mutates,
}

/// What a statement may change in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutates {
    Nothing,
    Used,
    Anything,
}

impl Mutates {
    pub(crate) fn of(number: u32) -> Mutates {
        match number {
            0 => Mutates::Nothing,
            1 => Mutates::Used,
            _ => Mutates::Anything,
        }
    }
}

/// What kind of code a fragment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FragmentKind {
    Statement,
    Loop,
    Round,
    Break,
    Continue,
    /// The end of a round.
    Ends,
    /// What handles an exception begins.
    Handles,
}

impl FragmentKind {
    pub(crate) fn of(number: u32) -> FragmentKind {
        match number {
            1 => FragmentKind::Loop,
            2 | JOINED => FragmentKind::Round,
            3 => FragmentKind::Break,
            4 => FragmentKind::Continue,
            5 => FragmentKind::Ends,
            6 => FragmentKind::Handles,
            _ => FragmentKind::Statement,
        }
    }
}

/// How much of the values of variables may be looked at in the calls of one piece of code, and what every event adds. Who has
/// less than some of it looks at few parts of each.
pub(crate) const PURSE: u32 = 60_000;
const INCOME: u32 = 1;
const RICH: u32 = 20_000;
const FEW: u32 = 10;

/// The inside of a call that is open.
pub(crate) struct Inside {
    details: Rc<Details>,
    /// What the variables are, as far as known: the objects, which are held, and their values.
    objects: Vec<*mut PyObject>,
    known: Vec<Value>,
    /// What is in those that are lists, as far as it was looked at.
    elements: Vec<Elements>,
    open: Vec<OpenFragment>,
    changes: Changes,
    /// What ran last, if it may have changed something in place.
    stale: Stale,
    control: Control,
}

struct OpenFragment {
    number: usize,
    node: NodeId,
    /// How many changes there were when it began.
    changes: usize,
}

/// What may have changed in place.
#[derive(Clone, Copy, PartialEq)]
enum Stale {
    Nothing,
    Everything,
    /// What a fragment uses, and whatever is the same object.
    Used(usize),
}

/// On its way out of fragments.
#[derive(Clone, Copy, PartialEq)]
enum Control {
    None,
    Break,
    Continue,
    Return(Value),
    Raise(Value),
}

impl Inside {
    pub(crate) fn new(details: Rc<Details>, nothing: Value) -> Box<Inside> {
        let count = details.variables.len();
        Box::new(Inside {
            details,
            objects: vec![std::ptr::null_mut(); count],
            known: vec![nothing; count],
            elements: vec![Elements::default(); count],
            open: Vec::new(),
            changes: Changes::new(count),
            stale: Stale::Everything,
            control: Control::None,
        })
    }

    pub(crate) fn top(&self) -> Option<NodeId> {
        self.open.last().map(|fragment| fragment.node)
    }

    /// Whether a fragment follows another one of its own that is open: the loop whose rounds they are, if that sets anything.
    #[inline]
    fn goes_round(&self, number: usize) -> Option<usize> {
        let fragment = self.details.fragments.get(number).filter(|fragment| !fragment.set.is_empty())?;
        let before = self.open.iter().rev().map(|open| open.number);
        let is_open = before.take_while(|open| Some(*open) != fragment.parent).any(|open| open == number);
        fragment.parent.filter(|_| is_open)
    }

    /// Looks at the variables, or at those that are not set just before a fragment.
    #[inline]
    unsafe fn look(&mut self, values: &mut Values, layout: &Layout, frame: Frame, but: Option<usize>) {
        let purse = &self.details.purse;
        purse.set(purse.get().saturating_add(INCOME).min(PURSE));
        // Most variables are in the frame, one after the other, and are what they were.
        let plain = match layout {
            Layout::Places(places) => {
                let mut at = 0;
                while let Some(other) =
                    unsafe { frame.other(places, &self.objects[..self.details.plain], at) }
                {
                    if !self.is_set(but, other) {
                        unsafe { self.is_another(values, other, frame.at(places, other)) };
                    }
                    at = other + 1;
                }
                self.details.plain
            }
            Layout::Objects => 0,
        };
        for at in plain..self.objects.len() {
            let now = unsafe { self.details.variables[at].object(layout, frame) };
            if now != self.objects[at] && !self.is_set(but, at) {
                unsafe { self.is_another(values, at, now) };
            }
        }
        if self.stale != Stale::Nothing {
            unsafe { self.look_again(values) };
        }
    }

    /// Looks at what may have changed in place.
    #[inline(never)]
    unsafe fn look_again(&mut self, values: &mut Values) {
        let fragment = match std::mem::replace(&mut self.stale, Stale::Nothing) {
            Stale::Nothing => return,
            Stale::Everything => {
                for at in 0..self.known.len() {
                    unsafe { self.look_inside(values, at) };
                }
                return;
            }
            Stale::Used(fragment) => fragment,
        };
        // They stay the same as long as the call is open.
        let details = Rc::clone(&self.details);
        for at in details.fragments[fragment].uses.iter().map(|at| *at as usize) {
            if !self.known[at].mutable {
                continue;
            }
            let object = self.objects[at];
            if unsafe { self.look_inside(values, at) } {
                // Another variable may be the same object.
                for other in (0..self.objects.len()).filter(|other| *other != at) {
                    if self.objects[other] == object {
                        unsafe { self.look_inside(values, other) };
                    }
                }
            }
        }
    }

    /// Whether anything that a fragment uses can change in place.
    #[inline]
    fn may_change(&self, number: usize) -> bool {
        self.details.fragments[number].uses.iter().any(|at| self.known[*at as usize].mutable)
    }

    fn is_set(&self, by: Option<usize>, variable: usize) -> bool {
        by.is_some_and(|fragment| self.details.fragments[fragment].set.contains(&variable))
    }

    /// How much of a value may be looked at.
    fn limits(&self) -> Limits {
        let left = self.details.purse.get();
        Limits::of(if left > RICH { left } else { left.min(FEW) })
    }

    /// A variable is another object than before.
    unsafe fn is_another(&mut self, values: &mut Values, at: usize, now: *mut PyObject) {
        unsafe { ffi::Py_XINCREF(now) };
        let before = std::mem::replace(&mut self.objects[at], now);
        if !before.is_null() {
            values.dropped.push(before);
        }
        if let Some(reference) = unsafe { values.simple(now) } {
            self.is_now(at, Value::plain(reference));
        } else if unsafe { ffi::Py_TYPE(now) } == &raw mut ffi::PyUnicode_Type {
            let value = unsafe { values.string(now) };
            self.is_now(at, value);
        } else {
            unsafe { self.read(values, at) };
        }
    }

    /// What can change in place is looked at again; says whether it had changed.
    #[inline]
    unsafe fn look_inside(&mut self, values: &mut Values, at: usize) -> bool {
        if !self.known[at].mutable || unsafe { self.elements[at].are_still(self.objects[at]) } {
            return false;
        }
        let before = self.known[at].hash;
        unsafe { self.read(values, at) };
        self.known[at].hash != before
    }

    #[inline(never)]
    unsafe fn read(&mut self, values: &mut Values, at: usize) {
        let (object, limits) = (self.objects[at], self.limits());
        let value = unsafe { values.value(object, limits) };
        self.elements[at].let_go(values);
        if value.mutable {
            unsafe { self.elements[at].hold(object, limits) };
        }
        let spent = std::mem::take(&mut values.spent);
        let purse = &self.details.purse;
        purse.set(purse.get().saturating_sub(spent));
        self.is_now(at, value);
    }

    /// A variable has a value.
    #[inline]
    fn is_now(&mut self, at: usize, value: Value) {
        let before = std::mem::replace(&mut self.known[at], value);
        if before.hash != value.hash
            && let Some(fragment) = self.open.last()
        {
            self.changes.note(at, before, fragment.changes);
        }
    }

    pub(crate) fn let_go(mut self, values: &mut Values) {
        values.dropped.extend(self.objects.iter().filter(|object| !object.is_null()));
        self.elements.iter_mut().for_each(|elements| elements.let_go(values));
    }
}

impl Variable {
    /// What it is now; null if it is nothing that is shown.
    unsafe fn object(&self, layout: &Layout, frame: Frame) -> *mut PyObject {
        unsafe {
            match self.place {
                Place::Slot(slot, name) => {
                    let object = frame.variable(layout, slot, name);
                    let is_cell = !object.is_null() && ffi::Py_TYPE(object) == &raw mut ffi::PyCell_Type;
                    if is_cell { in_cell(object) } else { object }
                }
                Place::Named(name) => {
                    let names = [frame.names(layout), frame.globals(layout)];
                    let dictionaries = names
                        .into_iter()
                        .filter(|names| !names.is_null() && ffi::PyDict_CheckExact(*names) != 0);
                    let found = dictionaries
                        .map(|names| ffi::PyDict_GetItem(names, name))
                        .find(|found| !found.is_null());
                    found.filter(|found| is_data(*found)).unwrap_or(std::ptr::null_mut())
                }
            }
        }
    }
}

/// Whether an object is data rather than code.
unsafe fn is_data(object: *mut PyObject) -> bool {
    let class = unsafe { ffi::Py_TYPE(object) };
    let code = [&raw mut ffi::PyFunction_Type, &raw mut ffi::PyModule_Type, &raw mut ffi::PyCFunction_Type];
    !code.contains(&class) && unsafe { ffi::PyType_Check(object) } == 0
}

impl Recorder {
    /// An event of the call that is open in a thread.
    ///
    /// # Safety
    /// The lock is held, and the call's frame is being evaluated.
    pub(crate) unsafe fn at(&mut self, thread: usize, event: usize) {
        let Some((whole, frame, inside)) = self.threads[thread].inside() else { return };
        let mut telling = Telling { values: &mut self.values, outcomes: self.outcomes, whole };
        let number = event.wrapping_sub(FIRST);
        if let Some(parent) = inside.goes_round(number) {
            // What the loop sets is nothing that the round before did.
            unsafe { inside.look(telling.values, &self.layout, frame, Some(number)) };
            telling.close_until(inside, Some(parent));
        }
        unsafe { inside.look(telling.values, &self.layout, frame, None) };
        match event {
            END => telling.close_until(inside, None),
            RAISED => {
                inside.control = unsafe { telling.raising() };
                telling.close_until(inside, None);
            }
            _ => {
                let begun = unsafe { telling.begin(inside, number) };
                self.events = self.events.saturating_sub(begun);
            }
        }
    }

    /// The call that is open in a thread is about to give a value.
    ///
    /// # Safety
    /// As above.
    pub(crate) unsafe fn give(&mut self, thread: usize, value: *mut PyObject) {
        let Some((whole, frame, inside)) = self.threads[thread].inside() else { return };
        let mut telling = Telling { values: &mut self.values, outcomes: self.outcomes, whole };
        unsafe { inside.look(telling.values, &self.layout, frame, None) };
        inside.control = Control::Return(unsafe { telling.values.value(value, Limits::FULL) });
        telling.close_until(inside, None);
    }
}

/// Tells of what happens inside of a call.
struct Telling<'a> {
    values: &'a mut Values,
    outcomes: Outcomes,
    /// The call.
    whole: NodeId,
}

impl Telling<'_> {
    /// A fragment begins, and perhaps the first one in it; says how many.
    unsafe fn begin(&mut self, inside: &mut Inside, number: usize) -> u64 {
        let Some(fragment) = inside.details.fragments.get(number) else { return 0 };
        let joined = fragment.joined;
        unsafe { self.begin_one(inside, number) };
        if joined {
            unsafe { self.begin_one(inside, number + 1) };
        }
        1 + u64::from(joined)
    }

    #[inline]
    unsafe fn begin_one(&mut self, inside: &mut Inside, number: usize) {
        let Some(fragment) = inside.details.fragments.get(number) else { return };
        let (kind, parent, shape, mutates) =
            (fragment.kind, fragment.parent, fragment.shape, fragment.mutates);
        if kind == FragmentKind::Handles {
            inside.control = unsafe { self.raising() };
        }
        self.close_until(inside, parent);
        inside.control = match kind {
            FragmentKind::Break => Control::Break,
            FragmentKind::Continue => Control::Continue,
            _ => Control::None,
        };
        if let Some(shape) = shape {
            let above = inside.top().unwrap_or(self.whole);
            let uses = &inside.details.fragments[number].uses;
            let references = uses.iter().map(|at| inside.known[*at as usize].reference);
            self.values.stream.tell_all(shape, above, uses.len(), references);
            let (node, changes) = (self.values.stream.number(), inside.changes.count());
            inside.open.push(OpenFragment { number, node, changes });
        }
        inside.stale = match mutates {
            Mutates::Nothing => Stale::Nothing,
            Mutates::Used if !inside.may_change(number) => Stale::Nothing,
            Mutates::Used => Stale::Used(number),
            Mutates::Anything => Stale::Everything,
        };
    }

    /// The exception that is being handled.
    #[cold]
    unsafe fn raising(&mut self) -> Control {
        let (mut class, mut handled, mut trace) = Default::default();
        #[allow(deprecated)]
        unsafe {
            ffi::PyErr_GetExcInfo(&mut class, &mut handled, &mut trace)
        };
        let is_exception = !handled.is_null() && handled != unsafe { ffi::Py_None() };
        let control = match is_exception {
            true => Control::Raise(unsafe { self.values.value(handled, Limits::FULL) }),
            false => Control::None,
        };
        self.values.dropped.extend([class, handled, trace].into_iter().filter(|object| !object.is_null()));
        control
    }

    /// Ends the fragments that are inside of one, or all.
    #[inline]
    fn close_until(&mut self, inside: &mut Inside, parent: Option<usize>) {
        while let Some(&OpenFragment { number, node, changes }) = inside.open.last() {
            if Some(number) == parent {
                return;
            }
            inside.open.pop();
            if inside.changes.count() > changes {
                let above = inside.open.last().map(|open| open.changes);
                for Change { variable, before, .. } in inside.changes.since(changes) {
                    let (name, after) =
                        (inside.details.variables[*variable as usize].name, inside.known[*variable as usize]);
                    if before.hash != after.hash {
                        let row = [RawRef::int(name), before.reference, after.reference];
                        self.values.stream.tell(self.outcomes.changed, node, &row);
                    }
                }
                inside.changes.hand_on(changes, above);
            }
            match inside.control {
                Control::None => self.values.stream.tell(self.outcomes.ended, node, &[]),
                _ => self.leave(inside, number, node),
            }
        }
    }

    /// A fragment is left by something that is on its way out.
    #[cold]
    fn leave(&mut self, inside: &mut Inside, number: usize, node: NodeId) {
        match (inside.control, inside.details.fragments[number].kind) {
            (Control::Break, FragmentKind::Loop) | (Control::Continue, FragmentKind::Round) => {
                inside.control = Control::None;
            }
            _ => {}
        }
        let became = self.outcomes.became;
        let (shape, value) = match inside.control {
            Control::None => return self.values.stream.tell(self.outcomes.ended, node, &[]),
            Control::Break => (became, self.values.word(Word::Break)),
            Control::Continue => (became, self.values.word(Word::Continue)),
            Control::Return(value) => (became, self.values.returned(value)),
            Control::Raise(value) => (self.outcomes.raised, value),
        };
        self.values.stream.tell(shape, node, &[value.reference]);
    }
}
