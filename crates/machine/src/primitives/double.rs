//! `Double` and `Float`: IEEE 754 numbers of 64 and 32 bits. A `Float` is held as the double of the same value.
//!
//! The functions of analysis are those of the C library, which GHC calls too. Rust has its own formulae for the
//! inverse hyperbolic ones; here they are as in the GNU library (after Sun's fdlibm), so that the last digit agrees.

use dashu_int::IBig;

use super::{Context, Primitive, Stop, cheap, pure};
use crate::word::Word;
use gadfly_term::digits::{self, Digits};

macro_rules! unary {
    ($name:ident, $act:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let act: fn(f64) -> f64 = $act;
            context.double(act(context.to_double(arguments[0])))
        }
    };
}

macro_rules! binary {
    ($name:ident, $act:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let (a, b) = (context.to_double(arguments[0]), context.to_double(arguments[1]));
            let act: fn(f64, f64) -> f64 = $act;
            context.double(act(a, b))
        }
    };
}

/// The same on `Float`s: the result is rounded to 32 bits.
macro_rules! float_binary {
    ($name:ident, $act:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let (a, b) = (context.to_double(arguments[0]) as f32, context.to_double(arguments[1]) as f32);
            let act: fn(f32, f32) -> f32 = $act;
            context.double(act(a, b).into())
        }
    };
}

macro_rules! relation {
    ($name:ident, $act:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let (a, b) = (context.to_double(arguments[0]), context.to_double(arguments[1]));
            let act: fn(&f64, &f64) -> bool = $act;
            Ok(context.bool(act(&a, &b)))
        }
    };
}

binary!(add, |a, b| a + b);
binary!(sub, |a, b| a - b);
binary!(mul, |a, b| a * b);
binary!(div, |a, b| a / b);
unary!(negate, |a| -a);
relation!(eq, f64::eq);
relation!(lt, f64::lt);
relation!(le, f64::le);
unary!(exp, f64::exp);
unary!(log, f64::ln);
unary!(sqrt, f64::sqrt);
binary!(pow, f64::powf);
unary!(sin, f64::sin);
unary!(cos, f64::cos);
unary!(tan, f64::tan);
unary!(asin, f64::asin);
unary!(acos, f64::acos);
unary!(atan, f64::atan);
unary!(sinh, f64::sinh);
unary!(cosh, f64::cosh);
unary!(tanh, f64::tanh);
unary!(asinh, inverse_sinh);
unary!(acosh, inverse_cosh);
unary!(atanh, inverse_tanh);
float_binary!(float_add, |a, b| a + b);
float_binary!(float_sub, |a, b| a - b);
float_binary!(float_mul, |a, b| a * b);
float_binary!(float_div, |a, b| a / b);
unary!(to_float, |a| f64::from(a as f32));

/// From here on, adding 1 to a square changes nothing; below its inverse, the functions are their arguments.
const LARGE: f64 = (1u64 << 28) as f64;

fn inverse_sinh(x: f64) -> f64 {
    let size = x.abs();
    if size.is_nan() || size.is_infinite() || size < 1.0 / LARGE {
        return x;
    }
    let value = if size > LARGE {
        size.ln() + std::f64::consts::LN_2
    } else if size > 2.0 {
        (2.0 * size + 1.0 / ((x * x + 1.0).sqrt() + size)).ln()
    } else {
        let square = x * x;
        (size + square / (1.0 + (1.0 + square).sqrt())).ln_1p()
    };
    value.copysign(x)
}

fn inverse_cosh(x: f64) -> f64 {
    if x >= LARGE {
        if x.is_infinite() { x } else { x.ln() + std::f64::consts::LN_2 }
    } else if x > 2.0 {
        (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln()
    } else if x >= 1.0 {
        let more = x - 1.0;
        (more + (2.0 * more + more * more).sqrt()).ln_1p()
    } else {
        f64::NAN
    }
}

fn inverse_tanh(x: f64) -> f64 {
    let size = x.abs();
    if size < 1.0 / LARGE || size.is_nan() {
        return x;
    }
    let twice = size + size;
    let value = if size < 0.5 {
        0.5 * (twice + twice * size / (1.0 - size)).ln_1p()
    } else if size < 1.0 {
        0.5 * (twice / (1.0 - size)).ln_1p()
    } else if size == 1.0 {
        f64::INFINITY
    } else {
        return f64::NAN;
    };
    value.copysign(x)
}

/// Mantissa and exponent: 53 bits, or 0. Infinities and NaN are decoded like numbers beyond the largest.
fn decoded(value: f64) -> (i64, i32) {
    let bits = value.to_bits();
    let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    let (mantissa, exponent) = match biased {
        _ if value.is_nan() => return (-3 << 51, 972),
        0 if fraction == 0 => return (0, 0),
        0 => {
            let shift = fraction.leading_zeros() - 11;
            (fraction << shift, -1074 - shift as i32)
        }
        _ => (fraction | 1 << 52, biased - 1075),
    };
    (if value.is_sign_negative() { -mantissa } else { mantissa }, exponent)
}

/// `m * 2^exponent` where `m`'s magnitude is `top * 2^(bits - 64)` and a bit more if `more`; rounded once, halves to even.
fn encoded(top: u64, more: bool, bits: u64, exponent: i64) -> f64 {
    // The exponent of the highest bit.
    let lead = (bits as i64).saturating_add(exponent).saturating_sub(1);
    if lead > 1023 {
        return f64::INFINITY;
    }
    if lead < -1075 {
        return 0.0;
    }
    let keep = (lead + 1075).min(53) as u32;
    let mantissa = top.checked_shr(64 - keep).unwrap_or(0);
    let (rest, half) = (top << keep, 1 << 63);
    let up = rest > half || rest == half && (more || mantissa % 2 == 1);
    // A mantissa that rounds up to the next power of two carries into the exponent, as intended.
    let power = if lead < -1022 { 0 } else { ((lead + 1022) as u64) << 52 };
    f64::from_bits(power + mantissa + u64::from(up))
}

impl<const TAG: usize> Context<'_, TAG> {
    /// An `Integer` times a power of two.
    fn encode(&self, integer: Word, exponent: i64) -> f64 {
        let bits = self.bit_length(integer);
        if bits == 0 {
            return 0.0;
        }
        let digits = self.digits(integer);
        let (first, second) =
            (self.digit(integer, digits - 1), if digits > 1 { self.digit(integer, digits - 2) } else { 0 });
        let shift = first.leading_zeros();
        let top = first << shift | second.checked_shr(64 - shift).unwrap_or(0);
        let more =
            second << shift != 0 || (0..digits.saturating_sub(2)).any(|at| self.digit(integer, at) != 0);
        let value = encoded(top, more, bits, exponent);
        if self.is_negative(integer) { -value } else { value }
    }

    fn digits_and_exponent(&mut self, (digits, exponent): Digits) -> Result<Word, Stop> {
        let mut list = self.basics.nil;
        for digit in digits.into_iter().rev() {
            let digit = self.int(digit.into())?;
            list = self.cons(digit, list)?;
        }
        let exponent = self.int(exponent.into())?;
        self.pair(list, exponent)
    }
}

fn truncate<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let value = context.to_double(arguments[0]);
    if value.abs() < i64::MAX as f64 {
        return context.integer((value as i64).into());
    }
    let (mantissa, exponent) = decoded(value);
    context.large_integer(&(IBig::from(mantissa) << exponent.max(0) as usize))
}

fn decode<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let (mantissa, exponent) = decoded(context.to_double(arguments[0]));
    let mantissa = context.integer(mantissa.into())?;
    let exponent = context.int(exponent.into())?;
    context.pair(mantissa, exponent)
}

fn encode<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let exponent = context.to_int(arguments[1]);
    context.double(context.encode(arguments[0], exponent))
}

fn from_integer<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    match arguments[0].as_int() {
        Some(value) => context.double(value as f64),
        None => context.double(context.encode(arguments[0], 0)),
    }
}

fn from_int<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    context.double(context.to_int(arguments[0]) as f64)
}

fn to_bits<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    context.int(context.to_double(arguments[0]).to_bits() as i64)
}

fn from_bits<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    context.double(f64::from_bits(context.to_int(arguments[0]) as u64))
}

fn double_digits<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let value = context.to_double(arguments[0]).abs();
    let digits = if value > 0.0 && value.is_finite() { digits::of_double(value) } else { (vec![0], 0) };
    context.digits_and_exponent(digits)
}

fn float_digits<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let value = context.to_double(arguments[0]).abs() as f32;
    let digits = if value > 0.0 && value.is_finite() { digits::of_float(value) } else { (vec![0], 0) };
    context.digits_and_exponent(digits)
}

fn same<const TAG: usize>(_: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    Ok(arguments[0])
}

pub(super) fn table<const TAG: usize>() -> &'static [Primitive<TAG>] {
    const {
        &[
            cheap("doubleAdd", 2, add),
            cheap("doubleSub", 2, sub),
            cheap("doubleMul", 2, mul),
            cheap("doubleDiv", 2, div),
            cheap("doubleNegate", 1, negate),
            cheap("doubleEq", 2, eq),
            cheap("doubleLt", 2, lt),
            cheap("doubleLe", 2, le),
            cheap("doubleExp", 1, exp),
            cheap("doubleLog", 1, log),
            cheap("doubleSqrt", 1, sqrt),
            cheap("doublePow", 2, pow),
            cheap("doubleSin", 1, sin),
            cheap("doubleCos", 1, cos),
            cheap("doubleTan", 1, tan),
            cheap("doubleAsin", 1, asin),
            cheap("doubleAcos", 1, acos),
            cheap("doubleAtan", 1, atan),
            cheap("doubleSinh", 1, sinh),
            cheap("doubleCosh", 1, cosh),
            cheap("doubleTanh", 1, tanh),
            cheap("doubleAsinh", 1, asinh),
            cheap("doubleAcosh", 1, acosh),
            cheap("doubleAtanh", 1, atanh),
            pure("doubleTruncate", 1, truncate),
            pure("doubleDecode", 1, decode),
            pure("doubleEncode", 2, encode),
            pure("doubleDigits", 1, double_digits),
            cheap("doubleToBits", 1, to_bits),
            cheap("doubleFromBits", 1, from_bits),
            pure("integerToDouble", 1, from_integer),
            cheap("intToDouble", 1, from_int),
            cheap("floatAdd", 2, float_add),
            cheap("floatSub", 2, float_sub),
            cheap("floatMul", 2, float_mul),
            cheap("floatDiv", 2, float_div),
            cheap("floatNegate", 1, negate),
            cheap("floatEq", 2, eq),
            cheap("floatLt", 2, lt),
            cheap("floatLe", 2, le),
            pure("floatDigits", 1, float_digits),
            cheap("floatToDouble", 1, same),
            cheap("doubleToFloat", 1, to_float),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::Stage;
    use super::*;
    use proptest::prelude::*;

    impl Stage {
        fn integer_of(&mut self, text: &str) -> Word {
            self.context().large_integer(&text.parse().unwrap()).unwrap()
        }

        fn truncated(&mut self, value: f64) -> String {
            let word = self.double(value);
            let word = self.call("doubleTruncate", &[word]).unwrap();
            self.text("integerShow", &[word])
        }

        fn decoded(&mut self, value: f64) -> (i64, i64) {
            let word = self.double(value);
            let pair = self.call("doubleDecode", &[word]).unwrap();
            let (mantissa, exponent) = self.parts(pair);
            (self.as_int("integerToInt", &[mantissa]), self.context().to_int(exponent))
        }

        fn encoded(&mut self, mantissa: &str, exponent: i64) -> f64 {
            let arguments = [self.integer_of(mantissa), self.int(exponent)];
            let word = self.call("doubleEncode", &arguments).unwrap();
            self.context().to_double(word)
        }
    }

    #[test]
    fn decoding_is_that_of_the_report() {
        let mut stage = Stage::new();
        for (value, expected) in [
            (0.0, (0, 0)),
            (-0.0, (0, 0)),
            (1.0, (1 << 52, -52)),
            (-0.1, (-7205759403792794, -56)),
            (5e-324, (1 << 52, -1126)),
            (f64::INFINITY, (1 << 52, 972)),
            (f64::NEG_INFINITY, (-1 << 52, 972)),
            (f64::NAN, (-6755399441055744, 972)),
        ] {
            assert_eq!(stage.decoded(value), expected, "{value}");
        }
    }

    #[test]
    fn truncation_goes_towards_zero() {
        let mut stage = Stage::new();
        assert_eq!(stage.truncated(-2.7), "-2");
        assert_eq!(stage.truncated(1e18), "1000000000000000000");
        assert_eq!(stage.truncated(-9223372036854775808.0), "-9223372036854775808");
        assert_eq!(stage.truncated(1e22), "10000000000000000000000");
        let infinity = (IBig::ONE << 1024).to_string();
        assert_eq!(stage.truncated(f64::INFINITY), infinity);
        assert_eq!(stage.truncated(f64::NEG_INFINITY), format!("-{infinity}"));
        assert_eq!(stage.truncated(f64::NAN), (-(IBig::from(3) << 1023)).to_string());
    }

    #[test]
    fn encoding_rounds_once() {
        let mut stage = Stage::new();
        assert_eq!(stage.encoded("1", -1074), 5e-324);
        assert_eq!(stage.encoded("1", -1075), 0.0);
        assert_eq!(stage.encoded("3", -1076), 5e-324);
        assert_eq!(stage.encoded("9007199254740993", 0), 9007199254740992.0);
        assert_eq!(stage.encoded("9007199254740995", 0), 9007199254740996.0);
        assert_eq!(stage.encoded("-9007199254740993", 0), -9007199254740992.0);
        assert_eq!(stage.encoded("1", 1023), 2f64.powi(1023));
        assert_eq!(stage.encoded("1", 1024), f64::INFINITY);
        assert_eq!(stage.encoded("-1", i64::MAX), f64::NEG_INFINITY);
        assert_eq!(stage.encoded("1", i64::MIN), 0.0);
        assert_eq!(stage.encoded("0", i64::MAX), 0.0);
        assert_eq!(stage.encoded("18014398509481983", 970), f64::INFINITY);
        // A bit far below decides between two neighbours.
        let half: IBig = (IBig::ONE << 300) + (IBig::ONE << 247);
        assert_eq!(stage.encoded(&half.to_string(), -300), 1.0);
        assert_eq!(stage.encoded(&(half + IBig::ONE).to_string(), -300), 1.0 + f64::EPSILON);
    }

    #[test]
    fn infinities_and_nan_are_compared_as_ieee_says() {
        let mut stage = Stage::new();
        let words = [stage.double(f64::NAN), stage.double(f64::NAN)];
        assert!(!stage.bool("doubleEq", &words));
        assert!(!stage.bool("doubleLe", &words));
        let words = [stage.double(0.0), stage.double(-0.0)];
        assert!(stage.bool("doubleEq", &words));
        assert_eq!(stage.doubles("doubleDiv", &[1.0, -0.0]), f64::NEG_INFINITY);
        assert_eq!(stage.doubles("doubleNegate", &[0.0]).to_bits(), 1 << 63);
    }

    #[test]
    fn floats_are_rounded_to_32_bits() {
        let mut stage = Stage::new();
        let tenth = f64::from(0.1f32);
        assert_eq!(stage.doubles("doubleToFloat", &[0.1]), tenth);
        assert_eq!(stage.doubles("floatAdd", &[tenth, f64::from(0.2f32)]), f64::from(0.1f32 + 0.2f32));
        assert_eq!(stage.doubles("floatMul", &[f64::from(f32::MAX), 2.0]), f64::INFINITY);
        assert_eq!(stage.doubles("doubleToFloat", &[1e-50]), 0.0);
    }

    #[test]
    fn inverse_hyperbolic_functions_know_their_domains() {
        assert!(inverse_cosh(0.5).is_nan() && inverse_cosh(f64::NAN).is_nan() && inverse_tanh(1.5).is_nan());
        assert_eq!(inverse_cosh(1.0), 0.0);
        assert_eq!(inverse_cosh(f64::INFINITY), f64::INFINITY);
        assert_eq!(inverse_tanh(-1.0), f64::NEG_INFINITY);
        assert_eq!(inverse_sinh(-0.0).to_bits(), 1 << 63);
        assert_eq!(inverse_sinh(f64::NEG_INFINITY), f64::NEG_INFINITY);
    }

    proptest! {
        #[test]
        fn decoding_and_encoding_is_nothing(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let mut stage = Stage::new();
            let (mantissa, exponent) = stage.decoded(value);
            let expected = if value == 0.0 { 0.0 } else { value };
            prop_assert_eq!(stage.encoded(&mantissa.to_string(), exponent).to_bits(), expected.to_bits());
            let word = stage.double(value);
            let word = stage.call("doubleToBits", &[word]).unwrap();
            let word = stage.call("doubleFromBits", &[word]).unwrap();
            prop_assert_eq!(stage.context().to_double(word).to_bits(), bits);
        }

        #[test]
        fn integers_are_rounded_to_the_nearest(value: i128, small: i64) {
            let mut stage = Stage::new();
            let word = stage.context().integer(value).unwrap();
            let word = stage.call("integerToDouble", &[word]).unwrap();
            prop_assert_eq!(stage.context().to_double(word), value as f64);
            let word = stage.int(small);
            let word = stage.call("intToDouble", &[word]).unwrap();
            prop_assert_eq!(stage.context().to_double(word), small as f64);
        }

        #[test]
        fn encoding_small_mantissas_agrees_with_reading(mantissa: u64, exponent in -1150..1000i32) {
            // Reading the exact decimal expansion rounds once, too.
            let exact = if exponent >= 0 {
                (IBig::from(mantissa) << exponent as usize).to_string()
            } else {
                format!("{}e{exponent}", IBig::from(mantissa) * IBig::from(5).pow(-exponent as usize))
            };
            let mut stage = Stage::new();
            let expected = exact.parse::<f64>().unwrap();
            prop_assert_eq!(stage.encoded(&mantissa.to_string(), exponent.into()), expected);
        }

        #[test]
        fn truncation_agrees_with_128_bits(value in -1e38..1e38f64) {
            let mut stage = Stage::new();
            prop_assert_eq!(stage.truncated(value), (value as i128).to_string());
        }
    }
}
