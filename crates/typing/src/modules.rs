//! From the main module to all modules of a program, in an order in which they can be checked.

use gadfly_source::{Diagnostic, FileId, SourceFile, Sources, Span};
use gadfly_syntax::names::{Interner, Symbol};
use gadfly_syntax::tree::{Import, Name, Place};
use gadfly_syntax::{Dialect, Module, parse};
use rustc_hash::FxHashMap;

use crate::interface::{ModuleId, Program};
use crate::known;

/// Supplies the texts of modules.
pub trait Loader {
    /// The file of a module, by the module's name (`Data.List`) and the dialect of who imports it; `None` if there
    /// is none.
    fn load(&mut self, module: &str, dialect: Dialect) -> Option<SourceFile>;

    /// Names of modules that there are, for hints.
    fn known_modules(&self, _dialect: Dialect) -> Vec<&str> {
        Vec::new()
    }

    /// Whether a module of this name is the library's, and may name functions of the machine. All are, unless the
    /// loader knows better.
    fn is_library(&self, _module: &str, _dialect: Dialect) -> bool {
        true
    }
}

/// No other modules.
impl Loader for () {
    fn load(&mut self, _: &str, _: Dialect) -> Option<SourceFile> {
        None
    }
}

impl<F: FnMut(&str, Dialect) -> Option<SourceFile>> Loader for F {
    fn load(&mut self, module: &str, dialect: Dialect) -> Option<SourceFile> {
        self(module, dialect)
    }
}

/// A module that was read.
pub(crate) struct Loaded {
    /// The tree; its imports include the implicit one.
    pub(crate) module: Module,
    /// What its imports mean, by their order.
    pub(crate) imports: Vec<Imported>,
    /// The parser's diagnostics.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether it may name functions of the machine.
    pub(crate) library: bool,
}

/// What an import means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Imported {
    /// There is no such module.
    Missing,
    /// A module of the program that this one is added to.
    Checked(ModuleId),
    /// A module that was read, by its number in [`Modules::all`].
    Read(usize),
}

/// The modules of a program, or those that are added to it.
pub(crate) struct Modules {
    /// In the order in which they were found; the main module is the first.
    pub(crate) all: Vec<Loaded>,
    /// Each after those that it imports.
    pub(crate) order: Vec<usize>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The module where the library defines what the language needs, if it is among them.
    pub(crate) home: Option<usize>,
}

/// Reads the main module and, by way of imports, all others that are not `checked` yet.
pub(crate) fn load(
    sources: &mut Sources,
    main: FileId,
    interner: &mut Interner,
    loader: &mut dyn Loader,
    checked: Option<&Program>,
) -> Modules {
    let dialect = Dialect::of_file(sources.file(main).name()).unwrap_or(Dialect::Haskell);
    let mut load = Load {
        sources,
        interner,
        loader,
        by_name: checked
            .into_iter()
            .flat_map(|program| program.modules.iter())
            .map(|(id, module)| (module.name, Imported::Checked(id)))
            .collect(),
        modules: Modules { all: Vec::new(), order: Vec::new(), diagnostics: Vec::new(), home: None },
    };
    let main = load.read(main, dialect);
    let name = load.modules.all[main].module.name.symbol;
    load.by_name.insert(name, Imported::Read(main));
    let home = load.interner.intern(known::home(dialect));
    if let Imported::Read(home) = load.module_named(home, dialect, None) {
        load.modules.home = Some(home);
    }
    let mut next = 0;
    while next < load.modules.all.len() {
        load.follow_imports(next);
        next += 1;
    }
    let mut modules = load.modules;
    modules.sort(interner);
    modules
}

struct Load<'a> {
    sources: &'a mut Sources,
    interner: &'a mut Interner,
    loader: &'a mut dyn Loader,
    by_name: FxHashMap<Symbol, Imported>,
    modules: Modules,
}

impl Load<'_> {
    fn read(&mut self, file: FileId, dialect: Dialect) -> usize {
        let parsed = parse(self.sources, file, dialect, self.interner);
        let mut module = parsed.module;
        self.add_prelude(&mut module);
        let name = self.interner.text(module.name.symbol);
        let library = self.loader.is_library(name, dialect);
        let diagnostics = parsed.diagnostics;
        self.modules.all.push(Loaded { module, imports: Vec::new(), diagnostics, library });
        self.modules.all.len() - 1
    }

    /// The Prelude is imported unless the module says something about it (Haskell 2010 §5.6.1).
    fn add_prelude(&mut self, module: &mut Module) {
        let prelude = self.interner.intern(known::PRELUDE);
        let off = self.interner.get("NoImplicitPrelude");
        let said = module.imports.iter().any(|import| import.module.symbol == prelude)
            || module.extensions.iter().any(|(extension, _)| Some(*extension) == off);
        if said || module.name.symbol == prelude {
            return;
        }
        let nowhere = Place { start: 0, end: 0 };
        module.imports.push(Import {
            place: nowhere,
            module: Name { symbol: prelude, place: nowhere },
            qualified: false,
            alias: None,
            hiding: false,
            items: None,
        });
    }

    fn follow_imports(&mut self, at: usize) {
        let dialect = self.modules.all[at].module.dialect;
        let file = self.modules.all[at].module.tree.file();
        for index in 0..self.modules.all[at].module.imports.len() {
            let import = self.modules.all[at].module.imports[index].module;
            let span = Span::new(file, import.place.start, import.place.end);
            let found = self.module_named(import.symbol, dialect, Some(span));
            self.modules.all[at].imports.push(found);
        }
    }

    fn module_named(&mut self, name: Symbol, dialect: Dialect, from: Option<Span>) -> Imported {
        if let Some(known) = self.by_name.get(&name) {
            return *known;
        }
        let text = self.interner.text(name).to_owned();
        let found = match self.loader.load(&text, dialect) {
            Some(file) => {
                let dialect = Dialect::of_file(file.name()).unwrap_or(dialect);
                let file = self.sources.add(file);
                let read = self.read(file, dialect);
                self.check_name(read, name);
                Imported::Read(read)
            }
            None => Imported::Missing,
        };
        if found == Imported::Missing && from.is_none() {
            // The library's home: if it is missing, the error is reported where it is needed.
            return found;
        }
        if let (Imported::Missing, Some(from)) = (found, from) {
            let implicit = from.start == from.end;
            let message = format!("there is no module `{text}`");
            let diagnostic = match implicit {
                true => Diagnostic::error(message)
                    .with_note("It is imported by every module that does not say otherwise.")
                    .with_hint("Say where the library is."),
                false => Diagnostic::error(message)
                    .at(from, "imported here")
                    .with_hint(self.missing_hint(&text, dialect)),
            };
            self.modules.diagnostics.push(diagnostic);
        }
        self.by_name.insert(name, found);
        found
    }

    /// Which module may be meant, or where it was looked for.
    fn missing_hint(&self, text: &str, dialect: Dialect) -> String {
        let wanted: Vec<char> = text.chars().take(64).collect();
        let near = self.loader.known_modules(dialect).into_iter().filter(|name| !name.starts_with("Gadfly."));
        let near = near.filter_map(|name| Some((gadfly_source::distance(&wanted, name, 2)?, name))).min();
        if let Some((_, name)) = near.filter(|_| wanted.len() > 4) {
            return format!("Perhaps `{name}` is meant.");
        }
        let extension = if dialect == Dialect::Haskell { "hs" } else { "curry" };
        let file = text.replace('.', "/");
        format!("It is neither `{file}.{extension}`, beside the main module, nor one of the library's.")
    }

    /// A file must hold the module that it was loaded for.
    fn check_name(&mut self, read: usize, wanted: Symbol) {
        let module = &self.modules.all[read].module;
        if module.name.symbol == wanted {
            return;
        }
        let text = self.interner.text(wanted);
        let message = format!("this file should hold the module `{text}`");
        let span = module.tree.span_of(module.name.place);
        let label = match module.has_header {
            true => format!("but it holds `{}`", self.interner.text(module.name.symbol)),
            false => "but it has no `module` line".to_owned(),
        };
        let hint = format!("Begin the file with `module {text} where`, or import it under its own name.");
        self.modules.diagnostics.push(Diagnostic::error(message).at(span, label).with_hint(hint));
        self.modules.all[read].module.name.symbol = wanted;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Modules {
    /// Sorts depth first; an import that leads back to a module whose imports are being followed is a cycle, and is
    /// left out.
    fn sort(&mut self, interner: &Interner) {
        let mut marks = vec![Mark::New; self.all.len()];
        let roots = self.home.into_iter().chain(0..self.all.len().min(1));
        for root in roots.collect::<Vec<_>>() {
            if marks[root] != Mark::New {
                continue;
            }
            marks[root] = Mark::Open;
            let mut path = vec![(root, 0)];
            while let Some((at, next)) = path.last_mut() {
                let at = *at;
                let Some(&import) = self.all[at].imports.get(*next) else {
                    marks[at] = Mark::Done;
                    self.order.push(at);
                    path.pop();
                    continue;
                };
                *next += 1;
                let Imported::Read(import) = import else { continue };
                match marks[import] {
                    Mark::Done => {}
                    Mark::New => {
                        marks[import] = Mark::Open;
                        path.push((import, 0));
                    }
                    Mark::Open => self.cut_cycle(&path, import, interner),
                }
            }
        }
    }

    fn cut_cycle(&mut self, path: &[(usize, usize)], back_to: usize, interner: &Interner) {
        let Some(&(last, next)) = path.last() else { return };
        let start = path.iter().position(|(at, _)| *at == back_to).unwrap_or(0);
        let name = |at: usize| interner.text(self.all[at].module.name.symbol);
        let mut chain: Vec<&str> = path[start..].iter().map(|(at, _)| name(*at)).collect();
        chain.push(name(back_to));
        let message = match chain.len() {
            2 => format!("the module `{}` imports itself", chain[0]),
            _ => format!("the imports form a cycle: {}", chain.join(" → ")),
        };
        let mut diagnostic = Diagnostic::error(message);
        for (index, &(at, following)) in path[start..].iter().enumerate() {
            let module = &self.all[at].module;
            let import = &module.imports[following - 1];
            let span = module.tree.span_of(import.module.place);
            let text = format!("`{}` is imported here", interner.text(import.module.symbol));
            diagnostic = match index {
                0 => diagnostic.at(span, text),
                _ => diagnostic.and(span, text),
            };
        }
        let hint = "Move what both need into a third module that imports neither.";
        self.diagnostics.push(diagnostic.with_hint(hint));
        self.all[last].imports[next - 1] = Imported::Missing;
    }
}
