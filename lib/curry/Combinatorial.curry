-- | Permutations, subsets and partitions, as non-deterministic operations.
module Combinatorial (permute, subset, allSubsets, splitSet, sizedSubset, partition) where

import Control.Search.SetFunctions (set1, sortValues)

-- | Any permutation.
permute :: [a] -> [a]
permute []     = []
permute (x:xs) = somewhere x (permute xs)

-- | A list with an element put somewhere into it.
somewhere :: a -> [a] -> [a]
somewhere x ys     = x : ys
somewhere x (y:ys) = y : somewhere x ys

-- | Any part of a list, in the list's order.
subset :: [a] -> [a]
subset []     = []
subset (x:xs) = let ys = subset xs in (x : ys) ? ys

-- | All parts of a list, sorted.
allSubsets :: Ord a => [a] -> [[a]]
allSubsets xs = sortValues (set1 subset xs)

-- | Any part of a list and what is left of it.
splitSet :: [a] -> ([a], [a])
splitSet []     = ([], [])
splitSet (x:xs) = let (ys, zs) = splitSet xs in (x : ys, zs) ? (ys, x : zs)

-- | Any part of a list that has so many elements.
sizedSubset :: Int -> [a] -> [a]
sizedSubset n xs = if n == 0 then [] else pick xs
  where
    pick (y:ys) = y : sizedSubset (n - 1) ys
    pick (_:ys) = sizedSubset n ys

-- | Any way to put the elements into parts, none of them empty.
partition :: [a] -> [[a]]
partition []     = []
partition (x:xs) = place x (partition xs)

-- | Puts an element into one of the parts, or into one of its own.
place :: a -> [[a]] -> [[a]]
place x []       = [[x]]
place x (ys:yss) = ((x : ys) : yss) ? (ys : place x yss)
