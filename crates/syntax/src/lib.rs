//! Haskell 2010 and Curry, from text to syntax tree.
//!
//! Enter at [`parse`] (a file) or [`parse_expression`] (what follows `-e`). Both return a tree whatever the text is,
//! and diagnostics for the text that could not be read. When the imports of a module are known,
//! [`resolve_fixities`] turns its operator chains into applications; [`dump`](dump()) shows a tree as
//! S-expressions.
//!
//! The grammar is that of the Haskell 2010 report, chapters 2 to 5 and 10, with the extensions that people use
//! without thinking (`extensions.rs` lists them; those that do not clash with the report are always accepted), and
//! that of the Curry report with version 3's classes, functional patterns and default rules.
//!
//! The way of the text: `literate` makes prose blank, `conditional` the branches of `#if` that are not taken, `lexer` and `literal` make tokens, `parser` reads them, asking
//! `parser/layout` where blocks begin and end (the report's parse-error(t) rule needs the parser), and fills the
//! columns of a [`tree::Tree`]. `fixity` is a pass of its own because it needs other modules.
//!
//! What stays true:
//! - Any text gives a tree and diagnostics: no panic, no overflow, time linear in the text.
//! - Every node has a place in the text, and no text is looked at after parsing.
//! - Nothing that is long in real programs is deep in the tree; what nests deeper than [`NESTING_LIMIT`] is an error.
//! - Nothing here reads a file or knows what a name means.

#[cfg(test)]
mod check;
mod conditional;
mod dump;
mod extensions;
mod fixity;
mod lexer;
mod literal;
mod literate;
pub mod names;
mod parser;
pub mod pools;
mod report;
mod token;
pub mod tree;

use std::borrow::Cow;

use gadfly_source::{Diagnostic, FileId, Sources, Span};

use crate::names::{Interner, Symbol};
use crate::report::Report;
use crate::tree::{DeclId, Export, ExprId, Import, List, Name, Tree};

pub use dump::{dump, dump_expression};
pub use fixity::{Fixity, resolve_fixities};
pub use parser::NESTING_LIMIT;

/// Which language a file is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Haskell 2010: `.hs` and `.lhs`.
    Haskell,
    /// Curry: `.curry` and `.lcurry`.
    Curry,
}

impl Dialect {
    /// The dialect of a file by the end of its name; `None` if it is neither Haskell nor Curry.
    pub fn of_file(name: &str) -> Option<Dialect> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension {
            "hs" | "lhs" => Some(Dialect::Haskell),
            "curry" | "lcurry" => Some(Dialect::Curry),
            _ => None,
        }
    }
}

/// A file as a tree.
#[derive(Clone, Debug)]
pub struct Module {
    /// Which language it is in.
    pub dialect: Dialect,
    /// Its name; `Main` if it has no header, and then at an empty place.
    pub name: Name,
    /// What it exports; everything it defines if there is no list. Without a header: `main`.
    pub exports: Option<List<Export>>,
    /// Whether it has a header.
    pub has_header: bool,
    /// Its imports, in order.
    pub imports: Vec<Import>,
    /// Its declarations, in order.
    pub decls: List<DeclId>,
    /// The language extensions it names, and where.
    pub extensions: Vec<(Symbol, Span)>,
    /// The nodes.
    pub tree: Tree,
    pub(crate) scopes: fixity::Scopes,
}

/// What parsing a file gives.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree; complete if there are no errors among the diagnostics.
    pub module: Module,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// What parsing an expression gives.
#[derive(Clone, Debug)]
pub struct ParsedExpression {
    /// A module without declarations that holds the expression's nodes.
    pub module: Module,
    /// The expression.
    pub expression: ExprId,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file. A file whose text is not known counts as empty.
///
/// # Panics
/// If the file is not one of `sources`.
pub fn parse(sources: &Sources, file: FileId, dialect: Dialect, interner: &mut Interner) -> Parsed {
    let source = sources.file(file);
    let text = source.text().unwrap_or("");
    let mut report = Report::new(file);
    let text = match literate::is_literate(source.name()) {
        true => Cow::Owned(literate::blank_prose(text, &mut report)),
        false => Cow::Borrowed(text),
    };
    let text = match conditional::is_wanted(&text) {
        true => Cow::Owned(conditional::blank_branches(&text)),
        false => text,
    };
    let mut tree = Tree::new(file);
    let tokens = lexer::lex(&text, dialect, interner, &mut tree, &mut report);
    extensions::check(&tokens.extensions, interner, &mut report);
    let (module, report) = parser::parse_module(&text, tokens, dialect, tree, interner, report);
    Parsed { module, diagnostics: report.finish() }
}

/// Parses the whole of a file as one expression.
///
/// # Panics
/// If the file is not one of `sources`.
pub fn parse_expression(
    sources: &Sources,
    file: FileId,
    dialect: Dialect,
    interner: &mut Interner,
) -> ParsedExpression {
    let text = sources.file(file).text().unwrap_or("");
    let mut tree = Tree::new(file);
    let mut report = Report::new(file);
    let tokens = lexer::lex(text, dialect, interner, &mut tree, &mut report);
    let (module, expression, report) =
        parser::parse_expression(text, tokens, dialect, tree, interner, report);
    ParsedExpression { module, expression, diagnostics: report.finish() }
}
