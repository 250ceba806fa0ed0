-- | Strings, and types that can be made from them.
module Data.String (String, IsString(..), lines, words, unlines, unwords) where

import Data.Functor.Const (Const(..))
import Data.Functor.Identity (Identity(..))

class IsString a where
  fromString :: String -> a

-- | Characters, the only elements a string can have.
class IsChar c where
  fromChar :: Char -> c

instance IsChar Char where
  fromChar c = c

instance IsChar c => IsString [c] where
  fromString = map fromChar

instance IsString a => IsString (Const a b) where
  fromString s = Const (fromString s)

instance IsString a => IsString (Identity a) where
  fromString s = Identity (fromString s)
