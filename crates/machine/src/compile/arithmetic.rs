//! Primitives that have an instruction of their own.

use crate::code::{Comparison, Op};

/// How a primitive is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// By an instruction on two numbers; the primitive does what is not small.
    Arithmetic(Op),
    Compare(Comparison),
    /// By an instruction on one value.
    Convert(Op),
}

/// The instruction that does what a primitive does.
pub(super) fn special(name: &str) -> Option<Special> {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    Some(match name {
        "intAdd" => Special::Arithmetic(Op::Add),
        "intSub" => Special::Arithmetic(Op::Subtract),
        "intMul" => Special::Arithmetic(Op::Multiply),
        "integerAdd" => Special::Arithmetic(Op::AddInteger),
        "integerSub" => Special::Arithmetic(Op::SubtractInteger),
        "integerMul" => Special::Arithmetic(Op::MultiplyInteger),
        "intQuot" | "integerQuot" => Special::Arithmetic(Op::Quotient),
        "intRem" | "integerRem" => Special::Arithmetic(Op::Remainder),
        "intDiv" | "integerDiv" => Special::Arithmetic(Op::Divide),
        "intMod" | "integerMod" => Special::Arithmetic(Op::Modulo),
        "doubleAdd" => Special::Arithmetic(Op::AddDouble),
        "doubleSub" => Special::Arithmetic(Op::SubtractDouble),
        "doubleMul" => Special::Arithmetic(Op::MultiplyDouble),
        "doubleDiv" => Special::Arithmetic(Op::DivideDouble),
        "intEq" | "integerEq" | "charEq" | "doubleEq" => Special::Compare(Equal),
        "intNe" | "integerNe" | "charNe" | "doubleNe" => Special::Compare(NotEqual),
        "intLt" | "integerLt" | "charLt" | "doubleLt" => Special::Compare(Less),
        "intLe" | "integerLe" | "charLe" | "doubleLe" => Special::Compare(LessEqual),
        "intGt" | "integerGt" | "charGt" | "doubleGt" => Special::Compare(Greater),
        "intGe" | "integerGe" | "charGe" | "doubleGe" => Special::Compare(GreaterEqual),
        "charOrd" => Special::Convert(Op::Ord),
        "charChr" => Special::Convert(Op::Chr),
        _ => return None,
    })
}
