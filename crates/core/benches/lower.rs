//! How long checking and lowering take, by the size of the program.
//!
//! `cargo bench -p gadfly-core`: a program of one line; 2,000 lines that import every module of the library, once as far
//! as the program needs the library and once with all of it; then generated modules of 1,000, 10,000 and 100,000 lines.
//! The last column should stay the same: the time is linear in the text.

#![allow(clippy::print_stdout, reason = "a bench reports on stdout")]

#[path = "../../typing/benches/programs/mod.rs"]
mod programs;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gadfly_core::{STACK, lower};
use gadfly_source::{Severity, SourceFile, Sources};
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;
use programs::generate;

fn main() {
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        println!(
            "{:>28} {:>8} {:>10} {:>10} {:>10} {:>10} {:>9}",
            "program", "lines", "check", "lower", "functions", "kernel", "ns/line"
        );
        measure("hello", "main = putStrLn \"hello\"\n", false);
        let program = with_all_imports(&generate(2_000));
        measure("2,000 lines, every import", &program, false);
        measure("the same and all the library", &program, true);
        for lines in [1_000, 10_000, 100_000] {
            measure("generated", &generate(lines), false);
        }
    });
    worker.expect("a thread starts").join().expect("nothing panics");
}

/// Checks and lowers a program; `all` of the library, or what the program needs.
fn measure(name: &str, text: &str, all: bool) {
    let (mut check, mut lowering) = (Duration::MAX, Duration::MAX);
    let (mut functions, mut kernel) = (0, 0);
    for _ in 0..5 {
        let mut sources = Sources::new();
        let main = sources.add(SourceFile::new("Main.hs", Some(text.to_owned())));
        let mut interner = Interner::new();
        let start = Instant::now();
        let typed = gadfly_typing::check(&mut sources, main, &mut interner, &mut library);
        check = check.min(start.elapsed());
        let errors = typed.diagnostics.iter().filter(|said| said.severity == Severity::Error);
        assert_eq!(errors.count(), 0, "{:?}", typed.diagnostics.first());
        let start = Instant::now();
        let lowered = lower(&typed, &interner, &sources, |module| {
            !all && typed.modules[module].syntax.tree.file() != main
        });
        lowering = lowering.min(start.elapsed());
        (functions, kernel) = (lowered.program.functions().len(), lowered.program.expr_count());
    }
    let lines = text.lines().count();
    let each = (check + lowering).as_nanos() / lines as u128;
    println!("{name:>28} {lines:>8} {check:>10.2?} {lowering:>10.2?} {functions:>10} {kernel:>10} {each:>9}");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/haskell")
}

fn library(module: &str, _: Dialect) -> Option<SourceFile> {
    let path = folder().join(format!("{}.hs", module.replace('.', "/")));
    let text = std::fs::read_to_string(&path).ok()?;
    Some(SourceFile::new(path.display().to_string(), Some(text)))
}

/// A module that imports every module of the library.
fn with_all_imports(text: &str) -> String {
    let mut imports = String::new();
    let mut folders = vec![folder()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(&at).expect("the library is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "hs") {
                let module = path.strip_prefix(folder()).expect("it is inside").with_extension("");
                let parts: Vec<_> = module.iter().filter_map(|part| part.to_str()).collect();
                // Modules other than the Prelude are imported qualified only.
                if parts != ["Prelude"] {
                    let _ = writeln!(imports, "import qualified {}", parts.join("."));
                }
            }
        }
    }
    text.replacen("import ", &format!("{imports}import "), 1)
}
