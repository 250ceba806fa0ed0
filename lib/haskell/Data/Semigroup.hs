{-# LANGUAGE NoImplicitPrelude #-}
-- | Semigroups, and wrappers that choose one.
module Data.Semigroup
  ( Semigroup(..), stimesMonoid, stimesIdempotent, stimesIdempotentMonoid, mtimesDefault
  , Min(..), Max(..), First(..), Last(..), WrappedMonoid(..)
  , Dual(..), Endo(..), All(..), Any(..), Sum(..), Product(..)
  , diff, cycle1, Arg(..), ArgMin, ArgMax
  ) where

import Gadfly.Base
import Data.Monoid (Dual(..), All(..), Any(..), Sum(..), Product(..))

stimesIdempotent :: Integral b => b -> a -> a
stimesIdempotent n x
  | n <= 0    = errorWithoutStackTrace "stimesIdempotent: positive multiplier expected"
  | otherwise = x

stimesIdempotentMonoid :: (Integral b, Monoid a) => b -> a -> a
stimesIdempotentMonoid n x = case compare n 0 of
  LT -> errorWithoutStackTrace "stimesIdempotentMonoid: negative multiplier"
  EQ -> mempty
  GT -> x

mtimesDefault :: (Integral b, Monoid a) => b -> a -> a
mtimesDefault n x
  | n == 0    = mempty
  | otherwise = stimes n x

diff :: Semigroup m => m -> Endo m
diff m = Endo (m <>)

cycle1 :: Semigroup m => m -> m
cycle1 xs = xs'
  where xs' = xs <> xs'

newtype Min a = Min { getMin :: a }
  deriving (Eq, Ord, Read, Show, Bounded)

instance Ord a => Semigroup (Min a) where
  Min a <> Min b = Min (min a b)
  stimes = stimesIdempotent

instance (Ord a, Bounded a) => Monoid (Min a) where
  mempty = maxBound

instance Functor Min where
  fmap f (Min a) = Min (f a)

instance Foldable Min where
  foldMap f (Min a) = f a

instance Traversable Min where
  traverse f (Min a) = fmap Min (f a)

instance Applicative Min where
  pure = Min
  Min f <*> Min a = Min (f a)

instance Monad Min where
  Min a >>= f = f a

instance Enum a => Enum (Min a) where
  succ (Min a)   = Min (succ a)
  pred (Min a)   = Min (pred a)
  toEnum n       = Min (toEnum n)
  fromEnum (Min a) = fromEnum a

newtype Max a = Max { getMax :: a }
  deriving (Eq, Ord, Read, Show, Bounded)

instance Ord a => Semigroup (Max a) where
  Max a <> Max b = Max (max a b)
  stimes = stimesIdempotent

instance (Ord a, Bounded a) => Monoid (Max a) where
  mempty = minBound

instance Functor Max where
  fmap f (Max a) = Max (f a)

instance Foldable Max where
  foldMap f (Max a) = f a

instance Traversable Max where
  traverse f (Max a) = fmap Max (f a)

instance Applicative Max where
  pure = Max
  Max f <*> Max a = Max (f a)

instance Monad Max where
  Max a >>= f = f a

instance Enum a => Enum (Max a) where
  succ (Max a)   = Max (succ a)
  pred (Max a)   = Max (pred a)
  toEnum n       = Max (toEnum n)
  fromEnum (Max a) = fromEnum a

newtype First a = First { getFirst :: a }
  deriving (Eq, Ord, Read, Show, Bounded)

instance Semigroup (First a) where
  a <> _ = a
  stimes = stimesIdempotent

instance Functor First where
  fmap f (First a) = First (f a)

instance Foldable First where
  foldMap f (First a) = f a

instance Traversable First where
  traverse f (First a) = fmap First (f a)

newtype Last a = Last { getLast :: a }
  deriving (Eq, Ord, Read, Show, Bounded)

instance Semigroup (Last a) where
  _ <> b = b
  stimes = stimesIdempotent

instance Functor Last where
  fmap f (Last a) = Last (f a)

instance Foldable Last where
  foldMap f (Last a) = f a

instance Traversable Last where
  traverse f (Last a) = fmap Last (f a)

newtype WrappedMonoid m = WrapMonoid { unwrapMonoid :: m }
  deriving (Eq, Ord, Read, Show, Bounded)

instance Monoid m => Semigroup (WrappedMonoid m) where
  WrapMonoid a <> WrapMonoid b = WrapMonoid (a `mappend` b)

instance Monoid m => Monoid (WrappedMonoid m) where
  mempty = WrapMonoid mempty

-- | A value with something attached that comparisons ignore.
data Arg a b = Arg a b
  deriving (Show, Read)

type ArgMin a b = Min (Arg a b)
type ArgMax a b = Max (Arg a b)

instance Functor (Arg a) where
  fmap f (Arg x a) = Arg x (f a)

instance Foldable (Arg a) where
  foldMap f (Arg _ a) = f a

instance Traversable (Arg a) where
  traverse f (Arg x a) = fmap (Arg x) (f a)

instance Eq a => Eq (Arg a b) where
  Arg a _ == Arg b _ = a == b

instance Ord a => Ord (Arg a b) where
  compare (Arg a _) (Arg b _) = compare a b
  min x@(Arg a _) y@(Arg b _) = if a <= b then x else y
  max x@(Arg a _) y@(Arg b _) = if a >= b then x else y
