{-# LANGUAGE NoImplicitPrelude #-}
-- | Structures that can be folded.
module Data.Foldable
  ( Foldable(..)
  , foldrM, foldlM
  , traverse_, for_, sequenceA_, asum
  , mapM_, forM_, sequence_, msum
  , concat, concatMap, and, or, any, all, maximumBy, minimumBy, notElem, find
  ) where

import Gadfly.Base

foldrM :: (Foldable t, Monad m) => (a -> b -> m b) -> b -> t a -> m b
foldrM f z0 xs = foldl (\k x z -> f x z >>= k) return xs z0

foldlM :: (Foldable t, Monad m) => (b -> a -> m b) -> b -> t a -> m b
foldlM f z0 xs = foldr (\x k z -> f z x >>= k) return xs z0

traverse_ :: (Foldable t, Applicative f) => (a -> f b) -> t a -> f ()
traverse_ f = foldr (\x k -> f x *> k) (pure ())

for_ :: (Foldable t, Applicative f) => t a -> (a -> f b) -> f ()
for_ t f = traverse_ f t

sequenceA_ :: (Foldable t, Applicative f) => t (f a) -> f ()
sequenceA_ = foldr (*>) (pure ())

forM_ :: (Foldable t, Monad m) => t a -> (a -> m b) -> m ()
forM_ t f = mapM_ f t

asum :: (Foldable t, Alternative f) => t (f a) -> f a
asum = foldr (<|>) empty

msum :: (Foldable t, MonadPlus m) => t (m a) -> m a
msum = foldr mplus mzero

-- | The last of the greatest elements.
maximumBy :: Foldable t => (a -> a -> Ordering) -> t a -> a
maximumBy cmp t = fromJustOr "maximumBy: empty structure" (foldl' pick Nothing t)
  where pick Nothing  y = Just y
        pick (Just x) y = case cmp x y of { GT -> Just x; _ -> Just y }

-- | The first of the least elements.
minimumBy :: Foldable t => (a -> a -> Ordering) -> t a -> a
minimumBy cmp t = fromJustOr "minimumBy: empty structure" (foldl' pick Nothing t)
  where pick Nothing  y = Just y
        pick (Just x) y = case cmp x y of { GT -> Just y; _ -> Just x }

find :: Foldable t => (a -> Bool) -> t a -> Maybe a
find p = foldr (\x r -> if p x then Just x else r) Nothing
