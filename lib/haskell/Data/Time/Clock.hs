-- | The time of day, as much of it as measuring programs use.
module Data.Time.Clock
  ( UTCTime, NominalDiffTime, DiffTime, getCurrentTime, diffUTCTime, addUTCTime, nominalDiffTimeToSeconds
  ) where

import Data.Ratio ((%))
import Gadfly.Base (primWallTime)

-- | Nanoseconds since the beginning of 1970.
newtype UTCTime = UTCTime Integer
  deriving (Eq, Ord)

-- | A length of time in nanoseconds; as a number it counts seconds.
newtype NominalDiffTime = NominalDiffTime Integer
  deriving (Eq, Ord)

type DiffTime = NominalDiffTime

getCurrentTime :: IO UTCTime
getCurrentTime = fmap UTCTime primWallTime

diffUTCTime :: UTCTime -> UTCTime -> NominalDiffTime
diffUTCTime (UTCTime a) (UTCTime b) = NominalDiffTime (a - b)

addUTCTime :: NominalDiffTime -> UTCTime -> UTCTime
addUTCTime (NominalDiffTime d) (UTCTime t) = UTCTime (t + d)

nominalDiffTimeToSeconds :: NominalDiffTime -> Rational
nominalDiffTimeToSeconds = toRational

second :: Integer
second = 1000000000

instance Show NominalDiffTime where
  showsPrec d (NominalDiffTime n)
    | n < 0     = showParen (d > 6) (showChar '-' . decimal (negate n) . showChar 's')
    | otherwise = decimal n . showChar 's'

-- | Seconds with as many decimals as are needed.
decimal :: Integer -> ShowS
decimal n = case quotRem n second of
  (s, 0) -> shows s
  (s, f) -> shows s . showChar '.' . showString (trim (drop 1 (show (second + f))))
  where trim = reverse . dropWhile (== '0') . reverse

instance Num NominalDiffTime where
  NominalDiffTime a + NominalDiffTime b = NominalDiffTime (a + b)
  NominalDiffTime a - NominalDiffTime b = NominalDiffTime (a - b)
  NominalDiffTime a * NominalDiffTime b = NominalDiffTime (a * b `div` second)
  negate (NominalDiffTime a)            = NominalDiffTime (negate a)
  abs (NominalDiffTime a)               = NominalDiffTime (abs a)
  signum (NominalDiffTime a)            = NominalDiffTime (signum a * second)
  fromInteger n                         = NominalDiffTime (n * second)

instance Fractional NominalDiffTime where
  NominalDiffTime a / NominalDiffTime b = NominalDiffTime (a * second `div` b)
  fromRational r                        = NominalDiffTime (floor (r * toRational second))

instance Real NominalDiffTime where
  toRational (NominalDiffTime a) = a % second

instance RealFrac NominalDiffTime where
  properFraction (NominalDiffTime a) = case quotRem a second of
    (q, r) -> (fromInteger q, NominalDiffTime r)

instance Show UTCTime where
  showsPrec _ (UTCTime t) =
    shows y . showChar '-' . two m . showChar '-' . two d . showChar ' ' .
    two (s `div` 3600) . showChar ':' . two (s `div` 60 `mod` 60) . showChar ':' .
    two (s `mod` 60) . fraction . showString " UTC"
    where
      (days, ns) = divMod t (86400 * second)
      (s, f)     = divMod ns second
      (y, m, d)  = civil days
      fraction   = if f == 0 then id else drop' (decimal f)
      drop' g r  = drop 1 (g r)
      two n      = if n < 10 then showChar '0' . shows n else shows n

-- | Year, month and day from the number of days since 1970-01-01.
civil :: Integer -> (Integer, Integer, Integer)
civil days = (if m <= 2 then y + 1 else y, m, d)
  where
    z          = days + 719468
    (era, doe) = divMod z 146097
    yoe        = (doe - doe `div` 1460 + doe `div` 36524 - doe `div` 146096) `div` 365
    y          = yoe + era * 400
    doy        = doe - (365 * yoe + yoe `div` 4 - yoe `div` 100)
    mp         = (5 * doy + 2) `div` 153
    d          = doy - (153 * mp + 2) `div` 5 + 1
    m          = if mp < 10 then mp + 3 else mp - 9
