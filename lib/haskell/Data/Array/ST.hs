-- | Mutable arrays in state threads.
module Data.Array.ST
  ( STArray, STUArray, runSTArray, runSTUArray, module Data.Array.MArray
  ) where

import Data.Array.Base
import Data.Array.MArray
