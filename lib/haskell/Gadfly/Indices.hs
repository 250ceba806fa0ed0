{-# LANGUAGE NoImplicitPrelude, StandaloneDeriving #-}
-- | Types that can be the indices of arrays.
module Gadfly.Indices where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Lists
import Gadfly.Enumerations
import Gadfly.Showing

class Ord a => Ix a where
  range           :: (a, a) -> [a]
  index           :: (a, a) -> a -> Int
  unsafeIndex     :: (a, a) -> a -> Int
  inRange         :: (a, a) -> a -> Bool
  rangeSize       :: (a, a) -> Int
  unsafeRangeSize :: (a, a) -> Int

  index b i
    | inRange b i = unsafeIndex b i
    | otherwise   = errorWithoutStackTrace "Error in array index"
  unsafeIndex b i = index b i
  rangeSize b@(_, h)
    | inRange b h = unsafeIndex b h + 1
    | otherwise   = 0
  unsafeRangeSize b@(_, h) = unsafeIndex b h + 1

-- | 'index' for types whose indices can be shown in the error.
indexError :: Show a => (a, a) -> a -> String -> b
indexError rng i tp = errorWithoutStackTrace
  (showString "Ix{" . showString tp . showString "}.index: Index " .
   showParen True (showsPrec 0 i) . showString " out of range " $ showParen True (showsPrec 0 rng) "")

instance Ix Int where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = primIntSub i m
  index b@(m, n) i
    | primIntLt i m = indexError b i "Int"
    | primIntLt n i = indexError b i "Int"
    | otherwise     = primIntSub i m
  inRange (m, n) i     = if primIntLe m i then primIntLe i n else False

instance Ix Integer where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = primIntegerToInt (i - m)
  index b i
    | inRange b i = unsafeIndex b i
    | otherwise   = indexError b i "Integer"
  inRange (m, n) i     = m <= i && i <= n

instance Ix Word where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = primWordToInt (i - m)
  inRange (m, n) i     = m <= i && i <= n

instance Ix Char where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = primCharOrd i - primCharOrd m
  index b i
    | inRange b i = unsafeIndex b i
    | otherwise   = indexError b i "Char"
  inRange (m, n) i     = m <= i && i <= n

deriving instance Ix Bool
deriving instance Ix Ordering

instance Ix () where
  range ((), ())           = [()]
  unsafeIndex ((), ()) ()  = 0
  inRange ((), ()) ()      = True
  index b i                = unsafeIndex b i

instance (Ix a, Ix b) => Ix (a, b) where
  range ((l1, l2), (u1, u2)) = [(i1, i2) | i1 <- range (l1, u1), i2 <- range (l2, u2)]
  unsafeIndex ((l1, l2), (u1, u2)) (i1, i2) =
    unsafeIndex (l1, u1) i1 * unsafeRangeSize (l2, u2) + unsafeIndex (l2, u2) i2
  inRange ((l1, l2), (u1, u2)) (i1, i2) = if inRange (l1, u1) i1 then inRange (l2, u2) i2 else False

instance (Ix a, Ix b, Ix c) => Ix (a, b, c) where
  range ((l1, l2, l3), (u1, u2, u3)) =
    [(i1, i2, i3) | i1 <- range (l1, u1), i2 <- range (l2, u2), i3 <- range (l3, u3)]
  unsafeIndex ((l1, l2, l3), (u1, u2, u3)) (i1, i2, i3) =
    unsafeIndex (l3, u3) i3 + unsafeRangeSize (l3, u3) *
      (unsafeIndex (l2, u2) i2 + unsafeRangeSize (l2, u2) * unsafeIndex (l1, u1) i1)
  inRange ((l1, l2, l3), (u1, u2, u3)) (i1, i2, i3) =
    inRange (l1, u1) i1 && inRange (l2, u2) i2 && inRange (l3, u3) i3

instance (Ix a, Ix b, Ix c, Ix d) => Ix (a, b, c, d) where
  range ((l1, l2, l3, l4), (u1, u2, u3, u4)) =
    [ (i1, i2, i3, i4) | i1 <- range (l1, u1), i2 <- range (l2, u2)
                       , i3 <- range (l3, u3), i4 <- range (l4, u4)]
  unsafeIndex ((l1, l2, l3, l4), (u1, u2, u3, u4)) (i1, i2, i3, i4) =
    unsafeIndex (l4, u4) i4 + unsafeRangeSize (l4, u4) *
      (unsafeIndex (l3, u3) i3 + unsafeRangeSize (l3, u3) *
        (unsafeIndex (l2, u2) i2 + unsafeRangeSize (l2, u2) * unsafeIndex (l1, u1) i1))
  inRange ((l1, l2, l3, l4), (u1, u2, u3, u4)) (i1, i2, i3, i4) =
    inRange (l1, u1) i1 && inRange (l2, u2) i2 && inRange (l3, u3) i3 && inRange (l4, u4) i4
