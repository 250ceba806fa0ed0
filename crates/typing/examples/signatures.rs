//! Checks a file with the library in `lib/` and prints the types of its definitions.
//!
//! `cargo run -p gadfly-typing --example signatures -- FILE...`

#![allow(clippy::print_stdout, reason = "an example reports on stdout")]

use std::path::{Path, PathBuf};

use gadfly_source::{Colour, SourceFile, Sources, render};
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;

fn main() {
    let quiet = std::env::args().any(|argument| argument == "-q");
    for name in std::env::args().skip(1).filter(|argument| argument != "-q") {
        let Ok(text) = std::fs::read(&name) else { continue };
        let text = String::from_utf8_lossy(&text).into_owned();
        let mut sources = Sources::new();
        let main = sources.add(SourceFile::new(name.clone(), Some(text)));
        let mut interner = Interner::new();
        let folder = Path::new(&name).parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let mut loader = |module: &str, dialect: Dialect| {
            let (library, ends) = match dialect {
                Dialect::Haskell => ("lib/haskell", [".hs", ".lhs"]),
                Dialect::Curry => ("lib/curry", [".curry", ".lcurry"]),
            };
            let path = module.replace('.', "/");
            let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(library);
            let folders = folder.ancestors().take(6).map(Path::to_path_buf).chain([library]);
            folders
                .into_iter()
                .flat_map(|folder| ends.map(|end| folder.join(format!("{path}{end}"))))
                .find_map(|path| {
                    let text = std::fs::read(&path).ok()?;
                    let text = String::from_utf8_lossy(&text).into_owned();
                    Some(SourceFile::new(path.display().to_string(), Some(text)))
                })
        };
        let start = std::time::Instant::now();
        let program = gadfly_typing::check(&mut sources, main, &mut interner, &mut loader);
        let time = start.elapsed();
        let errors =
            program.diagnostics.iter().filter(|d| d.severity == gadfly_source::Severity::Error).count();
        let shown = program.modules.iter().last().filter(|_| !quiet);
        for &value in shown.map_or(&[][..], |(_, module)| &module.values) {
            let value = &program.values[value];
            println!("{} :: {}", interner.text(value.name), program.show_scheme(value.scheme, &interner));
        }
        for diagnostic in
            program.diagnostics.iter().filter(|d| !quiet || d.severity == gadfly_source::Severity::Error)
        {
            println!("{}", render(diagnostic, &sources, Colour::Never));
        }
        println!("{name}: {errors} errors, {} modules, {time:?}", program.modules.len());
    }
}
