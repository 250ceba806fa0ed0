{-# LANGUAGE BangPatterns #-}
-- | Finite maps as balanced trees, the part that the lazy and the strict
-- interface share: the tree and everything that makes no new values.
-- The balance is that of "Data.Set.Internal".  "Data.Map.Lazy" and
-- "Data.Map.Strict" add what computes values.
module Data.Map.Internal where

import Prelude hiding (lookup, map, filter, foldr, foldl, null, take, drop, splitAt)
import qualified Prelude as P
import Control.DeepSeq (NFData(..))
import qualified Data.Foldable as F
import Data.Semigroup (Semigroup(..), stimesIdempotentMonoid)
import Gadfly.Base (primIntAdd, primIntGt, primIntLe, primIntMul)
import Data.Set.Internal (Set)
import qualified Data.Set.Internal as Set

infixl 9 !, !?, \\

data Map k a = Bin !Int !k a !(Map k a) !(Map k a) | Tip

-- * Balancing

size :: Map k a -> Int
size Tip             = 0
size (Bin n _ _ _ _) = n

-- | A node over subtrees that need no balancing.
bin :: k -> a -> Map k a -> Map k a -> Map k a
bin k x l r = Bin (primIntAdd (primIntAdd (size l) (size r)) 1) k x l r

-- | A node over subtrees of which one may have gained or lost one element.
balance :: k -> a -> Map k a -> Map k a -> Map k a
balance k x l r
  | primIntLe both 1                = Bin (primIntAdd both 1) k x l r
  | primIntGt sr (primIntMul 3 sl)  = rotateL k x l r
  | primIntGt sl (primIntMul 3 sr)  = rotateR k x l r
  | otherwise                       = Bin (primIntAdd both 1) k x l r
  where
    !sl   = size l
    !sr   = size r
    !both = primIntAdd sl sr

rotateL, rotateR :: k -> a -> Map k a -> Map k a -> Map k a
rotateL k x l r@(Bin _ ky y ly ry)
  | size ly < 2 * size ry = bin ky y (bin k x l ly) ry
  | otherwise = case ly of
      Bin _ kz z t2 t3 -> bin kz z (bin k x l t2) (bin ky y t3 ry)
      Tip              -> bin k x l r
rotateL k x l Tip = bin k x l Tip
rotateR k x l@(Bin _ ky y ly ry) r
  | size ry < 2 * size ly = bin ky y ly (bin k x ry r)
  | otherwise = case ry of
      Bin _ kz z t2 t3 -> bin kz z (bin ky y ly t2) (bin k x t3 r)
      Tip              -> bin k x l r
rotateR k x Tip r = bin k x Tip r

-- | A node over subtrees of any sizes.
link :: k -> a -> Map k a -> Map k a -> Map k a
link k x Tip r = insertMin k x r
link k x l Tip = insertMax k x l
link k x l@(Bin sl ky y ly ry) r@(Bin sr kz z lz rz)
  | 3 * sl < sr = balance kz z (link k x l lz) rz
  | 3 * sr < sl = balance ky y ly (link k x ry r)
  | otherwise   = Bin (sl + sr + 1) k x l r

insertMin, insertMax :: k -> a -> Map k a -> Map k a
insertMin k x Tip              = Bin 1 k x Tip Tip
insertMin k x (Bin _ ky y l r) = balance ky y (insertMin k x l) r
insertMax k x Tip              = Bin 1 k x Tip Tip
insertMax k x (Bin _ ky y l r) = balance ky y l (insertMax k x r)

-- | All of the left tree before all of the right one; any sizes.
link2 :: Map k a -> Map k a -> Map k a
link2 Tip r = r
link2 l Tip = l
link2 l@(Bin sl kx x lx rx) r@(Bin sr ky y ly ry)
  | 3 * sl < sr = balance ky y (link2 l ly) ry
  | 3 * sr < sl = balance kx x lx (link2 rx r)
  | otherwise   = glue l r

-- | The same for trees that are balanced against each other.
glue :: Map k a -> Map k a -> Map k a
glue Tip r = r
glue l Tip = l
glue l r
  | size l > size r = case deleteFindMax l of ((k, x), l') -> balance k x l' r
  | otherwise       = case deleteFindMin r of ((k, x), r') -> balance k x l r'

-- * Queries

empty :: Map k a
empty = Tip

null :: Map k a -> Bool
null Tip = True
null _   = False

lookup :: Ord k => k -> Map k a -> Maybe a
lookup !_ Tip = Nothing
lookup k (Bin _ kx x l r) = case compare k kx of
  LT -> lookup k l
  GT -> lookup k r
  EQ -> Just x

member, notMember :: Ord k => k -> Map k a -> Bool
member !_ Tip = False
member k (Bin _ kx _ l r) = case compare k kx of
  LT -> member k l
  GT -> member k r
  EQ -> True
notMember k m = not (member k m)

(!) :: Ord k => Map k a -> k -> a
m ! k = case lookup k m of
  Just x  -> x
  Nothing -> error "Map.!: given key is not an element in the map"

(!?) :: Ord k => Map k a -> k -> Maybe a
m !? k = lookup k m

lookupLT, lookupGT, lookupLE, lookupGE :: Ord k => k -> Map k v -> Maybe (k, v)
lookupLT k = go Nothing
  where go best Tip = best
        go best (Bin _ kx x l r) | k <= kx   = go best l
                                 | otherwise = go (Just (kx, x)) r
lookupGT k = go Nothing
  where go best Tip = best
        go best (Bin _ kx x l r) | k < kx    = go (Just (kx, x)) l
                                 | otherwise = go best r
lookupLE k = go Nothing
  where go best Tip = best
        go best (Bin _ kx x l r) = case compare k kx of
          LT -> go best l
          EQ -> Just (kx, x)
          GT -> go (Just (kx, x)) r
lookupGE k = go Nothing
  where go best Tip = best
        go best (Bin _ kx x l r) = case compare k kx of
          LT -> go (Just (kx, x)) l
          EQ -> Just (kx, x)
          GT -> go best r

-- * Deletion

delete :: Ord k => k -> Map k a -> Map k a
delete !_ Tip = Tip
delete k (Bin _ kx x l r) = case compare k kx of
  LT -> let !l' = delete k l in balance kx x l' r
  GT -> let !r' = delete k r in balance kx x l r'
  EQ -> glue l r

-- | Insert unless the key is there already; for the left bias of 'union'.
insertR :: Ord k => k -> a -> Map k a -> Map k a
insertR !k x m = if member k m then m else go m
  where go Tip              = Bin 1 k x Tip Tip
        go (Bin _ kx y l r) = case compare k kx of
          LT -> balance kx y (go l) r
          _  -> balance kx y l (go r)

-- | Insert with the value as it is; "Data.Map.Strict" evaluates it first.
insertLazy :: Ord k => k -> a -> Map k a -> Map k a
insertLazy !k x Tip = Bin 1 k x Tip Tip
insertLazy k x (Bin n ky y l r) = case compare k ky of
  LT -> let !l' = insertLazy k x l in balance ky y l' r
  GT -> let !r' = insertLazy k x r in balance ky y l r'
  EQ -> Bin n k x l r

-- * Combination

union :: Ord k => Map k a -> Map k a -> Map k a
union t Tip = t
union t (Bin 1 k x _ _) = insertR k x t
union (Bin 1 k x _ _) t = insertLazy k x t
union Tip t = t
union (Bin _ k x l r) t = case split k t of
  (lt, gt) -> link k x (union l lt) (union r gt)

unions :: (Foldable f, Ord k) => f (Map k a) -> Map k a
unions = F.foldl' union Tip

difference, (\\) :: Ord k => Map k a -> Map k b -> Map k a
difference Tip _ = Tip
difference t Tip = t
difference t (Bin _ k _ l r) = case split k t of
  (lt, gt) -> link2 (difference lt l) (difference gt r)
(\\) = difference

withoutKeys :: Ord k => Map k a -> Set k -> Map k a
withoutKeys Tip _ = Tip
withoutKeys t Set.Tip = t
withoutKeys t (Set.Bin _ k l r) = case split k t of
  (lt, gt) -> link2 (withoutKeys lt l) (withoutKeys gt r)

intersection :: Ord k => Map k a -> Map k b -> Map k a
intersection Tip _ = Tip
intersection _ Tip = Tip
intersection (Bin _ k x l r) t = case splitLookup k t of
  (lt, found, gt) ->
    let l' = intersection l lt
        r' = intersection r gt
    in case found of
         Just _  -> link k x l' r'
         Nothing -> link2 l' r'

restrictKeys :: Ord k => Map k a -> Set k -> Map k a
restrictKeys Tip _ = Tip
restrictKeys _ Set.Tip = Tip
restrictKeys (Bin _ k x l r) s = case Set.splitMember k s of
  (lt, found, gt) ->
    let l' = restrictKeys l lt
        r' = restrictKeys r gt
    in if found then link k x l' r' else link2 l' r'

disjoint :: Ord k => Map k a -> Map k b -> Bool
disjoint Tip _ = True
disjoint _ Tip = True
disjoint (Bin _ k _ l r) t = case splitLookup k t of
  (lt, found, gt) -> (case found of { Nothing -> True; Just _ -> False }) && disjoint l lt && disjoint r gt

compose :: Ord b => Map b c -> Map a b -> Map a c
compose bc ab
  | null bc   = Tip
  | otherwise = go ab
  where go Tip             = Tip
        go (Bin _ k x l r) = case lookup x bc of
          Just y  -> link k y (go l) (go r)
          Nothing -> link2 (go l) (go r)

isSubmapOf, isProperSubmapOf :: (Ord k, Eq a) => Map k a -> Map k a -> Bool
isSubmapOf       = isSubmapOfBy (==)
isProperSubmapOf = isProperSubmapOfBy (==)

isSubmapOfBy, isProperSubmapOfBy :: Ord k => (a -> b -> Bool) -> Map k a -> Map k b -> Bool
isSubmapOfBy f s t = size s <= size t && go s t
  where
    go Tip _ = True
    go _ Tip = False
    go (Bin _ k x l r) t' = case splitLookup k t' of
      (lt, found, gt) -> case found of
        Nothing -> False
        Just y  -> f x y && size l <= size lt && size r <= size gt && go l lt && go r gt
isProperSubmapOfBy f s t = size s < size t && isSubmapOfBy f s t

-- * Filter and split

filter :: (a -> Bool) -> Map k a -> Map k a
filter p = filterWithKey (\_ x -> p x)

filterWithKey :: (k -> a -> Bool) -> Map k a -> Map k a
filterWithKey _ Tip = Tip
filterWithKey p (Bin _ k x l r)
  | p k x     = link k x (filterWithKey p l) (filterWithKey p r)
  | otherwise = link2 (filterWithKey p l) (filterWithKey p r)

partition :: (a -> Bool) -> Map k a -> (Map k a, Map k a)
partition p = partitionWithKey (\_ x -> p x)

partitionWithKey :: (k -> a -> Bool) -> Map k a -> (Map k a, Map k a)
partitionWithKey _ Tip = (Tip, Tip)
partitionWithKey p (Bin _ k x l r) = case (partitionWithKey p l, partitionWithKey p r) of
  ((l1, l2), (r1, r2))
    | p k x     -> (link k x l1 r1, link2 l2 r2)
    | otherwise -> (link2 l1 r1, link k x l2 r2)

split :: Ord k => k -> Map k a -> (Map k a, Map k a)
split _ Tip = (Tip, Tip)
split k (Bin _ kx x l r) = case compare k kx of
  LT -> case split k l of (lt, gt) -> (lt, link kx x gt r)
  GT -> case split k r of (lt, gt) -> (link kx x l lt, gt)
  EQ -> (l, r)

splitLookup :: Ord k => k -> Map k a -> (Map k a, Maybe a, Map k a)
splitLookup _ Tip = (Tip, Nothing, Tip)
splitLookup k (Bin _ kx x l r) = case compare k kx of
  LT -> case splitLookup k l of (lt, f, gt) -> (lt, f, link kx x gt r)
  GT -> case splitLookup k r of (lt, f, gt) -> (link kx x l lt, f, gt)
  EQ -> (l, Just x, r)

splitRoot :: Map k b -> [Map k b]
splitRoot Tip             = []
splitRoot (Bin _ k x l r) = [l, Bin 1 k x Tip Tip, r]

takeWhileAntitone, dropWhileAntitone :: (k -> Bool) -> Map k a -> Map k a
takeWhileAntitone p t = fst (spanAntitone p t)
dropWhileAntitone p t = snd (spanAntitone p t)

spanAntitone :: (k -> Bool) -> Map k a -> (Map k a, Map k a)
spanAntitone _ Tip = (Tip, Tip)
spanAntitone p (Bin _ k x l r)
  | p k       = case spanAntitone p r of (u, v) -> (link k x l u, v)
  | otherwise = case spanAntitone p l of (u, v) -> (u, link k x v r)

-- * Positions

lookupIndex :: Ord k => k -> Map k a -> Maybe Int
lookupIndex k = go 0
  where go !_ Tip = Nothing
        go i (Bin _ kx _ l r) = case compare k kx of
          LT -> go i l
          GT -> go (i + size l + 1) r
          EQ -> Just $! i + size l

findIndex :: Ord k => k -> Map k a -> Int
findIndex k t = case lookupIndex k t of
  Just i  -> i
  Nothing -> error "Map.findIndex: element is not in the map"

elemAt :: Int -> Map k a -> (k, a)
elemAt _ Tip = error "Map.elemAt: index out of range"
elemAt i (Bin _ k x l r) = case compare i sl of
  LT -> elemAt i l
  GT -> elemAt (i - sl - 1) r
  EQ -> (k, x)
  where sl = size l

deleteAt :: Int -> Map k a -> Map k a
deleteAt _ Tip = error "Map.deleteAt: index out of range"
deleteAt i (Bin _ k x l r) = case compare i sl of
  LT -> balance k x (deleteAt i l) r
  GT -> balance k x l (deleteAt (i - sl - 1) r)
  EQ -> glue l r
  where sl = size l

take, drop :: Int -> Map k a -> Map k a
take i t = fst (splitAt i t)
drop i t = snd (splitAt i t)

splitAt :: Int -> Map k a -> (Map k a, Map k a)
splitAt _ Tip = (Tip, Tip)
splitAt i t@(Bin n k x l r)
  | i <= 0    = (Tip, t)
  | i >= n    = (t, Tip)
  | otherwise = case compare i sl of
      LT -> case splitAt i l of (u, v) -> (u, link k x v r)
      GT -> case splitAt (i - sl - 1) r of (u, v) -> (link k x l u, v)
      EQ -> (l, insertMin k x r)
  where sl = size l

-- * Folds

foldr, foldr' :: (a -> b -> b) -> b -> Map k a -> b
foldr _ z Tip             = z
foldr f z (Bin _ _ x l r) = foldr f (f x (foldr f z r)) l
foldr' f = foldrWithKey' (\_ x z -> f x z)

foldl, foldl' :: (b -> a -> b) -> b -> Map k a -> b
foldl f  = foldlWithKey (\z _ x -> f z x)
foldl' f = foldlWithKey' (\z _ x -> f z x)

foldrWithKey, foldrWithKey' :: (k -> a -> b -> b) -> b -> Map k a -> b
foldrWithKey _ z Tip             = z
foldrWithKey f z (Bin _ k x l r) = foldrWithKey f (f k x (foldrWithKey f z r)) l
foldrWithKey' _ !z Tip            = z
foldrWithKey' f z (Bin _ k x l r) =
  let !after = foldrWithKey' f z r
      !here  = f k x after
  in foldrWithKey' f here l

foldlWithKey, foldlWithKey' :: (b -> k -> a -> b) -> b -> Map k a -> b
foldlWithKey _ z Tip             = z
foldlWithKey f z (Bin _ k x l r) = foldlWithKey f (f (foldlWithKey f z l) k x) r
foldlWithKey' _ !z Tip            = z
foldlWithKey' f z (Bin _ k x l r) =
  let !before = foldlWithKey' f z l
      !here   = f before k x
  in foldlWithKey' f here r

foldMapWithKey :: Monoid m => (k -> a -> m) -> Map k a -> m
foldMapWithKey f = go
  where go Tip             = mempty
        go (Bin 1 k x _ _) = f k x
        go (Bin _ k x l r) = go l `mappend` (f k x `mappend` go r)

elems :: Map k a -> [a]
elems = foldr (:) []

keys :: Map k a -> [k]
keys = foldrWithKey (\k _ ks -> k : ks) []

keysSet :: Map k a -> Set k
keysSet Tip             = Set.Tip
keysSet (Bin n k _ l r) = Set.Bin n k (keysSet l) (keysSet r)

assocs, toList, toAscList, toDescList :: Map k a -> [(k, a)]
assocs     = toAscList
toList     = toAscList
toAscList  = foldrWithKey (\k x xs -> (k, x) : xs) []
toDescList = foldlWithKey (\xs k x -> (k, x) : xs) []

-- | Values as they are; of equal keys the last one counts.
fromListLazy :: Ord k => [(k, a)] -> Map k a
fromListLazy = F.foldl' (\m (k, x) -> insertLazy k x m) Tip

-- | From keys in order; the tree is built in one pass.
fromDistinctAscLazy :: [(k, a)] -> Map k a
fromDistinctAscLazy xs = fst (build (length xs) xs)
  where
    build 0 ys = (Tip, ys)
    build n ys =
      let nl = n `quot` 2
      in case build nl ys of
           (l, (k, y) : ys') -> case build (n - nl - 1) ys' of
             (r, ys'') -> (Bin n k y l r, ys'')
           (l, [])           -> (l, [])

mapKeysMonotonic :: (k1 -> k2) -> Map k1 a -> Map k2 a
mapKeysMonotonic _ Tip             = Tip
mapKeysMonotonic f (Bin n k x l r) = Bin n (f k) x (mapKeysMonotonic f l) (mapKeysMonotonic f r)

mapKeys :: Ord k2 => (k1 -> k2) -> Map k1 a -> Map k2 a
mapKeys f m = fromListLazy [(f k, x) | (k, x) <- toAscList m]

-- * Least and greatest

lookupMin, lookupMax :: Map k a -> Maybe (k, a)
lookupMin Tip               = Nothing
lookupMin (Bin _ k x Tip _) = Just (k, x)
lookupMin (Bin _ _ _ l _)   = lookupMin l
lookupMax Tip               = Nothing
lookupMax (Bin _ k x _ Tip) = Just (k, x)
lookupMax (Bin _ _ _ _ r)   = lookupMax r

findMin, findMax :: Map k a -> (k, a)
findMin t = case lookupMin t of
  Just r  -> r
  Nothing -> error "Map.findMin: empty map has no minimal element"
findMax t = case lookupMax t of
  Just r  -> r
  Nothing -> error "Map.findMax: empty map has no maximal element"

deleteMin, deleteMax :: Map k a -> Map k a
deleteMin Tip               = Tip
deleteMin (Bin _ _ _ Tip r) = r
deleteMin (Bin _ k x l r)   = balance k x (deleteMin l) r
deleteMax Tip               = Tip
deleteMax (Bin _ _ _ l Tip) = l
deleteMax (Bin _ k x l r)   = balance k x l (deleteMax r)

deleteFindMin, deleteFindMax :: Map k a -> ((k, a), Map k a)
deleteFindMin t = case t of
  Tip             -> (error "Map.deleteFindMin: can not return the minimal element of an empty map", Tip)
  Bin _ k x Tip r -> ((k, x), r)
  Bin _ k x l r   -> case deleteFindMin l of (m, l') -> (m, balance k x l' r)
deleteFindMax t = case t of
  Tip             -> (error "Map.deleteFindMax: can not return the maximal element of an empty map", Tip)
  Bin _ k x l Tip -> ((k, x), l)
  Bin _ k x l r   -> case deleteFindMax r of (m, r') -> (m, balance k x l r')

minViewWithKey, maxViewWithKey :: Map k a -> Maybe ((k, a), Map k a)
minViewWithKey Tip = Nothing
minViewWithKey t   = Just (deleteFindMin t)
maxViewWithKey Tip = Nothing
maxViewWithKey t   = Just (deleteFindMax t)

minView, maxView :: Map k a -> Maybe (a, Map k a)
minView t = case minViewWithKey t of
  Just ((_, x), t') -> Just (x, t')
  Nothing           -> Nothing
maxView t = case maxViewWithKey t of
  Just ((_, x), t') -> Just (x, t')
  Nothing           -> Nothing

-- | Is the tree ordered, balanced, and right about its sizes?
valid :: Ord k => Map k a -> Bool
valid t = balanced t && ascending (keys t) && sized t
  where
    ascending xs = and (zipWith (<) xs (P.drop 1 xs))
    balanced Tip = True
    balanced (Bin _ _ _ l r) =
      (size l + size r <= 1 || (size l <= 3 * size r && size r <= 3 * size l)) && balanced l && balanced r
    sized Tip = True
    sized (Bin n _ _ l r) = n == size l + size r + 1 && sized l && sized r

-- * Instances

instance (Eq k, Eq a) => Eq (Map k a) where
  s == t = size s == size t && toAscList s == toAscList t

instance (Ord k, Ord a) => Ord (Map k a) where
  compare s t = compare (toAscList s) (toAscList t)

instance (Show k, Show a) => Show (Map k a) where
  showsPrec p m = showParen (p > 10) (showString "fromList " . shows (toList m))

instance (Ord k, Read k, Read a) => Read (Map k a) where
  readsPrec d = readParen (d > 10)
    (\r -> [(fromListLazy xs, t) | ("fromList", s) <- lex r, (xs, t) <- readsPrec 11 s])

instance Ord k => Semigroup (Map k a) where
  (<>)   = union
  stimes = stimesIdempotentMonoid

instance Ord k => Monoid (Map k a) where
  mempty  = empty
  mconcat = unions

instance Functor (Map k) where
  fmap _ Tip             = Tip
  fmap f (Bin n k x l r) = Bin n k (f x) (fmap f l) (fmap f r)

instance Foldable (Map k) where
  foldMap f = foldMapWithKey (\_ x -> f x)
  foldr     = foldr
  foldl     = foldl
  foldr'    = foldr'
  foldl'    = foldl'
  toList    = elems
  null      = null
  length    = size

instance Traversable (Map k) where
  traverse f = go
    where go Tip             = pure Tip
          go (Bin n k x l r) = (\l' x' r' -> Bin n k x' l' r') <$> go l <*> f x <*> go r

instance (NFData k, NFData a) => NFData (Map k a) where
  rnf Tip             = ()
  rnf (Bin _ k x l r) = rnf k `seq` rnf x `seq` rnf l `seq` rnf r
