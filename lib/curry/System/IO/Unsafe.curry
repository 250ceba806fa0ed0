-- | Operations that see more than a declarative program should: actions within
-- expressions, free variables, and terms of any type.
module System.IO.Unsafe
  ( unsafePerformIO, trace
  , spawnConstraint, isVar, identicalVar, isGround, compareAnyTerm
  , showAnyTerm, showAnyExpression
  , readsAnyUnqualifiedTerm, readAnyUnqualifiedTerm
  ) where

import System.IO (hPutStrLn, stderr)

prim_unsafePerformIO :: IO a -> a
prim_unsafePerformIO external

prim_isFree :: a -> Bool
prim_isFree external

prim_sameFree :: a -> a -> Bool
prim_sameFree external

prim_isGround :: a -> Bool
prim_isGround external

prim_termCompare :: a -> a -> Ordering
prim_termCompare external

prim_termShow :: a -> String
prim_termShow external

prim_expressionShow :: a -> String
prim_expressionShow external

-- | Does an action where its result is needed.
unsafePerformIO :: IO a -> a
unsafePerformIO act = prim_unsafePerformIO act

-- | Writes a message to the standard error where a value is needed.
trace :: String -> a -> a
trace s x = prim_unsafePerformIO (hPutStrLn stderr s >> return x)

-- | A value together with a constraint that has to hold.
spawnConstraint :: Bool -> a -> a
spawnConstraint c x | c = x

-- | Whether a value is a free variable now.
isVar :: Data a => a -> Bool
isVar x = prim_isFree $! x

-- | Whether two values are the same free variable now.
identicalVar :: Data a => a -> a -> Bool
identicalVar x y = (prim_sameFree $! x) $! y

-- | Whether the normal form of a value has no free variable now.
isGround :: Data a => a -> Bool
isGround x = prim_isGround $!! x

-- | Compares any two terms: free variables come first, constructors in the order
-- of their declaration.
compareAnyTerm :: a -> a -> Ordering
compareAnyTerm x y = (prim_termCompare $!! x) $!! y

-- | The normal form of any value as a term.
showAnyTerm :: a -> String
showAnyTerm x = prim_termShow $!! x

-- | Any expression as it stands, not evaluated.
showAnyExpression :: a -> String
showAnyExpression x = prim_expressionShow x

-- | Not to be had: what a text means depends on its type, which is not known.
readsAnyUnqualifiedTerm :: [String] -> String -> [(a, String)]
readsAnyUnqualifiedTerm _ _ = error "readsAnyUnqualifiedTerm is not supported: use reads"

readAnyUnqualifiedTerm :: [String] -> String -> a
readAnyUnqualifiedTerm _ _ = error "readAnyUnqualifiedTerm is not supported: use read"
