{-# LANGUAGE NoImplicitPrelude, BangPatterns #-}
-- | Whole numbers: the classes 'Real' and 'Integral', division, powers, and
-- the conversions between kinds of numbers.
--
-- As in "Gadfly.Numbers" there are methods that "Prelude" does not show, which
-- make the usual conversions short.
module Gadfly.Integers where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Enumerations

infixr 8 ^, ^^
infixl 7 `quot`, `rem`, `div`, `mod`

class (Num a, Ord a) => Real a where
  toRational :: a -> Rational
  -- | What 'realToFrac' is.
  intoFractional :: Fractional b => a -> b
  intoFractional x = fromRational (toRational x)

class (Real a, Enum a) => Integral a where
  quot, rem, div, mod :: a -> a -> a
  quotRem, divMod     :: a -> a -> (a, a)
  toInteger           :: a -> Integer
  -- | What 'fromIntegral' and 'even' are.
  intoNum :: Num b => a -> b
  isEven  :: a -> Bool

  n `quot` d = fst (quotRem n d)
  n `rem`  d = snd (quotRem n d)
  n `div`  d = fst (divMod n d)
  n `mod`  d = snd (divMod n d)
  divMod n d
    | signum r == negate (signum d) = (q - fromInteger 1, r + d)
    | otherwise                     = qr
    where qr@(q, r) = quotRem n d
  intoNum n = fromInteger (toInteger n)
  isEven n  = rem n (fromInteger 2) == fromInteger 0

fromIntegral :: (Integral a, Num b) => a -> b
fromIntegral n = intoNum n

realToFrac :: (Real a, Fractional b) => a -> b
realToFrac x = intoFractional x

even, odd :: Integral a => a -> Bool
even n = isEven n
odd n  = not (isEven n)

gcd :: Integral a => a -> a -> a
gcd x y = euclid (abs x) (abs y)

euclid :: Integral a => a -> a -> a
euclid a b
  | b == 0    = a
  | otherwise = let !r = a `rem` b in euclid b r

lcm :: Integral a => a -> a -> a
lcm x y
  | x == 0 || y == 0 = 0
  | otherwise        = abs ((x `quot` gcd x y) * y)

-- | Raise to a power that is not negative, by repeated squaring.
(^) :: (Num a, Integral b) => a -> b -> a
x ^ n = case toInteger n of
  k | primIntegerLt k 0                   -> errorWithoutStackTrace "Negative exponent"
    | primIntegerEq k 0                   -> 1
    | primIntegerLe k 9223372036854775807 -> powerTimes x (primIntSub (primIntegerToInt k) 1) x
    | otherwise                           -> longPowerTimes x (primIntegerSub k 1) x

-- | @x^n * y@, as the report computes powers: these are the multiplications
-- that decide how fractions are rounded.
powerTimes :: Num a => a -> Int -> a -> a
powerTimes x n y
  | primIntEq n 0                = y
  | primIntEq (primIntAnd n 1) 0 = powerTimes (x * x) (primIntShiftR n 1) y
  | otherwise                    = powerTimes x (primIntSub n 1) (x * y)

-- | The same for exponents beyond 'Int'.
longPowerTimes :: Num a => a -> Integer -> a -> a
longPowerTimes x n y
  | primIntegerEq n 0                    = y
  | primIntegerEq (primIntegerAnd n 1) 0 = longPowerTimes (x * x) (primIntegerShiftR n 1) y
  | otherwise                            = longPowerTimes x (primIntegerSub n 1) (x * y)

(^^) :: (Fractional a, Integral b) => a -> b -> a
x ^^ n
  | n >= 0    = x ^ n
  | otherwise = recip (x ^ negate n)

-- * Instances

instance Real Int where
  toRational n     = primIntToInteger n :% 1
  intoFractional n = fractionFromInt n

instance Integral Int where
  toInteger = primIntToInteger
  intoNum n = fromInt n
  isEven n  = primIntEq (primIntAnd n 1) 0
  quot n d
    | primIntGt d 0    = primIntQuot n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = negateChecked n
    | otherwise        = primIntQuot n d
  rem n d
    | primIntGt d 0    = primIntRem n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = n `seq` 0
    | otherwise        = primIntRem n d
  div n d
    | primIntGt d 0    = primIntDiv n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = negateChecked n
    | otherwise        = primIntDiv n d
  mod n d
    | primIntGt d 0    = primIntMod n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = n `seq` 0
    | otherwise        = primIntMod n d
  quotRem n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = n `seq` (negateChecked n, 0)
    | otherwise        = let !q = primIntQuot n d
                             !r = primIntRem n d in (q, r)
  divMod n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = n `seq` (negateChecked n, 0)
    | otherwise        = let !q = primIntDiv n d
                             !r = primIntMod n d in (q, r)

-- | Division by minus one: the least 'Int' has no opposite.
negateChecked :: Int -> Int
negateChecked n
  | primIntEq n minBound = overflowError
  | otherwise            = primIntNegate n

instance Real Word where
  toRational n = primWordToInteger n :% 1

instance Integral Word where
  toInteger = primWordToInteger
  isEven n  = primIntEq (primIntAnd (primWordToInt n) 1) 0
  quot n d
    | primWordEq d 0 = divZeroError
    | otherwise      = primWordQuot n d
  rem n d
    | primWordEq d 0 = divZeroError
    | otherwise      = primWordRem n d
  div = quot
  mod = rem
  quotRem n d
    | primWordEq d 0 = divZeroError
    | otherwise      = (primWordQuot n d, primWordRem n d)
  divMod = quotRem

instance Real Integer where
  toRational n = n :% 1

instance Integral Integer where
  toInteger n = n
  intoNum n   = fromInteger n
  isEven n    = primIntegerEq (primIntegerAnd n 1) 0
  quot n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = primIntegerQuot n d
  rem n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = primIntegerRem n d
  div n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = primIntegerDiv n d
  mod n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = primIntegerMod n d
  quotRem n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = primIntegerQuotRem n d
  divMod n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = let !q = primIntegerDiv n d
                              !r = primIntegerMod n d in (q, r)
