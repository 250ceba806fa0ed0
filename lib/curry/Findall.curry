-- | Encapsulated search, under the names of older Curry systems.
--
-- Encapsulation is strong, and the order of values is that of the program's
-- rules: see "Control.Search.Unsafe".
module Findall
  ( getAllValues, getSomeValue
  , allValues, someValue, oneValue, allSolutions, someSolution, oneSolution, isFail
  , rewriteAll, rewriteSome
  , try, inject, solveAll, once, best
  , findall, findfirst, browse, browseList, unpack
  ) where

import Control.Search.AllValues (getAllValues)
import Control.Search.Unsafe (allValues, isFail, oneValue, rewriteAll, rewriteSome, someValue)

getSomeValue :: a -> IO a
getSomeValue x = return (someValue x)

-- | All values that satisfy a constraint.
allSolutions :: Data a => (a -> Bool) -> [a]
allSolutions c = allValues (unpack c)

-- | The first value that satisfies a constraint; no value if there is none.
someSolution :: Data a => (a -> Bool) -> a
someSolution c = someValue (unpack c)

oneSolution :: Data a => (a -> Bool) -> Maybe a
oneSolution c = oneValue (unpack c)

-- | What a constraint comes to: nothing if it has no solution, itself narrowed to
-- its solution if it has one, and narrowed to each of them if it has more.
try :: Data a => (a -> Bool) -> [a -> Bool]
try c = solveAll c

-- | A constraint on a value and what is made of it.
inject :: (a -> Bool) -> (a -> Bool) -> a -> Bool
inject c p = \x -> p x & c x

-- | For each solution the constraint that only it satisfies.
solveAll :: Data a => (a -> Bool) -> [a -> Bool]
solveAll c = map (\v x -> x =:= v) (findall c)

-- | The constraint that only the first solution satisfies.
once :: Data a => (a -> Bool) -> a -> Bool
once c = head (solveAll c)

-- | The constraints for the best solutions: those than which no other is better.
best :: Data a => (a -> Bool) -> (a -> a -> Bool) -> [a -> Bool]
best c better = map (\v x -> x =:= v) (finest (findall c))
  where
    finest []     = []
    finest (v:vs) = [foldl (\w u -> if better u w then u else w) v vs]

-- | All solutions of a constraint, depth first.
findall :: Data a => (a -> Bool) -> [a]
findall c = allSolutions c

-- | The first solution of a constraint, depth first.
findfirst :: Data a => (a -> Bool) -> a
findfirst c = someSolution c

-- | Prints the solution of a constraint.
browse :: (Show a, Data a) => (a -> Bool) -> IO ()
browse c = putStr (show (unpack c))

-- | Prints the solutions of constraints, a line for each.
browseList :: (Show a, Data a) => [a -> Bool] -> IO ()
browseList cs = mapM_ (\c -> browse c >> putChar '\n') cs

-- | Any value that satisfies a constraint.
unpack :: Data a => (a -> Bool) -> a
unpack c = c x &> x
  where x free
