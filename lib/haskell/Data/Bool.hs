{-# LANGUAGE NoImplicitPrelude #-}
-- | Truth values.
module Data.Bool (Bool(..), (&&), (||), not, otherwise, bool) where

import Gadfly.Base

-- | Case analysis: the value for False, the value for True.
bool :: a -> a -> Bool -> a
bool f _ False = f
bool _ t True  = t
