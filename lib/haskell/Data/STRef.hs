-- | Mutable references in state threads.
module Data.STRef (STRef, newSTRef, readSTRef, writeSTRef, modifySTRef, modifySTRef') where

import Data.IORef (modifyIORef, modifyIORef')
import Gadfly.Base (IORef, primRefNew, primRefRead, primRefWrite)
import Gadfly.ST (ST(..))

newtype STRef s a = STRef (IORef a)

instance Eq (STRef s a) where
  STRef a == STRef b = a == b

newSTRef :: a -> ST s (STRef s a)
newSTRef x = ST (primRefNew x >>= \r -> return (STRef r))

readSTRef :: STRef s a -> ST s a
readSTRef (STRef r) = ST (primRefRead r)

writeSTRef :: STRef s a -> a -> ST s ()
writeSTRef (STRef r) x = ST (primRefWrite r x)

modifySTRef :: STRef s a -> (a -> a) -> ST s ()
modifySTRef (STRef r) f = ST (modifyIORef r f)

-- | 'modifySTRef' that evaluates the new value.
modifySTRef' :: STRef s a -> (a -> a) -> ST s ()
modifySTRef' (STRef r) f = ST (modifyIORef' r f)
