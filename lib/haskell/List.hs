-- | The Haskell 98 name of "Data.List".
module List (module Data.List) where

import Data.List
