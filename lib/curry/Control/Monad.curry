-- | Monads: sequences, loops, conditions.
module Control.Monad
  ( Functor(..), Applicative(..), Monad(..)
  , filterM, (>=>), (<=<), forever, mapAndUnzipM, zipWithM, zipWithM_
  , foldM, foldM_, replicateM, replicateM_
  , when, unless, liftM3, join, void, forM, forM_
  ) where

import Control.Applicative (sequenceA, sequenceA_, when)

infixr 1 >=>, <=<

filterM :: Applicative m => (a -> m Bool) -> [a] -> m [a]
filterM _ []     = pure []
filterM p (x:xs) = liftA2 (\keep ys -> if keep then x : ys else ys) (p x) (filterM p xs)

(>=>) :: Monad m => (a -> m b) -> (b -> m c) -> a -> m c
f >=> g = \x -> f x >>= g

(<=<) :: Monad m => (b -> m c) -> (a -> m b) -> a -> m c
g <=< f = \x -> f x >>= g

forever :: Applicative f => f a -> f b
forever m = let again = m *> again in again

mapAndUnzipM :: Applicative m => (a -> m (b, c)) -> [a] -> m ([b], [c])
mapAndUnzipM f xs = fmap unzip (sequenceA (map f xs))

zipWithM :: Applicative m => (a -> b -> m c) -> [a] -> [b] -> m [c]
zipWithM f xs ys = sequenceA (zipWith f xs ys)

zipWithM_ :: Applicative m => (a -> b -> m c) -> [a] -> [b] -> m ()
zipWithM_ f xs ys = sequenceA_ (zipWith f xs ys)

foldM :: Monad m => (b -> a -> m b) -> b -> [a] -> m b
foldM _ z []     = return z
foldM f z (x:xs) = f z x >>= \z' -> foldM f z' xs

foldM_ :: Monad m => (b -> a -> m b) -> b -> [a] -> m ()
foldM_ f z xs = foldM f z xs >> return ()

replicateM :: Applicative m => Int -> m a -> m [a]
replicateM n m = if n <= 0 then pure [] else liftA2 (:) m (replicateM (n - 1) m)

replicateM_ :: Applicative m => Int -> m a -> m ()
replicateM_ n m = if n <= 0 then pure () else m *> replicateM_ (n - 1) m

unless :: Applicative f => Bool -> f () -> f ()
unless b m = if b then pure () else m

liftM3 :: Monad m => (a -> b -> c -> d) -> m a -> m b -> m c -> m d
liftM3 f mx my mz = do
  x <- mx
  y <- my
  z <- mz
  return (f x y z)

join :: Monad m => m (m a) -> m a
join m = m >>= id

void :: Functor f => f a -> f ()
void m = fmap (const ()) m

forM :: Monad m => [a] -> (a -> m b) -> m [b]
forM xs f = mapM f xs

forM_ :: Monad m => [a] -> (a -> m b) -> m ()
forM_ xs f = mapM_ f xs
