//! Any bytes are parsed, checked and lowered, or there are errors; what has none is lowered soundly.
//!
//! The first byte chooses the language. The library is the real one, so there are some fifty runs a second.

#![no_main]

use gadfly_core::{STACK, lower, verify};
use gadfly_source::{Severity, SourceFile, Sources};
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, text)) = bytes.split_first() else { return };
    let file = if first % 2 == 0 { "Main.hs" } else { "Main.curry" };
    let text = String::from_utf8_lossy(text).into_owned();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || run(file, text));
    let done = worker.expect("a thread starts").join();
    done.expect("nothing panics");
});

fn run(file: &str, text: String) {
    let mut sources = Sources::new();
    let main = sources.add(SourceFile::new(file, Some(text)));
    let mut interner = Interner::new();
    let mut library = |module: &str, dialect: Dialect| {
        let (folder, extension) = match dialect {
            Dialect::Haskell => ("haskell", "hs"),
            Dialect::Curry => ("curry", "curry"),
        };
        let name = format!("lib/{folder}/{}.{extension}", module.replace('.', "/"));
        let text = std::fs::read_to_string(format!("{}/../{name}", env!("CARGO_MANIFEST_DIR"))).ok()?;
        Some(SourceFile::new(name, Some(text)))
    };
    let typed = gadfly_typing::check(&mut sources, main, &mut interner, &mut library);
    let has_errors = typed.diagnostics.iter().any(|said| said.severity == Severity::Error);
    let lowered = lower(&typed, &interner, &sources, |module| {
        sources.file(typed.modules[module].syntax.tree.file()).name().starts_with("lib/")
    });
    let problems = verify(&lowered.program);
    assert!(has_errors || problems.is_empty(), "{}", problems.join("\n"));
}
