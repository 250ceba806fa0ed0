{-# LANGUAGE NoImplicitPrelude #-}
-- | Floating-point numbers as digits, and their decimal formats.
module Gadfly.Float (FloatFormat(..), formatRealFloat, floatToDigits) where

import Gadfly.Base

data FloatFormat = FFExponent | FFFixed | FFGeneric

-- | A number in a format, with so many digits after the point if that is
-- given; the flag asks for the point even where no digits follow it.
formatRealFloat :: RealFloat a => FloatFormat -> Maybe Int -> Bool -> a -> String
formatRealFloat fmt places point x
  | isNaN x                   = "NaN"
  | isInfinite x              = if x < 0 then "-Infinity" else "Infinity"
  | x < 0 || isNegativeZero x = '-' : formatDigits fmt places point (floatToDigits 10 (negate x))
  | otherwise                 = formatDigits fmt places point (floatToDigits 10 x)

-- | The number @0.d1d2... * 10^e@ in a format.
formatDigits :: FloatFormat -> Maybe Int -> Bool -> ([Int], Int) -> String
formatDigits fmt places point (ds, e) = case fmt of
  FFExponent -> maybe (exponential text e) (roundedExponential text e) places
  FFFixed    -> maybe (fixed text e) (roundedFixed point text e) places
  FFGeneric  -> formatDigits (if e < 0 || e > 7 then FFExponent else FFFixed) places point (ds, e)
  where text = map intToDigit ds

-- | All digits, the point after the first.
exponential :: String -> Int -> String
exponential text e = case text of
  "0"    -> "0.0e0"
  d : ds -> d : '.' : orZero ds ++ 'e' : show (e - 1)
  []     -> "0.0e0"

-- | So many digits after the first one; none without a point, and at least one
-- with it.
roundedExponential :: String -> Int -> Int -> String
roundedExponential text e places
  | text == "0" = withPoint (replicate (after + 1) '0') ++ "e0"
  | otherwise   =
      let shown = show (roundAt (length text - (after + 1)) (digitsToInteger 10 text))
          -- Rounding up may have made one digit more, a zero at the end.
          grown = length shown - (after + 1)
      in withPoint (take (after + 1) shown) ++ 'e' : show (e - 1 + grown)
  where
    after = max places 0
    withPoint s = case s of
      d : ds@(_ : _) -> d : '.' : ds
      _              -> s

-- | All digits, the point where it belongs.
fixed :: String -> Int -> String
fixed text e
  | e <= 0    = "0." ++ replicate (negate e) '0' ++ text
  | otherwise = case splitAt e text of
      (whole, part) -> whole ++ replicate (e - length whole) '0' ++ '.' : orZero part

-- | So many digits after the point.
roundedFixed :: Bool -> String -> Int -> Int -> String
roundedFixed point text e places = case splitAt (length shown - after) shown of
  (whole, part) -> whole ++ (if null part && not point then "" else '.' : part)
  where
    after  = max places 0
    scaled = show (roundAt (length text - e - after) (digitsToInteger 10 text))
    shown  = replicate (after + 1 - length scaled) '0' ++ scaled

orZero :: String -> String
orZero "" = "0"
orZero s  = s

-- | Divide by a power of ten and round to nearest, halves to even; multiply if
-- the power is negative.
roundAt :: Int -> Integer -> Integer
roundAt k n
  | k <= 0    = n * 10 ^ negate k
  | otherwise =
      let unit = 10 ^ k
      in case quotRem n unit of
           (q, r) -> case compare (2 * r) unit of
             LT -> q
             GT -> q + 1
             EQ -> if even q then q else q + 1

-- | The shortest digits that determine the number among its neighbours, and
-- the exponent: @0.d1d2... * base^e@.  (Burger and Dybvig, Printing
-- floating-point numbers quickly and accurately, 1996.)
floatToDigits :: RealFloat a => Integer -> a -> ([Int], Int)
floatToDigits base x
  | x == 0              = ([0], 0)
  | base == 10          = case (floatDigits x, decodeFloat x) of
      (53, (m, e)) -> primDoubleDigits (primDoubleEncode m e)
      (24, (m, e)) -> primFloatDigits (primDoubleToFloat (primDoubleEncode m e))
      (n, me)      -> generateDigits base n (fst (floatRange x)) me
  | otherwise           = generateDigits base (floatDigits x) (fst (floatRange x)) (decodeFloat x)

generateDigits :: Integer -> Int -> Int -> (Integer, Int) -> ([Int], Int)
generateDigits base p minExp (m0, e0) = (map fromInteger (reverse digits), k)
  where
    -- The significand of the smallest numbers has leading zeros to drop.
    (f, e) = let n = (minExp - p) - e0
             in if n > 0 then (primIntegerShiftR m0 n, e0 + n) else (m0, e0)

    (r, s, up, down)
      | e >= 0    = let be = primIntegerShiftL 1 e
                    in if f == primIntegerShiftL 1 (p - 1)
                         then (f * be * 4, 4, be * 2, be)
                         else (f * be * 2, 2, be, be)
      | e > minExp - p && f == primIntegerShiftL 1 (p - 1)
                  = (f * 4, primIntegerShiftL 1 (1 - e) * 2, 2, 1)
      | otherwise = (f * 2, primIntegerShiftL 1 (negate e) * 2, 1, 1)

    k = fixup (estimate - 1)
      where estimate = ceiling (primIntToDouble (primIntegerBitLength f + e - 1) * log 2
                                / log (primIntegerToDouble base))

    fixup n
      | n >= 0    = if r + up <= power n * s then n else fixup (n + 1)
      | otherwise = if power (negate n) * (r + up) <= s then n else fixup (n + 1)

    power :: Int -> Integer
    power n = base ^ n

    gen ds rn sN upN downN = case quotRem (rn * base) sN of
      (dn, rn') ->
        let upN'   = upN * base
            downN' = downN * base
        in case (rn' < downN', rn' + upN' > sN) of
             (True, False)  -> dn : ds
             (False, True)  -> dn + 1 : ds
             (True, True)   -> if rn' * 2 < sN then dn : ds else dn + 1 : ds
             (False, False) -> gen (dn : ds) rn' sN upN' downN'

    digits
      | k >= 0    = gen [] r (s * power k) up down
      | otherwise = let b = power (negate k) in gen [] (r * b) s (up * b) (down * b)
