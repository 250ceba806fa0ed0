//! Tokens: what the lexer makes and the parser reads.

use gadfly_source::Span;

use crate::names::{QName, Symbol};
use crate::tree::{Literal, Overlap, Place};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    // Names. The value is a symbol; of the qualified ones, an index into `Tokens::qualified`.
    VarId,
    ConId,
    QVarId,
    QConId,
    VarSym,
    ConSym,
    QVarSym,
    QConSym,
    // Operators with a second meaning. The value is a symbol.
    Minus,
    Bang,
    Dot,
    Star,
    // Literals. The value is an index into `Tokens::literals`.
    Integer,
    Fractional,
    Char,
    String,
    // Brackets and separators.
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Semicolon,
    Backquote,
    // Reserved words.
    Case,
    Class,
    Data,
    Default,
    Deriving,
    Do,
    Else,
    External,
    Fcase,
    Foreign,
    Free,
    If,
    Import,
    In,
    Infix,
    Infixl,
    Infixr,
    Instance,
    Let,
    Module,
    Newtype,
    Of,
    Then,
    Type,
    Where,
    Underscore,
    // Reserved operators.
    DotDot,
    Colon,
    DoubleColon,
    Equals,
    Backslash,
    Bar,
    LeftArrow,
    RightArrow,
    At,
    Tilde,
    DoubleArrow,
    /// Something the lexer could not read and has already complained about.
    Bad,
    /// A `;` that the layout implies.
    VirtualSemicolon,
    /// A `}` that the layout implies.
    VirtualClose,
    /// The end of the file.
    End,
}

/// The first token of its line: the layout looks at its column.
pub(crate) const FIRST_ON_LINE: u8 = 1;
/// Nothing that could end an expression stands directly before it.
pub(crate) const SPACE_BEFORE: u8 = 2;
/// White space or the end of the file stands directly after it.
pub(crate) const SPACE_AFTER: u8 = 4;

/// A token: 20 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) flags: u8,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// From 1, in characters, with tabs to the next multiple of 8.
    pub(crate) column: u32,
    pub(crate) value: u32,
}

impl Token {
    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub(crate) fn place(&self) -> Place {
        Place { start: self.start, end: self.end }
    }

    /// The symbol of an unqualified name.
    pub(crate) fn symbol(&self) -> Symbol {
        Symbol::from_index(self.value)
    }

    /// Written like a prefix: `f !x`, `f @Int`, not `a ! b` nor `a!b`.
    pub(crate) fn is_prefix(&self) -> bool {
        self.has(SPACE_BEFORE) && !self.has(SPACE_AFTER)
    }
}

/// The tokens of a file; the last one is [`Kind::End`].
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    pub(crate) tokens: Vec<Token>,
    pub(crate) qualified: Vec<QName>,
    pub(crate) literals: Vec<Literal>,
    /// The extensions that `LANGUAGE` pragmas name, and where.
    pub(crate) extensions: Vec<(Symbol, Span)>,
    /// The pragmas that say how an instance overlaps, each with the number of the token that follows it.
    pub(crate) overlaps: Vec<(usize, Overlap)>,
    /// A comment is never closed.
    pub(crate) cut_short: bool,
}
