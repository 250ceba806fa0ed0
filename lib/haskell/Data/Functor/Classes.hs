-- | The usual classes for types that still lack an argument.
module Data.Functor.Classes
  ( Eq1(..), eq1, Ord1(..), compare1, Show1(..), showsPrec1, Read1(..), readsPrec1
  , Eq2(..), eq2, Ord2(..), compare2, Show2(..), showsPrec2
  , showsUnaryWith, showsBinaryWith, showsUnary, showsUnary1, showsBinary1
  , readsData, readsUnaryWith, readsBinaryWith
  ) where

import Data.Functor.Const (Const(..))
import Data.Functor.Identity (Identity(..))
import Data.List.NonEmpty (NonEmpty(..))
import Data.Proxy (Proxy(..))
import Text.Show (showListWith)

class Eq1 f where
  liftEq :: (a -> b -> Bool) -> f a -> f b -> Bool

class Eq1 f => Ord1 f where
  liftCompare :: (a -> b -> Ordering) -> f a -> f b -> Ordering

class Show1 f where
  liftShowsPrec :: (Int -> a -> ShowS) -> ([a] -> ShowS) -> Int -> f a -> ShowS
  liftShowList  :: (Int -> a -> ShowS) -> ([a] -> ShowS) -> [f a] -> ShowS
  liftShowList shown list = showListWith (liftShowsPrec shown list 0)

class Read1 f where
  liftReadsPrec :: (Int -> ReadS a) -> ReadS [a] -> Int -> ReadS (f a)

class Eq2 f where
  liftEq2 :: (a -> b -> Bool) -> (c -> d -> Bool) -> f a c -> f b d -> Bool

class Eq2 f => Ord2 f where
  liftCompare2 :: (a -> b -> Ordering) -> (c -> d -> Ordering) -> f a c -> f b d -> Ordering

class Show2 f where
  liftShowsPrec2 :: (Int -> a -> ShowS) -> ([a] -> ShowS) -> (Int -> b -> ShowS) -> ([b] -> ShowS)
                 -> Int -> f a b -> ShowS

eq1 :: (Eq1 f, Eq a) => f a -> f a -> Bool
eq1 = liftEq (==)

compare1 :: (Ord1 f, Ord a) => f a -> f a -> Ordering
compare1 = liftCompare compare

showsPrec1 :: (Show1 f, Show a) => Int -> f a -> ShowS
showsPrec1 = liftShowsPrec showsPrec showList

readsPrec1 :: (Read1 f, Read a) => Int -> ReadS (f a)
readsPrec1 = liftReadsPrec readsPrec readList

eq2 :: (Eq2 f, Eq a, Eq b) => f a b -> f a b -> Bool
eq2 = liftEq2 (==) (==)

compare2 :: (Ord2 f, Ord a, Ord b) => f a b -> f a b -> Ordering
compare2 = liftCompare2 compare compare

showsPrec2 :: (Show2 f, Show a, Show b) => Int -> f a b -> ShowS
showsPrec2 = liftShowsPrec2 showsPrec showList showsPrec showList

-- * For instances

showsUnaryWith :: (Int -> a -> ShowS) -> String -> Int -> a -> ShowS
showsUnaryWith shown name d x = showParen (d > 10) (showString name . showChar ' ' . shown 11 x)

showsBinaryWith :: (Int -> a -> ShowS) -> (Int -> b -> ShowS) -> String -> Int -> a -> b -> ShowS
showsBinaryWith shownX shownY name d x y = showParen (d > 10)
  (showString name . showChar ' ' . shownX 11 x . showChar ' ' . shownY 11 y)

showsUnary :: Show a => String -> Int -> a -> ShowS
showsUnary = showsUnaryWith showsPrec

showsUnary1 :: (Show1 f, Show a) => String -> Int -> f a -> ShowS
showsUnary1 = showsUnaryWith showsPrec1

showsBinary1 :: (Show1 f, Show1 g, Show a) => String -> Int -> f a -> g a -> ShowS
showsBinary1 = showsBinaryWith showsPrec1 showsPrec1

readsData :: (String -> ReadS a) -> Int -> ReadS a
readsData reader d = readParen (d > 10) (\r -> [x | (word, s) <- lex r, x <- reader word s])

readsUnaryWith :: (Int -> ReadS a) -> String -> (a -> t) -> String -> ReadS t
readsUnaryWith reader name make word s = [(make x, t) | word == name, (x, t) <- reader 11 s]

readsBinaryWith :: (Int -> ReadS a) -> (Int -> ReadS b) -> String -> (a -> b -> t) -> String -> ReadS t
readsBinaryWith readX readY name make word s =
  [(make x y, u) | word == name, (x, t) <- readX 11 s, (y, u) <- readY 11 t]

-- * Instances

instance Eq1 Maybe where
  liftEq _  Nothing  Nothing  = True
  liftEq eq (Just x) (Just y) = eq x y
  liftEq _  _        _        = False

instance Ord1 Maybe where
  liftCompare _   Nothing  Nothing  = EQ
  liftCompare _   Nothing  (Just _) = LT
  liftCompare _   (Just _) Nothing  = GT
  liftCompare cmp (Just x) (Just y) = cmp x y

instance Show1 Maybe where
  liftShowsPrec _     _ _ Nothing  = showString "Nothing"
  liftShowsPrec shown _ d (Just x) = showsUnaryWith shown "Just" d x

instance Read1 Maybe where
  liftReadsPrec reader _ d r =
    readParen False (\s -> [(Nothing, t) | ("Nothing", t) <- lex s]) r
    ++ readsData (readsUnaryWith reader "Just" Just) d r

instance Eq1 [] where
  liftEq _  []       []       = True
  liftEq eq (x : xs) (y : ys) = eq x y && liftEq eq xs ys
  liftEq _  _        _        = False

instance Ord1 [] where
  liftCompare _   []       []       = EQ
  liftCompare _   []       (_ : _)  = LT
  liftCompare _   (_ : _)  []       = GT
  liftCompare cmp (x : xs) (y : ys) = cmp x y <> liftCompare cmp xs ys

instance Show1 [] where
  liftShowsPrec _ list _ = list

instance Read1 [] where
  liftReadsPrec _ list _ = list

instance Eq1 NonEmpty where
  liftEq eq (x :| xs) (y :| ys) = eq x y && liftEq eq xs ys

instance Ord1 NonEmpty where
  liftCompare cmp (x :| xs) (y :| ys) = cmp x y <> liftCompare cmp xs ys

instance Show1 NonEmpty where
  liftShowsPrec shown list d (x :| xs) = showParen (d > 5)
    (shown 6 x . showString " :| " . list xs)

instance Eq1 Identity where
  liftEq eq (Identity x) (Identity y) = eq x y

instance Ord1 Identity where
  liftCompare cmp (Identity x) (Identity y) = cmp x y

instance Show1 Identity where
  liftShowsPrec shown _ d (Identity x) = showsUnaryWith shown "Identity" d x

instance Read1 Identity where
  liftReadsPrec reader _ = readsData (readsUnaryWith reader "Identity" Identity)

instance Eq1 Proxy where
  liftEq _ _ _ = True

instance Ord1 Proxy where
  liftCompare _ _ _ = EQ

instance Show1 Proxy where
  liftShowsPrec _ _ _ _ = showString "Proxy"

instance Eq2 Either where
  liftEq2 eq _  (Left x)  (Left y)  = eq x y
  liftEq2 _  eq (Right x) (Right y) = eq x y
  liftEq2 _  _  _         _         = False

instance Ord2 Either where
  liftCompare2 cmp _   (Left x)  (Left y)  = cmp x y
  liftCompare2 _   _   (Left _)  (Right _) = LT
  liftCompare2 _   _   (Right _) (Left _)  = GT
  liftCompare2 _   cmp (Right x) (Right y) = cmp x y

instance Show2 Either where
  liftShowsPrec2 shown _ _ _ d (Left x)  = showsUnaryWith shown "Left" d x
  liftShowsPrec2 _ _ shown _ d (Right y) = showsUnaryWith shown "Right" d y

instance Eq a => Eq1 (Either a) where
  liftEq = liftEq2 (==)

instance Ord a => Ord1 (Either a) where
  liftCompare = liftCompare2 compare

instance Show a => Show1 (Either a) where
  liftShowsPrec = liftShowsPrec2 showsPrec showList

instance Eq2 (,) where
  liftEq2 eq eq' (x, y) (x', y') = eq x x' && eq' y y'

instance Ord2 (,) where
  liftCompare2 cmp cmp' (x, y) (x', y') = cmp x x' <> cmp' y y'

instance Show2 (,) where
  liftShowsPrec2 shown _ shown' _ _ (x, y) = showChar '(' . shown 0 x . showChar ',' . shown' 0 y . showChar ')'

instance Eq a => Eq1 ((,) a) where
  liftEq = liftEq2 (==)

instance Ord a => Ord1 ((,) a) where
  liftCompare = liftCompare2 compare

instance Show a => Show1 ((,) a) where
  liftShowsPrec = liftShowsPrec2 showsPrec showList

instance Eq2 Const where
  liftEq2 eq _ (Const x) (Const y) = eq x y

instance Ord2 Const where
  liftCompare2 cmp _ (Const x) (Const y) = cmp x y

instance Show2 Const where
  liftShowsPrec2 shown _ _ _ d (Const x) = showsUnaryWith shown "Const" d x

instance Eq a => Eq1 (Const a) where
  liftEq = liftEq2 (==)

instance Ord a => Ord1 (Const a) where
  liftCompare = liftCompare2 compare

instance Show a => Show1 (Const a) where
  liftShowsPrec = liftShowsPrec2 showsPrec showList
