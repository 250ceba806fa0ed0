{-# LANGUAGE NoImplicitPrelude, BangPatterns #-}
-- | Structures that can be folded and traversed.  Lists have their own loops
-- for every method; the functions that are no methods go through 'toList' and
-- then over a list, which for lists is no detour.
module Gadfly.Folding where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Lists
import Gadfly.Monoids
import Gadfly.Monads

infix 4 `elem`, `notElem`

class Foldable t where
  fold     :: Monoid m => t m -> m
  foldMap  :: Monoid m => (a -> m) -> t a -> m
  foldMap' :: Monoid m => (a -> m) -> t a -> m
  foldr    :: (a -> b -> b) -> b -> t a -> b
  foldr'   :: (a -> b -> b) -> b -> t a -> b
  foldl    :: (b -> a -> b) -> b -> t a -> b
  foldl'   :: (b -> a -> b) -> b -> t a -> b
  foldr1   :: (a -> a -> a) -> t a -> a
  foldl1   :: (a -> a -> a) -> t a -> a
  toList   :: t a -> [a]
  null     :: t a -> Bool
  length   :: t a -> Int
  elem     :: Eq a => a -> t a -> Bool
  maximum  :: Ord a => t a -> a
  minimum  :: Ord a => t a -> a
  sum      :: Num a => t a -> a
  product  :: Num a => t a -> a

  fold             = foldMap id
  foldMap f        = foldr (\x r -> f x <> r) mempty
  foldMap' f       = foldl' (\acc x -> acc <> f x) mempty
  foldr f z t      = appEndo (foldMap (\x -> Endo (f x)) t) z
  foldr' f z0 xs   = foldl (\k x z -> k $! f x z) id xs z0
  foldl f z0 xs    = foldr (\x k z -> k (f z x)) id xs z0
  foldl' f z0 xs   = foldr (\x k z -> k $! f z x) id xs z0
  foldr1 f xs      = fromJustOr "foldr1: empty structure" (foldr step Nothing xs)
    where step x r = Just (case r of { Nothing -> x; Just y -> f x y })
  foldl1 f xs      = fromJustOr "foldl1: empty structure" (foldl step Nothing xs)
    where step r y = Just (case r of { Nothing -> y; Just x -> f x y })
  toList           = foldr (:) []
  null             = foldr (\_ _ -> False) True
  length           = foldl' (\n _ -> primIntAdd n 1) 0
  elem x           = any (== x)
  maximum xs       = fromJustOr "maximum: empty structure" (foldl' step Nothing xs)
    where step r y = Just $! (case r of { Nothing -> y; Just x -> max x y })
  minimum xs       = fromJustOr "minimum: empty structure" (foldl' step Nothing xs)
    where step r y = Just $! (case r of { Nothing -> y; Just x -> min x y })
  sum              = foldl' (+) 0
  product          = foldl' (*) 1

fromJustOr :: String -> Maybe a -> a
fromJustOr msg Nothing  = errorWithoutStackTrace msg
fromJustOr _   (Just x) = x

instance Foldable [] where
  fold         = mconcat
  foldMap f xs = mconcat (map f xs)
  foldMap' f   = foldlStrict (\acc x -> acc <> f x) mempty
  foldr        = foldrList
  foldr' f z xs = foldlStrict (\acc x -> f x acc) z (reverse xs)
  foldl        = foldlList
  foldl'       = foldlStrict
  foldr1       = foldr1List
  foldl1       = foldl1List
  toList xs    = xs
  null         = nullList
  length       = lengthList
  elem         = elemList
  maximum []       = errorEmptyList "maximum"
  maximum (x : xs) = greatest x xs
  minimum []       = errorEmptyList "minimum"
  minimum (x : xs) = least x xs
  sum xs       = sumOnto 0 xs
  product xs   = productOnto 1 xs

instance Foldable Maybe where
  foldMap f m = case m of { Nothing -> mempty; Just x -> f x }
  foldr _ z Nothing  = z
  foldr f z (Just x) = f x z
  foldl _ z Nothing  = z
  foldl f z (Just x) = f z x

instance Foldable (Either e) where
  foldMap _ (Left _)  = mempty
  foldMap f (Right y) = f y
  foldr _ z (Left _)  = z
  foldr f z (Right y) = f y z
  length (Left _)     = 0
  length (Right _)    = 1
  null (Left _)       = True
  null (Right _)      = False

instance Foldable ((,) a) where
  foldMap f (_, y) = f y
  foldr f z (_, y) = f y z
  length _         = 1
  null _           = False

instance Foldable NonEmpty where
  foldMap f (a :| as) = f a <> foldMap f as
  foldr f z (a :| as) = f a (foldr f z as)
  foldl f z (a :| as) = foldl f (f z a) as
  foldl1 f (a :| as)  = foldl f a as
  toList (a :| as)    = a : as
  length (_ :| as)    = 1 + length as
  null _              = False

instance Foldable Proxy where
  foldMap _ _ = mempty
  foldr _ z _ = z

class (Functor t, Foldable t) => Traversable t where
  traverse  :: Applicative f => (a -> f b) -> t a -> f (t b)
  sequenceA :: Applicative f => t (f a) -> f (t a)
  mapM      :: Monad m => (a -> m b) -> t a -> m (t b)
  sequence  :: Monad m => t (m a) -> m (t a)
  traverse f = sequenceA . fmap f
  sequenceA  = traverse id
  mapM       = traverse
  sequence   = sequenceA

instance Traversable [] where
  traverse = traverseList
  mapM     = mapMList

traverseList :: Applicative f => (a -> f b) -> [a] -> f [b]
traverseList _ []       = pure []
traverseList f (x : xs) = liftA2 (:) (f x) (traverseList f xs)

mapMList :: Monad m => (a -> m b) -> [a] -> m [b]
mapMList f xs = traverseList f xs

instance Traversable Maybe where
  traverse _ Nothing  = pure Nothing
  traverse f (Just x) = fmap Just (f x)

instance Traversable (Either e) where
  traverse _ (Left e)  = pure (Left e)
  traverse f (Right x) = fmap Right (f x)

instance Traversable ((,) a) where
  traverse f (a, x) = fmap ((,) a) (f x)

instance Traversable NonEmpty where
  traverse f (a :| as) = liftA2 (:|) (f a) (traverse f as)

instance Traversable Proxy where
  traverse _ _ = pure Proxy

and, or :: Foldable t => t Bool -> Bool
and t = allTrue (toList t)
or t  = someTrue (toList t)

allTrue, someTrue :: [Bool] -> Bool
allTrue []           = True
allTrue (True : bs)  = allTrue bs
allTrue (False : _)  = False
someTrue []          = False
someTrue (True : _)  = True
someTrue (False : bs) = someTrue bs

any, all :: Foldable t => (a -> Bool) -> t a -> Bool
any p t = anyList p (toList t)
all p t = allList p (toList t)

notElem :: (Foldable t, Eq a) => a -> t a -> Bool
notElem x t = not (elem x t)

concat :: Foldable t => t [a] -> [a]
concat t = concatLists (toList t)

concatMap :: Foldable t => (a -> [b]) -> t a -> [b]
concatMap f t = concatMapList f (toList t)

mapM_ :: (Foldable t, Monad m) => (a -> m b) -> t a -> m ()
mapM_ f t = eachOf f (toList t)

eachOf :: Monad m => (a -> m b) -> [a] -> m ()
eachOf _ []       = return ()
eachOf f (x : xs) = f x >> eachOf f xs

sequence_ :: (Foldable t, Monad m) => t (m a) -> m ()
sequence_ t = inTurn (toList t)

inTurn :: Monad m => [m a] -> m ()
inTurn []       = return ()
inTurn (m : ms) = m >> inTurn ms
