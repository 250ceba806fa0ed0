{-# LANGUAGE NoImplicitPrelude, BangPatterns, ExistentialQuantification #-}
-- | The home of every name the compiler knows: the basic types, the classes
-- of the numeric tower and of the functor hierarchy, their instances for the
-- built-in types, showing and reading, exceptions, and the IO monad.
--
-- Everything is exported; "Prelude" and the other public modules choose what
-- a program may see.  Built in without a declaration are functions, lists,
-- tuples and the unit type.  Types declared without constructors here are the
-- machine's own; the primitives on them are listed in PRIMITIVES.md, and all
-- of those are strict in every argument unless that table says otherwise.
--
-- Strictness is that of the Haskell 2010 report where the report is definite,
-- and that of GHC's base library elsewhere.
module Gadfly.Base where

infixl 9  !!
infixr 9  .
infixr 8  ^, ^^, **
infixl 7  *, /, `quot`, `rem`, `div`, `mod`, %
infixl 6  +, -
infixr 6  <>
infixr 5  ++, :|
infix  4  ==, /=, <, <=, >=, >, `elem`, `notElem`
infixl 4  <$>, <$, <*>, <*, *>
infixl 3  <|>
infixr 3  &&
infixr 2  ||
infixl 1  >>, >>=
infixr 1  =<<
infixr 0  $, $!, `seq`

-- * Types

data Int
data Integer
data Word
data Char
data Double
data Float
data IO a
data IORef a
data PrimArray a
data Handle

data Bool = False | True
  deriving (Eq, Ord, Show, Read, Enum, Bounded, Ix)

data Ordering = LT | EQ | GT
  deriving (Eq, Ord, Show, Read, Enum, Bounded, Ix)

data Maybe a = Nothing | Just a
  deriving (Eq, Ord, Show, Read)

data Either a b = Left a | Right b
  deriving (Eq, Ord, Show, Read)

-- | A list with at least one element.
data NonEmpty a = a :| [a]
  deriving (Eq, Ord)

-- | A fraction in lowest terms, its denominator positive.
data Ratio a = !a :% !a

type Rational = Ratio Integer
type String   = [Char]
type FilePath = String
type ShowS    = String -> String
type ReadS a  = String -> [(a, String)]

-- | Stands for a type where only the type matters.
data Proxy t = Proxy

-- | Only so that old programs may name and derive it: nothing here asks for it.
class Typeable a

-- * Primitives on numbers

foreign import prim "intAdd"      primIntAdd      :: Int -> Int -> Int
foreign import prim "intSub"      primIntSub      :: Int -> Int -> Int
foreign import prim "intMul"      primIntMul      :: Int -> Int -> Int
foreign import prim "intNegate"   primIntNegate   :: Int -> Int
foreign import prim "intQuot"     primIntQuot     :: Int -> Int -> Int
foreign import prim "intRem"      primIntRem      :: Int -> Int -> Int
foreign import prim "intDiv"      primIntDiv      :: Int -> Int -> Int
foreign import prim "intMod"      primIntMod      :: Int -> Int -> Int
foreign import prim "intEq"       primIntEq       :: Int -> Int -> Bool
foreign import prim "intNe"       primIntNe       :: Int -> Int -> Bool
foreign import prim "intLt"       primIntLt       :: Int -> Int -> Bool
foreign import prim "intLe"       primIntLe       :: Int -> Int -> Bool
foreign import prim "intGt"       primIntGt       :: Int -> Int -> Bool
foreign import prim "intGe"       primIntGe       :: Int -> Int -> Bool
foreign import prim "intCompare"  primIntCompare  :: Int -> Int -> Ordering
foreign import prim "intShow"     primIntShow     :: Int -> String
foreign import prim "intAnd"      primIntAnd      :: Int -> Int -> Int
foreign import prim "intOr"       primIntOr       :: Int -> Int -> Int
foreign import prim "intXor"      primIntXor      :: Int -> Int -> Int
foreign import prim "intShiftL"   primIntShiftL   :: Int -> Int -> Int
foreign import prim "intShiftR"   primIntShiftR   :: Int -> Int -> Int
foreign import prim "intShiftRL"  primIntShiftRL  :: Int -> Int -> Int
foreign import prim "intPopCount" primIntPopCount :: Int -> Int
foreign import prim "intClz"      primIntClz      :: Int -> Int
foreign import prim "intCtz"      primIntCtz      :: Int -> Int

foreign import prim "wordAdd"       primWordAdd       :: Word -> Word -> Word
foreign import prim "wordSub"       primWordSub       :: Word -> Word -> Word
foreign import prim "wordMul"       primWordMul       :: Word -> Word -> Word
foreign import prim "wordQuot"      primWordQuot      :: Word -> Word -> Word
foreign import prim "wordRem"       primWordRem       :: Word -> Word -> Word
foreign import prim "wordEq"        primWordEq        :: Word -> Word -> Bool
foreign import prim "wordLt"        primWordLt        :: Word -> Word -> Bool
foreign import prim "wordLe"        primWordLe        :: Word -> Word -> Bool
foreign import prim "wordToInt"     primWordToInt     :: Word -> Int
foreign import prim "intToWord"     primIntToWord     :: Int -> Word
foreign import prim "wordToInteger" primWordToInteger :: Word -> Integer

foreign import prim "intToInteger"     primIntToInteger     :: Int -> Integer
foreign import prim "integerToInt"     primIntegerToInt     :: Integer -> Int
foreign import prim "integerAdd"       primIntegerAdd       :: Integer -> Integer -> Integer
foreign import prim "integerSub"       primIntegerSub       :: Integer -> Integer -> Integer
foreign import prim "integerMul"       primIntegerMul       :: Integer -> Integer -> Integer
foreign import prim "integerNegate"    primIntegerNegate    :: Integer -> Integer
foreign import prim "integerQuot"      primIntegerQuot      :: Integer -> Integer -> Integer
foreign import prim "integerRem"       primIntegerRem       :: Integer -> Integer -> Integer
foreign import prim "integerDiv"       primIntegerDiv       :: Integer -> Integer -> Integer
foreign import prim "integerMod"       primIntegerMod       :: Integer -> Integer -> Integer
foreign import prim "integerQuotRem"   primIntegerQuotRem   :: Integer -> Integer -> (Integer, Integer)
foreign import prim "integerEq"        primIntegerEq        :: Integer -> Integer -> Bool
foreign import prim "integerLt"        primIntegerLt        :: Integer -> Integer -> Bool
foreign import prim "integerLe"        primIntegerLe        :: Integer -> Integer -> Bool
foreign import prim "integerCompare"   primIntegerCompare   :: Integer -> Integer -> Ordering
foreign import prim "integerShow"      primIntegerShow      :: Integer -> String
foreign import prim "integerAnd"       primIntegerAnd       :: Integer -> Integer -> Integer
foreign import prim "integerOr"        primIntegerOr        :: Integer -> Integer -> Integer
foreign import prim "integerXor"       primIntegerXor       :: Integer -> Integer -> Integer
foreign import prim "integerShiftL"    primIntegerShiftL    :: Integer -> Int -> Integer
foreign import prim "integerShiftR"    primIntegerShiftR    :: Integer -> Int -> Integer
foreign import prim "integerBitLength" primIntegerBitLength :: Integer -> Int

foreign import prim "doubleAdd"       primDoubleAdd       :: Double -> Double -> Double
foreign import prim "doubleSub"       primDoubleSub       :: Double -> Double -> Double
foreign import prim "doubleMul"       primDoubleMul       :: Double -> Double -> Double
foreign import prim "doubleDiv"       primDoubleDiv       :: Double -> Double -> Double
foreign import prim "doubleNegate"    primDoubleNegate    :: Double -> Double
foreign import prim "doubleEq"        primDoubleEq        :: Double -> Double -> Bool
foreign import prim "doubleLt"        primDoubleLt        :: Double -> Double -> Bool
foreign import prim "doubleLe"        primDoubleLe        :: Double -> Double -> Bool
foreign import prim "doubleExp"       primDoubleExp       :: Double -> Double
foreign import prim "doubleLog"       primDoubleLog       :: Double -> Double
foreign import prim "doubleSqrt"      primDoubleSqrt      :: Double -> Double
foreign import prim "doublePow"       primDoublePow       :: Double -> Double -> Double
foreign import prim "doubleSin"       primDoubleSin       :: Double -> Double
foreign import prim "doubleCos"       primDoubleCos       :: Double -> Double
foreign import prim "doubleTan"       primDoubleTan       :: Double -> Double
foreign import prim "doubleAsin"      primDoubleAsin      :: Double -> Double
foreign import prim "doubleAcos"      primDoubleAcos      :: Double -> Double
foreign import prim "doubleAtan"      primDoubleAtan      :: Double -> Double
foreign import prim "doubleSinh"      primDoubleSinh      :: Double -> Double
foreign import prim "doubleCosh"      primDoubleCosh      :: Double -> Double
foreign import prim "doubleTanh"      primDoubleTanh      :: Double -> Double
foreign import prim "doubleAsinh"     primDoubleAsinh     :: Double -> Double
foreign import prim "doubleAcosh"     primDoubleAcosh     :: Double -> Double
foreign import prim "doubleAtanh"     primDoubleAtanh     :: Double -> Double
foreign import prim "doubleTruncate"  primDoubleTruncate  :: Double -> Integer
foreign import prim "doubleDecode"    primDoubleDecode    :: Double -> (Integer, Int)
foreign import prim "doubleEncode"    primDoubleEncode    :: Integer -> Int -> Double
foreign import prim "doubleDigits"    primDoubleDigits    :: Double -> ([Int], Int)
foreign import prim "doubleToBits"    primDoubleToBits    :: Double -> Word
foreign import prim "doubleFromBits"  primDoubleFromBits  :: Word -> Double
foreign import prim "integerToDouble" primIntegerToDouble :: Integer -> Double
foreign import prim "intToDouble"     primIntToDouble     :: Int -> Double

foreign import prim "floatAdd"      primFloatAdd      :: Float -> Float -> Float
foreign import prim "floatSub"      primFloatSub      :: Float -> Float -> Float
foreign import prim "floatMul"      primFloatMul      :: Float -> Float -> Float
foreign import prim "floatDiv"      primFloatDiv      :: Float -> Float -> Float
foreign import prim "floatNegate"   primFloatNegate   :: Float -> Float
foreign import prim "floatEq"       primFloatEq       :: Float -> Float -> Bool
foreign import prim "floatLt"       primFloatLt       :: Float -> Float -> Bool
foreign import prim "floatLe"       primFloatLe       :: Float -> Float -> Bool
foreign import prim "floatDigits"   primFloatDigits   :: Float -> ([Int], Int)
foreign import prim "floatToDouble" primFloatToDouble :: Float -> Double
foreign import prim "doubleToFloat" primDoubleToFloat :: Double -> Float

-- * Primitives on characters

foreign import prim "charOrd"      primCharOrd      :: Char -> Int
foreign import prim "charChr"      primCharChr      :: Int -> Char
foreign import prim "charEq"       primCharEq       :: Char -> Char -> Bool
foreign import prim "charNe"       primCharNe       :: Char -> Char -> Bool
foreign import prim "charLt"       primCharLt       :: Char -> Char -> Bool
foreign import prim "charLe"       primCharLe       :: Char -> Char -> Bool
foreign import prim "charCompare"  primCharCompare  :: Char -> Char -> Ordering
foreign import prim "charCategory" primCharCategory :: Char -> Int
foreign import prim "charToUpper"  primCharToUpper  :: Char -> Char
foreign import prim "charToLower"  primCharToLower  :: Char -> Char
foreign import prim "charToTitle"  primCharToTitle  :: Char -> Char

-- * Primitives of evaluation and of input and output

foreign import prim "seq"             seq                 :: a -> b -> b
foreign import prim "raise"           primRaise           :: SomeException -> a
foreign import prim "catch"           primCatch           :: IO a -> (SomeException -> IO a) -> IO a
foreign import prim "sameInstance"    primSameInstance    :: (Exception a, Exception b) => Proxy a -> Proxy b -> Bool
foreign import prim "unsafeCoerce"    primUnsafeCoerce    :: a -> b
foreign import prim "unsafePerformIO" primUnsafePerformIO :: IO a -> a
foreign import prim "ioReturn"        primIoReturn        :: a -> IO a
foreign import prim "ioBind"          primIoBind          :: IO a -> (a -> IO b) -> IO b

foreign import prim "refNew"   primRefNew   :: a -> IO (IORef a)
foreign import prim "refRead"  primRefRead  :: IORef a -> IO a
foreign import prim "refWrite" primRefWrite :: IORef a -> a -> IO ()
foreign import prim "refSame"  primRefSame  :: IORef a -> IORef a -> Bool

foreign import prim "arrayNew"    primArrayNew    :: Int -> a -> IO (PrimArray a)
foreign import prim "arrayRead"   primArrayRead   :: PrimArray a -> Int -> IO a
foreign import prim "arrayWrite"  primArrayWrite  :: PrimArray a -> Int -> a -> IO ()
foreign import prim "arrayIndex"  primArrayIndex  :: PrimArray a -> Int -> a
foreign import prim "arrayLength" primArrayLength :: PrimArray a -> Int
foreign import prim "arrayCopy"   primArrayCopy   :: PrimArray a -> IO (PrimArray a)
foreign import prim "arraySame"   primArraySame   :: PrimArray a -> PrimArray a -> Bool

foreign import prim "stdin"               stdin                   :: Handle
foreign import prim "stdout"              stdout                  :: Handle
foreign import prim "stderr"              stderr                  :: Handle
foreign import prim "handleOpen"          primHandleOpen          :: String -> Int -> IO Handle
foreign import prim "handleClose"         primHandleClose         :: Handle -> IO ()
foreign import prim "handleFlush"         primHandleFlush         :: Handle -> IO ()
foreign import prim "handlePutChar"       primHandlePutChar       :: Handle -> Char -> IO ()
foreign import prim "handleGetChar"       primHandleGetChar       :: Handle -> IO Int
foreign import prim "handlePeekChar"      primHandlePeekChar      :: Handle -> IO Int
foreign import prim "handleGetLine"       primHandleGetLine       :: Handle -> IO String
foreign import prim "handleState"         primHandleState         :: Handle -> IO Int
foreign import prim "handleSetState"      primHandleSetState      :: Handle -> Int -> IO ()
foreign import prim "handleGetBuffering"  primHandleGetBuffering  :: Handle -> IO Int
foreign import prim "handleSetBuffering"  primHandleSetBuffering  :: Handle -> Int -> IO ()
foreign import prim "handleName"          primHandleName          :: Handle -> String
foreign import prim "handleSame"          primHandleSame          :: Handle -> Handle -> Bool
foreign import prim "getArgs"             primGetArgs             :: IO [String]
foreign import prim "getProgName"         primGetProgName         :: IO String
foreign import prim "getEnvironment"      primGetEnvironment      :: IO [(String, String)]
foreign import prim "exit"                primExit                :: Int -> IO a
foreign import prim "cpuTime"             primCpuTime             :: IO Integer
foreign import prim "wallTime"            primWallTime            :: IO Integer

-- * Functions and truth values

id :: a -> a
id x = x

const :: a -> b -> a
const x _ = x

(.) :: (b -> c) -> (a -> b) -> a -> c
(.) f g = \x -> f (g x)

flip :: (a -> b -> c) -> b -> a -> c
flip f x y = f y x

($) :: (a -> b) -> a -> b
f $ x = f x

-- | Apply after evaluating the argument to weak head normal form.
($!) :: (a -> b) -> a -> b
f $! x = x `seq` f x

asTypeOf :: a -> a -> a
asTypeOf = const

until :: (a -> Bool) -> (a -> a) -> a -> a
until p f = go
  where
    go x | p x       = x
         | otherwise = go (f x)

(&&) :: Bool -> Bool -> Bool
True  && x = x
False && _ = False

(||) :: Bool -> Bool -> Bool
True  || _ = True
False || x = x

not :: Bool -> Bool
not True  = False
not False = True

otherwise :: Bool
otherwise = True

maybe :: b -> (a -> b) -> Maybe a -> b
maybe n _ Nothing  = n
maybe _ f (Just x) = f x

either :: (a -> c) -> (b -> c) -> Either a b -> c
either f _ (Left x)  = f x
either _ g (Right y) = g y

fst :: (a, b) -> a
fst (x, _) = x

snd :: (a, b) -> b
snd (_, y) = y

curry :: ((a, b) -> c) -> a -> b -> c
curry f x y = f (x, y)

uncurry :: (a -> b -> c) -> (a, b) -> c
uncurry f p = f (fst p) (snd p)

-- * Equality and order

class Eq a where
  (==), (/=) :: a -> a -> Bool
  x == y = not (x /= y)
  x /= y = not (x == y)

class Eq a => Ord a where
  compare              :: a -> a -> Ordering
  (<), (<=), (>), (>=) :: a -> a -> Bool
  max, min             :: a -> a -> a

  compare x y
    | x == y    = EQ
    | x <= y    = LT
    | otherwise = GT
  x <  y = case compare x y of { LT -> True;  _ -> False }
  x <= y = case compare x y of { GT -> False; _ -> True }
  x >  y = case compare x y of { GT -> True;  _ -> False }
  x >= y = case compare x y of { LT -> False; _ -> True }
  max x y = if x <= y then y else x
  min x y = if x <= y then x else y

instance Eq Int where
  (==) = primIntEq
  (/=) = primIntNe

instance Ord Int where
  compare = primIntCompare
  (<)     = primIntLt
  (<=)    = primIntLe
  (>)     = primIntGt
  (>=)    = primIntGe

instance Eq Word where
  (==) = primWordEq

instance Ord Word where
  compare x y
    | primWordLt x y = LT
    | primWordEq x y = EQ
    | otherwise      = GT
  (<)    = primWordLt
  (<=)   = primWordLe
  x >  y = primWordLt y x
  x >= y = primWordLe y x

instance Eq Integer where
  (==) = primIntegerEq

instance Ord Integer where
  compare = primIntegerCompare
  (<)    = primIntegerLt
  (<=)   = primIntegerLe
  x >  y = primIntegerLt y x
  x >= y = primIntegerLe y x

instance Eq Char where
  (==) = primCharEq
  (/=) = primCharNe

instance Ord Char where
  compare = primCharCompare
  (<)    = primCharLt
  (<=)   = primCharLe
  x >  y = primCharLt y x
  x >= y = primCharLe y x

instance Eq Double where
  (==) = primDoubleEq

instance Ord Double where
  compare x y
    | primDoubleLt x y = LT
    | primDoubleEq x y = EQ
    | otherwise        = GT
  (<)    = primDoubleLt
  (<=)   = primDoubleLe
  x >  y = primDoubleLt y x
  x >= y = primDoubleLe y x

instance Eq Float where
  (==) = primFloatEq

instance Ord Float where
  compare x y
    | primFloatLt x y = LT
    | primFloatEq x y = EQ
    | otherwise       = GT
  (<)    = primFloatLt
  (<=)   = primFloatLe
  x >  y = primFloatLt y x
  x >= y = primFloatLe y x

instance Eq a => Eq [a] where
  (==) = go
    where
      go []     []     = True
      go (x:xs) (y:ys) = x == y && go xs ys
      go _      _      = False

instance Ord a => Ord [a] where
  compare = go
    where
      go []     []     = EQ
      go []     (_:_)  = LT
      go (_:_)  []     = GT
      go (x:xs) (y:ys) = case compare x y of
        EQ    -> go xs ys
        other -> other

instance Eq (Proxy t) where
  _ == _ = True

instance Ord (Proxy t) where
  compare _ _ = EQ

instance Eq () where
  () == () = True

instance Ord () where
  compare () () = EQ

instance (Eq a, Eq b) => Eq (a, b) where
  (a1, b1) == (a2, b2) =
    a1 == a2 && b1 == b2

instance (Ord a, Ord b) => Ord (a, b) where
  compare (a1, b1) (a2, b2) =
    compare a1 a2 <> compare b1 b2

instance (Eq a, Eq b, Eq c) => Eq (a, b, c) where
  (a1, b1, c1) == (a2, b2, c2) =
    a1 == a2 && b1 == b2 && c1 == c2

instance (Ord a, Ord b, Ord c) => Ord (a, b, c) where
  compare (a1, b1, c1) (a2, b2, c2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2

instance (Eq a, Eq b, Eq c, Eq d) => Eq (a, b, c, d) where
  (a1, b1, c1, d1) == (a2, b2, c2, d2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2

instance (Ord a, Ord b, Ord c, Ord d) => Ord (a, b, c, d) where
  compare (a1, b1, c1, d1) (a2, b2, c2, d2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2

instance (Eq a, Eq b, Eq c, Eq d, Eq e) => Eq (a, b, c, d, e) where
  (a1, b1, c1, d1, e1) == (a2, b2, c2, d2, e2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2

instance (Ord a, Ord b, Ord c, Ord d, Ord e) => Ord (a, b, c, d, e) where
  compare (a1, b1, c1, d1, e1) (a2, b2, c2, d2, e2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2
      <> compare e1 e2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f) => Eq (a, b, c, d, e, f) where
  (a1, b1, c1, d1, e1, f1) == (a2, b2, c2, d2, e2, f2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f) => Ord (a, b, c, d, e, f) where
  compare (a1, b1, c1, d1, e1, f1) (a2, b2, c2, d2, e2, f2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2
      <> compare e1 e2 <> compare f1 f2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g) => Eq (a, b, c, d, e, f, g) where
  (a1, b1, c1, d1, e1, f1, g1) == (a2, b2, c2, d2, e2, f2, g2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g) => Ord (a, b, c, d, e, f, g) where
  compare (a1, b1, c1, d1, e1, f1, g1) (a2, b2, c2, d2, e2, f2, g2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2
      <> compare e1 e2 <> compare f1 f2 <> compare g1 g2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h)
      => Eq (a, b, c, d, e, f, g, h) where
  (a1, b1, c1, d1, e1, f1, g1, h1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h)
      => Ord (a, b, c, d, e, f, g, h) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1)
          (a2, b2, c2, d2, e2, f2, g2, h2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2 <> compare e1 e2
      <> compare f1 f2 <> compare g1 g2 <> compare h1 h2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i)
      => Eq (a, b, c, d, e, f, g, h, i) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i)
      => Ord (a, b, c, d, e, f, g, h, i) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2 <> compare e1 e2
      <> compare f1 f2 <> compare g1 g2 <> compare h1 h2 <> compare i1 i2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j)
      => Eq (a, b, c, d, e, f, g, h, i, j) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j)
      => Ord (a, b, c, d, e, f, g, h, i, j) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2 <> compare e1 e2
      <> compare f1 f2 <> compare g1 g2 <> compare h1 h2 <> compare i1 i2 <> compare j1 j2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j, Eq k)
      => Eq (a, b, c, d, e, f, g, h, i, j, k) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2 && k1 == k2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j, Ord k)
      => Ord (a, b, c, d, e, f, g, h, i, j, k) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2 <> compare e1 e2
      <> compare f1 f2 <> compare g1 g2 <> compare h1 h2 <> compare i1 i2 <> compare j1 j2
      <> compare k1 k2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j, Eq k, Eq l)
      => Eq (a, b, c, d, e, f, g, h, i, j, k, l) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2 && k1 == k2 && l1 == l2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j, Ord k, Ord l)
      => Ord (a, b, c, d, e, f, g, h, i, j, k, l) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2 <> compare e1 e2
      <> compare f1 f2 <> compare g1 g2 <> compare h1 h2 <> compare i1 i2 <> compare j1 j2
      <> compare k1 k2 <> compare l1 l2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j, Eq k, Eq l, Eq m)
      => Eq (a, b, c, d, e, f, g, h, i, j, k, l, m) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2 && k1 == k2 && l1 == l2 && m1 == m2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j, Ord k, Ord l, Ord m)
      => Ord (a, b, c, d, e, f, g, h, i, j, k, l, m) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2 <> compare e1 e2
      <> compare f1 f2 <> compare g1 g2 <> compare h1 h2 <> compare i1 i2 <> compare j1 j2
      <> compare k1 k2 <> compare l1 l2 <> compare m1 m2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j, Eq k, Eq l, Eq m, Eq n)
      => Eq (a, b, c, d, e, f, g, h, i, j, k, l, m, n) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1, n1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2, n2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2 && k1 == k2 && l1 == l2 && m1 == m2 && n1 == n2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j, Ord k, Ord l, Ord m
          , Ord n)
      => Ord (a, b, c, d, e, f, g, h, i, j, k, l, m, n) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1, n1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2, n2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2 <> compare e1 e2
      <> compare f1 f2 <> compare g1 g2 <> compare h1 h2 <> compare i1 i2 <> compare j1 j2
      <> compare k1 k2 <> compare l1 l2 <> compare m1 m2 <> compare n1 n2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j, Eq k, Eq l, Eq m, Eq n, Eq o)
      => Eq (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1, n1, o1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2, n2, o2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2 && k1 == k2 && l1 == l2 && m1 == m2 && n1 == n2 && o1 == o2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j, Ord k, Ord l, Ord m
          , Ord n, Ord o)
      => Ord (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1, n1, o1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2, n2, o2) =
    compare a1 a2 <> compare b1 b2 <> compare c1 c2 <> compare d1 d2 <> compare e1 e2
      <> compare f1 f2 <> compare g1 g2 <> compare h1 h2 <> compare i1 i2 <> compare j1 j2
      <> compare k1 k2 <> compare l1 l2 <> compare m1 m2 <> compare n1 n2 <> compare o1 o2

-- * Numbers: the classes

class Num a where
  (+), (-), (*)       :: a -> a -> a
  negate, abs, signum :: a -> a
  fromInteger         :: Integer -> a
  x - y    = x + negate y
  negate x = fromInteger 0 - x

class (Num a, Ord a) => Real a where
  toRational :: a -> Rational

class (Real a, Enum a) => Integral a where
  quot, rem, div, mod :: a -> a -> a
  quotRem, divMod     :: a -> a -> (a, a)
  toInteger           :: a -> Integer

  n `quot` d = fst (quotRem n d)
  n `rem`  d = snd (quotRem n d)
  n `div`  d = fst (divMod n d)
  n `mod`  d = snd (divMod n d)
  divMod n d
    | signum r == negate (signum d) = (q - fromInteger 1, r + d)
    | otherwise                     = qr
    where qr@(q, r) = quotRem n d

class Num a => Fractional a where
  (/)          :: a -> a -> a
  recip        :: a -> a
  fromRational :: Rational -> a
  recip x = fromInteger 1 / x
  x / y   = x * recip y

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

-- * Numbers: the instances

instance Num Int where
  (+)    = primIntAdd
  (-)    = primIntSub
  (*)    = primIntMul
  negate = primIntNegate
  abs n  = if primIntLt n 0 then primIntNegate n else n
  signum n
    | primIntLt n 0 = -1
    | primIntEq n 0 = 0
    | otherwise     = 1
  fromInteger = primIntegerToInt

instance Real Int where
  toRational n = primIntToInteger n :% 1

instance Integral Int where
  toInteger = primIntToInteger
  quot n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = negateChecked n
    | otherwise        = primIntQuot n d
  rem n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = n `seq` 0
    | otherwise        = primIntRem n d
  div n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = negateChecked n
    | otherwise        = primIntDiv n d
  mod n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = n `seq` 0
    | otherwise        = primIntMod n d
  quotRem n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = n `seq` (negateChecked n, 0)
    | otherwise        = let !q = primIntQuot n d
                             !r = primIntRem n d in (q, r)
  divMod n d
    | primIntEq d 0    = divZeroError
    | primIntEq d (-1) = n `seq` (negateChecked n, 0)
    | otherwise        = let !q = primIntDiv n d
                             !r = primIntMod n d in (q, r)

-- | Division by minus one: the least 'Int' has no opposite.
negateChecked :: Int -> Int
negateChecked n
  | primIntEq n minBound = overflowError
  | otherwise            = primIntNegate n

instance Num Word where
  (+)    = primWordAdd
  (-)    = primWordSub
  (*)    = primWordMul
  negate n = primWordSub (primIntToWord 0) n
  abs n  = n
  signum n = if primWordEq n (primIntToWord 0) then n else primIntToWord 1
  fromInteger n = primIntToWord (primIntegerToInt n)

instance Real Word where
  toRational n = primWordToInteger n :% 1

instance Integral Word where
  toInteger = primWordToInteger
  quot n d
    | primWordEq d 0 = divZeroError
    | otherwise      = primWordQuot n d
  rem n d
    | primWordEq d 0 = divZeroError
    | otherwise      = primWordRem n d
  div = quot
  mod = rem
  quotRem n d
    | primWordEq d 0 = divZeroError
    | otherwise      = (primWordQuot n d, primWordRem n d)
  divMod = quotRem

instance Num Integer where
  (+)    = primIntegerAdd
  (-)    = primIntegerSub
  (*)    = primIntegerMul
  negate = primIntegerNegate
  abs n  = if primIntegerLt n 0 then primIntegerNegate n else n
  signum n = case primIntegerCompare n 0 of { LT -> -1; EQ -> 0; GT -> 1 }
  fromInteger n = n

instance Real Integer where
  toRational n = n :% 1

instance Integral Integer where
  toInteger n = n
  quot n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = primIntegerQuot n d
  rem n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = primIntegerRem n d
  div n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = primIntegerDiv n d
  mod n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = primIntegerMod n d
  quotRem n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = primIntegerQuotRem n d
  divMod n d
    | primIntegerEq d 0 = divZeroError
    | otherwise         = let !q = primIntegerDiv n d
                              !r = primIntegerMod n d in (q, r)

instance Num Double where
  (+)    = primDoubleAdd
  (-)    = primDoubleSub
  (*)    = primDoubleMul
  negate = primDoubleNegate
  abs x
    | primDoubleEq x 0 = 0
    | primDoubleLt x 0 = primDoubleNegate x
    | otherwise        = x
  signum x
    | primDoubleLt 0 x = 1
    | primDoubleLt x 0 = -1
    | otherwise        = x
  fromInteger = primIntegerToDouble

instance Real Double where
  toRational x = case primDoubleDecode x of (m, e) -> scaledRational m e

instance Fractional Double where
  (/)     = primDoubleDiv
  recip x = primDoubleDiv 1 x
  fromRational (n :% d) = ratioToDouble n d

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

instance Num Float where
  (+)    = primFloatAdd
  (-)    = primFloatSub
  (*)    = primFloatMul
  negate = primFloatNegate
  abs x
    | primFloatEq x 0 = 0
    | primFloatLt x 0 = primFloatNegate x
    | otherwise       = x
  signum x
    | primFloatLt 0 x = 1
    | primFloatLt x 0 = -1
    | otherwise       = x
  fromInteger n = ratioToFloat n 1

instance Real Float where
  toRational x = toRational (primFloatToDouble x)

instance Fractional Float where
  (/)     = primFloatDiv
  recip x = primFloatDiv 1 x
  fromRational (n :% d) = ratioToFloat n d

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

-- | @m * 2^e@ exactly.
scaledRational :: Integer -> Int -> Rational
scaledRational m e
  | e >= 0         = primIntegerShiftL m e :% 1
  | m == 0         = 0 :% 1
  | otherwise      = strip m (negate e)
  where
    strip n k
      | k > 0 && primIntegerEq (primIntegerAnd n 1) 0 = strip (primIntegerShiftR n 1) (k - 1)
      | otherwise                                     = n :% primIntegerShiftL 1 k

ratioToDouble :: Integer -> Integer -> Double
ratioToDouble n d
  | d == 1 && primIntegerBitLength n <= 53 = primIntegerToDouble n
  | d == 0    = case compare n 0 of { GT -> 1 / 0; LT -> -1 / 0; EQ -> 0 / 0 }
  | n == 0    = 0
  | n < 0     = negate (positive (negate n))
  | otherwise = positive n
  where positive k = case roundRatio 53 (-1074) k d of (m, e) -> primDoubleEncode m e

ratioToFloat :: Integer -> Integer -> Float
ratioToFloat n d
  | d == 0    = primDoubleToFloat (ratioToDouble n d)
  | n == 0    = primDoubleToFloat (primIntToDouble 0)
  | n < 0     = primFloatNegate (positive (negate n))
  | otherwise = positive n
  where positive k = case roundRatio 24 (-149) k d of
          (m, e) -> primDoubleToFloat (primDoubleEncode m e)

-- | The positive fraction @n / d@ as @m * 2^e@ where @m@ has at most the given
-- number of bits and @e@ is at least the given least exponent, rounded to
-- nearest, halves to even.
roundRatio :: Int -> Int -> Integer -> Integer -> (Integer, Int)
roundRatio digits least n d = settle (max least (primIntegerBitLength n - primIntegerBitLength d - digits))
  where
    settle e =
      let num = if e < 0 then primIntegerShiftL n (negate e) else n
          den = if e > 0 then primIntegerShiftL d e else d
      in case primIntegerQuotRem num den of
           (q, r)
             | primIntegerBitLength q > digits -> settle (e + 1)
             | otherwise -> case primIntegerCompare (primIntegerAdd r r) den of
                 LT -> (q, e)
                 GT -> (primIntegerAdd q 1, e)
                 EQ -> (if primIntegerEq (primIntegerAnd q 1) 0 then q else primIntegerAdd q 1, e)

-- * Ratios

(%) :: Integral a => a -> a -> Ratio a
x % y = reduce (x * signum y) (abs y)

reduce :: Integral a => a -> a -> Ratio a
reduce x y
  | y == 0    = throw RatioZeroDenominator
  | otherwise = (x `quot` d) :% (y `quot` d)
  where d = gcd x y

numerator :: Ratio a -> a
numerator (x :% _) = x

denominator :: Ratio a -> a
denominator (_ :% y) = y

instance Eq a => Eq (Ratio a) where
  (x :% y) == (x' :% y') = x == x' && y == y'

instance Integral a => Ord (Ratio a) where
  compare (x :% y) (x' :% y') = compare (x * y') (x' * y)
  (x :% y) <= (x' :% y')      = x * y' <= x' * y
  (x :% y) <  (x' :% y')      = x * y' <  x' * y

instance Integral a => Num (Ratio a) where
  (x :% y) + (x' :% y') = reduce (x * y' + x' * y) (y * y')
  (x :% y) - (x' :% y') = reduce (x * y' - x' * y) (y * y')
  (x :% y) * (x' :% y') = reduce (x * x') (y * y')
  negate (x :% y)       = negate x :% y
  abs (x :% y)          = abs x :% y
  signum (x :% _)       = signum x :% 1
  fromInteger n         = fromInteger n :% 1

instance Integral a => Fractional (Ratio a) where
  (x :% y) / (x' :% y') = (x * y') % (y * x')
  recip (x :% y)
    | x == 0    = throw RatioZeroDenominator
    | x < 0     = negate y :% negate x
    | otherwise = y :% x
  fromRational (n :% d) = fromInteger n % fromInteger d

instance Integral a => Real (Ratio a) where
  toRational (x :% y) = toInteger x :% toInteger y

instance Integral a => RealFrac (Ratio a) where
  properFraction (x :% y) = case quotRem x y of
    (q, r) -> (fromInteger (toInteger q), r :% y)
  round r =
    let (n, f) = properFraction r
        x      = if r < 0 then -1 else 1
    in case (compare (abs f) (1 :% 2), odd n) of
         (LT, _)     -> n
         (EQ, False) -> n
         (EQ, True)  -> n + x
         (GT, _)     -> n + x

instance Integral a => Enum (Ratio a) where
  succ x         = x + 1
  pred x         = x - 1
  toEnum n       = fromIntegral n :% 1
  fromEnum       = fromInteger . truncate
  enumFrom       = numericEnumFrom
  enumFromThen   = numericEnumFromThen
  enumFromTo     = numericEnumFromTo
  enumFromThenTo = numericEnumFromThenTo

instance Show a => Show (Ratio a) where
  showsPrec p (x :% y) = showParen (p > 7) (showsPrec 8 x . showString " % " . showsPrec 8 y)

instance (Integral a, Read a) => Read (Ratio a) where
  readsPrec p = readParen (p > 7)
    (\r -> [(x % y, u) | (x, s) <- readsPrec 8 r, ("%", t) <- lex s, (y, u) <- readsPrec 8 t])

-- * Numbers: functions

subtract :: Num a => a -> a -> a
subtract x y = y - x

even, odd :: Integral a => a -> Bool
even n = n `rem` 2 == 0
odd n  = n `rem` 2 /= 0

gcd :: Integral a => a -> a -> a
gcd x y = go (abs x) (abs y)
  where
    go a b | b == 0    = a
           | otherwise = go b (a `rem` b)

lcm :: Integral a => a -> a -> a
lcm x y
  | x == 0 || y == 0 = 0
  | otherwise        = abs ((x `quot` gcd x y) * y)

-- | Raise to a power that is not negative, by repeated squaring.
(^) :: (Num a, Integral b) => a -> b -> a
x0 ^ y0
  | y0 < 0    = errorWithoutStackTrace "Negative exponent"
  | y0 == 0   = 1
  | otherwise = square x0 y0
  where
    square x y
      | even y    = square (x * x) (y `quot` 2)
      | y == 1    = x
      | otherwise = gather (x * x) (y `quot` 2) x
    gather x y z
      | even y    = gather (x * x) (y `quot` 2) z
      | y == 1    = x * z
      | otherwise = gather (x * x) (y `quot` 2) (x * z)

(^^) :: (Fractional a, Integral b) => a -> b -> a
x ^^ n
  | n >= 0    = x ^ n
  | otherwise = recip (x ^ negate n)

fromIntegral :: (Integral a, Num b) => a -> b
fromIntegral n = fromInteger (toInteger n)

realToFrac :: (Real a, Fractional b) => a -> b
realToFrac x = fromRational (toRational x)

-- * Enumerations

class Bounded a where
  minBound, maxBound :: a

class Enum a where
  succ, pred     :: a -> a
  toEnum         :: Int -> a
  fromEnum       :: a -> Int
  enumFrom       :: a -> [a]
  enumFromThen   :: a -> a -> [a]
  enumFromTo     :: a -> a -> [a]
  enumFromThenTo :: a -> a -> a -> [a]

  succ x               = toEnum (fromEnum x + 1)
  pred x               = toEnum (fromEnum x - 1)
  enumFrom x           = map toEnum (enumFrom (fromEnum x))
  enumFromThen x y     = map toEnum (enumFromThen (fromEnum x) (fromEnum y))
  enumFromTo x y       = map toEnum (enumFromTo (fromEnum x) (fromEnum y))
  enumFromThenTo x y z = map toEnum (enumFromThenTo (fromEnum x) (fromEnum y) (fromEnum z))

-- | 'enumFrom' and 'enumFromThen' for types with a last element.
boundedEnumFrom :: (Enum a, Bounded a) => a -> [a]
boundedEnumFrom n = map toEnum (enumFromTo (fromEnum n) (fromEnum (maxBound `asTypeOf` n)))

boundedEnumFromThen :: (Enum a, Bounded a) => a -> a -> [a]
boundedEnumFromThen n1 n2
  | i2 >= i1  = map toEnum (enumFromThenTo i1 i2 (fromEnum (maxBound `asTypeOf` n1)))
  | otherwise = map toEnum (enumFromThenTo i1 i2 (fromEnum (minBound `asTypeOf` n1)))
  where
    i1 = fromEnum n1
    i2 = fromEnum n2

succError, predError :: String -> a
succError ty = errorWithoutStackTrace ("Enum.succ{" ++ ty ++ "}: tried to take `succ' of maxBound")
predError ty = errorWithoutStackTrace ("Enum.pred{" ++ ty ++ "}: tried to take `pred' of minBound")

fromEnumError :: Show a => String -> a -> b
fromEnumError ty x = errorWithoutStackTrace
  ("Enum.fromEnum{" ++ ty ++ "}: value (" ++ show x ++ ") is outside of Int's bounds "
   ++ show (minBound :: Int, maxBound :: Int))

toEnumError :: Show a => String -> Int -> (a, a) -> b
toEnumError ty i bounds = errorWithoutStackTrace
  ("Enum.toEnum{" ++ ty ++ "}: tag (" ++ show i ++ ") is outside of bounds " ++ show bounds)

instance Bounded Int where
  minBound = -9223372036854775808
  maxBound = 9223372036854775807

instance Enum Int where
  succ n | primIntEq n maxBound = errorWithoutStackTrace "Prelude.Enum.succ{Int}: tried to take `succ' of maxBound"
         | otherwise            = primIntAdd n 1
  pred n | primIntEq n minBound = errorWithoutStackTrace "Prelude.Enum.pred{Int}: tried to take `pred' of minBound"
         | otherwise            = primIntSub n 1
  toEnum n   = n
  fromEnum n = n
  enumFrom n = enumFromTo n maxBound
  enumFromTo n m
    | primIntGt n m = []
    | otherwise     = go n
    where go i = i : (if primIntEq i m then [] else go (primIntAdd i 1))
  enumFromThen n n'
    | primIntGe n' n = enumFromThenTo n n' maxBound
    | otherwise      = enumFromThenTo n n' minBound
  -- Stop before the step over the limit, which might wrap around.
  enumFromThenTo n n' m
    | primIntGe n' n = if primIntGt n m then [] else if primIntGt n' m then [n] else up n
    | otherwise      = if primIntLt n m then [] else if primIntLt n' m then [n] else down n
    where
      step   = primIntSub n' n
      lastUp = primIntSub m step
      up i   = i : (if primIntGt i lastUp then [] else up (primIntAdd i step))
      down i = i : (if primIntLt i lastUp then [] else down (primIntAdd i step))

instance Bounded Word where
  minBound = primIntToWord 0
  maxBound = primIntToWord (-1)

instance Enum Word where
  succ n | n == maxBound = succError "Word"
         | otherwise     = n + 1
  pred n | n == minBound = predError "Word"
         | otherwise     = n - 1
  toEnum i
    | i >= 0    = primIntToWord i
    | otherwise = toEnumError "Word" i (minBound :: Word, maxBound :: Word)
  fromEnum n
    | primIntGe (primWordToInt n) 0 = primWordToInt n
    | otherwise                     = fromEnumError "Word" n
  enumFrom n          = enumFromTo n maxBound
  enumFromTo n m      = map fromInteger (enumFromTo (toInteger n) (toInteger m))
  enumFromThen n n'   = enumFromThenTo n n' (if n' >= n then maxBound else minBound)
  enumFromThenTo n n' m = map fromInteger (enumFromThenTo (toInteger n) (toInteger n') (toInteger m))

instance Enum Integer where
  succ n     = n + 1
  pred n     = n - 1
  toEnum     = primIntToInteger
  fromEnum   = primIntegerToInt
  enumFrom n = n `seq` (n : enumFrom (n + 1))
  enumFromTo n m
    | n > m     = []
    | otherwise = n : enumFromTo (n + 1) m
  enumFromThen n n' = go n
    where step = n' - n
          go i = i `seq` (i : go (i + step))
  enumFromThenTo n n' m
    | step >= 0 = up n
    | otherwise = down n
    where
      step = n' - n
      up i   = if i > m then [] else i : up (i + step)
      down i = if i < m then [] else i : down (i + step)

instance Bounded Char where
  minBound = '\0'
  maxBound = '\1114111'

instance Enum Char where
  succ c | primCharEq c maxBound = errorWithoutStackTrace "Prelude.Enum.Char.succ: bad argument"
         | otherwise             = primCharChr (primIntAdd (primCharOrd c) 1)
  pred c | primCharEq c minBound = errorWithoutStackTrace "Prelude.Enum.Char.pred: bad argument"
         | otherwise             = primCharChr (primIntSub (primCharOrd c) 1)
  toEnum   = chr
  fromEnum = primCharOrd
  enumFrom c            = enumFromTo c maxBound
  enumFromTo c d        = map primCharChr (enumFromTo (primCharOrd c) (primCharOrd d))
  enumFromThen c c'     = enumFromThenTo c c' (if c' >= c then maxBound else minBound)
  enumFromThenTo c c' d = map primCharChr (enumFromThenTo (primCharOrd c) (primCharOrd c') (primCharOrd d))

-- | The character with this code point; fails outside Unicode's range.
chr :: Int -> Char
chr n
  | primIntLt n 0 || primIntGt n 1114111
      = errorWithoutStackTrace ("Prelude.chr: bad argument: " ++ showsPrec 9 n "")
  | otherwise = primCharChr n

ord :: Char -> Int
ord = primCharOrd

instance Enum Double where
  succ x         = x + 1
  pred x         = x - 1
  toEnum         = primIntToDouble
  fromEnum x     = primIntegerToInt (primDoubleTruncate x)
  enumFrom       = numericEnumFrom
  enumFromThen   = numericEnumFromThen
  enumFromTo     = numericEnumFromTo
  enumFromThenTo = numericEnumFromThenTo

instance Enum Float where
  succ x         = x + 1
  pred x         = x - 1
  toEnum n       = primDoubleToFloat (primIntToDouble n)
  fromEnum x     = fromEnum (primFloatToDouble x)
  enumFrom       = numericEnumFrom
  enumFromThen   = numericEnumFromThen
  enumFromTo     = numericEnumFromTo
  enumFromThenTo = numericEnumFromThenTo

-- The steps of a fractional sequence are multiplied, not summed up, so that
-- errors of rounding do not grow.
numericEnumFrom :: Fractional a => a -> [a]
numericEnumFrom n = go 0
  where go !k = let !n' = n + k in n' : go (k + 1)

numericEnumFromThen :: Fractional a => a -> a -> [a]
numericEnumFromThen n m = go 0
  where
    step  = m - n
    go !k = let !n' = n + k * step in n' : go (k + 1)

numericEnumFromTo :: (Ord a, Fractional a) => a -> a -> [a]
numericEnumFromTo n m = takeWhile (<= m + 1 / 2) (numericEnumFrom n)

numericEnumFromThenTo :: (Ord a, Fractional a) => a -> a -> a -> [a]
numericEnumFromThenTo e1 e2 e3 = takeWhile inside (numericEnumFromThen e1 e2)
  where
    mid = (e2 - e1) / 2
    inside | e2 >= e1  = (<= e3 + mid)
           | otherwise = (>= e3 + mid)

instance Enum () where
  succ ()  = errorWithoutStackTrace "Prelude.Enum.().succ: bad argument"
  pred ()  = errorWithoutStackTrace "Prelude.Enum.().pred: bad argument"
  toEnum n
    | n == 0    = ()
    | otherwise = errorWithoutStackTrace "Prelude.Enum.().toEnum: bad argument"
  fromEnum ()          = 0
  enumFrom ()          = [()]
  enumFromThen () ()   = repeat ()
  enumFromTo () ()     = [()]
  enumFromThenTo () () () = repeat ()

instance Bounded () where
  minBound = ()
  maxBound = ()

instance (Bounded a, Bounded b) => Bounded (a, b) where
  minBound = (minBound, minBound)
  maxBound = (maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c) => Bounded (a, b, c) where
  minBound = (minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d) => Bounded (a, b, c, d) where
  minBound = (minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d, Bounded e) => Bounded (a, b, c, d, e) where
  minBound = (minBound, minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d, Bounded e, Bounded f) =>
         Bounded (a, b, c, d, e, f) where
  minBound = (minBound, minBound, minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d, Bounded e, Bounded f, Bounded g) =>
         Bounded (a, b, c, d, e, f, g) where
  minBound = (minBound, minBound, minBound, minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound, maxBound, maxBound, maxBound)

-- * Semigroups and monoids

class Semigroup a where
  (<>)    :: a -> a -> a
  sconcat :: NonEmpty a -> a
  stimes  :: Integral b => b -> a -> a

  sconcat (a :| as) = go a as
    where go b (c:cs) = b <> go c cs
          go b []     = b
  stimes n x
    | n <= 0    = errorWithoutStackTrace "stimes: positive multiplier expected"
    | otherwise = repeatSquare n x

-- | @x <> x <> ...@, a positive number of times, by doubling.
repeatSquare :: (Integral b, Semigroup a) => b -> a -> a
repeatSquare n x
  | n == 1    = x
  | even n    = repeatSquare (n `quot` 2) (x <> x)
  | otherwise = x <> repeatSquare (n `quot` 2) (x <> x)

class Semigroup a => Monoid a where
  mempty  :: a
  mappend :: a -> a -> a
  mconcat :: [a] -> a
  mappend = (<>)
  mconcat = foldr mappend mempty

-- | 'stimes' for monoids: zero times is 'mempty'.
stimesMonoid :: (Integral b, Monoid a) => b -> a -> a
stimesMonoid n x
  | n < 0     = errorWithoutStackTrace "stimesMonoid: expected non-negative multiplier"
  | n == 0    = mempty
  | otherwise = repeatSquare n x

instance Semigroup [a] where
  (<>) = (++)
  stimes n x
    | n < 0     = errorWithoutStackTrace "stimes: [], negative multiplier"
    | otherwise = go n
    where go i | i == 0    = []
               | otherwise = x ++ go (i - 1)

instance Monoid [a] where
  mempty     = []
  mconcat xs = concat xs

instance Semigroup (NonEmpty a) where
  (a :| as) <> (b :| bs) = a :| (as ++ b : bs)

instance Semigroup b => Semigroup (a -> b) where
  f <> g = \x -> f x <> g x
  stimes n f = \x -> stimes n (f x)

instance Monoid b => Monoid (a -> b) where
  mempty _ = mempty

instance Semigroup () where
  _ <> _      = ()
  sconcat _   = ()
  stimes _ _  = ()

instance Monoid () where
  mempty    = ()
  mconcat _ = ()

instance Semigroup Ordering where
  LT <> _ = LT
  EQ <> y = y
  GT <> _ = GT
  stimes n x
    | n < 0     = errorWithoutStackTrace "stimesIdempotentMonoid: negative multiplier"
    | n == 0    = EQ
    | otherwise = x

instance Monoid Ordering where
  mempty = EQ

instance Semigroup a => Semigroup (Maybe a) where
  Nothing <> b       = b
  a       <> Nothing = a
  Just a  <> Just b  = Just (a <> b)
  stimes _ Nothing = Nothing
  stimes n (Just a) = case compare n 0 of
    LT -> errorWithoutStackTrace "stimes: Maybe, negative multiplier"
    EQ -> Nothing
    GT -> Just (stimes n a)

instance Semigroup a => Monoid (Maybe a) where
  mempty = Nothing

instance Semigroup (Either a b) where
  Left _ <> b = b
  a      <> _ = a

instance Semigroup a => Semigroup (IO a) where
  a <> b = liftA2 (<>) a b

instance Monoid a => Monoid (IO a) where
  mempty = pure mempty

instance Semigroup (Proxy t) where
  _ <> _ = Proxy

instance Monoid (Proxy t) where
  mempty = Proxy

instance (Semigroup a, Semigroup b) => Semigroup (a, b) where
  (a, b) <> (a', b') = (a <> a', b <> b')

instance (Monoid a, Monoid b) => Monoid (a, b) where
  mempty = (mempty, mempty)

instance (Semigroup a, Semigroup b, Semigroup c) => Semigroup (a, b, c) where
  (a, b, c) <> (a', b', c') = (a <> a', b <> b', c <> c')

instance (Monoid a, Monoid b, Monoid c) => Monoid (a, b, c) where
  mempty = (mempty, mempty, mempty)

instance (Semigroup a, Semigroup b, Semigroup c, Semigroup d) => Semigroup (a, b, c, d) where
  (a, b, c, d) <> (a', b', c', d') = (a <> a', b <> b', c <> c', d <> d')

instance (Monoid a, Monoid b, Monoid c, Monoid d) => Monoid (a, b, c, d) where
  mempty = (mempty, mempty, mempty, mempty)

instance (Semigroup a, Semigroup b, Semigroup c, Semigroup d, Semigroup e) => Semigroup (a, b, c, d, e) where
  (a, b, c, d, e) <> (a', b', c', d', e') = (a <> a', b <> b', c <> c', d <> d', e <> e')

instance (Monoid a, Monoid b, Monoid c, Monoid d, Monoid e) => Monoid (a, b, c, d, e) where
  mempty = (mempty, mempty, mempty, mempty, mempty)

-- * Functors and monads

class Functor f where
  fmap :: (a -> b) -> f a -> f b
  (<$) :: a -> f b -> f a
  (<$) x = fmap (const x)

class Functor f => Applicative f where
  pure   :: a -> f a
  (<*>)  :: f (a -> b) -> f a -> f b
  liftA2 :: (a -> b -> c) -> f a -> f b -> f c
  (*>)   :: f a -> f b -> f b
  (<*)   :: f a -> f b -> f a
  (<*>)        = liftA2 id
  liftA2 f x y = fmap f x <*> y
  a *> b       = (id <$ a) <*> b
  a <* b       = liftA2 const a b

class Applicative m => Monad m where
  (>>=)  :: m a -> (a -> m b) -> m b
  (>>)   :: m a -> m b -> m b
  return :: a -> m a
  m >> k = m >>= \_ -> k
  return = pure

class Monad m => MonadFail m where
  fail :: String -> m a

class Applicative f => Alternative f where
  empty :: f a
  (<|>) :: f a -> f a -> f a
  some  :: f a -> f [a]
  many  :: f a -> f [a]
  some v = some_v
    where many_v = some_v <|> pure []
          some_v = liftA2 (:) v many_v
  many v = many_v
    where many_v = some_v <|> pure []
          some_v = liftA2 (:) v many_v

class (Alternative m, Monad m) => MonadPlus m where
  mzero :: m a
  mplus :: m a -> m a -> m a
  mzero = empty
  mplus = (<|>)

(<$>) :: Functor f => (a -> b) -> f a -> f b
f <$> x = fmap f x

(=<<) :: Monad m => (a -> m b) -> m a -> m b
f =<< m = m >>= f

-- | Application in terms of bind, for instances of 'Applicative'.
ap :: Monad m => m (a -> b) -> m a -> m b
ap mf mx = mf >>= \f -> mx >>= \x -> return (f x)

liftM :: Monad m => (a -> b) -> m a -> m b
liftM f m = m >>= \x -> return (f x)

when :: Applicative f => Bool -> f () -> f ()
when c act = if c then act else pure ()

instance Functor [] where
  fmap = map

instance Applicative [] where
  pure x        = [x]
  fs <*> xs     = concatMapList (\f -> map f xs) fs
  liftA2 f xs ys = concatMapList (\x -> map (f x) ys) xs
  xs *> ys      = concatMapList (\_ -> ys) xs

instance Monad [] where
  xs >>= f = concatMapList f xs
  (>>)     = (*>)

instance MonadFail [] where
  fail _ = []

instance Alternative [] where
  empty = []
  (<|>) = (++)

instance MonadPlus []

instance Functor Maybe where
  fmap _ Nothing  = Nothing
  fmap f (Just x) = Just (f x)

instance Applicative Maybe where
  pure = Just
  Just f  <*> m = fmap f m
  Nothing <*> _ = Nothing
  liftA2 f (Just x) (Just y) = Just (f x y)
  liftA2 _ _        _        = Nothing
  Just _  *> m = m
  Nothing *> _ = Nothing

instance Monad Maybe where
  Just x  >>= k = k x
  Nothing >>= _ = Nothing
  (>>) = (*>)

instance MonadFail Maybe where
  fail _ = Nothing

instance Alternative Maybe where
  empty = Nothing
  Nothing <|> r = r
  l       <|> _ = l

instance MonadPlus Maybe

instance Functor (Either e) where
  fmap _ (Left e)  = Left e
  fmap f (Right x) = Right (f x)

instance Applicative (Either e) where
  pure = Right
  Left e  <*> _ = Left e
  Right f <*> r = fmap f r

instance Monad (Either e) where
  Left e  >>= _ = Left e
  Right x >>= k = k x

instance Functor ((->) r) where
  fmap = (.)

instance Applicative ((->) r) where
  pure x       = \_ -> x
  f <*> g      = \r -> f r (g r)
  liftA2 q f g = \r -> q (f r) (g r)

instance Monad ((->) r) where
  f >>= k = \r -> k (f r) r

instance Functor ((,) a) where
  fmap f (a, x) = (a, f x)

instance Monoid a => Applicative ((,) a) where
  pure x            = (mempty, x)
  (u, f) <*> (v, x) = (u <> v, f x)
  liftA2 f (u, x) (v, y) = (u <> v, f x y)

instance Monoid a => Monad ((,) a) where
  (u, x) >>= k = case k x of (v, y) -> (u <> v, y)

instance Functor NonEmpty where
  fmap f (a :| as) = f a :| map f as

instance Applicative NonEmpty where
  pure a = a :| []
  (<*>)  = ap

instance Monad NonEmpty where
  (a :| as) >>= f = case f a of
    b :| bs -> b :| (bs ++ concatMapList (\x -> case f x of c :| cs -> c : cs) as)

instance Functor Proxy where
  fmap _ _ = Proxy

instance Applicative Proxy where
  pure _  = Proxy
  _ <*> _ = Proxy

instance Monad Proxy where
  _ >>= _ = Proxy

instance Functor IO where
  fmap f m = primIoBind m (\x -> primIoReturn (f x))

instance Applicative IO where
  pure         = primIoReturn
  mf <*> mx    = primIoBind mf (\f -> primIoBind mx (\x -> primIoReturn (f x)))
  liftA2 f a b = primIoBind a (\x -> primIoBind b (\y -> primIoReturn (f x y)))
  a *> b       = primIoBind a (\_ -> b)
  a <* b       = primIoBind a (\x -> primIoBind b (\_ -> primIoReturn x))

instance Monad IO where
  (>>=)  = primIoBind
  a >> b = primIoBind a (\_ -> b)

instance MonadFail IO where
  fail msg = ioError (userError msg)

instance Alternative IO where
  empty   = ioError (userError "mzero")
  a <|> b = primCatch a (\e -> case fromException e of
                                 Just io -> const b (io :: IOException)
                                 Nothing -> primRaiseIO e)

instance MonadPlus IO

-- * Folding and traversing

newtype Endo a = Endo { appEndo :: a -> a }

instance Semigroup (Endo a) where
  Endo f <> Endo g = Endo (f . g)
  stimes = stimesMonoid

instance Monoid (Endo a) where
  mempty = Endo id

class Foldable t where
  fold     :: Monoid m => t m -> m
  foldMap  :: Monoid m => (a -> m) -> t a -> m
  foldMap' :: Monoid m => (a -> m) -> t a -> m
  foldr    :: (a -> b -> b) -> b -> t a -> b
  foldr'   :: (a -> b -> b) -> b -> t a -> b
  foldl    :: (b -> a -> b) -> b -> t a -> b
  foldl'   :: (b -> a -> b) -> b -> t a -> b
  foldr1   :: (a -> a -> a) -> t a -> a
  foldl1   :: (a -> a -> a) -> t a -> a
  toList   :: t a -> [a]
  null     :: t a -> Bool
  length   :: t a -> Int
  elem     :: Eq a => a -> t a -> Bool
  maximum  :: Ord a => t a -> a
  minimum  :: Ord a => t a -> a
  sum      :: Num a => t a -> a
  product  :: Num a => t a -> a

  fold             = foldMap id
  foldMap f        = foldr (\x r -> f x <> r) mempty
  foldMap' f       = foldl' (\acc x -> acc <> f x) mempty
  foldr f z t      = appEndo (foldMap (\x -> Endo (f x)) t) z
  foldr' f z0 xs   = foldl (\k x z -> k $! f x z) id xs z0
  foldl f z0 xs    = foldr (\x k z -> k (f z x)) id xs z0
  foldl' f z0 xs   = foldr (\x k z -> k $! f z x) id xs z0
  foldr1 f xs      = fromJustOr "foldr1: empty structure" (foldr step Nothing xs)
    where step x r = Just (case r of { Nothing -> x; Just y -> f x y })
  foldl1 f xs      = fromJustOr "foldl1: empty structure" (foldl step Nothing xs)
    where step r y = Just (case r of { Nothing -> y; Just x -> f x y })
  toList           = foldr (:) []
  null             = foldr (\_ _ -> False) True
  length           = foldl' (\n _ -> primIntAdd n 1) 0
  elem x           = any (== x)
  maximum xs       = fromJustOr "maximum: empty structure" (foldl' step Nothing xs)
    where step r y = Just $! (case r of { Nothing -> y; Just x -> max x y })
  minimum xs       = fromJustOr "minimum: empty structure" (foldl' step Nothing xs)
    where step r y = Just $! (case r of { Nothing -> y; Just x -> min x y })
  sum              = foldl' (+) 0
  product          = foldl' (*) 1

fromJustOr :: String -> Maybe a -> a
fromJustOr msg Nothing  = errorWithoutStackTrace msg
fromJustOr _   (Just x) = x

instance Foldable [] where
  fold         = mconcat
  foldMap f xs = mconcat (map f xs)
  foldr f z    = go
    where go []     = z
          go (x:xs) = f x (go xs)
  foldl f      = go
    where go z []     = z
          go z (x:xs) = go (f z x) xs
  foldl' f     = go
    where go !z []     = z
          go !z (x:xs) = go (f z x) xs
  foldr1 f     = go
    where go [x]    = x
          go (x:xs) = f x (go xs)
          go []     = errorEmptyList "foldr1"
  foldl1 f (x:xs) = foldl f x xs
  foldl1 _ []     = errorEmptyList "foldl1"
  toList xs    = xs
  null []      = True
  null (_:_)   = False
  length       = go 0
    where go !n []     = n
          go !n (_:xs) = go (primIntAdd n 1) xs
  elem x       = go
    where go []     = False
          go (y:ys) = x == y || go ys
  maximum []     = errorEmptyList "maximum"
  maximum (x:xs) = foldl' max x xs
  minimum []     = errorEmptyList "minimum"
  minimum (x:xs) = foldl' min x xs

instance Foldable Maybe where
  foldMap f m = case m of { Nothing -> mempty; Just x -> f x }
  foldr _ z Nothing  = z
  foldr f z (Just x) = f x z
  foldl _ z Nothing  = z
  foldl f z (Just x) = f z x

instance Foldable (Either e) where
  foldMap _ (Left _)  = mempty
  foldMap f (Right y) = f y
  foldr _ z (Left _)  = z
  foldr f z (Right y) = f y z
  length (Left _)     = 0
  length (Right _)    = 1
  null (Left _)       = True
  null (Right _)      = False

instance Foldable ((,) a) where
  foldMap f (_, y) = f y
  foldr f z (_, y) = f y z
  length _         = 1
  null _           = False

instance Foldable NonEmpty where
  foldMap f (a :| as) = f a <> foldMap f as
  foldr f z (a :| as) = f a (foldr f z as)
  foldl f z (a :| as) = foldl f (f z a) as
  foldl1 f (a :| as)  = foldl f a as
  toList (a :| as)    = a : as
  length (_ :| as)    = 1 + length as
  null _              = False

instance Foldable Proxy where
  foldMap _ _ = mempty
  foldr _ z _ = z

class (Functor t, Foldable t) => Traversable t where
  traverse  :: Applicative f => (a -> f b) -> t a -> f (t b)
  sequenceA :: Applicative f => t (f a) -> f (t a)
  mapM      :: Monad m => (a -> m b) -> t a -> m (t b)
  sequence  :: Monad m => t (m a) -> m (t a)
  traverse f = sequenceA . fmap f
  sequenceA  = traverse id
  mapM       = traverse
  sequence   = sequenceA

instance Traversable [] where
  traverse f = go
    where go []     = pure []
          go (x:xs) = liftA2 (:) (f x) (go xs)

instance Traversable Maybe where
  traverse _ Nothing  = pure Nothing
  traverse f (Just x) = fmap Just (f x)

instance Traversable (Either e) where
  traverse _ (Left e)  = pure (Left e)
  traverse f (Right x) = fmap Right (f x)

instance Traversable ((,) a) where
  traverse f (a, x) = fmap ((,) a) (f x)

instance Traversable NonEmpty where
  traverse f (a :| as) = liftA2 (:|) (f a) (traverse f as)

instance Traversable Proxy where
  traverse _ _ = pure Proxy

and, or :: Foldable t => t Bool -> Bool
and = foldr (&&) True
or  = foldr (||) False

any, all :: Foldable t => (a -> Bool) -> t a -> Bool
any p = foldr (\x r -> p x || r) False
all p = foldr (\x r -> p x && r) True

notElem :: (Foldable t, Eq a) => a -> t a -> Bool
notElem x xs = not (elem x xs)

concat :: Foldable t => t [a] -> [a]
concat = foldr (++) []

concatMap :: Foldable t => (a -> [b]) -> t a -> [b]
concatMap f = foldr (\x r -> f x ++ r) []

mapM_ :: (Foldable t, Monad m) => (a -> m b) -> t a -> m ()
mapM_ f = foldr (\x k -> f x >> k) (return ())

sequence_ :: (Foldable t, Monad m) => t (m a) -> m ()
sequence_ = foldr (\m k -> m >> k) (return ())

-- * Lists

errorEmptyList :: String -> a
errorEmptyList fun = errorWithoutStackTrace ("Prelude." ++ fun ++ ": empty list")

map :: (a -> b) -> [a] -> [b]
map f = go
  where go []     = []
        go (x:xs) = f x : go xs

(++) :: [a] -> [a] -> [a]
xs ++ ys = go xs
  where go []     = ys
        go (z:zs) = z : go zs

filter :: (a -> Bool) -> [a] -> [a]
filter p = go
  where go [] = []
        go (x:xs) | p x       = x : go xs
                  | otherwise = go xs

-- | 'concatMap' on lists; list comprehensions may be compiled to it.
concatMapList :: (a -> [b]) -> [a] -> [b]
concatMapList f = go
  where go []     = []
        go (x:xs) = f x ++ go xs

head :: [a] -> a
head (x:_) = x
head []    = errorEmptyList "head"

tail :: [a] -> [a]
tail (_:xs) = xs
tail []     = errorEmptyList "tail"

last :: [a] -> a
last []     = errorEmptyList "last"
last (x:xs) = go x xs
  where go y []     = y
        go _ (y:ys) = go y ys

init :: [a] -> [a]
init []     = errorEmptyList "init"
init (x:xs) = go x xs
  where go _ []     = []
        go y (z:zs) = y : go z zs

(!!) :: [a] -> Int -> a
xs !! n
  | primIntLt n 0 = errorWithoutStackTrace "Prelude.!!: negative index"
  | otherwise     = go xs n
  where go []     _ = errorWithoutStackTrace "Prelude.!!: index too large"
        go (y:ys) i = if primIntEq i 0 then y else go ys (primIntSub i 1)

reverse :: [a] -> [a]
reverse = go []
  where go acc []     = acc
        go acc (x:xs) = go (x : acc) xs

scanl :: (b -> a -> b) -> b -> [a] -> [b]
scanl f q ls = q : (case ls of
                      []   -> []
                      x:xs -> scanl f (f q x) xs)

scanl1 :: (a -> a -> a) -> [a] -> [a]
scanl1 f (x:xs) = scanl f x xs
scanl1 _ []     = []

scanr :: (a -> b -> b) -> b -> [a] -> [b]
scanr _ q0 []     = [q0]
scanr f q0 (x:xs) = f x (head qs) : qs
  where qs = scanr f q0 xs

scanr1 :: (a -> a -> a) -> [a] -> [a]
scanr1 _ []     = []
scanr1 _ [x]    = [x]
scanr1 f (x:xs) = f x (head qs) : qs
  where qs = scanr1 f xs

iterate :: (a -> a) -> a -> [a]
iterate f = go
  where go x = x : go (f x)

repeat :: a -> [a]
repeat x = xs
  where xs = x : xs

replicate :: Int -> a -> [a]
replicate n x = go n
  where go i | primIntLe i 0 = []
             | otherwise     = x : go (primIntSub i 1)

cycle :: [a] -> [a]
cycle [] = errorEmptyList "cycle"
cycle xs = xs'
  where xs' = xs ++ xs'

take :: Int -> [a] -> [a]
take n xs
  | primIntLe n 0 = []
  | otherwise     = case xs of
      []   -> []
      y:ys -> y : take (primIntSub n 1) ys

drop :: Int -> [a] -> [a]
drop n xs
  | primIntLe n 0 = xs
  | otherwise     = case xs of
      []   -> []
      _:ys -> drop (primIntSub n 1) ys

splitAt :: Int -> [a] -> ([a], [a])
splitAt n xs
  | primIntLe n 0 = ([], xs)
  | otherwise     = case xs of
      []   -> ([], [])
      y:ys -> let r = splitAt (primIntSub n 1) ys in (y : fst r, snd r)

takeWhile :: (a -> Bool) -> [a] -> [a]
takeWhile p = go
  where go []     = []
        go (x:xs) | p x       = x : go xs
                  | otherwise = []

dropWhile :: (a -> Bool) -> [a] -> [a]
dropWhile p = go
  where go []         = []
        go xs@(x:xs') | p x       = go xs'
                      | otherwise = xs

span, break :: (a -> Bool) -> [a] -> ([a], [a])
span p = go
  where go []         = ([], [])
        go xs@(x:xs') | p x       = let r = go xs' in (x : fst r, snd r)
                      | otherwise = ([], xs)
break p = span (\x -> not (p x))

lookup :: Eq a => a -> [(a, b)] -> Maybe b
lookup key = go
  where go [] = Nothing
        go ((k, v) : rest) | key == k  = Just v
                           | otherwise = go rest

zip :: [a] -> [b] -> [(a, b)]
zip (a:as) (b:bs) = (a, b) : zip as bs
zip _      _      = []

zip3 :: [a] -> [b] -> [c] -> [(a, b, c)]
zip3 (a:as) (b:bs) (c:cs) = (a, b, c) : zip3 as bs cs
zip3 _      _      _      = []

zipWith :: (a -> b -> c) -> [a] -> [b] -> [c]
zipWith f = go
  where go (a:as) (b:bs) = f a b : go as bs
        go _      _      = []

zipWith3 :: (a -> b -> c -> d) -> [a] -> [b] -> [c] -> [d]
zipWith3 f = go
  where go (a:as) (b:bs) (c:cs) = f a b c : go as bs cs
        go _      _      _      = []

unzip :: [(a, b)] -> ([a], [b])
unzip = foldr (\(a, b) ~(as, bs) -> (a : as, b : bs)) ([], [])

unzip3 :: [(a, b, c)] -> ([a], [b], [c])
unzip3 = foldr (\(a, b, c) ~(as, bs, cs) -> (a : as, b : bs, c : cs)) ([], [], [])

lines :: String -> [String]
lines [] = []
lines s  = fst r : (case snd r of
                      []     -> []
                      _ : s' -> lines s')
  where r = break (\c -> primCharEq c '\n') s

words :: String -> [String]
words s = case dropWhile isSpace s of
  [] -> []
  s' -> let r = break isSpace s' in fst r : words (snd r)

unlines :: [String] -> String
unlines []     = []
unlines (l:ls) = l ++ '\n' : unlines ls

unwords :: [String] -> String
unwords []     = []
unwords (w:ws) = w ++ go ws
  where go []     = []
        go (v:vs) = ' ' : (v ++ go vs)

-- * Characters

-- Unicode's general categories in the order of the standard, as the machine
-- numbers them: 0 uppercase letter, 1 lowercase, 2 titlecase, 3 modifier,
-- 4 other letter, 5-7 marks, 8-10 numbers, 11-17 punctuation, 18-21 symbols,
-- 22-24 separators, 25 control, 26 format, 27 surrogate, 28 private, 29 none.

isSpace :: Char -> Bool
isSpace c
  | primCharLt c '\x377' = primCharEq c ' ' || (primCharLe '\t' c && primCharLe c '\r') || primCharEq c '\xa0'
  | otherwise            = primIntEq (primCharCategory c) 22

isDigit :: Char -> Bool
isDigit c = primCharLe '0' c && primCharLe c '9'

isUpper :: Char -> Bool
isUpper c
  | primCharLt c '\x80' = primCharLe 'A' c && primCharLe c 'Z'
  | otherwise = case primCharCategory c of { 0 -> True; 2 -> True; _ -> False }

isLower :: Char -> Bool
isLower c
  | primCharLt c '\x80' = primCharLe 'a' c && primCharLe c 'z'
  | otherwise = primIntEq (primCharCategory c) 1

isAlpha :: Char -> Bool
isAlpha c
  | primCharLt c '\x80' = (primCharLe 'a' c && primCharLe c 'z') || (primCharLe 'A' c && primCharLe c 'Z')
  | otherwise = primIntLe (primCharCategory c) 4

isAlphaNum :: Char -> Bool
isAlphaNum c
  | primCharLt c '\x80' = isAlpha c || isDigit c
  | otherwise = let k = primCharCategory c in primIntLe k 4 || (primIntLe 8 k && primIntLe k 10)

-- * Showing

class Show a where
  showsPrec :: Int -> a -> ShowS
  show      :: a -> String
  showList  :: [a] -> ShowS
  showsPrec _ x s = show x ++ s
  show x          = showsPrec 0 x ""
  showList xs s   = showListWith shows xs s

shows :: Show a => a -> ShowS
shows = showsPrec 0

showChar :: Char -> ShowS
showChar = (:)

showString :: String -> ShowS
showString = (++)

showParen :: Bool -> ShowS -> ShowS
showParen b p = if b then showChar '(' . p . showChar ')' else p

showSpace :: ShowS
showSpace = \xs -> ' ' : xs

showCommaSpace :: ShowS
showCommaSpace = showString ", "

-- | A list in brackets, its elements shown by the given function.
showListWith :: (a -> ShowS) -> [a] -> ShowS
showListWith _     []     s = "[]" ++ s
showListWith showx (x:xs) s = '[' : showx x (go xs)
  where go []     = ']' : s
        go (y:ys) = ',' : showx y (go ys)

instance Show Int where
  showsPrec d n r
    | primIntLt n 0 && primIntLt 6 d = '(' : (primIntShow n ++ (')' : r))
    | otherwise                      = primIntShow n ++ r
  show n = primIntShow n

instance Show Integer where
  showsPrec d n r
    | primIntLt 6 d && primIntegerLt n 0 = '(' : (primIntegerShow n ++ (')' : r))
    | otherwise                          = primIntegerShow n ++ r
  show n = primIntegerShow n

instance Show Word where
  showsPrec _ n r = primIntegerShow (primWordToInteger n) ++ r

instance Show Double where
  showsPrec d x = showSignedReal d (isNegative x) (\y -> showDigits (primDoubleDigits y)) x

instance Show Float where
  showsPrec d x = showSignedReal d (isNegative x) (\y -> showDigits (primFloatDigits y)) x

isNegative :: RealFloat a => a -> Bool
isNegative x = x < 0 || isNegativeZero x

showSignedReal :: RealFloat a => Int -> Bool -> (a -> String) -> a -> ShowS
showSignedReal d negative digits x
  | isNaN x      = showString "NaN"
  | isInfinite x = if negative then showParen (d > 6) (showString "-Infinity") else showString "Infinity"
  | negative     = showParen (d > 6) (showChar '-' . showString (digits (negate x)))
  | otherwise    = showString (digits x)

-- | The digits @0.d1d2... * 10^e@ in Haskell's notation: plain from 0.1 up to
-- ten million, with an exponent otherwise.
showDigits :: ([Int], Int) -> String
showDigits (is, e)
  | 0 < e && e <= 7 = plain e ds
  | e == 0          = "0." ++ ds
  | otherwise       = case ds of
      "0"  -> "0.0"
      [d]  -> d : ".0e" ++ show (e - 1)
      d:rs -> d : '.' : rs ++ 'e' : show (e - 1)
      []   -> "0.0"
  where
    ds = map intToDigit is
    plain :: Int -> String -> String
    plain 0 rest     = '.' : (if null rest then "0" else rest)
    plain n []       = '0' : plain (n - 1) []
    plain n (c:rest) = c : plain (n - 1) rest

-- | The digit for a value up to fifteen, in lower case.
intToDigit :: Int -> Char
intToDigit i
  | i >= 0 && i <= 9   = primCharChr (48 + i)
  | i >= 10 && i <= 15 = primCharChr (87 + i)
  | otherwise          = errorWithoutStackTrace ("Char.intToDigit: not a digit " ++ show i)

instance Show Char where
  showsPrec _ '\'' = showString "'\\''"
  showsPrec _ c    = showChar '\'' . showLitChar c . showChar '\''
  showList cs      = showChar '"' . showLitString cs . showChar '"'

showLitString :: String -> ShowS
showLitString []       s = s
showLitString (c : cs) s
  | primCharEq c '"' = '\\' : '"' : showLitString cs s
  | otherwise        = showLitChar c (showLitString cs s)

showLitChar :: Char -> ShowS
showLitChar c s
  | primCharLt '\DEL' c = '\\' : protect isDigit (primIntShow (primCharOrd c)) s
  | primCharLe ' ' c    = case c of
      '\DEL' -> "\\DEL" ++ s
      '\\'   -> "\\\\" ++ s
      _      -> c : s
  | otherwise = case c of
      '\a'  -> "\\a" ++ s
      '\b'  -> "\\b" ++ s
      '\f'  -> "\\f" ++ s
      '\n'  -> "\\n" ++ s
      '\r'  -> "\\r" ++ s
      '\t'  -> "\\t" ++ s
      '\v'  -> "\\v" ++ s
      '\SO' -> protect (== 'H') "\\SO" s
      _     -> '\\' : (controlNames !! primCharOrd c ++ s)
  where
    -- Keep an escape apart from a character that would continue it.
    protect p esc rest = esc ++ (case rest of
      r : _ | p r -> "\\&" ++ rest
      _           -> rest)

controlNames :: [String]
controlNames =
  [ "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL"
  , "BS",  "HT",  "LF",  "VT",  "FF",  "CR",  "SO",  "SI"
  , "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB"
  , "CAN", "EM",  "SUB", "ESC", "FS",  "GS",  "RS",  "US", "SP" ]

instance Show a => Show [a] where
  showsPrec _ = showList

instance Show a => Show (NonEmpty a) where
  showsPrec d (a :| as) = showParen (d > 5) (showsPrec 6 a . showString " :| " . showsPrec 6 as)

instance Show (Proxy t) where
  showsPrec _ _ = showString "Proxy"

instance Show () where
  showsPrec _ () = showString "()"

showTuple :: [ShowS] -> ShowS
showTuple ss = showChar '(' . foldr1 (\s r -> s . showChar ',' . r) ss . showChar ')'

instance (Show a, Show b) => Show (a, b) where
  showsPrec _ (a, b) = showTuple [shows a, shows b]

instance (Show a, Show b, Show c) => Show (a, b, c) where
  showsPrec _ (a, b, c) = showTuple [shows a, shows b, shows c]

instance (Show a, Show b, Show c, Show d) => Show (a, b, c, d) where
  showsPrec _ (a, b, c, d) = showTuple [shows a, shows b, shows c, shows d]

instance (Show a, Show b, Show c, Show d, Show e) => Show (a, b, c, d, e) where
  showsPrec _ (a, b, c, d, e) = showTuple [shows a, shows b, shows c, shows d, shows e]

instance (Show a, Show b, Show c, Show d, Show e, Show f) => Show (a, b, c, d, e, f) where
  showsPrec _ (a, b, c, d, e, f) = showTuple [shows a, shows b, shows c, shows d, shows e, shows f]

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g) => Show (a, b, c, d, e, f, g) where
  showsPrec _ (a, b, c, d, e, f, g) = showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g]

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h)
      => Show (a, b, c, d, e, f, g, h) where
  showsPrec _ (a, b, c, d, e, f, g, h) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h]

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i)
      => Show (a, b, c, d, e, f, g, h, i) where
  showsPrec _ (a, b, c, d, e, f, g, h, i) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i]

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j)
      => Show (a, b, c, d, e, f, g, h, i, j) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j]

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j, Show k)
      => Show (a, b, c, d, e, f, g, h, i, j, k) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j, k) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j, shows k]

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j, Show k
          , Show l)
      => Show (a, b, c, d, e, f, g, h, i, j, k, l) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j, k, l) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j, shows k, shows l]

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j, Show k
          , Show l, Show m)
      => Show (a, b, c, d, e, f, g, h, i, j, k, l, m) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j, k, l, m) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j, shows k, shows l, shows m]

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j, Show k
          , Show l, Show m, Show n)
      => Show (a, b, c, d, e, f, g, h, i, j, k, l, m, n) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j, k, l, m, n) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j, shows k, shows l, shows m, shows n]

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j, Show k
          , Show l, Show m, Show n, Show o)
      => Show (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j, shows k, shows l, shows m, shows n, shows o]

-- * Reading: parsers

-- | A parser in the making: what it does next with its input.  The choices of
-- a parse are followed side by side, so that no input is read twice.
data P a
  = Get (Char -> P a)
  | Look (String -> P a)
  | Fail
  | Result a (P a)
  | Final [(a, String)]

instance Functor P where
  fmap = liftM

instance Applicative P where
  pure x = Result x Fail
  (<*>)  = ap

instance Monad P where
  Get f      >>= k = Get (\c -> f c >>= k)
  Look f     >>= k = Look (\s -> f s >>= k)
  Fail       >>= _ = Fail
  Result x p >>= k = k x <|> (p >>= k)
  Final rs   >>= k = final [ys | (x, s) <- rs, ys <- runP (k x) s]

instance MonadFail P where
  fail _ = Fail

instance Alternative P where
  empty = Fail
  Get f      <|> Get g      = Get (\c -> f c <|> g c)
  Result x p <|> q          = Result x (p <|> q)
  p          <|> Result x q = Result x (p <|> q)
  Fail       <|> p          = p
  p          <|> Fail       = p
  Final r    <|> Final t    = Final (r ++ t)
  Final r    <|> Look f     = Look (\s -> Final (r ++ runP (f s) s))
  Final r    <|> p          = Look (\s -> Final (r ++ runP p s))
  Look f     <|> Final r    = Look (\s -> Final (runP (f s) s ++ r))
  p          <|> Final r    = Look (\s -> Final (runP p s ++ r))
  Look f     <|> Look g     = Look (\s -> f s <|> g s)
  Look f     <|> p          = Look (\s -> f s <|> p)
  p          <|> Look f     = Look (\s -> p <|> f s)

instance MonadPlus P

final :: [(a, String)] -> P a
final [] = Fail
final rs = Final rs

runP :: P a -> ReadS a
runP (Get f)      (c:s) = runP (f c) s
runP (Look f)     s     = runP (f s) s
runP (Result x p) s     = (x, s) : runP p s
runP (Final rs)   _     = rs
runP _            _     = []

newtype ReadP a = ReadP (P a)

unReadP :: ReadP a -> P a
unReadP (ReadP p) = p

instance Functor ReadP where
  fmap f (ReadP p) = ReadP (fmap f p)

instance Applicative ReadP where
  pure x = ReadP (Result x Fail)
  (<*>)  = ap

instance Monad ReadP where
  ReadP p >>= k = ReadP (p >>= \x -> unReadP (k x))

instance MonadFail ReadP where
  fail _ = ReadP Fail

instance Alternative ReadP where
  empty = ReadP Fail
  ReadP p <|> ReadP q = ReadP (p <|> q)

instance MonadPlus ReadP

readP_to_S :: ReadP a -> ReadS a
readP_to_S (ReadP p) = runP p

readS_to_P :: ReadS a -> ReadP a
readS_to_P r = ReadP (Look (\s -> final (r s)))

-- | A parser that is told the precedence of its context.
newtype ReadPrec a = ReadPrec (Int -> ReadP a)

instance Functor ReadPrec where
  fmap f (ReadPrec r) = ReadPrec (\n -> fmap f (r n))

instance Applicative ReadPrec where
  pure x = ReadPrec (\_ -> pure x)
  (<*>)  = ap

instance Monad ReadPrec where
  ReadPrec r >>= k = ReadPrec (\n -> r n >>= \x -> case k x of ReadPrec r' -> r' n)

instance MonadFail ReadPrec where
  fail _ = ReadPrec (\_ -> ReadP Fail)

instance Alternative ReadPrec where
  empty = ReadPrec (\_ -> ReadP Fail)
  ReadPrec f <|> ReadPrec g = ReadPrec (\n -> f n <|> g n)

instance MonadPlus ReadPrec

readPrec_to_P :: ReadPrec a -> Int -> ReadP a
readPrec_to_P (ReadPrec r) = r

readPrec_to_S :: ReadPrec a -> Int -> ReadS a
readPrec_to_S (ReadPrec r) n = readP_to_S (r n)

readS_to_Prec :: (Int -> ReadS a) -> ReadPrec a
readS_to_Prec r = ReadPrec (\n -> readS_to_P (r n))

-- * Reading: the class

class Read a where
  readsPrec    :: Int -> ReadS a
  readList     :: ReadS [a]
  readPrec     :: ReadPrec a
  readListPrec :: ReadPrec [a]
  readsPrec    = readPrec_to_S readPrec
  readList     = readListWith reads
  readPrec     = readS_to_Prec readsPrec
  readListPrec = readS_to_Prec (\_ -> readList)

reads :: Read a => ReadS a
reads = readsPrec 0

read :: Read a => String -> a
read s = either errorWithoutStackTrace id (readEither s)

readEither :: Read a => String -> Either String a
readEither s = case [x | (x, t) <- reads s, all isSpace t] of
  [x] -> Right x
  []  -> Left "Prelude.read: no parse"
  _   -> Left "Prelude.read: ambiguous parse"

-- | Parentheses around, required or allowed.
readParen :: Bool -> ReadS a -> ReadS a
readParen needed g = if needed then mandatory else optional
  where
    optional r  = g r ++ mandatory r
    mandatory r = case skipSpaces r of
      '(' : s -> [(x, u) | (x, t) <- optional s, (")", u) <- lex t]
      _       -> []

skipSpaces :: String -> String
skipSpaces = dropWhile isSpace

readListWith :: ReadS a -> ReadS [a]
readListWith readx = readParen False (\r -> case skipSpaces r of
    '[' : s -> first s
    _       -> [])
  where
    first s = case skipSpaces s of
      ']' : t -> [([], t)]
      t       -> [(x : xs, v) | (x, u) <- readx t, (xs, v) <- rest u]
    rest s = case skipSpaces s of
      ']' : t -> [([], t)]
      ',' : t -> [(x : xs, v) | (x, u) <- readx t, (xs, v) <- rest u]
      _       -> []

-- | The next lexeme of Haskell and what follows it; the empty lexeme at the
-- end of the input, no result where none begins.
lex :: ReadS String
lex s = case skipSpaces s of
  []        -> [("", "")]
  c : rest
    | c == '"'             -> [('"' : str, t) | (str, t) <- lexString rest]
    | c == '\''            -> [('\'' : ch ++ "'", t) | (ch, '\'' : t) <- lexQuoted rest, ch /= "'"]
    | isSingle c           -> [([c], rest)]
    | isSymbolChar c       -> case span isSymbolChar rest of (sym, t) -> [(c : sym, t)]
    | isAlpha c || c == '_' -> case span isIdChar rest of (nam, t) -> [(c : nam, t)]
    | isDigit c            -> lexNumber c rest
    | otherwise            -> []
  where
    isSingle c = c `elem` ",;()[]{}`"
    isIdChar c = isAlphaNum c || c == '_' || c == '\''
    lexString r = case r of
      '"' : t       -> [("\"", t)]
      '\\' : '&' : t -> [('\\' : '&' : str, u) | (str, u) <- lexString t]
      '\\' : d : t | isSpace d -> case dropWhile isSpace t of
        '\\' : u -> [('\\' : '&' : str, v) | (str, v) <- lexString u]
        _        -> []
      _             -> [(ch ++ str, u) | (ch, t) <- lexQuoted r, (str, u) <- lexString t]
    -- One character or escape of a literal, as written.
    lexQuoted r = case r of
      '\\' : t -> [('\\' : esc, u) | (esc, u) <- lexEscape t]
      c : t    -> [([c], t)]
      []       -> []

-- | A numeric lexeme: in base 8 or 16, or decimal with fraction and exponent.
lexNumber :: Char -> ReadS String
lexNumber c rest = case (c, rest) of
  ('0', x : d : r) | isHexMark x && isHexDigit d -> case span isHexDigit (d : r) of (ds, t) -> [('0' : x : ds, t)]
                   | isOctMark x && isOctDigit d -> case span isOctDigit (d : r) of (ds, t) -> [('0' : x : ds, t)]
  _ -> case span isDigit rest of
    (ds, t) -> case fraction t of
      (fr, u) -> case expo u of
        (ex, v) -> [(c : ds ++ fr ++ ex, v)]
  where
    isHexMark x = x == 'x' || x == 'X'
    isOctMark x = x == 'o' || x == 'O'
    fraction t = case t of
      '.' : d : r | isDigit d -> case span isDigit r of (ds, u) -> ('.' : d : ds, u)
      _                       -> ("", t)
    expo t = case t of
      e : d : r     | isExp e && isDigit d             -> case span isDigit r of (ds, u) -> (e : d : ds, u)
      e : s : d : r | isExp e && isSign s && isDigit d -> case span isDigit r of (ds, u) -> (e : s : d : ds, u)
      _                                                -> ("", t)
    isExp e  = e == 'e' || e == 'E'
    isSign s = s == '+' || s == '-'

isHexDigit, isOctDigit :: Char -> Bool
isHexDigit c = isDigit c || (primCharLe 'a' c && primCharLe c 'f') || (primCharLe 'A' c && primCharLe c 'F')
isOctDigit c = primCharLe '0' c && primCharLe c '7'

isSymbolChar :: Char -> Bool
isSymbolChar c
  | primCharLt c '\x80' = c `elem` "!@#$%&*+./<=>?\\^|:-~"
  | otherwise           = let k = primCharCategory c in k >= 11 && k <= 21

-- | An escape after its backslash, as written.
lexEscape :: ReadS String
lexEscape r = case readEscape r of
  Just (_, t) -> [(take (length r - length t) r, t)]
  Nothing     -> []

-- | The character an escape stands for, without its backslash.
readEscape :: String -> Maybe (Char, String)
readEscape [] = Nothing
readEscape s@(c : t) = case c of
  'a'  -> Just ('\a', t)
  'b'  -> Just ('\b', t)
  'f'  -> Just ('\f', t)
  'n'  -> Just ('\n', t)
  'r'  -> Just ('\r', t)
  't'  -> Just ('\t', t)
  'v'  -> Just ('\v', t)
  '\\' -> Just ('\\', t)
  '"'  -> Just ('"', t)
  '\'' -> Just ('\'', t)
  '^'  -> case t of
    d : u | primCharLe '@' d && primCharLe d '_' -> Just (primCharChr (primCharOrd d - 64), u)
    _ -> Nothing
  'x' | startsWith isHexDigit t -> code 16 isHexDigit t
  'o' | startsWith isOctDigit t -> code 8 isOctDigit t
  _ | isDigit c -> code 10 isDigit s
    | otherwise -> named
  where
    startsWith p u = case u of { d : _ -> p d; [] -> False }
    code base p u = case span p u of
      (ds, v) -> let n = digitsToInteger base ds
                 in if n <= 1114111 then Just (primCharChr (primIntegerToInt n), v) else Nothing
    -- Longer names first: SOH before SO.
    named = search (("SOH", '\SOH') : ("DEL", '\DEL') : zip (take 32 controlNames) (enumFrom '\NUL'))
    search [] = Nothing
    search ((nm, ch) : more) = case stripName nm s of
      Just u  -> Just (ch, u)
      Nothing -> search more
    stripName [] u = Just u
    stripName (x:xs) (y:ys) | x == y = stripName xs ys
    stripName _ _ = Nothing

-- | The value of a digit in bases up to sixteen.
digitToInt :: Char -> Int
digitToInt c
  | isDigit c                            = primCharOrd c - 48
  | primCharLe 'a' c && primCharLe c 'f' = primCharOrd c - 87
  | primCharLe 'A' c && primCharLe c 'F' = primCharOrd c - 55
  | otherwise = errorWithoutStackTrace ("Char.digitToInt: not a digit " ++ show c)

-- | The number written by a string of digits.  Digits are first gathered in
-- machine integers, and those combined by halves, which keeps long numbers
-- from costing the square of their length.
digitsToInteger :: Int -> String -> Integer
digitsToInteger base s0 = join (primIntToInteger base ^ chunk) (chunks s0)
  where
    chunk = 15 :: Int
    -- Most significant first; the last chunk is padded by scaling at the end.
    chunks s = let n = length s
                   k = n `rem` chunk
               in if k == 0 then groups s else value (take k s) : groups (drop k s)
    groups [] = []
    groups s  = value (take chunk s) : groups (drop chunk s)
    value ds = primIntToInteger (foldl' (\a d -> a * base + digitToInt d) 0 ds)
    join _ []  = 0
    join _ [n] = n
    join b ns  = join (b * b) (if even (length ns) then pairs b ns else head ns : pairs b (tail ns))
    pairs b (x:y:r) = (x * b + y) : pairs b r
    pairs _ r       = r

-- | Read a number with an optional sign, given how to understand its lexeme.
-- A sign needs no parentheses in any context, as in GHC.
readNumber :: Num a => (String -> [a]) -> Int -> ReadS a
readNumber convert _ = readParen False (\r -> case lex r of
  [("-", s)] -> [(negate n, t) | (tok, t) <- lex s, n <- convert tok]
  [(tok, t)] -> [(n, t) | n <- convert tok]
  _          -> [])

-- | The whole number a lexeme stands for.
integerLexeme :: String -> [Integer]
integerLexeme tok = case tok of
  '0' : x : ds@(_:_) | x == 'x' || x == 'X' -> [digitsToInteger 16 ds]
                     | x == 'o' || x == 'O' -> [digitsToInteger 8 ds]
  _ : _ | all isDigit tok -> [digitsToInteger 10 tok]
  _ -> []

-- | The fraction a lexeme stands for, as a mantissa and a power of ten.
decimalLexeme :: String -> [(Integer, Integer)]
decimalLexeme tok = case integerPart of
  ("", _)  -> []
  (ds, t) -> case t of
    '.' : u -> case span isDigit u of
      (fs, v) -> [(digitsToInteger 10 (ds ++ fs), ex - primIntToInteger (length fs)) | ex <- expo v]
    u       -> [(digitsToInteger 10 ds, ex) | ex <- expo u]
  where
    integerPart = span isDigit tok
    expo []             = [0]
    expo (_ : '-' : ds) = [negate (digitsToInteger 10 ds)]
    expo (_ : '+' : ds) = [digitsToInteger 10 ds]
    expo (_ : ds)       = if all isDigit ds then [digitsToInteger 10 ds] else []

floatingLexeme :: RealFloat a => String -> [a]
floatingLexeme "NaN"      = [0 / 0]
floatingLexeme "Infinity" = [1 / 0]
floatingLexeme tok        = case tok of
  '0' : x : _ | x == 'x' || x == 'X' || x == 'o' || x == 'O' -> map fromInteger (integerLexeme tok)
  _ -> [scale m e | (m, e) <- decimalLexeme tok]
  where
    scale m e
      | m == 0           = 0
      | size + e > 400   = 1 / 0
      | size + e < -400  = 0
      | e >= 0           = fromRational ((m * 10 ^ e) :% 1)
      | otherwise        = fromRational (m % (10 ^ negate e))
      where size = (primIntToInteger (primIntegerBitLength m) * 3) `quot` 10

instance Read Int where
  readsPrec = readNumber (\tok -> map fromInteger (integerLexeme tok))

instance Read Integer where
  readsPrec = readNumber integerLexeme

instance Read Word where
  readsPrec = readNumber (\tok -> map fromInteger (integerLexeme tok))

instance Read Double where
  readsPrec = readNumber floatingLexeme

instance Read Float where
  readsPrec = readNumber floatingLexeme

instance Read Char where
  readsPrec _ = readParen False (\r -> case skipSpaces r of
    '\'' : s -> case s of
      '\\' : t -> case readEscape t of
        Just (c, '\'' : u) -> [(c, u)]
        _                  -> []
      c : '\'' : u | c /= '\'' -> [(c, u)]
      _ -> []
    _ -> [])
  readList r0 = readParen False string r0 ++ readListWith reads r0
    where
      string r = case skipSpaces r of
        '"' : s -> body s
        _       -> []
      body s = case s of
        '"' : t        -> [("", t)]
        '\\' : '&' : t -> body t
        '\\' : c : t | isSpace c -> case dropWhile isSpace t of
          '\\' : u -> body u
          _        -> []
        '\\' : t       -> case readEscape t of
          Just (c, u) -> [(c : cs, v) | (cs, v) <- body u]
          Nothing     -> []
        c : t          -> [(c : cs, v) | (cs, v) <- body t]
        []             -> []

instance Read a => Read [a] where
  readsPrec _ = readList

instance Read a => Read (NonEmpty a) where
  readsPrec d = readParen (d > 5)
    (\r -> [(a :| as, u) | (a, s) <- readsPrec 6 r, (":|", t) <- lex s, (as, u) <- readsPrec 6 t])

instance Read (Proxy t) where
  readsPrec _ = readParen False (\r -> [(Proxy, s) | ("Proxy", s) <- lex r])

instance Read () where
  readsPrec _ = readParen False (\r -> [((), t) | ("(", s) <- lex r, (")", t) <- lex s])

instance (Read a, Read b) => Read (a, b) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b), s2) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (")", s2) <- lex t1 ])

instance (Read a, Read b, Read c) => Read (a, b, c) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c), s3) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (",", s2) <- lex t1, (c, t2) <- reads s2,
        (")", s3) <- lex t2 ])

instance (Read a, Read b, Read c, Read d) => Read (a, b, c, d) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d), s4) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (",", s2) <- lex t1, (c, t2) <- reads s2,
        (",", s3) <- lex t2, (d, t3) <- reads s3, (")", s4) <- lex t3 ])

instance (Read a, Read b, Read c, Read d, Read e) => Read (a, b, c, d, e) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d, e), s5) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (",", s2) <- lex t1, (c, t2) <- reads s2,
        (",", s3) <- lex t2, (d, t3) <- reads s3, (",", s4) <- lex t3,
        (e, t4) <- reads s4, (")", s5) <- lex t4 ])

instance (Read a, Read b, Read c, Read d, Read e, Read f) => Read (a, b, c, d, e, f) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d, e, f), s6) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (",", s2) <- lex t1, (c, t2) <- reads s2,
        (",", s3) <- lex t2, (d, t3) <- reads s3, (",", s4) <- lex t3,
        (e, t4) <- reads s4, (",", s5) <- lex t4, (f, t5) <- reads s5,
        (")", s6) <- lex t5 ])

instance (Read a, Read b, Read c, Read d, Read e, Read f, Read g) => Read (a, b, c, d, e, f, g) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d, e, f, g), s7) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (",", s2) <- lex t1, (c, t2) <- reads s2,
        (",", s3) <- lex t2, (d, t3) <- reads s3, (",", s4) <- lex t3,
        (e, t4) <- reads s4, (",", s5) <- lex t4, (f, t5) <- reads s5,
        (",", s6) <- lex t5, (g, t6) <- reads s6, (")", s7) <- lex t6 ])

-- * Indices

class Ord a => Ix a where
  range           :: (a, a) -> [a]
  index           :: (a, a) -> a -> Int
  unsafeIndex     :: (a, a) -> a -> Int
  inRange         :: (a, a) -> a -> Bool
  rangeSize       :: (a, a) -> Int
  unsafeRangeSize :: (a, a) -> Int

  index b i
    | inRange b i = unsafeIndex b i
    | otherwise   = errorWithoutStackTrace "Error in array index"
  unsafeIndex b i = index b i
  rangeSize b@(_, h)
    | inRange b h = unsafeIndex b h + 1
    | otherwise   = 0
  unsafeRangeSize b@(_, h) = unsafeIndex b h + 1

-- | 'index' for types whose indices can be shown in the error.
indexError :: Show a => (a, a) -> a -> String -> b
indexError rng i tp = errorWithoutStackTrace
  (showString "Ix{" . showString tp . showString "}.index: Index " .
   showParen True (showsPrec 0 i) . showString " out of range " $ showParen True (showsPrec 0 rng) "")

instance Ix Int where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = primIntSub i m
  index b@(m, n) i
    | primIntLe m i && primIntLe i n = primIntSub i m
    | otherwise                      = indexError b i "Int"
  inRange (m, n) i     = primIntLe m i && primIntLe i n

instance Ix Integer where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = primIntegerToInt (i - m)
  index b i
    | inRange b i = unsafeIndex b i
    | otherwise   = indexError b i "Integer"
  inRange (m, n) i     = m <= i && i <= n

instance Ix Word where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = primWordToInt (i - m)
  inRange (m, n) i     = m <= i && i <= n

instance Ix Char where
  range (m, n)         = enumFromTo m n
  unsafeIndex (m, _) i = primCharOrd i - primCharOrd m
  index b i
    | inRange b i = unsafeIndex b i
    | otherwise   = indexError b i "Char"
  inRange (m, n) i     = m <= i && i <= n

instance Ix () where
  range ((), ())           = [()]
  unsafeIndex ((), ()) ()  = 0
  inRange ((), ()) ()      = True
  index b i                = unsafeIndex b i

instance (Ix a, Ix b) => Ix (a, b) where
  range ((l1, l2), (u1, u2)) = [(i1, i2) | i1 <- range (l1, u1), i2 <- range (l2, u2)]
  unsafeIndex ((l1, l2), (u1, u2)) (i1, i2) =
    unsafeIndex (l1, u1) i1 * unsafeRangeSize (l2, u2) + unsafeIndex (l2, u2) i2
  inRange ((l1, l2), (u1, u2)) (i1, i2) = inRange (l1, u1) i1 && inRange (l2, u2) i2

instance (Ix a, Ix b, Ix c) => Ix (a, b, c) where
  range ((l1, l2, l3), (u1, u2, u3)) =
    [(i1, i2, i3) | i1 <- range (l1, u1), i2 <- range (l2, u2), i3 <- range (l3, u3)]
  unsafeIndex ((l1, l2, l3), (u1, u2, u3)) (i1, i2, i3) =
    unsafeIndex (l3, u3) i3 + unsafeRangeSize (l3, u3) *
      (unsafeIndex (l2, u2) i2 + unsafeRangeSize (l2, u2) * unsafeIndex (l1, u1) i1)
  inRange ((l1, l2, l3), (u1, u2, u3)) (i1, i2, i3) =
    inRange (l1, u1) i1 && inRange (l2, u2) i2 && inRange (l3, u3) i3

instance (Ix a, Ix b, Ix c, Ix d) => Ix (a, b, c, d) where
  range ((l1, l2, l3, l4), (u1, u2, u3, u4)) =
    [ (i1, i2, i3, i4) | i1 <- range (l1, u1), i2 <- range (l2, u2)
                       , i3 <- range (l3, u3), i4 <- range (l4, u4)]
  unsafeIndex ((l1, l2, l3, l4), (u1, u2, u3, u4)) (i1, i2, i3, i4) =
    unsafeIndex (l4, u4) i4 + unsafeRangeSize (l4, u4) *
      (unsafeIndex (l3, u3) i3 + unsafeRangeSize (l3, u3) *
        (unsafeIndex (l2, u2) i2 + unsafeRangeSize (l2, u2) * unsafeIndex (l1, u1) i1))
  inRange ((l1, l2, l3, l4), (u1, u2, u3, u4)) (i1, i2, i3, i4) =
    inRange (l1, u1) i1 && inRange (l2, u2) i2 && inRange (l3, u3) i3 && inRange (l4, u4) i4

-- * Exceptions

-- | Any exception, together with what its type can do.  The machine passes
-- values of this type around; nothing else is ever raised.
data SomeException = forall e. Exception e => SomeException e

-- | Types that can be thrown.  Instances are usually empty: the defaults tell
-- exception types apart by the identity of their instances.
class Show e => Exception e where
  toException      :: e -> SomeException
  fromException    :: SomeException -> Maybe e
  displayException :: e -> String
  toException        = SomeException
  fromException      = castException Proxy
  displayException e = show e

castException :: Exception e => Proxy e -> SomeException -> Maybe e
castException wanted (SomeException e)
  | primSameInstance (proxyOf e) wanted = Just (primUnsafeCoerce e)
  | otherwise                           = Nothing

proxyOf :: a -> Proxy a
proxyOf _ = Proxy

instance Show SomeException where
  showsPrec p (SomeException e) = showsPrec p e

instance Exception SomeException where
  toException e      = e
  fromException e    = Just e
  displayException (SomeException e) = displayException e

throw :: Exception e => e -> a
throw e = primRaise (toException e)

-- | Raise when executed, not when evaluated.
primRaiseIO :: SomeException -> IO a
primRaiseIO e = primIoBind (primIoReturn ()) (\_ -> primRaise e)

throwIO :: Exception e => e -> IO a
throwIO e = primRaiseIO (toException e)

catchException :: Exception e => IO a -> (e -> IO a) -> IO a
catchException act handler = primCatch act (\e -> case fromException e of
  Just e' -> handler e'
  Nothing -> primRaiseIO e)

newtype ErrorCall = ErrorCall String
  deriving (Eq, Ord)

instance Show ErrorCall where
  showsPrec _ (ErrorCall msg) = showString msg

instance Exception ErrorCall

error :: String -> a
error msg = throw (ErrorCall msg)

errorWithoutStackTrace :: String -> a
errorWithoutStackTrace msg = throw (ErrorCall msg)

undefined :: a
undefined = error "Prelude.undefined"

data ArithException
  = Overflow | Underflow | LossOfPrecision | DivideByZero | Denormal | RatioZeroDenominator
  deriving (Eq, Ord)

instance Show ArithException where
  showsPrec _ e = showString (case e of
    Overflow             -> "arithmetic overflow"
    Underflow            -> "arithmetic underflow"
    LossOfPrecision      -> "loss of precision"
    DivideByZero         -> "divide by zero"
    Denormal             -> "denormal"
    RatioZeroDenominator -> "Ratio has zero denominator")

instance Exception ArithException

divZeroError, overflowError :: a
divZeroError  = throw DivideByZero
overflowError = throw Overflow

-- | Raised where no rule, alternative or guard applies.
newtype PatternMatchFail = PatternMatchFail String

instance Show PatternMatchFail where
  showsPrec _ (PatternMatchFail msg) = showString msg

instance Exception PatternMatchFail

newtype RecSelError = RecSelError String

instance Show RecSelError where
  showsPrec _ (RecSelError msg) = showString msg

instance Exception RecSelError

newtype RecConError = RecConError String

instance Show RecConError where
  showsPrec _ (RecConError msg) = showString msg

instance Exception RecConError

newtype RecUpdError = RecUpdError String

instance Show RecUpdError where
  showsPrec _ (RecUpdError msg) = showString msg

instance Exception RecUpdError

newtype NoMethodError = NoMethodError String

instance Show NoMethodError where
  showsPrec _ (NoMethodError msg) = showString msg

instance Exception NoMethodError

newtype AssertionFailed = AssertionFailed String

instance Show AssertionFailed where
  showsPrec _ (AssertionFailed msg) = showString msg

instance Exception AssertionFailed

data NonTermination = NonTermination

instance Show NonTermination where
  showsPrec _ NonTermination = showString "<<loop>>"

instance Exception NonTermination

data BlockedIndefinitelyOnMVar = BlockedIndefinitelyOnMVar

instance Show BlockedIndefinitelyOnMVar where
  showsPrec _ BlockedIndefinitelyOnMVar = showString "thread blocked indefinitely in an MVar operation"

instance Exception BlockedIndefinitelyOnMVar

data AsyncException = StackOverflow | HeapOverflow | ThreadKilled | UserInterrupt
  deriving (Eq, Ord)

instance Show AsyncException where
  showsPrec _ e = showString (case e of
    StackOverflow -> "stack overflow"
    HeapOverflow  -> "heap overflow"
    ThreadKilled  -> "thread killed"
    UserInterrupt -> "user interrupt")

instance Exception AsyncException

data ArrayException = IndexOutOfBounds String | UndefinedElement String
  deriving (Eq, Ord)

instance Show ArrayException where
  showsPrec _ e = case e of
    IndexOutOfBounds s -> showString "array index out of range" . explain s
    UndefinedElement s -> showString "undefined array element" . explain s
    where explain s = if null s then id else showString ": " . showString s

instance Exception ArrayException

-- | How a program ends; thrown by the functions of "System.Exit".
data ExitCode = ExitSuccess | ExitFailure Int
  deriving (Eq, Ord, Show, Read)

instance Exception ExitCode

-- What the compiler calls where a program's own text gives no rule.  The
-- argument says where, and which function.

patternMatchFail, recSelError, recConError, recUpdError, noMethodError :: String -> a
patternMatchFail msg = throw (PatternMatchFail msg)
recSelError msg      = throw (RecSelError ("No match in record selector " ++ msg))
recConError msg      = throw (RecConError msg)
recUpdError msg      = throw (RecUpdError msg)
noMethodError msg    = throw (NoMethodError msg)

-- * Errors of input and output

data IOErrorType
  = AlreadyExists | NoSuchThing | ResourceBusy | ResourceExhausted | EOF | IllegalOperation
  | PermissionDenied | UserError | InvalidArgument | OtherError
  deriving (Eq, Ord)

instance Show IOErrorType where
  showsPrec _ e = showString (case e of
    AlreadyExists     -> "already exists"
    NoSuchThing       -> "does not exist"
    ResourceBusy      -> "resource busy"
    ResourceExhausted -> "resource exhausted"
    EOF               -> "end of file"
    IllegalOperation  -> "illegal operation"
    PermissionDenied  -> "permission denied"
    UserError         -> "user error"
    InvalidArgument   -> "invalid argument"
    OtherError        -> "failed")

data IOException = IOError
  { ioe_handle      :: Maybe Handle
  , ioe_type        :: IOErrorType
  , ioe_location    :: String
  , ioe_description :: String
  , ioe_filename    :: Maybe FilePath
  }

type IOError = IOException

instance Eq IOException where
  IOError h k l d f == IOError h' k' l' d' f' = h == h' && k == k' && l == l' && d == d' && f == f'

instance Show IOException where
  showsPrec _ (IOError hdl kind loc desc file) =
    (case file of
       Just name -> showString name . showString ": "
       Nothing   -> case hdl of
         Just h  -> showsPrec 0 h . showString ": "
         Nothing -> id) .
    (if null loc then id else showString loc . showString ": ") .
    showsPrec 0 kind .
    (if null desc then id else showString " (" . showString desc . showString ")")

instance Exception IOException

instance Eq Handle where
  (==) = primHandleSame

instance Show Handle where
  showsPrec _ h = case primHandleName h of
    "<stdin>"  -> showString "<stdin>"
    "<stdout>" -> showString "<stdout>"
    "<stderr>" -> showString "<stderr>"
    name       -> showString "{handle: " . showString name . showString "}"

userError :: String -> IOError
userError msg = IOError Nothing UserError "" msg Nothing

ioError :: IOError -> IO a
ioError = throwIO

-- | The exception for a failure inside the machine: what kind, where, why, and
-- the file it is about (empty if none).  The machine applies this function;
-- the kinds are listed in PRIMITIVES.md.
machineFailure :: Int -> String -> String -> String -> SomeException
machineFailure kind loc desc file = case kind of
  0  -> io NoSuchThing
  1  -> io AlreadyExists
  2  -> io PermissionDenied
  3  -> io ResourceBusy
  4  -> io ResourceExhausted
  5  -> io EOF
  6  -> io IllegalOperation
  7  -> io InvalidArgument
  8  -> io OtherError
  10 -> toException NonTermination
  11 -> toException StackOverflow
  12 -> toException HeapOverflow
  13 -> toException UserInterrupt
  14 -> toException DivideByZero
  15 -> toException Overflow
  16 -> toException (IndexOutOfBounds desc)
  _  -> toException (ErrorCall desc)
  where io ty = toException (IOError Nothing ty loc desc (if null file then Nothing else Just file))

-- | What to print for an exception that nothing caught, and the exit status.
-- The machine, or 'runMain', asks this at the end of a program.
uncaught :: SomeException -> (String, Int)
uncaught e = case fromException e of
  Just ExitSuccess     -> ("", 0)
  Just (ExitFailure n) -> ("", n)
  Nothing              -> (displayException e, 1)

-- | Run a program: its action, then the handling of what it did not catch.
runMain :: IO a -> IO ()
runMain act = primCatch (act >> primHandleFlush stdout) (\e -> do
  primHandleFlush stdout
  case uncaught e of
    (msg, status) -> do
      when (not (null msg)) (do
        name <- primGetProgName
        hPutStr stderr (name ++ ": " ++ msg ++ "\n"))
      primExit status)

-- * Input and output

-- | Write a string; what precedes an undefined part is written.
hPutStr :: Handle -> String -> IO ()
hPutStr h = go
  where go []     = primIoReturn ()
        go (c:cs) = primIoBind (primHandlePutChar h c) (\_ -> go cs)

putChar :: Char -> IO ()
putChar c = primHandlePutChar stdout c

putStr :: String -> IO ()
putStr = hPutStr stdout

putStrLn :: String -> IO ()
putStrLn s = primIoBind (putStr s) (\_ -> primHandlePutChar stdout '\n')

print :: Show a => a -> IO ()
print x = putStrLn (show x)

-- | Evaluate the whole of a string, as primitives want their strings.
forceString :: String -> String
forceString s = go s
  where go []     = s
        go (c:cs) = c `seq` go cs

eofError :: Handle -> String -> IO a
eofError h loc = ioError (IOError (Just h) EOF loc "" Nothing)

-- | Read from a handle that has neither been closed nor promised to
-- 'hGetContents'.
reading :: Handle -> String -> IO a -> IO a
reading h loc act = do
  st <- primHandleState h
  case st of
    0 -> act
    1 -> illegal "handle is semi-closed"
    _ -> illegal "handle is closed"
  where illegal why = ioError (IOError (Just h) IllegalOperation loc why Nothing)

hGetChar :: Handle -> IO Char
hGetChar h = reading h "hGetChar" (do
  n <- primHandleGetChar h
  if primIntLt n 0 then eofError h "hGetChar" else return (primCharChr n))

-- | A line without its end.
hGetLine :: Handle -> IO String
hGetLine h = reading h "hGetLine" (do
  s <- primHandleGetLine h
  if null s then eofError h "hGetLine" else return (takeWhile (\c -> primCharNe c '\n') s))

-- | The rest of the input, read as it is needed; the handle is half closed.
hGetContents :: Handle -> IO String
hGetContents h = reading h "hGetContents" (primHandleSetState h 1 >> lazily)
  where
    lazily = unsafeInterleaveIO (do
      s <- primHandleGetLine h
      if null s then primHandleClose h >> return [] else do
        rest <- lazily
        return (s ++ rest))

getChar :: IO Char
getChar = hGetChar stdin

getLine :: IO String
getLine = hGetLine stdin

getContents :: IO String
getContents = hGetContents stdin

interact :: (String -> String) -> IO ()
interact f = getContents >>= \s -> putStr (f s)

readFile :: FilePath -> IO String
readFile name = primHandleOpen (forceString name) 0 >>= hGetContents

writeFile :: FilePath -> String -> IO ()
writeFile name s = writeAndClose name 1 s

appendFile :: FilePath -> String -> IO ()
appendFile name s = writeAndClose name 2 s

writeAndClose :: FilePath -> Int -> String -> IO ()
writeAndClose name mode s = do
  h <- primHandleOpen (forceString name) mode
  primCatch (hPutStr h s) (\e -> primHandleClose h >> primRaiseIO e)
  primHandleClose h

readIO :: Read a => String -> IO a
readIO s = case readEither s of
  Right x -> return x
  Left m  -> ioError (userError (if m == "Prelude.read: no parse" then "Prelude.readIO: no parse"
                                 else "Prelude.readIO: ambiguous parse"))

readLn :: Read a => IO a
readLn = getLine >>= readIO

-- | Put off an action until its result is needed.  The suspension must be a new
-- one each time the action is executed, hence the function.
unsafeInterleaveIO :: IO a -> IO a
unsafeInterleaveIO m = primIoBind (primIoReturn ()) (\_ -> primIoReturn (primUnsafePerformIO m))

instance Eq (IORef a) where
  (==) = primRefSame
