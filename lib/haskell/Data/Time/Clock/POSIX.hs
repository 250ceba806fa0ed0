-- | Time since the beginning of 1970.
module Data.Time.Clock.POSIX (POSIXTime, getPOSIXTime) where

import Data.Ratio ((%))
import Data.Time.Clock (NominalDiffTime)
import Gadfly.Base (primWallTime)

type POSIXTime = NominalDiffTime

getPOSIXTime :: IO POSIXTime
getPOSIXTime = fmap (\n -> fromRational (n % 1000000000)) primWallTime
