{-# LANGUAGE NoImplicitPrelude #-}
-- | Applicative functors: sequencing effects without depending on results.
module Control.Applicative
  ( Applicative(..), Alternative(..)
  , Const(..), WrappedMonad(..), ZipList(..)
  , (<$>), (<$), (<**>), liftA, liftA3, optional
  ) where

import Gadfly.Base
import Data.Functor.Const (Const(..))

infixl 4 <**>

-- | Apply, with the argument's effects first.
(<**>) :: Applicative f => f a -> f (a -> b) -> f b
(<**>) = liftA2 (\a f -> f a)

liftA :: Applicative f => (a -> b) -> f a -> f b
liftA f a = pure f <*> a

liftA3 :: Applicative f => (a -> b -> c -> d) -> f a -> f b -> f c -> f d
liftA3 f a b c = liftA2 f a b <*> c

-- | One or none.
optional :: Alternative f => f a -> f (Maybe a)
optional v = fmap Just v <|> pure Nothing

-- | Lists whose elements are combined position by position.
newtype ZipList a = ZipList { getZipList :: [a] }
  deriving (Show, Eq, Ord, Read)

instance Functor ZipList where
  fmap f (ZipList xs) = ZipList (map f xs)

instance Foldable ZipList where
  foldMap f (ZipList xs) = foldMap f xs
  foldr f z (ZipList xs) = foldr f z xs
  length (ZipList xs)    = length xs

instance Traversable ZipList where
  traverse f (ZipList xs) = fmap ZipList (traverse f xs)

instance Applicative ZipList where
  pure x = ZipList (repeat x)
  liftA2 f (ZipList xs) (ZipList ys) = ZipList (zipWith f xs ys)
  ZipList fs <*> ZipList xs          = ZipList (zipWith id fs xs)

instance Alternative ZipList where
  empty = ZipList []
  ZipList xs <|> ZipList ys = ZipList (xs ++ drop (length xs) ys)

newtype WrappedMonad m a = WrapMonad { unwrapMonad :: m a }

instance Monad m => Functor (WrappedMonad m) where
  fmap f (WrapMonad v) = WrapMonad (liftM f v)

instance Monad m => Applicative (WrappedMonad m) where
  pure x = WrapMonad (pure x)
  WrapMonad f <*> WrapMonad v = WrapMonad (f `ap` v)

instance Monad m => Monad (WrappedMonad m) where
  a >>= f = WrapMonad (unwrapMonad a >>= \x -> unwrapMonad (f x))
