-- | The Haskell 98 name of "Data.Complex".
module Complex (module Data.Complex) where

import Data.Complex
