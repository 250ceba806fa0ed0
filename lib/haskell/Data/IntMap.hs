-- | Finite maps from 'Int', lazy in their values.
module Data.IntMap (module Data.IntMap.Lazy) where

import Prelude ()
import Data.IntMap.Lazy
