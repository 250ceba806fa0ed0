{-# LANGUAGE NoImplicitPrelude #-}
-- | Structures that can be traversed with effects.
module Data.Traversable
  ( Traversable(..), for, forM, mapAccumL, mapAccumR, fmapDefault, foldMapDefault
  ) where

import Gadfly.Base
import Data.Functor.Identity (Identity(..))
import Data.Functor.Const (Const(..))

for :: (Traversable t, Applicative f) => t a -> (a -> f b) -> f (t b)
for t f = traverse f t

forM :: (Traversable t, Monad m) => t a -> (a -> m b) -> m (t b)
forM t f = mapM f t

-- | A state threaded from left to right, lazily.
newtype StateL s a = StateL (s -> (s, a))

runStateL :: StateL s a -> s -> (s, a)
runStateL (StateL f) = f

instance Functor (StateL s) where
  fmap f (StateL k) = StateL (\s -> let r = k s in (fst r, f (snd r)))

instance Applicative (StateL s) where
  pure x = StateL (\s -> (s, x))
  StateL kf <*> StateL kv = StateL (\s ->
    let r1 = kf s
        r2 = kv (fst r1)
    in (fst r2, snd r1 (snd r2)))
  liftA2 f (StateL kx) (StateL ky) = StateL (\s ->
    let r1 = kx s
        r2 = ky (fst r1)
    in (fst r2, f (snd r1) (snd r2)))

-- | A state threaded from right to left, lazily.
newtype StateR s a = StateR (s -> (s, a))

runStateR :: StateR s a -> s -> (s, a)
runStateR (StateR f) = f

instance Functor (StateR s) where
  fmap f (StateR k) = StateR (\s -> let r = k s in (fst r, f (snd r)))

instance Applicative (StateR s) where
  pure x = StateR (\s -> (s, x))
  StateR kf <*> StateR kv = StateR (\s ->
    let r1 = kv s
        r2 = kf (fst r1)
    in (fst r2, snd r2 (snd r1)))
  liftA2 f (StateR kx) (StateR ky) = StateR (\s ->
    let r1 = ky s
        r2 = kx (fst r1)
    in (fst r2, f (snd r2) (snd r1)))

mapAccumL :: Traversable t => (a -> b -> (a, c)) -> a -> t b -> (a, t c)
mapAccumL f s t = runStateL (traverse (\x -> StateL (\a -> f a x)) t) s

mapAccumR :: Traversable t => (a -> b -> (a, c)) -> a -> t b -> (a, t c)
mapAccumR f s t = runStateR (traverse (\x -> StateR (\a -> f a x)) t) s

fmapDefault :: Traversable t => (a -> b) -> t a -> t b
fmapDefault f t = runIdentity (traverse (\x -> Identity (f x)) t)

foldMapDefault :: (Traversable t, Monoid m) => (a -> m) -> t a -> m
foldMapDefault f t = getConst (traverse (\x -> Const (f x)) t)
