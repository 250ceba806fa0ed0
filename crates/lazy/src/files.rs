//! Where the modules of a program are found: beside its main module, then in the library.

use crate::library;
use gadfly_source::SourceFile;
use gadfly_syntax::Dialect;
use gadfly_typing::Loader;
use std::fs;
use std::path::{Path, PathBuf};

/// Finds modules.
#[derive(Debug)]
pub(crate) struct Files {
    /// The folder that a module `A.B` is looked for as `A/B.hs` in.
    root: PathBuf,
    /// What could not be read, though it is there.
    pub(crate) problems: Vec<String>,
}

impl Files {
    /// The modules beside `main`, whose name in its own header is `module`: that of `src/A/B.hs` is `A.B`, so that
    /// others are found from `src`.
    pub(crate) fn beside(main: &Path, module: &str) -> Files {
        let mut root = main.parent().unwrap_or(Path::new("")).to_owned();
        let parts: Vec<&str> = module.split('.').collect();
        let stem = main.file_stem().and_then(|stem| stem.to_str());
        if stem == parts.last().copied() {
            for part in parts.iter().rev().skip(1) {
                if root.file_name().and_then(|name| name.to_str()) != Some(*part) {
                    break;
                }
                root.pop();
            }
        }
        Files { root, problems: Vec::new() }
    }
}

impl Loader for Files {
    fn load(&mut self, module: &str, dialect: Dialect) -> Option<SourceFile> {
        let extensions: &[&str] = match dialect {
            Dialect::Haskell => &["hs", "lhs"],
            Dialect::Curry => &["curry", "lcurry"],
        };
        for extension in extensions {
            let path = self.root.join(module.replace('.', "/")).with_extension(extension);
            match fs::read(&path) {
                Ok(bytes) => return Some(source(&path, bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => self.problems.push(format!("{}: {error}", path.display())),
            }
        }
        let text = library::text(module, dialect)?;
        Some(SourceFile::new(library::file_name(module, dialect), Some(text.to_owned())))
    }

    fn known_modules(&self, dialect: Dialect) -> Vec<&str> {
        library::modules(dialect).iter().map(|(name, _)| *name).collect()
    }

    fn is_library(&self, module: &str, dialect: Dialect) -> bool {
        library::text(module, dialect).is_some()
    }
}

/// A file with its text.
pub(crate) fn source(path: &Path, bytes: Vec<u8>) -> SourceFile {
    SourceFile::new(path.display().to_string(), Some(decode(bytes)))
}

/// A file's text; what is not UTF-8 is taken for Latin-1, as older programs are written.
pub(crate) fn decode(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().iter().map(|byte| char::from(*byte)).collect());
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

/// The name in a file's module header, as far as it can be told without parsing: `Main` if there is none.
pub(crate) fn module_name(text: &str) -> String {
    let header = text.lines().map(|line| line.trim_start_matches('>').trim_start());
    let mut words = header.filter_map(|line| line.strip_prefix("module ")).map(str::trim_start);
    let name = words.next().and_then(|rest| rest.split(|c: char| c.is_whitespace() || c == '(').next());
    name.filter(|name| !name.is_empty()).unwrap_or("Main").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_from_the_root_of_the_main_module() {
        let root = |main: &str, module: &str| Files::beside(Path::new(main), module).root;
        assert_eq!(root("src/A/B.hs", "A.B"), Path::new("src"));
        assert_eq!(root("src/A/Main.hs", "Main"), Path::new("src/A"));
        assert_eq!(root("Main.hs", "Main"), Path::new(""));
    }

    #[test]
    fn a_module_header_is_read() {
        assert_eq!(module_name("-- x\nmodule Data.X(f) where\n"), "Data.X");
        assert_eq!(module_name("> module M where"), "M");
        assert_eq!(module_name("main = 1"), "Main");
    }
}
