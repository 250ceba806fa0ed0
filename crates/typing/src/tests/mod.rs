//! What the tests of this crate have in common: a small library, text in, types and messages out.

mod bindings;
mod classes;
mod curry;
mod deriving;
mod dictionaries;
mod errors;
mod expressions;
mod limits;
mod modules;
mod types;

use gadfly_source::{Diagnostic, Severity, SourceFile, Sources};
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;

use crate::{Program, check as check_program};

/// A Haskell module must give these types and messages.
#[track_caller]
pub(crate) fn check(text: &str, expected: &str) {
    compare(&types(&[("Main.hs", text)]), text, expected);
}

/// A Curry module must give these types and messages.
#[track_caller]
pub(crate) fn check_curry(text: &str, expected: &str) {
    compare(&types(&[("Main.curry", text)]), text, expected);
}

/// Several modules, the main one first; the types are those of the main one.
#[track_caller]
pub(crate) fn check_files(files: &[(&str, &str)], expected: &str) {
    compare(&types(files), files[0].1, expected);
}

#[track_caller]
pub(crate) fn compare(found: &str, text: &str, expected: &str) {
    assert_eq!(found.trim(), expected.trim(), "\n{text}\ngives\n{found}\n");
}

fn types(files: &[(&str, &str)]) -> String {
    let (sources, interner, program) = run(files);
    let mut lines = Vec::new();
    if let Some((_, module)) = program.modules.iter().last() {
        for &value in &module.values {
            let value = &program.values[value];
            let generated = matches!(
                value.kind,
                crate::interface::ValueKind::Method { .. } | crate::interface::ValueKind::Field { .. }
            );
            if !generated && !value.declared {
                let name = interner.text(value.name);
                lines.push(format!("{name} :: {}", program.show_scheme(value.scheme, &interner)));
            }
        }
    }
    // The instances of the small library lack methods, and few of the programs here are meant to run.
    let expected = |diagnostic: &&Diagnostic| {
        let file = diagnostic.primary.as_ref().map(|label| sources.file(label.span.file).name());
        let to_run = diagnostic.message.starts_with("this program cannot be run");
        diagnostic.severity == Severity::Warning && (to_run || file == Some("Gadfly/Base.hs"))
    };
    let told = program.diagnostics.iter().filter(|diagnostic| !expected(diagnostic));
    lines.extend(told.map(|diagnostic| diagnostic.plain_lines(&sources)));
    lines.join("\n")
}

/// Checks files with the small library.
pub(crate) fn run(files: &[(&str, &str)]) -> (Sources, Interner, Program) {
    let mut sources = Sources::new();
    let mut interner = Interner::new();
    let main = sources.add(SourceFile::new(files[0].0, Some(files[0].1.to_owned())));
    let mut loader = |module: &str, dialect: Dialect| {
        let end = if dialect == Dialect::Haskell { "hs" } else { "curry" };
        let name = format!("{}.{end}", module.replace('.', "/"));
        let own = files.iter().find(|(file, _)| *file == name).map(|(_, text)| *text);
        let text = own.or(match (module, dialect) {
            ("Gadfly.Base", Dialect::Haskell) => Some(include_str!("base.hs")),
            ("Prelude", Dialect::Haskell) => Some(include_str!("prelude.hs")),
            ("Prelude", Dialect::Curry) => Some(include_str!("prelude.curry")),
            _ => None,
        })?;
        Some(SourceFile::new(name, Some(text.to_owned())))
    };
    let program = check_program(&mut sources, main, &mut interner, &mut loader);
    (sources, interner, program)
}
