{-# LANGUAGE NoImplicitPrelude #-}
-- | Monoids, and wrappers that choose one for a type with several.
module Data.Monoid
  ( Monoid(..), (<>)
  , Dual(..), Endo(..), All(..), Any(..), Sum(..), Product(..)
  , First(..), Last(..), Alt(..), Ap(..)
  ) where

import Gadfly.Base

newtype Dual a = Dual { getDual :: a }
  deriving (Eq, Ord, Read, Show, Bounded)

instance Semigroup a => Semigroup (Dual a) where
  Dual a <> Dual b = Dual (b <> a)
  stimes n (Dual a) = Dual (stimes n a)

instance Monoid a => Monoid (Dual a) where
  mempty = Dual mempty

instance Functor Dual where
  fmap f (Dual a) = Dual (f a)

instance Applicative Dual where
  pure = Dual
  Dual f <*> Dual a = Dual (f a)

instance Monad Dual where
  m >>= k = k (getDual m)

instance Foldable Dual where
  foldMap f (Dual a) = f a

instance Traversable Dual where
  traverse f (Dual a) = fmap Dual (f a)

newtype All = All { getAll :: Bool }
  deriving (Eq, Ord, Read, Show, Bounded)

instance Semigroup All where
  All a <> All b = All (a && b)

instance Monoid All where
  mempty = All True

newtype Any = Any { getAny :: Bool }
  deriving (Eq, Ord, Read, Show, Bounded)

instance Semigroup Any where
  Any a <> Any b = Any (a || b)

instance Monoid Any where
  mempty = Any False

newtype Sum a = Sum { getSum :: a }
  deriving (Eq, Ord, Read, Show, Bounded)

instance Num a => Semigroup (Sum a) where
  Sum a <> Sum b = Sum (a + b)
  stimes n (Sum a) = Sum (fromIntegral n * a)

instance Num a => Monoid (Sum a) where
  mempty = Sum 0

instance Functor Sum where
  fmap f (Sum a) = Sum (f a)

instance Applicative Sum where
  pure = Sum
  Sum f <*> Sum a = Sum (f a)

instance Monad Sum where
  m >>= k = k (getSum m)

instance Foldable Sum where
  foldMap f (Sum a) = f a

instance Traversable Sum where
  traverse f (Sum a) = fmap Sum (f a)

instance Num a => Num (Sum a) where
  Sum a + Sum b  = Sum (a + b)
  Sum a - Sum b  = Sum (a - b)
  Sum a * Sum b  = Sum (a * b)
  negate (Sum a) = Sum (negate a)
  abs (Sum a)    = Sum (abs a)
  signum (Sum a) = Sum (signum a)
  fromInteger n  = Sum (fromInteger n)

newtype Product a = Product { getProduct :: a }
  deriving (Eq, Ord, Read, Show, Bounded)

instance Num a => Semigroup (Product a) where
  Product a <> Product b = Product (a * b)
  stimes n (Product a) = Product (a ^ n)

instance Num a => Monoid (Product a) where
  mempty = Product 1

instance Functor Product where
  fmap f (Product a) = Product (f a)

instance Applicative Product where
  pure = Product
  Product f <*> Product a = Product (f a)

instance Monad Product where
  m >>= k = k (getProduct m)

instance Foldable Product where
  foldMap f (Product a) = f a

instance Traversable Product where
  traverse f (Product a) = fmap Product (f a)

instance Num a => Num (Product a) where
  Product a + Product b = Product (a + b)
  Product a - Product b = Product (a - b)
  Product a * Product b = Product (a * b)
  negate (Product a)    = Product (negate a)
  abs (Product a)       = Product (abs a)
  signum (Product a)    = Product (signum a)
  fromInteger n         = Product (fromInteger n)

-- | The leftmost 'Just'.
newtype First a = First { getFirst :: Maybe a }
  deriving (Eq, Ord, Read, Show)

instance Semigroup (First a) where
  First Nothing <> b = b
  a             <> _ = a

instance Monoid (First a) where
  mempty = First Nothing

instance Functor First where
  fmap f (First a) = First (fmap f a)

instance Applicative First where
  pure a = First (Just a)
  First f <*> First a = First (f <*> a)

instance Monad First where
  First m >>= k = First (m >>= \x -> getFirst (k x))

instance Foldable First where
  foldMap f (First a) = foldMap f a

instance Traversable First where
  traverse f (First a) = fmap First (traverse f a)

-- | The rightmost 'Just'.
newtype Last a = Last { getLast :: Maybe a }
  deriving (Eq, Ord, Read, Show)

instance Semigroup (Last a) where
  a <> Last Nothing = a
  _ <> b            = b

instance Monoid (Last a) where
  mempty = Last Nothing

instance Functor Last where
  fmap f (Last a) = Last (fmap f a)

instance Applicative Last where
  pure a = Last (Just a)
  Last f <*> Last a = Last (f <*> a)

instance Monad Last where
  Last m >>= k = Last (m >>= \x -> getLast (k x))

instance Foldable Last where
  foldMap f (Last a) = foldMap f a

instance Traversable Last where
  traverse f (Last a) = fmap Last (traverse f a)

-- | The monoid of an alternative functor.
newtype Alt f a = Alt { getAlt :: f a }

instance Eq (f a) => Eq (Alt f a) where
  Alt a == Alt b = a == b

instance Ord (f a) => Ord (Alt f a) where
  compare (Alt a) (Alt b) = compare a b

instance Show (f a) => Show (Alt f a) where
  showsPrec d (Alt a) = showParen (d >= 11) (showString "Alt {getAlt = " . showsPrec 0 a . showChar '}')

instance Functor f => Functor (Alt f) where
  fmap f (Alt a) = Alt (fmap f a)

instance Alternative f => Semigroup (Alt f a) where
  Alt a <> Alt b = Alt (a <|> b)

instance Alternative f => Monoid (Alt f a) where
  mempty = Alt empty

-- | The monoid of an applicative functor over a monoid.
newtype Ap f a = Ap { getAp :: f a }

instance Eq (f a) => Eq (Ap f a) where
  Ap a == Ap b = a == b

instance Ord (f a) => Ord (Ap f a) where
  compare (Ap a) (Ap b) = compare a b

instance Show (f a) => Show (Ap f a) where
  showsPrec d (Ap a) = showParen (d >= 11) (showString "Ap {getAp = " . showsPrec 0 a . showChar '}')

instance Functor f => Functor (Ap f) where
  fmap f (Ap a) = Ap (fmap f a)

instance Applicative f => Applicative (Ap f) where
  pure a = Ap (pure a)
  Ap f <*> Ap a = Ap (f <*> a)

instance (Applicative f, Semigroup a) => Semigroup (Ap f a) where
  Ap a <> Ap b = Ap (liftA2 (<>) a b)

instance (Applicative f, Monoid a) => Monoid (Ap f a) where
  mempty = Ap (pure mempty)
