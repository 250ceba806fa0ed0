//! Haskell programs evaluated by the reference interpreter.

use crate::{check_dump, check_value, check_values};

#[test]
fn a_function_by_cases_is_one_case() {
    check_dump(
        "test.hs",
        "listsum :: [Int] -> Int\nlistsum [] = 0\nlistsum (x:xs) = x + listsum xs\n",
        "
listsum _1 =
  case _1 of
    [] -> rule 1: 0
    x : xs ->
      rule 2:
      let _2 = listsum xs in
      x +@Int _2
",
    );
}

#[test]
fn values() {
    check_value("test = 1 + 2 * 3 :: Int\n", "test", "7");
    check_values(
        "
test1 = sum [1 .. 10] :: Int -- 55
test2 = [x * y | x <- [1 .. 3], y <- [x .. 3], odd (x + y)] :: [Int] -- [2,6]
test3 = let (a, b) = span even [2, 4, 5, 6] in (b, a) :: ([Int], [Int]) -- ([5,6],[2,4])
test4 = take 5 (let fibs = 0 : 1 : zipWith (+) fibs (tail fibs) in fibs) :: [Integer] -- [0,1,1,2,3]
",
    );
}
