{-# LANGUAGE NoImplicitPrelude #-}
-- | The names of the basic kinds, for programs with kind signatures.
module Data.Kind (Type, Constraint) where

data Type
data Constraint
