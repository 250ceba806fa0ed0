-- | Lists: searching, sets, sorting, splitting, folding.
module Data.List
  ( elemIndex, elemIndices, find, findIndex, findIndices
  , nub, nubBy, delete, deleteBy, (\\), union, unionBy, intersect, intersectBy
  , intersperse, intercalate, transpose, diagonal, permutations, partition
  , group, groupBy, splitOn, split, inits, tails, replace
  , isPrefixOf, isSuffixOf, isInfixOf
  , sort, sortBy, insertBy
  , last, init, sum, product, maximum, minimum, maximumBy, minimumBy
  , scanl, scanl1, scanr, scanr1, mapAccumL, mapAccumR, cycle, unfoldr
  ) where

infix 5 \\

-- * Searching

elemIndex :: Eq a => a -> [a] -> Maybe Int
elemIndex x ys = findIndex (x ==) ys

elemIndices :: Eq a => a -> [a] -> [Int]
elemIndices x ys = findIndices (x ==) ys

find :: (a -> Bool) -> [a] -> Maybe a
find _ []     = Nothing
find p (x:xs) = if p x then Just x else find p xs

findIndex :: (a -> Bool) -> [a] -> Maybe Int
findIndex p xs = case findIndices p xs of
  []  -> Nothing
  i:_ -> Just i

findIndices :: (a -> Bool) -> [a] -> [Int]
findIndices p xs = [i | (x, i) <- zip xs [0 ..], p x]

isPrefixOf :: Eq a => [a] -> [a] -> Bool
isPrefixOf []     _      = True
isPrefixOf (_:_)  []     = False
isPrefixOf (x:xs) (y:ys) = x == y && isPrefixOf xs ys

isSuffixOf :: Eq a => [a] -> [a] -> Bool
isSuffixOf xs ys = isPrefixOf (reverse xs) (reverse ys)

isInfixOf :: Eq a => [a] -> [a] -> Bool
isInfixOf xs ys = any (isPrefixOf xs) (tails ys)

-- * Lists as sets

nub :: Eq a => [a] -> [a]
nub xs = nubBy (==) xs

nubBy :: (a -> a -> Bool) -> [a] -> [a]
nubBy _  []     = []
nubBy eq (x:xs) = x : nubBy eq (filter (\y -> not (eq x y)) xs)

delete :: Eq a => a -> [a] -> [a]
delete x ys = deleteBy (==) x ys

deleteBy :: (a -> a -> Bool) -> a -> [a] -> [a]
deleteBy _  _ []     = []
deleteBy eq x (y:ys) = if eq x y then ys else y : deleteBy eq x ys

-- | The first list without the first occurrence of each element of the second.
(\\) :: Eq a => [a] -> [a] -> [a]
xs \\ []     = xs
xs \\ (y:ys) = delete y xs \\ ys

-- | The second list, preceded by what only the first one has.
union :: Eq a => [a] -> [a] -> [a]
union []     ys = ys
union (x:xs) ys = if x `elem` ys then union xs ys else x : union xs ys

-- | The first list, followed by what only the second one has, once each.
unionBy :: (a -> a -> Bool) -> [a] -> [a] -> [a]
unionBy eq xs ys = xs ++ foldl (\zs x -> deleteBy eq x zs) (nubBy eq ys) xs

intersect :: Eq a => [a] -> [a] -> [a]
intersect xs ys = filter (`elem` ys) xs

intersectBy :: (a -> a -> Bool) -> [a] -> [a] -> [a]
intersectBy eq xs ys = filter (\x -> any (eq x) ys) xs

-- * Rearranging

intersperse :: a -> [a] -> [a]
intersperse _   []             = []
intersperse _   [x]            = [x]
intersperse sep (x : xs@(_:_)) = x : sep : intersperse sep xs

intercalate :: [a] -> [[a]] -> [a]
intercalate sep xss = concat (intersperse sep xss)

-- | Rows become columns; all rows have the length of the first.
transpose :: [[a]] -> [[a]]
transpose []           = []
transpose ([]:xss)     = transpose xss
transpose ((x:xs):xss) = (x : map head xss) : transpose (xs : map tail xss)

-- | All elements of perhaps infinitely many lists that are perhaps infinite:
-- those whose positions have the same sum stand together.
diagonal :: [[a]] -> [a]
diagonal xss = sweep [] xss
  where
    sweep begun []       = if null begun then [] else through begun []
    sweep begun (ys:yss) = through (begun ++ [ys]) yss
    through lists rest = let left = filter (not . null) lists in map head left ++ sweep (map tail left) rest

-- | All permutations, the list itself first.
permutations :: [a] -> [[a]]
permutations xs = xs : moved [] xs

-- | The permutations of a list in which a later element has come before the
-- given ones, which stand before the list in reverse order.
moved :: [a] -> [a] -> [[a]]
moved _      []     = []
moved before (x:xs) = concatMap (inserted id) (permutations before) ++ moved (x : before) xs
  where
    inserted _ []     = []
    inserted f (y:ys) = f (x : y : ys ++ xs) : inserted (f . (y :)) ys

partition :: (a -> Bool) -> [a] -> ([a], [a])
partition _ []     = ([], [])
partition p (x:xs) = if p x then (x : yes, no) else (yes, x : no)
  where (yes, no) = partition p xs

-- | The list with the element at a position replaced.
replace :: a -> Int -> [a] -> [a]
replace _ _ []     = []
replace x n (y:ys) = if n == 0 then x : ys else y : replace x (n - 1) ys

-- * Splitting

group :: Eq a => [a] -> [[a]]
group xs = groupBy (==) xs

-- | Runs of elements that are related to the first one of their run.
groupBy :: (a -> a -> Bool) -> [a] -> [[a]]
groupBy _  []     = []
groupBy eq (x:xs) = let (same, rest) = span (eq x) xs in (x : same) : groupBy eq rest

-- | The parts of a list between the occurrences of another.
splitOn :: Eq a => [a] -> [a] -> [[a]]
splitOn []         _  = error "splitOn called with an empty pattern"
splitOn sep@(_:_)  xs = parts xs
  where
    parts []       = [[]]
    parts l@(y:ys)
      | sep `isPrefixOf` l = [] : parts (drop (length sep) l)
      | otherwise          = onFirst (y :) (parts ys)

-- | The parts of a list between the elements that satisfy a predicate.
split :: (a -> Bool) -> [a] -> [[a]]
split _ []     = [[]]
split p (x:xs) = if p x then [] : split p xs else onFirst (x :) (split p xs)

-- | Changes the first element of a list, which must have one when it is needed.
onFirst :: (a -> a) -> [a] -> [a]
onFirst f xs = f (head xs) : tail xs

inits :: [a] -> [[a]]
inits []     = [[]]
inits (x:xs) = [] : map (x :) (inits xs)

tails :: [a] -> [[a]]
tails []          = [[]]
tails xs@(_:rest) = xs : tails rest

last :: [a] -> a
last [x]            = x
last (_ : xs@(_:_)) = last xs

init :: [a] -> [a]
init [_]            = []
init (x : xs@(_:_)) = x : init xs

-- * Sorting

sort :: Ord a => [a] -> [a]
sort xs = sortBy (<=) xs

-- | Sorts by a relation like `<=`; elements that are equal by it keep their
-- order.
sortBy :: (a -> a -> Bool) -> [a] -> [a]
sortBy leq xs = mergeAll (map (: []) xs)
  where
    mergeAll []                = []
    mergeAll [ys]              = ys
    mergeAll (ys : yss@(_:_))  = mergeAll (mergePairs (ys : yss))
    mergePairs []              = []
    mergePairs [ys]            = [ys]
    mergePairs (ys : zs : yss) = merge ys zs : mergePairs yss
    merge []     zs     = zs
    merge (y:ys) []     = y : ys
    merge (y:ys) (z:zs) = if leq y z then y : merge ys (z : zs) else z : merge (y : ys) zs

-- | Inserts before the first element that is not smaller by a relation like `<=`.
insertBy :: (a -> a -> Bool) -> a -> [a] -> [a]
insertBy _   x []     = [x]
insertBy leq x (y:ys) = if leq x y then x : y : ys else y : insertBy leq x ys

-- * Folding

sum :: Num a => [a] -> a
sum xs = foldl (+) 0 xs

product :: Num a => [a] -> a
product xs = foldl (*) 1 xs

maximum :: Ord a => [a] -> a
maximum xs = foldl1 max xs

minimum :: Ord a => [a] -> a
minimum xs = foldl1 min xs

-- | The last of the greatest elements.
maximumBy :: (a -> a -> Ordering) -> [a] -> a
maximumBy cmp xs = foldl1 (\x y -> case cmp x y of { LT -> y; EQ -> y; GT -> x }) xs

-- | The first of the smallest elements.
minimumBy :: (a -> a -> Ordering) -> [a] -> a
minimumBy cmp xs = foldl1 (\x y -> case cmp x y of { LT -> x; EQ -> x; GT -> y }) xs

scanl :: (b -> a -> b) -> b -> [a] -> [b]
scanl f z xs = z : case xs of
  []   -> []
  y:ys -> scanl f (f z y) ys

scanl1 :: (a -> a -> a) -> [a] -> [a]
scanl1 _ []     = []
scanl1 f (x:xs) = scanl f x xs

scanr :: (a -> b -> b) -> b -> [a] -> [b]
scanr _ z []     = [z]
scanr f z (x:xs) = let rest = scanr f z xs in f x (head rest) : rest

scanr1 :: (a -> a -> a) -> [a] -> [a]
scanr1 _ []             = []
scanr1 _ [x]            = [x]
scanr1 f (x : xs@(_:_)) = let rest = scanr1 f xs in f x (head rest) : rest

mapAccumL :: (s -> a -> (s, b)) -> s -> [a] -> (s, [b])
mapAccumL _ s []     = (s, [])
mapAccumL f s (x:xs) = (s2, y : ys)
  where
    (s1, y)  = f s x
    (s2, ys) = mapAccumL f s1 xs

mapAccumR :: (s -> a -> (s, b)) -> s -> [a] -> (s, [b])
mapAccumR _ s []     = (s, [])
mapAccumR f s (x:xs) = (s2, y : ys)
  where
    (s2, y)  = f s1 x
    (s1, ys) = mapAccumR f s xs

-- * Infinite lists

cycle :: [a] -> [a]
cycle xs@(_:_) = let ys = xs ++ ys in ys

unfoldr :: (s -> Maybe (a, s)) -> s -> [a]
unfoldr f s = case f s of
  Nothing      -> []
  Just (x, s1) -> x : unfoldr f s1
