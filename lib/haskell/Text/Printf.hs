{-# LANGUAGE FlexibleInstances #-}
-- | Formatted output in the manner of C.
--
-- The arguments are gathered as what can be done with them, an 'Argument'
-- each; then the format string is gone through with them.
module Text.Printf
  ( printf, hPrintf, PrintfType, HPrintfType
  , PrintfArg(..), FieldFormatter, FieldFormat(..), FormatAdjustment(..), FormatSign(..), vFmt
  , ModifierParser, FormatParse(..)
  , formatString, formatChar, formatInt, formatInteger, formatRealFloat
  , errorBadFormat, errorShortFormat, errorMissingArgument, errorBadArgument, perror
  , IsChar(..)
  ) where

import Data.Char (chr, intToDigit, isDigit, isUpper, ord, toLower, toUpper)
import Data.List (isPrefixOf)
import Data.Int (Int8, Int16, Int32, Int64)
import Data.Word (Word8, Word16, Word32, Word64)
import Gadfly.Base (primUnsafeCoerce)
import Numeric.Natural (Natural)
import Numeric (showEFloat, showFFloat, showFFloatAlt, showGFloat, showGFloatAlt, showIntAtBase)
import System.IO (Handle, hPutStr, stdout)

-- * The variadic functions

printf :: PrintfType r => String -> r
printf format = gathering format []

hPrintf :: HPrintfType r => Handle -> String -> r
hPrintf h format = hGathering h format []

-- | What 'printf' can return: a string, an action, or a function that takes
-- one more argument.  Those taken so far are given, the latest first.
class PrintfType r where
  gathering :: String -> [Argument] -> r

instance IsChar c => PrintfType [c] where
  gathering format args = map fromChar (formatted format (reverse args))

instance PrintfType (IO a) where
  gathering format args = hGathering stdout format args

instance (PrintfArg a, PrintfType r) => PrintfType (a -> r) where
  gathering format args = \x -> gathering format (argument x : args)

class HPrintfType r where
  hGathering :: Handle -> String -> [Argument] -> r

-- The type of the result is said to be the unit; nobody can tell.
instance HPrintfType (IO a) where
  hGathering h format args = hPutStr h (formatted format (reverse args)) >> return (primUnsafeCoerce ())

instance (PrintfArg a, HPrintfType r) => HPrintfType (a -> r) where
  hGathering h format args = \x -> hGathering h format (argument x : args)

-- | An argument: how it reads the letters of its field, and how it is written.
data Argument = Argument ModifierParser FieldFormatter

argument :: PrintfArg a => a -> Argument
argument x = Argument (parseFormat x) (formatArg x)

-- * What can be an argument

class PrintfArg a where
  formatArg   :: a -> FieldFormatter
  parseFormat :: a -> ModifierParser
  parseFormat _ s = case s of
    c : rest -> FormatParse "" c rest
    []       -> errorShortFormat

class IsChar c where
  toChar   :: c -> Char
  fromChar :: Char -> c

instance IsChar Char where
  toChar c   = c
  fromChar c = c

instance IsChar c => PrintfArg [c] where
  formatArg = formatString

instance PrintfArg Char where
  formatArg   = formatChar
  parseFormat = withLength

instance PrintfArg Int where
  formatArg   = formatInt
  parseFormat = withLength

instance PrintfArg Integer where
  formatArg   = formatInteger
  parseFormat = withLength

instance PrintfArg Natural where
  formatArg   = formatInteger . toInteger
  parseFormat = withLength

instance PrintfArg Word where
  formatArg   = formatInt
  parseFormat = withLength

instance PrintfArg Int8 where
  formatArg   = formatInt
  parseFormat = withLength

instance PrintfArg Int16 where
  formatArg   = formatInt
  parseFormat = withLength

instance PrintfArg Int32 where
  formatArg   = formatInt
  parseFormat = withLength

instance PrintfArg Int64 where
  formatArg   = formatInt
  parseFormat = withLength

instance PrintfArg Word8 where
  formatArg   = formatInt
  parseFormat = withLength

instance PrintfArg Word16 where
  formatArg   = formatInt
  parseFormat = withLength

instance PrintfArg Word32 where
  formatArg   = formatInt
  parseFormat = withLength

instance PrintfArg Word64 where
  formatArg   = formatInt
  parseFormat = withLength

instance PrintfArg Double where
  formatArg = formatRealFloat

instance PrintfArg Float where
  formatArg = formatRealFloat

-- | C's marks for the size of a whole number are read, and mean nothing.
withLength :: a -> ModifierParser
withLength _ s = case filter (`isPrefixOf` s) ["hh", "h", "ll", "l", "L"] of
  mark : _ -> letter mark (drop (length mark) s)
  []       -> letter "" s
  where
    letter mark (c : rest) = FormatParse mark c rest
    letter _    []         = errorShortFormat

-- * Fields

data FormatAdjustment = LeftAdjust | ZeroPad

data FormatSign = SignPlus | SignSpace

data FieldFormat = FieldFormat
  { fmtWidth     :: Maybe Int
  , fmtPrecision :: Maybe Int
  , fmtAdjust    :: Maybe FormatAdjustment
  , fmtSign      :: Maybe FormatSign
  , fmtAlternate :: Bool
  , fmtModifiers :: String
  , fmtChar      :: Char
  }

-- | Modifiers, the format's letter, and the rest of the string.
data FormatParse = FormatParse
  { fpModifiers :: String
  , fpChar      :: Char
  , fpRest      :: String
  }

type FieldFormatter = FieldFormat -> ShowS
type ModifierParser = String -> FormatParse

-- | A field of which nothing is said but its letter.
plainField :: FieldFormat
plainField = FieldFormat
  { fmtWidth = Nothing, fmtPrecision = Nothing, fmtAdjust = Nothing, fmtSign = Nothing
  , fmtAlternate = False, fmtModifiers = "", fmtChar = 'v' }

-- | Replace the letter @v@ by the type's own.
vFmt :: Char -> FieldFormat -> FieldFormat
vFmt c field
  | fmtChar field == 'v' = field { fmtChar = c }
  | otherwise            = field

-- | A text in its field: what must stay in front (a sign, a base) and the rest.
inField :: FieldFormat -> String -> String -> ShowS
inField field front text rest = case fmtAdjust field of
  Just LeftAdjust -> front ++ text ++ fill ' ' ++ rest
  Just ZeroPad    -> front ++ fill '0' ++ text ++ rest
  Nothing         -> fill ' ' ++ front ++ text ++ rest
  where fill c = maybe "" (\w -> replicate (w - length front - length text) c) (fmtWidth field)

-- | The same for a number, whose sign may have to be shown if it has none.
signed :: FieldFormat -> Bool -> String -> ShowS
signed field negative = inField field sign
  where
    sign | negative  = "-"
         | otherwise = case fmtSign field of
             Just SignPlus  -> "+"
             Just SignSpace -> " "
             Nothing        -> ""

formatString :: IsChar c => [c] -> FieldFormatter
formatString s field0 = case fmtChar field of
  's' -> inField field "" (map toChar (maybe s (\n -> take n s) (fmtPrecision field)))
  c   -> errorBadFormat c
  where field = vFmt 's' field0

formatChar :: Char -> FieldFormatter
formatChar c field = whole (Just 0) (toInteger (ord c)) (vFmt 'c' field)

formatInt :: (Integral a, Bounded a) => a -> FieldFormatter
formatInt n = whole (Just (toInteger (minBound `asTypeOf` n))) (toInteger n)

formatInteger :: Integer -> FieldFormatter
formatInteger = whole Nothing

-- | A whole number.  The least one of its type, if there is one, tells what a
-- negative number is without a sign.
whole :: Maybe Integer -> Integer -> FieldFormatter
whole least n field0 = case fmtChar field of
  'd' -> decimal
  'i' -> decimal
  'u' -> inField field "" (digits 10)
  'x' -> inField field (prefix "0x") (digits 16)
  'X' -> inField field (prefix "0X") (map toUpper (digits 16))
  'b' -> inField field (prefix "0b") (digits 2)
  'o' -> let ds = digits 8 in inField field (if take 1 ds == "0" then "" else prefix "0") ds
  'c' | 0 <= n && n <= 1114111 && null (fmtModifiers field) && noPrecision -> inField field "" [chr (fromInteger n)]
      | otherwise -> perror "illegal char conversion"
  c   -> errorBadFormat c
  where
    noPrecision = maybe True (const False) (fmtPrecision field0)
    -- With a precision, zeros come from that alone.
    field = case (vFmt 'd' field0, fmtAdjust field0) of
      (f, Just ZeroPad) | not noPrecision -> f { fmtAdjust = Nothing }
      (f, _)                              -> f
    decimal   = signed field (n < 0) (atLeast (show (abs n)))
    prefix p  = if fmtAlternate field && n /= 0 then p else ""
    digits b  = atLeast (showIntAtBase b intToDigit unsigned "")
    unsigned
      | n >= 0    = n
      | otherwise = maybe errorBadArgument (\l -> n - 2 * l) least
    atLeast ds = case fmtPrecision field of
      Just 0 | ds == "0" -> ""
      Just p             -> replicate (p - length ds) '0' ++ ds
      Nothing            -> ds

formatRealFloat :: RealFloat a => a -> FieldFormatter
formatRealFloat x field0 = case lookup (toLower letter) styles of
  Just style -> case style (fmtPrecision field) x "" of
    '-' : text -> signed field True (cased text)
    text       -> signed field False (cased text)
  Nothing    -> errorBadFormat letter
  where
    field   = vFmt 'g' field0
    letter  = fmtChar field
    cased   = if isUpper letter then map toUpper else id
    styles
      | fmtAlternate field = [('e', showEFloat), ('f', showFFloatAlt), ('g', showGFloatAlt)]
      | otherwise          = [('e', showEFloat), ('f', showFFloat), ('g', showGFloat)]

-- * The format string

formatted :: String -> [Argument] -> String
formatted []               []   = ""
formatted []               _    = errorShortFormat
formatted ('%' : '%' : s)  args = '%' : formatted s args
formatted ('%' : _)        []   = errorMissingArgument
formatted ('%' : s)        args = flags plainField s args
formatted (c : s)          args = c : formatted s args

-- The parts of a field come one after the other: flags, width, precision, the
-- letters that belong to the argument.

flags :: FieldFormat -> String -> [Argument] -> String
flags field s args = case s of
  '-' : t -> flags field { fmtAdjust = Just LeftAdjust } t args
  '0' : t -> flags (case fmtAdjust field of
    Just LeftAdjust -> field
    _               -> field { fmtAdjust = Just ZeroPad }) t args
  '+' : t -> flags field { fmtSign = Just SignPlus } t args
  ' ' : t -> flags (case fmtSign field of
    Just SignPlus -> field
    _             -> field { fmtSign = Just SignSpace }) t args
  '#' : t -> flags field { fmtAlternate = True } t args
  _       -> width field s args

width :: FieldFormat -> String -> [Argument] -> String
width field s args = case s of
  '*' : t -> case star args of
    (n, rest) -> precision (widened n) t rest
  c : _ | isDigit c -> case number s of
    (n, t) -> precision field { fmtWidth = Just n } t args
  _ -> precision field s args
  where
    widened n
      | n < 0     = field { fmtWidth = Just (negate n), fmtAdjust = Just LeftAdjust }
      | otherwise = field { fmtWidth = Just n }

precision :: FieldFormat -> String -> [Argument] -> String
precision field s args = case s of
  '.' : '*' : t -> case star args of
    (n, rest) -> letters field { fmtPrecision = Just n } t rest
  '.' : t       -> case number t of
    (n, u) -> letters field { fmtPrecision = Just n } u args
  _             -> letters field s args

letters :: FieldFormat -> String -> [Argument] -> String
letters _     _ []                          = errorMissingArgument
letters _     "" _                          = errorShortFormat
letters field s (Argument parse write : args) = case parse s of
  FormatParse modifiers c rest ->
    write field { fmtModifiers = modifiers, fmtChar = c } (formatted rest args)

-- | The digits in front; none are zero.
number :: String -> (Int, String)
number s = case span isDigit s of
  (ds, rest) -> (if null ds then 0 else read ds, rest)

-- | A width or precision that is an argument.
star :: [Argument] -> (Int, [Argument])
star []                         = errorMissingArgument
star (Argument _ write : args) = (read (write plainField { fmtChar = 'd' } ""), args)

-- * Errors

perror :: String -> a
perror s = errorWithoutStackTrace ("printf: " ++ s)

errorBadFormat :: Char -> a
errorBadFormat c = perror ("bad formatting char " ++ show c)

errorShortFormat :: a
errorShortFormat = perror "formatting string ended prematurely"

errorMissingArgument :: a
errorMissingArgument = perror "argument list ended prematurely"

errorBadArgument :: a
errorBadArgument = perror "bad argument"
