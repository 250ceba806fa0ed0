//! The instructions of recorded code: where it writes rows, and in which context its callees run.
//!
//! In a recorded run, the first slot of every frame is its *context*: in recorded code the redex, in trusted code the redex
//! for which it runs and the position of the trusted call in it. A call passes the context of its callee as the first
//! argument. [`gadfly_trail::model`] explains what the rows mean.

use super::{CONTEXT, Emitter, Suspended, Target};
use crate::code::{Op, Operand};
use crate::compile::calls::{Arg, Resolved};
use crate::compile::live::Numbering;
use crate::compile::trace::{Class, position};
use crate::compile::{Constant, InstanceId};
use crate::trace::{UNKNOWN, dictionary};
use crate::word::Word;
use gadfly_core::kernel::{Atom, ConId, Expr, ExprId, Hidden, Origin, PrimId, Role, VarId};
use gadfly_trail::model::What;
use rustc_hash::FxHashSet;

/// No more bindings than this are made early.
const MOST_EARLY: usize = 12;

impl<const TAG: usize> Emitter<'_, '_, TAG> {
    /// Whether the code writes rows.
    pub(super) fn rows(&self) -> bool {
        self.class != Class::Trusted
    }

    /// Whether the code's result is what a redex became.
    pub(super) fn is_redex(&self) -> bool {
        self.class == Class::Recorded && !self.is_thunk
    }

    /// Returns an evaluated value.
    pub(super) fn return_(&mut self, operand: Operand) {
        if self.is_redex() {
            let shape = self.compiler.shape(What::Became, self.at, 1, false);
            self.op(Op::Became, 0, &[shape, operand.0]);
        } else {
            self.op(Op::Return, 0, &[operand.0]);
        }
    }

    /// Evaluates a value, which the redex became, and returns it.
    pub(super) fn became_entered(&mut self, expr: ExprId, operand: Operand) {
        let shape = self.compiler.shape(What::Became, Some(expr), 1, false);
        self.op(Op::BecameEntered, 0, &[shape, operand.0]);
    }

    pub(super) fn construct_row(
        &mut self,
        expr: ExprId,
        constructor: ConId,
        operands: &[Operand],
        to: Target,
    ) {
        let number = constructor.index() as u32;
        let tag = self.program.constructor(constructor).tag;
        let tail = matches!(to, Target::Return) && self.is_redex();
        let shape = self.compiler.shape(What::Construct(number), Some(expr), operands.len(), tail);
        match to {
            Target::Return => self.op(Op::ReturnConstructRow, operands.len(), &[number, tag, shape]),
            Target::Slot(slot, _) => self.op(Op::ConstructRow, operands.len(), &[slot, number, tag, shape]),
        }
        self.operands(operands);
        self.done(to);
    }

    pub(super) fn action_op(&mut self, expr: ExprId, id: PrimId, slot: u32, operands: &[Operand]) {
        // A recorded run keeps the context in which the action was made.
        self.allocate(operands.len() + usize::from(self.trails));
        self.position(expr);
        if self.rows() {
            let shape = self.compiler.shape(What::Action, Some(expr), 0, false);
            self.op(Op::ActionRow, operands.len(), &[slot, id.index() as u32, shape]);
        } else {
            self.op(Op::Action, operands.len(), &[slot, id.index() as u32]);
        }
        self.operands(operands);
    }

    /// A function as a value.
    pub(super) fn function_value(&mut self, instance: InstanceId) -> Operand {
        self.partial_value(instance, &[])
    }

    /// A function with some of its arguments, perhaps none.
    pub(super) fn partial_value(&mut self, instance: InstanceId, arguments: &[Arg]) -> Operand {
        if self.rows() && self.compiler.class(instance) != Class::Inside {
            let operands = self.all_operands(arguments);
            return self.partial_of(instance, &operands);
        }
        match arguments.is_empty() && self.compiler.class(instance) != Class::Inside {
            true => self.word_constant(Word::function(instance.0)),
            false => self.partial(instance, arguments),
        }
    }

    fn partial_of(&mut self, instance: InstanceId, operands: &[Operand]) -> Operand {
        let references = self.parameters(instance, operands);
        let function = self.compiler.instances[instance.index()].function.index() as u32;
        let shape = self.compiler.shape(What::Partial(function), self.at, references.len(), false);
        let node = self.new_slot();
        self.op(Op::Row, references.len(), &[node, shape]);
        self.operands(&references);
        let slot = self.new_slot();
        self.allocate(operands.len());
        self.op(Op::PartialOf, operands.len(), &[slot, instance.0, Operand::slot(node).0]);
        self.operands(operands);
        Operand::slot(slot)
    }

    /// The parameters of a function as references: what is passed in the order of all parameters, up to the last that is
    /// passed. Dictionaries are never shown, but those that are known say at which instances a function is used.
    fn parameters(&mut self, instance: InstanceId, passed: &[Operand]) -> Vec<Operand> {
        let unknown = self.word_constant(UNKNOWN);
        let info = &self.compiler.instances[instance.index()];
        let function = self.program.function(info.function);
        let (own, statics) = (info.parameters.clone(), info.statics.clone());
        let mut references = Vec::new();
        let mut passed = passed.iter();
        for (row, parameter) in function.parameters.iter().enumerate() {
            if !own.contains(&parameter.variable) {
                let known = statics.get(row).copied().flatten();
                references.push(known.map_or(unknown, |known| self.word_constant(dictionary(known))));
                continue;
            }
            match passed.next() {
                Some(_) if parameter.role == Role::Dictionary => references.push(unknown),
                Some(&operand) => references.push(operand),
                None => break,
            }
        }
        references
    }

    /// A constant of the program.
    pub(super) fn shared_constant(&mut self, instance: InstanceId) -> Operand {
        let constant = self.compiler.constant(Constant::Shared(instance));
        if self.rows() && self.compiler.is_users(instance) {
            let position = self.at.map_or(0, |at| position(at).0);
            self.op(Op::Use, 0, &[constant, position]);
        }
        Operand::constant(constant)
    }

    /// A thunk for a function without parameters that is not shared.
    pub(super) fn suspend_constant(&mut self, instance: InstanceId) -> Operand {
        let slot = self.new_slot();
        if !self.trails {
            let thunk = self.suspend(Suspended::Call(instance, 0), Vec::new());
            self.allocate(1);
            self.op(Op::Thunk, 0, &[slot, thunk]);
            return Operand::slot(slot);
        }
        match (self.at, self.compiler.class(instance) == Class::Recorded && self.rows()) {
            (Some(at), true) => self.call_thunk(at, instance, &[], slot),
            _ => {
                let thunk = self.call_thunk_code(instance, 1);
                self.allocate(1);
                self.op(Op::Thunk, 1, &[slot, thunk, Operand::slot(CONTEXT).0]);
            }
        }
        Operand::slot(slot)
    }

    /// The contexts that a callee is given before its arguments.
    pub(super) fn contexts(
        &mut self,
        expr: ExprId,
        callee: InstanceId,
        operands: &[Operand],
        to: Target,
    ) -> Vec<Operand> {
        match self.compiler.class(callee) {
            Class::Recorded => {
                let tail = matches!(to, Target::Return) && self.is_redex();
                vec![self.call_row(expr, callee, operands, tail)]
            }
            Class::Inside => vec![Operand::slot(CONTEXT); 2],
            Class::Trusted if self.rows() => vec![self.here_for_trusted(expr)],
            Class::Trusted => vec![Operand::slot(CONTEXT)],
        }
    }

    /// The context for trusted code.
    fn here_for_trusted(&mut self, expr: ExprId) -> Operand {
        let slot = self.new_slot();
        self.op(Op::At, 0, &[slot, position(expr).0]);
        Operand::slot(slot)
    }

    /// A row for a call of a recorded function.
    fn call_row(&mut self, expr: ExprId, callee: InstanceId, operands: &[Operand], tail: bool) -> Operand {
        let references = self.parameters(callee, operands);
        let function = self.compiler.instances[callee.index()].function.index() as u32;
        let slot = self.new_slot();
        self.position(expr);
        if self.rows() {
            let shape = self.compiler.shape(What::Call(function), Some(expr), references.len(), tail);
            self.op(Op::Row, references.len(), &[slot, shape]);
        } else {
            self.op(Op::CallRow, references.len(), &[slot, function]);
        }
        self.operands(&references);
        Operand::slot(slot)
    }

    /// Calls trusted code at the end of a redex.
    pub(super) fn tail_trusted(
        &mut self,
        expr: ExprId,
        callee: InstanceId,
        fast: bool,
        operands: &[Operand],
    ) {
        let shape = self.compiler.shape(What::Became, Some(expr), 1, false);
        self.position(expr);
        // The highest bit says which entry.
        let callee = callee.0 | if fast { 1 << 31 } else { 0 };
        self.op(Op::TailTrusted, operands.len(), &[callee, shape]);
        self.operands(operands);
    }

    pub(super) fn apply_row(
        &mut self,
        expr: ExprId,
        head: Operand,
        arguments: &[Arg],
        operands: &[Operand],
        to: Target,
    ) {
        let tail = matches!(to, Target::Return) && self.is_redex();
        let node = self.application(expr, head, arguments, operands, tail);
        let position = position(expr).0;
        match to {
            Target::Return => {
                self.position(expr);
                self.op(Op::TailApplyRow, operands.len(), &[position, node.0, head.0]);
                self.operands(operands);
            }
            Target::Slot(slot, _) => {
                let (height, map) = self.alive();
                self.position(expr);
                self.op(Op::ApplyRow, operands.len(), &[height, position, node.0, head.0]);
                self.operands(operands);
                self.word(map);
                self.word(slot);
                self.done(to);
            }
        }
    }

    /// A row for an application of an unknown function.
    fn application(
        &mut self,
        expr: ExprId,
        head: Operand,
        arguments: &[Arg],
        operands: &[Operand],
        tail: bool,
    ) -> Operand {
        let unknown = self.word_constant(UNKNOWN);
        let mut references = vec![head];
        for (argument, &operand) in arguments.iter().zip(operands) {
            references.push(match argument {
                Arg::Atom(Atom::Variable(variable)) if !self.program.variable(*variable).dictionary => {
                    operand
                }
                Arg::Atom(Atom::Variable(_)) => unknown,
                Arg::Static(id) => {
                    let function = self.compiler.statics.get(*id).function;
                    match self.program.function(function).origin {
                        Origin::Hidden(Hidden::Dictionary) => self.word_constant(dictionary(*id)),
                        _ => unknown,
                    }
                }
                Arg::Atom(_) => operand,
            });
        }
        let shape = self.compiler.shape(What::Apply, Some(expr), references.len(), tail);
        let slot = self.new_slot();
        self.op(Op::Row, references.len(), &[slot, shape]);
        self.operands(&references);
        Operand::slot(slot)
    }

    /// A thunk for an application, recorded when it is made; whether it is one.
    ///
    /// The arguments of the application are bound by a `let` around it; making them now saves a node that is not a redex. They
    /// are not evaluated by that.
    pub(super) fn recorded_thunk(&mut self, value: ExprId, slot: u32, later: &FxHashSet<VarId>) -> bool {
        let mut lets = Vec::new();
        let mut inner = value;
        while let Expr::Let(bindings, body) = self.program.expr(inner) {
            lets.push((bindings, body));
            inner = body;
        }
        let count: usize = lets.iter().map(|(bindings, _)| bindings.len()).sum();
        if count > MOST_EARLY
            || Numbering::free_variables(self.program, value).iter().any(|variable| later.contains(variable))
        {
            return false;
        }
        let resolved = self.compiler.resolve(inner, self.known);
        let is_recorded = match &resolved {
            Some(Resolved::Call(instance, _, rest)) => {
                rest.is_empty() && self.compiler.class(*instance) == Class::Recorded
            }
            Some(Resolved::Apply(_, arguments)) => !arguments.is_empty(),
            _ => false,
        };
        if !is_recorded {
            return false;
        }
        let early = std::mem::replace(&mut self.early, true);
        for (bindings, body) in lets {
            self.let_(bindings, body);
        }
        self.early = early;
        self.at = Some(inner);
        self.suspended_application(inner, resolved, slot);
        true
    }

    fn suspended_application(&mut self, value: ExprId, resolved: Option<Resolved>, slot: u32) {
        match resolved {
            Some(Resolved::Call(instance, arguments, _)) => {
                let operands = self.all_operands(&arguments);
                self.call_thunk(value, instance, &operands, slot);
            }
            Some(Resolved::Apply(head, arguments)) => {
                let head = self.operand(head);
                let operands = self.all_operands(&arguments);
                let node = self.application(value, head, &arguments, &operands, false);
                let thunk = self.suspend(Suspended::Apply(value, operands.len()), Vec::new());
                let mut fields = vec![Operand::slot(CONTEXT), node, head];
                fields.extend(operands);
                self.allocate(fields.len());
                self.position(value);
                self.op(Op::ThunkOf, fields.len(), &[slot, thunk, node.0]);
                self.operands(&fields);
            }
            _ => {}
        }
    }

    fn call_thunk(&mut self, value: ExprId, instance: InstanceId, operands: &[Operand], slot: u32) {
        let node = self.call_row(value, instance, operands, false);
        let thunk = self.call_thunk_code(instance, operands.len() + 1);
        let mut fields = vec![node];
        fields.extend(operands);
        self.allocate(fields.len());
        self.position(value);
        self.op(Op::ThunkOf, fields.len(), &[slot, thunk, node.0]);
        self.operands(&fields);
    }

    /// The code of a thunk that calls a function with its words.
    fn call_thunk_code(&mut self, instance: InstanceId, count: usize) -> u32 {
        if let Some(&thunk) = self.compiler.call_thunks.get(&instance) {
            return thunk;
        }
        let thunk = self.suspend(Suspended::Call(instance, count), Vec::new());
        self.compiler.call_thunks.insert(instance, thunk);
        thunk
    }

    /// The code of such a thunk.
    pub(super) fn tail_call_slots(&mut self, instance: InstanceId, count: usize) {
        self.most_slots = self.most_slots.max(count as u32 + 1);
        let mut operands: Vec<Operand> = (0..count as u32).map(Operand::slot).collect();
        if self.trails && self.compiler.class(instance) == Class::Inside {
            operands.insert(0, Operand::slot(CONTEXT));
        }
        self.op(Op::Tail, operands.len(), &[instance.0]);
        self.operands(&operands);
    }

    /// The code of a thunk that applies a function to arguments, all of them in its slots.
    pub(super) fn tail_apply_slots(&mut self, expr: ExprId, count: usize) {
        self.most_slots = self.most_slots.max(count as u32 + 3);
        self.position(expr);
        let position = position(expr).0;
        self.op(Op::TailApplyRow, count, &[position, Operand::slot(1).0, Operand::slot(2).0]);
        let operands: Vec<Operand> = (3..3 + count as u32).map(Operand::slot).collect();
        self.operands(&operands);
        self.allocate(count + 64);
    }
}
