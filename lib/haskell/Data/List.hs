{-# LANGUAGE NoImplicitPrelude, BangPatterns #-}
-- | Operations on lists.
module Data.List
  ( -- * Basic functions
    (++), head, last, tail, init, uncons, singleton, null, length
    -- * Transformations
  , map, reverse, intersperse, intercalate, transpose, subsequences, permutations
    -- * Folds
  , foldl, foldl', foldl1, foldl1', foldr, foldr1
  , concat, concatMap, and, or, any, all, sum, product, maximum, minimum
    -- * Building lists
  , scanl, scanl', scanl1, scanr, scanr1, mapAccumL, mapAccumR
  , iterate, iterate', repeat, replicate, cycle, unfoldr
    -- * Sublists
  , take, drop, splitAt, takeWhile, dropWhile, dropWhileEnd, span, break
  , stripPrefix, group, inits, tails, isPrefixOf, isSuffixOf, isInfixOf, isSubsequenceOf
    -- * Searching
  , elem, notElem, lookup, find, filter, partition
  , (!!), elemIndex, elemIndices, findIndex, findIndices
    -- * Zipping
  , zip, zip3, zip4, zip5, zip6, zip7
  , zipWith, zipWith3, zipWith4, zipWith5, zipWith6, zipWith7
  , unzip, unzip3, unzip4, unzip5, unzip6, unzip7
    -- * Strings
  , lines, words, unlines, unwords
    -- * Lists as sets
  , nub, delete, (\\), union, intersect
    -- * Ordered lists
  , sort, sortOn, sortBy, insert, insertBy
    -- * With a user's own comparison
  , nubBy, deleteBy, deleteFirstsBy, unionBy, intersectBy, groupBy, maximumBy, minimumBy
    -- * With any number type
  , genericLength, genericTake, genericDrop, genericSplitAt, genericIndex, genericReplicate
  ) where

import Gadfly.Base
import Data.Foldable (find, maximumBy, minimumBy)
import Data.Traversable (mapAccumL, mapAccumR)

infix 5 \\

uncons :: [a] -> Maybe (a, [a])
uncons []     = Nothing
uncons (x:xs) = Just (x, xs)

singleton :: a -> [a]
singleton x = [x]

intersperse :: a -> [a] -> [a]
intersperse _   []     = []
intersperse sep (x:xs) = x : go xs
  where go []     = []
        go (y:ys) = sep : y : go ys

intercalate :: [a] -> [[a]] -> [a]
intercalate xs xss = concat (intersperse xs xss)

transpose :: [[a]] -> [[a]]
transpose []               = []
transpose ([] : xss)       = transpose xss
transpose ((x : xs) : xss) =
  (x : [h | (h : _) <- xss]) : transpose (xs : [t | (_ : t) <- xss])

subsequences :: [a] -> [[a]]
subsequences xs = [] : nonEmptySubsequences xs

nonEmptySubsequences :: [a] -> [[a]]
nonEmptySubsequences []     = []
nonEmptySubsequences (x:xs) = [x] : foldr f [] (nonEmptySubsequences xs)
  where f ys r = ys : (x : ys) : r

-- | All orders of the elements.  The list comes lazily, and works on infinite
-- lists: each element is put everywhere into the permutations of those before.
permutations :: [a] -> [[a]]
permutations xs0 = xs0 : perms xs0 []
  where
    perms []     _  = []
    perms (t:ts) is = foldr interleave (perms ts (t : is)) (permutations is)
      where
        interleave xs r = case interleave' id xs r of (_, zs) -> zs
        interleave' _ []     r = (ts, r)
        interleave' f (y:ys) r =
          let (us, zs) = interleave' (f . (y :)) ys r
          in (y : us, f (t : y : us) : zs)

foldl1' :: (a -> a -> a) -> [a] -> a
foldl1' f (x:xs) = foldl' f x xs
foldl1' _ []     = errorEmptyList "foldl1'"

scanl' :: (b -> a -> b) -> b -> [a] -> [b]
scanl' f = go
  where go !q ls = q : (case ls of
                          []   -> []
                          x:xs -> go (f q x) xs)

iterate' :: (a -> a) -> a -> [a]
iterate' f = go
  where go x = let x' = f x in x' `seq` (x : go x')

unfoldr :: (b -> Maybe (a, b)) -> b -> [a]
unfoldr f = go
  where go b = case f b of
          Just (a, b') -> a : go b'
          Nothing      -> []

dropWhileEnd :: (a -> Bool) -> [a] -> [a]
dropWhileEnd p = foldr (\x xs -> if p x && null xs then [] else x : xs) []

stripPrefix :: Eq a => [a] -> [a] -> Maybe [a]
stripPrefix []     ys = Just ys
stripPrefix (x:xs) (y:ys) | x == y = stripPrefix xs ys
stripPrefix _      _  = Nothing

group :: Eq a => [a] -> [[a]]
group = groupBy (==)

groupBy :: (a -> a -> Bool) -> [a] -> [[a]]
groupBy _  []     = []
groupBy eq (x:xs) = (x : fst r) : groupBy eq (snd r)
  where r = span (eq x) xs

inits :: [a] -> [[a]]
inits xs = go 0 xs
  where go n rest = take n xs : (case rest of
          []  -> []
          _:r -> go (primIntAdd n 1) r)

tails :: [a] -> [[a]]
tails xs = xs : (case xs of
                   []   -> []
                   _:ys -> tails ys)

isPrefixOf :: Eq a => [a] -> [a] -> Bool
isPrefixOf []     _      = True
isPrefixOf _      []     = False
isPrefixOf (x:xs) (y:ys) = x == y && isPrefixOf xs ys

isSuffixOf :: Eq a => [a] -> [a] -> Bool
isSuffixOf ns hs = case dropLengthMaybe ns hs of
  Nothing    -> False
  Just delta -> ns == dropLength delta hs

-- | Drop as many elements as the first list has.
dropLength :: [a] -> [b] -> [b]
dropLength (_:xs) (_:ys) = dropLength xs ys
dropLength []     ys     = ys
dropLength _      []     = []

dropLengthMaybe :: [a] -> [b] -> Maybe [b]
dropLengthMaybe (_:xs) (_:ys) = dropLengthMaybe xs ys
dropLengthMaybe []     ys     = Just ys
dropLengthMaybe _      []     = Nothing

isInfixOf :: Eq a => [a] -> [a] -> Bool
isInfixOf needle haystack = any (isPrefixOf needle) (tails haystack)

isSubsequenceOf :: Eq a => [a] -> [a] -> Bool
isSubsequenceOf []       _  = True
isSubsequenceOf _        [] = False
isSubsequenceOf a@(x:a') (y:b)
  | x == y    = isSubsequenceOf a' b
  | otherwise = isSubsequenceOf a b

partition :: (a -> Bool) -> [a] -> ([a], [a])
partition p = foldr select ([], [])
  where select x ~(ts, fs) | p x       = (x : ts, fs)
                           | otherwise = (ts, x : fs)

elemIndex :: Eq a => a -> [a] -> Maybe Int
elemIndex x = findIndex (x ==)

elemIndices :: Eq a => a -> [a] -> [Int]
elemIndices x = findIndices (x ==)

findIndex :: (a -> Bool) -> [a] -> Maybe Int
findIndex p = go 0
  where go _  []     = Nothing
        go !n (x:xs) | p x       = Just n
                     | otherwise = go (primIntAdd n 1) xs

findIndices :: (a -> Bool) -> [a] -> [Int]
findIndices p = go 0
  where go _  []     = []
        go !n (x:xs) | p x       = n : go (primIntAdd n 1) xs
                     | otherwise = go (primIntAdd n 1) xs

zip4 :: [a] -> [b] -> [c] -> [d] -> [(a, b, c, d)]
zip4 = zipWith4 (,,,)

zip5 :: [a] -> [b] -> [c] -> [d] -> [e] -> [(a, b, c, d, e)]
zip5 = zipWith5 (,,,,)

zip6 :: [a] -> [b] -> [c] -> [d] -> [e] -> [f] -> [(a, b, c, d, e, f)]
zip6 = zipWith6 (,,,,,)

zip7 :: [a] -> [b] -> [c] -> [d] -> [e] -> [f] -> [g] -> [(a, b, c, d, e, f, g)]
zip7 = zipWith7 (,,,,,,)

zipWith4 :: (a -> b -> c -> d -> e) -> [a] -> [b] -> [c] -> [d] -> [e]
zipWith4 z (a:as) (b:bs) (c:cs) (d:ds) = z a b c d : zipWith4 z as bs cs ds
zipWith4 _ _ _ _ _ = []

zipWith5 :: (a -> b -> c -> d -> e -> f) -> [a] -> [b] -> [c] -> [d] -> [e] -> [f]
zipWith5 z (a:as) (b:bs) (c:cs) (d:ds) (e:es) = z a b c d e : zipWith5 z as bs cs ds es
zipWith5 _ _ _ _ _ _ = []

zipWith6 :: (a -> b -> c -> d -> e -> f -> g) -> [a] -> [b] -> [c] -> [d] -> [e] -> [f] -> [g]
zipWith6 z (a:as) (b:bs) (c:cs) (d:ds) (e:es) (f:fs) = z a b c d e f : zipWith6 z as bs cs ds es fs
zipWith6 _ _ _ _ _ _ _ = []

zipWith7 :: (a -> b -> c -> d -> e -> f -> g -> h) -> [a] -> [b] -> [c] -> [d] -> [e] -> [f] -> [g] -> [h]
zipWith7 z (a:as) (b:bs) (c:cs) (d:ds) (e:es) (f:fs) (g:gs) =
  z a b c d e f g : zipWith7 z as bs cs ds es fs gs
zipWith7 _ _ _ _ _ _ _ _ = []

unzip4 :: [(a, b, c, d)] -> ([a], [b], [c], [d])
unzip4 = foldr (\(a, b, c, d) ~(as, bs, cs, ds) -> (a : as, b : bs, c : cs, d : ds)) ([], [], [], [])

unzip5 :: [(a, b, c, d, e)] -> ([a], [b], [c], [d], [e])
unzip5 = foldr (\(a, b, c, d, e) ~(as, bs, cs, ds, es) -> (a : as, b : bs, c : cs, d : ds, e : es))
               ([], [], [], [], [])

unzip6 :: [(a, b, c, d, e, f)] -> ([a], [b], [c], [d], [e], [f])
unzip6 = foldr (\(a, b, c, d, e, f) ~(as, bs, cs, ds, es, fs) ->
                  (a : as, b : bs, c : cs, d : ds, e : es, f : fs))
               ([], [], [], [], [], [])

unzip7 :: [(a, b, c, d, e, f, g)] -> ([a], [b], [c], [d], [e], [f], [g])
unzip7 = foldr (\(a, b, c, d, e, f, g) ~(as, bs, cs, ds, es, fs, gs) ->
                  (a : as, b : bs, c : cs, d : ds, e : es, f : fs, g : gs))
               ([], [], [], [], [], [], [])

nub :: Eq a => [a] -> [a]
nub = nubBy (==)

nubBy :: (a -> a -> Bool) -> [a] -> [a]
nubBy eq l = go l []
  where
    go []     _  = []
    go (y:ys) xs | seen y xs = go ys xs
                 | otherwise = y : go ys (y : xs)
    seen _ []     = False
    seen y (x:xs) = eq x y || seen y xs

delete :: Eq a => a -> [a] -> [a]
delete = deleteBy (==)

deleteBy :: (a -> a -> Bool) -> a -> [a] -> [a]
deleteBy _  _ []     = []
deleteBy eq x (y:ys) = if x `eq` y then ys else y : deleteBy eq x ys

(\\) :: Eq a => [a] -> [a] -> [a]
(\\) = foldl (flip delete)

deleteFirstsBy :: (a -> a -> Bool) -> [a] -> [a] -> [a]
deleteFirstsBy eq = foldl (flip (deleteBy eq))

union :: Eq a => [a] -> [a] -> [a]
union = unionBy (==)

unionBy :: (a -> a -> Bool) -> [a] -> [a] -> [a]
unionBy eq xs ys = xs ++ foldl (flip (deleteBy eq)) (nubBy eq ys) xs

intersect :: Eq a => [a] -> [a] -> [a]
intersect = intersectBy (==)

intersectBy :: (a -> a -> Bool) -> [a] -> [a] -> [a]
intersectBy _  [] _  = []
intersectBy _  _  [] = []
intersectBy eq xs ys = [x | x <- xs, any (eq x) ys]

sort :: Ord a => [a] -> [a]
sort = sortBy compare

sortOn :: Ord b => (a -> b) -> [a] -> [a]
sortOn f xs = map snd (sortBy (\a b -> compare (fst a) (fst b)) (map (\x -> let y = f x in y `seq` (y, x)) xs))

-- | A stable merge sort that starts from the runs already in the list, rising
-- or strictly falling.
sortBy :: (a -> a -> Ordering) -> [a] -> [a]
sortBy cmp = mergeAll . runs
  where
    runs (a:b:xs) = case cmp a b of
      GT -> falling b [a] xs
      _  -> rising b (a :) xs
    runs xs = [xs]

    falling a as (b:bs) | isGT (cmp a b) = falling b (a : as) bs
    falling a as bs = (a : as) : runs bs

    rising a as (b:bs) | not (isGT (cmp a b)) = rising b (\ys -> as (a : ys)) bs
    rising a as bs = let !x = as [a] in x : runs bs

    mergeAll [x] = x
    mergeAll xs  = mergeAll (mergePairs xs)

    mergePairs (a:b:xs) = let !x = merge a b in x : mergePairs xs
    mergePairs xs       = xs

    merge as@(a:as') bs@(b:bs') = case cmp a b of
      GT -> b : merge as bs'
      _  -> a : merge as' bs
    merge [] bs = bs
    merge as [] = as

    isGT GT = True
    isGT _  = False

insert :: Ord a => a -> [a] -> [a]
insert = insertBy compare

insertBy :: (a -> a -> Ordering) -> a -> [a] -> [a]
insertBy _   x [] = [x]
insertBy cmp x ys@(y:ys') = case cmp x y of
  GT -> y : insertBy cmp x ys'
  _  -> x : ys

genericLength :: Num i => [a] -> i
genericLength []     = 0
genericLength (_:xs) = 1 + genericLength xs

genericTake :: Integral i => i -> [a] -> [a]
genericTake n _ | n <= 0 = []
genericTake _ []     = []
genericTake n (x:xs) = x : genericTake (n - 1) xs

genericDrop :: Integral i => i -> [a] -> [a]
genericDrop n xs | n <= 0 = xs
genericDrop _ []     = []
genericDrop n (_:xs) = genericDrop (n - 1) xs

genericSplitAt :: Integral i => i -> [a] -> ([a], [a])
genericSplitAt n xs | n <= 0 = ([], xs)
genericSplitAt _ []     = ([], [])
genericSplitAt n (x:xs) = (x : fst r, snd r)
  where r = genericSplitAt (n - 1) xs

genericIndex :: Integral i => [a] -> i -> a
genericIndex xs n
  | n < 0     = errorWithoutStackTrace "List.genericIndex: negative argument."
  | otherwise = go xs n
  where go []     _ = errorWithoutStackTrace "List.genericIndex: index too large."
        go (y:ys) i = if i == 0 then y else go ys (i - 1)

genericReplicate :: Integral i => i -> a -> [a]
genericReplicate n x = genericTake n (repeat x)
