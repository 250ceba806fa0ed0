//! The machine at work: one loop over the code.
//!
//! An instruction either goes on with the next one, or ends in one of three ways: with a *value* for whoever waits for
//! it (the frame below the base), with something that is to be *entered* (evaluated), or with an unknown function that is
//! to be *applied* to the arguments in [`Machine::arguments`]. Actions end with a *result*, which need not be evaluated.
//!
//! Nothing is collected but at three places: when a function is called, when a thunk is entered, and when a value is
//! given to code that waits for it. At each of them it is known which slots are alive.

use crate::code::{Comparison, Op};
use crate::compile::{InstanceId, RAISE, UNPACK};
use crate::heap::Kind;
use crate::machine::{End, Machine};
use crate::primitives::{Control as Steering, Failure, FailureKind, Stop, What};
use crate::recorder::Recorder;
use crate::stack::{Control, Frame};
use crate::word::{Seen, Word};
use std::sync::atomic::Ordering;

/// How an instruction ends that does not go on with the next one.
#[derive(Clone, Copy)]
enum Flow {
    /// A value for whoever waits for it.
    Value(Word),
    /// Something to be evaluated.
    Enter(Word),
    /// An unknown function.
    Apply(Word),
    /// A function whose arguments are in its frame: the instance, how many, and whether strict ones are evaluated.
    Call(u32, usize, bool),
    /// The result of an action.
    Result(Word),
    /// An action, to be executed.
    Execute(Word),
    /// An exception.
    Raise(Word),
    /// A failure of the machine.
    Fail,
}

impl<R: Recorder<TAG>, const TAG: usize> Machine<'_, R, TAG> {
    #[inline(always)]
    fn slot(&self, slot: u32) -> Word {
        Word::from_raw(self.stack[self.base + slot as usize])
    }

    #[inline(always)]
    fn set_slot(&mut self, slot: u32, value: Word) {
        let at = self.base + slot as usize;
        self.stack[at] = value.raw();
    }

    #[inline(always)]
    fn code(&self, at: usize) -> u32 {
        self.compiler.code.words[at]
    }

    #[inline(always)]
    fn operand(&self, at: usize) -> Word {
        let operand = self.code(at);
        let place = (operand >> 1) as usize;
        match operand & 1 {
            0 => Word::from_raw(self.stack[self.base + place]),
            _ => Word::from_raw(self.constants[place]),
        }
    }

    /// Evaluates something until the frame at the bottom has its value.
    pub(crate) fn run(&mut self, start: Word) -> Result<Word, End> {
        let mut flow = Flow::Enter(start);
        loop {
            // What is to be done before the next instruction.
            loop {
                match flow {
                    Flow::Value(value) => {
                        let control = Control(self.stack[self.base - 1]);
                        if control.is(Frame::Update) {
                            let thunk = Word::from_raw(self.stack[self.base - 2]).place() as u32;
                            self.recorder.update(self.heap.tag(thunk));
                            self.heap.update(thunk, value);
                            self.base -= 2;
                            continue;
                        }
                        if control.is(Frame::Case) {
                            let mut value = value;
                            if self.heap.top() >= self.soft.load(Ordering::Relaxed) {
                                let mut others = [value];
                                self.safe_point(0, &mut others)?;
                                value = others[0];
                            }
                            self.base -= 1 + control.size();
                            self.pc = control.place() as usize;
                            let slot = self.code(self.pc - 1);
                            self.set_slot(slot, value);
                            self.recorder.case(self.pc as u32);
                            break;
                        }
                        flow = self.value(value, control)?;
                        if let Flow::Result(value) = flow
                            && control.is(Frame::Bottom)
                        {
                            return Ok(value);
                        }
                    }
                    Flow::Enter(word) => {
                        if word.is_evaluated() {
                            self.recorder.look_up(&[]);
                            flow = Flow::Value(word);
                            continue;
                        }
                        let mut object = word.place() as u32;
                        match self.heap.kind(object) {
                            Kind::Thunk => {
                                if self.heap.top() >= self.soft.load(Ordering::Relaxed)
                                    || self.base > self.stack_limit
                                {
                                    let mut others = [word];
                                    if let Some(failed) = self.safe_point(0, &mut others)? {
                                        flow = failed;
                                        continue;
                                    }
                                    match others[0].is_evaluated() {
                                        true => {
                                            flow = Flow::Enter(others[0]);
                                            continue;
                                        }
                                        false => object = others[0].place() as u32,
                                    }
                                    if self.heap.kind(object) != Kind::Thunk {
                                        flow = Flow::Enter(others[0]);
                                        continue;
                                    }
                                }
                                let base = self.base;
                                self.stack[base] = Word::object(object).raw();
                                self.stack[base + 1] = Control::new(Frame::Update, 1, 0).0;
                                self.base = base + 2;
                                let info = self.heap.info(object);
                                for field in 0..self.heap.length(object) {
                                    let value = self.heap.get(object, field);
                                    self.stack[base + 2 + field] = value.raw();
                                }
                                self.heap.enter(object);
                                self.pc = self.compiler.code.thunks[info as usize].entry as usize;
                                break;
                            }
                            Kind::Indirection => {
                                let value = self.heap.get(object, 0);
                                flow = Flow::Enter(value);
                            }
                            _ => flow = self.enter_other(word, object)?,
                        }
                    }
                    Flow::Call(instance, count, fast) => {
                        let entry = self.compiler.code.entries[instance as usize];
                        self.pc = if fast { entry.fast } else { entry.general } as usize;
                        if self.pc == 0 {
                            self.compile(InstanceId(instance));
                            self.pc = self.compiler.code.entries[instance as usize].general as usize;
                        }
                        if self.heap.top() >= self.soft.load(Ordering::Relaxed)
                            || self.base > self.stack_limit
                        {
                            if let Some(failed) = self.safe_point(count, &mut [])? {
                                flow = failed;
                                continue;
                            }
                        }
                        break;
                    }
                    Flow::Apply(function) => flow = self.apply(function)?,
                    Flow::Result(value) => {
                        let control = Control(self.stack[self.base - 1]);
                        if control.is(Frame::Bottom) {
                            self.base -= 1;
                            return Ok(value);
                        }
                        flow = self.result(value, control);
                    }
                    Flow::Execute(action) => flow = self.execute_action(action)?,
                    Flow::Raise(exception) => flow = self.raise(exception)?,
                    Flow::Fail => flow = Flow::Raise(self.pending_failure()?),
                }
            }
            flow = self.instructions()?;
        }
    }

    /// Does instructions until one ends otherwise than by going on.
    #[inline(always)]
    fn instructions(&mut self) -> Result<Flow, End> {
        loop {
            let at = self.pc;
            let first = self.code(at);
            let count = (first >> 8) as usize;
            match Op::of(first) {
                Op::Eval => {
                    let slot = self.code(at + 3);
                    let value = self.slot(slot);
                    self.pc = at + 4;
                    if !value.is_evaluated() {
                        let height = self.code(at + 1) as usize;
                        return Ok(self.wait_for(value, height));
                    }
                }
                Op::Case => {
                    let slot = self.code(at + 3);
                    let value = self.slot(slot);
                    if value.is_evaluated() {
                        self.pc = self.code(at + 6 + value.tag() as usize) as usize;
                    } else {
                        self.pc = at + 4;
                        let height = self.code(at + 1) as usize;
                        return Ok(self.wait_for(value, height));
                    }
                }
                Op::Switch => {
                    let value = self.slot(self.code(at + 1));
                    self.pc = self.code(at + 2 + value.tag() as usize) as usize;
                }
                Op::IfLiteral => {
                    let value = self.slot(self.code(at + 1));
                    let literal = self.operand(at + 2);
                    self.pc = match value == literal || self.is_same_number(value, literal) {
                        true => at + 4,
                        false => self.code(at + 3) as usize,
                    };
                }
                Op::Literals => {
                    let value = self.slot(self.code(at + 1)).raw();
                    let word = |row: usize| {
                        let low = self.code(at + 3 + 3 * row);
                        let high = self.code(at + 4 + 3 * row);
                        u64::from(high) << 32 | u64::from(low)
                    };
                    let (mut low, mut high) = (0, count);
                    while low < high {
                        let middle = (low + high) / 2;
                        if word(middle) < value {
                            low = middle + 1;
                        } else {
                            high = middle;
                        }
                    }
                    self.pc = match low < count && word(low) == value {
                        true => self.code(at + 5 + 3 * low) as usize,
                        false => self.code(at + 2) as usize,
                    };
                }
                op @ (Op::Call | Op::CallFast) => {
                    let instance = self.code(at + 1);
                    let height = self.code(at + 2) as usize;
                    let next = at + 3 + count + 2;
                    let base = self.base + height;
                    for row in 0..count {
                        let value = self.operand(at + 3 + row);
                        self.arguments[row] = value.raw();
                    }
                    self.stack[base] = Control::new(Frame::Case, height, next as u32).0;
                    for row in 0..count {
                        self.stack[base + 1 + row] = self.arguments[row];
                    }
                    self.base = base + 1;
                    return Ok(Flow::Call(instance, count, op == Op::CallFast));
                }
                op @ (Op::Tail | Op::TailFast) => {
                    let instance = self.code(at + 1);
                    for row in 0..count {
                        let value = self.operand(at + 2 + row);
                        self.arguments[row] = value.raw();
                    }
                    for row in 0..count {
                        self.stack[self.base + row] = self.arguments[row];
                    }
                    return Ok(Flow::Call(instance, count, op == Op::TailFast));
                }
                Op::Apply => {
                    let height = self.code(at + 1) as usize;
                    let function = self.operand(at + 2);
                    for row in 0..count {
                        let value = self.operand(at + 3 + row);
                        self.arguments[row] = value.raw();
                    }
                    self.argument_count = count;
                    let next = at + 3 + count + 2;
                    let base = self.base + height;
                    self.stack[base] = Control::new(Frame::Case, height, next as u32).0;
                    self.base = base + 1;
                    return Ok(Flow::Apply(function));
                }
                Op::TailApply => {
                    let function = self.operand(at + 1);
                    for row in 0..count {
                        let value = self.operand(at + 2 + row);
                        self.arguments[row] = value.raw();
                    }
                    self.argument_count = count;
                    return Ok(Flow::Apply(function));
                }
                Op::ApplySlots => {
                    for row in 1..count {
                        self.arguments[row - 1] = self.stack[self.base + row];
                    }
                    self.argument_count = count - 1;
                    return Ok(Flow::Apply(self.slot(0)));
                }
                Op::Return => return Ok(Flow::Value(self.operand(at + 1))),
                Op::Enter => return Ok(Flow::Enter(self.operand(at + 1))),
                Op::Jump => self.pc = self.code(at + 1) as usize,
                Op::Move => {
                    let value = self.operand(at + 2);
                    self.set_slot(self.code(at + 1), value);
                    self.pc = at + 3;
                }
                Op::Fields => {
                    let object = self.slot(self.code(at + 1)).place() as u32;
                    for row in 0..count {
                        let value = self.heap.get(object, self.code(at + 2 + 2 * row) as usize);
                        self.set_slot(self.code(at + 3 + 2 * row), value);
                    }
                    self.pc = at + 2 + 2 * count;
                }
                Op::Construct => {
                    let object = self.fill(Kind::Constructor, self.code(at + 2), at + 4, count, at);
                    let value = Word::data(object, self.code(at + 3));
                    self.set_slot(self.code(at + 1), value);
                    self.pc = at + 4 + count;
                }
                Op::ReturnConstruct => {
                    let object = self.fill(Kind::Constructor, self.code(at + 1), at + 3, count, at);
                    return Ok(Flow::Value(Word::data(object, self.code(at + 2))));
                }
                Op::Thunk => {
                    let object = self.fill(Kind::Thunk, self.code(at + 2), at + 3, count, at);
                    self.set_slot(self.code(at + 1), Word::object(object));
                    self.pc = at + 3 + count;
                }
                Op::Partial => {
                    let object = self.fill(Kind::Partial, self.code(at + 2), at + 3, count, at);
                    self.set_slot(self.code(at + 1), Word::value(object));
                    self.pc = at + 3 + count;
                }
                Op::Action => {
                    let object = self.fill(Kind::Action, self.code(at + 2), at + 3, count, at);
                    self.set_slot(self.code(at + 1), Word::value(object));
                    self.pc = at + 3 + count;
                }
                Op::Select => {
                    let object = self.fill(Kind::Selector, self.code(at + 2), at + 3, 1, at);
                    self.set_slot(self.code(at + 1), Word::object(object));
                    self.pc = at + 4;
                }
                Op::String => {
                    let tag = self.recorder.allocate(Kind::Thunk, at as u32);
                    let object = self.heap.new_object(Kind::Thunk, UNPACK, 2, tag);
                    let string = Word::int(i64::from(self.code(at + 2))).unwrap_or(Word::char(0));
                    self.heap.init(object, 0, string);
                    self.heap.init(object, 1, ZERO);
                    self.set_slot(self.code(at + 1), Word::object(object));
                    self.pc = at + 3;
                }
                Op::Patch => {
                    let object = self.slot(self.code(at + 1)).place() as u32;
                    let value = self.operand(at + 3);
                    self.heap.set(object, self.code(at + 2) as usize, value);
                    self.pc = at + 4;
                }
                op @ (Op::Add | Op::AddInteger) => {
                    let (a, b) = (self.operand(at + 3), self.operand(at + 4));
                    match a.add_small(b) {
                        Some(sum) => self.set_slot(self.code(at + 2), sum),
                        None => {
                            if let Some(flow) = self.slow_primitive(at, &[a, b], op)? {
                                return Ok(flow);
                            }
                        }
                    }
                    self.pc = at + 5;
                }
                op @ (Op::Subtract | Op::SubtractInteger) => {
                    let (a, b) = (self.operand(at + 3), self.operand(at + 4));
                    match a.subtract_small(b) {
                        Some(difference) => self.set_slot(self.code(at + 2), difference),
                        None => {
                            if let Some(flow) = self.slow_primitive(at, &[a, b], op)? {
                                return Ok(flow);
                            }
                        }
                    }
                    self.pc = at + 5;
                }
                op @ (Op::Multiply | Op::MultiplyInteger) => {
                    let (a, b) = (self.operand(at + 3), self.operand(at + 4));
                    match a.multiply_small(b) {
                        Some(product) => self.set_slot(self.code(at + 2), product),
                        None => {
                            if let Some(flow) = self.slow_primitive(at, &[a, b], op)? {
                                return Ok(flow);
                            }
                        }
                    }
                    self.pc = at + 5;
                }
                op @ (Op::AddDouble | Op::SubtractDouble | Op::MultiplyDouble | Op::DivideDouble) => {
                    let (a, b) = (self.operand(at + 3), self.operand(at + 4));
                    let result = match (a.as_double(), b.as_double()) {
                        (Some(x), Some(y)) => Word::double(match op {
                            Op::AddDouble => x + y,
                            Op::SubtractDouble => x - y,
                            Op::MultiplyDouble => x * y,
                            _ => x / y,
                        }),
                        _ => None,
                    };
                    match result {
                        Some(result) => self.set_slot(self.code(at + 2), result),
                        None => {
                            if let Some(flow) = self.slow_primitive(at, &[a, b], op)? {
                                return Ok(flow);
                            }
                        }
                    }
                    self.pc = at + 5;
                }
                Op::Compare => {
                    let (a, b) = (self.operand(at + 3), self.operand(at + 4));
                    let comparison = Comparison::ALL[count];
                    let holds = match self.compare(comparison, a, b) {
                        Some(holds) => holds,
                        None => self.slow_compare(at, a, b)?,
                    };
                    self.set_slot(self.code(at + 2), self.basics.bools[usize::from(holds)]);
                    self.pc = at + 5;
                }
                Op::IfEqual => self.branch(at, Comparison::Equal)?,
                Op::IfNotEqual => self.branch(at, Comparison::NotEqual)?,
                Op::IfLess => self.branch(at, Comparison::Less)?,
                Op::IfLessEqual => self.branch(at, Comparison::LessEqual)?,
                Op::IfGreater => self.branch(at, Comparison::Greater)?,
                Op::IfGreaterEqual => self.branch(at, Comparison::GreaterEqual)?,
                Op::Ord => {
                    let code = self.operand(at + 2).as_char().unwrap_or(0);
                    let value = Word::int(i64::from(code)).unwrap_or(ZERO);
                    self.set_slot(self.code(at + 1), value);
                    self.pc = at + 3;
                }
                Op::Chr => {
                    let code = self.operand(at + 2).as_int().unwrap_or(0);
                    self.set_slot(self.code(at + 1), Word::char(code as u32));
                    self.pc = at + 3;
                }
                Op::Primitive => {
                    let mut arguments = [Word::char(0); 8];
                    for (row, argument) in arguments.iter_mut().enumerate().take(count) {
                        *argument = self.operand(at + 3 + row);
                    }
                    if let Some(flow) = self.slow_primitive(at, &arguments[..count], Op::Primitive)? {
                        return Ok(flow);
                    }
                    self.pc = at + 3 + count;
                }
                Op::Unfold => {
                    let instance = self.code(at + 1) as usize;
                    let function = self.compiler.instances[instance].function;
                    if !self.recorder.unfold(function) {
                        return Err(End::StepLimit);
                    }
                    self.pc = at + 2;
                }
                Op::Unpack => {
                    let string = self.slot(0).as_int().unwrap_or(0) as usize;
                    let offset = self.slot(1).as_int().unwrap_or(0) as usize;
                    return match self.unpack(string, offset, at as u32) {
                        Ok(list) => Ok(Flow::Value(list)),
                        Err(stop) => self.stop(stop),
                    };
                }
                Op::Raise => return Ok(Flow::Raise(self.operand(at + 1))),
                Op::Perform => {
                    let action = self.operand(at + 1);
                    self.push(Frame::Result, &[], 0);
                    self.push(Frame::Execute, &[], 0);
                    return Ok(Flow::Enter(action));
                }
                Op::Error => {
                    let raiser = self.known_error(self.code(at + 1))?;
                    return Ok(Flow::Enter(raiser));
                }
                Op::Logic => {
                    let message = "choices, free variables and failure are not supported by `run` yet";
                    return self.stop(Failure::new(FailureKind::Error, "", message).into());
                }
            }
        }
    }

    /// Leaves the frame and evaluates something; the code goes on at its instruction then.
    #[inline(always)]
    fn wait_for(&mut self, value: Word, height: usize) -> Flow {
        let base = self.base + height;
        self.stack[base] = Control::new(Frame::Case, height, self.pc as u32).0;
        self.base = base + 1;
        Flow::Enter(value)
    }

    /// A new object with operands as its words.
    #[inline(always)]
    fn fill(&mut self, kind: Kind, info: u32, operands: usize, count: usize, at: usize) -> u32 {
        let tag = self.recorder.allocate(kind, at as u32);
        let object = self.heap.new_object(kind, info, count.max(1), tag);
        for row in 0..count {
            let value = self.operand(operands + row);
            self.heap.init(object, row, value);
        }
        if count == 0 {
            self.heap.init(object, 0, ZERO);
        }
        object
    }

    #[inline(always)]
    fn branch(&mut self, at: usize, comparison: Comparison) -> Result<(), End> {
        let (a, b) = (self.operand(at + 3), self.operand(at + 4));
        let holds = match self.compare(comparison, a, b) {
            Some(holds) => holds,
            None => self.slow_compare(at, a, b)?,
        };
        self.pc = if holds { at + 5 } else { self.code(at + 2) as usize };
        Ok(())
    }

    /// Compares small numbers, characters and doubles; `None` if one of them is something else.
    #[inline(always)]
    fn compare(&self, comparison: Comparison, a: Word, b: Word) -> Option<bool> {
        if a.are_small(b) {
            return Some(comparison.holds(a.raw() as i64, b.raw() as i64));
        }
        match (a.as_double(), b.as_double()) {
            (Some(x), Some(y)) => Some(comparison.holds(x, y)),
            _ => None,
        }
    }

    #[cold]
    fn slow_compare(&mut self, at: usize, a: Word, b: Word) -> Result<bool, End> {
        let primitive = self.code(at + 1) as usize;
        let act = match self.compiler.primitives[primitive].map(|primitive| primitive.what) {
            Some(What::Cheap(act) | What::Pure(act)) => act,
            _ => return Ok(false),
        };
        let yes = self.basics.bools[1];
        let mut context = self.context(at as u32);
        Ok(act(&mut context, &[a, b]) == Ok(yes))
    }

    /// Applies a primitive to evaluated arguments; what happens if it has no value.
    fn slow_primitive(&mut self, at: usize, arguments: &[Word], _: Op) -> Result<Option<Flow>, End> {
        let primitive = self.code(at + 1) as usize;
        let result = match self.compiler.primitives[primitive].map(|primitive| primitive.what) {
            Some(What::Cheap(act) | What::Pure(act) | What::Look(act)) => {
                act(&mut self.context(at as u32), arguments)
            }
            Some(What::Control(Steering::SameInstance)) => {
                Ok(self.basics.bools[usize::from(self.is_same_instance(arguments[0], arguments[1], 0))])
            }
            _ => Ok(self.basics.unit),
        };
        match result {
            Ok(value) => {
                self.set_slot(self.code(at + 2), value);
                Ok(None)
            }
            Err(stop) => self.stop(stop).map(Some),
        }
    }

    /// What follows when a primitive has no value.
    fn stop(&mut self, stop: Stop) -> Result<Flow, End> {
        match stop {
            Stop::Failure(failure) => {
                self.pending = Some(failure);
                Ok(Flow::Fail)
            }
            Stop::Exit(status) => Err(End::Exit(status)),
        }
    }

    fn pending_failure(&mut self) -> Result<Word, End> {
        let failure = self.pending.take();
        let failure = failure.unwrap_or_else(|| Failure::new(FailureKind::Error, "", "something failed"));
        self.failure(&failure)
    }

    /// A chance to collect, and to stop. If the stack is full, what follows instead.
    #[cold]
    fn safe_point(&mut self, live: usize, others: &mut [Word]) -> Result<Option<Flow>, End> {
        if let Some(end) = self.stopped() {
            return Err(end);
        }
        if self.base > self.stack_limit {
            let used = self.stack.len() / (1 << 17);
            let description = format!("stack overflow: more than {used} MiB");
            self.pending = Some(Failure::new(FailureKind::StackExhausted, "", description));
            return Ok(Some(Flow::Fail));
        }
        if self.heap.top() >= self.soft.load(Ordering::Relaxed) && self.collect(live, others).is_err() {
            return Err(self.heap_exhausted());
        }
        Ok(None)
    }

    #[cold]
    fn heap_exhausted(&self) -> End {
        let mut end = self.exhausted();
        if let End::Uncaught(uncaught) = &mut end {
            uncaught.calls = self.calls(self.pc, self.base);
        }
        end
    }

    /// Gives a value to a frame that is neither code nor an update.
    fn value(&mut self, value: Word, control: Control) -> Result<Flow, End> {
        let start = self.base - 1 - control.size();
        Ok(match control.frame() {
            Frame::Apply => {
                for row in 0..control.size() {
                    self.arguments[row] = self.stack[start + row];
                }
                self.argument_count = control.size();
                self.base = start;
                Flow::Apply(value)
            }
            Frame::Execute => {
                self.base = start;
                Flow::Execute(value)
            }
            Frame::Arguments => {
                let action = Word::from_raw(self.stack[start]);
                self.base = start;
                Flow::Execute(action)
            }
            Frame::Select => {
                self.base = start;
                match value.index() {
                    Some(object) => Flow::Enter(self.heap.get(object, control.place() as usize)),
                    None => Flow::Value(value),
                }
            }
            Frame::Bottom => {
                self.base = start;
                Flow::Result(value)
            }
            Frame::Case | Frame::Update => Flow::Value(value),
            Frame::Bind | Frame::Catch | Frame::Result => Flow::Result(value),
        })
    }

    /// Gives the result of an action to the frame that waits for it.
    fn result(&mut self, value: Word, control: Control) -> Flow {
        let start = self.base - 1 - control.size();
        match control.frame() {
            Frame::Bind => {
                let function = Word::from_raw(self.stack[start]);
                self.base = start;
                self.push(Frame::Execute, &[], 0);
                self.arguments[0] = value.raw();
                self.argument_count = 1;
                Flow::Apply(function)
            }
            Frame::Catch => {
                self.base = start;
                Flow::Result(value)
            }
            Frame::Result => {
                self.base = start;
                Flow::Enter(value)
            }
            _ => Flow::Value(value),
        }
    }

    fn enter_other(&mut self, word: Word, object: u32) -> Result<Flow, End> {
        Ok(match self.heap.kind(object) {
            Kind::Selector => {
                let of = self.heap.get(object, 0);
                let field = self.heap.info(object);
                self.push(Frame::Update, &[Word::object(object)], 0);
                self.push(Frame::Select, &[], field);
                self.heap.enter(object);
                Flow::Enter(of)
            }
            Kind::Bound => Flow::Enter(self.heap.get(object, 0)),
            Kind::BlackHole | Kind::Entered => {
                let failure = Failure::new(FailureKind::Loop, "", "<<loop>>");
                self.stop(failure.into())?
            }
            _ => Flow::Value(Word::value(word.place() as u32)),
        })
    }

    /// Applies something to the arguments in [`Machine::arguments`].
    fn apply(&mut self, mut function: Word) -> Result<Flow, End> {
        loop {
            match function.see() {
                Seen::Function(instance) => {
                    let arity = self.compiler.code.entries[instance as usize].arity as usize;
                    let count = self.argument_count;
                    if count < arity {
                        let tag = self.recorder.allocate(Kind::Partial, self.pc as u32);
                        let object = self.heap.new_object(Kind::Partial, instance, count.max(1), tag);
                        for row in 0..count {
                            self.heap.init(object, row, Word::from_raw(self.arguments[row]));
                        }
                        return Ok(Flow::Value(Word::value(object)));
                    }
                    self.leave_arguments(arity);
                    for row in 0..arity {
                        self.stack[self.base + row] = self.arguments[row];
                    }
                    return Ok(Flow::Call(instance, arity, false));
                }
                Seen::Value(object) if self.heap.kind(object) == Kind::Partial => {
                    let instance = self.heap.info(object);
                    let has = self.heap.length(object);
                    let arity = self.compiler.code.entries[instance as usize].arity as usize;
                    let count = self.argument_count;
                    if has + count < arity {
                        let tag = self.recorder.allocate(Kind::Partial, self.pc as u32);
                        let new = self.heap.new_object(Kind::Partial, instance, has + count, tag);
                        for row in 0..has {
                            self.heap.init(new, row, self.heap.get(object, row));
                        }
                        for row in 0..count {
                            self.heap.init(new, has + row, Word::from_raw(self.arguments[row]));
                        }
                        return Ok(Flow::Value(Word::value(new)));
                    }
                    self.leave_arguments(arity - has);
                    for row in 0..has {
                        self.stack[self.base + row] = self.heap.get(object, row).raw();
                    }
                    for row in has..arity {
                        self.stack[self.base + row] = self.arguments[row - has];
                    }
                    return Ok(Flow::Call(instance, arity, false));
                }
                Seen::Object(object) if matches!(self.heap.kind(object), Kind::Indirection | Kind::Bound) => {
                    function = self.heap.get(object, 0);
                }
                Seen::Object(_) => {
                    self.leave_arguments(0);
                    return Ok(Flow::Enter(function));
                }
                _ => {
                    let message = "something that is no function was applied: a defect of Gadfly";
                    return self.stop(Failure::new(FailureKind::Error, "", message).into());
                }
            }
        }
    }

    /// Leaves the arguments from `first` on for the result of what is called.
    fn leave_arguments(&mut self, first: usize) {
        let count = self.argument_count;
        if count > first {
            let base = self.base;
            for row in first..count {
                self.stack[base + row - first] = self.arguments[row];
            }
            self.stack[base + count - first] = Control::new(Frame::Apply, count - first, 0).0;
            self.base = base + count - first + 1;
        }
    }

    /// Does an action.
    fn execute_action(&mut self, action: Word) -> Result<Flow, End> {
        let Some(object) = action.index().filter(|&object| self.heap.kind(object) == Kind::Action) else {
            let message = "something that is no action was executed: a defect of Gadfly";
            return self.stop(Failure::new(FailureKind::Error, "", message).into());
        };
        let number = self.heap.info(object) as usize;
        let Some(primitive) = self.compiler.primitives[number] else {
            return Ok(Flow::Result(self.basics.unit));
        };
        match primitive.what {
            What::Control(Steering::Return) => Ok(Flow::Result(self.heap.get(object, 0))),
            What::Control(Steering::Bind) => {
                let (first, then) = (self.heap.get(object, 0), self.heap.get(object, 1));
                self.push(Frame::Bind, &[then], 0);
                self.push(Frame::Execute, &[], 0);
                Ok(Flow::Enter(first))
            }
            What::Control(Steering::Catch) => {
                let (first, handler) = (self.heap.get(object, 0), self.heap.get(object, 1));
                self.push(Frame::Catch, &[handler], 0);
                self.push(Frame::Execute, &[], 0);
                Ok(Flow::Enter(first))
            }
            What::Action(act) => {
                let count = usize::from(primitive.arity);
                let mut arguments = [Word::char(0); 8];
                for row in 0..count.min(8) {
                    let mut argument = self.heap.get(object, row);
                    if primitive.lazy >> row & 1 == 0 {
                        argument = self.heap.follow(argument);
                        if !argument.is_evaluated() {
                            self.push(Frame::Arguments, &[action], 0);
                            return Ok(Flow::Enter(argument));
                        }
                    }
                    arguments[row] = argument;
                }
                match act(&mut self.context(0), &arguments[..count.min(8)]) {
                    Ok(value) => Ok(Flow::Result(value)),
                    Err(stop) => self.stop(stop),
                }
            }
            _ => Ok(Flow::Result(self.basics.unit)),
        }
    }

    /// Raises an exception: the nearest handler goes on, and what was being evaluated raises it again.
    fn raise(&mut self, exception: Word) -> Result<Flow, End> {
        let mut at = self.base;
        if self.raised != exception || self.raised_from.is_empty() {
            self.raised = exception;
            self.raised_from = self.calls(self.pc, self.base);
        }
        loop {
            let control = Control(self.stack[at - 1]);
            match control.frame() {
                Frame::Catch => break,
                Frame::Bottom => {
                    let calls = std::mem::take(&mut self.raised_from);
                    return Err(self.uncaught(exception, calls));
                }
                _ => at -= 1 + control.size(),
            }
        }
        while self.base > at {
            let control = Control(self.stack[self.base - 1]);
            if control.is(Frame::Update) {
                let thunk = Word::from_raw(self.stack[self.base - 2]).place() as u32;
                self.heap.become_thunk(thunk, RAISE, exception);
            }
            self.base -= 1 + control.size();
        }
        let handler = Word::from_raw(self.stack[self.base - 2]);
        self.base -= 2;
        self.push(Frame::Execute, &[], 0);
        self.arguments[0] = exception.raw();
        self.argument_count = 1;
        Ok(Flow::Apply(handler))
    }

    /// Whether a number that is no small integer equals a literal.
    #[cold]
    fn is_same_number(&self, a: Word, b: Word) -> bool {
        match (a.see(), b.see()) {
            (Seen::Double(x), Seen::Double(y)) => f64::from_bits(x) == f64::from_bits(y),
            (Seen::Value(x), Seen::Value(y)) => {
                let length = self.heap.length(x);
                length == self.heap.length(y)
                    && (0..length).all(|field| self.heap.raw(x, field) == self.heap.raw(y, field))
            }
            _ => false,
        }
    }

    /// Whether two dictionaries come from the same instance, at the same types.
    fn is_same_instance(&self, a: Word, b: Word, depth: u32) -> bool {
        let (a, b) = (self.heap.follow(a), self.heap.follow(b));
        if a == b {
            return true;
        }
        match (a.see(), b.see()) {
            (Seen::Data(x, _), Seen::Data(y, _)) | (Seen::Value(x), Seen::Value(y)) => {
                depth < 8
                    && self.heap.kind(x) == self.heap.kind(y)
                    && self.heap.info(x) == self.heap.info(y)
                    && self.heap.length(x) == self.heap.length(y)
                    && (0..self.heap.length(x)).all(|field| {
                        self.is_same_instance(self.heap.get(x, field), self.heap.get(y, field), depth + 1)
                    })
            }
            _ => false,
        }
    }
}

const ZERO: Word = Word::char(0);
