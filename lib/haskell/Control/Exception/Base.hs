-- | Exceptions, under the name of GHC's module for the basic part.
module Control.Exception.Base (module Control.Exception) where

import Control.Exception
