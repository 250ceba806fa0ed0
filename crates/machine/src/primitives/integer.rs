//! `Integer`: whole numbers without bounds.
//!
//! A number of 61 bits is the word itself. Any other is a `Raw` object: its first word is the sign (0, or 1 if negative),
//! then come the 64-bit digits of the magnitude, the lowest first, the highest not 0. A number has one representation
//! only, so that equal numbers are equal words or equal objects, and an object is larger in magnitude than any word.
//!
//! Two words are computed directly, numbers that fit 128 bits with the processor's long arithmetic, and
//! larger ones with `dashu-int`, whose digits have the same layout.

use std::cmp::Ordering;

use dashu_int::ops::DivRem;
use dashu_int::{IBig, Sign, UBig};

use super::{Context, Failure, FailureKind, Primitive, Stop, cheap, pure};
use crate::heap::{Exhausted, Kind};
use crate::word::Word;

/// Numbers up to this many digits are copied without an allocation.
const SHORT: usize = 16;

impl<const TAG: usize> Context<'_, TAG> {
    /// An `Integer` of at most 128 bits.
    #[inline]
    pub(crate) fn integer(&mut self, value: i128) -> Result<Word, Stop> {
        if let Some(word) = i64::try_from(value).ok().and_then(Word::int) {
            return Ok(word);
        }
        let (sign, magnitude) = (u64::from(value < 0), value.unsigned_abs());
        match magnitude >> 64 {
            0 => self.raw(&[sign, magnitude as u64]),
            high => self.raw(&[sign, magnitude as u64, high as u64]),
        }
    }

    /// Any `Integer`.
    pub(super) fn large_integer(&mut self, value: &IBig) -> Result<Word, Stop> {
        let (sign, digits) = value.as_sign_words();
        if digits.len() <= 1 {
            let magnitude = i128::from(digits.first().copied().unwrap_or(0));
            return self.integer(if sign == Sign::Negative { -magnitude } else { magnitude });
        }
        let length = digits.len() + 1;
        let object = self.heap.allocate_anywhere(Kind::Raw, length as u32, length, self.tag)?;
        self.heap.set_raw(object, 0, u64::from(sign == Sign::Negative));
        for (at, &digit) in digits.iter().enumerate() {
            self.heap.set_raw(object, at + 1, digit);
        }
        Ok(Word::value(object))
    }

    /// The `Integer` of decimal digits, perhaps with a sign, as literals have them.
    pub(crate) fn integer_from_digits(&mut self, digits: &str) -> Result<Word, Stop> {
        match digits.parse() {
            Ok(value) => self.integer(value),
            Err(_) => self.large_integer(&digits.parse().unwrap_or(IBig::ZERO)),
        }
    }

    /// The `Integer` that an argument is.
    pub(super) fn to_large_integer(&self, word: Word) -> IBig {
        let Some(object) = word.index() else { return IBig::from(word.as_int().unwrap_or(0)) };
        let length = self.heap.length(object) - 1;
        let magnitude = if length <= SHORT {
            let mut digits = [0; SHORT];
            for (at, digit) in digits[..length].iter_mut().enumerate() {
                *digit = self.heap.raw(object, at + 1);
            }
            UBig::from_words(&digits[..length])
        } else {
            let digits: Vec<u64> = (0..length).map(|at| self.heap.raw(object, at + 1)).collect();
            UBig::from_words(&digits)
        };
        IBig::from_parts(if self.is_negative(word) { Sign::Negative } else { Sign::Positive }, magnitude)
    }

    /// The `Integer` that an argument is, if its magnitude fits 127 bits: so it can be negated, or divided by -1.
    fn to_wide_integer(&self, word: Word) -> Option<i128> {
        if let Some(value) = word.as_int() {
            return Some(i128::from(value));
        }
        let object = word.index()?;
        let magnitude = match self.heap.length(object) {
            2 => u128::from(self.heap.raw(object, 1)),
            3 => u128::from(self.heap.raw(object, 1)) | u128::from(self.heap.raw(object, 2)) << 64,
            _ => return None,
        };
        let value = i128::try_from(magnitude).ok()?;
        Some(if self.is_negative(word) { -value } else { value })
    }

    pub(super) fn is_negative(&self, integer: Word) -> bool {
        match integer.as_int() {
            Some(value) => value < 0,
            None => integer.index().is_some_and(|object| self.heap.raw(object, 0) == 1),
        }
    }

    /// How many digits of 64 bits the magnitude has.
    pub(super) fn digits(&self, integer: Word) -> usize {
        match integer.as_int() {
            Some(value) => usize::from(value != 0),
            None => integer.index().map_or(0, |object| self.heap.length(object) - 1),
        }
    }

    /// A digit of the magnitude, counted from the lowest; 0 where there is none.
    pub(super) fn digit(&self, integer: Word, at: usize) -> u64 {
        match (integer.as_int(), integer.index()) {
            (Some(value), _) if at == 0 => value.unsigned_abs(),
            (None, Some(object)) if at + 1 < self.heap.length(object) => self.heap.raw(object, at + 1),
            _ => 0,
        }
    }

    /// How many bits the magnitude has.
    pub(super) fn bit_length(&self, integer: Word) -> u64 {
        match self.digits(integer) {
            0 => 0,
            digits => 64 * digits as u64 - u64::from(self.digit(integer, digits - 1).leading_zeros()),
        }
    }

    fn compare_integers(&self, a: Word, b: Word) -> Ordering {
        if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
            return a.cmp(&b);
        }
        match (self.is_negative(a), self.is_negative(b)) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.compare_magnitudes(a, b),
            (true, true) => self.compare_magnitudes(b, a),
        }
    }

    fn compare_magnitudes(&self, a: Word, b: Word) -> Ordering {
        let length = self.digits(a);
        length.cmp(&self.digits(b)).then_with(|| {
            let digits = (0..length).rev().map(|at| self.digit(a, at).cmp(&self.digit(b, at)));
            digits.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        })
    }
}

/// An operation on two numbers, in three sizes.
macro_rules! binary {
    ($name:ident, $small:expr, $wide:expr, $large:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let (a, b) = (arguments[0], arguments[1]);
            if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
                let small: fn(i64, i64) -> i128 = $small;
                return context.integer(small(a, b));
            }
            if let (Some(a), Some(b)) = (context.to_wide_integer(a), context.to_wide_integer(b)) {
                let wide: fn(i128, i128) -> Option<i128> = $wide;
                if let Some(value) = wide(a, b) {
                    return context.integer(value);
                }
            }
            let large: fn(&IBig, &IBig) -> IBig = $large;
            let value = large(&context.to_large_integer(a), &context.to_large_integer(b));
            context.large_integer(&value)
        }
    };
}

/// The same, where the second number must not be 0.
macro_rules! division {
    ($name:ident, $small:expr, $wide:expr, $large:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            binary!(divide, $small, $wide, $large);
            not_zero(arguments[1])?;
            divide(context, arguments)
        }
    };
}

fn not_zero(divisor: Word) -> Result<(), Stop> {
    match divisor.as_int() {
        Some(0) => Err(Failure::new(FailureKind::DivideByZero, "", "divide by zero").into()),
        _ => Ok(()),
    }
}

binary!(add, |a, b| i128::from(a + b), i128::checked_add, |a, b| a + b);
binary!(sub, |a, b| i128::from(a - b), i128::checked_sub, |a, b| a - b);
binary!(mul, |a, b| i128::from(a) * i128::from(b), i128::checked_mul, |a, b| a * b);
division!(quot, |a, b| i128::from(a / b), i128::checked_div, |a, b| a / b);
division!(rem, |a, b| i128::from(a % b), i128::checked_rem, |a, b| a % b);
division!(
    div,
    |a, b| i128::from(if a % b != 0 && (a < 0) != (b < 0) { a / b - 1 } else { a / b }),
    |a, b| {
        let (quot, rem) = (a.checked_div(b)?, a.checked_rem(b)?);
        Some(if rem != 0 && (rem < 0) != (b < 0) { quot - 1 } else { quot })
    },
    |a, b| {
        let (quot, rem) = a.div_rem(b);
        if !rem.is_zero() && rem.sign() != b.sign() { quot - 1 } else { quot }
    }
);
division!(
    modulo,
    |a, b| i128::from(if a % b != 0 && (a < 0) != (b < 0) { a % b + b } else { a % b }),
    |a, b| {
        let rem = a.checked_rem(b)?;
        Some(if rem != 0 && (rem < 0) != (b < 0) { rem + b } else { rem })
    },
    |a, b| {
        let rem = a % b;
        if !rem.is_zero() && rem.sign() != b.sign() { rem + b } else { rem }
    }
);
binary!(and, |a, b| i128::from(a & b), |a, b| Some(a & b), |a, b| a & b);
binary!(or, |a, b| i128::from(a | b), |a, b| Some(a | b), |a, b| a | b);
binary!(xor, |a, b| i128::from(a ^ b), |a, b| Some(a ^ b), |a, b| a ^ b);

fn quot_rem<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let (a, b) = (arguments[0], arguments[1]);
    not_zero(b)?;
    let (quot, rem) = if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
        (context.integer((a / b).into())?, context.integer((a % b).into())?)
    } else if let (Some(a), Some(b)) = (context.to_wide_integer(a), context.to_wide_integer(b)) {
        (context.integer(a / b)?, context.integer(a % b)?)
    } else {
        let (quot, rem) = context.to_large_integer(a).div_rem(&context.to_large_integer(b));
        (context.large_integer(&quot)?, context.large_integer(&rem)?)
    };
    context.pair(quot, rem)
}

fn negate<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    match context.to_wide_integer(arguments[0]) {
        Some(value) => context.integer(-value),
        None => {
            let value = -context.to_large_integer(arguments[0]);
            context.large_integer(&value)
        }
    }
}

fn from_int<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    if arguments[0].as_int().is_some() {
        return Ok(arguments[0]);
    }
    let value = context.to_int(arguments[0]);
    context.integer(value.into())
}

fn to_int<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    if arguments[0].as_int().is_some() {
        return Ok(arguments[0]);
    }
    let low = context.digit(arguments[0], 0) as i64;
    context.int(if context.is_negative(arguments[0]) { low.wrapping_neg() } else { low })
}

fn equal<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    Ok(context.bool(context.compare_integers(arguments[0], arguments[1]).is_eq()))
}

fn less<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    Ok(context.bool(context.compare_integers(arguments[0], arguments[1]).is_lt()))
}

fn less_equal<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    Ok(context.bool(context.compare_integers(arguments[0], arguments[1]).is_le()))
}

fn compare<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    Ok(context.ordering(context.compare_integers(arguments[0], arguments[1])))
}

fn show<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    match arguments[0].as_int() {
        Some(value) => context.decimal(value < 0, value.unsigned_abs()),
        None => {
            let text = context.to_large_integer(arguments[0]).to_string();
            context.string(&text)
        }
    }
}

/// Written digit by digit into the new object, so that a number that has no room takes no memory elsewhere.
fn shift_left<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let (number, by) = (arguments[0], context.to_int(arguments[1]).max(0) as u64);
    let bits = context.bit_length(number);
    if bits == 0 || by == 0 {
        return Ok(number);
    }
    // No overflow: the bits of a number in the heap are fewer than 2^40.
    let bits = bits + by;
    if bits < 127
        && let Some(value) = context.to_wide_integer(number)
    {
        return context.integer(value << by);
    }
    let length = bits.div_ceil(64) as usize + 1;
    if length > u32::MAX as usize {
        return Err(Exhausted.into());
    }
    let (skip, shift) = ((by / 64) as usize, by % 64);
    let object = context.heap.allocate_anywhere(Kind::Raw, length as u32, length, context.tag)?;
    context.heap.set_raw(object, 0, u64::from(context.is_negative(number)));
    for at in 0..length - 1 {
        let digit = match at.checked_sub(skip) {
            None => 0,
            Some(from) if shift == 0 => context.digit(number, from),
            Some(from) => {
                let below = if from == 0 { 0 } else { context.digit(number, from - 1) };
                context.digit(number, from) << shift | below >> (64 - shift)
            }
        };
        context.heap.set_raw(object, at + 1, digit);
    }
    Ok(Word::value(object))
}

fn shift_right<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let by = context.to_int(arguments[1]).max(0) as u64;
    if by >= context.bit_length(arguments[0]) {
        return context.integer(if context.is_negative(arguments[0]) { -1 } else { 0 });
    }
    match context.to_wide_integer(arguments[0]) {
        Some(value) => context.integer(value >> by),
        None => {
            let value = context.to_large_integer(arguments[0]) >> by as usize;
            context.large_integer(&value)
        }
    }
}

fn bit_length<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let bits = context.bit_length(arguments[0]);
    context.int(bits as i64)
}

pub(super) fn table<const TAG: usize>() -> &'static [Primitive<TAG>] {
    const {
        &[
            cheap("intToInteger", 1, from_int),
            cheap("integerToInt", 1, to_int),
            pure("integerAdd", 2, add),
            pure("integerSub", 2, sub),
            pure("integerMul", 2, mul),
            pure("integerNegate", 1, negate),
            pure("integerQuot", 2, quot),
            pure("integerRem", 2, rem),
            pure("integerDiv", 2, div),
            pure("integerMod", 2, modulo),
            pure("integerQuotRem", 2, quot_rem),
            cheap("integerEq", 2, equal),
            cheap("integerLt", 2, less),
            cheap("integerLe", 2, less_equal),
            cheap("integerCompare", 2, compare),
            pure("integerShow", 1, show),
            pure("integerAnd", 2, and),
            pure("integerOr", 2, or),
            pure("integerXor", 2, xor),
            pure("integerShiftL", 2, shift_left),
            pure("integerShiftR", 2, shift_right),
            cheap("integerBitLength", 1, bit_length),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::Stage;
    use super::*;
    use proptest::prelude::*;

    /// Numbers of all sizes, many of them near the edges of the representations.
    fn numbers() -> impl Strategy<Value = IBig> {
        let edges = [0u32, 1, 59, 60, 61, 63, 64, 65, 126, 127, 128, 129, 192, 1100];
        prop_oneof![
            any::<i8>().prop_map(IBig::from),
            any::<i64>().prop_map(IBig::from),
            any::<i128>().prop_map(IBig::from),
            (prop::collection::vec(any::<u64>(), 0..40), any::<bool>()).prop_map(|(digits, negative)| {
                let sign = if negative { Sign::Negative } else { Sign::Positive };
                IBig::from_parts(sign, UBig::from_words(&digits))
            }),
            (prop::sample::select(edges.to_vec()), -2..3i8, any::<bool>()).prop_map(
                |(edge, near, negative)| {
                    let value = (IBig::ONE << edge as usize) + IBig::from(near);
                    if negative { -value } else { value }
                }
            ),
        ]
    }

    impl Stage {
        fn integer(&mut self, value: &IBig) -> Word {
            self.context().large_integer(value).unwrap()
        }

        /// The result of a primitive, which is in its one representation.
        fn normal(&mut self, name: &str, arguments: &[Word]) -> IBig {
            let word = self.call(name, arguments).unwrap();
            self.read(word)
        }

        fn read(&mut self, word: Word) -> IBig {
            let value = self.context().to_large_integer(word);
            match i64::try_from(&value).ok().and_then(Word::int) {
                Some(small) => assert_eq!(word, small),
                None => {
                    let object = word.index().unwrap();
                    assert_ne!(self.heap.raw(object, self.heap.length(object) - 1), 0);
                    assert!(self.heap.raw(object, 0) <= 1);
                }
            }
            value
        }
    }

    proptest! {
        #[test]
        fn operations_agree_with_the_crate(a in numbers(), b in numbers()) {
            let mut stage = Stage::new();
            let words = [stage.integer(&a), stage.integer(&b)];
            prop_assert_eq!(stage.read(words[0]), a.clone());
            prop_assert_eq!(stage.normal("integerAdd", &words), &a + &b);
            prop_assert_eq!(stage.normal("integerSub", &words), &a - &b);
            prop_assert_eq!(stage.normal("integerMul", &words), &a * &b);
            prop_assert_eq!(stage.normal("integerNegate", &words[..1]), -a.clone());
            prop_assert_eq!(stage.normal("integerAnd", &words), &a & &b);
            prop_assert_eq!(stage.normal("integerOr", &words), &a | &b);
            prop_assert_eq!(stage.normal("integerXor", &words), &a ^ &b);
            prop_assert_eq!(stage.ordering("integerCompare", &words), a.cmp(&b));
            prop_assert_eq!(stage.bool("integerEq", &words), a == b);
            prop_assert_eq!(stage.bool("integerLt", &words), a < b);
            prop_assert_eq!(stage.bool("integerLe", &words), a <= b);
            prop_assert_eq!(stage.text("integerShow", &words[..1]), a.to_string());
            let read = stage.context().integer_from_digits(&a.to_string()).unwrap();
            prop_assert_eq!(stage.read(read), a.clone());
            let again = stage.integer(&a);
            prop_assert!(stage.bool("integerEq", &[words[0], again]));
        }

        #[test]
        fn quotient_and_remainder_make_the_dividend(a in numbers(), b in numbers()) {
            prop_assume!(!b.is_zero());
            let mut stage = Stage::new();
            let words = [stage.integer(&a), stage.integer(&b)];
            let (quot, rem) = (stage.normal("integerQuot", &words), stage.normal("integerRem", &words));
            prop_assert_eq!(&quot * &b + &rem, a.clone());
            prop_assert!(rem.is_zero() || rem.sign() == a.sign());
            let (div, modulo) = (stage.normal("integerDiv", &words), stage.normal("integerMod", &words));
            prop_assert_eq!(&div * &b + &modulo, a);
            prop_assert!(modulo.is_zero() || modulo.sign() == b.sign());
            let magnitude = |value: &IBig| value.as_sign_words().1.to_vec().into_iter().rev().collect::<Vec<_>>();
            for rest in [&rem, &modulo] {
                prop_assert!(magnitude(rest).len() < magnitude(&b).len()
                    || magnitude(rest).len() == magnitude(&b).len() && magnitude(rest) < magnitude(&b));
            }
            let pair = stage.call("integerQuotRem", &words).unwrap();
            let (first, second) = stage.parts(pair);
            prop_assert_eq!((stage.read(first), stage.read(second)), (quot, rem));
        }

        #[test]
        fn shifts_multiply_and_divide_by_powers_of_two(a in numbers(), by in prop_oneof![0..70usize, 0..3000usize]) {
            let mut stage = Stage::new();
            let words = [stage.integer(&a), stage.int(by as i64)];
            let power = IBig::ONE << by;
            prop_assert_eq!(stage.normal("integerShiftL", &words), &a * &power);
            let integers = [words[0], stage.integer(&power)];
            prop_assert_eq!(stage.normal("integerShiftR", &words), stage.normal("integerDiv", &integers));
            let bits = stage.as_int("integerBitLength", &words[..1]);
            prop_assert_eq!(bits as usize, dashu_int::ops::BitTest::bit_len(&a.into_parts().1));
        }

        #[test]
        fn the_low_bits_are_those_of_the_two_s_complement(a in numbers(), int: i64) {
            let mut stage = Stage::new();
            let word = stage.integer(&a);
            let low = &a & IBig::from(u64::MAX);
            prop_assert_eq!(stage.as_int("integerToInt", &[word]) as u64, u64::try_from(low).unwrap());
            let word = stage.int(int);
            prop_assert_eq!(stage.normal("intToInteger", &[word]), IBig::from(int));
        }

        #[test]
        fn small_ones_agree_with_128_bits(a: i64, b: i64) {
            let mut stage = Stage::new();
            let words = [stage.integer(&a.into()), stage.integer(&b.into())];
            let (a, b) = (i128::from(a), i128::from(b));
            prop_assert_eq!(stage.normal("integerAdd", &words), IBig::from(a + b));
            prop_assert_eq!(stage.normal("integerMul", &words), IBig::from(a * b));
            if b != 0 {
                prop_assert_eq!(stage.normal("integerQuot", &words), IBig::from(a / b));
                prop_assert_eq!(stage.normal("integerRem", &words), IBig::from(a % b));
            }
        }
    }

    #[test]
    fn division_by_zero_is_a_failure() {
        let mut stage = Stage::new();
        let large = stage.integer(&(IBig::ONE << 200));
        let zero = stage.int(0);
        for name in ["integerQuot", "integerRem", "integerDiv", "integerMod", "integerQuotRem"] {
            for number in [large, zero] {
                let Err(Stop::Failure(failure)) = stage.call(name, &[number, zero]) else { panic!("{name}") };
                assert_eq!(failure.kind, FailureKind::DivideByZero);
            }
        }
    }

    #[test]
    fn a_number_that_has_no_room_exhausts_the_heap() {
        let mut stage = Stage::new();
        for by in [1 << 33, 1 << 40, i64::MAX] {
            for number in [IBig::ONE, -(IBig::ONE << 200)] {
                let words = [stage.integer(&number), stage.int(by)];
                let Err(Stop::Failure(failure)) = stage.call("integerShiftL", &words) else { panic!("{by}") };
                assert_eq!(failure.kind, FailureKind::HeapExhausted);
            }
        }
        let words = [stage.int(0), stage.int(i64::MAX)];
        assert_eq!(stage.normal("integerShiftL", &words), IBig::ZERO);
        let words = [stage.int(-5), stage.int(i64::MAX)];
        assert_eq!(stage.normal("integerShiftR", &words), IBig::NEG_ONE);
    }
}
