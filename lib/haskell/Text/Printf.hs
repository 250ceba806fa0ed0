{-# LANGUAGE FlexibleInstances #-}
-- | Formatted output in the manner of C.
module Text.Printf
  ( printf, hPrintf, PrintfType, HPrintfType
  , PrintfArg(..), FieldFormatter, FieldFormat(..), FormatAdjustment(..), FormatSign(..), vFmt
  , ModifierParser, FormatParse(..)
  , formatString, formatChar, formatInt, formatInteger, formatRealFloat
  , errorBadFormat, errorShortFormat, errorMissingArgument, errorBadArgument, perror
  , IsChar(..)
  ) where

import Data.Char (chr, intToDigit, isDigit, isUpper, ord, toLower, toUpper)
import Data.Int (Int8, Int16, Int32, Int64)
import Data.Word (Word8, Word16, Word32, Word64)
import Gadfly.Base (primUnsafeCoerce)
import Numeric (showEFloat, showFFloat, showFFloatAlt, showGFloat, showGFloatAlt, showIntAtBase)
import System.IO (Handle, hPutStr, stdout)

-- * The variadic functions

printf :: PrintfType r => String -> r
printf fmts = spr fmts []

hPrintf :: HPrintfType r => Handle -> String -> r
hPrintf h fmts = hspr h fmts []

-- | What 'printf' can return: a string, an action, or a function that takes
-- one more argument.  Arguments come in reverse.
class PrintfType t where
  spr :: String -> [UPrintf] -> t

instance IsChar c => PrintfType [c] where
  spr fmts args = map fromChar (uprintf fmts (reverse args))

instance PrintfType (IO a) where
  spr fmts args = hPutStr stdout (uprintf fmts (reverse args)) >> return (primUnsafeCoerce ())

instance (PrintfArg a, PrintfType r) => PrintfType (a -> r) where
  spr fmts args = \a -> spr fmts ((parseFormat a, formatArg a) : args)

class HPrintfType t where
  hspr :: Handle -> String -> [UPrintf] -> t

instance HPrintfType (IO a) where
  hspr h fmts args = hPutStr h (uprintf fmts (reverse args)) >> return (primUnsafeCoerce ())

instance (PrintfArg a, HPrintfType r) => HPrintfType (a -> r) where
  hspr h fmts args = \a -> hspr h fmts ((parseFormat a, formatArg a) : args)

-- * Arguments

class PrintfArg a where
  formatArg   :: a -> FieldFormatter
  parseFormat :: a -> ModifierParser
  parseFormat _ (c : cs) = FormatParse "" c cs
  parseFormat _ ""       = errorShortFormat

class IsChar c where
  toChar   :: c -> Char
  fromChar :: Char -> c

instance IsChar Char where
  toChar c   = c
  fromChar c = c

instance IsChar c => PrintfArg [c] where
  formatArg = formatString

instance PrintfArg Char where
  formatArg = formatChar
  parseFormat _ cf = parseIntFormat (undefined :: Int) cf

instance PrintfArg Int where
  formatArg   = formatInt
  parseFormat = parseIntFormat

instance PrintfArg Integer where
  formatArg   = formatInteger
  parseFormat = parseIntFormat

instance PrintfArg Word where
  formatArg   = formatInt
  parseFormat = parseIntFormat

instance PrintfArg Int8 where
  formatArg   = formatInt
  parseFormat = parseIntFormat

instance PrintfArg Int16 where
  formatArg   = formatInt
  parseFormat = parseIntFormat

instance PrintfArg Int32 where
  formatArg   = formatInt
  parseFormat = parseIntFormat

instance PrintfArg Int64 where
  formatArg   = formatInt
  parseFormat = parseIntFormat

instance PrintfArg Word8 where
  formatArg   = formatInt
  parseFormat = parseIntFormat

instance PrintfArg Word16 where
  formatArg   = formatInt
  parseFormat = parseIntFormat

instance PrintfArg Word32 where
  formatArg   = formatInt
  parseFormat = parseIntFormat

instance PrintfArg Word64 where
  formatArg   = formatInt
  parseFormat = parseIntFormat

instance PrintfArg Double where
  formatArg = formatRealFloat

instance PrintfArg Float where
  formatArg = formatRealFloat

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
type UPrintf        = (ModifierParser, FieldFormatter)

-- | Replace the letter @v@ by the type's own.
vFmt :: Char -> FieldFormat -> FieldFormat
vFmt c f = case fmtChar f of
  'v' -> f { fmtChar = c }
  _   -> f

-- | Skip C's length modifiers.
parseIntFormat :: a -> String -> FormatParse
parseIntFormat _ s = case s of
  'h' : 'h' : c : cs -> FormatParse "hh" c cs
  'h' : c : cs       -> FormatParse "h" c cs
  'l' : 'l' : c : cs -> FormatParse "ll" c cs
  'l' : c : cs       -> FormatParse "l" c cs
  'L' : c : cs       -> FormatParse "L" c cs
  c : cs             -> FormatParse "" c cs
  ""                 -> errorShortFormat

formatString :: IsChar c => [c] -> FieldFormatter
formatString x ufmt = case fmtChar (vFmt 's' ufmt) of
  's' -> (adjust ufmt ("", truncated) ++)
  c   -> errorBadFormat c
  where
    truncated = map toChar (case fmtPrecision ufmt of
      Nothing -> x
      Just n  -> take n x)

formatChar :: Char -> FieldFormatter
formatChar x ufmt = formatIntegral (Just 0) (toInteger (ord x)) (vFmt 'c' ufmt)

formatInt :: (Integral a, Bounded a) => a -> FieldFormatter
formatInt x ufmt = formatIntegral (Just (toInteger (minBound `asTypeOf` x))) (toInteger x) ufmt

formatInteger :: Integer -> FieldFormatter
formatInteger x ufmt = formatIntegral Nothing x ufmt

-- | The least value of the type, if it has one, gives negative numbers their
-- unsigned forms.
formatIntegral :: Maybe Integer -> Integer -> FieldFormatter
formatIntegral m x ufmt0 = case fmtChar ufmt of
  'd' -> (adjustSigned ufmt (signedDigits prec x) ++)
  'i' -> (adjustSigned ufmt (signedDigits prec x) ++)
  'x' -> (adjust ufmt (unsignedDigits 16 (alternate "0x") prec m x) ++)
  'X' -> (adjust ufmt (upcase (unsignedDigits 16 (alternate "0X") prec m x)) ++)
  'b' -> (adjust ufmt (unsignedDigits 2 (alternate "0b") prec m x) ++)
  'o' -> (adjust ufmt (unsignedDigits 8 (alternate "0") prec m x) ++)
  'u' -> (adjust ufmt (unsignedDigits 10 Nothing prec m x) ++)
  'c' | 0 <= x && x <= 1114111 && prec' == Nothing && null (fmtModifiers ufmt)
          -> (adjust ufmt ("", [chr (fromInteger x)]) ++)
      | otherwise -> perror "illegal char conversion"
  c   -> errorBadFormat c
  where
    ufmt  = vFmt 'd' (case ufmt0 of
      FieldFormat { fmtPrecision = Just _, fmtAdjust = Just ZeroPad } -> ufmt0 { fmtAdjust = Nothing }
      _ -> ufmt0)
    prec  = fmtPrecision ufmt0
    prec' = fmtPrecision ufmt
    alternate p = if fmtAlternate ufmt then Just p else Nothing
    upcase (s1, s2) = (s1, map toUpper s2)

-- | Sign and digits.
signedDigits :: Maybe Int -> Integer -> (String, String)
signedDigits prec i
  | i < 0     = ("-", padDigits prec (show (negate i)))
  | otherwise = ("", padDigits prec (show i))

unsignedDigits :: Integer -> Maybe String -> Maybe Int -> Maybe Integer -> Integer -> (String, String)
unsignedDigits b (Just pre) prec m i = case unsignedDigits b Nothing prec m i of
  (_, s) -> case (pre, s) of
    ("0", '0' : _) -> ("", s)
    _ | i == 0     -> ("", s)
      | otherwise  -> (pre, s)
unsignedDigits b Nothing prec m i
  | i >= 0    = ("", padDigits prec (showIntAtBase b intToDigit i ""))
  | otherwise = case m of
      Just least -> unsignedDigits b Nothing prec Nothing (i - 2 * least)
      Nothing    -> errorBadArgument

padDigits :: Maybe Int -> String -> String
padDigits Nothing     s   = s
padDigits (Just prec) s
  | prec == 0 && s == "0" = ""
  | otherwise             = replicate (prec - length s) '0' ++ s

formatRealFloat :: RealFloat a => a -> FieldFormatter
formatRealFloat x ufmt
  | c `elem` "eEfFgG" = (adjustSigned ufmt (realDigits c (fmtPrecision ufmt) (fmtAlternate ufmt) x) ++)
  | otherwise         = errorBadFormat c
  where c = fmtChar (vFmt 'g' ufmt)

realDigits :: RealFloat a => Char -> Maybe Int -> Bool -> a -> (String, String)
realDigits c prec alt x = case convert (format prec x "") of
  '-' : cs -> ("-", cs)
  cs       -> ("", cs)
  where
    convert = if isUpper c then map toUpper else id
    format  = case toLower c of
      'e' -> showEFloat
      'f' -> if alt then showFFloatAlt else showFFloat
      _   -> if alt then showGFloatAlt else showGFloat

-- | Pad a prefix and a body to the field's width.
adjust :: FieldFormat -> (String, String) -> String
adjust ufmt (pre, str) = case fmtAdjust ufmt of
  Just LeftAdjust -> pre ++ str ++ fill ' '
  Just ZeroPad    -> pre ++ fill '0' ++ str
  Nothing         -> fill ' ' ++ pre ++ str
  where
    natural = length pre + length str
    fill c  = case fmtWidth ufmt of
      Just width | natural < width -> replicate (width - natural) c
      _                            -> ""

adjustSigned :: FieldFormat -> (String, String) -> String
adjustSigned ufmt ("", str) = case fmtSign ufmt of
  Just SignPlus  -> adjust ufmt ("+", str)
  Just SignSpace -> adjust ufmt (" ", str)
  Nothing        -> adjust ufmt ("", str)
adjustSigned ufmt ps = adjust ufmt ps

-- * The format string

uprintf :: String -> [UPrintf] -> String
uprintf s us = uprintfs s us ""

uprintfs :: String -> [UPrintf] -> ShowS
uprintfs ""             []      = id
uprintfs ""             (_ : _) = errorShortFormat
uprintfs ('%':'%':cs)   us      = showChar '%' . uprintfs cs us
uprintfs ('%':_)        []      = errorMissingArgument
uprintfs ('%':cs)       us@(_:_) = field cs us
uprintfs (c:cs)         us      = showChar c . uprintfs cs us

field :: String -> [UPrintf] -> ShowS
field cs0 us0 = case getSpecs Nothing Nothing False cs0 us0 of
  (_, _, [])                       -> errorMissingArgument
  (ufmt, cs, (_, formatter) : us') -> formatter ufmt . uprintfs cs us'

getSpecs :: Maybe FormatAdjustment -> Maybe FormatSign -> Bool -> String -> [UPrintf]
         -> (FieldFormat, String, [UPrintf])
getSpecs adj sgn alt s us = case s of
  '-' : cs -> getSpecs (Just LeftAdjust) sgn alt cs us
  '+' : cs -> getSpecs adj (Just SignPlus) alt cs us
  ' ' : cs -> getSpecs adj (case sgn of { Just SignPlus -> sgn; _ -> Just SignSpace }) alt cs us
  '0' : cs -> getSpecs (case adj of { Just LeftAdjust -> adj; _ -> Just ZeroPad }) sgn alt cs us
  '#' : cs -> getSpecs adj sgn True cs us
  '*' : cs -> case getStar us of
    (us', n) ->
      let (prec, cs', us'') = case cs of
            '.' : '*' : r -> case getStar us' of (us3, p) -> (Just p, r, us3)
            '.' : r       -> case number r of (p, r') -> (Just p, r', us')
            _             -> (Nothing, cs, us')
          adj' = if n < 0 then Just LeftAdjust else adj
      in finish adj' (Just (abs n)) prec cs' us''
  '.' : cs -> case precision cs us of (prec, cs', us') -> finish adj Nothing prec cs' us'
  c : _ | isDigit c -> case number s of
    (n, cs) -> case cs of
      '.' : r -> case precision r us of (prec, cs', us') -> finish adj (Just n) prec cs' us'
      _       -> finish adj (Just n) Nothing cs us
  _ -> finish adj Nothing Nothing s us
  where
    precision cs args = case cs of
      '*' : r -> case getStar args of (args', p) -> (Just p, r, args')
      _       -> case number cs of (p, r) -> (Just p, r, args)
    number cs = case span isDigit cs of
      ("", r) -> (0, r)
      (ds, r) -> (read ds, r)
    finish adj' width prec cs args = case args of
      [] -> errorMissingArgument
      (parser, _) : _ -> case cs of
        "" -> errorShortFormat
        _  -> case parser cs of
          FormatParse ms c rest -> (FieldFormat width prec adj' sgn alt ms c, rest, args)

-- | A width or precision given as an argument.
getStar :: [UPrintf] -> ([UPrintf], Int)
getStar us = case us of
  []                  -> errorMissingArgument
  (_, formatter) : r  -> (r, read (formatter (FieldFormat Nothing Nothing Nothing Nothing False "" 'd') ""))

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
