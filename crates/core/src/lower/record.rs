//! Records: construction and update by field names.

use gadfly_source::Span;
use gadfly_syntax::tree::{ExprId as SyntaxId, FieldValue};
use gadfly_typing::interface::{ConstructorId, Entity, NameNote, Note, ValueId, ValueKind};

use super::Lowering;
use super::apply::{Operand, Pending};
use crate::kernel::{Alternative, Argument, Atom, ErrorKind, Expr, ExprId, Pattern};

impl Lowering<'_> {
    /// `C { x = 1, .. }`.
    pub(super) fn record(
        &mut self,
        expr: SyntaxId,
        head: SyntaxId,
        fields: &[FieldValue],
        span: Span,
    ) -> ExprId {
        let Note::Use(named) = self.notes().expr(head) else { return self.unknown("a constructor", span) };
        let Entity::Constructor(constructor) = named.entity else {
            return self.unknown("a constructor", span);
        };
        let mut pending = Pending::default();
        let dictionaries = self.notes().dicts(named.dictionaries);
        let leading = self.dictionary_arguments(dictionaries, span, &mut pending);
        let mut operands: Vec<Option<Operand>> = vec![None; self.typed.constructors[constructor].arity()];
        for field in fields {
            let Some((selector, operand)) = self.field_value(field, &mut pending) else { continue };
            let position = self.field_position(selector, constructor);
            if let Some(place) = position.and_then(|position| operands.get_mut(position)) {
                *place = Some(operand);
            }
        }
        for &(position, named) in self.notes().expr_rest(expr) {
            let value = self.use_applied(named, &[], span, span);
            let atom = self.atom_of(value, &mut pending);
            if let Some(place) = operands.get_mut(position as usize) {
                *place = Some(Operand::Atom(Argument { atom, span }));
            }
        }
        let mut complete = Vec::with_capacity(operands.len());
        for (operand, field) in operands.into_iter().zip(&self.typed.constructors[constructor].fields) {
            complete.push(match operand {
                Some(operand) => operand,
                None => {
                    let name = match field.name {
                        Some(name) => self.symbol_name(name),
                        None => self.out.name(""),
                    };
                    let missing = self.made(Expr::Error(ErrorKind::MissingField, name), span);
                    Operand::Atom(Argument { atom: self.atom_of(missing, &mut pending), span })
                }
            });
        }
        self.construct(constructor, leading, &complete, span, pending)
    }

    /// The selector and the value of `x = e` or of `x` alone.
    fn field_value(&mut self, field: &FieldValue, pending: &mut Pending) -> Option<(ValueId, Operand)> {
        let NameNote::Field { selector, pun } = self.notes().name(field.field) else { return None };
        let operand = match (field.value, pun) {
            (Some(value), _) => Operand::Syntax(value),
            (None, Some(named)) => {
                let span = self.tree().span_of(self.tree().name(field.field).place);
                let value = self.use_applied(named, &[], span, span);
                Operand::Atom(Argument { atom: self.atom_of(value, pending), span })
            }
            (None, None) => return None,
        };
        Some((selector, operand))
    }

    /// `e { x = 1 }`: the same constructor with some fields changed.
    pub(super) fn update(&mut self, subject: SyntaxId, fields: &[FieldValue], span: Span) -> ExprId {
        let mut pending = Pending::default();
        let mut changes: Vec<(ValueId, Argument)> = Vec::new();
        for field in fields {
            if let Some((selector, operand)) = self.field_value(field, &mut pending) {
                changes.push((selector, self.argument(operand, &mut pending)));
            }
        }
        let candidates: Vec<ConstructorId> =
            match changes.first().map(|(first, _)| &self.typed.values[*first].kind) {
                Some(ValueKind::Field { positions, .. }) => {
                    positions.iter().map(|&(constructor, _)| constructor).collect()
                }
                _ => return self.unknown("a field", span),
            };
        if let ([constructor], [(_, value)]) = (candidates.as_slice(), changes.as_slice())
            && self.is_newtype(*constructor)
        {
            let expr = self.atom_expr(*value, false);
            return self.close(pending, expr);
        }
        let mut alternatives = Vec::new();
        for &constructor in &candidates {
            let positions: Option<Vec<usize>> =
                changes.iter().map(|(selector, _)| self.field_position(*selector, constructor)).collect();
            let Some(positions) = positions else { continue };
            alternatives.push(self.updated(constructor, &positions, &changes, span));
        }
        let of = candidates.first().map(|&constructor| self.typed.constructors[constructor].of);
        let all = of.map_or(0, |of| self.typed.type_constructors[of].constructors().len());
        let default = (alternatives.len() < all).then(|| {
            let nothing = self.out.name("");
            self.made(Expr::Error(ErrorKind::NoUpdate, nothing), span)
        });
        let scrutinee = self.expr(subject);
        let case = self.case(scrutinee, alternatives, default, span);
        self.out.set_span(case, span, false);
        self.close(pending, case)
    }

    fn updated(
        &mut self,
        constructor: ConstructorId,
        positions: &[usize],
        changes: &[(ValueId, Argument)],
        span: Span,
    ) -> Alternative {
        let con = self.kernel_constructor(constructor);
        let stored = self.typed.constructors[constructor].dictionaries as usize;
        let variables = self.field_variables(constructor);
        let mut arguments: Vec<Argument> =
            variables.iter().map(|&variable| Argument { atom: Atom::Variable(variable), span }).collect();
        // Strict fields that do not change are evaluated already.
        let mut forced = Vec::new();
        for (&position, (_, value)) in positions.iter().zip(changes) {
            let strict = self.typed.constructors[constructor].fields[position].strict;
            arguments[stored + position] = match value.atom {
                Atom::Variable(_) | Atom::Function(_) if strict => {
                    let variable = self.fresh();
                    forced.push((variable, *value));
                    Argument { atom: Atom::Variable(variable), span: value.span }
                }
                _ => *value,
            };
        }
        let arguments = self.out.add_list(&arguments);
        let mut body = self.written(Expr::Construct(con, arguments), span);
        for (variable, value) in forced.into_iter().rev() {
            let value = self.atom_expr(value, true);
            body = self.force(value, Some(variable), body, span);
        }
        let variables = self.out.add_list(&variables);
        Alternative { pattern: Pattern::Constructor(con, variables), body }
    }
}
