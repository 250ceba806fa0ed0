{-# LANGUAGE BangPatterns #-}
-- | Mutable references in IO.
module Data.IORef
  ( IORef, newIORef, readIORef, writeIORef, modifyIORef, modifyIORef'
  , atomicModifyIORef, atomicModifyIORef', atomicWriteIORef
  ) where

import Gadfly.Base (IORef, primIoBind, primRefNew, primRefRead, primRefWrite)

newIORef :: a -> IO (IORef a)
newIORef = primRefNew

readIORef :: IORef a -> IO a
readIORef = primRefRead

writeIORef :: IORef a -> a -> IO ()
writeIORef = primRefWrite

modifyIORef :: IORef a -> (a -> a) -> IO ()
modifyIORef ref f = primIoBind (primRefRead ref) (\x -> primRefWrite ref (f x))

-- | 'modifyIORef' that evaluates the new value.
modifyIORef' :: IORef a -> (a -> a) -> IO ()
modifyIORef' ref f = primIoBind (primRefRead ref) (\x -> let !y = f x in primRefWrite ref y)

atomicModifyIORef :: IORef a -> (a -> (a, b)) -> IO b
atomicModifyIORef ref f = do
  x <- readIORef ref
  let r = f x
  writeIORef ref (fst r)
  return (snd r)

atomicModifyIORef' :: IORef a -> (a -> (a, b)) -> IO b
atomicModifyIORef' ref f = do
  x <- readIORef ref
  case f x of
    (a, b) -> a `seq` b `seq` (writeIORef ref a >> return b)

atomicWriteIORef :: IORef a -> a -> IO ()
atomicWriteIORef = writeIORef
