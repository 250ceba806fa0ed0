//! Patterns.

use super::{Associativity, ExprId, List, Literal, NameId, PatId, Tree, TypeId};
use crate::names::Symbol;

/// A pattern.
#[derive(Clone, Copy, Debug)]
pub enum Pat {
    /// Stands where the text could not be read; there is a diagnostic.
    Missing,
    /// `_`.
    Wildcard,
    /// `x`. In Curry, where case is only a habit, perhaps a constructor of that name.
    Var(Symbol),
    /// A literal; with a `-` before it if `negative`.
    Literal {
        /// The literal.
        literal: Literal,
        /// Whether a `-` stands before it.
        negative: bool,
    },
    /// `C p q`, or `C` alone; in Curry also `f p`: a functional pattern, if `f` is not a constructor.
    Apply {
        /// The constructor or function.
        head: NameId,
        /// Its arguments.
        arguments: List<PatId>,
    },
    /// `C { x = p, .. }`.
    Record {
        /// The constructor.
        head: NameId,
        /// The fields.
        fields: List<FieldPattern>,
        /// Whether `..` stands at the end.
        rest: bool,
    },
    /// An operator chain as it was written; [`crate::resolve_fixities`] turns every one into `Operators`.
    Infix(List<PatItem>),
    /// Operators of one precedence and associativity with their operands, alternating: `x : y : zs`.
    Operators(Associativity, List<PatItem>),
    /// `(p, q)`; at least two.
    Tuple(List<PatId>),
    /// `[p, q]`; at least one.
    List(List<PatId>),
    /// `(p)`.
    Paren(PatId),
    /// `x@p`.
    As(NameId, PatId),
    /// `~p`.
    Lazy(PatId),
    /// `!p`.
    Bang(PatId),
    /// `p :: t`.
    Typed(PatId, TypeId),
    /// `e -> p`.
    View(ExprId, PatId),
}

/// A part of an operator chain.
#[derive(Clone, Copy, Debug)]
pub enum PatItem {
    /// An operand.
    Operand(PatId),
    /// An operator: of a constructor or, in Curry, of a function.
    Operator(NameId),
}

/// `field = p`, or `field` alone.
#[derive(Clone, Copy, Debug)]
pub struct FieldPattern {
    /// The field.
    pub field: NameId,
    /// What its value must match; none where a variable of the field's name is bound.
    pub pattern: Option<PatId>,
}

impl Tree {
    /// Pushes the direct parts of a pattern onto a stack, the last part first: popped, they come in the order of the text.
    pub fn push_parts(&self, pattern: PatId, stack: &mut Vec<PatId>) {
        match *self.get(pattern) {
            Pat::Apply { arguments: parts, .. } | Pat::Tuple(parts) | Pat::List(parts) => {
                stack.extend(self.list(parts).iter().rev());
            }
            Pat::Record { fields, .. } => {
                stack.extend(self.list(fields).iter().rev().filter_map(|field| field.pattern));
            }
            Pat::Infix(items) | Pat::Operators(_, items) => {
                stack.extend(self.list(items).iter().rev().filter_map(|item| match *item {
                    PatItem::Operand(operand) => Some(operand),
                    PatItem::Operator(_) => None,
                }));
            }
            Pat::As(_, inside)
            | Pat::Paren(inside)
            | Pat::Lazy(inside)
            | Pat::Bang(inside)
            | Pat::Typed(inside, _)
            | Pat::View(_, inside) => stack.push(inside),
            Pat::Missing | Pat::Wildcard | Pat::Var(_) | Pat::Literal { .. } => {}
        }
    }
}
