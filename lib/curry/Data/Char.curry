-- | Characters.  Letters and digits are those of ASCII, as in all Curry systems.
module Data.Char
  ( isAscii, isLatin1, isAsciiUpper, isAsciiLower, isControl
  , isUpper, isLower, isAlpha, isDigit, isAlphaNum
  , isBinDigit, isOctDigit, isHexDigit, isSpace
  , toUpper, toLower, digitToInt, intToDigit, ord, chr
  ) where

isAscii :: Char -> Bool
isAscii c = c <= '\x7f'

isLatin1 :: Char -> Bool
isLatin1 c = c <= '\xff'

isAsciiUpper :: Char -> Bool
isAsciiUpper c = isUpper c

isAsciiLower :: Char -> Bool
isAsciiLower c = isLower c

isControl :: Char -> Bool
isControl c = c < ' ' || '\x7f' <= c && c <= '\x9f'

toUpper :: Char -> Char
toUpper c = if isLower c then chr (ord c - 32) else c

toLower :: Char -> Char
toLower c = if isUpper c then chr (ord c + 32) else c

-- | The value of a hexadecimal digit.
digitToInt :: Char -> Int
digitToInt c
  | isDigit c            = ord c - ord '0'
  | 'A' <= c && c <= 'F' = ord c - ord 'A' + 10
  | 'a' <= c && c <= 'f' = ord c - ord 'a' + 10
  | otherwise            = error "Char.digitToInt: argument is not a digit"

-- | The hexadecimal digit with a value, in upper case.
intToDigit :: Int -> Char
intToDigit n
  | 0 <= n && n <= 9   = chr (ord '0' + n)
  | 10 <= n && n <= 15 = chr (ord 'A' + n - 10)
  | otherwise          = error "Char.intToDigit: argument not a digit value"
