-- | Sets of 'Int': the balanced trees of "Data.Set" with the element's type fixed.
module Data.IntSet.Internal where

import Prelude hiding (map, filter, foldr, foldl, null)
import qualified Prelude as P
import Control.DeepSeq (NFData(..))
import qualified Data.Foldable as F
import Data.Semigroup (Semigroup(..), stimesIdempotentMonoid)
import qualified Data.Set.Internal as S
import Data.Set.Internal (Set)

infixl 9 \\

type Key = Int

newtype IntSet = IntSet (Set Int)

empty :: IntSet
empty = IntSet S.empty

null :: IntSet -> Bool
null (IntSet s) = S.null s

size :: IntSet -> Int
size (IntSet s) = S.size s

member :: Key -> IntSet -> Bool
member x (IntSet s) = S.member x s

notMember :: Key -> IntSet -> Bool
notMember x (IntSet s) = S.notMember x s

lookupLT :: Key -> IntSet -> Maybe Key
lookupLT x (IntSet s) = S.lookupLT x s

lookupGT :: Key -> IntSet -> Maybe Key
lookupGT x (IntSet s) = S.lookupGT x s

lookupLE :: Key -> IntSet -> Maybe Key
lookupLE x (IntSet s) = S.lookupLE x s

lookupGE :: Key -> IntSet -> Maybe Key
lookupGE x (IntSet s) = S.lookupGE x s

isSubsetOf :: IntSet -> IntSet -> Bool
isSubsetOf (IntSet s) (IntSet t) = S.isSubsetOf s t

isProperSubsetOf :: IntSet -> IntSet -> Bool
isProperSubsetOf (IntSet s) (IntSet t) = S.isProperSubsetOf s t

disjoint :: IntSet -> IntSet -> Bool
disjoint (IntSet s) (IntSet t) = S.disjoint s t

singleton :: Key -> IntSet
singleton x = IntSet (S.singleton x)

insert :: Key -> IntSet -> IntSet
insert x (IntSet s) = IntSet (S.insert x s)

delete :: Key -> IntSet -> IntSet
delete x (IntSet s) = IntSet (S.delete x s)

alterF :: Functor f => (Bool -> f Bool) -> Key -> IntSet -> f (IntSet)
alterF f x (IntSet s) = fmap IntSet (S.alterF f x s)

union :: IntSet -> IntSet -> IntSet
union (IntSet s) (IntSet t) = IntSet (S.union s t)

difference :: IntSet -> IntSet -> IntSet
difference (IntSet s) (IntSet t) = IntSet (S.difference s t)

(\\) :: IntSet -> IntSet -> IntSet
(IntSet s) \\ (IntSet t) = IntSet (s S.\\ t)

intersection :: IntSet -> IntSet -> IntSet
intersection (IntSet s) (IntSet t) = IntSet (S.intersection s t)

filter :: (Key -> Bool) -> IntSet -> IntSet
filter f (IntSet s) = IntSet (S.filter f s)

partition :: (Key -> Bool) -> IntSet -> (IntSet, IntSet)
partition f (IntSet s) = case S.partition f s of (l, r) -> (IntSet l, IntSet r)

split :: Key -> IntSet -> (IntSet, IntSet)
split x (IntSet s) = case S.split x s of (l, r) -> (IntSet l, IntSet r)

splitMember :: Key -> IntSet -> (IntSet, Bool, IntSet)
splitMember x (IntSet s) = case S.splitMember x s of (l, b, r) -> (IntSet l, b, IntSet r)

splitRoot :: IntSet -> [IntSet]
splitRoot (IntSet s) = P.map IntSet (S.splitRoot s)

foldr :: (Key -> b -> b) -> b -> IntSet -> b
foldr f x (IntSet s) = S.foldr f x s

foldr' :: (Key -> b -> b) -> b -> IntSet -> b
foldr' f x (IntSet s) = S.foldr' f x s

foldl :: (b -> Key -> b) -> b -> IntSet -> b
foldl f x (IntSet s) = S.foldl f x s

foldl' :: (b -> Key -> b) -> b -> IntSet -> b
foldl' f x (IntSet s) = S.foldl' f x s

fold :: (Key -> b -> b) -> b -> IntSet -> b
fold f x (IntSet s) = S.fold f x s

elems :: IntSet -> [Key]
elems (IntSet s) = S.elems s

toList :: IntSet -> [Key]
toList (IntSet s) = S.toList s

toAscList :: IntSet -> [Key]
toAscList (IntSet s) = S.toAscList s

toDescList :: IntSet -> [Key]
toDescList (IntSet s) = S.toDescList s

fromList :: [Key] -> IntSet
fromList x = IntSet (S.fromList x)

fromAscList :: [Key] -> IntSet
fromAscList x = IntSet (S.fromAscList x)

fromDistinctAscList :: [Key] -> IntSet
fromDistinctAscList x = IntSet (S.fromDistinctAscList x)

deleteMin :: IntSet -> IntSet
deleteMin (IntSet s) = IntSet (S.deleteMin s)

deleteMax :: IntSet -> IntSet
deleteMax (IntSet s) = IntSet (S.deleteMax s)

minView :: IntSet -> Maybe (Key, IntSet)
minView (IntSet s) = case S.minView s of
  Just (v, r) -> Just (v, IntSet r)
  Nothing     -> Nothing

maxView :: IntSet -> Maybe (Key, IntSet)
maxView (IntSet s) = case S.maxView s of
  Just (v, r) -> Just (v, IntSet r)
  Nothing     -> Nothing

unions :: Foldable f => f IntSet -> IntSet
unions = F.foldl' union empty

map :: (Key -> Key) -> IntSet -> IntSet
map f (IntSet s) = IntSet (S.map f s)

findMin, findMax :: IntSet -> Key
findMin (IntSet s) = case S.lookupMin s of
  Just x  -> x
  Nothing -> error "findMin: empty set has no minimal element"
findMax (IntSet s) = case S.lookupMax s of
  Just x  -> x
  Nothing -> error "findMax: empty set has no maximal element"

deleteFindMin, deleteFindMax :: IntSet -> (Key, IntSet)
deleteFindMin t = case minView t of
  Just r  -> r
  Nothing -> error "deleteFindMin: empty set has no minimal element"
deleteFindMax t = case maxView t of
  Just r  -> r
  Nothing -> error "deleteFindMax: empty set has no maximal element"

instance Eq IntSet where
  IntSet s == IntSet t = s == t

instance Ord IntSet where
  compare (IntSet s) (IntSet t) = compare s t

instance Show IntSet where
  showsPrec d (IntSet s) = showsPrec d s

instance Read IntSet where
  readsPrec d s = [(IntSet x, t) | (x, t) <- readsPrec d s]

instance Semigroup IntSet where
  (<>)   = union
  stimes = stimesIdempotentMonoid

instance Monoid IntSet where
  mempty = empty

instance NFData IntSet where
  rnf (IntSet s) = s `seq` ()
