//! Expressions and what they are made of.

use super::{Associativity, DeclId, ExprId, Guarded, List, NameId, PatId, Place, Rhs, TypeId};
use crate::names::{QName, Symbol};

/// An expression.
#[derive(Clone, Copy, Debug)]
pub enum Expr {
    /// Stands where the text could not be read; there is a diagnostic.
    Missing,
    /// A variable or an operator used as one: `x`, `(+)`, and the operator of a chain.
    Var(QName),
    /// A constructor by its spelling: `Just`, `(:)`, `()`, `[]`, `(,)`. In Curry, perhaps a function of that name.
    Con(QName),
    /// A number, a character or a string.
    Literal(Literal),
    /// `f x y`.
    Apply {
        /// What is applied; never an `Apply` itself, unless in parentheses.
        function: ExprId,
        /// To what; at least one.
        arguments: List<ExprId>,
    },
    /// `f @Int`.
    ApplyType {
        /// What is applied.
        function: ExprId,
        /// To which type.
        argument: TypeId,
    },
    /// An operator chain as it was written; [`crate::resolve_fixities`] turns every one into the next two.
    Infix(List<Item>),
    /// Operators of one precedence and associativity with their operands, alternating: `a + b - c`.
    Operators(Associativity, List<ExprId>),
    /// `- x`.
    Negate(ExprId),
    /// `\x y -> e`.
    Lambda {
        /// At least one.
        parameters: List<PatId>,
        /// The body.
        body: ExprId,
    },
    /// `let decls in e`.
    Let {
        /// The declarations.
        decls: List<DeclId>,
        /// The body.
        body: ExprId,
    },
    /// `if a then x else if b then y else z`, as one node.
    If {
        /// The conditions in order, each with its result.
        branches: List<Branch>,
        /// The last `else`.
        otherwise: ExprId,
    },
    /// `if | a -> x | b -> y`.
    MultiIf(List<Guarded>),
    /// `case e of alternatives`.
    Case {
        /// What is examined.
        scrutinee: ExprId,
        /// In order.
        alternatives: List<Alternative>,
        /// Curry's `fcase`.
        flexible: bool,
    },
    /// `\case alternatives`.
    LambdaCase(List<Alternative>),
    /// `do { statements }`.
    Do(List<Stmt>),
    /// `(a, b)`; at least two.
    Tuple(List<ExprId>),
    /// `(a, , c)`; at least one is absent.
    TupleSection(List<Option<ExprId>>),
    /// `(e)`.
    Paren(ExprId),
    /// `[a, b]`; at least one. The empty list is a constructor.
    List(List<ExprId>),
    /// `[a ..]`, `[a, b .. c]`.
    Sequence {
        /// The first element.
        from: ExprId,
        /// The second.
        then: Option<ExprId>,
        /// The last.
        to: Option<ExprId>,
    },
    /// `[e | qualifiers]`.
    Comprehension {
        /// The element.
        body: ExprId,
        /// Generators, conditions and `let`s.
        qualifiers: List<Stmt>,
    },
    /// `(e +)`.
    LeftSection {
        /// The left operand.
        operand: ExprId,
        /// The operator, a `Var` or `Con`.
        operator: ExprId,
    },
    /// `(+ e)`.
    RightSection {
        /// The operator, a `Var` or `Con`.
        operator: ExprId,
        /// The right operand.
        operand: ExprId,
    },
    /// `C { x = 1, .. }`.
    Construct {
        /// A `Con`.
        constructor: ExprId,
        /// The fields.
        fields: List<FieldValue>,
        /// Whether `..` stands at the end.
        rest: bool,
    },
    /// `e { x = 1 }`.
    Update {
        /// What is copied.
        subject: ExprId,
        /// The fields that change; at least one.
        fields: List<FieldValue>,
    },
    /// `e :: t`.
    Typed(ExprId, TypeId),
    /// `_`: in Curry, an anonymous free variable.
    Wildcard,
    /// `x@p`: only while the parser does not know yet that it reads a pattern.
    #[doc(hidden)]
    As(NameId, ExprId),
    /// `~p`: likewise.
    #[doc(hidden)]
    Lazy(ExprId),
    /// `!p`: likewise.
    #[doc(hidden)]
    Bang(ExprId),
    /// `e -> p`: likewise.
    #[doc(hidden)]
    View(ExprId, ExprId),
}

/// A number, a character or a string.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// An integer that fits.
    Integer(u32),
    /// A larger integer: its digits without `_`, after `0x`, `0o` or `0b` where it was so written.
    LargeInteger(Symbol),
    /// A number with a point or an exponent: as written, without `_`.
    Fractional(Symbol),
    /// A character, by its code point. Haskell has the surrogates too.
    Char(u32),
    /// A string, by its code points.
    String(List<u32>),
}

/// A part of an operator chain.
#[derive(Clone, Copy, Debug)]
pub enum Item {
    /// An operand.
    Operand(ExprId),
    /// An operator: a `Var` or a `Con`.
    Operator(ExprId),
    /// The `-` of a negation; its first byte.
    Negate(u32),
}

/// One `if a then x` of a chain.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// The first byte of this `if`.
    pub start: u32,
    /// The condition.
    pub condition: ExprId,
    /// The result.
    pub then: ExprId,
}

/// `pattern -> e` or `pattern | guards -> e ...`, with its `where`.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    /// Where it stands.
    pub place: Place,
    /// What must match.
    pub pattern: PatId,
    /// The result.
    pub rhs: Rhs,
}

/// A statement of a `do` block, a qualifier of a comprehension, or a guard.
#[derive(Clone, Copy, Debug)]
pub struct Stmt {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub kind: StmtKind,
}

/// What a statement is.
#[derive(Clone, Copy, Debug)]
pub enum StmtKind {
    /// `p <- e`.
    Bind(PatId, ExprId),
    /// `let decls`.
    Let(List<DeclId>),
    /// `e`.
    Expr(ExprId),
}

/// `field = e`, or `field` alone.
#[derive(Clone, Copy, Debug)]
pub struct FieldValue {
    /// The field.
    pub field: NameId,
    /// Its value; none where the variable of the field's name is meant.
    pub value: Option<ExprId>,
}

const _: () = assert!(size_of::<Expr>() <= 16 && size_of::<Option<ExprId>>() == 4);
