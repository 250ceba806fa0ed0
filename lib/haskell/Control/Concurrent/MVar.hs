-- | Boxes that are full or empty.  There is one thread: to wait for another
-- one would be to wait forever, and is an error at once.
module Control.Concurrent.MVar
  ( MVar, newEmptyMVar, newMVar, takeMVar, putMVar, readMVar, swapMVar
  , tryTakeMVar, tryPutMVar, isEmptyMVar, tryReadMVar
  , withMVar, withMVarMasked, modifyMVar_, modifyMVar, modifyMVarMasked_, modifyMVarMasked
  ) where

import Control.Exception (BlockedIndefinitelyOnMVar(..), onException, throwIO)
import Data.IORef

newtype MVar a = MVar (IORef (Maybe a))

instance Eq (MVar a) where
  MVar a == MVar b = a == b

newEmptyMVar :: IO (MVar a)
newEmptyMVar = newIORef Nothing >>= \r -> return (MVar r)

newMVar :: a -> IO (MVar a)
newMVar x = newIORef (Just x) >>= \r -> return (MVar r)

takeMVar :: MVar a -> IO a
takeMVar v = tryTakeMVar v >>= maybe (throwIO BlockedIndefinitelyOnMVar) return

putMVar :: MVar a -> a -> IO ()
putMVar v x = do
  done <- tryPutMVar v x
  if done then return () else throwIO BlockedIndefinitelyOnMVar

readMVar :: MVar a -> IO a
readMVar v = tryReadMVar v >>= maybe (throwIO BlockedIndefinitelyOnMVar) return

swapMVar :: MVar a -> a -> IO a
swapMVar v new = do
  old <- takeMVar v
  putMVar v new
  return old

tryTakeMVar :: MVar a -> IO (Maybe a)
tryTakeMVar (MVar r) = do
  x <- readIORef r
  writeIORef r Nothing
  return x

tryPutMVar :: MVar a -> a -> IO Bool
tryPutMVar (MVar r) x = do
  old <- readIORef r
  case old of
    Nothing -> writeIORef r (Just x) >> return True
    Just _  -> return False

isEmptyMVar :: MVar a -> IO Bool
isEmptyMVar (MVar r) = fmap (maybe True (const False)) (readIORef r)

tryReadMVar :: MVar a -> IO (Maybe a)
tryReadMVar (MVar r) = readIORef r

withMVar, withMVarMasked :: MVar a -> (a -> IO b) -> IO b
withMVar v act = do
  a <- takeMVar v
  b <- act a `onException` putMVar v a
  putMVar v a
  return b
withMVarMasked = withMVar

modifyMVar_, modifyMVarMasked_ :: MVar a -> (a -> IO a) -> IO ()
modifyMVar_ v act = do
  a  <- takeMVar v
  a' <- act a `onException` putMVar v a
  putMVar v a'
modifyMVarMasked_ = modifyMVar_

modifyMVar, modifyMVarMasked :: MVar a -> (a -> IO (a, b)) -> IO b
modifyMVar v act = do
  a       <- takeMVar v
  (a', b) <- act a `onException` putMVar v a
  putMVar v a'
  return b
modifyMVarMasked = modifyMVar
