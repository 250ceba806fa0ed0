-- | Finite sets: maps to nothing.
module Data.Set
  ( Set, null, size, fromList, empty, singleton, insert, member, delete
  , deleteAll, union, toList, difference
  ) where

import qualified Data.Map as Map
import Prelude hiding (empty, null)

type Set a = Map.Map a ()

empty :: Set a
empty = Map.empty

singleton :: a -> Set a
singleton x = Map.singleton x ()

fromList :: Ord a => [a] -> Set a
fromList xs = Map.fromList (map (\x -> (x, ())) xs)

null :: Set a -> Bool
null s = Map.null s

size :: Set a -> Int
size s = Map.size s

member :: Ord a => a -> Set a -> Bool
member x s = Map.member x s

insert :: Ord a => a -> Set a -> Set a
insert x s = Map.insert x () s

delete :: Ord a => a -> Set a -> Set a
delete x s = Map.delete x s

deleteAll :: Ord a => [a] -> Set a -> Set a
deleteAll xs s = Map.deleteAll xs s

union :: Ord a => Set a -> Set a -> Set a
union s t = Map.union s t

-- | The first set without the elements of the second.
difference :: Ord a => Set a -> Set a -> Set a
difference s t = Map.difference s t

-- | The elements in rising order.
toList :: Set a -> [a]
toList s = Map.keys s
