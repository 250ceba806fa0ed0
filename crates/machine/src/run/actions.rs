//! Actions: executing one, giving its result to what waits for it, and raising what a handler may catch.

use super::Flow;
use crate::compile::RAISE;
use crate::heap::Kind;
use crate::machine::{End, Machine};
use crate::primitives::{Control as Steering, What};
use crate::recorder::Recorder;
use crate::stack::{Control, Frame};
use crate::word::Word;

impl<R: Recorder<TAG>, const TAG: usize> Machine<'_, R, TAG> {
    /// Gives the result of an action to the frame that waits for it.
    pub(super) fn result(&mut self, value: Word, control: Control) -> Flow {
        let start = self.base - 1 - control.size();
        match control.frame() {
            Frame::Bind => {
                let function = Word::from_raw(self.stack[start]);
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
        match primitive.what {
            What::Control(Steering::Return) => Ok(Flow::Result(self.heap.get(object, 0))),
            What::Control(Steering::Bind) => {
                let (first, then) = (self.heap.get(object, 0), self.heap.get(object, 1));
                self.push(Frame::Bind, &[then], 0);
                self.push(Frame::Execute, &[], 0);
                Ok(Flow::Enter(first))
            }
            What::Control(Steering::Catch) => {
                let (first, handler) = (self.heap.get(object, 0), self.heap.get(object, 1));
                self.push(Frame::Catch, &[handler], 0);
                self.push(Frame::Execute, &[], 0);
                Ok(Flow::Enter(first))
            }
            What::Action(act) => {
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
                match act(&mut self.context(0), &arguments[..count.min(8)]) {
                    Ok(value) => Ok(Flow::Result(value)),
                    Err(stop) => self.stop(stop),
                }
            }
            _ => self.defect("a primitive that is no action was executed"),
        }
    }

    /// Raises an exception: the nearest handler goes on, and what was being evaluated raises it again.
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
                    let calls = std::mem::take(&mut self.raised_from);
                    // What waited does not matter any more; the stack may be full of it.
                    self.base = at;
                    return Err(Box::new(self.uncaught(exception, calls)));
                }
                _ => at -= 1 + control.size(),
            }
        }
        while self.base > at {
            let control = Control(self.stack[self.base - 1]);
            if control.is(Frame::Update) {
                let thunk = Word::from_raw(self.stack[self.base - 2]).place() as u32;
                self.heap.become_thunk(thunk, RAISE, exception);
            }
            self.base -= 1 + control.size();
        }
        let handler = Word::from_raw(self.stack[self.base - 2]);
        self.base -= 2;
        self.push(Frame::Execute, &[], 0);
        self.arguments[0] = exception.raw();
        self.argument_count = 1;
        Ok(Flow::Apply(handler))
    }
}
