//! Choices, and taking them back.
//!
//! The design of non-determinism, made before the fast path is built around it:
//!
//! - A *choice* remembers its other alternatives, and continues with the first. When that fails (or the
//!   caller wants another result), every change since is undone and the next alternative is tried: depth
//!   first. Breadth-first and fair search replay the recorded decisions of a branch.
//! - **The heap.** An update of a thunk or a binding of a logical variable is written to the *trail* if the object is
//!   older than the newest choice, as in Prolog machines. Without a choice nothing is written, so purely functional
//!   code pays one test an update. An object that has survived a collection counts as older: that logs too
//!   much, never too little. A thunk that is entered while a choice is open keeps its variables
//!   ([`Kind::Entered`]), because it may have to be evaluated again; and once it has a value
//!   ([`Kind::Bound`]) the collector must not skip it, because an alternative that is still open holds the
//!   same object and must see it without that value.
//! - **Sharing.** A variable bound to a choice is a thunk that is updated with the chosen alternative, so that every
//!   use sees the same one (call-time choice), and the update is taken back with the choice.
//! - **The stack.** The rest of the computation is the stack. It is not copied when a choice is made: the
//!   choice keeps frames that are popped below its height ([`Stack`]) and puts them back. A choice deep in a
//!   computation costs the frames popped after it, not the depth.
//! - **Waiting.** A rigid case on a logical variable without a value takes the frames up to the nearest `&` off the stack
//!   and leaves them with the conjunction, which does its other part first; then the frames are put back and
//!   the case tries again. If no other part is left, the computation flounders, and the run reports it.

use crate::heap::{Heap, Kind};
use crate::word::Word;

/// What an object was before it was changed.
#[derive(Clone, Copy, Debug)]
struct Entry {
    object: Word,
    before: (Kind, Word),
}

#[derive(Debug)]
struct Choice<A> {
    alternative: A,
    /// The trail's length when the choice was made.
    trail: usize,
    /// Objects from here on are newer.
    mark: u32,
}

/// The open choices. `A` says how to continue with the remaining alternatives.
#[derive(Debug)]
pub struct Search<A> {
    choices: Vec<Choice<A>>,
    trail: Vec<Entry>,
}

impl<A> Default for Search<A> {
    fn default() -> Self {
        Search { choices: Vec::new(), trail: Vec::new() }
    }
}

impl<A> Search<A> {
    /// Whether no choice is open.
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// How many changes are written down.
    pub fn trail_length(&self) -> usize {
        self.trail.len()
    }

    /// Makes a choice: the computation continues with its first alternative; `alternative` describes the
    /// others.
    pub fn choose<const TAG: usize>(&mut self, heap: &Heap<TAG>, alternative: A) {
        self.choices.push(Choice { alternative, trail: self.trail.len(), mark: heap.mark() });
    }

    /// Whether a change of an object may have to be taken back.
    fn is_at_stake<const TAG: usize>(&self, heap: &Heap<TAG>, object: u32) -> bool {
        self.choices.last().is_some_and(|choice| heap.is_older(object, choice.mark))
    }

    fn write_down<const TAG: usize>(&mut self, heap: &Heap<TAG>, object: u32) {
        self.trail.push(Entry { object: Word::object(object), before: heap.copy_of(object) });
    }

    /// Enters a thunk.
    pub fn enter<const TAG: usize>(&mut self, heap: &mut Heap<TAG>, thunk: u32) {
        // What is newer than every choice is gone when a choice is taken back.
        if self.is_at_stake(heap, thunk) {
            self.write_down(heap, thunk);
            heap.enter_again(thunk);
        } else {
            heap.enter(thunk);
        }
    }

    /// Gives a thunk or a logical variable its value.
    pub fn update<const TAG: usize>(&mut self, heap: &mut Heap<TAG>, object: u32, value: Word) {
        if self.is_at_stake(heap, object) {
            self.write_down(heap, object);
            heap.bind(object, value);
        } else {
            heap.update(object, value);
        }
    }

    /// Undoes every change since the newest choice, and closes it; returns how to continue.
    pub fn back<const TAG: usize>(&mut self, heap: &mut Heap<TAG>) -> Option<A> {
        let choice = self.choices.pop()?;
        for entry in self.trail.drain(choice.trail..).rev() {
            if let Some(object) = entry.object.index() {
                heap.put_back(object, entry.before);
            }
        }
        Some(choice.alternative)
    }

    /// Shows the collector all words that may be put back, and the alternatives; after a collection the marks
    /// are invalid, and every object counts as older.
    pub fn each_root(
        &mut self,
        see: &mut dyn FnMut(&mut Word),
        mut each_of: impl FnMut(&mut A, &mut dyn FnMut(&mut Word)),
    ) {
        for entry in &mut self.trail {
            see(&mut entry.object);
            see(&mut entry.before.1);
        }
        for choice in &mut self.choices {
            choice.mark = 0;
            each_of(&mut choice.alternative, see);
        }
    }
}

/// A stack whose frames come back when a choice is taken back.
#[derive(Debug)]
pub struct Stack<F> {
    frames: Vec<F>,
    guards: Vec<Guard<F>>,
}

#[derive(Debug)]
struct Guard<F> {
    /// The stack is unchanged up to here.
    low: usize,
    /// The frames that were above when the choice was made and have been popped since, the topmost first.
    popped: Vec<F>,
}

impl<F> Default for Stack<F> {
    fn default() -> Self {
        Stack { frames: Vec::new(), guards: Vec::new() }
    }
}

impl<F: Clone> Stack<F> {
    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Adds a frame.
    pub fn push(&mut self, frame: F) {
        self.frames.push(frame);
    }

    /// Takes the topmost frame off.
    pub fn pop(&mut self) -> Option<F> {
        let frame = self.frames.pop()?;
        if let Some(guard) = self.guards.last_mut()
            && self.frames.len() < guard.low
        {
            guard.popped.push(frame.clone());
            guard.low = self.frames.len();
        }
        Some(frame)
    }

    /// The frames, the lowest first.
    pub fn frames(&self) -> &[F] {
        &self.frames
    }

    /// Preserves the current stack for a new choice.
    pub fn guard(&mut self) {
        self.guards.push(Guard { low: self.frames.len(), popped: Vec::new() });
    }

    /// Restores the stack of the newest choice, and closes that choice.
    pub fn back(&mut self) {
        if let Some(guard) = self.guards.pop() {
            self.frames.truncate(guard.low);
            self.frames.extend(guard.popped.into_iter().rev());
        }
    }

    /// Shows all frames, those that were popped and may come back included.
    pub fn each(&mut self, see: &mut dyn FnMut(&mut F)) {
        self.frames.iter_mut().for_each(&mut *see);
        for guard in &mut self.guards {
            guard.popped.iter_mut().for_each(&mut *see);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_choices_bring_their_frames_back() {
        let mut stack = Stack::default();
        for frame in 1..=4 {
            stack.push(frame);
        }
        stack.guard();
        assert_eq!((stack.pop(), stack.pop()), (Some(4), Some(3)));
        stack.push(5);
        stack.guard();
        assert_eq!((stack.pop(), stack.pop()), (Some(5), Some(2)));
        stack.push(6);
        stack.back();
        assert_eq!(stack.frames(), [1, 2, 5]);
        stack.back();
        assert_eq!(stack.frames(), [1, 2, 3, 4]);
    }

    #[test]
    fn nothing_is_written_down_without_a_choice() {
        let mut heap: Heap<0> = Heap::new(1 << 21);
        let mut search: Search<()> = Search::default();
        let old = heap.allocate(Kind::Thunk, 0, 1, []);
        heap.init(old, 0, Word::char(1));
        search.update(&mut heap, old, Word::char(2));
        assert_eq!(search.trail_length(), 0);
        search.choose(&heap, ());
        let new = heap.allocate(Kind::Thunk, 0, 1, []);
        heap.init(new, 0, Word::char(3));
        search.update(&mut heap, new, Word::char(4));
        assert_eq!(search.trail_length(), 0, "it is newer than the choice");
    }
}
