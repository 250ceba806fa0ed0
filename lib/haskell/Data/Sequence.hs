{-# LANGUAGE BangPatterns #-}
-- | Finite sequences with access to both ends and by position, as trees
-- balanced by size like those of "Data.Set.Internal".  Every single access,
-- split and concatenation takes time logarithmic in the length; elements are
-- lazy.
module Data.Sequence
  ( Seq
    -- * Construction
  , empty, singleton, (<|), (|>), (><), fromList, fromFunction, fromArray
  , replicate, replicateA, replicateM, cycleTaking, iterateN, unfoldr, unfoldl
    -- * Queries
  , null, length, ViewL(..), viewl, ViewR(..), viewr
    -- * Scans
  , scanl, scanl1, scanr, scanr1
    -- * Sublists
  , tails, inits, chunksOf, takeWhileL, takeWhileR, dropWhileL, dropWhileR
  , spanl, spanr, breakl, breakr, partition, filter
    -- * Sorting
  , sort, sortBy, sortOn, unstableSort, unstableSortBy, unstableSortOn
    -- * Positions
  , lookup, (!?), index, adjust, adjust', update, take, drop, insertAt, deleteAt, splitAt
  , elemIndexL, elemIndicesL, elemIndexR, elemIndicesR, findIndexL, findIndicesL, findIndexR, findIndicesR
    -- * Folds and transformations
  , foldMapWithIndex, foldlWithIndex, foldrWithIndex
  , mapWithIndex, traverseWithIndex, reverse, intersperse
  , zip, zipWith, zip3, zipWith3, zip4, zipWith4, unzip, unzipWith
  ) where

import Prelude hiding
  ( replicate, null, length, scanl, scanl1, scanr, scanr1, filter, lookup, take, drop, splitAt
  , reverse, zip, zipWith, zip3, zipWith3, unzip )
import qualified Prelude as P
import Control.Applicative (Alternative((<|>)))
import Control.DeepSeq (NFData(..))
import Control.Monad (MonadPlus)
import Control.Monad.Fix (MonadFix(..), fix)
import Data.Array (Array, Ix, elems)
import qualified Data.Foldable as F
import qualified Data.List as L

infixr 5 <|, :<, ><
infixl 5 |>, :>

data Seq a = Nil | Bin !Int a !(Seq a) !(Seq a)

data ViewL a = EmptyL | a :< Seq a
  deriving (Eq, Ord, Show)

data ViewR a = EmptyR | Seq a :> a
  deriving (Eq, Ord, Show)

-- Balancing.

length :: Seq a -> Int
length Nil           = 0
length (Bin n _ _ _) = n

null :: Seq a -> Bool
null Nil = True
null _   = False

bin :: a -> Seq a -> Seq a -> Seq a
bin x l r = Bin (length l + length r + 1) x l r

balance :: a -> Seq a -> Seq a -> Seq a
balance x l r
  | sl + sr <= 1 = Bin (sl + sr + 1) x l r
  | sr > 3 * sl  = rotateL x l r
  | sl > 3 * sr  = rotateR x l r
  | otherwise    = Bin (sl + sr + 1) x l r
  where
    !sl = length l
    !sr = length r

rotateL, rotateR :: a -> Seq a -> Seq a -> Seq a
rotateL x l r@(Bin _ y ly ry)
  | length ly < 2 * length ry = bin y (bin x l ly) ry
  | otherwise = case ly of
      Bin _ z t2 t3 -> bin z (bin x l t2) (bin y t3 ry)
      Nil           -> bin x l r
rotateL x l Nil = bin x l Nil
rotateR x l@(Bin _ y ly ry) r
  | length ry < 2 * length ly = bin y ly (bin x ry r)
  | otherwise = case ry of
      Bin _ z t2 t3 -> bin z (bin y ly t2) (bin x t3 r)
      Nil           -> bin x l r
rotateR x Nil r = bin x Nil r

-- | Left part, an element, right part; any lengths.
link :: a -> Seq a -> Seq a -> Seq a
link x Nil r = x <| r
link x l Nil = l |> x
link x l@(Bin sl y ly ry) r@(Bin sr z lz rz)
  | 3 * sl < sr = balance z (link x l lz) rz
  | 3 * sr < sl = balance y ly (link x ry r)
  | otherwise   = Bin (sl + sr + 1) x l r

-- Construction.

empty :: Seq a
empty = Nil

singleton :: a -> Seq a
singleton x = Bin 1 x Nil Nil

(<|) :: a -> Seq a -> Seq a
x <| Nil         = Bin 1 x Nil Nil
x <| Bin _ y l r = balance y (x <| l) r

(|>) :: Seq a -> a -> Seq a
Nil |> x         = Bin 1 x Nil Nil
Bin _ y l r |> x = balance y l (r |> x)

(><) :: Seq a -> Seq a -> Seq a
Nil >< r = r
l >< r = case viewl r of
  EmptyL  -> l
  x :< r' -> link x l r'

fromList :: [a] -> Seq a
fromList xs = fst (build (P.length xs) xs)
  where
    build 0 ys = (Nil, ys)
    build n ys =
      let nl = n `quot` 2
      in case build nl ys of
           (l, y : ys') -> case build (n - nl - 1) ys' of
             (r, ys'') -> (Bin n y l r, ys'')
           (l, [])      -> (l, [])

fromFunction :: Int -> (Int -> a) -> Seq a
fromFunction n f
  | n < 0     = error "Data.Sequence.fromFunction called with negative len"
  | otherwise = go 0 n
  where
    go lo k
      | k == 0    = Nil
      | otherwise = let nl = k `quot` 2
                        i  = lo + nl
                    in Bin k (f i) (go lo nl) (go (i + 1) (k - nl - 1))

fromArray :: Ix i => Array i a -> Seq a
fromArray a = fromList (elems a)

replicate :: Int -> a -> Seq a
replicate n x
  | n >= 0    = fromFunction n (const x)
  | otherwise = error "replicate takes a nonnegative integer argument"

replicateA :: Applicative f => Int -> f a -> f (Seq a)
replicateA n x
  | n >= 0    = sequenceA (replicate n x)
  | otherwise = error "replicateA takes a nonnegative integer argument"

replicateM :: Applicative m => Int -> m a -> m (Seq a)
replicateM = replicateA

cycleTaking :: Int -> Seq a -> Seq a
cycleTaking n xs
  | n <= 0    = empty
  | null xs   = error "cycleTaking cannot take a positive number of elements from an empty cycle."
  | otherwise = fromList (P.take n (cycle (F.toList xs)))

iterateN :: Int -> (a -> a) -> a -> Seq a
iterateN n f x
  | n >= 0    = fromList (P.take n (iterate f x))
  | otherwise = error "iterateN takes a nonnegative integer argument"

unfoldr :: (b -> Maybe (a, b)) -> b -> Seq a
unfoldr f b = fromList (L.unfoldr f b)

unfoldl :: (b -> Maybe (b, a)) -> b -> Seq a
unfoldl f = go Nil
  where go acc b = case f b of
          Nothing      -> acc
          Just (b', a) -> go (a <| acc) b'

-- The ends.

viewl :: Seq a -> ViewL a
viewl Nil           = EmptyL
viewl (Bin _ y l r) = case go y l r of (x, t) -> x :< t
  where
    go x Nil r'            = (x, r')
    go x (Bin _ z zl zr) r' = case go z zl zr of (m, l') -> (m, balance x l' r')

viewr :: Seq a -> ViewR a
viewr Nil           = EmptyR
viewr (Bin _ y l r) = case go y l r of (x, t) -> t :> x
  where
    go x l' Nil             = (x, l')
    go x l' (Bin _ z zl zr) = case go z zl zr of (m, r') -> (m, balance x l' r')

-- Positions.

lookup :: Int -> Seq a -> Maybe a
lookup _ Nil = Nothing
lookup i (Bin _ x l r) = case compare i sl of
  LT -> lookup i l
  EQ -> Just x
  GT -> lookup (i - sl - 1) r
  where sl = length l

(!?) :: Seq a -> Int -> Maybe a
s !? i = lookup i s

index :: Seq a -> Int -> a
index s i = case lookup i s of
  Just x  -> x
  Nothing -> error ("index out of bounds in call to: Data.Sequence.index " ++ show i)

adjust, adjust' :: (a -> a) -> Int -> Seq a -> Seq a
adjust _ _ Nil = Nil
adjust f i (Bin n x l r) = case compare i sl of
  LT -> Bin n x (adjust f i l) r
  EQ -> Bin n (f x) l r
  GT -> Bin n x l (adjust f (i - sl - 1) r)
  where sl = length l
adjust' _ _ Nil = Nil
adjust' f i (Bin n x l r) = case compare i sl of
  LT -> Bin n x (adjust' f i l) r
  EQ -> let !x' = f x in Bin n x' l r
  GT -> Bin n x l (adjust' f (i - sl - 1) r)
  where sl = length l

update :: Int -> a -> Seq a -> Seq a
update i v = adjust (const v) i

take, drop :: Int -> Seq a -> Seq a
take i s = fst (splitAt i s)
drop i s = snd (splitAt i s)

splitAt :: Int -> Seq a -> (Seq a, Seq a)
splitAt _ Nil = (Nil, Nil)
splitAt i t@(Bin n x l r)
  | i <= 0    = (Nil, t)
  | i >= n    = (t, Nil)
  | otherwise = case compare i sl of
      LT -> case splitAt i l of (u, v) -> (u, link x v r)
      EQ -> (l, x <| r)
      GT -> case splitAt (i - sl - 1) r of (u, v) -> (link x l u, v)
  where sl = length l

insertAt :: Int -> a -> Seq a -> Seq a
insertAt i x s
  | i <= 0        = x <| s
  | i >= length s = s |> x
  | otherwise     = case splitAt i s of (u, v) -> link x u v

deleteAt :: Int -> Seq a -> Seq a
deleteAt _ Nil = Nil
deleteAt i (Bin _ x l r) = case compare i sl of
  LT -> balance x (deleteAt i l) r
  EQ -> l >< r
  GT -> balance x l (deleteAt (i - sl - 1) r)
  where sl = length l

elemIndexL, elemIndexR :: Eq a => a -> Seq a -> Maybe Int
elemIndexL x = findIndexL (x ==)
elemIndexR x = findIndexR (x ==)

elemIndicesL, elemIndicesR :: Eq a => a -> Seq a -> [Int]
elemIndicesL x = findIndicesL (x ==)
elemIndicesR x = findIndicesR (x ==)

findIndexL, findIndexR :: (a -> Bool) -> Seq a -> Maybe Int
findIndexL p s = case findIndicesL p s of { [] -> Nothing; i : _ -> Just i }
findIndexR p s = case findIndicesR p s of { [] -> Nothing; i : _ -> Just i }

findIndicesL, findIndicesR :: (a -> Bool) -> Seq a -> [Int]
findIndicesL p = foldrWithIndex (\i x is -> if p x then i : is else is) []
findIndicesR p = foldlWithIndex (\is i x -> if p x then i : is else is) []

-- Folds and maps.

foldrWithIndex :: (Int -> a -> b -> b) -> b -> Seq a -> b
foldrWithIndex f z0 s0 = go 0 z0 s0
  where
    go _ z Nil           = z
    go o z (Bin _ x l r) = let i = o + length l in go o (f i x (go (i + 1) z r)) l

foldlWithIndex :: (b -> Int -> a -> b) -> b -> Seq a -> b
foldlWithIndex f z0 s0 = go 0 z0 s0
  where
    go _ z Nil           = z
    go o z (Bin _ x l r) = let i = o + length l in go (i + 1) (f (go o z l) i x) r

foldMapWithIndex :: Monoid m => (Int -> a -> m) -> Seq a -> m
foldMapWithIndex f = foldrWithIndex (\i x acc -> f i x <> acc) mempty

mapWithIndex :: (Int -> a -> b) -> Seq a -> Seq b
mapWithIndex f = go 0
  where
    go _ Nil           = Nil
    go o (Bin n x l r) = let !i = o + length l in Bin n (f i x) (go o l) (go (i + 1) r)

traverseWithIndex :: Applicative f => (Int -> a -> f b) -> Seq a -> f (Seq b)
traverseWithIndex f = go 0
  where
    go _ Nil           = pure Nil
    go o (Bin n x l r) = let i = o + length l
                         in (\l' x' r' -> Bin n x' l' r') <$> go o l <*> f i x <*> go (i + 1) r

reverse :: Seq a -> Seq a
reverse Nil           = Nil
reverse (Bin n x l r) = Bin n x (reverse r) (reverse l)

intersperse :: a -> Seq a -> Seq a
intersperse x = onList (L.intersperse x)

-- | A function on lists, used on sequences.
onList :: ([a] -> [b]) -> Seq a -> Seq b
onList f s = fromList (f (F.toList s))

scanl :: (b -> a -> b) -> b -> Seq a -> Seq b
scanl f z = onList (P.scanl f z)

scanl1 :: (a -> a -> a) -> Seq a -> Seq a
scanl1 f s
  | null s    = error "scanl1 takes a nonempty sequence as an argument"
  | otherwise = onList (P.scanl1 f) s

scanr :: (a -> b -> b) -> b -> Seq a -> Seq b
scanr f z = onList (P.scanr f z)

scanr1 :: (a -> a -> a) -> Seq a -> Seq a
scanr1 f s
  | null s    = error "scanr1 takes a nonempty sequence as an argument"
  | otherwise = onList (P.scanr1 f) s

tails, inits :: Seq a -> Seq (Seq a)
tails s = fromFunction (length s + 1) (\i -> drop i s)
inits s = fromFunction (length s + 1) (\i -> take i s)

chunksOf :: Int -> Seq a -> Seq (Seq a)
chunksOf n s
  | n <= 0    = if null s then empty else error
      "chunksOf: A non-empty sequence can only be broken up into positively-sized chunks."
  | otherwise = fromList (go s)
  where go t | null t    = []
             | otherwise = case splitAt n t of (u, v) -> u : go v

takeWhileL, takeWhileR, dropWhileL, dropWhileR, filter :: (a -> Bool) -> Seq a -> Seq a
takeWhileL p s = fst (spanl p s)
takeWhileR p s = fst (spanr p s)
dropWhileL p s = snd (spanl p s)
dropWhileR p s = snd (spanr p s)
filter p = onList (P.filter p)

spanl, spanr, breakl, breakr, partition :: (a -> Bool) -> Seq a -> (Seq a, Seq a)
spanl p  = breakl (not . p)
spanr p  = breakr (not . p)
breakl p s = case findIndexL p s of
  Nothing -> (s, empty)
  Just i  -> splitAt i s
breakr p s = case findIndexR p s of
  Nothing -> (s, empty)
  Just i  -> case splitAt (i + 1) s of (u, v) -> (v, u)
partition p s = case L.partition p (F.toList s) of (u, v) -> (fromList u, fromList v)

sort, unstableSort :: Ord a => Seq a -> Seq a
sort         = onList L.sort
unstableSort = sort

sortBy, unstableSortBy :: (a -> a -> Ordering) -> Seq a -> Seq a
sortBy cmp     = onList (L.sortBy cmp)
unstableSortBy = sortBy

sortOn, unstableSortOn :: Ord b => (a -> b) -> Seq a -> Seq a
sortOn f       = onList (L.sortOn f)
unstableSortOn = sortOn

zip :: Seq a -> Seq b -> Seq (a, b)
zip = zipWith (,)

zipWith :: (a -> b -> c) -> Seq a -> Seq b -> Seq c
zipWith f a b = fromList (P.zipWith f (F.toList a) (F.toList b))

zip3 :: Seq a -> Seq b -> Seq c -> Seq (a, b, c)
zip3 = zipWith3 (,,)

zipWith3 :: (a -> b -> c -> d) -> Seq a -> Seq b -> Seq c -> Seq d
zipWith3 f a b c = fromList (P.zipWith3 f (F.toList a) (F.toList b) (F.toList c))

zip4 :: Seq a -> Seq b -> Seq c -> Seq d -> Seq (a, b, c, d)
zip4 = zipWith4 (,,,)

zipWith4 :: (a -> b -> c -> d -> e) -> Seq a -> Seq b -> Seq c -> Seq d -> Seq e
zipWith4 f a b c d = fromList (L.zipWith4 f (F.toList a) (F.toList b) (F.toList c) (F.toList d))

unzip :: Seq (a, b) -> (Seq a, Seq b)
unzip = unzipWith id

unzipWith :: (a -> (b, c)) -> Seq a -> (Seq b, Seq c)
unzipWith f s = let t = fmap f s in (fmap fst t, fmap snd t)

-- Instances.

instance Eq a => Eq (Seq a) where
  s == t = length s == length t && F.toList s == F.toList t

instance Ord a => Ord (Seq a) where
  compare s t = compare (F.toList s) (F.toList t)

instance Show a => Show (Seq a) where
  showsPrec d s = showParen (d > 10) (showString "fromList " . shows (F.toList s))

instance Read a => Read (Seq a) where
  readsPrec d = readParen (d > 10) (\r -> [(fromList xs, t) | ("fromList", s) <- lex r, (xs, t) <- readsPrec 11 s])

instance Semigroup (Seq a) where
  (<>) = (><)

instance Monoid (Seq a) where
  mempty = empty

instance Functor Seq where
  fmap _ Nil           = Nil
  fmap f (Bin n x l r) = Bin n (f x) (fmap f l) (fmap f r)

instance Foldable Seq where
  foldMap f = go
    where go Nil           = mempty
          go (Bin 1 x _ _) = f x
          go (Bin _ x l r) = go l `mappend` (f x `mappend` go r)
  foldr f = go
    where go z Nil           = z
          go z (Bin _ x l r) = go (f x (go z r)) l
  foldl f = go
    where go z Nil           = z
          go z (Bin _ x l r) = go (f (go z l) x) r
  foldl' f = go
    where go !z Nil          = z
          go z (Bin _ x l r) = let !z' = go z l
                                   !z'' = f z' x in go z'' r
  length = length
  null   = null

instance Traversable Seq where
  traverse f = go
    where go Nil           = pure Nil
          go (Bin n x l r) = (\l' x' r' -> Bin n x' l' r') <$> go l <*> f x <*> go r

instance Applicative Seq where
  pure      = singleton
  fs <*> xs = fromList (F.toList fs <*> F.toList xs)
  xs *> ys  = cycleTaking (length xs * length ys) ys

instance Monad Seq where
  xs >>= f = F.foldl' (\acc x -> acc >< f x) empty xs

instance MonadFail Seq where
  fail _ = empty

instance Alternative Seq where
  empty = Nil
  (<|>) = (><)

instance MonadPlus Seq

instance MonadFix Seq where
  mfix f = fromFunction (length (f err)) (\k -> fix (\xk -> f xk `index` k))
    where err = error "mfix for Data.Sequence.Seq applied to strict function"

instance NFData a => NFData (Seq a) where
  rnf Nil           = ()
  rnf (Bin _ x l r) = rnf x `seq` rnf l `seq` rnf r

instance Functor ViewL where
  fmap _ EmptyL    = EmptyL
  fmap f (x :< xs) = f x :< fmap f xs

instance Foldable ViewL where
  foldr _ z EmptyL    = z
  foldr f z (x :< xs) = f x (foldr f z xs)

instance Functor ViewR where
  fmap _ EmptyR    = EmptyR
  fmap f (xs :> x) = fmap f xs :> f x

instance Foldable ViewR where
  foldr _ z EmptyR    = z
  foldr f z (xs :> x) = foldr f (f x z) xs
