-- | Packed bytes: strings of characters up to 255 that are completely evaluated.
module Gadfly.Bytes where

import Control.DeepSeq (NFData(..))
import Data.Bits (shiftL, shiftR, (.&.), (.|.))
import Data.Char (chr, ord)
import Data.List.NonEmpty (NonEmpty(..))
import Data.Semigroup (Semigroup(..))
import Data.String (IsString(..))
import Gadfly.Base (forceString)

-- | Everything in it is evaluated as soon as it is.
newtype ByteString = ByteString String

-- | Of characters that are bytes but not evaluated yet, and of any characters,
-- of which the low eight bits are taken.
made, pack :: String -> ByteString
made s = ByteString $! forceString s
pack s = made (map (\c -> if c > '\255' then chr (ord c .&. 255) else c) s)

unpack :: ByteString -> String
unpack (ByteString s) = s

-- | Characters as the bytes of UTF-8.
toUtf8 :: String -> String
toUtf8 = concatMap bytes
  where
    bytes c
      | n < 0x80    = [c]
      | n < 0x800   = [chr (0xc0 .|. shiftR n 6), low 0]
      | n < 0x10000 = [chr (0xe0 .|. shiftR n 12), low 6, low 0]
      | otherwise   = [chr (0xf0 .|. shiftR n 18), low 12, low 6, low 0]
      where
        n     = ord c
        low k = chr (0x80 .|. (shiftR n k .&. 0x3f))

-- | The characters of bytes in UTF-8; the function is for bytes that are not.
fromUtf8 :: (Char -> Char) -> String -> String
fromUtf8 wrong = go
  where
    go [] = []
    go (c : s)
      | c < '\x80' = c : go s
      | c < '\xc2' = wrong c : go s
      | c < '\xe0' = more c 1 (ord c .&. 0x1f) 0x80 s
      | c < '\xf0' = more c 2 (ord c .&. 0x0f) 0x800 s
      | c < '\xf5' = more c 3 (ord c .&. 0x07) 0x10000 s
      | otherwise  = wrong c : go s
    more c k start least s = case splitAt k s of
      (bs, rest)
        | length bs == k && all following bs && n >= least && n <= 0x10ffff && not surrogate -> chr n : go rest
        | otherwise -> wrong c : go s
        where
          n = foldl (\a b -> shiftL a 6 .|. (ord b .&. 0x3f)) start bs
          surrogate = n >= 0xd800 && n < 0xe000
    following b = b >= '\x80' && b < '\xc0'

instance Eq ByteString where
  ByteString s == ByteString t = s == t

instance Ord ByteString where
  compare (ByteString s) (ByteString t) = compare s t

instance Show ByteString where
  showsPrec d (ByteString s) = showsPrec d s

instance Read ByteString where
  readsPrec d r = [(made s, t) | (s, t) <- readsPrec d r]

instance Semigroup ByteString where
  ByteString s <> ByteString t = made (s ++ t)
  sconcat (t :| ts) = mconcat (t : ts)

instance Monoid ByteString where
  mempty     = ByteString ""
  mconcat ts = made (concatMap unpack ts)

instance IsString ByteString where
  fromString = pack

instance NFData ByteString where
  rnf t = t `seq` ()
