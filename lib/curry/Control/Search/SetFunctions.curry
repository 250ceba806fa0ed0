-- | Set functions: all values of a function's own choices, as a set.
--
-- `setN f` collects the choices that the rules of the N-ary function `f` make,
-- not those of its arguments: these stay outside, and so do the free variables
-- in them.  Thus `set1 f (1 ? 2)` has two values, both sets.
--
-- > S. Antoy, M. Hanus: Set Functions for Functional Logic Programming, PPDP 2009
module Control.Search.SetFunctions
  ( set0, set1, set2, set3, set4, set5, set6, set7
  , set0With, set1With, set2With, set3With, set4With, set5With, set6With, set7With
  , Values, isEmpty, notEmpty, valueOf
  , chooseValue, choose, selectValue, select, getSomeValue, getSome
  , mapValues, foldValues, filterValues
  , minValue, minValueBy, maxValue, maxValueBy
  , values2list, printValues, sortValues, sortValuesBy
  ) where

import Control.Search.SearchTree (SearchTree(..), Strategy, allValuesWith, someSearchTree)
import Control.Search.Unsafe (allValues)
import Data.List (delete, maximum, maximumBy, minimum, minimumBy, sortBy)

-- | The values that were found, some perhaps more than once.
data Values a = Values [a]

prim_setValues :: (() -> a) -> [a]
prim_setValues external

prim_setTree :: (a -> t) -> t -> (t -> t -> t) -> (() -> a) -> t
prim_setTree external

-- * Set functions

-- | A function without arguments has nothing outside.
set0 :: b -> Values b
set0 f = Values (allValues f)

set1 :: (a1 -> b) -> a1 -> Values b
set1 f x1 = Values (prim_setValues (\_ -> f x1))

set2 :: (a1 -> a2 -> b) -> a1 -> a2 -> Values b
set2 f x1 x2 = Values (prim_setValues (\_ -> f x1 x2))

set3 :: (a1 -> a2 -> a3 -> b) -> a1 -> a2 -> a3 -> Values b
set3 f x1 x2 x3 = Values (prim_setValues (\_ -> f x1 x2 x3))

set4 :: (a1 -> a2 -> a3 -> a4 -> b) -> a1 -> a2 -> a3 -> a4 -> Values b
set4 f x1 x2 x3 x4 = Values (prim_setValues (\_ -> f x1 x2 x3 x4))

set5 :: (a1 -> a2 -> a3 -> a4 -> a5 -> b) -> a1 -> a2 -> a3 -> a4 -> a5 -> Values b
set5 f x1 x2 x3 x4 x5 = Values (prim_setValues (\_ -> f x1 x2 x3 x4 x5))

set6 :: (a1 -> a2 -> a3 -> a4 -> a5 -> a6 -> b) -> a1 -> a2 -> a3 -> a4 -> a5 -> a6 -> Values b
set6 f x1 x2 x3 x4 x5 x6 = Values (prim_setValues (\_ -> f x1 x2 x3 x4 x5 x6))

set7 :: (a1 -> a2 -> a3 -> a4 -> a5 -> a6 -> a7 -> b) -> a1 -> a2 -> a3 -> a4 -> a5 -> a6 -> a7 -> Values b
set7 f x1 x2 x3 x4 x5 x6 x7 = Values (prim_setValues (\_ -> f x1 x2 x3 x4 x5 x6 x7))

-- * Set functions with a strategy

-- | The values of a captured expression, found by a strategy.
capture :: Strategy a -> (() -> a) -> Values a
capture strategy f = Values (allValuesWith strategy (prim_setTree Value (Fail 0) Or f))

set0With :: Strategy b -> b -> Values b
set0With strategy f = Values (allValuesWith strategy (someSearchTree f))

set1With :: Strategy b -> (a1 -> b) -> a1 -> Values b
set1With strategy f x1 = capture strategy (\_ -> f x1)

set2With :: Strategy b -> (a1 -> a2 -> b) -> a1 -> a2 -> Values b
set2With strategy f x1 x2 = capture strategy (\_ -> f x1 x2)

set3With :: Strategy b -> (a1 -> a2 -> a3 -> b) -> a1 -> a2 -> a3 -> Values b
set3With strategy f x1 x2 x3 = capture strategy (\_ -> f x1 x2 x3)

set4With :: Strategy b -> (a1 -> a2 -> a3 -> a4 -> b) -> a1 -> a2 -> a3 -> a4 -> Values b
set4With strategy f x1 x2 x3 x4 = capture strategy (\_ -> f x1 x2 x3 x4)

set5With :: Strategy b -> (a1 -> a2 -> a3 -> a4 -> a5 -> b) -> a1 -> a2 -> a3 -> a4 -> a5 -> Values b
set5With strategy f x1 x2 x3 x4 x5 = capture strategy (\_ -> f x1 x2 x3 x4 x5)

set6With :: Strategy b -> (a1 -> a2 -> a3 -> a4 -> a5 -> a6 -> b) -> a1 -> a2 -> a3 -> a4 -> a5 -> a6 -> Values b
set6With strategy f x1 x2 x3 x4 x5 x6 = capture strategy (\_ -> f x1 x2 x3 x4 x5 x6)

set7With
  :: Strategy b -> (a1 -> a2 -> a3 -> a4 -> a5 -> a6 -> a7 -> b) -> a1 -> a2 -> a3 -> a4 -> a5 -> a6 -> a7 -> Values b
set7With strategy f x1 x2 x3 x4 x5 x6 x7 = capture strategy (\_ -> f x1 x2 x3 x4 x5 x6 x7)

-- * Operations on sets of values

valuesOf :: Values a -> [a]
valuesOf (Values xs) = xs

isEmpty :: Values a -> Bool
isEmpty s = null (valuesOf s)

notEmpty :: Values a -> Bool
notEmpty s = not (isEmpty s)

valueOf :: Eq a => a -> Values a -> Bool
valueOf x s = x `elem` valuesOf s

-- | Any of the values, as a choice.
chooseValue :: Eq a => Values a -> a
chooseValue s = fst (choose s)

-- | Any of the values, as a choice, and the other ones.
choose :: Eq a => Values a -> (a, Values a)
choose s = (x, Values (delete x (valuesOf s)))
  where x = anyOf (valuesOf s)

-- | One of the values, without a choice: safe only if all of them are the same.
selectValue :: Values a -> a
selectValue s = head (valuesOf s)

-- | One of the values, without a choice, and the other ones.
select :: Values a -> (a, Values a)
select (Values (x:xs)) = (x, Values xs)

getSomeValue :: Values a -> IO (Maybe a)
getSomeValue s = return (case valuesOf s of
  []  -> Nothing
  x:_ -> Just x)

getSome :: Values a -> IO (Maybe (a, Values a))
getSome s = return (case valuesOf s of
  []   -> Nothing
  x:xs -> Just (x, Values xs))

mapValues :: (a -> b) -> Values a -> Values b
mapValues f s = Values (map f (valuesOf s))

-- | All values in one, by an operation for which their order does not matter.
foldValues :: (a -> a -> a) -> a -> Values a -> a
foldValues f z s = foldr f z (valuesOf s)

filterValues :: (a -> Bool) -> Values a -> Values a
filterValues p s = Values (filter p (valuesOf s))

minValue :: Ord a => Values a -> a
minValue s = minimum (valuesOf s)

minValueBy :: (a -> a -> Ordering) -> Values a -> a
minValueBy cmp s = minimumBy cmp (valuesOf s)

maxValue :: Ord a => Values a -> a
maxValue s = maximum (valuesOf s)

maxValueBy :: (a -> a -> Ordering) -> Values a -> a
maxValueBy cmp s = maximumBy cmp (valuesOf s)

-- | The values as a list, in the order in which they were found.
values2list :: Values a -> IO [a]
values2list s = return (valuesOf s)

printValues :: Show a => Values a -> IO ()
printValues s = values2list s >>= mapM_ print

sortValues :: Ord a => Values a -> [a]
sortValues s = sortValuesBy (<=) s

-- | The values sorted by a relation like `<=`.
sortValuesBy :: (a -> a -> Bool) -> Values a -> [a]
sortValuesBy leq s = sortBy leq (valuesOf s)
