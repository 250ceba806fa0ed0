-- | "System.Random" under its name in older Curry systems.
module Random (module System.Random) where

import System.Random
