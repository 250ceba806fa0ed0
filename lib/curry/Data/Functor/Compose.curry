-- | One functor within another.
module Data.Functor.Compose (Compose(..)) where

newtype Compose f g a = Compose { getCompose :: f (g a) }

instance (Functor f, Functor g) => Functor (Compose f g) where
  fmap f (Compose m) = Compose (fmap (fmap f) m)

instance (Applicative f, Applicative g) => Applicative (Compose f g) where
  pure x = Compose (pure (pure x))
  Compose f <*> Compose m = Compose (liftA2 (<*>) f m)
  liftA2 f (Compose m) (Compose n) = Compose (liftA2 (liftA2 f) m n)
