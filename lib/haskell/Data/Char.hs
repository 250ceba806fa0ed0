{-# LANGUAGE NoImplicitPrelude #-}
-- | Characters and their Unicode properties.
module Data.Char
  ( Char
  , isControl, isSpace, isLower, isUpper, isAlpha, isLetter, isDigit, isOctDigit, isHexDigit
  , isAlphaNum, isPrint, isPunctuation, isSymbol, isSeparator, isMark, isNumber
  , isAscii, isLatin1, isAsciiUpper, isAsciiLower
  , GeneralCategory(..), generalCategory
  , toUpper, toLower, toTitle
  , digitToInt, intToDigit, ord, chr
  , showLitChar, lexLitChar, readLitChar
  ) where

import Gadfly.Base

-- | Unicode's general categories, in the order of the standard.
data GeneralCategory
  = UppercaseLetter | LowercaseLetter | TitlecaseLetter | ModifierLetter | OtherLetter
  | NonSpacingMark | SpacingCombiningMark | EnclosingMark
  | DecimalNumber | LetterNumber | OtherNumber
  | ConnectorPunctuation | DashPunctuation | OpenPunctuation | ClosePunctuation
  | InitialQuote | FinalQuote | OtherPunctuation
  | MathSymbol | CurrencySymbol | ModifierSymbol | OtherSymbol
  | Space | LineSeparator | ParagraphSeparator
  | Control | Format | Surrogate | PrivateUse | NotAssigned
  deriving (Show, Eq, Ord, Enum, Bounded, Ix)

generalCategory :: Char -> GeneralCategory
generalCategory c = toEnum (primCharCategory c)

-- | Is the category's number in this range?
inCategories :: Int -> Int -> Char -> Bool
inCategories lo hi c = let k = primCharCategory c in primIntLe lo k && primIntLe k hi

isControl, isLetter, isPrint, isPunctuation, isSymbol, isSeparator, isMark, isNumber :: Char -> Bool
isControl     = inCategories 25 25
isLetter      = isAlpha
isPrint       = inCategories 0 22
isPunctuation = inCategories 11 17
isSymbol      = inCategories 18 21
isSeparator   = inCategories 22 24
isMark        = inCategories 5 7
isNumber      = inCategories 8 10

isAscii, isLatin1, isAsciiUpper, isAsciiLower :: Char -> Bool
isAscii c      = primCharLt c '\x80'
isLatin1 c     = primCharLe c '\xff'
isAsciiUpper c = primCharLe 'A' c && primCharLe c 'Z'
isAsciiLower c = primCharLe 'a' c && primCharLe c 'z'

toUpper, toLower, toTitle :: Char -> Char
toUpper = primCharToUpper
toLower = primCharToLower
toTitle = primCharToTitle

-- | One character of a literal, as it is written.
lexLitChar :: ReadS String
lexLitChar []         = []
lexLitChar ('\\' : s) = [('\\' : esc, t) | (esc, t) <- lexEscape s]
lexLitChar (c : s)    = [([c], s)]

-- | One character of a literal, as it is meant.
readLitChar :: ReadS Char
readLitChar []         = []
readLitChar ('\\' : s) = case readEscape s of
  Just r  -> [r]
  Nothing -> []
readLitChar (c : s)    = [(c, s)]
