//! Applying something that is not known before: a function, one with some of its arguments, or what has to be evaluated first.

use super::Flow;
use crate::heap::Kind;
use crate::machine::{End, Machine};
use crate::recorder::Recorder;
use crate::stack::{Control, Frame};
use crate::word::{Seen, Word};

impl<R: Recorder<TAG>, const TAG: usize> Machine<'_, R, TAG> {
    /// Applies something to the arguments in [`Machine::arguments`].
    pub(super) fn apply(&mut self, mut function: Word) -> Result<Flow, Box<End>> {
        loop {
            match function.see() {
                Seen::Function(instance) => {
                    let arity = self.compiler.code.entries[instance as usize].arity as usize;
                    let count = self.argument_count;
                    if count < arity {
                        let tag = self.recorder.allocate(Kind::Partial, self.pc as u32);
                        let object = self.heap.new_object(Kind::Partial, instance, count.max(1), tag);
                        for row in 0..count {
                            self.heap.init(object, row, Word::from_raw(self.arguments[row]));
                        }
                        return Ok(Flow::Value(Word::value(object)));
                    }
                    self.leave_arguments(arity);
                    for row in 0..arity {
                        self.stack[self.base + row] = self.arguments[row];
                    }
                    return Ok(Flow::Call(instance, arity, false));
                }
                Seen::Value(object) if self.heap.kind(object) == Kind::Partial => {
                    let instance = self.heap.info(object);
                    let has = self.heap.length(object);
                    let arity = self.compiler.code.entries[instance as usize].arity as usize;
                    let count = self.argument_count;
                    if has + count < arity {
                        let tag = self.recorder.allocate(Kind::Partial, self.pc as u32);
                        let new = self.heap.new_object(Kind::Partial, instance, has + count, tag);
                        for row in 0..has {
                            self.heap.init(new, row, self.heap.get(object, row));
                        }
                        for row in 0..count {
                            self.heap.init(new, has + row, Word::from_raw(self.arguments[row]));
                        }
                        return Ok(Flow::Value(Word::value(new)));
                    }
                    self.leave_arguments(arity - has);
                    for row in 0..has {
                        self.stack[self.base + row] = self.heap.get(object, row).raw();
                    }
                    for row in has..arity {
                        self.stack[self.base + row] = self.arguments[row - has];
                    }
                    return Ok(Flow::Call(instance, arity, false));
                }
                Seen::Object(object) if matches!(self.heap.kind(object), Kind::Indirection | Kind::Bound) => {
                    function = self.heap.get(object, 0);
                }
                Seen::Object(_) => {
                    self.leave_arguments(0);
                    return Ok(Flow::Enter(function));
                }
                _ => return self.defect("something that is no function was applied"),
            }
        }
    }

    /// Leaves the arguments from `first` on for the result of what is called.
    pub(super) fn leave_arguments(&mut self, first: usize) {
        let count = self.argument_count;
        if count > first {
            let base = self.base;
            for row in first..count {
                self.stack[base + row - first] = self.arguments[row];
            }
            self.stack[base + count - first] = Control::new(Frame::Apply, count - first, 0).0;
            self.base = base + count - first + 1;
        }
    }
}
