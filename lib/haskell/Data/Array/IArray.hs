{-# LANGUAGE FlexibleContexts #-}
-- | Immutable arrays, boxed or unboxed, with one interface.
module Data.Array.IArray
  ( IArray, Array, Ix(range, index, inRange, rangeSize)
  , array, listArray, accumArray
  , (!), bounds, indices, elems, assocs
  , (//), accum, amap, ixmap
  ) where

import qualified Data.Array.Base as B
import Data.Array.Base (Array, IArray(..))
import Data.Ix

infixl 9 !, //

-- What stands in the gaps depends on the kind of the array that is made.

array :: (IArray a e, Ix i) => (i, i) -> [(i, e)] -> a i e
array b ies = result
  where result = fromBoxed (B.arrayOver (missing result) b ies)

listArray :: (IArray a e, Ix i) => (i, i) -> [e] -> a i e
listArray b es = result
  where result = fromBoxed (B.listArrayOver (missing result) b es)

accumArray :: (IArray a e, Ix i) => (e -> e' -> e) -> e -> (i, i) -> [(i, e')] -> a i e
accumArray f e b ies = fromBoxed (B.accumArray f e b ies)

(!) :: (IArray a e, Ix i) => a i e -> i -> e
a ! i = toBoxed a B.! i

bounds :: (IArray a e, Ix i) => a i e -> (i, i)
bounds a = B.bounds (toBoxed a)

indices :: (IArray a e, Ix i) => a i e -> [i]
indices a = B.indices (toBoxed a)

elems :: (IArray a e, Ix i) => a i e -> [e]
elems a = B.elems (toBoxed a)

assocs :: (IArray a e, Ix i) => a i e -> [(i, e)]
assocs a = B.assocs (toBoxed a)

(//) :: (IArray a e, Ix i) => a i e -> [(i, e)] -> a i e
a // ies = fromBoxed (toBoxed a B.// ies)

accum :: (IArray a e, Ix i) => (e -> e' -> e) -> a i e -> [(i, e')] -> a i e
accum f a ies = fromBoxed (B.accum f (toBoxed a) ies)

amap :: (IArray a e', IArray a e, Ix i) => (e' -> e) -> a i e' -> a i e
amap f a = fromBoxed (fmap f (toBoxed a))

ixmap :: (IArray a e, Ix i, Ix j) => (i, i) -> (i -> j) -> a j e -> a i e
ixmap b f a = fromBoxed (B.ixmap b f (toBoxed a))
