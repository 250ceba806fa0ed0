-- | "Data.List" under its name in older Curry systems.
module List (module Data.List) where

import Data.List
