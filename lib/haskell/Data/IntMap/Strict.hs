-- | Finite maps from 'Int' whose values are evaluated when they are put in.
module Data.IntMap.Strict
  ( IntMap, Key
    -- * Construction
  , empty, singleton, fromSet
  , fromList, fromListWith, fromListWithKey
  , fromAscList, fromAscListWith, fromAscListWithKey, fromDistinctAscList
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
  , mapMaybe, mapMaybeWithKey, mapEither, mapEitherWithKey
  , split, splitLookup, splitRoot
    -- * Submaps
  , isSubmapOf, isSubmapOfBy, isProperSubmapOf, isProperSubmapOfBy
    -- * Least and greatest
  , lookupMin, lookupMax, findMin, findMax, deleteMin, deleteMax, deleteFindMin, deleteFindMax
  , updateMin, updateMax, updateMinWithKey, updateMaxWithKey
  , minView, maxView, minViewWithKey, maxViewWithKey
  ) where

import Prelude hiding (lookup, map, filter, foldr, foldl, null)
import qualified Data.Foldable as F
import Data.IntMap.Internal
import Data.IntSet.Internal (IntSet(..), Key)
import qualified Data.Map.Strict as M

singleton :: Key -> a -> IntMap a
singleton k x = IntMap (M.singleton k x)

insert :: Key -> a -> IntMap a -> IntMap a
insert k x (IntMap m) = IntMap (M.insert k x m)

insertWith :: (a -> a -> a) -> Key -> a -> IntMap a -> IntMap a
insertWith f k x (IntMap m) = IntMap (M.insertWith f k x m)

insertWithKey :: (Key -> a -> a -> a) -> Key -> a -> IntMap a -> IntMap a
insertWithKey f k x (IntMap m) = IntMap (M.insertWithKey f k x m)

insertLookupWithKey :: (Key -> a -> a -> a) -> Key -> a -> IntMap a -> (Maybe a, IntMap a)
insertLookupWithKey f k x (IntMap m) = case M.insertLookupWithKey f k x m of (v, r) -> (v, IntMap r)

fromSet :: (Key -> a) -> IntSet -> IntMap a
fromSet f (IntSet s) = IntMap (M.fromSet f s)

fromList :: [(Key, a)] -> IntMap a
fromList x = IntMap (M.fromList x)

fromListWith :: (a -> a -> a) -> [(Key, a)] -> IntMap a
fromListWith f x = IntMap (M.fromListWith f x)

fromListWithKey :: (Key -> a -> a -> a) -> [(Key, a)] -> IntMap a
fromListWithKey f x = IntMap (M.fromListWithKey f x)

fromAscList :: [(Key, a)] -> IntMap a
fromAscList x = IntMap (M.fromAscList x)

fromAscListWith :: (a -> a -> a) -> [(Key, a)] -> IntMap a
fromAscListWith f x = IntMap (M.fromAscListWith f x)

fromAscListWithKey :: (Key -> a -> a -> a) -> [(Key, a)] -> IntMap a
fromAscListWithKey f x = IntMap (M.fromAscListWithKey f x)

fromDistinctAscList :: [(Key, a)] -> IntMap a
fromDistinctAscList x = IntMap (M.fromDistinctAscList x)

adjust :: (a -> a) -> Key -> IntMap a -> IntMap a
adjust f k (IntMap m) = IntMap (M.adjust f k m)

adjustWithKey :: (Key -> a -> a) -> Key -> IntMap a -> IntMap a
adjustWithKey f k (IntMap m) = IntMap (M.adjustWithKey f k m)

update :: (a -> Maybe a) -> Key -> IntMap a -> IntMap a
update f k (IntMap m) = IntMap (M.update f k m)

updateWithKey :: (Key -> a -> Maybe a) -> Key -> IntMap a -> IntMap a
updateWithKey f k (IntMap m) = IntMap (M.updateWithKey f k m)

alter :: (Maybe a -> Maybe a) -> Key -> IntMap a -> IntMap a
alter f k (IntMap m) = IntMap (M.alter f k m)

alterF :: Functor f => (Maybe a -> f (Maybe a)) -> Key -> IntMap a -> f (IntMap a)
alterF f k (IntMap m) = fmap IntMap (M.alterF f k m)

findWithDefault :: a -> Key -> IntMap a -> a
findWithDefault x k (IntMap m) = M.findWithDefault x k m

updateMin :: (a -> Maybe a) -> IntMap a -> IntMap a
updateMin f (IntMap m) = IntMap (M.updateMin f m)

updateMax :: (a -> Maybe a) -> IntMap a -> IntMap a
updateMax f (IntMap m) = IntMap (M.updateMax f m)

updateMinWithKey :: (Key -> a -> Maybe a) -> IntMap a -> IntMap a
updateMinWithKey f (IntMap m) = IntMap (M.updateMinWithKey f m)

updateMaxWithKey :: (Key -> a -> Maybe a) -> IntMap a -> IntMap a
updateMaxWithKey f (IntMap m) = IntMap (M.updateMaxWithKey f m)

unionWith :: (a -> a -> a) -> IntMap a -> IntMap a -> IntMap a
unionWith f (IntMap m) (IntMap n) = IntMap (M.unionWith f m n)

unionWithKey :: (Key -> a -> a -> a) -> IntMap a -> IntMap a -> IntMap a
unionWithKey f (IntMap m) (IntMap n) = IntMap (M.unionWithKey f m n)

differenceWith :: (a -> b -> Maybe a) -> IntMap a -> IntMap b -> IntMap a
differenceWith f (IntMap m) (IntMap n) = IntMap (M.differenceWith f m n)

differenceWithKey :: (Key -> a -> b -> Maybe a) -> IntMap a -> IntMap b -> IntMap a
differenceWithKey f (IntMap m) (IntMap n) = IntMap (M.differenceWithKey f m n)

intersectionWith :: (a -> b -> c) -> IntMap a -> IntMap b -> IntMap c
intersectionWith f (IntMap m) (IntMap n) = IntMap (M.intersectionWith f m n)

intersectionWithKey :: (Key -> a -> b -> c) -> IntMap a -> IntMap b -> IntMap c
intersectionWithKey f (IntMap m) (IntMap n) = IntMap (M.intersectionWithKey f m n)

map :: (a -> b) -> IntMap a -> IntMap b
map f (IntMap m) = IntMap (M.map f m)

mapWithKey :: (Key -> a -> b) -> IntMap a -> IntMap b
mapWithKey f (IntMap m) = IntMap (M.mapWithKey f m)

traverseWithKey :: Applicative t => (Key -> a -> t b) -> IntMap a -> t (IntMap b)
traverseWithKey f (IntMap m) = fmap IntMap (M.traverseWithKey f m)

traverseMaybeWithKey :: Applicative f => (Key -> a -> f (Maybe b)) -> IntMap a -> f (IntMap b)
traverseMaybeWithKey f (IntMap m) = fmap IntMap (M.traverseMaybeWithKey f m)

mapAccum :: (a -> b -> (a, c)) -> a -> IntMap b -> (a, IntMap c)
mapAccum f x (IntMap m) = case M.mapAccum f x m of (v, r) -> (v, IntMap r)

mapAccumWithKey :: (a -> Key -> b -> (a, c)) -> a -> IntMap b -> (a, IntMap c)
mapAccumWithKey f x (IntMap m) = case M.mapAccumWithKey f x m of (v, r) -> (v, IntMap r)

mapAccumRWithKey :: (a -> Key -> b -> (a, c)) -> a -> IntMap b -> (a, IntMap c)
mapAccumRWithKey f x (IntMap m) = case M.mapAccumRWithKey f x m of (v, r) -> (v, IntMap r)

mapKeysWith :: (a -> a -> a) -> (Key -> Key) -> IntMap a -> IntMap a
mapKeysWith f g (IntMap m) = IntMap (M.mapKeysWith f g m)

mapMaybe :: (a -> Maybe b) -> IntMap a -> IntMap b
mapMaybe f (IntMap m) = IntMap (M.mapMaybe f m)

mapMaybeWithKey :: (Key -> a -> Maybe b) -> IntMap a -> IntMap b
mapMaybeWithKey f (IntMap m) = IntMap (M.mapMaybeWithKey f m)

mapEither :: (a -> Either b c) -> IntMap a -> (IntMap b, IntMap c)
mapEither f (IntMap m) = case M.mapEither f m of (l, r) -> (IntMap l, IntMap r)

mapEitherWithKey :: (Key -> a -> Either b c) -> IntMap a -> (IntMap b, IntMap c)
mapEitherWithKey f (IntMap m) = case M.mapEitherWithKey f m of (l, r) -> (IntMap l, IntMap r)

-- | Also the value found, as it was; "Data.Map" would give the updated one.
updateLookupWithKey :: (Key -> a -> Maybe a) -> Key -> IntMap a -> (Maybe a, IntMap a)
updateLookupWithKey f k m = (lookup k m, updateWithKey f k m)

unionsWith :: Foldable f => (a -> a -> a) -> f (IntMap a) -> IntMap a
unionsWith f = F.foldl' (unionWith f) empty

mergeWithKey :: (Key -> a -> b -> Maybe c) -> (IntMap a -> IntMap c) -> (IntMap b -> IntMap c)
             -> IntMap a -> IntMap b -> IntMap c
mergeWithKey f g1 g2 (IntMap m) (IntMap n) = IntMap (M.mergeWithKey f (under g1) (under g2) m n)
  where under g t = case g (IntMap t) of IntMap t' -> t'
