-- | Monoids that a type alone does not determine.
module Data.Monoid
  ( Monoid(..), All(..), Any(..), Sum(..), Product(..), First(..), Last(..)
  ) where

newtype All = All { getAll :: Bool }
  deriving (Eq, Ord, Show, Read)

instance Monoid All where
  mempty = All True
  mappend (All x) (All y) = All (x && y)

newtype Any = Any { getAny :: Bool }
  deriving (Eq, Ord, Show, Read)

instance Monoid Any where
  mempty = Any False
  mappend (Any x) (Any y) = Any (x || y)

newtype Sum a = Sum { getSum :: a }
  deriving (Eq, Ord, Show, Read)

instance Num a => Monoid (Sum a) where
  mempty = Sum 0
  mappend (Sum x) (Sum y) = Sum (x + y)

instance Functor Sum where
  fmap f (Sum x) = Sum (f x)

instance Applicative Sum where
  pure = Sum
  Sum f <*> Sum x = Sum (f x)

instance Monad Sum where
  Sum x >>= f = f x

newtype Product a = Product { getProduct :: a }
  deriving (Eq, Ord, Show, Read)

instance Num a => Monoid (Product a) where
  mempty = Product 1
  mappend (Product x) (Product y) = Product (x * y)

instance Functor Product where
  fmap f (Product x) = Product (f x)

instance Applicative Product where
  pure = Product
  Product f <*> Product x = Product (f x)

instance Monad Product where
  Product x >>= f = f x

-- | The first value that is there.
newtype First a = First { getFirst :: Maybe a }
  deriving (Eq, Ord, Show, Read)

instance Monoid (First a) where
  mempty = First Nothing
  mappend (First m) (First n) = First (m <|> n)

instance Functor First where
  fmap f (First m) = First (fmap f m)

instance Applicative First where
  pure x = First (Just x)
  First f <*> First m = First (f <*> m)

instance Monad First where
  First m >>= f = First (m >>= getFirst . f)

-- | The last value that is there.
newtype Last a = Last { getLast :: Maybe a }
  deriving (Eq, Ord, Show, Read)

instance Monoid (Last a) where
  mempty = Last Nothing
  mappend (Last m) (Last n) = Last (n <|> m)

instance Functor Last where
  fmap f (Last m) = Last (fmap f m)

instance Applicative Last where
  pure x = Last (Just x)
  Last f <*> Last m = Last (f <*> m)

instance Monad Last where
  Last m >>= f = Last (m >>= getLast . f)
