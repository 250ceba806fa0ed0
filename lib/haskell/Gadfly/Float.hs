{-# LANGUAGE NoImplicitPrelude #-}
-- | Floating-point numbers as digits, and their decimal formats.
module Gadfly.Float (FloatFormat(..), formatRealFloat, floatToDigits, roundDigits) where

import Gadfly.Base

data FloatFormat = FFExponent | FFFixed | FFGeneric

-- | A number in a format, with so many digits after the point if that is
-- given; the flag asks for the point even where no digits follow it.
formatRealFloat :: RealFloat a => FloatFormat -> Maybe Int -> Bool -> a -> String
formatRealFloat fmt decs alt x
  | isNaN x                   = "NaN"
  | isInfinite x              = if x < 0 then "-Infinity" else "Infinity"
  | x < 0 || isNegativeZero x = '-' : format fmt (floatToDigits 10 (negate x))
  | otherwise                 = format fmt (floatToDigits 10 x)
  where
    format FFGeneric (is, e)  = format (if e < 0 || e > 7 then FFExponent else FFFixed) (is, e)
    format FFExponent (is, e) = exponential is e
    format FFFixed (is, e)    = fixed is e

    exponential is e = case decs of
      Nothing -> case map intToDigit is of
        "0"    -> "0.0e0"
        [d]    -> d : ".0e" ++ show (e - 1)
        d : ds -> d : '.' : ds ++ 'e' : show (e - 1)
        []     -> "0.0e0"
      Just d | d <= 0 -> case is of
        [0] -> "0e0"
        _   -> case roundDigits 10 1 is of
          (ei, is') -> case map intToDigit (if ei > 0 then init is' else is') of
            n : _ -> n : 'e' : show (e - 1 + ei)
            []    -> "0e0"
      Just dec -> let dec' = max dec 1 in case is of
        [0] -> '0' : '.' : replicate dec' '0' ++ "e0"
        _   -> case roundDigits 10 (dec' + 1) is of
          (ei, is') -> case map intToDigit (if ei > 0 then init is' else is') of
            d : ds -> d : '.' : ds ++ 'e' : show (e - 1 + ei)
            []     -> ""

    fixed is e = case decs of
      Nothing
        | e <= 0    -> "0." ++ replicate (negate e) '0' ++ map intToDigit is
        | otherwise -> plain e "" (map intToDigit is)
      Just dec ->
        let dec' = max dec 0
        in if e >= 0
             then case roundDigits 10 (dec' + e) is of
               (ei, is') -> case splitAt (e + ei) (map intToDigit is') of
                 (ls, rs) -> orZero ls ++ (if null rs && not alt then "" else '.' : rs)
             else case roundDigits 10 dec' (replicate (negate e) 0 ++ is) of
               (ei, is') -> case map intToDigit (if ei > 0 then is' else 0 : is') of
                 d : ds -> d : (if null ds && not alt then "" else '.' : ds)
                 []     -> ""

    orZero "" = "0"
    orZero ls = ls

    plain :: Int -> String -> String -> String
    plain 0 s rs       = orZero (reverse s) ++ '.' : orZero rs
    plain n s ""       = plain (n - 1) ('0' : s) ""
    plain n s (r : rs) = plain (n - 1) (r : s) rs

-- | Round to so many digits, halves to the even one; the first component says
-- whether the number grew by a digit in front.
roundDigits :: Int -> Int -> [Int] -> (Int, [Int])
roundDigits base d0 is0 = case go d0 True is0 of
  (0, ds) -> (0, ds)
  (_, ds) -> (1, 1 : ds)
  where
    half = base `quot` 2
    go n _ []       = (0, replicate n 0)
    go 0 e (x : xs)
      | x == half && e && all (== 0) xs = (0, [])
      | otherwise                       = (if x >= half then 1 else 0, [])
    go n _ (i : xs) = case go (n - 1) (even i) xs of
      (c, is) -> let i' = c + i in if i' == base then (1, 0 : is) else (0, i' : is)

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
