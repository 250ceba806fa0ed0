-- | Finite maps as trees balanced by the sizes of their parts.
--
-- A part is rebuilt when one side of it has more than three times the elements
-- of the other.
--
-- > S. Adams: Efficient sets, a balancing act, JFP 3(4), 1993
module Data.Map
  ( Map, empty, singleton, fromList
  , insert, insertWith, insertList, insertListWith, delete, deleteAll, adjust, splitLookup
  , union, unionWith, difference, intersection, intersectionWith
  , foldrWithKey, mapWithKey, filterWithKey
  , size, null, member, lookup, findWithDefault
  , toList, keys, elems, sortWithMap, lookupMin, lookupMax, toPreOrderList
  ) where

import Prelude hiding (empty, lookup, null)

-- | Nothing, or how many elements, the left part, a key with its value, and the
-- right part.
data Map k a = Tip | Bin Int (Map k a) k a (Map k a)

instance (Eq k, Eq a) => Eq (Map k a) where
  m == n = size m == size n && toList m == toList n

instance (Ord k, Ord a) => Ord (Map k a) where
  compare m n = compare (toList m) (toList n)

instance (Show k, Show a) => Show (Map k a) where
  showsPrec d m = showParen (d > 10) (showString "fromList " . shows (toList m))

instance Functor (Map k) where
  fmap f m = mapWithKey (\_ x -> f x) m

-- * Making

empty :: Map k a
empty = Tip

singleton :: k -> a -> Map k a
singleton k x = Bin 1 Tip k x Tip

-- | Of several values for a key the last one counts.
fromList :: Ord k => [(k, a)] -> Map k a
fromList ps = insertList ps Tip

-- * Changing

insert :: Ord k => k -> a -> Map k a -> Map k a
insert k x m = insertWith (\_ new -> new) k x m

-- | Inserts a value; the function joins what was there with it.
insertWith :: Ord k => (a -> a -> a) -> k -> a -> Map k a -> Map k a
insertWith _ k x Tip            = singleton k x
insertWith f k x (Bin n l j y r) = case compare k j of
  LT -> balance (insertWith f k x l) j y r
  EQ -> Bin n l k (f y x) r
  GT -> balance l j y (insertWith f k x r)

insertList :: Ord k => [(k, a)] -> Map k a -> Map k a
insertList ps m = insertListWith (\_ new -> new) ps m

insertListWith :: Ord k => (a -> a -> a) -> [(k, a)] -> Map k a -> Map k a
insertListWith f ps m = foldl (\n (k, x) -> insertWith f k x n) m ps

delete :: Ord k => k -> Map k a -> Map k a
delete _ Tip             = Tip
delete k (Bin _ l j y r) = case compare k j of
  LT -> balance (delete k l) j y r
  EQ -> glue l r
  GT -> balance l j y (delete k r)

deleteAll :: Ord k => [k] -> Map k a -> Map k a
deleteAll ks m = foldl (flip delete) m ks

-- | Changes the value of a key, if it has one.
adjust :: Ord k => (a -> a) -> k -> Map k a -> Map k a
adjust _ _ Tip             = Tip
adjust f k (Bin n l j y r) = case compare k j of
  LT -> Bin n (adjust f k l) j y r
  EQ -> Bin n l j (f y) r
  GT -> Bin n l j y (adjust f k r)

-- | What is before a key, its value, and what is behind it.
splitLookup :: Ord k => k -> Map k a -> (Map k a, Maybe a, Map k a)
splitLookup _ Tip             = (Tip, Nothing, Tip)
splitLookup k (Bin _ l j y r) = case compare k j of
  LT -> let (before, found, behind) = splitLookup k l in (before, found, link behind j y r)
  EQ -> (l, Just y, r)
  GT -> let (before, found, behind) = splitLookup k r in (link l j y before, found, behind)

-- * Together

-- | For keys that both have, the value of the second.
union :: Ord k => Map k a -> Map k a -> Map k a
union m n = unionWith (\_ y -> y) m n

unionWith :: Ord k => (a -> a -> a) -> Map k a -> Map k a -> Map k a
unionWith _ Tip             n = n
unionWith f (Bin _ l k x r) n = link (unionWith f l before) k (maybe x (f x) found) (unionWith f r behind)
  where (before, found, behind) = splitLookup k n

-- | The first map without the keys of the second.
difference :: Ord k => Map k a -> Map k b -> Map k a
difference m Tip             = m
difference m (Bin _ l k _ r) = merge (difference before l) (difference behind r)
  where (before, _, behind) = splitLookup k m

-- | For keys that both have, the value of the first.
intersection :: Ord k => Map k a -> Map k a -> Map k a
intersection m n = intersectionWith const m n

intersectionWith :: Ord k => (a -> b -> c) -> Map k a -> Map k b -> Map k c
intersectionWith _ Tip             _ = Tip
intersectionWith f (Bin _ l k x r) n = case found of
    Nothing -> merge left right
    Just y  -> link left k (f x y) right
  where
    (before, found, behind) = splitLookup k n
    left                    = intersectionWith f l before
    right                   = intersectionWith f r behind

-- * Through

foldrWithKey :: (k -> a -> b -> b) -> b -> Map k a -> b
foldrWithKey _ z Tip             = z
foldrWithKey f z (Bin _ l k x r) = foldrWithKey f (f k x (foldrWithKey f z r)) l

mapWithKey :: (k -> a -> b) -> Map k a -> Map k b
mapWithKey _ Tip             = Tip
mapWithKey f (Bin n l k x r) = Bin n (mapWithKey f l) k (f k x) (mapWithKey f r)

filterWithKey :: Ord k => (k -> a -> Bool) -> Map k a -> Map k a
filterWithKey _ Tip             = Tip
filterWithKey p (Bin _ l k x r)
  | p k x     = link (filterWithKey p l) k x (filterWithKey p r)
  | otherwise = merge (filterWithKey p l) (filterWithKey p r)

-- * Looking

size :: Map k a -> Int
size Tip             = 0
size (Bin n _ _ _ _) = n

null :: Map k a -> Bool
null Tip             = True
null (Bin _ _ _ _ _) = False

member :: Ord k => k -> Map k a -> Bool
member k m = maybe False (const True) (lookup k m)

lookup :: Ord k => k -> Map k a -> Maybe a
lookup _ Tip             = Nothing
lookup k (Bin _ l j y r) = case compare k j of
  LT -> lookup k l
  EQ -> Just y
  GT -> lookup k r

findWithDefault :: Ord k => a -> k -> Map k a -> a
findWithDefault x k m = maybe x id (lookup k m)

lookupMin :: Map k a -> Maybe (k, a)
lookupMin Tip             = Nothing
lookupMin (Bin _ l k x _) = if null l then Just (k, x) else lookupMin l

lookupMax :: Map k a -> Maybe (k, a)
lookupMax Tip             = Nothing
lookupMax (Bin _ _ k x r) = if null r then Just (k, x) else lookupMax r

-- * As lists

-- | By rising keys.
toList :: Map k a -> [(k, a)]
toList m = foldrWithKey (\k x ps -> (k, x) : ps) [] m

keys :: Map k a -> [k]
keys m = foldrWithKey (\k _ ks -> k : ks) [] m

elems :: Map k a -> [a]
elems m = foldrWithKey (\_ x xs -> x : xs) [] m

-- | Each key before those of its left and then its right part.
toPreOrderList :: Map k a -> [(k, a)]
toPreOrderList Tip             = []
toPreOrderList (Bin _ l k x r) = (k, x) : toPreOrderList l ++ toPreOrderList r

-- | Sorts a list; of equal elements one stays.
sortWithMap :: Ord k => [k] -> [k]
sortWithMap ks = keys (fromList (map (\k -> (k, ())) ks))

-- * Balance

-- | A tree of parts that are as they must be.
bin :: Map k a -> k -> a -> Map k a -> Map k a
bin l k x r = Bin (size l + size r + 1) l k x r

-- | A tree of parts of which one may have become too large by one element.
balance :: Map k a -> k -> a -> Map k a -> Map k a
balance l k x r
  | size l + size r < 2   = bin l k x r
  | size r > 3 * size l   = rotateLeft l k x r
  | size l > 3 * size r   = rotateRight l k x r
  | otherwise             = bin l k x r

-- | Moves a part from right to left: the outer one alone if the inner one is
-- smaller than twice its size, else both parts of the inner one.
rotateLeft :: Map k a -> k -> a -> Map k a -> Map k a
rotateLeft l k x (Bin _ m j y r)
  | size m < 2 * size r = bin (bin l k x m) j y r
  | otherwise           = case m of Bin _ ml i z mr -> bin (bin l k x ml) i z (bin mr j y r)

rotateRight :: Map k a -> k -> a -> Map k a -> Map k a
rotateRight (Bin _ l j y m) k x r
  | size m < 2 * size l = bin l j y (bin m k x r)
  | otherwise           = case m of Bin _ ml i z mr -> bin (bin l j y ml) i z (bin mr k x r)

-- | A tree of parts of any sizes.
link :: Map k a -> k -> a -> Map k a -> Map k a
link Tip               k x r   = insertMin k x r
link l@(Bin _ _ _ _ _) k x Tip = insertMax k x l
link l@(Bin n ll i y lr) k x r@(Bin m rl j z rr)
  | m > 3 * n = balance (link l k x rl) j z rr
  | n > 3 * m = balance ll i y (link lr k x r)
  | otherwise = bin l k x r

-- | Inserts a key that is smaller than all others.
insertMin :: k -> a -> Map k a -> Map k a
insertMin k x Tip             = singleton k x
insertMin k x (Bin _ l j y r) = balance (insertMin k x l) j y r

-- | Inserts a key that is greater than all others.
insertMax :: k -> a -> Map k a -> Map k a
insertMax k x Tip             = singleton k x
insertMax k x (Bin _ l j y r) = balance l j y (insertMax k x r)

-- | Two trees of any sizes, the keys of the first before those of the second.
merge :: Map k a -> Map k a -> Map k a
merge Tip               r   = r
merge l@(Bin _ _ _ _ _) Tip = l
merge l@(Bin n ll i y lr) r@(Bin m rl j z rr)
  | m > 3 * n = balance (merge l rl) j z rr
  | n > 3 * m = balance ll i y (merge lr r)
  | otherwise = glue l r

-- | Two parts of one tree.
glue :: Map k a -> Map k a -> Map k a
glue Tip               r = r
glue l@(Bin _ _ _ _ _) r = case removeMin r of
  Nothing           -> l
  Just (k, x, rest) -> balance l k x rest

-- | The smallest key with its value, and the tree without it.
removeMin :: Map k a -> Maybe (k, a, Map k a)
removeMin Tip             = Nothing
removeMin (Bin _ l k x r) = case removeMin l of
  Nothing           -> Just (k, x, r)
  Just (j, y, rest) -> Just (j, y, balance rest k x r)
