-- | Things of which each is different from all others.
module Data.Unique (Unique, newUnique, hashUnique) where

import Data.IORef
import System.IO.Unsafe (unsafePerformIO)

newtype Unique = Unique Int
  deriving (Eq, Ord)

latest :: IORef Int
latest = unsafePerformIO (newIORef 0)

newUnique :: IO Unique
newUnique = do
  n <- readIORef latest
  let next = n + 1
  next `seq` writeIORef latest next
  return (Unique next)

hashUnique :: Unique -> Int
hashUnique (Unique n) = n
