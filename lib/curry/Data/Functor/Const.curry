-- | The functor that keeps a value and forgets its parameter.
module Data.Functor.Const (Const(..)) where

newtype Const a b = Const { getConst :: a }
  deriving (Eq, Ord, Show, Read)

instance Functor (Const a) where
  fmap _ (Const x) = Const x
