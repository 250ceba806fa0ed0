{-# LANGUAGE NoImplicitPrelude, StandaloneDeriving #-}
-- | Equality and order: the classes, and their instances for the machine's
-- types, lists, tuples of up to seven components and the types of
-- "Gadfly.Ground".  Wider tuples are in "Gadfly.Tuples".
module Gadfly.Order where

import Gadfly.Primitives
import Gadfly.Ground

infixr 6 `andThen`
infix  4 ==, /=, <, <=, >=, >

class Eq a where
  (==), (/=) :: a -> a -> Bool
  x == y = not (x /= y)
  x /= y = not (x == y)

class Eq a => Ord a where
  compare              :: a -> a -> Ordering
  (<), (<=), (>), (>=) :: a -> a -> Bool
  max, min             :: a -> a -> a

  compare x y
    | x == y    = EQ
    | x <= y    = LT
    | otherwise = GT
  x <  y = case compare x y of { LT -> True;  _ -> False }
  x <= y = case compare x y of { GT -> False; _ -> True }
  x >  y = case compare x y of { GT -> True;  _ -> False }
  x >= y = case compare x y of { LT -> False; _ -> True }
  max x y = if x <= y then y else x
  min x y = if x <= y then x else y

-- | The first order, or the second where the first leaves it open.
andThen :: Ordering -> Ordering -> Ordering
andThen EQ o = o
andThen o  _ = o

-- * The machine's types

instance Eq Int where
  (==) = primIntEq
  (/=) = primIntNe

instance Ord Int where
  compare = primIntCompare
  (<)     = primIntLt
  (<=)    = primIntLe
  (>)     = primIntGt
  (>=)    = primIntGe

instance Eq Word where
  (==) = primWordEq

instance Ord Word where
  compare x y
    | primWordLt x y = LT
    | primWordEq x y = EQ
    | otherwise      = GT
  (<)    = primWordLt
  (<=)   = primWordLe
  x >  y = primWordLt y x
  x >= y = primWordLe y x

instance Eq Integer where
  (==) = primIntegerEq

instance Ord Integer where
  compare = primIntegerCompare
  (<)    = primIntegerLt
  (<=)   = primIntegerLe
  x >  y = primIntegerLt y x
  x >= y = primIntegerLe y x

instance Eq Char where
  (==) = primCharEq
  (/=) = primCharNe

instance Ord Char where
  compare = primCharCompare
  (<)    = primCharLt
  (<=)   = primCharLe
  x >  y = primCharLt y x
  x >= y = primCharLe y x

instance Eq Double where
  (==) = primDoubleEq

instance Ord Double where
  compare x y
    | primDoubleLt x y = LT
    | primDoubleEq x y = EQ
    | otherwise        = GT
  (<)    = primDoubleLt
  (<=)   = primDoubleLe
  x >  y = primDoubleLt y x
  x >= y = primDoubleLe y x

instance Eq Float where
  (==) = primFloatEq

instance Ord Float where
  compare x y
    | primFloatLt x y = LT
    | primFloatEq x y = EQ
    | otherwise       = GT
  (<)    = primFloatLt
  (<=)   = primFloatLe
  x >  y = primFloatLt y x
  x >= y = primFloatLe y x

-- * Truth values and such

deriving instance Eq Bool
deriving instance Ord Bool

deriving instance Eq Ordering
deriving instance Ord Ordering

deriving instance Eq a => Eq (Maybe a)
deriving instance Ord a => Ord (Maybe a)

deriving instance (Eq a, Eq b) => Eq (Either a b)
deriving instance (Ord a, Ord b) => Ord (Either a b)

deriving instance Eq a => Eq (NonEmpty a)
deriving instance Ord a => Ord (NonEmpty a)

instance Eq (Proxy t) where
  _ == _ = True

instance Ord (Proxy t) where
  compare _ _ = EQ

-- * Lists

instance Eq a => Eq [a] where
  (==) = equalLists

instance Ord a => Ord [a] where
  compare = compareLists

-- Functions rather than methods, so that the element's instance is all they
-- hand on from step to step.
equalLists :: Eq a => [a] -> [a] -> Bool
equalLists []       []       = True
equalLists (x : xs) (y : ys)
  | x == y    = equalLists xs ys
  | otherwise = False
equalLists _        _        = False

compareLists :: Ord a => [a] -> [a] -> Ordering
compareLists []       []       = EQ
compareLists []       _        = LT
compareLists _        []       = GT
compareLists (x : xs) (y : ys) = case compare x y of
  EQ -> compareLists xs ys
  o  -> o

-- * Tuples

instance Eq () where
  () == () = True

instance Ord () where
  compare () () = EQ

instance (Eq a, Eq b) => Eq (a, b) where
  (a1, b1) == (a2, b2)
    | a1 == a2  = b1 == b2
    | otherwise = False

instance (Ord a, Ord b) => Ord (a, b) where
  compare (a1, b1) (a2, b2) = case compare a1 a2 of
    EQ -> compare b1 b2
    o  -> o

instance (Eq a, Eq b, Eq c) => Eq (a, b, c) where
  (a1, b1, c1) == (a2, b2, c2) =
    a1 == a2 && b1 == b2 && c1 == c2

instance (Ord a, Ord b, Ord c) => Ord (a, b, c) where
  compare (a1, b1, c1) (a2, b2, c2) = case compare a1 a2 of
    EQ -> case compare b1 b2 of
      EQ -> compare c1 c2
      o  -> o
    o  -> o

instance (Eq a, Eq b, Eq c, Eq d) => Eq (a, b, c, d) where
  (a1, b1, c1, d1) == (a2, b2, c2, d2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2

instance (Ord a, Ord b, Ord c, Ord d) => Ord (a, b, c, d) where
  compare (a1, b1, c1, d1) (a2, b2, c2, d2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2

instance (Eq a, Eq b, Eq c, Eq d, Eq e) => Eq (a, b, c, d, e) where
  (a1, b1, c1, d1, e1) == (a2, b2, c2, d2, e2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2

instance (Ord a, Ord b, Ord c, Ord d, Ord e) => Ord (a, b, c, d, e) where
  compare (a1, b1, c1, d1, e1) (a2, b2, c2, d2, e2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2
      `andThen` compare e1 e2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f) => Eq (a, b, c, d, e, f) where
  (a1, b1, c1, d1, e1, f1) == (a2, b2, c2, d2, e2, f2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f) => Ord (a, b, c, d, e, f) where
  compare (a1, b1, c1, d1, e1, f1) (a2, b2, c2, d2, e2, f2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2
      `andThen` compare e1 e2 `andThen` compare f1 f2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g) => Eq (a, b, c, d, e, f, g) where
  (a1, b1, c1, d1, e1, f1, g1) == (a2, b2, c2, d2, e2, f2, g2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g) => Ord (a, b, c, d, e, f, g) where
  compare (a1, b1, c1, d1, e1, f1, g1) (a2, b2, c2, d2, e2, f2, g2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2
      `andThen` compare e1 e2 `andThen` compare f1 f2 `andThen` compare g1 g2
