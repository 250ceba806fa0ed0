-- | Strings of bytes.
module Data.ByteString
  ( ByteString, pack, unpack, empty, singleton, fromStrict, toStrict
  , cons, snoc, append, head, last, tail, init, uncons, unsnoc, null, length
  , map, reverse, intersperse, intercalate, concat, concatMap
  , foldl, foldl', foldr, foldr', any, all, maximum, minimum
  , take, takeEnd, drop, dropEnd, splitAt, takeWhile, dropWhile, span, break, split, splitWith, group, inits, tails
  , isPrefixOf, isSuffixOf, isInfixOf, stripPrefix, stripSuffix, breakSubstring
  , elem, notElem, filter, find, partition, index, indexMaybe, elemIndex, elemIndices, findIndex, count
  , zip, replicate, unfoldr, sort, copy
  , getLine, getContents, putStr, interact, readFile, writeFile, appendFile
  , hGetLine, hGetContents, hGet, hPut, hPutStr
  ) where

import Prelude hiding
  ( all, any, break, concat, concatMap, drop, dropWhile, elem, filter, foldl, foldl1, foldr, foldr1, head, init
  , last, length, lines, map, maximum, minimum, null, replicate, reverse, scanl, scanl1, scanr, scanr1, span
  , splitAt, tail, take, takeWhile, unlines, unwords, words, zip, zipWith
  , appendFile, getContents, getLine, interact, notElem, putStr, putStrLn, readFile, unzip, writeFile )
import Data.ByteString.Char8
  ( append, appendFile, breakSubstring, concat, copy, drop, dropEnd, empty, fromStrict, getContents, getLine, group
  , hGetContents, hGetLine, hPut, hPutStr, init, inits, intercalate, interact, isInfixOf, isPrefixOf, isSuffixOf
  , length, null, putStr, readFile, reverse, sort, splitAt, stripPrefix, stripSuffix, tail, tails, take, takeEnd
  , toStrict, writeFile )
import qualified Data.ByteString.Char8 as B
import Data.Word (Word8)
import Gadfly.Bytes (ByteString(..))
import qualified Gadfly.Bytes as Bytes
import qualified Prelude as P
import System.IO (Handle)

byte :: Char -> Word8
byte c = fromIntegral (fromEnum c)

character :: Word8 -> Char
character w = toEnum (fromIntegral w)

pack :: [Word8] -> ByteString
pack ws = Bytes.made (P.map character ws)

unpack :: ByteString -> [Word8]
unpack (ByteString s) = P.map byte s

singleton :: Word8 -> ByteString
singleton w = B.singleton (character w)

cons :: Word8 -> ByteString -> ByteString
cons w t = B.cons (character w) t

snoc :: ByteString -> Word8 -> ByteString
snoc t w = B.snoc t (character w)

head, last, maximum, minimum :: ByteString -> Word8
head t    = byte (B.head t)
last t    = byte (B.last t)
maximum t = byte (B.maximum t)
minimum t = byte (B.minimum t)

uncons :: ByteString -> Maybe (Word8, ByteString)
uncons t = fmap (\(c, r) -> (byte c, r)) (B.uncons t)

unsnoc :: ByteString -> Maybe (ByteString, Word8)
unsnoc t = fmap (\(r, c) -> (r, byte c)) (B.unsnoc t)

map :: (Word8 -> Word8) -> ByteString -> ByteString
map f = B.map (\c -> character (f (byte c)))

intersperse :: Word8 -> ByteString -> ByteString
intersperse w = B.intersperse (character w)

concatMap :: (Word8 -> ByteString) -> ByteString -> ByteString
concatMap f = B.concatMap (\c -> f (byte c))

foldl, foldl' :: (a -> Word8 -> a) -> a -> ByteString -> a
foldl f  = B.foldl (\a c -> f a (byte c))
foldl' f = B.foldl' (\a c -> f a (byte c))

foldr, foldr' :: (Word8 -> a -> a) -> a -> ByteString -> a
foldr f  = B.foldr (\c a -> f (byte c) a)
foldr' f = B.foldr' (\c a -> f (byte c) a)

any, all :: (Word8 -> Bool) -> ByteString -> Bool
any p = B.any (\c -> p (byte c))
all p = B.all (\c -> p (byte c))

takeWhile, dropWhile, filter :: (Word8 -> Bool) -> ByteString -> ByteString
takeWhile p = B.takeWhile (\c -> p (byte c))
dropWhile p = B.dropWhile (\c -> p (byte c))
filter p    = B.filter (\c -> p (byte c))

span, break, partition :: (Word8 -> Bool) -> ByteString -> (ByteString, ByteString)
span p      = B.span (\c -> p (byte c))
break p     = B.break (\c -> p (byte c))
partition p = B.partition (\c -> p (byte c))

split :: Word8 -> ByteString -> [ByteString]
split w = B.split (character w)

splitWith :: (Word8 -> Bool) -> ByteString -> [ByteString]
splitWith p = B.splitWith (\c -> p (byte c))

elem, notElem :: Word8 -> ByteString -> Bool
elem w    = B.elem (character w)
notElem w = B.notElem (character w)

find :: (Word8 -> Bool) -> ByteString -> Maybe Word8
find p t = fmap byte (B.find (\c -> p (byte c)) t)

index :: ByteString -> Int -> Word8
index t n = byte (B.index t n)

indexMaybe :: ByteString -> Int -> Maybe Word8
indexMaybe t n = fmap byte (B.indexMaybe t n)

elemIndex :: Word8 -> ByteString -> Maybe Int
elemIndex w = B.elemIndex (character w)

elemIndices :: Word8 -> ByteString -> [Int]
elemIndices w = B.elemIndices (character w)

findIndex :: (Word8 -> Bool) -> ByteString -> Maybe Int
findIndex p = B.findIndex (\c -> p (byte c))

count :: Word8 -> ByteString -> Int
count w = B.count (character w)

zip :: ByteString -> ByteString -> [(Word8, Word8)]
zip s t = P.zip (unpack s) (unpack t)

replicate :: Int -> Word8 -> ByteString
replicate n w = B.replicate n (character w)

unfoldr :: (a -> Maybe (Word8, a)) -> a -> ByteString
unfoldr f = B.unfoldr (\a -> fmap (\(w, a') -> (character w, a')) (f a))

hGet :: Handle -> Int -> IO ByteString
hGet h n = fmap (B.take n) (hGetContents h)
