-- | The Haskell 98 name of "Data.Char".
module Char (module Data.Char) where

import Data.Char
