//! Bindings of `let`: evaluated at once where that is certain or cheap; a value, a selector, or a thunk.

use super::{CONTEXT, Emitter, Place, Suspended, Target};
use crate::code::{Op, Operand};
use crate::compile::calls::{Arg, Resolved};
use crate::compile::statics::selected_field;
use crate::compile::trace::Class;
use crate::primitives::{Control, What};
use crate::word::Word;
use gadfly_core::kernel::{Atom, Binding, Expr, ExprId, List, VarId};
use rustc_hash::FxHashSet;

impl<const TAG: usize> Emitter<'_, '_, TAG> {
    pub(super) fn let_(&mut self, bindings: List<Binding>, body: ExprId) {
        let bindings: Vec<Binding> = self.program.list(bindings).to_vec();
        // Variables of the group that are not bound yet.
        let mut later: FxHashSet<VarId> = bindings.iter().map(|binding| binding.variable).collect();
        later.retain(|variable| !self.known.contains_key(variable));
        let mut patches: Vec<(u32, u32, VarId)> = Vec::new();
        for (row, binding) in bindings.iter().enumerate() {
            if self.known.contains_key(&binding.variable) {
                continue;
            }
            let from = self.pending.len();
            self.pending.push(self.numbering.interval(body));
            for other in &bindings[row + 1..] {
                self.pending.push(self.numbering.interval(other.value));
            }
            self.binding(*binding, &later, &mut patches);
            self.pending.truncate(from);
            later.remove(&binding.variable);
            patches.retain(|&(slot, field, variable)| {
                let is_now = variable == binding.variable;
                if is_now {
                    let operand = self.operand(Arg::Atom(Atom::Variable(variable)));
                    self.op(Op::Patch, 0, &[slot, field, operand.0]);
                }
                !is_now
            });
        }
    }

    pub(super) fn binding(
        &mut self,
        binding: Binding,
        later: &FxHashSet<VarId>,
        patches: &mut Vec<(u32, u32, VarId)>,
    ) {
        let Binding { variable, value } = binding;
        self.at = Some(value);
        let resolved = self.compiler.resolve(value, self.known);
        let is_later =
            |argument: &Arg| matches!(argument, Arg::Atom(Atom::Variable(one)) if later.contains(one));
        match &resolved {
            Some(Resolved::Apply(head, arguments)) if arguments.is_empty() && !is_later(head) => {
                let evaluated = self.is_evaluated(*head);
                let operand = self.operand(*head);
                match operand.0 & 1 {
                    0 => self.hold(variable, operand.0 >> 1),
                    _ => {
                        self.places.insert(variable, Place::Constant(operand.0 >> 1));
                    }
                }
                if evaluated {
                    self.set_evaluated(variable);
                }
                return;
            }
            Some(Resolved::Construct(constructor, arguments)) if !arguments.is_empty() => {
                let slot = self.new_slot();
                let before = patches.len();
                let operands = self.group_operands(arguments, later, slot, patches);
                let tag = self.program.constructor(*constructor).tag;
                self.allocate(operands.len());
                self.position(value);
                if self.rows() && patches.len() == before {
                    self.construct_row(value, *constructor, &operands, Target::Slot(slot, None));
                } else {
                    self.op(Op::Construct, operands.len(), &[slot, constructor.index() as u32, tag]);
                    self.operands(&operands);
                }
                self.hold(variable, slot);
                self.set_evaluated(variable);
                return;
            }
            Some(Resolved::Construct(constructor, _)) => {
                let operand = self.operand(Arg::Atom(Atom::Constructor(*constructor)));
                self.places.insert(variable, Place::Constant(operand.0 >> 1));
                self.set_evaluated(variable);
                return;
            }
            Some(Resolved::Partial(instance, arguments)) => {
                if !arguments.iter().any(is_later) {
                    let operand = self.partial_value(*instance, arguments);
                    match operand.0 & 1 {
                        0 => self.hold(variable, operand.0 >> 1),
                        _ => {
                            self.places.insert(variable, Place::Constant(operand.0 >> 1));
                        }
                    }
                } else {
                    let slot = self.new_slot();
                    let before = patches.len();
                    let mut operands = self.group_operands(arguments, later, slot, patches);
                    if self.compiler.class(*instance) == Class::Inside {
                        operands.insert(0, Operand::slot(CONTEXT));
                        patches[before..].iter_mut().for_each(|(_, field, _)| *field += 1);
                    }
                    self.allocate(operands.len());
                    self.position(value);
                    self.op(Op::Partial, operands.len(), &[slot, instance.0]);
                    self.operands(&operands);
                    self.hold(variable, slot);
                }
                self.set_evaluated(variable);
                return;
            }
            Some(Resolved::Primitive(id, arguments, rest)) if rest.is_empty() => {
                let what = self.compiler.primitives[id.index()].map(|primitive| primitive.what);
                match what {
                    Some(
                        What::Action(_)
                        | What::Store(_)
                        | What::Make(_)
                        | What::Control(Control::Catch | Control::Return | Control::Bind),
                    ) => {
                        let slot = self.new_slot();
                        let operands = self.group_operands(arguments, later, slot, patches);
                        self.action_op(value, *id, slot, &operands);
                        self.hold(variable, slot);
                        self.set_evaluated(variable);
                        return;
                    }
                    Some(What::Cheap(_))
                        if (!self.rows() || self.strict.demanded.contains(&variable))
                            && arguments
                                .iter()
                                .all(|argument| self.is_evaluated(*argument) && !is_later(argument)) =>
                    {
                        let operands = self.all_operands(arguments);
                        let slot = self.new_slot();
                        self.position(value);
                        self.compute(*id, slot, &operands);
                        self.hold(variable, slot);
                        self.set_evaluated(variable);
                        return;
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        let slot = self.new_slot();
        let free = self.free(value, later);
        if patches.is_empty()
            && !self.early
            && self.strict.lets.contains(&variable)
            && !free.iter().any(|variable| later.contains(variable))
        {
            match resolved {
                Some(resolved) => self.resolved(value, resolved, Target::Slot(slot, None)),
                None => {
                    let mark = self.mark();
                    let label = self.label();
                    let falls = std::mem::take(&mut self.falls);
                    self.expr(value, Target::Slot(slot, Some(label)));
                    self.falls = falls;
                    self.bind(label);
                    self.back(mark);
                }
            }
            self.hold(variable, slot);
            self.set_evaluated(variable);
            return;
        }
        if let Some((of, field)) = self.selection(value, resolved.as_ref())
            && !later.contains(&of)
            && !self.known.contains_key(&of)
        {
            let operand = self.operand(Arg::Atom(Atom::Variable(of)));
            self.allocate(1);
            self.position(value);
            self.op(Op::Select, 0, &[slot, field, operand.0]);
            self.hold(variable, slot);
            return;
        }
        for (field, variable) in self.thunk(value, slot, later) {
            patches.push((slot, field, variable));
        }
        self.hold(variable, slot);
    }

    /// The variable and its field that an expression selects, if that is all it does; also by a library function such as
    /// `fst`.
    pub(super) fn selection(&self, value: ExprId, resolved: Option<&Resolved>) -> Option<(VarId, u32)> {
        if let Expr::Case(case) = self.program.expr(value)
            && let Expr::Atom(Atom::Variable(of)) = self.program.expr(case.scrutinee)
        {
            return selected_field(self.program, value, of).map(|(_, field)| (of, field));
        }
        let Some(Resolved::Call(instance, arguments, rest)) = resolved else { return None };
        let ([Arg::Atom(Atom::Variable(of))], []) = (&arguments[..], &rest[..]) else { return None };
        let instance = &self.compiler.instances[instance.index()];
        let function = self.program.function(instance.function);
        let mut body = function.body;
        // The rule is marked before or behind the case.
        while let Expr::Rule { body: inner, .. } = self.program.expr(body) {
            body = inner;
        }
        let library = self.program.module(function.module).library;
        let (_, field) = selected_field(self.program, body, instance.parameters[0]).filter(|_| library)?;
        Some((*of, field))
    }

    /// The operands of an object in a recursive group: what is not there yet is patched in later.
    pub(super) fn group_operands(
        &mut self,
        arguments: &[Arg],
        later: &FxHashSet<VarId>,
        slot: u32,
        patches: &mut Vec<(u32, u32, VarId)>,
    ) -> Vec<Operand> {
        let mut operands = Vec::new();
        for (&argument, field) in arguments.iter().zip(0..) {
            match argument {
                Arg::Atom(Atom::Variable(variable)) if later.contains(&variable) => {
                    patches.push((slot, field, variable));
                    operands.push(self.word_constant(Word::char(0)));
                }
                _ => operands.push(self.operand(argument)),
            }
        }
        operands
    }

    /// Makes a thunk; returns the fields to patch, with their variables.
    pub(super) fn thunk(&mut self, value: ExprId, slot: u32, later: &FxHashSet<VarId>) -> Vec<(u32, VarId)> {
        if self.rows() && self.recorded_thunk(value, slot, later) {
            return Vec::new();
        }
        let mut operands = Vec::new();
        let mut free = Vec::new();
        let mut patches = Vec::new();
        let mut constants = Vec::new();
        if self.trails {
            operands.push(Operand::slot(CONTEXT));
        }
        for variable in self.free(value, later) {
            if self.known.contains_key(&variable) {
                continue;
            }
            if later.contains(&variable) {
                patches.push((operands.len() as u32, variable));
                operands.push(self.word_constant(Word::char(0)));
                free.push((variable, false));
                continue;
            }
            match self.places.get(&variable) {
                Some(&Place::Slot(place)) => {
                    operands.push(Operand::slot(place));
                    free.push((variable, self.evaluated.contains(&variable)));
                }
                Some(&Place::Constant(constant)) => constants.push((variable, constant)),
                None => {}
            }
        }
        // Constants are variables of the thunk too: its code does not know their places.
        for (variable, constant) in constants {
            operands.push(Operand::constant(constant));
            free.push((variable, self.evaluated.contains(&variable)));
        }
        let thunk = self.suspend(Suspended::Expr(value), free);
        self.allocate(operands.len());
        self.position(value);
        self.op(Op::Thunk, operands.len(), &[slot, thunk]);
        self.operands(&operands);
        patches
    }
}
