{-# LANGUAGE ScopedTypeVariables #-}
-- | Numbers with a fixed number of decimals, and division with remainder for
-- real numbers.
module Data.Fixed
  ( div', mod', divMod'
  , Fixed(..), HasResolution(..), showFixed
  , E0, Uni, E1, Deci, E2, Centi, E3, Milli, E6, Micro, E9, Nano, E12, Pico
  ) where

div' :: (Real a, Integral b) => a -> a -> b
div' n d = floor (toRational n / toRational d)

mod' :: Real a => a -> a -> a
mod' n d = n - fromInteger f * d
  where f = div' n d

divMod' :: (Real a, Integral b) => a -> a -> (b, a)
divMod' n d = (f, n - fromIntegral f * d)
  where f = div' n d

-- | A number of units of which so many make one, as the type's argument says.
newtype Fixed a = MkFixed Integer
  deriving (Eq, Ord)

class HasResolution a where
  resolution :: p a -> Integer

data E0
data E1
data E2
data E3
data E6
data E9
data E12

instance HasResolution E0  where { resolution _ = 1 }
instance HasResolution E1  where { resolution _ = 10 }
instance HasResolution E2  where { resolution _ = 100 }
instance HasResolution E3  where { resolution _ = 1000 }
instance HasResolution E6  where { resolution _ = 1000000 }
instance HasResolution E9  where { resolution _ = 1000000000 }
instance HasResolution E12 where { resolution _ = 1000000000000 }

type Uni   = Fixed E0
type Deci  = Fixed E1
type Centi = Fixed E2
type Milli = Fixed E3
type Micro = Fixed E6
type Nano  = Fixed E9
type Pico  = Fixed E12

instance Enum (Fixed a) where
  succ (MkFixed n)     = MkFixed (succ n)
  pred (MkFixed n)     = MkFixed (pred n)
  toEnum n             = MkFixed (toEnum n)
  fromEnum (MkFixed n) = fromEnum n
  enumFrom (MkFixed m) = map MkFixed (enumFrom m)
  enumFromThen (MkFixed l) (MkFixed m)               = map MkFixed (enumFromThen l m)
  enumFromTo (MkFixed m) (MkFixed n)                 = map MkFixed (enumFromTo m n)
  enumFromThenTo (MkFixed l) (MkFixed m) (MkFixed n) = map MkFixed (enumFromThenTo l m n)

instance HasResolution a => Num (Fixed a) where
  MkFixed m + MkFixed n = MkFixed (m + n)
  MkFixed m - MkFixed n = MkFixed (m - n)
  x@(MkFixed m) * MkFixed n = MkFixed (div (m * n) (resolution x))
  negate (MkFixed n)    = MkFixed (negate n)
  abs (MkFixed n)       = MkFixed (abs n)
  signum (MkFixed n)    = fromInteger (signum n)
  fromInteger n         = let x = MkFixed (n * resolution x) in x

instance HasResolution a => Real (Fixed a) where
  toRational x@(MkFixed n) = toRational n / toRational (resolution x)

instance HasResolution a => Fractional (Fixed a) where
  x@(MkFixed m) / MkFixed n = MkFixed (div (m * resolution x) n)
  recip x@(MkFixed n)       = let r = resolution x in MkFixed (div (r * r) n)
  fromRational q            = let x = MkFixed (floor (q * toRational (resolution x))) in x

instance HasResolution a => RealFrac (Fixed a) where
  properFraction x = let n = truncate (toRational x) in (n, x - fromIntegral n)
  truncate x       = truncate (toRational x)
  round x          = round (toRational x)
  ceiling x        = ceiling (toRational x)
  floor x          = floor (toRational x)

-- | Without zeros at the end, if the flag says so.
showFixed :: HasResolution a => Bool -> Fixed a -> String
showFixed chop x@(MkFixed n)
  | n < 0     = '-' : showFixed chop (MkFixed (negate n) `asTypeOf` x)
  | otherwise = case quotRem n r of
      (whole, part) -> show whole ++ point (decimals part)
  where
    r      = resolution x
    -- Enough digits to tell the units apart.
    digits = length (takeWhile (< r) (iterate (* 10) 1))
    decimals part =
      let shown = show (div (part * 10 ^ digits + r - 1) r)
          full  = replicate (digits - length shown) '0' ++ shown
      in if chop then reverse (dropWhile (== '0') (reverse full)) else full
    point ds = if null ds then "" else '.' : ds

instance HasResolution a => Show (Fixed a) where
  showsPrec d x = showParen (d > 6 && x < 0) (showString (showFixed False x))

instance HasResolution a => Read (Fixed a) where
  readsPrec d s = [(fromRational (toRational (x :: Double)), t) | (x, t) <- readsPrec d s]
