-- | Whole numbers without the negative ones.
module Numeric.Natural (Natural, minusNaturalMaybe) where

import Control.DeepSeq (NFData(..))
import Control.Exception (ArithException(..), throw)
import Data.Ix (Ix(..))

-- | Never negative: what would be raises 'Underflow'.
newtype Natural = Natural Integer
  deriving (Eq, Ord)

natural :: Integer -> Natural
natural n
  | n < 0     = throw Underflow
  | otherwise = Natural n

-- | The difference, if it is not negative.
minusNaturalMaybe :: Natural -> Natural -> Maybe Natural
minusNaturalMaybe (Natural m) (Natural n)
  | m >= n    = Just (Natural (m - n))
  | otherwise = Nothing

instance Show Natural where
  showsPrec d (Natural n) = showsPrec d n

instance Read Natural where
  readsPrec d s = [(Natural n, t) | (n, t) <- readsPrec d s, n >= 0]

instance Num Natural where
  Natural m + Natural n = Natural (m + n)
  Natural m - Natural n = natural (m - n)
  Natural m * Natural n = Natural (m * n)
  negate (Natural n)    = natural (negate n)
  abs n                 = n
  signum (Natural n)    = Natural (signum n)
  fromInteger           = natural

instance Real Natural where
  toRational (Natural n) = toRational n

instance Enum Natural where
  succ (Natural n)   = Natural (n + 1)
  pred (Natural n)
    | n == 0         = errorWithoutStackTrace "Enum.pred{Natural}: tried to take `pred' of 0"
    | otherwise      = Natural (n - 1)
  toEnum n           = natural (toInteger n)
  fromEnum (Natural n) = fromEnum n
  enumFrom (Natural m) = map Natural (enumFrom m)
  enumFromTo (Natural m) (Natural n) = map Natural (enumFromTo m n)
  enumFromThen (Natural m) (Natural n)
    | n >= m         = map Natural (enumFromThen m n)
    | otherwise      = map Natural (enumFromThenTo m n 0)
  enumFromThenTo (Natural l) (Natural m) (Natural n) = map Natural (enumFromThenTo l m n)

instance Integral Natural where
  toInteger (Natural n)            = n
  quot (Natural m) (Natural n)     = Natural (quot m n)
  rem (Natural m) (Natural n)      = Natural (rem m n)
  div (Natural m) (Natural n)      = Natural (quot m n)
  mod (Natural m) (Natural n)      = Natural (rem m n)
  quotRem (Natural m) (Natural n)  = case quotRem m n of (q, r) -> (Natural q, Natural r)
  divMod                           = quotRem

instance Ix Natural where
  range (l, h)     = enumFromTo l h
  inRange (l, h) i = l <= i && i <= h
  index (l, h) i
    | l <= i && i <= h = fromInteger (toInteger i - toInteger l)
    | otherwise        = errorWithoutStackTrace "Ix{Natural}.index: Index out of range."

instance NFData Natural where
  rnf n = n `seq` ()
