//! Programs that benches generate; those of `gadfly-core` use them too.

use std::fmt::Write;

/// Generates a module of about `lines` lines that uses a little of every language feature.
pub(crate) fn generate(lines: usize) -> String {
    let mut text =
        String::from("module Main where\nimport Data.List (sortBy)\n\nmain :: IO ()\nmain = print (f0 1)\n");
    for n in 0..lines / 20 {
        let next = if n % 50 == 49 { 0 } else { n + 1 };
        let next = if next * 20 + 20 > lines { n } else { next };
        let _ = write!(
            text,
            "
data T{n} a = A{n} | B{n} a (T{n} a) | C{n} {{ x{n} :: Int, y{n} :: a }} deriving (Eq, Ord, Show)

instance Functor T{n} where
  fmap _ A{n} = A{n}
  fmap f (B{n} a rest) = B{n} (f a) (fmap f rest)
  fmap f (C{n} n a) = C{n} n (f a)

f{n} :: Int -> Int
f{n} n | n <= 0 = 0
      | even n = f{next} (n - 1) + length (show (B{n} n A{n}))
      | otherwise = let g a b = if a == b then [a] else [b] in sum (g n 3) + g{n} (Just n)

g{n} Nothing = 0
g{n} (Just a) = fromIntegral (a + 1) * h{n} [a, a * 2 ..] where k = a `div` 2

h{n} xs = foldr (\\x acc -> x + acc) 0 [ x * y | x <- xs, y <- take 3 xs, x /= y ]
k{n} m = do {{ a <- m; let {{ b = (a, a) }}; return (fst b : [snd b]) }}
"
        );
    }
    text
}
