//! Writes the code of an instance: its body, then the thunks in it.
//!
//! [`apply`] writes applications, [`cases`] cases and [`bindings`] the bindings of `let`; this file has
//! slots, labels and operands.

mod apply;
mod bindings;
mod cases;
mod rows;

use super::calls::{Arg, Known};
use super::live::{Interval, Numbering};
use super::strict::Strict;
use super::trace::Class;
use super::{APPLY, APPLY_MOST, Compiler, Constant, Entry, InstanceId, KnownError, ThunkCode};
use crate::code::{Op, Operand};
use crate::word::Word;
use gadfly_core::kernel::{Atom, Expr, ExprId, Literal, LiteralId, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Compiles an instance.
pub(super) fn compile<const TAG: usize>(compiler: &mut Compiler<'_, TAG>, instance: InstanceId) {
    let program = compiler.program;
    let mask = compiler.strictness(instance);
    let strict = compiler.analyse(instance, 0);
    let known = compiler.known(instance);
    let body = program.function(compiler.instances[instance.index()].function).body;
    let mut numbering = std::mem::take(&mut compiler.numbering);
    numbering.number(program, body);
    let start = compiler.code.words.len() as u32;
    compiler.code.owners.push((start, instance));
    let parameters = compiler.instances[instance.index()].parameters.clone();
    let mut emitter = Emitter::new(compiler, instance, &numbering, &known, &strict);
    let class = emitter.class;
    if class == Class::Inside {
        // The redex it belongs to is its first argument.
        let slot = emitter.new_slot();
        emitter.protected.push(slot);
    }
    for &parameter in &parameters {
        emitter.hold_new(parameter);
    }
    emitter.pending.push(numbering.interval(body));
    for (row, &parameter) in parameters.iter().enumerate().take(64) {
        if mask >> row & 1 == 1 {
            emitter.evaluate(parameter, body);
        }
    }
    emitter.pending.pop();
    let fast = emitter.here();
    if emitter.compiler.lazy_order {
        emitter.op(Op::Unfold, 0, &[instance.0]);
    }
    if class == Class::Inside {
        emitter.op(Op::Move, 0, &[CONTEXT, Operand::slot(CONTEXT + 1).0]);
        emitter.protected.pop();
    }
    emitter.expr(body, Target::Return);
    emitter.finish();
    let mut queue = std::mem::take(&mut emitter.queue);
    while let Some(job) = queue.pop() {
        let mut emitter = Emitter::new(compiler, instance, &numbering, &known, &strict);
        emitter.is_thunk = true;
        emitter.compiler.code.thunks[job.thunk as usize].entry = emitter.here();
        let here = emitter.here();
        emitter.compiler.code.thunk_starts.push(here);
        match job.what {
            Suspended::Call(instance, count) => emitter.tail_call_slots(instance, count),
            Suspended::Apply(expr, count) => emitter.tail_apply_slots(expr, count),
            Suspended::Expr(expr) => {
                for (variable, evaluated) in job.free {
                    emitter.hold_new(variable);
                    if evaluated {
                        emitter.set_evaluated(variable);
                    }
                }
                emitter.expr(expr, Target::Return);
            }
        }
        emitter.finish();
        queue.append(&mut emitter.queue);
    }
    let arity = parameters.len() as u32 + u32::from(class == Class::Inside);
    compiler.code.entries[instance.index()] = Entry { general: start, fast, arity, class };
    compiler.numbering = numbering;
}

/// Where a value goes.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// To the frame that wants the value of the code.
    Return,
    /// To a slot; then the code continues at the label, or at the next instruction.
    Slot(u32, Option<Label>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Label(usize);

/// Where a variable is.
#[derive(Clone, Copy, Debug)]
enum Place {
    Slot(u32),
    Constant(u32),
}

#[derive(Debug)]
enum Suspended {
    Expr(ExprId),
    /// A call with this many slots as arguments.
    Call(InstanceId, usize),
    /// An application, recorded already: the slots are the context, that of its row, the function and this
    /// many arguments.
    Apply(ExprId, usize),
}

/// Where the context is in the frames of recorded runs.
const CONTEXT: u32 = 0;

/// A thunk whose code is not written yet.
#[derive(Debug)]
struct Job {
    thunk: u32,
    what: Suspended,
    /// Its variables, and whether they are evaluated when it is made.
    free: Vec<(VarId, bool)>,
}

struct Emitter<'c, 'p, const TAG: usize> {
    compiler: &'c mut Compiler<'p, TAG>,
    program: &'p Program,
    instance: InstanceId,
    /// How the code is recorded; `Trusted` if it is not.
    class: Class,
    /// Whether a trail is written.
    trails: bool,
    /// Whether it is the code of a thunk.
    is_thunk: bool,
    /// The expression whose operands are being made.
    at: Option<ExprId>,
    /// Whether evaluation is forbidden: bindings of a thunk are made early.
    early: bool,
    numbering: &'c Numbering,
    known: &'c Known,
    strict: &'c Strict,
    places: FxHashMap<VarId, Place>,
    /// Which variables are evaluated here, and in which order that was found.
    evaluated: FxHashSet<VarId>,
    log: Vec<VarId>,
    /// The variables in slots, in the order of binding; aliases among them. What is certainly not used any more is taken out now
    /// and then, so that long code takes no longer for each of its parts.
    held: Vec<Held>,
    /// How many were ever held.
    holds: u32,
    /// How many were left when some were last taken out.
    kept: usize,
    /// No code before this number is still to be written, nor before the other, where a branch is written before one that comes
    /// earlier in the text.
    reached: u32,
    postponed: u32,
    next_slot: u32,
    /// Slots without a variable that are needed.
    protected: Vec<u32>,
    /// The code that runs after the part that is being compiled.
    pending: Vec<Interval>,
    /// Where a `Fall` goes.
    falls: Vec<Label>,
    labels: Vec<u32>,
    references: Vec<(usize, Label)>,
    /// Where the last jump is.
    last_jump: Option<usize>,
    allocation: usize,
    most_slots: u32,
    queue: Vec<Job>,
}

/// A variable in a slot.
#[derive(Clone, Copy, Debug)]
struct Held {
    variable: VarId,
    slot: u32,
    /// How many were held before it.
    number: u32,
}

/// What a branch changes and is put back after it.
#[derive(Clone, Copy)]
struct Mark {
    log: usize,
    holds: u32,
    next_slot: u32,
}

impl<'c, 'p, const TAG: usize> Emitter<'c, 'p, TAG> {
    fn new(
        compiler: &'c mut Compiler<'p, TAG>,
        instance: InstanceId,
        numbering: &'c Numbering,
        known: &'c Known,
        strict: &'c Strict,
    ) -> Self {
        let trails = compiler.trace.is_some();
        Emitter {
            program: compiler.program,
            class: compiler.class(instance),
            trails,
            is_thunk: false,
            at: None,
            early: false,
            compiler,
            instance,
            numbering,
            known,
            strict,
            places: FxHashMap::default(),
            evaluated: FxHashSet::default(),
            log: Vec::new(),
            held: Vec::new(),
            holds: 0,
            kept: 0,
            reached: 0,
            postponed: u32::MAX,
            next_slot: u32::from(trails),
            protected: if trails { vec![CONTEXT] } else { Vec::new() },
            pending: Vec::new(),
            falls: Vec::new(),
            labels: Vec::new(),
            references: Vec::new(),
            last_jump: None,
            allocation: 0,
            most_slots: 1,
            queue: Vec::new(),
        }
    }

    fn finish(&mut self) {
        for (at, label) in self.references.drain(..) {
            self.compiler.code.words[at] = self.labels[label.0];
        }
        let code = &mut self.compiler.code;
        code.largest_frame = code.largest_frame.max(self.most_slots as usize);
        code.largest_allocation = code.largest_allocation.max(self.allocation);
    }

    // Code.

    fn here(&self) -> u32 {
        self.compiler.code.words.len() as u32
    }

    fn op(&mut self, op: Op, count: usize, words: &[u32]) {
        self.compiler.code.words.push(op as u32 | (count as u32) << 8);
        self.compiler.code.words.extend_from_slice(words);
    }

    fn word(&mut self, word: u32) {
        self.compiler.code.words.push(word);
    }

    fn operands(&mut self, operands: &[Operand]) {
        self.compiler.code.words.extend(operands.iter().map(|operand| operand.0));
    }

    fn position(&mut self, expr: ExprId) {
        let here = self.here();
        self.compiler.code.positions.push((here, expr));
    }

    fn label(&mut self) -> Label {
        self.labels.push(0);
        Label(self.labels.len() - 1)
    }

    /// The variables that an expression uses and does not bind, as far as they are in places here or among `later`.
    fn free(&self, expr: ExprId, later: &FxHashSet<VarId>) -> Vec<VarId> {
        let fewer = self.places.len() + later.len() < self.numbering.length(expr);
        let in_scope = fewer.then(|| self.places.keys().chain(later).copied().collect());
        self.numbering.free(expr, in_scope)
    }

    fn jump(&mut self, label: Label) {
        self.last_jump = Some(self.compiler.code.words.len());
        self.op(Op::Jump, 0, &[]);
        self.refer(label);
    }

    fn bind(&mut self, label: Label) {
        let end = self.compiler.code.words.len();
        // A jump to what follows it is none.
        if self.last_jump.is_some_and(|jump| jump + 2 == end)
            && self.references.last() == Some(&(end - 1, label))
        {
            self.references.pop();
            self.compiler.code.words.truncate(end - 2);
            for bound in self.labels.iter_mut().filter(|bound| **bound == end as u32) {
                *bound = end as u32 - 2;
            }
        }
        self.labels[label.0] = self.here();
    }

    fn refer(&mut self, label: Label) {
        self.references.push((self.compiler.code.words.len(), label));
        self.word(0);
    }

    // Slots and what is known of variables.

    fn new_slot(&mut self) -> u32 {
        self.next_slot += 1;
        self.most_slots = self.most_slots.max(self.next_slot);
        self.next_slot - 1
    }

    fn hold_new(&mut self, variable: VarId) -> u32 {
        let slot = self.new_slot();
        self.hold(variable, slot);
        slot
    }

    fn hold(&mut self, variable: VarId, slot: u32) {
        self.places.insert(variable, Place::Slot(slot));
        self.held.push(Held { variable, slot, number: self.holds });
        self.holds += 1;
    }

    fn set_evaluated(&mut self, variable: VarId) {
        if self.evaluated.insert(variable) {
            self.log.push(variable);
        }
    }

    fn mark(&self) -> Mark {
        Mark { log: self.log.len(), holds: self.holds, next_slot: self.next_slot }
    }

    fn back(&mut self, mark: Mark) {
        for variable in self.log.drain(mark.log..) {
            self.evaluated.remove(&variable);
        }
        while self.held.pop_if(|held| held.number >= mark.holds).is_some() {}
        self.next_slot = mark.next_slot;
    }

    /// The slots that are needed after what is being compiled: how many there are up to the last, and their map.
    fn alive(&mut self) -> (u32, u32) {
        let (numbering, reached) = (self.numbering, self.reached.min(self.postponed));
        if self.held.len() > 2 * self.kept + 64 {
            self.held.retain(|held| numbering.is_used_from(held.variable, reached));
            self.kept = self.held.len();
        }
        let needed =
            |variable: VarId| self.pending.iter().any(|&interval| numbering.is_used(variable, interval));
        let held = self.held.iter().filter(|held| needed(held.variable)).map(|held| held.slot);
        let mut slots: Vec<u32> = held.chain(self.protected.iter().copied()).collect();
        slots.sort_unstable();
        slots.dedup();
        let height = slots.last().map_or(0, |last| last + 1);
        (height, self.compiler.map(&slots))
    }

    fn is_evaluated(&self, argument: Arg) -> bool {
        match argument {
            Arg::Atom(Atom::Variable(variable)) => self.evaluated.contains(&variable),
            Arg::Atom(Atom::Literal(literal)) => !matches!(self.program.literal(literal), Literal::String(_)),
            Arg::Atom(Atom::Function(function)) => self.program.arity(function) > 0,
            Arg::Atom(Atom::Constructor(_)) => true,
            Arg::Static(_) => false,
        }
    }

    /// Evaluates a variable where it is; `within` still needs the others.
    fn evaluate(&mut self, variable: VarId, position: ExprId) {
        if self.evaluated.contains(&variable) {
            return;
        }
        match self.places.get(&variable) {
            Some(&Place::Slot(slot)) => self.evaluate_slot(slot, position),
            Some(&Place::Constant(constant)) => {
                let slot = self.new_slot();
                self.op(Op::Move, 0, &[slot, Operand::constant(constant).0]);
                self.evaluate_slot(slot, position);
                self.hold(variable, slot);
            }
            None => return,
        }
        self.set_evaluated(variable);
    }

    fn evaluate_slot(&mut self, slot: u32, position: ExprId) {
        let (height, map) = self.alive();
        self.position(position);
        self.op(Op::Eval, 0, &[height, map, slot]);
    }

    fn word_constant(&mut self, word: Word) -> Operand {
        Operand::constant(self.compiler.constant(Constant::Word(word.raw())))
    }

    /// An argument as an operand. An object allocated for it goes to a new slot: no evaluation may come
    /// between this and the use.
    fn operand(&mut self, argument: Arg) -> Operand {
        match argument {
            Arg::Atom(Atom::Variable(variable)) => match self.places.get(&variable) {
                Some(&Place::Slot(slot)) => Operand::slot(slot),
                Some(&Place::Constant(constant)) => Operand::constant(constant),
                None => self.word_constant(Word::char(0)),
            },
            Arg::Atom(Atom::Literal(literal)) => self.literal(literal),
            Arg::Atom(Atom::Function(function)) => {
                let instance = self.compiler.plain(function);
                if self.program.arity(function) > 0 {
                    self.function_value(instance)
                } else if self.program.function(function).shared {
                    self.shared_constant(instance)
                } else {
                    self.suspend_constant(instance)
                }
            }
            Arg::Atom(Atom::Constructor(constructor)) => {
                let tag = self.program.constructor(constructor).tag;
                self.word_constant(Word::constant(constructor.index() as u32, tag))
            }
            Arg::Static(id) => {
                let (instance, passed) = self.compiler.static_instance(id);
                let arity = self.compiler.instances[instance.index()].parameters.len();
                match (passed.is_empty(), arity - passed.len().min(arity)) {
                    (true, 0) => self.shared_constant(instance),
                    (true, _) => self.word_constant(Word::function(instance.0)),
                    (false, 0) => self.suspend_call(instance, &passed),
                    (false, _) => self.partial(instance, &passed),
                }
            }
        }
    }

    /// A thunk for a call, without code of its own.
    fn suspend_call(&mut self, instance: InstanceId, arguments: &[Arg]) -> Operand {
        let most = APPLY_MOST as usize;
        let (first, rest) = arguments.split_at(arguments.len().saturating_sub(most));
        let function = match first.is_empty() {
            true => self.word_constant(Word::function(instance.0)),
            false => self.partial(instance, first),
        };
        let mut operands = Vec::new();
        if self.trails {
            operands.push(Operand::slot(CONTEXT));
        }
        operands.push(function);
        operands.extend(rest.iter().map(|&argument| self.operand(argument)));
        let slot = self.new_slot();
        self.allocate(operands.len());
        self.op(Op::Thunk, operands.len(), &[slot, APPLY + rest.len() as u32 - 1]);
        self.operands(&operands);
        Operand::slot(slot)
    }

    fn partial(&mut self, instance: InstanceId, arguments: &[Arg]) -> Operand {
        let mut operands: Vec<Operand> = Vec::new();
        if self.compiler.class(instance) == Class::Inside {
            operands.push(Operand::slot(CONTEXT));
        }
        operands.extend(arguments.iter().map(|&argument| self.operand(argument)).collect::<Vec<_>>());
        let slot = self.new_slot();
        self.allocate(operands.len());
        self.op(Op::Partial, operands.len(), &[slot, instance.0]);
        self.operands(&operands);
        Operand::slot(slot)
    }

    fn all_operands(&mut self, arguments: &[Arg]) -> Vec<Operand> {
        // They may all be on the stack at once, above the frame.
        self.most_slots = self.most_slots.max(arguments.len() as u32);
        arguments.iter().map(|&argument| self.operand(argument)).collect()
    }

    fn literal(&mut self, literal: LiteralId) -> Operand {
        let word = match self.program.literal(literal) {
            Literal::Int(value) => Word::int(*value),
            Literal::Word(value) => Word::int(*value as i64),
            Literal::Integer(digits) => digits.parse().ok().and_then(Word::int),
            Literal::Char(code) => Some(Word::char(*code)),
            Literal::Double(bits) => Word::double(f64::from_bits(*bits)),
            Literal::Float(bits) => Word::double(f64::from(f32::from_bits(*bits))),
            Literal::String(_) => {
                let string = self.compiler.string(literal);
                let slot = self.new_slot();
                self.allocate(2);
                self.op(Op::String, 0, &[slot, string]);
                return Operand::slot(slot);
            }
        };
        match word {
            Some(word) => self.word_constant(word),
            None => Operand::constant(self.compiler.constant(Constant::Literal(literal))),
        }
    }

    /// Counts an allocation of `words` words and a header.
    fn allocate(&mut self, words: usize) {
        self.allocation += 1 + TAG + words.max(1);
    }

    fn suspend(&mut self, what: Suspended, free: Vec<(VarId, bool)>) -> u32 {
        let thunk = self.compiler.code.thunks.len() as u32;
        let expr = match what {
            Suspended::Expr(expr) if self.rows() => Some(expr),
            _ => None,
        };
        self.compiler.code.thunks.push(ThunkCode { entry: 0, expr });
        self.queue.push(Job { thunk, what, free });
        thunk
    }

    // Expressions.

    fn expr(&mut self, expr: ExprId, to: Target) {
        let mut expr = expr;
        // A chain of a thousand bindings, or of failed rules, is no reason to recurse.
        loop {
            self.at = Some(expr);
            self.reached = self.numbering.interval(expr).start;
            expr = match self.program.expr(expr) {
                Expr::Rule { body, .. } => body,
                Expr::Let(bindings, body) => {
                    self.let_(bindings, body);
                    body
                }
                Expr::Try { first, otherwise } => {
                    let label = self.label();
                    let mark = self.mark();
                    self.falls.push(label);
                    self.pending.push(self.numbering.interval(otherwise));
                    self.expr(first, to);
                    self.pending.pop();
                    self.falls.pop();
                    self.back(mark);
                    self.bind(label);
                    otherwise
                }
                _ => return self.last(expr, to),
            };
        }
    }

    /// An expression that is not followed by another one.
    fn last(&mut self, expr: ExprId, to: Target) {
        match self.program.expr(expr) {
            Expr::Rule { .. } | Expr::Let(..) | Expr::Try { .. } => {}
            Expr::Case(case) => match self.compiler.resolve(expr, self.known) {
                Some(resolved) => self.resolved(expr, resolved, to),
                None => self.case(expr, case, to),
            },
            Expr::Fall => {
                if let Some(&label) = self.falls.last() {
                    self.jump(label);
                }
            }
            Expr::Error(kind, name) => {
                let error = self.compiler.code.errors.len() as u32;
                self.compiler.code.errors.push(KnownError { kind, name, span: self.program.span(expr) });
                self.error(expr, error);
            }
            Expr::Or(_) | Expr::Free(..) | Expr::Failure => {
                self.position(expr);
                self.op(Op::Logic, 0, &[]);
            }
            _ => {
                if let Some(resolved) = self.compiler.resolve(expr, self.known) {
                    self.resolved(expr, resolved, to);
                }
            }
        }
    }
}
