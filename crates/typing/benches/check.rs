//! How long checking takes, by the size of the program.
//!
//! `cargo bench -p gadfly-typing`: the library alone, then generated modules of 1,000, 10,000 and 100,000 lines. The
//! last column should stay the same: the time is linear in the text.

#![allow(clippy::print_stdout, reason = "a bench reports on stdout")]

mod programs;

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use gadfly_source::{Severity, SourceFile, Sources};
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;
use gadfly_typing::{Program, check};

use programs::generate;

fn main() {
    println!("{:>28} {:>9} {:>10} {:>9}", "program", "lines", "time", "ns/line");
    measure(
        "the library",
        "import Data.Map\nimport Data.Array\nimport Control.Monad.State\nmain = print 1\n",
        0,
    );
    for lines in [1_000, 10_000, 100_000] {
        let text = generate(lines);
        measure("generated", &text, lines);
    }
    for count in [1_000, 10_000] {
        measure("one chain of operators", &chain(count), count);
        measure("one group of functions", &group(count), count);
    }
}

fn measure(name: &str, text: &str, lines: usize) {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        let program = run(text);
        best = best.min(start.elapsed());
        let errors = program.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        assert_eq!(errors.count(), 0, "{:?}", program.diagnostics.first());
    }
    let each = best.as_nanos() / lines.max(1) as u128;
    println!("{name:>28} {lines:>9} {best:>10.2?} {each:>9}");
}

fn run(text: &str) -> Program {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/haskell");
    let mut loader = |module: &str, _: Dialect| {
        let path = library.join(format!("{}.hs", module.replace('.', "/")));
        let text = std::fs::read_to_string(&path).ok()?;
        Some(SourceFile::new(path.display().to_string(), Some(text)))
    };
    let mut sources = Sources::new();
    let main = sources.add(SourceFile::new("Main.hs", Some(text.to_owned())));
    check(&mut sources, main, &mut Interner::new(), &mut loader)
}

fn chain(count: usize) -> String {
    let sum: Vec<String> = (0..count).map(|n| n.to_string()).collect();
    format!("main = print (total, list)\ntotal = {}\nlist = {} : []\n", sum.join("\n + "), sum.join("\n : "))
}

fn group(count: usize) -> String {
    let mut text = String::from("main = print (f0 1)\n");
    for n in 0..count {
        let _ = writeln!(text, "f{n} x = if x == 0 then show x else f{} (x - 1)", (n + 1) % count);
    }
    text
}
