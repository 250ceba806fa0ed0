//! What happens inside of a call: its loops, their rounds, its statements, each with the variables before and after.
//!
//! The code of such a call has been compiled anew with events in it (`_detail.py` in the package): `at(fragment)` before every
//! statement, and `give(value)` around what is returned. A fragment is open until an event of a fragment comes that is not
//! inside of it, so that events are needed only where something begins. Variables are looked at where an event is; one that
//! is another object than before has changed, and what can change in place is read again behind statements that may do it.

use crate::frames::{Frame, Layout};
use crate::recorder::{Recorder, in_cell};
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

/// What the fragments of a piece of code are.
#[derive(Debug)]
pub(crate) struct Details {
    pub(crate) variables: Vec<Variable>,
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
            2 => FragmentKind::Round,
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
const INCOME: u32 = 4;
const RICH: u32 = 20_000;
const FEW: u32 = 10;

/// The inside of a call that is open.
pub(crate) struct Inside {
    details: Rc<Details>,
    /// What the variables are, as far as known: the object, which is held, and its value.
    known: Vec<(*mut PyObject, Value)>,
    open: Vec<OpenFragment>,
    /// What the variables were when the open fragments began, those of the innermost last.
    before: Vec<Value>,
    /// What ran last, if it may have changed something in place.
    stale: Stale,
    control: Control,
}

struct OpenFragment {
    number: usize,
    node: NodeId,
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
        let known = vec![(std::ptr::null_mut(), nothing); details.variables.len()];
        let (open, before) = (Vec::new(), Vec::new());
        Box::new(Inside { details, known, open, before, stale: Stale::Everything, control: Control::None })
    }

    pub(crate) fn top(&self) -> Option<NodeId> {
        self.open.last().map(|fragment| fragment.node)
    }

    /// Looks at the variables.
    unsafe fn look(&mut self, values: &mut Values, layout: &Layout, frame: Frame) {
        let left = self.details.purse.get().saturating_add(INCOME).min(PURSE);
        let limits = Limits::of(if left > RICH { left } else { left.min(FEW) });
        let variables = &self.details.variables;
        for (variable, (object, value)) in variables.iter().zip(&mut self.known) {
            let now = unsafe { variable.object(layout, frame) };
            if now == *object
                && (self.stale != Stale::Everything
                    || !value.mutable
                    || unsafe { values.is_still(now, value, limits) })
            {
                continue;
            }
            *value = unsafe { values.value(now, limits) };
            unsafe { ffi::Py_XINCREF(now) };
            if !object.is_null() {
                values.dropped.push(*object);
            }
            *object = now;
        }
        if let Stale::Used(fragment) = self.stale {
            for at in &self.details.fragments[fragment].uses {
                let (object, value) = self.known[*at as usize];
                if !value.mutable || unsafe { values.is_still(object, &value, limits) } {
                    continue;
                }
                let after = unsafe { values.value(object, limits) };
                // Another variable may be the same object.
                for known in self.known.iter_mut().filter(|known| known.0 == object) {
                    known.1 = after;
                }
            }
        }
        let spent = std::mem::take(&mut values.spent);
        self.details.purse.set(left.saturating_sub(spent));
        self.stale = Stale::Nothing;
    }

    pub(crate) fn let_go(self, values: &mut Values) {
        values.dropped.extend(self.known.iter().map(|known| known.0).filter(|object| !object.is_null()));
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
        let Some((mut inside, frame)) = self.take_inside(thread) else { return };
        unsafe { inside.look(&mut self.values, &self.layout, frame) };
        match event {
            END => self.close_until(&mut inside, None),
            RAISED => {
                inside.control = unsafe { self.raising() };
                self.close_until(&mut inside, None);
            }
            _ => unsafe { self.begin(thread, &mut inside, event - FIRST) },
        }
        self.put_inside(thread, inside);
    }

    /// A fragment begins.
    unsafe fn begin(&mut self, thread: usize, inside: &mut Inside, number: usize) {
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
            let above = inside.top().unwrap_or(self.whole(thread));
            let stream = &mut self.values.stream;
            let uses = &inside.details.fragments[number].uses;
            stream.begin(shape, above, uses.len());
            for at in uses {
                stream.push(inside.known[*at as usize].1.reference);
            }
            let node = stream.number();
            inside.before.extend(inside.known.iter().map(|known| known.1));
            inside.open.push(OpenFragment { number, node });
        }
        inside.stale = match mutates {
            Mutates::Nothing => Stale::Nothing,
            Mutates::Used => Stale::Used(number),
            Mutates::Anything => Stale::Everything,
        };
    }

    /// The exception that is being handled.
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

    /// The call that is open in a thread is about to give a value.
    ///
    /// # Safety
    /// As above.
    pub(crate) unsafe fn give(&mut self, thread: usize, value: *mut PyObject) {
        let Some((mut inside, frame)) = self.take_inside(thread) else { return };
        unsafe { inside.look(&mut self.values, &self.layout, frame) };
        inside.control = Control::Return(unsafe { self.values.value(value, Limits::FULL) });
        self.close_until(&mut inside, None);
        self.put_inside(thread, inside);
    }

    /// Ends the fragments that are inside of one, or all.
    fn close_until(&mut self, inside: &mut Inside, parent: Option<usize>) {
        while let Some(last) = inside.open.last() {
            if Some(last.number) == parent {
                return;
            }
            let &OpenFragment { number, node } = last;
            inside.open.pop();
            let begun = inside.before.len() - inside.known.len();
            for ((before, (_, after)), variable) in
                inside.before[begun..].iter().zip(&inside.known).zip(&inside.details.variables)
            {
                if before.hash != after.hash {
                    let row = [RawRef::int(variable.name), before.reference, after.reference];
                    self.values.stream.tell(self.changed, node, &row);
                }
            }
            inside.before.truncate(begun);
            let kind = inside.details.fragments[number].kind;
            match (inside.control, kind) {
                (Control::Break, FragmentKind::Loop) | (Control::Continue, FragmentKind::Round) => {
                    inside.control = Control::None;
                }
                _ => {}
            }
            let (shape, value) = match inside.control {
                Control::None => (self.became, self.values.word(Word::None)),
                Control::Break => (self.became, self.values.word(Word::Break)),
                Control::Continue => (self.became, self.values.word(Word::Continue)),
                Control::Return(value) => (self.became, self.values.returned(value)),
                Control::Raise(value) => (self.raised, value),
            };
            self.values.stream.tell(shape, node, &[value.reference]);
        }
    }
}
