//! Asking a program: evaluating expressions that were built outside it, step by step.
//!
//! The caller makes values ([`Machine::construct`], [`Machine::suspend`], …), keeps those that must live
//! ([`Machine::hold`]), and evaluates them ([`Machine::begin`]). An evaluation ends with a value, or it stops
//! because it needs what only the caller knows: a value that is unknown ([`Machine::unknown`]), or the result
//! of a function that is not in the program ([`Machine::outside`]). The first ends the evaluation. The second
//! does not: the waiting frames stay on the stack, the caller may begin other evaluations above them, and
//! continues with the result ([`Machine::resume`]). So nothing recurses natively, however deep such functions
//! call each other.
//!
//! How it stops: three primitives that no library has end the loop with a status that no program ends with. Each is the
//! body of a function that [`make_askable`] adds to the program.
//!
//! What stays true:
//! - The collector runs only during an evaluation: words that are not held stay valid until the next one.
//! - A thunk that needed an unknown value is unknown from then on, and a thunk that ended in an exception
//!   raises it again: the next question finds the program's constants in order. After any other end,
//!   [`Machine::abandon`] resets them.

use crate::compile::{APPLY, APPLY_MOST, RAISE};
use crate::heap::{Exhausted, Kind};
use crate::machine::{End, Machine, Resource};
use crate::primitives::{Context, Failure, FailureKind, Primitive, Stop, What};
use crate::recorder::Recorder;
use crate::stack::{Control, Frame};
use crate::word::{Seen, Word};
use gadfly_core::Lowered;
use gadfly_core::kernel::{
    Argument, Atom, ConId, Expr, FunId, Function, Literal, ModuleId, Origin, Parameter, Role, VarId, Variable,
};
use gadfly_source::Span;
use std::sync::atomic::Ordering;

/// The functions through which a program stops for its asker, and the evaluations that have begun.
#[derive(Clone, Debug)]
pub struct Asking {
    unknown: FunId,
    outside: FunId,
    raised: FunId,
    /// Where the stack was when an evaluation began.
    marks: Vec<usize>,
}

/// How an evaluation ends, or why it stops. The words are good until the next evaluation.
#[derive(Debug)]
pub enum Answered {
    /// With a value.
    Value(Word),
    /// It needs an unknown value: its number.
    Needed(i64),
    /// With an exception.
    Raised(Word),
    /// A function from outside is applied: its number, the arguments it had, and the one it is given.
    Applied {
        /// The number.
        function: i64,
        /// The arguments, the newest last.
        arguments: Vec<Word>,
    },
    /// The program ended itself, or a limit was reached; [`Machine::abandon`] must follow.
    Ended(End),
}

/// What an evaluated word is.
#[derive(Clone, Debug)]
pub enum Found {
    /// An integer of any size.
    Integer,
    /// A floating-point number.
    Double(f64),
    /// A character, by its code point.
    Char(u32),
    /// A constructor, with fields or without.
    Constructor(ConId),
    /// A function with some of its arguments, by the parameters they are for; dictionaries may be left out.
    Function(FunId, Vec<(VarId, Word)>),
    /// A function from outside: its number, and the arguments it has.
    Outside(i64, Vec<Word>),
    /// An action of input and output.
    Action,
    /// An array, or a reference: how many elements it has.
    Array(usize),
    /// Any other value.
    Other,
}

const NEEDED: i32 = i32::MIN;
const APPLIED: i32 = i32::MIN + 1;
const RAISED: i32 = i32::MIN + 2;

/// Adds to a program what is needed to ask it.
pub fn make_askable(lowered: &mut Lowered) -> Asking {
    let mut add = |primitive: &str, arity: usize| {
        let program = &mut lowered.program;
        let any = program.functions().next().map(|(_, function)| function.span);
        let span = any.unwrap_or(Span::new(gadfly_source::FileId(0), 0, 0));
        let variables: Vec<VarId> =
            (0..arity).map(|_| program.add_variable(Variable { name: None, dictionary: false })).collect();
        let argument = |&variable: &VarId| Argument { atom: Atom::Variable(variable), span };
        let arguments: Vec<Argument> = variables.iter().map(argument).collect();
        let id = program.add_primitive(primitive);
        let arguments = program.add_list(&arguments);
        let body = program.add(Expr::Primitive(id, arguments), span, true);
        let parameter = |&variable: &VarId| Parameter { variable, role: Role::Ordinary };
        let name = program.name(primitive);
        program.add_function(Function {
            name,
            module: ModuleId::from_index(0),
            parent: None,
            span,
            parameters: variables.iter().map(parameter).collect(),
            shared: true,
            origin: Origin::Primitive,
            rules: Vec::new(),
            body,
        })
    };
    Asking {
        unknown: add("askUnknown", 1),
        outside: add("askOutside", 2),
        raised: add("askRaised", 1),
        marks: Vec::new(),
    }
}

fn needed<const TAG: usize>(_: &mut Context<'_, TAG>, _: &[Word]) -> Result<Word, Stop> {
    Err(Stop::Exit(NEEDED))
}

fn applied<const TAG: usize>(_: &mut Context<'_, TAG>, _: &[Word]) -> Result<Word, Stop> {
    Err(Stop::Exit(APPLIED))
}

fn raised<const TAG: usize>(_: &mut Context<'_, TAG>, _: &[Word]) -> Result<Word, Stop> {
    Err(Stop::Exit(RAISED))
}

/// The primitives that stop the loop. Their arguments are in the first slots of the frame where it stops.
pub(crate) fn table<const TAG: usize>() -> &'static [Primitive<TAG>] {
    const {
        &[
            Primitive { name: "askUnknown", arity: 1, lazy: 0b1, what: What::Pure(needed) },
            Primitive { name: "askOutside", arity: 2, lazy: 0b11, what: What::Pure(applied) },
            Primitive { name: "askRaised", arity: 1, lazy: 0b1, what: What::Pure(raised) },
        ]
    }
}

/// Making values.
impl<R: Recorder<0>> Machine<'_, R, 0> {
    /// A number or a character.
    pub fn literal(&mut self, literal: &Literal) -> Result<Word, Exhausted> {
        self.number(literal).map_err(|_| Exhausted)
    }

    /// A constructor with all its fields.
    pub fn construct(&mut self, constructor: ConId, fields: &[Word]) -> Result<Word, Exhausted> {
        let number = constructor.index() as u32;
        let tag = self.compiler.program.constructor(constructor).tag;
        if fields.is_empty() {
            return Ok(Word::constant(number, tag));
        }
        self.context().construct(number, tag, fields).map_err(|_| Exhausted)
    }

    /// A function as a value, or a constant.
    pub fn function(&mut self, function: FunId) -> Word {
        match self.compiler.program.arity(function) {
            0 => self.shared(function),
            _ => Word::function(self.compiler.plain(function).0),
        }
    }

    /// An application that is not evaluated yet.
    pub fn suspend(&mut self, function: Word, arguments: &[Word]) -> Result<Word, Exhausted> {
        let mut function = function;
        for some in arguments.chunks(APPLY_MOST as usize) {
            let code = APPLY + some.len() as u32 - 1;
            let thunk = self.heap.allocate_anywhere(Kind::Thunk, code, some.len() + 1, [])?;
            self.heap.set(thunk, 0, function);
            for (row, &argument) in some.iter().enumerate() {
                self.heap.set(thunk, row + 1, argument);
            }
            function = Word::object(thunk);
        }
        Ok(function)
    }

    /// An unknown value: an evaluation that needs it stops, and the caller gets its number.
    pub fn unknown(&mut self, asking: &Asking, number: i64) -> Result<Word, Exhausted> {
        let function = self.function(asking.unknown);
        self.suspend(function, &[Word::int(number).unwrap_or(Word::char(0))])
    }

    /// A function that the asker knows by a number, with arguments that it was given.
    pub fn outside(&mut self, asking: &Asking, number: i64, arguments: &[Word]) -> Result<Word, Exhausted> {
        let length = arguments.len() + 1;
        let has = self.heap.allocate_anywhere(Kind::Mutable, length as u32, length, [])?;
        self.heap.set(has, 0, Word::int(number).unwrap_or(Word::char(0)));
        for (row, &argument) in arguments.iter().enumerate() {
            self.heap.set(has, row + 1, argument);
        }
        let instance = self.compiler.plain(asking.outside);
        let partial = self.heap.allocate_anywhere(Kind::Partial, instance.0, 1, [])?;
        self.heap.set(partial, 0, Word::value(has));
        Ok(Word::value(partial))
    }

    /// One of the machine's arrays.
    pub fn array(&mut self, elements: &[Word]) -> Result<Word, Exhausted> {
        let array = self.heap.allocate_anywhere(Kind::Mutable, elements.len() as u32, elements.len(), [])?;
        for (row, &element) in elements.iter().enumerate() {
            self.heap.set(array, row, element);
        }
        Ok(Word::value(array))
    }

    /// An action that only returns a value; `None` if the program has no actions.
    pub fn returning(&mut self, value: Word) -> Result<Option<Word>, Exhausted> {
        let mut primitives = self.compiler.program.primitives();
        let Some((id, _)) = primitives.find(|(_, name)| *name == "ioReturn") else { return Ok(None) };
        let action = self.heap.allocate_anywhere(Kind::Action, id.index() as u32, 1, [])?;
        self.heap.set(action, 0, value);
        Ok(Some(Word::value(action)))
    }

    /// A thunk whose evaluation ends in `error` with a message.
    pub fn failing(&mut self, message: &str) -> Result<Word, Exhausted> {
        let failure = Failure::new(FailureKind::Error, "", message);
        let exception = self.failure(&failure).map_err(|_| Exhausted)?;
        self.raising(exception)
    }

    /// A thunk whose evaluation ends in an exception.
    pub fn raising(&mut self, exception: Word) -> Result<Word, Exhausted> {
        let thunk = self.heap.allocate_anywhere(Kind::Thunk, RAISE, 1, [])?;
        self.heap.set(thunk, 0, exception);
        Ok(Word::object(thunk))
    }
}

/// Looking at values.
impl<R: Recorder<0>> Machine<'_, R, 0> {
    /// What an evaluated word is.
    pub fn look(&self, asking: &Asking, word: Word) -> Found {
        let constructor = |number: u32| Found::Constructor(ConId::from_index(number as usize));
        match self.heap.follow(word).see() {
            Seen::Int(_) => Found::Integer,
            Seen::Double(bits) => Found::Double(f64::from_bits(bits)),
            Seen::Char(code) => Found::Char(code),
            Seen::Constant(number, _) => constructor(number),
            Seen::Data(object, _) => constructor(self.heap.info(object)),
            Seen::Function(instance) => {
                Found::Function(self.compiler.instances[instance as usize].function, Vec::new())
            }
            Seen::Value(object) => match self.heap.kind(object) {
                Kind::Raw => Found::Integer,
                Kind::Action => Found::Action,
                Kind::Partial => self.look_at_partial(asking, object),
                Kind::Mutable => Found::Array(self.heap.length(object)),
                _ => Found::Other,
            },
            Seen::Object(_) => Found::Other,
        }
    }

    fn look_at_partial(&self, asking: &Asking, object: u32) -> Found {
        let instance = &self.compiler.instances[self.heap.info(object) as usize];
        let has = (0..self.heap.length(object)).map(|row| self.heap.get(object, row));
        if instance.function == asking.outside {
            let (function, arguments) = self.taken(self.heap.get(object, 0));
            return Found::Outside(function, arguments);
        }
        Found::Function(instance.function, instance.parameters.iter().copied().zip(has).collect())
    }

    /// The number and the arguments of a function from outside.
    fn taken(&self, has: Word) -> (i64, Vec<Word>) {
        let Some(object) = has.index() else { return (-1, Vec::new()) };
        let number = self.heap.get(object, 0).as_int().unwrap_or(-1);
        (number, (1..self.heap.length(object)).map(|row| self.heap.get(object, row)).collect())
    }

    /// A field of an evaluated constructor, or an element of an array.
    pub fn field(&self, of: Word, field: usize) -> Option<Word> {
        let object = self.heap.follow(of).index()?;
        (field < self.heap.length(object)).then(|| self.heap.get(object, field))
    }

    /// The floating-point number that a word is, in whichever form.
    pub fn to_double(&mut self, word: Word) -> f64 {
        let word = self.heap.follow(word);
        self.context().to_double(word)
    }

    /// Whether two evaluated numbers of one type are the same, bit by bit.
    pub fn is_same(&self, a: Word, b: Word) -> bool {
        let (a, b) = (self.heap.follow(a), self.heap.follow(b));
        match (a.see(), b.see()) {
            (Seen::Value(x), Seen::Value(y)) => {
                let length = self.heap.length(x);
                self.heap.kind(x) == Kind::Raw
                    && self.heap.kind(y) == Kind::Raw
                    && length == self.heap.length(y)
                    && (0..length).all(|field| self.heap.raw(x, field) == self.heap.raw(y, field))
            }
            _ => a == b,
        }
    }

    /// Keeps a word alive; the newest goes first.
    pub fn hold(&mut self, word: Word) {
        self.held.push(word);
    }

    /// How many words are held.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// A held word, counted from the oldest; the character 0 if there is none.
    pub fn held_at(&self, row: usize) -> Word {
        self.held.get(row).copied().unwrap_or(Word::char(0))
    }

    /// Replaces a held word.
    pub fn set_held(&mut self, row: usize, word: Word) {
        if let Some(held) = self.held.get_mut(row) {
            *held = word;
        }
    }

    /// Releases the newest words until `count` are left.
    pub fn release(&mut self, count: usize) {
        self.held.truncate(count);
    }
}

/// Evaluating.
impl<R: Recorder<0>> Machine<'_, R, 0> {
    /// Evaluates a value to weak head normal form.
    pub fn begin(&mut self, asking: &mut Asking, value: Word) -> Answered {
        self.prepare_evaluation(asking);
        self.go(asking, value)
    }

    /// Executes an action. Its result may be unevaluated.
    pub fn perform(&mut self, asking: &mut Asking, action: Word) -> Answered {
        self.prepare_evaluation(asking);
        self.push(Frame::Execute, &[], 0);
        self.go(asking, action)
    }

    /// Continues where a function from outside was applied, with its result.
    pub fn resume(&mut self, asking: &mut Asking, result: Word) -> Answered {
        self.go(asking, result)
    }

    fn prepare_evaluation(&mut self, asking: &mut Asking) {
        asking.marks.push(self.base);
        let handler = self.function(asking.raised);
        self.push(Frame::Bottom, &[], 0);
        self.push(Frame::Catch, &[handler], 0);
    }

    fn go(&mut self, asking: &mut Asking, value: Word) -> Answered {
        let result = self.run(value).map_err(|end| *end);
        let mark = asking.marks.last().copied().unwrap_or(0);
        let first = Word::from_raw(self.stack[self.base]);
        let answered = match result {
            Ok(value) => Answered::Value(value),
            Err(End::Exit(NEEDED)) => {
                let number = first.as_int().unwrap_or(-1);
                match self.unwind(asking, mark, number) {
                    Ok(()) => Answered::Needed(number),
                    Err(Exhausted) => return Answered::Ended(self.exhausted()),
                }
            }
            Err(End::Exit(RAISED)) => Answered::Raised(first),
            Err(End::Exit(APPLIED)) => {
                let (function, mut arguments) = self.taken(first);
                arguments.push(Word::from_raw(self.stack[self.base + 1]));
                return Answered::Applied { function, arguments };
            }
            Err(end) => return Answered::Ended(end),
        };
        self.base = mark;
        asking.marks.pop();
        answered
    }

    /// What was being evaluated is as unknown as what it needed.
    fn unwind(&mut self, asking: &Asking, mark: usize, number: i64) -> Result<(), Exhausted> {
        let unknown = self.unknown(asking, number)?;
        let mut at = self.base;
        while at > mark {
            let control = Control(self.stack[at - 1]);
            if control.is(Frame::Update) {
                let thunk = Word::from_raw(self.stack[at - 2]).place() as u32;
                self.heap.update(thunk, unknown);
            }
            at -= 1 + control.size();
        }
        Ok(())
    }

    /// Abandons all evaluations that were begun, after an end other than a value or an exception. No word is
    /// held any more.
    pub fn abandon(&mut self, asking: &mut Asking) {
        asking.marks.clear();
        self.held.clear();
        self.base = 0;
        self.heed_no_stop();
        self.forget_constants();
        // If the heap is still full, the next evaluation says so.
        let _ = self.collect(0, &mut []);
    }

    /// Clears a request to stop.
    pub fn heed_no_stop(&mut self) {
        self.why.store(0, Ordering::SeqCst);
        self.set_limits();
    }

    /// Whether a stop was requested.
    pub fn is_stopped(&self) -> bool {
        self.stopped().is_some()
    }

    /// The status that a program exits with if it ends in an exception.
    pub fn status(&mut self, exception: Word) -> i32 {
        match self.uncaught(exception, Vec::new()) {
            End::Uncaught(uncaught) => uncaught.status,
            End::Exit(status) => status,
            _ => 1,
        }
    }

    /// What is said of an exception: its message, and what the program had too little of, if that is why.
    pub fn described(&mut self, exception: Word) -> (String, Option<Resource>) {
        match self.uncaught(exception, Vec::new()) {
            End::Uncaught(uncaught) => (uncaught.message, uncaught.exhausted),
            _ => (String::new(), None),
        }
    }
}
