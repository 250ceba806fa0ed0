//! `Show`, as the report has it: infix constructors and records as they were declared, parentheses where needed.

use gadfly_typing::KnownClass;

use super::{Deriving, argument};
use crate::kernel::{ExprId, VarId};
use crate::lower::Lowering;
use crate::lower::apply::Pending;
use crate::lower::known::KnownValue;

/// A piece of the text of a value: `Show` writes it, `Read` expects it.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Text(String),
    /// A field, shown at a precedence.
    Field(usize, i64),
}

/// The precedence of an application.
pub(super) const APPLICATION: i64 = 10;

impl Lowering<'_> {
    /// The text of a constructor and its fields, and the precedence above which it is in parentheses.
    pub(super) fn layout(&mut self, this: Deriving, number: usize) -> (Vec<Piece>, Option<i64>) {
        let constructor = self.constructors_of(this.of)[number];
        let infix = self.constructor_infix(constructor);
        let info = &self.typed.constructors[constructor];
        let name = self.text(info.name);
        let symbolic = is_symbolic(name);
        let prefix = if symbolic { format!("({name})") } else { name.to_owned() };
        let labels: Vec<&str> =
            info.fields.iter().filter_map(|field| field.name).map(|name| self.text(name)).collect();
        let text = |text: String| Piece::Text(text);
        if info.fields.is_empty() {
            let braces = if labels.is_empty() { "" } else { "{}" };
            return (vec![text(format!("{prefix}{braces}"))], None);
        }
        if !labels.is_empty() && labels.len() == info.fields.len() {
            let mut pieces = vec![text(format!("{prefix} {{"))];
            for (field, label) in labels.iter().enumerate() {
                let comma = if field > 0 { ", " } else { "" };
                let label = if is_symbolic(label) { format!("({label})") } else { (*label).to_owned() };
                pieces.push(text(format!("{comma}{label} = ")));
                pieces.push(Piece::Field(field, 0));
            }
            pieces.push(text("}".to_owned()));
            return (pieces, Some(APPLICATION));
        }
        if let Some(fixity) = infix {
            let precedence = i64::from(fixity.precedence);
            let operator = if symbolic { format!(" {name} ") } else { format!(" `{name}` ") };
            let pieces =
                vec![Piece::Field(0, precedence + 1), text(operator), Piece::Field(1, precedence + 1)];
            return (pieces, Some(precedence));
        }
        let mut pieces = vec![text(prefix)];
        for field in 0..info.fields.len() {
            pieces.push(text(" ".to_owned()));
            pieces.push(Piece::Field(field, APPLICATION + 1));
        }
        (pieces, Some(APPLICATION))
    }

    /// `showsPrec precedence value rest`.
    pub(super) fn derived_show(
        &mut self,
        this: Deriving,
        precedence: VarId,
        value: VarId,
        rest: VarId,
    ) -> ExprId {
        let span = this.span;
        self.for_each(this, value, |lowering, number, fields| {
            let (pieces, parentheses) = lowering.layout(this, number);
            let Some(above) = parentheses else {
                return lowering.shown(this, number, &pieces, fields, rest);
            };
            let fields = fields.to_vec();
            let function = lowering.part(this, "shown", 1);
            let end = lowering.parameter(function, 0);
            let body =
                lowering.inside(function, |lowering| lowering.shown(this, number, &pieces, &fields, end));
            lowering.set_body(function, body);
            let above = lowering.number(above, span);
            let inside = lowering.arithmetic("Lt", &[above, argument(precedence, span)], span);
            let mut pending = Pending::default();
            let close = lowering.character(')', span);
            let close = lowering.cons(close, argument(rest, span), span);
            let close = lowering.argument_of(close, &mut pending, span);
            let shown = lowering.call_atoms(function, &[close], span);
            let shown = lowering.argument_of(shown, &mut pending, span);
            let open = lowering.character('(', span);
            let yes = lowering.cons(open, shown, span);
            let yes = lowering.close(pending, yes);
            let no = lowering.call_atoms(function, &[argument(rest, span)], span);
            lowering.choose(inside, yes, no, span)
        })
    }

    /// The pieces one after the other, then what follows.
    fn shown(
        &mut self,
        this: Deriving,
        number: usize,
        pieces: &[Piece],
        fields: &[VarId],
        rest: VarId,
    ) -> ExprId {
        let span = this.span;
        let Some(append) = self.known_function(KnownValue::Append) else {
            return self.unknown("++", span);
        };
        let mut pending = Pending::default();
        let mut tail = argument(rest, span);
        let mut merged: Vec<Piece> = Vec::new();
        for piece in pieces {
            match (merged.last_mut(), piece) {
                (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(text),
                _ => merged.push(piece.clone()),
            }
        }
        let mut last = None;
        for (at, piece) in merged.iter().enumerate().rev() {
            let expr = match piece {
                Piece::Text(text) => {
                    let text = self.text_argument(text, span);
                    self.call_atoms(append, &[text, tail], span)
                }
                Piece::Field(field, precedence) => {
                    let precedence = self.number(*precedence, span);
                    let operands = [precedence, argument(fields[*field], span), tail];
                    match this.dictionary(number, *field) {
                        Some(dictionary) => self.method(this.class, "showsPrec", dictionary, &operands, span),
                        None => self.unknown("showsPrec", span),
                    }
                }
            };
            match at {
                0 => last = Some(expr),
                _ => tail = self.argument_of(expr, &mut pending, span),
            }
        }
        let expr = match last {
            Some(expr) => expr,
            None => self.atom_expr(tail, true),
        };
        self.close(pending, expr)
    }

    pub(super) fn read_class(&self) -> Option<gadfly_typing::interface::ClassId> {
        self.typed.known.class(KnownClass::Read)
    }
}

fn is_symbolic(name: &str) -> bool {
    name.starts_with(|first: char| !first.is_alphanumeric() && first != '_')
}
