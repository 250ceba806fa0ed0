//! Cases: evaluation of the scrutinee, and the branches.

use super::{Emitter, Label, Place, Target};
use crate::code::{Op, Operand};
use crate::compile::Constant;
use crate::compile::arithmetic::{Special, special};
use crate::compile::calls::{Arg, Resolved};
use crate::compile::live::Interval;
use crate::word::Word;
use gadfly_core::kernel::{Alternative, Atom, Case, ExprId, Pattern, VarId};

impl<const TAG: usize> Emitter<'_, '_, TAG> {
    pub(super) fn case(&mut self, expr: ExprId, case: Case, to: Target) {
        if self.known.contains_key(&case.variable)
            && let Some(default) = case.default
        {
            return self.expr(default, to);
        }
        let rest = Interval {
            start: self.numbering.interval(case.scrutinee).end,
            end: self.numbering.interval(expr).end,
        };
        let alternatives = self.program.list(case.alternatives);
        let resolved = self.compiler.resolve(case.scrutinee, self.known);
        let slot = match resolved {
            Some(Resolved::Apply(Arg::Atom(Atom::Variable(variable)), ref arguments))
                if arguments.is_empty() && matches!(self.places.get(&variable), Some(Place::Slot(_))) =>
            {
                let Some(&Place::Slot(slot)) = self.places.get(&variable) else { return };
                let by_constructor = matches!(
                    alternatives.first(),
                    Some(Alternative { pattern: Pattern::Constructor(..), .. })
                );
                self.hold(case.variable, slot);
                if !self.evaluated.contains(&variable) {
                    self.pending.push(rest);
                    let (height, map) = self.alive();
                    self.pending.pop();
                    self.position(case.scrutinee);
                    let op = if by_constructor && self.needs_switch(case) { Op::Case } else { Op::Eval };
                    self.op(op, 0, &[height, map, slot]);
                    self.set_evaluated(variable);
                }
                self.set_evaluated(case.variable);
                slot
            }
            Some(Resolved::Primitive(id, ref arguments, ref more))
                if more.is_empty()
                    && let Some(Special::Compare(comparison)) = special(self.program.primitive(id))
                    && let Some((yes, no)) = self.branches(case) =>
            {
                self.pending.push(rest);
                let operands = self.primitive_operands(case.scrutinee, arguments, 0);
                self.pending.pop();
                self.allocate(2);
                let otherwise = self.label();
                self.position(case.scrutinee);
                self.op(comparison.branch(), 0, &[id.index() as u32]);
                self.refer(otherwise);
                self.operands(&operands);
                let mark = self.mark();
                let postponed = self.postponed;
                self.postponed = postponed.min(self.numbering.interval(no).start);
                self.expr(yes, to);
                self.postponed = postponed;
                self.back(mark);
                self.bind(otherwise);
                self.expr(no, to);
                self.back(mark);
                return;
            }
            resolved => {
                let slot = self.new_slot();
                self.pending.push(rest);
                match resolved {
                    Some(resolved) => self.resolved(case.scrutinee, resolved, Target::Slot(slot, None)),
                    None => {
                        let mark = self.mark();
                        let label = self.label();
                        let falls = std::mem::take(&mut self.falls);
                        self.expr(case.scrutinee, Target::Slot(slot, Some(label)));
                        self.falls = falls;
                        self.bind(label);
                        self.back(mark);
                    }
                }
                self.pending.pop();
                self.hold(case.variable, slot);
                self.set_evaluated(case.variable);
                slot
            }
        };
        self.alternatives(case, slot, to);
    }

    /// The branches for `True` and `False` of a case that uses nothing but these.
    pub(super) fn branches(&self, case: Case) -> Option<(ExprId, ExprId)> {
        let alternatives = self.program.list(case.alternatives);
        let whole = Interval { start: 0, end: u32::MAX };
        if alternatives.is_empty() || self.numbering.is_used(case.variable, whole) {
            return None;
        }
        let by_tag = |tag: u32| {
            let found = alternatives.iter().find(|alternative| match alternative.pattern {
                Pattern::Constructor(constructor, _) => self.program.constructor(constructor).tag == tag,
                Pattern::Literal(_) => false,
            });
            found.map(|alternative| alternative.body).or(case.default)
        };
        Some((by_tag(1)?, by_tag(0)?))
    }

    /// Whether more than one branch can be taken.
    pub(super) fn needs_switch(&self, case: Case) -> bool {
        let Some(first) = self.program.list(case.alternatives).first() else { return false };
        match first.pattern {
            Pattern::Constructor(constructor, _) => self.program.siblings(constructor).len() > 1,
            Pattern::Literal(_) => true,
        }
    }

    pub(super) fn alternatives(&mut self, case: Case, slot: u32, to: Target) {
        let alternatives = self.program.list(case.alternatives);
        let mark = self.mark();
        match alternatives.first().map(|alternative| alternative.pattern) {
            None => {
                if let Some(default) = case.default {
                    self.expr(default, to);
                }
            }
            Some(Pattern::Constructor(..)) if !self.needs_switch(case) => {
                self.alternative(alternatives[0], slot, to);
            }
            Some(Pattern::Constructor(constructor, _)) => {
                let siblings = self.program.siblings(constructor).len();
                let default = self.label();
                let mut labels = vec![default; siblings];
                for alternative in alternatives {
                    if let Pattern::Constructor(constructor, _) = alternative.pattern {
                        labels[self.program.constructor(constructor).tag as usize] = self.label();
                    }
                }
                self.op(Op::Switch, siblings, &[slot]);
                for &label in &labels {
                    self.refer(label);
                }
                for &alternative in alternatives {
                    if let Pattern::Constructor(constructor, _) = alternative.pattern {
                        self.bind(labels[self.program.constructor(constructor).tag as usize]);
                        self.alternative(alternative, slot, to);
                        self.back(mark);
                    }
                }
                self.bind(default);
                match case.default {
                    Some(default) => self.expr(default, to),
                    None => self.op(Op::Logic, 0, &[]),
                }
            }
            Some(Pattern::Literal(_)) => self.literals(case, slot, to),
        }
        self.back(mark);
    }

    pub(super) fn alternative(&mut self, alternative: Alternative, slot: u32, to: Target) {
        if let Pattern::Constructor(_, variables) = alternative.pattern {
            let interval = self.numbering.interval(alternative.body);
            let variables = self.program.list(variables).iter().zip(0..);
            let used: Vec<(VarId, u32)> = variables
                .filter(|(variable, _)| {
                    self.numbering.is_used(**variable, interval) && !self.known.contains_key(variable)
                })
                .map(|(variable, field)| (*variable, field))
                .collect();
            if !used.is_empty() {
                self.op(Op::Fields, used.len(), &[slot]);
                for (variable, field) in used {
                    let place = self.hold_new(variable);
                    self.word(field);
                    self.word(place);
                }
            }
        }
        self.expr(alternative.body, to);
    }

    pub(super) fn literals(&mut self, case: Case, slot: u32, to: Target) {
        let alternatives = self.program.list(case.alternatives);
        let mark = self.mark();
        let constants: Vec<Operand> = alternatives
            .iter()
            .map(|alternative| match alternative.pattern {
                Pattern::Literal(literal) => self.literal(literal),
                Pattern::Constructor(..) => Operand(0),
            })
            .collect();
        let word = |emitter: &Self, operand: Operand| match emitter.compiler.code.constants
            [(operand.0 >> 1) as usize]
        {
            Constant::Word(word) => Some(Word::from_raw(word)).filter(|word| word.as_double().is_none()),
            _ => None,
        };
        let words: Option<Vec<Word>> = constants.iter().map(|&operand| word(self, operand)).collect();
        let default = self.label();
        match words {
            Some(words) if alternatives.len() > 3 => {
                let labels: Vec<Label> = alternatives.iter().map(|_| self.label()).collect();
                let mut order: Vec<usize> = (0..words.len()).collect();
                order.sort_by_key(|&row| words[row].raw());
                self.op(Op::Literals, words.len(), &[slot]);
                self.refer(default);
                for row in order {
                    self.word(words[row].raw() as u32);
                    self.word((words[row].raw() >> 32) as u32);
                    self.refer(labels[row]);
                }
                for (alternative, label) in alternatives.iter().zip(labels) {
                    self.bind(label);
                    self.expr(alternative.body, to);
                    self.back(mark);
                }
            }
            _ => {
                for (alternative, constant) in alternatives.iter().zip(constants) {
                    let next = self.label();
                    self.op(Op::IfLiteral, 0, &[slot, constant.0]);
                    self.refer(next);
                    self.expr(alternative.body, to);
                    self.back(mark);
                    self.bind(next);
                }
            }
        }
        self.bind(default);
        match case.default {
            Some(default) => self.expr(default, to),
            None => self.op(Op::Logic, 0, &[]),
        }
    }
}
