{-# LANGUAGE NoImplicitPrelude, BangPatterns #-}
-- | Integers as strings of bits.
module Data.Bits
  ( Bits(..), FiniteBits(..), bitDefault, testBitDefault, popCountDefault, toIntegralSized
  ) where

import Gadfly.Base

infixl 8 `shift`, `rotate`, `shiftL`, `shiftR`, `rotateL`, `rotateR`
infixl 7 .&.
infixl 6 `xor`
infixl 5 .|.

class Eq a => Bits a where
  (.&.), (.|.), xor :: a -> a -> a
  complement        :: a -> a
  shift, rotate     :: a -> Int -> a
  zeroBits          :: a
  bit               :: Int -> a
  setBit, clearBit, complementBit :: a -> Int -> a
  testBit           :: a -> Int -> Bool
  bitSizeMaybe      :: a -> Maybe Int
  bitSize           :: a -> Int
  isSigned          :: a -> Bool
  shiftL, unsafeShiftL, shiftR, unsafeShiftR, rotateL, rotateR :: a -> Int -> a
  popCount          :: a -> Int

  x `shift` i
    | i < 0     = x `shiftR` negate i
    | i > 0     = x `shiftL` i
    | otherwise = x
  x `rotate` i
    | i < 0     = x `rotateR` negate i
    | i > 0     = x `rotateL` i
    | otherwise = x
  zeroBits            = clearBit (bit 0) 0
  x `setBit` i        = x .|. bit i
  x `clearBit` i      = x .&. complement (bit i)
  x `complementBit` i = x `xor` bit i
  bitSize x           = case bitSizeMaybe x of
    Just n  -> n
    Nothing -> error "bitSize is undefined"
  x `shiftL` i        = x `shift` i
  x `unsafeShiftL` i  = x `shiftL` i
  x `shiftR` i        = x `shift` negate i
  x `unsafeShiftR` i  = x `shiftR` i
  x `rotateL` i       = x `rotate` i
  x `rotateR` i       = x `rotate` negate i

class Bits b => FiniteBits b where
  finiteBitSize      :: b -> Int
  countLeadingZeros  :: b -> Int
  countTrailingZeros :: b -> Int
  countLeadingZeros x = (w - 1) - go (w - 1)
    where go i | i < 0       = i
               | testBit x i = i
               | otherwise   = go (i - 1)
          w = finiteBitSize x
  countTrailingZeros x = go 0
    where go i | i >= w      = i
               | testBit x i = i
               | otherwise   = go (i + 1)
          w = finiteBitSize x

bitDefault :: (Bits a, Num a) => Int -> a
bitDefault i = 1 `shiftL` i

testBitDefault :: (Bits a, Num a) => a -> Int -> Bool
testBitDefault x i = (x .&. bit i) /= 0

popCountDefault :: (Bits a, Num a) => a -> Int
popCountDefault = go 0
  where go c w | w == 0    = c
               | otherwise = c `seq` go (c + 1) (w .&. (w - 1))

-- | Convert if the value fits.
toIntegralSized :: (Integral a, Integral b, Bits a, Bits b) => a -> Maybe b
toIntegralSized x
  | toInteger y == toInteger x = Just y
  | otherwise                  = Nothing
  where y = fromIntegral x

instance Bits Bool where
  (.&.)       = (&&)
  (.|.)       = (||)
  xor         = (/=)
  complement  = not
  shift x i   = if i == 0 then x else False
  rotate x _  = x
  bit i       = i == 0
  testBit x i = x && i == 0
  zeroBits    = False
  bitSizeMaybe _ = Just 1
  bitSize _   = 1
  isSigned _  = False
  popCount x  = if x then 1 else 0

instance FiniteBits Bool where
  finiteBitSize _      = 1
  countLeadingZeros x  = if x then 0 else 1
  countTrailingZeros x = if x then 0 else 1

instance Bits Int where
  (.&.)        = primIntAnd
  (.|.)        = primIntOr
  xor          = primIntXor
  complement n = primIntXor n (-1)
  shift n i
    | i >= 0    = shiftL n i
    | otherwise = shiftR n (negate i)
  shiftL n i
    | primIntLt i 0  = overflowError
    | primIntGe i 64 = 0
    | otherwise      = primIntShiftL n i
  unsafeShiftL = shiftL
  shiftR n i
    | primIntLt i 0  = overflowError
    | primIntGe i 64 = if primIntLt n 0 then -1 else 0
    | otherwise      = primIntShiftR n i
  unsafeShiftR = shiftR
  rotate n i
    | primIntEq k 0 = n
    | otherwise     = primIntOr (primIntShiftL n k) (primIntShiftRL n (64 - k))
    where k = primIntAnd i 63
  bit          = bitDefault
  testBit n i  = primIntGe i 0 && primIntLt i 64 && primIntNe (primIntAnd n (primIntShiftL 1 i)) 0
  zeroBits     = 0
  bitSizeMaybe _ = Just 64
  bitSize _    = 64
  isSigned _   = True
  popCount     = primIntPopCount

instance FiniteBits Int where
  finiteBitSize _    = 64
  countLeadingZeros  = primIntClz
  countTrailingZeros = primIntCtz

-- | An operation on the bits of an 'Int', used on those of a 'Word'.
onBits :: (Int -> Int) -> Word -> Word
onBits f w = primIntToWord (f (primWordToInt w))

instance Bits Word where
  a .&. b      = primIntToWord (primIntAnd (primWordToInt a) (primWordToInt b))
  a .|. b      = primIntToWord (primIntOr (primWordToInt a) (primWordToInt b))
  xor a b      = primIntToWord (primIntXor (primWordToInt a) (primWordToInt b))
  complement   = onBits complement
  shift n i
    | i >= 0    = shiftL n i
    | otherwise = shiftR n (negate i)
  shiftL n i   = onBits (\a -> shiftL a i) n
  shiftR n i
    | primIntLt i 0  = overflowError
    | primIntGe i 64 = 0
    | otherwise      = onBits (\a -> primIntShiftRL a i) n
  rotate n i   = onBits (\a -> rotate a i) n
  bit          = bitDefault
  testBit n i  = testBit (primWordToInt n) i
  zeroBits     = primIntToWord 0
  bitSizeMaybe _ = Just 64
  bitSize _    = 64
  isSigned _   = False
  popCount n   = primIntPopCount (primWordToInt n)

instance FiniteBits Word where
  finiteBitSize _      = 64
  countLeadingZeros n  = primIntClz (primWordToInt n)
  countTrailingZeros n = primIntCtz (primWordToInt n)

instance Bits Integer where
  (.&.)        = primIntegerAnd
  (.|.)        = primIntegerOr
  xor          = primIntegerXor
  complement n = -1 - n
  shift n i
    | i >= 0    = primIntegerShiftL n i
    | otherwise = primIntegerShiftR n (negate i)
  shiftL n i
    | i < 0     = overflowError
    | otherwise = primIntegerShiftL n i
  shiftR n i
    | i < 0     = overflowError
    | otherwise = primIntegerShiftR n i
  rotate       = shift
  bit i        = primIntegerShiftL 1 i
  testBit n i
    | i < 0     = overflowError
    | otherwise = primIntegerEq (primIntegerAnd (primIntegerShiftR n i) 1) 1
  zeroBits     = 0
  bitSizeMaybe _ = Nothing
  bitSize _    = errorWithoutStackTrace "Data.Bits.bitSize(Integer)"
  isSigned _   = True
  -- A negative number has infinitely many ones: count those of its opposite.
  popCount n
    | n < 0     = negate (count 0 (negate n))
    | otherwise = count 0 n
    where count c m
            | m == 0    = c
            | otherwise = let !c' = c + primIntPopCount (primIntegerToInt (primIntegerAnd m 9223372036854775807))
                          in count c' (primIntegerShiftR m 63)
