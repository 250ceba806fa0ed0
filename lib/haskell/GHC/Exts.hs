-- | What programs take from GHC's module of this name: the functions of
-- generalised list comprehensions, and some that live elsewhere.
module GHC.Exts (the, sortWith, groupWith, lazy, inline, oneShot, IsString(..), Down(..)) where

import Data.List (groupBy, sortBy)
import Data.Ord (Down(..), comparing)
import Data.String (IsString(..))

-- | The element that all elements equal.
the :: Eq a => [a] -> a
the [] = errorWithoutStackTrace "GHC.Exts.the: empty list"
the (x : xs)
  | all (x ==) xs = x
  | otherwise     = errorWithoutStackTrace "GHC.Exts.the: non-identical list"

sortWith :: Ord b => (a -> b) -> [a] -> [a]
sortWith f = sortBy (comparing f)

groupWith :: Ord b => (a -> b) -> [a] -> [[a]]
groupWith f xs = groupBy (\x y -> f x == f y) (sortWith f xs)

lazy, inline :: a -> a
lazy x   = x
inline x = x

oneShot :: (a -> b) -> a -> b
oneShot f = f
