-- | Numbers at the beginning of texts, under the names of older Curry systems.
module ReadNumeric (readInt, readNat, readHex, readOct, readBin) where

import Data.Maybe (listToMaybe)
import qualified Numeric

readInt :: String -> Maybe (Int, String)
readInt s = listToMaybe (Numeric.readInt s)

readNat :: String -> Maybe (Int, String)
readNat s = listToMaybe (Numeric.readNat s)

readHex :: String -> Maybe (Int, String)
readHex s = listToMaybe (Numeric.readHex s)

readOct :: String -> Maybe (Int, String)
readOct s = listToMaybe (Numeric.readOct s)

readBin :: String -> Maybe (Int, String)
readBin s = listToMaybe (Numeric.readBin s)
