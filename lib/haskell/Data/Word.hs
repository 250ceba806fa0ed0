{-# LANGUAGE NoImplicitPrelude #-}
-- | Unsigned integers of fixed width: the narrow ones kept in an 'Int', the
-- widest in a 'Word'.
module Data.Word (Word, Word8, Word16, Word32, Word64, byteSwap16, byteSwap32, byteSwap64) where

import Gadfly.Base
import Data.Bits

-- Keep the low bits of a result.
narrow8, narrow16, narrow32 :: Int -> Int
narrow8 n  = primIntAnd n 255
narrow16 n = primIntAnd n 65535
narrow32 n = primIntAnd n 4294967295

byteSwap16 :: Word16 -> Word16
byteSwap16 w = rotate w 8

byteSwap32 :: Word32 -> Word32
byteSwap32 w = shiftL (swapHalf w) 16 .|. swapHalf (shiftR w 16)
  where swapHalf v = shiftL (v .&. 255) 8 .|. (shiftR v 8 .&. 255)

byteSwap64 :: Word64 -> Word64
byteSwap64 w = foldr (\i acc -> shiftL acc 8 .|. (shiftR w (8 * i) .&. 255)) 0 [7, 6, 5, 4, 3, 2, 1, 0]

newtype Word8 = W8 Int
  deriving (Eq, Ord)

instance Show Word8 where
  showsPrec d (W8 a) = showsPrec d a

instance Read Word8 where
  readsPrec d s = [(fromInteger n, t) | (n, t) <- readsPrec d s]

instance Bounded Word8 where
  minBound = W8 0
  maxBound = W8 255

instance Num Word8 where
  W8 a + W8 b     = W8 (narrow8 (a + b))
  W8 a - W8 b     = W8 (narrow8 (a - b))
  W8 a * W8 b     = W8 (narrow8 (a * b))
  negate (W8 a)   = W8 (narrow8 (negate a))
  abs (W8 a)      = W8 (narrow8 (abs a))
  signum (W8 a)   = W8 (signum a)
  fromInteger n   = W8 (narrow8 (fromInteger n))

instance Real Word8 where
  toRational (W8 a) = toRational a

instance Enum Word8 where
  succ x
    | x == maxBound = succError "Word8"
    | otherwise     = x + 1
  pred x
    | x == minBound = predError "Word8"
    | otherwise     = x - 1
  toEnum i
    | narrow8 i == i = W8 i
    | otherwise       = toEnumError "Word8" i (minBound :: Word8, maxBound :: Word8)
  fromEnum (W8 a)      = a
  enumFrom             = boundedEnumFrom
  enumFromThen         = boundedEnumFromThen

instance Integral Word8 where
  quot (W8 a) (W8 b)    = W8 (quot a b)
  rem (W8 a) (W8 b)     = W8 (rem a b)
  div (W8 a) (W8 b)     = W8 (div a b)
  mod (W8 a) (W8 b)     = W8 (mod a b)
  quotRem x y           = (quot x y, rem x y)
  divMod x y            = (div x y, mod x y)
  toInteger (W8 a)      = toInteger a

instance Ix Word8 where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = fromEnum (i - m)
  inRange (m, n) i     = m <= i && i <= n

instance Bits Word8 where
  W8 a .&. W8 b         = W8 (a .&. b)
  W8 a .|. W8 b         = W8 (a .|. b)
  xor (W8 a) (W8 b)     = W8 (xor a b)
  complement (W8 a)     = W8 (narrow8 (complement a))
  shift x i
    | i >= 0    = shiftL x i
    | otherwise = shiftR x (negate i)
  shiftL (W8 a) i       = W8 (narrow8 (shiftL a i))
  shiftR (W8 a) i       = W8 (shiftR a i)
  rotate (W8 a) i       = W8 (narrow8 (primIntOr (primIntShiftL u k) (primIntShiftRL u (8 - k))))
    where k = primIntMod i 8
          u = primIntAnd a 255
  popCount (W8 a)       = primIntPopCount (primIntAnd a 255)
  bit                   = bitDefault
  testBit (W8 a) i      = i < 8 && testBit a i
  zeroBits              = W8 0
  bitSizeMaybe _        = Just 8
  bitSize _             = 8
  isSigned _            = False

instance FiniteBits Word8 where
  finiteBitSize _            = 8
  countLeadingZeros (W8 a)   = primIntClz (primIntAnd a 255) - 56
  countTrailingZeros (W8 a)  = min 8 (primIntCtz a)

newtype Word16 = W16 Int
  deriving (Eq, Ord)

instance Show Word16 where
  showsPrec d (W16 a) = showsPrec d a

instance Read Word16 where
  readsPrec d s = [(fromInteger n, t) | (n, t) <- readsPrec d s]

instance Bounded Word16 where
  minBound = W16 0
  maxBound = W16 65535

instance Num Word16 where
  W16 a + W16 b     = W16 (narrow16 (a + b))
  W16 a - W16 b     = W16 (narrow16 (a - b))
  W16 a * W16 b     = W16 (narrow16 (a * b))
  negate (W16 a)   = W16 (narrow16 (negate a))
  abs (W16 a)      = W16 (narrow16 (abs a))
  signum (W16 a)   = W16 (signum a)
  fromInteger n   = W16 (narrow16 (fromInteger n))

instance Real Word16 where
  toRational (W16 a) = toRational a

instance Enum Word16 where
  succ x
    | x == maxBound = succError "Word16"
    | otherwise     = x + 1
  pred x
    | x == minBound = predError "Word16"
    | otherwise     = x - 1
  toEnum i
    | narrow16 i == i = W16 i
    | otherwise       = toEnumError "Word16" i (minBound :: Word16, maxBound :: Word16)
  fromEnum (W16 a)      = a
  enumFrom             = boundedEnumFrom
  enumFromThen         = boundedEnumFromThen

instance Integral Word16 where
  quot (W16 a) (W16 b)    = W16 (quot a b)
  rem (W16 a) (W16 b)     = W16 (rem a b)
  div (W16 a) (W16 b)     = W16 (div a b)
  mod (W16 a) (W16 b)     = W16 (mod a b)
  quotRem x y           = (quot x y, rem x y)
  divMod x y            = (div x y, mod x y)
  toInteger (W16 a)      = toInteger a

instance Ix Word16 where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = fromEnum (i - m)
  inRange (m, n) i     = m <= i && i <= n

instance Bits Word16 where
  W16 a .&. W16 b         = W16 (a .&. b)
  W16 a .|. W16 b         = W16 (a .|. b)
  xor (W16 a) (W16 b)     = W16 (xor a b)
  complement (W16 a)     = W16 (narrow16 (complement a))
  shift x i
    | i >= 0    = shiftL x i
    | otherwise = shiftR x (negate i)
  shiftL (W16 a) i       = W16 (narrow16 (shiftL a i))
  shiftR (W16 a) i       = W16 (shiftR a i)
  rotate (W16 a) i       = W16 (narrow16 (primIntOr (primIntShiftL u k) (primIntShiftRL u (16 - k))))
    where k = primIntMod i 16
          u = primIntAnd a 65535
  popCount (W16 a)       = primIntPopCount (primIntAnd a 65535)
  bit                   = bitDefault
  testBit (W16 a) i      = i < 16 && testBit a i
  zeroBits              = W16 0
  bitSizeMaybe _        = Just 16
  bitSize _             = 16
  isSigned _            = False

instance FiniteBits Word16 where
  finiteBitSize _            = 16
  countLeadingZeros (W16 a)   = primIntClz (primIntAnd a 65535) - 48
  countTrailingZeros (W16 a)  = min 16 (primIntCtz a)

newtype Word32 = W32 Int
  deriving (Eq, Ord)

instance Show Word32 where
  showsPrec d (W32 a) = showsPrec d a

instance Read Word32 where
  readsPrec d s = [(fromInteger n, t) | (n, t) <- readsPrec d s]

instance Bounded Word32 where
  minBound = W32 0
  maxBound = W32 4294967295

instance Num Word32 where
  W32 a + W32 b     = W32 (narrow32 (a + b))
  W32 a - W32 b     = W32 (narrow32 (a - b))
  W32 a * W32 b     = W32 (narrow32 (a * b))
  negate (W32 a)   = W32 (narrow32 (negate a))
  abs (W32 a)      = W32 (narrow32 (abs a))
  signum (W32 a)   = W32 (signum a)
  fromInteger n   = W32 (narrow32 (fromInteger n))

instance Real Word32 where
  toRational (W32 a) = toRational a

instance Enum Word32 where
  succ x
    | x == maxBound = succError "Word32"
    | otherwise     = x + 1
  pred x
    | x == minBound = predError "Word32"
    | otherwise     = x - 1
  toEnum i
    | narrow32 i == i = W32 i
    | otherwise       = toEnumError "Word32" i (minBound :: Word32, maxBound :: Word32)
  fromEnum (W32 a)      = a
  enumFrom             = boundedEnumFrom
  enumFromThen         = boundedEnumFromThen

instance Integral Word32 where
  quot (W32 a) (W32 b)    = W32 (quot a b)
  rem (W32 a) (W32 b)     = W32 (rem a b)
  div (W32 a) (W32 b)     = W32 (div a b)
  mod (W32 a) (W32 b)     = W32 (mod a b)
  quotRem x y           = (quot x y, rem x y)
  divMod x y            = (div x y, mod x y)
  toInteger (W32 a)      = toInteger a

instance Ix Word32 where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = fromEnum (i - m)
  inRange (m, n) i     = m <= i && i <= n

instance Bits Word32 where
  W32 a .&. W32 b         = W32 (a .&. b)
  W32 a .|. W32 b         = W32 (a .|. b)
  xor (W32 a) (W32 b)     = W32 (xor a b)
  complement (W32 a)     = W32 (narrow32 (complement a))
  shift x i
    | i >= 0    = shiftL x i
    | otherwise = shiftR x (negate i)
  shiftL (W32 a) i       = W32 (narrow32 (shiftL a i))
  shiftR (W32 a) i       = W32 (shiftR a i)
  rotate (W32 a) i       = W32 (narrow32 (primIntOr (primIntShiftL u k) (primIntShiftRL u (32 - k))))
    where k = primIntMod i 32
          u = primIntAnd a 4294967295
  popCount (W32 a)       = primIntPopCount (primIntAnd a 4294967295)
  bit                   = bitDefault
  testBit (W32 a) i      = i < 32 && testBit a i
  zeroBits              = W32 0
  bitSizeMaybe _        = Just 32
  bitSize _             = 32
  isSigned _            = False

instance FiniteBits Word32 where
  finiteBitSize _            = 32
  countLeadingZeros (W32 a)   = primIntClz (primIntAnd a 4294967295) - 32
  countTrailingZeros (W32 a)  = min 32 (primIntCtz a)

newtype Word64 = W64 Word
  deriving (Eq, Ord)

instance Show Word64 where
  showsPrec d (W64 a) = showsPrec d a

instance Read Word64 where
  readsPrec d s = [(fromInteger n, t) | (n, t) <- readsPrec d s]

instance Bounded Word64 where
  minBound = W64 0
  maxBound = W64 18446744073709551615

instance Num Word64 where
  W64 a + W64 b     = W64 (a + b)
  W64 a - W64 b     = W64 (a - b)
  W64 a * W64 b     = W64 (a * b)
  negate (W64 a)   = W64 (negate a)
  abs (W64 a)      = W64 (abs a)
  signum (W64 a)   = W64 (signum a)
  fromInteger n   = W64 (fromInteger n)

instance Real Word64 where
  toRational (W64 a) = toRational a

instance Enum Word64 where
  succ x
    | x == maxBound = succError "Word64"
    | otherwise     = x + 1
  pred x
    | x == minBound = predError "Word64"
    | otherwise     = x - 1
  toEnum i
    | i >= 0    = W64 (primIntToWord i)
    | otherwise = toEnumError "Word64" i (minBound :: Word64, maxBound :: Word64)
  fromEnum x@(W64 a)
    | primIntGe (primWordToInt a) 0 = primWordToInt a
    | otherwise                     = fromEnumError "Word64" x
  enumFrom (W64 a)                    = map W64 (enumFrom a)
  enumFromThen (W64 a) (W64 b)         = map W64 (enumFromThen a b)
  enumFromTo (W64 a) (W64 b)           = map W64 (enumFromTo a b)
  enumFromThenTo (W64 a) (W64 b) (W64 c) = map W64 (enumFromThenTo a b c)

instance Integral Word64 where
  quot (W64 a) (W64 b)    = W64 (quot a b)
  rem (W64 a) (W64 b)     = W64 (rem a b)
  div (W64 a) (W64 b)     = W64 (div a b)
  mod (W64 a) (W64 b)     = W64 (mod a b)
  quotRem x y           = (quot x y, rem x y)
  divMod x y            = (div x y, mod x y)
  toInteger (W64 a)      = toInteger a

instance Ix Word64 where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = fromEnum (i - m)
  inRange (m, n) i     = m <= i && i <= n

instance Bits Word64 where
  W64 a .&. W64 b         = W64 (a .&. b)
  W64 a .|. W64 b         = W64 (a .|. b)
  xor (W64 a) (W64 b)     = W64 (xor a b)
  complement (W64 a)     = W64 (complement a)
  shift x i
    | i >= 0    = shiftL x i
    | otherwise = shiftR x (negate i)
  shiftL (W64 a) i       = W64 (shiftL a i)
  shiftR (W64 a) i       = W64 (shiftR a i)
  rotate (W64 a) i       = W64 (rotate a i)
  popCount (W64 a)       = popCount a
  bit                   = bitDefault
  testBit (W64 a) i      = i < 64 && testBit a i
  zeroBits              = W64 0
  bitSizeMaybe _        = Just 64
  bitSize _             = 64
  isSigned _            = False

instance FiniteBits Word64 where
  finiteBitSize _            = 64
  countLeadingZeros (W64 a)   = countLeadingZeros a
  countTrailingZeros (W64 a)  = countTrailingZeros a
