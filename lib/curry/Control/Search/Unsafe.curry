-- | Encapsulated search as pure functions.
--
-- Encapsulation is strong: the expression is evaluated as if on a copy, and the
-- order of the values is that of the program's rules.  What depends on that
-- order is not declarative; see "Control.Search.SetFunctions" for what is.
module Control.Search.Unsafe
  ( allValues, someValue, oneValue, isFail, rewriteAll, rewriteSome
  ) where

prim_allValues :: a -> [a]
prim_allValues external

prim_rewriteAll :: a -> [a]
prim_rewriteAll external

-- | All values, depth first, found as they are needed.
allValues :: a -> [a]
allValues x = prim_allValues x

-- | The first value, if there is one.
oneValue :: a -> Maybe a
oneValue x = firstOf (prim_allValues x)

-- | The first value; no value if there is none.
someValue :: a -> a
someValue x = head (prim_allValues x)

-- | Whether there is no value.
isFail :: a -> Bool
isFail x = null (prim_allValues x)

-- | The values that can be found without binding a free variable from outside;
-- `allValues` would wait for such a variable.
rewriteAll :: a -> [a]
rewriteAll x = prim_rewriteAll x

rewriteSome :: a -> Maybe a
rewriteSome x = firstOf (prim_rewriteAll x)

firstOf :: [a] -> Maybe a
firstOf []    = Nothing
firstOf (x:_) = Just x
