{-# LANGUAGE NoImplicitPrelude #-}
-- | Functors and useful operators on them.
module Data.Functor (Functor(..), ($>), (<$>), (<&>), void) where

import Gadfly.Base

infixl 4 $>
infixl 1 <&>

($>) :: Functor f => f a -> b -> f b
x $> b = b <$ x

(<&>) :: Functor f => f a -> (a -> b) -> f b
x <&> f = fmap f x

void :: Functor f => f a -> f ()
void x = () <$ x
