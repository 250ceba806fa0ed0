//! `Read`: reads the text that derived `Show` writes, with parentheses and spaces anywhere.
//!
//! A constructor is read by a loop for each lexeme and each field, nested as the generators of a list comprehension.

use gadfly_source::Span;
use gadfly_typing::builtin;

use super::show::Piece;
use super::{Deriving, argument};
use crate::kernel::{Alternative, Argument, Expr, ExprId, FunId, List, Literal, Pattern, VarId};
use crate::lower::Lowering;
use crate::lower::apply::Pending;
use crate::lower::known::KnownValue;
use crate::lower::statement::Tail;

impl Lowering<'_> {
    /// `readsPrec precedence text`.
    pub(super) fn derived_read(&mut self, this: Deriving, precedence: VarId, text: VarId) -> ExprId {
        let span = this.span;
        let known = [KnownValue::ReadParen, KnownValue::Append, KnownValue::Lex];
        let [Some(read_paren), Some(append), Some(lex)] = known.map(|known| self.known_function(known))
        else {
            return self.unknown("readParen, ++ or lex", span);
        };
        let mut found: Option<ExprId> = None;
        for number in (0..self.constructors_of(this.of).len()).rev() {
            let (pieces, parentheses) = self.layout(this, number);
            let reader = self.reader(this, number, &lexemes(&pieces), lex);
            let mut pending = Pending::default();
            let needed = match parentheses {
                Some(above) => {
                    let above = self.number(above, span);
                    self.arithmetic("Lt", &[above, argument(precedence, span)], span)
                }
                None => self.truth(false, span),
            };
            let needed = self.argument_of(needed, &mut pending, span);
            let reader = self.call_atoms(reader, &[], span);
            let reader = self.argument_of(reader, &mut pending, span);
            let these = self.call_atoms(read_paren, &[needed, reader, argument(text, span)], span);
            let these = self.close(pending, these);
            found = Some(match found {
                None => these,
                Some(others) => {
                    let mut pending = Pending::default();
                    let these = self.argument_of(these, &mut pending, span);
                    let others = self.argument_of(others, &mut pending, span);
                    let both = self.call_atoms(append, &[these, others], span);
                    self.close(pending, both)
                }
            });
        }
        match found {
            Some(expr) => expr,
            None => self.tail(Tail::Nothing, span),
        }
    }

    /// The function that reads one constructor, without parentheses.
    fn reader(&mut self, this: Deriving, number: usize, pieces: &[Piece], lex: FunId) -> FunId {
        let span = this.span;
        let outside = self.function;
        let reader = self.part(this, "read", 1);
        self.function = reader;
        let mut text = self.parameter(reader, 0);
        let mut hole = self.out.function(reader).body;
        let mut tail = Tail::Nothing;
        let mut functions = vec![reader];
        let mut fields: Vec<(usize, Argument)> = Vec::new();
        for piece in pieces {
            let mut pending = Pending::default();
            let results = match piece {
                Piece::Text(_) => self.call_atoms(lex, &[argument(text, span)], span),
                Piece::Field(field, precedence) => {
                    let operands = [self.number(*precedence, span), argument(text, span)];
                    match (this.dictionary(number, *field), self.read_class()) {
                        (Some(dictionary), Some(class)) => {
                            self.method(class, "readsPrec", dictionary, &operands, span)
                        }
                        _ => self.unknown("readsPrec", span),
                    }
                }
            };
            let results = self.argument_of(results, &mut pending, span);
            let function = self.part(this, "each", 1);
            let call = self.call_atoms(function, &[results], span);
            let call = self.close(pending, call);
            self.fill(hole, call);
            functions.push(function);
            self.function = function;
            let (element, (found, rest)) = self.each(function, tail, span);
            tail = Tail::Loop(function, rest, span);
            let (pattern, parts) = self.fields_of(builtin::tuple_constructor(2));
            let then = self.hole(span);
            let scrutinee = self.variable_expr(element, span);
            let case = self.case(scrutinee, vec![Alternative { pattern, body: then }], None, span);
            self.fill(found, case);
            text = parts[1];
            hole = match piece {
                Piece::Text(expected) => self.expect(parts[0], expected, then, tail, span),
                Piece::Field(field, _) => {
                    fields.push((*field, argument(parts[0], span)));
                    then
                }
            };
        }
        fields.sort_by_key(|(field, _)| *field);
        let fields: Vec<Argument> = fields.into_iter().map(|(_, field)| field).collect();
        let mut pending = Pending::default();
        let value = self.construct_atoms(self.constructors_of(this.of)[number], &fields, span);
        let value = self.argument_of(value, &mut pending, span);
        let pair = self.construct_atoms(builtin::tuple_constructor(2), &[value, argument(text, span)], span);
        let pair = self.argument_of(pair, &mut pending, span);
        let rest = self.tail(tail, span);
        let rest = self.argument_of(rest, &mut pending, span);
        let cell = self.cons(pair, rest, span);
        let cell = self.close(pending, cell);
        self.fill(hole, cell);
        self.function = outside;
        for function in functions {
            self.tidy(self.out.function(function).body);
        }
        reader
    }

    /// Continues in the hole if the lexeme is the expected one; if not, the loop continues.
    fn expect(&mut self, text: VarId, expected: &str, hole: ExprId, tail: Tail, span: Span) -> ExprId {
        let first = self.hole(span);
        let otherwise = self.tail(tail, span);
        self.out.set(hole, Expr::Try { first, otherwise });
        let cons = self.kernel_constructor(builtin::CONS);
        let nil = self.kernel_constructor(builtin::NIL);
        let (mut hole, mut text) = (first, text);
        for character in expected.chars() {
            let (head, rest) = (self.fresh(), self.fresh());
            let variables = self.out.add_list(&[head, rest]);
            let inner = self.hole(span);
            let scrutinee = self.variable_expr(text, span);
            let fall = self.made(Expr::Fall, span);
            let pattern = Pattern::Constructor(cons, variables);
            let case = self.case(scrutinee, vec![Alternative { pattern, body: inner }], Some(fall), span);
            self.fill(hole, case);
            let literal = self.out.add_literal(Literal::Char(character.into()));
            let then = self.hole(span);
            let scrutinee = self.variable_expr(head, span);
            let fall = self.made(Expr::Fall, span);
            let alternative = Alternative { pattern: Pattern::Literal(literal), body: then };
            let case = self.case(scrutinee, vec![alternative], Some(fall), span);
            self.fill(inner, case);
            (hole, text) = (then, rest);
        }
        let then = self.hole(span);
        let scrutinee = self.variable_expr(text, span);
        let fall = self.made(Expr::Fall, span);
        let alternative = Alternative { pattern: Pattern::Constructor(nil, List::EMPTY), body: then };
        let case = self.case(scrutinee, vec![alternative], Some(fall), span);
        self.fill(hole, case);
        then
    }
}

/// The pieces of a value's text as single lexemes.
fn lexemes(pieces: &[Piece]) -> Vec<Piece> {
    let mut found = Vec::new();
    for piece in pieces {
        let Piece::Text(text) = piece else {
            found.push(piece.clone());
            continue;
        };
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let mut rest = word;
            while let Some(first) = rest.chars().next() {
                let single = |char: char| "(),{}`".contains(char);
                let length = match single(first) {
                    true => 1,
                    false => rest.find(single).unwrap_or(rest.len()),
                };
                found.push(Piece::Text(rest[..length].to_owned()));
                rest = &rest[length..];
            }
        }
    }
    found
}
