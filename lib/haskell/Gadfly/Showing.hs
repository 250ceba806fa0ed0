{-# LANGUAGE NoImplicitPrelude, StandaloneDeriving #-}
-- | The instances of 'Show': numbers, characters and strings as the language
-- writes them, lists, tuples.  The class is in "Gadfly.Failing".
module Gadfly.Showing where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Lists
import Gadfly.Characters

showSpace :: ShowS
showSpace s = ' ' : s

showCommaSpace :: ShowS
showCommaSpace s = ',' : ' ' : s

-- * Truth values and such

deriving instance Show Bool
deriving instance Show Ordering
deriving instance Show a => Show (Maybe a)
deriving instance (Show a, Show b) => Show (Either a b)

instance Show a => Show (NonEmpty a) where
  showsPrec d (a :| as) = showParen (d > 5) (showsPrec 6 a . showString " :| " . showsPrec 6 as)

instance Show (Proxy t) where
  showsPrec _ _ = showString "Proxy"

instance Show () where
  showsPrec _ () = showString "()"

-- * Fractions

instance Show a => Show (Ratio a) where
  showsPrec p (x :% y) = showParen (p > 7) (showsPrec 8 x . showString " % " . showsPrec 8 y)

instance Show Double where
  showsPrec d x = showReal d x (primDoubleDigits (abs x))

instance Show Float where
  showsPrec d x = showReal d (primFloatToDouble x) (primFloatDigits (abs x))

-- | A number in the context of a precedence, given its sign and kind by a
-- double and its digits for the case that it has any.
showReal :: Int -> Double -> ([Int], Int) -> ShowS
showReal d x digits s
  | primDoubleEq x 0             = if primDoubleLt (primDoubleDiv 1 x) 0 then negative "0.0" else "0.0" ++ s
  | primDoubleLt x 0             = negative positive
  | primDoubleLt 0 x             = positive ++ s
  | otherwise                    = "NaN" ++ s
  where
    positive = if primDoubleEq (primDoubleSub x x) 0 then showDigits digits else "Infinity"
    negative shown
      | primIntLt 6 d = '(' : '-' : (shown ++ ')' : s)
      | otherwise     = '-' : (shown ++ s)

-- | The digits @0.d1d2... * 10^e@ in Haskell's notation: plain from 0.1 up to
-- ten million, with an exponent otherwise.
showDigits :: ([Int], Int) -> String
showDigits (is, e)
  | primIntLt 0 e && primIntLe e 7 = pointAfter e ds
  | primIntEq e 0                  = '0' : '.' : ds
  | otherwise = case ds of
      [d]    -> d : '.' : '0' : 'e' : primIntShow (primIntSub e 1)
      d : rs -> d : '.' : (rs ++ 'e' : primIntShow (primIntSub e 1))
      []     -> "0.0"
  where ds = map intToDigit is

-- | The point after so many digits, zeros where they run out.
pointAfter :: Int -> String -> String
pointAfter n ds
  | primIntEq n 0 = '.' : (if nullList ds then "0" else ds)
  | otherwise     = case ds of
      []       -> '0' : pointAfter (primIntSub n 1) []
      c : rest -> c : pointAfter (primIntSub n 1) rest

-- * Characters and strings

instance Show Char where
  showsPrec _ '\'' = showString "'\\''"
  showsPrec _ c    = showChar '\'' . showLitChar c . showChar '\''
  showList cs      = showChar '"' . showLitString cs . showChar '"'

showLitString :: String -> ShowS
showLitString []       s = s
showLitString (c : cs) s
  | primCharEq c '"' = '\\' : '"' : showLitString cs s
  | otherwise        = showLitChar c (showLitString cs s)

showLitChar :: Char -> ShowS
showLitChar c s
  | primCharLt '\DEL' c = '\\' : protect isDigit (primIntShow (primCharOrd c)) s
  | primCharLe ' ' c    = case c of
      '\DEL' -> "\\DEL" ++ s
      '\\'   -> "\\\\" ++ s
      _      -> c : s
  | otherwise = case c of
      '\a'  -> "\\a" ++ s
      '\b'  -> "\\b" ++ s
      '\f'  -> "\\f" ++ s
      '\n'  -> "\\n" ++ s
      '\r'  -> "\\r" ++ s
      '\t'  -> "\\t" ++ s
      '\v'  -> "\\v" ++ s
      '\SO' -> protect (== 'H') "\\SO" s
      _     -> '\\' : (controlNames !! primCharOrd c ++ s)
  where
    -- Keep an escape apart from a character that would continue it.
    protect p esc rest = esc ++ (case rest of
      r : _ | p r -> "\\&" ++ rest
      _           -> rest)

controlNames :: [String]
controlNames =
  [ "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL"
  , "BS",  "HT",  "LF",  "VT",  "FF",  "CR",  "SO",  "SI"
  , "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB"
  , "CAN", "EM",  "SUB", "ESC", "FS",  "GS",  "RS",  "US", "SP" ]

-- * Lists and tuples

instance Show a => Show [a] where
  showsPrec _ = showList
  show xs     = showList xs ""

-- | Components in parentheses.
showTuple :: [ShowS] -> ShowS
showTuple []       s = '(' : ')' : s
showTuple (x : xs) s = '(' : x (foldrList (\y r -> ',' : y r) (')' : s) xs)

instance (Show a, Show b) => Show (a, b) where
  showsPrec _ (a, b) s = '(' : shows a (',' : shows b (')' : s))

instance (Show a, Show b, Show c) => Show (a, b, c) where
  showsPrec _ (a, b, c) s = '(' : shows a (',' : shows b (',' : shows c (')' : s)))

instance (Show a, Show b, Show c, Show d) => Show (a, b, c, d) where
  showsPrec _ (a, b, c, d) = showTuple [shows a, shows b, shows c, shows d]

instance (Show a, Show b, Show c, Show d, Show e) => Show (a, b, c, d, e) where
  showsPrec _ (a, b, c, d, e) = showTuple [shows a, shows b, shows c, shows d, shows e]

instance (Show a, Show b, Show c, Show d, Show e, Show f) => Show (a, b, c, d, e, f) where
  showsPrec _ (a, b, c, d, e, f) = showTuple [shows a, shows b, shows c, shows d, shows e, shows f]

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g)
      => Show (a, b, c, d, e, f, g) where
  showsPrec _ (a, b, c, d, e, f, g) = showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g]
