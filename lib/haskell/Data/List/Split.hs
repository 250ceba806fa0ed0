-- | Lists in pieces: the functions of the package @split@ that need no splitter.
module Data.List.Split
  ( splitOn, splitOneOf, splitWhen, endBy, endByOneOf, wordsBy, linesBy
  , chunksOf, splitPlaces, splitPlacesBlanks, splitEvery, divvy
  ) where

import Data.List (isPrefixOf, unfoldr)

-- | At each of the places where the first list occurs, which is not empty.
splitOn :: Eq a => [a] -> [a] -> [[a]]
splitOn []  _  = errorWithoutStackTrace "splitOn: empty delimiter"
splitOn sep xs = case breakOn xs of
  (piece, Nothing)   -> [piece]
  (piece, Just rest) -> piece : splitOn sep rest
  where
    size = length sep
    breakOn ys
      | sep `isPrefixOf` ys = ([], Just (drop size ys))
      | otherwise           = case ys of
          []     -> ([], Nothing)
          z : zs -> let r = breakOn zs in (z : fst r, snd r)

splitOneOf, endByOneOf :: Eq a => [a] -> [a] -> [[a]]
splitOneOf seps = splitWhen (`elem` seps)
endByOneOf seps = dropFinalEmpty . splitOneOf seps

splitWhen, wordsBy, linesBy :: (a -> Bool) -> [a] -> [[a]]
splitWhen p xs = case break p xs of
  (piece, [])       -> [piece]
  (piece, _ : rest) -> piece : splitWhen p rest
wordsBy p = filter (not . null) . splitWhen p
linesBy p = dropFinalEmpty . splitWhen p

endBy :: Eq a => [a] -> [a] -> [[a]]
endBy sep = dropFinalEmpty . splitOn sep

-- | Without the last piece, if that is empty.
dropFinalEmpty :: [[a]] -> [[a]]
dropFinalEmpty []       = []
dropFinalEmpty [[]]     = []
dropFinalEmpty (p : ps) = p : dropFinalEmpty ps

chunksOf, splitEvery :: Int -> [a] -> [[a]]
chunksOf n = unfoldr (\xs -> if null xs then Nothing else Just (splitAt n xs))
splitEvery = chunksOf

-- | Pieces of the given lengths, as far as there are elements; or empty pieces
-- then.
splitPlaces, splitPlacesBlanks :: Integral i => [i] -> [a] -> [[a]]
splitPlaces []       _  = []
splitPlaces _        [] = []
splitPlaces (n : ns) xs = case splitAt (fromIntegral n) xs of (a, b) -> a : splitPlaces ns b
splitPlacesBlanks []       _  = []
splitPlacesBlanks (n : ns) xs = case splitAt (fromIntegral n) xs of (a, b) -> a : splitPlacesBlanks ns b

-- | Pieces of a length, each so many elements after the one before.
divvy :: Int -> Int -> [a] -> [[a]]
divvy n m xs
  | length piece < n = []
  | otherwise        = piece : divvy n m (drop m xs)
  where piece = take n xs
