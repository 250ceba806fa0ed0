-- | Strings of bytes put together from parts.
module Data.ByteString.Builder
  ( Builder, toLazyByteString, hPutBuilder, byteString, lazyByteString
  , word8, char7, char8, string7, string8, charUtf8, stringUtf8
  , intDec, integerDec, wordDec, floatDec, doubleDec, wordHex
  ) where

import Data.String (IsString(..))
import Data.Word (Word8)
import Gadfly.Bytes
import Numeric (showHex)
import qualified Data.ByteString.Char8 as B
import System.IO (Handle)

newtype Builder = Builder (String -> String)

instance Semigroup Builder where
  Builder f <> Builder g = Builder (f . g)

instance Monoid Builder where
  mempty = Builder id

instance IsString Builder where
  fromString = stringUtf8

toLazyByteString :: Builder -> ByteString
toLazyByteString (Builder f) = pack (f "")

hPutBuilder :: Handle -> Builder -> IO ()
hPutBuilder h b = B.hPutStr h (toLazyByteString b)

byteString, lazyByteString :: ByteString -> Builder
byteString t   = Builder (unpack t ++)
lazyByteString = byteString

word8 :: Word8 -> Builder
word8 w = Builder (toEnum (fromIntegral w) :)

char7, char8, charUtf8 :: Char -> Builder
char7 c    = Builder (c :)
char8 c    = Builder (c :)
charUtf8 c = stringUtf8 [c]

string7, string8, stringUtf8 :: String -> Builder
string7 s    = Builder (s ++)
string8 s    = Builder (s ++)
stringUtf8 s = Builder (toUtf8 s ++)

intDec :: Int -> Builder
intDec n = Builder (shows n)

integerDec :: Integer -> Builder
integerDec n = Builder (shows n)

wordDec :: Word -> Builder
wordDec n = Builder (shows n)

wordHex :: Word -> Builder
wordHex n = Builder (showHex n)

floatDec :: Float -> Builder
floatDec x = Builder (shows x)

doubleDec :: Double -> Builder
doubleDec x = Builder (shows x)
