//! Types, kinds and class constraints: one grammar.

use super::{Associativity, List, NameId, Place, TypeId};
use crate::names::{QName, Symbol};

/// A type, a kind or a class constraint.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// Stands where the text could not be read; there is a diagnostic.
    Missing,
    /// `a`.
    Var(Symbol),
    /// `Int`, `()`, `[]`, `(->)`, `(,)`, and `*` among kinds.
    Con(QName),
    /// `_`.
    Wildcard,
    /// `Maybe a`.
    Apply {
        /// What is applied; never an `Apply` itself, unless in parentheses.
        function: TypeId,
        /// To what; at least one.
        arguments: List<TypeId>,
    },
    /// `a -> b -> c`: the parameters, then the result.
    Function(List<TypeId>),
    /// `(a, b)`; at least two.
    Tuple(List<TypeId>),
    /// `[a]`.
    List(TypeId),
    /// `(a)`.
    Paren(TypeId),
    /// `!a`, in a constructor's field.
    Strict(TypeId),
    /// `~a`, in a constructor's field: not strict, whatever an extension says.
    Lazy(TypeId),
    /// `forall a b. t`.
    Forall(List<TypeVar>, TypeId),
    /// `(Eq a, Show a) => t`.
    Qualified {
        /// The constraints.
        context: List<TypeId>,
        /// What they constrain.
        body: TypeId,
    },
    /// `a :: k`, in parentheses.
    Kinded(TypeId, TypeId),
    /// An operator chain as it was written; [`crate::resolve_fixities`] turns every one into `Operators`.
    Infix(List<TypeItem>),
    /// Operators of one precedence and associativity with their operands, alternating.
    Operators(Associativity, List<TypeItem>),
}

/// A part of an operator chain.
#[derive(Clone, Copy, Debug)]
pub enum TypeItem {
    /// An operand.
    Operand(TypeId),
    /// An operator.
    Operator(NameId),
}

/// A type variable where it is bound.
#[derive(Clone, Copy, Debug)]
pub struct TypeVar {
    /// The variable.
    pub symbol: Symbol,
    /// Where it stands.
    pub place: Place,
    /// Its kind, if it was said.
    pub kind: Option<TypeId>,
}
