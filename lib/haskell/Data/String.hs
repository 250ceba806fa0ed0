-- | Strings, and types that can be made from them.
module Data.String (String, IsString(..), lines, words, unlines, unwords) where

import Data.Functor.Const (Const(..))
import Data.Functor.Identity (Identity(..))
import Gadfly.Base (IsString(..))

instance IsString a => IsString (Const a b) where
  fromString s = Const (fromString s)

instance IsString a => IsString (Identity a) where
  fromString s = Identity (fromString s)
