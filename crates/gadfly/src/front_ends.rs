//! The languages that programs can be in.

use gadfly_frontend::{Failure, FrontEnd, Launch, Program};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A list of front-ends.
pub type FrontEnds = &'static [&'static dyn FrontEnd];

/// The front-ends of Gadfly. A new language is a room that implements [`FrontEnd`], and one more entry here.
pub static FRONT_ENDS: FrontEnds = &[&gadfly_lazy::Haskell, &gadfly_lazy::Curry, &gadfly_python::Python];

/// The front-ends of this process.
static CHOSEN: OnceLock<FrontEnds> = OnceLock::new();

/// Chooses the front-ends of this process; the first choice stays.
pub(crate) fn choose(front_ends: FrontEnds) {
    CHOSEN.get_or_init(|| front_ends);
}

pub(crate) fn all() -> FrontEnds {
    CHOSEN.get_or_init(|| FRONT_ENDS)
}

/// The front-end of a program, by the name of its file.
pub(crate) fn of_file(path: &Path) -> Option<&'static dyn FrontEnd> {
    all().iter().copied().find(|front_end| front_end.language().is_program(path))
}

/// The front-end of a recording, by the name of its language.
pub(crate) fn of_language(name: &str) -> Option<&'static dyn FrontEnd> {
    all().iter().copied().find(|front_end| front_end.language().name == name)
}

/// The file of a module that runs as a program.
pub(crate) fn module_file(name: &str) -> Result<PathBuf, Failure> {
    for front_end in all() {
        if let Some(file) = front_end.module_file(name)? {
            return Ok(file);
        }
    }
    Err(Failure::input(format!("there is no module `{name}`"))
        .with_hint("name a module that Python finds from this folder, or a file"))
}

/// How the names of programs end: `.hs, .lhs, .curry or .py`.
pub(crate) fn suffixes() -> String {
    let all: Vec<&str> = all().iter().flat_map(|front_end| front_end.language().suffixes).copied().collect();
    match all.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => all.concat(),
    }
}

/// The program of a recording, as far as its language has a front-end.
pub(crate) fn attach(language: &str, launch: Launch) -> Option<Box<dyn Program>> {
    of_language(language)?.attach(launch).ok()
}
