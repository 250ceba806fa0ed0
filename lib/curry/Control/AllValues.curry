-- | "Control.Search.AllValues" under its name in older Curry systems.
module Control.AllValues (module Control.Search.AllValues) where

import Control.Search.AllValues
