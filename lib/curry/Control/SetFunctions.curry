-- | "Control.Search.SetFunctions" under its name in older Curry systems.
module Control.SetFunctions (module Control.Search.SetFunctions) where

import Control.Search.SetFunctions
