-- | "Data.Function" under its name in older Curry systems.
module Function (module Data.Function, first, second, (***), (&&&), both) where

import Data.Function

infixr 3 ***, &&&

first :: (a -> b) -> (a, c) -> (b, c)
first f (x, y) = (f x, y)

second :: (a -> b) -> (c, a) -> (c, b)
second f (x, y) = (x, f y)

-- | One function on each component.
(***) :: (a -> c) -> (b -> d) -> (a, b) -> (c, d)
(f *** g) (x, y) = (f x, g y)

-- | Two functions on one value.
(&&&) :: (a -> b) -> (a -> c) -> a -> (b, c)
(f &&& g) x = (f x, g x)

both :: (a -> b) -> (a, a) -> (b, b)
both f (x, y) = (f x, f y)
