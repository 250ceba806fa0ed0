//! What a call may change, and what it has changed when it ends.

use crate::codes::Code;
use crate::hook::frames::{Layout, OpenFrame};
use crate::object::{Held, Look, Object, Owned};
use crate::recorder::Recorder;
use crate::threads::{Open, Thread};
use crate::values::{Limits, Value, Values};
use gadfly_trail::model::RawRef;
use pyo3::ffi;

/// Something that a call may change.
pub(crate) struct Watched {
    /// As in a row [`What::Changed`](gadfly_trail::model::What::Changed).
    pub(crate) which: i64,
    pub(crate) what: Changing,
    pub(crate) before: Value,
    pub(crate) limits: Limits,
}

pub(crate) enum Changing {
    /// What is inside of an object.
    Inside(Owned),
    /// The same of what is in the dictionary of named arguments, which is the call's alone, and may die before the call ends; the caller has
    /// what is in it.
    Named(Vec<(Held, Owned)>),
    /// The same of an argument that its frame has as long as the call is open, by its number: nothing is kept of it.
    Argument(OpenFrame, u32),
    /// What a variable of a module is: the module's variables, and which of those of [`Code::globals`].
    Global(Owned, u32),
    /// What a variable of a function around is, if it has a cell.
    Cell(Option<Owned>),
    /// The same where frames do not have the cells: which of those of [`Code::captured`], in the frame of the call.
    Around(OpenFrame, u32),
}

impl Changing {
    /// Named arguments, if there are not too many.
    pub(crate) fn named(object: Object<'_>) -> Option<Changing> {
        let dictionary = object.dict().filter(|dictionary| dictionary.length() <= Limits::ELEMENTS)?;
        let entries = dictionary.entries();
        let entries: Option<Vec<_>> =
            entries.map(|(name, value)| Some((Held::text_of(name.text()?), Owned::of(value)))).collect();
        entries.map(Changing::Named)
    }

    /// Puts what is to be released to the others.
    pub(crate) fn release_to(self, released: &mut Vec<Owned>) {
        match self {
            Changing::Inside(owned) | Changing::Global(owned, _) => released.push(owned),
            Changing::Cell(cell) => released.extend(cell),
            Changing::Named(entries) => released.extend(entries.into_iter().map(|(_, value)| value)),
            Changing::Argument(..) | Changing::Around(..) => {}
        }
    }
}

impl Recorder {
    /// Tells what a call has changed that is about to end.
    pub(crate) fn tell_changes(&mut self, look: &Look, thread: usize, open: &Open) {
        let Recorder { values, threads, codes, layout, outcomes, .. } = self;
        let code = &codes[open.code as usize];
        for Watched { which, what, before, limits } in threads[thread].watched.drain(open.watched as usize..)
        {
            // What was not looked at may have changed: the row says that nobody knows.
            if let Some(after) = changed(values, look, layout, code, &what, &before, limits)
                && (after.hash != before.hash || after.unseen)
            {
                let references = [RawRef::int(which), before.reference, after.reference];
                values.stream.tell(outcomes.changed, open.node, &references);
            }
            what.release_to(&mut values.released);
        }
    }
}

/// What something is now, unless that is what it was.
fn changed(
    values: &mut Values,
    look: &Look,
    layout: &Layout,
    code: &Code,
    what: &Changing,
    before: &Value,
    limits: Limits,
) -> Option<Value> {
    let now = match what {
        Changing::Named(entries) => {
            let entries =
                entries.iter().filter_map(|(name, value)| Some((name.text()?.object(), value.see(look))));
            return Some(values.dictionary_of(look, entries, limits));
        }
        Changing::Inside(object) => Some(object.see(look)),
        Changing::Argument(frame, at) => code.argument(look, layout, *at as usize, *frame),
        Changing::Cell(cell) => cell.as_ref().and_then(|cell| cell.see(look).in_cell()),
        Changing::Global(globals, at) => code.globals[*at as usize].find(globals.see(look)),
        Changing::Around(frame, at) => {
            frame.variable(look, layout, 0, Some(&code.captured[*at as usize].object))
        }
    };
    if let (Changing::Inside(_) | Changing::Argument(..), Some(object)) = (what, now)
        && values.is_still(object, before, limits)
    {
        return None;
    }
    Some(values.value(now, limits))
}

/// A call that begins, as far as it is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Beginning<'l> {
    pub(crate) look: &'l Look,
    pub(crate) layout: &'l Layout,
    /// Alive as long as the look lasts, and about to be evaluated.
    pub(crate) frame: OpenFrame,
    pub(crate) limits: Limits,
}

impl<'l> Beginning<'l> {
    /// A variable of the frame, by its number or its name.
    fn variable(&self, number: usize, name: &Held) -> Option<Object<'l>> {
        self.frame.variable(self.look, self.layout, number, Some(name))
    }

    /// Watches what the call has beside its arguments: variables of the functions around it, and of its module. Those of functions
    /// around are parts of the call's row.
    #[inline(never)]
    pub(crate) fn watch_more(
        &self,
        values: &mut Values,
        code: &mut Code,
        thread: &mut Thread,
        row: &mut Vec<RawRef>,
    ) {
        self.watch_captured(values, code, thread, row);
        self.watch_globals(values, code, thread);
    }

    fn watch_captured(&self, values: &mut Values, code: &Code, thread: &mut Thread, row: &mut Vec<RawRef>) {
        if code.captured.is_empty() {
            return;
        }
        let limits = self.limits;
        let closure = self.frame.function(self.look, self.layout).and_then(Object::closure);
        for (number, captured) in code.captured.iter().enumerate() {
            let known = closure.filter(|closure| closure.length() > number);
            let cell = match (known, self.layout) {
                (Some(closure), _) => closure.try_get(number),
                (None, Layout::Places(_)) if self.layout.has_cells() => {
                    self.variable(code.first_free + number, &captured.object)
                }
                (None, _) => None,
            };
            let around = known.is_none() && matches!(self.layout, Layout::Objects);
            let value = match around {
                true => values.value(self.variable(0, &captured.object), limits),
                false => values.value(cell.and_then(Object::in_cell), limits),
            };
            if value.mutable || captured.stored {
                let what = match around {
                    true => Changing::Around(self.frame, number as u32),
                    false => Changing::Cell(cell.map(Owned::of)),
                };
                thread.watched.push(Watched { which: captured.name, what, before: value, limits });
            }
            row.push(value.reference);
        }
    }

    fn watch_globals(&self, values: &mut Values, code: &mut Code, thread: &mut Thread) {
        if code.globals.is_empty() {
            return;
        }
        let limits = self.limits;
        let Some(globals) = self.frame.globals(self.look, self.layout) else { return };
        if !code.called {
            // Functions, classes and modules stay what they are, and what cannot change in place the first time.
            code.globals.retain(|global| {
                let found = global.find(globals);
                global.stored || found.is_some_and(may_change) && values.value(found, limits).mutable
            });
        }
        for (at, global) in code.globals.iter().enumerate() {
            let value = values.value(global.find(globals), limits);
            if global.stored || value.mutable {
                let what = Changing::Global(Owned::of(globals), at as u32);
                thread.watched.push(Watched { which: global.name, what, before: value, limits });
            }
        }
    }
}

/// Whether a variable of a module is data, which may be changed in place.
fn may_change(object: Object<'_>) -> bool {
    let plain = [
        &raw mut ffi::PyFunction_Type,
        &raw mut ffi::PyModule_Type,
        &raw mut ffi::PyLong_Type,
        &raw mut ffi::PyUnicode_Type,
        &raw mut ffi::PyFloat_Type,
        &raw mut ffi::PyBool_Type,
        &raw mut ffi::PyCFunction_Type,
    ];
    !plain.contains(&object.class().pointer()) && object.as_class().is_none() && !object.is_none()
}
