-- | Finite maps from 'Int', the part that the lazy and the strict interface
-- share.  They are the balanced trees of "Data.Map" with the key's type fixed.
module Data.IntMap.Internal where

import Prelude hiding (lookup, map, filter, foldr, foldl, null)
import qualified Prelude as P
import qualified Data.Foldable as F
import Control.DeepSeq (NFData(..))
import qualified Data.Map.Internal as M
import Data.Map.Internal (Map)
import Data.IntSet.Internal (IntSet(..), Key)
import Data.Semigroup (Semigroup(..), stimesIdempotentMonoid)

infixl 9 !, !?, \\

newtype IntMap a = IntMap (Map Int a)

(!) :: IntMap a -> Key -> a
IntMap m ! k = case M.lookup k m of
  Just x  -> x
  Nothing -> error ("IntMap.!: key " ++ show k ++ " is not an element of the map")

unions :: Foldable f => f (IntMap a) -> IntMap a
unions = F.foldl' union empty

findMin, findMax :: IntMap a -> (Key, a)
findMin m = case lookupMin m of
  Just r  -> r
  Nothing -> error "findMin: empty map has no minimal element"
findMax m = case lookupMax m of
  Just r  -> r
  Nothing -> error "findMax: empty map has no maximal element"

deleteFindMin, deleteFindMax :: IntMap a -> ((Key, a), IntMap a)
deleteFindMin m = case minViewWithKey m of
  Just r  -> r
  Nothing -> (error "deleteFindMin: empty map has no minimal element", empty)
deleteFindMax m = case maxViewWithKey m of
  Just r  -> r
  Nothing -> (error "deleteFindMax: empty map has no maximal element", empty)

compose :: IntMap c -> IntMap Int -> IntMap c
compose (IntMap bc) (IntMap ab) = IntMap (M.compose bc ab)

empty :: IntMap a
empty = IntMap M.empty

null :: IntMap a -> Bool
null (IntMap m) = M.null m

size :: IntMap a -> Int
size (IntMap m) = M.size m

lookup :: Key -> IntMap a -> Maybe a
lookup k (IntMap m) = M.lookup k m

member :: Key -> IntMap a -> Bool
member k (IntMap m) = M.member k m

notMember :: Key -> IntMap a -> Bool
notMember k (IntMap m) = M.notMember k m

(!?) :: IntMap a -> Key -> Maybe a
(IntMap m) !? k = m M.!? k

lookupLT :: Key -> IntMap v -> Maybe (Key, v)
lookupLT k (IntMap m) = M.lookupLT k m

lookupGT :: Key -> IntMap v -> Maybe (Key, v)
lookupGT k (IntMap m) = M.lookupGT k m

lookupLE :: Key -> IntMap v -> Maybe (Key, v)
lookupLE k (IntMap m) = M.lookupLE k m

lookupGE :: Key -> IntMap v -> Maybe (Key, v)
lookupGE k (IntMap m) = M.lookupGE k m

delete :: Key -> IntMap a -> IntMap a
delete k (IntMap m) = IntMap (M.delete k m)

union :: IntMap a -> IntMap a -> IntMap a
union (IntMap m) (IntMap n) = IntMap (M.union m n)

difference :: IntMap a -> IntMap b -> IntMap a
difference (IntMap m) (IntMap n) = IntMap (M.difference m n)

(\\) :: IntMap a -> IntMap b -> IntMap a
(IntMap m) \\ (IntMap n) = IntMap (m M.\\ n)

withoutKeys :: IntMap a -> IntSet -> IntMap a
withoutKeys (IntMap m) (IntSet s) = IntMap (M.withoutKeys m s)

intersection :: IntMap a -> IntMap b -> IntMap a
intersection (IntMap m) (IntMap n) = IntMap (M.intersection m n)

restrictKeys :: IntMap a -> IntSet -> IntMap a
restrictKeys (IntMap m) (IntSet s) = IntMap (M.restrictKeys m s)

disjoint :: IntMap a -> IntMap b -> Bool
disjoint (IntMap m) (IntMap n) = M.disjoint m n

isSubmapOf :: Eq a => IntMap a -> IntMap a -> Bool
isSubmapOf (IntMap m) (IntMap n) = M.isSubmapOf m n

isProperSubmapOf :: Eq a => IntMap a -> IntMap a -> Bool
isProperSubmapOf (IntMap m) (IntMap n) = M.isProperSubmapOf m n

isSubmapOfBy :: (a -> b -> Bool) -> IntMap a -> IntMap b -> Bool
isSubmapOfBy f (IntMap m) (IntMap n) = M.isSubmapOfBy f m n

isProperSubmapOfBy :: (a -> b -> Bool) -> IntMap a -> IntMap b -> Bool
isProperSubmapOfBy f (IntMap m) (IntMap n) = M.isProperSubmapOfBy f m n

filter :: (a -> Bool) -> IntMap a -> IntMap a
filter f (IntMap m) = IntMap (M.filter f m)

filterWithKey :: (Key -> a -> Bool) -> IntMap a -> IntMap a
filterWithKey f (IntMap m) = IntMap (M.filterWithKey f m)

partition :: (a -> Bool) -> IntMap a -> (IntMap a, IntMap a)
partition f (IntMap m) = case M.partition f m of (l, r) -> (IntMap l, IntMap r)

partitionWithKey :: (Key -> a -> Bool) -> IntMap a -> (IntMap a, IntMap a)
partitionWithKey f (IntMap m) = case M.partitionWithKey f m of (l, r) -> (IntMap l, IntMap r)

split :: Key -> IntMap a -> (IntMap a, IntMap a)
split k (IntMap m) = case M.split k m of (l, r) -> (IntMap l, IntMap r)

splitLookup :: Key -> IntMap a -> (IntMap a, Maybe a, IntMap a)
splitLookup k (IntMap m) = case M.splitLookup k m of (l, v, r) -> (IntMap l, v, IntMap r)

splitRoot :: IntMap b -> [IntMap b]
splitRoot (IntMap m) = P.map IntMap (M.splitRoot m)

foldr :: (a -> b -> b) -> b -> IntMap a -> b
foldr f x (IntMap m) = M.foldr f x m

foldr' :: (a -> b -> b) -> b -> IntMap a -> b
foldr' f x (IntMap m) = M.foldr' f x m

foldl :: (b -> a -> b) -> b -> IntMap a -> b
foldl f x (IntMap m) = M.foldl f x m

foldl' :: (b -> a -> b) -> b -> IntMap a -> b
foldl' f x (IntMap m) = M.foldl' f x m

foldrWithKey :: (Key -> a -> b -> b) -> b -> IntMap a -> b
foldrWithKey f x (IntMap m) = M.foldrWithKey f x m

foldrWithKey' :: (Key -> a -> b -> b) -> b -> IntMap a -> b
foldrWithKey' f x (IntMap m) = M.foldrWithKey' f x m

foldlWithKey :: (b -> Key -> a -> b) -> b -> IntMap a -> b
foldlWithKey f x (IntMap m) = M.foldlWithKey f x m

foldlWithKey' :: (b -> Key -> a -> b) -> b -> IntMap a -> b
foldlWithKey' f x (IntMap m) = M.foldlWithKey' f x m

foldMapWithKey :: Monoid m => (Key -> a -> m) -> IntMap a -> m
foldMapWithKey f (IntMap m) = M.foldMapWithKey f m

elems :: IntMap a -> [a]
elems (IntMap m) = M.elems m

keys :: IntMap a -> [Key]
keys (IntMap m) = M.keys m

keysSet :: IntMap a -> IntSet
keysSet (IntMap m) = IntSet (M.keysSet m)

assocs :: IntMap a -> [(Key, a)]
assocs (IntMap m) = M.assocs m

toList :: IntMap a -> [(Key, a)]
toList (IntMap m) = M.toList m

toAscList :: IntMap a -> [(Key, a)]
toAscList (IntMap m) = M.toAscList m

toDescList :: IntMap a -> [(Key, a)]
toDescList (IntMap m) = M.toDescList m

mapKeysMonotonic :: (Key -> Key) -> IntMap a -> IntMap a
mapKeysMonotonic f (IntMap m) = IntMap (M.mapKeysMonotonic f m)

mapKeys :: (Key -> Key) -> IntMap a -> IntMap a
mapKeys f (IntMap m) = IntMap (M.mapKeys f m)

lookupMin :: IntMap a -> Maybe (Key, a)
lookupMin (IntMap m) = M.lookupMin m

lookupMax :: IntMap a -> Maybe (Key, a)
lookupMax (IntMap m) = M.lookupMax m

deleteMin :: IntMap a -> IntMap a
deleteMin (IntMap m) = IntMap (M.deleteMin m)

deleteMax :: IntMap a -> IntMap a
deleteMax (IntMap m) = IntMap (M.deleteMax m)

minViewWithKey :: IntMap a -> Maybe ((Key, a), IntMap a)
minViewWithKey (IntMap m) = case M.minViewWithKey m of
  Just (v, r) -> Just (v, IntMap r)
  Nothing     -> Nothing

maxViewWithKey :: IntMap a -> Maybe ((Key, a), IntMap a)
maxViewWithKey (IntMap m) = case M.maxViewWithKey m of
  Just (v, r) -> Just (v, IntMap r)
  Nothing     -> Nothing

minView :: IntMap a -> Maybe (a, IntMap a)
minView (IntMap m) = case M.minView m of
  Just (v, r) -> Just (v, IntMap r)
  Nothing     -> Nothing

maxView :: IntMap a -> Maybe (a, IntMap a)
maxView (IntMap m) = case M.maxView m of
  Just (v, r) -> Just (v, IntMap r)
  Nothing     -> Nothing

instance Eq a => Eq (IntMap a) where
  IntMap m == IntMap n = m == n

instance Ord a => Ord (IntMap a) where
  compare (IntMap m) (IntMap n) = compare m n

instance Show a => Show (IntMap a) where
  showsPrec d (IntMap m) = showsPrec d m

instance Read a => Read (IntMap a) where
  readsPrec d s = [(IntMap m, t) | (m, t) <- readsPrec d s]

instance Semigroup (IntMap a) where
  (<>)   = union
  stimes = stimesIdempotentMonoid

instance Monoid (IntMap a) where
  mempty = empty

instance Functor IntMap where
  fmap f (IntMap m) = IntMap (fmap f m)

instance Foldable IntMap where
  foldMap f (IntMap m) = foldMap f m
  foldr   = foldr
  foldl   = foldl
  foldr'  = foldr'
  foldl'  = foldl'
  toList  = elems
  null    = null
  length  = size

instance Traversable IntMap where
  traverse f (IntMap m) = fmap IntMap (traverse f m)

instance NFData a => NFData (IntMap a) where
  rnf (IntMap m) = rnf m
