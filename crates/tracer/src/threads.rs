//! The calls that are open: in each thread of the program, and in each greenlet of a thread that has such.

use crate::codes::{Code, Resumes};
use crate::hook::frames::OpenFrame;
use crate::hook::greenlets::Running;
use crate::inside::Inside;
use crate::object::{Look, Object, Owned};
use crate::recorder::Recorder;
use crate::values::{Limits, Values};
use crate::watched::{Changing, Watched};
use gadfly_trail::model::{NodeId, Position, RawRef, Shape, ShapeId, What};

/// A call that is open.
pub(crate) struct Open {
    pub(crate) node: NodeId,
    pub(crate) code: u32,
    /// How much of values might be kept when it began.
    pub(crate) budget: i32,
    /// How many things were watched before.
    pub(crate) watched: u32,
    /// It is being evaluated as long as the call is open, or waits.
    pub(crate) frame: OpenFrame,
    /// Whether events of the interpreter say when it ends, rather than whoever evaluates its frame.
    #[cfg_attr(not(Py_3_12), allow(dead_code, reason = "only events ask"))]
    pub(crate) told: bool,
    pub(crate) inside: Option<Box<Inside>>,
}

/// The calls of one thread, or of one greenlet.
#[derive(Default)]
pub(crate) struct Thread {
    /// The interpreter's, by its place, where there may be another one later, and by its number, which no other one ever has.
    pub(crate) state: usize,
    number: i64,
    /// The greenlet, by its place: as long as it has open calls it is alive, since its death ends them through us. 0 for a thread's own.
    greenlet: usize,
    /// Its index in [`Recorder::threads`].
    pub(crate) at: usize,
    root: NodeId,
    /// Whether its root is to be made when something is recorded in it: a thread of the library's may do nothing that is.
    is_new: bool,
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
    pub(crate) fn inside(&mut self) -> Option<(NodeId, OpenFrame, &mut Inside)> {
        let open = self.open.last_mut()?;
        Some((open.node, open.frame, open.inside.as_deref_mut()?))
    }

    /// An argument that is not seen at once; it is watched if it may change.
    #[inline(never)]
    pub(crate) fn see_argument(
        &mut self,
        values: &mut Values,
        at: usize,
        object: Object<'_>,
        limits: Limits,
        code: &Code,
    ) -> RawRef {
        if let Some(text) = object.text() {
            // It stays what it is, so that nobody compares what is not kept.
            return values.string(text).reference;
        }
        let value = values.value_of_parts(object, limits);
        // Before 3.11 what a generator is given is its frame's alone.
        let is_kept = cfg!(Py_3_11) || code.resumes == Resumes::No;
        let what = match value.mutable && is_kept {
            true if code.named == Some(at) => Changing::named(object),
            true => Some(Changing::Inside(Owned::of(object))),
            false => None,
        };
        let watched = what.map(|what| Watched { which: at as i64, what, before: value, limits });
        self.watched.extend(watched);
        value.reference
    }
}

impl Thread {
    /// All its calls are over, and nobody will say how.
    fn end(&mut self, values: &mut Values, unfinished: ShapeId) {
        for open in self.open.drain(..).rev() {
            values.stream.tell(unfinished, open.node, &[]);
            if let Some(inside) = open.inside {
                inside.let_go(values);
            }
        }
        for watched in self.watched.drain(..) {
            watched.what.release_to(&mut values.released);
        }
    }
}

/// Threads that are over are forgotten when there are so many.
const FORGOTTEN: usize = 64;

impl Recorder {
    /// The thread that runs, or the greenlet in it.
    #[inline]
    pub(crate) fn thread(&mut self, running: Running) -> usize {
        match self.threads.get(self.running) {
            // Where nothing is open, another thread may be in the place of one that is over.
            Some(thread)
                if thread.state == running.place()
                    && thread.greenlet == running.greenlet
                    && (thread.depth > 0 || !thread.open.is_empty()) =>
            {
                self.running
            }
            _ => self.switch(running),
        }
    }

    /// Another thread runs than before.
    #[cold]
    fn switch(&mut self, running: Running) -> usize {
        let (state, number, greenlet) = (running.place(), running.number(), running.greenlet);
        for thread in
            self.threads.iter_mut().filter(|thread| thread.state == state && thread.number != number)
        {
            // It is over, and another one is where it was.
            thread.state = 0;
        }
        let find = |greenlet| {
            self.threads.iter().position(|thread| thread.state == state && thread.greenlet == greenlet)
        };
        let known = find(greenlet);
        let is_new = known.is_none_or(|at| self.threads[at].open.is_empty() && self.threads[at].depth == 0);
        // What a greenlet calls first is called by what its parent stands at.
        let starts_it = match greenlet != 0 && is_new {
            true => find(running.parent()).map(|at| self.threads[at].top()),
            false => None,
        };
        self.running = match known {
            Some(known) => {
                let thread = &mut self.threads[known];
                // Another greenlet may be where one was.
                thread.root = starts_it.unwrap_or(thread.root);
                known
            }
            None => {
                self.end_dead_threads(&running.threads());
                let (root, is_new) = match (greenlet, starts_it) {
                    (1.., Some(node)) => (node, false),
                    _ => (NodeId::NONE, !self.threads.is_empty()),
                };
                // A greenlet uses the stack of its thread.
                let floor = crate::hook::native_stack::floor();
                let new = Thread { state, number, greenlet, root, is_new, floor, ..Thread::default() };
                self.place_for(new)
            }
        };
        // Whoever is quick does not ask whether a thread is new.
        self.now = match self.threads[self.running].is_new {
            true => std::ptr::null_mut(),
            false => &raw mut *self.threads[self.running],
        };
        self.running
    }

    /// Something is about to be recorded in a thread: it has a node from now on.
    #[inline]
    pub(crate) fn begin_thread(&mut self, thread: usize) {
        if self.threads[thread].is_new {
            self.give_root(thread);
        }
    }

    #[cold]
    fn give_root(&mut self, thread: usize) {
        let first = self.threads.first().and_then(|first| first.open.first());
        let root = self.thread_node(first.map_or(NodeId::NONE, |open| open.node));
        let thread = &mut self.threads[thread];
        (thread.root, thread.is_new) = (root, false);
        if thread.at == self.running {
            self.now = &raw mut **thread;
        }
    }

    /// Ends the calls of threads that are no more: greenlets that such a thread leaves behind never go on.
    fn end_dead_threads(&mut self, alive: &[(usize, i64)]) {
        for thread in &mut self.threads {
            if thread.state == 0 || !alive.contains(&(thread.state, thread.number)) {
                thread.end(&mut self.values, self.outcomes.unfinished);
                (thread.state, thread.depth) = (0, 0);
            }
        }
    }

    /// Where the calls of a thread are kept: where those of another one were that is over, if there are many.
    fn place_for(&mut self, new: Thread) -> usize {
        let is_over = |thread: &Thread| {
            (thread.state == 0 || thread.greenlet != 0) && thread.open.is_empty() && thread.depth == 0
        };
        let free = match self.threads.len() > FORGOTTEN {
            true => self.threads.iter().skip(1).position(|thread| is_over(thread)).map(|at| at + 1),
            false => None,
        };
        let at = free.unwrap_or(self.threads.len());
        let new = Box::new(Thread { at, ..new });
        match free {
            Some(_) => self.threads[at] = new,
            None => self.threads.push(new),
        }
        at
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
        let nothing = self.values.word(crate::values::constructors::Word::None);
        self.values.stream.tell(self.outcomes.became, node, &[nothing.reference]);
        node
    }

    /// Whether the call that was begun last is the one of a frame whose end is told by events. Calls above it whose ends nobody told
    /// are given up.
    #[cfg(Py_3_12)]
    pub(crate) fn is_told(&mut self, thread: usize, frame: crate::hook::frames::Frame) -> bool {
        let open = &self.threads[thread].open;
        let told = open.iter().rev().take_while(|open| open.told);
        let Some(above) = told.map(|open| open.frame.frame()).position(|opened| opened == frame) else {
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
            watched.what.release_to(&mut self.values.released);
        }
        self.values.stream.tell(self.outcomes.unfinished, open.node, &[]);
    }

    /// What an open call gives back when the recording ends.
    pub(crate) fn end_threads(&mut self, _look: &Look) {
        for thread in &mut self.threads {
            thread.end(&mut self.values, self.outcomes.unfinished);
        }
    }
}
