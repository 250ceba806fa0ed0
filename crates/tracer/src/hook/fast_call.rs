//! Calls of which everything is seen at once, as it is of most: a function that captures nothing and changes no variable of its
//! module, with a few arguments that are numbers, known strings and the like.
//!
//! What is done here is done at every call, so that every instruction counts: references are written straight into the chunk, and
//! nothing is looked for twice. At the first argument or result that takes more, [`Recorder`] goes on.

use crate::codes::Code;
use crate::hook::frames::{OpenFrame, PLACES, Places, SmallIntegers};
use crate::object::{Look, Object};
use crate::recorder::{HowItEnded, Recorder};
use crate::threads::{Open, Thread};
use gadfly_trail::model::RawRef;

/// Calls of no more arguments are written at once.
pub(crate) const ARGUMENTS_OF_FAST_CALL: usize = 6;
/// Words of a row before its references.
const HEAD: usize = 2;

/// Where things are in frames. Where that is not known, none is evaluated.
pub(crate) const FRAME: Places = match PLACES {
    Some(places) => places,
    None => Places::NOWHERE,
};

impl Recorder {
    /// A call begins of code that [is quick](Code::is_quick).
    ///
    /// # Safety
    /// The thread and the code are the recorder's, and nobody else has a reference to them; here and below.
    #[inline(always)]
    pub(crate) unsafe fn enter_quickly(
        &mut self,
        look: &Look,
        thread: *mut Thread,
        code: *mut Code,
        frame: OpenFrame,
    ) {
        // SAFETY: the thread and the code are alive and nobody else's, as the caller says. There is room for the row, of which all words
        // are written before it is kept. There is room for one more open call, too.
        unsafe {
            // Else the code would not be quick.
            let integers = Some(SmallIntegers::known());
            let row = self.values.stream.room(HEAD + ARGUMENTS_OF_FAST_CALL);
            let count = (*code).arguments;
            for at in 0..count {
                let Some(reference) = self.values.quick(frame.at(look, &FRAME, at), integers) else {
                    return self.enter_looking(look, thread, code, frame, row.add(HEAD), at);
                };
                *row.add(HEAD + at) = reference.0;
            }
            let (budget, watched) = ((*code).budget, (*thread).watched.len() as u32);
            (*code).budget = (budget + self.budgets.per_call).min(self.budgets.whole);
            *row = u64::from((*code).shape.0) | (count as u64) << 32;
            *row.add(1) = (*thread).top().0;
            let stream = &mut self.values.stream;
            stream.keep(HEAD + count);
            let (node, number) = (stream.number(), (*code).number);
            let open = Open { node, code: number, budget, watched, frame, told: false, inside: None };
            let all = &mut (*thread).open;
            if all.len() == all.capacity() {
                all.reserve(1);
            }
            // What `push` would do, which is not always inlined.
            all.as_mut_ptr().add(all.len()).write(open);
            all.set_len(all.len() + 1);
        }
    }

    /// Only the first arguments were seen at once, whose references are given.
    #[inline(never)]
    unsafe fn enter_looking(
        &mut self,
        look: &Look,
        thread: *mut Thread,
        code: *mut Code,
        frame: OpenFrame,
        first: *const u64,
        seen: usize,
    ) {
        // SAFETY: as above; so many references were written.
        unsafe {
            let (values, code, thread) = (&mut self.values, &mut *code, &mut *thread);
            let integers = Some(SmallIntegers::known());
            let mut row = [RawRef::UNKNOWN; ARGUMENTS_OF_FAST_CALL];
            for (at, reference) in row[..seen].iter_mut().enumerate() {
                *reference = RawRef(*first.add(at));
            }
            let (budget, limits, watched) =
                (code.budget, self.budgets.limits(code.budget), thread.watched.len() as u32);
            values.parent = thread.top();
            for (at, reference) in row[..code.arguments].iter_mut().enumerate().skip(seen) {
                let object = frame.at(look, &FRAME, at);
                let quick = if at > seen { values.quick(object, integers) } else { None };
                *reference = match (quick, object) {
                    (None, Some(object)) => thread.see_argument(values, at, object, limits, code),
                    (quick, _) => quick.unwrap_or(RawRef::UNKNOWN),
                };
            }
            let spent = std::mem::take(&mut values.spent);
            code.budget = (budget + self.budgets.per_call - spent as i32).min(self.budgets.whole);
            let (node, number) =
                (values.stream.small_node(code.shape, values.parent, &row, code.arguments), code.number);
            thread.open.push(Open { node, code: number, budget, watched, frame, told: false, inside: None });
        }
    }

    /// Such a call gives its result.
    #[inline(always)]
    pub(crate) unsafe fn returned_quickly(
        &mut self,
        look: &Look,
        thread: *mut Thread,
        result: Option<Object<'_>>,
    ) {
        // SAFETY: as above. The last open call is there, and has nothing that would have to be dropped.
        unsafe {
            let integers = Some(SmallIntegers::known());
            let open = &mut (*thread).open;
            if let Some(last) = open.last()
                && last.watched as usize == (*thread).watched.len()
                && let Some(reference) = self.values.quick(result, integers)
            {
                let row = self.values.stream.room(HEAD + 1);
                *row = u64::from(self.outcomes.became.0) | 1 << 32;
                *row.add(1) = last.node.0;
                *row.add(2) = reference.0;
                self.values.stream.keep(HEAD + 1);
                // There is nothing inside of it that would have to be let go.
                open.set_len(open.len() - 1);
                return;
            }
            self.returned(look, (*thread).at, result);
        }
    }

    /// The call that was begun last has given its result.
    #[inline(never)]
    pub(crate) fn returned(&mut self, look: &Look, thread: usize, result: Option<Object<'_>>) {
        let Thread { open, watched, .. } = &mut *self.threads[thread];
        if let Some(last) = open.last()
            && last.inside.is_none()
            && last.watched as usize == watched.len()
            && let Some(reference) = self.values.quick_or_flat(result, last.node)
        {
            // There is nothing else to be looked at.
            self.values.stream.tell(self.outcomes.became, last.node, &[reference]);
            open.pop();
            return;
        }
        self.leave(look, thread, result, [None; 2], HowItEnded::Returned);
    }
}
