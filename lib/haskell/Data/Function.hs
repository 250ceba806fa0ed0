{-# LANGUAGE NoImplicitPrelude #-}
-- | Simple combinators of functions.
module Data.Function (id, const, (.), flip, ($), (&), on, fix) where

import Gadfly.Base
import Control.Monad.Fix (fix)

infixl 0 `on`
infixl 1 &

-- | Application turned around.
(&) :: a -> (a -> b) -> b
x & f = f x

on :: (b -> b -> c) -> (a -> b) -> a -> a -> c
on op f = \x y -> f x `op` f y
