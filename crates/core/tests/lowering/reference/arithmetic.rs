//! Primitives on numbers and characters: they take evaluated arguments and return a value.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{Interpreter, State, Value};

impl Interpreter<'_> {
    /// A primitive whose arguments are evaluated.
    pub(super) fn compute(&self, state: &mut State, name: &str, values: &[Value]) -> Value {
        let value = match values {
            [Value::Int(a), Value::Int(b)] => int(name, *a, *b),
            [Value::Word(a), Value::Word(b)] => word(name, *a, *b),
            [Value::Integer(a), Value::Integer(b)] => integer(name, *a, *b),
            [Value::Double(a), Value::Double(b)] => double(name, *a, *b),
            _ => None,
        };
        let value = value.or_else(|| self.comparison(name, values)).or_else(|| conversion(name, values));
        match value.or_else(|| self.parts(state, name, values)) {
            Some(value) => value,
            None => panic!("the primitive {name} {values:?} is not known to the reference interpreter"),
        }
    }

    /// `intLt`, `charEq`, `doubleCompare` and so on.
    fn comparison(&self, name: &str, values: &[Value]) -> Option<Value> {
        let (kind, order) = match values {
            [Value::Int(a), Value::Int(b)] => ("int", Some(a.cmp(b))),
            [Value::Word(a), Value::Word(b)] => ("word", Some(a.cmp(b))),
            [Value::Integer(a), Value::Integer(b)] => ("integer", Some(a.cmp(b))),
            [Value::Char(a), Value::Char(b)] => ("char", Some(a.cmp(b))),
            [Value::Double(a), Value::Double(b)] if name.starts_with("float") => ("float", a.partial_cmp(b)),
            [Value::Double(a), Value::Double(b)] => ("double", a.partial_cmp(b)),
            _ => return None,
        };
        let holds = match name.strip_prefix(kind)? {
            "Eq" => order == Some(Ordering::Equal),
            "Ne" => order != Some(Ordering::Equal),
            "Lt" => order == Some(Ordering::Less),
            "Le" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            "Gt" => order == Some(Ordering::Greater),
            "Ge" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            "Compare" => {
                let name = ["LT", "EQ", "GT"][(order? as i8 + 1) as usize];
                return Some(Value::Construct(self.constructor(name), Rc::new([])));
            }
            _ => return None,
        };
        Some(Value::Construct(self.constructor(if holds { "True" } else { "False" }), Rc::new([])))
    }

    /// Primitives that give pairs, and Curry's `&`: its sides are evaluated one after the other here.
    fn parts(&self, state: &mut State, name: &str, values: &[Value]) -> Option<Value> {
        if let ("conjunction", [left, right]) = (name, values) {
            let yes = Value::Construct(self.constructor("True"), Rc::new([]));
            return Some(if *left == yes { right.clone() } else { left.clone() });
        }
        let (first, second) = match (name, values) {
            ("integerQuotRem", [Value::Integer(a), Value::Integer(b)]) => {
                (Value::Integer(a / b), Value::Integer(a % b))
            }
            ("doubleDecode", [Value::Double(a)]) => decode(*a),
            // The shortest digits 0.ddd * 10^e.
            ("doubleDigits", [Value::Double(a)]) => {
                let text = format!("{a:e}");
                let (digits, exponent) = text.split_once('e')?;
                let digits = digits.chars().filter_map(|digit| digit.to_digit(10));
                let digits: Vec<Value> = digits.map(|digit| Value::Int(i64::from(digit))).collect();
                (self.list(state, digits), Value::Int(exponent.parse::<i64>().ok()? + 1))
            }
            _ => return None,
        };
        let parts = Rc::new([state.new_value(first), state.new_value(second)]);
        Some(Value::Construct(self.constructor("(,)"), parts))
    }
}

fn int(name: &str, a: i64, b: i64) -> Option<Value> {
    Some(Value::Int(match name {
        "intAdd" => a.wrapping_add(b),
        "intSub" => a.wrapping_sub(b),
        "intMul" => a.wrapping_mul(b),
        "intQuot" => a.wrapping_div(b),
        "intRem" => a.wrapping_rem(b),
        "intDiv" => floor(a.into(), b.into()) as i64,
        "intMod" => (i128::from(a) - floor(a.into(), b.into()) * i128::from(b)) as i64,
        "intAnd" => a & b,
        "intOr" => a | b,
        "intXor" => a ^ b,
        "intShiftL" => a.checked_shl(b as u32).unwrap_or(0),
        "intShiftR" => a >> b.min(63),
        _ => return None,
    }))
}

fn word(name: &str, a: u64, b: u64) -> Option<Value> {
    Some(Value::Word(match name {
        "wordAdd" => a.wrapping_add(b),
        "wordSub" => a.wrapping_sub(b),
        "wordMul" => a.wrapping_mul(b),
        "wordQuot" => a / b,
        "wordRem" => a % b,
        _ => return None,
    }))
}

fn integer(name: &str, a: i128, b: i128) -> Option<Value> {
    Some(Value::Integer(match name {
        "integerAdd" => a + b,
        "integerSub" => a - b,
        "integerMul" => a * b,
        "integerQuot" => a / b,
        "integerRem" => a % b,
        "integerDiv" => floor(a, b),
        "integerMod" => a - floor(a, b) * b,
        "integerAnd" => a & b,
        "integerOr" => a | b,
        "integerXor" => a ^ b,
        _ => return None,
    }))
}

fn double(name: &str, a: f64, b: f64) -> Option<Value> {
    Some(Value::Double(match name {
        "doubleAdd" => a + b,
        "doubleSub" => a - b,
        "doubleMul" => a * b,
        "doubleDiv" => a / b,
        "doublePow" => a.powf(b),
        "floatAdd" => f64::from(a as f32 + b as f32),
        "floatSub" => f64::from(a as f32 - b as f32),
        "floatMul" => f64::from(a as f32 * b as f32),
        "floatDiv" => f64::from(a as f32 / b as f32),
        _ => return None,
    }))
}

/// From one kind of value to another, and what has one argument.
fn conversion(name: &str, values: &[Value]) -> Option<Value> {
    let string = |text: String| Value::String(text.chars().map(u32::from).collect(), 0);
    let letter = |code: &u32, change: fn(char) -> Option<char>| {
        Value::Char(char::from_u32(*code).and_then(change).map_or(*code, u32::from))
    };
    Some(match (name, values) {
        ("intNegate", [Value::Int(a)]) => Value::Int(a.wrapping_neg()),
        ("intShow", [Value::Int(a)]) => string(a.to_string()),
        ("intToInteger", [Value::Int(a)]) => Value::Integer(i128::from(*a)),
        ("intToWord", [Value::Int(a)]) => Value::Word(*a as u64),
        ("intToDouble", [Value::Int(a)]) => Value::Double(*a as f64),
        ("intPopCount", [Value::Int(a)]) => Value::Int(i64::from(a.count_ones())),
        ("wordToInt", [Value::Word(a)]) => Value::Int(*a as i64),
        ("wordToInteger", [Value::Word(a)]) => Value::Integer(i128::from(*a)),
        ("integerNegate", [Value::Integer(a)]) => Value::Integer(-a),
        ("integerShow", [Value::Integer(a)]) => string(a.to_string()),
        ("integerToInt", [Value::Integer(a)]) => Value::Int(*a as i64),
        ("integerToDouble", [Value::Integer(a)]) => Value::Double(*a as f64),
        ("integerBitLength", [Value::Integer(a)]) => Value::Int(128 - i64::from(a.leading_zeros())),
        ("integerShiftL", [Value::Integer(a), Value::Int(b)]) => Value::Integer(a << b),
        ("integerShiftR", [Value::Integer(a), Value::Int(b)]) => Value::Integer(a >> (*b).min(127)),
        ("charOrd", [Value::Char(a)]) => Value::Int(i64::from(*a)),
        ("charChr", [Value::Int(a)]) => Value::Char(*a as u32),
        ("charToUpper" | "charToTitle", [Value::Char(a)]) => letter(a, |char| char.to_uppercase().next()),
        ("charToLower", [Value::Char(a)]) => letter(a, |char| char.to_lowercase().next()),
        ("charCategory", [Value::Char(a)]) => Value::Int(category(*a)),
        ("doubleNegate" | "floatNegate", [Value::Double(a)]) => Value::Double(-a),
        ("doubleSqrt", [Value::Double(a)]) => Value::Double(a.sqrt()),
        ("doubleTruncate", [Value::Double(a)]) => Value::Integer(a.trunc() as i128),
        ("doubleEncode", [Value::Integer(a), Value::Int(b)]) => {
            Value::Double(*a as f64 * 2f64.powi(*b as i32))
        }
        ("doubleToFloat", [Value::Double(a)]) => Value::Double(f64::from(*a as f32)),
        ("floatToDouble", [Value::Double(a)]) => Value::Double(*a),
        ("stdout", []) => Value::Int(1),
        ("stderr", []) => Value::Int(2),
        _ => return None,
    })
}

/// A number as an integer and a power of two.
fn decode(number: f64) -> (Value, Value) {
    let bits = number.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let mantissa = (bits & ((1 << 52) - 1)) | (u64::from(exponent != 0) << 52);
    let sign = if number < 0.0 { -1 } else { 1 };
    match mantissa {
        0 => (Value::Integer(0), Value::Int(0)),
        _ => (Value::Integer(sign * i128::from(mantissa)), Value::Int(exponent.max(1) - 1075)),
    }
}

/// The general category of a character, as far as tests need it.
fn category(code: u32) -> i64 {
    match char::from_u32(code) {
        Some('A'..='Z') => 0,
        Some('a'..='z') => 1,
        Some('0'..='9') => 8,
        Some(' ') => 22,
        Some(c) if c.is_control() => 25,
        Some('(' | '[' | '{') => 13,
        Some(')' | ']' | '}') => 14,
        Some('+' | '<' | '=' | '>' | '|' | '~') => 18,
        _ => 17,
    }
}

/// Division towards minus infinity.
fn floor(a: i128, b: i128) -> i128 {
    let down = a % b != 0 && (a < 0) != (b < 0);
    a / b - i128::from(down)
}
