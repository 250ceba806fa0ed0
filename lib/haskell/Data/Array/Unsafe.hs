-- | Conversions that would share storage under GHC; here they copy.
module Data.Array.Unsafe (unsafeFreeze, unsafeThaw) where

import Data.Array.Base
