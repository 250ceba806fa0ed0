{-# LANGUAGE NoImplicitPrelude #-}
-- | Reading and showing numbers in other ways than 'Read' and 'Show' do.
module Numeric
  ( showSigned, showIntAtBase, showInt, showHex, showOct
  , showEFloat, showFFloat, showGFloat, showFFloatAlt, showGFloatAlt, showFloat, showHFloat
  , floatToDigits
  , readSigned, readInt, readDec, readOct, readHex, readFloat, lexDigits
  , fromRat, Floating(..)
  ) where

import Gadfly.Base
import Gadfly.Float (FloatFormat(..), formatRealFloat, floatToDigits)

showSigned :: Real a => (a -> ShowS) -> Int -> a -> ShowS
showSigned showPos p x
  | x < 0     = showParen (p > 6) (showChar '-' . showPos (negate x))
  | otherwise = showPos x

showInt :: Integral a => a -> ShowS
showInt n r
  | n < 0     = errorWithoutStackTrace "Numeric.showInt: can't show negative numbers"
  | otherwise = primIntegerShow (toInteger n) ++ r

-- | In the given base, with the given way to write a digit.
showIntAtBase :: (Integral a, Show a) => a -> (Int -> Char) -> a -> ShowS
showIntAtBase base toChr n0 r0
  | base <= 1 = errorWithoutStackTrace ("Numeric.showIntAtBase: applied to unsupported base " ++ show base)
  | n0 < 0    = errorWithoutStackTrace ("Numeric.showIntAtBase: applied to negative number " ++ show n0)
  | otherwise = go (quotRem n0 base) r0
  where
    go (n, d) r = c `seq` (if n == 0 then r' else go (quotRem n base) r')
      where c  = toChr (fromIntegral d)
            r' = c : r

showHex, showOct :: (Integral a, Show a) => a -> ShowS
showHex = showIntAtBase 16 intToDigit
showOct = showIntAtBase 8 intToDigit

-- The number of digits after the point is optional.

showEFloat, showFFloat, showGFloat, showFFloatAlt, showGFloatAlt :: RealFloat a => Maybe Int -> a -> ShowS
showEFloat d x    = showString (formatRealFloat FFExponent d False x)
showFFloat d x    = showString (formatRealFloat FFFixed d False x)
showGFloat d x    = showString (formatRealFloat FFGeneric d False x)
showFFloatAlt d x = showString (formatRealFloat FFFixed d True x)
showGFloatAlt d x = showString (formatRealFloat FFGeneric d True x)

showFloat :: RealFloat a => a -> ShowS
showFloat x = showString (formatRealFloat FFGeneric Nothing False x)

-- | In base sixteen with a binary exponent, as C's @%a@.
showHFloat :: RealFloat a => a -> ShowS
showHFloat = showString . fmt
  where
    fmt x
      | isNaN x      = "NaN"
      | isInfinite x = (if x < 0 then "-" else "") ++ "Infinity"
      | x < 0 || isNegativeZero x = '-' : positive (negate x)
      | otherwise    = positive x
    positive x
      | x == 0    = "0x0p+0"
      | otherwise = case floatToDigits 2 x of
          (ds, e) -> case ds of
            []     -> "0x0p+0"
            d : fs -> "0x" ++ show d ++ fraction fs ++ 'p' : show (e - 1)
    fraction ds
      | all (== 0) ds = ""
      | otherwise     = '.' : hex ds
    hex ds = case ds of
      []                 -> ""
      [a]                -> digit a 0 0 0 ""
      [a, b]             -> digit a b 0 0 ""
      [a, b, c]          -> digit a b c 0 ""
      a : b : c : d : r  -> digit a b c d (hex r)
    digit a b c d r = intToDigit (8 * a + 4 * b + 2 * c + d) : (if all (== '0') r then "" else r)

readSigned :: Real a => ReadS a -> ReadS a
readSigned readPos = readParen False read'
  where
    read' r  = read'' r ++ [(negate x, t) | ("-", s) <- lex r, (x, t) <- read'' s]
    read'' r = [(n, s) | (str, s) <- lex r, (n, "") <- readPos str]

-- | Digits in the given base; which characters are digits, and their values.
readInt :: Num a => a -> (Char -> Bool) -> (Char -> Int) -> ReadS a
readInt base isDig valDigit r = case span isDig r of
  ([], _)  -> []
  (ds, r') -> [(foldl' (\n d -> n * base + fromIntegral (valDigit d)) 0 ds, r')]

readDec, readOct, readHex :: (Eq a, Num a) => ReadS a
readDec = readInt 10 isDigit digitToInt
readOct = readInt 8 isOctDigit digitToInt
readHex = readInt 16 isHexDigit digitToInt

readFloat :: RealFrac a => ReadS a
readFloat r = case skipSpaces r of
  'N' : 'a' : 'N' : s -> [(0 / 0, s)]
  'I' : 'n' : 'f' : 'i' : 'n' : 'i' : 't' : 'y' : s -> [(1 / 0, s)]
  c : s | isDigit c -> [(number m e, t) | (tok, t) <- lexNumber c s, (m, e) <- decimalLexeme tok]
  _ -> []
  where
    number m e
      | e >= 0    = fromRational ((m * 10 ^ e) % 1)
      | otherwise = fromRational (m % (10 ^ negate e))

lexDigits :: ReadS String
lexDigits s = case span isDigit s of
  ([], _) -> []
  (ds, t) -> [(ds, t)]

fromRat :: RealFloat a => Rational -> a
fromRat = fromRational
