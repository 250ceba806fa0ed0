-- | "Data.Either" under its name in older Curry systems.
module Either (module Data.Either) where

import Data.Either
