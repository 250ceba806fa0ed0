{-# LANGUAGE BangPatterns #-}
-- | Finite maps from ordered keys, lazy in their values.
module Data.Map.Lazy
  ( Map
    -- * Construction
  , empty, singleton, fromSet
  , fromList, fromListWith, fromListWithKey
  , fromAscList, fromAscListWith, fromAscListWithKey, fromDistinctAscList
  , fromDescList, fromDescListWith, fromDescListWithKey, fromDistinctDescList
    -- * Insertion, deletion, update
  , insert, insertWith, insertWithKey, insertLookupWithKey
  , delete, adjust, adjustWithKey, update, updateWithKey, updateLookupWithKey, alter, alterF
    -- * Queries
  , lookup, (!?), (!), findWithDefault, member, notMember
  , lookupLT, lookupGT, lookupLE, lookupGE, null, size
    -- * Combination
  , union, unionWith, unionWithKey, unions, unionsWith
  , difference, (\\), differenceWith, differenceWithKey
  , intersection, intersectionWith, intersectionWithKey
  , disjoint, compose, mergeWithKey
    -- * Traversal and folds
  , map, mapWithKey, traverseWithKey, traverseMaybeWithKey
  , mapAccum, mapAccumWithKey, mapAccumRWithKey, mapKeys, mapKeysWith, mapKeysMonotonic
  , foldr, foldl, foldrWithKey, foldlWithKey, foldMapWithKey
  , foldr', foldl', foldrWithKey', foldlWithKey'
    -- * Conversion
  , elems, keys, assocs, keysSet, toList, toAscList, toDescList
    -- * Filter and split
  , filter, filterWithKey, restrictKeys, withoutKeys, partition, partitionWithKey
  , takeWhileAntitone, dropWhileAntitone, spanAntitone
  , mapMaybe, mapMaybeWithKey, mapEither, mapEitherWithKey
  , split, splitLookup, splitRoot
    -- * Submaps
  , isSubmapOf, isSubmapOfBy, isProperSubmapOf, isProperSubmapOfBy
    -- * Positions
  , lookupIndex, findIndex, elemAt, updateAt, deleteAt, take, drop, splitAt
    -- * Least and greatest
  , lookupMin, lookupMax, findMin, findMax, deleteMin, deleteMax, deleteFindMin, deleteFindMax
  , updateMin, updateMax, updateMinWithKey, updateMaxWithKey
  , minView, maxView, minViewWithKey, maxViewWithKey
  , valid
  ) where

import Prelude hiding (lookup, map, filter, foldr, foldl, null, take, drop, splitAt)
import qualified Data.Foldable as F
import Data.Map.Internal
import Data.Set.Internal (Set)
import qualified Data.Set.Internal as Set

-- * Construction

singleton :: k -> a -> Map k a
singleton k x = Bin 1 k x Tip Tip

insert :: Ord k => k -> a -> Map k a -> Map k a
insert k x m = insertLazy k x m

-- | The combining function gets the new value first.
insertWith :: Ord k => (a -> a -> a) -> k -> a -> Map k a -> Map k a
insertWith _ !k x Tip = Bin 1 k x Tip Tip
insertWith f k x (Bin n ky y l r) = case compare k ky of
  LT -> let !l' = insertWith f k x l in balance ky y l' r
  GT -> let !r' = insertWith f k x r in balance ky y l r'
  EQ -> let z = f x y in Bin n k z l r

insertWithKey :: Ord k => (k -> a -> a -> a) -> k -> a -> Map k a -> Map k a
insertWithKey f !k x m = insertWith (f k) k x m

insertLookupWithKey :: Ord k => (k -> a -> a -> a) -> k -> a -> Map k a -> (Maybe a, Map k a)
insertLookupWithKey f k x m = let m' = insertWithKey f k x m in (lookup k m, m')

fromSet :: (k -> a) -> Set k -> Map k a
fromSet _ Set.Tip           = Tip
fromSet f (Set.Bin n k l r) = let x = f k in Bin n k x (fromSet f l) (fromSet f r)

fromList :: Ord k => [(k, a)] -> Map k a
fromList = F.foldl' (\m (k, x) -> insert k x m) Tip

fromListWith :: Ord k => (a -> a -> a) -> [(k, a)] -> Map k a
fromListWith f = F.foldl' (\m (k, x) -> insertWith f k x m) Tip

fromListWithKey :: Ord k => (k -> a -> a -> a) -> [(k, a)] -> Map k a
fromListWithKey f = F.foldl' (\m (k, x) -> insertWithKey f k x m) Tip

fromAscList, fromDescList :: Eq k => [(k, a)] -> Map k a
fromAscList  = fromAscListWith const
fromDescList = fromDescListWith const

fromAscListWith, fromDescListWith :: Eq k => (a -> a -> a) -> [(k, a)] -> Map k a
fromAscListWith f  = fromAscListWithKey (\_ x y -> f x y)
fromDescListWith f = fromDescListWithKey (\_ x y -> f x y)

fromAscListWithKey, fromDescListWithKey :: Eq k => (k -> a -> a -> a) -> [(k, a)] -> Map k a
fromAscListWithKey f xs  = fromDistinctAscList (combineEqual f xs)
fromDescListWithKey f xs = fromDistinctDescList (combineEqual f xs)

-- | Join neighbours with equal keys, the later value first.
combineEqual :: Eq k => (k -> a -> a -> a) -> [(k, a)] -> [(k, a)]
combineEqual f = start
  where
    start []             = []
    start (x : xs)       = go x xs
    go z []              = [z]
    go z@(kz, zz) (x@(kx, xx) : xs)
      | kx == kz         = let yy = f kx xx zz in go (kx, yy) xs
      | otherwise        = z : go x xs

fromDistinctAscList, fromDistinctDescList :: [(k, a)] -> Map k a
fromDistinctAscList xs  = fromDistinctAscLazy xs
fromDistinctDescList xs = fromDistinctAscLazy (reverse xs)

-- * Changing values

adjust :: Ord k => (a -> a) -> k -> Map k a -> Map k a
adjust f k m = adjustWithKey (\_ x -> f x) k m

adjustWithKey :: Ord k => (k -> a -> a) -> k -> Map k a -> Map k a
adjustWithKey _ !_ Tip = Tip
adjustWithKey f k (Bin n kx x l r) = case compare k kx of
  LT -> Bin n kx x (adjustWithKey f k l) r
  GT -> Bin n kx x l (adjustWithKey f k r)
  EQ -> let y = f kx x in Bin n kx y l r

update :: Ord k => (a -> Maybe a) -> k -> Map k a -> Map k a
update f = updateWithKey (\_ x -> f x)

updateWithKey :: Ord k => (k -> a -> Maybe a) -> k -> Map k a -> Map k a
updateWithKey f !k = go
  where go Tip              = Tip
        go (Bin n kx x l r) = case compare k kx of
          LT -> balance kx x (go l) r
          GT -> balance kx x l (go r)
          EQ -> case f kx x of
            Just x' -> Bin n kx x' l r
            Nothing  -> glue l r

-- | Also the value found: the new one if updated, the old one if deleted.
updateLookupWithKey :: Ord k => (k -> a -> Maybe a) -> k -> Map k a -> (Maybe a, Map k a)
updateLookupWithKey f !k = go
  where go Tip              = (Nothing, Tip)
        go (Bin n kx x l r) = case compare k kx of
          LT -> case go l of (found, l') -> (found, balance kx x l' r)
          GT -> case go r of (found, r') -> (found, balance kx x l r')
          EQ -> case f kx x of
            Just x' -> (Just x', Bin n kx x' l r)
            Nothing  -> (Just x, glue l r)

alter :: Ord k => (Maybe a -> Maybe a) -> k -> Map k a -> Map k a
alter f !k Tip = case f Nothing of
  Nothing -> Tip
  Just y  -> Bin 1 k y Tip Tip
alter f k (Bin n kx x l r) = case compare k kx of
  LT -> let !l' = alter f k l in balance kx x l' r
  GT -> let !r' = alter f k r in balance kx x l r'
  EQ -> case f (Just x) of
    Just y  -> Bin n kx y l r
    Nothing -> glue l r

alterF :: (Ord k, Functor f) => (Maybe a -> f (Maybe a)) -> k -> Map k a -> f (Map k a)
alterF f !k m = fmap change (f found)
  where
    found = lookup k m
    change Nothing   = case found of { Nothing -> m; Just _ -> delete k m }
    change (Just x) = insert k x m

findWithDefault :: Ord k => a -> k -> Map k a -> a
findWithDefault def k m = case lookup k m of
  Nothing -> def
  Just x  -> x

updateAt :: (k -> a -> Maybe a) -> Int -> Map k a -> Map k a
updateAt _ _ Tip = error "Map.updateAt: index out of range"
updateAt f i (Bin n k x l r) = case compare i sl of
  LT -> balance k x (updateAt f i l) r
  GT -> balance k x l (updateAt f (i - sl - 1) r)
  EQ -> case f k x of
    Just x' -> Bin n k x' l r
    Nothing  -> glue l r
  where sl = size l

updateMin, updateMax :: (a -> Maybe a) -> Map k a -> Map k a
updateMin f = updateMinWithKey (\_ x -> f x)
updateMax f = updateMaxWithKey (\_ x -> f x)

updateMinWithKey, updateMaxWithKey :: (k -> a -> Maybe a) -> Map k a -> Map k a
updateMinWithKey _ Tip = Tip
updateMinWithKey f (Bin n k x Tip r) = case f k x of
  Nothing  -> r
  Just x' -> Bin n k x' Tip r
updateMinWithKey f (Bin _ k x l r) = balance k x (updateMinWithKey f l) r
updateMaxWithKey _ Tip = Tip
updateMaxWithKey f (Bin n k x l Tip) = case f k x of
  Nothing  -> l
  Just x' -> Bin n k x' l Tip
updateMaxWithKey f (Bin _ k x l r) = balance k x l (updateMaxWithKey f r)

-- * Combination

unionWith :: Ord k => (a -> a -> a) -> Map k a -> Map k a -> Map k a
unionWith f = unionWithKey (\_ x y -> f x y)

unionWithKey :: Ord k => (k -> a -> a -> a) -> Map k a -> Map k a -> Map k a
unionWithKey _ t Tip = t
unionWithKey _ Tip t = t
unionWithKey f (Bin _ k x l r) t = case splitLookup k t of
  (lt, found, gt) ->
    let l' = unionWithKey f l lt
        r' = unionWithKey f r gt
    in case found of
         Nothing -> link k x l' r'
         Just y  -> let z = f k x y in link k z l' r'

unionsWith :: (Foldable f, Ord k) => (a -> a -> a) -> f (Map k a) -> Map k a
unionsWith f = F.foldl' (unionWith f) Tip

differenceWith :: Ord k => (a -> b -> Maybe a) -> Map k a -> Map k b -> Map k a
differenceWith f = mergeWithKey (\_ x y -> f x y) id (const Tip)

differenceWithKey :: Ord k => (k -> a -> b -> Maybe a) -> Map k a -> Map k b -> Map k a
differenceWithKey f = mergeWithKey f id (const Tip)

intersectionWith :: Ord k => (a -> b -> c) -> Map k a -> Map k b -> Map k c
intersectionWith f = intersectionWithKey (\_ x y -> f x y)

intersectionWithKey :: Ord k => (k -> a -> b -> c) -> Map k a -> Map k b -> Map k c
intersectionWithKey _ Tip _ = Tip
intersectionWithKey _ _ Tip = Tip
intersectionWithKey f (Bin _ k x l r) t = case splitLookup k t of
  (lt, found, gt) ->
    let l' = intersectionWithKey f l lt
        r' = intersectionWithKey f r gt
    in case found of
         Just y  -> let z = f k x y in link k z l' r'
         Nothing -> link2 l' r'

-- | The general combination: what to do with keys in both, only in the first,
-- only in the second.
mergeWithKey :: Ord k => (k -> a -> b -> Maybe c) -> (Map k a -> Map k c) -> (Map k b -> Map k c)
             -> Map k a -> Map k b -> Map k c
mergeWithKey f g1 g2 = go
  where
    go Tip t2 = g2 t2
    go t1 Tip = g1 t1
    go (Bin _ k x l r) t2 = case splitLookup k t2 of
      (lt, found, gt) ->
        let l' = go l lt
            r' = go r gt
        in case found of
             Nothing -> case g1 (Bin 1 k x Tip Tip) of
               Tip                -> link2 l' r'
               Bin _ _ x' Tip Tip -> link k x' l' r'
               _                  -> error
                 "mergeWithKey: Given function only1 does not fulfill required conditions (see documentation)"
             Just y -> case f k x y of
               Nothing  -> link2 l' r'
               Just x' -> link k x' l' r'

-- * Maps over values

map :: (a -> b) -> Map k a -> Map k b
map f = mapWithKey (\_ x -> f x)

mapWithKey :: (k -> a -> b) -> Map k a -> Map k b
mapWithKey _ Tip             = Tip
mapWithKey f (Bin n k x l r) = let y = f k x in Bin n k y (mapWithKey f l) (mapWithKey f r)

traverseWithKey :: Applicative t => (k -> a -> t b) -> Map k a -> t (Map k b)
traverseWithKey f = go
  where go Tip             = pure Tip
        go (Bin n k x l r) = (\l' x' r' -> Bin n k x' l' r') <$> go l <*> f k x <*> go r

traverseMaybeWithKey :: Applicative f => (k -> a -> f (Maybe b)) -> Map k a -> f (Map k b)
traverseMaybeWithKey f = go
  where
    go Tip             = pure Tip
    go (Bin _ k x l r) = combine k <$> go l <*> f k x <*> go r
    combine k l' mx r' = case mx of
      Nothing -> link2 l' r'
      Just y -> link k y l' r'

mapAccum :: (a -> b -> (a, c)) -> a -> Map k b -> (a, Map k c)
mapAccum f = mapAccumWithKey (\a _ x -> f a x)

mapAccumWithKey, mapAccumRWithKey :: (a -> k -> b -> (a, c)) -> a -> Map k b -> (a, Map k c)
mapAccumWithKey _ a Tip = (a, Tip)
mapAccumWithKey f a (Bin n k x l r) =
  let (a1, l') = mapAccumWithKey f a l
      (a2, x') = f a1 k x
      (a3, r') = mapAccumWithKey f a2 r
  in (a3, Bin n k x' l' r')
mapAccumRWithKey _ a Tip = (a, Tip)
mapAccumRWithKey f a (Bin n k x l r) =
  let (a1, r') = mapAccumRWithKey f a r
      (a2, x') = f a1 k x
      (a3, l') = mapAccumRWithKey f a2 l
  in (a3, Bin n k x' l' r')

mapKeysWith :: Ord k2 => (a -> a -> a) -> (k1 -> k2) -> Map k1 a -> Map k2 a
mapKeysWith c f m = fromListWith c [(f k, x) | (k, x) <- toAscList m]

mapMaybe :: (a -> Maybe b) -> Map k a -> Map k b
mapMaybe f = mapMaybeWithKey (\_ x -> f x)

mapMaybeWithKey :: (k -> a -> Maybe b) -> Map k a -> Map k b
mapMaybeWithKey _ Tip = Tip
mapMaybeWithKey f (Bin _ k x l r) = case f k x of
  Just y -> link k y (mapMaybeWithKey f l) (mapMaybeWithKey f r)
  Nothing -> link2 (mapMaybeWithKey f l) (mapMaybeWithKey f r)

mapEither :: (a -> Either b c) -> Map k a -> (Map k b, Map k c)
mapEither f = mapEitherWithKey (\_ x -> f x)

mapEitherWithKey :: (k -> a -> Either b c) -> Map k a -> (Map k b, Map k c)
mapEitherWithKey _ Tip = (Tip, Tip)
mapEitherWithKey f (Bin _ k x l r) = case (mapEitherWithKey f l, mapEitherWithKey f r) of
  ((l1, l2), (r1, r2)) -> case f k x of
    Left y  -> (link k y l1 r1, link2 l2 r2)
    Right z -> (link2 l1 r1, link k z l2 r2)
