//! The lazy front-end behind one door: a Haskell or Curry file in; checked, run, recorded.
//!
//! Enter at [`Haskell`] and [`Curry`], the front-ends, or at [`check`]. It reads the file and the modules that it imports (beside it, then from the library, which is part
//! of the binary), and gives the checked program with everything that is to be said about it. [`Checked::run`] runs it,
//! [`Checked::record`] does so with a trail, and [`Checked::evaluating`] has it evaluate an expression instead of `main`.
//!
//! What stays true: the file system is touched here and in no room below; the library's own files are named
//! `lib/haskell/…` and `lib/curry/…` in messages.

mod ending;
mod files;
mod library;
mod outside;
mod program;
mod record;
mod reference;
mod run;
mod start;
mod suspects;
mod tables;

pub use gadfly_core::Lowered;
pub use gadfly_machine::{Limits, Settings, Stopper};
pub use program::{Curry, Haskell};
pub use record::{Described, RecordError, Recorded, Target, WriteFailure};
pub use reference::{Reference, ReferenceError, ReferenceSettings};
pub use run::{Outcome, Ran, Run};
pub use start::{EXPRESSION_FILE, Expression};
pub use suspects::Suspects;

use files::Files;
use gadfly_source::{Diagnostic, FileId, Severity, Sources};
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;
use gadfly_typing::Program;
use gadfly_typing::interface::{InstanceId, ModuleId};
use std::path::Path;
use std::{fs, io, thread};

/// A program that was checked.
#[derive(Debug)]
pub struct Checked {
    /// All files that were read.
    pub sources: Sources,
    /// The main module's file.
    pub main: FileId,
    /// The names.
    pub interner: Interner,
    /// The program.
    pub program: Program,
    /// Where its modules are found.
    pub(crate) files: Files,
    /// What is evaluated instead of `main`, if that is something else.
    pub expression: Option<Expression>,
}

impl Checked {
    /// Files that are there but could not be read.
    pub fn unreadable(&self) -> &[String] {
        &self.files.problems
    }

    /// What is to be said, errors and warnings.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.program.diagnostics
    }

    /// Whether there are errors.
    pub fn has_errors(&self) -> bool {
        self.diagnostics().iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The language of the main module.
    pub fn dialect(&self) -> Dialect {
        self.program.modules.iter().next_back().map_or(Dialect::Haskell, |(_, module)| module.syntax.dialect)
    }

    /// The extensions that the main module names.
    pub fn extensions(&self) -> Vec<String> {
        let Some((_, module)) = self.program.modules.iter().next_back() else { return Vec::new() };
        let names = module.syntax.extensions.iter().map(|(name, _)| self.interner.text(*name).to_owned());
        names.collect()
    }

    /// The kernel of the program, as far as the main program needs it, with warnings about its patterns.
    pub fn lower(&self) -> io::Result<Lowered> {
        self.lower_also(&[])
    }

    /// The same, with instances that the main program may not need.
    fn lower_also(&self, instances: &[InstanceId]) -> io::Result<Lowered> {
        on_a_large_stack(gadfly_core::STACK, || {
            let is_library = |module| self.is_library(module);
            gadfly_core::lower_also(&self.program, &self.interner, &self.sources, is_library, instances)
        })
    }

    fn is_library(&self, module: ModuleId) -> bool {
        let file = self.program.modules[module].syntax.tree.file();
        library::is_library(self.sources.file(file).name())
    }

    /// The types of the main module's values, in the order of the text: names and types.
    pub fn types(&self) -> Vec<(String, String)> {
        let Some((_, module)) = self.program.modules.iter().next_back() else { return Vec::new() };
        let own =
            module.values.iter().map(|value| &self.program.values[*value]).filter(|value| value.has_type());
        own.map(|value| {
            let name = self.interner.text(value.name);
            let operator = name.starts_with(|c: char| !c.is_alphanumeric() && c != '_');
            let name = if operator { format!("({name})") } else { name.to_owned() };
            (name, self.program.show_scheme(value.scheme, &self.interner))
        })
        .collect()
    }
}

/// The text of a source file: UTF-8, or else Latin-1.
pub fn decode(bytes: Vec<u8>) -> String {
    files::decode(bytes)
}

/// Reads and checks a program.
pub fn check(path: &Path) -> io::Result<Checked> {
    let file = files::source(path, fs::read(path)?);
    let mut sources = Sources::new();
    let module = files::module_name(file.text().unwrap_or(""));
    let main = sources.add(file);
    let mut interner = Interner::new();
    let mut files = Files::beside(path, &module);
    let program = gadfly_typing::check(&mut sources, main, &mut interner, &mut files);
    Ok(Checked { sources, main, interner, program, files, expression: None })
}

/// Does something that walks trees as deep as the parser allows.
fn on_a_large_stack<T: Send>(stack: usize, work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let worker =
            thread::Builder::new().name("check".into()).stack_size(stack).spawn_scoped(scope, work)?;
        Ok(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
