-- | Functions on whole numbers, under their names in older Curry systems.
module Integer
  ( (^), pow, ilog, isqrt, factorial, binomial
  , max3, min3, maxlist, minlist
  , bitTrunc, bitAnd, bitOr, bitNot, bitXor, abs, even, odd
  ) where

import Data.List (maximum, minimum, product)

-- | A power with an exponent that is not negative.
pow :: Int -> Int -> Int
pow n m | m >= 0 = n ^ m

-- | The floor of the logarithm to base 10 of a positive number.
ilog :: Int -> Int
ilog n | n > 0 = if n < 10 then 0 else 1 + ilog (n `div` 10)

-- | The floor of the square root, by Newton's method.
isqrt :: Int -> Int
isqrt n
  | n < 0     = failed
  | n < 2     = n
  | otherwise = descend n
  where descend x = let y = (x + n `div` x) `div` 2 in if y < x then descend y else x

factorial :: Int -> Int
factorial n | n >= 0 = product [1 .. n]

-- | How many ways there are to choose `m` things out of `n`.
binomial :: Int -> Int -> Int
binomial n m | m > 0 && n >= m = product [n - m + 1 .. n] `div` factorial m

max3 :: Ord a => a -> a -> a -> a
max3 x y z = max x (max y z)

min3 :: Ord a => a -> a -> a -> a
min3 x y z = min x (min y z)

maxlist :: Ord a => [a] -> a
maxlist xs = maximum xs

minlist :: Ord a => [a] -> a
minlist xs = minimum xs

-- | The last bits of a number.
bitTrunc :: Int -> Int -> Int
bitTrunc bits n = n `mod` (2 ^ bits)

bitAnd :: Int -> Int -> Int
bitAnd m n = bitwise (\a b -> if a == 1 then b else 0) m n

bitOr :: Int -> Int -> Int
bitOr m n = bitwise (\a b -> if a == 1 then 1 else b) m n

bitXor :: Int -> Int -> Int
bitXor m n = bitwise (\a b -> if a == b then 0 else 1) m n

-- | The complement: all bits turned, the sign too.
bitNot :: Int -> Int
bitNot n = -1 - n

-- | An operation on the bits of two numbers, negative ones with ones before all
-- their bits.
bitwise :: (Int -> Int -> Int) -> Int -> Int -> Int
bitwise op m n
  | sign m && sign n = negate (op (m `mod` 2) (n `mod` 2))
  | otherwise        = op (m `mod` 2) (n `mod` 2) + 2 * bitwise op (m `div` 2) (n `div` 2)
  where sign k = k == 0 || k == -1
