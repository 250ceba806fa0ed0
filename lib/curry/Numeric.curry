-- | Numbers at the beginning of a text, in several bases.  White space before
-- them is skipped.
module Numeric (readInt, readNat, readHex, readOct, readBin) where

import Data.Char (digitToInt)

readInt :: ReadS Int
readInt s = case dropWhile isSpace s of
  '-':t -> [(negate n, rest) | (n, rest) <- readNat t]
  t     -> readNat t

readNat :: ReadS Int
readNat s = readBase 10 isDigit s

readHex :: ReadS Int
readHex s = readBase 16 isHexDigit s

readOct :: ReadS Int
readOct s = readBase 8 isOctDigit s

readBin :: ReadS Int
readBin s = readBase 2 isBinDigit s

-- | At least one digit of a base.
readBase :: Int -> (Char -> Bool) -> ReadS Int
readBase base isBase s = case span isBase (dropWhile isSpace s) of
  ([], _)      -> []
  (c:cs, rest) -> [(foldl (\n d -> base * n + digitToInt d) 0 (c : cs), rest)]
