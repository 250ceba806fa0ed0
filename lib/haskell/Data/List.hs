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

-- | After the empty one, those that end in each element: it is put after every
-- subsequence of the elements before.
subsequences :: [a] -> [[a]]
subsequences xs = [] : endingIn [[]] xs

endingIn :: [[a]] -> [a] -> [[a]]
endingIn _       []       = []
endingIn earlier (x : xs) = here ++ endingIn (earlier ++ here) xs
  where here = map (++ [x]) earlier

-- | All orders of the elements, the given one first.  Those that leave the
-- elements from some place on as they are come before those that move a later
-- one, so that beginnings of infinite lists are permuted too.
permutations :: [a] -> [[a]]
permutations xs = xs : moving [] xs

-- | The orders that move one of the later elements but none after it: it goes
-- before any of the elements in front of it, which are given in reverse and
-- take all their orders.
moving :: [a] -> [a] -> [[a]]
moving _     []       = []
moving front (x : xs) =
  concatMapList (\order -> insertions x order xs) (permutations front) ++ moving (x : front) xs

-- | The element before each of some others, these followed by a rest.
insertions :: a -> [a] -> [a] -> [[a]]
insertions x order rest =
  zipWith (\before after -> before ++ x : (after ++ rest)) (inits order) (nonEmptyTails order)

nonEmptyTails :: [a] -> [[a]]
nonEmptyTails []            = []
nonEmptyTails xs@(_ : rest) = xs : nonEmptyTails rest

foldl1' :: (a -> a -> a) -> [a] -> a
foldl1' f (x:xs) = foldl' f x xs
foldl1' _ []     = errorEmptyList "foldl1'"

scanl' :: (b -> a -> b) -> b -> [a] -> [b]
scanl' f !q xs = q : (case xs of
  []     -> []
  y : ys -> scanl' f (f q y) ys)

iterate' :: (a -> a) -> a -> [a]
iterate' f x = let !y = f x in x : iterate' f y

unfoldr :: (b -> Maybe (a, b)) -> b -> [a]
unfoldr f b = case f b of
  Just (a, rest) -> a : unfoldr f rest
  Nothing        -> []

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
isPrefixOf (x:xs) (y:ys)
  | x == y    = isPrefixOf xs ys
  | otherwise = False

-- | Drops what the second list has more, then compares.
isSuffixOf :: Eq a => [a] -> [a] -> Bool
isSuffixOf end xs = aligned xs (drop (lengthList end) xs)
  where
    aligned rest     []       = end == rest
    aligned (_ : ys) (_ : zs) = aligned ys zs
    aligned []       _        = False

isInfixOf :: Eq a => [a] -> [a] -> Bool
isInfixOf needle haystack = any (isPrefixOf needle) (tails haystack)

isSubsequenceOf :: Eq a => [a] -> [a] -> Bool
isSubsequenceOf []       _  = True
isSubsequenceOf _        [] = False
isSubsequenceOf a@(x:a') (y:b)
  | x == y    = isSubsequenceOf a' b
  | otherwise = isSubsequenceOf a b

partition :: (a -> Bool) -> [a] -> ([a], [a])
partition _ [] = ([], [])
partition p (x : xs)
  | p x       = (x : fst r, snd r)
  | otherwise = (fst r, x : snd r)
  where r = partition p xs

elemIndex :: Eq a => a -> [a] -> Maybe Int
elemIndex x = findIndex (x ==)

elemIndices :: Eq a => a -> [a] -> [Int]
elemIndices x = findIndices (x ==)

findIndex :: (a -> Bool) -> [a] -> Maybe Int
findIndex p xs = case findIndices p xs of
  []    -> Nothing
  n : _ -> Just n

findIndices :: (a -> Bool) -> [a] -> [Int]
findIndices p xs = indicesFrom p 0 xs

indicesFrom :: (a -> Bool) -> Int -> [a] -> [Int]
indicesFrom _ _ [] = []
indicesFrom p n (x : xs)
  | p x       = n : (let !m = primIntAdd n 1 in indicesFrom p m xs)
  | otherwise = let !m = primIntAdd n 1 in indicesFrom p m xs

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
nub xs = unseen [] xs

-- | Elements that are not among those seen before, which are the latest first.
unseen :: Eq a => [a] -> [a] -> [a]
unseen _ [] = []
unseen seen (x : xs)
  | elemList x seen = unseen seen xs
  | otherwise       = x : unseen (x : seen) xs

nubBy :: (a -> a -> Bool) -> [a] -> [a]
nubBy eq xs = fresh eq [] xs

-- | Elements that equal none of those seen before, which are the latest first.
fresh :: (a -> a -> Bool) -> [a] -> [a] -> [a]
fresh _ _ [] = []
fresh eq seen (x : xs)
  | anyList (\y -> eq y x) seen = fresh eq seen xs
  | otherwise                  = x : fresh eq (x : seen) xs

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
sort xs = sortBy compare xs

sortOn :: Ord b => (a -> b) -> [a] -> [a]
sortOn key xs = map unkeyed (sortBy (\(Keyed k _) (Keyed l _) -> compare k l) (map (\x -> Keyed (key x) x) xs))

-- | An element with what it is sorted by, computed once.
data Keyed k a = Keyed !k a

unkeyed :: Keyed k a -> a
unkeyed (Keyed _ x) = x

-- | Halves are sorted and merged.  The merges are lazy: the least element takes
-- time linear in the length, and the others come as they are asked for.
sortBy :: (a -> a -> Ordering) -> [a] -> [a]
sortBy cmp xs = case lengthList xs of
  0 -> []
  n -> fst (sortFirst cmp n xs)

-- | The first elements, as many as said (at least one), in order; and the rest.
sortFirst :: (a -> a -> Ordering) -> Int -> [a] -> ([a], [a])
sortFirst cmp n xs
  | primIntEq n 1 = case xs of
      x : rest -> ([x], rest)
      []       -> ([], [])
  | otherwise =
      let half = primIntQuot n 2
      in case sortFirst cmp half xs of
           (as, rest) -> case sortFirst cmp (primIntSub n half) rest of
             (bs, rest') -> (mergeBy cmp as bs, rest')

-- | Two lists in order as one; of equal elements those of the first come first.
mergeBy :: (a -> a -> Ordering) -> [a] -> [a] -> [a]
mergeBy _ [] bs = bs
mergeBy _ as [] = as
mergeBy cmp as@(a : as') bs@(b : bs') = case cmp a b of
  GT -> b : mergeBy cmp as bs'
  _  -> a : mergeBy cmp as' bs

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
