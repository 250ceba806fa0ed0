{-# LANGUAGE BangPatterns, TupleSections, LambdaCase, MultiWayIf, ScopedTypeVariables, InstanceSigs, FlexibleInstances, FlexibleContexts #-}
{-# LANGUAGE MultiParamTypeClasses, FunctionalDependencies, RecordWildCards, NamedFieldPuns, KindSignatures, GeneralizedNewtypeDeriving #-}
{-# LANGUAGE StandaloneDeriving, UndecidableInstances, EmptyDataDecls, ExistentialQuantification, DeriveFunctor #-}
module Main where

import Data.Char (isDigit, isSpace, toUpper)
import Data.Kind (Type)
import Data.List (foldl', intercalate)
import Data.Ratio ((%))

-- Names that only a where, a let or a fixity of their own explains.
infixr 5 +++
(+++) :: [a] -> [a] -> [a]
xs +++ ys = foldr (:) ys xs

fixities :: Int
fixities = 1 <+> 2 <.> 3
  where
    infixl 6 <+>
    infixl 7 <.>
    a <+> b = a + b
    a <.> b = a * b

-- A where over several guards, and one inside a local function.
grade :: Int -> String
grade n
  | good = "good" ++ suffix
  | n > low, let m = n - low, m > 3 = "fair " ++ show m
  | otherwise = bad n
  where
    good = n >= high
    (low, high) = (10, 20)
    suffix = replicate (n - high) '!'
    bad 0 = "none"
    bad k | k < 0 = "negative" | otherwise = w ++ w where w = show k

-- Mutual recursion at the top, with a class of its own on the way.
isEven', isOdd' :: (Eq a, Num a) => a -> Bool
isEven' 0 = True
isEven' n = isOdd' (n - 1)
isOdd' 0 = False
isOdd' n = isEven' (n - 1)

-- Polymorphic recursion and local polymorphism.
data Nested a = Flat a | Nest (Nested [a])

depth :: Nested a -> Int
depth (Flat _) = 0
depth (Nest inner) = 1 + depth inner

deriving instance Show a => Show (Nested a)

pairs :: (Show a, Show b) => a -> b -> (String, String, [Int])
pairs a b = (wrap a, wrap b, twice (map (+ 1)) [1])
  where
    wrap x = "<" ++ show x ++ ">"
    twice f = f . f

-- Superclasses, defaults that need each other, a method with a context of its own.
class Show a => Entity a where
  ident :: a -> Int
  ident = length . title
  title :: a -> String
  title x = "#" ++ show x
  against :: (Entity b, Ord k, Num k) => (Int -> k) -> a -> b -> Bool
  against key x y = key (ident x) < key (ident y) + 1

data Dog = Dog { dogName :: String, age :: !Int } deriving (Show, Eq, Ord, Read)
data Cat = Cat deriving Show

instance Entity Dog where
  title :: Dog -> String
  title Dog { dogName } = dogName

instance Entity Cat where
  ident _ = 9

instance Entity a => Entity (Maybe a) where
  ident = maybe 0 ident

instance Entity [Char] where
  title s = map toUpper s

-- Several parameters and a dependency.
class Monad m => MonadStore s (m :: Type -> Type) | m -> s where
  load :: m s
  store :: s -> m ()

newtype StateM s a = StateM { runStateM :: s -> (a, s) } deriving Functor

instance Applicative (StateM s) where
  pure a = StateM (a,)
  StateM f <*> StateM g = StateM $ \s -> let (h, s1) = f s; (a, s2) = g s1 in (h a, s2)

instance Monad (StateM s) where
  StateM f >>= k = StateM $ \s -> case f s of (a, s') -> runStateM (k a) s'

instance MonadStore s (StateM s) where
  load = StateM $ \s -> (s, s)
  store s = StateM $ \_ -> ((), s)

newtype Counter a = Counter (StateM Int a) deriving (Functor, Applicative, Monad, MonadStore Int)

tick :: MonadStore Int m => m Int
tick = do
  n <- load
  if n > 100 then return () else store $! n + 1
  return n

runCounter :: Counter a -> Int -> (a, Int)
runCounter (Counter m) = runStateM m

-- An existential record with a class inside, and an empty type.
data Void
data Shape = forall s. Shape { state :: s, step :: s -> s, size :: s -> Double }

absurd :: Void -> a
absurd v = v `seq` error "absurd"

area :: Shape -> Double
area Shape { .. } = size (step state)

-- Records with operators, strict fields and positional use.
data Op = Op { (<#>) :: Int, fn :: Int -> Int } | Int :/: !Int | No
infix 4 :/:

useOp :: Op -> Int
useOp Op { (<#>) = n, .. } = fn n
useOp (a :/: b) = a * b
useOp No {} = -1

-- Derived classes on everything they can be derived for.
data Expr a = Lit { value :: a } | Expr a :+ Expr a | Expr a :* Expr a | Neg (Expr a) | Let String (Expr a) (Expr a)
  deriving (Eq, Ord, Show, Read, Functor)
infixl 6 :+
infixl 7 :*

data Suit = Clubs | Diamonds | Hearts deriving (Eq, Ord, Show, Read, Enum, Bounded)
data Card = Card Suit Bool deriving (Eq, Ord, Show, Bounded)
newtype Fix f = Fix (f (Fix f))
deriving instance Show (f (Fix f)) => Show (Fix f)

eval :: Num a => Expr a -> a
eval = \case
  Lit { value } -> value
  a :+ b -> eval a + eval b
  a :* b -> eval a * eval b
  Neg a -> negate (eval a)
  Let _ a b -> eval a + eval b

-- A parser in continuation-passing style, with local functions that capture each other.
tokens :: String -> Either String [String]
tokens = go [] []
  where
    go out cur [] = Right (reverse (flush cur out))
    go out cur (c : cs)
      | isSpace c = go (flush cur out) [] cs
      | isDigit c = go out (c : cur) cs
      | c `elem` "+*()" = go ([c] : flush cur out) [] cs
      | otherwise = Left $ "bad " ++ show c ++ " after " ++ show (length out)
    flush "" out = out
    flush cur out = reverse cur : out

test1 = ([1, 2] +++ [3] +++ [], fixities, map grade [25, 15, 12, 0, -1, 7])
test2 = (isEven' (10 :: Int), isOdd' (7.0 :: Double), depth (Nest (Nest (Flat [['x']]))), Nest (Flat [1]))
test3 = pairs 'c' [True]
test4 = (map ident [Dog "rex" 3, Dog { age = 1, dogName = "fido" }], title Cat, ident (Just Cat), ident (Nothing :: Maybe Cat), title "abc")
test5 = (against fromIntegral (Dog "a" 1) Cat, against negate Cat (Just (Dog "abc" 2)), against (* 2) "xy" "z")
test6 = runCounter (tick >> tick >>= \n -> fmap (+ n) tick) 5
test7 = runStateM (mapM (\x -> do { n <- tick; return (x, n) }) "abc") 99
test8 = map area [Shape 2 (+ 1) fromIntegral, Shape "ab" ('c' :) (fromIntegral . length), Shape () id (const 0.5)]
test9 = map useOp [Op { (<#>) = 4, fn = (* 3) }, Op 1 negate, 6 :/: 7, No]
test10 = [Lit 1 :+ Lit 2 :* Neg (Lit (-3)), Let "x" (Lit 4) (Lit 5 :* Lit 6 :+ Lit 7)]
test11 = (map eval test10, map (eval . fmap fromIntegral) test10 :: [Double], test10 == test10, compare (head test10) (last test10))
test12 = (read "Lit {value = 1} :+ Lit {value = -2} :* Neg (Lit {value = 3})" :: Expr Int, (reads "Lit 3" :: [(Expr Int, String)]))
test13 = (reads "Lit {value = -7} rest" :: [(Expr Int, String)], read " ( Hearts ) " :: Suit, read "Dog{dogName=\"d\",age=3}" :: Dog)
test14 = ([minBound .. maxBound] :: [Suit], [minBound, maxBound :: Card], [Hearts, Diamonds ..], fromEnum Hearts, [x | x <- [Clubs ..], x /= Diamonds])
test15 = Fix (Just (Fix (Just (Fix Nothing))))
test16 = map tokens ["12+ 3*(4)", "1 ? 2"]
test17 = (0x1F + 0o17 + 1, 1.5e2, 2e-2, '\x41', "a\tb\"\\\1234\&5\SOH\DEL", "gap\
  \ped")
test18 = (3 % 4 + 1 / 2 :: Rational, fromRational (7 % 8) :: Double, truncate (-2.5 :: Double) :: Int, round 3.5 :: Integer, ceiling 2.1 :: Int)
test19 = if | [] <- drop 3 "abc", x : _ <- "xyz" -> [x] | otherwise -> "none"
test20 = [(x, y, z) | z <- [1 .. 20 :: Int], y <- [1 .. z], x <- [1 .. y], x * x + y * y == z * z]
test21 = let f 0 = 'z'; f n | even n = g (n - 1) | otherwise = 'o'; g n = f (n - 1) in map f [0, 1, 2, 4 :: Int]
test22 = let (a, b) | c > 3 = (c, 'x') | otherwise = (0, 'y'); c = length "four"; [d, e] = [a, a + 1] in (a, b, d * e)
test23 = foldl' (\ !acc (i, x) -> acc * 10 + i * x) 0 (zip [1 ..] [1, 2, 3 :: Integer])
test24 = (\x (y, _) [z] -> x + y + z) 1 (2, undefined) [3 :: Int] + (\ ~(a, b) -> 4) undefined
test25 = intercalate ", " [show n ++ ":" ++ s | (n, Just s) <- zip [1 :: Int ..] [Just "a", Nothing, Just "c"], let m = n * n, m < 9 || s /= "c"]
test26 = (showsPrec 11 (-5 :: Int) "", show (Just (Left (3, 'x') :: Either (Int, Char) String)), show [Just (-1.5)], show (6 % (-4) :: Rational))
test27 = (minimum [[3, 1], [2, 9], [2]], compare (1, 'a') (1, 'b'), max "ab" "b", (LT <>) <$> [EQ, GT])
test28 = do { x <- Right 3; y <- if x > 2 then Left ("big " ++ show x) else Right 1; return (x + y) } :: Either String Int
test29 = (mconcat ["ab", "c"], foldMap (\x -> [x, x]) (Just 'q'), sequence [Just 1, Just 2], traverse (\x -> [x, x + 10]) [1, 2 :: Int])
test30 = [f 10 | f <- [(+ 1), (2 *), (`div` 3), (3 `div`), subtract 4, \x -> x - 1, negate . (* 2), flip (-) 1, const 7 :: Int -> Int]]

main :: IO ()
main = do
  print test1; print test2; print test3; print test4; print test5; print test6; print test7; print test8; print test9; print test10
  print test11; print test12; print test13; print test14; print test15; print test16; print test17; print test18; print test19; print test20
  print test21; print test22; print test23; print test24; print test25; print test26; print test27; print test28; print test29; print test30
