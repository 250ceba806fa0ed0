{-# LANGUAGE NoImplicitPrelude #-}
-- | The Prelude: what GHC's base exports under this name today, which
-- includes everything the Haskell 2010 report puts there.
module Prelude
  ( -- * Basic data types
    Bool(..), (&&), (||), not, otherwise
  , Maybe(..), maybe, Either(..), either
  , Ordering(..), Char, String
  , fst, snd, curry, uncurry
    -- * Basic classes
  , Eq(..), Ord(..), Enum(..), Bounded(..)
    -- * Numbers
  , Int, Integer, Float, Double, Rational, Word
  , Num((+), (-), (*), negate, abs, signum, fromInteger), Real(toRational)
  , Integral(quot, rem, div, mod, quotRem, divMod, toInteger), Fractional((/), recip, fromRational)
  , Floating(pi, exp, log, sqrt, (**), logBase, sin, cos, tan, asin, acos, atan,
             sinh, cosh, tanh, asinh, acosh, atanh)
  , RealFrac(..), RealFloat(..)
  , subtract, even, odd, gcd, lcm, (^), (^^), fromIntegral, realToFrac
    -- * Semigroups and monoids
  , Semigroup((<>)), Monoid(..)
    -- * Functors and monads
  , Functor(..), (<$>), Applicative(pure, (<*>), (*>), (<*)), Monad(..), MonadFail(..)
  , mapM_, sequence_, (=<<)
    -- * Folds and traversals
  , Foldable(foldMap, foldr, foldl, foldr1, foldl1, elem, maximum, minimum, sum, product, null, length)
  , Traversable(..)
    -- * Functions
  , id, const, (.), flip, ($), until, asTypeOf, error, errorWithoutStackTrace, undefined, seq, ($!)
    -- * Lists
  , map, (++), filter, head, last, tail, init, (!!), reverse
  , and, or, any, all, concat, concatMap
  , scanl, scanl1, scanr, scanr1
  , iterate, repeat, replicate, cycle
  , take, drop, takeWhile, dropWhile, span, break, splitAt
  , notElem, lookup
  , zip, zip3, zipWith, zipWith3, unzip, unzip3
  , lines, words, unlines, unwords
    -- * Showing and reading
  , ShowS, Show(..), shows, showChar, showString, showParen
  , ReadS, Read(readsPrec, readList), reads, readParen, read, lex
    -- * Input and output
  , IO, putChar, putStr, putStrLn, print
  , getChar, getLine, getContents, interact
  , FilePath, readFile, writeFile, appendFile, readIO, readLn
  , IOError, ioError, userError
  ) where

import Gadfly.Base
