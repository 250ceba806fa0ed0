-- | "System.FilePath" under its name in older Curry systems.
module FilePath (module System.FilePath) where

import System.FilePath
