-- | Finite maps under the names of older Curry libraries.
module FiniteMap
  ( FM, emptyFM, unitFM, listToFM, addToFM, addToFM_C, addListToFM, addListToFM_C
  , delFromFM, delListFromFM, updFM, splitFM, plusFM, plusFM_C, minusFM, intersectFM, intersectFM_C
  , foldFM, mapFM, filterFM, sizeFM, eqFM, isEmptyFM, elemFM, lookupFM, lookupWithDefaultFM
  , keyOrder, minFM, maxFM, fmToList, keysFM, eltsFM, fmSortBy, fmToListPreOrder
  ) where

import Data.Map (Map)
import qualified Data.Map as Map

-- | The order of keys is that of their type; the relation that older programs
-- give is asked for, but not used.
type FM k a = Map k a

emptyFM :: (k -> k -> Bool) -> FM k a
emptyFM _ = Map.empty

unitFM :: (k -> k -> Bool) -> k -> a -> FM k a
unitFM _ k x = Map.singleton k x

listToFM :: Ord k => (k -> k -> Bool) -> [(k, a)] -> FM k a
listToFM _ ps = Map.fromList ps

addToFM :: Ord k => FM k a -> k -> a -> FM k a
addToFM m k x = Map.insert k x m

addToFM_C :: Ord k => (a -> a -> a) -> FM k a -> k -> a -> FM k a
addToFM_C f m k x = Map.insertWith f k x m

addListToFM :: Ord k => FM k a -> [(k, a)] -> FM k a
addListToFM m ps = Map.insertList ps m

addListToFM_C :: Ord k => (a -> a -> a) -> FM k a -> [(k, a)] -> FM k a
addListToFM_C f m ps = Map.insertListWith f ps m

delFromFM :: Ord k => FM k a -> k -> FM k a
delFromFM m k = Map.delete k m

delListFromFM :: Ord k => FM k a -> [k] -> FM k a
delListFromFM m ks = Map.deleteAll ks m

updFM :: Ord k => FM k a -> k -> (a -> a) -> FM k a
updFM m k f = Map.adjust f k m

splitFM :: Ord k => FM k a -> k -> Maybe (FM k a, (k, a))
splitFM m k = fmap (\x -> (Map.delete k m, (k, x))) (Map.lookup k m)

plusFM :: Ord k => FM k a -> FM k a -> FM k a
plusFM m n = Map.union m n

plusFM_C :: Ord k => (a -> a -> a) -> FM k a -> FM k a -> FM k a
plusFM_C f m n = Map.unionWith f m n

minusFM :: Ord k => FM k a -> FM k b -> FM k a
minusFM m n = Map.difference m n

intersectFM :: Ord k => FM k a -> FM k a -> FM k a
intersectFM m n = Map.intersection m n

intersectFM_C :: Ord k => (a -> b -> c) -> FM k a -> FM k b -> FM k c
intersectFM_C f m n = Map.intersectionWith f m n

foldFM :: (k -> a -> b -> b) -> b -> FM k a -> b
foldFM f z m = Map.foldrWithKey f z m

mapFM :: (k -> a -> b) -> FM k a -> FM k b
mapFM f m = Map.mapWithKey f m

filterFM :: Ord k => (k -> a -> Bool) -> FM k a -> FM k a
filterFM p m = Map.filterWithKey p m

sizeFM :: FM k a -> Int
sizeFM m = Map.size m

eqFM :: (Eq k, Eq a) => FM k a -> FM k a -> Bool
eqFM m n = m == n

isEmptyFM :: FM k a -> Bool
isEmptyFM m = Map.null m

elemFM :: Ord k => k -> FM k a -> Bool
elemFM k m = Map.member k m

lookupFM :: Ord k => FM k a -> k -> Maybe a
lookupFM m k = Map.lookup k m

lookupWithDefaultFM :: Ord k => FM k a -> a -> k -> a
lookupWithDefaultFM m x k = Map.findWithDefault x k m

keyOrder :: Ord k => FM k a -> k -> k -> Bool
keyOrder _ j k = j < k

minFM :: FM k a -> Maybe (k, a)
minFM m = Map.lookupMin m

maxFM :: FM k a -> Maybe (k, a)
maxFM m = Map.lookupMax m

fmToList :: FM k a -> [(k, a)]
fmToList m = Map.toList m

keysFM :: FM k a -> [k]
keysFM m = Map.keys m

eltsFM :: FM k a -> [a]
eltsFM m = Map.elems m

fmSortBy :: Ord k => (k -> k -> Bool) -> [k] -> [k]
fmSortBy _ ks = Map.sortWithMap ks

fmToListPreOrder :: FM k a -> [(k, a)]
fmToListPreOrder m = Map.toPreOrderList m
