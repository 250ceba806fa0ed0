{-# LANGUAGE NoImplicitPrelude, BangPatterns, StandaloneDeriving #-}
-- | Types whose values can be counted through: 'Enum' and 'Bounded', with what
-- arithmetic sequences need.
module Gadfly.Enumerations where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Characters
import Gadfly.Lists

class Bounded a where
  minBound, maxBound :: a

class Enum a where
  succ, pred     :: a -> a
  toEnum         :: Int -> a
  fromEnum       :: a -> Int
  enumFrom       :: a -> [a]
  enumFromThen   :: a -> a -> [a]
  enumFromTo     :: a -> a -> [a]
  enumFromThenTo :: a -> a -> a -> [a]

  succ x               = toEnum (fromEnum x + 1)
  pred x               = toEnum (fromEnum x - 1)
  enumFrom x           = map toEnum (enumFrom (fromEnum x))
  enumFromThen x y     = map toEnum (enumFromThen (fromEnum x) (fromEnum y))
  enumFromTo x y       = map toEnum (enumFromTo (fromEnum x) (fromEnum y))
  enumFromThenTo x y z = map toEnum (enumFromThenTo (fromEnum x) (fromEnum y) (fromEnum z))

-- | 'enumFrom' and 'enumFromThen' for types with a last element.
boundedEnumFrom :: (Enum a, Bounded a) => a -> [a]
boundedEnumFrom n = map toEnum (enumFromTo (fromEnum n) (fromEnum (maxBound `asTypeOf` n)))

boundedEnumFromThen :: (Enum a, Bounded a) => a -> a -> [a]
boundedEnumFromThen n1 n2
  | i2 >= i1  = map toEnum (enumFromThenTo i1 i2 (fromEnum (maxBound `asTypeOf` n1)))
  | otherwise = map toEnum (enumFromThenTo i1 i2 (fromEnum (minBound `asTypeOf` n1)))
  where
    i1 = fromEnum n1
    i2 = fromEnum n2

succError, predError :: String -> a
succError ty = errorWithoutStackTrace ("Enum.succ{" ++ ty ++ "}: tried to take `succ' of maxBound")
predError ty = errorWithoutStackTrace ("Enum.pred{" ++ ty ++ "}: tried to take `pred' of minBound")

fromEnumError :: Show a => String -> a -> b
fromEnumError ty x = errorWithoutStackTrace
  ("Enum.fromEnum{" ++ ty ++ "}: value (" ++ show x ++ ") is outside of Int's bounds "
   ++ "(-9223372036854775808,9223372036854775807)")

toEnumError :: Show a => String -> Int -> (a, a) -> b
toEnumError ty i (low, high) = errorWithoutStackTrace
  ("Enum.toEnum{" ++ ty ++ "}: tag (" ++ show i ++ ") is outside of bounds ("
   ++ show low ++ "," ++ show high ++ ")")

-- * Whole numbers

instance Bounded Int where
  minBound = -9223372036854775808
  maxBound = 9223372036854775807

instance Enum Int where
  succ n | primIntEq n maxBound = errorWithoutStackTrace "Prelude.Enum.succ{Int}: tried to take `succ' of maxBound"
         | otherwise            = primIntAdd n 1
  pred n | primIntEq n minBound = errorWithoutStackTrace "Prelude.Enum.pred{Int}: tried to take `pred' of minBound"
         | otherwise            = primIntSub n 1
  toEnum n       = n
  fromEnum n     = n
  enumFrom n     = intsFromTo n 9223372036854775807
  enumFromTo     = intsFromTo
  enumFromThen n n' = intsFromThenTo n n' (if primIntGe n' n then maxBound else minBound)
  enumFromThenTo = intsFromThenTo

intsFromTo :: Int -> Int -> [Int]
intsFromTo n m
  | primIntLt n m = n : (let !k = primIntAdd n 1 in intsFromTo k m)
  | primIntEq n m = [n]
  | otherwise     = []

-- | Stops before the step over the limit, which might wrap around.
intsFromThenTo :: Int -> Int -> Int -> [Int]
intsFromThenTo n n' m
  | primIntGe n' n = if primIntGt n m then [] else if primIntGt n' m then [n] else stepsUp n step (primIntSub m step)
  | otherwise      = if primIntLt n m then [] else if primIntLt n' m then [n] else stepsDown n step (primIntSub m step)
  where step = primIntSub n' n

-- | Up or down by the step until past the last number from which a step may
-- be made.
stepsUp, stepsDown :: Int -> Int -> Int -> [Int]
stepsUp i step end
  | primIntGt i end = [i]
  | otherwise       = i : (let !j = primIntAdd i step in stepsUp j step end)
stepsDown i step end
  | primIntLt i end = [i]
  | otherwise       = i : (let !j = primIntAdd i step in stepsDown j step end)

instance Bounded Word where
  minBound = primIntToWord 0
  maxBound = primIntToWord (-1)

instance Enum Word where
  succ n | n == maxBound = succError "Word"
         | otherwise     = n + 1
  pred n | n == minBound = predError "Word"
         | otherwise     = n - 1
  toEnum i
    | i >= 0    = primIntToWord i
    | otherwise = toEnumError "Word" i (minBound :: Word, maxBound :: Word)
  fromEnum n
    | primIntGe (primWordToInt n) 0 = primWordToInt n
    | otherwise                     = fromEnumError "Word" n
  enumFrom n            = wordsFromTo n maxBound
  enumFromTo            = wordsFromTo
  enumFromThen n n'     = enumFromThenTo n n' (if primWordLe n n' then maxBound else minBound)
  enumFromThenTo n n' m = map fromInteger
    (enumFromThenTo (primWordToInteger n) (primWordToInteger n') (primWordToInteger m))

wordsFromTo :: Word -> Word -> [Word]
wordsFromTo n m
  | primWordLt n m = n : (let !k = primWordAdd n (primIntToWord 1) in wordsFromTo k m)
  | primWordEq n m = [n]
  | otherwise      = []

instance Enum Integer where
  succ n     = primIntegerAdd n 1
  pred n     = primIntegerSub n 1
  toEnum     = primIntToInteger
  fromEnum   = primIntegerToInt
  enumFrom   = integersFrom
  enumFromTo = integersFromTo
  enumFromThen n n' = n `seq` n' `seq` integersBy n (primIntegerSub n' n)
  enumFromThenTo n n' m
    | primIntegerLe n n' = integersUp n (primIntegerSub n' n) m
    | otherwise          = integersDown n (primIntegerSub n' n) m

integersFrom :: Integer -> [Integer]
integersFrom n = n `seq` (n : (let !k = primIntegerAdd n 1 in integersFrom k))

integersFromTo :: Integer -> Integer -> [Integer]
integersFromTo n m
  | primIntegerLe n m = n : (let !k = primIntegerAdd n 1 in integersFromTo k m)
  | otherwise         = []

integersBy :: Integer -> Integer -> [Integer]
integersBy n step = n : (let !k = primIntegerAdd n step in integersBy k step)

integersUp, integersDown :: Integer -> Integer -> Integer -> [Integer]
integersUp n step m
  | primIntegerLe n m = n : (let !k = primIntegerAdd n step in integersUp k step m)
  | otherwise         = []
integersDown n step m
  | primIntegerLe m n = n : (let !k = primIntegerAdd n step in integersDown k step m)
  | otherwise         = []

-- * Characters and fractions

instance Bounded Char where
  minBound = '\0'
  maxBound = '\1114111'

instance Enum Char where
  succ c | primCharEq c maxBound = errorWithoutStackTrace "Prelude.Enum.Char.succ: bad argument"
         | otherwise             = primCharChr (primIntAdd (primCharOrd c) 1)
  pred c | primCharEq c minBound = errorWithoutStackTrace "Prelude.Enum.Char.pred: bad argument"
         | otherwise             = primCharChr (primIntSub (primCharOrd c) 1)
  toEnum   = chr
  fromEnum = primCharOrd
  enumFrom c            = charsFromTo (primCharOrd c) 1114111
  enumFromTo c d        = charsFromTo (primCharOrd c) (primCharOrd d)
  enumFromThen c c'     = enumFromThenTo c c' (if c' >= c then maxBound else minBound)
  enumFromThenTo c c' d = map primCharChr (intsFromThenTo (primCharOrd c) (primCharOrd c') (primCharOrd d))

charsFromTo :: Int -> Int -> [Char]
charsFromTo n m
  | primIntLe n m = primCharChr n : (let !k = primIntAdd n 1 in charsFromTo k m)
  | otherwise     = []

instance Enum Double where
  succ x         = x + 1
  pred x         = x - 1
  toEnum         = primIntToDouble
  fromEnum x     = primIntegerToInt (primDoubleTruncate x)
  enumFrom       = numericEnumFrom
  enumFromThen   = numericEnumFromThen
  enumFromTo     = numericEnumFromTo
  enumFromThenTo = numericEnumFromThenTo

instance Enum Float where
  succ x         = x + 1
  pred x         = x - 1
  toEnum n       = primDoubleToFloat (primIntToDouble n)
  fromEnum x     = fromEnum (primFloatToDouble x)
  enumFrom       = numericEnumFrom
  enumFromThen   = numericEnumFromThen
  enumFromTo     = numericEnumFromTo
  enumFromThenTo = numericEnumFromThenTo

-- The steps of a fractional sequence are multiplied, not summed up, so that
-- errors of rounding do not grow.
numericEnumFrom :: Fractional a => a -> [a]
numericEnumFrom n = go 0
  where go !k = let !n' = n + k in n' : go (k + 1)

numericEnumFromThen :: Fractional a => a -> a -> [a]
numericEnumFromThen n m = go 0
  where
    step  = m - n
    go !k = let !n' = n + k * step in n' : go (k + 1)

numericEnumFromTo :: (Ord a, Fractional a) => a -> a -> [a]
numericEnumFromTo n m = takeWhile (<= m + 1 / 2) (numericEnumFrom n)

numericEnumFromThenTo :: (Ord a, Fractional a) => a -> a -> a -> [a]
numericEnumFromThenTo e1 e2 e3 = takeWhile inside (numericEnumFromThen e1 e2)
  where
    mid = (e2 - e1) / 2
    inside | e2 >= e1  = (<= e3 + mid)
           | otherwise = (>= e3 + mid)

-- * Truth values, the unit and tuples

deriving instance Enum Bool
deriving instance Bounded Bool

deriving instance Enum Ordering
deriving instance Bounded Ordering

instance Enum () where
  succ ()  = errorWithoutStackTrace "Prelude.Enum.().succ: bad argument"
  pred ()  = errorWithoutStackTrace "Prelude.Enum.().pred: bad argument"
  toEnum n
    | n == 0    = ()
    | otherwise = errorWithoutStackTrace "Prelude.Enum.().toEnum: bad argument"
  fromEnum ()          = 0
  enumFrom ()          = [()]
  enumFromThen () ()   = repeat ()
  enumFromTo () ()     = [()]
  enumFromThenTo () () () = repeat ()

instance Bounded () where
  minBound = ()
  maxBound = ()

instance (Bounded a, Bounded b) => Bounded (a, b) where
  minBound = (minBound, minBound)
  maxBound = (maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c) => Bounded (a, b, c) where
  minBound = (minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d) => Bounded (a, b, c, d) where
  minBound = (minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d, Bounded e) => Bounded (a, b, c, d, e) where
  minBound = (minBound, minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d, Bounded e, Bounded f) =>
         Bounded (a, b, c, d, e, f) where
  minBound = (minBound, minBound, minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d, Bounded e, Bounded f, Bounded g) =>
         Bounded (a, b, c, d, e, f, g) where
  minBound = (minBound, minBound, minBound, minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound, maxBound, maxBound, maxBound)
