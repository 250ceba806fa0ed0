//! What is known while a program is recorded: its code, the calls that are open in each thread, and what they may change.

use crate::codes::{Code, Resumes};
use crate::detail::{Details, Inside};
use crate::frames::{Frame, Layout};
use crate::values::{Limits, Value, Values};
use crate::{inits, quick};
use gadfly_trail::run::model::{NodeId, Position, RawRef, RunEnd, Shape, ShapeId, What};
use gadfly_trail::run::text;
use pyo3::ffi::{self, PyObject, PyThreadState};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is to be done with the calls of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// Its calls are nodes of the tree; the number is an index into [`Recorder::codes`].
    Recorded(u32),
    /// It runs on behalf of whoever called it: trusted code, and comprehensions.
    Transparent,
}

/// How many parts of values a function's first calls may keep, and how many each call adds.
pub(crate) const PURSE: i32 = 20_000;
pub(crate) const INCOME: i32 = 3;
/// What a row about a generator tells, by its first number: what was sent into it, what was thrown into it, what it raised.
const SENT: i64 = 0;
const THROWN: i64 = 1;
const FAILED: i64 = 2;
/// How many pieces of code are looked for without hashing.
const RECENT: usize = 1 << 9;

/// Where they are.
#[inline(always)]
pub(crate) fn recent_slot(code: *mut ffi::PyCodeObject) -> usize {
    code as usize / 64 % RECENT
}

/// Something that a call may change.
#[derive(Clone, Copy)]
pub(crate) struct Watched {
    /// As in a row [`What::Changed`].
    which: i64,
    what: Changing,
    before: Value,
    limits: Limits,
}

#[derive(Clone, Copy)]
pub(crate) enum Changing {
    /// What is inside of an object, which is held.
    Inside(*mut PyObject),
    /// What a variable of a module is, by its name.
    Global(*mut PyObject, *mut PyObject),
    /// What a variable of a function around is.
    Cell(*mut PyObject),
    /// The same where frames do not have the cells: by its name, in the frame of the call.
    Around(Frame, *mut PyObject),
}

/// A call that is open.
pub(crate) struct Open {
    pub(crate) node: NodeId,
    pub(crate) code: u32,
    /// How much of values might be kept when it began.
    pub(crate) purse: i32,
    /// How many things were watched before.
    pub(crate) watched: u32,
    pub(crate) frame: Frame,
    /// Whether events of the interpreter say when it ends, rather than whoever evaluates its frame.
    #[cfg_attr(not(Py_3_12), allow(dead_code))]
    pub(crate) told: bool,
    pub(crate) inside: Option<Box<Inside>>,
}

/// The calls of one thread.
#[derive(Default)]
pub(crate) struct Thread {
    /// The interpreter's, by its place, where there may be another one later, and by its number.
    pub(crate) state: usize,
    number: i64,
    /// Its index in [`Recorder::threads`].
    pub(crate) at: usize,
    root: NodeId,
    pub(crate) open: Vec<Open>,
    pub(crate) watched: Vec<Watched>,
    /// How many frames are evaluated here, one inside of the other.
    pub(crate) depth: usize,
    /// Where the part of the native stack ends that may be used for them.
    pub(crate) floor: usize,
}

impl Thread {
    #[inline]
    pub(crate) fn top(&self) -> NodeId {
        let Some(open) = self.open.last() else { return self.root };
        open.inside.as_ref().and_then(|inside| inside.top()).unwrap_or(open.node)
    }

    /// The call that is open.
    #[cfg(Py_3_12)]
    pub(crate) fn whole(&self) -> NodeId {
        self.open.last().map_or(self.root, |open| open.node)
    }

    /// The call that is open, its frame, and its inside if that is looked at.
    #[inline]
    pub(crate) fn inside(&mut self) -> Option<(NodeId, Frame, &mut Inside)> {
        let open = self.open.last_mut()?;
        Some((open.node, open.frame, open.inside.as_deref_mut()?))
    }

    /// An argument that is not seen at once; it is watched if it may change.
    #[inline(never)]
    pub(crate) unsafe fn see_argument(
        &mut self,
        values: &mut Values,
        at: usize,
        object: *mut PyObject,
        limits: Limits,
        purse: i32,
    ) -> RawRef {
        // What is known costs nothing, however large it is; but if it changes, it has to be looked at as a whole.
        let known = if purse >= 0 { unsafe { values.known(object) } } else { None };
        let (value, limits) =
            known.unwrap_or_else(|| (unsafe { values.value_of_parts(object, limits) }, limits));
        if value.mutable {
            unsafe { ffi::Py_INCREF(object) };
            let what = Changing::Inside(object);
            self.watched.push(Watched { which: at as i64, what, before: value, limits });
        }
        value.reference
    }
}

/// The shapes of rows that tell what became of a call.
#[derive(Clone, Copy)]
pub(crate) struct Outcomes {
    pub(crate) became: ShapeId,
    /// A piece of code came to its end, which has no value.
    pub(crate) ended: ShapeId,
    pub(crate) raised: ShapeId,
    unfinished: ShapeId,
    yielded: ShapeId,
    /// What was sent into a generator, or thrown, or that it ended by an exception.
    sent: ShapeId,
    pub(crate) changed: ShapeId,
}

/// A program's recording.
pub(crate) struct Recorder {
    pub(crate) layout: Layout,
    pub(crate) values: Values,
    /// Code that was met, and where it is in `codes`; nowhere if it is [transparent](Treatment::Transparent).
    known: FxHashMap<*mut ffi::PyCodeObject, *mut Code>,
    /// The same of code of which a call began not long ago.
    pub(crate) recent: [(*mut ffi::PyCodeObject, *mut Code); RECENT],
    /// They stay where they are.
    #[allow(clippy::vec_box)]
    pub(crate) codes: Vec<Box<Code>>,
    /// As they do.
    #[allow(clippy::vec_box)]
    pub(crate) threads: Vec<Box<Thread>>,
    /// The one of them that ran last, by its number and its place.
    running: usize,
    pub(crate) now: *mut Thread,
    /// The references of a row that is being made.
    row: Vec<RawRef>,
    /// Where a generator's frame is in the generator; none before 3.11, where frames stay where they are.
    pub(crate) generator: Option<isize>,
    /// Generators that have been called, by their frames.
    pub(crate) resumed: FxHashMap<Frame, NodeId>,
    pub(crate) files: FxHashMap<String, (u32, Vec<u32>)>,
    pub(crate) modules: FxHashMap<String, u32>,
    pub(crate) names: FxHashMap<String, u32>,
    pub(crate) functions: u32,
    pub(crate) outcomes: Outcomes,
    /// The insides of generators that wait.
    paused: FxHashMap<NodeId, Box<Inside>>,
    /// How many calls there were, and the one at which somebody wants to be asked.
    pub(crate) calls: u64,
    pub(crate) target: u64,
    pub(crate) reached: *mut PyObject,
    /// How many events inside of calls there may be.
    pub(crate) events: u64,
    /// How many bytes were printed, and the shapes of the rows that tell it, by their length.
    printed: i64,
    wrote: FxHashMap<usize, ShapeId>,
    thread_shape: Option<ShapeId>,
    pub(crate) describe: *mut PyObject,
    /// Calls may be deep.
    _grown: Option<crate::room::Grown>,
}

impl Recorder {
    pub(crate) fn new(layout: Layout, mut values: Values, describe: *mut PyObject, events: u64) -> Recorder {
        let mut define =
            |what, count| values.stream.define(Shape { what, position: Position::NONE, count, tail: false });
        let (became, ended, raised) =
            (define(What::Became, 1), define(What::Became, 0), define(What::Raised, 1));
        let (unfinished, yielded, changed) =
            (define(What::Unfinished, 0), define(What::Performed, 1), define(What::Changed, 3));
        let sent = define(What::Performed, 2);
        Recorder {
            layout,
            values,
            known: FxHashMap::default(),
            recent: [(std::ptr::null_mut(), std::ptr::null_mut()); RECENT],
            codes: Vec::new(),
            threads: Vec::new(),
            running: 0,
            now: std::ptr::null_mut(),
            row: Vec::new(),
            generator: layout.generator(),
            resumed: FxHashMap::default(),
            files: FxHashMap::default(),
            modules: FxHashMap::default(),
            names: FxHashMap::default(),
            functions: 0,
            outcomes: Outcomes { became, ended, raised, unfinished, yielded, sent, changed },
            paused: FxHashMap::default(),
            calls: 0,
            target: 0,
            reached: std::ptr::null_mut(),
            events,
            printed: 0,
            wrote: FxHashMap::default(),
            thread_shape: None,
            describe,
            _grown: crate::room::Grown::new(),
        }
    }

    /// The thread that runs.
    #[inline]
    pub(crate) fn thread(&mut self, state: *mut PyThreadState) -> usize {
        match self.threads.get(self.running) {
            // Where nothing is open, another thread may be in the place of one that is over.
            Some(thread)
                if thread.state == state as usize && (thread.depth > 0 || !thread.open.is_empty()) =>
            {
                self.running
            }
            _ => self.switch(state),
        }
    }

    /// Another thread runs than before.
    #[cold]
    fn switch(&mut self, state: *mut PyThreadState) -> usize {
        // SAFETY: it is the one that runs.
        let number = unsafe { ffi::PyThreadState_GetID(state) };
        let state = state as usize;
        for thread in
            self.threads.iter_mut().filter(|thread| thread.state == state && thread.number != number)
        {
            // It is over, and another one is where it was.
            thread.state = 0;
        }
        self.running = match self.threads.iter().position(|thread| thread.state == state) {
            Some(known) => known,
            None => {
                let root = match self.threads.first() {
                    Some(first) => {
                        self.thread_node(first.open.first().map_or(NodeId::NONE, |open| open.node))
                    }
                    None => NodeId::NONE,
                };
                let floor = crate::room::floor();
                let at = self.threads.len();
                self.threads.push(Box::new(Thread { state, number, at, root, floor, ..Thread::default() }));
                at
            }
        };
        self.now = &raw mut *self.threads[self.running];
        self.running
    }

    /// What is to be done with the calls of a piece of code, if it was met before.
    #[inline]
    pub(crate) fn treatment(&mut self, code: *mut ffi::PyCodeObject) -> Option<Treatment> {
        let (recent, known) = &mut self.recent[recent_slot(code)];
        if *recent != code {
            *known = *self.known.get(&code)?;
            *recent = code;
        }
        // SAFETY: it is one of those that stay where they are.
        Some(match unsafe { known.as_ref() } {
            Some(known) => Treatment::Recorded(known.number),
            None => Treatment::Transparent,
        })
    }

    /// It is met now.
    pub(crate) fn meet(&mut self, code: *mut ffi::PyCodeObject, treatment: Treatment) {
        let known = match treatment {
            Treatment::Recorded(number) => &raw mut *self.codes[number as usize],
            Treatment::Transparent => std::ptr::null_mut(),
        };
        self.known.insert(code, known);
    }

    /// A node for a thread, under the program's first call.
    fn thread_node(&mut self, parent: NodeId) -> NodeId {
        let shape = match self.thread_shape {
            Some(shape) => shape,
            None => {
                let function = self.function("thread", "", None, Vec::new(), None);
                let what = What::Call(function);
                let shape = self.values.stream.define(Shape {
                    what,
                    position: Position::NONE,
                    count: 0,
                    tail: false,
                });
                self.thread_shape = Some(shape);
                shape
            }
        };
        let node = self.values.stream.node(shape, parent, &[]);
        self.calls += 1;
        let nothing = self.values.word(crate::words::Word::None);
        self.values.stream.tell(self.outcomes.became, node, &[nothing.reference]);
        node
    }

    /// How many arguments calls of a piece of code have.
    pub(crate) fn arguments(&self, code: u32) -> usize {
        self.codes[code as usize].arguments
    }

    /// One of them.
    pub(crate) unsafe fn argument(&self, code: u32, at: usize, frame: Frame) -> *mut PyObject {
        unsafe { self.codes[code as usize].argument(&self.layout, at, frame) }
    }

    /// The cells of the variables of functions around, or what is in them if frames do not have the cells.
    pub(crate) unsafe fn around(&self, code: u32, frame: Frame) -> Vec<*mut PyObject> {
        let code = &self.codes[code as usize];
        let captured = code.captured.iter().enumerate();
        captured
            .map(|(number, captured)| unsafe {
                frame.variable(&self.layout, code.first_free + number, captured.object)
            })
            .collect()
    }

    /// Whether the call that was begun last is the one of a frame whose end is told by events. Calls above it whose ends nobody told
    /// are given up.
    #[cfg(Py_3_12)]
    pub(crate) fn is_told(&mut self, thread: usize, frame: Frame) -> bool {
        let open = &self.threads[thread].open;
        let told = open.iter().rev().take_while(|open| open.told);
        let Some(above) = told.map(|open| open.frame).position(|opened| opened == frame) else {
            return false;
        };
        for _ in 0..above {
            self.give_up(thread);
        }
        true
    }

    /// Nobody will tell how the call came to its end that was begun last.
    #[cfg(Py_3_12)]
    #[cold]
    fn give_up(&mut self, thread: usize) {
        let Some(open) = self.threads[thread].open.pop() else { return };
        if let Some(inside) = open.inside {
            inside.let_go(&mut self.values);
        }
        for watched in self.threads[thread].watched.drain(open.watched as usize..) {
            match watched.what {
                Changing::Inside(held) | Changing::Global(held, _) => self.values.dropped.push(held),
                Changing::Cell(cell) if !cell.is_null() => self.values.dropped.push(cell),
                Changing::Cell(_) | Changing::Around(..) => {}
            }
        }
        self.values.stream.tell(self.outcomes.unfinished, open.node, &[]);
    }

    /// A call begins.
    ///
    /// # Safety
    /// The frame is alive and about to be evaluated, and the lock is held; here and below.
    pub(crate) unsafe fn enter(&mut self, thread: usize, number: u32, frame: Frame, told: bool) {
        let (values, code) = (&mut self.values, &mut self.codes[number as usize]);
        let thread = &mut self.threads[thread];
        let (purse, limits) = (code.purse, limits_of(code.purse));
        let watched = thread.watched.len() as u32;
        values.parent = thread.top();
        self.row.clear();
        for at in 0..code.arguments {
            let object = unsafe { code.argument(&self.layout, at, frame) };
            let reference = match unsafe { values.quick::<false>(object) } {
                Some(reference) => reference,
                None => unsafe { thread.see_argument(values, at, object, limits, code.purse) },
            };
            self.row.push(reference);
        }
        if code.has_more {
            unsafe { enter_more(&self.layout, values, code, thread, frame, limits, &mut self.row) };
        }
        let spent = std::mem::take(&mut values.spent);
        code.purse = (code.purse + INCOME - spent as i32).min(PURSE);
        let node = values.stream.node(code.shape, values.parent, &self.row);
        let inside = code.details.as_ref().map(|details| enter_inside(details, values));
        thread.open.push(Open { node, code: number, purse, watched, frame, told, inside });
    }

    /// A generator whose frame stays where it is has been called: what it yields is told later.
    pub(crate) fn began(&mut self, node: NodeId) {
        let nothing = self.values.word(crate::words::Word::None);
        self.values.stream.tell(self.outcomes.became, node, &[nothing.reference]);
    }

    /// Something is sent into a generator that goes on.
    ///
    /// # Safety
    /// It is alive, and the lock is held; here and below.
    pub(crate) unsafe fn sent(&mut self, number: u32, node: NodeId, value: *mut PyObject) {
        self.values.parent = node;
        let limits = limits_of(self.codes[number as usize].purse);
        let value = unsafe { self.values.value(value, limits) };
        self.tell_sent(number, node, value, false);
    }

    /// An exception is thrown into it.
    pub(crate) unsafe fn thrown(&mut self, number: u32, node: NodeId, raised: [*mut PyObject; 2]) {
        self.values.parent = node;
        let limits = limits_of(self.codes[number as usize].purse);
        let value = unsafe { exception(&mut self.values, raised, limits) };
        self.tell_sent(number, node, value, true);
    }

    fn tell_sent(&mut self, number: u32, node: NodeId, value: Value, thrown: bool) {
        let references = [RawRef::int(if thrown { THROWN } else { SENT }), value.reference];
        self.values.stream.tell(self.outcomes.sent, node, &references);
        let spent = std::mem::take(&mut self.values.spent);
        let code = &mut self.codes[number as usize];
        code.purse = (code.purse - spent as i32).max(-PURSE);
    }

    /// A generator goes on.
    pub(crate) fn resume(&mut self, thread: usize, number: u32, node: NodeId, frame: Frame, told: bool) {
        let purse = self.codes[number as usize].purse;
        let inside = if self.paused.is_empty() { None } else { self.paused.remove(&node) };
        let thread = &mut self.threads[thread];
        let watched = thread.watched.len() as u32;
        thread.open.push(Open { node, code: number, purse, watched, frame, told, inside });
    }

    /// The call that was begun last has ended; `result` is null if by an exception, whose class and value are given.
    pub(crate) unsafe fn leave(
        &mut self,
        thread: usize,
        result: *mut PyObject,
        raised: [*mut PyObject; 2],
        how: Left,
    ) {
        let Some(mut open) = self.threads[thread].open.pop() else { return };
        if let Some(inside) = open.inside.take() {
            self.leave_inside(open.node, inside, how);
        }
        self.values.parent = open.node;
        if self.threads[thread].watched.len() > open.watched as usize {
            unsafe { self.tell_changes(thread, &open) };
        }
        let shape = match how {
            Left::Returned | Left::Made => Some(self.outcomes.became),
            Left::Yielded => Some(self.outcomes.yielded),
            Left::Waits => None,
            Left::Raised => Some(self.outcomes.raised),
        };
        if let Some(shape) = shape {
            let value = match how {
                Left::Raised => unsafe { exception(&mut self.values, raised, limits_of(open.purse)) },
                _ => unsafe { self.values.value(result, limits_of(open.purse)) },
            };
            self.values.stream.tell(shape, open.node, &[value.reference]);
            // That the call of a generator gave one was told before. One that is closed has not failed.
            let is_closed = !raised[0].is_null() && raised[0] == unsafe { ffi::PyExc_GeneratorExit };
            let yields = self.codes[open.code as usize].resumes == Resumes::Yields;
            if how == Left::Raised && yields && !is_closed {
                let references = [RawRef::int(FAILED), value.reference];
                self.values.stream.tell(self.outcomes.sent, open.node, &references);
            }
        }
        let spent = std::mem::take(&mut self.values.spent);
        if spent > 0 {
            let code = &mut self.codes[open.code as usize];
            code.purse = (code.purse - spent as i32).max(-PURSE);
        }
    }

    #[cold]
    fn leave_inside(&mut self, node: NodeId, inside: Box<Inside>, how: Left) {
        match how {
            Left::Yielded | Left::Waits | Left::Made => {
                self.paused.insert(node, inside);
            }
            Left::Returned | Left::Raised => inside.let_go(&mut self.values),
        }
    }

    unsafe fn tell_changes(&mut self, thread: usize, open: &Open) {
        let first = open.watched as usize;
        for at in first..self.threads[thread].watched.len() {
            let Watched { which, what, before, limits } = self.threads[thread].watched[at];
            let after = unsafe {
                match what {
                    Changing::Inside(object) => {
                        self.values.dropped.push(object);
                        if self.values.is_known_as(object, &before, limits)
                            || self.values.is_still(object, &before, limits)
                        {
                            continue;
                        }
                        self.values.value(object, limits)
                    }
                    Changing::Cell(cell) => {
                        if !cell.is_null() {
                            self.values.dropped.push(cell);
                        }
                        cell_value(&mut self.values, cell, limits)
                    }
                    Changing::Global(globals, name) => {
                        self.values.dropped.push(globals);
                        global_value(&mut self.values, globals, name, limits)
                    }
                    Changing::Around(frame, name) => {
                        let found = frame.variable(&self.layout, 0, name);
                        self.values.value(found, limits)
                    }
                }
            };
            if after.hash != before.hash {
                let references = [RawRef::int(which), before.reference, after.reference];
                self.values.stream.tell(self.outcomes.changed, open.node, &references);
            }
        }
        self.threads[thread].watched.truncate(first);
    }

    /// Something was printed by the call that is open.
    pub(crate) fn wrote(&mut self, thread: usize, printed: &str) {
        let node = self.threads[thread].top();
        // A row is not to be longer than a page.
        for part in printed.as_bytes().chunks(1 << 12) {
            let count = 2 + text::packed(part.len());
            let shape = match self.wrote.get(&count) {
                Some(shape) => *shape,
                None => {
                    let shape = Shape {
                        what: What::Wrote,
                        position: Position::NONE,
                        count: count as u32,
                        tail: false,
                    };
                    let shape = self.values.stream.define(shape);
                    self.wrote.insert(count, shape);
                    shape
                }
            };
            let mut row = vec![RawRef::int(self.printed), RawRef::int(part.len() as i64)];
            row.extend(text::pack(part));
            self.values.stream.tell(shape, node, &row);
            self.printed += part.len() as i64;
        }
    }

    /// The program is over.
    pub(crate) fn end(&mut self, end: &RunEnd) {
        for thread in &mut self.threads {
            for open in thread.open.drain(..).rev() {
                self.values.stream.tell(self.outcomes.unfinished, open.node, &[]);
            }
        }
        self.values.stream.end(end);
    }
}

/// How much may be looked at with so much in a purse: a little even if there is none.
#[inline]
pub(crate) fn limits_of(purse: i32) -> Limits {
    Limits::of(purse.max(INCOME) as u32)
}

/// What is inside of a call that begins, of code with events in it.
#[cold]
fn enter_inside(details: &Rc<Details>, values: &Values) -> Box<Inside> {
    Inside::new(Rc::clone(details), values.word(crate::words::Word::Missing))
}

/// What a call that begins has beside its arguments: variables of the functions around it, and of its module.
#[inline(never)]
unsafe fn enter_more(
    layout: &Layout,
    values: &mut Values,
    code: &mut Code,
    thread: &mut Thread,
    frame: Frame,
    limits: Limits,
    row: &mut Vec<RawRef>,
) {
    if !code.captured.is_empty() {
        let function = unsafe { frame.function(layout) };
        let closure = match function.is_null() || unsafe { ffi::PyFunction_Check(function) } == 0 {
            true => std::ptr::null_mut(),
            false => unsafe { ffi::PyFunction_GetClosure(function) },
        };
        for (number, captured) in code.captured.iter().enumerate() {
            let known = !closure.is_null() && unsafe { ffi::PyTuple_GET_SIZE(closure) } > number as isize;
            let what = match layout {
                _ if known => Changing::Cell(unsafe { ffi::PyTuple_GET_ITEM(closure, number as isize) }),
                Layout::Objects => Changing::Around(frame, captured.object),
                Layout::Places(_) if layout.has_cells() => Changing::Cell(unsafe {
                    frame.variable(layout, code.first_free + number, captured.object)
                }),
                Layout::Places(_) => Changing::Cell(std::ptr::null_mut()),
            };
            let value = unsafe {
                match what {
                    Changing::Around(frame, name) => values.value(frame.variable(layout, 0, name), limits),
                    Changing::Cell(cell) => cell_value(values, cell, limits),
                    Changing::Inside(_) | Changing::Global(..) => values.word(crate::words::Word::Missing),
                }
            };
            if value.mutable || captured.stored {
                if let Changing::Cell(cell) = what {
                    unsafe { ffi::Py_XINCREF(cell) };
                }
                thread.watched.push(Watched { which: captured.name, what, before: value, limits });
            }
            row.push(value.reference);
        }
    }
    if !code.globals.is_empty() {
        let globals = unsafe { frame.globals(layout) };
        if !code.called {
            // Functions, classes and modules stay what they are, and what cannot change in place the first time.
            code.globals.retain(|global| unsafe {
                global.stored
                    || may_change(globals, global.object)
                        && global_value(values, globals, global.object, limits).mutable
            });
        }
        for global in &mut code.globals {
            let found = unsafe { global.find(globals) };
            let value = unsafe { values.value(found, limits) };
            if global.stored || value.mutable {
                unsafe { ffi::Py_INCREF(globals) };
                let what = Changing::Global(globals, global.object);
                thread.watched.push(Watched { which: global.name, what, before: value, limits });
            }
        }
    }
    code.called = true;
    if code.is_init && code.arguments > 0 {
        let object = unsafe { code.argument(layout, 0, frame) };
        if !object.is_null() {
            unsafe { inits::show(ffi::Py_TYPE(object)) };
        }
    }
    code.has_more = !code.captured.is_empty() || !code.globals.is_empty() || code.is_init;
    let in_cells = code.cells.iter().any(Option::is_some);
    code.is_quick = !code.has_more
        && !in_cells
        && code.arguments <= quick::FEW
        && code.details.is_none()
        && code.resumes == Resumes::No
        && values.reads_integers;
}

/// How a call came to an end, or to a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    Returned,
    /// With a generator, whose code has not begun to run.
    Made,
    Yielded,
    /// A coroutine that waits.
    Waits,
    Raised,
}

/// What is in a cell; whoever has the cell has it too.
pub(crate) unsafe fn in_cell(cell: *mut PyObject) -> *mut PyObject {
    if cell.is_null() || unsafe { ffi::Py_TYPE(cell) } != &raw mut ffi::PyCell_Type {
        return std::ptr::null_mut();
    }
    let content = unsafe { ffi::PyCell_Get(cell) };
    unsafe { ffi::Py_XDECREF(content) };
    content
}

unsafe fn cell_value(values: &mut Values, cell: *mut PyObject, limits: Limits) -> Value {
    let is_cell = !cell.is_null() && unsafe { ffi::Py_TYPE(cell) } == &raw mut ffi::PyCell_Type;
    let content = if is_cell { unsafe { ffi::PyCell_Get(cell) } } else { std::ptr::null_mut() };
    let value = unsafe { values.value(content, limits) };
    unsafe { ffi::Py_XDECREF(content) };
    value
}

unsafe fn global_value(
    values: &mut Values,
    globals: *mut PyObject,
    name: *mut PyObject,
    limits: Limits,
) -> Value {
    let found = match unsafe { ffi::PyDict_CheckExact(globals) } != 0 {
        true => unsafe { ffi::PyDict_GetItem(globals, name) },
        false => std::ptr::null_mut(),
    };
    unsafe { values.value(found, limits) }
}

/// Whether a variable of a module is data, which may be changed in place.
unsafe fn may_change(globals: *mut PyObject, name: *mut PyObject) -> bool {
    if unsafe { ffi::PyDict_CheckExact(globals) } == 0 {
        return false;
    }
    let found = unsafe { ffi::PyDict_GetItem(globals, name) };
    if found.is_null() {
        return false;
    }
    let class = unsafe { ffi::Py_TYPE(found) };
    let plain = [
        &raw mut ffi::PyFunction_Type,
        &raw mut ffi::PyModule_Type,
        &raw mut ffi::PyLong_Type,
        &raw mut ffi::PyUnicode_Type,
        &raw mut ffi::PyFloat_Type,
        &raw mut ffi::PyBool_Type,
        &raw mut ffi::PyCFunction_Type,
    ];
    !plain.contains(&class) && unsafe { ffi::PyType_Check(found) } == 0 && found != unsafe { ffi::Py_None() }
}

/// An exception, by its class and what it is made of: before 3.12, one that nobody has looked at may not be made yet.
unsafe fn exception(values: &mut Values, [class, value]: [*mut PyObject; 2], limits: Limits) -> Value {
    let made = !value.is_null() && unsafe { ffi::PyExceptionInstance_Check(value) } != 0;
    match made {
        true => unsafe { values.value(value, limits) },
        false => unsafe { values.unmade_exception(class, value, limits) },
    }
}
