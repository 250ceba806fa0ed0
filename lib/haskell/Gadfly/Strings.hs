{-# LANGUAGE NoImplicitPrelude #-}
-- | Types that string literals can stand for.
module Gadfly.Strings where

import Gadfly.Primitives
import Gadfly.Lists

class IsString a where
  fromString :: String -> a

-- | Characters, the only elements a string can have.
class StringElement c where
  fromCharacter :: Char -> c

instance StringElement Char where
  fromCharacter c = c

instance StringElement c => IsString [c] where
  fromString s = map fromCharacter s
