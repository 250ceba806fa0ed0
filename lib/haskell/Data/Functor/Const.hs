{-# LANGUAGE NoImplicitPrelude #-}
-- | The constant functor.
module Data.Functor.Const (Const(..)) where

import Gadfly.Base

newtype Const a b = Const { getConst :: a }
  deriving (Eq, Ord, Bounded)

instance Show a => Show (Const a b) where
  showsPrec d (Const x) = showParen (d > 10) (showString "Const " . showsPrec 11 x)

instance Read a => Read (Const a b) where
  readsPrec d = readParen (d > 10) (\r -> [(Const x, t) | ("Const", s) <- lex r, (x, t) <- readsPrec 11 s])

instance Functor (Const m) where
  fmap _ (Const v) = Const v

instance Foldable (Const m) where
  foldMap _ _ = mempty
  foldr _ z _ = z

instance Traversable (Const m) where
  traverse _ (Const m) = pure (Const m)

instance Monoid m => Applicative (Const m) where
  pure _                  = Const mempty
  Const f <*> Const v     = Const (f <> v)
  liftA2 _ (Const x) (Const y) = Const (x <> y)

instance Semigroup a => Semigroup (Const a b) where
  Const x <> Const y = Const (x <> y)

instance Monoid a => Monoid (Const a b) where
  mempty = Const mempty
