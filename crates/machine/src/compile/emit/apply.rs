//! Applications: of functions, known and unknown, of constructors and of primitives.

use super::{CONTEXT, Emitter, Target};
use crate::code::{Op, Operand};
use crate::compile::arithmetic::{Special, special};
use crate::compile::calls::{Arg, Resolved};
use crate::compile::trace::Class;
use crate::compile::{InstanceId, KnownError};
use crate::primitives::{Control, What};
use gadfly_core::kernel::{Atom, ExprId, PrimId};
use rustc_hash::FxHashSet;

impl<const TAG: usize> Emitter<'_, '_, TAG> {
    /// Ends with an error, under a frame that says where.
    pub(super) fn error(&mut self, expr: ExprId, error: u32) {
        let map = self.compiler.map(&[]);
        self.position(expr);
        self.op(Op::Error, 0, &[error, map, 0]);
    }

    pub(super) fn done(&mut self, to: Target) {
        if let Target::Slot(_, Some(label)) = to {
            self.jump(label);
        }
    }

    /// Moves an evaluated operand to the target.
    pub(super) fn give(&mut self, operand: Operand, to: Target) {
        match to {
            Target::Return => self.return_(operand),
            Target::Slot(slot, _) => {
                if operand != Operand::slot(slot) {
                    self.op(Op::Move, 0, &[slot, operand.0]);
                }
                self.done(to);
            }
        }
    }

    pub(super) fn resolved(&mut self, expr: ExprId, resolved: Resolved, to: Target) {
        self.at = Some(expr);
        match resolved {
            Resolved::Apply(head, arguments) if arguments.is_empty() => self.value(expr, head, to),
            Resolved::Apply(head, arguments) => self.apply(expr, head, &arguments, to),
            Resolved::Call(instance, arguments, rest) => {
                self.then_apply(expr, &rest, to, |emitter, to| emitter.call(expr, instance, &arguments, to));
            }
            Resolved::Primitive(id, arguments, rest) => {
                self.then_apply(expr, &rest, to, |emitter, to| emitter.primitive(expr, id, &arguments, to));
            }
            Resolved::Construct(constructor, arguments) => {
                if arguments.is_empty() {
                    let operand = self.operand(Arg::Atom(Atom::Constructor(constructor)));
                    return self.give(operand, to);
                }
                let operands = self.all_operands(&arguments);
                let tag = self.program.constructor(constructor).tag;
                self.allocate(operands.len());
                self.position(expr);
                match to {
                    _ if self.rows() => self.construct_row(expr, constructor, &operands, to),
                    Target::Return => {
                        let words = [constructor.index() as u32, tag];
                        self.op(Op::ReturnConstruct, operands.len(), &words);
                        self.operands(&operands);
                    }
                    Target::Slot(slot, _) => {
                        let words = [slot, constructor.index() as u32, tag];
                        self.op(Op::Construct, operands.len(), &words);
                        self.operands(&operands);
                        self.done(to);
                    }
                }
            }
            Resolved::Partial(instance, arguments) => {
                self.position(expr);
                let operand = self.partial_value(instance, &arguments);
                self.give(operand, to);
            }
        }
    }

    /// Emits a value, and applies it to the arguments that are left, if there are some.
    fn then_apply(&mut self, expr: ExprId, rest: &[Arg], to: Target, emit: impl FnOnce(&mut Self, Target)) {
        if rest.is_empty() {
            return emit(self, to);
        }
        let slot = self.new_slot();
        self.within(expr, |emitter| emit(emitter, Target::Slot(slot, None)));
        self.apply_operand(expr, Operand::slot(slot), rest, to);
    }

    /// Does `act` while the uses of an expression are still pending.
    pub(super) fn within(&mut self, expr: ExprId, act: impl FnOnce(&mut Self)) {
        self.pending.push(self.numbering.interval(expr));
        act(self);
        self.pending.pop();
    }

    /// An atom: it is evaluated.
    pub(super) fn value(&mut self, expr: ExprId, head: Arg, to: Target) {
        let evaluated = self.is_evaluated(head);
        let operand = self.operand(head);
        if evaluated {
            return self.give(operand, to);
        }
        self.position(expr);
        match to {
            Target::Return if self.is_told_constant(head) => {
                let slot = self.new_slot();
                self.op(Op::Move, 0, &[slot, operand.0]);
                self.evaluate_slot(slot, expr);
                self.return_(Operand::slot(slot));
            }
            Target::Return if self.is_redex() => self.became_entered(expr, operand),
            Target::Return => self.op(Op::Enter, 0, &[operand.0]),
            Target::Slot(slot, _) => {
                self.op(Op::Move, 0, &[slot, operand.0]);
                self.evaluate_slot(slot, expr);
                self.done(to);
            }
        }
    }

    pub(super) fn apply(&mut self, expr: ExprId, head: Arg, arguments: &[Arg], to: Target) {
        let head = self.operand(head);
        self.apply_operand(expr, head, arguments, to);
    }

    pub(super) fn apply_operand(&mut self, expr: ExprId, head: Operand, arguments: &[Arg], to: Target) {
        let operands = self.all_operands(arguments);
        // What an unknown function allocates for its arguments: a partial application.
        self.allocate(operands.len() + 64);
        if self.rows() {
            return self.apply_row(expr, head, arguments, &operands, to);
        }
        match to {
            Target::Return => {
                self.position(expr);
                self.op(Op::TailApply, operands.len(), &[head.0]);
                self.operands(&operands);
            }
            Target::Slot(slot, _) => {
                let (height, map) = self.alive();
                self.position(expr);
                self.op(Op::Apply, operands.len(), &[height, head.0]);
                self.operands(&operands);
                self.word(map);
                self.word(slot);
                self.done(to);
            }
        }
    }

    pub(super) fn call(&mut self, expr: ExprId, instance: InstanceId, arguments: &[Arg], to: Target) {
        let mask = self.compiler.strictness(instance);
        let is_strict = |row: usize| row < 64 && mask >> row & 1 == 1;
        let can = |emitter: &Self, (row, argument): (usize, &Arg)| {
            !is_strict(row)
                || emitter.is_evaluated(*argument)
                || matches!(argument, Arg::Atom(Atom::Variable(_)))
        };
        let class = self.compiler.class(instance);
        let mut fast = arguments.iter().enumerate().all(|one| can(self, one));
        if class == Class::Recorded {
            // A recorded function evaluates its arguments itself, once its redex exists.
            let evaluated = |(row, argument): (usize, &Arg)| !is_strict(row) || self.is_evaluated(*argument);
            fast = arguments.iter().enumerate().all(evaluated);
        } else if fast {
            self.within(expr, |emitter| {
                for (row, argument) in arguments.iter().enumerate() {
                    if is_strict(row)
                        && let Arg::Atom(Atom::Variable(variable)) = argument
                    {
                        emitter.evaluate(*variable, expr);
                    }
                }
            });
        }
        let mut operands = self.all_operands(arguments);
        if self.trails {
            let contexts = self.contexts(expr, instance, &operands, to);
            operands.splice(0..0, contexts);
            self.most_slots = self.most_slots.max(operands.len() as u32);
        }
        match to {
            Target::Return if self.is_told(instance) => {
                let slot = self.new_slot();
                let context = u32::from(self.trails);
                let map = self.compiler.map(&[CONTEXT][..context as usize]);
                self.position(expr);
                let op = if fast { Op::CallFast } else { Op::Call };
                self.op(op, operands.len(), &[instance.0, context]);
                self.operands(&operands);
                self.word(map);
                self.word(slot);
                self.return_(Operand::slot(slot));
            }
            Target::Return if class != Class::Recorded && self.is_redex() => {
                self.tail_trusted(expr, instance, fast, &operands);
            }
            Target::Return => {
                self.position(expr);
                let op = if fast { Op::TailFast } else { Op::Tail };
                self.op(op, operands.len(), &[instance.0]);
                self.operands(&operands);
            }
            Target::Slot(slot, _) => {
                let (height, map) = self.alive();
                self.position(expr);
                let op = if fast { Op::CallFast } else { Op::Call };
                self.op(op, operands.len(), &[instance.0, height]);
                self.operands(&operands);
                self.word(map);
                self.word(slot);
                self.done(to);
            }
        }
    }

    /// Whether a tail call in one of the user's functions stays on the stack: a library function that raises
    /// an exception must be reported with the place of its call. Not if the callee may continue with a
    /// function argument: loops are made that way.
    pub(super) fn is_told(&mut self, callee: InstanceId) -> bool {
        let is_library = |emitter: &Self, instance: InstanceId| {
            let program = emitter.program;
            program
                .module(program.function(emitter.compiler.instances[instance.index()].function).module)
                .library
        };
        !is_library(self, self.instance) && is_library(self, callee) && self.compiler.comes_back(callee)
    }

    /// The same for a library constant, such as `undefined`.
    pub(super) fn is_told_constant(&self, head: Arg) -> bool {
        let library = |function| self.program.module(self.program.function(function).module).library;
        let own = self.compiler.instances[self.instance.index()].function;
        matches!(head, Arg::Atom(Atom::Function(function)) if library(function) && !library(own))
    }

    /// Evaluates the strict arguments of a primitive; the operands.
    pub(super) fn primitive_operands(&mut self, expr: ExprId, arguments: &[Arg], lazy: u8) -> Vec<Operand> {
        // Strict arguments that are not variables go to slots of their own first.
        let from = self.protected.len();
        let mut places: Vec<Option<Operand>> = vec![None; arguments.len()];
        self.within(expr, |emitter| {
            for (row, argument) in arguments.iter().enumerate() {
                if lazy >> row & 1 == 1 || emitter.is_evaluated(*argument) {
                    continue;
                }
                match argument {
                    Arg::Atom(Atom::Variable(variable)) => emitter.evaluate(*variable, expr),
                    _ => {
                        let operand = emitter.operand(*argument);
                        let slot = emitter.new_slot();
                        emitter.op(Op::Move, 0, &[slot, operand.0]);
                        emitter.evaluate_slot(slot, expr);
                        emitter.protected.push(slot);
                        places[row] = Some(Operand::slot(slot));
                    }
                }
            }
        });
        self.protected.truncate(from);
        let operands = arguments.iter().zip(places);
        operands.map(|(&argument, place)| place.unwrap_or_else(|| self.operand(argument))).collect()
    }

    pub(super) fn primitive(&mut self, expr: ExprId, id: PrimId, arguments: &[Arg], to: Target) {
        let Some(primitive) = self.compiler.primitives[id.index()] else {
            let name = self.compiler.program.primitive(id);
            let name = self.program.find_name(name);
            if let Some(name) = name {
                let error = self.compiler.code.errors.len() as u32;
                let kind = gadfly_core::kernel::ErrorKind::Unknown;
                self.compiler.code.errors.push(KnownError { kind, name, span: self.program.span(expr) });
                self.error(expr, error);
            }
            return;
        };
        match primitive.what {
            What::Cheap(_) | What::Pure(_) => {
                let operands = self.primitive_operands(expr, arguments, primitive.lazy);
                let slot = match to {
                    Target::Return => self.new_slot(),
                    Target::Slot(slot, _) => slot,
                };
                self.position(expr);
                self.compute(id, slot, &operands);
                match to {
                    Target::Return => self.return_(Operand::slot(slot)),
                    Target::Slot(..) => self.done(to),
                }
            }
            What::Look(_) => {
                let operands = self.primitive_operands(expr, arguments, primitive.lazy);
                let slot = match to {
                    Target::Return => self.new_slot(),
                    Target::Slot(slot, _) => slot,
                };
                self.position(expr);
                self.compute(id, slot, &operands);
                match to {
                    Target::Return if self.is_redex() => self.became_entered(expr, Operand::slot(slot)),
                    Target::Return => self.op(Op::Enter, 0, &[Operand::slot(slot).0]),
                    Target::Slot(..) => {
                        self.evaluate_slot(slot, expr);
                        self.done(to);
                    }
                }
            }
            What::Control(Control::Raise) => {
                let operand = self.operand(arguments[0]);
                self.position(expr);
                self.op(Op::Raise, 0, &[operand.0]);
            }
            What::Control(Control::Perform) => match to {
                Target::Return if self.is_redex() => {
                    let slot = self.new_slot();
                    self.suspended_now(expr, slot, Target::Slot(slot, None));
                    self.return_(Operand::slot(slot));
                }
                Target::Return => {
                    let operand = self.operand(arguments[0]);
                    self.position(expr);
                    self.op(Op::Perform, 0, &[operand.0]);
                }
                Target::Slot(slot, _) => self.suspended_now(expr, slot, to),
            },
            What::Control(Control::Seq) => {
                let from = self.protected.len();
                self.primitive_operands(expr, &arguments[..1], 0);
                self.protected.truncate(from);
                self.value(expr, arguments[1], to);
            }
            What::Control(Control::SameInstance) => {
                let operands = self.primitive_operands(expr, arguments, primitive.lazy);
                let slot = match to {
                    Target::Return => self.new_slot(),
                    Target::Slot(slot, _) => slot,
                };
                self.op(Op::Primitive, operands.len(), &[id.index() as u32, slot]);
                self.operands(&operands);
                match to {
                    Target::Return => self.return_(Operand::slot(slot)),
                    Target::Slot(..) => self.done(to),
                }
            }
            What::Control(Control::Same) => self.value(expr, arguments[0], to),
            What::Action(_)
            | What::Store(_)
            | What::Make(_)
            | What::Control(Control::Catch | Control::Return | Control::Bind) => {
                let operand = self.action(expr, id, arguments);
                self.give(operand, to);
            }
        }
    }

    /// Evaluates an expression in a frame of its own: as a thunk that is entered at once.
    pub(super) fn suspended_now(&mut self, expr: ExprId, slot: u32, to: Target) {
        self.thunk(expr, slot, &FxHashSet::default());
        self.evaluate_slot(slot, expr);
        self.done(to);
    }

    pub(super) fn action(&mut self, expr: ExprId, id: PrimId, arguments: &[Arg]) -> Operand {
        let operands = self.all_operands(arguments);
        let slot = self.new_slot();
        self.action_op(expr, id, slot, &operands);
        Operand::slot(slot)
    }

    /// Applies a primitive to evaluated operands.
    pub(super) fn compute(&mut self, id: PrimId, slot: u32, operands: &[Operand]) {
        let primitive = id.index() as u32;
        // Primitives that allocate see to their room themselves; a number needs no more than this.
        self.allocate(2);
        match special(self.program.primitive(id)) {
            Some(Special::Arithmetic(op)) => {
                self.op(op, 0, &[primitive, slot]);
            }
            Some(Special::Compare(comparison)) => {
                self.op(Op::Compare, comparison as usize, &[primitive, slot]);
            }
            Some(Special::Convert(op)) => self.op(op, 0, &[slot]),
            None => self.op(Op::Primitive, operands.len(), &[primitive, slot]),
        }
        self.operands(operands);
    }
}
