-- | "System.IO" under its name in older Curry systems.
module IO (module System.IO) where

import System.IO
