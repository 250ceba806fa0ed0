{-# LANGUAGE NoImplicitPrelude #-}
module Gadfly.Base where

infixr 9 .
infixl 7 *, /, `div`
infixl 6 +, -
infixr 6 <>
infixr 5 ++
infix 4 ==, /=, <, <=, >, >=
infixl 4 <$>, <*>
infixr 3 &&
infixl 1 >>, >>=
infixr 0 $

data Int
data Integer
data Char
data Double
data Float
data IO a
type String = [Char]
data Bool = False | True deriving (Eq, Ord, Show, Enum, Bounded)
data Ordering = LT | EQ | GT deriving (Eq, Ord, Show)
data Maybe a = Nothing | Just a deriving (Eq, Ord, Show)
data Either a b = Left a | Right b deriving (Eq, Ord, Show)

class Eq a where
  (==), (/=) :: a -> a -> Bool
  a /= b = not (a == b)
class Eq a => Ord a where
  (<), (<=), (>), (>=) :: a -> a -> Bool
  compare :: a -> a -> Ordering
class Show a where
  show :: a -> String
  showsPrec :: Int -> a -> String -> String
class Read a where
  read :: String -> a
class Bounded a where
  minBound, maxBound :: a
class Enum a where
  enumFrom :: a -> [a]
  enumFromTo :: a -> a -> [a]
class Num a where
  (+), (-), (*) :: a -> a -> a
  fromInteger :: Integer -> a
  negate :: a -> a
class (Num a, Ord a) => Real a where
  toRational :: a -> Double
class (Real a, Enum a) => Integral a where
  div :: a -> a -> a
class Num a => Fractional a where
  (/) :: a -> a -> a
class Semigroup a where
  (<>) :: a -> a -> a
class Semigroup a => Monoid a where
  mempty :: a
class Functor f where
  fmap :: (a -> b) -> f a -> f b
class Functor f => Applicative f where
  pure :: a -> f a
  (<*>) :: f (a -> b) -> f a -> f b
class Applicative m => Monad m where
  (>>=) :: m a -> (a -> m b) -> m b
  (>>) :: m a -> m b -> m b
  return :: a -> m a
class Monad m => MonadFail m where
  fail :: String -> m a
class Foldable t where
  foldr :: (a -> b -> b) -> b -> t a -> b
  length :: t a -> Int
class (Functor t, Foldable t) => Traversable t where
  traverse :: Applicative f => (a -> f b) -> t a -> f (t b)

foreign import prim "undefined" undefined :: a

instance Eq Int where (==) = undefined
instance Ord Int where compare = undefined
instance Show Int where show = undefined
instance Read Int where read = undefined
instance Enum Int where enumFrom = undefined
instance Num Int where fromInteger = undefined
instance Real Int where toRational = undefined
instance Integral Int where div = undefined
instance Eq Integer where (==) = undefined
instance Ord Integer where compare = undefined
instance Show Integer where show = undefined
instance Enum Integer where enumFrom = undefined
instance Num Integer where fromInteger = undefined
instance Real Integer where toRational = undefined
instance Integral Integer where div = undefined
instance Eq Double where (==) = undefined
instance Ord Double where compare = undefined
instance Show Double where show = undefined
instance Enum Double where enumFrom = undefined
instance Num Double where fromInteger = undefined
instance Fractional Double where (/) = undefined
instance Eq Char where (==) = undefined
instance Ord Char where compare = undefined
instance Show Char where show = undefined
instance Enum Char where enumFrom = undefined
instance Eq a => Eq [a] where (==) = undefined
instance Ord a => Ord [a] where compare = undefined
instance Show a => Show [a] where show = undefined
instance (Eq a, Eq b) => Eq (a, b) where (==) = undefined
instance (Ord a, Ord b) => Ord (a, b) where compare = undefined
instance (Show a, Show b) => Show (a, b) where show = undefined
instance Eq () where (==) = undefined
instance Show () where show = undefined
instance Semigroup [a] where (<>) = undefined
instance Monoid [a] where mempty = []
instance Functor [] where fmap = undefined
instance Applicative [] where { pure = undefined; (<*>) = undefined }
instance Monad [] where (>>=) = undefined
instance MonadFail [] where fail = undefined
instance Foldable [] where foldr = undefined
instance Traversable [] where traverse = undefined
instance Functor Maybe where fmap = undefined
instance Applicative Maybe where { pure = undefined; (<*>) = undefined }
instance Monad Maybe where (>>=) = undefined
instance Foldable Maybe where foldr = undefined
instance Traversable Maybe where traverse = undefined
instance Functor IO where fmap = undefined
instance Applicative IO where { pure = undefined; (<*>) = undefined }
instance Monad IO where (>>=) = undefined
instance Functor ((->) r) where fmap = undefined

foreign import prim "print" primPrint :: String -> IO ()
print :: Show a => a -> IO ()
print x = primPrint (show x)
putStrLn :: String -> IO ()
putStrLn = primPrint
not :: Bool -> Bool
not True = False
not False = True
otherwise = True
True && x = x
False && _ = False
id x = x
const x _ = x
f $ x = f x
(.) f g x = f (g x)
fst (a, _) = a
snd (_, b) = b
map f xs = [f x | x <- xs]
(++) :: [a] -> [a] -> [a]
(++) = undefined
(<$>) :: Functor f => (a -> b) -> f a -> f b
(<$>) = fmap
sum :: (Foldable t, Num a) => t a -> a
sum = foldr (+) 0

zip :: [a] -> [b] -> [(a, b)]
zip (x : xs) (y : ys) = (x, y) : zip xs ys
zip _ _ = []

class IsString a where fromString :: String -> a
class StringElement a where fromCharacter :: Char -> a
instance StringElement Char where fromCharacter c = c
instance StringElement a => IsString [a] where fromString s = map fromCharacter s
