-- | The values of a non-deterministic expression as a tree, and ways to walk
-- through it.
--
-- Encapsulation is strong: all choices that the evaluation of the expression
-- makes are in the tree, also those of arguments that exist outside of it.
module Control.Search.SearchTree
  ( SearchTree(..), someSearchTree, getSearchTree
  , isDefined, showSearchTree, searchTreeSize, limitSearchTree
  , Strategy, dfsStrategy, bfsStrategy, idsStrategy, idsStrategyWith, diagStrategy
  , allValuesWith, allValuesDFS, allValuesBFS, allValuesIDS, allValuesIDSwith, allValuesDiag
  , getAllValuesWith, printAllValuesWith, printValuesWith
  , someValue, someValueWith
  , ValueSequence, emptyVS, addVS, failVS, (|++|), vsToList
  ) where

import Data.List (diagonal)
import System.IO (hFlush, stdout)

-- * Trees

-- | A value, a failure, or a choice.  The number says what failed: 0 if it is
-- the expression itself, -1 if the tree was cut there.
data SearchTree a
  = Value a
  | Fail Int
  | Or (SearchTree a) (SearchTree a)

prim_searchTree :: (a -> t) -> t -> (t -> t -> t) -> a -> t
prim_searchTree external

-- | The tree of an expression, made as it is looked at.  The order of choices is
-- that of the program's rules.
someSearchTree :: a -> SearchTree a
someSearchTree x = prim_searchTree Value (Fail 0) Or x

getSearchTree :: a -> IO (SearchTree a)
getSearchTree x = return (someSearchTree x)

-- | Whether an expression has a value.
isDefined :: a -> Bool
isDefined x = prim_searchTree (const True) False (||) x

-- | A picture of a tree, a line for each of its nodes.
showSearchTree :: Show a => SearchTree a -> String
showSearchTree tree = draw "" "" tree

-- | The lines of a tree, the first and the other ones indented as given.
draw :: Show a => String -> String -> SearchTree a -> String
draw first _    (Value x) = first ++ show x ++ "\n"
draw first _    (Fail _)  = first ++ "!\n"
draw first next (Or l r)  = first ++ "?\n"
  ++ draw (next ++ "\x251c\x2500 ") (next ++ "\x2502  ") l
  ++ draw (next ++ "\x2514\x2500 ") (next ++ "   ") r

-- | How many values, failures and choices a tree has.
searchTreeSize :: SearchTree a -> (Int, Int, Int)
searchTreeSize (Value _) = (1, 0, 0)
searchTreeSize (Fail _)  = (0, 1, 0)
searchTreeSize (Or l r)  = (v1 + v2, f1 + f2, c1 + c2 + 1)
  where
    (v1, f1, c1) = searchTreeSize l
    (v2, f2, c2) = searchTreeSize r

-- | The tree without what is below a depth.
limitSearchTree :: Int -> SearchTree a -> SearchTree a
limitSearchTree _ (Value x) = Value x
limitSearchTree _ (Fail d)  = Fail d
limitSearchTree n (Or l r)
  | n < 0     = Fail (-1)
  | otherwise = Or (limitSearchTree (n - 1) l) (limitSearchTree (n - 1) r)

-- * Strategies

-- | In which order the values of a tree are found.
type Strategy a = SearchTree a -> ValueSequence a

-- | Depth first.
dfsStrategy :: Strategy a
dfsStrategy tree = walk tree emptyVS
  where
    walk (Value x) vs = addVS x vs
    walk (Fail d)  vs = failVS d |++| vs
    walk (Or l r)  vs = walk l (walk r vs)

-- | Breadth first.
bfsStrategy :: Strategy a
bfsStrategy tree = leaves (concat (levels [tree]))

-- | Iterative deepening.
idsStrategy :: Strategy a
idsStrategy tree = idsStrategyWith firstDepth deeper tree

firstDepth :: Int
firstDepth = 100

deeper :: Int -> Int
deeper n = 2 * n

-- | Iterative deepening from a first depth, with a function that gives the next.
idsStrategyWith :: Int -> (Int -> Int) -> Strategy a
idsStrategyWith first next tree = rounds 0 first
  where
    rounds from to = case band from to tree of
      (found, cut) -> found |++| (if cut then rounds to (next to) else emptyVS)

-- | What a tree has at the depths from one number up to, but without, another,
-- and whether it goes on below.
band :: Int -> Int -> SearchTree a -> (ValueSequence a, Bool)
band from to tree
  | to <= 0   = (emptyVS, True)
  | otherwise = case tree of
      Value x -> (if from <= 0 then addVS x emptyVS else emptyVS, False)
      Fail d  -> (if from <= 0 then failVS d else emptyVS, False)
      Or l r  -> let (inL, cutL) = band (from - 1) (to - 1) l
                     (inR, cutR) = band (from - 1) (to - 1) r
                 in (inL |++| inR, cutL || cutR)

-- | Along the diagonals of the levels: fair, and less hungry than breadth first.
diagStrategy :: Strategy a
diagStrategy tree = leaves (diagonal (levels [tree]))

levels :: [SearchTree a] -> [[SearchTree a]]
levels trees = if null trees then [] else trees : levels (concatMap below trees)
  where
    below (Value _) = []
    below (Fail _)  = []
    below (Or l r)  = [l, r]

-- | What those of the trees are that are no choices.
leaves :: [SearchTree a] -> ValueSequence a
leaves []     = emptyVS
leaves (t:ts) = case t of
  Value x -> addVS x (leaves ts)
  Fail d  -> failVS d |++| leaves ts
  Or _ _  -> leaves ts

-- * All values

allValuesWith :: Strategy a -> SearchTree a -> [a]
allValuesWith strategy tree = vsToList (strategy tree)

allValuesDFS :: SearchTree a -> [a]
allValuesDFS tree = allValuesWith dfsStrategy tree

allValuesBFS :: SearchTree a -> [a]
allValuesBFS tree = allValuesWith bfsStrategy tree

allValuesIDS :: SearchTree a -> [a]
allValuesIDS tree = allValuesWith idsStrategy tree

allValuesIDSwith :: Int -> (Int -> Int) -> SearchTree a -> [a]
allValuesIDSwith first next tree = allValuesWith (idsStrategyWith first next) tree

allValuesDiag :: SearchTree a -> [a]
allValuesDiag tree = allValuesWith diagStrategy tree

getAllValuesWith :: Strategy a -> a -> IO [a]
getAllValuesWith strategy x = getSearchTree x >>= \tree -> return (allValuesWith strategy tree)

printAllValuesWith :: Show a => Strategy a -> a -> IO ()
printAllValuesWith strategy x = getAllValuesWith strategy x >>= mapM_ print

-- | Prints the values one by one, each after a line of input.
printValuesWith :: Show a => Strategy a -> a -> IO ()
printValuesWith strategy x = getAllValuesWith strategy x >>= mapM_ pause
  where pause v = putStr (show v) >> hFlush stdout >> getLine >> return ()

-- | The first value, breadth first; which one this is depends on the order of
-- the rules.  No value if there is none.
someValue :: a -> a
someValue x = someValueWith bfsStrategy x

someValueWith :: Strategy a -> a -> a
someValueWith strategy x = head (allValuesWith strategy (someSearchTree x))

-- * Sequences of values

-- | What a strategy finds.
data ValueSequence a = End | Next a (ValueSequence a)

emptyVS :: ValueSequence a
emptyVS = End

addVS :: a -> ValueSequence a -> ValueSequence a
addVS x vs = Next x vs

-- | A failure; nothing of it is kept.
failVS :: Int -> ValueSequence a
failVS _ = End

(|++|) :: ValueSequence a -> ValueSequence a -> ValueSequence a
End       |++| ws = ws
Next x vs |++| ws = Next x (vs |++| ws)

vsToList :: ValueSequence a -> [a]
vsToList End         = []
vsToList (Next x vs) = x : vsToList vs
