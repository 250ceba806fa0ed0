//! What a program is made of once it has been read: functions, their statements, their expressions.

use gadfly_source::{Sources, Span};

/// A program that was read and checked: every name in it is known, and every call has as many arguments as its function
/// has parameters.
#[derive(Clone)]
pub(crate) struct Code {
    /// The file.
    pub(crate) sources: Sources,
    pub(crate) functions: Vec<Function>,
    /// The function that is run: an index into the functions.
    pub(crate) main: usize,
}

#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// All of it, from `fn` on.
    pub(crate) span: Span,
    /// The names of its variables, the parameters first.
    pub(crate) variables: Vec<String>,
    /// How many of them are parameters.
    pub(crate) arity: usize,
    /// Its pieces, in the order of the text.
    pub(crate) pieces: Vec<Piece>,
    pub(crate) body: Vec<Statement>,
}

/// A piece of code that is a node of its own when one looks inside of a call.
#[derive(Clone)]
pub(crate) struct Piece {
    pub(crate) kind: PieceKind,
    /// All of it.
    pub(crate) span: Span,
    /// What of it is in no other piece: of `while x { … }`, it is `while x`; of a round, too, since the loop goes on.
    pub(crate) own: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PieceKind {
    Statement,
    Loop,
    /// One round of a loop.
    Round,
}

#[derive(Clone)]
pub(crate) struct Statement {
    /// An index into the function's pieces.
    pub(crate) piece: usize,
    pub(crate) action: Action,
}

#[derive(Clone)]
pub(crate) enum Action {
    Assign(usize, Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// The piece that is a round, behind the condition.
    While(Expression, usize, Vec<Statement>),
    Return(Expression),
    Print(Expression),
    Do(Expression),
}

#[derive(Clone)]
pub(crate) enum Expression {
    Number(i64),
    Variable(usize),
    Call(usize, Vec<Expression>),
    /// An operator as it is written, between two expressions.
    Binary(&'static str, Box<(Expression, Expression)>),
}

impl Code {
    /// The text of a piece of the file.
    pub(crate) fn text(&self, span: Span) -> &str {
        let text = self.sources.file(span.file).text().unwrap_or_default();
        text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The number of a function.
    pub(crate) fn function(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|function| function.name == name)
    }
}
