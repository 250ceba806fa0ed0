{-# LANGUAGE NoImplicitPrelude #-}
-- | Kinds of characters, and characters as numbers and digits.
module Gadfly.Characters where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing

-- | The character with this code point; fails outside Unicode's range.
chr :: Int -> Char
chr n
  | primIntLt n 0 || primIntGt n 1114111
      = errorWithoutStackTrace ("Prelude.chr: bad argument: " ++ showsPrec 9 n "")
  | otherwise = primCharChr n

ord :: Char -> Int
ord = primCharOrd

-- Unicode's general categories in the order of the standard, as the machine
-- numbers them: 0 uppercase letter, 1 lowercase, 2 titlecase, 3 modifier,
-- 4 other letter, 5-7 marks, 8-10 numbers, 11-17 punctuation, 18-21 symbols,
-- 22-24 separators, 25 control, 26 format, 27 surrogate, 28 private, 29 none.

isSpace :: Char -> Bool
isSpace c
  | primCharLt c '\x377' = primCharEq c ' ' || (primCharLe '\t' c && primCharLe c '\r') || primCharEq c '\xa0'
  | otherwise            = primIntEq (primCharCategory c) 22

isDigit :: Char -> Bool
isDigit c = primCharLe '0' c && primCharLe c '9'

isUpper :: Char -> Bool
isUpper c
  | primCharLt c '\x80' = primCharLe 'A' c && primCharLe c 'Z'
  | otherwise = case primCharCategory c of { 0 -> True; 2 -> True; _ -> False }

isLower :: Char -> Bool
isLower c
  | primCharLt c '\x80' = primCharLe 'a' c && primCharLe c 'z'
  | otherwise = primIntEq (primCharCategory c) 1

isAlpha :: Char -> Bool
isAlpha c
  | primCharLt c '\x80' = (primCharLe 'a' c && primCharLe c 'z') || (primCharLe 'A' c && primCharLe c 'Z')
  | otherwise = primIntLe (primCharCategory c) 4

isAlphaNum :: Char -> Bool
isAlphaNum c
  | primCharLt c '\x80' = isAlpha c || isDigit c
  | otherwise = let k = primCharCategory c in primIntLe k 4 || (primIntLe 8 k && primIntLe k 10)

isHexDigit, isOctDigit :: Char -> Bool
isHexDigit c = isDigit c || (primCharLe 'a' c && primCharLe c 'f') || (primCharLe 'A' c && primCharLe c 'F')
isOctDigit c = primCharLe '0' c && primCharLe c '7'

-- | The digit for a value up to fifteen, in lower case.
intToDigit :: Int -> Char
intToDigit i
  | i >= 0 && i <= 9   = primCharChr (48 + i)
  | i >= 10 && i <= 15 = primCharChr (87 + i)
  | otherwise          = errorWithoutStackTrace ("Char.intToDigit: not a digit " ++ show i)
