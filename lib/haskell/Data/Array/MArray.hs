-- | Mutable arrays in any monad that has them.
module Data.Array.MArray
  ( MArray, Ix(range, index, inRange, rangeSize)
  , getBounds, newArray, newArray_, newListArray
  , readArray, writeArray, getElems, getAssocs, mapArray, mapIndices
  , freeze, thaw
  ) where

import Data.Array.Base
import Data.Ix
