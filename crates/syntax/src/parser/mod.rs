//! From tokens to the tree: recursive descent.
//!
//! Patterns are read as expressions and turned into patterns when a `<-`, `=` or `->` follows: the parser
//! cannot know earlier, and reading twice could take exponential time. The expressions that turned out to be
//! patterns are cut off the expression columns again.
//!
//! A production that fails has reported why and returns [`Reported`]; the innermost block skips to its next item and
//! goes on (`layout.rs`).

mod bindings;
mod brackets;
mod data;
mod decl;
mod expr;
mod layout;
mod module;
mod pattern;
mod statement;
#[cfg(test)]
mod tests;
mod types;

use gadfly_source::Diagnostic;

use crate::fixity::Scopes;
use crate::names::{Interner, QName, Symbol, known};
use crate::report::Report;
use crate::token::{Kind, Token, Tokens};
use crate::tree::{Expr, ExprId, Import, List, Listed, Literal, Name, Node, Overlap, Place, Tree};
use crate::{Dialect, Module};

use layout::Context;

/// How deep expressions, patterns, types and blocks may stand inside each other.
///
/// In nodes, the tree is at most about a dozen times as deep: an operator chain has up to eleven levels.
pub const NESTING_LIMIT: u32 = 1_000;

/// Parses the tokens of a file.
pub(crate) fn parse_module(
    text: &str,
    tokens: Tokens,
    dialect: Dialect,
    tree: Tree,
    interner: &mut Interner,
    report: Report,
) -> (Module, Report) {
    let mut parser = Parser::new(text, tokens, dialect, tree, interner, report);
    let header = parser.module();
    parser.finish(header)
}

/// Parses the tokens of an expression.
pub(crate) fn parse_expression(
    text: &str,
    tokens: Tokens,
    dialect: Dialect,
    tree: Tree,
    interner: &mut Interner,
    report: Report,
) -> (Module, ExprId, Report) {
    let mut parser = Parser::new(text, tokens, dialect, tree, interner, report);
    let start = parser.here();
    let expression = match parser.expr() {
        Ok(expression) => {
            if parser.now != Kind::End {
                parser.expected("the end of the expression");
            }
            expression
        }
        Err(Reported) => parser.tree.add(Expr::Missing, start),
    };
    let header = module::Header::none();
    let (module, report) = parser.finish(header);
    (module, expression, report)
}

/// Proof that a diagnostic was made.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Parse<T> = Result<T, Reported>;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    qualified: Vec<QName>,
    literals: Vec<Literal>,
    extensions: Vec<(Symbol, gadfly_source::Span)>,
    overlaps: Vec<(usize, Overlap)>,
    dialect: Dialect,
    interner: &'a mut Interner,
    tree: Tree,
    report: Report,
    imports: Vec<Import>,
    scopes: Scopes,
    /// The next token.
    at: usize,
    /// What comes next, with what the layout implies.
    now: Kind,
    /// The layout has had its say about the next token.
    settled: bool,
    /// The blocks we are in, innermost last.
    layout: Vec<Context>,
    depth: u32,
    /// A declaration was seen, so no import may follow.
    declared: bool,
    /// Expressions that are only allowed as patterns and have not been turned into patterns.
    pattern_only: Vec<ExprId>,
    /// The token of the last complaint: one is enough.
    complained_at: usize,
}

impl<'a> Parser<'a> {
    fn new(
        text: &'a str,
        tokens: Tokens,
        dialect: Dialect,
        tree: Tree,
        interner: &'a mut Interner,
        report: Report,
    ) -> Self {
        let mut parser = Parser {
            text,
            tokens: tokens.tokens,
            qualified: tokens.qualified,
            literals: tokens.literals,
            extensions: tokens.extensions,
            overlaps: tokens.overlaps,
            dialect,
            interner,
            tree,
            report,
            imports: Vec::new(),
            scopes: Scopes::default(),
            at: 0,
            now: Kind::End,
            settled: false,
            layout: Vec::new(),
            depth: 0,
            declared: false,
            pattern_only: Vec::new(),
            complained_at: usize::MAX,
        };
        if tokens.cut_short {
            // That the end comes too early was said where the comment begins.
            parser.complained_at = parser.tokens.len() - 1;
        }
        parser.settle();
        parser
    }

    fn finish(mut self, header: module::Header) -> (Module, Report) {
        self.reject_patterns();
        let module = Module {
            dialect: self.dialect,
            name: header.name,
            exports: header.exports,
            has_header: header.present,
            imports: self.imports,
            decls: header.decls,
            extensions: self.extensions,
            tree: self.tree,
            scopes: self.scopes,
        };
        (module, self.report)
    }

    /// Complains about pattern syntax that stayed among the expressions.
    fn reject_patterns(&mut self) {
        for expr in std::mem::take(&mut self.pattern_only) {
            let place = self.tree.place(expr);
            let (what, hint) = match self.tree.get(expr) {
                Expr::As(..) => {
                    ("`@`", "`x@p` names what a pattern matches; a type argument needs a space: `f @Int`.")
                }
                Expr::Lazy(_) => ("`~`", "`~p` makes a pattern lazy; there is no such expression."),
                Expr::Bang(_) => {
                    ("a prefix `!`", "`!p` makes a pattern strict; as an operator, `!` needs a left operand.")
                }
                Expr::View(..) => ("`->`", "A function is written `\\x -> e`."),
                Expr::Wildcard if self.dialect == Dialect::Haskell => {
                    ("`_`", "Put an expression in its place.")
                }
                _ => continue,
            };
            self.report.error(place, format!("{what} is only allowed in patterns"), "", hint);
            self.tree.set(expr, Expr::Missing);
        }
    }

    /// The next token, whatever the layout implies before it.
    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    /// The kind of the token after the next one.
    fn after(&self) -> Kind {
        self.tokens.get(self.at + 1).map_or(Kind::End, |token| token.kind)
    }

    /// Where the next token stands.
    fn here(&self) -> Place {
        self.token().place()
    }

    /// From `start` to the end of the last token read.
    fn since(&self, start: u32) -> Place {
        let end = if self.at == 0 { start } else { self.tokens[self.at - 1].end };
        Place { start, end: end.max(start) }
    }

    fn start(&self) -> u32 {
        self.token().start
    }

    fn add<N: Node>(&mut self, content: N::Content, start: u32) -> N {
        let place = self.since(start);
        self.tree.add(content, place)
    }

    fn list<T: Listed>(&mut self, elements: &[T]) -> List<T> {
        self.tree.add_list(elements)
    }

    /// Takes the next token if it is of this kind.
    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.now == kind;
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: Kind, what: &str) -> Parse<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Takes the bracket that closes the one at `open`.
    fn expect_close(&mut self, kind: Kind, open: Place) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        let open_text = &self.text[open.start as usize..open.end as usize];
        let close_text = match kind {
            Kind::CloseParen => ")",
            Kind::CloseBracket => "]",
            _ => "}",
        };
        if !matches!(self.now, Kind::VirtualSemicolon | Kind::VirtualClose | Kind::End) {
            let message = format!("expected `{close_text}`, found {}", self.found());
            return Err(self.complain(message, |this, diagnostic| {
                let diagnostic =
                    diagnostic.and(this.report.span(open), format!("to close this `{open_text}`"));
                match this.now {
                    Kind::Equals => diagnostic.with_hint("To compare, write `==`; `=` defines."),
                    _ => diagnostic,
                }
            }));
        }
        let message = format!("this `{open_text}` is never closed");
        if self.complained_at != self.at {
            self.complained_at = self.at;
            let stop = self.here();
            let label = format!("expected `{close_text}` before this");
            let hint = format!("Add `{close_text}`, or indent the lines that belong to it further.");
            self.report.add(|report| {
                let diagnostic = Diagnostic::error(message).at(report.span(open), "").with_hint(hint);
                diagnostic.and(report.span(stop), label)
            });
        }
        Err(Reported)
    }

    /// Reports that the next token is not the expected one.
    #[cold]
    fn expected(&mut self, what: &str) -> Reported {
        let message = format!("expected {what}, found {}", self.found());
        let hint = match self.now {
            Kind::VirtualSemicolon => "If this line goes on with the one before, indent it further.",
            Kind::Else => "An `else` belongs to an `if … then …` directly before it.",
            Kind::In => "An `in` belongs to a `let` before it.",
            Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace => {
                "Something is missing before it, or it is too much."
            }
            _ => "",
        };
        self.complain(
            message,
            |_, diagnostic| if hint.is_empty() { diagnostic } else { diagnostic.with_hint(hint) },
        )
    }

    /// Complains about the next token, unless it was complained about already.
    #[cold]
    fn complain(&mut self, message: String, more: impl FnOnce(&Self, Diagnostic) -> Diagnostic) -> Reported {
        if self.complained_at != self.at && self.now != Kind::Bad {
            let diagnostic = more(self, Diagnostic::error(message).at(self.report.span(self.here()), ""));
            self.report.add(|_| diagnostic);
        }
        self.complained_at = self.at;
        Reported
    }

    /// Complains about a place, with what to do next.
    #[cold]
    fn reject(&mut self, place: Place, message: impl Into<String>, hint: &str) -> Reported {
        self.complained_at = self.at;
        self.report.error(place, message, "", hint);
        Reported
    }

    /// What comes next, for a message.
    fn found(&self) -> String {
        match self.now {
            Kind::End => return "the end of the file".to_owned(),
            Kind::VirtualSemicolon => return format!("a new {}", self.item()),
            Kind::VirtualClose if self.token().kind == Kind::End => return "the end of the file".to_owned(),
            Kind::VirtualClose => return format!("the end of this {}", self.item()),
            _ => {}
        }
        let place = self.here();
        let text = &self.text[place.start as usize..place.end as usize];
        match text.char_indices().nth(40) {
            None => format!("`{text}`"),
            Some((cut, _)) => format!("`{}…`", &text[..cut]),
        }
    }

    /// Goes one level deeper for `parse`.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= NESTING_LIMIT {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    #[cold]
    fn too_deep(&mut self) -> Reported {
        let message = format!("this is nested more than {NESTING_LIMIT} levels deep");
        self.complain(message, |_, diagnostic| {
            diagnostic.with_hint("Give the inner parts names of their own with `let` or `where`.")
        })
    }

    /// The name of the next token, which is one.
    fn name_of_token(&self) -> QName {
        let token = self.token();
        match token.kind {
            Kind::QVarId | Kind::QConId | Kind::QVarSym | Kind::QConSym => {
                self.qualified[token.value as usize]
            }
            Kind::Colon => QName::plain(known::CONS),
            _ => QName::plain(token.symbol()),
        }
    }

    /// Takes the next token as a name with its place.
    fn take_name(&mut self) -> Name {
        let name = Name { symbol: self.token().symbol(), place: self.here() };
        self.bump();
        name
    }

    fn is_word(&self, word: Symbol) -> bool {
        self.now == Kind::VarId && self.token().symbol() == word
    }

    fn eat_word(&mut self, word: Symbol) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// `x`, `(+)`: a variable where it is bound or listed.
    fn var(&mut self, what: &str) -> Parse<Name> {
        if self.now == Kind::VarId {
            return Ok(self.take_name());
        }
        if self.now == Kind::OpenParen && is_var_operator(self.after()) {
            let start = self.start();
            self.bump();
            let symbol = self.token().symbol();
            self.bump();
            self.expect(Kind::CloseParen, "`)`")?;
            return Ok(Name { symbol, place: self.since(start) });
        }
        Err(self.expected(what))
    }

    /// `C`, `(:+)`: a constructor where it is declared or listed.
    fn con(&mut self, what: &str) -> Parse<Name> {
        if self.now == Kind::ConId {
            return Ok(self.take_name());
        }
        if self.now == Kind::OpenParen && matches!(self.after(), Kind::ConSym | Kind::Colon) {
            let start = self.start();
            self.bump();
            let symbol = self.name_of_token().name;
            self.bump();
            self.expect(Kind::CloseParen, "`)`")?;
            return Ok(Name { symbol, place: self.since(start) });
        }
        Err(self.expected(what))
    }

    /// A name in backquotes, which come next.
    fn backquoted(&mut self) -> Parse<QName> {
        self.bump();
        if !matches!(self.now, Kind::VarId | Kind::QVarId | Kind::ConId | Kind::QConId) {
            return Err(self.expected("a name between the backquotes"));
        }
        let name = self.name_of_token();
        self.bump();
        self.expect(Kind::Backquote, "a closing backquote")?;
        Ok(name)
    }
}

fn is_var_operator(kind: Kind) -> bool {
    matches!(kind, Kind::VarSym | Kind::Minus | Kind::Bang | Kind::Dot | Kind::Star)
}
