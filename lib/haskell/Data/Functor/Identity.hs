{-# LANGUAGE NoImplicitPrelude #-}
-- | The identity functor and monad.
module Data.Functor.Identity (Identity(..)) where

import Gadfly.Base
import Control.Monad.Fix (MonadFix(..), fix)

newtype Identity a = Identity { runIdentity :: a }
  deriving (Eq, Ord, Bounded, Ix)

instance Show a => Show (Identity a) where
  showsPrec d (Identity x) = showParen (d >= 11) (showString "Identity " . showsPrec 11 x)

instance Read a => Read (Identity a) where
  readsPrec d = readParen (d > 10) (\r -> [(Identity x, t) | ("Identity", s) <- lex r, (x, t) <- readsPrec 11 s])

instance Functor Identity where
  fmap f (Identity x) = Identity (f x)

instance Applicative Identity where
  pure = Identity
  Identity f <*> Identity x = Identity (f x)

instance Monad Identity where
  Identity x >>= k = k x

instance MonadFix Identity where
  mfix f = Identity (fix (runIdentity . f))

instance Foldable Identity where
  foldMap f (Identity x) = f x
  foldr f z (Identity x) = f x z
  length _ = 1
  null _   = False

instance Traversable Identity where
  traverse f (Identity x) = fmap Identity (f x)

instance Semigroup a => Semigroup (Identity a) where
  Identity x <> Identity y = Identity (x <> y)

instance Monoid a => Monoid (Identity a) where
  mempty = Identity mempty

instance Num a => Num (Identity a) where
  Identity x + Identity y = Identity (x + y)
  Identity x - Identity y = Identity (x - y)
  Identity x * Identity y = Identity (x * y)
  negate (Identity x)     = Identity (negate x)
  abs (Identity x)        = Identity (abs x)
  signum (Identity x)     = Identity (signum x)
  fromInteger n           = Identity (fromInteger n)
