-- | Finite maps from ordered keys, lazy in their values.
module Data.Map
  ( module Data.Map.Lazy
  , insertWith', insertWithKey', insertLookupWithKey', fold, foldWithKey
  ) where

import Prelude (Maybe, Ord)
import Data.Map.Lazy
import qualified Data.Map.Strict as Strict

-- Older names, which newer versions of the package have given up.

insertWith' :: Ord k => (a -> a -> a) -> k -> a -> Map k a -> Map k a
insertWith' = Strict.insertWith

insertWithKey' :: Ord k => (k -> a -> a -> a) -> k -> a -> Map k a -> Map k a
insertWithKey' = Strict.insertWithKey

insertLookupWithKey' :: Ord k => (k -> a -> a -> a) -> k -> a -> Map k a -> (Maybe a, Map k a)
insertLookupWithKey' = Strict.insertLookupWithKey

fold :: (a -> b -> b) -> b -> Map k a -> b
fold = foldr

foldWithKey :: (k -> a -> b -> b) -> b -> Map k a -> b
foldWithKey = foldrWithKey
