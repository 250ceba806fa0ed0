//! A readable listing of the code: for tests, and to find out why code is slow.

use crate::code::Op;
use crate::compile::Code;
use std::fmt::Write;

/// What the words after an instruction's first are.
#[derive(Clone, Copy)]
enum Part {
    /// A number.
    Number,
    /// A slot or a constant.
    Operand,
    /// As many operands as the count says.
    Operands,
    /// As many labels as the count says.
    Labels,
    /// As many pairs of a field and a slot as the count says.
    Fields,
    /// As many literals with a label as the count says.
    Literals,
}

fn parts(op: Op) -> &'static [Part] {
    use Part::{Fields, Labels, Literals, Number, Operand, Operands};
    match op {
        Op::Jump | Op::Unfold => &[Number],
        Op::Skip => &[],
        Op::At | Op::Use | Op::ConstantNode => &[Number, Number],
        Op::Row | Op::CallRow | Op::TailTrusted => &[Number, Number, Operands],
        Op::ReturnConstructRow | Op::ActionRow => &[Number, Number, Number, Operands],
        Op::ConstructRow => &[Number, Number, Number, Number, Operands],
        Op::ThunkOf | Op::PartialOf => &[Number, Number, Operand, Operands],
        Op::Became | Op::BecameEntered => &[Number, Operand],
        Op::ApplyRow => &[Number, Number, Operand, Operand, Operands, Number, Number],
        Op::TailApplyRow => &[Number, Operand, Operand, Operands],
        Op::Error => &[Number, Number, Number],
        Op::Eval | Op::Case => &[Number, Number, Number],
        Op::Switch => &[Number, Labels],
        Op::IfLiteral => &[Number, Operand, Number],
        Op::Literals => &[Number, Number, Literals],
        Op::Call | Op::CallFast => &[Number, Number, Operands, Number, Number],
        Op::Apply => &[Number, Operand, Operands, Number, Number],
        Op::Tail | Op::TailFast => &[Number, Operands],
        Op::TailApply => &[Operand, Operands],
        Op::Return | Op::Enter | Op::Raise | Op::Perform => &[Operand],
        Op::Move | Op::Ord | Op::Chr => &[Number, Operand],
        Op::Fields => &[Number, Fields],
        Op::Construct => &[Number, Number, Number, Operands],
        Op::ReturnConstruct | Op::Thunk | Op::Partial | Op::Action | Op::Primitive => {
            &[Number, Number, Operands]
        }
        Op::Select | Op::Patch => &[Number, Number, Operand],
        Op::String => &[Number, Number],
        Op::Add
        | Op::Subtract
        | Op::Multiply
        | Op::Quotient
        | Op::Remainder
        | Op::Divide
        | Op::Modulo
        | Op::AddInteger
        | Op::SubtractInteger
        | Op::MultiplyInteger
        | Op::AddDouble
        | Op::SubtractDouble
        | Op::MultiplyDouble
        | Op::DivideDouble
        | Op::Compare
        | Op::IfEqual
        | Op::IfNotEqual
        | Op::IfLess
        | Op::IfLessEqual
        | Op::IfGreater
        | Op::IfGreaterEqual => &[Number, Number, Operand, Operand],
        Op::Unpack | Op::Logic | Op::ApplySlots => &[],
    }
}

/// What an instruction mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reference {
    /// A function.
    Instance(u32),
    /// The code of a thunk.
    Thunk(u32),
    /// A constant.
    Constant(u32),
}

/// Calls `see` with every reference in the instructions from `start` to `end`.
pub(crate) fn references(code: &Code, start: usize, end: usize, mut see: impl FnMut(Reference)) {
    let mut at = start;
    while at < end {
        let first = code.words[at];
        let (op, count) = (Op::of(first), (first >> 8) as usize);
        match op {
            Op::Call | Op::CallFast | Op::Tail | Op::TailFast | Op::TailTrusted => {
                see(Reference::Instance(code.words[at + 1] & !(1 << 31)));
            }
            Op::Partial | Op::PartialOf => see(Reference::Instance(code.words[at + 2])),
            Op::Thunk | Op::ThunkOf => see(Reference::Thunk(code.words[at + 2])),
            Op::String => see(Reference::Thunk(crate::compile::UNPACK)),
            _ => {}
        }
        at += 1;
        for part in parts(op) {
            let operands = match part {
                Part::Operand => 1,
                Part::Operands => count,
                Part::Number => 0,
                Part::Labels => 0,
                Part::Fields | Part::Literals => 0,
            };
            for &word in &code.words[at..at + operands] {
                if word & 1 == 1 {
                    see(Reference::Constant(word >> 1));
                }
            }
            at += match part {
                Part::Number | Part::Operand => 1,
                Part::Operands | Part::Labels => count,
                Part::Fields => 2 * count,
                Part::Literals => 3 * count,
            };
        }
    }
}

/// The instructions from `start` to `end`, one a line.
pub(crate) fn listing(code: &Code, start: usize, end: usize) -> String {
    let mut text = String::new();
    let mut at = start;
    while at < end {
        let first = code.words[at];
        let (op, count) = (Op::of(first), (first >> 8) as usize);
        let _ = write!(text, "{at:6}  {op:?}");
        at += 1;
        let number = |text: &mut String, at: &mut usize| {
            let _ = write!(text, " {}", code.words[*at]);
            *at += 1;
        };
        let operand = |text: &mut String, at: &mut usize| {
            let word = code.words[*at];
            let _ = match word & 1 {
                0 => write!(text, " s{}", word >> 1),
                _ => write!(text, " c{}={:?}", word >> 1, code.constants.get((word >> 1) as usize)),
            };
            *at += 1;
        };
        for part in parts(op) {
            match part {
                Part::Number => number(&mut text, &mut at),
                Part::Operand => operand(&mut text, &mut at),
                Part::Operands => (0..count).for_each(|_| operand(&mut text, &mut at)),
                Part::Labels => (0..count).for_each(|_| number(&mut text, &mut at)),
                Part::Fields => (0..2 * count).for_each(|_| number(&mut text, &mut at)),
                Part::Literals => (0..3 * count).for_each(|_| number(&mut text, &mut at)),
            }
        }
        text.push('\n');
    }
    text
}
