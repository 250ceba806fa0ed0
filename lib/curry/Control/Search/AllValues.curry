-- | Encapsulated search as actions: which values come in which order is a matter
-- of the world outside.
module Control.Search.AllValues (getAllValues, getOneValue, getAllFailures) where

import Control.Search.Unsafe (allValues, isFail, oneValue)

-- | All values of an expression.
getAllValues :: a -> IO [a]
getAllValues x = return (allValues x)

-- | One value of an expression, if it has one.
getOneValue :: a -> IO (Maybe a)
getOneValue x = return (oneValue x)

-- | Those values of an expression that do not satisfy a constraint.
getAllFailures :: a -> (a -> Bool) -> IO [a]
getAllFailures x c = return (filter (\v -> isFail (c v)) (allValues x))
