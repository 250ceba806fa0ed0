//! Actions: executes them, passes their results to the waiting frames, and raises exceptions.

use super::Flow;
use crate::compile::RAISE;
use crate::heap::Kind;
use crate::machine::{End, Machine};
use crate::primitives::{Control as Steering, What as Does};
use crate::recorder::Recorder;
use crate::stack::{Control, Frame};
use crate::trace::Context;
use crate::word::Word;
use gadfly_trail::model::{NodeId, Position, RawRef, What};

impl<R: Recorder<TAG>, const TAG: usize> Machine<'_, R, TAG> {
    /// Passes the result of an action to the frame that waits for it.
    pub(super) fn result(&mut self, value: Word, control: Control) -> Flow {
        let start = self.base - 1 - control.size();
        match control.frame() {
            Frame::Bind => {
                let function = Word::from_raw(self.stack[start]);
                if R::TRAILS {
                    self.applying = Context(self.stack[start + 1]);
                    self.application = Context::NOBODY;
                }
                self.base = start;
                self.push(Frame::Execute, &[], 0);
                self.arguments[0] = value.raw();
                self.argument_count = 1;
                Flow::Apply(function)
            }
            Frame::Catch => {
                self.base = start;
                Flow::Result(value)
            }
            Frame::Result => {
                self.base = start;
                Flow::Enter(value)
            }
            Frame::Performed => {
                let action = Context(self.stack[start]).node();
                self.base = start;
                let began = RawRef(self.stack[start + 1]);
                let reference = self.reference(value, action);
                self.tell_wrote();
                let ended = self.moment();
                let references = [reference, began, ended];
                let known = if self.has_stored { 3 } else { 1 };
                self.tell(What::Performed, Position::NONE, action, &references[..known]);
                Flow::Result(value)
            }
            _ => Flow::Value(value),
        }
    }

    /// Does an action.
    pub(super) fn execute_action(&mut self, action: Word) -> Result<Flow, Box<End>> {
        let Some(object) = action.index().filter(|&object| self.heap.kind(object) == Kind::Action) else {
            return self.defect("something that is no action was executed");
        };
        let number = self.heap.info(object) as usize;
        let Some(primitive) = self.compiler.primitives[number] else {
            return self.defect("an action without a primitive was executed");
        };
        // In a recorded run the last word is the context in which the action was made.
        let made_for = match R::TRAILS {
            true => Context(self.heap.get(object, self.heap.length(object) - 1).raw()),
            false => Context::NOBODY,
        };
        if R::TRAILS {
            self.performing(object);
        }
        match primitive.what {
            Does::Control(Steering::Return) => Ok(Flow::Result(self.heap.get(object, 0))),
            Does::Control(Steering::Bind) => {
                let (first, then) = (self.heap.get(object, 0), self.heap.get(object, 1));
                self.push(Frame::Bind, &[then, made_for.word()][..1 + usize::from(R::TRAILS)], 0);
                self.push(Frame::Execute, &[], 0);
                Ok(Flow::Enter(first))
            }
            Does::Control(Steering::Catch) => {
                let (first, handler) = (self.heap.get(object, 0), self.heap.get(object, 1));
                self.push(Frame::Catch, &[handler, made_for.word()][..1 + usize::from(R::TRAILS)], 0);
                self.push(Frame::Execute, &[], 0);
                Ok(Flow::Enter(first))
            }
            Does::Action(act) | Does::Store(act) | Does::Make(act) => {
                let count = usize::from(primitive.arity);
                let mut arguments = [Word::char(0); 8];
                for (row, place) in arguments.iter_mut().enumerate().take(count) {
                    let mut argument = self.heap.get(object, row);
                    if primitive.lazy >> row & 1 == 0 {
                        argument = self.heap.follow(argument);
                        if !argument.is_evaluated() {
                            self.push(Frame::Arguments, &[action], 0);
                            return Ok(Flow::Enter(argument));
                        }
                    }
                    *place = argument;
                }
                let before = self.world.written();
                let done = act(&mut self.context(), &arguments[..count.min(8)]);
                if R::TRAILS {
                    self.tell_written(before, made_for);
                    match (primitive.what, &done) {
                        (Does::Store(_), Ok(_)) => self.tell_stored(&arguments[..count.min(8)], made_for),
                        (Does::Make(_), Ok(made)) => self.remember_made(*made),
                        _ => {}
                    }
                }
                match done {
                    Ok(value) => Ok(Flow::Result(value)),
                    Err(stop) => self.stop(stop),
                }
            }
            _ => self.defect("a primitive that is no action was executed"),
        }
    }

    /// An action that has a node is performed: a frame waits for its result. If one waits already, its action went on
    /// with this one.
    fn performing(&mut self, object: u32) {
        let tag = self.heap.first_tag(object);
        if tag == 0 {
            return;
        }
        let node = NodeId(tag >> 3);
        let control = Control(self.stack[self.base - 1]);
        if control.is(Frame::Performed) {
            let before = Context(self.stack[self.base - 3]).node();
            if before != node {
                let began = RawRef(self.stack[self.base - 2]);
                let begins = self.moment();
                let known = if self.has_stored { 3 } else { 1 };
                let references = [RawRef::node(node), began, begins];
                self.tell(What::Continued, Position::NONE, before, &references[..known]);
                self.stack[self.base - 3] = Context::of(node).0;
                self.stack[self.base - 2] = begins.0;
            }
        } else {
            let begins = Word::from_raw(self.moment().0);
            self.push(Frame::Performed, &[Context::of(node).word(), begins], 0);
        }
    }

    /// Records the redex for which output was written to standard output.
    fn tell_written(&mut self, before: u64, made_for: Context) {
        let written = self.world.written();
        if written == before {
            return;
        }
        // Pieces for the same redex make one row, up to a size.
        let text = self.world.take_echo();
        match &mut self.wrote {
            Some((context, _, kept)) if *context == made_for && kept.len() < 1 << 10 => kept.extend(text),
            _ => {
                self.tell_wrote();
                self.wrote = Some((made_for, before, text));
            }
        }
    }

    /// Raises an exception: the nearest handler continues, and the thunks under evaluation will raise it
    /// again.
    pub(super) fn raise(&mut self, exception: Word) -> Result<Flow, Box<End>> {
        let mut at = self.base;
        if self.raised != exception || self.raised_from.is_empty() {
            self.raised = exception;
            self.raised_from = self.calls(self.pc, self.base);
        }
        loop {
            let control = Control(self.stack[at - 1]);
            match control.frame() {
                Frame::Catch => break,
                Frame::Bottom => {
                    if R::TRAILS {
                        self.tell_ended(at, Some(exception));
                    }
                    let calls = std::mem::take(&mut self.raised_from);
                    // The frames above the handler are dropped first; the stack may be full of them.
                    self.base = at;
                    return Err(Box::new(self.uncaught(exception, calls)));
                }
                _ => at -= 1 + control.size(),
            }
        }
        if R::TRAILS {
            self.tell_ended(at, Some(exception));
        }
        while self.base > at {
            let control = Control(self.stack[self.base - 1]);
            if control.is(Frame::Update) {
                let thunk = Word::from_raw(self.stack[self.base - 2]).place() as u32;
                self.heap.become_thunk(thunk, RAISE, exception);
            }
            self.base -= 1 + control.size();
        }
        self.base -= 1 + Control(self.stack[self.base - 1]).size();
        let handler = Word::from_raw(self.stack[self.base]);
        if R::TRAILS {
            self.applying = Context(self.stack[self.base + 1]);
            self.application = Context::NOBODY;
        }
        self.push(Frame::Execute, &[], 0);
        self.arguments[0] = exception.raw();
        self.argument_count = 1;
        Ok(Flow::Apply(handler))
    }
}
