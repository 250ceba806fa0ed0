//! Numbers as Haskell's `show` writes them.

use gadfly_term::digits::{self, Digits};
use gadfly_trail::model::Ref;
use std::fmt::Write as _;

/// An integer with more digits to the base 2⁶⁰ than this is shown by its length: writing it out takes quadratic time.
const LONG: usize = 1 << 10;

/// A large integer, from the references of its node; `None` if they are not an integer. An integer that is too long to be
/// written out is given as a text in `Err`.
pub(super) fn integer(references: &[Ref]) -> Option<Result<String, String>> {
    let (Ref::Int(sign), digits) = references.split_first()? else { return None };
    let mut limbs = Vec::with_capacity(digits.len());
    for digit in digits {
        let Ref::Int(digit) = digit else { return None };
        limbs.push(u64::try_from(*digit).ok().filter(|digit| *digit < 1 << 60)?);
    }
    let minus = if *sign < 0 { "-" } else { "" };
    if limbs.len() > LONG {
        let digits = (limbs.len() as f64 * 60.0 * std::f64::consts::LOG10_2) as u64;
        return Some(Err(format!("<{minus}integer of about {digits} digits>")));
    }
    Some(Ok(format!("{minus}{}", decimal(limbs))))
}

/// Digits to the base 2⁶⁰, least first, to the base 10.
fn decimal(mut limbs: Vec<u64>) -> String {
    const PART: u64 = 1_000_000_000_000_000_000;
    let mut parts = Vec::new();
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    while !limbs.is_empty() {
        let mut rest = 0u64;
        for limb in limbs.iter_mut().rev() {
            let value = u128::from(rest) << 60 | u128::from(*limb);
            *limb = (value / u128::from(PART)) as u64;
            rest = (value % u128::from(PART)) as u64;
        }
        parts.push(rest);
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
    }
    let mut text = parts.pop().unwrap_or(0).to_string();
    for part in parts.into_iter().rev() {
        let _ = write!(text, "{part:018}");
    }
    text
}

/// A floating-point number of 64 bits: `0.1`, `1.0e-2`, `Infinity`.
pub(super) fn double(value: f64) -> String {
    written(value, digits::of_double)
}

/// One of 32 bits, given as that of 64 of the same value.
pub(super) fn single(value: f64) -> String {
    written(value, |value| digits::of_float(value as f32))
}

/// One of which it is not known which of these it is: if it has the precision of 32 bits, and would take many digits as one
/// of 64, it is taken for one of 32.
pub(super) fn guessed(value: f64) -> String {
    const MANY: usize = 12;
    match is_float(value.abs()) && digits::of_double(value.abs()).0.len() > MANY {
        true => single(value),
        false => double(value),
    }
}

fn written(value: f64, digits: impl Fn(f64) -> Digits) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    let minus = if value.is_sign_negative() { "-" } else { "" };
    let value = value.abs();
    if value == 0.0 {
        return format!("{minus}0.0");
    }
    let (digits, exponent) = digits(value);
    let digits: String = digits.into_iter().map(|digit| char::from(b'0' + digit)).collect();
    let exponent = exponent - 1;
    let body = match exponent {
        -1 => format!("0.{digits}"),
        0..7 => {
            let whole = exponent as usize + 1;
            let padded = format!("{digits:0<width$}", width = whole + 1);
            format!("{}.{}", &padded[..whole], &padded[whole..])
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            format!("{first}.{}e{exponent}", if rest.is_empty() { "0" } else { rest })
        }
    };
    format!("{minus}{body}")
}

/// Whether a number has at most the 24 bits of a `Float`, and more than small fractions have.
fn is_float(value: f64) -> bool {
    let zeros = value.to_bits().trailing_zeros();
    (29..=36).contains(&zeros) && f64::from(value as f32) == value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_as_haskell_shows_them() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-2.5, "-2.5"),
            (0.1, "0.1"),
            (0.125, "0.125"),
            (0.01, "1.0e-2"),
            (0.0123, "1.23e-2"),
            (123456.789, "123456.789"),
            (1234567.0, "1234567.0"),
            (9999999.0, "9999999.0"),
            (1e7, "1.0e7"),
            (12345678.9, "1.23456789e7"),
            (1e100, "1.0e100"),
            (5e-324, "5.0e-324"),
            (1.0 / 3.0, "0.3333333333333333"),
            (f64::from(1.0f32 / 3.0), "0.3333333432674408"),
            (1e23, "9.999999999999999e22"),
            (1152921504606846976.0, "1.152921504606847e18"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(double(value), text);
        }
        assert_eq!(double(f64::NAN), "NaN");
        assert_eq!(double(1e22 * 10.0), "9.999999999999999e22");
        assert_eq!(single(f64::from(1.0f32 / 3.0)), "0.33333334");
        assert_eq!(guessed(f64::from(1.0f32 / 3.0)), "0.33333334");
        assert_eq!(guessed(f64::from(0.1f32)), "0.1");
    }

    #[test]
    fn integers_of_many_digits() {
        let of = |sign, digits: &[i64]| {
            let mut references = vec![Ref::Int(sign)];
            references.extend(digits.iter().map(|digit| Ref::Int(*digit)));
            integer(&references)
        };
        assert_eq!(of(1, &[]), Some(Ok("0".into())));
        assert_eq!(of(1, &[0, 1]), Some(Ok("1152921504606846976".into())));
        assert_eq!(of(-1, &[1, 0, 1]), Some(Ok("-1329227995784915872903807060280344577".into())));
        assert_eq!(of(1, &[1 << 60]), None);
        assert!(matches!(of(1, &vec![1; LONG + 1]), Some(Err(text)) if text.contains("18513")));
        assert_eq!(integer(&[]), None);
        // 2^(60 * 1023) + … has so many digits.
        assert!(matches!(of(1, &vec![1; LONG]), Some(Ok(text)) if text.len() == 18478));
    }
}
