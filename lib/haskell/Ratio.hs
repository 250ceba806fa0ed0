-- | The Haskell 98 name of "Data.Ratio".
module Ratio (module Data.Ratio) where

import Data.Ratio
