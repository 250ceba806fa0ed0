-- | Texts put together from parts.
module Data.Text.Lazy.Builder (Builder, toLazyText, fromText, fromLazyText, fromString, singleton, flush) where

import Gadfly.Text (Text, pack, unpack)
import qualified Data.String as S

newtype Builder = Builder (String -> String)

instance Semigroup Builder where
  Builder f <> Builder g = Builder (f . g)

instance Monoid Builder where
  mempty = Builder id

instance Show Builder where
  showsPrec d b = showsPrec d (toLazyText b)

instance S.IsString Builder where
  fromString = fromString

toLazyText :: Builder -> Text
toLazyText (Builder f) = pack (f "")

fromText, fromLazyText :: Text -> Builder
fromText t   = Builder (unpack t ++)
fromLazyText = fromText

fromString :: String -> Builder
fromString s = Builder (s ++)

singleton :: Char -> Builder
singleton c = Builder (c :)

flush :: Builder
flush = Builder id
