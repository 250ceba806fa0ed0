//! Modules that are made to run a program: they show a `main` that is no action, and evaluate an expression in the scope
//! of the program.
//!
//! `Gadfly.Start` is the main module then, and `Gadfly.Expression` holds the expression, as if it stood at the end of the
//! program's main module: it sees what that imports, and what it defines but does not export. To the user the
//! expression is a file of its own, named `-e`, without what was put around it.

use crate::Checked;
use crate::files::{self, Files};
use gadfly_source::{Diagnostic, FileId, Label, SourceFile, Sources, Span};
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;
use gadfly_typing::Loader;
use std::path::Path;
use std::{fs, io};

/// The module that runs.
pub(crate) const START: &str = "Gadfly.Start";
/// The module that holds an expression.
pub(crate) const EXPRESSION: &str = "Gadfly.Expression";
/// What the expression is called there; no program has such a name.
const NAME: &str = "it'gadfly";
/// What the file of an expression is called in messages and in trails.
pub const EXPRESSION_FILE: &str = "-e";

/// An expression that is evaluated instead of `main`.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Its text on one line, as equations have it.
    pub text: String,
    /// The file that was made for it.
    pub(crate) file: FileId,
    /// How many bytes stand before it there.
    pub(crate) before: u32,
}

/// Checks a program that shows its `main`: another module prints it.
pub fn check_showing(path: &Path) -> io::Result<Checked> {
    check(path, None, true)
}

/// Checks a program to evaluate an expression in its scope. `extensions` are those that the program names; if the
/// expression is no action, it is to be shown.
pub fn check_expression(path: &Path, text: &str, extensions: &[String], show: bool) -> io::Result<Checked> {
    check(path, Some((text, extensions)), show)
}

fn check(path: &Path, expression: Option<(&str, &[String])>, show: bool) -> io::Result<Checked> {
    let file = files::source(path, fs::read(path)?);
    let module = files::module_name(file.text().unwrap_or(""));
    let dialect = Dialect::of_file(&path.to_string_lossy()).unwrap_or(Dialect::Haskell);
    let extension = match dialect {
        Dialect::Haskell => "hs",
        Dialect::Curry => "curry",
    };
    let (from, name) = match expression {
        None => (module.as_str(), "main"),
        Some(_) => (EXPRESSION, NAME),
    };
    let print = if show { "print " } else { "" };
    let start = format!(
        "module {START} (main) where\nimport qualified {from} as Shown\nmain = {print}Shown.{name}\n"
    );
    let made = expression.map(|(text, extensions)| made(text, extensions, &module));
    let mut sources = Sources::new();
    let main = sources.add(SourceFile::new(format!("start.{extension}"), Some(start)));
    let mut interner = Interner::new();
    let mut loader = Given {
        others: Files::beside(path, &module),
        module,
        file: Some(file),
        made: made.as_ref().map(|(text, _)| SourceFile::new(EXPRESSION_FILE, Some(text.clone()))),
    };
    let program = gadfly_typing::check(&mut sources, main, &mut interner, &mut loader);
    let expression = made.zip(expression).and_then(|((_, before), (text, _))| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Expression { text, file: sources.by_name(EXPRESSION_FILE)?, before })
    });
    Ok(Checked { sources, main, interner, program, unreadable: loader.others.problems, expression })
}

/// The text of the module that holds an expression, and where in it the expression begins.
fn made(text: &str, extensions: &[String], inside: &str) -> (String, u32) {
    let mut names = vec!["NoImplicitPrelude"];
    names.extend(extensions.iter().map(String::as_str));
    let mut module = format!(
        "{{-# LANGUAGE {} #-}}\nmodule {EXPRESSION} where\nimport {inside} ()\n{NAME} =\n  ",
        names.join(", ")
    );
    let before = module.len() as u32;
    // All of its lines are part of one definition.
    module.push_str(&text.trim().replace('\n', "\n  "));
    module.push('\n');
    (module, before)
}

/// Finds one module in a given file, another in a text that was made, and others where they are.
struct Given {
    module: String,
    file: Option<SourceFile>,
    made: Option<SourceFile>,
    others: Files,
}

impl Loader for Given {
    fn load(&mut self, module: &str, dialect: Dialect) -> Option<SourceFile> {
        match module {
            EXPRESSION => self.made.take(),
            _ if module == self.module => self.file.take(),
            _ => self.others.load(module, dialect),
        }
    }

    fn known_modules(&self, dialect: Dialect) -> Vec<&str> {
        self.others.known_modules(dialect)
    }

    fn is_library(&self, module: &str, dialect: Dialect) -> bool {
        module != self.module && self.others.is_library(module, dialect)
    }

    fn inside(&self, module: &str) -> Option<&str> {
        (module == EXPRESSION).then_some(self.module.as_str())
    }
}

impl Checked {
    /// What is to be said and the files it is about, as the user knows them: of an expression only what was typed.
    pub fn told(&self) -> (Vec<Diagnostic>, Sources) {
        let Some(expression) = &self.expression else {
            return (self.diagnostics().to_vec(), self.sources.clone());
        };
        let mut sources = Sources::new();
        for (id, file) in self.sources.iter() {
            let text = file.text().unwrap_or("");
            let text = if id == expression.file { expression.own(text) } else { text };
            sources.add(SourceFile::new(file.name(), Some(text.to_owned())));
        }
        let label = |label: &Label| Label { span: expression.shift(label.span), ..label.clone() };
        let all = self.diagnostics();
        // Where the expression cannot be read, what is around it cannot find it: that is no news.
        let around =
            |told: &&Diagnostic| told.primary.as_ref().is_some_and(|label| label.span.file == self.main);
        let only = all.iter().all(|told| around(&told));
        let told = all.iter().filter(|told| only || !around(told)).map(|told| Diagnostic {
            primary: told.primary.as_ref().map(label),
            secondary: told.secondary.iter().map(label).collect(),
            ..told.clone()
        });
        (told.collect(), sources)
    }
}

impl Expression {
    /// Of the text that was made, what the user typed.
    pub(crate) fn own<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.before as usize..).unwrap_or("").trim_end()
    }

    /// A span of the text that was made in the words of what the user typed.
    pub(crate) fn shift(&self, span: Span) -> Span {
        match span.file == self.file {
            true => Span {
                start: span.start.saturating_sub(self.before),
                end: span.end.saturating_sub(self.before),
                ..span
            },
            false => span,
        }
    }
}
