//! The machine: a program, its heap and stack, and the state of its run.

use crate::code::Op;
use crate::compile::trace::Trace;
use crate::compile::{Compiler, Constant, InstanceId, UNPACK};
use crate::heap::{Exhausted, Heap, Kind, Roots};
use crate::primitives::{self, Basics, Failure, FailureKind, Stop};
use crate::reach::Reach;
use crate::recorder::Recorder;
use crate::stack::{self, Control, Frame};
use crate::trace::{Context, tag};
use crate::word::{Seen, Word};
use crate::world::World;
use gadfly_core::kernel::{ErrorKind, ExprId, FunId, Literal};
use gadfly_core::{Lowered, Support};
use gadfly_trail::model::{NodeId, Position, RawRef, Ref, What};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How much a program may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Words of the heap.
    pub heap: usize,
    /// Words of the stack.
    pub stack: usize,
    /// Words of the heap for what is new: when they are used up, the heap is collected.
    pub nursery: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { heap: u32::MAX as usize, stack: 1 << 27, nursery: crate::heap::NURSERY }
    }
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The program came to its end, or ended itself with this status.
    Exit(i32),
    /// An uncaught exception: its message, where it was raised, and the calls that led there.
    Uncaught(Uncaught),
    /// It was stopped from outside.
    Interrupted,
    /// More functions were unfolded than the recorder allows.
    StepLimit,
    /// More time was used than is allowed.
    TimeLimit,
}

/// An uncaught exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncaught {
    /// What the exception says.
    pub message: String,
    /// The exit status.
    pub status: i32,
    /// Where it was raised, and the calls that wait for a value, innermost first.
    pub calls: Vec<CallSite>,
    /// What the program had too little of, if that is why.
    pub exhausted: Option<Resource>,
}

/// A resource that a program can exhaust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Memory for the calls that wait.
    Stack,
    /// Memory for values.
    Heap,
}

impl Resource {
    /// The statuses that the library gives to uncaught exceptions for exhausted memory, which are GHC's; any
    /// other exception has the status 1.
    fn of_status(status: i32) -> Option<Resource> {
        match status {
            2 => Some(Resource::Stack),
            251 => Some(Resource::Heap),
            _ => None,
        }
    }
}

/// A place in a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The function.
    pub function: FunId,
    /// The expression in it.
    pub expr: ExprId,
}

/// A way to stop a run from another thread or a signal.
#[derive(Clone, Debug)]
pub struct Stopper {
    soft: Arc<AtomicUsize>,
    why: Arc<AtomicUsize>,
}

impl Stopper {
    /// Ends the run soon.
    pub fn interrupt(&self) {
        self.stop(1);
    }

    /// Asks the run to end because its time is up.
    pub fn time_is_up(&self) {
        self.stop(2);
    }

    /// Asks the run to end because its steps are up.
    pub fn steps_are_up(&self) {
        self.stop(3);
    }

    fn stop(&self, why: usize) {
        self.why.store(why, Ordering::SeqCst);
        self.soft.store(0, Ordering::SeqCst);
    }
}

/// The machine.
pub struct Machine<'p, R, const TAG: usize> {
    pub(crate) compiler: Compiler<'p, TAG>,
    pub(crate) heap: Heap<TAG>,
    pub(crate) stack: Vec<u64>,
    /// The code of the thunks that constants begin as.
    shared_code: FxHashMap<usize, u32>,
    /// The values of the program's constants.
    pub(crate) constants: Vec<u64>,
    pub(crate) basics: Basics,
    pub(crate) support: Support,
    pub(crate) world: World,
    pub(crate) recorder: R,
    /// Where the running code's frame begins, and its instruction.
    pub(crate) base: usize,
    pub(crate) pc: usize,
    /// When the nursery's next object is from here on, the collector is called; 0 to stop.
    pub(crate) soft: Arc<AtomicUsize>,
    pub(crate) why: Arc<AtomicUsize>,
    /// No frame begins above this.
    pub(crate) stack_limit: usize,
    /// Arguments on their way to an unknown function.
    pub(crate) arguments: Vec<u64>,
    pub(crate) argument_count: usize,
    /// What was raised last, and from where: who catches it may raise it again.
    pub(crate) raised: Word,
    pub(crate) raised_from: Vec<CallSite>,
    /// A failure that is about to be raised.
    pub(crate) pending: Option<Failure>,
    /// Of a recorded run: for whom an unknown function is applied, and the context of the row written for that, if one
    /// was.
    pub(crate) applying: Context,
    pub(crate) application: Context,
    /// Shapes of rows that the recorder knows.
    pub(crate) shapes_told: usize,
    /// The shape of rows that say what an unevaluated object became.
    pub(crate) update_shape: u32,
    /// Who used a constant first.
    pub(crate) constant_users: Vec<Context>,
    /// Room for the references of a row.
    pub(crate) references: Vec<RawRef>,
    pub(crate) adopted: Vec<RawRef>,
    pub(crate) adopting: VecDeque<u32>,
    pub(crate) raised_adopted: Vec<(NodeId, Word)>,
    /// Known dictionaries by their numbers, as far as a row has mentioned them.
    pub(crate) dictionaries: Vec<RawRef>,
    pub(crate) odd_doubles: Vec<u32>,
    /// What was written to standard output last, for whom, and how many bytes before.
    pub(crate) wrote: Option<(Context, u64, Vec<u8>)>,
    /// Whether the frame at the base belongs to code that raises an exception.
    pub(crate) raising: bool,
    /// The function whose frame is at the base, if it is being called.
    pub(crate) calling: Option<InstanceId>,
    /// What an asker of the program keeps ([`crate::ask`]).
    pub(crate) held: Vec<Word>,
    /// Describes a source position, for error messages.
    pub(crate) locate: Box<dyn Fn(gadfly_source::Span) -> String + 'p>,
}

/// Everything outside of the heap that points into it.
struct Everything<'a> {
    stack: &'a mut [u64],
    base: usize,
    constants: &'a mut [u64],
    words: &'a [u32],
    maps: &'a [u32],
    /// The live words above the base, and other roots.
    live: usize,
    others: &'a mut [Word],
    held: &'a mut [Word],
    raised: &'a mut Word,
    /// Which constants are needed; made in a major collection.
    reach: Option<Reach<'a>>,
    program: &'a gadfly_core::kernel::Program,
    instances: &'a [crate::compile::Instance],
    code: &'a crate::compile::Code,
}

impl Roots for Everything<'_> {
    fn each(&mut self, young: bool, see: &mut dyn FnMut(&mut Word)) {
        let (words, maps) = (self.words, self.maps);
        if !young && self.reach.is_none() {
            self.reach = Some(Reach::new(self.code, self.program, self.instances));
        }
        let reach = &mut self.reach;
        let slots = |place: u32| {
            if let Some(reach) = reach {
                reach.place(place);
            }
            let map = words[place as usize - 2] as usize;
            let count = maps[map] as usize;
            &maps[map + 1..map + 1 + count]
        };
        stack::each(self.stack, self.base, young, slots, see);
        let mut show = |word: &mut u64| {
            let mut value = Word::from_raw(*word);
            see(&mut value);
            *word = value.raw();
        };
        self.stack[self.base..self.base + self.live].iter_mut().for_each(&mut show);
        if let Some(reach) = &self.reach {
            let constants = self.constants.iter_mut().enumerate();
            constants.filter(|(row, _)| reach.is_needed(*row)).for_each(|(_, word)| show(word));
        }
        self.others.iter_mut().for_each(&mut *see);
        self.held.iter_mut().for_each(&mut *see);
        see(self.raised);
    }

    fn thunk(&mut self, code: u32) {
        if let Some(reach) = &mut self.reach {
            reach.thunk(code);
        }
    }

    fn function(&mut self, function: u32) {
        if let Some(reach) = &mut self.reach {
            reach.function(function);
        }
    }

    fn more(&mut self, see: &mut dyn FnMut(&mut Word)) -> bool {
        let Some(reach) = &mut self.reach else { return false };
        let constants = reach.new_constants();
        for &constant in &constants {
            let mut value = Word::from_raw(self.constants[constant as usize]);
            see(&mut value);
            self.constants[constant as usize] = value.raw();
        }
        !constants.is_empty()
    }
}

impl<'p, R: Recorder<TAG>, const TAG: usize> Machine<'p, R, TAG> {
    /// A machine for a program. `locate` names a place of the source for messages.
    pub fn new(
        lowered: &'p Lowered,
        world: World,
        recorder: R,
        limits: Limits,
        locate: impl Fn(gadfly_source::Span) -> String + 'p,
    ) -> Self {
        let trace =
            R::TRAILS.then(|| Trace::new(&lowered.program, |function| recorder.is_recorded(function)));
        let compiler = Compiler::new(&lowered.program, R::UNFOLDS, trace);
        let basics = basics(lowered);
        let mut machine = Machine {
            compiler,
            heap: Heap::with_nursery(limits.nursery, limits.heap),
            stack: vec![0; limits.stack.max(1 << 12)],
            shared_code: FxHashMap::default(),
            constants: Vec::new(),
            basics,
            support: lowered.support,
            world,
            recorder,
            base: 0,
            pc: 0,
            soft: Arc::new(AtomicUsize::new(0)),
            why: Arc::new(AtomicUsize::new(0)),
            stack_limit: 0,
            arguments: vec![0; 64],
            argument_count: 0,
            raised: Word::char(0),
            raised_from: Vec::new(),
            pending: None,
            applying: Context::NOBODY,
            application: Context::NOBODY,
            shapes_told: 0,
            update_shape: 0,
            constant_users: Vec::new(),
            references: Vec::new(),
            adopted: Vec::new(),
            adopting: VecDeque::new(),
            raised_adopted: Vec::new(),
            dictionaries: Vec::new(),
            odd_doubles: Vec::new(),
            wrote: None,
            raising: false,
            calling: None,
            held: Vec::new(),
            locate: Box::new(locate),
        };
        if R::TRAILS {
            machine.update_shape = machine.shape(What::Became, Position::NONE, 1, false).0;
        }
        machine.set_limits();
        machine
    }

    /// What was recorded.
    pub fn recorder(&self) -> &R {
        &self.recorder
    }

    /// The recorder, to finish it.
    pub fn recorder_mut(&mut self) -> &mut R {
        &mut self.recorder
    }

    /// The code that was compiled, function by function.
    pub fn listing(&self) -> String {
        let code = &self.compiler.code;
        let mut text = String::new();
        let ends = code.owners.iter().skip(1).map(|&(start, _)| start).chain([code.words.len() as u32]);
        for (&(start, instance), end) in code.owners.iter().zip(ends) {
            let function = self.compiler.program.function(self.compiler.instances[instance.index()].function);
            let entry = code.entries[instance.index()];
            text.push_str(&format!(
                "{} (instance {}, {} arguments, fast entry {}):\n",
                self.compiler.program.text(function.name),
                instance.0,
                entry.arity,
                entry.fast
            ));
            text.push_str(&crate::listing::listing(code, start as usize, end as usize));
        }
        text
    }

    /// A way to stop the run from outside.
    pub fn stopper(&self) -> Stopper {
        Stopper { soft: self.soft.clone(), why: self.why.clone() }
    }

    /// The world, to flush it.
    pub fn world(&mut self) -> &mut World {
        &mut self.world
    }

    /// Executes an action: a function without parameters.
    pub fn execute(&mut self, main: FunId) -> End {
        if R::TRAILS {
            self.world.keep_echo();
        }
        let stopper = self.stopper();
        self.recorder.begin(stopper);
        let action = self.shared(main);
        self.push(Frame::Bottom, &[], 0);
        self.push(Frame::Execute, &[], 0);
        let end = match self.start(action) {
            Ok(_) => End::Exit(0),
            Err(end) => {
                if R::TRAILS {
                    self.tell_ended(0, None);
                }
                *end
            }
        };
        self.tell_wrote();
        self.base = 0;
        end
    }

    /// Evaluates a value, apart from what is being done.
    pub(crate) fn force(&mut self, value: Word) -> Result<Word, Box<End>> {
        let (base, pc) = (self.base, self.pc);
        self.push(Frame::Bottom, &[], 0);
        let result = self.start(value);
        (self.base, self.pc) = (base, pc);
        result
    }

    fn start(&mut self, value: Word) -> Result<Word, Box<End>> {
        self.run(value)
    }

    /// A function without parameters, as a value.
    pub(crate) fn shared(&mut self, function: FunId) -> Word {
        let instance = self.compiler.plain(function);
        let constant = self.compiler.constant_shared(instance);
        self.make_constants();
        Word::from_raw(self.constants[constant as usize])
    }

    pub(crate) fn push(&mut self, frame: Frame, words: &[Word], place: u32) {
        for (row, word) in words.iter().enumerate() {
            self.stack[self.base + row] = word.raw();
        }
        self.stack[self.base + words.len()] = Control::new(frame, words.len(), place).0;
        self.base += words.len() + 1;
    }

    /// Sets when the collector is called and where the stack ends.
    pub(crate) fn set_limits(&mut self) {
        let code = &self.compiler.code;
        // What has no room in the nursery goes to the old part, so this is only about how often that happens.
        let reserve = (2 * code.largest_allocation + 4096).min(self.heap.nursery() / 2);
        self.soft.store(self.heap.nursery() - reserve, Ordering::SeqCst);
        // The reason for a stop is set before the stop: one that comes just now is not lost.
        if self.why.load(Ordering::SeqCst) != 0 {
            self.soft.store(0, Ordering::SeqCst);
        }
        self.stack_limit = self.stack.len().saturating_sub(code.largest_frame * 2 + 1024);
    }

    /// Compiles an instance, and makes its constants.
    pub(crate) fn compile(&mut self, instance: InstanceId) {
        self.compiler.compile(instance);
        let most = self.compiler.code.largest_frame;
        if self.arguments.len() < most + 64 {
            self.arguments.resize(most + 64, 0);
        }
        self.make_constants();
        self.set_limits();
        self.define_shapes();
    }

    fn make_constants(&mut self) {
        while self.constants.len() < self.compiler.code.constants.len() {
            let word = match self.compiler.code.constants[self.constants.len()] {
                Constant::Word(word) => Word::from_raw(word),
                Constant::Literal(literal) => {
                    let literal = self.compiler.program.literal(literal).clone();
                    let number = self.number(&literal).unwrap_or(Word::char(0));
                    self.heap.aged(number)
                }
                Constant::Shared(instance) => {
                    let thunk = self.compiler.thunk_of(self.constants.len() as u32, instance);
                    self.shared_code.insert(self.constants.len(), thunk);
                    self.shared_thunk(self.constants.len())
                }
            };
            self.constants.push(word.raw());
        }
    }

    /// A number that needs an object.
    pub(crate) fn number(&mut self, literal: &Literal) -> Result<Word, Stop> {
        let mut context = self.context();
        match literal {
            Literal::Int(value) => context.int(*value),
            Literal::Word(value) => context.int(*value as i64),
            Literal::Integer(digits) => context.integer_from_digits(digits),
            Literal::Double(bits) => context.double(f64::from_bits(*bits)),
            Literal::Float(bits) => context.double(f64::from(f32::from_bits(*bits))),
            Literal::Char(code) => Ok(Word::char(*code)),
            Literal::String(_) => Ok(self.basics.nil),
        }
    }

    pub(crate) fn context(&mut self) -> primitives::Context<'_, TAG> {
        primitives::Context {
            tag: tag(0),
            heap: &mut self.heap,
            basics: &self.basics,
            world: &mut self.world,
        }
    }

    /// Collects; `live` words above the base are alive, and `others`.
    pub(crate) fn collect(&mut self, live: usize, others: &mut [Word]) -> Result<(), Exhausted> {
        let count = self.constants.len();
        let mut roots = Everything {
            stack: &mut self.stack,
            base: self.base,
            constants: &mut self.constants,
            words: &self.compiler.code.words,
            maps: &self.compiler.code.maps,
            live,
            others,
            held: &mut self.held,
            raised: &mut self.raised,
            reach: None,
            program: self.compiler.program,
            instances: &self.compiler.instances,
            code: &self.compiler.code,
        };
        let result = self.heap.collect(&mut roots);
        if let Some(reach) = roots.reach {
            let forgotten: Vec<usize> = (0..count).filter(|&row| !reach.is_needed(row)).collect();
            for row in forgotten {
                self.constants[row] = self.shared_thunk(row).raw();
            }
        }
        if R::TRAILS {
            self.tell_selected();
        }
        result
    }

    /// Makes all constants new: they are evaluated again when they are needed.
    pub(crate) fn forget_constants(&mut self) {
        for row in 0..self.constants.len() {
            if self.shared_code.contains_key(&row) {
                self.constants[row] = self.shared_thunk(row).raw();
            }
        }
    }

    /// A new thunk for a constant.
    fn shared_thunk(&mut self, constant: usize) -> Word {
        match self.heap.allocate_old(Kind::Thunk, self.shared_code[&constant], 1, Word::char(0), tag(0)) {
            Ok(object) => Word::object(object),
            Err(Exhausted) => Word::char(0),
        }
    }

    /// Why the run must stop, if it must.
    pub(crate) fn stopped(&self) -> Option<End> {
        match self.why.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(End::Interrupted),
            2 => Some(End::TimeLimit),
            _ => Some(End::StepLimit),
        }
    }

    /// The exception for a failure of the machine: a thunk that makes it.
    pub(crate) fn failure(&mut self, failure: &Failure) -> Result<Word, Box<End>> {
        let give_up = |failure: &Failure| {
            let message = match failure.location.is_empty() {
                true => failure.description.clone(),
                false => format!("{}: {}", failure.location, failure.description),
            };
            let exhausted = match failure.kind {
                FailureKind::StackExhausted => Some(Resource::Stack),
                FailureKind::HeapExhausted => Some(Resource::Heap),
                _ => None,
            };
            End::Uncaught(Uncaught { message, status: 1, calls: Vec::new(), exhausted })
        };
        let Some(function) = self.support.machine_failure else { return Err(Box::new(give_up(failure))) };
        let mut context = self.context();
        let words = context.string(&failure.location).and_then(|location| {
            Ok([location, context.string(&failure.description)?, context.string(&failure.file)?])
        });
        let Ok([location, description, file]) = words else { return Err(Box::new(give_up(failure))) };
        let kind = Word::int(failure.kind as i64).unwrap_or(Word::char(0));
        self.suspended_call(function, &[kind, location, description, file])
    }

    /// A thunk that calls a function.
    fn suspended_call(&mut self, function: FunId, arguments: &[Word]) -> Result<Word, Box<End>> {
        let instance = self.compiler.plain(function);
        let code = crate::compile::APPLY + arguments.len() as u32 - 1;
        let context = usize::from(R::TRAILS);
        let object = self.heap.allocate_anywhere(Kind::Thunk, code, arguments.len() + 1 + context, tag(0));
        let Ok(object) = object else { return Err(Box::new(self.exhausted())) };
        if R::TRAILS {
            self.heap.set(object, 0, Context::NOBODY.word());
        }
        self.heap.set(object, context, Word::function(instance.0));
        for (row, &argument) in arguments.iter().enumerate() {
            self.heap.set(object, context + row + 1, argument);
        }
        Ok(Word::object(object))
    }

    pub(crate) fn exhausted(&self) -> End {
        let exhausted = Some(Resource::Heap);
        End::Uncaught(Uncaught {
            message: "heap exhausted".to_owned(),
            status: 251,
            calls: Vec::new(),
            exhausted,
        })
    }

    /// What an error that the compiler knows raises: a thunk that raises it.
    pub(crate) fn known_error(&mut self, error: u32) -> Result<Word, Box<End>> {
        let error = self.compiler.code.errors[error as usize];
        let name = self.compiler.program.text(error.name).to_owned();
        let place = (self.locate)(error.span);
        let support = self.support;
        let (function, message) = match error.kind {
            ErrorKind::NoEquation => {
                (support.pattern_match_fail, format!("{place}: Non-exhaustive patterns in function {name}\n"))
            }
            ErrorKind::NoAlternative => {
                (support.pattern_match_fail, format!("{place}: Non-exhaustive patterns in case\n"))
            }
            ErrorKind::NoGuard => {
                (support.pattern_match_fail, format!("{place}: Non-exhaustive guards in multi-way if\n"))
            }
            ErrorKind::NoLambda => {
                (support.pattern_match_fail, format!("{place}: Non-exhaustive patterns in lambda\n"))
            }
            ErrorKind::Irrefutable => {
                (support.pattern_match_fail, format!("{place}: Non-exhaustive patterns in a lazy pattern\n"))
            }
            ErrorKind::NoField => (support.no_field, name),
            ErrorKind::MissingField => {
                (support.missing_field, format!("{place}: Missing field in record construction {name}\n"))
            }
            ErrorKind::NoUpdate => {
                (support.no_update, format!("{place}: Non-exhaustive patterns in record update\n"))
            }
            ErrorKind::MissingMethod => (
                support.missing_method,
                format!("{place}: No instance nor default method for class operation {name}\n"),
            ),
            ErrorKind::Derived => {
                return self
                    .failure(&Failure::new(FailureKind::Error, "", name))
                    .map(|exception| exception_raiser(self, exception));
            }
            ErrorKind::Unknown => {
                let message = format!("{place}: the machine does not know `{name}`");
                return self
                    .failure(&Failure::new(FailureKind::Error, "", message))
                    .map(|exception| exception_raiser(self, exception));
            }
        };
        let Some(function) = function else {
            let calls = Vec::new();
            return Err(Box::new(End::Uncaught(Uncaught { message, status: 1, calls, exhausted: None })));
        };
        let text = self.context().string(&message);
        match text {
            Ok(text) => self.suspended_call(function, &[text]),
            Err(_) => Err(Box::new(self.exhausted())),
        }
    }

    /// The end of a run with an uncaught exception.
    pub(crate) fn uncaught(&mut self, exception: Word, calls: Vec<CallSite>) -> End {
        let plain = |message: &str, calls| {
            End::Uncaught(Uncaught { message: message.to_owned(), status: 1, calls, exhausted: None })
        };
        let Some(function) = self.support.uncaught else {
            return plain("an exception was raised", calls);
        };
        let pair = match self.suspended_call(function, &[exception]) {
            Ok(call) => self.force(call),
            Err(end) => return *end,
        };
        let pair = match pair.map_err(|end| *end) {
            Ok(pair) => pair,
            // Showing the exception raised another one.
            Err(End::Uncaught(inner)) => return End::Uncaught(Uncaught { calls, ..inner }),
            Err(end) => return end,
        };
        let Some(object) = pair.index() else { return plain("an exception was raised", calls) };
        // The pair is kept on the stack while its parts are evaluated.
        self.push(Frame::Apply, &[pair], 0);
        let at = self.base - 2;
        let status = self.heap.get(object, 1);
        let result = self.force(status).and_then(|status| {
            let object = Word::from_raw(self.stack[at]).index().unwrap_or(0);
            let text = self.heap.get(object, 0);
            Ok((status.as_int().unwrap_or(1), self.text(text)?))
        });
        self.base = at;
        match result.map_err(|end: Box<End>| *end) {
            Ok((status, message)) => {
                let status = status as i32;
                // Without a message, the status is the program's own.
                let exhausted = Resource::of_status(status).filter(|_| !message.is_empty());
                End::Uncaught(Uncaught { message, status, calls, exhausted })
            }
            Err(End::Uncaught(inner)) => End::Uncaught(Uncaught { calls, ..inner }),
            Err(end) => end,
        }
    }

    /// The text of a list of characters, which is evaluated for that.
    fn text(&mut self, list: Word) -> Result<String, Box<End>> {
        let mut text = String::new();
        let mut list = list;
        loop {
            list = self.force(list)?;
            let Seen::Data(object, _) = list.see() else { return Ok(text) };
            let head = self.heap.get(object, 0);
            self.push(Frame::Apply, &[list], 0);
            let at = self.base - 2;
            let code = self.force(head);
            let object = Word::from_raw(self.stack[at]).index().unwrap_or(0);
            self.base = at;
            let code = code?.as_char().unwrap_or(0xfffd);
            text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            list = self.heap.get(object, 1);
        }
    }

    /// The calls that wait for a value, innermost first, from the instruction at `pc`.
    pub(crate) fn calls(&self, pc: usize, base: usize) -> Vec<CallSite> {
        let mut calls = Vec::new();
        calls.extend(self.site(pc as u32));
        let mut at = base;
        while at > 0 && calls.len() < 200 {
            let control = Control(self.stack[at - 1]);
            if control.is(Frame::Case) {
                calls.extend(self.site(control.place() - 1));
            }
            at -= 1 + control.size();
        }
        calls
    }

    fn site(&self, pc: u32) -> Option<CallSite> {
        let code = &self.compiler.code;
        let row = code.positions.partition_point(|&(start, _)| start <= pc).checked_sub(1)?;
        let owner = code.owners.partition_point(|&(start, _)| start <= pc).checked_sub(1)?;
        let (start, expr) = code.positions[row];
        let (owner_start, instance) = code.owners[owner];
        let function = self.compiler.instances[instance.index()].function;
        (start >= owner_start).then_some(CallSite { function, expr })
    }

    /// The next piece of a string.
    pub(crate) fn unpack(&mut self, string: usize, offset: usize) -> Result<Word, Stop> {
        const PIECE: usize = 64;
        let literal = self.compiler.code.strings[string];
        let program = self.compiler.program;
        let Literal::String(codes) = program.literal(literal) else { return Ok(self.basics.nil) };
        let end = codes.len().min(offset + PIECE);
        let number = self.string_number(string as u32);
        let text = |from: usize| {
            let from = from as u32;
            if R::TRAILS { RawRef::of(Ref::Text { string: number, from }).0 } else { 0 }
        };
        let mut context = self.context();
        let mut list = context.basics.nil;
        if end < codes.len() {
            context.tag = tag(text(end));
            let rest = context.heap.allocate_anywhere(Kind::Thunk, UNPACK, 2, context.tag)?;
            context.heap.set(rest, 0, Word::int(string as i64).unwrap_or(Word::char(0)));
            context.heap.set(rest, 1, Word::int(end as i64).unwrap_or(Word::char(0)));
            list = Word::object(rest);
        }
        for (row, &code) in codes[offset..end].iter().enumerate().rev() {
            context.tag = tag(text(offset + row));
            list = context.cons(Word::char(code), list)?;
        }
        Ok(list)
    }
}

/// A thunk that raises an exception.
fn exception_raiser<R: Recorder<TAG>, const TAG: usize>(
    machine: &mut Machine<'_, R, TAG>,
    exception: Word,
) -> Word {
    match machine.heap.allocate_anywhere(Kind::Thunk, crate::compile::RAISE, 1, tag(0)) {
        Ok(object) => {
            machine.heap.set(object, 0, exception);
            Word::object(object)
        }
        Err(Exhausted) => exception,
    }
}

fn basics(lowered: &Lowered) -> Basics {
    let program = &lowered.program;
    let constant = |constructor: Option<gadfly_core::kernel::ConId>, tag: u32| {
        let number = constructor.map_or(u32::MAX, |constructor| constructor.index() as u32);
        let tag = constructor.map_or(tag, |constructor| program.constructor(constructor).tag);
        Word::constant(number, tag)
    };
    let support = &lowered.support;
    let number = |constructor: Option<gadfly_core::kernel::ConId>| {
        constructor.map_or(u32::MAX, |constructor| constructor.index() as u32)
    };
    Basics {
        unit: constant(support.unit, 0),
        bools: [constant(support.bools[0], 0), constant(support.bools[1], 1)],
        orderings: [
            constant(support.orderings[0], 0),
            constant(support.orderings[1], 1),
            constant(support.orderings[2], 2),
        ],
        nil: constant(support.list[0], 0),
        cons: number(support.list[1]),
        pair: number(support.pair),
        cons_tag: support.list[1].map_or(1, |constructor| program.constructor(constructor).tag),
    }
}

const _: () = assert!((Op::TailApplyRow as u8) < u8::MAX);
