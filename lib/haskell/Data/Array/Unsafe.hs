-- | Conversions of arrays that share their storage.
module Data.Array.Unsafe (unsafeFreeze, unsafeThaw) where

import Data.Array.Base
