//! What happens inside of a call: its loops, their rounds, its statements, each with the variables before and after.
//!
//! The code of such a call has been compiled anew with events in it (`recording/instrument.py` in the package): `at(fragment)` before every
//! statement, and `give(value)` around what is returned. A fragment is open until an event of a fragment comes that is not
//! inside of it, so that events are needed only where something begins. Variables are looked at where an event is; one that
//! is another object than before has changed, and what can change in place is read again behind statements that may do it.

pub(crate) mod changes;
pub(crate) mod rounds;

use crate::hook::frames::{Layout, OpenFrame};
use crate::inside::changes::{Change, Changes, Elements};
use crate::object::{Held, Look, Object, Owned};
use crate::recorder::{Outcomes, Recorder};
use crate::values::constructors::Word;
use crate::values::{Limits, Value, Values};
use gadfly_trail::model::{NodeId, RawRef, ShapeId};
use pyo3::ffi;
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
    /// How many parts of values may be looked at: see [`Recorder`]'s budgets.
    pub(crate) budget: std::cell::Cell<u32>,
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
    Slot(usize, Held),
    /// In the frame's names, or in the module's.
    Named(Held),
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
pub(crate) const VALUE_BUDGET: u32 = 60_000;
const BUDGET_PER_EVENT: u32 = 1;
const BUDGET_IS_LOW: u32 = 20_000;
const PARTS_WHEN_LOW: u32 = 10;

/// The inside of a call that is open.
pub(crate) struct Inside {
    details: Rc<Details>,
    /// What the variables are, as far as known: the objects, which are held, and their values.
    objects: Vec<Option<Owned>>,
    known: Vec<Value>,
    /// How much of each was looked at: it is compared by looking at as much again.
    limits: Vec<Limits>,
    /// What is in those that are lists, if all of it was looked at.
    elements: Vec<Elements>,
    open: Vec<OpenFragment>,
    changes: Changes,
    /// What ran last, if it may have changed something in place.
    stale: Stale,
    /// How many frames had been evaluated at the last event.
    frames: u64,
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
            objects: (0..count).map(|_| None).collect(),
            known: vec![nothing; count],
            limits: vec![Limits::FULL; count],
            elements: (0..count).map(|_| Elements::default()).collect(),
            open: Vec::new(),
            changes: Changes::new(count),
            stale: Stale::Everything,
            frames: 0,
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
    fn look(
        &mut self,
        look: &Look,
        values: &mut Values,
        layout: &Layout,
        frame: OpenFrame,
        but: Option<usize>,
    ) {
        let budget = &self.details.budget;
        budget.set(budget.get().saturating_add(BUDGET_PER_EVENT).min(VALUE_BUDGET));
        // Most variables are in the frame, one after the other, and are what they were.
        let plain = match layout {
            Layout::Places(places) => {
                let mut at = 0;
                while let Some(other) = frame.other(places, &self.objects[..self.details.plain], at) {
                    if !self.is_set(but, other) {
                        let now = frame.at(look, places, other);
                        self.is_another(look, values, other, now);
                    }
                    at = other + 1;
                }
                self.details.plain
            }
            Layout::Objects => 0,
        };
        for at in plain..self.objects.len() {
            let now = self.details.variables[at].object(look, layout, frame);
            let is_same = match (now, &self.objects[at]) {
                (Some(now), Some(before)) => now.pointer() == before.pointer(),
                (None, None) => true,
                _ => false,
            };
            if !is_same && !self.is_set(but, at) {
                self.is_another(look, values, at, now);
            }
        }
        if self.stale != Stale::Nothing {
            self.look_again(look, values);
        }
    }

    /// Code in Python may change anything, and a statement may run some although it does not look so: a property, an operator, a
    /// generator. Where frames are not evaluated by us, nobody knows.
    #[inline]
    fn has_run(&mut self, frames: u64, layout: &Layout) {
        if std::mem::replace(&mut self.frames, frames) != frames || matches!(layout, Layout::Objects) {
            self.stale = Stale::Everything;
        }
    }

    /// Looks at what may have changed in place.
    #[inline(never)]
    fn look_again(&mut self, look: &Look, values: &mut Values) {
        let fragment = match std::mem::replace(&mut self.stale, Stale::Nothing) {
            Stale::Nothing => return,
            Stale::Everything => {
                for at in 0..self.known.len() {
                    self.look_inside(look, values, at);
                }
                return;
            }
            Stale::Used(fragment) => fragment,
        };
        // They stay the same as long as the call is open.
        let details = Rc::clone(&self.details);
        let mut is_other = false;
        for at in details.fragments[fragment].uses.iter().map(|at| *at as usize) {
            is_other |= self.known[at].mutable && self.look_inside(look, values, at);
        }
        if is_other {
            // What changed may be in other variables, too, however deep.
            for at in 0..self.known.len() {
                self.look_inside(look, values, at);
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
        let left = self.details.budget.get();
        Limits::of(if left > BUDGET_IS_LOW { left } else { left.min(PARTS_WHEN_LOW) })
    }

    /// A variable is another object than before.
    fn is_another(&mut self, look: &Look, values: &mut Values, at: usize, now: Option<Object<'_>>) {
        values.released.extend(std::mem::replace(&mut self.objects[at], now.map(Owned::of)));
        if let Some(reference) = values.simple(now) {
            self.is_now(at, Value::plain(reference));
        } else if let Some(text) = now.and_then(Object::text) {
            let value = values.string_in(text);
            self.is_now(at, value);
        } else {
            self.read(look, values, at, self.limits());
        }
    }

    /// What can change in place is looked at again; says whether it may have changed.
    #[inline]
    fn look_inside(&mut self, look: &Look, values: &mut Values, at: usize) -> bool {
        let object = self.objects[at].as_ref().map(|object| object.see(look));
        if !self.known[at].mutable || object.is_some_and(|object| self.elements[at].are_still(object)) {
            return false;
        }
        let before = self.known[at].hash;
        self.read(look, values, at, self.limits[at]);
        let is_other = self.known[at].hash != before || self.known[at].unseen;
        let limits = self.limits();
        if limits.cells < self.limits[at].cells && limits.cells == PARTS_WHEN_LOW {
            // From now on less of it is looked at, which is no change.
            self.known[at] = self.seen(look, values, at, limits);
        }
        is_other
    }

    #[inline(never)]
    fn read(&mut self, look: &Look, values: &mut Values, at: usize, limits: Limits) {
        let value = self.seen(look, values, at, limits);
        self.is_now(at, value);
    }

    /// What a variable is, as far as it is looked at.
    fn seen(&mut self, look: &Look, values: &mut Values, at: usize, limits: Limits) -> Value {
        let object = self.objects[at].as_ref().map(|object| object.see(look));
        let value = values.value(object, limits);
        self.limits[at] = limits;
        self.elements[at].let_go();
        if let Some(object) = object.filter(|_| value.mutable) {
            self.elements[at].hold(object, limits);
        }
        let spent = std::mem::take(&mut values.spent);
        let budget = &self.details.budget;
        budget.set(budget.get().saturating_sub(spent));
        value
    }

    /// A variable has a value.
    #[inline]
    fn is_now(&mut self, at: usize, value: Value) {
        let before = std::mem::replace(&mut self.known[at], value);
        if (before.hash != value.hash || value.unseen)
            && let Some(fragment) = self.open.last()
        {
            self.changes.note(at, before, fragment.changes);
        }
    }

    pub(crate) fn let_go(mut self, values: &mut Values) {
        values.released.extend(self.objects.drain(..).flatten());
    }
}

impl Variable {
    /// What it is now; nothing if it is nothing that is shown.
    fn object<'l>(&self, look: &'l Look, layout: &Layout, frame: OpenFrame) -> Option<Object<'l>> {
        {
            match &self.place {
                Place::Slot(slot, name) => {
                    let object = frame.variable(look, layout, *slot, Some(name))?;
                    match object.is_a(&raw mut ffi::PyCell_Type) {
                        true => object.in_cell(),
                        false => Some(object),
                    }
                }
                Place::Named(name) => {
                    let names = [frame.names(look, layout), frame.globals(look, layout)];
                    let mut dictionaries = names
                        .into_iter()
                        .flatten()
                        .filter(|names| names.is_a(&raw mut ffi::PyDict_Type))
                        .filter_map(Object::dict);
                    dictionaries.find_map(|names| names.get(name)).filter(|found| is_data(*found))
                }
            }
        }
    }
}

/// Whether an object is data rather than code.
fn is_data(object: Object<'_>) -> bool {
    let code = [&raw mut ffi::PyFunction_Type, &raw mut ffi::PyModule_Type, &raw mut ffi::PyCFunction_Type];
    !code.contains(&object.class().pointer()) && object.as_class().is_none()
}

impl Recorder {
    /// An event of the call that is open in a thread.
    pub(crate) fn at(&mut self, look: &Look, thread: usize, event: usize) {
        let Some((whole, frame, inside)) = self.threads[thread].inside() else { return };
        inside.has_run(self.frames, &self.layout);
        let mut telling = Telling { values: &mut self.values, outcomes: self.outcomes, whole };
        let number = event.wrapping_sub(FIRST);
        if let Some(parent) = inside.goes_round(number) {
            // What the loop sets is nothing that the round before did.
            inside.look(look, telling.values, &self.layout, frame, Some(number));
            telling.close_until(inside, Some(parent));
        }
        inside.look(look, telling.values, &self.layout, frame, None);
        match event {
            END => telling.close_until(inside, None),
            RAISED => {
                inside.control = telling.raising(look);
                telling.close_until(inside, None);
            }
            _ => {
                let begun = telling.begin(look, inside, number);
                self.events = self.events.saturating_sub(begun);
            }
        }
    }

    /// The call that is open in a thread is about to give a value.
    pub(crate) fn give(&mut self, look: &Look, thread: usize, value: Object<'_>) {
        let Some((whole, frame, inside)) = self.threads[thread].inside() else { return };
        inside.has_run(self.frames, &self.layout);
        let mut telling = Telling { values: &mut self.values, outcomes: self.outcomes, whole };
        inside.look(look, telling.values, &self.layout, frame, None);
        inside.control = Control::Return(telling.values.value(Some(value), Limits::FULL));
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
    fn begin(&mut self, look: &Look, inside: &mut Inside, number: usize) -> u64 {
        let Some(fragment) = inside.details.fragments.get(number) else { return 0 };
        let joined = fragment.joined;
        self.begin_one(look, inside, number);
        if joined {
            self.begin_one(look, inside, number + 1);
        }
        1 + u64::from(joined)
    }

    #[inline]
    fn begin_one(&mut self, look: &Look, inside: &mut Inside, number: usize) {
        let Some(fragment) = inside.details.fragments.get(number) else { return };
        let (kind, parent, shape, mutates) =
            (fragment.kind, fragment.parent, fragment.shape, fragment.mutates);
        if kind == FragmentKind::Handles {
            inside.control = self.raising(look);
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
    fn raising(&mut self, look: &Look) -> Control {
        let [class, handled, trace] = look.handled();
        let exception =
            handled.as_ref().map(|handled| handled.see(look)).filter(|handled| !handled.is_none());
        let control = match exception {
            Some(exception) => Control::Raise(self.values.value(Some(exception), Limits::FULL)),
            None => Control::None,
        };
        self.values.released.extend([class, handled, trace].into_iter().flatten());
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
                    if before.hash != after.hash || after.unseen {
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
