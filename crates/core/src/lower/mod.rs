//! From a checked program to the kernel language.
//!
//! Enter at [`lower`]. Everything that the user's own modules reach is lowered, one definition after another:
//! a function gets its number when it is first used (`globals`), and its body when its turn comes.
//!
//! - `expr`, `apply`, `literal`, `record`, `statement`: expressions. Arguments become atoms; any other
//!   argument is bound by a `let` just outside.
//! - `binding`, `depend`, `destructure`: functions, `let`, `where`, patterns on the left of `=`. A local
//!   function becomes a top-level function at once; the variables it captures become parameters in the end
//!   (`lift`, after Johnsson 1985).
//! - `pattern`, `matching`: first-match pattern matching by case distinctions (after Augustsson 1985); `curry` does it
//!   for rules that are alternatives. `warn` reports missing cases and equations that are never reached.
//! - `globals`, `constructor`, `dictionary`, `class`, `derive`: top-level entities; classes as records of
//!   methods.
//! - `tidy`, `prune`: remove detours and bindings that the others left.
//!
//! Local variables have unique numbers in their module, so no environment is passed around: a table says
//! which kernel variable or function a number is.
//!
//! Expressions are lowered by native recursion: their nesting is bounded by the parser, and the caller provides the
//! stack ([`STACK`]). Whatever is long in real programs (statements, operator chains, `else if`, lists) is done in
//! loops that fill holes: an expression's number is used first and its content is filled in later.

mod apply;
mod binding;
mod class;
mod constructor;
mod curry;
mod depend;
mod derive;
mod destructure;
mod dictionary;
mod expr;
mod globals;
mod known;
mod lift;
mod literal;
mod matching;
mod pattern;
mod prune;
mod record;
mod statement;
mod tidy;
mod warn;

use std::collections::VecDeque;

use gadfly_source::{Diagnostic, Sources, Span};
use gadfly_syntax::Dialect;
use gadfly_syntax::names::{Interner, Symbol};
use gadfly_syntax::tree::{DeclId, Tree};
use gadfly_typing::interface::{
    ClassId, ConstructorId, DictVar, InstanceId, LocalId, Module, ModuleId, Notes, Program as Typed,
    TypeConId, ValueId, ValueKind,
};
use rustc_hash::FxHashMap;

pub use known::Support;

use crate::kernel::{
    Atom, ConId, Expr, ExprId, FunId, Function, ModuleId as KernelModule, Name, Origin, Parameter, Program,
    Role, TypeId, VarId, Variable,
};

/// The stack that [`lower`] may need, in bytes, for the deepest program that the parser lets through.
pub const STACK: usize = 512 << 20;

/// A lowered program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The kernel program.
    pub program: Program,
    /// The function of each value; values that nothing reaches have none.
    pub functions: FxHashMap<ValueId, FunId>,
    /// The kernel constructor of each constructor; those of newtypes have none.
    pub constructors: FxHashMap<ConstructorId, ConId>,
    /// Which function makes an instance's dictionary, by the instance's number; those that nothing reaches have none.
    pub instances: Vec<Option<FunId>>,
    /// Which function an instance's own method is, by its number in the class.
    pub methods: FxHashMap<(InstanceId, u32), FunId>,
    /// Which function a class's default of a method is.
    pub defaults: FxHashMap<(ClassId, u32), FunId>,
    /// What the local variables of the modules became, by the module's number.
    pub locals: Vec<Locals>,
    /// `main` of the main module, if it has one.
    pub main: Option<FunId>,
    /// What the machine needs of the library.
    pub support: Support,
    /// Warnings: patterns that are missing or never reached.
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers a program that was checked without errors. `is_library` says which modules are trusted: they are lowered as
/// far as the other modules need them, and get no warnings.
///
/// A program with errors is lowered too: code without a meaning becomes [`Expr::Error`].
pub fn lower(
    typed: &Typed,
    interner: &Interner,
    sources: &Sources,
    is_library: impl FnMut(ModuleId) -> bool,
) -> Lowered {
    lower_also(typed, interner, sources, is_library, &[])
}

/// The same, with instances that the program may not reach: a reference may need them for its answers.
pub fn lower_also(
    typed: &Typed,
    interner: &Interner,
    sources: &Sources,
    mut is_library: impl FnMut(ModuleId) -> bool,
    instances: &[InstanceId],
) -> Lowered {
    let library: Vec<bool> = typed.modules.ids().map(&mut is_library).collect();
    let mut lowering = Lowering::new(typed, interner, sources, library);
    for (id, module) in typed.modules.iter() {
        if !lowering.library[id.index()] {
            for &value in &module.values {
                lowering.value_function(value);
            }
            lowering.module_classes(id);
        }
    }
    for &instance in instances {
        lowering.instance_function(instance);
    }
    let support = lowering.support();
    lowering.work();
    lift::lift(&mut lowering.out);
    let mut uses = vec![0; lowering.out.variables().len()];
    let count = lowering.out.functions().len();
    for function in 0..count {
        prune::prune(&mut lowering.out, FunId::from_index(function), &mut uses);
    }
    let main = typed.main.and_then(|main| lowering.values[main.index()]);
    let values = typed.values.ids().filter_map(|id| Some((id, lowering.values[id.index()]?)));
    let functions = values.collect();
    let constructors = typed.constructors.ids();
    let constructors = constructors.filter_map(|id| Some((id, lowering.constructors[id.index()]?))).collect();
    Lowered {
        program: lowering.out,
        functions,
        constructors,
        instances: lowering.instances,
        methods: lowering.methods,
        defaults: lowering.defaults,
        locals: lowering.locals,
        main,
        support,
        diagnostics: lowering.diagnostics,
    }
}

/// What a local variable of the source is in the kernel.
#[derive(Clone, Copy, Debug)]
pub enum Local {
    /// Not set: no lowered code binds it.
    Unbound,
    /// A variable.
    Variable(VarId),
    /// A function.
    Function(FunId),
}

/// What a dictionary variable is.
#[derive(Clone, Copy, Debug)]
pub enum Dict {
    /// Nothing.
    Unbound,
    /// A variable.
    Variable(VarId),
    /// The same as a dictionary expression of the module.
    Same(gadfly_typing::interface::DictId),
}

/// The local variables of a module.
#[derive(Clone, Debug, Default)]
pub struct Locals {
    /// By [`LocalId`].
    pub variables: Vec<Local>,
    /// By [`DictVar`].
    pub dictionaries: Vec<Dict>,
}

/// A definition whose body is still to be lowered.
#[derive(Clone, Copy, Debug)]
enum Job {
    Value(ValueId),
    Pattern(DeclId),
    Method(InstanceId, u32),
    Default(ClassId, u32),
    Dictionary(InstanceId),
}

struct Lowering<'a> {
    typed: &'a Typed,
    interner: &'a Interner,
    sources: &'a Sources,
    out: Program,
    diagnostics: Vec<Diagnostic>,
    library: Vec<bool>,
    /// By module.
    locals: Vec<Locals>,
    /// The module and function that are being lowered.
    module: ModuleId,
    function: FunId,
    /// Whether the compiler made what is being lowered: a derived method, a dictionary.
    unwritten: bool,
    values: Vec<Option<FunId>>,
    constructors: Vec<Option<ConId>>,
    types: Vec<Option<TypeId>>,
    constructor_functions: FxHashMap<ConstructorId, FunId>,
    /// The hidden constructors of groups, by the number of variables.
    groups: FxHashMap<usize, ConId>,
    dictionary_constructors: FxHashMap<ClassId, ConId>,
    instances: Vec<Option<FunId>>,
    /// Dictionaries of instances applied to constant dictionaries.
    closed: FxHashMap<(InstanceId, Vec<Atom>), FunId>,
    methods: FxHashMap<(InstanceId, u32), FunId>,
    defaults: FxHashMap<(ClassId, u32), FunId>,
    selectors: FxHashMap<(ClassId, u32), FunId>,
    /// Pattern bindings at the top of a module.
    patterns: FxHashMap<(ModuleId, DeclId), FunId>,
    /// Constructor tags as numbers, for derived instances.
    tags: FxHashMap<TypeConId, FunId>,
    /// The values of a pattern binding at the top, while its pattern is matched.
    pattern_values: FxHashMap<ValueId, VarId>,
    /// The variables of the pattern bindings that are being matched.
    bound_groups: Vec<Vec<pattern::Bound>>,
    /// By module, the local variables by where they are bound; made when first needed.
    places: FxHashMap<ModuleId, FxHashMap<u32, LocalId>>,
    /// By module, the constructors that are declared between their arguments.
    infixes: FxHashMap<ModuleId, FxHashMap<Symbol, crate::kernel::Fixity>>,
    known: known::KnownValues,
    jobs: VecDeque<(Job, FunId)>,
    names: FxHashMap<Symbol, Name>,
}

impl<'a> Lowering<'a> {
    fn new(typed: &'a Typed, interner: &'a Interner, sources: &'a Sources, library: Vec<bool>) -> Self {
        let mut out = Program::new();
        let mut locals = Vec::new();
        for (id, module) in typed.modules.iter() {
            let name = out.name(interner.text(module.name));
            out.add_module(crate::kernel::Module { name, library: library[id.index()] });
            locals.push(Locals {
                variables: vec![Local::Unbound; module.notes.locals.len()],
                dictionaries: vec![Dict::Unbound; module.notes.dictionary_variables.len()],
            });
        }
        Lowering {
            typed,
            interner,
            sources,
            out,
            diagnostics: Vec::new(),
            library,
            locals,
            module: ModuleId::from_index(0),
            function: FunId::from_index(0),
            unwritten: false,
            values: vec![None; typed.values.len()],
            constructors: vec![None; typed.constructors.len()],
            types: vec![None; typed.type_constructors.len()],
            constructor_functions: FxHashMap::default(),
            groups: FxHashMap::default(),
            dictionary_constructors: FxHashMap::default(),
            instances: vec![None; typed.instances.len()],
            closed: FxHashMap::default(),
            methods: FxHashMap::default(),
            defaults: FxHashMap::default(),
            selectors: FxHashMap::default(),
            patterns: FxHashMap::default(),
            tags: FxHashMap::default(),
            pattern_values: FxHashMap::default(),
            bound_groups: Vec::new(),
            places: FxHashMap::default(),
            infixes: FxHashMap::default(),
            known: known::KnownValues::find(typed, interner),
            jobs: VecDeque::new(),
            names: FxHashMap::default(),
        }
    }

    /// Lowers bodies until every function that is used has one.
    fn work(&mut self) {
        while let Some((job, function)) = self.jobs.pop_front() {
            self.function = function;
            self.module = ModuleId::from_index(self.out.function(function).module.index());
            self.unwritten = match job {
                Job::Value(value) => !matches!(
                    self.typed.values[value].kind,
                    ValueKind::Function { .. } | ValueKind::Pattern { .. }
                ),
                Job::Method(instance, _) => self.typed.instances[instance].derived.is_some(),
                Job::Dictionary(_) => true,
                Job::Pattern(_) | Job::Default(..) => false,
            };
            match job {
                Job::Value(value) => self.value_body(value, function),
                Job::Pattern(decl) => self.top_pattern_body(decl, function),
                Job::Method(instance, index) => self.method_body(instance, index, function),
                Job::Default(class, index) => self.default_body(class, index, function),
                Job::Dictionary(instance) => self.dictionary_body(instance, function),
            }
        }
    }

    fn typed_module(&self) -> &'a Module {
        &self.typed.modules[self.module]
    }

    fn tree(&self) -> &'a Tree {
        &self.typed_module().syntax.tree
    }

    fn notes(&self) -> &'a Notes {
        &self.typed_module().notes
    }

    fn is_curry(&self) -> bool {
        self.typed_module().syntax.dialect == Dialect::Curry
    }

    fn text(&self, symbol: Symbol) -> &'a str {
        self.interner.text(symbol)
    }

    fn symbol_name(&mut self, symbol: Symbol) -> Name {
        if let Some(&name) = self.names.get(&symbol) {
            return name;
        }
        let name = self.out.name(self.interner.text(symbol));
        self.names.insert(symbol, name);
        name
    }

    /// A new function without a body. Its parameters are new variables: first the dictionaries, then the
    /// named ones.
    fn declare(
        &mut self,
        name: Name,
        origin: Origin,
        span: Span,
        dictionaries: usize,
        parameters: &[Option<Name>],
    ) -> FunId {
        let body = self.out.add(Expr::Failure, span, true);
        let mut all = Vec::with_capacity(dictionaries + parameters.len());
        for _ in 0..dictionaries {
            let variable = self.dictionary_variable();
            all.push(Parameter { variable, role: Role::Dictionary });
        }
        for &name in parameters {
            let variable = self.out.add_variable(Variable { name, dictionary: false });
            all.push(Parameter { variable, role: Role::Ordinary });
        }
        self.out.add_function(Function {
            name,
            module: KernelModule::from_index(self.module.index()),
            parent: None,
            span,
            parameters: all,
            shared: !self.is_curry() || origin.is_hidden(),
            origin,
            rules: Vec::new(),
            body,
        })
    }

    /// A new function nested in the one that is being lowered.
    fn declare_local(
        &mut self,
        name: Name,
        origin: Origin,
        span: Span,
        dictionaries: usize,
        parameters: &[Option<Name>],
    ) -> FunId {
        let function = self.declare(name, origin, span, dictionaries, parameters);
        self.out.function_mut(function).parent = Some(self.function);
        function
    }

    /// Does `work` inside another function.
    fn inside<T>(&mut self, function: FunId, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.function, function);
        let result = work(self);
        self.function = before;
        result
    }

    fn parameter(&self, function: FunId, index: usize) -> VarId {
        self.out.function(function).parameters[index].variable
    }

    /// A variable that the user did not name.
    fn fresh(&mut self) -> VarId {
        self.out.add_variable(Variable { name: None, dictionary: false })
    }

    fn dictionary_variable(&mut self) -> VarId {
        let name = Some(self.out.name("dict"));
        self.out.add_variable(Variable { name, dictionary: true })
    }

    fn local_variable(&mut self, local: LocalId) -> VarId {
        let name = Some(self.symbol_name(self.notes().locals[local].name));
        self.out.add_variable(Variable { name, dictionary: false })
    }

    fn local(&self, local: LocalId) -> Local {
        self.locals[self.module.index()].variables[local.index()]
    }

    fn set_local(&mut self, local: LocalId, meaning: Local) {
        self.locals[self.module.index()].variables[local.index()] = meaning;
    }

    fn set_dictionary(&mut self, variable: DictVar, meaning: Dict) {
        self.locals[self.module.index()].dictionaries[variable.index()] = meaning;
    }

    /// An expression of which only the number is known yet.
    fn hole(&mut self, span: Span) -> ExprId {
        self.out.add(Expr::Failure, span, true)
    }

    /// Moves an expression into a hole; its old number must not be used any more.
    fn fill(&mut self, hole: ExprId, with: ExprId) {
        self.out.set(hole, self.out.expr(with));
        self.out.set_span(hole, self.out.span(with), self.out.is_made_up(with));
    }

    /// An expression that the user wrote, unless the compiler made the whole function.
    fn written(&mut self, expr: Expr, span: Span) -> ExprId {
        self.out.add(expr, span, self.unwritten)
    }

    /// An expression that desugaring made from the code at the span.
    fn made(&mut self, expr: Expr, span: Span) -> ExprId {
        self.out.add(expr, span, true)
    }
}
