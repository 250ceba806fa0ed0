{-# LANGUAGE NoImplicitPrelude #-}
-- | Equality.
module Data.Eq (Eq(..)) where

import Gadfly.Base
