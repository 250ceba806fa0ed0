//! Expressions.

use gadfly_source::Span;

use super::{ConId, ExprId, FunId, List, LiteralId, Name, PrimId, Program, VarId};

/// An expression.
#[derive(Clone, Copy, Debug)]
pub enum Expr {
    /// A variable, a literal, or a function of at least one parameter as a value.
    Atom(Atom),
    /// A function with all its arguments, perhaps none.
    Call(FunId, List<Argument>),
    /// An unknown function with at least one argument.
    Apply(Atom, List<Argument>),
    /// A function with some of its arguments, at least one.
    Partial(FunId, List<Argument>),
    /// A constructor with all its arguments.
    Construct(ConId, List<Argument>),
    /// A primitive of the machine with all its arguments.
    Primitive(PrimId, List<Argument>),
    /// Binds variables to expressions that are evaluated when needed; the bindings are mutually recursive.
    Let(List<Binding>, ExprId),
    /// Evaluates an expression and goes on as its value says.
    Case(Case),
    /// Curry's alternatives; at least two.
    Or(List<ExprId>),
    /// Curry's free variables.
    Free(List<VarId>, ExprId),
    /// `first`, and `otherwise` where it ends in [`Expr::Fall`].
    Try {
        /// What is done first.
        first: ExprId,
        /// What is done if that falls.
        otherwise: ExprId,
    },
    /// Continues with the `otherwise` of the innermost enclosing [`Expr::Try`].
    Fall,
    /// The computation fails in Curry's sense: the search continues with other alternatives.
    Failure,
    /// Ends the program with a message; the span says where.
    Error(ErrorKind, Name),
    /// Here an equation of the function has been selected.
    Rule {
        /// The equation, from 1.
        rule: u32,
        /// The guarded alternative of the equation, from 1; 0 if it has no guards.
        alternative: u32,
        /// What the equation says.
        body: ExprId,
    },
}

/// An argument that needs no evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A variable.
    Variable(VarId),
    /// A literal. A string is one: it becomes a list when it is examined.
    Literal(LiteralId),
    /// A function as a value; without parameters, a constant that is shared.
    Function(FunId),
    /// A constructor without fields.
    Constructor(ConId),
}

/// An argument, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// What it is.
    pub atom: Atom,
    /// The source that a person would point at.
    pub span: Span,
}

/// A variable and what it is bound to.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The variable.
    pub variable: VarId,
    /// Its value, once it is needed.
    pub value: ExprId,
}

/// Evaluates an expression and goes on as its value says.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What is evaluated to weak head normal form.
    pub scrutinee: ExprId,
    /// A name for its value.
    pub variable: VarId,
    /// By constructor or by literal, each at most once.
    pub alternatives: List<Alternative>,
    /// The branch for all other values. A case with this branch only evaluates its scrutinee.
    pub default: Option<ExprId>,
    /// Whether a free variable is bound to each of the patterns in turn, instead of waiting for its value.
    pub flexible: bool,
}

/// A constructor or literal and what is done then.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    /// What the value must be.
    pub pattern: Pattern,
    /// What is done then.
    pub body: ExprId,
}

/// A flat pattern.
#[derive(Clone, Copy, Debug)]
pub enum Pattern {
    /// A constructor with a variable for each of its arguments.
    Constructor(ConId, List<VarId>),
    /// A literal that is not a string.
    Literal(LiteralId),
}

/// A literal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// `Int`.
    Int(i64),
    /// `Word`.
    Word(u64),
    /// `Integer`: its decimal digits, perhaps after a `-`.
    Integer(Box<str>),
    /// `Char`, by its code point; surrogates among them.
    Char(u32),
    /// `Double`, by its bits.
    Double(u64),
    /// `Float`, by its bits.
    Float(u32),
    /// A string, by its code points; not empty.
    String(Box<[u32]>),
}

/// Why the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// No equation of a function fits; its name.
    NoEquation,
    /// No alternative of a `case` fits; no text.
    NoAlternative,
    /// No guard of a multi-way `if` holds; no text.
    NoGuard,
    /// The pattern of a lambda does not fit; no text.
    NoLambda,
    /// An irrefutable pattern does not fit; no text.
    Irrefutable,
    /// An instance does not define a method; its name.
    MissingMethod,
    /// A record was made without a field; its name.
    MissingField,
    /// A record has no such field; its name.
    NoField,
    /// No constructor has all the fields of a record update; no text.
    NoUpdate,
    /// A derived method refuses its argument; the text is the message.
    Derived,
    /// The program has errors, and a name here has no meaning; the text says which.
    Unknown,
}

impl Program {
    /// Calls `visit` with the direct parts of an expression, in order, each with its place in the sense of S4 §5.3.2.
    ///
    /// Of a `let` with n bindings these are the places 1 to n and, for the body, n + 1 (with one binding: S4's 1 and
    /// 2); of a `case`, 1 for the scrutinee and (2, i) for the alternatives, the default last.
    pub fn parts(&self, expr: ExprId, mut visit: impl FnMut(Part)) {
        let mut one = |place: u32, expr: ExprId| visit(Part { place, inner: None, expr });
        match self.expr(expr) {
            Expr::Let(bindings, body) => {
                for (binding, place) in self.list(bindings).iter().zip(1..) {
                    one(place, binding.value);
                }
                one(bindings.len() as u32 + 1, body);
            }
            Expr::Case(case) => {
                one(1, case.scrutinee);
                let alternatives = self.list(case.alternatives).iter().map(|alternative| alternative.body);
                for (expr, number) in alternatives.chain(case.default).zip(1..) {
                    visit(Part { place: 2, inner: Some(number), expr });
                }
            }
            Expr::Or(alternatives) => {
                for (&expr, place) in self.list(alternatives).iter().zip(1..) {
                    one(place, expr);
                }
            }
            Expr::Free(_, body) | Expr::Rule { body, .. } => one(1, body),
            Expr::Try { first, otherwise } => {
                one(1, first);
                one(2, otherwise);
            }
            Expr::Atom(_)
            | Expr::Call(..)
            | Expr::Apply(..)
            | Expr::Partial(..)
            | Expr::Construct(..)
            | Expr::Primitive(..)
            | Expr::Fall
            | Expr::Failure
            | Expr::Error(..) => {}
        }
    }

    /// Calls `visit` with every expression inside one, itself first, in the order of the text.
    pub fn walk(&self, root: ExprId, mut visit: impl FnMut(ExprId)) {
        let mut stack = Vec::with_capacity(64);
        stack.push(root);
        while let Some(expr) = stack.pop() {
            visit(expr);
            let from = stack.len();
            self.parts(expr, |part| stack.push(part.expr));
            stack[from..].reverse();
        }
    }

    /// The arguments of an expression that has some.
    pub fn arguments(&self, expr: ExprId) -> &[Argument] {
        match self.expr(expr) {
            Expr::Call(_, arguments)
            | Expr::Apply(_, arguments)
            | Expr::Partial(_, arguments)
            | Expr::Construct(_, arguments)
            | Expr::Primitive(_, arguments) => self.list(arguments),
            _ => &[],
        }
    }
}

/// A direct part of an expression.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its number among the parts, from 1.
    pub place: u32,
    /// Of an alternative: its number, from 1.
    pub inner: Option<u32>,
    /// The part.
    pub expr: ExprId,
}

const _: () = assert!(size_of::<Expr>() <= 28 && size_of::<Atom>() == 8);
