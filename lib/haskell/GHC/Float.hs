{-# LANGUAGE NoImplicitPrelude #-}
-- | What programs take from GHC's module of this name: conversions.
module GHC.Float
  ( Float, Double, Floating(..), RealFloat(..), showFloat, showSignedFloat, floatToDigits, fromRat
  , int2Double, double2Int, int2Float, float2Int, float2Double, double2Float
  , castWord64ToDouble, castDoubleToWord64, truncateDouble, roundDouble, floorDouble, ceilingDouble
  ) where

import Gadfly.Base hiding (floorDouble, roundDouble)
import Numeric (floatToDigits, fromRat, showFloat, showSigned)

int2Double :: Int -> Double
int2Double = primIntToDouble

double2Int :: Double -> Int
double2Int x = primIntegerToInt (primDoubleTruncate x)

int2Float :: Int -> Float
int2Float n = fromIntegral n

float2Int :: Float -> Int
float2Int x = double2Int (primFloatToDouble x)

float2Double :: Float -> Double
float2Double = primFloatToDouble

double2Float :: Double -> Float
double2Float = primDoubleToFloat

castWord64ToDouble :: Word -> Double
castWord64ToDouble = primDoubleFromBits

castDoubleToWord64 :: Double -> Word
castDoubleToWord64 = primDoubleToBits

truncateDouble, roundDouble, floorDouble, ceilingDouble :: Integral b => Double -> b
truncateDouble = truncate
roundDouble    = round
floorDouble    = floor
ceilingDouble  = ceiling

showSignedFloat :: RealFloat a => (a -> ShowS) -> Int -> a -> ShowS
showSignedFloat = showSigned
