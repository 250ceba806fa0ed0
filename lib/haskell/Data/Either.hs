{-# LANGUAGE NoImplicitPrelude #-}
-- | Values of one of two types.
module Data.Either
  ( Either(..), either, lefts, rights, partitionEithers
  , isLeft, isRight, fromLeft, fromRight
  ) where

import Gadfly.Base

lefts :: [Either a b] -> [a]
lefts es = [x | Left x <- es]

rights :: [Either a b] -> [b]
rights es = [y | Right y <- es]

partitionEithers :: [Either a b] -> ([a], [b])
partitionEithers = foldr (either left right) ([], [])
  where left  a ~(l, r) = (a : l, r)
        right a ~(l, r) = (l, a : r)

isLeft :: Either a b -> Bool
isLeft (Left _)  = True
isLeft (Right _) = False

isRight :: Either a b -> Bool
isRight (Left _)  = False
isRight (Right _) = True

fromLeft :: a -> Either a b -> a
fromLeft _ (Left a) = a
fromLeft a _        = a

fromRight :: b -> Either a b -> b
fromRight _ (Right b) = b
fromRight b _         = b
