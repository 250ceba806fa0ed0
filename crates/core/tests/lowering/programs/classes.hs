{-# LANGUAGE ExistentialQuantification, RankNTypes, GeneralizedNewtypeDeriving, DeriveFunctor, DeriveFoldable, DeriveTraversable, MultiParamTypeClasses, FunctionalDependencies, FlexibleInstances, FlexibleContexts, ScopedTypeVariables, StandaloneDeriving, NoMonomorphismRestriction #-}
module Main where
import Data.Ix
import Data.Foldable (toList)
import Data.Traversable (traverse)
import Control.Monad
import qualified Data.Map as M

data Showable = forall a. (Show a, Ord a) => MkS a a | Plain Int
sh :: Showable -> String
sh (MkS a b) | a < b = show (a, b)
             | otherwise = "ge" ++ show b
sh (Plain n) = show n

applyAll :: (forall a. Show a => a -> String) -> (Int, Bool) -> [String]
applyAll f (a, b) = [f a, f b]

data Poly = Poly { runPoly :: forall a. Num a => a -> a, tag :: Int }

newtype Age = Age Int deriving (Eq, Ord, Num, Show)
newtype Wrap f a = Wrap (f a)
deriving instance Show (f a) => Show (Wrap f a)

data Tree a = Leaf | Node (Tree a) a [Tree a] (Int, a) deriving (Show, Functor, Foldable, Traversable)
data Fn r a = Fn (r -> a) (r -> (a, Int)) deriving Functor

class Container f a | f -> a where
  empty :: f
  insert :: a -> f -> f
  contents :: f -> [a]
newtype IntBag = IntBag [Int]
instance Container IntBag Int where
  empty = IntBag []
  insert x (IntBag xs) = IntBag (x : xs)
  contents (IntBag xs) = xs

class Monoid' a where
  mempty' :: a
  mappend' :: a -> a -> a
  mconcat' :: [a] -> a
  mconcat' = foldr mappend' mempty'
instance Monoid' [b] where
  mempty' = []
  mappend' = (++)
instance (Monoid' a, Monoid' b) => Monoid' (a, b) where
  mempty' = (mempty', mempty')
  mappend' (a, b) (c, d) = (mappend' a c, mappend' b d)
instance Monoid' b => Monoid' (a -> b) where
  mempty' = const mempty'
  mappend' f g x = f x `mappend'` g x

newtype State s a = State { runState :: s -> (a, s) }
instance Functor (State s) where fmap = liftM
instance Applicative (State s) where { pure x = State (\s -> (x, s)); (<*>) = ap }
instance Monad (State s) where
  m >>= k = State $ \s -> let (a, s') = runState m s in runState (k a) s'
get' = State (\s -> (s, s))
put' s = State (const ((), s))
modify' f = do { s <- get'; put' (f s) }

label :: Tree a -> State Int (Tree (Int, a))
label Leaf = return Leaf
label (Node l x ts p) = do
  l' <- label l
  n <- get'
  put' (n + 1)
  ts' <- mapM label ts
  m <- get'
  modify' (* 2)
  return (Node l' (n, x) ts' (m, (m, snd p)))

data Dir = N | E | S | W deriving (Eq, Ord, Show, Ix, Enum, Bounded)
data Pos = Pos Int Dir deriving (Eq, Ord, Show, Ix)

(x0, y0) | length "ab" == 2 = (1, 'c')
         | otherwise = (2, 'd')
[a0, b0] = [10, 20] :: [Int]
pairUp = (,) <$> Just 3 <*> Just 'x'

sumSq :: forall a. Num a => [a] -> a
sumSq xs = go xs 0
  where go :: [a] -> a -> a
        go [] acc = acc
        go (y:ys) acc = go ys (acc + sq y)
        sq z = z * z

plus = (+)
local :: Int -> ([Int], String)
local n = (twice [n], twice "s")
  where twice x = x ++ x

mutual :: Int -> [Int]
mutual n = f n
  where f 0 = [k]
        f m = m : g (m - 1)
        g 0 = [k, k]
        g m = f (m - 1) ++ h m
        h x = [x * k]
        k = n * 10

t :: Tree Int
t = Node Leaf 1 [Node Leaf 2 [] (0, 3), Leaf] (5, 4)

test1 = map sh [MkS 1 2, MkS 'b' 'a', Plain 7]
test2 = applyAll show (1, True) ++ applyAll (\x -> show [x]) (2, False)
test3 = let p = Poly { runPoly = \x -> x * x + 1, tag = 1 } in (runPoly p 3 :: Int, runPoly p 1.5 :: Double, runPoly (p { runPoly = negate }) 4 :: Int)
test4 = (Age 3 + 4, show (Wrap (Just 'c')), Age 1 < Age 2)
test5 = fmap (+ 1) t
test6 = (toList t, sum t, maximum t, length t, elem 4 t, foldr (:) [] t)
test7 = traverse (\x -> if x > 0 then Just (x * 2) else Nothing) t
test8 = traverse (\x -> [x, -x]) (Node Leaf 1 [] (0, 2))
test9 = case fmap show (Fn (+ 1) (\r -> (r * 2, r))) of Fn f g -> (f (3 :: Int), g 4)
test10 = contents (insert 1 (insert 2 empty) :: IntBag)
test11 = (mconcat' ["ab", "c"], mappend' ("a", [1]) ("b", [2, 3]), mconcat' [show, const "-", reverse . show] 123)
test12 = runState (label t) 100
test13 = (range (N, S), index (E, W) S, inRange (E, S) W, range (Pos 0 N, Pos 1 E), index (Pos 0 N, Pos 2 S) (Pos 1 E), rangeSize (Pos 0 N, Pos 2 S), inRange (Pos 0 N, Pos 2 E) (Pos 1 S))
test14 = (x0, y0, a0 + b0, pairUp)
test15 = (sumSq [1, 2, 3 :: Int], sumSq [0.5 :: Double], plus 1 2 :: Int, plus 0.5 1 :: Double, local 3, mutual 5)
test16 = M.toList (M.fromListWith (++) [(length w, [w]) | w <- words "the quick brown fox jumps over the lazy dog"])
test17 = foldM (\a x -> if x == 0 then Nothing else Just (a `div` x)) 100 [2, 5]
test18 = let go 0 acc = acc; go n acc = go (n - 1) $! acc + n in go (1000 :: Int) (0 :: Int)
test19 = zipWith3 (\a b c -> a + b * c) [1, 2] [3, 4] [5, 6 :: Int]
test20 = let f = \x -> \y -> x - y; g x | x > 0 = \y -> y | otherwise = \_ -> x in (f 5 3 :: Int, g 1 2 :: Int, g 0 2 :: Int)
test21 = takeWhile (< 40) (filter odd (map (^ 2) [1 ..])) :: [Integer]
test22 = let primes = sieve [2 ..]; sieve (p : xs) = p : sieve [x | x <- xs, x `mod` p /= 0] in take 8 primes :: [Int]
test23 = (showString "a" . showParen True (shows 3)) "z"
test24 = (fmap (* 2) (3, 4), (+) <$> (* 2) <*> (+ 10) $ 3, (do { a <- (* 2); b <- (+ 10); return (a + b) }) 3)
main = do
  print test1; print test2; print test3; print test4; print test5; print test6; print test7; print test8; print test9; print test10; print test11
  print test12; print test13; print test14; print test15; print test16; print test17; print test18; print test19; print test20; print test21
  print test22; print test23; print test24
