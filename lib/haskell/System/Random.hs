{-# LANGUAGE BangPatterns #-}
-- | Random numbers.
--
-- The generator is SplitMix (Steele, Lea and Flood, Fast splittable
-- pseudorandom number generators, 2014).  Its numbers are not those of the
-- package @random@, and the global generator always starts from the same seed:
-- a run can be repeated, which is what a debugger needs.
module System.Random
  ( RandomGen(..), StdGen, mkStdGen, initStdGen
  , Random(..), Uniform(..), UniformRange(..), uniform, uniformR
  , getStdGen, setStdGen, newStdGen, getStdRandom, randomIO, randomRIO
  ) where

import Data.Bits (shiftL, shiftR, xor, (.&.), (.|.))
import Data.Char (chr, ord)
import Data.Int (Int8, Int16, Int32, Int64)
import Data.IORef
import Data.Word (Word8, Word16, Word32, Word64)
import System.IO.Unsafe (unsafePerformIO)

-- * Generators

class RandomGen g where
  next       :: g -> (Int, g)
  genWord64  :: g -> (Word64, g)
  genWord32  :: g -> (Word32, g)
  genRange   :: g -> (Int, Int)
  split      :: g -> (g, g)

  next g      = case genWord64 g of (w, g') -> (fromIntegral w, g')
  genWord64 g = case next g of
    (a, g') -> case next g' of
      (b, g'') -> ((fromIntegral a `shiftL` 32) `xor` fromIntegral b, g'')
  genWord32 g = case genWord64 g of (w, g') -> (fromIntegral (w `shiftR` 32), g')
  genRange _  = (minBound, maxBound)

-- | A state and the odd number that it grows by.
data StdGen = StdGen !Word64 !Word64
  deriving (Eq)

instance Show StdGen where
  showsPrec d (StdGen s g) = showParen (d > 10)
    (showString "StdGen " . showsPrec 11 s . showChar ' ' . showsPrec 11 g)

instance RandomGen StdGen where
  genWord64 (StdGen s g) = let !s' = s + g in (scramble s', StdGen s' g)
  split (StdGen s g) =
    let !s'  = s + g
        !s'' = s' + g
    in (StdGen s'' g, StdGen (scramble s') (increment s''))

scramble, increment :: Word64 -> Word64
scramble z0 = z2 `xor` (z2 `shiftR` 31)
  where
    z1 = (z0 `xor` (z0 `shiftR` 30)) * 0xbf58476d1ce4e5b9
    z2 = (z1 `xor` (z1 `shiftR` 27)) * 0x94d049bb133111eb
increment z0 = (z2 `xor` (z2 `shiftR` 33)) .|. 1
  where
    z1 = (z0 `xor` (z0 `shiftR` 33)) * 0xff51afd7ed558ccd
    z2 = (z1 `xor` (z1 `shiftR` 33)) * 0xc4ceb9fe1a85ec53

mkStdGen :: Int -> StdGen
mkStdGen n = StdGen (scramble w) (increment (w + 0x9e3779b97f4a7c15))
  where w = fromIntegral n

initStdGen :: IO StdGen
initStdGen = newStdGen

-- * Values

-- | A whole number between two others, which are in order: enough bits, and
-- again if they are too many.
integerBetween :: RandomGen g => Integer -> Integer -> g -> (Integer, g)
integerBetween low high g0
  | range == 1 = (low, g0)
  | otherwise  = attempt g0
  where
    range   = high - low + 1
    blocks  = length (takeWhile (< range) (iterate (* 18446744073709551616) 1))
    limit   = 18446744073709551616 ^ blocks
    -- Numbers from here on would make the lower ones likelier.
    usable  = limit - limit `mod` range
    attempt g = case draw blocks 0 g of
      (n, g') | n < usable -> (low + n `mod` range, g')
              | otherwise  -> attempt g'
    draw :: RandomGen g => Int -> Integer -> g -> (Integer, g)
    draw k acc g
      | k == 0    = (acc, g)
      | otherwise = case genWord64 g of
          (w, g') -> let !acc' = acc * 18446744073709551616 + toInteger w in draw (k - 1) acc' g'

integralBetween :: (RandomGen g, Integral a) => (a, a) -> g -> (a, g)
integralBetween (a, b) g = case integerBetween (min x y) (max x y) g of (n, g') -> (fromInteger n, g')
  where
    x = toInteger a
    y = toInteger b

-- | A fraction from zero up to but not one, with 53 bits.
fraction :: RandomGen g => g -> (Double, g)
fraction g = case genWord64 g of
  (w, g') -> (fromIntegral (w `shiftR` 11) / 9007199254740992, g')

class Random a where
  randomR  :: RandomGen g => (a, a) -> g -> (a, g)
  random   :: RandomGen g => g -> (a, g)
  randomRs :: RandomGen g => (a, a) -> g -> [a]
  randoms  :: RandomGen g => g -> [a]
  randomRs range g = case randomR range g of (x, g') -> x : randomRs range g'
  randoms g        = case random g of (x, g') -> x : randoms g'

instance Random Int     where { randomR = integralBetween; random = integralBetween (minBound, maxBound) }
instance Random Int8    where { randomR = integralBetween; random = integralBetween (minBound, maxBound) }
instance Random Int16   where { randomR = integralBetween; random = integralBetween (minBound, maxBound) }
instance Random Int32   where { randomR = integralBetween; random = integralBetween (minBound, maxBound) }
instance Random Int64   where { randomR = integralBetween; random = integralBetween (minBound, maxBound) }
instance Random Word    where { randomR = integralBetween; random = integralBetween (minBound, maxBound) }
instance Random Word8   where { randomR = integralBetween; random = integralBetween (minBound, maxBound) }
instance Random Word16  where { randomR = integralBetween; random = integralBetween (minBound, maxBound) }
instance Random Word32  where { randomR = integralBetween; random = integralBetween (minBound, maxBound) }
instance Random Word64  where { randomR = integralBetween; random = integralBetween (minBound, maxBound) }

instance Random Integer where
  randomR = integralBetween
  random g = case random g of (n, g') -> (toInteger (n :: Int), g')

instance Random Char where
  randomR (a, b) g = case integralBetween (ord a, ord b) g of (n, g') -> (chr n, g')
  random           = randomR (minBound, maxBound)

instance Random Bool where
  randomR (a, b) g = case integralBetween (fromEnum a, fromEnum b) g of (n, g') -> (toEnum n, g')
  random           = randomR (False, True)

instance Random Double where
  randomR (a, b) g = case fraction g of (x, g') -> (a + x * (b - a), g')
  random           = fraction

instance Random Float where
  randomR (a, b) g = case random g of (x, g') -> (a + x * (b - a), g')
  random g         = case genWord64 g of
    (w, g') -> (fromIntegral (w `shiftR` 40) / 16777216, g')

instance (Random a, Random b) => Random (a, b) where
  randomR ((a, b), (c, d)) g = case randomR (a, c) g of
    (x, g') -> case randomR (b, d) g' of (y, g'') -> ((x, y), g'')
  random g = case random g of
    (x, g') -> case random g' of (y, g'') -> ((x, y), g'')

-- | Types with a value for every draw; here they are those of 'Random'.
class Random a => Uniform a
class Random a => UniformRange a

instance Uniform Int
instance Uniform Word
instance Uniform Bool
instance Uniform Char
instance Uniform Int8
instance Uniform Int16
instance Uniform Int32
instance Uniform Int64
instance Uniform Word8
instance Uniform Word16
instance Uniform Word32
instance Uniform Word64
instance UniformRange Int
instance UniformRange Word
instance UniformRange Bool
instance UniformRange Char
instance UniformRange Integer
instance UniformRange Double
instance UniformRange Float
instance UniformRange Int8
instance UniformRange Int16
instance UniformRange Int32
instance UniformRange Int64
instance UniformRange Word8
instance UniformRange Word16
instance UniformRange Word32
instance UniformRange Word64

uniform :: (RandomGen g, Uniform a) => g -> (a, g)
uniform = random

uniformR :: (RandomGen g, UniformRange a) => (a, a) -> g -> (a, g)
uniformR = randomR

-- * The global generator

theGen :: IORef StdGen
theGen = unsafePerformIO (newIORef (mkStdGen 0))

getStdGen :: IO StdGen
getStdGen = readIORef theGen

setStdGen :: StdGen -> IO ()
setStdGen = writeIORef theGen

newStdGen :: IO StdGen
newStdGen = getStdRandom split

getStdRandom :: (StdGen -> (a, StdGen)) -> IO a
getStdRandom f = do
  g <- getStdGen
  let (x, g') = f g
  setStdGen g'
  return x

randomIO :: Random a => IO a
randomIO = getStdRandom random

randomRIO :: Random a => (a, a) -> IO a
randomRIO range = getStdRandom (randomR range)
