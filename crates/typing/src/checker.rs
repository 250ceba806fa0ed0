//! The state of the checker while it checks one module, and the lookup of names in it.
//!
//! The phases, each in its own file, in this order: `imports` and `collect` number the names, `declare` and `instances`
//! type the declarations, `rename` finds out what each name in an expression means, `infer` types expressions
//! and bindings, `solve` finds dictionaries, `defaulting` decides types that are still open.

use gadfly_source::{Diagnostic, Span};
use gadfly_syntax::names::{Interner, QName, Symbol};
use gadfly_syntax::tree::{DeclId, NameId, Overlap, Place, Tree};
use gadfly_syntax::{Dialect, Fixity};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::builtin;
use crate::convert::TypeVariable;
use crate::infer::{GivenId, Givens, LocalType, Wanted};
use crate::interface::{
    Binding, ClassId, ConstructorId, DictVars, Entity, InstanceId, LocalId, ModuleId, Notes, Program,
    TypeConId, ValueId,
};
use crate::known::{KnownClass, KnownType};
use crate::scope::{Exports, Found, Scope, TypeEntity, View, entity_name};
use crate::types::{Constraint, SchemeId, SkolemId, TyId, Types};
use gadfly_source::Table;

/// What is known about the modules that are checked already.
pub(crate) struct World {
    pub(crate) program: Program,
    pub(crate) exports: Table<ModuleId, Exports>,
    pub(crate) facts: Facts,
}

/// What is known besides the tables of the program; the program keeps it for modules that are added later.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) fixities: FxHashMap<Entity, Fixity>,
    /// Instances of classes with one parameter, by the type constructor of their head.
    pub(crate) by_head: FxHashMap<(ClassId, TypeConId), Vec<InstanceId>>,
    /// The others: of several parameters, or for a type variable.
    pub(crate) other_instances: FxHashMap<ClassId, Vec<InstanceId>>,
    pub(crate) home: Option<ModuleId>,
    /// Synonyms that stand for class constraints, over their parameters.
    pub(crate) constraint_synonyms: FxHashMap<TypeConId, Vec<Constraint>>,
    /// Constructors as types.
    pub(crate) promoted: FxHashMap<ConstructorId, TypeConId>,
    /// What is known at the top of the main module that the program was checked with.
    pub(crate) top: Option<Top>,
}

/// What is known at the top of a module, imported or not exported.
#[derive(Debug)]
pub(crate) struct Top {
    pub(crate) module: ModuleId,
    pub(crate) own: Exports,
    pub(crate) imports: Vec<View>,
}

/// What a module's pragmas say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) scoped_type_variables: bool,
    pub(crate) monomorphism_restriction: bool,
    pub(crate) newtype_deriving: bool,
    pub(crate) any_class_deriving: bool,
    pub(crate) ambiguous_types: bool,
    pub(crate) strict_data: bool,
    /// Whether strings in the text may be of other types than `String`.
    pub(crate) overloaded_strings: bool,
    /// Whether constructors may stand in types.
    pub(crate) data_kinds: bool,
    /// How all instances of the module overlap.
    pub(crate) overlap: Overlap,
    pub(crate) curry: bool,
}

impl Options {
    fn of(module: &gadfly_syntax::Module, interner: &Interner) -> Options {
        let last = |on: &str, off: &str, otherwise: bool| {
            module.extensions.iter().fold(otherwise, |before, (extension, _)| {
                match interner.text(*extension) {
                    text if text == on => true,
                    text if text == off => false,
                    _ => before,
                }
            })
        };
        let has = |on: &str, off: &str| last(on, off, false);
        Options {
            scoped_type_variables: has("ScopedTypeVariables", "NoScopedTypeVariables"),
            monomorphism_restriction: module.dialect == Dialect::Haskell
                && last("MonomorphismRestriction", "NoMonomorphismRestriction", true),
            newtype_deriving: has("GeneralizedNewtypeDeriving", "NoGeneralizedNewtypeDeriving")
                || has("GeneralisedNewtypeDeriving", "NoGeneralisedNewtypeDeriving"),
            any_class_deriving: has("DeriveAnyClass", "NoDeriveAnyClass"),
            ambiguous_types: has("AllowAmbiguousTypes", "NoAllowAmbiguousTypes"),
            strict_data: has("StrictData", "NoStrictData") || has("Strict", "NoStrict"),
            overloaded_strings: has("OverloadedStrings", "NoOverloadedStrings"),
            data_kinds: has("DataKinds", "NoDataKinds"),
            overlap: {
                let incoherent = has("IncoherentInstances", "NoIncoherentInstances");
                let overlaps = incoherent || has("OverlappingInstances", "NoOverlappingInstances");
                Overlap { overlapping: overlaps, overlappable: overlaps, incoherent }
            },
            curry: module.dialect == Dialect::Curry,
        }
    }
}

/// The import of a module that there is not.
#[derive(Clone, Debug)]
pub(crate) struct Absent {
    pub(crate) alias: Symbol,
    pub(crate) qualified: bool,
    /// The names it lists; none if it would bring everything.
    pub(crate) names: Option<Vec<Symbol>>,
}

/// A written type signature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signature {
    pub(crate) scheme: SchemeId,
    pub(crate) span: Span,
    /// Whether its variables are known in the binding.
    pub(crate) scoped: bool,
}

/// One module while it is checked.
pub(crate) struct Checker<'m> {
    pub(crate) interner: &'m Interner,
    pub(crate) syntax: &'m gadfly_syntax::Module,
    pub(crate) tree: &'m Tree,
    pub(crate) world: &'m mut World,
    pub(crate) module: ModuleId,
    pub(crate) options: Options,
    pub(crate) scope: Scope,
    /// Whether the module may name functions of the machine.
    pub(crate) library: bool,
    /// Whether parts of its text could not be read.
    pub(crate) broken: bool,
    pub(crate) notes: Notes,
    /// Errors.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The module's own values: consecutive numbers from `first_value`.
    pub(crate) own_values: Vec<ValueId>,
    pub(crate) first_value: ValueId,
    pub(crate) type_decls: Vec<(DeclId, TypeEntity)>,
    /// The module's own instances.
    pub(crate) own_instances: Vec<InstanceId>,
    pub(crate) type_variables: Vec<TypeVariable>,
    pub(crate) skolem_kinds: FxHashMap<SkolemId, TyId>,
    pub(crate) signatures: FxHashMap<Entity, Signature>,
    /// Whether `_` in a type stands for whatever it turns out to be.
    pub(crate) open_wildcards: bool,
    /// The type variables that `_` stands for in the signature that is read (Curry).
    pub(crate) anonymous: Vec<SkolemId>,
    /// Whether a pattern inside a functional pattern is checked (Curry).
    pub(crate) in_functional_pattern: bool,
    /// Whether a constraint of the signature that is read had an error.
    pub(crate) broken_context: bool,
    /// Signatures with such constraints: what is missing there may be what they meant.
    pub(crate) broken_schemes: FxHashSet<SchemeId>,
    /// Imports of modules that there are not: what they might bring is not reported as unknown.
    pub(crate) absent: Vec<Absent>,
    /// Names that were reported as unknown.
    reported: FxHashSet<(QName, bool)>,
    /// Local variables that are known, and what hid which.
    pub(crate) locals: FxHashMap<Symbol, LocalId>,
    pub(crate) hidden: Vec<(Symbol, Option<LocalId>)>,
    /// Uses of names that bindings define, in the order of renaming.
    pub(crate) references: Vec<Entity>,
    /// Which of them are in a declaration.
    pub(crate) references_of: FxHashMap<DeclId, (u32, u32)>,
    /// Functional patterns: the function whose rule has it, the function in the pattern, and where (Curry).
    pub(crate) functional_heads: Vec<(Entity, Entity, NameId)>,
    /// Curry's free variables by where they are declared.
    pub(crate) free_locals: FxHashMap<Place, LocalId>,
    pub(crate) local_types: Vec<LocalType>,
    pub(crate) value_types: Vec<LocalType>,
    pub(crate) level: u32,
    /// Type variables that stand for something in the scope of a match.
    pub(crate) refined: Vec<SkolemId>,
    pub(crate) wanted: Vec<Wanted>,
    pub(crate) givens: Table<GivenId, Givens>,
    pub(crate) given: GivenId,
    /// The type of the method that is being checked, in its instance.
    pub(crate) method_type: Option<TyId>,
    pub(crate) next_group: u32,
    /// How often the module used an entity whose type is unknown because of an error.
    pub(crate) unknown_uses: usize,
    /// Uses of members of the group that is being inferred.
    pub(crate) group_uses: Vec<(crate::infer::Site, Entity)>,
    /// What `default` declares.
    pub(crate) default_types: Option<Vec<TyId>>,
    pub(crate) derivings: FxHashMap<InstanceId, crate::deriving::Request>,
    /// Dictionaries of instances without parameters.
    pub(crate) plain_dictionaries: FxHashMap<InstanceId, crate::interface::DictId>,
    /// Dictionaries of other instances for types without variables, by the types' hashes.
    #[allow(clippy::type_complexity, reason = "a name for it would be used once")]
    pub(crate) closed_dictionaries:
        FxHashMap<(ClassId, Vec<u32>), Vec<(crate::types::Constraint, crate::interface::DictId)>>,
    /// What was reported as missing, so that it is reported once.
    pub(crate) missing: FxHashSet<String>,
}

impl<'m> Checker<'m> {
    pub(crate) fn new(
        interner: &'m Interner,
        syntax: &'m gadfly_syntax::Module,
        world: &'m mut World,
        module: ModuleId,
    ) -> Checker<'m> {
        let mut scope = Scope::new(syntax.name.symbol);
        let options = Options::of(syntax, interner);
        scope.own_first = options.curry;
        let first_value = world.program.values.next();
        let mut givens = Table::new();
        let given = givens.push(Givens::default());
        Checker {
            interner,
            syntax,
            tree: &syntax.tree,
            world,
            module,
            options,
            scope,
            library: false,
            broken: false,
            notes: Notes::default(),
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            own_values: Vec::new(),
            first_value,
            type_decls: Vec::new(),
            own_instances: Vec::new(),
            type_variables: Vec::new(),
            skolem_kinds: FxHashMap::default(),
            signatures: FxHashMap::default(),
            open_wildcards: false,
            anonymous: Vec::new(),
            in_functional_pattern: false,
            broken_context: false,
            broken_schemes: FxHashSet::default(),
            absent: Vec::new(),
            reported: FxHashSet::default(),
            locals: FxHashMap::default(),
            hidden: Vec::new(),
            references: Vec::new(),
            references_of: FxHashMap::default(),
            functional_heads: Vec::new(),
            free_locals: FxHashMap::default(),
            local_types: Vec::new(),
            value_types: Vec::new(),
            level: 0,
            refined: Vec::new(),
            wanted: Vec::new(),
            givens,
            given,
            method_type: None,
            next_group: 0,
            unknown_uses: 0,
            group_uses: Vec::new(),
            default_types: None,
            derivings: FxHashMap::default(),
            plain_dictionaries: FxHashMap::default(),
            closed_dictionaries: FxHashMap::default(),
            missing: FxHashSet::default(),
        }
    }

    pub(crate) fn types(&mut self) -> &mut Types {
        &mut self.world.program.types
    }

    pub(crate) fn text(&self, symbol: Symbol) -> &'m str {
        let interner: &'m Interner = self.interner;
        interner.text(symbol)
    }

    pub(crate) fn span_of(&self, place: Place) -> Span {
        self.tree.span_of(place)
    }

    pub(crate) fn new_binding(&mut self, entity: Entity) -> Binding {
        Binding { entity, dictionaries: DictVars::EMPTY, group: 0 }
    }

    /// Finds the types and classes that the language needs: in the library's home or, while that is not checked yet,
    /// in what the module itself knows.
    pub(crate) fn find_known(&mut self) {
        let home = self.world.facts.home.filter(|&home| home != self.module);
        let find = |text: &str| {
            let symbol = self.interner.get(text)?;
            match home.filter(|home| self.world.exports.get(*home).is_some()) {
                Some(home) => self.world.exports[home].types.get(&symbol).copied(),
                None => match self.scope.type_or_class(QName::plain(symbol), &self.world.exports) {
                    Found::One(found) => Some(found),
                    _ => None,
                },
            }
        };
        let mut found = crate::known::Known::default();
        for &known in KnownType::ALL {
            if let Some(TypeEntity::Type(id)) = find(known.name()) {
                found.types[known as usize] = Some(id);
            }
        }
        for &known in KnownClass::ALL {
            // A Haskell program's own class of that name means nothing.
            if known == KnownClass::Data && !self.options.curry {
                continue;
            }
            if let Some(TypeEntity::Class(id)) = find(known.name()) {
                found.classes[known as usize] = Some(id);
            }
        }
        self.world.program.known = found;
    }

    /// The value that a name means at a place; an unknown name is reported.
    pub(crate) fn lookup_value(&mut self, name: QName, place: Place) -> Entity {
        if let Some(builtin) = builtin::constructor_named(name, self.interner) {
            return builtin;
        }
        if name.qualifier == Some(gadfly_syntax::names::known::LIBRARY) {
            return self.library_value(name.name, place);
        }
        match self.scope.value(name, &self.world.exports) {
            Found::One(entity) => entity,
            Found::None => {
                self.unknown_value(name, place);
                Entity::Unknown
            }
            Found::Many(found) => {
                let origins = found.iter().map(|&entity| self.origin(entity)).collect();
                self.ambiguous(name, place, origins);
                Entity::Unknown
            }
        }
    }

    /// The library function that a piece of syntax stands for.
    fn library_value(&mut self, name: Symbol, place: Place) -> Entity {
        let prelude = self.interner.get(crate::known::PRELUDE);
        let modules = self.world.program.modules.iter();
        let prelude = modules.filter(|(_, module)| Some(module.name) == prelude).map(|(id, _)| id);
        let homes: Vec<ModuleId> = self.world.facts.home.into_iter().chain(prelude).collect();
        let find = |home: ModuleId| self.world.exports.get(home)?.values.get(&name).copied();
        match homes.into_iter().find_map(find) {
            Some(found) => found,
            None => {
                let text = self.text(name);
                self.missing_library(text, self.span_of(place));
                Entity::Unknown
            }
        }
    }

    /// The type or class that a name means at a place; an unknown name is reported.
    pub(crate) fn lookup_type(&mut self, name: QName, place: Place) -> Option<TypeEntity> {
        match self.scope.type_or_class(name, &self.world.exports) {
            Found::One(entity) => Some(entity),
            Found::None => {
                self.unknown_type(name, place);
                None
            }
            Found::Many(found) => {
                let origins = found.iter().map(|&entity| self.type_origin(entity)).collect();
                self.ambiguous(name, place, origins);
                None
            }
        }
    }

    /// The module through which this one knows an entity, and where the entity is defined.
    fn origin(&self, entity: Entity) -> (String, Option<Span>) {
        let named = entity_name(&self.world.program, entity);
        let module = named.and_then(|(_, module)| module);
        let by = named.and_then(|(name, _)| {
            self.scope.imports.iter().find(|view| {
                view.brings_value(name) && self.world.exports[view.module].values.get(&name) == Some(&entity)
            })
        });
        let text = match by.filter(|_| module != Some(self.module)) {
            Some(view) => self.text(view.alias).to_owned(),
            None => self.module_text(module),
        };
        (text, self.entity_span(entity))
    }

    fn type_origin(&self, entity: TypeEntity) -> (String, Option<Span>) {
        let module = match entity {
            TypeEntity::Type(id) => self.world.program.type_constructors[id].module,
            TypeEntity::Class(id) => Some(self.world.program.classes[id].module),
        };
        let by = self.scope.imports.iter().find(|view| {
            let mut types = self.world.exports[view.module].types.iter();
            types.any(|(&name, &other)| other == entity && view.brings_type(name))
        });
        let text = match by.filter(|_| module != Some(self.module)) {
            Some(view) => self.text(view.alias).to_owned(),
            None => self.module_text(module),
        };
        (text, self.type_span(entity))
    }

    fn module_text(&self, module: Option<ModuleId>) -> String {
        match module {
            Some(module) if module == self.module => self.text(self.scope.name).to_owned(),
            Some(module) => self.text(self.world.program.modules[module].name).to_owned(),
            None => "the language".to_owned(),
        }
    }

    /// Where an entity is defined.
    pub(crate) fn entity_span(&self, entity: Entity) -> Option<Span> {
        match entity {
            Entity::Value(value) => Some(self.world.program.values[value].span),
            Entity::Constructor(constructor) => self.world.program.constructors[constructor].span,
            Entity::Local(local) => Some(self.span_of(self.notes.locals[local].place)),
            Entity::Unknown => None,
        }
    }

    pub(crate) fn type_span(&self, entity: TypeEntity) -> Option<Span> {
        match entity {
            TypeEntity::Type(id) => self.world.program.type_constructors[id].span,
            TypeEntity::Class(id) => Some(self.world.program.classes[id].span),
        }
    }

    fn ambiguous(&mut self, name: QName, place: Place, origins: Vec<(String, Option<Span>)>) {
        if !self.reported.insert((name, true)) {
            return;
        }
        let text = name.text(self.interner);
        let modules: Vec<String> = origins.iter().map(|(module, _)| format!("`{module}`")).collect();
        let message =
            format!("`{text}` could mean several things: it is defined in {}", modules.join(" and in "));
        let mut diagnostic = Diagnostic::error(message).at(self.span_of(place), "used here");
        for (module, span) in &origins {
            if let Some(span) = span {
                diagnostic = diagnostic.and(*span, format!("the one of `{module}`"));
            }
        }
        let example = origins.first().map_or_else(String::new, |(module, _)| module.clone());
        let plain = self.text(name.name);
        let hint = format!("Write `{example}.{plain}`, or hide one of them in its import.");
        self.diagnostics.push(diagnostic.with_hint(hint));
    }

    /// Whether a name may come from a module that is missing, which has been reported already.
    pub(crate) fn may_be_absent(&self, name: QName) -> bool {
        self.absent.iter().any(|absent| {
            let fits = match name.qualifier {
                Some(qualifier) => absent.alias == qualifier,
                None => !absent.qualified,
            };
            fits && absent.names.as_ref().is_none_or(|names| names.contains(&name.name))
        })
    }

    fn unknown_value(&mut self, name: QName, place: Place) {
        if self.may_be_absent(name) || !self.reported.insert((name, false)) {
            return;
        }
        let text = name.text(self.interner);
        let plain = self.text(name.name);
        let capital = plain.starts_with(|first: char| first.is_uppercase() || first == ':');
        let what = if capital { "constructor" } else { "name" };
        let mut diagnostic =
            Diagnostic::error(format!("the {what} `{text}` is not known")).at(self.span_of(place), "");
        if plain.starts_with('_') && name.qualifier.is_none() {
            diagnostic.message = format!("`{text}` is a hole, and nothing is known to fill it");
            self.diagnostics.push(diagnostic);
            return;
        }
        diagnostic = match self.hint_for(name, false) {
            Some(hint) => diagnostic.with_hint(hint),
            None => diagnostic,
        };
        self.diagnostics.push(diagnostic);
    }

    fn unknown_type(&mut self, name: QName, place: Place) {
        if self.may_be_absent(name) || !self.reported.insert((name, true)) {
            return;
        }
        let text = name.text(self.interner);
        let mut diagnostic =
            Diagnostic::error(format!("the type or class `{text}` is not known")).at(self.span_of(place), "");
        if let Some(hint) = self.hint_for(name, true) {
            diagnostic = diagnostic.with_hint(hint);
        }
        self.diagnostics.push(diagnostic);
    }

    /// Where a name might be found, or which one might be meant.
    fn hint_for(&self, name: QName, types: bool) -> Option<String> {
        let plain = self.text(name.name);
        if let Some(qualifier) = name.qualifier
            && !self.scope.knows_qualifier(qualifier)
        {
            let qualifier = self.text(qualifier);
            let other = self.scope.imports.iter().find(|view| {
                let exports = &self.world.exports[view.module];
                match types {
                    true => exports.types.contains_key(&name.name) && view.brings_type(name.name),
                    false => exports.values.contains_key(&name.name) && view.brings_value(name.name),
                }
            });
            return Some(match other {
                Some(view) => {
                    let alias = self.text(view.alias);
                    format!("No module is imported as `{qualifier}`; perhaps `{alias}.{plain}` is meant.")
                }
                None => {
                    format!("No module is imported as `{qualifier}`: add `import qualified {qualifier}`.")
                }
            });
        }
        let qualified = self.scope.imports.iter().find(|view| {
            let exports = &self.world.exports[view.module];
            name.qualifier.is_none()
                && view.qualified
                && match types {
                    true => exports.types.contains_key(&name.name) && view.brings_type(name.name),
                    false => exports.values.contains_key(&name.name) && view.brings_value(name.name),
                }
        });
        if let Some(view) = qualified {
            return Some(format!(
                "Write `{}.{plain}`: the module is imported qualified.",
                self.text(view.alias)
            ));
        }
        let elsewhere = self.world.exports.iter().find(|(_, exports)| match types {
            true => exports.types.contains_key(&name.name),
            false => exports.values.contains_key(&name.name),
        });
        if let Some((module, _)) = elsewhere
            && module != self.module
        {
            let module = self.text(self.world.program.modules[module].name);
            if !module.starts_with("Gadfly.") {
                return Some(format!("The module `{module}` exports `{plain}`; it is not imported here."));
            }
        }
        let mut known: Vec<Symbol> = Vec::new();
        match types {
            true => known.extend(self.scope.own.types.keys()),
            false => {
                known.extend(self.scope.own.values.keys());
                known.extend(self.locals.keys());
            }
        }
        for view in &self.scope.imports {
            let fits = match name.qualifier {
                Some(qualifier) => view.alias == qualifier,
                None => !view.qualified,
            };
            if !fits {
                continue;
            }
            let exports = &self.world.exports[view.module];
            match types {
                true => known.extend(exports.types.keys().filter(|name| view.brings_type(**name))),
                false => known.extend(exports.values.keys().filter(|name| view.brings_value(**name))),
            }
        }
        let Some(near) = self.nearest(plain, known.into_iter()) else {
            let what = if types { "Declare it" } else { "Define it" };
            return Some(format!("{what}, or import the module that does."));
        };
        let near = match name.qualifier {
            Some(qualifier) => format!("{}.{near}", self.text(qualifier)),
            None => near,
        };
        Some(format!("Perhaps `{near}` is meant."))
    }

    /// The name that looks most like a text, if one does.
    pub(crate) fn nearest(&self, text: &str, names: impl Iterator<Item = Symbol>) -> Option<String> {
        let wanted: Vec<char> = text.chars().take(64).collect();
        let most = (wanted.len() / 3).clamp(1, 3);
        let capital = |text: &str| text.starts_with(char::is_uppercase);
        let mut best: Option<(usize, &str)> = None;
        for name in names {
            let name = self.text(name);
            if name == text || capital(name) != capital(text) || wanted.len() < 2 {
                continue;
            }
            let Some(distance) = gadfly_source::distance(&wanted, name, most) else { continue };
            if best.is_none_or(|before| (distance, name) < before) {
                best = Some((distance, name));
            }
        }
        best.map(|(_, name)| name.to_owned())
    }
}
