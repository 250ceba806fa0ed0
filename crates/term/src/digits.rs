//! The shortest decimal digits of a floating-point number.
//!
//! The report's `floatToDigits` (Burger and Dybvig, *Printing floating-point numbers quickly and accurately*, 1996): the
//! fewest digits that lie strictly between the midpoints to the two neighbours, and of those the closest to the number.
//! What Rust prints is the same, faster, but for one thing: where the mantissa is even it also accepts a midpoint, since
//! reading it gives the number back. That is rare and shows in the digits by a division; only then the exact
//! algorithm does the work.

use dashu_int::UBig;

/// Digits `d1 d2 …` and an exponent `e`: the number `0.d1d2… * 10^e`.
pub type Digits = (Vec<u8>, i32);

/// Of a positive finite number.
pub fn of_double(value: f64) -> Digits {
    let bits = value.to_bits();
    let binary = Binary::new(bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32, 52, -1074);
    binary.digits(&format!("{value:e}"))
}

/// Of a positive finite number.
pub fn of_float(value: f32) -> Digits {
    let bits = value.to_bits();
    let binary = Binary::new(u64::from(bits & ((1 << 23) - 1)), (bits >> 23 & 0xff) as i32, 23, -149);
    binary.digits(&format!("{value:e}"))
}

/// The number `mantissa * 2^exponent`.
struct Binary {
    mantissa: u64,
    exponent: i32,
    /// How many bits the mantissa has.
    precision: u32,
    /// It is a power of two: the neighbour below is half as far away as the one above.
    closer_below: bool,
}

impl Binary {
    fn new(fraction: u64, biased: i32, fraction_bits: u32, least: i32) -> Binary {
        let normal = biased != 0;
        Binary {
            mantissa: fraction | u64::from(normal) << fraction_bits,
            exponent: least + (biased - 1).max(0),
            precision: fraction_bits + 1,
            closer_below: fraction == 0 && biased > 1,
        }
    }

    /// The digits, given what Rust prints: `1.25e-7`.
    fn digits(&self, printed: &str) -> Digits {
        let (digits, exponent) = printed.split_once('e').unwrap_or((printed, "0"));
        let digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        let exponent = exponent.parse::<i32>().unwrap_or(0) + 1;
        match self.may_be_a_midpoint(&digits, exponent) {
            true => self.exact_digits(),
            false => (digits, exponent),
        }
    }

    /// Whether digits that Rust found may be a midpoint. If they are not, that is certain.
    ///
    /// With the digits as a whole number `d`, the question is whether `d * 10^q` equals `odd * 2^n`, where `odd`, twice
    /// (or four times) the mantissa and one more or less, has at most 55 bits. If `q` is positive, `5^q` divides `odd`; if
    /// it is negative, `5^-q` divides `d`, which has at most 17 digits.
    fn may_be_a_midpoint(&self, digits: &[u8], exponent: i32) -> bool {
        if self.mantissa % 2 == 1 {
            return false;
        }
        let whole =
            digits.iter().fold(0u64, |whole, &digit| whole.wrapping_mul(10).wrapping_add(digit.into()));
        let scale = exponent - digits.len() as i32;
        if scale == 0 && whole < 1 << self.precision {
            // The number itself.
            return false;
        }
        let Some(power) = 5u64.checked_pow(scale.unsigned_abs()) else { return false };
        if scale < 0 {
            return whole.is_multiple_of(power);
        }
        let below = if self.closer_below { 4 * self.mantissa - 1 } else { 2 * self.mantissa - 1 };
        (2 * self.mantissa + 1).is_multiple_of(power) || below.is_multiple_of(power)
    }

    fn exact_digits(&self) -> Digits {
        // The number is `rest / scale`; the midpoints are `above / scale` more and `below / scale` less.
        let (left, right) = (self.exponent.max(0) as usize, (-self.exponent).max(0) as usize);
        let mut rest = UBig::from(self.mantissa) << (left + 1);
        let mut scale = UBig::from(2u8) << right;
        let mut below = UBig::ONE << left;
        let mut above = below.clone();
        if self.closer_below {
            rest <<= 1;
            scale <<= 1;
            above <<= 1;
        }
        // The number is at least a power of two, so the exponent is at least its logarithm.
        let bits = 63 - self.mantissa.leading_zeros() as i32 + self.exponent;
        let mut exponent = (f64::from(bits) * std::f64::consts::LOG10_2 - 1e-9).ceil() as i32;
        let power = UBig::from(10u8).pow(exponent.unsigned_abs() as usize);
        if exponent >= 0 {
            scale *= power;
        } else {
            rest *= &power;
            above *= &power;
            below *= &power;
        }
        while &rest + &above > scale {
            scale *= 10u8;
            exponent += 1;
        }
        let mut digits = Vec::new();
        loop {
            rest *= 10u8;
            above *= 10u8;
            below *= 10u8;
            let mut digit = 0;
            while rest >= scale {
                rest -= &scale;
                digit += 1;
            }
            let (low, high) = (rest < below, &rest + &above > scale);
            if !low && !high {
                digits.push(digit);
                continue;
            }
            let up = high && !(low && &rest * 2u8 < scale);
            digits.push(digit + u8::from(up));
            return (digits, exponent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact_double(value: f64) -> Digits {
        let bits = value.to_bits();
        Binary::new(bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32, 52, -1074).exact_digits()
    }

    fn exact_float(value: f32) -> Digits {
        let bits = value.to_bits();
        Binary::new(u64::from(bits & ((1 << 23) - 1)), (bits >> 23 & 0xff) as i32, 23, -149).exact_digits()
    }

    fn text((digits, exponent): &Digits) -> String {
        let digits: String = digits.iter().map(|&digit| char::from(b'0' + digit)).collect();
        format!("0.{digits}e{exponent}")
    }

    #[test]
    fn a_midpoint_is_not_accepted() {
        assert_eq!(text(&of_double(1e23)), "0.9999999999999999e23");
        assert_eq!(text(&of_double(9.5e-3)), "0.95e-2");
        assert_eq!(text(&of_double(5e-324)), "0.5e-323");
        assert_eq!(text(&of_double(0.1)), "0.1e0");
        assert_eq!(text(&of_double(123456.0)), "0.123456e6");
        assert_eq!(text(&of_double(f64::MAX)), "0.17976931348623157e309");
        assert_eq!(text(&of_double(2f64.powi(-1022))), "0.22250738585072014e-307");
        assert_eq!(text(&of_float(0.1)), "0.1e0");
        assert_eq!(text(&of_float(16777216.0)), "0.16777216e8");
        assert_eq!(text(&of_float(f32::MAX)), "0.34028235e39");
    }

    #[test]
    fn powers_agree_with_the_exact_digits() {
        for exponent in -1074..1024 {
            let value = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
            assert_eq!(of_double(value), exact_double(value), "2^{exponent}");
        }
        for exponent in -149..128 {
            let value = 2f32.powi(exponent / 2) * 2f32.powi(exponent - exponent / 2);
            assert_eq!(of_float(value), exact_float(value), "2^{exponent}");
        }
        for exponent in -323..309 {
            for factor in 1..100 {
                let value: f64 = format!("{factor}e{exponent}").parse().unwrap();
                if value.is_finite() {
                    assert_eq!(of_double(value), exact_double(value), "{factor}e{exponent}");
                }
            }
        }
    }

    /// Numbers that are next to a midpoint with few digits.
    fn near_midpoints() -> impl Strategy<Value = f64> {
        (1..1u64 << 54, 0..=23u32, 0..60).prop_map(|(seed, power, shift)| {
            let power = 5u64.pow(power);
            let odd = (seed / power * power) | 1;
            let odd = if odd.is_multiple_of(power) { odd } else { power };
            (odd / 2) as f64 * 2f64.powi(shift)
        })
    }

    proptest! {
        #[test]
        fn shortest_digits_are_exact_and_come_back(bits in any::<u64>(), near in near_midpoints()) {
            for value in [f64::from_bits(bits & !(1 << 63)), near, (bits >> 8) as f64] {
                prop_assume!(value.is_finite() && value > 0.0);
                let digits = of_double(value);
                prop_assert_eq!(&digits, &exact_double(value));
                prop_assert_eq!(text(&digits).parse::<f64>().unwrap(), value);
            }
        }

        #[test]
        fn shortest_digits_of_floats_are_exact_and_come_back(bits in any::<u32>()) {
            let value = f32::from_bits(bits & !(1 << 31));
            prop_assume!(value.is_finite() && value > 0.0);
            let digits = of_float(value);
            prop_assert_eq!(&digits, &exact_float(value));
            prop_assert_eq!(text(&digits).parse::<f32>().unwrap(), value);
        }
    }
}
