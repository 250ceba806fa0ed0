//! What is known while a program is recorded: its code, the calls that are open in each thread, and what becomes of them.

use crate::codes::{Code, Resumes};
use crate::hook::fast_call;
use crate::hook::frames::{Layout, OpenFrame};
use crate::hook::inits;
use crate::inside::{Details, Inside};
use crate::object::{Look, Object};
use crate::threads::{Open, Thread};
use crate::values::{Limits, Value, Values};
use crate::watched::{Beginning, Changing, Watched};
use gadfly_trail::model::{NodeId, Position, RawRef, RunEnd, Shape, ShapeId, What};
use gadfly_trail::text;
use pyo3::ffi::PyObject;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How many parts of values are kept for the calls of one function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budgets {
    /// Of the first ones, and at most.
    pub(crate) whole: i32,
    /// What a call adds: so many there are for each.
    pub(crate) per_call: i32,
    /// What a further run of the same code adds.
    per_run: i32,
}

impl Budgets {
    /// For a run that somebody wants.
    pub(crate) const FULL: Budgets = Budgets { whole: 20_000, per_call: 3, per_run: 0 };
    /// For many runs of which all but one are wanted by nobody, and that one can be made again.
    pub(crate) const LEAN: Budgets = Budgets { whole: 300, per_call: 1, per_run: 10 };

    /// How much may be looked at with so much of a budget: a little even if there is none.
    #[inline]
    pub(crate) fn limits(self, left: i32) -> Limits {
        Limits::of(left.max(self.per_call) as u32)
    }
}

/// What a row about a generator tells, by its first number: what was sent into it, what was thrown into it, what it raised.
const SENT: i64 = 0;
const THROWN: i64 = 1;
const FAILED: i64 = 2;

/// The shapes of rows that tell what became of a call.
#[derive(Clone, Copy)]
pub(crate) struct Outcomes {
    pub(crate) became: ShapeId,
    /// A piece of code came to its end, which has no value.
    pub(crate) ended: ShapeId,
    pub(crate) raised: ShapeId,
    pub(crate) unfinished: ShapeId,
    yielded: ShapeId,
    /// What was sent into a generator, or thrown, or that it ended by an exception.
    sent: ShapeId,
    pub(crate) changed: ShapeId,
}

/// A program's recording.
pub(crate) struct Recorder {
    pub(crate) layout: Layout,
    pub(crate) values: Values,
    pub(crate) budgets: Budgets,
    /// Whether arguments are kept while a call is open, as whoever evaluates frames keeps them anyway.
    pub(crate) keeps_arguments: bool,
    /// They stay where they are.
    #[allow(clippy::vec_box, reason = "there are pointers to them")]
    pub(crate) codes: Vec<Box<Code>>,
    /// As they do.
    #[allow(clippy::vec_box, reason = "there are pointers to them")]
    pub(crate) threads: Vec<Box<Thread>>,
    /// The one of them that ran last, by its number and its place.
    pub(crate) running: usize,
    pub(crate) now: *mut Thread,
    /// The references of a row that is being made.
    row: Vec<RawRef>,
    /// Where a generator's frame is in the generator; none before 3.11, where frames stay where they are.
    pub(crate) generator: Option<isize>,
    pub(crate) tables: crate::codes::NameTables,
    pub(crate) outcomes: Outcomes,
    /// The insides of generators that wait.
    paused: FxHashMap<NodeId, Box<Inside>>,
    /// How many frames have been evaluated, of whatever code.
    pub(crate) frames: u64,
    /// How many calls there were, and the one at which somebody wants to be asked.
    pub(crate) calls: u64,
    pub(crate) target: u64,
    pub(crate) reached: *mut PyObject,
    /// How many events inside of calls there may be.
    pub(crate) events: u64,
    /// How many bytes were printed, and the shapes of the rows that tell it, by their length.
    printed: i64,
    wrote: FxHashMap<usize, ShapeId>,
    pub(crate) thread_shape: Option<ShapeId>,
    pub(crate) describe: *mut PyObject,
    /// Calls may be deep.
    _grown: Option<crate::hook::native_stack::Grown>,
}

impl Recorder {
    pub(crate) fn new(
        layout: Layout,
        mut values: Values,
        describe: *mut PyObject,
        events: u64,
        memory: usize,
    ) -> Recorder {
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
            budgets: Budgets::FULL,
            keeps_arguments: matches!(layout, Layout::Places(_)),
            codes: Vec::new(),
            threads: Vec::new(),
            running: 0,
            now: std::ptr::null_mut(),
            row: Vec::new(),
            generator: layout.generator(),
            tables: crate::codes::NameTables::new(memory),
            outcomes: Outcomes { became, ended, raised, unfinished, yielded, sent, changed },
            paused: FxHashMap::default(),
            frames: 0,
            calls: 0,
            target: 0,
            reached: std::ptr::null_mut(),
            events,
            printed: 0,
            wrote: FxHashMap::default(),
            thread_shape: None,
            describe,
            _grown: crate::hook::native_stack::Grown::new(),
        }
    }

    /// How many arguments calls of a piece of code have.
    pub(crate) fn arguments(&self, code: u32) -> usize {
        self.codes[code as usize].arguments
    }

    /// The cells of the variables of functions around, or what is in them if frames do not have the cells.
    pub(crate) fn around<'l>(&self, look: &'l Look, code: u32, frame: OpenFrame) -> Vec<Option<Object<'l>>> {
        let code = &self.codes[code as usize];
        let captured = code.captured.iter().enumerate();
        captured
            .map(|(number, captured)| {
                frame.variable(look, &self.layout, code.first_free + number, Some(&captured.object))
            })
            .collect()
    }

    /// A call begins.
    pub(crate) fn enter(&mut self, look: &Look, thread: usize, number: u32, frame: OpenFrame, told: bool) {
        let (values, code) = (&mut self.values, &mut self.codes[number as usize]);
        let thread = &mut self.threads[thread];
        let (budget, limits) = (code.budget, self.budgets.limits(code.budget));
        let watched = thread.watched.len() as u32;
        values.parent = thread.top();
        self.row.clear();
        for at in 0..code.arguments {
            let object = code.argument(look, &self.layout, at, frame);
            let reference = match (values.quick(object, values.reads_integers), object) {
                (None, Some(object)) if self.keeps_arguments => {
                    thread.see_argument(values, at, object, limits, code)
                }
                (None, object) => {
                    let value = values.value(object, limits);
                    if value.mutable && code.stays(at) {
                        let what = Changing::Argument(frame, at as u32);
                        thread.watched.push(Watched { which: at as i64, what, before: value, limits });
                    }
                    value.reference
                }
                (Some(reference), _) => reference,
            };
            self.row.push(reference);
        }
        if code.has_more {
            let begins = Beginning { look, layout: &self.layout, frame, limits };
            enter_more(&begins, values, code, thread, &mut self.row);
        }
        let spent = std::mem::take(&mut values.spent);
        code.budget = (code.budget + self.budgets.per_call - spent as i32).min(self.budgets.whole);
        let node = values.stream.node(code.shape, values.parent, &self.row);
        let inside = code.details.as_ref().map(|details| enter_inside(details, values));
        thread.open.push(Open { node, code: number, budget, watched, frame, told, inside });
    }

    /// Looks at what a call that begins is given, only to see what is in it.
    #[cold]
    pub(crate) fn see_arguments(&mut self, look: &Look, number: u32, frame: OpenFrame) {
        let code = &self.codes[number as usize];
        for at in 0..code.arguments {
            let object = code.argument(look, &self.layout, at, frame);
            self.values.value(object, self.budgets.limits(code.budget));
        }
    }

    /// The same of what came of the call that was begun last, and what it may have changed.
    #[cold]
    pub(crate) fn see_outcome(&mut self, look: &Look, thread: usize, result: Option<Object<'_>>) {
        let thread = &self.threads[thread];
        let Some(open) = thread.open.last() else { return };
        self.values.value(result, self.budgets.limits(open.budget));
        for watched in &thread.watched[open.watched as usize..] {
            if let Changing::Inside(object) = &watched.what {
                self.values.value(Some(object.see(look)), watched.limits);
            }
        }
    }

    /// A generator whose frame stays where it is has been called: what it yields is told later.
    pub(crate) fn began(&mut self, node: NodeId) {
        let nothing = self.values.word(crate::values::constructors::Word::None);
        self.values.stream.tell(self.outcomes.became, node, &[nothing.reference]);
    }

    /// Something is sent into a generator that goes on.
    pub(crate) fn sent(&mut self, number: u32, node: NodeId, value: Object<'_>) {
        self.values.parent = node;
        let limits = self.budgets.limits(self.codes[number as usize].budget);
        let value = self.values.value(Some(value), limits);
        self.tell_sent(number, node, value, false);
    }

    /// An exception is thrown into it.
    pub(crate) fn thrown(&mut self, number: u32, node: NodeId, raised: [Option<Object<'_>>; 2]) {
        self.values.parent = node;
        let limits = self.budgets.limits(self.codes[number as usize].budget);
        let value = exception(&mut self.values, raised, limits);
        self.tell_sent(number, node, value, true);
    }

    fn tell_sent(&mut self, number: u32, node: NodeId, value: Value, thrown: bool) {
        let references = [RawRef::int(if thrown { THROWN } else { SENT }), value.reference];
        self.values.stream.tell(self.outcomes.sent, node, &references);
        let spent = std::mem::take(&mut self.values.spent);
        let code = &mut self.codes[number as usize];
        code.budget = (code.budget - spent as i32).max(-self.budgets.whole);
    }

    /// A generator goes on.
    pub(crate) fn resume(&mut self, thread: usize, number: u32, node: NodeId, frame: OpenFrame, told: bool) {
        let budget = self.codes[number as usize].budget;
        let inside = if self.paused.is_empty() { None } else { self.paused.remove(&node) };
        let thread = &mut self.threads[thread];
        let watched = thread.watched.len() as u32;
        thread.open.push(Open { node, code: number, budget, watched, frame, told, inside });
    }

    /// A generator that waits is no more.
    pub(crate) fn forget_generator(&mut self, node: NodeId) {
        if let Some(inside) = self.paused.remove(&node) {
            inside.let_go(&mut self.values);
        }
    }

    /// The call that was begun last has ended; there is no result if by an exception, whose class and value are given.
    pub(crate) fn leave(
        &mut self,
        look: &Look,
        thread: usize,
        result: Option<Object<'_>>,
        raised: [Option<Object<'_>>; 2],
        how: HowItEnded,
    ) {
        let Some(mut open) = self.threads[thread].open.pop() else { return };
        if let Some(inside) = open.inside.take() {
            self.leave_inside(open.node, inside, how);
        }
        self.values.parent = open.node;
        if self.threads[thread].watched.len() > open.watched as usize {
            self.tell_changes(look, thread, &open);
        }
        let shape = match how {
            HowItEnded::Returned | HowItEnded::Made => Some(self.outcomes.became),
            HowItEnded::Yielded => Some(self.outcomes.yielded),
            HowItEnded::Waits => None,
            HowItEnded::Raised => Some(self.outcomes.raised),
        };
        if let Some(shape) = shape {
            let value = match how {
                HowItEnded::Raised => exception(&mut self.values, raised, self.budgets.limits(open.budget)),
                _ => self.values.value(result, self.budgets.limits(open.budget)),
            };
            self.values.stream.tell(shape, open.node, &[value.reference]);
            // That the call of a generator gave one was told before. One that is closed has not failed.
            let is_closed = raised[0].is_some_and(Object::is_generator_exit);
            let yields = self.codes[open.code as usize].resumes == Resumes::Yields;
            if how == HowItEnded::Raised && yields && !is_closed {
                let references = [RawRef::int(FAILED), value.reference];
                self.values.stream.tell(self.outcomes.sent, open.node, &references);
            }
        }
        let spent = std::mem::take(&mut self.values.spent);
        if spent > 0 {
            let code = &mut self.codes[open.code as usize];
            code.budget = (code.budget - spent as i32).max(-self.budgets.whole);
        }
    }

    #[cold]
    fn leave_inside(&mut self, node: NodeId, inside: Box<Inside>, how: HowItEnded) {
        match how {
            HowItEnded::Yielded | HowItEnded::Waits | HowItEnded::Made => {
                self.paused.insert(node, inside);
            }
            HowItEnded::Returned | HowItEnded::Raised => inside.let_go(&mut self.values),
        }
    }

    /// Something was printed by the call that is open.
    pub(crate) fn wrote(&mut self, thread: usize, printed: &str) {
        self.begin_thread(thread);
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
    pub(crate) fn end(&mut self, look: &Look, end: &RunEnd) {
        self.end_calls(look);
        self.values.stream.end(end);
    }

    /// All calls are over.
    pub(crate) fn end_calls(&mut self, look: &Look) {
        self.end_threads(look);
        for (_, inside) in std::mem::take(&mut self.paused) {
            inside.let_go(&mut self.values);
        }
    }

    /// Begins a run anew, with the code that is known: `describe` is asked about other code from now on.
    /// Gives what was asked before.
    #[must_use]
    pub(crate) fn rewind(&mut self, describe: *mut PyObject) -> *mut PyObject {
        self.values.rewind();
        self.threads.clear();
        (self.running, self.now) = (0, std::ptr::null_mut());
        (self.calls, self.target, self.printed) = (0, 0, 0);
        for code in &mut self.codes {
            code.budget = (code.budget.max(0) + self.budgets.per_run).min(self.budgets.whole);
        }
        std::mem::replace(&mut self.describe, describe)
    }
}

/// What is inside of a call that begins, of code with events in it.
#[cold]
fn enter_inside(details: &Rc<Details>, values: &Values) -> Box<Inside> {
    Inside::new(Rc::clone(details), values.word(crate::values::constructors::Word::Missing))
}

/// What a call that begins has beside its arguments.
#[inline(never)]
fn enter_more(
    begins: &Beginning<'_>,
    values: &mut Values,
    code: &mut Code,
    thread: &mut Thread,
    row: &mut Vec<RawRef>,
) {
    begins.watch_more(values, code, thread, row);
    code.called = true;
    if code.is_init
        && code.arguments > 0
        && let Some(object) = code.argument(begins.look, begins.layout, 0, begins.frame)
    {
        inits::show(object.class());
    }
    code.has_more = !code.captured.is_empty() || !code.globals.is_empty() || code.is_init;
    let in_cells = code.cells.iter().any(Option::is_some);
    code.is_quick = !code.has_more
        && !in_cells
        && code.arguments <= fast_call::ARGUMENTS_OF_FAST_CALL
        && code.details.is_none()
        && code.resumes == Resumes::No
        && values.reads_integers.is_some();
}

/// How a call came to an end, or to a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HowItEnded {
    Returned,
    /// With a generator, whose code has not begun to run.
    Made,
    Yielded,
    /// A coroutine that waits.
    Waits,
    Raised,
}

/// An exception, by its class and what it is made of: before 3.12, one that nobody has looked at may not be made yet.
fn exception(values: &mut Values, [class, value]: [Option<Object<'_>>; 2], limits: Limits) -> Value {
    match value.filter(|value| value.exception().is_some()) {
        Some(value) => values.value(Some(value), limits),
        None => values.unmade_exception(class, value, limits),
    }
}
