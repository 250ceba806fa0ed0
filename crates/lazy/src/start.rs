//! Modules that are made to run a program: they show a `main` that is no action, and evaluate an expression in the scope
//! of the program. They are added to the program that was checked, so that nothing of it is checked twice.
//!
//! `Gadfly.Start` is the main module then, and `Gadfly.Expression` holds the expression, as if it stood at the end of the
//! program's main module: it sees what that imports, and what it defines but does not export. To the user the
//! expression is a file of its own, named `-e`, without what was put around it.

use crate::Checked;
use gadfly_source::{Diagnostic, FileId, Label, SourceFile, Sources, Span};
use gadfly_syntax::Dialect;
use gadfly_typing::Sees;

/// The module that runs.
pub(crate) const START: &str = "Gadfly.Start";
/// The module that holds an expression.
pub(crate) const EXPRESSION: &str = "Gadfly.Expression";
/// What the expression is called there; no program has such a name.
pub(crate) const NAME: &str = "it'gadfly";
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

impl Checked {
    /// The program with an expression that is evaluated instead of `main`, and shown if it is no action. If the
    /// expression has an error, or what it gives cannot be shown, that is among what is to be said.
    #[must_use]
    pub fn evaluating(self, text: &str) -> Checked {
        let checked = self.with_expression(text);
        let show = checked.shows_main();
        checked.started(show)
    }

    /// The program with an expression in the scope of its main module, which nothing runs yet ([`Checked::started`]).
    #[must_use]
    pub fn with_expression(self, text: &str) -> Checked {
        let Some((_, program)) = self.program.modules.iter().next_back() else { return self };
        let (made, before) = made(text, &self.extensions(), self.interner.text(program.name));
        let checked = self.with_module(EXPRESSION_FILE, made, Sees::Everything);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let expression = Expression { text, file: checked.main, before };
        Checked { expression: Some(expression), ..checked }
    }

    /// The program with a module that runs the expression, or `main`, and shows what it is if that is asked for.
    /// After an error there is no such module.
    #[must_use]
    pub fn started(self, show: bool) -> Checked {
        let Some((_, last)) = self.program.modules.iter().next_back().filter(|_| !self.has_errors()) else {
            return self;
        };
        let from = self.interner.text(last.name);
        let name = self.name_of_main();
        let print = if show { "print " } else { "" };
        let text = format!(
            "module {START} (main) where\nimport qualified {from} as Shown\nmain = {print}Shown.{name}\n"
        );
        let extension = match self.dialect() {
            Dialect::Haskell => "hs",
            Dialect::Curry => "curry",
        };
        self.with_module(&format!("start.{extension}"), text, Sees::Exports)
    }

    fn with_module(self, name: &str, text: String, sees: Sees) -> Checked {
        let Checked { mut sources, mut interner, program, mut files, expression, .. } = self;
        let main = sources.add(SourceFile::new(name, Some(text)));
        let program = program.with_module(&mut sources, main, sees, &mut interner, &mut files);
        Checked { sources, main, interner, program, files, expression }
    }

    /// What the main module calls what is to be run.
    pub(crate) fn name_of_main(&self) -> &'static str {
        match &self.expression {
            Some(expression) if expression.file == self.main => NAME,
            _ => "main",
        }
    }
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
        let told = self.diagnostics().iter().map(|told| Diagnostic {
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
