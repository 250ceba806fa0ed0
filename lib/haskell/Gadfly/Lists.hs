{-# LANGUAGE NoImplicitPrelude, BangPatterns #-}
-- | The Prelude's functions on lists, for lists alone, and texts by lines and
-- words.  Each recurses directly with all its arguments, and evaluates its
-- counters on the way: that is what the machine does fastest.
module Gadfly.Lists where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Characters

infixl 9 !!

errorEmptyList :: String -> a
errorEmptyList fun = errorWithoutStackTrace ("Prelude." ++ fun ++ ": empty list")

-- * Elements

map :: (a -> b) -> [a] -> [b]
map _ []       = []
map f (x : xs) = f x : map f xs

filter :: (a -> Bool) -> [a] -> [a]
filter _ [] = []
filter p (x : xs)
  | p x       = x : filter p xs
  | otherwise = filter p xs

-- | 'concatMap' on lists; list comprehensions may be compiled to it.
concatMapList :: (a -> [b]) -> [a] -> [b]
concatMapList _ []       = []
concatMapList f (x : xs) = f x ++ concatMapList f xs

concatLists :: [[a]] -> [a]
concatLists []         = []
concatLists (xs : xss) = xs ++ concatLists xss

head :: [a] -> a
head (x:_) = x
head []    = errorEmptyList "head"

tail :: [a] -> [a]
tail (_:xs) = xs
tail []     = errorEmptyList "tail"

last :: [a] -> a
last []       = errorEmptyList "last"
last (x : xs) = lastOr x xs

lastOr :: a -> [a] -> a
lastOr x []       = x
lastOr _ (x : xs) = lastOr x xs

init :: [a] -> [a]
init []       = errorEmptyList "init"
init (x : xs) = initFrom x xs

initFrom :: a -> [a] -> [a]
initFrom _ []       = []
initFrom x (y : ys) = x : initFrom y ys

nullList :: [a] -> Bool
nullList [] = True
nullList _  = False

lengthList :: [a] -> Int
lengthList xs = lengthOnto 0 xs

lengthOnto :: Int -> [a] -> Int
lengthOnto n []       = n
lengthOnto n (_ : xs) = let !m = primIntAdd n 1 in lengthOnto m xs

(!!) :: [a] -> Int -> a
xs !! n
  | primIntLt n 0 = errorWithoutStackTrace "Prelude.!!: negative index"
  | otherwise     = nth xs n

nth :: [a] -> Int -> a
nth [] _ = errorWithoutStackTrace "Prelude.!!: index too large"
nth (x : xs) n
  | primIntEq n 0 = x
  | otherwise     = let !m = primIntSub n 1 in nth xs m

reverse :: [a] -> [a]
reverse xs = reverseOnto [] xs

reverseOnto :: [a] -> [a] -> [a]
reverseOnto acc []       = acc
reverseOnto acc (x : xs) = reverseOnto (x : acc) xs

elemList :: Eq a => a -> [a] -> Bool
elemList _ [] = False
elemList x (y : ys)
  | x == y    = True
  | otherwise = elemList x ys

sumOnto, productOnto :: Num a => a -> [a] -> a
sumOnto acc []           = acc
sumOnto acc (x : xs)     = let !s = acc + x in sumOnto s xs
productOnto acc []       = acc
productOnto acc (x : xs) = let !p = acc * x in productOnto p xs

greatest, least :: Ord a => a -> [a] -> a
greatest m []       = m
greatest m (x : xs) = let !n = max m x in greatest n xs
least m []          = m
least m (x : xs)    = let !n = min m x in least n xs

anyList :: (a -> Bool) -> [a] -> Bool
anyList _ [] = False
anyList p (x : xs)
  | p x       = True
  | otherwise = anyList p xs

allList :: (a -> Bool) -> [a] -> Bool
allList _ [] = True
allList p (x : xs)
  | p x       = allList p xs
  | otherwise = False

lookup :: Eq a => a -> [(a, b)] -> Maybe b
lookup _ [] = Nothing
lookup key ((k, v) : rest)
  | key == k  = Just v
  | otherwise = lookup key rest

-- * Folds and scans

foldrList :: (a -> b -> b) -> b -> [a] -> b
foldrList _ z []       = z
foldrList f z (x : xs) = f x (foldrList f z xs)

foldlList :: (b -> a -> b) -> b -> [a] -> b
foldlList _ z []       = z
foldlList f z (x : xs) = foldlList f (f z x) xs

foldlStrict :: (b -> a -> b) -> b -> [a] -> b
foldlStrict _ z []       = z
foldlStrict f z (x : xs) = let !w = f z x in foldlStrict f w xs

foldr1List :: (a -> a -> a) -> [a] -> a
foldr1List _ []       = errorEmptyList "foldr1"
foldr1List f (x : xs) = foldr1From f x xs

foldr1From :: (a -> a -> a) -> a -> [a] -> a
foldr1From _ x []       = x
foldr1From f x (y : ys) = f x (foldr1From f y ys)

foldl1List :: (a -> a -> a) -> [a] -> a
foldl1List _ []       = errorEmptyList "foldl1"
foldl1List f (x : xs) = foldlList f x xs

scanl :: (b -> a -> b) -> b -> [a] -> [b]
scanl f q xs = q : (case xs of
  []     -> []
  x : ys -> scanl f (f q x) ys)

scanl1 :: (a -> a -> a) -> [a] -> [a]
scanl1 _ []       = []
scanl1 f (x : xs) = scanl f x xs

scanr :: (a -> b -> b) -> b -> [a] -> [b]
scanr _ q0 []     = [q0]
scanr f q0 (x:xs) = f x (head qs) : qs
  where qs = scanr f q0 xs

scanr1 :: (a -> a -> a) -> [a] -> [a]
scanr1 _ []     = []
scanr1 _ [x]    = [x]
scanr1 f (x:xs) = f x (head qs) : qs
  where qs = scanr1 f xs

-- * Building

iterate :: (a -> a) -> a -> [a]
iterate f x = x : iterate f (f x)

repeat :: a -> [a]
repeat x = xs
  where xs = x : xs

replicate :: Int -> a -> [a]
replicate n x
  | primIntLe n 0 = []
  | otherwise     = x : (let !m = primIntSub n 1 in replicate m x)

cycle :: [a] -> [a]
cycle [] = errorEmptyList "cycle"
cycle xs = again
  where again = xs ++ again

-- * Parts

take :: Int -> [a] -> [a]
take n xs
  | primIntLe n 0 = []
  | otherwise     = case xs of
      []     -> []
      y : ys -> y : (let !m = primIntSub n 1 in take m ys)

drop :: Int -> [a] -> [a]
drop n xs
  | primIntLe n 0 = xs
  | otherwise     = case xs of
      []     -> []
      _ : ys -> let !m = primIntSub n 1 in drop m ys

splitAt :: Int -> [a] -> ([a], [a])
splitAt n xs
  | primIntLe n 0 = ([], xs)
  | otherwise     = case xs of
      []     -> ([], [])
      y : ys -> let r = splitAt (primIntSub n 1) ys in (y : fst r, snd r)

takeWhile :: (a -> Bool) -> [a] -> [a]
takeWhile _ [] = []
takeWhile p (x : xs)
  | p x       = x : takeWhile p xs
  | otherwise = []

dropWhile :: (a -> Bool) -> [a] -> [a]
dropWhile _ [] = []
dropWhile p xs@(x : rest)
  | p x       = dropWhile p rest
  | otherwise = xs

span, break :: (a -> Bool) -> [a] -> ([a], [a])
span _ [] = ([], [])
span p xs@(x : rest)
  | p x       = let r = span p rest in (x : fst r, snd r)
  | otherwise = ([], xs)
break _ [] = ([], [])
break p xs@(x : rest)
  | p x       = ([], xs)
  | otherwise = let r = break p rest in (x : fst r, snd r)

-- * Zips

zip :: [a] -> [b] -> [(a, b)]
zip (a:as) (b:bs) = (a, b) : zip as bs
zip _      _      = []

zip3 :: [a] -> [b] -> [c] -> [(a, b, c)]
zip3 (a:as) (b:bs) (c:cs) = (a, b, c) : zip3 as bs cs
zip3 _      _      _      = []

zipWith :: (a -> b -> c) -> [a] -> [b] -> [c]
zipWith f (a : as) (b : bs) = f a b : zipWith f as bs
zipWith _ _        _        = []

zipWith3 :: (a -> b -> c -> d) -> [a] -> [b] -> [c] -> [d]
zipWith3 f (a : as) (b : bs) (c : cs) = f a b c : zipWith3 f as bs cs
zipWith3 _ _        _        _        = []

unzip :: [(a, b)] -> ([a], [b])
unzip []              = ([], [])
unzip ((a, b) : rest) = let r = unzip rest in (a : fst r, b : snd r)

unzip3 :: [(a, b, c)] -> ([a], [b], [c])
unzip3 []                 = ([], [], [])
unzip3 ((a, b, c) : rest) = (a : as, b : bs, c : cs)
  where (as, bs, cs) = unzip3 rest

-- * Texts

lines :: String -> [String]
lines [] = []
lines s  = fst r : (case snd r of
  []       -> []
  _ : rest -> lines rest)
  where r = lineAndRest s

-- | Up to a newline; what follows begins with it.
lineAndRest :: String -> (String, String)
lineAndRest [] = ([], [])
lineAndRest s@(c : cs)
  | primCharEq c '\n' = ([], s)
  | otherwise         = let r = lineAndRest cs in (c : fst r, snd r)

words :: String -> [String]
words s = case skipSpaces s of
  []   -> []
  rest -> let r = wordAndRest rest in fst r : words (snd r)

wordAndRest :: String -> (String, String)
wordAndRest [] = ([], [])
wordAndRest s@(c : cs)
  | isSpace c = ([], s)
  | otherwise = let r = wordAndRest cs in (c : fst r, snd r)

skipSpaces :: String -> String
skipSpaces [] = []
skipSpaces s@(c : cs)
  | isSpace c = skipSpaces cs
  | otherwise = s

unlines :: [String] -> String
unlines []       = []
unlines (l : ls) = l ++ '\n' : unlines ls

unwords :: [String] -> String
unwords []       = []
unwords (w : ws) = w ++ unwordsRest ws

unwordsRest :: [String] -> String
unwordsRest []       = []
unwordsRest (w : ws) = ' ' : (w ++ unwordsRest ws)
