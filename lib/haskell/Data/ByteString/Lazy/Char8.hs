-- | Lazy strings of bytes, which are the strict ones here.
module Data.ByteString.Lazy.Char8 (module Data.ByteString.Char8, fromChunks, toChunks) where

import Prelude ()
import Data.ByteString.Char8

fromChunks :: [ByteString] -> ByteString
fromChunks = concat

toChunks :: ByteString -> [ByteString]
toChunks t = [t]
