{-# LANGUAGE NoImplicitPrelude #-}
-- | Types whose values index arrays.
module Data.Ix (Ix(range, index, inRange, rangeSize)) where

import Gadfly.Base
