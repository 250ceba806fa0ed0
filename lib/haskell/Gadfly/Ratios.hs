{-# LANGUAGE NoImplicitPrelude #-}
-- | Fractions of whole numbers.
module Gadfly.Ratios where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Enumerations
import Gadfly.Integers
import Gadfly.Floating

infixl 7 %

(%) :: Integral a => a -> a -> Ratio a
x % y = reduce (x * signum y) (abs y)

reduce :: Integral a => a -> a -> Ratio a
reduce x y
  | y == 0    = throw RatioZeroDenominator
  | otherwise = (x `quot` d) :% (y `quot` d)
  where d = gcd x y

numerator :: Ratio a -> a
numerator (x :% _) = x

denominator :: Ratio a -> a
denominator (_ :% y) = y

instance Eq a => Eq (Ratio a) where
  (x :% y) == (x' :% y') = x == x' && y == y'

instance Integral a => Ord (Ratio a) where
  compare (x :% y) (x' :% y') = compare (x * y') (x' * y)
  (x :% y) <= (x' :% y')      = x * y' <= x' * y
  (x :% y) <  (x' :% y')      = x * y' <  x' * y

instance Integral a => Num (Ratio a) where
  (x :% y) + (x' :% y') = reduce (x * y' + x' * y) (y * y')
  (x :% y) - (x' :% y') = reduce (x * y' - x' * y) (y * y')
  (x :% y) * (x' :% y') = reduce (x * x') (y * y')
  negate (x :% y)       = negate x :% y
  abs (x :% y)          = abs x :% y
  signum (x :% _)       = signum x :% 1
  fromInteger n         = fromInteger n :% 1

instance Integral a => Fractional (Ratio a) where
  (x :% y) / (x' :% y') = (x * y') % (y * x')
  recip (x :% y)
    | x == 0    = throw RatioZeroDenominator
    | x < 0     = negate y :% negate x
    | otherwise = y :% x
  fromRational (n :% d) = fromInteger n % fromInteger d

instance Integral a => Real (Ratio a) where
  toRational (x :% y) = toInteger x :% toInteger y

instance Integral a => RealFrac (Ratio a) where
  properFraction (x :% y) = case quotRem x y of
    (q, r) -> (fromInteger (toInteger q), r :% y)
  round r =
    let (n, f) = properFraction r
        x      = if r < 0 then -1 else 1
    in case (compare (abs f) (1 :% 2), odd n) of
         (LT, _)     -> n
         (EQ, False) -> n
         (EQ, True)  -> n + x
         (GT, _)     -> n + x

instance Integral a => Enum (Ratio a) where
  succ x         = x + 1
  pred x         = x - 1
  toEnum n       = fromIntegral n :% 1
  fromEnum       = fromInteger . truncate
  enumFrom       = numericEnumFrom
  enumFromThen   = numericEnumFromThen
  enumFromTo     = numericEnumFromTo
  enumFromThenTo = numericEnumFromThenTo
