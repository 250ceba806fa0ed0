{-# LANGUAGE NoImplicitPrelude #-}
-- | Pairs.
module Data.Tuple (fst, snd, curry, uncurry, swap) where

import Gadfly.Base

swap :: (a, b) -> (b, a)
swap (a, b) = (b, a)
