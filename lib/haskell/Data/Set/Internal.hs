{-# LANGUAGE BangPatterns #-}
-- | Sets as balanced trees.  A node's subtrees differ in size by a factor of
-- at most three (Adams, Functional Pearls: Efficient sets, 1993; the factors
-- are those of Hirai and Yamamoto, Balancing weight-balanced trees, 2011).
-- "Data.Set" exports the public part.
module Data.Set.Internal where

import Prelude hiding (map, filter, foldr, foldl, null, take, drop, splitAt)
import qualified Prelude as P
import Control.DeepSeq (NFData(..))
import qualified Data.Foldable as F
import qualified Data.List as L
import Data.Semigroup (Semigroup(..), stimesIdempotentMonoid)
import Gadfly.Base (primIntAdd, primIntGt, primIntLe, primIntMul)

infixl 9 \\

data Set a = Bin !Int !a !(Set a) !(Set a) | Tip

-- * Balancing

size :: Set a -> Int
size Tip           = 0
size (Bin n _ _ _) = n

-- | A node over subtrees that need no balancing.
bin :: a -> Set a -> Set a -> Set a
bin x l r = Bin (primIntAdd (primIntAdd (size l) (size r)) 1) x l r

-- | A node over subtrees of which one may have gained or lost one element.
balance :: a -> Set a -> Set a -> Set a
balance x l r
  | primIntLe both 1                = Bin (primIntAdd both 1) x l r
  | primIntGt sr (primIntMul 3 sl)  = rotateL x l r
  | primIntGt sl (primIntMul 3 sr)  = rotateR x l r
  | otherwise                       = Bin (primIntAdd both 1) x l r
  where
    !sl   = size l
    !sr   = size r
    !both = primIntAdd sl sr

rotateL, rotateR :: a -> Set a -> Set a -> Set a
rotateL x l r@(Bin _ y ly ry)
  | size ly < 2 * size ry = bin y (bin x l ly) ry
  | otherwise = case ly of
      Bin _ z t2 t3 -> bin z (bin x l t2) (bin y t3 ry)
      Tip           -> bin x l r
rotateL x l Tip = bin x l Tip
rotateR x l@(Bin _ y ly ry) r
  | size ry < 2 * size ly = bin y ly (bin x ry r)
  | otherwise = case ry of
      Bin _ z t2 t3 -> bin z (bin y ly t2) (bin x t3 r)
      Tip           -> bin x l r
rotateR x Tip r = bin x Tip r

-- | A node over subtrees of any sizes.
link :: a -> Set a -> Set a -> Set a
link x Tip r = insertMin x r
link x l Tip = insertMax x l
link x l@(Bin sl y ly ry) r@(Bin sr z lz rz)
  | 3 * sl < sr = balance z (link x l lz) rz
  | 3 * sr < sl = balance y ly (link x ry r)
  | otherwise   = Bin (sl + sr + 1) x l r

insertMin, insertMax :: a -> Set a -> Set a
insertMin x Tip           = Bin 1 x Tip Tip
insertMin x (Bin _ y l r) = balance y (insertMin x l) r
insertMax x Tip           = Bin 1 x Tip Tip
insertMax x (Bin _ y l r) = balance y l (insertMax x r)

-- | All of the left tree before all of the right one; any sizes.
merge :: Set a -> Set a -> Set a
merge Tip r = r
merge l Tip = l
merge l@(Bin sl x lx rx) r@(Bin sr y ly ry)
  | 3 * sl < sr = balance y (merge l ly) ry
  | 3 * sr < sl = balance x lx (merge rx r)
  | otherwise   = glue l r

-- | The same for trees that are balanced against each other.
glue :: Set a -> Set a -> Set a
glue Tip r = r
glue l Tip = l
glue l r
  | size l > size r = case deleteFindMax l of (m, l') -> balance m l' r
  | otherwise       = case deleteFindMin r of (m, r') -> balance m l r'

-- * Construction and queries

empty :: Set a
empty = Tip

singleton :: a -> Set a
singleton x = Bin 1 x Tip Tip

null :: Set a -> Bool
null Tip = True
null _   = False

member :: Ord a => a -> Set a -> Bool
member !_ Tip = False
member x (Bin _ y l r) = case compare x y of
  LT -> member x l
  GT -> member x r
  EQ -> True

notMember :: Ord a => a -> Set a -> Bool
notMember x t = not (member x t)

insert :: Ord a => a -> Set a -> Set a
insert !x Tip = Bin 1 x Tip Tip
insert x (Bin n y l r) = case compare x y of
  LT -> let !l' = insert x l in balance y l' r
  GT -> let !r' = insert x r in balance y l r'
  EQ -> Bin n x l r

-- | Insert unless there is an equal element already.
insertR :: Ord a => a -> Set a -> Set a
insertR !x t = if member x t then t else insert x t

delete :: Ord a => a -> Set a -> Set a
delete !_ Tip = Tip
delete x (Bin _ y l r) = case compare x y of
  LT -> let !l' = delete x l in balance y l' r
  GT -> let !r' = delete x r in balance y l r'
  EQ -> glue l r

alterF :: (Ord a, Functor f) => (Bool -> f Bool) -> a -> Set a -> f (Set a)
alterF f x s = fmap choose (f present)
  where
    present = member x s
    choose b | b         = if present then s else insert x s
             | otherwise = if present then delete x s else s

lookupLT, lookupGT, lookupLE, lookupGE :: Ord a => a -> Set a -> Maybe a
lookupLT x = go Nothing
  where go best Tip = best
        go best (Bin _ y l r) | x <= y    = go best l
                              | otherwise = go (Just y) r
lookupGT x = go Nothing
  where go best Tip = best
        go best (Bin _ y l r) | x < y     = go (Just y) l
                              | otherwise = go best r
lookupLE x = go Nothing
  where go best Tip = best
        go best (Bin _ y l r) = case compare x y of
          LT -> go best l
          EQ -> Just y
          GT -> go (Just y) r
lookupGE x = go Nothing
  where go best Tip = best
        go best (Bin _ y l r) = case compare x y of
          LT -> go (Just y) l
          EQ -> Just y
          GT -> go best r

isSubsetOf, isProperSubsetOf, disjoint :: Ord a => Set a -> Set a -> Bool
isSubsetOf s t = size s <= size t && go s t
  where
    go Tip _ = True
    go _ Tip = False
    go (Bin _ x l r) t' = case splitMember x t' of
      (lt, found, gt) -> found && size l <= size lt && size r <= size gt && go l lt && go r gt
isProperSubsetOf s t = size s < size t && isSubsetOf s t
disjoint Tip _ = True
disjoint _ Tip = True
disjoint (Bin _ x l r) t = case splitMember x t of
  (lt, found, gt) -> not found && disjoint l lt && disjoint r gt

-- * Lists

fromList :: Ord a => [a] -> Set a
fromList = F.foldl' (flip insert) Tip

fromAscList, fromDescList :: Eq a => [a] -> Set a
fromAscList  = fromDistinctAscList . lastOfEach
fromDescList = fromDistinctDescList . lastOfEach

-- | Of equal neighbours, the last.
lastOfEach :: Eq a => [a] -> [a]
lastOfEach (x:rest@(y:_)) | x == y    = lastOfEach rest
                          | otherwise = x : lastOfEach rest
lastOfEach xs = xs

fromDistinctAscList, fromDistinctDescList :: [a] -> Set a
fromDistinctAscList xs = fst (build (length xs) xs)
  where
    build 0 ys = (Tip, ys)
    build n ys =
      let nl = n `quot` 2
      in case build nl ys of
           (l, y : ys') -> case build (n - nl - 1) ys' of
             (r, ys'') -> (Bin n y l r, ys'')
           (l, [])      -> (l, [])
fromDistinctDescList xs = fromDistinctAscList (reverse xs)

toList, toAscList, elems, toDescList :: Set a -> [a]
toList     = toAscList
elems      = toAscList
toAscList  = foldr (:) []
toDescList = foldl (flip (:)) []

powerSet :: Set a -> Set (Set a)
powerSet xs = insertMin Tip (foldr' step Tip xs)
  where step x pxs = merge (insertMin (singleton x) (mapMonotonic (insertMin x) pxs)) pxs

cartesianProduct :: Set a -> Set b -> Set (a, b)
cartesianProduct as bs = fromDistinctAscList [(a, b) | a <- toAscList as, b <- toAscList bs]

disjointUnion :: Set a -> Set b -> Set (Either a b)
disjointUnion as bs = merge (mapMonotonic Left as) (mapMonotonic Right bs)

-- * Combination

union, difference, intersection, (\\) :: Ord a => Set a -> Set a -> Set a
union t Tip = t
union t (Bin 1 x _ _) = insertR x t
union (Bin 1 x _ _) t = insert x t
union Tip t = t
union (Bin _ x l r) t = case split x t of
  (lt, gt) -> link x (union l lt) (union r gt)
difference Tip _ = Tip
difference t Tip = t
difference t (Bin _ x l r) = case split x t of
  (lt, gt) -> merge (difference lt l) (difference gt r)
intersection Tip _ = Tip
intersection _ Tip = Tip
intersection (Bin _ x l r) t = case splitMember x t of
  (lt, found, gt) ->
    let l' = intersection l lt
        r' = intersection r gt
    in if found then link x l' r' else merge l' r'
(\\) = difference

unions :: (Foldable f, Ord a) => f (Set a) -> Set a
unions = F.foldl' union Tip

-- * Filter and split

filter :: (a -> Bool) -> Set a -> Set a
filter _ Tip = Tip
filter p (Bin _ x l r)
  | p x       = link x (filter p l) (filter p r)
  | otherwise = merge (filter p l) (filter p r)

partition :: (a -> Bool) -> Set a -> (Set a, Set a)
partition _ Tip = (Tip, Tip)
partition p (Bin _ x l r) = case (partition p l, partition p r) of
  ((l1, l2), (r1, r2))
    | p x       -> (link x l1 r1, merge l2 r2)
    | otherwise -> (merge l1 r1, link x l2 r2)

split :: Ord a => a -> Set a -> (Set a, Set a)
split _ Tip = (Tip, Tip)
split x (Bin _ y l r) = case compare x y of
  LT -> case split x l of (lt, gt) -> (lt, link y gt r)
  GT -> case split x r of (lt, gt) -> (link y l lt, gt)
  EQ -> (l, r)

splitMember :: Ord a => a -> Set a -> (Set a, Bool, Set a)
splitMember _ Tip = (Tip, False, Tip)
splitMember x (Bin _ y l r) = case compare x y of
  LT -> case splitMember x l of (lt, f, gt) -> (lt, f, link y gt r)
  GT -> case splitMember x r of (lt, f, gt) -> (link y l lt, f, gt)
  EQ -> (l, True, r)

splitRoot :: Set a -> [Set a]
splitRoot Tip           = []
splitRoot (Bin _ x l r) = [l, singleton x, r]

takeWhileAntitone, dropWhileAntitone :: (a -> Bool) -> Set a -> Set a
takeWhileAntitone p t = fst (spanAntitone p t)
dropWhileAntitone p t = snd (spanAntitone p t)

spanAntitone :: (a -> Bool) -> Set a -> (Set a, Set a)
spanAntitone _ Tip = (Tip, Tip)
spanAntitone p (Bin _ x l r)
  | p x       = case spanAntitone p r of (u, v) -> (link x l u, v)
  | otherwise = case spanAntitone p l of (u, v) -> (u, link x v r)

-- * Positions

lookupIndex :: Ord a => a -> Set a -> Maybe Int
lookupIndex x = go 0
  where go !_ Tip = Nothing
        go i (Bin _ y l r) = case compare x y of
          LT -> go i l
          GT -> go (i + size l + 1) r
          EQ -> Just $! i + size l

findIndex :: Ord a => a -> Set a -> Int
findIndex x t = case lookupIndex x t of
  Just i  -> i
  Nothing -> error "Set.findIndex: element is not in the set"

elemAt :: Int -> Set a -> a
elemAt _ Tip = error "Set.elemAt: index out of range"
elemAt i (Bin _ x l r) = case compare i sl of
  LT -> elemAt i l
  GT -> elemAt (i - sl - 1) r
  EQ -> x
  where sl = size l

deleteAt :: Int -> Set a -> Set a
deleteAt _ Tip = error "Set.deleteAt: index out of range"
deleteAt i (Bin _ x l r) = case compare i sl of
  LT -> balance x (deleteAt i l) r
  GT -> balance x l (deleteAt (i - sl - 1) r)
  EQ -> glue l r
  where sl = size l

take, drop :: Int -> Set a -> Set a
take i t = fst (splitAt i t)
drop i t = snd (splitAt i t)

splitAt :: Int -> Set a -> (Set a, Set a)
splitAt _ Tip = (Tip, Tip)
splitAt i t@(Bin n x l r)
  | i <= 0    = (Tip, t)
  | i >= n    = (t, Tip)
  | otherwise = case compare i sl of
      LT -> case splitAt i l of (u, v) -> (u, link x v r)
      GT -> case splitAt (i - sl - 1) r of (u, v) -> (link x l u, v)
      EQ -> (l, insertMin x r)
  where sl = size l

-- * Maps and folds

map :: Ord b => (a -> b) -> Set a -> Set b
map f t = fromList (P.map f (toAscList t))

mapMonotonic :: (a -> b) -> Set a -> Set b
mapMonotonic _ Tip           = Tip
mapMonotonic f (Bin n x l r) = Bin n (f x) (mapMonotonic f l) (mapMonotonic f r)

foldr, foldr', fold :: (a -> b -> b) -> b -> Set a -> b
foldr _ z Tip           = z
foldr f z (Bin _ x l r) = foldr f (f x (foldr f z r)) l
foldr' _ !z Tip          = z
foldr' f z (Bin _ x l r) =
  let !after = foldr' f z r
      !here  = f x after
  in foldr' f here l
fold = foldr

foldl, foldl' :: (b -> a -> b) -> b -> Set a -> b
foldl _ z Tip           = z
foldl f z (Bin _ x l r) = foldl f (f (foldl f z l) x) r
foldl' _ !z Tip          = z
foldl' f z (Bin _ x l r) =
  let !before = foldl' f z l
      !here   = f before x
  in foldl' f here r

-- * Least and greatest

lookupMin, lookupMax :: Set a -> Maybe a
lookupMin Tip             = Nothing
lookupMin (Bin _ x Tip _) = Just x
lookupMin (Bin _ _ l _)   = lookupMin l
lookupMax Tip             = Nothing
lookupMax (Bin _ x _ Tip) = Just x
lookupMax (Bin _ _ _ r)   = lookupMax r

findMin, findMax :: Set a -> a
findMin t = case lookupMin t of
  Just x  -> x
  Nothing -> error "Set.findMin: empty set has no minimal element"
findMax t = case lookupMax t of
  Just x  -> x
  Nothing -> error "Set.findMax: empty set has no maximal element"

deleteMin, deleteMax :: Set a -> Set a
deleteMin Tip             = Tip
deleteMin (Bin _ _ Tip r) = r
deleteMin (Bin _ x l r)   = balance x (deleteMin l) r
deleteMax Tip             = Tip
deleteMax (Bin _ _ l Tip) = l
deleteMax (Bin _ x l r)   = balance x l (deleteMax r)

deleteFindMin, deleteFindMax :: Set a -> (a, Set a)
deleteFindMin t = case t of
  Tip           -> (error "Set.deleteFindMin: can not return the minimal element of an empty set", Tip)
  Bin _ x Tip r -> (x, r)
  Bin _ x l r   -> case deleteFindMin l of (m, l') -> (m, balance x l' r)
deleteFindMax t = case t of
  Tip           -> (error "Set.deleteFindMax: can not return the maximal element of an empty set", Tip)
  Bin _ x l Tip -> (x, l)
  Bin _ x l r   -> case deleteFindMax r of (m, r') -> (m, balance x l r')

minView, maxView :: Set a -> Maybe (a, Set a)
minView Tip = Nothing
minView t   = Just (deleteFindMin t)
maxView Tip = Nothing
maxView t   = Just (deleteFindMax t)

-- | Is the tree ordered, balanced, and right about its sizes?
valid :: Ord a => Set a -> Bool
valid t = balanced t && ascending (toAscList t) && sized t
  where
    ascending xs = and (zipWith (<) xs (P.drop 1 xs))
    balanced Tip = True
    balanced (Bin _ _ l r) =
      (size l + size r <= 1 || (size l <= 3 * size r && size r <= 3 * size l)) && balanced l && balanced r
    sized Tip = True
    sized (Bin n _ l r) = n == size l + size r + 1 && sized l && sized r

-- * Instances

instance Eq a => Eq (Set a) where
  s == t = size s == size t && toAscList s == toAscList t

instance Ord a => Ord (Set a) where
  compare s t = compare (toAscList s) (toAscList t)

instance Show a => Show (Set a) where
  showsPrec p xs = showParen (p > 10) (showString "fromList " . shows (toList xs))

instance (Read a, Ord a) => Read (Set a) where
  readsPrec d = readParen (d > 10)
    (\r -> [(fromList xs, t) | ("fromList", s) <- lex r, (xs, t) <- readsPrec 11 s])

instance Ord a => Semigroup (Set a) where
  (<>)   = union
  stimes = stimesIdempotentMonoid

instance Ord a => Monoid (Set a) where
  mempty  = empty
  mconcat = unions

instance Foldable Set where
  foldMap f t = go t
    where go Tip           = mempty
          go (Bin 1 x _ _) = f x
          go (Bin _ x l r) = go l `mappend` (f x `mappend` go r)
  foldr   = foldr
  foldl   = foldl
  foldr'  = foldr'
  foldl'  = foldl'
  toList  = toList
  null    = null
  length  = size
  minimum = findMin
  maximum = findMax
  elem x  = L.elem x . toList

instance NFData a => NFData (Set a) where
  rnf Tip           = ()
  rnf (Bin _ x l r) = rnf x `seq` rnf l `seq` rnf r
