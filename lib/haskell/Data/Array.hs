-- | Immutable arrays, lazy in their elements.
module Data.Array
  ( Ix(range, index, inRange, rangeSize), Array
  , array, listArray, accumArray
  , (!), bounds, indices, elems, assocs
  , (//), accum, ixmap
  ) where

import Data.Array.Base
import Data.Ix
