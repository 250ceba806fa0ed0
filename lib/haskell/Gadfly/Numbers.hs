{-# LANGUAGE NoImplicitPrelude #-}
-- | What literals need: the classes 'Num' and 'Fractional', and their
-- instances for the machine's numbers.
--
-- Both classes have methods that "Prelude" does not show: shorter ways for the
-- conversions from machine numbers, equal to going through 'fromInteger' and
-- 'fromRational', which is what they do in a program's own instances.
module Gadfly.Numbers where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order

infixl 7 *, /
infixl 6 +, -

class Num a where
  (+), (-), (*)       :: a -> a -> a
  negate, abs, signum :: a -> a
  fromInteger         :: Integer -> a
  fromInt             :: Int -> a

  x - y     = x + negate y
  negate x  = fromInteger 0 - x
  fromInt n = fromInteger (primIntToInteger n)

class Num a => Fractional a where
  (/)             :: a -> a -> a
  recip           :: a -> a
  fromRational    :: Rational -> a
  fractionFromInt :: Int -> a
  fromDouble      :: Double -> a

  recip x           = fromInteger 1 / x
  x / y             = x * recip y
  fractionFromInt n = fromRational (primIntToInteger n :% 1)
  fromDouble x      = fromRational (doubleToRational x)

subtract :: Num a => a -> a -> a
subtract x y = y - x

-- * Whole numbers

instance Num Int where
  (+)    = primIntAdd
  (-)    = primIntSub
  (*)    = primIntMul
  negate = primIntNegate
  abs n  = if primIntLt n 0 then primIntNegate n else n
  signum n
    | primIntLt n 0 = -1
    | primIntEq n 0 = 0
    | otherwise     = 1
  fromInteger = primIntegerToInt
  fromInt n   = n

instance Num Word where
  (+)       = primWordAdd
  (-)       = primWordSub
  (*)       = primWordMul
  negate n  = primWordSub (primIntToWord 0) n
  abs n     = n
  signum n  = if primWordEq n (primIntToWord 0) then n else primIntToWord 1
  fromInteger n = primIntToWord (primIntegerToInt n)
  fromInt       = primIntToWord

instance Num Integer where
  (+)    = primIntegerAdd
  (-)    = primIntegerSub
  (*)    = primIntegerMul
  negate = primIntegerNegate
  abs n  = if primIntegerLt n 0 then primIntegerNegate n else n
  signum n = case primIntegerCompare n 0 of { LT -> -1; EQ -> 0; GT -> 1 }
  fromInteger n = n
  fromInt       = primIntToInteger

-- * Fractions of the machine

instance Num Double where
  (+)    = primDoubleAdd
  (-)    = primDoubleSub
  (*)    = primDoubleMul
  negate = primDoubleNegate
  abs x
    | primDoubleEq x 0 = 0
    | primDoubleLt x 0 = primDoubleNegate x
    | otherwise        = x
  signum x
    | primDoubleLt 0 x = 1
    | primDoubleLt x 0 = -1
    | otherwise        = x
  fromInteger = primIntegerToDouble
  fromInt     = primIntToDouble

instance Fractional Double where
  (/)     = primDoubleDiv
  recip x = primDoubleDiv 1 x
  fromRational (n :% d) = ratioToDouble n d
  fractionFromInt       = primIntToDouble
  -- The way through a fraction loses the sign of zero and what is not a
  -- number; only for those it must be taken.
  fromDouble x
    | primDoubleEq (primDoubleSub x x) 0 && not (primDoubleEq x 0) = x
    | otherwise = case doubleToRational x of n :% d -> ratioToDouble n d

instance Num Float where
  (+)    = primFloatAdd
  (-)    = primFloatSub
  (*)    = primFloatMul
  negate = primFloatNegate
  abs x
    | primFloatEq x 0 = 0
    | primFloatLt x 0 = primFloatNegate x
    | otherwise       = x
  signum x
    | primFloatLt 0 x = 1
    | primFloatLt x 0 = -1
    | otherwise       = x
  fromInteger n = ratioToFloat n 1

instance Fractional Float where
  (/)     = primFloatDiv
  recip x = primFloatDiv 1 x
  fromRational (n :% d) = ratioToFloat n d

-- * Between fractions and numbers of the machine

doubleToRational :: Double -> Rational
doubleToRational x = case primDoubleDecode x of (m, e) -> scaledRational m e

-- | @m * 2^e@ exactly.
scaledRational :: Integer -> Int -> Rational
scaledRational m e
  | e >= 0         = primIntegerShiftL m e :% 1
  | m == 0         = 0 :% 1
  | otherwise      = strip m (negate e)
  where
    strip n k
      | k > 0 && primIntegerEq (primIntegerAnd n 1) 0 = strip (primIntegerShiftR n 1) (k - 1)
      | otherwise                                     = n :% primIntegerShiftL 1 k

ratioToDouble :: Integer -> Integer -> Double
ratioToDouble n d
  | d == 1 && primIntegerBitLength n <= 53 = primIntegerToDouble n
  | d == 0    = case compare n 0 of { GT -> 1 / 0; LT -> -1 / 0; EQ -> 0 / 0 }
  | n == 0    = 0
  | n < 0     = negate (positive (negate n))
  | otherwise = positive n
  where positive k = case roundRatio 53 (-1074) k d of (m, e) -> primDoubleEncode m e

ratioToFloat :: Integer -> Integer -> Float
ratioToFloat n d
  | d == 0    = primDoubleToFloat (ratioToDouble n d)
  | n == 0    = primDoubleToFloat (primIntToDouble 0)
  | n < 0     = primFloatNegate (positive (negate n))
  | otherwise = positive n
  where positive k = case roundRatio 24 (-149) k d of
          (m, e) -> primDoubleToFloat (primDoubleEncode m e)

-- | The positive fraction @n / d@ as @m * 2^e@ where @m@ has at most the given
-- number of bits and @e@ is at least the given least exponent, rounded to
-- nearest, halves to even.
roundRatio :: Int -> Int -> Integer -> Integer -> (Integer, Int)
roundRatio digits least n d = settle (max least (primIntegerBitLength n - primIntegerBitLength d - digits))
  where
    settle e =
      let num = if e < 0 then primIntegerShiftL n (negate e) else n
          den = if e > 0 then primIntegerShiftL d e else d
      in case primIntegerQuotRem num den of
           (q, r)
             | primIntegerBitLength q > digits -> settle (e + 1)
             | otherwise -> case primIntegerCompare (primIntegerAdd r r) den of
                 LT -> (q, e)
                 GT -> (primIntegerAdd q 1, e)
                 EQ -> (if primIntegerEq (primIntegerAnd q 1) 0 then q else primIntegerAdd q 1, e)
