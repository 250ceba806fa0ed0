module Prelude where
infixr 5 ++
infix 4 =:=, ==
infixl 6 +
infixr 0 ?, &>
infixl 1 >>=
external data Int
external data Float
external data Char
external data IO a
type String = [Char]
data Bool = False | True
data Maybe a = Nothing | Just a
class Data a where
  (===) :: a -> a -> Bool
  aValue :: a
class Eq a where
  (==) :: a -> a -> Bool
class Show a where
  show :: a -> String
class Num a where
  (+) :: a -> a -> a
  fromInt :: Int -> a
class Num a => Fractional a where
  fromFloat :: Float -> a
class Functor f where
  fmap :: (a -> b) -> f a -> f b
class Functor m => Monad m where
  (>>=) :: m a -> (a -> m b) -> m b
  return :: a -> m a
instance Data Int where { (===) = failed; aValue = failed }
instance Data Char where { (===) = failed; aValue = failed }
instance Data a => Data [a] where { (===) = failed; aValue = failed }
instance Data () where { (===) = failed; aValue = failed }
instance Eq Int where (==) = failed
instance Eq Char where (==) = failed
instance Eq a => Eq [a] where (==) = failed
instance Show Int where show = failed
instance Num Int where { (+) = failed; fromInt x = x }
instance Num Float where { (+) = failed; fromInt = failed }
instance Fractional Float where fromFloat x = x
instance Functor IO where fmap = failed
instance Monad IO where { (>>=) = failed; return = failed }
failed :: _
failed external
(?) :: a -> a -> a
x ? _ = x
_ ? y = y
(=:=) :: Data a => a -> a -> Bool
(=:=) external
(&>) :: Bool -> a -> a
True &> x = x
(++) :: [a] -> [a] -> [a]
[] ++ ys = ys
(x:xs) ++ ys = x : (xs ++ ys)
id x = x
