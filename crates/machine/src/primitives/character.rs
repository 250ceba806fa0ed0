//! `Char`: code points, categories and cases.
//!
//! Categories are those of Unicode 16, cases those of Rust's standard library. Rust maps a character to a
//! text, `ß` to `SS`; Haskell maps it to one character, by Unicode's *simple* mapping, which leaves `ß`
//! unchanged.

use unicode_general_category::{GeneralCategory, get_general_category};

use super::{Context, Primitive, Stop, cheap};
use crate::word::Word;

macro_rules! relation {
    ($name:ident, $act:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let (a, b) = (context.to_char(arguments[0]), context.to_char(arguments[1]));
            let act: fn(&u32, &u32) -> bool = $act;
            Ok(context.bool(act(&a, &b)))
        }
    };
}

macro_rules! mapping {
    ($name:ident, $act:expr) => {
        fn $name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
            let code = context.to_char(arguments[0]);
            // Surrogates are characters in Haskell, but have no case.
            let act: fn(char) -> char = $act;
            Ok(Word::char(char::from_u32(code).map_or(code, |char| act(char) as u32)))
        }
    };
}

relation!(eq, u32::eq);
relation!(ne, u32::ne);
relation!(lt, u32::lt);
relation!(le, u32::le);
mapping!(to_upper, upper);
mapping!(to_lower, lower);
mapping!(to_title, title);

fn upper(char: char) -> char {
    let mut text = char.to_uppercase();
    match (text.next(), text.next(), char) {
        (Some(upper), None, _) => upper,
        // Letters with an iota below become two in capitals, but have a title case that counts as upper.
        (_, _, '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}') => {
            offset(char, 8)
        }
        (_, _, '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}') => offset(char, 9),
        _ => char,
    }
}

fn lower(char: char) -> char {
    let mut text = char.to_lowercase();
    match (text.next(), text.next()) {
        (Some(lower), None) => lower,
        // The only one that becomes two: a dotted capital I is an i and a dot.
        (Some('i'), _) => 'i',
        _ => char,
    }
}

fn title(char: char) -> char {
    match char {
        // Croatian digraphs come in three cases.
        '\u{1c4}'..='\u{1c6}' => '\u{1c5}',
        '\u{1c7}'..='\u{1c9}' => '\u{1c8}',
        '\u{1ca}'..='\u{1cc}' => '\u{1cb}',
        '\u{1f1}'..='\u{1f3}' => '\u{1f2}',
        // Georgian has capitals, but begins no word with one.
        '\u{10d0}'..='\u{10fa}' | '\u{10fd}'..='\u{10ff}' => char,
        _ => upper(char),
    }
}

fn offset(char: char, by: u32) -> char {
    char::from_u32(char as u32 + by).unwrap_or(char)
}

fn ord<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let code = context.to_char(arguments[0]);
    context.int(code.into())
}

fn chr<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    Ok(Word::char(context.to_int(arguments[0]) as u32))
}

fn compare<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    Ok(context.ordering(context.to_char(arguments[0]).cmp(&context.to_char(arguments[1]))))
}

fn category<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let category = match char::from_u32(context.to_char(arguments[0])) {
        Some(char) => get_general_category(char),
        None => GeneralCategory::Surrogate,
    };
    context.int(number(category))
}

/// Where a category is in `Data.Char.GeneralCategory`.
fn number(category: GeneralCategory) -> i64 {
    match category {
        GeneralCategory::UppercaseLetter => 0,
        GeneralCategory::LowercaseLetter => 1,
        GeneralCategory::TitlecaseLetter => 2,
        GeneralCategory::ModifierLetter => 3,
        GeneralCategory::OtherLetter => 4,
        GeneralCategory::NonspacingMark => 5,
        GeneralCategory::SpacingMark => 6,
        GeneralCategory::EnclosingMark => 7,
        GeneralCategory::DecimalNumber => 8,
        GeneralCategory::LetterNumber => 9,
        GeneralCategory::OtherNumber => 10,
        GeneralCategory::ConnectorPunctuation => 11,
        GeneralCategory::DashPunctuation => 12,
        GeneralCategory::OpenPunctuation => 13,
        GeneralCategory::ClosePunctuation => 14,
        GeneralCategory::InitialPunctuation => 15,
        GeneralCategory::FinalPunctuation => 16,
        GeneralCategory::OtherPunctuation => 17,
        GeneralCategory::MathSymbol => 18,
        GeneralCategory::CurrencySymbol => 19,
        GeneralCategory::ModifierSymbol => 20,
        GeneralCategory::OtherSymbol => 21,
        GeneralCategory::SpaceSeparator => 22,
        GeneralCategory::LineSeparator => 23,
        GeneralCategory::ParagraphSeparator => 24,
        GeneralCategory::Control => 25,
        GeneralCategory::Format => 26,
        GeneralCategory::Surrogate => 27,
        GeneralCategory::PrivateUse => 28,
        _ => 29,
    }
}

pub(super) fn table<const TAG: usize>() -> &'static [Primitive<TAG>] {
    const {
        &[
            cheap("charOrd", 1, ord),
            cheap("charChr", 1, chr),
            cheap("charEq", 2, eq),
            cheap("charNe", 2, ne),
            cheap("charLt", 2, lt),
            cheap("charLe", 2, le),
            cheap("charCompare", 2, compare),
            cheap("charCategory", 1, category),
            cheap("charToUpper", 1, to_upper),
            cheap("charToLower", 1, to_lower),
            cheap("charToTitle", 1, to_title),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::Stage;
    use super::*;

    impl Stage {
        fn mapped(&mut self, name: &str, char: char) -> char {
            let word = self.call(name, &[Word::char(char as u32)]).unwrap();
            char::from_u32(word.as_char().unwrap()).unwrap()
        }
    }

    #[test]
    fn cases_are_the_simple_ones() {
        let mut stage = Stage::new();
        for (char, upper, lower, title) in [
            ('a', 'A', 'a', 'A'),
            ('Z', 'Z', 'z', 'Z'),
            ('1', '1', '1', '1'),
            ('ß', 'ß', 'ß', 'ß'),
            ('ŉ', 'ŉ', 'ŉ', 'ŉ'),
            ('ﬁ', 'ﬁ', 'ﬁ', 'ﬁ'),
            ('İ', 'İ', 'i', 'İ'),
            ('ı', 'I', 'ı', 'I'),
            ('ÿ', 'Ÿ', 'ÿ', 'Ÿ'),
            ('ǆ', 'Ǆ', 'ǆ', 'ǅ'),
            ('ǅ', 'Ǆ', 'ǆ', 'ǅ'),
            ('ᾀ', 'ᾈ', 'ᾀ', 'ᾈ'),
            ('ῳ', 'ῼ', 'ῳ', 'ῼ'),
            ('ა', 'Ა', 'ა', 'ა'),
            ('Σ', 'Σ', 'σ', 'Σ'),
        ] {
            assert_eq!(stage.mapped("charToUpper", char), upper, "{char}");
            assert_eq!(stage.mapped("charToLower", char), lower, "{char}");
            assert_eq!(stage.mapped("charToTitle", char), title, "{char}");
        }
    }

    #[test]
    fn categories_are_in_the_order_of_haskell() {
        let mut stage = Stage::new();
        let cases = [
            ('A', 0),
            ('a', 1),
            ('ǅ', 2),
            ('ʰ', 3),
            ('ª', 4),
            ('7', 8),
            ('_', 11),
            ('(', 13),
            ('+', 18),
            (' ', 22),
        ];
        for (char, expected) in cases.into_iter().chain([('\n', 25), ('\u{e000}', 28), ('\u{378}', 29)]) {
            assert_eq!(stage.as_int("charCategory", &[Word::char(char as u32)]), expected, "{char:?}");
        }
        assert_eq!(stage.as_int("charCategory", &[Word::char(0xd800)]), 27);
    }

    #[test]
    fn surrogates_are_characters() {
        let mut stage = Stage::new();
        let code = stage.int(0xdfff);
        let char = stage.call("charChr", &[code]).unwrap();
        assert_eq!(stage.as_int("charOrd", &[char]), 0xdfff);
        assert_eq!(stage.call("charToUpper", &[char]), Ok(char));
        assert!(stage.bool("charLt", &[char, Word::char(0x10_ffff)]));
    }
}
