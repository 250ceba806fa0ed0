//! The library, as it was when the binary was built.

use gadfly_syntax::Dialect;

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The text of a library module.
pub(crate) fn text(module: &str, dialect: Dialect) -> Option<&'static str> {
    let modules = modules(dialect);
    let place = modules.binary_search_by(|(name, _)| (*name).cmp(module)).ok()?;
    Some(modules[place].1)
}

/// All modules of the library with their texts, by name.
pub(crate) fn modules(dialect: Dialect) -> &'static [(&'static str, &'static str)] {
    match dialect {
        Dialect::Haskell => HASKELL,
        Dialect::Curry => CURRY,
    }
}

/// How a library module's file is called in messages.
pub(crate) fn file_name(module: &str, dialect: Dialect) -> String {
    let (folder, extension) = match dialect {
        Dialect::Haskell => ("haskell", "hs"),
        Dialect::Curry => ("curry", "curry"),
    };
    format!("lib/{folder}/{}.{extension}", module.replace('.', "/"))
}

/// Whether a file of this name is a library module's.
pub(crate) fn is_library(file: &str) -> bool {
    file.starts_with("lib/haskell/") || file.starts_with("lib/curry/")
}
