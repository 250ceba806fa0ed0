{-# LANGUAGE NoImplicitPrelude #-}
-- | Functors, applicative functors and monads, and their instances for the
-- basic types.  'IO' is completed in "Gadfly.InputOutput", which has the
-- exceptions that it fails with.
module Gadfly.Monads where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Lists
import Gadfly.Monoids

infixl 4 <$>, <$, <*>, <*, *>
infixl 3 <|>
infixl 1 >>, >>=
infixr 1 =<<

class Functor f where
  fmap :: (a -> b) -> f a -> f b
  (<$) :: a -> f b -> f a
  (<$) x = fmap (const x)

class Functor f => Applicative f where
  pure   :: a -> f a
  (<*>)  :: f (a -> b) -> f a -> f b
  liftA2 :: (a -> b -> c) -> f a -> f b -> f c
  (*>)   :: f a -> f b -> f b
  (<*)   :: f a -> f b -> f a
  (<*>)        = liftA2 id
  liftA2 f x y = fmap f x <*> y
  a *> b       = (id <$ a) <*> b
  a <* b       = liftA2 const a b

class Applicative m => Monad m where
  (>>=)  :: m a -> (a -> m b) -> m b
  (>>)   :: m a -> m b -> m b
  return :: a -> m a
  m >> k = m >>= \_ -> k
  return = pure

class Monad m => MonadFail m where
  fail :: String -> m a

class Applicative f => Alternative f where
  empty :: f a
  (<|>) :: f a -> f a -> f a
  some  :: f a -> f [a]
  many  :: f a -> f [a]
  some v = oneOrMore
    where oneOrMore = liftA2 (:) v (oneOrMore <|> pure [])
  many v = noneOrMore
    where noneOrMore = liftA2 (:) v noneOrMore <|> pure []

class (Alternative m, Monad m) => MonadPlus m where
  mzero :: m a
  mplus :: m a -> m a -> m a
  mzero = empty
  mplus = (<|>)

(<$>) :: Functor f => (a -> b) -> f a -> f b
f <$> x = fmap f x

(=<<) :: Monad m => (a -> m b) -> m a -> m b
f =<< m = m >>= f

-- | Application in terms of bind, for instances of 'Applicative'.
ap :: Monad m => m (a -> b) -> m a -> m b
ap mf mx = mf >>= \f -> mx >>= \x -> return (f x)

liftM :: Monad m => (a -> b) -> m a -> m b
liftM f m = m >>= \x -> return (f x)

when :: Applicative f => Bool -> f () -> f ()
when c act = if c then act else pure ()

-- * Lists, Maybe, Either

instance Functor [] where
  fmap = map

instance Applicative [] where
  pure x        = [x]
  fs <*> xs     = concatMapList (\f -> map f xs) fs
  liftA2 f xs ys = concatMapList (\x -> map (f x) ys) xs
  xs *> ys      = concatMapList (\_ -> ys) xs

instance Monad [] where
  xs >>= f = concatMapList f xs
  (>>)     = (*>)

instance MonadFail [] where
  fail _ = []

instance Alternative [] where
  empty = []
  (<|>) = (++)

instance MonadPlus []

instance Functor Maybe where
  fmap _ Nothing  = Nothing
  fmap f (Just x) = Just (f x)

instance Applicative Maybe where
  pure = Just
  Just f  <*> m = fmap f m
  Nothing <*> _ = Nothing
  liftA2 f (Just x) (Just y) = Just (f x y)
  liftA2 _ _        _        = Nothing
  Just _  *> m = m
  Nothing *> _ = Nothing

instance Monad Maybe where
  Just x  >>= k = k x
  Nothing >>= _ = Nothing
  (>>) = (*>)

instance MonadFail Maybe where
  fail _ = Nothing

instance Alternative Maybe where
  empty = Nothing
  Nothing <|> r = r
  l       <|> _ = l

instance MonadPlus Maybe

instance Functor (Either e) where
  fmap _ (Left e)  = Left e
  fmap f (Right x) = Right (f x)

instance Applicative (Either e) where
  pure = Right
  Left e  <*> _ = Left e
  Right f <*> r = fmap f r

instance Monad (Either e) where
  Left e  >>= _ = Left e
  Right x >>= k = k x

-- * Functions, pairs and the rest

instance Functor ((->) r) where
  fmap = (.)

instance Applicative ((->) r) where
  pure x       = \_ -> x
  f <*> g      = \r -> f r (g r)
  liftA2 q f g = \r -> q (f r) (g r)

instance Monad ((->) r) where
  f >>= k = \r -> k (f r) r

instance Functor ((,) a) where
  fmap f (a, x) = (a, f x)

instance Monoid a => Applicative ((,) a) where
  pure x            = (mempty, x)
  (u, f) <*> (v, x) = (u <> v, f x)
  liftA2 f (u, x) (v, y) = (u <> v, f x y)

instance Monoid a => Monad ((,) a) where
  (u, x) >>= k = case k x of (v, y) -> (u <> v, y)

instance Functor NonEmpty where
  fmap f (a :| as) = f a :| map f as

instance Applicative NonEmpty where
  pure a = a :| []
  (<*>)  = ap

instance Monad NonEmpty where
  (a :| as) >>= f = case f a of
    b :| bs -> b :| (bs ++ concatMapList (\x -> case f x of c :| cs -> c : cs) as)

instance Functor Proxy where
  fmap _ _ = Proxy

instance Applicative Proxy where
  pure _  = Proxy
  _ <*> _ = Proxy

instance Monad Proxy where
  _ >>= _ = Proxy

-- * IO

instance Functor IO where
  fmap f m = primIoBind m (\x -> primIoReturn (f x))

instance Applicative IO where
  pure         = primIoReturn
  mf <*> mx    = primIoBind mf (\f -> primIoBind mx (\x -> primIoReturn (f x)))
  liftA2 f a b = primIoBind a (\x -> primIoBind b (\y -> primIoReturn (f x y)))
  a *> b       = primIoBind a (\_ -> b)
  a <* b       = primIoBind a (\x -> primIoBind b (\_ -> primIoReturn x))

instance Monad IO where
  (>>=)  = primIoBind
  a >> b = primIoBind a (\_ -> b)

instance Semigroup a => Semigroup (IO a) where
  a <> b = liftA2 (<>) a b

instance Monoid a => Monoid (IO a) where
  mempty = primIoReturn mempty
