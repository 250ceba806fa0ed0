-- | Complex numbers.
module Data.Complex
  ( Complex(..), realPart, imagPart, mkPolar, cis, polar, magnitude, phase, conjugate
  ) where

infix 6 :+

data Complex a = !a :+ !a
  deriving (Eq, Show, Read)

realPart :: Complex a -> a
realPart (x :+ _) = x

imagPart :: Complex a -> a
imagPart (_ :+ y) = y

conjugate :: Num a => Complex a -> Complex a
conjugate (x :+ y) = x :+ negate y

mkPolar :: Floating a => a -> a -> Complex a
mkPolar r theta = (r * cos theta) :+ (r * sin theta)

cis :: Floating a => a -> Complex a
cis theta = cos theta :+ sin theta

polar :: RealFloat a => Complex a -> (a, a)
polar z = (magnitude z, phase z)

-- | The absolute value.  The parts are scaled first so that their squares do
-- not overflow.
magnitude :: RealFloat a => Complex a -> a
magnitude z@(x :+ y) = scaleFloat e (sqrt (a * a + b * b))
  where
    e = greaterExponent z
    a = scaleFloat (negate e) x
    b = scaleFloat (negate e) y

greaterExponent :: RealFloat a => Complex a -> Int
greaterExponent (x :+ y) = max (exponent x) (exponent y)

phase :: RealFloat a => Complex a -> a
phase (x :+ y)
  | x == 0 && y == 0 = 0
  | otherwise        = atan2 y x

instance RealFloat a => Num (Complex a) where
  (x :+ y) + (x' :+ y') = (x + x') :+ (y + y')
  (x :+ y) - (x' :+ y') = (x - x') :+ (y - y')
  (x :+ y) * (x' :+ y') = (x * x' - y * y') :+ (x * y' + y * x')
  negate (x :+ y)       = negate x :+ negate y
  abs z                 = magnitude z :+ 0
  signum z@(x :+ y)
    | x == 0 && y == 0  = 0
    | otherwise         = let r = magnitude z in (x / r) :+ (y / r)
  fromInteger n         = fromInteger n :+ 0

instance RealFloat a => Fractional (Complex a) where
  (x :+ y) / w@(u :+ v) = ((x * a + y * b) / d) :+ ((y * a - x * b) / d)
    where
      e = negate (greaterExponent w)
      a = scaleFloat e u
      b = scaleFloat e v
      d = u * a + v * b
  fromRational q = fromRational q :+ 0

-- | A quarter turn, and back.
timesI, overI :: Num a => Complex a -> Complex a
timesI (x :+ y) = negate y :+ x
overI (x :+ y)  = y :+ negate x

-- Logarithm and root are the principal values; the rest is made of them and of
-- the real functions by the formulas of the textbooks.
instance RealFloat a => Floating (Complex a) where
  pi           = pi :+ 0
  exp (x :+ y) = let r = exp x in (r * cos y) :+ (r * sin y)
  log z        = log (magnitude z) :+ phase z
  z ** w@(u :+ v)
    | w == 0                                  = 1
    | z == 0                                  = limit (u > 0) (u < 0 && v == 0)
    | isInfinite (realPart z) || isInfinite (imagPart z) = limit (u < 0) (u > 0 && v == 0)
    | otherwise                               = exp (log z * w)
    where
      limit zero infinite
        | zero      = 0
        | infinite  = (1 / 0) :+ 0
        | otherwise = (0 / 0) :+ (0 / 0)
  sqrt z@(x :+ y)
    | x == 0 && y == 0 = 0
    | x < 0            = small :+ withSign large
    | otherwise        = large :+ withSign small
    where
      large      = sqrt ((magnitude z + abs x) / 2)
      small      = abs y / (large * 2)
      withSign t = if y < 0 then negate t else t
  sin (x :+ y)  = (sin x * cosh y) :+ (cos x * sinh y)
  cos (x :+ y)  = (cos x * cosh y) :+ negate (sin x * sinh y)
  tan z         = sin z / cos z
  sinh (x :+ y) = (cos y * sinh x) :+ (sin y * cosh x)
  cosh (x :+ y) = (cos y * cosh x) :+ (sin y * sinh x)
  tanh z        = sinh z / cosh z
  asin z        = overI (log (timesI z + sqrt (1 - z * z)))
  acos z        = overI (log (z + timesI (sqrt (1 - z * z))))
  atan z@(x :+ y) = overI (log (((1 - y) :+ x) / sqrt (1 + z * z)))
  asinh z       = log (z + sqrt (z * z + 1))
  acosh z       = log (z + sqrt (z + 1) * sqrt (z - 1))
  atanh z       = 0.5 * log ((1 + z) / (1 - z))

instance Functor Complex where
  fmap f (x :+ y) = f x :+ f y

instance Foldable Complex where
  foldMap f (x :+ y) = f x <> f y

instance Traversable Complex where
  traverse f (x :+ y) = (:+) <$> f x <*> f y

instance Applicative Complex where
  pure a = a :+ a
  (f :+ g) <*> (a :+ b) = f a :+ g b

instance Monad Complex where
  (a :+ b) >>= f = realPart (f a) :+ imagPart (f b)
