//! Checks all modules of a program, one after the other, and finishes each one.

use gadfly_source::{Diagnostic, Severity, Span};
use gadfly_syntax::names::{Interner, known as names};
use gadfly_syntax::resolve_fixities;
use gadfly_syntax::tree::{Expr, ExprId, Literal, Pat, PatId};

use crate::Sees;
use crate::builtin;
use crate::checker::{Checker, Facts, Top, World};
use crate::infer::LocalType;
use crate::interface::{Entity, LocalId, Module, ModuleId, Note, Overloading, PatNote, Program};
use crate::known::{Known, KnownType};
use crate::modules::{Imported, Loaded, Modules};
use crate::scope::{Exports, Filter, Found, View};
use crate::types::{Ty, Types};
use gadfly_source::Table;

/// How many errors of one module are reported.
const ERROR_LIMIT: usize = 200;

/// Checks a program's modules.
pub(crate) fn check_modules(modules: Modules, interner: &mut Interner) -> Program {
    let mut program = Program {
        modules: Table::new(),
        values: Table::new(),
        constructors: Table::new(),
        type_constructors: Table::new(),
        classes: Table::new(),
        instances: Table::new(),
        types: Types::new(),
        known: Known::default(),
        main: None,
        diagnostics: Vec::new(),
        exports: Table::new(),
        facts: Facts::default(),
    };
    builtin::define(&mut program, interner);
    check_more(program, modules, Sees::Exports, interner)
}

/// Checks modules that are added to a program; the first of them is its main module from now on.
pub(crate) fn check_more(
    mut program: Program,
    modules: Modules,
    sees: Sees,
    interner: &mut Interner,
) -> Program {
    let Modules { all, order, diagnostics, home } = modules;
    program.diagnostics.extend(diagnostics);
    let exports = std::mem::replace(&mut program.exports, Table::new());
    let facts = std::mem::take(&mut program.facts);
    let mut world = World { program, exports, facts };
    let mut ids: Vec<Option<ModuleId>> = vec![None; all.len()];
    let mut all: Vec<_> = all.into_iter().map(Some).collect();
    for at in order {
        let Some(loaded) = all[at].take() else { continue };
        let imports = loaded.imports.iter().map(|import| match *import {
            Imported::Missing => None,
            Imported::Checked(module) => Some(module),
            Imported::Read(at) => ids[at],
        });
        let imports: Vec<Option<ModuleId>> = imports.collect();
        let top = world.facts.top.take();
        let around = top.as_ref().filter(|_| at == 0 && sees == Sees::Everything);
        let (id, own) = check_module(loaded, &imports, around, interner, &mut world);
        world.facts.top = top.or((at == 0).then_some(own));
        ids[at] = Some(id);
        if home == Some(at) {
            world.facts.home = Some(id);
        }
    }
    let World { mut program, exports, facts } = world;
    program.main = ids[0].and_then(|main| match exports[main].values.get(&names::MAIN) {
        Some(&Entity::Value(value)) => Some(value),
        _ => None,
    });
    (program.exports, program.facts) = (exports, facts);
    program
}

/// Checks a module. It sees what is at the top of another one, `around`, besides what it imports. Gives its number and
/// what is known at its own top.
fn check_module(
    loaded: Loaded,
    imports: &[Option<ModuleId>],
    around: Option<&Top>,
    interner: &Interner,
    world: &mut World,
) -> (ModuleId, Top) {
    let Loaded { module: mut syntax, diagnostics: parsing, library, .. } = loaded;
    // The module's own number; its row is filled when it is checked.
    let module = world.program.modules.next();
    let exported = around.map(|top| {
        let exports = &mut world.exports[top.module];
        let exported = exports.clone();
        exports.values.extend(top.own.values.iter().map(|(name, entity)| (*name, *entity)));
        exports.types.extend(top.own.types.iter().map(|(name, entity)| (*name, *entity)));
        (top.module, exported)
    });
    let mut opened = Checker::new(interner, &syntax, world, module);
    opened.open_imports(imports);
    opened.scope.imports.extend(around.iter().flat_map(|top| top.imports.iter().cloned()));
    let (scope, absent, mut diagnostics) = (opened.scope, opened.absent, opened.diagnostics);
    let fixity = |name| match scope.value(name, &world.exports) {
        Found::One(entity) => world.facts.fixities.get(&entity).copied(),
        _ => None,
    };
    let chains = resolve_fixities(&mut syntax, interner, fixity);
    let mut checker = Checker::new(interner, &syntax, world, module);
    checker.scope.imports = scope.imports;
    checker.absent = absent;
    checker.library = library;
    checker.broken = !chains.is_empty() || parsing.iter().any(|told| told.severity == Severity::Error);
    let exports = checker.check();
    let name = syntax.name.symbol;
    let mut views = std::mem::take(&mut checker.scope.imports);
    views.push(View { module, alias: name, qualified: false, filter: Filter::All });
    let own = std::mem::take(&mut checker.scope.own);
    let Checker { notes, own_values: values, diagnostics: errors, warnings, .. } = checker;
    diagnostics.extend(chains);
    diagnostics.extend(errors.into_iter().take(ERROR_LIMIT));
    diagnostics.extend(warnings);
    diagnostics.extend(parsing);
    diagnostics.sort_by_key(|diagnostic| {
        diagnostic.primary.as_ref().map(|label| (label.span.start, label.span.end))
    });
    world.program.diagnostics.extend(diagnostics);
    if let Some((around, exported)) = exported {
        world.exports[around] = exported;
    }
    world.exports.push(exports);
    (world.program.modules.push(Module { name, syntax, notes, values }), Top { module, own, imports: views })
}

impl Checker<'_> {
    /// All phases of one module.
    fn check(&mut self) -> Exports {
        self.collect();
        for (symbol, fixity) in self.syntax.fixities() {
            if let Some(&entity) = self.scope.own.values.get(&symbol) {
                self.world.facts.fixities.insert(entity, fixity);
            }
        }
        self.check_fixities();
        let exports = self.exports();
        self.find_known();
        self.declare_types();
        self.declare_signatures();
        self.declare_instances();
        self.declare_derivings();
        self.declare_defaults();
        self.rename();
        self.top_bindings();
        self.check_classes();
        self.check_instances();
        self.check_main(&exports);
        self.default_open_types();
        self.settle();
        exports
    }

    /// A program without `main` can be checked, but not run: GHC rejects it, but what is only to be checked may well be a
    /// file of definitions. A `main` that is not an action is evaluated and shown.
    fn check_main(&mut self, exports: &Exports) {
        if self.options.curry || self.scope.name != names::MAIN_MODULE {
            return;
        }
        self.main_is_action();
        let own = self.scope.own.values.get(&names::MAIN);
        let broken = self.broken || !self.diagnostics.is_empty();
        if !exports.values.contains_key(&names::MAIN) && !broken {
            let (message, hint) = match own {
                Some(_) => (
                    "this program cannot be run: `main` is not exported",
                    "Add `main` to the list of exports.",
                ),
                None => (
                    "this program cannot be run: it has no `main`",
                    "Define `main :: IO ()`, or give the module a name of its own: `module Name where`.",
                ),
            };
            let diagnostic = Diagnostic::warning(message);
            let diagnostic = match self.module_span() {
                Some(span) => diagnostic.at(span, ""),
                None => diagnostic,
            };
            self.warnings.push(diagnostic.with_hint(hint));
        }
    }

    /// If nothing determines the monad of `main`, it is `IO`.
    fn main_is_action(&mut self) {
        let Some(&Entity::Value(main)) = self.scope.own.values.get(&names::MAIN) else { return };
        let Some(action) = self.world.program.known.type_constructor(KnownType::Io) else { return };
        let scheme = self.world.program.values[main].scheme;
        let body = self.types().scheme(scheme).body;
        if let Ty::App(monad, _) = self.types().view(body)
            && let Ty::Meta(_) = self.types().view(monad)
        {
            let action = self.types().con(action);
            let _ = self.types().unify(monad, action);
        }
    }

    /// Where the module is named or, without a header, where its first definition is.
    fn module_span(&self) -> Option<Span> {
        if self.syntax.has_header {
            return Some(self.span_of(self.syntax.name.place));
        }
        self.own_values.first().map(|&value| self.world.program.values[value].span)
    }

    /// Replaces metas in the notes and schemes by the types they turned out to be.
    fn settle(&mut self) {
        for index in 0..self.own_values.len() {
            let scheme = self.world.program.values[self.own_values[index]].scheme;
            self.types().zonk_scheme(scheme);
        }
        for row in 0..self.notes.locals.len() {
            let local = LocalId::from_index(row);
            let scheme = match self.local_type(local) {
                LocalType::Unset => continue,
                LocalType::Mono(ty) | LocalType::Group(ty) => {
                    let ty = self.types().zonk(ty);
                    self.types().mono(ty)
                }
                LocalType::Poly(scheme) => {
                    self.types().zonk_scheme(scheme);
                    scheme
                }
            };
            self.notes.locals[local].scheme = scheme;
        }
        let mut notes = std::mem::take(&mut self.notes);
        for (row, note) in notes.exprs.iter_mut().enumerate() {
            if let Note::Overloaded(overloading) = note {
                self.settle_overloading(overloading);
                let literal =
                    matches!(self.tree.get(ExprId::from_index(row)), Expr::Literal(Literal::String(_)));
                if literal && self.is_string(overloading.at) {
                    *note = Note::None;
                }
            }
        }
        for (row, note) in notes.pats.iter_mut().enumerate() {
            if let PatNote::Literal { number, .. } = note {
                self.settle_overloading(number);
                let pattern = self.tree.get(PatId::from_index(row));
                let literal = matches!(pattern, Pat::Literal { literal: Literal::String(_), .. });
                if literal && self.is_string(number.at) {
                    *note = PatNote::None;
                }
            }
        }
        for variable in notes.dictionary_variables.ids().collect::<Vec<_>>() {
            let constraint = notes.dictionary_variables[variable].constraint;
            notes.dictionary_variables[variable].constraint = self.types().zonk_constraint(constraint);
        }
        self.notes = notes;
    }

    fn settle_overloading(&mut self, overloading: &mut Overloading) {
        overloading.at = self.types().zonk(overloading.at);
        overloading.constructor = self.plain_constructor(overloading.at);
    }
}

impl Program {
    /// A value or constructor that a module exports, by their names; for what the library defines for the lowering.
    pub fn exported(&self, module: &str, name: &str, interner: &Interner) -> Option<Entity> {
        let (module, name) = (interner.get(module)?, interner.get(name)?);
        let (id, _) = self.modules.iter().find(|(_, other)| other.name == module)?;
        self.exports[id].values.get(&name).copied()
    }
}
