//! Lowering, tested on programs: what they become, and that it means what the program means.

#![allow(dead_code)]

mod haskell;
mod reference;

use gadfly_core::{Lowered, STACK, Show, lower, print, verify};
use gadfly_source::{Colour, Severity, SourceFile, Sources, render};
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;
use reference::Outcome;

/// A program of one file and the library, checked, lowered and verified.
struct Tested {
    lowered: Lowered,
    sources: Sources,
    interner: Interner,
    values: Vec<(String, gadfly_typing::interface::ValueId)>,
}

/// The library's modules from its folder.
fn library(module: &str, dialect: Dialect) -> Option<SourceFile> {
    let (folder, extension) = match dialect {
        Dialect::Haskell => ("haskell", "hs"),
        Dialect::Curry => ("curry", "curry"),
    };
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lib");
    let name = format!("lib/{folder}/{}.{extension}", module.replace('.', "/"));
    let path = format!("{root}/{folder}/{}.{extension}", module.replace('.', "/"));
    Some(SourceFile::new(name, Some(std::fs::read_to_string(path).ok()?)))
}

fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        builder
            .spawn_scoped(scope, work)
            .expect("a thread")
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn lowered(file: &str, text: &str) -> Tested {
    with_stack(|| {
        let mut sources = Sources::new();
        let main = sources.add(SourceFile::new(file, Some(text.to_owned())));
        let mut interner = Interner::new();
        let typed = gadfly_typing::check(&mut sources, main, &mut interner, &mut library);
        let errors: Vec<String> = typed
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .map(|diagnostic| render(diagnostic, &sources, Colour::Never))
            .collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
        let is_library = |module| {
            let module: &gadfly_typing::interface::Module = &typed.modules[module];
            sources.file(module.syntax.tree.file()).name().starts_with("lib/")
        };
        let lowered = lower(&typed, &interner, &sources, is_library);
        let problems = verify(&lowered.program);
        assert!(problems.is_empty(), "{}", problems.join("\n"));
        let own =
            typed.modules.iter().next_back().map(|(_, module)| module.values.clone()).unwrap_or_default();
        let values =
            own.into_iter().map(|id| (interner.text(typed.values[id].name).to_owned(), id)).collect();
        Tested { lowered, sources, interner, values }
    })
}

impl Tested {
    fn function(&self, name: &str) -> gadfly_core::kernel::FunId {
        let (_, value) = self.values.iter().find(|(other, _)| other == name).expect("the value is defined");
        self.lowered.functions[value]
    }

    fn outcome(&self, name: &str) -> Outcome {
        reference::outcome(&self.lowered.program, self.function(name)).0
    }
}

/// Checks what `name` evaluates to.
#[track_caller]
fn check_value(text: &str, name: &str, expected: &str) {
    match lowered("test.hs", text).outcome(name) {
        Outcome::Value(value, _) => assert_eq!(value, expected),
        other => panic!("{name} is {other:?}"),
    }
}

/// Checks the value of each definition whose name begins with `test` against the comment on its line.
#[track_caller]
fn check_values(text: &str) {
    let tested = lowered("test.hs", text);
    let mut count = 0;
    for line in text.lines() {
        let Some((left, expected)) = line.split_once(" -- ") else { continue };
        let Some(name) = left.split(' ').next().filter(|name| name.starts_with("test")) else { continue };
        count += 1;
        match tested.outcome(name) {
            Outcome::Value(value, output) => {
                let shown = if output.is_empty() { value } else { output };
                assert_eq!(shown, expected, "{line}");
            }
            Outcome::Error(message) => assert_eq!(format!("error: {message}"), expected, "{line}"),
            other => assert_eq!(format!("{other:?}"), expected, "{line}"),
        }
    }
    assert!(count > 0, "nothing was tested");
}

/// Checks the kernel of a program's own functions.
#[track_caller]
fn check_dump(file: &str, text: &str, expected: &str) {
    let tested = lowered(file, text);
    let found = print(&tested.lowered.program, Show::default());
    assert_eq!(found.trim(), expected.trim(), "\n{found}");
}
