-- | Texts as bytes.
module Data.Text.Encoding (encodeUtf8, decodeUtf8, decodeUtf8', decodeLatin1, decodeASCII) where

import Control.Exception (SomeException, evaluate, try)
import Gadfly.Bytes (ByteString(..), fromUtf8, toUtf8)
import Gadfly.Text
import System.IO.Unsafe (unsafePerformIO)

encodeUtf8 :: Text -> ByteString
encodeUtf8 (Text s) = ByteString (toUtf8 s)

-- | Bytes that are no UTF-8 are an error.
decodeUtf8, decodeLatin1, decodeASCII :: ByteString -> Text
decodeUtf8 (ByteString s) = pack (fromUtf8 (\_ -> errorWithoutStackTrace message) s)
  where message = "Cannot decode input: invalid UTF-8 stream"
decodeLatin1 (ByteString s) = Text s
decodeASCII = decodeLatin1

decodeUtf8' :: ByteString -> Either SomeException Text
decodeUtf8' b = unsafePerformIO (try (evaluate (decodeUtf8 b)))
