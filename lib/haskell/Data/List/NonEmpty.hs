-- | Lists with at least one element.
module Data.List.NonEmpty
  ( NonEmpty(..)
  , map, intersperse, scanl, scanr, scanl1, scanr1, transpose, sortBy, sortWith
  , length, head, tail, last, init, singleton, (<|), cons, uncons, unfoldr, sort, reverse, inits, tails
  , iterate, repeat, cycle, insert, some1
  , take, drop, splitAt, takeWhile, dropWhile, span, break, filter, partition
  , group, groupBy, groupWith, groupAllWith, group1, groupBy1, groupWith1, groupAllWith1
  , isPrefixOf, nub, nubBy, (!!), zip, zipWith, unzip
  , fromList, toList, nonEmpty, xor
  ) where

import Prelude hiding
  ( map, scanl, scanr, scanl1, scanr1, length, head, tail, last, init, reverse, iterate, repeat, cycle
  , take, drop, splitAt, takeWhile, dropWhile, span, break, filter, (!!), zip, zipWith, unzip )
import qualified Prelude as P
import Control.Applicative (Alternative(..), liftA2)
import qualified Data.Foldable as F
import qualified Data.List as L
import Data.Ord (comparing)
import Gadfly.Base (NonEmpty(..))

infixr 5 <|
infixl 9 !!

-- | A list function that keeps lists non-empty.
lift :: Foldable f => ([a] -> [b]) -> f a -> NonEmpty b
lift f xs = fromList (f (F.toList xs))

fromList :: [a] -> NonEmpty a
fromList (a:as) = a :| as
fromList []     = errorWithoutStackTrace "NonEmpty.fromList: empty list"

toList :: NonEmpty a -> [a]
toList (a :| as) = a : as

nonEmpty :: [a] -> Maybe (NonEmpty a)
nonEmpty []     = Nothing
nonEmpty (a:as) = Just (a :| as)

length :: NonEmpty a -> Int
length (_ :| xs) = 1 + P.length xs

head :: NonEmpty a -> a
head (a :| _) = a

tail :: NonEmpty a -> [a]
tail (_ :| as) = as

last :: NonEmpty a -> a
last (a :| as) = P.last (a : as)

init :: NonEmpty a -> [a]
init (a :| as) = P.init (a : as)

singleton :: a -> NonEmpty a
singleton a = a :| []

(<|), cons :: a -> NonEmpty a -> NonEmpty a
a <| (b :| bs) = a :| b : bs
cons = (<|)

uncons :: NonEmpty a -> (a, Maybe (NonEmpty a))
uncons (a :| as) = (a, nonEmpty as)

unfoldr :: (a -> (b, Maybe a)) -> a -> NonEmpty b
unfoldr f a = case f a of
  (b, mc) -> b :| maybe [] go mc
  where
    go c = case f c of
      (d, me) -> d : maybe [] go me

map :: (a -> b) -> NonEmpty a -> NonEmpty b
map f (a :| as) = f a :| fmap f as

intersperse :: a -> NonEmpty a -> NonEmpty a
intersperse a (b :| bs) = b :| (case bs of
  [] -> []
  _  -> a : L.intersperse a bs)

scanl :: Foldable f => (b -> a -> b) -> b -> f a -> NonEmpty b
scanl f z = fromList . P.scanl f z . F.toList

scanr :: Foldable f => (a -> b -> b) -> b -> f a -> NonEmpty b
scanr f z = fromList . P.scanr f z . F.toList

scanl1, scanr1 :: (a -> a -> a) -> NonEmpty a -> NonEmpty a
scanl1 f (a :| as) = fromList (P.scanl f a as)
scanr1 f (a :| as) = fromList (P.scanr1 f (a : as))

transpose :: NonEmpty (NonEmpty a) -> NonEmpty (NonEmpty a)
transpose = fmap fromList . fromList . L.transpose . toList . fmap toList

sort :: Ord a => NonEmpty a -> NonEmpty a
sort = lift L.sort

sortBy :: (a -> a -> Ordering) -> NonEmpty a -> NonEmpty a
sortBy f = lift (L.sortBy f)

sortWith :: Ord o => (a -> o) -> NonEmpty a -> NonEmpty a
sortWith f = sortBy (comparing f)

reverse :: NonEmpty a -> NonEmpty a
reverse = lift P.reverse

inits, tails :: Foldable f => f a -> NonEmpty [a]
inits = fromList . L.inits . F.toList
tails = fromList . L.tails . F.toList

iterate :: (a -> a) -> a -> NonEmpty a
iterate f a = a :| P.iterate f (f a)

repeat :: a -> NonEmpty a
repeat a = a :| P.repeat a

cycle :: NonEmpty a -> NonEmpty a
cycle = lift P.cycle

insert :: (Foldable f, Ord a) => a -> f a -> NonEmpty a
insert a = fromList . L.insert a . F.toList

some1 :: Alternative f => f a -> f (NonEmpty a)
some1 x = liftA2 (:|) x (many x)

take, drop :: Int -> NonEmpty a -> [a]
take n = P.take n . toList
drop n = P.drop n . toList

splitAt :: Int -> NonEmpty a -> ([a], [a])
splitAt n = P.splitAt n . toList

takeWhile, dropWhile, filter :: (a -> Bool) -> NonEmpty a -> [a]
takeWhile p = P.takeWhile p . toList
dropWhile p = P.dropWhile p . toList
filter p    = P.filter p . toList

span, break, partition :: (a -> Bool) -> NonEmpty a -> ([a], [a])
span p      = P.span p . toList
break p     = P.break p . toList
partition p = L.partition p . toList

group :: (Foldable f, Eq a) => f a -> [NonEmpty a]
group = groupBy (==)

groupBy :: Foldable f => (a -> a -> Bool) -> f a -> [NonEmpty a]
groupBy eq0 = go eq0 . F.toList
  where
    go _  []     = []
    go eq (x:xs) = let r = P.span (eq x) xs in (x :| fst r) : go eq (snd r)

groupWith :: Eq b => (a -> b) -> [a] -> [NonEmpty a]
groupWith f = groupBy (\x y -> f x == f y)

groupAllWith :: Ord b => (a -> b) -> [a] -> [NonEmpty a]
groupAllWith f = groupWith f . L.sortBy (comparing f)

group1 :: Eq a => NonEmpty a -> NonEmpty (NonEmpty a)
group1 = groupBy1 (==)

groupBy1 :: (a -> a -> Bool) -> NonEmpty a -> NonEmpty (NonEmpty a)
groupBy1 eq (x :| xs) = let r = P.span (eq x) xs in (x :| fst r) :| groupBy eq (snd r)

groupWith1 :: Eq b => (a -> b) -> NonEmpty a -> NonEmpty (NonEmpty a)
groupWith1 f = groupBy1 (\x y -> f x == f y)

groupAllWith1 :: Ord b => (a -> b) -> NonEmpty a -> NonEmpty (NonEmpty a)
groupAllWith1 f = groupWith1 f . sortWith f

isPrefixOf :: Eq a => [a] -> NonEmpty a -> Bool
isPrefixOf xs ys = L.isPrefixOf xs (toList ys)

nub :: Eq a => NonEmpty a -> NonEmpty a
nub = nubBy (==)

nubBy :: (a -> a -> Bool) -> NonEmpty a -> NonEmpty a
nubBy eq = lift (L.nubBy eq)

(!!) :: NonEmpty a -> Int -> a
(!!) (x :| xs) n
  | n == 0    = x
  | n > 0     = xs P.!! (n - 1)
  | otherwise = errorWithoutStackTrace "NonEmpty.!! negative index"

zip :: NonEmpty a -> NonEmpty b -> NonEmpty (a, b)
zip (x :| xs) (y :| ys) = (x, y) :| P.zip xs ys

zipWith :: (a -> b -> c) -> NonEmpty a -> NonEmpty b -> NonEmpty c
zipWith f (x :| xs) (y :| ys) = f x y :| P.zipWith f xs ys

unzip :: Functor f => f (a, b) -> (f a, f b)
unzip xs = (fmap fst xs, fmap snd xs)

xor :: NonEmpty Bool -> Bool
xor (x :| xs) = foldr (/=) x xs
