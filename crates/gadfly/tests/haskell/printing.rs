//! What a question shows of a value is what `show` prints of it in the program.

use super::{record, viewed};
use gadfly_term::Outcome;
use gadfly_term::render::{self, Room, Style};
use gadfly_tree::{Behaviours as _, Node};
use gadfly_views::View;
use proptest::prelude::*;
use std::collections::HashMap;
use std::fs;

/// What the equations of a program's functions say of their results, by function.
fn shown(text: &str) -> (String, HashMap<String, String>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Main.hs");
    fs::write(&file, text).unwrap();
    let recorded = record(&file).unwrap();
    let viewed = viewed(&recorded, View::Edt).unwrap();
    let mut found = HashMap::new();
    for node in (0..viewed.tree.len()).map(Node) {
        let equation = viewed.behaviours.behaviour(&viewed.tree, node, true).unwrap().equation;
        if let Outcome::Value(value) = equation.outcome {
            let room = Room { width: 10_000, lines: 1 };
            let text = render::term(&equation.terms, value, Style::Juxtaposed, room).text;
            found.insert(equation.function.to_string(), text);
        }
    }
    (recorded.printed, found)
}

/// A number by what its bits say: the mantissa and the exponent.
fn encoded(bits: u64, fraction: u32, exponents: u64) -> (i64, i64) {
    let mantissa = bits & ((1 << fraction) - 1) | 1 << fraction;
    let exponent = (bits >> fraction) % exponents;
    (mantissa as i64, exponent as i64 - (exponents / 2) as i64 - i64::from(fraction))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn numbers_are_shown_as_they_are_printed(
        doubles in prop::collection::vec(any::<u64>(), 20),
        floats in prop::collection::vec(any::<u32>(), 20),
        tens in prop::collection::vec((1..100i64, -20..25i32), 20),
    ) {
        let mut text = String::from("module Main where\nmain :: IO ()\nmain = mapM_ putStrLn [");
        let mut functions = String::new();
        let mut names = Vec::new();
        for (at, bits) in doubles.into_iter().enumerate() {
            let (mantissa, exponent) = encoded(bits, 52, 2000);
            names.push(format!("d{at}"));
            functions += &format!("d{at} :: Int -> Double\nd{at} n = encodeFloat {mantissa} ({exponent})\n");
        }
        for (at, bits) in floats.into_iter().enumerate() {
            let (mantissa, exponent) = encoded(u64::from(bits), 23, 240);
            names.push(format!("f{at}"));
            functions += &format!("f{at} :: Int -> Float\nf{at} n = encodeFloat {mantissa} ({exponent})\n");
        }
        for (at, (factor, power)) in tens.into_iter().enumerate() {
            names.push(format!("t{at}"));
            functions += &format!("t{at} :: Int -> Double\nt{at} n = {factor}e{power} * 10\n");
        }
        let shows: Vec<String> = names.iter().map(|name| format!("show ({name} 0)")).collect();
        text += &shows.join(", ");
        text += &format!("]\n{functions}");
        let (printed, shown) = shown(&text);
        for (name, line) in names.iter().zip(printed.lines()) {
            prop_assert_eq!(shown.get(name).map(String::as_str), Some(line), "{} in\n{}", name, text);
        }
    }
}

#[test]
fn values_are_shown_by_their_types() {
    let (_, shown) = shown(
        "module Main where
data Box a = Box { inside :: a, note :: String }
newtype Wrapped = Wrapped Float
scaled :: Double -> Double
scaled x = x * 1e22
third :: Float -> Float
third x = x / 3
until' :: String -> String
until' s = takeWhile (/= 'a') s
boxed :: Float -> Box Float
boxed x = Box (x / 3) \"\"
pairs :: Int -> [(String, Maybe [Int])]
pairs n = [(\"\", Just []), (\"a\", Nothing)]
twice :: Fractional a => a -> a
twice x = x / 3
wrapped :: Int -> Wrapped
wrapped n = Wrapped (1 / fromIntegral n)
main :: IO ()
main = do
  print (scaled 10, third 1, until' \"abc\", inside (boxed 1), note (boxed 1), pairs 1)
  print (twice 1 :: Float, twice 2 :: Double)
  case wrapped 3 of Wrapped x -> print x
",
    );
    let of = |name: &str| shown.get(name).map_or("", String::as_str);
    assert_eq!(of("scaled"), "9.999999999999999e22");
    assert_eq!(of("third"), "0.33333334");
    assert_eq!(of("until'"), "\"\"");
    assert_eq!(of("boxed"), "Box {inside = 0.33333334, note = \"\"}");
    assert_eq!(of("pairs"), "[(\"\",Just []),(\"a\",Nothing)]");
    assert_eq!(of("wrapped"), "0.33333334");
}
