-- | The Haskell 98 name of "System.CPUTime".
module CPUTime (module System.CPUTime) where

import System.CPUTime
