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

-- Guards and conditionals rather than conjunctions: these run for every
-- character that is read.

isSpace :: Char -> Bool
isSpace c
  | primCharLt '\xa0' c = if primCharLt c '\x377' then False else primIntEq (primCharCategory c) 22
  | primCharLt ' ' c    = primCharEq c '\xa0'
  | primCharEq c ' '    = True
  | primCharLt '\r' c   = False
  | otherwise           = primCharLe '\t' c

isDigit :: Char -> Bool
isDigit c = if primCharLe c '9' then primCharLe '0' c else False

isUpper :: Char -> Bool
isUpper c
  | primCharLe c 'Z'    = primCharLe 'A' c
  | primCharLt c '\x80' = False
  | otherwise           = case primCharCategory c of { 0 -> True; 2 -> True; _ -> False }

isLower :: Char -> Bool
isLower c
  | primCharLe c 'z'    = primCharLe 'a' c
  | primCharLt c '\x80' = False
  | otherwise           = primIntEq (primCharCategory c) 1

isAlpha :: Char -> Bool
isAlpha c
  | primCharLe c 'Z'    = primCharLe 'A' c
  | primCharLe c 'z'    = primCharLe 'a' c
  | primCharLt c '\x80' = False
  | otherwise           = primIntLe (primCharCategory c) 4

isAlphaNum :: Char -> Bool
isAlphaNum c
  | primCharLe c '9'    = primCharLe '0' c
  | primCharLt c '\x80' = isAlpha c
  | otherwise           =
      let k = primCharCategory c
      in if primIntLe k 4 then True else if primIntLe 8 k then primIntLe k 10 else False

isHexDigit, isOctDigit :: Char -> Bool
isHexDigit c
  | primCharLe c '9' = primCharLe '0' c
  | primCharLe c 'F' = primCharLe 'A' c
  | primCharLe c 'f' = primCharLe 'a' c
  | otherwise        = False
isOctDigit c = if primCharLe c '7' then primCharLe '0' c else False

-- | The digit for a value up to fifteen, in lower case.
intToDigit :: Int -> Char
intToDigit i
  | i >= 0 && i <= 9   = primCharChr (48 + i)
  | i >= 10 && i <= 15 = primCharChr (87 + i)
  | otherwise          = errorWithoutStackTrace ("Char.intToDigit: not a digit " ++ show i)
