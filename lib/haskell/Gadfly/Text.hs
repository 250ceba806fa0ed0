-- | Packed texts: strings that are completely evaluated.
module Gadfly.Text where

import Control.DeepSeq (NFData(..))
import Data.List.NonEmpty (NonEmpty(..))
import Data.Semigroup (Semigroup(..))
import Data.String (IsString(..))
import Gadfly.Base (forceString)

-- | Everything in it is evaluated as soon as it is.
newtype Text = Text String

-- | Of a string that is not evaluated yet.
made, pack :: String -> Text
made s = Text $! forceString s
pack   = made

unpack :: Text -> String
unpack (Text s) = s

instance Eq Text where
  Text s == Text t = s == t

instance Ord Text where
  compare (Text s) (Text t) = compare s t

instance Show Text where
  showsPrec d (Text s) = showsPrec d s

instance Read Text where
  readsPrec d r = [(made s, t) | (s, t) <- readsPrec d r]

instance Semigroup Text where
  Text s <> Text t = made (s ++ t)
  sconcat (t :| ts) = mconcat (t : ts)

instance Monoid Text where
  mempty     = Text ""
  mconcat ts = made (concatMap unpack ts)

instance IsString Text where
  fromString = pack

instance NFData Text where
  rnf t = t `seq` ()
