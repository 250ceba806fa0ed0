{-# LANGUAGE NoImplicitPrelude #-}
-- | Monads and functions for all of them.
module Control.Monad
  ( Functor(..), Monad(..), MonadFail(fail), MonadPlus(mzero, mplus)
  , mapM, mapM_, forM, forM_, sequence, sequence_
  , (=<<), (>=>), (<=<), forever, void
  , join, msum, mfilter, filterM, mapAndUnzipM, zipWithM, zipWithM_
  , foldM, foldM_, replicateM, replicateM_
  , guard, when, unless
  , liftM, liftM2, liftM3, liftM4, liftM5, ap, (<$!>)
  ) where

import Gadfly.Base
import Data.Foldable (foldlM, forM_, msum)
import Data.Functor (void)
import Data.Traversable (forM)

infixr 1 >=>, <=<
infixl 4 <$!>

(>=>) :: Monad m => (a -> m b) -> (b -> m c) -> a -> m c
f >=> g = \x -> f x >>= g

(<=<) :: Monad m => (b -> m c) -> (a -> m b) -> a -> m c
g <=< f = \x -> f x >>= g

forever :: Applicative f => f a -> f b
forever a = a'
  where a' = a *> a'

join :: Monad m => m (m a) -> m a
join m = m >>= id

mfilter :: MonadPlus m => (a -> Bool) -> m a -> m a
mfilter p ma = do
  a <- ma
  if p a then return a else mzero

filterM :: Applicative m => (a -> m Bool) -> [a] -> m [a]
filterM p = foldr (\x -> liftA2 (\keep -> if keep then (x :) else id) (p x)) (pure [])

mapAndUnzipM :: Applicative m => (a -> m (b, c)) -> [a] -> m ([b], [c])
mapAndUnzipM f xs = fmap unzip (traverse f xs)

zipWithM :: Applicative m => (a -> b -> m c) -> [a] -> [b] -> m [c]
zipWithM f xs ys = sequenceA (zipWith f xs ys)

zipWithM_ :: Applicative m => (a -> b -> m c) -> [a] -> [b] -> m ()
zipWithM_ f xs ys = foldr (*>) (pure ()) (zipWith f xs ys)

foldM :: (Foldable t, Monad m) => (b -> a -> m b) -> b -> t a -> m b
foldM = foldlM

foldM_ :: (Foldable t, Monad m) => (b -> a -> m b) -> b -> t a -> m ()
foldM_ f a xs = foldlM f a xs >> return ()

replicateM :: Applicative m => Int -> m a -> m [a]
replicateM n0 f = go n0
  where go n | primIntLe n 0 = pure []
             | otherwise     = liftA2 (:) f (go (primIntSub n 1))

replicateM_ :: Applicative m => Int -> m a -> m ()
replicateM_ n0 f = go n0
  where go n | primIntLe n 0 = pure ()
             | otherwise     = f *> go (primIntSub n 1)

guard :: Alternative f => Bool -> f ()
guard True  = pure ()
guard False = empty

unless :: Applicative f => Bool -> f () -> f ()
unless c act = if c then pure () else act

liftM2 :: Monad m => (a -> b -> c) -> m a -> m b -> m c
liftM2 f ma mb = do { a <- ma; b <- mb; return (f a b) }

liftM3 :: Monad m => (a -> b -> c -> d) -> m a -> m b -> m c -> m d
liftM3 f ma mb mc = do { a <- ma; b <- mb; c <- mc; return (f a b c) }

liftM4 :: Monad m => (a -> b -> c -> d -> e) -> m a -> m b -> m c -> m d -> m e
liftM4 f ma mb mc md = do { a <- ma; b <- mb; c <- mc; d <- md; return (f a b c d) }

liftM5 :: Monad m => (a -> b -> c -> d -> e -> r) -> m a -> m b -> m c -> m d -> m e -> m r
liftM5 f ma mb mc md me = do { a <- ma; b <- mb; c <- mc; d <- md; e <- me; return (f a b c d e) }

-- | 'fmap' that evaluates the result.
(<$!>) :: Monad m => (a -> b) -> m a -> m b
f <$!> m = do
  x <- m
  let z = f x
  z `seq` return z
