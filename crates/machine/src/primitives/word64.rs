//! `Word`: 64 bits, unsigned. A value is held as the `Int` of the same bits.

use super::{Context, Primitive, Stop, cheap};
use crate::word::Word;

macro_rules! binary {
    ($name:ident, $act:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let (a, b) = (context.to_int(arguments[0]) as u64, context.to_int(arguments[1]) as u64);
            let act: fn(u64, u64) -> u64 = $act;
            context.int(act(a, b) as i64)
        }
    };
}

macro_rules! relation {
    ($name:ident, $act:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let (a, b) = (context.to_int(arguments[0]) as u64, context.to_int(arguments[1]) as u64);
            let act: fn(&u64, &u64) -> bool = $act;
            Ok(context.bool(act(&a, &b)))
        }
    };
}

binary!(add, u64::wrapping_add);
binary!(sub, u64::wrapping_sub);
binary!(mul, u64::wrapping_mul);
binary!(quot, |a, b| a.checked_div(b).unwrap_or(0));
binary!(rem, |a, b| a.checked_rem(b).unwrap_or(0));
relation!(eq, u64::eq);
relation!(lt, u64::lt);
relation!(le, u64::le);

fn same<const TAG: usize>(_: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    Ok(arguments[0])
}

fn to_integer<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let value = context.to_int(arguments[0]) as u64;
    context.integer(i128::from(value))
}

pub(super) fn table<const TAG: usize>() -> &'static [Primitive<TAG>] {
    const {
        &[
            cheap("wordAdd", 2, add),
            cheap("wordSub", 2, sub),
            cheap("wordMul", 2, mul),
            cheap("wordQuot", 2, quot),
            cheap("wordRem", 2, rem),
            cheap("wordEq", 2, eq),
            cheap("wordLt", 2, lt),
            cheap("wordLe", 2, le),
            cheap("wordToInt", 1, same),
            cheap("intToWord", 1, same),
            cheap("wordToInteger", 1, to_integer),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::Stage;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_unsigned(a: u64, b in prop_oneof![any::<u64>(), 0..9u64]) {
            let mut stage = Stage::new();
            let mut word = |name, a: u64, b: u64| stage.ints(name, &[a as i64, b as i64]) as u64;
            prop_assert_eq!(word("wordAdd", a, b), a.wrapping_add(b));
            prop_assert_eq!(word("wordSub", a, b), a.wrapping_sub(b));
            prop_assert_eq!(word("wordMul", a, b), a.wrapping_mul(b));
            prop_assert_eq!(word("wordQuot", a, b), a.checked_div(b).unwrap_or(0));
            prop_assert_eq!(word("wordRem", a, b), a.checked_rem(b).unwrap_or(0));
            let words = [stage.int(a as i64), stage.int(b as i64)];
            prop_assert_eq!(stage.bool("wordEq", &words), a == b);
            prop_assert_eq!(stage.bool("wordLt", &words), a < b);
            prop_assert_eq!(stage.bool("wordLe", &words), a <= b);
            let integer = stage.call("wordToInteger", &words[..1]).unwrap();
            prop_assert_eq!(stage.text("integerShow", &[integer]), a.to_string());
        }
    }
}
