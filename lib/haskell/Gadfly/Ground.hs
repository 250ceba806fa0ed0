{-# LANGUAGE NoImplicitPrelude #-}
-- | The types and functions that need no class: functions on functions and
-- truth values, 'Maybe', 'Either', pairs.
module Gadfly.Ground where

import Gadfly.Primitives

infixr 9 .
infixr 5 ++, :|
infixr 3 &&
infixr 2 ||
infixr 0 $, $!

-- * Types

data Maybe a = Nothing | Just a

data Either a b = Left a | Right b

-- | A list with at least one element.
data NonEmpty a = a :| [a]

-- | A fraction in lowest terms, its denominator positive.
data Ratio a = !a :% !a

-- | Stands for a type where only the type matters.
data Proxy t = Proxy

type Rational = Ratio Integer
type FilePath = String
type ShowS    = String -> String

-- | Only so that old programs may name and derive it: nothing here asks for it.
class Typeable a

-- * Functions and truth values

id :: a -> a
id x = x

const :: a -> b -> a
const x _ = x

(.) :: (b -> c) -> (a -> b) -> a -> c
(.) f g = \x -> f (g x)

flip :: (a -> b -> c) -> b -> a -> c
flip f x y = f y x

($) :: (a -> b) -> a -> b
f $ x = f x

-- | Apply after evaluating the argument to weak head normal form.
($!) :: (a -> b) -> a -> b
f $! x = x `seq` f x

asTypeOf :: a -> a -> a
asTypeOf = const

until :: (a -> Bool) -> (a -> a) -> a -> a
until p f x
  | p x       = x
  | otherwise = until p f (f x)

(&&) :: Bool -> Bool -> Bool
True  && x = x
False && _ = False

(||) :: Bool -> Bool -> Bool
True  || _ = True
False || x = x

not :: Bool -> Bool
not True  = False
not False = True

otherwise :: Bool
otherwise = True

maybe :: b -> (a -> b) -> Maybe a -> b
maybe n _ Nothing  = n
maybe _ f (Just x) = f x

either :: (a -> c) -> (b -> c) -> Either a b -> c
either f _ (Left x)  = f x
either _ g (Right y) = g y

fst :: (a, b) -> a
fst (x, _) = x

snd :: (a, b) -> b
snd (_, y) = y

curry :: ((a, b) -> c) -> a -> b -> c
curry f x y = f (x, y)

uncurry :: (a -> b -> c) -> (a, b) -> c
uncurry f p = f (fst p) (snd p)

-- * The one function on lists that everything needs

(++) :: [a] -> [a] -> [a]
[]       ++ ys = ys
(x : xs) ++ ys = x : (xs ++ ys)
