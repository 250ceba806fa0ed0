//! Tests of lowering on programs: the kernel code, and that it means the same as the program.

mod dumps;
mod errors;
mod long;
mod mutants;
mod programs;
mod reference;
mod spans;
mod warnings;

use gadfly_core::kernel::FunId;
use gadfly_core::{Lowered, STACK, lower, verify};
use gadfly_source::{Colour, Severity, SourceFile, Sources, render};
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;
use gadfly_typing::interface::ValueId;
use gadfly_typing::{Loader, Program};
use reference::Outcome;

/// A program of one file and the library, checked, lowered and verified.
struct Tested {
    lowered: Lowered,
    sources: Sources,
    /// The values of the main module, in the order of the text.
    values: Vec<(String, ValueId)>,
}

/// The library's modules from its folder.
fn library(module: &str, dialect: Dialect) -> Option<SourceFile> {
    let (folder, extension) = match dialect {
        Dialect::Haskell => ("haskell", "hs"),
        Dialect::Curry => ("curry", "curry"),
    };
    let name = format!("lib/{folder}/{}.{extension}", module.replace('.', "/"));
    let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
    Some(SourceFile::new(name, Some(std::fs::read_to_string(path).ok()?)))
}

/// Does `work` on a stack as deep as lowering needs.
fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        worker.expect("a thread").join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[track_caller]
fn lowered(file: &str, text: &str) -> Tested {
    match try_lower(file, text, &mut library) {
        Ok(tested) => tested,
        Err(errors) => panic!("{}", errors.join("\n")),
    }
}

/// A program that was checked.
struct Checked {
    sources: Sources,
    interner: Interner,
    typed: Program,
}

impl Checked {
    fn new(file: &str, text: &str, loader: &mut impl Loader) -> Checked {
        let mut sources = Sources::new();
        let main = sources.add(SourceFile::new(file, Some(text.to_owned())));
        let mut interner = Interner::new();
        let typed = gadfly_typing::check(&mut sources, main, &mut interner, loader);
        Checked { sources, interner, typed }
    }

    fn errors(&self) -> Vec<String> {
        let errors = self.typed.diagnostics.iter().filter(|one| one.severity == Severity::Error);
        errors.map(|diagnostic| render(diagnostic, &self.sources, Colour::Never)).collect()
    }

    fn lower(&self) -> Lowered {
        lower(&self.typed, &self.interner, &self.sources, |module| {
            let file = self.typed.modules[module].syntax.tree.file();
            self.sources.file(file).name().starts_with("lib/")
        })
    }
}

/// A program whose modules a loader finds, checked, lowered and verified; or the errors it has.
fn try_lower(file: &str, text: &str, loader: &mut (impl Loader + Send)) -> Result<Tested, Vec<String>> {
    with_stack(|| {
        let checked = Checked::new(file, text, loader);
        let errors = checked.errors();
        if !errors.is_empty() {
            return Err(errors);
        }
        let lowered = checked.lower();
        let problems = verify(&lowered.program);
        assert!(problems.is_empty(), "{}", problems.join("\n"));
        let Checked { sources, interner, typed } = checked;
        let own = typed.modules.iter().next_back().map(|(_, module)| module.values.clone());
        let named = |id: ValueId| (interner.text(typed.values[id].name).to_owned(), id);
        let values = own.unwrap_or_default().into_iter().map(named).collect();
        Ok(Tested { lowered, sources, values })
    })
}

impl Tested {
    fn function(&self, name: &str) -> FunId {
        let (_, value) = self.values.iter().find(|(other, _)| other == name).expect("the value is defined");
        self.lowered.functions[value]
    }

    /// The outcomes of a value, at most `most`.
    fn outcomes(&self, name: &str, most: usize) -> Vec<Outcome> {
        reference::outcomes(&self.lowered.program, self.function(name), most)
    }
}

/// Checks the definitions whose names begin with `test`: the comment at the end of the line of each says what it is,
/// several values with `;` between them.
#[track_caller]
fn check(file: &str, text: &str) {
    let tested = lowered(file, text);
    let mut count = 0;
    let mut wrong = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("test")) {
        let (Some(name), Some((_, expected))) = (line.split(' ').next(), line.rsplit_once(" -- ")) else {
            continue;
        };
        count += 1;
        let found: Vec<String> = tested.outcomes(name, 20).into_iter().map(|one| one.to_string()).collect();
        if found.join("; ") != expected {
            wrong.push(format!("{line}\n    is {}", found.join("; ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 0, "nothing was tested");
}
