{-# LANGUAGE NoImplicitPrelude #-}
-- | Parsers that know the precedence of their context.
module Text.ParserCombinators.ReadPrec
  ( ReadPrec, Prec, minPrec, lift, prec, step, reset
  , get, look, (+++), (<++), pfail, choice
  , readPrec_to_P, readP_to_Prec, readPrec_to_S, readS_to_Prec
  ) where

import Gadfly.Base
import qualified Text.ParserCombinators.ReadP as P

infixr 5 +++, <++

type Prec = Int

minPrec :: Prec
minPrec = 0

lift :: ReadP a -> ReadPrec a
lift m = ReadPrec (\_ -> m)

-- | In the context of this precedence, or else it fails.
prec :: Prec -> ReadPrec a -> ReadPrec a
prec n (ReadPrec f) = ReadPrec (\c -> if c <= n then f n else P.pfail)

step, reset :: ReadPrec a -> ReadPrec a
step (ReadPrec f)  = ReadPrec (\n -> f (n + 1))
reset (ReadPrec f) = ReadPrec (\_ -> f minPrec)

get :: ReadPrec Char
get = lift P.get

look :: ReadPrec String
look = lift P.look

(+++), (<++) :: ReadPrec a -> ReadPrec a -> ReadPrec a
ReadPrec f +++ ReadPrec g = ReadPrec (\n -> f n P.+++ g n)
ReadPrec f <++ ReadPrec g = ReadPrec (\n -> f n P.<++ g n)

pfail :: ReadPrec a
pfail = lift P.pfail

choice :: [ReadPrec a] -> ReadPrec a
choice = foldr (+++) pfail

readP_to_Prec :: (Int -> ReadP a) -> ReadPrec a
readP_to_Prec = ReadPrec
