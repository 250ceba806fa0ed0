{-# LANGUAGE NoImplicitPrelude #-}
-- | Structures that can be traversed with effects.
module Data.Traversable
  ( Traversable(..), for, forM, forAccumM, mapAccumL, mapAccumR, mapAccumM, fmapDefault, foldMapDefault
  ) where

import Gadfly.Base
import Data.Functor.Identity (Identity(..))
import Data.Functor.Const (Const(..))

for :: (Traversable t, Applicative f) => t a -> (a -> f b) -> f (t b)
for t f = traverse f t

forM :: (Traversable t, Monad m) => t a -> (a -> m b) -> m (t b)
forM t f = mapM f t

-- | A computation that is handed an accumulator and hands it on.  Nothing is
-- evaluated before it is needed.
newtype Accum s a = Accum (s -> (s, a))

accumulate :: Accum s a -> s -> (s, a)
accumulate (Accum f) = f

instance Functor (Accum s) where
  fmap f m = Accum (\s -> let r = accumulate m s in (fst r, f (snd r)))

instance Applicative (Accum s) where
  pure x       = Accum (\s -> (s, x))
  mf <*> mx    = liftA2 id mf mx
  liftA2 f m n = Accum (\s ->
    let first  = accumulate m s
        second = accumulate n (fst first)
    in (fst second, f (snd first) (snd second)))

-- | The effects of another functor, the last one first.
newtype Backwards f a = Backwards (f a)

forwards :: Backwards f a -> f a
forwards (Backwards m) = m

instance Functor f => Functor (Backwards f) where
  fmap f (Backwards m) = Backwards (fmap f m)

instance Applicative f => Applicative (Backwards f) where
  pure x    = Backwards (pure x)
  mf <*> mx = liftA2 id mf mx
  liftA2 f (Backwards m) (Backwards n) = Backwards (liftA2 (\y x -> f x y) n m)

mapAccumL :: Traversable t => (s -> a -> (s, b)) -> s -> t a -> (s, t b)
mapAccumL f s t = accumulate (traverse (\x -> Accum (\a -> f a x)) t) s

mapAccumR :: Traversable t => (s -> a -> (s, b)) -> s -> t a -> (s, t b)
mapAccumR f s t = accumulate (forwards (traverse (\x -> Backwards (Accum (\a -> f a x))) t)) s

-- | An accumulator through the effects of a monad.
newtype AccumM m s a = AccumM (s -> m (s, a))

accumulateM :: AccumM m s a -> s -> m (s, a)
accumulateM (AccumM f) = f

instance Monad m => Functor (AccumM m s) where
  fmap f m = AccumM (\s -> accumulateM m s >>= \(s', x) -> return (s', f x))

instance Monad m => Applicative (AccumM m s) where
  pure x    = AccumM (\s -> return (s, x))
  mf <*> mx = AccumM (\s ->
    accumulateM mf s >>= \(s', f) -> accumulateM mx s' >>= \(s'', x) -> return (s'', f x))

mapAccumM :: (Monad m, Traversable t) => (s -> a -> m (s, b)) -> s -> t a -> m (s, t b)
mapAccumM f s t = accumulateM (traverse (\x -> AccumM (\a -> f a x)) t) s

forAccumM :: (Monad m, Traversable t) => s -> t a -> (s -> a -> m (s, b)) -> m (s, t b)
forAccumM s t f = mapAccumM f s t

fmapDefault :: Traversable t => (a -> b) -> t a -> t b
fmapDefault f t = runIdentity (traverse (\x -> Identity (f x)) t)

foldMapDefault :: (Traversable t, Monoid m) => (a -> m) -> t a -> m
foldMapDefault f t = getConst (traverse (\x -> Const (f x)) t)
