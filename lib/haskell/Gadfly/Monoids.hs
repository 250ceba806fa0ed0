{-# LANGUAGE NoImplicitPrelude #-}
-- | Semigroups and monoids, and their instances for the basic types.
module Gadfly.Monoids where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Lists
import Gadfly.Enumerations
import Gadfly.Integers

infixr 6 <>

class Semigroup a where
  (<>)    :: a -> a -> a
  sconcat :: NonEmpty a -> a
  stimes  :: Integral b => b -> a -> a

  sconcat (a :| as) = go a as
    where go b (c:cs) = b <> go c cs
          go b []     = b
  stimes n x
    | n <= 0    = errorWithoutStackTrace "stimes: positive multiplier expected"
    | otherwise = repeatSquare n x

-- | @x <> x <> ...@, a positive number of times, by doubling.
repeatSquare :: (Integral b, Semigroup a) => b -> a -> a
repeatSquare n x
  | n == 1    = x
  | even n    = repeatSquare (n `quot` 2) (x <> x)
  | otherwise = x <> repeatSquare (n `quot` 2) (x <> x)

class Semigroup a => Monoid a where
  mempty  :: a
  mappend :: a -> a -> a
  mconcat :: [a] -> a
  mappend = (<>)
  mconcat = foldrList mappend mempty

-- | 'stimes' for monoids: zero times is 'mempty'.
stimesMonoid :: (Integral b, Monoid a) => b -> a -> a
stimesMonoid n x
  | n < 0     = errorWithoutStackTrace "stimesMonoid: expected non-negative multiplier"
  | n == 0    = mempty
  | otherwise = repeatSquare n x

instance Semigroup [a] where
  (<>) = (++)
  stimes n x
    | n < 0     = errorWithoutStackTrace "stimes: [], negative multiplier"
    | otherwise = go n
    where go i | i == 0    = []
               | otherwise = x ++ go (i - 1)

instance Monoid [a] where
  mempty  = []
  mconcat = concatLists

instance Semigroup (NonEmpty a) where
  (a :| as) <> (b :| bs) = a :| (as ++ b : bs)

instance Semigroup b => Semigroup (a -> b) where
  f <> g = \x -> f x <> g x
  stimes n f = \x -> stimes n (f x)

instance Monoid b => Monoid (a -> b) where
  mempty _ = mempty

instance Semigroup () where
  _ <> _      = ()
  sconcat _   = ()
  stimes _ _  = ()

instance Monoid () where
  mempty    = ()
  mconcat _ = ()

instance Semigroup Ordering where
  LT <> _ = LT
  EQ <> y = y
  GT <> _ = GT
  stimes n x
    | n < 0     = errorWithoutStackTrace "stimesIdempotentMonoid: negative multiplier"
    | n == 0    = EQ
    | otherwise = x

instance Monoid Ordering where
  mempty = EQ

instance Semigroup a => Semigroup (Maybe a) where
  Nothing <> b       = b
  a       <> Nothing = a
  Just a  <> Just b  = Just (a <> b)
  stimes _ Nothing = Nothing
  stimes n (Just a) = case compare n 0 of
    LT -> errorWithoutStackTrace "stimes: Maybe, negative multiplier"
    EQ -> Nothing
    GT -> Just (stimes n a)

instance Semigroup a => Monoid (Maybe a) where
  mempty = Nothing

instance Semigroup (Either a b) where
  Left _ <> b = b
  a      <> _ = a

instance Semigroup (Proxy t) where
  _ <> _ = Proxy

instance Monoid (Proxy t) where
  mempty = Proxy

instance (Semigroup a, Semigroup b) => Semigroup (a, b) where
  (a, b) <> (a', b') = (a <> a', b <> b')

instance (Monoid a, Monoid b) => Monoid (a, b) where
  mempty = (mempty, mempty)

instance (Semigroup a, Semigroup b, Semigroup c) => Semigroup (a, b, c) where
  (a, b, c) <> (a', b', c') = (a <> a', b <> b', c <> c')

instance (Monoid a, Monoid b, Monoid c) => Monoid (a, b, c) where
  mempty = (mempty, mempty, mempty)

instance (Semigroup a, Semigroup b, Semigroup c, Semigroup d) => Semigroup (a, b, c, d) where
  (a, b, c, d) <> (a', b', c', d') = (a <> a', b <> b', c <> c', d <> d')

instance (Monoid a, Monoid b, Monoid c, Monoid d) => Monoid (a, b, c, d) where
  mempty = (mempty, mempty, mempty, mempty)

instance (Semigroup a, Semigroup b, Semigroup c, Semigroup d, Semigroup e) => Semigroup (a, b, c, d, e) where
  (a, b, c, d, e) <> (a', b', c', d', e') = (a <> a', b <> b', c <> c', d <> d', e <> e')

instance (Monoid a, Monoid b, Monoid c, Monoid d, Monoid e) => Monoid (a, b, c, d, e) where
  mempty = (mempty, mempty, mempty, mempty, mempty)

-- | Functions from a type to itself, one after the other.
newtype Endo a = Endo { appEndo :: a -> a }

instance Semigroup (Endo a) where
  Endo f <> Endo g = Endo (f . g)
  stimes = stimesMonoid

instance Monoid (Endo a) where
  mempty = Endo id
