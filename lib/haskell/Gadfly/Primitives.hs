{-# LANGUAGE NoImplicitPrelude #-}
-- | The machine's own types and the operations it has on them; PRIMITIVES.md
-- says what each of them does, and when it evaluates its arguments.
--
-- Built in without any declaration are functions, lists, tuples and the unit
-- type.  The operations that deal with exceptions are declared beside those,
-- in "Gadfly.Failing".
module Gadfly.Primitives where

infixr 0 `seq`

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

data Ordering = LT | EQ | GT

type String = [Char]

-- * Numbers

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

-- * Characters

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

-- * Evaluation, input and output

foreign import prim "seq"             seq                 :: a -> b -> b
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
foreign import prim "handlePutReady"      primHandlePutReady      :: Handle -> String -> IO String
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
