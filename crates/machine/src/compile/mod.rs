//! From the kernel to the machine's code.
//!
//! A function is compiled when it is called for the first time, once for each combination of known dictionaries it is
//! called with (an [`Instance`]): a program pays only for the code it runs, and starts at once. In order:
//! [`statics`] finds known dictionaries, [`calls`] resolves applications, [`strict`] finds variables that are
//! certainly evaluated, [`live`] those that are needed later, and [`emit`] writes the code.

mod arithmetic;
pub(crate) mod calls;
mod emit;
mod live;
pub(crate) mod statics;
mod strict;
pub(crate) mod trace;

use crate::code::Op;
use crate::primitives::{self, Primitive};
use calls::{Known, Resolved};
use gadfly_core::kernel::{ErrorKind, Expr, ExprId, FunId, LiteralId, Name, Program, VarId};
use gadfly_source::Span;
use rustc_hash::FxHashMap;
use statics::{StaticId, Statics};
use strict::Strictness;
use trace::{Class, Trace};

/// The number of an [`Instance`]: what the machine calls a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct InstanceId(pub(crate) u32);

impl InstanceId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function with some dictionaries known.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) function: FunId,
    pub(crate) statics: Box<[Option<StaticId>]>,
    /// Those that are passed.
    pub(crate) parameters: Vec<VarId>,
    strictness: Strictness,
}

impl Instance {
    fn new(function: FunId, statics: Box<[Option<StaticId>]>, parameters: Vec<VarId>) -> Instance {
        Instance { function, statics, parameters, strictness: Strictness::Unknown }
    }
}

/// Where a function is in the code; 0 if it is not compiled yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Arguments may or may not be evaluated.
    pub(crate) general: u32,
    /// Strict arguments are evaluated.
    pub(crate) fast: u32,
    pub(crate) arity: u32,
    pub(crate) class: Class,
}

/// A constant of the program, which the machine makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Constant {
    /// A word, as it is.
    Word(u64),
    /// A number that needs an object.
    Literal(LiteralId),
    /// A function without parameters: evaluated once.
    Shared(InstanceId),
}

/// An error of the program that is known where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownError {
    pub(crate) kind: ErrorKind,
    pub(crate) name: Name,
    pub(crate) span: Span,
}

/// Code that evaluates a thunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThunkCode {
    pub(crate) entry: u32,
    /// In a recorded run: the expression, if it is one of recorded code.
    pub(crate) expr: Option<ExprId>,
}

/// The code of a program, as far as it is compiled.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) words: Vec<u32>,
    /// Which instance each piece of code belongs to: where it begins, in order.
    pub(crate) owners: Vec<(u32, InstanceId)>,
    /// Where instructions come from, in order.
    pub(crate) positions: Vec<(u32, ExprId)>,
    /// Where the code of thunks begins, in order.
    pub(crate) thunk_starts: Vec<u32>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) thunks: Vec<ThunkCode>,
    pub(crate) constants: Vec<Constant>,
    constant_ids: FxHashMap<Constant, u32>,
    /// Which slots of a frame are alive: how many there are, and their numbers.
    pub(crate) maps: Vec<u32>,
    map_ids: FxHashMap<Box<[u32]>, u32>,
    pub(crate) strings: Vec<LiteralId>,
    string_ids: FxHashMap<LiteralId, u32>,
    pub(crate) errors: Vec<KnownError>,
    /// No frame has more slots and no call more arguments, and no piece of code allocates more words.
    pub(crate) largest_frame: usize,
    pub(crate) largest_allocation: usize,
}

/// Thunks with built-in code.
pub(crate) const UNPACK: u32 = 0;
pub(crate) const RAISE: u32 = 1;
pub(crate) const APPLY: u32 = 2;
/// The greatest number of arguments in a thunk that applies an unknown function.
pub(crate) const APPLY_MOST: u32 = 6;

/// A function and the known values of its parameters.
type Key = (FunId, Box<[Option<StaticId>]>);

/// Compiles the functions of a program.
pub(crate) struct Compiler<'p, const TAG: usize> {
    pub(crate) program: &'p Program,
    pub(crate) code: Code,
    pub(crate) instances: Vec<Instance>,
    ids: FxHashMap<Key, InstanceId>,
    counts: FxHashMap<FunId, u32>,
    pub(crate) statics: Statics,
    pub(crate) primitives: Vec<Option<Primitive<TAG>>>,
    numbering: live::Numbering,
    /// Whether evaluation keeps the order of the lazy semantics, and the code reports functions to the
    /// recorder.
    lazy_order: bool,
    /// What is needed to write a trail, if one is written.
    pub(crate) trace: Option<Trace>,
    /// The code of thunks that call a recorded function.
    call_thunks: FxHashMap<InstanceId, u32>,
}

impl<'p, const TAG: usize> Compiler<'p, TAG> {
    pub(crate) fn new(program: &'p Program, lazy_order: bool, trace: Option<Trace>) -> Self {
        let primitives = program.primitives().map(|(_, name)| primitives::find(name)).collect();
        let mut compiler = Compiler {
            program,
            code: Code::default(),
            instances: Vec::new(),
            ids: FxHashMap::default(),
            counts: FxHashMap::default(),
            statics: Statics::default(),
            primitives,
            numbering: live::Numbering::default(),
            lazy_order,
            trace,
            call_thunks: FxHashMap::default(),
        };
        compiler.known_thunks();
        compiler
    }

    /// The instance of a function that takes its dictionaries as arguments, if it has some.
    pub(crate) fn plain(&mut self, function: FunId) -> InstanceId {
        let statics = vec![None; self.program.arity(function)];
        let instance = self.instance(function, &statics);
        self.prepare();
        instance
    }

    fn known_thunks(&mut self) {
        // A context comes before the function and its arguments.
        let context = u32::from(self.trace.is_some());
        let words = &mut self.code.words;
        // No instruction is at 0.
        words.push(0);
        for (number, ops) in
            [(UNPACK, vec![Op::Unpack as u32]), (RAISE, vec![Op::Raise as u32, 0])].into_iter().chain(
                (1..=APPLY_MOST).map(|count| {
                    (APPLY + count - 1, vec![Op::ApplySlots as u32 | (count + 1 + context) << 8])
                }),
            )
        {
            debug_assert_eq!(number as usize, self.code.thunks.len());
            self.code.thunks.push(ThunkCode { entry: words.len() as u32, expr: None });
            words.extend(ops);
        }
    }

    /// Gives every new instance an entry that says it is not compiled yet.
    fn prepare(&mut self) {
        while self.code.entries.len() < self.instances.len() {
            let instance = InstanceId(self.code.entries.len() as u32);
            let inside = usize::from(self.class(instance) == Class::Inside);
            let arity = self.instances[instance.index()].parameters.len() + inside;
            self.code.largest_frame = self.code.largest_frame.max(arity + 2);
            let class = self.class(instance);
            self.code.entries.push(Entry { general: 0, fast: 0, arity: arity as u32, class });
        }
    }

    /// The constant that a function without parameters is.
    pub(crate) fn constant_shared(&mut self, instance: InstanceId) -> u32 {
        self.constant(Constant::Shared(instance))
    }

    /// The code of the thunk that a constant begins as: it calls a function without arguments.
    pub(crate) fn thunk_of(&mut self, constant: u32, instance: InstanceId) -> u32 {
        self.prepare();
        let entry = self.code.words.len() as u32;
        if self.trace.is_some() {
            let shape = self.constant_shape(instance);
            self.code.words.extend([Op::ConstantNode as u32, constant, shape]);
            self.code.words.extend([Op::Tail as u32 | 1 << 8, instance.0, 0]);
        } else {
            self.code.words.extend([Op::Tail as u32, instance.0]);
        }
        self.code.thunks.push(ThunkCode { entry, expr: None });
        self.code.thunks.len() as u32 - 1
    }

    /// Compiles an instance.
    pub(crate) fn compile(&mut self, instance: InstanceId) {
        emit::compile(self, instance);
        self.prepare();
    }

    /// Whether a call never ends by calling a function that it was given. What is called last is looked into.
    fn comes_back(&mut self, instance: InstanceId) -> bool {
        const MOST: usize = 50;
        let mut seen = vec![instance];
        let mut next = 0;
        while let Some(&instance) = seen.get(next) {
            next += 1;
            let known = self.known(instance);
            let mut ends = vec![self.program.function(self.instances[instance.index()].function).body];
            while let Some(expr) = ends.pop() {
                match self.program.expr(expr) {
                    Expr::Rule { body, .. } | Expr::Let(_, body) => ends.push(body),
                    Expr::Try { first, otherwise } => ends.extend([first, otherwise]),
                    Expr::Fall | Expr::Error(..) => {}
                    Expr::Or(_) | Expr::Free(..) | Expr::Failure => {}
                    kind => match (self.resolve(expr, &known), kind) {
                        (Some(Resolved::Call(callee, _, rest)), _) if rest.is_empty() => {
                            if !seen.contains(&callee) {
                                seen.push(callee);
                            }
                        }
                        (Some(Resolved::Apply(_, arguments)), _) if arguments.is_empty() => {}
                        (Some(Resolved::Primitive(_, _, rest)), _) if rest.is_empty() => {}
                        (Some(Resolved::Partial(..) | Resolved::Construct(..)), _) => {}
                        (None, Expr::Case(case)) => {
                            let bodies = self.program.list(case.alternatives).iter().map(|one| one.body);
                            ends.extend(bodies.chain(case.default));
                        }
                        _ => return false,
                    },
                }
            }
            if seen.len() > MOST {
                return false;
            }
        }
        true
    }

    /// What is known of the variables of an instance.
    fn known(&mut self, instance: InstanceId) -> Known {
        let program = self.program;
        let mut known = Known::default();
        let info = &self.instances[instance.index()];
        let function = program.function(info.function);
        for (parameter, id) in function.parameters.iter().zip(&info.statics) {
            if let Some(id) = id {
                known.insert(parameter.variable, *id);
            }
        }
        let mut names = Vec::new();
        program.walk(function.body, |expr| match program.expr(expr) {
            Expr::Let(bindings, _) => {
                names.extend(program.list(bindings).iter().map(|binding| (binding.variable, binding.value)));
            }
            Expr::Case(case) if case.alternatives.is_empty() => names.push((case.variable, case.scrutinee)),
            _ => {}
        });
        for (variable, value) in names {
            if let Some(id) = self.resolve_static(value, &known) {
                known.insert(variable, id);
            }
        }
        known
    }

    fn constant(&mut self, constant: Constant) -> u32 {
        let next = self.code.constants.len() as u32;
        let id = *self.code.constant_ids.entry(constant).or_insert(next);
        if id == next {
            self.code.constants.push(constant);
        }
        id
    }

    fn string(&mut self, literal: LiteralId) -> u32 {
        let next = self.code.strings.len() as u32;
        let id = *self.code.string_ids.entry(literal).or_insert(next);
        if id == next {
            self.code.strings.push(literal);
        }
        id
    }

    /// The number of a set of slots.
    fn map(&mut self, slots: &[u32]) -> u32 {
        if let Some(&id) = self.code.map_ids.get(slots) {
            return id;
        }
        let id = self.code.maps.len() as u32;
        self.code.maps.push(slots.len() as u32);
        self.code.maps.extend(slots);
        self.code.map_ids.insert(slots.into(), id);
        id
    }
}
