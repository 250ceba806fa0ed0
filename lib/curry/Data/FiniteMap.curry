-- | Finite maps under the names of older Curry libraries.
module Data.FiniteMap (module FiniteMap) where

import FiniteMap
