//! Modules, names, kinds, types and classes of Haskell 2010 and Curry; dictionary passing made explicit.
//!
//! Enter at [`check`]: a main file and a [`Loader`] for the modules that it imports give a [`Program`]. What a program
//! says about itself is in tables and, for every module, in [`Notes`] about its syntax tree; `interface` says how a
//! later room reads them. [`Program::show_scheme`] shows types.
//!
//! The way of a program: `modules` loads and sorts; then for each module `imports` and `collect` number its names,
//! `declare` finds kinds, constructors and classes, `instances` and `deriving` the instances, `rename` says what names
//! mean, `infer` types bindings group by group, `solve` finds dictionaries, `defaulting` decides what is open, and
//! `report` says what is wrong. Types live in one store (`types`, `unify`).
//!
//! The language is that of the Haskell 2010 report, chapters 4 and 5, with the extensions that people use without
//! thinking. Inference is Damas and Milner's with levels (Rémy 1992); classes follow "Typing Haskell in Haskell"
//! (Jones 1999), dictionary passing "How to make ad-hoc polymorphism less ad hoc" (Wadler and Blott 1989), functional
//! dependencies Jones 2000; annotations are propagated as in "Practical type inference for arbitrary-rank types"
//! (Peyton Jones et al. 2007). The monomorphism restriction is resolved by the whole module.
//!
//! What stays true:
//! - Any text gives a program and diagnostics: no panic, no overflow. Types of any depth are walked with lists of
//!   work; expressions nest no deeper than the parser allows, and are walked on a stack made for that.
//! - Nothing here reads a file, and the same text gives the same diagnostics in the same order.
//! - An error in one binding is reported once; code that uses the binding is checked with its declared type, or any type.

pub mod builtin;
mod checker;
mod collect;
mod components;
mod constraints;
mod convert;
mod declare;
mod defaulting;
mod deriving;
mod finish;
pub mod imports;
mod infer;
mod instances;
pub mod interface;
mod known;
mod modules;
mod rename;
mod report;
mod scope;
mod show;
mod signatures;
mod solve;
#[cfg(test)]
mod tests;
pub mod types;
mod unify;

use gadfly_source::{FileId, Sources};
use gadfly_syntax::names::Interner;

pub use interface::{Notes, Program};
pub use known::{Known, KnownClass, KnownType};
pub use modules::Loader;

/// The stack on which trees are walked: the deepest that the parser makes fit several times.
const STACK: usize = 256 << 20;

/// What a module that is added to a program knows of the program's main module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// What it imports, like any other module.
    Exports,
    /// All that is known at its top, imported or not exported: for an expression that is evaluated in its scope. The
    /// module must import it.
    Everything,
}

/// Checks a program, beginning with its main module.
///
/// # Panics
/// If the file is not one of `sources`.
pub fn check(
    sources: &mut Sources,
    main: FileId,
    interner: &mut Interner,
    loader: &mut dyn Loader,
) -> Program {
    let modules = modules::load(sources, main, interner, loader, None);
    on_a_large_stack(modules, |modules| finish::check_modules(modules, interner))
}

impl Program {
    /// Checks a module, and those that only it imports, as parts of this program: nothing of the program is checked again.
    /// The module is the program's main module from now on; `sees` is about the first one.
    ///
    /// # Panics
    /// If the file is not one of `sources`.
    #[must_use]
    pub fn with_module(
        self,
        sources: &mut Sources,
        file: FileId,
        sees: Sees,
        interner: &mut Interner,
        loader: &mut dyn Loader,
    ) -> Program {
        let modules = modules::load(sources, file, interner, loader, Some(&self));
        on_a_large_stack((self, modules), |(program, modules)| {
            finish::check_more(program, modules, sees, interner)
        })
    }
}

/// Does what walks trees as deep as the parser allows.
fn on_a_large_stack<T: Send>(what: T, work: impl FnMut(T) -> Program + Send) -> Program {
    let (mut what, mut work) = (Some(what), work);
    let checked = std::thread::scope(|scope| {
        let work = || what.take().map(&mut work);
        let builder = std::thread::Builder::new().name("check".to_owned()).stack_size(STACK);
        match builder.spawn_scoped(scope, work).ok()?.join() {
            Ok(program) => program,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    // Without a thread, what nests little is still checked.
    let rest = what.map(work);
    checked.or(rest).expect("the modules are checked here or there")
}
