-- | Finite maps from 'Int', lazy in their values.
module Data.IntMap
  ( module Data.IntMap.Lazy
  , insertWith', insertWithKey', fold, foldWithKey
  ) where

import Prelude ()
import Data.IntMap.Lazy
import qualified Data.IntMap.Strict as Strict

-- Older names, which newer versions of the package have given up.

insertWith' :: (a -> a -> a) -> Key -> a -> IntMap a -> IntMap a
insertWith' = Strict.insertWith

insertWithKey' :: (Key -> a -> a -> a) -> Key -> a -> IntMap a -> IntMap a
insertWithKey' = Strict.insertWithKey

fold :: (a -> b -> b) -> b -> IntMap a -> b
fold = foldr

foldWithKey :: (Key -> a -> b -> b) -> b -> IntMap a -> b
foldWithKey = foldrWithKey
