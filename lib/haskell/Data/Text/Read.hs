-- | Numbers at the beginning of texts.
module Data.Text.Read (Reader, decimal, signed, hexadecimal, rational, double) where

import Data.Char (digitToInt, isDigit, isHexDigit)
import Gadfly.Text

-- | The number and the rest, or what is wrong.
type Reader a = Text -> Either String (a, Text)

decimal :: Integral a => Reader a
decimal (Text s) = case span isDigit s of
  ("", _)    -> Left "input does not start with a digit"
  (ds, rest) -> Right (number 10 ds, Text rest)

-- | The prefix @0x@ is allowed.
hexadecimal :: Integral a => Reader a
hexadecimal (Text s) = case span isHexDigit digits of
  ("", _)    -> Left "input does not start with a hexadecimal digit"
  (ds, rest) -> Right (number 16 ds, Text rest)
  where
    digits = case s of
      '0' : x : r | x `elem` "xX" -> r
      _                           -> s

number :: Integral a => a -> String -> a
number base = foldl (\n d -> n * base + fromIntegral (digitToInt d)) 0

signed :: Num a => Reader a -> Reader a
signed f (Text s) = case s of
  '-' : r -> fmap (\(n, t) -> (negate n, t)) (f (Text r))
  '+' : r -> f (Text r)
  _       -> f (Text s)

rational :: Fractional a => Reader a
rational = signed unsigned
  where
    unsigned (Text s) = case span isDigit s of
      ("", _)   -> Left "input does not start with a digit"
      (ds, r) -> case fraction r of
        (fs, r') -> case exponent' r' of
          (e, rest) ->
            let mantissa = number 10 (ds ++ fs) :: Integer
                power    = e - length fs
                value    = if power >= 0 then fromInteger mantissa * 10 ^ power
                           else fromInteger mantissa / 10 ^ negate power :: Rational
            in Right (fromRational value, Text rest)
    fraction r = case r of
      '.' : t@(d : _) | isDigit d -> span isDigit t
      _                           -> ("", r)
    exponent' r = case r of
      e : t | e `elem` "eE" -> case t of
        '-' : u@(d : _) | isDigit d -> negated (span isDigit u)
        '+' : u@(d : _) | isDigit d -> plain (span isDigit u)
        d : _           | isDigit d -> plain (span isDigit t)
        _                           -> (0, r)
      _ -> (0, r)
    plain (ds, rest)   = (number 10 ds, rest)
    negated (ds, rest) = (negate (number 10 ds), rest)

double :: Reader Double
double = rational
