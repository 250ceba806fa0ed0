{-# LANGUAGE NoImplicitPrelude #-}
-- | Signed integers of fixed width, kept in an 'Int' with the sign extended.
module Data.Int (Int, Int8, Int16, Int32, Int64) where

import Gadfly.Base
import Data.Bits

-- Keep the low bits of a result, with the sign of the highest of them.
narrow8, narrow16, narrow32 :: Int -> Int
narrow8 n  = primIntShiftR (primIntShiftL n 56) 56
narrow16 n = primIntShiftR (primIntShiftL n 48) 48
narrow32 n = primIntShiftR (primIntShiftL n 32) 32

-- A quotient that does not fit: the least number divided by minus one.
inRange8, inRange16, inRange32 :: Int -> Int
inRange8 n  = if narrow8 n == n then n else overflowError
inRange16 n = if narrow16 n == n then n else overflowError
inRange32 n = if narrow32 n == n then n else overflowError

newtype Int8 = I8 Int
  deriving (Eq, Ord)

instance Show Int8 where
  showsPrec d (I8 a) = showsPrec d a

instance Read Int8 where
  readsPrec d s = [(fromInteger n, t) | (n, t) <- readsPrec d s]

instance Bounded Int8 where
  minBound = I8 (-128)
  maxBound = I8 127

instance Num Int8 where
  I8 a + I8 b     = I8 (narrow8 (a + b))
  I8 a - I8 b     = I8 (narrow8 (a - b))
  I8 a * I8 b     = I8 (narrow8 (a * b))
  negate (I8 a)   = I8 (narrow8 (negate a))
  abs (I8 a)      = I8 (narrow8 (abs a))
  signum (I8 a)   = I8 (signum a)
  fromInteger n   = I8 (narrow8 (fromInteger n))

instance Real Int8 where
  toRational (I8 a) = toRational a

instance Enum Int8 where
  succ x
    | x == maxBound = succError "Int8"
    | otherwise     = x + 1
  pred x
    | x == minBound = predError "Int8"
    | otherwise     = x - 1
  toEnum i
    | narrow8 i == i = I8 i
    | otherwise       = toEnumError "Int8" i (minBound :: Int8, maxBound :: Int8)
  fromEnum (I8 a)      = a
  enumFrom             = boundedEnumFrom
  enumFromThen         = boundedEnumFromThen

instance Integral Int8 where
  quot (I8 a) (I8 b)    = I8 (inRange8 (quot a b))
  rem (I8 a) (I8 b)     = I8 (rem a b)
  div (I8 a) (I8 b)     = I8 (inRange8 (div a b))
  mod (I8 a) (I8 b)     = I8 (mod a b)
  quotRem x y           = (quot x y, rem x y)
  divMod x y            = (div x y, mod x y)
  toInteger (I8 a)      = toInteger a

instance Ix Int8 where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = fromEnum (i - m)
  inRange (m, n) i     = m <= i && i <= n

instance Bits Int8 where
  I8 a .&. I8 b         = I8 (a .&. b)
  I8 a .|. I8 b         = I8 (a .|. b)
  xor (I8 a) (I8 b)     = I8 (xor a b)
  complement (I8 a)     = I8 (narrow8 (complement a))
  shift x i
    | i >= 0    = shiftL x i
    | otherwise = shiftR x (negate i)
  shiftL (I8 a) i       = I8 (narrow8 (shiftL a i))
  shiftR (I8 a) i       = I8 (shiftR a i)
  rotate (I8 a) i       = I8 (narrow8 (primIntOr (primIntShiftL u k) (primIntShiftRL u (8 - k))))
    where k = primIntMod i 8
          u = primIntAnd a 255
  popCount (I8 a)       = primIntPopCount (primIntAnd a 255)
  bit                   = bitDefault
  testBit (I8 a) i      = i < 8 && testBit a i
  zeroBits              = I8 0
  bitSizeMaybe _        = Just 8
  bitSize _             = 8
  isSigned _            = True

instance FiniteBits Int8 where
  finiteBitSize _            = 8
  countLeadingZeros (I8 a)   = primIntClz (primIntAnd a 255) - 56
  countTrailingZeros (I8 a)  = min 8 (primIntCtz a)

newtype Int16 = I16 Int
  deriving (Eq, Ord)

instance Show Int16 where
  showsPrec d (I16 a) = showsPrec d a

instance Read Int16 where
  readsPrec d s = [(fromInteger n, t) | (n, t) <- readsPrec d s]

instance Bounded Int16 where
  minBound = I16 (-32768)
  maxBound = I16 32767

instance Num Int16 where
  I16 a + I16 b     = I16 (narrow16 (a + b))
  I16 a - I16 b     = I16 (narrow16 (a - b))
  I16 a * I16 b     = I16 (narrow16 (a * b))
  negate (I16 a)   = I16 (narrow16 (negate a))
  abs (I16 a)      = I16 (narrow16 (abs a))
  signum (I16 a)   = I16 (signum a)
  fromInteger n   = I16 (narrow16 (fromInteger n))

instance Real Int16 where
  toRational (I16 a) = toRational a

instance Enum Int16 where
  succ x
    | x == maxBound = succError "Int16"
    | otherwise     = x + 1
  pred x
    | x == minBound = predError "Int16"
    | otherwise     = x - 1
  toEnum i
    | narrow16 i == i = I16 i
    | otherwise       = toEnumError "Int16" i (minBound :: Int16, maxBound :: Int16)
  fromEnum (I16 a)      = a
  enumFrom             = boundedEnumFrom
  enumFromThen         = boundedEnumFromThen

instance Integral Int16 where
  quot (I16 a) (I16 b)    = I16 (inRange16 (quot a b))
  rem (I16 a) (I16 b)     = I16 (rem a b)
  div (I16 a) (I16 b)     = I16 (inRange16 (div a b))
  mod (I16 a) (I16 b)     = I16 (mod a b)
  quotRem x y           = (quot x y, rem x y)
  divMod x y            = (div x y, mod x y)
  toInteger (I16 a)      = toInteger a

instance Ix Int16 where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = fromEnum (i - m)
  inRange (m, n) i     = m <= i && i <= n

instance Bits Int16 where
  I16 a .&. I16 b         = I16 (a .&. b)
  I16 a .|. I16 b         = I16 (a .|. b)
  xor (I16 a) (I16 b)     = I16 (xor a b)
  complement (I16 a)     = I16 (narrow16 (complement a))
  shift x i
    | i >= 0    = shiftL x i
    | otherwise = shiftR x (negate i)
  shiftL (I16 a) i       = I16 (narrow16 (shiftL a i))
  shiftR (I16 a) i       = I16 (shiftR a i)
  rotate (I16 a) i       = I16 (narrow16 (primIntOr (primIntShiftL u k) (primIntShiftRL u (16 - k))))
    where k = primIntMod i 16
          u = primIntAnd a 65535
  popCount (I16 a)       = primIntPopCount (primIntAnd a 65535)
  bit                   = bitDefault
  testBit (I16 a) i      = i < 16 && testBit a i
  zeroBits              = I16 0
  bitSizeMaybe _        = Just 16
  bitSize _             = 16
  isSigned _            = True

instance FiniteBits Int16 where
  finiteBitSize _            = 16
  countLeadingZeros (I16 a)   = primIntClz (primIntAnd a 65535) - 48
  countTrailingZeros (I16 a)  = min 16 (primIntCtz a)

newtype Int32 = I32 Int
  deriving (Eq, Ord)

instance Show Int32 where
  showsPrec d (I32 a) = showsPrec d a

instance Read Int32 where
  readsPrec d s = [(fromInteger n, t) | (n, t) <- readsPrec d s]

instance Bounded Int32 where
  minBound = I32 (-2147483648)
  maxBound = I32 2147483647

instance Num Int32 where
  I32 a + I32 b     = I32 (narrow32 (a + b))
  I32 a - I32 b     = I32 (narrow32 (a - b))
  I32 a * I32 b     = I32 (narrow32 (a * b))
  negate (I32 a)   = I32 (narrow32 (negate a))
  abs (I32 a)      = I32 (narrow32 (abs a))
  signum (I32 a)   = I32 (signum a)
  fromInteger n   = I32 (narrow32 (fromInteger n))

instance Real Int32 where
  toRational (I32 a) = toRational a

instance Enum Int32 where
  succ x
    | x == maxBound = succError "Int32"
    | otherwise     = x + 1
  pred x
    | x == minBound = predError "Int32"
    | otherwise     = x - 1
  toEnum i
    | narrow32 i == i = I32 i
    | otherwise       = toEnumError "Int32" i (minBound :: Int32, maxBound :: Int32)
  fromEnum (I32 a)      = a
  enumFrom             = boundedEnumFrom
  enumFromThen         = boundedEnumFromThen

instance Integral Int32 where
  quot (I32 a) (I32 b)    = I32 (inRange32 (quot a b))
  rem (I32 a) (I32 b)     = I32 (rem a b)
  div (I32 a) (I32 b)     = I32 (inRange32 (div a b))
  mod (I32 a) (I32 b)     = I32 (mod a b)
  quotRem x y           = (quot x y, rem x y)
  divMod x y            = (div x y, mod x y)
  toInteger (I32 a)      = toInteger a

instance Ix Int32 where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = fromEnum (i - m)
  inRange (m, n) i     = m <= i && i <= n

instance Bits Int32 where
  I32 a .&. I32 b         = I32 (a .&. b)
  I32 a .|. I32 b         = I32 (a .|. b)
  xor (I32 a) (I32 b)     = I32 (xor a b)
  complement (I32 a)     = I32 (narrow32 (complement a))
  shift x i
    | i >= 0    = shiftL x i
    | otherwise = shiftR x (negate i)
  shiftL (I32 a) i       = I32 (narrow32 (shiftL a i))
  shiftR (I32 a) i       = I32 (shiftR a i)
  rotate (I32 a) i       = I32 (narrow32 (primIntOr (primIntShiftL u k) (primIntShiftRL u (32 - k))))
    where k = primIntMod i 32
          u = primIntAnd a 4294967295
  popCount (I32 a)       = primIntPopCount (primIntAnd a 4294967295)
  bit                   = bitDefault
  testBit (I32 a) i      = i < 32 && testBit a i
  zeroBits              = I32 0
  bitSizeMaybe _        = Just 32
  bitSize _             = 32
  isSigned _            = True

instance FiniteBits Int32 where
  finiteBitSize _            = 32
  countLeadingZeros (I32 a)   = primIntClz (primIntAnd a 4294967295) - 32
  countTrailingZeros (I32 a)  = min 32 (primIntCtz a)

newtype Int64 = I64 Int
  deriving (Eq, Ord)

instance Show Int64 where
  showsPrec d (I64 a) = showsPrec d a

instance Read Int64 where
  readsPrec d s = [(fromInteger n, t) | (n, t) <- readsPrec d s]

instance Bounded Int64 where
  minBound = I64 (-9223372036854775808)
  maxBound = I64 9223372036854775807

instance Num Int64 where
  I64 a + I64 b     = I64 (a + b)
  I64 a - I64 b     = I64 (a - b)
  I64 a * I64 b     = I64 (a * b)
  negate (I64 a)   = I64 (negate a)
  abs (I64 a)      = I64 (abs a)
  signum (I64 a)   = I64 (signum a)
  fromInteger n   = I64 (fromInteger n)

instance Real Int64 where
  toRational (I64 a) = toRational a

instance Enum Int64 where
  succ x
    | x == maxBound = succError "Int64"
    | otherwise     = x + 1
  pred x
    | x == minBound = predError "Int64"
    | otherwise     = x - 1
  toEnum i             = I64 i
  fromEnum (I64 a)      = a
  enumFrom             = boundedEnumFrom
  enumFromThen         = boundedEnumFromThen

instance Integral Int64 where
  quot (I64 a) (I64 b)    = I64 (quot a b)
  rem (I64 a) (I64 b)     = I64 (rem a b)
  div (I64 a) (I64 b)     = I64 (div a b)
  mod (I64 a) (I64 b)     = I64 (mod a b)
  quotRem x y           = (quot x y, rem x y)
  divMod x y            = (div x y, mod x y)
  toInteger (I64 a)      = toInteger a

instance Ix Int64 where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = fromEnum (i - m)
  inRange (m, n) i     = m <= i && i <= n

instance Bits Int64 where
  I64 a .&. I64 b         = I64 (a .&. b)
  I64 a .|. I64 b         = I64 (a .|. b)
  xor (I64 a) (I64 b)     = I64 (xor a b)
  complement (I64 a)     = I64 (complement a)
  shift x i
    | i >= 0    = shiftL x i
    | otherwise = shiftR x (negate i)
  shiftL (I64 a) i       = I64 (shiftL a i)
  shiftR (I64 a) i       = I64 (shiftR a i)
  rotate (I64 a) i       = I64 (rotate a i)
  popCount (I64 a)       = popCount a
  bit                   = bitDefault
  testBit (I64 a) i      = i < 64 && testBit a i
  zeroBits              = I64 0
  bitSizeMaybe _        = Just 64
  bitSize _             = 64
  isSigned _            = True

instance FiniteBits Int64 where
  finiteBitSize _            = 64
  countLeadingZeros (I64 a)   = countLeadingZeros a
  countTrailingZeros (I64 a)  = countTrailingZeros a
