//! Which functions are recorded.
//!
//! The user's own are suspected and the library's are trusted, unless the command line says otherwise. A trusted function
//! is never a node of the tree, and neither is anything local to it: who trusts a definition trusts all of its text. What
//! nobody wrote (dictionaries, derived methods, continuations of `do`) is never a node by itself; it runs on behalf of
//! the function it was made for.

use crate::Checked;
use crate::start::{EXPRESSION, START};
use gadfly_core::Lowered;
use gadfly_core::kernel::{FunId, Function, Hidden, Origin, Program};
use gadfly_source::NamePattern;
use gadfly_typing::interface::{ModuleId, ValueId};
use std::collections::HashMap;

/// What the user trusts and suspects besides.
#[derive(Clone, Debug, Default)]
pub struct Suspects {
    /// Functions and modules of the user's that are trusted.
    pub trusted: Vec<NamePattern>,
    /// Functions and modules of the library that are suspected; where both name a function, the more exact name counts.
    pub suspected: Vec<NamePattern>,
}

/// The functions that are recorded.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// By the number of the function.
    pub(crate) recorded: Vec<bool>,
    /// Names that mean no function of the program.
    pub(crate) unused: Vec<String>,
}

/// How exactly a function is named: by a module or pattern, or by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Not,
    Loosely,
    Exactly,
}

impl Suspects {
    /// Chooses the functions of a program that are recorded.
    pub(crate) fn choose(&self, checked: &Checked, lowered: &Lowered) -> Chosen {
        let program = &lowered.program;
        let mut names = Names::new(checked, lowered);
        let mut used = vec![false; self.trusted.len() + self.suspected.len()];
        let mut decided: Vec<(Named, bool)> = Vec::with_capacity(program.functions().len());
        for (id, _) in program.functions() {
            decided.push(self.decide(&mut names, id, &mut used));
        }
        let recorded = program.functions().map(|(id, function)| {
            // What is said of a function holds for all that is local to it, unless something more exact is said.
            let mut said = (Named::Not, false);
            let mut around = Some(id);
            while let Some(at) = around {
                if decided[at.index()].0 > said.0 {
                    said = decided[at.index()];
                }
                around = program.function(at).parent;
            }
            let module = program.module(function.module);
            let own = !module.library && program.text(module.name) != START;
            is_written(function) && if said.0 == Named::Not { own } else { said.1 }
        });
        let recorded = recorded.collect();
        let all = self.trusted.iter().chain(&self.suspected);
        let unused = all.zip(used).filter(|(_, used)| !used).map(|(pattern, _)| pattern.text().to_owned());
        Chosen { recorded, unused: unused.collect() }
    }

    /// Whether the command line says of a function itself that it is suspected (or trusted), and how exactly.
    fn decide(&self, names: &mut Names<'_>, id: FunId, used: &mut [bool]) -> (Named, bool) {
        if used.is_empty() || names.program.function(id).origin.is_hidden() {
            return (Named::Not, false);
        }
        let mut best = [Named::Not, Named::Not];
        let (trusted, suspected) = used.split_at_mut(self.trusted.len());
        for (side, patterns, used) in [(0, &self.trusted, trusted), (1, &self.suspected, suspected)] {
            for (pattern, used) in patterns.iter().zip(used) {
                let named = names.named(pattern, id);
                *used |= named != Named::Not;
                best[side] = best[side].max(named);
            }
        }
        let [trusted, suspected] = best;
        (trusted.max(suspected), suspected >= trusted)
    }
}

/// Whether the user could point at a definition: a group of variables that a pattern binds at the top of a module is one,
/// for the equation `(a, b) = (1, 2)` can be judged.
fn is_written(function: &Function) -> bool {
    match function.origin {
        Origin::TopLevel
        | Origin::Local
        | Origin::Lambda
        | Origin::Section
        | Origin::Method { .. }
        | Origin::Default { .. } => true,
        Origin::Hidden(Hidden::Pattern) => function.parent.is_none(),
        Origin::Hidden(_)
        | Origin::Derived { .. }
        | Origin::Constructor(_)
        | Origin::Newtype
        | Origin::Field
        | Origin::Primitive => false,
    }
}

/// What functions may be called: by their own module, and by those that export them.
struct Names<'a> {
    checked: &'a Checked,
    program: &'a Program,
    values: HashMap<FunId, ValueId>,
    modules: HashMap<ValueId, Vec<ModuleId>>,
}

impl<'a> Names<'a> {
    fn new(checked: &'a Checked, lowered: &'a Lowered) -> Names<'a> {
        let values = lowered.functions.iter().map(|(value, function)| (*function, *value)).collect();
        Names { checked, program: &lowered.program, values, modules: HashMap::new() }
    }

    /// How exactly a pattern names a function.
    fn named(&mut self, pattern: &NamePattern, id: FunId) -> Named {
        let program = self.program;
        let function = program.function(id);
        let name = program.text(function.name);
        let module = program.text(program.module(function.module).name);
        if module == EXPRESSION || module == START {
            return Named::Not;
        }
        let nested = nested_name(program, id);
        let fits = |module: &str| {
            pattern.matches(Some(module), name) || nested != name && pattern.matches(Some(module), &nested)
        };
        let exact = |module: &str| {
            [name, &nested]
                .iter()
                .any(|name| pattern.text() == *name || pattern.text() == format!("{module}.{name}"))
        };
        let mut best = match fits(module) {
            true if exact(module) => return Named::Exactly,
            true => Named::Loosely,
            false => Named::Not,
        };
        for index in 0..self.exporting(id).len() {
            let exporting = self.exporting(id)[index];
            let module = self.checked.interner.text(self.checked.program.modules[exporting].name);
            if fits(module) {
                best = best.max(if exact(module) { Named::Exactly } else { Named::Loosely });
            }
        }
        best
    }

    /// The modules that export a function, or the method that it defines.
    fn exporting(&mut self, id: FunId) -> &[ModuleId] {
        let Some(value) = self.value(id) else { return &[] };
        let typed = &self.checked.program;
        self.modules.entry(value).or_insert_with(|| {
            let name = typed.values[value].name;
            let modules = typed.modules.iter().map(|(module, _)| module);
            modules.filter(|module| typed.exported_value(*module, name) == Some(value)).collect()
        })
    }

    fn value(&mut self, id: FunId) -> Option<ValueId> {
        if let Some(value) = self.values.get(&id) {
            return Some(*value);
        }
        let value = method_value(self.checked, self.program, id)?;
        self.values.insert(id, value);
        Some(value)
    }
}

/// The method that a function of an instance or a class defines.
pub(crate) fn method_value(checked: &Checked, program: &Program, id: FunId) -> Option<ValueId> {
    let function = program.function(id);
    let (Origin::Method { class, .. } | Origin::Default { class }) = function.origin else { return None };
    let (class, name) = (program.text(class), program.text(function.name));
    let (class, name) = (checked.interner.get(class)?, checked.interner.get(name)?);
    let typed = &checked.program;
    // Of two classes of one name, the one that the function's module can see comes before it.
    let classes = typed.classes.iter().rev().map(|(_, class)| class);
    let near = classes.filter(|known| known.name == class && known.module.index() <= function.module.index());
    let mut methods = near.flat_map(|class| &class.methods).map(|method| method.value);
    methods.find(|value| typed.values[*value].name == name)
}

/// A function's name after those of the functions it is local to: `isort.go`.
fn nested_name(program: &Program, id: FunId) -> String {
    let around = program.enclosing(id).into_iter().map(|id| program.function(id));
    let around = around.filter(|function| !function.origin.is_hidden());
    let mut text = String::new();
    for function in around.chain([program.function(id)]) {
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(program.text(function.name));
    }
    text
}
