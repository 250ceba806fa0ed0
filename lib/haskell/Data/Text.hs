-- | Texts.  They are strings inside, so that what takes a character from the end
-- takes time linear in the length.
module Data.Text
  ( Text, pack, unpack, singleton, empty, cons, snoc, append, uncons, unsnoc, head, last, tail
  , init, null, length, map, reverse, intercalate, intersperse, transpose, foldl, foldl', foldl1
  , foldl1', foldr1, foldr, foldr', concat, concatMap, any, all, maximum, minimum, scanl, scanl1
  , scanr1, scanr, mapAccumL, mapAccumR, unfoldr, take, takeEnd, drop, dropEnd, splitAt, takeWhile
  , takeWhileEnd, dropWhile, dropWhileEnd, span, break, group, groupBy, inits, tails, lines, words
  , unlines, unwords, isPrefixOf, isSuffixOf, isInfixOf, stripPrefix, stripSuffix, filter, find
  , elem, partition, index, findIndex, zip, copy, compareLength, breakOn, breakOnEnd, breakOnAll
  , splitOn, split, chunksOf, replace, count, commonPrefixes, toLower, toUpper, toCaseFold
  , toTitle, justifyLeft, justifyRight, center, strip, stripStart, stripEnd, dropAround, replicate
  , unfoldrN, zipWith
  ) where

import Prelude hiding
  ( all, any, break, concat, concatMap, drop, dropWhile, elem, filter, foldl, foldl1, foldr, foldr1, head, init
  , last, length, lines, map, maximum, minimum, null, replicate, reverse, scanl, scanl1, scanr, scanr1, span
  , splitAt, tail, take, takeWhile, unlines, unwords, words, zip, zipWith )
import qualified Data.Char as C
import qualified Data.Foldable as F
import qualified Data.List as L
import Gadfly.Text
import Text.Printf (PrintfArg(..), formatString)

instance PrintfArg Text where
  formatArg (Text s) = formatString s

singleton :: Char -> Text
singleton c = c `seq` Text [c]

empty :: Text
empty = Text ""

cons :: Char -> Text -> Text
cons c (Text s) = c `seq` Text (c : s)

snoc :: Text -> Char -> Text
snoc (Text s) c = made (s ++ [c])

append :: Text -> Text -> Text
append (Text s) (Text t) = made (s ++ t)

uncons :: Text -> Maybe (Char, Text)
uncons (Text [])      = Nothing
uncons (Text (c : s)) = Just (c, Text s)

unsnoc :: Text -> Maybe (Text, Char)
unsnoc (Text []) = Nothing
unsnoc (Text s)  = Just (made (L.init s), L.last s)

head, last :: Text -> Char
head (Text s) = L.head (nonEmpty "head" s)
last (Text s) = L.last (nonEmpty "last" s)

tail, init :: Text -> Text
tail (Text s) = Text (L.tail (nonEmpty "tail" s))
init (Text s) = made (L.init (nonEmpty "init" s))

null :: Text -> Bool
null (Text s) = L.null s

length :: Text -> Int
length (Text s) = L.length s

-- | A string that must have a character.
nonEmpty :: String -> String -> String
nonEmpty function s
  | L.null s  = errorWithoutStackTrace ("Data.Text." ++ function ++ ": empty input")
  | otherwise = s

map :: (Char -> Char) -> Text -> Text
map f (Text s) = made (L.map f s)

reverse :: Text -> Text
reverse (Text s) = Text (L.reverse s)

intercalate :: Text -> [Text] -> Text
intercalate sep ts = concat (L.intersperse sep ts)

intersperse :: Char -> Text -> Text
intersperse c (Text s) = made (L.intersperse c s)

transpose :: [Text] -> [Text]
transpose ts = L.map made (L.transpose (L.map unpack ts))

foldl, foldl' :: (a -> Char -> a) -> a -> Text -> a
foldl f z (Text s)  = L.foldl f z s
foldl' f z (Text s) = L.foldl' f z s

foldl1, foldl1', foldr1 :: (Char -> Char -> Char) -> Text -> Char
foldl1 f (Text s)  = L.foldl1 f (nonEmpty "foldl1" s)
foldl1' f (Text s) = L.foldl1' f (nonEmpty "foldl1'" s)
foldr1 f (Text s)  = L.foldr1 f (nonEmpty "foldr1" s)

foldr, foldr' :: (Char -> a -> a) -> a -> Text -> a
foldr f z (Text s)  = L.foldr f z s
foldr' f z (Text s) = F.foldr' f z s

concat :: [Text] -> Text
concat ts = made (L.concatMap unpack ts)

concatMap :: (Char -> Text) -> Text -> Text
concatMap f (Text s) = made (L.concatMap (\c -> unpack (f c)) s)

any, all :: (Char -> Bool) -> Text -> Bool
any p (Text s) = L.any p s
all p (Text s) = L.all p s

maximum, minimum :: Text -> Char
maximum (Text s) = L.maximum (nonEmpty "maximum" s)
minimum (Text s) = L.minimum (nonEmpty "minimum" s)

scanl :: (Char -> Char -> Char) -> Char -> Text -> Text
scanl f c (Text s) = made (L.scanl f c s)

scanl1, scanr1 :: (Char -> Char -> Char) -> Text -> Text
scanl1 f (Text s) = made (L.scanl1 f s)
scanr1 f (Text s) = made (L.scanr1 f s)

scanr :: (Char -> Char -> Char) -> Char -> Text -> Text
scanr f c (Text s) = made (L.scanr f c s)

mapAccumL, mapAccumR :: (a -> Char -> (a, Char)) -> a -> Text -> (a, Text)
mapAccumL f z (Text s) = case L.mapAccumL f z s of (a, t) -> (a, made t)
mapAccumR f z (Text s) = case L.mapAccumR f z s of (a, t) -> (a, made t)

unfoldr :: (a -> Maybe (Char, a)) -> a -> Text
unfoldr f a = made (L.unfoldr f a)

take, takeEnd, drop, dropEnd :: Int -> Text -> Text
take n (Text s)    = made (L.take n s)
takeEnd n (Text s) = Text (L.drop (L.length s - max 0 n) s)
drop n (Text s)    = Text (L.drop n s)
dropEnd n (Text s) = made (L.take (L.length s - max 0 n) s)

splitAt :: Int -> Text -> (Text, Text)
splitAt n t = (take n t, drop n t)

takeWhile, takeWhileEnd, dropWhile, dropWhileEnd :: (Char -> Bool) -> Text -> Text
takeWhile p (Text s)    = made (L.takeWhile p s)
takeWhileEnd p (Text s) = Text (L.reverse (L.takeWhile p (L.reverse s)))
dropWhile p (Text s)    = Text (L.dropWhile p s)
dropWhileEnd p (Text s) = made (L.dropWhileEnd p s)

span, break :: (Char -> Bool) -> Text -> (Text, Text)
span p (Text s)  = case L.span p s of (a, b) -> (made a, Text b)
break p (Text s) = case L.break p s of (a, b) -> (made a, Text b)

group :: Text -> [Text]
group (Text s) = L.map made (L.group s)

groupBy :: (Char -> Char -> Bool) -> Text -> [Text]
groupBy eq (Text s) = L.map made (L.groupBy eq s)

inits, tails :: Text -> [Text]
inits (Text s) = L.map made (L.inits s)
tails (Text s) = L.map Text (L.tails s)

lines, words :: Text -> [Text]
lines (Text s) = L.map made (L.lines s)
words (Text s) = L.map made (L.words s)

unlines, unwords :: [Text] -> Text
unlines ts = made (L.unlines (L.map unpack ts))
unwords ts = made (L.unwords (L.map unpack ts))

isPrefixOf, isSuffixOf, isInfixOf :: Text -> Text -> Bool
isPrefixOf (Text s) (Text t) = L.isPrefixOf s t
isSuffixOf (Text s) (Text t) = L.isSuffixOf s t
isInfixOf (Text s) (Text t)  = L.isInfixOf s t

stripPrefix, stripSuffix :: Text -> Text -> Maybe Text
stripPrefix (Text s) (Text t) = fmap Text (L.stripPrefix s t)
stripSuffix (Text s) (Text t)
  | L.isSuffixOf s t = Just (made (L.take (L.length t - L.length s) t))
  | otherwise        = Nothing

filter :: (Char -> Bool) -> Text -> Text
filter p (Text s) = made (L.filter p s)

find :: (Char -> Bool) -> Text -> Maybe Char
find p (Text s) = L.find p s

elem :: Char -> Text -> Bool
elem c (Text s) = L.elem c s

partition :: (Char -> Bool) -> Text -> (Text, Text)
partition p t = (filter p t, filter (not . p) t)

index :: Text -> Int -> Char
index (Text s) n
  | n < 0 || n >= L.length s = errorWithoutStackTrace ("Data.Text.index: index " ++ show n ++ " is out of range")
  | otherwise                = s !! n

findIndex :: (Char -> Bool) -> Text -> Maybe Int
findIndex p (Text s) = L.findIndex p s

zip :: Text -> Text -> [(Char, Char)]
zip (Text s) (Text t) = L.zip s t

copy :: Text -> Text
copy t = t

-- * Texts in texts

compareLength :: Text -> Int -> Ordering
compareLength (Text s) n = compare (L.length s) n

-- | Where a string first begins in another: what is before, and from there on.
breakString :: String -> String -> (String, String)
breakString sep s
  | L.isPrefixOf sep s = ("", s)
  | otherwise          = case s of
      []    -> ("", "")
      c : t -> let r = breakString sep t in (c : fst r, snd r)

-- | A needle, which must not be empty.
needle :: String -> Text -> String
needle function (Text s)
  | L.null s  = errorWithoutStackTrace ("Data.Text." ++ function ++ ": empty input")
  | otherwise = s

breakOn, breakOnEnd :: Text -> Text -> (Text, Text)
breakOn sep (Text s) = case breakString (needle "breakOn" sep) s of (a, b) -> (made a, Text b)
breakOnEnd sep t  = case breakOn (reverse sep) (reverse t) of (a, b) -> (reverse b, reverse a)

breakOnAll :: Text -> Text -> [(Text, Text)]
breakOnAll sep (Text s) = [(made (L.take n s), Text (L.drop n s)) | n <- places (needle "breakOnAll" sep) s]

-- | Where a string begins in another, without overlapping.
places :: String -> String -> [Int]
places sep = from 0
  where
    from n s = case breakString sep s of
      (_, [])        -> []
      (before, rest) -> let m = n + L.length before
                        in m : from (m + L.length sep) (L.drop (L.length sep) rest)

splitOn :: Text -> Text -> [Text]
splitOn sep (Text s0) = L.map made (pieces s0)
  where
    sep' = needle "splitOn" sep
    pieces s = case breakString sep' s of
      (a, []) -> [a]
      (a, b)  -> a : pieces (L.drop (L.length sep') b)

split :: (Char -> Bool) -> Text -> [Text]
split p (Text s) = case L.break p s of
  (a, [])    -> [made a]
  (a, _ : b) -> made a : split p (Text b)

chunksOf :: Int -> Text -> [Text]
chunksOf n t
  | n <= 0 || null t = []
  | otherwise        = case splitAt n t of (a, b) -> a : chunksOf n b

replace :: Text -> Text -> Text -> Text
replace sep new t = intercalate new (splitOn (Text (needle "replace" sep)) t)

count :: Text -> Text -> Int
count sep (Text s) = L.length (places (needle "count" sep) s)

commonPrefixes :: Text -> Text -> Maybe (Text, Text, Text)
commonPrefixes (Text s) (Text t) = case L.length (L.takeWhile id (L.zipWith (==) s t)) of
  0 -> Nothing
  n -> Just (made (L.take n s), Text (L.drop n s), Text (L.drop n t))

-- * Forms

toLower, toUpper, toCaseFold, toTitle :: Text -> Text
toLower    = map C.toLower
toUpper    = map C.toUpper
toCaseFold = map C.toLower
-- The first letter after white space, and small letters then.
toTitle (Text s) = made (start s)
  where
    start []  = []
    start (c : r)
      | C.isLetter c = C.toTitle c : inside r
      | otherwise    = c : start r
    inside [] = []
    inside (c : r)
      | C.isSpace c = c : start r
      | otherwise   = C.toLower c : inside r

justifyLeft, justifyRight, center :: Int -> Char -> Text -> Text
justifyLeft n c (Text s)  = made (s ++ L.replicate (n - L.length s) c)
justifyRight n c (Text s) = made (L.replicate (n - L.length s) c ++ s)
center n c (Text s)
  | room <= 0 = Text s
  | otherwise = made (L.replicate left c ++ s ++ L.replicate (room - left) c)
  where
    room = n - L.length s
    left = room - room `div` 2

strip, stripStart, stripEnd :: Text -> Text
strip      = dropAround C.isSpace
stripStart = dropWhile C.isSpace
stripEnd   = dropWhileEnd C.isSpace

dropAround :: (Char -> Bool) -> Text -> Text
dropAround p t = dropWhile p (dropWhileEnd p t)

replicate :: Int -> Text -> Text
replicate n (Text s) = made (L.concat (L.replicate n s))

unfoldrN :: Int -> (a -> Maybe (Char, a)) -> a -> Text
unfoldrN n f a = made (L.take n (L.unfoldr f a))

zipWith :: (Char -> Char -> Char) -> Text -> Text -> Text
zipWith f (Text s) (Text t) = made (L.zipWith f s t)
