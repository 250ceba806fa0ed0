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
    Slot(usize),
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
    /// Whether it may change something in place.
    pub(crate) mutates: bool,
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

/// How much of the values of variables may be looked at in the calls of one piece of code, and what every event adds.
pub(crate) const PURSE: u32 = 400_000;
const INCOME: u32 = 20;

/// The inside of a call that is open.
pub(crate) struct Inside {
    details: Rc<Details>,
    /// What the variables are, as far as known: the object, which is held, and its value.
    known: Vec<(*mut PyObject, Value)>,
    open: Vec<OpenFragment>,
    /// Whether what ran last may have changed something in place.
    stale: bool,
    control: Control,
}

struct OpenFragment {
    number: usize,
    node: NodeId,
    before: Vec<Value>,
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
        Box::new(Inside { details, known, open: Vec::new(), stale: true, control: Control::None })
    }

    pub(crate) fn top(&self) -> Option<NodeId> {
        self.open.last().map(|fragment| fragment.node)
    }

    /// Looks at the variables.
    unsafe fn look(&mut self, values: &mut Values, layout: &Layout, frame: Frame) {
        let left = self.details.purse.get().saturating_add(INCOME).min(PURSE);
        let limits = Limits::of(left);
        for (variable, (object, value)) in self.details.variables.iter().zip(&mut self.known) {
            let now = unsafe { variable.object(layout, frame) };
            if now == *object && !(self.stale && value.mutable) {
                continue;
            }
            *value = unsafe { values.value(now, limits) };
            unsafe { ffi::Py_XINCREF(now) };
            if !object.is_null() {
                values.dropped.push(*object);
            }
            *object = now;
        }
        self.details.purse.set(left.saturating_sub(std::mem::take(&mut values.spent)));
        self.stale = false;
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
                Place::Slot(slot) => {
                    let object = frame.variable(layout, slot);
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
    pub(crate) unsafe fn at(&mut self, thread: usize, event: usize, handled: *mut PyObject) {
        let Some((mut inside, frame)) = self.take_inside(thread) else { return };
        unsafe { inside.look(&mut self.values, &self.layout, frame) };
        let details = Rc::clone(&inside.details);
        let raise = |here: &mut Recorder| match handled.is_null() {
            true => Control::None,
            false => Control::Raise(unsafe { here.values.value(handled, Limits::FULL) }),
        };
        match event {
            END | RAISED => {
                if event == RAISED {
                    inside.control = raise(self);
                }
                self.close_until(&mut inside, None);
            }
            _ => {
                let Some(fragment) = details.fragments.get(event - FIRST) else {
                    return self.put_inside(thread, inside);
                };
                if fragment.kind == FragmentKind::Handles {
                    inside.control = raise(self);
                }
                self.close_until(&mut inside, fragment.parent);
                inside.control = match fragment.kind {
                    FragmentKind::Break => Control::Break,
                    FragmentKind::Continue => Control::Continue,
                    _ => Control::None,
                };
                if let Some(shape) = fragment.shape {
                    let parent = inside.top().unwrap_or(self.whole(thread));
                    let uses: Vec<RawRef> =
                        fragment.uses.iter().map(|at| inside.known[*at as usize].1.reference).collect();
                    let node = self.values.stream.node(shape, parent, &uses);
                    let before = inside.known.iter().map(|known| known.1).collect();
                    inside.open.push(OpenFragment { number: event - FIRST, node, before });
                }
                inside.stale = fragment.mutates;
            }
        }
        self.put_inside(thread, inside);
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
            let OpenFragment { number, node, before } = match inside.open.pop() {
                Some(open) => open,
                None => return,
            };
            for ((before, (_, after)), variable) in
                before.iter().zip(&inside.known).zip(&inside.details.variables)
            {
                if before.hash != after.hash {
                    let row = [RawRef::int(variable.name), before.reference, after.reference];
                    self.values.stream.tell(self.changed, node, &row);
                }
            }
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
