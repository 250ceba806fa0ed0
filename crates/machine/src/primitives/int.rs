//! `Int`: 64 bits, two's complement.
//!
//! The library never divides by 0 or -1 here: it raises the exception, or negates. If a program bypasses the
//! library, the results are 0 and wrapped around.

use super::{Context, Primitive, Stop, cheap, pure};
use crate::word::Word;

macro_rules! unary {
    ($name:ident, $act:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let act: fn(i64) -> i64 = $act;
            context.int(act(context.to_int(arguments[0])))
        }
    };
}

macro_rules! binary {
    ($name:ident, $act:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let (a, b) = (context.to_int(arguments[0]), context.to_int(arguments[1]));
            let act: fn(i64, i64) -> i64 = $act;
            context.int(act(a, b))
        }
    };
}

macro_rules! relation {
    ($name:ident, $act:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let (a, b) = (context.to_int(arguments[0]), context.to_int(arguments[1]));
            let act: fn(&i64, &i64) -> bool = $act;
            Ok(context.bool(act(&a, &b)))
        }
    };
}

binary!(add, i64::wrapping_add);
binary!(sub, i64::wrapping_sub);
binary!(mul, i64::wrapping_mul);
unary!(negate, i64::wrapping_neg);
binary!(quot, |a, b| if b == 0 { 0 } else { a.wrapping_div(b) });
binary!(rem, |a, b| if b == 0 { 0 } else { a.wrapping_rem(b) });
binary!(div, |a, b| match b {
    0 => 0,
    _ if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) => a / b - 1,
    _ => a.wrapping_div(b),
});
binary!(modulo, |a, b| match b {
    0 => 0,
    _ if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) => a % b + b,
    _ => a.wrapping_rem(b),
});
relation!(eq, i64::eq);
relation!(ne, i64::ne);
relation!(lt, i64::lt);
relation!(le, i64::le);
relation!(gt, i64::gt);
relation!(ge, i64::ge);
binary!(and, |a, b| a & b);
binary!(or, |a, b| a | b);
binary!(xor, |a, b| a ^ b);
binary!(shift_left, |a, by| a.wrapping_shl(by as u32));
binary!(shift_right, |a, by| a.wrapping_shr(by as u32));
binary!(shift_right_logical, |a, by| (a as u64).wrapping_shr(by as u32) as i64);
unary!(ones, |a| i64::from(a.count_ones()));
unary!(leading_zeros, |a| i64::from(a.leading_zeros()));
unary!(trailing_zeros, |a| i64::from(a.trailing_zeros()));

fn compare<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    Ok(context.ordering(context.to_int(arguments[0]).cmp(&context.to_int(arguments[1]))))
}

fn show<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let value = context.to_int(arguments[0]);
    context.decimal(value < 0, value.unsigned_abs())
}

pub(super) fn table<const TAG: usize>() -> &'static [Primitive<TAG>] {
    const {
        &[
            cheap("intAdd", 2, add),
            cheap("intSub", 2, sub),
            cheap("intMul", 2, mul),
            cheap("intNegate", 1, negate),
            cheap("intQuot", 2, quot),
            cheap("intRem", 2, rem),
            cheap("intDiv", 2, div),
            cheap("intMod", 2, modulo),
            cheap("intEq", 2, eq),
            cheap("intNe", 2, ne),
            cheap("intLt", 2, lt),
            cheap("intLe", 2, le),
            cheap("intGt", 2, gt),
            cheap("intGe", 2, ge),
            cheap("intCompare", 2, compare),
            pure("intShow", 1, show),
            cheap("intAnd", 2, and),
            cheap("intOr", 2, or),
            cheap("intXor", 2, xor),
            cheap("intShiftL", 2, shift_left),
            cheap("intShiftR", 2, shift_right),
            cheap("intShiftRL", 2, shift_right_logical),
            cheap("intPopCount", 1, ones),
            cheap("intClz", 1, leading_zeros),
            cheap("intCtz", 1, trailing_zeros),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::Stage;
    use proptest::prelude::*;

    #[test]
    fn division_rounds_as_it_says() {
        let mut stage = Stage::new();
        let cases = [("intQuot", -3), ("intRem", -1), ("intDiv", -4), ("intMod", 1)];
        for (name, expected) in cases {
            assert_eq!(stage.ints(name, &[-7, 2]), expected, "{name} -7 2");
        }
        let cases = [("intQuot", -3), ("intRem", 1), ("intDiv", -4), ("intMod", -1)];
        for (name, expected) in cases {
            assert_eq!(stage.ints(name, &[7, -2]), expected, "{name} 7 -2");
        }
    }

    #[test]
    fn what_the_library_never_asks_for_does_no_harm() {
        let mut stage = Stage::new();
        for name in ["intQuot", "intRem", "intDiv", "intMod"] {
            for a in [0, 1, i64::MIN, i64::MAX] {
                assert_eq!(stage.ints(name, &[a, 0]), 0);
                stage.ints(name, &[a, -1]);
            }
        }
        for name in ["intShiftL", "intShiftR", "intShiftRL"] {
            stage.ints(name, &[1, 64]);
            stage.ints(name, &[1, -1]);
        }
    }

    #[test]
    fn bits_are_counted_in_64() {
        let mut stage = Stage::new();
        assert_eq!(stage.ints("intPopCount", &[-1]), 64);
        assert_eq!(stage.ints("intClz", &[0]), 64);
        assert_eq!(stage.ints("intCtz", &[0]), 64);
        assert_eq!(stage.ints("intCtz", &[i64::MIN]), 63);
        assert_eq!(stage.ints("intShiftRL", &[-1, 60]), 15);
        assert_eq!(stage.ints("intShiftR", &[-16, 2]), -4);
        assert_eq!(stage.ints("intShiftL", &[3, 62]), -1 << 62);
    }

    proptest! {
        #[test]
        fn arithmetic_wraps(a: i64, b: i64) {
            let mut stage = Stage::new();
            prop_assert_eq!(stage.ints("intAdd", &[a, b]), a.wrapping_add(b));
            prop_assert_eq!(stage.ints("intSub", &[a, b]), a.wrapping_sub(b));
            prop_assert_eq!(stage.ints("intMul", &[a, b]), a.wrapping_mul(b));
            prop_assert_eq!(stage.ints("intNegate", &[a]), a.wrapping_neg());
        }

        #[test]
        fn quotient_and_remainder_make_the_dividend(a: i64, b in prop_oneof![any::<i64>(), -9..9i64]) {
            prop_assume!(b != 0 && b != -1);
            let mut stage = Stage::new();
            let (quot, rem) = (stage.ints("intQuot", &[a, b]), stage.ints("intRem", &[a, b]));
            prop_assert_eq!(quot * b + rem, a);
            prop_assert!(rem == 0 || (rem < 0) == (a < 0));
            let (div, modulo) = (stage.ints("intDiv", &[a, b]), stage.ints("intMod", &[a, b]));
            prop_assert_eq!(div.wrapping_mul(b).wrapping_add(modulo), a);
            prop_assert!(modulo == 0 || (modulo < 0) == (b < 0));
            prop_assert!(modulo.unsigned_abs() < b.unsigned_abs());
        }

        #[test]
        fn comparisons_agree(a: i64, b in any::<i64>()) {
            let mut stage = Stage::new();
            for (a, b) in [(a, b), (a, a)] {
                let (left, right) = (stage.int(a), stage.int(b));
                let words = [left, right];
                prop_assert_eq!(stage.bool("intEq", &words), a == b);
                prop_assert_eq!(stage.bool("intNe", &words), a != b);
                prop_assert_eq!(stage.bool("intLt", &words), a < b);
                prop_assert_eq!(stage.bool("intLe", &words), a <= b);
                prop_assert_eq!(stage.bool("intGt", &words), a > b);
                prop_assert_eq!(stage.bool("intGe", &words), a >= b);
                prop_assert_eq!(stage.ordering("intCompare", &words), a.cmp(&b));
            }
        }

        #[test]
        fn digits_are_those_of_the_number(a in prop_oneof![any::<i64>(), -20..20i64, Just(i64::MIN)]) {
            let mut stage = Stage::new();
            let word = stage.int(a);
            prop_assert_eq!(stage.text("intShow", &[word]), a.to_string());
        }
    }
}
