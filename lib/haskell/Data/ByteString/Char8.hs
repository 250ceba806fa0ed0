-- | Bytes as characters up to 255.  They are strings inside, so that what takes
-- a character from the end takes time linear in the length.
module Data.ByteString.Char8
  ( ByteString, pack, unpack, fromStrict, toStrict, singleton, empty, cons, snoc, append, uncons
  , unsnoc, head, last, tail, init, null, length, map, reverse, intercalate, intersperse
  , transpose, foldl, foldl', foldl1, foldl1', foldr1, foldr, foldr', concat, concatMap, any, all
  , maximum, minimum, scanl, scanl1, scanr1, scanr, mapAccumL, mapAccumR, unfoldr, take, takeEnd
  , drop, dropEnd, splitAt, takeWhile, takeWhileEnd, dropWhile, dropWhileEnd, span, break, group
  , groupBy, inits, tails, lines, words, unlines, unwords, isPrefixOf, isSuffixOf, isInfixOf
  , stripPrefix, stripSuffix, filter, find, elem, partition, index, findIndex, zip, copy, notElem
  , elemIndex, elemIndexEnd, elemIndices, findIndices, count, indexMaybe, (!?), spanEnd, breakEnd
  , breakSubstring, split, splitWith, strip, dropSpace, replicate, unfoldrN, zipWith, packZipWith
  , unzip, sort, readInt, readInteger, readFile, writeFile, appendFile, hGetContents, hGetLine
  , hPut, hPutStr, hPutStrLn, interact, getContents, getLine, putStr, putStrLn
  ) where

import Prelude hiding
  ( all, any, break, concat, concatMap, drop, dropWhile, elem, filter, foldl, foldl1, foldr, foldr1, head, init
  , last, length, lines, map, maximum, minimum, null, replicate, reverse, scanl, scanl1, scanr, scanr1, span
  , splitAt, tail, take, takeWhile, unlines, unwords, words, zip, zipWith
  , appendFile, getContents, getLine, interact, notElem, putStr, putStrLn, readFile, unzip, writeFile )
import qualified Data.Char as C
import qualified Data.Foldable as F
import qualified Data.List as L
import Gadfly.Base (digitsToInteger)
import Gadfly.Bytes
import qualified System.IO as IO

infixl 9 !?

-- | Lazy strings are these.
fromStrict, toStrict :: ByteString -> ByteString
fromStrict t = t
toStrict t   = t

singleton :: Char -> ByteString
singleton c = c `seq` ByteString [c]

empty :: ByteString
empty = ByteString ""

cons :: Char -> ByteString -> ByteString
cons c (ByteString s) = c `seq` ByteString (c : s)

snoc :: ByteString -> Char -> ByteString
snoc (ByteString s) c = made (s ++ [c])

append :: ByteString -> ByteString -> ByteString
append (ByteString s) (ByteString t) = made (s ++ t)

uncons :: ByteString -> Maybe (Char, ByteString)
uncons (ByteString [])      = Nothing
uncons (ByteString (c : s)) = Just (c, ByteString s)

unsnoc :: ByteString -> Maybe (ByteString, Char)
unsnoc (ByteString []) = Nothing
unsnoc (ByteString s)  = Just (made (L.init s), L.last s)

head, last :: ByteString -> Char
head (ByteString s) = L.head (nonEmpty "head" s)
last (ByteString s) = L.last (nonEmpty "last" s)

tail, init :: ByteString -> ByteString
tail (ByteString s) = ByteString (L.tail (nonEmpty "tail" s))
init (ByteString s) = made (L.init (nonEmpty "init" s))

null :: ByteString -> Bool
null (ByteString s) = L.null s

length :: ByteString -> Int
length (ByteString s) = L.length s

-- | A string that must have a character.
nonEmpty :: String -> String -> String
nonEmpty function s
  | L.null s  = errorWithoutStackTrace ("Data.ByteString." ++ function ++ ": empty input")
  | otherwise = s

map :: (Char -> Char) -> ByteString -> ByteString
map f (ByteString s) = made (L.map f s)

reverse :: ByteString -> ByteString
reverse (ByteString s) = ByteString (L.reverse s)

intercalate :: ByteString -> [ByteString] -> ByteString
intercalate sep ts = concat (L.intersperse sep ts)

intersperse :: Char -> ByteString -> ByteString
intersperse c (ByteString s) = made (L.intersperse c s)

transpose :: [ByteString] -> [ByteString]
transpose ts = L.map made (L.transpose (L.map unpack ts))

foldl, foldl' :: (a -> Char -> a) -> a -> ByteString -> a
foldl f z (ByteString s)  = L.foldl f z s
foldl' f z (ByteString s) = L.foldl' f z s

foldl1, foldl1', foldr1 :: (Char -> Char -> Char) -> ByteString -> Char
foldl1 f (ByteString s)  = L.foldl1 f (nonEmpty "foldl1" s)
foldl1' f (ByteString s) = L.foldl1' f (nonEmpty "foldl1'" s)
foldr1 f (ByteString s)  = L.foldr1 f (nonEmpty "foldr1" s)

foldr, foldr' :: (Char -> a -> a) -> a -> ByteString -> a
foldr f z (ByteString s)  = L.foldr f z s
foldr' f z (ByteString s) = F.foldr' f z s

concat :: [ByteString] -> ByteString
concat ts = made (L.concatMap unpack ts)

concatMap :: (Char -> ByteString) -> ByteString -> ByteString
concatMap f (ByteString s) = made (L.concatMap (\c -> unpack (f c)) s)

any, all :: (Char -> Bool) -> ByteString -> Bool
any p (ByteString s) = L.any p s
all p (ByteString s) = L.all p s

maximum, minimum :: ByteString -> Char
maximum (ByteString s) = L.maximum (nonEmpty "maximum" s)
minimum (ByteString s) = L.minimum (nonEmpty "minimum" s)

scanl :: (Char -> Char -> Char) -> Char -> ByteString -> ByteString
scanl f c (ByteString s) = made (L.scanl f c s)

scanl1, scanr1 :: (Char -> Char -> Char) -> ByteString -> ByteString
scanl1 f (ByteString s) = made (L.scanl1 f s)
scanr1 f (ByteString s) = made (L.scanr1 f s)

scanr :: (Char -> Char -> Char) -> Char -> ByteString -> ByteString
scanr f c (ByteString s) = made (L.scanr f c s)

mapAccumL, mapAccumR :: (a -> Char -> (a, Char)) -> a -> ByteString -> (a, ByteString)
mapAccumL f z (ByteString s) = case L.mapAccumL f z s of (a, t) -> (a, made t)
mapAccumR f z (ByteString s) = case L.mapAccumR f z s of (a, t) -> (a, made t)

unfoldr :: (a -> Maybe (Char, a)) -> a -> ByteString
unfoldr f a = made (L.unfoldr f a)

take, takeEnd, drop, dropEnd :: Int -> ByteString -> ByteString
take n (ByteString s)    = made (L.take n s)
takeEnd n (ByteString s) = ByteString (L.drop (L.length s - max 0 n) s)
drop n (ByteString s)    = ByteString (L.drop n s)
dropEnd n (ByteString s) = made (L.take (L.length s - max 0 n) s)

splitAt :: Int -> ByteString -> (ByteString, ByteString)
splitAt n t = (take n t, drop n t)

takeWhile, takeWhileEnd, dropWhile, dropWhileEnd :: (Char -> Bool) -> ByteString -> ByteString
takeWhile p (ByteString s)    = made (L.takeWhile p s)
takeWhileEnd p (ByteString s) = ByteString (L.reverse (L.takeWhile p (L.reverse s)))
dropWhile p (ByteString s)    = ByteString (L.dropWhile p s)
dropWhileEnd p (ByteString s) = made (L.dropWhileEnd p s)

span, break :: (Char -> Bool) -> ByteString -> (ByteString, ByteString)
span p (ByteString s)  = case L.span p s of (a, b) -> (made a, ByteString b)
break p (ByteString s) = case L.break p s of (a, b) -> (made a, ByteString b)

group :: ByteString -> [ByteString]
group (ByteString s) = L.map made (L.group s)

groupBy :: (Char -> Char -> Bool) -> ByteString -> [ByteString]
groupBy eq (ByteString s) = L.map made (L.groupBy eq s)

inits, tails :: ByteString -> [ByteString]
inits (ByteString s) = L.map made (L.inits s)
tails (ByteString s) = L.map ByteString (L.tails s)

lines, words :: ByteString -> [ByteString]
lines (ByteString s) = L.map made (L.lines s)
words (ByteString s) = L.map made (L.words s)

unlines, unwords :: [ByteString] -> ByteString
unlines ts = made (L.unlines (L.map unpack ts))
unwords ts = made (L.unwords (L.map unpack ts))

isPrefixOf, isSuffixOf, isInfixOf :: ByteString -> ByteString -> Bool
isPrefixOf (ByteString s) (ByteString t) = L.isPrefixOf s t
isSuffixOf (ByteString s) (ByteString t) = L.isSuffixOf s t
isInfixOf (ByteString s) (ByteString t)  = L.isInfixOf s t

stripPrefix, stripSuffix :: ByteString -> ByteString -> Maybe ByteString
stripPrefix (ByteString s) (ByteString t) = fmap ByteString (L.stripPrefix s t)
stripSuffix (ByteString s) (ByteString t)
  | L.isSuffixOf s t = Just (made (L.take (L.length t - L.length s) t))
  | otherwise        = Nothing

filter :: (Char -> Bool) -> ByteString -> ByteString
filter p (ByteString s) = made (L.filter p s)

find :: (Char -> Bool) -> ByteString -> Maybe Char
find p (ByteString s) = L.find p s

elem :: Char -> ByteString -> Bool
elem c (ByteString s) = L.elem c s

partition :: (Char -> Bool) -> ByteString -> (ByteString, ByteString)
partition p t = (filter p t, filter (not . p) t)

index :: ByteString -> Int -> Char
index (ByteString s) n
  | n < 0 || n >= L.length s = errorWithoutStackTrace ("Data.ByteString.index: index " ++ show n ++ " is out of range")
  | otherwise                = s !! n

findIndex :: (Char -> Bool) -> ByteString -> Maybe Int
findIndex p (ByteString s) = L.findIndex p s

zip :: ByteString -> ByteString -> [(Char, Char)]
zip (ByteString s) (ByteString t) = L.zip s t

copy :: ByteString -> ByteString
copy t = t

-- * Searching

notElem :: Char -> ByteString -> Bool
notElem c t = not (elem c t)

elemIndex, elemIndexEnd :: Char -> ByteString -> Maybe Int
elemIndex c (ByteString s)    = L.elemIndex c s
elemIndexEnd c (ByteString s) = fmap (\n -> L.length s - 1 - n) (L.elemIndex c (L.reverse s))

elemIndices :: Char -> ByteString -> [Int]
elemIndices c (ByteString s) = L.elemIndices c s

findIndices :: (Char -> Bool) -> ByteString -> [Int]
findIndices p (ByteString s) = L.findIndices p s

count :: Char -> ByteString -> Int
count c (ByteString s) = L.length (L.filter (== c) s)

indexMaybe, (!?) :: ByteString -> Int -> Maybe Char
indexMaybe (ByteString s) n
  | n < 0     = Nothing
  | otherwise = case L.drop n s of { c : _ -> Just c; [] -> Nothing }
(!?) = indexMaybe

-- * Pieces

spanEnd, breakEnd :: (Char -> Bool) -> ByteString -> (ByteString, ByteString)
spanEnd p (ByteString s) = case L.span p (L.reverse s) of (a, b) -> (ByteString (L.reverse b), ByteString (L.reverse a))
breakEnd p      = spanEnd (not . p)

-- | Where the first string begins in the second.
breakSubstring :: ByteString -> ByteString -> (ByteString, ByteString)
breakSubstring (ByteString sep) (ByteString s) = case go s of (a, b) -> (made a, ByteString b)
  where
    go t | L.isPrefixOf sep t = ("", t)
    go []      = ("", "")
    go (c : t) = let r = go t in (c : fst r, snd r)

-- | No piece of nothing.
split :: Char -> ByteString -> [ByteString]
split c = splitWith (== c)

splitWith :: (Char -> Bool) -> ByteString -> [ByteString]
splitWith p (ByteString s)
  | L.null s  = []
  | otherwise = pieces s
  where pieces t = case L.break p t of
          (a, [])    -> [made a]
          (a, _ : b) -> made a : pieces b

strip, dropSpace :: ByteString -> ByteString
strip t   = dropWhileEnd C.isSpace (dropWhile C.isSpace t)
dropSpace = dropWhile C.isSpace

replicate :: Int -> Char -> ByteString
replicate n c = made (L.replicate n c)

unfoldrN :: Int -> (a -> Maybe (Char, a)) -> a -> (ByteString, Maybe a)
unfoldrN n f a0 = case go n a0 of (s, r) -> (made s, r)
  where
    go k a
      | k <= 0    = ("", Just a)
      | otherwise = case f a of
          Nothing      -> ("", Nothing)
          Just (c, a') -> let r = go (k - 1) a' in (c : fst r, snd r)

zipWith :: (Char -> Char -> a) -> ByteString -> ByteString -> [a]
zipWith f (ByteString s) (ByteString t) = L.zipWith f s t

packZipWith :: (Char -> Char -> Char) -> ByteString -> ByteString -> ByteString
packZipWith f (ByteString s) (ByteString t) = made (L.zipWith f s t)

unzip :: [(Char, Char)] -> (ByteString, ByteString)
unzip ps = (pack (L.map fst ps), pack (L.map snd ps))

sort :: ByteString -> ByteString
sort (ByteString s) = ByteString (L.sort s)

-- * Numbers

-- | The number at the beginning, with its sign, and the rest.
readInt :: ByteString -> Maybe (Int, ByteString)
readInt t = case readInteger t of
  Just (n, rest) | n >= toInteger (minBound :: Int) && n <= toInteger (maxBound :: Int) -> Just (fromInteger n, rest)
  _ -> Nothing

readInteger :: ByteString -> Maybe (Integer, ByteString)
readInteger (ByteString s) = case s of
  '-' : r -> fmap (\(n, rest) -> (negate n, rest)) (digits r)
  '+' : r -> digits r
  _       -> digits s
  where
    digits r = case L.span C.isDigit r of
      ("", _)    -> Nothing
      (ds, rest) -> Just (digitsToInteger 10 ds, ByteString rest)

-- * Input and output, in which characters beyond the bytes are UTF-8

readFile :: FilePath -> IO ByteString
readFile name = IO.readFile name >>= received

received :: String -> IO ByteString
received s = let t = made (toUtf8 s) in t `seq` return t

-- | As characters again; what is no UTF-8 stands for itself.
sent :: ByteString -> String
sent (ByteString s) = fromUtf8 id s

writeFile, appendFile :: FilePath -> ByteString -> IO ()
writeFile name t  = IO.writeFile name (sent t)
appendFile name t = IO.appendFile name (sent t)

hGetContents, hGetLine :: IO.Handle -> IO ByteString
hGetContents h = IO.hGetContents h >>= received
hGetLine h     = IO.hGetLine h >>= received

hPut, hPutStr, hPutStrLn :: IO.Handle -> ByteString -> IO ()
hPut          = hPutStr
hPutStr h t   = IO.hPutStr h (sent t)
hPutStrLn h t = IO.hPutStrLn h (sent t)

interact :: (ByteString -> ByteString) -> IO ()
interact f = getContents >>= \t -> putStr (f t)

getContents, getLine :: IO ByteString
getContents = hGetContents IO.stdin
getLine     = hGetLine IO.stdin

putStr, putStrLn :: ByteString -> IO ()
putStr   = hPutStr IO.stdout
putStrLn = hPutStrLn IO.stdout
