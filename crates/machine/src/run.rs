//! The interpreter loop over the code.
//!
//! An instruction either continues with the next one, or ends in one of three ways: with a *value* for the
//! frame that waits for it (the frame below the base), with a word to *enter* (evaluate), or with an unknown
//! function to *apply* to the arguments in [`Machine::arguments`]. Actions end with a *result*, which need
//! not be evaluated.
//!
//! This file has the loop and its instructions; rarer cases are in [`apply`], [`actions`] and [`primitive`].
//!
//! The collector runs at three places only: when a function is called, when a thunk is entered, and when a
//! value is returned to waiting code. At each of them the live slots are known.

#![allow(unsafe_code, reason = "the loop is the machine's speed: see `Machine::run` for what it relies on")]

mod actions;
mod apply;
mod primitive;

use crate::code::{Comparison, Op};
use crate::compile::{InstanceId, UNPACK};
use crate::heap::Kind;
use crate::machine::{End, Machine};
use crate::primitives::{Failure, FailureKind, Stop};
use crate::recorder::Recorder;
use crate::stack::{Control, Frame};
use crate::trace::{Context, tag};
use crate::word::Word;
use gadfly_core::kernel::FunId;
use gadfly_trail::model::{RawRef, Ref, ShapeId};
use std::sync::atomic::Ordering;

/// How an instruction ends that does not continue with the next one.
#[derive(Clone, Copy)]
enum Flow {
    /// A value for the frame that waits for it.
    Value(Word),
    /// A value to evaluate.
    Enter(Word),
    /// An unknown function.
    Apply(Word),
    /// A function whose arguments are in its frame: the instance, how many, and whether strict ones are evaluated.
    Call(u32, usize, bool),
    /// The result of an action.
    Result(Word),
    /// An action to execute.
    Execute(Word),
    /// An exception.
    Raise(Word),
    /// A failure of the machine.
    Fail,
}

impl<R: Recorder<TAG>, const TAG: usize> Machine<'_, R, TAG> {
    /// Evaluates `start` until the frame at the bottom has its value.
    ///
    /// The frame and the instruction are pointers here, kept in registers; `self.base` and `self.pc` are written before
    /// any call that reads them.
    pub(crate) fn run(&mut self, start: Word) -> Result<Word, Box<End>> {
        let mut flow = Flow::Enter(start);
        let stack: *mut u64 = self.stack.as_mut_ptr();
        let mut code: *const u32 = self.compiler.code.words.as_ptr();
        let mut constants: *const u64 = self.constants.as_ptr();
        // The loop relies on these facts; each unsafe block names those it needs. Debug builds check all of
        // them.
        //
        // - FRAME: the compiler numbers slots below the largest frame that it reports, and the stack has room for two such
        //   frames above every base that passes `stack_limit`.
        // - BELOW: below the base stands the control word of the frame that waits, which says how far down the next base is; below
        //   that of an update stands its thunk.
        // - CODE: `pc` is at an instruction, whose operands follow it, and labels are places of instructions.
        // - CONSTANT: the numbers of constants in operands are valid.
        //
        // SAFETY: the base is a place in the stack.
        let mut base: *mut u64 = unsafe { stack.add(self.base) };
        let mut pc: *const u32 = code;

        macro_rules! code {
            ($at:expr) => {{
                let at: usize = $at;
                debug_assert!((pc as usize - code as usize) / 4 + at < self.compiler.code.words.len());
                // SAFETY: CODE.
                unsafe { *pc.add(at) }
            }};
        }
        macro_rules! slot {
            ($slot:expr) => {{
                let slot = $slot as usize;
                debug_assert!((base as usize - stack as usize) / 8 + slot < self.stack.len());
                // SAFETY: FRAME.
                Word::from_raw(unsafe { *base.add(slot) })
            }};
        }
        macro_rules! set {
            ($slot:expr, $value:expr) => {{
                let (slot, value): (usize, Word) = ($slot as usize, $value);
                debug_assert!((base as usize - stack as usize) / 8 + slot < self.stack.len());
                // SAFETY: FRAME.
                unsafe { *base.add(slot) = value.raw() }
            }};
        }
        macro_rules! operand {
            ($at:expr) => {{
                let operand = code!($at);
                let place = (operand >> 1) as usize;
                if operand & 1 == 0 {
                    slot!(place)
                } else {
                    debug_assert!(place < self.constants.len());
                    // SAFETY: CONSTANT.
                    Word::from_raw(unsafe { *constants.add(place) })
                }
            }};
        }
        macro_rules! control {
            () => {
                // SAFETY: BELOW.
                Control(unsafe { *base.sub(1) })
            };
        }
        macro_rules! save {
            () => {
                // SAFETY: both point into the stack.
                self.base = unsafe { base.offset_from(stack) } as usize;
                // SAFETY: both point into the code.
                self.pc = unsafe { pc.offset_from(code) } as usize;
            };
        }
        macro_rules! restore {
            () => {
                code = self.compiler.code.words.as_ptr();
                constants = self.constants.as_ptr();
                // SAFETY: FRAME.
                base = unsafe { stack.add(self.base) };
                // SAFETY: CODE.
                pc = unsafe { code.add(self.pc) };
            };
        }
        macro_rules! go {
            ($to:expr) => {{
                let to = $to as usize;
                // SAFETY: CODE.
                pc = unsafe { code.add(to) };
            }};
        }
        macro_rules! next {
            ($words:expr) => {
                // SAFETY: CODE.
                pc = unsafe { pc.add($words) }
            };
        }
        macro_rules! fill {
            ($kind:expr, $info:expr, $operands:expr, $count:expr, $tag:expr) => {{
                let count: usize = $count;
                let object = self.heap.new_object($kind, $info, count.max(1), tag($tag));
                for row in 0..count {
                    let value = operand!($operands + row);
                    self.heap.init(object, row, value);
                }
                if count == 0 {
                    self.heap.init(object, 0, ZERO);
                }
                object
            }};
        }
        // An action, in a recorded run: its last word says for whom it was made.
        macro_rules! action {
            ($operands:expr, $count:expr, $tag:expr) => {{
                let count: usize = $count;
                let object = self.heap.new_object(Kind::Action, code!(2), count + 1, tag($tag));
                for row in 0..count {
                    let value = operand!($operands + row);
                    self.heap.init(object, row, value);
                }
                self.heap.init(object, count, slot!(0));
                object
            }};
        }
        macro_rules! slow {
            ($step:expr) => {{
                save!();
                let flow = $step;
                restore!();
                flow
            }};
        }
        // The frame waits for a value of the instruction.
        macro_rules! wait {
            () => {
                let height = code!(1) as usize;
                next!(4);
                // SAFETY: FRAME.
                base = unsafe { base.add(height + 1) };
                // SAFETY: FRAME; both point into the code.
                unsafe { *base.sub(1) = Control::new(Frame::Case, height, pc.offset_from(code) as u32).0 };
            };
        }
        // Arguments go to the first slots of a frame at `$to`, which may be where others of them are.
        macro_rules! pass {
            ($to:expr, $operands:expr, $count:expr) => {{
                let to: *mut u64 = $to;
                match $count {
                    0 => {}
                    1 => {
                        let a = operand!($operands);
                        // SAFETY: FRAME.
                        unsafe { *to = a.raw() }
                    }
                    2 => {
                        let (a, b) = (operand!($operands), operand!($operands + 1));
                        // SAFETY: FRAME.
                        unsafe {
                            *to = a.raw();
                            *to.add(1) = b.raw();
                        }
                    }
                    3 => {
                        let (a, b, c) =
                            (operand!($operands), operand!($operands + 1), operand!($operands + 2));
                        // SAFETY: FRAME.
                        unsafe {
                            *to = a.raw();
                            *to.add(1) = b.raw();
                            *to.add(2) = c.raw();
                        }
                    }
                    count => {
                        for row in 0..count {
                            self.arguments[row] = operand!($operands + row).raw();
                        }
                        for (row, &argument) in self.arguments.iter().enumerate().take(count) {
                            // SAFETY: FRAME.
                            unsafe { *to.add(row) = argument }
                        }
                    }
                }
            }};
        }
        macro_rules! arithmetic {
            ($step:lifetime, $result:expr, $a:expr, $b:expr) => {{
                match $result {
                    Some(result) => set!(code!(2), result),
                    None => {
                        if let Some(flow) = slow!(self.primitive(&[$a, $b])?) {
                            break $step flow;
                        }
                    }
                }
                next!(5);
            }};
        }
        // Writes a row of operands; yields the number of its node.
        macro_rules! row {
            ($shape:expr, $operands:expr, $count:expr) => {{
                let shape = ShapeId($shape);
                let parent = Context(slot!(0).raw()).node();
                let count: usize = $count;
                let mut references = [RawRef::UNKNOWN; 4];
                if count <= 4 {
                    for (row, reference) in references.iter_mut().enumerate().take(count) {
                        *reference = self.reference(operand!($operands + row), parent);
                    }
                    self.node_as(shape, parent, &references[..count])
                } else {
                    let mut references = std::mem::take(&mut self.references);
                    references.clear();
                    for row in 0..count {
                        references.push(self.reference(operand!($operands + row), parent));
                    }
                    let node = self.node_as(shape, parent, &references);
                    self.references = references;
                    node
                }
            }};
        }
        // A call of an unknown value that turns out to be a function, with all its arguments.
        macro_rules! known {
            ($step:lifetime, $function:expr, $to:expr, $operands:expr, $count:expr, $before:block) => {
                if R::TRAILS {
                    self.applying = Context(slot!(0).raw());
                    self.application = Context::NOBODY;
                } else if let Some(instance) = $function.as_function() {
                    if self.compiler.code.entries[instance as usize].arity as usize == $count {
                        pass!($to, $operands, $count);
                        $before
                        break $step Flow::Call(instance, $count, false);
                    }
                } else if $count < 4
                    && let Some(object) = $function.as_value()
                    && let Some((instance, has)) = self.heap.partial(object)
                    && self.compiler.code.entries[instance as usize].arity as usize == has + $count
                {
                    // SAFETY: FRAME.
                    pass!(unsafe { $to.add(has) }, $operands, $count);
                    for row in 0..has {
                        // SAFETY: FRAME; a partial application has that many arguments.
                        unsafe { *$to.add(row) = self.heap.get(object, row).raw() };
                    }
                    $before
                    break $step Flow::Call(instance, has + $count, false);
                }
            };
        }
        macro_rules! branch {
            ($comparison:expr) => {{
                let (a, b) = (operand!(3), operand!(4));
                let holds = match self.compare($comparison, a, b) {
                    Some(holds) => holds,
                    None => slow!(self.slow_compare(a, b)),
                };
                if holds {
                    next!(5);
                } else {
                    go!(code!(2));
                }
            }};
        }

        loop {
            // The work to do before the next instruction.
            loop {
                match flow {
                    Flow::Value(value) => {
                        let control = control!();
                        if control.is(Frame::Update) {
                            // SAFETY: BELOW.
                            let thunk = Word::from_raw(unsafe { *base.sub(2) }).place() as u32;
                            if R::TRAILS {
                                self.tell_update(thunk, value);
                            }
                            self.heap.update(thunk, value);
                            // SAFETY: BELOW.
                            base = unsafe { base.sub(2) };
                            continue;
                        }
                        if control.is(Frame::Case) {
                            let mut value = value;
                            if self.heap.top() >= self.soft.load(Ordering::Relaxed) {
                                let mut others = [value];
                                save!();
                                self.safe_point(0, &mut others)?;
                                value = others[0];
                            }
                            // SAFETY: BELOW.
                            base = unsafe { base.sub(1 + control.size()) };
                            go!(control.place());
                            // SAFETY: CODE; before a label where a value is awaited stands its slot.
                            let slot = unsafe { *pc.sub(1) };
                            set!(slot, value);
                            break;
                        }
                        flow = slow!(self.value(value, control));
                        if let Flow::Result(value) = flow
                            && control.is(Frame::Bottom)
                        {
                            return Ok(value);
                        }
                    }
                    Flow::Enter(word) => {
                        if word.is_evaluated() {
                            flow = Flow::Value(word);
                            continue;
                        }
                        let mut object = word.place() as u32;
                        match self.heap.kind(object) {
                            Kind::Thunk => {
                                if self.heap.top() >= self.soft.load(Ordering::Relaxed)
                                    // SAFETY: both point into the stack.
                                    || unsafe { base.offset_from(stack) } as usize > self.stack_limit
                                {
                                    let mut others = [word];
                                    if let Some(failed) = slow!(self.safe_point(0, &mut others)?) {
                                        flow = failed;
                                        continue;
                                    }
                                    if others[0].is_evaluated()
                                        || self.heap.kind(others[0].place() as u32) != Kind::Thunk
                                    {
                                        flow = Flow::Enter(others[0]);
                                        continue;
                                    }
                                    object = others[0].place() as u32;
                                }
                                let (info, length) = self.heap.thunk(object);
                                // SAFETY: FRAME.
                                unsafe {
                                    *base = Word::object(object).raw();
                                    *base.add(1) = Control::new(Frame::Update, 1, 0).0;
                                    base = base.add(2);
                                    for field in 0..length {
                                        *base.add(field) = self.heap.get(object, field).raw();
                                    }
                                }
                                self.heap.enter(object);
                                go!(self.compiler.code.thunks[info as usize].entry);
                                break;
                            }
                            Kind::Indirection => flow = Flow::Enter(self.heap.get(object, 0)),
                            _ => flow = slow!(self.enter_other(word, object)?),
                        }
                    }
                    Flow::Call(instance, count, fast) => {
                        let entry = self.compiler.code.entries[instance as usize];
                        let mut to = if fast { entry.fast } else { entry.general };
                        if to == 0 {
                            slow!(self.compile(InstanceId(instance)));
                            to = self.compiler.code.entries[instance as usize].general;
                        }
                        if self.heap.top() >= self.soft.load(Ordering::Relaxed)
                            // SAFETY: both point into the stack.
                            || unsafe { base.offset_from(stack) } as usize > self.stack_limit
                        {
                            self.calling = Some(InstanceId(instance));
                            if let Some(failed) = slow!(self.safe_point(count, &mut [])?) {
                                flow = failed;
                                continue;
                            }
                            self.calling = None;
                        }
                        go!(to);
                        break;
                    }
                    Flow::Apply(function) => flow = slow!(self.apply(function)?),
                    Flow::Result(value) => {
                        let control = control!();
                        if control.is(Frame::Bottom) {
                            // SAFETY: BELOW.
                            base = unsafe { base.sub(1) };
                            save!();
                            return Ok(value);
                        }
                        flow = slow!(self.result(value, control));
                    }
                    Flow::Execute(action) => flow = slow!(self.execute_action(action)?),
                    Flow::Raise(exception) => flow = slow!(self.raise(exception)?),
                    Flow::Fail => flow = Flow::Raise(slow!(self.pending_failure()?)),
                }
            }
            flow = 'step: {
                'run: loop {
                    let first = code!(0);
                    let count = (first >> 8) as usize;
                    match Op::of(first) {
                        Op::Eval => {
                            let value = slot!(code!(3));
                            if value.is_evaluated() {
                                next!(4);
                                continue 'run;
                            }
                            wait!();
                            break 'step Flow::Enter(value);
                        }
                        Op::Case => {
                            let value = slot!(code!(3));
                            if value.is_evaluated() {
                                go!(code!(6 + value.tag() as usize));
                                continue 'run;
                            }
                            wait!();
                            break 'step Flow::Enter(value);
                        }
                        Op::Switch => {
                            let value = slot!(code!(1));
                            go!(code!(2 + value.tag() as usize));
                        }
                        Op::IfLiteral => {
                            let value = slot!(code!(1));
                            let literal = operand!(2);
                            if value == literal || self.is_same_number(value, literal) {
                                next!(4);
                            } else {
                                go!(code!(3));
                            }
                        }
                        Op::Literals => {
                            let value = slot!(code!(1)).raw();
                            let (mut low, mut high) = (0, count);
                            let word = |row: usize| {
                                u64::from(code!(4 + 3 * row)) << 32 | u64::from(code!(3 + 3 * row))
                            };
                            while low < high {
                                let middle = (low + high) / 2;
                                if word(middle) < value {
                                    low = middle + 1;
                                } else {
                                    high = middle;
                                }
                            }
                            if low < count && word(low) == value {
                                go!(code!(5 + 3 * low));
                            } else {
                                go!(code!(2));
                            }
                        }
                        op @ (Op::Call | Op::CallFast) => {
                            let instance = code!(1);
                            let height = code!(2) as usize;
                            // SAFETY: FRAME.
                            let to = unsafe { base.add(height + 1) };
                            // SAFETY: both point into the code.
                            let back = unsafe { pc.offset_from(code) } as u32 + 5 + count as u32;
                            pass!(to, 3, count);
                            // SAFETY: FRAME.
                            unsafe { *to.sub(1) = Control::new(Frame::Case, height, back).0 };
                            base = to;
                            break 'step Flow::Call(instance, count, op == Op::CallFast);
                        }
                        op @ (Op::Tail | Op::TailFast) => {
                            let instance = code!(1);
                            pass!(base, 2, count);
                            break 'step Flow::Call(instance, count, op == Op::TailFast);
                        }
                        Op::Apply => {
                            let height = code!(1) as usize;
                            let function = operand!(2);
                            // SAFETY: FRAME.
                            let to = unsafe { base.add(height + 1) };
                            // SAFETY: both point into the code.
                            let back = unsafe { pc.offset_from(code) } as u32 + 5 + count as u32;
                            known!('step, function, to, 3, count, {
                                // SAFETY: FRAME.
                                unsafe { *to.sub(1) = Control::new(Frame::Case, height, back).0 };
                                base = to;
                            });
                            for row in 0..count {
                                self.arguments[row] = operand!(3 + row).raw();
                            }
                            self.argument_count = count;
                            base = to;
                            // SAFETY: FRAME.
                            unsafe { *base.sub(1) = Control::new(Frame::Case, height, back).0 };
                            break 'step Flow::Apply(function);
                        }
                        Op::TailApply => {
                            let function = operand!(1);
                            known!('step, function, base, 2, count, {});
                            for row in 0..count {
                                self.arguments[row] = operand!(2 + row).raw();
                            }
                            self.argument_count = count;
                            break 'step Flow::Apply(function);
                        }
                        Op::ApplySlots if R::TRAILS => {
                            self.applying = Context(slot!(0).raw());
                            self.application = Context::NOBODY;
                            for row in 2..count {
                                self.arguments[row - 2] = slot!(row).raw();
                            }
                            self.argument_count = count - 2;
                            break 'step Flow::Apply(slot!(1));
                        }
                        Op::ApplySlots => {
                            for row in 1..count {
                                self.arguments[row - 1] = slot!(row).raw();
                            }
                            self.argument_count = count - 1;
                            break 'step Flow::Apply(slot!(0));
                        }
                        Op::Return => break 'step Flow::Value(operand!(1)),
                        Op::Enter => break 'step Flow::Enter(operand!(1)),
                        Op::Jump => go!(code!(1)),
                        Op::Move => {
                            set!(code!(1), operand!(2));
                            next!(3);
                        }
                        Op::Fields => {
                            let object = slot!(code!(1)).place() as u32;
                            for row in 0..count {
                                let value = self.heap.get(object, code!(2 + 2 * row) as usize);
                                set!(code!(3 + 2 * row), value);
                            }
                            next!(2 + 2 * count);
                        }
                        Op::Construct => {
                            let object = fill!(Kind::Constructor, code!(2), 4, count, 0);
                            set!(code!(1), Word::data(object, code!(3)));
                            next!(4 + count);
                        }
                        Op::ReturnConstruct => {
                            let object = fill!(Kind::Constructor, code!(1), 3, count, 0);
                            break 'step Flow::Value(Word::data(object, code!(2)));
                        }
                        Op::Thunk => {
                            let object = fill!(Kind::Thunk, code!(2), 3, count, 0);
                            set!(code!(1), Word::object(object));
                            next!(3 + count);
                        }
                        Op::Partial => {
                            let object = fill!(Kind::Partial, code!(2), 3, count, 0);
                            set!(code!(1), Word::value(object));
                            next!(3 + count);
                        }
                        Op::Action => {
                            let object = match R::TRAILS {
                                false => fill!(Kind::Action, code!(2), 3, count, 0),
                                true => action!(3, count, 0),
                            };
                            set!(code!(1), Word::value(object));
                            next!(3 + count);
                        }
                        Op::Select => {
                            let object = fill!(Kind::Selector, code!(2), 3, 1, 0);
                            set!(code!(1), Word::object(object));
                            next!(4);
                        }
                        Op::String => {
                            let text = match R::TRAILS {
                                true => {
                                    let string = self.string_number(code!(2));
                                    RawRef::of(Ref::Text { string, from: 0 }).0
                                }
                                false => 0,
                            };
                            let object = self.heap.new_object(Kind::Thunk, UNPACK, 2, tag(text));
                            let string = Word::int(i64::from(code!(2))).unwrap_or(ZERO);
                            self.heap.init(object, 0, string);
                            self.heap.init(object, 1, Word::int(0).unwrap_or(ZERO));
                            set!(code!(1), Word::object(object));
                            next!(3);
                        }
                        Op::Patch => {
                            let object = slot!(code!(1)).place() as u32;
                            let value = operand!(3);
                            self.heap.set(object, code!(2) as usize, value);
                            next!(4);
                        }
                        Op::Add | Op::AddInteger => {
                            let (a, b) = (operand!(3), operand!(4));
                            arithmetic!('step, a.add_small(b), a, b)
                        }
                        Op::Subtract | Op::SubtractInteger => {
                            let (a, b) = (operand!(3), operand!(4));
                            arithmetic!('step, a.subtract_small(b), a, b)
                        }
                        Op::Multiply | Op::MultiplyInteger => {
                            let (a, b) = (operand!(3), operand!(4));
                            arithmetic!('step, a.multiply_small(b), a, b)
                        }
                        op @ (Op::Quotient | Op::Remainder | Op::Divide | Op::Modulo) => {
                            let (a, b) = (operand!(3), operand!(4));
                            let result = a.divide_small(b).map(|(quotient, remainder)| {
                                let divisor = b.as_int().unwrap_or(1);
                                let lower = remainder != 0 && (remainder < 0) != (divisor < 0);
                                Word::small(match op {
                                    Op::Quotient => quotient,
                                    Op::Remainder => remainder,
                                    Op::Divide => quotient - i64::from(lower),
                                    _ => remainder + if lower { divisor } else { 0 },
                                })
                            });
                            arithmetic!('step, result, a, b)
                        }
                        op @ (Op::AddDouble | Op::SubtractDouble | Op::MultiplyDouble | Op::DivideDouble) => {
                            let (a, b) = (operand!(3), operand!(4));
                            let result = match (a.as_double(), b.as_double()) {
                                (Some(x), Some(y)) => Word::double(match op {
                                    Op::AddDouble => x + y,
                                    Op::SubtractDouble => x - y,
                                    Op::MultiplyDouble => x * y,
                                    _ => x / y,
                                }),
                                _ => None,
                            };
                            arithmetic!('step, result, a, b)
                        }
                        Op::Compare => {
                            let (a, b) = (operand!(3), operand!(4));
                            let holds = match self.compare(Comparison::ALL[count], a, b) {
                                Some(holds) => holds,
                                None => slow!(self.slow_compare(a, b)),
                            };
                            set!(code!(2), self.basics.bools[usize::from(holds)]);
                            next!(5);
                        }
                        Op::IfEqual => branch!(Comparison::Equal),
                        Op::IfNotEqual => branch!(Comparison::NotEqual),
                        Op::IfLess => branch!(Comparison::Less),
                        Op::IfLessEqual => branch!(Comparison::LessEqual),
                        Op::IfGreater => branch!(Comparison::Greater),
                        Op::IfGreaterEqual => branch!(Comparison::GreaterEqual),
                        Op::Ord => {
                            let code_point = operand!(2).as_char().unwrap_or(0);
                            set!(code!(1), Word::int(i64::from(code_point)).unwrap_or(ZERO));
                            next!(3);
                        }
                        Op::Chr => {
                            let code_point = operand!(2).as_int().unwrap_or(0);
                            set!(code!(1), Word::char(code_point as u32));
                            next!(3);
                        }
                        Op::Primitive => {
                            let mut arguments = [ZERO; 8];
                            for (row, argument) in arguments.iter_mut().enumerate().take(count) {
                                *argument = operand!(3 + row);
                            }
                            if let Some(flow) = slow!(self.primitive(&arguments[..count])?) {
                                break 'step flow;
                            }
                            next!(3 + count);
                        }
                        Op::Unfold => {
                            let instance = code!(1) as usize;
                            let function = self.compiler.instances[instance].function;
                            if !self.recorder.unfold(function) {
                                return Err(Box::new(End::StepLimit));
                            }
                            next!(2);
                        }
                        Op::Unpack => {
                            let string = slot!(0).as_int().unwrap_or(0) as usize;
                            let offset = slot!(1).as_int().unwrap_or(0) as usize;
                            break 'step slow!(match self.unpack(string, offset) {
                                Ok(list) => Flow::Value(list),
                                Err(stop) => self.stop(stop)?,
                            });
                        }
                        Op::Skip => next!(1),
                        Op::Row => {
                            let node = row!(code!(2), 3, count);
                            set!(code!(1), Context::of(node).word());
                            next!(3 + count);
                        }
                        Op::CallRow => {
                            let context = Context(slot!(0).raw());
                            let mut references = std::mem::take(&mut self.references);
                            references.clear();
                            for row in 0..count {
                                references.push(self.reference(operand!(3 + row), context.node()));
                            }
                            let function = FunId::from_index(code!(2) as usize);
                            let node = self.call_from_trusted(function, context, &references);
                            self.references = references;
                            set!(code!(1), node.word());
                            next!(3 + count);
                        }
                        Op::At => {
                            let context = Context(slot!(0).raw()).at(code!(2));
                            set!(code!(1), context.word());
                            next!(3);
                        }
                        Op::Use => {
                            let context = Context(slot!(0).raw()).at(code!(2));
                            self.use_constant(code!(1) as usize, context);
                            next!(3);
                        }
                        Op::ConstantNode => {
                            // SAFETY: BELOW.
                            let thunk = Word::from_raw(unsafe { *base.sub(2) }).place() as u32;
                            let context = self.constant_node(code!(1) as usize, code!(2), thunk);
                            set!(0, context.word());
                            next!(3);
                        }
                        Op::ConstructRow => {
                            let node = row!(code!(4), 5, count);
                            let written = RawRef::node(node).0;
                            let object = fill!(Kind::Constructor, code!(2), 5, count, written);
                            set!(code!(1), Word::data(object, code!(3)));
                            next!(5 + count);
                        }
                        Op::ReturnConstructRow => {
                            let node = row!(code!(3), 4, count);
                            let written = RawRef::node(node).0;
                            let object = fill!(Kind::Constructor, code!(1), 4, count, written);
                            break 'step Flow::Value(Word::data(object, code!(2)));
                        }
                        Op::ThunkOf => {
                            let written = RawRef::node(Context(operand!(3).raw()).node()).0;
                            let object = fill!(Kind::Thunk, code!(2), 4, count, written);
                            set!(code!(1), Word::object(object));
                            next!(4 + count);
                        }
                        Op::PartialOf => {
                            let written = RawRef::node(Context(operand!(3).raw()).node()).0;
                            let object = self.heap.new_object(Kind::Partial, code!(2), count, tag(written));
                            for row in 0..count {
                                let value = operand!(4 + row);
                                self.heap.init(object, row, value);
                            }
                            set!(code!(1), Word::value(object));
                            next!(4 + count);
                        }
                        Op::ActionRow => {
                            let node = row!(code!(3), 4, 0);
                            let object = action!(4, count, RawRef::node(node).0);
                            set!(code!(1), Word::value(object));
                            next!(4 + count);
                        }
                        Op::Became => {
                            let value = operand!(2);
                            let redex = Context(slot!(0).raw()).node();
                            let reference = self.reference(value, redex);
                            self.tell_as(ShapeId(code!(1)), redex, &[reference]);
                            break 'step Flow::Value(value);
                        }
                        Op::BecameEntered => {
                            let value = operand!(2);
                            let redex = Context(slot!(0).raw()).node();
                            let reference = self.reference(value, redex);
                            self.tell_as(ShapeId(code!(1)), redex, &[reference]);
                            break 'step Flow::Enter(value);
                        }
                        Op::TailTrusted => {
                            let redex = Context(slot!(0).raw());
                            let (callee, shape) = (code!(1), code!(2));
                            if control!().is(Frame::Reduct) {
                                pass!(base, 3, count);
                            } else {
                                // SAFETY: FRAME.
                                let to = unsafe { base.add(2) };
                                pass!(to, 3, count);
                            }
                            slow!(self.await_reduct(redex, shape));
                            break 'step Flow::Call(callee & !(1 << 31), count, callee >> 31 == 1);
                        }
                        Op::ApplyRow => {
                            let height = code!(1) as usize;
                            self.applying = Context(slot!(0).raw()).at(code!(2));
                            self.application = Context(operand!(3).raw());
                            let function = operand!(4);
                            for row in 0..count {
                                self.arguments[row] = operand!(5 + row).raw();
                            }
                            self.argument_count = count;
                            // SAFETY: both point into the code.
                            let back = unsafe { pc.offset_from(code) } as u32 + 7 + count as u32;
                            // SAFETY: FRAME.
                            base = unsafe { base.add(height + 1) };
                            // SAFETY: FRAME.
                            unsafe { *base.sub(1) = Control::new(Frame::Case, height, back).0 };
                            break 'step Flow::Apply(function);
                        }
                        Op::TailApplyRow => {
                            self.applying = Context(slot!(0).raw()).at(code!(1));
                            self.application = Context(operand!(2).raw());
                            let function = operand!(3);
                            for row in 0..count {
                                self.arguments[row] = operand!(4 + row).raw();
                            }
                            self.argument_count = count;
                            break 'step Flow::Apply(function);
                        }
                        Op::Raise => {
                            if R::TRAILS {
                                self.raising = true;
                            }
                            break 'step Flow::Raise(operand!(1));
                        }
                        Op::Perform => {
                            let action = operand!(1);
                            break 'step slow!({
                                self.push(Frame::Result, &[], 0);
                                self.push(Frame::Execute, &[], 0);
                                Flow::Enter(action)
                            });
                        }
                        Op::Error => {
                            let error = code!(1);
                            break 'step slow!({
                                let raised = self.known_error(error)?;
                                // Control does not return to this frame: it records where the error is, and
                                // for whom.
                                let context = Word::from_raw(self.stack[self.base]);
                                let words = &[context][..usize::from(R::TRAILS)];
                                self.push(Frame::Case, words, self.pc as u32 + 4);
                                Flow::Enter(raised)
                            });
                        }
                        Op::Logic => {
                            let message =
                                "choices, free variables and failure are not supported by `run` yet";
                            let failure = Failure::new(FailureKind::Error, "", message);
                            break 'step slow!(self.stop(failure.into())?);
                        }
                    }
                }
            };
        }
    }

    /// What follows when a primitive has no value.
    fn stop(&mut self, stop: Stop) -> Result<Flow, Box<End>> {
        match stop {
            Stop::Failure(failure) => {
                self.pending = Some(failure);
                Ok(Flow::Fail)
            }
            Stop::Exit(status) => Err(Box::new(End::Exit(status))),
        }
    }

    /// An invariant is broken: the program ends, with a text for the report.
    fn defect(&mut self, what: &str) -> Result<Flow, Box<End>> {
        self.stop(Failure::new(FailureKind::Error, "", format!("{what}: a defect of Gadfly")).into())
    }

    fn pending_failure(&mut self) -> Result<Word, Box<End>> {
        let failure = self.pending.take();
        let failure = failure.unwrap_or_else(|| Failure::new(FailureKind::Error, "", "something failed"));
        self.failure(&failure)
    }

    /// A chance to collect, and to stop. If the stack is full, what follows instead.
    #[cold]
    fn safe_point(&mut self, live: usize, others: &mut [Word]) -> Result<Option<Flow>, Box<End>> {
        if let Some(end) = self.stopped() {
            return Err(Box::new(end));
        }
        if self.base > self.stack_limit {
            let used = self.stack.len() / (1 << 17);
            let description = format!("stack overflow: more than {used} MiB");
            self.pending = Some(Failure::new(FailureKind::StackExhausted, "", description));
            return Ok(Some(Flow::Fail));
        }
        if self.heap.top() >= self.soft.load(Ordering::Relaxed) && self.collect(live, others).is_err() {
            return Err(Box::new(self.heap_exhausted()));
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

    /// Returns a value to a frame that is neither code nor an update.
    fn value(&mut self, value: Word, control: Control) -> Flow {
        let start = self.base - 1 - control.size();
        match control.frame() {
            Frame::Apply => {
                let count = control.size() - if R::TRAILS { 2 } else { 0 };
                for row in 0..count {
                    self.arguments[row] = self.stack[start + row];
                }
                self.argument_count = count;
                if R::TRAILS {
                    self.applying = Context(self.stack[start + count]);
                    self.application = Context(self.stack[start + count + 1]);
                }
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
            Frame::Reduct => {
                let redex = Context(self.stack[start]).node();
                self.base = start;
                let reference = self.reference(value, redex);
                self.tell_as(ShapeId(control.place()), redex, &[reference]);
                Flow::Value(value)
            }
            Frame::Case | Frame::Update => Flow::Value(value),
            Frame::Bind | Frame::Catch | Frame::Result | Frame::Performed => Flow::Result(value),
        }
    }

    fn enter_other(&mut self, word: Word, object: u32) -> Result<Flow, Box<End>> {
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
}

const ZERO: Word = Word::char(0);
