-- | Numbers from texts, under the names of older Curry systems.
module Read (readNat, readInt, readHex) where

import qualified Numeric

-- | The number at the beginning of a text, 0 if there is none.
readNat :: String -> Int
readNat s = number (Numeric.readNat s)

readInt :: String -> Int
readInt s = number (Numeric.readInt s)

readHex :: String -> Int
readHex s = number (Numeric.readHex s)

number :: [(Int, String)] -> Int
number []         = 0
number ((n, _):_) = n
