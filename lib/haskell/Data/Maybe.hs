{-# LANGUAGE NoImplicitPrelude #-}
-- | The type of optional values.
module Data.Maybe
  ( Maybe(..), maybe, isJust, isNothing, fromJust, fromMaybe
  , listToMaybe, maybeToList, catMaybes, mapMaybe
  ) where

import Gadfly.Base

isJust :: Maybe a -> Bool
isJust (Just _) = True
isJust Nothing  = False

isNothing :: Maybe a -> Bool
isNothing Nothing  = True
isNothing (Just _) = False

fromJust :: Maybe a -> a
fromJust (Just x) = x
fromJust Nothing  = error "Maybe.fromJust: Nothing"

fromMaybe :: a -> Maybe a -> a
fromMaybe d m = case m of { Nothing -> d; Just x -> x }

listToMaybe :: [a] -> Maybe a
listToMaybe []    = Nothing
listToMaybe (x:_) = Just x

maybeToList :: Maybe a -> [a]
maybeToList Nothing  = []
maybeToList (Just x) = [x]

catMaybes :: [Maybe a] -> [a]
catMaybes ms = [x | Just x <- ms]

mapMaybe :: (a -> Maybe b) -> [a] -> [b]
mapMaybe f = go
  where go []     = []
        go (x:xs) = case f x of
          Nothing -> go xs
          Just y  -> y : go xs
