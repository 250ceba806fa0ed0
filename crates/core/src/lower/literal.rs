//! Numbers, characters and strings.
//!
//! A number of a type that the kernel knows is a literal; a number of any other type is a call of
//! `fromInteger` or `fromRational`. Numbers may be of any size: they are kept as digits.

use gadfly_source::Span;
use gadfly_syntax::tree::{ExprId as SyntaxId, Literal as SyntaxLiteral};
use gadfly_typing::interface::{Note, Overloading, TypeConId};
use gadfly_typing::{KnownClass, KnownType, builtin};

use super::Lowering;
use super::apply::Operand;
use crate::kernel::{Argument, Atom, Expr, ExprId, Literal};

/// Beyond this exponent a fraction of a type that the kernel does not know is not written out.
const LARGEST_EXPONENT: i64 = 5_000;
/// Nor is a number with more digits than this that is not written in decimal.
const MOST_DIGITS: usize = 20_000;

impl Lowering<'_> {
    pub(super) fn literal(
        &mut self,
        expr: SyntaxId,
        literal: SyntaxLiteral,
        negative: bool,
        span: Span,
    ) -> ExprId {
        match literal {
            SyntaxLiteral::Char(code) => self.literal_expr(Literal::Char(code), span),
            SyntaxLiteral::String(codes) => match self.notes().expr(expr) {
                Note::Overloaded(text) => self.overloaded_number(literal, negative, text, span),
                _ => self.string(codes, span),
            },
            SyntaxLiteral::Integer(_) | SyntaxLiteral::LargeInteger(_) | SyntaxLiteral::Fractional(_) => {
                match self.notes().expr(expr) {
                    Note::Overloaded(number) => {
                        match self.known_number(literal, negative, number.constructor) {
                            Some(literal) => self.literal_expr(literal, span),
                            None => self.overloaded_number(literal, negative, number, span),
                        }
                    }
                    _ => match self.known_number(literal, negative, None) {
                        Some(literal) => self.literal_expr(literal, span),
                        None => self.unknown("a number", span),
                    },
                }
            }
        }
    }

    fn string(&mut self, codes: gadfly_syntax::tree::List<u32>, span: Span) -> ExprId {
        let codes = self.tree().list(codes);
        match codes.is_empty() {
            true => {
                let nil = self.kernel_constructor(builtin::NIL);
                self.atom_expr(Argument { atom: Atom::Constructor(nil), span }, false)
            }
            false => self.literal_expr(Literal::String(codes.into()), span),
        }
    }

    /// A number of a type that the kernel knows.
    pub(super) fn known_number(
        &self,
        literal: SyntaxLiteral,
        negative: bool,
        at: Option<TypeConId>,
    ) -> Option<Literal> {
        let known = self.typed.known.which(at?)?;
        if let SyntaxLiteral::Fractional(symbol) = literal {
            let text = self.text(symbol);
            let value = fraction_as_float(text);
            return match known {
                KnownType::Double => Some(double(if negative { -value } else { value })),
                KnownType::Float if self.is_curry() => Some(double(if negative { -value } else { value })),
                KnownType::Float => {
                    let value: f32 = text.parse().unwrap_or(value as f32);
                    Some(float(if negative { -value } else { value }))
                }
                _ => None,
            };
        }
        let digits = self.digits(literal)?;
        let signed = |digits: &str| match negative && digits != "0" {
            true => format!("-{digits}"),
            false => digits.to_owned(),
        };
        match known {
            // Curry's integers have no bounds.
            KnownType::Int if self.is_curry() => Some(Literal::Integer(signed(&digits).into())),
            KnownType::Int => {
                let value = modulo(&digits) as i64;
                Some(Literal::Int(if negative { value.wrapping_neg() } else { value }))
            }
            KnownType::Word => {
                let value = modulo(&digits);
                Some(Literal::Word(if negative { value.wrapping_neg() } else { value }))
            }
            KnownType::Integer => Some(Literal::Integer(signed(&digits).into())),
            KnownType::Double | KnownType::Float if known == KnownType::Double || self.is_curry() => {
                let value: f64 = digits.parse().unwrap_or(f64::INFINITY);
                Some(double(if negative { -value } else { value }))
            }
            KnownType::Float => {
                let value: f32 = digits.parse().unwrap_or(f32::INFINITY);
                Some(float(if negative { -value } else { value }))
            }
            _ => None,
        }
    }

    /// A number of any other type.
    pub(super) fn overloaded_number(
        &mut self,
        literal: SyntaxLiteral,
        negative: bool,
        number: Overloading,
        span: Span,
    ) -> ExprId {
        if let SyntaxLiteral::String(codes) = literal {
            let mut pending = super::apply::Pending::default();
            let string = self.string(codes, span);
            let operands = [Operand::Atom(Argument { atom: self.atom_of(string, &mut pending), span })];
            let expr =
                self.known_call(KnownClass::IsString, "fromString", number.dictionary, &operands, span);
            return self.close(pending, expr);
        }
        if let (SyntaxLiteral::Fractional(symbol), true) = (literal, self.is_curry()) {
            let value = fraction_as_float(self.text(symbol));
            let literal = self.out.add_literal(double(if negative { -value } else { value }));
            let operands = [Operand::Atom(Argument { atom: Atom::Literal(literal), span })];
            return self.known_call(KnownClass::Fractional, "fromFloat", number.dictionary, &operands, span);
        }
        if let SyntaxLiteral::Fractional(symbol) = literal {
            let Some((numerator, denominator)) = fraction(self.text(symbol)) else {
                return self.unknown("a number of this size", span);
            };
            let sign = if negative && numerator != "0" { "-" } else { "" };
            let numerator = self.integer_argument(&format!("{sign}{numerator}"), span);
            let denominator = self.integer_argument(&denominator, span);
            let Some(ratio) = self.constructor_of(KnownType::Ratio, 0) else {
                return self.unknown("Ratio", span);
            };
            let mut pending = super::apply::Pending::default();
            let ratio = self.kernel_constructor(ratio);
            let arguments = self.out.add_list(&[numerator, denominator]);
            let ratio = self.made(Expr::Construct(ratio, arguments), span);
            let ratio = Argument { atom: self.atom_of(ratio, &mut pending), span };
            let operands = [Operand::Atom(ratio)];
            let expr =
                self.known_call(KnownClass::Fractional, "fromRational", number.dictionary, &operands, span);
            return self.close(pending, expr);
        }
        let Some(digits) = self.digits(literal) else {
            return self.unknown("a number of this size", span);
        };
        let sign = if negative && digits != "0" { "-" } else { "" };
        let integer = self.integer_argument(&format!("{sign}{digits}"), span);
        let method = if self.is_curry() { "fromInt" } else { "fromInteger" };
        self.known_call(KnownClass::Num, method, number.dictionary, &[Operand::Atom(integer)], span)
    }

    fn integer_argument(&mut self, digits: &str, span: Span) -> Argument {
        let literal = self.out.add_literal(Literal::Integer(digits.into()));
        Argument { atom: Atom::Literal(literal), span }
    }

    /// The decimal digits of an integer.
    fn digits(&self, literal: SyntaxLiteral) -> Option<String> {
        match literal {
            SyntaxLiteral::Integer(value) => Some(value.to_string()),
            SyntaxLiteral::LargeInteger(symbol) => {
                let text = self.text(symbol);
                let (base, digits) = match text.get(..2) {
                    Some("0x" | "0X") => (16, &text[2..]),
                    Some("0o" | "0O") => (8, &text[2..]),
                    Some("0b" | "0B") => (2, &text[2..]),
                    _ => (10, text),
                };
                (base == 10 || digits.len() <= MOST_DIGITS).then(|| decimal(digits, base))
            }
            _ => None,
        }
    }
}

fn double(value: f64) -> Literal {
    Literal::Double(value.to_bits())
}

fn float(value: f32) -> Literal {
    Literal::Float(value.to_bits())
}

fn fraction_as_float(text: &str) -> f64 {
    text.parse().unwrap_or(f64::INFINITY)
}

/// A number modulo 2^64.
fn modulo(digits: &str) -> u64 {
    digits.bytes().fold(0u64, |value, digit| {
        value.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0') & 15))
    })
}

/// The decimal digits of a number in another base.
fn decimal(digits: &str, base: u32) -> String {
    if base == 10 {
        let trimmed = digits.trim_start_matches('0');
        return if trimmed.is_empty() { "0".to_owned() } else { trimmed.to_owned() };
    }
    // Blocks of nine decimal digits, the lowest first.
    let mut blocks: Vec<u64> = vec![0];
    for digit in digits.chars().filter_map(|char| char.to_digit(base)) {
        let mut carry = u64::from(digit);
        for block in &mut blocks {
            let value = *block * u64::from(base) + carry;
            *block = value % 1_000_000_000;
            carry = value / 1_000_000_000;
        }
        if carry > 0 {
            blocks.push(carry);
        }
    }
    let mut text = blocks.last().map_or_else(String::new, u64::to_string);
    for block in blocks.iter().rev().skip(1) {
        text.push_str(&format!("{block:09}"));
    }
    text
}

/// A number with a point or an exponent as a fraction in lowest terms; `None` if it is too large to write out.
fn fraction(text: &str) -> Option<(String, String)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.trim_start_matches('+').parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = decimal(&format!("{whole}{part}"), 10);
    let exponent = exponent.checked_sub(part.len() as i64)?;
    if exponent.abs() > LARGEST_EXPONENT {
        return None;
    }
    if digits == "0" {
        return Some(("0".to_owned(), "1".to_owned()));
    }
    if exponent >= 0 {
        return Some((digits + &"0".repeat(exponent as usize), "1".to_owned()));
    }
    // The denominator is a power of ten: only twos and fives can be common.
    let mut numerator: Vec<u8> = digits.bytes().map(|digit| digit - b'0').collect();
    let mut twos = exponent.unsigned_abs();
    let mut fives = twos;
    while twos > 0 && numerator.last().is_some_and(|last| last % 2 == 0) {
        divide(&mut numerator, 2);
        twos -= 1;
    }
    while fives > 0 && numerator.last().is_some_and(|last| last % 5 == 0) {
        divide(&mut numerator, 5);
        fives -= 1;
    }
    let mut denominator = vec![1u8];
    for _ in 0..twos {
        multiply(&mut denominator, 2);
    }
    for _ in 0..fives {
        multiply(&mut denominator, 5);
    }
    let text = |digits: Vec<u8>| digits.into_iter().map(|digit| char::from(b'0' + digit)).collect::<String>();
    Some((text(numerator), text(denominator)))
}

fn divide(digits: &mut Vec<u8>, by: u8) {
    let mut rest = 0;
    for digit in digits.iter_mut() {
        let value = rest * 10 + *digit;
        *digit = value / by;
        rest = value % by;
    }
    let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
    digits.drain(..zeros.min(digits.len().saturating_sub(1)));
}

fn multiply(digits: &mut Vec<u8>, by: u8) {
    let mut carry = 0;
    for digit in digits.iter_mut().rev() {
        let value = *digit * by + carry;
        *digit = value % 10;
        carry = value / 10;
    }
    if carry > 0 {
        digits.insert(0, carry);
    }
}

#[cfg(test)]
mod tests {
    use super::{decimal, fraction, modulo};

    #[test]
    fn other_bases_become_decimal() {
        assert_eq!(decimal("ffffffffffffffffffff", 16), "1208925819614629174706175");
        assert_eq!(decimal("777", 8), "511");
        assert_eq!(decimal("0000", 10), "0");
        assert_eq!(modulo("18446744073709551617"), 1);
    }

    #[test]
    fn fractions_are_in_lowest_terms() {
        let check = |text, numerator: &str, denominator: &str| {
            assert_eq!(fraction(text), Some((numerator.to_owned(), denominator.to_owned())), "{text}");
        };
        check("0.5", "1", "2");
        check("1.25", "5", "4");
        check("2.50e1", "25", "1");
        check("0.001", "1", "1000");
        check("1e3", "1000", "1");
        check("0.0", "0", "1");
        check("3.14159", "314159", "100000");
        assert_eq!(fraction("1e99999999999"), None);
    }
}
