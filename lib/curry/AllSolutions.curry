-- | Encapsulated search as actions, under the names of older Curry systems.
module AllSolutions
  ( getAllValues, getOneValue, getAllSolutions, getOneSolution, getAllFailures
  , SearchTree(..), getSearchTree, allValuesB, allValuesD
  ) where

import Control.Search.AllValues (getAllFailures, getAllValues, getOneValue)
import Control.Search.SearchTree (SearchTree(..), allValuesBFS, allValuesDFS, getSearchTree)

-- | All values that satisfy a constraint.
getAllSolutions :: Data a => (a -> Bool) -> IO [a]
getAllSolutions c = getAllValues (solution c)

getOneSolution :: Data a => (a -> Bool) -> IO (Maybe a)
getOneSolution c = getOneValue (solution c)

-- | Any value that satisfies a constraint.
solution :: Data a => (a -> Bool) -> a
solution c = c x &> x
  where x free

-- | The values of a tree, depth first.
allValuesD :: SearchTree a -> [a]
allValuesD tree = allValuesDFS tree

-- | The values of a tree, breadth first.
allValuesB :: SearchTree a -> [a]
allValuesB tree = allValuesBFS tree
