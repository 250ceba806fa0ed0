-- | Trees with any number of children, and forests of them.
module Data.Tree
  ( Tree(..), Forest, unfoldTree, unfoldForest, unfoldTreeM, unfoldForestM
  , unfoldTreeM_BF, unfoldForestM_BF
  , foldTree, flatten, levels, drawTree, drawForest
  ) where

import Control.DeepSeq (NFData(..))

data Tree a = Node { rootLabel :: a, subForest :: [Tree a] }
  deriving (Eq, Ord, Read, Show)

type Forest a = [Tree a]

instance Functor Tree where
  fmap f (Node x ts) = Node (f x) (map (fmap f) ts)

instance Applicative Tree where
  pure x = Node x []
  fs <*> xs = fs >>= \f -> fmap f xs

instance Monad Tree where
  Node x ts >>= f = let t = f x in Node (rootLabel t) (subForest t ++ [u >>= f | u <- ts])

instance Foldable Tree where
  foldMap f (Node x ts) = f x <> foldMap (foldMap f) ts
  foldr f z (Node x ts) = f x (foldr (\t rest -> foldr f rest t) z ts)
  null _ = False

instance Traversable Tree where
  traverse f (Node x ts) = Node <$> f x <*> traverse (traverse f) ts

instance NFData a => NFData (Tree a) where
  rnf (Node x ts) = rnf x `seq` rnf ts

unfoldTree :: (b -> (a, [b])) -> b -> Tree a
unfoldTree f seed = Node (fst r) (unfoldForest f (snd r))
  where r = f seed

unfoldForest :: (b -> (a, [b])) -> [b] -> [Tree a]
unfoldForest f seeds = [unfoldTree f seed | seed <- seeds]

unfoldTreeM :: Monad m => (b -> m (a, [b])) -> b -> m (Tree a)
unfoldTreeM f seed = f seed >>= \(x, seeds) -> fmap (Node x) (unfoldForestM f seeds)

unfoldForestM :: Monad m => (b -> m (a, [b])) -> [b] -> m [Tree a]
unfoldForestM f seeds = mapM (unfoldTreeM f) seeds

unfoldTreeM_BF :: Monad m => (b -> m (a, [b])) -> b -> m (Tree a)
unfoldTreeM_BF f seed = fmap head (unfoldForestM_BF f [seed])

-- | The effects level by level.
unfoldForestM_BF :: Monad m => (b -> m (a, [b])) -> [b] -> m [Tree a]
unfoldForestM_BF _ []    = return []
unfoldForestM_BF f seeds = do
  level <- mapM f seeds
  below <- unfoldForestM_BF f (concatMap snd level)
  return (handOut level below)
  where
    handOut []                   _     = []
    handOut ((x, below) : level) trees = case splitAt (length below) trees of
      (own, others) -> Node x own : handOut level others

foldTree :: (a -> [b] -> b) -> Tree a -> b
foldTree f (Node x ts) = f x (map (foldTree f) ts)

-- | All labels, each before those below it.
flatten :: Tree a -> [a]
flatten t = foldr (:) [] t

-- | The labels level by level.
levels :: Tree a -> [[a]]
levels t = level [t]
  where
    level [] = []
    level ts = map rootLabel ts : level (concatMap subForest ts)

drawTree :: Tree String -> String
drawTree t = unlines (picture t)

drawForest :: [Tree String] -> String
drawForest ts = unlines (map drawTree ts)

-- | The lines of a tree's picture: its label, then each subtree behind a
-- branch, with a line that goes on to the next.
picture :: Tree String -> [String]
picture (Node x ts) = lines x ++ branches ts
  where
    branches []         = []
    branches [t]        = "|" : hang "`- " "   " t
    branches (t : more) = "|" : hang "+- " "|  " t ++ branches more
    hang corner side t  = case picture t of
      l : ls -> (corner ++ l) : map (side ++) ls
      []     -> []
