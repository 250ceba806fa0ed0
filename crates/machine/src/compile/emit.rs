//! Writes the code of an instance: its body, then the thunks in it.

use super::arithmetic::{Special, special};
use super::calls::{Arg, Known, Resolved};
use super::live::{Interval, Numbering};
use super::statics::selected_field;
use super::strict::Strict;
use super::{APPLY, APPLY_MOST, Compiler, Constant, Entry, InstanceId, KnownError, ThunkCode};
use crate::code::{Op, Operand};
use crate::primitives::{Control, What};
use crate::word::Word;
use gadfly_core::kernel::{
    Alternative, Atom, Binding, Case, Expr, ExprId, List, Literal, LiteralId, Pattern, PrimId, Program, VarId,
};
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
    if emitter.compiler.recording {
        emitter.op(Op::Unfold, 0, &[instance.0]);
    }
    emitter.expr(body, Target::Return);
    emitter.finish();
    let mut queue = std::mem::take(&mut emitter.queue);
    while let Some(job) = queue.pop() {
        let mut emitter = Emitter::new(compiler, instance, &numbering, &known, &strict);
        emitter.compiler.code.thunks[job.thunk as usize].entry = emitter.here();
        match job.what {
            Suspended::Call(instance) => emitter.op(Op::Tail, 0, &[instance.0]),
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
    compiler.code.entries[instance.index()] = Entry { general: start, fast, arity: parameters.len() as u32 };
    compiler.numbering = numbering;
}

/// Where a value goes.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// To whoever wants the value of the code.
    Return,
    /// To a slot; then it goes on at the label, or at the next instruction.
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
    Call(InstanceId),
}

/// A thunk whose code is to be written.
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
    numbering: &'c Numbering,
    known: &'c Known,
    strict: &'c Strict,
    places: FxHashMap<VarId, Place>,
    /// Which variables are evaluated here, and in which order that was found.
    evaluated: FxHashSet<VarId>,
    log: Vec<VarId>,
    /// The variables in slots, in the order of binding; aliases among them.
    held: Vec<(VarId, u32)>,
    next_slot: u32,
    /// Slots without a variable that are needed.
    protected: Vec<u32>,
    /// What is still to be done after what is being compiled.
    pending: Vec<Interval>,
    /// Where a `Fall` goes.
    falls: Vec<Label>,
    labels: Vec<u32>,
    references: Vec<(usize, Label)>,
    allocation: usize,
    most_slots: u32,
    queue: Vec<Job>,
}

/// What a branch changes and is put back after it.
#[derive(Clone, Copy)]
struct Mark {
    log: usize,
    held: usize,
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
        Emitter {
            program: compiler.program,
            compiler,
            instance,
            numbering,
            known,
            strict,
            places: FxHashMap::default(),
            evaluated: FxHashSet::default(),
            log: Vec::new(),
            held: Vec::new(),
            next_slot: 0,
            protected: Vec::new(),
            pending: Vec::new(),
            falls: Vec::new(),
            labels: Vec::new(),
            references: Vec::new(),
            allocation: 0,
            most_slots: 0,
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

    fn bind(&mut self, label: Label) {
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
        self.held.push((variable, slot));
    }

    fn set_evaluated(&mut self, variable: VarId) {
        if self.evaluated.insert(variable) {
            self.log.push(variable);
        }
    }

    fn mark(&self) -> Mark {
        Mark { log: self.log.len(), held: self.held.len(), next_slot: self.next_slot }
    }

    fn back(&mut self, mark: Mark) {
        for variable in self.log.drain(mark.log..) {
            self.evaluated.remove(&variable);
        }
        self.held.truncate(mark.held);
        self.next_slot = mark.next_slot;
    }

    /// The slots that are needed after what is being compiled: how many there are up to the last, and their map.
    fn alive(&mut self) -> (u32, u32) {
        let numbering = self.numbering;
        let needed =
            |variable: VarId| self.pending.iter().any(|&interval| numbering.is_used(variable, interval));
        let held = self.held.iter().filter(|(variable, _)| needed(*variable)).map(|(_, slot)| *slot);
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

    /// An argument as an operand. What has to be allocated for it goes to a new slot: nothing may be evaluated between
    /// this and the use.
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
                    self.word_constant(Word::function(instance.0))
                } else if self.program.function(function).shared {
                    Operand::constant(self.compiler.constant(Constant::Shared(instance)))
                } else {
                    let thunk = self.suspend(Suspended::Call(instance), Vec::new());
                    let slot = self.new_slot();
                    self.allocate(1);
                    self.op(Op::Thunk, 0, &[slot, thunk]);
                    Operand::slot(slot)
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
                    (true, 0) => Operand::constant(self.compiler.constant(Constant::Shared(instance))),
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
        let mut operands = vec![function];
        operands.extend(rest.iter().map(|&argument| self.operand(argument)));
        let slot = self.new_slot();
        self.allocate(operands.len());
        self.op(Op::Thunk, operands.len(), &[slot, APPLY + rest.len() as u32 - 1]);
        self.operands(&operands);
        Operand::slot(slot)
    }

    fn partial(&mut self, instance: InstanceId, arguments: &[Arg]) -> Operand {
        let operands: Vec<Operand> = arguments.iter().map(|&argument| self.operand(argument)).collect();
        let slot = self.new_slot();
        self.allocate(operands.len());
        self.op(Op::Partial, operands.len(), &[slot, instance.0]);
        self.operands(&operands);
        Operand::slot(slot)
    }

    fn all_operands(&mut self, arguments: &[Arg]) -> Vec<Operand> {
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

    /// So many words, and a header, are allocated.
    fn allocate(&mut self, words: usize) {
        self.allocation += 1 + TAG + words.max(1);
    }

    fn suspend(&mut self, what: Suspended, free: Vec<(VarId, bool)>) -> u32 {
        let thunk = self.compiler.code.thunks.len() as u32;
        self.compiler.code.thunks.push(ThunkCode { entry: 0 });
        self.queue.push(Job { thunk, what, free });
        thunk
    }

    // Expressions.

    fn expr(&mut self, expr: ExprId, to: Target) {
        match self.program.expr(expr) {
            Expr::Rule { body, .. } => self.expr(body, to),
            Expr::Let(bindings, body) => {
                self.let_(bindings, body);
                self.expr(body, to);
            }
            Expr::Case(case) => match self.compiler.resolve(expr, self.known) {
                Some(resolved) => self.resolved(expr, resolved, to),
                None => self.case(expr, case, to),
            },
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
                self.expr(otherwise, to);
            }
            Expr::Fall => {
                if let Some(&label) = self.falls.last() {
                    self.op(Op::Jump, 0, &[]);
                    self.refer(label);
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

    /// Ends with an error, under a frame that says where.
    fn error(&mut self, expr: ExprId, error: u32) {
        let map = self.compiler.map(&[]);
        self.position(expr);
        self.op(Op::Error, 0, &[error, map, 0]);
    }

    fn done(&mut self, to: Target) {
        if let Target::Slot(_, Some(label)) = to {
            self.op(Op::Jump, 0, &[]);
            self.refer(label);
        }
    }

    /// Gives an evaluated operand to the target.
    fn give(&mut self, operand: Operand, to: Target) {
        match to {
            Target::Return => self.op(Op::Return, 0, &[operand.0]),
            Target::Slot(slot, _) => {
                if operand != Operand::slot(slot) {
                    self.op(Op::Move, 0, &[slot, operand.0]);
                }
                self.done(to);
            }
        }
    }

    fn resolved(&mut self, expr: ExprId, resolved: Resolved, to: Target) {
        match resolved {
            Resolved::Apply(head, arguments) if arguments.is_empty() => self.value(expr, head, to),
            Resolved::Apply(head, arguments) => self.apply(expr, head, &arguments, to),
            Resolved::Call(instance, arguments, rest) if rest.is_empty() => {
                self.call(expr, instance, &arguments, to);
            }
            Resolved::Call(instance, arguments, rest) => {
                let slot = self.new_slot();
                self.within(expr, |emitter| {
                    emitter.call(expr, instance, &arguments, Target::Slot(slot, None));
                });
                self.apply_operand(expr, Operand::slot(slot), &rest, to);
            }
            Resolved::Primitive(id, arguments, rest) if rest.is_empty() => {
                self.primitive(expr, id, &arguments, to);
            }
            Resolved::Primitive(id, arguments, rest) => {
                let slot = self.new_slot();
                self.within(expr, |emitter| {
                    emitter.primitive(expr, id, &arguments, Target::Slot(slot, None));
                });
                self.apply_operand(expr, Operand::slot(slot), &rest, to);
            }
            Resolved::Construct(constructor, arguments) => {
                if arguments.is_empty() {
                    let operand = self.operand(Arg::Atom(Atom::Constructor(constructor)));
                    return self.give(operand, to);
                }
                let operands = self.all_operands(&arguments);
                let tag = self.program.constructor(constructor).tag;
                self.allocate(operands.len());
                self.position(expr);
                match to {
                    Target::Return => {
                        let words = [constructor.index() as u32, tag];
                        self.op(Op::ReturnConstruct, operands.len(), &words);
                        self.operands(&operands);
                    }
                    Target::Slot(slot, _) => {
                        let words = [slot, constructor.index() as u32, tag];
                        self.op(Op::Construct, operands.len(), &words);
                        self.operands(&operands);
                        self.done(to);
                    }
                }
            }
            Resolved::Partial(instance, arguments) => {
                self.position(expr);
                let operand = match arguments.is_empty() {
                    true => self.word_constant(Word::function(instance.0)),
                    false => self.partial(instance, &arguments),
                };
                self.give(operand, to);
            }
        }
    }

    /// Does something while the uses of an expression are still to come.
    fn within(&mut self, expr: ExprId, act: impl FnOnce(&mut Self)) {
        self.pending.push(self.numbering.interval(expr));
        act(self);
        self.pending.pop();
    }

    /// An atom: it is evaluated.
    fn value(&mut self, expr: ExprId, head: Arg, to: Target) {
        let evaluated = self.is_evaluated(head);
        let operand = self.operand(head);
        if evaluated {
            return self.give(operand, to);
        }
        self.position(expr);
        match to {
            Target::Return if self.is_told_constant(head) => {
                let slot = self.new_slot();
                self.op(Op::Move, 0, &[slot, operand.0]);
                self.evaluate_slot(slot, expr);
                self.op(Op::Return, 0, &[Operand::slot(slot).0]);
            }
            Target::Return => self.op(Op::Enter, 0, &[operand.0]),
            Target::Slot(slot, _) => {
                self.op(Op::Move, 0, &[slot, operand.0]);
                self.evaluate_slot(slot, expr);
                self.done(to);
            }
        }
    }

    fn apply(&mut self, expr: ExprId, head: Arg, arguments: &[Arg], to: Target) {
        let head = self.operand(head);
        self.apply_operand(expr, head, arguments, to);
    }

    fn apply_operand(&mut self, expr: ExprId, head: Operand, arguments: &[Arg], to: Target) {
        let operands = self.all_operands(arguments);
        match to {
            Target::Return => {
                self.position(expr);
                self.op(Op::TailApply, operands.len(), &[head.0]);
                self.operands(&operands);
            }
            Target::Slot(slot, _) => {
                let (height, map) = self.alive();
                self.position(expr);
                self.op(Op::Apply, operands.len(), &[height, head.0]);
                self.operands(&operands);
                self.word(map);
                self.word(slot);
                self.done(to);
            }
        }
        // What an unknown function allocates for its arguments: a partial application.
        self.allocate(operands.len() + 64);
    }

    fn call(&mut self, expr: ExprId, instance: InstanceId, arguments: &[Arg], to: Target) {
        let mask = self.compiler.strictness(instance);
        let is_strict = |row: usize| row < 64 && mask >> row & 1 == 1;
        let can = |emitter: &Self, (row, argument): (usize, &Arg)| {
            !is_strict(row)
                || emitter.is_evaluated(*argument)
                || matches!(argument, Arg::Atom(Atom::Variable(_)))
        };
        let fast = arguments.iter().enumerate().all(|one| can(self, one));
        if fast {
            self.within(expr, |emitter| {
                for (row, argument) in arguments.iter().enumerate() {
                    if is_strict(row)
                        && let Arg::Atom(Atom::Variable(variable)) = argument
                    {
                        emitter.evaluate(*variable, expr);
                    }
                }
            });
        }
        let operands = self.all_operands(arguments);
        match to {
            Target::Return if self.is_told(instance) => {
                let slot = self.new_slot();
                let map = self.compiler.map(&[]);
                self.position(expr);
                let op = if fast { Op::CallFast } else { Op::Call };
                self.op(op, operands.len(), &[instance.0, 0]);
                self.operands(&operands);
                self.word(map);
                self.word(slot);
                self.op(Op::Return, 0, &[Operand::slot(slot).0]);
            }
            Target::Return => {
                self.position(expr);
                let op = if fast { Op::TailFast } else { Op::Tail };
                self.op(op, operands.len(), &[instance.0]);
                self.operands(&operands);
            }
            Target::Slot(slot, _) => {
                let (height, map) = self.alive();
                self.position(expr);
                let op = if fast { Op::CallFast } else { Op::Call };
                self.op(op, operands.len(), &[instance.0, height]);
                self.operands(&operands);
                self.word(map);
                self.word(slot);
                self.done(to);
            }
        }
    }

    /// Whether the last call of one of the user's functions is left on the stack: a call of a library function that
    /// raises something is to be told with its place. Not if it may go on with a function that it was given: loops are
    /// made that way.
    fn is_told(&mut self, callee: InstanceId) -> bool {
        let is_library = |emitter: &Self, instance: InstanceId| {
            let program = emitter.program;
            program
                .module(program.function(emitter.compiler.instances[instance.index()].function).module)
                .library
        };
        !is_library(self, self.instance) && is_library(self, callee) && self.compiler.comes_back(callee)
    }

    /// The same for a library constant, such as `undefined`.
    fn is_told_constant(&self, head: Arg) -> bool {
        let library = |function| self.program.module(self.program.function(function).module).library;
        let own = self.compiler.instances[self.instance.index()].function;
        matches!(head, Arg::Atom(Atom::Function(function)) if library(function) && !library(own))
    }

    /// Evaluates the strict arguments of a primitive; the operands.
    fn primitive_operands(&mut self, expr: ExprId, arguments: &[Arg], lazy: u8) -> Vec<Operand> {
        // Strict arguments that are no variables go to slots of their own first.
        let from = self.protected.len();
        let mut places: Vec<Option<Operand>> = vec![None; arguments.len()];
        self.within(expr, |emitter| {
            for (row, argument) in arguments.iter().enumerate() {
                if lazy >> row & 1 == 1 || emitter.is_evaluated(*argument) {
                    continue;
                }
                match argument {
                    Arg::Atom(Atom::Variable(variable)) => emitter.evaluate(*variable, expr),
                    _ => {
                        let operand = emitter.operand(*argument);
                        let slot = emitter.new_slot();
                        emitter.op(Op::Move, 0, &[slot, operand.0]);
                        emitter.evaluate_slot(slot, expr);
                        emitter.protected.push(slot);
                        places[row] = Some(Operand::slot(slot));
                    }
                }
            }
        });
        self.protected.truncate(from);
        let operands = arguments.iter().zip(places);
        operands.map(|(&argument, place)| place.unwrap_or_else(|| self.operand(argument))).collect()
    }

    fn primitive(&mut self, expr: ExprId, id: PrimId, arguments: &[Arg], to: Target) {
        let Some(primitive) = self.compiler.primitives[id.index()] else {
            let name = self.compiler.program.primitive(id);
            let name = self.program.find_name(name);
            if let Some(name) = name {
                let error = self.compiler.code.errors.len() as u32;
                let kind = gadfly_core::kernel::ErrorKind::Unknown;
                self.compiler.code.errors.push(KnownError { kind, name, span: self.program.span(expr) });
                self.error(expr, error);
            }
            return;
        };
        match primitive.what {
            What::Cheap(_) | What::Pure(_) => {
                let operands = self.primitive_operands(expr, arguments, primitive.lazy);
                let slot = match to {
                    Target::Return => self.new_slot(),
                    Target::Slot(slot, _) => slot,
                };
                self.position(expr);
                self.compute(id, slot, &operands);
                match to {
                    Target::Return => self.op(Op::Return, 0, &[Operand::slot(slot).0]),
                    Target::Slot(..) => self.done(to),
                }
            }
            What::Look(_) => {
                let operands = self.primitive_operands(expr, arguments, primitive.lazy);
                let slot = match to {
                    Target::Return => self.new_slot(),
                    Target::Slot(slot, _) => slot,
                };
                self.position(expr);
                self.compute(id, slot, &operands);
                match to {
                    Target::Return => self.op(Op::Enter, 0, &[Operand::slot(slot).0]),
                    Target::Slot(..) => {
                        self.evaluate_slot(slot, expr);
                        self.done(to);
                    }
                }
            }
            What::Control(Control::Raise) => {
                let operand = self.operand(arguments[0]);
                self.position(expr);
                self.op(Op::Raise, 0, &[operand.0]);
            }
            What::Control(Control::Perform) => match to {
                Target::Return => {
                    let operand = self.operand(arguments[0]);
                    self.position(expr);
                    self.op(Op::Perform, 0, &[operand.0]);
                }
                Target::Slot(slot, _) => self.suspended_now(expr, slot, to),
            },
            What::Control(Control::Seq) => {
                let from = self.protected.len();
                self.primitive_operands(expr, &arguments[..1], 0);
                self.protected.truncate(from);
                self.value(expr, arguments[1], to);
            }
            What::Control(Control::SameInstance) => {
                let operands = self.primitive_operands(expr, arguments, primitive.lazy);
                let slot = match to {
                    Target::Return => self.new_slot(),
                    Target::Slot(slot, _) => slot,
                };
                self.op(Op::Primitive, operands.len(), &[id.index() as u32, slot]);
                self.operands(&operands);
                match to {
                    Target::Return => self.op(Op::Return, 0, &[Operand::slot(slot).0]),
                    Target::Slot(..) => self.done(to),
                }
            }
            What::Control(Control::Same) => self.value(expr, arguments[0], to),
            What::Action(_) | What::Control(Control::Catch | Control::Return | Control::Bind) => {
                let operand = self.action(expr, id, arguments);
                self.give(operand, to);
            }
        }
    }

    /// Evaluates an expression in a frame of its own: as a thunk that is entered at once.
    fn suspended_now(&mut self, expr: ExprId, slot: u32, to: Target) {
        self.thunk(expr, slot, &FxHashSet::default());
        self.evaluate_slot(slot, expr);
        self.done(to);
    }

    fn action(&mut self, expr: ExprId, id: PrimId, arguments: &[Arg]) -> Operand {
        let operands = self.all_operands(arguments);
        let slot = self.new_slot();
        self.allocate(operands.len());
        self.position(expr);
        self.op(Op::Action, operands.len(), &[slot, id.index() as u32]);
        self.operands(&operands);
        Operand::slot(slot)
    }

    /// Applies a primitive to evaluated operands.
    fn compute(&mut self, id: PrimId, slot: u32, operands: &[Operand]) {
        let primitive = id.index() as u32;
        // Primitives that allocate see to their room themselves; a number needs no more than this.
        self.allocate(2);
        match special(self.program.primitive(id)) {
            Some(Special::Arithmetic(op)) => {
                self.op(op, 0, &[primitive, slot]);
            }
            Some(Special::Compare(comparison)) => {
                self.op(Op::Compare, comparison as usize, &[primitive, slot]);
            }
            Some(Special::Convert(op)) => self.op(op, 0, &[slot]),
            None => self.op(Op::Primitive, operands.len(), &[primitive, slot]),
        }
        self.operands(operands);
    }

    // Cases.

    fn case(&mut self, expr: ExprId, case: Case, to: Target) {
        if self.known.contains_key(&case.variable)
            && let Some(default) = case.default
        {
            return self.expr(default, to);
        }
        let rest = Interval {
            start: self.numbering.interval(case.scrutinee).end,
            end: self.numbering.interval(expr).end,
        };
        let alternatives = self.program.list(case.alternatives);
        let resolved = self.compiler.resolve(case.scrutinee, self.known);
        let slot = match resolved {
            Some(Resolved::Apply(Arg::Atom(Atom::Variable(variable)), ref arguments))
                if arguments.is_empty() && matches!(self.places.get(&variable), Some(Place::Slot(_))) =>
            {
                let Some(&Place::Slot(slot)) = self.places.get(&variable) else { return };
                let by_constructor = matches!(
                    alternatives.first(),
                    Some(Alternative { pattern: Pattern::Constructor(..), .. })
                );
                self.hold(case.variable, slot);
                if !self.evaluated.contains(&variable) {
                    self.pending.push(rest);
                    let (height, map) = self.alive();
                    self.pending.pop();
                    self.position(case.scrutinee);
                    let op = if by_constructor && self.needs_switch(case) { Op::Case } else { Op::Eval };
                    self.op(op, 0, &[height, map, slot]);
                    self.set_evaluated(variable);
                }
                self.set_evaluated(case.variable);
                slot
            }
            Some(Resolved::Primitive(id, ref arguments, ref more))
                if more.is_empty()
                    && let Some(Special::Compare(comparison)) = special(self.program.primitive(id))
                    && let Some((yes, no)) = self.branches(case) =>
            {
                self.pending.push(rest);
                let operands = self.primitive_operands(case.scrutinee, arguments, 0);
                self.pending.pop();
                self.allocate(2);
                let otherwise = self.label();
                self.position(case.scrutinee);
                self.op(comparison.branch(), 0, &[id.index() as u32]);
                self.refer(otherwise);
                self.operands(&operands);
                let mark = self.mark();
                self.expr(yes, to);
                self.back(mark);
                self.bind(otherwise);
                self.expr(no, to);
                self.back(mark);
                return;
            }
            resolved => {
                let slot = self.new_slot();
                self.pending.push(rest);
                match resolved {
                    Some(resolved) => self.resolved(case.scrutinee, resolved, Target::Slot(slot, None)),
                    None => {
                        let mark = self.mark();
                        let label = self.label();
                        let falls = std::mem::take(&mut self.falls);
                        self.expr(case.scrutinee, Target::Slot(slot, Some(label)));
                        self.falls = falls;
                        self.bind(label);
                        self.back(mark);
                    }
                }
                self.pending.pop();
                self.hold(case.variable, slot);
                self.set_evaluated(case.variable);
                slot
            }
        };
        self.alternatives(case, slot, to);
    }

    /// The branches for `True` and `False` of a case that uses nothing but these.
    fn branches(&self, case: Case) -> Option<(ExprId, ExprId)> {
        let alternatives = self.program.list(case.alternatives);
        let whole = Interval { start: 0, end: u32::MAX };
        if alternatives.is_empty() || self.numbering.is_used(case.variable, whole) {
            return None;
        }
        let by_tag = |tag: u32| {
            let found = alternatives.iter().find(|alternative| match alternative.pattern {
                Pattern::Constructor(constructor, _) => self.program.constructor(constructor).tag == tag,
                Pattern::Literal(_) => false,
            });
            found.map(|alternative| alternative.body).or(case.default)
        };
        Some((by_tag(1)?, by_tag(0)?))
    }

    /// Whether more than one thing can happen.
    fn needs_switch(&self, case: Case) -> bool {
        let Some(first) = self.program.list(case.alternatives).first() else { return false };
        match first.pattern {
            Pattern::Constructor(constructor, _) => self.program.siblings(constructor).len() > 1,
            Pattern::Literal(_) => true,
        }
    }

    fn alternatives(&mut self, case: Case, slot: u32, to: Target) {
        let alternatives = self.program.list(case.alternatives);
        let mark = self.mark();
        match alternatives.first().map(|alternative| alternative.pattern) {
            None => {
                if let Some(default) = case.default {
                    self.expr(default, to);
                }
            }
            Some(Pattern::Constructor(..)) if !self.needs_switch(case) => {
                self.alternative(alternatives[0], slot, to);
            }
            Some(Pattern::Constructor(constructor, _)) => {
                let siblings = self.program.siblings(constructor).len();
                let default = self.label();
                let mut labels = vec![default; siblings];
                for alternative in alternatives {
                    if let Pattern::Constructor(constructor, _) = alternative.pattern {
                        labels[self.program.constructor(constructor).tag as usize] = self.label();
                    }
                }
                self.op(Op::Switch, siblings, &[slot]);
                for &label in &labels {
                    self.refer(label);
                }
                for &alternative in alternatives {
                    if let Pattern::Constructor(constructor, _) = alternative.pattern {
                        self.bind(labels[self.program.constructor(constructor).tag as usize]);
                        self.alternative(alternative, slot, to);
                        self.back(mark);
                    }
                }
                self.bind(default);
                match case.default {
                    Some(default) => self.expr(default, to),
                    None => self.op(Op::Logic, 0, &[]),
                }
            }
            Some(Pattern::Literal(_)) => self.literals(case, slot, to),
        }
        self.back(mark);
    }

    fn alternative(&mut self, alternative: Alternative, slot: u32, to: Target) {
        if let Pattern::Constructor(_, variables) = alternative.pattern {
            let interval = self.numbering.interval(alternative.body);
            let variables = self.program.list(variables).iter().zip(0..);
            let used: Vec<(VarId, u32)> = variables
                .filter(|(variable, _)| {
                    self.numbering.is_used(**variable, interval) && !self.known.contains_key(variable)
                })
                .map(|(variable, field)| (*variable, field))
                .collect();
            if !used.is_empty() {
                self.op(Op::Fields, used.len(), &[slot]);
                for (variable, field) in used {
                    let place = self.hold_new(variable);
                    self.word(field);
                    self.word(place);
                }
            }
        }
        self.expr(alternative.body, to);
    }

    fn literals(&mut self, case: Case, slot: u32, to: Target) {
        let alternatives = self.program.list(case.alternatives);
        let mark = self.mark();
        let constants: Vec<Operand> = alternatives
            .iter()
            .map(|alternative| match alternative.pattern {
                Pattern::Literal(literal) => self.literal(literal),
                Pattern::Constructor(..) => Operand(0),
            })
            .collect();
        let word = |emitter: &Self, operand: Operand| match emitter.compiler.code.constants
            [(operand.0 >> 1) as usize]
        {
            Constant::Word(word) => Some(Word::from_raw(word)).filter(|word| word.as_double().is_none()),
            _ => None,
        };
        let words: Option<Vec<Word>> = constants.iter().map(|&operand| word(self, operand)).collect();
        let default = self.label();
        match words {
            Some(words) if alternatives.len() > 3 => {
                let labels: Vec<Label> = alternatives.iter().map(|_| self.label()).collect();
                let mut order: Vec<usize> = (0..words.len()).collect();
                order.sort_by_key(|&row| words[row].raw());
                self.op(Op::Literals, words.len(), &[slot]);
                self.refer(default);
                for row in order {
                    self.word(words[row].raw() as u32);
                    self.word((words[row].raw() >> 32) as u32);
                    self.refer(labels[row]);
                }
                for (alternative, label) in alternatives.iter().zip(labels) {
                    self.bind(label);
                    self.expr(alternative.body, to);
                    self.back(mark);
                }
            }
            _ => {
                for (alternative, constant) in alternatives.iter().zip(constants) {
                    let next = self.label();
                    self.op(Op::IfLiteral, 0, &[slot, constant.0]);
                    self.refer(next);
                    self.expr(alternative.body, to);
                    self.back(mark);
                    self.bind(next);
                }
            }
        }
        self.bind(default);
        match case.default {
            Some(default) => self.expr(default, to),
            None => self.op(Op::Logic, 0, &[]),
        }
    }

    // Bindings.

    fn let_(&mut self, bindings: List<Binding>, body: ExprId) {
        let bindings: Vec<Binding> = self.program.list(bindings).to_vec();
        // Variables of the group that are not bound yet.
        let mut later: FxHashSet<VarId> = bindings.iter().map(|binding| binding.variable).collect();
        later.retain(|variable| !self.known.contains_key(variable));
        let mut patches: Vec<(u32, u32, VarId)> = Vec::new();
        for (row, binding) in bindings.iter().enumerate() {
            if self.known.contains_key(&binding.variable) {
                continue;
            }
            let from = self.pending.len();
            self.pending.push(self.numbering.interval(body));
            for other in &bindings[row + 1..] {
                self.pending.push(self.numbering.interval(other.value));
            }
            self.binding(*binding, &later, &mut patches);
            self.pending.truncate(from);
            later.remove(&binding.variable);
            patches.retain(|&(slot, field, variable)| {
                let is_now = variable == binding.variable;
                if is_now {
                    let operand = self.operand(Arg::Atom(Atom::Variable(variable)));
                    self.op(Op::Patch, 0, &[slot, field, operand.0]);
                }
                !is_now
            });
        }
    }

    fn binding(&mut self, binding: Binding, later: &FxHashSet<VarId>, patches: &mut Vec<(u32, u32, VarId)>) {
        let Binding { variable, value } = binding;
        let resolved = self.compiler.resolve(value, self.known);
        let is_later =
            |argument: &Arg| matches!(argument, Arg::Atom(Atom::Variable(one)) if later.contains(one));
        match &resolved {
            Some(Resolved::Apply(head, arguments)) if arguments.is_empty() && !is_later(head) => {
                let evaluated = self.is_evaluated(*head);
                let operand = self.operand(*head);
                match operand.0 & 1 {
                    0 => self.hold(variable, operand.0 >> 1),
                    _ => {
                        self.places.insert(variable, Place::Constant(operand.0 >> 1));
                    }
                }
                if evaluated {
                    self.set_evaluated(variable);
                }
                return;
            }
            Some(Resolved::Construct(constructor, arguments)) if !arguments.is_empty() => {
                let slot = self.new_slot();
                let operands = self.group_operands(arguments, later, slot, patches);
                let tag = self.program.constructor(*constructor).tag;
                self.allocate(operands.len());
                self.position(value);
                self.op(Op::Construct, operands.len(), &[slot, constructor.index() as u32, tag]);
                self.operands(&operands);
                self.hold(variable, slot);
                self.set_evaluated(variable);
                return;
            }
            Some(Resolved::Construct(constructor, _)) => {
                let operand = self.operand(Arg::Atom(Atom::Constructor(*constructor)));
                self.places.insert(variable, Place::Constant(operand.0 >> 1));
                self.set_evaluated(variable);
                return;
            }
            Some(Resolved::Partial(instance, arguments)) => {
                if arguments.is_empty() {
                    let operand = self.word_constant(Word::function(instance.0));
                    self.places.insert(variable, Place::Constant(operand.0 >> 1));
                } else {
                    let slot = self.new_slot();
                    let operands = self.group_operands(arguments, later, slot, patches);
                    self.allocate(operands.len());
                    self.position(value);
                    self.op(Op::Partial, operands.len(), &[slot, instance.0]);
                    self.operands(&operands);
                    self.hold(variable, slot);
                }
                self.set_evaluated(variable);
                return;
            }
            Some(Resolved::Primitive(id, arguments, rest)) if rest.is_empty() => {
                let what = self.compiler.primitives[id.index()].map(|primitive| primitive.what);
                match what {
                    Some(
                        What::Action(_) | What::Control(Control::Catch | Control::Return | Control::Bind),
                    ) => {
                        let slot = self.new_slot();
                        let operands = self.group_operands(arguments, later, slot, patches);
                        self.allocate(operands.len());
                        self.position(value);
                        self.op(Op::Action, operands.len(), &[slot, id.index() as u32]);
                        self.operands(&operands);
                        self.hold(variable, slot);
                        self.set_evaluated(variable);
                        return;
                    }
                    Some(What::Cheap(_))
                        if arguments
                            .iter()
                            .all(|argument| self.is_evaluated(*argument) && !is_later(argument)) =>
                    {
                        let operands = self.all_operands(arguments);
                        let slot = self.new_slot();
                        self.position(value);
                        self.compute(*id, slot, &operands);
                        self.hold(variable, slot);
                        self.set_evaluated(variable);
                        return;
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        let slot = self.new_slot();
        let free = Numbering::free_variables(self.program, value);
        if patches.is_empty()
            && self.strict.lets.contains(&variable)
            && !free.iter().any(|variable| later.contains(variable))
        {
            match resolved {
                Some(resolved) => self.resolved(value, resolved, Target::Slot(slot, None)),
                None => {
                    let mark = self.mark();
                    let label = self.label();
                    let falls = std::mem::take(&mut self.falls);
                    self.expr(value, Target::Slot(slot, Some(label)));
                    self.falls = falls;
                    self.bind(label);
                    self.back(mark);
                }
            }
            self.hold(variable, slot);
            self.set_evaluated(variable);
            return;
        }
        if let Some((of, field)) = self.selection(value, resolved.as_ref())
            && !later.contains(&of)
            && !self.known.contains_key(&of)
        {
            let operand = self.operand(Arg::Atom(Atom::Variable(of)));
            self.allocate(1);
            self.position(value);
            self.op(Op::Select, 0, &[slot, field, operand.0]);
            self.hold(variable, slot);
            return;
        }
        for (field, variable) in self.thunk(value, slot, later) {
            patches.push((slot, field, variable));
        }
        self.hold(variable, slot);
    }

    /// The variable and its field that an expression selects, if that is all it does; also by a library function such as
    /// `fst`.
    fn selection(&self, value: ExprId, resolved: Option<&Resolved>) -> Option<(VarId, u32)> {
        if let Expr::Case(case) = self.program.expr(value)
            && let Expr::Atom(Atom::Variable(of)) = self.program.expr(case.scrutinee)
        {
            return selected_field(self.program, value, of).map(|(_, field)| (of, field));
        }
        let Some(Resolved::Call(instance, arguments, rest)) = resolved else { return None };
        let ([Arg::Atom(Atom::Variable(of))], []) = (&arguments[..], &rest[..]) else { return None };
        let instance = &self.compiler.instances[instance.index()];
        let function = self.program.function(instance.function);
        let mut body = function.body;
        // The rule is marked before or behind the case.
        while let Expr::Rule { body: inner, .. } = self.program.expr(body) {
            body = inner;
        }
        let library = self.program.module(function.module).library;
        let (_, field) = selected_field(self.program, body, instance.parameters[0]).filter(|_| library)?;
        Some((*of, field))
    }

    /// The operands of an object in a recursive group: what is not there yet is patched in later.
    fn group_operands(
        &mut self,
        arguments: &[Arg],
        later: &FxHashSet<VarId>,
        slot: u32,
        patches: &mut Vec<(u32, u32, VarId)>,
    ) -> Vec<Operand> {
        let mut operands = Vec::new();
        for (&argument, field) in arguments.iter().zip(0..) {
            match argument {
                Arg::Atom(Atom::Variable(variable)) if later.contains(&variable) => {
                    patches.push((slot, field, variable));
                    operands.push(self.word_constant(Word::char(0)));
                }
                _ => operands.push(self.operand(argument)),
            }
        }
        operands
    }

    /// Makes a thunk; the fields that are to be patched, with their variables.
    fn thunk(&mut self, value: ExprId, slot: u32, later: &FxHashSet<VarId>) -> Vec<(u32, VarId)> {
        let mut operands = Vec::new();
        let mut free = Vec::new();
        let mut patches = Vec::new();
        let mut constants = Vec::new();
        for variable in Numbering::free_variables(self.program, value) {
            if self.known.contains_key(&variable) {
                continue;
            }
            if later.contains(&variable) {
                patches.push((operands.len() as u32, variable));
                operands.push(self.word_constant(Word::char(0)));
                free.push((variable, false));
                continue;
            }
            match self.places.get(&variable) {
                Some(&Place::Slot(place)) => {
                    operands.push(Operand::slot(place));
                    free.push((variable, self.evaluated.contains(&variable)));
                }
                Some(&Place::Constant(constant)) => constants.push((variable, constant)),
                None => {}
            }
        }
        // Constants are variables of the thunk too: its code does not know their places.
        for (variable, constant) in constants {
            operands.push(Operand::constant(constant));
            free.push((variable, self.evaluated.contains(&variable)));
        }
        let thunk = self.suspend(Suspended::Expr(value), free);
        self.allocate(operands.len());
        self.position(value);
        self.op(Op::Thunk, operands.len(), &[slot, thunk]);
        self.operands(&operands);
        patches
    }
}
