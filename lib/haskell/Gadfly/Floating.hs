{-# LANGUAGE NoImplicitPrelude #-}
-- | Floating-point numbers: the classes, and the instances of 'Double' and
-- 'Float'.
module Gadfly.Floating where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Enumerations
import Gadfly.Integers

infixr 8 **

class Fractional a => Floating a where
  pi                                              :: a
  exp, log, sqrt                                  :: a -> a
  (**), logBase                                   :: a -> a -> a
  sin, cos, tan, asin, acos, atan                 :: a -> a
  sinh, cosh, tanh, asinh, acosh, atanh           :: a -> a
  log1p, expm1, log1pexp, log1mexp                :: a -> a

  x ** y      = exp (log x * y)
  logBase x y = log y / log x
  sqrt x      = x ** fromRational (1 :% 2)
  tan x       = sin x / cos x
  tanh x      = sinh x / cosh x
  log1p x     = log (fromInteger 1 + x)
  expm1 x     = exp x - fromInteger 1
  log1pexp x  = log1p (exp x)
  log1mexp x  = log1p (negate (exp x))

class (Real a, Fractional a) => RealFrac a where
  properFraction                  :: Integral b => a -> (b, a)
  truncate, round, ceiling, floor :: Integral b => a -> b

  truncate x = fst (properFraction x)
  round x =
    let (n, r) = properFraction x
        m      = if r < fromInteger 0 then n - fromInteger 1 else n + fromInteger 1
    in case compare (signum (abs r - fromRational (1 :% 2))) (fromInteger 0) of
         LT -> n
         EQ -> if even n then n else m
         GT -> m
  ceiling x = let (n, r) = properFraction x
              in if r > fromInteger 0 then n + fromInteger 1 else n
  floor x   = let (n, r) = properFraction x
              in if r < fromInteger 0 then n - fromInteger 1 else n

class (RealFrac a, Floating a) => RealFloat a where
  floatRadix     :: a -> Integer
  floatDigits    :: a -> Int
  floatRange     :: a -> (Int, Int)
  decodeFloat    :: a -> (Integer, Int)
  encodeFloat    :: Integer -> Int -> a
  exponent       :: a -> Int
  significand    :: a -> a
  scaleFloat     :: Int -> a -> a
  isNaN          :: a -> Bool
  isInfinite     :: a -> Bool
  isDenormalized :: a -> Bool
  isNegativeZero :: a -> Bool
  isIEEE         :: a -> Bool
  atan2          :: a -> a -> a

  exponent x = case decodeFloat x of
    (m, n) -> if m == 0 then 0 else n + floatDigits x
  significand x = case decodeFloat x of
    (m, _) -> encodeFloat m (negate (floatDigits x))
  scaleFloat k x
    | k == 0 || x == fromInteger 0 || isNaN x || isInfinite x = x
    | otherwise = case decodeFloat x of
        (m, n) -> encodeFloat m (n + clamp k)
    where
      clamp j = max (negate bound) (min bound j)
      bound   = case floatRange x of (l, h) -> h - l + 4 * floatDigits x
  atan2 y x
    | x > 0                                  = atan (y / x)
    | x == 0 && y > 0                        = pi / 2
    | x < 0 && y > 0                         = pi + atan (y / x)
    | (x <= 0 && y < 0) || (x < 0 && isNegativeZero y) || (isNegativeZero x && isNegativeZero y)
                                             = negate (atan2 (negate y) x)
    | y == 0 && (x < 0 || isNegativeZero x)  = pi
    | x == 0 && y == 0                       = y
    | otherwise                              = x + y

-- * Double

instance Real Double where
  toRational       = doubleToRational
  intoFractional x = fromDouble x

instance Floating Double where
  pi    = 3.141592653589793
  exp   = primDoubleExp
  log   = primDoubleLog
  sqrt  = primDoubleSqrt
  (**)  = primDoublePow
  sin   = primDoubleSin
  cos   = primDoubleCos
  tan   = primDoubleTan
  asin  = primDoubleAsin
  acos  = primDoubleAcos
  atan  = primDoubleAtan
  sinh  = primDoubleSinh
  cosh  = primDoubleCosh
  tanh  = primDoubleTanh
  asinh = primDoubleAsinh
  acosh = primDoubleAcosh
  atanh = primDoubleAtanh

instance RealFrac Double where
  properFraction x = let n = primDoubleTruncate x
                     in (fromInteger n, x - primIntegerToDouble n)
  truncate x = fromInteger (primDoubleTruncate x)
  round x = fromInteger (roundDouble x)
  floor x = fromInteger (floorDouble x)
  ceiling x = fromInteger (negate (floorDouble (negate x)))

floorDouble :: Double -> Integer
floorDouble x =
  let n = primDoubleTruncate x
  in if x < primIntegerToDouble n then n - 1 else n

-- | To the nearest integer, halves to the even one.
roundDouble :: Double -> Integer
roundDouble x =
  let n = primDoubleTruncate x
      r = abs (x - primIntegerToDouble n)
      m = if x < 0 then n - 1 else n + 1
  in if r < 0.5 then n
     else if r > 0.5 then m
     else if primIntegerEq (primIntegerRem n 2) 0 then n else m

instance RealFloat Double where
  floatRadix _  = 2
  floatDigits _ = 53
  floatRange _  = (-1021, 1024)
  decodeFloat   = primDoubleDecode
  encodeFloat   = primDoubleEncode
  isNaN x       = not (primDoubleEq x x)
  isInfinite x  = primDoubleEq x (1 / 0) || primDoubleEq x (-1 / 0)
  isDenormalized x = not (primDoubleEq x 0) && primDoubleLt (abs x) 2.2250738585072014e-308
  isNegativeZero x = primDoubleEq x 0 && primDoubleLt (1 / x) 0
  isIEEE _      = True

-- * Float

instance Real Float where
  toRational x = toRational (primFloatToDouble x)

-- | A function on 'Double' used at 'Float'.
viaDouble :: (Double -> Double) -> Float -> Float
viaDouble f x = primDoubleToFloat (f (primFloatToDouble x))

instance Floating Float where
  pi     = primDoubleToFloat pi
  exp    = viaDouble exp
  log    = viaDouble log
  sqrt   = viaDouble sqrt
  x ** y = primDoubleToFloat (primDoublePow (primFloatToDouble x) (primFloatToDouble y))
  sin    = viaDouble sin
  cos    = viaDouble cos
  tan    = viaDouble tan
  asin   = viaDouble asin
  acos   = viaDouble acos
  atan   = viaDouble atan
  sinh   = viaDouble sinh
  cosh   = viaDouble cosh
  tanh   = viaDouble tanh
  asinh  = viaDouble asinh
  acosh  = viaDouble acosh
  atanh  = viaDouble atanh

instance RealFrac Float where
  properFraction x = case properFraction (primFloatToDouble x) of
    (n, r) -> (n, primDoubleToFloat r)
  truncate x = truncate (primFloatToDouble x)
  round x    = round (primFloatToDouble x)
  floor x    = floor (primFloatToDouble x)
  ceiling x  = ceiling (primFloatToDouble x)

instance RealFloat Float where
  floatRadix _  = 2
  floatDigits _ = 24
  floatRange _  = (-125, 128)
  decodeFloat x
    | primFloatEq x 0 = (0, 0)
    | isInfinite x    = (if primFloatLt x 0 then -8388608 else 8388608, 105)
    | isNaN x         = (-12582912, 105)
    | otherwise = case primDoubleDecode (primFloatToDouble x) of
        -- A double's 53 bits hold a float's 24; the smallest floats keep
        -- leading zeros out, as for doubles.
        (m, e) -> (primIntegerQuot m 536870912, e + 29)
  encodeFloat m e = primDoubleToFloat (primDoubleEncode m e)
  isNaN x       = not (primFloatEq x x)
  isInfinite x  = isInfinite (primFloatToDouble x)
  isDenormalized x = not (primFloatEq x 0) && primDoubleLt (abs (primFloatToDouble x)) 1.1754943508222875e-38
  isNegativeZero x = isNegativeZero (primFloatToDouble x)
  isIEEE _      = True
