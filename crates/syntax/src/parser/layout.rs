//! The layout rule (Haskell 2010 §10.3), as part of the parser.
//!
//! The report inserts `{`, `;` and `}` by comparing columns, and also inserts a `}` where the next token
//! would be an error without it ("parse-error(t)"). Here no braces are inserted: [`Parser::settle`] reports
//! to the parser what the columns imply before the next token, and [`Parser::block`] ends an implicit block
//! where its item has ended and no separator follows, which is exactly where parse-error(t) would.

use super::expr::begins_argument;
use super::{Kind, Parse, Parser, Reported};
use crate::token::FIRST_ON_LINE;

/// What the items of a block are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Items {
    TopDeclarations,
    Declarations,
    Statements,
    Alternatives,
    Constructors,
    /// Guards of `if |`: the layout ends them, but puts nothing between them.
    Guards,
    /// Fields between braces.
    Fields,
}

/// A block we are in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// The column of its items; 0 if it has braces.
    column: u32,
    items: Items,
}

impl Context {
    const fn explicit(items: Items) -> Context {
        Context { column: 0, items }
    }
}

impl Parser<'_> {
    /// Determines what comes next: a token, or what the layout implies before it.
    pub(super) fn settle(&mut self) {
        let token = self.tokens[self.at];
        self.now = token.kind;
        let Some(context) = self.layout.last().filter(|context| context.column > 0) else { return };
        if token.kind == Kind::End {
            self.now = Kind::VirtualClose;
        } else if token.has(FIRST_ON_LINE) && !self.settled {
            if token.column < context.column {
                self.now = Kind::VirtualClose;
            } else if token.column == context.column && context.items != Items::Guards {
                self.now = Kind::VirtualSemicolon;
            }
        }
    }

    /// Consumes what comes next.
    pub(super) fn bump(&mut self) {
        match self.now {
            Kind::VirtualSemicolon => {
                self.settled = true;
                self.now = self.token().kind;
            }
            Kind::VirtualClose => {
                self.layout.pop();
                self.settle();
            }
            Kind::End => {}
            _ => {
                self.at += 1;
                self.settled = false;
                self.settle();
            }
        }
    }

    /// Takes a `{` and forgets about columns until its `}`.
    pub(super) fn open_brace(&mut self, items: Items) {
        self.layout.push(Context::explicit(items));
        self.bump();
    }

    /// Takes the `}` that comes next.
    pub(super) fn close_brace(&mut self) {
        self.layout.pop();
        self.bump();
    }

    /// What the innermost block holds, for messages.
    pub(super) fn item(&self) -> &'static str {
        match self.layout.last().map(|context| context.items) {
            None | Some(Items::TopDeclarations | Items::Declarations) => "declaration",
            Some(Items::Statements) => "statement",
            Some(Items::Alternatives) => "alternative",
            Some(Items::Constructors) => "constructor",
            Some(Items::Guards) => "guard",
            Some(Items::Fields) => "field",
        }
    }

    /// Begins an implicit block at the next token if it is indented far enough.
    ///
    /// A `do` block may begin in the column of the block around it, as GHC has it, unless that is the module.
    pub(super) fn open_implicit(&mut self, items: Items) -> bool {
        let token = self.tokens[self.at];
        let around = self.layout.last().map_or(0, |context| context.column);
        let inside = self.layout.last().is_some_and(|context| context.items != Items::TopDeclarations);
        let enough =
            token.column > around || (items == Items::Statements && inside && token.column == around);
        if token.kind == Kind::End || token.column == 0 || !enough {
            return false;
        }
        self.layout.push(Context { column: token.column, items });
        self.settled = true;
        self.now = token.kind;
        true
    }

    /// Ends the implicit block at `level`, wherever we are.
    pub(super) fn close_implicit(&mut self, level: usize) {
        if self.now == Kind::VirtualClose && self.layout.len() == level {
            self.bump();
        } else {
            self.layout.truncate(level - 1);
        }
    }

    /// A block of items, with braces or without. Items that cannot be read are skipped.
    pub(super) fn block<T>(
        &mut self,
        items: Items,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        self.nested(|this| {
            if this.now == Kind::OpenBrace {
                this.explicit_block(items, &mut item)
            } else if this.open_implicit(items) {
                Ok(this.implicit_block(items, &mut item))
            } else {
                Ok(Vec::new())
            }
        })
    }

    fn explicit_block<T>(
        &mut self,
        items: Items,
        item: &mut impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let open = self.here();
        self.open_brace(items);
        let level = self.layout.len();
        let mut found = Vec::new();
        loop {
            while self.eat(Kind::Semicolon) {}
            match self.now {
                Kind::CloseBrace => {
                    self.close_brace();
                    return Ok(found);
                }
                Kind::End => {
                    let failed = self.expect_close(Kind::CloseBrace, open);
                    self.layout.truncate(level - 1);
                    return failed.map(|()| found);
                }
                _ => {}
            }
            let start = self.at;
            let mut result = item(self).map(|item| found.push(item));
            if result.is_ok() && !matches!(self.now, Kind::Semicolon | Kind::CloseBrace | Kind::End) {
                result = Err(self.expected("`;` or `}`"));
            }
            if result.is_err() {
                self.recover(level, start, true);
            }
        }
    }

    fn implicit_block<T>(&mut self, items: Items, item: &mut impl FnMut(&mut Self) -> Parse<T>) -> Vec<T> {
        let level = self.layout.len();
        let top = items == Items::TopDeclarations;
        let mut found = Vec::new();
        loop {
            while matches!(self.now, Kind::VirtualSemicolon | Kind::Semicolon) {
                self.bump();
            }
            if self.now == Kind::VirtualClose || (!begins_item(self.now) && !top) {
                self.close_implicit(level);
                return found;
            }
            let start = self.at;
            match item(self) {
                Ok(item) => found.push(item),
                Err(Reported) => self.recover(level, start, top),
            }
            match self.now {
                Kind::VirtualSemicolon | Kind::Semicolon | Kind::VirtualClose => {}
                Kind::Equals if items == Items::Statements => {
                    self.complain(
                        "`=` needs a `let` before it in a `do` block".to_owned(),
                        |_, diagnostic| {
                            diagnostic.with_hint(
                                "Write `let x = …` to define, `x <- …` to take the result of an action.",
                            )
                        },
                    );
                    self.recover(level, start, top);
                }
                _ if top => {
                    self.no_declaration();
                    self.recover(level, start, top);
                }
                _ => {
                    self.close_implicit(level);
                    return found;
                }
            }
        }
    }

    /// Complains about what follows a declaration at the top.
    #[cold]
    fn no_declaration(&mut self) {
        match self.now {
            Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace => {
                self.complain(format!("this {} closes nothing", self.found()), |_, diagnostic| {
                    diagnostic.with_hint("Remove it, or look for what should have been opened before it.")
                });
            }
            Kind::Equals => {
                self.complain(
                    "expected the end of the declaration, found `=`".to_owned(),
                    |_, diagnostic| diagnostic.with_hint("To compare, write `==`; `=` defines."),
                );
            }
            _ => {
                self.expected("the end of the declaration");
            }
        }
    }

    /// After a complaint: skips to where the next item of the block at `level` may begin, or the block ends.
    ///
    /// At least one token is skipped, unless it is a bracket or an `in` that belongs to the code around the
    /// block; in an outermost block (`all`) those are skipped too.
    fn recover(&mut self, level: usize, start: usize, all: bool) {
        self.layout.truncate(level);
        let implicit = self.layout.last().is_some_and(|context| context.column > 0);
        let mut open = 0_u32;
        let mut lets = 0_u32;
        if self.at > start {
            self.settle();
        }
        loop {
            match self.now {
                Kind::VirtualClose | Kind::End => return,
                Kind::VirtualSemicolon if self.at > start => return,
                Kind::Semicolon if open == 0 => return,
                Kind::CloseBrace if open == 0 && !implicit => return,
                Kind::In if lets == 0 && open == 0 && !all => return,
                Kind::In => lets = lets.saturating_sub(1),
                Kind::Let => lets += 1,
                Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace => open += 1,
                Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace if open > 0 => open -= 1,
                Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace if !all => return,
                _ => {}
            }
            self.bump();
        }
    }
}

/// Whether an item of some block may begin with this token; any other ends an implicit block.
fn begins_item(kind: Kind) -> bool {
    begins_argument(kind)
        || matches!(
            kind,
            Kind::Minus
                | Kind::Bang
                | Kind::Backslash
                | Kind::Let
                | Kind::If
                | Kind::Case
                | Kind::Fcase
                | Kind::Do
                | Kind::Infix
                | Kind::Infixl
                | Kind::Infixr
                | Kind::Class
                | Kind::Data
                | Kind::Default
                | Kind::Import
                | Kind::Instance
                | Kind::Newtype
                | Kind::Type
        )
}
