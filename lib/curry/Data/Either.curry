-- | Values of one type or another.
module Data.Either
  ( Either(..), either, lefts, rights, isLeft, isRight
  , fromLeft, fromRight, partitionEithers
  ) where

lefts :: [Either a b] -> [a]
lefts es = fst (partitionEithers es)

rights :: [Either a b] -> [b]
rights es = snd (partitionEithers es)

isLeft :: Either a b -> Bool
isLeft (Left _)  = True
isLeft (Right _) = False

isRight :: Either a b -> Bool
isRight (Left _)  = False
isRight (Right _) = True

-- | The left value; no value if it is a right one.
fromLeft :: Either a b -> a
fromLeft (Left x) = x

-- | The right value; no value if it is a left one.
fromRight :: Either a b -> b
fromRight (Right y) = y

partitionEithers :: [Either a b] -> ([a], [b])
partitionEithers []     = ([], [])
partitionEithers (e:es) = case e of
    Left x  -> (x : xs, ys)
    Right y -> (xs, y : ys)
  where (xs, ys) = partitionEithers es
