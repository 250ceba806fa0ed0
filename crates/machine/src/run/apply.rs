//! Applications of unknown values: a function, a partial application, or a value that must be evaluated
//! first.

use super::Flow;
use crate::compile::InstanceId;
use crate::compile::trace::Class;
use crate::heap::Kind;
use crate::machine::{End, Machine};
use crate::recorder::Recorder;
use crate::stack::{Control, Frame};
use crate::trace::{Context, tag};
use crate::word::{Seen, Word};
use gadfly_trail::model::{RawRef, ShapeId, What};

impl<R: Recorder<TAG>, const TAG: usize> Machine<'_, R, TAG> {
    /// Applies a value to the arguments in [`Machine::arguments`].
    pub(super) fn apply(&mut self, mut function: Word) -> Result<Flow, Box<End>> {
        if R::TRAILS {
            return self.apply_recorded(function);
        }
        loop {
            match function.see() {
                Seen::Function(instance) => {
                    let arity = self.compiler.code.entries[instance as usize].arity as usize;
                    let count = self.argument_count;
                    if count < arity {
                        let object = self.heap.new_object(Kind::Partial, instance, count.max(1), tag(0));
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
                        let new = self.heap.new_object(Kind::Partial, instance, has + count, tag(0));
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

    /// The same in a recorded run: the application of a function that has a node, and of a recorded function, is
    /// recorded, also when trusted code makes it.
    fn apply_recorded(&mut self, function: Word) -> Result<Flow, Box<End>> {
        let function = self.heap.follow(function);
        let (instance, object, has) = match function.see() {
            Seen::Function(instance) => (instance, None, 0),
            Seen::Value(object) if self.heap.kind(object) == Kind::Partial => {
                (self.heap.info(object), Some(object), self.heap.length(object))
            }
            Seen::Object(_) => {
                self.leave_arguments(0);
                return Ok(Flow::Enter(function));
            }
            _ => return self.defect("something that is no function was applied"),
        };
        let entry = self.compiler.code.entries[instance as usize];
        let (arity, class) = (entry.arity as usize, entry.class);
        let count = self.argument_count;
        let is_node = object.is_some_and(|object| self.heap.first_tag(object) != 0);
        let context = self.applying;
        let mut node = self.application;
        if has + count < arity {
            if node == Context::NOBODY && is_node {
                node = self.application_row(function, count);
            }
            let written = if node == Context::NOBODY { 0 } else { RawRef::node(node.node()).0 };
            let new = self.heap.new_object(Kind::Partial, instance, has + count, tag(written));
            for row in 0..has {
                let argument = object.map_or(Word::char(0), |object| self.heap.get(object, row));
                self.heap.init(new, row, argument);
            }
            for row in 0..count {
                self.heap.init(new, has + row, Word::from_raw(self.arguments[row]));
            }
            return Ok(Flow::Value(Word::value(new)));
        }
        let take = arity - has;
        if count > take {
            // The function takes some arguments; its result is applied to the others.
            let whole = node;
            node = Context::NOBODY;
            self.application = Context::NOBODY;
            if whole != Context::NOBODY {
                node = self.application_row(function, take);
                let parent = context.node();
                let mut references = vec![RawRef::node(node.node())];
                for row in take..count {
                    references.push(self.reference(Word::from_raw(self.arguments[row]), parent));
                }
                let shape = self.shape(What::Apply, context.position(), references.len(), false);
                let rest = self.node_as(shape, parent, &references);
                let became = ShapeId(self.update_shape);
                self.tell_as(became, whole.node(), &[RawRef::node(rest)]);
                self.application = Context::of(rest);
            }
            self.leave_arguments(take);
        }
        if node == Context::NOBODY && is_node {
            node = self.application_row(function, take);
        }
        let given = match class {
            Class::Recorded if node != Context::NOBODY => node,
            Class::Recorded => {
                let mut passed: Vec<Word> = Vec::with_capacity(arity);
                passed.extend((0..has).filter_map(|row| object.map(|object| self.heap.get(object, row))));
                passed.extend((0..take).map(|row| Word::from_raw(self.arguments[row])));
                let mut references = Vec::with_capacity(arity);
                for word in self.all_parameters(InstanceId(instance), &passed) {
                    references.push(match word {
                        Some(word) => self.reference(word, context.node()),
                        None => RawRef::UNKNOWN,
                    });
                }
                let function = self.compiler.instances[instance as usize].function;
                self.call_from_trusted(function, context, &references)
            }
            Class::Trusted | Class::Inside if node == Context::NOBODY => context,
            // What it calls back belongs to this application: whose child that is depends on the view.
            Class::Trusted | Class::Inside => {
                self.await_reduct(node, self.update_shape);
                node.at(context.position().0)
            }
        };
        self.stack[self.base] = given.0;
        for row in 0..has {
            let argument = object.map_or(Word::char(0), |object| self.heap.get(object, row));
            self.stack[self.base + 1 + row] = argument.raw();
        }
        for row in 0..take {
            self.stack[self.base + 1 + has + row] = self.arguments[row];
        }
        Ok(Flow::Call(instance, arity + 1, false))
    }

    /// A row for the application of a function to the first `count` arguments; its context.
    fn application_row(&mut self, function: Word, count: usize) -> Context {
        let context = self.applying;
        let parent = context.node();
        let mut references = std::mem::take(&mut self.references);
        references.clear();
        references.push(self.reference(function, parent));
        for row in 0..count {
            references.push(self.reference(Word::from_raw(self.arguments[row]), parent));
        }
        let shape = self.shape(What::Apply, context.position(), references.len(), false);
        let node = self.node_as(shape, parent, &references);
        self.references = references;
        Context::of(node)
    }

    /// A frame that waits for what a redex becomes. If one waits already, its redex became this one.
    pub(super) fn await_reduct(&mut self, redex: Context, shape: u32) {
        let control = Control(self.stack[self.base - 1]);
        if control.is(Frame::Reduct) {
            let waiting = Context(self.stack[self.base - 2]);
            self.tell_as(ShapeId(control.place()), waiting.node(), &[RawRef::node(redex.node())]);
            self.stack[self.base - 2] = redex.0;
            self.stack[self.base - 1] = Control::new(Frame::Reduct, 1, shape).0;
        } else {
            self.push(Frame::Reduct, &[redex.word()], shape);
        }
    }

    /// Leaves the arguments from `first` on for the result of the call.
    pub(super) fn leave_arguments(&mut self, first: usize) {
        let count = self.argument_count;
        if count > first {
            let base = self.base;
            for row in first..count {
                self.stack[base + row - first] = self.arguments[row];
            }
            let mut size = count - first;
            if R::TRAILS {
                self.stack[base + size] = self.applying.0;
                self.stack[base + size + 1] = self.application.0;
                size += 2;
            }
            self.stack[base + size] = Control::new(Frame::Apply, size, 0).0;
            self.base = base + size + 1;
        }
    }
}
