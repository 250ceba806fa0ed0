-- | Sorting, under the names of older Curry systems.
module Sort
  ( sort, sortBy, sorted, sortedBy
  , permSort, permSortBy, insertionSort, insertionSortBy
  , quickSort, quickSortBy, mergeSort, mergeSortBy
  , cmpChar, cmpList, cmpString, leqChar, leqCharIgnoreCase, leqList
  , leqString, leqStringIgnoreCase, leqLexGerman
  ) where

import Data.Char (toUpper)
import Data.List (insertBy, partition, sort, sortBy)

sorted :: Ord a => [a] -> Bool
sorted xs = sortedBy (<=) xs

sortedBy :: (a -> a -> Bool) -> [a] -> Bool
sortedBy leq xs = and (zipWith leq xs (drop 1 xs))

-- | A permutation that is sorted: the specification of sorting.
permSort :: Ord a => [a] -> [a]
permSort xs = permSortBy (<=) xs

permSortBy :: (a -> a -> Bool) -> [a] -> [a]
permSortBy leq xs | sortedBy leq ys = ys
  where ys = permutation xs

permutation :: [a] -> [a]
permutation []     = []
permutation (x:xs) = somewhere x (permutation xs)

somewhere :: a -> [a] -> [a]
somewhere x ys     = x : ys
somewhere x (y:ys) = y : somewhere x ys

insertionSort :: Ord a => [a] -> [a]
insertionSort xs = insertionSortBy (<=) xs

insertionSortBy :: (a -> a -> Bool) -> [a] -> [a]
insertionSortBy leq xs = foldr (insertBy leq) [] xs

quickSort :: Ord a => [a] -> [a]
quickSort xs = quickSortBy (<=) xs

quickSortBy :: (a -> a -> Bool) -> [a] -> [a]
quickSortBy _   []     = []
quickSortBy leq (x:xs) = quickSortBy leq small ++ x : quickSortBy leq large
  where (small, large) = partition (`leq` x) xs

mergeSort :: Ord a => [a] -> [a]
mergeSort xs = sort xs

mergeSortBy :: (a -> a -> Bool) -> [a] -> [a]
mergeSortBy leq xs = sortBy leq xs

-- | Lists by a relation like `<=` on their elements.
leqList :: Eq a => (a -> a -> Bool) -> [a] -> [a] -> Bool
leqList _   []     _      = True
leqList _   (_:_)  []     = False
leqList leq (x:xs) (y:ys) = if x == y then leqList leq xs ys else leq x y

cmpList :: (a -> a -> Ordering) -> [a] -> [a] -> Ordering
cmpList _   []     []     = EQ
cmpList _   []     (_:_)  = LT
cmpList _   (_:_)  []     = GT
cmpList cmp (x:xs) (y:ys) = mappend (cmp x y) (cmpList cmp xs ys)

leqChar :: Char -> Char -> Bool
leqChar c d = c <= d

cmpChar :: Char -> Char -> Ordering
cmpChar c d = compare c d

leqCharIgnoreCase :: Char -> Char -> Bool
leqCharIgnoreCase c d = toUpper c <= toUpper d

leqString :: String -> String -> Bool
leqString s t = s <= t

cmpString :: String -> String -> Ordering
cmpString s t = compare s t

leqStringIgnoreCase :: String -> String -> Bool
leqStringIgnoreCase s t = map toUpper s <= map toUpper t

-- | The order of German dictionaries: cases and umlauts make no difference.
leqLexGerman :: String -> String -> Bool
leqLexGerman s t = map plain s <= map plain t
  where
    plain c
      | c `elem` "\xe4\xc4" = 'A'
      | c `elem` "\xf6\xd6" = 'O'
      | c `elem` "\xfc\xdc" = 'U'
      | c == '\xdf'         = 'S'
      | otherwise           = toUpper c
